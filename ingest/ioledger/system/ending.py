"""
How a command ends: one clear line where the operating system refuses something, and one for an interrupt.

A full disk, a folder that is read-only, a file that vanished, too little memory, a worker that was killed: none of them
is a fault of the program, so none is a traceback. What is wrong with an input is data (:mod:`ioledger.problems`) and
does not come here; an exception that is neither is a fault of ioledger and is shown whole.

Control-C and a request to end are one ``KeyboardInterrupt`` in the main thread, and none while something is put in
order. Python raises it anywhere, so also while a folder is being removed because of the one before. Here the next one
within a second is the same key held down, and in ``held()`` it waits. SIGTERM and SIGHUP do as Control-C does, so that
a run which is told to end removes what it has begun.
"""

from __future__ import annotations

import _thread
import errno
import io
import os
import signal
import sys
import time
from contextlib import contextmanager, suppress
from threading import Timer
from typing import TYPE_CHECKING, TextIO

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

FAILED = 1
BY_SIGNAL = 128
"""What shells add to the number of a signal for the exit code."""
OUTPUT = "standard output"
_FREE = "Free space there, or write to another disk."
_ALLOW = "Use a place that you may read and write, or ask its owner."
_LIMIT = "Close other programs, or raise the limit: ulimit -n."
_GONE = "It is gone or was renamed meanwhile; check the path."
REMEDIES = {
    errno.ENOSPC: _FREE, errno.EDQUOT: _FREE, errno.EFBIG: _FREE, errno.EACCES: _ALLOW, errno.EPERM: _ALLOW,
    errno.EROFS: _ALLOW, errno.EMFILE: _LIMIT, errno.ENFILE: _LIMIT, errno.ENOENT: _GONE, errno.ENOTDIR: _GONE,
    errno.ENAMETOOLONG: "Use a shorter name.", errno.EIO: "The disk or its link fails; look at the kernel's messages.",
    errno.ENOMEM: "Close other programs, or use a machine with more memory.",
}  # fmt: skip
_OTHER = "Mend this, and call the command again."
AGAIN_SECONDS, SOON_SECONDS = 1.0, 0.01
CONTROL_C = int(signal.SIGINT)
_NAMES = ("SIGINT", "SIGTERM", "SIGHUP")
PIPE = int(getattr(signal, "SIGPIPE", 13))  # Windows has none
_codes = {FAILED: FAILED, PIPE: BY_SIGNAL + PIPE}


def run(command: Callable[[], object]) -> int:
    """
    Call a command; return its exit code, having said in one line what kept it from its end.

    A reader that went away, as ``head`` does, needs no word: the code is that of SIGPIPE. Control-C and a signal to
    end get one line.
    """
    install()
    try:
        _open_closed_streams()
        code = _called(command)
        _flush()
    except (Exception, KeyboardInterrupt) as error:  # noqa: BLE001  (the edge)
        with held():
            code = _failed(error)
    ignore()
    return code


def fail_with(code: int) -> None:
    """Let what keeps this command from its end give this exit code, where 1 is one of the answers that it gives."""
    _codes[FAILED] = code


def decided(code: int) -> None:
    """Let this command end with this code also where nobody reads the rest of what it prints."""
    _codes[PIPE] = code


def reader_gone() -> int:
    """Return the exit code of a command whose reader went away; what is left to print goes nowhere."""
    for stream in (sys.stdout, sys.stderr):
        _give_up(stream)
    return _codes[PIPE]


@contextmanager
def named(place: object, *, instead: bool = False) -> Iterator[None]:
    """Say where it happened when the operating system refuses something here and names no file; or ``instead``."""
    try:
        yield
    except OSError as error:
        if instead or error.filename is None:
            error.filename = str(place)
        raise


def _called(command: Callable[[], object]) -> int:
    try:
        command()
    except SystemExit as ended:
        return ended.code if isinstance(ended.code, int) else FAILED * bool(ended.code)
    return 0


