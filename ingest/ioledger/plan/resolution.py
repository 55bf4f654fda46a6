"""
What repetitions can resolve: the smallest difference that they show, and whether they can show that nothing differs.

The table beside this module has, for a spread between runs (coefficient of variation, CV), the least number of
repetitions per side with which a verdict is reached in 80 of 100 cases: "faster" for a true difference in percent, and
"equal within 1.05" where nothing differs (difference 0). Normal logarithms, Welch's interval of 95 % for "faster", of
90 % inside the margin for "equal", which goes first; both sides in the same hours, so that no session term is added. A
test computes it again.
"""

from __future__ import annotations

import csv
import math
from functools import cache
from pathlib import Path
from statistics import NormalDist
from typing import TYPE_CHECKING, NamedTuple

from ioledger.judgement.limits import limit

if TYPE_CHECKING:
    from collections.abc import Iterator

SESSIONS = 3
"""From so many sessions a side on their means are compared, without a term for what a session may add."""
PAUSE_SECONDS = 1800
"""What a run is later than the end of all before it to begin a session."""
TABLE = Path(__file__).with_name("least_repetitions.csv")


class Resolution(NamedTuple):
    """What a number of repetitions shows at a spread; the difference is None above the largest of the table."""

    spread_percent: int
    difference_percent: int | None
    shows_equal: bool


@cache
def least() -> dict[int, dict[int, int]]:
    """Return the least number of repetitions by spread and by difference, both in percent; 0 stands for "equal"."""
    with TABLE.open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    spreads = [name for name in rows[0] if name.startswith("cv_")]
    return {
        int(name.removeprefix("cv_")): {int(row["difference_percent"]): int(row[name]) for row in rows}
        for name in spreads
    }


def list_resolutions(repetitions: int) -> list[Resolution]:
    """Return for each spread of the table what this number of repetitions per side shows in 80 of 100 cases."""
    found = []
    for spread, needed in least().items():
        shown = [difference for difference, count in needed.items() if difference and count <= repetitions]
        found.append(Resolution(spread, min(shown, default=None), needed[0] <= repetitions))
    return found


def session_floor() -> float:
    """
    Return the ratio that two sides of one session each cannot go below, however many repetitions.

    It is exp(z * sqrt(2) * tau): the interval that the spread between sessions leaves alone.
    """
    return math.exp(NormalDist().inv_cdf(1 - limit("significance") / 2) * math.sqrt(2) * limit("session_spread"))


def lines(repetitions: int, *, taking_turns: bool, are_sessions: bool) -> Iterator[str]:
    """
    Give in words, line by line, what this number of repetitions per side can show.

    Where each repetition is a session of its own no floor holds, and the variation is that between sessions.
    """
    if repetitions < (least_count := int(limit("least_repetitions"))):
        yield f"With fewer than {least_count} repetitions the variation is unknown, and there is no verdict."
        return
    yield f"What {repetitions} repetitions per side find in 80 of 100 cases, by the variation of runs (CV):"
    yield f'  CV     smallest difference   "equal within {100 * limit("margin") - 100:g} %"'
    for spread, difference, is_equal in list_resolutions(repetitions):
        smallest = "none below 50 %" if difference is None else f"{difference} %"
        yield f"  {f'{spread} %':<7}{smallest:<22}{'yes' if is_equal else 'no'}"
    if taking_turns:
        yield "The targets take turns in the same hours, so changes from day to day cancel."
        return
    if are_sessions:
        yield "The repetitions are 30 minutes apart, so each is a session, and the variation is that between sessions."
        return
    best = list_resolutions(SESSIONS)[0]
    yield (
        f"One session per side shows nothing below {100 * session_floor() - 100:.1f} %, whatever the repetitions. "
        f"Three sessions, 30 minutes apart, show {best.difference_percent} % if sessions vary by "
        f"{best.spread_percent} %: add --sessions {SESSIONS}. Or plan both targets together (--target twice)."
    )
