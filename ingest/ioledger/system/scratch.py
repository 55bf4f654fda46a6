"""
Files and folders that appear whole or not at all: made beside their place, and renamed when all went well.

What a killed run has left of them is removed by a later run, a day after it was last changed. Finished folders replace
older ones all together: one rename moves them to ``.ioledger-switch``, from which moment they count, and each is then
renamed to its place. The next command does what a run that was killed meanwhile has left to do.

Source: rename(2), which is atomic.
"""

from __future__ import annotations

import os
import re
import secrets
import shutil
import time
from contextlib import contextmanager, suppress
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, BinaryIO

from ioledger.system.ending import name_place

if TYPE_CHECKING:
    from collections.abc import Iterator

NAMES = re.compile(r"\.ioledger-[0-9a-z_]+-(?:scratch|part)")
LEFT_SECONDS = 86_400
SWITCH, REPLACED = ".ioledger-switch", "-replaced"


def sweep(parent: Path) -> None:
    """Remove what runs that were killed have left in a folder."""
    with suppress(OSError), os.scandir(parent) as entries:
        for entry in entries:
            is_old = time.time() - entry.stat(follow_symlinks=False).st_mtime > LEFT_SECONDS
            if NAMES.fullmatch(entry.name) and is_old and entry.is_dir(follow_symlinks=False):
                shutil.rmtree(entry.path, ignore_errors=True)
            elif NAMES.fullmatch(entry.name) and is_old:
                os.unlink(entry.path)  # noqa: PTH108  (the entry has its path)


@contextmanager
def folder(parent: Path) -> Iterator[Path]:
    """Give a new folder below ``parent``, removed with all it holds at the end."""
    sweep(parent)
    with name_place(parent, instead=True):
        made = TemporaryDirectory(prefix=".ioledger-", suffix="-scratch", dir=parent, ignore_cleanup_errors=True)
    with made as name:
        yield Path(name)


@contextmanager
def file(path: Path) -> Iterator[BinaryIO]:
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
        with name_place(path), stream:
            yield stream
        with name_place(path):
            part.replace(path)
    finally:
        part.unlink(missing_ok=True)


def text(path: Path, content: str) -> None:
    """Write a file of text whole or not at all."""
    with file(path) as stream, name_place(path):
        stream.write(content.encode())


def replace(ready: Path, parent: Path) -> None:
    """Let the folders in ``ready`` replace those of the same names in ``parent``; ``ready`` is gone then."""
    finish(parent)
    ready.rename(parent / SWITCH)
    finish(parent)


def finish(parent: Path) -> None:
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
