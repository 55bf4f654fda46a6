"""The command ``ioledger parse``: files in, rows out, and a count of what was read and refused."""

from __future__ import annotations

import sys
from collections import defaultdict
from contextlib import ExitStack
from typing import TYPE_CHECKING

import click

from ingest import parse
from ingest.parse import EXTENSIONS, JsonLines, Output, Parsed, Writer

if TYPE_CHECKING:
    from pathlib import Path


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
    counts: dict[str, list[int]] = defaultdict(lambda: [0, 0, 0])
    with ExitStack() as stack:
        writers: list[Writer | Output] = [stack.enter_context(Output(path)) for path in outputs]
        if not outputs and not summary:
            writers.append(JsonLines(sys.stdout.buffer))
        for path in parse.files(paths):
            parsed = parse.parse(path)
            _count(counts, path, parsed)
            for problem in parsed.problems:
                click.echo(str(problem), err=True)
            for writer in writers:
                writer.write(parsed.part)
    files, read, results = (sum(count[i] for count in counts.values()) for i in range(3))
    if summary:
        _print_summary(counts)
    if summary or files > 1:
        share = read / files if files else 0
        click.echo(f"{files} files: {read} read ({share:.0%}), {files - read} refused, {results} results", err=True)
    return files - read


def _count(counts: dict[str, list[int]], path: Path, parsed: Parsed) -> None:
    count = counts[str(path.parent)]
    count[0] += 1
    count[1] += not parsed.problems
    count[2] += len(parsed.part.reading.results)


def _print_summary(counts: dict[str, list[int]]) -> None:
    from rich.console import Console  # noqa: PLC0415  (only for people)
    from rich.table import Table  # noqa: PLC0415

    table = Table("folder", header_style="bold")
    for name in ("files", "read", "refused", "results"):
        table.add_column(name, justify="right")
    for folder, (files, read, results) in sorted(counts.items()):
        table.add_row(folder, str(files), str(read), str(files - read), str(results))
    Console().print(table)
