"""The pass that writes everything the site is made of, and the step that makes pages of it."""

from __future__ import annotations

import gzip
import hashlib
import json
import shutil
import subprocess
import sys
import time
import zlib
from typing import TYPE_CHECKING, Any

import pytest

import reader_site
from ioledger.build import pages
from ioledger.build import site as step
from ioledger.tables.schema import ROOT, rules
from ioledger.workspace import Workspace

sys.path.append(str(ROOT / "site" / "data"))
import rows  # (a module of the site's scripts)

if TYPE_CHECKING:
    from pathlib import Path

    from forks import Forks

PAGE_BYTES = 20_000
"""What a page may load before a reader asks for more, compressed."""


class Passed:
    """A small site after the pass over the tests' own dataset."""

    def __init__(self, forks: Forks, folder: Path, dataset: Path) -> None:
        """Write the site's sources below a folder and run the pass over them."""
        self.site, self.scratch = reader_site.write(folder / "site"), folder / "scratch"
        done = reader_site.run(forks, self.site, self.scratch, dataset)
        assert (done.returncode, done.stdout, done.stderr) == (0, "", "")

    def public(self, name: str) -> Any:  # noqa: ANN401  (JSON)
        """Return the JSON of a file that the site serves."""
        return json.loads((self.scratch / "public" / name).read_text(encoding="utf-8"))

    def tree(self, name: str) -> str:
        """Return a file of the framework's source tree."""
        return (self.scratch / "tree" / name).read_text(encoding="utf-8")


@pytest.fixture(scope="module")
def passed(forks: Forks, sample: Path, tmp_path_factory: pytest.TempPathFactory) -> Passed:
    """Return a small site after the pass over the tests' own dataset."""
    return Passed(forks, tmp_path_factory.mktemp("passed"), sample)


def _unpacked(table: dict[str, Any]) -> list[dict[str, Any]]:
    rows: list[dict[str, Any]] = [{} for _ in range(table["count"])]
    for name, column in table["columns"].items():
        values = column.get("values") or [None if at is None else column["texts"][at] for at in column["at"]]
        for row, value in zip(rows, values, strict=True):
            if value is not None:
                row[name] = value
    return rows


def test_every_page_has_a_stub_in_both_languages(passed: Passed) -> None:
    """Its head is in the words of the language, and its cell knows the way to the root of the site."""
    english, japanese = passed.tree("media.md"), passed.tree("ja/media.md")
    assert 'title: "How do media differ?"\n' in english
    assert 'title: "媒体はどう違うか"\n' in japanese
    assert 'from "./components/mount.js";' in english
    assert 'from "../components/mount.js";' in japanese
    assert 'mount(page, {"path": "/media", "language": "ja", "base": ".."})' in japanese
    assert '"base": "../.."' in passed.tree("ja/devices/_device.md")
    text = passed.tree("components/texts.js").removeprefix("export default ").removesuffix(";\n")
    assert json.loads(text) == reader_site.WORDS, "a browser takes no JSON by import everywhere"


def test_pages_of_one_kind_share_a_stub(passed: Passed) -> None:
    """The framework builds as many pages for a thousand devices as for one."""
    built = sorted(path.name for path in (passed.scratch / "tree" / "devices").glob("*.md"))
    assert built == ["[device].md", "_device.md"]
    (made,) = json.loads((passed.scratch / "site.json").read_text(encoding="utf-8"))["made"]
    assert (made["kind"], made["stub"], made["module"]) == ("devices", "/devices/_device", "devices/[device].js")
    contents = {path.stem for path in (passed.scratch / "public" / "content" / "devices").glob("*.json")}
    assert {item["id"] for item in made["items"]} == contents
    assert all(item["title"] for item in made["items"])


def test_a_package_is_imported_as_the_framework_serves_it(passed: Passed) -> None:
    """Modules of the site stand in their sources as Node takes them, with the version that is installed beside them."""
    version = json.loads((ROOT / "package.json").read_text(encoding="utf-8"))["dependencies"]["htl"]
    page = passed.tree("pages/devices/_device.js")
    assert f'import {{html}} from "npm:htl@{version}";' in page
    assert 'import {named} from "../../components/named.js";' in page
    assert 'const kind = "d3";' in passed.tree("components/named.js"), "a text that is no import stays"


