"""A build without changes makes nothing, keeps the old or the new state when killed, and leaves nothing behind."""

from __future__ import annotations

import contextlib
import os
import random
import re
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

import excerpted
from ioledger.build import BUILT, checking, pipeline
from ioledger.submission import files
from ioledger.system import finish_replacement
from ioledger.workspace import Workspace

if TYPE_CHECKING:
    from forks import Forks
    from ioledger.problems import Problem

FIO = "2026-11-tester-disk"
KILLS, SEED = int(os.environ.get("KILLS", "3")), 20261122
STUBBED = """
import contextlib, resource, sys, time
from pathlib import Path
from ioledger.build import checking, models, pipeline
from ioledger.system import run_command
from ioledger.workspace import Workspace
full, stage, recorded = sys.argv[2:], pipeline.Stages.stage, pipeline.record_inputs
@contextlib.contextmanager
def stage_on_a_disk(self, name):
    if name in full:
        resource.setrlimit(resource.RLIMIT_FSIZE, (0, resource.RLIM_INFINITY))
    with stage(self, name):
        yield
def recorded_at_the_end(*arguments):
    with stage_on_a_disk(pipeline.Stages(lambda _: None), "end"):
        return recorded(*arguments)
pipeline.Stages.stage, pipeline.record_inputs = stage_on_a_disk, recorded_at_the_end
def published(built, dbt, made, stages, documents):
    with stages.stage("publish"):
        for number in range(20):
            (made / f"{number}.parquet").write_bytes(str(built["submissions"]["title"].to_pylist()).encode())
            time.sleep(0.005)
    (made / "ioledger.duckdb").touch()
    return []
class Site:
    problems = []
    def __init__(self, folder, made, dist, anew): self.made, self.dist = made, dist
    def __enter__(self): return self
    def __exit__(self, *_): pass
    def build(self, printed):
        (self.dist / pipeline.LINEAGE).parent.mkdir(parents=True)
        (self.dist / pipeline.LINEAGE).touch()
        for number in range(20):
            (self.dist / f"{number}.html").write_bytes((self.made / f"{number}.parquet").read_bytes())
            time.sleep(0.005)
        printed.write_text("drawn")
        return [], "20 pages"
class Dbt:
    def __init__(self, *_): pass
    def __enter__(self): return self
    def __exit__(self, *_): pass
pipeline._model_and_publish, pipeline.Site, models.Dbt = published, Site, Dbt
pipeline.is_documented = lambda folder: folder.parent.is_dir()
checking.run_suites = lambda _: checking.Verdict([], [], [])
pipeline.site_inputs = lambda database: "site of " + database
def make():
    problems = pipeline.build(Workspace(Path(sys.argv[1])), lambda line: print(line, flush=True))
    if problems:
        print(*problems, sep="\\n", file=sys.stderr)
        raise SystemExit(1)
sys.exit(run_command(make))
"""


Build = Callable[..., subprocess.CompletedProcess[str]]


@pytest.fixture
def script(tmp_path: Path) -> Path:
    """Return a program that builds with models and pages that are stubs."""
    path = tmp_path / "stubbed.py"
    path.write_text(STUBBED, encoding="utf-8")
    return path


@pytest.fixture
def place(submission: Path, tmp_path: Path) -> Workspace:
    """Return a workspace with a submission of fio's and an excerpt."""
    place = Workspace(tmp_path / "work")
    place.data.mkdir(parents=True)
    submission.rename(place.data / FIO)
    excerpted.three_media(place.data)
    return place


@pytest.fixture
def build(place: Workspace, script: Path, forks: Forks) -> Build:
    """Return a function that builds with the stubs; with names in its own process, the disk full in these stages."""

    def run(*full: str) -> subprocess.CompletedProcess[str]:
        if full:
            command = [sys.executable, str(script), str(place.folder), *full]
            return subprocess.run(command, capture_output=True, text=True, check=False, timeout=120)  # noqa: S603
        done = forks.call(place.folder, script=script)
        return subprocess.CompletedProcess(done.args, done.returncode, done.stdout.decode(), done.stderr.decode())

    return run


def _stages(done: subprocess.CompletedProcess[str]) -> list[str]:
    assert (done.returncode, done.stderr) == (0, "")
    lines = done.stdout.splitlines()
    return [line.split()[0] for line in lines if not line.startswith("    ")]  # a slow machine is told how far it is


