"""
Results of ordinary reports as columns: the formulas of ``json_point`` and ``json_result`` on whole arrays.

Counters times 1000 stay below 2^53 (see ``json_sound``), so that each quotient is rounded once, as it is there.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
import pyarrow as pa

from ingest.readers.fio.json_latency import NANO
from ingest.readers.fio.json_remembered import Loads

if TYPE_CHECKING:
    from ingest.readers.fio.json_numbers import Array, Numbers
    from ingest.readers.fio.json_taken import Rows

Columns = dict[str, "pa.Array[Any]"]
_KIB, _MILLI, _PERCENT = 1024, 1000, 100
_ONE_PER_OPERATION = 0.9
_FIXED: dict[str, Any] = {
    "is_aggregate": False, "is_partial": False, "is_queue_depth_sought": False, "outcome": "ok",
    "latency_resolution_seconds": 1 / NANO,
    "load_basis": "outstanding", "latency_kind": "total", "value_kind": "measured", "statistic": "point",
    "unit_basis": "exact", "is_canonical": True, "printed_unit": "B/s",
}  # fmt: skip
_JOB: dict[str, pa.DataType] = {
    "tool_version": pa.string(), "test_name": pa.string(), "group_index": pa.int64(), "started_at": pa.int64(),
    "ended_at": pa.int64(), "error_count": pa.int64(),
}  # fmt: skip
_FORMATS = pa.array(["json", "json+"])
_SEMANTICS = pa.array(["per_operation", "sum", "per_thread_mean"])
_UNKNOWN = len(_SEMANTICS)
_LOADS = Loads()


def results(rows: Rows, numbers: Numbers) -> Columns:
    """Return the columns of these results that are not null throughout, and ``pointer`` and ``point``."""
    columns = {name: pa.repeat(value, len(rows.numbers)) for name, value in _FIXED.items()}
    columns |= _LOADS.columns(rows.result["load"]) | _jobs(rows, numbers) | _rates(numbers) | _samples(numbers)
    columns["pointer"] = pa.array(list(rows.result["pointer"]))
    has_bins = np.any(list(numbers.has_bins.values()), axis=0)
    columns["source_format"] = _FORMATS.take(pa.array(has_bins.astype(np.int8)))
    for prefix, kind in (("", "total"), ("completion_", "completion"), ("submission_", "submission")):
        latency = numbers.latency[kind]
        absent = (latency["mean"] == 0) & (latency["max"] == 0)
        for name in ("min", "max", "mean", "stddev"):
            columns[f"{prefix}latency_{name}_seconds"] = pa.array(latency[name] / NANO, mask=absent)
    count = numbers.latency["total"]["count"]
    columns["latency_sample_count"] = pa.array(count, mask=count == 0)
    return columns


def _jobs(rows: Rows, numbers: Numbers) -> Columns:
    """Return what the results of a job share."""
    fields = rows.job
    columns = {name: pa.array(fields[name], kind) for name, kind in _JOB.items()}
    for name in ("cpu_user", "cpu_system"):
        columns[f"{name}_ratio"] = pa.array(np.array(fields[f"{name}_percent"]) / _PERCENT)
    columns["point"] = pa.array(fields["point"])
    columns["scope"] = pa.array(["group" if plan.job_count > 1 else "job" for plan in rows.plans])
    return _spread(columns, pa.array(numbers.job, pa.int64()))


def _spread(columns: Columns, rows: pa.Array[Any]) -> Columns:
    """Return columns with a value for each of these rows."""
    taken = pa.RecordBatch.from_pydict(columns).take(rows)
    return dict(zip(columns, taken.columns, strict=True))


def _rates(numbers: Numbers) -> Columns:
    of = numbers.direction
    return {
        "transferred_bytes": pa.array(of["io_bytes"]),
        "operation_count": pa.array(of["total_ios"]),
        "duration_seconds": pa.array(of["runtime"] / _MILLI),
        "throughput_bytes_per_second": pa.array(of["io_bytes"] * _MILLI / of["runtime"]),
        "operations_per_second": pa.array(of["total_ios"] * _MILLI / of["runtime"]),
        "printed_value": pa.array(of["bw_bytes"].astype(np.float64)),
    }


def _samples(numbers: Numbers) -> Columns:
    of = numbers.direction
    absent, without = of["bw_max"] == 0, of["iops_max"] == 0
    columns = {
        f"throughput_sample_{name}_bytes_per_second": pa.array(of[key] * _KIB, mask=absent)
        for name, key in (("min", "bw_min"), ("max", "bw_max"), ("mean", "bw_mean"), ("stddev", "bw_dev"))
    }
    for name in ("min", "max", "mean", "stddev"):
        columns[f"operations_sample_{name}_per_second"] = pa.array(of[f"iops_{name}"], mask=without)
    columns["sample_count"] = pa.array(of["bw_samples"], mask=absent)
    columns["sampling_semantics"] = _semantics(numbers, absent)
    return columns


def _semantics(numbers: Numbers, absent: Array) -> pa.Array[Any]:
    """Say what the samples describe, as ``json_result`` does."""
    of, jobs = numbers.direction, numbers.job_count
    mean, rate = of["bw_mean"] * _KIB, of["io_bytes"] * _MILLI / of["runtime"]
    is_each = (of["bw_samples"] > 0) & (of["bw_samples"] >= _ONE_PER_OPERATION * of["total_ios"])
    is_sum = (jobs == 1) | (mean * mean * jobs > rate * rate)
    found = np.select([absent, is_each, (jobs > 1) & (mean == 0), is_sum], [_UNKNOWN, 0, _UNKNOWN, 1], 2)
    return _SEMANTICS.take(pa.array(found, mask=found == _UNKNOWN))
