"""
A text that may hold several formats of fio: reports, terse lines, blocks of human output.

``--output-format=json,terse,normal`` writes one run in all of them, and a log of many runs may have each in another.
The reports are read first and cut out, then the terse lines, then the blocks. A job that one of them repeats is read
once, with a finding that says what was left out; every other one is emitted, or refused with its line.

A job is the same when its name, its group and its operations are, and every figure agrees within what was printed:
terse lines cut to whole KiB, microseconds and IOPS, human output keeps three or four digits. Run times are whole
milliseconds in all formats. Source: fio's ``stat.c``, ``show_thread_status_json()``, ``show_thread_status_terse_all()``
and ``show_thread_status_normal()``.
"""

from __future__ import annotations

from itertools import chain, pairwise
from typing import TYPE_CHECKING

from ioledger.model import Finding, LeftOut, Reading, Refusal
from ioledger.readers.fio import disk_util, human, jobfile, json_report, terse
from ioledger.readers.fio.decoding import MOST, is_too_long
from ioledger.readers.fio.runs import PARTIAL
from ioledger.readers.units import KIBI

if TYPE_CHECKING:
    from collections.abc import Hashable, Iterable, Mapping

    from ioledger.model import Result
    from ioledger.readers.fio.jobfile import Sections

    Operations = Mapping[str, Result]

VERSION_KEY = '"fio version"'
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


def read(text: str, sections: Sections, *, without: frozenset[str]) -> Reading:
    """Read every format of a text; each job once."""
    whole = Reading(tool="fio", results=[], warnings=[], refusals=[])
    spans: list[tuple[int, int]] = []
    if VERSION_KEY in text:
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
    if not fitting and not whole.document_count and jobfile.find(rest):
        _add(whole, jobfile.read(rest), "section")
    elif not whole.document_count and not whole.refusals:
        what, remedy = "no report of fio begins in this file", "Submit what fio wrote with --output-format=json."
        whole.refusals.append(Refusal("", what, remedy, "R-FIO-LINE-1"))
    return whole


def _add(whole: Reading, part: Reading, name: str) -> None:
    """Add results of a format that no better format has; ``name`` is that of one of its jobs."""
    same = _find_repeated_points(part.results, whole.results)
    points = set(same)
    told = {finding.message for finding in whole.warnings if finding.rule == _EMPTY}
    idle = [each.pointer for each in part.warnings if each.rule == _EMPTY and each.message in told]
    left_out = [*dict.fromkeys(result.repetition for result in part.results if result.repetition in points), *idle]
    whole.warnings += _warnings(part, points | set(idle))
    whole.results += [result for result in part.results if result.repetition not in points]
    whole.refusals += part.refusals
    if part.rows:
        stand, rows = whole.rows.get(disk_util.TABLE, []), part.rows.get(disk_util.TABLE, [])
        known = {tuple(row[name] for name in disk_util.SAME) for row in stand} if left_out else ()
        whole.rows = {
            disk_util.TABLE: stand + [row for row in rows if tuple(row[name] for name in disk_util.SAME) not in known]
        }
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
    if not left_out:
        return part.warnings
    places = left_out | {result.pointer for result in part.results if result.repetition in left_out}
    partial = {result.repetition for result in part.results if result.is_partial} - left_out
    kept = [each for each in part.warnings if each.pointer not in places and each.rule != _PARTIAL]
    return [*kept, Finding(_PARTIAL, PARTIAL.format(len(partial)))] if partial else kept


def _left_out(places: list[str], name: str) -> Finding:
    count = len(places)
    shown = ", ".join(places[:_SHOWN]) + (f" and {count - _SHOWN} more" if count > _SHOWN else "")
    one, several = f"1 {name} repeats a job", f"{count} {name}s repeat jobs"
    said = f"{one} with the same figures and is" if count == 1 else f"{several} with the same figures and are"
    return Finding(_TOLD_TWICE, f"{said} left out: {shown}")


def _points(results: Iterable[Result]) -> dict[str, dict[str, Result]]:
    """Return the operations of every point, in order."""
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
    """
    Return the operations that the format of these results leaves out.

    Terse lines have no synchronisations, and before version 4 no trims. Under ``unified_rw_reporting=mixed`` a JSON
    report has nothing but the sum, and human output has synchronisations beside it.
    """
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
