"""
What was read of a submission, kept between builds: its rows as Parquet, and what may stand in another submission too.

A submission is never edited after merge, so its rows are made once. They are kept under a key: the SHA-256 of what its
folder holds, the manifest and every raw file by the hash of its bytes, and of the code that all readers share. Beside
them stand the hashes of the readers that read its files, so that a change of one reader invalidates its own only. An
entry is a folder that is written aside and renamed; each file in it has its hash in ``entry.json``, and that has one of
itself. What is wrong, cut or of another key is told and made anew.

Only what has no fault is kept, so what is wrong with a submission is read, and told, again.
"""

from __future__ import annotations

import errno
import hashlib
import os
import shutil
from collections.abc import Mapping
from contextlib import suppress
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

import msgspec
import pyarrow as pa
import pyarrow.parquet as pq

from ioledger.submission import readings
from ioledger.submission.duplicates import HELD_SCHEMA
from ioledger.submission.listing import as_text
from ioledger.submission.reading_code import of_reader, of_readers, shared
from ioledger.system import scratch
from ioledger.tables.schema import arrow_schema, tables

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from ioledger.submission.duplicates import Status
    from ioledger.submission.listing import Listing

PLACE = Path(".ioledger") / "kept"
"""The folder of a workspace that holds the entries."""
MOST_BYTES = 2 << 30
"""Of entries that the last build did not need."""
ENTRY, HELD = "entry.json", "held"


def at_hand(table: pa.Table) -> Callable[[], pa.Table]:
    """Return what gives this table, in another process too."""
    return partial(_itself, table)


def _itself(table: pa.Table) -> pa.Table:
    return table


class Rows(NamedTuple):
    """What was read of one submission."""

    submission_id: str
    status: Status
    manifest_sha256: str
    file_count: int
    tools: list[str]
    """What wrote its files."""
    tables: Mapping[str, pa.Table]
    """Its rows in every raw table but the verdicts on claims, as they were read; none where it is at fault."""
    held: Callable[[], pa.Table]
    """Gives what its files hold that may stand elsewhere too, as :func:`duplicates.packed` makes it."""


class _File(msgspec.Struct, frozen=True):
    sha256: str
    rows: int


class _Entry(msgspec.Struct, frozen=True):
    """What an entry says of itself."""

    key: str
    submission_id: str
    status: dict[str, str]
    manifest_sha256: str
    file_count: int
    tools: list[str]
    readers: dict[str, str]
    """The hash of the source of each reader that had a part in it."""
    files: dict[str, _File]
    sha256: str = ""
    """Of all the rest."""

    def sealed(self) -> _Entry:
        """Return it with the hash of the rest."""
        plain = msgspec.json.encode(msgspec.structs.replace(self, sha256=""), order="sorted")
        return msgspec.structs.replace(self, sha256=hashlib.sha256(plain).hexdigest())


class Kept:
    """The entries of a workspace; ``spoilt`` names the submissions whose entry was no good."""

    def __init__(self, folder: Path) -> None:
        """Take the workspace's folder."""
        self._workspace, self.folder = folder, folder / PLACE
        self.spoilt: list[str] = []
        self._used: set[str] = set()
        self._shared = shared()

    def key(self, name: str, listing: Listing) -> str:
        """Return the key of what is read of a folder of this name that holds this."""
        told = msgspec.json.encode([self._shared, as_text(name), {as_text(path): listing[path] for path in listing}],
                                   order="sorted")  # fmt: skip
        return hashlib.sha256(told).hexdigest()

    def load(self, name: str, key: str) -> Rows | None:
        """Return what is kept under a key; None when nothing is, another reader read it, or it is spoilt."""
        place = self.folder / key
        self._used |= {key, readings.place_of(self._workspace, name).name}
        try:
            entry = msgspec.json.decode((place / ENTRY).read_bytes(), type=_Entry)
        except FileNotFoundError:
            if place.exists():
                self.spoilt.append(name)
            return None
        except (OSError, msgspec.DecodeError):
            self.spoilt.append(name)
            return None
        is_own = entry.sealed().sha256 == entry.sha256 and (entry.key, entry.submission_id) == (key, name)
        if is_own and any(of_reader(reader) != code for reader, code in entry.readers.items()):
            return None
        rows = _loaded(place, entry) if is_own else None
        if rows is None:
            self.spoilt.append(name)
        else:
            with suppress(OSError):
                os.utime(place)
        return rows

    def readings(self, name: str, listing: Listing, *, anew: bool = False) -> readings.Readings:
        """Return the readings that are kept of a submission of this name, whose folder holds this now."""
        return readings.Readings(readings.place_of(self._workspace, name), listing, anew=anew)

    def seal(self, key: str) -> str:
        """Return the hash of an entry, empty without one: what is the same has the same."""
        try:
            return msgspec.json.decode((self.folder / key / ENTRY).read_bytes(), type=_Entry).sha256
        except (OSError, msgspec.DecodeError):
            return ""

    def forget(self, key: str) -> None:
        """Remove what is kept under a key."""
        shutil.rmtree(self.folder / key, ignore_errors=True)

    def save(self, key: str, rows: Rows) -> None:
        """Keep what was read under a key, in place of what is there."""
        self.folder.mkdir(parents=True, exist_ok=True)
        place = self.folder / key
        with scratch.folder(self.folder) as aside:
            made = aside / "made"
            made.mkdir()
            filled = {name: table for name, table in rows.tables.items() if table.num_rows} | {HELD: rows.held()}
            files = {name: _written(table, made / f"{name}.parquet") for name, table in sorted(filled.items())}
            entry = _Entry(key, *rows[:5], readers=of_readers(rows.tools), files=files).sealed()
            with (made / ENTRY).open("wb") as file:
                file.write(msgspec.json.encode(entry))
            # Another build may keep the same at the same time; either entry will do.
            with suppress(FileNotFoundError):
                place.rename(aside / "replaced")
            try:
                made.rename(place)
            except OSError as error:
                if error.errno not in {errno.EEXIST, errno.ENOTEMPTY}:
                    raise

    def tidy(self, most: int = MOST_BYTES) -> None:
        """Remove entries that were not asked for, the oldest first, until they have no more than ``most`` bytes."""
        found, size = list[tuple[int, str]](), 0
        for folder in (self.folder, self._workspace / readings.PLACE):
            scratch.sweep(folder)
            with suppress(OSError), os.scandir(folder) as entries:
                others = [each for each in entries if each.name not in self._used and not _is_being_made(each.name)]
                found += [(each.stat(follow_symlinks=False).st_mtime_ns, each.path) for each in others]
        for _, path in sorted(found, reverse=True):
            size += _size(Path(path))
            if size > most and Path(path).is_dir():
                shutil.rmtree(path, ignore_errors=True)
            elif size > most:
                Path(path).unlink(missing_ok=True)


