"""
fio: the semicolon-separated lines of ``--minimal`` and ``--output-format=terse``.

Claims  lines with 29 percent fields in a row (depths and latency histogram), which every version prints.
Emits   one result per line and operation that completed any I/O.
Units   KiB, KiB/s, microseconds, milliseconds of run time; IOPS are cut to whole numbers, and bytes are finer.
Source  fio's ``stat.c``, ``show_thread_status_terse_all()`` and ``show_ddir_status_terse()``.

A job name may hold semicolons, so fields are counted from the runs of 20 percentile fields, not from the left. Lines
older than percentiles (up to 1.59) are counted from the histogram at the right, which every version prints.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from itertools import groupby, pairwise
from typing import TYPE_CHECKING, NamedTuple

import msgspec

from ioledger.model import Premises, Reading, Refusal, Result
from ioledger.readers import KIBI, LARGEST, MICRO, MICROSECOND, MILLI, number, ratio, whole
from ioledger.readers.fio import disk_util, runs
from ioledger.readers.fio.decoding import holding, number_lines
from ioledger.readers.fio.json_decode import Latency
from ioledger.readers.fio.json_result import is_measured, put_latencies, put_samples, take_rate
from ioledger.readers.fio.options import NO_SECTION, OFF, parse_job, processes, state_premises, workload
from ioledger.readers.fio.runs import ALL_CLIENTS, Run, TextReport

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence

    from ioledger.readers.fio.options import Options, Sections

_TAIL = re.compile(r";\d{1,12}\.\d{1,9}%(?:;\d{1,12}\.\d{1,9}%){28}")
_PERCENTILE = re.compile(r"(\d{1,3}(?:\.\d{1,20})?)%=(\d{1,18})")
_RATIO = re.compile(r"\d{1,12}\.\d{1,9}%")
_BEGUN = re.compile(r"[345];(?:fio-\d|\d\.\d{1,2}(?:\.\d{1,2})?;(?:[^;]*;){3})")
_MEAN = re.compile(r";\d{1,15}\.\d{6}(?=;)")
"""Mean and deviation of a latency, which no other field looks like."""
_TOOL_VERSION = re.compile(r"(?:fio-)?\d+\.[\w.-]{1,60}")
_SLOTS, _CPU, _HISTOGRAM = 20, 5, 29
_BEFORE_PERCENTILES = 12
_OLD_HEAD, _HEAD = 3, 4
_FEWEST_FIELDS = 2
_BIN_ERROR = 1 + 1 / 32
"""A percentile is the middle of a bin that is at most 1/64 of its value wide; twice that for cut microseconds."""


class Shape(NamedTuple):
    """Layout of a direction: its width, and the offset of each group of fields (null when absent)."""

    width: int
    iops: int | None
    runtime: int
    slat: int
    percentiles: int | None
    lat: int | None
    samples: int


_OLDEST, _OLD = Shape(16, None, 2, 3, None, None, 11), Shape(20, None, 2, 3, None, 11, 15)
_COMMON, _LATEST = Shape(41, 2, 3, 4, 12, 32, 36), Shape(47, 2, 3, 4, 12, 32, 36)


class Line(msgspec.Struct):
    """One terse line, taken apart."""

    place: str
    version: str
    tool_version: str | None
    name: str
    group: int
    error: int
    shape: Shape
    directions: dict[str, list[str]]
    cpu: tuple[float | None, float | None]
    """User and system time in percent."""
    counters: list[tuple[float, ...]]
    """The numbers that only grow while a job runs, the run time first."""
    disks: list[str]
    """The fields behind the histogram that are those of the disks of the run."""
    error_count: int | None
    """The count of ``continue_on_error``, which stands after the disks."""


class _Head(NamedTuple):
    """How a line begins: both versions, where its name and its first direction start, shape, how many directions."""

    version: str
    tool_version: str | None
    name: int
    start: int
    shape: Shape
    width: int


def find(text: str) -> bool:
    """Say whether the text contains a terse line."""
    return any(_TAIL.search(line) for line in holding(text, "%;"))


def has_torn(text: str) -> bool:
    """Say whether the text contains a truncated terse line."""
    return any(_is_torn(line) for line in holding(text, ";"))


def read(text: str, sections: Sections | None = None, known: Iterable[Result] = ()) -> Reading:
    """Read every terse line of a text, refusing only cut ones; ``known`` are results of a format that prints more."""
    reading = Reading(tool="fio", results=[], warnings=[], refusals=[])
    found = _lines(text, reading)
    sections = {**parse_job(text), **(sections or {})}
    done = _operations(known)
    partial = _find_unfinished(found, sections)
    groups, names = _counts((run, line) for run, line in found if line.place not in partial)
    reports = []
    for run, line in found:
        is_all = line.name == ALL_CLIENTS
        is_printed = is_all or run.banners or run.merged or run.is_client
        jobs = None if is_all else run.jobs_of(line.name, line.group, groups[run.index, line.group], names[run.index])
        jobs = jobs if is_printed else processes(sections, line.name, names[run.index])
        options = runs.options_of(line.name, line.group, jobs, run.banners, {} if is_all else sections)
        results = list(_results(line, run, jobs, options))
        reading.results += results
        reports.append(TextReport(run, line, options, results))
        is_known = options.is_complete
        state_premises(results, options, (None, None), Premises(is_ramp_known=is_known), is_report=is_known)
        if line.place not in partial:
            reading.warnings += runs.findings(line, results, options, is_idle=_is_idle(line, done))
    runs.finish(reading, reports, partial)
    if rows := list(_disks((line for _, line in found), reports, partial)):
        reading.rows[disk_util.TABLE] = rows
    return reading


def _disks(lines: Iterable[Line], reports: Iterable[TextReport], partial: Collection[str]) -> Iterator[disk_util.Row]:
    """Yield the counters of the disks of each run, which every line of it repeats; its last line is their place."""
    whole_ones = [pair for pair in zip(lines, reports, strict=True) if pair[0].place not in partial]
    for _, every in groupby(whole_ones, lambda pair: (pair[1].run.index, pair[0].disks)):
        jobs = [pair for pair in every if pair[0].name != ALL_CLIENTS]
        results = [result for _, report in jobs for result in report.results]
        if results:
            last = jobs[-1][0]
            yield from disk_util.of_fields(last.place, last.disks, disk_util.span_of(results, len(jobs)))


def _lines(text: str, reading: Reading) -> list[tuple[Run, Line]]:
    """Return every terse line with the run it belongs to; the reading learns versions and what cannot be read."""
    run, found = Run(), []
    for place, text_line in number_lines(text):
        run = run.after(text_line)
        if _TAIL.search(text_line):
            line = _parse(place, text_line)
            if line:
                found.append((run, line))
                run.is_client |= line.name == ALL_CLIENTS
            else:
                what = "the fields of this terse line are not in the order that fio writes"
                remedy = "Submit the line as fio wrote it; terse versions 2 to 5 and the form of 1.38 to 1.59 are read."
                reading.refusals.append(Refusal(place, what, remedy, "R-FIO-LINE-1"))
        elif _is_torn(text_line):
            what = "this terse line is cut off before its latency histogram ends"
            remedy = "Submit the line whole and as fio wrote it, or without it."
            reading.refusals.append(Refusal(place, what, remedy, "R-FIO-CUT-1"))
    reading.document_count = len(found)
    reading.source_format = f"terse v{max((line.version for _, line in found), default='')}".removesuffix(" v")
    reading.tool_version = next((line.tool_version for _, line in found if line.tool_version), run.version)
    return found


def _is_torn(text: str) -> bool:
    """Say whether a line begins as one of fio's, or has latencies as one has, but ends before its histogram does."""
    if text.count(";") < _FEWEST_FIELDS or _TAIL.search(text):
        return False
    return _BEGUN.match(text) is not None or len(_MEAN.findall(text)) >= len(("mean", "deviation"))


