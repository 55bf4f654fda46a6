"""The command ``ioledger sql``: SQL over the built database."""

from __future__ import annotations

import math
import os
import re
import shutil
import sys
from importlib.metadata import version
from itertools import islice
from typing import TYPE_CHECKING, Any

import click
import duckdb
import msgspec

from ioledger import cli
from ioledger.problems import Problem, nearest, plain
from ioledger.tables.schema import SCHEMAS

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from duckdb import DuckDBPyConnection, DuckDBPyRelation

    from ioledger.workspace import Workspace

TABLES = """
with found as (
    select table_name as name, comment, estimated_size as row_count, schema_name, database_name from duckdb_tables()
    union all
    select view_name, comment, null, schema_name, database_name from duckdb_views()
)
select
    name,
    case
        when row_count = 0 then split_part(comment, chr(10), 1)
        else rtrim(split_part(split_part(comment, chr(10), 1), '. ', 1), '.') || '.'
    end as one_row,
    split_part(comment, chr(10), 2) as question,
    row_count
from found
where database_name = current_database() and schema_name = 'main'
order by name
"""
"""The answer to ``show tables``: of each what a row is (and what would fill an empty one), and what to ask it."""
DESCRIBE = re.compile(r'(?:describe|desc|show)(?: table)? (?:(\w+|"[^"]+") ?\. ?)?(\w+|"[^"]+")', re.IGNORECASE)
COLUMNS = """
select column_name, data_type as column_type, comment as description
from duckdb_columns()
where database_name = current_database() and lower(schema_name) = lower($schema) and lower(table_name) = lower($name)
order by column_index
"""
"""The answer to ``describe TABLE``: of each column what it holds."""
QUERY = "query"
"""The place of what is wrong with a query that stands in the call itself."""


def read_query(text: str) -> tuple[str, str]:
    """Return a query and its place: the text itself, a file that holds one, or ``-`` for standard input."""
    is_file = text.endswith(".sql") and os.path.isfile(text)  # noqa: PTH113  (a query is too long for a Path)
    if text.endswith(".sql") and not is_file and len(text.split()) == 1:
        cli.refuse_call(f"there is no file {text}; name one, or write the query itself.", "QUERY")
    if text != "-" and not is_file:
        return plain(text), QUERY
    source = "standard input" if text == "-" else text
    try:
        with click.open_file(text, encoding="utf-8-sig") as stream:
            return plain(stream.read()), source
    except (OSError, UnicodeDecodeError) as error:
        why = "it is not UTF-8" if isinstance(error, ValueError) else error.strerror
        cli.refuse_call(f"{source} cannot be read: {why}.", "QUERY")


@click.command(
    cls=cli.Command,
    context_settings={"ignore_unknown_options": True},  # a query may begin with a comment, --
    epilog=f"DuckDB {version('duckdb')} runs the query. The SQL page of the site uses another version in the browser; "
    "each answer there names both.",
)
@click.argument("query", type=read_query)
@click.option("--csv", is_flag=True, help="Print CSV, all rows.")
@click.option("--json", is_flag=True, help="Print a JSON array of objects, all rows.")
@cli.in_workspace
@cli.with_database
def sql(query: tuple[str, str], workspace: Workspace, database: Path | None, **forms: bool) -> None:
    """
    Query the built database, which is opened read-only.

    QUERY is SQL, a file whose name ends in .sql, or - for standard input. "show tables" lists the tables, "describe
    TABLE" the columns with their units.

    The printed table has at most 200 rows; --csv and --json write all. A row that is too wide for the terminal is
    printed as one line per column. In JSON, null means unknown, and infinite numbers and NaN are the strings "inf",
    "-inf" and "nan".

    \b
    Examples:
      ioledger sql "show tables"
      ioledger sql "describe quotients"
      ioledger sql "select verdict, count(*) as claims from claims group by all order by all limit 2"
        verdict    claims
        circular        1
        close           4
      ioledger sql "from scaling" --csv > factors.csv
      ioledger sql site/queries/trace.sql
      echo "select distinct tool from results order by tool" | ioledger sql - --csv
        tool
        fio
        published
    """  # noqa: D301
    form = cli.choose_form(**forms) or "table"
    text, source = query
    if (problem := ask(text, database or workspace.database, form, source)) is not None:
        cli.refuse(problem)


