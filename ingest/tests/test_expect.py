"""The suites let believable numbers pass and name the row of one that is not."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any, NamedTuple

import pyarrow as pa
import pytest

from conftest import spoil
from ioledger.build import checking
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


def _moved(more: int) -> dict[str, Any]:
    """Return the columns of 200 operations with the bytes of some more, which were in flight when the ramp ended."""
    count = {"operation_count": 200, "operations_per_second": 100.0, "latency_mean_seconds": 0.08}
    blocks = 200 + more
    return {**count, "transferred_bytes": blocks * 8192, "throughput_bytes_per_second": blocks * 4096.0}


UNBELIEVABLE: dict[str, dict[str, Any]] = {
    "percent for a share": {"read_ratio": 67.0},
    "microseconds for seconds": {"latency_mean_seconds": 16_000.0, "latency_max_seconds": 20_000.0},
    "KiB for bytes": {"throughput_bytes_per_second": 4_000.0},
    "a mean above the maximum": {"latency_max_seconds": 0.01},
    "a ramp of centuries": {"ramp_seconds": 1e13},
    "a latency of zero": {"latency_mean_seconds": 0.0, "latency_min_seconds": 0.0},
    "twice the operations": {"operations_per_second": 1000.0},
    "a wrong block size": {"block_size_bytes": 4096},
    "the bytes of 30 operations more than were counted": _moved(30),
}


@pytest.fixture(scope="module")
def disbelieved() -> list[Problem]:
    """Return what is told of a believable result and all unbelievable ones beside it."""
    places = ("result_id", "repetition_id", "source_pointer")
    bad = [{**GOOD, **changes, **dict.fromkeys(places, case)} for case, changes in UNBELIEVABLE.items()]
    return checking.run_suites(_with_results(GOOD, *bad)).problems


@pytest.mark.parametrize("case", UNBELIEVABLE)
def test_an_unbelievable_number_is_named_with_its_row(case: str, disbelieved: list[Problem]) -> None:
    """The problem names file and place of the row, the value, and why it is not believed; of no other row."""
    assert case in {problem.place for problem in disbelieved}, f"{case} was believed"
    assert {problem.rule for problem in disbelieved} == {"R-EXPECT-1"}
    assert {problem.file for problem in disbelieved} == {"data/s/report.json"}
    assert {problem.place for problem in disbelieved} <= UNBELIEVABLE.keys()


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


POWERS = {"no power": 0.0, "another unit": 1e9}
"""Watts by configuration."""


@pytest.fixture(scope="module")
def judged() -> checking.Verdict:
    """Return the verdict on all implausible results and powers at once, each in a configuration of its own."""
    rows = [
        {
            **RANDOM,
            **changes,
            **dict.fromkeys(("configuration_id", "result_id", "repetition_id", "source_pointer"), case),
        }
        for case, (_, _, changes) in IMPLAUSIBLE.items()
    ]
    drives = ({**drive, "configuration_id": case} for case, (_, drive, _) in IMPLAUSIBLE.items())
    powers = [
        {"submission_id": "s", "configuration_id": case, "power_mean_watts": watts} for case, watts in POWERS.items()
    ]
    return _judged(rows, *drives, configurations=powers)


@pytest.mark.parametrize("case", IMPLAUSIBLE)
def test_an_implausible_result_blocks_or_warns_as_its_rule_says(case: str, judged: checking.Verdict) -> None:
    """The rule names the result; a warning blocks nothing."""
    rule = IMPLAUSIBLE[case][0]
    blocked = rule in {problem.rule for problem in judged.problems if problem.place == case}
    warned = rule in {row["rule_id"] for row in judged.findings if row["result_id"] == case}
    severity = {record["rule"]: record["severity"] for record in judged.records}[rule]
    assert (blocked, warned) == (severity == "fail", severity == "warn")


@pytest.mark.parametrize("case", POWERS)
def test_a_power_that_nothing_takes_is_not_believed(case: str, judged: checking.Verdict) -> None:
    """Nothing runs on no power, and a drive that takes a gigawatt was measured in another unit."""
    (problem,) = (problem for problem in judged.problems if problem.place == f"s {case}")
    assert (problem.rule, problem.file) == ("R-EXPECT-1", "the table configurations")
    assert problem.what.startswith(f"power_mean_watts = {POWERS[case]:.6g}")


def _judged(rows: list[dict[str, Any]], *drives: dict[str, Any], **others: list[dict[str, Any]]) -> checking.Verdict:
    """Run the suites on results, drives and rows of other tables; a column that is not given is null."""
    built = _with_results(*rows)
    for name, found in {"drives": list(drives), **others}.items():
        schema = pa.schema([field.with_nullable(nullable=True) for field in built[name].schema])
        built[name] = pa.Table.from_pylist(found, schema)
    return checking.run_suites(built)


def test_plausible_results_raise_nothing() -> None:
    """A disk of 100 random reads per second, an SSD at 3 GB/s; every expectation leaves a record with its reason."""
    disk = {"operations_per_second": 100.0, "operation_count": 200, "transferred_bytes": 200 * 8192,
            "throughput_bytes_per_second": 819_200.0, "latency_mean_seconds": 0.08}  # fmt: skip
    stated = {**PCIE, "stated_read_bytes_per_second": 2.8e9, "stated_read_operations_per_second": 400_000.0,
              "throttle_temperature_kelvin": 343.15, "highest_temperature_kelvin": 320.0}  # fmt: skip
    printed = {**_rate(3.0e9), "printed_value": 3.0e9, "printed_unit": "B/s"}
    cases = {
        "disk": (SAS, disk),
        "drive": (PCIE, _rate(3.0e9)),
        "stated": (stated, printed),
        "eight in flight when the ramp ended": (PCIE, _moved(8)),
    }
    names = ("configuration_id", "result_id", "repetition_id", "source_pointer")
    rows = [
        {**RANDOM, "latency_kind": "total", **changes, **dict.fromkeys(names, case)}
        for case, (_, changes) in cases.items()
    ]
    verdict = _judged(rows, *({**drive, "configuration_id": case} for case, (drive, _) in cases.items()))
    assert (verdict.problems, verdict.findings) == ([], [])
    assert len(verdict.records) > 40
    assert all(record["success"] and record["reason"] for record in verdict.records)


class Series(NamedTuple):
    """Results of a submission of its own, a rule, the results that it warns of, and topology and drives by stack."""

    rows: list[dict[str, Any]]
    rule: str
    warned: list[str]
    stacks: dict[str, tuple[str, int]] = {"one": ("single", 1)}  # noqa: RUF012  (read only)


def _run(name: str, rate: float, **more: Any) -> dict[str, Any]:  # noqa: ANN401
    """Return a result of sequential reads at a throughput."""
    plain = {"configuration_id": "one", "latency_mean_seconds": None, "latency_min_seconds": None}
    return {**RANDOM, **_rate(rate), **plain, "result_id": name, "repetition_id": None, **more}


def _array(factor: float) -> list[dict[str, Any]]:
    return [_run("single", 0.5e9), _run("array", 0.5e9 * factor, configuration_id="four", queue_depth=32)]


def _repeated(last: float) -> list[dict[str, Any]]:
    factors = (1.0, 1.01, 0.99, 1.005, last)
    return [
        _run(f"r{number}", 1e9 * factor, source_path=f"report.{number}.json", repetition_index=number)
        for number, factor in enumerate(factors)
    ]


def _sweep(rates: dict[int, tuple[float, ...]]) -> list[dict[str, Any]]:
    return [
        _run(f"r{depth}-{number}", rate * 1e6, queue_depth=depth)
        for depth, found in rates.items()
        for number, rate in enumerate(found)
    ]


STACKS = {"one": ("single", 1), "four": ("raid0", 4)}
HALF = {"read_ratio": 0.67, "operation_count": 10_000, "transferred_bytes": 81_920_000,
        "operations_per_second": 5000.0, "throughput_bytes_per_second": 40_960_000.0, "latency_mean_seconds": 0.0008,
        "latency_min_seconds": 0.0001, "repetition_id": "mix", "configuration_id": "one"}  # fmt: skip
SERIES = {
    "four drives with 4.1 times one, which is chance": Series(_array(4.1), "R-SCALE-1", [], STACKS),
    "four drives with 4.3 times one": Series(_array(4.3), "R-SCALE-1", ["array"], STACKS),
    "five runs within 3 %, which are noise": Series(_repeated(1.03), "R-OUTLIER-1", []),
    "a run 30 % from four others": Series(_repeated(1.3), "R-OUTLIER-1", ["r4"]),
    "a dip in a sweep": Series(_sweep({1: (1100,), 2: (450,), 32: (2400,)}), "R-MONOTONE-1", ["r2-0"]),
    "one low run of a depth": Series(_sweep({1: (1000, 700, 1000), 2: (1000, 600, 1000)}), "R-MONOTONE-1", []),
    "a depth that is lower by its median": Series(
        _sweep({1: (1000, 700, 1000), 2: (700, 600, 700)}), "R-MONOTONE-1", ["r2-0"]
    ),
    "three dips in one sweep": Series(
        _sweep({1: (1100,), 2: (900,), 4: (400,), 8: (350,)}), "R-MONOTONE-1", ["r4-0"]
    ),
    "a smallest latency of zero": Series([_run("a", 1e9, latency_min_seconds=0.0)], "R-LATENCY-1", ["a"]),
    "a mix of 67 % that was done as 50 %": Series(
        [{**RANDOM, **HALF, "result_id": "r"}, {**RANDOM, **HALF, "result_id": "w", "operation": "write"}],
        "R-SHARE-1",
        [],
    ),
}  # fmt: skip


@pytest.fixture(scope="module")
def compared() -> checking.Verdict:
    """Return the verdict on all series at once, each in a submission of its own; one has a reader's finding already."""
    rows, drives, configurations = [], [], []
    for case, series in SERIES.items():
        for row in series.rows:
            own = f"{case}: {row['result_id']}"
            ids = {"result_id": own, "source_pointer": own, "repetition_id": row["repetition_id"] or own}
            rows.append({**row, "submission_id": case, "file_id": case, **ids})
        for name, (topology, count) in series.stacks.items():
            key = {"submission_id": case, "configuration_id": name}
            drives.append({**PCIE, **key})
            configurations.append({**key, "storage_topology": topology, "drive_count": count})
    before = {"file_id": "a smallest latency of zero", "finding_index": 3, "submission_id": "s",
              "source_path": "report.json", "rule_id": "R-FIO-TIME-1", "message": "m"}  # fmt: skip
    return _judged(rows, *drives, configurations=configurations, findings=[before])


