"""
Results that cover the whole workload: a sum with its parts, or parts with their sum, are excluded.

The models exclude the same ones (``models/intermediate/int_results_loaded.sql``).
"""

from __future__ import annotations

from collections import defaultdict
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Collection

    Row = dict[str, Any]

_DIRECTIONS = frozenset({"read", "write", "trim"})


def select_whole_loads(rows: Collection[Row]) -> list[Row]:
    """Return the rows that cover their whole load, each once: of a run, not of a part of it."""
    kept = [row for row in rows if not row["is_partial"]]
    totals, jobs, parts, directions = set(), defaultdict(set), set(), set()
    for row in kept:
        document, repetition = _document_of(row), (file_of(row), row["repetition_id"])
        if row["is_aggregate"] and row["scope"] == "all":
            totals.add(document)
        if not row["is_aggregate"]:
            parts.add(repetition)
            jobs[*document, row["group_index"]].add(row["repetition_id"])
        if row["operation"] in _DIRECTIONS:
            directions.add(repetition)

    def is_whole(row: Row) -> bool:
        document, repetition = _document_of(row), (file_of(row), row["repetition_id"])
        if row["scope"] == "process":
            return False
        if row["is_aggregate"] and row["scope"] == "group":
            is_sum_of_operations = row["operation"] == "mixed" and repetition in directions
            return repetition not in parts and document not in totals and not is_sum_of_operations
        if row["is_aggregate"]:
            return bool(row["scope"] == "all")
        return document not in totals and (row["group_index"] is None or len(jobs[*document, row["group_index"]]) == 1)

    return [row for row in kept if is_whole(row) and row["is_canonical"]]


def file_of(row: Row) -> str:
    """Return the hash of the file that was measured, which an excerpt names."""
    return str(row["origin_sha256"] or row["source_sha256"])


def _document_of(row: Row) -> tuple[str, str]:
    """Return the document of a row: its file and the part of the pointer before the place."""
    document, found, _ = str(row["origin_pointer"] or row["source_pointer"]).partition("#")
    return file_of(row), document if found else ""
