"""Columns of the tables of readings: those that a file itself gives, and the ids of places in it."""

from __future__ import annotations

from hashlib import sha256 as _sha256
from typing import TYPE_CHECKING, Any, NamedTuple

import msgspec

from ioledger.model import Result
from ioledger.tables.schema import tables

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ioledger.model import Origin, Reading

ID_DIGITS = 20
DISKS = "disk_counters"
OWN = tuple(name for name in Result.__struct_fields__ if name in tables()["results"].column_names)
VERSION = "reader_version"
ORIGIN = ("origin_path", "origin_sha256", "origin_pointer", "origin_line", VERSION)
"""What an excerpt tells of the raw file that each of its results comes from; the version is that of what read it."""
COLUMNS = (
    *("source_path", "source_sha256", "file_id", "tool", *ORIGIN, "source_pointer", "result_id", "repetition_id"),
    *OWN,
)


def identity(sha256: str, place: str) -> str:
    """Return the id of a place in a file: 20 hexadecimal digits of the hash of the file's hash and the place."""
    return _sha256(f"{sha256}:{place}".encode()).hexdigest()[:ID_DIGITS]


def repetition_identity(sha256: str, repetition: str) -> str:
    """Return the id of what was measured together at a place of a file."""
    return identity(sha256, f"point {repetition}")


def with_repetition(row: dict[str, Any], sha256: str) -> dict[str, Any]:
    """Return a row of a reader with the id of its repetition in a file with this hash; null where it is of none."""
    whole = dict(row)
    place = whole.pop("repetition")
    return whole | {"repetition_id": None if place is None else repetition_identity(sha256, place)}


class Run(msgspec.Struct, frozen=True):
    """The repetition a log belongs to: its file, its name there, and its results, none when they are not published."""

    sha256: str
    repetition: str
    pointers: dict[str, str]
    """Pointer of each result by operation."""
    counts: dict[str, int]
    """Operations by operation, where they are counted."""

    @property
    def repetition_id(self) -> str:
        """The repetition's id in every table."""
        return repetition_identity(self.sha256, self.repetition)

    def result_id(self, operation: str | None) -> str | None:
        """Return the id of the result of an operation; a run that reports reads and writes together has one for all."""
        only = self.pointers.get("mixed") if len(self.pointers) == 1 else None
        pointer = self.pointers.get(operation or "", only)
        return identity(self.sha256, pointer) if pointer else None

    def ids(self, operation: str | None) -> dict[str, str | None]:
        """Return the ids that a sample of an operation carries."""
        return {"repetition_id": self.repetition_id, "result_id": self.result_id(operation)}


class Part(NamedTuple):
    """One file's reading and what is known about the file from outside."""

    reading: Reading
    source_sha256: str
    source_path: str
    submission_id: str | None = None
    configuration_id: str | None = None
    repetition_index: int | None = None
    run: Run | None = None
    """The repetition of another file that all of this one is about: that of a log."""

    @property
    def file_id(self) -> str:
        """Return the id of the file: of its place, so that the same bytes in two places are two files."""
        return file_id(self.source_path, self.submission_id)


def file_id(path: str, submission_id: str | None = None, document: int | None = None) -> str:
    """Return the id of a file, or of a document in it: 20 hexadecimal digits of the hash of its place."""
    outside, inside = f"{submission_id}/" if submission_id else "", "" if document is None else f"#{document}"
    return _sha256(f"{outside}{path}{inside}".encode()).hexdigest()[:ID_DIGITS]


def result_id(sha256: str, result: Result) -> str:
    """Return the id of a result of a file with this hash: of its place there, or in the raw file it comes from."""
    origin = result.origin
    return identity(sha256, result.pointer) if origin is None else identity(origin.sha256, origin.pointer)


def result_repetition_id(sha256: str, result: Result) -> str:
    """Return the id of the repetition of a result, there or in the raw file it comes from."""
    origin = result.origin
    if origin is None:
        return repetition_identity(sha256, result.repetition)
    return repetition_identity(origin.sha256, origin.repetition)


def origin_columns(origin: Origin | None, read_by: str | None) -> tuple[str | int | None, ...]:
    """Return the values of the columns of ``ORIGIN``, in their order; ``read_by`` is the version that read the row."""
    if origin is None:
        return *(None,) * (len(ORIGIN) - 1), read_by
    return origin.path, origin.sha256, origin.pointer, origin.line, origin.reader_version or read_by


def result_ids(parts: Sequence[Part]) -> list[str]:
    """Return the id of every result, in order."""
    return [result_id(part.source_sha256, result) for part in parts for result in part.reading.results]
