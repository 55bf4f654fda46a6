"""``ioledger add``: files become a submission, linked by what is in them."""

from __future__ import annotations

import json
import shutil
import subprocess
import tarfile
from typing import TYPE_CHECKING, Any

import pytest

from conftest import FIXTURES
from ioledger.add import inputs, linking, making
from ioledger.add.linking import Given
from ioledger.add.target import MEMORY
from ioledger.collect.draft import METHOD
from ioledger.submission import gather, safe_yaml
from ioledger.submission.manifest import with_defaults
from ioledger.submission.shape import FROM_RESULTS, FROM_YOU

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path
    from subprocess import CompletedProcess

    from ioledger.problems import Problem

    Run = Callable[..., CompletedProcess[str]]

REPORT = (FIXTURES / "submission" / "report.json").read_text(encoding="utf-8")
FOLDER = "2026-11-tester-virtio-blk-256gib"


def _report(path: Path, seconds: int, **changes: object) -> Path:
    """Write the report with another time, latency and options of its first job."""
    report = json.loads(REPORT)
    report["timestamp"], report["timestamp_ms"] = seconds, seconds * 1000
    job = report["jobs"][0]
    for operation in ("read", "write"):
        job[operation]["lat_ns"]["mean"] += seconds % 1000
        job[operation]["lat_ns"]["stddev"] += seconds % 1000
    job["jobname"] = changes.pop("jobname", job["jobname"])
    report["fio version"] = changes.pop("version", report["fio version"])
    path.write_text(json.dumps(report), encoding="utf-8")
    return path


@pytest.fixture
def manifest(tmp_path: Path) -> Path:
    """Return a manifest without files, in which the method is unknown."""
    text = (FIXTURES / "submission" / "manifest.yaml").read_text(encoding="utf-8")
    document, _ = safe_yaml.load_yaml(text.split("\nfiles:")[0].encode())
    document["submitted_by"], document["tested_on"], document["collected_on"] = "Tester", "unknown", "2026-11-18"
    document["configurations"]["ext4-file"]["software"]["tool_version"] = "fio-3.36"
    method = document["configurations"]["ext4-file"]["method"]
    for field in ("cache_bypass", "process_count", "repetition_count", "load_axis", "kept_run"):
        method[field] = {"unknown": FROM_RESULTS}
    path = tmp_path / "manifest.yaml"
    path.write_text(safe_yaml.dump_yaml(document), encoding="utf-8")
    return path


def _add(tmp_path: Path, manifest: Path, *files: Path, **given: Any) -> tuple[Path | None, list[Problem]]:  # noqa: ANN401
    return making.add(files, manifest, tmp_path / "data", Given(**given), lambda *_: None)


def _rules(tmp_path: Path, manifest: Path, *files: Path, **given: Any) -> list[str]:  # noqa: ANN401
    folder, problems = _add(tmp_path, manifest, *files, **given)
    assert folder is None
    assert not (tmp_path / "data").exists() or list((tmp_path / "data").iterdir()) == []
    return [problem.rule for problem in problems]


def test_files_become_a_submission_with_repetitions_by_time(manifest: Path, tmp_path: Path) -> None:
    """The later file is the second repetition although its name comes first, and the bytes are the same."""
    later, sooner = _report(tmp_path / "a.json", 1_795_000_100), _report(tmp_path / "b.json", 1_795_000_001)
    job = tmp_path / "job.fio"
    job.write_text("; a job\n[global]\nrw=read\n[qd1]\niodepth=1\n", encoding="utf-8")
    folder, problems = _add(tmp_path, manifest, later, sooner, job)
    assert problems == []
    assert folder == tmp_path / "data" / FOLDER
    document = with_defaults(safe_yaml.load_yaml((folder / "manifest.yaml").read_bytes())[0])
    linked = {entry["path"]: (entry.get("role"), entry.get("repetition")) for entry in document["files"]}
    assert linked == {"a.json": (None, 2), "b.json": (None, 1), "job.fio": ("job", None)}
    assert {entry["configuration"] for entry in document["files"]} == {"ext4-file"}
    assert (folder / "a.json").read_bytes() == later.read_bytes()


def test_the_method_is_filled_from_the_results_and_nothing_stated_is_replaced(manifest: Path, tmp_path: Path) -> None:
    """Queue depth 8 with direct I/O is in the report; the run time that the person stated stays."""
    folder, _ = _add(tmp_path, manifest, _report(tmp_path / "a.json", 1_795_000_001))
    assert folder is not None
    document, _ = safe_yaml.load_yaml((folder / "manifest.yaml").read_bytes())
    method = document["configurations"]["ext4-file"]["method"]
    assert method["cache_bypass"] == {"value": "direct", "how_known": "collected"}
    assert method["load_axis"] == {"value": "outstanding I/Os 8", "how_known": "collected"}
    assert method["repetition_count"]["value"] == 1
    assert method["run_time_seconds"] == 2
    told = [value["how_known"] for value in method.values() if isinstance(value, dict) and "value" in value]
    assert set(told) == {"collected"}, "what a person inferred counts as unknown where it decides; this nobody did"


