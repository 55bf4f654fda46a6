"""Real fio files, when a corpus of them is at hand: ``IOLEDGER_CORPUS`` names its folder."""

from __future__ import annotations

import os
import re
from pathlib import Path
from statistics import median
from typing import TYPE_CHECKING

import pytest

from ingest import detect
from ingest.readers import fio
from ingest.readers.fio.point_checks import outstanding
from ingest.record import Source

if TYPE_CHECKING:
    from ingest.record import Reading, Result

CORPUS = Path(os.environ.get("IOLEDGER_CORPUS", "")) / "fio"
FILES = sorted(path for path in CORPUS.rglob("*") if path.is_file()) if "IOLEDGER_CORPUS" in os.environ else []
pytestmark = pytest.mark.skipif(not FILES, reason="IOLEDGER_CORPUS names no corpus")
_SUFFIXES = {".json", ".jsonn"}
_FAR = 10.0
_WITHIN, _SHARE = 0.05, 0.97


def _read(path: Path) -> Reading:
    return detect.read(Source(path.name, path.read_bytes()))


def test_every_file_is_rows_or_a_reasoned_refusal(capsys: pytest.CaptureFixture[str]) -> None:
    """No file raises, and what is refused says why and what to do."""
    readings = [_read(path) for path in FILES]
    refused = [reading for reading in readings if reading.refusals]
    told = [refusal for reading in refused for refusal in reading.refusals]
    assert not [refusal for refusal in told if refusal.rule == "R-READ-1" or not refusal.what or not refusal.remedy]
    read = sum(bool(reading.results or any(reading.rows.values())) for reading in readings)
    with capsys.disabled():
        print(f"\n{len(FILES)} fio files: {read} read, {len(refused)} with refusals")  # noqa: T201


def test_every_report_is_read() -> None:
    """A whole JSON report is never refused."""
    reports = [path for path in FILES if path.suffix in _SUFFIXES and b'"fio version"' in path.read_bytes()]
    refused = [path.name for path in reports if _read(path).refusals]
    assert reports
    assert not refused


def _is_job(result: Result) -> bool:
    return not result.is_aggregate and not result.is_partial


def test_all_versions_of_one_job_agree() -> None:
    """One job was run by each version: no figure is off by 1000 or 1024, or by any other unit."""
    paths = [path for path in FILES if path.parent.name == "versions" and re.search(r"json(plus)?\.json$", path.name)]
    results = [result for path in paths for result in _read(path).results if _is_job(result)]
    assert len({result.tool_version for result in results}) > 5
    for operation in ("read", "write"):
        mine = [result for result in results if result.operation == operation]
        for column in (
            "throughput_bytes_per_second",
            "operations_per_second",
            "latency_mean_seconds",
            "completion_latency_mean_seconds",
            "latency_max_seconds",
        ):
            values = [getattr(result, column) for result in mine]
            middle = median(values)
            spread = 10 * _FAR if column == "latency_max_seconds" else _FAR
            assert all(middle / spread < value < middle * spread for value in values), (operation, column, values)


def test_littles_law_holds() -> None:
    """Outstanding operations are the configured depth within 5 % on at least 97 % of the points of the sweeps."""
    shares = []
    for path in FILES:
        if path.name.endswith(".sweep.json"):
            points: dict[str, list[Result]] = {}
            for result in _read(path).results:
                points.setdefault(result.point, []).append(result)
            for parts in points.values():
                achieved, configured = outstanding(parts), parts[0].queue_depth
                assert achieved is not None
                assert configured is not None
                shares.append(abs(achieved / configured - 1) <= _WITHIN)
    assert shares
    assert sum(shares) / len(shares) >= _SHARE


def test_the_median_lies_in_the_bin_that_holds_it() -> None:
    """Bins and percentiles are two views of one histogram: keys are not read on a wrong scale."""
    seen = 0
    for path in FILES:
        for result in _read(path).results if "jsonplus" in path.name else ():
            for kind, bins in result.bins.items():
                told = result.percentiles.get(kind, {}).get(0.5)
                if told is not None:
                    low, high = _median_bin(bins)
                    assert low <= told
                    assert high is None or told <= high
                    seen += 1
    assert seen


def _median_bin(bins: list[tuple[float, float | None, int]]) -> tuple[float, float | None]:
    half = sum(count for _, _, count in bins) / 2
    for low, high, count in bins:
        half -= count
        if half <= 0:
            return low, high
    return bins[-1][:2]


def test_reports_without_histograms_are_the_same() -> None:
    """Leaving bins out changes nothing else."""
    for path in FILES:
        if "jsonplus" in path.name:
            source = Source(path.name, path.read_bytes())
            full, bare = fio.read(source), fio.read(Source(source.name, source.data, wants_bins=False))
            assert [r.latency_mean_seconds for r in full.results] == [r.latency_mean_seconds for r in bare.results]
            assert [r.percentiles for r in full.results] == [r.percentiles for r in bare.results]
