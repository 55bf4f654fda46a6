"""The generated submissions that the whole suite is run with: numerous, and of the same names."""

from __future__ import annotations

import importlib
import sys
from typing import TYPE_CHECKING, Any

import duckdb

import test_contributing
from dataset import CROWD
from ioledger.tables.schema import ROOT

if TYPE_CHECKING:
    from pathlib import Path

sys.path.insert(0, str(ROOT / "tools"))
crowd: Any = importlib.import_module("crowd")


def test_the_example_follows_contributing() -> None:
    """The commands are the documented ones, up to what a script adds to them."""
    documented = [test_contributing.PLAN, test_contributing.COLLECT]
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
