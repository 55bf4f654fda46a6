"""
How fast Iometer and ORION files are read: from bytes to results, checks included, in megabytes per processor second.

The yardstick of the same run is Python's own csv module, which splits the same bytes into fields and forgets them.
Many files of a kind, or of many runs, are read together, in turns with it and with the other kinds, so that a slow
minute of the machine meets them all. Of the speed the fastest round and the median are told, of the ratio the median.
"""

from __future__ import annotations

import csv
import random
from functools import partial
from itertools import chain
from statistics import median
from time import process_time
from typing import TYPE_CHECKING, NamedTuple

from rich.table import Table

from bench import iometer_files, orion_files
from bench.tables import VERDICTS
from ioledger.readers import iometer, orion
from ioledger.readers.base import Source

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from types import ModuleType

GOALS = {"Iometer": 20.0, "ORION": 1.0}
"""Megabytes per processor second. A cell of a matrix of ORION is eight bytes and a result with a place of its own."""
MEGA = 1e6
ENOUGH_BYTES = 2_000_000


class Speed(NamedTuple):
    """What was measured of one kind of files: their bytes, speeds per processor second, time over that of csv."""

    kind: str
    file_bytes: int
    results_per_second: float
    megabytes_per_second: float
    median_megabytes_per_second: float
    ratio_to_csv: float


class _Kind(NamedTuple):
    """Files of one kind, and the processor seconds of each round: ours, and those of the yardstick."""

    name: str
    reader: ModuleType
    run_count: int
    files: list[bytes]
    rounds: list[tuple[float, float]]


def kinds(rng: random.Random) -> dict[str, tuple[ModuleType, Callable[[], list[bytes]]]]:
    """Return for every kind of files the reader, and what makes one file or the files of one run."""
    run, summary = partial(orion_files.run, rng), partial(orion_files.summary, rng)

    def matrix(quantity: str, disks: int, *, is_whole: bool, is_recent: bool) -> bytes:
        return orion_files.matrix(quantity, disks, orion_files.rate(rng), is_whole=is_whole, is_recent=is_recent)

    return {
        "Iometer results, 60 runs of 8 workers": (iometer, lambda: [iometer_files.results(rng, 60)]),
        "Iometer results, 1 run": (iometer, lambda: [iometer_files.results(rng, 1)]),
        "Iometer instantaneous, 15 min": (iometer, lambda: [iometer_files.updates(rng, 900)]),
        "Iometer instantaneous, 20 s": (iometer, lambda: [iometer_files.updates(rng, 20)]),
        "ORION run of 12c, 40 disks, 5 files": (orion, lambda: run(40, is_whole=False, is_recent=True)),
        "ORION run of 12c, 40 disks, all points": (orion, lambda: run(40, is_whole=True, is_recent=True)),
        "ORION run of 12c, 1 disk, 5 files": (orion, lambda: run(1, is_whole=False, is_recent=True)),
        "ORION run of 11.1, 40 disks, 4 files": (orion, lambda: run(40, is_whole=False, is_recent=False)),
        "ORION summary, 40 disks": (orion, lambda: [summary(40, is_recent=True)]),
        "ORION summary, 3 disks": (orion, lambda: [summary(3, is_recent=True)]),
        "ORION console of 19c": (orion, lambda: [orion_files.console(rng)]),
        "ORION _iops, 40 disks": (orion, lambda: [matrix("iops", 40, is_whole=False, is_recent=True)]),
        "ORION _mbps, 40 disks": (orion, lambda: [matrix("mbps", 40, is_whole=False, is_recent=True)]),
        "ORION _lat, 40 disks": (orion, lambda: [matrix("latency", 40, is_whole=False, is_recent=True)]),
        "ORION _lat, 40 disks, 11.1": (orion, lambda: [matrix("latency", 40, is_whole=False, is_recent=False)]),
        "ORION _iops, 1 disk, 11.1": (orion, lambda: [matrix("iops", 1, is_whole=False, is_recent=False)]),
        "ORION _iops, 40 disks, all points": (orion, lambda: [matrix("iops", 40, is_whole=True, is_recent=True)]),
        "ORION _mbps, 40 disks, all points": (orion, lambda: [matrix("mbps", 40, is_whole=True, is_recent=True)]),
        "ORION _lat, 40 disks, all points": (orion, lambda: [matrix("latency", 40, is_whole=True, is_recent=True)]),
    }


def enough(make: Callable[[], list[bytes]]) -> list[list[bytes]]:
    """Return the files of as many runs as it takes to measure; no two runs have the same figures."""
    first = make()
    return [first, *(make() for _ in range(ENOUGH_BYTES // sum(map(len, first))))]


def read(reader: ModuleType, files: Sequence[bytes]) -> int:
    """Read files and count their results."""
    return sum(len(reader.read(Source("", data)).results) for data in files)


def measure(seed: int, rounds: int) -> list[Speed]:
    """Return the speed for every kind of files; the first round only warms up."""
    every = []
    for name, (reader, make) in kinds(random.Random(seed)).items():  # noqa: S311  (reproducible, not secret)
        runs = enough(make)
        every.append(_Kind(name, reader, len(runs), list(chain.from_iterable(runs)), []))
    for turn in range(rounds + 1):
        for kind in every:
            taken = _seconds(partial(read, kind.reader), kind.files), _seconds(_fields, kind.files)
            if turn:
                kind.rounds.append(taken)
    return [_speed(kind) for kind in every]


def _speed(kind: _Kind) -> Speed:
    """Return what the rounds of a kind say."""
    size, results = sum(map(len, kind.files)), read(kind.reader, kind.files)
    ours = [seconds for seconds, _ in kind.rounds]
    fastest, middle = size / min(ours) / MEGA, size / median(ours) / MEGA
    ratio = median(seconds / yardstick for seconds, yardstick in kind.rounds)
    return Speed(kind.name, size // kind.run_count, results / min(ours), fastest, middle, ratio)


def _fields(files: Sequence[bytes]) -> int:
    """Split files into fields and forget them: the yardstick."""
    return sum(sum(map(len, csv.reader(data.decode().splitlines()))) for data in files)


def _seconds(read: Callable[[Sequence[bytes]], object], files: Sequence[bytes]) -> float:
    """Return the processor seconds of reading these files."""
    started = process_time()
    read(files)
    return process_time() - started


def table(seed: int, rounds: int) -> Table:
    """Measure every kind of file and return the speeds, each beside the goal."""
    made = Table(title="Iometer and ORION", title_justify="left", title_style="bold")
    made.add_column("files")
    for heading in ("bytes", "results/s", "ratio to csv", "MB/s", "median", "at least", "met"):
        made.add_column(heading, justify="right")
    for kind, size, results, speed, middle, ratio in measure(seed, rounds):
        shown = f"{size:,}", f"{results:,.0f}", f"{ratio:.1f}", f"{speed:.1f}", f"{middle:.1f}"
        goal = GOALS[kind.partition(" ")[0]]
        made.add_row(kind, *shown, f"{goal:.0f}", VERDICTS[speed >= goal, middle >= goal])
    return made
