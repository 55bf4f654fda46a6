"""The command ``ioledger diff``."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING

import click

from ioledger.cli import FOLDER, in_workspace, print_rows, report, say, say_json
from ioledger.problems import Problem, one_line
from ioledger.tables.schema import ROOT

if TYPE_CHECKING:
    from ioledger.releases.changes import Difference
    from ioledger.releases.sides import Side
    from ioledger.workspace import Workspace

LIMIT = 10
SHOWN_CHARACTERS = 300
SAME, DIFFERS, TROUBLE = 0, 1, 2
"""Exit codes, as those of ``diff``."""


@click.command()
@click.argument("before")
@click.argument("after")
@click.option("--limit", type=click.IntRange(0), default=LIMIT, show_default=True, metavar="N",
              help="Rows to show per table; 0 shows all. Counts are always of all.")  # fmt: skip
@click.option("--json", "as_json", is_flag=True, help="Print a JSON object.")
@click.option("--markdown", is_flag=True, help="Print Markdown, as the report of a release.")
@click.option("--cache", type=FOLDER, help="Where builds of commits are kept (default: among the user's caches).")
@in_workspace
def diff(  # noqa: PLR0913  (one parameter per option)
    before: str, after: str, limit: int, workspace: Workspace, cache: Path | None, *, as_json: bool, markdown: bool
) -> None:
    """
    Say what differs between two builds: rows added and removed, numbers moved, and why.

    BEFORE and AFTER are folders that a build or a release made, or commits of the checkout. A commit is built aside by
    its own code, which takes as long as a build; it is kept, so that the next comparison is quick. Of two commits that
    differ in code and in data, the data of one is built by the code of the other too, which tells apart what code moved
    and what data moved.

    Each row that differs has its cause: data, reader version, model or judgement; unknown, with the reason, where
    evidence does not decide.

    Ends with 0 where nothing differs, with 1 where something does, and with 2 when it cannot be told.

    \b
    Examples:
      ioledger diff HEAD^ HEAD
      ioledger diff HEAD build --limit 3
      ioledger diff v1 build --markdown > report.md
    """  # noqa: D301
    if as_json and markdown:
        message = "it is JSON or Markdown, not both"
        raise click.BadParameter(message, param_hint="--markdown")
    if not before or not after:
        message = "it is empty; the current folder is ."
        raise click.BadParameter(message, param_hint="BEFORE" if not before else "AFTER")
    difference = _difference(before, after, limit, workspace, cache)
    if as_json:
        say_json(difference)
    elif markdown:
        from ioledger.releases.shown import markdown as as_markdown  # noqa: PLC0415

        click.echo(as_markdown(difference), nl=False)
    else:
        _print(difference)
    sys.exit(SAME if difference.is_same else DIFFERS)


def _difference(before: str, after: str, limit: int, workspace: Workspace, cache: Path | None) -> Difference:
    """Return what differs; what cannot be told ends the command with its own code, which never means a difference."""
    import duckdb  # noqa: PLC0415  (heavy; other commands do without)
    from pyarrow import ArrowException  # noqa: PLC0415

    from ioledger.releases.difference import compare  # noqa: PLC0415
    from ioledger.releases.rebuilt import between  # noqa: PLC0415
    from ioledger.releases.sides import RULE  # noqa: PLC0415

    try:
        found = [_side(name, workspace, cache) for name in (before, after)]
        sides = [side for side in found if not isinstance(side, Problem)]
        report(side for side in found if isinstance(side, Problem))
        if len(sides) < len(found):
            sys.exit(TROUBLE)
        first, second = sides
        return compare(first, second, limit or None, between(_checkout(workspace), first, second, say, cache))
    except (duckdb.Error, ArrowException, ValueError, LookupError, OSError, RecursionError) as error:
        what = f"they cannot be compared: {one_line(str(error))[:SHOWN_CHARACTERS] or type(error).__name__}"
        remedy = "Look at both with ioledger digest, which names the table that is not what its manifest says."
        report([Problem(f"{before} {after}", "", what, remedy, RULE)])
        sys.exit(TROUBLE)


def _side(name: str, workspace: Workspace, cache: Path | None) -> Side | Problem:
    """Return what a name means: a folder where there is one, else a commit."""
    from ioledger.releases import rebuilt, sides  # noqa: PLC0415

    if Path(name).is_dir():
        return sides.of_folder(Path(name), name)
    checkout = _checkout(workspace)
    commit = rebuilt.commit_of(checkout, name)
    if commit is None:
        what = "it is no folder, and no commit of this checkout"
        return Problem(name, "", what, "Name a folder that a build or a release made, or a commit.", sides.RULE)
    return rebuilt.of_commit(checkout, commit, name, say, cache)


def _checkout(workspace: Workspace) -> Path:
    """Return where commits are looked for."""
    return workspace.folder if workspace.is_checkout else ROOT


def _print(difference: Difference) -> None:
    """Print all of it for people: what was compared, what differs in the code, and the rows of each table."""
    from ioledger.releases import shown  # noqa: PLC0415

    before, after = shown.named(difference)
    click.echo(f"{before} → {after}")
    click.echo(shown.headline(difference))
    for line in shown.code(difference):
        click.echo(f"  {line}")
    if difference.tables:
        print_rows(shown.SUMMARY, [shown.summary(table) for table in difference.tables], is_first_whole=True)
    for table in difference.tables:
        click.echo(f"{table.name}: {shown.left(table)}".rstrip(" :"))
        for head, rows in ((shown.WHOLE, shown.whole(table)), (shown.CHANGES, shown.changes(table))):
            if listed := list(rows):
                print_rows(head, [[one_line(cell) for cell in line] for line in listed])
