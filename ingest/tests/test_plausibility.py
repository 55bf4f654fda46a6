"""A result that contradicts itself is told of, whatever tool wrote it: rule, place and numbers."""

from __future__ import annotations

import re
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any

import pytest

from conftest import ask
from ioledger.checks.per_result import RESULT_CHECKS
from ioledger.model import Bins, Checks, Premises, Reading, Result, Source, Tolerances
from ioledger.readers import detect
from ioledger.tables.schema import rules

if TYPE_CHECKING:
    from ioledger.model import Finding

SOUND: dict[str, Any] = {
    "pointer": "0#/read", "repetition": "0#", "source_format": "json", "operation": "read", "read_ratio": 1.0,
    "block_size_bytes": 4096, "block_size_min_bytes": 4096, "block_size_max_bytes": 4096, "queue_depth": 8,
    "duration_seconds": 10.0, "operation_count": 200_000, "transferred_bytes": 819_200_000,
    "operations_per_second": 20_000.0, "throughput_bytes_per_second": 81_920_000.0, "printed_value": 80_000.0,
    "printed_unit": "KiB/s", "latency_kind": "total", "latency_min_seconds": 1e-4, "latency_mean_seconds": 4e-4,
    "latency_max_seconds": 2e-3, "latency_sample_count": 200_000, "latency_resolution_seconds": 1e-9,
    "completion_latency_mean_seconds": 3.9e-4, "completion_latency_max_seconds": 2e-3,
    "submission_latency_mean_seconds": 1e-5, "percentiles": {"total": {0.5: 3e-4, 0.99: 1e-3}},
}  # fmt: skip
"""Eight reads of 4 KiB outstanding for ten seconds, at 20,000 a second."""

LONG: dict[str, Any] = {"latency_max_seconds": 30.0, "completion_latency_mean_seconds": None}
"""An operation of a run of ten seconds; no completion latency can stand for the total one."""


def _read(tool: str = "fio", **changes: Any) -> Reading:  # noqa: ANN401  (columns of any type)
    reading = Reading(tool=tool, results=[Result(**SOUND | changes)])
    ask(reading)
    return reading


def _found(tool: str = "fio", **changes: Any) -> list[Finding]:  # noqa: ANN401  (columns of any type)
    return _read(tool, **changes).warnings


@pytest.mark.parametrize(("tool", "source_format"), [
    ("fio", "json"), ("fio", "json+"), ("fio", "terse v3"), ("fio", "normal"), ("iometer", "csv 80 columns"),
    ("diskspd", "xml"), ("orion", "matrix"), ("published", "figures"),
])  # fmt: skip
def test_a_sound_result_is_not_complained_about(tool: str, source_format: str) -> None:
    """A warning that always comes says nothing."""
    premises = Premises(wanted_seconds=10.0, outstanding_count=8, is_ramp_known=True)
    assert _found(tool, source_format=source_format, premises=premises) == []


