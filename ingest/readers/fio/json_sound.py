"""
Which results of ordinary reports may have something odd about them: the checks of the row path on whole arrays.

A report with such a result is read again one result at a time, and that reading says what is odd. So a check here may
be stricter than its counterpart in ``json_checks`` or ``point_checks``, but never milder.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from ingest import busy
from ingest.readers.fio.json_latency import NANO

if TYPE_CHECKING:
    from ingest.readers.fio.json_numbers import Array, Numbers
    from ingest.readers.fio.json_taken import Rows

_KIB, _MILLI, _PERCENT = 1024, 1000, 100
_ROUNDING, _LOOSE = 1e-3, 0.01
_TOO_MANY, _TOO_FEW = 1.05, 0.9
_MIX, _SHORT = 0.05, 0.9


def odd(rows: Rows, numbers: Numbers) -> Array:
    """Return for each result whether it, or another of its job, needs a look."""
    of_job = _depth(rows, numbers) | _mix(rows, numbers) | _time(rows, numbers) | _busy(rows)
    of_result = _counters(numbers) | _rates(numbers) | _latencies(numbers) | _moved(rows, numbers)
    of_result[rows.odd] = True
    return of_result | of_job[numbers.job]


def _counters(numbers: Numbers) -> Array:
    """Expect counters that quotients are exact for, and bytes to be operations times the block size."""
    of, behind = numbers.direction, numbers.latency["total"]["count"]
    is_far: Array = _differ(behind, of["total_ios"], _LOOSE, numbers.queue_depth) & (behind > 0)
    is_other: Array = np.abs(of["io_bytes"] / _KIB - of["io_kbytes"]) > 1
    is_other |= of["io_bytes"] != of["total_ios"] * numbers.block_size.astype(float)
    return numbers.is_large | is_far | is_other


def _rates(numbers: Numbers) -> Array:
    """Expect bytes and operations over time to be the printed rates."""
    of = numbers.direction
    throughput, rate = (of[name] * _MILLI / of["runtime"] for name in ("io_bytes", "total_ios"))
    slack = 1 + _KIB * _MILLI / of["runtime"]
    is_other: Array = _differ(throughput, of["bw_bytes"], _ROUNDING, slack)
    is_other |= _differ(of["bw"] * _KIB, of["bw_bytes"], _LOOSE, _KIB)
    return is_other | ((of["iops"] > 0) & _differ(rate, of["iops"], _ROUNDING, 1))


def _latencies(numbers: Numbers) -> Array:
    """Expect a total latency, between its extremes, and not less than its parts."""
    total, parts = numbers.latency["total"], (numbers.latency["completion"], numbers.latency["submission"])
    low, mean, high = total["min"], total["mean"], total["max"]
    whole = sum(part["mean"] for part in parts)
    above = (whole > mean * (1 + _LOOSE)) | (np.maximum(*(part["max"] for part in parts)) > high * (1 + _LOOSE))
    return (low <= 0) | (mean < low) | (high < mean) | above | _impossible(numbers)


def _impossible(numbers: Numbers) -> Array:
    """Expect no latency longer than the run; see ``impossible``."""
    every = [of[name] for of in numbers.latency.values() for name in ("min", "max", "mean", "stddev")]
    too_long: Array = np.max(every, axis=0) / NANO > numbers.longest
    return too_long


def _moved(rows: Rows, numbers: Numbers) -> Array:
    """Expect the percentiles of a histogram under its own kind; see ``json_latency.relabelled``."""
    candidates = numbers.has_bins["total"] & ~numbers.has_bins["completion"]
    if candidates.any():
        kinds = {(row, kind) for alike in rows.percentiles.values() for row, kind, _ in alike.series}
        candidates &= [(row, 0) not in kinds and (row, 1) in kinds for row in range(len(candidates))]
    return candidates


def _depth(rows: Rows, numbers: Numbers) -> Array:
    """Expect Little's law to give the configured depth, by job."""
    rate = numbers.direction["total_ios"] * _MILLI / numbers.direction["runtime"]
    outstanding = _by_job(rows, numbers, rate * (numbers.latency["total"]["mean"] / NANO))
    configured = np.array([plan.queue_depth for plan in rows.plans])
    return (outstanding > configured * _TOO_MANY) | (outstanding < configured * _TOO_FEW)


def _mix(rows: Rows, numbers: Numbers) -> Array:
    """Expect the declared share of reads, by job."""
    counts = numbers.direction["total_ios"]
    is_read = np.array([pointer.endswith("read") for pointer in rows.result["pointer"]])
    share = _by_job(rows, numbers, counts * is_read) / np.maximum(_by_job(rows, numbers, counts), 1)
    declared = np.array([plan.read_ratio for plan in rows.plans])
    is_other: Array = np.abs(share - declared) > _MIX
    return is_other


def _time(rows: Rows, numbers: Numbers) -> Array:
    """Expect a job to have run for as long as it was to run, by job."""
    lasted = np.zeros(len(rows.plans))
    np.maximum.at(lasted, numbers.job, numbers.direction["runtime"] / _MILLI)
    return lasted < _SHORT * np.array([plan.wanted_seconds for plan in rows.plans])


def _busy(rows: Rows) -> Array:
    """Expect fio to wait for the drive, by job."""
    user, system = (np.array(rows.job[f"cpu_{name}_percent"]) / _PERCENT for name in ("user", "system"))
    is_other: Array = (user + system > busy.MOST) & ~np.array([plan.is_busy_by_design for plan in rows.plans])
    return is_other


def _by_job(rows: Rows, numbers: Numbers, values: Array) -> Array:
    return np.bincount(numbers.job, values, len(rows.plans))


def _differ(value: Array, other: Array, share: float, slack: Array | float) -> Array:
    return abs(value - other) > share * np.maximum(value, other) + slack
