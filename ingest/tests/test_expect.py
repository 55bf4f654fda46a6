"""The suites let believable numbers pass and name the row of one that is not."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pyarrow as pa
import pytest

from conftest import spoil
from ioledger.build import expect
from ioledger.build.checking import check
from ioledger.tables.schema import arrow_schema, tables

if TYPE_CHECKING:
    from pathlib import Path

    from ioledger.problems import Problem

GOOD: dict[str, Any] = {
    "result_id": "a", "repetition_id": "p", "submission_id": "s", "source_sha256": "f", "file_id": "f",
    "source_path": "report.json", "source_pointer": "0#/jobs/0/read", "tool": "fio",
    "source_format": "json", "scope": "job", "is_aggregate": False,
    "is_partial": False, "outcome": "ok", "operation": "read", "value_kind": "measured", "statistic": "point",
    "is_queue_depth_sought": False,
    "unit_basis": "exact", "is_canonical": True, "read_ratio": 1.0, "block_size_bytes": 8192, "queue_depth": 8,
    "duration_seconds": 2.0, "operation_count": 1000, "transferred_bytes": 8_192_000, "operations_per_second": 500.0,
    "throughput_bytes_per_second": 4_096_000.0, "latency_mean_seconds": 0.016, "latency_min_seconds": 0.001,
    "latency_max_seconds": 0.5, "cpu_user_ratio": 0.1,
}  # fmt: skip


def _with_results(*rows: dict[str, Any]) -> dict[str, pa.Table]:
    empty = {name: pa.Table.from_pylist([], arrow_schema(table)) for name, table in tables().items()}
    schema = arrow_schema(tables()["results"])
    nullable = pa.schema([field.with_nullable(nullable=True) for field in schema])
    return {**empty, "results": pa.Table.from_pylist(list(rows), nullable)}


def test_a_believable_result_passes_every_suite() -> None:
    """Nothing is reported, and every expectation leaves a record with its reason."""
    records, problems, _ = expect.run(_with_results(GOOD))
    assert problems == []
    assert all(record["success"] for record in records)
    assert all(record["reason"] for record in records)
    assert len(records) > 40


UNBELIEVABLE: dict[str, dict[str, Any]] = {
    "percent for a share": {"read_ratio": 67.0},
    "microseconds for seconds": {"latency_mean_seconds": 16_000.0, "latency_max_seconds": 20_000.0},
    "KiB for bytes": {"throughput_bytes_per_second": 4_000.0},
    "a mean above the maximum": {"latency_max_seconds": 0.01},
    "a ramp of centuries": {"ramp_seconds": 1e13},
    "a latency of zero": {"latency_mean_seconds": 0.0, "latency_min_seconds": 0.0},
    "twice the operations": {"operations_per_second": 1000.0},
    "a wrong block size": {"block_size_bytes": 4096},
}


@pytest.fixture(scope="module")
def disbelieved() -> list[Problem]:
    """Return what is told of a believable result and all unbelievable ones beside it."""
    places = ("result_id", "repetition_id", "source_pointer")
    bad = [{**GOOD, **changes, **dict.fromkeys(places, case)} for case, changes in UNBELIEVABLE.items()]
    return expect.run(_with_results(GOOD, *bad)).problems


@pytest.mark.parametrize("case", UNBELIEVABLE)
def test_an_unbelievable_number_is_named_with_its_row(case: str, disbelieved: list[Problem]) -> None:
    """The problem names file and place of the row, the value, and why it is not believed; of no other row."""
    assert case in {problem.place for problem in disbelieved}, f"{case} was believed"
    assert {problem.rule for problem in disbelieved} == {"R-EXPECT-1"}
    assert {problem.file for problem in disbelieved} == {"data/s/report.json"}
    assert {problem.place for problem in disbelieved} <= UNBELIEVABLE.keys()


@pytest.mark.parametrize("watts", [0.0, -3.0, 1e9])
def test_a_power_that_nothing_takes_is_not_believed(watts: float, submission: Path) -> None:
    """Nothing runs on no power, and a drive that takes a gigawatt was measured in another unit."""
    measured = f"    method:\n      power_mean_watts: {watts}\n      power_measured: drives"
    spoil(submission, "    method:", measured)
    (problem,) = check((submission,), submission.parent, plausibility=True).problems
    assert problem.rule == "R-EXPECT-1"
    assert problem.what.startswith(f"power_mean_watts = {watts:.6g}")


@pytest.mark.parametrize(("more", "is_believed"), [(8, True), (30, False)])
def test_bytes_of_operations_in_flight_when_a_ramp_ended_are_believed(*, more: int, is_believed: bool) -> None:
    """Bytes and operations are counted at different moments: eight in flight may add eight blocks to 200 operations."""
    count = {"operation_count": 200, "operations_per_second": 100.0, "latency_mean_seconds": 0.08}
    moved = {"transferred_bytes": (200 + more) * 8192, "throughput_bytes_per_second": (200 + more) * 4096.0}
    problems = expect.run(_with_results({**GOOD, **count, **moved})).problems
    assert [problem.rule for problem in problems] == ([] if is_believed else ["R-EXPECT-1"])


DRIVE: dict[str, Any] = {
    "submission_id": "s", "configuration_id": "c", "position_index": 1, "device_id": "d", "role": "data",
    "drive_count": 1,
}  # fmt: skip
SAS = {**DRIVE, "media_class": "hdd", "rotation_hertz": 250.0, "interface_generation": "12 Gb/s"}
PCIE = {**DRIVE, "media_class": "ssd_nvme", "link_negotiated": "8.0 GT/s PCIe, 4 lanes"}
RANDOM = {**GOOD, "configuration_id": "c", "access_pattern": "random"}


def _rate(throughput: float) -> dict[str, Any]:
    """Return the columns of a result of 64 KiB sequential reads at a throughput for two seconds, Little's law kept."""
    count = round(throughput * 2 / 65536)
    return {
        "access_pattern": "sequential", "block_size_bytes": 65536, "operations_per_second": count / 2,
        "throughput_bytes_per_second": count * 65536 / 2, "operation_count": count, "transferred_bytes": count * 65536,
        "latency_mean_seconds": 8 / (count / 2), "latency_min_seconds": 1e-6,
    }  # fmt: skip


