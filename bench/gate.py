"""
False alarms and power of ``ioledger gate`` under ten models of noise: ``python -m bench.gate [TRIALS]``.

Each trial makes runs of both sides as noise of a known kind and asks the gate's own function. Orders: drawn pairs as
``plan --gate`` draws them, ABBA, and A…B…A. A false alarm is "better" or "worse" between equal sides; power is the
share of "worse" where one side is a tenth slower. The table is the one of ``docs/gate.md``.
"""

from __future__ import annotations

import math
import sys
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING

import numpy as np

from ioledger.gating import Span
from ioledger.gating.points import Point, Run, Side
from ioledger.gating.run import Asked, compare_sides
from ioledger.plan.steps import draw_order, runs_in_order

if TYPE_CHECKING:
    from collections.abc import Callable

    from numpy.random import Generator
    from numpy.typing import NDArray

    Noise = Callable[[Generator, int, int], NDArray[np.float64]]

COUNTS = (3, 5, 8, 12)
START = datetime(2026, 11, 22, tzinfo=UTC)
IOPS = "operations_per_second"
SLOWER, SLOW_SHARE = math.log(0.9), 0.15


def _normal(noise: Generator, runs: int, points: int) -> NDArray[np.float64]:
    return noise.normal(0, 0.05, (runs, points))


def _correlate_runs(rho: float) -> Noise:
    def make_noise(noise: Generator, runs: int, points: int) -> NDArray[np.float64]:
        shared = np.empty(runs)
        shared[0] = noise.normal(0, 0.05)
        for run in range(1, runs):
            shared[run] = rho * shared[run - 1] + noise.normal(0, 0.05 * math.sqrt(1 - rho**2))
        return shared[:, None] + noise.normal(0, 0.01, (runs, points))

    return make_noise


def _step(noise: Generator, runs: int, points: int, *, at: int | None = None) -> NDArray[np.float64]:
    place = int(noise.integers(1, runs)) if at is None else at
    return np.where(np.arange(runs) >= place, -0.12, 0.0)[:, None] + noise.normal(0, 0.01, (runs, points))


def _drift(noise: Generator, runs: int, points: int) -> NDArray[np.float64]:
    return np.linspace(0, -0.1, runs)[:, None] + noise.normal(0, 0.01, (runs, points))


def _two_speeds(noise: Generator, runs: int, points: int) -> NDArray[np.float64]:
    slow = noise.random((runs, points)) < SLOW_SHARE
    return np.where(slow, -0.25, 0.0) + noise.normal(0, 0.02, (runs, points))


def _thermal(noise: Generator, runs: int, points: int) -> NDArray[np.float64]:
    period, phase = noise.uniform(2, 6), noise.uniform(0, 1)
    saw = -0.15 * ((np.arange(runs) / period + phase) % 1)
    return saw[:, None] + noise.normal(0, 0.01, (runs, points))


def _periodic(period: int) -> Noise:
    def make_noise(noise: Generator, runs: int, points: int) -> NDArray[np.float64]:
        place = int(noise.integers(period))
        saw = np.where((np.arange(runs) + place) % period < period / 2, 0.0, -0.1)
        return saw[:, None] + noise.normal(0, 0.01, (runs, points))

    return make_noise


NOISES: dict[str, Noise] = {
    "normal 5 %": _normal,
    "AR(1) 0.5 between runs, 5 %": _correlate_runs(0.5),
    "AR(1) 0.9 between runs, 5 %": _correlate_runs(0.9),
    "step 12 % anywhere": _step,
    "step 12 % in the middle": lambda noise, runs, points: _step(noise, runs, points, at=runs // 2),
    "linear drift 10 %": _drift,
    "two speeds, -25 %, 15 % of the time": _two_speeds,
    "thermal sawtooth, period 2 to 6 runs, -15 %": _thermal,
    "period of exactly 4": _periodic(4),
    "period of exactly 3": _periodic(3),
}


def _abba(pairs: int, _: Generator) -> str:
    return runs_in_order("AB" * (pairs // 2) + "A" * (pairs % 2))


def _aba(pairs: int, _: Generator) -> str:
    half = pairs // 2
    return "A" * (pairs - half) + "B" * pairs + "A" * half


def _draw_order(pairs: int, noise: Generator) -> str:
    return runs_in_order(draw_order(pairs, int(noise.integers(1 << 30))))


def trial(values: NDArray[np.float64], order: str, slower: float = 0.0) -> str:
    """Return the verdict of a gate on runs by order and points; side B is slower by so much on the logarithm."""
    sides: dict[str, dict[Point, list[Run]]] = {"A": {}, "B": {}}
    for turn, (side, row) in enumerate(zip(order, values, strict=True)):
        end = START + timedelta(minutes=turn)
        span = Span(end - timedelta(seconds=30), end)
        for depth, value in enumerate(row):
            point = Point("read", "random", None, 1.0, 4096, 4096, 1 << depth, 1, True, "libaio", "file")  # noqa: FBT003
            rate = math.exp(9 + value + slower * (side == "B"))
            run = Run({IOPS: rate}, "total", None, span, f"{side}{turn}-{depth}", "", "{}")
            sides[side].setdefault(point, []).append(run)
    return compare_sides(Side("", sides["A"], []), Side("", sides["B"], []), Asked()).change.value


def main(trials: int) -> None:
    """Print the shares of false alarms, then the power, as Markdown tables."""
    noise = np.random.default_rng(20261127)
    heads = ("drawn pairs, 3 points", "drawn pairs, 1 point", "ABBA, 3 points", "A…B…A, 3 points")
    orders = ((_draw_order, 3), (_draw_order, 1), (_abba, 3), (_aba, 3))
    print(f"False alarms (better or worse), %, n = {', '.join(map(str, COUNTS))}; {trials:,} trials a cell\n")
    print(f"| noise | {' | '.join(heads)} |\n|---|{'---|' * len(heads)}")
    for name, made in NOISES.items():
        cells = []
        for order, points in orders:
            shares = []
            for count in COUNTS:
                found = [trial(made(noise, 2 * count, points), order(count, noise)) for _ in range(trials)]
                shares.append(f"{100 * sum(each in {'better', 'worse'} for each in found) / trials:.1f}")
            cells.append(" ".join(shares))
        print(f"| {name} | {' | '.join(cells)} |", flush=True)
    print("\nPower: -10 % called worse, %, independent noise of 5 %, drawn pairs\n")
    print("| points | n = 3 | 5 | 6 | 8 |\n|---|---|---|---|---|")
    for points in (1, 3):
        shares = []
        for count in (3, 5, 6, 8):
            found = [trial(_normal(noise, 2 * count, points), _draw_order(count, noise), SLOWER) for _ in range(trials)]
            shares.append(f"{100 * found.count('worse') / trials:.0f}")
        print(f"| {points} | {' | '.join(shares)} |", flush=True)


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 2000)
