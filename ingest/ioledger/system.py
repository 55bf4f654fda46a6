"""
What the operating system does to a command: how it ends, files and folders that appear whole, and what git says.

A full disk, a folder that is read-only, a file that vanished, too little memory, a worker that was killed: none of them
is a fault of the program, so each is one line and no traceback. What is wrong with an input is data
(:mod:`ioledger.problems`); any other exception is a fault of ioledger and is shown whole.

Files and folders are made beside their place, and renamed when all went well. What a killed run has left of them is
removed by a later run, a day after it was last changed. Finished folders replace older ones all together: one rename
moves them to ``.ioledger-switch``, from which moment they count, and each is then renamed to its place. The next
command does what a run that was killed meanwhile has left to do. Source: rename(2), which is atomic.
"""

from __future__ import annotations

import errno
import os
import re
import secrets
import shutil
import signal
import sys
import time
from contextlib import contextmanager, suppress
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, BinaryIO, NoReturn

from ioledger.problems import Problem

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from subprocess import CompletedProcess

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


def run_command(command: Callable[[], object]) -> int:
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
    code, line = 0, ""
    try:
        try:
            command()
        except SystemExit as ended:
            code = ended.code if isinstance(ended.code, int) else FAILED * bool(ended.code)
        with suppress(BrokenPipeError):
            sys.stdout.flush()
    except KeyboardInterrupt:
        line = "Interrupted; nothing half-written is left."
    except Exception as error:
        line = _line(error)
        if not line:
            raise
    if line:
        code = _code[0]
        if sys.stderr is not None:
            with suppress(OSError):
                print(line, file=sys.stderr, flush=True)  # noqa: T201  (click may not be loaded)
    discard_output()
    return code


def _exit(number: int, _frame: object) -> NoReturn:
    sys.exit(BY_SIGNAL + number)


def _line(error: Exception) -> str:
    """Return the line for an error that is none of the program; empty for any other."""
    kind, where = type(error), "ioledger"
    if isinstance(error, OSError):
        name = error.filename if error.filename2 is None else error.filename2
        where = os.fsdecode(name) if isinstance(name, str | bytes) else OUTPUT
        what, remedy = error.strerror or str(error), REMEDIES.get(error.errno or 0, _OTHER)
    elif isinstance(error, MemoryError):
        what, remedy = "there is not enough memory", _MEMORY
    elif kind.__name__ == "BrokenProcessPool":
        what, remedy = "a process that reads was ended from outside", _MEMORY
    elif kind.__module__.endswith("duckdb") and kind.__name__ in {"IOException", "OutOfMemoryException"}:
        where, what, remedy = "the database", " ".join(str(error).split()), _FREE
    else:
        return ""
    return str(Problem(where, "", what, remedy, "R-SYSTEM-1"))


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


NAMES = re.compile(r"\.ioledger-[0-9a-z_]+-(?:scratch|part)")
LEFT_SECONDS = 86_400
SWITCH, REPLACED = ".ioledger-switch", "-replaced"


def sweep(parent: Path) -> None:
    """Remove what runs that were killed have left in a folder."""
    with suppress(OSError):
        for path in parent.iterdir():
            if NAMES.fullmatch(path.name) and time.time() - path.lstat().st_mtime > LEFT_SECONDS:
                shutil.rmtree(path, ignore_errors=True) if path.is_dir() else path.unlink()


@contextmanager
def scratch_folder(parent: Path) -> Iterator[Path]:
    """Give a new folder below ``parent``, removed with all it holds at the end."""
    sweep(parent)
    with name_place(parent, instead=True):
        made = TemporaryDirectory(prefix=".ioledger-", suffix="-scratch", dir=parent, ignore_cleanup_errors=True)
    with made as name:
        yield Path(name)


@contextmanager
def replace_file(path: Path) -> Iterator[BinaryIO]:
    """
    Give a file to write, which replaces ``path`` when all went well, and is removed when not.

    A device or a pipe (``/dev/null``, ``/dev/stdout``) is written itself.
    """
    if path.exists() and not path.is_file():
        with name_place(path), path.open("wb") as stream:
            yield stream
        return
    sweep(path.parent)
    part = path.parent / f".ioledger-{secrets.token_hex(8)}-part"
    try:
        with name_place(path, instead=True):
            stream = part.open("xb")
        with name_place(path):
            with stream:
                yield stream
            part.replace(path)
    finally:
        part.unlink(missing_ok=True)


def write_text(path: Path, content: str) -> None:
    """Write a file of text whole or not at all."""
    with replace_file(path) as stream, name_place(path):
        stream.write(content.encode())


def replace_folders(ready: Path, parent: Path) -> None:
    """Let the folders in ``ready`` replace those of the same names in ``parent``; ``ready`` is gone then."""
    finish_replacement(parent)
    ready.rename(parent / SWITCH)
    finish_replacement(parent)


def finish_replacement(parent: Path) -> None:
    """Do what is left of the replacement of folders whose run was killed."""
    waiting = parent / SWITCH
    if not waiting.is_dir():
        return
    for new in sorted(waiting.iterdir()):
        if not new.name.endswith(REPLACED):
            place, old = parent / new.name, waiting / f"{new.name}{REPLACED}"
            if place.exists() or place.is_symlink():
                shutil.rmtree(old, ignore_errors=True)
                place.rename(old)
            new.rename(place)
    shutil.rmtree(waiting)


def git_environment() -> dict[str, str]:
    """Return the variables that git is run with: those of a git that calls this program do not lead it elsewhere."""
    return {name: value for name, value in os.environ.items() if not name.startswith("GIT_")}


def run_git(folder: Path, *arguments: str, given: bytes = b"") -> CompletedProcess[bytes]:
    """Return what git says of a folder, and its exit code; raises OSError where there is no git."""
    import subprocess  # noqa: PLC0415  (most commands need none)

    command = ["git", "--no-optional-locks", "-c", "core.fsmonitor=false", "-C", str(folder), *arguments]
    return subprocess.run(command, input=given, capture_output=True, check=False, env=git_environment())  # noqa: S603  (fixed arguments)


def read_git(folder: Path, *arguments: str) -> bytes | None:
    """Return what git prints about a folder, None where it fails: the folder is in no checkout, or there is no git."""
    try:
        done = run_git(folder, *arguments)
    except OSError:
        return None
    return done.stdout if done.returncode == 0 else None
