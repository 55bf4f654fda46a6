"""
What is read together: the files of a folder and what is below it, and the members of a container.

Logs, job files and reports that belong together lie together, so they reach the same process at the same time, as far
as memory allows.
"""

from __future__ import annotations

import os
from functools import partial
from itertools import chain, groupby
from typing import TYPE_CHECKING, NamedTuple

from ioledger.loading.archives import Entry, sources

if TYPE_CHECKING:
    from collections.abc import Container, Iterable, Iterator

    from ioledger.model import Source


class Limits(NamedTuple):
    """How many files, and how many bytes of them."""

    files: int
    size: int


class Place(NamedTuple):
    """A path to read, and whether somebody named it: the others were found below a folder."""

    path: str
    is_named: bool
    size: int
    """Bytes on the disk."""


def groups(paths: Iterable[str], named: Container[str], enough: Limits, most: Limits) -> Iterator[list[Place]]:
    """
    Give paths in groups, in order: what lies in one folder, with what is below it, stays in one.

    A folder is divided where it holds ``most`` files or bytes, and how depends on nothing but what lies in it; a group
    is closed when it has ``enough``.
    """
    pieces = _pieces([Place(path, path in named, _size(path)) for path in paths], most)
    for some in _packed(pieces, enough):
        yield list(chain.from_iterable(some))


def _packed(pieces: Iterable[list[Place]], enough: Limits) -> Iterator[list[list[Place]]]:
    """Give pieces in runs, each closed when it has ``enough``."""
    run, files, size = list[list[Place]](), 0, 0
    for piece in pieces:
        run.append(piece)
        files, size = files + len(piece), size + sum(place.size for place in piece)
        if files >= enough.files or size >= enough.size:
            yield run
            run, files, size = [], 0, 0
    if run:
        yield run


def _size(path: str) -> int:
    try:
        return os.stat(path).st_size  # noqa: PTH116  (a Path per file takes as long as reading it)
    except OSError:
        return 0  # reading it says why


def _pieces(places: list[Place], most: Limits) -> Iterator[list[Place]]:
    """Give the largest folders that are not over ``most``, with all that is below them."""
    waiting = [(places, False)]
    while waiting:
        run, is_flat = waiting.pop()
        if len(run) <= most.files and sum(place.size for place in run) <= most.size:
            yield run
        elif is_flat:
            yield from (list(chain.from_iterable(some)) for some in _packed(([place] for place in run), most))
        else:
            names = [place.path for place in run]
            depth = os.path.commonprefix([min(names), max(names)]).count(os.sep)  # noqa: RUF071  (separators are counted)
            parts = [(list(part), key is None) for key, part in groupby(run, partial(_folder, depth=depth))]
            waiting += reversed(parts)


def _folder(place: Place, depth: int) -> str | None:
    """Return the folder of a path at a depth; null where only the name of the file is left."""
    parts = place.path.split(os.sep, depth + 1)
    return parts[depth] if len(parts) > depth + 1 else None


def batches(places: Iterable[Place], most: Limits, *, without: frozenset[str]) -> Iterator[list[Source | Entry]]:
    """
    Load files and members and give them as lists: one, but where a container holds more than ``most``.

    Such a one is divided where a folder in it ends, if one ends in the second half of what may be together.
    """
    batch: list[Source | Entry] = []
    size, folder = 0, ""
    for place in places:
        for found in sources(place.path, without=without):
            before, folder = folder, (found.member_path or "").rpartition("/")[0]
            times = 2 if folder != before else 1
            is_over = len(batch) * times >= most.files or size * times >= most.size
            if found.member_path is not None and is_over:
                yield batch
                batch, size = [], 0
            batch.append(found)
            size += 0 if isinstance(found, Entry) else len(found.data)
    if batch:
        yield batch
