"""A page brings its entry in the navigation, its saved queries and its lineage along; nothing else names it."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
from typing import TYPE_CHECKING, Any

import pytest

from ioledger.build import lineage, pages, pipeline
from ioledger.tables.schema import ROOT, marts
from ioledger.workspace import Workspace

if TYPE_CHECKING:
    from pathlib import Path

NEW = """---
title: Which drive forgives a small block?
nav: {section: Compare, order: 115, name: Forgiving}
description: The gain of a small block, drive by drive.
queries:
  forgiving: "Forgiving: gains"
---

```js
const gains = FileAttachment("data/forgiving.arrow").arrow();
```
"""
QUERY = """-- Gains of a small block.
with peaks as (select * from effects)

select peaks.submission_id, devices.device from peaks inner join devices on exists (select 1 from points)
"""
MANY = """-- Much.
select submission_id, md5(repetition_id || n) as words from repetitions, range(40) as t(n) order by all
"""
ENTRY = "nav: {section: Compare, order: 115, name: Forgiving}"


@pytest.fixture
def site(tmp_path: Path) -> Path:
    """Return a copy of the site's pages, queries and loaders."""
    return shutil.copytree(ROOT / "site", tmp_path / "site", ignore=shutil.ignore_patterns(".observablehq", "tests"))


@pytest.fixture
def added(site: Path) -> Path:
    """Return a copy of the site with one page and its query added, and nothing else touched."""
    (site / "forgiving.md").write_text(NEW, encoding="utf-8")
    (site / "data" / "forgiving.sql").write_text(QUERY, encoding="utf-8")
    return site


def _catalogue(site: Path, sample: Path) -> subprocess.CompletedProcess[str]:
    """Run what writes all data of the pages into their cache, as the site's configuration does."""
    for name in ("models", "schemas"):
        shutil.copytree(ROOT / name, site.parent / name)
    command = [sys.executable, "site/data/catalogue.py", "site/.observablehq/cache/pages"]
    environment = {**os.environ, "IOLEDGER_BUILD": str(sample / "build")}
    return subprocess.run(command, cwd=site.parent, capture_output=True, text=True, check=False, env=environment)  # noqa: S603


def _manifest(*models: str) -> dict[str, Any]:
    return {
        "exposures": {},
        "parent_map": {},
        "child_map": {f"model.ioledger.{name}": ["test.last"] for name in models},
    }


ENTRIES = """Compare: Media, Side by side, One change, Scaling, Efficiency and price; Under load: Queue depth, Latency,
    Saturation; Trust: Repetitions, Consistency, Claims; Records: Devices, Submissions, SQL console, Downloads;
    About: Method, Columns, Checks, Rules, Limits"""
ADDRESSES = """tables peaks-by-device repeat-spread trace unknown-conditions media-quotients media-peaks media-single
    media-latency media-specs compare-quotients compare-facts effects-one-field effects-settings effects-clock
    effects-area effects-write-share effects-block-size effects-stated-gains scaling scaling-curves efficiency-drives
    efficiency-prices queue-depth queue-depth-percentiles queue-depth-applications latency-points latency-budget
    latency-low-depth saturation saturation-curves saturation-fits saturation-laws repeatability
    repeatability-intervals repeatability-steady consistency-little consistency-limits consistency-mix
    consistency-transactions claims devices submissions overview"""


def test_what_readers_are_used_to_stays_whatever_is_added() -> None:
    """Entries of the navigation keep words and order; an address with `?query=` finds its query, page by page."""
    found, saved, _ = pages.load_pages(ROOT / "site")
    sections = [section.partition(": ") for section in " ".join(ENTRIES.split()).split("; ")]
    known = [(name, entry) for name, _, entries in sections for entry in entries.split(", ")]
    shown = [(section["name"], page["name"]) for section in pages.navigation(found) for page in section["pages"]]
    assert [entry for entry in shown if entry in known] == known
    assert [query.name for query in saved if query.name in ADDRESSES.split()] == ADDRESSES.split()


def test_the_site_is_in_order() -> None:
    """Every page has its entry, every query its page, and no two have the same."""
    assert pages.load_pages(ROOT / "site")[2] == []


def test_an_added_page_stands_in_the_navigation_between_its_neighbours(added: Path) -> None:
    """Its number decides; the others keep their order and words."""
    before = pages.navigation(pages.load_pages(ROOT / "site")[0])
    after = pages.navigation(pages.load_pages(added)[0])
    assert after[0]["pages"].pop(1) == {"name": "Forgiving", "path": "/forgiving"}
    assert after == before


def test_a_section_stands_where_the_first_of_its_pages_stands(added: Path) -> None:
    """No list names the sections."""
    text = NEW.replace(ENTRY, "nav: {section: Blocks, order: 215, name: Forgiving}")
    (added / "forgiving.md").write_text(text, encoding="utf-8")
    _, _, (problem,) = pages.load_pages(added)
    assert (problem.file, problem.rule) == ("site/forgiving.md", "R-SITE-2")
    assert problem.what == "it stands inside the section Under load, and its own is Blocks"
    (added / "forgiving.md").write_text(text.replace("215", "250"), encoding="utf-8")
    found, _, problems = pages.load_pages(added)
    assert problems == []
    assert [each["name"] for each in pages.navigation(found)][1:4] == ["Under load", "Blocks", "Trust"]


