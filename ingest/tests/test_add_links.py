"""``ioledger add``: files are linked by what is in them, and what results tell fills in what nobody stated."""

from __future__ import annotations

import json
import shutil
from typing import TYPE_CHECKING, Any

import pytest

import adding
from adding import added, changed, document_of, entries_of, refused_by, reported, submitted
from conftest import FIXTURES
from ioledger.add import PREPARATIONS, Options, link_jobs, making, number_repetitions, read_items
from ioledger.collect.draft import METHOD
from ioledger.submission import gather
from ioledger.submission.shape import FROM_RESULTS, FROM_YOU

if TYPE_CHECKING:
    from pathlib import Path


@pytest.fixture
def manifest(tmp_path: Path) -> Path:
    """Return a manifest without files, in which the method is unknown."""
    return adding.manifest(tmp_path)


def test_files_of_one_run_that_tell_other_figures_are_no_repetitions(tmp_path: Path) -> None:
    """ORION writes rates, throughputs and latencies of a run to three files; what holds no result goes with them."""
    for part, name in (("iops", "iops"), ("latency", "lat"), ("mbps", "mbps")):
        data = (FIXTURES / "orion" / f"matrix-{part}-11.1" / "input.csv").read_bytes()
        (tmp_path / f"mytest_20190329_1057_{name}.csv").write_bytes(data)
    (tmp_path / "mytest_20190329_1057_trace.txt").write_text("a trace", encoding="utf-8")
    found, problems = read_items((tmp_path,), ())
    assert problems == []
    assert number_repetitions(found, lambda *_: None) == []
    assert sorted((item.role, item.repetition) for item in found) == [("attachment", None), *[("result", 1)] * 3]
    shutil.copy(tmp_path / "mytest_20190329_1057_iops.csv", tmp_path / "again.csv")
    found, _ = read_items((tmp_path,), ())
    assert [problem.rule for problem in number_repetitions(found, lambda *_: None)] == ["R-ADD-3", "R-ADD-3"]


def test_the_configuration_that_fits_the_content_is_taken(manifest: Path, tmp_path: Path) -> None:
    """Two configurations with different tool versions: each report goes to its own; one that fits none is asked for."""

    def change(document: dict[str, Any]) -> None:
        other = json.loads(json.dumps(document["configurations"]["ext4-file"]))
        other["software"]["tool_version"] = "fio-3.41"
        document["configurations"]["newer"] = other

    changed(manifest, change)
    new = reported(tmp_path / "n.json", 1_795_000_003, version="fio-3.41")
    none = reported(tmp_path / "x.json", 1_795_000_004, version="fio-3.40")
    assert refused_by(tmp_path, manifest, none) == ["R-ADD-3"]
    folder = submitted(tmp_path, manifest, new, reported(tmp_path / "o.json", 1_795_000_005))
    written = document_of(folder)
    assert [entry["configuration"] for entry in written["files"]] == ["newer", "ext4-file"]


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
    """What is added is one submission."""
    pile = tmp_path / "pile"
    for name in ("jobs", "results", "old"):
        (pile / name).mkdir(parents=True)
    reported(pile / "results" / "a.json", 1_795_000_001)
    (pile / "jobs" / "one.fio").write_text("[database]\nrw=randrw\nbs=8k\nramp_time=1\n", encoding="utf-8")
    (pile / "old" / "two.fio").write_text(f"[database]\nrw=randrw\nbs={second}\n", encoding="utf-8")
    folder = submitted(tmp_path, manifest, pile)
    assert entries_of(folder)["a.json"].get("job") == expected


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
    found, problems = read_items(tuple(sorted(tmp_path.iterdir())), ())
    assert problems == []
    link_jobs(found)
    assert {item.name: item.links for item in found if item.links} == {"results.csv": {"job": "own.icf"}}
    assert {result.ramp_seconds for item in found for result in item.reading.results} == {15.0}


def _two_runs(folder: Path) -> tuple[Path, Path, Path]:
    """Write two reports, and a log that names neither."""
    log = folder / "run_bw.1.log"
    log.write_bytes(b"500, 1000, 0, 0\n")
    return reported(folder / "a.json", 1_795_000_001), reported(folder / "b.json", 1_795_000_100), log


