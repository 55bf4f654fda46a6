"""
Latency statistics as the columns of a result.

fio measures submission (``slat``), completion (``clat``) and total latency (``lat``). A latency whose mean and
maximum are both zero was not measured. Source: fio's HOWTO, "Interpreting the output".
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Mapping

KINDS = {"lat": "total", "clat": "completion", "slat": "submission"}


class Stats(NamedTuple):
    """Smallest, largest and mean latency and its standard deviation, in seconds."""

    low: float | None
    high: float | None
    mean: float | None
    deviation: float | None

    @property
    def is_measured(self) -> bool:
        """Say whether the numbers are more than fio's zeros for "not measured"."""
        return bool(self.mean or self.high)


def columns(stats: Mapping[str, Stats]) -> dict[str, Any]:
    """Return the latency columns from statistics by fio's name; the main ones are total, else completion latency."""
    measured = {KINDS[name]: value for name, value in stats.items() if value.is_measured and name in KINDS}
    kind = next((kind for kind in ("total", "completion") if kind in measured), None)
    rows = {f"{part}_": measured[part] for part in ("completion", "submission") if part in measured}
    if kind:
        rows[""] = measured[kind]
    return {"latency_kind": kind} | {
        f"{prefix}latency_{name}_seconds": value
        for prefix, row in rows.items()
        for name, value in zip(("min", "max", "mean", "stddev"), row, strict=True)
    }
