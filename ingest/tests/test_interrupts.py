"""Control-C and a kill at any moment: one line at most, and nothing that stays."""

from __future__ import annotations

import os
import re
import shutil
import signal
import subprocess
import sys
import time
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from conftest import COMMAND, FIXTURES, remember
from ioledger.loading import parse
from ioledger.submission.reading_cache import PLACE

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from subprocess import CompletedProcess

    Run = Callable[..., CompletedProcess[str]]

pytestmark = pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="signals and pipes are those of Unix")
REPORT = FIXTURES / "submission" / "report.json"
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


@pytest.mark.parametrize("who", ["all processes", "the first process"])
def test_several_processes_are_interrupted_at_once(who: str, many: Path, pipe: Path, tmp_path: Path) -> None:
    """No traceback of any of them, no process and no folder that stays."""
    temporary = tmp_path / "tmp"
    temporary.mkdir()
    with _running("parse", pipe, many, "-o", tmp_path / "rows.jsonl", temporary=temporary) as program:
        _until(lambda: len(_processes(program.pid)) > (os.cpu_count() or 1))
        (os.killpg if who == "all processes" else os.kill)(program.pid, signal.SIGINT)
        _, said = program.communicate(timeout=LONGEST_WAIT_SECONDS)
    assert (program.returncode, said.strip()) == (1, SAID)
    assert _left(temporary, tmp_path) == []
    _until(lambda: _processes(program.pid) == [])


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
from ioledger.build import programs
from ioledger.system import ending, scratch
def make():
    with scratch.folder(Path(sys.argv[1])) as folder:
        loop = "sleep 60 & while :; do date >> log; done"
        with programs.start_program(["bash", "-c", f"cd {folder}; ({loop}) & {loop}"], {}) as program:
            program.communicate()
sys.exit(ending.run(make))
"""


@pytest.mark.parametrize(("number", "code"), ENDINGS)
def test_the_programs_of_a_build_end_with_it(number: int, code: int, tmp_path: Path) -> None:
    """An interrupt ends them and what they started, then removes what they were making."""
    command = [sys.executable, "-c", BUILDING, str(tmp_path)]
    program = subprocess.Popen(command, stderr=subprocess.PIPE, text=True, cwd=tmp_path)  # noqa: S603
    _until(lambda: list(tmp_path.glob("*/log")))
    started = [int(pid) for pid in _children_of(program.pid)]
    program.send_signal(number)
    try:
        _, said = program.communicate(timeout=LONGEST_WAIT_SECONDS)
        assert (program.returncode, said.strip()) == (code, SAID * (number == signal.SIGINT))
        assert list(tmp_path.iterdir()) == []
        _until(lambda: not any(_processes(pid) for pid in started))
    finally:
        for pid in (program.pid, *started):
            _kill_group(pid)


MODELLING = """
import sys
from pathlib import Path
from ioledger.build import pipeline
from ioledger.system import ending
from ioledger.workspace import Workspace
pipeline.expect.run = lambda _: ([], [], [])
sys.exit(ending.run(lambda: pipeline.build(Workspace(Path(sys.argv[1])), print, site=False)))
"""


@contextmanager
def _modelling(sample: Path, submission: Path, folder: Path) -> Iterator[tuple[subprocess.Popen[str], list[int], Path]]:
    """Build a submission until dbt runs models; give the build, the processes that it started, and where it builds."""
    root = folder / "root"
    remember(sample, root / "build")
    (root / "data").mkdir()
    submission.rename(root / "data" / submission.name)
    command = [sys.executable, "-c", MODELLING, str(root)]
    program = subprocess.Popen(command, stderr=subprocess.PIPE, text=True, start_new_session=True)  # noqa: S603
    started: list[int] = []
    try:
        _until(lambda: list(root.glob(".ioledger-*/ready/build/dbt/run/**/*.sql")) and _children_of(program.pid))
        started += map(int, _children_of(program.pid))
        yield program, started, root
    finally:
        for pid in (program.pid, *started):
            _kill_group(pid)
        with program:
            program.kill()


def _below(folder: Path) -> list[str]:
    """Return what lies in a workspace beside its submissions and what is kept of them."""
    found = (path.relative_to(folder) for path in folder.rglob("*"))
    return sorted(str(path) for path in found if path.parts[0] not in {"data", PLACE.parts[0]})


def test_dbt_ends_with_the_build(sample: Path, submission: Path, tmp_path: Path) -> None:
    """One line, no process of it that stays, nothing half-written, and the build before is there."""
    with _modelling(sample, submission, tmp_path) as (program, started, root):
        os.killpg(program.pid, signal.SIGINT)
        _, said = program.communicate(timeout=LONGEST_WAIT_SECONDS)
        assert (program.returncode, said.strip()) == (1, SAID)
        kept = ["build/dbt", "build/dbt/partial_parse.msgpack", "build/ioledger.duckdb"]
        assert _below(root) == ["build", *kept]
        assert not any(_processes(pid) for pid in started)


def _children_of(pid: int) -> list[str]:
    listed = subprocess.run(["ps", "-e", "-o", "pid=,ppid="], capture_output=True, text=True, check=True).stdout  # noqa: S607
    return [child for child, parent in map(str.split, listed.splitlines()) if int(parent) == pid]


def _kill_group(pid: int) -> None:
    try:
        os.killpg(pid, signal.SIGKILL)
    except ProcessLookupError:
        return