IMPLAUSIBLE: dict[str, tuple[str, dict[str, Any], dict[str, Any]]] = {
    "more than the line carries": ("R-LIMIT-1", PCIE, _rate(4.0e9)),
    "nearly what the line carries": ("R-LIMIT-2", PCIE, _rate(3.5e9)),
    "more than SAS carries": ("R-LIMIT-1", SAS, _rate(1.3e9)),
    "a disk of 500 random reads": ("R-CACHE-3", SAS, {"latency_mean_seconds": 0.016}),
    "a smallest latency of zero": ("R-LATENCY-1", PCIE, {"latency_min_seconds": 0.0}),
    "a synchronous engine at depth 8": ("R-DEPTH-1", PCIE, {"engine": "psync", "process_count": 1}),
    "more in flight than the depth": ("R-LITTLE-1", PCIE, {"latency_kind": "total", "latency_mean_seconds": 0.032}),
    "more than the maker states": ("R-LIMIT-3", {**PCIE, "stated_read_bytes_per_second": 2.0e9}, _rate(2.3e9)),
    "more reads than the maker states": (
        "R-LIMIT-3",
        {**PCIE, "stated_read_operations_per_second": 400.0},
        {"access_pattern": "random"},
    ),
    "a printed rate 1024 times too small": (
        "R-UNIT-1",
        PCIE,
        {"printed_value": 4000.0, "printed_unit": "B/s", "printed_text": "4000"},
    ),
    "somewhat more in flight than the depth": (
        "R-LITTLE-2",
        PCIE,
        {"latency_kind": "total", "latency_mean_seconds": 0.0176},
    ),
}


@pytest.fixture(scope="module")
def judged() -> expect.Verdict:
    """Return the verdict on all implausible results at once, each in a configuration of its own."""
    rows = [
        {
            **RANDOM,
            **changes,
            **dict.fromkeys(("configuration_id", "result_id", "repetition_id", "source_pointer"), case),
        }
        for case, (_, _, changes) in IMPLAUSIBLE.items()
    ]
    return _judged(rows, *({**drive, "configuration_id": case} for case, (_, drive, _) in IMPLAUSIBLE.items()))


@pytest.mark.parametrize("case", IMPLAUSIBLE)
def test_an_implausible_result_blocks_or_warns_as_its_rule_says(case: str, judged: expect.Verdict) -> None:
    """The rule names the result; a warning blocks nothing."""
    rule = IMPLAUSIBLE[case][0]
    blocked = rule in {problem.rule for problem in judged.problems if problem.place == case}
    warned = rule in {row["rule_id"] for row in judged.findings if row["result_id"] == case}
    severity = {record["rule"]: record["severity"] for record in judged.records}[rule]
    assert (blocked, warned) == (severity == "fail", severity == "warn")


