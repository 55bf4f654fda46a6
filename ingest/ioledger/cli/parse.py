"""The command ``ioledger parse``: files in, rows out, and a count of what was read, refused and ignored."""

from __future__ import annotations

import os
import sys
from collections import Counter
from contextlib import ExitStack, closing
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

import click

from ioledger.cli import FOUND_PROBLEMS, Command, pluralise, print_table, refuse_call, report, say, say_json
from ioledger.cli.outputs import BINARY, FORMATS, LINES, METRICS, STORED, TABLE, Output, inputs_left, open_output
from ioledger.loading.files import STDIN, list_files
from ioledger.loading.parse import CHUNK_FILES, RESULTS, TABLES, chunks
from ioledger.problems import plain

if TYPE_CHECKING:
    from collections.abc import Container, Sequence

    from ioledger.loading.copies import Chunk, File
    from ioledger.problems import Problem

OUTPUT = click.Path(dir_okay=False, path_type=Path)
COUNTS = ("files", "read", "ignored", "refused", "results", "findings")
UNKNOWN = "R-DETECT-1"
"""The rule of a file that no reader knows: below a folder it need not be a result."""
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
    paths: tuple[str, ...], outputs: tuple[Path, ...], form: str | None, tables: tuple[tuple[str, Path], ...], *,
    summary: bool, as_json: bool, details: bool, quiet: bool,
) -> None:  # fmt: skip
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
    paths: Sequence[str | Path], outputs: Sequence[Output], *,
    quiet: bool = False, details: bool = False, summary: bool = False, as_json: bool = False,
) -> int:  # fmt: skip
    """Read the files, write the tables, say what was refused; return how many files make the command fail."""
    named, is_terminal = frozenset(map(str, paths)), sys.stderr.isatty()
    found, empty, skipped = _list_inputs(paths)
    found = inputs_left([(_name_option(each), each.path) for each in outputs if each.path], found, named)
    totals = Summary(named, skipped)
    with ExitStack() as stack:
        writers = [stack.enter_context(open_output(output)) for output in outputs]
        is_hidden = not is_terminal or quiet or details or len(found) <= CHUNK_FILES
        bar = stack.enter_context(
            click.progressbar(length=len(found), label="reading", show_pos=True, file=sys.stderr, hidden=is_hidden)
        )
        read = chunks(
            found,
            lines=any(output.is_lines for output in outputs),
            tables=sorted({name for output in outputs for name in output.needs}, key=TABLES.index),
            findings=(is_terminal or details) and not (quiet or as_json),
            named=named,
        )
        # closed first, so that processes end before what is being written is given up
        for chunk in stack.enter_context(closing(read)):
            totals.add(chunk)
            if not as_json and (details or not is_terminal):
                report([*chunk.problems, *chunk.findings], is_whole=details)
            for write in writers:
                write(chunk)
            bar.update(sum(file.member_path is None for file in chunk.files))
    if summary:
        totals.print_counts(as_json=as_json)
    if not as_json:
        if is_terminal and not details:
            totals.print_grouped(is_quiet=quiet)
        for folder in () if quiet else empty:
            say(f"{plain(folder)}: this folder has no files")
        if not quiet and (summary or totals.has_more_than_rows):
            say(totals.format_counts(has_findings_file=any(output.table == "findings" for output in outputs)))
        if not quiet and summary and skipped:
            say(f"skipped: {_format_kinds(skipped)}")
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


class Summary:
    """Counts of the files that were read, by folder and in all, and their problems."""

    def __init__(self, named: Container[str], skipped: Counter[str]) -> None:
        """Begin; members that archives skip are added to ``skipped``."""
        self.named, self.skipped = named, skipped
        self.folders: dict[str, Counter[str]] = {}
        self.kinds, self.total = Counter[str](), Counter[str]()
        self.problems: list[Problem] = []
        self.findings: list[Problem] = []
        self.failed = self.setups = 0

    def add(self, chunk: Chunk) -> None:
        """Count the files of a chunk."""
        for file in chunk.files:
            self._add_file(file)
        self.problems += chunk.problems
        self.findings += chunk.findings

    def _add_file(self, file: File) -> None:
        counts = {"files": 1, file.status: 1, "results": file.result_count, "findings": file.finding_count}
        # a Path per file would take as long as reading it
        folder = os.path.dirname(file.source_path) or os.curdir  # noqa: PTH120
        self.folders.setdefault(folder, Counter()).update(counts)
        self.total.update(counts)
        self.setups += file.is_setup
        self.failed += file.status == "refused" and (file.rule != UNKNOWN or file.name in self.named)
        if file.status == "ignored":
            self.kinds[file.reason or ""] += 1
        self.skipped.update(file.passed_over)

    def print_grouped(self, *, is_quiet: bool) -> None:
        """Print one example for each fault, with how many more there are."""
        for problems, remedy in ((self.problems, ""), (self.findings, "--table findings FILE writes findings, ")):
            report(problems, files=1, lines=1)
            if len({each.rule for each in problems}) < len(problems) and not is_quiet:
                say(f"{remedy}--details names each")

    def print_counts(self, *, as_json: bool) -> None:
        """Print the counts of each folder as a table; for programs as JSON, with the problems."""
        folders = [(folder, [counts[name] for name in COUNTS]) for folder, counts in sorted(self.folders.items())]
        if not as_json:
            print_table(("folder", *COUNTS), [(folder, *counts) for folder, counts in folders])
            return
        say_json(
            {
                **{name: self.total[name] for name in COUNTS},
                "ignored_kinds": dict(sorted(self.kinds.items())),
                "skipped": dict(sorted(self.skipped.items())),
                "folders": [{"folder": folder, **dict(zip(COUNTS, counts, strict=True))} for folder, counts in folders],
                "problems": self.problems,
            }
        )

    @property
    def has_more_than_rows(self) -> bool:
        """Whether the counts say more than the rows: several files, findings, or a file without a row."""
        total = self.total
        is_alone = total["files"] == 1 and not total["findings"] and not total["ignored"]
        return not is_alone or bool(total["read"] and not total["results"])

    def format_counts(self, *, has_findings_file: bool) -> str:
        """Return the counts of all in one line."""
        total = self.total
        share = total["read"] / total["files"] if total["files"] else 0
        ignored = f", {total['ignored']} ignored ({_format_kinds(self.kinds)})" if self.kinds else ""
        findings = f", {pluralise(total['findings'], 'finding')}" if total["findings"] else ""
        if findings and not has_findings_file:
            findings += " (--table findings FILE writes them)"
        read = f"{pluralise(total['files'], 'file')}: {total['read']} read ({share:.0%}){ignored}"
        setup = " (a job file or configuration has none)" if self.setups and not total["results"] else ""
        return f"{read}, {total['refused']} refused, {pluralise(total['results'], 'result')}{setup}{findings}"


def _format_kinds(kinds: Counter[str]) -> str:
    return ", ".join(f"{count} x {kind}" for kind, count in sorted(kinds.items()))
