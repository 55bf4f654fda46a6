"""Excerpts made from originals that lie elsewhere, and held against them."""

from __future__ import annotations

import csv
import gzip
import json
import lzma
import os
import shutil
from itertools import pairwise
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import hostile
from conftest import FIXTURES
from ioledger.build import base
from ioledger.imports import excerpt
from ioledger.model import Source
from ioledger.readers import cells, derived_csv, fio
from ioledger.submission.gather import gather
from ioledger.submission.rows import raw_tables
from ioledger.submission.safe_yaml import load_yaml
from ioledger.tables.schema import ROOT
from test_archives import tarred

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from conftest import Run

NAME = "2026-11-stranger-two-drives"
READ_BY = fio.VERSIONS["json"]
ARCHIVES = Path(os.environ.get("IOLEDGER_IMPORTS", ""))
FOLDERS = sorted(path.parent for path in (ROOT / "data").glob("*/mapping.csv"))
STATED = FIXTURES / "import"
"""A mapping of three configurations, its reservations and its origin, as a person writes them."""


def _report(name: str = "database") -> bytes:
    document = json.loads((FIXTURES / "submission" / "report.json").read_text(encoding="utf-8"))
    document["jobs"][0]["jobname"] = name
    return json.dumps(document, indent=2).encode()


def _originals() -> dict[str, bytes]:
    """Return the files of a repository by path: reports, one after text of another program, and what is no result."""
    return {
        "LICENSE": b"MIT License\n",
        "README.md": b"# Results\n",
        "results/HOST/DISK/one.json": _report(name="disk"),
        "results/HOST/SSD/a_none.txt": _report(name="a"),
        "results/HOST/SSD/b_none.txt": b"note: starting\nnote: really\n" + _report(name="b"),
        "results/HOST/SSD/c_spdk.txt": _report(name="c"),
        "results/HOST/SSD/notes.txt": b"nothing of interest\n",
    }


def _archive(path: Path, files: Mapping[str, bytes]) -> Path:
    """Write the files into a tar archive, compressed as its name says."""
    path.write_bytes((lzma if path.suffix == ".xz" else gzip).compress(tarred(*files.items())))
    return path


def _checkout(folder: Path, files: Mapping[str, bytes]) -> Path:
    """Write the files below a folder, with a hidden one as git keeps them."""
    for name, data in {**files, ".git/config": b"[core]\n"}.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(data)
    return folder


@pytest.fixture
def mapping(tmp_path: Path) -> Path:
    """Return the mapping in a folder of its own, as a person would write it."""
    return Path(shutil.copytree(STATED, tmp_path / NAME)) / "mapping.csv"


@pytest.fixture
def made(mapping: Path, archive: Path, ioledger: Run) -> Path:
    """Return the folder of an import that was made."""
    assert ioledger("import", mapping, archive, "-o", mapping.parent).returncode == 0
    return mapping.parent


@pytest.fixture
def archive(tmp_path: Path) -> Path:
    """Return the originals as an archive."""
    return _archive(tmp_path / "originals.tar.xz", _originals())


def _files(folder: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in sorted(folder.iterdir())}


def _rows(folder: Path) -> list[dict[str, str]]:
    return list(csv.DictReader((folder / "excerpt.csv").read_text(encoding="utf-8").splitlines()))


def _spoiled(folder: Path, old: bytes, new: bytes) -> None:
    path = folder / "excerpt.csv"
    assert old in path.read_bytes()
    path.write_bytes(path.read_bytes().replace(old, new, 1))


