"""
A second implementation of the derivations, in plain Python, that knows nothing of SQL.

Each function takes a row of a mart and the published tables, and returns what a number of that row should be, from the
rows one step below. Exact fractions are used where the derivation is a quotient, the statistics module where it is not.
"""

from __future__ import annotations

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
SET = {
    *((profile, "operations_per_second") for profile in ("database", "file-copy", "file-server")),
    *((profile, "throughput_bytes_per_second") for profile in ("restore", "streaming")),
}
RATES = {"operations_per_second": "operations_origin", "throughput_bytes_per_second": "throughput_origin"}


@cache
def table(build: Path, name: str) -> list[Row]:
    """Return a published mart, or the table of that name where there is no mart."""
    mart = build / "marts" / f"{name}.parquet"
    rows: list[Row] = pq.read_table(mart if mart.exists() else build / f"{name}.parquet").to_pylist()
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
        if point["is_comparable"] and point["statistic"] in POINT_STATISTICS and point[metric] is not None
    ]
    origin = RATES.get(metric)
    measured = [point[metric] for point in kept if origin is None or point[origin] == "measured"]
    return measured or [point[metric] for point in kept]


def median_rate(row: Row, build: Path) -> float | None:
    """Sweeps: the median over repetitions."""
    values = repetitions(row, build, "operations_per_second")
    return statistics.median(values) if values else None


def median_latency(row: Row, build: Path) -> float | None:
    """Sweeps: the median over repetitions of the mean latency."""
    values = repetitions(row, build, "latency_mean_seconds")
    return statistics.median(values) if values else None


def peak(row: Row, build: Path) -> float | None:
    """Peaks: what the source states, or the largest of the medians."""
    metric, origin = row["metric"], RATES[row["metric"]]
    if row["peak_origin"] == "stated":
        stated = [point for point in same(build, "repetitions", row, *SERIES) if point["statistic"] == "peak"]
        return max(float(point[metric]) for point in stated if point["is_comparable"] and point[origin] == "measured")
    return max(_medians(row, build))


def _medians(row: Row, build: Path) -> list[float]:
    """Return the measured medians over queue depth of the series and metric of a row."""
    metric, origin = row["metric"], RATES[row["metric"]]
    steps = [step for step in same(build, "points", row, *SERIES) if step["load_basis"] == "outstanding"]
    return [float(step[metric]) for step in steps if step[origin] == "measured"]


def plateau(row: Row, build: Path) -> float | None:
    """Peaks: the mean of the medians within 5 % of the peak; a stated peak has none."""
    if row["peak_origin"] == "stated":
        return None
    medians = [Fraction(value) for value in _medians(row, build)]
    return float(statistics.mean(value for value in medians if 20 * value >= 19 * max(medians)))


def operand(side: str) -> Callable[[Row, Path], float]:
    """Return the derivation of one side of a quotient: its peak, or its median at the depth that both share."""

    def found(row: Row, build: Path) -> float:
        series = [row[f"{side}_{name}"] for name in SERIES[:3]]
        if row["basis"] == "peak":
            (one,) = index(build, "peaks", *SERIES, "metric")[(*series, row["workload_id"], row["metric"])]
            return float(one["peak_value"])
        depth = int(row["basis"].removeprefix("queue_depth="))
        (one,) = index(build, "points", *SERIES, "queue_depth")[(*series, row["workload_id"], depth)]
        return float(one[row["metric"]])

    return found


def ideal(row: Row, build: Path) -> float:
    """Scaling factors: n drives, less what a mirror writes again."""
    (profile,) = same(build, "workloads", row, "workload_id")
    reads = Fraction(profile["read_ratio"])
    copies = {"independent": 1, "raid0": 1, "raid1": row["drive_count"], "raid10": 2}[row["topology"]]
    return float(row["drive_count"] / (reads + copies * (1 - reads)))


def largest_at_low_depth(row: Row, build: Path) -> float:
    """Low-depth advantages: the largest quotient at queue depth 1, 2 or 4."""
    keys = [f"{side}_{name}" for side in "ab" for name in ("submission_id", "configuration_id", "section")]
    pairs = same(build, "quotients", row, "workload_id", "metric", *keys)
    return max(float(pair["quotient_ratio"]) for pair in pairs if pair["queue_depth"] in {1, 2, 4})


def quotient(row: Row, _: Path) -> float:
    """Quotients: A over B, and for latency B over A."""
    a, b = row["a_value"], row["b_value"]
    return ratio(b, a) if row["metric"] == "latency_mean_seconds" else ratio(a, b)


