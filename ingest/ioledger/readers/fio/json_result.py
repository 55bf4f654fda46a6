"""
One direction of a JSON report as a result.

Rates are computed from bytes, operations and run time, because ``bw`` is cut to whole KiB/s; the printed figure is kept
beside them. ``io_bytes`` counts KiB up to 2.20 and bytes from 2.21, when ``io_kbytes`` appeared: a report is taken at
its keys first, then at what fits its own rate. Source: fio's ``stat.c``, ``add_ddir_status_json()``.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ioledger.readers.fio import counted, json_bins, json_latency
from ioledger.readers.fio.json_latency import is_measured
from ioledger.readers.units import LARGEST

if TYPE_CHECKING:
    from ioledger.readers.base import Result
    from ioledger.readers.fio.json_latency import Parts
    from ioledger.readers.fio.json_shape import Direction

_KIB, _MILLI = 1024, 1000
_SPREAD = 4
_ONE_PER_OPERATION = 0.9


def is_empty(direction: Direction) -> bool:
    """Say whether a direction moved nothing."""
    return not (direction.io_bytes or direction.total_ios or direction.iops or direction.bw or direction.bw_bytes)


def moved(direction: Direction) -> int | None:
    """Return the bytes a direction moved."""
    count = direction.io_bytes
    if count is None:
        return None if direction.io_kbytes is None else direction.io_kbytes * _KIB
    unit = _unit_by_rate(direction) or _unit_by_keys(direction)
    return count * unit


def resolution(direction: Direction) -> int:
    """Return the step in which the moved bytes are counted: one, or a KiB."""
    count = direction.io_bytes
    return _KIB if count is None or moved(direction) != count else 1


def is_unit_odd(direction: Direction) -> bool:
    """Say whether the rate demands another unit of ``io_bytes`` than the keys of the report's era."""
    return direction.io_bytes is not None and _unit_by_rate(direction) not in {None, _unit_by_keys(direction)}


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


def measure(found: Result, direction: Direction, *, with_bins: bool) -> None:
    """Set what a direction measured; the columns of its load are set already."""
    _rates(found, direction)
    _samples(found, direction)
    parts = json_latency.parts(direction)
    _latencies(found, parts)
    found.percentiles = json_latency.all_percentiles(parts)
    found.source_format = "json+" if parts.has_bins else "json"
    if with_bins and parts.has_bins:
        found.bins = json_bins.kept(parts)


def beyond(direction: Direction) -> list[str]:
    """Say which counters and rates no run can reach, so that nothing is taken from them."""
    rate = direction.bw * _KIB if direction.bw_bytes is None and direction.bw else direction.bw_bytes
    every = {"bytes moved": moved(direction), "operations": direction.total_ios, "bytes per second printed": rate,
             "operations per second printed": direction.iops}  # fmt: skip
    return [
        f"{int(value):,} {name} are more than any run reaches, and are taken as not measured"
        for name, value in every.items()
        if value and value > LARGEST
    ]


def _within(value: Any) -> Any:  # noqa: ANN401  (a number of either type, or null)
    """Return a counter or rate that a run can reach, else null."""
    return None if value is None or value > LARGEST else value


def _rates(found: Result, direction: Direction) -> None:
    transferred, runtime = _within(moved(direction)), direction.runtime
    count, iops = _within(direction.total_ios), _within(direction.iops)
    found.transferred_bytes = transferred or None
    found.operation_count = count
    if runtime:
        found.duration_seconds = runtime / _MILLI
    if direction.bw_bytes is not None:
        found.printed_value, found.printed_unit = float(direction.bw_bytes), "B/s"
    elif direction.bw is not None:
        found.printed_value, found.printed_unit = direction.bw, "KiB/s"
    rate = None
    if transferred and runtime:
        found.throughput_bytes_per_second = transferred * _MILLI / runtime
    elif found.printed_value:
        step = 1 if direction.bw_bytes is not None else _KIB
        rate = _within(found.printed_value * step)
        found.throughput_bytes_per_second = rate
    if rate:
        found.throughput_basis, found.throughput_resolution_bytes_per_second = "printed", float(step)
    if count and runtime:
        found.operations_per_second = count * _MILLI / runtime
    elif iops:
        _printed_rate(found, direction, iops)


def _printed_rate(found: Result, direction: Direction, iops: float) -> None:
    """Set IOPS that are printed; they are whole until operations are counted too (2.1.14), and bytes may be finer."""
    found.operations_per_second, found.operations_basis = iops, "printed"
    if direction.total_ios is None and iops.is_integer():
        found.operations_resolution_per_second = 1.0
        if found.transferred_bytes:
            moved = found.transferred_bytes, found.transferred_bytes + resolution(direction) - 1
            counted.rate(found, moved, (iops, iops + 1))


def _samples(found: Result, direction: Direction) -> None:
    """Set what the interval samples say; without samples all of it is zero in the file and null here."""
    if direction.bw_max:
        found.throughput_sample_min_bytes_per_second = _kib(direction.bw_min)
        found.throughput_sample_max_bytes_per_second = _kib(direction.bw_max)
        found.throughput_sample_mean_bytes_per_second = _kib(direction.bw_mean)
        found.throughput_sample_stddev_bytes_per_second = _kib(direction.bw_dev)
        found.sample_count = direction.bw_samples
        found.sampling_semantics = _semantics(found, direction)
    if direction.iops_max:
        found.operations_sample_min_per_second = direction.iops_min
        found.operations_sample_max_per_second = direction.iops_max
        found.operations_sample_mean_per_second = direction.iops_mean
        found.operations_sample_stddev_per_second = direction.iops_stddev


def _kib(value: float | None) -> float | None:
    return None if value is None else value * _KIB


def _semantics(found: Result, direction: Direction) -> str | None:
    """
    Say what the samples describe.

    Per-operation logs sample every I/O; groups are summed since 3.13 and averaged over their threads before, which
    shows in the mean: near the group's rate, or near its share per thread.
    """
    count = direction.bw_samples
    if count and direction.total_ios and count >= _ONE_PER_OPERATION * direction.total_ios:
        return "per_operation"
    jobs = found.process_count
    if jobs == 1:
        return "sum"
    mean, rate = found.throughput_sample_mean_bytes_per_second, found.throughput_bytes_per_second
    if not (jobs and mean and rate):
        return None
    return "sum" if mean * mean * jobs > rate * rate else "per_thread_mean"


def _latencies(found: Result, parts: Parts) -> None:
    unit = parts.per_second
    found.latency_resolution_seconds = 1 / unit
    found.latency_kind, main = parts.main
    if main is not None:
        found.latency_mean_seconds = _seconds(main.mean, unit)
        found.latency_min_seconds = _seconds(main.min, unit)
        found.latency_max_seconds = _seconds(main.max, unit)
        found.latency_stddev_seconds = _seconds(main.stddev, unit)
        found.latency_sample_count = main.count or None
    completion, submission = parts.completion, parts.submission
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


def _seconds(value: float | None, per_second: float) -> float | None:
    return None if value is None else value / per_second
