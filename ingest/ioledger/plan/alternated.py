"""
A plan for a gate: the same loads before and after a change, taking turns, as often as what is asked for needs.

The sides stand in the order ABBA: each two runs in a row are one of each, and each second pair begins with the other.
What drifts meets both alike. The change is a command for each side, such as a line that sets a scheduler of the kernel;
the side before is set again at the end, whatever happened.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, NamedTuple

from ioledger.gating import power, statistics
from ioledger.gating.spread import prior
from ioledger.gating.verdict import MANY
from ioledger.judgement.limits import limit

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from ioledger.plan.profiles import Plan

MOST = 1000
"""Repetitions that nobody waits for; longer runs spread less."""
SIDES = ("before", "after")


class Spread(NamedTuple):
    """
    How far single runs spread, as a standard deviation of the logarithm, and where that is known from.

    ``degrees`` are those that other points add to the spread of one, ``widest`` the spread of the noisiest point.
    """

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
        if not self.point_count:
            return f"if runs spread by {_percent(self.deviation)}, which is assumed"
        widest = f", the widest by {_percent(self.widest)}" if self.point_count > 1 else ""
        return f"as the runs in {self.source} spread, by {_percent(self.deviation)}{widest}"


def _percent(deviation: float) -> str:
    return f"{100 * deviation:.2g} %"


def assumed() -> Spread:
    """Return the spread that is assumed where no runs tell of it."""
    return Spread(limit("assumed_spread"), limit("assumed_spread"), 0.0, 0, "")


def measured(folder: Path) -> Spread | None:
    """
    Return the spread of the operations per second of the runs in a folder; nothing where no point was repeated.

    It is the root of the mean variance of the points, so that a noisy one counts.
    """
    from ioledger.gating import points  # noqa: PLC0415  (it loads what reads files)

    found = []
    for runs in points.read(folder).points.values():
        values = statistics.logarithms([run.values[points.METRICS["iops"]] for run in runs])
        if values is not None and len(values) > 1:
            mean = math.fsum(values) / len(values)
            variance = math.fsum((value - mean) ** 2 for value in values) / (len(values) - 1)
            found.append((max(variance, statistics.LEAST_VARIANCE), len(values) - 1))
    if not found:
        return None
    degrees = sum(each for _, each in found)
    deviation = math.sqrt(math.fsum(variance * own for variance, own in found) / degrees)
    widest = math.sqrt(max(variance for variance, _ in found))
    shared = prior(found)
    known = 0.0 if shared is None else min(shared.degrees, shared.most_degrees)
    return Spread(deviation, widest, known, len(found), str(folder))


def repetitions(plan: Plan, spread: Spread, *, loss: float, chance: float) -> int | None:
    """Return how many runs a side find a loss of one point in so many cases; null where too many would be needed."""
    found = power.to_show(math.log1p(-loss), spread.runs, alpha=_alpha(plan), power=chance)
    return found if found is not None and found <= MOST else None


def _alpha(plan: Plan) -> float:
    """Return the level of each test where all points and the sweep are tested together."""
    count = sum(len(plan.depths(profile)) * (1 + profile.is_mixed) for profile in plan.profiles)
    return limit("significance") / (count + (count > 1))


def outlook(plan: Plan, spread: Spread, *, loss: float, chance: float) -> Iterator[str]:
    """Give in words what the plan finds, and what it would take to show that nothing differs."""
    count = plan.repetitions
    often = power.finds(math.log1p(-loss), spread.runs, count, alpha=_alpha(plan))
    found = f"a loss of {100 * loss:g} % at one point is found in {100 * often:.0f} of 100 cases"
    yield f"{count} runs a side, taking turns: {found}, {spread.words}."
    if count > MANY:
        fewer = [(each, repetitions(plan, spread, loss=each, chance=chance)) for each in (2 * loss, 3 * loss)]
        told = [f"{100 * each:g} % {runs}" for each, runs in fewer if each < 1 and runs is not None and runs < count]
        if told:
            longer = "Longer runs spread less (--seconds)."
            yield f"A larger loss needs fewer runs a side (--show): {', '.join(told)}. {longer}"
    margin, alpha = limit("margin"), limit("significance")
    equal = power.to_show_equal(margin - 1, spread.runs, alpha=alpha, power=chance)
    if equal is not None:
        yield f"For a point to be shown equal within {margin:g} in {100 * chance:g} of 100 cases: {equal} runs a side."


def script(plan: Plan) -> str:
    """Return the script that runs every job file on both sides."""
    assert plan.sides is not None  # noqa: S101  (the plan of a gate has both)
    run = [
        f'fio --output-format=json+ --output="$runs/$side/{profile.name}.$repetition.json" {profile.name}.fio'
        for profile in plan.profiles
    ]
    lines = [
        "#!/bin/sh",
        "# Runs every job file before and after the change; the sides take turns, and each second pair begins with the",
        "# other. The side before is set again at the end. Runs go to before/ and after/ of a folder, this one unless",
        '# another is named: sh run.sh "$(date +%F)". Those of an earlier time are not added to, because a gate would',
        "# take both for one measurement.",
        "set -eu",
        'cd "$(dirname "$0")"',
        'runs="${1:-.}"',
        f"for side in {' '.join(SIDES)}; do",
        '  if [ -n "$(ls -A "$runs/$side" 2>/dev/null)" ]; then',
        '    echo "$PWD/$runs/$side holds runs of an earlier time. Move it away, or name a folder for these runs:" \\',
        """      "sh run.sh $(date +%F)" >&2""",
        "    exit 1",
        "  fi",
        "done",
        *(
            line
            for side, command in zip(SIDES, plan.sides, strict=True)
            for line in (f"set_{side}() {{", f"  {command}", "}")
        ),
        # A shell that a signal ends does not run what it does at its end, unless it exits by itself.
        "trap 'exit 129' HUP",
        "trap 'exit 130' INT",
        "trap 'exit 143' TERM",
        "trap set_before EXIT",
        *(f'mkdir -p "$runs/{side}"' for side in SIDES),
        "set_before",
        'fio --output-format=json+ --output="$runs/preparation.json" preparation.fio',
        "repetition=1",
        f'while [ "$repetition" -le {plan.repetitions} ]; do',
        f'  order="{" ".join(SIDES)}"',
        f'  if [ $((repetition % 2)) -eq 0 ]; then order="{" ".join(reversed(SIDES))}"; fi',
        "  for side in $order; do",
        '    "set_$side"',
        *(f"    {command}" for command in run),
        "  done",
        "  repetition=$((repetition + 1))",
        "done",
    ]
    return "\n".join(lines) + "\n"
