"""``ioledger sql`` as a person asks: what it takes for a query, how much it shows, and what it says of a wrong one."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
import time
from typing import TYPE_CHECKING

import duckdb
import pytest

from conftest import COMMAND
from ioledger.cli.sql import LIST_TABLES, MOST_ROWS, PIPED_WIDTH, READ_ONLY, RENAMED, ask
from ioledger.tables.schema import ROOT, SCHEMAS

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    Run = Callable[..., subprocess.CompletedProcess[str]]

ROWS, COLUMNS = 100_000, 56
"""A table of the size that large ones of the project have."""
SOON_SECONDS = 10
"""More than a slow machine takes for what is shown, and far less than for all of it."""
DESCRIBED = "describe many"


@pytest.fixture(scope="module")
def database(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a database with a long and broad table, whose columns are described, and a small one in ``raw``."""
    path = tmp_path_factory.mktemp("asked") / "some.duckdb"
    columns = ", ".join(f"n as column_{number}" for number in range(COLUMNS))
    with duckdb.connect(path) as connection:
        connection.execute(f"create table many as select {columns} from range({ROWS}) as r(n)")  # noqa: S608
        connection.execute("comment on table many is 'One row per number.\nWhich numbers are there?'")
        connection.execute("comment on column many.column_1 is 'The number, once more.'")
        connection.execute("create schema raw")
        connection.execute("create table raw.settings (value varchar)")
        connection.execute("comment on column raw.settings.value is 'Value as written.'")
    return path


@pytest.fixture
def said(database: Path, capsys: pytest.CaptureFixture[str]) -> Callable[..., str]:
    """Return a function that asks and returns what is printed."""

    def asked(query: str, form: str = "csv") -> str:
        assert ask(query, database, form) is None
        return capsys.readouterr().out

    return asked


