"""
The build, from raw files to the finished site and database.

Everything is made in a directory of its own and takes the place of ``build/`` and ``dist/`` only when all of it has
succeeded; a build that fails leaves both as they were.
"""

from __future__ import annotations

import json
import subprocess
import time
from contextlib import contextmanager
from typing import TYPE_CHECKING

from ioledger.build import expect, lineage, models, publish
from ioledger.problems import Problem
from ioledger.submission import duplicates
from ioledger.submission.gather import folders, gather, shown
from ioledger.submission.rows import raw_tables
from ioledger.system import interrupts, scratch
from ioledger.system.programs import run, tail
from ioledger.tables import store
from ioledger.tables.schema import ROOT

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path


SITE_LOG = "site.log"
"""What the site's framework printed, among it every file that it took from its cache or ran a loader for."""


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


def build(data: Path, say: Callable[[str], None], *, site: bool = True) -> list[Problem]:
    """
    Build everything from the submissions in ``data``; return what is wrong (nothing is replaced then).

    ``say`` prints a line of progress. Without ``site`` only ``build/`` is made, which takes seconds.
    """
    with scratch.folder(ROOT) as folder:
        made, dist = folder / "build", folder / "dist"
        made.mkdir()
        with models.Dbt(made) as dbt:
            problems = _make(data, made, Stages(say), dbt, dist if site else None)
        if not problems:
            with interrupts.held():  # both or none
                _take_place(made, ROOT / "build")
                if site:
                    _take_place(dist, ROOT / "dist")
    return problems


def _make(data: Path, made: Path, stages: Stages, dbt: models.Dbt, dist: Path | None) -> list[Problem]:
    with stages.stage("read"):
        gathered = gather(folders(data), shown)
        stages.found = f"{len(gathered.submissions)} submissions, {len(gathered.files)} files"
    if gathered.problems:
        return gathered.problems
    with stages.stage("tables"):
        built, problems = raw_tables(gathered)
        duplicates.write_seen(gathered, made / duplicates.PLACE)
        stages.found = f"{built['results'].num_rows:,} results in {len(built)} tables"
    if problems:
        return problems
    with stages.stage("expectations"):
        records, problems, findings = expect.run(built)
        built["findings"] = store.extended("findings", built["findings"], findings)
        values = sum(record["row_count"] for record in records)
        stages.found = f"{len(records)} expectations, {values:,} values, {len(findings)} warnings"
    if problems:
        return problems
    (made / "checks.json").write_text(json.dumps(records, indent=1) + "\n", encoding="utf-8")
    with stages.stage("models"):
        derived, problems, stages.found = models.build(dbt, built, documents=dist is not None)
    if problems:
        return problems
    with stages.stage("publish"):
        manifest = publish.write(made, built, derived)
        stages.found = f"{len(manifest['files'])} Parquet files and ioledger.duckdb"
    if dist is None:
        return []
    with stages.stage("site"):
        problems, stages.found = _site(made, dist)
    return problems


def _site(made: Path, dist: Path) -> tuple[list[Problem], str]:
    """Build the static pages with Observable Framework."""
    framework = ROOT / "node_modules" / "@observablehq" / "framework" / "dist" / "bin" / "observable.js"
    command = ["node", str(framework), "build"]
    done = run(command, {"IOLEDGER_BUILD": str(made), "IOLEDGER_DIST": str(dist)})
    (made / SITE_LOG).write_text(done.stdout, encoding="utf-8")
    if done.returncode:
        remedy = "Look at the page or loader it names under site/."
        return [Problem("site", "", tail(done), remedy, "R-SITE-1")], ""
    lineage.publish(made / "dbt" / "static_index.html", dist)
    pages = sum(1 for _ in dist.rglob("*.html"))
    return [], f"{pages} pages"


def _take_place(new: Path, old: Path) -> None:
    """Put a finished directory where an older one stands, by renaming."""
    if old.exists():
        old.rename(new.with_name(new.name + "-replaced"))
    new.rename(old)


def preview() -> int:
    """Serve the pages with live reload, and the files beside them, until interrupted; return the exit code."""
    command = ["node", str(ROOT / "tools" / "preview.mjs")]
    return subprocess.run(command, cwd=ROOT, check=False).returncode  # noqa: S603
