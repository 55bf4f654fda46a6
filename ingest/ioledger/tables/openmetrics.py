"""
Results as OpenMetrics, for what scrapes or collects text files: gauges in base units, and ``# EOF`` at the end.

A series is one result: its labels are the place it was read from, operation, block size and queue depth. Which bytes
and which version of a tool stand behind a place is told once, by ``ioledger_run_info``, so that series keep their
labels when a file is measured anew. Source: OpenMetrics 1.0; a unit must be the suffix of its metric's name.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pyarrow as pa
import pyarrow.compute as pc

if TYPE_CHECKING:
    from collections.abc import Iterator

TAIL = 0.99
"""The percentile that is exposed."""
NEEDED = (
    "result_id", "source_path", "source_pointer", "source_sha256", "tool", "tool_version", "operation",
    "block_size_bytes", "queue_depth", "operations_per_second", "throughput_bytes_per_second",
    "latency_mean_seconds", "latency_min_seconds", "latency_max_seconds", "duration_seconds",
)  # fmt: skip
_ESCAPES = str.maketrans({"\\": "\\\\", '"': '\\"', "\n": "\\n"})


_FAMILIES = {
    "operations_per_second": ("", "Operations completed per second (IOPS)."),
    "throughput_bytes_per_second": ("bytes_per_second", "Bytes moved per second."),
    "latency_mean_seconds": ("seconds", "Mean latency of an operation."),
    "latency_min_seconds": ("seconds", "Shortest latency of an operation."),
    "latency_max_seconds": ("seconds", "Longest latency of an operation."),
    "latency_p99_seconds": (
        "seconds", "Latency that 99 % of operations do not exceed; of completion where there is no other.",
    ),
    "duration_seconds": ("seconds", "How long was measured."),
}  # fmt: skip
"""Metrics by the column that they show: unit (the suffix of the name), and what each says."""


class Exposition:
    """Results that come chunk by chunk, and their text at the end: the samples of a metric must stand together."""

    def __init__(self) -> None:
        """Begin without any."""
        self.rows: list[dict[str, Any]] = []

    def add(self, results: bytes, percentiles: bytes) -> None:
        """Add the results of a chunk: both tables as Arrow IPC streams."""
        rows = pa.ipc.open_stream(results).read_all().select(NEEDED).to_pylist()
        p99 = tails(percentiles, TAIL)
        for row in rows:
            row["latency_p99_seconds"] = p99.get(row["result_id"])
        self.rows += rows

    def text(self) -> str:
        """Return the whole exposition."""
        return "".join(f"{line}\n" for line in self._lines())

    def _lines(self) -> Iterator[str]:
        labels = [_labels(row, ("point", "operation", "block", "depth")) for row in self.rows]
        for column, (unit, said) in _FAMILIES.items():
            name = f"ioledger_{column}"
            yield f"# TYPE {name} gauge"
            if unit:
                yield f"# UNIT {name} {unit}"
            yield f"# HELP {name} {said}"
            for row, label in zip(self.rows, labels, strict=True):
                if (value := row[column]) is not None:
                    yield f"{name}{{{label}}} {value!r}"
        yield "# TYPE ioledger_run_info gauge"
        yield "# HELP ioledger_run_info Which file and which version of a tool a point is from."
        for row in self.rows:
            yield f"ioledger_run_info{{{_labels(row, ('point', 'sha256', 'tool', 'version'))}}} 1"
        yield "# EOF"


def _labels(row: dict[str, Any], names: tuple[str, ...]) -> str:
    values = {
        "point": f"{row['source_path']}#{row['source_pointer']}",
        "operation": row["operation"],
        "block": row["block_size_bytes"],
        "depth": row["queue_depth"],
        "sha256": row["source_sha256"],
        "tool": row["tool"],
        "version": row["tool_version"],
    }
    labels = ((name, str(values[name]).translate(_ESCAPES)) for name in names if values[name] is not None)
    return ",".join(f'{name}="{value}"' for name, value in labels)


def tails(percentiles: bytes, ratio: float) -> dict[str, float]:
    """Return the latency in seconds that a share of operations does not exceed, by result; from an Arrow IPC stream."""
    table = pa.ipc.open_stream(percentiles).read_all()
    rows = table.filter(pc.equal(table["percentile_ratio"], pa.scalar(ratio))).to_pylist()
    found: dict[str, float] = {}
    for kind in ("completion", "total"):
        found |= {row["result_id"]: row["latency_seconds"] for row in rows if row["latency_kind"] == kind}
    return found
