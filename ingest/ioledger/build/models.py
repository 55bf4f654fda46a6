"""
The dbt models, run on a fresh database: raw tables in, marts out, and the documentation of how they hang together.

dbt runs in a process of its own, because it keeps its database locked until the process ends.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from typing import TYPE_CHECKING, Any, Self

import msgspec

from ioledger.build import publish
from ioledger.build.dbt_process import ENDED
from ioledger.build.programs import tail
from ioledger.problems import Problem
from ioledger.tables.schema import ROOT

if TYPE_CHECKING:
    from pathlib import Path
    from types import TracebackType

    import pyarrow as pa

REMEDY = "Look at the model or the test of that name under models/."
KINDS = (("model", "models"), ("test", "tests"))
BUILD = ("build", "--exclude-resource-type", "unit_test")
"""Models, seeds and tests of the data; what a model makes of rows of a test's own is asked by the project's tests."""
DOCUMENTS = ("docs", "generate", "--static", "--no-compile")
"""The models are compiled already."""


class Dbt:
    """
    dbt with its database and its files in one folder, from the start of its process to the end.

    It reads the project while the caller does something else. Use it with ``with``: nothing of it is left then.
    """

    def __init__(self, folder: Path) -> None:
        """Start the process; its database will be ``dbt.duckdb`` in ``folder``, its own files go to ``dbt/``."""
        self.database, self.files = folder / "dbt.duckdb", folder / "dbt"
        variables = {
            "IOLEDGER_DBT_PATH": str(self.database),
            "DBT_TARGET_PATH": str(self.files),
            "DBT_LOG_PATH": str(self.files),
            "DBT_SEND_ANONYMOUS_USAGE_STATS": "false",
        }
        self._process = subprocess.Popen(
            [sys.executable, "-m", "ioledger.build.dbt_process"],
            cwd=ROOT,
            env={**os.environ, **variables},
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            encoding="utf-8",
            errors="replace",
        )

    def __enter__(self) -> Self:
        """Return itself."""
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """End the process at once where it was not closed, whatever it is doing."""
        self._process.kill()
        self._process.communicate()

    def close(self) -> None:
        """Let the process end, and with it the lock on its database."""
        self._process.communicate()

    def run(self, *arguments: str) -> subprocess.CompletedProcess[str]:
        """Run dbt with these arguments and wait; exit code and output are those of dbt as a command."""
        said: list[str] = []
        if self._process.stdin and self._process.stdout:
            self._process.stdin.write(json.dumps(arguments) + "\n")
            self._process.stdin.flush()
            for line in self._process.stdout:
                if line.startswith(ENDED):
                    code = 0 if line.split()[1] == str(True) else 1
                    return subprocess.CompletedProcess(arguments, code, "".join(said), "")
                said.append(line)
        return subprocess.CompletedProcess(arguments, 1, "".join(said), "")

    def results(self) -> list[Any]:
        """Return what the last run says of each model and test: ``unique_id``, ``status``, ``message`` and more."""
        path = self.files / "run_results.json"
        nodes: list[Any] = msgspec.json.decode(path.read_bytes())["results"] if path.exists() else []
        return nodes


def build(dbt: Dbt, built: dict[str, pa.Table], *, documents: bool) -> tuple[dict[str, pa.Table], list[Problem], str]:
    """
    Run every model and data test on the raw tables; return the marts by name, what failed, and what was found in words.

    With ``documents``, dbt's documentation is ``static_index.html`` among its files. Where all went well, ``dbt`` is
    closed.
    """
    publish.fill_raw(dbt.database, built)
    done = dbt.run(*BUILD)
    nodes = dbt.results()
    failed = [node for node in nodes if node["status"] in {"error", "fail", "runtime error"}]
    if done.returncode or failed:
        lines = [f"{node['unique_id']}: {node['message']}" for node in failed] or [tail(done)]
        return {}, [Problem("models", "", " ".join(line.split()), REMEDY, "R-MODEL-1") for line in lines], ""
    documented = dbt.run(*DOCUMENTS) if documents else done
    if documented.returncode:
        return {}, [Problem("models", "", tail(documented), REMEDY, "R-MODEL-1")], ""
    dbt.close()
    derived = publish.marts_from(dbt.database)
    dbt.database.unlink()
    kinds = [node["unique_id"].split(".")[0] for node in nodes]
    return derived, [], ", ".join(f"{kinds.count(kind)} {name}" for kind, name in KINDS)
