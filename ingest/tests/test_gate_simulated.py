"""How often a gate is wrong, and how often it finds what is there: simulated runs, of which the truth is known."""

from __future__ import annotations

import math
import random
from collections import Counter
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING

import pytest

from ioledger.gating import statistics
from ioledger.gating.order import Span
from ioledger.gating.points import METRICS, Point, Run, Side
from ioledger.gating.run import Asked, compared
from ioledger.gating.statistics import Question
from ioledger.judgement.verdicts import Change

if TYPE_CHECKING:
    from collections.abc import Sequence

QUESTION = Question(is_latency=False, margin=0.05, alpha=0.05)
TRIALS, SWEEPS, POINTS, COUNT = 1000, 120, 24, 5
SCATTER = 2 * math.sqrt(0.05 * 0.95 / SWEEPS)
"""Two standard errors of a share of one in twenty in so many sweeps."""
START = datetime(2026, 11, 22, tzinfo=UTC)
SLOWER = math.log(0.9)


@pytest.mark.parametrize(
    ("spread", "count", "found", "equal"),
    [(0.02, 3, 98, 52), (0.03, 5, 100, 50), (0.05, 5, 81, 5), (0.05, 8, 97, 20), (0.10, 8, 49, 0)],
)
def test_one_point_is_found_and_shown_equal_as_often_as_it_should(
    spread: float, count: int, found: int, equal: int
) -> None:
    """In percent of a thousand trials each; false alarms stay below 5."""
    chance = random.Random(count)  # noqa: S311  (noise, no secret)

    def changes(shift: float) -> dict[Change, float]:
        told = Counter[Change]()
        for _ in range(TRIALS):
            before, after = ([chance.gauss(mean, spread) for _ in range(count)] for mean in (9.0, 9.0 + shift))
            test = statistics.assessed(before, after, QUESTION)
            told[statistics.decided(test, test.p_difference, QUESTION)] += 1
        return {change: 100 * told[change] / TRIALS for change in Change}

    same, slower = changes(0.0), changes(SLOWER)
    assert same[Change.WORSE] + same[Change.BETTER] <= 5
    assert slower[Change.WORSE] == pytest.approx(found, abs=4)
    assert same[Change.EQUAL] == pytest.approx(equal, abs=4)


def _side(means: Sequence[float], spreads: Sequence[float], chance: random.Random, turn: int) -> Side:
    held = {}
    for depth, (mean, spread) in enumerate(zip(means, spreads, strict=True), 1):
        runs = []
        for repetition in range(COUNT):
            end = START + timedelta(minutes=4 * repetition + 2 * turn)
            rate = math.exp(chance.gauss(mean, spread))
            values: dict[str, float | None] = {METRICS["iops"]: rate}
            span = Span(end - timedelta(minutes=1), end)
            runs.append(Run(values, "total", None, span, f"{turn}-{depth}-{repetition}", "", "", "{}"))
        held[Point("read", "random", None, 1.0, 4096, 4096, depth, 1, True, "libaio", "file")] = runs  # noqa: FBT003
    return Side("", held, [])


def test_a_sweep_is_rarely_called_worse_and_one_slow_point_is_mostly_found() -> None:
    """Of 24 points that spread by 3 % times e to the 0.5; five runs a side, in turns, the runs of each point alone."""
    chance = random.Random(24)  # noqa: S311  (noise, no secret)
    same, slower = Counter[Change](), Counter[Change]()
    for _ in range(SWEEPS):
        means = [9.0 + point / 10 for point in range(POINTS)]
        spreads = [0.03 * math.exp(chance.gauss(0, 0.5)) for _ in means]
        before = _side(means, spreads, chance, 0)
        same[compared(before, _side(means, spreads, chance, 1), Asked()).change] += 1
        means[chance.randrange(POINTS)] += SLOWER
        slower[compared(before, _side(means, spreads, chance, 1), Asked()).change] += 1
    assert same[Change.WORSE] <= (0.05 + SCATTER) * SWEEPS
    assert same[Change.EQUAL] >= 0.85 * SWEEPS
    assert slower[Change.WORSE] >= 0.55 * SWEEPS
    assert slower[Change.EQUAL] <= 0.25 * SWEEPS
