"""DuckDB holds what strangers wrote, so no connection of the project reaches other files or the network."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import duckdb
import pyarrow as pa
import pytest

from ioledger.build import publish
from ioledger.tables.schema import ROOT

if TYPE_CHECKING:
    from pathlib import Path

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
