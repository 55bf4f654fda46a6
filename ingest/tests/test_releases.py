"""A release: whole, the same from the same commit, and every byte that changes in it is named."""

from __future__ import annotations

import gzip
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
from ioledger.releases import bill, difference, folder, forms, verifying
from ioledger.tables.schema import ROOT, marts
from ioledger.tables.store import write_parquet
from ioledger.workspace import Workspace

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path
    from subprocess import CompletedProcess

    Run = Callable[..., CompletedProcess[str]]

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
    return [problem.rule for problem in folder.write(folder.Asked(place, TAG), out, lambda _: None)]


def _problems(release: Path, checkout: Path | None = None) -> dict[tuple[str, str], str]:
    """Return the place of each problem by the path of its file below the folder that holds all, and its rule."""
    found = verifying.verify(release, checkout).problems
    above = (str(release), str(checkout))
    names = {}
    for problem in found:
        base = next(each for each in above if problem.file.startswith(each))
        names[problem.file.removeprefix(base).lstrip("/"), problem.rule] = problem.place
    return names


def _spoil(path: Path, at: int = -1) -> None:
    """Change one byte of a file: by default the one in its middle."""
    content = bytearray(path.read_bytes())
    content[at if at >= 0 else len(content) // 2] ^= 1
    path.write_bytes(content)


def _relist(release: Path) -> None:
    """Write the list of hashes anew, as somebody would who hides a change."""
    names = sorted(path.relative_to(release).as_posix() for path in release.rglob("*") if path.is_file())
    lines = (
        f"{hashlib.sha256((release / name).read_bytes()).hexdigest()}  {name}\n"
        for name in names
        if name != folder.SUMS
    )
    (release / folder.SUMS).write_text("".join(lines), encoding="utf-8")


def test_a_release_is_sound_by_itself_and_against_its_commit(whole: Path, place: Workspace) -> None:
    """Everything was looked at, and nothing is wrong."""
    found = verifying.verify(whole, place.folder)
    assert found.problems == []
    assert found.release_id == json.loads((whole / "release.json").read_bytes())["release_id"]
    assert found.looked_at["tables"] == len(list((place.build).glob("**/*.parquet")))
    assert min(found.looked_at[what] for what in ("files", "raw files", "pages")) > 2


def test_the_same_commit_gives_the_same_release_in_any_folder(place: Workspace, whole: Path, tmp_path: Path) -> None:
    """Each file, byte by byte; and one that is there is replaced."""
    moved = Workspace(shutil.copytree(place.folder, tmp_path / "a folder of another name"))
    out = tmp_path / "out"
    for _ in range(2):
        assert _release(moved, out) == []
        first, second = ({name: path.read_bytes() for name, path in _files(each)} for each in (whole, out))
        first_database, second_database = (each.pop("download/ioledger.duckdb") for each in (first, second))
        assert first == second
        assert first_database == second_database  # it is copied


def _files(below: Path) -> Iterator[tuple[str, Path]]:
    return ((path.relative_to(below).as_posix(), path) for path in sorted(below.rglob("*")) if path.is_file())


def test_a_release_holds_every_form_description_and_licence(whole: Path, place: Workspace) -> None:
    """The tables as the site offers them; hashes, citation, terms and the bill of materials beside them."""
    names = {name for name, _ in _files(whole)}
    for name in (path.relative_to(place.build).as_posix() for path in place.build.rglob("*.parquet")):
        stem = f"download/{name.removesuffix('.parquet')}"
        endings = [".parquet"] if name.removesuffix(".parquet") in marts() else [".parquet", ".arrow", ".csv.gz"]
        assert {f"{stem}{ending}" for ending in endings} <= names
    assert {
        "download/ioledger.duckdb", "datapackage.json", "croissant.json", "SHA256SUMS", "sbom.cdx.json", "CITATION.cff",
        "LICENSE", "LICENSE-DATA", "licences/index.json", "README.md", "release.json", "site.sha256",
    } <= names  # fmt: skip
    lines = (line.split("  ", 1) for line in (whole / "SHA256SUMS").read_text(encoding="utf-8").splitlines())
    listed = {name: value for value, name in lines}
    assert listed == {
        name: hashlib.sha256(path.read_bytes()).hexdigest() for name, path in _files(whole) if name != "SHA256SUMS"
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
DERIVED = {"sbom.cdx.json", "LICENSE", LICENCE, "CITATION.cff", "README.md"}
"""Files that the commit gives, so that a changed byte has a place."""


ALONE = {
    f"{PEAKS}.arrow",
    f"{PEAKS}.csv.gz",
    "datapackage.json",
    "croissant.json",
    "download/ioledger.duckdb",
} | DERIVED


def test_one_changed_byte_of_any_file_is_named(release: Path, place: Workspace) -> None:
    """Of each kind of file, and of nothing else; where the commit gives the file, with the place of the byte."""
    for name in ALONE:
        _spoil(release / name)
    found = _problems(release, place.folder)
    assert {name for name, rule in found if rule == "R-RELEASE-3"} == ALONE
    assert {name for name, _ in found} == ALONE
    for name in DERIVED:
        assert found[name, "R-RELEASE-7"] == f"byte {(release / name).stat().st_size // 2}"


@pytest.mark.parametrize("name", [f"{PEAKS}.parquet", "download/manifest.json", "site.sha256", "release.json"])
def test_one_changed_byte_of_what_others_are_held_against_is_named(name: str, release: Path) -> None:
    """Whatever else is in the wrong then."""
    _spoil(release / name)
    assert (name, "R-RELEASE-3") in _problems(release)


def test_a_changed_list_of_hashes_is_named(release: Path) -> None:
    """A hash that is another's, and a line that is none."""
    sums = release / "SHA256SUMS"
    content = sums.read_bytes()
    sums.write_bytes((b"0" if content[:1] != b"0" else b"1") + content[1:])
    changed = {name for name, rule in _problems(release) if rule == "R-RELEASE-3"}
    assert changed == {content.splitlines()[0].decode().split("  ")[1]}
    sums.write_bytes(b"x" + content[1:])
    assert _problems(release)["SHA256SUMS", "R-RELEASE-3"] == "line 1"
    sums.unlink()
    assert ("SHA256SUMS", "R-RELEASE-3") in _problems(release)


def test_what_is_missing_and_what_is_added_is_named(release: Path, clone: Path) -> None:
    """Of the release, of the raw files, and of the pages."""
    (release / "LICENSE-DATA").unlink()
    (release / "more.txt").write_text("more", encoding="utf-8")
    gone = next(path for path in sorted(clone.glob("data/*/*")) if path.name not in {"manifest.yaml", "LICENCE"})
    gone.unlink()
    (clone / "dist" / "index.html").unlink()
    (clone / "dist" / "more.html").write_text("more", encoding="utf-8")
    (clone / "build" / "marts" / "peaks.parquet").unlink()
    assert _problems(release, clone).keys() == {
        ("LICENSE-DATA", "R-RELEASE-3"), ("LICENSE-DATA", "R-RELEASE-7"), ("more.txt", "R-RELEASE-3"),
        (gone.relative_to(clone).as_posix(), "R-RELEASE-5"), ("dist/index.html", "R-RELEASE-6"),
        ("dist/more.html", "R-RELEASE-6"), ("build/marts/peaks.parquet", "R-RELEASE-4"),
        ("build/ioledger.duckdb", "R-RELEASE-2"),
    }  # fmt: skip


def test_a_changed_raw_file_and_a_changed_page_are_named(whole: Path, clone: Path) -> None:
    """One byte each; raw files by the hashes in the tables, pages by the list in the release."""
    raw = next(path for path in sorted(clone.glob("data/*/*.json")))
    for path in (raw, clone / "dist" / "index.html", clone / "dist" / "data" / "home.json"):
        _spoil(path)
    assert _problems(whole, clone).keys() == {
        (raw.relative_to(clone).as_posix(), "R-RELEASE-5"), ("dist/index.html", "R-RELEASE-6"),
        ("dist/data/home.json", "R-RELEASE-6"),
    }  # fmt: skip


def test_another_commit_is_named(whole: Path, clone: Path) -> None:
    """A clone that stands elsewhere vouches for nothing."""
    (clone / "LICENSE-DATA").write_text("Other terms.", encoding="utf-8")
    released.commit(clone)
    assert _problems(whole, clone).keys() == {("", "R-RELEASE-5"), ("LICENSE-DATA", "R-RELEASE-7")}


def _with_a_change(rows: pa.Table) -> pa.Table:
    """Return rows with another text in the third row of the first column."""
    texts = rows.column(0).to_pylist()
    texts[2] = "other"
    return rows.set_column(0, rows.schema.field(0), pa.array(texts))


@pytest.mark.parametrize("form", [".parquet", ".arrow", ".csv.gz", ".duckdb"])
def test_a_change_that_is_hidden_in_the_list_is_found_in_the_table(form: str, release: Path) -> None:
    """The forms of a table vouch for each other: row and column are named, and what both have."""
    rows = pq.read_table(release / f"{PEAKS}.parquet")
    changed, column = _with_a_change(rows), rows.column_names[0]
    path = release / (f"{PEAKS}{form}" if form != ".duckdb" else "download/ioledger.duckdb")
    if form == ".duckdb":
        with duckdb.connect(path) as connection:
            query = f"update peaks set {column} = 'other' where {column} = ?"  # noqa: S608
            connection.execute(query, [rows.column(0)[2].as_py()])
    else:
        writers = {".parquet": write_parquet, ".arrow": forms.write_arrow, ".csv.gz": forms.write_csv}
        writers[form](changed, path)
    _relist(release)
    (named,) = (each for each in verifying.verify(release, None).problems if each.rule == "R-RELEASE-4")
    assert named.file == str(path)
    if form == ".duckdb":
        assert named.place.startswith("table main.peaks, row ")
    else:
        assert named.place == f"row 3, column {column}"
        assert named.what == f"it has 'other', and another form of the release {rows.column(0)[2].as_py()!r}"


def test_a_changed_bill_or_licence_is_found_by_the_commit(release: Path, place: Workspace) -> None:
    """Whoever changes a file and its hash cannot change the commit."""
    for name in ("sbom.cdx.json", LICENCE):
        _spoil(release / name)
    _relist(release)
    assert _problems(release) == {}
    assert _problems(release, place.folder).keys() == {("sbom.cdx.json", "R-RELEASE-7"), (LICENCE, "R-RELEASE-7")}


def test_what_is_no_table_is_one_line(release: Path) -> None:
    """Bytes of nothing in each form, and in what says what the release is."""
    for form in (".arrow", ".csv.gz"):
        (release / f"{PEAKS}{form}").write_bytes(b"nothing")
    (release / "download" / "peaks.parquet").write_bytes(b"nothing")
    (release / "download" / "figures.parquet").write_bytes(b"nothing")
    (release / "download" / "ioledger.duckdb").write_bytes(b"nothing")
    (release / "datapackage.json").write_bytes(b"{}")
    found = _problems(release)
    assert {name for name, rule in found if rule == "R-RELEASE-1"} == {
        f"{PEAKS}.arrow", f"{PEAKS}.csv.gz", "download/figures.parquet", "download/ioledger.duckdb", "datapackage.json",
    }  # fmt: skip
    assert ("download/peaks.parquet", "R-RELEASE-4") in found
    (release / "release.json").write_bytes(b"[]")
    assert ("release.json", "R-RELEASE-1") in _problems(release)


def test_a_table_of_other_columns_is_one_line(release: Path, place: Workspace) -> None:
    """Lists and bytes, which no table of a build has, and a table without the columns that are asked for."""
    for name, odd in {"drives": [1], "claims": b"1"}.items():
        path = release / "download" / f"{name}.parquet"
        table = pq.read_table(path)
        pq.write_table(table.append_column("odd", pa.array([odd] * table.num_rows)), path)
    files = release / "download" / "files.parquet"
    pq.write_table(pq.read_table(files).drop_columns(["path"]), files)
    found = _problems(release, place.folder)
    assert {name for name, rule in found if rule == "R-RELEASE-1"} == {
        "download/drives.parquet", "download/claims.parquet", "download/files.parquet", "download/files.arrow",
        "download/files.csv.gz",
    }  # fmt: skip


def test_nothing_is_released_from_what_is_no_whole_commit(clone: Path, tmp_path: Path) -> None:
    """A changed file, another build, a site of another build, a tag of another commit, and a folder of somebody."""
    place, out = Workspace(clone), tmp_path / "out"
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
    assert folder.write(folder.Asked(place, "latest"), tmp_path / "new", lambda _: None)[0].rule == "R-RELEASE-8"
    assert sorted(path.name for path in tmp_path.iterdir()) == ["clone", "out"]


def test_a_site_of_another_build_is_not_released(clone: Path, tmp_path: Path) -> None:
    """Its pages would show other numbers than the tables."""
    manifest = clone / "dist" / "download" / "manifest.json"
    text = manifest.read_text(encoding="utf-8")
    manifest.write_text(re.sub(r'"release_id": "..', '"release_id": "zz', text), encoding="utf-8")
    assert _release(Workspace(clone), tmp_path / "out") == ["R-RELEASE-8"]


def test_the_bill_of_materials_names_every_package_of_both_locks() -> None:
    """Each with version, place and hashes, in the fields that CycloneDX 1.6 asks for, and without a time."""
    found = json.loads(bill.bill(ROOT))
    assert (found["bomFormat"], found["specVersion"], found["version"]) == ("CycloneDX", "1.6", 1)
    assert re.fullmatch(r"urn:uuid:[0-9a-f-]{36}", found["serialNumber"])
    assert "timestamp" not in found["metadata"]
    by_purl = {each["purl"]: each for each in found["components"]}
    assert len(by_purl) == len(found["components"]) == len({each["bom-ref"] for each in found["components"]})
    assert all({"type", "name", "version"} <= each.keys() for each in by_purl.values())
    pinned = re.findall(
        r"^([\w.-]+)==([^\s;]+)", (ROOT / "requirements.lock").read_text(encoding="utf-8"), re.MULTILINE
    )
    assert {f"pkg:pypi/{re.sub('[-_.]+', '-', name).lower()}@{version}" for name, version in pinned} == {
        purl for purl in by_purl if purl.startswith("pkg:pypi/")
    }
    packages = json.loads((ROOT / "package-lock.json").read_bytes())["packages"]
    for path, stated in packages.items():
        if path:
            name = (stated.get("name") or path.rpartition("node_modules/")[2]).replace("@", "%40", 1)
            component = by_purl[f"pkg:npm/{name}@{stated['version']}"]
            assert ("hashes" in component) == ("integrity" in stated), path
            assert all(re.fullmatch("[0-9a-f]{128}", each["content"]) for each in component.get("hashes", ()))
    for purl in (purl for purl in by_purl if purl.startswith("pkg:pypi/")):
        (place,) = by_purl[purl]["externalReferences"]
        assert place["hashes"], purl
        assert all(re.fullmatch("[0-9a-f]{64}", each["content"]) for each in place["hashes"])


@pytest.mark.parametrize("line", ["somebody @ https://example.org/x.whl", "    --hash=sha256:" + "0" * 64])
def test_a_lock_that_is_none_is_refused(tmp_path: Path, line: str) -> None:
    """What cannot be read is not left out of the bill."""
    (tmp_path / "requirements.lock").write_text(f"{line}\n", encoding="utf-8")
    (tmp_path / "package-lock.json").write_text('{"packages": {}}', encoding="utf-8")
    with pytest.raises(ValueError, match=r"requirements\.lock"):
        bill.bill(tmp_path)


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
    assert changed.stderr.startswith(f"{page}: its bytes have changed: ")
    told: dict[str, Any] = json.loads(ioledger("verify", out, "--json").stdout)
    assert told["release_id"] == stated["release_id"]
    assert [problem["rule"] for problem in told["problems"]] == ["R-RELEASE-3"]
    refused = ioledger("release", out, "--workspace", tmp_path)
    assert (refused.returncode, refused.stderr.count("[R-RELEASE-8]")) == (1, 1)


def test_a_release_says_what_moved_since_an_earlier_one(place: Workspace, whole: Path, tmp_path: Path) -> None:
    """The report of ``ioledger diff`` stands in it; it is one of the files that its list names."""
    out = tmp_path / "out"
    assert folder.write(folder.Asked(place, TAG, since=whole), out, lambda _: None) == []
    assert (out / "CHANGES.md").read_text(encoding="utf-8") == difference.report(whole, out)
    assert verifying.verify(out, place.folder).problems == []


def test_a_csv_of_the_release_is_what_gzip_unpacks(whole: Path) -> None:
    """Any program reads it; its first line names the columns."""
    with gzip.open(whole / f"{PEAKS}.csv.gz", "rt", encoding="utf-8") as text:
        names = text.readline().rstrip("\n").replace('"', "").split(",")
    assert names == pq.read_schema(whole / f"{PEAKS}.parquet").names
