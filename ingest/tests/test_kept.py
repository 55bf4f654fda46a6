"""What was read of a submission is kept: the same rows as read anew, and never those of other bytes or other code."""

from __future__ import annotations

import ast
import io
import json
import os
import shutil
import subprocess
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

import msgspec
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

import excerpted
import hostile
import invented
from conftest import spoil
from ioledger.build import unchanged
from ioledger.submission import duplicates, kept, listing, reading, reading_code
from ioledger.submission.gather import folders, gather
from ioledger.submission.rows import raw_tables, together

if TYPE_CHECKING:
    from collections.abc import Callable

FIO, ANOTHER, COPY = "2026-11-tester-disk", "2026-11-tester-later", "2026-11-tester-zcopy"


@pytest.fixture
def data(submission: Path) -> Path:
    """Return a folder with submissions of several readers: fio's, a publication with a reply, and an excerpt."""
    data = submission.parent / "work" / "data"
    data.mkdir(parents=True)
    submission.rename(data / submission.name)
    for make in (invented.later, excerpted.three_media, excerpted.reply):
        make(data)
    return data


def _read(data: Path, *, anew: bool = False) -> tuple[reading.Everything, kept.Kept]:
    store = kept.Kept(data.parent)
    listed = reading.listed(data, store, lambda folder: folder.name)
    return reading.read(listed, store, lambda _: None, anew=anew), store


def _parquet(tables: dict[str, pa.Table]) -> dict[str, bytes]:
    found = {}
    for name, table in tables.items():
        sink = io.BytesIO()
        pq.write_table(table, sink)
        found[name] = sink.getvalue()
    return found


def _built(found: reading.Everything) -> dict[str, bytes]:
    tables, problems = together([rows.tables for rows in found.rows])
    assert (problems, found.problems) == ([], [])
    return _parquet(tables)


def test_rows_that_were_kept_are_the_bytes_of_rows_read_anew(data: Path) -> None:
    """All tables, with the verdicts on claims, which are made of all submissions."""
    gathered = gather(folders(data))
    assert gathered.problems == []
    expected = _parquet(raw_tables(gathered)[0])
    first, _ = _read(data)
    second, store = _read(data)
    assert (first.read_folders, second.read_folders, second.read_files) == (4, 0, 0)
    assert _built(first) == expected
    assert _built(second) == expected
    assert [each.held() for each in first.rows] == [each.held() for each in second.rows]
    assert all(duplicates.packed(duplicates.unpacked(each.held())) == each.held() for each in first.rows)
    assert store.spoilt == []


