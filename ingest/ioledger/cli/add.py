"""The commands ``ioledger add`` and ``import``, which write submissions."""

from __future__ import annotations

import sys
from contextlib import ExitStack
from pathlib import Path
from typing import TYPE_CHECKING

import click

from ioledger import cli

if TYPE_CHECKING:
    from ioledger.imports.making import Import
    from ioledger.workspace import Workspace

PATH = click.Path(exists=True, path_type=Path)


@click.command(cls=cli.Command)
@click.argument("files", nargs=-1, required=True, metavar="FILE|FOLDER|ARCHIVE...",
                type=click.Path(exists=True, readable=False, path_type=Path))  # fmt: skip
@click.option("--manifest", required=True, type=click.Path(exists=True, dir_okay=False, path_type=Path),
              help="Manifest that ioledger collect wrote, completed by you.")  # fmt: skip
@click.option("--subject", help="Last part of the folder's name (default: the first device).")
@click.option("--configuration", "configurations", multiple=True, metavar="[FILE=]CONFIGURATION",
              type=cli.match_words("(?:(.+)=)?([^=]+)", "CONFIGURATION or FILE=CONFIGURATION"),
              help="Configuration of one file or of all, if the content is ambiguous.")  # fmt: skip
@click.option("--repetition", "repetitions", multiple=True, metavar="NAME=NUMBER",
              type=cli.match_words("(.+)=(0*[1-9][0-9]*)", "NAME=NUMBER"), help="Repetition of a file.")  # fmt: skip
@click.option("--run", "runs", multiple=True, metavar="LOG=RUN[,POINT]",
              type=cli.match_words("([^=]+)=(.+)", "LOG=RUN or LOG=RUN,POINT"),
              help="Run that a log belongs to, if the content is ambiguous.")  # fmt: skip
@click.option("--state", "statements", multiple=True, type=cli.STATEMENT, metavar="FIELD=VALUE",
              help="Value of a field of the manifest, as --state firmware=8DV10171.")  # fmt: skip
@click.option("--attachment", "attachments", multiple=True, metavar="NAME", help="Add this file without reading it.")
@cli.in_workspace
@cli.with_data
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
    from ioledger.add import Options, guidance, making  # noqa: PLC0415
    from ioledger.submission.warnings import private_warnings_of  # noqa: PLC0415

    options = Options(
        configurations=dict(configurations), repetitions={name: int(number) for name, number in repetitions},
        attachments=frozenset(attachments), subject=subject, runs=dict(runs), states=dict(statements),
    )  # fmt: skip
    folder, problems = making.add(files, manifest, data or workspace.data, options, _ask, cli.say)
    cli.end_with(problems, "nothing was added")
    click.echo(str(folder))
    cli.report(private_warnings_of(folder) if folder else (), "warning: ")
    for line in guidance.describe(folder, workspace.database) if folder else ():
        cli.say(line)
    cli.say("Read manifest.yaml once more, then open a pull request that adds this folder.")


def _ask(question: str, answers: list[str]) -> str | None:
    """Ask on a terminal; without one there is no answer."""
    if not sys.stdin.isatty():
        return None
    return str(click.prompt(question, type=click.Choice(answers), err=True))


@click.command("import", cls=cli.Command)
@click.argument("stated", metavar="MAPPING.csv|DATA-FOLDER", type=PATH)
@click.argument("originals", metavar="CHECKOUT-OR-ARCHIVE", type=PATH)
@click.option("-o", "--output", type=click.Path(file_okay=False, path_type=Path), help="Folder to write.")
@click.option("--verify", "is_verifying", is_flag=True, help="Write nothing; list every cell that differs.")
def import_(stated: Path, originals: Path, output: Path | None, *, is_verifying: bool) -> None:
    """
    Write a submission of excerpts from published result files.

    With --verify, compare an existing submission with its originals. The command reads the result files from a checkout
    of their repository or from an archive (tar or zip). The excerpt has one row per result, with its place in the
    original. mapping.csv assigns files to configurations; reservations.csv and origin.yaml are in the same folder. If
    there is a problem, nothing is written.

    \b
    Examples:
      ioledger import data/2026-11-ioledger-zns-study/mapping.csv zns-study.tar.xz -o data/2026-11-ioledger-zns-study
        data/2026-11-ioledger-zns-study: 548 results of 548 files; 0 other files left out; manifest.yaml changed
      ioledger import --verify data/2026-11-ioledger-zns-study zns-study.tar.xz
        data/2026-11-ioledger-zns-study: 548 results, 0 cells differ
    """  # noqa: D301
    if is_verifying == (output is not None):
        cli.refuse_call("name the folder to write with -o, or ask with --verify for what differs")
    if output is None:
        _verify(stated, originals)
    else:
        _import(stated, originals, output)


def _import(mapping: Path, place: Path, folder: Path) -> None:
    from ioledger.imports import making  # noqa: PLC0415  (readers load when a command needs them)

    if not folder.parent.is_dir():
        cli.refuse_call(f"{folder}: its folder does not exist", "-o")
    found = _read(mapping, place)
    made = {} if found.problems else making.files(mapping, found)
    columns = ("configuration", "files", "expected", "results", "expected", "and")
    cli.print_table(columns, making.list_counts(found), is_first_whole=True)
    cli.end_with(found.problems, "nothing was written")
    if found.stated is not None and making.holds_other_files(folder, found.stated.origin["repository"]):
        what = "it contains files that are not an import of this repository; name a new or empty folder"
        cli.refuse_call(f"{folder}: {what}", "-o")
    changed = making.write(folder, made)
    cli.say(
        f"{folder}: {len(found.rows)} results of {sum(map(len, found.paths.values()))} files; {found.left_out} other "
        f"files left out; {', '.join(changed) or 'nothing'} changed"
    )


def _verify(folder: Path, place: Path) -> None:
    from ioledger.imports import MAPPING, making  # noqa: PLC0415
    from ioledger.imports.excerpt import verify  # noqa: PLC0415

    if not (folder / MAPPING).is_file():
        cli.refuse_call(f"{folder}: there is no {MAPPING} in it", "DATA-FOLDER")
    found = _read(folder / MAPPING, place)
    made = {} if found.problems else making.files(folder / MAPPING, found)
    cli.end_with(found.problems, "nothing was compared")
    verdict = verify(folder, made)
    if verdict.moved_version:
        cli.say(f"{folder}: the version of ioledger has moved: {verdict.moved_version}")
    cli.end_with(verdict.problems, f"{verdict.result_count} results were compared")
    cli.say(f"{folder}: {verdict.result_count} results, 0 cells differ")


def _read(mapping: Path, place: Path) -> Import:
    """Read the originals, with a bar and the time left on a terminal."""
    from ioledger.imports import making  # noqa: PLC0415

    with ExitStack() as stack:
        return making.read(
            mapping,
            place,
            lambda originals, count: stack.enter_context(
                click.progressbar(originals, count, "reading", file=sys.stderr, hidden=not sys.stderr.isatty())
            ),
        )
