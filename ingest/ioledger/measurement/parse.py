"""
Result files to rows, without a manifest: the work behind ``ioledger parse``.

Files are read in chunks, so that memory does not grow with their number and several processes can share the work. A
chunk becomes JSON lines, Arrow tables, or both, whichever is wanted.
"""

from __future__ import annotations

import gc
import os
from contextlib import closing, contextmanager, suppress
from datetime import UTC, datetime, timedelta
from functools import partial
from typing import TYPE_CHECKING

import msgspec

from ioledger.measurement.files import load
from ioledger.problems import Problem, plain
from ioledger.readers import detect
from ioledger.tables import files
from ioledger.tables.columns import OWN, Part, identity, repetition_identity

if TYPE_CHECKING:
    from collections.abc import Generator, Iterable, Iterator, Sequence

RESULTS, _BINS, _FILES = "results", "latency_bins", "files"
_BYTES = 4 << 20
"""Where histograms are wanted, which are many times the rows of results, this much is read at once."""
TABLES = (RESULTS, "latency_percentiles", _BINS, "samples", "findings", _FILES)
_EPOCH, _TIMES = datetime(1970, 1, 1, tzinfo=UTC), ("started_at", "ended_at")
CHUNK_FILES = 500
"""How many files are read at once."""
SHARES = 8
"""Chunks per process, so that all processes end at about the same time."""
POOL_FILES = 5_000
"""Below this many files starting processes costs more than it saves."""


class File(msgspec.Struct):
    """What became of one file: how many results and findings it gave, and what is wrong with it."""

    source_path: str
    source_sha256: str | None = None
    result_count: int = 0
    finding_count: int = 0
    problems: list[Problem] = []


class Chunk(msgspec.Struct):
    """What some files gave: a record of each, results as JSON lines, and tables by name as Arrow IPC streams."""

    files: list[File] = []
    lines: bytes = b""
    tables: dict[str, bytes] = {}

    @property
    def problems(self) -> list[Problem]:
        """What is wrong with these files, in their order."""
        return [problem for file in self.files for problem in file.problems]


def chunks(
    paths: Sequence[str],
    *,
    lines: bool,
    tables: Sequence[str] = (),
    processes: int | None = None,
) -> Generator[Chunk]:
    """
    Read the files in chunks, in order; with several processes from 5 000 files on.

    ``lines`` asks for JSON lines, ``tables`` for these of ``TABLES`` as Arrow. ``processes`` is the number of processes
    (default: all cores when there are enough files).
    """
    work = partial(_read, lines=lines, tables=tables)
    count = processes or (os.cpu_count() or 1 if len(paths) >= POOL_FILES else 1)
    size = CHUNK_FILES if count == 1 else max(min(CHUNK_FILES, len(paths) // (SHARES * count)), 1)
    groups = _groups(paths, size, is_weighed=_BINS in tables)
    if count == 1:
        yield from _marked(map(work, groups))
        return
    from ioledger.measurement.processes import shared  # noqa: PLC0415  (takes a tenth of the start of a small parse)

    work([])  # what is loaded before the processes start is loaded once
    with closing(shared(work, groups, count)) as found:
        yield from _marked(found)


def _groups(paths: Iterable[str], size: int, *, is_weighed: bool) -> Iterator[list[str]]:
    """Give files in groups of a size; groups that are weighed end earlier, where they have ``_BYTES`` together."""
    group, weight = list[str](), 0
    for path in paths:
        group.append(path)
        if is_weighed:
            with suppress(OSError):  # reading it says why
                weight += os.stat(path).st_size  # noqa: PTH116  (a Path per file takes as long as reading it)
        if len(group) == size or weight >= _BYTES:
            yield group
            group, weight = [], 0
    if group:
        yield group


def _marked(found: Iterable[Chunk]) -> Iterator[Chunk]:
    """Give the chunks on; in the table ``files`` each file says whether an earlier one has the same bytes."""
    first: dict[tuple[str | None, str], str] = {}
    for chunk in found:
        if _FILES in chunk.tables:
            from ioledger.tables import arrow_out  # noqa: PLC0415  (pyarrow loads only when Arrow is written)

            chunk.tables[_FILES] = arrow_out.marked(chunk.tables[_FILES], first)
        yield chunk


def _read(paths: Sequence[str], *, lines: bool, tables: Sequence[str]) -> Chunk:
    parts, rows, handed_in = [], [], []
    chunk = Chunk()
    with _no_collection():
        for path in paths:
            source = load(path, wants_bins=_BINS in tables)
            if isinstance(source, Problem):
                chunk.files.append(File(path, problems=[source]))
                handed_in.append(files.parsed(plain(path), None, None, [source]))
                continue
            part = Part(detect.read(source), source.sha256, plain(path))
            chunk.files.append(_file(path, part))
            if lines:
                rows.append(_json_lines(part))
            if tables:
                parts.append(part)
            if _FILES in tables:
                row = files.parsed(part.source_path, source, part.reading, chunk.files[-1].problems)
                handed_in += files.with_documents(row, part.reading)
        chunk.lines = b"".join(rows)
        if tables:
            from ioledger.tables import arrow_out  # noqa: PLC0415  (pyarrow loads only when Arrow is written)

            chunk.tables = arrow_out.streams(parts, tables, handed_in)
    return chunk


@contextmanager
def _no_collection() -> Iterator[None]:
    """Keep Python from looking for garbage in cycles, a tenth of the time: what readers make has none."""
    was_enabled = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_enabled:
            gc.enable()


def _file(path: str, part: Part) -> File:
    """Return the record of a file that was loaded, with why it, or a part of it, was not read."""
    reading = part.reading
    problems = [Problem(path, r.place, r.what, r.remedy, r.rule) for r in reading.refusals]
    if not problems and not reading.results and not reading.is_setup and not any(reading.rows.values()):
        what = f"{reading.tool} {reading.source_format or ''}".strip() + " without any result"
        problems.append(Problem(path, "", what, "Nothing to do if this is not a result file.", "R-READ-2"))
    return File(path, part.source_sha256, len(reading.results), len(reading.warnings), problems)


def _json_lines(part: Part) -> bytes:
    """Return one line per result, with the columns that the file alone can tell."""
    sha256 = part.source_sha256
    head = {
        "source_path": part.source_path,
        "source_sha256": sha256,
        "file_id": part.file_id,
        "tool": part.reading.tool,
    }
    lines = []
    for result in part.reading.results:
        ids = {
            "source_pointer": result.pointer,
            "result_id": identity(sha256, result.pointer),
            "repetition_id": repetition_identity(sha256, result.repetition),
        }
        own = {name: getattr(result, name) for name in OWN}
        times = {name: _EPOCH + timedelta(microseconds=own[name]) for name in _TIMES if own[name] is not None}
        lines.append(msgspec.json.encode({**head, **ids, **own, **times}) + b"\n")
    return b"".join(lines)
