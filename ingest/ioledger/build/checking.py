"""Submissions checked without building: what ``ioledger check`` does."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from ioledger.submission.files import PLACE, ReadingCache
from ioledger.submission.gather import folders, gather_one, shown, without_copies
from ioledger.submission.rows import raw_tables
from ioledger.submission.warnings import private_warnings, reading_warnings, table_warnings

if TYPE_CHECKING:
    from pathlib import Path

    from ioledger.problems import Problem


class Checked(NamedTuple):
    """How many submissions were checked, what is wrong with them, and what their submitters should look at."""

    checked: int
    problems: list[Problem]
    warnings: list[Problem]


def check(
    paths: tuple[Path, ...],
    data: Path,
    *,
    plausibility: bool = False,
    replaced: str | None = None,
) -> Checked:
    """
    Check submissions beside the others of ``data``, by default all: problems, and what is doubtful.

    Messages name ``replaced``, whose place a folder takes.
    """
    wanted = list(dict.fromkeys(path.resolve() for path in paths)) or folders(data)
    beside = folders(data) if paths and data.is_dir() else []
    others = [folder for folder in beside if folder.resolve() not in wanted and folder.name != replaced]
    names = {folder: replaced or shown(folder) for folder in wanted}
    cache = ReadingCache(data.parent if (data.parent / PLACE).is_dir() else None)  # that of the last build
    parts = [gather_one(folder, names.get(folder, folder.name), cache) for folder in (*others, *wanted)]
    gathered, left_out = without_copies(parts)
    every = sorted([*gathered.problems, *(problem for found in left_out.values() for problem in found)])
    mine = tuple(names.values())
    problems = [p for p in every if any(p.file == name or p.file.startswith(f"{name}/") for name in mine)]
    own = [each for each in gathered.submissions if each.shown in mine]
    warnings: list[Problem] = []
    if not problems:
        found, problems = raw_tables(gathered)
        if plausibility and not problems:
            from ioledger.build import expect  # noqa: PLC0415  (Great Expectations takes seconds to load)

            _, problems, findings = expect.run(found)
            warnings += table_warnings(findings, {each.id: each.shown for each in own})
    for each in own:
        reads = [read for read in gathered.files if read.submission_id == each.id]
        warnings += [*private_warnings(each), *reading_warnings(each, reads)]
    return Checked(len(wanted), problems, sorted(warnings))
