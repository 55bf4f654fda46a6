"""Excerpts as CSV: what a reader took from raw files comes back as it was, with the ids of the raw files."""

from __future__ import annotations

import csv
import io
import json
from typing import TYPE_CHECKING

import pyarrow as pa
import pytest

import excerpted
from conftest import FIXTURES
from ioledger.loading import parse
from ioledger.model import Source
from ioledger.readers import derived_csv, detect
from ioledger.tables.columns import ORIGIN, identity, repetition_identity

if TYPE_CHECKING:
    from pathlib import Path

    from ioledger.model import Reading

RAW = [path for tool in ("fio", "iometer", "orion", "diskspd") for path in sorted(FIXTURES.glob(f"{tool}/*/input.*"))]


def _read(rows: bytes) -> Reading:
    return detect.read(Source("excerpt.csv", rows))


def _changed(line: int, **cells: str) -> bytes:
    """Return the invented excerpt with other cells in one line; the header is line 1."""
    rows = list(csv.DictReader(io.StringIO(excerpted.ROWS.decode())))
    rows[line - 2] |= cells
    text = io.StringIO()
    writer = csv.DictWriter(text, list(rows[0]), lineterminator="\n")
    writer.writeheader()
    writer.writerows(rows)
    return text.getvalue().encode()


def _excerpt_of(source: Source) -> bytes:
    """Return an excerpt of a raw file: every column that its reader filled, as text."""
    reading = detect.read(source)
    text = io.StringIO()
    writer = csv.DictWriter(text, derived_csv.COLUMNS, lineterminator="\n")
    writer.writeheader()
    for result in reading.results:
        own = {name: getattr(result, name) for name in derived_csv.OWN}
        cells = {
            name: str(value).lower() if isinstance(value, bool) else repr(value) if isinstance(value, float) else value
            for name, value in own.items()
        }
        told = [[each.rule, each.message] for each in reading.warnings if each.pointer == result.pointer]
        writer.writerow(
            cells
            | {
                "configuration_id": "raw", "origin_path": source.name, "origin_sha256": source.sha256,
                "origin_pointer": result.pointer, "origin_repetition": result.repetition, "reader_version": "1",
                "tool": reading.tool, "tool_version": result.tool_version, "started_at": "", "ended_at": "",
                "latency_percentiles": derived_csv.percentiles_text(result.percentiles),
                "findings": json.dumps(told) if told else "",
            }
        )  # fmt: skip
    return text.getvalue().encode()


@pytest.mark.parametrize("file", RAW, ids=lambda path: f"{path.parts[-3]}/{path.parts[-2]}")
def test_an_excerpt_of_a_raw_file_gives_the_results_of_that_file_with_its_ids(file: Path, tmp_path: Path) -> None:
    """Whatever a file tells column by column; only times are left out here, which another test has."""
    raw, copy = tmp_path / "raw.json", tmp_path / "excerpt.csv"
    raw.write_bytes(file.read_bytes())
    copy.write_bytes(_excerpt_of(Source(raw.name, raw.read_bytes())))
    tables = ("results", "latency_percentiles", "findings")
    first, second = (next(parse.chunks([str(path)], lines=False, tables=tables)).tables for path in (raw, copy))
    of_place = {"source_path", "source_sha256", "source_pointer", "file_id", "finding_index", "values", *ORIGIN}
    of_place |= {"started_at", "ended_at"}
    for name in tables:
        expected, found = (pa.ipc.open_stream(each[name]).read_all().to_pylist() for each in (first, second))
        if name == "findings":  # one about a repetition is asked again, and told of the repetition again
            rules = [{(row["rule_id"], row["repetition_id"]) for row in rows} for rows in (expected, found)]
            assert rules[1] <= rules[0]
            continue
        kept = [[{key: row[key] for key in row.keys() - of_place} for row in rows] for rows in (expected, found)]
        assert kept[0] == kept[1], name


