"""
fio: JSON and json+ reports, terse lines, the text that people read, logs and job files.

Claims  a file that holds at least one of them, whatever else it holds and whatever it is called.
Emits   the results of every format in the file, and of a job that stands in several those of the best: JSON, else
        terse, else normal; nothing twice.
Units   see the module of each format.
Source  fio 1.38 to 3.42, https://git.kernel.dk/cgit/fio; ``stat.c``, ``show_thread_status_json()``,
        ``show_thread_status_terse_all()`` and ``show_thread_status_normal()``

``--output-format=json,terse,normal`` writes one run in all formats, and a log of many runs may have each in another.
The reports are read first and cut out, then the terse lines, then the blocks. A job that one of them repeats is read
once, with a finding that says what was left out; every other one is emitted, or refused with its line.

A job is the same when its name, its group and its operations are, and every figure agrees within what was printed:
terse lines cut to whole KiB, microseconds and IOPS, human output keeps three or four digits. Run times are whole
milliseconds in all formats.
"""

from __future__ import annotations

from itertools import chain, pairwise
from typing import TYPE_CHECKING

from ioledger.model import Checks, Finding, LeftOut, Reading, Refusal, Tolerances
from ioledger.readers import KIBI
from ioledger.readers.fio.decoding import MOST, decode_text, is_too_long

if TYPE_CHECKING:
    from collections.abc import Hashable, Iterable, Mapping

    from ioledger.model import Result, Source
    from ioledger.readers.fio.options import Sections

    Operations = Mapping[str, Result]

TOOL = "fio"
FORMATS = (
    "fio JSON and json+, 2.0.10 to 3.42, local and client mode",
    "fio terse versions 2 to 5, and the lines of 1.38 to 1.59",
    "fio normal output, 1.38 to 3.42",
    "fio logs of throughput, IOPS and latency, histogram logs, plain and compressed",
    "fio job files, as the source of options",
)
VERSIONS = {
    "json": "0.2.0",
    "json+": "0.2.0",
    "terse": "0.2.0",
    "normal": "0.2.0",
    "log": "0.1.0",
    "histogram": "0.1.0",
    "job": "0.1.0",
}
"""What is read, by the first word of the format; see :class:`ioledger.readers.detect.Reader`."""
_JSON = Tolerances(
    rate_share=1e-3,
    printed_steps={"B/s": 1, "KiB/s": 1024, "kB/s": 1000},
    is_cut=True,
    block_share=0.01,
    bins_share=0.01,
    is_block_settled=True,
    are_blocks_in_flight=True,
    is_load_shared=True,
    depth_low=0.9,
    least_operations=100,
    unmeasured_by=("gtod_reduce", "disable_lat", "disable_clat", "disable_slat"),
)
_TEXT = _JSON._replace(rate_share=0.02, is_rounded=True, block_share=1e-3)
CHECKS = Checks(
    rules={
        "latency_within_run": "R-CHECK-1",
        "latency_part_within_total": "R-FIO-LATENCY-5",
        "latency_has_start": "R-FIO-LATENCY-5",
        "throughput_is_bytes_over_time": "R-CHECK-2",
        "bytes_are_blocks": "R-FIO-BLOCK-1",
        "mean_lies_between": "R-CHECK-2",
        "latency_is_not_zero": "R-FIO-LATENCY-2",
        "latency_is_carried": "R-CHECK-2",
        "latency_is_stated": "R-CHECK-2",
        "spread_lies_within": "R-CHECK-2",
        "time_is_stated": "R-CHECK-2",
        "latency_parts_add_up": "R-CHECK-1",
        "percentiles_rise": "R-CHECK-2",
        "percentiles_lie_between": "R-CHECK-2",
        "bins_add_up": "R-CHECK-1",
        "latency_is_of_every_operation": "R-CHECK-1",
        "processes_are_counted": "R-FIO-NUMJOBS-1",
        "depth_is_the_one_configured": "R-FIO-DEPTH-3",
        "not_more_outstanding": "R-CHECK-1",
        "not_fewer_outstanding": "R-FIO-DEPTH-1",
        "depth_is_known": "R-FIO-DEPTH-4",
        "mix_is_the_one_declared": "R-FIO-MIX-1",
        "reads_are_a_load": "R-FIO-MIX-2",
        "run_lasts_as_asked": "R-FIO-TIME-1",
        "process_waits": "R-FIO-CPU-1",
    },
    formats={"json": _JSON, "json+": _JSON, "normal": _TEXT, "terse": _TEXT},
)
MAX_TEXT_BYTES = 32 << 20
"""A file that is not one regular report is read as text, which takes many times its size."""
_VERSION_KEY = '"fio version"'
_EMPTY, _PARTIAL, _TOLD_TWICE = "R-FIO-EMPTY-1", "R-FIO-PARTIAL-1", "R-FIO-FORMAT-2"
_SHOWN = 3
_MILLISECOND = 6e-4
_SYNC, _SYNC_AND_TRIM, _NONE = frozenset({"sync"}), frozenset({"sync", "trim"}), frozenset[str]()
_DIGITS, _LOST, _EXACT = 6e-3, 0.1, 1e-6
"""Share that three digits, and that a lost carry (see ``normal``), may take from a size or a rate of human output."""
_OF_STEP = 0.006
"""Mean and deviation have two decimals or more of the unit in which a latency is printed."""
_SCALED = 1e-3
"""Minimum and maximum are cut to that unit, and a long one to six digits."""

