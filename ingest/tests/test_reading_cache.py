"""Cached readings give the rows of reading all files, and never those of other bytes or other code."""

from __future__ import annotations

import hashlib
import shutil
from functools import partial
from typing import TYPE_CHECKING

import msgspec
import pytest

import excerpted
import hostile
import invented
from conftest import FIXTURES
from ioledger.model import Reading, Source
from ioledger.readers import detect
from ioledger.submission import files
from ioledger.submission.files import PLACE, Inputs, ReadingCache
from ioledger.submission.gather import combine, folders, gather_one
from ioledger.submission.rows import raw_tables

if TYPE_CHECKING:
    from pathlib import Path

    import pyarrow as pa

FIO = "2026-11-tester-disk"
FEW = 3


@pytest.fixture
def data(submission: Path) -> Path:
    """Return a folder with submissions of several readers: fio's, a publication with a reply, and an excerpt."""
    data = submission.parent / "work" / "data"
    data.mkdir(parents=True)
    submission.rename(data / submission.name)
    for make in (invented.later, excerpted.three_media, excerpted.reply):
        make(data)
    return data


def _read(data: Path) -> tuple[dict[str, pa.Table], list[str], ReadingCache]:
    """Return the tables of all submissions, the rules of what is wrong, and the cache that was used."""
    cache = ReadingCache(data.parent)
    gathered = combine(gather_one(folder, folder.name, cache) for folder in folders(data))
    return raw_tables(gathered)[0], [problem.rule for problem in gathered.problems], cache


def test_cached_readings_give_the_rows_of_reading_all_files(data: Path) -> None:
    """In every table; the second time no file is read."""
    gathered = combine(gather_one(folder, folder.name) for folder in folders(data))
    expected, _ = raw_tables(gathered)
    first, problems, cache = _read(data)
    second, _, again = _read(data)
    assert problems == []
    assert (cache.read_count, again.read_count) == (again.cached_count, 0)
    assert cache.read_count > FEW
    assert all(first[name].equals(table) and second[name].equals(table) for name, table in expected.items())


def test_a_changed_file_is_read_again_and_no_other(data: Path) -> None:
    """The unused reading of its old bytes is removed after that."""
    _read(data)
    report, manifest = data / FIO / "report.json", data / FIO / "manifest.yaml"
    old = report.read_bytes()
    new = old + b"\n"
    report.write_bytes(new)
    listed = manifest.read_text(encoding="utf-8").replace(_sha256(old), _sha256(new))
    manifest.write_text(listed, encoding="utf-8")
    _, problems, cache = _read(data)
    assert (problems, cache.read_count) == ([], 1)
    cache.remove_unused()
    assert len(list((data.parent / PLACE).iterdir())) == 1 + cache.cached_count


def _sha256(data: bytes) -> str:
    return hashlib.sha256(data).hexdigest()


def test_a_file_that_is_not_the_listed_one_is_refused_although_the_listed_one_is_cached(data: Path) -> None:
    """The bytes of every file are hashed in every build."""
    _read(data)
    report = data / FIO / "report.json"
    report.write_bytes(report.read_bytes().replace(b"fio-3", b"fio-4", 1))
    assert _read(data)[1] == ["R-FILE-2"]


def test_a_file_that_is_refused_is_read_and_reported_each_time(data: Path) -> None:
    """It costs no other file its reading."""
    hostile.replace(hostile.sound(data / hostile.NAME), b"not a result", hostile.REPORT)
    first, again = _read(data), _read(data)
    assert first[1] == again[1] == ["R-DETECT-1"]
    assert again[2].read_count == 1


def test_a_damaged_reading_is_made_again(data: Path) -> None:
    """And is whole the next time."""
    expected = _read(data)[0]
    path = max((data.parent / PLACE).iterdir(), key=lambda each: each.stat().st_size)
    held = path.read_bytes()
    for damaged in (held[:-1] + bytes([held[-1] ^ 1]), held[:-9], b""):
        path.write_bytes(damaged)
        found, _, cache = _read(data)
        assert cache.read_count == 1
        assert all(found[name].equals(table) for name, table in expected.items())
        assert path.read_bytes() == held


def test_a_reading_depends_on_the_path_the_version_and_the_job_file(tmp_path: Path) -> None:
    """One that differs in any of these is another reading."""
    cache = ReadingCache(tmp_path)
    inputs = Inputs("run.json", "0" * 64)
    others = {"path": "other.json", "sha256": "1" * 64, "tool_version": "fio-3.33", "job_sha256": "2" * 64}
    for each in (inputs, *(inputs._replace(**{name: value}) for name, value in others.items())):
        cache.get(each, lambda: Reading(tool="fio"))
    assert (cache.read_count, cache.cached_count) == (5, 0)
    assert cache.get(inputs, lambda: Reading(tool="other")).tool == "fio"


def test_every_reading_of_the_fixtures_survives_the_cache(tmp_path: Path) -> None:
    """The same values, of the same types, in the same order."""
    compared = 0
    for path in sorted(FIXTURES.rglob("input.*")):
        made = detect.read(Source(path.name, path.read_bytes()))
        if not made.refusals:
            cache, inputs = ReadingCache(tmp_path), Inputs(str(path), "")
            found = [repr(cache.get(inputs, partial(msgspec.structs.replace, made))) for _ in range(2)]
            assert found[0] == found[1], path
            compared += cache.cached_count
    assert compared > 50


def test_other_code_anywhere_in_the_package_is_other_code(tmp_path: Path) -> None:
    """A reader that reads other values makes every cached reading worthless."""
    ignored = shutil.ignore_patterns("__pycache__")
    package = shutil.copytree(files.PACKAGE, tmp_path / "ioledger", ignore=ignored)
    before = files.fingerprint(package)
    assert before == files.fingerprint()
    with (package / "readers" / "fio" / "latency.py").open("a", encoding="utf-8") as code:
        code.write("# changed\n")
    assert files.fingerprint(package) != before
