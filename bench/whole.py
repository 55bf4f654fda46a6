"""
What is measured in a process of its own: each way of reading, memory, several processes, start-up, many files.

So nothing of the others is counted: what millions of samples leave behind of memory slows what follows in one process.
Peak memory is ``VmHWM`` of ``/proc/self/status`` (Linux); ``ru_maxrss`` would count the process it was started by.
"""

from __future__ import annotations

import os
import resource
import statistics
import subprocess
import sys
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Sequence

ROOT = Path(__file__).resolve().parent.parent
REPORT = ROOT / "ingest" / "tests" / "fixtures" / "submission" / "report.json"
CHILD = """
import sys
from pathlib import Path
from time import perf_counter
from bench import methods, whole
from ioledger.measurement import files
paths = list(files.listed([Path(sys.argv[1])]))[: int(sys.argv[3])]
{warm}
before = whole.processor_seconds()
started = perf_counter()
made = {work}
elapsed = perf_counter() - started
spent = whole.processor_seconds() - before
status = dict(line.split(":", 1) for line in Path("/proc/self/status").read_text().splitlines())
peak = int(status["VmHWM"].split()[0]) * 1024
print(spent, elapsed, peak, made)
"""
ROWS = "methods.rows_of_results({paths}, int(sys.argv[2]))"
TRIES = 3
"""Runs of each method in a round, in turns."""


class Taken(NamedTuple):
    """What one run took: processor and wall seconds without start-up, its peak memory in bytes; and what it made."""

    processor_seconds: float
    wall_seconds: float
    peak_bytes: int
    produced: int


class Ratio(NamedTuple):
    """
    One time over another: of the fastest round of each, and the median of the ratios of the rounds.

    What else the machine does can only add to a time, so the fastest round is nearest to what the work takes.
    """

    fastest: float
    median: float


def ratio(rounds: Sequence[Sequence[float]]) -> Ratio:
    """Return the ratio of two times, measured in turns; each round is a pair of them."""
    mine, other = (min(times) for times in zip(*rounds, strict=True))
    return Ratio(mine / other, statistics.median(mine / other for mine, other in rounds))


def processor_seconds() -> float:
    """Return the processor time of this process and its finished children, in seconds."""
    own, children = (resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN))
    return own.ru_utime + own.ru_stime + children.ru_utime + children.ru_stime


def child(folder: Path, work: str, *, processes: int = 1, files: int = 10**9) -> Taken:
    """
    Run ``work``, a call of a method, on the files of a folder in a process of its own.

    Imports and a first run, which fills caches and takes fresh memory, are not counted; processes that it starts are.
    """
    program = CHILD.format(warm=work.format(paths="paths"), work=work.format(paths="paths"))
    command = [sys.executable, "-c", program, str(folder), str(processes), str(files)]
    done = subprocess.run(command, check=True, capture_output=True, text=True, cwd=ROOT)  # noqa: S603  (own program)
    processor, wall, peak, produced = done.stdout.split()
    return Taken(float(processor), float(wall), int(peak), int(produced))


def two_processes(folder: Path, rounds: int) -> Ratio:
    """Return the wall time of reading a folder with two processes over that with one."""
    tries = range(rounds * TRIES)
    return ratio([tuple(child(folder, ROWS, processes=count).wall_seconds for count in (2, 1)) for _ in tries])


def growth(folder: Path, few: int, rounds: int) -> Ratio:
    """Return the processor time per file of all files of a folder over that of the first ``few``."""
    total = sum(1 for _ in os.scandir(folder))
    per_file = [
        [child(folder, ROWS, files=files).processor_seconds / files for files in (total, few)] for _ in range(rounds)
    ]
    return ratio(per_file)


def start_up(rounds: int) -> Ratio:
    """
    Return the processor time of ``ioledger parse`` of one file over that of ``python -c "import orjson"``.

    The first run of each writes compiled modules, as the first run after an installation does, and is not counted.
    """
    commands = {
        "bare": [sys.executable, "-c", "import orjson"],
        "parse": [str(Path(sys.executable).with_name("ioledger")), "parse", str(REPORT)],
    }
    pairs = []
    environment = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
    with TemporaryDirectory() as compiled:
        environment["PYTHONPYCACHEPREFIX"] = compiled
        for _ in range(1 + rounds * 3):
            taken = {name: _seconds(command, environment) for name, command in commands.items()}
            pairs.append((taken["parse"], taken["bare"]))
    return ratio(pairs[1:])


def _seconds(command: list[str], environment: dict[str, str]) -> float:
    started = processor_seconds()
    subprocess.run(command, check=True, capture_output=True, env=environment)  # noqa: S603  (own programs)
    return processor_seconds() - started
