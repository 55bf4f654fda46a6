"""Whether a folder of a checkout is merged: whether the branch that pull requests go to has it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ioledger.system import git

if TYPE_CHECKING:
    from pathlib import Path

BRANCHES = ("upstream/HEAD", "upstream/main", "origin/HEAD", "origin/main", "main")
"""Where merged folders lie, as far as this clone knows; a fork's own main may be behind."""


def merged(folder: Path) -> bool:
    """Say whether any of these branches has the folder; where there is no git, nothing is merged."""
    return any(_has(folder, branch) for branch in BRANCHES)


def _has(folder: Path, branch: str) -> bool:
    return git.told(folder.parent, "rev-parse", "--verify", "--quiet", f"{branch}:./{folder.name}") is not None
