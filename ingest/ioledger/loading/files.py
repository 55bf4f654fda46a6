"""Which files a command is to read, those that are named and those below folders, their bytes, and their folders."""

from __future__ import annotations

import os
import re
import stat
from collections import Counter
from io import BufferedReader
from operator import attrgetter
from pathlib import PurePosixPath
from typing import TYPE_CHECKING, NamedTuple

from ioledger.model import NOTHING, Source, narrow
from ioledger.problems import Problem
from ioledger.readers import detect
from ioledger.tables import is_written_here

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator
    from pathlib import Path

    from ioledger.model import Reading

STDIN = "-"
"""The name of standard input among files."""
_HANDED_OVER = ("/dev/fd/", "/proc/self/fd/")
"""Folder of the pipes that a shell makes for ``<(...)``."""
_FLAGS = os.O_RDONLY | getattr(os, "O_CLOEXEC", 0) | getattr(os, "O_BINARY", 0)
_WAITLESS = _FLAGS | getattr(os, "O_NONBLOCK", 0)
"""Opening a named pipe would otherwise wait for somebody who writes it."""
_FIRST = 1 << 16
"""A larger archive is not read into memory."""


HIDDEN, LINK, INSTALLED = "hidden", "link or device", "folder of generated files"
_INSTALLED = frozenset({"node_modules", "__MACOSX", "__pycache__"})
"""Folders without results."""


def skip_reason(name: str) -> str | None:
    """Say why a file or a folder of this name is not looked at below a folder or in a container; null for most."""
    if name.startswith(".") and name not in {os.curdir, os.pardir}:
        return HIDDEN
    return INSTALLED if name in _INSTALLED else None


def list_files(paths: Iterable[Path], aside: Counter[str] | None = None) -> Iterator[str]:
    """Yield named files and those below folders, sorted; ``aside`` counts what is not looked at, a folder as one."""
    aside = Counter() if aside is None else aside
    for path in paths:
        if not path.is_dir():
            yield str(path)
            continue
        waiting = [(str(path), True)]
        while waiting:
            name, is_folder = waiting.pop()
            if is_folder:
                waiting += _entries(name, aside)
            else:
                yield name


def _entries(folder: str, aside: Counter[str]) -> list[tuple[str, bool]]:
    """Return files and folders in a folder, last first, and which are folders; count what is left aside."""
    try:
        with os.scandir(folder) as found:
            entries = sorted(found, key=attrgetter("name"), reverse=True)
    except OSError:
        return [(folder, False)]
    prefix = "" if folder == os.curdir else os.path.join(folder, "")  # noqa: PTH118  (a Path per file takes as long as reading it)
    below = []
    for entry in entries:
        is_folder = entry.is_dir(follow_symlinks=False)
        kind = skip_reason(entry.name) or (None if is_folder or entry.is_file(follow_symlinks=False) else LINK)
        if kind is None:
            below.append((prefix + entry.name, is_folder))
        else:
            aside[kind] += 1
    return below


def find_same_file(path: Path, found: Iterable[str]) -> str | None:
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


def load(path: str, *, without: frozenset[str] = NOTHING) -> Source | Problem:
    """Return the bytes of a file, or why they cannot be had."""
    loaded = open_or_load(path, without=without, is_packed=None)
    assert not isinstance(loaded, BufferedReader)  # noqa: S101  (nothing is said to be packed)
    return loaded


def open_or_load(
    path: str, *, without: frozenset[str], is_packed: Callable[[bytes], object] | None
) -> Source | Problem | BufferedReader:
    """Return the bytes of a file, or why they cannot be had; of one that is large and packed the open file itself."""
    is_handed_over = path == STDIN or path.startswith(_HANDED_OVER)
    flags = _FLAGS if is_handed_over else _WAITLESS
    try:
        with open(path, "rb", opener=lambda *_: os.dup(0) if path == STDIN else os.open(path, flags)) as stream:
            status = os.fstat(stream.fileno())
            is_regular = stat.S_ISREG(status.st_mode)
            if stat.S_ISFIFO(status.st_mode) and not is_handed_over:
                what, remedy = "it is a named pipe", "Name regular files, or read a pipe as standard input: -"
                return Problem(path, "", what, remedy, "R-FILE-8")
            if is_packed is not None and is_regular and status.st_size > _FIRST and is_packed(stream.peek()):
                os.lseek(stream.fileno(), 0, os.SEEK_SET)
                return open(os.dup(stream.fileno()), "rb")  # noqa: PTH123  (whoever reads the members closes it)
            refusal, data = detect.too_large(status.st_size), b""
            if refusal is None:
                data = stream.read() if is_regular else stream.read(detect.MAX_FILE_BYTES + 1)  # a device has no end
                refusal = detect.too_large(len(data))
            if refusal is not None:
                return Problem(path, refusal.place, refusal.what, refusal.remedy, refusal.rule)
            return Source(path, data, without=without)
    except OSError as error:
        return Problem(path, "", f"cannot be read: {error.strerror or error}", "Check the path.", "R-FILE-8")


