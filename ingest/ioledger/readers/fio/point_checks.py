"""
What the results of one point must satisfy together: Little's law, the mix of reads and writes, the run time asked for.

Little's law: operations per second times mean total latency is the number of operations outstanding. It exceeds the
configured depth only when a unit or an option is wrong, and falls short when the load was limited: by a rate, by
batches, by buffered I/O, or by an engine that waits. Source: fio's HOWTO; Little 1961.
"""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING, NamedTuple

from ioledger.plausibility import busy
from ioledger.readers.base import Finding
from ioledger.readers.units import option_seconds

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from ioledger.readers.base import Result

_TOO_MANY, _TOO_FEW = 1.05, 0.9
_FEW_OPERATIONS = 100
_MIX, _DEVIATIONS = 0.05, 4
_SHORT = 0.9
_POLLS = ("hipri", "sqthread_poll", "thinktime_spin")
_UNBATCHED = ("iodepth_batch_complete", "iodepth_batch_complete_min")
_BUSY_BY_DESIGN = ("spdk", "libpmem", "dev-dax", "mmap", "cpuio")
Said = list[tuple[str, str]]


class Sought(NamedTuple):
    """A job that looked for the depth that holds ``latency_target``: where its last process ended, null if unknown."""

    depth: int | None


def sought(target: int | None, depth: int | None, options: Mapping[str, str]) -> Sought | None:
    """
    Return what is known of the depth that a job looked for, null where it was to hold the one configured.

    ``target`` is what the report itself says (zero is none) and holds before the option. ``depth`` is the report's.
    Source: fio's ``stat.c``, ``__show_run_stats()``: the target and depth of the process that was added last.
    """
    if target is None:
        stated = options.get("latency_target")
        is_sought = stated is not None and option_seconds(stated) != 0
    else:
        is_sought = target > 0
    return Sought(depth or None) if is_sought else None


def seek(results: Sequence[Result], sought: Sought | None) -> None:
    """Mark results whose depth was sought; where a single process ended is where its load did."""
    for result in results:
        result.is_queue_depth_sought = sought is not None
        if sought is not None and result.process_count == 1:
            result.queue_depth_reached = sought.depth


def of_point(
    results: Sequence[Result], options: Mapping[str, str], sought: Sought | None, *, is_complete: bool = True
) -> list[Finding]:
    """
    Return what is odd about the results of one point; a mix of reads and writes that they refute becomes null.

    ``sought`` is the depth that the job looked for. A job that was only to write but reads checks what it wrote, unless
    all its options are known (``is_complete``) and say otherwise.
    """
    parts = [result for result in results if not result.is_aggregate]
    looked = [Finding("R-FIO-DEPTH-3", _looked(parts[0], sought), parts[0].repetition)] if sought and parts else []
    if not parts or sum(map(_operations, parts)) < _FEW_OPERATIONS:
        return looked
    is_unknown = not is_complete and "verify" not in options and parts[0].operation == "read"
    if parts[0].read_ratio == 0 and (is_unknown or verifies(options)) and _may_verify(parts, options):
        said = [("R-FIO-MIX-2", "the reads check what was written")] if parts[0].operation == "read" else []
    else:
        refuted = _mix(parts)
        said = ([] if sought else _depth(parts)) + refuted + _time(parts, options)
        if refuted:
            for result in results:
                result.read_ratio = None
    return looked + [Finding(rule, text, parts[0].repetition) for rule, text in said] + _busy(parts, options)


def _looked(part: Result, sought: Sought) -> str:
    """Say where a search for a depth ended, as far as that is known."""
    is_known = part.queue_depth is not None
    configured = f"{part.queue_depth} was configured" if is_known else "the depth configured is not known"
    if part.queue_depth_reached is not None:
        return f"latency_target settled at depth {part.queue_depth_reached}, {configured}"
    if sought.depth is None:
        return f"latency_target let fio look for a depth, and where that ended is not told; {configured}"
    others = f"the last process ended at {sought.depth}, and nothing tells of the others"
    return f"latency_target let fio look for a depth: {others}; {configured}"


def waits_busily(engine: str | None, options: Mapping[str, str]) -> bool:
    """
    Say whether a job keeps its processor busy by design, so that a busy one proves nothing.

    It polls for completions (``hipri``, ``sqthread_poll``, SPDK, a smallest batch of none), spins between operations,
    or moves the data by the processor itself (memory). Source: fio's HOWTO.
    """
    return (
        any(options.get(name, "0") not in {"0", "false"} for name in _POLLS)
        or any(options.get(name) == "0" for name in _UNBATCHED)
        or any(name in (engine or "") for name in _BUSY_BY_DESIGN)
    )


