"""
Counts what a gate decides on triples of real runs, and what it should decide on noise of the same spread.

Two equal runs against each other are A/A: every "better" or "worse" is a false alarm. A true difference is an equal run
against the capped one, or against another equal one that is taken as slower: real noise, and a loss known exactly.
The same runs are put in four layouts: sides that take turns, by Welch's t and as pairs; one block and then the other;
and two blocks far apart.

*Normal* noise has the variances and covariances of the three kinds of runs within a group, which are what a test sees
of them, and the mean loss of the capped ones. A share has Wilson's interval: E. B. Wilson, Journal of the American
Statistical Association 22 (1927).
"""

from __future__ import annotations

import math
from collections import Counter
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
from rich.table import Table

from ioledger.gating import statistics as tests
from ioledger.gating.order import Layout
from ioledger.gating.points import METRICS, Side, read
from ioledger.gating.run import Asked, compared
from ioledger.judgement.verdicts import Change

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence

    from numpy.typing import NDArray

    from ioledger.gating.points import Point, Run

    Triples = list[dict[str, Run]]
    Numbers = NDArray[np.float64]

EQUAL, SLOWER = ("a", "b"), "c"
"""The two runs of the same setting, and the capped one."""
COUNTS = (3, 5, 8)
"""Runs a side."""
TRUSTED = Asked(trusts_order=True)
"""So that the tests themselves are seen; without it one block per side is never better or worse."""
QUESTION = tests.Question(is_latency=False, margin=TRUSTED.margin, alpha=TRUSTED.alpha)
SEED, TRIALS, SURE = 20261123, 4000, 1.959964
WELCH, PAIRS = "alternated, by Welch", "alternated, as pairs"
LAYOUTS = (WELCH, PAIRS, "one block, then the other", "two blocks far apart")


class Truth(NamedTuple):
    """What the second side is: runs of a kind, and what is left of the rate of each."""

    kind: str
    left: float = 1.0


SAME, CAPPED = Truth("b"), Truth(SLOWER)


class Held(NamedTuple):
    """The triples of a folder in time, the point they are of, and logarithms of their rates: a row for each, a b c."""

    triples: Triples
    point: Point
    logarithms: Numbers


def held(folder: Path) -> Held:
    """Return what a folder holds; its runs are of one point, and named ``TRIPLE.KIND.json``."""
    ((point, runs),) = read(folder).points.items()
    found: dict[str, dict[str, Run]] = {}
    for run in runs:
        triple, kind, *_ = Path(run.place.partition("#")[0]).name.split(".")
        found.setdefault(triple, {})[kind] = run
    triples = [found[triple] for triple in sorted(found) if len(found[triple]) == len((*EQUAL, SLOWER))]
    return Held(triples, point, np.log([[_rate(triple[kind]) for kind in (*EQUAL, SLOWER)] for triple in triples]))


def noise(own: Held) -> str:
    """Return in words how far equal runs spread, at once and over all, how high the capped ones came, and the tails."""
    a, b, c = own.logarithms.T
    apart = b - a
    tails = np.mean((apart - apart.mean()) ** 4) / np.var(apart) ** 2 - 3
    lag = np.corrcoef(a[:-1], a[1:])[0, 1]
    return (
        f"{len(a)} triples: neighbours spread by {np.std(apart, ddof=1) / math.sqrt(2):.1%}, all equal runs by "
        f"{np.std([a, b]):.1%}, capped ones by {np.std(c):.1%}; capped runs reached {math.exp(_loss(own)):.3f}; "
        f"excess kurtosis {tails:.1f}, correlation of runs in a row {lag:.2f}"
    )


def layouts(own: Held) -> Table:
    """Return a table: for each layout and number of runs how often equal runs are told apart, and the cap is found."""
    table = Table("layout", *(f"n = {count}" for count in COUNTS), title="false alarms / caps found in % (pairs)")
    for layout in LAYOUTS:
        cells = []
        for count in COUNTS:
            pairs = [*_sides(layout, own.triples, count)]
            same, capped = (_shares(own.point, pairs, layout, truth) for truth in (SAME, CAPPED))
            cells.append(f"{100 * _told(same):.1f} / {100 * capped[Change.WORSE]:.0f} ({len(pairs)})")
        table.add_row(layout, *cells)
    return table


def powers(own: Held, left: float) -> Table:
    """
    Return a table: of sides in turns, what is found in percent with its interval, and of normal noise beside it.

    ``left`` is the share of its rate that a run keeps where each is taken as slower.
    """
    taken = f"{1 - left:.1%} slower found"
    head = ("test", "n", "spread in a group", "false alarms", "shown equal", taken, "cap found")
    truths = (SAME, Truth("b", left), CAPPED)
    table = Table(*head, title="found in % (interval), of normal noise of the same spread")
    for layout in (WELCH, PAIRS):
        for count in COUNTS:
            pairs = [*_sides(layout, own.triples, count)]
            real = [_shares(own.point, pairs, layout, truth) for truth in truths]
            normal = [_simulated(own, count, layout, truth) for truth in truths]
            asked: list[tuple[int, Callable[[dict[Change, float]], float]]] = [
                (0, _told), (0, _equal), (1, _worse), (2, _worse),
            ]  # fmt: skip
            cells = [_beside(share(real[truth]), len(pairs), share(normal[truth])) for truth, share in asked]
            spread = math.sqrt(_covariance(own, count)[:2, :2].diagonal().mean())
            table.add_row(layout, f"{count} ({len(pairs)})", f"{spread:.1%}", *cells)
    return table