OFFICE = re.compile(rb"PK\x03\x04.{26}(?:\[Content_Types\]\.xml|_rels/|docProps/|xl/|word/|ppt/|mimetype)", re.DOTALL)
"""An office document, which has the form of a zip."""
PICTURE, PAGE, SCRIPT, SHEET = "a picture", "a page", "a script or source code", "a spreadsheet or office document"
PROSE, PROGRAM, TABLES, NOTEBOOK = "a licence or readme", "a program", "tables of another program", "a notebook"
EMPTY, WRITTEN, SUBMISSION = "empty", "an earlier output of ioledger", "a description of a submission"
_OWN = frozenset({"manifest.yaml", "origin.yaml", "mapping.csv", "reservations.csv"})
"""Files of a submission that describe its results."""
_HEAD = 4096
_LICENCE = (
    rb".{0,200}?(?:MIT License|BSD \d-Clause License|Apache License|GNU (?:LESSER |AFFERO )?GENERAL PUBLIC LICENSE"
    rb"|Redistribution and use in source and binary forms|Permission is hereby granted, free of charge)"
)
_BEGINNINGS = (
    (PICTURE, rb"\x89PNG\r\n|\xff\xd8\xff|GIF8[79]a|RIFF.{4}WEBP|II\*\0|MM\0\*|\0\0[\1\2]\0|BM.{4}\0{4}|%!PS"),
    (PICTURE, rb"\s*(?:<\?xml[^>]*>\s*)?(?:<!--.*?-->\s*)*(?:<!DOCTYPE svg[^>]*>\s*)?<svg[\s>]"),
    (PAGE, rb"\s*(?:<\?xml[^>]*>\s*)?(?:<!--.*?-->\s*)*<(?:!DOCTYPE\s+html|html[\s>]|head[\s>])|%PDF-"),
    (SCRIPT, rb"#!"),
    (SHEET, rb"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1|\{\\rtf"),
    (PROGRAM, rb"\x7fELF|MZ\x90\0|\xfe\xed\xfa[\xce\xcf]|[\xce\xcf]\xfa\xed\xfe|\xca\xfe\xba\xbe"),
    (TABLES, rb"PAR1|ARROW1|SQLite format 3\0|\x93NUMPY"),
    (NOTEBOOK, rb"\s*\{\s*\"(?:cells|nbformat|metadata)\"\s*:(?=.*\"cell_type\")"),
    (PROSE, _LICENCE),
)  # fmt: skip
_KINDS = [(kind, re.compile(pattern, re.DOTALL | re.IGNORECASE)) for kind, pattern in _BEGINNINGS]
_SUFFIXES = {
    PAGE: "htm html xhtml",
    SCRIPT: "bash bat c cc cmd cpp css cu fish go gnuplot gp gpi h hpp ipynb java js jl ksh lua m mk pbs php pl plt "
    "ps1 psm1 py r rb rs sbatch scala sh slurm sql swift tcl tex ts tsx vbs zsh",
    PROSE: "adoc asciidoc bib cff markdown md org rst",
    PROGRAM: "class dll dylib exe lock o pickle pkl pyc so",
}
_BY_SUFFIX = {f".{suffix}": kind for kind, suffixes in _SUFFIXES.items() for suffix in suffixes.split()}
_STEMS = re.compile(
    r"(?:authors|changelog|changes|citation|code_of_conduct|contributing|copying|copyright|licen[cs]es?|notice|readme"
    r"|unlicense)(?:[-_. ].*)?$",
    re.IGNORECASE,
)
_BUILDS = re.compile(r"(?:(?:cmake|gnu)?makefile|dockerfile|vagrantfile|jenkinsfile|cmakelists\.txt)$", re.IGNORECASE)


def ignored_kind(path: str, data: bytes) -> str | None:
    """Return the kind of a file that no reader recognises, such as ``a picture``; null if unknown."""
    if not data.strip(b"\0 \t\r\n"):
        return EMPTY
    if is_written_here(data):
        return WRITTEN
    head = narrow(data[:_HEAD])
    if OFFICE.match(head):
        return SHEET
    found = next((kind for kind, begins in _KINDS if begins.match(head)), None)
    return found or _by_name(PurePosixPath(path.replace("\\", "/")).name)


def _by_name(name: str) -> str | None:
    if name in _OWN:
        return SUBMISSION
    suffix = PurePosixPath(name).suffix.lower()
    if suffix in {"", ".txt"} and _STEMS.match(name):
        return PROSE
    return SCRIPT if _BUILDS.match(name) else _BY_SUFFIX.get(suffix)


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


class FolderIndex:
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
