"""
The files of a submission: each one listed, unchanged, inside its folder, and no link.

A path in a manifest is written by a stranger, so it may not leave the folder; the hash proves that the file is the one
its submitter meant.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

from ioledger.measurement.files import load
from ioledger.problems import Problem
from ioledger.readers.detect import oversize
from ioledger.submission.shape import Lines, line_of

PART = re.compile(
    r"(?!(?:con|prn|aux|nul|com\d|lpt\d)(?:\.|$))[A-Za-z0-9_][A-Za-z0-9_+,.() -]*(?<![. ])$", re.IGNORECASE
)
"""A part of a path: what every file system can store, no shell takes for an option, and no tool hides."""
MAX_FILES = 10_000
MAX_FOLDER_BYTES = 2 << 30

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path


def verified(
    folder: Path,
    manifest: dict[str, Any],
    shown: str,
    lines: Lines,
) -> tuple[dict[str, bytes], list[Problem]]:
    """
    Return the bytes of every listed file by path, and what is wrong with the folder's files.

    ``shown`` is the folder's name in messages; the manifest must have the right shape already.
    """
    file_bytes: dict[str, bytes] = {}
    if (problem := _too_much(folder, shown)) is not None:
        return {}, [problem]
    problems = list(_listed(folder, manifest, f"{shown}/manifest.yaml", lines, file_bytes))
    names = {entry["path"] for entry in manifest["files"]} | {"manifest.yaml"}
    for path in sorted(folder.rglob("*")):
        name = path.relative_to(folder).as_posix()
        if name not in names and (path.is_symlink() or not path.is_dir()):
            what = "the manifest does not list this file"
            problems.append(Problem(f"{shown}/{name}", "", what, "List it or remove it.", "R-FILE-3"))
    return file_bytes, problems


def _too_much(folder: Path, shown: str) -> Problem | None:
    """Say when a folder holds more files or bytes than a submission may; stops counting there."""
    count = size = 0
    for path in folder.rglob("*"):
        if not path.is_symlink() and path.is_file():
            count, size = count + 1, size + path.stat().st_size
        if count > MAX_FILES or size > MAX_FOLDER_BYTES:
            what = f"the folder holds more than {MAX_FILES:,} files or {MAX_FOLDER_BYTES:,} bytes"
            return Problem(shown, "", what, "Split the submission.", "R-FILE-10")
    return None


def _listed(
    folder: Path,
    manifest: dict[str, Any],
    where: str,
    lines: Lines,
    file_bytes: dict[str, bytes],
) -> Iterator[Problem]:
    """Verify every listed file; those that hold are put into ``file_bytes``."""
    seen = set[str]()
    for index, entry in enumerate(manifest["files"]):
        name, place = entry["path"], str(line_of(("files", index, "path"), lines))
        if name.casefold() in seen:
            yield Problem(where, place, f"{name} is listed twice", "Remove one of the two.", "R-FILE-1")
            continue
        seen.add(name.casefold())
        if (problem := _unsafe(folder, name, where, place)) is not None:
            yield problem
            continue
        loaded = load(str(folder / name))
        if isinstance(loaded, Problem):
            yield Problem(where, place, f"{name} {loaded.what}", loaded.remedy, loaded.rule)
            continue
        actual = loaded.sha256
        if actual == entry["sha256"]:
            file_bytes[name] = loaded.data
            continue
        place = str(line_of(("files", index, "sha256"), lines))
        what, remedy = f"{name} is not the file that was listed", f"Restore it, or state sha256: {actual}."
        yield Problem(where, place, what, remedy, "R-FILE-2")


def _unsafe(folder: Path, name: str, where: str, place: str) -> Problem | None:
    """Say why a listed path is not a plain file inside the folder."""
    parts = name.split("/")
    if not all(PART.match(part) for part in parts):
        remedy = (
            "List files inside the folder, with / between folders, and plain names: letters, digits, - _ + , . ( )."
        )
        return Problem(where, place, f"the path {name} leaves the folder or has the wrong form", remedy, "R-FILE-4")
    steps = [folder.joinpath(*parts[: end + 1]) for end in range(len(parts))]
    if any(step.is_symlink() for step in steps):
        return Problem(where, place, f"{name} is a symbolic link", "Put the file itself into the folder.", "R-FILE-5")
    if not steps[-1].is_file():
        return Problem(where, place, f"{name} does not exist", "Add the file or remove the entry.", "R-FILE-6")
    refusal = oversize(steps[-1])
    return Problem(where, place, refusal.what, refusal.remedy, refusal.rule) if refusal else None