def _is_being_made(name: str) -> bool:
    return bool(scratch.FOLDERS.match(name) or scratch.FILES.match(name))


def _size(path: Path) -> int:
    with suppress(OSError):
        return sum(each.lstat().st_size for each in (path.iterdir() if path.is_dir() else [path]))
    return 0


def _written(table: pa.Table, path: Path) -> _File:
    """Write a table as Parquet; return its hash and its rows."""
    sink = pa.BufferOutputStream()
    pq.write_table(table.combine_chunks(), sink, compression="zstd")
    data = sink.getvalue()
    path.write_bytes(data)
    return _File(hashlib.sha256(data).hexdigest(), table.num_rows)


class _OnDisk(Mapping[str, pa.Table]):
    """The tables of an entry, each read when it is asked for, so that no process holds the rows of all submissions."""

    def __init__(self, place: Path, files: Mapping[str, _File]) -> None:
        """Take the entry's folder and its files."""
        self._place, self._files = place, files

    def __getitem__(self, name: str) -> pa.Table:
        """Read a table; one without rows has no file. Raises OSError where the file has gone or has changed."""
        return _still(self._place, name, self._files.get(name), arrow_schema(tables()[name]))

    def __iter__(self) -> Iterator[str]:
        """Give the names of all tables."""
        return iter(tables())

    def __len__(self) -> int:
        """Return how many tables there are."""
        return len(tables())


def _loaded(place: Path, entry: _Entry) -> Rows | None:
    """Return the rows of an entry, None when a file of it is not as it was written or holds other columns."""
    schemas = {name: arrow_schema(table) for name, table in tables().items()} | {HELD: HELD_SCHEMA}
    for name, file in entry.files.items():
        if name not in schemas or _read(place, name, file, schemas[name]) is None:
            return None
    about = (entry.submission_id, entry.status, entry.manifest_sha256, entry.file_count, entry.tools)
    held = partial(_still, place, HELD, entry.files.get(HELD), HELD_SCHEMA)
    return Rows(*about, tables=_OnDisk(place, entry.files), held=held)


def _still(place: Path, name: str, file: _File | None, schema: pa.Schema) -> pa.Table:
    """Read a table of a checked entry; one without rows has no file. Raises OSError where it has gone or changed."""
    table = schema.empty_table() if file is None else _read(place, name, file, schema)
    if table is None:
        message = "what was kept has changed while it was used"
        raise OSError(errno.EIO, message, str(place))
    return table


def _read(place: Path, name: str, file: _File, schema: pa.Schema) -> pa.Table | None:
    """Read a table of an entry, None when it is not as it was written or holds other columns."""
    try:
        data = (place / f"{name}.parquet").read_bytes()
        if hashlib.sha256(data).hexdigest() != file.sha256:
            return None
        table = pq.read_table(pa.BufferReader(data))
    except (OSError, pa.ArrowException):
        return None
    is_sound = table.schema.equals(schema) and table.num_rows == file.rows
    return pa.Table.from_arrays(table.columns, schema=schema) if is_sound else None
