"""A command that cannot finish says one line with place, reason and remedy; nothing half-written is left."""

from __future__ import annotations

import json
import os
import re
import shutil
import signal
import subprocess
import sys
import time
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from pyarrow import csv, feather
from pyarrow import parquet as pq

from conftest import COMMAND, FIXTURES
from ioledger.loading import parse
from ioledger.system import finish_replacement, replace_file, scratch_folder

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from subprocess import CompletedProcess

    from conftest import Run

REPORT = FIXTURES / "submission" / "report.json"
RULE = "[R-SYSTEM-1]"
linux_only = pytest.mark.skipif(sys.platform != "linux", reason="devices and limits are those of Linux")
unix_only = pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="signals and pipes are those of Unix")
SAID = "Interrupted; nothing half-written is left."
ENDINGS = [(signal.SIGINT, 1), (signal.SIGTERM, 128 + signal.SIGTERM)]
"""Signals, and the exit codes of a command that they end; what it says of SIGINT is ``SAID``."""
LONGEST_WAIT_SECONDS = 120


def _until(is_so: Callable[[], object]) -> None:
    """Wait until something is so; fail when it never is."""
    end = time.monotonic() + LONGEST_WAIT_SECONDS
    while not is_so():
        assert time.monotonic() < end
        time.sleep(0.02)


def _left(*folders: Path) -> list[str]:
    """Return what is being made, or was left, in these folders."""
    return [path.name for folder in folders for path in folder.iterdir() if path.name.startswith(".ioledger-")]


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
    "rows beyond the room": ("ulimit -f 0; $I parse $R -o rows.jsonl", "rows.jsonl: File too large"),
    "a table beyond the room": ("ulimit -f 0; $I parse $R -o rows.parquet", "rows.parquet: File too large"),
    "a submission beyond the room": ("ulimit -f 4; $I add $R --manifest $M --data .", "report.json: File too large"),
    "a folder that takes no file": ("$I parse $R -o /proc/rows.csv", "/proc/rows.csv: "),
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
def test_a_reader_that_went_away_needs_no_word(here: Path) -> None:
    """``| head`` ends a command early and quietly, and what was not written is not counted as written."""
    done = _shell("for n in {1..300}; do echo $R; done | xargs $I parse 2> told | head -1 | wc -l; cat told", here)
    assert (done.stdout, done.stderr) == ("1\n", "")


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


def test_a_plan_does_not_measure_one_of_its_own_files(ioledger: Run, tmp_path: Path) -> None:
    """It would be lost."""
    done = ioledger("plan", "database", "--tool", "fio", "--target", "./run.sh", "-o", tmp_path / "plan")
    assert (done.returncode, "which is a file of the plan" in done.stderr) == (1, True)
    assert not (tmp_path / "plan").exists()


@pytest.mark.parametrize("error", [MemoryError(), BrokenProcessPool(), OSError("odd"), OSError(28, "full", b"/x")])
def test_what_has_no_name_of_a_file_is_a_line_too(error: Exception, tmp_path: Path) -> None:
    """Memory, a killed process, and errors without a number."""
    program = (
        "import sys\nfrom concurrent.futures.process import BrokenProcessPool\n"
        "from ioledger.system import run_command\n"
        f"def fail():\n    raise {error!r}\nsys.exit(run_command(fail))"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=False, cwd=tmp_path)  # noqa: S603
    assert (done.returncode, len(done.stderr.splitlines())) == (1, 1)
    assert done.stderr.rstrip().endswith(RULE)


@pytest.fixture
def pipe(tmp_path: Path) -> Iterator[Path]:
    """Return a pipe that nobody writes to, handed over as a shell does: whoever reads it waits until a moment."""
    path = tmp_path / "waiting.json"
    os.mkfifo(path)
    descriptor = os.open(path, os.O_RDONLY | os.O_NONBLOCK)
    os.set_inheritable(descriptor, True)  # noqa: FBT003  (it takes no name)
    yield Path(f"/dev/fd/{descriptor}")
    os.close(descriptor)