# Formats load when a file may have them: a single report is read in half the time, most of which is start-up.


def claims(head: bytes) -> bool:
    """Say whether the first bytes of a file contain a format of fio."""
    if _VERSION_KEY.encode() in head:
        return True
    from ioledger.readers.fio import human, logs, options, terse  # noqa: PLC0415

    if logs.find(head):
        return True
    text = decode_text(head)[0]
    return _VERSION_KEY in text or any(part.find(text) for part in (terse, human, options))


def read_whole(source: Source) -> Reading | None:
    """Read a file that is one JSON report and nothing else, which no other tool can have written; else null."""
    from ioledger.readers.fio import json_decode, json_report, options  # noqa: PLC0415

    document = json_decode.regular(source.data)
    if document is None:
        return None
    report = json_decode.Report(document, source.data, 0, len(source.data), [])
    sections = options.load_sections(source.job) if source.job else {}
    reading = Reading(tool=TOOL, source_format="json", document_count=1, results=[], refusals=[])
    json_report.read_report(0, report, sections, reading, is_partial=False, without=source.without)
    if source.job is not None:
        reading.warnings += options.strangers(sections, reading.results)
    return reading


def read(source: Source) -> Reading:
    """Read every format in the file."""
    return read_whole(source) or read_parts(source)


def read_parts(source: Source) -> Reading:
    """Read a file that is more or less than one regular report."""
    from ioledger.readers.fio import json_decode, logs, options  # noqa: PLC0415

    if json_decode.is_too_full(source.data):
        what = f"the file opens more than {json_decode.MAX_OBJECTS:,} objects and lists, many more than any report"
        return Reading(tool=TOOL, refusals=[Refusal("", what, "Split the file.", "R-FIO-LIMIT-1")])
    if logs.find(source.data):
        return logs.read(source)
    if len(source.data) > MAX_TEXT_BYTES:
        what = f"the file has {len(source.data):,} bytes and is more than one regular report: "
        what += f"at most {MAX_TEXT_BYTES:,} are read then"
        remedy = "Split the file; leave out reports of unfinished runs."
        return Reading(tool=TOOL, refusals=[Refusal("", what, remedy, "R-FIO-LIMIT-1")])
    sections = options.load_sections(source.job)
    text, encoding, findings = decode_text(source.data)
    reading = _read_text(text, sections, without=source.without)
    reading.encoding = encoding
    reading.warnings[:0] = findings
    if source.job is not None:
        reading.warnings += options.strangers(sections, reading.results)
    return reading


