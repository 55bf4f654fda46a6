"""
ORION's matrices: columns count outstanding small I/Os, rows outstanding large I/Os (or streams of them).

A blank cell was not tested. ``_mbps`` starts at column 0 and holds large I/Os only; ``_iops`` and ``_lat`` start at
column 1 and hold small I/Os only. From 11.2 on prose above the matrix names quantity and unit. Before that IOPS are
whole numbers, and latencies are milliseconds with two decimals, as Little's law confirms where both are in one file.
"""

from __future__ import annotations

import re
from statistics import median
from typing import TYPE_CHECKING, Any, NamedTuple

from ingest.readers.orion.report import Point, Report, Table
from ingest.readers.orion.setup import Setup, columns
from ingest.record import Result

if TYPE_CHECKING:
    from collections.abc import Iterator

MOST_CELLS = 100_000
MILLI, MICRO = 1e-3, 1e-6
_CELL, _LABEL = re.compile(r"\d{1,12}(?:\.\d{1,6})?"), re.compile(r"\d{1,9}")
_PROSE = re.compile(
    r"rates? sustained by small i/os in (?P<iops>iops)"
    r"|rates? sustained by large i/os in (?P<mbps>mbps)"
    r"|latency sustained by small i/os in (?P<latency>microseconds|milliseconds)"
)
_BEYOND = 1000.0  # as milliseconds this is a second per small I/O: more likely microseconds without their prose
_TOLERANCE = 0.05
_REMEDY = "Submit the file with its first lines, or with the _iops matrix of the same run below it."
Key = tuple[Point, str]


class Cell(NamedTuple):
    """A filled cell: where it stands and the number as printed."""

    line: int
    text: str


class Matrix(NamedTuple):
    """A matrix of one quantity (``iops``, ``mbps``, ``latency``) and, for latencies, the unit in seconds if stated."""

    line: int
    quantity: str
    unit: float | None
    cells: dict[Point, Cell]


def matrices(report: Report) -> list[Matrix]:
    """Return the matrices of a file; what is wrong with them is added to the report."""
    found: dict[str, Matrix] = {}
    count = 0
    for table in report.tables:
        cells = _cells(table, report)
        count += len(cells)
        quantity, unit = _quantity(table, cells)
        if count > MOST_CELLS:
            report.refuse(table.line, f"more than {MOST_CELLS:,} cells", "R-ORION-1", "Submit each matrix by itself.")
            break
        if not cells:
            report.refuse(table.line, "the matrix has no filled cell", "R-ORION-2")
        elif not quantity:
            what = "the matrix does not say what it holds: no prose, and no known shape"
            report.refuse(table.line, what, "R-ORION-8", _REMEDY)
        elif quantity in found:
            what = f"a second {quantity} matrix: the file holds several runs"
            report.refuse(table.line, what, "R-ORION-6", "Submit each run by itself.")
        else:
            found[quantity] = Matrix(table.line, quantity, unit, cells)
    if "latency" in found:
        found["latency"] = _settled(found, report)
    return list(found.values())


def _cells(table: Table, report: Report) -> dict[Point, Cell]:
    smalls = [label.strip() for label in table.header.split(",")[1:]]
    if not smalls or not all(map(_LABEL.fullmatch, smalls)) or len(set(map(int, smalls))) < len(smalls):
        report.refuse(table.line, f"{table.header[:80]!r} is no head of a matrix", "R-ORION-3")
        return {}
    cells: dict[Point, Cell] = {}
    larges = set[int]()
    for line, row in table.rows:
        large, *texts = (text.strip() for text in row.split(","))
        if int(large) in larges or len(texts) > len(smalls):
            report.refuse(line, f"the row of {large} stands twice or is too long", "R-ORION-3")
            continue
        larges.add(int(large))
        for small, text in zip(smalls, texts, strict=False):
            if _CELL.fullmatch(text):
                cells[Point(int(small), int(large))] = Cell(line, text)
            elif text:
                report.refuse(line, f"{text[:40]!r} at small {small} is no number", "R-ORION-3")
    return cells


