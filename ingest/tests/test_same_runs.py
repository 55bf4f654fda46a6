"""A run counts once, however it was touched up; and two runs of one load are two."""

from __future__ import annotations

import json
import unicodedata
from itertools import combinations
from typing import TYPE_CHECKING

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import hostile
from ioledger.build.checking import check
from ioledger.submission import duplicates, gather, private, same_runs, shape

if TYPE_CHECKING:
    from pathlib import Path

FIRST, SECOND = "2026-11-ann-disk", "2026-11-bob-disk"
LATENCIES = st.sampled_from([None, 1e-4, 1e-4 * (1 + 5e-7), 1e-4 * (1 + 3e-6), 2e-4, 3e-4])
RUNS = st.lists(st.tuples(st.sampled_from([None, 1e3, 1e3 + 1, 2e3]), LATENCIES, LATENCIES, LATENCIES), max_size=12)


def _alike(one: float | None, other: float | None) -> bool:
    return one is not None and other is not None and abs(one - other) <= same_runs.TOLERANCE * min(one, other)


@settings(max_examples=300)
@given(RUNS)
def test_the_pairs_are_those_that_comparing_all_with_all_finds(runs: list[same_runs.Measures]) -> None:
    """Any three of the four; what is not stated agrees with nothing."""
    expected = {
        (first, second)
        for first, second in combinations(range(len(runs)), 2)
        if sum(_alike(*pair) for pair in zip(runs[first], runs[second], strict=True)) >= same_runs.ENOUGH
    }
    assert {(found.first, found.second) for found in same_runs.agreeing(runs)} == expected


def test_thousands_of_copies_are_found_without_comparing_all_with_all() -> None:
    """Each but the first is told by a neighbour; the number of pairs grows with the runs and not with their square."""
    found = same_runs.agreeing([(1e3, 1e-4, 2e-4, 3e-4)] * 3000)
    assert {pair.second for pair in found} == set(range(1, 3000))
    assert len(found) <= 3000 * same_runs.MOST_NEIGHBOURS


def test_no_runs_agree_in_nothing() -> None:
    """An empty ledger is a ledger."""
    assert same_runs.agreeing([]) == []


def _hand_in(data: Path, change: dict[str, int]) -> Path:
    """Hand in a sound submission's run once more, touched up."""
    folder = hostile.sound(data / SECOND)
    report = hostile.touched_up(json.loads((folder / hostile.REPORT).read_bytes()), **change)
    hostile.replace(folder, json.dumps(report).encode())
    return folder


@pytest.mark.parametrize("change", [{}, {"operations": 1}], ids=["moved by 0.001 ns", "one operation more"])
@pytest.mark.parametrize("is_built", [True, False])
def test_a_merged_run_that_is_touched_up_is_known_again(
    tmp_path: Path, change: dict[str, int], *, is_built: bool
) -> None:
    """The message names the file and what agrees, with what a build left and without."""
    first = hostile.sound(tmp_path / FIRST)
    built = tmp_path / "built" / duplicates.PLACE
    duplicates.write_seen(gather.gather([first]), built)
    folder = _hand_in(tmp_path, change)
    (problem,) = check((folder,), tmp_path, built=built if is_built else tmp_path / "no-such-file").problems
    assert problem.rule == "R-FILE-9"
    assert f"{FIRST}/{hostile.REPORT} (0#/jobs/0/read)" in problem.what
    assert problem.what.endswith("maximum latency" if change else "standard deviation of latency")


