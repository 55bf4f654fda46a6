"""
The readings of a submission's raw files, kept between builds: what has not changed is not read again.

A reading depends on the bytes of its file, its path, what the manifest says of it (the version of the tool, and the
job file it was made with) and the code of the reader that claims it; on nothing else. It is kept under these, as the
reader gave it: before logs are tied to their runs, before what one file of a run repeats of another is taken out, and
before anything is compared with the manifest. All of that is asked of kept readings as of fresh ones, so that what one
file does to another needs no bookkeeping.

The readings of a submission are one Parquet file, a row for each of its files. A row has a hash of itself; one that is
not as it was written is dropped, told and made anew. A row also holds what a listing told of the file, so that the
bytes of a file that is still the same need not be looked at.
"""

from __future__ import annotations

import hashlib
import os
from contextlib import suppress
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import msgspec
import pyarrow as pa
import pyarrow.parquet as pq

from ioledger.model import Origin, Reading
from ioledger.submission.listing import as_text, same_bytes
from ioledger.submission.reading_code import of_readers, shared
from ioledger.system import scratch

if TYPE_CHECKING:
    from collections.abc import Callable

    from ioledger.submission.listing import Listing

PLACE = Path(".ioledger") / "readings"
"""The folder of a workspace that holds a file for each submission."""
BEGIN = ("ioledger.readers.detect", "ioledger.submission.readings")
"""The modules that make a reading of a file; all others are imported by them."""
MOST_BYTES = 1 << 30
"""A reading that takes more is made anew every time; Arrow holds a value of up to twice as many."""
_ORIGIN = 1
"""The code of an :class:`Origin` among the cells of a row, where any plain value may stand."""
_NAME_DIGITS = 20
_TEXT = pa.string()
_COLUMNS = ("path", "identity", "sha256", "size_bytes", "tool_version", "job_sha256", "tool", "code")
SCHEMA = pa.schema(
    [(name, pa.int64() if name == "size_bytes" else _TEXT) for name in _COLUMNS]
    + [("reading", pa.large_binary()), ("row_sha256", _TEXT)]
)


class Asked(NamedTuple):
    """What the reading of a file depends on, beside code."""

    path: str
    sha256: str
    tool_version: str | None = None
    job_sha256: str | None = None
    """Of the job file it was made with."""


class _Row(NamedTuple):
    """What is kept of a file; of one that is not read, or refused, there is no reading."""

    asked: Asked
    identity: str | None
    """What a listing told of the file whose bytes these are; null where they were others meanwhile."""
    size: int
    tool: str | None
    code: str | None
    packed: bytes | memoryview | None
    row_sha256: str = ""

    def cells(self) -> list[Any]:
        """Return the values of its columns but for the reading."""
        path, sha256, tool_version, job_sha256 = self.asked
        return [path, self.identity, sha256, self.size, tool_version, job_sha256, self.tool, self.code]

    def sealed(self) -> _Row:
        """Return it with the hash of all the rest."""
        digest = hashlib.sha256(msgspec.json.encode(self.cells()))
        digest.update(self.packed if self.packed is not None else b"")
        return self._replace(row_sha256=digest.hexdigest())


