"""Numbers and verdicts of the marts, chosen at random in each run, derived a second time in plain Python."""

from __future__ import annotations

import math
import os
import random
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

import derivations_again
import quotients_again
from derivations_again import table
from ioledger.tables.schema import ROOT

if TYPE_CHECKING:
    from derivations_again import Row

BUILD = Path(os.environ.get("IOLEDGER_BUILD", ROOT / "build"))
AGAIN = derivations_again.AGAIN | quotients_again.AGAIN
CHOSEN = 200
JUDGED = 1e-9  # of ends, which come from a quantile
AGREED = 1e-11  # marts round what passes through logarithms to twelve digits


def agrees(published: object, again: float | None, tolerance: float = AGREED) -> bool:
    """Return whether a published number is the recomputed one, or both are missing."""
    if published is None or again is None:
        return published is None and again is None
    return math.isclose(float(str(published)), again, rel_tol=tolerance, abs_tol=tolerance)


def chosen_by(capsys: pytest.CaptureFixture[str]) -> random.Random:
    """Return what chooses; the seed is printed, and IOLEDGER_SEED repeats a run."""
    seed = int(os.environ.get("IOLEDGER_SEED", random.SystemRandom().randrange(2**32)))
    with capsys.disabled():
        print(f"\nrecomputed with IOLEDGER_SEED={seed}")  # noqa: T201  (a failing run is repeated with it)
    return random.Random(seed)  # noqa: S311  (a sample, not a secret)


@pytest.mark.pipeline
def test_two_hundred_numbers_come_out_the_same_by_another_way(capsys: pytest.CaptureFixture[str]) -> None:
    """Each derivation is drawn equally often."""
    rng = chosen_by(capsys)
    filled = [key for key in AGAIN if table(BUILD, key[0])]
    differing = []
    for turn in range(CHOSEN):
        mart, column = filled[turn % len(filled)]
        row = rng.choice(table(BUILD, mart))
        again = AGAIN[mart, column](row, BUILD)
        if not agrees(row[column], again):
            differing.append(f"{mart}.{column} is {row[column]}, recomputed {again}: {row}")
    assert not differing, "\n".join(differing)


def test_every_derivation_can_be_recomputed(sample: Path) -> None:
    """Each of the derivations has rows in the tests' own dataset, and the first of them agrees."""
    build = sample / "build"
    assert {mart for mart, _ in AGAIN if not table(build, mart)} == set()
    for (mart, column), again in AGAIN.items():
        row = table(build, mart)[0]
        assert agrees(row[column], again(row, build)), f"{mart}.{column}: {row}"


def judged_alike(row: Row, build: Path) -> bool:
    """Return whether a quotient, both of its ends and its verdict follow from the runs of both sides."""
    again = quotients_again.judge(row, build)
    low = 0.0 if again.low is None and again.high is not None else again.low
    numbers = (("quotient_ratio", again.ratio), ("low_ratio", low), ("high_ratio", again.high))
    are_numbers_alike = all(agrees(row[name], number, JUDGED) for name, number in numbers)
    return are_numbers_alike and (row["verdict"], row["verdict_basis"]) == (again.verdict, again.verdict_basis)


def test_two_hundred_verdicts_come_out_the_same_from_single_runs(
    sample: Path, made_benches: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Quotient, interval and verdict, of printed figures and of repetitions: half of them of each dataset."""
    rng = chosen_by(capsys)
    differing = []
    for build in (sample / "build", made_benches / "build"):
        quotients = [row for row in table(build, "quotients") if row["basis"] != "low_depth"]
        differing += [row for row in rng.choices(quotients, k=CHOSEN // 2) if not judged_alike(row, build)]
    assert differing == []
