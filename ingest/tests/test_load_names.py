"""What pages call a load: the name of its profile only beside sources that use it."""

from __future__ import annotations

import runpy
from typing import Any

import duckdb
import pytest

from ioledger.tables.schema import ROOT

WORDS = "64 KiB sequential write"
COLUMNS = ["load_profile", "a_submission_id", "b_submission_id"]


@pytest.fixture
def names() -> Any:  # noqa: ANN401  (a class of a script)
    """Return the named loads of a table with one, which two submissions call by its name."""
    connection = duckdb.connect()
    connection.execute(f"""
        create table workloads as
        select 'Restore' as load_profile, '{WORDS}' as definition, true as is_listed, true as is_complete,
            ['paper', 'thesis'] as naming_submissions
        union all select '4 KiB random read', '4 KiB random read', true, true, []
    """)
    return runpy.run_path(str(ROOT / "site" / "data" / "rows.py"))["Names"](connection)


def test_a_row_has_the_name_where_its_sources_use_it(names: Any) -> None:  # noqa: ANN401
    """Of a pair both have to."""
    rows = [("Restore", "paper", "thesis"), ("Restore", "paper", "log"), ("4 KiB random read", "log", None)]
    _, said = names.say((COLUMNS, rows))
    assert [row[0] for row in said] == ["Restore", WORDS, "4 KiB random read"]
    assert [row[1:] for row in said] == [row[1:] for row in rows]


def test_a_load_has_one_name_in_a_figure(names: Any) -> None:  # noqa: ANN401
    """One source that does not use the name is enough for the definition."""
    for other, name in (("log", WORDS), ("thesis", "Restore")):
        found = (["submission_id", "load_profile"], [("paper", "Restore"), (other, "Restore")])
        assert [row[1] for row in names.say(found, together=True)[1]] == [name, name]


def test_what_a_source_states_stays(names: Any) -> None:  # noqa: ANN401
    """A stated name is what a file says, and no name of these pages."""
    found = (["submission_id", "stated_load_profile"], [("log", "Restore")])
    assert names.say(found) == names.say(found, together=True) == found
