"""The command ``ioledger add``."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING

import click

from ioledger.cli import Command, Statement, end_with, in_workspace, report, say, with_data

if TYPE_CHECKING:
    from ioledger.workspace import Workspace


class _Numbered(click.ParamType[tuple[str, int]]):
    """``NAME=NUMBER``."""

    name = "name=number"

    def convert(self, value: object, param: click.Parameter | None, ctx: click.Context | None) -> tuple[str, int]:
        """Return name and number, or end with a usage error."""
        name, _, number = str(value).rpartition("=")
        if not name or not number.isdigit() or int(number) < 1:
            self.fail(f"{value}: write NAME=NUMBER", param, ctx)
        return name, int(number)


class _Configured(click.ParamType[tuple[str | None, str]]):
    """``CONFIGURATION`` or ``FILE=CONFIGURATION``."""

    name = "[file=]configuration"

    def convert(
        self, value: object, param: click.Parameter | None, ctx: click.Context | None
    ) -> tuple[str | None, str]:
        """Return the file, None for all, and its configuration; or end with a usage error."""
        name, equals, configuration = str(value).rpartition("=")
        if not configuration or (equals and not name):
            self.fail(f"{value}: write CONFIGURATION or FILE=CONFIGURATION", param, ctx)
        return (name if equals else None), configuration


class _Run(click.ParamType[tuple[str, str]]):
    """``LOG=RUN`` or ``LOG=RUN,POINT``."""

    name = "log=run[,point]"

    def convert(self, value: object, param: click.Parameter | None, ctx: click.Context | None) -> tuple[str, str]:
        """Return the log and its run, or end with a usage error."""
        log, _, run = str(value).partition("=")
        if not log or not run:
            self.fail(f"{value}: write LOG=RUN or LOG=RUN,POINT", param, ctx)
        return log, run


@click.command(cls=Command)
@click.argument("files", nargs=-1, required=True, metavar="FILE|FOLDER|ARCHIVE...",
                type=click.Path(exists=True, readable=False, path_type=Path))  # fmt: skip
@click.option("--manifest", required=True, type=click.Path(exists=True, dir_okay=False, path_type=Path),
              help="Manifest that ioledger collect wrote, completed by you.")  # fmt: skip
@click.option("--subject", help="Last part of the folder's name (default: the first device).")
@click.option("--configuration", "configurations", multiple=True, type=_Configured(),
              help="Configuration of one file or of all, if the content is ambiguous.")  # fmt: skip
@click.option("--repetition", "repetitions", multiple=True, type=_Numbered(), help="Repetition of a file.")
@click.option("--run", "runs", multiple=True, type=_Run(),
              help="Run that a log belongs to, if the content is ambiguous.")  # fmt: skip
@click.option("--state", "statements", multiple=True, type=Statement(), metavar="FIELD=VALUE",
              help="Value of a field of the manifest, as --state firmware=8DV10171.")  # fmt: skip
@click.option("--attachment", "attachments", multiple=True, metavar="NAME", help="Add this file without reading it.")
@in_workspace
@with_data
def add(  # noqa: PLR0913  (one parameter per option)
    files: tuple[Path, ...], *, manifest: Path, subject: str | None,
    configurations: tuple[tuple[str | None, str], ...], repetitions: tuple[tuple[str, int], ...],
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
    from ioledger.add.linking import Given  # noqa: PLC0415
    from ioledger.submission.private import private_warnings_of  # noqa: PLC0415

    by_file = dict(configurations)
    given = Given(
        by_file.pop(None, None), dict(repetitions), frozenset(attachments), subject, dict(runs),
        {name: value for name, value in by_file.items() if name is not None}, dict(statements),
    )  # fmt: skip
    folder, problems = making.add(files, manifest, data or workspace.data, given, _ask, say)
    end_with(problems, "nothing was added")
    click.echo(str(folder))
    report(private_warnings_of(folder) if folder else (), "warning: ")
    for line in guidance.of(folder, workspace.database) if folder else ():
        say(line)
    say("Read manifest.yaml once more, then open a pull request that adds this folder.")


def _ask(question: str, answers: list[str]) -> str | None:
    """Ask on a terminal; without one there is no answer."""
    if not sys.stdin.isatty():
        return None
    return str(click.prompt(question, type=click.Choice(answers), err=True))
