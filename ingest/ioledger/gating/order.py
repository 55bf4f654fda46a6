"""
In which order the runs of two sides were made: pairs of neighbours, and whether their order excludes a disturbance.

What changes slowly or periodically (temperature, other users) looks like a difference where one side came first, and
where the sides take fixed turns. In pairs whose first side is drawn at random it affects both sides alike.
"""

from __future__ import annotations

from enum import StrEnum
from itertools import groupby, pairwise
from typing import TYPE_CHECKING, NamedTuple

from ioledger.comparison.limits import limit

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from datetime import datetime

MIN_PAIRS = 3
MAX_LEFT_OVER = 1
"""So many runs of a side may have no partner: one lost run leaves the pairs valid."""


class Layout(StrEnum):
    """In which order the runs of two sides were made, the one that allows least first; the value is the word for it."""

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


def find_order(before: Sequence[Span | None], after: Sequence[Span | None]) -> Order:
    """
    Return the layout of two sides, the first that applies, and their pairs.

    From the first run on, two neighbours of different sides are a pair; otherwise the earlier one is left over.
    """
    runs = [(span, side, place) for side, spans in enumerate((before, after)) for place, span in enumerate(spans)]
    known = sorted((span.end, span.start, side, place) for span, side, place in runs if span is not None)
    if len({(end, start) for end, start, *_ in known}) < len(runs):
        return Order(Layout.UNDATED)
    in_time = [(side, place) for *_, side, place in known]
    pairs = []
    waiting = None
    for run in in_time:
        if waiting is None or waiting[0] == run[0]:
            waiting = run
        else:
            pairs.append((waiting, run))
            waiting = None
    first_sides = [first for (first, _), _ in pairs]
    if len([*groupby(side for side, _ in in_time)]) <= len((before, after)):
        found = Layout.BLOCKS
    elif len(pairs) < MIN_PAIRS:
        found = Layout.TOO_FEW
    elif max(len(before), len(after)) - len(pairs) > MAX_LEFT_OVER:
        found = Layout.NOT_PAIRED
    else:
        found = Layout.FIXED if is_fixed(first_sides) else Layout.PAIRED
    return Order(found, tuple((min(pair)[1], max(pair)[1]) for pair in pairs))


def is_fixed(first_sides: Sequence[int]) -> bool:
    """Return whether every pair begins with the same side, or the sides begin in strict turns."""
    return len({*first_sides}) == 1 or all(one != other for one, other in pairwise(first_sides))


def split_sessions(runs: Iterable[tuple[Span, float]]) -> list[list[float]]:
    """Return the values of runs by session: one starts ``session_gap`` or more after the latest end of all before."""
    found: list[list[float]] = []
    latest = None
    for span, value in sorted(runs):
        if latest is None or (span.start - latest).total_seconds() >= limit("session_gap"):
            found.append([])
        found[-1].append(value)
        latest = span.end if latest is None else max(latest, span.end)
    return found
