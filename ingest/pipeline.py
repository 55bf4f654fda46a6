"""
The build, from raw files to the finished site and database.

Everything is made in a directory of its own and takes the place of ``build/`` and ``dist/`` only when all of it has
succeeded; a build that fails leaves both as they were.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
import time
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

import msgspec

from ingest import expect, gather, publish, store
from ingest.problems import Problem
from ingest.tables import ROOT

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    import pyarrow as pa


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
    with tempfile.TemporaryDirectory(prefix=".ioledger-", dir=ROOT) as scratch:
        made, dist = Path(scratch, "build"), Path(scratch, "dist")
        made.mkdir()
        problems = _make(data, made, Stages(say), dist if site else None)
        if not problems:
            _take_place(made, ROOT / "build")
            if site:
                _take_place(dist, ROOT / "dist")
    return problems


def _make(data: Path, made: Path, stages: Stages, dist: Path | None) -> list[Problem]:
    with stages.stage("read"):
        gathered = gather.gather(gather.folders(data), _shown)
        stages.found = f"{len(gathered.submissions)} submissions, {len(gathered.files)} files"
    if gathered.problems:
        return gathered.problems
    with stages.stage("tables"):
        built, problems = store.build(gathered)
        stages.found = f"{built['results'].num_rows:,} results in {len(built)} tables"
    if problems:
        return problems
    with stages.stage("expectations"):
        records, problems, warnings = expect.run(built)
        built["warnings"] = store.extended("warnings", built["warnings"], warnings)
        values = sum(record["row_count"] for record in records)
        stages.found = f"{len(records)} expectations, {values:,} values, {len(warnings)} warnings"
    if problems:
        return problems
    (made / "checks.json").write_text(json.dumps(records, indent=1) + "\n", encoding="utf-8")
    with stages.stage("models"):
        derived, problems, stages.found = _models(made, built)
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


def _shown(folder: Path) -> str:
    return folder.relative_to(ROOT).as_posix() if folder.is_relative_to(ROOT) else str(folder)


def _models(made: Path, built: dict[str, pa.Table]) -> tuple[dict[str, pa.Table], list[Problem], str]:
    """Run dbt in a process of its own (it keeps its database locked) and return the marts."""
    database, target = made / "dbt.duckdb", made / "dbt"
    publish.fill_raw(database, built)
    dbt = Path(sys.executable).with_name("dbt")
    command = [str(dbt), "--quiet", "--no-use-colors", "build", "--profiles-dir", ".", "--project-dir", "."]
    paths = {"IOLEDGER_DBT_PATH": str(database), "DBT_TARGET_PATH": str(target), "DBT_LOG_PATH": str(target)}
    run = _run(command, {**paths, "DBT_SEND_ANONYMOUS_USAGE_STATS": "false"})
    results = target / "run_results.json"
    nodes: list[Any] = msgspec.json.decode(results.read_bytes())["results"] if results.exists() else []
    failed = [node for node in nodes if node["status"] in {"error", "fail", "runtime error"}]
    if run.returncode or failed:
        lines = [f"{node['unique_id']}: {node['message']}" for node in failed] or [_tail(run)]
        remedy = "Look at the model or the test of that name under models/."
        return {}, [Problem("models", "", " ".join(line.split()), remedy, "R-MODEL-1") for line in lines], ""
    derived = publish.marts_from(database)
    database.unlink()
    kinds = [node["unique_id"].split(".")[0] for node in nodes]
    found = (
        f"{kinds.count(kind)} {name}"
        for kind, name in (("model", "models"), ("test", "tests"), ("unit_test", "unit tests"))
    )
    return derived, [], ", ".join(found)


def _site(made: Path, dist: Path) -> tuple[list[Problem], str]:
    """Build the static pages with Observable Framework."""
    framework = ROOT / "node_modules" / "@observablehq" / "framework" / "dist" / "bin" / "observable.js"
    command = ["node", str(framework), "build"]
    run = _run(command, {"IOLEDGER_BUILD": str(made), "IOLEDGER_DIST": str(dist)})
    if run.returncode:
        remedy = "Look at the page or loader it names under site/."
        return [Problem("site", "", _tail(run), remedy, "R-SITE-1")], ""
    pages = sum(1 for _ in dist.rglob("*.html"))
    return [], f"{pages} pages"


def _run(command: list[str], env: dict[str, str]) -> subprocess.CompletedProcess[str]:
    return subprocess.run(  # noqa: S603  (own programs, fixed arguments)
        command,
        cwd=ROOT,
        env={**os.environ, **env},
        capture_output=True,
        text=True,
        check=False,
        stdin=subprocess.DEVNULL,
    )


def _tail(run: subprocess.CompletedProcess[str]) -> str:
    lines = [line.strip() for line in (run.stdout + "\n" + run.stderr).splitlines() if line.strip()]
    return " | ".join(lines[-6:]) or f"exit code {run.returncode}"


def _take_place(new: Path, old: Path) -> None:
    """Put a finished directory where an older one stands, by renaming."""
    if old.exists():
        old.rename(new.with_name(new.name + "-replaced"))
    new.rename(old)


def preview() -> int:
    """Serve the pages with live reload until interrupted; return the exit code."""
    framework = ROOT / "node_modules" / "@observablehq" / "framework" / "dist" / "bin" / "observable.js"
    return subprocess.run(["node", str(framework), "preview"], cwd=ROOT, check=False).returncode  # noqa: S603, S607
