"""
Rows that two builds differ in: added, removed or changed, per table, with old value, new value and ratio.

Rows are matched by the primary key of ``schemas/``. For each submission with such rows the SHA-256 of its files and of
its manifest, and the versions of its readers, say whether its inputs differ; where none does, the code does.

What differs is an object as ``ioledger diff --json`` prints it:

``before``, ``after``  name and release id of both sides
``submissions``  those with inputs or rows that differ: number of rows in tables that have a column ``submission_id``;
``same``, ``changed``, ``added`` or ``removed`` of files and manifest; formats whose reader has another version
``tables``  those that differ: counts of all rows and, by column, of changed cells; columns of one side; the first rows
of each change by key, with the changed cells. Where one side lacks a column of the key, no row is matched
"""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, Any

import duckdb
import msgspec

from ioledger.releases import find_tables, list_parquet_files, quote, read_manifest, sha256
from ioledger.tables.schema import marts, tables

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence
    from pathlib import Path

    Object = dict[str, Any]
    Section = tuple[str, Sequence[str], list[list[str]]]

CHANGES = ADDED, REMOVED, CHANGED = "added", "removed", "changed"
LIMIT = 10
"""Rows shown per table and change; counts are always of all."""
NUMBERS = frozenset({"BIGINT", "DOUBLE", "INTEGER", "HUGEINT", "FLOAT"})
MAX_SHOWN_CHARACTERS = 80
"""Characters of a value that people are shown; JSON has all."""


def compare(before: Path, after: Path, names: tuple[str, str] | None = None, limit: int | None = LIMIT) -> Object:
    """Compare the tables of two builds, sites or releases; ``names`` are shown instead of the names of the folders."""
    sides = [
        {"name": name, "release_id": read_manifest(folder).release_id}
        for name, folder in zip(names or (before.name, after.name), (before, after), strict=True)
    ]
    old, new = (
        {f"raw/{path.stem}": path for path in folder.glob("*.parquet")} | dict(list_parquet_files(folder))
        for folder in map(find_tables, (before, after))  # in builds of version 0.1 raw tables lie in the folder itself
    )
    folders = {str(path.resolve().parent) for path in (*old.values(), *new.values())}
    differing, rows = [], Counter[str]()
    with duckdb.connect() as connection:
        connection.execute(f"set allowed_directories = [{', '.join(map(_quote_text, sorted(folders)))}]")
        connection.execute("set enable_external_access = false")
        for name in sorted(old.keys() | new.keys()):
            if table := _compare_table(connection, name, old.get(name), new.get(name), limit):
                differing.append(table)
                rows.update(_count(connection, "submission", "from differing where submission is not null"))
        inputs = _read_inputs(connection, old), _read_inputs(connection, new)
    submissions = list(_compare_submissions(*inputs, rows))
    return {"before": sides[0], "after": sides[1], "submissions": submissions, "tables": differing}


def _count(connection: duckdb.DuckDBPyConnection, column: str, source: str) -> dict[str, int]:
    """Return how many rows there are of each value, the most frequent first."""
    query = f"select {column} as value, count(*) {source} group by all order by 2 desc, 1"
    return dict(connection.execute(query).fetchall())


def _compare_table(
    connection: duckdb.DuckDBPyConnection, name: str, old: Path | None, new: Path | None, limit: int | None
) -> Object | None:
    """Return what differs in a table, null where nothing does; leave the rows in the table ``differing``."""
    if old and new and sha256(old) == sha256(new):
        return None
    kinds: list[dict[str, str]] = []
    counts = []
    for view, path in (("a", old), ("b", new)):
        source = f"from read_parquet({_quote_text(path or old or new)}, file_row_number = true)"
        connection.execute(f"create or replace temp view {view} as {source} {'' if path else 'limit 0'}")
        described = connection.execute(f"describe {view}").fetchall()
        kinds.append({column: kind for column, kind, *_ in described if column != "file_row_number"})
        counts += [count for (count,) in connection.execute(f"select count(*) from {view}").fetchall()]  # noqa: S608
    folder, _, table = name.partition("/")
    schema = (marts() if folder == "marts" else tables()).get(table)
    _find_differing(connection, schema.primary_key if schema else (), *kinds)
    changes = _count(connection, "change", "from differing")
    of_one_side = {
        "columns_added": [column for column in kinds[1] if column not in kinds[0]],
        "columns_removed": [column for column in kinds[0] if column not in kinds[1]],
    }
    if not (changes or any(of_one_side.values())):
        return None
    shown = "" if limit is None else f"qualify row_number() over (partition by change order by key) <= {limit}"
    columns = "key, change, list_filter(cells, lambda x: x is not null) as cells"
    changed = "from (select unnest(cells) as cell from differing) where cell is not null"
    rows = f"select to_json(x) from (select {columns} from differing {shown}) as x order by x.change, x.key"  # noqa: S608
    return {
        "name": name,
        "before": counts[0],
        "after": counts[1],
        **{change: changes.get(change, 0) for change in CHANGES},
        "columns": _count(connection, "cell.column", changed),
        **of_one_side,
        "rows": [msgspec.json.decode(text) for (text,) in connection.execute(rows).fetchall()],
    }


