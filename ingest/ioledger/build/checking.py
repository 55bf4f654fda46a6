"""Submissions checked without building: what ``ioledger check`` does."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ioledger.submission import duplicates
from ioledger.submission.gather import folders, gather, shown
from ioledger.submission.rows import raw_tables
from ioledger.tables.schema import ROOT

if TYPE_CHECKING:
    from pathlib import Path

    from ioledger.problems import Problem

DATA = ROOT / "data"


def check(
    paths: tuple[Path, ...], data: Path = DATA, *, beliefs: bool = False, built: Path = duplicates.BUILT
) -> tuple[int, list[Problem]]:
    """
    Return how many submissions were checked and what is wrong with them, all problems at once.

    Without paths every folder under ``data`` is checked. Paths are checked together with the other folders of
    ``data``, so that a file which stands in two submissions is found; only problems of the given paths are returned.
    Each is checked once, however often and in whatever spelling it is named. What the last build left in ``built`` of
    the other folders is not read again. With ``beliefs`` the expectations are run too.
    """
    wanted = list(dict.fromkeys(path.resolve() for path in paths)) or folders(data)
    others = [folder for folder in folders(data) if folder.resolve() not in wanted] if paths else []
    seen = duplicates.load_seen(others, built) if others else duplicates.NOTHING
    unread = [folder for folder in others if folder.name not in seen.states]
    names = {folder: shown(folder) for folder in wanted}
    gathered = gather([*unread, *wanted], lambda folder: names.get(folder, folder.name), others=seen)
    mine = tuple(names.values())
    problems = [p for p in gathered.problems if any(p.file == name or p.file.startswith(f"{name}/") for name in mine)]
    if not problems:
        found, problems = raw_tables(gathered)
        if beliefs and not problems:
            from ioledger.build import expect  # noqa: PLC0415  (Great Expectations takes seconds to load)

            problems = expect.run(found).problems
    return len(wanted), problems
