"""What a manifest ties together: logs carry the ids of their run, and old output takes its options from a job file."""

from __future__ import annotations

import json
import math
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any

import pytest

from conftest import FIXTURES, leave_open, spoil
from hostile import add_file, replace
from ioledger.model import Reading, Result
from ioledger.submission import files, gather
from ioledger.submission.rows import raw_tables
from ioledger.tables.columns import end_of_runs, reader_columns

if TYPE_CHECKING:
    from pathlib import Path

    import pyarrow as pa

BANDWIDTH, LATENCY, HISTOGRAM = "run_bw.1.log", "run_lat.1.log", "run_clat_hist.1.log"
POINT = "0#/jobs/0"


def _fixture(case: str) -> bytes:
    (path,) = (FIXTURES / "fio" / case).glob("input.*")
    return path.read_bytes()


def _add(folder: Path, name: str, data: bytes, role: str | None, **more: str) -> None:
    """Add a file whose entry says more than its role."""
    add_file(folder, name, data, role)
    with (folder / "manifest.yaml").open("a", encoding="utf-8") as text:
        text.writelines(f'    {key}: "{value}"\n' for key, value in more.items())


@pytest.fixture
def submission(submission: Path) -> Path:
    """Return the sound submission with nothing stated that its files tell: output of other tools stands beside it."""
    leave_open(submission)
    return submission


@pytest.fixture
def logged(submission: Path) -> Path:
    """Return a submission of one run with three logs of it: throughput, latency in four columns, and a histogram."""
    _add(submission, BANDWIDTH, b"500, 1000, 0, 0\n500, 490, 1, 0\n1000, 1010, 0, 0\n", "log", run="report.json")
    _add(submission, LATENCY, b"500, 250000, 0, 0\n500, 260000, 1, 0\n", "log", run="report.json", point=POINT)
    for thread in ("1", "2"):
        name, data = f"run_clat_hist.{thread}.log", _fixture("log-histogram") + b"\n" * int(thread)
        _add(submission, name, data, "log", run="report.json")
    return submission


def _built(folder: Path) -> dict[str, pa.Table]:
    gathered = gather.gather([folder])
    assert gathered.problems == []
    built, problems = raw_tables(gathered)
    assert problems == []
    return built


def _rows(built: dict[str, pa.Table], name: str) -> list[dict[str, Any]]:
    return built[name].to_pylist()


def test_samples_of_a_log_carry_the_result_of_their_run(logged: Path) -> None:
    """By operation: reads of the log belong to the reads of the report, and both to its point."""
    built = _built(logged)
    results = {row["operation"]: row for row in _rows(built, "results")}
    samples = _rows(built, "samples")
    assert len(results) == 2
    assert len(samples) == 5
    for sample in samples:
        assert sample["result_id"] == results[sample["operation"]]["result_id"]
        assert sample["repetition_id"] == results[sample["operation"]]["repetition_id"]
    (read,) = [row for row in samples if row["throughput_bytes_per_second"] == 1000 * 1024]
    assert (read["offset_seconds"], read["operation"]) == (0.5, "read")


def test_the_run_tells_the_unit_of_its_latency_log(logged: Path) -> None:
    """Four columns prove no unit; the report is of fio 3.36, so they are nanoseconds, and nothing is warned of."""
    built = _built(logged)
    latencies = [row["latency_seconds"] for row in _rows(built, "samples") if row["quantity"] == "total_latency"]
    assert latencies == [250e-6, 260e-6]
    assert "R-FIO-FORMAT-2" not in {row["rule_id"] for row in _rows(built, "findings")}


@pytest.mark.parametrize(("version", "latency"), [("fio-2.21", 0.25), ("fio-3.7", 250e-6)])
def test_a_log_without_run_is_read_in_the_unit_of_the_stated_version(
    submission: Path, version: str, latency: float
) -> None:
    """Microseconds before 2.99, nanoseconds since: the configuration says which fio it was."""
    replace(submission, (submission / "report.json").read_bytes().replace(b"fio-3.36", version.encode()))
    spoil(submission, "tool_version: {unknown: the files tell it}", f"tool_version: {version}")
    _add(submission, LATENCY, b"500, 250000, 0, 0\n", "log")
    (sample,) = _rows(_built(submission), "samples")
    assert (sample["latency_seconds"], sample["result_id"], sample["repetition_id"]) == (latency, None, None)


