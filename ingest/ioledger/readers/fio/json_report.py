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

from ioledger.model import BINS, NOTHING, Finding, LeftOut, Premises, Reading, Result
from ioledger.readers.fio import disk_util, jobfile, json_decode, json_options, json_result, runs
from ioledger.readers.fio.decoding import is_too_long, number_lines, printed_time
from ioledger.readers.fio.json_decode import OPERATIONS
from ioledger.readers.fio.json_options import NO_SECTIONS
from ioledger.readers.fio.options import state_premises, workload
from ioledger.readers.fio.runs import ALL_CLIENTS, PARTIAL
from ioledger.readers.units import MILLI, PERCENT

if TYPE_CHECKING:
    from collections.abc import Hashable, Iterator, Mapping, Sequence

    from ioledger.model import Refusal
    from ioledger.readers.fio.json_decode import Direction, Document, Job, Report
    from ioledger.readers.fio.json_options import Load, Sections

_SIGNAL = "fio: terminating on signal"
_MICRO = 1_000_000
_LATEST = 4_102_444_800
"""2100 in seconds since 1970: later times are not times."""
_LONG, _ONE = 100, 1.01
"""Milliseconds that run times can be compared from, and the share by which one process may exceed its longest one."""


class Context(NamedTuple):
    """The report a job stands in: what its jobs share, and whether histograms are wanted."""

    document: Document
    written: tuple[int | None, str | None]
    """When the report was written, in microseconds since 1970 UTC; else what a clock without a zone showed then."""
    last_group: int | None
    """The highest group number."""
    members: Mapping[int | None, int]
    """How many objects stand for each group."""
    outcome: str
    is_partial: bool
    without: frozenset[str]


def find(text: str) -> tuple[list[Report], list[Refusal], list[tuple[int, int]]]:
    """
    Return every report of a text, whatever stands around them or before each of their lines, and where each stands.

    The places are none when the text has something before each line: then no character of it is one of a report alone.
    """
    reports, refusals = json_decode.split(text)
    if not reports and not is_too_long(text):
        unwrapped, faults = json_decode.split("\n".join(line for _, line in number_lines(text)))
        if unwrapped:
            return unwrapped, faults, []
    return reports, refusals, [(report.start, report.end) for report in reports]


def read(reports: Sequence[Report], *, without: frozenset[str] = NOTHING, sections: Sections = NO_SECTIONS) -> Reading:
    """Read the reports that were found; ``sections`` are those of their job file."""
    reading = Reading(tool="fio", source_format="json", document_count=len(reports), results=[], refusals=[])
    first: dict[bytes, int] = {}
    several = enumerate(reports) if len(reports) > 1 else ()  # the hash of a text takes as long as decoding it
    twice = {index for index, report in several if first.setdefault(report.text, index) != index}
    once = [(index, report) for index, report in enumerate(reports) if index not in twice]
    partial = {one for (one, before), (_, after) in pairwise(once) if _continues(before.document, after.document)}
    for index, report in once:
        reading.warnings += [msgspec.structs.replace(found, pointer=f"{index}#") for found in report.findings]
        reading.tool_version = reading.tool_version or report.document.version
        context = _context(report, is_partial=index in partial, without=without)
        _read_report(index, report, context, sections, reading)
    if any(result.source_format == "json+" for result in reading.results):
        reading.source_format = "json+"
    if twice:
        message = f"{len(twice)} reports are in the file more than once, byte-identical; each is read once"
        reading.warnings.append(Finding("R-FIO-LINE-2", message))
        begun: dict[int, Result] = {}
        for result in reading.results:
            begun.setdefault(int(result.pointer.partition("#")[0]), result)
        same = [(index, begun.get(first[reports[index].text])) for index in sorted(twice)]
        reading.left_out = [
            LeftOut(f"{index}#", one.source_format, one.pointer, "R-FIO-LINE-2") for index, one in same if one
        ]
    if partial:
        reading.warnings.append(Finding("R-FIO-PARTIAL-1", PARTIAL.format(len(partial))))
    return reading


def _continues(earlier: Document, later: Document) -> bool:
    """Say whether a report of the same run continues an earlier one, with no time for a second run between them."""
    before, after = _counters(earlier), _counters(later)
    if before.keys() != after.keys() or not before:
        return False
    if earlier.timestamp is not None and later.timestamp is not None:
        step = later.timestamp * MILLI - earlier.timestamp * MILLI - MILLI
        if earlier.timestamp_ms is not None and later.timestamp_ms is not None:
            step = later.timestamp_ms - earlier.timestamp_ms
        times = [time for job in later.jobs + later.client_stats for time in json_options.run_times(job)]
        if not -MILLI <= step < max([1, *times]):
            return False
    return all(
        start in {0, after[key][0]} and all(a <= b for a, b in zip(counts, after[key][1], strict=True))
        for key, (start, counts) in before.items()
    )


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


def _context(report: Report, *, is_partial: bool, without: frozenset[str]) -> Context:
    document, printed, written = report.document, None, None
    groups: dict[int | None, int] = {}
    for job in document.jobs:
        groups[job.groupid] = groups.get(job.groupid, 0) + 1
    if document.timestamp_ms and document.timestamp_ms < _LATEST * MILLI:
        written = document.timestamp_ms * MILLI
    elif document.timestamp and document.timestamp < _LATEST:
        written = document.timestamp * _MICRO
    elif document.time:
        printed = printed_time(document.time.strip())
    return Context(
        document=document,
        written=(written, printed.isoformat() if printed else None),
        last_group=max((group for group in groups if group is not None), default=None),
        members=groups,
        outcome="interrupted" if any(note.startswith(_SIGNAL) for note in report.notes) else "ok",
        is_partial=is_partial,
        without=without,
    )


