"""What git says of a folder, where there is git and the folder is in a checkout."""

from __future__ import annotations

import os
import subprocess
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pathlib import Path


def surroundings() -> dict[str, str]:
    """Return the variables that git is run with: those of a git that calls this program do not lead it elsewhere."""
    return {name: value for name, value in os.environ.items() if not name.startswith("GIT_")}


def run(folder: Path, *arguments: str, given: bytes = b"") -> subprocess.CompletedProcess[bytes]:
    """Return what git says of a folder, and its exit code; raises OSError where there is no git."""
    command = ["git", "--no-optional-locks", "-c", "core.fsmonitor=false", "-C", str(folder), *arguments]
    return subprocess.run(command, input=given, capture_output=True, check=False, env=surroundings())  # noqa: S603  (fixed arguments)


def read_output(folder: Path, *arguments: str, given: bytes = b"") -> bytes | None:
    """Return what git prints about a folder, None where it fails: the folder is in no checkout, or there is no git."""
    try:
        done = run(folder, *arguments, given=given)
    except OSError:
        return None
    return done.stdout if done.returncode == 0 else None
