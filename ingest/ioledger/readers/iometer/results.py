"""Runs as results: one per operation that completed any I/O, and their sum when both did."""

from __future__ import annotations

from datetime import date
from typing import TYPE_CHECKING, Any

from ioledger.plausibility import busy, impossible
from ioledger.readers.base import Bins, Finding, Result
from ioledger.readers.iometer.checks import check
from ioledger.readers.iometer.header import edges
from ioledger.readers.iometer.samples import samples
from ioledger.readers.iometer.specs import PERCENT, as_json, workload
from ioledger.readers.iometer.units import is_network, units

if TYPE_CHECKING:
    from ioledger.readers.base import Reading, Source
    from ioledger.readers.iometer.header import Header
    from ioledger.readers.iometer.parts import Run, Scan
    from ioledger.readers.iometer.units import Unit

PREFIXES = {"read": "Read ", "write": "Write ", "mixed": ""}
MEBI, MILLI = 1 << 20, 1000
PRINTED = 1e-9  # six decimals of a millisecond
PRINTED_RATE = 1e-6  # finer than counts over the time all workers share: they stop one after another
_NETWORK = "a network test: its ALL row counts both ends of every connection, so its workers are read instead ({})"


def read_runs(scan: Scan, source: Source, reading: Reading) -> None:
    """Add everything that a scan found to the reading."""
    reading.document_count = scan.test_count
    reading.tool_version = next((run.test.version for run in scan.runs if run.test.version), None)
    formats = {run.header.source_format for run in scan.runs if run.header}
    reading.source_format = ", ".join(sorted(formats)) or "csv"
    reading.refusals += scan.refusals
    reading.warnings += scan.findings
    reading.local_days = sorted({day for run in scan.runs if (day := _day(run.started)) is not None})
    for run in scan.runs:
        if run.header and run.is_closed and run.is_sound:
            _read_run(run, run.header, source, reading)


def _day(stamp: str | None) -> date | None:
    """Return the day of a time stamp as it is printed; null where there is none, or no such day."""
    try:
        return date.fromisoformat(stamp[:10]) if stamp else None
    except ValueError:
        return None


def _read_run(run: Run, header: Header, source: Source, reading: Reading) -> None:
    is_mirrored = is_network(run)
    if header.is_instantaneous and is_mirrored:
        message = f"the run on line {run.line} is a network test, whose updates count both ends: it is left out"
        reading.warnings.append(Finding("R-IOMETER-NETWORK-2", message, f"line {run.line}"))
        return
    found, parts, faults = units(run, header, is_mirrored=is_mirrored)
    reading.refusals += faults
    point = ""
    for unit in found:
        results = _results(unit, run, header)
        reading.results += results
        reading.warnings += check(unit, parts, results)
        reading.warnings += impossible.findings(results, "R-IOMETER-LATENCY-1")
        reading.warnings += busy.findings(results, "R-IOMETER-CPU-2")
        point = results[0].repetition if results else point
    if found and is_mirrored:
        pointer = point or f"line {run.line}"
        reading.warnings.append(Finding("R-IOMETER-NETWORK-1", _NETWORK.format(len(found)), pointer))
    if header.is_instantaneous and point:
        rows, findings = samples(run, header, source, point, found[0].settings["# Workers"])
        kept = reading.rows.setdefault("samples", [])
        kept += [{"sample_index": index, **row} for index, row in enumerate(rows, len(kept) + 1)]
        reading.warnings += findings


def _results(unit: Unit, run: Run, header: Header) -> list[Result]:
    """Return the results of one row; bins count reads and writes together, so the widest result carries them."""
    active = [name for name in ("read", "write") if unit.figures[f"{PREFIXES[name]}I/Os"]]
    if len(active) > 1:
        active.append("mixed")
    common = _common(unit, run, header)
    point = f"line {unit.line}"
    results = [
        Result(
            pointer=f"{point}, {operation}",
            repetition=point,
            operation=operation,
            is_aggregate=operation == "mixed",
            **common | workload(unit.spec, operation) | _measures(unit, operation),
        )
        for operation in active
    ]
    if results and any(unit.bins):
        results[-1].bins = {"total": _bins(unit)}
    return results


def _common(unit: Unit, run: Run, header: Header) -> dict[str, Any]:
    """Return the columns that all operations of a row share."""
    settings, test = unit.settings, run.test
    stated = {
        "test type": test.kind,
        "test description": test.description,
        "starting sector": settings["Starting Sector"],
        "maximum size": settings["Maximum Size"],
    }
    return {
        "tool_version": test.version,
        "source_format": header.source_format,
        "scope": unit.scope,
        "outcome": "aborted" if run.is_aborted else "ok",
        "test_name": unit.name,
        "queue_depth": unit.queue_depth,
        "queue_depth_origin": None if unit.queue_depth is None else "file",
        "outstanding_per_target_count": settings["Queue Depth"] or None,
        "target_count": settings["# Disks"] or None,
        "process_count": 1 if unit.scope == "worker" else settings["# Workers"] or None,
        "job_options": as_json(unit.spec, stated),
        "duration_seconds": unit.duration,
        "latency_kind": "total",
        "latency_resolution_seconds": max(1 / unit.ticks, PRINTED) if unit.ticks else None,
        "cpu_busy_ratio": _share(unit, "% CPU Utilization"),
        "cpu_user_ratio": _share(unit, "% User Time"),
        "cpu_system_ratio": _share(unit, "% Privileged Time"),
        "printed_unit": header.unit,
    }


def _measures(unit: Unit, operation: str) -> dict[str, Any]:
    """Return what one operation measured; the mixed figures are those that Iometer itself computed for both."""
    figures, prefix = unit.figures, PREFIXES[operation]
    if operation == "mixed":
        operations = figures["Read I/Os"] + figures["Write I/Os"]
        transferred = figures["Bytes Read"] + figures["Bytes Written"]
    else:
        operations = figures[f"{prefix}I/Os"]
        transferred = figures["Bytes Read" if operation == "read" else "Bytes Written"]
    printed = figures[f"{prefix}Binary"]
    return {
        "operation_count": int(operations),
        "transferred_bytes": int(transferred),
        "error_count": int(figures[f"{prefix}Errors"]),
        "operations_per_second": float(figures[f"{prefix}IOps"]),
        "operations_basis": "printed",
        "operations_resolution_per_second": PRINTED_RATE,
        "throughput_bytes_per_second": transferred / unit.duration if unit.duration else printed * MEBI,
        "printed_value": float(printed),
        "unit_basis": "exact" if unit.duration else "base2",
        "latency_mean_seconds": figures[f"Average {prefix}Response Time"] / MILLI or None,
        "latency_max_seconds": figures[f"Maximum {prefix}Response Time"] / MILLI or None,
    }


def _bins(unit: Unit) -> Bins:
    """Return the filled bins; the last one is open."""
    low = edges(unit.ticks)
    high = (*low[1:], None)
    return Bins.of(row for row in zip(low, high, unit.bins, strict=True) if row[2])


def _share(unit: Unit, name: str) -> float | None:
    """Return a share of processor time; more than all of it is no share."""
    percent = unit.figures.get(name)
    return percent / PERCENT if percent is not None and percent <= PERCENT else None
