"""
ORION's headlines: three figures of three points of the sweep, each a result of its own.

From 12c on, latency lines and a histogram follow a headline and are of the same point. A line for one direction alone
tells the headline's operation; lines for both give a result each. A latency without a unit is in milliseconds, which
only 11.1 and older print.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from ioledger.readers.orion.figures import MICRO, MILLI, PUT, is_zero, put_latency, seconds
from ioledger.readers.orion.histogram import bins_of
from ioledger.readers.orion.setup import Load, Setup, load_of, placed

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from ioledger.readers.base import Result
    from ioledger.readers.orion.cells import Results
    from ioledger.readers.orion.matrices import Matrix
    from ioledger.readers.orion.report import Headline, Latency, Report

_QUANTITY = {"Large MBPS": "mbps", "Small IOPS": "iops", "Small Latency": "latency"}
_MICROSECONDS_SINCE = (11, 2)
_TOLERANCE = 0.05


def refuse_unknown_units(report: Report) -> None:
    """Refuse a latency without a unit from a version that is known to print one."""
    bare = [headline for headline in report.headlines if not headline.unit and headline.quantity == "Small Latency"]
    version = re.search(r"(\d{1,4})\.(\d{1,4})", report.facts.get("version", "")) if bare else None
    if version is None or (int(version[1]), int(version[2])) < _MICROSECONDS_SINCE:
        return
    for headline in bare:
        report.refuse(headline.line, "the unit of the latency (usecs) is missing", "R-ORION-8")


def results(report: Report, setup: Setup, cells: Results) -> Iterator[Result]:
    """Give the results of the headlines; a figure that a matrix of the same file holds too is not canonical."""
    split = set[tuple[str, str]]()
    source_format = "console" if "console" in report.forms else "summary"
    for headline in report.headlines:
        quantity = _QUANTITY[headline.quantity]
        io = "large" if quantity == "mbps" else "small"
        if is_zero(headline.text):
            report.warn(headline.line, "a point that did nothing: no row", "R-ORION-11")
            continue
        load = load_of(setup, headline.point.large, io)
        result = _own(headline, quantity, load, source_format)
        told = list(headline.latencies.values())
        if len(told) == 1 and (result.read_ratio is None or result.operation == told[0].operation):
            _complete(result, told.pop())
        result.bins = bins_of(headline, result.operation, report) if not told else {}
        _compare(result, quantity, headline, cells.get(io, {}).get(result.repetition), report)
        yield result
        for latency in told:
            if (result.repetition, latency.operation) not in split:
                split.add((result.repetition, latency.operation))
                alone = placed(load, headline.point.small, f"line {latency.line}")
                alone.source_format = source_format
                alone.bins = bins_of(headline, latency.operation, report)
                _complete(alone, latency)
                yield alone


def _own(headline: Headline, quantity: str, load: Load, source_format: str) -> Result:
    """Return the result of the headline's own figure."""
    result = placed(load, headline.point.small, f"line {headline.line}")
    result.source_format = source_format
    result.statistic = "minimum" if quantity == "latency" else "peak"
    result.printed_value, result.printed_text = float(headline.text), headline.text
    result.printed_unit = {"iops": "IOPS", "mbps": "MBPS"}.get(quantity, headline.unit)
    PUT[quantity](result, headline.text, MICRO if headline.unit else MILLI)
    return result


def _complete(result: Result, latency: Latency) -> None:
    """Add a latency line, which is in microseconds, to the result it tells of; a mean that is known stays."""
    low, high, deviation = (seconds(text, MICRO) or None for text in (latency.low, latency.high, latency.deviation))
    result.latency_min_seconds, result.latency_max_seconds, result.latency_stddev_seconds = low, high, deviation
    if result.latency_mean_seconds is None:
        put_latency(result, latency.mean, MICRO)
        result.latency_mean_seconds = result.latency_mean_seconds or None
    result.operation = latency.operation


def _compare(result: Result, quantity: str, headline: Headline, cell: Result | None, report: Report) -> None:
    """Note where a headline contradicts Little's law, its latency line, or the matrix in the same file."""
    rate, mean = result.operations_per_second, result.latency_mean_seconds
    if rate and mean and headline.point.small and abs(rate * mean / headline.point.small - 1) > _TOLERANCE:
        report.warn(headline.line, "IOPS times mean latency is not the number of small I/Os", "R-ORION-10")
    if quantity == "latency" and len(headline.latencies) == 1 and mean:
        line = next(iter(headline.latencies.values()))
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


def contradictions(report: Report, matrices: Mapping[str, Matrix]) -> None:
    """Note what is said twice and differently: the number of points (ORION adds the idle one), and the headlines."""
    stated = report.facts.get("points")
    if stated is not None and {"iops", "mbps"} <= matrices.keys():
        points = len({point for matrix in matrices.values() for point in matrix.points()})
        if int(stated) != points + 1:
            report.warn(1, f"{points} points are filled, {stated} were announced with the idle one", "R-ORION-13")
    found = {headline.quantity: headline for headline in report.headlines}
    rate, shortest = found.get("Small IOPS"), found.get("Small Latency")
    if rate is None or shortest is None or not float(rate.text):
        return
    least = float(shortest.text) * (MICRO if shortest.unit else MILLI)
    if least > (1 + _TOLERANCE) * rate.point.small / float(rate.text):
        what = "the minimum latency is longer than the mean that Little's law gives at the maximum IOPS"
        report.warn(shortest.line, what, "R-ORION-10")
