"""
The models' own unit tests, which stand beside each model: what it makes of a few rows, edge cases above all.

dbt runs them on a database whose tables are empty, because a unit test states every row that it needs.
"""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import pytest
import yaml

from ioledger.build import models, publish
from ioledger.tables.schema import ROOT, arrow_schema, tables

STATED = sorted(
    test["name"]
    for path in (ROOT / "models").rglob("*.yml")
    for test in yaml.safe_load(path.read_text(encoding="utf-8")).get("unit_tests") or ()
)


@pytest.fixture(scope="module")
def outcomes(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Any]:
    """Return what dbt says of each unit test, by name, after it has run all of them."""
    return _run(tmp_path_factory.mktemp("models"))


def _run(folder: Path) -> dict[str, Any]:
    made = os.environ.get("IOLEDGER_SAMPLE")  # its dbt has read the project
    with models.Dbt(folder, Path(made, "build") if made else None) as dbt:
        publish.fill_raw(dbt.database, {name: arrow_schema(table).empty_table() for name, table in tables().items()})
        done = dbt.run("build", "--exclude-resource-type", "test", "--no-write-json")
        assert dbt.results, done.stdout
        return {node["unique_id"].split(".")[-1]: node for node in dbt.results}


def test_every_model_comes_out_of_empty_tables(outcomes: dict[str, Any]) -> None:
    """No model fails for want of rows, so each has met its unit tests."""
    assert {path.stem for path in (ROOT / "models").rglob("*.sql")} <= outcomes.keys()
    assert [node["message"] for node in outcomes.values() if node["status"] == "error"] == []


@pytest.mark.parametrize("name", STATED)
def test_a_model_makes_of_a_few_rows_what_its_unit_test_says(name: str, outcomes: dict[str, Any]) -> None:
    """What dbt says of a unit test that fails shows the rows that differ; those of models behind it do not run."""
    if outcomes[name]["status"] == "skipped":
        pytest.skip("a model before this one, or a unit test of it, fails")
    assert outcomes[name]["status"] == "pass", outcomes[name]["message"]
