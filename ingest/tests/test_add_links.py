"""``ioledger add``: files are linked by what is in them, to a configuration, a run and each other."""

from __future__ import annotations

import json
import shutil
from typing import TYPE_CHECKING

import pytest

import adding
from adding import added, document_of, entries_of, refused_by, reported, submitted
from conftest import FIXTURES
from ioledger.add import linking, making
from ioledger.add.linking import Options
from ioledger.loading.folder_index import Read
from ioledger.loading.linking import JobFiles
from ioledger.model import Source
from ioledger.readers import detect
from ioledger.submission import safe_yaml
from ioledger.submission.shape import FROM_RESULTS

if TYPE_CHECKING:
    from pathlib import Path


@pytest.fixture
def manifest(tmp_path: Path) -> Path:
    """Return a manifest without files, in which the method is unknown."""
    return adding.manifest(tmp_path)


def test_files_of_one_run_that_tell_other_figures_are_no_repetitions(tmp_path: Path) -> None:
    """ORION writes rates, throughputs and latencies of a run to three files without a time."""
    for name in ("iops", "latency", "mbps"):
        shutil.copy(FIXTURES / "orion" / f"matrix-{name}-11.1" / "input.csv", tmp_path / f"{name}.csv")
    found, problems = linking.read_items(tuple(sorted(tmp_path.iterdir())), Options())
    assert problems == []
    assert linking.number_repetitions(found, Options(), lambda *_: None) == []
    assert {item.name: item.repetition for item in found} == dict.fromkeys(("iops.csv", "latency.csv", "mbps.csv"), 1)
    shutil.copy(tmp_path / "iops.csv", tmp_path / "again.csv")
    found, _ = linking.read_items(tuple(sorted(tmp_path.iterdir())), Options())
    problems = linking.number_repetitions(found, Options(), lambda *_: None)
    assert [(problem.file.rpartition("/")[2], problem.rule) for problem in problems] == [
        ("again.csv", "R-ADD-3"), ("iops.csv", "R-ADD-3"),
    ]  # fmt: skip


def test_the_files_of_an_orion_run_are_one_run_and_two_runs_are_two_repetitions(tmp_path: Path) -> None:
    """ORION names the files of a run alike, by the minute; what holds no result goes with them unread."""
    for minute in ("1057", "1112"):
        for part, name in (("iops", "iops"), ("latency", "lat"), ("mbps", "mbps")):
            data = (FIXTURES / "orion" / f"matrix-{part}-11.1" / "input.csv").read_bytes()
            (tmp_path / f"mytest_20190329_{minute}_{name}.csv").write_bytes(data)
        (tmp_path / f"mytest_20190329_{minute}_trace.txt").write_text("a trace", encoding="utf-8")
    found, problems = linking.read_items((tmp_path,), Options())
    assert problems == []
    assert linking.number_repetitions(found, Options(), lambda *_: None) == []
    told = {item.name: (item.role, item.repetition) for item in found}
    assert told == {
        f"mytest_20190329_{minute}_{name}": ("attachment", None) if name == "trace.txt" else ("result", number)
        for number, minute in enumerate(("1057", "1112"), 1)
        for name in ("iops.csv", "lat.csv", "mbps.csv", "trace.txt")
    }


def test_the_configuration_that_fits_the_content_is_taken(manifest: Path, tmp_path: Path) -> None:
    """Two configurations with different tool versions: each report goes to its own; one that fits none is asked for."""
    document, _ = safe_yaml.load_yaml(manifest.read_bytes())
    other = json.loads(json.dumps(document["configurations"]["ext4-file"]))
    other["software"]["tool_version"] = "fio-3.41"
    document["configurations"]["newer"] = other
    manifest.write_text(safe_yaml.dump_yaml(document), encoding="utf-8")
    new = reported(tmp_path / "n.json", 1_795_000_003, version="fio-3.41")
    none = reported(tmp_path / "x.json", 1_795_000_004, version="fio-3.40")
    assert refused_by(tmp_path, manifest, none) == ["R-ADD-3"]
    folder = submitted(tmp_path, manifest, new, reported(tmp_path / "o.json", 1_795_000_005))
    written = document_of(folder)
    assert [entry["configuration"] for entry in written["files"]] == ["newer", "ext4-file"]