@pytest.mark.parametrize("case", SERIES)
def test_results_that_do_not_fit_their_series_are_warned_of(case: str, compared: checking.Verdict) -> None:
    """Once a series, at its worst result; the numbers stay."""
    found = [row for row in compared.findings if (row["submission_id"], row["rule_id"]) == (case, SERIES[case].rule)]
    assert [row["result_id"] for row in found] == [f"{case}: {name}" for name in SERIES[case].warned]


def test_only_a_mix_that_was_not_done_as_declared_is_refused(compared: checking.Verdict) -> None:
    """Declared 67 % read, done 50 %: the parts of one point are looked at together."""
    assert {(problem.rule, problem.file.split("/")[1]) for problem in compared.problems} == {
        ("R-SHARE-1", "a mix of 67 % that was done as 50 %")
    }


def test_a_warning_has_its_place_its_number_and_how_many_such_results_there_are(compared: checking.Verdict) -> None:
    """Of three dips it names the deepest; its number comes after those of the reader."""
    rows = {row["submission_id"]: row for row in compared.findings}
    dip, dips = rows["a dip in a sweep"], rows["three dips in one sweep"]
    assert dip["source_pointer"] == dip["repetition_id"] == dip["result_id"]
    assert (dip["finding_index"], dip["file_id"]) == (1, "a dip in a sweep")
    assert json.loads(dip["values"]).keys() == {"step_ratio", "result_count"}
    assert "the worst of 3 such results" in dips["message"]
    assert json.loads(dips["values"])["result_count"] == 3
    assert rows["a smallest latency of zero"]["finding_index"] == 4


def test_a_submission_beyond_its_line_is_refused_at_its_file(submission: Path) -> None:
    """274 MB/s over a line of 1.5 Gb/s: the check names the file, so that a pull request is annotated there."""
    spoil(submission, "interface_protocol: {", "interface_generation: 1.5 Gb/s\n    interface_protocol: {")
    _, problems, _ = check((submission,), submission.parent, plausibility=True)
    assert {problem.rule for problem in problems} == {"R-LIMIT-1"}
    assert {problem.file for problem in problems} == {f"data/{submission.name}/report.json"}
    assert problems[0].place == "0#/jobs/0/read"
