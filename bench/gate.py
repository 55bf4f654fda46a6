"""
What ``ioledger gate`` decides on real runs of this machine: false alarms, and how often a slower side is found.

``python -m bench.gate measure FOLDER`` runs fio in triples, each in random order: two runs of the same setting, and one
whose rate is capped at 0.9 of the recent median. A run is 4 KiB random read at queue depth 4 for 0.3 s on a file of
64 MiB. ``python -m bench.gate judge FOLDER`` makes sides of them, judges each pair as the command would, and counts.

Two equal runs against each other are A/A: every "worse" or "better" is a false alarm. An equal run against the capped
one is a true difference. The same runs are put in four layouts: sides that take turns, by Welch's t and as pairs; one
block and then the other; and two blocks far apart.
"""

from __future__ import annotations

import argparse
import json
import math
import random
import statistics
import subprocess
import sys
import time
from pathlib import Path
from typing import TYPE_CHECKING, Any

from rich.console import Console
from rich.table import Table

from ioledger.gating.order import Layout
from ioledger.gating.points import METRICS, Side, read
from ioledger.gating.run import Asked, compared
from ioledger.judgement.verdicts import Change

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from ioledger.gating.points import Point, Run

    Triples = list[dict[str, Run]]

SEED, CAP, RECENT = 20261122, 0.9, 20
"""Seed of the order, the share that a capped run may reach, and of how many runs the median is taken."""
FILE_BYTES, SECONDS = "64m", "300ms"
TARGETS = {
    "disk": ("--ioengine=libaio", "--direct=1", "--iodepth=4"),
    "memory": ("--ioengine=psync",),
    "think-300us": ("--ioengine=psync", "--thinktime=300us"),
    "think-1ms": ("--ioengine=psync", "--thinktime=1ms"),
    "think-3ms": ("--ioengine=psync", "--thinktime=3ms"),
}
"""Options of fio by the word of a target. The longer a job waits between operations, the less its rate spreads."""
REALTIME = ("chrt", "--fifo", "1")
"""Puts a run before all other work of the machine; it needs the rights for it."""
EQUAL, SLOWER = ("a", "b"), "c"
"""The two runs of the same setting, and the capped one."""


def measure(folder: Path, triples: int, command: Sequence[str]) -> None:
    """Run a command of fio that many times three, and keep every report; runs that are there already are kept."""
    folder.mkdir(parents=True, exist_ok=True)
    order, recent = random.Random(SEED), list[float]()  # noqa: S311  (an order, no secret)
    for triple in range(triples):
        kinds = [*EQUAL, SLOWER]
        order.shuffle(kinds)
        for kind in kinds:
            report = folder / f"{triple:04}.{kind}.json"
            cap = CAP * statistics.median(recent[-RECENT:]) if kind == SLOWER and recent else 0.0
            if not report.exists():
                _run(report, [*command, f"--filename={folder / 'file.dat'}"], cap)
            if kind != SLOWER:
                recent.append(_rate(report))
        print(f"\r{triple + 1} of {triples}", end="", file=sys.stderr, flush=True)  # noqa: T201  (progress)


def _command(target: str, *, is_realtime: bool) -> list[str]:
    """Return the command of a run of a target."""
    return [*(REALTIME if is_realtime else ()), "fio", "--name=point", f"--size={FILE_BYTES}", "--rw=randread", "--bs=4k",
            "--time_based", f"--runtime={SECONDS}", "--output-format=json", *TARGETS[target]]  # fmt: skip


def _run(report: Path, command: Sequence[str], cap: float) -> None:
    """Run fio once; its report appears whole."""
    written = report.with_suffix(".part")
    capped = [f"--rate_iops={round(cap)}"] if cap else []
    subprocess.run([*command, *capped, f"--output={written}"], check=True)  # noqa: S603
    written.rename(report)


def _rate(report: Path) -> float:
    """Return the operations per second of a report."""
    found: dict[str, Any] = json.loads(report.read_bytes())
    return float(found["jobs"][0]["read"]["iops"])


COUNTS = (3, 5, 8)
"""Runs a side."""
TRUSTED = Asked(trusts_order=True)
"""So that the tests themselves are seen; without it one block per side is never better or worse."""


