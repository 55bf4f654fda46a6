"""Files and folders appear whole or not at all, and finished folders replace older ones all together."""

from __future__ import annotations

import os
import subprocess
import sys
from typing import TYPE_CHECKING

import pytest

from ioledger.system import scratch

if TYPE_CHECKING:
    from pathlib import Path

KILLED = """
import os, sys
from pathlib import Path
from ioledger.system import scratch
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
    scratch.replace(aside / "ready", parent)
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
    scratch.finish(parent)
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
    with scratch.folder(tmp_path) as made:
        assert sorted(tmp_path.iterdir()) == sorted([made, *others])
    assert sorted(tmp_path.iterdir()) == sorted(others)


def test_a_file_replaces_an_older_one_when_it_is_whole(tmp_path: Path) -> None:
    """With the permissions of any new file."""
    path = tmp_path / "rows"
    for content in (b"old", b"new"):
        with scratch.file(path) as stream:
            stream.write(content)
    with pytest.raises(ZeroDivisionError), scratch.file(path) as stream:
        stream.write(bytes(1 // 0))
    (tmp_path / "other").touch()
    assert path.read_bytes() == b"new"
    assert path.stat().st_mode == (tmp_path / "other").stat().st_mode
    assert _below(tmp_path) == ["other", "rows"]
