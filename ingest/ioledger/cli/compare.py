"""The command ``ioledger compare``."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING

import click
import msgspec

from ioledger.tables.schema import ROOT

FILE_WIDTH = 10_000
"""Characters per line for what goes to a file or a program: nothing is cut or wrapped there."""

if TYPE_CHECKING:
    from ioledger.cli.comparing import Comparison


@click.command()
@click.argument("a")
@click.argument("b")
@click.option("--json", "as_json", is_flag=True, help="Print a JSON object.")
@click.option(
    "--database", default=ROOT / "build" / "ioledger.duckdb", type=click.Path(path_type=Path), help="File to ask."
)
def compare(a: str, b: str, *, as_json: bool, database: Path) -> None:
    """
    Put two configurations side by side: how many times better A is, by load profile, and what differs between them.

    A configuration is named by itself where the name stands once, or as submission/configuration. Each quotient carries
    its grade and the reasons for it; grade X gives no quotient.

    \b
    Examples:
      ioledger compare cmp-p3700 cmp-hdd
      ioledger compare 2016-03-fujitsu-p3700/p3700-1x 2026-11-ioledger-virtual-disk-scrambled/ext4-file --json
    """  # noqa: D301
    from ioledger.cli import comparing  # noqa: PLC0415  (DuckDB loads only here)

    found, problems = comparing.compare(database, a, b)
    for problem in problems:
        click.echo(str(problem), err=True)
    if found is None:
        sys.exit(1)
    if as_json:
        click.echo(msgspec.json.format(msgspec.json.encode(found), indent=2))
    else:
        _print(found)


def _print(found: Comparison) -> None:
    from rich.console import Console  # noqa: PLC0415  (only for people)
    from rich.table import Table  # noqa: PLC0415
    from rich.text import Text  # noqa: PLC0415

    console = Console(width=None if sys.stdout.isatty() else FILE_WIDTH)
    left, right = "/".join(found.a), "/".join(found.b)
    console.print(Text(f"A  {left}\nB  {right}\n"))
    if not found.quotients:
        console.print("No quotient: a condition that decides differs, or the two have no load profile in common.\n")
    notes = sorted({str(row["comparability_reasons"] or "") for row in found.quotients} - {""})
    quotients = Table("load profile", "metric", "basis", "A is better by", "grade", "note", header_style="bold")
    for row in found.quotients:
        texts = ("load_profile", "metric", "basis", "quotient_display_text", "comparability_grade")
        note = str(notes.index(row["comparability_reasons"]) + 1) if row["comparability_reasons"] else ""
        quotients.add_row(*(Text(str(row[name])) for name in texts), note)
    differences = Table("what differs", "A", "B", header_style="bold")
    for row in found.differences:
        differences.add_row(*(Text(row[name]) for name in ("field", "a", "b")))
    for table in (quotients, differences):
        for column in table.columns:
            column.overflow = "fold"
        if table.row_count:
            console.print(table)
    for number, note in enumerate(notes, 1):
        console.print(Text(f"note {number}: {note}"))
    console.print(Text(f"{found.same_count} fields are the same."))
