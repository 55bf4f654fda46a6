"""Which files a command is to read: those that are named, and those below folders that are named."""

from __future__ import annotations

import os
from operator import attrgetter
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from pathlib import Path


def files(paths: Iterable[Path]) -> Iterator[str]:
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
