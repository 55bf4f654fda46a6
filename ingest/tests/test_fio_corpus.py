"""Real files of every tool, when a corpus of them is at hand: ``IOLEDGER_CORPUS`` names its folder."""

from __future__ import annotations

import json
import os
import re
from pathlib import Path
from statistics import median
from typing import TYPE_CHECKING

import pytest

from ioledger.checks import outstanding
from ioledger.model import Source
from ioledger.readers import detect, fio
from ioledger.readers.fio import human, terse

if TYPE_CHECKING:
    from ioledger.model import Reading, Result

CORPUS = Path(os.environ.get("IOLEDGER_CORPUS", "")) / "fio"
FILES = sorted(path for path in CORPUS.rglob("*") if path.is_file()) if "IOLEDGER_CORPUS" in os.environ else []
pytestmark = pytest.mark.skipif(not FILES, reason="IOLEDGER_CORPUS names no corpus")
_SUFFIXES = {".json", ".jsonn"}
_SPREADS = {
    "throughput_bytes_per_second": 6.0,
    "operations_per_second": 6.0,
    "latency_mean_seconds": 6.0,
    "completion_latency_mean_seconds": 6.0,
    "latency_max_seconds": 100.0,
}
"""How far a run may lie from the median of all: each lasted a second, on a machine that did other things too."""
_VERSIONS, _FEWEST, _POINTS = 12, 90, 50
_WITHIN, _SHARE = 0.05, 0.97
_LIMITS = {"rate", "rate_iops", "latency_target", "thinktime", "fsync", "fdatasync", "verify", "io_submit_mode"}


def _read(path: Path) -> Reading:
    return detect.read(Source(path.name, path.read_bytes()))


@pytest.mark.parametrize(
    ("folder", "tool", "with_results", "rules"),
    [
        ("iometer", "iometer", 3, {"R-IOMETER-CUT-1"}),
        ("orion", "orion", 12, {"R-ORION-2", "R-ORION-4", "R-ORION-5"}),
        ("diskspd", "diskspd", 9, set()),
        ("cdm", "unknown", 0, {"R-DETECT-5"}),
        ("vdbench", "unknown", 0, {"R-DETECT-5"}),
    ],
)
def test_every_file_of_another_tool_is_claimed_and_answered(
    folder: str, tool: str, with_results: int, rules: set[str]
) -> None:
    """Results, settings, or refusals; of a sound run of Iometer or DiskSpd Little's law holds."""
    paths = sorted(path for path in CORPUS.with_name(folder).iterdir() if path.name != "MANIFEST.tsv")
    readings = [_read(path) for path in paths]
    assert {reading.tool for reading in readings} == {tool}
    assert sum(bool(reading.results) for reading in readings) == with_results
    assert {refusal.rule for reading in readings for refusal in reading.refusals} == rules
    assert all((bool(each.results) or each.is_setup) != bool(each.refusals) for each in readings)
    assert "R-CHECK-1" not in {finding.rule for reading in readings for finding in reading.warnings}


def test_every_file_is_rows_or_a_reasoned_refusal() -> None:
    """No file raises, and what is refused says why and what to do."""
    told = [refusal for path in FILES for refusal in _read(path).refusals]
    assert not [refusal for refusal in told if refusal.rule == "R-READ-1" or not refusal.what or not refusal.remedy]


def test_every_report_is_read() -> None:
    """A whole JSON report is never refused."""
    reports = [path for path in FILES if path.suffix in _SUFFIXES and b'"fio version"' in path.read_bytes()]
    refused = [path.name for path in reports if _read(path).refusals]
    assert reports
    assert not refused


def _is_job(result: Result) -> bool:
    return not result.is_aggregate and not result.is_partial


def test_all_versions_and_formats_of_one_job_agree() -> None:
    """One job was run by each version in each format: no figure is off by 1000 or 1024, or by any other unit."""
    paths = [path for path in FILES if path.parent.name == "versions" and "nj2" not in path.name]
    results = [result for path in paths for result in _read(path).results if _is_job(result)]
    versions = {result.tool_version for result in results} - {None}
    for operation in ("read", "write"):
        mine = [result for result in results if result.operation == operation]
        for column, most in _SPREADS.items():
            values = [value for result in mine if (value := getattr(result, column)) is not None]
            middle = median(values)
            assert len(values) >= _FEWEST
            assert max(max(values) / middle, middle / min(values)) < most, (operation, column)
    assert len(versions) >= _VERSIONS


