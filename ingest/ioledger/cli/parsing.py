"""The command ``ioledger parse``: files in, rows out, and a count of what was read and refused."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from contextlib import ExitStack, closing, contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

import click

from ioledger.measurement import listing, parse
from ioledger.problems import plain
from ioledger.system.ending import named

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from ioledger.measurement.parse import Chunk, Counts

EXTENSIONS = (".jsonl", ".csv", ".arrow", ".parquet")
Outputs = Sequence[tuple[str, Path]]
"""Tables and the files they are written to."""


def refuse_unknown(outputs: Outputs) -> None:
    """Raise a usage error for an output whose extension says no format, or whose folder does not exist."""
    for table, path in outputs:
        option = "-o" if table == parse.RESULTS else "--table"
        if path.suffix not in EXTENSIONS:
            message = f"{path}: the extension says no format; use one of {', '.join(EXTENSIONS)}"
            raise click.BadParameter(message, param_hint=option)
        if not path.parent.is_dir():
            message = f"{path}: the folder does not exist"
            raise click.BadParameter(message, param_hint=option)
        if [other.resolve() for _, other in outputs].count(path.resolve()) > 1:
            message = f"{path}: several outputs would write this file; name one file for each"
            raise click.BadParameter(message, param_hint=option)


def refuse_inputs(outputs: Outputs, found: Sequence[str]) -> None:
    """Raise a usage error for an output that is one of the files to read, by whatever name or link."""
    for table, path in outputs:
        if (read := listing.same(path, found)) is not None:
            message = f"{plain(str(path))}: this file is read ({plain(read)}) and would be lost; name another"
            raise click.BadParameter(message, param_hint="-o" if table == parse.RESULTS else "--table")


def run(paths: tuple[Path, ...], outputs: Outputs, *, summary: bool) -> int:
    """Read the files, write the tables, say what was refused; return how many files were refused."""
    counts: Counts = {}
    found = list(listing.files(paths))
    refuse_inputs(outputs, found)
    to_screen = not outputs and not summary
    lines = to_screen or any(map(_is_lines, outputs))
    tables = sorted({table for table, path in outputs if not _is_lines((table, path))}, key=parse.TABLES.index)
    with ExitStack() as stack:
        writers = [stack.enter_context(output(table, path)) for table, path in outputs]
        if to_screen:
            writers.append(_print_lines)
        chunks = parse.chunks(found, lines=lines, tables=tables)
        stack.enter_context(closing(chunks))  # so that processes end before what is being written is given up
        for chunk in stack.enter_context(_progress(len(found)))(chunks):
            for problem in chunk.problems:
                click.echo(str(problem), err=True)
            for write in writers:
                write(chunk)
            _add(counts, chunk.counts)
    return _conclude(counts, summary=summary, are_findings_kept="findings" in tables)


def _is_lines(output: tuple[str, Path]) -> bool:
    """Say whether an output is made without Arrow: results as JSON lines."""
    return output[0] == parse.RESULTS and output[1].suffix == ".jsonl"


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


@contextmanager
def _progress(files: int) -> Iterator[Callable[[Iterator[Chunk]], Iterator[Chunk]]]:
    """Give a function that shows how far long work is, on a terminal only."""
    if files <= parse.CHUNK_FILES or not sys.stderr.isatty():
        yield lambda chunks: chunks
        return
    with click.progressbar(length=files, label="reading", file=sys.stderr) as bar:

        def watched(chunks: Iterator[Chunk]) -> Iterator[Chunk]:
            for chunk in chunks:
                yield chunk
                bar.update(sum(count for count, *_ in chunk.counts.values()))

        yield watched


def _add(counts: Counts, more: Counts) -> None:
    for folder, (files, read, results, findings) in more.items():
        old = counts.get(folder, (0, 0, 0, 0))
        counts[folder] = old[0] + files, old[1] + read, old[2] + results, old[3] + findings


def _conclude(counts: Counts, *, summary: bool, are_findings_kept: bool) -> int:
    files, read, results, findings = (sum(count[index] for count in counts.values()) for index in range(4))
    if summary:
        _print_summary(counts)
    if summary or files > 1 or findings or (read and not results):
        share = read / files if files else 0
        counted = f"{read} read ({share:.0%}), {files - read} refused, {_count(results, 'result')}"
        told = f", {_count(findings, 'finding')}" if findings else ""
        told += " (--table findings FILE keeps them)" if findings and not are_findings_kept else ""
        click.echo(f"{_count(files, 'file')}: {counted}{told}", err=True)
    return files - read


def _count(number: int, noun: str) -> str:
    return f"{number} {noun}" if number == 1 else f"{number} {noun}s"


def _print_summary(counts: Counts) -> None:
    from rich.console import Console  # noqa: PLC0415  (only for people)
    from rich.table import Table  # noqa: PLC0415

    table = Table(header_style="bold")
    table.add_column("folder", overflow="fold")
    for name in ("files", "read", "refused", "results", "findings"):
        table.add_column(name, justify="right")
    for folder, (files, read, results, findings) in sorted(counts.items()):
        table.add_row(folder, str(files), str(read), str(files - read), str(results), str(findings))
    Console().print(table)
