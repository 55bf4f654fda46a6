"""What belongs together is joined by what the tools wrote, each with a finding where that does not tell."""

from __future__ import annotations

import json
import tarfile
from typing import TYPE_CHECKING, Any

import pytest

import ioledger
from conftest import FIXTURES
from ioledger.model import Source
from ioledger.readers import orion
from ioledger.readers.fio.options import parse_job
from ioledger.tables.columns import identity, repetition_identity

if TYPE_CHECKING:
    from pathlib import Path

REPORT = (FIXTURES / "submission" / "report.json").read_bytes()
FOUR_COLUMNS = b"100, 152607, 0, 8192\n200, 166784, 1, 8192\n"
"""A latency log as 2.x writes it in microseconds and 3.x in nanoseconds."""
NORMAL = (
    "disk: (g=0): rw=randread, bs=(R) 4096B-4096B, (W) 4096B-4096B, (T) 4096B-4096B, ioengine=libaio, iodepth=32\n"
    "fio-3.1\nStarting 1 process\n\n"
    "disk: (groupid=0, jobs=1): err= 0: pid=15: Fri Jun 19 01:58:18 2020\n"
    "   read: IOPS=109k, BW=426MiB/s (447MB/s)(24.0GiB/60001msec)\n"
    "    clat (usec): min=63, max=5864, avg=285.14, stdev=58.59\n"
    "     lat (usec): min=68, max=5869, avg=291.45, stdev=58.71\n"
    "  cpu          : usr=11.66%, sys=56.24%, ctx=2405413, majf=0, minf=41\n"
)


def _report(*jobs: dict[str, str], **options: str) -> bytes:
    """Return a report of 3.36 with these jobs, by their options; the fixture's figures stand for all."""
    document = json.loads(REPORT)
    (figures,) = document["jobs"]
    document["global options"] = options
    document["jobs"] = [
        figures | {"jobname": job["name"], "groupid": index, "job options": job} for index, job in enumerate(jobs)
    ]
    for job in document["jobs"]:
        job["job_runtime"] = figures["read"]["runtime"] * int(job["job options"].get("numjobs", "1"))
    return json.dumps(document).encode()


def _read(folder: Path, **files: bytes | str) -> ioledger.Measurement:
    """Read a folder of these files; ``__`` in a name is a dot, and ``_in_`` a folder."""
    for name, data in files.items():
        path = folder / name.replace("_in_", "/").replace("__", ".")
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(data if isinstance(data, bytes) else data.encode())
    return ioledger.read(folder)


def _links(measurement: ioledger.Measurement, folder: Path) -> dict[str, tuple[str, str]]:
    """Return by the name of each linked file that of the other, and what says so."""
    rows = [row for row in measurement.files.to_pylist() if row["document_index"] is None]
    names = {row["file_id"]: row["path"].removeprefix(f"{folder}/") for row in rows}
    return {
        names[row["file_id"]]: (names[row["linked_file_id"]], row["link_origin"])
        for row in rows
        if row["linked_file_id"] is not None
    }


def _findings(measurement: ioledger.Measurement, rule: str) -> list[dict[str, Any]]:
    return [row for row in measurement.findings.to_pylist() if row["rule_id"] == rule]


def test_a_log_has_the_result_and_the_unit_of_the_run_that_names_it(tmp_path: Path) -> None:
    """The third thread is the second job's, because the first has two; fio 3.36 logs nanoseconds."""
    jobs = ({"name": "first", "numjobs": "2"}, {"name": "second", "write_lat_log": "logs/two"})
    found = _read(tmp_path, run__json=_report(*jobs), two_lat__3__log=FOUR_COLUMNS)
    assert _links(found, tmp_path) == {"two_lat.3.log": ("run.json", "log name")}
    results = {row["result_id"]: row for row in found.results.to_pylist()}
    samples = found.samples.to_pylist()
    assert [row["latency_seconds"] for row in samples] == [152607e-9, 166784e-9]
    for sample in samples:
        result = results[sample["result_id"]]
        assert (result["test_name"], result["operation"]) == ("second", sample["operation"])
        assert result["repetition_id"] == sample["repetition_id"]
    assert _findings(found, "R-FIO-FORMAT-2") == _findings(found, "R-JOIN-2") == []


