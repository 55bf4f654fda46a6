"""What ``ioledger add`` takes from fio's options: area, data, preparation, steady state; and what it asks a person."""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING, Any

import pytest

import adding
from conftest import FIXTURES, input_of
from ioledger.add import Item, Options, link_jobs, making, method, read_items
from ioledger.collect import draft, state_value
from ioledger.submission import safe_yaml
from ioledger.submission.shape import FROM_EITHER, FROM_YOU

if TYPE_CHECKING:
    from pathlib import Path

    from ioledger.add import Ask
    from ioledger.problems import Problem

GIB = 1 << 30
BEFORE = 1_763_690_000
"""A time before that of every report that measures here."""
DISK = {"capacity_bytes": {"value": 100 * GIB, "how_known": "collected"}}
REPORT = (FIXTURES / "submission" / "report.json").read_text(encoding="utf-8")
PREPARATION = (FIXTURES / "recorded" / "preparation.1.json").read_text(encoding="utf-8")


def _job(options: dict[str, str], **changes: Any) -> dict[str, Any]:  # noqa: ANN401
    """Return one job of a report with these options of its own."""
    job = json.loads(REPORT)["jobs"][0]
    job["job options"] = job["job options"] | {"name": job["jobname"]} | options
    whole: dict[str, Any] = job | changes
    return whole


def _file(path: Path, jobs: list[dict[str, Any]], version: str = "fio-3.36", **options: str) -> Path:
    """Write a report of these jobs, whose global options are only those that are given."""
    report = json.loads(REPORT) | {"fio version": version, "global options": options}
    seconds = 1_795_000_000 + sum(map(ord, path.name))
    report |= {"jobs": jobs, "timestamp": seconds, "timestamp_ms": seconds * 1000}
    path.write_text(json.dumps(report), encoding="utf-8")
    return path


def _prepared(path: Path, bytes_: int, version: str = "fio-3.36", **options: str) -> Path:
    """Write the report of a preparing run that wrote so many bytes."""
    report = json.loads(PREPARATION)
    job = report["jobs"][0]
    job["job options"] |= options
    job["write"] |= {"io_bytes": bytes_, "io_kbytes": bytes_ >> 10, "total_ios": bytes_ >> 20}
    report |= {"fio version": version, "timestamp": BEFORE, "timestamp_ms": BEFORE * 1000}
    path.write_text(json.dumps(report), encoding="utf-8")
    return path


def _items(*paths: Path) -> list[Item]:
    found, problems = read_items(paths, ())
    assert problems == []
    link_jobs(found)
    return found


COMMON = {"ioengine": "libaio", "direct": "1", "iodepth": "8", "rw": "randrw", "rwmixread": "67", "bs": "8k"}


@pytest.mark.parametrize(
    ("jobs", "expected"),
    [
        ([{"filename": "/dev/nvme0n1"}], 100 * GIB),
        ([{"filename": "/dev/nvme0n1", "size": "25%"}], 25 * GIB),
        ([{"filename": "/dev/nvme0n1p1"}], None),
        ([{"filename": "/dev/md0"}], None),
        ([{"filename": "/mnt/a"}], None),
        ([{"filename": "/mnt/a", "size": "1g"}], GIB),
        ([{"filename": "/mnt/a", "size": "1g"}, {"filename": "/mnt/a", "size": "1g"}], None),
        ([{"filename": "/dev/nvme0n1", "size": "1g", "zonesize": "4k"}], None),
        ([{"filename": "/dev/nvme0n1", "size": "200g"}], 100 * GIB),
        ([{"filename": "/mnt/a", "size": "16GiB"}], 16 * 10**9),
        ([{"filename": "/mnt/a", "size": "50%"}], None),
        ([{"filename": "/dev/nvme0n1", "size": "1g", "offset": "10g"}], None),
        ([{"filename": "/mnt/a", "size": "1g", "io_size": "8g"}], None),
        ([{"filename": "/mnt/a", "size": "many"}], None),
    ],
)  # fmt: skip
def test_the_area_is_that_of_one_job_at_a_time(
    jobs: list[dict[str, str]], expected: int | None, tmp_path: Path
) -> None:
    """Any suffix; a whole device has its capacity; of jobs that ran together nothing is told."""
    made = [_job(COMMON | options, jobname=f"j{index}") for index, options in enumerate(jobs)]
    for index, job in enumerate(made):
        job["job options"]["name"] = f"j{index}"
    found = method.measured_area(_items(_file(tmp_path / "r.json", made)), 100 * GIB)
    assert (found and found[1]) == expected


