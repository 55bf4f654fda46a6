"""
The build, from the raw files of a workspace to its finished site and database.

Everything is made in a directory of its own and takes the place of ``build/`` and ``dist/`` only when all of it has
succeeded; a build that fails leaves both as they were. Models and pages are those of the code, wherever the work lies.
"""

from __future__ import annotations

import json
import time
from contextlib import contextmanager, nullcontext
from typing import TYPE_CHECKING, NamedTuple

from ioledger.build import base, expect, lineage, models, publish, unchanged
from ioledger.build.site import SITE_CODE, SITE_LOG, Site
from ioledger.problems import Problem
from ioledger.submission import duplicates, reading
from ioledger.submission.gather import folders, shown
from ioledger.submission.kept import Kept
from ioledger.submission.rows import together
from ioledger.system import ending, scratch, switch
from ioledger.tables import store

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence
    from pathlib import Path

    import pyarrow as pa

    from ioledger.build.base import Base
    from ioledger.submission.reading import Folder
    from ioledger.workspace import Workspace


class Stages:
    """Says what each stage did and how long it took, on one line each."""

    def __init__(self, say: Callable[[str], None]) -> None:
        """Take the function that prints a line."""
        self.say = say
        self.found = ""

    @contextmanager
    def stage(self, name: str) -> Iterator[None]:
        """Time a stage; what it found is whatever was put into ``found``."""
        started, self.found = time.monotonic(), ""
        yield
        self.say(f"  {name:<13}{self.found:<72}{time.monotonic() - started:>7.1f} s")


def build(  # noqa: PLR0913  (one for each choice)
    place: Workspace,
    say: Callable[[str], None],
    *,
    data: Path | None = None,
    under: Base | None = None,
    site: bool = True,
    full_check: bool = False,
) -> list[Problem]:
    """
    Build everything from the submissions in a workspace; return what is wrong (nothing is replaced then).

    ``say`` prints a line of progress. ``data`` is another folder of the workspace than its ``data/``. ``under`` is a
    released database, whose rows stand beside one's own. Without ``site``, with a base (it has no raw files), and
    where the code has no pages, only ``build/`` is made, which takes seconds. What was read of a
    submission is kept, and what nothing has changed for is not made again, unless ``full_check`` asks for all of it.
    """
    folder = data or place.data
    has_site = site and under is None and SITE_CODE.is_file()
    if problems := [*_misplaced(folder, place), *_strange(place, has_site=has_site)]:
        return problems
    switch.finish(place.folder)
    stages, kept = Stages(say), Kept(place.folder)
    with stages.stage("look"):
        given = _Given(reading.listed(folder, kept, shown), kept, under, full_check)
        todo = _todo(place, given, has_site=has_site)
        stages.found = todo.told
    if not (todo.tables or todo.site):
        scratch.sweep(place.folder)
        return []
    with scratch.folder(place.folder) as aside, ending.named(place.folder):
        ready = aside / "ready"
        made, dist = ready / place.build.name, ready / place.dist.name
        with Site(folder, made, dist, anew=full_check) if todo.site else nullcontext() as pages:
            problems = pages.problems if pages else []
            if todo.tables and not problems:
                problems = _made(place, made, stages, given, documents=has_site)
            if pages and not problems:
                with stages.stage("site"):
                    problems, stages.found = _site(place, pages, made)
        if not problems:
            unchanged.write(made, todo.inputs, is_documented=has_site, site=todo.site_inputs, dist=dist)
            switch.take(ready, place.folder)
            kept.tidy()
    return problems


class _Given(NamedTuple):
    """What a build is made of: folders, what is kept of them, a released database, and whether all is read anew."""

    folders: Sequence[Folder]
    kept: Kept
    under: Base | None
    anew: bool


class _Todo(NamedTuple):
    """What is to be made, what it is made of, and that in words; ``site_inputs`` is null where no site is wanted."""

    tables: bool
    site: bool
    inputs: str
    site_inputs: str | None
    told: str


def _todo(place: Workspace, given: _Given, *, has_site: bool) -> _Todo:
    """Say what of a build is not as its inputs ask for by now."""
    keys = {each.path.as_posix(): each.key for each in given.folders}
    inputs = unchanged.database_inputs(keys, given.under.sha256 if given.under else None)
    site_inputs = unchanged.site_inputs(inputs) if has_site else None
    last = None if given.anew else unchanged.last(place)
    is_made = last is not None and last.database == inputs and (last.is_documented or not has_site)
    is_drawn = is_made and last is not None and last.site == site_inputs and last.dist == unchanged.left(place.dist)
    told = f"{len(given.folders):,} submissions, {sum(each.files for each in given.folders):,} files"
    if given.anew:
        told += "; all made anew"
    elif is_made:
        names = [place.build.name, *([place.dist.name] if is_drawn and has_site else [])]
        told += f"; {'/ and '.join(names)}/ unchanged"
    return _Todo(not is_made, has_site and not is_drawn, inputs, site_inputs, told)


