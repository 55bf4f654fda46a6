"""What cannot be is refused in a submission and read by parse; what is only doubtful is told, a line a rule."""

from __future__ import annotations

import json
from itertools import product
from typing import TYPE_CHECKING, Any

import pytest

import hostile
from conftest import input_of
from ioledger.build.checking import check
from ioledger.model import Source
from ioledger.readers import detect
from ioledger.tables.schema import refusing

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path


def _report(change: Callable[[dict[str, Any]], object]) -> bytes:
    report = json.loads((hostile.FIXTURE / hostile.REPORT).read_bytes())
    change(report)
    return json.dumps(report).encode()


def _without_latency(report: dict[str, Any], **options: str) -> None:
    report["jobs"][0]["job options"] |= options
    for direction in ("read", "write"):
        for kind in ("slat_ns", "clat_ns", "lat_ns"):
            report["jobs"][0][direction].pop(kind)


def _scaled(report: dict[str, Any], by: float) -> dict[str, Any]:
    """Return a report with all latencies multiplied by a number."""
    again: dict[str, Any] = json.loads(json.dumps(report))
    for job in again["jobs"]:
        for direction, kind in product(("read", "write"), ("slat_ns", "clat_ns", "lat_ns")):
            latency = job[direction][kind]
            latency |= {name: round(by * latency[name], 6) for name in ("mean", "stddev")}
            latency |= {name: round(by * latency[name]) for name in ("min", "max")}
            latency |= {
                "percentile": {rank: round(by * value) for rank, value in latency.get("percentile", {}).items()}
            }
    return again


IMPOSSIBLE: dict[str, tuple[str, Callable[[dict[str, Any]], object]]] = {
    "no latency": ("R-CHECK-2", _without_latency),
    "no time": (
        "R-CHECK-2",
        lambda report: [report["jobs"][0][way].update(runtime=0) for way in ("read", "write")],
    ),
    "a time far off": ("R-FIO-LINE-1", lambda report: report.update(timestamp=5_000_000_000)),
    "a negative count": ("R-FIO-LINE-1", lambda report: report["jobs"][0]["read"].update(total_ios=-1)),
}


@pytest.mark.parametrize("case", IMPOSSIBLE)
def test_what_a_submission_may_not_hold_is_read_all_the_same(case: str) -> None:
    """The finding names the place; the results are there."""
    rule, change = IMPOSSIBLE[case]
    reading = detect.read(Source("report.json", _report(change)))
    assert rule in refusing()
    assert [each.operation for each in reading.results] == ["read", "write"]
    assert rule in {each.rule for each in reading.warnings}
    assert reading.refusals == []


@pytest.mark.parametrize("option", ["gtod_reduce", "disable_lat", "disable_clat"])
def test_latencies_that_an_option_turns_off_are_missed_by_nobody(option: str) -> None:
    """It is their job that says so."""
    reading = detect.read(Source("report.json", _report(lambda report: _without_latency(report, **{option: "1"}))))
    assert reading.warnings == []


def test_one_operation_that_failed_needs_no_latency_and_no_time() -> None:
    """As fio reports a full device."""
    found = detect.read(Source("report.json", input_of("fio/json-error-28")))
    assert {each.rule for each in found.warnings} & {"R-CHECK-2"} == set()


def test_what_is_doubtful_is_told_once_a_rule_with_how_often(tmp_path: Path) -> None:
    """Two files whose results are both twice as quick as their depth allows; nothing is refused."""
    folder = hostile.sound(tmp_path / hostile.NAME)

    def quicker(by: float) -> bytes:
        return json.dumps(_scaled(json.loads((folder / hostile.REPORT).read_bytes()), by)).encode()

    first, again = quicker(0.5), json.loads(quicker(0.4))
    for direction in ("read", "write"):
        again["jobs"][0][direction]["lat_ns"]["stddev"] *= 1.3
    hostile.replace(folder, first)
    hostile.add_file(folder, "more.json", json.dumps(again).encode())
    found = check((folder,), tmp_path)
    assert found.problems == []
    (told,) = [each for each in found.warnings if each.rule == "R-FIO-DEPTH-1"]
    assert told.file.endswith("/other.json")
    assert told.what == "4.0 operations were outstanding on average, 8 were configured (and 1 more, in 2 files)"


@pytest.mark.parametrize(("by", "rule"), [(0.67, "R-FIO-DEPTH-1"), (1.34, "R-CHECK-1")])
def test_latencies_that_are_all_multiplied_break_littles_law(by: float, rule: str) -> None:
    """The same operations in the same time had the depth they had; above it by a fifth, ``R-LITTLE-1`` refuses them."""
    report = _scaled(json.loads((hostile.FIXTURE / hostile.REPORT).read_bytes()), by)
    reading = detect.read(Source("report.json", json.dumps(report).encode()))
    assert [each.rule for each in reading.warnings] == [rule]
