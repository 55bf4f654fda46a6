"""What a file of ORION's holds, by form only: the types that scanning fills and the other modules read."""

from __future__ import annotations

from typing import NamedTuple

import msgspec

from ioledger.readers.base import Finding, Refusal

MOST = 100
AT = r" *@ Small *= *(\d{1,9}) and Large *= *(\d{1,9})"
VALUE = r" *= *(\d{1,12}(?:\.\d{1,6})?)"
"""Patterns: the point that a line is of, and a number after a name."""
UNEDITED = "Submit the file as ORION wrote it."


class Point(NamedTuple):
    """What was outstanding at once: small and large I/Os (or streams of large ones)."""

    small: int
    large: int

    def __str__(self) -> str:
        """Return the name that results of this point share."""
        return f"small {self.small}, large {self.large}"


class Latency(NamedTuple):
    """A latency line: where, operation, mean, minimum, maximum, deviation in microseconds as printed."""

    line: int
    operation: str
    mean: str
    low: str
    high: str
    deviation: str


Bin = tuple[int, str, str, str, str, str, str]
"""A row of a histogram: where; edges in microseconds, reads and their running share, writes and theirs, as printed."""


class Headline(msgspec.Struct):
    """A headline: where, what, the number and unit as printed, the point, and the lines that belong to it."""

    line: int
    quantity: str
    text: str
    unit: str | None
    point: Point
    latencies: dict[str, Latency] = {}
    bins: list[Bin] = []


class Table(msgspec.Struct):
    """A matrix as text: where, its header, the prose above it, and its rows with their lines."""

    line: int
    header: str
    prose: str
    rows: list[tuple[int, str]] = []


class Report(msgspec.Struct):
    """Everything found in a file; ``forms`` says which of ORION's outputs it looks like."""

    facts: dict[str, str] = {}
    headlines: list[Headline] = []
    tables: list[Table] = []
    forms: list[str] = []
    refusals: list[Refusal] = []
    warnings: list[Finding] = []

    def refuse(self, line: int, what: str, rule: str, remedy: str = UNEDITED) -> None:
        """Note a fault and its line; beyond a hundred the file is no ORION file, and more would not help."""
        if len(self.refusals) < MOST:
            self.refusals.append(Refusal(f"line {line}", what, remedy, rule))

    def warn(self, line: int, what: str, rule: str) -> None:
        """Note what was left out or contradicts itself, and its line."""
        if len(self.warnings) < MOST:
            self.warnings.append(Finding(rule, what, f"line {line}"))


class Scan(msgspec.Struct):
    """Where the scan stands: the report so far, and what the next line may belong to."""

    report: Report
    table: Table | None = None
    bins: list[Bin] | None = None
    above: Headline | None = None
    prose: list[str] = []
    is_command: bool = False
