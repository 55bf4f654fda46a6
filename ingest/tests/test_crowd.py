"""The generated submissions that the whole suite is run with: sound, numerous, and of the same names."""

from __future__ import annotations

import importlib
import sys
from typing import TYPE_CHECKING, Any

import duckdb
import pytest

import test_contributing
from dataset import CROWD, DISK, STATE, merged
from ioledger.build.checking import check
from ioledger.tables.schema import ROOT

if TYPE_CHECKING:
    from pathlib import Path

sys.path.insert(0, str(ROOT / "tools"))
crowd: Any = importlib.import_module("crowd")


@pytest.mark.skipif(sys.platform != "linux", reason="collect reads Linux")
def test_contributing_s_own_example_and_the_generated_submissions_are_sound(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """All of them pass the check beside a merged one, and their folders are printed."""
    data = tmp_path / "data"
    merged((DISK,), data)
    monkeypatch.setattr(sys, "argv", ["crowd.py", str(data), "2"])
    assert crowd.main() == 0
    made = capsys.readouterr().out.splitlines()
    assert len(made) == 4
    assert sorted(made) == sorted(str(path) for path in data.iterdir() if path.name != DISK)
    assert check((), data, plausibility=True)[:2] == (5, [])


@pytest.mark.parametrize(
    ("words", "said"),
    [
        ((), "required: DATA"),
        (("data", "x"), "argument COUNT: 'x' is no number"),
        (("data", "-1"), "argument COUNT: '-1' is no number"),
        (("data", "1", "2"), "unrecognized arguments: 2"),
    ],
)
def test_a_command_that_it_does_not_understand_writes_nothing(
    words: tuple[str, ...],
    said: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    """It shows how it is used, and ends as commands do then."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "argv", ["crowd.py", *words])
    with pytest.raises(SystemExit) as ended:
        crowd.main()
    assert ended.value.code == 2
    shown = capsys.readouterr().err
    assert shown.startswith("usage: crowd.py")
    assert said in shown
    assert list(tmp_path.iterdir()) == []


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


@pytest.mark.parametrize("state", ["status: {state: retracted}", "status:\n  state: superseded\n  reason: a: b"])
def test_the_dataset_leaves_out_the_state_that_a_merged_submission_got(state: str) -> None:
    """Whatever form it has, what stands around it stays."""
    assert STATE.sub("", f"title: A\n{state}\nlicence: MIT\n") == "title: A\nlicence: MIT\n"
    assert STATE.sub("", f"title: A\n{state}\n") == "title: A\n"