def _read_text(text: str, sections: Sections, *, without: frozenset[str]) -> Reading:
    """Read every format of a text; each job once."""
    from ioledger.readers.fio import human, json_report, options, terse  # noqa: PLC0415

    whole = Reading(tool="fio", results=[], warnings=[], refusals=[])
    spans: list[tuple[int, int]] = []
    if _VERSION_KEY in text:
        reports, whole.refusals, spans = json_report.find(text)
        _add(whole, json_report.read(reports, without=without, sections=sections), "report")
    pieces = [text[start:end] for start, end in pairwise([0, *chain.from_iterable(spans), len(text)])]
    rest = "".join(pieces[::2])
    readers = (("terse line", terse), ("block", human))
    fitting = [(name, reader) for name, reader in readers if reader.find(rest) or reader.has_torn(rest)]
    if fitting and is_too_long(rest):
        what = f"the text has more than the {MOST:,} lines that are read"
        remedy = "Submit the JSON report, or split the file."
        whole.refusals.append(Refusal("", what, remedy, "R-FIO-LIMIT-1"))
        return whole
    # a report becomes as many empty lines, so that the places are those of the whole text
    rest = "".join("\n" * piece.count("\n") if at % 2 else piece for at, piece in enumerate(pieces))
    for name, reader in fitting:
        more = {"known": whole.results} if reader is terse else {}
        _add(whole, reader.read(rest, sections, **more), name)
    if not fitting and not whole.document_count and options.find(rest):
        _add(whole, options.read(rest), "section")
    elif not whole.document_count and not whole.refusals:
        what, remedy = "no report of fio begins in this file", "Submit what fio wrote with --output-format=json."
        whole.refusals.append(Refusal("", what, remedy, "R-FIO-LINE-1"))
    return whole


def _add(whole: Reading, part: Reading, name: str) -> None:
    """Add results of a format that no better format has; ``name`` is that of one of its jobs."""
    from ioledger.readers.fio.disk_util import SAME, TABLE  # noqa: PLC0415

    same = _find_repeated_points(part.results, whole.results)
    points = set(same)
    messages = {finding.message for finding in whole.warnings if finding.rule == _EMPTY}
    idle = [each.pointer for each in part.warnings if each.rule == _EMPTY and each.message in messages]
    left_out = [*dict.fromkeys(result.repetition for result in part.results if result.repetition in points), *idle]
    whole.warnings += _warnings(part, points | set(idle))
    whole.results += [result for result in part.results if result.repetition not in points]
    whole.refusals += part.refusals
    if part.rows:
        stand = whole.rows.setdefault(TABLE, [])
        known = {tuple(row[name] for name in SAME) for row in stand} if left_out else ()
        stand += [row for row in part.rows.get(TABLE, []) if tuple(row[name] for name in SAME) not in known]
    written = {result.repetition: result.source_format for result in part.results}
    again = (LeftOut(point, written[point], other, _TOLD_TWICE) for point, other in same.items())
    whole.left_out += [*part.left_out, *again]
    whole.local_days = sorted({*whole.local_days, *part.local_days})
    if left_out:
        whole.warnings.append(_left_out(left_out, name))
    count = part.document_count - len(left_out)
    if count or not whole.document_count:
        formats = [each for each in (whole.source_format, part.source_format) if each]
        whole.source_format = ", ".join(formats if whole.document_count else formats[-1:]) or None
    whole.document_count += count
    whole.tool_version = whole.tool_version or part.tool_version
    whole.is_setup = part.is_setup


def _warnings(part: Reading, left_out: set[str]) -> list[Finding]:
    """Return the findings of a format without those of excluded points."""
    from ioledger.readers.fio.runs import PARTIAL  # noqa: PLC0415

    if not left_out:
        return part.warnings
    places = left_out | {result.pointer for result in part.results if result.repetition in left_out}
    partial = {result.repetition for result in part.results if result.is_partial} - left_out
    warnings = [each for each in part.warnings if each.pointer not in places and each.rule != _PARTIAL]
    return [*warnings, Finding(_PARTIAL, PARTIAL.format(len(partial)))] if partial else warnings


def _left_out(places: list[str], name: str) -> Finding:
    count = len(places)
    shown = ", ".join(places[:_SHOWN]) + (f" and {count - _SHOWN} more" if count > _SHOWN else "")
    one, several = f"1 {name} repeats a job", f"{count} {name}s repeat jobs"
    said = f"{one} with the same figures and is" if count == 1 else f"{several} with the same figures and are"
    return Finding(_TOLD_TWICE, f"{said} left out: {shown}")


