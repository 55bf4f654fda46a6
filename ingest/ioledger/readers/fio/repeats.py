"""
One job in two formats of one file: ``--output-format=json,normal`` prints each job twice.

A job is the same when its name, its group and its operations are, and every figure agrees within what was printed:
terse lines cut to whole KiB, microseconds and IOPS, human output keeps three or four digits. Run times are whole
milliseconds in all formats. Source: fio's ``stat.c``, ``show_thread_status_json()``, ``show_thread_status_terse_all()``
and ``show_thread_status_normal()``.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Hashable, Iterable, Mapping

    from ioledger.readers.base import Result

    Operations = Mapping[str, Result]

_MILLISECOND, _KIB = 6e-4, 1024
_SYNC, _SYNC_AND_TRIM, _NONE = frozenset({"sync"}), frozenset({"sync", "trim"}), frozenset[str]()
_DIGITS, _LOST, _EXACT = 6e-3, 0.1, 1e-6
"""Share that three digits, and that a lost carry (see ``printed``), may take from a size or a rate of human output."""
_OF_STEP = 0.006
"""Mean and deviation have two decimals or more of the unit in which a latency is printed."""
_SCALED = 1e-3
"""Minimum and maximum are cut to that unit, and a long one to six digits."""


def points(results: Iterable[Result]) -> dict[str, dict[str, Result]]:
    """Return the operations of every point, in order."""
    found: dict[str, dict[str, Result]] = {}
    for result in results:
        found.setdefault(result.repetition, {})[result.operation] = result
    return found


def repeated(results: Iterable[Result], known: Iterable[Result]) -> set[str]:
    """Return the points of these results that say nothing but what a point among the known ones says."""
    jobs: dict[Hashable, list[Operations]] = {}
    for operations in points(known).values():
        jobs.setdefault(_job(operations), []).append(operations)
    return {
        point
        for point, operations in points(results).items()
        if any(_is_same(operations, other) for other in jobs.get(_job(operations), ()))
    }


def _job(operations: Operations) -> Hashable:
    first = next(iter(operations.values()))
    return (first.test_name or "").strip(), first.group_index


def _is_same(operations: Operations, other: Operations) -> bool:
    """
    Say whether all of one job stands in another: an operation that both have agrees, and none differs.

    An operation says nothing where it has no figures to compare, or where the other format cannot print it.
    """
    shared = [_agree(result, other[operation]) for operation, result in operations.items() if operation in other]
    lacking = operations.keys() - other.keys()
    return True in shared and False not in shared and lacking <= _unprinted(other)


def _unprinted(operations: Operations) -> frozenset[str]:
    """
    Return the operations that the format of these results leaves out.

    Terse lines have no synchronisations, and before version 4 no trims. Under ``unified_rw_reporting=mixed`` a JSON
    report has nothing but the sum, and human output has synchronisations beside it.
    """
    form = next(iter(operations.values())).source_format
    if form.startswith("terse"):
        return _SYNC if form.endswith(("v4", "v5")) else _SYNC_AND_TRIM
    return _SYNC if "mixed" in operations and form.startswith("json") else _NONE


def _agree(one: Result, other: Result) -> bool | None:
    """
    Say whether two results may be one, printed twice: nothing differs, and what they share is enough to say so.

    Null where they share too little to say either.
    """
    counts = [_near(one.operation_count, other.operation_count, 0), *_latencies(one, other)]
    lasted = _near(one.duration_seconds, other.duration_seconds, _MILLISECOND)
    is_counted = True in counts
    sizes = _sizes(one, other, _LOST if is_counted else _DIGITS)
    if False in (lasted, *counts, *sizes):
        return False
    return True if is_counted or (lasted is True and True in sizes) else None


def _sizes(one: Result, other: Result, share: float) -> list[bool | None]:
    """Compare bytes, which are exact to a KiB but in human output, and rates."""
    is_rounded = "normal" in {one.source_format, other.source_format}
    names = ("throughput_bytes_per_second", "operations_per_second")
    rates = ((getattr(one, name), getattr(other, name)) for name in names)
    moved = _near(one.transferred_bytes, other.transferred_bytes, _KIB, share if is_rounded else _EXACT)
    return [moved, *(_near(*pair, slack, share) for pair, slack in zip(rates, (_KIB, 1), strict=True))]


def _latencies(one: Result, other: Result) -> list[bool | None]:
    """Compare the main latency, in steps of the coarser of both formats."""
    if one.latency_kind != other.latency_kind:
        return [False if one.latency_mean_seconds and other.latency_mean_seconds else None]
    step = max(one.latency_resolution_seconds or 0, other.latency_resolution_seconds or 0)
    return [
        _near(one.latency_mean_seconds, other.latency_mean_seconds, _OF_STEP * step),
        _near(one.latency_stddev_seconds, other.latency_stddev_seconds, _OF_STEP * step),
        _near(one.latency_min_seconds, other.latency_min_seconds, step, _SCALED),
        _near(one.latency_max_seconds, other.latency_max_seconds, step, _SCALED),
    ]


def _near(one: float | None, other: float | None, slack: float, share: float = _EXACT) -> bool | None:
    """Say whether two figures agree; null when one of them is not there."""
    if one is None or other is None:
        return None
    return abs(one - other) <= slack + share * max(abs(one), abs(other))
