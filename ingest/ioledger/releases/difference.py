"""
What differs between two builds, and why: rows added and removed, numbers and words that moved, each with its cause.

:func:`compare` gives all of it as an object, :func:`report` as Markdown for people.
"""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, Any

import duckdb

from ioledger.problems import Problem
from ioledger.releases import matched, shown, sides
from ioledger.releases.attributed import Attributed
from ioledger.releases.changes import Difference, Group, Move, Named, Row, Stale, Table
from ioledger.releases.code import CAUSES, Code
from ioledger.releases.matched import ADDED, MOVED, REMOVED, Matched
from ioledger.releases.steps import in_steps

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from ioledger.releases.causes import Cause
    from ioledger.releases.sides import Side

LIMIT = 10
"""Rows shown per table where no other number is asked for; counts are always of all."""


def compare(before: Side, after: Side, limit: int | None = LIMIT, between: Side | None = None) -> Difference:
    """
    Compare two builds; ``limit`` rows are shown per table, all of them where it is null.

    ``between`` is the data of one built by the code of the other. Where both differ it tells them apart: each step,
    to it and from it, has one of them only.
    """
    with duckdb.connect() as connection:
        _shut(connection, (before, after) if between is None else (before, after, between))
        connection.execute("set enable_external_access = false")
        found = matched.match(connection, before, after)
        if between is None:
            causes = _attributed(connection, before, after, found)
        else:
            steps = []
            for name, sides_of in {"to_": (before, between), "from_": (between, after)}.items():
                step = matched.match(connection, *sides_of, name)
                steps.append((step, _attributed(connection, *sides_of, step, name)))
            causes = in_steps(connection, found, steps)
        tables = [_table(connection, each, causes, limit) for each in found]
        stale = list(_stale(connection, after))
    differing = [table for table in tables if not table.is_same]
    total = Counter[str]()
    for table in differing:
        total.update(table.causes)
    first, second = (Named(side.name, side.release_id, side.commit) for side in (before, after))
    return Difference(first, second, not differing, _in_order(total), Code(before, after).told(), stale, differing)


def _shut(connection: duckdb.DuckDBPyConnection, compared: tuple[Side, ...]) -> None:
    """Let queries read the folders that are compared, and no other file: names of columns in them are of strangers."""
    folders = sorted({str(path.resolve().parent) for side in compared for path in side.tables.values()})
    listed = ", ".join("'" + folder.replace("'", "''") + "'" for folder in folders)
    connection.execute(f"set allowed_directories = [{listed}]")


def _attributed(
    connection: duckdb.DuckDBPyConnection, before: Side, after: Side, found: list[Matched], step: str = ""
) -> list[Cause]:
    attributed = Attributed(connection, before, after, step)
    attributed.all(found)
    return attributed.causes


def _stale(connection: duckdb.DuckDBPyConnection, side: Side) -> Iterator[Stale]:
    """Give the excerpts of a build that another version read than the one that its code has now."""
    if side.evidence is None or "results" not in side.tables:
        return
    asked = """
        select submission_id, tool, split_part(source_format, ' ', 1) as word, reader_version, count(*)
        from read_parquet(?) where origin_sha256 is not null and reader_version is not null group by all order by all
    """
    for submission, tool, word, then, count in connection.execute(asked, [str(side.tables["results"])]).fetchall():
        reader = side.evidence.readers.get(tool)
        now = reader.versions.get(word) if reader else None
        if now is not None and now != then:
            yield Stale(submission, f"{tool} {word}", then, now, count)


def _in_order(causes: dict[str, int]) -> dict[str, int]:
    """Return causes with those of one word first, in their usual order."""
    place = {word: number for number, word in enumerate(CAUSES)}
    return dict(sorted(causes.items(), key=lambda pair: (place.get(pair[0], len(place)), pair[0])))


