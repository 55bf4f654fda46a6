"""A page brings its entry, its queries and its lineage along; nothing else names it, and no other host is asked."""

from __future__ import annotations

import base64
import gzip
import json
import re
from time import time
from typing import TYPE_CHECKING, Any

import pytest

import reader_site
from ioledger.build import pages
from ioledger.build.site import add_exposures, describe_columns, publish_lineage
from ioledger.tables.schema import ROOT, marts

if TYPE_CHECKING:
    from pathlib import Path

ENTRY = "nav: {section: compare, order: 110, name: nav.media}"


@pytest.fixture
def site(tmp_path: Path) -> Path:
    """Return the sources of a small site."""
    return reader_site.write(tmp_path / "site")


def _replaced(path: Path, old: str, new: str) -> None:
    text = path.read_text(encoding="utf-8")
    assert old in text
    path.write_text(text.replace(old, new, 1), encoding="utf-8")


def test_the_site_is_in_order() -> None:
    """Every page has its entry and its words, no two have the same, and every query is read by a page."""
    found, _, problems = pages.load_pages(ROOT / "site")
    assert problems == []
    read = {query for page in found for query in page.front.queries}
    assert {path.stem for path in (ROOT / "site" / "data").glob("*.sql")} == read


def test_pages_stand_in_the_order_of_their_numbers(site: Path) -> None:
    """A section stands where the first of its pages stands; pages outside the navigation come last."""
    found, _, problems = pages.load_pages(site)
    assert problems == []
    assert [page.path for page in found] == ["/media", "/tally", "/devices/[device]"]
    assert pages.navigation(found) == [
        {"section": "compare", "pages": [{"name": "nav.media", "path": "/media"}]},
        {"section": "trust", "pages": [{"name": "nav.tally", "path": "/tally"}]},
    ]
    _replaced(site / "pages" / "tally.js", "410", "105")
    assert [each["section"] for each in pages.navigation(pages.load_pages(site)[0])] == ["trust", "compare"]


def test_a_page_is_read_as_its_front_matter_states_it(site: Path) -> None:
    """Words are of the first language; one in brackets is made per device; in parts it reads whole what it names."""
    media, tally, device = pages.load_pages(site)[0]
    assert (media.title, media.description) == ("How do media differ?", "Media.")
    assert (media.whole, media.parted) == (("media-kinds", "media-tops"), ())
    assert (tally.whole, tally.parted) == ((), ("tally",))
    assert [page.is_made for page in (media, tally, device)] == [False, False, True]
    _replaced(site / "pages" / "media.js", "documents:", "parts: loads\ndocuments:")
    _replaced(site / "pages" / "tally.js", "queries: [tally]", "queries: [tally, media-kinds]")
    found, saved, problems = pages.load_pages(site)
    (media,) = [page for page in found if page.path == "/media"]
    assert (media.whole, media.parted) == (("media-kinds",), ("media-tops",))
    assert ([query.name for query in saved], problems) == (["tables", "media-kinds"], []), "one of two pages, once"


def test_the_sql_page_offers_queries_that_have_a_title(site: Path) -> None:
    """One that stands alone brings it in its first line, one of a page in the messages, or it is not offered."""
    _, saved, _ = pages.load_pages(site)
    assert saved == [
        pages.Query("tables", "Tables", reader_site.FILES["queries/tables.sql"].strip()),
        pages.Query("media-kinds", "Media: ladder", reader_site.FILES["data/media-kinds.sql"].strip()),
    ]


def _manifest(*models: str) -> dict[str, Any]:
    return {
        "exposures": {},
        "parent_map": {},
        "child_map": {f"model.ioledger.{name}": ["test.last"] for name in models},
    }


def test_a_page_is_in_the_lineage_with_the_marts_that_its_queries_read(site: Path) -> None:
    """A name that a query gives to a part of itself is no mart, though there is a mart of that name."""
    media, _, device = pages.load_pages(site)[0]
    assert (media.marts, device.marts) == (("devices", "peaks"), ("devices",))
    manifest = _manifest(*media.marts)
    add_exposures(manifest, [media])
    key = "exposure.ioledger.page_media"
    (exposure,) = manifest["exposures"].values()
    assert (exposure["unique_id"], exposure["url"], exposure["label"]) == (key, "/media", "How do media differ?")
    assert exposure["description"] == "Media."
    nodes = exposure["depends_on"]["nodes"]
    assert nodes == manifest["parent_map"][key] == sorted(manifest["child_map"].keys() - {key})
    assert all(manifest["child_map"][node] == [key, "test.last"] for node in nodes)


