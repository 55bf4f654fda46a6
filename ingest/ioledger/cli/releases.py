"""The commands ``ioledger release``, ``verify`` and ``digest``."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING

import click

from ioledger.cli import (
    FOUND_PROBLEMS,
    Command,
    Folder,
    counted,
    end_with,
    in_workspace,
    print_table,
    report,
    say,
    say_json,
)
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
    Write the release folder of a commit.

    The folder contains tables as Parquet, Arrow, CSV and DuckDB files, their descriptions, checksums, citation and
    licences. One commit always gives the same files. The checkout must be built and have no uncommitted changes.

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

    end_with(releasing.write_release(workspace, out, say, tag=tag, since=since), f"{out} is as it was.")
    click.echo(out)


@click.command(cls=Command)
@click.argument("release", type=Folder(exists=True))
@click.option("--checkout", type=Folder(exists=True), help="Clone at the commit of the release, built or not.")
@click.option("--json", "as_json", is_flag=True, help="Print an object with the problems.")
def verify(release: Path, checkout: Path | None, *, as_json: bool) -> None:
    """
    Check a release: SHA-256 of its files, and release id.

    The command recomputes the release id from the tables. It needs no network and builds nothing. With --checkout it
    also compares raw files, licences and citation with the commit, and, if they exist, the tables in build/ and the
    pages in dist/.

    \b
    Examples:
      ioledger verify ../ioledger-release
        release d8ea5b45…: 127 files, 41 tables; 0 problems
      ioledger verify ../ioledger-release --checkout . --json
        {"release_id": "d8ea5b45…", "looked_at": {"files": 127, "tables": 41}, "problems": []}
    """  # noqa: D301
    from ioledger.releases import release as releasing  # noqa: PLC0415  (pyarrow and DuckDB load only here)

    found = releasing.verify(release, checkout)
    if as_json:
        say_json({"release_id": found.release_id, "looked_at": found.looked_at, "problems": found.problems})
    else:
        report(found.problems)
        looked_at = ", ".join(f"{count:,} {what}" for what, count in found.looked_at.items())
        say(f"release {found.release_id}: {looked_at}; {counted(len(found.problems), 'problem')}")
    if found.problems:
        sys.exit(FOUND_PROBLEMS)


@click.command(cls=Command)
@click.argument("place", type=click.Path(path_type=Path), required=False)
@click.option("--json", "as_json", is_flag=True, help="Print an object, with the schema of each table.")
@in_workspace
def digest(place: Path | None, workspace: Workspace, *, as_json: bool) -> None:
    """
    Print the release id and the content hash of each table.

    PLACE is a build, a site or a release (default: the build of the workspace). The command computes the hashes from
    the files and compares them with the manifest there. One commit has the same release id on every machine.

    \b
    Examples:
      ioledger digest
        f9946045942922156fecbfcc3129a1649bad88cee05f767da9edfa1931292580
      ioledger digest dist --json
        {"release_id": "f9946045…", …, "tables": {"marts/claims": {"rows": 113, …}, …}}
    """  # noqa: D301
    from ioledger.releases import REMEDY, UnreadableError, check_ids, digest_folder, read_manifest  # noqa: PLC0415  (pyarrow and DuckDB load only here)

    asked = place or workspace.build
    try:
        stated, found = read_manifest(asked), digest_folder(asked)
    except UnreadableError as error:
        end_with([Problem(str(error.path), "", error.what, REMEDY, "R-RELEASE-1")])
        return
    if as_json:
        say_json(found)
    else:
        click.echo(found.release_id)
        print_table(
            ("table", "rows", "content_sha256"),
            [(name, table.rows, table.content_sha256) for name, table in found.tables.items()],
            is_first_whole=True,
        )
    end_with(check_ids(asked, stated, found))
