"""What ordinary reports are taken apart into: lists of numbers and names, one entry per job, result or series."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

from ingest.readers.fio import json_strict

if TYPE_CHECKING:
    from ingest.readers.fio.json_plan import Plan
    from ingest.record import Result

_FIELDS = json_strict.Direction.__struct_fields__
BEFORE, AFTER, END = map(_FIELDS.index, ("slat_ns", "bw_min", "slat"))
STATISTICS = json_strict.Latency.__struct_fields__.index("percentile")
DIRECTION = _FIELDS[:BEFORE] + _FIELDS[AFTER:END]
LATENCY = json_strict.Latency.__struct_fields__[:STATISTICS]
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
    """Percentiles or bins: result, kind and length of each series, and the keys and values of each."""

    heads: list[tuple[int, int, int]]
    keys: list[Any]
    values: list[Any]


class Rows(NamedTuple):
    """One entry per result in each list but ``jobs``; ``numbers`` has one stretch per result."""

    jobs: list[Planned]
    source_of: list[int]
    job_of: list[int]
    load: list[Result]
    pointer: list[str]
    numbers: list[float]
    """``DIRECTION``, then ``LATENCY`` of each kind."""
    has_bins: list[tuple[bool, ...]]
    percentiles: Series
    """``keys`` are texts, ``values`` nanoseconds, in one list."""
    bins: Series
    """``keys`` are middles, ``values`` counts, packed as 64-bit numbers."""
    odd: list[int]
    """Results whose bins cannot be packed, or are missing."""
