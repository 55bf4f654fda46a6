"""
Runs the benchmarks and prints one table of ratios: ``npm run bench``.

Times are processor seconds (user and system, children included), because wall time drifts on shared machines. The
methods take turns within each round, and the ratio of a round is taken before the median, so that drift hits all alike.
"""

from __future__ import annotations

import argparse
import resource
import statistics
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING

from rich.console import Console
from rich.table import Table

from bench.generate import fio_files
from bench.methods import METHODS

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

YARDSTICK = "orjson.loads alone"
SEED = 20261121


def processor_seconds() -> float:
    """Return the processor time of this process and its finished children, in seconds."""
    own, children = (resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN))
    return own.ru_utime + own.ru_stime + children.ru_utime + children.ru_stime


def measure(paths: Sequence[Path], rounds: int) -> dict[str, tuple[float, float, int]]:
    """Return for each method the median ratio to the yardstick, median processor seconds, and what it produced."""
    seconds: dict[str, list[float]] = {name: [] for name in METHODS}
    produced: dict[str, int] = {}
    for turn in range(rounds + 1):
        for name, method in METHODS.items():
            started = processor_seconds()
            produced[name] = method(paths)
            if turn:  # the first round only warms caches and imports
                seconds[name].append(processor_seconds() - started)
    found = {}
    for name, times in seconds.items():
        ratios = [mine / base for mine, base in zip(times, seconds[YARDSTICK], strict=True)]
        found[name] = (statistics.median(ratios), statistics.median(times), produced[name])
    return found


def start_up(rounds: int) -> float:
    """Return the processor time of ``ioledger parse`` of one file over that of ``python -c "import orjson"``."""
    report = Path(__file__).parent.parent / "ingest" / "tests" / "fixtures" / "submission" / "report.json"
    commands = {
        "bare": [sys.executable, "-c", "import orjson"],
        "parse": [str(Path(sys.executable).with_name("ioledger")), "parse", str(report)],
    }
    ratios = []
    for _ in range(rounds * 3):
        taken = {name: _child_seconds(command) for name, command in commands.items()}
        ratios.append(taken["parse"] / taken["bare"])
    return statistics.median(ratios)


def _child_seconds(command: list[str]) -> float:
    started = processor_seconds()
    subprocess.run(command, check=True, capture_output=True)  # noqa: S603  (own programs)
    return processor_seconds() - started


def _table(title: str, found: dict[str, tuple[float, float, int]]) -> Table:
    table = Table(title=title, title_justify="left", title_style="bold")
    table.add_column("method")
    for heading in ("ratio to orjson.loads", "processor seconds", "rows or samples"):
        table.add_column(heading, justify="right")
    for name, (ratio, seconds, produced) in found.items():
        shown = (f"{ratio:.2f}", f"{seconds:.2f}", f"{produced:,}") if produced else ("not installed", "", "")
        table.add_row(name, *shown)
    return table


def main() -> None:
    """Parse the arguments, make the files, measure, print."""
    parser = argparse.ArgumentParser(prog="python -m bench", description=__doc__.splitlines()[1] if __doc__ else "")
    parser.add_argument("--files", type=int, default=2000, help="files per corpus (default 2000; the goals name 10000)")
    parser.add_argument("--rounds", type=int, default=3)
    arguments = parser.parse_args()
    say: Callable[..., None] = Console(width=100).print
    with tempfile.TemporaryDirectory(prefix="ioledger-bench-") as scratch:
        for title, small in (("mixed fio reports, 5 KB to 2 MB", False), ("small fio reports, about 7 KB", True)):
            paths = fio_files(Path(scratch, title), arguments.files, SEED, small=small)
            volume = sum(path.stat().st_size for path in paths)
            say(_table(f"{len(paths):,} {title}, {volume / 1e6:,.0f} MB", measure(paths, arguments.rounds)))
    say(f"one file as a whole process: {start_up(arguments.rounds):.2f} times python -c 'import orjson'")
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    say(f"peak memory of this process: {peak:,.0f} MiB")


if __name__ == "__main__":
    main()
