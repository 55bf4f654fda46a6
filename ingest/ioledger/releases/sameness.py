"""
The first difference between two files that should be the same, with its place: a byte, or a row and column of a table.

Used where something was made twice: by two builds of one commit, or in two forms of one release.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

import pyarrow as pa
import pyarrow.compute as pc

from ioledger.problems import one_line
from ioledger.releases import digest, forms, hashes

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

SHOWN = 40
"""Characters or bytes of a value that a difference shows."""
CHUNK = 1 << 20


class Difference(NamedTuple):
    """A difference between two files: the place in them, empty for a file as a whole, and what each of them has."""

    place: str
    first: str
    second: str


def of_tables(first: pa.Table, second: pa.Table) -> Difference | None:
    """Return the first difference between two tables: their columns, then the first row, then its first column."""
    mine, other = digest.schema_of(first.schema), digest.schema_of(second.schema)
    if mine != other:
        pairs = zip([*mine.items(), ("", "")], [*other.items(), ("", "")], strict=False)
        (name, kind), (other_name, other_kind) = next(pair for pair in pairs if pair[0] != pair[1])
        shown = [text.strip() or "no more columns" for text in (f"{name} {kind}", f"{other_name} {other_kind}")]
        return Difference(f"column {name or other_name}", *shown)
    rows = min(first.num_rows, second.num_rows)
    places = [(_first(first[name].slice(0, rows), second[name].slice(0, rows)), name) for name in mine]
    found = min(((row, index) for index, (row, _) in enumerate(places) if row is not None), default=None)
    if found:
        row, name = found[0], places[found[1]][1]
        values = [one_line(repr(table[name][row].as_py()), SHOWN) for table in (first, second)]
        return Difference(f"row {row + 1}, column {name}", *values)
    if first.num_rows != second.num_rows:
        return Difference(f"row {rows + 1}", f"{first.num_rows} rows", f"{second.num_rows} rows")
    return None


def _first(first: pa.ChunkedArray[Any], second: pa.ChunkedArray[Any]) -> int | None:
    """Return the first row in which two columns differ; a null equals a null only."""
    if first.equals(second):
        return None
    one, other = first.combine_chunks(), second.combine_chunks()
    is_other: Any = pc.fill_null(pc.not_equal(one, other), pa.scalar(value=False))
    differs = pc.or_(pc.xor(pc.is_null(one), pc.is_null(other)), is_other)
    row = int(pc.index(differs, pa.scalar(value=True)).as_py())
    return row if row >= 0 else None


def of_bytes(first: Path, second: Path) -> Difference | None:
    """Return the first byte in which two files differ, counted from 0."""
    with first.open("rb") as one, second.open("rb") as other:
        start = 0
        while True:
            mine, yours = one.read(CHUNK), other.read(CHUNK)
            if mine != yours:
                return _in(mine, yours, start)
            if not mine:
                return None
            start += len(mine)


def of_contents(first: bytes, second: bytes) -> Difference | None:
    """Return the first byte in which two contents differ, counted from 0."""
    return None if first == second else _in(first, second, 0)


def _in(first: bytes, second: bytes, start: int) -> Difference:
    shared = min(len(first), len(second))
    at = next((index for index in range(shared) if first[index] != second[index]), shared)
    shown = [repr(content[at : at + SHOWN])[1:] if at < len(content) else "its end" for content in (first, second)]
    return Difference(f"byte {start + at}", *shown)


def of_parquet(first: Path, second: Path) -> Difference | None:
    """Return the first difference between the tables of two Parquet files, or of their bytes if these are the same."""
    return of_tables(digest.read(first), digest.read(second)) or of_bytes(first, second)


def of_text(first: Path, second: Path) -> Difference | None:
    """Return the first difference between two packed CSV files: the line, or a byte of how they are packed."""
    one, other = (forms.unpacked(path) for path in (first, second))
    if one == other:
        return of_bytes(first, second)
    found = _in(one, other, 0)
    line = one[: int(found.place.removeprefix("byte "))].count(b"\n") + 1
    return Difference(f"line {line}", found.first, found.second)


def of_arrow(first: Path, second: Path) -> Difference | None:
    """Return the first difference between the tables of two Arrow files, or of their bytes if these are the same."""
    tables = []
    for path in (first, second):
        with pa.ipc.open_file(str(path)) as opened:
            tables.append(opened.read_all())
    return of_tables(*tables) or of_bytes(first, second)


def of_databases(first: Path, second: Path) -> Difference | None:
    """Return the first difference between the tables of two DuckDB files; their bytes differ in every build."""
    with digest.opened(first) as one, digest.opened(second) as other:
        mine, yours = digest.tables_of(one), digest.tables_of(other)
        if lone := sorted(set(mine) ^ set(yours)):
            shown = ["such a table" if lone[0] in held else "no such table" for held in (mine, yours)]
            return Difference(f"table {lone[0]}", *shown)
        for name in mine:
            if found := of_tables(digest.rows_of(one, name, {}, {}), digest.rows_of(other, name, {}, {})):
                return Difference(f"table {name}, {found.place}", found.first, found.second)
    return None


KINDS: dict[str, Callable[[Path, Path], Difference | None]] = {
    ".parquet": of_parquet, ".csv.gz": of_text, ".arrow": of_arrow, ".duckdb": of_databases,
}  # fmt: skip
"""What compares two files, by their ending; all others are compared byte by byte."""


def kind_of(name: str) -> str:
    """Return the ending that says of which kind a file is."""
    return next((ending for ending in KINDS if name.endswith(ending)), f".{name.rpartition('.')[2]}")


def of_folders(first: Path, second: Path) -> Iterator[tuple[str, Difference]]:
    """Give every file below two folders that is not the same in both, by its path, sorted."""
    mine, yours = dict(hashes.below(first)), dict(hashes.below(second))
    for name in sorted(mine.keys() | yours.keys()):
        if name not in mine or name not in yours:
            yield name, Difference("", *("a file" if name in held else "no file" for held in (mine, yours)))
        elif found := _between(mine[name], yours[name]):
            yield name, found


def _between(first: Path, second: Path) -> Difference | None:
    """Return the first difference between two files of one kind."""
    is_same = hashes.sha256(first) == hashes.sha256(second)
    return None if is_same else KINDS.get(kind_of(first.name), of_bytes)(first, second)
