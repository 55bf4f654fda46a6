"""
Latencies that cannot be: longer than their run, longer as a part than as the whole, or without a start.

Such a latency was not measured, whatever is printed, so its columns become null; the numbers as printed stay in the
finding. What an impossible latency went into is lost with it: the mean and the deviation, which add all operations up,
and the histogram, whose bins make up the run together. What only ranks operations stands as long as it is possible
itself: the smallest latency and each percentile.
"""

from __future__ import annotations

from operator import attrgetter
from typing import TYPE_CHECKING, Any

from ioledger.plausibility.beliefs import LOOSE, TICKS

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ioledger.plausibility.beliefs import Asked
    from ioledger.readers.base import Result

KINDS = ("total", "completion", "submission")
CLOCK, TICK, OVER_RAMP = 1.05, 0.002, 2.0
"""
How much longer than its run an operation may seem. Run times are counted in whole milliseconds, and by another clock
than operations: 5 % and two ticks. Where a run has a ramp, or may have one, operations begin in the ramp and end in
the run, and the end of the ramp is noticed only when an operation returns: twice the run and the ramp. Of 11,000 real
results the longest operation that was measured took 0.98 of its run, and one of a report to fio's makers 1.19.
"""
_SUMS = ("mean", "max", "stddev")
_LATENCIES = attrgetter(
    *(f"{part}latency_{name}_seconds" for part in ("", "completion_", "submission_") for name in ("min", *_SUMS))
)
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


def withdraw_longer(result: Result, run: float | None, asked: Asked) -> None:
    """Take latencies out of a result that are longer than an operation of its run of ``run`` seconds can take."""
    limit = longest(run, result.ramp_seconds, is_ramp_known=result.premises.is_ramp_known)
    if limit is None or not _exceeds(result, limit):
        return
    what = f"latencies are longer than the {limit:g} s that an operation of this run can take"
    lost = [_withdraw(result, kind, limit, ("latency_within_run", what), asked) for kind in KINDS]
    if any(lost) and _replace_total(result):
        text = "the completion latency is shown in the place of the total one, which has no mean"
        asked.tell("latency_within_run", result.pointer, text)


def withdraw_parts(result: Result, asked: Asked) -> None:
    """
    Take the completion and submission latencies out of a result that are longer than the total.

    Completion is taken from a later moment than the total latency, and submission ends where it begins. Engines that
    never note when they submit, as ``io_uring`` with ``sqthread_poll`` in fio 3.32, count completion from the start of
    the job.
    """
    if result.latency_kind != "total":
        return
    slack = TICKS * (result.latency_resolution_seconds or 0)
    wholes = {"mean": result.latency_mean_seconds, "max": result.latency_max_seconds}
    for kind, part_mean, part_max in (
        ("completion", result.completion_latency_mean_seconds, result.completion_latency_max_seconds),
        ("submission", result.submission_latency_mean_seconds, result.submission_latency_max_seconds),
    ):
        pairs = ((part_mean, wholes["mean"]), (part_max, wholes["max"]))
        if any(part and whole and part > whole * (1 + LOOSE) + slack for part, whole in pairs):
            whole = ", ".join(f"{name} {value} s" for name, value in wholes.items() if value)
            what = f"latencies are above the total ones ({whole})"
            _withdraw(result, kind, _NOTHING, ("latency_part_within_total", what), asked)


def withdraw_unstarted(result: Result, asked: Asked) -> None:
    """
    Take the submission latency out of a result whose operations have no start.

    With ``disable_lat`` fio notes no start, and counts submission from the start of the machine. Source: fio's
    ``io_u.c``, ``get_io_u()``.
    """
    if result.premises.is_unstarted:
        _withdraw(result, "submission", _NOTHING, ("latency_has_start", "latencies have no start"), asked)


def _exceeds(result: Result, limit: float) -> bool:
    """Say whether any latency of a result is above a limit; hardly one is, so this is asked first."""
    return (
        max(filter(None, _LATENCIES(result)), default=0) > limit
        or any(max(every.values(), default=0) > limit for every in result.percentiles.values())
        or any(low > limit for every in result.bins.values() for low, _, _ in every[-1:])
    )


def _withdraw(result: Result, kind: str, limit: float, why: tuple[str, str], asked: Asked) -> bool:
    """Take everything of a kind of latency that is above a limit out of a result; say so, and whether there was any."""
    lost = dict([*_statistics(result, kind, limit), *_percentiles(result, kind, limit), *_bins(result, kind, limit)])
    if lost:
        shown = ", ".join(f"{name} {value} s" for name, value in lost.items() if name != "histogram")
        if "histogram" in lost:
            shown = ", ".join([shown] * bool(shown) + [f"the histogram of {lost['histogram']:,} operations"])
        values = {f"{kind}_latency_{name}_seconds": value for name, value in lost.items() if name != "histogram"}
        belief, what = why
        asked.tell(belief, result.pointer, f"{kind} {what}, so they are not measured: {shown}", **values)
    return bool(lost)


def _statistics(result: Result, kind: str, limit: float) -> Iterator[tuple[str, float]]:
    """Clear impossible statistics of a kind of latency, with those that they went into; the main ones are of a kind."""
    prefixes = [""] * (result.latency_kind == kind) + [f"{kind}_"] * (kind != "total")
    found = {name: getattr(result, f"{prefixes[0]}latency_{name}_seconds") for name in ("min", *_SUMS) if prefixes}
    wrong = {name for name, value in found.items() if value is not None and value > limit}
    if wrong & {"mean", "max"}:
        wrong |= {"mean", "stddev"}
    for name, value in found.items():
        if name in wrong and value is not None:
            for prefix in prefixes:
                setattr(result, f"{prefix}latency_{name}_seconds", None)
            yield name, value


def _percentiles(result: Result, kind: str, limit: float) -> Iterator[tuple[str, float]]:
    every = result.percentiles.get(kind, {})
    wrong = {ratio: seconds for ratio, seconds in every.items() if seconds > limit}
    if wrong:
        result.percentiles = _with(result.percentiles, kind, {r: s for r, s in every.items() if r not in wrong})
        yield from ((f"p{100 * ratio:.10g}", seconds) for ratio, seconds in wrong.items())


def _bins(result: Result, kind: str, limit: float) -> Iterator[tuple[str, float]]:
    every = result.bins.get(kind, [])
    if any(low > limit for low, _, _ in every):
        result.bins = _with(result.bins, kind, [])
        yield "histogram", sum(count for _, _, count in every)


def _with(mapping: Any, kind: str, left: Any) -> dict[str, Any]:  # noqa: ANN401  (percentiles or bins)
    """Return a mapping by kind with what is left of one kind; nothing left is no entry."""
    return {name: left if name == kind else value for name, value in mapping.items() if name != kind or left}


def _replace_total(result: Result) -> bool:
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
