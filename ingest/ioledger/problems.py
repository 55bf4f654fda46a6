"""
What is wrong with an input: where, what, the remedy, and the rule that says so.

A problem is data, never an exception that reaches the user. Every rule has an id (``R-AREA-n``); the same id stands in
the text, in ``--json`` output and on the site's rules page.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import msgspec

if TYPE_CHECKING:
    from collections.abc import Iterable

_LONE = re.compile("[\ud800-\udfff]")
_STRAY = range(0xDC80, 0xDD00)
"""Surrogates that stand for a byte of a name that is not UTF-8 (PEP 383)."""


class Problem(msgspec.Struct, frozen=True, order=True):
    """One thing to mend: file, place inside the file (line, pointer or empty), what, remedy, rule id."""

    file: str
    place: str
    what: str
    remedy: str
    rule: str

    def __post_init__(self) -> None:
        """Keep text that every output can hold: names of files and values of strangers need not be Unicode."""
        for name in self.__struct_fields__:
            msgspec.structs.force_setattr(self, name, plain(getattr(self, name)))

    def __str__(self) -> str:
        """Return the problem on one line: ``file:place: what. remedy  [rule]``."""
        where = f"{self.file}:{self.place}" if self.place else self.file
        return f"{one_line(where)}: {self.sentence}  [{self.rule}]"

    @property
    def sentence(self) -> str:
        """What is wrong, and the remedy."""
        if not self.remedy:
            return one_line(self.what)
        what = one_line(self.what).rstrip(".")  # words of others may end with a stop of their own
        return f"{what}{'' if what.endswith(('!', '?')) else '.'} {one_line(self.remedy)}"


def plain(text: str) -> str:
    """Return text that every encoding of Unicode can hold: a lone surrogate becomes its escape, a stray byte too."""
    return text if text.isascii() else _LONE.sub(_escape, text)


def _escape(lone: re.Match[str]) -> str:
    code = ord(lone[0])
    return f"\\x{code & 0xFF:02x}" if code in _STRAY else f"\\u{code:04x}"


def one_line(text: str, limit: int = 400) -> str:
    """
    Return text that is safe to print on one terminal line.

    Control characters become their escapes (a file may carry terminal sequences), and long text is cut.
    """
    safe = "".join(c if c.isprintable() else c.encode("unicode_escape").decode("ascii") for c in text)
    return safe if len(safe) <= limit else safe[: limit - 1] + "…"


def annotation(level: str, message: str, **properties: str) -> str:
    """
    Return a workflow command of GitHub that shows a message; nothing in its texts ends it.

    Source: GitHub's "Workflow commands": ``%``, carriage return and newline are escaped in messages, ``:`` and ``,`` in
    properties too.
    """
    stated = ",".join(
        f"{name}={_of_command(one_line(value)).replace(':', '%3A').replace(',', '%2C')}"
        for name, value in properties.items()
    )
    return f"::{level} {stated}::{_of_command(one_line(message))}"


def _of_command(text: str) -> str:
    return text.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")


Pair = tuple[str, str]
"""A submission and a configuration of it."""
MOST_CHOICES = 5
"""So many names are offered in the place of a wrong one."""


def fitting(name: str, known: Iterable[Pair]) -> list[Pair]:
    """Return the configurations that are called so: ``configuration``, or ``submission/configuration``."""
    submission, is_both, configuration = name.rpartition("/")
    return [pair for pair in known if pair == (submission, configuration) or (not is_both and pair[1] == name)]


def nearest(name: str, known: Iterable[str]) -> list[str]:
    """Return names that are like this one, the nearest first."""
    from difflib import get_close_matches  # noqa: PLC0415  (only where a name is wrong)

    return get_close_matches(name, list(known), MOST_CHOICES)
