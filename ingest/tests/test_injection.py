"""Text that tries to be something else stays text, from the manifest to the database."""

from __future__ import annotations

import csv
import io
import json
from pathlib import Path
from typing import TYPE_CHECKING

import duckdb
import pytest

import injection
from ioledger.build import publish
from ioledger.submission import files, gather
from ioledger.submission.rows import raw_tables

if TYPE_CHECKING:
    from collections.abc import Callable
    from subprocess import CompletedProcess

    import pyarrow as pa

    Run = Callable[..., CompletedProcess[str]]


@pytest.fixture
def built(tmp_path: Path) -> dict[str, pa.Table]:
    """Return the raw tables of the submission."""
    gathered = gather.gather([injection.write(tmp_path / "data")])
    assert gathered.problems == []
    tables, problems = raw_tables(gathered)
    assert problems == []
    return tables


def test_every_string_is_accepted_and_stands_unchanged_in_the_tables(built: dict[str, pa.Table]) -> None:
    """Each of them is found in a cell, whole."""
    cells = {
        value
        for table in built.values()
        for row in table.to_pylist()
        for value in row.values()
        if isinstance(value, str)
    }
    assert [text for text in injection.texts() if text not in cells] == []
    assert injection.STRINGS[0] in built["results"]["test_name"].to_pylist()
    assert built["submissions"]["citation_url"].to_pylist() == ["javascript:window.hacked=1"]


def test_most_texts_of_a_manifest_are_replaced(tmp_path: Path) -> None:
    """More than fifty places carry a string, so that few are forgotten."""
    loaded, problems = files.load_submission(injection.write(tmp_path / "data"))
    assert problems == []
    assert loaded is not None
    text = json.dumps(loaded.manifest)
    assert sum(text.count(json.dumps(string)) for string in injection.texts()) > 35


def test_the_database_holds_all_tables_and_no_file_appears(built: dict[str, pa.Table], tmp_path: Path) -> None:
    """What looks like SQL was not run: every table is there with its rows."""
    publish.fill_raw(tmp_path / "scratch.duckdb", built)
    with duckdb.connect(tmp_path / "scratch.duckdb", read_only=True) as connection:
        for name, table in built.items():
            count = connection.execute(f'select count(*) from raw."{name}"').fetchone()  # noqa: S608  (own names)
            assert count == (table.num_rows,)
    assert not Path("hacked").exists()
    assert not Path("/tmp/hacked").exists()  # noqa: S108  (the string names it)


def test_the_commands_print_it_as_text(ioledger: Run, tmp_path: Path) -> None:
    """Rows, CSV and the check: one record per row, and nothing is run."""
    folder = injection.write(tmp_path / "data")
    assert ioledger("check", folder, "--github").returncode == 0
    done = ioledger("parse", folder / "report.json", "-o", tmp_path / "rows.csv", "-o", tmp_path / "rows.jsonl")
    assert done.returncode == 0, done.stderr
    rows = list(csv.DictReader(io.StringIO((tmp_path / "rows.csv").read_text(encoding="utf-8"))))
    lines = (tmp_path / "rows.jsonl").read_text(encoding="utf-8").splitlines()
    assert len(rows) == len(lines) == 2
    assert rows[0]["test_name"] == json.loads(lines[0])["test_name"] == injection.STRINGS[0]
    assert not Path("hacked").exists()
