"""
What is wrong with an input: where, what, the remedy, and the rule that says so.

A problem is data, never an exception that reaches the user. Every rule has an id (``R-AREA-n``); the same id stands in
the text, in ``--json`` output and on the site's rules page.
"""

from __future__ import annotations

import msgspec


class Problem(msgspec.Struct, frozen=True, order=True):
    """One thing to mend: file, place inside the file (line, pointer or empty), what, remedy, rule id."""

    file: str
    place: str
    what: str
    remedy: str
    rule: str

    def __str__(self) -> str:
        """Return the problem on one line: ``file:place: what. remedy  [rule]``."""
        where = f"{self.file}:{self.place}" if self.place else self.file
        return f"{one_line(where)}: {one_line(self.what)}. {one_line(self.remedy)}  [{self.rule}]"


def one_line(text: str, limit: int = 400) -> str:
    """
    Return text that is safe to print on one terminal line.

    Control characters become their escapes (a file may carry terminal sequences), and long text is cut.
    """
    safe = "".join(c if c.isprintable() else c.encode("unicode_escape").decode("ascii") for c in text)
    return safe if len(safe) <= limit else safe[: limit - 1] + "…"
