"""What the tables of readings are made of: the columns that a file alone tells, and the ids of places in it."""

from __future__ import annotations

from hashlib import sha256 as _sha256
from typing import TYPE_CHECKING, NamedTuple

from ioledger.readers.base import Result
from ioledger.tables.schema import tables

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ioledger.readers.base import Reading

ID_DIGITS = 20
OWN = tuple(name for name in Result.__struct_fields__ if name in tables()["results"].column_names)
COLUMNS = ("source_path", "source_sha256", "file_id", "tool", "source_pointer", "result_id", "repetition_id", *OWN)


class Part(NamedTuple):
    """One file's reading and what is known about the file from outside."""

    reading: Reading
    source_sha256: str
    source_path: str
    submission_id: str | None = None
    configuration_id: str | None = None
    repetition_index: int | None = None

    @property
    def file_id(self) -> str:
        """Return the id of the file: of its place, so that the same bytes in two places are two files."""
        return file_id(self.source_path, self.submission_id)


def file_id(path: str, submission_id: str | None = None, document: int | None = None) -> str:
    """Return the id of a file, or of a document in it: 20 hexadecimal digits of the hash of its place."""
    outside, inside = f"{submission_id}/" if submission_id else "", "" if document is None else f"#{document}"
    return _sha256(f"{outside}{path}{inside}".encode()).hexdigest()[:ID_DIGITS]


def identity(sha256: str, place: str) -> str:
    """Return the id of a place in a file: 20 hexadecimal digits of the hash of the file's hash and the place."""
    return _sha256(f"{sha256}:{place}".encode()).hexdigest()[:ID_DIGITS]


def repetition_identity(sha256: str, repetition: str) -> str:
    """Return the id of what was measured together at a place of a file."""
    return identity(sha256, f"point {repetition}")


def result_ids(parts: Sequence[Part]) -> list[str]:
    """Return the id of every result, in order."""
    return [identity(part.source_sha256, result.pointer) for part in parts for result in part.reading.results]