def judge(folder: Path) -> Table:
    """Return a table: for each layout and number of runs how often equal runs are told apart, and the cap is found."""
    found = read(folder)
    ((point, runs),) = found.points.items()
    triples = _triples(runs)
    table = Table(title=f"{len(triples)} triples; {_noise(triples)}")
    for name in ("layout", *(f"n = {count}" for count in COUNTS)):
        table.add_column(name)
    for layout in ("alternated, by Welch", "alternated, as pairs", "one block, then the other", "two blocks far apart"):
        table.add_row(layout, *(_shares(layout, triples, count, point) for count in COUNTS))
    return table


def _triples(runs: Sequence[Run]) -> Triples:
    """Return the runs by triple and kind, as their reports are named."""
    found: dict[str, dict[str, Run]] = {}
    for run in runs:
        triple, kind, *_ = Path(run.place.partition("#")[0]).name.split(".")
        found.setdefault(triple, {})[kind] = run
    return [found[triple] for triple in sorted(found)]


def _noise(triples: Triples) -> str:
    """Return in words how far equal runs spread, at once and over all, and how high the capped ones came."""
    logarithms = {kind: [math.log(_value(triple[kind])) for triple in triples] for kind in (*EQUAL, SLOWER)}
    apart = [one - other for one, other in zip(logarithms["a"], logarithms["b"], strict=True)]
    near = statistics.pstdev(apart) / math.sqrt(2)
    whole = statistics.pstdev(logarithms["a"])
    lost = statistics.mean(logarithms[SLOWER]) - statistics.mean([*logarithms["a"], *logarithms["b"]])
    return f"neighbours spread by {near:.1%}, all by {whole:.1%}, capped runs reached {math.exp(lost):.3f}"


def _value(run: Run) -> float:
    value = run.values[METRICS["iops"]]
    assert value is not None  # noqa: S101  (every run was measured)
    return value


def _shares(layout: str, triples: Triples, count: int, point: Point) -> str:
    """Return the share of pairs of sides that are told apart though equal, and in which the cap is found."""
    pairs = list(_sides(layout, triples, count))
    wrong, right = 0, 0
    for before, after in pairs:
        first = _side([triple["a"] for triple in before], point)
        for kind in ("b", SLOWER):
            second = _side([triple[kind] for triple in after], point)
            change = _changed(first, second, layout)
            wrong += kind == "b" and change in {Change.BETTER, Change.WORSE}
            right += kind == SLOWER and change is Change.WORSE
    return f"{wrong / len(pairs):.1%} / {right / len(pairs):.0%} ({len(pairs)})"


def _sides(layout: str, triples: Triples, count: int) -> Iterator[tuple[Triples, Triples]]:
    """Give the triples of both sides of each pair, as a layout puts them."""
    groups = [triples[start : start + count] for start in range(0, len(triples) - count + 1, count)]
    if layout.startswith("alternated"):
        yield from zip(groups, groups, strict=True)
    elif layout.startswith("one block"):
        yield from zip(groups[::2], groups[1::2], strict=False)
    else:
        half = len(groups) // 2
        yield from zip(groups[:half], groups[half:], strict=False)


def _side(runs: list[Run], point: Point) -> Side:
    return Side("", {point: sorted(runs, key=lambda run: run.span or ())}, [])


def _changed(before: Side, after: Side, layout: str) -> Change:
    """Return the verdict as the command gives it; without times sides that took turns are not compared as pairs."""
    if layout == "alternated, by Welch":
        before, after = (
            side._replace(
                points={point: [run._replace(span=None) for run in runs] for point, runs in side.points.items()}
            )
            for side in (before, after)
        )
    verdict = compared(before, after, TRUSTED)
    assert (verdict.layout is Layout.ALTERNATED) == (layout == "alternated, as pairs")  # noqa: S101  (what is counted)
    return verdict.change


def main() -> None:
    """Parse the arguments, then measure or judge."""
    parser = argparse.ArgumentParser(prog="python -m bench.gate")
    parser.add_argument("what", choices=("measure", "judge"))
    parser.add_argument("folder", type=Path)
    parser.add_argument("--triples", type=int, default=490)
    parser.add_argument("--target", choices=TARGETS, default="disk")
    parser.add_argument("--realtime", action="store_true", help="put each run before all other work (chrt)")
    arguments = parser.parse_args()
    if arguments.what == "judge":
        Console(width=120).print(judge(arguments.folder))
        return
    began = time.monotonic()
    measure(arguments.folder, arguments.triples, _command(arguments.target, is_realtime=arguments.realtime))
    print(f"\n{time.monotonic() - began:.0f} s", file=sys.stderr)  # noqa: T201  (progress)


if __name__ == "__main__":
    main()