def test_bins_of_histogram_logs_add_up_over_processes_under_the_result(logged: Path) -> None:
    """Two processes wrote a log each: 200 reads and 40 writes in each of them."""
    built = _built(logged)
    results = {row["result_id"]: row["operation"] for row in _rows(built, "results")}
    counts = dict.fromkeys(("read", "write"), 0)
    for row in _rows(built, "latency_bins"):
        assert row["latency_kind"] == "completion"
        counts[results[row["result_id"]]] += row["operation_count"]
    assert counts == {"read": 400, "write": 80}
    assert {row["source_path"] for row in _rows(built, "results")} == {"report.json"}


def test_the_file_of_a_log_is_linked_to_its_run_and_that_of_a_result_to_its_job(logged: Path) -> None:
    """Every file of a submission is a row: read, or ignored with a reason; the manifest says what belongs together."""
    _add(logged, "plan.fio", b"[global]\nioengine=libaio\n[other]\nrw=read\n", "job")
    _add(logged, "again.log", (logged / BANDWIDTH).read_bytes(), "attachment")
    manifest_path = logged / "manifest.yaml"
    text = manifest_path.read_text(encoding="utf-8")
    manifest_path.write_text(text.replace("path: report.json", "path: report.json\n    job: plan.fio", 1), "utf-8")
    built = _built(logged)
    files = {row["path"]: row for row in _rows(built, "files")}
    assert len(files) == sum(1 for path in logged.iterdir()) - 1
    paths = {row["file_id"]: path for path, row in files.items()}
    links = {path: paths.get(row["linked_file_id"]) for path, row in files.items()}
    assert links == {"report.json": "plan.fio", "plan.fio": None, "again.log": None} | dict.fromkeys(
        (BANDWIDTH, LATENCY, HISTOGRAM, HISTOGRAM.replace("1", "2")), "report.json"
    )
    assert {row["link_origin"] for row in files.values() if row["linked_file_id"]} == {"manifest"}
    ignored = {path for path, row in files.items() if row["status"] == "ignored"}
    assert ignored == {"plan.fio", "again.log"}
    assert all((row["reason"] is None) == (path not in ignored) for path, row in files.items())
    assert {path: row["duplicate_of"] for path, row in files.items() if row["duplicate_of"]} == {BANDWIDTH: "again.log"}
    assert {paths[row["file_id"]] for row in _rows(built, "samples")} == {BANDWIDTH, LATENCY}


def test_a_report_with_a_histogram_keeps_its_own(submission: Path) -> None:
    """The log repeats it in time; both together would count every operation twice."""
    _add(submission, "plus.json", _fixture("json-plus-3.42"), None)
    before = _rows(_built(submission), "latency_bins")
    assert before
    _add(submission, HISTOGRAM, _fixture("log-histogram"), "log", run="plus.json")
    assert _rows(_built(submission), "latency_bins") == before


def test_a_histogram_log_of_more_operations_than_its_run_is_warned_of_and_left_out(submission: Path) -> None:
    """Some versions write uninitialised memory; a log may also stand beside the wrong run."""
    counts = ", ".join(["80000", *["0"] * 28])
    _add(submission, HISTOGRAM, f"2000, 0, 0, {counts}\n".encode(), "log", run="report.json")
    built = _built(submission)
    (finding,) = _rows(built, "findings")
    (read,) = [row for row in _rows(built, "results") if row["operation"] == "read"]
    assert (finding["rule_id"], finding["result_id"]) == ("R-READ-5", read["result_id"])
    assert finding["repetition_id"] == read["repetition_id"]
    assert json.loads(finding["values"]) == {
        "log_operation_count": 80000,
        "run_operation_count": read["operation_count"],
    }
    assert _rows(built, "latency_bins") == []


def test_a_log_of_a_file_with_several_points_says_which(submission: Path) -> None:
    """Without ``point`` the problem lists them; with it the log is tied."""
    second = _fixture("json-two-runs").replace(b"47635064", b"41635064")  # real runs spread each in its own way
    _add(submission, "two.json", second, None)
    _add(submission, BANDWIDTH, b"500, 1000, 0, 0\n", "log", run="two.json")
    (problem,) = gather.gather([submission]).problems
    assert problem.rule == "R-READ-4"
    assert "1#/jobs/0" in problem.remedy
    with (submission / "manifest.yaml").open("a", encoding="utf-8") as text:
        text.write('    point: "1#/jobs/0"\n')
    built = _built(submission)
    (result,) = [r for r in _rows(built, "results") if r["source_pointer"] == "1#/jobs/0/read"]
    assert [sample["result_id"] for sample in _rows(built, "samples")] == [result["result_id"]]


