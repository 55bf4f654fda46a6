"""
Consistency checks of readings, the same for every tool.

Every check uses the columns that all readers fill, and the properties of the format that the reader states.
"""

from __future__ import annotations

import math
from functools import cache
from operator import attrgetter
from typing import TYPE_CHECKING

from ioledger.checks import per_run
from ioledger.checks.per_result import LOOSE, PARTS, RESULT_CHECKS, TICKS, CheckRun

if TYPE_CHECKING:
    from collections.abc import Callable

    from ioledger.model import Checks, Finding, Reading, Result, Tolerances

KINDS = ("total", *PARTS)
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
_HISTOGRAM = "histogram"
_NOTHING = -1.0
"""A limit that takes everything."""


def withdraw_longer(result: Result, run: float | None, asked: CheckRun) -> None:
    """Take latencies out of a result that are longer than an operation of its run of ``run`` seconds can take."""
    if not run:
        return
    limit = (run + (result.ramp_seconds or 0)) * OVER_RAMP
    if result.premises.is_ramp_known and not result.ramp_seconds:
        limit = run * CLOCK + TICK
    if not _exceeds(result, limit):
        return
    every = {kind: _withdraw(result, kind, limit) for kind in KINDS}
    for kind, lost in every.items():
        if lost:
            what = f"{kind} latencies are longer than the {limit:g} s that an operation of this run can take"
            values = {"limit_seconds": limit} | _name_withdrawn(kind, lost)
            asked.tell("latency_within_run", result.pointer, f"{what}, {_describe_withdrawn(lost)}", **values)
    if any(every.values()) and _replace_total(result):
        text = "the total latency has no mean, so the completion latency is shown instead"
        asked.tell("latency_within_run", result.pointer, text)


def withdraw_parts(result: Result, asked: CheckRun) -> None:
    """
    Remove completion and submission latencies that exceed the total latency, or have no start time.

    Completion is taken from a later moment than the total latency, and submission ends where it begins. Engines that
    never note when they submit, as ``io_uring`` with ``sqthread_poll`` in fio 3.32, count completion from the start of
    the job. With ``disable_lat`` fio notes no start, and counts submission from the start of the machine. Source:
    fio's ``io_u.c``, ``get_io_u()``.
    """
    mean, high = result.latency_mean_seconds, result.latency_max_seconds
    slack = TICKS * (result.latency_resolution_seconds or 0)
    most_mean = mean * (1 + LOOSE) + slack if mean else math.inf
    most_high = high * (1 + LOOSE) + slack if high else math.inf
    for kind, part_mean, part_high in (
        ("completion", result.completion_latency_mean_seconds, result.completion_latency_max_seconds),
        ("submission", result.submission_latency_mean_seconds, result.submission_latency_max_seconds),
    ):
        if result.latency_kind == "total" and ((part_mean or 0) > most_mean or (part_high or 0) > most_high):
            wholes = {name: value for name, value in (("mean", mean), ("max", high)) if value}
            whole = ", ".join(f"{name} {value} s" for name, value in wholes.items())
            lost = _withdraw(result, kind, _NOTHING)
            text = f"{kind} latencies are above the total ones ({whole}), {_describe_withdrawn(lost)}"
            values = _name_withdrawn("total", wholes) | _name_withdrawn(kind, lost)
            asked.tell("latency_part_within_total", result.pointer, text, **values)
    if result.premises.is_unstarted and (lost := _withdraw(result, "submission", _NOTHING)):
        text = f"submission latencies have no start, {_describe_withdrawn(lost)}"
        asked.tell("latency_has_start", result.pointer, text, **_name_withdrawn("submission", lost))


def _exceeds(result: Result, limit: float) -> bool:
    """Say whether any latency of a result is above a limit; checked first, because it is rare."""
    most = max(filter(None, _LATENCIES(result)), default=0)
    for seconds in result.percentiles.values():
        most = max(most, max(seconds.values(), default=0))
    for bins in result.bins.values():
        most = max(most, max(bins.lows, default=0))
    return most > limit


