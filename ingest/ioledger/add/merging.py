"""Whether a folder of a checkout is merged: whether the branch that pull requests go to has it."""

from __future__ import annotations

import os
import subprocess
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pathlib import Path

BRANCHES = ("upstream/HEAD", "upstream/main", "origin/HEAD", "origin/main", "main")
"""Where merged folders lie, as far as this clone knows; a fork's own main may be behind."""


def merged(folder: Path) -> bool:
    """Say whether any of these branches has the folder; where there is no git, nothing is merged."""
    return any(_has(folder, branch) for branch in BRANCHES)


def _has(folder: Path, branch: str) -> bool:
    command = ["git", "-C", str(folder.parent), "rev-parse", "--verify", "--quiet", f"{branch}:./{folder.name}"]
    variables = {name: value for name, value in os.environ.items() if not name.startswith("GIT_")}
    try:
        return subprocess.run(command, capture_output=True, check=False, env=variables).returncode == 0  # noqa: S603
    except OSError:
        return False