def test_a_log_is_tied_to_the_only_point_or_to_the_report_that_names_it(manifest: Path, tmp_path: Path) -> None:
    """Nothing in a log says which run wrote it; of two reports the options of one may."""
    first, second, log = _two_runs(tmp_path)
    histogram = tmp_path / "run_clat_hist.1.log"
    shutil.copy(next((FIXTURES / "fio" / "log-histogram").glob("input.*")), histogram)
    entries = entries_of(submitted(tmp_path, manifest, first, log, histogram))
    for name in (log.name, histogram.name):
        assert [entries[name][key] for key in ("role", "run", "point")] == ["log", "a.json", "0#/jobs/0"]
    named = second.read_text(encoding="utf-8").replace('"iodepth": "8"', '"iodepth": "8", "write_bw_log": "run"')
    second.write_text(named, encoding="utf-8")
    assert entries_of(submitted(tmp_path, manifest, first, second, log))[log.name]["run"] == "b.json"


def test_a_log_of_two_points_is_tied_to_the_one_that_is_answered_or_stated(manifest: Path, tmp_path: Path) -> None:
    """Without either it stays a log of no run; a script has no terminal to answer on."""
    first, second, log = _two_runs(tmp_path)
    assert "run" not in entries_of(submitted(tmp_path, manifest, first, second, log))[log.name]
    data = tmp_path / "data"
    last, _ = making.add((first, second, log), manifest, data, Options(), lambda _, answers: answers[-1])
    assert last is not None
    assert entries_of(last)[log.name]["run"] == "b.json"
    for stated in ("b.json", "b.json,0#/jobs/0"):
        entry = entries_of(submitted(tmp_path, manifest, first, second, log, runs={log.name: stated}))[log.name]
        assert (entry["run"], entry["point"]) == ("b.json", "0#/jobs/0")
    _, (problem,) = added(tmp_path, manifest, first, second, log, runs={log.name: "b.json,0#/jobs/7"})
    assert (problem.file, problem.rule, "b.json,0#/jobs/0" in problem.remedy) == (log.name, "R-ADD-3", True)


def test_the_method_is_filled_from_the_results_and_nothing_stated_is_replaced(manifest: Path, tmp_path: Path) -> None:
    """Queue depth 8 with direct I/O is in the report; the run time that the person stated stays."""
    folder = submitted(tmp_path, manifest, reported(tmp_path / "a.json", 1_795_000_001))
    document = document_of(folder)
    method = document["configurations"]["ext4-file"]["method"]
    assert method["cache_bypass"] == {"value": "direct", "how_known": "collected"}
    assert method["load_axis"] == {"value": "outstanding I/Os 8", "how_known": "collected"}
    assert method["repetition_count"]["value"] == 1
    assert method["run_time_seconds"] == 2
    told = [value["how_known"] for value in method.values() if isinstance(value, dict) and "value" in value]
    assert set(told) == {"collected"}, "what a person inferred counts as unknown where it decides; this nobody did"


@pytest.mark.parametrize("name", sorted(PREPARATIONS))
def test_a_preparing_run_is_no_result(name: str, manifest: Path, tmp_path: Path) -> None:
    """The name of the job, which is content, tells that it only prepared."""
    prepared = reported(tmp_path / "p.json", 1_795_000_001, jobname=name)
    folder = submitted(tmp_path, manifest, prepared, reported(tmp_path / "a.json", 1_795_000_002))
    document = document_of(folder)
    assert [entry.get("role") for entry in document["files"]] == ["preparation", None]


def test_what_a_summary_of_orion_says_again_counts_once(manifest: Path, tmp_path: Path) -> None:
    """Its headlines are cells of the matrices of its run, which lie beside it in the submission."""
    pile = tmp_path / "pile"
    pile.mkdir()
    summary = (FIXTURES / "orion" / "summary-10.2" / "input.txt").read_text(encoding="utf-8")
    matrix = "Large/Small,      1,     14\n          0, 144, 412\n          1\n          2\n"
    (pile / "shelf_20190329_1057_summary.txt").write_text(summary, encoding="utf-8")
    (pile / "shelf_20190329_1057_iops.csv").write_text(matrix, encoding="utf-8")
    alone, _ = read_items((pile,), ())
    told = sum(len(item.reading.results) for item in alone)
    _of_orion(manifest)
    folder = submitted(tmp_path, manifest, pile)
    read = gather.gather_one(folder, "x").files
    assert sum(len(each.reading.results) for each in read if each.reading) < told
    assert any(each.rule == "R-JOIN-3" for each in (f for r in read if r.reading for f in r.reading.warnings))


