"""Several processes that share the work of reading files, in order."""

from __future__ import annotations

import gc
import multiprocessing
import os
import signal
from collections import deque
from concurrent.futures import ProcessPoolExecutor
from multiprocessing.connection import wait
from threading import Thread
from typing import TYPE_CHECKING, Any, TypeVar

if TYPE_CHECKING:
    from collections.abc import Callable, Generator, Iterable, Sequence
    from concurrent.futures import Future

    Group = Sequence[Any]

Made = TypeVar("Made")
AHEAD = 4
"""Groups per process that are handed out at once, so that no process waits for a slower one."""


def share_work(work: Callable[[Group], Iterable[Made]], groups: Iterable[Group], count: int) -> Generator[Made]:
    """Give the chunks that groups of files become, in order, read by this many processes."""
    waiting: deque[Future[list[Made]]] = deque()
    pool = ProcessPoolExecutor(count, initializer=_begin)
    try:
        for group in groups:
            waiting.append(pool.submit(_do, work, group))
            if len(waiting) > AHEAD * count:
                yield from waiting.popleft().result()
        while waiting:
            yield from waiting.popleft().result()
    except BaseException:
        # Their work is lost anyway. What waits is not cancelled, because the pool fails over what is.
        for process in multiprocessing.active_children():
            process.kill()
        raise
    finally:
        pool.shutdown()


def _do(work: Callable[[Group], Iterable[Made]], group: Group) -> list[Made]:
    return list(work(group))


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
