"""Lists of files with their SHA-256, as ``sha256sum`` writes and checks them, and the raw files that tables list."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import pyarrow.parquet as pq

from ioledger.problems import Problem
from ioledger.releases.digest import sha256

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from pathlib import Path

_LINE = re.compile(r"([0-9a-f]{64})  (\S.*)")
RAW_RULE = "R-RELEASE-5"
RAW_REMEDY = "Check out the commit that the release names, without changes."


def below(folder: Path) -> dict[str, Path]:
    """Return every file below a folder by its path in it, sorted; links and devices too, so that none hides."""
    found = (path for path in folder.rglob("*") if path.is_symlink() or not path.is_dir())
    return dict(sorted((path.relative_to(folder).as_posix(), path) for path in found))


def listing(files: Mapping[str, Path]) -> bytes:
    """Return the list of these files."""
    return "".join(f"{sha256(path)}  {name}\n" for name, path in files.items()).encode()


def check_list(path: Path, present: Mapping[str, Path], place: Path, words: tuple[str, str, str]) -> Iterator[Problem]:
    """Return what is wrong with a list and with the files below ``place`` that it names; see :func:`check`."""
    if not path.is_file():
        yield Problem(str(path), "", "it is missing", *words[1:])
        return
    listed = {}
    for number, line in enumerate(path.read_bytes().decode(errors="replace").splitlines(), 1):
        found = _LINE.fullmatch(line)
        if found is None:
            yield Problem(str(path), f"line {number}", "it is not a SHA-256, two blanks and a path", *words[1:])
        else:
            listed[found[2]] = found[1]
    yield from check(listed, present, place, words)


def check(
    listed: Mapping[str, str], present: Mapping[str, Path], place: Path, words: tuple[str, str, str]
) -> Iterator[Problem]:
    """
    Return a problem for each file that is missing, changed, or not listed.

    ``words`` say which files are listed, what to do about a problem, and which rule it breaks.
    """
    for name in sorted(listed.keys() | present.keys()):
        path = present.get(name, place / name)
        if name not in present:
            what = "it is missing"
        elif name not in listed:
            what = f"it is no file of {words[0]}"
        elif path.is_symlink() or not path.is_file():
            what = "it is no plain file"
        elif (found := sha256(path)) != listed[name]:
            what = f"its content has changed: its SHA-256 is {found}, but {listed[name]} is stated"
        else:
            continue
        yield Problem(str(path), "", what, *words[1:])


def check_raw_files(data: Path, tables: Path) -> tuple[int, list[Problem]]:
    """Return how many files lie below ``data``, and a problem for each that differs from the tables in a folder."""
    columns = ["submission_id", "path", "source_sha256", "member_path", "document_index"]
    files = pq.read_table(tables / "raw" / "files.parquet", columns=columns).to_pylist()
    submissions = pq.read_table(
        tables / "raw" / "submissions.parquet", columns=["submission_id", "manifest_sha256"]
    ).to_pylist()
    listed = {
        f"{row['submission_id']}/{row['path']}": row["source_sha256"]
        for row in files
        if row["member_path"] is None and row["document_index"] is None
    }
    listed |= {f"{row['submission_id']}/manifest.yaml": row["manifest_sha256"] for row in submissions}
    present = below(data)
    return len(present), list(check(listed, present, data, ("the release", RAW_REMEDY, RAW_RULE)))
