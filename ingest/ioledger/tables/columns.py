"""
Readings as columns: the bulk of every table, one list per column.

A dictionary per row costs five times as much as a list per column, and histograms have hundreds of rows per result;
so the rows of results, percentiles and bins go from the readings into lists and from there into Arrow.
"""

from __future__ import annotations

from hashlib import sha256 as _sha256
from itertools import chain, repeat
from operator import attrgetter
from typing import TYPE_CHECKING, Any, NamedTuple, TypeVar

from ioledger.readers.base import Result
from ioledger.tables.schema import tables

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence

    from ioledger.readers.base import Reading

ID_DIGITS = 20
OWN = tuple(name for name in Result.__struct_fields__ if name in tables()["results"].column_names)
COLUMNS = ("source_path", "source_sha256", "file_id", "tool", "source_pointer", "result_id", "repetition_id", *OWN)
KINDS = ("total", "completion", "submission")
Columns = dict[str, list[Any]]
Series = TypeVar("Series")


class Part(NamedTuple):
    """One file's reading and what is known about the file from outside."""

    reading: Reading
    source_sha256: str
    source_path: str
    submission_id: str | None = None
    configuration_id: str | None = None
    repetition_index: int | None = None

    @property
    def file_id(self) -> str:
        """Return the id of the file: of its place, so that the same bytes in two places are two files."""
        return file_id(self.source_path, self.submission_id)


def file_id(path: str, submission_id: str | None = None, document: int | None = None) -> str:
    """Return the id of a file, or of a document in it: 20 hexadecimal digits of the hash of its place."""
    outside, inside = f"{submission_id}/" if submission_id else "", "" if document is None else f"#{document}"
    return _sha256(f"{outside}{path}{inside}".encode()).hexdigest()[:ID_DIGITS]


def identity(sha256: str, place: str) -> str:
    """Return the id of a place in a file: 20 hexadecimal digits of the hash of the file's hash and the place."""
    return _sha256(f"{sha256}:{place}".encode()).hexdigest()[:ID_DIGITS]


def identities(sha256s: Iterable[str], places: Iterable[str]) -> list[str]:
    """Return the ids of many places, each in the file with the hash beside it."""
    pairs = zip(sha256s, places, strict=True)
    return [_sha256(f"{sha256}:{place}".encode()).hexdigest()[:ID_DIGITS] for sha256, place in pairs]


def result_ids(parts: Sequence[Part]) -> list[str]:
    """Return the id of every result, in order."""
    hashes = _spread(parts, attrgetter("source_sha256"))
    return identities(hashes, [result.pointer for part in parts for result in part.reading.results])


def results(parts: Sequence[Part]) -> Columns:
    """Return the results table of these files as one list per column."""
    found = [result for part in parts for result in part.reading.results]
    columns: Columns = {name: list(map(attrgetter(name), found)) for name in OWN}
    columns["source_pointer"] = [result.pointer for result in found]
    columns["tool"] = _spread(parts, lambda part: part.reading.tool)
    for name in ("source_sha256", "source_path", "file_id", "submission_id", "repetition_index"):
        columns[name] = _spread(parts, attrgetter(name))
    stated = _spread(parts, attrgetter("configuration_id"))
    columns["configuration_id"] = [r.configuration or outer for r, outer in zip(found, stated, strict=True)]
    columns["result_id"] = result_ids(parts)
    hashes = columns["source_sha256"]
    columns["repetition_id"] = identities(hashes, [f"point {result.repetition}" for result in found])
    return columns


def _spread(parts: Sequence[Part], value: Callable[[Part], Any]) -> list[Any]:
    """Repeat a file's value for each of its results."""
    return list(chain.from_iterable(repeat(value(part), len(part.reading.results)) for part in parts))


def percentiles(parts: Sequence[Part]) -> Columns:
    """Return the table latency_percentiles of these files."""
    columns: Columns = {"result_id": [], "latency_kind": [], "percentile_ratio": [], "latency_seconds": []}
    for identifier, result in _identified(parts):
        for kind, reported in _by_kind(result.percentiles):
            columns["result_id"].extend(repeat(identifier, len(reported)))
            columns["latency_kind"].extend(repeat(kind, len(reported)))
            columns["percentile_ratio"].extend(reported)
            columns["latency_seconds"].extend(reported.values())
    columns["basis"] = ["reported"] * len(columns["result_id"])
    return columns


def bins(parts: Sequence[Part]) -> Columns:
    """Return the table latency_bins of these files."""
    columns: Columns = {"result_id": [], "latency_kind": []}
    rows: list[tuple[float, float | None, int]] = []
    for identifier, result in _identified(parts):
        for kind, filled in _by_kind(result.bins):
            columns["result_id"].extend(repeat(identifier, len(filled)))
            columns["latency_kind"].extend(repeat(kind, len(filled)))
            rows += filled
    lists = [list(column) for column in zip(*rows, strict=True)] or [[], [], []]
    columns["latency_low_seconds"], columns["latency_high_seconds"], columns["operation_count"] = lists
    return columns


def _by_kind(found: Mapping[str, Series]) -> list[tuple[str, Series]]:
    """Return series by kind of latency in one order, whatever order a reader found them in."""
    return sorted(found.items(), key=lambda pair: KINDS.index(pair[0])) if len(found) > 1 else list(found.items())


def _identified(parts: Sequence[Part]) -> Iterable[tuple[str, Result]]:
    return zip(result_ids(parts), (result for part in parts for result in part.reading.results), strict=True)
