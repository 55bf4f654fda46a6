"""Reading by columns gives what reading one result at a time gives, to the last digit."""

from __future__ import annotations

import os
import random
import re
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from mutate import alter, mutate, nudge
from routes import NAMES, differing, one_at_a_time

from bench import orion_files
from bench.generate import fio_files
from ingest import bulk
from ingest.loading import load
from ingest.problems import Problem
from ingest.readers.fio import json_bulk, json_remembered
from ingest.record import Reading, Source

if TYPE_CHECKING:
    import pyarrow as pa

FIXTURES = sorted((Path(__file__).parent / "fixtures").rglob("input.*"))
CORPUS = os.environ.get("IOLEDGER_CORPUS")
MATRICES = [
    orion_files.matrix(quantity, disks, is_whole=is_whole, is_recent=is_recent)
    for quantity in ("iops", "mbps", "latency")
    for disks in (1, 4)
    for is_whole in (True, False)
    for is_recent in (True, False)
]
"""All go by columns; of the four bare ones of latencies a finding says that no unit is stated."""


def _sources(paths: list[Path], *, wants_bins: bool = True) -> list[Source]:
    return [Source(path.name, path.read_bytes(), wants_bins=wants_bins) for path in paths]


def _assert_same(paths: list[Path], *, wants_bins: bool = True) -> None:
    shown = [str(path) for path in paths]
    names = NAMES if wants_bins else NAMES[:2]
    found = bulk.read(partial(load, wants_bins=wants_bins), shown, names)
    _assert_equal(found, one_at_a_time(_sources(paths, wants_bins=wants_bins), shown))


def _assert_same_bytes(files: list[bytes]) -> bulk.Read:
    sources = {str(index): Source(str(index), data) for index, data in enumerate(files)}
    found = bulk.read(sources.__getitem__, list(sources))
    _assert_equal(found, one_at_a_time(list(sources.values()), list(sources)))
    return found


def _assert_equal(found: bulk.Read, expected: tuple[dict[str, pa.Table], list[Reading]]) -> None:
    made, readings = expected
    for name, table in found.tables.items():
        assert table.schema == made[name].schema
        assert table.to_pylist() == made[name].to_pylist()
    for each, findings, other in zip(found.readings, found.findings, readings, strict=True):
        assert each == other if each else (list(findings), []) == (other.warnings, other.refusals)


@pytest.mark.parametrize("wants_bins", [True, False])
def test_both_ways_agree_on_every_fixture(*, wants_bins: bool) -> None:
    """Files of every tool together, refused ones included: whatever is not ordinary is left to its reader."""
    _assert_same(FIXTURES, wants_bins=wants_bins)


@pytest.mark.parametrize("wants_bins", [True, False])
def test_both_ways_agree_on_made_reports(tmp_path: Path, *, wants_bins: bool) -> None:
    """Reports of one to 64 jobs, with and without histograms; all of them go by columns."""
    paths = fio_files(tmp_path, 60, 5)
    _assert_same(paths, wants_bins=wants_bins)
    ordinary = json_bulk.Ordinary(with_bins=wants_bins)
    assert all(ordinary.add(index, source) for index, source in enumerate(_sources(paths)))
    found = ordinary.columns()
    assert found is not None
    assert set(found.source.tolist()) == set(range(len(paths)))


@pytest.mark.parametrize("wants_bins", [True, False])
def test_both_ways_say_the_same_about_altered_reports(tmp_path: Path, *, wants_bins: bool) -> None:
    """
    A value of another type, a key twice, a number that fits no column: also where the columns take nothing from it.

    Reports that nothing is said about are altered in one to three members. Some go by columns still; about these the
    other way must have nothing to say.
    """
    reports = [path.read_bytes() for path in fio_files(tmp_path, 20, 5, small=True)]
    reports += [path.read_bytes() for path in FIXTURES if path.parent.name in {"json-3.33", "json-plus-3.42"}]
    taken = 0
    for start in range(0, 500, 50):
        altered = [alter(seed, reports[seed % len(reports)]) for seed in range(start, start + 50)]
        different, by_columns = differing(altered, wants_bins=wants_bins)
        assert different == [], f"seeds from {start}"
        taken += by_columns
    assert taken > 100


