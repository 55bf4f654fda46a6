"""
Write every table of a build as an Arrow file and, up to 100,000 rows, as CSV, with the values of its Parquet file.

A raw table has no Arrow file and no CSV where a mart of the same name has its columns.

CSV is compressed by gzip. An empty text is written in quotes, null as nothing. The Arrow file is compressed by zstd and
stores repeated text once, as a dictionary; that makes it smaller than Parquet. Two builds give the same bytes.
"""

from __future__ import annotations

import gzip
import shutil
from typing import IO, TYPE_CHECKING, Any, NamedTuple, cast

import pyarrow as pa
import pyarrow.csv as pc
import pyarrow.parquet as pq

from ioledger.releases import digest
from ioledger.tables.schema import marts, tables

if TYPE_CHECKING:
    from pathlib import Path

    from ioledger.tables.schema import Table

ROWS_AT_A_TIME = 1 << 20
MOST_ROWS_AS_CSV = 100_000
"""A longer table has no CSV: as text it is three times as large as in any other form, and no spreadsheet takes it."""
ARROW_LEVEL = 9
"""Of zstd: an eighth less than at level 1, at which Arrow begins, for a third more time; level 12 takes four times."""


class Published(NamedTuple):
    """
    One table of a build: how the schemas define it, and its files by format, each ``{path, size_bytes, sha256}``.

    ``name`` is unique among all: of two tables of one name the raw one is ``raw.<name>``. ``stem`` is the path of its
    files below the folder of downloads, without the ending; ``kind`` is ``mart`` or ``table``.
    """

    name: str
    kind: str
    stem: str
    table: Table
    rows: int
    content_sha256: str
    files: dict[str, dict[str, Any]]


def write(build: Path, public: Path) -> list[Published]:
    """Write every table of a build below ``public/download`` in its forms; return the tables, marts first, by name."""
    stated = digest.manifest_of(build).files
    found = []
    for kind, defined in (("mart", marts()), ("table", tables())):
        for table in defined.values():
            stem = f"marts/{table.name}" if kind == "mart" else f"raw/{table.name}"
            entry = stated[f"{stem}.parquet"]
            name = f"raw.{table.name}" if kind == "table" and table.name in marts() else table.name
            parquet = build / f"{stem}.parquet"
            files = {"parquet": {**_file(parquet, f"{stem}.parquet"), "sha256": entry.sha256}}
            rows = pq.read_table(parquet)
            for form, (ending, put) in FORMS.items():
                if is_taken_in(kind, table) or (form == "csv" and rows.num_rows > MOST_ROWS_AS_CSV):
                    continue
                path = public / digest.DOWNLOADS / f"{stem}{ending}"
                path.parent.mkdir(parents=True, exist_ok=True)
                put(rows, path)
                files[form] = {**_file(path, f"{stem}{ending}"), "sha256": digest.sha256(path)}
            found.append(Published(name, kind, stem, table, entry.rows, entry.content_sha256, files))
    return found


def is_taken_in(kind: str, table: Table) -> bool:
    """Return whether a table is a raw one whose columns a mart of the same name has."""
    return kind == "table" and table.name in marts()


def copy(build: Path, public: Path) -> None:
    """Copy the files that a build itself made below ``public/download``: Parquet, the database, and the manifest."""
    download = public / digest.DOWNLOADS
    for folder in digest.FOLDERS:
        (download / folder).mkdir(parents=True, exist_ok=True)
    paths = [path for _, path in digest.parquet_files(build)]
    for path in (*paths, build / digest.DATABASE, build / digest.MANIFEST):
        shutil.copyfile(path, download / path.relative_to(build))


def _file(path: Path, name: str) -> dict[str, Any]:
    return {"path": f"{digest.DOWNLOADS}/{name}", "size_bytes": path.stat().st_size}


def write_csv(rows: pa.Table, path: Path) -> None:
    """Write rows as CSV in gzip: a header, text in quotes, null as nothing, numbers with all digits, times in UTC."""
    with path.open("wb") as opened, gzip.GzipFile("", "wb", 6, opened, mtime=0) as packed:
        pc.write_csv(rows, cast("IO[bytes]", packed), pc.WriteOptions(quoting_style="needed"))


def write_arrow(rows: pa.Table, path: Path) -> None:
    """Write rows as an Arrow file (IPC, with an index of its batches)."""
    packed = pa.table([_numbered(column) for column in rows.columns], names=rows.column_names)
    options = pa.ipc.IpcWriteOptions(compression=pa.Codec("zstd", ARROW_LEVEL))
    with pa.ipc.new_file(str(path), packed.schema, options=options) as opened:
        opened.write_table(packed, max_chunksize=ROWS_AT_A_TIME)


def _numbered(column: pa.ChunkedArray[Any]) -> pa.ChunkedArray[Any] | pa.Array[Any]:
    """Return a column of text that repeats with each text once; any other column as it is."""
    whole = column.combine_chunks()
    if not pa.types.is_string(whole.type):
        return column
    encoded = whole.dictionary_encode()
    return encoded if 2 * len(encoded.dictionary) < len(whole) else column


FORMS = {"csv": (".csv.gz", write_csv), "arrow": (".arrow", write_arrow)}
"""The formats written here: the ending of their files, and what writes one."""