@pytest.mark.parametrize(
    ("filesystem", "drives", "expected"),
    [
        ("raw", [{"device": "d", "count": 1}], 100 * GIB),
        ("raw", [{"device": "d", "count": 1}, {"device": "log", "count": 1, "role": "log"}], 100 * GIB),
        ("raw", [{"device": "d", "count": 2}], None),
        ("raw", [{"device": "log", "count": 1}], None),
        ("ext4", [{"device": "d", "count": 1}], None),
    ],
)
def test_a_device_is_measured_where_there_is_one_and_no_file_system(
    filesystem: str, drives: list[dict[str, Any]], expected: int | None
) -> None:
    """The capacity of an array is not that of its drives, and that of a file not that of the device below it."""
    manifest = {"devices": {"d": DISK, "log": {"capacity_bytes": "unknown"}}}
    assert method.device_capacity(manifest, {"filesystem": filesystem, "drives": drives}) == expected


RUN = COMMON | {"filename": "/dev/nvme0n1"}


@pytest.mark.parametrize(
    ("measured", "prepared", "bytes_", "expected"),
    [
        ({"size": "1g"}, {"size": "1g"}, GIB, True),
        ({"size": "1g"}, {"size": "1g"}, GIB - 1, False),
        ({"size": "2g"}, {"size": "1g"}, 2 * GIB, False),
        ({"size": "1g"}, {"size": "1g", "filename": "/dev/nvme1n1"}, GIB, False),
        ({"size": "1g"}, {"size": "1g", "rw": "randwrite"}, GIB, False),
        ({"size": "1g"}, {"size": "1g", "percentage_random": "100", "norandommap": "1"}, GIB, False),
        ({"size": "1g"}, {"size": "1g", "unlink": "1"}, GIB, False),
    ],
)  # fmt: skip
def test_a_target_is_filled_when_a_preparation_wrote_every_byte_of_it(
    measured: dict[str, str], prepared: dict[str, str], bytes_: int, *, expected: bool, tmp_path: Path
) -> None:
    """One job, in sequence, from the start of the same file to the end of what is measured."""
    run = _file(tmp_path / "r.json", [_job(RUN | measured)])
    first = _prepared(tmp_path / "p.json", bytes_, **({"filename": "/dev/nvme0n1"} | prepared))
    found = _items(run, first)
    area = method.measured_area(found, 100 * GIB)
    assert area is not None
    assert (method.find_filling(area, found, 100 * GIB) is not None) is expected


@pytest.mark.parametrize(
    ("prepared", "measured", "expected"),
    [
        ({"started_at": 1_000_000}, {"started_at": 9_000_000}, True),
        ({"started_at": 9_000_000}, {"started_at": 1_000_000}, False),
        ({"ended_at": 5_000_000}, {"ended_at": 9_000_000}, True),
        ({"ended_at": 8_500_000}, {"ended_at": 9_000_000}, False),
        ({}, {"ended_at": 9_000_000}, False),
        ({"ended_at": 5_000_000}, {}, False),
    ],
    ids=["began before", "began after", "ended before", "ended while it ran",
         "a preparation without a time", "a measurement without a time"],
)  # fmt: skip
def test_only_what_was_written_before_the_measurement_prepared_it(
    prepared: dict[str, int], measured: dict[str, int], *, expected: bool, tmp_path: Path
) -> None:
    """Reports before fio 3.36 say when they were written, not when a job began; without any time nothing is told."""
    run = _file(tmp_path / "r.json", [_job(RUN | {"size": "1g"})])
    before = _prepared(tmp_path / "p.json", GIB, filename="/dev/nvme0n1", size="1g")
    found = _items(run, before)
    addressed = method.measured_area(found, None)
    assert addressed is not None
    for item in found:
        times = prepared if item.role == "preparation" else measured
        for result in item.reading.results:
            result.started_at, result.ended_at = times.get("started_at"), times.get("ended_at")
            result.duration_seconds = 2.0
    assert (method.find_filling(addressed, found, None) is not None) is expected


