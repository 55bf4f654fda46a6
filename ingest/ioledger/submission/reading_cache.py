"""
Readings of raw files, cached between builds: a file is read again only when something changed that its reading uses.

A reading uses the bytes of its file, its path, what the manifest states of it (the version of the tool, the job file),
and code: this package, its schemas, Python and the libraries. The SHA-256 of all of these names a file in
``.ioledger/readings/``. It holds the reading as msgpack after the SHA-256 of that; a damaged file is replaced.
"""

from __future__ import annotations

import hashlib
import os
import platform
from contextlib import suppress
from functools import cache
from importlib.metadata import version
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

import msgspec

from ioledger.model import Origin, Reading
from ioledger.tables.schema import SCHEMAS

if TYPE_CHECKING:
    from collections.abc import Callable

PACKAGE = Path(__file__).parents[1]
PLACE = Path(".ioledger") / "readings"
"""The folder of a workspace that holds the cache."""
LIBRARIES = ("msgspec", "numpy")
_DIGEST_BYTES = hashlib.sha256().digest_size


class Inputs(NamedTuple):
    """What the reading of a file depends on, beside code."""

    path: str
    sha256: str
    tool_version: str | None = None
    job_sha256: str | None = None
    """Of the job file that the tool ran."""


class ReadingCache:
    """The cached readings of a workspace; ``read_count`` and ``cached_count`` say where readings came from."""

    def __init__(self, workspace: Path | None = None, *, is_read: bool = True) -> None:
        """Take the workspace, none to cache nothing; with ``is_read`` false every file is read, and cached anew."""
        self.read_count = self.cached_count = 0
        self._folder = None if workspace is None else workspace / PLACE
        self._is_read = is_read
        self._used: set[str] = set()

    def get(self, inputs: Inputs, read: Callable[[], Reading]) -> Reading:
        """Return the reading of a file, from the cache or by ``read``; a file that is refused is never cached."""
        place = None
        if self._folder is not None:
            place = self._folder / hashlib.sha256(msgspec.json.encode([*inputs, *_code()])).hexdigest()
            self._used.add(place.name)
            if self._is_read and (found := _load(place)) is not None:
                self.cached_count += 1
                return found
        reading, self.read_count = read(), self.read_count + 1
        if place is not None and not reading.refusals:
            with suppress(UnicodeEncodeError, OverflowError):  # text or a number that msgpack does not hold
                _save(place, msgspec.msgpack.encode(reading))
        return reading

    def remove_unused(self) -> None:
        """Remove every reading that was not asked for."""
        if self._folder is not None and self._folder.is_dir():
            for path in self._folder.iterdir():
                if path.name not in self._used:
                    path.unlink(missing_ok=True)


def fingerprint(package: Path = PACKAGE) -> str:
    """Return the SHA-256 of the code of this package: other code may read other values."""
    digest = hashlib.sha256()
    for path in sorted(package.rglob("*.py")):
        digest.update(path.relative_to(package).as_posix().encode() + b"\0" + path.read_bytes() + b"\0")
    return digest.hexdigest()


@cache
def _code() -> list[str]:
    """Return what says which code reads: package, schemas of tables, Python, libraries."""
    schemas = hashlib.sha256(b"".join(path.read_bytes() for path in sorted((SCHEMAS / "tables").glob("*.json"))))
    return [fingerprint(), schemas.hexdigest(), platform.python_version(), *map(version, LIBRARIES)]


def _load(place: Path) -> Reading | None:
    data = place.read_bytes() if place.is_file() else b""
    digest, packed = data[:_DIGEST_BYTES], memoryview(data)[_DIGEST_BYTES:]
    if hashlib.sha256(packed).digest() != digest:
        return None
    reading = msgspec.msgpack.decode(packed, type=Reading)
    for row in chain.from_iterable(reading.rows.values()):
        if row.get("origin"):
            row["origin"] = msgspec.convert(row["origin"], Origin)
    return reading


def _save(place: Path, packed: bytes) -> None:
    """Write a file of the cache beside its place and rename it, so that no build finds half of it."""
    place.parent.mkdir(parents=True, exist_ok=True)
    part = place.with_name(f"{place.name}.{os.getpid()}")
    part.write_bytes(hashlib.sha256(packed).digest() + packed)
    part.replace(place)
