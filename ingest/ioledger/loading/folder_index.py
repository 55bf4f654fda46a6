"""Index of files by folder, with the path upwards from a file; an archive is a folder of its members."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from ioledger.model import Reading, Source

_BETWEEN = "/" if os.sep == "/" else f"/{os.sep}"


def folder_of(name: str) -> str:
    """Return the parent folder of a file or folder; for a direct member of an archive, the name of the archive."""
    return name[: max(name.rfind(between) for between in f"{_BETWEEN}!") + 1].rstrip(f"{_BETWEEN}!")


def file_of(name: str) -> str:
    """Return the name of a file without its folders and its container."""
    return name[max(name.rfind(between) for between in f"{_BETWEEN}!") + 1 :]


class Read(NamedTuple):
    """A file and its own reading."""

    source: Source
    reading: Reading


class Places:
    """Files that were read by folder, without those whose bytes another one in the folder has."""

    def __init__(self, files: Iterable[Read]) -> None:
        """Index files by folder."""
        found: dict[str, dict[str, Read]] = {}
        for each in files:
            found.setdefault(folder_of(each.source.name), {}).setdefault(each.source.sha256, each)
        self._files = {folder: list(of.values()) for folder, of in found.items()}

    def all(self) -> list[Read]:
        """Give the files of all folders, the first of those with the same bytes."""
        return list({each.source.sha256: each for of in reversed(self._files.values()) for each in of}.values())

    def upwards(self, source: Source) -> Iterator[tuple[str, list[Read]]]:
        """Yield each folder from that of a file upwards that contains indexed files, with its direct files."""
        folder = folder_of(source.name)
        while True:
            if folder in self._files:
                yield folder, self._files[folder]
            above = folder_of(folder)
            if above == folder:
                return
            folder = above
