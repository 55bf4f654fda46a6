"""
The unit of a latency matrix: stated above it, or settled by Little's law, or that of the version, or milliseconds.

IOPS times mean latency is the number of small I/Os. Where both matrices are in one file, that settles an unstated
unit and checks a stated one. ORION 11.1 and older write milliseconds, 11.2 and later microseconds; a file without a
unit whose version is told neither by itself nor by the manifest is read as one of 11.1.
"""

from __future__ import annotations

import re
from statistics import median
from typing import TYPE_CHECKING

from ioledger.readers.orion.figures import MICRO, MILLI
from ioledger.readers.orion.matrices import REMEDY, Matrix

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ioledger.readers.orion.report import Report

BEYOND = 1000.0  # as milliseconds this is a second per small I/O: more likely microseconds without their prose
ASSUMED = ("no unit stated: read as milliseconds, which 11.1 and older write", "R-ORION-9")
_TOLERANCE = 0.05
_VERSION = re.compile(r"(\d{1,3})\.(\d{1,3})")
_FIRST_WITH_MICRO = (11, 2)


def settle(found: dict[str, Matrix], report: Report, version: str | None) -> None:
    """
    Give the latency matrix, if there is one, its unit in seconds; what speaks against it is told.

    ``version`` is what is known of the version of ORION that wrote the file.
    """
    if "latency" not in found:
        return
    matrix = found["latency"]
    products = list(_outstanding(found["iops"], matrix)) if "iops" in found else []
    unit = matrix.unit or _unit(matrix, [product for _, product, _ in products], version, report)
    for line, product, slack in products:
        if abs(product * unit - 1) > _TOLERANCE + slack:
            report.warn(line, "IOPS times mean latency is not the number of small I/Os", "R-ORION-10")
    found["latency"] = matrix._replace(unit=unit)


def _unit(matrix: Matrix, products: list[float], version: str | None, report: Report) -> float:
    """Return the unit of latencies that state none; one that is in doubt is refused or told."""
    if products:
        middle = median(products)
        units = [unit for unit in (MILLI, MICRO) if 1 / 2 < middle * unit < 2]  # noqa: PLR2004  (far from 1000)
        if not units:
            what = "IOPS times latency is the number of small I/Os in neither milliseconds nor microseconds"
            report.refuse(matrix.line, what, "R-ORION-8", REMEDY)
        return units[0] if units else MILLI
    known = _VERSION.search(version or "")
    if known and (int(known[1]), int(known[2])) >= _FIRST_WITH_MICRO:
        return MICRO
    if any(float(text) > BEYOND for row in matrix.rows for text in row.texts if text):
        report.refuse(matrix.line, "no unit stated, and too long for milliseconds", "R-ORION-8", REMEDY)
    if not known:
        report.warn(matrix.line, *ASSUMED)
    return MILLI


def _outstanding(iops: Matrix, latency: Matrix) -> Iterator[tuple[int, float, float]]:
    """Give IOPS times latency over small I/Os per common point, with line and the rounding's share (Little's law)."""
    rates = {row.large: dict(zip(iops.smalls, row.texts, strict=False)) for row in iops.rows}
    for row in latency.rows:
        rate_of = rates.get(row.large, {})
        for small, text in zip(latency.smalls, row.texts, strict=False):
            rate, mean = rate_of.get(small), float(text or 0)
            if small and rate and mean:
                half_digit = 0.5 / 10 ** len(text.partition(".")[2])
                yield row.line, float(rate) * mean / small, half_digit / mean
