"""
Outputs of commands: what ``ioledger parse`` writes and shows, and that no command overwrites its inputs.

Files appear whole or not at all. Every command that writes a file beside what it reads calls ``keep_inputs`` first.
"""

from __future__ import annotations

import io
import os
import sys
from contextlib import contextmanager, nullcontext
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from ioledger.cli import print_indented, print_table, refuse_call
from ioledger.loading.files import find_same_file, list_files, load
from ioledger.loading.parse import RESULTS
from ioledger.problems import Problem, one_line, plain
from ioledger.readers import binary_size
from ioledger.system import OUTPUT, name_place, replace_file
from ioledger.tables import is_written_here

if TYPE_CHECKING:
    from collections.abc import Callable, Container, Iterable, Iterator, Sequence
    from contextlib import AbstractContextManager

    from ioledger.loading.copies import Chunk

    Cells = Sequence[str | float | None]

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
def open_output(output: Output) -> Iterator[Callable[[Chunk], object]]:
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
            rows: list[Cells] = []
            yield lambda chunk: rows.extend(_read_rows(output.table, chunk.tables))
            name_place(place)(_print_rows)(output.table, rows)


class _Piped(io.RawIOBase):
    """Standard output as writers of Arrow need it: it says where it is, which a pipe does not, and stays open."""

    place = 0

    def writable(self) -> bool:
        return True

    def tell(self) -> int:
        return self.place

    def write(self, data: bytes | memoryview, /) -> int:  # type: ignore[override]
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


MEGA, MICRO = 1e6, 1e-6
DIGITS = 4
"""Significant digits of a figure."""
NAMES = ("file", "test", "operation", "block", "depth", "IOPS", "MB/s", "mean µs", "p99 µs")
LEGEND = (
    "MB/s: 10⁶ bytes a second. KiB, MiB: 2¹⁰, 2²⁰ bytes. IOPS: operations a second. Depth: I/Os outstanding. "
    "Mean, p99: latency in 10⁻⁶ s; p99 is of completion where the whole latency has none. Empty: not stated."
)
_NEEDED = (
    "result_id", "source_path", "source_pointer", "test_name", "operation", "block_size_bytes", "queue_depth",
    "operations_per_second", "throughput_bytes_per_second", "latency_mean_seconds", "unit_basis", "printed_text",
)  # fmt: skip


def _list_shown(table: str) -> list[str]:
    """Return the columns of a table that people read."""
    from ioledger.tables.arrow import schema  # noqa: PLC0415

    return [name for name in schema(table).names if name == "rule_id" or not name.endswith(("_id", "_sha256"))]


def _read_rows(table: str, tables: dict[str, bytes]) -> list[Cells]:
    """Return the rows of a chunk in the units that people know."""
    import pyarrow as pa  # noqa: PLC0415  (most outputs of one report are made without it)

    from ioledger.tables.openmetrics import TAIL, tails  # noqa: PLC0415

    found = pa.ipc.open_stream(tables[table]).read_all()
    if table == RESULTS:
        p99 = tails(tables[PERCENTILES], TAIL)
        return [_make_cells(row, p99.get(row["result_id"])) for row in found.select(_NEEDED).to_pylist()]
    columns = [found[name].to_pylist() for name in _list_shown(table)]
    return [tuple(map(_escape, row)) for row in zip(*columns, strict=True)]


def _print_rows(table: str, rows: Sequence[Cells]) -> None:
    """Print rows; what the files of results have in common is above them."""
    if table != RESULTS:
        print_table(_list_shown(table), rows, is_first_whole=True, text=_format_cell)
    elif rows:
        common = _find_common_folder({str(file) for file, *_ in rows})
        if common:
            print_indented(f"below {common}:", depth=0)
        print_table(NAMES, [(str(file)[len(common) :], *cells) for file, *cells in rows], text=_format_cell)
        print_indented(LEGEND, depth=0)


def _find_common_folder(files: set[str]) -> str:
    """Return the folder that holds all of these, with a separator at its end; empty where there is none."""
    try:
        common = os.path.commonpath({os.path.dirname(file) for file in files})  # noqa: PTH120  (a Path per file is slow)
    except ValueError:  # some are named from here, others from the root
        return ""
    return os.path.join(common, "") if common else ""  # noqa: PTH118


def _make_cells(row: dict[str, Any], p99: float | None) -> Cells:
    throughput = row["throughput_bytes_per_second"]
    is_base_unknown = throughput is None and row["unit_basis"] == "unknown" and row["printed_text"] is not None
    return (
        _escape(row["source_path"]),
        _escape(row["test_name"] or row["source_pointer"]),
        row["operation"],
        None if row["block_size_bytes"] is None else binary_size(row["block_size_bytes"]),
        row["queue_depth"],
        _round_figure(row["operations_per_second"]),
        f"{row['printed_text']} (base not stated)" if is_base_unknown else _round_figure(throughput, MEGA),
        _round_figure(row["latency_mean_seconds"], MICRO),
        _round_figure(p99, MICRO),
    )


def _escape(value: Any) -> Any:  # noqa: ANN401  (a cell of any table)
    """Return a value that a terminal can show: a file may carry sequences that it would obey."""
    return one_line(value) if isinstance(value, str) else value


def _round_figure(value: float | None, unit: float = 1.0) -> float | None:
    """Return a figure in a unit, with the digits that are shown; whole numbers keep all of theirs."""
    if value is None:
        return None
    figure = value / unit
    return float(round(figure)) if figure >= 10 ** (DIGITS - 1) else float(f"{figure:.{DIGITS}g}")


def _format_cell(value: str | float | None) -> str:
    return f"{value:,.10g}" if isinstance(value, int | float) else str(value or "")
