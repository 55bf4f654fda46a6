"""
Rows that two builds differ in: added, removed or changed, per table, with old value, new value and ratio.

Rows are matched by the primary key of ``schemas/``. For each submission with such rows the SHA-256 of its files and of
its manifest, and the versions of its readers, say whether its inputs differ; where none does, the code does.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import duckdb
import msgspec
import pyarrow.parquet as pq

from ioledger.releases.digest import find_tables, list_parquet_files, quote, read_manifest, sha256
from ioledger.tables.schema import marts, tables

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence
    from pathlib import Path

ADDED, REMOVED, CHANGED, SAME = "added", "removed", "changed", "same"
LIMIT = 10
"""Rows shown per table and change; counts are always of all."""
NUMBERS = frozenset({"BIGINT", "DOUBLE", "INTEGER", "HUGEINT", "FLOAT"})
MAX_SHOWN_CHARACTERS = 80
"""Characters of a value that people are shown; JSON has all."""


class Cell(msgspec.Struct, frozen=True):
    """A value that changed, old and new as JSON; ``ratio`` is new over old of two numbers, null where old is 0."""

    column: str
    old: msgspec.Raw
    new: msgspec.Raw
    ratio: float | None


class Row(msgspec.Struct, frozen=True):
    """A row that differs: the values of its key with ``/`` between them, what became of it, and its changed cells."""

    key: str
    change: str
    cells: list[Cell]


class Table(msgspec.Struct, frozen=True):
    """
    What differs in a table: counts of all rows and, by column, of changed cells; the first rows by key.

    Where one side has no such table, or lacks a column of the key, rows are only added and removed.
    """

    name: str
    before: int
    after: int
    added: int
    removed: int
    changed: int
    columns: dict[str, int]
    columns_added: list[str]
    columns_removed: list[str]
    rows: list[Row]


class Submission(msgspec.Struct, frozen=True):
    """
    A submission with inputs or rows that differ.

    ``rows`` counts those of the tables that have a column ``submission_id``. ``files`` and ``manifest`` are ``same``,
    ``changed``, ``added`` or ``removed``, by hash. ``readers`` has each format that both sides read, with both
    versions, where these differ.
    """

    submission_id: str
    rows: int
    files: str
    manifest: str
    readers: list[str]


class Side(msgspec.Struct, frozen=True):
    """One of the two builds: how the caller named it, and its release id."""

    name: str
    release_id: str


class Difference(msgspec.Struct, frozen=True):
    """What two builds differ in; submissions and tables that are the same are not listed."""

    before: Side
    after: Side
    submissions: list[Submission]
    tables: list[Table]


class _Inputs(NamedTuple):
    """What a submission was read from: hashes of files and manifest, and the versions of readers by format."""

    files: list[str]
    manifest: str | None
    readers: dict[str, str]


def compare(before: Path, after: Path, names: tuple[str, str] | None = None, limit: int | None = LIMIT) -> Difference:
    """
    Compare the tables of two builds, sites or releases; ``names`` are shown instead of the names of the folders.

    ``limit`` rows are returned per table and change, all of them where it is null. Raises UnreadableError for a folder
    that holds no tables, ``duckdb.Error`` and ``pa.ArrowException`` for a file that is no table.
    """
    first, second = names or (before.name, after.name)
    sides = Side(first, read_manifest(before).release_id), Side(second, read_manifest(after).release_id)
    old, new = (_find_tables(find_tables(folder)) for folder in (before, after))
    folders = sorted({str(path.resolve().parent) for path in (*old.values(), *new.values())})
    differing, rows = [], dict[str, int]()
    with duckdb.connect() as connection:
        connection.execute(f"set allowed_directories = [{', '.join(map(_quote_text, folders))}]")
        connection.execute("set enable_external_access = false")
        for name in sorted(old.keys() | new.keys()):
            if table := _compare_table(connection, name, (old.get(name), new.get(name)), limit):
                differing.append(table)
                for submission, count in connection.execute(
                    "select submission, count(*) from differing where submission is not null group by all"
                ).fetchall():
                    rows[submission] = rows.get(submission, 0) + count
        submissions = _compare_submissions(_read_inputs(connection, old), _read_inputs(connection, new), rows)
        return Difference(*sides, list(submissions), differing)


def _find_tables(folder: Path) -> dict[str, Path]:
    """Return the Parquet file of each table; builds of version 0.1 have raw tables in the folder itself."""
    return {f"raw/{path.stem}": path for path in folder.glob("*.parquet")} | dict(list_parquet_files(folder))


def _compare_table(
    connection: duckdb.DuckDBPyConnection, name: str, paths: tuple[Path | None, Path | None], limit: int | None
) -> Table | None:
    """Return what differs in a table, null where nothing does; leave the rows in the table ``differing``."""
    old, new = paths
    if old and new and sha256(old) == sha256(new):
        return None
    kinds: list[dict[str, str]] = []
    for view, path, other in (("a", old, new), ("b", new, old)):
        source = f"from read_parquet({_quote_text(path or other)}, file_row_number = true)"
        connection.execute(f"create or replace temp view {view} as {source} {'' if path else 'limit 0'}")
        described = connection.execute(f"describe {view}").fetchall()
        kinds.append({column: kind for column, kind, *_ in described if column != "file_row_number"})
    folder, _, table = name.partition("/")
    schema = (marts() if folder == "marts" else tables()).get(table)
    key = schema.primary_key if schema else ()
    before, after = kinds
    _find_differing(connection, key, before, after)
    counts = dict(connection.execute("select change, count(*) from differing group by all").fetchall())
    by_column = "select column_name, count(*) from (select unnest(columns) as column_name from differing) group by all"
    columns_added = [column for column in after if column not in before]
    columns_removed = [column for column in before if column not in after]
    if not (counts or columns_added or columns_removed):
        return None
    return Table(
        name=name,
        before=pq.read_metadata(old).num_rows if old else 0,
        after=pq.read_metadata(new).num_rows if new else 0,
        added=counts.get(ADDED, 0),
        removed=counts.get(REMOVED, 0),
        changed=counts.get(CHANGED, 0),
        columns=dict(connection.execute(f"{by_column} order by 2 desc, 1").fetchall()),
        columns_added=columns_added,
        columns_removed=columns_removed,
        rows=_read_rows(connection, before, after, limit),
    )


def _find_differing(
    connection: duckdb.DuckDBPyConnection, key: Sequence[str], old: Mapping[str, str], new: Mapping[str, str]
) -> None:
    """Create the table ``differing``: place of each row on both sides, key, submission, change, changed columns."""
    common = [column for column in new if column in old]
    has_key = bool(key) and set(key) <= set(common)
    differs = {column: _write_condition(column, old[column], new[column]) for column in common if column not in key}
    same = [_write_condition(column, old[column], new[column], "is not") for column in key if has_key]
    parts = [f"coalesce(a.{quote(column)}::varchar, b.{quote(column)}::varchar)" for column in key if column in common]
    columns = ", ".join(f"case when {test} then {_quote_text(column)} end" for column, test in differs.items())
    connection.execute(f"""
        create or replace temp table differing as
        select
            a.file_row_number as a_row, b.file_row_number as b_row, concat_ws('/', {", ".join(parts) or "''"}) as key,
            {"coalesce(b.submission_id, a.submission_id)" if "submission_id" in common else "null"} as submission,
            case when a_row is null then '{ADDED}' when b_row is null then '{REMOVED}' else '{CHANGED}' end as change,
            case when change = '{CHANGED}' then list_filter([{columns}]::varchar[], lambda x: x is not null) end
                as columns
        from a full join b on {" and ".join(same) or "false"}
        where a_row is null or b_row is null {"".join(f" or {test}" for test in differs.values())}
    """)  # noqa: S608  (names of columns, quoted)


def _write_condition(column: str, old: str, new: str, verb: str = "is") -> str:
    """Return the condition under which a column differs; types that are not both numbers are compared as text."""
    cast = "" if old == new or {old, new} <= NUMBERS else "::varchar"
    return f"a.{quote(column)}{cast} {verb} distinct from b.{quote(column)}{cast}"


def _read_rows(
    connection: duckdb.DuckDBPyConnection, old: Mapping[str, str], new: Mapping[str, str], limit: int | None
) -> list[Row]:
    """Return the first rows of each change by key, with their changed cells."""
    cells = ", ".join(
        f"""case when list_contains(columns, {_quote_text(column)}) then {{
            'column': {_quote_text(column)}, 'old': to_json(a.{quote(column)}),
            'new': to_json(b.{quote(column)}),
            'ratio': {f"b.{quote(column)} / nullif(a.{quote(column)}, 0)::double"
                      if {old[column], new[column]} <= NUMBERS else "null::double"} }} end"""
        for column in new
        if column in old
    )  # fmt: skip
    shown = "" if limit is None else f"qualify row_number() over (partition by change order by key) <= {limit}"
    found = connection.execute(f"""
        select to_json({{
            'key': key, 'change': change, 'cells': list_filter([{cells or "null"}], lambda x: x is not null) }})
        from (from differing {shown})
        left join a on a.file_row_number = a_row
        left join b on b.file_row_number = b_row
        order by change, key
    """).fetchall()  # noqa: S608  (names of columns, quoted)
    return [msgspec.json.decode(text, type=Row) for (text,) in found]


def _read_inputs(connection: duckdb.DuckDBPyConnection, files: Mapping[str, Path]) -> dict[str, _Inputs]:
    """Return what each submission of a build was read from."""
    submissions, listed, results = (
        f"read_parquet({_quote_text(files[f'raw/{name}'])})" for name in ("submissions", "files", "results")
    )
    rows = connection.execute(f"""
        select submission_id, any_value(manifest_sha256),
            list(concat_ws(' ', path, source_sha256) order by path) filter (path is not null)
        from {submissions}
        left join (from {listed} where member_path is null and document_index is null) using (submission_id)
        group by all
    """).fetchall()  # noqa: S608  (quoted paths)
    found = {submission: _Inputs(hashes or [], manifest, {}) for submission, manifest, hashes in rows}
    versions = connection.execute(f"""
        select submission_id, concat_ws(' ', tool, split_part(source_format, ' ', 1)) as format,
            string_agg(distinct reader_version, ' and ' order by reader_version)
        from {results} group by all order by all
    """).fetchall()  # noqa: S608
    for submission, source_format, version in versions:
        found[submission].readers[source_format] = version
    return found


def _compare_submissions(
    old: Mapping[str, _Inputs], new: Mapping[str, _Inputs], rows: Mapping[str, int]
) -> Iterator[Submission]:
    for name in sorted(old.keys() | new.keys()):
        if name not in old or name not in new:
            change = REMOVED if name in old else ADDED
            yield Submission(name, rows.get(name, 0), change, change, [])
            continue
        a, b = old[name], new[name]
        files, manifest = (SAME if x == y else CHANGED for x, y in ((a.files, b.files), (a.manifest, b.manifest)))
        readers = [
            f"{each} {version} → {b.readers[each]}"
            for each, version in a.readers.items()
            if version != b.readers.get(each, version)
        ]
        if readers or name in rows or {files, manifest} != {SAME}:
            yield Submission(name, rows.get(name, 0), files, manifest, readers)


def _quote_text(value: object) -> str:
    return "'" + str(value).replace("'", "''") + "'"


def format_headline(found: Difference) -> str:
    """Return in one line how much differs."""
    if not found.tables:
        return "Nothing differs: every table has the same rows."
    changes = (ADDED, REMOVED, CHANGED)
    rows = ", ".join(f"{sum(getattr(table, each) for table in found.tables):,} {each}" for each in changes)
    return f"Tables that differ: {len(found.tables)}. Rows: {rows}."


def list_sections(found: Difference) -> Iterator[tuple[str, Sequence[str], list[list[str]]]]:
    """Give what differs as tables for people: title, head and lines of each."""
    if found.submissions:
        lines = [
            [each.submission_id, f"{each.rows:,}", each.files, each.manifest, ", ".join(each.readers) or SAME]
            for each in found.submissions
        ]
        yield "Submissions", ("submission", "rows", "files", "manifest", "reader versions"), lines
    if found.tables:
        counts = ("before", "after", ADDED, REMOVED, CHANGED)
        lines = [
            [table.name, *(f"{getattr(table, count):,}" for count in counts), ", ".join(_list_columns(table))]
            for table in found.tables
        ]
        yield "Tables", ("table", *counts, "columns"), lines
    for table in found.tables:
        if table.rows:
            yield table.name, ("key", "change", "column", "old", "new", "ratio"), list(_list_cells(table.rows))


def _list_columns(table: Table) -> Iterator[str]:
    """Give the columns that only one side has, and those with changed cells, with how many."""
    yield from (f"+{column}" for column in table.columns_added)
    yield from (f"-{column}" for column in table.columns_removed)
    yield from (f"{column} {count:,}" for column, count in table.columns.items())


def _list_cells(rows: Iterable[Row]) -> Iterator[list[str]]:
    for row in rows:
        yield from (
            [
                row.key,
                row.change,
                cell.column,
                _shorten(cell.old),
                _shorten(cell.new),
                "" if cell.ratio is None else f"{cell.ratio:.9g}",
            ]
            for cell in row.cells
        )
        if not row.cells:
            yield [row.key, row.change, "", "", "", ""]


def _shorten(value: msgspec.Raw) -> str:
    decoded = msgspec.json.decode(value)
    text = decoded if isinstance(decoded, str) else bytes(value).decode()
    return text if len(text) <= MAX_SHOWN_CHARACTERS else f"{text[: MAX_SHOWN_CHARACTERS - 1]}…"


def format_markdown(found: Difference) -> str:
    """Return all of it as Markdown."""
    lines = [f"# Changes from {_escape(found.before.name)} to {_escape(found.after.name)}", "", format_headline(found)]
    for title, head, rows in list_sections(found):
        lines += ["", f"## {_escape(title)}", "", f"| {' | '.join(head)} |", f"|{'---|' * len(head)}"]
        lines += [f"| {' | '.join(map(_escape, row))} |" for row in rows]
    return "\n".join(lines) + "\n"


def _escape(text: str) -> str:
    """Return text that Markdown shows as it is: strangers wrote it."""
    signs = (sign if sign.isprintable() else "\N{REPLACEMENT CHARACTER}" for sign in text)
    return "".join(f"&#{ord(sign)};" if sign in "|<>&`*_[]@#~\\" else sign for sign in signs)