def test_saved_queries_follow_their_pages_and_those_without_a_page_come_first(added: Path) -> None:
    """The SQL page opens with the list of tables, and shows the text of the file."""
    _, saved, _ = pages.load_pages(added)
    names = [query.name for query in saved]
    alone = sorted(path.stem for path in (added / "queries").glob("*.sql"))
    assert names[: len(alone)] == ["tables", *(name for name in alone if name != "tables")]
    assert names.index("forgiving") == names.index("media-quotients") + 5
    assert saved[names.index("forgiving")] == pages.Query("forgiving", "Forgiving: gains", QUERY.strip())
    assert saved[names.index("trace")].title == "From a number to its file"
    assert "compare-names" not in names, "its page offers it to nobody"
    assert len(names) == len(set(names))


def test_a_page_that_is_shown_in_parts_is_made_so_by_its_front_matter_alone(added: Path, sample: Path) -> None:
    """No list names it: the rows of its query lie by submission, and no file has all of them."""
    page, query = added / "forgiving.md", added / "data" / "forgiving.sql"
    text = page.read_text(encoding="utf-8").replace(ENTRY, f"{ENTRY}\nparts: submissions").split("```js")[0]
    page.write_text(text, encoding="utf-8")
    query.write_text(MANY, encoding="utf-8")
    done = _catalogue(added, sample)
    assert (done.returncode, done.stderr) == (0, "")
    cache = added / ".observablehq" / "cache"
    listed = json.loads((cache / "data" / "loads" / "forgiving.json").read_text(encoding="utf-8"))
    assert len(listed) > 1
    for part in listed:
        rows = json.loads(
            (cache / "pages" / "parts" / "forgiving" / f"{part['part']}.json").read_text(encoding="utf-8")
        )
        assert rows["forgiving"]["columns"]["submission_id"]["texts"] == [part["part"]]
    assert not (cache / "data" / "forgiving.arrow").exists()


def test_an_added_page_is_in_the_lineage_with_the_marts_that_its_query_reads(added: Path) -> None:
    """A name that the query gives to a part of itself is no mart, though there is a mart of that name."""
    (page,) = [page for page in pages.load_pages(added)[0] if page.path == "/forgiving"]
    assert page.marts == ("devices", "effects", "points")
    manifest = _manifest(*page.marts)
    lineage.add_exposures(manifest, [page])
    key = "exposure.ioledger.page_forgiving"
    (exposure,) = manifest["exposures"].values()
    assert (exposure["unique_id"], exposure["url"], exposure["label"]) == (key, "/forgiving", page.front.title)
    assert (
        exposure["depends_on"]["nodes"] == manifest["parent_map"][key] == sorted(manifest["child_map"].keys() - {key})
    )
    assert all(manifest["child_map"][node] == [key, "test.last"] for node in exposure["depends_on"]["nodes"])


def test_what_the_configuration_and_the_sql_page_load_has_the_added_page(added: Path, sample: Path) -> None:
    """One run writes navigation, rows and saved queries, and no other file names the page."""
    done = _catalogue(added, sample)
    assert done.returncode == 0, done.stderr
    assert {"name": "Forgiving", "path": "/forgiving"} in json.loads(done.stdout)["navigation"][0]["pages"]
    data = added / ".observablehq" / "cache" / "data"
    saved = json.loads((data / "queries.json").read_text(encoding="utf-8"))
    assert {"name": "forgiving", "title": "Forgiving: gains", "sql": QUERY.strip()} in saved
    assert (data / "forgiving.arrow").stat().st_size > 0