@pytest.mark.parametrize(
    ("old", "new", "rule"),
    [
        (rb'("trim" : \{[^}]*?"runtime" : )0', rb"\1[]", "R-FIO-TYPE-1"),
        (rb'("trim" : \{.*?"iops_max" : )0', rb'\1"x"', "R-FIO-TYPE-1"),
        (rb'("sync" : \{.*?"mean" : )0.0', rb"\1{}", "R-FIO-TYPE-1"),
        (rb'("iops_samples" : )', rb"\1-", "R-FIO-TYPE-1"),
        (rb'("latency_depth" : )\d+', rb'\1"deep"', "R-FIO-TYPE-1"),
        (rb'("jobname" : )', rb'\1"other", \1', "R-FIO-DUPLICATE-2"),
        (rb'("io_bytes" : )', rb"\g<1>7, \1", "R-FIO-DUPLICATE-2"),
        (rb'("write" : \{)', rb'"other" : {"io_bytes" : 1e400}, \1', "R-FIO-NUMBER-1"),
    ],
)
def test_what_the_columns_leave_out_is_looked_at_too(tmp_path: Path, old: bytes, new: bytes, rule: str) -> None:
    """No column holds what a trim did that did nothing, but a report that is wrong there was changed."""
    (path,) = fio_files(tmp_path, 1, 5, small=True)
    report = path.read_bytes()
    altered = re.sub(old, new, report, count=1, flags=re.DOTALL)
    assert altered != report
    found = _assert_same_bytes([report, altered])
    assert found.readings[0] is None
    assert isinstance(found.readings[1], Reading)
    assert rule in {finding.rule for finding in found.readings[1].warnings}


LISTS = {
    "the usual list": ("", ""),
    "the usual list in another order": ("\\1\\2\\3", "\\2\\1\\3"),
    "a shorter list": ("\\1\\2\\3", "\\1\\3"),
    "another percentile": ('"5.000000"', '"7.500000"'),
    "a percentile twice": ('"5.000000"', '"1.000000"'),
}
_PERCENTILE = r'("1.000000" : \d+,\s*)("5.000000" : \d+,\s*)("10.000000" : \d+,\s*)'


@pytest.mark.parametrize("name", LISTS)
def test_both_ways_agree_on_lists_of_percentiles(tmp_path: Path, name: str) -> None:
    """``percentile_list`` says which there are; the usual ones have a decoder of their own."""
    usual, other = (path.read_bytes().decode() for path in fio_files(tmp_path, 2, 5, small=True))
    old, new = LISTS[name]
    changed = re.sub(_PERCENTILE, new, other) if old.startswith("\\") else other.replace(old, new)
    assert (changed == other) == (name == "the usual list")
    found = _assert_same_bytes([usual.encode(), changed.encode(), usual.encode()])
    assert len(found.tables["latency_percentiles"]) > 0
    assert found.readings == [None, None, None]


def test_a_report_with_a_finding_is_read_one_result_at_a_time(tmp_path: Path) -> None:
    """Whatever there is to say about a report, the reading says it."""
    (path,) = fio_files(tmp_path, 1, 5, small=True)
    data = path.read_bytes()
    spoilt = data.replace(b'"bw_bytes" : ', b'"bw_bytes" : 9')
    assert spoilt != data
    sources = {"a": Source("a", data), "b": Source("b", spoilt), "c": Source("c", data)}
    found = bulk.read(sources.__getitem__, list(sources))
    assert found.readings[0] is None
    assert isinstance(found.readings[1], Reading)
    assert {finding.rule for finding in found.readings[1].warnings} == {"R-FIO-RATE-1", "R-FIO-UNIT-3"}
    assert found.tables["results"]["source_path"].unique().to_pylist() == ["a", "b", "c"]


def test_a_file_that_cannot_be_loaded_is_named_and_the_others_are_read(tmp_path: Path) -> None:
    """A missing file among others is a problem with its path, and keeps no other file from its place."""
    first, last = map(str, fio_files(tmp_path, 2, 5, small=True))
    missing = str(tmp_path / "missing.json")
    found = bulk.read(load, [first, missing, last])
    assert isinstance(found.readings[1], Problem)
    assert (found.readings[1].file, found.readings[1].rule, found.counts[1]) == (missing, "R-FILE-8", 0)
    assert found.tables["results"]["source_path"].unique().to_pylist() == [first, last]


