"""
Remove values that no table can store from a reading, once for every reader.

Whole numbers have 64 bits, other numbers are finite, times lie in the years 1 to 9999, and text is Unicode without lone
surrogates, which no encoding can write. A number that does not fit is taken as not measured, with a finding; a lone
surrogate becomes its escape. So one impossible value costs neither its file nor the files beside it.
"""

from __future__ import annotations

import math
from operator import attrgetter
from typing import TYPE_CHECKING, Any

import msgspec

from ioledger.model import Bins, Finding, Result
from ioledger.problems import plain
from ioledger.tables.schema import tables

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from ioledger.model import Reading

BOUND = 2**63
_EXACT = 2**53
"""Up to here a whole number is one of 64 bits and a float alike; Arrow takes no larger one for a float."""
FIRST, LAST = -62_135_596_800_000_000, 253_402_300_799_999_999
"""Microseconds from 1970 to the begin of the year 1 and the end of the year 9999, which is what a date can be."""
_KINDS = {column.name: column.arrow for column in tables()["results"].columns}
_OWN = [("pointer", "string"), ("repetition", "string")]
_OWN += [(name, _KINDS[name]) for name in Result.__struct_fields__ if name in _KINDS]
_NUMBERS = frozenset({"int64", "float64", "timestamp[us]"})
_numbers_of = attrgetter(*(name for name, kind in _OWN if kind in _NUMBERS))
_texts_of = attrgetter(*(name for name, kind in _OWN if kind == "string"))


def fit(reading: Reading) -> None:
    """Remove values that no table can store, with a finding for each number."""
    found: list[Finding] = []
    for result in reading.results:
        # nor is a time then beyond its years
        if not _are_small(_numbers_of(result)) or not _are_plain(_texts_of(result)):
            found += _of_result(result)
        if not all(_are_finite(each) and _are_finite(each.values()) for each in result.percentiles.values()):
            found += _of_percentiles(result)
        if result.bins:
            found += _of_bins(result)
    for table, rows in reading.rows.items():
        values = [value for row in rows for value in row.values() if value is not None]
        are_small = _are_small(value for value in values if isinstance(value, int | float))
        if not are_small or not _are_plain(value for value in values if isinstance(value, str)):
            found += _of_rows(table, rows)
    if found:
        reading.warnings = reading.warnings + found
    if reading.warnings and not _are_plain(finding.message + finding.pointer for finding in reading.warnings):
        replace = msgspec.structs.replace
        reading.warnings = [
            replace(each, message=plain(each.message), pointer=plain(each.pointer)) for each in reading.warnings
        ]


def _are_small(values: Iterable[float | None]) -> bool:
    """Say whether all values certainly fit; the sum of a value that is not a number is none either."""
    return sum(map(abs, filter(None, values))) < _EXACT


def _are_finite(values: Iterable[float]) -> bool:
    """Say whether all values are finite; an overflowing sum of finite numbers counts as not finite."""
    try:
        return math.isfinite(sum(values))
    except OverflowError:
        return False


def _are_plain(texts: Iterable[str | None]) -> bool:
    joined = "".join(filter(None, texts))
    return joined.isascii() or plain(joined) == joined


def _coerce_value(kind: str, value: Any) -> tuple[Any, str | None]:  # noqa: ANN401  (a value of any column)
    """Return a value as a column of this kind stores it, or None with the reason."""
    if kind == "string" and value is not None:
        return plain(value), None
    if value is None or kind not in _NUMBERS:
        return value, None
    if kind == "timestamp[us]":
        return (value, None) if FIRST <= value <= LAST else (None, "is outside the years 1 to 9999")
    if kind == "int64":
        return (value, None) if -BOUND <= value < BOUND else (None, "is a number of more than 64 bits")
    try:
        value = float(value)
    except OverflowError:
        value = math.inf
    return (value, None) if math.isfinite(value) else (None, "is not a finite number")


def _finding(name: str, why: str, pointer: str) -> Finding:
    return Finding("R-READ-6", f"{name} {why} and counts as not measured", plain(pointer))


def _of_result(result: Result) -> Iterator[Finding]:
    for name, kind in _OWN:
        value, why = _coerce_value(kind, getattr(result, name))
        setattr(result, name, value)
        if why is not None:
            yield _finding(name, why, result.pointer)


def _of_percentiles(result: Result) -> Iterator[Finding]:
    for kind, reported in result.percentiles.items():
        kept = {ratio: seconds for ratio, seconds in reported.items() if _are_finite((ratio, seconds))}
        result.percentiles = {**result.percentiles, kind: kept}
        if len(kept) < len(reported):
            yield _finding(f"a percentile of the {kind} latency", "is not a finite number", result.pointer)


def _of_bins(result: Result) -> Iterator[Finding]:
    for kind, filled in result.bins.items():
        are_edges = _are_finite(filled.lows) and _are_finite(filter(None, filled.highs))
        if are_edges and max(filled.counts, default=0) < BOUND:
            continue
        kept = [
            (low, high, count)
            for low, high, count in filled.rows()
            if math.isfinite(low) and (high is None or math.isfinite(high)) and count < BOUND
        ]
        if len(kept) < len(filled.lows):
            result.bins = {**result.bins, kind: Bins.of(kept)}
            yield _finding(f"a bin of the {kind} latency", "is not a number that a column can store", result.pointer)


def _of_rows(table: str, rows: list[dict[str, Any]]) -> Iterator[Finding]:
    """Mend the rows that a reader made for another table, with one finding for each column."""
    for column in tables()[table].columns:
        first: Finding | None = None
        for row in rows:
            row[column.name], why = _coerce_value(column.arrow, row.get(column.name))
            if why is not None and first is None:
                first = _finding(column.name, why, str(row.get("pointer") or ""))
        if first is not None:
            yield first