def _busy(parts: Sequence[Result], options: Mapping[str, str]) -> list[Finding]:
    """
    Expect fio to wait for the drive, not the drive for fio; a finding marks each result.

    fio divides the processor time of a job, or of all the processes of a group, by their added run times: the share is
    that of the mean process, whatever ``numjobs`` is. Source: ``stat.c``, ``show_thread_status_json()``.
    """
    user, system = parts[0].cpu_user_ratio, parts[0].cpu_system_ratio
    if user is None or system is None or user + system <= busy.MOST or waits_busily(parts[0].engine, options):
        return []
    text = f"fio kept its processor busy {user + system:.0%} of the time (user {user:.0%}, system {system:.0%})"
    text += ": unless it polled, the rate is that of fio rather than of the drive"
    return [Finding("R-FIO-CPU-1", text, part.pointer) for part in parts]


def verifies(options: Mapping[str, str]) -> bool:
    """Say whether a job checks what it wrote, which makes it read after it has written."""
    return options.get("verify", "0") not in {"0", "none", "null"}


def _may_verify(parts: Sequence[Result], options: Mapping[str, str]) -> bool:
    """
    Say whether all reads may check what was written: no more than the writes, and those in flight when the count ends.

    The writes of a ramp are not counted, and with ``verify_only`` an earlier run did them.
    """
    if parts[0].ramp_seconds or options.get("verify_only", "0") not in {"0", "false"}:
        return True
    counts = {part.operation: _operations(part) for part in parts}
    slack = (parts[0].queue_depth or parts[0].process_count or 1) + sum(map(_hidden, parts))
    return counts.get("read", 0) <= counts.get("write", 0) * (1 + _MIX) + slack


def _operations(part: Result) -> float:
    """Return the operations of a part: counted, else from bytes and block, else from a rate that may be cut."""
    if part.operation_count is None and part.transferred_bytes and part.block_size_bytes:
        return part.transferred_bytes / part.block_size_bytes
    return part.operation_count or (part.operations_per_second or 0) * (part.duration_seconds or 0)


def _hidden(part: Result) -> float:
    """Return how many operations a rate hides that is cut to whole IOPS: up to one per second."""
    is_counted = part.operation_count is not None or (part.transferred_bytes and part.block_size_bytes)
    return 0 if is_counted else part.duration_seconds or 0


def _depth(parts: Sequence[Result]) -> Said:
    configured, achieved = parts[0].queue_depth, outstanding(parts)
    if achieved is None:
        return []
    text = f"{achieved:.1f} operations were outstanding on average"
    if not configured:
        return [("R-FIO-DEPTH-4", f"the queue depth is not known; {text}")]
    if achieved > configured * _TOO_MANY:
        wrong = f"{text}, more than the configured {configured}: a unit or an option is wrong"
        return [("R-FIO-DEPTH-2", wrong)]
    return [("R-FIO-DEPTH-1", f"{text}, {configured} were configured")] if achieved < configured * _TOO_FEW else []


def outstanding(parts: Sequence[Result]) -> float | None:
    """
    Return the achieved queue depth of a point by Little's law; null unless every part has total latency.

    Synchronisations (``fsync``) have no run time of their own: they took part of the others'.
    """
    depth, lasted = 0.0, max((part.duration_seconds or 0 for part in parts), default=0)
    for part in parts:
        count = part.operation_count if part.operation == "sync" else 0
        rate = part.operations_per_second or (count / lasted if count and lasted else None)
        if part.latency_kind != "total" or not rate or part.latency_mean_seconds is None:
            return None
        depth += rate * part.latency_mean_seconds
    return depth


def _mix(parts: Sequence[Result]) -> Said:
    """
    Compare the share of reads with the one declared.

    fio draws each operation, so the share of ``count`` operations scatters around the one declared with a standard
    deviation of the root of ``share * (1 - share) / count``: four of them on top of what limits and ends of runs shift.
    """
    counts = {part.operation: _operations(part) for part in parts}
    declared, reads, writes = parts[0].read_ratio, counts.get("read", 0), counts.get("write", 0)
    if declared is None or not reads + writes:
        return []
    every = reads + writes
    share, chance = reads / every, (declared * (1 - declared) / every) ** 0.5
    if abs(share - declared) <= _MIX + _DEVIATIONS * chance + sum(map(_hidden, parts)) / every:
        return []
    text = f"{share:.0%} of the operations were reads, {declared:.0%} were declared: the share declared is left out"
    return [("R-FIO-MIX-1", text)]


def _time(parts: Sequence[Result], options: Mapping[str, str]) -> Said:
    """Compare the run time with the one asked for, where the job was to run by time."""
    wanted = wanted_seconds(options)
    lasted = max(part.duration_seconds or 0 for part in parts)
    if not wanted or lasted >= _SHORT * wanted:
        return []
    if any(part.is_steady_state_attained or part.outcome != "ok" or part.is_partial for part in parts):
        return []
    return [("R-FIO-TIME-1", f"the job ran {lasted:g} s of the {wanted:g} s asked for")]


def wanted_seconds(options: Mapping[str, str]) -> float | None:
    """Return how long a job was to run, null where it was not to run by time."""
    return _seconds(options.get("runtime", "")) if options.get("time_based", "0") != "0" else None


_seconds = lru_cache(256)(option_seconds)
