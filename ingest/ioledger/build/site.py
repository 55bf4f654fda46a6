"""
The pages of a build: what they show, written in one pass; the framework; then drawn, with the number pages beside.

Source tree and data are made in a scratch folder beside the site, so that two builds never share one. Between builds
only the packages that the browser loads are kept (``tools/hermetic.mjs``).
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from typing import TYPE_CHECKING

from ioledger.build import lineage, pages
from ioledger.build.programs import started, tail
from ioledger.problems import Problem
from ioledger.system import scratch
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


def build_site(data: Path, made: Path, dist: Path, printed: Path | None = None) -> tuple[list[Problem], str]:
    """
    Build the pages of a finished database into ``dist``; return what is wrong, and what was built in words.

    ``made`` is the build's folder; where dbt has documented it, the site has the lineage. ``data`` has the submissions.
    What the programs print goes to the file ``printed``.
    """
    brought, _, problems = pages.load_pages(ROOT / "site")
    if problems:
        return problems, ""
    with scratch.folder(dist.parent) as aside:
        environment = _variables(data, made, dist, aside)
        log: list[str] = []
        for commands in (written(aside, "--pages"), _prepared(aside), _finished(aside, dist)):
            if problems := _run(commands, environment, log):
                break
        if printed:
            printed.write_text("".join(log), encoding="utf-8")
        if problems:
            return problems, ""
        _merge(aside / "public", dist)
    if lineage.is_documented(made / "dbt"):
        lineage.publish(made / "dbt", dist, brought)
    count = sum(1 for _ in dist.rglob("*.html"))
    return [], f"{count:,} pages"


def written(aside: Path, part: str) -> list[list[str]]:
    """Return the command that writes a part of what the site is made of into a scratch folder."""
    return [[sys.executable, str(ROOT / "site" / "data" / "write.py"), str(aside), part]]


def _prepared(aside: Path) -> list[list[str]]:
    """Return the commands that run at the same time after the pages' data: the framework, and what stands beside."""
    return [["node", str(FRAMEWORK), "build"], *written(aside, "--beside")]


def _finished(aside: Path, dist: Path) -> list[list[str]]:
    """Return the commands that run at the same time at the end: pages drawn, number pages, the picture of links."""
    public = aside / "public"
    return [
        ["node", str(FINISH), str(aside), str(dist)],
        ["node", str(NUMBERS), str(aside / "numbers"), str(public)],
        ["node", str(CARD), str(public / "data" / "card.json"), str(public / "card.png")],
    ]


def _run(commands: list[list[str]], environment: dict[str, str], log: list[str]) -> list[Problem]:
    """Run programs at the same time; return a problem for each that failed, and add what they printed to the log."""
    with ExitStack() as stack:
        pool = stack.enter_context(ThreadPoolExecutor(len(commands)))  # left last: its threads end with the programs
        programs = [stack.enter_context(started(command, environment)) for command in commands]
        printed = list(pool.map(lambda program: program.communicate(), programs))
    problems = []
    for command, program, (said, told) in zip(commands, programs, printed, strict=True):
        log.append(said + told)
        if program.returncode:
            done = subprocess.CompletedProcess(command, program.returncode, said, told)
            remedy = "Look at the page, query or script it names under site/."
            problems.append(Problem("site", "", _reason(told) or tail(done), remedy, RULE))
    return problems


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
