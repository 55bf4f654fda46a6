"""What the pages of single numbers say: one line per number, every operand named, the same in every run."""

from __future__ import annotations

import json
import sys
from typing import TYPE_CHECKING, Any

import duckdb
import pytest

from ioledger.tables.schema import ROOT

sys.path.append(str(ROOT / "site" / "data"))
import number_pages  # (scripts of the site)
import rows

if TYPE_CHECKING:
    from pathlib import Path

TABLES = {"r": "results", "p": "points", "k": "peaks", "s": "scaling", "c": "claims"}
Pages = dict[str, dict[str, dict[str, Any]]]


def _written(sample: Path, folder: Path) -> Path:
    with duckdb.connect(sample / "build" / "ioledger.duckdb", read_only=True) as connection:
        connection.execute("set threads = 1")
        context = {"data": str(sample / "data"), "release": "abc", "address": None, "style": "?v=1"}
        number_pages.write(connection, folder, context)
    return folder


@pytest.fixture(scope="module")
def pages(sample: Path, tmp_path_factory: pytest.TempPathFactory) -> Pages:
    """Return the rows of every kind by their id, on the tests' own dataset."""
    folder = _written(sample, tmp_path_factory.mktemp("pages") / "numbers")
    return {
        kind: {row["id"]: row for row in map(json.loads, (folder / f"{kind}.ndjson").read_text("utf-8").splitlines())}
        for kind in number_pages.KINDS
    }


@pytest.fixture(scope="module")
def database(sample: Path) -> duckdb.DuckDBPyConnection:
    """Return the built database of the tests' own dataset."""
    return duckdb.connect(sample / "build" / "ioledger.duckdb", read_only=True)


def test_every_number_has_a_page(pages: Pages, database: duckdb.DuckDBPyConnection) -> None:
    """As many as the tables have rows, and one for each two configurations that are compared."""
    counts = {kind: len(database.table(name).fetchall()) for kind, name in TABLES.items()}
    counts["q"] = database.sql("select count(distinct pair_id) from comparisons").fetchall()[0][0]
    assert {kind: len(rows) for kind, rows in pages.items()} == counts
    assert all(counts.values())


def test_every_number_has_one_address(pages: Pages, database: duckdb.DuckDBPyConnection) -> None:
    """The sweep of its setup and workload, and an anchor with its kind and identifier; no address has two sweeps."""
    known = rows.addresses(database)
    assert known == {name: f"{known[name].split('#')[0]}#{kind}-{name}" for kind in "rpks" for name in pages[kind]}
    sweeps: dict[str, set[tuple[str, ...]]] = {}
    for kind in "rpk":
        for name, row in pages[kind].items():
            sweep = (row["submission_id"], row["configuration_id"], row.get("workload_id") or "")
            sweeps.setdefault(known[name].split("#")[0], set()).add(sweep)
    assert all(len(of) == 1 for of in sweeps.values())


def test_what_is_written_depends_on_nothing_but_the_build(sample: Path, tmp_path: Path) -> None:
    """Two runs give the same bytes, ordered by id."""
    first, second = (_written(sample, tmp_path / name) for name in ("first", "second"))
    for path in sorted(first.iterdir()):
        assert path.read_bytes() == (second / path.name).read_bytes(), path.name
    lines = (first / "r.ndjson").read_text(encoding="utf-8").splitlines()
    ids = [json.loads(line)["id"] for line in lines]
    assert ids == sorted(ids)


def test_operands_are_numbers_that_have_pages(pages: Pages) -> None:
    """A point names its results, a peak its points, a factor both of its sides, a comparison the values it compares."""
    parts = [name for row in pages["p"].values() for name in row["result_ids"] or ()]
    steps = [step["id"] for row in pages["k"].values() for step in row["steps"] or ()]
    sides = [row[f"{side}_id"] for row in pages["s"].values() for side in ("array", "base")]
    divided = [
        each[side]
        for row in pages["q"].values()
        for each in row["comparisons"]
        for side in ("a_point_id", "b_point_id")
    ]
    for ids, known in (
        (parts, pages["r"].keys()),
        (steps, pages["p"].keys()),
        (sides, pages["p"].keys() | pages["k"].keys()),
        (divided, pages["p"].keys() | pages["k"].keys()),
    ):
        assert ids
        assert set(ids) <= known


def test_every_comparison_is_on_the_page_of_its_pair(pages: Pages, database: duckdb.DuckDBPyConnection) -> None:
    """Each once."""
    stated = sorted(database.sql("select pair_id, comparison_id from comparisons").fetchall())
    assert (
        sorted((pair, each["comparison_id"]) for pair, row in pages["q"].items() for each in row["comparisons"])
        == stated
    )


def test_what_rests_on_a_number_leads_to_pages(pages: Pages, database: duckdb.DuckDBPyConnection) -> None:
    """The comparisons that a point or peak lists are those of its pair, and the count is that of all."""
    quotients = dict(database.sql("select comparison_id, pair_id from comparisons").fetchall())
    listed = [row for kind in "pk" for row in pages[kind].values() if row["quotients"]]
    assert listed
    for row in listed:
        assert row["quotient_count"] >= len(row["quotients"])
        for each in row["quotients"]:
            assert quotients[each["id"]] == each["pair"]
