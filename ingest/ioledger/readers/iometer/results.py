"""
Runs as results: one per operation that completed any I/O, and their sum when both did; and updates as samples.

The lower edges of the latency bins are whole ticks of the timer, as Iometer computes them; three labels are inexact
("15 mS" is a 67th of a second, "30 mS" a 33rd, "4.7 s" is 4 s).

An instantaneous file holds updates: IOPS, throughput and mean latency over time. Iometer writes one row per worker and
update, a few milliseconds apart. One round of workers is one sample: rates add up, latencies are weighted with the
I/Os. Updates may also be set to count from the start of the run; such rows grow towards the final row and are no
samples. At the end come rows of the whole run; only those name their access specification.
Source: ``IOGrunt.cpp``, ``Grunt_Thread_Wrapper()``; ``Worker.cpp``, ``UpdateResults()``.
"""

from __future__ import annotations

import re
from contextlib import suppress
from datetime import datetime, timedelta
from functools import lru_cache
from itertools import pairwise
from operator import itemgetter
from typing import TYPE_CHECKING, Any, NamedTuple

from ioledger.model import Bins, Finding, Premises, Refusal, Result
from ioledger.readers.iometer import text
from ioledger.readers.iometer.specs import PERCENT, as_json, setting, workload
from ioledger.readers.iometer.text import NOT_A_NUMBER, NUMBER, STAMP, figures_of
from ioledger.readers.units import MEBI, MILLI
from ioledger.tables.columns import identity

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence

    from ioledger.model import Reading, Source
    from ioledger.readers.iometer.specs import Spec
    from ioledger.readers.iometer.text import Header, Row, Run, Scan

    Figures = dict[str, tuple[float, ...]]
    Places = list[tuple[str, Callable[[list[str]], tuple[str, ...]]]]

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
    found = [_unit(run, header, row) for row in chosen]
    faults = [each for each in found if isinstance(each, Refusal)]
    return [each for each in found if isinstance(each, Unit) and not faults], faults


def _name_at(run: Run) -> int:
    return 2 if run.header and run.header.is_instantaneous else 1


def _unit(run: Run, header: Header, row: Row) -> Unit | Refusal:
    fields, at, is_worker = row.fields(), _name_at(run), row.kind == "WORKER"
    figures = figures_of(fields, header, text.FIGURES)
    bins = [setting(fields[place]) for place in header.bins]
    settings = {name: setting(fields[header.places[name]]) for name in text.SETTINGS}
    wrong = [name for name in text.COUNTS if not isinstance(figures.get(name), int)]
    wrong += [name for name in (*text.RATES, *text.TIMES) if not figures.get(name, -1) >= 0]
    wrong += [name for name in text.LOAD if (settings[name] or 0) > _MOST_OUTSTANDING]
    if wrong or None in bins:
        what = f"these columns contain no plausible number: {', '.join(wrong) or 'latency bins'}"
        return Refusal(f"line {row.line}", what, _REMEDY, "R-IOMETER-LINE-1")
    duration, ticks = _duration(run, header, row)
    if not duration and figures["IOps"]:  # where no row states the run time
        duration = (figures["Read I/Os"] + figures["Write I/Os"]) / figures["IOps"] or None
    name = ",".join(fields[at + 1 : len(fields) - header.width + at + 2]) or None
    return Unit(
        line=row.line,
        scope="worker" if is_worker else "all",
        name=name,
        spec=run.specs.get(name or ""),
        figures=figures,
        settings=settings,
        queue_depth=_queue_depth(run, header, settings, row),
        bins=[count or 0 for count in bins],
        duration=duration,
        ticks=ticks,
    )


def _duration(run: Run, header: Header, row: Row) -> tuple[float | None, float | None]:
    """Return the longest run time of a worker, of the managers or else the workers in seconds, and the tick rate."""
    rows = run.rows[:1] if header.is_instantaneous else run.rows
    every = [[each for each in rows if each.kind == kind] for kind in ("MANAGER", "WORKER")]
    parts = [row] if row.kind == "WORKER" else every[0] or every[1]
    clocks = [figures_of(each.fields(), header, text.CLOCK) for each in parts]
    time, rate = text.CLOCK
    known = [(clock.get(time, 0), clock[rate]) for clock in clocks if clock.get(rate, 0) > 0]
    longest = max((time / ticks for time, ticks in known if time > 0), default=None)
    return longest, max((ticks for _, ticks in known), default=None)


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