def test_loads_that_were_forgotten_are_made_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Few are remembered here, so that most are forgotten between one batch and the next."""
    monkeypatch.setattr(json_remembered, "_MOST", 3)
    monkeypatch.setattr(bulk, "_BATCH_BYTES", 20_000)
    _assert_same(fio_files(tmp_path, 60, 5), wants_bins=False)


def test_both_ways_agree_on_made_matrices() -> None:
    """Matrices with prose and bare, of one row and of many, with line ends of both kinds."""
    found = _assert_same_bytes([*MATRICES, *(data.replace(b"\n", b"\r\n") for data in MATRICES)])
    assert found.readings == [None] * len(found.counts)
    assert [finding.rule for findings in found.findings for finding in findings] == ["R-ORION-9"] * 8


@pytest.mark.parametrize(
    ("old", "new", "is_ordinary"),
    [
        (b"0,     12,     34", b"0,     12", True),
        (b"0,     12,     34", b"0,,34", True),
        (b"0,     12,     34", b"0,       ,     34", True),
        (b"0,     12,     34", b"0001,007,123456789012.5", True),
        (b"7\n", b"7\n\n \n", True),
        (b"7\n", b"7", True),
        (b"0,     12,     34", b"0,     12,     34,", False),
        (b"0,     12,     34", b"0,     12,      0", False),
        (b"0,     12,     34", b"0,     12,    3 4", False),
        (b"0,     12,     34", b"0,     12,    3.4.5", False),
        (b"0,     12,     34", b"0,     12,    .4", False),
        (b"0,     12,     34", b"0,     12,    4.", False),
        (b"0,     12,     34", b"0,     12,    0.1234567", False),
        (b"0,     12,     34", b"0,     12,    1234567890123", False),
        (b"0,     12,     34", b"0,     12,    -4", False),
        (b"0,     12,     34", b"0.5,     12,    4", False),
        (b"0,     12,     34", b",     12,    4", False),
        (b"0,     12,     34", b"5,     12,    4", False),
        (b"0,     12,     34", b"0,,\n5", False),
        (b"0,     12,     34\n", b"0,     12,     34\n\n", False),
        (b"small I/Os in IOPS", b"Results for timespan", False),
        (b"Large/Small,      1", b"Large/Small,      2", False),
        (b"Contains", b"Write: 0%\nContains", False),
    ],
)
def test_a_matrix_that_is_not_ordinary_is_left(old: bytes, new: bytes, *, is_ordinary: bool) -> None:
    """Ragged rows and blanks are ORION's own; all else is read one result at a time, or refused."""
    whole = b"Contains the rates sustained by small I/Os in IOPS.\n\nLarge/Small,      1,      2\n"
    whole += b"          0,     12,     34\n          5,      6,      7\n"
    assert old in whole
    found = _assert_same_bytes([whole.replace(old, new), whole])
    assert [reading is None for reading in found.readings] == [is_ordinary, True]


@pytest.mark.parametrize(("cell", "is_ordinary"), [("1000.00", True), ("1000.01", False), ("4.5", False), ("4", False)])
def test_a_latency_without_a_unit_goes_by_columns_if_it_can_be_milliseconds(cell: str, *, is_ordinary: bool) -> None:
    """More than a second is refused, and so is what has not the two decimals of 11.1."""
    found = _assert_same_bytes([f"Large/Small, 1, 2\n0, 0.45, {cell}\n".encode()])
    assert [len(findings) for findings in found.findings] == [int(is_ordinary)]
    assert (found.readings[0] is None) == is_ordinary


def test_a_matrix_with_more_cells_than_are_read_is_left_to_be_refused() -> None:
    """A file of four megabytes is not taken apart into arrays of a hundred times its size."""
    head = b"Contains the rates sustained by small I/Os in IOPS.\n\nLarge/Small, 1, 2, 3\n"
    found = _assert_same_bytes([head + b"".join(b"%d,7,7,7\n" % large for large in range(33_334))])
    assert isinstance(found.readings[0], Reading)
    assert [refusal.rule for refusal in found.readings[0].refusals] == ["R-ORION-1"]


@settings(max_examples=100, deadline=None, derandomize=True)
@given(seed=st.integers(0, 2**32))
def test_both_ways_agree_on_spoilt_matrices(seed: int) -> None:
    """Many matrices at once, each spoilt a little or a lot: every number is that of the other way."""
    rng = random.Random(seed)  # noqa: S311  (reproducible, not secret)
    spoilt = [rng.choice((nudge, mutate))(rng.randrange(2**32), rng.choice(MATRICES)) for _ in range(20)]
    _assert_same_bytes([data for data in spoilt if data.strip()])


@pytest.mark.skipif(CORPUS is None, reason="IOLEDGER_CORPUS names no corpus")
def test_both_ways_agree_on_the_corpus() -> None:
    """Every real file gives the same rows either way."""
    paths = sorted(path for path in Path(str(CORPUS)).rglob("*") if path.is_file() and path.stat().st_size < 1 << 24)
    for start in range(0, len(paths), 200):
        _assert_same(paths[start : start + 200])
