"""
A second implementation of the derivations, in plain Python, that knows nothing of SQL.

Each function takes a row of a mart and the published tables, and returns what a number of that row should be, from the
rows one step below. Exact fractions are used where the derivation is a quotient, the statistics module where it is not.
"""

from __future__ import annotations

import json
import math
import statistics
from collections import defaultdict
from fractions import Fraction
from functools import cache
from typing import TYPE_CHECKING, Any

import pyarrow.parquet as pq

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

Row = dict[str, Any]
SERIES = ("submission_id", "configuration_id", "section", "workload_id")
POINT_STATISTICS = {"point", "plateau", "mean", "median"}
POLLING = ("spdk", "libpmem", "dev-dax", "mmap", "cpuio")
RATES = {"operations_per_second": "operations_origin", "throughput_bytes_per_second": "throughput_origin"}


@cache
def table(build: Path, name: str) -> list[Row]:
    """Return a published mart, or the table of that name where there is no mart."""
    mart = build / "marts" / f"{name}.parquet"
    rows: list[Row] = pq.read_table(mart if mart.exists() else build / "raw" / f"{name}.parquet").to_pylist()
    return rows


@cache
def index(build: Path, name: str, *keys: str) -> dict[tuple[Any, ...], list[Row]]:
    """Return the rows of a table by some of its columns."""
    found: dict[tuple[Any, ...], list[Row]] = defaultdict(list)
    for row in table(build, name):
        found[tuple(row[key] for key in keys)].append(row)
    return found


def same(build: Path, name: str, row: Row, *keys: str) -> list[Row]:
    """Return the rows of a table that agree with a row in some columns."""
    return index(build, name, *keys)[tuple(row[key] for key in keys)]


def ratio(dividend: float, divisor: float) -> float:
    """Return an exact quotient, rounded to a float once."""
    return float(Fraction(dividend) / Fraction(divisor))


def total_rate(row: Row, build: Path) -> float | None:
    """Points: reads and writes that ran together add up; what is known in bytes is divided by the block size."""
    column = "throughput_bytes_per_second" if row["operations_origin"] == "derived" else "operations_per_second"
    parts = [part for part in same(build, "results", row, "repetition_id") if not part["is_partial"]]
    directions = [part for part in parts if part["operation"] in {"read", "write", "trim"}] or parts
    if row["operations_origin"] is None or any(part[column] is None for part in directions):
        return None
    total = sum(Fraction(part[column]) for part in directions)
    return float(total / row["block_size_bytes"] if row["operations_origin"] == "derived" else total)


def repetitions(row: Row, build: Path, metric: str) -> list[float]:
    """Return the comparable repetitions behind a row of a sweep, of one metric."""
    kept = [
        point
        for point in same(build, "repetitions", row, *SERIES, "queue_depth")
        if (point["is_comparable"] or point["is_bound"])
        and point["statistic"] in POINT_STATISTICS
        and point[metric] is not None
    ]
    kept = [point for point in kept if not point["is_bound"]] or kept
    origin = RATES.get(metric)
    measured = [point[metric] for point in kept if origin is None or point[origin] == "measured"]
    return measured or [point[metric] for point in kept]


def admitted(points: list[Row], build: Path) -> list[Row]:
    """Return the points of which a peak may be made: those that no manifest excludes."""
    return [
        point for point in points
        if not any(
            check["check_name"] == "reservation" and check["effect"] == "X"
            for check in same(build, "validity_checks", point, *SERIES, "queue_depth")
        )
    ]  # fmt: skip


def median_rate(row: Row, build: Path) -> float | None:
    """Points: the median over repetitions."""
    values = repetitions(row, build, "operations_per_second")
    return statistics.median(values) if values else None


def mean_rate(row: Row, build: Path) -> float | None:
    """Points: the geometric mean over repetitions; of a rate that is only bounded, the bound."""
    values = repetitions(row, build, "operations_per_second")
    return statistics.geometric_mean(values) if values else row["operations_per_second"]


