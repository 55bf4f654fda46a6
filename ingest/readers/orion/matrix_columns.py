"""
Results of ordinary matrices as columns: what ``setup`` and ``figures`` give for each cell, on whole arrays.

A matrix alone states nothing about the run. So large I/Os, where there are any, may be random or sequential, and the
load of their points is unknown.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from ingest.readers.orion.figures import MICRO, MILLI, resolution
from ingest.readers.orion.matrix_numbers import QUANTITIES
from ingest.readers.orion.setup import setup_of
from ingest.record import Result

if TYPE_CHECKING:
    from ingest.readers.orion.matrix_fields import Array
    from ingest.readers.orion.matrix_numbers import Cells

Columns = dict[str, "pa.Array[Any]"]
_IOPS, _MBPS, _LATENCY = range(len(QUANTITIES))
_BITS = 30
"""A label has at most nine digits."""
_POWERS = np.array([10.0**power for power in range(16)])
_BY_CELL = frozenset((
    "pointer", "point", "queue_depth", "queue_depth_origin", "load_basis", "qualifier", "job_options", "percentiles",
    "bins",
))  # fmt: skip


def results(cells: Cells) -> Columns:
    """Return the columns of these results that are not null throughout, and ``pointer`` and ``point``."""
    is_large = cells.quantity == _MBPS
    return _fixed(is_large) | _points(cells, is_large) | _load(cells) | _figures(cells) | _pointers(cells)


def _fixed(is_large: Array) -> Columns:
    """Return what all results of a kind of I/O share."""
    shared = setup_of({}).results
    columns: Columns = {}
    for name in Result.__struct_fields__:
        pair = [getattr(shared[io], name) for io in ("small", "large")]
        if name not in _BY_CELL and pair != [None, None]:
            is_same = pair[0] == pair[1]
            columns[name] = pa.repeat(pair[0], len(is_large)) if is_same else _chosen(pair, is_large)
    return columns


def _pointers(cells: Cells) -> Columns:
    places, spread = _distinct(cells.line.astype(np.int64) << _BITS | cells.small)
    line, small = _halves(places)
    return {"pointer": _joined("line ", _text(line), ", small ", _text(small)).take(spread)}


def _points(cells: Cells, is_large: Array) -> Columns:
    """Return the texts that name a point; each is made once for all cells with the same load."""
    points, spread = _distinct((is_large.astype(np.int64) << _BITS | cells.small) << _BITS | cells.large)
    rest, large = _halves(points)
    of_large, small = _halves(rest)
    small_text, large_text = _text(small), _text(large)
    before, between, after = setup_of({}).options
    made = {
        "point": _joined("small ", small_text, ", large ", large_text),
        "job_options": _joined(before, large_text, between, small_text, after),
        "qualifier": _qualifiers(of_large, small, large),
    }
    return {name: column.take(spread) for name, column in made.items()}


def _qualifiers(of_large: Array, small: Array, large: Array) -> pa.Array[Any]:
    """Say what ran beside the I/Os that a result is of, if anything."""
    other = np.where(of_large, small, large)
    io = _chosen([" large I/O", " small I/O"], of_large)
    return _where((small > 0) & (large > 0), _joined("beside ", _text(other), io, _chosen(["", "s"], other > 1)))


def _load(cells: Cells) -> Columns:
    is_unknown = (cells.large > 0) | (cells.small == 0)
    return {
        "queue_depth": pa.array(cells.small, mask=is_unknown),
        "queue_depth_origin": _chosen(["file", None], is_unknown),
        "load_basis": _chosen(["outstanding", None], is_unknown),
    }


def _figures(cells: Cells) -> Columns:
    """Return the numbers; the quotient is the float that the printed text is."""
    is_latency, is_mbps, is_rate = (cells.quantity == quantity for quantity in (_LATENCY, _MBPS, _IOPS))
    printed = cells.digits / _POWERS[cells.decimals]
    exponent = np.where(cells.is_micro, np.int8(6), np.int8(3))
    units = np.array([[resolution(unit, decimals) for decimals in range(7)] for unit in (MILLI, MICRO)])
    steps = np.array([resolution(1, decimals) for decimals in range(7)])
    return {
        "operations_per_second": pa.array(printed, mask=~is_rate),
        "operations_basis": _chosen([None, "printed"], is_rate),
        "operations_resolution_per_second": pa.array(steps[cells.decimals], mask=~is_rate),
        "printed_value": pa.array(printed, mask=~is_mbps),
        "printed_text": _where(is_mbps, cells.text),
        "latency_kind": _chosen([None, "total"], is_latency),
        "latency_mean_seconds": pa.array(cells.digits / _POWERS[cells.decimals + exponent], mask=~is_latency),
        "latency_resolution_seconds": pa.array(units[cells.is_micro.astype(np.int8), cells.decimals], mask=~is_latency),
    }


def _distinct(keys: Array) -> tuple[Array, pa.Array[Any]]:
    """Return each key once, and the place there of every key."""
    encoded: Any = pa.array(keys).dictionary_encode()
    return encoded.dictionary.to_numpy(), encoded.indices


def _halves(pairs: Array) -> tuple[Array, Array]:
    """Return both numbers of pairs in one."""
    return pairs >> _BITS, pairs & (1 << _BITS) - 1


def _text(numbers: Array) -> pa.Array[Any]:
    return pa.array(numbers).cast(pa.string())


def _joined(*parts: Any) -> pa.Array[Any]:  # noqa: ANN401  (arrays and texts that are the same in every row)
    made: pa.Array[Any] = pc.binary_join_element_wise(*parts, "")
    return made


def _chosen(pair: list[Any], which: Array) -> pa.Array[Any]:
    """Return the first or the second of a pair for each row."""
    made: pa.Array[Any] = pa.array(pair).take(pa.array(which.astype(np.int8), pa.int8()))
    return made


def _where(which: Array, texts: pa.Array[Any]) -> pa.Array[Any]:
    """Return texts, null elsewhere."""
    made: pa.Array[Any] = pc.if_else(pa.array(which), texts, pa.scalar(None, pa.string()))
    return made