def test_each_line_keeps_its_place_in_the_raw_file(tmp_path: Path) -> None:
    """The file of an excerpt is where a result was read; the raw file is what its ids are made of."""
    path = tmp_path / "excerpt.csv"
    path.write_bytes(excerpted.ROWS)
    (chunk,) = parse.chunks([str(path)], lines=True, tables=["results"])
    lines = [json.loads(line) for line in chunk.lines.splitlines()]
    rows = pa.ipc.open_stream(chunk.tables["results"]).read_all().to_pylist()
    source = list(csv.DictReader(io.StringIO(excerpted.ROWS.decode())))
    for line, row, cells, number in zip(lines, rows, source, range(2, 10), strict=True):
        place = cells["origin_sha256"], cells["origin_pointer"]
        assert line["result_id"] == row["result_id"] == identity(*place)
        assert row["repetition_id"] == repetition_identity(cells["origin_sha256"], cells["origin_repetition"])
        assert line["source_pointer"] == row["source_pointer"] == f"line {number}"
        assert [row[name] for name in ORIGIN] == [line[name] for name in ORIGIN]
        assert (row["origin_path"], str(row["origin_line"])) == (cells["origin_path"], cells["operations_line"])
        assert line["tool"] == row["tool"] == "fio"
    assert rows[0]["repetition_id"] == rows[1]["repetition_id"] != rows[2]["repetition_id"]
    assert chunk.files[0].result_count == len(rows)


def test_a_time_keeps_its_microseconds() -> None:
    """As ISO 8601 in UTC, with or without a fraction."""
    (first, *_) = _read(_changed(2, started_at="2025-03-04T12:00:05.000042Z")).results
    assert first.started_at == 1_741_089_605_000_042


def test_the_line_of_the_throughput_stands_in_where_a_file_prints_no_rate() -> None:
    """And a file that holds neither figure has no line."""
    assert _read(_changed(2, operations_line="")).results[0].origin.line == 56  # type: ignore[union-attr]
    assert _read(_changed(2, operations_line="", throughput_line="")).results[0].origin.line is None  # type: ignore[union-attr]


def test_what_was_told_of_the_raw_file_is_told_again_once() -> None:
    """The rule and the message as they were, at the line of the result."""
    told = [(each.rule, each.message, each.pointer) for each in _read(excerpted.ROWS).warnings]
    assert told == [("R-FIO-NOTE-1", "the note of the report is kept", "line 2")]
    known = json.dumps([["R-CHECK-2", "told before"]])
    falling = {"latency_percentiles": "completion:0.5=0.2,0.9=0.1", "findings": known}
    rules = [each.rule for each in _read(_changed(4, **falling)).warnings if each.pointer == "line 4"]
    assert rules.count("R-CHECK-2") == 1


@pytest.mark.parametrize(
    ("cells", "rule"),
    [
        ({"latency_percentiles": "completion:0.5=0.0002,0.9=0.0001"}, "R-CHECK-2"),
        ({"transferred_bytes": "4096"}, "R-FIO-BLOCK-1"),
        ({"latency_mean_seconds": "0.9"}, "R-CHECK-2"),
    ],
    ids=["percentiles that fall", "bytes that are no blocks", "a mean outside its limits"],
)
def test_a_line_that_contradicts_itself_is_told_as_in_a_raw_file(cells: dict[str, str], rule: str) -> None:
    """Whatever was changed after the raw file was read: its tool's rules are asked of the excerpt too."""
    told = {(each.rule, each.pointer) for each in _read(_changed(4, **cells)).warnings}
    assert rule in {each for each, _ in told}, told
    assert {pointer for _, pointer in told} <= {"line 2", "line 4", "lines 4"}, "a line, or its repetition"


def test_of_a_tool_without_a_reader_nothing_is_asked() -> None:
    """Its figures stand as they are."""
    reading = _read(_changed(4, tool="iocost", transferred_bytes="4096"))
    assert [each.pointer for each in reading.warnings] == ["line 2"]


def test_percentiles_are_written_as_they_are_read() -> None:
    """Kinds and ratios in order, numbers to the last digit."""
    found = {"total": {0.99: 1e-05, 0.5: 0.1 + 0.2}, "completion": {0.9999: 3.0}, "submission": dict[float, float]()}
    text = "completion:0.9999=3.0;total:0.5=0.30000000000000004,0.99=1e-05"
    assert derived_csv.percentiles_text(found) == text
    assert derived_csv.percentiles_of(text) == {kind: found[kind] for kind in ("completion", "total")}


def test_an_excerpt_without_a_line_has_no_result() -> None:
    """Which a submission refuses as it does a raw file without one."""
    reading = _read(excerpted.ROWS.split(b"\n")[0] + b"\n")
    assert (reading.results, reading.refusals) == ([], [])