BROKEN: dict[str, tuple[dict[str, Any], str, dict[str, float]]] = {
    "a latency longer than its run": (
        LONG,
        "R-CHECK-1",
        {"limit_seconds": 20.0, "total_latency_mean_seconds": 4e-4, "total_latency_max_seconds": 30.0},
    ),
    "a part above the whole": (
        {"submission_latency_mean_seconds": 9e-4}, "R-FIO-LATENCY-5", {
            "submission_latency_mean_seconds": 9e-4,
            "total_latency_mean_seconds": 4e-4, "total_latency_max_seconds": 2e-3,
        },
    ),
    "a mean above the maximum": (
        {"latency_max_seconds": 3.5e-4, "completion_latency_max_seconds": None, "percentiles": {}},
        "R-CHECK-2",
        {"latency_min_seconds": 1e-4, "latency_mean_seconds": 4e-4, "latency_max_seconds": 3.5e-4},
    ),
    "a mean completion below its minimum": (
        {"completion_latency_min_seconds": 3.95e-4},
        "R-CHECK-2", {
            "completion_latency_min_seconds": 3.95e-4, "completion_latency_mean_seconds": 3.9e-4,
            "completion_latency_max_seconds": 2e-3,
        },
    ),
    "a mean submission above its maximum": (
        {"submission_latency_max_seconds": 9e-6},
        "R-CHECK-2", {"submission_latency_mean_seconds": 1e-5, "submission_latency_max_seconds": 9e-6},
    ),
    "a deviation that no values have": (
        {"latency_stddev_seconds": 7e-4},
        "R-CHECK-2", {"latency_stddev_seconds": 7e-4, "most_seconds": 6.9283154e-4},
    ),
    "a latency of nothing": ({"latency_min_seconds": 0.0}, "R-FIO-LATENCY-2", {"latency_min_seconds": 0.0}),
    "parts that exceed the whole": (
        {"submission_latency_mean_seconds": 3e-4},
        "R-CHECK-1", {"parts_seconds": 6.9e-4, "latency_mean_seconds": 4e-4},
    ),
    "percentiles that fall": ({"percentiles": {"total": {0.5: 1e-3, 0.99: 3e-4}}}, "R-CHECK-2", {}),
    "a percentile above the maximum": (
        {"percentiles": {"total": {0.99: 3e-3}}},
        "R-CHECK-2", {"percentile_seconds": 3e-3, "latency_max_seconds": 2e-3},
    ),
    "percentiles in another unit": (
        {"percentiles": {"total": {0.5: 3e-7, 0.99: 1e-6}}},
        "R-CHECK-2", {"percentile_seconds": 3e-7, "latency_min_seconds": 1e-4},
    ),
    "a percentile of submission above its maximum": (
        {"percentiles": {"submission": {0.99: 3e-5}}, "submission_latency_max_seconds": 2e-5},
        "R-CHECK-2", {"percentile_seconds": 3e-5, "latency_max_seconds": 2e-5},
    ),
    "latency of half the operations": (
        {"latency_sample_count": 100_000},
        "R-CHECK-1", {"latency_sample_count": 100_000, "operation_count": 200_000},
    ),
    "a throughput in another unit": (
        {"printed_unit": "kB/s"},
        "R-CHECK-2", {"printed_bytes_per_second": 8e7, "throughput_bytes_per_second": 81_920_000.0},
    ),
    "blocks of another size": (
        {"block_size_bytes": 8192, "block_size_min_bytes": 8192, "block_size_max_bytes": 8192},
        "R-FIO-BLOCK-1",
        {"operation_count": 200_000, "transferred_bytes": 819_200_000, "block_size_min_bytes": 8192},
    ),
    "more outstanding than configured": (
        {"queue_depth": 4}, "R-CHECK-1", {"outstanding_count": 8.0, "queue_depth": 4},
    ),
    "fewer outstanding than configured": (
        {"queue_depth": 16}, "R-FIO-DEPTH-1", {"outstanding_count": 8.0, "queue_depth": 16},
    ),
    "a queue depth that nothing tells": ({"queue_depth": None}, "R-FIO-DEPTH-4", {"outstanding_count": 8.0}),
    "a mix that was not run": ({"read_ratio": 0.7}, "R-FIO-MIX-1", {"measured_read_ratio": 1.0, "read_ratio": 0.7}),
    "a run that ended early": (
        {"premises": Premises(wanted_seconds=60.0)},
        "R-FIO-TIME-1", {"duration_seconds": 10.0, "wanted_seconds": 60.0},
    ),
    "a tool that measured itself": (
        {"cpu_user_ratio": 0.5, "cpu_system_ratio": 0.45},
        "R-FIO-CPU-1", {"cpu_user_ratio": 0.5, "cpu_system_ratio": 0.45},
    ),
    "processes that are not counted": (
        {"queue_depth": 2, "premises": Premises(is_process_count_assumed=True)},
        "R-FIO-NUMJOBS-1", {"outstanding_count": 8.0, "queue_depth": 2},
    ),
}  # fmt: skip


@pytest.mark.parametrize("case", BROKEN)
def test_a_contradiction_is_told_with_its_place_and_its_numbers(case: str) -> None:
    """The rule, the result or its repetition, and what the sentence names, in SI units."""
    changes, rule, values = BROKEN[case]
    found = {finding.rule: finding for finding in _found(**changes)}
    assert rule in found
    assert found[rule].pointer in {"0#/read", "0#"}
    assert found[rule].values == pytest.approx(values)


