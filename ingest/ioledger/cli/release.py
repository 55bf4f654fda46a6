"""The command ``ioledger release``."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from ioledger.cli import Command, Folder, end_with, in_workspace, say
from ioledger.problems import Problem

if TYPE_CHECKING:
    from ioledger.workspace import Workspace


@click.command(cls=Command)
@click.argument("out", type=click.Path(path_type=Path, resolve_path=True))
@click.option("--tag", metavar="TAG", help="Version to release, such as v1.2; the git tag must point at this commit.")
@click.option(
    "--since", type=Folder(exists=True), help="Earlier release or build; CHANGES.md lists the rows that differ."
)
@in_workspace
def release(out: Path, workspace: Workspace, *, tag: str | None, since: Path | None) -> None:
    """
    Write the release folder of a commit: tables, descriptions, checksums, citation and licences.

    The tables are Parquet, Arrow, CSV and DuckDB files. One commit always gives the same files. The checkout must be
    built and have no uncommitted changes.

    \b
    Examples:
      ioledger release ../ioledger-release
        ../ioledger-release
      ioledger release ../ioledger-v1.2 --tag v1.2 --since ../ioledger-v1.1
        ../ioledger-v1.2
    """  # noqa: D301
    if not workspace.is_checkout:
        what = "it is no checkout of the project, and only a commit is released"
        end_with([Problem(str(workspace.folder), "", what, "Name a clone: --workspace.", "R-RELEASE-8")])
    from ioledger.releases import release as releasing  # noqa: PLC0415  (pyarrow and DuckDB load only here)

    end_with(releasing.write(releasing.Inputs(workspace, tag, since), out, say), f"{out} is as it was.")
    click.echo(out)
