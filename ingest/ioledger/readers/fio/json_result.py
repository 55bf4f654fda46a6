"""
One direction of a JSON report as a result: the formulas of every column, percentiles and bins.

How statistics, samples and rates become columns is the same for all formats, and stands at the end.

Rates are computed from bytes, operations and run time, because ``bw`` is cut to whole KiB/s; the printed figure is kept
beside them. ``io_bytes`` counts KiB up to 2.20 and bytes from 2.21, when ``io_kbytes`` appeared: a report is taken at
its keys first, then at what fits its own rate. A latency of zero was not measured: ``gtod_reduce`` and ``disable_lat``
leave zeros behind.

json+ keeps histograms of 64 bins per power of two; values below 128 have bins of their own. A key is the middle of its
bin, or in early 2.x its index. The last bin, index 1855 in nanoseconds (2.99 and later) and 1215 in microseconds, is
open.

Source: fio's ``stat.c``, ``add_ddir_status_json()``, ``add_ddir_lat_json()``, ``plat_val_to_idx()`` and
``plat_idx_to_val()``; ``stat.h`` (``FIO_IO_U_PLAT_BITS``, ``FIO_IO_U_PLAT_GROUP_NR``); HOWTO, "Interpreting the
output".
"""

from __future__ import annotations

import json
import math
import re
from functools import cache, lru_cache
from itertools import pairwise
from typing import TYPE_CHECKING, Any

import msgspec

from ioledger.model import Bins, Finding
from ioledger.readers import KIBI, LARGEST, MICRO, MILLI, NANO, SECTOR
from ioledger.readers.fio.json_decode import ABSENT, BINS, NAMED_BINS

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from ioledger.model import Result
    from ioledger.readers.fio.json_decode import Direction, Latency

_SPREAD = 4
_NUMBER = re.compile(r"\d{1,3}(?:\.\d{1,30})?")
_EXACT_BELOW, _BITS = 128, 6
_LAST = {NANO: 1855, MICRO: 1215}
"""Index of the last bin by unit."""
_STATISTICS = ("min", "max", "mean", "stddev")
KINDS = {"lat": "total", "clat": "completion", "slat": "submission"}
_SAMPLED = {
    "bw": [f"throughput_sample_{name}_bytes_per_second" for name in _STATISTICS],
    "iops": [f"operations_sample_{name}_per_second" for name in _STATISTICS],
}
_LATENCIES = {
    kind: [(name, f"{prefix}latency_{name}_seconds") for name in _STATISTICS]
    for kind, prefix in (("", ""), ("completion", "completion_"), ("submission", "submission_"))
}
"""The columns of statistics by what they are of."""
_SLACK = 1e-9
"""Relative; a quotient of floats may fall short of the whole number that it is."""
_PER_OPERATION = 0.9
"""Share of the operations that samples of each of them reach."""