PREFIXES = {"read": "Read ", "write": "Write ", "mixed": ""}
PRINTED = 1e-9  # six decimals of a millisecond
PRINTED_RATE = 1e-6  # finer than counts over the time all workers share: they stop one after another
_NETWORK = "a network test: its ALL row counts both ends of every connection, so its workers are read instead ({})"
_DIVISORS = (20_000, 10_000, 5_000, 2_000, 1_000, 500, 200, 100, 67, 50, 33, 20, 10, 5, 2, 1)
_SECONDS = (2, 4, 5, 10)
_SHORT = 1e-5
_ROUNDS = 4
_NONE = (NOT_A_NUMBER,) * 4
_FOUR = re.compile(",".join([NUMBER.pattern] * 4), re.ASCII)
_UPDATED = {
    "read": ("Read IOps", "Read Binary", "Average Read Response Time", "Read I/Os"),
    "write": ("Write IOps", "Write Binary", "Average Write Response Time", "Write I/Os"),
}


def read_runs(scan: Scan, source: Source, reading: Reading) -> None:
    """Add everything that a scan found to the reading."""
    reading.document_count = scan.test_count
    reading.tool_version = next((run.test.version for run in scan.runs if run.test.version), None)
    formats = {run.header.source_format for run in scan.runs if run.header}
    reading.source_format = ", ".join(sorted(formats)) or "csv"
    reading.refusals += scan.refusals
    reading.warnings += scan.findings
    reading.local_days = sorted({start.date() for run in scan.runs if (start := _moment(run.started))})
    for run in scan.runs:
        if run.header and run.is_closed and run.is_sound:
            _read_run(run, run.header, source, reading)


def _read_run(run: Run, header: Header, source: Source, reading: Reading) -> None:
    at = _name_at(run)  # mirror workers, the other ends of network connections, are named in brackets
    is_mirrored = any(row.kind == "WORKER" and row.text.split(",", at + 1)[at].startswith("[") for row in run.rows)
    if header.is_instantaneous and is_mirrored:
        message = f"the run on line {run.line} is a network test, whose updates count both ends, and is excluded"
        reading.warnings.append(Finding("R-IOMETER-LINE-2", message, f"line {run.line}"))
        return
    found, faults = units(run, header, is_mirrored=is_mirrored)
    reading.refusals += faults
    point = ""
    for unit in found:
        results = _results(unit, run, header)
        reading.results += results
        if not results:
            message = f"the run completed no I/O; {int(unit.figures['Errors'])} I/Os failed"
            reading.warnings.append(Finding("R-IOMETER-EMPTY-1", message, f"line {unit.line}"))
        point = results[0].repetition if results else point
    if found and is_mirrored:
        pointer = point or f"line {run.line}"
        reading.warnings.append(Finding("R-IOMETER-LINE-2", _NETWORK.format(len(found)), pointer))
    if header.is_instantaneous and point:
        rows, findings = _samples(run, header, source, point, found[0].settings["# Workers"])
        kept = reading.rows.setdefault("samples", [])
        kept += [{"sample_index": index, **row} for index, row in enumerate(rows, len(kept) + 1)]
        reading.warnings += findings


def _results(unit: Unit, run: Run, header: Header) -> list[Result]:
    """Return the results of one row; bins count reads and writes together, so the widest result carries them."""
    active = [name for name in ("read", "write") if unit.figures[f"{PREFIXES[name]}I/Os"]]
    if len(active) > 1:
        active.append("mixed")
    common = _common(unit, run, header)
    point = f"line {unit.line}"
    results = [
        Result(
            pointer=f"{point}, {operation}",
            repetition=point,
            operation=operation,
            is_aggregate=operation == "mixed",
            **common | workload(unit.spec, operation) | _measures(unit, operation),
        )
        for operation in active
    ]
    is_paced = unit.spec is not None and any(line.delay for line in unit.spec.lines)
    if results and not unit.settings["Connections"] and not is_paced:
        results[-1].premises = Premises(outstanding_count=unit.queue_depth)
    if results and unit.bins:
        low = edges(unit.ticks)
        high = (*low[1:], None)  # the last bin is open
        rows = zip(low, high, unit.bins, strict=True)
        results[-1].bins = {"total": Bins.of(row for row in rows if row[2])}
    return results


