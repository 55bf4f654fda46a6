"""
fio: the report written by ``--output-format=json`` or ``json+``.

Claims  any text with an object that begins with ``"fio version"``.
Emits   one result per job (or group, or client) and operation that completed any I/O.
Units   ``io_bytes`` bytes (KiB up to 2.20), ``bw`` KiB/s, ``bw_bytes`` bytes per second, ``*_ns`` nanoseconds, other
        latencies microseconds, ``runtime`` milliseconds.
Source  fio's ``stat.c``, ``show_thread_status_json()``, ``__show_run_stats()``, ``__show_running_run_stats()``;
        ``client.c`` for ``client_stats``; ``options.c``, ``fio_dump_options_to_opt_list()``; HOWTO.

``timestamp`` is when the report was written: the end of the run in local mode, but its start in client mode. It says
nothing about jobs that a later group followed. ``job_start`` (3.36 and later) is the start in milliseconds.

Reports of one run that follow each other in a file (``--status-interval``) are cumulative: a later one continues the
counters of an earlier one, and was written before a new run of its length could have ended. The last is the result, the
others are partial. Reports of separate runs in one file are all results; a report that stands twice, letter by letter,
counts once.

fio states only the options that were set, as texts, since 2.3: the job's own before the global ones. Bare flags are
missing before 3.39, and ``numjobs`` of a job file's global section before 3.4; a job file fills the gaps. A reported
group carries the name of its first member and the options of its last, so options of its own are dropped when the group
is seen to merge different jobs.
"""

from __future__ import annotations

import json
from collections import Counter
from functools import lru_cache
from itertools import pairwise
from operator import attrgetter
from types import MappingProxyType
from typing import TYPE_CHECKING, NamedTuple

import msgspec

from ioledger.model import BINS, NOTHING, Finding, LeftOut, Premises, Reading, Result
from ioledger.readers import MILLI, PERCENT, whole
from ioledger.readers.fio import disk_util, json_decode, json_result, runs
from ioledger.readers.fio.decoding import is_too_long, number_lines, printed_time
from ioledger.readers.fio.json_decode import ABSENT, NUMBERS, OPERATIONS, directions_of
from ioledger.readers.fio.options import (
    CANONICAL,
    NO_SECTION,
    UNVERIFIED,
    WORKLOAD,
    Options,
    Sections,
    beneath,
    decimal,
    findings,
    is_whole,
    state_premises,
    workload,
)
from ioledger.readers.fio.runs import ALL_CLIENTS, PARTIAL

if TYPE_CHECKING:
    from collections.abc import Hashable, Mapping, Sequence

    from ioledger.model import Refusal
    from ioledger.readers.fio.json_decode import Document, Job, Report
    from ioledger.readers.fio.options import Section

_name_of = attrgetter("jobname", "groupid", "hostname", "port")
_group_of = attrgetter("groupid")
_timed_of = attrgetter("read", "write", "trim", "mixed")
"""The operations of a job that have a run time of their own."""
_SIGNAL = "fio: terminating on signal"
_MICRO = 1_000_000
_LATEST = 4_102_444_800
"""2100 in seconds since 1970: later times are not times."""
_LONG, _ONE = 100, 1.01
"""Milliseconds that run times can be compared from, and the share by which one process may exceed its longest one."""
NO_SECTIONS: Sections = MappingProxyType({})
_ADDRESS = ("hostname", "port")
_FEW = 4096
_LONGEST_NAME = 127
"""Bytes of a name that fio prints."""
_SEVERAL = 1.5
_COUNTERS = 3
"""Counters of an operation, the run time first."""
_AS_TEXTS = msgspec.json.Decoder(dict[str, str])
_AS_LIST = msgspec.json.Decoder(list[msgspec.Raw])


class Context(NamedTuple):
    """The report a job stands in: what its jobs share, and whether histograms are wanted."""

    document: Document
    written: tuple[int | None, str | None]
    last_group: int | None
    """The highest group number."""
    members: Mapping[int | None, int]
    """How many objects stand for each group."""
    outcome: str
    is_partial: bool
    without: frozenset[str]


def find(text: str) -> tuple[list[Report], list[Refusal], list[tuple[int, int]]]:
    """Return every report of a text and where each stands; without places where something stands before each line."""
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
        read_report(index, report, sections, reading, is_partial=index in partial, without=without)
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
        if not -MILLI <= step < max([1, *(max(counts[::_COUNTERS]) for _, counts in after.values())]):
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
        name = _name_of(job)
        seen[name] += 1
        counts = tuple(
            float(value or 0)
            for part in directions_of(job)
            for value in ((part.runtime, part.io_bytes, part.total_ios) if part else (0, 0, 0))
        )
        found[name, seen[name]] = (job.job_start or 0, counts)
    return found


