"""
The shape of fio's JSON report: the keys that are read, as types.

Keys that are not listed are skipped without being decoded. Every key is optional, because versions differ; numbers are
bounded so that they fit the 64-bit columns. Latency keys with ``_ns`` are nanoseconds (2.99 and later), the bare ones
microseconds. Source: fio's ``stat.c``, ``show_thread_status_json()`` and ``add_ddir_status_json()``.
"""

from __future__ import annotations

from typing import Annotated

import msgspec

Count = Annotated[int, msgspec.Meta(ge=0, le=2**63 - 1)]
Whole = Annotated[int, msgspec.Meta(ge=-(2**63), le=2**63 - 1)]
Number = Annotated[float, msgspec.Meta(ge=0, le=2**63)]
Text = Annotated[str, msgspec.Meta(max_length=4096)]
"""A name; fio's own are much shorter."""
Percentiles = Annotated[dict[str, Number], msgspec.Meta(max_length=100)]
"""``percentile_list`` holds at most twenty."""
ABSENT = msgspec.Raw()
"""What a key that is not there decodes to; compare by identity."""


class Latency(msgspec.Struct, gc=False):
    """Latency statistics of one kind; ``bins`` stay undecoded until they are wanted."""

    min: Number | None = None
    max: Number | None = None
    mean: Number | None = None
    stddev: Number | None = None
    count: Count | None = msgspec.field(default=None, name="N")
    percentile: Percentiles | None = None
    bins: msgspec.Raw = ABSENT


class Direction(msgspec.Struct, gc=False):
    """What one operation did: ``read``, ``write``, ``trim``, ``sync`` or ``mixed``."""

    io_bytes: Count | None = None
    io_kbytes: Count | None = None
    bw_bytes: Count | None = None
    bw: Number | None = None
    iops: Number | None = None
    runtime: Count | None = None
    total_ios: Count | None = None
    slat_ns: Latency | None = None
    clat_ns: Latency | None = None
    lat_ns: Latency | None = None
    slat: Latency | None = None
    clat: Latency | None = None
    lat: Latency | None = None
    bw_min: Number | None = None
    bw_max: Number | None = None
    bw_mean: Number | None = None
    bw_dev: Number | None = None
    bw_samples: Count | None = None
    iops_min: Number | None = None
    iops_max: Number | None = None
    iops_mean: Number | None = None
    iops_stddev: Number | None = None
    iops_samples: Count | None = None


class SteadyState(msgspec.Struct, gc=False):
    """The steady-state criterion and whether it was met."""

    ss: Text | None = None
    attained: Count | None = None


class Job(msgspec.Struct, gc=False):
    """One object of ``jobs`` or ``client_stats``: a job, a group of jobs, or all clients."""

    jobname: Text | None = None
    groupid: Whole | None = None
    job_start: Count | None = None
    error: Whole | None = None
    total_err: Count | None = None
    options: msgspec.Raw = msgspec.field(default=ABSENT, name="job options")
    read: Direction | None = None
    write: Direction | None = None
    trim: Direction | None = None
    sync: Direction | None = None
    mixed: Direction | None = None
    job_runtime: Count | None = None
    usr_cpu: Number | None = None
    sys_cpu: Number | None = None
    latency_depth: Count | None = None
    latency_target: Count | None = None
    steadystate: SteadyState | None = None
    hostname: Text | None = None
    port: Whole | None = None


class Document(msgspec.Struct, gc=False):
    """One report."""

    version: Text | None = msgspec.field(default=None, name="fio version")
    timestamp: Count | None = None
    timestamp_ms: Count | None = None
    options: msgspec.Raw = msgspec.field(default=ABSENT, name="global options")
    jobs: list[Job] = []
    client_stats: list[Job] = []


OPERATIONS = ("read", "write", "trim", "sync", "mixed")
DOCUMENT = msgspec.json.Decoder(Document)
DIRECTION = msgspec.json.Decoder(Direction | None)
BINS = msgspec.json.Decoder(dict[int, Count])
NAMED_BINS = msgspec.json.Decoder(dict[str, Count])
