"""
What both engines take, at several sizes: ``python -m bench.engines builds 1000 10000`` and ``models 10000 100000``.

``builds`` makes so many report files (``many.py``), in submissions of 500, and runs ``ioledger build --no-site`` on
them by DuckDB and by Spark; ``--data DIR`` measures submissions that are there before. ``models`` fills so many
synthetic results (``models.py``) and derives the marts alone. It runs in an environment that has Spark:
``.spark/bin/python``, which ``npm run spark`` makes. Linux only.

Processor time is that of all processes that a run has started, Java and Python's workers included, whether they have
ended or not. A stage has what was spent between two lines that the build prints; what dbt's own process spends while
files are read is put to the models. Memory is the largest sum of what the processes hold (PSS, so that what they share
counts once), looked at every two seconds.
"""

from __future__ import annotations

import argparse
import ctypes
import json
import os
import re
import resource
import shutil
import signal
import subprocess
import sys
import tempfile
import threading
import time
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

import duckdb
from rich.console import Console
from rich.table import Table

from bench import many, models
from bench.generate import real_files
from ioledger.build import models as dbt_models
from ioledger.build import publish
from ioledger.build.pipeline import Stages
from ioledger.tables.schema import arrow_schema, tables

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    import pyarrow as pa

ROOT = Path(__file__).resolve().parent.parent
ENGINES = ("duckdb", "spark")
FOLDER_FILES = 500
"""Files of a submission: Spark reads a submission at a time, and there have to be several for several workers."""
JAVA = "-XX:TieredStopAtLevel=1 -XX:+UseSerialGC -XX:ReservedCodeCacheSize=256m"
"""As ``npm run spark`` states it."""
STAGE = re.compile(r"^  (\w+) +.* [\d.]+ s$")
DBT = "ioledger.build.dbt_process"
READING, DERIVING = ("look", "read", "tables"), ("models",)
EVERY_SECONDS = 2.0
_SUBREAPER = 36
"""PR_SET_CHILD_SUBREAPER of prctl(2)."""
_TICKS = os.sysconf("SC_CLK_TCK")


class Spent(NamedTuple):
    """Processor seconds until now: of all processes, and of dbt's own among them."""

    total: float
    dbt: float


class Stage(NamedTuple):
    """What a stage of a build took, in seconds."""

    name: str
    processor_seconds: float
    wall_seconds: float


class Taken(NamedTuple):
    """What a run took: its stages, the whole of it, and the most memory that its processes held, in MiB."""

    stages: list[Stage]
    processor_seconds: float
    wall_seconds: float
    peak_mib: float

    def of(self, *names: str) -> float:
        """Return the processor seconds of some stages."""
        return sum(stage.processor_seconds for stage in self.stages if stage.name in names)


class Line(NamedTuple):
    """A price that grows with a size: what it takes at none, and for each one more."""

    fixed: float
    each: float


def line(points: Sequence[tuple[float, float]]) -> Line:
    """Return the line of least squares through sizes and what they took."""
    size_mean, cost_mean = (sum(values) / len(points) for values in zip(*points, strict=True))
    spread = sum((size - size_mean) ** 2 for size, _ in points)
    each = sum((size - size_mean) * (cost - cost_mean) for size, cost in points) / spread
    return Line(cost_mean - each * size_mean, each)


def crossing(mine: Line, other: Line) -> float | None:
    """Return the size from which the other takes less, or null where each one more takes it as much or longer."""
    if other.each >= mine.each:
        return None
    return max((other.fixed - mine.fixed) / (mine.each - other.each), 0.0)


def staged(marks: Iterable[tuple[str, Spent, float]]) -> Iterator[Stage]:
    """
    Give the stages between marks: each is a printed line, what was spent until then, and the clock.

    What dbt's own process spent before the models is theirs: it reads the project while files are read.
    """
    before, clock, ahead = Spent(0.0, 0.0), 0.0, 0.0
    for printed, spent, now in marks:
        if found := STAGE.match(printed):
            total, dbt = spent.total - before.total, spent.dbt - before.dbt
            if found[1] in DERIVING:
                yield Stage(found[1], total + ahead, now - clock)
            else:
                ahead += dbt
                yield Stage(found[1], total - dbt, now - clock)
            before, clock = spent, now


class Meter:
    """Counts what all processes below this one spend and hold, in one run."""

    def __init__(self) -> None:
        """Begin to count; what outlives its parent comes to this process from now on, and is counted."""
        ctypes.CDLL(None).prctl(_SUBREAPER, 1, 0, 0, 0)
        self._before, self._unwaited = _children(), dict[int, float]()
        self.peak_mib = 0.0

    def spent(self) -> Spent:
        """
        Return the processor seconds until now.

        What has ended stands with its parent, but where that ignores the end of its children, as what starts Python's
        workers for Spark does. These count by when they were last seen.
        """
        living = descendants(os.getpid())
        self._unwaited |= {each: spent for each, (spent, parent) in living.items() if _ignores_children(parent)}
        gone = sum(spent for each, spent in self._unwaited.items() if each not in living)
        of_dbt = sum(spent for each, (spent, _) in living.items() if DBT in _told(each, "cmdline").replace("\0", " "))
        return Spent(_children() - self._before + gone + sum(spent for spent, _ in living.values()), of_dbt)

    def watch(self, is_done: threading.Event) -> None:
        """Keep looking until all is done."""
        while not is_done.wait(EVERY_SECONDS):
            self.spent()
            self.peak_mib = max(self.peak_mib, sum(map(_held, descendants(os.getpid()))) / 1024)


