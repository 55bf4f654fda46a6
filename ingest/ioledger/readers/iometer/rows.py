"""
The rows of a run that give results: its ALL row, or in a network test each worker that is no mirror.

The ALL row leaves raw times and the tick rate blank; they come from the rows it sums. Source: ``ManagerList.cpp``,
``Manager.cpp``, ``Worker.cpp``, ``SaveResults()``; mirror workers: ``Worker.cpp``, ``CreateNetClient()``.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from ioledger.model import Refusal
from ioledger.readers.iometer import text
from ioledger.readers.iometer.specs import setting
from ioledger.readers.iometer.text import figures_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from ioledger.readers.iometer.specs import Spec
    from ioledger.readers.iometer.text import Header, Row, Run

_MOST_OUTSTANDING = 1_000_000
_REMEDY = "Submit the file as Iometer wrote it."


class Unit(NamedTuple):
    """
    A row that gives results: its place, scope, workload, figures, settings, bins and time.

    ``queue_depth`` is the sum over all pairs of worker and target; ``duration`` is in seconds, ``ticks`` per second.
    """

    line: int
    scope: str
    name: str | None
    spec: Spec | None
    figures: dict[str, float]
    settings: Mapping[str, int | None]
    queue_depth: int | None
    bins: Sequence[int]
    duration: float | None
    ticks: float | None


class Parts(NamedTuple):
    """The run time and the tick rate of the rows that an ALL row sums, by kind of row."""

    managers: list[dict[str, float]]
    workers: list[dict[str, float]]


def is_network(run: Run) -> bool:
    """Say whether a run has mirror workers: the other ends of network connections, named in brackets."""
    at = _name_at(run)
    return any(row.kind == "WORKER" and row.text.split(",", at + 1)[at].startswith("[") for row in run.rows)


def units(run: Run, header: Header, *, is_mirrored: bool) -> tuple[list[Unit], list[Refusal]]:
    """
    Return what a sound run gives results for, and why it gives nothing.

    ``is_mirrored`` says that the run is a network test, whose ALL row counts both ends.
    """
    chosen = [row for row in run.rows if row.kind == "ALL"]
    if len(chosen) != 1:
        what = f"the run has {len(chosen)} rows that sum all managers, not one"
        return [], [Refusal(f"line {run.line}", what, _REMEDY, "R-IOMETER-LINE-1")]
    if is_mirrored:
        at = _name_at(run)
        chosen = [row for row in run.rows if row.kind == "WORKER" and not row.fields()[at].startswith("[")]
    parts = _parts(run, header)
    found = [_unit(run, header, row, parts) for row in chosen]
    faults = [each for each in found if isinstance(each, Refusal)]
    return [each for each in found if isinstance(each, Unit) and not faults], faults


def _name_at(run: Run) -> int:
    return 2 if run.header and run.header.is_instantaneous else 1


def _parts(run: Run, header: Header) -> Parts:
    """Return the clocks of managers and workers; an update of an instantaneous file only has the tick rate."""
    parts = Parts([], [])
    for row in run.rows[:1] if header.is_instantaneous else run.rows:
        if row.kind != "ALL":
            of_kind = parts.managers if row.kind == "MANAGER" else parts.workers
            of_kind.append(figures_of(row.fields(), header, text.CLOCK))
    return parts


def _unit(run: Run, header: Header, row: Row, parts: Parts) -> Unit | Refusal:
    fields, at = row.fields(), _name_at(run)
    figures = figures_of(fields, header, text.FIGURES)
    bins = [setting(fields[place]) for place in header.bins]
    settings = {name: setting(fields[header.places[name]]) for name in text.SETTINGS}
    wrong = [*_wrong(figures), *(name for name in text.LOAD if (settings[name] or 0) > _MOST_OUTSTANDING)]
    if wrong or None in bins:
        what = f"these columns hold no plausible number: {', '.join(wrong) or 'latency bins'}"
        return Refusal(f"line {row.line}", what, _REMEDY, "R-IOMETER-LINE-1")
    duration, ticks = _duration([figures] if row.kind == "WORKER" else parts.managers or parts.workers)
    name = ",".join(fields[at + 1 : len(fields) - header.width + at + 2]) or None
    return Unit(
        line=row.line,
        scope="worker" if row.kind == "WORKER" else "all",
        name=name,
        spec=run.specs.get(name or ""),
        figures=figures,
        settings=settings,
        queue_depth=_queue_depth(run, header, settings, row),
        bins=[count or 0 for count in bins],
        duration=duration or _apparent(figures),
        ticks=ticks,
    )


def _wrong(figures: Mapping[str, float]) -> Iterator[str]:
    """Name the columns without a number; counts must be whole."""
    yield from (name for name in text.COUNTS if not isinstance(figures.get(name), int))
    yield from (name for name in (*text.RATES, *text.TIMES) if not figures.get(name, -1) >= 0)


def _duration(clocks: Iterable[dict[str, float]]) -> tuple[float | None, float | None]:
    """Return the longest run time of the parts in seconds, and the tick rate."""
    time, rate = text.CLOCK
    known = [(clock.get(time, 0), clock[rate]) for clock in clocks if clock.get(rate, 0) > 0]
    longest = max((time / ticks for time, ticks in known if time > 0), default=None)
    return longest, max((ticks for _, ticks in known), default=None)


def _apparent(figures: dict[str, float]) -> float | None:
    """Return operations over IOPS: the run time where no row states it."""
    operations = figures["Read I/Os"] + figures["Write I/Os"]
    return operations / figures["IOps"] if operations and figures["IOps"] else None


def _queue_depth(run: Run, header: Header, settings: Mapping[str, int | None], row: Row) -> int | None:
    """Return outstanding I/Os in total: pairs times depth; where depths differ, the sum over the workers."""
    pairs, depth = settings["# Disks"], settings["Queue Depth"]
    if pairs and depth:
        return pairs * depth
    if row.kind == "WORKER" or header.is_instantaneous:
        return None
    loads = [
        [setting(fields[header.places[name]]) for name in ("# Disks", "Queue Depth")]
        for fields in (row.fields() for row in run.rows if row.kind == "WORKER")
    ]
    active = [load for load in loads if load[0] != 0]
    return sum((a or 0) * (b or 0) for a, b in active) if active and all(a and b for a, b in active) else None
