"""
What can be compared: a build or a release in a folder, and a commit, which is built first.

A side is known by its tables and by what it tells of the code that made it: ``made_by`` of its manifest, or the code of
the commit itself. Of an older build without either only its tables are known, and causes that rest on code are not.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

import msgspec

from ioledger.problems import Problem
from ioledger.releases import hashes
from ioledger.releases.evidence import Evidence

if TYPE_CHECKING:
    from pathlib import Path

MANIFEST, MADE_BY = "manifest.json", "made_by"
INSIDE = (".", "build", "download")
"""Where the manifest of a build may lie below the folder that is named: a build, a workspace, a site or a release."""
STATED = "release.json"
"""What a release says of itself, its commit among that."""
RULE = "R-DIFFERENCE-1"
_COMMIT = re.compile(r"[0-9a-f]{40,64}")
_REMEDY = "Name a folder that a build or a release made, or a commit."


class Stored(msgspec.Struct, frozen=True):
    """A table as the manifest of a build tells it: rows, the hash of what they say, and that of the file."""

    rows: int
    content_sha256: str
    sha256: str


class Side(msgspec.Struct, frozen=True):
    """
    One of two builds that are compared.

    ``name`` is what it was called by; ``tables`` has the Parquet file of each table by name, marts as ``marts/<name>``.
    """

    name: str
    release_id: str
    tables: dict[str, Path]
    stored: dict[str, Stored]
    written_with: dict[str, str]
    evidence: Evidence | None = None
    """What code made it; null where it does not say."""
    manifests: dict[str, str] | None = None
    """SHA-256 of each submission's manifest, for builds whose tables do not hold it."""
    commit: str | None = None


def of_folder(folder: Path, name: str = "") -> Side | Problem:
    """Return the build or the release in a folder; a problem where there is none, or not all of it."""
    shown = name or str(folder)
    path = next((folder / inside / MANIFEST for inside in INSIDE if (folder / inside / MANIFEST).is_file()), None)
    if path is None:
        return Problem(shown, "", "there is no manifest.json of a build", _REMEDY, RULE)
    try:
        manifest: dict[str, Any] = msgspec.json.decode(path.read_bytes(), type=dict[str, Any])
        stored = msgspec.convert(manifest["files"], dict[str, Stored])
        told = manifest.get(MADE_BY)
        evidence = None if told is None else msgspec.convert(told, Evidence)
        named = str(manifest["release_id"]), dict(manifest.get("written_with", {}))
    except (msgspec.MsgspecError, LookupError, TypeError, ValueError, RecursionError) as error:
        return Problem(str(path), "", f"it is no manifest of a build: {error}", _REMEDY, RULE)
    tables = {file.removesuffix(".parquet"): path.parent / file for file in stored}
    missing = sorted(str(file) for file in tables.values() if not file.is_file())
    if missing:
        what = f"{len(missing)} tables are not there, the first is {missing[0]}"
        return Problem(shown, "", what, "Name a folder that holds all of them.", RULE)
    altered = sorted(file for file, entry in stored.items() if hashes.sha256(path.parent / file) != entry.sha256)
    if altered:
        what = f"{len(altered)} tables are not those of its manifest, the first is {altered[0]}"
        return Problem(shown, "", what, "Build it anew, or take the release again.", RULE)
    by_name = {file.removesuffix(".parquet"): entry for file, entry in stored.items()}
    return Side(shown, named[0], tables, by_name, named[1], evidence, commit=_commit(folder))


def _commit(folder: Path) -> str | None:
    """Return the commit that a release states; null of a build, which may be of no commit."""
    if not (folder / STATED).is_file():
        return None
    try:
        stated: object = msgspec.json.decode((folder / STATED).read_bytes(), type=dict[str, Any]).get("commit")
    except msgspec.MsgspecError:
        return None
    return stated if isinstance(stated, str) and _COMMIT.fullmatch(stated) else None
