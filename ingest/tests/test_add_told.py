"""``ioledger add``: what results tell is filled in, and what a person or the machine said is not replaced by less."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest

import adding
from adding import added, changed, document_of, reported, submitted
from conftest import FIXTURES
from ioledger.add import linking
from ioledger.add.linking import Options
from ioledger.collect.draft import METHOD
from ioledger.submission import gather
from ioledger.submission.shape import FROM_RESULTS, FROM_YOU

if TYPE_CHECKING:
    from pathlib import Path


@pytest.fixture
def manifest(tmp_path: Path) -> Path:
    """Return a manifest without files, in which the method is unknown."""
    return adding.manifest(tmp_path)


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


@pytest.mark.parametrize("name", sorted(linking.PREPARATIONS))
def test_a_preparing_run_is_no_result_and_tells_what_was_written(name: str, manifest: Path, tmp_path: Path) -> None:
    """The name of the job, which is content, tells that it only prepared."""
    prepared = reported(tmp_path / "p.json", 1_795_000_001, jobname=name)
    folder = submitted(tmp_path, manifest, prepared, reported(tmp_path / "a.json", 1_795_000_002))
    document = document_of(folder)
    assert [entry.get("role") for entry in document["files"]] == ["preparation", None]


def _prepared(path: Path, size: int, filename: str = "test.dat") -> Path:
    """Write the report of a preparing run that wrote so many bytes to a file; it was asked for 1 GiB."""
    text = (FIXTURES / "recorded" / "preparation.1.json").read_text(encoding="utf-8").replace("fio-3.33", "fio-3.36")
    report = json.loads(text)
    report["jobs"][0]["job options"] |= {"size": "1g", "filename": filename}
    written = report["jobs"][0]["write"]
    seconds = written["runtime"] / 1000
    written |= {"io_bytes": size, "io_kbytes": size >> 10, "total_ios": size >> 20}
    written |= {"bw_bytes": int(size / seconds), "bw": int(size / seconds) >> 10, "iops": (size >> 20) / seconds}
    report |= {"timestamp": 1_763_690_000, "timestamp_ms": 1_763_690_000_000}
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

    changed(manifest, change)
    prepared = _prepared(tmp_path / "p.json", size, filename)
    folder = submitted(tmp_path, manifest, prepared, reported(tmp_path / "a.json", 1_795_000_002))
    method = document_of(folder)["configurations"]["ext4-file"]["method"]
    assert method.get("preconditioning_class", {}).get("value") == expected
    is_whole = size == 1 << 30 and filename == "test.dat"
    assert ("value" in method["file_written"]) == is_whole
    if isinstance(stated, str) or stated != {"unknown": FROM_YOU}:
        assert method["preconditioning"] == stated


def test_what_a_summary_of_orion_says_again_counts_once(manifest: Path, tmp_path: Path) -> None:
    """Its headlines are cells of the matrices of its run, which lie beside it in the submission."""
    pile = tmp_path / "pile"
    pile.mkdir()
    summary = (FIXTURES / "orion" / "summary-10.2" / "input.txt").read_text(encoding="utf-8")
    matrix = "Large/Small,      1,     14\n          0, 144, 412\n          1\n          2\n"
    (pile / "shelf_20190329_1057_summary.txt").write_text(summary, encoding="utf-8")
    (pile / "shelf_20190329_1057_iops.csv").write_text(matrix, encoding="utf-8")
    alone, _ = linking.read_items((pile,), Options())
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
    for path, direct in zip(paths, ("1", "0", None), strict=True):
        report = json.loads(path.read_text(encoding="utf-8"))
        report["global options"] |= {"direct": direct} if direct else {}
        if direct is None:
            del report["global options"]["direct"]
        path.write_text(json.dumps(report), encoding="utf-8")
    folder = submitted(tmp_path, manifest, *paths)
    method = document_of(folder)["configurations"]["ext4-file"]["method"]
    assert method["cache_bypass"] == {"unknown": "it differs: buffered, direct"}
    assert method["latency_kind"]["value"] == "total"


def test_a_tool_that_only_the_machine_told_gives_way_to_the_files(manifest: Path, tmp_path: Path) -> None:
    """A manifest of the installed fio, for results of another one, is corrected and says so."""

    def change(document: dict[str, Any]) -> None:
        document["configurations"]["ext4-file"]["software"]["tool_version"] = {
            "value": "fio-3.41", "how_known": "collected",
        }  # fmt: skip

    changed(manifest, change)
    folder = submitted(tmp_path, manifest, reported(tmp_path / "a.json", 1_795_000_001))
    assert document_of(folder)["configurations"]["ext4-file"]["software"]["tool_version"] == {
        "value": "fio-3.36", "how_known": "collected", "note": "stated by the files; fio-3.41 is what the machine had",
    }  # fmt: skip


def test_a_statement_of_a_person_that_the_files_refute_is_refused(manifest: Path, tmp_path: Path) -> None:
    """It is not replaced in silence: the line, both values and the file are named."""
    changed(manifest, lambda document: document["configurations"]["ext4-file"]["method"].update(process_count=64))
    folder, (problem,) = added(tmp_path, manifest, reported(tmp_path / "a.json", 1_795_000_001))
    assert folder is None
    assert problem.rule == "R-MANIFEST-8"
    assert "process_count is 64, but a.json (0#/jobs/0/read) states 1" in problem.what


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
    changed(manifest, lambda document: document.update(collected_on=read_on))
    folder = submitted(tmp_path, manifest, reported(tmp_path / "a.json", 1_795_000_001))
    system = document_of(folder)["systems"]["guest"]
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
    assert value == {"unknown": "it differs between the results; some state 2, 30"}
