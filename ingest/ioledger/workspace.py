"""
Where one's work lies: submissions in ``data/``, what a build makes of them in ``build/`` and ``dist/``.

The code brings its own schemas, models and rules (:mod:`ioledger.tables.schema`), so that work may lie anywhere. A
checkout is the workspace of everything that is called in it.
"""

from __future__ import annotations

import os
import sys
from pathlib import Path
from typing import NamedTuple

VARIABLE = "IOLEDGER_WORKSPACE"
_MARKS = ("dbt_project.yml", "schemas/tables", "data")
"""What every checkout has at its root, and a dbt project of somebody else has not."""


class Workspace(NamedTuple):
    """A folder for one's work; none of what it names needs to exist."""

    folder: Path

    @property
    def data(self) -> Path:
        """Where the submissions lie, one folder each."""
        return self.folder / "data"

    @property
    def build(self) -> Path:
        """Where a build puts its tables and its database."""
        return self.folder / "build"

    @property
    def dist(self) -> Path:
        """Where a build puts the site."""
        return self.folder / "dist"

    @property
    def database(self) -> Path:
        """The database that a build leaves."""
        return self.build / "ioledger.duckdb"

    @property
    def is_checkout(self) -> bool:
        """Whether the code lies here too; then ``build/`` and ``dist/`` are always the project's own."""
        return all((self.folder / mark).exists() for mark in _MARKS)


def find(stated: Path | None = None) -> Workspace:
    """
    Return the workspace: the one stated, that of the variable ``IOLEDGER_WORKSPACE``, else the checkout around here.

    Outside of every checkout it is ``ioledger`` among the user's data: in ``$XDG_DATA_HOME`` or ``~/.local/share``, on
    Windows in ``%LOCALAPPDATA%``.
    """
    named = stated or os.environ.get(VARIABLE)
    if named:
        return Workspace(Path(named).expanduser().resolve())
    here = Path.cwd()
    around = (place for place in map(Workspace, (here, *here.parents)) if place.is_checkout)
    return next(around, None) or Workspace(_home() / "ioledger")


def _home() -> Path:
    """Return the folder in which this user's programs keep data."""
    variable, usual = (
        ("LOCALAPPDATA", "AppData/Local") if sys.platform == "win32" else ("XDG_DATA_HOME", ".local/share")
    )
    stated = Path(os.environ.get(variable, ""))
    return stated if stated.is_absolute() else Path.home() / usual
