"""A file or a folder of files as one measurement: found, loaded, read, and turned into tables."""

from __future__ import annotations

import errno
import os
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from ioledger.problems import plain

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    import pyarrow as pa

    from ioledger.loading.copies import Chunk, File
    from ioledger.tables.columns import Row


class Measurement(NamedTuple):
    """Result files as Arrow tables with the columns of ``schemas/tables``: SI units and bytes; not measured is null."""

    results: pa.Table
    """One row per operation of a run: workload, throughput, operations per second, latencies."""
    percentiles: pa.Table
    """Latencies at reported percentiles, by ``result_id``."""
    bins: pa.Table
    """Latency histograms, by ``result_id``."""
    samples: pa.Table
    """What logs recorded in time, by ``file_id``; by ``repetition_id`` and ``result_id`` where their run is known."""
    disks: pa.Table
    """What the kernel counted on each disk meanwhile, by ``file_id``; by ``repetition_id`` where a run had no other."""
    findings: pa.Table
    """What is doubtful in a file, and why a file or a part of it was refused: rule and message, by place."""
    files: pa.Table
    """One row per file or member of a container: hash, tool, what became of it and why, and how much it gave."""

    def __repr__(self) -> str:
        """Return how many rows each table has."""
        return f"Measurement({', '.join(f'{name}: {table.num_rows:,}' for name, table in self._asdict().items())})"


def read(path: str | os.PathLike[str]) -> Measurement:
    """Read a result file, or every one below a folder; raise FileNotFoundError when the path is not there."""
    from ioledger.loading.parse import TABLES  # noqa: PLC0415  (the command reads files without pyarrow)

    return of_chunks(list(read_chunks(path, TABLES)))


def read_chunks(path: str | os.PathLike[str], tables: Sequence[str]) -> Iterator[Chunk]:
    """Read a result file, or every one below a folder or in an archive, into these tables."""
    from ioledger.loading.files import list_files  # noqa: PLC0415
    from ioledger.loading.parse import chunks  # noqa: PLC0415

    if not os.path.lexists(path):
        raise FileNotFoundError(errno.ENOENT, os.strerror(errno.ENOENT), os.fspath(path))
    return chunks(list(list_files([Path(path)])), lines=False, tables=tables, processes=1, named={os.fspath(path)})


def of_chunks(read: Sequence[Chunk]) -> Measurement:
    """Return chunks with all tables as one measurement."""
    import pyarrow as pa  # noqa: PLC0415  (the command reads files without it)

    from ioledger.loading.parse import TABLES  # noqa: PLC0415
    from ioledger.tables.arrow import schema  # noqa: PLC0415

    tables = {
        name: pa.concat_tables(
            [schema(name).empty_table(), *(pa.ipc.open_stream(chunk.tables[name]).read_all() for chunk in read)]
        )
        for name in TABLES
    }
    files = [file for chunk in read for file in chunk.files]
    refused = pa.Table.from_pylist(list(_refusals(files)), schema("findings"))
    return Measurement(
        results=tables["results"],
        percentiles=tables["latency_percentiles"],
        bins=tables["latency_bins"],
        samples=tables["samples"],
        disks=tables["disk_counters"],
        findings=pa.concat_tables([tables["findings"], refused]),
        files=tables["files"],
    )


def _refusals(files: Iterable[File]) -> Iterator[Row]:
    """Give why files, or parts of them, were refused, as rows of the table of findings; numbered after a file's own."""
    from ioledger.tables.columns import file_id  # noqa: PLC0415

    for file in files:
        path = plain(file.name)
        head: Row = {"file_id": file_id(path), "source_sha256": file.source_sha256, "source_path": path}
        for index, problem in enumerate(file.problems, file.finding_count + 1):
            row = {"finding_index": index, "source_pointer": problem.place or None, "rule_id": problem.rule}
            yield head | row | {"message": f"{problem.what}. {problem.remedy}"}
