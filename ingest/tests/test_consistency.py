"""A manifest is compared with its own files: what they tell must agree, and what they do not tell may be stated."""

from __future__ import annotations

from datetime import date
from typing import TYPE_CHECKING, Any

import pytest

from conftest import FIXTURES, spoil
from ioledger.model import Reading, Result, Source
from ioledger.readers import detect
from ioledger.submission import consistency, gather

if TYPE_CHECKING:
    from pathlib import Path

    from ioledger.problems import Problem

NOON = 1_763_726_400_000_000
"""Noon of 2025-11-21 UTC, in microseconds since 1970."""


def _problems(folder: Path) -> list[Problem]:
    return gather.gather([folder], lambda path: path.name).problems


def _result(**fields: object) -> Result:
    """Return a result of fio with these columns."""
    common = {"pointer": "0#/jobs/0/read", "repetition": "0#/jobs/0", "source_format": "json", "operation": "read"}
    return Result(**common | fields)  # type: ignore[arg-type]


def _reading(*results: Result, tool: str = "fio", version: str | None = None) -> Reading:
    return Reading(tool=tool, tool_version=version, results=list(results))


def _contradicted(field: str, stated: object, *results: Result, tool: str = "fio", version: str | None = None) -> bool:
    """Say whether a stated value of a field is contradicted by results."""
    section = next(section for section, name in consistency.FIELDS if name == field)
    reading = _reading(*(results or (_result(),)), tool=tool, version=version)
    found = consistency.contradictions({section: {field: stated}}, [("a.json", reading)])
    return [each.field for each in found] == [field]


def test_a_contradiction_names_the_line_both_values_the_file_and_the_place(submission: Path) -> None:
    """One line, from which a contributor knows what to change and where."""
    spoil(submission, "cache_bypass: direct", "cache_bypass: buffered")
    (problem,) = _problems(submission)
    lines = (submission / "manifest.yaml").read_text(encoding="utf-8").splitlines()
    assert (problem.rule, problem.file) == ("R-MANIFEST-8", f"{submission.name}/manifest.yaml")
    assert lines[int(problem.place) - 1].strip() == "cache_bypass: buffered"
    assert problem.what == (
        "configurations.ext4-file.method.cache_bypass is buffered, but report.json (0#/jobs/0/read) states direct"
    )
    state = "status: {state: retracted, reason: the cache was not bypassed, changed_on: 2026-11-22}"
    spoil(submission, "affiliation: independent", f"affiliation: independent\n{state}")
    assert _problems(submission) == [], "it is never edited; the one that takes its place is compared"


def test_an_unknown_value_contradicts_nothing(submission: Path) -> None:
    """Whoever does not know may say so, whatever the file tells."""
    for field, value in (("cache_bypass", "direct"), ("process_count", "1"), ("run_time_seconds", "2")):
        spoil(submission, f"{field}: {value}\n", f"{field}: {{unknown: the tester did not write it down}}\n")
    spoil(submission, "tested_on: 2025-11-21", "tested_on: unknown")
    assert _problems(submission) == []


def test_every_configuration_is_compared_with_its_own_files(submission: Path) -> None:
    """A second configuration that says buffered has no file that refutes it."""
    text = (submission / "manifest.yaml").read_text(encoding="utf-8")
    head, rest = text.split("configurations:\n")
    own, files = rest.split("\nfiles:")
    twin = own.replace("ext4-file:", "cached:").replace("cache_bypass: direct", "cache_bypass: buffered")
    (submission / "manifest.yaml").write_text(f"{head}configurations:\n{own}\n{twin}\nfiles:{files}", encoding="utf-8")
    assert _problems(submission) == []
    spoil(submission, "    configuration: ext4-file", "    configuration: cached")
    assert {problem.what.split(" is ")[0] for problem in _problems(submission)} == {
        "configurations.cached.method.cache_bypass"
    }


