"""Which files a command is to read, those that are named and those below folders, and the bytes of each."""

from __future__ import annotations

import os
import stat
from operator import attrgetter
from typing import TYPE_CHECKING

from ioledger.problems import Problem
from ioledger.readers import detect
from ioledger.readers.base import Source

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from pathlib import Path

_FLAGS = os.O_RDONLY | getattr(os, "O_CLOEXEC", 0) | getattr(os, "O_BINARY", 0)
_FIRST, _MORE = 1 << 16, 1 << 20
"""Most files fit into what is read first, and then nothing needs to be asked about their size."""


def listed(paths: Iterable[Path]) -> Iterator[str]:
    """
    Give files as named, and the files below folders, sorted, without hidden ones and links.

    A folder that cannot be listed is given itself, so that reading it says why.
    """
    for path in paths:
        if not path.is_dir():
            yield str(path)
            continue
        waiting = [(str(path), True)]
        while waiting:
            name, is_folder = waiting.pop()
            if is_folder:
                waiting += _entries(name)
            else:
                yield name


def _entries(folder: str) -> list[tuple[str, bool]]:
    """Return files and folders in a folder, last first, and which are folders."""
    try:
        with os.scandir(folder) as found:
            entries = sorted(found, key=attrgetter("name"), reverse=True)
    except OSError:
        return [(folder, False)]
    prefix = "" if folder == os.curdir else os.path.join(folder, "")  # noqa: PTH118  (a Path per file takes as long as reading it)
    below = []
    for entry in entries:
        is_folder = entry.is_dir(follow_symlinks=False)
        if not entry.name.startswith(".") and (is_folder or entry.is_file(follow_symlinks=False)):
            below.append((prefix + entry.name, is_folder))
    return below


def same(path: Path, found: Iterable[str]) -> str | None:
    """Return which of these files is the one at a path, by its number on the disk; null when it is none, or new."""
    try:
        wanted = path.stat()
    except OSError:
        return None
    for name in found:
        try:
            if os.path.samestat(wanted, os.stat(name)):  # noqa: PTH116  (a Path per file takes as long as reading it)
                return name
        except OSError:
            continue
    return None


def load(path: str, *, wants_bins: bool = True) -> Source | Problem:
    """Return the bytes of a file, or why they cannot be had; in few calls, because small files are many."""
    try:
        descriptor = os.open(path, _FLAGS)
        try:
            data = os.read(descriptor, _FIRST)
            if more := os.read(descriptor, 1):
                size = os.fstat(descriptor).st_size
                data = _whole(descriptor, data + more) if size <= detect.MAX_FILE_BYTES else b""
                if (refusal := detect.too_large(max(size, len(data)))) is not None:
                    return Problem(path, refusal.place, refusal.what, refusal.remedy, refusal.rule)
            return Source(path, data, wants_bins=wants_bins)
        finally:
            os.close(descriptor)
    except OSError as error:
        return Problem(path, "", f"cannot be read: {error.strerror or error}", "Check the path.", "R-FILE-8")


def _whole(descriptor: int, begun: bytes) -> bytes:
    """Return the bytes of a large file: in one piece, read again from the start, or what is left of a pipe."""
    status = os.fstat(descriptor)
    parts, size = [begun], _MORE
    if stat.S_ISREG(status.st_mode):
        os.lseek(descriptor, 0, os.SEEK_SET)
        parts, size = [], max(status.st_size, _FIRST)
    remaining = detect.MAX_FILE_BYTES
    while remaining >= 0 and (part := os.read(descriptor, size)):  # a device may have no end
        parts.append(part)
        remaining -= len(part)
        size = 1 if len(parts) == 1 and len(part) == size else _MORE  # asking for much at the end costs fresh memory
    return parts[0] if len(parts) == 1 else b"".join(parts)
