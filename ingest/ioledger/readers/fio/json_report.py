"""
fio: the report written by ``--output-format=json`` or ``json+``.

Claims  any text with an object that begins with ``"fio version"``.
Emits   one result per job (or group, or client) and operation that completed any I/O.
Units   ``io_bytes`` bytes (KiB up to 2.20), ``bw`` KiB/s, ``bw_bytes`` bytes per second, ``*_ns`` nanoseconds, other
        latencies microseconds, ``runtime`` milliseconds.
Source  fio's ``stat.c``, ``show_thread_status_json()``, ``__show_run_stats()``; ``client.c`` for ``client_stats``.

``timestamp`` is when the report was written: the end of the run in local mode, but its start in client mode. It says
nothing about jobs that a later group followed. ``job_start`` (3.36 and later) is the start in milliseconds.

Reports of one run that follow each other in a file (``--status-interval``) are cumulative: a later one continues the
counters of an earlier one, and was written before a new run of its length could have ended. The last is the result, the
others are partial. Reports of separate runs in one file are all results; a report that stands twice, letter by letter,
counts once. Source: fio's HOWTO, ``--status-interval``; ``stat.c``, ``__show_running_run_stats()``.
"""

from __future__ import annotations

from collections import Counter
from itertools import pairwise
from typing import TYPE_CHECKING, NamedTuple

import msgspec

from ioledger.model import BINS, NOTHING, Finding, LeftOut, Reading
from ioledger.readers.fio import (
    concurrent_jobs,
    derived_rates,
    disk_util,
    jobfile,
    json_decode,
    json_options,
    json_result,
    runs,
)
from ioledger.readers.fio.decoding import is_too_long, number_lines, printed_time
from ioledger.readers.fio.json_decode import OPERATIONS, Report, Reports
from ioledger.readers.fio.json_options import NO_SECTIONS
from ioledger.readers.fio.options import premises, seek
from ioledger.readers.fio.runs import ALL_CLIENTS, PARTIAL

if TYPE_CHECKING:
    from collections.abc import Hashable, Iterable, Iterator, Mapping, Sequence

    from ioledger.model import Premises, Result
    from ioledger.readers.fio.json_decode import Direction, Document, Job
    from ioledger.readers.fio.json_options import Load, Sections

_SIGNAL = "fio: terminating on signal"
_PERCENT, _MILLI, _MICRO = 100, 1000, 1_000_000
_LATEST = 4_102_444_800
"""2100 in seconds since 1970: later times are not times."""


class Context(NamedTuple):
    """The report a job stands in: what its jobs share, and whether histograms are wanted."""

    document: Document
    written_at: int | None
    """When the report was written, in microseconds since 1970 UTC."""
    printed_at: str | None
    """What a clock without a zone showed then, where the instant is not told."""
    last_group: int | None
    """The highest group number."""
    members: Mapping[int | None, int]
    """How many objects stand for each group."""
    outcome: str
    is_partial: bool
    without: frozenset[str]
    sections: Sections
    """Those of the job file that the manifest names."""


def read_document(
    document: Document, data: bytes, *, without: frozenset[str] = NOTHING, sections: Sections = NO_SECTIONS
) -> Reading:
    """Read the report that a whole file is; ``sections`` are those of its job file."""
    return read(Reports([Report(document, data, 0, len(data), [])], []), without=without, sections=sections)


def find(text: str) -> tuple[Reports, list[tuple[int, int]]]:
    """
    Return every report of a text, whatever stands around them or before each of their lines, and where each stands.

    The places are none when the text has something before each line: then no character of it is one of a report alone.
    """
    found = json_decode.split(text)
    if not found.reports and not is_too_long(text):
        unwrapped = json_decode.split("\n".join(line for _, line in number_lines(text)))
        if unwrapped.reports:
            return unwrapped, []
    return found, [(report.start, report.end) for report in found.reports]


