"""The suites let believable numbers pass and name the row of one that is not."""

from __future__ import annotations

from typing import Any

import pyarrow as pa
import pytest

from ingest import expect
from ingest.tables import arrow_schema, tables

GOOD: dict[str, Any] = {
    "result_id": "a", "point_id": "p", "submission_id": "s", "source_sha256": "f", "source_path": "report.json",
    "source_pointer": "0#/jobs/0/read", "tool": "fio", "source_format": "json", "scope": "job", "is_aggregate": False,
    "is_partial": False, "outcome": "ok", "operation": "read", "value_kind": "measured", "statistic": "point",
    "unit_basis": "exact", "is_canonical": True, "read_ratio": 1.0, "block_size_bytes": 8192, "queue_depth": 8,
    "duration_seconds": 2.0, "operation_count": 1000, "transferred_bytes": 8_192_000, "operations_per_second": 500.0,
    "throughput_bytes_per_second": 4_096_000.0, "latency_mean_seconds": 0.016, "latency_min_seconds": 0.001,
    "latency_max_seconds": 0.5, "cpu_user_ratio": 0.1,
}  # fmt: skip


def _with_results(*rows: dict[str, Any]) -> dict[str, pa.Table]:
    empty = {name: pa.Table.from_pylist([], arrow_schema(table)) for name, table in tables().items()}
    schema = arrow_schema(tables()["results"])
    nullable = pa.schema([field.with_nullable(nullable=True) for field in schema])
    return {**empty, "results": pa.Table.from_pylist(list(rows), nullable)}


def test_a_believable_result_passes_every_suite() -> None:
    """Nothing is reported, and every expectation leaves a record with its reason."""
    records, problems = expect.run(_with_results(GOOD))
    assert problems == []
    assert all(record["success"] for record in records)
    assert all(record["reason"] for record in records)
    assert len(records) > 40


UNBELIEVABLE: dict[str, dict[str, Any]] = {
    "percent for a share": {"read_ratio": 67.0},
    "microseconds for seconds": {"latency_mean_seconds": 16_000.0, "latency_max_seconds": 20_000.0},
    "KiB for bytes": {"throughput_bytes_per_second": 4_000.0},
    "a mean above the maximum": {"latency_max_seconds": 0.01},
    "a latency of zero": {"latency_mean_seconds": 0.0, "latency_min_seconds": 0.0},
    "twice the operations": {"operations_per_second": 1000.0},
    "a wrong block size": {"block_size_bytes": 4096},
}


@pytest.mark.parametrize("case", UNBELIEVABLE)
def test_an_unbelievable_number_is_named_with_its_row(case: str) -> None:
    """The problem names file and place of the row, the value, and why it is not believed."""
    bad = {**GOOD, "result_id": "b", "source_pointer": "0#/jobs/1/read", **UNBELIEVABLE[case]}
    _, problems = expect.run(_with_results(GOOD, bad))
    assert problems, f"{case} was believed"
    assert {problem.rule for problem in problems} == {"R-EXPECT-1"}
    assert {problem.place for problem in problems} == {"report.json 0#/jobs/1/read"}