def test_a_log_of_a_preparing_run_has_a_point_but_no_result(submission: Path) -> None:
    """Results of preparations are not published, so nothing may refer to them."""
    _add(submission, "layout.json", _fixture("json-trim"), "preparation")
    _add(submission, "layout_bw.log", b"500, 1000, 2, 0\n", "log", run="layout.json")
    (sample,) = _rows(_built(submission), "samples")
    assert sample["result_id"] is None
    assert sample["repetition_id"] is not None


def test_a_preparation_has_a_time_where_its_report_tells_one(submission: Path) -> None:
    """It tells which runs it lies between, though nothing of it is a result; an attachment has none."""
    stamped = json.loads(_fixture("json-trim"))
    undated = {name: value for name, value in stamped.items() if not name.startswith("time")}
    _add(submission, "layout.json", json.dumps(stamped).encode(), "preparation")
    _add(submission, "undated.json", json.dumps(undated | {"time": "once"}).encode(), "preparation")
    _add(submission, "notes.txt", b"twice", "attachment")
    rows = {row["path"]: row for row in _rows(_built(submission), "files")}
    assert rows["layout.json"]["ended_at"] == datetime.fromtimestamp(stamped["timestamp_ms"] / 1e3, tz=UTC).replace(
        tzinfo=None
    )
    assert (rows["layout.json"]["result_count"], rows["layout.json"]["status"]) == (0, "read")
    assert (rows["undated.json"]["ended_at"], rows["notes.txt"]["ended_at"]) == (None, None)


@pytest.mark.parametrize(
    ("runs", "ended"),
    [
        ([{"ended_at": 9_000_000}, {"ended_at": 5_000_000}], 9_000_000),
        ([{"started_at": 1_000_000, "ramp_seconds": 2.0, "duration_seconds": 0.5}], 3_500_000),
        ([{"started_at": 1_000_000, "ended_at": 4_000_000, "duration_seconds": 60.0}], 4_000_000),
        ([{"started_at": 1_000_000}, {"duration_seconds": 60.0}], 1_000_000),
        ([{"started_at": 1_000_000, "ramp_seconds": 1e13}, {"ended_at": 5_000_000}], 5_000_000),
        ([{"started_at": 1_000_000, "ramp_seconds": math.inf}], None),
        ([{"duration_seconds": 60.0}], None),
        ([], None),
    ],
    ids=["the last end", "start, ramp and duration", "the end that is told", "a start alone", "a ramp of centuries",
         "a ramp without end", "no time", "no run"],
)  # fmt: skip
def test_a_file_ended_with_the_last_of_its_runs(runs: list[dict[str, Any]], ended: int | None) -> None:
    """In microseconds since 1970; what tells no time leaves it to the others."""
    results = [
        Result(pointer=str(index), repetition="", source_format="", operation="read", **run)
        for index, run in enumerate(runs)
    ]
    assert end_of_runs(results) == ended


@pytest.mark.parametrize(
    ("run", "expected"),
    [
        ({"operation": "write", "transferred_bytes": 4096}, 4096),
        ({"operation": "trim", "transferred_bytes": 4096}, 4096),
        ({"operation": "write", "transferred_bytes": 1 << 63}, (1 << 63) - 1),
        ({"operation": "read", "transferred_bytes": 4096}, 0),
        ({"operation": "write"}, 0),
        ({"operation": "write", "transferred_bytes": 4096, "error_code": 5}, 0),
        ({"operation": "write", "transferred_bytes": 4096, "error_count": 1}, 0),
        ({"operation": "write", "transferred_bytes": 4096, "outcome": "interrupted"}, 0),
    ],
    ids=["wrote", "trimmed", "wrote more than can be", "read", "tells no bytes", "failed", "wrote with errors",
         "was interrupted"],
)  # fmt: skip
def test_a_preparation_prepares_by_what_it_writes(run: dict[str, Any], expected: int) -> None:
    """The runs of a file count together; where none tells bytes nothing is known of that."""
    result = Result(pointer="1", repetition="", source_format="", **run)
    read = Result(pointer="2", repetition="", source_format="", operation="read", transferred_bytes=4096)
    assert reader_columns(Reading(tool="fio", results=[read, result]))["written_bytes"] == expected
    silent = Result(pointer="1", repetition="", source_format="", operation="write")
    for results in ([], [silent]):
        assert reader_columns(Reading(tool="fio", results=results))["written_bytes"] is None


