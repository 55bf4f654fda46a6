"""What ORION says about the run itself: version, test, sizes, kinds of I/O, options."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from ioledger.readers.orion.report import Scan

_LINES = (
    ("targets", re.compile(r"(\d{1,9}) FILEs found\.")),
    ("name", re.compile(r"([\w.][\w.-]{0,199})_\d{8}_\d{4}")),
)
_FACTS = {
    "orion": ("version", re.compile(r"ORacle IO Numbers -- Version (\S{1,100})")),
    "test": ("test", re.compile(r"(\S.{0,200})")),
    "small io size": ("small_size", re.compile(r"(\d{1,9}) KB")),
    "large io size": ("large_size", re.compile(r"(\d{1,9}) KB")),
    "io types": ("types", re.compile(r"(\S.{0,200})")),
    "write": ("write", re.compile(r"(\d\d?|100)%")),
    "duration for each data point": ("duration", re.compile(r"(\d{1,9}) seconds")),
    "total data points": ("points", re.compile(r"(\d{1,9})")),
}
_SILENT = frozenset((
    "commandline", "this maps to this test", "simulated array type", "cache size", "small columns", "large columns",
    "name",
))  # fmt: skip
"""Labels of lines that tell nothing that is kept; names are those of devices, columns are told by the cells."""
_FORMS = frozenset({"summary", "console"})
_FIGURES = ("Maximum ", "Minimum ", "Small Read Latency", "Small Write Latency")
"""How lines with figures begin. They tell no fact, and hardly one stands twice."""
_LONG, _MOST = 256, 1024
"""A line of this length is not worth remembering; when there are more lines, all are forgotten."""


class Told(NamedTuple):
    """What a line tells by its form alone; ``kind`` says what to do about it."""

    kind: str
    name: str = ""
    value: str = ""


NOTHING, _SILENT_LINE = Told("nothing"), Told("silent")


class _Known(dict[str, tuple[str, Told]]):
    """Lines with single spaces and what they tell, by line; those with figures are not remembered."""

    def __missing__(self, raw: str) -> tuple[str, Told]:
        line = " ".join(raw.split())
        if line.startswith(_FIGURES):
            return line, NOTHING
        known = line, _told(line)
        if len(raw) < _LONG:
            if len(self) >= _MOST:
                self.clear()
            self[raw] = known
        return known


KNOWN = _Known()
"""Most lines are the same in every file of an archive."""


def options(scan: Scan, number: int, line: str) -> bool:
    """Take the options, which follow the line ``Commandline:``."""
    if not scan.is_command or not line.startswith(("-", "\u2013")):
        return False
    scan.is_command = False
    return note(scan, number, "options", line)


def fact(scan: Scan, number: int, told: Told) -> bool:
    """Take what a line tells of the test, if it does."""
    kind = told.kind
    if kind == "fact":
        return note(scan, number, told.name, told.value)
    if kind == "spoilt":
        scan.report.refuse(number, f"{told.name}: {told.value[:80]!r} is cut or not ORION's", "R-ORION-3")
    elif kind in _FORMS:
        scan.report.forms.append(kind)
        note(scan, number, told.name, told.value)
    elif kind == "command":
        scan.is_command = True
    return told is not NOTHING


def _told(line: str) -> Told:
    label, colon, value = line.partition(":")
    label = label.lower()
    if colon and (label in _FACTS or label in _SILENT):
        return _labelled(label, value.strip())
    if line.startswith("ORION VERSION "):
        return Told("summary", "version", line.rpartition(" ")[2])
    for name, form in () if colon else _LINES:
        if found := form.fullmatch(line):
            return Told("fact", name, found[1])
    return NOTHING


def _labelled(label: str, value: str) -> Told:
    if label in _SILENT:
        return Told("command") if label == "commandline" else _SILENT_LINE
    name, form = _FACTS[label]
    found = form.fullmatch(value)
    if not found:
        return Told("spoilt", label, value)
    return Told("console" if label == "orion" else "fact", name, found[1])


def note(scan: Scan, number: int, name: str, value: str) -> bool:
    """Keep a fact; another value for the same name means that the file holds several runs."""
    known = scan.report.facts.setdefault(name, value)
    if known != value:
        several(scan, number, name, known, value)
    return True


def several(scan: Scan, number: int, name: str, first: str, other: str) -> None:
    """Refuse a file that tells the same thing of two runs."""
    what = f"the file holds several runs: {name} is {first[:80]!r} and {other[:80]!r}"
    scan.report.refuse(number, what, "R-ORION-6", "Submit each run by itself.")
