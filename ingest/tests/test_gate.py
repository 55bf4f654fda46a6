"""A gate as a person calls it: files in, a verdict out, and an exit code that a pipeline can stop at."""

from __future__ import annotations

import json
import math
import os
import re
import shutil
import subprocess
import tarfile
from pathlib import Path
from typing import TYPE_CHECKING, Any
from xml.etree import ElementTree as ET

import duckdb
import pyarrow as pa
import pytest
from click.testing import CliRunner

import gated
import ioledger
from conftest import COMMAND
from ioledger import comparison
from ioledger.cli import main
from ioledger.comparison import Change
from ioledger.gating import points
from ioledger.gating.run import Asked, judge
from ioledger.system import FAILED, fail_with

if TYPE_CHECKING:
    from click.testing import Result

    Sides = tuple[Path, Path]

QUIET = 0.005


def _gate(*arguments: str | Path) -> Result:
    """Call the command in this process: a process of its own costs more than most gates."""
    done = CliRunner().invoke(main, ["gate", *map(str, arguments)])
    fail_with(FAILED)  # as it was: a command sets it for its own process
    assert done.exception is None or isinstance(done.exception, SystemExit), done.exception
    return done


@pytest.fixture(scope="module")
def equal(tmp_path_factory: pytest.TempPathFactory) -> Sides:
    """Return two sides in drawn pairs and do not differ."""
    folder = tmp_path_factory.mktemp("equal")
    return gated.paired(folder, gated.rates(5, QUIET, 1), gated.rates(5, QUIET, 2))


@pytest.fixture(scope="module")
def worse(tmp_path_factory: pytest.TempPathFactory) -> Sides:
    """Return two sides in drawn pairs, of which the second is a tenth slower at depth 4."""
    slow = [rates | {4: 0.9 * rates[4]} for rates in gated.rates(5, QUIET, 2)]
    return gated.paired(tmp_path_factory.mktemp("worse"), gated.rates(5, QUIET, 1), slow)


@pytest.fixture(scope="module")
def noisy(tmp_path_factory: pytest.TempPathFactory) -> Sides:
    """Return two sides in drawn pairs and spread too far for any verdict."""
    return gated.paired(tmp_path_factory.mktemp("noisy"), gated.rates(5, 0.3, 1), gated.rates(5, 0.3, 2))


def test_equal_sides_end_with_0(equal: Sides) -> None:
    """The verdict comes last, and every point is a row."""
    done = _gate(*equal)
    assert (done.exit_code, done.stderr) == (0, "")
    assert done.stdout.splitlines()[0] == "Equal within 5 %"
    assert done.stdout.count("equal within 5 %") == 5
    assert "points compared; 5 and 5 runs; pairs with a random first side." in done.stdout


def test_a_point_that_is_worse_makes_the_whole_worse(worse: Sides) -> None:
    """Exit code 1, and the point is named with what it lost."""
    done = _gate(*worse)
    assert done.exit_code == 1
    last = done.stdout.splitlines()[0]
    assert last.startswith("Worse: random read, 4 KiB, depth 4 -")
    verdict = ioledger.gate(*worse)
    assert [row.change.value for row in verdict.points] == ["equal", "equal", "worse", "equal"]
    (row,) = (row for row in verdict.points if row.change is Change.WORSE)
    assert row.ratio == pytest.approx(0.9, rel=0.02)
    assert row.low is not None
    assert row.high is not None
    assert row.low < 0.9 < row.high < 1 / 1.05
    better = ioledger.gate(*worse[::-1])  # one point of four: the sweep has not moved enough
    assert [row.change.value for row in better.points] == ["equal", "equal", "better", "equal"]
    assert better.change is Change.EQUAL


def test_a_sweep_that_is_better_is_better(tmp_path: Path) -> None:
    """Every point is a tenth faster."""
    verdict = ioledger.gate(*gated.paired(tmp_path, gated.rates(5, QUIET, 1), gated.rates(5, QUIET, 2, factor=1.1)))
    assert (verdict.change, verdict.exit_code) == (Change.BETTER, 0)
    assert verdict.sentence.startswith("better: whole sweep +")


