"""
Quotients from single runs, in plain Python: the runs of both sides are gathered from the published tables and judged.

It takes what every run measured, when it began, to how many digits it is known, and what held it back; what follows
from that is :mod:`judgement_again`'s.
"""

from __future__ import annotations

import math
import statistics
from collections import Counter, defaultdict
from datetime import timedelta
from functools import cache
from typing import TYPE_CHECKING, Any, NamedTuple

import judgement_again as again
from derivations_again import POINT_STATISTICS, RATES, SERIES, Row, index, table

if TYPE_CHECKING:
    from collections.abc import Callable
    from datetime import datetime
    from pathlib import Path

    Run = tuple[float, Row]
    """What a run measured, and its row."""

RESOLUTIONS = {
    "operations_per_second": "operations_resolution_per_second",
    "throughput_bytes_per_second": "throughput_resolution_bytes_per_second",
    "latency_mean_seconds": "latency_resolution_seconds",
}
"""How fine the steps are in which a tool prints a metric."""
BOUND = 0.90
"""From this share of a processor on, the generator holds the rate back."""
BOUNDS = {"lower_bound": max, "upper_bound": min}
"""Of several bounds the narrowest one holds."""
PRINTED = {"KB": 1e3, "MB": 1e6, "GB": 1e9}


class Sided(NamedTuple):
    """A side with the number of sessions behind it, and when its first and last run began."""

    side: again.Side
    session_count: int
    starts: tuple[datetime, ...]


def judge(row: Row, build: Path) -> again.Quotient:
    """Return the quotient, interval and verdict of a row of ``quotients``, from runs."""
    a, b = (_side(row, name, build) for name in "ab")
    is_alternating = _share_an_occasion(row, build) and a.session_count == b.session_count == 1
    is_alternating = is_alternating and bool(a.starts and b.starts) and again.takes_turns(*map(_seconds, (a, b)))
    is_alternating = is_alternating and not _are_simultaneous(*(_own_spans(row, name, build) for name in "ab"))
    sides = [each.side._replace(needs_session=each.session_count < 3 and not is_alternating) for each in (a, b)]
    if all(side.variance is not None or again.is_stated_bound(side) for side in sides):
        sides = [_scattered(side) for side in sides]
    return again.of_sides(sides[0], sides[1], row["metric"] == "latency_mean_seconds", row["margin_ratio"])


def _scattered(side: again.Side) -> again.Side:
    """Return a side beside whose scatter nothing is added where nobody says to how many digits it is known."""
    low, high = (0.0 if math.isnan(half) else half for half in (side.low_half, side.high_half))
    return side._replace(low_half=low, high_half=high)


def _seconds(sided: Sided) -> list[float]:
    return [start.timestamp() for start in sided.starts]


def _share_an_occasion(row: Row, build: Path) -> bool:
    if row["a_submission_id"] == row["b_submission_id"]:
        return True
    keys = [
        index(build, "configurations", *SERIES[:2])[row[f"{side}_submission_id"], row[f"{side}_configuration_id"]][0]
        for side in "ab"
    ]
    return keys[0]["bench_key"] is not None and keys[0]["bench_key"] == keys[1]["bench_key"]


def _own_spans(row: Row, name: str, build: Path) -> list[tuple[datetime, datetime]]:
    """Return start and end of the runs of a side's configuration and load, where they are told or one and how long."""
    own = [row[f"{name}_submission_id"], row[f"{name}_configuration_id"], row["workload_id"]]
    found = []
    for run in index(build, "repetitions", *SERIES[:2], "workload_id")[tuple(own)]:
        took = timedelta(seconds=(run["duration_seconds"] or 0) + (run["ramp_seconds"] or 0))
        start, end = run["started_at"], run["ended_at"]
        if start or end:
            found.append((start or end - took, end or start + took))
    return found


def _are_simultaneous(a: list[tuple[datetime, datetime]], b: list[tuple[datetime, datetime]]) -> bool:
    """Say whether a run of A and one of B overlap by more than half of the shorter one."""
    return any(
        2 * (min(end, b_end) - max(start, b_start)) > min(end - start, b_end - b_start) > timedelta()
        for start, end in a
        for b_start, b_end in b
    )


def _side(row: Row, name: str, build: Path) -> Sided:
    series = (*(row[f"{name}_{key}"] for key in SERIES[:3]), row["workload_id"])
    admitted = _admitted(series, build)
    found, depth = _peak(admitted, row["metric"], build) if row["basis"] == "peak" else (None, None)
    if found is None:
        axis, depth = row["basis"].split("=")
        found = _at(admitted, axis.replace("queue_depth", "outstanding"), int(depth), row["metric"], build)
    if depth is not None and _is_held_back(admitted, int(depth), build):
        is_stated = again.is_stated_bound(found.side)
        side, end = found.side._replace(is_held_back=not is_stated), math.inf
        is_latency = row["metric"] == "latency_mean_seconds"
        found = found._replace(side=side._replace(low_half=end) if is_latency else side._replace(high_half=end))
    return found


