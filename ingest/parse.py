"""
Result files to rows, without a manifest: the work behind ``ioledger parse``.

Files are read in chunks, so that memory does not grow with their number and several processes can share the work. A
chunk becomes JSON lines, an Arrow table, or both, whichever is wanted.
"""

from __future__ import annotations

import os
from functools import partial
from itertools import islice
from typing import TYPE_CHECKING

import msgspec

from ingest import detect
from ingest.columns import OWN, Part
from ingest.loading import load
from ingest.problems import Problem

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from ingest.record import Reading

COLUMNS = ("source_path", "source_sha256", "tool", "source_pointer", *OWN)
Answer = tuple[int, list[Problem]]
"""How many results a file gave, and what is wrong with it."""
CHUNK_FILES, BULK_FILES = 500, 1_000
"""How many files are read at once: one result at a time, and by columns, whose cost per chunk is larger."""
SHARES = 8
"""Chunks per process, so that all processes end at about the same time."""
POOL_FILES = 5_000
"""Below this many files starting processes costs more than it saves."""


class Chunk(msgspec.Struct):
    """What some files gave: problems, per folder how many files were there, read, and their results, and the rows."""

    problems: list[Problem] = []
    counts: dict[str, tuple[int, int, int]] = {}
    lines: bytes = b""
    table: bytes | None = None
    """The rows as an Arrow IPC stream."""


def chunks(
    paths: Sequence[str], *, lines: bool, table: bool, by_rows: bool = False, processes: int | None = None
) -> Iterator[Chunk]:
    """
    Read the files in chunks, in order; with several processes from 5 000 files on.

    ``lines`` asks for JSON lines, ``table`` for Arrow. Arrow alone is read by columns, several times as fast, unless
    ``by_rows``: that way may load a file twice, which a pipe does not allow. ``processes`` is the number of processes
    (default: all cores when there are enough files).
    """
    by_columns = table and not lines and not by_rows
    work = _by_columns if by_columns else partial(_by_rows, lines=lines, table=table)
    count = processes or (os.cpu_count() or 1 if len(paths) >= POOL_FILES else 1)
    size = BULK_FILES if by_columns else CHUNK_FILES
    if count > 1:
        size = max(min(size, len(paths) // (SHARES * count)), 1)
    remaining = iter(paths)
    groups = iter(lambda: list(islice(remaining, size)), [])
    if count == 1:
        yield from map(work, groups)
        return
    from ingest.processes import shared  # noqa: PLC0415  (takes a tenth of the start of a small parse)

    work([] if by_rows else paths[:1])  # what is loaded before the processes start is loaded once
    yield from shared(work, groups, count)


def _by_columns(paths: Sequence[str]) -> Chunk:
    from ingest.arrow_out import by_columns  # noqa: PLC0415  (pyarrow loads only when Arrow is written)

    table, counts, readings = by_columns(partial(load, wants_bins=False), paths)
    found = zip(paths, counts, readings, strict=True)
    answers = [(count, [] if reading is None else _problems(path, reading)) for path, count, reading in found]
    return _chunk(paths, answers, table=table)


def _by_rows(paths: Sequence[str], *, lines: bool, table: bool) -> Chunk:
    parts, answers, rows = [], [], []
    for path in paths:
        source = load(path, wants_bins=False)
        if isinstance(source, Problem):
            answers.append((0, [source]))
            continue
        part = Part(detect.read(source), source.sha256, path)
        answers.append((len(part.reading.results), _problems(path, part.reading)))
        if lines:
            rows.append(_json_lines(part))
        if table:
            parts.append(part)
    chunk = _chunk(paths, answers, lines=b"".join(rows))
    if table:
        from ingest.arrow_out import ipc_stream  # noqa: PLC0415  (pyarrow loads only when Arrow is written)

        chunk.table = ipc_stream(parts)
    return chunk


def _chunk(paths: Sequence[str], answers: Sequence[Answer], *, lines: bytes = b"", table: bytes | None = None) -> Chunk:
    """Return the rows of some files with what they gave, counted by folder."""
    chunk = Chunk(lines=lines, table=table)
    for path, (results, problems) in zip(paths, answers, strict=True):
        chunk.problems += problems
        folder = os.path.dirname(path) or os.curdir  # noqa: PTH120  (a Path per file takes as long as reading it)
        files, read, count = chunk.counts.get(folder, (0, 0, 0))
        chunk.counts[folder] = files + 1, read + (not problems), count + results
    return chunk


def _problems(path: str, reading: Reading | Problem) -> list[Problem]:
    """Return why a file, or a part of it, was not read."""
    if isinstance(reading, Problem):
        return [reading]
    problems = [Problem(path, r.place, r.what, r.remedy, r.rule) for r in reading.refusals]
    if not problems and not reading.results and not reading.is_setup and not any(reading.rows.values()):
        what = f"{reading.tool} {reading.source_format or ''}".strip() + " without any result"
        problems.append(Problem(path, "", what, "Nothing to do if this is not a result file.", "R-READ-2"))
    return problems


def _json_lines(part: Part) -> bytes:
    """Return one line per result, with the columns that the file alone can tell."""
    head = {"source_path": part.source_path, "source_sha256": part.source_sha256, "tool": part.reading.tool}
    rows = (
        {**head, "source_pointer": result.pointer, **{name: getattr(result, name) for name in OWN}}
        for result in part.reading.results
    )
    return b"".join(msgspec.json.encode(row) + b"\n" for row in rows)