def test_an_import_writes_every_result_with_its_place(mapping: Path, archive: Path, ioledger: Run) -> None:
    """Eight results of four files; figures read back to the same bits, and lines are those of the original."""
    done = ioledger("import", mapping, archive, "-o", mapping.parent)
    assert done.returncode == 0, done.stderr
    rows = _rows(mapping.parent)
    assert len(rows) == 8
    assert [row["origin_path"] for row in rows] == sorted(row["origin_path"] for row in rows)
    (row,) = (row for row in rows if row["origin_path"].endswith("b_none.txt") and row["operation"] == "read")
    text = _originals()["results/HOST/SSD/b_none.txt"].decode().split("\n")
    assert text[int(row["operations_line"]) - 1].strip() == '"iops": 33500.0,'
    assert text[int(row["throughput_line"]) - 1].strip() == '"bw_bytes": 274432000,'
    assert text[int(row["latency_line"]) - 1].strip() == '"mean": 160000.0,'
    assert text[int(row["percentiles_line"]) - 1].strip() == '"percentile": {'
    assert (row["configuration_id"], row["operations_per_second"], row["is_direct"]) == ("ssd-none", "33500.0", "true")
    assert row["latency_percentiles"] == "completion:0.5=0.000144,0.99=0.00032,0.999=0.00064"
    assert (row["origin_pointer"], row["reader_version"], row["tool"]) == ("0#/jobs/0/read", READ_BY, "fio")
    assert {row["scope"] for row in rows if row["configuration_id"] == "ssd-spdk"} == {"process"}
    assert "2 other files left out" in done.stderr


@pytest.mark.parametrize("more", [b"", b"\n"])
def test_a_raw_file_whose_runs_a_release_holds_as_an_excerpt_is_named(
    more: bytes, mapping: Path, archive: Path, tmp_path: Path, ioledger: Run
) -> None:
    """By the hash of the original, and by the values of its runs where a line break was appended."""
    assert ioledger("import", mapping, archive, "-o", mapping.parent).returncode == 0
    released, _ = raw_tables(gather([mapping.parent]))
    raw = hostile.sound(tmp_path / "2026-11-ann-disk")
    hostile.replace(raw, _originals()["results/HOST/SSD/a_none.txt"] + more)
    own, _ = raw_tables(gather([raw]))
    _, problems, _ = base.lay_under(own, base.Base("", released))
    assert [(each.rule, each.file) for each in problems] == [("R-BASE-2", f"{raw.name}/other.json")]


def test_the_manifest_says_where_every_value_is_known_from(made: Path) -> None:
    """What a folder or a README tells is declared, what is guessed is inferred, what nothing states is unknown."""
    manifest: dict[str, Any] = load_yaml((made / "manifest.yaml").read_bytes())[0]
    disk, ssd = manifest["devices"]["disk-7200"], manifest["configurations"]["ssd-none"]
    assert disk["model"] == {"value": "DISK", "how_known": "declared", "known_from": "folder name DISK"}
    assert disk["rotation_hertz"]["value"] == 120.0
    assert disk["rotation_hertz"]["how_known"] == "inferred"
    assert disk["firmware"] == {"unknown": "the repository does not state it"}
    assert manifest["configurations"]["ssd-spdk"]["software"]["io_scheduler"]["none"] == "SPDK leaves the kernel out"
    assert ssd["settings"] == {"os": {"target": "2ms", "depth": "8"}}
    assert manifest["defaults"]["software"]["kernel"] == {"unknown": "nothing states it"}
    assert manifest["defaults"]["method"]["preconditioning"]["unknown"].startswith("33,500 reads/s")
    assert [each["kind"] for each in ssd["reservations"]] == ["changed_kernel"]
    assert manifest["configurations"]["disk"]["reservations"][0]["operation"] == "write"
    assert {entry["role"] for entry in manifest["files"]} == {"result", "mapping", "attachment"}
    assert (manifest["source_type"], manifest["origin"]["licence"]) == ("excerpt", "MIT")