def _withdraw(result: Result, kind: str, limit: float) -> dict[str, float]:
    """Take everything of a kind of latency that is above a limit out of a result, and return it as it is printed."""
    prefixes = [""] * (result.latency_kind == kind) + [f"{kind}_"] * (kind != "total")
    names = ("min", *_SUMS) if prefixes else ()
    known = {name: getattr(result, f"{prefixes[0]}latency_{name}_seconds") for name in names}
    wrong = {name for name, value in known.items() if value is not None and value > limit}
    if wrong & {"mean", "max"}:
        wrong |= {"mean", "stddev"}
    lost = {name: value for name, value in known.items() if name in wrong and value is not None}
    for column in (f"{prefix}latency_{name}_seconds" for name in lost for prefix in prefixes):
        setattr(result, column, None)
    every = result.percentiles.get(kind, {})
    if long := {ratio: seconds for ratio, seconds in every.items() if seconds > limit}:
        left = {ratio: seconds for ratio, seconds in every.items() if ratio not in long}
        found = {name: left if name == kind else value for name, value in result.percentiles.items()}
        result.percentiles = {name: value for name, value in found.items() if value}
        lost |= {f"p{100 * ratio:.10g}": seconds for ratio, seconds in long.items()}
    if kind in result.bins and max(result.bins[kind].lows, default=0) > limit:
        lost[_HISTOGRAM] = sum(result.bins[kind].counts)
        result.bins = {name: bins for name, bins in result.bins.items() if name != kind}
    return lost


def _describe_withdrawn(lost: dict[str, float]) -> str:
    """Return what was withdrawn in words."""
    each = [f"the {name} of {value:,} operations" if name == _HISTOGRAM else f"{name} {value} s"
            for name, value in lost.items()]  # fmt: skip
    return f"so they are not measured: {', '.join(each)}"


def _name_withdrawn(kind: str, lost: dict[str, float]) -> dict[str, float]:
    """Return what was withdrawn of a kind of latency by names like those of columns, without a point in them."""
    named = {_HISTOGRAM: f"{kind}_bins_operation_count"}
    return {
        named.get(name) or f"{kind}_latency_{name.replace('.', '_')}_seconds": value for name, value in lost.items()
    }


def _replace_total(result: Result) -> bool:
    """Use the completion latency if the total latency has no mean; say whether it was used."""
    names = [f"latency_{name}_seconds" for name in ("min", *_SUMS)]
    if result.latency_mean_seconds is None and result.completion_latency_mean_seconds is not None:
        for name in names:
            setattr(result, name, getattr(result, f"completion_{name}"))
        result.latency_kind, result.latency_sample_count = "completion", None
        return True
    if all(getattr(result, name) is None for name in names):
        result.latency_kind = result.latency_sample_count = None
    return False


def check(reading: Reading, asked_of: Checks) -> None:
    """
    Ask everything of what was read: findings are added to it, and values that cannot be become null.

    The report of an unfinished run is asked only what no latency can be.

    ``asked_of`` is what its reader states. A tool that prints its figures twice, rounds, cuts, or counts while
    operations are under way is checked within that, and no further.

    One result after the other: of a file with two results arrays would take longer to make than to ask.
    """
    found: list[Finding] = []
    repetitions_of: dict[str, list[Result]] = {}
    for result in reading.results:
        repetitions_of.setdefault(result.repetition, []).append(result)
    for results in repetitions_of.values():
        if (form := _form(asked_of, results[0].source_format)) is None:
            continue
        exact, checks = form
        asked, run = CheckRun(exact, asked_of.rules, found), per_run.longest_run(results)
        for result in results:
            withdraw_longer(result, run, asked)
            if "latency_part_within_total" in asked.rules:
                withdraw_parts(result, asked)
            for check_one in checks if not result.is_partial else ():
                check_one(result, asked)
            if not exact.is_load_shared and not result.is_partial:
                per_run.check_alone(result, asked)
        if exact.is_load_shared and not results[0].is_partial:
            per_run.check(results, asked)
    if found:
        reading.warnings = reading.warnings + found


@cache
def _form(asked_of: Checks, source_format: str) -> tuple[Tolerances, list[Callable[[Result, CheckRun], None]]] | None:
    """Return the precision of a format and the checks of its results; null if there are none."""
    exact = asked_of.formats.get(source_format.partition(" ")[0]) or asked_of.formats.get("")
    return None if exact is None else (exact, [check for check in RESULT_CHECKS if check.__name__ in asked_of.rules])
