"""The CSV of ``ioledger sql``: rows that every reader parts in the same places."""

from __future__ import annotations

import csv
import io
from typing import TYPE_CHECKING

import duckdb
import pytest

from ioledger.cli.sql import ask

if TYPE_CHECKING:
    from pathlib import Path


@pytest.mark.parametrize(
    ("query", "printed"),
    [
        ("select 'a' || chr(13) || 'b' as c, 2 as d", 'c,d\n"a\rb",2\n'),
        ("select chr(10) as c, chr(13) || chr(10) as d", 'c,d\n"\n","\r\n"\n'),
        ('select \'say "a, b"\' as "c,d"', '"c,d"\n"say ""a, b"""\n'),
        ("select null as c union all select ''", 'c\n""\n""\n'),
        ("select null as c, '' as d", "c,d\n,\n"),
    ],
)
def test_a_cell_that_could_end_a_row_or_a_cell_stands_in_quotes(
    query: str, printed: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """A lone carriage return too, which some readers take for the end of a row."""
    with duckdb.connect(tmp_path / "some.duckdb") as connection:
        connection.execute("create table kept as select 1 as n")
        answer = connection.sql(query)
        wanted = [tuple(answer.columns), *(tuple(cell or "" for cell in row) for row in map(_texts, answer.fetchall()))]
    assert ask(query, tmp_path / "some.duckdb", "csv") is None
    said = capsys.readouterr().out
    assert said == printed
    assert [tuple(row) for row in csv.reader(io.StringIO(said, newline=""))] == wanted


def _texts(row: tuple[object, ...]) -> list[str | None]:
    return [None if value is None else str(value) for value in row]