def ask(query: str, database: Path, form: str, source: str = QUERY) -> Problem | None:
    """Run a query on a DuckDB file and print the rows in a form, times in UTC; return what went wrong, or None."""
    with cli.open_database(database) as connection:
        connection.execute("set TimeZone = 'UTC'")
        try:
            count = len(connection.extract_statements(query))
            if count != 1:
                what = f"of these {count} statements none was run" if count else "there is no statement"
                remedy = "Ask one at a time, or join them with `union all`." if count else "Write one: `show tables`."
                return Problem(source, "", what, remedy, "R-SQL-2")
            if (found := _run_query(query, connection)) is None:
                return None
            same = sorted({name for name in found.columns if found.columns.count(name) > 1})
            if form == "json" and same:
                what = f"several columns are called {', '.join(same)}; a JSON object needs different names"
                return Problem(source, "", what, "Name each column with `as`, or use --csv.", "R-SQL-2")
            {"table": print_for_people, "csv": print_csv, "json": print_json}[form](found)
        except duckdb.Error as error:
            return problem(error, source, connection)
    return None


def _run_query(query: str, connection: duckdb.DuckDBPyConnection) -> duckdb.DuckDBPyRelation | None:
    """Return what a statement finds; lists of tables and columns have the descriptions of the database."""
    text, found = query.encode(), duckdb.tokenize(query)
    ends = [offset for offset, _ in found[1:]] + [len(text)]
    tokens = [(text[start:end].decode().strip(), kind, end) for (start, kind), end in zip(found, ends, strict=True)]
    while tokens[-1][1] == duckdb.token_type.comment or tokens[-1][0] == ";":
        tokens.pop()  # a relation is a part of another statement, where a semicolon would end that
    words = " ".join(word for word, kind, _ in tokens if kind != duckdb.token_type.comment)
    if words.lower() == "show tables":
        return connection.sql(TABLES)
    if described := DESCRIBE.fullmatch(words):
        schema, name = ((part or "main").strip('"') for part in described.groups())
        if (columns := connection.sql(COLUMNS, params={"schema": schema, "name": name})).limit(1).fetchall():
            return columns
    return connection.sql(text[: tokens[-1][2]].decode())


MOST_ROWS = 200
"""Rows of a table for people; the others are not computed."""
PIPED_WIDTH = 120
"""Characters per line of a table that goes to no terminal, where ``COLUMNS`` says nothing else."""
QUOTED = re.compile('[",\r\n]')
NUMBERS = msgspec.json.Encoder(decimal_format="number")
_AT_ONCE = 1024
"""Rows that are printed together; DuckDB has computed all of them before, so that an error comes before any."""


def print_for_people(found: DuckDBPyRelation) -> None:
    """Print the first rows as a table, times marked as UTC; that there are more rows, or none, is said beside it."""
    rows = found.limit(MOST_ROWS + 1).fetchall()
    kinds = map(str, found.types)
    names = [f"{name} (UTC)" if kind == "TIMESTAMP" else name for name, kind in zip(found.columns, kinds, strict=True)]
    width = shutil.get_terminal_size((PIPED_WIDTH, 0)).columns
    cli.print_table(names, rows[:MOST_ROWS], is_first_whole=True, width=width)
    if len(rows) > MOST_ROWS:
        cli.say(f"There are more rows: these are the first {MOST_ROWS}. --csv and --json print all of them.")
    elif not rows:
        cli.say("There are no rows.")


def print_csv(found: DuckDBPyRelation) -> None:
    """Print the rows as CSV, in DuckDB's own text of each value."""
    # by position, because columns may share a name
    texts = (f"cast(#{place} as varchar)" for place in range(1, len(found.columns) + 1))
    rows = iter(found.project(", ".join(texts)).iter_rows(_AT_ONCE))
    lines = [found.columns, *islice(rows, _AT_ONCE)]
    while lines:
        sys.stdout.write("".join(map(_csv_line, lines)))
        lines = list(islice(rows, _AT_ONCE))


def _csv_line(cells: Sequence[str | None]) -> str:
    """Return a row by the rule of the site's page for SQL: null is empty, and so is an empty text."""
    texts = (cell or "" for cell in cells)
    line = ",".join('"{}"'.format(text.replace('"', '""')) if QUOTED.search(text) else text for text in texts)
    return f"{line}\n" if line or not cells else '""\n'


