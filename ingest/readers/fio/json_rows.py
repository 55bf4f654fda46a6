"""
Ordinary reports of many files, taken apart one after the other into what the columns are made of.

A report is ordinary when it has the shape of ``json_strict``, each of its jobs did something, stands once, and has a
plan (``json_plan``). Nothing of a report is kept but its numbers and names, so that memory stays small and warm.
"""

from __future__ import annotations

from array import array
from itertools import chain
from typing import TYPE_CHECKING, Any, NamedTuple

import msgspec
from msgspec.structs import astuple

from ingest.readers.fio import json_plan, json_strict, json_times

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from ingest.readers.fio.json_plan import Plan
    from ingest.record import Result, Source

    Direction = json_strict.Direction[Any]
    Document = json_strict.Document[Any]
    Job = json_strict.Job[Any]

_VERSION_KEY, _HEAD = b'"fio version"', 1024
_NUMBERS = json_strict.Direction.__struct_fields__.index("slat_ns")
_STATISTICS = json_strict.Latency.__struct_fields__.index("percentile")
DIRECTION = json_strict.Direction.__struct_fields__[:_NUMBERS]
LATENCY = json_strict.Latency.__struct_fields__[:_STATISTICS]
KINDS = {"total": "lat_ns", "completion": "clat_ns", "submission": "slat_ns"}


class Planned(NamedTuple):
    """What the results of a job share; its plan; its place in the file."""

    tool_version: str
    test_name: str
    group_index: int
    started_at: int | None
    ended_at: int | None
    error_count: int | None
    cpu_user_percent: float
    cpu_system_percent: float
    plan: Plan
    point: str


class Series(NamedTuple):
    """Percentiles or bins: result, kind and length of each series, and the values of all of them."""

    heads: list[tuple[int, int, int]]
    keys: list[Any]
    values: array[Any]


class Rows(NamedTuple):
    """One entry per result in each list but ``jobs``; ``numbers`` has one stretch per result."""

    jobs: list[Planned]
    source_of: list[int]
    job_of: list[int]
    load: list[Result]
    pointer: list[str]
    numbers: array[float]
    """``DIRECTION``, then ``LATENCY`` of each kind."""
    has_bins: list[tuple[bool, ...]]
    percentiles: Series
    """``keys`` has the keys of each series, ``values`` nanoseconds."""
    bins: Series
    """``keys`` has the middles of each series."""
    odd: list[int]
    """Results that the arrays cannot hold."""


def collect(sources: Sequence[Source], *, with_bins: bool) -> Rows:
    """Return the results of the ordinary reports among these files, in order."""
    decode = (json_strict.WITH_BINS if with_bins else json_strict.WITHOUT_BINS).decode
    percentiles, bins = Series([], [], array("d")), Series([], [], array("q"))
    rows = Rows([], [], [], [], [], array("d"), [], percentiles, bins, [])
    for index, source in enumerate(sources):
        if _VERSION_KEY not in source.data[:_HEAD]:
            continue
        try:
            document: Document = decode(source.data)
        except (msgspec.MsgspecError, RecursionError, UnicodeDecodeError):
            continue
        for job, planned in zip(document.jobs, _planned(document), strict=False):
            _add(rows, index, job, planned)
    return rows


def _planned(document: Document) -> list[Planned]:
    """Return the jobs of a report with their plans; none when the report is not ordinary."""
    jobs, options = document.jobs, bytes(document.options)
    written = json_times.written(document)
    last_group = max([job.groupid for job in jobs], default=0)
    if len(jobs) > 1 and len({(job.jobname, job.groupid) for job in jobs}) < len(jobs):
        return []
    found = []
    for place, job in enumerate(jobs):
        reads, writes = job.read, job.write
        longest = max(reads.runtime, writes.runtime)
        seen = max(1, round(job.job_runtime / longest)) if job.job_runtime and longest else None
        plan = json_plan.plan(options, bytes(job.options), job.jobname, seen)
        if plan is None or not (_is_sound(reads) and _is_sound(writes) and (reads.total_ios or writes.total_ios)):
            return []
        ended = written if job.groupid == last_group else None
        found.append(
            Planned(
                document.version, job.jobname, job.groupid, json_times.job_started(job.job_start), ended,
                job.total_err, job.usr_cpu, job.sys_cpu, plan, f"0#/jobs/{place}",
            )
        )  # fmt: skip
    return found


def _is_sound(direction: Direction) -> bool:
    """Say whether a direction did something that can be timed, or nothing at all."""
    if direction.total_ios:
        return bool(direction.runtime and direction.io_bytes)
    return not (direction.io_bytes or direction.bw_bytes or direction.iops or direction.bw)


def _add(rows: Rows, index: int, job: Job, planned: Planned) -> None:
    plan, point = planned.plan, planned.point
    for operation, direction, load in (("read", job.read, plan.read), ("write", job.write, plan.write)):
        if direction.total_ios:
            row = len(rows.load)
            rows.source_of.append(index)
            rows.job_of.append(len(rows.jobs))
            rows.load.append(load)
            rows.pointer.append(f"{point}/{operation}")
            latencies = (direction.lat_ns, direction.clat_ns, direction.slat_ns)
            rows.numbers.extend(astuple(direction)[:_NUMBERS])
            for kind, latency in enumerate(latencies):
                rows.numbers.extend(astuple(latency)[:_STATISTICS])
                if latency.percentile:
                    rows.percentiles.heads.append((row, kind, len(latency.percentile)))
                    rows.percentiles.keys.append(tuple(latency.percentile))
                    rows.percentiles.values.extend(latency.percentile.values())
                if isinstance(latency.bins, dict):
                    _add_bins(rows, row, kind, latency)
            rows.has_bins.append(tuple([latency.bins is not msgspec.UNSET for latency in latencies]))
    rows.jobs.append(planned)


def _add_bins(rows: Rows, row: int, kind: int, latency: json_strict.Latency[Any]) -> None:
    found: dict[int, int] = latency.bins
    try:
        middles, counts = array("q", found), array("q", found.values())
    except OverflowError:
        rows.odd.append(row)
        return
    if not found:
        if latency.mean or latency.max:
            rows.odd.append(row)
        return
    rows.bins.heads.append((row, kind, len(found)))
    rows.bins.keys.append(middles)
    rows.bins.values.extend(counts)
