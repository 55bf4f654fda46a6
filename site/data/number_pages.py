"""What the pages of numbers say: NDJSON by kind, a line per number, of which ``site/numbers/write.mjs`` makes them."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Any

from glosses import Glosses
from rows import addresses, locate_file

if TYPE_CHECKING:
    import duckdb

QUERIES = Path(__file__).parent / "numbers"
KINDS = ("r", "p", "k", "s", "c", "q")  # results, points, peaks, scaling factors, claims, pairs
SHARED = ("submissions", "configurations", "workloads")
"""What many pages have in common: one object of rows by id each."""
STEPS = ("factors_of_operands", "factors_by_operand", "pairs_of_operands", "repetitions_of_points", "kernel_of_runs")
"""What several of the queries read, each after what it reads itself."""
FILES = "select submission_id, path, size_bytes from files where document_index is null order by all"


def write(connection: duckdb.DuckDBPyConnection, scratch: Path, context: dict[str, Any]) -> None:
    """Write ``<kind>.ndjson``, and ``shared.json``, to which ``context`` adds what the site says of itself."""
    scratch.mkdir(parents=True, exist_ok=True)
    for name in STEPS:
        connection.execute(f"create or replace temp table {name} as {_query(name)}")
    shared = {name: value for name, value in context.items() if value} | {
        name: {row.pop("id"): {key: each for key, each in row.items() if each is not None} for row in rows}
        for name in SHARED
        for rows in [map(json.loads, _lines(connection, name))]
    }
    files = connection.execute(FILES).fetchall()
    shared["served"] = {f"{name}/{path}": locate_file(name, path, size) for name, path, size in files}
    shared["addresses"] = addresses(connection)
    (scratch / "shared.json").write_text(json.dumps(shared), encoding="utf-8")
    for kind in KINDS:
        lines = _lines(connection, kind)
        if kind == "c":
            lines = _gloss_claims(lines)
        (scratch / f"{kind}.ndjson").write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")


def _query(name: str) -> str:
    return (QUERIES / f"{name}.sql").read_text(encoding="utf-8")


def _lines(connection: duckdb.DuckDBPyConnection, name: str) -> list[str]:
    """Return the rows of a query as JSON, in its order."""
    query = f"select cast(to_json(found) as varchar) from ({_query(name)}) as found order by found.id"  # noqa: S608
    return [line for (line,) in connection.execute(query).fetchall()]


def _gloss_claims(lines: list[str]) -> list[str]:
    """Return claims with their statement and the reason of their verdict in Japanese beside them, where known."""
    glosses, found = Glosses(), []
    for row in map(json.loads, lines):
        ja = {f"{name}_ja": glosses.gloss(row[name]) for name in ("statement", "verdict_reason") if row.get(name)}
        found.append(json.dumps(row | ja, ensure_ascii=False))
    return found
