"""
How a command ends: one line where the operating system refuses something, and one for an interrupt.

A full disk, a folder that is read-only, a file that vanished, too little memory, a worker that was killed: none of them
is a fault of the program, so none is a traceback. What is wrong with an input is data (:mod:`ioledger.problems`) and
does not come here; any other exception is a fault of ioledger and is shown whole.
"""

from __future__ import annotations

import errno
import os
import signal
import sys
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import TYPE_CHECKING, NoReturn

from ioledger.problems import Problem

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

FAILED = 1
BY_SIGNAL = 128
"""What shells add to the number of a signal for the exit code."""
OUTPUT = "standard output"
_FREE = "Free space there, or write to another disk."
_ALLOW = "Use a place where you have read and write permission."
_LIMIT = "Close other programs, or raise the limit: ulimit -n."
_GONE = "It is gone or was renamed meanwhile; check the path."
_MEMORY = "Close other programs, or use a machine with more memory."
REMEDIES = {
    errno.ENOSPC: _FREE, errno.EDQUOT: _FREE, errno.EFBIG: _FREE, errno.EACCES: _ALLOW, errno.EPERM: _ALLOW,
    errno.EROFS: _ALLOW, errno.EMFILE: _LIMIT, errno.ENFILE: _LIMIT, errno.ENOENT: _GONE, errno.ENOTDIR: _GONE,
    errno.ENAMETOOLONG: "Use a shorter name.", errno.EIO: "The disk or its link fails; look at the kernel's messages.",
    errno.ENOMEM: _MEMORY,
}  # fmt: skip
_OTHER = "Mend this, and call the command again."
_code = [FAILED]


def run(command: Callable[[], object]) -> int:
    """
    Call a command; return its exit code, after one line about what kept it from its end.

    SIGTERM and SIGHUP end it as an exit does, so that it removes what it has begun; one that is ignored (``nohup``)
    stays ignored. An output whose reader went away does not change the exit code of a command that has ended.
    """
    for name in ("SIGTERM", "SIGHUP"):
        number = getattr(signal, name, None)  # Windows has no SIGHUP
        if number is not None and signal.getsignal(number) != signal.SIG_IGN:
            signal.signal(number, _exit)
    sys.stdout = sys.stdout or Path(os.devnull).open("w", encoding="utf-8")  # noqa: SIM115  (it may be closed: >&-)
    sys.stdout.reconfigure(errors="backslashreplace")  # type: ignore[union-attr]  # names of files need not be UTF-8
    try:
        code = _exit_code_of(command)
        with suppress(BrokenPipeError):
            sys.stdout.flush()
    except KeyboardInterrupt:
        _say("Interrupted; nothing half-written is left.")
        code = _code[0]
    except Exception as error:
        line = _line(error)
        if line is None:
            raise
        _say(line)
        code = _code[0]
    discard_output()
    return code


def fail_with(code: int) -> None:
    """Let what keeps this command from its end give this exit code, where 1 is one of the answers that it gives."""
    _code[0] = code


def discard_output() -> None:
    """Lead the rest of an output that cannot be written to nowhere: Python flushes once more at its end."""
    for stream in filter(None, (sys.stdout, sys.stderr)):
        try:
            stream.flush()
        except OSError:
            os.dup2(os.open(os.devnull, os.O_WRONLY), stream.fileno())


@contextmanager
def name_place(place: object, *, instead: bool = False) -> Iterator[None]:
    """Name a place in an error of the operating system that names no file; or ``instead`` of the file that it names."""
    try:
        yield
    except OSError as error:
        if instead or error.filename is None:
            error.filename = str(place)
        raise


def _exit(number: int, _frame: object) -> NoReturn:
    sys.exit(BY_SIGNAL + number)


def _exit_code_of(command: Callable[[], object]) -> int:
    try:
        command()
    except SystemExit as ended:
        return ended.code if isinstance(ended.code, int) else FAILED * bool(ended.code)
    return 0


def _line(error: Exception) -> str | None:
    """Return the line for an error that is none of the program; null for any other."""
    kind = type(error)
    if isinstance(error, OSError):
        name = error.filename if error.filename2 is None else error.filename2
        where = os.fsdecode(name) if isinstance(name, str | bytes) else OUTPUT
        what, remedy = error.strerror or str(error), REMEDIES.get(error.errno or 0, _OTHER)
    elif isinstance(error, MemoryError):
        where, what, remedy = "ioledger", "there is not enough memory", _MEMORY
    elif kind.__name__ == "BrokenProcessPool":
        where, what, remedy = "ioledger", "a process that reads was ended from outside", _MEMORY
    elif kind.__module__.endswith("duckdb") and kind.__name__ in {"IOException", "OutOfMemoryException"}:
        where, what, remedy = "the database", " ".join(str(error).split()), _FREE
    else:
        return None
    return str(Problem(where, "", what, remedy, "R-SYSTEM-1"))


def _say(line: str) -> None:
    if sys.stderr is not None:
        with suppress(OSError):
            print(line, file=sys.stderr, flush=True)  # noqa: T201  (click may not be loaded)