@pytest.mark.parametrize(
    ("options", "is_told"),
    [({}, False), ({"refill_buffers": "1"}, True), ({"refill_buffers": "0", "scramble_buffers": "1"}, True),
     ({"refill_buffers": "1", "buffer_pattern": "0xff"}, False), ({"refill_buffers": "1", "verify": "crc32c"}, False)],
)  # fmt: skip
def test_data_are_random_where_the_options_say_so(options: dict[str, str], *, is_told: bool, tmp_path: Path) -> None:
    """A flag that a report would leave out decides nothing; beside another option a person is asked."""
    told = method._find_data_pattern(_items(_file(tmp_path / "r.json", [_job(COMMON | options)])))  # noqa: SLF001
    assert told == (state_value("incompressible", "", "from the options of every job") if is_told else None)


@pytest.mark.parametrize(
    ("options", "expected"),
    [
        ({"rw": "randrw"}, "same"),
        ({"rw": "randrw", "randrepeat": "0"}, "new"),
        ({"rw": "randrw", "randrepeat": "0", "allrandrepeat": "1"}, "same"),
        ({"rw": "randrw", "randrepeat": "0", "randseed": "101"}, "same"),
        ({"rw": "readwrite", "randrepeat": "0"}, None),
    ],
)
def test_fio_s_options_tell_whether_runs_draw_the_same_addresses(
    options: dict[str, str], expected: str | None, tmp_path: Path
) -> None:
    """Addresses repeat unless they are drawn anew; a sequential load draws none."""
    found = _items(_file(tmp_path / "r.json", [_job(COMMON | options)], "fio-3.33"))
    told = method._find_address_seed(found)  # noqa: SLF001  (the rest of a manifest would say nothing of it)
    assert (told and told["value"]) == expected


def test_a_job_file_tells_the_flags_that_a_report_leaves_out(tmp_path: Path) -> None:
    """The report says nothing of it; the job file that fits it has the flag, or has it not."""
    run = _file(tmp_path / "r.json", [_job(COMMON)], "fio-3.33")
    text = "[database]\n" + "".join(f"{name}={value}\n" for name, value in COMMON.items())
    for flag, is_told in (("zero_buffers\n", False), ("", True)):
        (tmp_path / "j.fio").write_text(text + flag, encoding="utf-8")
        found = _items(run, tmp_path / "j.fio")
        assert found[0].links == {"job": "j.fio"}
        assert (method._find_data_pattern(found) is not None) is is_told  # noqa: SLF001


def test_reads_have_the_data_of_their_preparation_or_none(tmp_path: Path) -> None:
    """Where nothing was written there is no pattern, which is known."""
    job = _job(COMMON | {"rw": "randread"})
    job["write"] = {name: 0 if isinstance(value, int | float) else value for name, value in job["write"].items()}
    run = _file(tmp_path / "r.json", [job])
    before = _prepared(tmp_path / "p.json", GIB, refill_buffers="1")
    found = _items(run, before)
    assert method._find_data_pattern(found) == {  # noqa: SLF001
        "value": "incompressible", "how_known": "collected", "note": "from the options of the preparation",
    }  # fmt: skip
    assert method._find_data_pattern(_items(run)) == {"none": method.NOTHING_WRITTEN}  # noqa: SLF001


@pytest.fixture
def manifest(tmp_path: Path) -> Path:
    """Return a manifest without files whose method is as ``collect`` drafts it."""
    text = (FIXTURES / "submission" / "manifest.yaml").read_text(encoding="utf-8")
    document, _ = safe_yaml.load_yaml(text.split("\nfiles:")[0].encode())
    document |= {"submitted_by": "Tester", "tested_on": "unknown", "collected_on": "2026-11-18"}
    configuration = document["configurations"]["ext4-file"]
    configuration["software"]["tool_version"] = "fio-3.36"
    configuration["method"] = {field: {"unknown": reason} for field, reason in draft.METHOD.items()}
    path = tmp_path / "manifest.yaml"
    path.write_text(safe_yaml.dump_yaml(document), encoding="utf-8")
    return path


