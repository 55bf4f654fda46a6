"""What was measured, as tables."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rich.table import Table

from bench import whole
from bench.methods import YARDSTICK

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from bench.models import Cost

Rounds = dict[str, list[whole.Taken]]
Goal = tuple[str, whole.Ratio | float, float]
"""What was measured, its value, and the most that it may be."""
VERDICTS = {
    (True, True): "yes", (True, False): "by the fastest", (False, True): "by the median", (False, False): "no",
}  # fmt: skip


def ratio(taken: Rounds, method: str, other: str) -> whole.Ratio:
    """Return one method's processor time over another's."""
    pairs = zip(taken[method], taken[other], strict=True)
    return whole.ratio([(mine.processor_seconds, base.processor_seconds) for mine, base in pairs])


def methods(title: str, taken: Rounds) -> Table:
    """Return what each way of reading took: its fastest round, its slowest, and how they compare with the yardstick."""
    table = Table(title=title, title_justify="left", title_style="bold")
    table.add_column("method")
    for heading in ("ratio to orjson.loads", "median", "processor seconds", "slowest", "rows or samples"):
        table.add_column(heading, justify="right")
    for name, each in taken.items():
        made = each[-1].produced
        seconds = [found.processor_seconds for found in each]
        shown = *ratio(taken, name, YARDSTICK), min(seconds), max(seconds)
        told = (*(f"{value:.2f}" for value in shown), f"{made:,}")
        table.add_row(name, *(told if made else ("not installed", "", "", "", "")))
    return table


def goals(found: Sequence[Goal]) -> Table:
    """Return what was measured beside its goal, and whether the fastest rounds and the median meet it."""
    table = Table(title="goals", title_justify="left", title_style="bold")
    table.add_column("measured")
    for heading in ("value", "median", "at most", "met"):
        table.add_column(heading, justify="right")
    for name, value, goal in found:
        best, median = value if isinstance(value, whole.Ratio) else (value, value)
        table.add_row(name, *(f"{shown:.3g}" for shown in (best, median, goal)), VERDICTS[best <= goal, median <= goal])
    return table


def models(costs: Iterable[Cost]) -> Table:
    """Return what the dbt models took, beside plain DuckDB."""
    table = Table(title="dbt models (goals: 60 s, 4096 MiB)", title_justify="left", title_style="bold")
    headings = ("results", "dbt, wall s", "dbt, s", "plain DuckDB, wall s", "plain DuckDB, s", "dbt / plain")
    for heading in (*headings, "peak MiB", "rows of marts", "same rows", "dbt, ms per 1000 results"):
        table.add_column(heading, justify="right")
    for cost in costs:
        times = (cost.dbt_seconds, cost.dbt_processor_seconds, cost.duckdb_seconds, cost.duckdb_processor_seconds)
        shown = (f"{cost.result_count:,}", *(f"{seconds:.1f}" for seconds in times))
        beside = cost.dbt_processor_seconds / cost.duckdb_processor_seconds
        growth = 1e6 * cost.dbt_processor_seconds / cost.result_count
        size = (f"{cost.memory_mebibytes:,.0f}", f"{cost.row_count:,}", "yes" if cost.is_same else "no")
        table.add_row(*shown, f"{beside:.2f}", *size, f"{growth:.0f}")
    return table