BROKEN = {
    "no entry": ("forgiving.md", ENTRY, "", "missing required field `nav`", "or `nav: none`"),
    "an entry without a name": ("forgiving.md", ", name: Forgiving", "", "field `name` - at `$.nav`", "name: Media"),
    "a place that is no number": ("forgiving.md", "115", "first", "Expected `int`, got `str`", "order: 110"),
    "a word that is none": ("forgiving.md", ENTRY, "nav: nowhere", "nowhere", "or `nav: none`"),
    "the place of another": ("forgiving.md", "115", "120", "site/compare.md has order 120, too", "number of its own"),
    "a misspelt section": ("forgiving.md", "Compare", "Comparre", "inside the section Compare", "name of its section"),
    "a misspelt key": ("forgiving.md", "queries:", "quries:", "unknown field `quries`", "Mend the key"),
    "a key twice": ("forgiving.md", ENTRY, f"{ENTRY}\n{ENTRY}", "the key nav stands twice", "Remove one"),
    "front matter of one word": ("forgiving.md", NEW.split("---")[1], "\nword\n", "Expected `object`", "Mend the"),
    "what is not YAML": ("forgiving.md", "title: Which", "title: [Which", "not valid YAML", "Mend the line"),
    "no front matter": ("forgiving.md", "---\n", "", "no front matter", "Begin it with `---`"),
    "no description": ("forgiving.md", "description", "keywords", "no `description`", "in one sentence"),
    "an unknown mart": ("forgiving.md", "queries:", "reads: [speeds]\nqueries:", "no mart speeds", "schemas/marts"),
    "a query that is not there": ("forgiving.md", "data/forgiving", "data/x", "no query site/data/x.sql", "Write it"),
    "a query of another": ("forgiving.md", "queries:", "queries:\n  media-peaks: P", "to site/media.md", "one page"),
    "a query of no page": ("data/x.sql", "", "select 1\n", "belongs to no page", "Add `x: its title`"),
    "a query that is none": ("data/forgiving.sql", "select peaks.", "selec peaks.", "cannot be read", "Mend the query"),
    "a saved query without a title": ("queries/x.sql", "", "select 1\n", "has no title", "-- Title: what"),
    "a name twice": ("queries/forgiving.sql", "", "-- A: b.\nselect 1\n", "forgiving.md has a query", "another name"),
}  # fmt: skip


@pytest.mark.parametrize("case", BROKEN)
def test_what_a_page_lacks_is_one_line_with_file_and_remedy(case: str, added: Path) -> None:
    """Nothing is built then, and nothing is left out in silence."""
    name, old, new, what, remedy = BROKEN[case]
    path = added / name
    text = path.read_text(encoding="utf-8") if path.exists() else ""
    assert old in text
    path.write_text(text.replace(old, new, 1), encoding="utf-8")
    _, saved, problems = pages.load_pages(added)
    (line,) = map(str, problems)
    file = "site/forgiving.md" if name == "data/forgiving.sql" else f"site/{name}"
    assert line.startswith(f"{file}:"), line
    assert what in line
    assert remedy in line.partition(what)[2]
    assert line.endswith("[R-SITE-2]")
    assert saved == []


def test_a_page_without_an_entry_ends_the_run_with_its_line(added: Path, sample: Path) -> None:
    """Whoever previews the pages reads the same line as whoever builds them."""
    (added / "forgiving.md").write_text(NEW.replace(ENTRY, ""), encoding="utf-8")
    done = _catalogue(added, sample)
    _, _, (problem,) = pages.load_pages(added)
    assert (done.returncode, done.stdout, done.stderr) == (1, "", f"{problem}\n")


def test_a_build_says_what_a_page_lacks(added: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """It is the problem itself, and not the last words of a program that failed."""
    (added / "forgiving.md").write_text(NEW.replace(ENTRY, ""), encoding="utf-8")
    monkeypatch.setattr(pipeline, "ROOT", added.parent)
    found, _ = pipeline._site(tmp_path / "data", tmp_path / "build", tmp_path / "dist")  # noqa: SLF001  (the stage alone)
    assert found == pages.load_pages(added)[2]
    assert [problem.file for problem in found] == ["site/forgiving.md"]
    assert not (tmp_path / "dist").exists()


def test_a_preview_shows_its_own_workspace_and_nothing_of_another(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Tables, raw files and the lineage beside the pages come from there."""
    asked: list[dict[str, str]] = []

    def answer(command: list[str], *, env: dict[str, str], **_: object) -> subprocess.CompletedProcess[str]:
        asked.append(env)
        return subprocess.CompletedProcess(command, 0)

    monkeypatch.setattr(subprocess, "run", answer)
    assert pipeline.preview(Workspace(tmp_path)) == 0
    shown = {name: asked[0][f"IOLEDGER_{name.upper()}"] for name in ("build", "data", "dist")}
    assert shown == {name: str(tmp_path / name) for name in ("build", "data", "dist")}


SITE = ROOT / "site"
LOADED = re.compile(r"""["'(/]data/([a-z0-9-]+)\.arrow""")
NAMED = re.compile(r"\b(?:from|join)\s+\"?([a-z_]+)", re.IGNORECASE)
PART = re.compile(r"(?:with|,)\s+([a-z_]+) as (?:materialized )?\(")


@pytest.mark.parametrize("page", pages.load_pages(SITE)[0], ids=lambda page: page.path)
def test_the_lineage_has_every_mart_that_a_page_names(page: pages.Page) -> None:
    """Words behind `from` and `join`, read without a parser, give the same; a page says for itself what it adds."""
    queries = {*LOADED.findall((ROOT / page.file).read_text(encoding="utf-8")), *page.front.queries}
    texts = [(SITE / "data" / f"{query}.sql").read_text(encoding="utf-8") for query in queries]
    named = {name for text in texts for name in {*NAMED.findall(text)} - {*PART.findall(text)}}
    assert {*page.marts} == (named & marts().keys()) | {*page.front.reads}
    assert not named & {*page.front.reads}, "its queries say so"
