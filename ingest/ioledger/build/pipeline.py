"""
The build, from the raw files of a workspace to its finished site and database.

Everything is made in a directory of its own and takes the place of ``build/`` and ``dist/`` only when all of it has
succeeded; a build that fails leaves both as they were. Models and pages are those of the code, wherever the work lies.
"""

from __future__ import annotations

import json
import time
from contextlib import contextmanager
from typing import TYPE_CHECKING

from ioledger.build import base, expect, lineage, models, publish
from ioledger.build.site import SITE_CODE, SITE_LOG, build_site
from ioledger.problems import Problem
from ioledger.submission import duplicates
from ioledger.submission.gather import folders, gather, shown
from ioledger.submission.rows import raw_tables
from ioledger.system import ending, scratch
from ioledger.tables import store

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

    import pyarrow as pa

    from ioledger.build.base import Base
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


def build(
    place: Workspace,
    say: Callable[[str], None],
    *,
    data: Path | None = None,
    under: Base | None = None,
    site: bool = True,
) -> list[Problem]:
    """
    Build everything from the submissions in a workspace; return what is wrong (nothing is replaced then).

    ``say`` prints a line of progress. ``data`` is another folder of the workspace than its ``data/``. ``under`` is a
    released database, whose rows stand beside one's own. Without ``site``, with a base (it has no raw files), and
    where the code has no pages, only ``build/`` is made, which takes seconds.
    """
    folder = data or place.data
    has_site = site and under is None and SITE_CODE.is_file()
    if problems := [*_misplaced(folder, place), *_strange(place, has_site=has_site)]:
        return problems
    with scratch.folder(place.folder) as aside:
        made, dist = aside / "build", aside / "dist"
        made.mkdir()
        with models.Dbt(made, place.build) as dbt:
            stages = Stages(say)
            built, problems = _tables(folder, made, stages, under)
            if not problems:
                problems = _published(built, dbt, made, stages, documents=has_site)
        if has_site and not problems:
            with stages.stage("site"):
                problems, stages.found = build_site(folder, made, dist, made / SITE_LOG)
        if not problems:
            with ending.held():  # both or none
                _take_place(made, place.build)
                if has_site:
                    _take_place(dist, place.dist)
    return problems


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


def _tables(data: Path, made: Path, stages: Stages, under: Base | None) -> tuple[dict[str, pa.Table], list[Problem]]:
    """Read the submissions; return every raw table, with the rows of the base, and what is wrong with them."""
    with stages.stage("read"):
        gathered = gather(folders(data), shown, others=under.seen() if under else duplicates.NOTHING)
        stages.found = f"{len(gathered.submissions)} submissions, {len(gathered.files)} files"
    if gathered.problems:
        return {}, gathered.problems
    with stages.stage("tables"):
        built, problems = raw_tables(gathered)
        duplicates.write_seen(gathered, made / duplicates.PLACE)
        stages.found = f"{built['results'].num_rows:,} results in {len(built)} tables"
    if problems:
        return {}, problems
    with stages.stage("expectations"):
        records, problems, findings = expect.run(built)
        built["findings"] = store.extended("findings", built["findings"], findings)
        values = sum(record["row_count"] for record in records)
        stages.found = f"{len(records)} expectations, {values:,} values, {len(findings)} warnings"
    (made / "checks.json").write_text(json.dumps(records, indent=1) + "\n", encoding="utf-8")
    if problems or under is None:
        return built, problems
    with stages.stage("base"):
        both, problems, replaced = base.lay_under(built, under)
        (made / "base.json").write_text(json.dumps({"sha256": under.sha256}) + "\n", encoding="utf-8")
        took = f"; yours take the place of {', '.join(replaced)}" if replaced else ""
        stages.found = f"{under.tables['submissions'].num_rows} published submissions{took}"
    return both, problems


def _published(
    built: dict[str, pa.Table], dbt: models.Dbt, made: Path, stages: Stages, *, documents: bool
) -> list[Problem]:
    """Run the models on the raw tables and write every file of a build; return what failed."""
    with stages.stage("models"):
        derived, problems, stages.found = models.build(dbt, built, documents=documents)
    if not problems:
        with stages.stage("publish"):
            manifest = publish.write(made, built, derived)
            stages.found = f"{len(manifest['files'])} Parquet files and ioledger.duckdb"
    return problems


def _take_place(new: Path, old: Path) -> None:
    """Put a finished directory where an older one stands, by renaming."""
    if old.exists():
        old.rename(new.with_name(new.name + "-replaced"))
    new.rename(old)
