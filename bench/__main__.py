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
from bench.generate import fio_files, real_files
from bench.methods import BINS, JQ, LOOP, METHODS, PLAIN, YARDSTICK
from ioledger.measurement import files

if TYPE_CHECKING:
    from collections.abc import Iterator

SEED = 20261121
POOL_FILES, SCALE_FILES, FEW_FILES = 20_000, 100_000, 1_000
MODEL_RESULTS = (10_000, 100_000, 1_000_000)
REAL, MIXED = "reports as real archives have them", "made reports of all sizes, many with histograms"
GOALS: dict[str, dict[tuple[str, str], float]] = {
    REAL: {(PLAIN, YARDSTICK): 5.0, (BINS, YARDSTICK): 8.0},
    MIXED: {(PLAIN, YARDSTICK): 3.0, (BINS, YARDSTICK): 5.0, (PLAIN, JQ): 1 / 2, (PLAIN, LOOP): 1 / 4},
}
"""Per set of files: method, what it is compared with, and the largest ratio of processor time that meets the goal."""
PARTS = ("fio", "others", "models")
START_UP, PEAK_MIB, POOL, GROWTH = 5.0, 400, 0.6, 1.25


def measure(folder: Path, methods: set[str], rounds: int) -> tables.Rounds:
    """Return what each method took in each round, the fastest of some tries in turns, each in its own process."""
    taken: tables.Rounds = {name: [] for name in METHODS if name in methods}
    for turn in range(rounds + 1):
        tries: tables.Rounds = {name: [] for name in taken}
        for again in range(whole.TRIES if turn else 1):
            for name in taken:
                if not again or name != LOOP:  # it takes a minute, and is far from its goal
                    _say(f"round {turn} of {rounds}: {name}" if turn else f"warming the page cache: {name}")
                    tries[name].append(whole.child(folder, f"methods.{METHODS[name].__name__}({{paths}})"))
        for name, found in tries.items() if turn else ():
            taken[name].append(min(found))
    return taken


def _say(line: str) -> None:
    """Say what is measured now: a whole run takes a quarter of an hour."""
    print(line, file=sys.stderr, flush=True)  # noqa: T201  (progress)


def _of_folder(console: Console, folder: Path, title: str, rounds: int) -> list[tables.Goal]:
    """Measure the ways of reading these files, print the times, and return the goals with what was measured."""
    goals = GOALS[title]
    taken = measure(folder, {name for pair in goals for name in pair}, rounds)
    sizes = [Path(path).stat().st_size for path in files.listed([folder])]
    console.print(tables.methods(f"{len(sizes):,} {title}, {sum(sizes) / 1e6:,.0f} MB", taken))
    found: list[tables.Goal] = [
        (f"{title}: {method} / {other}", tables.ratio(taken, method, other), goal)
        for (method, other), goal in goals.items()
        if taken[other][-1].produced
    ]
    peak = max(each.peak_bytes for each in taken[BINS]) / 2**20
    return [*found, (f"{title}: peak memory with histogram bins, MiB", peak, PEAK_MIB)]


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
        for title, make in ((REAL, real_files), (MIXED, fio_files)):
            folder = Path(scratch, title[:5])
            make(folder, arguments.files, SEED)
            goals += _of_folder(console, folder, title, arguments.rounds)
        if arguments.scale:
            goals += _scale(Path(scratch), arguments.rounds)
    goals.append(("ioledger parse of one file / python -c 'import orjson'", whole.start_up(arguments.rounds), START_UP))
    console.print(tables.goals(goals))


def main() -> None:
    """Parse the arguments, make the files, measure, print."""
    parser = argparse.ArgumentParser(prog="python -m bench", description=__doc__.splitlines()[1] if __doc__ else "")
    parser.add_argument("--files", type=int, default=5_000, help="files per set (default 5000)")
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--folder", type=Path, metavar="DIR", help="measure the files below this folder instead")
    parser.add_argument("--scale", action="store_true", help="also measure 20,000 and 100,000 files (needs 1 GB)")
    parser.add_argument("--only", choices=PARTS, help="measure this alone: fio reports, other tools' files, dbt models")
    arguments = parser.parse_args()
    console = Console(width=110)
    if arguments.folder is not None:
        console.print(tables.goals(_of_folder(console, arguments.folder, REAL, arguments.rounds)))
        return
    wanted = [arguments.only] if arguments.only else PARTS
    if "fio" in wanted:
        _reading(console, arguments)
    if "others" in wanted:
        console.print(other_tools.table(SEED, arguments.rounds * whole.TRIES))
    if "models" in wanted:
        console.print(tables.models(_costs()))


if __name__ == "__main__":
    main()
