"""
Consistency checks of readings, the same for every tool.

Every check uses the columns that all readers fill, and the properties of the format that the reader states.

The results of one repetition must satisfy together Little's law, the mix of reads and writes, and the run time.
Little's law: operations per second times mean total latency is the number of operations outstanding. It exceeds the
configured depth only when a unit or an option is wrong, and falls short when the load was limited: by a rate, by
batches, by buffered I/O, or by an engine that waits. Source: fio's HOWTO; Little 1961.
"""

from __future__ import annotations

import math
from functools import cache
from operator import attrgetter
from typing import TYPE_CHECKING

from ioledger.checks.per_result import LOOSE, MOST_BUSY, PARTS, RESULT_CHECKS, TICKS, CheckRun

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

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


def withdraw(result: Result, run: float, asked: CheckRun) -> None:
    """
    Take out latencies that are longer than an operation of a run of ``run`` seconds can take, or than their whole.

    Completion is taken from a later moment than the total latency, and submission ends where it begins. Engines that
    never note when they submit, as ``io_uring`` with ``sqthread_poll`` in fio 3.32, count completion from the start of
    the job. With ``disable_lat`` fio notes no start, and counts submission from the start of the machine. Source:
    fio's ``io_u.c``, ``get_io_u()``.
    """
    limit = (run + (result.ramp_seconds or 0)) * OVER_RAMP
    if result.premises.is_ramp_known and not result.ramp_seconds:
        limit = run * CLOCK + TICK
    every_low = [max(bins.lows, default=0) for bins in result.bins.values()]
    every_rank = [max(seconds.values(), default=0) for seconds in result.percentiles.values()]
    if run and max([*filter(None, _LATENCIES(result)), *every_rank, *every_low], default=0) > limit:
        _withdraw_longer(result, limit, asked)
    mean, high = result.latency_mean_seconds, result.latency_max_seconds
    slack = TICKS * (result.latency_resolution_seconds or 0)
    most_mean = mean * (1 + LOOSE) + slack if mean else math.inf
    most_high = high * (1 + LOOSE) + slack if high else math.inf
    if "latency_part_within_total" not in asked.rules:
        return
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


def _withdraw_longer(result: Result, limit: float, asked: CheckRun) -> None:
    every = {kind: _withdraw(result, kind, limit) for kind in KINDS}
    for kind, lost in every.items():
        if lost:
            what = f"{kind} latencies are longer than the {limit:g} s that an operation of this run can take"
            values = {"limit_seconds": limit} | _name_withdrawn(kind, lost)
            asked.tell("latency_within_run", result.pointer, f"{what}, {_describe_withdrawn(lost)}", **values)
    if any(every.values()) and _replace_total(result):
        text = "the total latency has no mean, so the completion latency is shown instead"
        asked.tell("latency_within_run", result.pointer, text)


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
    """Ask everything of what was read: findings are added to it, and values that cannot be become null."""
    found: list[Finding] = []
    repetitions_of: dict[str, list[Result]] = {}
    for result in reading.results:
        repetitions_of.setdefault(result.repetition, []).append(result)
    for results in repetitions_of.values():
        if (form := _form(asked_of, results[0].source_format)) is None:
            continue
        exact, checks = form
        asked = CheckRun(exact, asked_of.rules, found)
        run = max([result.duration_seconds or 0 for result in results])
        for result in results:
            withdraw(result, run, asked)
            for check_one in checks if not result.is_partial else ():
                check_one(result, asked)
            if not exact.is_load_shared and not result.is_partial:
                _check_alone(result, asked)
        if exact.is_load_shared and not results[0].is_partial:
            _check_repetition(results, asked)
    if found:
        reading.warnings = reading.warnings + found


@cache
def _form(asked_of: Checks, source_format: str) -> tuple[Tolerances, list[Callable[[Result, CheckRun], None]]] | None:
    """Return the precision of a format and the checks of its results; null if there are none."""
    exact = asked_of.formats.get(source_format.partition(" ")[0]) or asked_of.formats.get("")
    return None if exact is None else (exact, [check for check in RESULT_CHECKS if check.__name__ in asked_of.rules])


_SEVERAL = 1.5
_MIX, _DEVIATIONS = 0.05, 4


