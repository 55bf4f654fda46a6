"""
ORION's matrices: columns count outstanding small I/Os, rows outstanding large I/Os (or streams of them).

A blank cell was not tested. ``_mbps`` starts at column 0 and holds large I/Os only; ``_iops`` and ``_lat`` start at
column 1 and hold small I/Os only. From 11.2 on prose above the matrix names quantity and unit. Before that IOPS are
whole numbers and latencies have two decimals.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple

from ioledger.readers.orion.figures import MICRO, MILLI

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ioledger.readers.orion.report import Report, Table

MOST_CELLS, DECIMALS = 100_000, 2
REMEDY = "Submit the file with its first lines, or with the _iops matrix of the same run below it."
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

    def points(self) -> Iterator[tuple[int, int]]:
        """Give the small and large I/Os of every filled cell."""
        for row in self.rows:
            yield from ((small, row.large) for small, text in zip(self.smalls, row.texts, strict=False) if text)


def matrices(report: Report) -> dict[str, Matrix]:
    """Return the matrices of a file by quantity; what is wrong with them is added to the report."""
    found: dict[str, Matrix] = {}
    count = 0
    for table in report.tables:
        smalls, rows = _cells(table, report)
        count += sum(len(row.texts) - row.texts.count("") for row in rows)
        quantity, unit = _quantity(table, rows)
        if count > MOST_CELLS:
            report.refuse(table.line, f"more than {MOST_CELLS:,} cells", "R-ORION-1", "Submit each matrix by itself.")
            break
        if not rows:
            report.refuse(table.line, "the matrix has no filled cell", "R-ORION-2")
        elif not quantity:
            what = "the matrix does not say what it holds: no prose, and no known shape"
            report.refuse(table.line, what, "R-ORION-8", REMEDY)
        elif quantity in found:
            what = f"a second {quantity} matrix: the file holds several runs"
            report.refuse(table.line, what, "R-ORION-6", "Submit each run by itself.")
        else:
            found[quantity] = Matrix(table.line, quantity, unit, smalls, rows)
    return found


def smalls_of(table: Table, report: Report) -> list[int]:
    """Return the small I/Os of the columns; none when the head is refused."""
    smalls = [int(label) for label in table.header.split(",")[1:]] if _HEAD.fullmatch(table.header) else []
    if smalls and len(set(smalls)) == len(smalls):
        return smalls
    report.refuse(table.line, f"{table.header[:80]!r} is no head of a matrix", "R-ORION-3")
    return []


def _cells(table: Table, report: Report) -> tuple[list[int], list[Row]]:
    """Return the small I/Os of the columns, and the rows that have a filled cell."""
    smalls = smalls_of(table, report)
    rows: list[Row] = []
    larges = set[int]()
    for line, text in table.rows if smalls else ():
        label, comma, cells = text.partition(",")
        large = int(label.strip())
        if large in larges or cells.count(",") >= len(smalls):
            report.refuse(line, f"the row of {large} stands twice or is too long", "R-ORION-3")
            continue
        larges.add(large)
        if comma:
            is_regular = _CELLS.fullmatch(cells)
            texts = cells.replace(" ", "").split(",") if is_regular else _checked(line, cells, smalls, report)
            if any(texts):
                rows.append(Row(line, large, texts))
    return smalls, rows


def _checked(line: int, cells: str, smalls: list[int], report: Report) -> list[str]:
    """Return the cells of a row that is not quite ORION's; one that is no number is told of and left out."""
    texts = [" ".join(text.split()) for text in cells.split(",")]
    for small, text in zip(smalls, texts, strict=False):
        if text and not _CELL.fullmatch(text):
            report.refuse(line, f"{text[:40]!r} at small {small} is no number", "R-ORION-3")
    return [text if _CELL.fullmatch(text) else "" for text in texts]


def stated(table: Table) -> tuple[str | None, float | None]:
    """Return what the prose above a matrix says of it, if anything: its quantity, and the unit of latencies."""
    prose = table.prose.lower()
    found = list(_PROSE.finditer(prose))
    if not found:
        return None, MICRO if "microsecond" in prose else None
    quantity = found[-1].lastgroup
    return quantity, {"microseconds": MICRO, "milliseconds": MILLI}.get(found[-1][quantity or 0])


def is_large_first(table: Table) -> bool:
    """Say whether the first column is for large I/Os alone, as in ``_mbps``."""
    return table.header.partition(",")[2].partition(",")[0].strip() == "0"


def _quantity(table: Table, rows: list[Row]) -> tuple[str | None, float | None]:
    """Return what a matrix holds, from its prose or, before 11.2, from its shape; and the unit of latencies."""
    quantity, unit = stated(table)
    if quantity:
        return quantity, unit
    is_idle_tested = any(row.large == 0 for row in rows)
    if is_large_first(table) and not is_idle_tested:
        return "mbps", None
    if not is_large_first(table) and is_idle_tested:
        decimals = {len(text.partition(".")[2]) for row in rows for text in row.texts if text}
        return "iops" if decimals == {0} else "latency" if decimals == {DECIMALS} else None, unit
    return None, None
