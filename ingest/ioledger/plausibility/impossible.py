"""
Latencies that cannot be: longer than the run they were taken in, or longer as a part than as the whole.

Such a latency was not measured, whatever is printed, so its columns become null; the numbers as printed stay in the
sentence that a reader makes a finding of. What an impossible latency went into is lost with it: the mean and the
deviation, which add all operations up, and the histogram, whose bins make up the run together. What only ranks
operations stands as long as it is possible itself: the smallest latency and each percentile.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ioledger.readers.base import Finding

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from ioledger.readers.base import Result

KINDS = ("total", "completion", "submission")
CLOCK, TICK, OVER_RAMP = 1.05, 0.002, 2.0
"""
How much longer than its run an operation may seem. Run times are counted in whole milliseconds, and by another clock
than operations: 5 % and two ticks. Where a run has a ramp, or may have one, operations begin in the ramp and end in
the run, and the end of the ramp is noticed only when an operation returns: twice the run and the ramp. Of 11,000 real
results the longest operation that was measured took 0.98 of its run, and one of a report to fio's makers 1.19.
"""
_LOOSE, _TICKS = 0.01, 2
_SUMS = ("mean", "max", "stddev")
_NOTHING = -1.0
"""A limit that takes everything."""


def longest(run: float | None, ramp: float | None, *, is_ramp_known: bool) -> float | None:
    """
    Return the seconds that no operation of a run exceeds, null when the length of the run is unknown.

    ``ramp`` is null when none is stated; ``is_ramp_known`` says that then there was none.
    """
    if not run:
        return None
    if is_ramp_known and not ramp:
        return run * CLOCK + TICK
    return (run + (ramp or 0)) * OVER_RAMP


def longer_than_run(result: Result, limit: float | None) -> list[str]:
    """Take latencies above a limit out of a result, and say for each kind which they were."""
    if limit is None:
        return []
    said = []
    for kind in KINDS:
        if lost := _taken(result, kind, limit):
            what = f"{kind} latencies are longer than the {limit:g} s that an operation of this run can take"
            said.append(f"{what}, so they are not measured: {', '.join(lost)}")
    if said and _settled(result):
        said.append("the completion latency is shown in the place of the total one, which has no mean")
    return said


def findings(results: Iterable[Result], rule: str, *, is_ramp_known: bool = False) -> Iterator[Finding]:
    """Take latencies that are longer than their own run out of results, and yield what they were under a rule."""
    for result in results:
        limit = longest(result.duration_seconds, result.ramp_seconds, is_ramp_known=is_ramp_known)
        yield from (Finding(rule, text, result.pointer) for text in longer_than_run(result, limit))


def part_above_total(result: Result) -> list[str]:
    """
    Take the completion and submission latencies out of a result that are longer than the total, and say what they were.

    Completion is taken from a later moment than the total latency, and submission ends where it begins. Engines that
    never note when they submit, as ``io_uring`` with ``sqthread_poll`` in fio 3.32, count completion from the start of
    the job.
    """
    if result.latency_kind != "total":
        return []
    return [*_above_total(result, "completion"), *_above_total(result, "submission")]


def unstarted(result: Result) -> list[str]:
    """
    Take the submission latency out of a result whose operations have no start, and say what it was.

    With ``disable_lat`` fio notes no start, and counts submission from the start of the machine. Source: fio's
    ``io_u.c``, ``get_io_u()``.
    """
    lost = _taken(result, "submission", _NOTHING)
    return [f"submission latencies have no start, so they are not measured: {', '.join(lost)}"] if lost else []


def _above_total(result: Result, kind: str) -> list[str]:
    slack = _TICKS * (result.latency_resolution_seconds or 0)
    pairs = (
        (getattr(result, f"{kind}_latency_mean_seconds"), result.latency_mean_seconds),
        (getattr(result, f"{kind}_latency_max_seconds"), result.latency_max_seconds),
    )
    if not any(part and whole and part > whole * (1 + _LOOSE) + slack for part, whole in pairs):
        return []
    names = ("mean", "max")
    whole = ", ".join(f"{name} {value} s" for name, (_, value) in zip(names, pairs, strict=True) if value)
    lost = _taken(result, kind, _NOTHING)
    return [f"{kind} latencies are above the total ones ({whole}), so they are not measured: {', '.join(lost)}"]


def _taken(result: Result, kind: str, limit: float) -> list[str]:
    """Take everything of a kind of latency that is above a limit out of a result, and return it as printed."""
    return [*_statistics(result, kind, limit), *_percentiles(result, kind, limit), *_bins(result, kind, limit)]


def _columns(result: Result, kind: str, name: str) -> list[str]:
    """Return the columns in which a statistic of a kind of latency stands; the main ones are of one kind."""
    prefixes = [""] * (result.latency_kind == kind) + [f"{kind}_"] * (kind != "total")
    return [f"{prefix}latency_{name}_seconds" for prefix in prefixes]


def _statistics(result: Result, kind: str, limit: float) -> Iterator[str]:
    """Clear impossible statistics of a kind of latency, with those that they went into, and give them as printed."""
    found = {name: (columns, getattr(result, columns[0])) for name in ("min", *_SUMS)
             if (columns := _columns(result, kind, name))}  # fmt: skip
    wrong = {name for name, (_, value) in found.items() if value is not None and value > limit}
    if wrong & {"mean", "max"}:
        wrong |= {"mean", "stddev"}
    for name, (columns, value) in found.items():
        if name in wrong and value is not None:
            for column in columns:
                setattr(result, column, None)
            yield f"{name} {value} s"


def _percentiles(result: Result, kind: str, limit: float) -> Iterator[str]:
    every = result.percentiles.get(kind, {})
    wrong = {ratio: seconds for ratio, seconds in every.items() if seconds > limit}
    if wrong:
        result.percentiles = _with(result.percentiles, kind, {r: s for r, s in every.items() if r not in wrong})
        yield from (f"p{100 * ratio:.10g} {seconds} s" for ratio, seconds in wrong.items())


def _bins(result: Result, kind: str, limit: float) -> Iterator[str]:
    every = result.bins.get(kind)
    if every is not None and max(every.lows, default=0.0) > limit:
        result.bins = _with(result.bins, kind, None)
        yield f"the histogram of {sum(every.counts):,} operations"


def _with(mapping: Any, kind: str, left: Any) -> dict[str, Any]:  # noqa: ANN401  (percentiles or bins)
    """Return a mapping by kind with what is left of one kind; nothing left is no entry."""
    return {name: left if name == kind else value for name, value in mapping.items() if name != kind or left}


def _settled(result: Result) -> bool:
    """Show the completion latency in the place of a total latency without a mean; say whether it was done."""
    names = [f"latency_{name}_seconds" for name in ("min", *_SUMS)]
    if result.latency_mean_seconds is None and result.completion_latency_mean_seconds is not None:
        for name in names:
            setattr(result, name, getattr(result, f"completion_{name}"))
        result.latency_kind, result.latency_sample_count = "completion", None
        return True
    if all(getattr(result, name) is None for name in names):
        result.latency_kind = result.latency_sample_count = None
    return False
