"""What the operating system refuses is one line with place, reason and remedy; nothing half-written is left."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
from concurrent.futures.process import BrokenProcessPool
from typing import TYPE_CHECKING

import pytest
from pyarrow import csv, feather
from pyarrow import parquet as pq

from conftest import COMMAND, FIXTURES
from ioledger.cli.check import sarif
from ioledger.loading.files import load
from ioledger.problems import Problem, plain

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path
    from subprocess import CompletedProcess

    Run = Callable[..., CompletedProcess[str]]

REPORT = FIXTURES / "submission" / "report.json"
RULE = "[R-SYSTEM-1]"
linux_only = pytest.mark.skipif(sys.platform != "linux", reason="devices and limits are those of Linux")


def _shell(line: str, folder: Path) -> CompletedProcess[str]:
    """Run a line of a shell in which ``$I`` is the command and ``$R`` a report."""
    names = {"I": str(COMMAND), "R": str(REPORT), "M": str(folder / "manifest.yaml")}
    command = ["bash", "-c", line]
    return subprocess.run(  # noqa: S603
        command, cwd=folder, env={**os.environ, **names}, capture_output=True, text=True, check=False, timeout=120
    )


@pytest.fixture
def here(tmp_path: Path) -> Path:
    """Return a folder with a manifest that fits the report, for a submission that could be added."""
    text = (FIXTURES / "submission" / "manifest.yaml").read_text(encoding="utf-8").split("\nfiles:")[0]
    (tmp_path / "manifest.yaml").write_text(text.replace("fio-3.33", "fio-3.36"), encoding="utf-8")
    return tmp_path


REFUSED = {
    "standard output on a full disk": ("$I parse $R > /dev/full", "standard output: No space left on device"),
    "help on a full disk": ("$I --help > /dev/full", "standard output: No space left on device"),
    "problems for programs on a full disk": ("$I rules --json > /dev/full", "standard output: No space left"),
    "rows beyond the room": ("ulimit -f 0; $I parse $R -o rows.jsonl", "rows.jsonl: File too large"),
    "a table beyond the room": ("ulimit -f 0; $I parse $R -o rows.parquet", "rows.parquet: File too large"),
    "text beyond the room": ("ulimit -f 0; $I parse $R -o rows.csv", "rows.csv: File too large"),
    "a plan beyond the room": (
        "ulimit -f 0; $I plan database --tool fio --target t -o .",
        "preparation.fio: File too large",
    ),
    "a submission beyond the room": ("ulimit -f 4; $I add $R --manifest $M --data .", "report.json: File too large"),
    "a folder that takes no file": ("$I parse $R -o /proc/rows.csv", "/proc/rows.csv: "),
    "a manifest on a full disk": ("$I collect -o /dev/full", "/dev/full: No space left on device"),
}


@linux_only
@pytest.mark.parametrize("case", REFUSED)
def test_what_cannot_be_written_is_one_line_and_leaves_nothing(case: str, here: Path) -> None:
    """Exit code 1, one line with rule and remedy, and the folder is as it was."""
    line, told = REFUSED[case]
    done = _shell(line, here)
    *before, last = done.stderr.splitlines()
    assert done.returncode == 1
    assert told in last
    assert last.endswith(RULE)
    assert "Traceback" not in "".join(before)
    assert [path.name for path in here.iterdir()] == ["manifest.yaml"]


@linux_only
def test_nobody_can_be_told_that_there_is_no_room_for_what_is_told(here: Path) -> None:
    """With standard error on a full disk the exit code is all that is left; no traceback, no core."""
    done = _shell("$I parse /dev/null 2> /dev/full; echo $?; $I parse /dev/null 2>&- ; echo $?", here)
    assert (done.stdout, done.stderr) == ("1\n1\n", "")


@linux_only
def test_a_reader_that_went_away_needs_no_word(here: Path) -> None:
    """``| head`` ends a command early and quietly, and what was not written is not counted as written."""
    done = _shell("for n in {1..300}; do echo $R; done | xargs $I parse 2> told | head -1 | wc -l; cat told", here)
    assert (done.stdout, done.stderr) == ("1\n", "")


@linux_only
def test_too_few_open_files_are_no_fault_of_the_program(here: Path) -> None:
    """Files that cannot be opened are lines."""
    assert "Traceback" not in _shell("ulimit -n 5; $I parse $R $R; $I check --data . ", here).stderr


@pytest.mark.skipif(not hasattr(os, "geteuid") or os.geteuid() == 0, reason="nothing is forbidden to root")
def test_a_file_that_may_not_be_read_costs_no_other_its_rows(submission: Path, ioledger: Run) -> None:
    """``parse`` and ``check`` name it; what stands beside it is read."""
    shutil.copy(REPORT, submission / "secret.json")
    (submission / "secret.json").chmod(0)
    done = ioledger("parse", submission / "report.json", submission / "secret.json")
    assert (done.returncode, done.stdout.count("\n")) == (1, 2)
    assert "secret.json: cannot be read: Permission denied" in done.stderr
    (submission / "report.json").chmod(0)
    done = ioledger("check", submission)
    assert (done.returncode, "Traceback" in done.stderr) == (1, False)
    assert "report.json cannot be read: Permission denied" in done.stderr
    submission.parent.chmod(0o500)
    done = ioledger("parse", REPORT, "-o", submission.parent / "rows.csv")
    submission.parent.chmod(0o700)
    assert "rows.csv: Permission denied" in done.stderr.splitlines()[-1]


@linux_only
def test_a_device_without_end_is_refused_where_a_file_would_be(here: Path, ioledger: Run) -> None:
    """What is read stops at the most that a file may have, in a result as in a manifest."""
    problem = load("/dev/zero")
    assert isinstance(problem, Problem)
    assert problem.rule == "R-DETECT-4"
    done = ioledger("add", REPORT, "--manifest", "/dev/zero", "--data", here)
    assert (done.returncode, "[R-DETECT-4]" in done.stderr) == (1, True)


def test_a_database_of_another_kind_is_named(here: Path, ioledger: Run) -> None:
    """A result file in the place of the database is no fault of the program."""
    for command in (("compare", "a", "b"), ("sql", "select 1")):
        done = ioledger(*command, "--database", REPORT)
        assert (done.returncode, len(done.stderr.splitlines())) == (1, 1)
        assert "[R-SQL-" in done.stderr
    assert list(here.iterdir()) == [here / "manifest.yaml"]


@pytest.fixture
def stray(tmp_path: Path) -> Path:
    """Return a folder with a report whose name is no UTF-8."""
    folder = tmp_path / "stray"
    folder.mkdir()
    try:
        shutil.copy(REPORT, folder / os.fsdecode(b"a\xff.json"))
    except OSError:
        pytest.skip("this file system takes no such name")
    return folder


def test_a_file_name_that_is_not_utf8_is_written_with_its_escape(stray: Path, ioledger: Run, tmp_path: Path) -> None:
    """Every output has rows, and the path says which byte it was."""
    outputs = {suffix: tmp_path / f"rows{suffix}" for suffix in (".jsonl", ".csv", ".parquet", ".arrow")}
    done = ioledger("parse", stray, *(part for path in outputs.values() for part in ("-o", path)))
    assert (done.returncode, done.stderr) == (0, "")
    lines = [json.loads(line) for line in outputs[".jsonl"].read_text(encoding="utf-8").splitlines()]
    tables = [csv.read_csv(outputs[".csv"]), pq.read_table(outputs[".parquet"]), feather.read_table(outputs[".arrow"])]
    rows = [lines, *(table.to_pylist() for table in tables)]
    expected = str(stray / "a") + "\\xff.json"
    assert [[row["source_path"] for row in each] for each in rows] == [[expected] * 2] * 4
    assert json.loads(ioledger("parse", stray).stdout.splitlines()[0])["source_path"] == expected
    assert ioledger("parse", stray, "--summary").returncode == 0


def test_a_problem_in_such_a_file_can_be_told_to_programs(submission: Path, ioledger: Run) -> None:
    """``check`` prints JSON, SARIF and annotations about a folder and a file whose names are no UTF-8."""
    odd = os.fsdecode(os.fsencode(submission) + b"\xff")
    try:
        shutil.copy(REPORT, submission / os.fsdecode(b"a\xff.json"))
        shutil.copytree(submission, odd)
    except OSError:
        pytest.skip("this file system takes no such name")
    for form in ("--json", "--sarif", "--github"):
        done = ioledger("check", odd, submission, form)
        assert (done.returncode, done.stderr) == (1, "")
        assert {"R-FOLDER-1", "R-FILE-3"} <= set(re.findall("R-[A-Z]+-[0-9]", done.stdout))
    found = json.loads(ioledger("check", odd, submission, "--json").stdout)
    assert {problem["file"] for problem in found} == {f"{submission}\\xff", f"{submission}/a\\xff.json"}


def test_a_problem_keeps_only_text_that_every_output_can_hold() -> None:
    """Stray bytes of names and lone surrogates of texts become their escapes; other text stays as it is."""
    problem = Problem("a\udcff", "b\ud800", "c\udfff", "naïve 中", "R")
    assert (problem.file, problem.place, problem.what, problem.remedy) == ("a\\xff", "b\\ud800", "c\\udfff", "naïve 中")
    assert json.dumps(sarif([problem], [], "1"), ensure_ascii=False).encode()
    assert plain("naïve") == "naïve"


@pytest.mark.parametrize("link", ["itself", "a symbolic link", "a hard link", "found in a folder"])
def test_an_output_that_is_an_input_is_refused(link: str, ioledger: Run, tmp_path: Path) -> None:
    """By whatever name: the file stays as it was, and the call was wrong."""
    read = tmp_path / "runs" / "result.jsonl"
    read.parent.mkdir()
    shutil.copy(REPORT, read)
    output = read if link in {"itself", "found in a folder"} else tmp_path / "rows.jsonl"
    if link == "a symbolic link":
        output.symlink_to(read)
    elif link == "a hard link":
        output.hardlink_to(read)
    for option in (("-o",), ("--table", "findings")):
        done = ioledger("parse", read.parent if link == "found in a folder" else read, *option, output)
        assert (done.returncode, "would be lost" in done.stderr) == (2, True)
    assert read.read_bytes() == REPORT.read_bytes()
    assert ioledger("parse", read, "-o", tmp_path / "other.jsonl").returncode == 0


def test_a_plan_and_a_manifest_do_not_take_the_place_of_what_is_measured(ioledger: Run, tmp_path: Path) -> None:
    """Neither the measured file nor the plan's own files are lost."""
    measured = tmp_path / "test.dat"
    measured.write_text("data", encoding="utf-8")
    assert ioledger("collect", "--target", measured, "-o", measured).returncode == 2
    assert measured.read_text(encoding="utf-8") == "data"
    done = ioledger("plan", "database", "--tool", "fio", "--target", "./run.sh", "-o", tmp_path / "plan")
    assert (done.returncode, "which is a file of the plan" in done.stderr) == (1, True)
    assert not (tmp_path / "plan").exists()


@pytest.mark.parametrize("error", [MemoryError(), BrokenProcessPool(), OSError("odd"), OSError(28, "full", b"/x")])
def test_what_has_no_name_of_a_file_is_a_line_too(error: Exception, tmp_path: Path) -> None:
    """Memory, a killed process, and errors without a number."""
    program = (
        "import sys; from concurrent.futures.process import BrokenProcessPool; from ioledger.system import ending\n"
        f"def fail():\n    raise {error!r}\nsys.exit(ending.run(fail))"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=False, cwd=tmp_path)  # noqa: S603
    assert (done.returncode, len(done.stderr.splitlines())) == (1, 1)
    assert done.stderr.rstrip().endswith(RULE)
