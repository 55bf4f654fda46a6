"""
Readings as Arrow tables, and the files that these are written to.

Results become a list per column at once, and the rows of percentiles and bins, of which a result has up to hundreds,
never become rows. A column is packed here, because ``pyarrow.array`` imports pandas wherever it is installed, and that
takes longer than reading a thousand files.
"""

from __future__ import annotations

from collections import defaultdict
from contextlib import contextmanager, suppress
from functools import cache
from importlib import import_module
from itertools import chain, repeat
from operator import attrgetter
from typing import TYPE_CHECKING, Any, TypeVar

import msgspec
import numpy as np
import pyarrow as pa
from msgspec.structs import astuple

from ioledger.model import Result
from ioledger.system import name_place
from ioledger.tables import MARK
from ioledger.tables.columns import (
    COLUMNS,
    ORIGIN,
    VERSION,
    Part,
    finding_rows,
    origin_columns,
    repetition_identity,
    result_ids,
    with_repetition,
)
from ioledger.tables.schema import arrow_schema, tables

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
    from typing import BinaryIO

    from ioledger.model import Bins, Reading
    from ioledger.tables.columns import Row, Run

    Array = pa.Array[Any]
    Numbers = np.ndarray[Any, Any]

_TOLD_BY_MANIFEST = frozenset({"submission_id", "configuration_id", "repetition_index", "role"})
KINDS = ("total", "completion", "submission")
_WHOLE = frozenset({pa.int64(), pa.timestamp("us")})
Arrays = dict[str, "Array"]
Series = TypeVar("Series")


def results(parts: Sequence[Part], ids: Sequence[str]) -> Arrays:
    """Return the result columns of these files with the ids ``ids``, including those that a manifest states."""
    found = [result for part in parts for result in part.reading.results]
    flat, width = list(chain.from_iterable(map(astuple, found))), len(Result.__struct_fields__)
    lists: dict[str, Sequence[Any]] = {name: flat[at::width] for at, name in enumerate(Result.__struct_fields__)}
    lists["result_id"], lists["source_pointer"] = ids, lists["pointer"]
    of_files = [part for part in parts for _ in part.reading.results]
    lists["tool"] = [part.reading.tool for part in of_files]
    for name in ("source_sha256", "source_path", "submission_id", "repetition_index"):
        lists[name] = list(map(attrgetter(name), of_files))
    lists["file_id"] = [identifier for part in parts for identifier in repeat(part.file_id, len(part.reading.results))]
    outer = [part.configuration_id for part in of_files]
    lists["configuration_id"] = [own or other for own, other in zip(lists["configuration"], outer, strict=True)]
    hashes, repetitions = lists["source_sha256"], lists["repetition"]
    read_by = [part.reading.version_of(result.source_format) for part in parts for result in part.reading.results]
    lists |= dict.fromkeys(ORIGIN, [None] * len(found)) | {VERSION: read_by}
    if any(lists["origin"]):
        lists |= zip(ORIGIN, zip(*map(origin_columns, lists["origin"], read_by), strict=True), strict=True)
        lists["tool"] = _of_origin(lists, "tool", lists["tool"])
        hashes, repetitions = _of_origin(lists, "sha256", hashes), _of_origin(lists, "repetition", repetitions)
    lists["repetition_id"] = list(map(repetition_identity, hashes, repetitions))
    return {field.name: array(lists[field.name], field.type) for field in _whole("results")}


def _of_origin(lists: Mapping[str, Sequence[Any]], name: str, otherwise: Sequence[Any]) -> list[Any]:
    """Return the origin columns of each result; for a file of this dataset, from the file itself."""
    return [getattr(each, name) if each else other for each, other in zip(lists["origin"], otherwise, strict=True)]


def percentiles(parts: Sequence[Part], ids: Sequence[str]) -> Arrays:
    """Return the columns of the table latency_percentiles of these files."""
    series, bases = list[tuple[str, str, int]](), list[str]()
    ratios, seconds = list[float](), list[float]()
    for identifier, result in _results_by_id(parts, ids):
        for kind, reported in _by_kind(result.percentiles):
            bases.append("interpolated" if result.premises.is_summed else "reported")
            series.append((identifier, kind, len(reported)))
            ratios += reported
            seconds += reported.values()
    return {
        **_series_columns(series),
        "percentile_ratio": array(ratios, pa.float64()),
        "latency_seconds": array(seconds, pa.float64()),
        "basis": _repeat_texts(bases, [count for *_, count in series]),
    }