def read_report(  # noqa: PLR0913
    index: int, report: Report, sections: Sections, reading: Reading, *, is_partial: bool, without: frozenset[str]
) -> None:
    """Add the results of a report, what the kernel counted on its disks, and what is odd about it, to a reading."""
    document, start = report.document, len(reading.results)
    if trouble := sum(not note.startswith(_SIGNAL) for note in report.notes):  # notes name files
        message = f"fio noted trouble {trouble} times before this report (lines that begin with fio:)"
        reading.warnings.append(Finding("R-FIO-NOTE-1", message, f"{index}#"))
    begun = max([job.job_start or 0 for job in document.jobs + document.client_stats], default=0)
    times = {
        "timestamp": (document.timestamp or 0) * _MICRO, "timestamp_ms": (document.timestamp_ms or 0) * MILLI,
        "job_start": begun * MILLI,
    }  # fmt: skip
    if late := [name for name, time in times.items() if time >= _LATEST * _MICRO]:
        message = f"{' and '.join(late)} is after the year 2099 and is excluded"
        reading.warnings.append(Finding("R-FIO-LINE-1", message, f"{index}#"))
    written = next((times[name] for name in ("timestamp_ms", "timestamp") if times[name] and name not in late), None)
    printed = printed_time(document.time.strip()) if written is None and document.time else None
    groups = Counter(map(_group_of, document.jobs))
    context = Context(
        document=document,
        written=(written, printed.isoformat() if printed else None),
        last_group=max((group for group in groups if group is not None), default=None),
        members=groups,
        outcome="interrupted" if trouble < len(report.notes) else "ok",
        is_partial=is_partial,
        without=without,
    )
    for list_name, jobs in (("jobs", document.jobs), ("client_stats", document.client_stats)):
        twins = Counter(map(_name_of, jobs)) if len(jobs) > 1 else {}
        by_group: dict[int, list[runs.Member]] = {}
        for place, job in enumerate(jobs):
            load = read_load(document, job, twins[_name_of(job)] if twins else 1, sections)
            member = _read_job(context, job, load, f"{index}#/{list_name}/{place}", reading)
            by_group.setdefault(job.groupid or 0, []).append(member)
        for group, members in by_group.items() if not document.client_stats and not is_partial else ():
            if len(members) > 1:
                runs.join(reading, f"{index}#/groups/{group}", members, by_group.get(group + 1, []))
    if document.disk_util:
        is_left_out = is_partial or disk_util.TABLE in without
        disk_util.read(document, f"{index}#/disk_util", reading, start, is_left_out=is_left_out)
    reading.tool_version = reading.tool_version or document.version
    if any(result.source_format == "json+" for result in reading.results[start:]):
        reading.source_format = "json+"


