"""
Many files at once as Arrow tables: by columns where a reader can, by results for every other file.

A reader may offer ``collector`` (see :class:`ingest.record.Columnar`). It claims a file by reading all of it, so no
other reader is asked about such a file. Both ways give the same rows in the same order.
"""

from __future__ import annotations

import gc
from collections import ChainMap
from contextlib import contextmanager
from itertools import chain, islice
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
import pyarrow as pa

from ingest import detect, fitting
from ingest.columns import Part
from ingest.joining import BINS, MADE, Collected, joined
from ingest.problems import Problem, plain

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence

    from ingest.record import Collector, Columnar, Finding, Reading, Source

    Load = Callable[[str], Source | Problem]

_BATCH_BYTES, _BATCH_BYTES_WITH_BINS = 32 << 20, 8 << 20
"""How much is turned into columns at once; histograms take ten times their text on the way."""


class Read(NamedTuple):
    """
    Tables by name; for each file how many results it gave, and its reading or why it could not be loaded.

    A file that was read by columns has neither. Rows stand in the order of the files and their results.
    """

    tables: dict[str, pa.Table]
    counts: list[int]
    readings: list[Reading | Problem | None]
    findings: list[Sequence[Finding]]
    """Of files that were read by columns."""
    hashes: list[str]
    """SHA-256 of each file, empty where it could not be loaded."""


def read(load: Load, paths: Sequence[str], names: Sequence[str] = tuple(MADE)) -> Read:
    """
    Read files into these of the tables results, latency_percentiles and latency_bins, some megabytes at a time.

    ``load`` returns a file's bytes, or why they cannot be had. It is called again for a file that is not for columns:
    most are, and bytes that nobody keeps stay in the processor's caches.
    """
    every: list[Read] = []
    start = 0
    with no_collection():
        while start < len(paths) or not every:
            every.append(_read(load, paths, start, names))
            start += len(every[-1].counts)
    whole = {name: pa.concat_tables([each.tables[name] for each in every]) for name in names}
    lists = (list(chain.from_iterable(each)) for each in zip(*(each[1:] for each in every), strict=True))
    return Read(whole, *lists)


@contextmanager
def no_collection() -> Iterator[None]:
    """Keep Python from looking for garbage in cycles, a tenth of the time: what readers make has none."""
    was_enabled = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_enabled:
            gc.enable()


def _read(load: Load, paths: Sequence[str], start: int, names: Sequence[str]) -> Read:
    """Read some megabytes of files from ``start`` on."""
    collected = _collect(load, islice(paths, start, None), with_bins=BINS in names)
    chosen = paths[start : start + len(collected.hashes)]
    counts = np.zeros(len(chosen), np.int64)
    for _, found in collected.found:
        counts += np.bincount(found.source, minlength=len(chosen))
    readings: list[Reading | Problem | None] = [None] * len(chosen)
    left: dict[int, Part] = {}
    for index in np.flatnonzero(counts == 0).tolist():
        loaded = load(chosen[index])
        if isinstance(loaded, Problem):
            readings[index] = loaded
            continue
        reading = readings[index] = detect.read(loaded)
        left[index] = Part(reading, loaded.sha256, plain(chosen[index]))
        counts[index] = len(reading.results)
    told = ChainMap(*(dict(found.findings) for _, found in collected.found))
    findings: list[Sequence[Finding]] = [told.get(index, ()) for index in range(len(chosen))]
    return Read(joined(collected, left, chosen, names), counts.tolist(), readings, findings, collected.hashes)


def _collect(load: Load, paths: Iterable[str], *, with_bins: bool) -> Collected:
    """Give some megabytes of files to every reader that offers columns."""
    offering = [reader for reader in detect.readers() if hasattr(reader, "collector")]
    collectors = [(reader.TOOL, reader.collector(with_bins=with_bins)) for reader in offering]
    remaining = _BATCH_BYTES_WITH_BINS if with_bins else _BATCH_BYTES
    adding = [collector.add for _, collector in collectors]
    hashes: list[str] = []
    for index, path in enumerate(paths):
        loaded = load(path)
        if isinstance(loaded, Problem):
            hashes.append("")
            continue
        hashes.append(loaded.sha256)
        for add in adding:
            if add(index, loaded):
                break
        remaining -= len(loaded.data)
        if remaining <= 0:
            break
    found = [(tool, _columns(collector)) for tool, collector in collectors]
    return Collected(hashes, [(tool, each) for tool, each in found if each is not None and len(each.source)])


def _columns(collector: Collector) -> Columnar | None:
    """Return what a reader collected; null when it fails or a value fits no table: the other way names the file."""
    try:
        found = collector.columns()
    except (ArithmeticError, ValueError, TypeError, LookupError):
        return None
    return found if found is not None and fitting.fits(found) else None
