"""
What a manifest states of a method that only all files of a configuration together refute.

What one file tells alone is compared in :mod:`ioledger.submission.agreement`. Here runs that measured and runs that
prepared are looked at together: whether any of them had a criterion of steady state, what was written before, with
which data, and how often everything was repeated. What the files leave open refutes nothing: an option that a report
may leave out, a run without a time, a format that does not show steady states.
"""

from __future__ import annotations

import re
from collections import Counter
from typing import TYPE_CHECKING, Any, NamedTuple

from ioledger.submission.areas import options_of
from ioledger.submission.manifest import known
from ioledger.submission.target import before, is_covered, target_of
from ioledger.submission.written import pattern

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from ioledger.model import Reading, Result
    from ioledger.submission.target import Bytes

    Stated = dict[str, Any]

SHOWS_STEADY = frozenset({"json", "json+"})
"""The formats of fio that show steady states."""
CRITERIA = frozenset({"steadystate", "ss"})
UNWRITTEN = frozenset({"none", "erased"})
"""States of a drive that nobody has written to since."""
NOT_WRITTEN = re.compile(r"(?:no|not|none|nothing|never)\b(?!.*\b(?:unwritten|left|missing|gaps?|holes?)\b)")
ZERO = re.compile(r"(?:all |only )?(?:zero|0x0|null|constant|empty)")
RANDOM = re.compile(r"(?:pseudo-?)?random|incompressible|refilled|unique")
REFILLED = re.compile(r"(?<!not )\brefilled\b")
ALL_KEPT = re.compile(r"all\b")
WHOLE = re.compile(
    r"\b(?:whole|entire|full|complete)\s+(?:raw\s+)?(?:device|disk|drive|ssd|namespace|capacity)\b(?! image)"
)
MUCH = 0.9
"""From so much of a drive on somebody may call it whole: some leave a part out as spare."""


class Evidence(NamedTuple):
    """A file of a submission as it is looked at here."""

    name: str
    role: str
    reading: Reading
    ties: dict[str, str]
    source: Bytes
    repetition: int = 1


class Refuted(NamedTuple):
    """A field of the method, what is stated, and what the files tell instead."""

    field: str
    stated: object
    told: str


def refuted(method: Stated, mine: Sequence[Evidence], drives: list[Stated]) -> Iterator[Refuted]:
    """
    Give every value of a method that the files of its configuration refute together.

    ``drives`` are those of :func:`ioledger.submission.target.data_drives`.
    """
    results = [item for item in mine if item.role == "result"]
    if not results:
        return
    asked: dict[str, Callable[[Any], str | None]] = {
        "steady_state_class": lambda stated: _steady(stated, mine),
        "preconditioning_class": lambda stated: _written(mine, drives) if stated in UNWRITTEN else None,
        "file_written": lambda stated: _written(mine, drives) if NOT_WRITTEN.match(str(stated).lower()) else None,
        "data_pattern": lambda stated: _pattern(str(stated).lower(), mine),
        "repetition_count": lambda stated: _repeated(stated, method, results),
        "measurement_area": lambda stated: _whole(str(stated).lower(), method, drives),
    }
    for field, of in asked.items():
        stated = known(method.get(field, "unknown")).value
        if stated is not None and (told := of(stated)) is not None:
            yield Refuted(field, stated, told)


def _steady(stated: object, mine: Sequence[Evidence]) -> str | None:
    """Compare with fio's criterion: whether any run had one, and whether those that write reached it."""
    runs = [(item, result) for item in mine if item.role != "job" for result in item.reading.results]
    had = [result for _, result in runs if result.is_steady_state_attained is not None]
    if stated == "fio" and not had:
        is_shown = all(_shows_steady(item, result) for item, result in runs)
        return "no run had a criterion of fio" if is_shown else None
    reached = [result.is_steady_state_attained for result in had]
    if stated == "fio" and not any(reached):
        return f"fio's criterion was reached in none of {len(had)} results"
    writing = [result for item, result in runs if item.role == "result" and result.operation in {"write", "mixed"}]
    if stated == "none" and writing and all(result.is_steady_state_attained for result in writing):
        return f"fio's criterion was reached in all of {len(writing)} results that write"
    return None


def _shows_steady(item: Evidence, result: Result) -> bool:
    """Say whether a result would show a criterion if there had been one: a tool without any never had it."""
    if item.reading.tool != "fio":
        return True
    is_told = result.source_format in SHOWS_STEADY and bool(result.job_options)
    return is_told and not CRITERIA & options_of(result).keys()


def _written(mine: Sequence[Evidence], drives: list[Stated]) -> str | None:
    """Tell that every byte was written before, where a preparation that is handed in did so."""
    early = before(mine)
    measured = target_of(mine, drives) if early else None
    if measured is None or not is_covered(measured, mine):
        return None
    return f"{', '.join(sorted(item.name for item in early))} wrote every byte of it before the measurement"


def _pattern(stated: str, mine: Sequence[Evidence]) -> str | None:
    """Compare kinds of data with those that fio's options make, where these leave nothing open."""
    told = (pattern(mine) or {}).get("value")
    if told is None:
        return None
    is_other = ZERO.match(stated) and told.startswith(("random", "compressible"))
    is_other = is_other or (RANDOM.match(stated) and told.startswith(("zero", "constant")))
    is_other = is_other or (REFILLED.search(stated) and "filled in once" in told)
    return f"the data were {told}" if is_other else None


def _repeated(stated: int, method: Stated, results: Sequence[Evidence]) -> str | None:
    """Compare with how often the same was measured, where every run is said to be kept."""
    kept = known(method.get("kept_run", "unknown")).value
    if not ALL_KEPT.match(str(kept).lower()):
        return None
    counts: Counter[object] = Counter()
    for item in results:
        counts.update({
            (each.repetition, _point(each)): _point(each)
            for each in item.reading.results if each.is_canonical and not each.is_partial
        }.values())  # fmt: skip
    most = max(*(item.repetition for item in results), *counts.values(), 1)
    return f"all runs are kept, and nothing was measured more than {_times(most)}" if stated > most else None


def _times(count: int) -> str:
    return "once" if count == 1 else f"{count} times"


def _point(result: Result) -> object:
    """Return what makes a result one of a point; the share of reads is measured, and differs between runs."""
    return (
        result.operation, result.access_pattern, result.block_size_bytes, result.queue_depth, result.process_count,
        result.test_name,
    )  # fmt: skip


def _whole(stated: str, method: Stated, drives: list[Stated]) -> str | None:
    """Compare prose with bytes: a whole device is about as large as its smallest drive at least."""
    size = known(method.get("measurement_area_bytes", "unknown")).value
    sizes = [known(drive.get("capacity_bytes", "unknown")).value for drive in drives]
    if not WHOLE.search(stated) or size is None or not sizes or not all(isinstance(each, int) for each in sizes):
        return None
    smallest = min(sizes)
    if size >= MUCH * smallest:
        return None
    return f"measurement_area_bytes is {size}, and the capacity {smallest}"