def read(found: Reports, *, without: frozenset[str] = NOTHING, sections: Sections = NO_SECTIONS) -> Reading:
    """Read the reports that were found."""
    reports = found.reports
    reading = Reading(
        tool="fio", source_format="json", document_count=len(reports), results=[], refusals=found.refusals
    )
    once = list(enumerate(reports))
    twice: set[int] = set()
    partial: set[int] = set()
    if len(reports) > 1:
        first: dict[bytes, int] = {}
        twice = {index for index, report in once if first.setdefault(report.text, index) != index}
        once = [(index, report) for index, report in once if index not in twice]
        partial = {one for (one, before), (_, after) in pairwise(once) if _continues(before.document, after.document)}
    for index, report in once:
        if report.findings or report.notes:
            reading.warnings += [msgspec.structs.replace(found, pointer=f"{index}#") for found in report.findings]
            reading.warnings += _notes(report, f"{index}#")
        reading.tool_version = reading.tool_version or report.document.version
        before = len(reading.results)
        _read_report(index, _context(report, sections, is_partial=index in partial, without=without), reading)
        if report.document.disk_util:
            disk_place, is_left_out = f"{index}#/disk_util", index in partial or disk_util.TABLE in without
            _read_disks(report.document, disk_place, reading, before, is_left_out=is_left_out)
    if any(result.source_format == "json+" for result in reading.results):
        reading.source_format = "json+"
    if twice:
        message = f"{len(twice)} reports are in the file more than once, byte-identical; each is read once"
        reading.warnings.append(Finding("R-FIO-LINE-2", message))
        reading.left_out = list(_twins(reports, twice, reading.results))
    if partial:
        reading.warnings.append(Finding("R-FIO-PARTIAL-1", PARTIAL.format(len(partial))))
    return reading


def _twins(reports: Sequence[Report], twice: Iterable[int], results: Iterable[Result]) -> Iterator[LeftOut]:
    """Give the reports that stand in the file again, each with a result of the first."""
    first: dict[bytes, Result] = {}
    for result in results:
        first.setdefault(reports[int(result.pointer.partition("#")[0])].text, result)
    for index in sorted(twice):
        same = first.get(reports[index].text)
        if same is not None:
            yield LeftOut(f"{index}#", same.source_format, same.pointer, "R-FIO-LINE-2")


def _notes(report: Report, place: str) -> list[Finding]:
    """Return a finding when fio wrote of trouble before a report; the notes name files, so they are only counted."""
    trouble = sum(not note.startswith(_SIGNAL) for note in report.notes)
    message = f"fio noted trouble {trouble} times before this report (lines that begin with fio:)"
    return [Finding("R-FIO-NOTE-1", message, place)] if trouble else []


def _continues(earlier: Document, later: Document) -> bool:
    """Say whether a report of the same run continues an earlier one."""
    before, after = _counters(earlier), _counters(later)
    if before.keys() != after.keys() or not before or not _same_time(earlier, later):
        return False
    return all(
        start in {0, after[key][0]} and all(a <= b for a, b in zip(counts, after[key][1], strict=True))
        for key, (start, counts) in before.items()
    )


def _same_time(earlier: Document, later: Document) -> bool:
    """Say whether a second run of the later report's length could not have taken place after the earlier report."""
    if earlier.timestamp is None or later.timestamp is None:
        return True
    step = later.timestamp * _MILLI - earlier.timestamp * _MILLI - _MILLI
    if earlier.timestamp_ms is not None and later.timestamp_ms is not None:
        step = later.timestamp_ms - earlier.timestamp_ms
    longest = max((json_options.run_time(job) for job in later.jobs + later.client_stats), default=0)
    return -_MILLI <= step < max(longest, 1)


def _counters(document: Document) -> dict[Hashable, tuple[int, tuple[float, ...]]]:
    """Return each job's start and the counters that only grow, by a key that is stable between reports."""
    found: dict[Hashable, tuple[int, tuple[float, ...]]] = {}
    seen: Counter[Hashable] = Counter()
    for job in document.jobs + document.client_stats:
        name = _name(job)
        seen[name] += 1
        counts = tuple(
            float(value or 0)
            for part in (getattr(job, operation) for operation in OPERATIONS)
            for value in ((part.runtime, part.io_bytes, part.total_ios) if part else (0, 0, 0))
        )
        found[name, seen[name]] = (job.job_start or 0, counts)
    return found


def _name(job: Job) -> Hashable:
    return job.jobname, job.groupid, job.hostname, job.port


