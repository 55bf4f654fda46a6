"""The numbers of ordinary reports as one array per key of the report."""

from __future__ import annotations

import struct
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from ingest.readers.fio.json_taken import DIRECTION, KINDS, LATENCY

if TYPE_CHECKING:
    from ingest.readers.fio.json_taken import Rows

    Array = np.ndarray[Any, Any]

LARGEST = 2**53 // 1000
"""Counters up to here can be multiplied by 1000 without being rounded; larger ones are left to the other way."""
_COUNTERS = frozenset({"io_bytes", "io_kbytes", "bw_bytes", "runtime", "total_ios", "bw_samples", "count"})


class Numbers(NamedTuple):
    """Arrays by key, of the directions and of each kind of latency (in nanoseconds); and of their jobs' plans."""

    direction: dict[str, Array]
    latency: dict[str, dict[str, Array]]
    has_bins: dict[str, Array]
    is_large: Array
    """Where a counter is beyond ``LARGEST``."""
    job: Array
    job_count: Array
    queue_depth: Array
    block_size: Array
    """The smallest block; zero where none is stated."""


def floats(values: list[float]) -> Array:
    """Return numbers as an array; packing them first is three times as fast as giving them to numpy."""
    return np.frombuffer(struct.pack(f"={len(values)}d", *values), np.float64)


def numbers(rows: Rows) -> Numbers:
    """Return the numbers of these results."""
    names = [*DIRECTION, *(f"{kind}/{name}" for kind in KINDS for name in LATENCY)]
    found = dict(zip(names, floats(rows.numbers).reshape(-1, len(names)).T, strict=True))
    is_large = np.zeros(len(rows.load), np.bool_)
    for name in names:
        if name.rpartition("/")[2] in _COUNTERS:
            is_large |= found[name] > LARGEST
            found[name] = np.minimum(found[name], LARGEST).astype(np.int64)
    job = np.array(rows.job_of, np.int64)
    plans = np.array([(one.plan.job_count, one.plan.queue_depth) for one in rows.jobs], np.int64)[job]
    return Numbers(
        direction={name: found[name] for name in DIRECTION},
        latency={kind: {name: found[f"{kind}/{name}"] for name in LATENCY} for kind in KINDS},
        has_bins=dict(zip(KINDS, np.array(rows.has_bins, np.bool_).T, strict=True)),
        is_large=is_large,
        job=job,
        job_count=plans[:, 0],
        queue_depth=plans[:, 1],
        block_size=np.array([load.block_size_min_bytes or 0 for load in rows.load], np.int64),
    )