def _check_repetition(results: Sequence[Result], asked: CheckRun) -> None:
    """Check the results of a repetition together; remove contradicted values from all of them."""
    parts = [result for result in results if not result.is_aggregate]
    if not parts:
        return
    first = parts[0]
    if first.premises.is_process_count_assumed:
        _check_processes(results, parts, asked)
    if first.is_queue_depth_sought:
        _note_depth_sought(first, asked)
    counts = {part.operation: part.operation_count or _estimate_operations(part) for part in parts}
    if sum(counts.values()) < asked.exact.least_operations:
        return
    if first.read_ratio == 0 and _verify(parts, counts):
        if first.operation == "read":
            asked.tell("reads_are_a_load", first.repetition, "the reads check what was written")
    else:
        if not first.is_queue_depth_sought:
            _check_depth(parts, first.queue_depth, first.repetition, asked)
        if _check_mix(parts, counts, asked):
            for result in results:
                result.read_ratio = None
        _check_time(parts, first.repetition, asked)
    _check_processor(parts, asked)


def _check_alone(result: Result, asked: CheckRun) -> None:
    """Check one result that shares neither queue depth nor run time with others."""
    if result.premises.outstanding_count:
        _check_depth([result], result.premises.outstanding_count, result.pointer, asked)
    if result.premises.wanted_seconds:
        _check_time([result], result.pointer, asked)


def outstanding(parts: Sequence[Result]) -> float | None:
    """Return the queue depth reached by Little's law; null unless every part but synchronisations has total latency."""
    depth = 0.0
    for part in parts:
        rate = part.operations_per_second
        if rate is None and part.operation == "sync" and part.operation_count:
            lasted = max([each.duration_seconds or 0 for each in parts])
            rate = part.operation_count / lasted if lasted else None
        if part.latency_kind != "total" or rate is None or part.latency_mean_seconds is None:
            return None
        depth += rate * part.latency_mean_seconds
    return depth


def _check_depth(parts: Sequence[Result], configured: float | None, place: str, asked: CheckRun) -> None:
    """Expect as many operations to be outstanding together as were configured (Little's law)."""
    achieved = outstanding(parts)
    if achieved is None:
        return
    exact, hidden = asked.exact, 0.0  # operations that the rounding of rates and of mean latencies may hide or add
    for part in parts:
        rate, mean = part.operations_per_second or 0, part.latency_mean_seconds or 0
        hidden += rate * (exact.mean_ticks * (part.latency_resolution_seconds or 0))
        hidden += mean * (part.operations_resolution_per_second or 0)
    if configured and exact.depth_low * configured - hidden <= achieved <= exact.depth_high * configured + hidden:
        return
    shown = f"{achieved:,.1f}" if achieved >= 1 else f"{achieved:.2g}"
    text, values = f"{shown} operations were outstanding on average", {"outstanding_count": achieved}
    if not configured and "depth_is_known" not in asked.rules:
        return
    if not configured:
        asked.tell("depth_is_known", place, f"the queue depth is not known; {text}", **values)
    elif achieved > configured:
        text += f", more than the configured {configured:g}: a unit or an option is wrong"
        asked.tell("not_more_outstanding", place, text, **values, queue_depth=configured)
    else:
        text += f", {configured:g} were configured"
        asked.tell("not_fewer_outstanding", place, text, **values, queue_depth=configured)


def _check_time(parts: Sequence[Result], place: str, asked: CheckRun) -> None:
    """Expect a run to last as long as configured, unless it reached its steady state or failed."""
    wanted = parts[0].premises.wanted_seconds
    lasted = max([part.duration_seconds or 0 for part in parts])
    if not wanted or not lasted or asked.exact.time_low <= lasted / wanted <= asked.exact.time_high:
        return
    if not any(part.is_steady_state_attained or part.outcome != "ok" for part in parts):
        text = f"the run lasted {lasted:g} s of the {wanted:g} s asked for"
        asked.tell("run_lasts_as_asked", place, text, duration_seconds=lasted, wanted_seconds=wanted)


def _check_processes(results: Sequence[Result], parts: Sequence[Result], asked: CheckRun) -> None:
    """
    Take the queue depth as unknown where ``numjobs`` is not stated and more I/Os were outstanding than one job has.

    fio left ``numjobs`` out of the global options from 2.3 to 3.3 (commits 876e1001, 0cf542af).
    """
    configured, achieved = parts[0].queue_depth, outstanding(parts)
    if not configured or achieved is None or achieved <= _SEVERAL * configured:
        return
    for result in results:
        result.queue_depth = result.queue_depth_origin = result.process_count = None
        result.scope = "group"
    text = "numjobs is not stated, but more I/Os were outstanding than one job could have"
    values = {"outstanding_count": achieved, "queue_depth": configured}
    asked.tell("processes_are_counted", parts[0].repetition, text, **values)


