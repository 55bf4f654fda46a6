"""A run counts once, however it was touched up; and two runs of one load are two."""

from __future__ import annotations

import json
import unicodedata
from itertools import combinations, product
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import hostile
from ioledger.build.checking import check
from ioledger.submission import duplicates, gather, private, same_runs, shape

if TYPE_CHECKING:
    from pathlib import Path

FIRST, SECOND = "2026-11-ann-disk", "2026-11-bob-disk"
SHARP = 4_812_345.678913e-9
LATENCIES = st.sampled_from([None, 1e-4, 1e-4 * (1 + 5e-7), 1e-4 * (1 + 3e-6), 2e-4, SHARP, SHARP * 1.5, SHARP * 3])
RUNS = st.lists(st.tuples(st.sampled_from([None, 1e3, 1e3 + 1, 2e3]), LATENCIES, LATENCIES, LATENCIES), max_size=12)


def _alike(one: float | None, other: float | None) -> bool:
    return one is not None and other is not None and abs(one - other) <= same_runs.TOLERANCE * min(one, other)


def _last_digit(seconds: float) -> float:
    """Return what the last digit of a latency stands for, of six decimals of a nanosecond."""
    whole, _, decimals = f"{seconds * 1e9:.6f}".rstrip("0").partition(".")
    return 10.0 ** -len(decimals) if decimals else 10.0 ** (len(whole) - len(whole.rstrip("0")))


def _are_scaled(one: same_runs.Measures, other: same_runs.Measures) -> bool:
    """Say whether both quotients are the same, as sharply as they are written."""
    left, quotients = [], []
    for ops, mean, spread, most in (one, other):
        if not (ops and mean and spread and most):
            return False
        unit = _last_digit(mean) / mean / 1e9
        left.append((unit + _last_digit(spread) / spread / 1e9, unit + 1e-9 / most))
        quotients.append((spread / mean, most / mean))
    sharp = [max(1e-12, *pair) for pair in zip(*left, strict=True)]
    near = (abs(a - b) <= each * min(a, b) for each, a, b in zip(sharp, *quotients, strict=True))
    return sharp[0] * sharp[1] <= same_runs.CHANCE and all(near)


@settings(max_examples=300, deadline=None, suppress_health_check=[HealthCheck.too_slow])  # which look at the clock
@given(RUNS)
def test_the_pairs_are_those_that_comparing_all_with_all_finds(runs: list[same_runs.Measures]) -> None:
    """Any three of the four, or both quotients; what is not stated agrees with nothing."""
    expected = {
        (first, second)
        for first, second in combinations(range(len(runs)), 2)
        if sum(_alike(*pair) for pair in zip(runs[first], runs[second], strict=True)) >= same_runs.ENOUGH
        or _are_scaled(runs[first], runs[second])
    }
    assert {(found.first, found.second) for found in same_runs.agreeing(runs)} == expected


@pytest.mark.parametrize("by", [0.5, 0.917, 1.0001, 3.3, 1000])
@pytest.mark.parametrize("more", [1, 1.25, 0.4])
def test_a_run_whose_latencies_are_all_multiplied_by_one_number_is_known_again(by: float, more: float) -> None:
    """However many operations it then claims; a maximum is written in whole nanoseconds."""
    run = (976_513.0, 812_345.678e-9, 91_234.567e-9, 4_123_457e-9)
    other = (round(run[0] * more), run[1] * by, run[2] * by, round(run[3] * by, 9))
    (found,) = same_runs.agreeing([run, other])
    assert found.words.endswith("deviation over mean latency, maximum over mean latency")
    assert found.words.startswith("operations") is (more == 1)
    apart = (round(run[0] * more), run[1] * by, run[2] * by * (1 + 1e-4), run[3] * by)
    assert same_runs.agreeing([run, apart]) == []


