# ruff: noqa: INP001  (a script of the site, not a module)
"""What the parameterised pages show, as JSON on standard output: devices, submissions, and the files to publish."""

from __future__ import annotations

import json
import os
import sys
from pathlib import Path
from typing import Any

import duckdb

BUILD = Path(os.environ.get("IOLEDGER_BUILD", "build"))
SHOWN_AS_TEXT = {".json", ".csv", ".txt", ".log", ".fio", ".yaml", ".yml", ".icf"}


def rows(connection: duckdb.DuckDBPyConnection, query: str) -> list[dict[str, Any]]:
    """Return the rows of a query as dictionaries."""
    cursor = connection.execute(query)
    names = [column[0] for column in cursor.description or ()]
    return [dict(zip(names, row, strict=True)) for row in cursor.fetchall()]


def served_as(submission: str, path: str) -> str:
    """Return where the site serves a raw file: what a browser might run as a page gets ``.txt`` behind its name."""
    suffix = "" if Path(path).suffix.lower() in SHOWN_AS_TEXT else ".txt"
    return f"raw/{submission}/{path}{suffix}"


def catalogue(connection: duckdb.DuckDBPyConnection) -> dict[str, Any]:
    """Return everything the page loaders need."""
    submissions = rows(connection, "from submissions order by submission_id")
    sources = rows(connection, "from sources order by submission_id, source_path")
    for source in sources:
        source["served_as"] = served_as(source["submission_id"], source["source_path"])
    manifests = [{"submission_id": each["submission_id"], "source_path": "manifest.yaml"} for each in submissions]
    files = [
        {
            "from": f"data/{each['submission_id']}/{each['source_path']}",
            "to": served_as(each["submission_id"], each["source_path"]),
        }
        for each in sources + manifests
    ]
    return {
        "devices": rows(connection, "from devices order by device_id"),
        "submissions": submissions,
        "sources": sources,
        "files": files,
    }


def main() -> None:
    """Write the catalogue of the built database."""
    database = BUILD / "ioledger.duckdb"
    if not database.exists():
        sys.exit(f"{database} does not exist. Run `npm run build`, which makes it from the files in data/.")
    with duckdb.connect(database, read_only=True) as connection:
        connection.execute("set threads = 1")
        json.dump(catalogue(connection), sys.stdout, default=str)


main()
