"""What only all files of a configuration refute: steady state, what was written, with which data, how often."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest

from adding import REPORT, added, changed
from adding import manifest as unfilled
from conftest import FIXTURES
from ioledger.add import linking
from ioledger.add.linking import Given
from ioledger.submission import refuted

if TYPE_CHECKING:
    from pathlib import Path

GIB = 1 << 30
DRIVE = {"capacity_bytes": {"value": 100 * GIB, "how_known": "collected"}}
SCRAMBLED = {"refill_buffers": "0", "scramble_buffers": "1"}
STEADY = {"ss": "iops:5.000000%", "duration": 4, "attained": 1, "criterion": "2.3%", "data": {}}
ENDED = 1_763_700_600


def _written(path: Path, ended: int, **options: str) -> Path:
    """Write the report of a job of fio 3.36 that ended at a second and has these options besides its own."""
    report = json.loads(REPORT)
    (job,) = report["jobs"]
    steady = options.pop("steady", None)
    job["job options"] |= {"filename": "/mnt/a", "size": "1g"} | options
    job |= {"jobname": "database", "job_start": (ended - 600) * 1000, "job_runtime": 600_000}
    report |= {"timestamp": ended, "timestamp_ms": ended * 1000}
    job |= {"steadystate": STEADY | {"attained": int(steady)}} if steady is not None else {}
    path.write_text(json.dumps(report), encoding="utf-8")
    return path


def _prepared(path: Path, *, ended: int = ENDED - 3600, bytes_: int = GIB, **options: Any) -> Path:  # noqa: ANN401
    """Write the report of a preparation that wrote so many bytes of a file."""
    report = json.loads((FIXTURES / "recorded" / "preparation.1.json").read_text(encoding="utf-8"))
    (job,) = report["jobs"]
    job["job options"] |= {"filename": "/mnt/a", "size": "1g"} | options
    job["write"] |= {"io_bytes": bytes_, "io_kbytes": bytes_ >> 10, "total_ios": bytes_ >> 20}
    report |= {"timestamp": ended, "timestamp_ms": ended * 1000}
    path.write_text(json.dumps(report), encoding="utf-8")
    return path


def _refuted(method: dict[str, Any], *paths: Path, drives: tuple[dict[str, Any], ...] = (DRIVE,)) -> dict[str, str]:
    """Return what files tell instead of what a method states, by field; each further result is a repetition."""
    found, problems = linking.items(paths, Given())
    assert problems == []
    numbers = {item.name: n for n, item in enumerate((item for item in found if item.role == "result"), 1)}
    mine = [
        refuted.Evidence(item.name, item.role, item.reading, item.ties, item.source, numbers.get(item.name, 1))
        for item in found
    ]
    return {each.field: each.told for each in refuted.refuted(method, mine, list(drives))}


def test_a_steady_state_of_fio_needs_a_run_that_had_its_criterion(tmp_path: Path) -> None:
    """One run or preparation that reached it will do; a format that does not show it leaves it open."""
    run = _written(tmp_path / "a.json", ENDED)
    assert _refuted({"steady_state_class": "fio"}, run) == {"steady_state_class": "no run had a criterion of fio"}
    for words in ("none", "stated", "pts", "unknown"):
        assert _refuted({"steady_state_class": words}, run) == {}
    steady = _written(tmp_path / "b.json", ENDED + 700, steady="1")
    assert _refuted({"steady_state_class": "fio"}, run, steady) == {}
    terse, iometer = (
        next((FIXTURES / case).glob("input.*")) for case in ("fio/terse-v4", "iometer/csv-56-depth-sweep")
    )
    assert _refuted({"steady_state_class": "fio"}, terse) == {}
    assert "steady_state_class" in _refuted({"steady_state_class": "fio"}, iometer)


def test_a_criterion_that_was_not_reached_is_no_steady_state_and_one_that_was_is_not_none(tmp_path: Path) -> None:
    """The reports say whether it was."""
    missed, reached = (_written(tmp_path / f"{n}.json", ENDED + int(n), steady=n) for n in "01")
    assert "reached in none of 2 results" in _refuted({"steady_state_class": "fio"}, missed)["steady_state_class"]
    assert _refuted({"steady_state_class": "fio"}, missed, reached) == {}
    assert _refuted({"steady_state_class": "none"}, missed, reached) == {}
    assert "reached in all of 1 results" in _refuted({"steady_state_class": "none"}, reached)["steady_state_class"]


UNWRITTEN = {"preconditioning_class": "erased", "file_written": "no block was ever written"}


def test_a_drive_that_a_preparation_filled_is_not_erased(tmp_path: Path) -> None:
    """Nor is it one without preparation; what a person says beyond filled stands."""
    run, before = _written(tmp_path / "a.json", ENDED), _prepared(tmp_path / "p.json")
    told = "p.json wrote every byte of it before the measurement"
    assert _refuted(UNWRITTEN, run, before) == dict.fromkeys(UNWRITTEN, told)
    assert _refuted({"preconditioning_class": "none"}, run, before) == {"preconditioning_class": told}
    for words in ("filled", "aged", "pts"):
        assert _refuted({"preconditioning_class": words}, run, before) == {}
    for words in ("no block was left unwritten", "every block once", "yes"):
        assert _refuted({"file_written": words}, run, before) == {}


@pytest.mark.parametrize(
    "changes",
    [{"ended": ENDED + 3600}, {"bytes_": GIB >> 1}, {"filename": "/mnt/b"}],
    ids=["it ran afterwards", "it wrote a half", "it wrote another file"],
)
def test_a_preparation_that_did_not_fill_it_refutes_nothing(changes: dict[str, Any], tmp_path: Path) -> None:
    """An erased drive may be written to after it was measured, or elsewhere."""
    run, other = _written(tmp_path / "a.json", ENDED), _prepared(tmp_path / "p.json", **changes)
    assert _refuted(UNWRITTEN, run, other) == {}
    assert _refuted(UNWRITTEN, run) == {}


@pytest.mark.parametrize(
    ("stated", "options", "is_refuted"),
    [
        ("zero: every byte", SCRAMBLED, True),
        ("constant: a pattern", SCRAMBLED, True),
        ("random", SCRAMBLED, False),
        ("not zero, random", SCRAMBLED, False),
        ("random, refilled for every write", SCRAMBLED, True),
        ("random, not refilled", SCRAMBLED, False),
        ("zero: every byte", {"buffer_compress_percentage": "50"}, True),
        ("zero: every byte", {}, False),
        ("random, refilled for every write", {}, False),
        ("zero: every byte", {"zero_buffers": "1"}, False),
        ("the application's own", SCRAMBLED, False),
    ],
)
def test_data_are_those_that_the_options_make_where_they_leave_nothing_open(
    stated: str, options: dict[str, str], *, is_refuted: bool, tmp_path: Path
) -> None:
    """Reports of fio 3.36 leave flags out, so that what they do not state may have been zeros."""
    run = _written(tmp_path / "a.json", ENDED, **options)
    assert ("data_pattern" in _refuted({"data_pattern": stated}, run)) is is_refuted


def test_reads_have_the_data_of_their_preparation(tmp_path: Path) -> None:
    """What a preparation wrote is what is read."""
    run = _written(tmp_path / "a.json", ENDED, rw="randread")
    report = json.loads(run.read_text(encoding="utf-8"))
    write = report["jobs"][0]["write"]
    report["jobs"][0]["write"] = {name: 0 if isinstance(value, int | float) else value for name, value in write.items()}
    run.write_text(json.dumps(report), encoding="utf-8")
    before = _prepared(tmp_path / "p.json", refill_buffers="0", scramble_buffers="1")
    assert "data_pattern" in _refuted({"data_pattern": "zeros"}, run, before)


def test_repetitions_that_are_all_kept_are_all_there(tmp_path: Path) -> None:
    """Who kept the best of fifty says so; who keeps all has no more than there are files."""
    runs = [_written(tmp_path / f"{n}.json", ENDED + n * 700) for n in range(5)]
    told = {"repetition_count": "all runs are kept, and nothing was measured more than 5 times"}
    assert _refuted({"repetition_count": 50, "kept_run": "all"}, *runs) == told
    assert _refuted({"repetition_count": 5, "kept_run": "all"}, *runs) == {}
    assert _refuted({"repetition_count": 50, "kept_run": "best"}, *runs) == {}
    assert _refuted({"repetition_count": 50, "kept_run": {"unknown": "nobody noted it"}}, *runs) == {}


def test_a_small_file_is_no_whole_device(tmp_path: Path) -> None:
    """Prose beside bytes that are a share of the capacity is refused; spare space of a tenth is not."""
    run = _written(tmp_path / "a.json", ENDED)
    whole = {"measurement_area": "the whole device"}
    found = _refuted(whole | {"measurement_area_bytes": GIB}, run)
    assert found == {"measurement_area": f"measurement_area_bytes is {GIB}, and the capacity {100 * GIB}"}
    assert _refuted(whole | {"measurement_area_bytes": 95 * GIB}, run) == {}
    assert _refuted(whole | {"measurement_area_bytes": {"unknown": "not noted"}}, run) == {}
    assert _refuted(whole | {"measurement_area_bytes": GIB}, run, drives=()) == {}
    assert _refuted({"measurement_area": "a whole file of 1 GiB", "measurement_area_bytes": GIB}, run) == {}


def test_add_refuses_what_its_files_refute_together_at_the_line_of_the_manifest(tmp_path: Path) -> None:
    """One line a value, with what is stated and what is told."""
    manifest = unfilled(tmp_path)

    def lie(document: dict[str, Any]) -> None:
        document["configurations"]["ext4-file"]["method"] |= {"steady_state_class": "fio", "repetition_count": 50}

    changed(manifest, lie)
    folder, problems = added(tmp_path, manifest, _written(tmp_path / "a.json", ENDED))
    assert folder is None
    lines = manifest.read_text(encoding="utf-8").splitlines()
    told = {lines[int(problem.place) - 1].strip(): (problem.rule, problem.what) for problem in problems}
    assert told["steady_state_class: fio"] == (
        "R-MANIFEST-8",
        "configurations.ext4-file.method.steady_state_class is fio, but no run had a criterion of fio",
    )
    assert told["repetition_count: 50"][0] == "R-MANIFEST-8"
