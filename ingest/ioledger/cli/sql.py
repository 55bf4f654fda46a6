"""The command ``ioledger sql``: SQL over the built database."""

from __future__ import annotations

import os
import re
from importlib.metadata import version
from typing import TYPE_CHECKING, NamedTuple

import click
import duckdb

from ioledger.cli import UNBUILT, answers, chosen, end_with, in_workspace, refused, with_database
from ioledger.problems import Problem, plain

if TYPE_CHECKING:
    from pathlib import Path

    from ioledger.workspace import Workspace

SHOW_TABLES = "show tables"
TABLES = """
select
    table_name as name,
    case
        when estimated_size = 0 then split_part(comment, chr(10), 1)
        else rtrim(split_part(split_part(comment, chr(10), 1), '. ', 1), '.') || '.'
    end as one_row,
    split_part(comment, chr(10), 2) as question,
    estimated_size as row_count
from duckdb_tables()
where database_name = current_database() and schema_name = 'main'
order by table_name
"""
"""The answer to ``show tables``: of each what a row is (and what would fill an empty one), and what to ask it."""
DESCRIBE = re.compile(r'(?:describe|desc|show)(?: table)? (?:(\w+|"[^"]+") ?\. ?)?(\w+|"[^"]+")', re.IGNORECASE)
"""Words that ask for the columns of a table, which may stand with its schema."""
COLUMNS = """
select column_name, data_type as column_type, comment as description
from duckdb_columns()
where database_name = current_database() and lower(schema_name) = lower($schema) and lower(table_name) = lower($name)
order by column_index
"""
"""The answer to ``describe TABLE``: of each column what it holds."""
COMMENT = re.compile(r"--(?![a-z][a-z-]*(?:=|$)|$)")
"""The beginning of a comment of SQL, which no option has."""
_COMMENT = duckdb.token_type.comment
QUERY = "query"
"""The place of what is wrong with a query that stands in the call itself."""


class Asked(NamedTuple):
    """A query, and where it stands."""

    text: str
    source: str


class Query(click.ParamType[Asked]):
    """A query in words, a file that holds one, or ``-`` for standard input."""

    name = "query"

    def convert(self, value: object, param: click.Parameter | None, ctx: click.Context | None) -> Asked:
        """Return the query; end with a usage error where its file cannot be read."""
        text = str(value)
        is_file = text.endswith(".sql") and os.path.isfile(text)  # noqa: PTH113  (a query is too long for a Path)
        if text.endswith(".sql") and not is_file and len(text.split()) == 1:
            self.fail(f"there is no file {text}; name one, or write the query itself.", param, ctx)
        if text != "-" and not is_file:
            return Asked(plain(text), QUERY)
        source = "standard input" if text == "-" else text
        try:
            with click.open_file(text, encoding="utf-8-sig") as stream:
                return Asked(plain(stream.read()), source)
        except (OSError, UnicodeDecodeError) as error:
            why = "it is not UTF-8" if isinstance(error, ValueError) else error.strerror
            self.fail(f"{source} cannot be read: {why}.", param, ctx)


class Asking(click.Command):
    """A command that takes a query which begins with a comment, ``--``, for what it is and not for an option."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Read the call, with a space before each comment."""
        return super().parse_args(ctx, [f" {each}" if COMMENT.match(each) else each for each in args])


@click.command(
    cls=Asking,
    epilog=f"DuckDB {version('duckdb')} answers. The page for SQL on the site runs another version in the browser; "
    "each answer there names both.",
)
@click.argument("query", type=Query())
@click.option("--csv", is_flag=True, help="Print CSV, all rows.")
@click.option("--json", is_flag=True, help="Print a JSON array of objects, all rows.")
@in_workspace
@with_database
def sql(query: Asked, workspace: Workspace, database: Path | None, **forms: bool) -> None:
    """
    Ask the built database; it is opened read-only.

    QUERY is SQL, a file whose name ends in .sql, or - for standard input. "show tables" says of each table what a row
    is and what to ask it, "describe TABLE" of each column what it holds.

    A table is for people and shows the first 200 rows; where it would be too wide, rows stand below each other. In JSON
    null is unknown; the numbers that JSON does not have are the texts "inf", "-inf" and "nan", which CSV writes too.

    \b
    Examples:
      ioledger sql "show tables"
      ioledger sql "describe quotients"
      ioledger sql "select device, load_profile, peak_value from peaks where metric = 'operations_per_second'"
      ioledger sql "from scaling" --csv > factors.csv
      ioledger sql site/queries/trace.sql
      echo "select count(*) from results" | ioledger sql - --json
    """  # noqa: D301
    form = chosen(**forms) or "table"
    if (problem := ask(query.text, database or workspace.database, form, query.source)) is not None:
        end_with([problem])


