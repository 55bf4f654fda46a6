"""
Runs the benchmarks and prints tables of ratios, each beside its goal: ``npm run bench``.

Times are processor seconds (user and system, children included), because wall time drifts on shared machines. The
methods take turns within each round, each in a process of its own. A goal is met when both the fastest round of each
and the median of the ratios of the rounds meet it; what meets it by one of the two only is said so.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING

from rich.console import Console

from bench import models, other_tools, tables, whole
from bench.generate import fio_files
from bench.methods import BINS, JQ, JQ_FEW, LOOP, METHODS, PLAIN, YARDSTICK

if TYPE_CHECKING:
    from collections.abc import Iterator

SEED = 20261121
POOL_FILES, SCALE_FILES, FEW_FILES = 20_000, 100_000, 1_000
MODEL_RESULTS = (10_000, 100_000, 1_000_000)
MIXED, SMALL = "mixed fio reports, 6 KB to 2 MB", "small fio reports, about 7 KB"
GOALS: dict[str, dict[tuple[str, str], float]] = {
    MIXED: {
        (PLAIN, YARDSTICK): 1.2,
        (BINS, YARDSTICK): 2.5,
        (PLAIN, JQ): 1 / 6,
        (PLAIN, JQ_FEW): 1 / 6,
        (PLAIN, LOOP): 1 / 8,
    },
    SMALL: {(PLAIN, YARDSTICK): 1.5},
}
"""Per corpus: method, what it is compared with, and the largest ratio of processor time that meets the goal."""
PARTS = ("fio", "others", "models")
START_UP, PEAK_MIB, POOL, GROWTH, FIO_PLOT = 5.0, 400, 0.6, 1.25, 1 / 6


def measure(folder: Path, rounds: int) -> tables.Rounds:
    """Return what each method took in each round, the fastest of some tries in turns, each in its own process."""
    taken: tables.Rounds = {name: [] for name in METHODS}
    for turn in range(rounds + 1):
        tries: tables.Rounds = {name: [] for name in METHODS}
        for again in range(whole.TRIES if turn else 1):
            for name, method in METHODS.items():
                if not again or name != LOOP:  # it takes a minute, and is far from its goal
                    _say(f"round {turn} of {rounds}: {name}" if turn else f"warming the page cache: {name}")
                    tries[name].append(whole.child(folder, f"methods.{method.__name__}({{paths}})"))
        for name, found in tries.items() if turn else ():
            taken[name].append(min(found))
    return taken


def _say(line: str) -> None:
    """Say what is measured now: a whole run takes a quarter of an hour."""
    print(line, file=sys.stderr, flush=True)  # noqa: T201  (progress)


def _goals(corpus: str, taken: tables.Rounds) -> list[tables.Goal]:
    return [
        (f"{corpus}: {method} / {other}", tables.ratio(taken, method, other), goal)
        for (method, other), goal in GOALS[corpus].items()
        if taken[other][-1].produced
    ]


def _beside_fio_plot(scratch: Path, arguments: argparse.Namespace) -> list[tables.Goal]:
    """Return what reading takes beside fio-plot's loader, which can not tell the directions of a mixed job apart."""
    found: list[tables.Goal] = []
    for title in (MIXED, SMALL):
        folder = scratch / f"reads of {title[:5]}"
        fio_files(folder, arguments.files, SEED, mixed_share=0, small=title == SMALL)
        _say(f"fio-plot's loader: {title}")
        value = whole.fio_plot(arguments.fio_plot, folder, arguments.rounds)
        found.append((f"{title}, no mixed jobs: {PLAIN} / fio-plot's loader", value, FIO_PLOT))
    return found


def _scale(scratch: Path, rounds: int) -> list[tables.Goal]:
    """Return what only many files show: processor time per file, several processes, memory."""
    _say("20,000 and 100,000 files")
    folder = scratch / "many"
    fio_files(folder, SCALE_FILES, SEED, small=True)
    some = scratch / "some"
    fio_files(some, POOL_FILES, SEED, small=True)
    return [
        ("processor time per file, 100,000 files / 1,000", whole.growth(folder, FEW_FILES, rounds), GROWTH),
        ("wall time of 20,000 files, two processes / one", whole.two_processes(some, rounds), POOL),
        ("wall time of 100,000 files, two processes / one", whole.two_processes(folder, rounds), POOL),
        ("peak memory of 100,000 files, MiB", whole.child(folder, whole.ROWS).peak_bytes / 2**20, PEAK_MIB),
    ]


def _costs() -> Iterator[models.Cost]:
    """Give the cost of the dbt models for each number of results."""
    with tempfile.TemporaryDirectory(prefix="ioledger-bench-") as scratch:
        for results in MODEL_RESULTS:
            _say(f"dbt models: {results:,} results")
            yield models.measure(Path(scratch, str(results)), results)


def _reading(console: Console, arguments: argparse.Namespace) -> None:
    """Measure the reading of fio reports, and print it beside the goals."""
    goals: list[tables.Goal] = []
    with tempfile.TemporaryDirectory(prefix="ioledger-bench-") as scratch:
        for title in (MIXED, SMALL):
            folder = Path(scratch, title[:5])
            paths = fio_files(folder, arguments.files, SEED, small=title == SMALL)
            volume = sum(path.stat().st_size for path in paths)
            taken = measure(folder, arguments.rounds)
            console.print(tables.methods(f"{len(paths):,} {title}, {volume / 1e6:,.0f} MB", taken))
            goals += _goals(title, taken)
            peak = max(found.peak_bytes for found in taken[BINS]) / 2**20
            goals.append((f"{title}: peak memory with histogram bins, MiB", peak, PEAK_MIB))
        if arguments.fio_plot:
            goals += _beside_fio_plot(Path(scratch), arguments)
        if arguments.scale:
            goals += _scale(Path(scratch), arguments.rounds)
    goals.append(("ioledger parse of one file / python -c 'import orjson'", whole.start_up(arguments.rounds), START_UP))
    console.print(tables.goals(goals))


def main() -> None:
    """Parse the arguments, make the files, measure, print."""
    parser = argparse.ArgumentParser(prog="python -m bench", description=__doc__.splitlines()[1] if __doc__ else "")
    parser.add_argument("--files", type=int, default=10_000, help="files per corpus (default 10000, as the goals name)")
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--fio-plot", metavar="PYTHON", help="an interpreter that has fio-plot, to compare with it")
    parser.add_argument("--scale", action="store_true", help="also measure 20,000 and 100,000 files (needs 1 GB)")
    parser.add_argument("--only", choices=PARTS, help="measure this alone: fio reports, other tools' files, dbt models")
    arguments = parser.parse_args()
    console = Console(width=110)
    wanted = [arguments.only] if arguments.only else PARTS
    if "fio" in wanted:
        _reading(console, arguments)
    if "others" in wanted:
        console.print(other_tools.table(SEED, arguments.rounds * whole.TRIES))
    if "models" in wanted:
        console.print(tables.models(_costs()))


if __name__ == "__main__":
    main()
