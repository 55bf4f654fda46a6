"""Publications: what their figures become, and how bad cells are named."""

from __future__ import annotations

from pathlib import Path

import pytest

from ioledger.model import Reading, Source
from ioledger.readers import published
from ioledger.tables.columns import identity, result_id
from ioledger.tables.schema import tables

FIXTURES = Path(__file__).parent / "fixtures"
CASES = sorted((FIXTURES / "published").glob("*/input.csv"))
REJECTED = sorted((FIXTURES / "rejected").glob("published-*/input.csv"))


def _read(path: Path) -> Reading:
    return published.read(Source(path.name, path.read_bytes()))


@pytest.mark.parametrize("path", [*CASES, *REJECTED], ids=lambda path: path.parent.name)
def test_a_transcription_is_claimed_even_when_it_is_wrong(path: Path) -> None:
    """The reader claims its tables by their header, so that a wrong cell is told and not hidden."""
    assert published.claims(path.read_bytes())


@pytest.mark.parametrize(
    "head",
    [
        b"source_path,tool,operation,queue_depth,printed_value\n",
        b"figure_id,something,else\n",
        b'{"fio version": "fio-3.33"}',
        b'"figure_id,is_canonical\n',
        b"",
    ],
)
def test_another_file_is_not_claimed(head: bytes) -> None:
    """Neither other tables nor other tools' output look like a transcription."""
    assert not published.claims(head)


def test_a_median_latency_is_kept_and_never_taken_for_a_mean() -> None:
    """It stays a figure, with no result, while the mean beside it becomes one."""
    data = (FIXTURES / "published" / "figures" / "input.csv").read_text(encoding="utf-8")
    spoilt = data.replace("latency.users,true,latency,mean,", "latency.users,true,latency,median,")
    assert spoilt != data
    before, after = (published.read(Source("figures.csv", text.encode())) for text in (data, spoilt))
    assert len(after.results) == len(before.results) - 1
    pointers = {row["figure_id"]: row["pointer"] for row in after.rows["figures"]}
    assert pointers["latency.users"] is None
    assert pointers["latency.mean"] is not None


def test_a_range_and_an_unknown_base_leave_the_measure_empty_and_keep_the_printed_number() -> None:
    """Nothing is averaged, no base is guessed; specifications, prices and what has no configuration stay figures."""
    reading = _read(FIXTURES / "published" / "figures" / "input.csv")
    pointers = {row["figure_id"]: row["pointer"] for row in reading.rows["figures"]}
    results = {result.pointer: result for result in reading.results}
    ranged, unknown = results[pointers["database.high"]], results[pointers["streaming.unknown"]]
    assert (ranged.operations_per_second, ranged.printed_low, ranged.printed_high) == (None, 190000, 200000)
    assert (unknown.throughput_bytes_per_second, unknown.printed_value) == (None, 1.2)
    assert {pointers[name] for name in ("spec.read", "price", "idle")} == {None}


def test_every_row_has_the_columns_of_its_table() -> None:
    """What the reader leaves out is what the manifest and the hash supply, and what a comparison makes of a number."""
    supplied = {"submission_id", "source_sha256", "file_id", "result_id", "value_low", "value_high", "uncertainty_kind"}
    supplied |= {"known_from"}  # of excerpts
    for path in CASES:
        for table, rows in _read(path).rows.items():
            for row in rows:
                assert set(row) - {"pointer", "origin"} == set(tables()[table].column_names) - supplied


def test_line_ends_of_windows_change_nothing() -> None:
    """A file saved with carriage returns and a byte order mark gives the same results."""
    data = (FIXTURES / "published" / "figures" / "input.csv").read_bytes()
    saved = b"\xef\xbb\xbf" + data.replace(b"\n", b"\r\n")
    assert published.claims(saved)
    assert published.read(Source("saved.csv", saved)) == published.read(Source("input.csv", data))


def _dated(time: str) -> Reading:
    data = (FIXTURES / "published" / "figures-dated" / "input.csv").read_text(encoding="utf-8")
    assert data.count("2022-04-11T21:23:12Z") == 1
    return published.read(Source("figures.csv", data.replace("2022-04-11T21:23:12Z", time).encode()))


def test_a_figure_may_say_when_it_was_measured() -> None:
    """The start, in microseconds since 1970 UTC, tells which repetitions are sessions of their own."""
    assert _dated("1970-01-01T00:00:01Z").results[0].started_at == 1_000_000
    assert _dated("").results[0].started_at is None


@pytest.mark.parametrize(
    "time", ["2022-04-11", "2022-04-11T21:23:12", "2022-04-11T21:23:12+02:00", "2022-13-01T00:00:00Z"]
)
def test_a_time_that_is_no_instant_in_utc_is_refused(time: str) -> None:
    """A day, a time without a zone, one of another zone, and no time at all; the remedy shows one that may stand."""
    (refusal,) = _dated(time).refusals
    assert (refusal.place, refusal.rule) == ("line 2, column started_at", "R-CELL-2")
    assert refusal.remedy == "Write a time in UTC such as 2024-11-29T15:29:51Z."


def test_a_figure_of_a_file_that_lies_elsewhere_has_the_id_of_its_place_there() -> None:
    """Path, hash and place are those of that file, and no reader read it; a figure of a page has none of them."""
    first, second = _dated("2022-04-11T21:23:12Z").results
    assert first.origin is not None
    assert (first.origin.path, first.origin.pointer) == ("runs/first.json", "[0].record.model.rrandiops")
    assert (first.origin.reader_version, second.origin) == (None, None)
    assert (
        result_id("ab" * 32, first)
        == result_id("cd" * 32, first)
        == identity(first.origin.sha256, first.origin.pointer)
    )
    assert result_id("ab" * 32, second) == identity("ab" * 32, "line 3")
