"""Columns are defined once, carry their unit in the name, and agree with the normal form."""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING

import pyarrow as pa
import pytest

from ioledger.model import Result
from ioledger.tables.columns import ORIGIN
from ioledger.tables.schema import SCHEMAS, Table, marts, tables
from ioledger.tables.store import faults, from_rows, unknown_words

if TYPE_CHECKING:
    from pathlib import Path

SUFFIX_OF_UNIT = {
    "seconds": "_seconds",
    "bytes": "_bytes",
    "bytes per second": "_bytes_per_second",
    "per second": "_per_second",
    "hertz": "_hertz",
    "kelvin": "_kelvin",
    "ratio": "ratio",
    "watts": "_watts",
}
PLAIN_NUMBER = re.compile(
    r"(?:^|_)(count|index|code|depth|line|low|high|value|first|last|round)$|^queue_depth|^printed_|^claimed_|^edition$"
    r"|^(n|degrees|variance|low_half|high_half)$"
)
SUPPLIED = {
    "result_id", "repetition_id", "submission_id", "configuration_id", "source_sha256", "file_id", "source_path",
    "source_pointer", "repetition_index", "tool",
}  # fmt: skip
ROWS = "submission|configuration|load_profile|result|repetition|figure|file|claim|profile_set"
POINTS_ELSEWHERE = re.compile(rf"({ROWS})_id$")
NO_TABLE_OF_REPETITIONS = {"disk_counters", "findings", "results", "samples"}
"""They say what belongs together, before there are rows for repetitions."""
EVERY_TABLE = [*tables().values(), *marts().values()]


@pytest.mark.parametrize("table", EVERY_TABLE, ids=lambda table: table.name)
def test_a_numeric_column_says_its_unit_in_its_name(table: Table) -> None:
    """A number has a unit and the suffix of that unit, or a name that counts or ranks."""
    for column in table.columns:
        if column.unit is not None:
            value = column.name.removesuffix("_low").removesuffix("_high")
            assert value.endswith(SUFFIX_OF_UNIT[column.unit]), f"{column.name} is in {column.unit}"
        elif column.arrow in {"float64", "int64"}:
            assert PLAIN_NUMBER.search(column.name), f"{column.name} has no unit and no counting name"


@pytest.mark.parametrize("table", EVERY_TABLE, ids=lambda table: table.name)
def test_a_table_has_a_key_and_a_total_order(table: Table) -> None:
    """The order contains the whole key, so that sorted rows have one order; what one run measured is a repetition."""
    assert set(table.primary_key) <= set(table.order) <= set(table.column_names)
    said = [column.description for column in table.columns if column.name == "repetition_id"]
    said += [table.description] if "repetition_id" in table.primary_key else []
    assert not re.search(r"\bpoints?\b", " ".join(said)), "a point has all repetitions of a load"


def test_the_normal_form_has_exactly_the_columns_a_file_can_tell() -> None:
    """A result's fields are the results table's columns without those that manifest and store supply."""
    own = set(Result.__struct_fields__) - {"pointer", "repetition", "configuration", "percentiles", "bins", "premises"}
    own = own - {"origin"} | set(ORIGIN)
    assert own == set(tables()["results"].column_names) - SUPPLIED


@pytest.mark.parametrize("path", sorted(SCHEMAS.glob("*s/*.schema.json")), ids=lambda path: path.stem)
def test_a_column_that_names_a_row_of_another_table_says_which(path: Path) -> None:
    """A test of dbt follows each reference; a device may be several, joined, and so is no reference."""
    schema = json.loads(path.read_text(encoding="utf-8"))
    named = {name for names in schema.get("x-references", {}) for name in names.split(",")}
    own = schema["x-primary-key"][-1] if len(schema["x-primary-key"]) <= 2 else None
    exempt = {own}
    exempt |= {"repetition_id"} if schema["title"] in NO_TABLE_OF_REPETITIONS else set()
    pointing = {name for name in schema["properties"] if POINTS_ELSEWHERE.search(name)}
    assert pointing - exempt <= named


@pytest.mark.parametrize(
    ("name", "column"),
    [(table.name, column.name) for table in tables().values() for column in table.columns if column.words],
)
def test_a_column_with_a_closed_list_refuses_a_foreign_word(name: str, column: str) -> None:
    """Whatever wrote it, a reader or a person; each of its own words and null are taken."""
    (own,) = (each for each in tables()[name].columns if each.name == column)
    assert unknown_words(own, pa.chunked_array([[*own.words, None]])) == []
    table = from_rows(tables()[name], [{column: "furlong"}])
    found = [problem for problem in faults(tables()[name], table) if problem.rule == "R-TABLE-3"]
    assert [f"{column} is 'furlong'" in problem.what for problem in found] == [True]
