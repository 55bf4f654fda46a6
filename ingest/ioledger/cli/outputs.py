"""
Outputs of commands: what ``ioledger parse`` writes and where, and that no command overwrites its inputs.

Files appear whole or not at all. Every command that writes a file beside what it reads calls ``keep_inputs`` first.
"""

from __future__ import annotations

import io
import sys
from contextlib import contextmanager, nullcontext
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from ioledger.cli import refuse_call
from ioledger.loading.files import find_same_file, list_files, load
from ioledger.loading.parse import RESULTS
from ioledger.problems import Problem, plain
from ioledger.system import OUTPUT, name_place, replace_file
from ioledger.tables import is_written_here

if TYPE_CHECKING:
    from collections.abc import Callable, Container, Iterable, Iterator, Sequence
    from contextlib import AbstractContextManager

    from ioledger.loading.copies import Chunk

TABLE, LINES, METRICS = "table", "jsonl", "openmetrics"
STORED = (LINES, "csv", "arrow", "parquet")
"""Formats that hold any table, by the extension of a file."""
FORMATS = (TABLE, *STORED, METRICS)
BINARY = ("arrow", "parquet")
PERCENTILES = "latency_percentiles"


class Output(NamedTuple):
    """A table, the file it goes to (null for standard output), and its format."""

    table: str
    path: Path | None
    format: str

    @property
    def is_lines(self) -> bool:
        """Whether it is made without Arrow: results as JSON lines."""
        return self.table == RESULTS and self.format == LINES

    @property
    def needs(self) -> tuple[str, ...]:
        """The tables that it is made of."""
        if self.is_lines:
            return ()
        return (RESULTS, PERCENTILES) if self.table == RESULTS and self.format in {TABLE, METRICS} else (self.table,)


@contextmanager
def opened(output: Output) -> Iterator[Callable[[Chunk], object]]:
    """Give a function that adds a table's rows of a chunk to an output; a file gets its name when all went well."""
    target: AbstractContextManager[Any] = replace_file(output.path) if output.path else nullcontext(_Piped())
    place = str(output.path or OUTPUT)
    with target as stream:
        if output.is_lines:
            yield name_place(place)(lambda chunk: stream.write(chunk.lines))
        elif output.format in STORED:
            from ioledger.tables.arrow import open_table  # noqa: PLC0415  (pyarrow loads only when Arrow is written)

            with open_table(output.table, f".{output.format}", stream, place) as write_rows:
                yield lambda chunk: write_rows(chunk.tables[output.table])
        elif output.format == METRICS:
            from ioledger.tables import openmetrics  # noqa: PLC0415  (needs pyarrow)

            exposed = openmetrics.Exposition()
            yield lambda chunk: exposed.add(chunk.tables[RESULTS], chunk.tables[PERCENTILES])
            name_place(place)(stream.write)(exposed.text().encode())
        else:
            from ioledger.cli import shown  # noqa: PLC0415  (only for people)

            rows = shown.Rows(output.table)
            yield lambda chunk: rows.add(chunk.tables)
            name_place(place)(rows.print)()


class _Piped(io.RawIOBase):
    """Standard output as writers of Arrow need it: it says where it is, which a pipe does not, and stays open."""

    place = 0

    def writable(self) -> bool:
        """Say that it can be written to."""
        return True

    def tell(self) -> int:
        """Return how many bytes were written."""
        return self.place

    def write(self, data: bytes | memoryview, /) -> int:  # type: ignore[override]
        """Write all of the bytes at once."""
        left = memoryview(data).cast("B")
        size = len(left)
        while left:
            left = left[sys.stdout.buffer.write(left) :]
        sys.stdout.buffer.flush()
        self.place += size
        return size


Target = tuple[str, Path]
"""The option that named a file to write, and the file."""


def inputs_left(targets: Iterable[Target], found: Sequence[str], named: Container[str]) -> list[str]:
    """
    Return the files to read without those that are written; an earlier output below a folder is written anew.

    Raise a usage error for an output that is one of the files to read, by whatever name or link, or for two outputs in
    one file. ``named`` are the files that somebody named, which are never written.
    """
    left = list(found)
    taken: set[Path] = set()
    for option, path in targets:
        read = find_same_file(path, left)
        if path.resolve() in taken:
            refuse_call(f"{plain(str(path))}: several outputs would write this file; name one file for each", option)
        if read is not None and (read in named or not _is_earlier_output(read)):
            refuse_call(
                f"{plain(str(path))}: this file is read ({plain(read)}) and would be lost; name another", option
            )
        taken.add(path.resolve())
        if read is not None:
            left.remove(read)
    return left


def keep_inputs(targets: Sequence[Target], inputs: Sequence[str | Path]) -> None:
    """Raise a usage error for an output that is one of the inputs, or one below them not written by ioledger."""
    if targets:
        inputs_left(targets, [*list_files(map(Path, inputs))], frozenset(map(str, inputs)))


def _is_earlier_output(path: str) -> bool:
    source = load(path)
    # a table without rows is an empty file in some formats, of which nothing is lost
    return not isinstance(source, Problem) and (not source.data or is_written_here(source.data))
