"""Several formats of fio in one file: every job is read once, and nothing of a file is lost without a word."""

from __future__ import annotations

import itertools
import re
from typing import TYPE_CHECKING, NamedTuple

import pytest

from conftest import FIXTURES
from ioledger.model import Source
from ioledger.readers import fio

if TYPE_CHECKING:
    from ioledger.model import Reading, Result

FORMATS = ("json", "terse", "normal")
PAIRS = list(itertools.permutations(FORMATS, 2))
JOBS = 3
"""Results of each run: reads and writes of one job, reads of another."""


class Run(NamedTuple):
    """What fio wrote of one run in each format, with its banners."""

    banners: str
    terse: str
    json: str
    normal: str

    def text(self, form: str) -> str:
        """Return what ``--output-format`` with one format writes; a report states its options itself."""
        return ("" if form == "json" else self.banners) + str(getattr(self, form))


def _run(case: str) -> Run:
    text = (FIXTURES / "fio" / case / "input.txt").read_text(encoding="utf-8")
    found = re.fullmatch(r"(.*?)((?:3;[^\n]*\n)+)(\{.*?\n\}\n)(.*)", text, re.DOTALL)
    assert found is not None
    return Run(*found.groups())


ONE, OTHER = _run("formats-of-one-run"), _run("formats-of-another-run")
"""The same job file twice: names, groups, block sizes, limits of rate and so the counts are the same."""


def _read(text: str) -> Reading:
    return fio.read(Source("run.txt", text.encode()))


def _rules(reading: Reading) -> set[str]:
    return {finding.rule for finding in reading.warnings}


def _figures(result: Result) -> tuple[object, ...]:
    names = ("test_name", "group_index", "operation", "duration_seconds", "transferred_bytes", "latency_mean_seconds")
    return tuple(getattr(result, name) for name in names)


def _all(*texts: str) -> list[tuple[object, ...]]:
    return sorted((_figures(result) for text in texts for result in _read(text).results), key=str)


@pytest.mark.parametrize("formats", [*PAIRS, *itertools.permutations(FORMATS)], ids="-".join)
def test_one_run_in_several_formats_is_read_once(formats: tuple[str, ...]) -> None:
    """The most exact format gives the numbers, whatever the order; a finding says which lines repeat them."""
    reading = _read(ONE.banners + "\n".join(getattr(ONE, form) for form in formats))
    best = min(formats, key=FORMATS.index)
    assert [_figures(result) for result in reading.results] == [
        _figures(result) for result in _read(ONE.text(best)).results
    ]
    told = [finding.message for finding in reading.warnings if finding.rule == "R-FIO-FORMAT-2"]
    assert [message.startswith("2 ") for message in told] == [True] * (len(formats) - 1)
    assert reading.refusals == []


@pytest.mark.parametrize("formats", PAIRS, ids="-".join)
def test_two_runs_in_two_formats_are_both_read(formats: tuple[str, str]) -> None:
    """Runs of one job file, each in a format of its own, one after the other: six results, and nothing left out."""
    texts = ONE.text(formats[0]), OTHER.text(formats[1])
    reading = _read("\n".join(texts))
    assert len(reading.results) == 2 * JOBS
    assert sorted(map(_figures, reading.results), key=str) == _all(*texts)
    assert "R-FIO-FORMAT-2" not in _rules(reading)
    assert len({result.pointer for result in reading.results}) == 2 * JOBS


@pytest.mark.parametrize("formats", PAIRS, ids="-".join)
def test_a_job_that_stands_in_the_lesser_format_only_is_read(formats: tuple[str, str]) -> None:
    """The better format has one job of the run, the other has both."""
    better, lesser = sorted(formats, key=FORMATS.index)
    short = {
        "json": re.sub(
            r",\n    \{\n      \"jobname\" : \"streaming\".*?\n    \}\n  \]", "\n  ]", ONE.json, flags=re.DOTALL
        ),
        "terse": ONE.terse.splitlines(keepends=True)[0],
    }[better]
    pieces = {better: short, lesser: getattr(ONE, lesser)}
    reading = _read(ONE.banners + "\n".join(pieces[form] for form in formats))
    assert [(result.test_name, result.source_format.split()[0]) for result in reading.results] == [
        ("database", better), ("database", better), ("streaming", lesser),
    ]  # fmt: skip
    (told,) = (finding.message for finding in reading.warnings if finding.rule == "R-FIO-FORMAT-2")
    assert told.startswith("1 ")


@pytest.mark.parametrize("form", FORMATS)
@pytest.mark.parametrize("is_before", [True, False])
def test_a_terse_line_that_is_cut_is_refused_by_its_line(form: str, *, is_before: bool) -> None:
    """Beside whole lines, a report or blocks of another run: wherever it was cut, and wherever it stands."""
    line = ONE.terse.splitlines()[1]
    whole = OTHER.text(form)
    for end in (12, 60, 200, len(line) - 10, len(line) - 1):
        texts = (line[:end], whole) if is_before else (whole.rstrip("\n"), line[:end])
        reading = _read("\n".join(texts))
        place = 1 if is_before else whole.rstrip("\n").count("\n") + 2
        assert [(each.place, each.rule) for each in reading.refusals] == [(f"line {place}", "R-FIO-CUT-1")], end
        assert len(reading.results) == JOBS


def test_a_line_of_an_older_version_that_is_cut_is_refused_too() -> None:
    """It has no version to begin with, but latencies as no other line has."""
    (path,) = (FIXTURES / "fio" / "terse-1.59").glob("input.*")
    line = path.read_text(encoding="utf-8").splitlines()[-1]
    (refusal,) = _read(f"{OTHER.json}\n{line[: len(line) // 2]}\n").refusals
    assert refusal.rule == "R-FIO-CUT-1"


