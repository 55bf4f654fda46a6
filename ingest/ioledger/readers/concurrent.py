"""
Sum concurrent jobs that are reported separately: one more result per operation, with ``scope`` group.

Rates, counts and queue depths add; the run time is the longest; latencies are weighted by their operations; percentiles
come from the summed histograms, and are absent without them. What samples of intervals say of one process cannot be
added, so it is null. A column that the parts do not share is null too: where no one workload describes them, the sums
stand without a workload, and so are no point. The sums are aggregates, and their parts stay as they were read.
Source: fio's ``stat.c``, ``__sum_stat()`` (pooled deviation), ``calc_clat_percentiles()`` and ``plat_idx_to_val()``.
"""

from __future__ import annotations

import math
import re
from collections import Counter
from itertools import accumulate, chain
from operator import attrgetter, itemgetter
from typing import TYPE_CHECKING, Any

import msgspec

from ioledger.model import BINS, Bins, Premises, Result

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from ioledger.model import Reading

_PATTERN = ("access_pattern", "random_ratio", "read_ratio", "load_profile")
_pattern_of = attrgetter(*_PATTERN)
_SHARED = (
    "tool_version", "test_name", "group_index", "block_size_bytes", "queue_depth_origin",
    "outstanding_per_target_count", "load_basis", "workload_origins", "engine", "is_direct", "ramp_seconds",
    "operations_basis", "throughput_basis", "latency_kind", "steady_state_criterion", "is_steady_state_attained",
    "unit_basis",
)  # fmt: skip
_ADDED = (
    "operation_count", "transferred_bytes", "error_count", "operations_per_second", "throughput_bytes_per_second",
    "latency_sample_count",
)  # fmt: skip
_STEPS = ("operations_resolution_per_second", "throughput_resolution_bytes_per_second")
_LEAST = ("started_at", "block_size_min_bytes")
_MOST = ("ended_at", "block_size_max_bytes", "duration_seconds", "latency_resolution_seconds", "error_code")
_PERCENT = 100
_PLACES = re.compile(
    r"name|description|filename|directory|filesize|size|offset|offset_increment|nrfiles|unique_filename"
    r"|(write|log)_.*|.*_log|cpus_allowed|cpus_allowed_policy|cpumask|numa_.*|randseed|iodepth|numjobs|stonewall"
    r"|group_reporting"
)
"""Options in which jobs of one workload may differ: target, queue depth and logs."""


def add(reading: Reading, *, without: frozenset[str]) -> None:
    """Add the sums of concurrent parts behind all results, and drop the bins where ``without`` names their table."""
    groups: dict[str, list[Result]] = {}
    for result in reading.results:
        if result.premises.concurrent:
            groups.setdefault(result.premises.concurrent, []).append(result)
    for place, parts in groups.items():
        load, operations = _sum_load(parts), dict.fromkeys(part.operation for part in parts)
        reading.results += [_total(place, [p for p in parts if p.operation == name], load) for name in operations]
    if groups and BINS in without:
        for result in reading.results:
            result.bins = {}


def recognise(results: Sequence[Result]) -> None:
    """Mark sums and their parts among excerpted results."""
    apart = {(_file(result), result.repetition) for result in results if not result.is_aggregate}
    places: dict[tuple[str, int | None], str] = {}
    for result in results:
        if result.scope == "group" and result.is_aggregate and (_file(result), result.repetition) not in apart:
            result.premises = msgspec.structs.replace(result.premises, is_summed=True)
            places[_file(result), result.group_index] = result.repetition
    for result in results if places else ():
        place = places.get((_file(result), result.group_index))
        if place is not None and not result.premises.is_summed:
            result.premises = msgspec.structs.replace(result.premises, concurrent=place)


def _file(result: Result) -> str:
    """Return the key of a report: the hash of its file, and its number in the file."""
    return f"{result.origin.sha256} {result.origin.pointer.partition('#')[0]}" if result.origin else ""


def _sum_load(parts: Sequence[Result]) -> dict[str, Any]:
    """Return the columns that the sums of results share, which are of two or more jobs that ran at the same time."""
    jobs = list({part.repetition: part for part in reversed(parts)}.values())[::-1]
    load: dict[str, Any] = {
        name: _sum([getattr(job, name) for job in jobs]) for name in ("queue_depth", "process_count")
    }
    for name in ("cpu_user_ratio", "cpu_system_ratio", "cpu_busy_ratio"):
        # that of the mean process, as fio prints it for a group: weighted by run time
        pairs = [
            (share, job.duration_seconds)
            for job in jobs
            if (share := getattr(job, name)) is not None and job.duration_seconds
        ]
        is_known, total = len(pairs) == len(jobs), math.fsum(time for _, time in pairs)
        load[name] = round(math.fsum(share * time for share, time in pairs) / total, 12) if is_known else None
    decoded = [msgspec.json.decode(part.job_options or "{}") for part in parts]
    options = [each if isinstance(each, dict) else {} for each in decoded]
    asked = {
        frozenset((name, str(value)) for name, value in each.items() if not _PLACES.fullmatch(name)) for each in options
    }
    patterns = {_pattern_of(part) for part in parts}
    blocks = {(part.operation, part.block_size_min_bytes, part.block_size_max_bytes) for part in parts}
    if len(patterns) == len(asked) == 1 and len(blocks) == len({part.operation for part in parts}):  # of one workload
        load |= dict(zip(_PATTERN, patterns.pop(), strict=True))
    stated = {name: value for name, value in options[0].items() if all(each.get(name) == value for each in options)}
    load["job_options"] = msgspec.json.encode(stated, order="sorted").decode() if stated else None
    load["is_queue_depth_sought"] = any(part.is_queue_depth_sought for part in parts)
    load["outcome"] = next((part.outcome for part in parts if part.outcome != "ok"), "ok")
    return load


