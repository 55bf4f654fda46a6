"""The dbt models: described, contracted, linted by their own rules, true to what they and their tests promise."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from itertools import chain
from pathlib import Path
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any

import duckdb
import pyarrow as pa
import pytest

import ioledger.build
from conftest import description
from ioledger.build import dbt_process, models, publish
from ioledger.submission import gather
from ioledger.submission.rows import raw_tables
from ioledger.tables.schema import ROOT, Table, marts, tables

if TYPE_CHECKING:
    from collections.abc import Iterator

    from modelled import Modelled

MODELS = sorted((ROOT / "models").rglob("*.sql"))
DERIVED = sorted((ROOT / "models" / "intermediate").glob("*.sql")) + sorted((ROOT / "models" / "marts").glob("*.sql"))
RELATIONS = sorted((ROOT / "ingest" / "tests" / "relations").glob("*.sql"))
UNCHANGED = re.compile(r"(?:with )?\w+ as \(\s*select \* from (?:\{\{[^}]+\}\}|\w+)\s*\),?\s*")
"""A step that hands on what it reads."""


@pytest.fixture(scope="module")
def database(sample: Path) -> Iterator[duckdb.DuckDBPyConnection]:
    """Return a read-only connection to the tests' own dataset."""
    with duckdb.connect(sample / "build" / "ioledger.duckdb", read_only=True) as connection:
        yield connection


def test_the_columns_in_the_descriptions_are_those_of_the_schemas() -> None:
    """Columns are defined in schemas/marts; the copies that dbt enforces are generated and up to date."""
    command = [sys.executable, str(ROOT / "tools" / "columns.py"), "--check"]
    run = subprocess.run(command, capture_output=True, text=True, check=False)  # noqa: S603  (own program)
    assert (run.returncode, run.stdout) == (0, "")


def test_every_mart_has_a_schema_and_every_schema_a_mart() -> None:
    """What dbt builds in its last layer is exactly what is published."""
    assert {path.stem for path in (ROOT / "models" / "marts").glob("*.sql")} == set(marts())
    for path in (ROOT / "schemas" / "marts").glob("*.schema.json"):
        schema = json.loads(path.read_text(encoding="utf-8"))
        assert (f"{schema['title']}.schema.json", schema["$id"]) == (path.name, f"marts/{path.name}")


@pytest.mark.parametrize("table", marts().values(), ids=lambda table: table.name)
def test_a_column_that_a_mart_takes_over_keeps_its_type_and_unit(table: Table) -> None:
    """A mart with the name of a raw table has all its columns, of the same type and unit."""
    raw = tables().get(table.name)
    own = {column.name: (column.arrow, column.unit) for column in table.columns}
    for column in raw.columns if raw else ():
        assert own[column.name] == (column.arrow, column.unit)


@pytest.mark.parametrize("model", MODELS, ids=lambda path: path.stem)
def test_a_model_is_described_and_does_something(model: Path) -> None:
    """One paragraph, from which the method page is made; what is computed is in the model, in no macro."""
    (described,) = description(model)["models"]
    assert described["name"] == model.stem
    assert described["description"].strip().endswith(".")
    text = model.read_text(encoding="utf-8")
    assert text.endswith("\n)\n\nselect * from final\n")
    assert UNCHANGED.sub("", text).strip() != "select * from final"
    assert "{% macro" not in text


@pytest.mark.parametrize("path", [*MODELS, *RELATIONS], ids=lambda path: path.stem)
def test_a_query_begins_in_its_first_line(path: Path) -> None:
    """The linter overlooks empty lines above a template."""
    text = path.read_text(encoding="utf-8")
    assert text == text.lstrip()


def test_unit_tests_have_names_of_their_own() -> None:
    """A unit test names what it shows, and each name stands once."""
    tests = list(chain.from_iterable(description(model).get("unit_tests", []) for model in DERIVED))
    names = [test["name"] for test in tests]
    assert len(names) == len(set(names))
    assert all(test["description"].strip() for test in tests)


def test_a_relation_that_does_not_hold_stops_the_build_by_name(submission: Path, sample: Path, tmp_path: Path) -> None:
    """
    Results of a configuration that nobody stated: one line per test that fails, with what it found.

    What dbt has read of the project for another database it has not read again.
    """
    built, _ = raw_tables(gather.gather([submission]))
    with models.Dbt(tmp_path, sample / "build") as dbt:
        _, problems, _ = models.build(
            dbt, {**built, "configurations": built["configurations"].slice(0, 0)}, documents=False
        )
    found = [problem for problem in problems if problem.what.startswith("test.ioledger.raw_results_configuration_id_")]
    assert [problem.rule for problem in found] == ["R-MODEL-1"]
    assert "Got 2 results" in found[0].what
    assert json.loads((dbt.files / "perf_info.json").read_text(encoding="utf-8"))["parsed_path_count"] == 0


