"""From nothing to a sound submission and its comparison, by the commands of CONTRIBUTING; and generated submissions."""

from __future__ import annotations

import importlib
import json
import os
import re
import shutil
import subprocess
import sys
import time
from typing import TYPE_CHECKING, Any

import duckdb
import pytest

from conftest import FIXTURES, MEASURED, remember
from dataset import BLOG, CROWD, DISK, FUJITSU, merged
from ioledger.submission import safe_yaml
from ioledger.submission.shape import FROM_EITHER, FROM_YOU
from ioledger.tables.schema import ROOT, marts

if TYPE_CHECKING:
    from pathlib import Path

TEXT = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")
COMMANDS = [line.strip() for block in re.findall(r"```text\n(.*?)```", TEXT, re.DOTALL) for line in block.splitlines()]
PLAN, MEASURE, COLLECT, ADD, BUILD, COMPARE = (command for command in COMMANDS if command)
CHECK = ".venv/bin/ioledger check"
YOURS = "YOUR-CONFIGURATION"
RETRACTED = BLOG
RECORDED = FIXTURES / "recorded"
"""What fio 3.33 wrote for the documented plan."""

COPIED = ("ingest", "models", "schemas", "dbt_project.yml", "profiles.yml", "pyproject.toml")


@pytest.fixture
def clone(tmp_path: Path) -> Path:
    """Return a copy of the project with a command of its own, so that nothing of the project itself is replaced."""
    for name in COPIED:
        copy = shutil.copytree if (ROOT / name).is_dir() else shutil.copy
        copy(ROOT / name, tmp_path / name)
    merged((BLOG, FUJITSU, DISK), tmp_path / "data")
    command = tmp_path / ".venv" / "bin" / "ioledger"
    command.parent.mkdir(parents=True)
    command.write_text(
        f'#!/bin/sh\nPYTHONPATH="{tmp_path}/ingest" exec "{sys.executable}" -m ioledger "$@"\n', encoding="utf-8"
    )
    command.chmod(0o755)
    return tmp_path


def _run(command: str, clone: Path) -> subprocess.CompletedProcess[str]:
    environment = {name: value for name, value in os.environ.items() if not name.startswith("IOLEDGER_")}
    bash = ["bash", "-c", command]
    return subprocess.run(bash, cwd=clone, capture_output=True, text=True, check=False, env=environment)  # noqa: S603


def _measure(clone: Path) -> str:
    """
    Run the planned jobs with fio; where it is not, or cannot do direct I/O, its recorded output takes its place.

    It gets the time of now, because a machine tells nothing of runs that it did not just make.
    """
    why = "there is no fio here"
    if shutil.which("fio") is not None:
        done = _run(MEASURE, clone)
        if done.returncode == 0:
            return "measured with the fio of this machine"
        why = f"fio cannot measure here: {done.stderr.strip().splitlines()[-1]}"
    for name, ago in (("preparation.1.json", 10), ("database.1.json", 0)):
        report = json.loads((RECORDED / name).read_text(encoding="utf-8"))
        report |= {"timestamp": int(time.time()) - ago, "timestamp_ms": int(time.time() - ago) * 1000}
        (clone / "measurement" / name).write_text(json.dumps(report), encoding="utf-8")
    return f"NOT measured, recorded output of fio 3.33 was taken: {why}"


def _done(command: str, clone: Path) -> subprocess.CompletedProcess[str]:
    done = _run(command, clone)
    assert done.returncode == 0, f"{command}: {done.stderr}"
    return done


