"""
The originals of an import: every file of a checkout or of an archive, in turn, without unpacking anything to disk.

A path is relative to the checkout or the archive, with ``/`` between its parts, as the repository names it. Hidden
files, links and devices are no originals, and what is packed inside a checkout is one file.
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from ioledger.loading import archives
from ioledger.loading.files import list_files, load
from ioledger.model import BINS, Source
from ioledger.problems import Problem, plain

if TYPE_CHECKING:
    from collections.abc import Iterator

REMEDY = "Name a checkout of the repository, or an archive of it (tar or zip, packed or not)."
RULE = "R-IMPORT-6"


class Original(NamedTuple):
    """One file: its path in the repository, and its bytes."""

    path: str
    source: Source


def originals(place: Path, packed: str) -> Iterator[Original | Problem]:
    """
    Give the files of a checkout or an archive; what cannot be read is given as a problem.

    An archive that a forge makes has everything in a folder called after the repository and the commit; a first folder
    whose name begins with ``packed`` is left out of paths.
    """
    for found in _of_folder(place) if place.is_dir() else _of_archive(place):
        if isinstance(found, Original):
            first, _, rest = found.path.partition("/")
            yield found._replace(path=rest) if rest and first.startswith(packed) else found
        else:
            yield found


def _of_folder(folder: Path) -> Iterator[Original | Problem]:
    for path in list_files([folder]):
        loaded = load(path, without=frozenset({BINS}))
        if isinstance(loaded, Problem):
            yield loaded
        else:
            yield Original(plain(Path(path).relative_to(folder).as_posix()), loaded)


def _of_archive(place: Path) -> Iterator[Original | Problem]:
    for found in archives.sources(str(place), without=frozenset({BINS})):
        if isinstance(found, Source):
            if found.member_path is None:
                yield Problem(plain(str(place)), "", "it is neither a folder nor an archive", REMEDY, RULE)
            elif not any(part.startswith(".") for part in found.member_path.split("/")):
                yield Original(plain(found.member_path.removeprefix("./")), found)
        elif found.problem is not None:
            yield found.problem
