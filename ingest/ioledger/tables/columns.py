"""
Columns of the tables of readings, the ids of places in a file, and the rows of the tables ``files`` and ``findings``.

The id of a file is the hash of its place, so the same bytes in two places are two files; the ids of its results and
repetitions are hashes of its bytes and the place inside, and stay the same wherever it lies.
"""

from __future__ import annotations

from hashlib import sha256 as _sha256
from typing import TYPE_CHECKING, Any, NamedTuple

import msgspec

from ioledger.model import Result
from ioledger.problems import plain
from ioledger.tables.schema import tables

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from ioledger.model import Origin, Reading, Refusal
    from ioledger.problems import Problem

Row = dict[str, Any]
Place = tuple[str | None, str | None]
"""What a finding is about: the ids of its repetition and of its result, as far as there is one."""
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


def with_repetition(row: Row, sha256: str) -> Row:
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


LATEST = 4_102_444_800_000_000
"""The first instant of 2100, in microseconds since 1970 UTC."""
MOST = (1 << 63) - 1
"""Largest value of an integer column."""


def reader_columns(reading: Reading | None) -> Row:
    """Return the reader's columns of a file; empty if no reader recognises it."""
    if reading is None or reading.tool == "unknown":
        return {"result_count": 0, "finding_count": 0}
    return {
        "tool": reading.tool,
        "tool_version": reading.tool_version,
        "format": reading.source_format,
        "encoding": reading.encoding,
        "document_count": reading.document_count,
        "result_count": len(reading.results),
        **_runs(reading.results),
        "finding_count": len(reading.warnings),
    }


def _runs(results: Sequence[Result]) -> Row:
    return {"ended_at": end_of_runs(results), "written_bytes": written_bytes(results)}


def written_bytes(results: Sequence[Result]) -> int | None:
    """Return how many bytes runs wrote or trimmed, those that nothing went wrong in; None where no run tells bytes."""
    if all(result.transferred_bytes is None for result in results):
        return None
    return min(sum(result.transferred_bytes or 0 for result in results if _wrote(result)), MOST)


def _wrote(result: Result) -> bool:
    is_sound = not result.error_code and not result.error_count and not result.is_partial and result.outcome == "ok"
    return is_sound and result.operation in {"write", "trim"}


def end_of_runs(results: Iterable[Result]) -> int | None:
    """Return when the last of several runs had ended, in microseconds since 1970 UTC; None where nothing tells it."""
    ends = [_end(result) for result in results]
    return max((end for end in ends if end is not None), default=None)


def _end(result: Result) -> int | None:
    if result.ended_at is not None or result.started_at is None:
        return result.ended_at
    end = result.started_at + 1e6 * ((result.ramp_seconds or 0.0) + (result.duration_seconds or 0.0))
    return round(end) if end < LATEST else None


def file_status(problems: Sequence[Problem | Refusal]) -> Row:
    """Return what became of a file that was to be read: refused for the first of its problems, or read."""
    first = problems[0] if problems else None
    return {
        "status": "refused" if first else "read",
        "rule_id": first.rule if first else None,
        "reason": first.what if first else None,
    }


def file_place(row: Row) -> str:
    """Return the place of a file, or of a member of a container, that its id is made of."""
    return row["path"] if row.get("member_path") is None else f"{row['path']}!{row['member_path']}"


def with_documents(row: Row, reading: Reading | None) -> list[Row]:
    """Return the row of a file and, where it holds several reports or formats, one for each; repeated ones are last."""
    if reading is None or any(result.origin for result in reading.results[:1]):
        return [row]
    read: dict[tuple[str, str], list[Result]] = {}
    for result in reading.results:
        read.setdefault((_report(result.pointer), result.source_format), []).append(result)
    documents, by_place = [], {result.pointer: (at, result) for at, each in enumerate(read.values()) for result in each}
    for results in read.values():
        about = {name for result in results for name in (result.pointer, result.repetition)}
        counted = sum(finding.pointer in about for finding in reading.warnings)
        documents.append(_document_row(row, results[0].source_format, results[0], results, counted))
    repeated: dict[tuple[str, str, int], Row] = {}
    for left in reading.left_out:
        if left.same_as in by_place:
            at, same = by_place[left.same_as]
            ignored = {"status": "ignored", "rule_id": left.rule, "reason": f"the same run as document {at}"}
            document = _document_row(row, left.source_format, same) | ignored
            repeated.setdefault((_report(left.pointer), left.source_format, at), document)
    documents += repeated.values()
    if len(documents) < 2:  # noqa: PLR2004  (one is the file itself)
        return [row]
    for index, document in enumerate(documents):
        document["file_id"] = file_id(file_place(row), row.get("submission_id"), index)
        document["document_index"] = index
    return [row, *documents]


def _report(pointer: str) -> str:
    return pointer.partition("#")[0] if "#" in pointer else ""


def _document_row(
    row: Row, source_format: str, like: Result, results: Sequence[Result] = (), finding_count: int = 0
) -> Row:
    return row | {
        "tool_version": like.tool_version or row["tool_version"],
        "format": source_format,
        "document_count": 1,
        "result_count": len(results) if row["result_count"] else 0,
        **_runs(results),
        "finding_count": finding_count if row["finding_count"] else 0,
    }


def finding_rows(part: Part, *, is_tied: bool = True) -> Iterator[Row]:
    """Give the rows of a file's findings; the run of a file that is not tied to one is unknown."""
    run, places = part.run, dict[str, Place]()
    otherwise: Place = (None, None)
    if is_tied:
        otherwise = (run.repetition_id if run else None, None)
        for result in part.reading.results:
            if run:
                places[result.pointer] = (run.repetition_id, run.result_id(result.operation))
            else:
                repetition = result_repetition_id(part.source_sha256, result)
                places.setdefault(result.repetition, (repetition, None))
                places[result.pointer] = (repetition, result_id(part.source_sha256, result))
    head = {name: getattr(part, name) for name in ("file_id", "submission_id", "source_sha256", "source_path")}
    for index, finding in enumerate(part.reading.warnings, 1):
        repetition_id, named_id = places.get(finding.pointer, otherwise)
        yield {
            **head,
            "finding_index": index,
            "source_pointer": finding.pointer or None,
            "repetition_id": repetition_id,
            "result_id": named_id,
            "rule_id": finding.rule,
            "message": finding.message,
            "values": values_text(finding.values),
        }


def values_text(values: Mapping[str, float | int | str]) -> str | None:
    """Return the values that a finding names as a JSON object with sorted keys, or None for none."""
    if not values:
        return None
    texts = {name: plain(value) if isinstance(value, str) else value for name, value in values.items()}
    return msgspec.json.encode(texts, order="sorted").decode()


def mark_duplicates(rows: list[Row], first: dict[tuple[str | None, str], str]) -> None:
    """Put into every row the path of the first file with the same bytes; ``first`` holds the paths so far."""
    for row in rows:
        if row["source_sha256"] is not None and row.get("document_index") is None:
            there = first.setdefault((row.get("submission_id"), row["source_sha256"]), row["path"])
            row["duplicate_of"] = there if there != row["path"] else None
