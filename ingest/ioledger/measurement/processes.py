"""Several processes that share the work of reading; see ``ingest/ioledger/measurement/parse.py``."""

from __future__ import annotations

import gc
import multiprocessing
import os
from collections import deque
from concurrent.futures import ProcessPoolExecutor
from multiprocessing.connection import wait
from pathlib import Path
from tempfile import gettempdir
from threading import Thread
from typing import TYPE_CHECKING

from ioledger.system import interrupts, scratch
from ioledger.system.ending import named

if TYPE_CHECKING:
    from collections.abc import Callable, Generator, Iterable, Iterator, Sequence
    from concurrent.futures import Future

    from ioledger.measurement.parse import Chunk

    Work = Callable[[Sequence[str]], Chunk]

AHEAD = 8
"""Groups per process that are handed out at once, so that no process waits for a slower one."""


def shared(work: Work, groups: Iterable[Sequence[str]], count: int) -> Generator[Chunk]:
    """
    Give the chunks of groups of files in order, read by this many processes.

    Tables come back as files: a pipe takes them in pieces, and the process that wrote would wait for each.
    """
    with scratch.folder(Path(gettempdir())) as folder:
        pool = ProcessPoolExecutor(count, initializer=_begin)
        try:
            for chunk, place in _in_order(pool, work, enumerate(groups), folder, AHEAD * count):
                for name in chunk.tables:
                    laid_down = place.with_suffix(f".{name}")
                    chunk.tables[name] = laid_down.read_bytes()
                    laid_down.unlink()
                yield chunk
        except BaseException:
            # Their work is lost anyway, and one that is only starting still holds the signals of this process, so that
            # it would not hear a word. What waits is not cancelled, because the pool fails over what is.
            with interrupts.held():
                for process in multiprocessing.active_children():
                    process.kill()
            raise
        finally:
            with interrupts.held():
                pool.shutdown()


def _in_order(
    pool: ProcessPoolExecutor, work: Work, groups: Iterator[tuple[int, Sequence[str]]], folder: Path, ahead: int
) -> Iterator[tuple[Chunk, Path]]:
    """Give what the processes make of the groups, in order; so many groups are handed out before they are asked for."""
    waiting: deque[Future[tuple[Chunk, Path]]] = deque()
    for index, group in groups:
        with interrupts.held():  # the processes start here, and until they have begun they hold the signals too
            waiting.append(pool.submit(_laid_down, work, group, folder / str(index)))
        if len(waiting) > ahead:
            yield waiting.popleft().result()
    while waiting:
        yield waiting.popleft().result()


def _begin() -> None:
    """Begin a process that reads: it looks for no garbage in what it shares, and lives as long as who started it."""
    gc.freeze()
    interrupts.restore()
    Thread(target=_end_with_parent, daemon=True).start()


def _end_with_parent() -> None:
    parent = multiprocessing.parent_process()
    if parent is not None:
        wait([parent.sentinel])
        os._exit(1)


def _laid_down(work: Work, paths: Sequence[str], place: Path) -> tuple[Chunk, Path]:
    """Do the work and write each table to a file at this place; the chunk keeps their names."""
    chunk = work(paths)
    for name, table in chunk.tables.items():
        laid_down = place.with_suffix(f".{name}")
        with named(laid_down):
            laid_down.write_bytes(table)
        chunk.tables[name] = b""
    return chunk, place