def _parse(place: str, text: str) -> Line | None:
    fields = text.strip().split(";")
    anchors = _anchors(fields)
    head = _head_of(fields, anchors) if anchors else _old_head_of(fields)
    if head is None:
        return None
    group, error = whole(fields[head.start - 2]), whole(fields[head.start - 1])
    tail = head.start + head.shape.width * head.width
    histogram = fields[tail + _CPU : tail + _CPU + _HISTOGRAM]
    # one direction is mixed; version 3 has no trim, so its third is mixed beside the others (unified_rw_reporting=both)
    every = ("read", "write", "mixed") if head.version == "3" else ("read", "write", "trim", "mixed")
    names = every[: head.width] if head.width > 1 else ("mixed",)
    if group is None or error is None or len(names) != head.width or not _is_histogram(histogram):
        return None
    width = head.shape.width
    directions = {name: fields[at : at + width] for name, at in zip(names, range(head.start, tail, width), strict=True)}
    # behind the histogram stand nine fields for each disk of the run, then two counts of errors
    behind = fields[tail + _CPU + _HISTOGRAM :]
    disks = behind[: disk_util.field_count(behind)]
    errors = [whole(field) for field in behind[len(disks) : len(disks) + 2]]
    grown = (head.shape.runtime, 0, head.shape.slat + 1, head.shape.slat + 5)
    rows = [tuple(number(row[at]) or 0.0 for at in grown) for row in directions.values()]
    return Line(
        place=place,
        version=head.version,
        tool_version=head.tool_version,
        name=";".join(fields[head.name : head.start - 2]),
        group=group,
        error=error,
        shape=head.shape,
        directions=directions,
        cpu=(number(fields[tail].rstrip("%")), number(fields[tail + 1].rstrip("%"))),
        counters=[(max(row[0] for row in rows),), *rows, (number(fields[tail + 2]) or 0.0,)],
        disks=disks,
        error_count=errors[0] if None not in errors[1:] and errors[1:] else None,
    )