@pytest.mark.parametrize("profile", ["database", "filecopy", "fileserver", "restore", "streaming"])
def test_three_formats_of_one_run_agree_within_what_they_print(profile: str) -> None:
    """One process wrote JSON, terse and normal of each depth: both texts have the JSON's numbers, cut or rounded."""
    text = (CORPUS / "sweeps" / f"{profile}.sweep.combined.txt").read_text(encoding="utf-8")
    reading = fio.read(Source("run", text.encode()))
    exact = {(result.test_name, result.operation): result for result in reading.results}
    assert len(exact) == len(reading.results)
    repeated = [
        finding.message.partition(" repeat ")[0] for finding in reading.warnings if finding.rule == "R-FIO-FORMAT-2"
    ]
    assert repeated == ["10 terse lines", "10 blocks"]
    for reader, unit in ((terse, 1e-6), (human, None)):
        results = reader.read(text).results
        assert {(result.test_name, result.operation) for result in results} == exact.keys()
        for result in results:
            _agrees(result, exact[result.test_name, result.operation], unit)


def _agrees(result: Result, exact: Result, cut: float | None) -> None:
    """Compare a result of a text with that of the report; ``cut`` is what its latencies are cut to, null if rounded."""
    near = 1e-9 if exact.block_size_bytes and result.block_size_bytes else 5e-3
    assert result.operations_per_second == pytest.approx(exact.operations_per_second, rel=near)
    assert result.throughput_bytes_per_second == pytest.approx(exact.throughput_bytes_per_second, rel=near)
    step = cut or result.latency_resolution_seconds or 0
    assert result.latency_mean_seconds == pytest.approx(exact.latency_mean_seconds, abs=0.006 * step)
    for kind, found in exact.percentiles.items():
        told = result.percentiles[kind]
        assert told.keys() == found.keys()
        steps = (1e-3, 1e-6, 1e-9) if cut is None else (cut,)
        step = next(unit for unit in steps if all(abs(value / unit % 1 - 0.5) > 0.49 for value in told.values()))
        assert all(abs(told[ratio] - value) <= 1.001 * step for ratio, value in found.items())


def test_littles_law_holds() -> None:
    """On 97 % of the points of fio 3.x that nothing limits by design, depths are those configured within 5 %."""
    shares: dict[str, list[bool]] = {"sweeps": [], "unlimited": []}
    for path in FILES:
        reading = _read(path)
        merged = {finding.pointer for finding in reading.warnings if finding.rule == "R-FIO-GROUP-1"}
        points: dict[str, list[Result]] = {}
        for result in filter(_is_job, reading.results):
            points.setdefault(result.repetition, []).append(result)
        for point, parts in points.items():
            achieved, configured = outstanding(parts), parts[0].queue_depth
            if achieved is None or not configured or not _is_recent(parts[0]) or _count(parts) < _FEWEST:
                continue
            is_near = abs(achieved / configured - 1) <= _WITHIN
            is_limited = point in merged or parts[0].outcome != "ok" or bool(_LIMITS & _options(parts[0]).keys())
            kinds = ["unlimited"] * (not is_limited) + ["sweeps"] * path.name.endswith(".sweep.json")
            for kind in kinds:
                shares[kind].append(is_near)
    for near in shares.values():
        assert len(near) >= _POINTS
        assert sum(near) / len(near) >= _SHARE


def _is_recent(result: Result) -> bool:
    found = re.match(r"fio[- ](\d+)\.(\d+)", result.tool_version or "")
    return found is not None and (int(found[1]), int(found[2])) >= (2, 99)


def _options(result: Result) -> dict[str, object]:
    return json.loads(result.job_options) if result.job_options else {}


def _count(parts: list[Result]) -> float:
    return sum(r.operation_count or (r.operations_per_second or 0) * (r.duration_seconds or 0) for r in parts)