def mean_latency(row: Row, build: Path) -> float | None:
    """Points: the geometric mean over repetitions of the mean latency."""
    values = repetitions(row, build, "latency_mean_seconds")
    return statistics.geometric_mean(values) if values else None


def peak(row: Row, build: Path) -> float | None:
    """Peaks: what the source states, or the highest point."""
    metric, origin = row["metric"], RATES[row["metric"]]
    if row["peak_origin"] == "stated":
        stated = [point for point in same(build, "repetitions", row, *SERIES) if point["statistic"] == "peak"]
        measured = [point for point in stated if point[origin] == "measured"]
        values = [point for point in measured if point["is_comparable"]]
        kept = values or [point for point in measured if point["is_bound"]]
        return max(float(point[metric]) for point in kept)
    return max(float(point[metric]) for point in _steps(row, build))


def _steps(row: Row, build: Path) -> list[Row]:
    """Return the points with a measured rate of the series and metric of a row, from the lowest depth on."""
    origin = RATES[row["metric"]]
    found = [step for step in same(build, "points", row, *SERIES, "load_basis") if step[origin] == "measured"]
    # what held a step back opens its interval, and leaves what was measured
    is_value = [step for step in found if step["is_held_back"] or "bound" not in step[origin.replace("origin", "kind")]]
    return sorted(admitted(is_value, build), key=lambda step: int(step["queue_depth"]))


def plateau(row: Row, build: Path) -> float | None:
    """Peaks: the geometric mean of the points within 5 % of the highest; a stated peak has none."""
    if row["peak_origin"] == "stated":
        return None
    means = [float(step[row["metric"]]) for step in _steps(row, build)]
    return statistics.geometric_mean(value for value in means if value >= 0.95 * max(means))


def ideal(row: Row, build: Path) -> float | None:
    """Scaling: what as many drives can do as can be busy, each write as often as the topology repeats it."""
    (profile,) = same(build, "workloads", row, "workload_id")
    owner = {"submission_id": row["submission_id"], "configuration_id": row["array_configuration_id"]}
    (array,) = same(build, "configurations", owner, *owner)
    reads, count, depth = Fraction(profile["read_ratio"]), row["drive_count"], row["queue_depth"]
    spanned = (profile["block_size_bytes"] or 0) // (array["raid_stripe_bytes"] or math.inf)
    parallel = count if depth is None else depth * max(1, int(spanned))
    busy = min(count, parallel)
    writing = {"independent": busy, "raid0": busy, "raid1": 1, "raid10": min(Fraction(count, 2), parallel)}
    if row["topology"] not in writing:
        return None if row["ideal_ratio"] is None else float(row["ideal_ratio"])
    ratio_of_busy = 1 / (reads / busy + (1 - reads) / writing[row["topology"]])
    if not row["basis"].startswith("queue_depth="):
        return float(ratio_of_busy)
    # a write to a mirror is under way on every copy
    copies = {"raid1": count, "raid10": 2}.get(row["topology"], 1)
    shared = max(Fraction(depth, count) * (reads + copies * (1 - reads)), Fraction(1))
    base = [row["submission_id"], row["base_configuration_id"], row["base_section"], row["workload_id"]]
    curve = [point[row["metric"]] for point in index(build, "points", *SERIES)[tuple(base)]
             if point["queue_depth"] == shared and point["load_basis"] == "outstanding"]  # fmt: skip
    return float(ratio_of_busy) * curve[0] / row["base_value"] if curve and curve[0] else None


def compared(row: Row, build: Path) -> float | None:
    """Comparisons: A over B, and for latency B over A, of the two points or peaks; a bound has no ratio."""
    if row["ratio"] is None:
        return None
    values = []
    for side in "ab":
        own = index(build, "points", "point_id").get((row[f"{side}_point_id"],))
        value = (
            own[0][row["metric"]]
            if own
            else index(build, "peaks", "peak_id")[row[f"{side}_point_id"],][0]["peak_value"]
        )
        values.append(value)
    if None in values:  # in a unit without a base, which cancels out
        return float(row["ratio"])
    return ratio(*(reversed(values) if row["metric"] == "latency_mean_seconds" else values))


