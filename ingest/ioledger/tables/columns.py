"""What the tables of readings are made of: the columns that a file alone tells, the ids of places in it, findings."""

from __future__ import annotations

from hashlib import sha256 as _sha256
from typing import TYPE_CHECKING, Any, NamedTuple

from ioledger.readers.base import Result
from ioledger.tables.schema import tables

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Iterator, Sequence

    from ioledger.readers.base import Finding, Reading

ID_DIGITS = 20
OWN = tuple(name for name in Result.__struct_fields__ if name in tables()["results"].column_names)
COLUMNS = ("source_path", "source_sha256", "tool", "source_pointer", "result_id", "repetition_id", *OWN)


class Part(NamedTuple):
    """One file's reading and what is known about the file from outside."""

    reading: Reading
    source_sha256: str
    source_path: str
    submission_id: str | None = None
    configuration_id: str | None = None
    repetition_index: int | None = None


def identity(sha256: str, place: str) -> str:
    """Return the id of a place in a file: 20 hexadecimal digits of the hash of the file's hash and the place."""
    return _sha256(f"{sha256}:{place}".encode()).hexdigest()[:ID_DIGITS]


def repetition_identity(sha256: str, repetition: str) -> str:
    """Return the id of what was measured together at a place of a file."""
    return identity(sha256, f"point {repetition}")


def result_ids(parts: Sequence[Part]) -> list[str]:
    """Return the id of every result, in order."""
    return [identity(part.source_sha256, result.pointer) for part in parts for result in part.reading.results]


def warnings(sha256: str, findings: Iterable[Finding], pointers: Collection[str]) -> Iterator[dict[str, Any]]:
    """Yield the rows of the table warnings of one file; ``pointers`` are those of its results."""
    for index, finding in enumerate(findings, 1):
        yield {
            "warning_index": index,
            "source_pointer": finding.pointer or None,
            "result_id": identity(sha256, finding.pointer) if finding.pointer in pointers else None,
            "rule_id": finding.rule,
            "message": finding.message,
        }
