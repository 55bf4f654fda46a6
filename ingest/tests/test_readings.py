"""What is kept of raw files: one that has not changed is not read again, and the rows are those of reading all."""

from __future__ import annotations

import io
import random
import shutil
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

import msgspec
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from conftest import FIXTURES
from ioledger.loading.files import load
from ioledger.model import Source
from ioledger.readers import detect
from ioledger.submission import files, kept, reading, reading_code, readings
from ioledger.submission.rows import together
from ioledger.tables.schema import ROOT
from mixed import Mixed, varied
from test_kept import _git

if TYPE_CHECKING:
    from collections.abc import Callable

    from ioledger.submission.listing import Listing

NAME = "2026-11-tester-disk"
LOGS = ("run_bw.1.log", "run_lat.1.log", "run_clat_hist.1.log", "run_clat_hist.2.log")
STEPS, SEEDS = 12, range(6)
Answer = tuple[dict[str, bytes], pa.Table | None, list[str]]


@pytest.fixture
def mixed(submission: Path) -> Mixed:
    """Return the submission of many tools."""
    return Mixed(submission)


@pytest.fixture
def place(tmp_path: Path, mixed: Mixed) -> Path:
    """Return a workspace that holds it."""
    mixed.write(tmp_path / "work" / "data" / NAME)
    return tmp_path / "work"


