"""
The models' own unit tests, which stand beside each model: what it makes of a few rows, edge cases above all.

dbt runs them with the models on benches made for tests; a unit test states every row that it needs.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from conftest import description
from ioledger.tables.schema import ROOT

if TYPE_CHECKING:
    from modelled import Modelled

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