AGREEING: dict[str, tuple[str, Any, dict[str, Any], dict[str, Any]]] = {
    "a program that calls the tool": ("tool", "fio, run by a script", {}, {}),
    "a tool's full name": ("tool", "Oracle ORION", {}, {"tool": "orion"}),
    "a version without the tool's name": ("tool_version", "3.36", {"tool_version": "fio-3.36"}, {}),
    "a shorter version": ("tool_version", "fio 3", {"tool_version": "fio-3.36"}, {}),
    "a version of a build": ("tool_version", "fio-3.36-12-gabc", {"tool_version": "fio-3.36"}, {}),
    "a version that no file states": ("tool_version", "fio-3.36", {}, {}),
    "two versions, both stated": ("tool_version", "fio-3.33 and fio-3.36", {"tool_version": "fio-3.33"}, {}),
    "a bypass that the file does not tell": ("cache_bypass", "direct", {"is_direct": None}, {}),
    "30 seconds over 30.01": ("run_time_seconds", 30, {"duration_seconds": 30.01}, {}),
    "30 seconds and what was in flight": ("run_time_seconds", 30, {"duration_seconds": 30.9}, {}),
    "a planned time that the size cut short": (
        "run_time_seconds", 60, {"duration_seconds": 4.2, "job_options": '{"runtime": "1m", "size": "1g"}'}, {},
    ),
    "a planned time of an Iometer configuration": (
        "run_time_seconds", 10, {"duration_seconds": None, "job_options": '{"run time (s)": 10}'}, {"tool": "iometer"},
    ),
    "a latency in words": ("latency_kind", "total", {"latency_kind": "total"}, {}),
    "a latency in words of its own": ("latency_kind", "average response time", {"latency_kind": "total"}, {}),
    "a time that stands twice, the last": (
        "run_time_seconds", 12, {"duration_seconds": 5.9, "job_options": '{"runtime": ["1", "12"]}'}, {},
    ),
    "a time of which fio reads what stands before the colon": (
        "run_time_seconds", 3, {"duration_seconds": 2.5, "job_options": '{"runtime": "3:00"}'}, {},
    ),
    "an area of the job": ("measurement_area_bytes", 1 << 30, {"job_options": '{"size": "1g", "filename": "a"}'}, {}),
    "an area of a file for each process": (
        "measurement_area_bytes", 4 << 30, {"process_count": 4, "job_options": '{"size": "1g"}'}, {},
    ),
    "an area that the size does not tell": (
        "measurement_area_bytes", 9, {"job_options": '{"size": "50%", "filename": "/dev/sdb"}'}, {},
    ),
}  # fmt: skip


@pytest.mark.parametrize("case", AGREEING)
def test_what_a_file_says_in_other_words_or_not_at_all_agrees(case: str) -> None:
    """Tolerance where it is honest: text names, times drain, and null contradicts nothing."""
    field, stated, fields, reading = AGREEING[case]
    assert not _contradicted(field, stated, _result(**fields), **reading)


CONTRADICTING: dict[str, tuple[str, Any, dict[str, Any]]] = {
    "another tool": ("tool", "Iometer", {}),
    "another version": ("tool_version", "fio-3.3", {"tool_version": "fio-3.33"}),
    "buffered over direct": ("cache_bypass", "buffered", {"is_direct": True}),
    "64 processes over one": ("process_count", 64, {"process_count": 1}),
    "an hour over a second": ("run_time_seconds", 3600, {"duration_seconds": 1.0}),
    "an hour over a planned minute": (
        "run_time_seconds", 3600, {"duration_seconds": 60.0, "job_options": '{"runtime": "60"}'},
    ),
    "an area below that of the job": (
        "measurement_area_bytes", 1 << 20, {"job_options": '{"size": "1g", "filename": "a"}'},
    ),
    "an area above that of the job": (
        "measurement_area_bytes", 1 << 40, {"process_count": 4, "job_options": '{"size": "1g", "filename": "a"}'},
    ),
    "ten seconds over thirty": ("run_time_seconds", 10, {"duration_seconds": 30.0}),
    "completion over total": ("latency_kind", "completion", {"latency_kind": "total"}),
}  # fmt: skip


@pytest.mark.parametrize("case", CONTRADICTING)
def test_what_a_file_refutes_is_a_contradiction(case: str) -> None:
    """Every field that is compared has a case here."""
    field, stated, fields = CONTRADICTING[case]
    assert _contradicted(field, stated, _result(**fields))


def test_processes_add_up_over_jobs_that_ran_together() -> None:
    """Four jobs of one group with a process each are four processes; a sum over all workers stands for its parts."""
    jobs = [
        _result(pointer=f"0#/jobs/{n}/read", repetition=f"0#/jobs/{n}", process_count=1, group_index=0)
        for n in range(4)
    ]
    assert not _contradicted("process_count", 4, *jobs)
    assert not _contradicted("process_count", 1, *jobs)
    assert _contradicted("process_count", 5, *jobs)
    for number, job in enumerate(jobs):
        job.group_index = number
    assert _contradicted("process_count", 4, *jobs), "one after the other"
    workers = [_result(pointer=f"line {n}", repetition=f"line {n}", scope="worker", process_count=1) for n in range(2)]
    total = _result(pointer="line 9", repetition="line 9", scope="all", process_count=2, is_aggregate=True)
    assert not _contradicted("process_count", 2, total, *workers, tool="iometer")
    assert _contradicted("process_count", 1, total, *workers, tool="iometer")


