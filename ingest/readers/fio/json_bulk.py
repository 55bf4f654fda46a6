"""
Many ordinary reports at once, as columns: equal to what ``json_report`` gives for each, without a step per value.

A report that is not ordinary, or about which there is anything to say, is left to ``json_report``.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
import pyarrow as pa

from ingest.readers.fio import json_columns, json_numbers, json_rows, json_series, json_sound
from ingest.readers.fio.json_taken import KINDS, Taken, rows_of
from ingest.record import Columnar

if TYPE_CHECKING:
    from ingest.readers.fio.json_numbers import Array
    from ingest.readers.fio.json_series import Series
    from ingest.record import Source

_KIND_NAMES = pa.array(list(KINDS))


class Ordinary:
    """The ordinary reports among files that are given one after the other; of each only numbers and names are kept."""

    def __init__(self, *, with_bins: bool) -> None:
        """Begin with no file; ``with_bins`` asks for histograms too."""
        self.with_bins = with_bins
        self.taken = Taken([], [], [], {}, [], [])

    def add(self, index: int, source: Source) -> bool:
        """Take a file if it is an ordinary report."""
        return json_rows.take(self.taken, index, source.data, with_bins=self.with_bins)

    def columns(self) -> Columnar | None:
        """Return the results of the reports that prove ordinary when all of them are looked at; null without any."""
        if not self.taken.results:
            return None
        rows = rows_of(self.taken)
        numbers = json_numbers.numbers(rows)
        percentiles = json_series.percentiles(rows, numbers)
        bins = json_series.bins(rows, numbers) if self.with_bins else None
        is_odd = json_sound.odd(rows, numbers)
        for series in (percentiles, bins) if bins else (percentiles,):
            is_odd[series.odd] = True
        source = np.array(rows.result["source"], np.int64)
        columns = json_columns.results(rows, numbers)
        if not is_odd.any():
            return Columnar(source, columns, _kept(percentiles, None), _kept(bins, None) if bins else {})
        kept = ~np.isin(source, source[is_odd])
        columns = {name: column.filter(pa.array(kept)) for name, column in columns.items()}
        return Columnar(source[kept], columns, _kept(percentiles, kept), _kept(bins, kept) if bins else {})


def _kept(series: Series, kept: Array | None) -> dict[str, pa.Array[Any]]:
    """Return a series of the results that are kept (null: all of them); ``row`` counts among them."""
    owner, kind, values = series.owner, series.kind, series.columns
    if kept is not None:
        chosen = kept[owner]
        owner, kind = (np.cumsum(kept) - 1)[owner[chosen]], kind[chosen]
        values = {name: column[chosen] for name, column in values.items()}
    columns: dict[str, pa.Array[Any]] = {name: pa.array(column, from_pandas=True) for name, column in values.items()}
    columns["latency_kind"] = _KIND_NAMES.take(pa.array(kind, pa.int64()))
    columns["row"] = pa.array(owner)
    return columns
