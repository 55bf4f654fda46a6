"""From nothing to a sound submission, by the commands that CONTRIBUTING gives, as they stand there."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
from typing import TYPE_CHECKING

import duckdb
import pytest

from ingest import gather, store, yamlsafe
from ingest.tables import ROOT

if TYPE_CHECKING:
    from pathlib import Path

TEXT = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")
COMMANDS = [line.strip() for block in re.findall(r"```text\n(.*?)```", TEXT, re.DOTALL) for line in block.splitlines()]
PLAN, MEASURE, COLLECT, ADD = (command for command in COMMANDS if command)
CHECK = ".venv/bin/ioledger check"
RECORDED = ROOT / "data" / "2026-11-ioledger-virtual-disk"


@pytest.fixture
def clone(tmp_path: Path) -> Path:
    """Return a folder that looks like a clone: with the programs, and with a data folder of its own."""
    (tmp_path / ".venv").symlink_to(ROOT / ".venv", target_is_directory=True)
    (tmp_path / "data").mkdir()
    return tmp_path


def _run(command: str, clone: Path) -> subprocess.CompletedProcess[str]:
    environment = {**os.environ, "IOLEDGER_DATA": str(clone / "data")}
    bash = ["bash", "-c", command]
    return subprocess.run(bash, cwd=clone, capture_output=True, text=True, check=False, env=environment)  # noqa: S603


def _measure(clone: Path) -> str:
    """Run the planned jobs with fio; without fio, or where direct I/O is impossible, take recorded output."""
    if shutil.which("fio") is not None and _run(MEASURE, clone).returncode == 0:
        return "fio"
    for source, name in (("layout.json", "preparation.1.json"), ("database.1.json", "database.1.json")):
        shutil.copy(RECORDED / source, clone / "measurement" / name)
    return "recorded output"


def test_the_documented_way_ends_in_a_sound_submission(clone: Path) -> None:
    """Plan, measure, collect, add, check: every command ends with 0, and the database gets rows and no problem."""
    assert CHECK in TEXT
    planned = _run(PLAN, clone)
    assert planned.returncode == 0, planned.stderr
    assert "Measuring takes" in planned.stderr
    print(f"measured with {_measure(clone)}")  # noqa: T201  (says which of the two this machine can do)
    collected = _run(COLLECT, clone)
    assert collected.returncode == 0, collected.stderr
    added = _run(ADD, clone)
    assert added.returncode == 0, added.stderr
    checked = _run(CHECK, clone)
    assert (checked.returncode, checked.stderr) == (0, "1 submissions checked, 0 problems\n")
    (folder,) = (clone / "data").iterdir()
    manifest, _ = yamlsafe.load((folder / "manifest.yaml").read_bytes())
    roles = {entry["path"]: entry.get("role", "result") for entry in manifest["files"]}
    assert roles["database.1.json"] == "result"
    assert roles["preparation.1.json"] == "preparation"
    assert roles["database.fio"] == "job"
    built, problems = store.build(gather.gather([folder]))
    assert problems == []
    with duckdb.connect() as connection:
        connection.register("results", built["results"])
        depths = connection.execute("select distinct queue_depth from results order by all").fetchall()
    assert depths[:4] == [(1,), (2,), (4,), (8,)]


def test_the_way_needs_no_network_and_no_other_folder(clone: Path) -> None:
    """Nothing is written beside the plan and the data; a second plan in the same place is refused or the same."""
    before = {path.name for path in clone.iterdir()}
    _run(PLAN, clone)
    assert {path.name for path in clone.iterdir()} - before == {"measurement"}
    assert _run(PLAN, clone).returncode == 0
    assert not re.search(r"https?://", " ".join(COMMANDS))