def test_nothing_that_was_submitted_is_in_the_source_tree(forks: Forks, passed: Passed, tmp_path: Path) -> None:
    """What strangers wrote comes to a page as JSON alone: without any data, the tree is the same."""
    again = tmp_path / "scratch"
    done = reader_site.run(forks, passed.site, again, tmp_path, "--tree")
    assert done.returncode == 0, done.stderr
    assert _hashes(again / "tree") == _hashes(passed.scratch / "tree")
    titles = [
        item["title"] for item in json.loads((passed.scratch / "site.json").read_text("utf-8"))["made"][0]["items"]
    ]
    everything = "\n".join(path.read_text("utf-8") for path in (passed.scratch / "tree").rglob("*") if path.is_file())
    assert titles
    assert [title for title in titles if title in everything] == []


def _hashes(folder: Path) -> dict[str, str]:
    files = [path for path in sorted(folder.rglob("*")) if path.is_file()]
    return {path.relative_to(folder).as_posix(): hashlib.sha256(path.read_bytes()).hexdigest() for path in files}


def test_two_passes_write_the_same_bytes(forks: Forks, passed: Passed, sample: Path, tmp_path: Path) -> None:
    """Order and text of everything are fixed."""
    done = reader_site.run(forks, passed.site, tmp_path, sample)
    assert done.returncode == 0, done.stderr
    first, second = _hashes(passed.scratch / "public"), _hashes(tmp_path / "public")
    assert [name for name in first.keys() | second.keys() if first.get(name) != second.get(name)] == []


def test_a_tree_that_stands_is_changed_where_its_sources_were(forks: Forks, passed: Passed, tmp_path: Path) -> None:
    """A preview reloads what was written, and shows no page that is gone."""
    site, scratch = (
        shutil.copytree(passed.site, tmp_path / "site"),
        shutil.copytree(passed.scratch, tmp_path / "scratch"),
    )
    before = {path: path.stat().st_mtime_ns for path in (scratch / "tree").rglob("*.js")}
    named = site / "components" / "named.js"
    named.write_text(named.read_text("utf-8").replace("device.device", "device.model"), encoding="utf-8")
    (site / "pages" / "tally.js").unlink()
    assert reader_site.run(forks, site, scratch, tmp_path, "--tree").returncode == 0
    after = {path: path.stat().st_mtime_ns for path in (scratch / "tree").rglob("*.js")}
    changed = [path.name for path in after if before[path] != after[path]]
    assert changed == ["named.js"]
    assert {path.name for path in before.keys() - after.keys()} == {"tally.js"}
    assert not (scratch / "tree" / "ja" / "tally.md").exists()


def test_the_steps_after_it_are_told_what_there_is(passed: Passed) -> None:
    """Pages, navigation, languages, and the address of the site without its last slash."""
    told = json.loads((passed.scratch / "site.json").read_text(encoding="utf-8"))
    assert told["languages"] == ["en", "ja"]
    assert told["address"] == "https://ledger.example/site"
    assert [page["path"] for page in told["pages"]] == ["/media", "/tally"]
    assert told["navigation"][0] == {"section": "compare", "pages": [{"name": "nav.media", "path": "/media"}]}


def test_rows_stand_by_column_and_a_text_once(passed: Passed) -> None:
    """They come back as they were asked."""
    packed = passed.public("data/media-kinds.json")
    kinds = packed["columns"]["media_class"]["texts"]
    assert sorted(set(kinds)) == kinds
    rows = _unpacked(packed)
    assert len(rows) == packed["count"] == len(passed.public("api/v2/devices.json")["devices"])
    assert [row["device_id"] for row in rows] == sorted(row["device_id"] for row in rows)


def test_a_page_in_parts_has_a_file_per_submission_and_none_with_all(passed: Passed) -> None:
    """Front matter alone makes it so."""
    listed = passed.public("parts/tally.json")
    assert len(listed) > 1
    for part in listed:
        rows = passed.public(f"parts/tally/{part['part']}.json")
        assert rows["tally"]["columns"]["submission_id"]["texts"] == [part["part"]]
    assert not (passed.scratch / "public" / "data" / "tally.json").exists()


def test_a_document_that_a_page_names_is_beside_its_rows(passed: Passed) -> None:
    """And no other: nobody would load it."""
    assert [entry["rule"] for entry in passed.public("data/rules.json")] == [rule.rule for rule in rules()]
    assert not (passed.scratch / "public" / "data" / "checks.json").exists()