def _common(unit: Unit, run: Run, header: Header) -> dict[str, Any]:
    """Return the columns that all operations of a row share."""
    settings, test = unit.settings, run.test
    stated = {
        "test type": test.kind,
        "test description": test.description,
        "starting sector": settings["Starting Sector"],
        "maximum size": settings["Maximum Size"],
    }
    return {
        "tool_version": test.version,
        "source_format": header.source_format,
        "scope": unit.scope,
        "outcome": "aborted" if run.is_aborted else "ok",
        "started_at_local": _shown(run.started),
        "ended_at_local": _shown(run.ended),
        "test_name": unit.name,
        "queue_depth": unit.queue_depth,
        "queue_depth_origin": None if unit.queue_depth is None else "file",
        "outstanding_per_target_count": settings["Queue Depth"] or None,
        "target_count": settings["# Disks"] or None,
        "process_count": 1 if unit.scope == "worker" else settings["# Workers"] or None,
        "job_options": as_json(unit.spec, stated),
        "duration_seconds": unit.duration,
        "latency_kind": "total",
        "latency_resolution_seconds": max(1 / unit.ticks, PRINTED) if unit.ticks else None,
        "cpu_busy_ratio": _share(unit, "% CPU Utilization"),
        "cpu_user_ratio": _share(unit, "% User Time"),
        "cpu_system_ratio": _share(unit, "% Privileged Time"),
        "printed_unit": header.unit,
    }


def _share(unit: Unit, name: str) -> float | None:
    """Return a share of processor time; more than all of it is no share."""
    percent = unit.figures.get(name)
    return percent / PERCENT if percent is not None and percent <= PERCENT else None


def _measures(unit: Unit, operation: str) -> dict[str, Any]:
    """Return what one operation measured; the mixed figures are those that Iometer itself computed for both."""
    figures, prefix = unit.figures, PREFIXES[operation]
    if operation == "mixed":
        operations = figures["Read I/Os"] + figures["Write I/Os"]
        transferred = figures["Bytes Read"] + figures["Bytes Written"]
    else:
        operations = figures[f"{prefix}I/Os"]
        transferred = figures["Bytes Read" if operation == "read" else "Bytes Written"]
    printed = figures[f"{prefix}Binary"]
    return {
        "operation_count": int(operations),
        "transferred_bytes": int(transferred),
        "error_count": int(figures[f"{prefix}Errors"]),
        "operations_per_second": float(figures[f"{prefix}IOps"]),
        "operations_basis": "printed",
        "operations_resolution_per_second": PRINTED_RATE,
        "throughput_bytes_per_second": transferred / unit.duration if unit.duration else printed * MEBI,
        "printed_value": float(printed),
        "unit_basis": "exact" if unit.duration else "base2",
        "latency_mean_seconds": figures[f"Average {prefix}Response Time"] / MILLI or None,
        "latency_max_seconds": figures[f"Maximum {prefix}Response Time"] / MILLI or None,
    }


