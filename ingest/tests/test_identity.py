"""The identifiers that addresses are made of: a hash of the key of a row, computed a second time, and of no value."""

from __future__ import annotations

import hashlib
from typing import TYPE_CHECKING

import pytest

from dataset import table

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from dataset import Row

SERIES = ("submission_id", "configuration_id", "section", "workload_id", "load_basis")


def _hashed(*parts: object) -> str:
    return hashlib.md5(" ".join(map(str, parts)).encode(), usedforsecurity=False).hexdigest()[:16]


def _side(row: Row, name: str) -> str:
    return f"{row[f'{name}_submission_id']}/{row[f'{name}_configuration_id']}"


def _scaling(row: Row) -> str:
    sides = (row[f"{name}_{part}"] for name in ("array", "base") for part in ("configuration_id", "section"))
    return _hashed("scaling", row["submission_id"], row["workload_id"], row["metric"], *sides, row["basis"])


AGAIN: dict[tuple[str, str], Callable[[Row], str]] = {
    ("points", "point_id"): lambda row: _hashed(*(row[key] for key in (*SERIES, "queue_depth"))),
    ("peaks", "peak_id"): lambda row: _hashed("peak", *(row[key] for key in (*SERIES, "metric"))),
    ("scaling", "scaling_id"): _scaling,
    ("comparisons", "comparison_id"): lambda row: _hashed(row["a_point_id"], row["b_point_id"], row["metric"]),
    ("pairs", "pair_id"): lambda row: _hashed(*sorted(_side(row, name) for name in "ab")),
}


@pytest.mark.parametrize(("mart", "column"), AGAIN, ids=[column for _, column in AGAIN])
def test_an_identifier_is_the_hash_of_its_key(sample: Path, mart: str, column: str) -> None:
    """Every row of the tests' own dataset, and no two rows share one that names a row."""
    rows = table(sample / "build", mart)
    assert rows
    assert [row[column] for row in rows] == [AGAIN[mart, column](row) for row in rows]
    assert column == "pair_id" or len({row[column] for row in rows}) == len(rows)