@pytest.mark.parametrize("name", sorted(linking.PREPARATIONS))
def test_a_preparing_run_is_no_result_and_tells_what_was_written(name: str, manifest: Path, tmp_path: Path) -> None:
    """The name of the job, which is content, tells that it only prepared."""
    prepared = _report(tmp_path / "p.json", 1_795_000_001, jobname=name)
    folder, problems = _add(tmp_path, manifest, prepared, _report(tmp_path / "a.json", 1_795_000_002))
    assert problems == []
    assert folder is not None
    document, _ = safe_yaml.load_yaml((folder / "manifest.yaml").read_bytes())
    assert [entry.get("role") for entry in document["files"]] == ["preparation", None]


def _prepared(path: Path, size: int, filename: str = "test.dat") -> Path:
    """Write the report of a preparing run that wrote so many bytes to a file; it was asked for 1 GiB."""
    text = (FIXTURES / "recorded" / "preparation.1.json").read_text(encoding="utf-8").replace("fio-3.33", "fio-3.36")
    report = json.loads(text)
    report["jobs"][0]["job options"] |= {"size": "1g", "filename": filename}
    written = report["jobs"][0]["write"]
    written |= {"io_bytes": size, "io_kbytes": size >> 10, "total_ios": size >> 20}
    path.write_text(json.dumps(report), encoding="utf-8")
    return path


@pytest.mark.parametrize(
    ("stated", "size", "filename", "expected"),
    [({"unknown": FROM_YOU}, 1 << 30, "test.dat", "filled"), ("two full writes", 1 << 30, "test.dat", None),
     ({"unknown": "the tester did not note it"}, 1 << 30, "test.dat", None),
     ({"unknown": FROM_YOU}, 1 << 20, "test.dat", None), ({"unknown": FROM_YOU}, 1 << 30, "other.dat", None)],
    ids=["all of it was written", "a person says more", "a person does not know", "a part was", "another file was"],
)  # fmt: skip
def test_a_file_is_filled_when_all_of_it_was_written_unless_the_person_says_more(  # noqa: PLR0913
    stated: object, size: int, filename: str, *, expected: str | None, manifest: Path, tmp_path: Path
) -> None:
    """What nobody observed is not inferred, and nothing is put beside a person's own words or in their place."""

    def change(document: dict[str, Any]) -> None:
        method = document["configurations"]["ext4-file"]["method"]
        method |= {"preconditioning": stated, "file_written": {"unknown": FROM_RESULTS}}

    _changed(manifest, change)
    prepared = _prepared(tmp_path / "p.json", size, filename)
    folder, problems = _add(tmp_path, manifest, prepared, _report(tmp_path / "a.json", 1_795_000_002))
    assert problems == []
    method = _document(folder)["configurations"]["ext4-file"]["method"]
    assert method.get("preconditioning_class", {}).get("value") == expected
    is_whole = size == 1 << 30 and filename == "test.dat"
    assert ("value" in method["file_written"]) == is_whole
    if isinstance(stated, str) or stated != {"unknown": FROM_YOU}:
        assert method["preconditioning"] == stated


@pytest.mark.parametrize(
    ("options", "words", "size"),
    [({}, "a file of 1g", 1 << 30), ({"filename": "/dev/sdb"}, "the first 1g of a device", 1 << 30),
     ({"filename": MEMORY + "test.dat"}, "a file of 1g", 1 << 30),
     ({"filename": "a:b"}, "1g over 2 files", 1 << 30), ({"filename": None}, "1g for each process, in a", 1 << 30),
     ({"offset": "1g"}, "1g of a file, from byte 1073741824 on", 1 << 30), ({"size": "50%"}, None, None),
     ({"size": "2G"}, "a file of 2G", 2 << 30), ({"size": "1000MB"}, "a file of 1000MB", 1_048_576_000),
     ({"size": "0x100000"}, "a file of 0x100000", 1 << 20), ({"zonesize": "1m"}, None, None),
     ({"filesize": "4m", "size": None}, "a file of 4194304 bytes", 4 << 20)],
    ids=["file", "device", "memory", "two files", "no name", "offset", "share", "G", "MB", "hexadecimal", "zones",
         "of the file"],
)  # fmt: skip
def test_the_area_is_what_the_jobs_were_given(
    options: dict[str, Any], words: str | None, size: int | None, manifest: Path, tmp_path: Path
) -> None:
    """A device is no file; what the size alone does not tell stays unknown."""

    def change(document: dict[str, Any]) -> None:
        method = document["configurations"]["ext4-file"]["method"]
        method["measurement_area"] = method["measurement_area_bytes"] = {"unknown": FROM_RESULTS}

    _changed(manifest, change)
    path = _report(tmp_path / "a.json", 1_795_000_001)
    report = json.loads(path.read_text(encoding="utf-8"))
    stated = report["global options"] | options
    report["global options"] = {name: value for name, value in stated.items() if value is not None}
    path.write_text(json.dumps(report), encoding="utf-8")
    folder, problems = _add(tmp_path, manifest, path)
    assert problems == []
    method = _document(folder)["configurations"]["ext4-file"]["method"]
    assert str(method["measurement_area"].get("value")).startswith(str(words))
    assert method["measurement_area_bytes"].get("value") == size


