"""
Who ran when: sides that took turns, one block and then the other, and sessions.

What changes slowly (temperature, the state of the flash, other users of the machine) looks like a difference where all
runs of one side come before those of the other. Where the sides take turns it meets both alike, and neighbours are
compared as pairs.
"""

from __future__ import annotations

from enum import StrEnum
from itertools import groupby
from typing import TYPE_CHECKING, NamedTuple

from ioledger.judgement.limits import limit

if TYPE_CHECKING:
    from collections.abc import Sequence
    from datetime import datetime

BEFORE, AFTER = 0, 1


class Layout(StrEnum):
    """In which order the runs of two sides stand; the value is the word for it."""

    ALTERNATED = "alternated"
    MIXED = "mixed"
    BLOCKS = "blocks"
    UNDATED = "undated"
    HISTORY = "history"

    @property
    def is_paired(self) -> bool:
        """Whether neighbours are pairs."""
        return self is Layout.ALTERNATED

    @property
    def excludes_order(self) -> bool:
        """Whether a slow change cannot pass for a difference."""
        return self in {Layout.ALTERNATED, Layout.MIXED, Layout.HISTORY}


class Span(NamedTuple):
    """When something ran, as far as its file says; one of both may be all that is known."""

    start: datetime
    end: datetime


def layout(before: Sequence[Span | None], after: Sequence[Span | None]) -> Layout:
    """
    Return how the runs of two sides lie in time.

    They take turns where each two runs in a row, counted from the first, are one of each side: ABAB, ABBA. In one block
    per side all runs of one end before the first of the other. Everything between is mixed; undated is what has a run
    without a time, or two runs of the same instant.
    """
    spans = [(span, side) for side, runs in ((BEFORE, before), (AFTER, after)) for span in runs]
    known = [(span.end, span.start, side) for span, side in spans if span is not None]
    if len(known) < len(spans) or len({(end, start) for end, start, _ in known}) < len(known):
        return Layout.UNDATED
    sides = [side for *_, side in sorted(known)]
    couples = list(zip(sides[::2], sides[1::2], strict=False))
    if len(sides) % 2 == 0 and all(one != other for one, other in couples) and len(couples) > 1:
        return Layout.ALTERNATED
    return Layout.BLOCKS if len([*groupby(sides)]) == len({BEFORE, AFTER}) else Layout.MIXED


def of_sweep(layouts: Sequence[Layout]) -> Layout:
    """Return the layout of points that are judged together: the one they share, else the least that holds for each."""
    least_first = (Layout.UNDATED, Layout.BLOCKS, Layout.MIXED, Layout.ALTERNATED)
    return min(layouts, key=least_first.index, default=Layout.UNDATED)


def sessions(spans: Sequence[Span]) -> list[int]:
    """
    Return for each run the number of its session, in time from 0.

    Runs with less than ``session_gap`` of the limits between the end of one and the start of the next share a session.
    A preparation between them parts published runs, and none here: a history is of evenings, and what drifts over an
    evening would pass for a change (bench/README.md, blocks of prepared repetitions).
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
