"""What ``ioledger parse`` shows to people: results, or the rows of another table, in units that they know."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Any

import pyarrow as pa

from ioledger.cli import print_indented, print_table
from ioledger.loading.parse import RESULTS
from ioledger.problems import one_line
from ioledger.readers import binary_size
from ioledger.tables.openmetrics import TAIL, tails

if TYPE_CHECKING:
    from collections.abc import Sequence

    Cells = Sequence[str | float | None]

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
    "operations_per_second", "throughput_bytes_per_second", "latency_kind", "latency_mean_seconds", "unit_basis",
    "printed_text",
)  # fmt: skip
_UNSHOWN = ("_id", "_sha256")


class Rows:
    """Rows of a table that come chunk by chunk, and are printed at the end."""

    def __init__(self, table: str) -> None:
        """Begin without any; ``table`` says of which table."""
        self.table = table
        self.rows: list[Cells] = []
        self.names: tuple[str, ...] = NAMES

    def add(self, tables: dict[str, bytes]) -> None:
        """Add the rows of a chunk."""
        found = pa.ipc.open_stream(tables[self.table]).read_all()
        if self.table == RESULTS:
            p99 = tails(tables["latency_percentiles"], TAIL)
            self.rows += (_make_cells(row, p99.get(row["result_id"])) for row in found.select(_NEEDED).to_pylist())
            return
        self.names = tuple(name for name in found.column_names if name == "rule_id" or not name.endswith(_UNSHOWN))
        columns = [found[name].to_pylist() for name in self.names]
        self.rows += (tuple(map(_escape, row)) for row in zip(*columns, strict=True))

    def print(self) -> None:
        """Print them; what the files of results have in common stands above them."""
        if self.table != RESULTS:
            print_table(self.names, self.rows, is_first_whole=True, text=_format_cell)
        elif self.rows:
            common = _find_common_folder({str(file) for file, *_ in self.rows})
            if common:
                print_indented(f"below {common}:", depth=0)
            print_table(NAMES, [(str(file)[len(common) :], *cells) for file, *cells in self.rows], text=_format_cell)
            print_indented(LEGEND, depth=0)


def _find_common_folder(files: set[str]) -> str:
    """Return the folder that holds all of these, with a separator at its end; empty where there is none."""
    try:
        common = os.path.commonpath({os.path.dirname(file) for file in files})  # noqa: PTH120  (a Path per file is slow)
    except ValueError:  # some are named from here, others from the root
        return ""
    return os.path.join(common, "") if common else ""  # noqa: PTH118


def _make_cells(row: dict[str, Any], p99: float | None) -> Cells:
    """Return what is shown of a result."""
    rate, throughput, mean = (
        row[name] for name in ("operations_per_second", "throughput_bytes_per_second", "latency_mean_seconds")
    )
    is_base_unknown = throughput is None and row["unit_basis"] == "unknown" and row["printed_text"] is not None
    return (
        _escape(row["source_path"]),
        _escape(row["test_name"] or row["source_pointer"]),
        row["operation"],
        None if row["block_size_bytes"] is None else binary_size(row["block_size_bytes"]),
        row["queue_depth"],
        _round_figure(rate),
        f"{row['printed_text']} (base not stated)" if is_base_unknown else _round_figure(throughput, MEGA),
        _round_figure(mean, MICRO),
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
    if value is None:
        return ""
    return value if isinstance(value, str) else f"{value:,.10g}"
