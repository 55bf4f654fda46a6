"""Columns are defined once, carry their unit in the name, and agree with the normal form."""

from __future__ import annotations

import re

import pytest

from ingest.record import Result
from ingest.tables import Table, arrow_schema, marts, tables

SUFFIX_OF_UNIT = {
    "seconds": "_seconds",
    "bytes": "_bytes",
    "bytes per second": "_bytes_per_second",
    "per second": "_per_second",
    "hertz": "_hertz",
    "kelvin": "_kelvin",
    "ratio": "_ratio",
}
PLAIN_NUMBER = re.compile(r"_(count|index|code|depth|low|high|value)$|^queue_depth|^printed_|^claimed_")
SUPPLIED = {
    "result_id", "point_id", "submission_id", "configuration_id", "source_sha256", "source_path", "source_pointer",
    "repetition_index", "tool",
}  # fmt: skip
EVERY_TABLE = [*tables().values(), *marts().values()]


@pytest.mark.parametrize("table", EVERY_TABLE, ids=lambda table: table.name)
def test_a_numeric_column_says_its_unit_in_its_name(table: Table) -> None:
    """A number has a unit and the suffix of that unit, or a name that counts or ranks."""
    for column in table.columns:
        if column.unit is not None:
            assert column.name.endswith(SUFFIX_OF_UNIT[column.unit]), f"{column.name} is in {column.unit}"
        elif column.arrow in {"float64", "int64"}:
            assert PLAIN_NUMBER.search(column.name), f"{column.name} has no unit and no counting name"


@pytest.mark.parametrize("table", EVERY_TABLE, ids=lambda table: table.name)
def test_a_table_has_a_key_and_a_total_order(table: Table) -> None:
    """The order contains the whole key or the key itself, so that sorted rows have one order only."""
    assert set(table.primary_key) <= set(table.column_names)
    assert set(table.order) <= set(table.column_names)
    assert set(table.primary_key) <= set(table.order) or table.name in {"sources", "warnings"}


def test_the_normal_form_has_exactly_the_columns_a_file_can_tell() -> None:
    """A result's fields are the results table's columns without those that manifest and store supply."""
    own = set(Result.__struct_fields__) - {"pointer", "point", "configuration", "percentiles", "bins"}
    assert own == set(tables()["results"].column_names) - SUPPLIED


def test_units_and_descriptions_travel_with_the_arrow_fields() -> None:
    """Whoever reads the Parquet file sees what a column means."""
    field = arrow_schema(tables()["results"]).field("latency_mean_seconds")
    assert field.metadata == {b"unit": b"seconds", b"description": b"Mean latency."}