def test_an_answer_on_a_terminal_links_a_file(manifest: Path, tmp_path: Path) -> None:
    """The question offers the configurations that fit; the answer is taken."""
    document, _ = safe_yaml.load_yaml(manifest.read_bytes())
    document["configurations"]["twin"] = document["configurations"]["ext4-file"]
    manifest.write_text(safe_yaml.dump_yaml(document).replace(FROM_RESULTS, "nobody noted it"), encoding="utf-8")
    asked: list[tuple[str, list[str]]] = []

    def ask(question: str, answers: list[str]) -> str:
        asked.append((question, answers))
        return "twin"

    files = (reported(tmp_path / "a.json", 1_795_000_001),)
    folder, _ = making.add(files, manifest, tmp_path / "data", Options(subject="twins"), ask)
    assert asked == [("Which configuration does a.json belong to?", ["ext4-file", "twin"])]
    assert folder is not None
    assert folder.name == "2026-11-tester-twins"


@pytest.mark.parametrize("other", ["4k", "8k"])
def test_a_result_is_tied_to_the_job_file_that_fits_its_content(other: str, manifest: Path, tmp_path: Path) -> None:
    """Two job files name the job; one has another block size and belongs to another run, or is a copy of the first."""
    report = reported(tmp_path / "a.json", 1_795_000_001)
    for name, size in (("one.fio", "8k"), ("two.fio", other)):
        (tmp_path / name).write_text(f"[database]\nrw=randrw\nbs={size}\nramp_time=1\n", encoding="utf-8")
    folder = submitted(tmp_path, manifest, report, tmp_path / "one.fio", tmp_path / "two.fio")
    assert entries_of(folder)["a.json"]["job"] == "one.fio"


@pytest.mark.parametrize(("second", "expected"), [("8k", None), ("4k", "one.fio")], ids=["two fit", "one fits"])
def test_a_job_file_in_a_folder_beside_is_taken_where_it_is_the_only_one_that_fits(
    second: str, expected: str | None, manifest: Path, tmp_path: Path
) -> None:
    """What is added is one submission; what is only parsed may be of several machines."""
    pile = tmp_path / "pile"
    for name in ("jobs", "results", "old"):
        (pile / name).mkdir(parents=True)
    report = reported(pile / "results" / "a.json", 1_795_000_001)
    (pile / "jobs" / "one.fio").write_text("[database]\nrw=randrw\nbs=8k\nramp_time=1\n", encoding="utf-8")
    (pile / "old" / "two.fio").write_text(f"[database]\nrw=randrw\nbs={second}\n", encoding="utf-8")
    folder = submitted(tmp_path, manifest, pile)
    assert entries_of(folder)["a.json"].get("job") == expected
    setups = [Read(source, detect.read(source)) for path in pile.rglob("*.fio")
              for source in [Source(str(path), path.read_bytes())]]  # fmt: skip
    source = Source(str(report), report.read_bytes())
    assert JobFiles(setups).of(source, detect.read(source)) is None


def test_an_iometer_result_is_tied_to_the_configuration_of_its_specifications(tmp_path: Path) -> None:
    """Of three configurations the one that has the access specifications of the results, line for line."""
    result = next((FIXTURES / "iometer" / "csv-80-two-tests").glob("input.*"))
    other = next((FIXTURES / "iometer" / "configuration").glob("input.*")).read_text(encoding="utf-8")
    shutil.copy(result, tmp_path / "results.csv")
    (tmp_path / "other.icf").write_text(other, encoding="utf-8")
    named = other.replace("4 KiB; 100% Read; 100% random", "4 KiB, 80% Read").replace("Database", "File server")
    (tmp_path / "named.icf").write_text(named, encoding="utf-8")
    fitting = named.replace("4096,100,100,100", "4096,100,80,100").replace("0          2          30", "0 0 10")
    fitting = fitting.replace("8192,90,67,100", "4096,50,80,100").replace("65536,10,0,0", "8192,50,80,0")
    (tmp_path / "own.icf").write_text(fitting, encoding="utf-8")
    found, problems = linking.read_items(tuple(sorted(tmp_path.iterdir())), Options())
    assert problems == []
    linking.link_jobs(found)
    assert {item.name: item.links for item in found if item.links} == {"results.csv": {"job": "own.icf"}}
    assert {result.ramp_seconds for item in found for result in item.reading.results} == {15.0}


