"""
What ``ioledger gate`` decides on real runs of this machine: false alarms, and how often a slower side is found.

``python -m bench.gate all FOLDER`` measures every target and judges its runs. Runs that lie in FOLDER already are kept.
It takes two hours; ``measure FOLDER --target WORD`` and ``judge FOLDER ...`` do one target and some folders.

A target is measured in triples, each in random order: two runs of the same setting, and one whose rate is capped at 0.9
of the recent median. A run is 4 KiB random read for 0.1 or 0.3 s of a file of 64 MiB. What is judged and counted says
``gate_judged.py``.
"""

from __future__ import annotations

import argparse
import json
import random
import statistics
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

from rich.console import Console

from bench import gate_judged
from bench.gate_judged import EQUAL, SLOWER

if TYPE_CHECKING:
    from collections.abc import Sequence

SEED, CAP, RECENT = 20261122, 0.9, 20
"""Seed of the order, the share that a capped run may reach, and of how many runs the median is taken."""
COMMAND = (
    "fio", "--name=point", "--size=64m", "--rw=randread", "--bs=4k", "--time_based", "--runtime=300ms",
    "--output-format=json",
)  # fmt: skip
ARRIVALS = ("--ioengine=psync", "--rate_process=poisson", "--runtime=100ms")
TARGETS = {
    "disk": ("--ioengine=libaio", "--direct=1", "--iodepth=4"),
    "memory": ("--ioengine=psync",),
    "think-1ms": ("--ioengine=psync", "--thinktime=1ms"),
    **{f"arrivals-{count}": (*ARRIVALS, f"--rate_iops={10 * count}") for count in (100, 400, 1111, 2500)},
    "arrivals-10000": (*ARRIVALS, "--rate_iops=33333", "--runtime=300ms"),
}
"""
Options of fio by the word of a target.

What arrives by chance, as a process of Poisson, has a count whose logarithm spreads by one over its root: 10, 5, 3 and
2 %; in three tenths of a second 1 %. That is the noise of simulated tables, made by real runs.
"""
REALTIME = ("chrt", "--fifo", "2")
"""Puts a run before all other work of the machine; it needs the rights for it."""


def measure(folder: Path, triples: int, target: str, *, is_realtime: bool) -> None:
    """Run fio that many times three, and keep every report; runs that are there already are kept and go on."""
    folder.mkdir(parents=True, exist_ok=True)
    chance, recent = random.Random(f"{SEED} {target}"), list[float]()  # noqa: S311  (an order, no secret)
    for triple in range(triples):
        kinds = [*EQUAL, SLOWER]
        chance.shuffle(kinds)
        for kind in kinds:
            report = folder / f"{triple:04}.{kind}.json"
            capped = (
                [f"--rate_iops={CAP * statistics.median(recent[-RECENT:]):.0f}"] if kind == SLOWER and recent else []
            )
            own = [f"--filename={folder / 'file.dat'}", f"--randseed={chance.getrandbits(31)}"]
            if not report.exists():
                _run(report, [*(REALTIME if is_realtime else ()), *COMMAND, *TARGETS[target], *own, *capped])
            if kind != SLOWER:
                recent.append(_rate(report))
        print(f"\r{triple + 1} of {triples}", end="", file=sys.stderr, flush=True)  # noqa: T201  (progress)


def _run(report: Path, command: Sequence[str]) -> None:
    """Run fio once; its report appears whole."""
    written = report.with_suffix(".part")
    subprocess.run([*command, f"--output={written}"], check=True)  # noqa: S603
    written.rename(report)


def _rate(report: Path) -> float:
    """Return the operations per second of a report."""
    found: dict[str, Any] = json.loads(report.read_bytes())
    return float(found["jobs"][0]["read"]["iops"])


def judge(console: Console, folder: Path, left: float) -> None:
    """Print what a gate decides on the runs of a folder."""
    found = gate_judged.held(folder)
    console.rule(folder.name)
    console.print(gate_judged.noise(found))
    for table in (gate_judged.powers(found, left), gate_judged.layouts(found)):
        console.print(table)


def main() -> None:
    """Parse the arguments, then measure, judge, or both."""
    parser = argparse.ArgumentParser(prog="python -m bench.gate")
    parser.add_argument("what", choices=("measure", "judge", "all"))
    parser.add_argument("folders", type=Path, nargs="+", metavar="FOLDER")
    parser.add_argument("--triples", type=int, default=488)
    parser.add_argument("--target", choices=TARGETS, default="disk")
    parser.add_argument("--realtime", action="store_true", help="put each run before all other work (chrt)")
    parser.add_argument(
        "--left", type=float, default=0.9, help="what a run keeps of its rate where it is taken as slower"
    )
    asked = parser.parse_args()
    targets = [*TARGETS] if asked.what == "all" else [asked.target]
    folders = {
        folder / target if asked.what == "all" else folder: target for folder in asked.folders for target in targets
    }
    if asked.what != "judge":
        for folder, target in folders.items():
            measure(folder, asked.triples, target, is_realtime=asked.realtime)
            print(f" of {target}", file=sys.stderr)  # noqa: T201  (progress)
    if asked.what != "measure":
        for folder in folders:
            judge(Console(width=150), folder, asked.left)


if __name__ == "__main__":
    main()
