"""The frame of the pages, which the framework makes once for the same sources."""

from __future__ import annotations

import re
import sys
from pathlib import Path

import pytest

from ioledger.build.site import Site, make_command
from ioledger.tables.schema import ROOT

sys.path.append(str(ROOT / "site" / "data"))
import frame  # (a module of the site's scripts)

FRAMEWORK = """
const {appendFileSync, mkdirSync, readFileSync, writeFileSync} = require("node:fs");
const {FOLDER, IOLEDGER_DIST} = process.env;
appendFileSync(`${FOLDER}/runs`, "x");
mkdirSync(`${IOLEDGER_DIST}/_import`, {recursive: true});
const page = readFileSync(`${FOLDER}/aside/tree/index.md`, "utf8");
writeFileSync(`${IOLEDGER_DIST}/index.html`, page);
writeFileSync(`${IOLEDGER_DIST}/_import/style.css`, "");
if (page === "wrong") process.exit(3);
"""
IMPORTED = re.compile(r'^import .*?from "(\.[^"]+)";', re.MULTILINE)


class Framed:
    """A small tree, and a framework that copies its one page and counts its runs."""

    def __init__(self, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        """Write the tree below a folder."""
        self._folder, self._monkeypatch = folder, monkeypatch
        (folder / "aside" / "tree").mkdir(parents=True)
        (folder / "aside" / "frame.json").write_text("{}", encoding="utf-8")
        (folder / "framework.cjs").write_text(FRAMEWORK, encoding="utf-8")
        (folder / "runs").touch()
        monkeypatch.setenv("FOLDER", str(folder))
        monkeypatch.setattr(frame, "FRAMEWORK", folder / "framework.cjs")
        monkeypatch.setattr(frame, "CACHE", folder / "kept")
        self.write("A page")

    def write(self, page: str) -> None:
        """Give the tree a page."""
        (self._folder / "aside" / "tree" / "index.md").write_text(page, encoding="utf-8")

    def build(self, dist: str, *, anew: bool = False) -> tuple[int, str]:
        """Make the frame into a folder; return the exit code and what its page says."""
        place = self._folder / dist
        self._monkeypatch.setenv("IOLEDGER_DIST", str(place))
        code = frame.build(self._folder / "aside", place, anew=anew)
        assert (place / "_import" / "style.css").exists()
        return code, (place / "index.html").read_text(encoding="utf-8")

    @property
    def runs(self) -> int:
        """How often the framework has run."""
        return (self._folder / "runs").stat().st_size

    @property
    def kept(self) -> list[Path]:
        """The frames that are kept."""
        return sorted((self._folder / "kept").iterdir())


@pytest.fixture
def framed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Framed:
    """Return a small tree with a framework."""
    return Framed(tmp_path, monkeypatch)


def test_the_frame_of_the_same_sources_is_made_once(framed: Framed, tmp_path: Path) -> None:
    """What later steps write into the one that was taken is not in the next."""
    assert framed.build("one") == framed.build("two") == (0, "A page")
    (tmp_path / "two" / "index.html").write_text("drawn", encoding="utf-8")
    assert framed.build("three") == (0, "A page")
    assert framed.runs == 1


def test_a_changed_source_makes_the_frame_anew(framed: Framed, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A page, what the framework is told of the site, its configuration, a package."""
    framed.build("one")
    framed.write("Another page")
    assert framed.build("two") == (0, "Another page")
    assert [(path / "index.html").read_text(encoding="utf-8") for path in framed.kept] == ["Another page"], (
        "one is kept"
    )
    (tmp_path / "aside" / "frame.json").write_text('{"address": "https://ledger.example"}', encoding="utf-8")
    framed.build("three")
    assert framed.runs == 3
    known = frame.key(tmp_path / "aside")
    for name in frame.CODE:
        with monkeypatch.context() as without:
            without.setattr(frame, "CODE", tuple(other for other in frame.CODE if other != name))
            assert frame.key(tmp_path / "aside") != known, name


def test_a_build_that_makes_all_anew_takes_no_kept_frame(framed: Framed, tmp_path: Path) -> None:
    """The new one takes its place."""
    framed.build("one")
    (kept,) = framed.kept
    (kept / "index.html").write_text("spoilt", encoding="utf-8")
    assert framed.build("two") == (0, "spoilt")
    assert framed.build("three", anew=True) == framed.build("four") == (0, "A page")
    assert framed.runs == 2
    begun = [Site(tmp_path, tmp_path, tmp_path, anew=anew) for anew in (False, True)]
    assert [make_command(tmp_path, site.frame)[-1] for site in begun] == ["--frame", "--new-frame"]


def test_a_frame_that_failed_is_not_kept(framed: Framed, tmp_path: Path) -> None:
    """The next build says again what is wrong."""
    framed.write("wrong")
    assert [framed.build(name)[0] for name in ("one", "two")] == [3, 3]
    assert framed.runs == 2
    assert not (tmp_path / "kept").exists()


def test_all_that_the_configuration_imports_is_among_what_a_frame_is_made_of() -> None:
    """Also what that imports, to the end; packages are those of the lock."""
    seen, left = set[Path](), [ROOT / "observablehq.config.js"]
    while left:
        path = left.pop()
        seen.add(path)
        found = {(path.parent / name).resolve() for name in IMPORTED.findall(path.read_text(encoding="utf-8"))}
        left += found - seen
    assert len(seen) > 3
    code = [ROOT / name for name in frame.CODE]
    assert [path for path in seen if not any(path.is_relative_to(each) for each in code)] == []
