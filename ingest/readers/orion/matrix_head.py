"""What stands above the cells of a matrix that is alone in its file: many files share it to the byte."""

from __future__ import annotations

from functools import lru_cache
from typing import NamedTuple

from ingest import detect
from ingest.readers.orion import TOOL, scan
from ingest.readers.orion.matrices import is_large_first, smalls_of, stated

MARK = b"Large/Small"
LONGEST = 1 << 14


class Head(NamedTuple):
    """The line of the first row, what the prose states, if any, and the small I/Os of the columns."""

    first_line: int
    quantity: str | None
    unit: float | None
    is_large_first: bool
    smalls: tuple[int, ...]


@lru_cache(maxsize=64)
def head_of(data: bytes) -> Head | None:
    """Return what the lines down to the labels of the columns say; null where they say or are anything else."""
    if not data.isascii() or [reader.TOOL for reader in detect.readers() if reader.claims(data)] != [TOOL]:
        return None
    report = scan.report(data.decode())
    if report.facts or report.headlines or report.forms or len(report.tables) != 1 or report.tables[0].rows:
        return None
    table = report.tables[0]
    smalls = smalls_of(table, report)
    if report.refusals or report.warnings:
        return None
    return Head(table.line + 1, *stated(table), is_large_first(table), tuple(smalls))