def knee(row: Row, build: Path) -> float | None:
    """Peaks: the lowest depth with 95 % of the highest point, none where the sweep shows none."""
    if row["knee_verdict"] != "saturated":
        return None
    metric, steps = row["metric"], _steps(row, build)
    enough = 0.95 * max(step[metric] for step in steps)
    return float(min(step["queue_depth"] for step in steps if step[metric] >= enough))


def checked(row: Row, build: Path) -> float | None:
    """Return the quantity that a check looks at, from the results of its run and what holds them."""
    quantity = QUANTITIES.get((row["check_name"], row["quantity_name"]))
    return quantity(row, build) if quantity else row["quantity_value"]


def _parts(row: Row, build: Path) -> list[Row]:
    """Return what ran together: reads and writes, or the one result that stands for both."""
    parts = [part for part in same(build, "results", row, "repetition_id") if not part["is_partial"]]
    return [part for part in parts if part["operation"] in {"read", "write", "trim"}] or parts


def processor_share(row: Row, build: Path) -> float | None:
    """
    Add user and system time of a process, or take the share of the host where that is stated (generator).

    One that polls is busy whatever it does.
    """
    part = _parts(row, build)[0]
    stated = part["job_options"] or ""
    options: dict[str, str] = json.loads(stated) if stated.startswith("{") else {}  # fio's; others state a command line
    asked = [options.get(name, "0") for name in ("hipri", "sqthread_poll", "thinktime_spin")]
    batches = [options.get(name) for name in ("iodepth_batch_complete", "iodepth_batch_complete_min")]
    is_on = [not value.startswith(("0", "f")) for value in asked]
    if any(is_on) or "0" in batches or (part["engine"] or "").startswith(POLLING):
        return None
    if part["cpu_busy_ratio"] is not None:
        return float(part["cpu_busy_ratio"])
    if part["cpu_user_ratio"] is None or part["cpu_system_ratio"] is None:
        return None
    return round(float(part["cpu_user_ratio"] + part["cpu_system_ratio"]), 12)


def achieved_depth(row: Row, build: Path) -> float:
    """Depth: rate times mean latency over depth (Little's law)."""
    (run,) = same(build, "repetitions", row, "repetition_id")
    product = Fraction(run["operations_per_second"]) * Fraction(run["latency_mean_seconds"])
    return round(float(product / run["queue_depth"]), 12)


def mix_difference(row: Row, build: Path) -> float:
    """Mix: the share of reads among the operations of a run, less the share configured."""
    (run,) = same(build, "repetitions", row, "repetition_id")
    counts = {part["operation"]: part["operation_count"] for part in _parts(row, build)}
    return round(abs(float(counts["read"] / sum(counts.values())) - float(run["read_ratio"])), 12)


def slower(row: Row, build: Path) -> float:
    """Percentile support: how many operations are slower than the percentile."""
    (result,) = same(build, "results", row, "result_id")
    return round(float(result["operation_count"] * (1 - float(row["subject"]))), 6)


def per_transaction(row: Row, build: Path) -> float:
    """Transactions: IOPS as printed over transactions per second as printed."""
    return _printed_mean(row, build, "operations_per_second") / _transactions(row, build)


def under_way(row: Row, build: Path) -> float:
    """Transactions: transactions per second times the response time (Little's law)."""
    return _printed_mean(row, build, "latency_mean_seconds") * _transactions(row, build)


def _printed_mean(row: Row, build: Path, metric: str) -> float:
    every = same(build, "results", row, "submission_id", "configuration_id")
    kept = [
        one for one in every if one["scope"] == "publication" and one["is_canonical"] and one["statistic"] == "mean"
    ]
    return max(float(one[metric]) for one in kept if one[metric] is not None)


def _transactions(row: Row, build: Path) -> float:
    every = same(build, "figures", row, "submission_id", "configuration_id")
    (figure,) = (one for one in every if one["quantity"] == "transactions_per_second" and one["is_canonical"])
    return float(figure["printed_value"])


