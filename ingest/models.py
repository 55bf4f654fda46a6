"""
The dbt models, run on a fresh database: raw tables in, marts out, and the documentation of how they hang together.

dbt runs in a process of its own, because it keeps its database locked until the process ends.
"""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

import msgspec

from ingest import publish
from ingest.problems import Problem
from ingest.programs import run, tail

if TYPE_CHECKING:
    import subprocess

    import pyarrow as pa

REMEDY = "Look at the model or the test of that name under models/."
KINDS = (("model", "models"), ("test", "tests"), ("unit_test", "unit tests"))


def build(made: Path, built: dict[str, pa.Table]) -> tuple[dict[str, pa.Table], list[Problem], str]:
    """
    Run every model and test on the raw tables; return the marts by name, what failed, and what was found in words.

    ``made`` is the folder of the build; dbt's own files go to ``dbt/`` in it, the documentation included.
    """
    database = made / "dbt.duckdb"
    publish.fill_raw(database, built)
    done = _dbt(made, "build")
    results = made / "dbt" / "run_results.json"
    nodes: list[Any] = msgspec.json.decode(results.read_bytes())["results"] if results.exists() else []
    failed = [node for node in nodes if node["status"] in {"error", "fail", "runtime error"}]
    if done.returncode or failed:
        lines = [f"{node['unique_id']}: {node['message']}" for node in failed] or [tail(done)]
        return {}, [Problem("models", "", " ".join(line.split()), REMEDY, "R-MODEL-1") for line in lines], ""
    documented = _dbt(made, "docs", "generate", "--static")
    if documented.returncode:
        return {}, [Problem("models", "", tail(documented), REMEDY, "R-MODEL-1")], ""
    derived = publish.marts_from(database)
    database.unlink()
    kinds = [node["unique_id"].split(".")[0] for node in nodes]
    return derived, [], ", ".join(f"{kinds.count(kind)} {name}" for kind, name in KINDS)


def _dbt(made: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    program = Path(sys.executable).with_name("dbt")
    folder = str(made / "dbt")
    variables = {
        "IOLEDGER_DBT_PATH": str(made / "dbt.duckdb"),
        "DBT_TARGET_PATH": folder,
        "DBT_LOG_PATH": folder,
        "DBT_SEND_ANONYMOUS_USAGE_STATS": "false",
    }
    fixed = ["--profiles-dir", ".", "--project-dir", "."]
    return run([str(program), "--quiet", "--no-use-colors", *arguments, *fixed], variables)
