"""The command ``ioledger digest``."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from ioledger.cli import Command, end_with, in_workspace, print_rows, say_json
from ioledger.problems import Problem

if TYPE_CHECKING:
    from ioledger.workspace import Workspace


@click.command(cls=Command)
@click.argument("place", type=click.Path(path_type=Path), required=False)
@click.option("--json", "as_json", is_flag=True, help="Print an object, with the schema of each table.")
@in_workspace
def digest(place: Path | None, workspace: Workspace, *, as_json: bool) -> None:
    """
    Print the release id, and the row count and content hash of each table.

    PLACE is a build, a site or a release (default: the build of the workspace). The command computes the hashes from
    the files and compares them with the manifest there. One commit has the same release id on every machine.

    \b
    Examples:
      ioledger digest
        80342f35acceb367475fa591559e52b39f533210ced105d6ade43205cf7170a6
      ioledger digest dist --json
        {"release_id": "80342f35…", "tables": {"claims": {"rows": 113, …}}}
    """  # noqa: D301
    from ioledger.releases import digest as digests  # noqa: PLC0415  (pyarrow and DuckDB load only here)

    asked = place or workspace.build
    try:
        stated, found = digests.manifest_of(asked), digests.of_place(asked)
    except digests.UnreadableError as error:
        end_with([Problem(str(error.path), "", error.what, digests.REMEDY, "R-RELEASE-1")])
        return
    if as_json:
        say_json(found)
    else:
        click.echo(found.release_id)
        print_rows(
            ("table", "rows", "content_sha256"),
            [(name, table.rows, table.content_sha256) for name, table in found.tables.items()],
            is_first_whole=True,
        )
    end_with(digests.disagreement(asked, stated, found))
