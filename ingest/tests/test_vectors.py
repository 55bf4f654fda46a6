"""The hundred vectors of the derivations: a unit test of a model names each, and expects its value."""

from __future__ import annotations

import csv
import math
import os
import re
from functools import cache
from itertools import chain
from pathlib import Path
from typing import Any

import duckdb
import numpy as np
import pytest

from conftest import description
from ioledger.comparison import statistics
from ioledger.tables.schema import ROOT

Row = dict[str, Any]
CORPUS = os.environ.get("IOLEDGER_CORPUS")
MIB, MILLI, PERCENT = 1 / 2**20, 1000.0, 100.0
PRINTED = 2e-4  # the vectors are printed with four to seven digits
GROUPS: tuple[tuple[int, str, float, str], ...] = (  # first vector, column, unit of the vector, expected values
    # vectors without a column: no unit test has their quantity (test_units.py has V007 and V008)
    (1, "throughput_bytes_per_second", MIB, "1506.8828 1845.625 1814.5625"),
    (4, "operations_per_second", 1, "38320.0 17600.0 7200.0"),
    (7, "", 1, "2511.3395 3544.1869"),
    (9, "throughput_bytes_per_second", 1e-6, "51.2"),
    (10, "", MILLI, "0.1 0.27778 0.05682 2.65449"),
    (14, "quantity_value - 1", 1, "-0.2676 0.8311"),
    (16, "quantity_value", 1, "20.424 34.236 37.336 25.454"),
    (20, "quantity_value", 1, "115.03 102.04 116.56 109.82"),
    (24, "", 1, "5.75 179.5 979.0"),
    (27, "rate_per_drive_value", 1, "661.44 20923.25 107518.0"),
    (30, "", 1, "223.2 3.0 3.9 38.6 3.3 1.6 36.8 3.6 1.6 10.1 3.0 1.7 7.8 4.4 1.8"),
    (45, "", 1, "30.1466 3.4198 1.9696"),
    (48, "factor_ratio", 1, "3.1667 4.0545 4.0 4.0417 3.9694 1.0207 2.0345 1.9655 2.0 2.0 0.8446 1.4828 1.3448 1.0"),
    (62, "ideal_ratio", 1, "2.0 1.5038 1.3333 1.0"),
    (66, "measurement_area_ratio", PERCENT, "4.295 2.1475 1.718 85.8993"),
    (70, "1 / effect_ratio", 1, "0.69 0.905"),
    (72, "price_per_gigabyte_value", 1, "330.649"),
    (73, "price_per_thousand_operations_value", 1, "7347.75"),
    (74, "price_per_gigabyte_value", 1, "273.55"),
    (75, "price_per_thousand_operations_value", 1, "3039.44"),
    (76, "price_per_gigabyte_value", 1, "239.9"),
    (77, "price_per_thousand_operations_value", 1, "1499.38"),
    (78, "price_per_gigabyte_value", 1, "247.8"),
    (79, "price_per_thousand_operations_value", 1, "1304.21"),
    (80, "effect_ratio", 1, "2.0 1.37"),
    (82, "queue_depth_knee", 1, "32 8 null null"),
    (86, "", 1, "4.0"),
    (87, "is_steady", 1, "true true false true false"),
    (92, "", 1, "null 0.03344"),
    (94, "effect_ratio", 1, "1.1667 0.9832"),
    (96, "verdict", 1, "pass fail pass"),
    (99, "verdict", 1, "warn"),
    (100, "is_monotonic", 1, "warn"),
)
VECTORS = {
    f"V{first + index:03}": (column, scale, expected)
    for first, column, scale, values in GROUPS
    for index, expected in enumerate(values.split())
}
VERDICTS = {"pass": "within the stated limit", "fail": "beyond the stated limit", "warn": "served by a cache"}
STATES = {"null": None, "true": True, "pass": True, "false": False, "fail": False, "warn": False}
RANGE = re.compile(r"\bV(\d{3})(?: to V(\d{3}))?", re.IGNORECASE)


def named(text: str) -> set[str]:
    """Return the vectors that a text names, alone or as a range."""
    spans = ((int(first), int(last or first)) for first, last in RANGE.findall(text))
    return {f"V{number:03}" for first, last in spans for number in range(first, last + 1)}