def _note_depth_sought(part: Result, asked: CheckRun) -> None:
    """Say where a search for a depth ended, as far as that is known."""
    is_known = part.queue_depth is not None
    configured = f"{part.queue_depth} was configured" if is_known else "the depth configured is not known"
    settled = part.premises.settled_depth
    if part.queue_depth_reached is not None:
        text = f"latency_target settled at depth {part.queue_depth_reached}, {configured}"
    elif settled is None:
        text = f"with latency_target fio searches for a depth, and the result is not reported; {configured}"
    else:
        others = f"the last process ended at {settled}, and the others are not reported"
        text = f"with latency_target fio searches for a depth: {others}; {configured}"
    values = {"queue_depth": part.queue_depth, "settled_depth": part.queue_depth_reached or settled}
    asked.tell("depth_is_the_one_configured", part.repetition, text, **values)


def _verify(parts: Sequence[Result], counts: dict[str, float]) -> bool:
    """Say whether the reads of a job, which was only to write, check what was written; ``counts`` of its operations."""
    # They are then no more than the writes, and those in flight when the count ends. The writes of a ramp are not
    # counted, and an earlier run may have done them.
    premises = parts[0].premises
    is_verifying = parts[0].operation == "read" if premises.is_verifying is None else premises.is_verifying
    if not is_verifying:
        return False
    if parts[0].ramp_seconds or premises.is_verifying_earlier:
        return True
    slack = (parts[0].queue_depth or parts[0].process_count or 1) + sum(map(_count_hidden, parts))
    return counts.get("read", 0) <= counts.get("write", 0) * (1 + _MIX) + slack


def _estimate_operations(part: Result) -> float:
    """Return operations that are not counted from bytes and block, else from a rate that may be cut."""
    if part.operation_count is None and part.transferred_bytes and part.block_size_bytes:
        return part.transferred_bytes / part.block_size_bytes
    return (part.operations_per_second or 0) * (part.duration_seconds or 0)


def _count_hidden(part: Result) -> float:
    """Return how many operations a rate hides that is cut to whole IOPS: up to one per second."""
    is_counted = part.operation_count is not None or (part.transferred_bytes and part.block_size_bytes)
    return 0 if is_counted else part.duration_seconds or 0


def _check_mix(parts: Sequence[Result], counts: dict[str, float], asked: CheckRun) -> bool:
    """
    Compare the share of reads with the configured one; say whether they contradict each other.

    Each operation is drawn, so the share of ``count`` operations scatters around the one declared with a standard
    deviation of the root of ``share * (1 - share) / count``: four of them on top of what limits and ends of runs shift.
    """
    declared, reads = parts[0].read_ratio, counts.get("read", 0)
    every = reads + counts.get("write", 0)
    if declared is None or not every or reads / every == declared:
        return False
    share, chance = reads / every, (max(declared * (1 - declared), 0) / every) ** 0.5
    if abs(share - declared) <= _MIX + _DEVIATIONS * chance + sum(map(_count_hidden, parts)) / every:
        return False
    text = f"{share:.0%} of the operations were reads, {declared:.0%} were configured: the configured share is not used"
    values = {"measured_read_ratio": share, "read_ratio": declared}
    asked.tell("mix_is_the_one_declared", parts[0].repetition, text, **values)
    return True


def _check_processor(parts: Sequence[Result], asked: CheckRun) -> None:
    """
    Expect the load generator not to be the bottleneck; each result that fails gets a finding.

    fio divides the processor time of a job, or of all the processes of a group, by their added run times: the share is
    that of the mean process, whatever ``numjobs`` is. Source: ``stat.c``, ``show_thread_status_json()``.
    """
    user, system = parts[0].cpu_user_ratio, parts[0].cpu_system_ratio
    if user is None or system is None or user + system <= MOST_BUSY or parts[0].premises.is_polling:
        return
    text = f"fio kept its processor busy {user + system:.0%} of the time (user {user:.0%}, system {system:.0%})"
    text += ": unless it polled, the rate is that of fio rather than of the drive"
    for part in parts:
        asked.tell("process_waits", part.pointer, text, cpu_user_ratio=user, cpu_system_ratio=system)
