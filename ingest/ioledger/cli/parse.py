"""The command ``ioledger parse``: files in, rows out, and a count of what was read, refused and ignored."""

from __future__ import annotations

import sys
from collections import Counter
from contextlib import ExitStack, closing
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

import click

from ioledger.cli import FOUND_PROBLEMS, Command, refuse_call, say
from ioledger.cli.outputs import BINARY, FORMATS, LINES, METRICS, STORED, TABLE, Output, inputs_left, opened
from ioledger.cli.parse_summary import Summary, format_kinds
from ioledger.loading.files import STDIN, list_files
from ioledger.loading.parse import RESULTS, TABLES, chunks
from ioledger.problems import plain

if TYPE_CHECKING:
    from collections.abc import Sequence

OUTPUT = click.Path(dir_okay=False, path_type=Path)
FINDINGS = "findings"
NOWHERE = Path("-")
"""What stands for standard output on the command line."""


@click.command(cls=Command)
@click.argument("paths", nargs=-1, required=True, metavar="FILE...")
@click.option("-o", "--output", "outputs", multiple=True, type=OUTPUT, help="Write results to this file (.jsonl, .csv, "
              ".arrow or .parquet), or to - for standard output; may be given several times.")  # fmt: skip
@click.option("--format", "form", type=click.Choice(FORMATS), help="Format of standard output, and of files without an "
              "extension (default: table on a terminal, else jsonl).")  # fmt: skip
@click.option("--table", "tables", multiple=True, type=(click.Choice(TABLES), OUTPUT), metavar="NAME FILE",
              help=f"Write this table to a file or -: {', '.join(TABLES)}.")  # fmt: skip
@click.option("--summary", is_flag=True, help="Print counts per folder instead of rows.")
@click.option("--json", "as_json", is_flag=True, help="With --summary: print counts and problems as JSON.")
@click.option("--details", is_flag=True, help="Print every refused file and every finding on its own line.")
@click.option("-q", "--quiet", is_flag=True, help="Print errors only.")
def parse(  # noqa: PLR0913  (one for each option)
    paths: tuple[str, ...],
    outputs: tuple[Path, ...],
    form: str | None,
    tables: tuple[tuple[str, Path], ...],
    *,
    summary: bool,
    as_json: bool,
    details: bool,
    quiet: bool,
) -> None:
    """
    Read result files and write one row per result.

    Folders are read recursively, archives with all their files; - is standard input. Without -o, a terminal shows a
    table, and a pipe gets JSON lines. --table writes results or a table that belongs to them: percentiles and histogram
    bins (by result_id), samples of logs, disk_counters (counters of the kernel), findings (contradictions in a file),
    and files (read, refused or ignored, with the reason). Standard error lists each file that cannot be read, with the
    reason; a terminal shows one example per fault. Files that are not results (pictures, earlier outputs) are ignored
    and counted.

    Exit codes: 0 all result files were read, 1 a result file was refused, or a named file is missing or is not a
    result, 2 wrong usage.

    \b
    Examples:
      ioledger parse data/2026-11-ioledger-virtual-disk-scrambled/database.1.json
        database.1.json   qd001   read        8 KiB       1    7,261   59.48     86.77    122.4
      ioledger parse results/ -o rows.parquet -o rows.csv
        25 files: 24 read (96%), 1 ignored (1 x a description of a submission), 0 refused, 243 results
      ioledger parse results/ -o rows.parquet --table latency_bins bins.parquet --table findings doubts.csv
      ioledger parse results/ --summary --json
      fio --output-format=json job.fio | ioledger parse - --format openmetrics
    """  # noqa: D301
    if "" in paths:
        refuse_call("a name is empty; use . for the current folder", "FILE")
    if as_json and not summary:
        refuse_call("it belongs to --summary; use --format jsonl for rows", "--json")
    wanted = _make_outputs([*((RESULTS, path) for path in outputs), *tables], form, is_needed=not summary)
    if summary and any(output.path is None for output in wanted):
        refuse_call("the summary is printed there; name a file for the rows", "-o -")
    if run(paths, wanted, quiet=quiet, details=details, summary=summary, as_json=as_json):
        sys.exit(FOUND_PROBLEMS)


