"""Several processes that share the work of reading files, in order; what they make comes back as files."""

from __future__ import annotations

import gc
import multiprocessing
import os
import signal
from collections import deque
from concurrent.futures import ProcessPoolExecutor
from contextlib import contextmanager
from itertools import chain
from multiprocessing.connection import wait
from pathlib import Path
from tempfile import gettempdir
from threading import Thread
from typing import TYPE_CHECKING, Any, Protocol, TypeVar

from ioledger.system import scratch
from ioledger.system.ending import named

if TYPE_CHECKING:
    from collections.abc import Callable, Generator, Iterable, Iterator, Sequence
    from concurrent.futures import Future

    Group = Sequence[Any]


class HasTables(Protocol):
    """Output of a group of files: tables by name as bytes, and other data."""

    tables: dict[str, bytes]


Made = TypeVar("Made", bound=HasTables)
AHEAD = 8
"""Groups per process that are handed out at once, so that no process waits for a slower one."""


def share_work(work: Callable[[Group], Iterable[Made]], groups: Iterable[Group], count: int) -> Generator[Made]:
    """
    Give the chunks that groups of files become, in order, read by this many processes.

    Tables come back as files: a pipe takes them in pieces, and the process that wrote would wait for each.
    """
    with scratch.folder(Path(gettempdir())) as folder, _processes(count) as pool:
        in_order = _in_order(pool, work, enumerate(groups), folder, AHEAD * count)
        for chunk, place in chain.from_iterable(in_order):
            for name in chunk.tables:
                laid_down = place.with_suffix(f".{name}")
                chunk.tables[name] = laid_down.read_bytes()
                laid_down.unlink()
            yield chunk


@contextmanager
def _processes(count: int) -> Iterator[ProcessPoolExecutor]:
    """Give so many processes, ended at once where something fails."""
    pool = ProcessPoolExecutor(count, initializer=_begin)
    try:
        yield pool
    except BaseException:
        # Their work is lost anyway. What waits is not cancelled, because the pool fails over what is.
        for process in multiprocessing.active_children():
            process.kill()
        raise
    finally:
        pool.shutdown()


def _in_order(
    pool: ProcessPoolExecutor,
    work: Callable[[Group], Iterable[Made]],
    groups: Iterator[tuple[int, Group]],
    folder: Path,
    ahead: int,
) -> Iterator[list[tuple[Made, Path]]]:
    """Yield the outputs of the groups in order; a fixed number of groups is submitted ahead."""
    waiting: deque[Future[list[tuple[Made, Path]]]] = deque()
    for index, group in groups:
        waiting.append(pool.submit(_laid_down, work, group, folder / str(index)))
        if len(waiting) > ahead:
            yield waiting.popleft().result()
    while waiting:
        yield waiting.popleft().result()


def _begin() -> None:
    """Begin a process that reads: it looks for no garbage in what it shares, and lives as long as who started it."""
    gc.freeze()
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the first process decides when to end, and ends this one
    signal.signal(signal.SIGTERM, signal.SIG_DFL)
    Thread(target=_end_with_parent, daemon=True).start()


def _end_with_parent() -> None:
    parent = multiprocessing.parent_process()
    if parent is not None:
        wait([parent.sentinel])
        os._exit(1)


def _laid_down(work: Callable[[Group], Iterable[Made]], group: Group, place: Path) -> list[tuple[Made, Path]]:
    """Do the work and write each table to a file at this place; the chunks keep their names."""
    made = []
    for index, chunk in enumerate(work(group)):
        beside = place.with_name(f"{place.name}-{index}")
        for name, table in chunk.tables.items():
            laid_down = beside.with_suffix(f".{name}")
            with named(laid_down):
                laid_down.write_bytes(table)
            chunk.tables[name] = b""
        made.append((chunk, beside))
    return made