def _state(place: Workspace) -> str:
    """Return the state of both folders, which is one state in all their files, and that they lack nothing."""
    tables = {(place.build / f"{number}.parquet").read_text(encoding="utf-8") for number in range(20)}
    pages = {(place.dist / f"{number}.html").read_text(encoding="utf-8") for number in range(20)}
    assert tables == pages
    (state,) = tables
    return state


def _beside(place: Workspace) -> list[str]:
    """Return what is in a workspace, without what killed builds have left there for a day."""
    return sorted(path.name for path in place.folder.iterdir() if not path.name.endswith("-scratch"))


WHOLE = [".ioledger", "build", "data", "dist"]


def test_what_nothing_has_changed_for_is_not_made_again(place: Workspace, build: Build) -> None:
    """Neither tables nor pages; a site that is gone is made again, and a changed manifest everything."""
    everything = ["look", "read", "tables", "expectations", "publish", "site"]
    assert _stages(build()) == everything
    first = _state(place)
    times = {path: path.stat().st_mtime_ns for path in (place.build, place.dist, place.folder / BUILT)}
    done = build()
    assert _stages(done) == ["look"]
    assert "2 submissions; build/ and dist/ unchanged" in done.stdout
    assert {path: path.stat().st_mtime_ns for path in times} == times
    shutil.rmtree(place.dist)
    assert _stages(build()) == ["look", "site"]
    assert _state(place) == first
    shutil.rmtree(place.build)
    assert _stages(build()) == everything
    _retitled(place, "Another")
    done = build()
    assert _stages(done) == everything
    assert "0 files; 2 unchanged since they were read" in done.stdout  # a manifest is no result
    assert _state(place) != first


def test_a_full_check_makes_everything_again(place: Workspace, monkeypatch: pytest.MonkeyPatch) -> None:
    """Every file is read, also where nothing has changed."""
    monkeypatch.setattr(pipeline, "_model_and_publish", _nothing_published)
    monkeypatch.setattr(checking, "run_suites", lambda _: checking.Verdict([], [], []))
    said: list[str] = []
    for is_full in (False, False, True):
        pipeline.build(place, said.append, site=False, full_check=is_full)
    assert ["build/ unchanged" in line for line in said if "look" in line] == [False, True, False]
    assert [line.split()[1] for line in said if line.startswith("  read")] == ["2", "2"]


def _nothing_published(*arguments: object, documents: bool) -> list[Problem]:
    made = arguments[2]
    assert isinstance(made, Path)
    assert not documents
    (made / "ioledger.duckdb").touch()
    return []


def test_a_build_killed_at_any_moment_leaves_the_old_or_the_new_state(
    place: Workspace, script: Path, build: Build
) -> None:
    """And the next one ends as if there had been no other."""
    begun = time.monotonic()
    build("no stage")
    whole, before = time.monotonic() - begun, _state(place)
    moments = random.Random(SEED)  # noqa: S311  (reproducible, not secret)
    for number in range(KILLS):
        title = f"Kill {number} of many"
        _retitled(place, title)
        command = [sys.executable, str(script), str(place.folder)]
        with subprocess.Popen(command, start_new_session=True, stdout=subprocess.DEVNULL) as program:  # noqa: S603
            with contextlib.suppress(subprocess.TimeoutExpired):
                program.wait(moments.uniform(0, whole))
            with contextlib.suppress(ProcessLookupError):  # it has come to its end
                os.killpg(program.pid, signal.SIGKILL)
        finish_replacement(place.folder)
        found = _state(place)
        assert found == before or title in found
        before = found
    _stages(build())
    assert title in _state(place)
    assert _beside(place) == WHOLE
    assert not [path for path in (place.folder / files.PLACE).iterdir() if "." in path.name]


def _retitled(place: Workspace, title: str) -> None:
    path = place.data / FIO / "manifest.yaml"
    path.write_text(re.sub(r"(?m)^title: .*$", f"title: {title}", path.read_text(encoding="utf-8")), encoding="utf-8")


def test_a_full_disk_is_one_line_and_the_old_state(place: Workspace, build: Build) -> None:
    """Wherever a write fails: cached readings, tables, pages, and what the build was made from."""
    build()
    before = _state(place)
    for stage in ("read", "publish", "site", "end"):
        _retitled(place, f"Not {stage}")
        done = build(stage)
        assert done.returncode == 1
        line = r"\S*: (.*\[errno 27\] )?File too large\. Free space there, or write to another disk\.  \[R-SYSTEM-1\]\n"
        assert re.fullmatch(f"{place.folder}{line}", done.stderr), stage
        assert _state(place) == before
        assert _beside(place) == WHOLE