def test_a_run_that_shares_bytes_and_percentiles_is_told_and_not_refused(tmp_path: Path) -> None:
    """Percentiles fall into bins, so that two runs may share them by chance."""
    first, folder = hostile.sound(tmp_path / FIRST), hostile.sound(tmp_path / SECOND)
    report = json.loads((folder / hostile.REPORT).read_bytes())
    jobs = [report["jobs"][0][operation] for operation in ("read", "write")]
    for job in jobs:
        job["clat_ns"]["percentile"] |= {"10.000000": 100_864, "20.000000": 110_080, "95.000000": 193_536}
    hostile.replace(first, json.dumps(report).encode())
    for job in jobs:
        job["total_ios"] -= 1
        for latency in ("slat_ns", "clat_ns", "lat_ns"):
            job[latency]["mean"] += 17
            job[latency]["stddev"] += 17
    hostile.replace(folder, json.dumps(report).encode())
    found = check((folder,), tmp_path)
    assert found.problems == []
    assert {warning.rule for warning in found.warnings} == {"R-FILE-11"}
    assert f"{FIRST}/other.json" in found.warnings[0].what


def test_every_character_that_nobody_sees_is_hidden() -> None:
    """Unicode's control, format, surrogate and private characters and its separators of lines; tab, line break stay."""
    kinds = {"Cc", "Cf", "Cs", "Co", "Zl", "Zp"}
    stays = {"\t", "\n"}
    unseen = {chr(code) for code in range(0x110000) if unicodedata.category(chr(code)) in kinds} - stays
    assert sorted(hex(ord(each)) for each in unseen if not shape.HIDDEN.match(each)) == []
    letters = (
        chr(code) for code in range(0x110000) if unicodedata.category(chr(code)) in {"Lu", "Ll", "Nd", "Zs", "Sm"}
    )
    assert [hex(ord(each)) for each in letters if shape.HIDDEN.match(each)] == []


TRACES = {
    "/home/ann/fio": "a home folder: ann",
    r"C:\\Users\\ann\\test.dat": "a home folder: ann",
    "/dev/disk/by-id/nvme-eui.0025388b91d0a1b2": "the serial number of a drive: nvme-eui.0025388b91d0a1b2",
    '"serial_number": "S4EWNX0R123456"': "the serial number of a drive: S4EWNX0R123456",
    "52:54:00:ab:cd:ef": "a hardware address: 52:54:00:ab:cd:ef",
    "client 192.168.17.4": "a network address: 192.168.17.4",
    '"hostname" : "perf84"': "the name of a host: perf84",
    "db7.example.internal": "the name of a host: db7.example.internal",
    "ann@example.org": "an address of e-mail: ann@example.org",
}


@pytest.mark.parametrize("text", TRACES)
@pytest.mark.parametrize("where", ["summary", "file"])
def test_what_a_submission_tells_of_people_and_machines_is_named(tmp_path: Path, text: str, where: str) -> None:
    """With the line; it refuses nothing."""
    folder = hostile.sound(tmp_path / hostile.NAME)
    if where == "file":
        hostile.add_file(folder, "notes.txt", f"first\n{text}\n".encode(), "attachment")
    else:
        manifest = folder / "manifest.yaml"
        manifest.write_text(f"summary: >-\n  {text}\n{_without_summary(manifest)}", encoding="utf-8")
    found = check((folder,), tmp_path)
    assert found.problems == []
    (warning,) = found.warnings
    assert (warning.rule, warning.place) == ("R-PRIVATE-1", "2")
    assert warning.what == f"the file tells {TRACES[text]}".replace("\\\\", "\\")


def _without_summary(manifest: Path) -> str:
    """Return the manifest's other keys; a summary is one key and what is indented below it."""
    kept, is_inside = [], False
    for line in manifest.read_text(encoding="utf-8").splitlines(keepends=True):
        is_inside = line.startswith("summary:") or (is_inside and line.startswith(" "))
        kept += [] if is_inside else [line]
    return "".join(kept)


@pytest.mark.parametrize("text", ["/home/user/fio", "127.0.0.1", "version 10.0.3", "1:30:00", "user@", "by-id"])
def test_what_stands_for_everybody_is_left_alone(tmp_path: Path, text: str) -> None:
    """A version is no address, and a neutral name tells nobody."""
    folder = hostile.sound(tmp_path / hostile.NAME)
    hostile.add_file(folder, "notes.txt", text.encode(), "attachment")
    assert private.private_warnings_of(folder) == []
