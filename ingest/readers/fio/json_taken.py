"""
What ordinary reports are taken apart into: one tuple per job, one per result, and their numbers packed at once.

Packed numbers take a tenth of the memory of the objects they come from, which are gone before they leave the
processor's caches.
"""

from __future__ import annotations

import struct
from functools import lru_cache
from typing import TYPE_CHECKING, Any, NamedTuple

from ingest.readers.fio import json_strict

if TYPE_CHECKING:
    from collections.abc import Callable

    from ingest.readers.fio.json_plan import Plan

_FIELDS = json_strict.Direction.__struct_fields__
BEFORE, AFTER, END = map(_FIELDS.index, ("slat_ns", "bw_min", "iops_samples"))
DIRECTION = _FIELDS[:BEFORE] + _FIELDS[AFTER:END]
KINDS = {"total": "lat_ns", "completion": "clat_ns", "submission": "slat_ns"}
LATENCY = json_strict.Latency.__struct_fields__[:-2]
"""Without percentiles and bins, which stand last."""
NUMBERS = (*DIRECTION, *(f"{kind}/{name}" for kind in KINDS for name in (*LATENCY, "has_bins")))
JOB = (
    "tool_version", "test_name", "group_index", "started_at", "ended_at", "error_count", "cpu_user_percent",
    "cpu_system_percent", "plan", "point",
)  # fmt: skip
"""What the results of a job share; its plan; its place in the file."""
RESULT = ("source", "job", "load", "pointer")


class Alike(NamedTuple):
    """Percentiles with the same keys: what packs their values, and row, kind of latency and packed values of each."""

    pack: Callable[..., bytes]
    series: list[tuple[int, int, bytes]]


Bins = list[tuple[int, int, int, bytes, bytes]]
"""Row, kind of latency, how many, packed middles and packed counts of each series."""


class Taken(NamedTuple):
    """``JOB`` of each job, ``RESULT`` and packed ``NUMBERS`` of each result; nanoseconds as the report has them."""

    jobs: list[tuple[Any, ...]]
    results: list[tuple[Any, ...]]
    numbers: list[bytes]
    percentiles: dict[tuple[str, ...], Alike]
    bins: Bins
    odd: list[int]
    """Results whose bins cannot be packed, or are missing."""


class Rows(NamedTuple):
    """What was taken, by key: one entry per job, per result, per series."""

    job: dict[str, tuple[Any, ...]]
    result: dict[str, tuple[Any, ...]]
    numbers: list[bytes]
    percentiles: dict[tuple[str, ...], Alike]
    bins: Bins
    odd: list[int]

    @property
    def plans(self) -> tuple[Plan, ...]:
        """The plan of each job."""
        return self.job["plan"]


def rows_of(taken: Taken) -> Rows:
    """Return what was taken with one sequence per key."""
    job = dict(zip(JOB, zip(*taken.jobs, strict=True), strict=True))
    result = dict(zip(RESULT, zip(*taken.results, strict=True), strict=True))
    return Rows(job, result, *taken[2:])


@lru_cache(1024)
def packer(letter: str, count: int) -> Callable[..., bytes]:
    """Return what packs this many numbers (``d``: floats, ``q``: whole), three times as fast as an array takes them."""
    return struct.Struct(f"={count}{letter}").pack
