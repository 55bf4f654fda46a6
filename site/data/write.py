"""
Everything that the site is made of: ``write.py SCRATCH [PART]``; without a part all is written, and nothing built.

``--tree`` writes the source tree of the framework, and ``frame.json``, which tells it of pages, navigation, languages;
``--frame`` builds that besides, or takes the kept frame of the same sources, which ``--new-frame`` does not. The others
read the database, side by side: ``--pages`` writes what pages show, and ``site.json``, which tells later steps of it;
``--machine`` what is there for machines, with raw files and downloads; ``--numbers`` what number pages are made of.
"""

from __future__ import annotations

import json
import os
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import content
import duckdb
import frame
import machine
import number_pages
import parts
from documents import documents
from glosses import Glosses, is_written
from pyarrow import parquet
from rows import Names, pack_rows, put, run_query, write

from ioledger.build.pages import LANGUAGES, load_messages, load_pages, navigation
from ioledger.build.publish import SHUT
from ioledger.releases import descriptions
from ioledger.tables.schema import ROOT

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from ioledger.build.pages import Messages, Page, Query

SITE = Path(__file__).parent.parent
TABLES = Path("data", "tables.json")
"""What pages show of all tables, which the part for machines writes."""
MADE = {"devices": content.devices, "submissions": content.submissions}


class Context(NamedTuple):
    """What a hook is told beside the database: folders, the site's address, its pages and words."""

    scratch: Path
    build: Path
    data: Path
    address: str | None
    pages: Sequence[Page]
    saved: Sequence[Query]
    messages: Messages


def main() -> None:
    """Write the site's sources and data into the folder named on the command line."""
    scratch, part = Path(sys.argv[1]).absolute(), (*sys.argv[2:], None)[0]
    build, data = (Path(os.environ.get(f"IOLEDGER_{name.upper()}", name)).absolute() for name in ("build", "data"))
    pages, saved, problems = load_pages(SITE)
    if problems:
        sys.exit("\n".join(map(str, problems)))
    messages, _ = load_messages(SITE)
    context = Context(scratch, build, data, descriptions.read_address(ROOT), pages, saved, messages)
    if part not in PARTS:
        frame.plant(SITE, scratch / "tree", pages, messages)
        write(scratch / "frame.json", _description(context, {}))
    if part in FRAMES:
        dist = Path(os.environ.get("IOLEDGER_DIST", "dist")).absolute()
        sys.exit(frame.build(scratch, dist, anew=part == FRAMES[1]))
    if part == "--tree":
        return
    database = build / "ioledger.duckdb"
    if not database.exists():
        sys.exit(f"{database} does not exist. Run `npm run build`, which makes it from the files in data/.")
    with duckdb.connect(database, read_only=True, config=SHUT) as connection:
        connection.execute("set threads = 1")  # a sum of floating-point numbers has the order of its rows
        for name, write_part in PARTS.items():
            if part in {None, name}:
                write_part(connection, context, scratch / "public")


def _write_pages(connection: duckdb.DuckDBPyConnection, context: Context, public: Path) -> None:
    """Write what pages show, and what there is: documents, queries, and the pages of devices and submissions."""
    known = documents(context.build, context.saved)
    for page in context.pages:
        for name in page.front.documents:
            if name not in known:
                sys.exit(f"{page.file}: there is no document {name}. Name one of {', '.join(known)}.")
            write(public / "data" / f"{name}.json", known[name]())
    # the bins lie beside the database
    connection.register("latency_bins", parquet.read_table(context.build / "raw" / "latency_bins.parquet"))
    groups, named = parts.Groups(connection), Names(connection)
    for name in sorted({query for page in context.pages for query in page.whole}):
        write(public / "data" / f"{name}.json", pack_rows(named.say(run_query(connection, name), together=True)))
    parts.pages(connection, [page for page in context.pages if page.parted], groups, named, public / "parts")
    made = {kind: written(connection, groups, named, public) for kind, written in MADE.items()}
    write(context.scratch / "site.json", _description(context, made))
    write_glosses(public, (path for path in public.rglob("*.json") if path.relative_to(public) != TABLES))


def _for_machines(connection: duckdb.DuckDBPyConnection, context: Context, public: Path) -> None:
    """Write the files for machines, the downloads, and the files that were handed in; large ones lie packed."""
    machine.write(connection, public, context)
    query = """
        select submission_id, path from files where document_index is null
        union all
        select submission_id, 'manifest.yaml' from submissions order by all
    """
    for submission, path in connection.execute(query).fetchall():
        if (source := context.data / submission / path).exists():
            put(source, public, submission, path)
    descriptions.copy_files(context.build, public)
    write_glosses(public, [public / TABLES])


def _numbers(connection: duckdb.DuckDBPyConnection, context: Context, _: Path) -> None:
    """Write what the pages of numbers are made of."""
    settings = {
        "data": str(context.data),
        "release": json.loads((context.build / "manifest.json").read_text(encoding="utf-8"))["release_id"],
        "address": context.address,
        "style": f"?v={frame.style(SITE)}",
        "navigation": navigation(context.pages),
    }
    number_pages.write(connection, context.scratch / "numbers", settings)


FRAMES = ("--frame", "--new-frame")
PARTS = {"--pages": _write_pages, "--machine": _for_machines, "--numbers": _numbers}


def write_glosses(public: Path, files: Iterable[Path]) -> None:
    """Write the Japanese files of what pages load, in ``ja``, where sentences of this project are among their texts."""
    glosses = Glosses()
    for path in sorted(files):
        name = path.relative_to(public)
        if is_written(name.with_suffix("").as_posix()):
            write(public / "ja" / name, glosses.of(json.loads(path.read_bytes())))


def _description(context: Context, items: dict[str, list[dict[str, Any]]]) -> dict[str, Any]:
    """Return what the steps after this one are told."""
    found: dict[bool, list[dict[str, Any]]] = {False: [], True: []}
    for page in context.pages:
        kind = page.path[1:].rpartition("/")[0]
        of_kind = {"kind": kind, "items": items.get(kind, [])} if page.is_made else {}
        found[page.is_made].append(
            {
                "path": page.path,
                "stub": frame.stub_of(page.path),
                "module": f"{page.path[1:]}.js",
                "title": page.front.title,
                "description": page.front.description,
                "keywords": page.front.keywords,
                "section": page.nav.section if page.nav else None,
                **of_kind,
            }
        )
    return {
        "languages": LANGUAGES,
        "address": context.address,
        "navigation": navigation(context.pages),
        "pages": found[False],
        "made": found[True],
    }


if __name__ == "__main__":
    main()