def test_a_log_that_no_run_names_stands_by_itself_and_says_so(tmp_path: Path) -> None:
    """Neither another number nor another name will do, and the unit is not proven."""
    job = {"name": "only", "write_lat_log": "one"}
    found = _read(tmp_path, run__json=_report(job), one_lat__2__log=FOUR_COLUMNS, two_lat__1__log=FOUR_COLUMNS + b"\n")
    assert _links(found, tmp_path) == {}
    told = _findings(found, "R-JOIN-2")
    assert {row["source_path"].rpartition("/")[2] for row in told} == {"one_lat.2.log", "two_lat.1.log"}
    assert {row["latency_seconds"] for row in found.samples.to_pylist()} == {None}
    assert {row["repetition_id"] for row in found.samples.to_pylist()} == {None}


def test_two_runs_that_name_one_log_give_no_link(tmp_path: Path) -> None:
    """The finding names both; a copy of one report is no second run."""
    job = {"name": "only", "write_bw_log": "one"}
    log = b"500, 1000, 0, 0\n"
    found = _read(tmp_path, a__json=_report(job), b__json=_report(job, size="2g"), one_bw__1__log=log)
    assert _links(found, tmp_path) == {}
    (told,) = _findings(found, "R-JOIN-2")
    assert all(name in told["message"] for name in ("a.json", "b.json"))
    (tmp_path / "b.json").write_bytes((tmp_path / "a.json").read_bytes())
    assert _links(ioledger.read(tmp_path), tmp_path) == {"one_bw.1.log": ("a.json", "log name")}


RATE = b"500, 1000, 0, 0\n"
NAMED: dict[str, tuple[dict[str, bytes], dict[str, str]]] = {
    "a stated name goes before the name of a job, which may be that of a log": (
        {
            "stated__json": _report({"name": "x", "write_bw_log": "one"}), "named__json": _report({"name": "one"}),
            "one_bw__1__log": RATE, "one_iops__1__log": b"500, 9, 0, 0\n",
        },
        {"one_bw.1.log": "stated.json", "one_iops.1.log": "named.json"},
    ),
    "from 3.39 on a report that shows flags wrote no log that it does not state": (
        {
            "run__json": _report({"name": "one", "write_iops_log": ""}).replace(b"fio-3.36", b"fio-3.39"),
            "one_bw__1__log": RATE, "one_iops__1__log": RATE + b"\n",
        },
        {"one_iops.1.log": "run.json"},
    ),
    "the nearest folder upwards decides, and none beside": (
        {
            "far__json": _report(job := {"name": "only", "write_bw_log": "one"}),
            "a_in_near__json": _report(job, size="2g"), "a_in_logs_in_one_bw__1__log": RATE,
            "b_in_one_bw__1__log": RATE + b"600, 1000, 0, 0\n",
        },
        {"a/logs/one_bw.1.log": "a/near.json", "b/one_bw.1.log": "far.json"},
    ),
}  # fmt: skip


@pytest.mark.parametrize("case", NAMED)
def test_a_log_is_of_the_run_that_its_name_and_place_say(case: str, tmp_path: Path) -> None:
    """An option without a value is not in most reports, so that the name of a job may be that of a log."""
    files, links = NAMED[case]
    expected = {log: (run, "log name") for log, run in links.items()}
    assert _links(_read(tmp_path, **files), tmp_path) == expected


def test_a_log_of_several_threads_is_of_the_run_and_keeps_its_parts(tmp_path: Path) -> None:
    """With ``per_job_logs=0`` threads append in any order: no part is a job's."""
    job = {"name": "both", "numjobs": "2", "write_bw_log": "one", "per_job_logs": "0"}
    log = b"".join(b"%d, %d, 0, 0\n" % (time, rate) for rate in (900, 1100) for time in (500, 1000, 2000))
    found = _read(tmp_path, run__json=_report(job), one_bw__log=log)
    assert _links(found, tmp_path) == {"one_bw.log": ("run.json", "log name")}
    samples = found.samples.to_pylist()
    assert [row["segment_index"] for row in samples] == [1, 1, 1, 2, 2, 2]
    assert {(row["repetition_id"], row["result_id"]) for row in samples} == {(None, None)}


