"""
Self-checks: what the columns of a result file say twice must agree.

Nothing is mended; each disagreement becomes a finding that names both figures. Rates that are printed are rounded to
six decimals. What a result tells by itself is asked by :mod:`ioledger.checks`.
"""

from __future__ import annotations

from math import isclose
from typing import TYPE_CHECKING

from ioledger.model import Finding
from ioledger.readers.iometer.specs import PERCENT
from ioledger.readers.iometer.text import PROCESSOR, SUMMED
from ioledger.readers.units import MEBI

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ioledger.model import Result
    from ioledger.readers.iometer.rows import Parts, Unit

MEGA = 10**6
SAME, CLOSE = 1e-4, 0.01
ROUNDING = 1.0


def check(unit: Unit, parts: Parts, results: list[Result]) -> Iterator[Finding]:
    """Yield every disagreement inside a row, and between the ALL row and the rows it sums."""
    if not results:
        errors = int(unit.figures["Errors"])
        message = f"the run completed no I/O ({unit.settings['# Workers'] or 0} workers, {errors} errors)"
        yield Finding("R-IOMETER-EMPTY-2", message, f"line {unit.line}")
        return
    pointer = results[-1].pointer
    found = [*_rates(unit), *_counts(unit, results)]
    if unit.spec is None:
        found.append(("R-IOMETER-SPEC-2", "no single access specification describes the run; its workload is unknown"))
    if unit.scope == "all":
        found += _sums(unit, parts)
    for rule, message in found:
        yield Finding(rule, message, pointer)


def _rates(unit: Unit) -> Iterator[tuple[str, str]]:
    """Compare printed rates and mean latencies with each other."""
    figures = unit.figures
    if "Decimal" in figures and not isclose(
        figures["Decimal"] * MEGA, figures["Binary"] * MEBI, rel_tol=SAME, abs_tol=ROUNDING
    ):
        message = f"{figures['Decimal']} decimal and {figures['Binary']} binary MB/s are not the same throughput"
        yield "R-IOMETER-BASE-1", message
    if not isclose(figures["Read IOps"] + figures["Write IOps"], figures["IOps"], rel_tol=SAME, abs_tol=SAME):
        yield "R-IOMETER-MIX-1", "read and write IOPS do not add up to IOPS"
    waited = sum(figures[f"Average {part} Response Time"] * figures[f"{part} I/Os"] for part in ("Read", "Write"))
    operations = figures["Read I/Os"] + figures["Write I/Os"]
    if not isclose(waited, figures["Average Response Time"] * operations, rel_tol=CLOSE, abs_tol=SAME * operations):
        yield "R-IOMETER-MIX-2", "the mean latencies of reads and writes do not make up the mean latency of all I/Os"


def _counts(unit: Unit, results: list[Result]) -> Iterator[tuple[str, str]]:
    """Tell of a maximum that is none, of errors without operations, and of shares that are none."""
    if any(result.latency_mean_seconds and result.latency_max_seconds is None for result in results):
        yield "R-IOMETER-MAX-1", "the largest latency is 0 beside a mean that is not"
    seen = {result.operation for result in results}
    for name in ("Read", "Write"):
        if name.lower() not in seen and (errors := int(unit.figures[f"{name} Errors"])):
            yield "R-IOMETER-ERROR-1", f"no {name.lower()} completed, {errors} failed"
    if any(not unit.figures.get(name, 0) <= PERCENT for name in PROCESSOR):
        yield "R-IOMETER-CPU-1", "the processor time is no share between 0 and 100 %; it is left out"


def _sums(unit: Unit, parts: Parts) -> Iterator[tuple[str, str]]:
    """Compare the ALL row with the sums of managers and of workers, where the file has such rows."""
    for kind, rows in (("managers", parts.managers), ("workers", parts.workers)):
        for name in SUMMED:
            if rows and any(name in row for row in rows):
                total = sum(row.get(name, 0) for row in rows)
                if total != unit.figures[name]:
                    yield "R-IOMETER-SUM-1", f"{name}: the {kind} add up to {total}, not to {unit.figures[name]}"
