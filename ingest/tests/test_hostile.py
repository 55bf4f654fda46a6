"""A stranger's submission can be refused, and can do nothing else."""

from __future__ import annotations

import time
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

import hostile
from ioledger.submission import gather

if TYPE_CHECKING:
    from ioledger.problems import Problem

SECONDS_FOR_ALL = 10
SECONDS_FOR_A_SOUND_ONE = 5
"""Seconds of this process, so that what else the machine does makes no difference."""


@pytest.fixture(scope="module")
def checked(tmp_path_factory: pytest.TempPathFactory) -> tuple[dict[str, list[Problem]], float]:
    """Return the problems of every hostile submission, and how long checking all of them took."""
    made = hostile.write(tmp_path_factory.mktemp("hostile"))
    started = time.process_time()
    found = {name: gather.gather([path], lambda path: path.name).problems for name, (path, _) in made.items()}
    return found, time.process_time() - started


@pytest.mark.parametrize("case", hostile.CASES)
def test_a_hostile_submission_is_refused_by_its_rule(
    case: str, checked: tuple[dict[str, list[Problem]], float]
) -> None:
    """The rule is among the problems, every problem is one printable line, and no file appeared."""
    problems = checked[0][case]
    assert hostile.CASES[case][1] in {problem.rule for problem in problems}, [str(problem) for problem in problems]
    assert all(str(problem).isprintable() for problem in problems)
    assert not Path("hacked").exists()


def test_all_of_them_are_refused_in_ten_seconds(checked: tuple[dict[str, list[Problem]], float]) -> None:
    """At least forty, none of which can keep the gate busy."""
    problems, seconds = checked
    assert len(problems) >= 40
    assert all(problems.values())
    assert seconds < SECONDS_FOR_ALL


def test_a_sound_submission_passes_in_five_seconds(tmp_path: Path) -> None:
    """The submission that every case spoils is itself sound."""
    folder = hostile.sound(tmp_path / hostile.NAME)
    started = time.process_time()
    assert gather.gather([folder]).problems == []
    assert time.process_time() - started < SECONDS_FOR_A_SOUND_ONE