def test_files_of_one_run_that_tell_other_figures_are_no_repetitions(tmp_path: Path) -> None:
    """ORION writes rates, throughputs and latencies of a run to three files without a time."""
    for name in ("iops", "latency", "mbps"):
        shutil.copy(FIXTURES / "orion" / f"matrix-{name}-11.1" / "input.csv", tmp_path / f"{name}.csv")
    found, problems = linking.items(tuple(sorted(tmp_path.iterdir())), Given())
    assert problems == []
    assert linking.repetitions(found, Given(), lambda *_: None) == []
    assert {item.name: item.repetition for item in found} == dict.fromkeys(("iops.csv", "latency.csv", "mbps.csv"), 1)
    shutil.copy(tmp_path / "iops.csv", tmp_path / "again.csv")
    found, _ = linking.items(tuple(sorted(tmp_path.iterdir())), Given())
    problems = linking.repetitions(found, Given(), lambda *_: None)
    assert [(problem.file.rpartition("/")[2], problem.rule) for problem in problems] == [
        ("again.csv", "R-ADD-4"), ("iops.csv", "R-ADD-4"),
    ]  # fmt: skip


def test_the_files_of_an_orion_run_are_one_run_and_two_runs_are_two_repetitions(tmp_path: Path) -> None:
    """ORION names the files of a run alike, by the minute; what holds no result goes with them unread."""
    for minute in ("1057", "1112"):
        for part, name in (("iops", "iops"), ("latency", "lat"), ("mbps", "mbps")):
            data = (FIXTURES / "orion" / f"matrix-{part}-11.1" / "input.csv").read_bytes()
            (tmp_path / f"mytest_20190329_{minute}_{name}.csv").write_bytes(data)
        (tmp_path / f"mytest_20190329_{minute}_trace.txt").write_text("a trace", encoding="utf-8")
    found, problems = linking.items((tmp_path,), Given())
    assert problems == []
    assert linking.repetitions(found, Given(), lambda *_: None) == []
    told = {item.name: (item.role, item.repetition) for item in found}
    assert told == {
        f"mytest_20190329_{minute}_{name}": ("attachment", None) if name == "trace.txt" else ("result", number)
        for number, minute in enumerate(("1057", "1112"), 1)
        for name in ("iops.csv", "lat.csv", "mbps.csv", "trace.txt")
    }


def test_what_a_summary_of_orion_says_again_counts_once(manifest: Path, tmp_path: Path) -> None:
    """Its headlines are cells of the matrices of its run, which lie beside it in the submission."""
    pile = tmp_path / "pile"
    pile.mkdir()
    summary = (FIXTURES / "orion" / "summary-10.2" / "input.txt").read_text(encoding="utf-8")
    matrix = "Large/Small,      1,     14\n          0, 144, 412\n          1\n          2\n"
    (pile / "shelf_20190329_1057_summary.txt").write_text(summary, encoding="utf-8")
    (pile / "shelf_20190329_1057_iops.csv").write_text(matrix, encoding="utf-8")
    alone, _ = linking.items((pile,), Given())
    told = sum(len(item.reading.results) for item in alone)
    _of_orion(manifest)
    folder, problems = _add(tmp_path, manifest, pile)
    assert (problems, folder is None) == ([], False)
    read = gather.gather_one(folder, "x").files  # type: ignore[arg-type]
    assert sum(len(each.reading.results) for each in read if each.reading) < told
    assert any(each.rule == "R-JOIN-3" for each in (f for r in read if r.reading for f in r.reading.warnings))


def _of_orion(manifest: Path) -> None:
    """Leave open in a manifest what the results of ORION tell."""

    def change(document: dict[str, Any]) -> None:
        configuration = document["configurations"]["ext4-file"]
        configuration["software"] |= {"tool": {"unknown": FROM_RESULTS}, "tool_version": {"unknown": FROM_RESULTS}}
        configuration["method"] |= {field: {"unknown": FROM_RESULTS} for field in METHOD}
        document |= {"tested_on": "unknown", "collected_on": document["submitted_on"]}

    _changed(manifest, change)


