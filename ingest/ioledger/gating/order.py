"""
In which order the runs of two sides stand: pairs of neighbours, and whether their order excludes a disturbance.

What changes slowly or periodically (temperature, the state of the flash, other users of the machine) looks like a
difference where all runs of one side came first, and where the sides take fixed turns. In pairs whose first side is
drawn at random it meets both sides alike.
"""

from __future__ import annotations

from enum import StrEnum
from itertools import groupby, pairwise
from typing import TYPE_CHECKING, NamedTuple

from ioledger.judgement.limits import limit

if TYPE_CHECKING:
    from collections.abc import Sequence
    from datetime import datetime

BEFORE, AFTER = 0, 1
MIN_PAIRS = 3
MAX_LEFT_OVER = 1
"""So many runs of a side may have no partner: one lost run leaves the pairs valid."""


class Layout(StrEnum):
    """In which order the runs of two sides stand; the value is the word for it."""

    UNDATED = "undated"
    BLOCKS = "blocks"
    TOO_FEW = "too few pairs"
    NOT_PAIRED = "not paired"
    FIXED = "fixed order"
    PAIRED = "paired"
    HISTORY = "history"

    @property
    def is_paired(self) -> bool:
        """Whether the pairs are compared, and not the sides as a whole."""
        return self in {Layout.FIXED, Layout.PAIRED}

    @property
    def excludes_order(self) -> bool:
        """Whether a disturbance cannot pass for a difference, so that better and worse may be said."""
        return self in {Layout.PAIRED, Layout.HISTORY}


class Span(NamedTuple):
    """When something ran, as far as its file says; one of both may be all that is known."""

    start: datetime
    end: datetime


class Order(NamedTuple):
    """The layout of two sides, and the pairs: places of a run before and of a run after, in time."""

    layout: Layout
    pairs: tuple[tuple[int, int], ...] = ()


def order_of(before: Sequence[Span | None], after: Sequence[Span | None]) -> Order:
    """
    Return the layout of two sides and their pairs.

    From the first run on, two neighbours of different sides are a pair; otherwise the earlier one is left over. The
    first layout that applies: undated, blocks, too few pairs, not paired, fixed order, paired.
    """
    runs = [
        (span, side, place) for side, spans in ((BEFORE, before), (AFTER, after)) for place, span in enumerate(spans)
    ]
    known = sorted((span.end, span.start, side, place) for span, side, place in runs if span is not None)
    if len(known) < len(runs) or len({(end, start) for end, start, *_ in known}) < len(known):
        return Order(Layout.UNDATED)
    in_time = [(side, place) for *_, side, place in known]
    pairs, left_over = [], [0, 0]
    index = 0
    while index < len(in_time):
        if index + 1 < len(in_time) and in_time[index][0] != in_time[index + 1][0]:
            pairs.append((in_time[index], in_time[index + 1]))
            index += 2
        else:
            left_over[in_time[index][0]] += 1
            index += 1
    places = tuple((min(pair)[1], max(pair)[1]) for pair in pairs)
    first_sides = [first for (first, _), _ in pairs]
    if len([*groupby(side for side, _ in in_time)]) <= len({BEFORE, AFTER}):
        found = Layout.BLOCKS
    elif len(pairs) < MIN_PAIRS:
        found = Layout.TOO_FEW
    elif max(left_over) > MAX_LEFT_OVER:
        found = Layout.NOT_PAIRED
    else:
        found = Layout.FIXED if is_fixed(first_sides) else Layout.PAIRED
    return Order(found, places)


def is_fixed(first_sides: Sequence[int]) -> bool:
    """Return whether every pair begins with the same side, or the sides begin in strict turns."""
    return len({*first_sides}) == 1 or all(one != other for one, other in pairwise(first_sides))


def layout_of_sweep(layouts: Sequence[Layout]) -> Layout:
    """Return the layout of points that are judged together: the one that allows least."""
    return min(layouts, key=[*Layout].index, default=Layout.UNDATED)


def count_sessions(spans: Sequence[Span]) -> list[int]:
    """
    Return for each run the number of its session, in time from 0.

    A new session starts where a run starts ``session_gap`` of the limits or more after the latest end of all before.
    """
    order = sorted(range(len(spans)), key=lambda place: spans[place])
    found, number = [0] * len(spans), 0
    latest = None
    for place in order:
        span = spans[place]
        if latest is not None and (span.start - latest).total_seconds() >= limit("session_gap"):
            number += 1
        latest = span.end if latest is None else max(latest, span.end)
        found[place] = number
    return found
