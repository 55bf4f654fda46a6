"""An excerpt held against its originals, read again: every cell that differs, with what it was and what it is."""

from __future__ import annotations

import csv
import io
from itertools import zip_longest
from typing import TYPE_CHECKING, NamedTuple

from ioledger.imports import excerpt
from ioledger.model import Source
from ioledger.problems import Problem
from ioledger.readers import derived_csv as reader
from ioledger.readers.cells import SAME
from ioledger.readers.derived_csv import REPEATED

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from pathlib import Path

RULE = "R-IMPORT-7"
REMEDY = "If the reader is right, run ioledger import again; otherwise the folder was edited."
_Key = tuple[str, str]
_Rows = dict[_Key, tuple[str, int, excerpt.Cells]]


class Verdict(NamedTuple):
    """What is no excerpt, what differs, how many results there are, and the reader's version where it has moved."""

    unreadable: list[Problem]
    problems: list[Problem]
    result_count: int
    moved_version: str | None


def verify(folder: Path, made: Mapping[str, bytes]) -> Verdict:
    """Compare the files of a folder with those that the originals give now; a version that moved is said once."""
    unreadable, problems = list[Problem](), list[Problem]()
    stored, fresh = _read_folder(folder, unreadable, problems), _read_rows(made)
    if unreadable:
        return Verdict(unreadable, [], 0, None)
    versions = {cells[excerpt.VERSION] for _, _, cells in stored.values() if excerpt.VERSION in cells}
    now = {cells[excerpt.VERSION] for _, _, cells in fresh.values()}
    for key in sorted(stored.keys() | fresh.keys()):
        problems += _compare_rows(folder, key, stored.get(key), fresh.get(key))
    moved = f"{', '.join(sorted(versions))} then, {', '.join(sorted(now))} now" if versions - now else None
    if not problems and moved is None:
        problems += _compare_files(folder, made)
    return Verdict([], problems, len(stored), moved)


def _read_folder(folder: Path, unreadable: list[Problem], twice: list[Problem]) -> _Rows:
    """Return the rows of all parts in a folder; add what cannot be read, and each place that has more than one row."""
    found: _Rows = {}
    for path in excerpt.list_parts(folder):
        read = reader.read(Source(str(path), path.read_bytes()))
        unreadable += [Problem(str(path), each.place, each.what, each.remedy, each.rule) for each in read.refusals]
        if read.refusals:
            continue
        for key, (name, number, cells) in _read_rows({path.name: path.read_bytes()}).items():
            if key in found:
                what = f"{' '.join(key)} is in {found[key][0]}, row {found[key][1]}, too"
                twice.append(Problem(str(path), f"row {number}", what, REMEDY, RULE))
            else:
                found[key] = name, number, cells
    return found


def _read_rows(files: Mapping[str, bytes]) -> _Rows:
    """Return file, row (from 2, the header being 1) and cells of every result by its place in the originals."""
    found = {}
    for name, data in files.items():
        if name.startswith("excerpt"):
            above: excerpt.Cells = {}
            for number, cells in enumerate(csv.DictReader(io.StringIO(data.decode(), newline="")), 2):
                cells |= {column: above[column] for column in REPEATED if cells.get(column) == SAME}
                above = cells
                found[cells["origin_path"], cells["origin_pointer"]] = name, number, cells
    return found


def _compare_rows(
    folder: Path,
    key: _Key,
    was: tuple[str, int, excerpt.Cells] | None,
    now: tuple[str, int, excerpt.Cells] | None,
) -> Iterator[Problem]:
    if was is None or now is None:
        name, number, _ = was or now or ("", 0, {})
        shown, place = (str(folder / name), f"row {number}") if was else (str(folder), "")
        what = f"{' '.join(key)} {'is only in the excerpt' if was else 'is only in the originals'}"
        yield Problem(shown, place, what, REMEDY, RULE)
        return
    (name, number, old), (_, _, new) = was, now
    for column in dict.fromkeys((*old, *new)):
        before, after = old.get(column) or "", new.get(column) or ""
        if before == after or column == excerpt.VERSION:
            continue
        shown, place = str(folder / name), f"row {number}, column {column}"
        if column == "origin_sha256":
            what = f"the original {key[0]} is not the imported file: its SHA-256 was {before}, is {after}"
            yield Problem(shown, place, what, "Name the commit of origin.yaml.", RULE)
        else:
            yield Problem(shown, place, f"was {_quote(before)}, is {_quote(after)}", REMEDY, RULE)


def _quote(text: str) -> str:
    return repr(text) if text else "empty"


def _compare_files(folder: Path, made: Mapping[str, bytes]) -> Iterator[Problem]:
    """Tell the first line of each file that is not what it would be made of now; cells are all the same here."""
    for name, data in made.items():
        path = folder / name
        stored = path.read_bytes() if path.is_file() else b""
        if stored == data:
            continue
        pairs = zip_longest(stored.split(b"\n"), data.split(b"\n"), fillvalue=b"")
        line, before, after = next((number, a, b) for number, (a, b) in enumerate(pairs, 1) if a != b)
        what = f"was {_quote(before.decode(errors='replace'))}, is {_quote(after.decode(errors='replace'))}"
        remedy = f"Run ioledger import again; {name} is generated; do not edit it."
        yield Problem(str(path), str(line), what, remedy, RULE)
