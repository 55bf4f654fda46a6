"""
What became of every file, and what was found in it: the rows of the tables ``files`` and ``findings``.

The id of a file is the hash of its place, so the same bytes in two places are two files; the ids of its results and
repetitions are hashes of its bytes and the place inside, and stay the same wherever it lies.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import msgspec

from ioledger.problems import plain
from ioledger.tables.columns import Part, file_id, identity, repetition_identity

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from ioledger.problems import Problem
    from ioledger.readers.base import Reading, Refusal, Result, Source

Row = dict[str, Any]
Place = tuple[str | None, str | None]
"""What a finding is about: the ids of its repetition and of its result, as far as there is one."""


def reader_columns(reading: Reading | None) -> Row:
    """Return what a reader tells of a file; nothing where none claims it."""
    if reading is None or reading.tool == "unknown":
        return {"result_count": 0, "finding_count": 0}
    return {
        "tool": reading.tool,
        "tool_version": reading.tool_version,
        "format": reading.source_format,
        "encoding": reading.encoding,
        "document_count": reading.document_count,
        "result_count": len(reading.results),
        "finding_count": len(reading.warnings),
    }


def parsed(path: str, source: Source | None, reading: Reading | None, problems: Sequence[Problem]) -> Row:
    """Return the row of a file that belongs to no submission; without a source its bytes could not be had."""
    return {
        "file_id": file_id(path),
        "path": path,
        "source_sha256": source.sha256 if source else None,
        "size_bytes": len(source.data) if source else None,
        **reader_columns(reading),
        **status(problems),
    }


def status(problems: Sequence[Problem | Refusal]) -> Row:
    """Return what became of a file that was to be read: refused for the first of its problems, or read."""
    first = problems[0] if problems else None
    return {
        "status": "refused" if first else "read",
        "rule_id": first.rule if first else None,
        "reason": first.what if first else None,
    }


def with_documents(row: Row, reading: Reading | None) -> list[Row]:
    """
    Return the row of a file and, where it holds several documents with results, one for each of them.

    A document is a report of its own (``0#…`` in pointers) or what stands in another format.
    """
    if reading is None:
        return [row]
    found: dict[tuple[str, str], list[Result]] = {}
    for result in reading.results:
        report = result.pointer.partition("#")[0] if "#" in result.pointer else ""
        found.setdefault((report, result.source_format), []).append(result)
    rows = [row]
    for index, results in enumerate(found.values() if len(found) > 1 else ()):
        about = {name for result in results for name in (result.pointer, result.repetition)}
        told = {
            "file_id": file_id(row["path"], row.get("submission_id"), index),
            "document_index": index,
            "tool_version": results[0].tool_version or row["tool_version"],
            "format": results[0].source_format,
            "document_count": 1,
            "result_count": len(results) if row["result_count"] else 0,
            "finding_count": sum(finding.pointer in about for finding in reading.warnings)
            if row["finding_count"]
            else 0,
        }
        rows.append(row | told)
    return rows


def places(part: Part) -> dict[str, Place]:
    """Return what the pointers of a file's results and the names of its repetitions stand for."""
    found: dict[str, Place] = {}
    for result in part.reading.results:
        repetition_id = repetition_identity(part.source_sha256, result.repetition)
        found.setdefault(result.repetition, (repetition_id, None))
        found[result.pointer] = (repetition_id, identity(part.source_sha256, result.pointer))
    return found


def findings(part: Part, known: dict[str, Place], otherwise: Place = (None, None)) -> Iterator[Row]:
    """Give the rows of a file's findings; ``known`` says what their pointers stand for."""
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
    """
    Put into every row the path of the first file with the same bytes; ``first`` holds the paths so far.

    Each submission is looked at by itself, so that a new one changes no row of another.
    """
    for row in rows:
        if row["source_sha256"] is not None and row.get("document_index") is None:
            there = first.setdefault((row.get("submission_id"), row["source_sha256"]), row["path"])
            row["duplicate_of"] = there if there != row["path"] else None
