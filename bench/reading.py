"""
Reading speed: ``python -m bench.reading FOLDER [ROUNDS]``, for one file or many.

``ioledger parse FOLDER`` as a whole process against a process that reads the same JSON files with ``orjson.loads``, in
turns. Both times are processor seconds without the start of the process (of the same program without files). A figure
holds for the files of the folder: use real ones.
"""

from __future__ import annotations

import resource
import statistics
import subprocess
import sys
import tempfile
from pathlib import Path

YARDSTICK = """
import orjson, pathlib, sys
for path in pathlib.Path(sys.argv[1]).rglob("*.json"):
    orjson.loads(path.read_bytes())
"""


def processor_seconds(*command: str) -> float:
    """Return the processor time of a command with all processes that it starts."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run(command, check=False, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)  # noqa: S603
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def main(folder: Path, rounds: int) -> None:
    """Print the ratio of both times, of each round and in the median."""
    parse = (sys.executable, "-m", "ioledger", "parse")
    with tempfile.TemporaryDirectory() as scratch:
        nothing, output = Path(scratch) / "empty", str(Path(scratch) / "results.parquet")
        nothing.mkdir()
        ratios = []
        for turn in range(rounds):
            own, other = (
                processor_seconds(*command, str(folder), *more) - processor_seconds(*command, str(nothing), *more)
                for command, more in ((parse, ("-o", output)), ((sys.executable, "-c", YARDSTICK), ()))
            )
            ratios.append(own / other)
            print(f"round {turn + 1}: ioledger {own:.2f} s, orjson {other:.2f} s, ratio {own / other:.2f}", flush=True)
    print(f"median {statistics.median(ratios):.2f}")


if __name__ == "__main__":
    main(Path(sys.argv[1]), int(sys.argv[2]) if len(sys.argv) > 2 else 3)  # noqa: PLR2004