def test_values_that_differ_are_named(manifest: Path, tmp_path: Path) -> None:
    """The results do tell it; they tell two values, and one that tells none does not count."""
    _changed(manifest, lambda document: document["configurations"]["ext4-file"]["method"].update(
        latency_kind={"unknown": FROM_RESULTS}))  # fmt: skip
    paths = [_report(tmp_path / f"{name}.json", 1_795_000_001 + name) for name in range(3)]
    for path, direct in zip(paths, ("1", "0", None), strict=True):
        report = json.loads(path.read_text(encoding="utf-8"))
        report["global options"] |= {"direct": direct} if direct else {}
        if direct is None:
            del report["global options"]["direct"]
        path.write_text(json.dumps(report), encoding="utf-8")
    folder, problems = _add(tmp_path, manifest, *paths)
    assert problems == []
    method = _document(folder)["configurations"]["ext4-file"]["method"]
    assert method["cache_bypass"] == {"unknown": "it differs: buffered, direct"}
    assert method["latency_kind"]["value"] == "total, as the tool reports it"


def test_the_configuration_that_fits_the_content_is_taken(manifest: Path, tmp_path: Path) -> None:
    """Two configurations with different tool versions: each report goes to its own; one that fits none is asked for."""
    document, _ = safe_yaml.load_yaml(manifest.read_bytes())
    other = json.loads(json.dumps(document["configurations"]["ext4-file"]))
    other["software"]["tool_version"] = "fio-3.41"
    document["configurations"]["newer"] = other
    manifest.write_text(safe_yaml.dump_yaml(document), encoding="utf-8")
    new = _report(tmp_path / "n.json", 1_795_000_003, version="fio-3.41")
    none = _report(tmp_path / "x.json", 1_795_000_004, version="fio-3.40")
    assert _rules(tmp_path, manifest, none) == ["R-ADD-3"]
    folder, problems = _add(tmp_path, manifest, new, _report(tmp_path / "o.json", 1_795_000_005))
    assert problems == []
    assert folder is not None
    written, _ = safe_yaml.load_yaml((folder / "manifest.yaml").read_bytes())
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

    files = (_report(tmp_path / "a.json", 1_795_000_001),)
    folder, _ = making.add(files, manifest, tmp_path / "data", Given(subject="twins"), ask)
    assert asked == [("Which configuration does a.json belong to?", ["ext4-file", "twin"])]
    assert folder is not None
    assert folder.name == "2026-11-tester-twins"


def test_what_cannot_be_told_is_a_problem_with_an_option_as_remedy(manifest: Path, tmp_path: Path) -> None:
    """Names that stand twice, unreadable files, files without an order, and a folder that exists."""
    first = _report(tmp_path / "a.json", 1_795_000_001)
    noise = tmp_path / "noise.txt"
    noise.write_text("hello", encoding="utf-8")
    same_time = _report(tmp_path / "c.json", 1_795_000_001)
    assert _rules(tmp_path, manifest, first, manifest) == ["R-ADD-1"]
    assert _rules(tmp_path, manifest, first, noise) == ["R-ADD-2"]
    assert _rules(tmp_path, manifest, first, same_time) == ["R-ADD-4", "R-ADD-4"]
    folder, _ = _add(tmp_path, manifest, first, noise, attachments=frozenset({"noise.txt"}))
    assert folder is not None
    _changed(manifest, lambda document: document.update(submitted_by="TESTER"))
    again, problems = _add(tmp_path, manifest, first)
    assert again is None
    assert [problem.rule for problem in problems] == ["R-ADD-5"]


def test_what_the_check_refuses_is_not_left_behind(manifest: Path, tmp_path: Path) -> None:
    """A file that another submission has already is refused, and no half-made folder stays."""
    report = _report(tmp_path / "a.json", 1_795_000_001)
    _add(tmp_path, manifest, report)
    folder, problems = _add(tmp_path, manifest, report, subject="again")
    assert folder is None
    assert "R-FILE-7" in {problem.rule for problem in problems}
    assert [path.name for path in (tmp_path / "data").iterdir()] == [FOLDER]


def test_a_manifest_that_is_no_yaml_or_has_a_wrong_shape_is_refused(manifest: Path, tmp_path: Path) -> None:
    """The problems are those of the check, before anything is read."""
    report = _report(tmp_path / "a.json", 1_795_000_001)
    text = manifest.read_text(encoding="utf-8")
    manifest.write_text(text.replace("licence:", "license:"), encoding="utf-8")
    assert set(_rules(tmp_path, manifest, report)) == {"R-MANIFEST-2", "R-MANIFEST-3"}
    manifest.write_text("a: &b 1", encoding="utf-8")
    assert _rules(tmp_path, manifest, report) == ["R-YAML-5"]
    manifest.write_text("[1]", encoding="utf-8")
    assert _rules(tmp_path, manifest, report) == ["R-MANIFEST-4"]


