"""The parts of a result file: tests, runs, rows; and what is worth saying about how a test ended."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple

import msgspec

from ingest.readers.iometer.header import Header  # noqa: TC001  (msgspec reads the annotations)
from ingest.record import Finding

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ingest.readers.iometer.specs import Spec

STAMP = re.compile(r"\d{4}-\d\d-\d\d \d\d:\d\d:\d\d:\d{1,3}", re.ASCII)
KINDS = (
    "NORMAL",
    "CYCLE_TARGETS",
    "CYCLE_WORKERS",
    "INCREMENT_TARGETS_PARALLEL",
    "INCREMENT_TARGETS_SERIAL",
    "CYCLE_WORKERS_AND_TARGETS",
    "CYCLE_OUTSTANDING_IOS",
    "CYCLE_OUTSTANDING_IOS_AND_TARGETS",
)


class Row(NamedTuple):
    """A row of results: its line number, what it sums (``ALL``, ``MANAGER``, ``WORKER``), its fields."""

    line: int
    kind: str
    fields: list[str]


class Test(msgspec.Struct):
    """A test as its head states it, and how it ended."""

    line: int
    kind: str | None = None
    description: str | None = None
    version: str | None = None
    is_ended: bool = False
    is_aborted: bool = False


class Run(msgspec.Struct):
    """One run: where it starts, its test, specifications by name, rows, and the time stamp before it."""

    line: int
    test: Test
    specs: dict[str, Spec]
    started: str | None
    header: Header | None = None
    rows: list[Row] = []
    is_closed: bool = False
    is_sound: bool = True
    is_aborted: bool = False


def test_kind(text: str) -> str | None:
    """Return the name of a test type, printed as a number (``PageSetup.h``)."""
    return KINDS[int(text)] if text.isdecimal() and len(text) == 1 and int(text) < len(KINDS) else None


def ending(test: Test, runs: list[Run]) -> Iterator[Finding]:
    """Yield what is worth saying about the end of a test; only 1.1.0, the version with bins, writes an end mark."""
    place = f"line {test.line}"
    if test.is_aborted:
        yield Finding("R-IOMETER-ABORT-1", f"the test on {place} was aborted", place)
    elif not test.is_ended and any(run.header and run.header.bins for run in runs):
        message = f"the test on {place} has no 'End Test: it was stopped, or the file is cut"
        yield Finding("R-IOMETER-END-1", message, place)
    if not runs:
        yield Finding("R-IOMETER-EMPTY-1", f"the test on {place} has no results", place)
