"""
The shape of an ordinary report of fio 3.x: the keys of ``json_shape``, with what makes a report ordinary in the types.

A text that decodes as this type decodes as ``json_shape.Document`` too, and means the same. Whatever is rarer (latency
in microseconds, clients, errors, trims, ``unified_rw_reporting``, steady states) does not decode, and is read one
result at a time. Source: fio's ``stat.c``, ``show_thread_status_json()`` and ``add_ddir_status_json()``, 2.99 to 3.42.
"""

from __future__ import annotations

from typing import Annotated, Literal

import msgspec

from ingest.readers.fio.json_shape import ABSENT, Count, Number, Percentiles, Text, Whole

Zero = Literal[0] | None
NoRate = Annotated[float, msgspec.Meta(ge=0, le=0)] | None


class Latency(msgspec.Struct, gc=False, kw_only=True):
    """Latency statistics of one kind in nanoseconds; ``bins`` stay undecoded until they are wanted."""

    min: Number
    max: Number
    mean: Number
    stddev: Number
    count: Count = msgspec.field(default=0, name="N")
    percentile: Percentiles | None = None
    bins: msgspec.Raw = ABSENT


class Direction(msgspec.Struct, gc=False, kw_only=True):
    """What reads or writes did; fields stand in the order of the report, where they are found sooner."""

    io_bytes: Count
    io_kbytes: Count
    bw_bytes: Count
    bw: Number
    iops: Number
    runtime: Count
    total_ios: Count
    slat_ns: Latency
    clat_ns: Latency
    lat_ns: Latency
    bw_min: Number
    bw_max: Number
    bw_mean: Number
    bw_dev: Number
    bw_samples: Count
    iops_min: Number
    iops_max: Number
    iops_mean: Number
    iops_stddev: Number
    slat: None = None
    clat: None = None
    lat: None = None


class Idle(msgspec.Struct, gc=False):
    """An operation that did nothing; what else is printed of it is not looked at."""

    io_bytes: Zero = None
    bw_bytes: Zero = None
    bw: NoRate = None
    iops: NoRate = None
    runtime: Zero = None
    total_ios: Zero = None


class Job(msgspec.Struct, gc=False, kw_only=True):
    """One job, or one group of jobs, that ended without error."""

    jobname: Text
    groupid: Whole
    job_start: Count | None = None
    error: Zero = None
    total_err: Count | None = None
    options: msgspec.Raw = msgspec.field(name="job options")
    read: Direction
    write: Direction
    trim: Idle | None = None
    sync: Idle | None = None
    mixed: None = None
    job_runtime: Count | None = None
    usr_cpu: Number
    sys_cpu: Number
    steadystate: None = None
    hostname: None = None
    port: None = None


class Document(msgspec.Struct, gc=False, kw_only=True):
    """One report, written where the jobs ran."""

    version: Text = msgspec.field(name="fio version")
    timestamp: Count | None = None
    timestamp_ms: Count | None = None
    options: msgspec.Raw = msgspec.field(default=ABSENT, name="global options")
    jobs: list[Job]
    client_stats: Annotated[list[None], msgspec.Meta(max_length=0)] = []


DOCUMENT = msgspec.json.Decoder(Document)
BINS = msgspec.json.Decoder(dict[int, int])
