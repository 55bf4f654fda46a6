"""
The interval that a printed number leaves: half a unit of its last digit, more where it says "about", open at a bound.

The exact fractions are those that claims are recomputed with, so that one number has one rounding everywhere.
"""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING, Any

from ioledger.claims.printed import fraction, half_unit
from ioledger.judgement.limits import limit

if TYPE_CHECKING:
    from collections.abc import Mapping

BOUNDS = {"lower_bound": "value_low", "upper_bound": "value_high"}
"""By kind of value, the end that a bound states; the other one is open."""


def interval(figure: Mapping[str, Any]) -> dict[str, float | str | None]:
    """
    Return ``value_low``, ``value_high`` and ``uncertainty_kind`` of a row of figures, in its printed unit.

    A printed range has its own ends, which are bounds. An approximate number is uncertain by at least 5 % to both
    sides. A null end is open, or not known where there is no number.
    """
    value, kind = figure["printed_value"], figure["value_kind"]
    ends: dict[str, float | str | None] = {"value_low": None, "value_high": None, "uncertainty_kind": "none"}
    if value is None:
        if figure["printed_low"] is None and figure["printed_high"] is None:
            return ends
        low, high = figure["printed_low"], figure["printed_high"]
        return {"value_low": low, "value_high": high, "uncertainty_kind": "bound"}
    if kind in BOUNDS:
        return ends | {BOUNDS[kind]: value, "uncertainty_kind": "bound"}
    exact = fraction(value)
    half = half_unit(exact, figure["printed_text"])
    if kind == "approximate":
        half = max(half, abs(exact) * Fraction(repr(limit("approximate_share"))))
    return {"value_low": float(exact - half), "value_high": float(exact + half), "uncertainty_kind": "rounding"}