def test_a_project_that_dbt_cannot_read_is_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """What dbt says when it reads the project, here that there is none, is the answer to what is asked of it then."""
    monkeypatch.setattr(ioledger.build, "ROOT", tmp_path)
    monkeypatch.setenv("PYTHONPATH", str(ROOT))
    with models.Dbt(tmp_path) as dbt:
        done = dbt.run(("build",))
    assert done.returncode == 1
    assert "dbt_project.yml" in done.stdout


def test_a_full_disk_is_no_models_fault(tmp_path: Path) -> None:
    """Whatever fails after it, in one line that names the database."""
    lines = ["model.ioledger.points: [Errno 28] No space left on device", "model.ioledger.peaks: no such table: points"]
    assert [problem.rule for problem in models.parse_failures(lines[1:], tmp_path)] == ["R-MODEL-1"]
    with pytest.raises(OSError, match=str(tmp_path)):
        models.parse_failures(lines, tmp_path)


def test_dbt_is_left_the_variables_that_it_needs() -> None:
    """It looks through all of them again and again."""
    needed = {"PATH": "/bin", "HOME": "/home/a", "IOLEDGER_DBT_THREADS": "1", "DBT_TARGET_PATH": "/x", "TMPDIR": "/tmp"}  # noqa: S108
    needed |= models.MEMORY
    variables = needed | {"npm_config_cache": "/home/a/.npm", "EDITOR": "ed", "NODE": "/bin/node"}
    dbt_process.slim(variables)
    assert variables == needed


def test_scaling_factors_stand_beside_what_the_paper_stated(database: duckdb.DuckDBPyConnection) -> None:
    """
    Four independent P3700 against one, recomputed from the printed figures.

    At equal total depth the ideal follows from the curve of the single drive, which the report does not print.
    """
    query = """
        select load_profile, stated_factor_ratio, round(factor_ratio, 2), round(efficiency_ratio, 3)
        from scaling
        where submission_id = '2016-03-fujitsu-p3700' and array_configuration_id = 'p3700-4x-independent'
            and load_profile in ('Database', 'File copy')
        order by all
    """
    expected = [
        ("Database", 3.17, 3.17, 0.792),
        ("Database", 4.0, 4.05, 1.014),
        ("File copy", 4.0, 4.05, 1.012),
        ("File copy", 4.02, 4.0, None),
    ]
    assert database.execute(query).fetchall() == expected


@pytest.mark.parametrize(("results", "at_once"), [(0, "2"), (models.FEW, "2"), (models.FEW + 1, "1")])
def test_models_of_many_results_have_the_memory_for_themselves(
    results: int, at_once: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Two heavy statements at once spill; those of a small database only leave a core idle."""
    asked: list[str] = []

    def run(command: list[str], *_: list[str]) -> subprocess.CompletedProcess[str]:
        asked.extend(command)
        return subprocess.CompletedProcess(command, 1, "stopped", "")

    monkeypatch.setattr(publish, "fill_raw", lambda *_: None)
    dbt: Any = SimpleNamespace(database=Path("dbt.duckdb"), results=[], run=run)
    _, problems, _ = models.build(dbt, {"results": pa.table({"n": range(results)})}, documents=True)
    assert len(problems) == 1
    assert asked[asked.index("--threads") + 1] == at_once


STATED = sorted(
    test["name"] for path in (ROOT / "models").rglob("*.yml") for test in description(path).get("unit_tests") or ()
)


def test_every_model_is_made(benches: Modelled) -> None:
    """So each has met its unit tests."""
    assert {path.stem for path in (ROOT / "models").rglob("*.sql")} <= benches.nodes.keys()
    assert [node["message"] for node in benches.nodes.values() if node["status"] == "error"] == []


@pytest.mark.parametrize("name", STATED)
def test_a_model_makes_of_a_few_rows_what_its_unit_test_says(name: str, benches: Modelled) -> None:
    """What dbt says of a unit test that fails shows the rows that differ; those of models behind it do not run."""
    if benches.nodes[name]["status"] == "skipped":
        pytest.skip("a model before this one, or a unit test of it, fails")
    assert benches.nodes[name]["status"] == "pass", benches.nodes[name]["message"]