def _table(connection: duckdb.DuckDBPyConnection, found: Matched, causes: list[Cause], limit: int | None) -> Table:
    words = Counter[str]()
    groups, rows = list[Group](), list[Row]()
    if found.counts:
        groups = _groups(connection, found, causes)
        for group in groups:
            words[group.cause] += group.rows
        rows = _rows(connection, found, causes, limit)
    moved_numbers = sum(count for column, count in found.columns.items() if column in found.numbers)
    return Table(
        name=found.name,
        before=found.before,
        after=found.after,
        added=found.counts.get(ADDED, 0),
        removed=found.counts.get(REMOVED, 0),
        moved=found.counts.get(MOVED, 0),
        numbers_moved=moved_numbers,
        words_moved=sum(found.columns.values()) - moved_numbers,
        columns=found.columns,
        columns_added=list(found.columns_added),
        columns_removed=list(found.columns_removed),
        causes=_in_order(words),
        group_count=len(groups),
        groups=groups[:limit],
        rows=rows,
        note=found.unmatched,
    )


def _groups(connection: duckdb.DuckDBPyConnection, found: Matched, causes: list[Cause]) -> list[Group]:
    """Return rows by what became of them and why, the most first."""
    counted = f"""
        select "_change", "_cause", count(*) as rows, min("_key") from caused_{found.place}
        group by "_change", "_cause" order by rows desc, "_change", min("_key")
    """  # noqa: S608  (a number)
    return [
        Group(change, causes[cause].word, causes[cause].reason, rows, key)
        for change, cause, rows, key in connection.execute(counted).fetchall()
    ]


def _rows(connection: duckdb.DuckDBPyConnection, found: Matched, causes: list[Cause], limit: int | None) -> list[Row]:
    """Return the rows that are shown of every change: of each reason the first by key, then the second, and so on."""
    place = found.place
    order = ", ".join(matched.quoted(key) for key in found.keys) or "1"
    connection.execute(f"""
        create table shown_{place} as
        select row_number() over (order by "_change", place) as "_number", *
        from (
            select *, row_number() over (partition by "_change" order by place_of_cause, {order}) as place
            from (
                select *, row_number() over (partition by "_change", "_cause" order by {order}) as place_of_cause
                from caused_{place}
            )
        )
        {"" if limit is None else f"where place <= {limit}"}
    """)  # noqa: S608
    old, new = (matched.rows_at(connection, found, side, f"shown_{place}") for side in "ab")
    listed = connection.execute(
        f'select "_number", "_key", "_change", "_moved", "_cause" from shown_{place} order by "_number"'  # noqa: S608
    ).fetchall()
    return [
        Row(
            key,
            matched.about(new.get(number) or old.get(number, {}), found.keys),
            change,
            causes[cause].word,
            causes[cause].reason,
            [_move(column, old[number][column], new[number][column]) for column in moved.split(",") if column],
        )
        for number, key, change, moved, cause in listed
    ]


def _move(column: str, old: Any, new: Any) -> Move:  # noqa: ANN401  (cells)
    is_number = all(isinstance(value, int | float) and not isinstance(value, bool) for value in (old, new))
    return Move(column, _plain(old), _plain(new), new / old if is_number and old else None)


def _plain(value: Any) -> Any:  # noqa: ANN401  (a cell)
    """Return a cell as JSON holds it."""
    return value if value is None or isinstance(value, bool | int | float | str) else str(value)


def report(before: Path, after: Path, limit: int | None = LIMIT) -> str:
    """
    Return what differs between two builds or releases as Markdown; raises ValueError where a folder holds none.

    ``limit`` rows are shown per table, all of them where it is null; counts are always of all. Folders are called by
    their names alone, wherever they lie.
    """
    return shown.markdown(compare(_side(before), _side(after), limit))


def _side(folder: Path) -> Side:
    side = sides.of_folder(folder, folder.name)
    if isinstance(side, Problem):
        raise ValueError(str(side))  # noqa: TRY004  (it is the folder that is wrong)
    return side
