"""
The shape of an ordinary report of fio 3.x: the keys of ``json_shape``, with what makes a report ordinary in the types.

A text that decodes as this type decodes as ``json_shape.Document`` too, and means the same. Whatever is rarer (latency
in microseconds, clients, errors, trims, ``unified_rw_reporting``, steady states, depths that were sought) does not
decode, and is read one result at a time. Source: fio's ``stat.c``, ``show_thread_status_json()`` and
``add_ddir_status_json()``, 2.99 to 3.42.
"""

from __future__ import annotations

from typing import Annotated, Any, Generic, Literal, TypeVar

import msgspec

from ingest.readers.fio.json_shape import ABSENT, Count, Number, Percentiles, Text, Whole

P = TypeVar("P")
"""What a list of percentiles decodes to."""
USUAL = (
    "1.000000", "5.000000", "10.000000", "20.000000", "30.000000", "40.000000", "50.000000", "60.000000", "70.000000",
    "80.000000", "90.000000", "95.000000", "99.000000", "99.500000", "99.900000", "99.950000", "99.990000",
)  # fmt: skip
"""The percentiles of a job without ``percentile_list``. Source: fio's ``init.c``, ``def_percentile_list``."""

Zero = Literal[0] | None


class Latency(msgspec.Struct, Generic[P], gc=False, kw_only=True):
    """Latency statistics of one kind in nanoseconds; ``bins`` stay undecoded until they are wanted."""

    min: Number
    max: Number
    mean: Number
    stddev: Number
    count: Count = msgspec.field(default=0, name="N")
    percentile: P | None = None
    bins: msgspec.Raw = ABSENT


class Direction(msgspec.Struct, Generic[P], gc=False, kw_only=True):
    """What reads or writes did; fields stand in the order of the report, where they are found sooner."""

    io_bytes: Count
    io_kbytes: Count
    bw_bytes: Count
    bw: Number
    iops: Number
    runtime: Count
    total_ios: Count
    slat_ns: Latency[P]
    clat_ns: Latency[P]
    lat_ns: Latency[P]
    bw_min: Number
    bw_max: Number
    bw_mean: Number
    bw_dev: Number
    bw_samples: Count
    iops_min: Number
    iops_max: Number
    iops_mean: Number
    iops_stddev: Number
    iops_samples: Count | None = None
    slat: None = None
    clat: None = None
    lat: None = None


class Job(msgspec.Struct, Generic[P], gc=False, kw_only=True):
    """
    One job, or one group of jobs, that ended without error.

    ``trim`` and ``sync`` stay texts: most jobs do neither, and then their texts are the same in every report.
    """

    jobname: Text
    groupid: Whole
    job_start: Count | None = None
    error: Zero = None
    total_err: Count | None = None
    options: msgspec.Raw = msgspec.field(name="job options")
    read: Direction[P]
    write: Direction[P]
    trim: msgspec.Raw = ABSENT
    sync: msgspec.Raw = ABSENT
    mixed: None = None
    job_runtime: Count | None = None
    usr_cpu: Number
    sys_cpu: Number
    latency_depth: Count | None = None
    latency_target: Zero = None
    steadystate: None = None
    hostname: None = None
    port: None = None


class Document(msgspec.Struct, Generic[P], gc=False, kw_only=True):
    """One report, written where the jobs ran."""

    version: Text = msgspec.field(name="fio version")
    timestamp: Count | None = None
    timestamp_ms: Count | None = None
    options: msgspec.Raw = msgspec.field(default=ABSENT, name="global options")
    jobs: list[Job[P]]
    client_stats: Annotated[list[None], msgspec.Meta(max_length=0)] = []


def _decoder(percentiles: Any) -> msgspec.json.Decoder[Document[Any]]:  # noqa: ANN401  (a type)
    kind: Any = Document
    return msgspec.json.Decoder(kind[percentiles])


_Usual = msgspec.defstruct(
    "_Usual",
    [(f"of_{key.replace('.', '_')}", Number, msgspec.field(name=key)) for key in USUAL],
    forbid_unknown_fields=True,
    gc=False,
)
DOCUMENTS = _decoder(_Usual), _decoder(Percentiles)
"""Decoders to try: of the usual percentiles, which take half the time without their names, and of any."""
BINS = msgspec.json.Decoder(dict[int, int])