def test_a_table_shows_so_many_rows_as_a_person_reads(database: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """That there are more stands beside it; each row of a broad table stands below the other."""
    started = time.monotonic()
    assert ask("from many", database, "table") is None
    assert time.monotonic() - started < SOON_SECONDS
    told = capsys.readouterr()
    heads = [line for line in told.out.splitlines() if line.startswith("column_0 ")]
    assert heads == [f"column_0 {number}" for number in range(MOST_ROWS)]
    assert told.err == f"There are more rows: these are the first {MOST_ROWS}. --csv and --json print all of them.\n"
    assert max(map(len, told.out.splitlines())) <= PIPED_WIDTH


def test_a_table_that_is_whole_says_nothing_of_more_rows(database: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Head, rule and rows; without rows that is said."""
    for count, told in ((MOST_ROWS, ""), (0, "There are no rows.\n")):
        assert ask(f"from range({count}) as r(number)", database, "table") is None
        printed = capsys.readouterr()
        assert (len(printed.out.splitlines()), printed.err) == (count + 2, told)


def test_programs_get_all_rows(said: Callable[..., str]) -> None:
    """They are printed some at a time, and the pieces are one array."""
    query = "from range(3000) as r(number)"
    assert said(query) == "\n".join(["number", *map(str, range(3000))]) + "\n"
    assert json.loads(said(query, "json")) == [{"number": number} for number in range(3000)]
    assert said("select 1 as a", "json") == '[\n  {\n    "a": 1\n  }\n]\n'
    assert said("select 1 as a where false", "json") == "[]\n"


def test_a_value_that_cannot_be_computed_leaves_no_half_of_an_answer(
    database: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Nothing is printed before all rows are there."""
    query = "select if(n < 5000, n, error('there..')) as n from range(6000) as r(n)"
    for form in ("csv", "json"):
        problem = ask(query, database, form)
        assert capsys.readouterr().out == ""
        assert str(problem).startswith("query: Invalid Input Error: there. Change the query")


def test_a_piped_table_has_no_room_around_it(said: Callable[..., str], monkeypatch: pytest.MonkeyPatch) -> None:
    """No empty line, no spaces at an end, and lines that can be read; ``COLUMNS`` makes them longer or shorter."""
    monkeypatch.delenv("COLUMNS", raising=False)
    query = "select 'x' as name, repeat('word ', 100) as text"
    lines = said(query, "table").splitlines()
    assert lines[0] == "name   text"
    assert lines == [line.rstrip() for line in lines if line.strip()]
    assert 100 < max(map(len, lines)) <= PIPED_WIDTH
    monkeypatch.setenv("COLUMNS", "60")
    assert max(map(len, said(query, "table").splitlines())) <= 60


def test_the_columns_of_a_table_are_described(said: Callable[..., str]) -> None:
    """In whatever words DuckDB takes, and of the schema that is named; programs get the same."""
    head = "column_name,column_type,description\ncolumn_0,BIGINT,\ncolumn_1,BIGINT,"
    for query in (
        DESCRIBED,
        "DESC many;",
        "show Many",
        'describe table main."many" -- please',
        "/* a */ desc main . many",
    ):
        assert said(query).startswith(f'{head}"The number, once more."\n'), query
    assert said("describe raw.settings") == "column_name,column_type,description\nvalue,VARCHAR,Value as written.\n"
    assert json.loads(said(DESCRIBED, "json"))[1] == {
        "column_name": "column_1", "column_type": "BIGINT", "description": "The number, once more.",
    }  # fmt: skip
    assert "column_1      BIGINT        The number, once more." in said(DESCRIBED, "table").splitlines()
    assert said("describe select 1 as a").startswith("column_name,column_type,null")


def test_json_tells_a_number_that_it_does_not_have_from_an_unknown_one(said: Callable[..., str]) -> None:
    """An open end is not null: it is the text that CSV has too, also within a list; a decimal is a number."""
    values = "'inf'::double as high, '-inf'::float as low, 'nan'::double as none, null::double as unknown"
    (row,) = json.loads(
        said(f"select {values}, 1.5 as exact, [1.0, 'inf'::double] as l, {{'k': 'nan'::double}} as s", "json")
    )
    assert row == {
        "high": "inf", "low": "-inf", "none": "nan", "unknown": None, "exact": 1.5, "l": [1.0, "inf"],
        "s": {"k": "nan"},
    }  # fmt: skip
    assert said(f"select {values}") == "high,low,none,unknown\ninf,-inf,nan,\n"


def test_a_list_is_readable_in_a_table_and_in_csv_and_a_table_marks_times_as_utc(said: Callable[..., str]) -> None:
    """In CSV a list is the text that DuckDB casts to a list again; programs get the plain name of a time."""
    query = "select ['a, b', 'c'] as names, [1, 2] as depths, []::varchar[] as nothing"
    assert "a, b; c   1; 2" in said(query, "table")
    assert said(query) == 'names,depths,nothing\n"[\'a, b\', c]","[1, 2]",[]\n'
    query = "select timestamp '2024-01-02 03:04:05' as ended_at, 1 as number"
    assert said(query, "table").split()[:3] == ["ended_at", "(UTC)", "number"]
    assert said(query).splitlines()[0] == "ended_at,number"


def test_a_query_may_begin_with_a_comment(ioledger: Run, database: Path) -> None:
    """As the saved ones do; what looks like an option stays one."""
    query = "-- How many: of all\nselect count(*) as n from many"
    for call in ((query, "--csv"), ("--csv", query), ("--csv", f"--{query}")):
        done = ioledger("sql", *call, "--database", database)
        assert (done.returncode, done.stdout) == (0, f"n\n{ROWS}\n"), done.stderr
    done = ioledger("sql", "select 1", "--jsno")
    assert (done.returncode, "unexpected extra argument (--jsno)" in done.stderr) == (2, True)


def test_a_query_may_stand_in_a_file_or_come_by_standard_input(ioledger: Run, database: Path, tmp_path: Path) -> None:
    """What is wrong with it is told with the file and its line."""
    (tmp_path / "good one.sql").write_text("\ufeff-- é\nselect count(*) as n from many;\n", encoding="utf-8")
    (tmp_path / "bad.sql").write_text("-- a\nselect\nfrom from", encoding="utf-8")
    (tmp_path / "bytes.sql").write_bytes(b"select '\xff'")
    done = ioledger("sql", tmp_path / "good one.sql", "--csv", "--database", database)
    assert (done.returncode, done.stdout) == (0, f"n\n{ROWS}\n"), done.stderr
    done = ioledger("sql", tmp_path / "bad.sql", "--database", database)
    assert (done.returncode, done.stderr.startswith(f"{tmp_path / 'bad.sql'}:3: Parser Error: ")) == (1, True)
    for name, told in (("none.sql", "there is no file "), ("bytes.sql", "cannot be read: it is not UTF-8.")):
        done = ioledger("sql", tmp_path / name, "--database", database)
        assert (done.returncode, told in done.stderr) == (2, True), done.stderr
    piped = [str(COMMAND), "sql", "-", "--csv", "--database", str(database)]
    done = subprocess.run(piped, input="select 'é' as c", capture_output=True, encoding="utf-8", check=False)  # noqa: S603
    assert (done.returncode, done.stdout) == (0, "c\né\n"), done.stderr


@pytest.mark.parametrize("saved", sorted(path.name for path in (ROOT / "site" / "queries").glob("*.sql")))
def test_every_saved_query_is_answered(saved: str, ioledger: Run, sample: Path) -> None:
    """With rows."""
    path, database = ROOT / "site" / "queries" / saved, sample / "build" / "ioledger.duckdb"
    done = ioledger("sql", path.read_text(encoding="utf-8"), "--csv", "--database", database)
    assert (done.returncode, done.stdout.count("\n") > 0) == (0, True), done.stderr


@pytest.mark.parametrize(
    ("query", "told"),
    [
        ("from manny", f"query: there is no table manny. Did you mean many? {LIST_TABLES}  [R-SQL-2]"),
        (
            "describe raw.setings",
            f"query: there is no table setings. Did you mean raw.settings? {LIST_TABLES}  [R-SQL-2]",
        ),
        ("from x.nothing", f"query: there is no table nothing. {LIST_TABLES}  [R-SQL-2]"),
        (
            "from sweeps",
            f"query: there is no table sweeps. In this edition: points (medians * {LIST_TABLES}  [R-SQL-2]",
        ),
        ("select colum_1 from many", '* List the columns of a table with `ioledger sql "describe TABLE"`.  [R-SQL-2]'),
        ("select m.load_profile_id from many m", "* In this edition: workloads, workload_id. List the columns *"),
        (
            "select nofn(1)",
            'query: *! Did you mean "*"? List functions with `ioledger sql "from duckdb_functions()"`.  *',
        ),
        ("selec", 'query:1: Parser Error: syntax error at or near "selec". Correct the query there; *'),
        ("drop table many", f"query: *! {READ_ONLY}  [R-SQL-2]"),
        ("from 'x.csv'", "query: Permission Error: * A query can read only the tables of the database, not files; *"),
        ("select cast('x' as int)", "query: Conversion Error: *. Change the query *"),
        ("select error('by zero..')", "query: Invalid Input Error: by zero. Change the query *"),
    ],
)
def test_the_remedy_fits_what_is_wrong(query: str, told: str, ioledger: Run, database: Path) -> None:
    """One line, one stop; tables are listed only where one was not found, and DuckDB's own are never offered."""
    done = ioledger("sql", query, "--database", database)
    pattern = re.escape(told).replace(r"\*", ".*")
    assert (done.returncode, done.stdout) == (1, "")
    assert re.fullmatch(pattern, done.stderr.rstrip("\n")), done.stderr
    assert "sqlite" not in done.stderr


def test_every_name_of_an_earlier_edition_leads_to_a_table_or_column_of_today(sample: Path, ioledger: Run) -> None:
    """Or says that it is gone, or where its rows are; and no such name is a table of today."""
    asked = "select table_name, column_name from duckdb_columns() where schema_name = 'main'"
    found = ioledger("sql", asked, "--csv", "--database", sample / "build" / "ioledger.duckdb")
    tables, columns = zip(*(line.split(",") for line in found.stdout.split()[1:]), strict=True)
    renamed = json.loads((SCHEMAS / RENAMED).read_text(encoding="utf-8"))
    assert set(tables) & set(renamed) == set()
    leads = {re.split(r"[ ,;]", now)[0] for now in renamed.values() if not now.startswith(("gone: ", "Parquet files"))}
    assert leads <= {*tables, *columns}


@pytest.mark.parametrize("command", [("sql", "select 1", "--csv", "--json"), ("check", "--json", "--github")])
def test_two_forms_at_once_are_a_wrong_call(command: tuple[str, ...], ioledger: Run) -> None:
    """Neither wins in silence."""
    done = ioledger(*command)
    first, second = (each for each in command if each.startswith("--"))
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.splitlines()[-1] == f"Error: {first} and {second} exclude each other; choose one."


@pytest.mark.skipif(sys.platform == "win32", reason="there is no signal of a closed pipe")
@pytest.mark.parametrize("unbuffered", ["", "1"])
@pytest.mark.parametrize("form", ["--csv", "--json", ""])
def test_a_reader_that_went_away_ends_every_form_alike(form: str, unbuffered: str, database: Path) -> None:
    """Without a word, however Python writes; a large answer is begun with before it is whole."""
    limit = 20_000 if form else 150
    line = f'"$I" sql "from many limit {limit}" {form} --database "$D" | head -1 >/dev/null'
    names = {"I": str(COMMAND), "D": str(database), "PYTHONUNBUFFERED": unbuffered}
    done = subprocess.run(["bash", "-c", line], env=os.environ | names, capture_output=True, text=True, check=False)  # noqa: S603, S607
    assert (done.stdout, done.stderr) == ("", "")
