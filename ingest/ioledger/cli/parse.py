"""The command ``ioledger parse``."""

from __future__ import annotations

import sys
from pathlib import Path

import click

from ioledger.cli import parsing
from ioledger.measurement.parse import RESULTS, TABLES


@click.command()
@click.argument(
    "paths", nargs=-1, required=True, metavar="FILE...", type=click.Path(exists=True, readable=False, path_type=Path)
)
@click.option(
    "-o",
    "--output",
    "outputs",
    multiple=True,
    type=click.Path(dir_okay=False, path_type=Path),
    help="Write rows to this file (.jsonl, .csv, .arrow or .parquet); may be given several times.",
)
@click.option(
    "--table",
    "tables",
    multiple=True,
    type=(click.Choice(TABLES), click.Path(dir_okay=False, path_type=Path)),
    metavar="NAME FILE",
    help=f"Write this table to a file: {', '.join(TABLES)}.",
)
@click.option("--summary", is_flag=True, help="Print a table of folders instead of rows.")
def parse(
    paths: tuple[Path, ...], outputs: tuple[Path, ...], tables: tuple[tuple[str, Path], ...], *, summary: bool
) -> None:
    """
    Turn result files into rows; folders are read with everything below them.

    Without an output the results are printed as JSON lines. -o writes results; --table writes them or what belongs to
    them: percentiles and histogram bins (by result_id), samples of logs, findings, which say what is doubtful in a
    file, and files, which say what became of each. Files that cannot be read are named on standard error, each with
    the reason, and the exit code is 1.

    \b
    Examples:
      ioledger parse data/2026-11-ioledger-virtual-disk-scrambled/database.1.json
      ioledger parse results/ -o rows.parquet -o rows.csv
      ioledger parse results/ -o rows.parquet --table latency_bins bins.parquet --table findings doubts.csv
      ioledger parse results/ --summary
    """  # noqa: D301
    wanted = [*((RESULTS, path) for path in outputs), *tables]
    parsing.refuse_unknown(wanted)
    refused = parsing.run(paths, wanted, summary=summary)
    if refused:
        sys.exit(1)
