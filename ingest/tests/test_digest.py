"""What tables are known by: the same for the same rows in any file, and another for every change."""

from __future__ import annotations

import hashlib
import json
import shutil
from typing import TYPE_CHECKING, Any

import duckdb
import msgspec
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

import released
from ioledger import releases
from ioledger.tables.store import write_parquet

if TYPE_CHECKING:
    from pathlib import Path

    from conftest import Run


@pytest.fixture(scope="module")
def small(sample: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a build with few rows of each table."""
    return released.build(sample, tmp_path_factory.mktemp("small") / "build")


@pytest.fixture
def build(small: Path, tmp_path: Path) -> Path:
    """Return a copy of it."""
    return shutil.copytree(small, tmp_path / "build")


def test_the_release_id_is_a_hash_of_names_rows_schemas_and_contents(small: Path) -> None:
    """Anyone can compute it from the manifest: a line a table, sorted, with tabulators between the parts."""
    stated = json.loads((small / "manifest.json").read_bytes())
    lines = []
    for name, entry in sorted(stated["files"].items()):
        columns = "; ".join(f"{column} {kind}" for column, kind in entry["schema"].items())
        parts = (name.removesuffix(".parquet"), str(entry["rows"]), columns, entry["content_sha256"])
        lines.append("\t".join(parts) + "\n")
    assert stated["release_id"] == hashlib.sha256("".join(lines).encode()).hexdigest()
    assert stated["files"]["marts/results.parquet"]["schema"]["latency_mean_seconds"] == "double [seconds]"
    found = releases.digest_folder(small)
    assert (found.release_id, found.database_sha256) == (stated["release_id"], stated["database_sha256"])
    assert {f"{name}.parquet" for name in found.tables} == stated["files"].keys()
    for name, held in found.database.items():
        if held.schema and name != releases.BESIDE:
            assert held == found.tables[releases.find_source(name, found.tables)], name


@pytest.mark.parametrize(
    "change",
    [
        "update main.results set queue_depth = queue_depth + 1 where result_id = (select min(result_id) from results)",
        "update raw.claim_verdicts set verdict = 'other'",
        "delete from main.peaks where peak_id = (select min(peak_id) from main.peaks)",
        "update raw.beside set row_count = row_count + 1",
        "create table main.more as select 1 as one",
        "create view main.seen as select 1 as one",
    ],
)
def test_a_change_of_the_database_changes_what_it_is_known_by(build: Path, change: str) -> None:
    """A value, a row, a table or a view; the tables in Parquet are as they were."""
    with duckdb.connect(build / "ioledger.duckdb") as connection:
        connection.execute(change)
    stated, found = releases.read_manifest(build), releases.digest_folder(build)
    assert found.release_id == stated.release_id
    assert found.database_sha256 != stated.database_sha256


def test_the_order_in_which_a_database_holds_rows_changes_nothing(build: Path) -> None:
    """They are sorted before they are hashed."""
    before = releases.digest_folder(build).database["main.peaks"]
    with duckdb.connect(build / "ioledger.duckdb") as connection:
        connection.execute("create table turned as from peaks order by peak_id desc")
        connection.execute("delete from peaks")
        connection.execute("insert into peaks by name from turned")
    assert releases.digest_folder(build).database["main.peaks"] == before


def test_every_part_of_a_table_changes_the_release_id() -> None:
    """Its name, the type of a column, a value and a row."""
    integers = pa.array([1, 2], pa.int32())
    tables: list[tuple[str, Any]] = [("a", [1, 2]), ("b", [1, 2]), ("a", integers), ("a", [1, 3]), ("a", [1, 2, 3])]
    ids = {releases.release_id({name: releases.digest_table(pa.table({"a": values}))}) for name, values in tables}
    assert len(ids) == len(tables)


def test_the_command_prints_the_id_and_what_the_tables_are_known_by(small: Path, ioledger: Run) -> None:
    """For people and for programs; the exit code is 0."""
    told = json.loads((small / "manifest.json").read_bytes())
    printed = ioledger("digest", small)
    assert (printed.returncode, printed.stderr) == (0, "")
    assert printed.stdout.splitlines()[0] == told["release_id"]
    assert told["files"]["marts/peaks.parquet"]["content_sha256"] in printed.stdout
    asked = ioledger("digest", "--workspace", small.parent, "--json")
    found = msgspec.json.decode(asked.stdout, type=releases.Digest)
    assert (asked.returncode, found.release_id) == (0, told["release_id"])
    assert found.database_sha256 == told["database_sha256"]


def test_the_command_names_what_the_manifest_states_otherwise(build: Path, ioledger: Run) -> None:
    """A changed table gives another id, and what is no table is named."""
    path = build / "marts" / "peaks.parquet"
    write_parquet(pq.read_table(path).slice(1), path)
    changed = ioledger("digest", build)
    assert (changed.returncode, changed.stderr.count("\n")) == (1, 1)
    assert changed.stderr.startswith(f"{build / 'manifest.json'}:release_id: it is ")
    assert "[R-RELEASE-2]" in changed.stderr
    path.write_bytes(b"PAR1 and no more")
    broken = ioledger("digest", build)
    assert (broken.returncode, broken.stdout) == (1, "")
    assert broken.stderr.startswith(f"{path}: ")
    assert broken.stderr.endswith("[R-RELEASE-1]\n")
    nothing = ioledger("digest", build.parent)
    said = "it does not contain the manifest.json of a build. Build it again, or download the release again."
    assert nothing.stderr.endswith(f"{said}  [R-RELEASE-1]\n")
