"""The command ``ioledger parse``: files in, rows out, and a count of what was read and refused."""

from __future__ import annotations

import os
import sys
from contextlib import ExitStack, contextmanager
from typing import TYPE_CHECKING

import click

from ingest import listing, parse

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

    from ingest.parse import Chunk

EXTENSIONS = (".jsonl", ".csv", ".arrow", ".parquet")
Counts = dict[str, tuple[int, int, int]]


def refuse_unknown(outputs: tuple[Path, ...]) -> None:
    """Raise a usage error for an output whose extension says no format, or whose folder does not exist."""
    for path in outputs:
        if path.suffix not in EXTENSIONS:
            message = f"{path}: the extension says no format; use one of {', '.join(EXTENSIONS)}"
            raise click.BadParameter(message, param_hint="-o")
        if not path.parent.is_dir():
            message = f"{path}: the folder does not exist"
            raise click.BadParameter(message, param_hint="-o")


def run(paths: tuple[Path, ...], outputs: tuple[Path, ...], *, summary: bool) -> int:
    """Read the files, write the rows, say what was refused; return how many files were refused."""
    counts: Counts = {}
    found = list(listing.files(paths))
    to_screen = not outputs and not summary
    lines = to_screen or any(path.suffix == ".jsonl" for path in outputs)
    table = any(path.suffix != ".jsonl" for path in outputs)
    with ExitStack() as stack:
        writers = [stack.enter_context(output(path)) for path in outputs]
        if to_screen:
            writers.append(_print_lines)
        chunks = parse.chunks(found, lines=lines, table=table, by_rows=listing.has_stream(paths))
        for chunk in stack.enter_context(_progress(len(found)))(chunks):
            for problem in chunk.problems:
                click.echo(str(problem), err=True)
            for write in writers:
                write(chunk)
            _add(counts, chunk.counts)
    return _conclude(counts, summary=summary)


def _print_lines(chunk: Chunk) -> None:
    sys.stdout.buffer.write(chunk.lines)
    sys.stdout.buffer.flush()


@contextmanager
def output(path: Path) -> Iterator[Callable[[Chunk], object]]:
    """
    Give a function that adds a chunk's rows to a file; the file gets its name when all went well.

    Until then it is written beside its place under a temporary name, which is removed when something fails.
    """
    temporary = path.with_name(f".{path.name}.{os.getpid()}.part")
    try:
        with temporary.open("wb") as stream:
            if path.suffix == ".jsonl":
                yield lambda chunk: stream.write(chunk.lines)
            else:
                from ingest.arrow_out import ArrowFile  # noqa: PLC0415  (pyarrow loads only when Arrow is written)

                writer = ArrowFile(path.suffix, stream)
                yield lambda chunk: writer.write(chunk.table or b"")
                writer.close()
        temporary.replace(path)
    finally:
        temporary.unlink(missing_ok=True)


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
                bar.update(sum(count for count, _, _ in chunk.counts.values()))

        yield watched


def _add(counts: Counts, more: Counts) -> None:
    for folder, (files, read, results) in more.items():
        old = counts.get(folder, (0, 0, 0))
        counts[folder] = old[0] + files, old[1] + read, old[2] + results


def _conclude(counts: Counts, *, summary: bool) -> int:
    files, read, results = (sum(count[index] for count in counts.values()) for index in range(3))
    if summary:
        _print_summary(counts)
    if summary or files > 1 or (read and not results):
        share = read / files if files else 0
        noun = "file" if files == 1 else "files"
        counted = f"{files} {noun}: {read} read ({share:.0%}), {files - read} refused, {results} results"
        click.echo(counted, err=True)
    return files - read


def _print_summary(counts: Counts) -> None:
    from rich.console import Console  # noqa: PLC0415  (only for people)
    from rich.table import Table  # noqa: PLC0415

    table = Table("folder", header_style="bold")
    for name in ("files", "read", "refused", "results"):
        table.add_column(name, justify="right")
    for folder, (files, read, results) in sorted(counts.items()):
        table.add_row(folder, str(files), str(read), str(files - read), str(results))
    Console().print(table)
