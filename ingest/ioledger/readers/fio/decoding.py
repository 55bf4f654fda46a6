"""
Decode the text of a file and split it into lines.

Windows shells write UTF-16 when output is redirected: the encoding is taken from the bytes, and anything but UTF-8 is a
finding. Bytes that are no text at all are replaced, never refused: the reports in the file may be whole.

Progress lines end in a carriage return, so one line of the file may hold several. Container runtimes, ``kubectl`` and
fio's client mode put a prefix before each line. Lines longer than :data:`LONGEST` hold no report and are left out.
"""

from __future__ import annotations

import codecs
import re
from contextlib import suppress
from datetime import datetime
from typing import TYPE_CHECKING

from ioledger.model import Finding

if TYPE_CHECKING:
    from collections.abc import Iterator

_MARKS = (
    (codecs.BOM_UTF8, "utf-8-sig"),
    (codecs.BOM_UTF32_LE, "utf-32"),
    (codecs.BOM_UTF16_LE, "utf-16"),
    (codecs.BOM_UTF16_BE, "utf-16"),
)
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


_VERSION = re.compile(r"fio[- ](\d{1,3})\.(\d{1,3})")


def version_of(text: str | None) -> tuple[int, int] | None:
    """Return the first two numbers of a version of fio; null where none is told."""
    found = _VERSION.match(text or "")
    return (int(found[1]), int(found[2])) if found else None


def decode_text(data: bytes) -> tuple[str, str, list[Finding]]:
    """Return the text, its encoding by its byte order mark, and a finding when it is not plain UTF-8."""
    encoding = next((name for mark, name in _MARKS if data.startswith(mark)), "utf-8")
    text = data.decode(encoding, "replace")
    broken = text.count("\ufffd")
    message = f"{broken} characters are not UTF-8 and were replaced" if broken else ""
    if encoding != "utf-8":
        message = f"the file is encoded as {encoding}, fio writes plain UTF-8"
    return text, encoding, [Finding("R-FIO-LINE-2", message)] if message else []


def number_lines(text: str) -> Iterator[tuple[str, str]]:
    """Yield every line with its place (``line 3``; ``line 3, part 2`` behind a carriage return), without its prefix."""
    start, number = 0, 1
    while start <= len(text):
        end = text.find("\n", start)
        end = len(text) if end < 0 else end
        if end - start <= LONGEST:
            place = f"line {number}"
            for part, piece in enumerate(text[start:end].split("\r"), 1):
                line = _clean(piece)
                if line or part == 1:
                    yield place, line
                if line.strip():
                    place = f"line {number}, part {part + 1}"
        start, number = end + 1, number + 1


def is_too_long(text: str) -> bool:
    """Say whether a text has more lines than are read."""
    return text.count("\n") + text.count("\r") > MOST


def holding(text: str, token: str) -> Iterator[str]:
    """Yield the lines that contain a token."""
    end, found = 0, text.find(token)
    while found >= 0:
        start = text.rfind("\n", end, found) + 1 or end
        end = text.find("\n", found)
        end = len(text) if end < 0 else end
        if end - start <= LONGEST:
            yield from (_clean(piece) for piece in text[start:end].split("\r") if token in piece)
        found = text.find(token, end)


def _clean(line: str) -> str:
    """Return a line without what other programs put before it."""
    found = _PREFIX.match(line)
    line = line[found.end() :] if found else line
    return _PROGRESS.sub("", line, count=1) if line.startswith("Jobs: ") else line


def printed_time(text: str) -> datetime | None:
    """Return a time as ``ctime`` prints it (``Sun Nov 22 17:19:52 2026``), in English without a zone; else null."""
    with suppress(ValueError):
        return datetime.strptime(text, "%a %b %d %H:%M:%S %Y")  # noqa: DTZ007  (no zone is printed)
    return None