OF_TOOLS = [
    ("R-CHECK-1", "iometer", LONG),
    ("R-CHECK-1", "iometer", {"printed_unit": "MBps", "printed_value": 80.0}),
    ("R-CHECK-1", "iometer", {"operations_per_second": 19_000.0}),
    ("R-CHECK-1", "iometer", {"transferred_bytes": 819_200_001}),
    ("R-CHECK-2", "iometer", {"latency_max_seconds": 3.9e-4}),
    ("R-CHECK-1", "iometer", {"bins": {"total": Bins([0.0], [None], [199_999])}, "latency_sample_count": None}),
    ("R-CHECK-1", "iometer", {"premises": Premises(outstanding_count=16)}),
    ("R-IOMETER-JOB-1", "iometer", {"premises": Premises(wanted_seconds=9)}),
    ("R-CHECK-1", "iometer", {"cpu_busy_ratio": 0.95}),
    ("R-CHECK-1", "orion", {"premises": Premises(outstanding_count=9)}),
    ("R-CHECK-1", "orion", LONG),
    ("R-CHECK-2", "orion", {"latency_min_seconds": 5e-4}),
    ("R-DISKSPD-6", "diskspd", {"transferred_bytes": 819_200_001}),
    ("R-CHECK-1", "diskspd", LONG),
    ("R-CHECK-1", "diskspd", {"cpu_busy_ratio": 0.95}),
    ("R-CHECK-2", "diskspd", {"latency_max_seconds": 3.9e-4, "percentiles": {}}),
    ("R-CHECK-2", "diskspd", {"percentiles": {"total": {0.5: 3e-3}}}),
]


@pytest.mark.parametrize(("rule", "tool", "changes"), OF_TOOLS)
def test_the_same_belief_has_the_rule_of_each_tool(rule: str, tool: str, changes: dict[str, Any]) -> None:
    """The result itself is named, not its line."""
    assert [(finding.rule, finding.pointer) for finding in _found(tool, **changes)] == [(rule, "0#/read")]


def test_what_was_withdrawn_is_named_like_columns() -> None:
    """The sentence says p99.9 and the histogram; a path of SQL ends at a point, and finds both."""
    percentiles, bins = {"total": {0.5: 3e-4, 0.999: 30.0}}, {"total": Bins([1e-4, 25.0], [2e-4, 31.0], [199_999, 1])}
    (finding,) = _found(percentiles=percentiles, bins=bins)
    assert "the histogram of 200,000 operations" in finding.message
    assert finding.values == {
        "limit_seconds": 20.0, "total_latency_p99_9_seconds": 30.0, "total_bins_operation_count": 200_000,
    }  # fmt: skip
    assert all(re.fullmatch(r"[a-z0-9_]+_(seconds|count)", name) for name in finding.values)


def test_every_rule_is_stated_and_every_belief_has_one() -> None:
    """What no reader names is never asked."""
    every = [reader.CHECKS for reader in detect.readers() if hasattr(reader, "CHECKS")]
    assert {rule for believed in every for rule in believed.rules.values()} <= {rule.rule for rule in rules()}
    assert {belief.__name__ for belief in RESULT_CHECKS} <= {name for believed in every for name in believed.rules}
    assert _found(source_format="histogram log", **LONG) == []


def test_a_tool_of_one_file_states_what_its_figures_must_satisfy(monkeypatch: pytest.MonkeyPatch) -> None:
    """Nothing beside the reader names the tool."""
    believed = Checks({"mean_lies_between": "R-NEW-1"}, {"": Tolerances()})
    reading = Reading(tool="new", results=[Result(**SOUND | {"latency_max_seconds": 1e-4})])
    reader = SimpleNamespace(
        TOOL="new", VERSIONS={"": "1"}, CHECKS=believed, claims=lambda _: True, read=lambda _: reading
    )
    monkeypatch.setattr(detect, "readers", lambda: (reader,))
    found = detect.read(Source("run.new", b"figures")).warnings
    assert [(finding.rule, finding.pointer) for finding in found] == [("R-NEW-1", "0#/read")]


def test_a_report_of_an_unfinished_run_is_asked_only_what_no_latency_can_be() -> None:
    """Its counters are not final, but a latency that is longer than the run is none at any time."""
    reading = _read(is_partial=True, latency_max_seconds=30.0, queue_depth=4)
    assert {finding.rule for finding in reading.warnings} == {"R-CHECK-1"}
    assert reading.results[0].latency_kind == "completion"