def _failed(error: BaseException) -> int:
    """Say why a command failed, and leave the outputs so that the interpreter finds nothing to write at its end."""
    number = came()
    if number is not None or isinstance(
        error, KeyboardInterrupt
    ):  # whatever was raised after it: some libraries turn it into an error of their own
        _say("\n" * _is_terminal(sys.stderr) + "Interrupted; nothing half-written is left.")
        code = _codes[FAILED] if number in {None, CONTROL_C} else BY_SIGNAL + number
    elif isinstance(error, BrokenPipeError):
        code = _codes[PIPE]
    elif (line := _line(error)) is not None:
        _say(line)
        code = _codes[FAILED]
    else:
        sys.excepthook(type(error), error, error.__traceback__)
        code = _codes[FAILED]
    for stream in (sys.stdout, sys.stderr):
        _give_up(stream)
    return code


def _line(error: BaseException) -> str | None:
    """Return the line for an error that is none of the program."""
    from ioledger.problems import Problem  # noqa: PLC0415  (nothing is loaded before the edge stands)

    where, what, remedy = "ioledger", "", ""
    if isinstance(error, OSError):
        where, what = _place(error), error.strerror or str(error)
        remedy = REMEDIES.get(error.errno or 0, _OTHER)
    elif isinstance(error, MemoryError):
        what, remedy = "there is not enough memory", REMEDIES[errno.ENOMEM]
    elif isinstance(error, ImportError):
        what, remedy = f"a part of the program cannot be loaded ({error})", "Free memory, or install ioledger again."
    elif isinstance(error, SystemError):  # a library in C that did not look whether it got its memory
        what, remedy = f"a library failed without saying why ({error})", REMEDIES[errno.ENOMEM]
    elif type(error).__name__ == "BrokenProcessPool":
        what, remedy = "a process that reads was ended from outside", REMEDIES[errno.ENOMEM]
    elif type(error).__module__.split(".")[0] in {"duckdb", "_duckdb"} and _is_of_the_system(error):
        where, what, remedy = "the database", " ".join(str(error).split()), _FREE
    return str(Problem(where, "", what, remedy, "R-SYSTEM-1")) if what else None


def _is_of_the_system(error: BaseException) -> bool:
    return type(error).__name__ in {"IOException", "OutOfMemoryException"}


def _place(error: OSError) -> str:
    name = error.filename if error.filename2 is None else error.filename2
    if isinstance(name, bytes):
        return os.fsdecode(name)
    return name if isinstance(name, str) else OUTPUT


def _say(line: str) -> None:
    with suppress(OSError, ValueError):
        print(line, file=sys.stderr, flush=True)  # noqa: T201  (click may not be loaded)


def _is_terminal(stream: TextIO) -> bool:
    with suppress(OSError, ValueError):
        return stream.isatty()
    return False


def _flush() -> None:
    for stream in (sys.stdout, sys.stderr):
        stream.flush()


def _give_up(stream: TextIO) -> None:
    """Write what is left of an output; where that fails, lead the output to nowhere, so that it fails only once."""
    try:
        stream.flush()
    except (OSError, ValueError):
        with suppress(OSError, ValueError):
            nowhere = os.open(os.devnull, os.O_WRONLY)
            os.dup2(nowhere, stream.fileno())
            os.close(nowhere)


def _open_closed_streams() -> None:
    """
    Give a program that was started without input or outputs (``>&-``) some, before a file of its own takes their place.

    Results that nobody can get are an error, so that output cannot be written to. What no encoding can write, as names
    that are not UTF-8, is written as its escape.

    An output without a buffer (``PYTHONUNBUFFERED``) gets one that is emptied at each line: Python writes to it only
    once, drops what a pipe did not take, and would end well when the reader of the pipe has gone away.
    """
    for number, (name, mode) in enumerate((("stdin", "r"), ("stdout", "w"), ("stderr", "w"))):
        if getattr(sys, name) is None:
            flags = os.O_WRONLY if name == "stderr" else os.O_RDONLY
            opened = os.open(os.devnull, flags)
            if opened != number:
                os.dup2(opened, number)
            setattr(sys, name, open(number, mode, encoding="utf-8", closefd=False))  # noqa: SIM115
    if isinstance(sys.stdout.buffer, io.RawIOBase):
        whole = io.BufferedWriter(sys.stdout.buffer)
        sys.stdout = io.TextIOWrapper(whole, sys.stdout.encoding, line_buffering=True)
    sys.stdout.reconfigure(errors="backslashreplace")  # type: ignore[union-attr]


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
