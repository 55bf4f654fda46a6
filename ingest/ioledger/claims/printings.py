"""
The printings of one quantity: figures of the same measurement, and the figure that a claim itself became.

A publication that prints 450 MB/s in one section and 500 MB/s in another, for one drive under one load, leaves open
which of them a factor was computed from. So an operand lies within the hull of both. A range over several cases, or a
bound, is no second printing; nor is a figure in the line of the claim, which is the claim.
"""

from __future__ import annotations

import re
from dataclasses import replace
from typing import TYPE_CHECKING

from ioledger.claims.printed import of_figure

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from ioledger.claims.printed import Printed, Row

_LINE = re.compile(r"line (\d+)")
_SAME = (
    *("configuration_id", "quantity", "printed_unit", "unit_basis", "statistic", "load_profile", "queue_depth"),
    *("operation", "block_size_bytes"),
)


def line_of(claim: Row) -> str | None:
    """Return the line of the publication in which a claim stands; null when its locator names none."""
    found = _LINE.search(claim["locator"])
    return found[1] if found else None


def united(claim: Row, one: Printed, figures: Iterable[Row]) -> Printed:
    """Return an operand of a claim with the other printings of its quantity."""
    if one.figure is None or one.figure["printed_value"] is None:
        return one
    return replace(one, others=tuple(elsewhere(claim, one.figure, figures)))


def elsewhere(claim: Row, figure: Row, figures: Iterable[Row]) -> Iterator[Printed]:
    """Yield the other printings of a figure's quantity, outside the line of the claim."""
    if figure["configuration_id"] is None:
        return
    line = line_of(claim)
    for other in figures:
        is_elsewhere = other["figure_id"] != figure["figure_id"] and other["line"] not in {None, line}
        if is_elsewhere and all(other[name] == figure[name] for name in _SAME):
            found = of_figure(other) if other["printed_value"] is not None else None
            if found is not None and found.bound is None:
                yield found


def own(claim: Row, figures: Iterable[Row]) -> Iterator[Row]:
    """Yield the measured figures that a claim became: those of its line or section with its value and unit."""
    line, value = line_of(claim), claim["claimed_value"]
    for figure in figures:
        is_measured = figure["record_kind"] == "measured" and figure["printed_value"] is not None
        is_said = figure["printed_value"] == value and figure["printed_unit"] == claim["claimed_unit"]
        is_near = figure["line"] == line is not None or (figure["section"] or "\n") in claim["locator"]
        if is_measured and is_said and is_near:
            yield figure