def test_a_result_is_tied_to_the_job_file_that_fits_its_content(manifest: Path, tmp_path: Path) -> None:
    """Two job files name the job; one of them says another block size, so it belongs to another run."""
    report = _report(tmp_path / "a.json", 1_795_000_001)
    for name, size in (("one.fio", "8k"), ("two.fio", "4k")):
        (tmp_path / name).write_text(f"[database]\nrw=randrw\nbs={size}\nramp_time=1\n", encoding="utf-8")
    folder, problems = _add(tmp_path, manifest, report, tmp_path / "one.fio", tmp_path / "two.fio")
    assert problems == []
    assert folder is not None
    assert _entries(folder)["a.json"]["job"] == "one.fio"


def test_a_result_is_tied_to_a_job_file_that_stands_twice(manifest: Path, tmp_path: Path) -> None:
    """Two copies with the same bytes are no choice between two job files."""
    report = _report(tmp_path / "a.json", 1_795_000_001)
    for name in ("one.fio", "two.fio"):
        (tmp_path / name).write_text("[database]\nrw=randrw\nbs=8k\nramp_time=1\n", encoding="utf-8")
    folder, problems = _add(tmp_path, manifest, report, tmp_path / "one.fio", tmp_path / "two.fio")
    assert problems == []
    assert folder is not None
    assert _entries(folder)["a.json"]["job"] == "one.fio"


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
    found, problems = linking.items(tuple(sorted(tmp_path.iterdir())), Given())
    assert problems == []
    linking.to_jobs(found)
    assert {item.name: item.ties for item in found if item.ties} == {"results.csv": {"job": "own.icf"}}
    assert {result.ramp_seconds for item in found for result in item.reading.results} == {15.0}


def test_a_log_is_tied_to_the_report_that_names_it(manifest: Path, tmp_path: Path) -> None:
    """Of two reports the one whose options say that the log is its own; nobody is asked."""
    first, second = _report(tmp_path / "a.json", 1_795_000_001), _report(tmp_path / "b.json", 1_795_000_100)
    named = second.read_text(encoding="utf-8").replace('"iodepth": "8"', '"iodepth": "8", "write_bw_log": "run"')
    second.write_text(named, encoding="utf-8")
    log = tmp_path / "run_bw.1.log"
    log.write_bytes(b"500, 1000, 0, 0\n")
    folder, problems = _add(tmp_path, manifest, first, second, log, subject="one")
    assert problems == []
    assert folder is not None
    assert {name: _entries(folder)["run_bw.1.log"][name] for name in ("run", "point")} == {
        "run": "b.json",
        "point": "0#/jobs/0",
    }


def test_a_log_is_tied_to_the_only_point_or_to_the_one_that_is_answered(manifest: Path, tmp_path: Path) -> None:
    """Two reports have two points, and nothing in a log says which; without an answer it stays a log of no run."""
    first, second = _report(tmp_path / "a.json", 1_795_000_001), _report(tmp_path / "b.json", 1_795_000_100)
    log, histogram = tmp_path / "run_bw.1.log", tmp_path / "run_clat_hist.1.log"
    log.write_text("500, 1000, 0, 0\n", encoding="utf-8")
    shutil.copy(next((FIXTURES / "fio" / "log-histogram").glob("input.*")), histogram)
    folder, problems = _add(tmp_path, manifest, first, log, histogram, subject="one")
    assert problems == []
    assert folder is not None
    for name in (log.name, histogram.name):
        entry = _entries(folder)[name]
        assert (entry["role"], entry["run"], entry["point"]) == ("log", "a.json", "0#/jobs/0")
    shutil.rmtree(tmp_path / "data")
    folder, _ = _add(tmp_path, manifest, first, second, log, subject="two")
    assert folder is not None
    assert "run" not in _entries(folder)[log.name]
    shutil.rmtree(tmp_path / "data")
    given, data = Given(subject="three"), tmp_path / "data"
    folder, _ = making.add((first, second, log), manifest, data, given, lambda _, answers: answers[-1])
    assert folder is not None
    assert _entries(folder)[log.name]["run"] == "b.json"


@pytest.mark.parametrize("stated", ["b.json", "b.json,0#/jobs/0"])
def test_a_log_is_tied_to_the_run_that_is_stated(manifest: Path, tmp_path: Path, stated: str) -> None:
    """A script has no terminal to answer on."""
    first, second = _report(tmp_path / "a.json", 1_795_000_001), _report(tmp_path / "b.json", 1_795_000_100)
    log = tmp_path / "run_bw.1.log"
    log.write_text("500, 1000, 0, 0\n", encoding="utf-8")
    folder, problems = _add(tmp_path, manifest, first, second, log, runs={log.name: stated})
    assert problems == []
    assert folder is not None
    entry = _entries(folder)[log.name]
    assert (entry["run"], entry["point"]) == ("b.json", "0#/jobs/0")


