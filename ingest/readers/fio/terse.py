"""
fio: the semicolon-separated lines of ``--minimal`` and ``--output-format=terse``.

Claims  lines with 29 percent fields in a row (depths and latency histogram), which every version prints.
Emits   one result per line and operation that completed any I/O.
Units   KiB, KiB/s, microseconds, milliseconds of run time; IOPS are cut to whole numbers.
Source  fio's ``stat.c``, ``show_thread_status_terse_all()`` and ``show_ddir_status_terse()``.
"""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, Any

from ingest.readers.fio import point_checks, text_checks
from ingest.readers.fio.banners import Run, options_of
from ingest.readers.fio.jobfile import parse_job
from ingest.readers.fio.latency import Stats, columns
from ingest.readers.fio.lines import holding, numbered
from ingest.readers.fio.options import workload
from ingest.readers.fio.sizes import LARGEST, number, whole
from ingest.readers.fio.status import PARTIAL, superseded
from ingest.readers.fio.terse_line import LATEST, SLOTS, TAIL, Line, error_count, parse
from ingest.record import Finding, Reading, Refusal, Result

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from ingest.readers.fio.banners import Sections
    from ingest.readers.fio.options import Options
    from ingest.readers.fio.terse_line import Shape

ALL_CLIENTS = "All clients"
_PERCENT, _KIB, _MICRO, _MILLI = 100, 1024, 1e6, 1000
_BIN_ERROR = 1 + 1 / 32
"""A percentile is the middle of a bin that is at most 1/64 of its value wide; twice that for cut microseconds."""


def find(text: str) -> bool:
    """Say whether the text holds a terse line."""
    return any(TAIL.search(line) for line in holding(text, "%;"))


def read(text: str, sections: Sections | None = None) -> Reading:
    """
    Read every terse line of a text; banners and job sections in it, or given, tell the options.

    Lines that look like terse but cannot be counted out are refused one by one; the others are read.
    """
    reading = Reading(tool="fio", results=[], warnings=[], refusals=[])
    run, found = Run(), []
    known = parse_job(text) | (sections or {})
    for place, text_line in numbered(text):
        run = run.after(text_line)
        if TAIL.search(text_line):
            line = parse(place, text_line)
            if line:
                found.append((run, line))
            else:
                reading.refusals.append(_uncountable(place))
    reading.document_count = len(found)
    reading.source_format = f"terse v{max((line.version for _, line in found), default='')}".removesuffix(" v")
    reading.tool_version = next((line.tool_version for _, line in found if line.tool_version), run.version)
    partial = superseded(((run.index, line.name, line.group), line.place, _counters(line)) for run, line in found)
    finals = [(run, line) for run, line in found if line.name != ALL_CLIENTS and line.place not in partial]
    report_counts = Counter((run.index, line.group) for run, line in finals)
    for run, line in found:
        jobs = run.jobs_of(line.group, report_counts[run.index, line.group]) if line.name != ALL_CLIENTS else None
        its_sections = {} if line.name == ALL_CLIENTS else known
        options = options_of(line.name, line.group, jobs, run.banners, its_sections)
        results = _results(line, run, jobs, options)
        reading.results += results
        reading.warnings += _findings(line, results, options) if line.place not in partial else []
    for result in reading.results:
        result.is_partial = result.point in partial
        result.sampling_semantics = text_checks.sampling(result)
    if partial:
        reading.warnings.append(Finding("R-FIO-PARTIAL-1", PARTIAL.format(len(partial))))
    return reading


def _results(line: Line, run: Run, jobs: int | None, options: Options) -> list[Result]:
    is_all = line.name == ALL_CLIENTS
    user, system = (number(field.rstrip("%")) for field in line.tail[:2])
    common: dict[str, Any] = {
        "point": line.place,
        "tool_version": line.tool_version or run.version,
        "source_format": f"terse v{line.version}" if line.version else "terse",
        "scope": "all" if is_all else run.scope(jobs),
        "outcome": "error" if line.error else run.outcome,
        "test_name": line.name,
        "group_index": line.group,
        "error_code": line.error or None,
        "error_count": error_count(line),
        "cpu_user_ratio": None if user is None else user / _PERCENT,
        "cpu_system_ratio": None if system is None else system / _PERCENT,
        "latency_resolution_seconds": 1 / _MICRO,
    }
    results = []
    for operation, fields in line.directions.items():
        if measured := _measures(fields, line.shape):
            is_sum = is_all or (operation == "mixed" and len(line.directions) > 1)
            merged = common | workload(options, operation, jobs) | measured
            pointer = f"{line.place}, {operation}"
            results.append(Result(pointer=pointer, operation=operation, is_aggregate=is_sum, **merged))
    return results


