"""
The tables for other programs: files in several formats, and their descriptions from ``schemas/``.

Every table of a build becomes an Arrow file and, up to 100,000 rows, CSV in gzip, with the values of its Parquet file;
a raw table does not where a mart of the same name has its columns. In CSV an empty text is written in quotes, null as
nothing. Two builds give the same bytes. Croissant 1.0 is for data loaders and search engines, a Frictionless data
package for tools that read CSV.
"""

from __future__ import annotations

import gzip
import json
import os
import shutil
from typing import IO, TYPE_CHECKING, Any, NamedTuple, cast

import pyarrow as pa
import pyarrow.csv as pc

from ioledger import __version__
from ioledger.releases import DATABASE, DOWNLOADS, FOLDERS, MANIFEST, list_parquet_files, read_manifest, sha256
from ioledger.tables.schema import SCHEMAS, marts, tables
from ioledger.tables.store import read_parquet

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from ioledger.tables.schema import Column, Table

NAME = "ioledger"
TITLE = "ioledger: storage benchmark results you can trace to the file they came from"
DESCRIPTION = (
    "Results of storage benchmarks (fio, Iometer, ORION, DiskSpd, and figures printed in publications) in one normal "
    "form, in SI units, each with its conditions and the place in the raw file it came from. Values that nobody "
    "measured are null, never 0."
)
LICENCE = {
    "name": "CC-BY-4.0",
    "title": "Creative Commons Attribution 4.0",
    "path": "https://creativecommons.org/licenses/by/4.0/",
}
KEYWORDS = ("storage", "benchmark", "SSD", "HDD", "NVMe", "Optane", "fio", "Iometer", "IOPS", "latency", "provenance")
AUTHORS = "The ioledger contributors"
CROISSANT = "http://mlcommons.org/croissant/1.0"
TYPES = {
    "string": ("sc:Text", "string"), "float64": ("sc:Float", "number"), "int64": ("sc:Integer", "integer"),
    "bool": ("sc:Boolean", "boolean"), "date32": ("sc:Date", "date"), "timestamp[us]": ("sc:DateTime", "datetime"),
    "list<string>": ("sc:Text", "array"), "list<int64>": ("sc:Integer", "array"),
}  # fmt: skip
"""What Croissant and data packages call the types of columns."""
TIME_FORMAT = "%Y-%m-%d %H:%M:%S.%f"
"""How a time stands in the CSV files; it is in UTC."""
CONTEXT = SCHEMAS / "croissant_context.json"
"""The ``@context`` that Croissant 1.0 prescribes, word for word."""
PARQUET = "application/x-parquet"
"""The name by which Croissant's own loader knows the format."""


def write_json(path: Path, content: object) -> None:
    """Write JSON: UTF-8, keys in the order given, a line end at the end."""
    path.parent.mkdir(parents=True, exist_ok=True)
    text = json.dumps(content, ensure_ascii=False, separators=(",", ":"), allow_nan=False)
    path.write_text(f"{text}\n", encoding="utf-8")


class Release(NamedTuple):
    """What a description says of the dataset as a whole: its release, its latest day, and the address of the site."""

    release_id: str
    day: str
    """Day of the latest submission or change of one: the day of the data, whenever they are built."""
    address: str | None

    @property
    def version(self) -> str:
        """The version of the dataset in the form that semantic versioning asks for."""
        return f"{__version__}+{self.release_id[:12]}"

    def at(self, path: str) -> str:
        """Return the address of a file of the site; without the site's own address, its path from the root."""
        return f"{self.address}{path}" if self.address else path


def read_address(checkout: Path) -> str | None:
    """Return where the site of a checkout will stand, as builder or project says, without a slash at its end."""
    known = json.loads((checkout / "package.json").read_text(encoding="utf-8"))
    stated: str | None = os.environ.get("IOLEDGER_SITE_URL") or known.get("homepage")
    return stated.rstrip("/") if stated else None


def describe_build(build: Path, address: str | None) -> Release:
    """Return what is said of the tables of a build as a whole; ``address`` ends with a slash."""
    rows = read_parquet(build / "raw" / "submissions.parquet", ["submitted_on", "status_changed_on"])
    days = (str(day) for row in rows.to_pylist() for day in row.values() if day)
    return Release(read_manifest(build).release_id, max(days, default="2026-01-01"), address)


