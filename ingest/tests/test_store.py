"""A hash of a table's content is that of its values, whoever wrote them and whatever lay in memory before."""

from __future__ import annotations

import hashlib
from typing import TYPE_CHECKING, Any

import duckdb
import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from ioledger.tables.store import content_hash, write_parquet

if TYPE_CHECKING:
    from pathlib import Path

TYPES = (
    (np.dtype("f8"), pa.float64()),
    (np.dtype("i8"), pa.int64()),
    (np.dtype("i8"), pa.timestamp("us")),
    (np.dtype("i4"), pa.date32()),
)


def _table(kind: pa.DataType, values: np.ndarray, start: int = 0) -> pa.Table:
    """Return values of which every second one is null, with their bytes where the nulls are."""
    valid = pa.py_buffer(np.packbits(np.arange(len(values)) % 2 == 0, bitorder="little").tobytes())
    column = pa.Array.from_buffers(kind, len(values), [valid, pa.py_buffer(values.tobytes())])
    return pa.table({"of_numbers": column[start:]})


@pytest.mark.parametrize(("numbers", "kind"), TYPES, ids=[str(kind) for _, kind in TYPES])
def test_what_lies_in_memory_under_a_null_changes_no_hash(numbers: np.dtype, kind: pa.DataType) -> None:
    """DuckDB leaves there what it finds, so two builds of one table would have two hashes."""
    tidy, littered = (np.arange(100).astype(numbers) for _ in "ab")
    tidy[1::2], littered[1::2] = 0, 77
    assert _table(kind, tidy) == _table(kind, littered)
    assert content_hash(_table(kind, tidy)) == content_hash(_table(kind, littered))
    assert content_hash(_table(kind, tidy, 32)) == content_hash(_table(kind, littered, 32))
    littered[0] = 1
    assert content_hash(_table(kind, tidy)) != content_hash(_table(kind, littered))


def test_flags_texts_and_lists_are_hashed_with_their_nulls() -> None:
    """A flag that is null is not one that is false, and a list that is null is not an empty one."""
    tables = [
        pa.table({"is_read": flags, "tool": tools, "firmwares": lists})
        for flags in ([True, None, False], [True, False, False])
        for tools in (["fio", None, "orion"], ["fio", "", "orion"])
        for lists in ([["a", "b"], None, []], [["a"], ["b"], []], [["a", "b"], [], []])
    ]
    assert len({content_hash(table) for table in tables}) == len(tables)


def test_a_content_hash_is_that_of_an_arrow_stream() -> None:
    """Anyone can compute it from the rows: it is the SHA-256 of what Arrow writes, in one row group here."""
    table = pa.table({"of_numbers": [1.5, None, 3.0], "tool": ["fio", None, "orion"]})
    sink = pa.BufferOutputStream()
    with pa.ipc.new_stream(sink, table.schema) as stream:
        stream.write_table(table)
    assert content_hash(table) == hashlib.sha256(sink.getvalue()).hexdigest()


@pytest.mark.parametrize(("start", "rows"), [(0, 5), (0, 19), (3, 9), (13, 0)])
def test_a_slice_has_the_hash_of_its_rows(start: int, rows: int) -> None:
    """It keeps in memory what it was cut from."""
    columns: dict[str, list[Any]] = {
        "tool": [f"tool {row}" for row in range(20)],
        "engine": [None if row % 3 else f"engine {row}" for row in range(20)],
        "of_numbers": [float(row + 1) for row in range(20)],
        "count": [None if row % 4 else row for row in range(20)],
        "is_read": [row % 2 == 0 for row in range(20)],
        "firmwares": [None if row % 5 == 0 else [f"version {row}"] * (row % 3) for row in range(20)],
    }
    cut = pa.table(columns).slice(start, rows)
    alone = pa.table({name: pa.array(cut[name].to_pylist(), cut[name].type) for name in columns})
    assert content_hash(cut) == content_hash(alone)


def test_what_does_not_repeat_takes_no_more_in_parquet_than_it_is(tmp_path: Path) -> None:
    """Of random ids in hex half a byte a sign is left, which a dictionary with lengths between them hides."""
    random = np.random.default_rng(7)
    ids = [random.bytes(8).hex() for _ in range(5000)]
    columns: dict[str, list[Any]] = {
        "id": ids,
        "rate": [*random.random(4999).tolist(), None],
        "count": random.integers(0, 10**6, 5000).tolist(),
        "tool": ["fio", "orion"] * 2500,
        "firmwares": [["1.0", "1.1"], []] * 2500,
    }
    table, path = pa.table(columns), tmp_path / "t.parquet"
    write_parquet(table, path)
    assert pq.read_table(path).equals(table)
    assert duckdb.read_parquet(str(path)).fetchall() == list(zip(*columns.values(), strict=True))
    group = pq.ParquetFile(path).metadata.row_group(0)
    chunks = [group.column(index) for index in range(group.num_columns)]
    taken = {column.path_in_schema: column.total_compressed_size for column in chunks}
    assert taken["id"] < 1.15 * 8 * 5000
    assert taken["rate"] < 8 * 5000
    assert taken["tool"] < 200
    assert taken["firmwares.list.element"] < 400