def _judged(rows: list[dict[str, Any]], *drives: dict[str, Any]) -> expect.Verdict:
    built = _with_results(*rows)
    schema = pa.schema([field.with_nullable(nullable=True) for field in built["drives"].schema])
    return expect.run({**built, "drives": pa.Table.from_pylist(list(drives), schema)})


def test_plausible_results_raise_nothing() -> None:
    """A disk of 100 random reads per second and an SSD at 3 GB/s."""
    disk = {"operations_per_second": 100.0, "operation_count": 200, "transferred_bytes": 200 * 8192,
            "throughput_bytes_per_second": 819_200.0, "latency_mean_seconds": 0.08}  # fmt: skip
    stated = {**PCIE, "stated_read_bytes_per_second": 2.8e9, "stated_read_operations_per_second": 400_000.0,
              "throttle_temperature_kelvin": 343.15, "highest_temperature_kelvin": 320.0}  # fmt: skip
    printed = {**_rate(3.0e9), "printed_value": 3.0e9, "printed_unit": "B/s"}
    cases = {"disk": (SAS, disk), "drive": (PCIE, _rate(3.0e9)), "stated": (stated, printed)}
    names = ("configuration_id", "result_id", "repetition_id", "source_pointer")
    rows = [
        {**RANDOM, "latency_kind": "total", **changes, **dict.fromkeys(names, case)}
        for case, (_, changes) in cases.items()
    ]
    verdict = _judged(rows, *({**drive, "configuration_id": case} for case, (drive, _) in cases.items()))
    assert (verdict.problems, verdict.findings) == ([], [])


def _beside(rows: list[dict[str, Any]], stacks: dict[str, tuple[str, int]]) -> expect.Verdict:
    """Judge rows of configurations, each a topology of so many drives of one model."""
    configurations = [
        {"submission_id": "s", "configuration_id": name, "storage_topology": topology, "drive_count": count}
        for name, (topology, count) in stacks.items()
    ]
    built = _with_results(*rows)
    for name, found in (
        ("configurations", configurations), ("drives", [{**PCIE, "configuration_id": name} for name in stacks]),
    ):  # fmt: skip
        schema = pa.schema([field.with_nullable(nullable=True) for field in built[name].schema])
        built[name] = pa.Table.from_pylist(found, schema)
    return expect.run(built)


@pytest.mark.parametrize(("factor", "rules"), [(4.1, []), (4.3, ["R-SCALE-1"])])
def test_four_drives_that_give_more_than_four_times_one_are_warned_of(factor: float, rules: list[str]) -> None:
    """A printed factor of 4.27 is real; up to five per cent above is chance."""
    plain = {"latency_mean_seconds": None, "latency_min_seconds": None}
    rows = [
        {**GOOD, **_rate(rate), **plain, "result_id": name, "repetition_id": name, "source_pointer": name,
         "configuration_id": name, "queue_depth": depth}
        for name, rate, depth in (("one", 0.5e9, 8), ("four", 0.5e9 * factor, 32))
    ]  # fmt: skip
    verdict = _beside(rows, {"one": ("single", 1), "four": ("raid0", 4)})
    assert [(row["rule_id"], row["result_id"]) for row in verdict.findings] == [(rule, "four") for rule in rules]
    assert verdict.problems == []


@pytest.mark.parametrize(("last", "rules"), [(1.03, []), (1.3, ["R-OUTLIER-1"])])
def test_a_result_far_from_its_repetitions_asks_for_a_look(last: float, rules: list[str]) -> None:
    """Five runs of one load: three per cent are noise, thirty are looked at; the result stays."""
    rows = [
        {**GOOD, **_rate(1e9 * factor), "result_id": f"r{number}", "repetition_id": f"r{number}",
         "configuration_id": "one", "source_pointer": f"line {number}", "source_path": f"report.{number}.json",
         "repetition_index": number}
        for number, factor in enumerate((1.0, 1.01, 0.99, 1.005, last))
    ]  # fmt: skip
    verdict = _beside(rows, {"one": ("single", 1)})
    assert [(row["rule_id"], row["result_id"]) for row in verdict.findings] == [(rule, "r4") for rule in rules]
    assert verdict.problems == []