def _context(report: Report, sections: Sections, *, is_partial: bool, without: frozenset[str]) -> Context:
    document = report.document
    groups: dict[int | None, int] = {}
    for job in document.jobs:
        groups[job.groupid] = groups.get(job.groupid, 0) + 1
    last_group = max((group for group in groups if group is not None), default=None)
    is_stopped = report.notes and any(note.startswith(_SIGNAL) for note in report.notes)
    outcome = "interrupted" if is_stopped else "ok"
    written = _report_time(document)
    printed = printed_time(document.time.strip()) if document.time and written is None else None
    shown = printed.isoformat() if printed else None
    return Context(document, written, shown, last_group, groups, outcome, is_partial, without, sections)


def _read_report(index: int, context: Context, reading: Reading) -> None:
    document = context.document
    reading.warnings += _clock(document, f"{index}#")
    for list_name, jobs in (("jobs", document.jobs), ("client_stats", document.client_stats)):
        if not jobs:
            continue
        twins = Counter(map(_name, jobs)) if len(jobs) > 1 else {}
        loads = [
            _read_job(context, job, f"{index}#/{list_name}/{place}", twins.get(_name(job), 1), reading)
            for place, job in enumerate(jobs)
        ]
        if len(context.members) < len(jobs) and not document.client_stats and not context.is_partial:
            _join(index, document.jobs, loads, reading)


def _read_disks(document: Document, place: str, reading: Reading, before: int, *, is_left_out: bool) -> None:
    """Add what the kernel counted on the disks, and where fio counted more; its results begin at ``before``."""
    results, found = reading.results[before:], disk_util.decode_devices(document.disk_util)
    if found is None:
        text = "the disk counters do not have the form that fio writes, and are excluded"
        reading.warnings.append(Finding("R-FIO-DISK-1", text, place))
        return
    reading.warnings += disk_util.findings(document, found, results, place)
    if results and not is_left_out:
        jobs = [job for job in document.jobs + document.client_stats if job.jobname != ALL_CLIENTS]
        rows = disk_util.rows(found, place, disk_util.span_of(results, len(jobs)))
        reading.rows.setdefault(disk_util.TABLE, []).extend(rows)


def _join(index: int, jobs: list[Job], loads: list[Load], reading: Reading) -> None:
    """Mark the jobs of each group that ran at the same time and are reported apart."""
    groups: dict[int, list[concurrent_jobs.Member]] = {}
    for place, (job, load) in enumerate(zip(jobs, loads, strict=True)):
        lasted = json_options.run_time(job)
        member = concurrent_jobs.Member(f"{index}#/jobs/{place}", load.options.values, job.job_start, lasted)
        groups.setdefault(job.groupid or 0, []).append(member)
    for group, members in groups.items():
        if len(members) > 1:
            reason = concurrent_jobs.apart(members, groups.get(group + 1, []))
            concurrent_jobs.join(reading, f"{index}#/groups/{group}", members, reason)


def _clock(document: Document, place: str) -> Iterator[Finding]:
    """Give a finding for the times of a report that lie after 2099; they are excluded."""
    jobs = document.jobs + document.client_stats
    times = {
        "timestamp": document.timestamp, "timestamp_ms": (document.timestamp_ms or 0) / _MILLI,
        "job_start": max([job.job_start or 0 for job in jobs], default=0) / _MILLI,
    }  # fmt: skip
    if late := [name for name, seconds in times.items() if (seconds or 0) >= _LATEST]:
        yield Finding("R-FIO-LINE-1", f"{' and '.join(late)} is after the year 2099 and is excluded", place)


def _report_time(document: Document) -> int | None:
    if document.timestamp_ms and document.timestamp_ms < _LATEST * _MILLI:
        return document.timestamp_ms * _MILLI
    return document.timestamp * _MICRO if document.timestamp and document.timestamp < _LATEST else None


def _read_job(context: Context, job: Job, repetition: str, twins: int, reading: Reading) -> Load:
    """
    Add the results of one job, and what is odd about it, to a reading; return what it was asked to do.

    ``repetition`` is the job's place in the file, ``twins`` counts the objects of the job's name in its report.
    """
    load = json_options.load(context.document, job, twins, context.sections)
    results, options = [], load.options
    told: Premises | None = None
    for operation in OPERATIONS:
        direction = getattr(job, operation)
        if direction is not None and not json_result.is_empty(direction):
            result = load.blank(operation)
            result.pointer, result.repetition = f"{repetition}/{operation}", repetition
            told = result.premises = told or _premises(load, result.engine, job.latency_depth)
            _describe(result, context, job, load)
            reading.warnings += _measure(result, context, direction, job, load)
            results.append(result)
    if job.mixed is not None and len(results) > 1:
        for result in results:
            result.is_aggregate = result.is_aggregate or result.operation == "mixed"
    reading.results += results
    seek(results, job.latency_target, job.latency_depth, options.values)
    if not context.is_partial:
        reading.warnings += runs.ending(job.jobname, job.error, repetition, is_idle=not results)
        reading.warnings += _list_findings(job, load, repetition)
        reading.warnings += jobfile.findings(load.options, repetition)
    return load


