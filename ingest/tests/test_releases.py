"""A release: whole, the same from the same commit, and every byte that changes in it is named."""

from __future__ import annotations

import hashlib
import json
import re
import shutil
from typing import TYPE_CHECKING, Any

import duckdb
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
import yaml

import released
from ioledger.releases import diff, format_list, list_files
from ioledger.releases import release as releasing
from ioledger.tables.schema import marts
from ioledger.tables.store import write_parquet
from ioledger.workspace import Workspace

if TYPE_CHECKING:
    from pathlib import Path

    from conftest import Run

TAG = "v1.2"
PEAKS = "download/marts/peaks"


@pytest.fixture(scope="module")
def place(sample: Path, tmp_path_factory: pytest.TempPathFactory) -> Workspace:
    """Return a small checkout, built and committed."""
    return released.checkout(sample, tmp_path_factory.mktemp("released") / "checkout")


@pytest.fixture(scope="module")
def whole(place: Workspace) -> Path:
    """Return the release of that checkout; no test changes it."""
    out = place.folder.parent / "release"
    assert _release(place, out) == []
    return out


@pytest.fixture
def release(whole: Path, tmp_path: Path) -> Path:
    """Return a copy of the release, to spoil."""
    return shutil.copytree(whole, tmp_path / "release")


@pytest.fixture
def clone(place: Workspace, tmp_path: Path) -> Path:
    """Return a copy of the checkout, to spoil."""
    return shutil.copytree(place.folder, tmp_path / "clone")


def _release(place: Workspace, out: Path) -> list[str]:
    return [problem.rule for problem in releasing.write_release(place, out, lambda _: None, tag=TAG)]


def _problems(release: Path, checkout: Path | None = None) -> dict[tuple[str, str], str]:
    """Return the place of each problem by the path of its file below the folder that holds all, and its rule."""
    found = releasing.verify(release, checkout).problems
    above = (str(release), str(checkout))
    names = {}
    for problem in found:
        base = next(each for each in above if problem.file.startswith(each))
        names[problem.file.removeprefix(base).lstrip("/"), problem.rule] = problem.place
    return names