def test_twice_the_same_bytes_from_an_archive_or_a_checkout(
    mapping: Path, archive: Path, tmp_path: Path, ioledger: Run
) -> None:
    """Neither the order of files, nor what is hidden, nor the folder of a forge's archive makes a difference."""
    ioledger("import", mapping, archive, "-o", mapping.parent)
    first = _files(mapping.parent)
    again = ioledger("import", mapping, archive, "-o", mapping.parent)
    assert "nothing changed" in again.stderr
    verified = ioledger("import", "--verify", mapping.parent, archive)
    assert (verified.returncode, "8 results, 0 cells differ" in verified.stderr) == (0, True), verified.stderr
    turned = dict(reversed(_originals().items()))
    for number, place in enumerate((
        _checkout(tmp_path / "checkout", turned),
        _archive(tmp_path / "turned.tar.gz", turned),
        _archive(tmp_path / "bench.tar.gz", {f"bench-0123456/{name}": turned[name] for name in turned}),
    )):  # fmt: skip
        other = tmp_path / f"other-{number}"
        assert ioledger("import", mapping, place, "-o", other).returncode == 0
        assert _files(other) == first


def test_what_makes_a_difference_to_the_expected_is_said(mapping: Path, tmp_path: Path, ioledger: Run) -> None:
    """Files and results stand beside those expected; a run that failed is in the excerpt and counts as none."""
    files = _originals()
    failed = json.loads(files["results/HOST/DISK/one.json"])
    failed["jobs"][0]["error"] = 22
    files["results/HOST/DISK/one.json"] = json.dumps(failed).encode()
    done = ioledger("import", mapping, _archive(tmp_path / "failed.tar.xz", files), "-o", mapping.parent)
    assert done.returncode == 0, done.stderr
    (line,) = (line for line in done.stdout.splitlines() if line.split()[:1] == ["disk"])
    assert line.split() == ["disk", "1", "1", "0", "2", "2", "of", "a", "run", "that", "failed"]


def _without(name: str) -> dict[str, bytes]:
    return {path: data for path, data in _originals().items() if path != name}


ORIGINALS = _originals()
OTHERS = {
    "a row without files": _without("results/HOST/SSD/c_spdk.txt"),
    "no licence": _without("LICENSE"),
    "a result under no row": {**ORIGINALS, "results/OTHER/one.json": _report()},
    "fewer files than expected": _without("results/HOST/SSD/a_none.txt"),
    "a file that fio broke off": {**ORIGINALS, "results/HOST/DISK/cut.json": _report()[:900]},
}
"""Originals of the cases that are not wrong in what is stated."""
WRONG = {
    "a row without files": ("R-IMPORT-2", "", "ssd-spdk has no files"),
    "no licence": ("R-IMPORT-2", "", "the licence LICENSE is not there"),
    "a result under no row": ("R-IMPORT-2", "", "no row of the mapping matches this result"),
    "two rows for a file": ("R-IMPORT-2", r"_spdk\.txt$>txt$", "the rows ssd-none, ssd-spdk all match this file"),
    "fewer files than expected": ("R-IMPORT-5", "", "gave 1 files and 2 results, where 2 and 4"),
    "a file that fio broke off": ("R-FIO-CUT-1", "", ""),
    "a reservation about a part of a configuration": (
        "R-IMPORT-1", "results/,,changed_kernel>results/HOST/SSD/a,,changed_kernel",
        "results/HOST/SSD/a is only a part of ssd-none",
    ),
    "an origin without a field": (
        "R-IMPORT-1", "copyright: Copyright (c) 2025 a stranger\n>", "the field copyright is missing",
    ),
    "a pattern that is none": ("R-IMPORT-1", r"_spdk\.txt$>(", "path_regex is no regular expression"),
    "a scope that is none": ("R-IMPORT-1", 'many",process>many",thread', "the scope is 'thread'"),
    "a configuration in two rows": ("R-IMPORT-1", "ssd-spdk,>ssd-none,", "ssd-none names more than one row"),
    "a number that is none": (
        "R-MANIFEST-4", "7200,inferred>fast,inferred",
        "mapping.csv:2, column rotation_rpm: devices.disk-7200.rotation_hertz",
    ),
    "a reservation of a kind that is none": (
        "R-MANIFEST-4", "results/,,changed_kernel>results/,,changed_colonel",
        "reservations.csv: configurations.disk.reservations.1.kind",
    ),
    "a device that two rows describe otherwise": (
        "R-IMPORT-1", "ssd,host,README.md,,,,,,,>ssd,host,README.md,,,,,hdd,guessed,",
        "media_class of ssd is 'hdd' here",
    ),
    "a column twice": (
        "R-IMPORT-1", "vendor,vendor_known_from,model,>model,vendor_known_from,model,", "the column model stands twice",
    ),
    "a licence under which nothing may be passed on": (
        "R-ORIGIN-2", "licence: MIT>licence: CC-BY-NC-4.0", "may not be passed on here",
    ),
    "a mapping without a column": ("R-IMPORT-1", "configuration_id>name", "the column configuration_id is missing"),
}  # fmt: skip
"""The rule, a change of one of the stated files (old>new), and words of the message."""