def test_several_processes_read_the_same(data: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """What they read comes back by what is kept."""
    monkeypatch.setattr(reading, "POOL_FILES", 1)
    monkeypatch.setattr(os, "cpu_count", lambda: 2)
    found, _ = _read(data)
    assert found.read_folders == 4
    several = _built(found)
    monkeypatch.undo()
    shutil.rmtree(data.parent / kept.PLACE)
    assert several == _built(_read(data)[0])


def _entry(data: Path, name: str) -> Path:
    entries = {
        json.loads(path.read_bytes())["submission_id"]: path.parent for path in data.parent.glob(".*/*/*/entry.json")
    }
    return entries[name]


def _flip(path: Path) -> None:
    held = bytearray(path.read_bytes())
    held[len(held) // 2] ^= 1
    path.write_bytes(held)


def _cut(path: Path) -> None:
    path.write_bytes(path.read_bytes()[:-9])


def _resealed(entry: Path, change: Callable[[dict[str, object]], object]) -> None:
    """Change what an entry says of itself, and the hash of that with it."""
    told = json.loads((entry / kept.ENTRY).read_bytes())
    change(told)
    whole = msgspec.convert(told, kept._Entry)  # noqa: SLF001
    (entry / kept.ENTRY).write_bytes(msgspec.json.encode(whole.sealed()))


def _other_columns(entry: Path) -> None:
    (entry / "results.parquet").unlink()
    written = kept._written(pa.table({"x": [1]}), entry / "results.parquet")  # noqa: SLF001
    _resealed(entry, lambda told: told["files"].update(results=msgspec.to_builtins(written)))  # type: ignore[attr-defined]


def _foreign(entry: Path, other: Path) -> None:
    shutil.rmtree(entry)
    shutil.copytree(other, entry)


FAULTS: dict[str, Callable[[Path], object]] = {
    "a byte of the rows differs": lambda entry: _flip(entry / "results.parquet"),
    "the rows are cut": lambda entry: _cut(entry / "results.parquet"),
    "a table is missing": lambda entry: (entry / "held.parquet").unlink(),
    "a byte of the entry differs": lambda entry: _flip(entry / kept.ENTRY),
    "the entry is cut": lambda entry: _cut(entry / kept.ENTRY),
    "the entry is missing": lambda entry: (entry / kept.ENTRY).unlink(),
    "a table has other columns": _other_columns,
    "a count of rows differs": lambda entry: _resealed(entry, lambda told: told["files"]["results"].update(rows=1)),  # type: ignore[index]
    "it is the entry of another submission": lambda entry: _foreign(entry, _entry(entry.parents[2] / "data", ANOTHER)),
}


@pytest.mark.parametrize("fault", FAULTS)
def test_what_was_spoilt_is_told_and_made_anew(fault: str, data: Path) -> None:
    """Whatever happened to it; the others are taken as they are."""
    for name in (excerpted.NAME, "2026-12-ada-reply"):
        shutil.rmtree(data / name)
    expected = _built(_read(data)[0])
    FAULTS[fault](_entry(data, FIO))
    found, _ = _read(data)
    assert (found.spoilt, found.read_folders) == ([FIO], 1)
    assert _built(found) == expected
    again, _ = _read(data)
    assert (again.spoilt, again.read_folders) == ([], 0)


def test_what_is_kept_and_wrong_all_the_same_is_found_by_reading_all(data: Path) -> None:
    """An entry that is sound in itself, and not what is read of the files."""
    expected = _built(_read(data)[0])
    entry = _entry(data, FIO)
    table = pq.read_table(entry / "results.parquet")
    forged = table.set_column(*_column(table, "queue_depth", [7] * table.num_rows))
    written = kept._written(forged, entry / "results.parquet")  # noqa: SLF001
    _resealed(entry, lambda told: told["files"].update(results=msgspec.to_builtins(written)))  # type: ignore[attr-defined]
    assert _read(data)[0].spoilt == []
    found, _ = _read(data, anew=True)
    assert (found.spoilt, found.read_folders) == ([FIO], 4)
    assert _built(found) == expected


def _column(table: pa.Table, name: str, values: list[int]) -> tuple[int, pa.Field[Any], pa.Array[Any]]:
    field = table.schema.field(name)
    return table.schema.get_field_index(name), field, pa.array(values, field.type)


def test_a_changed_file_is_read_and_a_changed_manifest_too(data: Path) -> None:
    """A file that is not the one listed is refused although rows of the listed one are kept."""
    _read(data)
    report = data / FIO / "report.json"
    old = report.read_bytes()
    report.write_bytes(old.replace(b"fio-3", b"fio-4", 1))
    assert [problem.rule for problem in _read(data)[0].problems] == ["R-FILE-2"]
    report.write_bytes(old)
    spoil(data / FIO, "title:", "title: Another")
    found, _ = _read(data)
    assert (found.read_folders, found.problems) == (1, [])


def test_one_bad_submission_costs_no_other_its_rows(data: Path) -> None:
    """What was read of the others is kept, and only the bad one is read again."""
    hostile.replace(hostile.sound(data / hostile.NAME), b"not a result", hostile.REPORT)
    first, _ = _read(data)
    assert {problem.rule for problem in first.problems} == {"R-DETECT-1"}
    again, _ = _read(data)
    assert (first.read_folders, again.read_folders) == (5, 1)
    assert again.problems == first.problems


def test_what_stands_twice_is_found_among_kept_and_new(data: Path) -> None:
    """A copy of a submission that is kept; and a state that leads to one which is gone."""
    _read(data)
    shutil.copytree(data / FIO, data / COPY)
    assert [problem.rule for problem in _read(data)[0].problems] == ["R-FILE-7"]
    shutil.rmtree(data / COPY)
    stated = f"reason: older, changed_on: 2026-11-21, superseded_by: {ANOTHER}"
    spoil(data / FIO, "title:", f"status: {{state: superseded, {stated}}}\ntitle:")
    assert _read(data)[0].problems == []
    shutil.rmtree(data / ANOTHER)
    found, _ = _read(data)
    assert [problem.rule for problem in found.problems] == ["R-STATE-3"]
    assert found.read_folders == 0


def test_a_change_of_one_reader_invalidates_its_own_only(data: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """An excerpt is held against what all readers believe of their tools, so every one has a part in it."""
    _read(data)
    real = reading_code.of_reader
    monkeypatch.setattr(kept, "of_reader", lambda name: "other" if name == "fio" else real(name))
    store = kept.Kept(data.parent)
    stale = [each.path.name for each in reading.listed(data, store) if store.load(each.path.name, each.key) is None]
    assert stale == [FIO, excerpted.NAME]
    assert store.spoilt == []


@pytest.mark.parametrize(
    ("changed", "readers"),
    [
        ("readers/orion/text.py", {"orion"}),
        ("readers/fio/latency.py", {"fio"}),
        ("checks/latencies.py", {"shared"}),
        ("readers/units.py", {"shared"}),
        ("build/publish.py", set[str]()),
        ("cli/parse.py", set[str]()),
    ],
)
def test_the_hash_of_code_tells_whose_rows_may_differ(changed: str, readers: set[str], tmp_path: Path) -> None:
    """A reader's own source, what all share, and what has no part in rows."""
    package = tmp_path / "ioledger"
    shutil.copytree(reading_code.PACKAGE, package, ignore=shutil.ignore_patterns("__pycache__"))
    names = ("diskspd", "excerpt", "fio", "iometer", "orion", "published")
    before = {name: reading_code.of_reader(name) for name in names} | {"shared": reading_code.shared()}
    with (package / changed).open("a", encoding="utf-8") as file:
        file.write("# changed\n")
    after = {name: reading_code.of_reader(name, package) for name in names}
    after["shared"] = reading_code.shared(package)
    assert {name for name, code in before.items() if after[name] != code} == readers


def test_no_import_is_overlooked() -> None:
    """What the hash of code takes for imports holds all that Python's own parser finds."""
    for path in sorted(reading_code.PACKAGE.rglob("*.py")):
        source = path.read_text(encoding="utf-8")
        named = {
            f"{node.module}.{alias.name}"
            for node in ast.walk(ast.parse(source))
            if isinstance(node, ast.ImportFrom) and node.module and node.module.split(".")[0] == "ioledger"
            for alias in node.names
        }
        assert named <= reading_code.imported(source), path


def test_old_entries_go_when_there_is_too_much(data: Path) -> None:
    """Those of this build stay; of the others the oldest go first."""
    _read(data)
    entries = [_entry(data, name) for name in (FIO, ANOTHER)]
    found, store = _read(data)
    assert found.read_folders == 0
    store.tidy(0)
    assert all(entry.exists() for entry in entries)
    for age, entry in enumerate(entries):
        os.utime(entry, ns=(10**18 - age, 10**18 - age))
    store._used -= {entry.name for entry in entries}  # noqa: SLF001
    store.tidy(sum(file.stat().st_size for file in entries[0].iterdir()))
    assert [entry.exists() for entry in entries] == [True, False]


def _git(folder: Path, *arguments: str) -> None:
    variables = {name: value for name, value in os.environ.items() if not name.startswith("GIT_")}
    subprocess.run(["git", "-C", str(folder), "-c", "user.name=a", "-c", "user.email=a@b", *arguments],  # noqa: S603, S607
                   check=True, capture_output=True, env=variables)  # fmt: skip


@pytest.fixture
def hashed(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Return the names of files that are read for their hash, as they are."""
    found: list[str] = []

    def hashing(path: str, real: Callable[[str], str]) -> str:
        found.append(Path(path).name)
        return real(path)

    monkeypatch.setattr(listing, "_hashed", partial(hashing, real=listing._hashed))  # noqa: SLF001
    return found


def test_what_git_knows_is_not_read(data: Path, hashed: list[str]) -> None:
    """Only what was changed, is new, or what git was told to overlook."""
    _git(data.parent, "init", "-q")
    _git(data.parent, "add", ".")
    _git(data.parent, "commit", "-qm", "first")
    store = kept.Kept(data.parent)
    reading.listed(data, store)
    assert hashed == []
    assert all(
        listing.same_bytes(identity, (data / folder / name).read_bytes())
        for folder, held in listing.listings(data)
        for name, identity in held.items()
    )
    spoil(data / FIO, "title:", "title: Another")
    (data / ANOTHER / "new.txt").write_text("new", encoding="utf-8")
    _git(data.parent, "update-index", "--assume-unchanged", f"data/{FIO}/report.json")
    reading.listed(data, store)
    assert sorted(hashed) == ["manifest.yaml", "new.txt", "report.json"]


@pytest.mark.parametrize("conversion", ["autocrlf", "text", "filter"])
def test_what_git_converts_is_read(conversion: str, data: Path, hashed: list[str]) -> None:
    """It keeps other bytes of such a file than lie there, and calls it unchanged; what it does not convert is told."""
    _git(data.parent, "init", "-q")
    if conversion == "autocrlf":
        _git(data.parent, "config", "core.autocrlf", "input")
        (data / ".gitattributes").write_text("manifest.yaml -text\n", encoding="utf-8")
    else:
        setting = {"text": "text=auto", "filter": "filter=upper"}[conversion]
        (data / ".gitattributes").write_text(f"*.json {setting}\n", encoding="utf-8")
    report = data / FIO / "report.json"
    report.write_bytes(report.read_bytes().replace(b"\n", b"\r\n"))
    _git(data.parent, "add", ".")
    _git(data.parent, "commit", "-qm", "first")
    found = dict(listing.listings(data))[FIO]
    assert found["report.json"].startswith("sha256:")
    assert found["manifest.yaml"].startswith("git:")
    assert "report.json" in hashed


def test_a_name_that_is_no_text_has_a_key(data: Path) -> None:
    """Of a file and of a folder; both are read, where their fault is told."""
    store = kept.Kept(data.parent)
    before = {folder.key for folder in reading.listed(data, store)}
    with open(os.fsencode(data / FIO) + b"/\xff.json", "wb"):  # noqa: PTH123  (a Path takes text)
        pass
    os.mkdir(os.fsencode(data) + b"/\xfe")  # noqa: PTH102
    listed = reading.listed(data, store)
    assert len({folder.key for folder in listed} - before) == 2
    assert len(unchanged.database_inputs({each.path.as_posix(): each.key for each in listed}, None)) == 64


def test_two_builds_that_keep_the_same_leave_one_entry(data: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The other one has put its entry there between the two renames."""
    found, store = _read(data)
    rows, key = found.rows[0], reading.listed(data, store)[0].key
    place, renamed = store.folder / key, Path.rename

    def rename(self: Path, target: Path) -> Path:
        moved = renamed(self, target)
        if target.name == "replaced":
            shutil.copytree(target, place)
        return moved

    monkeypatch.setattr(Path, "rename", rename)
    store.save(key, rows)
    assert store.load(rows.submission_id, key) is not None


def test_without_git_every_file_is_hashed(data: Path, hashed: list[str], monkeypatch: pytest.MonkeyPatch) -> None:
    """No checkout, or no such program: the listing tells the same."""
    here = dict(listing.listings(data))
    assert len(hashed) == sum(map(len, here.values()))
    monkeypatch.setenv("PATH", "")
    assert dict(listing.listings(data)) == here