def _told(shares: dict[Change, float]) -> float:
    return shares[Change.BETTER] + shares[Change.WORSE]


def _worse(shares: dict[Change, float]) -> float:
    return shares[Change.WORSE]


def _equal(shares: dict[Change, float]) -> float:
    return shares[Change.EQUAL]


def _beside(share: float, count: int, normal: float) -> str:
    """Return a share with its interval and what it is of normal noise, all in percent; marked where they disagree."""
    low, high = wilson(share, count)
    mark = "" if round(low, 9) <= normal <= round(high, 9) else " !"
    return f"{100 * share:.1f} ({100 * low:.0f} to {100 * high:.0f}), {100 * normal:.1f}{mark}"


def wilson(share: float, count: int) -> tuple[float, float]:
    """Return the interval of a share of so many, at 95 %."""
    middle = share + SURE**2 / (2 * count)
    width = SURE * math.sqrt(share * (1 - share) / count + (SURE / (2 * count)) ** 2)
    return max((middle - width) / (1 + SURE**2 / count), 0.0), min((middle + width) / (1 + SURE**2 / count), 1.0)


def _sides(layout: str, triples: Triples, count: int) -> Iterator[tuple[Triples, Triples]]:
    """Give the triples of both sides of each pair, as a layout puts them."""
    groups = [triples[start : start + count] for start in range(0, len(triples) - count + 1, count)]
    if layout in {WELCH, PAIRS}:
        yield from zip(groups, groups, strict=True)
    elif layout.startswith("one block"):
        yield from zip(groups[::2], groups[1::2], strict=False)
    else:
        half = len(groups) // 2
        yield from zip(groups[:half], groups[half:], strict=False)


def _shares(point: Point, pairs: Sequence[tuple[Triples, Triples]], layout: str, truth: Truth) -> dict[Change, float]:
    """Return the share of each verdict, as the command gives it, where so much is true."""
    told = Counter(
        _changed(
            _side([triple["a"] for triple in before], point),
            _side([_scaled(triple[truth.kind], truth.left) for triple in after], point),
            layout,
        )
        for before, after in pairs
    )
    return {change: told[change] / len(pairs) for change in Change}


def _scaled(run: Run, factor: float) -> Run:
    return run._replace(values={METRICS["iops"]: factor * _rate(run)})


def _side(runs: Iterable[Run], point: Point) -> Side:
    return Side("", {point: sorted(runs, key=lambda run: run.span or ())}, [])


def _changed(before: Side, after: Side, layout: str) -> Change:
    """Return the verdict as the command gives it; without times sides that took turns are not compared as pairs."""
    if layout == WELCH:
        before, after = (
            side._replace(
                points={point: [run._replace(span=None) for run in runs] for point, runs in side.points.items()}
            )
            for side in (before, after)
        )
    verdict = compared(before, after, TRUSTED)
    assert (verdict.layout is Layout.ALTERNATED) == (layout == PAIRS)  # noqa: S101  (what is counted)
    return verdict.change


def _simulated(own: Held, count: int, layout: str, truth: Truth) -> dict[Change, float]:
    """Return the share of each verdict on sides of normal noise with the variances and covariances of these runs."""
    drawn = np.random.default_rng(SEED).multivariate_normal(np.zeros(3), _covariance(own, count), (TRIALS, count))
    before = drawn[:, :, 0]
    shift = _loss(own) if truth == CAPPED else math.log(truth.left)
    after = drawn[:, :, (*EQUAL, SLOWER).index(truth.kind)] + shift
    told = Counter[Change]()
    for one, other in zip(before.tolist(), after.tolist(), strict=True):
        found = tests.assessed(one, other, QUESTION, paired=layout == PAIRS)
        told[tests.decided(found, found.p_difference, QUESTION)] += 1
    return {change: told[change] / TRIALS for change in Change}


def _covariance(own: Held, count: int) -> Numbers:
    """Return the covariance of the three kinds of runs around their means within groups of so many triples."""
    groups = len(own.triples) // count
    grouped = own.logarithms[: groups * count].reshape(groups, count, 3)
    apart = (grouped - grouped.mean(axis=1, keepdims=True)).reshape(-1, 3)
    found: Numbers = apart.T @ apart / (groups * (count - 1))
    return found


def _loss(own: Held) -> float:
    """Return the mean loss of the capped runs, on the logarithm."""
    return float(own.logarithms[:, 2].mean() - own.logarithms[:, :2].mean())


def _rate(run: Run) -> float:
    value = run.values[METRICS["iops"]]
    assert value is not None  # noqa: S101  (every run was measured)
    return value
