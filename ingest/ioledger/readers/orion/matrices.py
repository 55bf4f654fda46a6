"""
ORION's matrices: columns count outstanding small I/Os, rows outstanding large I/Os (or streams of them).

A blank cell was not tested. ``_mbps`` starts at column 0 and holds large I/Os only; ``_iops`` and ``_lat`` start at
column 1 and hold small I/Os only. From 11.2 on prose above the matrix names quantity and unit. Before that IOPS are
whole numbers and latencies have two decimals.

The unit of latencies is stated above the matrix, or settled by Little's law, or that of the version, or milliseconds.
IOPS times mean latency is the number of small I/Os. Where both matrices are in one file, that settles an unstated
unit and checks a stated one. ORION 11.1 and older write milliseconds, 11.2 and later microseconds; a file without a
unit whose version is told neither by itself nor by the manifest is read as one of 11.1.
"""

from __future__ import annotations

import re
from statistics import median
from typing import TYPE_CHECKING, NamedTuple

from ioledger.readers.units import MICROSECOND, MILLISECOND

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ioledger.readers.orion.text import Report, Table

MOST_CELLS, DECIMALS = 100_000, 2
BEYOND = 1000.0  # as milliseconds this is a second per small I/O: more likely microseconds without their prose
ASSUMED = ("no unit stated: read as milliseconds, which 11.1 and older write", "R-ORION-7")
_FIRST_WITH_MICRO = (11, 2)
_REMEDY = "Submit the file with its first lines, or with the _iops matrix of the same run below it."
_HEAD = re.compile(r"[^,]*+(?:, ?\d{1,9} ?)++", re.ASCII)
_CELL = re.compile(r"\d{1,12}(?:\.\d{1,6})?", re.ASCII)
_CELLS = re.compile(rf" *+(?:{_CELL.pattern} *+)?+(?:, *+(?:{_CELL.pattern} *+)?+)*+", re.ASCII)
_PROSE = re.compile(
    r"rates? sustained by small i/os in (?P<iops>iops)"
    r"|rates? sustained by large i/os in (?P<mbps>mbps)"
    r"|latency sustained by small i/os in (?P<latency>microseconds|milliseconds)"
)


class Row(NamedTuple):
    """A row: its line, its large I/Os, and a text per column, empty where nothing was tested; the last may lack."""

    line: int
    large: int
    texts: list[str]


class Matrix(NamedTuple):
    """A matrix of one quantity (``iops``, ``mbps``, ``latency``) and, for latencies, the unit in seconds if stated."""

    line: int
    quantity: str
    unit: float | None
    smalls: list[int]
    rows: list[Row]


def matrices(report: Report, version: str | None) -> dict[str, Matrix]:
    """Return the matrices of a file by quantity; ``version`` is what is known of the version of ORION."""
    found: dict[str, Matrix] = {}
    count = 0
    for table in report.tables:
        smalls, rows = _grid(table, report)
        count += sum(len(row.texts) - row.texts.count("") for row in rows)
        quantity, unit = _quantity(table, rows)
        if count > MOST_CELLS:
            report.refuse(table.line, f"more than {MOST_CELLS:,} cells", "R-ORION-3", "Submit each matrix by itself.")
            break
        if not rows:
            report.refuse(table.line, "the matrix has no filled cell", "R-ORION-2")
        elif not quantity:
            what = "the content of the matrix is unknown: it has no description and no known shape"
            report.refuse(table.line, what, "R-ORION-3", _REMEDY)
        elif quantity in found:
            what = f"a second {quantity} matrix: the file contains several runs"
            report.refuse(table.line, what, "R-ORION-3", "Submit each run by itself.")
        else:
            found[quantity] = Matrix(table.line, quantity, unit, smalls, rows)
    if "latency" in found:
        latency = found["latency"]
        products = list(_outstanding(found["iops"], latency)) if "iops" in found else []
        found["latency"] = latency._replace(unit=latency.unit or _unit(latency, products, version, report))
    return found


