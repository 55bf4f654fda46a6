"""
How finished folders take the place of older ones: all of them or none, whenever a run is killed.

They are moved together, by one rename, into a folder of a fixed name beside their places. From that moment they count:
each is then renamed to its place, and whoever finds the folder first does what a run that was killed has left undone.
It is locked while somebody does; a lock ends with its holder, however that ends.

Source: rename(2), which is atomic, and flock(2).
"""

from __future__ import annotations

import errno
import os
import shutil
from typing import TYPE_CHECKING

from ioledger.system import scratch
from ioledger.system.ending import held

if TYPE_CHECKING:
    from pathlib import Path

try:
    import fcntl
except ImportError:  # Windows
    fcntl = None  # type: ignore[assignment]

NAME = ".ioledger-switch"
REPLACED = "-replaced"
_NO_LOCK = -1


def take(ready: Path, parent: Path) -> None:
    """
    Let the folders in ``ready`` take the places of the same names in ``parent``; ``ready`` is gone then.

    It lies on the same disk, in a scratch folder, and holds nothing else.
    """
    with held():
        lock = _locked(ready)
        try:
            _committed(ready, parent)
            _moved(parent)
        finally:
            _let_go(lock)


def finish(parent: Path) -> bool:
    """Do what is left of a switch in a folder whose run was killed; say whether there was one."""
    waiting, found = parent / NAME, False
    while waiting.is_dir():
        lock = _locked(waiting)
        if lock is not None:
            try:
                with held():
                    _moved(parent)
                    found = True
            finally:
                _let_go(lock)
    return found


def _committed(ready: Path, parent: Path) -> None:
    """Rename the folder that holds all; where another run's switch is in the way, that is finished first."""
    while True:
        finish(parent)
        try:
            ready.rename(parent / NAME)
        except OSError as error:
            if error.errno not in {errno.ENOTEMPTY, errno.EEXIST}:
                raise
        else:
            return


def _moved(parent: Path) -> None:
    """Move each folder that waits to its place, and what stood there out of sight; any part of it may be done."""
    waiting = parent / NAME
    for new in sorted(waiting.iterdir()):
        if not new.name.endswith(REPLACED):
            place, old = parent / new.name, waiting / f"{new.name}{REPLACED}"
            if place.exists() or place.is_symlink():
                shutil.rmtree(old, ignore_errors=True)  # of a switch that was left, where somebody made the place anew
                place.rename(old)
            new.rename(place)
    with scratch.folder(parent) as aside:
        waiting.rename(aside / "done")


def _locked(folder: Path) -> int | None:
    """Wait for the lock of a folder; return its descriptor, -1 where there are no locks, None when it has gone."""
    if fcntl is None:
        return _NO_LOCK
    try:
        descriptor = os.open(folder, os.O_RDONLY | os.O_CLOEXEC)
    except FileNotFoundError:
        return None
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX)
        if os.path.samestat(os.fstat(descriptor), folder.stat()):
            return descriptor
    except FileNotFoundError:
        pass
    except OSError:  # a file system without locks
        os.close(descriptor)
        return _NO_LOCK
    os.close(descriptor)
    return None


def _let_go(lock: int | None) -> None:
    if lock is not None and lock != _NO_LOCK:
        os.close(lock)
