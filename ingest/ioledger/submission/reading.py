"""
All submissions of a folder, each from what is kept of it or made anew, and what is wrong with them.

Of one that is made anew only those files are read that have changed. Many are shared among processes; what is made of
one is kept at once, so that a run which is interrupted goes on where it was. No process holds more than one submission.
"""

from __future__ import annotations

import os
import time
from functools import cache, partial
from typing import TYPE_CHECKING, NamedTuple

import msgspec

from ioledger.loading.worker_pool import in_turn
from ioledger.submission import duplicates, listing
from ioledger.submission.gather import gather_one
from ioledger.submission.kept import Kept, Rows, at_hand
from ioledger.submission.manifest import ACTIVE, NAME, load_manifest, state_problems
from ioledger.submission.rows import rows_of
from ioledger.system import garbage

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence
    from pathlib import Path

    from ioledger.problems import Problem
    from ioledger.submission.duplicates import Seen
    from ioledger.submission.files import Gathered
    from ioledger.submission.manifest import Submission
    from ioledger.submission.readings import Readings

POOL_FILES = 5_000
"""Below this many files to be read starting processes costs more than it saves."""
SAY_SECONDS = 5.0


class Folder(NamedTuple):
    """A folder to be read: where it is, how messages name it, what it holds, and the key of what is kept of it."""

    path: Path
    shown: str
    files: int
    manifest: str
    """What the manifest holds, as a listing tells it."""
    key: str
    listing: bytes
    """All that it holds, packed: of a million files they are all here at once."""


class Everything(NamedTuple):
    """The rows of every submission in order, what is wrong, how many were made anew, and the files read for that."""

    rows: list[Rows]
    problems: list[Problem]
    read_folders: int
    read_files: int
    spoilt: list[str]
    """Submissions of which what was kept was no good."""


class _Made(NamedTuple):
    """What was made of a folder anew: its rows, what is wrong with it, and what became of the readings of its files."""

    rows: Rows | None
    problems: list[Problem]
    read_files: int
    is_spoilt: bool


class Progress:
    """Says how far the reading is: rate and time left."""

    def __init__(self, say: Callable[[str], None], files: int, folders: int) -> None:
        """Take what prints a line, and how much there is to read."""
        self.say, self.files, self.folders = say, files, folders
        self.done = self.done_folders = 0
        self.begun = self.said = time.monotonic()

    def add(self, folder: Folder) -> None:
        """Count a folder that was read; say how far all is, not too often."""
        self.done, self.done_folders, now = self.done + folder.files, self.done_folders + 1, time.monotonic()
        if now - self.said >= SAY_SECONDS and self.done < self.files:
            rate, self.said = self.done / (now - self.begun), now
            far = f"{self.done_folders:,} of {self.folders:,} submissions, {self.done:,} of {self.files:,} files"
            self.say(f"    {far}, {rate:,.0f} files/s, {(self.files - self.done) / rate:,.0f} s left")


def listed(data: Path, kept: Kept, shown: Callable[[Path], str] = str) -> list[Folder]:
    """Return the folders of submissions below ``data``, sorted; ``shown`` turns one into the name that messages use."""
    return [
        Folder(
            *(data / name, shown(data / name), len(held), held.get(NAME, ""), kept.key(name, held)),
            listing=msgspec.msgpack.encode({listing.as_text(path): held[path] for path in held}),
        )
        for name, held in listing.listings(data)
    ]


def read(
    folders: Sequence[Folder],
    kept: Kept,
    say: Callable[[str], None],
    others: Seen = duplicates.NOTHING,
    *,
    anew: bool = False,
) -> Everything:
    """
    Return the rows of every submission, kept or read anew, and what is wrong with them and between them.

    ``say`` prints a line of progress; ``others`` are submissions that stand beside them and need not be read. With
    ``anew`` all are read, whatever git says of them, and what is kept of one and is not the same is spoilt.
    """
    found = {folder.path.name: kept.load(folder.path.name, folder.key) for folder in folders}
    before = {each.key: kept.seal(each.key) for each in folders if anew and found[each.path.name]}
    fresh = [folder for folder in folders if anew or found[folder.path.name] is None]
    count = sum(folder.files for folder in fresh)
    problems: list[Problem] = []
    progress, read_files = Progress(say, count, len(fresh)), 0
    for folder, made in zip(fresh, _read(fresh, kept, count, anew=anew), strict=True):
        problems += made.problems
        found[folder.path.name] = made.rows
        read_files += made.read_files
        if made.is_spoilt or before.get(folder.key, kept.seal(folder.key)) != kept.seal(folder.key):
            kept.spoilt.append(folder.path.name)
        progress.add(folder)
    whole = [rows for rows in found.values() if rows is not None]
    problems += _between(whole, folders, others)
    return Everything(whole, sorted(problems), len(fresh), read_files, sorted(set(kept.spoilt)))