def test_what_is_printed_in_few_digits_tells_no_scaled_run() -> None:
    """Two texts with a mean of 2.5 and a deviation of 0.5 ms are two runs, the same operations or not."""
    run, other = (5000.0, 2.5e-3, 0.5e-3, 0.025), (6000.0, 5e-3, 1e-3, 0.05)
    assert same_runs.agreeing(np.array([run, other])) == []
    assert same_runs.agreeing(np.array([run, (5000.0, *other[1:])])) == []
    few: list[same_runs.Measures] = [
        (50.0, 812_345.678e-9, 91_234.567e-9, 4e-3), (60.0, 1_624_691.356e-9, 182_469.134e-9, 8e-3),
    ]  # fmt: skip
    assert same_runs.agreeing(few) == []


def test_of_many_honest_runs_no_two_are_refused_for_their_quotients() -> None:
    """A narrow crowd, as the runs of one drive are: some agree to a millionth by chance, none as sharply as written."""
    drawn = np.random.default_rng(20261122)
    count, spread = 100_000, 0.002
    crowd = np.exp(drawn.normal(0, spread, (count, 3))) * (80_000, 9_000, 900_000)
    runs = np.column_stack([drawn.permutation(count) * 7 + 1e6, crowd[:, :2].round(6) / 1e9, crowd[:, 2].round() / 1e9])
    quotients = np.log(runs[:, 2:] / runs[:, 1:2])
    assert [found for found in same_runs.agreeing(runs) if "over mean" in found.words] == []
    cells = np.unique((quotients / 1e-6).round().astype(np.int64), axis=0)
    assert count - len(cells) > 10, "the crowd is too wide to ask anything"


def test_thousands_of_copies_are_found_without_comparing_all_with_all() -> None:
    """Each but the first is told by a neighbour; the number of pairs grows with the runs and not with their square."""
    found = same_runs.agreeing([(1e3, 1e-4, 2e-4, 3e-4)] * 3000)
    assert {pair.second for pair in found} == set(range(1, 3000))
    assert len(found) <= 3000 * same_runs.MOST_NEIGHBOURS


def test_a_copy_does_not_hide_among_runs_that_share_one_value_with_it() -> None:
    """A thousand others stand between the two by their mean, and differ in all else."""
    run, copy = (1e6, 1e-4, 2e-5, 3e-3), (1e6 + 1, 1e-4 * (1 + 9e-7), 2e-5, 3e-3)
    apart = [(1e5 + 7e2 * each, 1e-4 * (1 + 5e-10 * each), 1e-5 * (1 + 1e-3 * each), 4e-3) for each in range(1, 1000)]
    (found,) = same_runs.agreeing([run, *apart, copy])
    assert found[:2] == (0, 1000)


def test_no_runs_agree_in_nothing() -> None:
    """An empty ledger is a ledger."""
    assert same_runs.agreeing([]) == []


def _hand_in(data: Path, change: dict[str, int]) -> Path:
    """Hand in a sound submission's run once more, touched up."""
    folder = hostile.sound(data / SECOND)
    report = hostile.touched_up(json.loads((folder / hostile.REPORT).read_bytes()), **change)
    hostile.replace(folder, json.dumps(report).encode())
    return folder


@pytest.mark.parametrize("is_built", [True, False])
def test_a_merged_run_that_is_scaled_is_known_again(tmp_path: Path, *, is_built: bool) -> None:
    """Every latency a tenth shorter: with what a build left and without."""
    first, folder = hostile.sound(tmp_path / FIRST), hostile.sound(tmp_path / SECOND)
    measured = hostile.scaled(json.loads((first / hostile.REPORT).read_bytes()), 1.00123457)  # as many digits as fio's
    hostile.replace(first, json.dumps(measured).encode())
    built = tmp_path / "built" / duplicates.PLACE
    duplicates.write_seen(gather.gather([first]), built)
    hostile.replace(folder, json.dumps(hostile.scaled(measured, 0.9)).encode())
    (problem,) = check((folder,), tmp_path, built=built if is_built else tmp_path / "no-such-file").problems
    assert problem.rule == "R-FILE-9"
    assert "the same operations, deviation over mean latency, maximum over mean latency" in problem.what


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