def _measures(fields: Sequence[str], shape: Shape) -> dict[str, Any]:
    """Return what one direction measured; nothing when it moved nothing."""
    kib, rate, runtime = whole(fields[0]), whole(fields[1]), whole(fields[shape.runtime])
    iops = whole(fields[shape.iops]) if shape.iops is not None else None
    places = {"slat": shape.slat, "clat": shape.slat + 4, "lat": shape.lat}
    stats = {name: _stats(fields, at) for name, at in places.items() if at is not None}
    if not (kib or iops or rate or any(value.is_measured for value in stats.values())):
        return {}
    percentiles = _percentiles(fields, shape)
    is_decimal = shape.iops is None  # bytes per millisecond, until terse stated IOPS
    return {
        "duration_seconds": runtime / _MILLI if runtime else None,
        "transferred_bytes": kib * _KIB if kib and kib * _KIB <= LARGEST else None,
        "throughput_bytes_per_second": kib * _KIB * _MILLI / runtime if kib and runtime else None,
        "operations_per_second": float(iops) if iops else None,
        "printed_value": float(rate) if rate is not None else None,
        "printed_unit": "kB/s" if is_decimal else "KiB/s",
        "unit_basis": "base10" if is_decimal else "base2",
        "percentiles": {_kind(percentiles, stats): percentiles} if percentiles else {},
        **columns(stats),
        **_samples(fields, shape),
    }


def _stats(fields: Sequence[str], at: int) -> Stats:
    """Return the four fields of a latency; a maximum that was cut below the mean is unknown (microseconds are cut)."""
    values = (number(field) for field in fields[at : at + 4])
    low, high, mean, deviation = (None if value is None else value / _MICRO for value in values)
    is_cut = high is not None and mean is not None and high < mean < high + 1 / _MICRO
    return Stats(low, None if is_cut else high, mean, deviation)


def _percentiles(fields: Sequence[str], shape: Shape) -> dict[float, float]:
    """Return the percentiles; unused slots say ``0%=0``, and all zero means that none were kept."""
    if shape.percentiles is None:
        return {}
    pairs = [field.split("%=") for field in fields[shape.percentiles : shape.percentiles + SLOTS]]
    found = {round(float(ratio) / _PERCENT, 12): int(value) / _MICRO for ratio, value in pairs if float(ratio) > 0}
    return found if any(found.values()) else {}


def _kind(percentiles: dict[float, float], stats: dict[str, Stats]) -> str:
    """Return what the percentiles span: total latency where they exceed every completion (``lat_percentiles``)."""
    longest = stats["clat"].high
    return "total" if longest and "lat" in stats and max(percentiles.values()) > longest * _BIN_ERROR else "completion"


def _samples(fields: Sequence[str], shape: Shape) -> dict[str, Any]:
    """Return what the interval samples say: KiB/s, and from version 5 also IOPS and counts; zeros are no samples."""
    names, at = ("min", "max", "mean", "stddev"), shape.samples
    found: dict[str, Any] = {}
    low, high, mean, deviation = (number(fields[at + step]) for step in (0, 1, 3, 4))
    if high:
        for name, value in zip(names, (low, high, mean, deviation), strict=True):
            found[f"throughput_sample_{name}_bytes_per_second"] = None if value is None else value * _KIB
    if shape is LATEST and whole(fields[at + 5]):
        found["sample_count"] = whole(fields[at + 5])
        for name, field in zip(names, fields[at + 6 : at + 10], strict=True):
            found[f"operations_sample_{name}_per_second"] = number(field)
    return found


def _counters(line: Line) -> list[tuple[float, ...]]:
    """Return the numbers of a line that only grow while a job runs, the run time first."""
    shape = line.shape
    places = (shape.runtime, 0, shape.slat + 1, shape.slat + 5)
    rows = [tuple(number(fields[at]) or 0.0 for at in places) for fields in line.directions.values()]
    return [*rows, (number(line.tail[2]) or 0.0,)]


def _findings(line: Line, results: list[Result], options: Options) -> Iterator[Finding]:
    if not results:
        failed = f" (error {line.error})" if line.error else ""
        yield Finding("R-FIO-EMPTY-1", f"the job {line.name!r} completed no I/O{failed}", line.place)
    elif line.error:
        yield Finding("R-FIO-ERROR-1", f"the job {line.name!r} ended with error {line.error}", line.place)
    for result in results:
        yield from text_checks.of_result(result)
    if results and not options.values and line.name != ALL_CLIENTS:
        message = f"neither a banner nor a job file tells the options of {line.name!r}"
        yield Finding("R-FIO-BANNER-1", message, line.place)
    yield from point_checks.of_point(results, options.values, None)


def _uncountable(place: str) -> Refusal:
    return Refusal(
        place,
        "the fields of this terse line do not stand where fio puts them",
        "Submit the line as fio wrote it; terse versions 2 to 5 and the form of 1.38 to 1.59 are read.",
        "R-FIO-TERSE-1",
    )