def _total(place: str, parts: Sequence[Result], load: dict[str, Any]) -> Result:
    """Return the sum of one operation; ``load`` are the columns that the operations of the group share."""
    operation = parts[0].operation
    formats = {part.source_format for part in parts}
    own: dict[str, Any] = {name: _sum([getattr(part, name) for part in parts]) for name in _ADDED}
    for name in _SHARED:
        common = {getattr(part, name) for part in parts}
        own[name] = common.pop() if len(common) == 1 else None
    for name in _STEPS:  # a sum may be off by the steps of its parts together; one that is exact has none
        steps = [getattr(part, name) for part in parts if getattr(part, name) is not None]
        own[name] = math.fsum(steps) if steps else None
    for name in (*_LEAST, *_MOST):
        known = [value for part in parts if (value := getattr(part, name)) is not None]
        is_known = known and (len(known) == len(parts) or name == "error_code")
        own[name] = (min if name in _LEAST else max)(known) if is_known else None
    for prefix in ("", "completion_", "submission_"):
        if prefix or own["latency_kind"] is not None:
            own |= _latency(prefix, parts)
    if own["latency_kind"] is None:
        own["latency_sample_count"] = None
    bins = {kind: _sum_bins(kind, parts) for kind in parts[0].bins if all(kind in part.bins for part in parts)}
    found = Result(
        pointer=f"{place}/{operation}",
        repetition=place,
        source_format=max(formats),
        scope="group",
        is_aggregate=True,
        operation=operation,
        premises=Premises(is_summed=True),
        bins=bins,
        **own | load,
    )
    for kind, filled in bins.items():
        ratios = sorted(set.intersection(*(set(part.percentiles.get(kind, {})) for part in parts)))
        if values := percentiles(filled, ratios, found.latency_resolution_seconds):
            found.percentiles = {**found.percentiles, kind: values}
    return found


def _sum(values: Sequence[float | None]) -> float | None:
    """Return a sum, whole numbers exactly and others to the last bit in any order; null if a part of it is unknown."""
    known = [value for value in values if value is not None]
    if len(known) < len(values):
        return None
    return sum(known) if all(isinstance(value, int) for value in known) else math.fsum(known)


def _latency(prefix: str, parts: Sequence[Result]) -> dict[str, float | None]:
    """Return mean, minimum, maximum and pooled deviation; each is null if a part lacks it."""
    # With n operations, mean m and deviation s of a part, N and M of all: M = sum of n m / N, and the squares add as
    # sum of (n - 1) s^2 + n (m - M)^2, over N - 1.
    names = [f"{prefix}latency_{name}_seconds" for name in ("mean", "min", "max", "stddev")]
    means, lows, highs, deviations = ([getattr(part, name) for part in parts] for name in names)
    counts = [part.latency_sample_count or part.operation_count or 0 for part in parts]
    mean = deviation = None
    if all(counts) and None not in means:
        total = sum(counts)
        mean = math.fsum(count * value for count, value in zip(counts, means, strict=True)) / total
        if None not in deviations and total > 1:
            squares = math.fsum(
                (count - 1) * each**2 + count * (value - mean) ** 2
                for count, value, each in zip(counts, means, deviations, strict=True)
            )
            deviation = math.sqrt(squares / (total - 1))
    low = None if None in lows else min(lows)
    high = None if None in highs else max(highs)
    return dict(zip(names, (mean, low, high, deviation), strict=True))


def _sum_bins(kind: str, parts: Iterable[Result]) -> Bins:
    counts: Counter[tuple[float, float | None]] = Counter()
    for low, high, count in chain.from_iterable(part.bins[kind].rows() for part in parts):
        counts[low, high] += count
    return Bins.of((*edges, counts[edges]) for edges in sorted(counts, key=itemgetter(0)))


def percentiles(bins: Bins, ratios: Iterable[float], step: float | None) -> dict[float, float]:
    """Return the latency in seconds at each ratio: the middle of the bin that reaches it; ``step`` is the clock's."""
    running = list(accumulate(bins.counts))
    values: dict[float, float] = {}
    for ratio in ratios if running else ():
        share, whole = round(ratio * _PERCENT, 10).as_integer_ratio()  # fio has the percentage as a double
        wanted = min(share * running[-1], whole * _PERCENT * running[-1])
        at = next(place for place, count in enumerate(running) if whole * _PERCENT * count >= wanted)
        high = bins.highs[at]
        if high is not None and step:  # whole steps of the clock; a bin one step wide is its lower edge
            per_second = round(1 / step)
            first, last = round(bins.lows[at] * per_second), round(high * per_second)
            values[ratio] = (first + (last - first) // 2) / per_second
    return values
