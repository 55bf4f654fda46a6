"""Every pair considered stands in ``quotients`` or in ``excluded_pairs``, and a grade is what its columns say."""

from __future__ import annotations

from collections import defaultdict
from itertools import combinations
from typing import TYPE_CHECKING

import pytest

from derivations_again import table

if TYPE_CHECKING:
    from pathlib import Path

    from derivations_again import Row

    Operand = tuple[str, str, str, str, str, str]
    """Submission, configuration, section, workload, metric and load."""

METRICS = {
    "operations_per_second": "operations_origin",
    "throughput_bytes_per_second": "throughput_origin",
    "latency_mean_seconds": None,
}
"""What may be compared, and the column that says whether it was measured."""
KNOWN = ("access_pattern", "read_ratio", "block_size_min_bytes", "block_size_max_bytes")
"""Members of a workload of which null is unknown; of the others it says that there is none."""
OTHERS = ("load_options", "block_split", "stream_count")
SIDES = ("a_submission_id", "a_configuration_id", "b_submission_id", "b_configuration_id")
EFFECTS = ("none", "B", "C", "X")
UNSTATED = "load not stated"


@pytest.fixture(scope="module", params=["sample", "made_benches"])
def build(request: pytest.FixtureRequest) -> Path:
    """Return the tables of the tests' own dataset, and those of the benches."""
    folder: Path = request.getfixturevalue(request.param)
    return folder / "build"


def operands(build: Path) -> set[Operand]:
    """Return what can stand on a side: points, peaks, and what was run or printed and has no value to compare."""
    found: set[Operand] = set()

    def add(row: Row, metric: str, basis: str) -> None:
        found.add(
            (*(row[key] for key in ("submission_id", "configuration_id", "section", "workload_id")), metric, basis)
        )

    for point in table(build, "points"):
        for metric, origin in METRICS.items():
            if (point[metric] or 0) > 0 and (origin is None or point[origin] == "measured"):
                add(point, metric, point["basis"])
    for peak in table(build, "peaks"):
        if peak["load_basis"] == "outstanding" and (peak["peak_origin"] == "stated" or peak["depth_count"] >= 3):
            add(peak, peak["metric"], "peak")
    for run in table(build, "repetitions"):
        basis = load(run)
        for metric, origin in METRICS.items():
            is_measured = run[metric] is not None and (origin is None or run[origin] == "measured")
            is_unit_unknown = metric == "throughput_bytes_per_second" and run["unit_basis"] == "unknown"
            is_barred = not run["is_comparable"] or run[metric] == 0 or basis == UNSTATED
            if basis and ((is_measured and is_barred) or is_unit_unknown):
                add(run, metric, basis)
    return found


def load(run: Row) -> str | None:
    """Return the load of a run as a basis of comparison, none where it cannot be compared at all."""
    if run["workload_id"] is None or run["configuration_id"] is None:
        return None
    if run["statistic"] == "peak":
        return "peak"
    axis = run["load_basis"] or "outstanding"
    depth = run["queue_depth"]
    return UNSTATED if depth is None else f"{'queue_depth' if axis.startswith('outstanding') else axis}={depth}"


def agree(a: Row, b: Row) -> bool:
    """Say whether two workloads are the same as far as both are known; two whole ones have to be the same."""
    if a["workload_id"] == b["workload_id"]:
        return True
    if a["is_complete"] and b["is_complete"]:
        return False
    is_known_alike = all(None in {a[name], b[name]} or a[name] == b[name] for name in KNOWN)
    return is_known_alike and all(a[name] == b[name] for name in OTHERS)


def test_every_pair_considered_has_a_quotient_or_a_reason(build: Path) -> None:
    """All pairs of different configurations with one metric, load and workload, counted one by one."""
    workloads = {row["workload_id"]: row for row in table(build, "workloads")}
    at_loads: dict[tuple[str, str], list[Operand]] = defaultdict(list)
    for operand in operands(build):
        at_loads[operand[4:]].append(operand)
    considered = sum(
        a[:2] != b[:2] and agree(workloads[a[3]], workloads[b[3]])
        for group in at_loads.values()
        for a, b in combinations(group, 2)
    )
    both_ways = sum(row["basis"] != "low_depth" for row in table(build, "quotients"))
    excluded = sum(row["pair_count"] for row in table(build, "excluded_pairs"))
    assert excluded > 0
    assert both_ways > 0
    assert both_ways + 2 * excluded == 2 * considered


def test_nothing_is_excluded_without_a_reason_that_can_be_looked_up(build: Path) -> None:
    """A key and a check are named with their effect, an operand that stands for another is named too."""
    for row in table(build, "excluded_pairs"):
        if row["reason"] in {"key_differs", "invalid"}:
            assert ":X" in row["reason_columns"], row
            assert row["reason_words"], row
        if row["reason"] == "not_representative":
            assert row["used_instead"], row


def graded(quotient: Row) -> dict[str, str]:
    """Return the effect of each column and check that a quotient names."""
    return dict(part.rsplit(":", 1) for part in quotient["grade_columns"].split(", ") if part)


def test_a_grade_is_the_worst_effect(build: Path) -> None:
    """Of the columns and checks that are named, and of the unknown reservations that are only counted."""
    for row in table(build, "quotients"):
        effects = {*graded(row).values(), *(["B"] if row["unknown_reservation_count"] else [])}
        assert row["comparability_grade"] == max(effects, default="A"), row


def test_what_weighs_on_a_quotient_stands_among_the_differences(build: Path) -> None:
    """Every column of every grade, with an effect between the least and the worst of all loads."""
    # what is said of runs, and of two sides together, is no column
    checks = {row["verdict"] for row in table(build, "validity_checks")} | {"measured at the same time"}
    differences = {
        (*(row[side] for side in SIDES), row["column_name"]): row for row in table(build, "configuration_differences")
    }
    named = 0
    for row in table(build, "quotients"):
        for column, effect in graded(row).items():
            if column not in checks:
                found = differences[*(row[side] for side in SIDES), column]
                least, worst = EFFECTS.index(found["least_effect"]), EFFECTS.index(found["effect"])
                assert least <= EFFECTS.index(effect) <= worst, (row, found)
                named += 1
    assert named > 0
