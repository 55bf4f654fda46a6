"""The identifiers that addresses are made of: a hash of the key of a row, computed a second time, and of no value."""

from __future__ import annotations

import hashlib
from typing import TYPE_CHECKING

import duckdb
import pytest

from derivations_again import table
from ioledger.judgement import identity

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from derivations_again import Row

SERIES = ("submission_id", "configuration_id", "section", "workload_id", "load_basis")
ROW = {
    "workload_id": "w",
    "metric": "latency_mean_seconds",
    "basis": "queue_depth=4",
    **{f"{side}_submission_id": f"of {side}" for side in "ab"},
    **{f"{side}_configuration_id": f"drive {side}" for side in "ab"},
    **{f"{side}_section": "tool output" for side in "ab"},
}


def _hashed(*parts: object) -> str:
    return hashlib.md5(" ".join(map(str, parts)).encode(), usedforsecurity=False).hexdigest()[:16]


def _side(row: Row, name: str) -> str:
    return f"{row[f'{name}_submission_id']}/{row[f'{name}_configuration_id']}"


def _scaling(row: Row) -> str:
    sides = (row[f"{name}_{part}"] for name in ("array", "base") for part in ("configuration_id", "section"))
    return _hashed("scaling", row["submission_id"], row["workload_id"], row["metric"], *sides, row["basis"])


def _quotient(row: Row) -> str:
    sides = (part for name in "ab" for part in (_side(row, name), row[f"{name}_section"]))
    return _hashed(row["workload_id"], row["metric"], row["basis"], *sides)


AGAIN: dict[tuple[str, str], Callable[[Row], str]] = {
    ("points", "point_id"): lambda row: _hashed(*(row[key] for key in (*SERIES, "queue_depth"))),
    ("peaks", "peak_id"): lambda row: _hashed("peak", *(row[key] for key in (*SERIES, "metric"))),
    ("scaling", "scaling_id"): _scaling,
    ("quotients", "quotient_id"): _quotient,
    ("quotients", "pair_id"): lambda row: _hashed(*sorted(_side(row, name) for name in "ab")),
}


@pytest.mark.parametrize(("mart", "column"), AGAIN, ids=[column for _, column in AGAIN])
def test_an_identifier_is_the_hash_of_its_key(sample: Path, mart: str, column: str) -> None:
    """Every row of the tests' own dataset, and no two rows share one that names a row."""
    rows = table(sample / "build", mart)
    assert rows
    assert [row[column] for row in rows] == [AGAIN[mart, column](row) for row in rows]
    assert column == "pair_id" or len({row[column] for row in rows}) == len(rows)


def test_the_database_computes_the_same_identifiers_when_asked(sample: Path) -> None:
    """They take no place in the file."""
    with duckdb.connect(sample / "build" / "ioledger.duckdb", read_only=True) as connection:
        found = connection.sql("select pair_id, quotient_id from quotients").fetchall()
    rows = table(sample / "build", "quotients")
    assert sorted(found) == sorted((row["pair_id"], row["quotient_id"]) for row in rows)


@pytest.mark.parametrize("kind", ["pair", "quotient"])
def test_turning_a_comparison_round_keeps_the_pair_and_changes_the_quotient(kind: str) -> None:
    """A over B and B over A stand on one page, each at its own place."""
    sql = {"pair": identity.pair_sql, "quotient": identity.quotient_sql}[kind]()
    turned = {f"{'ab'[name[0] == 'a']}{name[1:]}" if name[1] == "_" else name: value for name, value in ROW.items()}
    columns = ", ".join(f'$"{name}" as {name}'.replace('"', "") for name in ROW)
    found = [
        duckdb.execute(f"select {sql} from (select {columns})", dict(row)).fetchall()  # noqa: S608  (own columns)
        for row in (ROW, turned)
    ]
    assert (found[0] == found[1]) == (kind == "pair")
