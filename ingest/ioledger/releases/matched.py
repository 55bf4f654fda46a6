"""
Two versions of a table, matched by its key: which rows are only in one, and which columns of the others differ.

DuckDB does it over the Parquet files, so that a table of any size takes little memory here. What is found stays in the
connection as a table ``changed_<n>``: the key as text, its columns, what became of the row, the names of
the columns that moved, and the columns that say what the row is about.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import msgspec

from ioledger.tables.schema import marts, tables

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    import duckdb

    from ioledger.releases.sides import Side

ADDED, REMOVED, MOVED = "added", "removed", "moved"
SIDES = ("", "a_", "b_", "array_", "base_")
LINKS = (
    *(f"{side}{name}" for name in ("submission_id", "configuration_id", "workload_id") for side in SIDES),
    *("file_id", "result_id", "rule_id"),
)
"""Columns that say which measurements a row is about."""
SHOWN_ABOUT = ("submission_id", "configuration_id", "load_profile", "operation", "queue_depth", "metric")
"""Columns that tell a reader what a row is about, where its key does not."""
MARTS = "marts/"
_NUMBERS = frozenset({"BIGINT", "DOUBLE", "INTEGER", "HUGEINT", "FLOAT", "SMALLINT", "DECIMAL"})


class Matched(msgspec.Struct):
    """
    What differs between two versions of a table, as far as rows alone tell.

    ``columns`` counts moved cells by column; ``columns_added`` and ``columns_removed`` stand in one version only and
    move no row. ``alone`` says what became of a table that one side alone has, ``unmatched`` why rows could not be
    matched by the whole key.
    """

    name: str
    place: str
    keys: tuple[str, ...]
    links: tuple[str, ...]
    before: int
    after: int
    counts: dict[str, int] = {}
    columns: dict[str, int] = {}
    numbers: frozenset[str] = frozenset()
    columns_added: tuple[str, ...] = ()
    columns_removed: tuple[str, ...] = ()
    alone: str = ""
    unmatched: str = ""

    @property
    def is_mart(self) -> bool:
        """Whether a model made it."""
        return self.name.startswith(MARTS)

    @property
    def bare(self) -> str:
        """Its name without the folder of the marts."""
        return self.name.removeprefix(MARTS)


def quoted(name: str) -> str:
    """Return a name as SQL takes it."""
    return '"' + name.replace('"', '""') + '"'


def match(connection: duckdb.DuckDBPyConnection, before: Side, after: Side, step: str = "") -> list[Matched]:
    """
    Return every table of both sides, sorted: what differs in it is counted, and kept in the connection.

    ``step`` tells the tables of one comparison from those of another in the same connection.
    """
    names = sorted(before.tables.keys() | after.tables.keys())
    return [_table(connection, name, f"{step}{number}", before, after) for number, name in enumerate(names)]


def _table(connection: duckdb.DuckDBPyConnection, name: str, number: str, before: Side, after: Side) -> Matched:
    old, new = before.stored.get(name), after.stored.get(name)
    rows = (old.rows if old else 0, new.rows if new else 0)
    if old and new and old.content_sha256 == new.content_sha256:
        return Matched(name, number, (), (), *rows)
    sides = {"a": before.tables.get(name), "b": after.tables.get(name)}
    kinds: dict[str, dict[str, str]] = {}
    for side, path in sides.items():
        source = "select 1 as none where false" if path is None else f"select * from read_parquet({text(path)})"  # noqa: S608  (own files)
        connection.execute(f"create view {side}_{number} as {source}")
        told = connection.execute(f"describe {side}_{number}").fetchall() if path else []
        kinds[side] = {column: kind for column, kind, *_ in told}
    if None in sides.values():
        kinds = dict.fromkeys(kinds, kinds["a"] or kinds["b"])
        whole, part = ("a", "b") if sides["b"] is None else ("b", "a")
        connection.execute(f"create or replace view {part}_{number} as from {whole}_{number} limit 0")
    found = _matched(connection, name, number, kinds, rows)
    found.alone = REMOVED if sides["b"] is None else ADDED if sides["a"] is None else ""
    _changed(connection, found, kinds)
    _count(connection, found)
    return found


def text(value: object) -> str:
    """Return a value as a text in SQL."""
    return "'" + str(value).replace("'", "''") + "'"


def _matched(
    connection: duckdb.DuckDBPyConnection,
    name: str,
    number: str,
    kinds: dict[str, dict[str, str]],
    rows: tuple[int, int],
) -> Matched:
    """Return how the rows of a table are matched: by its key, or by as much of that as both versions have."""
    common = [column for column in kinds["b"] if column in kinds["a"]]
    described = (marts() if name.startswith(MARTS) else tables()).get(name.removeprefix(MARTS))
    key = described.primary_key if described else tuple(common)
    keys, unmatched = tuple(column for column in key if column in common), ""
    if keys != key and not _are_unique(connection, number, keys):
        unmatched = f"one version has no {', '.join(column for column in key if column not in common)}"
        keys = tuple(common)  # whole rows: nothing moves, rows are added and removed
    return Matched(
        name, number, keys, tuple(column for column in LINKS if column in common), *rows,
        numbers=frozenset(column for column in common if _is_number(kinds["b"][column])),
        columns_added=tuple(column for column in kinds["b"] if column not in kinds["a"]),
        columns_removed=tuple(column for column in kinds["a"] if column not in kinds["b"]),
        unmatched=unmatched,
    )  # fmt: skip


def _is_number(kind: str) -> bool:
    return kind.partition("(")[0] in _NUMBERS


def _are_unique(connection: duckdb.DuckDBPyConnection, number: str, keys: Sequence[str]) -> bool:
    listed = ", ".join(map(quoted, keys))
    twice = "select 1 from {}_{} group by {} having count(*) > 1 limit 1"
    return bool(keys) and not any(connection.execute(twice.format(side, number, listed)).fetchall() for side in "ab")


def _changed(connection: duckdb.DuckDBPyConnection, found: Matched, kinds: dict[str, dict[str, str]]) -> None:
    """Keep the rows that differ as ``changed_<n>``."""
    own = [column for column in kinds["b"] if column in kinds["a"] and column not in found.keys]
    differs = {column: _differs(column, kinds["a"][column], kinds["b"][column]) for column in own}
    on = " and ".join(f"a.{quoted(key)} is not distinct from b.{quoted(key)}" for key in found.keys) or "false"
    moved = ", ".join(f"case when {test} then {text(column)} end" for column, test in differs.items())
    told = dict.fromkeys((*found.keys, *found.links))
    connection.execute(f"""
        create table changed_{found.place} as
        select
            {", ".join(f"coalesce(b.{quoted(each)}, a.{quoted(each)}) as {quoted(each)}" for each in told)},
            concat_ws('/', {", ".join(f"coalesce(b.{quoted(key)}, a.{quoted(key)})" for key in found.keys)}) as "_key",
            case when b."_in" is null then '{REMOVED}' when a."_in" is null then '{ADDED}' else '{MOVED}' end
                as "_change",
            case when a."_in" and b."_in" then concat_ws(',', {moved or "null"}) else '' end as "_moved"
        from (select *, true as "_in" from a_{found.place}) as a
        full join (select *, true as "_in" from b_{found.place}) as b on {on}
        where a."_in" is null or b."_in" is null {"".join(f" or {test}" for test in differs.values())}
    """)  # noqa: S608  (names of columns, quoted)


def _differs(column: str, old: str, new: str) -> str:
    name = quoted(column)
    if old != new and not (_is_number(old) and _is_number(new)):
        return f"cast(a.{name} as varchar) is distinct from cast(b.{name} as varchar)"
    return f"a.{name} is distinct from b.{name}"


def _count(connection: duckdb.DuckDBPyConnection, found: Matched) -> None:
    table = f"changed_{found.place}"
    found.counts = dict(connection.execute(f'select "_change", count(*) from {table} group by all').fetchall())  # noqa: S608
    cells = f"""
        select moved, count(*)
        from (select unnest(string_split("_moved", ',')) as moved from {table} where "_moved" <> '')
        group by all order by all
    """  # noqa: S608  (a number)
    found.columns = dict(connection.execute(cells).fetchall())


def rows_at(connection: duckdb.DuckDBPyConnection, found: Matched, side: str, shown: str) -> dict[int, dict[str, Any]]:
    """Return whole rows of one version, by their number in a table ``shown`` that has their keys."""
    on = " and ".join(f"it.{quoted(key)} is not distinct from {shown}.{quoted(key)}" for key in found.keys)
    query = f'select {shown}."_number", it.* from {side}_{found.place} as it join {shown} on {on}'  # noqa: S608
    cursor = connection.execute(query)
    names = [name for name, *_ in cursor.description or ()][1:]
    return {number: dict(zip(names, row, strict=True)) for number, *row in cursor.fetchall()}


def about(row: dict[str, Any], keys: Iterable[str]) -> str:
    """Return what a row is about, in words that its key does not say."""
    told = (row.get(name) for name in SHOWN_ABOUT if name not in keys)
    return ", ".join(str(value) for value in told if value is not None)