def _make_outputs(named: Sequence[tuple[str, Path]], form: str | None, *, is_needed: bool) -> list[Output]:
    """Return what is to be written; standard output when nothing is named. Raise a usage error for what cannot be."""
    if not named and is_needed:
        named = [(RESULTS, NOWHERE)]
    elif form and all(path != NOWHERE and path.suffix[1:] in STORED for _, path in named):
        what = "nothing goes to standard output, and extensions give the formats"
        refuse_call(f"--format has no effect: {what}", "--format")
    outputs = [_make_output(table, path, form) for table, path in named]
    if [output.path for output in outputs].count(None) > 1:
        refuse_call("standard output: several outputs would write this file; name one file for each", "-o -")
    return outputs


def _make_output(table: str, path: Path, form: str | None) -> Output:
    is_stored, to_terminal = path != NOWHERE, sys.stdout.isatty()
    said = path.suffix[1:] if path.suffix[1:] in STORED else form
    output = Output(table, path if is_stored else None, said or (TABLE if to_terminal else LINES))
    refuse = partial(refuse_call, parameter=_name_option(output))
    if is_stored and said in {None, TABLE}:
        refuse(f"{path}: unknown extension; use one of .{', .'.join(STORED)}, or --format")
    if is_stored and not path.parent.is_dir():
        refuse(f"{path}: the folder does not exist")
    if output.format == METRICS and table != RESULTS:
        refuse(f"{METRICS} is for results only, not for {table}")
    if output.format in BINARY and not is_stored and to_terminal:
        refuse(f"{output.format} is not for terminals: write it to a file, or into a pipe")
    return output


def _name_option(output: Output) -> str:
    return "-o" if output.table == RESULTS else "--table"


def run(  # noqa: PLR0913  (one for each option)
    paths: Sequence[str | Path],
    outputs: Sequence[Output],
    *,
    quiet: bool = False,
    details: bool = False,
    summary: bool = False,
    as_json: bool = False,
) -> int:
    """Read the files, write the tables, say what was refused; return how many files make the command fail."""
    named = frozenset(map(str, paths))
    found, empty, skipped = _list_inputs(paths)
    found = inputs_left([(_name_option(each), each.path) for each in outputs if each.path], found, named)
    totals = Summary(named, len(found), skipped, is_quiet=quiet, is_detailed=details, is_json=as_json)
    lines = any(output.is_lines for output in outputs)
    tables = {name for output in outputs for name in output.needs}
    with ExitStack() as stack:
        writers = [stack.enter_context(opened(output)) for output in outputs]
        stack.callback(totals.end_progress)
        wanted = sorted(tables, key=TABLES.index)
        findings = totals.shows_findings and (bool(tables) or details)
        read = chunks(found, lines=lines, tables=wanted, findings=findings, named=named)
        # closed first, so that processes end before what is being written is given up
        for chunk in stack.enter_context(closing(read)):
            totals.end_progress()
            totals.add(chunk)
            for write in writers:
                write(chunk)
            totals.show_progress()
    if summary:
        totals.print_counts(as_json=as_json)
    totals.print_grouped()
    if not quiet and not as_json:
        for folder in empty:
            say(f"{plain(folder)}: this folder has no files")
        if summary or totals.has_more_than_rows:
            say(totals.format_counts(has_findings_file=any(output.table == FINDINGS for output in outputs)))
        if summary and totals.skipped:
            say(f"skipped: {format_kinds(totals.skipped)}")
    return totals.failed


def _list_inputs(paths: Sequence[str | Path]) -> tuple[list[str], list[str], Counter[str]]:
    """Return the files to read, each once, the folders without any, and what is not looked at, counted by kind."""
    found: dict[str, None] = {}
    skipped = Counter[str]()
    empty = []
    for path in paths:
        place = Path(path)
        if path != STDIN and place == NOWHERE:
            place = place.absolute()  # a file that is called so, named as ./-
        below = list(list_files([place], skipped))
        found.update(dict.fromkeys(below))
        if not below:
            empty.append(str(path))
    return list(found), empty, skipped
