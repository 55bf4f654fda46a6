"""What a number of a table can be, whatever measured it: the ranges that ``schemas/expectations`` states."""

from __future__ import annotations

import math
from functools import cache
from typing import Any, NamedTuple

import msgspec

from ioledger.tables.schema import SCHEMAS

_BETWEEN = "expect_column_values_to_be_between"


class Range(NamedTuple):
    """The smallest and the largest value of a column, in its unit; without the smallest itself where it is strict."""

    low: float = 0.0
    high: float = math.inf
    is_strict: bool = False

    def holds(self, value: float) -> bool:
        """Say whether a value lies in the range."""
        return self.low <= value <= self.high and not (self.is_strict and value == self.low)

    def __str__(self) -> str:
        """Return the range in words."""
        start = f"above {self.low:,g}" if self.is_strict else f"{self.low:,g} or more"
        return start if math.isinf(self.high) else f"{start}, and at most {self.high:,g}"


@cache
def ranges(table: str) -> dict[str, Range]:
    """Return the ranges that a table's expectations state, by column."""
    found: dict[str, Range] = {}
    stated = msgspec.json.decode((SCHEMAS / "expectations" / f"{table}.json").read_bytes())
    for each in stated["expectations"]:
        told: dict[str, Any] = each["kwargs"]
        if each["type"] == _BETWEEN:
            low, high = told.get("min_value", 0.0), told.get("max_value", math.inf)
            found[told["column"]] = Range(low, high, told.get("strict_min", False))
    return found