def describe_croissant(found: Sequence[Published], release: Release) -> dict[str, Any]:
    """Return the Croissant description: a file with its SHA-256 per Parquet file, and a record set per table."""
    files, records = [], []
    for each in found:
        file, name = each.files["parquet"], f"{each.stem}.parquet"
        described = {"name": name, "description": each.table.description, "contentUrl": release.at(file["path"])}
        stored = {"contentSize": f"{file['size_bytes']} B", "encodingFormat": PARQUET, "sha256": file["sha256"]}
        files.append({"@type": "cr:FileObject", "@id": name, **described, **stored})
        keys = [{"@id": f"{each.name}/{column}"} for column in each.table.primary_key]
        head = {"@id": each.name, "name": each.name, "description": each.table.description}
        fields = [_describe_field(each, column) for column in each.table.columns]
        key = keys if len(keys) > 1 else keys[0]
        records.append({"@type": "cr:RecordSet", **head, "key": key, "field": fields})
    return {
        "@context": json.loads(CONTEXT.read_text(encoding="utf-8")),
        "@type": "sc:Dataset",
        "name": NAME,
        "alternateName": TITLE,
        "description": DESCRIPTION,
        "conformsTo": CROISSANT,
        "license": LICENCE["path"],
        "keywords": list(KEYWORDS),
        "creator": {"@type": "sc:Organization", "name": AUTHORS},
        "publisher": {"@type": "sc:Organization", "name": AUTHORS},
        "version": release.version,
        "citeAs": f"{AUTHORS}. ioledger. Release {release.release_id}.",
        "isLiveDataset": True,
        "datePublished": release.day,
        **({"url": release.address} if release.address else {}),
        "distribution": files,
        "recordSet": records,
    }


def _describe_field(each: Published, column: Column) -> dict[str, Any]:
    unit = f" Unit: {column.unit} (UCUM: {column.ucum})." if column.unit else ""
    return {
        "@type": "cr:Field",
        "@id": f"{each.name}/{column.name}",
        "name": column.name,
        "description": f"{column.description}{unit}",
        "dataType": TYPES[column.arrow][0],
        **({"repeated": True} if column.arrow.startswith("list") else {}),
        "source": {"fileObject": {"@id": f"{each.stem}.parquet"}, "extract": {"column": column.name}},
    }


def describe_package(found: Sequence[Published], release: Release) -> dict[str, Any]:
    """Return the data package: one resource per table, its CSV or, of a long one, its Parquet file, and its columns."""
    return {
        "$schema": "https://datapackage.org/profiles/2.0/datapackage.json",
        "name": NAME,
        "id": release.release_id,
        "title": TITLE,
        "description": DESCRIPTION,
        "created": f"{release.day}T00:00:00Z",
        **({"homepage": release.address} if release.address else {}),
        "version": release.version,
        "licenses": [LICENCE],
        "keywords": list(KEYWORDS),
        "contributors": [{"title": AUTHORS, "roles": ["creator"]}],
        "resources": [_describe_resource(each) for each in found],
    }


PACKAGED = {
    "csv": {"format": "csv", "mediatype": "text/csv", "encoding": "utf-8", "compression": "gz"},
    "parquet": {"format": "parquet", "mediatype": "application/vnd.apache.parquet"},
}
"""How a data package names the forms of a table."""


def _describe_resource(each: Published) -> dict[str, Any]:
    form = "csv" if "csv" in each.files else "parquet"
    file, key = each.files[form], each.table.primary_key
    is_nullable = any(column.nullable for column in each.table.columns if column.name in key)  # no such keys there
    return {
        "$schema": "https://datapackage.org/profiles/2.0/dataresource.json",
        "name": each.name.replace("_", "-"),
        "type": "table",
        "path": file["path"],
        "title": each.name,
        "description": each.table.description,
        **PACKAGED[form],
        "bytes": file["size_bytes"],
        "hash": f"sha256:{file['sha256']}",
        "schema": {
            "$schema": "https://datapackage.org/profiles/2.0/tableschema.json",
            "fields": [_describe_package_field(column) for column in each.table.columns],
            **({} if is_nullable else {"primaryKey": list(key)}),
            "missingValues": [""],
        },
    }


def _describe_package_field(column: Column) -> dict[str, Any]:
    # a data package cannot tell an empty text from none, so no text is required
    is_required = not column.nullable and column.arrow != "string"
    return {
        "name": column.name,
        "type": TYPES[column.arrow][1],
        **({"format": TIME_FORMAT} if column.arrow == "timestamp[us]" else {}),
        "description": column.description,
        **({"unit": column.unit, "ucum": column.ucum} if column.unit else {}),
        **({"constraints": {"required": True}} if is_required else {}),
    }


