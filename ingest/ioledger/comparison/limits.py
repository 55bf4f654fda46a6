"""The constants of comparisons and plans: ``models/seeds/known_limits.csv``, which the SQL models read too."""

from __future__ import annotations

import csv
from functools import cache

from ioledger.tables.schema import ROOT


@cache
def limit(name: str) -> float:
    """Return a constant, in the unit that stands beside it; raises KeyError for one that the file does not have."""
    with (ROOT / "models" / "seeds" / "known_limits.csv").open(encoding="utf-8", newline="") as file:
        return {row["limit_id"]: float(row["limit_value"]) for row in csv.DictReader(file) if row["limit_value"]}[name]