@pytest.mark.parametrize(
    "end", ["(groupid=", "(groupid=1", "(groupid=1, jo", "(groupid=1, jobs=1)", "(groupid=1, jobs=1): err="]
)
def test_a_header_that_is_cut_is_refused_and_ends_the_block_before_it(end: str) -> None:
    """The lines behind it are of another job, and none of the block before."""
    text = ONE.text("normal")
    torn = re.sub(r"\(groupid=1, jobs=1\): err= 0[^\n]*", end, text)
    assert torn != text
    reading = _read(torn)
    assert [result.operation for result in reading.results] == ["read", "write"]
    assert [(each.rule, each.what) for each in reading.refusals] == [
        ("R-FIO-CUT-1", "the header of this block is cut off")
    ]


@pytest.mark.parametrize("form", ["terse", "normal"])
@pytest.mark.parametrize("changed", ["name", "group", "latency", "run time"])
def test_a_block_that_differs_in_anything_is_no_repetition(form: str, changed: str) -> None:
    """Another name, another group, one digit of a latency, or one millisecond: it was another job."""
    line = getattr(ONE, form)
    old, new = {
        ("terse", "name"): (";database;", ";databases;"),
        ("terse", "group"): (";database;0;", ";database;7;"),
        ("terse", "latency"): ("0.404327;", "0.424327;"),
        ("terse", "run time"): (";899;1001;", ";899;1003;"),
        ("normal", "name"): ("database: (groupid", "databases: (groupid"),
        ("normal", "group"): ("database: (groupid=0", "database: (groupid=7"),
        ("normal", "latency"): ("avg=404.33", "avg=424.33"),
        ("normal", "run time"): ("/1001msec", "/1003msec"),
    }[form, changed]
    assert old in line
    reading = _read(f"{ONE.json}\n{line.replace(old, new, 1)}")
    assert [result.source_format.split()[0] for result in reading.results] == ["json"] * JOBS + [form] * 2


def test_the_places_behind_a_report_are_those_of_the_whole_file() -> None:
    """Line numbers count the lines of the reports, which are cut out before the lines between them are read."""
    text = f"{ONE.json}\n{OTHER.terse}\n{OTHER.json}\n{ONE.normal}"
    lines = text.splitlines()
    reading = _read(text.replace("database: (groupid", "databases: (groupid").replace(";database;", ";databases;"))
    for result in reading.results:
        if result.source_format != "json":
            number = int(re.findall(r"\d+", result.pointer)[0])
            assert lines[number - 1].startswith(("3;", "  read", "  write"))
            assert str(result.test_name).removesuffix("s") in lines[int(re.findall(r"\d+", result.repetition)[0]) - 1]
    assert len(reading.results) == 2 * JOBS + 4


def test_a_job_without_any_io_is_told_of_once() -> None:
    """It has no result in either format; each of them would say so."""
    (path,) = (FIXTURES / "fio" / "json-error-22-nothing-done").glob("input.*")
    report = path.read_text(encoding="utf-8")
    name = re.findall(r'"jobname" : "([^"]*)"', report)[0]
    block = f"\n{name}: (groupid=0, jobs=1): err=22 (file:x.c:1, func=y, error=z): pid=9: Sun Nov 22 08:45:00 2026\n"
    block += "  cpu          : usr=0.00%, sys=0.00%, ctx=0, majf=0, minf=1\n"
    alone, both = _read(report), _read(report + block)
    empty = [finding for finding in both.warnings if finding.rule == "R-FIO-EMPTY-1"]
    assert len(empty) == len([finding for finding in alone.warnings if finding.rule == "R-FIO-EMPTY-1"]) == 1
    assert "R-FIO-FORMAT-2" in _rules(both)


@pytest.mark.parametrize("changed", [("write: IOPS=", "trim: IOPS="), ("mixed: IOPS=", "trim: IOPS=")])
def test_an_operation_that_the_better_format_would_print_is_another_job(changed: tuple[str, str]) -> None:
    """JSON prints trims beside the sum: one that stands in the block only was not measured in that run."""
    text = (FIXTURES / "fio" / "formats-unified-both" / "input.txt").read_text(encoding="utf-8")
    reading = _read(text.replace(*changed))
    assert len([result for result in reading.results if result.source_format == "normal"]) > 1


def test_a_line_without_io_beside_another_job_is_still_told() -> None:
    """Reads have fields in every line: one without them was idle, whatever a report of that name did."""
    fields = ONE.terse.splitlines()[1].replace(";streaming;1;", ";database;0;").split(";")
    for start in (5, 5 + 41):
        fields[start : start + 41] = [re.sub(r"=.*|^[\d.]+$", lambda found: "=0" * ("=" in found[0]) or "0", field)
                                      for field in fields[start : start + 41]]  # fmt: skip
    assert "R-FIO-EMPTY-1" in _rules(_read(f"{ONE.json}\n{';'.join(fields)}"))


@pytest.mark.parametrize("end", ["  read: IOPS=200, BW=1000Ki", "", "  read: IOPS=200, BW=1000KiB/s (1024kB/s)("])
def test_a_block_that_is_cut_before_its_figures_is_refused_and_not_called_idle(end: str) -> None:
    """Whether a job did nothing is known only where the lines stand that end every block."""
    reading = _read(f"{ONE.json}\nb: (groupid=0, jobs=1): err= 0: pid=1: x\n{end}")
    line = ONE.json.count("\n") + 2
    assert [(each.place, each.rule) for each in reading.refusals] == [(f"line {line}", "R-FIO-CUT-1")]
    assert "R-FIO-EMPTY-1" not in _rules(reading)
    assert len(reading.results) == JOBS