@pytest.fixture
def opened(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Return the names of the files of submissions that are opened for their bytes, as they are."""
    found: list[str] = []

    def loading(path: str, real: Callable[[str], object]) -> object:
        found.append(Path(path).name)
        return real(path)

    monkeypatch.setattr(files, "load", partial(loading, real=load))
    return found


@pytest.fixture
def read(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Return the paths of the files that a reader is asked to read, as it is."""
    found: list[str] = []

    def reading_it(source: Source, real: Callable[[Source], object]) -> object:
        found.append(source.name)
        return real(source)

    monkeypatch.setattr(detect, "read", partial(reading_it, real=detect.read))
    return found


def _read(place: Path, *, anew: bool = False) -> reading.Everything:
    store = kept.Kept(place)
    return reading.read(
        reading.listed(place / "data", store, lambda folder: folder.name), store, lambda _: None, anew=anew
    )


def _answer(found: reading.Everything) -> Answer:
    """Return the bytes of all tables, what may stand elsewhere too, and every problem."""
    sound = [rows for rows in found.rows if rows.tables]
    tables = together([rows.tables for rows in sound])[0] if sound else {}
    written = {}
    for name, table in tables.items():
        sink = io.BytesIO()
        pq.write_table(table, sink)
        written[name] = sink.getvalue()
    return written, found.rows[0].held() if found.rows else None, [str(each) for each in found.problems]


def _cold(place: Path, scratch: Path) -> Answer:
    """Return the answer of a workspace in which nothing is kept."""
    shutil.rmtree(scratch, ignore_errors=True)
    shutil.copytree(place / "data", scratch / "data")
    return _answer(_read(scratch))


@pytest.mark.parametrize("seed", SEEDS)
def test_whatever_changes_the_rows_are_those_of_reading_all(seed: int, mixed: Mixed, place: Path) -> None:
    """Edits, deletions, renames, additions, other entries and titles, in random order; faults are the same too."""
    choice = random.Random(seed)  # noqa: S311  (reproducible, not secret)
    sound, read, listed = 0, 0, 0
    assert _answer(_read(place))[2] == []
    for _ in range(STEPS):
        before = mixed.head, dict(mixed.files)
        said = [mixed.change(choice) for _ in range(choice.randrange(1, 4))]
        mixed.write(place / "data" / NAME)
        expected, found = _cold(place, place.parent / "cold"), _read(place)
        assert _answer(found) == expected, said
        sound, read, listed = sound + bool(expected[0]), read + found.read_files, listed + len(mixed.files)
        if not expected[0]:
            mixed.head, mixed.files = before
    assert sound > STEPS / 4
    assert read < listed / 2


def test_one_changed_file_is_read_and_no_other(mixed: Mixed, place: Path, opened: list[str], read: list[str]) -> None:
    """Nor is another opened; the logs of a changed report are not read again, but tied to it anew."""
    first = _read(place)
    count = len([1 for _, entry in mixed.files.values() if entry.get("role") not in {"job", "attachment"}])
    assert (first.problems, first.read_files, len(read)) == ([], count, count)
    opened.clear()
    read.clear()
    mixed.put("fio/0.json", varied(mixed.report, 50), repetition=1)
    mixed.write(place / "data" / NAME)
    found = _read(place)
    assert (found.problems, read, opened, found.read_files) == ([], ["fio/0.json"], ["0.json"], 1)
    samples = {row["result_id"] for row in found.rows[0].tables["samples"].to_pylist()}
    results = {row["result_id"] for row in found.rows[0].tables["results"].to_pylist()}
    assert samples - {None} <= results
    assert len(samples) > 1


@pytest.mark.parametrize(
    ("change", "expected"),
    [
        ("title", []),
        ("renamed", ["moved/0.json"]),
        ("job file", ["old.txt"]),
        ("gone", []),
        ("new", ["another.json"]),
        ("version of the run", ["fio/0.json", *LOGS]),
    ],
)  # fmt: skip
def test_what_is_read_again_is_what_depends_on_the_change(
    change: str, expected: list[str], mixed: Mixed, place: Path, read: list[str]
) -> None:
    """A log takes the version from its run, old output its options from a job file; nothing else is of two files."""
    _read(place)
    read.clear()
    if change == "title":
        mixed.head = mixed.head.replace("title: ", "title: Still ", 1)
    elif change == "renamed":
        mixed._rename("fio/0.json", "moved/0.json")  # noqa: SLF001
    elif change == "job file":
        mixed.put("plan.fio", mixed.files["plan.fio"][0] + b"\n", role="job")
    elif change == "gone":
        del mixed.files["fio/3.json"]
    elif change == "new":
        mixed.put("another.json", varied(mixed.report, 60))
    else:
        data = mixed.files["fio/0.json"][0]
        assert b"fio-3.36" in data
        mixed.put("fio/0.json", data.replace(b"fio-3.36", b"fio-3.35"), repetition=1)
    mixed.write(place / "data" / NAME)
    assert _read(place).problems == []
    assert sorted(read) == sorted(expected)


def test_a_change_of_one_reader_has_its_own_files_read_again(
    place: Path, read: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Of a submission of many tools."""
    expected = _answer(_read(place))
    read.clear()
    real, of_reader = readings.code_of, reading_code.of_reader
    monkeypatch.setattr(readings, "code_of", lambda tool: "other" if tool == "iometer" else real(tool))
    monkeypatch.setattr(kept, "of_reader", lambda name: "other" if name == "iometer" else of_reader(name))
    assert _answer(_read(place)) == expected
    assert sorted(read) == ["mixed.csv", "sweep.csv"]


def test_one_bad_file_costs_no_other_its_reading(mixed: Mixed, place: Path, read: list[str]) -> None:
    """It is read, and told, each time; the rows of the submission are not made while it is there."""
    mixed.put("bad.json", b"{")
    mixed.write(place / "data" / NAME)
    first = _read(place)
    read.clear()
    again = _read(place)
    assert read == ["bad.json"]
    assert first.problems == again.problems != []


def _flip(path: Path) -> None:
    held = bytearray(path.read_bytes())
    held[len(held) // 2] ^= 1
    path.write_bytes(held)


def _changed(path: Path, column: str, value: Any) -> None:  # noqa: ANN401  (of any column)
    """Change a value of the first file that was read, which leaves a sound Parquet file."""
    table = pq.read_table(path)
    values = table[column].to_pylist()
    values[next(row for row, held in enumerate(table["reading"].to_pylist()) if held)] = value
    field = table.schema.field(column)
    pq.write_table(table.set_column(table.schema.get_field_index(column), field, pa.array(values, field.type)), path)


def _of_another(path: Path) -> None:
    """Put the reading of another file into the row of the first."""
    _changed(path, "reading", pq.read_table(path)["reading"].to_pylist()[-1])


SPOILT: dict[str, Callable[[Path], object]] = {
    "a byte differs": _flip,
    "it is cut": lambda path: path.write_bytes(path.read_bytes()[:-9]),
    "it is empty": lambda path: path.write_bytes(b""),
    "it has other columns": lambda path: pq.write_table(pa.table({"x": [1]}), path),
    "a hash differs": lambda path: _changed(path, "sha256", "0" * 64),
    "a reading differs": lambda path: _changed(path, "reading", b"\x80"),
    "a reading is that of another file": _of_another,
    "the code differs": lambda path: _changed(path, "code", "0" * 64),
}


@pytest.mark.parametrize("fault", SPOILT)
def test_what_was_spoilt_is_told_and_read_anew(fault: str, mixed: Mixed, place: Path) -> None:
    """Whatever happened to it; and it is sound again then."""
    _read(place)
    SPOILT[fault](readings.place_of(place, NAME))
    mixed.head = mixed.head.replace("title: ", "title: Still ", 1)
    mixed.write(place / "data" / NAME)
    found = _read(place)
    assert found.spoilt == [NAME]
    assert _answer(found) == _cold(place, place.parent / "cold")
    mixed.head = mixed.head.replace("title: ", "title: Ever ", 1)
    mixed.write(place / "data" / NAME)
    again = _read(place)
    assert (again.spoilt, again.read_files) == ([], 0)


def test_what_is_kept_and_wrong_all_the_same_is_found_by_reading_all(place: Path) -> None:
    """A row that is sound in itself, and not what is read of the file."""
    expected = _answer(_read(place))
    path = readings.place_of(place, NAME)
    rows, _ = readings._loaded(path)  # noqa: SLF001
    held = rows["fio/0.json"]
    forged = readings._decoder().decode(held.packed or b"")  # noqa: SLF001
    forged.results[0].queue_depth = 7
    store = readings.Readings(path)
    store._made = rows | {"fio/0.json": held._replace(packed=readings._packed(forged)).sealed()}  # noqa: SLF001
    store.save()
    found = _read(place, anew=True)
    assert found.spoilt == [NAME]
    assert _answer(found) == expected
    assert _read(place, anew=True).spoilt == []


def test_bytes_that_came_after_the_listing_are_not_taken_for_those_it_told_of(mixed: Mixed, place: Path) -> None:
    """Git told of a file that was exchanged before it was read: it is looked at again."""
    folder = place / "data" / NAME
    _git(place, "init", "-q")
    _git(place, "add", ".")
    _git(place, "commit", "-qm", "first")
    store = kept.Kept(place)
    (listed,) = reading.listed(place / "data", store)
    told: Listing = msgspec.msgpack.decode(listed.listing)
    assert {identity.partition(":")[0] for identity in told.values()} == {"git"}
    mixed.put("fio/0.json", varied(mixed.report, 50), repetition=1)
    mixed.write(folder)
    reading.read([listed], store, lambda _: None)
    after = readings.Readings(readings.place_of(place, NAME), told)
    assert after.known("fio/0.json") is None
    assert after.known("fio/1.json") is not None


def test_what_git_knows_is_not_opened(mixed: Mixed, place: Path, opened: list[str], read: list[str]) -> None:
    """Without git a file is hashed to know that it is the same; in git it is not opened at all."""
    _git(place, "init", "-q")
    _git(place, "add", ".")
    _git(place, "commit", "-qm", "first")
    _read(place)
    opened.clear()
    read.clear()
    mixed.put("two.json", mixed.files["two.json"][0] + b"\n")
    mixed.write(place / "data" / NAME)
    assert _read(place).problems == []
    assert (opened, read) == (["two.json"], ["two.json"])


def _inputs() -> list[Path]:
    return [
        path
        for root in (FIXTURES, ROOT / "data")
        for path in sorted(root.rglob("*"))
        if path.is_file() and path.suffix != ".yaml" and path.name != "expected.json"
    ]


def test_a_reading_that_was_kept_is_the_reading() -> None:
    """Of every file of the fixtures and of ``data/``: the same values, of the same types, in the same order."""
    compared = 0
    for path in _inputs():
        made = detect.read(Source(path.name, path.read_bytes()))
        packed = readings._packed(made)  # noqa: SLF001
        if packed is not None:
            compared += 1
            assert _spelt(readings._decoder().decode(packed)) == _spelt(made), path  # noqa: SLF001
    assert compared > 200


def _spelt(value: object) -> object:
    """Return a value with the types of all that is in it; a map may be of any kind."""
    if isinstance(value, msgspec.Struct):
        return type(value), [_spelt(getattr(value, name)) for name in value.__struct_fields__]
    if isinstance(value, dict):
        return [(repr(key), _spelt(each)) for key, each in value.items()]
    if isinstance(value, list | tuple):
        return type(value), [_spelt(each) for each in value]
    return repr(value)
