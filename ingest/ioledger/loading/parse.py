"""
Result files to rows, without a manifest: the work behind ``ioledger parse``.

Files are read in chunks, so that memory does not grow with their number and several processes can share the work. A
chunk becomes JSON lines, Arrow tables, or both. Files of one folder are read together.
"""

from __future__ import annotations

import gc
import os
import signal
from collections import deque
from contextlib import closing, contextmanager
from datetime import UTC, datetime, timedelta
from functools import partial
from itertools import chain, groupby
from operator import attrgetter
from threading import Thread
from typing import TYPE_CHECKING, NamedTuple

import msgspec

from ioledger.loading import copies
from ioledger.loading.archives import Entry, sources
from ioledger.loading.copies import Chunk, File
from ioledger.loading.files import STDIN, ignored_kind
from ioledger.loading.linking import LinkedReading, read_together
from ioledger.model import BINS, Source
from ioledger.problems import Problem, plain
from ioledger.tables import columns

if TYPE_CHECKING:
    from collections.abc import Callable, Container, Generator, Iterable, Iterator, Sequence
    from concurrent.futures import Future

RESULTS, _FILES = "results", "files"
_own_of = attrgetter(*columns.OWN)
_BYTES = 4 << 20
"""Where histograms are wanted, which are many times the rows of results, this much is read at once."""
TABLES = (RESULTS, "latency_percentiles", BINS, "samples", columns.DISKS, "findings", _FILES)
_LEAVABLE = frozenset({BINS, columns.DISKS})
"""Tables that are slow to read; read only on request."""
_EPOCH, _TIMES = datetime(1970, 1, 1, tzinfo=UTC), ("started_at", "ended_at")
CHUNK_FILES = 500
"""How many files are read at once."""
TOGETHER, TOGETHER_BYTES = 10, 24 << 20
"""Of what lies together so many times as many files are read at once, up to this size."""
AHEAD = 4
"""Groups per process that are handed out at once, so that no process waits for a slower one."""
SHARES = 8
"""Chunks per process, so that all processes end at about the same time."""
POOL_FILES = 5_000
"""Below this many files starting processes costs more than it saves."""
_UNKNOWN, _EMPTY = "R-DETECT-1", "R-DETECT-2"


