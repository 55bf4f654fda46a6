"""
What is being made: folders and files that exist only while a run does, and take their place when it has succeeded.

Each is locked by its run (``flock``), and by the programs that the run started. A lock ends with its last holder,
however that ends, so what is not locked is left over from a run that was killed, and the next run beside it removes it.
Only names that this module makes are looked at. Where there is no ``flock`` nothing is swept.

Source: flock(2), on the life of a lock: it belongs to the open file, which a fork shares.
"""

from __future__ import annotations

import errno
import os
import re
import secrets
import shutil
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import TYPE_CHECKING, BinaryIO, NamedTuple

from ioledger.system.ending import held, named

if TYPE_CHECKING:
    from collections.abc import Iterator

try:
    import fcntl
except ImportError:  # Windows
    fcntl = None  # type: ignore[assignment]

FOLDERS, FILES = re.compile(r"\.ioledger-[0-9a-f]{16}-scratch"), re.compile(r"\.ioledger-[0-9a-f]{16}-part")
"""The names of what is being made."""
_TRIES, _NO_LOCKS = 100, -1
_locks: set[int] = set()


class _Made(NamedTuple):
    path: Path
    lock: int


def locks() -> tuple[int, ...]:
    """Return the descriptors that a program which works in a scratch folder must inherit."""
    return tuple(_locks - {_NO_LOCKS})


def sweep(parent: Path) -> None:
    """Remove what runs that are gone have left in a folder, where a run makes nothing of its own."""
    for form in (FOLDERS, FILES):
        _sweep(parent, form)


@contextmanager
def folder(parent: Path) -> Iterator[Path]:
    """Give a new folder below ``parent``, removed with all it holds at the end; remove those of runs that are gone."""
    _sweep(parent, FOLDERS)
    made = None
    try:
        with held():
            made = _made(parent, parent, "scratch")
        yield made.path
    finally:
        if made is not None:
            with held():
                _removed(made.path)
                _let_go(made)


@contextmanager
def file(path: Path) -> Iterator[BinaryIO]:
    """
    Give a file to write, which takes this path when all went well, and is removed when not; an older one stays.

    A device or a pipe (``/dev/null``, ``/dev/stdout``) is written itself.
    """
    if path.exists() and not path.is_file():
        with named(path), path.open("wb") as stream:
            yield stream
        return
    _sweep(path.parent, FILES)
    made = None
    try:
        with held():
            made = _made(path.parent, path, "part")
        with named(path), made.path.open("wb") as stream:
            yield stream
        with held(), named(path):
            made.path.replace(path)
    finally:
        if made is not None:
            with held():
                made.path.unlink(missing_ok=True)
                _let_go(made)


def text(path: Path, content: str) -> None:
    """Write a file of text whole or not at all."""
    with file(path) as stream, named(path):
        stream.write(content.encode())


def _made(parent: Path, shown: Path, kind: str) -> _Made:
    """Make something with a name of its own and lock it; another run may have swept it before it was locked."""
    for _ in range(_TRIES):
        path = parent / f".ioledger-{secrets.token_hex(8)}-{kind}"
        with named(shown, instead=True):
            if kind == "scratch":
                path.mkdir(mode=0o700)
            else:
                path.touch(exist_ok=False)
        lock = _locked(path)
        if lock is not None:
            _locks.add(lock)
            return _Made(path, lock)
    message = "another program removes what is made here"
    raise OSError(errno.EBUSY, message, str(shown))


def _let_go(made: _Made) -> None:
    _locks.discard(made.lock)
    if made.lock != _NO_LOCKS:
        os.close(made.lock)


def _locked(path: Path) -> int | None:
    """Return the descriptor that holds the lock of a path, -1 where there are no locks, None when another has it."""
    if fcntl is None:
        return _NO_LOCKS
    try:
        descriptor = os.open(path, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC)
    except OSError:
        return None
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        if os.path.samestat(os.fstat(descriptor), path.lstat()):
            return descriptor
        found = None
    except (BlockingIOError, FileNotFoundError):
        found = None
    except OSError:  # a file system without locks
        found = _NO_LOCKS
    os.close(descriptor)
    return found


def _sweep(parent: Path, form: re.Pattern[str]) -> None:
    """Remove what a run that is gone has left in a folder: it has such a name, is ours, and nobody holds its lock."""
    if fcntl is None:
        return
    with suppress(OSError), os.scandir(parent) as entries:
        for entry in entries:
            if form.fullmatch(entry.name) and entry.stat(follow_symlinks=False).st_uid == os.getuid():
                lock = _locked(Path(entry.path))
                if lock not in {None, _NO_LOCKS}:
                    with held():
                        _removed(Path(entry.path))
                        os.close(lock)


def _removed(path: Path) -> None:
    """Remove a file or folder; what stays, as on a disk that fails, is swept by a later run."""
    with suppress(OSError):
        if path.is_dir():
            shutil.rmtree(path)
        else:
            path.unlink(missing_ok=True)
