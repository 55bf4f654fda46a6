"""DuckDB holds what strangers wrote, so no connection of the project reaches other files or the network."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from pathlib import Path

import duckdb
import pyarrow as pa
import pytest

from ioledger.build import publish
from ioledger.tables.schema import ROOT, marts

CODE = [path for folder in ("ingest/ioledger", "tools", "site/data") for path in sorted((ROOT / folder).rglob("*.py"))]


def test_every_connection_is_shut() -> None:
    """As many connections as shut doors in every file that opens one; dbt's is shut when its run starts."""
    opening = {path: path.read_text(encoding="utf-8") for path in CODE if "duckdb.connect(" in path.read_text("utf-8")}
    assert len(opening) >= 5
    for path, text in opening.items():
        shut = re.findall(r"duckdb\.connect\([^)]*(?:enable_external_access|config=(?:publish\.)?SHUT)", text)
        later = re.findall(r'execute\("set enable_external_access = false"\)', text)
        assert len(shut) + len(later) == text.count("duckdb.connect("), path
    hooks = (ROOT / "dbt_project.yml").read_text(encoding="utf-8").partition("on-run-start:")[2]
    assert "set enable_external_access = false" in hooks


def test_a_text_that_becomes_a_query_reaches_no_file(tmp_path: Path) -> None:
    """Where the raw tables are written, DuckDB refuses to read and to write any other file."""
    table = pa.table({"text": ["'; copy results to 'hacked'; --"]})
    publish.fill_raw(tmp_path / "some.duckdb", {"results": table})
    with duckdb.connect(tmp_path / "some.duckdb", read_only=True, config=publish.SHUT) as connection:
        assert connection.execute("select text from raw.results").fetchall() == [("'; copy results to 'hacked'; --",)]
        for query in ("from read_text('/etc/passwd')", "copy raw.results to 'hacked'", "install httpfs", "load httpfs"):
            with pytest.raises(duckdb.Error):
                connection.execute(query)


OLDEST = "1.3.0"
"""The version from which on the page of downloads promises that the database is read."""
READ_ALL = """
import duckdb, sys
database = duckdb.connect(sys.argv[1], read_only=True)
tables = database.execute("select table_schema, table_name from information_schema.tables").fetchall()
for schema, name in tables:
    database.execute(f'select * from "{schema}"."{name}" limit 1').fetchall()
print(duckdb.__version__, *sorted(name for schema, name in tables if schema == "main"))
"""


def test_the_oldest_engine_that_is_promised_reads_every_table_and_view(sample: Path, tmp_path: Path) -> None:
    """Nothing in the file is stored in a form that only later versions read."""
    said = json.loads((ROOT / "site" / "messages" / "en.json").read_text(encoding="utf-8"))["data.database.note"]
    assert f"DuckDB {OLDEST.removesuffix('.0')} or later reads it" in said
    install = ["pip", "install", "--quiet", "--only-binary", ":all:", "--target", str(tmp_path), f"duckdb=={OLDEST}"]
    subprocess.run([str(Path(sys.executable).with_name("uv")), *install], check=True)  # noqa: S603
    command = [sys.executable, "-c", READ_ALL, str(sample / "build" / "ioledger.duckdb")]
    environment = {**os.environ, "PYTHONPATH": str(tmp_path)}
    done = subprocess.run(command, env=environment, capture_output=True, text=True, check=False)  # noqa: S603
    version, *names = done.stdout.split() or [done.stderr]
    assert version == OLDEST, done.stderr
    assert {*marts()} <= {*names}