@contextmanager
def _running(*arguments: str | Path, temporary: Path | None = None) -> Iterator[subprocess.Popen[str]]:
    """Run the command in a group of its own, as a shell does, so that a signal reaches it and what it started."""
    environment = {**os.environ, **({"TMPDIR": str(temporary)} if temporary else {})}
    program = subprocess.Popen(  # noqa: S603
        [str(COMMAND), *map(str, arguments)], env=environment, text=True, start_new_session=True, close_fds=False,
        stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
    )  # fmt: skip
    try:
        yield program
    finally:
        with program:
            program.kill()


@unix_only
@pytest.mark.parametrize(("number", "code"), ENDINGS)
def test_a_run_that_is_interrupted_says_one_line_and_leaves_the_old_file(
    number: int, code: int, pipe: Path, tmp_path: Path
) -> None:
    """While a file is written: the rows so far are gone, and what stood there stands there."""
    old = tmp_path / "rows.parquet"
    old.write_text("old", encoding="utf-8")
    with _running("parse", REPORT, pipe, "-o", old) as program:
        _until(lambda: _left(tmp_path))
        os.killpg(program.pid, number)
        _, said = program.communicate(timeout=LONGEST_WAIT_SECONDS)
    assert (program.returncode, said.strip()) == (code, SAID * (number == signal.SIGINT))
    assert old.read_text(encoding="utf-8") == "old"
    assert _left(tmp_path) == []


@pytest.fixture
def many(tmp_path: Path) -> Path:
    """Return a folder of so many files that several processes read them."""
    folder = tmp_path / "many"
    folder.mkdir()
    first = folder / "0.json"
    shutil.copy(REPORT, first)
    for number in range(1, parse.POOL_FILES):
        os.link(first, folder / f"{number}.json")
    return folder


def _processes(group: int) -> list[int]:
    """Return the processes of a group that are there and no corpses."""
    listed = subprocess.run(["ps", "-e", "-o", "pid=,pgid=,stat="], capture_output=True, text=True, check=True).stdout  # noqa: S607
    rows = [line.split() for line in listed.splitlines()]
    return [int(pid) for pid, owner, state in rows if int(owner) == group and not state.startswith("Z")]


@unix_only
def test_several_processes_are_interrupted_at_once(many: Path, pipe: Path, tmp_path: Path) -> None:
    """No traceback of any of them, no process and no folder that stays."""
    temporary = tmp_path / "tmp"
    temporary.mkdir()
    with _running("parse", pipe, many, "-o", tmp_path / "rows.jsonl", temporary=temporary) as program:
        _until(lambda: len(_processes(program.pid)) > (os.cpu_count() or 1))
        os.killpg(program.pid, signal.SIGINT)
        _, said = program.communicate(timeout=LONGEST_WAIT_SECONDS)
    assert (program.returncode, said.strip()) == (1, SAID)
    assert _left(temporary, tmp_path) == []
    _until(lambda: _processes(program.pid) == [])


@unix_only
def test_a_process_that_is_killed_from_outside_is_a_line(many: Path, pipe: Path, tmp_path: Path) -> None:
    """As the kernel does where memory ends."""
    with _running("parse", pipe, many, "-o", tmp_path / "rows.jsonl") as program:
        _until(lambda: len(_processes(program.pid)) > 1)
        os.kill(max(_processes(program.pid)), signal.SIGKILL)
        _, said = program.communicate(timeout=LONGEST_WAIT_SECONDS)
    assert program.returncode == 1
    assert re.fullmatch(r"ioledger: a process that reads was ended from outside\. .*\[R-SYSTEM-1\]\n", said)
    assert _left(tmp_path) == []


BUILDING = """
import sys, time
from pathlib import Path
from ioledger.build import start_program
from ioledger.system import run_command, scratch_folder
def make():
    with scratch_folder(Path(sys.argv[1])) as folder:
        loop = "sleep 60 & while :; do date >> log; done"
        with start_program(["bash", "-c", f"cd {folder}; ({loop}) & {loop}"], {}) as program:
            program.communicate()
sys.exit(run_command(make))
"""


