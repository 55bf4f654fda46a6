"""The command ``ioledger verify``."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

import click

from ioledger.cli import FOUND_PROBLEMS, Command, Folder, report, say, say_json

if TYPE_CHECKING:
    from pathlib import Path


@click.command(cls=Command)
@click.argument("release", type=Folder(exists=True))
@click.option("--checkout", type=Folder(exists=True), help="Clone at the commit of the release, built or not.")
@click.option("--json", "as_json", is_flag=True, help="Print an object with the problems.")
def verify(release: Path, checkout: Path | None, *, as_json: bool) -> None:
    """
    Check the files of a release against their SHA-256, and recompute the release id from the tables.

    The command needs no network and builds nothing. With --checkout it also compares raw files, licences and citation
    with the commit, and, if they exist, the tables in build/ and the pages in dist/.

    \b
    Examples:
      ioledger verify ../ioledger-release
        release 80342f35…: 180 files, 39 tables; 0 problems
      ioledger verify ../ioledger-release --checkout . --json
        {"release_id": "80342f35…", "looked_at": {"files": 180, …}, "problems": []}
    """  # noqa: D301
    from ioledger.releases import verify as verifying  # noqa: PLC0415  (pyarrow and DuckDB load only here)

    found = verifying.verify(release, checkout)
    if as_json:
        say_json({"release_id": found.release_id, "looked_at": found.looked_at, "problems": found.problems})
    else:
        report(found.problems)
        counted = ", ".join(f"{count:,} {what}" for what, count in found.looked_at.items())
        number = len(found.problems)
        say(f"release {found.release_id}: {counted}; {number} {'problem' if number == 1 else 'problems'}")
    if found.problems:
        sys.exit(FOUND_PROBLEMS)
