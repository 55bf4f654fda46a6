"""The command ``ioledger parse``: files in, rows out, and a count of what was read and refused."""

from __future__ import annotations

import os
import sys
from collections import Counter
from collections.abc import Sequence
from contextlib import ExitStack, closing, contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

import click

from ioledger.cli import FOUND_PROBLEMS, print_rows, report, say
from ioledger.measurement.files import listed, same
from ioledger.measurement.parse import CHUNK_FILES, RESULTS, TABLES, Chunk, chunks
from ioledger.problems import plain
from ioledger.system.ending import named

if TYPE_CHECKING:
    from collections.abc import Callable, Generator, Iterator

EXTENSIONS = (".jsonl", ".csv", ".arrow", ".parquet")
OUTPUT = click.Path(dir_okay=False, path_type=Path)
Outputs = Sequence[tuple[str, Path]]
"""Tables and the files they are written to."""
COUNTS = ("files", "read", "refused", "results", "findings")


@click.command()
@click.argument(
    "paths", nargs=-1, required=True, metavar="FILE...", type=click.Path(exists=True, readable=False, path_type=Path)
)
@click.option("-o", "--output", "outputs", multiple=True, type=OUTPUT,
              help="Write rows to this file (.jsonl, .csv, .arrow or .parquet); may be given several times."
              )  # fmt: skip
@click.option("--table", "tables", multiple=True, type=(click.Choice(TABLES), OUTPUT), metavar="NAME FILE",
              help=f"Write this table to a file: {', '.join(TABLES)}.")  # fmt: skip
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
    _refuse_unknown(wanted)
    if run(paths, wanted, summary=summary):
        sys.exit(FOUND_PROBLEMS)


def _refuse_unknown(outputs: Outputs) -> None:
    """Raise a usage error for an output whose extension says no format, or whose folder does not exist."""
    for table, path in outputs:
        option = "-o" if table == RESULTS else "--table"
        if path.suffix not in EXTENSIONS:
            message = f"{path}: the extension says no format; use one of {', '.join(EXTENSIONS)}"
            raise click.BadParameter(message, param_hint=option)
        if not path.parent.is_dir():
            message = f"{path}: the folder does not exist"
            raise click.BadParameter(message, param_hint=option)
        if [other.resolve() for _, other in outputs].count(path.resolve()) > 1:
            message = f"{path}: several outputs would write this file; name one file for each"
            raise click.BadParameter(message, param_hint=option)


def _refuse_inputs(outputs: Outputs, found: Sequence[str]) -> None:
    """Raise a usage error for an output that is one of the files to read, by whatever name or link."""
    for table, path in outputs:
        if (read := same(path, found)) is not None:
            message = f"{plain(str(path))}: this file is read ({plain(read)}) and would be lost; name another"
            raise click.BadParameter(message, param_hint="-o" if table == RESULTS else "--table")


def run(paths: tuple[Path, ...], outputs: Outputs, *, summary: bool) -> int:
    """Read the files, write the tables, say what was refused; return how many files were refused."""
    folders: dict[str, Counter[str]] = {}
    found = list(dict.fromkeys(listed(paths)))  # a file that is named twice is read once
    _refuse_inputs(outputs, found)
    to_screen = not outputs and not summary
    lines = to_screen or any(map(_is_lines, outputs))
    tables = sorted({table for table, path in outputs if not _is_lines((table, path))}, key=TABLES.index)
    with ExitStack() as stack:
        writers = [stack.enter_context(output(table, path)) for table, path in outputs]
        if to_screen:
            writers.append(_print_lines)
        read = chunks(found, lines=lines, tables=tables)
        stack.enter_context(closing(read))  # so that processes end before what is being written is given up
        for chunk in stack.enter_context(closing(_shown(read, len(found)))):
            report(chunk.problems)
            for write in writers:
                write(chunk)
            _count_in(folders, chunk)
    if summary:
        rows = [(folder, *(counts[name] for name in COUNTS)) for folder, counts in sorted(folders.items())]
        print_rows(("folder", *COUNTS), rows)
    total = sum(folders.values(), Counter[str]())
    if summary or total["files"] != 1 or total["findings"] or (total["read"] and not total["results"]):
        say(_total(total, is_told=bool(total["findings"]) and "findings" not in tables))
    return total["refused"]


def _is_lines(output: tuple[str, Path]) -> bool:
    """Say whether an output is made without Arrow: results as JSON lines."""
    return output[0] == RESULTS and output[1].suffix == ".jsonl"


def _print_lines(chunk: Chunk) -> None:
    """Write to standard output, which takes only a part at once where it is not buffered (``PYTHONUNBUFFERED``)."""
    left = memoryview(chunk.lines)
    while left:
        left = left[sys.stdout.buffer.write(left) :]
    sys.stdout.buffer.flush()


@contextmanager
def output(table: str, path: Path) -> Iterator[Callable[[Chunk], object]]:
    """
    Give a function that adds a table's rows of a chunk to a file; the file gets its name when all went well.

    Until then it is written beside its place under a name of its own (see :mod:`ioledger.system.scratch`).
    """
    from ioledger.system import scratch  # noqa: PLC0415  (only where a file is written)

    with scratch.file(path) as stream:
        if _is_lines((table, path)):
            yield named(path)(lambda chunk: stream.write(chunk.lines))
            return
        from ioledger.tables.arrow_files import ArrowFile  # noqa: PLC0415  (pyarrow loads only when Arrow is written)

        with named(path):
            writer = ArrowFile(table, path.suffix, stream)
        try:
            yield named(path)(lambda chunk: writer.write(chunk.tables[table]))
            with named(path):
                writer.close()
        except BaseException:
            writer.abandon()
            raise


def _shown(read: Iterator[Chunk], files: int) -> Generator[Chunk]:
    """Give the chunks on, and show how far long work is, on a terminal only."""
    if files <= CHUNK_FILES or not sys.stderr.isatty():
        yield from read
        return
    with click.progressbar(length=files, label="reading", file=sys.stderr) as bar:
        for chunk in read:
            yield chunk
            bar.update(len(chunk.files))


def _count_in(folders: dict[str, Counter[str]], chunk: Chunk) -> None:
    """Add what each file of a chunk gave to the counts of its folder."""
    for file in chunk.files:
        counts = folders.setdefault(os.path.dirname(file.source_path) or os.curdir, Counter())  # noqa: PTH120  (a Path per file takes as long as reading it)
        counts["files"] += 1
        counts["refused" if file.problems else "read"] += 1
        counts["results"] += file.result_count
        counts["findings"] += file.finding_count


def _total(total: Counter[str], *, is_told: bool) -> str:
    """Return the last line; with ``is_told`` it says how findings are kept."""
    share = total["read"] / total["files"] if total["files"] else 0
    counted = f"{total['read']} read ({share:.0%}), {total['refused']} refused, {_count(total['results'], 'result')}"
    findings = f", {_count(total['findings'], 'finding')}" if total["findings"] else ""
    kept = " (--table findings FILE keeps them)" if is_told else ""
    return f"{_count(total['files'], 'file')}: {counted}{findings}{kept}"


def _count(number: int, noun: str) -> str:
    return f"{number} {noun}" if number == 1 else f"{number} {noun}s"