def descendants(of: int) -> dict[int, tuple[float, int]]:
    """Return each living process below one: its processor seconds, its ended children's included, and its parent."""
    found: dict[int, tuple[float, int]] = {}
    for entry in Path("/proc").glob("[0-9]*"):
        if fields := _told(int(entry.name), "stat").rpartition(")")[2].split():
            found[int(entry.name)] = (sum(map(int, fields[11:15])) / _TICKS, int(fields[1]))
    return {each: told for each, told in found.items() if of in _above(each, found)}


def _above(process: int, found: dict[int, tuple[float, int]]) -> Iterator[int]:
    while process in found:
        process = found[process][1]
        yield process


def _told(process: int, what: str) -> str:
    """Return a file of ``/proc`` about a process, or nothing where it has ended."""
    try:
        return Path(f"/proc/{process}/{what}").read_text(encoding="utf-8")
    except OSError:
        return ""


def _ignores_children(process: int) -> bool:
    found = re.search(r"^SigIgn:\s*([0-9a-f]+)$", _told(process, "status"), re.MULTILINE)
    return found is not None and bool(int(found[1], 16) >> (signal.SIGCHLD - 1) & 1)


def _held(process: int) -> int:
    found = re.search(r"^Pss: +(\d+) kB", _told(process, "smaps_rollup"), re.MULTILINE)
    return int(found[1]) if found else 0


def _children() -> float:
    spent = resource.getrusage(resource.RUSAGE_CHILDREN)
    return spent.ru_utime + spent.ru_stime


def measured(command: Sequence[str], environment: dict[str, str]) -> Taken:
    """Run a build and return what it took; what it prints goes to standard error."""
    meter, started = Meter(), time.monotonic()
    marks: list[tuple[str, Spent, float]] = []
    is_done = threading.Event()
    watch = threading.Thread(target=meter.watch, args=(is_done,))
    with subprocess.Popen(  # noqa: S603
        command, cwd=ROOT, env=environment, text=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT
    ) as program:
        watch.start()
        for printed in program.stdout or ():
            marks.append((printed.rstrip("\n"), meter.spent(), time.monotonic() - started))
            print(printed, end="", file=sys.stderr, flush=True)  # noqa: T201  (progress)
    is_done.set()
    watch.join()
    if program.returncode:
        raise SystemExit(program.returncode)
    while descendants(os.getpid()):
        os.wait()
    return Taken([*staged(marks)], meter.spent().total, time.monotonic() - started, meter.peak_mib)


def workspace(folder: Path, count: int) -> None:
    """Write so many reports as submissions of a workspace."""
    with tempfile.TemporaryDirectory(prefix="ioledger-bench-") as scratch:
        drawn = [path.read_bytes() for path in real_files(Path(scratch), min(many.DRAWN, count), many.SEED)]
    head = many.manifest()
    for begin in range(0, count, FOLDER_FILES):
        numbers = range(begin, min(begin + FOLDER_FILES, count))
        reports = (many.varied(drawn[number % len(drawn)], number) for number in numbers)
        many.submission(folder / "data" / f"2026-11-bench-{begin // FOLDER_FILES:04d}", head, reports)


def derive(engine: str, database: Path, scratch: Path) -> None:
    """Derive the marts of the raw tables of a database by one engine, and print its stages."""
    stages = Stages(lambda said: print(said, flush=True))  # noqa: T201  (for the process that started this one)
    with duckdb.connect(database, read_only=True) as connection:
        built = {
            name: connection.table(f'raw."{name}"').to_arrow_table().cast(arrow_schema(table))
            for name, table in tables().items()
        }
    stages.say(f"  {'fill':<13}{built['results'].num_rows:,} results {0:>7.1f} s")
    with stages.stage("models"):
        derived = _by_spark(built, scratch) if engine == "spark" else _by_duckdb(built, scratch)
        stages.found = f"{len(derived)} marts, {derived['quotients'].num_rows:,} rows of quotients"
    with stages.stage("publish"):
        publish.write(scratch, built, derived)


def _by_duckdb(built: dict[str, pa.Table], scratch: Path) -> dict[str, pa.Table]:
    with dbt_models.Dbt(scratch) as dbt:
        derived, problems, _ = dbt_models.build(dbt, built, documents=False)
    if problems:
        raise SystemExit(str(problems))
    return derived