def _read_report(index: int, report: Report, context: Context, sections: Sections, reading: Reading) -> None:
    """Add the results of a report, what the kernel counted on its disks, and what is odd about it, to a reading."""
    document, is_partial, start = report.document, context.is_partial, len(reading.results)
    reading.warnings += _list_faults(report, f"{index}#")
    for list_name, jobs in (("jobs", document.jobs), ("client_stats", document.client_stats)):
        twins = Counter(map(_name, jobs)) if len(jobs) > 1 else {}
        by_group: dict[int, list[runs.Member]] = {}
        for place, job in enumerate(jobs):
            load = json_options.load(document, job, twins[_name(job)] if twins else 1, sections)
            repetition = f"{index}#/{list_name}/{place}"
            _read_job(context, job, load, repetition, reading)
            if twins:
                longest = max(json_options.run_times(job), default=0)
                member = runs.Member(repetition, load.options.values, job.job_start, longest)
                by_group.setdefault(job.groupid or 0, []).append(member)
        for group, members in by_group.items() if not document.client_stats and not is_partial else ():
            if len(members) > 1:
                reason = runs.apart(members, by_group.get(group + 1, []))
                runs.join(reading, f"{index}#/groups/{group}", members, reason)
    if document.disk_util:
        is_left_out = is_partial or disk_util.TABLE in context.without
        disk_util.read(document, f"{index}#/disk_util", reading, start, is_left_out=is_left_out)


def _list_faults(report: Report, place: str) -> Iterator[Finding]:
    """Yield that fio noted trouble before a report (the notes name files), and times after 2099, which are excluded."""
    if trouble := sum(not note.startswith(_SIGNAL) for note in report.notes):
        message = f"fio noted trouble {trouble} times before this report (lines that begin with fio:)"
        yield Finding("R-FIO-NOTE-1", message, place)
    document = report.document
    starts = [job.job_start or 0 for job in document.jobs + document.client_stats]
    times = {
        "timestamp": document.timestamp, "timestamp_ms": (document.timestamp_ms or 0) / MILLI,
        "job_start": max(starts, default=0) / MILLI,
    }  # fmt: skip
    if late := [name for name, seconds in times.items() if (seconds or 0) >= _LATEST]:
        yield Finding("R-FIO-LINE-1", f"{' and '.join(late)} is after the year 2099 and is excluded", place)


def _read_job(context: Context, job: Job, load: Load, repetition: str, reading: Reading) -> None:
    """Add the results of one job, and what is odd about it, to a reading; ``repetition`` is its place in the file."""
    options, members = load.options, context.members.get(job.groupid, 0)
    every = [(operation, getattr(job, operation)) for operation in OPERATIONS]
    moved: dict[str, Direction] = {
        operation: part
        for operation, part in every
        if part and (part.io_bytes or part.total_ios or part.iops or part.bw or part.bw_bytes)
    }
    results = [
        Result(
            pointer=f"{repetition}/{operation}",
            repetition=repetition,
            source_format="json",
            operation=operation,
            **workload(options, operation, load.jobs),
        )
        for operation in moved
    ]
    known = Premises(
        is_ramp_known=options.is_complete and not load.is_merged,
        is_process_count_assumed=not load.is_count_stated,  # an unstated ``numjobs`` may be lost (2.3 to 3.3)
    )
    state_premises(results, options, (job.latency_target, job.latency_depth), known)
    # another object of its group, or the run times, prove one process; a few milliseconds tell nothing
    longest = max(json_options.run_times(job), default=0)
    is_one = members > 1 or (longest >= _LONG and 0 < (job.job_runtime or 0) <= longest * _ONE)
    is_alone = is_one and load.jobs == 1 and not load.is_merged and job.jobname != ALL_CLIENTS
    for result, direction in zip(results, moved.values(), strict=True):
        _describe(result, context, job, load)
        reading.warnings += json_result.measure(
            result,
            direction,
            is_total_kept=options.values.get("lat_percentiles") == "1",
            is_alone=None if context.is_partial else is_alone,
            has_bins=BINS not in context.without or members > 1,
        )
        if result.operation == "mixed" and len(results) > 1:
            result.is_aggregate = True
    reading.results += results
    if context.is_partial:
        return
    reading.warnings += runs.ending(job.jobname, job.error, repetition, is_idle=not results)
    if load.is_merged:
        text = f"the report merges jobs under the name {job.jobname!r}, but states the options of the last one only"
        reading.warnings.append(Finding("R-FIO-GROUP-1", text, repetition))
    reading.warnings += jobfile.findings(options, repetition)


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
        result.started_at = job.job_start * MILLI if job.job_start < _LATEST * MILLI else None
    elif not is_local:
        result.started_at, result.started_at_local = context.written
    if is_local and job.groupid == context.last_group:
        result.ended_at, result.ended_at_local = context.written
    result.error_code = job.error or None
    result.error_count = job.total_err
    if job.usr_cpu is not None:
        result.cpu_user_ratio = job.usr_cpu / PERCENT
    if job.sys_cpu is not None:
        result.cpu_system_ratio = job.sys_cpu / PERCENT
    if steady is not None:
        result.steady_state_criterion = steady.ss
        result.is_steady_state_attained = None if steady.attained is None else bool(steady.attained)
