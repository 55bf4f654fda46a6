"""
Which files lie in the folders of submissions, and what each holds, without reading what git knows already.

Git keeps the hash of every file that it tracks, and tells in one call which of them differ from it. Every other file is
read and hashed: in a folder that is no checkout all of them, which takes a tenth of reading what they say.
"""

from __future__ import annotations

import hashlib
import os
import re
from typing import TYPE_CHECKING

from ioledger.system import git

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

Listing = dict[str, str]
"""What a folder holds by path: ``git:`` and the id of a blob, ``sha256:`` and a hash, or what else it is."""
_FILES = frozenset({b"100644", b"100755"})
UNREADABLE = "unreadable"
_CONVERTING = frozenset({b"text", b"eol", b"crlf", b"ident", b"filter", b"working-tree-encoding"})
"""Attributes by which a file has other bytes than git keeps of it."""
_PART, _ATTRIBUTE = re.compile(rb"[^\0]+"), re.compile(rb"([^\0]+)\0([^\0]+)\0([^\0]*)\0")
_TRACKED = b"H"
"""How git marks a file that it looks at; one that it was told to take as unchanged has another mark."""


def listings(data: Path) -> Iterator[tuple[str, Listing]]:
    """Give the name of every folder below ``data`` and what it holds, sorted by name; hidden folders are none."""
    known = _known(data)
    with os.scandir(data) as entries:
        names = sorted(entry.name for entry in entries if entry.is_dir() and not entry.name.startswith("."))
    for name in names:
        try:
            yield name, dict(sorted(_below(str(data / name), f"{name}/", known)))
        except OSError:  # reading it says why
            yield name, {".": UNREADABLE}


def as_text(name: str) -> str:
    """Return a name as text can hold it; that of a file or a folder need not be text."""
    return os.fsencode(name).decode("utf-8", "backslashreplace")


def same_bytes(identity: str, data: bytes) -> bool:
    """Say whether these bytes are those that an entry of a listing tells."""
    kind, _, stated = identity.partition(":")
    if kind == "git":
        head = f"blob {len(data)}\0".encode()
        new = hashlib.sha256 if len(stated) == hashlib.sha256().digest_size * 2 else hashlib.sha1
        return new(head + data, usedforsecurity=False).hexdigest() == stated
    return kind == "sha256" and hashlib.sha256(data).hexdigest() == stated


def _below(folder: str, prefix: str, known: Listing) -> Iterator[tuple[str, str]]:
    """Give everything below a folder that is no folder, by its path, and what it holds."""
    with os.scandir(folder) as entries:
        for entry in entries:
            name = prefix + entry.name
            if entry.is_dir(follow_symlinks=False):
                yield from _below(entry.path, f"{name}/", known)
            elif entry.is_file(follow_symlinks=False):
                yield name.partition("/")[2], known.get(name) or _hashed(entry.path)
            else:
                yield name.partition("/")[2], "link or device"


def _hashed(path: str) -> str:
    try:
        with open(path, "rb") as file:  # noqa: PTH123  (a Path per file takes as long as reading it)
            return f"sha256:{hashlib.file_digest(file, 'sha256').hexdigest()}"
    except OSError:
        return UNREADABLE


def _known(data: Path) -> Listing:
    """
    Return the files below a folder that are as git has them, by their paths from there; none without git.

    A file that git converts has other bytes than it keeps, so of those git tells nothing.
    """
    tracked = git.told(data, "ls-files", "--stage", "-v", "-z", "--", ".")
    changed = git.told(data, "diff", "--name-only", "--relative", "--no-renames", "--no-ext-diff", "-z", "--", ".")
    if tracked is None or changed is None:
        return {}
    differs = set(changed.split(b"\0"))
    is_as_kept = _as_kept(data, tracked)
    found = {}
    for line in _PART.finditer(tracked):
        about, _, path = line[0].partition(b"\t")
        mark, mode, blob, stage = about.split(b" ")
        is_same = mark == _TRACKED and mode in _FILES and stage == b"0" and path not in differs
        if is_same and is_as_kept(path):
            found[os.fsdecode(path)] = f"git:{blob.decode()}"
    return found


def _as_kept(data: Path, tracked: bytes) -> Callable[[bytes], bool]:
    """Return what says whether git keeps the bytes of a tracked file as they are."""
    given = b"".join(line[0].partition(b"\t")[2] + b"\0" for line in _PART.finditer(tracked))
    told = git.told(data, "check-attr", "--stdin", "-z", "-a", given=given)
    converted, own = set[bytes](), set[bytes]()
    for path, name, value in (found.groups() for found in _ATTRIBUTE.finditer(told or b"")):
        if name in _CONVERTING and value != b"unset":
            converted.add(path)
        elif name == b"text":
            own.add(path)
    is_any_converted = told is None or (git.told(data, "config", "core.autocrlf") or b"false").strip() != b"false"
    return (own - converted).__contains__ if is_any_converted else (lambda path: path not in converted)
