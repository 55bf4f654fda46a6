"""
The lines of a text that may have passed through a terminal, a container log or a Markdown page.

Progress lines end in a carriage return, so one line of the file may hold several. Container runtimes, ``kubectl`` and
fio's client mode put a prefix before each line. Lines longer than :data:`LONGEST` hold no report and are left out.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator

LONGEST = 1 << 16
_PREFIX = re.compile(
    r"(?:\d{4}-\d\d-\d\dT[\d:.]{8,24}(?:Z|[+-]\d\d:?\d\d)? (?:std(?:out|err) [FP] )?)?"  # container runtime
    r"(?:\[pod/[^\]]{1,300}\] )?"  # kubectl logs --prefix
    r"(?:[\w.-]{1,63} +\| )?"  # docker compose logs
    r"(?:<[^<> ]{1,255}> )?"  # fio --client
    r"(?:> ?)?"  # Markdown quotation
)
_PROGRESS = re.compile(r"Jobs: \d.*\[eta [^\]]*\]")


def numbered(text: str) -> Iterator[tuple[int, str]]:
    """Yield every line with its number, from 1, without prefix and progress."""
    start, number = 0, 1
    while start <= len(text):
        end = text.find("\n", start)
        end = len(text) if end < 0 else end
        if end - start <= LONGEST:
            for piece in text[start:end].split("\r"):
                yield number, clean(piece)
        start, number = end + 1, number + 1


def holding(text: str, token: str) -> Iterator[tuple[int, str]]:
    """Yield the lines that hold a token, with their numbers; the lines between are skipped without being cut out."""
    number, counted = 1, 0
    found = text.find(token)
    while found >= 0:
        start = text.rfind("\n", counted, found) + 1 or counted
        number += text.count("\n", counted, start)
        end = text.find("\n", found)
        end = len(text) if end < 0 else end
        if end - start <= LONGEST:
            for piece in text[start:end].split("\r"):
                if token in piece:
                    yield number, clean(piece)
        counted = start
        found = text.find(token, end)


def clean(line: str) -> str:
    """Return a line without what other programs put before it."""
    found = _PREFIX.match(line)
    line = line[found.end() :] if found else line
    return _PROGRESS.sub("", line, count=1) if line.startswith("Jobs: ") else line