def _quantity(table: Table, cells: dict[Point, Cell]) -> tuple[str | None, float | None]:
    """Return what a matrix holds, from its prose or, before 11.2, from its shape; and the unit of latencies."""
    stated = list(_PROSE.finditer(table.prose.lower()))
    if stated:
        quantity = stated[-1].lastgroup
        return quantity, {"microseconds": MICRO, "milliseconds": MILLI}.get(stated[-1][quantity or 0])
    smalls, larges = {point.small for point in cells}, {point.large for point in cells}
    starts = table.header.partition(",")[2].partition(",")[0].strip()
    if starts == "0" and larges and 0 not in larges:
        return "mbps", None
    if starts != "0" and smalls and 0 in larges:
        decimals = {len(cell.text.partition(".")[2]) for cell in cells.values()}
        return "iops" if decimals == {0} else "latency" if decimals == {2} else None, None
    return None, None


def _settled(found: dict[str, Matrix], report: Report) -> Matrix:
    """Return the latency matrix with a unit: stated, or settled by Little's law, or milliseconds as before 11.2."""
    matrix, iops = found["latency"], found.get("iops")
    products = list(_outstanding(iops, matrix)) if iops else []
    if matrix.unit is None and products:
        middle = median(product for _, product, _ in products)
        units = [unit for unit in (MILLI, MICRO) if 1 / 2 < middle * unit < 2]  # noqa: PLR2004  (far from 1000)
        if not units:
            what = "IOPS times latency is the number of small I/Os in neither milliseconds nor microseconds"
            report.refuse(matrix.line, what, "R-ORION-8", _REMEDY)
        matrix = matrix._replace(unit=units[0] if units else MILLI)
    elif matrix.unit is None:
        if max(float(cell.text) for cell in matrix.cells.values()) > _BEYOND:
            report.refuse(matrix.line, "no unit stated, and too long for milliseconds", "R-ORION-8", _REMEDY)
        report.warn(matrix.line, "no unit stated: read as milliseconds, which 11.1 and older write", "R-ORION-9")
        matrix = matrix._replace(unit=MILLI)
    for line, product, slack in products:
        if abs(product * (matrix.unit or MILLI) - 1) > _TOLERANCE + slack:
            report.warn(line, "IOPS times mean latency is not the number of small I/Os", "R-ORION-10")
    return matrix


def _outstanding(iops: Matrix, latency: Matrix) -> Iterator[tuple[int, float, float]]:
    """Give IOPS times latency over small I/Os per common point, with line and the rounding's share (Little's law)."""
    for point in iops.cells.keys() & latency.cells.keys():
        cell = latency.cells[point]
        mean = float(cell.text)
        if point.small and mean:
            half_digit = 0.5 / 10 ** len(cell.text.partition(".")[2])
            yield cell.line, float(iops.cells[point].text) * mean / point.small, half_digit / mean


def results(found: list[Matrix], setup: Setup, report: Report) -> dict[Key, Result]:
    """Return a result per point and kind of I/O (``small``, ``large``); IOPS and latency of a point are one result."""
    every: dict[Key, Result] = {}
    for matrix in found:
        io = "large" if matrix.quantity == "mbps" else "small"
        for point, cell in matrix.cells.items():
            place = f"line {cell.line}, small {point.small}"
            if not float(cell.text):
                report.warn(cell.line, f"small {point.small} did nothing: no row", "R-ORION-11")
                continue
            values = measured(matrix.quantity, cell.text, matrix.unit)
            known = every.get((point, io))
            if known is None:
                shared = columns(setup, point, io)
                every[point, io] = Result(pointer=place, source_format="matrix", **shared, **values)
                continue
            for name, value in values.items():
                setattr(known, name, value)
    return every


def measured(quantity: str, text: str, unit: float | None) -> dict[str, Any]:
    """Return the columns of a printed number; MBPS have no proven base, so they give no throughput."""
    value = float(text)
    if quantity == "mbps":
        return {"printed_value": value, "printed_unit": "MBPS", "printed_text": text, "unit_basis": "unknown"}
    if quantity == "iops":
        return {"operations_per_second": value}
    seconds = unit or MILLI
    return {
        "latency_kind": "total",
        "latency_mean_seconds": round(value * seconds, 12),
        "latency_resolution_seconds": round(seconds / 10 ** len(text.partition(".")[2]), 12),
    }