def _by_spark(built: dict[str, pa.Table], scratch: Path) -> dict[str, pa.Table]:
    from ioledger.spark import project, session  # noqa: PLC0415  (an extra of its own)
    from ioledger.spark import tables as in_spark  # noqa: PLC0415

    opened = session.opened(scratch / "spark")
    try:
        in_spark.put(opened, in_spark.RAW, built)
        in_spark.put(opened, in_spark.SEEDS, in_spark.seeds())
        if failed := project.run(scratch / "dbt"):
            raise SystemExit("\n".join(failed))
        return in_spark.derived(opened)
    finally:
        opened.stop()


def _environment() -> dict[str, str]:
    environment = {"JAVA_TOOL_OPTIONS": JAVA} | os.environ | {"PYTHONUNBUFFERED": "1"}
    environment.pop("PYTHONDONTWRITEBYTECODE", None)  # each of Spark's workers would compile what it imports
    return environment


def of_build(engine: str, count: int, data: Path | None, parent: Path | None) -> Taken:
    """Build a workspace of so many files, or of submissions that are there, by one engine."""
    with tempfile.TemporaryDirectory(prefix="ioledger-bench-", dir=parent) as scratch:
        if data:
            shutil.copytree(data, Path(scratch, "data"))
        else:
            workspace(Path(scratch), count)
        command = [sys.executable, "-m", "ioledger", "build", "--workspace", scratch, "--engine", engine, "--no-site"]
        return measured(command, _environment())


def of_models(engine: str, count: int, parent: Path | None) -> Taken:
    """Derive the marts of so many synthetic results by one engine."""
    with tempfile.TemporaryDirectory(prefix="ioledger-bench-", dir=parent) as scratch:
        database = Path(scratch, "filled.duckdb")
        models.fill(database, count)
        Path(scratch, "made").mkdir()
        command = [sys.executable, "-m", "bench.engines", "derive", str(database), "--by", engine]
        return measured(command, _environment())


def table(found: Sequence[tuple[int, str, Taken]]) -> Table:
    """Return what each size took by each engine."""
    names = list(dict.fromkeys(stage.name for _, _, taken in found for stage in taken.stages))
    shown = Table("size", "engine", *(f"{name}, s" for name in names), "all, s", "wall, s", "peak, MiB")
    for size, engine, taken in found:
        by_stage = [f"{taken.of(name):,.1f}" for name in names]
        whole = (taken.processor_seconds, taken.wall_seconds, taken.peak_mib)
        shown.add_row(f"{size:,}", engine, *by_stage, *(f"{value:,.1f}" for value in whole))
    return shown


def lines(found: Sequence[tuple[int, str, Taken]]) -> Iterator[str]:
    """Give the price of each engine as a line over the size, and where they cross, for some stages and for all."""
    for title, names in (("reading", READING), ("models", DERIVING), ("all", ())):
        by_engine = {}
        for engine in ENGINES:
            points = [
                (float(size), taken.of(*names) if names else taken.processor_seconds)
                for size, by, taken in found
                if by == engine
            ]
            if len({size for size, _ in points}) > 1:
                by_engine[engine] = line(points)
                fixed, each = by_engine[engine]
                yield f"{title}: {engine} {fixed:,.1f} s + {1000 * each:,.3f} ms each"
        if len(by_engine) == len(ENGINES):
            where = crossing(by_engine["duckdb"], by_engine["spark"])
            yield f"{title}: they never cross" if where is None else f"{title}: equal at {where:,.0f}"


def main() -> None:
    """Measure each size by each engine, and print tables."""
    parser = argparse.ArgumentParser(prog="python -m bench.engines", description="Measures DuckDB beside Spark.")
    parser.add_argument("what", choices=("builds", "models", "derive"))
    parser.add_argument("sizes", nargs="*", metavar="SIZE", help="files, or synthetic results")
    parser.add_argument("--by", choices=ENGINES, action="append", help="one engine alone")
    parser.add_argument("--data", type=Path, help="build from these submissions; the size is the number of their files")
    parser.add_argument("--in", dest="parent", type=Path, metavar="DIR", help="make the files below this folder")
    told = parser.parse_args()
    if told.what == "derive":
        database = Path(told.sizes[0])
        derive(told.by[0], database, database.parent / "made")
        return
    found = []
    for size in map(int, told.sizes):
        for engine in told.by or ENGINES:
            print(f"{engine}: {size:,}", file=sys.stderr, flush=True)  # noqa: T201  (progress)
            taken = (
                of_models(engine, size, told.parent)
                if told.what == "models"
                else of_build(engine, size, told.data, told.parent)
            )
            print(json.dumps([size, engine, *taken]), file=sys.stderr, flush=True)  # noqa: T201  (of a run that is killed)
            found.append((size, engine, taken))
    Console(width=150).print(table(found))
    for said in lines(found):
        print(said)  # noqa: T201  (the result)


if __name__ == "__main__":
    main()