BROKEN = {
    "no entry": ("pages/media.js", ENTRY, "", "missing required field `nav`", "or `nav: none`"),
    "an entry without a name": ("pages/media.js", ", name: nav.media", "", "field `name` - at `$.nav`", "nav.media"),
    "a place that is no number": ("pages/media.js", "110", "first", "Expected `int`, got `str`", "order: 110"),
    "a word that is none": ("pages/media.js", ENTRY, "nav: nowhere", "nowhere", "or `nav: none`"),
    "the place of another": ("pages/tally.js", "410", "110", "site/pages/media.js has order 110", "number of its own"),
    "a misspelt key": ("pages/media.js", "queries:", "quries:", "unknown field `quries`", "Mend the key"),
    "a key twice": ("pages/media.js", ENTRY, f"{ENTRY}\n{ENTRY}", "the key nav appears twice", "Remove one"),
    "what is not YAML": ("pages/media.js", "words: media", "words: [media", "not valid YAML", "Mend the line"),
    "no front matter": ("pages/media.js", "/*---\n", "/*\n", "no front matter", "Begin it with `/*---`"),
    "no words": ("pages/media.js", "words: media\n", "", "field `words`", "Mend the key"),
    "a title without words": ("pages/media.js", "words: media", "words: medium", "no message medium.title", "Add it"),
    "a name without words": ("pages/media.js", "name: nav.media", "name: nav", "no message nav in", "Add it"),
    "a word of one language": ("messages/ja.json", '"nav.media"', '"nav.medium"', "site/messages/ja.json", "Add it"),
    "messages that are none": ("messages/en.json", "{", "[", "cannot be read", "one object of keys"),
    "no page": ("pages/tally.js", "export default", "export", "exports no page", "export default async function page"),
    "an unknown mart": ("pages/media.js", "queries:", "reads: [speeds]\nqueries:", "no mart speeds", "schemas/marts"),
    "a query that is not there": ("pages/media.js", "[media-kinds", "[x", "no query site/data/x.sql", "Write it"),
    "a query that is none": ("data/media-kinds.sql", "select", "selec", "cannot be read", "Mend the query"),
    "a saved query without a title": ("queries/x.sql", "", "select 1\n", "has no title", "-- Title: what"),
    "a name twice": ("queries/tally.sql", "", "-- A: b.\nselect 1\n", "tally.js has a query", "another name"),
}  # fmt: skip
ELSEWHERE = {"messages/ja.json": "pages/media.js", "data/media-kinds.sql": "pages/media.js"}
"""Where the page that has the problem is another file than the one that was changed, its line names that."""


@pytest.mark.parametrize("case", BROKEN)
def test_what_a_page_lacks_is_one_line_with_file_and_remedy(case: str, site: Path) -> None:
    """Nothing is built then, and nothing is left out in silence."""
    name, old, new, what, remedy = BROKEN[case]
    path = site / name
    text = path.read_text(encoding="utf-8") if path.exists() else ""
    assert old in text
    path.write_text(text.replace(old, new, 1), encoding="utf-8")
    _, saved, problems = pages.load_pages(site)
    (line,) = map(str, problems)
    assert line.startswith(f"site/{ELSEWHERE.get(name, name)}:"), line
    assert what in line
    assert remedy in line.partition(what)[2]
    assert line.endswith("[R-SITE-2]")
    assert saved == []


def test_a_problem_names_the_line_of_its_key(site: Path) -> None:
    """The comment that opens the front matter is the first line of the file."""
    _replaced(site / "pages" / "media.js", "[media-kinds, media-tops]", "[media-kinds, x]")
    _, _, (problem,) = pages.load_pages(site)
    assert (problem.file, problem.place) == ("site/pages/media.js", "line 4")