def test_a_log_is_tied_to_the_report_that_names_it(manifest: Path, tmp_path: Path) -> None:
    """Of two reports the one whose options say that the log is its own; nobody is asked."""
    first, second = reported(tmp_path / "a.json", 1_795_000_001), reported(tmp_path / "b.json", 1_795_000_100)
    named = second.read_text(encoding="utf-8").replace('"iodepth": "8"', '"iodepth": "8", "write_bw_log": "run"')
    second.write_text(named, encoding="utf-8")
    log = tmp_path / "run_bw.1.log"
    log.write_bytes(b"500, 1000, 0, 0\n")
    folder = submitted(tmp_path, manifest, first, second, log, subject="one")
    assert {name: entries_of(folder)["run_bw.1.log"][name] for name in ("run", "point")} == {
        "run": "b.json",
        "point": "0#/jobs/0",
    }


def test_a_log_is_tied_to_the_only_point_or_to_the_one_that_is_answered(manifest: Path, tmp_path: Path) -> None:
    """Two reports have two points, and nothing in a log says which; without an answer it stays a log of no run."""
    first, second = reported(tmp_path / "a.json", 1_795_000_001), reported(tmp_path / "b.json", 1_795_000_100)
    log, histogram = tmp_path / "run_bw.1.log", tmp_path / "run_clat_hist.1.log"
    log.write_text("500, 1000, 0, 0\n", encoding="utf-8")
    shutil.copy(next((FIXTURES / "fio" / "log-histogram").glob("input.*")), histogram)
    folder = submitted(tmp_path, manifest, first, log, histogram, subject="one")
    for name in (log.name, histogram.name):
        entry = entries_of(folder)[name]
        assert (entry["role"], entry["run"], entry["point"]) == ("log", "a.json", "0#/jobs/0")
    shutil.rmtree(tmp_path / "data")
    folder = submitted(tmp_path, manifest, first, second, log, subject="two")
    assert "run" not in entries_of(folder)[log.name]
    shutil.rmtree(tmp_path / "data")
    options, data = Options(subject="three"), tmp_path / "data"
    last, _ = making.add((first, second, log), manifest, data, options, lambda _, answers: answers[-1])
    assert last is not None
    assert entries_of(last)[log.name]["run"] == "b.json"


@pytest.mark.parametrize("stated", ["b.json", "b.json,0#/jobs/0"])
def test_a_log_is_tied_to_the_run_that_is_stated(manifest: Path, tmp_path: Path, stated: str) -> None:
    """A script has no terminal to answer on."""
    first, second = reported(tmp_path / "a.json", 1_795_000_001), reported(tmp_path / "b.json", 1_795_000_100)
    log = tmp_path / "run_bw.1.log"
    log.write_text("500, 1000, 0, 0\n", encoding="utf-8")
    folder = submitted(tmp_path, manifest, first, second, log, runs={log.name: stated})
    entry = entries_of(folder)[log.name]
    assert (entry["run"], entry["point"]) == ("b.json", "0#/jobs/0")


@pytest.mark.parametrize(
    ("runs", "place", "words"),
    [({"run_bw.1.log": "c.json"}, "run_bw.1.log", "a.json,0#/jobs/0"), ({"a_bw.log": "a.json"}, "a_bw.log", "log")],
    ids=["a run", "a log"],
)
def test_a_run_or_a_log_that_is_not_added_is_refused(
    runs: dict[str, str], place: str, words: str, manifest: Path, tmp_path: Path
) -> None:
    """A typing error must not leave the log without its run; those that are added are named."""
    log = tmp_path / "run_bw.1.log"
    log.write_text("500, 1000, 0, 0\n", encoding="utf-8")
    report = reported(tmp_path / "a.json", 1_795_000_001)
    folder, (problem,) = added(tmp_path, manifest, report, log, runs=runs)
    assert (folder, problem.file, problem.rule) == (None, place, "R-ADD-3")
    assert words in problem.remedy


@pytest.mark.parametrize(
    "text", [b"[global]\nrw=read\n", b"# x\n; y\n\n[a]\nbs=4k\n", b"Version 1.1.0 \n'ACCESS SPECIFICATIONS ==\n"]
)
def test_job_files_are_known_by_their_content(text: bytes) -> None:
    """Fio's and Iometer's job files; JSON is none."""
    assert linking.JOB.match(text)
    assert not linking.JOB.match(b'[1]\n{"a": "="}')
