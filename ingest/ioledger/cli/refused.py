"""What ``ioledger sql`` says of a query that DuckDB refuses: its words, where they stand, and a remedy that fits."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import duckdb
import msgspec

from ioledger.problems import Problem, nearest
from ioledger.tables.schema import SCHEMAS

if TYPE_CHECKING:
    from duckdb import DuckDBPyConnection

RENAMED = "renamed.json"
"""What tables and columns of earlier editions are called now, as in the changelog."""
NAMES = """
select if(schema_name = 'main', '', schema_name || '.') || table_name
from duckdb_tables() where database_name = current_database() order by all
"""
_TABLE = re.compile(r'Catalog Error: Table with name "?(?:[^ ".]+\.)*([^ ".]+)"? does not exist')
_COLUMN = re.compile(r'(?:column "|does not have a column named ")([^".]+)"')
_LINE = re.compile(r"\s*LINE (\d+): .*", re.DOTALL)
"""The line of the query that DuckDB repeats, with a mark below it."""
LIST_TABLES = 'List what there is with `ioledger sql "show tables"`.'
REMEDIES: tuple[tuple[type[duckdb.Error], str], ...] = (
    (duckdb.ParserException, "Correct the query there; the language is DuckDB's SQL."),
    (duckdb.CatalogException, 'List functions with `ioledger sql "from duckdb_functions()"`.'),
    (duckdb.BinderException, "Correct what is named or asked there."),
    (duckdb.PermissionException, "A query reaches the tables of the database and no file; leave the rest out."),
    (duckdb.IOException, "A query reaches the tables of the database and no file; leave the rest out."),
    (duckdb.ConversionException, "Convert with `try_cast`, which gives null where a value does not fit."),
    (duckdb.OutOfRangeException, "Compute with a wider type, such as `double`."),
    (duckdb.OutOfMemoryException, "Ask for fewer rows or columns, or free memory."),
)
READ_ONLY = "The database is only read: ask with `select`, or change a copy of the file with DuckDB."
OTHER = "Change the query so that this does not arise."


def problem(error: duckdb.Error, source: str, connection: DuckDBPyConnection) -> Problem:
    """Return what is wrong with a query that comes from ``source``."""
    text = str(error)
    if missing := _TABLE.match(text):
        return Problem(source, "", f"there is no table {missing[1]}", _table_remedy(missing[1], connection), "R-SQL-2")
    line = _LINE.search(text)
    what = " ".join(_LINE.sub("", text).split())
    # DuckDB counts the lines of what it was given, which is the query as it stands only while it is read
    is_read = isinstance(error, duckdb.ParserException | duckdb.BinderException | duckdb.CatalogException)
    return Problem(source, line[1] if line and is_read else "", what, _remedy(error, text), "R-SQL-2")


def _remedy(error: duckdb.Error, text: str) -> str:
    if isinstance(error, duckdb.BinderException) and (column := _COLUMN.search(text)):
        became = _renamed().get(column[1].lower())
        now = f"In this edition: {became}. " if became else ""
        return f'{now}List the columns of a table with `ioledger sql "describe TABLE"`.'
    if "read-only mode" in text:
        return READ_ONLY
    return next((remedy for kind, remedy in REMEDIES if isinstance(error, kind)), OTHER)


def _table_remedy(name: str, connection: DuckDBPyConnection) -> str:
    """Return where a table of an earlier edition went, or names that are like it, none of them of DuckDB's own."""
    if became := _renamed().get(name.lower()):
        return f"In this edition: {became}. {LIST_TABLES}"
    like = nearest(name, [table for (table,) in connection.execute(NAMES).fetchall()])
    return f"Did you mean {' or '.join(like)}? {LIST_TABLES}" if like else LIST_TABLES


def _renamed() -> dict[str, str]:
    """Return what has become of each table and column that had another name."""
    return msgspec.json.decode((SCHEMAS / RENAMED).read_bytes(), type=dict[str, str])