def _find_differing(
    connection: duckdb.DuckDBPyConnection, key: Sequence[str], old: Mapping[str, str], new: Mapping[str, str]
) -> None:
    """Create the table ``differing``: key, submission, change, and the cells of each row, null for one that is same."""
    common = [column for column in new if column in old]
    same = [_write_condition(column, old[column], new[column], "is not") for column in key if set(key) <= set(common)]
    differs = {column: _write_condition(column, old[column], new[column]) for column in common if column not in key}
    on = " and ".join(same) or "false"
    if differs:  # planning what is shown of all cells takes longer than looking for the columns that have some
        tests = ", ".join(f"bool_or({test})" for test in differs.values())
        found = connection.execute(f"select {tests} from a join b on {on}").fetchall()[0]  # noqa: S608  (names of columns, quoted)
        differs = {column: test for (column, test), is_so in zip(differs.items(), found, strict=True) if is_so}
    parts = [f"coalesce(a.{quote(column)}::varchar, b.{quote(column)}::varchar)" for column in key if column in common]
    cells = ", ".join(
        f"case when {test} then {{'column': {_quote_text(column)}, "
        f"'old': to_json(a.{quote(column)}), 'new': to_json(b.{quote(column)}), "
        f"'ratio': {_write_ratio(column) if {old[column], new[column]} <= NUMBERS else 'null::double'}}} end"
        for column, test in differs.items()
    )
    connection.execute(f"""
        create or replace temp table differing as
        select
            concat_ws('/', {", ".join(parts) or "''"}) as key,
            {"coalesce(b.submission_id, a.submission_id)" if "submission_id" in common else "null"} as submission,
            case
                when a.file_row_number is null then '{ADDED}' when b.file_row_number is null then '{REMOVED}'
                else '{CHANGED}'
            end as change,
            case when change = '{CHANGED}' then [{cells or 'null::struct("column" varchar)'}] else [] end as cells
        from a full join b on {on}
        where a.file_row_number is null or b.file_row_number is null
            {"".join(f" or {test}" for test in differs.values())}
    """)  # noqa: S608  (names of columns, quoted)


def _write_condition(column: str, old: str, new: str, verb: str = "is") -> str:
    """Return the condition under which a column differs; types that are not both numbers are compared as text."""
    cast = "" if old == new or {old, new} <= NUMBERS else "::varchar"
    return f"a.{quote(column)}{cast} {verb} distinct from b.{quote(column)}{cast}"


def _write_ratio(column: str) -> str:
    return f"b.{quote(column)} / nullif(a.{quote(column)}, 0)::double"


def _read_inputs(connection: duckdb.DuckDBPyConnection, tables_by_name: Mapping[str, Path]) -> dict[str, Object]:
    """Return of each submission the hashes of files and manifest, and the versions of readers by format."""
    submissions, files, results = (
        f"read_parquet({_quote_text(tables_by_name[f'raw/{name}'])})" for name in ("submissions", "files", "results")
    )
    rows = connection.execute(f"""
        with listed as (
            select submission_id, list(concat_ws(' ', path, source_sha256) order by path) as files
            from {files} where member_path is null and document_index is null group by all
        ),
        versions as (
            select submission_id, concat_ws(' ', tool, split_part(source_format, ' ', 1)) as format,
                string_agg(distinct reader_version, ' and ' order by reader_version) as version
            from {results} group by all
        ),
        readers as (select submission_id, list((format, version) order by format) as readers from versions group by all)
        select submission_id, manifest_sha256, files, readers
        from {submissions} left join listed using (submission_id) left join readers using (submission_id)
    """).fetchall()  # noqa: S608  (quoted paths)
    return {
        name: {"files": hashes, "manifest": manifest, "readers": dict(readers or ())}
        for name, manifest, hashes, readers in rows
    }