class Readings:
    """The readings of one submission, kept or made anew; ``read_count`` counts the files that were read."""

    def __init__(self, place: Path | None = None, listing: Listing | None = None, *, anew: bool = False) -> None:
        """
        Take the Parquet file of kept readings, none without a ``place``, and what the folder holds now.

        With ``anew`` nothing is taken of what is kept; what is kept and differs is spoilt.
        """
        self.read_count, self.is_spoilt = 0, False
        self._place, self._listing, self._anew = place, listing or {}, anew
        self._kept, self._made = dict[str, _Row](), dict[str, _Row]()
        if place is not None:
            self._kept, self.is_spoilt = _loaded(place)

    def known(self, path: str) -> tuple[str, int] | None:
        """Return hash and size of a file that is as it was when they were taken, None where it must be looked at."""
        row, identity = self._kept.get(path), self._listing.get(path)
        is_same = row is not None and identity is not None and row.identity == identity
        return (row.asked.sha256, row.size) if row and is_same and not self._anew else None

    def of(self, asked: Asked, data: Callable[[], bytes], size: int, make: Callable[[], Reading]) -> Reading:
        """Return the reading of a file with these bytes, as it is kept or as ``make`` makes it."""
        row = self._kept.get(asked.path)
        if row and row.packed is not None and row.asked == asked and row.code == code_of(row.tool or ""):
            if not self._anew:
                self._made[asked.path] = self._told(row, data)
                return _decoder().decode(row.packed)
        else:
            row = None
        reading, self.read_count = make(), self.read_count + 1
        if self._place is not None:
            made = self._told(_Row(asked, None, size, reading.tool, code_of(reading.tool), _packed(reading)), data)
            self._made[asked.path] = made
            self.is_spoilt |= row is not None and row.packed != made.packed
        return reading

    def pass_over(self, asked: Asked, data: Callable[[], bytes], size: int) -> None:
        """Remember the hash and the size of a file that no reader is asked for."""
        if self._place is not None:
            self._made[asked.path] = self._told(_Row(asked, None, size, None, None, None), data)

    def _told(self, row: _Row, data: Callable[[], bytes]) -> _Row:
        """Return a row with what the listing tells of its bytes, and its hash; they may have come after the listing."""
        path, sha256, *_ = row.asked
        identity, before = self._listing.get(path), self._kept.get(path)
        if before is None or (before.asked.sha256, before.identity) != (sha256, identity):
            kind, _, stated = (identity or "").partition(":")
            is_told = stated == sha256 if kind == "sha256" else kind == "git" and same_bytes(identity or "", data())
            identity = identity if is_told else None
        return row if row.row_sha256 and row.identity == identity else row._replace(identity=identity).sealed()

    def save(self) -> None:
        """Keep what was made and taken, in place of what was kept, where anything of it is new."""
        if self._place is None or {row.row_sha256 for row in self._made.values()} == {
            row.row_sha256 for row in self._kept.values()
        }:
            return
        self._place.parent.mkdir(parents=True, exist_ok=True)
        rows = [self._made[path] for path in sorted(self._made)]
        columns = [*zip(*(row.cells() for row in rows), strict=True)] or [()] * len(_COLUMNS)
        columns += [tuple(row.packed for row in rows), tuple(row.row_sha256 for row in rows)]
        arrays = [pa.array(column, field.type) for column, field in zip(columns, SCHEMA, strict=True)]
        with scratch.file(self._place) as file:
            pq.write_table(pa.Table.from_arrays(arrays, schema=SCHEMA), file, compression="zstd", use_dictionary=False)


def place_of(folder: Path, name: str) -> Path:
    """Return where the readings of a submission of this name lie in a workspace."""
    return folder / PLACE / f"{hashlib.sha256(as_text(name).encode()).hexdigest()[:_NAME_DIGITS]}.parquet"


@cache
def code_of(tool: str) -> str:
    """Return the hash of all code that has a part in a reading of a file of this tool."""
    told = [shared(begin=BEGIN), of_readers([tool], begin=BEGIN)]
    return hashlib.sha256(msgspec.json.encode(told, order="sorted")).hexdigest()


def _loaded(place: Path) -> tuple[dict[str, _Row], bool]:
    """Return the rows of a file by path, none where there is no such file, and whether any of it is spoilt."""
    try:
        data = place.read_bytes()
    except FileNotFoundError:
        return {}, False
    except OSError:
        return {}, True
    try:
        table = pq.read_table(pa.BufferReader(data))
    except (OSError, pa.ArrowException):
        return {}, True
    if not table.schema.equals(SCHEMA):
        return {}, True
    with suppress(OSError):
        os.utime(place)
    cells: list[list[Any]] = [table[name].to_pylist() for name in (*_COLUMNS, "row_sha256")]
    packed = (value.as_buffer() for value in table["reading"])
    found = {}
    for told, held in zip(zip(*cells, strict=True), packed, strict=True):
        path, identity, sha256, size, tool_version, job_sha256, tool, code, row_sha256 = told
        asked = Asked(path, sha256, tool_version, job_sha256)
        row = _Row(asked, identity, size, tool, code, None if held is None else memoryview(held).cast("B"), row_sha256)
        if row.sealed().row_sha256 == row_sha256:
            found[path] = row
    return found, len(found) != table.num_rows


def _packed(reading: Reading) -> bytes | None:
    """Return a reading as bytes; None for one that is made again: refused, too large, or of text without bytes."""
    if reading.refusals:
        return None
    rows = {table: [_plain(row) if "origin" in row else row for row in found] for table, found in reading.rows.items()}
    try:
        packed = msgspec.msgpack.encode(msgspec.structs.replace(reading, rows=rows))
    except (UnicodeEncodeError, OverflowError):
        return None
    return packed if len(packed) <= MOST_BYTES else None


def _plain(row: dict[str, Any]) -> dict[str, Any]:
    """Return a row whose place in a file that lies elsewhere says what it is; msgspec would lose that."""
    origin = row["origin"]
    return row | {"origin": origin and msgspec.msgpack.Ext(_ORIGIN, msgspec.msgpack.encode(origin))}


@cache
def _decoder() -> msgspec.msgpack.Decoder[Reading]:
    return msgspec.msgpack.Decoder(Reading, ext_hook=_origin)


def _origin(_: int, packed: memoryview) -> Origin:
    return msgspec.msgpack.decode(packed, type=Origin)
