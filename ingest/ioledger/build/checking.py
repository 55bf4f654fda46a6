"""Submissions checked without building: what ``ioledger check`` does."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ioledger.submission import duplicates
from ioledger.submission.gather import folders, gather, shown
from ioledger.submission.rows import raw_tables

if TYPE_CHECKING:
    from pathlib import Path

    from ioledger.problems import Problem


def check(
    paths: tuple[Path, ...], data: Path, *, beliefs: bool = False, built: Path | None = None
) -> tuple[int, list[Problem]]:
    """
    Return how many submissions were checked and what is wrong with them, all problems at once.

    Without paths every folder under ``data`` is checked. Paths are checked together with the other folders of
    ``data``, so that a file which stands in two submissions is found; only problems of the given paths are returned.
    Each is checked once, however often and in whatever spelling it is named. What the last build left of the other
    folders in ``built`` (default: in ``build/`` beside ``data``) is not read again. With ``beliefs`` the expectations
    are run too.
    """
    wanted = list(dict.fromkeys(path.resolve() for path in paths)) or folders(data)
    beside = folders(data) if paths and data.is_dir() else []
    others = [folder for folder in beside if folder.resolve() not in wanted]
    last = built or data.parent / "build" / duplicates.PLACE
    seen = duplicates.load_seen(others, last) if others else duplicates.NOTHING
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
