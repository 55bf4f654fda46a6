"""
Ordinary reports, one after the other, taken apart into what the columns are made of.

A report is ordinary when it has the shape of ``json_strict``, each of its jobs did something, stands once, and has a
plan (``json_plan``). Nothing of a report is kept but its numbers and names, so that memory stays small and warm.
"""

from __future__ import annotations

import struct
from functools import lru_cache
from typing import TYPE_CHECKING, Any

import msgspec
from msgspec.structs import astuple

from ingest.readers.fio import json_plan, json_times
from ingest.readers.fio.json_shape import ABSENT
from ingest.readers.fio.json_strict import BINS, DOCUMENT
from ingest.readers.fio.json_taken import AFTER, BEFORE, END, NUMBERS, Alike, packer

if TYPE_CHECKING:
    from ingest.readers.fio.json_plan import Plan
    from ingest.readers.fio.json_strict import Direction, Document, Latency
    from ingest.readers.fio.json_taken import Taken

_VERSION_KEY, _HEAD = b'"fio version"', 1024
_LARGEST = 32 << 20
"""A larger report is read by itself, with the limits that hold there."""
_pack = packer("d", len(NUMBERS))


def take(taken: Taken, index: int, data: bytes, *, with_bins: bool) -> bool:
    """Take the file with this index apart if it is an ordinary report; say whether it is."""
    if len(data) > _LARGEST or data.find(_VERSION_KEY, 0, _HEAD) < 0:
        return False
    try:
        document = DOCUMENT.decode(data)
    except (msgspec.MsgspecError, RecursionError, UnicodeDecodeError):
        return False
    plans = _plans(document)
    if not plans:
        return False
    written = json_times.written(document)
    last_group = document.jobs[-1].groupid if len(plans) == 1 else max([job.groupid for job in document.jobs])
    for place, plan in enumerate(plans):
        job = document.jobs[place]
        point, of_reads, of_writes = _pointers(place)
        if job.read.total_ios:
            _take_result(taken, job.read, (index, len(taken.jobs), plan.read, of_reads), with_bins)
        if job.write.total_ios:
            _take_result(taken, job.write, (index, len(taken.jobs), plan.write, of_writes), with_bins)
        started, ended = json_times.job_started(job.job_start), written if job.groupid == last_group else None
        taken.jobs.append(
            (document.version, job.jobname, job.groupid, started, ended, job.total_err, job.usr_cpu, job.sys_cpu,
             plan, point)
        )  # fmt: skip
    return True


@lru_cache(4096)
def _pointers(place: int) -> tuple[str, str, str]:
    """Return where a job stands in a report, and its reads and writes."""
    point = f"0#/jobs/{place}"
    return point, f"{point}/read", f"{point}/write"


def _plans(document: Document) -> list[Plan]:
    """Return the plans of the jobs of a report; none when the report is not ordinary."""
    jobs, options = document.jobs, bytes(document.options)
    if len(jobs) > 1 and len({(job.jobname, job.groupid) for job in jobs}) < len(jobs):
        return []
    found = []
    for job in jobs:
        reads, writes = job.read, job.write
        if not (_is_sound(reads) and _is_sound(writes) and (reads.total_ios or writes.total_ios)):
            return []
        longest = max(reads.runtime, writes.runtime)
        seen = max(1, round(job.job_runtime / longest)) if job.job_runtime and longest else None
        plan = json_plan.plan(options, bytes(job.options), job.jobname, seen)
        if plan is None:
            return []
        found.append(plan)
    return found


def _is_sound(direction: Direction) -> bool:
    """Say whether a direction did something that can be timed, or nothing at all."""
    if direction.total_ios:
        return bool(direction.runtime and direction.io_bytes)
    return not (direction.io_bytes or direction.bw_bytes or direction.iops or direction.bw)


def _take_result(taken: Taken, direction: Direction, of_result: tuple[Any, ...], with_bins: bool) -> None:  # noqa: FBT001
    """Pack the numbers of a direction and what it has of percentiles and bins."""
    fields = astuple(direction)
    submission, completion, total = fields[BEFORE:AFTER]
    *totals, of_total, total_bins = astuple(total)
    *completions, of_completion, completion_bins = astuple(completion)
    *submissions, of_submission, submission_bins = astuple(submission)
    taken.numbers.append(
        _pack(
            *fields[:BEFORE], *fields[AFTER:END], *totals, total_bins is not ABSENT,
            *completions, completion_bins is not ABSENT, *submissions, submission_bins is not ABSENT,
        )
    )  # fmt: skip
    row = len(taken.results)
    if of_total:
        _take_percentiles(taken, row, 0, of_total)
    if of_completion:
        _take_percentiles(taken, row, 1, of_completion)
    if of_submission:
        _take_percentiles(taken, row, 2, of_submission)
    if with_bins:
        for kind, latency in enumerate((total, completion, submission)):
            if latency.bins is not ABSENT:
                _take_bins(taken, row, kind, latency)
    taken.results.append(of_result)


def _take_percentiles(taken: Taken, row: int, kind: int, reported: dict[str, float]) -> None:
    keys = tuple(reported)
    alike = taken.percentiles.get(keys)
    if alike is None:
        alike = taken.percentiles[keys] = Alike(packer("d", len(keys)), [])
    alike.series.append((row, kind, alike.pack(*reported.values())))


def _take_bins(taken: Taken, row: int, kind: int, latency: Latency) -> None:
    """Pack a histogram before the next is decoded: all those of a report at once would leave the processor's caches."""
    try:
        found = BINS.decode(latency.bins)
        pack = packer("q", len(found))
        packed = row, kind, len(found), pack(*found), pack(*found.values())
    except (msgspec.MsgspecError, struct.error):
        taken.odd.append(row)
        return
    if found:
        taken.bins.append(packed)
    elif latency.mean or latency.max:
        taken.odd.append(row)
