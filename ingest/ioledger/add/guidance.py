"""What a submission can be compared with as it is, and which unknown fields would improve its comparisons most."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ioledger.comparison.effects import roles
from ioledger.submission import load_manifest, parse_value, rows, with_defaults
from ioledger.submission.shape import SECTIONS
from ioledger.workspace import UnusableError, open_database

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

DRIVES, FIELDS = 3, 3
"""Published drives and fields that are named."""
SHARED = """
with own as (
    select distinct operation, access_pattern, read_ratio, block_size_bytes, queue_depth from own_results
    where queue_depth is not null and block_size_bytes is not null and not is_partial
),
published as (
    select distinct results.operation, results.access_pattern, results.read_ratio, results.block_size_bytes,
        results.queue_depth, devices.device
    from results
    inner join drives using (submission_id, configuration_id)
    inner join devices on devices.device_id = drives.device_id
    where results.submission_id <> $own
)
select device, count(*) as load_count, (select count(*) from own) as own_count
from own inner join published
    on own.operation = published.operation and own.access_pattern = published.access_pattern
    and own.read_ratio is not distinct from published.read_ratio
    and own.block_size_bytes = published.block_size_bytes and own.queue_depth = published.queue_depth
group by device order by load_count desc, device
"""
STATED = "select count({column}) from (select distinct submission_id, configuration_id, {column} from {table})"


def describe(folder: Path, database: Path) -> Iterator[str]:
    """Give lines on what a sound submission can be compared with, and how to improve it."""
    from ioledger import loading  # noqa: PLC0415  (heavy; most calls of these commands do without)

    loaded, _ = load_manifest(folder, folder.name)
    if loaded is None or loaded.manifest["source_type"] != "raw_tool_output":
        return
    stated: dict[str, int] = {}
    try:
        with open_database(database, "") as connection:
            connection.register("own_results", loading.read(folder).results)
            for table, name in (role.split(".") for role in roles()):
                if table in {"configurations", "drives"}:
                    (stated[name],) = connection.execute(STATED.format(table=table, column=name)).fetchall()[0]
            found = connection.execute(SHARED, {"own": folder.name}).fetchall()
        named = ", ".join(f"{device} ({loads} of {own} workloads)" for device, loads, own in found[:DRIVES])
        named += f", and {len(found) - DRIVES} more drives" if len(found) > DRIVES else ""
        shared = f"It has workloads in common with {named}; different conditions can exclude some of them."
        yield shared if found else "No published drive was measured with one of its workloads."
    except UnusableError:
        stated = {}
        yield "To see its comparisons, run: ioledger build --no-site"
    if open_fields := unknown_fields(with_defaults(loaded.manifest), stated):
        states = " ".join(f"--state {field}=…" for field in open_fields[:FIELDS])
        yield f"These values would improve its comparisons most. Add again with: {states}"


def unknown_fields(manifest: dict[str, Any], stated: dict[str, int]) -> list[str]:
    """
    Return the fields without a value that decide comparisons: key conditions first, then those that most others state.

    ``stated`` counts the published configurations that state a field.
    """
    parts = [*manifest["systems"].values(), *manifest["devices"].values()]
    parts += [each[section] for each in manifest["configurations"].values() for section in SECTIONS]
    wanted = {field for fields in rows.list_required().values() for field in fields}
    found: dict[str, tuple[bool, int]] = {}
    for name, role in roles().items():
        field = name.split(".")[1]
        having = [part[field] for part in parts if field in part]
        is_open = any(parse_value(value).how == "unknown" for value in having)
        if role.role in {"key", "reservation"} and is_open and (field in wanted or having):
            found[field] = (role.role != "key", -stated.get(field, 0))
    return sorted(found, key=lambda field: (*found[field], field))
