"""Files by the folders they lie in, and the way from a file upwards; a container is a folder of its members."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from ioledger.model import Reading, Source

_BETWEEN = "/" if os.sep == "/" else f"/{os.sep}"


def folder_of(name: str) -> str:
    """Return the folder of a file, or of a folder; the name of a container for what lies directly in it."""
    return name[: max(name.rfind(between) for between in f"{_BETWEEN}!") + 1].rstrip(f"{_BETWEEN}!")


def file_of(name: str) -> str:
    """Return the name of a file without its folders and its container."""
    return name[max(name.rfind(between) for between in f"{_BETWEEN}!") + 1 :]


class Read(NamedTuple):
    """A file and what it says by itself."""

    source: Source
    reading: Reading


class Places:
    """Files that were read by folder, without those whose bytes another one in the folder has."""

    def __init__(self, files: Iterable[Read]) -> None:
        """Sort files by the folders they lie in."""
        found: dict[str, dict[str, Read]] = {}
        for each in files:
            found.setdefault(folder_of(each.source.name), {}).setdefault(each.source.sha256, each)
        self._files = {folder: list(of.values()) for folder, of in found.items()}

    def all(self) -> list[Read]:
        """Give the files of all folders, the first of those with the same bytes."""
        return list({each.source.sha256: each for of in reversed(self._files.values()) for each in of}.values())

    def upwards(self, source: Source) -> Iterator[tuple[str, list[Read]]]:
        """Give each folder from that of a file upwards which holds any of them, with what lies directly in it."""
        folder = folder_of(source.name)
        while True:
            if folder in self._files:
                yield folder, self._files[folder]
            above = folder_of(folder)
            if above == folder:
                return
            folder = above