def _spoil(path: Path) -> None:
    """Change the byte in the middle of a file."""
    content = bytearray(path.read_bytes())
    content[len(content) // 2] ^= 1
    path.write_bytes(content)


def _relist(release: Path) -> None:
    """Write the list of hashes anew, as somebody would who hides a change."""
    (release / releasing.SUMS).unlink()
    (release / releasing.SUMS).write_bytes(format_list(list_files(release)))


def test_a_release_is_sound_by_itself_and_against_its_commit(whole: Path, place: Workspace) -> None:
    """Everything was looked at, and nothing is wrong."""
    found = releasing.verify(whole, place.folder)
    assert found.problems == []
    assert found.release_id == json.loads((whole / "release.json").read_bytes())["release_id"]
    assert found.looked_at["tables"] == len(list((place.build).glob("**/*.parquet")))
    assert min(found.looked_at[what] for what in ("files", "raw files", "pages")) > 2


def test_the_same_commit_gives_the_same_release_in_any_folder(clone: Path, whole: Path, release: Path) -> None:
    """Each file, byte by byte; and one that is there is replaced."""
    (release / "more.txt").write_text("more", encoding="utf-8")
    assert _release(Workspace(clone), release) == []
    first, second = (format_list(list_files(each)) for each in (whole, release))
    assert first == second


def test_a_release_holds_every_form_description_and_licence(whole: Path, place: Workspace) -> None:
    """The tables as the site offers them; hashes, citation and terms beside them."""
    names = list_files(whole).keys()
    for name in (path.relative_to(place.build).as_posix() for path in place.build.rglob("*.parquet")):
        stem = f"download/{name.removesuffix('.parquet')}"
        endings = [".parquet", ".arrow", ".csv.gz"]
        if name.startswith("raw/") and name.removeprefix("raw/").removesuffix(".parquet") in marts():
            endings = [".parquet"]
        assert {f"{stem}{ending}" for ending in endings} <= names
    assert {
        "download/ioledger.duckdb", "datapackage.json", "croissant.json", "SHA256SUMS", "CITATION.cff", "LICENSE",
        "LICENSE-DATA", "licences/index.json", "README.md", "release.json", "site.sha256",
    } <= names  # fmt: skip
    lines = (line.split("  ", 1) for line in (whole / "SHA256SUMS").read_text(encoding="utf-8").splitlines())
    assert {name: value for value, name in lines} == {
        name: hashlib.sha256((whole / name).read_bytes()).hexdigest() for name in names if name != "SHA256SUMS"
    }
    licences = json.loads((whole / "licences" / "index.json").read_bytes())
    foreign = [each for each in licences if each["origin_repository"]]
    assert foreign
    for each in foreign:
        assert (whole / each["text"]).read_bytes() == (place.data / each["submission_id"] / "LICENCE").read_bytes()


def test_the_citation_names_the_release_and_the_commit_of_a_day(whole: Path) -> None:
    """The day is that of the commit, in UTC; the fields are those of the Citation File Format."""
    stated, cited = (
        json.loads((whole / "release.json").read_bytes()),
        yaml.safe_load((whole / "CITATION.cff").read_text()),
    )
    assert (cited["version"], cited["date-released"], cited["commit"]) == ("1.2", "2026-11-23", stated["commit"])
    assert cited["identifiers"][0]["value"] == stated["release_id"]
    assert {"cff-version", "message", "title", "authors", "license"} <= cited.keys()
    assert stated["release_id"] in (whole / "README.md").read_text()


LICENCE = "licences/2026-11-tester-two-drives.txt"
DERIVED = {"LICENSE", LICENCE, "CITATION.cff", "README.md"}
"""Files that the commit gives."""
ALONE = {f"{PEAKS}.arrow", f"{PEAKS}.csv.gz", "datapackage.json", "croissant.json"} | DERIVED


def test_one_changed_byte_of_any_file_is_named(release: Path, place: Workspace) -> None:
    """Of each kind of file, and of nothing else."""
    for name in ALONE:
        _spoil(release / name)
    found = _problems(release, place.folder)
    assert {name for name, rule in found if rule == "R-RELEASE-1"} == ALONE
    assert {name for name, rule in found if rule == "R-RELEASE-5"} == DERIVED
    assert {name for name, _ in found} == ALONE


@pytest.mark.parametrize(
    "name",
    [f"{PEAKS}.parquet", "download/ioledger.duckdb", "download/manifest.json", "site.sha256", "release.json"],
)
def test_one_changed_byte_of_what_others_are_held_against_is_named(name: str, release: Path) -> None:
    """Whatever else is in the wrong then; bytes of nothing are one line, too."""
    _spoil(release / name)
    assert (name, "R-RELEASE-1") in _problems(release)
    (release / name).write_bytes(b"nothing")
    assert (name, "R-RELEASE-1") in _problems(release)


def test_a_changed_list_of_hashes_is_named(release: Path) -> None:
    """A hash that is another's, and a line that is none."""
    sums = release / "SHA256SUMS"
    content = sums.read_bytes()
    sums.write_bytes((b"0" if content[:1] != b"0" else b"1") + content[1:])
    changed = {name for name, rule in _problems(release) if rule == "R-RELEASE-1"}
    assert changed == {content.splitlines()[0].decode().split("  ")[1]}
    sums.write_bytes(b"x" + content[1:])
    assert _problems(release)["SHA256SUMS", "R-RELEASE-1"] == "line 1"
    sums.unlink()
    assert ("SHA256SUMS", "R-RELEASE-1") in _problems(release)


def test_what_is_missing_added_or_changed_is_named(release: Path, clone: Path) -> None:
    """Of the release, of the raw files by the hashes in the tables, and of the pages by the list in the release."""
    (release / "LICENSE-DATA").unlink()
    (release / "more.txt").write_text("more", encoding="utf-8")
    gone = next(path for path in sorted(clone.glob("data/*/*")) if path.name not in {"manifest.yaml", "LICENCE"})
    gone.unlink()
    (clone / "dist" / "index.html").unlink()
    (clone / "dist" / "more.html").write_text("more", encoding="utf-8")
    (clone / "build" / "marts" / "peaks.parquet").unlink()
    changed = next(path for path in sorted(clone.glob("data/*/*.json")) if path != gone)
    for path in (changed, clone / "dist" / "data" / "home.json"):
        _spoil(path)
    assert _problems(release, clone).keys() == {
        ("LICENSE-DATA", "R-RELEASE-1"), ("LICENSE-DATA", "R-RELEASE-5"), ("more.txt", "R-RELEASE-1"),
        *((path.relative_to(clone).as_posix(), "R-RELEASE-5") for path in (gone, changed)), ("build", "R-RELEASE-2"),
        *((f"dist/{name}", "R-RELEASE-5") for name in ("index.html", "more.html", "data/home.json")),
    }  # fmt: skip


def test_a_changed_licence_is_found_by_the_commit_and_another_commit_is_named(release: Path, clone: Path) -> None:
    """Whoever changes a file and its hash cannot change the commit; a clone at another one vouches for nothing."""
    _spoil(release / LICENCE)
    _relist(release)
    assert _problems(release) == {}
    assert _problems(release, clone).keys() == {(LICENCE, "R-RELEASE-5")}
    (clone / "LICENSE-DATA").write_text("Other terms.", encoding="utf-8")
    released.commit(clone)
    assert _problems(release, clone).keys() == {(name, "R-RELEASE-5") for name in ("", LICENCE, "LICENSE-DATA")}


@pytest.mark.parametrize("form", [".parquet", ".duckdb"])
def test_a_changed_value_that_is_hidden_in_the_list_changes_the_id(form: str, release: Path) -> None:
    """It follows from the tables, so that the manifest and release.json disagree with them."""
    rows = pq.read_table(release / f"{PEAKS}.parquet")
    if form == ".duckdb":
        with duckdb.connect(release / "download" / "ioledger.duckdb") as connection:
            connection.execute("update peaks set peak_value = peak_value * 2")
    else:
        texts = ["other", *rows.column(0).to_pylist()[1:]]
        write_parquet(rows.set_column(0, rows.schema.field(0), pa.array(texts)), release / f"{PEAKS}.parquet")
    _relist(release)
    place = "database_sha256" if form == ".duckdb" else "release_id"
    assert _problems(release) == {
        ("download/manifest.json", "R-RELEASE-2"): place,
        ("release.json", "R-RELEASE-2"): "release_id",
    }


def test_nothing_is_released_from_what_is_no_whole_commit(clone: Path, tmp_path: Path) -> None:
    """A changed file, another build, a site of another build, a tag of another commit, and a folder of somebody."""
    place, out = Workspace(clone), tmp_path / "out"
    manifest = clone / "dist" / "download" / "manifest.json"
    text = manifest.read_text(encoding="utf-8")
    manifest.write_text(re.sub(r'"release_id": "..', '"release_id": "zz', text), encoding="utf-8")
    assert _release(place, out) == ["R-RELEASE-8"]
    manifest.write_text(text, encoding="utf-8")
    (clone / "LICENSE-DATA").write_text("Other terms.", encoding="utf-8")
    assert _release(place, out) == ["R-RELEASE-8"]
    released.commit(clone)
    released.git(clone, "tag", TAG)
    _spoil(next(path for path in sorted(clone.glob("data/*/*.json"))))
    released.commit(clone)
    assert _release(place, out) == ["R-RELEASE-8"]  # the tag names the commit before
    released.git(clone, "tag", "-d", TAG)
    assert _release(place, out) == ["R-RELEASE-5"]
    out.mkdir()
    (out / "mine.txt").write_text("mine", encoding="utf-8")
    assert _release(place, out) == ["R-RELEASE-8"]
    assert [path.name for path in out.iterdir()] == ["mine.txt"]
    (refused,) = releasing.write_release(place, tmp_path / "new", lambda _: None, tag="latest")
    assert refused.rule == "R-RELEASE-8"
    assert sorted(path.name for path in tmp_path.iterdir()) == ["clone", "out"]


def test_the_commands_release_and_verify(place: Workspace, tmp_path: Path, ioledger: Run) -> None:
    """A folder, its check for people and programs, and exit code 1 with a line for a changed byte."""
    out = tmp_path / "release"
    made = ioledger("release", out, "--workspace", place.folder)
    assert (made.returncode, made.stdout) == (0, f"{out}\n"), made.stderr
    stated = json.loads((out / "release.json").read_bytes())
    assert (stated["tag"], stated["version"]) == (None, f"0.1.0+{stated['release_id'][:12]}")
    sound = ioledger("verify", out, "--checkout", place.folder)
    assert (sound.returncode, sound.stdout) == (0, "")
    assert sound.stderr.endswith("; 0 problems\n")
    page = out / "README.md"
    page.write_bytes(page.read_bytes() + b" ")
    changed = ioledger("verify", out)
    assert (changed.returncode, changed.stderr.count("\n")) == (1, 2)
    assert changed.stderr.startswith(f"{page}: its content has changed: ")
    told: dict[str, Any] = json.loads(ioledger("verify", out, "--json").stdout)
    assert told["release_id"] == stated["release_id"]
    assert [problem["rule"] for problem in told["problems"]] == ["R-RELEASE-1"]
    refused = ioledger("release", out, "--workspace", tmp_path)
    assert (refused.returncode, refused.stderr.count("[R-RELEASE-8]")) == (1, 1)


def test_a_release_says_what_moved_since_an_earlier_one(place: Workspace, whole: Path, tmp_path: Path) -> None:
    """The report of ``ioledger diff`` stands in it; it is one of the files that its list names."""
    out = tmp_path / "out"
    assert releasing.write_release(place, out, lambda _: None, tag=TAG, since=whole) == []
    assert (out / "CHANGES.md").read_text(encoding="utf-8") == diff.format_markdown(diff.compare(whole, out))
    assert releasing.verify(out, place.folder).problems == []