@lru_cache(maxsize=64)
def edges(ticks_per_second: float | None) -> tuple[float, ...]:
    """Return the lower edges of the 21 bins in seconds; without a known timer, as if its ticks were short."""
    if not ticks_per_second or ticks_per_second * _SHORT < 1:
        return (0.0, *(1 / divisor for divisor in _DIVISORS), *map(float, _SECONDS))
    ticks = (ticks_per_second // divisor for divisor in _DIVISORS)
    return (0.0, *(tick / ticks_per_second for tick in ticks), *map(float, _SECONDS))


def _samples(
    run: Run, header: Header, source: Source, point: str, worker_count: int | None
) -> tuple[list[dict[str, Any]], list[Finding]]:
    """Return rows of the table ``samples`` without their index, and why there are none."""
    count = worker_count or 1
    places: Places = [(of, itemgetter(*(header.places[name] for name in names))) for of, names in _UPDATED.items()]
    # a row of the whole run, and not of an update, has an access specification as its fourth field
    rows = [row for row in run.rows if row.kind == "WORKER" and row.text.split(",", 4)[3:4] == [""]]
    updates = [_update(row.fields(), places) for row in rows]
    rounds = [updates[start : start + count] for start in range(0, len(updates), count)]
    start, ends = _moment(run.started), [_moment(workers[-1][0]) for workers in rounds]
    figures = [[update[2] for update in workers] for workers in rounds]
    why = ""
    if start is None or None in ends:
        why = "the time stamps of the run on line {} cannot be read"
    elif len({tuple(name for _, name, _ in workers) for workers in rounds}) > 1:
        why = "the workers of the run on line {} do not take turns"
    elif any(one is _NONE for workers in figures for row in workers for one in row.values()):
        why = "the updates of the run on line {} contain values that are not numbers"
    elif _is_cumulative(figures):
        why = "the updates of the run on line {} count from its start"
    if start is None or why:
        message = f"{why.format(run.line)}, so its updates give no samples"
        return [], [Finding("R-IOMETER-LINE-2", message, point)]
    repetition_id = identity(source.sha256, f"point {point}")
    found: list[dict[str, Any]] = []
    for end, workers in zip(ends, figures, strict=True):
        offset_seconds = round(((end or start) - start).total_seconds(), 3)
        for sample in _of_round(workers):
            result_id = identity(source.sha256, f"{point}, {sample['operation']}")
            ids = {"repetition_id": repetition_id, "offset_seconds": offset_seconds, "result_id": result_id}
            found.append(ids | sample)
    return found, []


@lru_cache(maxsize=4096)
def _moment(stamp: str | None) -> datetime | None:
    """Return a time stamp as the clock showed it, of which no zone is known; null where there is no such time."""
    if stamp and STAMP.fullmatch(stamp):
        whole, _, milliseconds = stamp.rpartition(":")
        with suppress(ValueError):
            return datetime.fromisoformat(whole) + timedelta(milliseconds=int(milliseconds))
    return None


def _shown(stamp: str | None) -> str | None:
    """Return a time stamp in ISO 8601."""
    moment = _moment(stamp)
    return moment.isoformat(timespec="milliseconds") if moment else None


def _update(fields: list[str], places: Places) -> tuple[str, str, Figures]:
    """Return time stamp and worker of an update, and IOPS, throughput, latency and I/Os by active operation."""
    found: Figures = {}
    for operation, texts_of in places:
        texts = texts_of(fields)
        if texts[-1] != "0":
            found[operation] = tuple(map(float, texts)) if _FOUR.fullmatch(",".join(texts)) else _NONE
    return fields[0], fields[2], found


def _is_cumulative(rounds: list[list[Figures]]) -> bool:
    counts = [sum(one[3] for row in rows for one in row.values()) for rows in rounds]
    grows = all(a < b for a, b in pairwise(counts))
    return len(counts) >= _ROUNDS and grows and counts[-1] > counts[0] * len(counts) / 2


def _of_round(workers: list[Figures]) -> Iterator[dict[str, Any]]:
    """Give IOPS, throughput and latency of one update for each operation that completed any I/O."""
    for operation in _UPDATED:
        active = [figures[operation] for figures in workers if operation in figures and figures[operation][3]]
        if not active:
            continue
        iops, rate, count = (float(sum(one[at] for one in active)) for at in (0, 1, 3))
        mean = sum(one[2] * one[3] for one in active) / count / MILLI
        yield {"operation": operation, "quantity": "operations", "operations_per_second": iops}
        yield {"operation": operation, "quantity": "throughput", "throughput_bytes_per_second": rate * MEBI}
        yield {"operation": operation, "quantity": "total_latency", "latency_seconds": mean}
