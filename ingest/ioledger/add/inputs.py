"""
The files that are handed in: named, below folders, or in archives; and the name that each gets in the submission.

Names never matter to what is read, so that any will do here. A submission's own are plain, because every system has to
store them: what a name has besides letters, digits and ``_ + , . ( ) -`` becomes a hyphen, its end stays (the end of a
log's name says what it logs), and of two that are one on some system the later gets the name of its folder or a number.
"""

from __future__ import annotations

import re
import unicodedata
from pathlib import Path, PurePosixPath
from typing import TYPE_CHECKING, NamedTuple

from ioledger.loading import archives, files
from ioledger.loading.archives import Entry
from ioledger.loading.folder_index import file_of, folder_of
from ioledger.model import Source
from ioledger.submission.files import PART
from ioledger.submission.manifest import NAME

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from ioledger.problems import Problem

REFUSED = re.compile(r"[^A-Za-z0-9_+,.()-]+")
MOST_CHARACTERS = 100
NAMELESS = "file"


class Input(NamedTuple):
    """One file: its path for people, its bytes, its name in the submission, and whether somebody named it."""

    shown: str
    source: Source
    name: str
    is_named: bool


def inputs(paths: Iterable[Path]) -> Iterator[Input | Problem]:
    """
    Give every file that is named, lies below a named folder or in an archive, each once, in order; or why not.

    Archives are gone through and not handed in. A manifest below a folder is passed over: it is named with its option.
    """
    seen, taken = set[str](), {NAME}
    for path in paths:
        for place in files.list_files((path,)):
            real = str(Path(place).resolve())
            if real in seen:
                continue
            seen.add(real)
            if not Path(place).is_file():
                yield files.not_a_file(place)
                continue
            for found in archives.sources(place):
                if isinstance(found, Entry):
                    if found.problem is not None:
                        yield found.problem
                    continue
                is_named = place == str(path) and found.member_path is None
                if not is_named and file_of(found.name) == NAME:
                    continue
                shown, below = found.name, Path(place).name if is_named else _below(path, found.name)
                name = plain_name(below, taken)
                taken.add(name.casefold())
                yield Input(shown, Source(below, found.data), name, is_named)


def _below(path: Path, name: str) -> str:
    """Return the name of a file from the folder or archive on that was named."""
    inside = name.removeprefix(str(path)).lstrip("/\\!")
    return inside or path.name


def plain_name(path: str, taken: set[str]) -> str:
    """
    Return a plain name for a file, ``taken`` by none in small letters.

    One that is plain already stays as it is, unless it is taken.
    """
    name, folder = _plain(file_of(path)), _plain(file_of(folder_of(path)))
    stem, suffix = PurePosixPath(name).stem, PurePosixPath(name).suffix
    several = [name, *([f"{folder}-{name}"] if folder != NAMELESS else [])]
    number = 1
    while (chosen := several.pop(0)).casefold() in taken:
        number += 1
        several.append(f"{stem}-{number}{suffix}")
    return chosen


def _plain(name: str) -> str:
    if PART.fullmatch(name) and len(name) <= MOST_CHARACTERS and " " not in name:
        return name
    letters = unicodedata.normalize("NFKD", name).encode("ascii", "ignore" if _is_latin(name) else "replace").decode()
    kept = REFUSED.sub("-", letters)[-MOST_CHARACTERS:].lstrip("-+,.()").rstrip(". ")
    kept = f"{NAMELESS}{kept}" if kept.startswith("_") else kept
    if not PurePosixPath(kept).stem.strip("-_") or kept == PurePosixPath(name).suffix.lstrip("."):
        kept = NAMELESS + PurePosixPath(REFUSED.sub("-", name)).suffix
    return kept if PART.fullmatch(kept) else f"{NAMELESS}-{kept}"


def _is_latin(name: str) -> bool:
    """Say whether a name is of Latin letters with or without marks, which may lose their marks."""
    return all(not letter.isalpha() or unicodedata.name(letter, "").startswith("LATIN") for letter in name)
