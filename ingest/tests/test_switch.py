"""Finished folders take the place of older ones: all or none, at whatever rename a run is killed."""

from __future__ import annotations

import subprocess
import sys
from typing import TYPE_CHECKING

import pytest

from ioledger.system import scratch, switch

if TYPE_CHECKING:
    from pathlib import Path

KILLED = """
import os, sys
from pathlib import Path
from ioledger.system import scratch, switch
parent, left, rename = Path(sys.argv[1]), int(sys.argv[2]), Path.rename
def dying(self, target):
    global left
    left -= 1
    if left < 0:
        os._exit(9)
    return rename(self, target)
Path.rename = dying
with scratch.folder(parent) as aside:
    for name in ("build", "dist"):
        (aside / "ready" / name).mkdir(parents=True)
        (aside / "ready" / name / "state").write_text("new")
    switch.take(aside / "ready", parent)
"""
INTERRUPTED = """
import os, signal, sys
from pathlib import Path
from ioledger.system import ending, scratch, switch
parent, rename = Path(sys.argv[1]), Path.rename
def interrupted(self, target):
    found = rename(self, target)
    os.kill(os.getpid(), signal.SIGINT)
    return found
def make():
    with scratch.folder(parent) as aside:
        for name in ("build", "dist"):
            (aside / "ready" / name).mkdir(parents=True)
            (aside / "ready" / name / "state").write_text("new")
        Path.rename = interrupted
        switch.take(aside / "ready", parent)
sys.exit(ending.run(make))
"""
FINISHING = """
import sys
from pathlib import Path
from ioledger.system import switch
switch.finish(Path(sys.argv[1]))
"""
PLACES = ("build", "dist")


@pytest.fixture
def parent(tmp_path: Path) -> Path:
    """Return a folder where both places hold what is old."""
    for name in PLACES:
        (tmp_path / name).mkdir()
        (tmp_path / name / "state").write_text("old", encoding="utf-8")
    return tmp_path


def _states(parent: Path) -> list[str]:
    return [(parent / name / "state").read_text(encoding="utf-8") for name in PLACES]


def _below(parent: Path) -> list[str]:
    return sorted(path.name for path in parent.iterdir())


@pytest.mark.parametrize("done", range(7))
def test_a_switch_that_is_killed_at_a_rename_is_all_old_or_all_new(done: int, parent: Path) -> None:
    """Before the first rename nothing counts; after it the next command finishes what was left, and sweeps."""
    ended = subprocess.run([sys.executable, "-c", KILLED, str(parent), str(done)], check=False)  # noqa: S603
    assert ended.returncode == (9 if done < 6 else 0)
    assert switch.finish(parent) == (0 < done < 6)
    with scratch.folder(parent):
        pass
    assert _states(parent) == (["new", "new"] if done else ["old", "old"])
    assert _below(parent) == list(PLACES)


def test_an_interrupt_waits_for_the_switch(parent: Path) -> None:
    """Control-C at every rename: both folders are new, and one line says that it was interrupted."""
    command = [sys.executable, "-c", INTERRUPTED, str(parent)]
    ended = subprocess.run(command, check=False, capture_output=True, text=True)  # noqa: S603
    assert (ended.returncode, ended.stderr) == (1, "Interrupted; nothing half-written is left.\n")
    assert _states(parent) == ["new", "new"]
    assert _below(parent) == list(PLACES)


def test_a_switch_that_is_left_is_finished_by_the_next_one(parent: Path) -> None:
    """Whoever switches next finishes first, even where somebody has made the empty place anew meanwhile."""
    subprocess.run([sys.executable, "-c", KILLED, str(parent), "2"], check=False)  # noqa: S603
    assert switch.NAME in _below(parent)
    (parent / "build").mkdir()
    with scratch.folder(parent) as aside:
        (aside / "ready" / "build").mkdir(parents=True)
        (aside / "ready" / "build" / "state").write_text("newest", encoding="utf-8")
        switch.take(aside / "ready", parent)
    assert _states(parent) == ["newest", "new"]
    assert _below(parent) == list(PLACES)


def test_several_may_finish_a_switch_at_once(parent: Path) -> None:
    """One does the work, and the others find it done."""
    subprocess.run([sys.executable, "-c", KILLED, str(parent), "3"], check=False)  # noqa: S603
    finish = (
        "import sys; from pathlib import Path; from ioledger.system import switch; switch.finish(Path(sys.argv[1]))"
    )
    several = [subprocess.Popen([sys.executable, "-c", finish, str(parent)]) for _ in range(4)]  # noqa: S603
    assert [each.wait() for each in several] == [0] * len(several)
    with scratch.folder(parent):
        pass
    assert _states(parent) == ["new", "new"]
    assert _below(parent) == list(PLACES)