def test_logs_in_an_archive_are_joined_as_in_a_folder(tmp_path: Path) -> None:
    """The archive is the folder of what lies in it."""
    inside = tmp_path / "run"
    _read(inside, run__json=_report({"name": "only", "write_bw_log": "one"}), one_bw__1__log=b"500, 1000, 0, 0\n")
    packed = tmp_path / "packed" / "run.tar.gz"
    packed.parent.mkdir()
    with tarfile.open(packed, "w:gz") as archive:
        archive.add(inside, "run")
    found = ioledger.read(packed)
    rows = {row["member_path"]: row for row in found.files.to_pylist()}
    assert rows["run/one_bw.1.log"]["linked_file_id"] == rows["run/run.json"]["file_id"]
    assert found.samples.column("result_id").to_pylist()[0] in found.results.column("result_id").to_pylist()


def test_a_histogram_log_gives_its_bins_to_the_result_of_its_run(tmp_path: Path) -> None:
    """It is no result of its own, and what its run did not complete is told of."""
    (histogram,) = (FIXTURES / "fio" / "log-histogram").glob("input.*")
    job = {"name": "only", "write_hist_log": "one"}
    found = _read(tmp_path, run__json=_report(job), one_clat_hist__1__log=histogram.read_bytes())
    (log,) = [row for row in found.files.to_pylist() if row["format"] == "histogram log"]
    assert (log["result_count"], log["link_origin"]) == (0, "log name")
    ids = set(found.results.column("result_id").to_pylist())
    assert found.results.num_rows == 2
    assert found.bins.num_rows
    assert set(found.bins.column("result_id").to_pylist()) <= ids


def test_two_threads_whose_logs_have_the_same_bytes_are_two(tmp_path: Path) -> None:
    """Each is a row of its own, because each belongs to another repetition."""
    jobs = ({"name": "a", "write_bw_log": "one"}, {"name": "b", "write_bw_log": "one"})
    log = b"500, 1000, 0, 0\n"
    found = _read(tmp_path, run__json=_report(*jobs), one_bw__1__log=log, one_bw__2__log=log)
    samples = found.samples.to_pylist()
    assert len({row["repetition_id"] for row in samples}) == len(samples) == 2


JOB = (
    "[global]\nioengine=libaio\nrw=${RW}\nbs=${BS}\niodepth=32\n"
    "[disk]\nwrite_bw_log=/tmp/${RW}-${BS}/${RW}-${BS}-K\nper_job_logs=0\n"
)


@pytest.mark.parametrize(
    ("log", "is_linked"),
    [("randread-4k-K_bw__log", True), ("randread-8k-K_bw__log", False), ("randwrite-4k-K_bw__log", False)],
)
def test_a_variable_in_the_name_of_a_log_has_the_value_that_the_report_states(
    tmp_path: Path, log: str, *, is_linked: bool
) -> None:
    """A text report says ``rw`` and ``bs`` of its jobs, 4096B for 4k, and its job file how it names its logs."""
    found = _read(tmp_path, run__out=NORMAL, job__fio=JOB, **{log: b"500, 1000, 0, 0\n"})
    links = _links(found, tmp_path)
    assert links.pop("run.out") == ("job.fio", "job file")
    assert links == ({log.replace("__", "."): ("run.out", "log name")} if is_linked else {})


def test_a_report_takes_what_it_lacks_from_the_job_file_beside_it(tmp_path: Path) -> None:
    """Whether the cache was bypassed stands in no text."""
    found = _read(tmp_path, run__out=NORMAL, job__fio=JOB.replace("[disk]", "[disk]\ndirect=1"))
    assert found.results.column("is_direct").to_pylist() == [True]
    alone = tmp_path / "alone"
    assert _read(alone, run__out=NORMAL).results.column("is_direct").to_pylist() == [None]