@cache
def expectations() -> dict[str, list[Row]]:
    """Return for each vector the rows that the unit tests expect: its own, or all of a test that names it."""
    found: dict[str, list[Row]] = {}
    for path in sorted((ROOT / "models").rglob("*.yml")):
        for test in description(path).get("unit_tests", []):
            rows: list[Row] = test["expect"]["rows"]
            for vector in named(test["description"]) | named(" ".join(map(str, chain(*map(dict.values, rows))))):
                own = [row for row in rows if vector in named(" ".join(map(str, row.values())))]
                found.setdefault(vector, []).extend(own or rows)
    return found


def shows(row: Row, column: str, scale: float, expected: str) -> bool:
    """Return whether a row holds the expected value in its column (or ``1 / column``), to the digits of the vector."""
    name = column.removeprefix("1 / ").removesuffix(" - 1")
    value = row.get(name)
    if name == "verdict":
        return value == VERDICTS[expected]
    if name not in row or expected in STATES:
        return name in row and value is STATES[expected]
    if value is None:
        return False
    found = 1 / float(value) if column.startswith("1 / ") else float(value) - column.endswith(" - 1")
    return math.isclose(found * scale, float(expected), rel_tol=PRINTED)


@pytest.mark.parametrize("vector", [name for name, (column, _, _) in VECTORS.items() if column])
def test_a_unit_test_names_the_vector_and_expects_its_value(vector: str) -> None:
    """The value stands in the column that publishes the derivation."""
    rows = expectations().get(vector, [])
    assert any(shows(row, *VECTORS[vector]) for row in rows), f"no unit test under models/ shows {vector}"


def test_the_published_table_of_four_media_has_its_fifteen_quotients_and_their_means(sample: Path) -> None:
    """V030 to V047: through the whole chain, rounded half up, and the geometric mean of the five profiles."""
    query = """
        select distinct b_configuration_id, load_profile, ratio from quotients
        where a_configuration_id = 'cmp-p3700' and b_configuration_id like 'cmp-%' and queue_depth is null
    """
    with duckdb.connect(sample / "build" / "ioledger.duckdb", read_only=True) as database:
        ratios = {(other, profile): ratio for other, profile, ratio in database.execute(query).fetchall()}
    others = ("cmp-hdd", "cmp-sas-ssd", "cmp-iodrive2")
    profiles = ("Database", "File server", "File copy", "Streaming", "Restore")
    found = [f"{ratios[other, profile] + 1e-9:.1f}" for profile in profiles for other in others]
    assert found == [VECTORS[f"V{number:03}"][2] for number in range(30, 45)]
    for number, other in enumerate(others, 45):
        mean = math.prod(ratios[other, profile] for profile in profiles) ** (1 / len(profiles))
        assert math.isclose(mean, float(VECTORS[f"V{number:03}"][2]), rel_tol=PRINTED)


def test_what_is_ahead_at_few_requests_may_be_behind_at_more() -> None:
    """V086: each load has a ratio of its own; 1.2 against 0.3 thousand at depth 4, and 2 against 3 at the highest."""
    unknown, none, no = np.full(2, np.nan), np.zeros(2), np.zeros(2, dtype=bool)
    a, b = (
        statistics.Side(np.log(values), np.ones(2), unknown, unknown, none, no, none, none, none, no)
        for values in ([1200.0, 2000.0], [300.0, 3000.0])
    )
    found = statistics.compare(a, b, no, np.full(2, 1.05))
    assert found.ratio == pytest.approx([float(VECTORS["V086"][2]), 2 / 3])


@pytest.mark.skipif(CORPUS is None, reason="IOLEDGER_CORPUS names no corpus")
def test_the_vectors_are_those_of_the_corpus() -> None:
    """The list beside the corpus has the same hundred vectors with the same values."""
    path = Path(str(CORPUS)).parent / "extract" / "derivation_vectors.csv"
    with path.open(encoding="utf-8", newline="") as lines:
        listed = {row["vector_id"]: re.split(r"[ :]", row["expected"])[0] for row in csv.DictReader(lines)}
    assert listed == {vector: expected for vector, (_, _, expected) in VECTORS.items()}
