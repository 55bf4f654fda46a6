"""
Control-C and a request to end: one ``KeyboardInterrupt`` in the main thread, and none while something is put in order.

Python raises it anywhere, so also while a folder is being removed because of the one before. Here the next one within a
second is the same key held down, and in ``held()`` it waits. SIGTERM and SIGHUP do as Control-C does, so that a run
which is told to end removes what it has begun.
"""

from __future__ import annotations

import _thread
import signal
import sys
import time
from contextlib import contextmanager
from threading import Timer
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator

AGAIN_SECONDS, SOON_SECONDS = 1.0, 0.01
CONTROL_C = int(signal.SIGINT)
_NAMES = ("SIGINT", "SIGTERM", "SIGHUP")


class _State:
    """What came: the signal that was raised last and when, how deep ``held()`` is, and what waits for its end."""

    signal: int | None = None
    since = float("-inf")
    depth = 0
    waiting: int | None = None


def install() -> None:
    """Take over the signals that end a program; one that is ignored (``nohup``) stays ignored."""
    for name in _NAMES:
        number = getattr(signal, name, None)  # Windows has no SIGHUP
        if number is not None and signal.getsignal(number) != signal.SIG_IGN:
            signal.signal(number, _came)
    sys.unraisablehook = _unraisable


def ignore() -> None:
    """Ignore Control-C from now on: the command has ended, and the interpreter puts itself away."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)


def restore() -> None:
    """Be a worker of a process that has these signals: it decides when to end, and ends its workers."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.signal(signal.SIGTERM, signal.SIG_DFL)


def came() -> int | None:
    """Return the number of the signal that asked this program to end, None when none did."""
    return _State.signal


@contextmanager
def held() -> Iterator[None]:
    """Let what is inside come to its end; an interrupt that came meanwhile is raised after it."""
    _State.depth += 1
    try:
        yield
    finally:
        _State.depth -= 1
        if not _State.depth and _State.waiting is not None:
            number, _State.waiting = _State.waiting, None
            _came(number, None)


def _came(number: int, _frame: object) -> None:
    if _State.depth:
        _State.waiting = number
        return
    now = time.monotonic()
    if now - _State.since >= AGAIN_SECONDS:
        _State.signal, _State.since = number, now
        raise KeyboardInterrupt


def _unraisable(args: sys.UnraisableHookArgs) -> None:
    """Raise an interrupt again that came where Python can only print it, as in the end of an object; after this."""
    if issubclass(args.exc_type, KeyboardInterrupt):
        _State.since = float("-inf")
        Timer(SOON_SECONDS, _thread.interrupt_main).start()
    else:
        sys.__unraisablehook__(args)