@pytest.mark.parametrize(
    ("old", "new"),
    [("[disk]", "[other]"), ("iodepth=32", "iodepth=4"), ("rw=${RW}", "rw=randwrite"), ("bs=${BS}", "bs=8k")],
)
def test_a_job_file_that_says_otherwise_is_another_ones(tmp_path: Path, old: str, new: str) -> None:
    """Name of the job, queue depth, operation, block size."""
    assert _links(_read(tmp_path, run__out=NORMAL, job__fio=JOB.replace(old, new)), tmp_path) == {}


@pytest.mark.parametrize(
    ("stated", "fits"),
    [
        ("bs=${BS}\nrw=${RW}\ndescription=${RW} of ${BS}", True),
        ("bs=8K\nrw=randrw", True),
        ("bs=8192B", True),
        ("bs=${RW}\nrw=${RW}", False),
        ("runtime=2000ms", True),
        ("runtime=2001ms", False),
        ("size=$mb_memory", True),
    ],
)
def test_an_option_may_be_written_in_any_way_and_a_variable_has_one_value(
    tmp_path: Path, stated: str, *, fits: bool
) -> None:
    """What both state is compared; what one leaves out proves nothing."""
    job = {"name": "only", "rw": "randrw", "bs": "8k", "description": "randrw of 8K", "runtime": "2", "size": "1g"}
    found = _read(tmp_path, run__json=_report(job), job__fio=f"[only]\nioengine=libaio\niodepth=1\n{stated}\n")
    assert bool(_links(found, tmp_path)) is fits


def test_two_job_files_that_fit_give_no_link(tmp_path: Path) -> None:
    """The finding names both; with the same bytes they say the same."""
    found = _read(tmp_path, run__out=NORMAL, a__fio=JOB, b__fio=JOB + "direct=1\n")
    assert _links(found, tmp_path) == {}
    (told,) = _findings(found, "R-JOIN-1")
    assert all(name in told["message"] for name in ("a.fio", "b.fio"))
    (tmp_path / "b.fio").write_text(JOB)
    assert _links(ioledger.read(tmp_path), tmp_path) == {"run.out": ("a.fio", "job file")}


def test_an_option_of_logs_without_a_value_does_not_end_a_section() -> None:
    """What stands below it still belongs to the job."""
    told = parse_job("[one]\nrw=read\nwrite_lat_log\nwrite_bw_log\nwrite_iops_log\nwrite_hist_log\nbs=4k\n")
    assert told["one"]["bs"] == "4k"
    assert told["one"]["write_lat_log"] == ""


SUMMARY = (FIXTURES / "orion" / "summary-10.2" / "input.txt").read_text(encoding="utf-8")
MATRIX = "Large/Small,      1,     14\n          0, {}, {}\n          1\n          2\n"


@pytest.fixture
def orion_run(tmp_path: Path) -> Path:
    """Return a folder with the summary and the matrices of one run of ORION, whose headlines are cells."""
    large = "Large/Small,      0,      1\n          5,  70.15\n          6,  71.32\n"
    _read(
        tmp_path,
        shelf_20190329_1057_summary__txt=SUMMARY,
        shelf_20190329_1057_iops__csv=MATRIX.format(144, 412),
        shelf_20190329_1057_lat__csv=MATRIX.format("6.91", "33.98"),
        shelf_20190329_1057_mbps__csv=large,
        shelf_20190329_1057_trace__txt="Small 1 Large 0\n",
    )
    return tmp_path


def test_the_files_of_one_run_of_orion_are_of_its_summary(orion_run: Path) -> None:
    """Matrices say what was measured by the summary beside them; another run's are none of it."""
    (orion_run / "other_iops.csv").write_text(MATRIX.format(145, 413))
    found = ioledger.read(orion_run)
    links = _links(found, orion_run)
    stem = "shelf_20190329_1057"
    summary = (f"{stem}_summary.txt", "run name")
    assert links == {f"{stem}_{part}": summary for part in ("iops.csv", "lat.csv", "mbps.csv", "trace.txt")}
    told = {row["source_path"].rpartition("/")[2]: row for row in found.results.to_pylist()}
    assert {told[f"{stem}_{part}.csv"]["block_size_bytes"] for part in ("iops", "lat")} == {8192}
    assert told[f"{stem}_iops.csv"]["operation"] == "read"
    assert told[f"{stem}_iops.csv"]["tool_version"] == "10.2.0.1.0"
    assert told["other_iops.csv"]["block_size_bytes"] is None
    assert _findings(found, "R-ORION-7") == []