def test_a_device_leads_to_what_it_can_be_divided_by_and_says_why_not(passed: Passed) -> None:
    """A device has its configurations, its peaks with their numbers, and the others in one of two tables."""
    found = passed.public("content/devices/intel-dc-p3700-800gb.json")
    assert found["device"]["device_id"] == "intel-dc-p3700-800gb"
    peaks = _unpacked(found["peaks"])
    assert {"peak_id", "peak_value", "load_profile", "queue_depth"} <= peaks[0].keys()
    divided = {row["b_device_id"] for row in _unpacked(found["compared"])}
    refused = {row["b_device_id"] for row in _unpacked(found["refused"])}
    assert divided
    assert not divided & refused
    assert all({"pair_id", "comparison_id"} <= row.keys() for row in _unpacked(found["compared"]))


def test_every_result_of_a_submission_is_in_one_of_its_files(passed: Passed) -> None:
    """A page lists the files; it loads one when a reader asks."""
    for path in sorted((passed.scratch / "public" / "content" / "submissions").glob("*.json")):
        page = passed.public(f"content/submissions/{path.name}")
        listed = page["results"]
        files = [passed.public(f"content/submissions/{path.stem}/{part['name']}.json")["results"] for part in listed]
        assert [file["count"] for file in files] == [part["count"] for part in listed]
        assert sum(part["count"] for part in listed) == page["submission"].get("result_count", 0)
        ids = [row["result_id"] for file in files for row in _unpacked(file)]
        assert len(ids) == len(set(ids))


def test_what_a_page_of_a_kind_loads_first_is_small(passed: Passed) -> None:
    """Long tables lie beside it."""
    folder = passed.scratch / "public" / "content"
    heavy = [path.name for path in folder.glob("*/*.json") if len(zlib.compress(path.read_bytes())) > PAGE_BYTES]
    assert heavy == []


def test_files_of_strangers_are_served_as_text(passed: Passed, sample: Path) -> None:
    """Every file that was handed in is there, byte for byte; what a browser might run has another name."""
    public = passed.scratch / "public"
    served = {path.relative_to(public / "raw").as_posix() for path in (public / "raw").rglob("*") if path.is_file()}
    assert not {name.rpartition(".")[2] for name in served} & {"html", "js", "svg", "xml", "pdf"}
    given = [path for path in (sample / "data").rglob("*") if path.is_file()]
    names = {path.relative_to(sample / "data").as_posix(): path for path in given}
    for name in served:
        source = names.get(name) or names[name.removesuffix(".txt").removesuffix(".gz")]
        content = (public / "raw" / name).read_bytes()
        assert (content if name in names or name.endswith(".txt") else gzip.decompress(content)) == source.read_bytes()


