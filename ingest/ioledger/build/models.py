"""The dbt models and their documentation, made in a process of their own: dbt locks its database until it ends."""

from __future__ import annotations

import errno
import json
import os
import shutil
import subprocess
import sys
from contextlib import suppress
from typing import TYPE_CHECKING, Self

from ioledger.build import ENDED, publish, start_program, tail
from ioledger.problems import Problem

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    import pyarrow as pa

REMEDY = "Look at the model or the test of that name under models/."
REMEMBERED = "partial_parse.msgpack"
KINDS = (("model", "models"), ("test", "tests"))
BUILD = ("build", "--exclude-resource-type", "unit_test")
"""Models, seeds and tests of the data; what a model makes of rows of a test's own is asked by the project's tests."""
FEW = 100_000
"""Up to so many results models and tests run two at a time; of more, each alone needs all the memory there is."""
DOCUMENTS = ("docs", "generate", "--no-compile")
"""The models are compiled already."""
MEMORY = {"DUCKDB_JE_MALLOC_CONF": "dirty_decay_ms:-1,muzzy_decay_ms:-1"}
"""
What DuckDB has freed it keeps for what it needs next; only its allocator on Linux reads this. Tables pass through
memory a block at a time, and asking the system for each block anew took 8 % of the models' processor time.
"""


class Dbt:
    """dbt with its database and its files in one folder, from the start of its process to the end."""

    def __init__(self, folder: Path, before: Path | None = None) -> None:
        """Take the folder: the database will be ``dbt.duckdb`` in it, dbt's own files go to ``dbt/``."""
        self.database, self.files = folder / "dbt.duckdb", folder / "dbt"
        self.results: list[dict[str, str]] = []
        """What the last run says of each model and test: ``unique_id``, ``status`` and ``message``."""
        if before and (before / "dbt" / REMEMBERED).exists():
            self.files.mkdir()
            shutil.copy(before / "dbt" / REMEMBERED, self.files)
        variables = {
            "DBT_TARGET_PATH": str(self.files),
            "DBT_LOG_PATH": str(self.files),
            "DBT_SEND_ANONYMOUS_USAGE_STATS": "false",
            **MEMORY,
        }
        command = [sys.executable, "-m", "ioledger.build.dbt_process", str(self.database)]
        self._started = start_program(command, variables, stdin=subprocess.PIPE, stderr=subprocess.STDOUT)

    def __enter__(self) -> Self:
        """Start the process."""
        self._process = self._started.__enter__()
        return self

    def __exit__(self, *error: object) -> None:
        """End the process at once where it was not closed, whatever it is doing."""
        self._started.__exit__(None, None, None)

    def run(self, *commands: Sequence[str]) -> subprocess.CompletedProcess[str]:
        """Run dbt commands one after the other and wait for the end of the process, which leaves its database."""
        assert self._process.stdin  # noqa: S101  (both are pipes)
        assert self._process.stdout  # noqa: S101
        with suppress(BrokenPipeError):  # it has ended, and its output says why
            self._process.stdin.write(json.dumps(commands) + "\n")
            self._process.stdin.flush()
        said, _, answer = self._process.stdout.read().partition(ENDED)
        is_good, self.results = json.loads(answer.partition("\n")[0]) if answer else (False, [])
        return subprocess.CompletedProcess(self._process.args, 0 if is_good else self._process.wait() or 1, said, "")


def build(dbt: Dbt, built: dict[str, pa.Table], *, documents: bool) -> tuple[dict[str, pa.Table], list[Problem], str]:
    """Run every model and data test on the raw tables; return the marts, what failed, and what was found in words."""
    publish.fill_raw(dbt.database, built)
    at_once = "2" if built["results"].num_rows <= FEW else "1"
    command = [*BUILD, "--threads", at_once, *(() if documents else ("--no-write-json",))]
    done = dbt.run(command, *((DOCUMENTS,) if documents else ()))
    nodes = dbt.results
    if done.returncode:
        failed = [node for node in nodes if node["status"] in {"error", "fail", "runtime error"}]
        lines = [f"{node['unique_id']}: {node['message']}" for node in failed]
        lines = lines or [tail(done.stdout, done.returncode)]
        return {}, parse_failures(lines, dbt.database), ""
    derived = publish.marts_from(dbt.database)
    dbt.database.unlink()
    kinds = [node["unique_id"].split(".")[0] for node in nodes]
    return derived, [], ", ".join(f"{kinds.count(kind)} {name}" for kind, name in KINDS)


def parse_failures(lines: Sequence[str], database: Path) -> list[Problem]:
    """Return what failed, a line each, as problems; raises OSError where the disk is full."""
    full = os.strerror(errno.ENOSPC)
    if any(full in line for line in lines):
        raise OSError(errno.ENOSPC, full, str(database))
    return [Problem("models", "", " ".join(line.split()), REMEDY, "R-MODEL-1") for line in lines]
