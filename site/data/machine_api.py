# ruff: noqa: INP001  (part of a script of the site, not a module of the package)
"""
The answers below ``/api/v2/``: JSON that programs read, made from the built database.

What is there stays there: keys may be added, and one that goes or changes its meaning makes a ``v3``. Names and units
are those of the tables (``schemas/``); what is null in a table is null here. Each number has its JSON,
which names its page: of a result in ``/r/<first two characters of result_id>.json.gz``, with all whose ids begin so,
and so on. The lists here lead to them by id and do not repeat them. What is one row of many is a list of values, whose
names stand once, in ``columns``.
"""

from __future__ import annotations

import math
from operator import itemgetter
from typing import TYPE_CHECKING, Any

from rows import gathered

from ioledger.releases.descriptions import DESCRIPTION, LICENCE, NAME, TITLE, write_json

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from pathlib import Path

    import duckdb

    from ioledger.releases.descriptions import Published, Release

VERSION = "v2"
FOLDER = f"api/{VERSION}"
STABILITY = "Keys are added, never taken away or given another meaning; such a change makes a v3."
PEAKS = """
    select device_id, peak_id, submission_id, configuration_id, section, load_profile, metric, peak_value, queue_depth
    from peaks
    where device_id is not null
    order by device_id, load_profile, metric, submission_id, configuration_id, section, peak_id
"""
FIGURES = """
    select device_id, load_profile, figure, metric, figure_value, figure_value_low as low, figure_value_high as high,
        value_kind, queue_depth, run_count, reservations, exclusions, number_kind, number_id, submission_id,
        configuration_id, setup_count, chosen_because
    from drive_figures
    order by device_id, load_profile, figure, metric, number_id
"""
"""The values that pages show for a drive."""
RESULTS = """
    select submission_id, result_id, configuration_id, load_profile, operation, queue_depth, repetition_index,
        operations_per_second, throughput_bytes_per_second, latency_mean_seconds, value_kind
    from results
    order by submission_id, configuration_id, load_profile, queue_depth, repetition_index, source_path, result_id
"""
FILES = """
    select submission_id, path, member_path, source_sha256, size_bytes, role, tool, tool_version, format, result_count,
        status
    from files where document_index is null
    order by submission_id, path, member_path
"""
CLAIMS = """
    select submission_id, claim_id, statement, locator, claimed_value, claimed_unit, claimed_text, recomputed_value,
        verdict, verdict_reason
    from claims order by submission_id, claim_id
"""


def write(
    connection: duckdb.DuckDBPyConnection, found: Sequence[Published], public: Path, release: Release
) -> dict[str, list[dict[str, Any]]]:
    """Write every answer; return the rows of submissions and devices."""
    folder = public / FOLDER
    head = {"release_id": release.release_id}
    submission = itemgetter("submission_id")
    submissions = rows(connection, "from submissions order by submission_id")
    devices = rows(connection, "from devices order by device_id")
    configurations = rows(connection, "from configurations order by submission_id, configuration_id")
    parts = {
        "configurations": gathered(configurations, submission),
        "files": gathered(rows(connection, FILES), submission),
        "claims": gathered(rows(connection, CLAIMS), submission),
    }
    results = _grouped(rows(connection, RESULTS), "submission_id")
    for each in submissions:
        name = each["submission_id"]
        one = {**head, **_page(each, f"submissions/{name}"), "results": f"{FOLDER}/submissions/{name}/results.json"}
        write_json(
            folder / "submissions" / f"{name}.json", one | {part: of.get(name, []) for part, of in parts.items()}
        )
        its = results.get(name, [])
        packed = {"columns": list(its[0]) if its else [], "results": [list(row.values()) for row in its]}
        write_json(folder / "submissions" / name / "results.json", head | packed)
    benches = _grouped(map(_bench, configurations), "device_id")
    peaks = _grouped(rows(connection, PEAKS), "device_id")
    figures = _grouped(rows(connection, FIGURES), "device_id")
    for each in devices:
        name = each["device_id"]
        measured = {"configurations": benches.get(name, []), "peaks": peaks.get(name, [])}
        measured["figures"] = figures.get(name, [])
        write_json(folder / "devices" / f"{name}.json", {**head, **_page(each, f"devices/{name}")} | measured)
    for kind, listed in (("submissions", submissions), ("devices", devices)):
        key = f"{kind.removesuffix('s')}_id"
        write_json(
            folder / f"{kind}.json",
            {**head, kind: [_page(each, f"{kind}/{each[key]}", listed=True) for each in listed]},
        )
    write_json(folder / "tables.json", {**head, "tables": [_table(each) for each in found]})
    write_json(folder / "index.json", index(found, release, submissions, devices))
    return {"submissions": submissions, "devices": devices}


