"""
The loads of a publication: the series that it states, the results outside it, and words such as "almost all loads".

"1, 3, 8 and then powers of two up to 512" is a series of nine loads, and a result at 2 is outside it. Where a series
does not say how it goes on, everything between its last number and its end may belong to it.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable

    from ioledger.claims.printed import Row

_BASES = (
    (re.compile(r"outstanding|queue depths?|\bqds?\b", re.IGNORECASE), "outstanding"),
    (re.compile(r"\bthreads?\b", re.IGNORECASE), "threads"),
    (re.compile(r"\busers?\b", re.IGNORECASE), "users"),
    (re.compile(r"\bstreams?\b", re.IGNORECASE), "streams"),
)
_LIST = re.compile(r"\b(\d{1,9}(?:, \d{1,9}){2,})\b(?:,? (?:and|or) (\d{1,9})\b)?")
_UP_TO = re.compile(r"(?:up to|until|\.\.+|\N{HORIZONTAL ELLIPSIS})\s*(\d{1,9})\b")
_DOUBLED = re.compile(r"\bpowers of two\b|\bdoubl", re.IGNORECASE)
_PER_DRIVE = "outstanding_per_drive"


@dataclass(frozen=True)
class Series:
    """Loads as stated: what the axis counts, those listed, the end (null: the last listed), and all, if known."""

    basis: str
    listed: tuple[int, ...]
    end: int | None
    members: frozenset[int] | None

    def holds(self, load: int) -> bool:
        """Say whether a load is one of the series, or may be."""
        if self.members is not None:
            return load in self.members
        return load in self.listed or (self.end is not None and self.listed[-1] < load <= self.end)


def series(claim: Row) -> Series | None:
    """Return the loads that a claim lists; null for a claim that lists none, or states one number."""
    found = _LIST.search(claim["claimed_text"] or "")
    basis = next((basis for words, basis in _BASES if words.search(claim["claimed_unit"] or "")), None)
    is_one = any(claim[name] is not None for name in ("claimed_value", "claimed_low", "claimed_high"))
    if claim["formula"] != "none" or found is None or basis is None or is_one:
        return None
    listed = tuple(int(number) for number in (*found[1].split(", "), found[2]) if number)
    end = _UP_TO.search(claim["claimed_text"], found.end())
    if end is None:
        return Series(basis, listed, None, frozenset(listed))
    last = int(end[1])
    if not _DOUBLED.search(f"{claim['statement']} {claim['claimed_text']}") or not listed[-1]:
        return Series(basis, listed, last, None)
    steps = (listed[-1] << step for step in range(last.bit_length()))
    return Series(basis, listed, last, frozenset((*listed, *(load for load in steps if load <= last))))


def outside(stated: Series, figures: Iterable[Row]) -> list[int]:
    """Return the loads at which results are printed although the series does not have them."""
    loads = set()
    for figure in figures:
        basis, load = figure["load_basis"], load_of(figure)
        is_result = figure["record_kind"] == "measured" and figure["queue_depth_origin"] == "stated"
        is_same = basis == stated.basis or (basis == _PER_DRIVE and stated.basis == "outstanding")
        if is_result and is_same and load is not None and not stated.holds(load):
            loads.add(load)
    return sorted(loads)


def load_of(figure: Row) -> int | None:
    """Return the load of a figure on the axis of its publication; null where it is a peak over several."""
    name = "outstanding_per_target_count" if figure["load_basis"] == _PER_DRIVE else "queue_depth"
    return None if figure[name] is None else int(figure[name])


def stated_count(stated: Iterable[Series], basis: str | None) -> int | None:
    """Return how many loads a publication states for an axis; null when it does not say, or not how they go on."""
    known = [one.members for one in stated if one.basis == basis]
    if not known or any(members is None for members in known):
        return None
    return len(frozenset().union(*(members for members in known if members is not None)))