def ask(query: str, database: Path, form: str, source: str = QUERY) -> Problem | None:
    """
    Run a query on a DuckDB file and print the rows as ``table``, ``csv`` or ``json``; return what went wrong, or None.

    The file is opened read-only and the query cannot reach other files. In CSV the text of a value is the one that
    DuckDB gives it, with times in UTC, as on the site's page for SQL.
    """
    if not database.is_file():
        return Problem(str(database), "", "there is no database", UNBUILT, "R-SQL-1")
    try:
        with duckdb.connect(database, read_only=True, config={"enable_external_access": "false"}) as connection:
            connection.execute("set TimeZone = 'UTC'")
            try:
                return _answer(query, connection, form, source)
            except duckdb.Error as error:
                return refused.problem(error, source, connection)
    except duckdb.Error as error:
        what = f"this is no database that a build made: {' '.join(str(error).split())}"
        return Problem(str(database), "", what, UNBUILT, "R-SQL-1")


def _answer(query: str, connection: duckdb.DuckDBPyConnection, form: str, source: str) -> Problem | None:
    """Print the answer to a query, unless it is none that can be printed."""
    statements = _statements(query)
    if not statements:
        return Problem(source, "", "there is no statement", "Write one, such as `show tables`.", "R-SQL-3")
    if len(statements) > 1:
        what = f"of these {len(statements)} statements none was run"
        return Problem(source, "", what, "Ask one at a time, or join them with `union all`.", "R-SQL-3")
    found = _found(statements[0], connection)
    if found is None:
        return None
    names = found.columns
    if form == "json" and (same := sorted({name for name in names if names.count(name) > 1})):
        what = f"several columns are called {', '.join(same)}; an object holds one of each name"
        return Problem(source, "", what, "Give each a name of its own with `as`, or ask for CSV.", "R-SQL-4")
    {"table": answers.print_for_people, "csv": answers.print_csv, "json": answers.print_json}[form](found)
    return None


def _found(statement: str, connection: duckdb.DuckDBPyConnection) -> duckdb.DuckDBPyRelation | None:
    """Return what a statement finds; lists of tables and columns have the descriptions of the database."""
    words = _words(statement)
    if words.lower() == SHOW_TABLES:
        return connection.sql(TABLES)
    if described := DESCRIBE.fullmatch(words):
        schema, name = ((part or "main").strip('"') for part in described.groups())
        if (columns := connection.sql(COLUMNS, params={"schema": schema, "name": name})).limit(1).fetchall():
            return columns
    return connection.sql(statement)


def _words(statement: str) -> str:
    """Return the words of a statement, with one space between them and without comments."""
    text, found = statement.encode(), duckdb.tokenize(statement)
    ends = [offset for offset, _ in found[1:]] + [len(text)]
    words = [text[start:end] for (start, kind), end in zip(found, ends, strict=True) if kind != _COMMENT]
    return " ".join(word.decode().strip() for word in words)


def _statements(query: str) -> list[str]:
    """
    Return the statements of a text without the semicolons between them, as the site's page for SQL parts them.

    DuckDB's own reader of words says where one ends, so a semicolon in a string, a name or a comment is none.
    """
    text = query.encode()
    words = [offset for offset, kind in duckdb.tokenize(query) if kind != _COMMENT]
    ends = [offset for offset in words if text[offset : offset + 1] == b";"] + [len(text)]
    starts = [0, *(end + 1 for end in ends[:-1])]
    return [
        text[start:end].decode()
        for start, end in zip(starts, ends, strict=True)
        if any(start <= word < end for word in words)
    ]