def test_what_is_not_decided_says_what_to_repeat_and_how_often(noisy: Sides) -> None:
    """Exit code 3; each named point has a number of runs, and what would have shown so far."""
    done = _gate(*noisy)
    assert done.exit_code == 3
    advice = r"\d runs per side decide it in 80 of 100 cases \(.+\)\. They can show a loss of"
    assert len(re.findall(advice, done.stdout)) == 3
    verdict = ioledger.gate(*noisy)
    assert all(row.repetitions is not None and row.repetitions > 5 for row in verdict.to_repeat)
    assert {row.reason for row in verdict.to_repeat} <= {comparison.WIDE, comparison.AMONG_MANY, comparison.NEAR}


def test_one_block_after_the_other_is_not_decided_unless_it_is_trusted(tmp_path: Path) -> None:
    """A drift would look the same; what is equal stays so."""
    slow = [rates | {4: 0.8 * rates[4]} for rates in gated.rates(5, QUIET, 2)]
    sides = gated.blocks(tmp_path, gated.rates(5, QUIET, 1), slow)
    done = _gate(*sides)
    assert done.exit_code == 3
    assert "order not excluded: blocks" in done.stdout
    assert "ioledger plan --gate" in done.stdout
    trusted = _gate(*sides, "--trust-order")
    assert trusted.exit_code == 1
    assert "order trusted (--trust-order)" in trusted.stdout
    assert "are not decided" not in trusted.stdout
    changes = [row.change.value for row in ioledger.gate(*sides).points]
    assert changes == ["equal", "equal", "undecided", "equal"]


