"""
One direction of a JSON report as a result: the formulas of every column, percentiles and bins.

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
import re
from functools import cache, lru_cache
from itertools import pairwise
from typing import TYPE_CHECKING, Any

import msgspec

from ioledger.model import Bins
from ioledger.readers.fio import derived_rates
from ioledger.readers.fio.json_decode import ABSENT, BINS, NAMED_BINS
from ioledger.readers.units import LARGEST

if TYPE_CHECKING:
    from ioledger.model import Result
    from ioledger.readers.fio.json_decode import Direction, Latency

    Kinds = tuple[tuple[str, Latency | None], ...]

NANO, MICRO = 1e9, 1e6
_KIB, _MILLI = 1024, 1000
_SPREAD = 4
_NUMBER = re.compile(r"\d{1,3}(?:\.\d{1,30})?")
_EXACT_BELOW, _BITS = 128, 6
_LAST = {NANO: 1855, MICRO: 1215}
"""Index of the last bin by unit."""


def is_empty(direction: Direction) -> bool:
    """Say whether a direction moved nothing."""
    return not (direction.io_bytes or direction.total_ios or direction.iops or direction.bw or direction.bw_bytes)


def transferred_bytes(direction: Direction) -> int | None:
    """Return the bytes a direction moved."""
    count = direction.io_bytes
    if count is None:
        return None if direction.io_kbytes is None else direction.io_kbytes * _KIB
    return count * (_unit_by_rate(direction) or _unit_by_keys(direction))


def resolution(direction: Direction) -> int:
    """Return the step in which the moved bytes are counted: one, or a KiB."""
    count = direction.io_bytes
    return _KIB if count is None or transferred_bytes(direction) != count else 1


def _unit_by_rate(direction: Direction) -> int | None:
    """Return the bytes that one ``io_bytes`` stands for from the printed rate, null when that decides nothing."""
    if direction.io_kbytes is not None or not (direction.io_bytes and direction.bw and direction.runtime):
        return None
    share = direction.io_bytes * _MILLI / (direction.bw * direction.runtime)
    if 1 / _SPREAD < share < _SPREAD:
        return _KIB
    return 1 if _KIB / _SPREAD < share < _KIB * _SPREAD else None


def _unit_by_keys(direction: Direction) -> int:
    is_late = direction.io_kbytes is not None or direction.clat_ns is not None or direction.lat_ns is not None
    return 1 if is_late else _KIB


def measure(found: Result, direction: Direction) -> list[str]:
    """
    Set what a direction measured, but for its bins; the columns of its load are set already.

    Returns in words which counters and rates no run can reach, so that nothing is taken from them.
    """
    beyond = _rates(found, direction)
    _samples(found, direction)
    every, unit = kinds(direction), _per_second(direction)
    _latencies(found, every, unit)
    found.source_format = "json"
    for kind, latency in every:
        if latency is not None and latency.percentile and (reported := percentiles(latency.percentile, unit)):
            found.percentiles = {**found.percentiles, kind: reported}
        if has_bins(latency):
            found.source_format = "json+"
    return beyond


def _rates(found: Result, direction: Direction) -> list[str]:
    transferred, runtime, count, iops = (
        transferred_bytes(direction),
        direction.runtime,
        direction.total_ios,
        direction.iops,
    )
    printed, step = (direction.bw, _KIB) if direction.bw_bytes is None else (direction.bw_bytes, 1)
    rate = None if printed is None else printed * step
    beyond: list[str] = []
    if max(transferred or 0, count or 0, rate or 0, iops or 0) > LARGEST:
        beyond = _beyond({
            "bytes moved": transferred, "operations": count, "bytes per second printed": rate,
            "operations per second printed": iops,
        })  # fmt: skip
        transferred, count, rate, iops = _within(transferred), _within(count), _within(rate), _within(iops)
    found.transferred_bytes = transferred or None
    found.operation_count = count
    if runtime:
        found.duration_seconds = runtime / _MILLI
    if printed is not None:
        found.printed_value, found.printed_unit = float(printed), "B/s" if step == 1 else "KiB/s"
    if transferred and runtime:
        found.throughput_bytes_per_second = transferred * _MILLI / runtime
    elif rate:
        found.throughput_bytes_per_second = float(rate)
        found.throughput_basis, found.throughput_resolution_bytes_per_second = "printed", float(step)
    if count and runtime:
        found.operations_per_second = count * _MILLI / runtime
    elif iops:
        _printed_rate(found, direction, iops)
    return beyond


def _within(value: Any) -> Any:  # noqa: ANN401  (a number of either type, or null)
    """Return a counter or rate that a run can reach, else null."""
    return None if value is None or value > LARGEST else value


def _beyond(every: dict[str, float | None]) -> list[str]:
    return [
        f"{int(value):,} {name} are more than any run reaches, and count as not measured"
        for name, value in every.items()
        if value and value > LARGEST
    ]


def _printed_rate(found: Result, direction: Direction, iops: float) -> None:
    """Set IOPS that are printed; they are whole until operations are counted too (2.1.14), and bytes may be finer."""
    found.operations_per_second, found.operations_basis = iops, "printed"
    if direction.total_ios is None and iops.is_integer():
        found.operations_resolution_per_second = 1.0
        if found.transferred_bytes:
            moved = found.transferred_bytes, found.transferred_bytes + resolution(direction) - 1
            derived_rates.rate(found, moved, (iops, iops + 1))


def _samples(found: Result, direction: Direction) -> None:
    """Set what the interval samples say; without samples all of it is zero in the file and null here."""
    if direction.bw_max:
        found.throughput_sample_min_bytes_per_second = _kib(direction.bw_min)
        found.throughput_sample_max_bytes_per_second = _kib(direction.bw_max)
        found.throughput_sample_mean_bytes_per_second = _kib(direction.bw_mean)
        found.throughput_sample_stddev_bytes_per_second = _kib(direction.bw_dev)
        found.sample_count = direction.bw_samples
        found.sampling_semantics = derived_rates.sampling(found)
    if direction.iops_max:
        found.operations_sample_min_per_second = direction.iops_min
        found.operations_sample_max_per_second = direction.iops_max
        found.operations_sample_mean_per_second = direction.iops_mean
        found.operations_sample_stddev_per_second = direction.iops_stddev


def _kib(value: float | None) -> float | None:
    return None if value is None else value * _KIB


def _per_second(direction: Direction) -> float:
    """Return how many of its units make a second: nanoseconds when any ``*_ns`` key is there, else microseconds."""
    return NANO if direction.lat_ns or direction.clat_ns or direction.slat_ns else MICRO


def kinds(direction: Direction) -> Kinds:
    """Return every kind of latency with its statistics."""
    if _per_second(direction) == NANO:
        return ("total", direction.lat_ns), ("completion", direction.clat_ns), ("submission", direction.slat_ns)
    return ("total", direction.lat), ("completion", direction.clat), ("submission", direction.slat)


def _latencies(found: Result, every: Kinds, unit: float) -> None:
    """Set the statistics of latency, printed in this unit per second; the main ones are total, else completion."""
    (_, total), (_, completion), (_, submission) = every
    found.latency_resolution_seconds = 1 / unit
    main = total if is_measured(total) else completion
    if main is not None and is_measured(main):
        found.latency_kind = "total" if main is total else "completion"
        found.latency_mean_seconds = _seconds(main.mean, unit)
        found.latency_min_seconds = _seconds(main.min, unit)
        found.latency_max_seconds = _seconds(main.max, unit)
        found.latency_stddev_seconds = _seconds(main.stddev, unit)
        found.latency_sample_count = main.count or None
    if completion is not None and is_measured(completion):
        found.completion_latency_mean_seconds = _seconds(completion.mean, unit)
        found.completion_latency_min_seconds = _seconds(completion.min, unit)
        found.completion_latency_max_seconds = _seconds(completion.max, unit)
        found.completion_latency_stddev_seconds = _seconds(completion.stddev, unit)
    if submission is not None and is_measured(submission):
        found.submission_latency_mean_seconds = _seconds(submission.mean, unit)
        found.submission_latency_min_seconds = _seconds(submission.min, unit)
        found.submission_latency_max_seconds = _seconds(submission.max, unit)
        found.submission_latency_stddev_seconds = _seconds(submission.stddev, unit)


def is_measured(latency: Latency | None) -> bool:
    """Say whether the statistics are more than the zeros of a latency that was not measured."""
    return latency is not None and bool(latency.mean or latency.max)


def _seconds(value: float | None, per_second: float) -> float | None:
    return None if value is None else value / per_second


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


def move_total_percentiles(direction: Direction, *, is_total_kept: bool) -> bool:
    """
    Put percentiles of total latency back under ``lat`` where fio 3.1 to 3.12 printed them under ``clat``.

    That happened with ``lat_percentiles=1``: the option is stated (``is_total_kept``), or the bins already stand under
    ``lat`` (3.7 to 3.12). Fixed by fio's commit e5eb6fbf. Says whether anything was moved.
    """
    total, completion = direction.lat_ns, direction.clat_ns
    if total is None or completion is None or total.percentile or not completion.percentile:
        return False
    if not is_total_kept and (not has_bins(total) or has_bins(completion)):
        return False
    total.percentile, completion.percentile = completion.percentile, None
    if has_bins(completion) and not has_bins(total):
        total.bins, completion.bins = completion.bins, total.bins
    return True


def has_bins(latency: Latency | None) -> bool:
    """Say whether a latency has a histogram."""
    return latency is not None and latency.bins is not ABSENT


def measure_bins(found: Result, direction: Direction) -> list[str]:
    """Set the histograms of a direction, and return the kinds of latency whose histogram is not as fio writes one."""
    unit = _per_second(direction)
    every = {kind: latency for kind, latency in kinds(direction) if latency is not None and has_bins(latency)}
    filled = {kind: histogram(latency.bins, unit) for kind, latency in every.items()}
    found.bins = {kind: bins for kind, bins in filled.items() if bins is not None}
    return [kind for kind, latency in every.items() if is_measured(latency) and kind not in found.bins]


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
    """
    Return the count of each bin by its middle; ValueError when they are none.

    In early 2.x (2.8 and 2.15, no longer in 2.20) the keys are the indexes of the bins, all of them, and the constants
    of the scale stand among them. Source: fio's ``stat.c`` at fio-2.8, ``add_ddir_status_json()``.
    """
    try:
        return BINS.decode(raw)
    except msgspec.MsgspecError:
        once = msgspec.json.encode(json.loads(bytes(raw)))  # of two counts under one name the last holds
    named = NAMED_BINS.decode(once)
    if named.get("FIO_IO_U_PLAT_BITS") != _BITS:
        return BINS.decode(once)
    return {bin_of(int(text))[0]: count for text, count in named.items() if not text.startswith("FIO_")}