def test_a_stated_run_that_is_not_added_is_refused_with_those_that_are(manifest: Path, tmp_path: Path) -> None:
    """A typing error must not leave the log without its run."""
    log = tmp_path / "run_bw.1.log"
    log.write_text("500, 1000, 0, 0\n", encoding="utf-8")
    report = _report(tmp_path / "a.json", 1_795_000_001)
    folder, (problem,) = _add(tmp_path, manifest, report, log, runs={log.name: "c.json"})
    assert folder is None
    assert problem.rule == "R-ADD-6"
    assert "a.json,0#/jobs/0" in problem.remedy


def test_a_run_for_a_log_that_is_not_added_is_refused(manifest: Path, tmp_path: Path) -> None:
    """A typing error in the name of the log is one, too."""
    report = _report(tmp_path / "a.json", 1_795_000_001)
    folder, (problem,) = _add(tmp_path, manifest, report, runs={"a_bw.log": "a.json"})
    assert folder is None
    assert (problem.file, problem.rule) == ("a_bw.log", "R-ADD-6")


def _changed(manifest: Path, change: Callable[[dict[str, Any]], object]) -> None:
    """Change the manifest that is handed in."""
    document, _ = safe_yaml.load_yaml(manifest.read_bytes())
    change(document)
    manifest.write_text(safe_yaml.dump_yaml(document), encoding="utf-8")


def _document(folder: Path | None) -> dict[str, Any]:
    assert folder is not None
    return safe_yaml.load_yaml((folder / "manifest.yaml").read_bytes())[0]  # type: ignore[no-any-return]


def test_a_tool_that_only_the_machine_told_gives_way_to_the_files(manifest: Path, tmp_path: Path) -> None:
    """A manifest of the installed fio, for results of another one, is corrected and says so."""

    def change(document: dict[str, Any]) -> None:
        document["configurations"]["ext4-file"]["software"]["tool_version"] = {
            "value": "fio-3.41", "how_known": "collected",
        }  # fmt: skip

    _changed(manifest, change)
    folder, problems = _add(tmp_path, manifest, _report(tmp_path / "a.json", 1_795_000_001))
    assert problems == []
    assert _document(folder)["configurations"]["ext4-file"]["software"]["tool_version"] == {
        "value": "fio-3.36", "how_known": "collected", "note": "stated by the files; fio-3.41 is what the machine had",
    }  # fmt: skip


def test_a_statement_of_a_person_that_the_files_refute_is_refused(manifest: Path, tmp_path: Path) -> None:
    """It is not replaced in silence: the line, both values and the file are named."""
    _changed(manifest, lambda document: document["configurations"]["ext4-file"]["method"].update(process_count=64))
    folder, (problem,) = _add(tmp_path, manifest, _report(tmp_path / "a.json", 1_795_000_001))
    assert folder is None
    assert problem.rule == "R-MANIFEST-8"
    assert "process_count is 64, but a.json (0#/jobs/0/read) tells 1" in problem.what


SEEN = {"value": "kvm", "how_known": "collected"}
UNSEEN = {"unknown": "a.json ran on 2026-11-18, and the machine was read on 2026-11-22"}


@pytest.mark.parametrize(("read_on", "told"), [("2026-11-18", SEEN), ("2026-11-19", SEEN), ("2026-11-22", UNSEEN)])
def test_what_the_machine_told_is_left_out_when_the_runs_were_at_another_time(
    read_on: str,
    told: dict[str, str],
    manifest: Path,
    tmp_path: Path,
) -> None:
    """The report is of 2026-11-18; a week later nobody saw how the machine was then."""
    _changed(manifest, lambda document: document.update(collected_on=read_on))
    folder, problems = _add(tmp_path, manifest, _report(tmp_path / "a.json", 1_795_000_001))
    assert problems == []
    system = _document(folder)["systems"]["guest"]
    assert system["virtualisation"] == told
    assert system["bios_version"] == {"unknown": "the hypervisor shows no DMI data"}


def test_a_placeholder_that_no_result_fills_is_named_in_the_manifest_at_hand(manifest: Path, tmp_path: Path) -> None:
    """What only a person knows is refused by line; what the results were asked for is unknown, with that reason."""

    def change(document: dict[str, Any]) -> None:
        method = document["configurations"]["ext4-file"]["method"]
        method |= {"steady_state": {"unknown": FROM_YOU}, "ramp_seconds": {"unknown": FROM_RESULTS}}

    _changed(manifest, change)
    report = _report(tmp_path / "a.json", 1_795_000_001)
    folder, (problem,) = _add(tmp_path, manifest, report)
    assert folder is None
    assert (problem.file, problem.rule) == (str(manifest), "R-MANIFEST-9")
    line = manifest.read_text(encoding="utf-8").splitlines()[int(problem.place) - 1]
    assert line.strip().startswith("steady_state:")
    manifest.write_text(
        manifest.read_text(encoding="utf-8").replace(FROM_YOU, "it was not looked at"), encoding="utf-8"
    )
    folder, problems = _add(tmp_path, manifest, report)
    assert problems == []
    method = _document(folder)["configurations"]["ext4-file"]["method"]
    assert method["ramp_seconds"] == {"unknown": "the results do not tell it"}


