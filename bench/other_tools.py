"""
How fast Iometer and ORION files are read: from bytes to results, checks included, in megabytes per processor second.

The yardstick of the same run is Python's own csv module, which splits the same bytes into fields and forgets them.
Files of one kind are read in turns with it; the ratio of a round is taken first, then the median.
"""

from __future__ import annotations

import csv
import random
from statistics import median
from time import process_time
from typing import TYPE_CHECKING, NamedTuple

from rich.table import Table

from bench import iometer_files, orion_files
from ingest.readers import iometer, orion
from ingest.record import Source

if TYPE_CHECKING:
    from collections.abc import Callable

    from ingest.record import Reading

GOAL = 20.0
MEGA = 1e6
ENOUGH_BYTES = 1_000_000


class Speed(NamedTuple):
    """What was measured of one kind of file: its size in bytes, speeds per processor second."""

    kind: str
    file_bytes: int
    results_per_second: float
    megabytes_per_second: float
    ratio_to_csv: float


def kinds(seed: int) -> dict[str, tuple[Callable[[Source], Reading], bytes]]:
    """Return for every kind of file who reads it and a file."""
    rng = random.Random(seed)  # noqa: S311  (reproducible, not secret)
    matrix = orion_files.matrix
    return {
        "Iometer results, 60 runs of 8 workers": (iometer.read, iometer_files.results(rng, 60)),
        "Iometer results, 1 run": (iometer.read, iometer_files.results(rng, 1)),
        "Iometer instantaneous, 15 min": (iometer.read, iometer_files.updates(rng, 900)),
        "Iometer instantaneous, 20 s": (iometer.read, iometer_files.updates(rng, 20)),
        "ORION console of 19c": (orion.read, orion_files.console(rng)),
        "ORION summary, 40 disks": (orion.read, orion_files.summary(rng, 40)),
        "ORION summary, 3 disks": (orion.read, orion_files.summary(rng, 3)),
        "ORION _iops of 40 disks, one row": (orion.read, matrix("iops", 81, 200, is_whole=False)),
        "ORION _mbps of 40 disks, one column": (orion.read, matrix("mbps", 80, 201, is_whole=False)),
        "ORION _iops of 1 disk, one row": (orion.read, matrix("iops", 3, 5, is_whole=False)),
        "ORION _iops, all of 81 x 200 points": (orion.read, matrix("iops", 81, 200, is_whole=True)),
        "ORION _mbps, all of 80 x 201 points": (orion.read, matrix("mbps", 80, 201, is_whole=True)),
        "ORION _lat, all of 81 x 200 points": (orion.read, matrix("latency", 81, 200, is_whole=True)),
        "ORION _iops, all of 17 x 21 points": (orion.read, matrix("iops", 17, 21, is_whole=True)),
    }


def measure(seed: int, rounds: int) -> list[Speed]:
    """Return the speed for every kind of file, from the fastest round; the first round only warms up."""
    found = []
    for kind, (read, data) in kinds(seed).items():
        count = ENOUGH_BYTES // len(data) + 1
        results = len(read(Source(kind, data)).results)
        taken = [(_seconds(read, data, count), _seconds(_fields, data, count)) for _ in range(rounds + 1)][1:]
        best = min(ours for ours, _ in taken) / count
        ratio = median(ours / yardstick for ours, yardstick in taken)
        found.append(Speed(kind, len(data), results / best, len(data) / best / MEGA, ratio))
    return found


def _fields(source: Source) -> int:
    """Split a file into fields and forget them: the yardstick."""
    return sum(map(len, csv.reader(source.data.decode().splitlines())))


def _seconds(read: Callable[[Source], object], data: bytes, count: int) -> float:
    """Return the processor seconds of reading a file so many times."""
    started = process_time()
    for _ in range(count):
        read(Source("", data))
    return process_time() - started


def table(seed: int, rounds: int) -> Table:
    """Measure every kind of file and return the speeds, each beside the goal."""
    made = Table(title=f"Iometer and ORION (goal: {GOAL:.0f} MB/s)", title_justify="left", title_style="bold")
    made.add_column("kind of file")
    for heading in ("bytes", "results/s", "ratio to csv", "MB/s", "met"):
        made.add_column(heading, justify="right")
    for kind, size, results, speed, ratio in measure(seed, rounds):
        shown = f"{size:,}", f"{results:,.0f}", f"{ratio:.1f}", f"{speed:.1f}"
        made.add_row(kind, *shown, "yes" if speed >= GOAL else "no")
    return made
