"""
Feeds spoilt files to the readers: ``npm run fuzz -- 100000``.

Takes every fixture (and, when IOLEDGER_CORPUS names it, every corpus file below 200 KB), spoils each in turn with
:mod:`mutate`, and reads it, every second time beside a spoilt job file. A reader must answer with results or refusals:
an exception, an answer slower than five seconds, or one that needs more than 512 MB stops the run with the seed that
repeats it.

``npm run fuzz -- --altered 30000`` changes one to three members of fio's JSON reports instead, and compares the decoder
of regular reports with the tolerant one: the same rows, and the same findings, so that nothing that was told is lost.
"""

from __future__ import annotations

import argparse
import os
import resource
import sys
import time
from pathlib import Path
from typing import TYPE_CHECKING

ROOT = Path(__file__).resolve().parent.parent
sys.path[:0] = [str(ROOT / "ingest" / "tests"), str(ROOT)]

from ioledger.model import Source  # noqa: E402
from ioledger.readers import detect  # noqa: E402
from ioledger.readers.fio import json_decode  # noqa: E402
from mutate import alter, lost, mutate  # noqa: E402  (lies beside the tests that share it)

if TYPE_CHECKING:
    from collections.abc import Mapping

SEED_BYTES = 200_000
SECONDS = 5.0
MEMORY_BYTES = 512 << 20


def seeds() -> list[Path]:
    """Return the files to spoil, sorted."""
    folders = [ROOT / "ingest" / "tests" / "fixtures"]
    if corpus := os.environ.get("IOLEDGER_CORPUS"):
        folders.append(Path(corpus))
    files = (path for folder in folders for path in folder.rglob("*") if path.is_file())
    return sorted(path for path in files if 0 < path.stat().st_size < SEED_BYTES)


def failure(seed: int, path: Path, data: bytes, jobs: list[bytes]) -> str | None:
    """Read one spoilt file; return what is wrong with the answer, or None."""
    job = mutate(seed + 1, jobs[seed // 2 % len(jobs)]) if seed % 2 else None
    spoilt = mutate(seed, data)
    started = time.process_time()
    reading = detect.read(Source(path.name, spoilt, job=job))
    taken = time.process_time() - started
    where = f"seed {seed} of {path}"
    if any(refusal.rule == "R-READ-1" for refusal in reading.refusals):
        return f"{where}: {reading.refusals[0].what}"
    if taken > SECONDS:
        return f"{where}: took {taken:.1f} s"
    if not reading.results and not reading.refusals and not reading.rows and reading.tool == "unknown":
        return f"{where}: neither results nor a refusal"
    return None


def altered(contents: Mapping[Path, bytes], cases: range) -> int:
    """Compare the decoders of fio's reports on altered ones, and print where they differ; return 1 when they do."""
    reports = [(path, data) for path, data in contents.items() if json_decode.regular(data) is not None]
    failures = 0
    for seed in cases:
        path, data = reports[seed % len(reports)]
        if (problem := lost(alter(seed, data))) is not None:
            failures += 1
            print(f"seed {seed} of {path}: {problem}")  # noqa: T201
    print(f"{len(cases)} altered reports from {len(reports)} files, {failures} differ")  # noqa: T201
    return 1 if failures else 0


def main() -> int:
    """Run the number of cases asked for; return 1 when a case failed."""
    parser = argparse.ArgumentParser(prog="npm run fuzz --", description="Feed spoilt files to the readers.")
    parser.add_argument("cases", type=int, nargs="?", default=2000)
    parser.add_argument("--seed", type=int, default=0, help="first seed (default 0)")
    parser.add_argument("--altered", type=int, metavar="CASES", help="compare the decoders of fio's reports instead")
    arguments = parser.parse_args()
    found, started, failures = seeds(), time.monotonic(), 0
    contents = {path: path.read_bytes() for path in found}
    if arguments.altered:
        return altered(contents, range(arguments.seed, arguments.seed + arguments.altered))
    jobs = [data for path, data in contents.items() if path.suffix in {".fio", ".icf"}]
    base = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024
    for seed in range(arguments.seed, arguments.seed + arguments.cases):
        path = found[seed % len(found)]
        if (problem := failure(seed, path, contents[path], jobs)) is not None:
            failures += 1
            print(problem)  # noqa: T201
        if seed % 5000 == 0 and sys.stderr.isatty():
            print(f"{seed - arguments.seed} cases, {failures} failures", file=sys.stderr)  # noqa: T201
    grown = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024 - base
    if grown > MEMORY_BYTES:
        failures += 1
        print(f"memory grew by {grown >> 20} MiB")  # noqa: T201
    seconds = time.monotonic() - started
    print(f"{arguments.cases} cases from {len(found)} files in {seconds:.0f} s, {failures} failures")  # noqa: T201
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