def test_a_time_that_differs_between_the_results_is_left_unknown(manifest: Path, tmp_path: Path) -> None:
    """A median of 2 and 30 seconds would contradict both files."""
    field = "run_time_seconds"
    _changed(manifest, lambda document: document["configurations"]["ext4-file"]["method"].update(
        {field: {"unknown": FROM_RESULTS}}))  # fmt: skip
    longer = _report(tmp_path / "b.json", 1_795_000_100)
    report = json.loads(longer.read_text(encoding="utf-8"))
    for operation in ("read", "write"):
        figures = report["jobs"][0][operation]
        for name in ("runtime", "io_bytes", "io_kbytes", "total_ios"):
            figures[name] *= 15
    report["global options"].pop("runtime")
    longer.write_text(json.dumps(report), encoding="utf-8")
    folder, problems = _add(tmp_path, manifest, _report(tmp_path / "a.json", 1_795_000_001), longer)
    assert problems == []
    value = _document(folder)["configurations"]["ext4-file"]["method"][field]
    assert value == {"unknown": "it differs between the results; some tell 2, 30"}


def test_a_manifest_with_defaults_is_added(manifest: Path, tmp_path: Path) -> None:
    """What configurations share may stand once."""

    def change(document: dict[str, Any]) -> None:
        configuration = document["configurations"]["ext4-file"]
        document["defaults"] = {"software": configuration.pop("software"), "method": configuration.pop("method")}

    _changed(manifest, change)
    folder, problems = _add(tmp_path, manifest, _report(tmp_path / "a.json", 1_795_000_001))
    assert problems == []
    assert _document(folder)["configurations"]["ext4-file"]["method"]["cache_bypass"]["value"] == "direct"


def _entries(folder: Path) -> dict[str, dict[str, Any]]:
    document = with_defaults(safe_yaml.load_yaml((folder / "manifest.yaml").read_bytes())[0])
    return {entry["path"]: entry for entry in document["files"]}


def test_the_command_says_where_the_submission_is(ioledger: Run, manifest: Path, tmp_path: Path) -> None:
    """Standard output is the folder; a wrong option ends with 2; a refusal with 1."""
    _report(tmp_path / "r.json", 1_795_000_001)
    common = ("add", tmp_path / "r.json", "--manifest", manifest, "--data", tmp_path / "data")
    done = ioledger(*common)
    assert (done.returncode, done.stdout) == (0, f"{tmp_path / 'data' / FOLDER}\n"), done.stderr
    assert ioledger(*common, "--subject", "again").returncode == 1
    assert ioledger(*common, "--repetition", "r.json").returncode == 2


def _pile(folder: Path) -> Path:
    """Write what people have: results in folders, an archive, names of their own, a note, a manifest."""
    for number, name in enumerate(("測定 1.json", "run one.json", "deep/測定 1.json", "Ergebnis für SSD.json"), 1):
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        _report(folder / name, 1_795_000_000 + number)
    _report(folder / "last.json", 1_795_000_009)
    with tarfile.open(folder / "more.tar.gz", "w:gz") as archive:
        archive.add(folder / "last.json", "last.json")
    (folder / "last.json").unlink()
    (folder / "notes.txt").write_text("as it was", encoding="utf-8")
    (folder / "manifest.yaml").write_text("of another time", encoding="utf-8")
    return folder


def test_folders_and_archives_are_added_whatever_their_files_are_called(manifest: Path, tmp_path: Path) -> None:
    """Names become plain, none is lost to another, and what no tool wrote is left out and told."""
    told: list[str] = []
    folder, problems = making.add(
        (_pile(tmp_path / "pile"),), manifest, tmp_path / "data", Given(), lambda *_: None, told.append
    )
    assert problems == []
    assert folder is not None
    entries = _entries(folder)
    assert sorted(entries) == ["1-2.json", "1.json", "Ergebnis-fur-SSD.json", "last.json", "run-one.json"]
    assert sorted(entry["repetition"] for entry in entries.values()) == [1, 2, 3, 4, 5]
    assert any(
        line.endswith("notes.txt: left out, no tool wrote it; to add it unread: --attachment notes.txt")
        for line in told
    )
    assert any(line.endswith("run one.json: called run-one.json in the submission") for line in told)


@pytest.mark.parametrize(
    ("path", "name"),
    [
        ("測定.json", "file.json"), ("試験_bw.1.log", "file_bw.1.log"), ("..json", "file.json"),
        ("con.json", "file-con.json"), ("-x.csv", "x.csv"), ("A.json", "A-2.json"), ("new/a.json", "new-a.json"),
        ("Über größe.json", "Uber-groe.json"),
    ],
)  # fmt: skip
def test_a_name_becomes_plain_and_keeps_its_end(path: str, name: str) -> None:
    """The end of a log's name says what it logs."""
    assert inputs.plain_name(path, {"a.json"}) == name


