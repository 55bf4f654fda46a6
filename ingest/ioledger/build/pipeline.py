"""
The build, from the raw files of a workspace to its finished site and database.

Everything is made in a directory of its own and takes the place of ``build/`` and ``dist/`` only when all of it has
succeeded; a build that fails leaves both as they were. Models and pages are those of the code, wherever the work lies.
"""

from __future__ import annotations

import json
import time
from contextlib import contextmanager, nullcontext
from typing import TYPE_CHECKING

from ioledger.build import (
    Inputs,
    base,
    checking,
    database_inputs,
    last_inputs,
    models,
    publish,
    record_inputs,
    site_inputs,
)
from ioledger.build.site import LINEAGE, SITE_CODE, SITE_LOG, Site, is_documented
from ioledger.problems import Problem
from ioledger.submission.files import ReadingCache
from ioledger.submission.gather import folders, folders_by_age, gather_one, name_folder, summary, without_copies
from ioledger.submission.rows import rows_of, together
from ioledger.system import finish_replacement, name_place, replace_folders, scratch_folder, sweep
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
    where the code has no pages, only ``build/`` is made, which takes seconds. Cached readings are used, and what
    nothing has changed for is not made again, unless ``full_check`` asks for all of it.
    """
    folder = data or place.data
    has_site = site and under is None and SITE_CODE.is_file()
    if problems := check_place(place, folder, has_site=has_site):
        return problems
    finish_replacement(place.folder)
    stages = Stages(say)
    with stages.stage("look"):
        database = database_inputs(folder, under.sha256 if under else None)
        made_from = Inputs(database, site_inputs(database) if has_site else None)
        last = None if full_check else last_inputs(place)
        is_made = last and last.database == database and (is_documented(place.build / "dbt") or not has_site)
        is_drawn = is_made and last == made_from and (place.dist / LINEAGE).is_file()
        needs_tables, needs_site = not is_made, has_site and not is_drawn
        unchanged = [place.build.name] * (not needs_tables) + [place.dist.name] * (has_site and not needs_site)
        stages.found = f"{len(folders(folder)):,} submissions"
        stages.found += f"; {'/ and '.join(unchanged)}/ unchanged" if unchanged else ""
    if not (needs_tables or needs_site):
        sweep(place.folder)
        return []
    cache = ReadingCache(place.folder, is_read=not full_check)
    with scratch_folder(place.folder) as aside, name_place(place.folder):
        ready = aside / "ready"
        ready.mkdir()
        made, dist = ready / place.build.name, ready / place.dist.name
        tables = made if needs_tables else place.build
        with Site(folder, tables, dist, anew=full_check) if needs_site else nullcontext() as pages:
            problems = pages.problems if pages else []
            if needs_tables and not problems:
                made.mkdir()
                with models.Dbt(made, place.build) as dbt:
                    built, problems = _tables(folder, cache, under, made, stages)
                    problems = problems or _model_and_publish(built, dbt, made, stages, documents=has_site)
            if pages and not problems:
                with stages.stage("site"):
                    problems, stages.found = pages.build(tables / SITE_LOG)
        if not problems:
            with record_inputs(place, made_from, aside):
                replace_folders(ready, place.folder)
            if needs_tables:
                cache.remove_unused()
    return problems


def check_place(place: Workspace, data: Path, *, has_site: bool) -> list[Problem]:
    """Return why a workspace is not to be built from this folder of submissions, by whatever engine."""
    problems = []
    if not data.is_relative_to(place.folder):
        what, remedy = f"it is outside of the workspace {place.folder}", f"Name its own: --workspace {data.parent}."
        problems.append(Problem(str(data), "", what, remedy, "R-WORKSPACE-1"))
    elif replaced := [made for made in (place.build, place.dist) if data.is_relative_to(made)]:
        what, remedy = f"it is inside {replaced[0]}, which a build replaces", "Move it, or name another --data."
        problems.append(Problem(str(data), "", what, remedy, "R-WORKSPACE-1"))
    elif not data.is_dir() or not folders(data):
        remedy = "Make one with ioledger add, or name your workspace: --workspace."
        problems.append(Problem(str(data), "", "there is no submission", remedy, "R-WORKSPACE-2"))
    for made, mark in ((place.build, place.database.name), (place.dist, LINEAGE))[: 1 + has_site]:
        is_empty = made.is_dir() and not any(made.iterdir())
        if made.exists() and not (place.is_checkout or is_empty or (made / mark).is_file()):
            what, remedy = "a build would replace it, but no build made it", "Move it, or name another --workspace."
            problems.append(Problem(str(made), "", what, remedy, "R-WORKSPACE-3"))
    return problems


def _tables(
    data: Path, cache: ReadingCache, under: Base | None, made: Path, stages: Stages
) -> tuple[dict[str, pa.Table], list[Problem]]:
    """Read the submissions; return every raw table, with the rows of the base, and what is wrong with them."""
    with stages.stage("read"):
        rows: dict[str, dict[str, pa.Table]] = {}
        read = []
        for folder in folders_by_age(data):
            found = gather_one(folder, name_folder(folder), cache)
            rows |= {} if found.problems else {each.id: rows_of(found) for each in found.submissions}
            read.append(summary(found))
        gathered, left_out = without_copies(read, under.states() if under else {})
        stages.found = f"{cache.read_count:,} files; {cache.cached_count:,} unchanged since they were read"
    for name, copied in left_out.items():
        stages.say(f"  left out: {name}, {len(copied)} of its files or runs are in another: {next(iter(copied))}")
    if gathered.problems:
        return {}, gathered.problems
    with stages.stage("tables"):
        built, problems = together([rows[each.id] for each in gathered.submissions])
        stages.found = f"{built['results'].num_rows:,} results in {len(built)} tables"
    if problems:
        return {}, problems
    problems = check_tables(built, made, stages)
    if problems or under is None:
        return built, problems
    with stages.stage("base"):
        both, problems, replaced = base.lay_under(built, under)
        (made / "base.json").write_text(json.dumps({"sha256": under.sha256}) + "\n", encoding="utf-8")
        took = f"; yours replace {', '.join(replaced)}" if replaced else ""
        stages.found = f"{under.tables['submissions'].num_rows} published submissions{took}"
    return both, problems


def check_tables(built: dict[str, pa.Table], made: Path, stages: Stages) -> list[Problem]:
    """Ask the expectations of raw tables, and add what they warn of; their records go to a build's folder ``made``."""
    with stages.stage("expectations"):
        records, problems, findings = checking.run_suites(built)
        built["findings"] = store.extend_table("findings", built["findings"], findings)
        values = sum(record["row_count"] for record in records)
        stages.found = f"{len(records)} expectations, {values:,} values, {len(findings)} warnings"
    (made / "checks.json").write_text(json.dumps(records, indent=1) + "\n", encoding="utf-8")
    return problems


def _model_and_publish(
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