ROWS_AT_A_TIME = 1 << 20
MOST_ROWS_AS_CSV = 100_000
"""A longer table has no CSV: as text it is three times as large as in any other form, and no spreadsheet takes it."""
ARROW_LEVEL = 9
"""Of zstd: an eighth less than at level 1, at which Arrow begins, for a third more time; level 12 takes four times."""


class Published(NamedTuple):
    """One table of a build: a name that no other has, how the schemas define it, and its files by format."""

    name: str
    kind: str
    stem: str
    table: Table
    rows: int
    content_sha256: str
    files: dict[str, dict[str, Any]]


def write_formats(build: Path, public: Path) -> list[Published]:
    """Write every table of a build below ``public/download`` in its forms; return the tables, marts first, by name."""
    stated = read_manifest(build).files
    found = []
    for kind, folder, table in [
        *(("mart", "marts", mart) for mart in marts().values()),
        *(("table", "raw", table) for table in tables().values()),
    ]:
        stem, is_taken_in = f"{folder}/{table.name}", kind == "table" and table.name in marts()
        entry, rows = stated[f"{stem}.parquet"], read_parquet(build / f"{stem}.parquet")
        files = {"parquet": _describe_file(f"{stem}.parquet", build / f"{stem}.parquet", entry.sha256)}
        for form, (ending, put) in FORMS.items():
            if not is_taken_in and (form != "csv" or rows.num_rows <= MOST_ROWS_AS_CSV):
                path = public / DOWNLOADS / f"{stem}{ending}"
                path.parent.mkdir(parents=True, exist_ok=True)
                put(rows, path)
                files[form] = _describe_file(f"{stem}{ending}", path, sha256(path))
        name = f"raw.{table.name}" if is_taken_in else table.name
        found.append(Published(name, kind, stem, table, entry.rows, entry.content_sha256, files))
    return found


def _describe_file(name: str, path: Path, sha256: str) -> dict[str, Any]:
    return {"path": f"{DOWNLOADS}/{name}", "size_bytes": path.stat().st_size, "sha256": sha256}


def copy_files(build: Path, public: Path) -> None:
    """Copy the files that a build itself made below ``public/download``: Parquet, the database, and the manifest."""
    download = public / DOWNLOADS
    for folder in FOLDERS:
        (download / folder).mkdir(parents=True, exist_ok=True)
    paths = [path for _, path in list_parquet_files(build)]
    for path in (*paths, build / DATABASE, build / MANIFEST):
        shutil.copyfile(path, download / path.relative_to(build))


def write_csv(rows: pa.Table, path: Path) -> None:
    """Write rows as CSV in gzip: a header, text in quotes, null as nothing, numbers with all digits, times in UTC."""
    for index, field in enumerate(rows.schema):
        if pa.types.is_list(field.type):
            lists = [None if each is None else json.dumps(each, ensure_ascii=False) for each in rows[index].to_pylist()]
            rows = rows.set_column(index, field.name, pa.array(lists, pa.string()))
    with path.open("wb") as opened, gzip.GzipFile("", "wb", 6, opened, mtime=0) as packed:
        pc.write_csv(rows, cast("IO[bytes]", packed), pc.WriteOptions(quoting_style="needed"))


def write_arrow(rows: pa.Table, path: Path) -> None:
    """Write rows as an Arrow file (IPC, with an index of its batches)."""
    packed = pa.table([_encode_text(column) for column in rows.columns], names=rows.column_names)
    options = pa.ipc.IpcWriteOptions(compression=pa.Codec("zstd", ARROW_LEVEL))
    with pa.ipc.new_file(str(path), packed.schema, options=options) as opened:
        opened.write_table(packed, max_chunksize=ROWS_AT_A_TIME)


def _encode_text(column: pa.ChunkedArray[Any]) -> pa.ChunkedArray[Any] | pa.Array[Any]:
    """Return a column of text that repeats with each text once; any other column as it is."""
    whole = column.combine_chunks()
    if not pa.types.is_string(whole.type):
        return column
    encoded = whole.dictionary_encode()
    return encoded if 2 * len(encoded.dictionary) < len(whole) else column


FORMS = {"csv": (".csv.gz", write_csv), "arrow": (".arrow", write_arrow)}
"""The formats written here: the ending of their files, and what writes one."""
