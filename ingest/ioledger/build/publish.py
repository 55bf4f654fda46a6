"""
The files that a build leaves: Parquet for every table and mart, one DuckDB file, and a manifest of hashes.

The DuckDB file is written in storage version 1.3.0 with small blocks: DuckDB from 1.3 on and duckdb-wasm read it, and a
browser fetches little. Its bytes differ between builds (DuckDB's format does that); the Parquet files' do not.
"""

from __future__ import annotations

import hashlib
import re
from concurrent.futures import ThreadPoolExecutor
from importlib.metadata import version
from typing import TYPE_CHECKING

import duckdb
import msgspec
import pyarrow as pa

from ioledger import releases
from ioledger.tables.schema import ROOT, arrow_schema, marts, tables, views
from ioledger.tables.store import content_hash, write_parquet

if TYPE_CHECKING:
    from pathlib import Path

    from ioledger.tables.schema import Table

SHUT: dict[str, str | bool | int | float | list[str]] = {"enable_external_access": "false"}
"""What strangers wrote is in the tables, so no query reaches another file or the network."""
_REFERENCE = re.compile(r"\{\{ ref\('(\w+)'\) \}\}")
LAYOUT = "storage_version 'v1.3.0', block_size 65536"
"""Whoever looks for a few rows reads a block of each row group to see what is in it; blocks are four times smaller."""
AT_ONCE = 2
"""How many tables are read, or written, at once."""
RELEASED = ("duckdb", "pyarrow", "dbt-core", "dbt-duckdb", "great-expectations")


def fill_raw(path: Path, built: dict[str, pa.Table]) -> None:
    """Write the raw tables into schema ``raw`` of a new DuckDB file: the source that the dbt models read."""
    with duckdb.connect(path, config=SHUT) as connection:
        connection.execute("set threads = 1")
        connection.execute("create schema raw")
        for name, table in built.items():
            connection.register("arriving", table)
            connection.execute(f'create table raw."{name}" as from arriving')
            connection.unregister("arriving")


def marts_from(path: Path) -> dict[str, pa.Table]:
    """Return the marts of a DuckDB file that dbt has filled, typed and ordered as ``schemas/marts`` says."""
    with duckdb.connect(path, read_only=True, config=SHUT) as connection, ThreadPoolExecutor(AT_ONCE) as pool:
        connection.execute("set threads = 1")  # of each query: there are several queries at once
        found = pool.map(lambda mart: read_mart(connection.cursor(), mart), marts().values())
        return dict(zip(marts(), found, strict=True))


def read_mart(connection: duckdb.DuckDBPyConnection, mart: Table) -> pa.Table:
    """Return a mart that stands in schema ``main``, typed and ordered."""
    columns = ", ".join(f'"{name}"' for name in mart.column_names)
    order = ", ".join(f'"{name}"' for name in mart.order)
    query = f'select {columns} from main."{mart.name}" order by {order}'  # noqa: S608  (names come from schemas/)
    found: pa.Table = connection.sql(query).to_arrow_table(releases.WHOLE)
    return found.cast(arrow_schema(mart)).combine_chunks()


def write(directory: Path, built: dict[str, pa.Table], derived: dict[str, pa.Table]) -> releases.Manifest:
    """Write Parquet files, ``ioledger.duckdb`` and ``manifest.json`` into a directory; return the manifest."""
    for folder in releases.FOLDERS:
        (directory / folder).mkdir()
    described = tables() | marts()
    placed = {f"raw/{name}": (tables()[name], table) for name, table in sorted(built.items())}
    placed |= {f"marts/{name}": (marts()[name], table) for name, table in sorted(derived.items())}
    with ThreadPoolExecutor(AT_ONCE) as pool:
        database = pool.submit(_write_database, directory / releases.DATABASE, built | derived)
        written = pool.map(lambda name: _write_table(*placed[name], directory / f"{name}{releases.ENDING}"), placed)
        entries = dict(zip(placed, written, strict=True))
        beside, views_made = database.result()
    inside = sorted((built | derived).keys() - set(beside["table_name"].to_pylist()))
    database_entries = {
        in_database(described[name]).replace('"', ""): entries[f"marts/{name}" if name in derived else f"raw/{name}"]
        for name in inside
    }
    manifest = releases.Manifest(
        releases.release_id(entries),
        releases.release_id({**database_entries, **views_made, releases.BESIDE: releases.digest_table(beside)}),
        {f"{name}{releases.ENDING}": entry for name, entry in entries.items()},
        {name: version(name) for name in RELEASED},
    )
    (directory / releases.MANIFEST).write_bytes(msgspec.json.format(msgspec.json.encode(manifest), indent=2) + b"\n")
    return manifest


