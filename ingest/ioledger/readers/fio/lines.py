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
MOST = 200_000
"""More lines than this, those that end in a carriage return included, are not read."""
_PREFIX = re.compile(
    r"(?:\d{4}-\d\d-\d\dT[\d:.]{8,24}(?:Z|[+-]\d\d:?\d\d)? (?:std(?:out|err) [FP] )?)?"  # container runtime
    r"(?:\[pod/[^\]]{1,300}\] )?"  # kubectl logs --prefix
    r"(?:[\w.-]{1,63} +\| )?"  # docker compose logs
    r"(?:<[^<> ]{1,255}> )?"  # fio --client
    r"(?:> ?)?"  # Markdown quotation
)
_PROGRESS = re.compile(r"Jobs: \d.*\[eta [^\]]*\]")


def numbered(text: str) -> Iterator[tuple[str, str]]:
    """Yield every line with its place (``line 3``; ``line 3, part 2`` behind a carriage return), without its prefix."""
    start, number = 0, 1
    while start <= len(text):
        end = text.find("\n", start)
        end = len(text) if end < 0 else end
        if end - start <= LONGEST:
            place = f"line {number}"
            for part, piece in enumerate(text[start:end].split("\r"), 1):
                line = clean(piece)
                if line or part == 1:
                    yield place, line
                if line.strip():
                    place = f"line {number}, part {part + 1}"
        start, number = end + 1, number + 1


def is_too_long(text: str) -> bool:
    """Say whether a text has more lines than are read."""
    return text.count("\n") + text.count("\r") > MOST


def holding(text: str, token: str) -> Iterator[str]:
    """Yield the lines that hold a token; the lines between are skipped without being cut out."""
    end, found = 0, text.find(token)
    while found >= 0:
        start = text.rfind("\n", end, found) + 1 or end
        end = text.find("\n", found)
        end = len(text) if end < 0 else end
        if end - start <= LONGEST:
            yield from (clean(piece) for piece in text[start:end].split("\r") if token in piece)
        found = text.find(token, end)


def clean(line: str) -> str:
    """Return a line without what other programs put before it."""
    found = _PREFIX.match(line)
    line = line[found.end() :] if found else line
    return _PROGRESS.sub("", line, count=1) if line.startswith("Jobs: ") else line