QUANTITIES: dict[tuple[str, str], Callable[[Row, Path], float | None]] = {
    ("generator", "processor_ratio"): processor_share,
    ("depth", "achieved_depth_ratio"): achieved_depth,
    ("littles law", "achieved_depth_ratio"): achieved_depth,
    ("latency cut", "longest_latency_ratio"): lambda row, build: round(
        max(part["latency_max_seconds"] for part in _parts(row, build))
        / max(part["duration_seconds"] for part in _parts(row, build)),
        12,
    ),
    ("short run", "duration_seconds"): lambda row, build: max(
        float(part["duration_seconds"]) for part in _parts(row, build)
    ),
    ("short run", "operation_count"): lambda row, build: float(
        sum(part["operation_count"] for part in _parts(row, build))
    ),
    ("mix", "mix_difference_ratio"): mix_difference,
    ("percentile support", "slower_count"): slower,
    ("transactions", "operations_per_transaction_ratio"): per_transaction,
    ("transactions", "transactions_under_way"): under_way,
}


def variation(row: Row, build: Path) -> float | None:
    """Points: the standard deviation of the logarithms."""
    values = repetitions(row, build, "latency_mean_seconds")
    return statistics.stdev(map(math.log, values)) if len(values) > 2 else None


def largest_rate_at(row: Row, build: Path) -> float:
    """Rates at a latency: the largest measured rate that keeps the objective."""
    steps = admitted(same(build, "points", row, *SERIES, "load_basis"), build)
    return max(
        float(step["operations_per_second"])
        for step in steps
        if step["latency_mean_seconds"] is not None
        and step["operations_per_second"] is not None
        and step["latency_mean_seconds"] <= row["latency_objective_seconds"]
    )


def efficiency_divisor(row: Row, build: Path) -> float:
    """Efficiencies: the drives of the data, their gigabytes, or the number that a figure prints."""
    if row["configuration_id"] is not None:
        (configuration,) = same(build, "configurations", row, "submission_id", "configuration_id")
        count, size = configuration["drive_count"], configuration["data_capacity_bytes"]
        if row["per"] == "watt":
            return float(configuration["power_mean_watts"])
        return float(count) if row["per"] == "drive" else float(Fraction(size) / 10**9)
    if row["per"] == "gigabyte":
        number, unit = row["device"].rsplit(" ", 2)[1:]
        return float(Fraction(number) * {"GB": 1, "TB": 1000}[unit])
    (figure,) = index(build, "figures", "submission_id", "figure_id")[
        row["submission_id"], row["price_figure_id" if row["per"] == "price" else "power_figure_id"]
    ]
    return float(figure["printed_value"])


def tail(row: Row, build: Path) -> float | None:
    """Tail latency: the geometric mean over repetitions, where each has ten operations above the percentile."""
    if row["statistic"] == "mean":
        (point,) = same(build, "points", row, *SERIES, "load_basis", "queue_depth")
        return float(point["latency_mean_seconds"])
    runs = {point["repetition_id"] for point in same(build, "repetitions", row, *SERIES, "queue_depth")}
    parts = [part for run in sorted(runs) for part in index(build, "results", "repetition_id")[run,]]
    found = [
        (part["operation_count"], percentile["latency_seconds"])
        for part in parts
        if part["operation"] == row["operation"] and not part["is_partial"] and part["is_comparable"]
        for percentile in same(build, "latency_percentiles", part, "result_id")
        if (percentile["latency_kind"], percentile["percentile_ratio"])
        == (row["latency_kind"], row["percentile_ratio"])
    ]
    above = [count * (1 - Fraction(str(row["percentile_ratio"]))) for count, _ in found if count is not None]
    if len(above) == len(found) and min(above) < 10:
        return None
    return statistics.geometric_mean(latency for _, latency in found)