def _read_job(context: Context, job: Job, load: Load, repetition: str, reading: Reading) -> runs.Member:
    """Add the results of a job, at the place ``repetition``, and what is odd about it to a reading; return the job."""
    options, members = load.options, context.members[job.groupid]
    moved = {
        operation: part
        for operation, part in zip(OPERATIONS, directions_of(job), strict=True)
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
    longest = max([part.runtime or 0 for part in _timed_of(job) if part is not None], default=0)
    is_one = members > 1 or (longest >= _LONG and 0 < (job.job_runtime or 0) <= longest * _ONE)
    is_alone = is_one and load.jobs == 1 and not load.is_merged and job.jobname != ALL_CLIENTS
    for result, direction in zip(results, moved.values(), strict=True):
        _describe(result, context, job, load)
        reading.warnings += json_result.measure(
            result,
            direction,
            is_of_total=options.values.get("lat_percentiles") == "1",
            is_alone=None if context.is_partial else is_alone,
            has_bins=BINS not in context.without or members > 1,
        )
        result.is_aggregate |= result.operation == "mixed" and len(results) > 1
    reading.results += results
    member = runs.Member(repetition, options.values, job.job_start, longest)
    if context.is_partial:
        return member
    if job.error or not results:
        reading.warnings += runs.ending(job.jobname, job.error, repetition, is_idle=not results)
    if load.is_merged:
        text = f"the report merges jobs under the name {job.jobname!r}, but states the options of the last one only"
        reading.warnings.append(Finding("R-FIO-GROUP-1", text, repetition))
    if options.repeated or options.disputed:
        reading.warnings += findings(options, repetition)
    return member


def _describe(result: Result, context: Context, job: Job, load: Load) -> None:
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


class Load(NamedTuple):
    """What a job was asked to do: its options, how many processes its numbers cover, and what to say about it."""

    options: Options
    jobs: int | None
    is_merged: bool = False
    is_count_stated: bool = True


def read_load(document: Document, job: Job, twins: int, sections: Sections) -> Load:
    """Return what a job was asked to do; ``twins`` counts the objects of its name and group in the document."""
    name, is_sum = job.jobname or "", job.jobname == ALL_CLIENTS
    filed = NO_SECTION if is_sum else sections.get(name, NO_SECTION)
    if document.options is ABSENT and job.options is ABSENT:
        return _filed_load(document, job, twins, sections, filed)
    common = bytes(document.options)
    options = _parse_options(_client_options(common, job) if common[:1] == b"[" else common, bytes(job.options))
    if is_sum:
        return Load(options._replace(is_complete=False), None)
    own_name = name if job.jobname is None else options.values.get("name", name)
    is_other = own_name != name and not (len(name.encode()) >= _LONGEST_NAME and own_name.startswith(name))
    options = beneath(options, filed) if filed and not is_other else options
    numjobs, seen = whole(options.values.get("numjobs", "")), threads(job, options)
    is_merged = twins == 1 and seen is not None and seen > _SEVERAL * (numjobs or 1)
    is_stated = numjobs is not None or seen is not None or twins > 1
    jobs = 1 if twins > 1 else seen if is_merged or is_other else numjobs or seen or 1
    if not is_other:
        return Load(options, jobs, is_merged, is_stated)
    own = {name for name in WORKLOAD if options.origins.get(name) == "job"}
    values = {name: value for name, value in options.values.items() if name not in own | {"name"}}
    return Load(options._replace(values=values, is_complete=not own), jobs, is_merged=True)


def _filed_load(document: Document, job: Job, twins: int, sections: Sections, filed: Section) -> Load:
    """Return what the job file alone tells; of a group shown as one object only what all of its sections say."""
    options = beneath(Options({}, {}, is_complete=is_whole(filed)), filed)
    jobs = 1 if twins > 1 else threads(job, options)
    if filed.get("group_reporting", "0") != "0" and len(sections) > len(document.jobs):
        values = {
            name: text for name, text in options.values.items() if all(s.get(name) == text for s in sections.values())
        }
        return Load(options._replace(values=values, is_complete=False), jobs)
    if jobs is None:
        jobs = whole(options.values.get("numjobs", "")) or (1 if options.is_complete else None)
    return Load(options, jobs)


def threads(job: Job, options: Options) -> int | None:
    """Return how many processes share an object, from ``job_runtime`` (3.8 and later), which adds their run times."""
    if not job.job_runtime:
        return None
    # reads and writes run at the same time, but a job that verifies reads after it has written
    is_verifying = options.values.get("verify", "0") not in UNVERIFIED
    times = [part.runtime or 0 for part in _timed_of(job) if part is not None]
    longest = sum(times) if is_verifying else max(times, default=0)
    return max(1, round(job.job_runtime / longest)) if longest else None


def _client_options(raw: bytes, job: Job) -> bytes:
    """Return the global options of the job's client, of which there is a list since 3.39."""
    try:
        every = [bytes(part) for part in _AS_LIST.decode(raw)]
    except msgspec.MsgspecError:
        return b""
    for part in every:
        own = dict(_pairs(part))
        if own.get("hostname") == job.hostname and own.get("port") == str(job.port):
            return part
    return every[0] if len(every) == 1 else b""


@lru_cache(_FEW)
def _parse_options(global_raw: bytes, job_raw: bytes) -> Options:
    """
    Return what the texts of the global options and of a job's own say, the latter first, each with its origin.

    An option has fio's own name and the last of its values; where one text states several, all are returned too.
    """
    said: list[tuple[str, str]] = []
    values: dict[str, str] = {}
    origins: dict[str, str] = {}
    repeated: dict[str, tuple[str, ...]] = {}
    for origin, raw in (("global", global_raw), ("job", job_raw)):
        pairs = [(CANONICAL.get(name, name), value) for name, value in _pairs(raw) if name not in _ADDRESS]
        last = dict(pairs)
        repeated = {name: every for name, every in repeated.items() if name not in last}
        if len(last) < len(pairs):
            texts = {name: tuple(value for each, value in pairs if each == name) for name in last}
            repeated |= {name: every for name, every in texts.items() if len(set(every)) > 1}
        said += pairs
        values |= last
        origins |= dict.fromkeys(last, origin)
    # a report has options in the order fio took them in
    base = decimal(said) if "kb_base" in values else frozenset[str]()
    return Options(values, origins, is_complete=True, repeated=repeated, decimal=base)


def _pairs(raw: bytes) -> list[tuple[str, str]]:
    """Return an options object as names and texts in order, those stated twice included."""
    if not raw:
        return []
    try:
        mapping = _AS_TEXTS.decode(raw)
        if raw.count(b'"') == 4 * len(mapping):  # names and texts without an escaped quote, and none twice
            return list(mapping.items())
    except (msgspec.MsgspecError, UnicodeDecodeError):
        pass
    try:
        found = json.loads(raw.decode("utf-8", "replace"), object_pairs_hook=tuple, strict=False, **NUMBERS)
    except (ValueError, RecursionError):
        return []
    pairs = found if isinstance(found, tuple) else ()
    return [(name, value if isinstance(value, str) else json.dumps(value, default=str)) for name, value in pairs]
