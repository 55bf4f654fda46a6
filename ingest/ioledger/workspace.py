"""
Where one's work lies: submissions in ``data/``, what a build makes of them in ``build/`` and ``dist/``.

The code brings its own schemas, models and rules (:mod:`ioledger.tables.schema`), so that work may lie anywhere. A
checkout is the workspace of everything that is called in it.
"""

from __future__ import annotations

import os
import sys
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from ioledger.problems import Problem

if TYPE_CHECKING:
    from collections.abc import Iterator

    from duckdb import DuckDBPyConnection

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
    variable, usual = (
        ("LOCALAPPDATA", "AppData/Local") if sys.platform == "win32" else ("XDG_DATA_HOME", ".local/share")
    )
    stated = Path(os.environ.get(variable, ""))
    return stated if stated.is_absolute() else Path.home() / usual


class UnusableError(Exception):
    """A database cannot be read; ``problem`` says why."""

    def __init__(self, problem: Problem) -> None:
        """Take the problem."""
        super().__init__(str(problem))
        self.problem = problem


@contextmanager
def open_database(path: Path, remedy: str) -> Iterator[DuckDBPyConnection]:
    """Give the database of a build, read-only and without other files; raises UnusableError if the file is not one."""
    import duckdb  # noqa: PLC0415  (heavy; other commands do without)

    if not path.is_file():
        raise UnusableError(Problem(str(path), "", "the database does not exist", remedy, "R-SQL-1"))
    try:
        with duckdb.connect(path, read_only=True, config={"enable_external_access": "false"}) as connection:
            yield connection
    except duckdb.Error as error:
        what = f"this database was not made by a build: {' '.join(str(error).split())}"
        raise UnusableError(Problem(str(path), "", what, remedy, "R-SQL-1")) from error