def print_json(found: DuckDBPyRelation) -> None:
    """Print the rows as an array of objects, some rows at a time."""
    names, rows, before = found.columns, iter(found.iter_rows(_AT_ONCE)), "["
    while chunk := [dict(zip(names, map(_convert_value, row), strict=True)) for row in islice(rows, _AT_ONCE)]:
        text = msgspec.json.format(NUMBERS.encode(chunk), indent=2).decode()
        sys.stdout.write(before + text.removeprefix("[").removesuffix("\n]"))
        before = ","
    sys.stdout.write("[]\n" if before == "[" else "\n]\n")


def _convert_value(value: Any) -> Any:  # noqa: ANN401  (a value of any type, and what is in it)
    """Return a value that JSON can state: no number of it is infinite or none, and null would say unknown."""
    if isinstance(value, float):
        return value if math.isfinite(value) else str(value)
    if isinstance(value, list | tuple):
        return [_convert_value(each) for each in value]
    return {key: _convert_value(each) for key, each in value.items()} if isinstance(value, dict) else value


RENAMED = "renamed.json"
"""File with the names of today of tables and columns of earlier editions."""
NAMES = """
select if(schema_name = 'main', '', schema_name || '.') || name
from (
    select schema_name, table_name as name, database_name from duckdb_tables()
    union all select schema_name, view_name, database_name from duckdb_views() where not internal
) where database_name = current_database() order by all
"""
_TABLE = re.compile(r'Catalog Error: Table with name "?(?:[^ ".]+\.)*([^ ".]+)"? does not exist')
_COLUMN = re.compile(r'(?:column "|does not have a column named ")([^".]+)"')
_LINE = re.compile(r"\s*LINE (\d+): .*", re.DOTALL)
LIST_TABLES = 'List what there is with `ioledger sql "show tables"`.'
ONLY_TABLES = "A query can read only the tables of the database, not files; remove the rest."
REMEDIES: dict[type[duckdb.Error], str] = {
    duckdb.ParserException: "Correct the query there; the language is DuckDB's SQL.",
    duckdb.CatalogException: 'List functions with `ioledger sql "from duckdb_functions()"`.',
    duckdb.BinderException: "Correct the name or expression at that place.",
    duckdb.PermissionException: ONLY_TABLES,
    duckdb.IOException: ONLY_TABLES,
    duckdb.OutOfMemoryException: "Ask for fewer rows or columns, or free memory.",
}
READ_ONLY = "The database is read-only: use `select`, or change a copy of the file with DuckDB."
OTHER = "Change the query so that this does not arise."


def problem(error: duckdb.Error, source: str, connection: DuckDBPyConnection) -> Problem:
    """Return what is wrong with a query that comes from ``source``."""
    text, renamed = str(error), msgspec.json.decode((SCHEMAS / RENAMED).read_bytes(), type=dict[str, str])
    if missing := _TABLE.match(text):
        name = missing[1]
        like = nearest(name, [table for (table,) in connection.execute(NAMES).fetchall()])
        remedy = f"Did you mean {' or '.join(like)}? " if like else ""
        remedy = f"In this edition: {renamed[name.lower()]}. " if name.lower() in renamed else remedy
        return Problem(source, "", f"there is no table {name}", f"{remedy}{LIST_TABLES}", "R-SQL-2")
    line = _LINE.search(text)
    what = " ".join(_LINE.sub("", text).split())
    # DuckDB counts the lines of what it was given, which is the query as it stands only while it is read
    is_read = isinstance(error, duckdb.ParserException | duckdb.BinderException | duckdb.CatalogException)
    remedy = REMEDIES.get(type(error), OTHER)
    if isinstance(error, duckdb.BinderException) and (column := _COLUMN.search(text)):
        became = renamed.get(column[1].lower())
        now = f"In this edition: {became}. " if became else ""
        remedy = f'{now}List the columns of a table with `ioledger sql "describe TABLE"`.'
    elif "read-only mode" in text:
        remedy = READ_ONLY
    return Problem(source, line[1] if line and is_read else "", what, remedy, "R-SQL-2")
