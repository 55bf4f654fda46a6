"""
A plan for a gate: the same workloads before and after a change, in pairs, as many as the wanted loss needs.

Each two runs in a row are a pair of both sides, and the side that begins is drawn at random for each pair, so that
neither a drift nor a periodic disturbance follows the order. The change is a command for each side, such as a line that
sets a scheduler of the kernel; the side before is set again at the end, whatever happened.
"""

from __future__ import annotations

import math
import random
import re
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from ioledger.comparison import statistics
from ioledger.comparison.limits import limit
from ioledger.gating import power
from ioledger.gating.order import MIN_PAIRS, is_fixed
from ioledger.gating.verdict import MANY

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ioledger.plan.profiles import Plan

MAX_PAIRS = 1000
"""Pairs that nobody waits for; longer runs spread less."""
PAIRS, PAIRS_OF_ONE_POINT = 5, 6
"""How many pairs a plan has by default; a sweep of one point needs one more for the same power."""
SIDES = ("before", "after")


class Spread(NamedTuple):
    """How far single runs spread, on the logarithm; ``degrees`` are those that other points add to that of one."""

    deviation: float
    widest: float
    degrees: float
    point_count: int
    source: str

    @property
    def runs(self) -> power.Runs:
        """Runs that spread so far and take turns, so that a gate compares them as pairs."""
        return power.Runs(self.deviation, is_paired=True, known=self.degrees)

    @property
    def words(self) -> str:
        """The spread in words."""
        own = f"by {100 * self.deviation:.2g} %"
        if not self.point_count:
            return f"if runs vary {own} (assumed)"
        widest = f", the widest by {100 * self.widest:.2g} %" if self.point_count > 1 else ""
        return f"if runs vary as in {self.source}, {own}{widest}"


def assumed_spread() -> Spread:
    """Return the spread that is assumed where no runs tell of it."""
    return Spread(limit("assumed_spread"), limit("assumed_spread"), 0.0, 0, "")


def measured_spread(folder: Path) -> Spread | None:
    """Return the spread of IOPS of the runs in a folder, by their mean variance; null where no point was repeated."""
    from ioledger.gating import points  # noqa: PLC0415  (it loads what reads files)
    from ioledger.gating.matching import take_logarithms  # noqa: PLC0415

    found = []
    for runs in points.read(folder).points.values():
        values = take_logarithms([run.values[points.METRICS["iops"]] for run in runs])
        if values is not None and len(values) > 1:
            found.append((statistics.variance_of(values, statistics.LEAST_VARIANCE), len(values) - 1))
    if not found:
        return None
    degrees = sum(each for _, each in found)
    deviation = math.sqrt(math.fsum(variance * own for variance, own in found) / degrees)
    widest = math.sqrt(max(variance for variance, _ in found))
    shared = statistics.prior_of(found)
    known = 0.0 if shared is None else min(shared.degrees, shared.max_degrees)
    return Spread(deviation, widest, known, len(found), str(folder))


def default_pairs(plan: Plan) -> int:
    """Return how many pairs a plan has where nothing else is asked for."""
    return PAIRS_OF_ONE_POINT if _count_points(plan) == 1 else PAIRS


def draw_order(pairs: int, seed: int) -> str:
    """Return the side that begins each pair, A (before) or B (after), drawn at random until it is no fixed order."""
    generator = random.Random(seed)  # noqa: S311  (no secret)
    while True:
        sides = [generator.randrange(2) for _ in range(pairs)]
        if pairs < MIN_PAIRS or not is_fixed(sides):
            return "".join("AB"[side] for side in sides)


def runs_in_order(first_sides: str) -> str:
    """Return the order of all runs: ``ABB`` becomes ``ABBABA``."""
    return "".join("AB" if side == "A" else "BA" for side in first_sides)


def repetitions(plan: Plan, spread: Spread, *, loss: float, chance: float) -> int | None:
    """Return how many runs a side find a loss of one point in so many cases; null where too many would be needed."""
    found = power.runs_to_show(math.log1p(-loss), spread.runs, alpha=_find_alpha(plan), power=chance)
    return found if found is not None and found <= MAX_PAIRS else None


def _find_alpha(plan: Plan) -> float:
    """Return the level of the test of one point: half of it is for the sweep, where there is more than one point."""
    count = _count_points(plan)
    return limit("significance") / (count if count == 1 else 2 * count)


def _count_points(plan: Plan) -> int:
    return sum(len(plan.depths(profile)) * (1 + profile.is_mixed) for profile in plan.profiles)


def outlook(plan: Plan, spread: Spread, *, loss: float, chance: float) -> Iterator[str]:
    """Give in words what the plan finds, and what it would take to show that nothing differs."""
    count = plan.repetitions
    often = power.chance_to_find(math.log1p(-loss), spread.runs, count, alpha=_find_alpha(plan))
    found = f"a loss of {100 * loss:g} % at one point is found in {100 * often:.0f} of 100 cases"
    yield f"{count} pairs of runs: {found}, {spread.words}."
    if count > MANY:
        fewer = [(each, repetitions(plan, spread, loss=each, chance=chance)) for each in (2 * loss, 3 * loss)]
        told = [f"{100 * each:g} % {runs}" for each, runs in fewer if each < 1 and runs is not None and runs < count]
        if told:
            longer = "Longer runs vary less (--seconds)."
            yield f"A larger loss needs fewer runs per side (--show): {', '.join(told)}. {longer}"
    margin, alpha = limit("margin"), limit("significance")
    equal = power.runs_to_show_equal(margin - 1, spread.runs, alpha=alpha, power=chance)
    if equal is not None:
        yield f"Equal within {100 * (margin - 1):g} %: {equal} runs per side find it in {100 * chance:g} of 100 cases."


def script(plan: Plan) -> str:
    """Return the script that runs every job file on both sides."""
    assert plan.sides is not None  # noqa: S101  (the plan of a gate has both)
    runs = (
        f'    fio --output-format=json+ --output="$runs/$side/{profile.name}.$repetition.json" {profile.name}.fio'
        for profile in plan.profiles
    )
    firsts = " ".join(SIDES["AB".index(side)] for side in plan.first_sides)
    return fill("gate.sh", BEFORE=plan.sides[0], AFTER=plan.sides[1], FIRSTS=firsts, COMMANDS="\n".join(runs))


def fill(name: str, **values: str) -> str:
    """Return a template beside this module with a value in the place of each ``@NAME@``."""
    text = Path(__file__).with_name(name).read_text(encoding="utf-8")
    return re.sub("@([A-Z]+)@", lambda found: values[found[1]], text)