def chunks(  # noqa: PLR0913  (one for each thing that is wanted)
    paths: Sequence[str],
    *,
    lines: bool,
    tables: Sequence[str] = (),
    findings: bool = False,
    processes: int | None = None,
    named: Container[str] = (),
) -> Generator[Chunk]:
    """Read files and members of containers in chunks, in order; what is no result is refused where it is ``named``."""
    limits = Limits(CHUNK_FILES * TOGETHER, TOGETHER_BYTES)
    wanted = Outputs(lines, findings, copies.needed_tables(tables))
    work = partial(_read, wanted=wanted, limits=limits)
    count = processes or (os.cpu_count() or 1 if len(paths) >= POOL_FILES else 1)
    count = 1 if STDIN in paths else count  # another process has an input of its own
    size = CHUNK_FILES if count == 1 else max(min(CHUNK_FILES, len(paths) // (SHARES * count)), 1)
    shares = groups(paths, named, Limits(size, _BYTES if BINS in tables else TOGETHER_BYTES), limits)
    if count == 1:
        yield from copies.drop_copies(chain.from_iterable(map(work, shares)), tables)
        return
    list(work([]))  # what is loaded before the processes start is loaded once
    with closing(_share_work(work, shares, count)) as found:
        yield from copies.drop_copies(found, tables)


def _share_work(
    work: Callable[[list[Place]], Iterator[Chunk]], groups: Iterable[list[Place]], count: int
) -> Generator[Chunk]:
    """Give the chunks that groups of files become, in order, read by this many processes."""
    import multiprocessing  # noqa: PLC0415  (takes a tenth of the start of a small parse)
    from concurrent.futures import ProcessPoolExecutor  # noqa: PLC0415

    waiting: deque[Future[list[Chunk]]] = deque()
    pool = ProcessPoolExecutor(count, initializer=_begin_process)
    try:
        for group in groups:
            waiting.append(pool.submit(_list_chunks, work, group))
            if len(waiting) > AHEAD * count:
                yield from waiting.popleft().result()
        while waiting:
            yield from waiting.popleft().result()
    except BaseException:
        # Their work is lost anyway. What waits is not cancelled, because the pool fails over what is.
        for process in multiprocessing.active_children():
            process.kill()
        pool.shutdown(wait=False)  # an interrupt may have come before its thread was started
        raise
    pool.shutdown()


def _list_chunks(work: Callable[[list[Place]], Iterator[Chunk]], group: list[Place]) -> list[Chunk]:
    return list(work(group))


def _begin_process() -> None:
    """Begin a process that reads: it looks for no garbage in what it shares, and lives as long as who started it."""
    from multiprocessing import connection, parent_process  # noqa: PLC0415

    def end_with_parent() -> None:
        if (parent := parent_process()) is not None:
            connection.wait([parent.sentinel])
            os._exit(1)

    gc.freeze()
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the first process decides when to end, and ends this one
    signal.signal(signal.SIGTERM, signal.SIG_DFL)
    Thread(target=end_with_parent, daemon=True).start()


class Outputs(NamedTuple):
    """Requested outputs: results as JSON lines, findings as problems, and these tables as Arrow."""

    lines: bool
    findings: bool
    tables: Sequence[str]


def _read(places: Sequence[Place], *, wanted: Outputs, limits: Limits) -> Iterator[Chunk]:
    named = {place.path for place in places if place.is_named}
    for found in batches(places, limits, without=_LEAVABLE.difference(wanted.tables)):
        # until all that was made on the way is gone: collecting looks at what is left
        with without_garbage_collection():
            chunk = _chunk(found, named, wanted)
        yield chunk


def _chunk(found: Sequence[Source | Entry], named: Container[str], wanted: Outputs) -> Chunk:
    """Read the files of one group; of files with the same bytes only the first has rows."""
    parts, lines, firsts = [], [], dict[tuple[str | None, ...], str]()
    chunk, tables = Chunk(), wanted.tables
    together = iter(read_together([source for source in found if not isinstance(source, Entry)]))
    for source in found:
        if isinstance(source, Entry):
            chunk.files.append(_unread(source))
            chunk.rows.append([_row(chunk.files[-1], source.size, None)])
            continue
        joined = next(together)
        part = columns.Part(joined.reading, source.sha256, plain(source.name), run=joined.run)
        file = _file(source, joined, named)
        chunk.files.append(file)
        is_first = not copies.is_copy(file, firsts)
        if is_first:
            parts.append(part)
        if is_first and wanted.lines and part.run is None:
            lines.append(_json_lines(part))
        if is_first and wanted.findings:
            warnings = part.reading.warnings
            chunk.findings += [Problem(part.source_path, w.pointer, w.message, "", w.rule) for w in warnings]
        if _FILES in tables:
            row = _row(file, len(source.data), joined)
            chunk.rows.append(columns.with_documents(row, part.reading) if is_first else [row])
    chunk.lines = b"".join(lines)
    if tables:
        from ioledger.tables import arrow  # noqa: PLC0415  (pyarrow loads only when Arrow is written)

        chunk.tables = arrow.streams(parts, [name for name in tables if name != _FILES])
    return chunk


def _unread(entry: Entry) -> File:
    """Return the record of a container, or of what could not be had."""
    status = "read" if entry.problem is None else "refused"
    file = File(entry.path, entry.sha256, member_path=entry.member_path, status=status, container=entry.form)
    file.passed_over = dict(entry.passed_over)
    if entry.problem is not None:
        file.problems = [entry.problem]
        file.rule, file.reason = entry.problem.rule, entry.problem.what
    return file


def _file(source: Source, joined: LinkedReading, named: Container[str]) -> File:
    """Return the record of a file that was loaded, with why it, or a part of it, was not read."""
    reading, run = joined.reading, joined.run
    count = len(reading.results) if run is None else 0  # the histogram of a log is that of its run
    file = File(source.path, source.sha256, count, len(reading.warnings), is_setup=reading.is_setup)
    file.member_path, file.linked = source.member_path, joined.linked
    if run is not None:
        file.repetition_id, file.point = run.repetition_id, run.repetition
    rules = {refusal.rule for refusal in reading.refusals}
    kind = ignored_kind(source.name, source.data) if rules & {_UNKNOWN, _EMPTY} else None
    if kind is not None and source.name not in named:
        (file.rule,) = rules
        file.status, file.reason = "ignored", kind
        return file
    file.problems = [Problem(source.name, r.place, r.what, r.remedy, r.rule) for r in reading.refusals]
    if kind is not None and rules == {_UNKNOWN}:
        file.problems = [msgspec.structs.replace(each, what=f"{each.what}: it is {kind}") for each in file.problems]
    has_none = not (reading.results or reading.is_setup or joined.repeated_count or any(reading.rows.values()))
    if not file.problems and has_none:
        what = f"{reading.tool} {reading.source_format or ''}".strip() + " without any result"
        file.problems = [Problem(source.name, "", what, "Nothing to do if this is not a result file.", "R-READ-2")]
    if file.problems:
        file.status, file.rule, file.reason = "refused", file.problems[0].rule, file.problems[0].what
    return file


def _row(file: File, size: int | None, joined: LinkedReading | None) -> columns.Row:
    """Return the row of the table ``files`` of a record."""
    linked = joined.linked if joined else None
    return {
        "file_id": columns.file_id(plain(file.name)),
        "path": plain(file.source_path),
        "member_path": None if file.member_path is None else plain(file.member_path),
        "source_sha256": file.source_sha256,
        "size_bytes": size,
        "format": file.container,
        **columns.reader_columns(joined.reading if joined else None),
        **copies.state(file),
        "linked_file_id": linked and columns.file_id(plain(linked)),
        "link_origin": joined.link_origin if joined else None,
    }


def _json_lines(part: columns.Part) -> bytes:
    """Return one JSON line per result, with the columns that the file itself gives."""
    sha256 = part.source_sha256
    head = {"source_path": part.source_path, "source_sha256": sha256, "file_id": part.file_id}
    lines = []
    for result in part.reading.results:
        ids = {
            "source_pointer": result.pointer,
            "result_id": columns.result_id(sha256, result),
            "repetition_id": columns.result_repetition_id(sha256, result),
        }
        own = dict(zip(columns.OWN, _own_of(result), strict=True))
        times = {name: _EPOCH + timedelta(microseconds=own[name]) for name in _TIMES if own[name] is not None}
        read_by = part.reading.version_of(result.source_format)
        origin = dict(zip(columns.ORIGIN, columns.origin_columns(result.origin, read_by), strict=True))
        tool = {"tool": part.reading.tool if result.origin is None else result.origin.tool}
        lines.append(msgspec.json.encode({**head, **tool, **origin, **ids, **own, **times}) + b"\n")
    return b"".join(lines)


class Limits(NamedTuple):
    """How many files, and how many bytes of them."""

    files: int
    size: int


class Place(NamedTuple):
    """A path to read, and whether somebody named it: the others were found below a folder."""

    path: str
    is_named: bool
    size: int
    """Bytes on the disk."""


def groups(paths: Iterable[str], named: Container[str], enough: Limits, most: Limits) -> Iterator[list[Place]]:
    """Give paths in groups, in order: what lies in one folder, with what is below it, stays in one."""
    pieces = _pieces([Place(path, path in named, _size(path)) for path in paths], most)
    for some in _pack_pieces(pieces, enough):
        yield list(chain.from_iterable(some))


def _pack_pieces(pieces: Iterable[list[Place]], enough: Limits) -> Iterator[list[list[Place]]]:
    """Give pieces in runs, each closed when it has ``enough``."""
    run, files, size = list[list[Place]](), 0, 0
    for piece in pieces:
        run.append(piece)
        files, size = files + len(piece), size + sum(place.size for place in piece)
        if files >= enough.files or size >= enough.size:
            yield run
            run, files, size = [], 0, 0
    if run:
        yield run


def _size(path: str) -> int:
    try:
        return os.stat(path).st_size  # noqa: PTH116  (a Path per file takes as long as reading it)
    except OSError:
        return 0  # reading it says why


def _pieces(places: list[Place], most: Limits) -> Iterator[list[Place]]:
    """Give the largest folders that are not over ``most``, with all that is below them."""
    if len(places) <= most.files and sum(place.size for place in places) <= most.size:
        yield places
        return
    names = [place.path for place in places]
    depth = os.path.commonprefix([min(names), max(names)]).count(os.sep)  # noqa: RUF071  (separators are counted)

    def find_folder(place: Place) -> str | None:
        """Return the folder of a path at this depth; null where only the name of the file is left."""
        parts = place.path.split(os.sep, depth + 1)
        return parts[depth] if len(parts) > depth + 1 else None

    for folder, part in groupby(places, find_folder):
        if folder is None:
            yield from (list(chain.from_iterable(some)) for some in _pack_pieces(([place] for place in part), most))
        else:
            yield from _pieces(list(part), most)


def batches(places: Iterable[Place], most: Limits, *, without: frozenset[str]) -> Iterator[list[Source | Entry]]:
    """Load files and members and give them as lists: one, but where a container holds more than ``most``."""
    batch: list[Source | Entry] = []
    size, folder = 0, ""
    for place in places:
        for found in sources(place.path, without=without):
            before, folder = folder, (found.member_path or "").rpartition("/")[0]
            times = 2 if folder != before else 1
            is_over = len(batch) * times >= most.files or size * times >= most.size
            if found.member_path is not None and is_over:
                yield batch
                batch, size = [], 0
            batch.append(found)
            size += 0 if isinstance(found, Entry) else len(found.data)
    if batch:
        yield batch


@contextmanager
def without_garbage_collection() -> Iterator[None]:
    """Keep Python from looking for garbage in cycles, a tenth of the time: what readers make has none."""
    was_enabled = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_enabled:
            gc.enable()
