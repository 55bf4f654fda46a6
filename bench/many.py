"""
Many result files, read as a build reads them: ``python -m bench.many 1000 10000 100000``, and a million when told so.

Each number of files is made in a temporary folder, as submissions of 5,000 files, and removed afterwards. The files are
those of ``generate.real_files`` (as real archives have them), of which a thousand are drawn and then varied: no two
have the same bytes or the same run. Beside each set lies one file that is cut in half. Reading is what a build does
before its tables: listing, reading, checks, and rows as Parquet, kept by submission. It is measured in a process of its
own: to its end, once more with nothing new, and from nothing after a kill at a third of the files. To look is
what a build does first, and all it does where nothing has changed, in a folder without and with git. Processor time
counts that of all processes.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import math
import os
import re
import resource
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import TYPE_CHECKING, Any

from rich.console import Console
from rich.table import Table

from bench.generate import real_files
from ioledger.build import unchanged
from ioledger.submission import kept, listing, reading, readings

if TYPE_CHECKING:
    from collections.abc import Iterable

SEED = 20261122
DRAWN, FOLDER_FILES = 1_000, 5_000
MOST_IN_GIT = 100_000
"""It keeps every file a second time."""
ROOT = Path(__file__).resolve().parent.parent
FIXTURE = ROOT / "ingest" / "tests" / "fixtures" / "submission" / "manifest.yaml"
TOLD_BY_FILES = (
    *("tool_version", "cache_bypass", "run_time_seconds", "process_count", "measurement_area_bytes"),
    *("latency_kind", "load_axis"),
)
APART = 2e-5
"""How far latencies of two runs of one drawn report lie apart; what agrees to a hundred-thousandth is one run."""
_LATENCY = re.compile(rb'("(mean|stddev)" : )([1-9]\d*\.\d+)')
_LONGEST = re.compile(rb'("max" : )(\d+)(?=,\s+"mean")')
_TAIL = re.compile(rb'("99\.990000" : )(\d+)')
_TIME = re.compile(rb'("timestamp(?:_ms)?" : )(\d{10})')


def write(data: Path, count: int, seed: int = SEED) -> int:
    """Write so many reports as submissions into a folder, and beside them one that is cut; return their bytes."""
    with tempfile.TemporaryDirectory(prefix="ioledger-bench-") as scratch:
        drawn = [path.read_bytes() for path in real_files(Path(scratch), min(DRAWN, count), seed)]
    head, size = manifest(), 0
    for begin in range(0, count, FOLDER_FILES):
        numbers = range(begin, min(begin + FOLDER_FILES, count))
        reports = (varied(drawn[number % len(drawn)], number) for number in numbers)
        size += submission(data / f"2026-11-bench-{begin // FOLDER_FILES:04d}", head, reports)
    cut = varied(drawn[0], count)
    return size + submission(data / "2026-11-bench-cut", head, [cut[: len(cut) // 2]])


def submission(folder: Path, manifest: str, reports: Iterable[bytes]) -> int:
    """Write a submission of these reports; return their bytes."""
    folder.mkdir(parents=True)
    lines, size = [manifest], 0
    for number, report in enumerate(reports):
        name, size = f"{number:04d}.json", size + len(report)
        (folder / name).write_bytes(report)
        lines.append(f"  - {{path: {name}, sha256: {hashlib.sha256(report).hexdigest()}, configuration: ext4-file}}\n")
    (folder / "manifest.yaml").write_text("".join(lines), encoding="utf-8")
    return size


def varied(report: bytes, number: int) -> bytes:
    """
    Return a report of another run: mean, deviation and maximum of latencies differ, their quotients, and the time.

    Reports of one drawn report are told apart by how often it was drawn before, two that were drawn alike by their
    place.
    """
    turn, place = divmod(number, DRAWN)
    mean = 1 + turn * APART
    factors = {b"mean": mean, b"stddev": mean * (1 + (2 * turn + place) * APART)}
    report = _LATENCY.sub(lambda found: b"%s%.6f" % (found[1], float(found[3]) * factors[found[2]]), report)
    report = _LONGEST.sub(lambda found: b"%s%d" % (found[1], int(found[2]) * (1 + 10 * place * APART) + turn), report)
    report = _TAIL.sub(lambda found: b"%s%d" % (found[1], int(found[2]) + turn), report)
    return _TIME.sub(lambda found: b"%s%d" % (found[1], int(found[2]) + number), report)


def manifest() -> str:
    """Return the manifest of the sound submission among the fixtures; what its files tell is left to them."""
    text = FIXTURE.read_text(encoding="utf-8").partition("  - path: ")[0]
    text = re.sub(r"(?m)^collected_on: .*\n", "", text).replace("how_known: collected", "how_known: declared")
    text = re.sub(r"(?m)^tested_on: .*$", "tested_on: unknown", text)
    for field in TOLD_BY_FILES:
        text = re.sub(rf"(?m)^( +{field}): .*$", r"\1: {unknown: the files tell it}", text)
    return text


def read(folder: Path) -> None:
    """Read the submissions of a workspace and print what it took as JSON."""
    store, started = kept.Kept(folder), time.monotonic()
    found = reading.read(reading.listed(folder / "data", store), store, _say)
    status = dict(line.split(":", 1) for line in Path("/proc/self/status").read_text(encoding="utf-8").splitlines())
    own, others = (resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN))
    told = {
        "wall_seconds": time.monotonic() - started,
        "processor_seconds": sum(each.ru_utime + each.ru_stime for each in (own, others)),
        "first_mib": int(status["VmHWM"].split()[0]) / 1024,
        "others_mib": others.ru_maxrss / 1024,
        "read_files": found.read_files,
        "refused": len(found.problems),
    }
    print(json.dumps(told))  # noqa: T201  (for the process that started this one)


def look(folder: Path) -> None:
    """Look whether there is something to build in a workspace, as a build does first; print what it took as JSON."""
    hashed, started = [0], time.monotonic()
    real = listing._hashed  # noqa: SLF001  (what reads a file)

    def hashing(path: str) -> str:
        hashed[0] += 1
        return real(path)

    listing._hashed = hashing  # noqa: SLF001
    found = reading.listed(folder / "data", kept.Kept(folder))
    unchanged.database_inputs({each.path.as_posix(): each.key for each in found}, None)
    own, others = (resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN))
    spent = sum(each.ru_utime + each.ru_stime for each in (own, others))
    told = {"processor_seconds": spent, "wall_seconds": time.monotonic() - started, "hashed": hashed[0]}
    print(json.dumps(told))  # noqa: T201  (for the process that started this one)


def _say(line: str) -> None:
    print(line, file=sys.stderr, flush=True)  # noqa: T201  (progress)


def _started(folder: Path, what: str = "--read") -> subprocess.Popen[str]:
    command = [sys.executable, "-m", "bench.many", what, str(folder)]
    return subprocess.Popen(command, cwd=ROOT, text=True, stdout=subprocess.PIPE, start_new_session=True)  # noqa: S603


def _to_the_end(folder: Path, what: str = "--read") -> dict[str, Any]:
    with _started(folder, what) as program:
        printed, _ = program.communicate()
    told: dict[str, Any] = json.loads(printed)
    return told


def _killed_after_a_third(folder: Path, count: int) -> None:
    """Read until a third of the submissions are kept, and kill all processes."""
    wanted = max(count // FOLDER_FILES // 3, 1)
    with _started(folder) as program:
        while program.poll() is None and len(list((folder / kept.PLACE).glob("[0-9a-f]*"))) < wanted:
            time.sleep(0.05)
        os.killpg(program.pid, signal.SIGKILL)


def measure(count: int, parent: Path | None) -> dict[str, Any]:
    """Make so many files, read them as told above, and return what it took."""
    with tempfile.TemporaryDirectory(prefix="ioledger-bench-", dir=parent) as scratch:
        folder = Path(scratch)
        size = write(folder / "data", count)
        found = _to_the_end(folder)
        again = _to_the_end(folder)
        looked = {"without git": _to_the_end(folder, "--look")}
        if count <= MOST_IN_GIT:
            for arguments in (["init", "-q"], ["add", "data"]):
                subprocess.run(["git", "-C", str(folder), *arguments], check=True)  # noqa: S603, S607
            looked["with git"] = _to_the_end(folder, "--look")
        resumed = {}
        if count > FOLDER_FILES:
            for place in (kept.PLACE, readings.PLACE):
                shutil.rmtree(folder / place)
            _killed_after_a_third(folder, count)
            resumed = _to_the_end(folder)
    return {
        "files": count,
        "bytes": size,
        **found,
        "again": again,
        "looked": looked,
        "resumed": resumed.get("read_files"),
    }


def main() -> None:
    """Measure each number of files, and print a table."""
    parser = argparse.ArgumentParser(prog="python -m bench.many", description="Measures the reading of many files.")
    parser.add_argument("counts", type=int, nargs="*", default=[1_000, 10_000, 100_000], metavar="FILES")
    parser.add_argument("--in", dest="parent", type=Path, metavar="DIR", help="make the files below this folder")
    parser.add_argument("--read", type=Path, help=argparse.SUPPRESS)
    parser.add_argument("--look", type=Path, help=argparse.SUPPRESS)
    told = parser.parse_args()
    if told.read or told.look:
        read(told.read) if told.read else look(told.look)
        return
    columns = ("files", "MB", "processor s", "files/s", "MB/s", "growth", "first process, MiB", "others, MiB",
               "refused", "nothing new, s", "look, s", "look in git, s", "left after a kill")  # fmt: skip
    table = Table(*columns)
    before: dict[str, Any] | None = None
    for count in sorted(told.counts):
        found = measure(count, told.parent)
        seconds = found["processor_seconds"]
        growth = math.log(seconds / before["processor_seconds"], count / before["files"]) if before else None
        table.add_row(
            f"{count:,}", f"{found['bytes'] / 1e6:,.0f}", f"{seconds:,.1f}", f"{count / seconds:,.0f}",
            f"{found['bytes'] / 1e6 / seconds:,.1f}", "" if growth is None else f"{growth:.2f}",
            f"{found['first_mib']:,.0f}", f"{found['others_mib']:,.0f}", str(found["refused"]),
            f"{found['again']['processor_seconds']:,.1f}",
            *(f"{found['looked'][way]['processor_seconds']:.1f}" if way in found["looked"] else ""
              for way in ("without git", "with git")),
            f"{found['resumed'] or '':,}" if found["resumed"] else "",
        )  # fmt: skip
        before = found
        _say(json.dumps(found))
    Console(width=150).print(table)


if __name__ == "__main__":
    main()
