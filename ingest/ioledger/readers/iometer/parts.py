"""The parts of a result file: tests, runs, rows, and where the scan of it stands."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple

import msgspec

from ioledger.readers.base import Finding, Refusal
from ioledger.readers.iometer.header import Header  # noqa: TC001  (msgspec reads the annotations)

if TYPE_CHECKING:
    from collections.abc import Callable

    from ioledger.readers.iometer.specs import Spec

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
    """A row of results: its line number, what it sums (``ALL``, ``MANAGER``, ``WORKER``), and its text."""

    line: int
    kind: str
    text: str

    def fields(self) -> list[str]:
        """Return the fields; they are not kept, because those of many updates fill the memory."""
        return self.text.split(",")


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


class Scan(msgspec.Struct):
    """
    What stands in a file, in order, and what is wrong with it; and, from ``test`` on, what the next line may belong to.

    ``strange`` holds the numbers of lines that are no part of a result file. ``run`` is the run that is open, ``last``
    the one just closed; ``block`` holds the lines of open access specifications; ``fill`` takes the value of a mark.
    """

    runs: list[Run] = []
    refusals: list[Refusal] = []
    findings: list[Finding] = []
    strange: list[int] = []
    test_count: int = 0
    test: Test | None = None
    first: int = 0
    run: Run | None = None
    last: Run | None = None
    block: list[tuple[int, str]] | None = None
    specs: dict[str, Spec] = {}
    stamp: str | None = None
    fill: Callable[[Scan, int, str], None] | None = None

    def refuse(self, line: int, what: str, rule: str) -> None:
        """Note what makes a part of the file unreadable, and its line."""
        self.refusals.append(Refusal(f"line {line}", what, "Submit the whole file as Iometer wrote it.", rule))
