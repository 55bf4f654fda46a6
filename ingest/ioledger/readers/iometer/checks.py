"""
Self-checks: what a result file says twice must agree.

Nothing is mended; each disagreement becomes a finding that names both figures. Rates that are printed are rounded to
six decimals, and the workers of a run stop one after another, so rates over the common run time agree within a percent.
"""

from __future__ import annotations

from math import isclose
from typing import TYPE_CHECKING

from ioledger.readers.base import Finding
from ioledger.readers.iometer.specs import PERCENT
from ioledger.readers.iometer.text import PROCESSOR, SUMMED
from ioledger.readers.units import MEBI

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ioledger.readers.base import Result
    from ioledger.readers.iometer.rows import Parts, Unit

MEGA = 10**6
SAME, CLOSE, LITTLE = 1e-4, 0.01, 0.05
ROUNDING = 1.0


def check(unit: Unit, parts: Parts, results: list[Result]) -> Iterator[Finding]:
    """Yield every disagreement inside a row, and between the ALL row and the rows it sums."""
    if not results:
        errors = int(unit.figures["Errors"])
        message = f"the run completed no I/O ({unit.settings['# Workers'] or 0} workers, {errors} errors)"
        yield Finding("R-IOMETER-EMPTY-2", message, f"line {unit.line}")
        return
    pointer = results[-1].pointer
    found = [*_rates(unit, results), *_counts(unit, results), *_load(unit, results[-1])]
    if unit.scope == "all":
        found += _sums(unit, parts)
    for rule, message in found:
        yield Finding(rule, message, pointer)


def _rates(unit: Unit, results: list[Result]) -> Iterator[tuple[str, str]]:
    """Compare printed rates with each other and with counts over run time."""
    figures = unit.figures
    if "Decimal" in figures and not isclose(
        figures["Decimal"] * MEGA, figures["Binary"] * MEBI, rel_tol=SAME, abs_tol=ROUNDING
    ):
        message = f"{figures['Decimal']} decimal and {figures['Binary']} binary MB/s are not the same throughput"
        yield "R-IOMETER-BASE-1", message
    for result in results:
        printed, counted = (result.printed_value or 0.0) * MEBI, result.throughput_bytes_per_second or 0.0
        if not isclose(printed, counted, rel_tol=CLOSE, abs_tol=ROUNDING):
            message = f"{printed:.0f} bytes/s are printed, but bytes over run time are {counted:.0f}"
            yield "R-IOMETER-RATE-1", f"{message} ({result.operation})"
        printed, counted = result.operations_per_second or 0.0, (result.operation_count or 0) / (unit.duration or 1)
        if unit.duration and not isclose(printed, counted, rel_tol=CLOSE, abs_tol=SAME):
            message = f"{printed} IOPS are printed, but I/Os over run time are {counted:.6f} ({result.operation})"
            yield "R-IOMETER-RATE-2", message
    if not isclose(figures["Read IOps"] + figures["Write IOps"], figures["IOps"], rel_tol=SAME, abs_tol=SAME):
        yield "R-IOMETER-MIX-1", "read and write IOPS do not add up to IOPS"
    waited = sum(figures[f"Average {part} Response Time"] * figures[f"{part} I/Os"] for part in ("Read", "Write"))
    operations = figures["Read I/Os"] + figures["Write I/Os"]
    if not isclose(waited, figures["Average Response Time"] * operations, rel_tol=CLOSE, abs_tol=SAME * operations):
        yield "R-IOMETER-MIX-2", "the mean latencies of reads and writes do not make up the mean latency of all I/Os"


def _counts(unit: Unit, results: list[Result]) -> Iterator[tuple[str, str]]:
    """Compare bytes with block sizes, bins with operations, means with maxima, errors with operations."""
    for result in results:
        low, high, count = result.block_size_min_bytes, result.block_size_max_bytes, result.operation_count or 0
        moved = result.transferred_bytes or 0
        if low is not None and high is not None and not low * count <= moved <= high * count:
            size = f"{low} bytes" if low == high else f"{low} to {high} bytes"
            yield "R-IOMETER-BLOCK-1", f"{moved} bytes in {count} I/Os ({result.operation}) are not {size} each"
        if (result.latency_mean_seconds or 0) > (result.latency_max_seconds or 0) + 1e-9:
            yield "R-IOMETER-MAX-1", f"the mean latency is above the largest ({result.operation})"
    filled, operations = sum(unit.bins), results[-1].operation_count or 0
    if unit.bins and filled != operations:
        hint = "; Iometer never counts I/Os of 10 s or more" if filled < operations else ""
        yield "R-IOMETER-BINS-1", f"the latency bins hold {filled} of {operations} I/Os{hint}"
    seen = {result.operation for result in results}
    for name in ("Read", "Write"):
        if name.lower() not in seen and (errors := int(unit.figures[f"{name} Errors"])):
            yield "R-IOMETER-ERROR-1", f"no {name.lower()} completed, {errors} failed"
    if any(not unit.figures.get(name, 0) <= PERCENT for name in PROCESSOR):
        yield "R-IOMETER-CPU-1", "the processor time is no share between 0 and 100 %; it is left out"


def _load(unit: Unit, result: Result) -> Iterator[tuple[str, str]]:
    """Compare IOPS times mean latency with the queue depth (Little's law), unless delays pace the load."""
    if unit.spec is None:
        yield "R-IOMETER-SPEC-2", "no single access specification describes the run; its workload is unknown"
    if not unit.queue_depth or (unit.spec and unit.spec.is_paced) or unit.settings["Connections"]:
        return
    achieved = (result.operations_per_second or 0.0) * (result.latency_mean_seconds or 0.0)
    if not isclose(achieved, unit.queue_depth, rel_tol=LITTLE):
        message = f"IOPS times mean latency are {achieved:.2f}, but {unit.queue_depth} I/Os are said to be outstanding"
        yield "R-IOMETER-LITTLE-1", message


def _sums(unit: Unit, parts: Parts) -> Iterator[tuple[str, str]]:
    """Compare the ALL row with the sums of managers and of workers, where the file has such rows."""
    for kind, rows in (("managers", parts.managers), ("workers", parts.workers)):
        for name in SUMMED:
            if rows and any(name in row for row in rows):
                total = sum(row.get(name, 0) for row in rows)
                if total != unit.figures[name]:
                    yield "R-IOMETER-SUM-1", f"{name}: the {kind} add up to {total}, not to {unit.figures[name]}"