@pytest.mark.parametrize(
    ("case", "days"),
    [("fio/formats-of-one-run", ["2026-11-22"]), ("iometer/csv-56-depth-sweep", ["2010-07-26"])],
)
def test_a_day_without_a_zone_is_a_day_but_no_instant(case: str, days: list[str]) -> None:
    """Normal output and Iometer print their clock; a false day of the test is refused, and one of the machine."""
    (path,) = (FIXTURES / case).glob("input.*")
    reading = detect.read(Source(path.name, path.read_bytes()))
    assert [day.isoformat() for day in reading.local_days] == days
    for result in reading.results:
        result.started_at = result.ended_at = None
    assert [day.isoformat() for day in consistency.run_days(reading)] == days
    assert str(consistency.find_unseen_run([("a", reading)], date(2019, 1, 1))).startswith(f"a ran on {days[0]}")


@pytest.mark.parametrize(
    ("tested", "agrees"),
    [("2025-11-21", True), ("2025-11-20", True), ("2025-11-22", True), ("2025-11", True), ("2025", True),
     ("2025-11-19", False), ("2025-10", False), ("2026", False), ("2016-03", False)],
)  # fmt: skip
def test_a_day_of_the_test_is_that_of_a_run_give_or_take_a_zone(tested: str, agrees: bool, submission: Path) -> None:  # noqa: FBT001
    """The run was on 2025-11-21 in UTC; a month and a year hold every day in them."""
    spoil(submission, "tested_on: 2025-11-21", f'tested_on: "{tested}"')
    assert [problem.rule for problem in _problems(submission)] == ([] if agrees else ["R-MANIFEST-8"])


def test_a_clock_that_was_never_set_tells_no_day() -> None:
    """A board without a battery starts in 1970; a later time counts."""
    reading = _reading(_result(ended_at=86_400_000_000), _result(ended_at=NOON))
    assert consistency.run_days(reading) == [date(2025, 11, 21)]


READ = "collected_on: 2025-11-21\n"


def test_facts_of_the_machine_are_refused_when_it_was_read_at_another_time(submission: Path) -> None:
    """Read on the day after, they stand; read a year later, nobody saw them; declared, somebody answers for them."""
    spoil(submission, READ, "collected_on: 2025-11-22\n")
    assert _problems(submission) == []
    spoil(submission, "collected_on: 2025-11-22", "collected_on: 2026-11-21")
    (problem,) = _problems(submission)
    assert problem.rule == "R-MANIFEST-8"
    assert "systems.guest.cpu_model is collected, but report.json ran on 2025-11-21" in problem.what
    path = submission / "manifest.yaml"
    path.write_text(path.read_text(encoding="utf-8").replace("how_known: collected", "how_known: declared"), "utf-8")
    assert _problems(submission) == []


def test_without_the_day_of_reading_that_of_the_submission_stands_for_it(submission: Path) -> None:
    """A manifest that was handed in on the day of the runs saw the machine; one that came a year later did not."""
    spoil(submission, READ, "")
    (problem,) = _problems(submission)
    assert (problem.rule, "the machine was read on 2026-11-21" in problem.what) == ("R-MANIFEST-8", True)
    spoil(submission, "submitted_on: 2026-11-21", "submitted_on: 2025-11-22")
    assert _problems(submission.rename(submission.with_name("2025-11-tester-disk"))) == []


def test_nothing_is_read_or_run_after_the_submission(submission: Path) -> None:
    """A submission of the year before its run, or before the machine was read, is none."""
    submission = submission.rename(submission.with_name("2025-11-tester-disk"))
    spoil(submission, "submitted_on: 2026-11-21", "submitted_on: 2025-11-20")
    assert _problems(submission) == []
    spoil(submission, "submitted_on: 2025-11-20", "submitted_on: 2025-11-01")
    found = {problem.what for problem in _problems(submission)}
    assert {what for what in found if what.startswith("submitted_on is 2025-11-01, but ")} == {
        "submitted_on is 2025-11-01, but collected_on states 2025-11-21",
        "submitted_on is 2025-11-01, but report.json states 2025-11-21",
    }