def rows(connection: duckdb.DuckDBPyConnection, query: str) -> list[dict[str, Any]]:
    """Return the rows of a query as dictionaries, with their nulls; what JSON has no form for is given another."""
    cursor = connection.execute(query)
    names = [column[0] for column in cursor.description or ()]
    return [{name: _in_json(value) for name, value in zip(names, row, strict=True)} for row in cursor.fetchall()]


def _in_json(value: Any) -> Any:  # noqa: ANN401  (whatever a cell holds)
    """Return a value as JSON can hold it: days and times in ISO form, and null for a number without end."""
    if hasattr(value, "isoformat"):
        return value.isoformat()
    return None if isinstance(value, float) and not math.isfinite(value) else value


def _grouped(found: Iterable[dict[str, Any]], key: str) -> dict[str, list[dict[str, Any]]]:
    """Return the rows by the value of one column, in their order, without that column."""
    return {
        value: [{name: each for name, each in row.items() if name != key} for row in its]
        for value, its in gathered(found, itemgetter(key)).items()
    }


def _bench(configuration: dict[str, Any]) -> dict[str, Any]:
    """Return a configuration by its name, and where the answer of its submission says everything of it."""
    told = {name: configuration[name] for name in ("device_id", "submission_id", "configuration_id", "title")}
    return {**told, "json": f"{FOLDER}/submissions/{configuration['submission_id']}.json"}


def _page(row: dict[str, Any], path: str, *, listed: bool = False) -> dict[str, Any]:
    return {**row, "page": path, **({"json": f"{FOLDER}/{path}.json"} if listed else {})}


def _table(each: Published) -> dict[str, Any]:
    """Return a table with its key, columns and files."""
    columns = [
        {"name": column.name, "type": column.arrow, "nullable": column.nullable, "unit": column.unit}
        | {"ucum": column.ucum, "description": column.description}
        for column in each.table.columns
    ]
    return {
        "name": each.name,
        "kind": each.kind,
        "description": each.table.description,
        "question": each.table.question or None,
        "row_count": each.rows,
        "content_sha256": each.content_sha256,
        "primary_key": list(each.table.primary_key),
        "columns": columns,
        "files": each.files,
        "schema": f"schemas/{each.kind}s/{each.table.name}.schema.json",
    }


def index(
    found: Sequence[Published],
    release: Release,
    submissions: list[dict[str, Any]],
    devices: list[dict[str, Any]],
) -> dict[str, Any]:
    """Return the index: name, licence, counts, and the paths of everything else."""
    return {
        "name": NAME,
        "title": TITLE,
        "description": DESCRIPTION,
        "release_id": release.release_id,
        "data_day": release.day,
        "site": release.address,
        "licence": LICENCE["name"],
        "stability": STABILITY,
        "paths": "All paths are relative to the root of the site.",
        "counts": {
            "submissions": len(submissions),
            "devices": len(devices),
            "results": next(each.rows for each in found if each.name == "results"),
            "tables": len(found),
        },
        "lists": {name: f"{FOLDER}/{name}.json" for name in ("submissions", "devices", "tables")},
        "numbers": {
            "result": "r/{first two characters of result_id}.json.gz",
            "point": "p/{first two characters of point_id}.json.gz",
            "peak": "k/{first two characters of peak_id}.json.gz",
            "scaling": "s/{first two characters of scaling_id}.json.gz",
            "claim": "c/{submission_id}/{claim_id}.json",
            "quotients": "q/{pair_id}.json.gz",
        },
        "descriptions": {
            "croissant": "croissant.json",
            "datapackage": "datapackage.json",
            "schemas": "schemas/",
            "feed": "feed.xml",
        },
        "database": "download/ioledger.duckdb",
    }
