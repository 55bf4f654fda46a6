"""Numbers and verdicts of the marts, chosen at random in each run, derived a second time in plain Python."""

from __future__ import annotations

import math
import os
import random
from pathlib import Path

import pytest

import derivations_again
from derivations_again import table
from ioledger.tables.schema import ROOT

BUILD = Path(os.environ.get("IOLEDGER_BUILD", ROOT / "build"))
AGAIN = derivations_again.AGAIN
CHOSEN = 200
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