def _admitted(series: tuple[Any, ...], build: Path) -> list[Row]:
    return [run for run in index(build, "repetitions", *SERIES)[series] if run["is_comparable"] or run["is_bound"]]


def _axis(run: Row) -> str:
    return str(run["load_basis"] or "outstanding").replace("_per_drive", "")


def _measured(runs: list[Row], metric: str, build: Path) -> list[Run]:
    """Return what was measured of a metric, in the order of repetitions; a bound says nothing beside a value."""
    found = []
    for run in sorted(runs, key=lambda run: (run["repetition_index"] or math.inf, run["repetition_id"])):
        value = run[metric] if metric not in RATES or run[RATES[metric]] == "measured" else None
        figure = _figure(run, build)
        if value is None and metric == "throughput_bytes_per_second" and figure and figure["unit_basis"] == "unknown":
            value = figure["printed_value"] * PRINTED[figure["printed_unit"][:2].upper()]
        if value is not None and value > 0:
            found.append((value, run))
    values = [(value, run) for value, run in found if not run["is_bound"]]
    if values or not found:
        return values
    kind = min(run["value_kind"] for _, run in found)
    bounds = [(value, run) for value, run in found if run["value_kind"] == kind]
    return [BOUNDS[kind](bounds, key=lambda bound: bound[0])]


def _figure(run: Row, build: Path) -> Row | None:
    if run["figure_id"] is None:
        return None
    (figure,) = index(build, "figures", "submission_id", "figure_id")[run["submission_id"], run["figure_id"]]
    return figure


def _halves(value: float, run: Row, metric: str, build: Path) -> tuple[float, float]:
    """Return how far below and above the digits of a value let it lie, on logarithms; NaN where that is not known."""
    figure = _figure(run, build)
    if figure is not None:
        low, high, printed = figure["value_low"], figure["value_high"], figure["printed_value"]
        return math.log(printed / low) if low else math.inf, math.log(high / printed) if high else math.inf
    step = run[RESOLUTIONS[metric]]
    if step is None:
        return math.nan, math.nan
    return -math.log(1 - step / 2 / value) if step / 2 < value else math.inf, math.log(1 + step / 2 / value)


def _at(runs: list[Row], axis: str, depth: int, metric: str, build: Path) -> Sided:
    """Return the side at one load."""
    kept = [run for run in runs if run["statistic"] in POINT_STATISTICS and run["queue_depth"] == depth]
    measured = _measured([run for run in kept if _axis(run) == axis], metric, build)
    units, count, starts = _units(measured, build)
    halves = zip(*(_halves(value, run, metric, build) for value, run in measured), strict=True)
    low, high = (statistics.fmean(half) for half in halves)
    return Sided(again.side(units, (low, high)), count, starts)


def _units(measured: list[Run], build: Path) -> tuple[list[float], int, tuple[datetime, ...]]:
    """Return what counts as repetitions: runs, or the means of three sessions and more; their number, and starts."""
    spans, starts = {}, []
    for _, run in measured:
        dated = _dated(build, run["submission_id"])
        spans[run["repetition_id"]] = dated[run["repetition_id"]]
        is_known = all(start is not None for start, _ in dated.values())  # who took turns is not known else
        starts += [dated[run["repetition_id"]][0]] if is_known else []
    guessed = Counter(_document(run) for _, run in measured if run["started_at"] is None and run["ended_at"] is None)
    is_dated = all(start is not None for start, _ in spans.values()) and max(guessed.values(), default=0) < 2
    numbers = again.sessions([(a.timestamp(), b.timestamp()) for a, b in spans.values()]) if is_dated else []
    session = dict(zip(spans, numbers, strict=True)) if is_dated else dict.fromkeys(spans, 1)
    by_session: dict[int, list[float]] = defaultdict(list)
    for value, run in measured:
        by_session[session[run["repetition_id"]]].append(value)
    if len(by_session) < 3:
        return [value for value, _ in measured], len(by_session), tuple(starts)
    means = [statistics.geometric_mean(values) for _, values in sorted(by_session.items())]
    return means, len(by_session), tuple(starts)


def _document(run: Row) -> tuple[str, str]:
    return run["file_id"], run["source_pointer"].rpartition("#")[0]


@cache
def _dated(build: Path, submission: str) -> dict[str, tuple[Any, Any]]:
    """Return the start and the end of each run of a submission, nothing for one that cannot be dated."""
    files: dict[tuple[str, str], list[Row]] = defaultdict(list)
    for run in index(build, "repetitions", "submission_id")[submission,]:
        files[_document(run)].append(run)
    spans: dict[str, tuple[Any, Any]] = {}
    for runs in files.values():
        spans |= _spans(runs)
    return spans


