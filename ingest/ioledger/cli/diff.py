"""The command ``ioledger diff``."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any, NoReturn

import click

from ioledger.cli import FOLDER, Command, chosen, in_workspace, print_table, refuse_call, report, say, say_json
from ioledger.problems import Problem, one_line
from ioledger.tables.schema import ROOT

if TYPE_CHECKING:
    from ioledger.workspace import Workspace

LIMIT = 10
SAME, DIFFERS, TROUBLE = 0, 1, 2
"""Exit codes, as those of ``diff``."""
RULE = "R-DIFFERENCE-1"


@click.command(cls=Command)
@click.argument("before")
@click.argument("after")
@click.option("--limit", type=click.IntRange(0), default=LIMIT, show_default=True, metavar="N",
              help="Rows to show per table and change; 0 shows all. Counts are always of all.")  # fmt: skip
@click.option("--json", "as_json", is_flag=True, help="Print a JSON object.")
@click.option("--markdown", is_flag=True, help="Print Markdown, as CHANGES.md of a release.")
@click.option("--cache", type=FOLDER, help="Folder for builds of commits (default: among the user's caches).")
@in_workspace
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
    chosen(json=as_json, markdown=markdown)
    if not before or not after:
        refuse_call("it is empty; the current folder is .", "AFTER" if before else "BEFORE")
    found = _compare(before, after, limit, workspace, cache)
    from ioledger.releases import diff as differences  # noqa: PLC0415  (pyarrow and DuckDB load only here)

    if as_json:
        say_json(found)
    elif markdown:
        click.echo(differences.format_markdown(found), nl=False)
    else:
        click.echo(f"{before} → {after}")
        click.echo(differences.format_headline(found))
        for title, head, rows in differences.list_sections(found):
            click.echo(f"{title}:")
            print_table(head, [[one_line(cell) for cell in row] for row in rows], is_first_whole=True)
    sys.exit(DIFFERS if found["tables"] else SAME)


def _compare(before: str, after: str, limit: int, workspace: Workspace, cache: Path | None) -> dict[str, Any]:
    """Return what differs; end the command with 2, which never means a difference, where the two cannot be compared."""
    import duckdb  # noqa: PLC0415  (heavy; other commands do without)

    from ioledger.releases import UnreadableError, commits  # noqa: PLC0415
    from ioledger.releases import diff as differences  # noqa: PLC0415

    checkout, folders = workspace.folder if workspace.is_checkout else ROOT, []
    for name in (before, after):
        found: Path | Problem = Path(name)
        if not Path(name).is_dir():
            what, remedy = "it is no folder, and no commit of this checkout", "Name a build, a release, or a commit."
            commit = commits.find_commit(checkout, name)
            found = (
                commits.build_commit(checkout, commit, name, say, cache)
                if commit
                else Problem(name, "", what, remedy, RULE)
            )
        if isinstance(found, Problem):
            _fail(found)
        folders.append(found)
    try:
        return differences.compare(folders[0], folders[1], (before, after), limit or None)
    except UnreadableError as error:
        _fail(Problem(str(error.path), "", error.what, "Name a folder that a build or a release made.", RULE))
    except (duckdb.Error, OSError, LookupError) as error:
        remedy = "Run ioledger digest on both; it names a table that is damaged."
        _fail(Problem(f"{before} {after}", "", f"they cannot be compared: {error}", remedy, RULE))


def _fail(problem: Problem) -> NoReturn:
    report([problem])
    sys.exit(TROUBLE)