def bins(parts: Sequence[Part], ids: Sequence[str]) -> Arrays:
    """Return the columns of the table latency_bins of these files."""
    series, counts = list[tuple[str, str, int]](), list[int]()
    lows, highs = list[float](), list[float | None]()
    for identifier, result in _results_by_id(parts, ids):
        filled: Bins
        for kind, filled in _by_kind(result.bins):
            series.append((identifier, kind, len(filled.lows)))
            lows += filled.lows
            highs += filled.highs
            counts += filled.counts
    return {
        **_series_columns(series),
        "latency_low_seconds": array(lows, pa.float64()),
        "latency_high_seconds": array(highs, pa.float64()),
        "operation_count": array(counts, pa.int64()),
    }


def _results_by_id(parts: Sequence[Part], ids: Iterable[str]) -> Iterable[tuple[str, Result]]:
    return zip(ids, (result for part in parts for result in part.reading.results), strict=True)


def _by_kind(found: Mapping[str, Series]) -> Iterable[tuple[str, Series]]:
    return sorted(found.items(), key=lambda pair: KINDS.index(pair[0])) if len(found) > 1 else found.items()


def _series_columns(series: Sequence[tuple[str, str, int]]) -> Arrays:
    """Return the columns that are the same in all rows of a series: its result, its kind of latency, so many times."""
    ids, kinds, counts = zip(*series, strict=True) if series else ((), (), ())
    return {"result_id": _repeat_texts(ids, counts), "latency_kind": _repeat_texts(kinds, counts)}


def array(values: Sequence[Any], kind: Any) -> Array:  # noqa: ANN401  (an Arrow type; its stubs have one per kind)
    """Return values that fit their column as Arrow: the same buffers as ``pyarrow.array`` gives."""
    if not values or (values[0] is None and values.count(None) == len(values)):
        nulls: Array = pa.nulls(len(values), kind)
        return nulls
    if kind == pa.string() and values[0] is not None and values.count(values[0]) == len(values):
        return _repeat_texts(values[:1], [len(values)])
    known = None
    if kind == pa.float64():
        try:
            numbers = np.fromiter(values, np.float64, len(values))
        except TypeError:  # there are nulls, which take half as long again
            numbers = np.array(values, np.float64)
        if (unknown := np.isnan(numbers)).any():
            known = ~unknown
            numbers[unknown] = 0
        return pa.Array.from_buffers(kind, len(values), [_validity(known), _buffer(numbers)])
    if kind in _WHOLE:
        with suppress(TypeError):  # looking for null takes longer than packing
            return pa.Array.from_buffers(kind, len(values), [None, _buffer(np.array(values, np.int64))])
    if None in values:
        known = np.array([value is not None for value in values])
        empty = "" if kind == pa.string() else 0
        values = [empty if value is None else value for value in values]
    if kind == pa.string():
        joined = "".join(values)
        data = joined.encode()
        sizes = map(len, values) if len(data) == len(joined) else (len(value.encode()) for value in values)
        return _texts(data, np.fromiter(sizes, np.int64, len(values)), known)
    is_whole = kind in _WHOLE
    packed: Numbers = np.array(values, np.int64 if is_whole else np.bool_)
    bits = packed if is_whole else np.packbits(packed, bitorder="little")
    return pa.Array.from_buffers(kind, len(values), [_validity(known), _buffer(bits)])


def _buffer(values: Any) -> pa.Buffer:  # noqa: ANN401  (an array of numpy, which the stubs of Arrow do not know)
    return pa.py_buffer(values)


def _validity(known: Numbers | None) -> pa.Buffer | None:
    return None if known is None or known.all() else _buffer(np.packbits(known, bitorder="little"))


def _texts(data: bytes, sizes: Numbers, known: Numbers | None = None) -> Array:
    """Return concatenated texts as Arrow strings, by their sizes in bytes."""
    ends = np.zeros(len(sizes) + 1, np.int32)
    np.cumsum(sizes, out=ends[1:])
    return pa.StringArray.from_buffers(len(sizes), _buffer(ends), pa.py_buffer(data), _validity(known))


def _repeat_texts(texts: Sequence[str], counts: Sequence[int]) -> Array:
    data = "".join(text * count for text, count in zip(texts, counts, strict=True)).encode()
    sizes = np.fromiter((len(text.encode()) for text in texts), np.int64, len(texts))
    return _texts(data, np.repeat(sizes, np.array(counts, np.int64)))


MADE = {"results": results, "latency_percentiles": percentiles, "latency_bins": bins}
Streams = dict[str, bytes]
"""Tables by name, as Arrow IPC streams, which pass cheaply between processes."""


@cache
def _whole(name: str) -> pa.Schema:
    return arrow_schema(tables()[name])


@cache
def schema(name: str) -> pa.Schema:
    """Return the schema of a table: the columns that a file itself gives."""
    whole = _whole(name)
    names = COLUMNS if name == "results" else [column for column in whole.names if column not in _TOLD_BY_MANIFEST]
    return pa.schema([whole.field(column).with_nullable(nullable=True) for column in names], {MARK: name})


