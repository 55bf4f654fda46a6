"""Several processes that share the work of reading; see ``ingest/parse.py``."""

from __future__ import annotations

import gc
import itertools
import multiprocessing
import os
from concurrent.futures import ProcessPoolExecutor
from functools import partial
from multiprocessing.connection import wait
from pathlib import Path
from tempfile import gettempdir
from threading import Thread
from typing import TYPE_CHECKING

from ingest import interrupts, scratch
from ingest.ending import named

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence

    from ingest.parse import Chunk

    Work = Callable[[Sequence[str]], Chunk]


def shared(work: Work, groups: Iterable[Sequence[str]], count: int) -> Iterator[Chunk]:
    """
    Give the chunks of groups of files in order, read by this many processes.

    Tables come back as files: a pipe takes them in pieces, and the process that wrote would wait for each.
    """
    with scratch.folder(Path(gettempdir())) as folder:
        places = (folder / str(index) for index in itertools.count())
        with ProcessPoolExecutor(count, initializer=_begin) as pool:
            try:
                with interrupts.held():  # the processes start here; until they have begun they hold the signals too
                    found = pool.map(partial(_laid_down, work), groups, places)
                for chunk, place in found:
                    for name in chunk.tables:
                        laid_down = place.with_suffix(f".{name}")
                        chunk.tables[name] = laid_down.read_bytes()
                        laid_down.unlink()
                    yield chunk
            except BaseException:
                with interrupts.held():
                    _end(pool)
                raise


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


def _end(pool: ProcessPoolExecutor) -> None:
    """Let nothing more be read: what waits is given up, and what is being read nobody asks for."""
    pool.shutdown(wait=False, cancel_futures=True)
    for process in multiprocessing.active_children():
        process.terminate()


def _laid_down(work: Work, paths: Sequence[str], place: Path) -> tuple[Chunk, Path]:
    """Do the work and write each table to a file at this place; the chunk keeps their names."""
    chunk = work(paths)
    for name, table in chunk.tables.items():
        laid_down = place.with_suffix(f".{name}")
        with named(laid_down):
            laid_down.write_bytes(table)
        chunk.tables[name] = b""
    return chunk, place