def test_the_documented_way_ends_in_a_comparison(sample: Path, clone: Path, request: pytest.FixtureRequest) -> None:
    """Plan, measure, collect, add, check, build, compare: every command ends with 0, and the last shows quotients."""
    assert CHECK in TEXT
    before = {path.name for path in (clone / "data").iterdir()}
    assert "Measuring takes" in _done(PLAN, clone).stderr
    request.config.stash[MEASURED] = _measure(clone)
    assert re.search(r"^\d+ of 42 required values are known$", _done(COLLECT, clone).stderr, re.MULTILINE)
    _state(clone / "measurement" / "manifest.yaml")
    _done(ADD, clone)
    (name,) = {path.name for path in (clone / "data").iterdir()} - before
    assert _done(CHECK, clone).stderr.splitlines()[-1] == f"{len(before) + 1} submissions checked, 0 problems"
    assert _done(f"{CHECK} data/{name}", clone).stderr.splitlines()[-1] == "1 submission checked, 0 problems"
    manifest, _ = safe_yaml.load_yaml((clone / "data" / name / "manifest.yaml").read_bytes())
    roles = {entry["path"]: entry.get("role", "result") for entry in manifest["files"]}
    jobs = {"preparation.1.json": "preparation", "database.fio": "job", "preparation.fio": "job"}
    assert roles == {"database.1.json": "result", **jobs}
    with (clone / "data" / RETRACTED / "manifest.yaml").open("a", encoding="utf-8") as other:
        other.write("status: {state: retracted, reason: the wrong drive, changed_on: 2026-11-21}\n")
    remember(sample, clone / "build")
    _done(BUILD, clone)
    (configuration,) = manifest["configurations"]
    compared = _done(COMPARE.replace(YOURS, f"{name}/{configuration}"), clone).stdout
    depths = [f"Database, IOPS, queue depth {depth}" for depth in (1, 2, 4, 8)]
    assert [depth for depth in depths if f"{depth}\n" not in compared] == []
    assert "what differs" in compared
    _has_left_the_marts(clone / "build" / "ioledger.duckdb")


def _state(manifest: Path) -> None:
    """
    Say why what only the person knows is not known, as CONTRIBUTING asks before the files are added.

    The area is left unknown too: that of a try-out differs from every other, and nothing would be compared.
    """
    text = manifest.read_text(encoding="utf-8")
    for words in (FROM_YOU, FROM_EITHER):
        assert words in text
        text = text.replace(words, "the measurement only shows the way")
    manifest.write_text(text, encoding="utf-8")


def _has_left_the_marts(database: Path) -> None:
    """Find the retracted submission in no mart but the list of submissions, which says why and since when."""
    listed = "select status, status_reason, status_changed_on::varchar from submissions where submission_id = ?"
    with duckdb.connect(database, read_only=True) as connection:
        assert connection.execute(listed, [RETRACTED]).fetchall() == [("retracted", "the wrong drive", "2026-11-21")]
        for name, mart in marts().items():
            columns = [column for column in mart.column_names if column.endswith("submission_id")]
            for column in columns if name != "submissions" else ():
                count = f'select count(*) from "{name}" where "{column}" = ?'  # noqa: S608  (names come from schemas/)
                assert connection.execute(count, [RETRACTED]).fetchone() == (0,), f"{name}.{column}"


def test_the_way_needs_no_network_and_no_other_folder(clone: Path) -> None:
    """Nothing is written beside the plan and the data; a second plan in the same place is refused or the same."""
    before = {path.name for path in clone.iterdir()}
    _run(PLAN, clone)
    assert {path.name for path in clone.iterdir()} - before == {"measurement"}
    assert _run(PLAN, clone).returncode == 0
    assert not re.search(r"https?://", " ".join(COMMANDS))


sys.path.insert(0, str(ROOT / "tools"))
crowd: Any = importlib.import_module("crowd")


def test_the_example_follows_contributing() -> None:
    """The commands are the documented ones, up to what a script adds to them."""
    documented = [PLAN, COLLECT]
    assert [f".venv/bin/ioledger {step}" for step in crowd.STEPS] == documented


def test_two_generated_submissions_differ_and_are_the_same_in_every_run(tmp_path: Path) -> None:
    """The same number gives the same bytes, another number other results."""

    def written(folder: str, number: int) -> dict[str, bytes]:
        return {path.name: path.read_bytes() for path in crowd.sweeps(tmp_path / folder, number).iterdir()}

    first = written("a", 1)
    assert written("b", 1) == first
    other = written("c", 2)
    assert other.keys() == first.keys()
    assert all(other[name] != first[name] for name in first)


def test_the_dataset_holds_sixty_results_of_each_and_names_that_several_share(sample: Path) -> None:
    """Whoever looks a sweep or a configuration up by its name alone finds more than one."""
    shared = """
        select count(distinct submission_id) from points
        where load_profile = 'Database' and configuration_id = 'ext4-file' and queue_depth = 8
    """
    sixty = "select count(*) from results where submission_id like '%-crowd0%' group by submission_id"
    with duckdb.connect(sample / "build" / "ioledger.duckdb", read_only=True) as connection:
        assert connection.execute(shared).fetchone() == (CROWD + 1,)
        assert connection.execute(sixty).fetchall() == [(60,)] * CROWD
