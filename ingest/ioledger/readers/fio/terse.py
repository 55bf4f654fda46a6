"""
fio: the semicolon-separated lines of ``--minimal`` and ``--output-format=terse``.

Claims  lines with 29 percent fields in a row (depths and latency histogram), which every version prints.
Emits   one result per line and operation that completed any I/O.
Units   KiB, KiB/s, microseconds, milliseconds of run time; IOPS are cut to whole numbers, and bytes are finer.
Source  fio's ``stat.c``, ``show_thread_status_terse_all()`` and ``show_ddir_status_terse()``.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from typing import TYPE_CHECKING, Any

from ioledger.readers.base import Finding, Reading, Refusal, Result
from ioledger.readers.fio import jobfile, latency, point_checks, terse_measures, text_checks
from ioledger.readers.fio.jobfile import parse_job
from ioledger.readers.fio.options import workload
from ioledger.readers.fio.runs import Run, mark, options_of, superseded
from ioledger.readers.fio.terse_line import TAIL, Line, error_count, is_torn, parse
from ioledger.readers.fio.text import holding, numbered
from ioledger.readers.units import number

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from ioledger.readers.fio.options import Options
    from ioledger.readers.fio.jobfile import Sections

ALL_CLIENTS = "All clients"
_PERCENT = 100
_RESOLUTION = 1e-6
"""Latencies are cut to whole microseconds in every version."""


def find(text: str) -> bool:
    """Say whether the text holds a terse line."""
    return any(TAIL.search(line) for line in holding(text, "%;"))


def has_torn(text: str) -> bool:
    """Say whether the text holds a line that is cut off, so that it is no terse line any more."""
    return any(is_torn(line) for line in holding(text, ";"))


def read(text: str, sections: Sections | None = None, known: Iterable[Result] = ()) -> Reading:
    """
    Read every terse line of a text; banners and job sections in it, or given, tell the options.

    ``known`` are the results of a format that prints more: a job that did nothing but what a line has no fields for
    was not idle.
    Lines that look like terse but are cut off, or cannot be counted out, are refused one by one; the others are read.
    """
    reading = Reading(tool="fio", results=[], warnings=[], refusals=[])
    found = _lines(text, reading)
    told = {**parse_job(text), **(sections or {})}
    done = _operations(known)
    partial = _unfinished(found, told)
    groups, names = _counts((run, line) for run, line in found if line.place not in partial)
    for run, line in found:
        is_all = line.name == ALL_CLIENTS
        is_told = is_all or run.banners or run.merged or run.is_client
        jobs = None if is_all else run.jobs_of(line.name, line.group, groups[run.index, line.group], names[run.index])
        jobs = jobs if is_told else jobfile.processes(told, line.name, names[run.index])
        options = options_of(line.name, line.group, jobs, run.banners, {} if is_all else told)
        results = _results(line, run, jobs, options)
        reading.results += results
        point_checks.seek(results, point_checks.sought(None, None, options.values))
        reading.warnings += latency.withheld_of_point(results, options.values, is_ramp_known=options.is_complete)
        reading.warnings += _findings(line, results, options, done) if line.place not in partial else []
    mark(reading, partial)
    return reading


def _operations(known: Iterable[Result]) -> Mapping[tuple[str, int | None], set[str]]:
    """Return what is known to have been done, by name and group of the job."""
    done: defaultdict[tuple[str, int | None], set[str]] = defaultdict(set)
    for result in known:
        done[(result.test_name or "").strip(), result.group_index].add(result.operation)
    return done


def _unfinished(found: list[tuple[Run, Line]], told: Sections) -> set[str]:
    """Return the places of lines that later ones continue; as many lines as processes are the last of each process."""
    lines = Counter(run.index for run, line in found if line.name != ALL_CLIENTS)
    return superseded(
        (
            ((run.index, line.name, line.group), line.place, _counters(line))
            for run, line in found
            if lines[run.index] != run.process_count or _is_grouped(run, line, told)
        ),
        is_process_known=False,
    )


def _is_grouped(run: Run, line: Line, told: Sections) -> bool:
    """Say whether a line is known to cover a group, which has one line for all of its processes, or one process."""
    merged = max(run.merged.get((line.name, line.group), set()), default=1)
    return run.process_count == 1 or merged > 1 or told.get(line.name, {}).get("group_reporting", "0") != "0"


def _counts(
    found: Iterable[tuple[Run, Line]],
) -> tuple[Counter[tuple[int, int | None]], Mapping[int, Counter[str]]]:
    """Count the lines of every group and, by run, of every name."""
    groups: Counter[tuple[int, int | None]] = Counter()
    names: defaultdict[int, Counter[str]] = defaultdict(Counter)
    for run, line in found:
        if line.name != ALL_CLIENTS:
            groups[run.index, line.group] += 1
            names[run.index][line.name] += 1
    return groups, names


def _lines(text: str, reading: Reading) -> list[tuple[Run, Line]]:
    """Return every terse line with the run it belongs to; the reading learns versions and what cannot be read."""
    run, found = Run(), []
    for place, text_line in numbered(text):
        run = run.after(text_line)
        if TAIL.search(text_line):
            line = parse(place, text_line)
            if line:
                found.append((run, line))
                run.is_client |= line.name == ALL_CLIENTS
            else:
                reading.refusals.append(_uncountable(place))
        elif is_torn(text_line):
            reading.refusals.append(_torn(place))
    reading.document_count = len(found)
    reading.source_format = f"terse v{max((line.version for _, line in found), default='')}".removesuffix(" v")
    reading.tool_version = next((line.tool_version for _, line in found if line.tool_version), run.version)
    return found


def _results(line: Line, run: Run, jobs: int | None, options: Options) -> list[Result]:
    is_all = line.name == ALL_CLIENTS
    user, system = (number(field.rstrip("%")) for field in line.tail[:2])
    common: dict[str, Any] = {
        "repetition": line.place,
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
        "latency_resolution_seconds": _RESOLUTION,
    }
    results = []
    is_total_kept = options.values.get("lat_percentiles", "0") not in {"0", "false"}
    for operation, fields in line.directions.items():
        if measured := terse_measures.columns(fields, line.shape, is_total_kept=is_total_kept):
            is_sum = is_all or (operation == "mixed" and len(line.directions) > 1)
            merged = common | workload(options, operation, jobs) | measured
            pointer = f"{line.place}, {operation}"
            result = Result(pointer=pointer, operation=operation, is_aggregate=is_sum, **merged)
            terse_measures.take_rates(result)
            results.append(result)
    return results


def _counters(line: Line) -> list[tuple[float, ...]]:
    """Return the numbers of a line that only grow while a job runs, the run time first."""
    shape = line.shape
    places = (shape.runtime, 0, shape.slat + 1, shape.slat + 5)
    rows = [tuple(number(fields[at]) or 0.0 for at in places) for fields in line.directions.values()]
    return [(max(row[0] for row in rows),), *rows, (number(line.tail[2]) or 0.0,)]


def _findings(
    line: Line, results: list[Result], options: Options, done: Mapping[tuple[str, int | None], set[str]]
) -> Iterator[Finding]:
    others = done.get((line.name.strip(), line.group), set())
    is_idle = not results and (line.error or not others or not others.isdisjoint(line.directions))
    if is_idle:
        failed = f" (error {line.error})" if line.error else ""
        yield Finding("R-FIO-EMPTY-1", f"the job {line.name!r} completed no I/O{failed}", line.place)
    elif results and line.error:
        yield Finding("R-FIO-ERROR-1", f"the job {line.name!r} ended with error {line.error}", line.place)
    for result in results:
        yield from text_checks.settled(result)
    if results and not options.values and line.name != ALL_CLIENTS:
        message = f"neither a banner nor a job file tells the options of {line.name!r}"
        yield Finding("R-FIO-BANNER-1", message, line.place)
    yield from jobfile.findings(options, line.place)
    sought = point_checks.sought(None, None, options.values)
    yield from point_checks.of_point(results, options.values, sought, is_complete=options.is_complete)


def _torn(place: str) -> Refusal:
    what = "this terse line is cut off before its latency histogram ends"
    return Refusal(place, what, "Submit the line whole and as fio wrote it, or without it.", "R-FIO-CUT-1")


def _uncountable(place: str) -> Refusal:
    return Refusal(
        place,
        "the fields of this terse line do not stand where fio puts them",
        "Submit the line as fio wrote it; terse versions 2 to 5 and the form of 1.38 to 1.59 are read.",
        "R-FIO-TERSE-1",
    )
