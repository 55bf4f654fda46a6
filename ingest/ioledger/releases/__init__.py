"""
The release id, and the digest of a table: its name, schema, row count and content hash, whatever file holds it.

The release id is the SHA-256 of one line per table, sorted by name, of four parts separated by tabs:

``<name>``  the path of its Parquet file without the ending, as ``results`` or ``marts/quotients``
``<rows>``  how many rows it has
``<schema>``  its columns in order, ``<column> <type>`` with ``; `` between them (:func:`digest_table`)
``<content>``  the SHA-256 of its Arrow stream, rows in the order of the table (``tables.store.content_hash``)

Two builds of one commit have one release id. A DuckDB file differs in bytes between builds, so its hash is computed by
the same rule over its own tables, sorted.
"""

from __future__ import annotations

import hashlib
import re
from contextlib import contextmanager
from typing import TYPE_CHECKING

import duckdb
import msgspec
import pyarrow as pa

from ioledger.problems import Problem
from ioledger.tables.store import content_hash, read_parquet

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from pathlib import Path

MANIFEST = "manifest.json"
DATABASE = "ioledger.duckdb"
DOWNLOADS = "download"
"""Where a site, and a release, keep the files of a build."""
ENDING = ".parquet"
FOLDERS = ("marts", "raw")
"""Folders of a build's Parquet files: marts, and tables as the readers and manifests give them."""
BESIDE = "raw.beside"
"""The table of the database that lists the tables which exist as Parquet files only; it has no Parquet file."""
REMEDY = "Build it again, or download the release again."
WHOLE = 1 << 40
"""Rows of an Arrow batch: all of a table, so that no batches are copied into one."""


class TableDigest(msgspec.Struct, frozen=True):
    """The digest of a table: row count, columns with their types, and the hash of its content."""

    rows: int
    schema: dict[str, str]
    content_sha256: str

    def line(self, name: str) -> str:
        """Return its line of a release id."""
        columns = "; ".join(f"{column} {kind}" for column, kind in self.schema.items())
        return f"{name}\t{self.rows}\t{columns}\t{self.content_sha256}\n"


class Entry(TableDigest, frozen=True, kw_only=True):
    """A Parquet file in a manifest: digest of its table, the columns that sort it, and the SHA-256 of its bytes."""

    order: list[str]
    sha256: str


class Manifest(msgspec.Struct, frozen=True):
    """The contents of ``manifest.json`` of a build; hash and versions of the database are no part of the release id."""

    release_id: str
    database_sha256: str
    files: dict[str, Entry]
    written_with: dict[str, str]


class Digest(msgspec.Struct, frozen=True):
    """The digests of a folder: the release id, each Parquet file, and each table of the database, if any."""

    release_id: str
    database_sha256: str | None
    tables: dict[str, TableDigest]
    database: dict[str, TableDigest]


class UnreadableError(Exception):
    """A file cannot be read as what its name says: its path, and why."""

    def __init__(self, path: Path, cause: BaseException) -> None:
        """Put the message of a library on one line."""
        super().__init__(path, cause)
        self.path, self.what = path, " ".join(str(cause).split()) or type(cause).__name__


def sha256(path: Path) -> str:
    """Return the SHA-256 of the bytes of a file."""
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def release_id(tables: Mapping[str, TableDigest]) -> str:
    """Return the release id of these tables, by the rule in the docstring of this module."""
    lines = "".join(tables[name].line(name) for name in sorted(tables))
    return hashlib.sha256(lines.encode()).hexdigest()


def digest_table(table: pa.Table) -> TableDigest:
    """Return the digest of a sorted table, its types as ``double [seconds]``, or ``string not null`` for a key."""
    schema = {}
    for field in table.schema:
        unit = (field.metadata or {}).get(b"unit", b"").decode()
        schema[field.name] = f"{field.type}{'' if field.nullable else ' not null'}{f' [{unit}]' if unit else ''}"
    return TableDigest(table.num_rows, schema, content_hash(table))


def digest_views(connection: duckdb.DuckDBPyConnection) -> dict[str, TableDigest]:
    """Return the digest of the SQL of each view of a connection, named as in SQL (``main.quotients``)."""
    query = """
        select schema_name || '.' || view_name, sql from duckdb_views()
        where database_name = current_database() and not internal
    """
    found = connection.execute(query).fetchall()
    return {name: TableDigest(0, {}, hashlib.sha256(sql.encode()).hexdigest()) for name, sql in found}


def find_tables(place: Path) -> Path:
    """Return the folder with the tables of a build, a site or a release; raises UnreadableError for others."""
    for folder in (place, place / DOWNLOADS):
        if (folder / MANIFEST).is_file():
            return folder
    message = f"it does not contain the {MANIFEST} of a build"
    raise UnreadableError(place, FileNotFoundError(message))


def read_manifest(place: Path) -> Manifest:
    """Return the manifest of a build, a site or a release; raises UnreadableError where there is none."""
    path = find_tables(place) / MANIFEST
    with reading(path):
        return msgspec.json.decode(path.read_bytes(), type=Manifest)


def list_parquet_files(folder: Path) -> Iterator[tuple[str, Path]]:
    """Yield the name and the Parquet file of each table of a folder."""
    for path in sorted(path for each in FOLDERS for path in (folder / each).glob(f"*{ENDING}")):
        yield path.relative_to(folder).as_posix().removesuffix(ENDING), path


def digest_folder(place: Path) -> Digest:
    """Return the digests of a build, a site or a release, computed from its files."""
    folder = find_tables(place)
    orders = {name.removesuffix(ENDING): entry.order for name, entry in read_manifest(place).files.items()}
    found, schemas = {}, {}
    for name, path in list_parquet_files(folder):
        with reading(path):
            table = read_parquet(path)
            found[name], schemas[name] = digest_table(table), table.schema
    database = folder / DATABASE
    tables = digest_database(database, schemas, orders) if database.is_file() else {}
    return Digest(release_id(found), release_id(tables) if tables else None, found, tables)


