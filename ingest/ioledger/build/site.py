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
from concurrent.futures import ThreadPoolExecutor, wait
from contextlib import ExitStack, contextmanager
from typing import TYPE_CHECKING, Self

from ioledger.build import lineage, pages
from ioledger.build.programs import kill, start_program, tail
from ioledger.problems import Problem
from ioledger.system import scratch
from ioledger.tables.schema import ROOT

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from concurrent.futures import Future
    from pathlib import Path

    from ioledger.workspace import Workspace

    Done = subprocess.CompletedProcess[str]

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
    """
    The pages of one build, from the start of the framework to the end.

    Use it with ``with``: no program and no scratch folder is left then. ``problems`` is what a page lacks; nothing is
    started where one does.
    """

    def __init__(self, data: Path, made: Path, dist: Path, *, anew: bool = False) -> None:
        """
        Take the folders: ``data`` has the submissions, ``made`` will have the database, and ``dist`` the pages.

        ``anew`` takes no frame that was kept.
        """
        self._brought, _, self.problems = pages.load_pages(ROOT / "site")
        self._data, self._made, self._dist = data, made, dist
        self.frame = "--new-frame" if anew else "--frame"
        self._open = ExitStack()
        self._log: list[str] = []

    def __enter__(self) -> Self:
        """Start the framework."""
        if not self.problems:
            self._dist.parent.mkdir(parents=True, exist_ok=True)
            self._aside = self._open.enter_context(scratch.folder(self._dist.parent))
            self._variables = _variables(self._data, self._made, self._dist, self._aside)
            self._framed = self._open.enter_context(_running([written(self._aside, self.frame)], self._variables))
        return self

    def __exit__(self, *error: object) -> None:
        """End what still runs."""
        self._open.close()

    def build(self, printed: Path | None = None) -> tuple[list[Problem], str]:
        """
        Complete the pages, now that the database is there; return what is wrong, and what was built in words.

        Where dbt has documented the models, the site has the lineage. What the programs print goes to ``printed``.
        """
        if self.problems:
            return self.problems, ""
        problems = self._run(_data(self._aside)) or self._report_failures(self._framed)
        problems = problems or self._run(_list_last_commands(self._aside, self._dist))
        if printed:
            printed.write_text("".join(self._log), encoding="utf-8")
        if problems:
            return problems, ""
        _merge(self._aside / "public", self._dist)
        if lineage.is_documented(self._made / "dbt"):
            lineage.publish(self._made / "dbt", self._dist, self._brought)
        count = sum(1 for _ in self._dist.rglob("*.html"))
        return [], f"{count:,} pages"

    def _run(self, commands: list[list[str]]) -> list[Problem]:
        """Run programs at the same time; return a problem for each that failed."""
        with _running(commands, self._variables) as ended:
            return self._report_failures(ended)

    def _report_failures(self, ended: Iterable[Future[Done]]) -> list[Problem]:
        """Wait for programs; return a problem for each that failed, and add what they printed to the log."""
        problems = []
        for each in ended:
            done = each.result()
            self._log.append(done.stdout + done.stderr)
            if done.returncode:
                remedy = "Look at the page, query or script it names under site/."
                problems.append(Problem("site", "", _reason(done.stderr) or tail(done), remedy, RULE))
        return problems


@contextmanager
def _running(commands: list[list[str]], environment: dict[str, str]) -> Iterator[list[Future[Done]]]:
    """Start programs at the same time, and give how each will have ended; all are ended when the block is left."""
    with ExitStack() as stack:
        pool = stack.enter_context(ThreadPoolExecutor(len(commands)))  # left last: its threads end with the programs
        programs = [stack.enter_context(start_program(command, environment)) for command in commands]
        ended = [pool.submit(_wait_for, command, program) for command, program in zip(commands, programs, strict=True)]
        try:
            yield ended
        finally:
            for program in programs:
                kill(program)
            wait(ended)  # a program has one reader


def _wait_for(command: list[str], program: subprocess.Popen[str]) -> Done:
    said, told = program.communicate()
    return subprocess.CompletedProcess(command, program.returncode, said, told)


def written(aside: Path, part: str) -> list[str]:
    """Return the command that writes a part of what the site is made of into a scratch folder."""
    return [sys.executable, str(ROOT / "site" / "data" / "write.py"), str(aside), part]


def _data(aside: Path) -> list[list[str]]:
    """Return the commands that read the database, for pages, machines and number pages; and what packs the reader."""
    reader = ["node", str(READER), str(aside / "public")]
    return [*(written(aside, part) for part in ("--pages", "--machine", "--numbers")), reader]


def _list_last_commands(aside: Path, dist: Path) -> list[list[str]]:
    """Return the commands that run at the same time at the end: pages drawn, number pages, the picture of links."""
    public = aside / "public"
    return [
        ["node", str(FINISH), str(aside), str(dist)],
        ["node", str(NUMBERS), str(aside / "numbers"), str(public)],
        ["node", str(CARD), str(public / "data" / "card.json"), str(public / "card.png")],
    ]


def _reason(told: str) -> str:
    """Return the line with which a program says what failed, without the stack of calls around it; empty if none."""
    lines = [line.strip() for line in told.splitlines()]
    return next((line for line in lines if REASON.match(line)), "")


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
    with scratch.folder(place.folder) as aside:
        environment = {**os.environ, **_variables(place.data, place.build, place.dist, aside)}
        return subprocess.run(command, cwd=ROOT, env=environment, check=False).returncode  # noqa: S603


def _variables(data: Path, made: Path, dist: Path, aside: Path) -> dict[str, str]:
    """Return the folders of a build as the programs that make the pages are told them."""
    folders = {"DATA": data, "BUILD": made, "DIST": dist, "SCRATCH": aside}
    return {f"IOLEDGER_{name}": str(folder.absolute()) for name, folder in folders.items()}
