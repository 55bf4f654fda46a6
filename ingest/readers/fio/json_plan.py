"""
What a job of an ordinary report was asked to do, remembered by the texts of its options.

A plan exists only when nothing about the options gives a finding: none is repeated, none belongs to another job, and
depth, number of jobs and mix of reads and writes are known.
"""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING, NamedTuple

from ingest.readers.fio import json_options, latency, point_checks

if TYPE_CHECKING:
    from ingest.record import Result

_FEW = 4096


class Plan(NamedTuple):
    """The load of a job: results of a read and of a write that state it and nothing else, and what it demands."""

    read: Result
    write: Result
    queue_depth: int
    job_count: int
    read_ratio: float
    wanted_seconds: float
    """How long the job was to run; zero when it was not to run by time."""
    is_busy_by_design: bool
    """Whether its processor is busy while it waits."""


@lru_cache(_FEW)
def plan(global_options: bytes, job_options: bytes, jobname: str, seen: int | None) -> Plan | None:
    """
    Return what a job was asked to do, or null when that is out of the ordinary.

    ``seen`` is how many processes the run times of the job show, null when they do not.
    """
    stated = json_options.read(global_options, job_options)
    values = stated.options.values
    is_odd = (
        stated.repeated
        or stated.is_verified
        or jobname == json_options.ALL_CLIENTS
        or global_options.startswith(b"[")
        or not json_options.is_name(stated.name, jobname)
        or json_options.is_more(stated.numjobs, seen)
        or values.get("lat_percentiles") == "1"
        or "latency_target" in values
        or latency.are_unstarted(values)
    )
    count = stated.numjobs or seen
    if is_odd or not count:
        return None
    read, write = json_options.both(stated.options, count)
    if not read.queue_depth or read.read_ratio is None:
        return None
    wanted = point_checks.wanted_seconds(values) or 0.0
    is_busy = point_checks.waits_busily(read.engine, values)
    return Plan(read, write, read.queue_depth, count, read.read_ratio, wanted, is_busy)
