"""What the load was, as the results show it: the depth that was reached, the mix that was done, who was busy."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest

from conftest import ask, input_of
from ioledger.add.method import is_random
from ioledger.model import Premises, Reading, Result, Source
from ioledger.plan import PROFILES, Plan, Target, making
from ioledger.readers import detect
from ioledger.readers.fio.options import Options, state_premises
from ioledger.tables.schema import rules

if TYPE_CHECKING:
    from collections.abc import Callable

    from ioledger.model import Finding


def _read(data: bytes) -> Reading:
    return detect.read(Source("report", data))


def _job(change: Callable[[dict[str, Any]], None], case: str = "fio/json-3.33") -> Reading:
    report = json.loads(input_of(case))
    change(report["jobs"][0])
    return _read(json.dumps(report).encode())


def _said(reading: Reading, rule: str) -> list[tuple[str, str]]:
    return [(finding.pointer, finding.message) for finding in reading.warnings if finding.rule == rule]


def test_the_depth_that_latency_target_settled_at_stands_beside_the_one_configured() -> None:
    """The job asked for 64 and settled at 3; the warning says so under its own rule."""
    reading = _read(input_of("fio/json-latency-target"))
    assert {(result.queue_depth, result.queue_depth_reached) for result in reading.results} == {(64, 3)}
    (said,) = _said(reading, "R-FIO-DEPTH-3")
    assert said[1] == "latency_target settled at depth 3, 64 was configured"
    (rule,) = (rule for rule in rules() if rule.rule == "R-FIO-DEPTH-3")
    assert "latency_target" in rule.text


def test_of_several_processes_only_the_last_tells_its_depth() -> None:
    """What the others settled at is unknown, so nothing is made up; that a depth was sought is known all the same."""

    def change(job: dict[str, Any]) -> None:
        job["job options"] |= {"numjobs": "4", "latency_target": "1000"}
        job |= {"latency_depth": 3, "latency_target": 1000, "job_runtime": 4 * job["read"]["runtime"]}

    reading = _job(change)
    (read, _) = reading.results
    assert (read.queue_depth, read.queue_depth_reached, read.is_queue_depth_sought) == (64, None, True)
    (said,) = _said(reading, "R-FIO-DEPTH-3")
    assert "the last process ended at 3, and the others are not reported; 64 was configured" in said[1]


@pytest.mark.parametrize(
    ("target", "option", "is_sought"),
    [
        (0, "0us", False), (0, None, False), (300, "300us", True), (300, None, True), (0, "300us", False),
        (None, "0us", False), (None, "0", False), (None, "300us", True), (None, "5ms", True), (None, None, False),
    ],
)  # fmt: skip
def test_the_report_says_whether_a_depth_was_sought_else_the_option(
    target: int | None, option: str | None, *, is_sought: bool
) -> None:
    """Zero in any unit is no target."""
    report = json.loads(input_of("fio/json-3.33"))
    job = report["jobs"][0]
    job.pop("latency_target", None)
    job |= {"latency_depth": 5} | ({} if target is None else {"latency_target": target})
    job["job options"] |= {} if option is None else {"latency_target": option}
    data = json.dumps(report).encode()
    alone = _read(data)
    first = [each for each in alone.results if each.repetition == alone.results[0].repetition]
    assert {each.is_queue_depth_sought for each in first} == {is_sought}
    assert {each.queue_depth_reached for each in first} == {5 if is_sought else None}
    assert len(_said(alone, "R-FIO-DEPTH-3")) == is_sought


@pytest.mark.parametrize(("target", "is_sought"), [("300us", True), ("0us", False), (None, False)])
def test_a_terse_line_is_told_by_its_job_file_that_a_depth_was_sought(target: str | None, *, is_sought: bool) -> None:
    """The line shows no depth; it is compared at none all the same, and no other warning speaks of its depth."""
    text = input_of("fio/terse-v5").decode()
    name = next(line for line in text.splitlines() if line.startswith("5;")).split(";")[2]
    job = f"[{name}]\nrw=randrw\nioengine=libaio\niodepth=64\n" + f"latency_target={target}\n" * (target is not None)
    reading = detect.read(Source("report", input_of("fio/terse-v5"), job=job.encode()))
    assert {each.is_queue_depth_sought for each in reading.results} == {is_sought}
    assert {each.queue_depth_reached for each in reading.results} == {None}
    assert bool(_said(reading, "R-FIO-DEPTH-3")) == is_sought
    assert not (is_sought and _said(reading, "R-FIO-DEPTH-1"))


@pytest.mark.parametrize(("target", "depth"), [(b"0", None), (b"1000", 4)])
def test_human_output_tells_the_depth_that_was_sought(target: bytes, depth: int | None) -> None:
    """Without a target the line shows the configured depth, which was not sought."""
    old, new = b": target=0, window=0,", b": target=%s, window=0," % target
    data = input_of("fio/normal-both")
    assert old in data
    found = _read(data.replace(old, new, 1)).results
    assert {result.queue_depth_reached for result in found if result.repetition == found[0].repetition} == {depth}


def _part(operation: str, count: int, share: float | None, **columns: Any) -> Result:  # noqa: ANN401  (any column)
    return Result(
        pointer=operation, repetition="p", source_format="json", operation=operation, read_ratio=share,
        duration_seconds=10.0, operation_count=count, **columns,
    )  # fmt: skip


def _asked(parts: list[Result], **options: str) -> list[Finding]:
    """Return what is found of parts of one repetition, whose job had these options and no others."""
    state_premises(parts, Options(options, {}), (None, None), Premises(is_ramp_known=True))
    reading = Reading(tool="fio", results=parts)
    ask(reading)
    return reading.warnings


@pytest.mark.parametrize(
    ("reads", "writes", "declared", "is_kept"),
    [
        (4700, 5300, 0.0, False),
        (4700, 5300, 1.0, False),
        (4700, 5300, 0.5, True),
        (6900, 3100, 0.7, True),
        (60, 60, 0.67, True),
        (20, 100, 0.67, False),
        (20, 70, 0.0, True),
        (10_000, 0, 0.7, False),
        (0, 10_000, 1.0, False),
        (10_000, 0, 1.0, True),
    ],
)
def test_a_mix_that_the_operations_refute_is_left_out(
    reads: int, writes: int, declared: float, *, is_kept: bool
) -> None:
    """Both ways; few operations scatter, and fewer than a hundred prove nothing."""
    parts = [_part(name, count, declared) for name, count in (("read", reads), ("write", writes)) if count]
    said = _asked(parts)
    assert {part.read_ratio for part in parts} == {declared if is_kept else None}
    assert ["R-FIO-MIX-1" in finding.rule for finding in said if "MIX" in finding.rule] == [True] * (not is_kept)


def test_a_rate_cut_to_whole_iops_refutes_no_mix_that_its_bytes_may_have() -> None:
    """Terse prints 1 and 1 for 1.9 and 1.05 operations per second: 64 % reads, as declared."""
    cut = {"operations_per_second": 1.0, "duration_seconds": 1000.0}
    parts = [_part(name, 0, 0.64) for name in ("read", "write")]
    for part in parts:
        part.operation_count, part.operations_per_second, part.duration_seconds = None, *cut.values()
    assert _asked(parts) == []
    parts[0].transferred_bytes, parts[1].transferred_bytes = 1900 * 4096, 50_000 * 4096
    for part in parts:
        part.block_size_bytes = 4096
    (finding,) = _asked(parts)
    assert finding.message.startswith("4% of the operations were reads, 64% were configured")


@pytest.mark.parametrize(
    ("reads", "writes", "options", "is_kept"),
    [
        (1024, 1024, {"verify": "crc32c"}, True),
        (1024, 1023, {"verify": "crc32c"}, True),
        (2048, 1024, {"verify": "crc32c"}, False),
        (2048, 0, {"verify": "crc32c"}, False),
        (2048, 0, {"verify": "crc32c", "verify_only": "1"}, True),
    ],
)
def test_reads_beyond_the_writes_do_not_all_verify(
    reads: int, writes: int, options: dict[str, str], *, is_kept: bool
) -> None:
    """A group of a reader and of a job that verifies: more was read than written, so the share is refuted."""
    parts = [_part(name, count, 0.0) for name, count in (("read", reads), ("write", writes)) if count]
    rules_said = [each.rule for each in _asked(parts, **options) if "MIX" in each.rule]
    assert rules_said == ["R-FIO-MIX-2" if is_kept else "R-FIO-MIX-1"]
    assert {part.read_ratio for part in parts} == {0.0 if is_kept else None}


def _busy(user: float, system: float, **options: str) -> Callable[[dict[str, Any]], None]:
    def change(job: dict[str, Any]) -> None:
        job |= {"usr_cpu": user, "sys_cpu": system}
        job["job options"] |= options

    return change


@pytest.mark.parametrize(
    "change",
    [
        _busy(44.0, 45.9),
        _busy(99.0, 1.0, hipri="1"),
        _busy(99.0, 1.0, sqthread_poll="1"),
        _busy(99.0, 1.0, iodepth_batch_complete_min="0"),
        _busy(99.0, 1.0, ioengine="external:/opt/spdk/build/fio/spdk_nvme"),
        _busy(99.0, 1.0, ioengine="libpmem"),
    ],
)
def test_a_fio_that_waits_or_polls_is_not(change: Callable[[dict[str, Any]], None]) -> None:
    """At most 90 % leaves time to wait; who polls is busy by design."""
    assert _said(_job(change), "R-FIO-CPU-1") == []


@pytest.mark.parametrize(
    ("case", "old", "new", "rule"),
    [
        ("fio/terse-v5", b";0.500000%;2.600000%;", b";50.500000%;42.600000%;", "R-FIO-CPU-1"),
        ("fio/normal-1.59", b"usr=3.50%, sys=32.90%", b"usr=63.50%, sys=32.90%", "R-FIO-CPU-1"),
        ("iometer/csv-56-depth-sweep", b",1.250000,0.250000,1.000000,", b",97.5,0.25,97.25,", "R-CHECK-1"),
        ("diskspd/two-targets", b"<UsagePercent>12.50<", b"<UsagePercent>97.50<", "R-CHECK-1"),
    ],
)
def test_other_formats_and_tools_mark_it_too(case: str, old: bytes, new: bytes, rule: str) -> None:
    """Iometer and DiskSpd state the processors of the whole machine."""
    data = input_of(case)
    assert old in data
    assert _said(_read(data), rule) == []
    pointers = [pointer for pointer, _ in _said(_read(data.replace(old, new)), rule)]
    assert pointers
    assert set(pointers) <= {result.pointer for result in _read(data).results}


def test_a_planned_job_fills_its_buffers_once_and_the_manifest_says_so() -> None:
    """Every fio job of a plan states the pattern with values, which fio before 3.39 repeats in its report."""
    plan = Plan(
        tool="fio", profiles=(PROFILES["restore"], PROFILES["file-copy"]), targets=(Target("t", 1 << 26),),
        run_seconds=60, ramp_seconds=10, repetitions=1,
    )  # fmt: skip
    jobs = {name: text.splitlines() for name, text in making.files(plan).items() if name.endswith(".fio")}
    assert set(jobs) == {"restore.fio", "file-copy.fio", "preparation.fio"}
    for lines in jobs.values():
        assert [line for line in lines if "buffers" in line] == ["refill_buffers=0", "scramble_buffers=1"]
        options = dict(line.split("=") for line in lines if "buffers" in line)
        assert is_random(options, is_whole=False)