def _write_table(described: Table, table: pa.Table, path: Path) -> releases.Entry:
    write_parquet(table, path)
    known = releases.digest_table(table)
    file_hash = hashlib.sha256(path.read_bytes()).hexdigest()
    return releases.Entry(known.rows, known.schema, known.content_sha256, order=list(described.order), sha256=file_hash)


def _write_database(path: Path, published: dict[str, pa.Table]) -> tuple[pa.Table, dict[str, releases.TableDigest]]:
    """Write the database; return its table ``raw.beside`` and the digests of its views."""
    described = tables() | marts()
    bulk = {name: table for name, table in sorted(published.items()) if described[name].published == "files"}
    beside = pa.table(
        {
            "table_name": pa.array(list(bulk), pa.string()),
            "row_count": pa.array([table.num_rows for table in bulk.values()], pa.int64()),
            "content_sha256": pa.array([content_hash(table) for table in bulk.values()], pa.string()),
        }
    )
    with duckdb.connect() as connection:
        connection.execute("set threads = 1")
        connection.execute(f"attach '{str(path).replace(chr(39), chr(39) * 2)}' as published ({LAYOUT})")
        connection.execute("set enable_external_access = false")
        connection.execute("create schema published.raw")
        for name, table in sorted(published.items()):
            if name not in bulk:
                connection.register("arriving", table)
                connection.begin()
                connection.execute(f"create table published.{in_database(described[name])} as from arriving")
                _comment(connection, described[name])
                connection.commit()
                connection.unregister("arriving")
        connection.register("arriving", beside)
        connection.execute(f"create table published.{releases.BESIDE} as from arriving")
        connection.unregister("arriving")
        connection.execute("use published")
        for view in views().values():
            connection.execute(f'create view "{view.name}" as {view_sql(view.name)}')
            _comment(connection, view, "view")
        connection.execute("use memory")
        connection.execute("detach published")
    with duckdb.connect(path, read_only=True, config=SHUT) as connection:  # DuckDB writes the SQL anew when it saves it
        return beside, releases.digest_views(connection)


def view_sql(name: str) -> str:
    """Return the SQL of a view over the tables of the database: its dbt model, with their names in place."""
    model = ROOT / "models" / "views" / f"{name}.sql"
    return _REFERENCE.sub(r'main."\1"', model.read_text(encoding="utf-8"))


def in_database(table: Table) -> str:
    """Return where a table stands in the DuckDB file, as SQL names it: its schema and its name."""
    return f'{"raw" if table.published else "main"}."{table.name}"'


def _comment(connection: duckdb.DuckDBPyConnection, table: Table, kind: str = "table") -> None:
    """Carry descriptions into the database, so that ``describe`` and clients show them; a question has its own line."""
    quoted = "\n".join(filter(None, (table.description, table.question))).replace("'", "''")
    connection.execute(f"comment on {kind} published.{in_database(table)} is '{quoted}'")
    for column in table.columns:
        words = f" One of: {', '.join(column.words)}." if column.words else ""
        text = f"{column.description}{words}".replace("'", "''")
        connection.execute(f"comment on column published.{in_database(table)}.\"{column.name}\" is '{text}'")
