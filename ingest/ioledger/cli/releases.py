"""The commands ``ioledger release``, ``verify``, ``digest`` and ``diff``."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING

import click

from ioledger import cli
from ioledger.problems import Problem, one_line
from ioledger.tables.schema import ROOT

if TYPE_CHECKING:
    from typing import Any

    from ioledger.workspace import Workspace


@click.command(cls=cli.Command)
@click.argument("out", type=click.Path(path_type=Path, resolve_path=True))
@click.option("--tag", metavar="TAG", help="Version to release, such as v1.2; the git tag must point at this commit.")
@click.option(
    "--since", type=cli.EXISTING_FOLDER, help="Earlier release or build; CHANGES.md lists the rows that differ."
)
@cli.in_workspace
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
        cli.refuse(Problem(str(workspace.folder), "", what, "Name a clone: --workspace.", "R-RELEASE-8"))
    from ioledger.releases import release as releasing  # noqa: PLC0415  (pyarrow and DuckDB load only here)

    cli.end_with(releasing.write_release(workspace, out, cli.say, tag=tag, since=since), f"{out} is as it was.")
    click.echo(out)


@click.command(cls=cli.Command)
@click.argument("release", type=cli.EXISTING_FOLDER)
@click.option("--checkout", type=cli.EXISTING_FOLDER, help="Clone at the commit of the release, built or not.")
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
        cli.say_json({"release_id": found.release_id, "looked_at": found.looked_at, "problems": found.problems})
    else:
        cli.report(found.problems)
        looked_at = ", ".join(f"{count:,} {what}" for what, count in found.looked_at.items())
        cli.say(f"release {found.release_id}: {looked_at}; {cli.pluralise(len(found.problems), 'problem')}")
    if found.problems:
        sys.exit(cli.FOUND_PROBLEMS)


@click.command(cls=cli.Command)
@click.argument("place", type=click.Path(path_type=Path), required=False)
@click.option("--json", "as_json", is_flag=True, help="Print an object, with the schema of each table.")
@cli.in_workspace
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
    from ioledger import releases  # noqa: PLC0415  (pyarrow and DuckDB load only here)

    asked = place or workspace.build
    try:
        stated, found = releases.read_manifest(asked), releases.digest_folder(asked)
    except releases.UnreadableError as error:
        cli.refuse(Problem(str(error.path), "", error.what, releases.REMEDY, "R-RELEASE-1"))
    if as_json:
        cli.say_json(found)
    else:
        click.echo(found.release_id)
        rows = [(name, table.rows, table.content_sha256) for name, table in found.tables.items()]
        cli.print_table(("table", "rows", "content_sha256"), rows, is_first_whole=True)
    cli.end_with(releases.check_ids(asked, stated, found))


DIFFERS, TROUBLE = 1, 2
"""Exit codes, as those of ``diff``."""
RULE = "R-DIFFERENCE-1"


@click.command(cls=cli.Command)
@click.argument("before")
@click.argument("after")
@click.option("--limit", type=click.IntRange(0), default=10, show_default=True, metavar="N",
              help="Rows to show per table and change; 0 shows all. Counts are always of all.")  # fmt: skip
@click.option("--json", "as_json", is_flag=True, help="Print a JSON object.")
@click.option("--markdown", is_flag=True, help="Print Markdown, as CHANGES.md of a release.")
@click.option("--cache", type=cli.FOLDER, help="Folder for builds of commits (default: among the user's caches).")
@cli.in_workspace
def diff(  # noqa: PLR0913  (one parameter per option)
    before: str, after: str, limit: int, workspace: Workspace, cache: Path | None, *, as_json: bool, markdown: bool
) -> None:
    """
    List the rows that differ between two builds.

    Each row has the old value, the new value and their ratio. BEFORE and AFTER are folders of a build or a release, or
    commits of the checkout. A commit is built with its own code in a separate folder, which takes as long as a build,
    and cached.

    For each submission with such rows the output says whether its files, its manifest or the version of its reader
    changed. If none of them did, the code that builds the tables changed.

    Exit codes: 0 nothing differs, 1 something differs, 2 the comparison failed.

    \b
    Examples:
      ioledger diff HEAD^ HEAD
        Nothing differs: every table has the same rows.
      ioledger diff HEAD build --limit 3
        Tables that differ: 5. Rows: 6 added, 0 removed, 3 changed.
      ioledger diff v1 build --markdown > report.md
    """  # noqa: D301
    cli.choose_form(json=as_json, markdown=markdown)
    if not before or not after:
        cli.refuse_call("it is empty; the current folder is .", "AFTER" if before else "BEFORE")
    found = _compare(before, after, limit, workspace, cache)
    from ioledger.releases import diff as differences  # noqa: PLC0415  (pyarrow and DuckDB load only here)

    if as_json:
        cli.say_json(found)
    elif markdown:
        click.echo(differences.format_markdown(found), nl=False)
    else:
        click.echo(f"{before} → {after}")
        click.echo(differences.format_headline(found))
        for title, head, rows in differences.list_sections(found):
            click.echo(f"{title}:")
            cli.print_table(head, [[one_line(cell) for cell in row] for row in rows], is_first_whole=True)
    if found["tables"]:
        sys.exit(DIFFERS)


def _compare(before: str, after: str, limit: int, workspace: Workspace, cache: Path | None) -> dict[str, Any]:
    """Return what differs; end the command with 2, which never means a difference, where the two cannot be compared."""
    import duckdb  # noqa: PLC0415  (heavy; other commands do without)

    from ioledger.releases import UnreadableError, commits  # noqa: PLC0415
    from ioledger.releases import diff as differences  # noqa: PLC0415

    checkout, folders = workspace.folder if workspace.is_checkout else ROOT, []
    for name in (before, after):
        what, remedy = "it is no folder, and no commit of this checkout", "Name a build, a release, or a commit."
        found: Path | Problem = Problem(name, "", what, remedy, RULE)
        if Path(name).is_dir():
            found = Path(name)
        elif commit := commits.find_commit(checkout, name):
            found = commits.build_commit(checkout, commit, name, cli.say, cache)
        if isinstance(found, Problem):
            cli.refuse(found, TROUBLE)
        folders.append(found)
    try:
        return differences.compare(folders[0], folders[1], (before, after), limit or None)
    except UnreadableError as error:
        remedy = "Name a folder that a build or a release made."
        cli.refuse(Problem(str(error.path), "", error.what, remedy, RULE), TROUBLE)
    except (duckdb.Error, OSError, LookupError) as error:
        remedy = "Run ioledger digest on both; it names a table that is damaged."
        cli.refuse(Problem(f"{before} {after}", "", f"they cannot be compared: {error}", remedy, RULE), TROUBLE)
