"""Pages of single numbers: operands named, addresses hashed from keys, and the same number wherever pages show it."""

from __future__ import annotations

import hashlib
import json
import sys
from typing import TYPE_CHECKING, Any

import duckdb
import pytest

from dataset import table
from ioledger.tables.schema import ROOT

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from dataset import Row

sys.path.append(str(ROOT / "site" / "data"))
import content  # (scripts of the site)
import machine
import number_pages
import rows

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


READS = "4 KiB random read"
FIGURES = {
    "lowest": ("queue depth 1", "operations_per_second"),
    "latency_mean_seconds": ("queue depth 1", "latency_mean_seconds"),
    "highest": ("highest", "operations_per_second"),
}
"""The columns of the devices table, and which figure each shows."""


def test_devices_table_ladder_device_page_and_api_show_one_value(sample: Path) -> None:
    """Each drive's figures under 4 KiB random reads are those of drive_figures, with the number behind them."""
    with duckdb.connect(sample / "build" / "ioledger.duckdb", read_only=True) as connection:
        figures = {
            (device, figure, metric): (value, number)
            for device, figure, metric, value, number in connection.execute(
                "select device_id, figure, metric, figure_value, number_id from drive_figures where load_profile = ?",
                [READS],
            ).fetchall()
        }
        names, every = rows.run_query(connection, "devices")
        devices = [dict(zip(names, row, strict=True)) for row in every]
        ladder = rows.run_query(connection, "media-ladder")
        told = machine.rows(connection, machine.FIGURES)
    shown = [dict(zip(ladder[0], row, strict=True)) for row in ladder[1]]
    rungs = {row["device_id"]: row for row in shown if row["origin"] == "measured" and row["load_profile"] == READS}
    beside = content._rungs(ladder)  # noqa: SLF001
    assert len(rungs) > 1
    for device in devices:
        for column, (figure, metric) in FIGURES.items():
            value, _ = figures.get((device["device_id"], figure, metric), (None, None))
            assert device[column] == value
    for name, row in rungs.items():
        lowest = figures.get((name, "queue depth 1", "operations_per_second"), (None, None))
        highest = figures.get((name, "highest", "operations_per_second"), (None, None))
        assert (row["operations_per_second"], row["peak_value"]) == (lowest[0], highest[0])
        for shown_id, number in ((row["point_id"], lowest[1]), (row["peak_id"], highest[1])):
            assert number is None or shown_id.endswith(f"-{number}")
        assert any(each[ladder[0].index("device_id")] == name for each in beside[name][1])
    assert {
        (row["device_id"], row["figure"], row["metric"]): (row["figure_value"], row["number_id"])
        for row in told
        if row["load_profile"] == READS
    } == figures


def test_every_figure_says_why_its_setup_was_chosen(sample: Path) -> None:
    """A value names its number, and all figures of a drive and workload come from one setup where it has them."""
    with duckdb.connect(sample / "build" / "ioledger.duckdb", read_only=True) as connection:
        others = connection.execute("""
            select device_id, load_profile from drive_figures
            where chosen_because <> 'the preferred setup lacks this figure'
            group by device_id, load_profile
            having count(distinct configuration_id) > 1
        """).fetchall()
        lost = connection.execute("""
            select number_id from drive_figures
            where number_id not in (select point_id from points union all select peak_id from peaks)
        """).fetchall()
    assert not others
    assert not lost