def test_a_large_file_lies_packed_with_the_same_content(tmp_path: Path) -> None:
    """From the limit on, byte for byte inside, twice the same; a file of another kind never."""
    least = rows.PACKED_FROM
    cases = {"large.csv": least, "small.csv": least - 1, "large.html": least, "deep/large.json": least}
    for name, size in cases.items():
        source = tmp_path / "data" / name
        source.parent.mkdir(parents=True, exist_ok=True)
        source.write_bytes(b"0123456789" * (size // 10) + b"x" * (size % 10))
        for public in ("one", "two"):
            rows.put(source, tmp_path / public, "sub", name)
    found = _hashes(tmp_path / "one")
    assert sorted(found) == [
        "raw/sub/deep/large.json.gz",
        "raw/sub/large.csv.gz",
        "raw/sub/large.html.txt",
        "raw/sub/small.csv",
    ]
    assert found == _hashes(tmp_path / "two")
    for name in ("deep/large.json", "large.csv"):
        packed = tmp_path / "one" / "raw" / "sub" / f"{name}.gz"
        assert gzip.decompress(packed.read_bytes()) == (tmp_path / "data" / name).read_bytes()


MEDIA = "pages/media.js"
BROKEN = {
    "a query that fails": (
        "data/media-kinds.sql", "select\n    nothing\nfrom results\n",
        'site/data/media-kinds.sql: Binder Error: Referenced column "nothing" not found',
    ),
    "a page without an entry": (MEDIA, reader_site.MEDIA.replace("nav: {", "nave: {"), None),
    "a document that is none": (
        MEDIA, reader_site.MEDIA.replace("[rules]", "[ruls]"),
        f"site/{MEDIA}: there is no document ruls. Name one of checks, columns,",
    ),
    "no database": (MEDIA, reader_site.MEDIA, "does not exist. Run `npm run build`"),
}  # fmt: skip


@pytest.mark.parametrize("case", BROKEN)
def test_what_ends_the_pass_is_one_line(forks: Forks, case: str, sample: Path, tmp_path: Path) -> None:
    """With what to do; whoever previews the pages reads the same line as whoever builds them."""
    name, text, said = BROKEN[case]
    site = reader_site.write(tmp_path / "site")
    reader_site.put(site / name, text)
    done = reader_site.run(forks, site, tmp_path / "scratch", tmp_path if case == "no database" else sample)
    assert (done.returncode, done.stdout, len(done.stderr.splitlines())) == (1, "", 1)
    assert (said or str(pages.load_pages(site)[2][0])) in done.stderr


def test_a_build_says_what_a_page_lacks(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """It is the problem itself, and not the last words of a program that failed."""
    site = reader_site.write(tmp_path / "site")
    reader_site.put(site / "pages" / "media.js", reader_site.MEDIA.replace("nav: {", "nave: {"))
    monkeypatch.setattr(step, "ROOT", tmp_path)
    with step.Site(tmp_path / "data", tmp_path / "build", tmp_path / "dist") as begun:
        found, _ = begun.build()
    assert found == begun.problems == pages.load_pages(site)[2]
    assert [problem.file for problem in found] == ["site/pages/media.js"]
    assert not (tmp_path / "dist").exists()


@pytest.mark.parametrize(
    ("part", "program", "what", "log"),
    [
        ("--machine", "echo broken >&2; exit 3", "broken", "fine\nbroken\nfine\n"),
        ("--frame", "echo 'site/pages/x.md: no such name' >&2; exit 1", "site/pages/x.md: no such name", None),
    ],
)
def test_a_program_that_fails_stops_the_step_and_is_quoted(  # noqa: PLR0913, PLR0917  (one for each column)
    part: str, program: str, what: str, log: str | None, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Those that run at the same time are each waited for, and the framework, which has begun before; all is kept."""
    monkeypatch.setattr(pages, "load_pages", lambda _: ([], [], []))
    monkeypatch.setattr(step, "make_command", lambda _, own: ["sh", "-c", program if own == part else "echo fine"])
    printed = tmp_path / "site.log"
    with step.Site(tmp_path / "data", tmp_path / "build", tmp_path / "dist") as begun:
        (problem,), _ = begun.build(printed)
    assert (problem.file, problem.what, problem.rule) == ("site", what, "R-SITE-1")
    assert log is None or printed.read_text(encoding="utf-8") == log
    assert [path.name for path in tmp_path.iterdir()] == ["site.log"]


def test_a_framework_whose_database_is_never_finished_is_ended(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Neither the program nor its folder is left behind."""
    monkeypatch.setattr(pages, "load_pages", lambda _: ([], [], []))
    monkeypatch.setattr(step, "make_command", lambda *_: ["sh", "-c", "sleep 60"])
    began = time.monotonic()
    with step.Site(tmp_path / "data", tmp_path / "build", tmp_path / "dist"):
        assert [path.name.endswith("-scratch") for path in tmp_path.iterdir()] == [True]
    assert time.monotonic() - began < 30
    assert list(tmp_path.iterdir()) == []


def test_a_preview_shows_its_own_workspace_and_nothing_of_another(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Tables, raw files and the lineage beside the pages come from there."""
    asked: list[dict[str, str]] = []

    def answer(command: list[str], *, env: dict[str, str], **_: object) -> subprocess.CompletedProcess[str]:
        asked.append(env)
        return subprocess.CompletedProcess(command, 0)

    monkeypatch.setattr(subprocess, "run", answer)
    assert step.preview(Workspace(tmp_path)) == 0
    shown = {name: asked[0][f"IOLEDGER_{name.upper()}"] for name in ("build", "data", "dist")}
    assert shown == {name: str(tmp_path / name) for name in ("build", "data", "dist")}
    assert asked[0]["IOLEDGER_SCRATCH"].startswith(str(tmp_path))
    assert list(tmp_path.iterdir()) == []
