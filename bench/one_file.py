"""
What one changed file of a submission costs: ``python -m bench.one_file 1000 5000``.

A submission of so many fio reports (those of ``many``), and a hundredth as many Iometer files beside them, is read as a
build reads it: from nothing, with nothing new, with another title, with one report that another run has written, with
one that is renamed, with another version of the reader of Iometer files, and of fio's. Each is a process of its own.
Told are its processor seconds (user and system) without its imports, how many files were opened for their bytes, and
how many a reader was asked to read. A folder in git is not hashed; this one is not in git, so every file is hashed
before all that, which is in the time and not among those that were opened.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import random
import re
import subprocess
import sys
import tempfile
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any
from unittest import mock

from rich.console import Console
from rich.table import Table

from bench import iometer_files, many
from bench.generate import real_files
from bench.whole import processor_seconds
from ioledger.measurement.files import load
from ioledger.readers import detect
from ioledger.submission import files, forms, kept, reading, reading_code, readings

if TYPE_CHECKING:
    from collections.abc import Callable

NAME = "2026-11-bench-one"
LOADED = (forms,)
"""What a first reading imports late, and a later one need not."""
STEPS = ("from nothing", "nothing new", "title", "one report", "one renamed", "reader of Iometer", "reader of fio")
READERS = {"reader of Iometer": "iometer", "reader of fio": "fio"}


def write(folder: Path, count: int) -> None:
    """Write a submission of so many reports, and of files of another tool."""
    rng = random.Random(many.SEED)  # noqa: S311  (reproducible, not secret)
    with tempfile.TemporaryDirectory(prefix="ioledger-bench-") as scratch:
        drawn = [path.read_bytes() for path in real_files(Path(scratch), min(many.DRAWN, count), many.SEED)]
    reports = [many.varied(drawn[number % len(drawn)], number) for number in range(count)]
    others = [iometer_files.results(rng, 1) for _ in range(count // 100)]
    head = re.sub(r"(?m)^( +tool): .*$", r"\1: {unknown: two tools wrote the files}", many.manifest())
    many.submission(folder, head, [*reports, *others])


def change(folder: Path, step: str) -> None:
    """Change a file of the submission, and what its manifest says of it."""
    path = folder / "manifest.yaml"
    text = path.read_text(encoding="utf-8")
    if step == "title":
        text = re.sub(r"(?m)^title: .*$", "title: Another", text)
    elif step == "one report":
        old = (folder / "0001.json").read_bytes()
        new = many.varied(old, 7 * many.DRAWN)
        (folder / "0001.json").write_bytes(new)
        text = text.replace(hashlib.sha256(old).hexdigest(), hashlib.sha256(new).hexdigest())
    elif step == "one renamed":
        (folder / "0002.json").rename(folder / "moved.json")
        text = text.replace("path: 0002.json,", "path: moved.json,")
    path.write_text(text, encoding="utf-8")


def read(place: Path, step: str) -> None:
    """Read the submission of a workspace and print what it took as JSON."""
    opened, asked = [0], [0]
    real, of_reader, changed = readings.code_of, reading_code.of_reader, READERS.get(step)
    with (
        mock.patch.object(files, "load", partial(_counted, opened, load)),
        mock.patch.object(detect, "read", partial(_counted, asked, detect.read)),
        mock.patch.object(readings, "code_of", lambda tool: "another" if tool == changed else real(tool)),
        mock.patch.object(kept, "of_reader", lambda name: "another" if name == changed else of_reader(name)),
    ):
        before, store = processor_seconds(), kept.Kept(place)
        found = reading.read(reading.listed(place / "data", store), store, lambda _: None)
    told = {"processor_seconds": processor_seconds() - before, "opened": opened[0], "read": asked[0]}
    print(json.dumps(told | {"refused": len(found.problems)}))  # noqa: T201  (for the process that started this one)


def _counted(count: list[int], real: Callable[..., Any], *arguments: Any, **named: Any) -> Any:  # noqa: ANN401
    count[0] += 1
    return real(*arguments, **named)


def main() -> None:
    """Measure submissions of these sizes, and print a table."""
    parser = argparse.ArgumentParser(prog="python -m bench.one_file", description="Measures what one change costs.")
    parser.add_argument("counts", type=int, nargs="*", default=[1_000, 5_000], metavar="FILES")
    parser.add_argument("--read", nargs=2, help=argparse.SUPPRESS)
    told = parser.parse_args()
    if told.read:
        read(Path(told.read[0]), told.read[1])
        return
    table = Table("files", "what has changed", "processor s", "opened", "read", "refused")
    for count in told.counts:
        with tempfile.TemporaryDirectory(prefix="ioledger-bench-") as scratch:
            write(Path(scratch) / "data" / NAME, count)
            for step in STEPS:
                change(Path(scratch) / "data" / NAME, step)
                command = [sys.executable, "-m", "bench.one_file", "--read", scratch, step]
                done = subprocess.run(command, cwd=many.ROOT, check=True, text=True, stdout=subprocess.PIPE)  # noqa: S603
                found = json.loads(done.stdout)
                seconds = f"{found.pop('processor_seconds'):.2f}"
                table.add_row(f"{count:,}", step, seconds, *(f"{number:,}" for number in found.values()))
    Console(width=110).print(table)


if __name__ == "__main__":
    main()