def _premises(load: Load, engine: str | None, depth: int | None) -> Premises:
    """Return what the figures of a job must show of its load; an unstated ``numjobs`` may be lost (2.3 to 3.3)."""
    is_ramp_known = load.options.is_complete and not load.is_merged
    told = premises(load.options.values, engine, depth, is_ramp_known=is_ramp_known, is_complete=True)
    return told if load.is_count_stated else msgspec.structs.replace(told, is_process_count_assumed=True)


def _describe(result: Result, context: Context, job: Job, load: Load) -> None:
    """Set the columns that a result shares with the others of its job."""
    is_local, steady = not context.document.client_stats, job.steadystate
    result.tool_version = context.document.version
    if is_local:
        result.scope = "group" if load.is_merged or (load.jobs or 1) > 1 else "job"
    else:
        result.scope = "all" if job.jobname == ALL_CLIENTS else "client"
    result.is_aggregate = job.jobname == ALL_CLIENTS
    result.is_partial = context.is_partial
    result.outcome = "error" if job.error else context.outcome
    result.test_name = job.jobname
    result.group_index = job.groupid
    if job.job_start:
        result.started_at = job.job_start * _MILLI if job.job_start < _LATEST * _MILLI else None
    elif not is_local:
        result.started_at, result.started_at_local = context.written_at, context.printed_at
    if is_local and job.groupid == context.last_group:
        result.ended_at, result.ended_at_local = context.written_at, context.printed_at
    result.error_code = job.error or None
    result.error_count = job.total_err
    if job.usr_cpu is not None:
        result.cpu_user_ratio = job.usr_cpu / _PERCENT
    if job.sys_cpu is not None:
        result.cpu_system_ratio = job.sys_cpu / _PERCENT
    if steady is not None:
        result.steady_state_criterion = steady.ss
        result.is_steady_state_attained = None if steady.attained is None else bool(steady.attained)


def _measure(result: Result, context: Context, direction: Direction, job: Job, load: Load) -> list[Finding]:
    """Set what a direction measured, and return what is odd about it."""
    is_total_kept = load.options.values.get("lat_percentiles") == "1"
    is_moved = json_result.move_total_percentiles(direction, is_total_kept=is_total_kept)
    beyond = json_result.measure(result, direction)
    is_asked = BINS not in context.without or context.members.get(job.groupid, 0) > 1
    has_bins = result.source_format == "json+" and is_asked
    lost = json_result.measure_bins(result, direction) if has_bins else []
    if not context.is_partial:
        is_alone = not result.is_aggregate and load.is_alone(context.members.get(job.groupid, 0), job)
        derived_rates.settle(result, json_result.resolution(direction), is_alone=is_alone)
    warnings = [Finding("R-READ-6", text, result.pointer) for text in beyond] if beyond else []
    for kind in lost:
        text = f"the histogram of {kind} latency has bins or counts that fio does not write, and is excluded"
        warnings.append(Finding("R-FIO-LINE-2", text, result.pointer))
    if is_moved:
        text = "the percentiles under clat_ns are those of the total latency, and are stored as such"
        warnings.append(Finding("R-FIO-LINE-2", text, result.pointer))
    return warnings


def _list_findings(job: Job, load: Load, place: str) -> Iterator[Finding]:
    """Yield what is odd about the options of a job."""
    if load.is_merged:
        text = f"the report merges jobs under the name {job.jobname!r}, but states the options of the last one only"
        yield Finding("R-FIO-GROUP-1", text, place)
    if load.options.repeated:
        names = ", ".join(sorted(load.options.repeated))
        text = f"stated more than once with different values (the last is used): {names}"
        yield Finding("R-FIO-PRINT-1", text, place)
