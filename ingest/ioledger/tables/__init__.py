"""Outputs of ``ioledger`` among the files to read: recognised by content, so that they are never taken for results."""

from __future__ import annotations

import msgspec

from ioledger.tables.schema import tables

MARK = b"ioledger.table"
"""Key in the metadata of Arrow and Parquet files; its value is the name of the table."""
_ARROW, _PARQUET, _METRICS = b"ARROW1\0\0", b"PAR1", b"# TYPE ioledger_"
MARKED = "<!-- made by ioledger -->"
"""In pages and Markdown, where no reader of them sees it."""
_DOCUMENTS = (b"<!doctype html>", b"**")
_VERDICTS = (b'{\n  "verdict": "', b"<?xml version='1.0' encoding='utf-8'?>\n<testsuite name=\"ioledger gate\"")
_ENDS = 1 << 20
"""Schemas stand within so many bytes: of Arrow at the beginning, of Parquet at the end."""
_FIRST = ("source_path", "file_id", "result_id", "source_sha256")
"""With one of these a row of ours begins."""
_STARTS = tuple(start + f'"{name}"'.encode() for name in _FIRST for start in (b"", b"{"))
_FEWEST = 4
"""No table has fewer columns."""


def is_written_here(data: bytes) -> bool:
    """Say whether these bytes are a table, a page or a verdict that this program wrote, in whatever format."""
    if data.startswith(_DOCUMENTS):
        return MARKED.encode() in data[-_ENDS:]
    if data.startswith(_ARROW):
        return MARK in data[:_ENDS]
    if data.startswith(_PARQUET):
        return MARK in data[-_ENDS:]
    if data.startswith(_STARTS):
        columns = _columns(data[:_ENDS].partition(b"\n")[0].rstrip(b"\r"))
        return len(columns) >= _FEWEST and any(columns <= set(table.column_names) for table in tables().values())
    return data.startswith((_METRICS, *_VERDICTS))


def _columns(line: bytes) -> set[str]:
    """Return the names of columns that a first line tells: the header of a CSV, or the keys of an object."""
    if line.startswith(b'"'):
        return {name.strip('"') for name in line.decode(errors="replace").split(",")}
    try:
        return set(msgspec.json.decode(line, type=dict[str, object]))
    except (msgspec.DecodeError, RecursionError):
        return set()