def _grid(table: Table, report: Report) -> tuple[list[int], list[Row]]:
    """Return the small I/Os of the columns, and the rows that have a filled cell."""
    smalls = [int(label) for label in table.header.split(",")[1:]] if _HEAD.fullmatch(table.header) else []
    if not smalls or len(set(smalls)) < len(smalls):
        report.refuse(table.line, f"{table.header[:80]!r} is no head of a matrix", "R-ORION-3")
        return [], []
    rows: list[Row] = []
    larges = set[int]()
    for line, text in table.rows:
        label, comma, cells = text.partition(",")
        large = int(label.strip())
        if large in larges or cells.count(",") >= len(smalls):
            report.refuse(line, f"the row of {large} appears twice or is too long", "R-ORION-3")
            continue
        larges.add(large)
        if comma:
            is_regular = _CELLS.fullmatch(cells)
            texts = cells.replace(" ", "").split(",") if is_regular else _check_cells(line, cells, smalls, report)
            if any(texts):
                rows.append(Row(line, large, texts))
    return smalls, rows


def _check_cells(line: int, cells: str, smalls: list[int], report: Report) -> list[str]:
    """Return the cells of a row that is not quite ORION's; one that is no number is told of and left out."""
    texts = [" ".join(text.split()) for text in cells.split(",")]
    for small, text in zip(smalls, texts, strict=False):
        if text and not _CELL.fullmatch(text):
            report.refuse(line, f"{text[:40]!r} at small {small} is no number", "R-ORION-3")
    return [text if _CELL.fullmatch(text) else "" for text in texts]


def _quantity(table: Table, rows: list[Row]) -> tuple[str | None, float | None]:
    """Return the content of a matrix, by its description or (before 11.2) its shape; and the unit of latencies."""
    prose = table.prose.lower()
    if stated := list(_PROSE.finditer(prose)):
        quantity = stated[-1].lastgroup
        return quantity, {"microseconds": MICROSECOND, "milliseconds": MILLISECOND}.get(stated[-1][quantity or 0])
    is_large_first = table.header.partition(",")[2].partition(",")[0].strip() == "0"
    is_idle_tested = any(row.large == 0 for row in rows)
    if is_large_first and not is_idle_tested:
        return "mbps", None
    if is_large_first or not is_idle_tested:
        return None, None
    decimals = {len(text.partition(".")[2]) for row in rows for text in row.texts if text}
    quantity = "iops" if decimals == {0} else "latency" if decimals == {DECIMALS} else None
    return quantity, MICROSECOND if "microsecond" in prose else None


def writes_microseconds(version: str | None) -> bool | None:
    """Say whether a version of ORION writes latencies in microseconds; null when the version is not known."""
    found = re.search(r"(\d{1,4})\.(\d{1,4})", version or "")
    return (int(found[1]), int(found[2])) >= _FIRST_WITH_MICRO if found else None


def _unit(matrix: Matrix, products: list[float], version: str | None, report: Report) -> float:
    """Return the unit of latencies that state none; one that is in doubt is refused or told."""
    if products:
        middle = median(products)
        units = [unit for unit in (MILLISECOND, MICROSECOND) if 1 / 2 < middle * unit < 2]  # noqa: PLR2004  (far from 1000)
        if not units:
            what = "IOPS times latency is the number of small I/Os in neither milliseconds nor microseconds"
            report.refuse(matrix.line, what, "R-ORION-3", _REMEDY)
        return units[0] if units else MILLISECOND
    is_micro = writes_microseconds(version)
    if is_micro:
        return MICROSECOND
    if any(float(text) > BEYOND for row in matrix.rows for text in row.texts if text):
        report.refuse(matrix.line, "no unit stated, and too long for milliseconds", "R-ORION-3", _REMEDY)
    if is_micro is None:
        report.warn(matrix.line, *ASSUMED)
    return MILLISECOND


def _outstanding(iops: Matrix, latency: Matrix) -> Iterator[float]:
    """Give IOPS times latency over small I/Os of each common point (Little's law)."""
    rates = {row.large: dict(zip(iops.smalls, row.texts, strict=False)) for row in iops.rows}
    for row in latency.rows:
        rate_of = rates.get(row.large, {})
        for small, text in zip(latency.smalls, row.texts, strict=False):
            rate, mean = rate_of.get(small), float(text or 0)
            if small and rate and mean:
                yield float(rate) * mean / small