def lowest_latency(row: Row, build: Path) -> float | None:
    """Devices: the lowest mean latency at one outstanding I/O, of what no manifest excludes."""
    points = admitted(same(build, "points", row, "device_id"), build)
    ones = [point for point in points if (point["load_basis"], point["queue_depth"]) == ("outstanding", 1)]
    latencies = [point["latency_mean_seconds"] for point in ones if point["latency_mean_seconds"] is not None]
    return min(latencies, default=None)


def half_rotation(row: Row, _: Path) -> float | None:
    """Devices: a disk turns half a round twice as often as a whole one; nothing else turns."""
    return float(2 * Fraction(row["rotation_hertz"])) if row["media_class"] == "hdd" and row["rotation_hertz"] else None


def interface_limit(row: Row, _: Path) -> float | None:
    """Devices: what the words of an interface carry, of eight, 128 or 242 bits in ten, 130 or 256."""
    if row["interface_limit"] is None:
        return None
    words = row["interface_limit"].removesuffix(" Gb/s").split(" ")
    if words[0] != "PCIe":
        return float(Fraction(words[-1]) * 10**9 * Fraction(8, 10) / 8)
    old, new = Fraction(8, 10), Fraction(128, 130)
    lane = {
        "1.0": Fraction("2.5") * old, "2.0": 5 * old, "3.0": 8 * new, "4.0": 16 * new, "5.0": 32 * new,
        "6.0": 64 * Fraction(242, 256),
    }  # fmt: skip
    return float(lane[words[1]] * 10**9 / 8 * int(words[2][1:]))


def effect(row: Row, _: Path) -> float | None:
    """Effects: after over before, and for latency before over after; a stated gain of 37 % is 1.37."""
    if row["value_origin"] == "stated":
        return float(1 + Fraction(row["b_text"].replace("%", "").replace("+", "").strip()) / 100)
    before, after = row["a_value"], row["b_value"]
    return ratio(before, after) if row["metric"] == "latency_mean_seconds" else ratio(after, before)


def elasticity(row: Row, _: Path) -> float | None:
    """Effects: how the logarithm of the effect follows that of what was changed, where both are numbers above 0."""
    try:
        before, after = float(row["a_text"]), float(row["b_text"])
    except (TypeError, ValueError):
        return None
    if min(before, after) <= 0:
        return None
    return math.log(row["effect_ratio"]) / math.log(after / before)


def of(dividend: str, divisor: str, factor: str = "") -> Callable[[Row, Path], float | None]:
    """Return the derivation that divides two columns of the row itself, times a third."""

    def divided(row: Row, _: Path) -> float | None:
        if row[dividend] is None or row[divisor] is None:
            return None
        return float(Fraction(row[dividend]) * Fraction(row[factor] if factor else 1) / Fraction(row[divisor]))

    return divided


AGAIN: dict[tuple[str, str], Callable[[Row, Path], float | None]] = {
    ("repetitions", "operations_per_second"): total_rate,
    ("points", "operations_per_second"): mean_rate,
    ("points", "latency_mean_seconds"): mean_latency,
    ("peaks", "peak_value"): peak,
    ("points", "operations_median_per_second"): median_rate,
    ("peaks", "plateau_value"): plateau,
    ("peaks", "queue_depth_knee"): knee,
    ("comparisons", "ratio"): compared,
    ("scaling", "factor_ratio"): of("array_value", "base_value"),
    ("scaling", "ideal_ratio"): ideal,
    ("scaling", "efficiency_ratio"): of("factor_ratio", "ideal_ratio"),
    ("validity_checks", "quantity_value"): checked,
    ("points", "latency_variation_ratio"): variation,
    ("rates_at_latency", "operations_per_second"): largest_rate_at,
    ("efficiencies", "value"): of("dividend_value", "divisor_value"),
    ("efficiencies", "divisor_value"): efficiency_divisor,
    ("tail_latency", "latency_seconds"): tail,
    ("devices", "lowest_latency_seconds"): lowest_latency,
    ("devices", "half_rotation_hertz"): half_rotation,
    ("devices", "interface_limit_bytes_per_second"): interface_limit,
    ("effects", "effect_ratio"): effect,
    ("effects", "elasticity_ratio"): elasticity,
}