WRONG = {
    "a job that is not listed": ("job", "other.fio", None),
    "a job that is a result": ("job", "report.json", None),
    "a run that is not listed": ("run", "other.json", "log"),
    "a run that is a log": ("run", "a_bw.log", "log"),
    "a run of a result": ("run", "report.json", None),
    "a point of no run": ("point", POINT, "log"),
}


@pytest.mark.parametrize("case", WRONG)
def test_a_tie_to_a_wrong_file_is_refused(case: str, submission: Path) -> None:
    """The line of the manifest, and what to name instead."""
    key, value, role = WRONG[case]
    _add(submission, "a_bw.log", b"500, 1000, 0, 0\n", role, **{key: value})
    problems = files.load_submission(submission)[1]
    assert {problem.rule for problem in problems} == {"R-MANIFEST-5"}
    lines = (submission / "manifest.yaml").read_text(encoding="utf-8").splitlines()
    assert lines[int(problems[0].place) - 1].strip().startswith(f"{key}:")


def test_old_output_takes_its_options_from_the_job_file_that_the_manifest_names(submission: Path) -> None:
    """A report of fio 2.0.10 states none."""
    job = b"[database]\nrw=randrw\nrwmixread=67\nbs=8k\niodepth=16\nioengine=libaio\ndirect=1\n"
    _add(submission, "old.fio", job, "job")
    _add(submission, "old.json", _fixture("json-2.0.10"), None, job="old.fio")
    rows = [row for row in _rows(_built(submission), "results") if row["source_path"] == "old.json"]
    assert {(row["queue_depth"], row["queue_depth_origin"], row["block_size_bytes"]) for row in rows} == {
        (16, "job_file", 8192)
    }


ICF = """Version 1.1.0
'TEST SETUP ====================================================================
'Run Time
'	hours      minutes    seconds
	0          0          {seconds}
'Ramp Up Time (s)
	5
'Queue Depth Cycling
'	start      end        step       step type
	1          32         2          EXPONENTIAL
'END test setup
'ACCESS SPECIFICATIONS =========================================================
'Access specification name,default assignment
	{name},NONE
'size,% of size,% reads,% random,delay,burst,align,reply
	4096,100,80,100,0,1,4096,0
'END access specifications
'MANAGER LIST ==================================================================
'Worker
	Worker 1
'Worker type
	DISK
'Disk maximum size,starting sector,Data pattern
	20971520,2048,2
'End worker
'END manager list
Version 1.1.0
"""


def _iometer(submission: Path, icf: str) -> dict[str, pa.Table]:
    """Build a submission that holds an Iometer result beside its configuration."""
    (path,) = (FIXTURES / "iometer" / "csv-80-two-tests").glob("input.*")
    _add(submission, "test.icf", icf.encode(), "job")
    _add(submission, "results.csv", path.read_bytes(), None, job="test.icf")
    return _built(submission)


def test_an_iometer_result_takes_run_time_ramp_size_and_cycling_from_its_configuration(submission: Path) -> None:
    """The result file has none of them; each says where it is from."""
    built = _iometer(submission, ICF.format(seconds=10, name="4 KiB, 80% Read"))
    rows = [row for row in _rows(built, "results") if row["tool"] == "iometer"]
    assert len(rows) == 6
    for row in rows:
        options = json.loads(row["job_options"])
        assert row["ramp_seconds"] == 5.0
        assert (options["run time (s)"], options["maximum size"], options["data pattern"]) == (
            10, 20971520, "full random",
        )  # fmt: skip
        assert options["queue depth cycling"] == {"start": 1, "end": 32, "step": 2, "step_type": "EXPONENTIAL"}
        assert "run time (s)=job_file" in row["workload_origins"]
        assert options["access specification"]
    assert not {row["rule_id"] for row in _rows(built, "findings")} & {"R-IOMETER-JOB-1"}


@pytest.mark.parametrize(("seconds", "name"), [(30, "4 KiB, 80% Read"), (10, "All in one")])
def test_the_configuration_of_another_test_is_warned_of(seconds: int, name: str, submission: Path) -> None:
    """It asks for another time, or has none of the specifications that were run."""
    built = _iometer(submission, ICF.format(seconds=seconds, name=name))
    assert "R-IOMETER-JOB-1" in {row["rule_id"] for row in _rows(built, "findings")}