def _points(results: Iterable[Result]) -> dict[str, dict[str, Result]]:
    found: dict[str, dict[str, Result]] = {}
    for result in results:
        found.setdefault(result.repetition, {})[result.operation] = result
    return found


def _find_repeated_points(results: Iterable[Result], known: Iterable[Result]) -> dict[str, str]:
    """Return the points that repeat a known one, with its pointer."""
    jobs: dict[Hashable, list[Operations]] = {}
    for operations in _points(known).values():
        jobs.setdefault(_job(operations), []).append(operations)
    found = {}
    for point, operations in _points(results).items():
        same = next((other for other in jobs.get(_job(operations), ()) if _is_same(operations, other)), None)
        if same is not None:
            found[point] = next(iter(same.values())).pointer
    return found


def _job(operations: Operations) -> Hashable:
    first = next(iter(operations.values()))
    return (first.test_name or "").strip(), first.group_index


def _is_same(operations: Operations, other: Operations) -> bool:
    """Say whether all of one job stands in another: an operation that both have agrees, and none differs."""
    shared = [_agree(result, other[operation]) for operation, result in operations.items() if operation in other]
    lacking = operations.keys() - other.keys()
    return True in shared and False not in shared and lacking <= _list_missing_operations(other)


def _list_missing_operations(operations: Operations) -> frozenset[str]:
    """Return the operations that the format of these results leaves out."""
    # Terse lines have no synchronisations, and before version 4 no trims. Under ``unified_rw_reporting=mixed`` a JSON
    # report has nothing but the sum, and human output has synchronisations beside it.
    form = next(iter(operations.values())).source_format
    if form.startswith("terse"):
        return _SYNC if form.endswith(("v4", "v5")) else _SYNC_AND_TRIM
    return _SYNC if "mixed" in operations and form.startswith("json") else _NONE


def _agree(one: Result, other: Result) -> bool | None:
    """Say whether two results may be one, printed twice; null where they share too little to say either."""
    counts = [_near(one.operation_count, other.operation_count, 0), *_latencies(one, other)]
    lasted = _near(one.duration_seconds, other.duration_seconds, _MILLISECOND)
    is_counted = True in counts
    sizes = _sizes(one, other, _LOST if is_counted else _DIGITS)
    if False in (lasted, *counts, *sizes):
        return False
    return True if is_counted or (lasted is True and True in sizes) else None


def _sizes(one: Result, other: Result, share: float) -> list[bool | None]:
    """Compare bytes, which are exact to a KiB but in human output, and rates."""
    is_rounded = "normal" in {one.source_format, other.source_format}
    names = ("throughput_bytes_per_second", "operations_per_second")
    rates = ((getattr(one, name), getattr(other, name)) for name in names)
    moved = _near(one.transferred_bytes, other.transferred_bytes, KIBI, share if is_rounded else _EXACT)
    return [moved, *(_near(*pair, slack, share) for pair, slack in zip(rates, (KIBI, 1), strict=True))]


def _latencies(one: Result, other: Result) -> list[bool | None]:
    """Compare the main latency, in steps of the coarser of both formats."""
    if one.latency_kind != other.latency_kind:
        return [False if one.latency_mean_seconds and other.latency_mean_seconds else None]
    step = max(one.latency_resolution_seconds or 0, other.latency_resolution_seconds or 0)
    return [
        _near(one.latency_mean_seconds, other.latency_mean_seconds, _OF_STEP * step),
        _near(one.latency_stddev_seconds, other.latency_stddev_seconds, _OF_STEP * step),
        _near(one.latency_min_seconds, other.latency_min_seconds, step, _SCALED),
        _near(one.latency_max_seconds, other.latency_max_seconds, step, _SCALED),
    ]


def _near(one: float | None, other: float | None, slack: float, share: float = _EXACT) -> bool | None:
    """Say whether two figures agree; null when one of them is not there."""
    if one is None or other is None:
        return None
    return abs(one - other) <= slack + share * max(abs(one), abs(other))