def _spans(runs: list[Row]) -> dict[str, tuple[Any, Any]]:
    """Return start and end of each run of a file; those that it does not date lie between its first and last."""
    took = {
        run["repetition_id"]: timedelta(seconds=(run["duration_seconds"] or 0) + (run["ramp_seconds"] or 0))
        for run in runs
    }
    own = {}
    for run in runs:
        name, start, end = run["repetition_id"], run["started_at"], run["ended_at"]
        own[name] = (start or (end and end - took[name]), end or (start and start + took[name]))
    last = max((end for _, end in own.values() if end), default=None)
    stated = [start for start, _ in own.values() if start]
    first = min([*stated, last - sum(took.values(), timedelta())]) if last else None
    return {name: (start or first, end or last) for name, (start, end) in own.items()}


def _peak(runs: list[Row], metric: str, build: Path) -> tuple[Sided, int | None]:
    """Return the peak and its depth: what a source states as such, else by three folds over the depths."""
    outstanding = [run for run in runs if _axis(run) == "outstanding"]
    stated = [run for run in outstanding if run["statistic"] == "peak" and run[RATES[metric]] == "measured"]
    if stated:
        best = min(stated, key=lambda run: (run["is_bound"], -run[metric], run["repetition_id"]))
        halves = _halves(best[metric], best, metric, build)
        return Sided(again.side([best[metric]], halves), 1, ()), best["queue_depth"]
    by_depth = {
        depth: _at(outstanding, "outstanding", depth, metric, build)
        for depth in sorted({run["queue_depth"] for run in outstanding if run["queue_depth"]})
        if any(not run["is_bound"] for _, run in _measured(_single(outstanding, depth), metric, build))
    }
    units = {depth: _units(_measured(_single(outstanding, depth), metric, build), build)[0] for depth in by_depth}
    highest = max(by_depth, key=lambda depth: (by_depth[depth].side.mean, -depth))
    count = min(each.session_count for each in by_depth.values())
    starts = tuple(start for each in by_depth.values() for start in each.starts)
    if min(map(len, units.values())) < 3:
        return Sided(again.Side(by_depth[highest].side.mean, None, None, math.nan, math.nan), count, starts), highest
    top = by_depth[highest].side
    folded: again.Side = again.peak(units)._replace(low_half=top.low_half, high_half=top.high_half)
    return Sided(folded, count, starts), highest


def _single(runs: list[Row], depth: int) -> list[Row]:
    return [run for run in runs if run["queue_depth"] == depth and run["statistic"] in POINT_STATISTICS]


def _is_held_back(runs: list[Row], depth: int, build: Path) -> bool:
    """Say whether a rate is a lower bound: by the median processor of the runs, or by any other check of one."""
    kept = {run["repetition_id"] for run in runs if run["queue_depth"] == depth and run["statistic"] != "peak"}
    checks = [check for check in table(build, "validity_checks") if check["repetition_id"] in kept]
    if any(check["is_lower_bound"] for check in checks if check["check_name"] != "generator"):
        return True
    shares = [check["quantity_value"] for check in checks if check["check_name"] == "generator"]
    known = [share for share in shares if share is not None]
    return bool(known) and round(statistics.median(known), 12) >= BOUND


def point(metric: str) -> Callable[[Row, Path], float | None]:
    """Return the derivation of a point: the geometric mean of its runs, or of its sessions where there are three."""

    def found(row: Row, build: Path) -> float | None:
        origin = row[RATES[metric]] if metric in RATES else "measured"
        if origin != "measured" or row[metric] is None:
            return None if row[metric] is None else float(row[metric])
        runs = [run for run in _admitted(tuple(row[key] for key in SERIES), build) if _axis(run) == row["load_basis"]]
        return math.exp(_at(runs, row["load_basis"], row["queue_depth"], metric, build).side.mean)

    return found


def variation(row: Row, build: Path) -> float | None:
    """Points: the standard deviation of the logarithms of what counts as repetitions, from three on."""
    if row["operations_origin"] is None:
        return None
    metric = "operations_per_second" if row["operations_origin"] == "measured" else "throughput_bytes_per_second"
    runs = [run for run in _admitted(tuple(row[key] for key in SERIES), build) if _axis(run) == row["load_basis"]]
    side = _at(runs, row["load_basis"], row["queue_depth"], metric, build).side
    return None if side.variance is None or side.degrees is None else math.sqrt(side.variance * (side.degrees + 1))


def peak(row: Row, build: Path) -> float:
    """Peaks: what a source states, three folds over the depths, or the highest point."""
    runs = _admitted(tuple(row[key] for key in SERIES), build)
    return math.exp(_peak(runs, row["metric"], build)[0].side.mean)


AGAIN: dict[tuple[str, str], Callable[[Row, Path], float | None]] = {
    ("points", "operations_per_second"): point("operations_per_second"),
    ("points", "operations_variation_ratio"): variation,
    ("points", "latency_mean_seconds"): point("latency_mean_seconds"),
    ("peaks", "peak_value"): peak,
}
