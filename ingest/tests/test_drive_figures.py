"""The same drive and workload have the same number wherever pages show it."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

import duckdb

from ioledger.tables.schema import ROOT

sys.path.append(str(ROOT / "site" / "data"))
import content  # (scripts of the site)
import machine
from rows import stated

if TYPE_CHECKING:
    from pathlib import Path

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
        names, rows = stated(connection, "devices")
        devices = [dict(zip(names, row, strict=True)) for row in rows]
        ladder = stated(connection, "media-ladder")
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
