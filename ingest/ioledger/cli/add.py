"""The command ``ioledger add``."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING

import click

from ioledger.cli import STATEMENT, Command, end_with, in_workspace, match_words, report, say, with_data

if TYPE_CHECKING:
    from ioledger.workspace import Workspace


@click.command(cls=Command)
@click.argument("files", nargs=-1, required=True, metavar="FILE|FOLDER|ARCHIVE...",
                type=click.Path(exists=True, readable=False, path_type=Path))  # fmt: skip
@click.option("--manifest", required=True, type=click.Path(exists=True, dir_okay=False, path_type=Path),
              help="Manifest that ioledger collect wrote, completed by you.")  # fmt: skip
@click.option("--subject", help="Last part of the folder's name (default: the first device).")
@click.option("--configuration", "configurations", multiple=True, metavar="[FILE=]CONFIGURATION",
              type=match_words("(?:(.+)=)?([^=]+)", "CONFIGURATION or FILE=CONFIGURATION"),
              help="Configuration of one file or of all, if the content is ambiguous.")  # fmt: skip
@click.option("--repetition", "repetitions", multiple=True, metavar="NAME=NUMBER",
              type=match_words("(.+)=(0*[1-9][0-9]*)", "NAME=NUMBER"), help="Repetition of a file.")  # fmt: skip
@click.option("--run", "runs", multiple=True, metavar="LOG=RUN[,POINT]",
              type=match_words("([^=]+)=(.+)", "LOG=RUN or LOG=RUN,POINT"),
              help="Run that a log belongs to, if the content is ambiguous.")  # fmt: skip
@click.option("--state", "statements", multiple=True, type=STATEMENT, metavar="FIELD=VALUE",
              help="Value of a field of the manifest, as --state firmware=8DV10171.")  # fmt: skip
@click.option("--attachment", "attachments", multiple=True, metavar="NAME", help="Add this file without reading it.")
@in_workspace
@with_data
def add(  # noqa: PLR0913  (one parameter per option)
    files: tuple[Path, ...], *, manifest: Path, subject: str | None,
    configurations: tuple[tuple[str | None, str], ...], repetitions: tuple[tuple[str, str], ...],
    runs: tuple[tuple[str, str], ...], statements: tuple[tuple[str, str], ...], attachments: tuple[str, ...],
    workspace: Workspace, data: Path | None,
) -> None:  # fmt: skip
    """
    Make a submission from result files and a manifest.

    The command copies, hashes, links and checks the files. It reads configuration, repetition, job file and run of each
    file from its content; where they are ambiguous, it asks on a terminal. If the check fails, no folder is written.
    Until your folder is merged, add again
    to replace it. A file is a preparation, not a result, if all its jobs are called preparation, precondition,
    preconditioning, precond, prefill or layout.

    \b
    Examples:
      ioledger add plan/*.json plan/*.fio --manifest manifest.yaml
        data/2026-11-you-pm9a3
      ioledger add results/ older.tar.xz --manifest manifest.yaml --state firmware=GDC5602Q
        data/2026-11-you-pm883
      ioledger add a.json b.json --manifest manifest.yaml --configuration a.json=xfs --configuration b.json=ext4
      ioledger add a.json b.json a_bw.1.log --manifest manifest.yaml --run a_bw.1.log=a.json
    """  # noqa: D301
    from ioledger.add import guidance, making  # noqa: PLC0415
    from ioledger.add.linking import Options  # noqa: PLC0415
    from ioledger.submission.warnings import private_warnings_of  # noqa: PLC0415

    options = Options(
        configurations=dict(configurations), repetitions={name: int(number) for name, number in repetitions},
        attachments=frozenset(attachments), subject=subject, runs=dict(runs), states=dict(statements),
    )  # fmt: skip
    folder, problems = making.add(files, manifest, data or workspace.data, options, _ask, say)
    end_with(problems, "nothing was added")
    click.echo(str(folder))
    report(private_warnings_of(folder) if folder else (), "warning: ")
    for line in guidance.describe(folder, workspace.database) if folder else ():
        say(line)
    say("Read manifest.yaml once more, then open a pull request that adds this folder.")


def _ask(question: str, answers: list[str]) -> str | None:
    """Ask on a terminal; without one there is no answer."""
    if not sys.stdin.isatty():
        return None
    return str(click.prompt(question, type=click.Choice(answers), err=True))