@pytest.mark.parametrize("case", WRONG)
def test_what_is_wrong_is_one_line_and_nothing_is_written(
    case: str, mapping: Path, tmp_path: Path, ioledger: Run
) -> None:
    """Each with its place and its rule; the folder stays as it was."""
    rule, change, words = WRONG[case]
    old, _, new = change.partition(">")
    for path in mapping.parent.iterdir():
        path.write_text(path.read_text(encoding="utf-8").replace(old, new, 1) if old else path.read_text())
    before = _files(mapping.parent)
    place = _archive(tmp_path / "wrong.tar.xz", OTHERS.get(case, ORIGINALS))
    done = ioledger("import", mapping, place, "-o", mapping.parent)
    told = [line for line in done.stderr.splitlines() if line.endswith(f"[{rule}]")]
    assert done.returncode == 1
    assert [line for line in told if words in line], done.stderr
    assert "nothing was written" in done.stderr
    assert "Traceback" not in done.stderr
    assert _files(mapping.parent) == before


def test_a_damaged_archive_is_said(mapping: Path, archive: Path, ioledger: Run) -> None:
    """One that ends early, and one that is none."""
    archive.write_bytes(archive.read_bytes()[:400])
    assert "[R-CONTAINER-1]" in ioledger("import", mapping, archive, "-o", mapping.parent).stderr
    archive.write_bytes(b"no archive")
    assert "[R-IMPORT-6]" in ioledger("import", mapping, archive, "-o", mapping.parent).stderr


def test_a_wrong_call_is_a_usage_error(mapping: Path, archive: Path, tmp_path: Path, ioledger: Run) -> None:
    """Neither or both of -o and --verify, a folder without a mapping, a place that is not there."""
    assert ioledger("import", mapping, archive).returncode == 2
    assert ioledger("import", mapping, archive, "--verify", "-o", tmp_path).returncode == 2
    assert ioledger("import", "--verify", tmp_path, archive).returncode == 2
    assert ioledger("import", mapping, archive, "-o", tmp_path / "no" / "place").returncode == 2


def test_verify_names_every_cell_that_differs(made: Path, archive: Path, ioledger: Run) -> None:
    """File, row, column, what it was and what it is; a row too many and one too few."""
    _spoiled(made, b",33500.0,", b",33501.0,")
    done = ioledger("import", "--verify", made, archive)
    assert done.returncode == 1
    (line,) = (line for line in done.stderr.splitlines() if line.endswith("[R-IMPORT-7]"))
    assert "excerpt.csv:row 2, column operations_per_second: was '33501.0', is '33500.0'" in line
    _spoiled(made, b"0#/jobs/0/read", b"0#/jobs/9/read")
    told = ioledger("import", "--verify", made, archive).stderr
    assert "0#/jobs/9/read is only in the excerpt" in told
    assert "0#/jobs/0/read is only in the originals" in told


def test_verify_says_what_is_no_excerpt(made: Path, archive: Path, ioledger: Run) -> None:
    """In the words of its reader, with the line."""
    _spoiled(made, b"origin_pointer", b"pointer")
    done = ioledger("import", "--verify", made, archive)
    assert (done.returncode, "excerpt.csv:line 1: the column origin_pointer is missing" in done.stderr) == (1, True)