def measure(
    found: Result, direction: Direction, *, is_of_total: bool, is_alone: bool | None, has_bins: bool
) -> Iterator[Finding]:
    """Set what a direction measured, and yield what is odd about it; the columns of its load are set already."""
    total, completion = direction.lat_ns, direction.clat_ns
    is_moved = False
    if total is not None and completion is not None and completion.percentile and not total.percentile:
        # fio 3.1 to 3.12 printed percentiles of total latency under ``clat`` (e5eb6fbf)
        is_moved = is_of_total or (total.bins is not ABSENT and completion.bins is ABSENT)
        if is_moved:
            total.percentile, completion.percentile = completion.percentile, None
            if total.bins is ABSENT:
                total.bins, completion.bins = completion.bins, total.bins
    for text in _rates(found, direction):
        yield Finding("R-READ-6", text, found.pointer)
    if direction.bw_max:
        values = (direction.bw_min, direction.bw_max, direction.bw_mean, direction.bw_dev)
        put_samples(found, "bw", [None if value is None else value * KIBI for value in values])
        found.sample_count = direction.bw_samples
        found.sampling_semantics = sampling(found)
    if direction.iops_max:
        values = (direction.iops_min, direction.iops_max, direction.iops_mean, direction.iops_stddev)
        put_samples(found, "iops", values)
    yield from _latencies(found, direction, has_bins=has_bins)
    count, moved = found.operation_count, found.transferred_bytes
    if is_alone is not None and count and moved:
        # a mean for a group, whose jobs may have several sizes; of bytes cut to KiB only a sector's multiple counts
        size, step = -(-moved // count), 1 if moved == direction.io_bytes else KIBI
        is_sound = size * count < moved + step and (step == 1 or size % SECTOR == 0)
        if is_sound and size != found.block_size_bytes:
            found.premises = msgspec.structs.replace(found.premises, bytes_per_operation=size, is_alone=is_alone)
    if is_moved:
        text = "the percentiles under clat_ns are those of the total latency, and are stored as such"
        yield Finding("R-FIO-LINE-2", text, found.pointer)


def _rates(found: Result, direction: Direction) -> list[str]:
    printed, step = (direction.bw, KIBI) if direction.bw_bytes is None else (direction.bw_bytes, 1)
    transferred, count, iops, runtime = direction.io_bytes, direction.total_ios, direction.iops, direction.runtime
    if transferred is None:
        transferred = None if direction.io_kbytes is None else direction.io_kbytes * KIBI
    elif direction.io_kbytes is None:  # whether it counts KiB the printed rate decides, else the keys
        share = transferred * MILLI / (direction.bw * runtime) if direction.bw and runtime else 0
        is_late = direction.clat_ns is not None or direction.lat_ns is not None
        is_bytes = is_late or KIBI / _SPREAD < share < KIBI * _SPREAD
        transferred *= KIBI if 1 / _SPREAD < share < _SPREAD or not is_bytes else 1
    rate = None if printed is None else printed * step
    counters: dict[str, Any] = {
        "bytes moved": transferred, "operations": count, "bytes per second printed": rate,
        "operations per second printed": iops,
    }  # fmt: skip
    beyond = {name: value for name, value in counters.items() if value and value > LARGEST}
    if beyond:
        transferred, count, rate, iops = (value if value and value <= LARGEST else None for value in counters.values())
    found.transferred_bytes = transferred or None
    found.operation_count = count
    found.duration_seconds = runtime / MILLI if runtime else None
    found.printed_value = None if printed is None else float(printed)
    found.printed_unit = None if printed is None else "B/s" if step == 1 else "KiB/s"
    if transferred and runtime:
        found.throughput_bytes_per_second = transferred * MILLI / runtime
    elif rate:
        found.throughput_bytes_per_second = float(rate)
        found.throughput_basis, found.throughput_resolution_bytes_per_second = "printed", float(step)
    if count and runtime:
        found.operations_per_second = count * MILLI / runtime
    elif iops:
        found.operations_per_second, found.operations_basis = iops, "printed"
        if direction.total_ios is None and iops.is_integer():  # whole until operations are counted too (2.1.14)
            found.operations_resolution_per_second = 1.0
            if transferred:
                most = transferred if transferred == direction.io_bytes else transferred + KIBI - 1
                take_rate(found, (transferred, most), (iops, iops + 1))
    return [
        f"{int(value):,} {name} are more than any run reaches, and count as not measured"
        for name, value in beyond.items()
    ]


def _latencies(found: Result, direction: Direction, *, has_bins: bool) -> Iterator[Finding]:
    """Set latencies, percentiles and histograms; yield each histogram that is not as fio writes one."""
    every = {"total": direction.lat, "completion": direction.clat, "submission": direction.slat}
    unit = MICRO
    if direction.lat_ns or direction.clat_ns or direction.slat_ns:
        every = {"total": direction.lat_ns, "completion": direction.clat_ns, "submission": direction.slat_ns}
        unit = NANO
    found.latency_resolution_seconds = 1 / unit
    put_latencies(found, every, unit)
    if found.latency_kind and (main := every[found.latency_kind]) is not None:
        found.latency_sample_count = main.count or None
    for kind, latency in every.items():
        if latency is None:
            continue
        if latency.percentile and (reported := percentiles(latency.percentile, unit)):
            found.percentiles = {**found.percentiles, kind: reported}
        if latency.bins is ABSENT:
            continue
        found.source_format = "json+"
        if has_bins and (bins := histogram(latency.bins, unit)) is not None:
            found.bins = {**found.bins, kind: bins}
        elif has_bins and is_measured(latency):
            text = f"the histogram of {kind} latency has bins or counts that fio does not write, and is excluded"
            yield Finding("R-FIO-LINE-2", text, found.pointer)


def percentiles(printed: dict[str, float], per_second: float) -> dict[float, float]:
    """Return ratio and seconds of each percentile; all zero means that none were kept, ``"0.00"`` is an unused slot."""
    values = [value / per_second for value in printed.values()]
    if not any(values):
        return {}
    shares, is_rising = _ratios(tuple(printed))
    found = zip(shares, values, strict=True)
    return dict(found if is_rising else sorted((share, value) for share, value in found if 0 < share <= 1))


@lru_cache(1024)
def _ratios(keys: tuple[str, ...]) -> tuple[tuple[float, ...], bool]:
    """Return the ratios of percentile keys (``"99.000000"`` is 0.99), and whether all are ratios and rise."""
    found = tuple(round(float(key) / 100, 12) if _NUMBER.fullmatch(key) else -1.0 for key in keys)
    return found, found[0] > 0 and found[-1] <= 1 and all(one < other for one, other in pairwise(found))


def histogram(raw: msgspec.Raw, per_second: float) -> Bins | None:
    """Return the filled bins of a histogram in order; null if there are none, or if one is not fio's."""
    low, high = _edges(per_second)
    try:
        counts = _counts(raw)
        if not all(counts.values()) or sorted(counts) != list(counts):
            if not counts.keys() <= low.keys():
                return None
            counts = {key: counts[key] for key in sorted(counts) if counts[key]}
        filled = Bins(list(map(low.__getitem__, counts)), list(map(high.__getitem__, counts)), list(counts.values()))
    except (msgspec.MsgspecError, ValueError, KeyError, OverflowError, RecursionError):
        return None
    return filled if counts else None


@cache
def _edges(per_second: float) -> tuple[dict[int, float], dict[int, float | None]]:
    """Return the lower and the upper edge in seconds of every bin by its middle; the last bin is open."""
    low: dict[int, float] = {}
    high: dict[int, float | None] = {}
    for index in range(_LAST[per_second] + 1):
        middle, width = bin_of(index)
        start = middle - width // 2
        low[middle], high[middle] = start / per_second, (start + width) / per_second
    high[middle] = None
    return low, high


def bin_of(index: int) -> tuple[int, int]:
    """Return the middle of a bin and its width, as ``plat_idx_to_val()`` has it; ValueError when it is no index."""
    if not 0 <= index <= _LAST[NANO]:
        raise ValueError(index)
    if index < _EXACT_BELOW:
        return index, 1
    width = 1 << (index >> _BITS) - 1
    return (index & 63) * width + 64 * width + width // 2, width


def _counts(raw: msgspec.Raw) -> dict[int, int]:
    """Return the count of each bin by its middle; fio 2.8 to 2.15 has indexes for keys (``add_ddir_status_json()``)."""
    try:
        return BINS.decode(raw)
    except msgspec.MsgspecError:
        once = msgspec.json.encode(json.loads(bytes(raw)))  # of two counts under one name the last holds
    named = NAMED_BINS.decode(once)
    if named.get("FIO_IO_U_PLAT_BITS") != _BITS:
        return BINS.decode(once)
    return {bin_of(int(text))[0]: count for text, count in named.items() if not text.startswith("FIO_")}


def is_measured(stats: Latency | None) -> bool:
    """Say whether the statistics of a latency are more than fio's zeros for "not measured"."""
    return stats is not None and bool(stats.mean or stats.max)


def put_latencies(result: Result, stats: Mapping[str, Latency | None], unit: float = 1) -> None:
    """Set the statistics of latency by kind, in this unit per second; the main ones are total, else completion."""
    for kind in ("submission", "completion", "total"):
        each = stats.get(kind)
        if each is None or not (each.mean or each.max):
            continue
        if kind != "submission":  # the last of both is the main one
            result.latency_kind = kind
        for name, column in _LATENCIES.get(kind, ()):
            value = getattr(each, name)
            setattr(result, column, None if value is None else value / unit)
    main = stats.get(result.latency_kind or "")
    for name, column in _LATENCIES[""] if main else ():
        value = getattr(main, name)
        setattr(result, column, None if value is None else value / unit)


def put_samples(result: Result, name: str, values: Iterable[float | None]) -> None:
    """Set what interval samples say by fio's name: smallest, largest, mean and standard deviation."""
    for column, value in zip(_SAMPLED[name], values, strict=True):
        setattr(result, column, value)


def take_rate(result: Result, moved: tuple[float, float], printed: tuple[float, float] | None) -> int | None:
    """
    Take IOPS from bytes, block size and run time where these are finer than the printed rate and agree with it.

    ``moved`` are the least and most bytes that the printed ones may be, ``printed`` the ends of the printed rate, null
    when none is printed: then nothing would show that a job file is not the one of the run, and it gives no rate. IOPS
    that were counted stay. Returns the operations when no other count is possible.
    """
    size, lasted = result.block_size_bytes, result.duration_seconds
    if not size or not lasted or (printed is not None and result.operations_basis != "printed"):
        return None
    least, most = math.ceil(moved[0] / size), math.floor(moved[1] / size)
    if printed is None and "=job_file" in (result.workload_origins or "").partition(" ")[0]:
        return None
    if printed is not None:
        least = max(least, math.ceil(printed[0] * lasted * (1 - _SLACK)))
        most = min(most, math.floor(printed[1] * lasted * (1 + _SLACK)))
    step = (most - least) / lasted
    if least < 1 or step < 0 or (printed is not None and step >= (result.operations_resolution_per_second or 0)):
        return None
    result.operations_per_second, result.operations_basis = least / lasted, "bytes"
    result.operations_resolution_per_second = step or None
    return None if step else least


def sampling(result: Result) -> str | None:
    """Say what samples of throughput describe; groups are summed since 3.13 and were averaged before (70750d6a)."""
    if result.throughput_sample_max_bytes_per_second is None:
        return None
    if result.sample_count and result.sample_count >= _PER_OPERATION * (result.operation_count or math.inf):
        return "per_operation"
    mean, rate, jobs = (
        result.throughput_sample_mean_bytes_per_second, result.throughput_bytes_per_second, result.process_count
    )  # fmt: skip
    if jobs == 1:
        return "sum"
    return ("sum" if mean * mean * jobs > rate * rate else "per_thread_mean") if jobs and mean and rate else None
