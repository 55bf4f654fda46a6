"""The text of rows divided into fields, all at once: how many digits each has, and what number they are."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
import pyarrow as pa

Array = np.ndarray[Any, Any]
_ZERO, _POINT, _NEWLINE = b"0.\n"


class Fields(NamedTuple):
    """What commas and line ends divide: its row, digits before and after the point, points, and the number."""

    row: Array
    label: Array
    """Index of the label of each row."""
    is_cell: Array
    """Where a cell is filled."""
    whole: Array
    decimals: Array
    points: Array
    value: Array
    """The digits as one number, the point left out; zero where there are none."""


def fields_of(joined: bytes) -> Fields:
    """Divide rows into fields."""
    text = np.frombuffer(joined, np.uint8)
    mark = np.flatnonzero(text < _ZERO)
    kind = text[mark]
    is_end = kind != _POINT
    end, point, owner = mark[is_end], mark[~is_end], np.cumsum(is_end)[~is_end]
    is_label = np.ones(len(end), np.bool_)
    is_label[1:] = kind[is_end][:-1] == _NEWLINE
    points = np.bincount(owner, minlength=len(end))
    decimals = np.zeros(len(end), np.int64)
    decimals[owner] = end[owner] - point - 1
    length = np.diff(end, prepend=-1) - 1 - points
    is_filled = length > 0
    value = np.zeros(len(end), np.int64)
    value[is_filled] = texts(joined, b".,\n", length).filter(pa.array(is_filled)).cast(pa.int64()).to_numpy()
    return Fields(
        row=np.cumsum(is_label) - 1,
        label=np.flatnonzero(is_label),
        is_cell=is_filled & ~is_label,
        whole=length - decimals,
        decimals=decimals,
        points=points,
        value=value,
    )


def texts(joined: bytes, without: bytes, length: Array) -> pa.Array[Any]:
    """Return the fields as texts of these lengths, without these characters."""
    offsets = np.zeros(len(length) + 1, np.int32)
    np.cumsum(length, out=offsets[1:])
    buffers = [None, pa.py_buffer(offsets.data), pa.py_buffer(joined.translate(None, without))]
    return pa.Array.from_buffers(pa.string(), len(length), buffers)
