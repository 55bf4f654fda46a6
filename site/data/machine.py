"""
The site's part for programs: the JSON interface, the feed, the map for search engines, and descriptions of the tables.

What is below ``/api/v2/`` stays there: keys may be added, and one that goes or changes its meaning makes a ``v3``.
Ids of the feed are ``tag:`` addresses (RFC 4151), so they stay when the site moves within its host.
"""

from __future__ import annotations

import json
import math
import re
from operator import itemgetter
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit
from xml.sax.saxutils import escape

from rows import group_rows

from ioledger import releases
from ioledger.releases import descriptions
from ioledger.releases.descriptions import AUTHORS, DESCRIPTION, KEYWORDS, LICENCE, NAME, TITLE, write_json
from ioledger.tables.schema import SCHEMAS, read_schema, units

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence
    from pathlib import Path

    import duckdb
    from write import Context

    from ioledger.build.pages import Page
    from ioledger.releases.descriptions import Published, Release

Rows = list[dict[str, Any]]
FOLDER = "api/v2"
CARD = """
    select media_class, figure_value
    from drive_figures
    inner join devices using (device_id)
    where figure = 'queue depth 1' and metric = 'operations_per_second' and load_profile = '4 KiB random read'
        and len(exclusions) = 0
    order by all
"""
"""What each drive gives at one outstanding I/O: the picture of the site where a link to it is shared."""
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
DOWNLOADS = {
    "download/ioledger.duckdb": ("application/vnd.duckdb", "Every table in one DuckDB file"),
    "datapackage.json": ("application/json", "Data package: every table as CSV, with types and units"),
    "croissant.json": ("application/ld+json", "Croissant: every table as Parquet, with types and hashes"),
}
MEASURED = (("IOPS", "per second"), ("throughput", "bytes per second"), ("latency", "seconds"))
LANGUAGES = {"en": "", "ja": "ja/"}
"""Languages of the pages, and the folder of each."""
NO_XML = re.compile("[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
"""Characters that no XML document may hold, however they are written."""


def write(connection: duckdb.DuckDBPyConnection, public: Path, context: Context) -> None:
    """Write everything below ``public``, the folder of what stands beside the pages."""
    release = descriptions.describe_build(context.build, context.address and f"{context.address}/")
    found = descriptions.write_formats(context.build, public)
    _write_schemas(public / "schemas", release)
    listed = _write_answers(connection, found, public, release)
    for path, content in {
        "croissant.json": descriptions.describe_croissant(found, release),
        "datapackage.json": descriptions.describe_package(found, release),
        "jsonld.json": dict.fromkeys(("index", "data"), describe_dataset(release)),  # pages with it in their heads
        "data/tables.json": [
            {"name": each.name, "kind": each.kind, "published": each.table.published}
            | {"description": each.table.description, "question": each.table.question, "rows": each.rows}
            for each in found
        ],
        "data/completion.json": {
            each.name: [[one.name, one.arrow, one.unit or "", one.description] for one in each.table.columns]
            for each in found
        },
        "data/card.json": _describe_card(connection),
        "data/release.json": _describe_release(release, context.build),
        "data/files.json": [
            {name: getattr(each, name) for name in ("name", "kind", "rows", "content_sha256", "files")}
            for each in found
        ],
    }.items():
        write_json(public / path, content)
    (public / "feed.xml").write_text(feed(list_entries(listed["submissions"]), release), encoding="utf-8")
    if release.address:  # a map knows whole addresses only; site/numbers/write.mjs adds those of numbers
        text = sitemap(list_paths(context.pages, listed), release.address)
        (public / "sitemap.xml").write_text(text, encoding="utf-8")
        words = f"User-agent: *\nDisallow:\n\nSitemap: {release.address}sitemap.xml\n"
        (public / "robots.txt").write_text(words, encoding="utf-8")


def _write_schemas(folder: Path, release: Release) -> None:
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


def _write_answers(
    connection: duckdb.DuckDBPyConnection, found: Sequence[Published], public: Path, release: Release
) -> dict[str, Rows]:
    """Write every answer; return the rows of submissions and devices."""

    def put(path: str, answer: dict[str, Any]) -> None:
        write_json(public / FOLDER / f"{path}.json", {"release_id": release.release_id, **answer})

    listed = {kind: rows(connection, f"from {kind}s order by {kind}_id") for kind in ("submission", "device")}
    configurations = rows(connection, "from configurations order by submission_id, configuration_id")
    parts = {"configurations": configurations, "files": rows(connection, FILES), "claims": rows(connection, CLAIMS)}
    of_submission = {part: group_rows(its, itemgetter("submission_id")) for part, its in parts.items()}
    results = _group(rows(connection, RESULTS), "submission_id")
    for each in listed["submission"]:
        path = f"submissions/{each['submission_id']}"
        found_of = {part: of.get(each["submission_id"], []) for part, of in of_submission.items()}
        put(path, {**each, "page": path, "results": f"{FOLDER}/{path}/results.json", **found_of})
        own = results.get(each["submission_id"], [])
        columns = list(own[0]) if own else []
        put(f"{path}/results", {"columns": columns, "results": [list(row.values()) for row in own]})
    keys = ("device_id", "submission_id", "configuration_id", "title")
    benches = [
        {key: each[key] for key in keys} | {"json": f"{FOLDER}/submissions/{each['submission_id']}.json"}
        for each in configurations
    ]
    parts = {"configurations": benches, "peaks": rows(connection, PEAKS), "figures": rows(connection, FIGURES)}
    of_device = {part: _group(its, "device_id") for part, its in parts.items()}
    for each in listed["device"]:
        path = f"devices/{each['device_id']}"
        put(path, {**each, "page": path, **{part: of.get(each["device_id"], []) for part, of in of_device.items()}})
    for kind, listing in listed.items():
        paths = [f"{kind}s/{each[f'{kind}_id']}" for each in listing]
        places = [{"page": path, "json": f"{FOLDER}/{path}.json"} for path in paths]
        put(f"{kind}s", {f"{kind}s": [row | place for row, place in zip(listing, places, strict=True)]})
    put("tables", {"tables": [_describe_table(each) for each in found]})
    counts = {f"{kind}s": len(listing) for kind, listing in listed.items()}
    counts |= {"results": next(each.rows for each in found if each.name == "results"), "tables": len(found)}
    write_json(public / FOLDER / "index.json", _describe_index(release, counts))
    return {f"{kind}s": listing for kind, listing in listed.items()}


def rows(connection: duckdb.DuckDBPyConnection, query: str) -> Rows:
    """Return the rows of a query as dictionaries with their nulls, as JSON can hold them."""
    cursor = connection.execute(query)
    names = [column[0] for column in cursor.description or ()]
    return [{name: _in_json(value) for name, value in zip(names, row, strict=True)} for row in cursor.fetchall()]


def _in_json(value: Any) -> Any:  # noqa: ANN401  (whatever a cell holds)
    if hasattr(value, "isoformat"):
        return value.isoformat()
    return None if isinstance(value, float) and not math.isfinite(value) else value


def _group(found: Iterable[dict[str, Any]], key: str) -> dict[str, Rows]:
    """Return the rows by the value of one column, in their order, without that column."""
    return {
        value: [{name: each for name, each in row.items() if name != key} for row in its]
        for value, its in group_rows(found, itemgetter(key)).items()
    }


def _describe_table(each: Published) -> dict[str, Any]:
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


def _describe_index(release: Release, counts: dict[str, int]) -> dict[str, Any]:
    """Return the index: name, licence, counts, and the paths of everything else."""
    letters = {"result": "r", "point": "p", "peak": "k", "scaling": "s"}
    return {
        "name": NAME,
        "title": TITLE,
        "description": DESCRIPTION,
        "release_id": release.release_id,
        "data_day": release.day,
        "site": release.address,
        "licence": LICENCE["name"],
        "stability": "Keys are added, never taken away or given another meaning; such a change makes a v3.",
        "paths": "All paths are relative to the root of the site.",
        "counts": counts,
        "lists": {name: f"{FOLDER}/{name}.json" for name in ("submissions", "devices", "tables")},
        "numbers": {name: f"{kind}/{{first two characters of {name}_id}}.json.gz" for name, kind in letters.items()}
        | {"claim": "c/{submission_id}/{claim_id}.json", "quotients": "q/{pair_id}.json.gz"},
        "descriptions": {
            "croissant": "croissant.json",
            "datapackage": "datapackage.json",
            "schemas": "schemas/",
            "feed": "feed.xml",
        },
        "database": "download/ioledger.duckdb",
    }


def describe_dataset(release: Release) -> dict[str, Any]:
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


def _describe_card(connection: duckdb.DuckDBPyConnection) -> dict[str, Any]:
    """Return what the picture for shared links shows: counts, and the rates of drives by medium."""
    (counts,) = rows(
        connection, "select (select count(*) from results) as results, (select count(*) from devices) as devices"
    )
    rates = group_rows(rows(connection, CARD), itemgetter("media_class"))
    return counts | {"media": {name: [row["figure_value"] for row in its] for name, its in rates.items()}}


def _describe_release(release: Release, build: Path) -> dict[str, Any]:
    """Return what the pages say of the release: its id and day, what wrote it, and its database."""
    database = build / releases.DATABASE
    path = f"{releases.DOWNLOADS}/{database.name}"
    return {
        "release_id": release.release_id,
        "day": release.day,
        "address": release.address,
        "written_with": releases.read_manifest(build).written_with,
        "database": {"path": path, "size_bytes": database.stat().st_size},
    }


def list_paths(pages: Sequence[Page], listed: dict[str, Rows]) -> Iterator[tuple[str, str]]:
    """Give the path of every page that is browsed, with the day of its data where it has one of its own."""
    for page in pages:
        folder = page.path.strip("/").rpartition("/")[0]
        if page.is_made:
            for row in listed[folder]:
                day = row.get("status_changed_on") or row.get("submitted_on") or ""
                yield f"{folder}/{row[f'{folder[:-1]}_id']}", day
        elif page.path != "/404":
            yield page.path.strip("/").removesuffix("index"), ""


def list_entries(submissions: Rows) -> Rows:
    """Return what happened to the submissions, the latest first: page, event, day, title, words and author."""
    found = []
    for each in submissions:
        page, title = f"submissions/{each['submission_id']}", each["title"]
        words, author = each["summary"] or title, each["submitted_by"]
        found.append((each["submitted_on"], page, "submitted", title, words, author))
        if each["status_changed_on"]:
            state = each["status"].replace("_", " ")
            reason = each["status_reason"] or f"It is {state} now."
            found.append((each["status_changed_on"], page, state, f"{title}: {state}", reason, AUTHORS))
    keys = ("day", "page", "event", "title", "words", "author")
    return [dict(zip(keys, entry, strict=True)) for entry in sorted(found, reverse=True)]


def feed(entries: Rows, release: Release) -> str:
    """Return the Atom feed; links are relative where the site has no address."""
    place = urlsplit(release.address or "")
    host = place.hostname or "ioledger.invalid"  # a name that RFC 2606 keeps free
    tag = f"tag:{host},2026:{place.path.strip('/') or 'ioledger'}"  # the year in which the ids were first given
    described = "".join(
        f"""  <entry>
    <id>{tag}/{each["page"]}/{each["event"].replace(" ", "-")}</id>
    <title>{_xml(each["title"])}</title>
    <published>{each["day"]}T00:00:00Z</published>
    <updated>{each["day"]}T00:00:00Z</updated>
    <link rel="alternate" type="text/html" href="{_xml(release.at(each["page"]))}" />
    <link rel="alternate" type="application/json" href="{_xml(release.at(f"{FOLDER}/{each['page']}.json"))}" />
    <author>
      <name>{_xml(each["author"])}</name>
    </author>
    <summary>{_xml(each["words"])}</summary>
  </entry>
"""
        for each in entries
    )
    return f"""<?xml version='1.0' encoding='utf-8'?>
<feed xmlns="http://www.w3.org/2005/Atom" xml:lang="en">
  <id>{tag}/feed</id>
  <title>{_xml(TITLE)}</title>
  <subtitle>New submissions, and submissions that became disputed, superseded or withdrawn</subtitle>
  <updated>{release.day}T00:00:00Z</updated>
  <link rel="self" type="application/atom+xml" href="{_xml(release.at("feed.xml"))}" />
  <link rel="alternate" type="text/html" href="{_xml(release.at(""))}" />
  <author>
    <name>{AUTHORS}</name>
  </author>
  <rights>CC-BY-4.0, unless a submission names another licence</rights>
{described}</feed>
"""


def sitemap(paths: Iterable[tuple[str, str]], address: str) -> str:
    """Return the map: ``paths`` are pages with the day of their data (or ``""``), each in every language."""
    pages = ""
    for path, day in paths:
        places = {language: _xml(f"{address}{folder}{path}") for language, folder in LANGUAGES.items()}
        modified = f"    <lastmod>{day}</lastmod>\n" if day else ""
        links = "".join(
            f'    <xhtml:link rel="alternate" hreflang="{language}" href="{place}" />\n'
            for language, place in places.items()
        )
        pages += "".join(f"  <url>\n    <loc>{place}</loc>\n{modified}{links}  </url>\n" for place in places.values())
    return f"""<?xml version='1.0' encoding='utf-8'?>
<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9" xmlns:xhtml="http://www.w3.org/1999/xhtml">
{pages}</urlset>
"""


def _xml(text: str) -> str:
    return escape(NO_XML.sub("\ufffd", text))