def streams(parts: Sequence[Part], names: Iterable[str], handed_in: Sequence[Row] = ()) -> Streams:
    """Return tables of these files, in their order; ``handed_in`` are the rows of the table ``files``."""
    measured = [part for part in parts if part.run is None]
    tied = [(part.run, part.reading) for part in parts if part.run is not None]
    ids = result_ids(measured)
    found = {name: MADE[name](measured, ids) for name in names if name in MADE}
    if tied and "latency_bins" in found:
        of_reports = found["latency_bins"]
        added = histogram_rows(of_reports["result_id"].to_pylist(), of_reports["latency_kind"].to_pylist(), tied)
        for each, column in of_reports.items():
            of_logs = array([row[each] for row in added], column.type)
            found["latency_bins"][each] = pa.concat_arrays([column, of_logs])
    for name in names:
        if name == "files":
            found[name] = _of_rows(name, handed_in)
        elif name == "findings":
            rows = (finding_rows(part) for part in parts if part.reading.warnings)
            found[name] = _of_rows(name, chain.from_iterable(rows))
        elif name not in MADE:
            found[name] = _of_rows(name, _side_rows(name, parts))
    return {
        name: write_stream(pa.Table.from_arrays([columns[each] for each in schema(name).names], schema=schema(name)))
        for name, columns in found.items()
    }


def _side_rows(name: str, parts: Iterable[Part]) -> Iterator[Row]:
    """Give the rows that readers made for another table, with the ids of their file, repetition and result."""
    for part in parts:
        head, run = {"source_sha256": part.source_sha256, "file_id": part.file_id}, part.run
        for row in part.reading.rows.get(name, ()):
            own = with_repetition(row, part.source_sha256) if "repetition" in row else row
            yield head | own | (run.ids(row.get("operation")) if run is not None else {})


def _of_rows(name: str, rows: Iterable[Row]) -> Arrays:
    every = list(rows)
    return {field.name: array([row.get(field.name) for row in every], field.type) for field in schema(name)}


def write_stream(table: pa.Table) -> bytes:
    """Return a table as an Arrow IPC stream."""
    sink = pa.BufferOutputStream()
    with pa.ipc.new_stream(sink, table.schema) as stream:
        stream.write_table(table)
    return sink.getvalue().to_pybytes()


BINS = ("result_id", "latency_kind", "latency_low_seconds", "latency_high_seconds", "operation_count")


def histogram_rows(
    result_ids: Iterable[str | None], kinds: Iterable[str | None], logs: Iterable[tuple[Run, Reading]]
) -> list[dict[str, Any]]:
    """Return the rows of latency_bins from histogram logs, summed over processes, where the report has no such bins."""
    reported = set(zip(result_ids, kinds, strict=True))
    counts: dict[tuple[Any, ...], int] = defaultdict(int)
    for run, reading in logs:
        for identifier, kind, low, high, count in _histogram_bins(run, reading):
            if (identifier, kind) not in reported:
                counts[identifier, kind, low, high] += count
    return [dict(zip(BINS, (*key, count), strict=True)) for key, count in counts.items()]


def _histogram_bins(run: Run, reading: Reading) -> Iterator[tuple[str, str, float, float | None, int]]:
    """Yield the bins of a histogram log with the id of the result, without histograms with too many operations."""
    spoilt = {finding.pointer for finding in reading.warnings if finding.rule == "R-READ-5"}
    for result in reading.results:
        identifier = run.result_id(result.operation)
        if identifier is not None and result.pointer not in spoilt:
            for kind, bins in result.bins.items():
                yield from ((identifier, kind, *each) for each in bins.rows())


WRITERS = {
    ".csv": ("pyarrow.csv", "CSVWriter"), ".arrow": ("pyarrow.ipc", "new_file"),
    ".parquet": ("pyarrow.parquet", "ParquetWriter"),
}  # fmt: skip
"""Module and name of Arrow's writer of each format; it is loaded where it is used."""


@contextmanager
def open_table(name: str, suffix: str, stream: BinaryIO, place: str) -> Iterator[Callable[[bytes], None]]:
    """Give a function that writes the rows of an IPC stream into a file of one table; the suffix gives the format."""
    if suffix == ".jsonl":
        encode = msgspec.json.Encoder().encode_lines
        yield name_place(place)(lambda ipc: stream.writelines([encode(pa.ipc.open_stream(ipc).read_all().to_pylist())]))
        return
    module, opener = WRITERS[suffix]
    with name_place(place):
        writer = getattr(import_module(module), opener)(stream, schema(name))
    try:
        yield name_place(place)(lambda ipc: writer.write_table(pa.ipc.open_stream(ipc).read_all()))
        with name_place(place):
            writer.close()
    except BaseException:
        if hasattr(writer, "is_open"):
            writer.is_open = False  # a writer of Parquet would try to end the file when it is forgotten, and complain
        raise