@unix_only
def test_the_programs_of_a_build_end_with_it(tmp_path: Path) -> None:
    """An interrupt ends them and what they started, then removes what they were making."""
    command = [sys.executable, "-c", BUILDING, str(tmp_path)]
    program = subprocess.Popen(command, stderr=subprocess.PIPE, text=True, cwd=tmp_path)  # noqa: S603
    _until(lambda: list(tmp_path.glob("*/log")))
    listed = subprocess.run(["ps", "-e", "-o", "pid=,ppid="], capture_output=True, text=True, check=True).stdout  # noqa: S607
    started = [int(pid) for pid, above in map(str.split, listed.splitlines()) if int(above) == program.pid]
    program.send_signal(signal.SIGINT)
    try:
        _, said = program.communicate(timeout=LONGEST_WAIT_SECONDS)
        assert (program.returncode, said.strip()) == (1, SAID)
        assert list(tmp_path.iterdir()) == []
        _until(lambda: not any(_processes(pid) for pid in started))
    finally:
        for pid in (program.pid, *started):
            with suppress(ProcessLookupError):
                os.killpg(pid, signal.SIGKILL)


KILLED = """
import os, sys
from pathlib import Path
from ioledger.system import replace_folders, scratch_folder
parent, left, rename = Path(sys.argv[1]), int(sys.argv[2]), Path.rename
def dying(self, target):
    global left
    left -= 1
    if left < 0:
        os._exit(9)
    return rename(self, target)
Path.rename = dying
with scratch_folder(parent) as aside:
    for name in ("build", "dist"):
        (aside / "ready" / name).mkdir(parents=True)
        (aside / "ready" / name / "state").write_text("new")
    replace_folders(aside / "ready", parent)
"""
PLACES = ["build", "dist"]
RENAMES = 5


@pytest.fixture
def parent(tmp_path: Path) -> Path:
    """Return a folder where both places hold what is old."""
    for name in PLACES:
        (tmp_path / name).mkdir()
        (tmp_path / name / "state").write_text("old", encoding="utf-8")
    return tmp_path


def _below(parent: Path) -> list[str]:
    return sorted(path.name for path in parent.iterdir() if not path.name.endswith("-scratch"))


@pytest.mark.parametrize("done", range(RENAMES + 1))
def test_a_replacement_that_is_killed_is_all_old_or_all_new(done: int, parent: Path) -> None:
    """Before the first rename nothing counts; after it the next command finishes what was left."""
    ended = subprocess.run([sys.executable, "-c", KILLED, str(parent), str(done)], check=False)  # noqa: S603
    assert ended.returncode == (9 if done < RENAMES else 0)
    finish_replacement(parent)
    states = [(parent / name / "state").read_text(encoding="utf-8") for name in PLACES]
    assert states == (["new", "new"] if done else ["old", "old"])
    assert _below(parent) == PLACES


def test_what_killed_runs_have_left_is_removed_a_day_later(tmp_path: Path) -> None:
    """Names of others stay, and so does what a run may still make."""
    old = [tmp_path / ".ioledger-abc_1234-scratch", tmp_path / ".ioledger-0123456789abcdef-part"]
    others = [tmp_path / name for name in (".ioledger-new12345-scratch", ".ioledger-mine", "ioledger-results")]
    old[0].mkdir()
    for path in (old[0] / "half", old[1], *others):
        path.touch()
    for path in (*old, *others[1:]):
        os.utime(path, (0, 0))
    with scratch_folder(tmp_path) as made:
        assert sorted(tmp_path.iterdir()) == sorted([made, *others])
    assert sorted(tmp_path.iterdir()) == sorted(others)


def test_a_file_replaces_an_older_one_when_it_is_whole(tmp_path: Path) -> None:
    """With the permissions of any new file."""
    path = tmp_path / "rows"
    for content in (b"old", b"new"):
        with replace_file(path) as stream:
            stream.write(content)
    with pytest.raises(ZeroDivisionError), replace_file(path) as stream:
        stream.write(bytes(1 // 0))
    (tmp_path / "other").touch()
    assert path.read_bytes() == b"new"
    assert path.stat().st_mode == (tmp_path / "other").stat().st_mode
    assert _below(tmp_path) == ["other", "rows"]