def _anchors(fields: Sequence[str]) -> list[int]:
    """Return where each run of 20 percentile fields begins."""
    starts, length = [], 0
    for index, field in enumerate(fields):
        length = length + 1 if "%=" in field and _PERCENTILE.fullmatch(field) else 0
        if length == _SLOTS:
            starts.append(index - _SLOTS + 1)
            length = 0
    return starts


def _head_of(fields: Sequence[str], anchors: list[int]) -> _Head | None:
    """Count a line out from its percentile fields (1.99 and later)."""
    steps = {later - earlier for earlier, later in pairwise(anchors)}
    version = fields[0][-1:]
    shape = _LATEST if version == "5" else _COMMON
    start = anchors[0] - _BEFORE_PERCENTILES
    has_tool = version in {"3", "4", "5"} and _TOOL_VERSION.fullmatch(fields[1]) is not None
    if steps - {shape.width} or not (has_tool or version == "2") or start < _HEAD + has_tool:
        return None
    tool = f"fio-{fields[1].removeprefix('fio-')}" if has_tool else None
    return _Head(version, tool, 1 + has_tool, start, shape, len(anchors))


def _old_head_of(fields: Sequence[str]) -> _Head | None:
    """Count a line without percentiles out from its histogram (1.38 to 1.59)."""
    end = next((i for i in range(len(fields)) if _is_histogram(fields[i : i + _HISTOGRAM])), 0) - _CPU
    for shape in (_OLD, _OLDEST):
        start = end - 2 * shape.width
        shares = [fields[at + shape.samples + 2] for at in (start, start + shape.width)] if start >= _OLD_HEAD else []
        if shares and all(_RATIO.fullmatch(share) for share in shares):
            is_second = fields[0] == "2" and start > _OLD_HEAD
            return _Head("2" if is_second else "", None, int(is_second), start, shape, 2)
    return None


def _is_histogram(fields: Sequence[str]) -> bool:
    return len(fields) == _HISTOGRAM and all(_RATIO.fullmatch(field) for field in fields)


def _operations(known: Iterable[Result]) -> Mapping[tuple[str, int | None], set[str]]:
    done: defaultdict[tuple[str, int | None], set[str]] = defaultdict(set)
    for result in known:
        done[(result.test_name or "").strip(), result.group_index].add(result.operation)
    return done


def _find_unfinished(found: list[tuple[Run, Line]], sections: Sections) -> set[str]:
    """Return the places of lines that later ones continue, unless each is the last of one of as many processes."""
    lines = Counter(run.index for run, line in found if line.name != ALL_CLIENTS)
    return runs.find_superseded(
        (
            ((run.index, line.name, line.group), line.place, line.counters)
            for run, line in found
            if lines[run.index] != run.process_count
            or run.process_count == 1
            or max(run.merged.get((line.name, line.group), set()), default=1) > 1
            or sections.get(line.name, NO_SECTION).get("group_reporting", "0") != "0"
        ),
        is_process_known=False,
    )


def _counts(
    found: Iterable[tuple[Run, Line]],
) -> tuple[Counter[tuple[int, int | None]], Mapping[int, Counter[str]]]:
    groups: Counter[tuple[int, int | None]] = Counter()
    names: defaultdict[int, Counter[str]] = defaultdict(Counter)
    for run, line in found:
        if line.name != ALL_CLIENTS:
            groups[run.index, line.group] += 1
            names[run.index][line.name] += 1
    return groups, names


def _results(line: Line, run: Run, jobs: int | None, options: Options) -> Iterator[Result]:
    source_format = f"terse v{line.version}" if line.version else "terse"
    common = run.columns(line, jobs, source_format, line.tool_version or run.version)
    common |= {"error_count": line.error_count, "latency_resolution_seconds": MICROSECOND}
    is_of_total = options.values.get("lat_percentiles", "0") not in OFF
    for operation, fields in line.directions.items():
        result = Result(
            pointer=f"{line.place}, {operation}",
            operation=operation,
            is_aggregate=line.name == ALL_CLIENTS or (operation == "mixed" and len(line.directions) > 1),
            **common | workload(options, operation, jobs),
        )
        if _measure(result, fields, line.shape, is_of_total=is_of_total):
            yield result