def test_a_headline_that_is_a_cell_of_a_matrix_is_written_once(orion_run: Path) -> None:
    """The summary is read although it adds nothing; a headline that no matrix has stays."""
    found = ioledger.read(orion_run)
    (told,) = _findings(found, "R-JOIN-3")
    assert json.loads(told["values"]) == {"repeated_count": 3}
    (summary,) = [row for row in found.files.to_pylist() if row["path"].endswith("_summary.txt")]
    assert (summary["status"], summary["result_count"]) == ("read", 0)
    (orion_run / "shelf_20190329_1057_mbps.csv").unlink()
    again = ioledger.read(orion_run).results.to_pylist()
    assert [row["printed_text"] for row in again if row["source_path"].endswith("_summary.txt")] == ["71.32"]


def test_what_the_console_printed_of_a_run_tells_the_version_of_its_matrices(tmp_path: Path) -> None:
    """It names the run as its files are named; two that do tell nothing."""
    console = "ORION: ORacle IO Numbers -- Version 11.2.0.4.0\nshelf_20190329_1057\nTest will take 9 minutes\n"
    found = _read(tmp_path, shelf_20190329_1057_lat__csv=MATRIX.format("691.00", "3398.20"), console__txt=console)
    assert _links(found, tmp_path) == {"shelf_20190329_1057_lat.csv": ("console.txt", "run name")}
    assert found.results.column("latency_mean_seconds").to_pylist() == pytest.approx([691e-6, 3398.2e-6])
    (tmp_path / "again.txt").write_text(console + "\n")
    assert _links(ioledger.read(tmp_path), tmp_path) == {}


def test_a_matrix_alone_says_no_more_than_it_did() -> None:
    """The summary is read for its facts only: its headlines are none of the matrix."""
    matrix = Source("shelf_iops.csv", MATRIX.format(144, 412).encode(), job=SUMMARY.encode())
    assert [result.operations_per_second for result in orion.read(matrix).results] == [144, 412]


UPDATES = (FIXTURES / "iometer" / "instantaneous-81" / "input.csv").read_bytes()


def _whole(updates: bytes) -> bytes:
    """Return the result file of the test whose instantaneous file this is: without updates and their time stamps."""
    kept = [line for line in updates.decode().splitlines() if ",WORKER," not in line]
    stamped = ("TimeStamp,", "2023-03-27 13:14:34:852,ALL,")
    return "".join(f"{line.partition(',')[2] if line.startswith(stamped) else line}\n" for line in kept).encode()


def test_updates_of_iometer_are_samples_of_the_result_file(tmp_path: Path) -> None:
    """The row of the whole run stands in both files and is a result of one."""
    found = _read(tmp_path, instresults__csv=UPDATES, results__csv=_whole(UPDATES))
    assert _links(found, tmp_path) == {"instresults.csv": ("results.csv", "same figures")}
    (result,) = found.results.to_pylist()
    assert result["source_path"].endswith("/results.csv")
    samples = found.samples.to_pylist()
    assert {row["result_id"] for row in samples} == {result["result_id"]}
    assert {row["repetition_id"] for row in samples} == {result["repetition_id"]}
    assert _findings(found, "R-JOIN-3")


def test_updates_of_another_test_are_samples_of_their_own(tmp_path: Path) -> None:
    """One byte less is another test; samples still name their result."""
    found = _read(tmp_path, instresults__csv=UPDATES, results__csv=_whole(UPDATES).replace(b"393216000", b"393215488"))
    assert _links(found, tmp_path) == {}
    (own,) = [row for row in found.results.to_pylist() if row["source_path"].endswith("/instresults.csv")]
    assert {row["result_id"] for row in found.samples.to_pylist()} == {own["result_id"]}
    assert own["result_id"] == identity(own["source_sha256"], own["source_pointer"])
    assert own["repetition_id"] == repetition_identity(own["source_sha256"], own["source_pointer"].partition(",")[0])
