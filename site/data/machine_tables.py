# ruff: noqa: INP001  (part of a script of the site, not a module of the package)
"""What the site says of its tables: JSON Schemas at their own address, lists for the pages, schema.org."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from ioledger.releases.descriptions import (
    AUTHORS,
    DESCRIPTION,
    KEYWORDS,
    LICENCE,
    NAME,
    TITLE,
    describe_croissant,
    describe_package,
    write_json,
)
from ioledger.tables.schema import SCHEMAS, read_schema, units

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from ioledger.releases.descriptions import Published, Release

DESCRIBED_ON = ("index", "data")
"""The pages in whose head the dataset is described for search engines."""
DOWNLOADS = {
    "download/ioledger.duckdb": ("application/vnd.duckdb", "Every table in one DuckDB file"),
    "datapackage.json": ("application/json", "Data package: every table as CSV, with types and units"),
    "croissant.json": ("application/ld+json", "Croissant: every table as Parquet, with types and hashes"),
}
MEASURED = (("IOPS", "per second"), ("throughput", "bytes per second"), ("latency", "seconds"))


def write(found: Sequence[Published], public: Path, release: Release) -> None:
    """Write the schemas and the three descriptions of the tables below ``public``."""
    schemas(public / "schemas", release)
    write_json(public / "croissant.json", describe_croissant(found, release))
    write_json(public / "datapackage.json", describe_package(found, release))
    write_json(public / "jsonld.json", dict.fromkeys(DESCRIBED_ON, dataset(release)))
    write_json(public / "data" / "tables.json", [described(each) for each in found])
    write_json(public / "data" / "completion.json", {each.name: columns(each) for each in found})


def schemas(folder: Path, release: Release) -> None:
    """Write every JSON Schema with its address as ``$id`` and the UCUM code beside each unit."""
    for path in sorted(SCHEMAS.rglob("*.schema.json")):
        name = path.relative_to(SCHEMAS).as_posix()
        schema = read_schema(path)
        schema["required"] = list(schema.get("properties", {}))
        schema["$id"] = release.at(f"schemas/{name}")
        for column in schema.get("properties", {}).values():
            if unit := column.get("x-unit"):
                column["x-ucum"] = units()[unit]
        write_json(folder / name, schema)
    for name in ("units.json", "licences.json"):
        write_json(folder / name, json.loads((SCHEMAS / name).read_text(encoding="utf-8")))


def described(each: Published) -> dict[str, Any]:
    """Return what the pages say of a table."""
    return {
        "name": each.name,
        "kind": each.kind,
        "published": each.table.published,
        "description": each.table.description,
        "question": each.table.question,
        "rows": each.rows,
    }


def columns(each: Published) -> list[list[str]]:
    """Return the columns of a table as lists: name, type, unit (empty where there is none), and description."""
    return [[column.name, column.arrow, column.unit or "", column.description] for column in each.table.columns]


def dataset(release: Release) -> dict[str, Any]:
    """Return the dataset as schema.org describes one, for the head of a page."""
    return {
        "@context": "https://schema.org",
        "@type": "Dataset",
        "name": TITLE,
        "alternateName": NAME,
        "description": DESCRIPTION,
        "license": LICENCE["path"],
        "isAccessibleForFree": True,
        "keywords": list(KEYWORDS),
        "creator": {"@type": "Organization", "name": AUTHORS},
        "version": release.version,
        "identifier": release.release_id,
        "dateModified": release.day,
        **({"url": release.address} if release.address else {}),
        "variableMeasured": [
            {"@type": "PropertyValue", "name": name, "unitText": unit, "unitCode": units()[unit]}
            for name, unit in MEASURED
        ],
        "distribution": [
            {"@type": "DataDownload", "contentUrl": release.at(path), "encodingFormat": form, "name": name}
            for path, (form, name) in DOWNLOADS.items()
        ],
    }