def _method(tmp_path: Path, manifest: Path, ask: Ask, *files: Path) -> tuple[dict[str, Any], list[Problem]]:
    folder, problems = making.add(files, manifest, tmp_path / "data", Options(), ask)
    if folder is None:
        return {}, problems
    document = adding.document_of(folder)
    return document["configurations"]["ext4-file"]["method"], problems


def test_a_person_says_what_only_a_person_knows_in_one_word(manifest: Path, tmp_path: Path) -> None:
    """The words are offered; the prose beside them, and what they say of the file, follow."""
    asked: list[list[str]] = []

    def ask(_: str, words: list[str]) -> str | None:
        asked.append(words)
        return words[-1]

    run = _file(tmp_path / "r.json", [_job(COMMON | {"filename": "t", "size": "1g", "refill_buffers": "1"})])
    method, problems = _method(tmp_path, manifest, ask, run)
    assert problems == []
    assert asked == [["none", "erased", "filled", "aged", "pts"], ["none", "stated", "fio", "pts"]]
    assert method["preconditioning_class"] == {"value": "pts", "how_known": "declared"}
    assert method["preconditioning"]["note"] == "as preconditioning_class says"
    assert method["file_written"]["value"] == "yes"
    assert not any("unknown" in str(value) for value in method.values())


def test_without_an_answer_the_words_are_named(manifest: Path, tmp_path: Path) -> None:
    """One line for each thing that only a person knows, with the words to choose from; nothing is added."""
    run = _file(tmp_path / "r.json", [_job(COMMON | {"filename": "t", "size": "1g", "refill_buffers": "1"})])
    method, problems = _method(tmp_path, manifest, lambda *_: None, run)
    assert method == {}
    told = {problem.what.split(" ")[0].rpartition(".")[2]: problem.remedy for problem in problems}
    assert told.keys() == {"preconditioning_class", "steady_state_class", "file_written"}
    assert "Write one of none, erased, filled, aged, pts" in told["preconditioning_class"]
    assert {problem.rule for problem in problems} == {"R-MANIFEST-9"}


WHY = {"unknown": "the drive was bought used"}


@pytest.mark.parametrize(
    ("field", "value", "size", "expected"),
    [
        ("preconditioning_class", WHY, {"size": "1g"}, {"preconditioning": WHY, "preconditioning_class": WHY}),
        ("measurement_area_bytes", 4096, {}, {"measurement_area_bytes": 4096, "measurement_area": {
            "value": "4096 bytes", "how_known": "declared", "note": "as measurement_area_bytes says",
        }}),
    ],
    ids=["a reason stands for both", "words follow from bytes"],
)  # fmt: skip
def test_what_stands_beside_a_stated_value_follows_from_it(
    field: str, value: object, size: dict[str, str], expected: dict[str, object], manifest: Path
) -> None:
    """Nobody is asked for the prose of a state or of an area that is stated in one word or number."""
    text = re.sub(rf"'?(?:{FROM_YOU}|{FROM_EITHER})'?", "nobody noted it", manifest.read_text(encoding="utf-8"))
    manifest.write_text(text, encoding="utf-8")
    adding.changed(manifest, lambda made: made["configurations"]["ext4-file"]["method"].update({field: value}))
    job = _job(COMMON | {"filename": "t", "refill_buffers": "1"} | size)
    run = _file(manifest.with_name("r.json"), [job])
    method, problems = _method(manifest.parent, manifest, lambda *_: None, run)
    assert problems == []
    assert {name: method[name] for name in expected} == expected


@pytest.mark.parametrize(
    "case",
    ["fio/normal-1.59", "iometer/csv-80-two-tests", "diskspd/two-targets", "fio/json-clients-3.42",
     "fio/json-ended-early"],
)  # fmt: skip
def test_a_report_without_options_of_several_hosts_or_without_a_whole_run_tells_no_area(
    case: str, tmp_path: Path
) -> None:
    """Text for people names no size, other tools have other options; hosts have files of the same names."""
    (tmp_path / "r.txt").write_bytes(input_of(case))
    assert method.measured_area(_items(tmp_path / "r.txt"), 100 * GIB) is None
