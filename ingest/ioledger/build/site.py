"""
The pages of a build: their frame, by the framework; what they show, from the database; then drawn, number pages beside.

The frame needs nothing of the database and takes one processor for 15 seconds, so a build starts it first and reads
files meanwhile. Source tree and data are made in a scratch folder beside the site, so that two builds never share one.
Between builds the packages that the browser loads are kept (``tools/hermetic.mjs``), the reader of the page "Compare
your own result" (``tools/reader.mjs``), and the frame, which is taken while its sources are the same
(``site/data/frame.py``).
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from contextlib import ExitStack
from typing import TYPE_CHECKING, Self

from ioledger.build import lineage, pages
from ioledger.build.programs import start_program, tail
from ioledger.problems import Problem
from ioledger.system import scratch_folder
from ioledger.tables.schema import ROOT

if TYPE_CHECKING:
    from pathlib import Path

    from ioledger.workspace import Workspace

SITE_CODE = ROOT / "observablehq.config.js"
SITE_LOG = "site.log"
"""What the programs that make the pages printed."""
RULE = "R-SITE-1"
FRAMEWORK = ROOT / "node_modules" / "@observablehq" / "framework" / "dist" / "bin" / "observable.js"
REASON = re.compile(r"site/\S+: |site/\S+ line \d+: |(Unexpected |\w*)[Ee]rror: ")
NUMBERS = ROOT / "site" / "numbers" / "write.mjs"
CARD = ROOT / "tools" / "card.mjs"
FINISH = ROOT / "tools" / "finish.mjs"
READER = ROOT / "tools" / "reader.mjs"


class Site:
    """The pages of one build, from the start of the framework to the end."""

    def __init__(self, data: Path, made: Path, dist: Path, *, anew: bool = False) -> None:
        """Take the folders: ``data`` has the submissions, ``made`` will have the database, and ``dist`` the pages."""
        self._brought, _, self.problems = pages.load_pages(ROOT / "site")
        self._data, self._made, self._dist = data, made, dist
        self.frame = "--new-frame" if anew else "--frame"
        self._open = ExitStack()
        self._log: list[str] = []

    def __enter__(self) -> Self:
        """Start the framework."""
        if not self.problems:
            self._dist.parent.mkdir(parents=True, exist_ok=True)
            self._aside = self._open.enter_context(scratch_folder(self._dist.parent))
            self._variables = _variables(self._data, self._made, self._dist, self._aside)
            self._framed = self._start([written(self._aside, self.frame)])
        return self

    def __exit__(self, *error: object) -> None:
        """End what still runs."""
        self._open.close()

    def build(self, printed: Path | None = None) -> tuple[list[Problem], str]:
        """Complete the pages, now that the database is there; return what is wrong, and what was built in words."""
        if self.problems:
            return self.problems, ""
        public = self._aside / "public"
        rows = [written(self._aside, part) for part in ("--pages", "--machine", "--numbers")]
        reader = ["node", str(READER), str(public)]
        drawn = ["node", str(FINISH), str(self._aside), str(self._dist)]
        numbers = ["node", str(NUMBERS), str(self._aside / "numbers"), str(public)]
        card = ["node", str(CARD), str(public / "data" / "card.json"), str(public / "card.png")]
        problems = self._wait(self._start([*rows, reader])) or self._wait(self._framed)
        if not problems:
            last = self._start([drawn, numbers, card])
            if lineage.is_documented(self._made / "dbt"):
                lineage.publish(self._made / "dbt", self._dist, self._brought)
            problems = self._wait(last)
        if printed:
            printed.write_text("".join(self._log), encoding="utf-8")
        if problems:
            return problems, ""
        _merge(public, self._dist)
        count = sum(1 for _ in self._dist.rglob("*.html"))
        return [], f"{count:,} pages"

    def _start(self, commands: list[list[str]]) -> list[subprocess.Popen[str]]:
        """Start programs, which run at the same time and end with the site at the latest."""
        return [self._open.enter_context(start_program(command, self._variables)) for command in commands]

    def _wait(self, programs: list[subprocess.Popen[str]]) -> list[Problem]:
        """Wait for programs; return a problem for each that failed, and add what they printed to the log."""
        problems = []
        for program in programs:
            said, told = program.communicate()
            self._log.append(said + told)
            if program.returncode:
                lines = [line.strip() for line in told.splitlines()]
                reason = next((line for line in lines if REASON.match(line)), "")  # not the stack of calls around it
                what = reason or tail(f"{said}\n{told}", program.returncode)
                remedy = "Look at the page, query or script it names under site/."
                problems.append(Problem("site", "", what, remedy, RULE))
        return problems


def written(aside: Path, part: str) -> list[str]:
    """Return the command that writes a part of what the site is made of into a scratch folder."""
    return [sys.executable, str(ROOT / "site" / "data" / "write.py"), str(aside), part]


def _merge(public: Path, dist: Path) -> None:
    """Move what is served as it is beside the pages; both lie on one disk."""
    for path in sorted(public.iterdir()):
        place = dist / path.name
        if path.is_dir() and place.is_dir():
            _merge(path, place)
        else:
            shutil.move(path, place)


def preview(place: Workspace) -> int:
    """Serve the pages with live reload, and the files beside them, until interrupted; return the exit code."""
    command = ["node", str(ROOT / "tools" / "preview.mjs")]
    with scratch_folder(place.folder) as aside:
        environment = {**os.environ, **_variables(place.data, place.build, place.dist, aside)}
        return subprocess.run(command, cwd=ROOT, env=environment, check=False).returncode  # noqa: S603


def _variables(data: Path, made: Path, dist: Path, aside: Path) -> dict[str, str]:
    """Return the folders of a build as the programs that make the pages are told them."""
    folders = {"DATA": data, "BUILD": made, "DIST": dist, "SCRATCH": aside}
    return {f"IOLEDGER_{name}": str(folder.absolute()) for name, folder in folders.items()}
