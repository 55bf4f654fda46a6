"""The command ``ioledger import``: excerpts of originals that lie elsewhere, made or held against them."""

from __future__ import annotations

import sys
from contextlib import ExitStack
from pathlib import Path
from typing import TYPE_CHECKING

import click

from ioledger.cli import Command, end_with, print_table, refuse_call, say

if TYPE_CHECKING:
    from ioledger.imports.making import Import

PATH = click.Path(exists=True, path_type=Path)
COLUMNS = ("configuration", "files", "expected", "results", "expected", "and")


@click.command("import", cls=Command)
@click.argument("stated", metavar="MAPPING.csv|DATA-FOLDER", type=PATH)
@click.argument("originals", metavar="CHECKOUT-OR-ARCHIVE", type=PATH)
@click.option("-o", "--output", type=click.Path(file_okay=False, path_type=Path), help="Folder to write.")
@click.option("--verify", "is_verifying", is_flag=True, help="Write nothing; list every cell that differs.")
def imports(stated: Path, originals: Path, output: Path | None, *, is_verifying: bool) -> None:
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
        refuse_call("name the folder to write with -o, or ask with --verify for what differs")
    if is_verifying:
        _verify(stated, originals)
        return
    if output is not None:
        _import(stated, originals, output)


def _import(mapping: Path, place: Path, folder: Path) -> None:
    from ioledger.imports import making  # noqa: PLC0415  (readers load when a command needs them)

    if not folder.parent.is_dir():
        refuse_call(f"{folder}: its folder does not exist", "-o")
    found = _read(mapping, place)
    made = {} if found.problems else making.files(mapping, found)
    print_table(COLUMNS, making.list_counts(found), is_first_whole=True)
    end_with(found.problems, "nothing was written")
    if found.stated is not None and making.holds_other_files(folder, found.stated.origin["repository"]):
        what = "it contains files that are not an import of this repository; name a new or empty folder"
        refuse_call(f"{folder}: {what}", "-o")
    changed = making.write(folder, made)
    say(
        f"{folder}: {len(found.rows)} results of {sum(map(len, found.paths.values()))} files; {found.left_out} other "
        f"files left out; {', '.join(changed) or 'nothing'} changed"
    )


def _verify(folder: Path, place: Path) -> None:
    from ioledger.imports import making  # noqa: PLC0415
    from ioledger.imports.excerpt import verify  # noqa: PLC0415
    from ioledger.imports.mapping import MAPPING  # noqa: PLC0415

    if not (folder / MAPPING).is_file():
        refuse_call(f"{folder}: there is no {MAPPING} in it", "DATA-FOLDER")
    found = _read(folder / MAPPING, place)
    made = {} if found.problems else making.files(folder / MAPPING, found)
    end_with(found.problems, "nothing was compared")
    verdict = verify(folder, made)
    end_with(verdict.unreadable, "nothing was compared")
    if verdict.moved_version:
        say(f"{folder}: the version of ioledger has moved: {verdict.moved_version}")
    end_with(verdict.problems, f"{verdict.result_count} results were compared")
    say(f"{folder}: {verdict.result_count} results, 0 cells differ")


def _read(mapping: Path, place: Path) -> Import:
    """Read the originals, with a bar and the time left on a terminal."""
    from ioledger.imports import making  # noqa: PLC0415

    if not sys.stderr.isatty():
        return making.read(mapping, place, lambda originals, _: originals)
    with ExitStack() as stack:
        return making.read(
            mapping,
            place,
            lambda originals, count: stack.enter_context(
                click.progressbar(originals, count, label="reading", file=sys.stderr)
            ),
        )