def test_a_folder_of_something_else_is_left_alone(mapping: Path, archive: Path, tmp_path: Path, ioledger: Run) -> None:
    """A wrong -o costs nobody a licence, an excerpt or a mapping; another folder of this import may be made again."""
    notes, other, again = tmp_path / "notes", tmp_path / "other", tmp_path / "again"
    notes.mkdir()
    for name in ("LICENCE", "excerpt-old.csv"):
        (notes / name).write_text("mine\n", encoding="utf-8")
    shutil.copytree(STATED, other)
    (other / "origin.yaml").write_bytes((other / "origin.yaml").read_bytes().replace(b"/bench", b"/else"))
    for folder in (notes, other):
        before = _files(folder)
        done = ioledger("import", mapping, archive, "-o", folder)
        assert (done.returncode, _files(folder) == before) == (2, True)
        assert "it contains files that are not an import of this repository" in done.stderr
    again.mkdir()
    for _ in range(2):
        assert ioledger("import", mapping, archive, "-o", again).returncode == 0
    (again / "excerpt-old.csv").write_text("mine\n", encoding="utf-8")
    assert ioledger("import", mapping, archive, "-o", again).returncode == 0
    assert (again / "excerpt-old.csv").is_file()


def test_a_version_that_moved_is_said_once_and_is_no_difference(made: Path, archive: Path, ioledger: Run) -> None:
    """Eight rows have it, and one line tells it."""
    path = made / "excerpt.csv"
    path.write_bytes(path.read_bytes().replace(f",{READ_BY},fio,".encode(), b",0.0.1,fio,"))
    done = ioledger("import", "--verify", made, archive)
    assert done.returncode == 0
    assert done.stderr.count(f"0.0.1 then, {READ_BY} now") == 1


def test_verify_tells_when_the_manifest_was_edited(made: Path, archive: Path, ioledger: Run) -> None:
    """It is made of the mapping; the first line that differs is named."""
    path = made / "manifest.yaml"
    path.write_text(path.read_text(encoding="utf-8").replace("Two drives", "Three drives"), encoding="utf-8")
    told = ioledger("import", "--verify", made, archive).stderr
    assert "manifest.yaml:2: it is not what the originals give now" in told


@pytest.mark.parametrize("most_bytes", [1, 3000, 6000, 10**6])
def test_a_cut_never_parts_the_reads_and_writes_of_a_run(most_bytes: int, made: Path) -> None:
    """However small the parts are, they give the results of the whole, and a long text that repeats is written once."""
    rows = _rows(made)
    options = [row["job_options"] for row in rows]
    for above, row in pairwise(rows):
        row["job_options"] = above["job_options"] if row["job_options"] == cells.SAME else row["job_options"]
    assert options.count(cells.SAME) == 7
    parts = excerpt.tables(rows, most_bytes)
    assert max(map(len, parts.values())) <= most_bytes or most_bytes < 4500
    readings = [derived_csv.read(Source(name, data)) for name, data in parts.items()]
    (whole,) = (derived_csv.read(Source(name, data)) for name, data in excerpt.tables(rows).items())
    found = [(result.origin, result.job_options) for reading in readings for result in reading.results]
    assert found == [(result.origin, result.job_options) for result in whole.results]
    assert [each for reading in readings for each in reading.warnings if each.rule == "R-EXCERPT-10"] == []


def test_a_mixed_run_with_one_side_is_a_finding(made: Path) -> None:
    """Its sum is lost, which nothing else would tell."""
    row = next(row for row in _rows(made) if row["operation"] == "read")
    (data,) = excerpt.tables([row | {"read_ratio": "0.65"}]).values()
    found = {each.rule: each.message for each in derived_csv.read(Source("excerpt.csv", data)).warnings}
    assert found["R-EXCERPT-10"] == "the run reads and writes, and there is no row for its writes"


ROUNDS = {
    "path_regex": "", "round_regex": r"^(?:a_round([0-9]+)|fill)\.json$", "files": "4", "points": "8",
    "configuration_id": "ssd", "specimen": "a",
}  # fmt: skip


