"""
Ordinary reports, one after the other, taken apart into what the columns are made of.

A report is ordinary when it has the shape of ``json_strict``, is regular as ``json_documents`` means it, each of its
jobs did something, stands once, and has a plan (``json_plan``). So it decodes by type in the other way too, which then
has nothing to say about its text. Nothing of a report is kept but its numbers and names, so that memory stays small and
warm.
"""

from __future__ import annotations

import struct
from functools import lru_cache
from typing import TYPE_CHECKING, Any

import msgspec
import numpy as np
from msgspec.structs import astuple

from ingest.readers.fio import json_documents, json_plan, json_result, json_times
from ingest.readers.fio.json_shape import ABSENT, DIRECTION
from ingest.readers.fio.json_strict import BINS, DOCUMENTS, USUAL
from ingest.readers.fio.json_taken import AFTER, BEFORE, END, LATENCY, NUMBERS, Alike, packer

if TYPE_CHECKING:
    from ingest.readers.fio.json_plan import Plan
    from ingest.readers.fio.json_strict import Direction, Document, Latency
    from ingest.readers.fio.json_taken import Taken

_VERSION_KEY, _HEAD = b'"fio version"', 1024
_LARGEST = 32 << 20
"""A larger report is read by itself, with the limits that hold there."""
_LONG, _MANY = 1 << 16, 64
_RARE = b"yj"
"""Letters that stand in ``io_bytes`` and ``jobname``, but in few other places of a report."""
_LONGEST_IDLE = 8192
_LISTED = len(LATENCY)
"""Where percentiles stand in a latency; bins stand last."""
_pack = packer("d", len(NUMBERS))


def take(taken: Taken, index: int, data: bytes, *, with_bins: bool) -> bool:
    """Take the file with this index apart if it is an ordinary report; say whether it is."""
    if len(data) > _LARGEST or data.find(_VERSION_KEY, 0, _HEAD) < 0 or json_documents.is_too_full(data, _count):
        return False
    document = _decoded(data)
    if document is None or not _is_regular(document, data) or not (plans := _plans(document)):
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


def _decoded(data: bytes) -> Document[Any] | None:
    """Return the report that a file is, null unless it has the shape of an ordinary one."""
    for decoder in DOCUMENTS:
        try:
            return decoder.decode(data)
        except (msgspec.MsgspecError, RecursionError, UnicodeDecodeError):
            continue
    return None


def _is_regular(document: Document[Any], data: bytes) -> bool:
    """Say whether ``json_documents.regular`` gives this report too, and its jobs only read and write."""
    sizes = 0
    for job in document.jobs:
        of_trim, of_sync = _idle(job.trim), _idle(job.sync)
        if of_trim is None or of_sync is None:
            return False
        sizes += 2 + of_trim + of_sync
    options = (document.options, *(job.options for job in document.jobs))
    return json_documents.is_plain(data, len(document.jobs), sizes, _count) and json_documents.is_short(options)


def _count(data: bytes, text: bytes) -> int:
    """Return how often a text stands in another; in a long one by its rarest letter, five times as fast."""
    if len(data) < _LONG:
        return data.count(text)
    letters = np.frombuffer(data, np.uint8)
    if len(text) == 1:
        return int(np.count_nonzero(letters == text[0]))
    offset = max(range(len(text)), key=lambda place: _RARE.find(text[place : place + 1]))
    places = np.flatnonzero(letters == text[offset])
    if len(places) * _MANY > len(data):
        return data.count(text)
    return sum(data.startswith(text, max(place - offset, 0)) for place in places.tolist())


def _idle(text: msgspec.Raw) -> int | None:
    """Return how often an operation that did nothing states ``io_bytes``; null when it did something, or is odd."""
    if text is ABSENT:
        return 0
    return _idle_text(bytes(text)) if len(text) <= _LONGEST_IDLE else None


@lru_cache(256)
def _idle_text(text: bytes) -> int | None:
    try:
        direction = DIRECTION.decode(text)
    except (msgspec.MsgspecError, RecursionError, UnicodeDecodeError):
        return None
    if direction is None:
        return 0
    is_quiet = json_result.is_empty(direction) and not direction.runtime
    return int(direction.io_bytes is not None) if is_quiet else None


@lru_cache(4096)
def _pointers(place: int) -> tuple[str, str, str]:
    """Return where a job stands in a report, and its reads and writes."""
    point = f"0#/jobs/{place}"
    return point, f"{point}/read", f"{point}/write"


def _plans(document: Document[Any]) -> list[Plan]:
    """Return the plans of the jobs of a report; none when the report is not ordinary."""
    jobs, options = document.jobs, bytes(document.options)
    if len(jobs) > 1 and len({(job.jobname, job.groupid) for job in jobs}) < len(jobs):
        return []
    found = []
    for job in jobs:
        reads, writes = job.read, job.write
        if not _is_sound(reads, writes):
            return []
        longest = max(reads.runtime, writes.runtime)
        seen = max(1, round(job.job_runtime / longest)) if job.job_runtime and longest else None
        plan = json_plan.plan(options, bytes(job.options), job.jobname, seen)
        if plan is None:
            return []
        found.append(plan)
    return found


def _is_sound(reads: Direction[Any], writes: Direction[Any]) -> bool:
    """Say whether a job did something, and each direction can be timed or did nothing at all."""
    if not (reads.runtime and reads.io_bytes if reads.total_ios else _is_idle(reads)):
        return False
    if writes.total_ios:
        return bool(writes.runtime and writes.io_bytes)
    return reads.total_ios > 0 and _is_idle(writes)


def _is_idle(direction: Direction[Any]) -> bool:
    return not (direction.io_bytes or direction.bw_bytes or direction.iops or direction.bw)


def _take_result(taken: Taken, direction: Direction[Any], of_result: tuple[Any, ...], with_bins: bool) -> None:  # noqa: FBT001
    """Pack the numbers of a direction and what it has of percentiles and bins."""
    fields = astuple(direction)
    submission, completion, total = map(astuple, fields[BEFORE:AFTER])
    taken.numbers.append(
        _pack(
            *fields[:BEFORE], *fields[AFTER:END],
            *total[:_LISTED], total[-1] is not ABSENT,
            *completion[:_LISTED], completion[-1] is not ABSENT,
            *submission[:_LISTED], submission[-1] is not ABSENT,
        )
    )  # fmt: skip
    row = len(taken.results)
    if total[_LISTED]:
        _take_percentiles(taken, row, 0, total[_LISTED])
    if completion[_LISTED]:
        _take_percentiles(taken, row, 1, completion[_LISTED])
    if submission[_LISTED]:
        _take_percentiles(taken, row, 2, submission[_LISTED])
    if with_bins:
        for kind, latency in enumerate((direction.lat_ns, direction.clat_ns, direction.slat_ns)):
            if latency.bins is not ABSENT:
                _take_bins(taken, row, kind, latency)
    taken.results.append(of_result)


def _take_percentiles(taken: Taken, row: int, kind: int, reported: Any) -> None:  # noqa: ANN401  (of either decoder)
    is_listed = type(reported) is dict
    keys, values = (tuple(reported), reported.values()) if is_listed else (USUAL, astuple(reported))
    alike = taken.percentiles.get(keys)
    if alike is None:
        alike = taken.percentiles[keys] = Alike(packer("d", len(keys)), [])
    alike.series.append((row, kind, alike.pack(*values)))


def _take_bins(taken: Taken, row: int, kind: int, latency: Latency[Any]) -> None:
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
