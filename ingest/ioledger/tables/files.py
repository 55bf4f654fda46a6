"""
Rows of the tables ``files`` (outcome of each file) and ``findings``.

The id of a file is the hash of its place, so the same bytes in two places are two files; the ids of its results and
repetitions are hashes of its bytes and the place inside, and stay the same wherever it lies.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import msgspec

from ioledger.problems import plain
from ioledger.tables.columns import Part, file_id, result_id, result_repetition_id

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from ioledger.model import Reading, Refusal, Result
    from ioledger.problems import Problem

Row = dict[str, Any]
Place = tuple[str | None, str | None]
"""What a finding is about: the ids of its repetition and of its result, as far as there is one."""
LATEST = 4_102_444_800_000_000
"""The first instant of 2100, in microseconds since 1970 UTC."""
MOST = (1 << 63) - 1
"""Largest value of an integer column."""
NOWHERE: tuple[Mapping[str, Place], Place] = ({}, (None, None))
"""Places of a file of an unknown run."""


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
    return {"ended_at": ended(results), "written_bytes": written(results)}


def written(results: Sequence[Result]) -> int | None:
    """Return how many bytes runs wrote or trimmed, those that nothing went wrong in; None where no run tells bytes."""
    if all(result.transferred_bytes is None for result in results):
        return None
    return min(sum(result.transferred_bytes or 0 for result in results if _wrote(result)), MOST)


def _wrote(result: Result) -> bool:
    is_sound = not result.error_code and not result.error_count and not result.is_partial and result.outcome == "ok"
    return is_sound and result.operation in {"write", "trim"}


def ended(results: Iterable[Result]) -> int | None:
    """
    Return when the last of several runs had ended, in microseconds since 1970 UTC; None where nothing tells it.

    A run says when it ended, or when it began; then its ramp and its duration come after that. What would end after
    2099 tells nothing.
    """
    ends = [_end(result) for result in results]
    return max((end for end in ends if end is not None), default=None)


def _end(result: Result) -> int | None:
    if result.ended_at is not None or result.started_at is None:
        return result.ended_at
    end = result.started_at + 1e6 * ((result.ramp_seconds or 0.0) + (result.duration_seconds or 0.0))
    return round(end) if end < LATEST else None


def status(problems: Sequence[Problem | Refusal]) -> Row:
    """Return what became of a file that was to be read: refused for the first of its problems, or read."""
    first = problems[0] if problems else None
    return {
        "status": "refused" if first else "read",
        "rule_id": first.rule if first else None,
        "reason": first.what if first else None,
    }


def place(row: Row) -> str:
    """Return the place of a file, or of a member of a container, that its id is made of."""
    return row["path"] if row.get("member_path") is None else f"{row['path']}!{row['member_path']}"


def with_documents(row: Row, reading: Reading | None) -> list[Row]:
    """
    Return the row of a file and, where it holds several documents, one for each of them.

    A document is a report of its own (``0#…`` in pointers) or what stands in another format. One that says again what
    another says is ignored, and stands after those with results. An excerpt is one.
    """
    if reading is None or any(result.origin for result in reading.results[:1]):
        return [row]
    found: dict[tuple[str, str], list[Result]] = {}
    for result in reading.results:
        found.setdefault((_report(result.pointer), result.source_format), []).append(result)
    documents = [_document_row(row, results, reading) for results in found.values()] + _list_repeated(
        row, found, reading
    )
    if len(documents) < 2:  # noqa: PLR2004  (one is the file itself)
        return [row]
    for index, document in enumerate(documents):
        document["file_id"] = file_id(place(row), row.get("submission_id"), index)
        document["document_index"] = index
    return [row, *documents]


def _report(pointer: str) -> str:
    return pointer.partition("#")[0] if "#" in pointer else ""


def _document_row(row: Row, results: Sequence[Result], reading: Reading) -> Row:
    """Return the row of a document with results."""
    about = {name for result in results for name in (result.pointer, result.repetition)}
    counted = sum(finding.pointer in about for finding in reading.warnings)
    return row | {
        "tool_version": results[0].tool_version or row["tool_version"],
        "format": results[0].source_format,
        "document_count": 1,
        "result_count": len(results) if row["result_count"] else 0,
        **_runs(results),
        "finding_count": counted if row["finding_count"] else 0,
    }


def _list_repeated(row: Row, found: Mapping[tuple[str, str], Sequence[Result]], reading: Reading) -> list[Row]:
    """Return the rows of documents, or of the parts of them, that say again what a document with results says."""
    documents = {result.pointer: (index, result) for index, each in enumerate(found.values()) for result in each}
    rows: dict[tuple[str, str, int], Row] = {}
    for left in reading.left_out:
        if left.same_as not in documents:
            continue
        index, same = documents[left.same_as]
        told = {
            "tool_version": same.tool_version or row["tool_version"],
            "format": left.source_format,
            "document_count": 1,
            "result_count": 0,
            **_runs(()),
            "finding_count": 0,
            "status": "ignored",
            "rule_id": left.rule,
            "reason": f"the same run as document {index}",
        }
        rows.setdefault((_report(left.pointer), left.source_format, index), row | told)
    return list(rows.values())


def places(part: Part) -> tuple[dict[str, Place], Place]:
    """Return what the pointers of a file's results and the names of its repetitions stand for, and its other places."""
    found: dict[str, Place] = {}
    if (run := part.run) is not None:
        for result in part.reading.results:
            found[result.pointer] = (run.repetition_id, run.result_id(result.operation))
        return found, (run.repetition_id, None)
    for result in part.reading.results:
        repetition_id = result_repetition_id(part.source_sha256, result)
        found.setdefault(result.repetition, (repetition_id, None))
        found[result.pointer] = (repetition_id, result_id(part.source_sha256, result))
    return found, (None, None)


def findings(part: Part, known: Mapping[str, Place], otherwise: Place) -> Iterator[Row]:
    """Give the rows of a file's findings; ``known`` says what their pointers stand for, ``otherwise`` what the rest."""
    head = {name: getattr(part, name) for name in ("file_id", "submission_id", "source_sha256", "source_path")}
    for index, finding in enumerate(part.reading.warnings, 1):
        repetition_id, result_id = known.get(finding.pointer, otherwise)
        yield {
            **head,
            "finding_index": index,
            "source_pointer": finding.pointer or None,
            "repetition_id": repetition_id,
            "result_id": result_id,
            "rule_id": finding.rule,
            "message": finding.message,
            "values": values_text(finding.values),
        }


def values_text(values: Mapping[str, float | int | str]) -> str | None:
    """Return the values that a finding names as a JSON object with sorted keys, or None for none."""
    if not values:
        return None
    held = {name: plain(value) if isinstance(value, str) else value for name, value in values.items()}
    return msgspec.json.encode(held, order="sorted").decode()


def mark_duplicates(rows: list[Row], first: dict[tuple[str | None, str], str]) -> None:
    """Put into every row the path of the first file with the same bytes; ``first`` holds the paths so far."""
    for row in rows:
        if row["source_sha256"] is not None and row.get("document_index") is None:
            there = first.setdefault((row.get("submission_id"), row["source_sha256"]), row["path"])
            row["duplicate_of"] = there if there != row["path"] else None
