# ruff: noqa: INP001  (a script of the site, not a module of the package)
"""The site's part for programs: a JSON interface, a feed, descriptions of the tables, and the tables themselves."""

from __future__ import annotations

from operator import itemgetter
from typing import TYPE_CHECKING, Any

import machine_api
import machine_feed
import machine_tables
from rows import gathered

from ioledger.releases import DATABASE, DOWNLOADS, descriptions, read_manifest

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from pathlib import Path

    import duckdb
    from write import Context

    from ioledger.build.pages import Page

CARD = """
    select devices.media_class, max(points.operations_per_second) as operations_per_second
    from points
    inner join workloads using (workload_id)
    inner join devices using (device_id)
    where points.load_basis = 'outstanding' and points.queue_depth = 1 and points.storage_topology = 'single'
        and workloads.access_pattern = 'random' and workloads.read_ratio = 1 and workloads.block_size_bytes = 4096
        and len(points.exclusions) = 0 and points.value_kind in ('measured', 'approximate')
        and points.operations_per_second is not null
    group by points.device_id, devices.media_class
    order by all
"""
"""What each drive gives at one outstanding I/O: the picture of the site where a link to it is shared."""


def write(connection: duckdb.DuckDBPyConnection, public: Path, context: Context) -> None:
    """Write everything below ``public``, the folder of what stands beside the pages."""
    submissions = machine_api.rows(connection, "from submissions order by submission_id")
    release = descriptions.describe_build(context.build, context.address)
    found = descriptions.write_formats(context.build, public)
    machine_tables.write(found, public, release)
    listed = machine_api.write(connection, found, public, release)
    machine_feed.write(submissions, paths(context.pages, listed), public, release)
    descriptions.write_json(public / "data" / "card.json", card(connection))
    descriptions.write_json(public / "data" / "release.json", stated(release, context.build))
    files = [
        {name: getattr(each, name) for name in ("name", "kind", "rows", "content_sha256", "files")} for each in found
    ]
    descriptions.write_json(public / "data" / "files.json", files)


def card(connection: duckdb.DuckDBPyConnection) -> dict[str, Any]:
    """Return what the picture for shared links shows: counts, and the rates of drives by medium."""
    ((results, devices),) = connection.execute(
        "select (select count(*) from results), (select count(*) from devices)"
    ).fetchall()
    rates = gathered(machine_api.rows(connection, CARD), itemgetter("media_class"))
    return {
        "results": results,
        "devices": devices,
        "media": {name: [row["operations_per_second"] for row in found] for name, found in rates.items()},
    }


def stated(release: descriptions.Release, build: Path) -> dict[str, Any]:
    """Return what the pages say of the release: its id and day, what wrote it, and its database."""
    database = build / DATABASE
    path = f"{DOWNLOADS}/{database.name}"
    return {
        "release_id": release.release_id,
        "day": release.day,
        "address": release.address,
        "written_with": read_manifest(build).written_with,
        "database": {"path": path, "size_bytes": database.stat().st_size},
    }


def paths(pages: Sequence[Page], listed: dict[str, list[dict[str, Any]]]) -> Iterator[tuple[str, str]]:
    """Give the path of every page that is browsed, with the day of its data where it has one of its own."""
    for page in pages:
        folder = page.path.strip("/").rpartition("/")[0]
        if page.is_made:
            key = f"{folder.removesuffix('s')}_id"
            for row in listed[folder]:
                day = row.get("status_changed_on") or row.get("submitted_on") or ""
                yield f"{folder}/{row[key]}", day
        elif page.path != "/404":
            yield page.path.strip("/").removesuffix("index"), ""
