"""
Runs the benchmarks and prints tables of ratios, each beside its goal: ``npm run bench``.

Times are processor seconds (user and system, children included), because wall time drifts on shared machines. The
methods take turns within each round, each in a process of its own, and the ratio of a round is taken before the median,
so that drift hits all alike.
"""

from __future__ import annotations

import argparse
import statistics
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING

from rich.console import Console
from rich.table import Table

from bench import models, other_tools, whole
from bench.generate import fio_files
from bench.methods import BINS, JQ, LOOP, METHODS, PLAIN, YARDSTICK

if TYPE_CHECKING:
    from collections.abc import Sequence

SEED = 20261121
POOL_FILES, SCALE_FILES, FEW_FILES = 20_000, 100_000, 1_000
MODEL_RESULTS = (10_000, 100_000, 1_000_000)
MIXED, SMALL = "mixed fio reports, 6 KB to 2 MB", "small fio reports, about 7 KB"
GOALS: dict[str, dict[tuple[str, str], float]] = {
    MIXED: {(PLAIN, YARDSTICK): 1.2, (BINS, YARDSTICK): 2.5, (PLAIN, JQ): 1 / 6, (PLAIN, LOOP): 1 / 8},
    SMALL: {(PLAIN, YARDSTICK): 1.5},
}
"""Per corpus: method, what it is compared with, and the largest ratio of processor time that meets the goal."""
PARTS = ("fio", "others", "models")
START_UP, PEAK_MIB, POOL, GROWTH, FIO_PLOT = 5.0, 400, 0.6, 1.25, 1 / 6

Rounds = dict[str, list[whole.Taken]]


def measure(folder: Path, rounds: int) -> dict[str, list[whole.Taken]]:
    """Return what each method took in each round, one after the other in a process of its own."""
    taken: dict[str, list[whole.Taken]] = {name: [] for name in METHODS}
    for turn in range(rounds + 1):
        for name, method in METHODS.items():
            found = whole.child(folder, f"methods.{method.__name__}({{paths}})")
            if turn:  # the first round only warms the page cache
                taken[name].append(found)
    return taken


def ratio(taken: Rounds, method: str, other: str) -> float:
    """Return the median over the rounds of one method's processor time over another's."""
    pairs = zip(taken[method], taken[other], strict=True)
    return statistics.median(mine.processor_seconds / base.processor_seconds for mine, base in pairs)


def _methods_table(title: str, taken: Rounds) -> Table:
    table = Table(title=title, title_justify="left", title_style="bold")
    table.add_column("method")
    for heading in ("ratio to orjson.loads", "processor seconds", "rows or samples"):
        table.add_column(heading, justify="right")
    for name, each in taken.items():
        made = each[-1].produced
        middle = statistics.median(found.processor_seconds for found in each)
        shown = (f"{ratio(taken, name, YARDSTICK):.2f}", f"{middle:.2f}", f"{made:,}")
        table.add_row(name, *(shown if made else ("not installed", "", "")))
    return table


def _goals(corpus: str, taken: Rounds) -> list[tuple[str, float, float]]:
    return [
        (f"{corpus}: {method} / {other}", ratio(taken, method, other), goal)
        for (method, other), goal in GOALS[corpus].items()
        if taken[other][-1].produced
    ]


def _goals_table(found: Sequence[tuple[str, float, float]]) -> Table:
    table = Table(title="goals", title_justify="left", title_style="bold")
    table.add_column("measured")
    for heading in ("value", "at most", "met"):
        table.add_column(heading, justify="right")
    for name, value, goal in found:
        table.add_row(name, f"{value:,.2f}", f"{goal:,.2f}", "yes" if value <= goal else "no")
    return table


def _beside_fio_plot(scratch: Path, arguments: argparse.Namespace) -> list[tuple[str, float, float]]:
    """Return what reading takes beside fio-plot's loader, which can not tell the directions of a mixed job apart."""
    found = []
    for title in (MIXED, SMALL):
        folder = scratch / f"reads of {title[:5]}"
        fio_files(folder, arguments.files, SEED, mixed_share=0, small=title == SMALL)
        value = whole.fio_plot(arguments.fio_plot, folder, arguments.rounds)
        found.append((f"{title}, no mixed jobs: {PLAIN} / fio-plot's loader", value, FIO_PLOT))
    return found