@pytest.mark.parametrize(("is_alone", "size", "origins"), [(True, 4096, "bs=counted rw=job"), (False, None, "rw=job")])
def test_a_refuted_block_size_is_what_was_counted_of_one_process_alone(
    *, is_alone: bool, size: int | None, origins: str
) -> None:
    """The jobs of a group may have several sizes."""
    stated: dict[str, Any] = dict.fromkeys(SIZES, 8192)
    premises = Premises(bytes_per_operation=4096, is_alone=is_alone)
    (result,) = _read(**stated, premises=premises, workload_origins="bs=job rw=job").results
    assert (result.block_size_bytes, result.block_size_max_bytes, result.workload_origins) == (size, size, origins)


def test_a_refuted_mix_is_left_out_of_every_part_of_the_repetition() -> None:
    """Half of the operations were reads, nine tenths were declared."""
    parts = [Result(**SOUND | {"operation": name, "pointer": name, "read_ratio": 0.9}) for name in ("read", "write")]
    whole = Result(**SOUND | {"operation": "mixed", "pointer": "mixed", "read_ratio": 0.9, "is_aggregate": True})
    reading = Reading(tool="fio", results=[*parts, whole])
    ask(reading)
    assert {result.read_ratio for result in reading.results} == {None}
    assert {finding.rule for finding in reading.warnings} == {"R-FIO-MIX-1", "R-CHECK-1"}


SIZES = ("block_size_bytes", "block_size_min_bytes", "block_size_max_bytes")
ROUNDED: dict[str, Any] = {"source_format": "summary", "percentiles": {}}
UNREFUTED: dict[str, tuple[str, dict[str, Any]]] = {
    "fewer operations than fio itself needs to settle": ("fio", {
        "operation_count": 99, "transferred_bytes": 99 * 4096, "latency_sample_count": 99, "printed_value": None,
        "queue_depth": 16, "read_ratio": 0.1, "premises": Premises(wanted_seconds=60.0),
    }),
    "a block size of nothing, as an edited report may state": (
        "fio", {**dict.fromkeys(SIZES, 0), "premises": Premises(bytes_per_operation=4096)},
    ),
    "a mean of 0.58 ms beside the microseconds of its line": ("orion", ROUNDED | {
        "latency_min_seconds": 5.76e-4, "latency_mean_seconds": 5.8e-4, "latency_max_seconds": 5.78e-4,
        "latency_resolution_seconds": 1e-5, "operations_per_second": None,
    }),
    "5.4 IOPS as 5": ("orion", ROUNDED | {
        "operations_per_second": 5.0, "operations_resolution_per_second": 1.0, "latency_min_seconds": 0.1,
        "latency_mean_seconds": 0.185, "latency_max_seconds": 0.3, "premises": Premises(outstanding_count=1),
    }),
}  # fmt: skip


@pytest.mark.parametrize("case", UNREFUTED)
def test_what_proves_nothing_refutes_nothing(case: str) -> None:
    """A few operations, no block size, and a printed figure within its last digit."""
    tool, changes = UNREFUTED[case]
    assert _found(tool, **changes) == []


@pytest.mark.parametrize("tool", ["fio", "iometer"])
def test_a_run_of_unknown_length_is_not_said_to_be_short(tool: str) -> None:
    """Null is not zero seconds."""
    changes: dict[str, Any] = {"duration_seconds": None, "premises": Premises(wanted_seconds=60.0)}
    assert {each.rule for each in _found(tool, **changes)} <= {"R-CHECK-2"}  # that it is not told, is


@pytest.mark.parametrize(("tool", "missing", "is_told"), [("fio", 8, False), ("fio", 11, True), ("iometer", 1, True)])
def test_bins_may_lack_what_was_in_flight_when_a_ramp_ended(tool: str, missing: int, *, is_told: bool) -> None:
    """Old fio does not print how many operations its latency is of; Iometer counts all or none."""
    counts: dict[str, Any] = {"operation_count": 200, "transferred_bytes": 819_200, "operations_per_second": 20.0}
    rates: dict[str, Any] = {"throughput_bytes_per_second": 81_920.0, "printed_value": 80.0, "read_ratio": None}
    bins = {"total": Bins([1e-4], [1e-3], [200 - missing])}
    found = _found(
        tool, **counts, **rates, bins=bins, latency_sample_count=None, queue_depth=8, is_queue_depth_sought=True
    )
    assert any("bins" in finding.message for finding in found) == is_told
