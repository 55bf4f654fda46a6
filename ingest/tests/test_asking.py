"""The CSV of ``ioledger sql``: rows that every reader parts in the same places."""

from __future__ import annotations

import csv
import hashlib
import io
import itertools
from typing import TYPE_CHECKING

import duckdb
import pytest

from dataset import DISK, FUJITSU
from ioledger.cli.sql import TABLES, ask
from ioledger.tables.schema import ROOT, marts, tables, views

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


def test_show_tables_says_of_each_what_a_row_is_what_to_ask_it_and_how_many_rows_it_has(
    sample: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """One line each, however it is spelt; what was taken in or lies beside is not listed; a view has no count."""
    for query in ("show tables", " SHOW  tables", "show tables; -- please"):
        assert ask(query, sample / "build" / "ioledger.duckdb", "csv") is None
        rows = list(csv.DictReader(io.StringIO(capsys.readouterr().out, newline="")))
        assert [row["name"] for row in rows] == sorted(_shown() | views().keys())
    for row in rows:
        assert row["one_row"].startswith("One row per "), row
        assert row["question"].endswith("?"), row
        assert "\n" not in "".join(row.values())
        assert len(row["one_row"]) < 300
        with duckdb.connect(sample / "build" / "ioledger.duckdb", read_only=True) as connection:
            (count,) = connection.execute(f'select count(*) from "{row["name"]}"').fetchone() or (None,)  # noqa: S608
        assert row["row_count"] == ("" if row["name"] in views() else str(count))


def _shown() -> set[str]:
    return {name for name, table in (tables() | marts()).items() if not table.published}


def test_a_table_that_may_be_empty_says_what_would_fill_it(sample: Path) -> None:
    """Of the tests' dataset every other table has rows."""
    with duckdb.connect(sample / "build" / "ioledger.duckdb", read_only=True) as connection:
        for name in sorted(_shown()):
            (count,) = connection.execute(f'select count(*) from "{name}"').fetchone() or (0,)  # noqa: S608
            assert count or "mpty until " in (tables() | marts())[name].description, name


def test_the_page_answers_show_tables_as_the_command_does() -> None:
    """The page has it as its first saved query."""
    title, _, query = (ROOT / "site" / "queries" / "tables.sql").read_text(encoding="utf-8").partition("\n")
    assert title.startswith("-- Tables: ")
    assert query.strip() == TABLES.strip()


QUESTIONS: dict[
    str, tuple[dict[str, str], dict[str, str]]
] = {  # what is put in another's place, and a cell of the answer
    "lowest-latency": ({"= 4096": "= 8192", "read_ratio = 1": "read_ratio = 0.67"}, {"media_class": "virtual"}),
    "efficiency": ({}, {"per": "price", "device": "Intel SSD DC S3700 800 GB", "currency": "¥"}),
    "firmware": ({}, {"submission_id": FUJITSU, "source_path": "figures.csv", "source_pointer": "line 48"}),
    "nand-optane": ({}, {"a_device": "Intel Optane SSD P4800X 375 GB", "queue_depth": "4"}),
    "raid0-scaling": ({}, {"array_configuration_id": "p3700-4x-raid0", "drive_count": "4"}),
    "trace": ({}, {"source_path": "figures.csv", "printed_text": "589000 IO/s"}),
    "device-results": ({}, {"source_path": "figures.csv", "operation": "read"}),
    "device": ({}, {"part": "overview", "what": "best_operations_drive_count", "found": "1"}),
    "tail-at-share": ({}, {"submission_id": DISK, "load_profile": "Database", "is_supported": "true"}),
    "tail-by-depth": ({}, {"submission_id": DISK, "load_profile": "Database", "is_p999_supported": "true"}),
    "what-differs": (
        {"['dl380-hba-samsung-860-pro', 'g8-samsung-860-pro']": "['fast', 'tuned']"},
        {"column_name": "configurations.power_plan", "effect": "caveat"},
    ),
    "unknown-conditions": ({}, {"field": "cpu_power_state"}),
}


@pytest.mark.parametrize("name", QUESTIONS)
def test_a_question_of_an_analyst_is_one_statement(name: str, sample: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Each stands among the saved queries, and its answer holds what the tests' own dataset says."""
    changes, cells = QUESTIONS[name]
    query = (ROOT / "site" / "queries" / f"{name}.sql").read_text(encoding="utf-8")
    for old, new in changes.items():
        assert query.count(old) == 1
        query = query.replace(old, new)
    assert ask(query, sample / "build" / "ioledger.duckdb", "csv") is None
    rows = list(csv.DictReader(io.StringIO(capsys.readouterr().out, newline="")))
    assert [row for row in rows if cells.items() <= row.items()], rows[:5]


@pytest.mark.parametrize("table", ["results", "points"])
def test_rows_of_one_device_lie_together_by_a_key_of_its_name(table: str, sample: Path) -> None:
    """In the published database, so that a query by the key reads few parts of it; what has no device has no key."""
    with duckdb.connect(sample / "build" / "ioledger.duckdb", read_only=True) as connection:
        rows = connection.execute(f"select device_id, device_key from {table} order by rowid").fetchall()  # noqa: S608
    keys = {
        device: device and hashlib.md5(device.encode(), usedforsecurity=False).hexdigest()[:8] for device, _ in rows
    }
    assert [key for _, key in rows] == [keys[device] for device, _ in rows]
    assert len(keys) > 5
    together = [device for device, _ in itertools.groupby(rows, key=lambda row: row[0])]
    assert len(together) == len(keys)