def test_a_dip_in_a_sweep_is_published_with_a_warning() -> None:
    """1100, 450 and 2400 MB/s at depth 1, 2 and 32 are real for some SSDs."""
    rows = [
        {**RANDOM, **_rate(rate * 1e6), "result_id": f"r{depth}", "repetition_id": f"p{depth}", "queue_depth": depth,
         "source_pointer": f"line {depth}", "latency_mean_seconds": None, "latency_min_seconds": None}
        for depth, rate in ((1, 1100), (2, 450), (32, 2400))
    ]  # fmt: skip
    verdict = _judged(rows, PCIE)
    assert verdict.problems == []
    (row,) = verdict.findings
    assert (row["rule_id"], row["result_id"], row["source_pointer"]) == ("R-MONOTONE-1", "r2", "line 2")
    assert (row["finding_index"], row["file_id"], row["repetition_id"]) == (1, "f", "p2")
    assert json.loads(row["values"]).keys() == {"step_ratio", "result_count"}


@pytest.mark.parametrize(("rate", "warned"), [(1000, []), (700, ["r2-0"])])
def test_repetitions_of_one_depth_are_no_steps_of_a_sweep(rate: int, warned: list[str]) -> None:
    """An excerpt holds all of them in one file: depths are compared by their medians, told once a depth."""
    rates = {1: (1000, 700, 1000), 2: (rate, 600, rate)}
    rows = [
        {**RANDOM, **_rate(each * 1e6), "result_id": f"r{depth}-{number}", "repetition_id": f"p{depth}-{number}",
         "queue_depth": depth, "source_pointer": f"line {depth}-{number}", "latency_mean_seconds": None,
         "latency_min_seconds": None}
        for depth, found in rates.items() for number, each in enumerate(found)
    ]  # fmt: skip
    found = [row["result_id"] for row in _judged(rows, PCIE).findings if row["rule_id"] == "R-MONOTONE-1"]
    assert found == warned


def test_a_mix_that_was_not_done_as_declared_is_refused() -> None:
    """Declared 67 % read, done 50 %: the parts of one point are looked at together."""
    half = {**RANDOM, "read_ratio": 0.67, "operation_count": 10_000, "transferred_bytes": 81_920_000,
            "operations_per_second": 5000.0, "throughput_bytes_per_second": 40_960_000.0,
            "latency_mean_seconds": 0.0008, "latency_min_seconds": 0.0001}  # fmt: skip
    write = {**half, "result_id": "w", "operation": "write", "source_pointer": "0#/jobs/0/write"}
    assert {problem.rule for problem in _judged([half, write], PCIE).problems} == {"R-SHARE-1"}


def test_a_submission_beyond_its_line_is_refused_at_its_file(submission: Path) -> None:
    """274 MB/s over a line of 1.5 Gb/s: the check names the file, so that a pull request is annotated there."""
    spoil(submission, "interface_protocol: {", "interface_generation: 1.5 Gb/s\n    interface_protocol: {")
    _, problems, _ = check((submission,), submission.parent, plausibility=True)
    assert {problem.rule for problem in problems} == {"R-LIMIT-1"}
    assert {problem.file for problem in problems} == {f"data/{submission.name}/report.json"}
    assert problems[0].place == "0#/jobs/0/read"


def test_findings_are_numbered_after_those_of_the_reader() -> None:
    """The table's key is file and number."""
    built = _with_results({**RANDOM, "latency_min_seconds": 0.0})
    schema = pa.schema([field.with_nullable(nullable=True) for field in built["findings"].schema])
    before = {"file_id": "f", "finding_index": 3, "submission_id": "s", "source_path": "report.json",
              "rule_id": "R-FIO-TIME-1", "message": "m"}  # fmt: skip
    verdict = expect.run({**built, "findings": pa.Table.from_pylist([before], schema)})
    assert [(row["rule_id"], row["finding_index"]) for row in verdict.findings] == [("R-LATENCY-1", 4)]


def test_a_series_is_warned_of_once_with_its_count_and_worst_case() -> None:
    """Three dips in one sweep are one finding, at the deepest; another load is another series."""
    rows = [
        {**RANDOM, **_rate(rate * 1e6), "operation": operation, "read_ratio": float(operation == "read"),
         "result_id": f"{operation}{depth}", "repetition_id": f"{operation}{depth}", "queue_depth": depth,
         "source_pointer": f"{operation} {depth}", "latency_mean_seconds": None, "latency_min_seconds": None}
        for operation in ("read", "write")
        for depth, rate in ((1, 1100), (2, 900), (4, 400), (8, 350))
    ]  # fmt: skip
    found = _judged(rows, PCIE).findings
    assert [(row["rule_id"], row["result_id"]) for row in found] == [
        ("R-MONOTONE-1", f"{way}4") for way in ("read", "write")
    ]
    assert all("the worst of 3 such results" in row["message"] for row in found)
    assert [json.loads(row["values"])["result_count"] for row in found] == [3, 3]