def rounded_quotient(row: Row, _: Path) -> float:
    """Quotients: rounded half up to one decimal, in whole numbers."""
    a, b = (Fraction(str(row[side])) for side in ("a_value", "b_value"))
    exact = b / a if row["metric"] == "latency_mean_seconds" else a / b
    return math.floor(exact * 10 + Fraction(1, 2)) / 10


def geometric_mean(row: Row, build: Path) -> float | None:
    """Quotient summaries: the geometric mean over the set, none when it is not complete."""
    if row["load_profile_count"] < row["expected_count"]:
        return None
    keys = [f"{side}_{name}" for side in "ab" for name in ("submission_id", "configuration_id", "section")]
    members = same(build, "quotients", row, "basis", *keys)
    kept = [member["quotient_ratio"] for member in members if (member["workload_id"], member["metric"]) in SET]
    return statistics.geometric_mean(kept)


def knee(row: Row, build: Path) -> float | None:
    """Saturations: the lowest depth with 95 % of the peak, none where the sweep shows none."""
    if row["verdict"] != "saturated":
        return None
    metric, origin = row["metric"], RATES[row["metric"]]
    steps = [step for step in same(build, "points", row, *SERIES, "load_basis") if step[origin] == "measured"]
    enough = 0.95 * max(step[metric] for step in steps)
    return float(min(step["queue_depth"] for step in steps if step[metric] >= enough))


def residual(row: Row, _: Path) -> float | None:
    """Little's law: rate times latency over depth, minus 1."""
    if row["latency_mean_seconds"] is None:
        return None
    product = Fraction(row["operations_per_second"]) * Fraction(row["latency_mean_seconds"])
    return float(product / row["queue_depth"] - 1)


def variation(row: Row, build: Path) -> float | None:
    """Repeat variances: the standard deviation of the logarithms."""
    values = repetitions(row, build, row["metric"])
    return statistics.stdev(map(math.log, values)) if len(values) > 2 else None


def largest_rate_at(row: Row, build: Path) -> float:
    """Rates at a latency: the largest measured rate that keeps the objective."""
    steps = same(build, "points", row, *SERIES, "load_basis")
    return max(
        float(step["operations_per_second"])
        for step in steps
        if step["latency_mean_seconds"] is not None
        and step["operations_per_second"] is not None
        and step["latency_mean_seconds"] <= row["latency_objective_seconds"]
    )


def spread(row: Row, build: Path) -> float:
    """Scaling curves: the largest factor over the smallest."""
    keys = ["workload_id", "metric"]
    keys += [f"{side}_{name}" for side in ("array", "base") for name in ("configuration_id", "section")]
    factors = [
        factor["factor_ratio"]
        for factor in same(build, "scaling", row, "submission_id", *keys)
        if factor["basis"] == "peak" or factor["basis"].startswith("queue_depth_per_drive=")
    ]
    return ratio(max(factors), min(factors))


def area_share(row: Row, build: Path) -> float | None:
    """Effects of the area: the smaller area over the capacity of all data drives."""
    owner = {"submission_id": row["submission_id"], "configuration_id": row["smaller_configuration_id"]}
    drives = [drive for drive in same(build, "drives", owner, *owner) if drive["role"] == "data"]
    if any(drive["capacity_bytes"] is None for drive in drives):
        return None
    return ratio(row["smaller_area_bytes"], sum(drive["capacity_bytes"] * drive["drive_count"] for drive in drives))


def elasticity(row: Row, _: Path) -> float | None:
    """Effects of the clock: how the logarithm of the rate follows that of the clock."""
    if row["effect_ratio"] is None:
        return None
    return math.log(row["effect_ratio"]) / math.log(row["faster_clock_hertz"] / row["slower_clock_hertz"])


def fit_error(row: Row, build: Path) -> float | None:
    """Saturation fits: the smallest of the largest errors over the steps of the sharpness."""
    if row["verdict"] == "too_few_points":
        return None
    metric, origin = row["metric"], RATES[row["metric"]]
    steps = [step for step in same(build, "points", row, *SERIES, "load_basis") if step[origin] == "measured"]
    points = [(step["queue_depth"], step[metric] / row["peak_value"]) for step in steps]
    return round(min(_largest_error(points, 2 ** (step / 2)) for step in range(-2, 7)), 9)


