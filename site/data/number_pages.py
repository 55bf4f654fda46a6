# ruff: noqa: INP001  (a script of the site, not a module)
"""
Everything that the pages of single numbers say, in one pass over the built database.

:func:`write` leaves NDJSON in a folder, one file per kind of page and one line per page, ordered by id, and beside them
what many pages share. ``node site/numbers/write.mjs FOLDER OUT`` makes the pages of it.

(A module named ``numbers`` would hide the one of Python's own, which the modules for fractions and decimals import.)
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Any

from glosses import Glosses
from rows import addresses, records
from served import served_as

if TYPE_CHECKING:
    import duckdb

QUERIES = Path(__file__).parent / "numbers"
KINDS = ("r", "p", "k", "s", "c", "q")
"""Results, points, peaks, scaling factors, claims, and pairs of configurations with their comparisons."""
SHARED = ("submissions", "configurations", "workloads")
"""What many pages have in common: one object of rows by id each."""
STEPS = (
    *("factors_of_operands", "factors_by_operand", "pairs_of_operands"),
    *("repetitions_of_points", "kernel_of_runs"),
)
"""What several of the queries read, each after what it reads itself."""


def write(connection: duckdb.DuckDBPyConnection, scratch: Path, context: dict[str, Any]) -> dict[str, int]:
    """
    Write ``<kind>.ndjson`` and ``shared.json`` into a folder that is made; return how many pages each kind will have.

    ``connection`` reads the built database. ``context`` holds ``data``, the folder of submissions, whose files the
    pages quote, and ``release``, the release_id of the build; ``address`` is the site's own, where it is known, and
    ``style`` what the address of the style sheet ends with.
    """
    scratch.mkdir(parents=True, exist_ok=True)
    for name in STEPS:
        connection.execute(f"create or replace temp table {name} as {_query(name)}")
    shared = {name: _by_id(connection, name) for name in SHARED} | {"served": _served(connection)}
    shared |= {"addresses": addresses(connection)}
    settings = {name: str(context[name]) for name in ("data", "release", "address", "style") if context.get(name)}
    settings |= {"navigation": context.get("navigation", [])}
    (scratch / "shared.json").write_text(json.dumps(settings | shared), encoding="utf-8")
    return {kind: _lines(connection, kind, scratch / f"{kind}.ndjson") for kind in KINDS}


def _served(connection: duckdb.DuckDBPyConnection) -> dict[str, str]:
    """Return where each file that was handed in is served, by submission and path."""
    query = "select submission_id, path, size_bytes from files where document_index is null order by all"
    return {
        f"{file['submission_id']}/{file['path']}": served_as(file["submission_id"], file["path"], file["size_bytes"])
        for file in records(connection, query)
    }


def _query(name: str) -> str:
    return (QUERIES / f"{name}.sql").read_text(encoding="utf-8")


def _json(connection: duckdb.DuckDBPyConnection, name: str) -> list[str]:
    """Return the rows of a query as JSON, in its order."""
    query = f"select cast(to_json(found) as varchar) from ({_query(name)}) as found order by found.id"  # noqa: S608
    return [line for (line,) in connection.execute(query).fetchall()]


def _by_id(connection: duckdb.DuckDBPyConnection, name: str) -> dict[str, Any]:
    rows = map(json.loads, _json(connection, name))
    return {row.pop("id"): {key: value for key, value in row.items() if value is not None} for row in rows}


def _lines(connection: duckdb.DuckDBPyConnection, name: str, path: Path) -> int:
    lines = _json(connection, name)
    if name == "c":
        glosses = Glosses()
        lines = [json.dumps(_glossed(json.loads(line), glosses), ensure_ascii=False) for line in lines]
    path.write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")
    return len(lines)


def _glossed(row: dict[str, Any], glosses: Glosses) -> dict[str, Any]:
    """Return a claim with its statement and the reason of its verdict in Japanese beside them, where they are known."""
    return row | {f"{name}_ja": glosses.said(row[name]) for name in ("statement", "verdict_reason") if row.get(name)}
