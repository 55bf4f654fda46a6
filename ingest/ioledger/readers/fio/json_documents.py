"""
The JSON reports in a file: found by ``{"fio version"``, each decoded on its own.

fio writes notes before, between and after its reports, wrappers add theirs, and status intervals append report after
report. A regular file is one report and is decoded by type at once; everything else is cut into reports, and each is
decoded by type, else by the tolerant decoder.
"""

from __future__ import annotations

import re
from itertools import pairwise
from typing import TYPE_CHECKING, NamedTuple

import msgspec

from ioledger.readers.base import Finding, Refusal
from ioledger.readers.fio import json_tolerant
from ioledger.readers.fio.json_shape import DOCUMENT, OPERATIONS, Document
from ioledger.readers.fio.json_tolerant import Broken

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    Count = Callable[[bytes, bytes], int]

START = re.compile(r'\{\s*"fio version"')
DOCUMENT_LIMIT = 10_000
MAX_OBJECTS, SMALL_BYTES = 300_000, 512 << 10
"""A report of a thousand jobs has some 60 000 objects; a small file cannot have many."""
LONGEST_OPTIONS = 1 << 20
"""All options that fio knows, several times over; the text of more is not taken from a regular file."""
_END = "\n}"
_NOTE = re.compile(r"^fio: .{0,200}", re.MULTILINE)


class Report(NamedTuple):
    """One report: its content, its text, where it stands, and what was seen while decoding it."""

    document: Document
    text: bytes
    start: int
    end: int
    findings: list[Finding]
    notes: tuple[str, ...] = ()
    """What fio itself wrote before the report: lines that begin with ``fio:``."""


class Reports(NamedTuple):
    """All reports of a file, and those that could not be read."""

    reports: list[Report]
    refusals: list[Refusal]


def is_too_full(data: bytes, count: Count = bytes.count) -> bool:
    """Say whether a file opens more objects and lists than are read; ``count`` counts a text in another."""
    return len(data) > SMALL_BYTES and count(data, b"{") + count(data, b"[") > MAX_OBJECTS


def regular(data: bytes) -> Document | None:
    """Return the report that the whole file is, or null when the file is anything more or less."""
    try:
        document = DOCUMENT.decode(data)
    except (msgspec.MsgspecError, RecursionError, UnicodeDecodeError):
        return None
    jobs = document.jobs + document.client_stats
    directions = (getattr(job, operation) for job in jobs for operation in OPERATIONS)
    sizes = sum(direction is not None and direction.io_bytes is not None for direction in directions)
    names = sum(job.jobname is not None for job in jobs)
    options = (document.options, *(job.options for job in jobs))
    is_regular = document.version is not None and is_plain(data, names, sizes) and is_short(options)
    return document if is_regular else None


def is_short(options: Iterable[msgspec.Raw]) -> bool:
    """Say whether these options have a length that is taken from a regular file."""
    return max(map(len, options)) <= LONGEST_OPTIONS


def is_plain(data: bytes, names: int, sizes: int, count: Count = bytes.count) -> bool:
    """
    Say whether a text that was decoded by type hides nothing: it is UTF-8, and no job or direction stands twice.

    The decoder does not look at text that it leaves out, and of two values under one name it keeps the last. Every job
    has one ``jobname`` and every direction one ``io_bytes``: ``names`` and ``sizes`` are how many of them were decoded.
    The tolerant decoder tells what stands twice.
    """
    if count(data, b'"jobname"') != names or count(data, b'"io_bytes"') != sizes:
        return False
    try:
        return data.isascii() or bool(data.decode())
    except UnicodeDecodeError:
        return False


def split(text: str) -> Reports:
    """Return every report of a text; a report ends where the next begins, so each character is decoded once."""
    starts = [found.start() for found in START.finditer(text)]
    refusals: list[Refusal] = []
    if len(starts) > DOCUMENT_LIMIT:
        what = f"the file holds {len(starts):,} reports, more than the {DOCUMENT_LIMIT:,} that are read"
        refusals.append(Refusal("", what, "Split the file.", "R-FIO-LIMIT-1"))
        starts = []
    reports: list[Report] = []
    for start, limit in pairwise([*starts, len(text)]):
        try:
            report = _report(text[start:limit], start)
        except Broken as broken:
            refusals.append(_refusal(text, start, broken))
            continue
        before = text[reports[-1].end if reports else 0 : start]
        reports.append(report._replace(notes=tuple(_NOTE.findall(before))))
    return Reports(reports, refusals)


def _report(text: str, start: int) -> Report:
    closing = text.find(_END) + len(_END)
    data = text[:closing].encode("utf-8", "surrogatepass") if closing >= len(_END) else b""
    document = regular(data)
    if document is not None:
        return Report(document, data, start, start + closing, [])
    document, end, findings = json_tolerant.decode(text)
    return Report(document, text[:end].encode("utf-8", "surrogatepass"), start, start + end, findings)


def _refusal(text: str, start: int, broken: Broken) -> Refusal:
    place = start + broken.position
    line = text.count("\n", 0, place) + 1
    offset = len(text[:place].encode("utf-8", "surrogatepass"))
    first = text.count("\n", 0, start) + 1
    rule = "R-FIO-CUT-1" if broken.is_cut else "R-FIO-JSON-1"
    return Refusal(
        f"line {line}, byte {offset}",
        f"the report that begins on line {first} {broken.what}",
        "Submit the report whole and as fio wrote it.",
        rule,
    )