def _largest_error(points: list[tuple[int, float]], sharpness: float) -> float:
    """Fit 1 = rise (x / N)^s + cap x^s by least squares, neither below 0; return the largest error of x."""
    rises, caps = [(rate / depth) ** sharpness for depth, rate in points], [rate**sharpness for _, rate in points]
    both = list(zip(map(Fraction, rises), map(Fraction, caps), strict=True))
    a, b = sum(u for u, _ in both), sum(v for _, v in both)
    aa, ab, bb = sum(u * u for u, _ in both), sum(u * v for u, v in both), sum(v * v for _, v in both)
    rise, cap = (a * bb - b * ab) / (aa * bb - ab * ab), (aa * b - ab * a) / (aa * bb - ab * ab)
    if rise < 0:
        rise, cap = Fraction(0), b / bb
    elif cap < 0:
        rise, cap = a / aa, Fraction(0)
    return float(max(abs(float(rise * u + cap * v) ** (-1 / sharpness) - 1) for u, v in both))


def of(dividend: str, divisor: str, factor: str = "") -> Callable[[Row, Path], float | None]:
    """Return the derivation that divides two columns of the row itself, times a third."""

    def divided(row: Row, _: Path) -> float | None:
        if row[dividend] is None or row[divisor] is None:
            return None
        return float(Fraction(row[dividend]) * Fraction(row[factor] if factor else 1) / Fraction(row[divisor]))

    return divided


AGAIN: dict[tuple[str, str], Callable[[Row, Path], float | None]] = {
    ("repetitions", "operations_per_second"): total_rate,
    ("points", "operations_per_second"): median_rate,
    ("points", "latency_mean_seconds"): median_latency,
    ("peaks", "peak_value"): peak,
    ("peaks", "plateau_value"): plateau,
    ("quotients", "a_value"): operand("a"),
    ("quotients", "b_value"): operand("b"),
    ("low_depth_advantages", "highest_ratio"): largest_at_low_depth,
    ("quotients", "quotient_ratio"): quotient,
    ("quotients", "quotient_rounded_text"): rounded_quotient,
    ("quotient_summaries", "geomean_ratio"): geometric_mean,
    ("scaling", "factor_ratio"): of("array_value", "base_value"),
    ("scaling", "ideal_ratio"): ideal,
    ("scaling", "efficiency_ratio"): of("factor_ratio", "ideal_ratio"),
    ("scaling_curves", "spread_ratio"): spread,
    ("saturations", "queue_depth_knee"): knee,
    ("littles_law", "residual_ratio"): residual,
    ("repeat_variances", "variation_ratio"): variation,
    ("rates_at_latency", "operations_per_second"): largest_rate_at,
    ("drive_efficiencies", "rate_per_drive_value"): of("rate_value", "drive_count"),
    ("block_size_speedups", "operations_ratio"): of("smaller_operations_per_second", "larger_operations_per_second"),
    ("block_size_speedups", "throughput_ratio"): lambda row, _: float(
        Fraction(row["operations_ratio"]) * row["smaller_block_size_bytes"] / row["larger_block_size_bytes"]
    ),
    ("write_share_effects", "effect_ratio"): of("written_operations_per_second", "base_operations_per_second"),
    ("capacity_share_effects", "effect_ratio"): of("larger_operations_per_second", "smaller_operations_per_second"),
    ("capacity_share_effects", "smaller_area_ratio"): area_share,
    ("setting_set_effects", "effect_ratio"): of("changed_operations_per_second", "base_operations_per_second"),
    ("processor_clock_effects", "effect_ratio"): of("faster_operations_per_second", "slower_operations_per_second"),
    ("processor_clock_effects", "elasticity_ratio"): elasticity,
    ("saturation_fits", "largest_error_ratio"): fit_error,
    ("natural_experiments", "effect_ratio"): of("b_operations_per_second", "a_operations_per_second"),
    ("transaction_checks", "operations_per_transaction_ratio"): of("operations_per_second", "transactions_per_second"),
    ("transaction_checks", "transactions_per_drive_per_second"): of("transactions_per_second", "drive_count"),
    ("mix_checks", "difference_ratio"): lambda row, _: float(
        Fraction(row["measured_read_ratio"]) - Fraction(row["read_ratio"])
    ),
    ("stated_gains", "gain_ratio"): lambda row, _: 1 + row["gain_share_ratio"],
    ("prices", "price_per_gigabyte_value"): lambda row, _: float(
        Fraction(row["price_value"]) * 10**9 / Fraction(row["capacity_bytes"])
    ),
}
