"""The commands ``ioledger gate`` and ``report``, which compare the runs of two folders."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING

import click
import msgspec

from ioledger import cli
from ioledger.cli.outputs import keep_inputs
from ioledger.problems import Problem
from ioledger.report import LANGUAGES
from ioledger.system import discard_output, fail_with, replace_file, write_text

if TYPE_CHECKING:
    from typing import NoReturn

    from ioledger.workspace import Workspace

METRICS = ("iops", "throughput", "latency", "p99")
FILE = click.Path(dir_okay=False, path_type=Path)
UNREADABLE = 2
STDOUT = Path("-")


@click.command(cls=cli.Command)
@click.argument("before", metavar="BEFORE")
@click.argument("after", metavar="AFTER")
@click.option("--metric", "metrics", multiple=True, type=click.Choice(METRICS), default=["iops"], show_default=True,
              help="Metric to compare; may be given several times.")  # fmt: skip
@click.option("--margin", type=cli.share, metavar="SHARE", default="5%", show_default=True,
              help="Smaller differences count as equal (p99: at least 15%).")  # fmt: skip
@click.option("--alpha", type=cli.share, metavar="SHARE", default="5%", show_default=True,
              help="Error rate: false better or worse, over all points.")  # fmt: skip
@click.option("--trust-order", is_flag=True, help="Allow better and worse in every order of runs.")
@click.option("--history", is_flag=True, help="Compare sessions, 30 minutes apart; BEFORE needs at least eight.")
@click.option("--json", "json_file", type=FILE, metavar="FILE", help="Write the verdict as JSON; - is standard output.")
@click.option("--markdown", "markdown_file", type=FILE, metavar="FILE", help="Write the verdict and what differs.")
@click.option("--junit", "junit_file", type=FILE, metavar="FILE", help="Write JUnit XML with one test case per point.")
@click.option("--github", is_flag=True, help="Also print annotations for GitHub Actions.")
@cli.in_workspace
@cli.with_database
def gate(  # noqa: PLR0913, PLR0917  (one parameter per option)
    before: str, after: str, metrics: tuple[str, ...], margin: float, alpha: float, json_file: Path | None,
    markdown_file: Path | None, junit_file: Path | None, workspace: Workspace, database: Path | None, *,
    trust_order: bool, history: bool, github: bool,
) -> None:  # fmt: skip
    """
    Say whether a change made storage slower.

    The verdict is for each point and for the whole sweep. BEFORE and AFTER are result files, folders or archives with
    several runs of each point, or published:NAME, a configuration of the database. The verdicts better and worse need
    pairs of runs in random order (ioledger plan --gate), or --trust-order. docs/gate.md describes the tests.

    Exit codes: 0 equal or better, 1 worse, 2 unreadable input or wrong usage, 3 undecided, 4 nothing to compare.

    \b
    Examples:
      ioledger gate before/ after/
        Worse: random read, 4 KiB, depth 8 -9.8 %, slower
      ioledger gate before/ after/ --metric iops --metric p99 --margin 3%
        Undecided: random read, 4 KiB, depth 16 -81.5 % (order not excluded: fixed order)
      ioledger gate nightly/ tonight/ --history --junit gate.xml
      ioledger gate published:ext4-file results/ --json -
    """  # noqa: D301
    fail_with(UNREADABLE)  # 1 says that it is worse
    if "" in {before, after}:
        cli.refuse_call("one of the names is empty; a folder as a whole is named by .", "BEFORE AFTER")
    written = {"--markdown": markdown_file, "--junit": junit_file, "--json": None if json_file == STDOUT else json_file}
    files = {option: path for option, path in written.items() if path is not None}
    keep_inputs([*files.items()], [before, after, database or workspace.database])
    from ioledger.gating import verdict as formats  # noqa: PLC0415
    from ioledger.gating.points import METRICS as COLUMNS  # noqa: PLC0415  (it loads what reads files)
    from ioledger.gating.run import Asked, judge  # noqa: PLC0415

    columns = tuple(dict.fromkeys(COLUMNS[metric] for metric in metrics))
    asked = Asked(columns, margin, alpha, trust_order, history, database or workspace.database)
    try:
        found = judge(before, after, asked)
    except FileNotFoundError as error:
        _refuse_missing(error, UNREADABLE)
    write = {
        "--json": lambda: msgspec.json.format(msgspec.json.encode(found.as_dict()), indent=2) + b"\n",
        "--junit": lambda: formats.write_junit(found),
        "--markdown": lambda: formats.write_markdown(found).encode(),
    }
    for option, path in files.items():
        with replace_file(path) as stream:
            stream.write(write[option]())
    try:
        if json_file == STDOUT:
            cli.say_json(found.as_dict())
        else:
            click.echo(found.text(cli.output_width(), is_terminal=sys.stdout.isatty(), has_problems=False))
            for line in found.problems:
                cli.say(line)
    except BrokenPipeError:
        discard_output()
    if github:
        cli.say("\n".join(formats.list_annotations(found)))
    sys.exit(found.exit_code)


def _refuse_missing(error: FileNotFoundError, code: int) -> NoReturn:
    what, remedy = "there is no such file or folder", "Check the path."
    cli.refuse(Problem(str(error.filename), "", what, remedy, "R-FILE-8"), code)


@click.command("report", cls=cli.Command)
@click.argument("paths", nargs=-1, required=True, metavar="DIR [OTHER]")
@click.option("-o", "--output", required=True, type=FILE, help="The page (.html).")
@click.option("--language", default="en", show_default=True, type=click.Choice(LANGUAGES), help="Language of the page.")
def report_(paths: tuple[str, ...], output: Path, language: str) -> None:
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
        cli.refuse_call("name one folder, or two that are compared", "DIR")
    keep_inputs([("-o", output)], paths)
    from ioledger.report.page import make_page  # noqa: PLC0415  (it loads what reads files)

    try:
        page = make_page(paths, language)
    except FileNotFoundError as error:
        _refuse_missing(error, cli.FOUND_PROBLEMS)
    write_text(output, page.html)
    click.echo(str(output))
    cli.end_with(page.problems)