def _made(place: Workspace, made: Path, stages: Stages, given: _Given, *, documents: bool) -> list[Problem]:
    """Make all of ``build/`` aside; return what is wrong."""
    made.mkdir(parents=True)
    with models.Dbt(made, place.build) as dbt:
        built, problems = _tables(given, made, stages)
        return problems or _published(built, dbt, made, stages, documents=documents)


def _site(place: Workspace, pages: Site, made: Path) -> tuple[list[Problem], str]:
    """Complete the pages of the tables that were made, or of those that are there; return what is wrong, and words."""
    if not made.exists():
        unchanged.linked(place.build, made)
        (made / SITE_LOG).unlink(missing_ok=True)  # a name of the file that is there; it is not to be written over
        (made / unchanged.NAME).unlink()
    return pages.build(made / SITE_LOG)


def _misplaced(data: Path, place: Workspace) -> Iterator[Problem]:
    """Report a folder of submissions from which this workspace is not to be built."""
    if not data.is_relative_to(place.folder):
        what, remedy = f"it lies outside the workspace {place.folder}", f"Name its own: --workspace {data.parent}."
        yield Problem(str(data), "", what, remedy, "R-WORKSPACE-1")
    elif replaced := [made for made in (place.build, place.dist) if data.is_relative_to(made)]:
        what, remedy = f"it lies in {replaced[0]}, which a build replaces", "Move it, or name another --data."
        yield Problem(str(data), "", what, remedy, "R-WORKSPACE-1")
    elif not data.is_dir() or not folders(data):
        remedy = "Make one with ioledger add, or name the workspace where yours lie: --workspace."
        yield Problem(str(data), "", "there is no submission", remedy, "R-WORKSPACE-2")


def _strange(place: Workspace, *, has_site: bool) -> Iterator[Problem]:
    """Report what stands where a build would put its own, and is of somebody else: it would be lost."""
    for made, mark in ((place.build, place.database.name), (place.dist, lineage.PAGE))[: 1 + has_site]:
        is_empty = made.is_dir() and not any(made.iterdir())
        if made.exists() and not (place.is_checkout or is_empty or (made / mark).is_file()):
            what, remedy = "a build would replace it, and none made it", "Move it away, or name another --workspace."
            yield Problem(str(made), "", what, remedy, "R-WORKSPACE-3")


def _tables(given: _Given, made: Path, stages: Stages) -> tuple[dict[str, pa.Table], list[Problem]]:
    """Read the submissions; return every raw table, with the rows of the base, and what is wrong with them."""
    with stages.stage("read"):
        under = given.under
        others = under.seen() if under else duplicates.NOTHING
        found = reading.read(given.folders, given.kept, stages.say, others, anew=given.anew)
        stages.found = f"{found.read_files:,} files, for {found.read_folders:,} submissions; what is kept of the others"
        if found.spoilt:
            stages.say(f"    what was kept was no good, and is made anew: {', '.join(found.spoilt)}")
    if found.problems:
        return {}, found.problems
    with stages.stage("tables"):
        built, problems = together([rows.tables for rows in found.rows])
        states = {rows.submission_id: (rows.manifest_sha256, rows.status) for rows in found.rows}
        duplicates.write_held([rows.held() for rows in found.rows], states, made / duplicates.PLACE)
        stages.found = f"{built['results'].num_rows:,} results in {len(built)} tables"
    if problems:
        return {}, problems
    problems = believed(built, made, stages)
    if problems or under is None:
        return built, problems
    with stages.stage("base"):
        both, problems, replaced = base.lay_under(built, under)
        (made / "base.json").write_text(json.dumps({"sha256": under.sha256}) + "\n", encoding="utf-8")
        took = f"; yours take the place of {', '.join(replaced)}" if replaced else ""
        stages.found = f"{under.tables['submissions'].num_rows} published submissions{took}"
    return both, problems


def believed(built: dict[str, pa.Table], made: Path, stages: Stages) -> list[Problem]:
    """Ask the expectations of raw tables, and add what they warn of; their records go to a build's folder ``made``."""
    with stages.stage("expectations"):
        records, problems, findings = expect.run(built)
        built["findings"] = store.extended("findings", built["findings"], findings)
        values = sum(record["row_count"] for record in records)
        stages.found = f"{len(records)} expectations, {values:,} values, {len(findings)} warnings"
    (made / "checks.json").write_text(json.dumps(records, indent=1) + "\n", encoding="utf-8")
    return problems


def _published(
    built: dict[str, pa.Table], dbt: models.Dbt, made: Path, stages: Stages, *, documents: bool
) -> list[Problem]:
    """Run the models on the raw tables and write every file of a build; return what failed."""
    with stages.stage("models"):
        derived, problems, stages.found = models.build(dbt, built, documents=documents)
    if not problems:
        with stages.stage("publish"):
            manifest = publish.write(made, built, derived)
            stages.found = f"{len(manifest.files)} Parquet files and ioledger.duckdb"
    return problems


def refused(place: Workspace, data: Path, *, has_site: bool) -> list[Problem]:
    """Return why a workspace is not to be built from this folder of submissions, by whatever engine."""
    return [*_misplaced(data, place), *_strange(place, has_site=has_site)]
