"""
What one operation of a block of fio's human output measured, as the columns of a result.

Source: fio's ``stat.c``, ``show_ddir_status()`` and ``show_thread_status_normal()``.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ioledger.readers.base import Finding
from ioledger.readers.fio import counted, latency, printed
from ioledger.readers.fio.normal_block import OPERATIONS

if TYPE_CHECKING:
    from ioledger.readers.base import Reading, Result
    from ioledger.readers.fio.normal_block import Block, Direction


def columns(block: Block, direction: Direction, reading: Reading) -> dict[str, Any]:
    """Return what a block says of one operation."""
    count, figures = _count(block, direction.operation), direction.figures
    main = next((name for name in ("lat", "clat") if name in direction.units), None)
    measured: dict[str, Any] = {
        "operation_count": count,
        "latency_resolution_seconds": direction.units[main] if main else None,
        "percentiles": {kind: values for kind, values in sorted(direction.percentiles.items()) if any(values.values())},
        **latency.columns(direction.stats),
        **_samples(direction),
    }
    if figures:
        read, disagreement = printed.columns(figures, count)
        measured |= read
        if disagreement:
            reading.warnings.append(Finding("R-FIO-PRINT-1", disagreement, direction.place))
    return measured


def take_rates(result: Result, direction: Direction) -> None:
    """Take throughput from operations, or IOPS from bytes, where these are finer than what is printed."""
    if direction.figures and result.transferred_bytes:
        counted.throughput(result)
        moved, iops = printed.ends(direction.figures)
        counted.rate(result, moved, iops)


def _count(block: Block, operation: str) -> int | None:
    """Return the completed operations; ``mixed`` beside other directions (``both``) has no count of its own."""
    if operation == "mixed":
        return (sum(block.issued[:3]) or None) if len(block.directions) == 1 else None
    index = OPERATIONS.index(operation)
    return (block.issued[index] or None) if index < len(block.issued) else None


def _samples(direction: Direction) -> dict[str, Any]:
    names = {"bw": ("throughput", "bytes_per_second"), "iops": ("operations", "per_second")}
    found: dict[str, Any] = {}
    for name, samples in direction.samples.items():
        quantity, unit = names[name]
        if samples.values[1]:
            for statistic, value in zip(("min", "max", "mean", "stddev"), samples.values, strict=True):
                found[f"{quantity}_sample_{statistic}_{unit}"] = value
            found["sample_count"] = samples.sample_count
    return found