def _scale(scratch: Path, rounds: int) -> list[tuple[str, float, float]]:
    """Return what only many files show: processor time per file, several processes, memory."""
    folder = scratch / "many"
    fio_files(folder, SCALE_FILES, SEED, small=True)
    some = scratch / "some"
    fio_files(some, POOL_FILES, SEED, small=True)
    return [
        ("processor time per file, 100,000 files / 1,000", whole.growth(folder, FEW_FILES, rounds), GROWTH),
        ("wall time of 20,000 files, two processes / one", whole.two_processes(some, rounds), POOL),
        ("peak memory of 100,000 files, MiB", whole.child(folder, whole.ROWS).peak_bytes / 2**20, PEAK_MIB),
    ]


def _models_table() -> Table:
    table = Table(title="dbt models (goals: 60 s, 6144 MiB)", title_justify="left", title_style="bold")
    headings = ("results", "dbt, wall s", "dbt, s", "plain DuckDB, wall s", "plain DuckDB, s", "dbt / plain")
    for heading in (*headings, "peak MiB", "rows of marts", "same rows", "dbt, ms per 1000 results"):
        table.add_column(heading, justify="right")
    with tempfile.TemporaryDirectory(prefix="ioledger-bench-") as scratch:
        for results in MODEL_RESULTS:
            cost = models.measure(Path(scratch, str(results)), results)
            times = (cost.dbt_seconds, cost.dbt_processor_seconds, cost.duckdb_seconds, cost.duckdb_processor_seconds)
            shown = (f"{cost.result_count:,}", *(f"{seconds:.1f}" for seconds in times))
            ratio = cost.dbt_processor_seconds / cost.duckdb_processor_seconds
            growth = 1e6 * cost.dbt_processor_seconds / cost.result_count
            size = (f"{cost.memory_mebibytes:,.0f}", f"{cost.row_count:,}", "yes" if cost.is_same else "no")
            table.add_row(*shown, f"{ratio:.2f}", *size, f"{growth:.0f}")
    return table


def _reading(console: Console, arguments: argparse.Namespace) -> None:
    """Measure the reading of fio reports, and print it beside the goals."""
    goals: list[tuple[str, float, float]] = []
    with tempfile.TemporaryDirectory(prefix="ioledger-bench-") as scratch:
        for title in (MIXED, SMALL):
            folder = Path(scratch, title[:5])
            paths = fio_files(folder, arguments.files, SEED, small=title == SMALL)
            volume = sum(path.stat().st_size for path in paths)
            taken = measure(folder, arguments.rounds)
            console.print(_methods_table(f"{len(paths):,} {title}, {volume / 1e6:,.0f} MB", taken))
            goals += _goals(title, taken)
            peak = max(found.peak_bytes for found in taken[BINS]) / 2**20
            goals.append((f"{title}: peak memory with histogram bins, MiB", peak, PEAK_MIB))
        if arguments.fio_plot:
            goals += _beside_fio_plot(Path(scratch), arguments)
        if arguments.scale:
            goals += _scale(Path(scratch), arguments.rounds)
    goals.append(("ioledger parse of one file / python -c 'import orjson'", whole.start_up(arguments.rounds), START_UP))
    console.print(_goals_table(goals))


def main() -> None:
    """Parse the arguments, make the files, measure, print."""
    parser = argparse.ArgumentParser(prog="python -m bench", description=__doc__.splitlines()[1] if __doc__ else "")
    parser.add_argument("--files", type=int, default=2000, help="files per corpus (default 2000; the goals name 10000)")
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
        console.print(other_tools.table(SEED, arguments.rounds))
    if "models" in wanted:
        console.print(_models_table())


if __name__ == "__main__":
    main()
