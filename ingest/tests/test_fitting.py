"""What no table can hold costs its own value and nothing else."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

import pytest
from pyarrow import feather

from conftest import FIXTURES
from ioledger.loading import parse
from ioledger.model import Bins, Reading, Result
from ioledger.readers import detect
from ioledger.tables import arrow
from ioledger.tables.columns import Part

if TYPE_CHECKING:
    from pathlib import Path

    from conftest import Run

BEYOND = FIXTURES / "fio" / "json-2.8-bytes-beyond-64-bits" / "input.json"
"""fio 2.x counts in KiB: 2^53 + 1 of them are more bytes than 64 bits count."""
REPORT = FIXTURES / "submission" / "report.json"
MISFITS = {
    "operation_count": 2**63,
    "queue_depth": -(2**63) - 1,
    "transferred_bytes": 10**5000,
    "latency_mean_seconds": math.inf,
    "throughput_bytes_per_second": math.nan,
    "printed_value": 10**400,
    "started_at": detect.LAST + 1,
    "ended_at": detect.FIRST - 1,
}


def _result(**values: Any) -> Result:  # noqa: ANN401  (any column)
    return Result(pointer="place", repetition="point", source_format="json", operation="read", **values)


def _fitted(result: Result, **rows: list[dict[str, Any]]) -> Reading:
    reading = Reading(tool="fio", results=[result], rows=rows)
    detect.fit(reading)
    return reading


def _assert_can_be_written(reading: Reading) -> None:
    part = Part(reading, "f" * 64, "file.json")
    assert parse._json_lines(part).count(b"\n") == len(reading.results)  # noqa: SLF001  (what the command prints)
    assert set(arrow.streams([part], parse.TABLES)) == set(parse.TABLES)


@pytest.mark.parametrize("name", MISFITS)
def test_a_number_that_fits_no_column_is_not_measured_and_told(name: str) -> None:
    """Null, one finding with the place, and both outputs can be written; the neighbours stay."""
    reading = _fitted(_result(**{"error_count": 7, name: MISFITS[name]}))
    (result,) = reading.results
    assert (getattr(result, name), result.error_count) == (None, 7)
    assert [(each.rule, each.pointer, each.message.split()[0]) for each in reading.warnings] == [
        ("R-READ-6", "place", name)
    ]
    _assert_can_be_written(reading)


def test_the_largest_numbers_that_fit_are_kept() -> None:
    """Whole numbers up to 2^63 - 1; and those in a column of floats, where Arrow takes them up to 2^53 only."""
    result = _result(operation_count=2**63 - 1, printed_value=2**53 + 1, started_at=detect.LAST, ended_at=detect.FIRST)
    reading = _fitted(result)
    assert (result.operation_count, result.printed_value) == (2**63 - 1, float(2**53))
    assert (result.started_at, result.ended_at, reading.warnings) == (detect.LAST, detect.FIRST, [])
    _assert_can_be_written(reading)


def test_percentiles_bins_and_samples_are_bound_too() -> None:
    """Each keeps what fits; one finding per series says what went."""
    percentiles = {"total": {0.5: 1e-3, 0.99: math.inf}}
    bins = {"total": Bins([0.0, 1e-3], [1e-3, None], [5, 2**63])}
    result = _result(percentiles=percentiles, bins=bins)
    samples = [{"sample_index": 1, "quantity": "latency", "latency_seconds": math.nan, "block_size_bytes": 2**64}]
    reading = _fitted(result, samples=samples)
    assert (result.percentiles, result.bins) == ({"total": {0.5: 1e-3}}, {"total": Bins([0.0], [1e-3], [5])})
    assert (samples[0]["latency_seconds"], samples[0]["block_size_bytes"]) == (None, None)
    assert [each.rule for each in reading.warnings] == ["R-READ-6"] * 4
    _assert_can_be_written(reading)


def test_a_lone_surrogate_in_any_text_becomes_its_escape() -> None:
    """No encoding can write one; the text says which it was."""
    result = _result(test_name="a\ud800b", job_options='{"description":"\udfff"}')
    result.pointer = "'Worker \udc00"
    reading = _fitted(result, claims=[{"claim_id": "\udabc", "pointer": None}])
    assert (result.test_name, result.job_options) == ("a\\ud800b", '{"description":"\\udfff"}')
    assert result.pointer.isascii()
    assert reading.rows["claims"][0]["claim_id"] == "\\udabc"
    _assert_can_be_written(reading)


@pytest.mark.parametrize("suffix", [".jsonl", ".csv", ".parquet", ".arrow"])
def test_a_file_with_bytes_beyond_64_bits_costs_no_other_file_its_rows(
    suffix: str, ioledger: Run, tmp_path: Path
) -> None:
    """Three files, every output, one pass: six results, and the finding is kept."""
    for name, path in (("a", REPORT), ("b", BEYOND), ("c", REPORT)):
        (tmp_path / f"{name}.json").write_bytes(path.read_bytes() + b"\n" * ord(name))  # no two have the same bytes
    findings = tmp_path / "findings.arrow"
    files = [tmp_path / f"{name}.json" for name in "abc"]
    done = ioledger("parse", *files, "-o", tmp_path / f"rows{suffix}", "--table", "findings", findings)
    assert (done.returncode, done.stdout) == (0, "")
    assert "3 files: 3 read (100%), 0 refused, 6 results" in done.stderr
    told = [row for row in feather.read_table(findings).to_pylist() if row["rule_id"] == "R-READ-6"]
    assert [(row["source_path"], row["source_pointer"]) for row in told] == [(str(files[1]), "0#/jobs/0/read")]
