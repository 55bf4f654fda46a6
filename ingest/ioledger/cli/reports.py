"""The command ``ioledger report``: results as one page that needs nothing else."""

from __future__ import annotations

from pathlib import Path

import click

from ioledger.cli import Command, end_with, refuse_call
from ioledger.cli.outputs import keep_inputs
from ioledger.problems import Problem
from ioledger.report.words import LANGUAGES


@click.command("report", cls=Command)
@click.argument("paths", nargs=-1, required=True, metavar="DIR [OTHER]")
@click.option(
    "-o", "--output", required=True, type=click.Path(dir_okay=False, path_type=Path), help="The page (.html)."
)
@click.option("--language", default="en", show_default=True, type=click.Choice(LANGUAGES), help="Language of the page.")
def reports(paths: tuple[str, ...], output: Path, language: str) -> None:
    """
    Write results as one HTML page with charts and sources.

    DIR is a folder, a file or an archive. With OTHER, the page compares both with the tests of ioledger gate. The page
    has no scripts and loads nothing, so you can send or attach it as one file.

    The page and standard error list each file that cannot be read. Exit codes: 0 all files were read, 1 some were not
    (the page is written, unless a folder is missing), 2 wrong usage.

    \b
    Examples:
      ioledger report results/ -o results.html
        results.html
      ioledger report before/ after/ -o change.html --language ja
        change.html
    """  # noqa: D301
    if len(paths) > 2 or "" in paths:  # noqa: PLR2004  (A and B)
        refuse_call("name one folder, or two that are compared", "DIR")
    keep_inputs([("-o", output)], paths)
    from ioledger.report.page import make_page  # noqa: PLC0415  (it loads what reads files)
    from ioledger.system import write_text  # noqa: PLC0415

    try:
        page = make_page(paths, language)
    except FileNotFoundError as error:
        end_with([Problem(str(error.filename), "", "there is no such file or folder", "Check the path.", "R-FILE-8")])
        return
    write_text(output, page.html)
    click.echo(str(output))
    end_with(page.problems)