def test_a_file_name_tells_the_round_of_a_series(mapping: Path, tmp_path: Path, ioledger: Run) -> None:
    """A run that the group leaves empty is no round; the drive has the label of its piece; another name is refused."""
    with mapping.open(encoding="utf-8", newline="") as stream:
        _, row, _ = csv.DictReader(stream)
    with mapping.open("w", encoding="utf-8", newline="") as stream:
        writer = csv.DictWriter(stream, [*row, "round_regex", "specimen"])
        writer.writeheader()
        writer.writerow(row | ROUNDS)
    (mapping.parent / "reservations.csv").unlink()
    names = ("a_round1.json", "a_round2.json", "a_round10.json", "fill.json")
    files = {f"results/HOST/SSD/{name}": _report(name=name) for name in names} | {"LICENSE": b"MIT License\n"}
    place = _archive(tmp_path / "rounds.tar.xz", files)
    done = ioledger("import", mapping, place, "-o", mapping.parent)
    assert done.returncode == 0, done.stderr
    rounds = {(row["origin_path"].rpartition("/")[2], row["round_index"]) for row in _rows(mapping.parent)}
    assert rounds == {("a_round1.json", "1"), ("a_round2.json", "2"), ("a_round10.json", "10"), ("fill.json", "")}
    manifest: dict[str, Any] = load_yaml((mapping.parent / "manifest.yaml").read_bytes())[0]
    storage = manifest["configurations"]["ssd"]["storage"]
    assert storage["drives"] == [{"device": "ssd", "count": 1, "specimen": "a"}]
    files["results/HOST/SSD/b_round1.json"] = _report(name="b")
    place = _archive(tmp_path / "other.tar.xz", files)
    done = ioledger("import", mapping, place, "-o", mapping.parent)
    assert "b_round1.json: round_regex does not match the file name" in done.stderr
    assert "[R-IMPORT-9]" in done.stderr


@pytest.mark.skipif("IOLEDGER_IMPORTS" not in os.environ, reason="IOLEDGER_IMPORTS names no archives")
@pytest.mark.parametrize("folder", FOLDERS, ids=lambda folder: folder.name)
def test_every_excerpt_in_the_data_is_what_its_archive_gives(folder: Path, ioledger: Run) -> None:
    """0 cells differ."""
    archive = ARCHIVES / f"{folder.name.removeprefix('2026-11-ioledger-')}.tar.xz"
    if not archive.is_file():
        pytest.skip(f"{archive.name} is not among the archives")
    done = ioledger("import", "--verify", folder, archive)
    assert (done.returncode, "0 cells differ" in done.stderr) == (0, True), done.stderr


KEYS = st.text("ab/~. 0", max_size=4)
VALUES = st.recursive(
    st.one_of(st.integers(), st.booleans(), st.none(), st.text(max_size=8)),
    lambda inner: st.one_of(st.lists(inner, max_size=4), st.dictionaries(KEYS, inner, max_size=4)),
    max_leaves=25,
)


def _members(value: object, pointer: str = "") -> Iterator[str]:
    if isinstance(value, dict):
        for key, inner in value.items():
            below = f"{pointer}/{key.replace('~', '~0').replace('/', '~1')}"
            yield below
            yield from _members(inner, below)
    elif isinstance(value, list):
        for number, inner in enumerate(value):
            yield from _members(inner, f"{pointer}/{number}")


@given(st.dictionaries(KEYS, VALUES, max_size=5), st.sampled_from([None, 1, 2]), st.booleans())
def test_a_scanner_finds_every_member_once(document: dict[str, Any], indent: int | None, is_ascii: bool) -> None:  # noqa: FBT001
    """Whatever keys and texts hold, and however the document is laid out; in the order of the text."""
    text = json.dumps(document, indent=indent, ensure_ascii=is_ascii)
    assert [pointer for pointer, _ in excerpt.find_keys(text)] == list(_members(document))