def test_added_again_an_unmerged_folder_of_ones_own_is_replaced(manifest: Path, tmp_path: Path) -> None:
    """Until the branch that pull requests go to has it."""
    first = _report(tmp_path / "a.json", 1_795_000_001)
    folder, _ = _add(tmp_path, manifest, first)
    second, problems = _add(tmp_path, manifest, first, _report(tmp_path / "b.json", 1_795_000_100))
    assert (second, problems) == (folder, [])
    assert sorted(_entries(folder)) == ["a.json", "b.json"]  # type: ignore[arg-type]
    assert [path.name for path in (tmp_path / "data").iterdir()] == [FOLDER]
    git = ("git", "-C", str(tmp_path), "-c", "user.name=x", "-c", "user.email=x@example.org")
    for command in (("init", "-q", "-b", "main"), ("add", "data"), ("commit", "-q", "-m", "x")):
        subprocess.run([*git, *command], check=True)  # noqa: S603
    _, problems = _add(tmp_path, manifest, first)
    assert [(problem.rule, "is merged" in problem.what) for problem in problems] == [("R-ADD-5", True)]


def test_a_manifest_stays_its_writers(manifest: Path, tmp_path: Path) -> None:
    """Comments and layout stay, many files are a short line each, and editors find the schema."""
    text = manifest.read_text(encoding="utf-8").replace("    method:", "    # asked in the lab\n    method:")
    manifest.write_text(f"# ours\n{text}# the end\n", encoding="utf-8")
    files = [_report(tmp_path / f"{number}.json", 1_795_000_001 + number) for number in range(1, 8)]
    for file in files:
        report = json.loads(file.read_text(encoding="utf-8"))
        report["jobs"][0]["jobname"] = file.stem
        file.write_text(json.dumps(report), encoding="utf-8")
    folder, problems = _add(tmp_path, manifest, *files)
    assert (problems, folder is None) == ([], False)
    lines = (folder / "manifest.yaml").read_text(encoding="utf-8").splitlines()  # type: ignore[operator]
    assert lines[:2] == ["# yaml-language-server: $schema=../../schemas/manifest.schema.json", "# ours"]
    assert {"    # asked in the lab", "# the end"} <= set(lines)
    assert lines[-11:-7] == ["file_defaults:", "  configuration: ext4-file", "  repetition: 1", "files:"]
    assert all(line.startswith("- {path: ") and len(line) < 100 for line in lines[-7:])
    untouched = [line for line in text.splitlines() if "read from the results" not in line and "unknown" not in line]
    assert [line for line in untouched if line not in lines] == []


def test_an_editor_is_shown_the_published_schema(
    manifest: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Where the site's address is stated."""
    monkeypatch.setenv("IOLEDGER_SITE_URL", "https://ledger.example/site/")
    folder, _ = _add(tmp_path, manifest, _report(tmp_path / "a.json", 1_795_000_001))
    assert folder is not None
    line = (folder / "manifest.yaml").read_text(encoding="utf-8").splitlines()[0]
    assert line == "# yaml-language-server: $schema=https://ledger.example/site/schemas/manifest.schema.json"


def test_a_message_points_at_what_was_handed_in(manifest: Path, tmp_path: Path) -> None:
    """Not at a folder that was made aside and is gone."""
    report = _report(tmp_path / "測定.json", 1_795_000_001)
    text = manifest.read_text(encoding="utf-8")
    line = text.splitlines().index(next(each for each in text.splitlines() if each.startswith("submitted_on:"))) + 1
    manifest.write_text(text.replace("submitted_on: '2026-11-19'", "submitted_on: '2026-11-10'"), encoding="utf-8")
    _changed(manifest, lambda document: document.update(submitted_on="2026-11-01", collected_on="2026-11-01"))
    _, problems = _add(tmp_path, manifest, report)
    assert [(problem.file, problem.place) for problem in problems if "submitted_on" in problem.what][:1] == [
        (str(manifest), str(line))
    ]
    _changed(manifest, lambda document: document.update(submitted_on="2026-11-19", collected_on="2026-11-18"))
    folder, _ = _add(tmp_path, manifest, report)
    _, problems = _add(tmp_path, manifest, report, subject="again")
    assert {problem.file for problem in problems} == {str(report)}
    assert folder is not None


@pytest.mark.parametrize(
    "text", [b"[global]\nrw=read\n", b"# x\n; y\n\n[a]\nbs=4k\n", b"Version 1.1.0 \n'ACCESS SPECIFICATIONS ==\n"]
)
def test_job_files_are_known_by_their_content(text: bytes) -> None:
    """Fio's and Iometer's job files; JSON is none."""
    assert linking.JOB.match(text)
    assert not linking.JOB.match(b'[1]\n{"a": "="}')
