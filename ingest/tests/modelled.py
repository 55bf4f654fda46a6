"""The models on submissions of a test's own: dbt on a fresh database, and the marts as a build publishes them."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import duckdb
import pyarrow.parquet as pq

from ingest import gather, publish, store
from ingest.tables import ROOT, marts


def run(folders: list[Path], scratch: Path, *selected: str) -> Path:
    """
    Run the selected models on the submissions in these folders; return a folder that is laid out as a build.

    It holds the raw tables, and below ``marts/`` those marts that were selected, as Parquet.
    """
    gathered = gather.gather(folders)
    assert gathered.problems == []
    built, problems = store.build(gathered)
    assert problems == []
    database = scratch / "dbt.duckdb"
    publish.fill_raw(database, built)
    dbt = str(Path(sys.executable).with_name("dbt"))
    fixed = ["--profiles-dir", ".", "--project-dir", ".", "--exclude-resource-type", "test", "unit_test"]
    command = [dbt, "--quiet", "--no-use-colors", "build", *fixed, "--select", *selected]
    paths = {"IOLEDGER_DBT_PATH": str(database), "DBT_TARGET_PATH": str(scratch), "DBT_LOG_PATH": str(scratch)}
    environment = {**os.environ, **paths, "DBT_SEND_ANONYMOUS_USAGE_STATS": "false"}
    done = subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, text=True, check=False)  # noqa: S603
    assert done.returncode == 0, done.stdout
    (scratch / "marts").mkdir()
    for name, table in built.items():
        pq.write_table(table, scratch / f"{name}.parquet")
    with duckdb.connect(database, read_only=True) as connection:
        made = connection.execute("select table_name from information_schema.tables where table_schema = 'main'")
        for name in sorted({row[0] for row in made.fetchall()} & marts().keys()):
            found = connection.sql(f'from main."{name}"').to_arrow_table()
            pq.write_table(found, scratch / "marts" / f"{name}.parquet")
    return scratch
