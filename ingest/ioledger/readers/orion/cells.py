"""
The filled cells of ORION's matrices as results: one per point and kind of I/O.

``_iops`` and ``_lat`` tell of small I/Os, ``_mbps`` of large ones; IOPS and latency of a point are one result. A mixed
cell was measured with both kinds at once, so its two results share their point.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from ioledger.readers.base import Result
from ioledger.readers.orion.figures import PUT, is_zero
from ioledger.readers.orion.setup import Setup, load_of, placed

if TYPE_CHECKING:
    from collections.abc import Iterable

    from ioledger.readers.orion.matrices import Matrix
    from ioledger.readers.orion.report import Report

Results = dict[str, dict[str, Result]]
"""Results by kind of I/O (``small``, ``large``) and by point."""


def results(matrices: Iterable[Matrix], setup: Setup, report: Report) -> Results:
    """Return the results of all matrices of a file."""
    found: Results = {}
    for matrix in matrices:
        io = "large" if matrix.quantity == "mbps" else "small"
        _fill(found.setdefault(io, {}), matrix, io, setup, report)
    return found


def _fill(found: dict[str, Result], matrix: Matrix, io: str, setup: Setup, report: Report) -> None:
    """Add the results of a matrix, or its figures to the results that another matrix gave."""
    put, unit = PUT[matrix.quantity], matrix.unit
    for line, large, texts in matrix.rows:
        load, place = load_of(setup, large, io), f"line {line}, small "
        for small, text in zip(matrix.smalls, texts, strict=False):
            if not text:
                continue
            if is_zero(text):
                report.warn(line, f"small {small} did nothing: no row", "R-ORION-11")
                continue
            result = placed(load, small, f"{place}{small}")
            result = found.setdefault(result.repetition, result)
            put(result, text, unit)