def _compare_submissions(old: Mapping[str, Object], new: Mapping[str, Object], rows: Counter[str]) -> Iterator[Object]:
    for name in sorted(old.keys() | new.keys()):
        a, b = old.get(name), new.get(name)
        if a and b:
            changes = {part: "same" if a[part] == b[part] else CHANGED for part in ("files", "manifest")}
            versions = [(each, version, b["readers"].get(each, version)) for each, version in a["readers"].items()]
            readers = [f"{each} {version} → {other}" for each, version, other in versions if version != other]
        else:
            changes, readers = dict.fromkeys(("files", "manifest"), ADDED if b else REMOVED), []
        if readers or rows[name] or {*changes.values()} != {"same"}:
            yield {"submission_id": name, "rows": rows[name], **changes, "readers": readers}


def _quote_text(value: object) -> str:
    return "'" + str(value).replace("'", "''") + "'"


def format_headline(found: Object) -> str:
    """Return in one line how much differs."""
    if not found["tables"]:
        return "Nothing differs: every table has the same rows."
    rows = ", ".join(f"{sum(table[change] for table in found['tables']):,} {change}" for change in CHANGES)
    return f"Tables that differ: {len(found['tables'])}. Rows: {rows}."


def list_sections(found: Object) -> Iterator[Section]:
    """Give what differs as tables for people: title, head and lines of each."""
    if found["submissions"]:
        lines = [
            [each["submission_id"], f"{each['rows']:,}", each["files"], each["manifest"],
             ", ".join(each["readers"]) or "same"]
            for each in found["submissions"]
        ]  # fmt: skip
        yield "Submissions", ("submission", "rows", "files", "manifest", "reader versions"), lines
    if found["tables"]:
        counts, lines = ("before", "after", *CHANGES), []
        for table in found["tables"]:
            columns = [f"+{column}" for column in table["columns_added"]]
            columns += [f"-{column}" for column in table["columns_removed"]]
            columns += [f"{column} {count:,}" for column, count in table["columns"].items()]
            lines.append([table["name"], *(f"{table[count]:,}" for count in counts), ", ".join(columns)])
        yield "Tables", ("table", *counts, "columns"), lines
    for table in found["tables"]:
        if table["rows"]:
            lines = [line for row in table["rows"] for line in _list_cells(row)]
            yield table["name"], ("key", "change", "column", "old", "new", "ratio"), lines


def _list_cells(row: Object) -> list[list[str]]:
    return [
        [row["key"], row["change"], cell["column"], _shorten(cell["old"]), _shorten(cell["new"]),
         "" if cell["ratio"] is None else f"{cell['ratio']:.9g}"]
        for cell in row["cells"]
    ] or [[row["key"], row["change"], "", "", "", ""]]  # fmt: skip


def _shorten(value: object) -> str:
    text = value if isinstance(value, str) else msgspec.json.encode(value).decode()
    return text if len(text) <= MAX_SHOWN_CHARACTERS else f"{text[: MAX_SHOWN_CHARACTERS - 1]}…"


def format_markdown(found: Object) -> str:
    """Return all of it as Markdown."""
    names = " to ".join(_escape(found[side]["name"]) for side in ("before", "after"))
    lines = [f"# Changes from {names}", "", format_headline(found)]
    for title, head, rows in list_sections(found):
        lines += ["", f"## {_escape(title)}", "", f"| {' | '.join(head)} |", f"|{'---|' * len(head)}"]
        lines += [f"| {' | '.join(map(_escape, row))} |" for row in rows]
    return "\n".join(lines) + "\n"


def _escape(text: str) -> str:
    """Return text that Markdown shows as it is: strangers wrote it."""
    signs = (sign if sign.isprintable() else "\N{REPLACEMENT CHARACTER}" for sign in text)
    return "".join(f"&#{ord(sign)};" if sign in "|<>&`*_[]@#~\\" else sign for sign in signs)
