"""
What the options of a job say of what its figures must satisfy, and the queue depth that a job looked for.

Source: fio's HOWTO, and ``stat.c``, ``__show_run_stats()``.
"""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING

from ioledger.model import Premises
from ioledger.readers.units import option_seconds

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from ioledger.model import Result

_OFF = frozenset({"0", "false"})
_POLLS = ("hipri", "sqthread_poll", "thinktime_spin")
_UNBATCHED = ("iodepth_batch_complete", "iodepth_batch_complete_min")
_BUSY_BY_DESIGN = ("spdk", "libpmem", "dev-dax", "mmap", "cpuio")
_UNSTARTED = ("disable_lat", "disable_slat")
_TELLING = frozenset({*_POLLS, *_UNBATCHED})
"""Hardly a job states one of these."""
_seconds = lru_cache(256)(option_seconds)


def seek(results: Sequence[Result], target: int | None, depth: int | None, options: Mapping[str, str]) -> None:
    """
    Mark results whose depth was sought to hold ``latency_target``; where a single process ended is where its load did.

    ``target`` is what the report itself says (zero is none) and holds before the option. ``depth`` is the report's:
    target and depth of the process that was added last.
    """
    stated = options.get("latency_target") if target is None else None
    is_sought = target > 0 if target is not None else stated is not None and option_seconds(stated) != 0
    for result in results:
        result.is_queue_depth_sought = is_sought
        if is_sought and result.process_count == 1:
            result.queue_depth_reached = depth or None


def premises(
    options: Mapping[str, str], engine: str | None, depth: int | None, *, is_ramp_known: bool, is_complete: bool
) -> Premises:
    """
    Return what a job was asked to do, as far as its figures must show it.

    ``depth`` is where its last process ended, ``is_ramp_known`` says that there was no ramp if none is stated, and
    ``is_complete`` that all options are known.
    """
    is_unknown = not is_complete and "verify" not in options
    return Premises(
        wanted_seconds=_seconds(options.get("runtime", "")) if options.get("time_based", "0") != "0" else None,
        is_ramp_known=is_ramp_known,
        is_verifying=None if is_unknown else verifies(options),
        is_verifying_earlier=options.get("verify_only", "0") not in _OFF,
        is_polling=_polls(engine, options),
        is_unstarted=any(options.get(name, "0") not in _OFF for name in _UNSTARTED),
        settled_depth=depth or None,
    )


def verifies(options: Mapping[str, str]) -> bool:
    """Say whether a job checks what it wrote, which makes it read after it has written."""
    return options.get("verify", "0") not in {"0", "none", "null"}


def _polls(engine: str | None, options: Mapping[str, str]) -> bool:
    """
    Say whether a job keeps its processor busy by design, so that a busy one proves nothing.

    It polls for completions (``hipri``, ``sqthread_poll``, SPDK, a smallest batch of none), spins between operations,
    or moves the data by the processor itself (memory).
    """
    if _TELLING.isdisjoint(options):
        return _is_busy(engine)
    polls = any(options.get(name, "0") not in _OFF for name in _POLLS)
    return polls or any(options.get(name) == "0" for name in _UNBATCHED) or _is_busy(engine)


@lru_cache(256)
def _is_busy(engine: str | None) -> bool:
    return any(name in (engine or "") for name in _BUSY_BY_DESIGN)