def _measure(result: Result, fields: Sequence[str], shape: Shape, *, is_of_total: bool) -> bool:
    """Set what one direction measured; say whether it moved anything."""
    # ``is_of_total`` says that the options ask for percentiles of total latency, which are printed instead then.
    kib, rate, runtime = whole(fields[0]), whole(fields[1]), whole(fields[shape.runtime])
    iops = None if shape.iops is None else whole(fields[shape.iops])
    places = {"submission": shape.slat, "completion": shape.slat + 4, "total": shape.lat}
    stats = {kind: _stats(fields, at) for kind, at in places.items() if at is not None}
    if not (kib or iops or rate or any(map(is_measured, stats.values()))):
        return False
    is_decimal = shape.iops is None  # bytes per millisecond, until terse stated IOPS
    result.printed_unit, result.unit_basis = ("kB/s", "base10") if is_decimal else ("KiB/s", "base2")
    result.printed_value = None if rate is None else float(rate)
    result.duration_seconds = runtime / MILLI if runtime else None
    result.transferred_bytes = kib * KIBI if kib and kib * KIBI <= LARGEST else None
    result.throughput_bytes_per_second = kib * KIBI * MILLI / runtime if kib and runtime else None
    if iops:
        result.operations_per_second, result.operations_basis = float(iops), "printed"
        result.operations_resolution_per_second = 1.0
    put_latencies(result, stats)
    _take_percentiles(result, fields, shape, is_of_total=is_of_total)
    throughputs = [number(fields[shape.samples + step]) for step in (0, 1, 3, 4)]
    if throughputs[1]:  # zeros are no samples
        put_samples(result, "bw", [None if value is None else value * KIBI for value in throughputs])
    if shape is _LATEST and (count := whole(fields[shape.samples + 5])):
        put_samples(result, "iops", map(number, fields[shape.samples + 6 : shape.samples + 10]))
        result.sample_count = count
    _take_rates(result)
    return True


def _take_rates(result: Result) -> None:
    """Take both rates from what is finer than the printed KiB, KiB/s and IOPS, which are cut to whole numbers."""
    moved, lasted, iops = result.transferred_bytes, result.duration_seconds, result.operations_per_second
    if not moved or not lasted:
        return
    between = moved, moved + KIBI - 1
    count = take_rate(result, between, None if iops is None else (iops, iops + 1))
    if count is not None and result.block_size_bytes:
        whole = count * result.block_size_bytes
        if whole != moved:
            result.throughput_bytes_per_second, result.throughput_basis = whole / lasted, "operations"
        return
    result.throughput_resolution_bytes_per_second = KIBI / lasted
    if lasted < 1 and result.printed_value and result.printed_unit == "KiB/s":
        result.throughput_bytes_per_second, result.throughput_basis = result.printed_value * KIBI, "printed"
        result.throughput_resolution_bytes_per_second = float(KIBI)


def _stats(fields: Sequence[str], at: int) -> Latency:
    """Return the four fields of a latency; a maximum that was cut below the mean is unknown (microseconds are cut)."""
    values = (number(field) for field in fields[at : at + 4])
    low, high, mean, deviation = (None if value is None else value / MICRO for value in values)
    is_cut = high is not None and mean is not None and high < mean < high + 1 / MICRO
    return Latency(low, None if is_cut else high, mean, deviation)


def _take_percentiles(result: Result, fields: Sequence[str], shape: Shape, *, is_of_total: bool) -> None:
    """Set percentiles, of total latency where they exceed every completion; all zero means that none were kept."""
    pairs = [] if shape.percentiles is None else fields[shape.percentiles : shape.percentiles + _SLOTS]
    labels = (field.split("%=") for field in pairs)
    found = {ratio(label): int(value) / MICRO for label, value in labels if float(label) > 0}
    if any(found.values()):
        longest = result.completion_latency_max_seconds
        is_longer = longest and shape.lat is not None and max(found.values()) > longest * _BIN_ERROR
        result.percentiles = {"total" if is_longer or is_of_total else "completion": found}


def _is_idle(line: Line, done: Mapping[tuple[str, int | None], set[str]]) -> bool:
    """Say whether a line without results is of a job that did nothing else either."""
    others = done.get((line.name.strip(), line.group), set())
    return bool(line.error) or not others or not others.isdisjoint(line.directions)