def check_ids(place: Path, stated: Manifest, found: Digest) -> list[Problem]:
    """Return a problem for each id in the manifest of a place that differs from the one of its tables."""
    pairs = {"release_id": (found.release_id, stated.release_id)}
    if found.database_sha256 is not None:
        pairs["database_sha256"] = (found.database_sha256, stated.database_sha256)
    manifest = str(find_tables(place) / MANIFEST)
    differing = [(key, f"it is {text}, the tables give {real}") for key, (real, text) in pairs.items() if real != text]
    return [Problem(manifest, key, what, REMEDY, "R-RELEASE-2") for key, what in differing]


@contextmanager
def reading(path: Path) -> Iterator[None]:
    """Raise UnreadableError where a library cannot read a file."""
    try:
        yield
    except (OSError, ValueError, RecursionError, pa.ArrowException, msgspec.MsgspecError, duckdb.Error) as error:
        raise UnreadableError(path, error) from error


def digest_database(
    path: Path, schemas: Mapping[str, pa.Schema], orders: Mapping[str, list[str]]
) -> dict[str, TableDigest]:
    """Return the digest of each table (``main.results``), with these types and orders, and of the SQL of each view."""
    query = "select schema_name || '.' || table_name from duckdb_tables() where not internal order by 1"
    found: dict[str, TableDigest] = {}
    with (
        reading(path),
        duckdb.connect(path, read_only=True, config={"enable_external_access": "false", "threads": "1"}) as connection,
    ):
        for (name,) in connection.execute(query).fetchall():
            source = find_source(name, schemas)
            columns = ", ".join(map(quote, schemas[source].names)) if source in schemas else "*"
            order = ", ".join(map(quote, orders.get(source, ()))) or "all"
            place = ".".join(map(quote, name.split(".", 1)))
            rows: pa.Table = connection.sql(f"select {columns} from {place} order by {order}").to_arrow_table(WHOLE)  # noqa: S608  (own names)
            found[name] = digest_table((rows.cast(schemas[source]) if source in schemas else rows).combine_chunks())
        return found | digest_views(connection)


def find_source(name: str, known: Mapping[str, object]) -> str:
    """Return the name of the Parquet file, among those known, of a table of a database."""
    schema, _, table = name.partition(".")
    return f"marts/{table}" if schema == "main" and f"marts/{table}" in known else f"raw/{table}"


def quote(name: str) -> str:
    """Return a name as SQL quotes it."""
    return '"' + name.replace('"', '""') + '"'


_LINE = re.compile(r"([0-9a-f]{64})  (\S.*)")
RAW_RULE = "R-RELEASE-5"
RAW_REMEDY = "Check out the commit that the release names, without changes."


def list_files(folder: Path) -> dict[str, Path]:
    """Return every file below a folder by its path in it, sorted; links and devices too, so that none hides."""
    found = (path for path in folder.rglob("*") if path.is_symlink() or not path.is_dir())
    return dict(sorted((path.relative_to(folder).as_posix(), path) for path in found))


def format_list(files: Mapping[str, Path]) -> bytes:
    """Return the list of these files."""
    return "".join(f"{sha256(path)}  {name}\n" for name, path in files.items()).encode()


def check_list(path: Path, present: Mapping[str, Path], place: Path, words: tuple[str, str, str]) -> Iterator[Problem]:
    """Return what is wrong with a list and with the files below ``place`` that it names; see :func:`check`."""
    if not path.is_file():
        yield Problem(str(path), "", "it is missing", *words[1:])
        return
    listed = {}
    for number, line in enumerate(path.read_bytes().decode(errors="replace").splitlines(), 1):
        found = _LINE.fullmatch(line)
        if found is None:
            yield Problem(str(path), f"line {number}", "it is not a SHA-256, two blanks and a path", *words[1:])
        else:
            listed[found[2]] = found[1]
    yield from check(listed, present, place, words)


def check(
    listed: Mapping[str, str], present: Mapping[str, Path], place: Path, words: tuple[str, str, str]
) -> Iterator[Problem]:
    """Return a problem for each file that is missing, changed, or not listed."""
    for name in sorted(listed.keys() | present.keys()):
        path = present.get(name, place / name)
        if name not in present:
            what = "it is missing"
        elif name not in listed:
            what = f"it is no file of {words[0]}"
        elif path.is_symlink() or not path.is_file():
            what = "it is no plain file"
        elif (found := sha256(path)) != listed[name]:
            what = f"its content has changed: its SHA-256 is {found}, but {listed[name]} is stated"
        else:
            continue
        yield Problem(str(path), "", what, *words[1:])


def check_raw_files(data: Path, tables: Path) -> tuple[int, list[Problem]]:
    """Return how many files lie below ``data``, and a problem for each that differs from the tables in a folder."""
    columns = ["submission_id", "path", "source_sha256", "member_path", "document_index"]
    files = read_parquet(tables / "raw" / "files.parquet", columns).to_pylist()
    stated = read_parquet(tables / "raw" / "submissions.parquet", ["submission_id", "manifest_sha256"]).to_pylist()
    listed = {
        f"{row['submission_id']}/{row['path']}": row["source_sha256"]
        for row in files
        if row["member_path"] is None and row["document_index"] is None
    }
    listed |= {f"{row['submission_id']}/manifest.yaml": row["manifest_sha256"] for row in stated}
    present = list_files(data)
    return len(present), list(check(listed, present, data, ("the release", RAW_REMEDY, RAW_RULE)))
