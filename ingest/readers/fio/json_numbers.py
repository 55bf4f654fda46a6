"""The numbers of ordinary reports as one array per key of the report."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from ingest import impossible
from ingest.readers.fio.json_taken import DIRECTION, KINDS, LATENCY, NUMBERS

if TYPE_CHECKING:
    from ingest.readers.fio.json_taken import Rows

    Array = np.ndarray[Any, Any]

_MILLI = 1000
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
    longest: Array
    """Seconds that no operation of the run exceeds."""


def numbers(rows: Rows) -> Numbers:
    """Return the numbers of these results."""
    packed = np.frombuffer(b"".join(rows.numbers), np.float64).reshape(-1, len(NUMBERS))
    found = dict(zip(NUMBERS, packed.T.copy(), strict=True))
    is_large = np.zeros(len(packed), np.bool_)
    for name in NUMBERS:
        if name.rpartition("/")[2] in _COUNTERS:
            is_large |= found[name] > LARGEST
            found[name] = np.minimum(found[name], LARGEST).astype(np.int64)
    job = np.array(rows.result["job"], np.int64)
    return Numbers(
        direction={name: found[name] for name in DIRECTION},
        latency={kind: {name: found[f"{kind}/{name}"] for name in LATENCY} for kind in KINDS},
        has_bins={kind: found[f"{kind}/has_bins"] > 0 for kind in KINDS},
        is_large=is_large,
        job=job,
        job_count=np.array([plan.job_count for plan in rows.plans], np.int64)[job],
        queue_depth=np.array([plan.queue_depth for plan in rows.plans], np.int64)[job],
        block_size=np.array([load.block_size_min_bytes or 0 for load in rows.result["load"]], np.int64),
        longest=_longest(found["runtime"] / _MILLI, rows),
    )


def _longest(run: Array, rows: Rows) -> Array:
    """Return what ``impossible.longest`` gives for each result; an ordinary report states its ramp."""
    ramp = np.array([load.ramp_seconds or 0 for load in rows.result["load"]])
    limit: Array = np.where(ramp > 0, (run + ramp) * impossible.OVER_RAMP, run * impossible.CLOCK + impossible.TICK)
    return limit
