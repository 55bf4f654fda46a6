"""
Ordinary reports of many files, taken apart one after the other into what the columns are made of.

A report is ordinary when it has the shape of ``json_strict``, each of its jobs did something, stands once, and has a
plan (``json_plan``). Nothing of a report is kept but its numbers and names, so that memory stays small and warm.
"""

from __future__ import annotations

import struct
from functools import lru_cache
from typing import TYPE_CHECKING, Any, cast

import msgspec
from msgspec.structs import astuple

from ingest.readers.fio import json_plan, json_strict, json_times
from ingest.readers.fio.json_taken import AFTER, BEFORE, END, STATISTICS, Planned, Rows, Series

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from ingest.record import Source

    Direction = json_strict.Direction[Any]
    Document = json_strict.Document[Any]
    Job = json_strict.Job[Any]

_VERSION_KEY, _HEAD = b'"fio version"', 1024


def collect(sources: Sequence[Source], *, with_bins: bool) -> Rows:
    """Return the results of the ordinary reports among these files, in order."""
    decode = (json_strict.WITH_BINS if with_bins else json_strict.WITHOUT_BINS).decode
    rows = Rows([], [], [], [], [], [], [], Series([], [], []), Series([], [], []), [])
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
    jobs, source_of, job_of, loads, pointers, numbers, flags, *_ = rows
    for operation, direction, load in (
        ("read", job.read, planned.plan.read),
        ("write", job.write, planned.plan.write),
    ):
        if direction.total_ios:
            source_of.append(index)
            job_of.append(len(jobs))
            pointers.append(f"{planned.point}/{operation}")
            fields = astuple(direction)
            submission, completion, total = fields[BEFORE:AFTER]
            numbers.extend(
                fields[:BEFORE]
                + fields[AFTER:END]
                + astuple(total)[:STATISTICS]
                + astuple(completion)[:STATISTICS]
                + astuple(submission)[:STATISTICS]
            )
            unset = msgspec.UNSET
            flags.append((total.bins is not unset, completion.bins is not unset, submission.bins is not unset))
            for kind, latency in enumerate((total, completion, submission)):
                if latency.percentile or latency.bins is not unset:
                    _add_series(rows, len(loads), kind, latency)
            loads.append(load)
    jobs.append(planned)


def _add_series(rows: Rows, row: int, kind: int, latency: json_strict.Latency[Any]) -> None:
    reported, (heads, keys, values) = latency.percentile, rows.percentiles
    if reported:
        heads.append((row, kind, len(reported)))
        keys.append(tuple(reported))
        values.extend(reported.values())
    if isinstance(latency.bins, dict):
        _add_bins(rows, row, kind, latency)


def _add_bins(rows: Rows, row: int, kind: int, latency: json_strict.Latency[Any]) -> None:
    found = cast("dict[int, int]", latency.bins)
    if not found:
        if latency.mean or latency.max:
            rows.odd.append(row)
        return
    pack = _packer(len(found))
    try:
        middles, counts = pack(*found), pack(*found.values())
    except struct.error:
        rows.odd.append(row)
        return
    rows.bins.heads.append((row, kind, len(found)))
    rows.bins.keys.append(middles)
    rows.bins.values.append(counts)


@lru_cache(1024)
def _packer(count: int) -> Callable[..., bytes]:
    """Return what packs this many whole numbers, three times as fast as an array takes them."""
    return struct.Struct(f"={count}q").pack