MORE = {"10.000000": 100_864, "20.000000": 110_080, "95.000000": 193_536}
"""Percentiles beside those of the fixture: as many as tell anything."""


@pytest.mark.parametrize(
    ("values", "rule"),
    [
        ({"mean": 1 + 1e-5, "stddev": 1 + 1e-5}, "R-FILE-9"),
        ({"mean": 1 + 1e-5, "max": 1 + 1e-5}, "R-FILE-9"),
        ({"mean": 1.01, "stddev": 1.01}, "R-FILE-9"),
        ({"mean": 1.01, "stddev": 1.01, "max": 1.1}, "R-FILE-11"),
    ],
    ids=["two moved by 1e-5", "mean and maximum moved by 1e-5", "two moved by a hundredth", "only percentiles shared"],
)
def test_of_two_runs_that_share_all_percentiles_two_values_tell_a_copy(
    tmp_path: Path, values: dict[str, float], rule: str
) -> None:
    """Percentiles alone fall into bins, which two runs may share by chance: that is told and not refused."""
    first, folder = hostile.sound(tmp_path / FIRST), hostile.sound(tmp_path / SECOND)
    report = json.loads((folder / hostile.REPORT).read_bytes())
    jobs = [report["jobs"][0][operation] for operation in ("read", "write")]
    for job in jobs:
        job["clat_ns"]["percentile"] |= MORE
    hostile.replace(first, json.dumps(report).encode())
    for job, latency, name in product(jobs, ("slat_ns", "clat_ns", "lat_ns"), values):
        job[latency][name] *= values[name]
    hostile.replace(folder, json.dumps(report).encode())
    found = check((folder,), tmp_path)
    assert rule in {each.rule for each in (*found.problems, *found.warnings)}
    assert all(f"{FIRST}/other.json" in each.what for each in found.warnings)
    assert bool(found.problems) == (rule == "R-FILE-9")


def test_of_many_copies_of_one_list_of_percentiles_each_is_found() -> None:
    """A list that stands for another run hides none, and two values a thousandth apart are two runs."""
    runs: list[same_runs.Measures] = [
        (1e3, 1e-4 * (1 + 1e-5 * n), 2e-4 * (1 + 1e-3 * n), 3e-4 * (1 + 1e-3 * n)) for n in range(3)
    ]
    assert [(each.first, each.second) for each in same_runs.agreeing(runs, ["a", "b", "a"])] == [(0, 2)]
    assert same_runs.agreeing(runs, [None, None, None]) == []


@pytest.mark.parametrize(("years", "is_told"), [(0, False), (3, True)])
def test_a_file_that_ran_years_before_the_stated_day_is_told(tmp_path: Path, years: int, *, is_told: bool) -> None:
    """One file at the stated day is enough for the submission, and not for the file beside it."""
    folder = hostile.sound(tmp_path / hostile.NAME)
    report = json.loads((folder / hostile.REPORT).read_bytes())
    again: dict[str, Any] = hostile.touched_up(report, seconds=-years * 366 * 86_400 - 60, operations=977)
    for direction in ("read", "write"):
        for latency in ("slat_ns", "clat_ns", "lat_ns"):
            again["jobs"][0][direction][latency]["mean"] *= 1.1
            again["jobs"][0][direction][latency]["stddev"] *= 1.1
    hostile.add_file(folder, "old.json", json.dumps(again).encode())
    told = [each for each in check((folder,), tmp_path).warnings if each.rule == "R-FILE-12"]
    assert [each.file.rpartition("/")[2] for each in told] == ["old.json"] * is_told


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
    r"directory=D\:\Users\ann\bench": "a home folder: ann",
    "the drive of serial S4EWNX0R123456": "the serial number of a drive: S4EWNX0R123456",
    "target [2001:db8:17::4]": "a network address: 2001:db8:17::4",
    "target 2001:db8:1:2:3:4:5:6": "a network address: 2001:db8:1:2:3:4:5:6",
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