def _of_orion(manifest: Path) -> None:
    """Leave open in a manifest what the results of ORION tell."""

    def change(document: dict[str, Any]) -> None:
        configuration = document["configurations"]["ext4-file"]
        configuration["software"] |= {"tool": {"unknown": FROM_RESULTS}, "tool_version": {"unknown": FROM_RESULTS}}
        configuration["method"] |= {field: {"unknown": FROM_RESULTS} for field in METHOD}
        document |= {"tested_on": "unknown", "collected_on": document["submitted_on"]}

    changed(manifest, change)


def test_values_that_differ_are_named(manifest: Path, tmp_path: Path) -> None:
    """The results do tell it; they tell two values, and one that tells none does not count."""
    changed(manifest, lambda document: document["configurations"]["ext4-file"]["method"].update(
        latency_kind={"unknown": FROM_RESULTS}))  # fmt: skip
    paths = [reported(tmp_path / f"{name}.json", 1_795_000_001 + name) for name in range(3)]
    for path, direct in zip(paths, ('"direct": "1"', '"direct": "0"', '"x": ""'), strict=True):
        path.write_text(path.read_text(encoding="utf-8").replace('"direct": "1"', direct), encoding="utf-8")
    folder = submitted(tmp_path, manifest, *paths)
    method = document_of(folder)["configurations"]["ext4-file"]["method"]
    assert method["cache_bypass"] == {"unknown": "it differs: buffered, direct"}
    assert method["latency_kind"]["value"] == "total"


def test_what_the_machine_told_is_left_out_when_the_runs_were_at_another_time(manifest: Path, tmp_path: Path) -> None:
    """The report is of 2026-11-18; days later nobody saw how the machine was then."""
    report, seen = reported(tmp_path / "a.json", 1_795_000_001), {"value": "kvm", "how_known": "collected"}
    unseen = {"unknown": "a.json ran on 2026-11-18, and the machine was read on 2026-11-22"}
    for read_on, told in (("2026-11-19", seen), ("2026-11-22", unseen)):
        changed(manifest, lambda document, day=read_on: document.update(collected_on=day))  # type: ignore[misc]
        system = document_of(submitted(tmp_path, manifest, report))["systems"]["guest"]
        assert system["virtualisation"] == told
        assert system["bios_version"] == {"unknown": "the hypervisor shows no DMI data"}


def test_a_placeholder_that_no_result_fills_is_named_in_the_manifest_at_hand(manifest: Path, tmp_path: Path) -> None:
    """What only a person knows is refused by line; what the results were asked for is unknown, with that reason."""

    def change(document: dict[str, Any]) -> None:
        method = document["configurations"]["ext4-file"]["method"]
        method |= {"steady_state": {"unknown": FROM_YOU}, "ramp_seconds": {"unknown": FROM_RESULTS}}

    changed(manifest, change)
    report = reported(tmp_path / "a.json", 1_795_000_001)
    folder, (problem,) = added(tmp_path, manifest, report)
    assert folder is None
    assert (problem.file, problem.rule) == (str(manifest), "R-MANIFEST-9")
    line = manifest.read_text(encoding="utf-8").splitlines()[int(problem.place) - 1]
    assert line.strip().startswith("steady_state:")
    manifest.write_text(
        manifest.read_text(encoding="utf-8").replace(FROM_YOU, "it was not looked at"), encoding="utf-8"
    )
    folder = submitted(tmp_path, manifest, report)
    method = document_of(folder)["configurations"]["ext4-file"]["method"]
    assert method["ramp_seconds"] == {"unknown": "the results do not state it"}


def test_a_time_that_differs_between_the_results_is_left_unknown(manifest: Path, tmp_path: Path) -> None:
    """A median of 2 and 30 seconds would contradict both files."""
    field = "run_time_seconds"
    changed(manifest, lambda document: document["configurations"]["ext4-file"]["method"].update(
        {field: {"unknown": FROM_RESULTS}}))  # fmt: skip
    longer = reported(tmp_path / "b.json", 1_795_000_100)
    report = json.loads(longer.read_text(encoding="utf-8"))
    for operation in ("read", "write"):
        figures = report["jobs"][0][operation]
        for name in ("runtime", "io_bytes", "io_kbytes", "total_ios"):
            figures[name] *= 15
    report["global options"].pop("runtime")
    longer.write_text(json.dumps(report), encoding="utf-8")
    folder = submitted(tmp_path, manifest, reported(tmp_path / "a.json", 1_795_000_001), longer)
    value = document_of(folder)["configurations"]["ext4-file"]["method"][field]
    assert value == {"unknown": "it differs between the results; b.json states 30"}
