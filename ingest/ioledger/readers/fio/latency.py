"""
Latency statistics as the columns of a result.

fio measures submission (``slat``), completion (``clat``) and total latency (``lat``). A latency whose mean and
maximum are both zero was not measured. Source: fio's HOWTO, "Interpreting the output".
"""

from __future__ import annotations

from operator import attrgetter
from typing import TYPE_CHECKING, Any, NamedTuple

from ioledger.plausibility import impossible
from ioledger.readers.base import Finding

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from ioledger.readers.base import Result

KINDS = {"lat": "total", "clat": "completion", "slat": "submission"}


_KINDS, _STATISTICS = ("", "completion_", "submission_"), ("min", "max", "mean", "stddev")
_LATENCIES = attrgetter(*(f"{kind}latency_{name}_seconds" for kind in _KINDS for name in _STATISTICS))


class Stats(NamedTuple):
    """Smallest, largest and mean latency and its standard deviation, in seconds."""

    low: float | None
    high: float | None
    mean: float | None
    deviation: float | None

    @property
    def is_measured(self) -> bool:
        """Say whether the numbers are more than fio's zeros for "not measured"."""
        return bool(self.mean or self.high)


def columns(stats: Mapping[str, Stats]) -> dict[str, Any]:
    """Return the latency columns from statistics by fio's name; the main ones are total, else completion latency."""
    measured = {KINDS[name]: value for name, value in stats.items() if value.is_measured and name in KINDS}
    kind = next((kind for kind in ("total", "completion") if kind in measured), None)
    rows = {f"{part}_": measured[part] for part in ("completion", "submission") if part in measured}
    if kind:
        rows[""] = measured[kind]
    return {"latency_kind": kind} | {
        f"{prefix}latency_{name}_seconds": value
        for prefix, row in rows.items()
        for name, value in zip(("min", "max", "mean", "stddev"), row, strict=True)
    }


def are_unstarted(options: Mapping[str, str]) -> bool:
    """Say whether fio was to note no start of an operation, or no submission: what is printed of it is none."""
    return any(options.get(name, "0") not in {"0", "false"} for name in ("disable_lat", "disable_slat"))


def _longest(result: Result) -> float:
    """Return the longest latency that stands in a result; hardly any is longer than a run, so this is asked first."""
    longest = max(filter(None, _LATENCIES(result)), default=0.0)
    for found in result.percentiles.values():
        longest = max(longest, *found.values())
    for bins in result.bins.values():
        longest = max(longest, *bins.lows[-1:])
    return longest


def withheld(
    result: Result, run_seconds: float | None, options: Mapping[str, str], *, is_ramp_known: bool
) -> list[Finding]:
    """
    Take impossible latencies out of a result, and return what they were.

    ``run_seconds`` is the longest run time of the directions of its job: a synchronisation has none of its own.
    """
    limit = impossible.longest(run_seconds, result.ramp_seconds, is_ramp_known=is_ramp_known)
    texts = impossible.longer_than_run(result, limit) if limit is not None and _longest(result) > limit else []
    longer = [Finding("R-FIO-LATENCY-4", text, result.pointer) for text in texts]
    texts = impossible.part_above_total(result) + (impossible.unstarted(result) if are_unstarted(options) else [])
    return longer + [Finding("R-FIO-LATENCY-5", text, result.pointer) for text in texts]


def withheld_of_point(
    results: Sequence[Result], options: Mapping[str, str], *, is_ramp_known: bool
) -> Iterator[Finding]:
    """Take impossible latencies out of the results of one job, and yield what they were."""
    run_seconds = max((result.duration_seconds or 0 for result in results), default=None)
    for result in results:
        yield from withheld(result, run_seconds, options, is_ramp_known=is_ramp_known)