def _read(folders: Sequence[Folder], kept: Kept, files: int, *, anew: bool) -> Iterator[_Made]:
    """Read folders, each in a process of several where there is much to read; give what was made of them."""
    processes = min(os.cpu_count() or 1, len(folders)) if files >= POOL_FILES else 1
    if processes == 1:
        yield from map(partial(_read_one, kept, anew=anew), folders)
        return
    work = partial(_read_away, kept, anew=anew)
    for folder, made in zip(folders, in_turn(work, folders, processes), strict=True):
        yield made._replace(rows=made.rows or kept.load(folder.path.name, folder.key))


def _read_away(kept: Kept, folder: Folder, *, anew: bool) -> _Made:
    """Read a folder in another process; what is kept of it need not come back through a pipe."""
    made = _read_one(kept, folder, anew=anew)
    return made._replace(rows=None) if made.rows is not None and made.rows.tables else made


def _read_one(kept: Kept, folder: Folder, *, anew: bool) -> _Made:
    """Read what has changed of a folder, and keep what was made where nothing is wrong with it."""
    held = msgspec.msgpack.decode(folder.listing, type=dict[str, str])
    with garbage.left():  # until all that was made on the way is gone: collecting looks at what is left
        return _made(kept, folder, kept.readings(folder.path.name, held, anew=anew))


def _made(kept: Kept, folder: Folder, readings: Readings) -> _Made:
    gathered = gather_one(folder.path, folder.shown, readings)
    if not gathered.submissions:
        return _Made(None, gathered.problems, 0, readings.is_spoilt)
    readings.save()
    return _Made(*_kept(kept, folder, gathered), readings.read_count, readings.is_spoilt)


def _kept(kept: Kept, folder: Folder, gathered: Gathered) -> tuple[Rows, list[Problem]]:
    """Make the rows of a folder, and keep them where nothing is wrong with it."""
    submission = gathered.submissions[0]
    held = at_hand(duplicates.packed(duplicates.held(gathered.files)))
    try:
        manifest = (folder.path / NAME).read_bytes()
    except OSError:
        manifest = b""
    tools = sorted({read.reading.tool for read in gathered.files if read.reading is not None})
    about = (submission.id, submission.status, duplicates.sha256(manifest), len(gathered.files), tools)
    if gathered.problems:
        return Rows(*about, tables={}, held=held), gathered.problems
    rows = Rows(*about, tables=rows_of(gathered), held=held)
    if listing.same_bytes(folder.manifest, manifest):  # else git did not see a change, or it came meanwhile
        kept.save(folder.key, rows)
    else:
        kept.forget(folder.key)
    return rows, []


def _between(rows: Sequence[Rows], folders: Sequence[Folder], others: Seen) -> Iterator[Problem]:
    """Report what is wrong between submissions: files and runs that stand twice, states that lead nowhere."""
    by_name = {folder.path.name: folder for folder in folders}

    @cache
    def submission(name: str) -> Submission:
        folder = by_name[name]
        loaded, _ = load_manifest(folder.path, folder.shown)
        assert loaded is not None, name  # noqa: S101  (it was loaded before)
        return loaded

    states = {each.submission_id: each.status for each in rows}
    suspects = duplicates.suspects(each.held for each in rows)
    yield from duplicates.repeated(duplicates.unpacked(suspects), submission, states, others)
    stated = [submission(name) for name, status in states.items() if status != ACTIVE]
    yield from state_problems(stated, others.states | states)
