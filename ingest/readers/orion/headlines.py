"""
ORION's headlines: three figures of three points of the sweep, each a result of its own.

From 12c on, latency lines and a histogram follow a headline and are of the same point. A line for one direction alone
tells the headline's operation; lines for both give a result each. A latency without a unit is in milliseconds, which
only 11.1 and older print.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

from ingest.readers.orion.cells import MICRO, MILLI, Key, measured
from ingest.readers.orion.histogram import bins_of
from ingest.readers.orion.setup import Setup, columns
from ingest.record import Result

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from ingest.readers.orion.report import Headline, Latency, Report

_QUANTITY = {"Large MBPS": "mbps", "Small IOPS": "iops", "Small Latency": "latency"}
_MICROSECONDS_SINCE = (11, 2)
_TOLERANCE = 0.05


def refuse_unknown_units(report: Report) -> None:
    """Refuse a latency without a unit from a version that is known to print one."""
    version = re.search(r"(\d{1,4})\.(\d{1,4})", report.facts.get("version", ""))
    if version is None or (int(version[1]), int(version[2])) < _MICROSECONDS_SINCE:
        return
    for headline in report.headlines:
        if headline.quantity == "Small Latency" and not headline.unit:
            report.refuse(headline.line, "the unit of the latency (usecs) is missing", "R-ORION-8")


def results(report: Report, setup: Setup, cells: Mapping[Key, Result]) -> Iterator[Result]:
    """Give the results of the headlines; a figure that a matrix of the same file holds too is not canonical."""
    split = set[tuple[str, str]]()
    for headline in report.headlines:
        quantity = _QUANTITY[headline.quantity]
        io = "large" if quantity == "mbps" else "small"
        if not float(headline.text):
            report.warn(headline.line, "a point that did nothing: no row", "R-ORION-11")
            continue
        shared = columns(setup, headline.point, io) | {
            "source_format": "console" if "console" in report.forms else "summary"
        }
        statistic = "minimum" if quantity == "latency" else "peak"
        result = Result(pointer=f"line {headline.line}", statistic=statistic, **shared, **_own(headline, quantity))
        told = list(headline.latencies.values())
        if len(told) == 1 and (result.read_ratio is None or result.operation == told[0].operation):
            _complete(result, told.pop())
        result.bins = bins_of(headline, result.operation, report) if not told else {}
        _compare(result, quantity, headline, cells.get((headline.point, io)), report)
        yield result
        for latency in told:
            if (result.point, latency.operation) not in split:
                split.add((result.point, latency.operation))
                yield _alone(latency, shared, headline, report)


def _own(headline: Headline, quantity: str) -> dict[str, Any]:
    """Return the columns of the headline's own figure."""
    unit = MICRO if headline.unit else MILLI
    printed = {"printed_value": float(headline.text), "printed_text": headline.text}
    printed_unit = {"mbps": "MBPS", "iops": "IOPS", "latency": headline.unit}[quantity]
    return printed | {"printed_unit": printed_unit} | measured(quantity, headline.text, unit)


def _stats(latency: Latency) -> dict[str, Any]:
    """Return the columns of a latency line, which is in microseconds."""
    names = {"mean": latency.mean, "min": latency.low, "max": latency.high, "stddev": latency.deviation}
    values = {f"latency_{name}_seconds": round(float(text) * MICRO, 12) for name, text in names.items()}
    return measured("latency", latency.mean, MICRO) | {name: value or None for name, value in values.items()}


def _complete(result: Result, latency: Latency) -> None:
    """Add the one latency line below a headline to its result; a mean that the headline states stays."""
    stated = result.latency_mean_seconds
    for name, value in _stats(latency).items():
        if stated is None or name not in {"latency_mean_seconds", "latency_resolution_seconds"}:
            setattr(result, name, value)
    result.operation = latency.operation


def _alone(latency: Latency, shared: dict[str, Any], headline: Headline, report: Report) -> Result:
    """Return the result of one direction of a point that was measured for reads and writes together."""
    columns_of_line = shared | {"operation": latency.operation} | _stats(latency)
    bins = bins_of(headline, latency.operation, report)
    return Result(pointer=f"line {latency.line}", bins=bins, **columns_of_line)


def _compare(result: Result, quantity: str, headline: Headline, cell: Result | None, report: Report) -> None:
    """Note where a headline contradicts Little's law, its latency line, or the matrix in the same file."""
    rate, mean = result.operations_per_second, result.latency_mean_seconds
    if rate and mean and headline.point.small and abs(rate * mean / headline.point.small - 1) > _TOLERANCE:
        report.warn(headline.line, "IOPS times mean latency is not the number of small I/Os", "R-ORION-10")
    line = next(iter(headline.latencies.values()), None)
    if quantity == "latency" and len(headline.latencies) == 1 and line and mean:
        coarse = max(MICRO / 10 ** len(text.partition(".")[2]) for text in (line.mean, headline.text))
        if abs(float(line.mean) * MICRO - mean) > coarse:
            report.warn(line.line, "the mean latency is not the headline's", "R-ORION-12")
    if cell is None:
        return
    name = {"mbps": "printed_value", "iops": "operations_per_second", "latency": "latency_mean_seconds"}[quantity]
    value = getattr(cell, name)
    if value is not None:
        result.is_canonical = False
        if value != getattr(result, name):
            report.warn(headline.line, f"the matrix has another value at {headline.point}", "R-ORION-12")


def contradictions(report: Report, points: int | None) -> None:
    """
    Note what the headlines and the matrices say twice and differently.

    ``points`` counts the filled cells of all matrices, null when one is missing: ORION adds the idle point.
    """
    stated = report.facts.get("points")
    if points is not None and stated is not None and int(stated) != points + 1:
        report.warn(1, f"{points} points are filled, {stated} were announced with the idle one", "R-ORION-13")
    found = {headline.quantity: headline for headline in report.headlines}
    rate, shortest = found.get("Small IOPS"), found.get("Small Latency")
    if rate is None or shortest is None or not float(rate.text):
        return
    least = float(shortest.text) * (MICRO if shortest.unit else MILLI)
    if least > (1 + _TOLERANCE) * rate.point.small / float(rate.text):
        what = "the minimum latency is longer than the mean that Little's law gives at the maximum IOPS"
        report.warn(shortest.line, what, "R-ORION-10")