def test_a_side_that_is_missing_or_unreadable_ends_with_2(equal: Sides, tmp_path: Path) -> None:
    """One line with the file; no verdict, because what cannot be read may be what matters."""
    missing = _gate(equal[0], tmp_path / "nowhere")
    assert (missing.exit_code, missing.stdout) == (2, "")
    assert missing.stderr == f"{tmp_path / 'nowhere'}: there is no such file or folder. Check the path.  [R-FILE-8]\n"
    (tmp_path / "empty").mkdir()
    empty = _gate(equal[0], tmp_path / "empty")
    assert (empty.exit_code, "it has no results of whole runs. Name" in empty.stderr) == (2, True)
    cut = gated.side(tmp_path / "cut", enumerate(gated.rates(5, QUIET, 2)))
    text = (cut / "000.json").read_text(encoding="utf-8")
    (cut / "000.json").write_text(text[: len(text) // 2], encoding="utf-8")
    refused = _gate(equal[0], cut)
    assert refused.exit_code == 2
    assert refused.stderr.startswith(f"{cut / '000.json'}:")
    assert _gate(equal[0], "").exit_code == 2
    assert _gate(equal[0], equal[1], "--margin", "0").exit_code == 2


@pytest.mark.parametrize("content", [b"", b"\0" * 64, b"Killed\n"])
def test_an_empty_or_odd_file_among_results_is_no_equality(equal: Sides, tmp_path: Path, content: bytes) -> None:
    """A run that was killed leaves it; under another kind of name it is none of the results."""
    after = shutil.copytree(equal[1], tmp_path / "after")
    (after / "notes.txt").write_bytes(content)
    (after / "x.weird").write_bytes(bytes(range(256)) * 8)
    done = _gate(equal[0], after)
    assert (done.exit_code, "Ignored, because no reader recognises them: " in done.stdout) == (0, True)
    assert "x.weird" in done.stdout
    (after / "099.json").write_bytes(content)
    done = _gate(equal[0], after)
    assert (done.exit_code, done.stdout.splitlines()[0].startswith("Unreadable: ")) == (2, True)
    assert done.stderr.startswith(f"{after / '099.json'}: ")


def test_the_same_runs_on_both_sides_are_not_compared(equal: Sides, tmp_path: Path) -> None:
    """A side against itself has exit code 4, under another name too; so have sides that share a run."""
    copied = shutil.copytree(equal[0], tmp_path / "copy")
    for other in (equal[0], copied):
        done = _gate(equal[0], other)
        assert (done.exit_code, comparison.SAME_RUNS in done.stdout.splitlines()[0]) == (4, True)
        assert "compared;" not in done.stdout  # nothing was
    after = shutil.copytree(equal[1], tmp_path / "after")
    shutil.copy(equal[0] / "000.json", after / "same.json")
    assert _gate(equal[0], after).exit_code == 4
    assert comparison.SAME_RUNS in ioledger.gate(equal[0], after).sentence


def test_a_copy_on_one_side_counts_once_and_is_told(equal: Sides, tmp_path: Path) -> None:
    """Twice the same run would make the spread too small."""
    after = shutil.copytree(equal[1], tmp_path / "after")
    shutil.copy(after / "001.json", after / "099.json")
    verdict = ioledger.gate(equal[0], after)
    assert {row.after_count for row in verdict.points} == {5}
    assert f"Copies of another file of their side, so their runs count once: {after / '099.json'}." in verdict.notes()


def _linked(place: Path, target: Path, kind: str) -> Path:
    {"symbolic": place.symlink_to, "hard": place.hardlink_to}[kind](target)
    return place


@pytest.mark.parametrize("option", ["--json", "--markdown", "--junit"])
def test_an_output_is_never_an_input(equal: Sides, tmp_path: Path, option: str) -> None:
    """By its name, by a link, or as a result below a side: called wrongly, and every byte stays."""
    sides = [shutil.copytree(side, tmp_path / side.name) for side in equal]
    victim = sides[1] / "001.json"
    kept = {path: path.read_bytes() for side in sides for path in side.iterdir()}
    links = [_linked(tmp_path / kind, victim, kind) for kind in ("symbolic", "hard")]
    for output in (victim, *links, Path(os.path.relpath(victim))):
        done = _gate(*sides, option, output)
        assert (done.exit_code, "would be lost" in done.stderr) == (2, True), output
    assert _gate(sides[0] / "000.json", victim, option, victim).exit_code == 2
    assert _gate(*sides, "--json", tmp_path / "out", "--junit", tmp_path / "out").exit_code == 2
    assert {path: path.read_bytes() for path in kept} == kept


def test_an_earlier_output_below_a_side_is_written_anew(equal: Sides, tmp_path: Path) -> None:
    """Whatever its form; it is no result, so the verdict stays the same."""
    sides = [shutil.copytree(side, tmp_path / side.name) for side in equal]
    names = {form: sides[1] / f"gate.{form}" for form in ("json", "markdown", "junit")}
    written = [part for form, path in names.items() for part in (f"--{form}", path)]
    first, again = (_gate(*sides, *written) for _ in range(2))
    assert (first.exit_code, first.stdout) == (0, again.stdout)
    assert again.exit_code == 0, again.stderr


def test_a_reader_that_goes_away_changes_no_verdict(worse: Sides) -> None:
    """The exit code is the verdict's."""
    reading, writing = os.pipe()
    os.close(reading)
    command = [str(COMMAND), "gate", *map(str, reversed(worse)), "--trust-order"]
    codes = [
        subprocess.run(command, stdout=output, stderr=subprocess.DEVNULL, check=False).returncode  # noqa: S603
        for output in (subprocess.DEVNULL, writing)
    ]
    os.close(writing)
    assert codes[0] == codes[1] != 1


def test_what_cannot_be_written_is_not_called_worse(equal: Sides, tmp_path: Path) -> None:
    """1 says that it is worse, so a full disk or a missing folder gives 2."""
    command = [str(COMMAND), "gate", *map(str, equal), "--junit", str(tmp_path / "nowhere" / "gate.xml")]
    done = subprocess.run(command, capture_output=True, text=True, check=False)  # noqa: S603
    assert done.returncode == 2
    assert done.stderr.endswith("[R-SYSTEM-1]\n")


def test_sides_without_a_point_in_common_end_with_4(equal: Sides, tmp_path: Path) -> None:
    """The points of both are listed."""
    other = gated.side(tmp_path, enumerate(gated.rates(5, QUIET, 1, depths=(16, 32))))
    done = _gate(equal[0], other, "--junit", tmp_path / "gate.xml")
    assert done.exit_code == 4
    (skipped,) = ET.parse(tmp_path / "gate.xml").iter("skipped")  # noqa: S314
    assert skipped.get("message") == "not comparable: the sides have no point in common"
    assert "Only before: random read, 4 KiB, depth 1; random read, 4 KiB, depth 2" in done.stdout
    assert "Only after: random read, 4 KiB, depth 16; random read, 4 KiB, depth 32." in done.stdout
    assert done.stdout.splitlines()[0] == "Not comparable: the sides have no point in common"


@pytest.mark.parametrize(
    ("name", "value"),
    [("direct", "0"), ("ioengine", "io_uring"), ("filename", "/dev/nvme0n1"), ("bs", "8k"), ("rw", "read")],
)
def test_points_that_were_asked_for_differently_are_not_the_same(
    equal: Sides, tmp_path: Path, name: str, value: str
) -> None:
    """Direct, engine, kind of target, block and pattern are of the point."""
    other = gated.side(tmp_path, enumerate(gated.rates(5, QUIET, 1)), **{name: value})
    verdict = ioledger.gate(equal[0], other)
    assert (verdict.exit_code, verdict.points, len(verdict.unmatched_before)) == (4, (), 4)


def test_runs_whose_workload_options_differ_are_not_compared(equal: Sides, tmp_path: Path) -> None:
    """Exit code 4, with the option in the first line, in JUnit and in the annotation."""
    sides = gated.paired(tmp_path, gated.rates(5, QUIET, 1), gated.rates(5, QUIET, 2))
    other = gated.side(tmp_path / "capped", enumerate(gated.rates(5, QUIET, 1)), rate_iops="5000")
    done = _gate(equal[0], other, "--github", "--junit", tmp_path / "gate.xml")
    assert done.exit_code == 4
    for text in (done.stdout.splitlines()[0], done.stderr, (tmp_path / "gate.xml").read_text(encoding="utf-8")):
        assert "the workload options differ: rate_iops" in text
    assert ioledger.gate(*sides).exit_code == 0


def test_a_latency_that_grows_is_shown_as_measured_and_called_slower(tmp_path: Path) -> None:
    """The change is that of the value; ratio and verdict say how good it is."""
    sides = gated.paired(
        tmp_path, gated.rates(5, QUIET, 1, depths=(1,)), gated.rates(5, QUIET, 2, depths=(1,), factor=0.8)
    )
    verdict = judge(*sides, Asked((points.METRICS["latency"],)))
    (row,) = verdict.points
    assert row.measured_change == pytest.approx(1.25, rel=0.02)
    assert row.ratio == pytest.approx(0.8, rel=0.02)
    assert row.cells[4].startswith("+2")
    assert row.cells[6] == "worse, slower"
    assert verdict.sentence.endswith("%, slower")
    (plain,) = verdict.as_dict()["points"]
    assert (plain["speed"], plain["measured_change_ratio"]) == ("slower", row.measured_change)


def test_the_verdict_of_the_library_prints_what_the_command_prints(worse: Sides) -> None:
    """And takes each option of the command."""
    assert f"{ioledger.gate(*worse)}\n" == _gate(*worse).stdout
    options = ("--metric", "iops", "--metric", "p99", "--margin", "3%", "--trust-order")
    assert (
        f"{ioledger.gate(*worse, metrics=('iops', 'p99'), margin=0.03, trust_order=True)}\n"
        == _gate(*worse, *options).stdout
    )
    with pytest.raises(ValueError, match="choose from iops"):
        ioledger.gate(*worse, metrics=("speed",))


def test_a_run_that_failed_or_moved_nothing_is_not_slow(tmp_path: Path) -> None:
    """The point of a failed run is not comparable; one without I/O is told, and what is left may be equal."""
    sides = gated.paired(tmp_path, gated.rates(5, QUIET, 1), gated.rates(5, QUIET, 2))
    broken = sides[1] / "001.json"
    report = json.loads(broken.read_bytes())
    report["jobs"][0]["error"] = 5
    report["jobs"][1]["read"] |= {"iops": 0.0, "total_ios": 0, "io_bytes": 0, "io_kbytes": 0, "bw_bytes": 0, "bw": 0}
    broken.write_text(json.dumps(report), encoding="utf-8")
    verdict = ioledger.gate(*sides)
    assert verdict.change is Change.UNDECIDED
    assert [row.change.value for row in verdict.points] == ["not_comparable", "equal", "equal", "equal"]
    assert verdict.points[0].reason == "a run ended as error"
    assert verdict.exit_code == 3
    assert verdict.empty == (f"{broken}#0#/jobs/1",)
    assert f"Did no I/O, so they failed: {broken}#0#/jobs/1." in verdict.notes()


def test_latency_is_compared_only_where_as_much_was_in_flight(equal: Sides, tmp_path: Path) -> None:
    """Under a cap on the rate fewer operations are in flight, and their latency says something else."""
    verdict = judge(*equal, Asked((points.METRICS["iops"], points.METRICS["latency"])))
    assert {row.change for row in verdict.points} == {Change.EQUAL}
    capped = gated.paired(tmp_path, gated.rates(5, QUIET, 1), gated.rates(5, QUIET, 2))
    for file in capped[1].iterdir():
        report = json.loads(file.read_bytes())
        for job in report["jobs"]:
            for kind in ("lat_ns", "clat_ns"):
                job["read"][kind]["mean"] *= 0.8
        file.write_text(json.dumps(report), encoding="utf-8")
    verdict = judge(*capped, Asked((points.METRICS["latency"],)))
    assert {row.reason for row in verdict.points} == {comparison.IN_FLIGHT}
    assert verdict.exit_code == 4


def test_p99_has_a_margin_of_its_own(equal: Sides) -> None:
    """15 %, unless a wider one is requested; with a hundred thousand operations a run it counts."""
    verdict = judge(*equal, Asked((points.METRICS["iops"], points.P99)))
    tail = [row for row in verdict.points if row.metric == points.P99]
    assert [row.is_advice for row in tail][1:] == [False] * 3  # 20,000 a second and more, for ten seconds
    few = judge(*equal, Asked((points.P99,), margin=0.2))
    assert {row.margin for row in few.points} == {0.2}
    assert {row.margin for row in tail} == {0.15}


def test_operations_below_the_support_make_p99_advice(tmp_path: Path) -> None:
    """A sweep of advice alone is undecided, and says how many operations a run needs; beside IOPS it is a note."""
    slow = [{depth: rate / 100 for depth, rate in rates.items()} for rates in gated.rates(5, QUIET, 1)]
    verdict = judge(*gated.paired(tmp_path, slow, slow), Asked((points.P99,)))
    assert all(row.is_advice for row in (*verdict.points, *verdict.sweeps))
    assert verdict.exit_code == 3
    least = min(row.operation_count or 0 for row in verdict.points)
    needed = f"a run made {least:,} operations and needs 100,000: run each {math.ceil(1e5 / least)} times as long"
    assert verdict.sentence == f"undecided: too few operations for a p99: {needed}"
    beside = judge(tmp_path / "before", tmp_path / "after", Asked((points.METRICS["iops"], points.P99)))
    assert f"p99 is shown only as a hint and does not decide: {needed}." in beside.notes()


def test_archives_and_single_files_are_sides_too(equal: Sides, tmp_path: Path) -> None:
    """The same verdict from a tar.gz of each side."""
    packed = []
    for side in equal:
        packed.append(tmp_path / f"{side.name}.tar.gz")
        with tarfile.open(packed[-1], "w:gz") as archive:
            archive.add(side, side.name)
    assert _gate(*packed).stdout == _gate(*equal).stdout
    single = _gate(equal[0] / "000.json", equal[1] / "001.json")
    assert (single.exit_code, comparison.FEW in single.stdout) == (3, True)


def test_every_form_holds_the_same_verdict(worse: Sides, tmp_path: Path) -> None:
    """JSON, Markdown, JUnit and annotations, each whole."""
    names = {name: tmp_path / f"gate.{name}" for name in ("json", "markdown", "junit")}
    done = _gate(*worse, "--github", *(part for name, path in names.items() for part in (f"--{name}", path)))
    found = json.loads(names["json"].read_bytes())
    assert (found["verdict"], found["exit_code"], found["layout"]) == ("worse", 1, "paired")
    assert [row["change"] for row in found["points"]] == ["equal", "equal", "worse", "equal"]
    assert all(len(row["before_places"]) == 5 for row in found["points"])
    text = names["markdown"].read_text(encoding="utf-8")
    assert text.startswith("**worse: random read, 4 KiB, depth 4 ")
    assert text.count("\n| ") == 2, "the head, and the point that is worse"
    assert "3 equal within 5 %." in text
    suite = ET.fromstring(names["junit"].read_bytes())  # noqa: S314  (written here)
    assert {name: suite.get(name) for name in ("tests", "failures", "skipped", "errors")} == {
        "tests": "5", "failures": "1", "skipped": "0", "errors": "0",
    }  # fmt: skip
    assert [case.get("name") for case in suite if case.find("failure") is not None] == ["random read, 4 KiB, depth 4"]
    annotations = done.stderr.splitlines()
    assert annotations[0].startswith("::error title=ioledger gate::worse: random read, 4 KiB, depth 4 ")
    assert annotations[1].startswith("::error title=random read%2C 4 KiB%2C depth 4%2C IOPS::")
    printed = _gate(*worse, "--json", "-")
    assert json.loads(printed.stdout) == found


def test_names_of_strangers_end_no_form(tmp_path: Path) -> None:
    """A name may hold what Markdown, XML or a terminal would obey."""
    name = "a|b<c>\x1b[31m"
    sides = gated.paired(tmp_path / name, gated.rates(3, QUIET, 1), gated.rates(3, QUIET, 2, factor=0.5))
    done = _gate(*sides, "--junit", tmp_path / "gate.xml", "--markdown", tmp_path / "gate.md")
    assert done.exit_code == 1
    ET.fromstring((tmp_path / "gate.xml").read_bytes())  # noqa: S314  (written here)
    assert "\x1b" not in done.stdout
    assert "\x1b" not in (tmp_path / "gate.md").read_text(encoding="utf-8")


def test_a_history_compares_sessions(tmp_path: Path) -> None:
    """Nine evenings of three runs against a tenth: one session is one number, however many runs it has."""
    evening = 24 * 60
    runs = [(evening * day + run, rates) for day in range(9) for run, rates in enumerate(gated.rates(3, QUIET, day))]
    before = gated.side(tmp_path / "nightly", runs)
    after = gated.side(
        tmp_path / "tonight",
        ((evening * 9 + run, rates) for run, rates in enumerate(gated.rates(3, QUIET, 99, factor=0.8))),
    )
    done = _gate(before, after, "--history")
    assert done.exit_code == 1
    assert "9 and 1 sessions; sessions are compared, not runs." in done.stdout
    short = gated.side(tmp_path / "short", runs[:21])
    undecided = _gate(short, after, "--history")
    assert undecided.exit_code == 3
    assert comparison.SHORT_HISTORY in undecided.stdout


def test_sums_and_their_parts_are_counted_once(tmp_path: Path) -> None:
    """Two jobs of one group ran at the same time: their sum is the point, and neither of them is."""
    text = gated.report({1: 1000.0, 2: 2000.0}, gated.BEGIN)
    for job in text["jobs"]:
        job["groupid"] = 0
        job["job options"] |= {"iodepth": "2"}
    (tmp_path / "a.json").write_text(json.dumps(text), encoding="utf-8")
    side = points.read(tmp_path)
    (found,) = side.points.items()
    assert found[0].queue_depth == 4
    assert [run.values["operations_per_second"] for run in found[1]] == [pytest.approx(3000.0)]


def test_a_published_configuration_is_a_side(equal: Sides, tmp_path: Path) -> None:
    """Of a built database, which is only read; a name that is none of it is told."""
    database = tmp_path / "ioledger.duckdb"
    measured = ioledger.read(equal[0])
    rows = measured.results
    for name, value in (("submission_id", "2026-ann"), ("configuration_id", "disk"), ("is_comparable", True)):
        place = rows.column_names.index(name) if name in rows.column_names else -1
        column = pa.repeat(value, rows.num_rows)
        rows = rows.append_column(name, column) if place < 0 else rows.set_column(place, name, column)
    with duckdb.connect(database) as connection:
        connection.register("r", rows)
        connection.register("p", measured.percentiles)
        connection.execute("create table results as from r")
        connection.execute("create table latency_percentiles as from p")
    bytes_before = database.read_bytes()
    for name in ("published:disk", "published:2026-ann/disk"):
        done = _gate(name, equal[1], "--database", database, "--metric", "iops", "--metric", "p99")
        assert done.exit_code == 0, done.stderr
    assert database.read_bytes() == bytes_before
    unknown = _gate("published:other", equal[1], "--database", database)
    assert (unknown.exit_code, "[R-COMPARE-1]" in unknown.stderr) == (2, True)
    nowhere = _gate("published:disk", equal[1], "--database", tmp_path / "none.duckdb")
    assert (nowhere.exit_code, "[R-SQL-1]" in nowhere.stderr) == (2, True)


@pytest.mark.parametrize(("factor", "once", "place", "code"), [(1.0, 1.0, 0, 3), (1.0, 0.4, 0, 3), (0.5, 1.0, -1, 1)])
def test_a_point_that_ran_once_is_neither_equal_nor_hides_a_loss(
    tmp_path: Path, factor: float, once: float, place: int, code: int
) -> None:
    """The sweep of the others does not know it; who took turns is told by the points that can be judged."""
    before, after = gated.rates(5, QUIET, 1), gated.rates(5, QUIET, 2, factor=factor)
    before[0] |= {64: 500_000.0}
    after[place] |= {64: 500_000.0 * once}
    done = _gate(*gated.paired(tmp_path, before, after))
    assert (done.exit_code, "depth 64" in done.stdout) == (code, True)


@pytest.mark.parametrize("asked", [{"alpha": -1}, {"alpha": 0}, {"alpha": 1e-17}, {"alpha": 2}, {"margin": -2},
                                   {"margin": 5}, {"margin": float("nan")}])  # fmt: skip
def test_a_margin_or_alpha_that_is_none_is_an_error(equal: Sides, asked: dict[str, Any]) -> None:
    """It is said at once, and nothing is judged by it."""
    with pytest.raises(ValueError, match="ratios above 0 and below 1"):
        ioledger.gate(equal[0], equal[1], **asked)


def test_points_of_one_title_are_told_apart(tmp_path: Path) -> None:
    """An option that no title shows makes two points: their rows, test cases and notes say in what they differ."""
    sides = gated.paired(tmp_path, gated.rates(5, QUIET, 1, depths=(1,)), gated.rates(5, QUIET, 2, depths=(1,)))
    for folder, seed in zip(sides, (3, 4), strict=True):
        runs = enumerate(gated.rates(5, QUIET, seed, depths=(1,)), 20)
        gated.side(folder, runs, ioengine="psync" if seed == 3 else "io_uring")
        gated.side(folder, enumerate(gated.rates(5, QUIET, seed + 2, depths=(1,)), 40 + seed), filename="/dev/vda")
    assert _gate(*sides, "--junit", tmp_path / "gate.xml").exit_code in {0, 3}
    told = ["engine libaio, target file", "engine libaio, target device"]
    names = [f"random read, 4 KiB, depth 1, {each}" for each in told]
    cases = [case.get("name", "") for case in ET.parse(tmp_path / "gate.xml").iter("testcase")]  # noqa: S314
    assert sorted(cases) == sorted([*names, "whole sweep"])
    notes = " ".join(ioledger.gate(*sides).notes())
    assert "Only before: random read, 4 KiB, depth 1, engine psync, target file." in notes
    assert "Only after: random read, 4 KiB, depth 1, engine io_uring, target file." in notes


def test_logs_alone_are_no_runs_and_every_problem_is_a_test_case(tmp_path: Path) -> None:
    """A gate needs the reports of the runs, and says so; the counts of JUnit are those of its test cases."""
    for name in ("before", "after"):
        (tmp_path / name).mkdir()
        (tmp_path / name / "run_lat.1.log").write_text("10, 5000, 0, 4096, 0\n20, 6000, 0, 4096, 4096\n")
    done = _gate(tmp_path / "before", tmp_path / "after", "--junit", tmp_path / "gate.xml")
    assert done.exit_code == 2
    assert done.stderr.count("has no results of whole runs; it contains only other data, such as logs (1)") == 2
    suite = ET.parse(tmp_path / "gate.xml").getroot()  # noqa: S314
    assert (suite.get("tests"), suite.get("errors")) == ("2", "2")
    assert len({case.get("name") for case in suite.iter("testcase")}) == 2
