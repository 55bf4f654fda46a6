"""Lists of files with their SHA-256, as ``sha256sum`` writes and checks them."""

from __future__ import annotations

import hashlib
import re
from typing import TYPE_CHECKING, NamedTuple

from ioledger.problems import Problem

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from pathlib import Path

RULE = "R-RELEASE-3"
_LINE = re.compile(r"([0-9a-f]{64})  (\S.*)")


class Listed(NamedTuple):
    """What a list says: the hash of each path, and the numbers of the lines that say nothing."""

    files: dict[str, str]
    strange: tuple[int, ...]


def sha256(path: Path) -> str:
    """Return the SHA-256 of a file."""
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def below(folder: Path) -> Iterator[tuple[str, Path]]:
    """Give every file below a folder by its path in it, sorted by that; links and devices too, so that none hides."""
    found = (path for path in folder.rglob("*") if path.is_symlink() or not path.is_dir())
    yield from sorted((path.relative_to(folder).as_posix(), path) for path in found)


def listing(files: Iterable[tuple[str, Path]]) -> bytes:
    """Return the list of these files."""
    return "".join(f"{sha256(path)}  {name}\n" for name, path in files).encode()


def read(content: bytes) -> Listed:
    """Read a list; a path that stands twice, or leads out of the folder, says nothing."""
    files: dict[str, str] = {}
    strange = []
    for number, line in enumerate(content.decode(errors="replace").splitlines(), 1):
        found = _LINE.fullmatch(line)
        if found is None or found[2] in files or found[2].startswith("/") or ".." in found[2].split("/"):
            strange.append(number)
        else:
            files[found[2]] = found[1]
    return Listed(files, tuple(strange))


def problems(
    listed: dict[str, str], present: dict[str, Path], place: Path, words: tuple[str, str, str]
) -> Iterator[Problem]:
    """
    Name every file that is missing, changed, or not listed.

    ``words`` say whose files are listed, what to do about a problem, and which rule it breaks.
    """
    whose, remedy, rule = words
    for name in sorted(listed.keys() | present.keys()):
        if name not in present:
            yield Problem(str(place / name), "", "it is missing", remedy, rule)
        elif name not in listed:
            yield Problem(str(present[name]), "", f"it is no file of {whose}", remedy, rule)
        elif present[name].is_symlink() or not present[name].is_file():
            yield Problem(str(present[name]), "", "it is no plain file", remedy, rule)
        elif (real := sha256(present[name])) != listed[name]:
            what = f"its bytes have changed: its SHA-256 is {real}, and {listed[name]} is stated"
            yield Problem(str(present[name]), "", what, remedy, rule)