def test_a_section_stays_together(site: Path) -> None:
    """A page between two of another section has a misspelt section or a wrong number."""
    text = reader_site.MEDIA.replace("110", "510").replace("[media-kinds, media-tops]", "[media-kinds]")
    reader_site.put(site / "pages" / "other.js", text)
    _, _, (problem,) = pages.load_pages(site)
    assert (problem.file, problem.what) == (
        "site/pages/tally.js",
        "its order is inside the section compare, but it belongs to trust",
    )


PAGE = (
    '<html><head><title>x</title></head><body>["MANIFEST.JSON INLINE DATA", "CATALOG.JSON INLINE DATA"]</body></html>'
)


def _documentation(folder: Path, models: set[str]) -> Path:
    """Write what `dbt docs generate` leaves, of these models."""
    children: dict[str, list[str]] = {f"model.ioledger.{name}": [] for name in sorted(models)}
    folder.mkdir(exist_ok=True)
    run = {"generated_at": f"at {folder.name}", "invocation_id": folder.name, "dbt_version": "1.0"}
    node = {
        "path": f"{ROOT}/models",
        "build_path": f"{folder}/run",
        "compiled_path": f"{folder}/x",
        "created_at": time(),
    }
    manifest = {"exposures": {}, "parent_map": {}, "child_map": children, "metadata": run, "nodes": {"one": node}}
    (folder / "manifest.json").write_text(json.dumps(manifest), encoding="utf-8")
    (folder / "catalog.json").write_text(json.dumps({"metadata": run, "sources": {}}), encoding="utf-8")
    (folder / "index.html").write_text(PAGE, encoding="utf-8")
    return folder


def _unpack(page: Path) -> str:
    """Return what a page shows where scripts run."""
    packed = page.read_text(encoding="utf-8").partition('atob("')[2].partition('"')[0]
    return gzip.decompress(base64.b64decode(packed)).decode()


def test_the_documentation_has_every_page_that_reads_a_mart(tmp_path: Path) -> None:
    """Whoever changes a model sees in the lineage which pages it feeds."""
    found, _, _ = pages.load_pages(ROOT / "site")
    reading = {page.path: page for page in found if page.marts}
    _documentation(tmp_path, {mart for page in found for mart in page.marts})
    text = _unpack(publish_lineage(tmp_path, tmp_path / "dist", found))
    manifest, catalog = json.loads(re.sub(r"^.*<body>|</body>.*$", "", text))
    assert catalog == {"metadata": {"dbt_version": "1.0"}, "sources": {}}
    shown = {exposure["original_file_path"]: exposure for exposure in manifest["exposures"].values()}
    assert shown.keys() == {page.file for page in reading.values()}
    assert shown["site/pages/index.js"]["unique_id"] == "exposure.ioledger.page_home"
    assert (shown["site/pages/queue-depth.js"]["name"], shown["site/pages/devices/index.js"]["url"]) == (
        "page_queue_depth",
        "/devices/",
    )
    for page in reading.values():
        assert shown[page.file]["depends_on"]["nodes"] == [f"model.ioledger.{mart}" for mart in page.marts]


def test_a_column_of_a_mart_is_described_as_its_schema_does() -> None:
    """Names and types are enforced by dbt; what a column holds is said once, and shown here."""
    nodes: dict[str, Any] = {"model.ioledger.pairs": {"columns": {"operation": {"description": ""}}}}
    describe_columns({"nodes": nodes})
    said = {column.name: column.description for column in marts()["pairs"].columns}
    assert nodes["model.ioledger.pairs"]["columns"] == {"operation": {"description": said["operation"]}}


def test_the_documentation_is_shut_in_and_names_no_run(tmp_path: Path) -> None:
    """The policy stands first; when, where and under which id dbt was run is not published: pages can be compared."""
    first, second = (_documentation(tmp_path / name, {"results"}) for name in ("one", "another"))
    assert (first / "manifest.json").read_bytes() != (second / "manifest.json").read_bytes()
    page, again = (publish_lineage(folder, folder / "dist", []) for folder in (first, second))
    served = page.read_text(encoding="utf-8")
    assert served == again.read_text(encoding="utf-8")
    assert served.index("Content-Security-Policy") < served.index("<title>")
    assert "connect-src 'none'" in served
    text = _unpack(page)
    assert str(ROOT) not in text
    assert '"nodes":{"one":{"path":"./models"}}' in text
