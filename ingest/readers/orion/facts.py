"""What ORION says about the run itself: version, test, sizes, kinds of I/O, options."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from ingest.readers.orion.report import Scan

_LINES = (
    ("targets", re.compile(r"(\d{1,9}) FILEs found\.")),
    ("name", re.compile(r"([\w.-]{1,200})_\d{8}_\d{4}")),
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
_LONG = 256
"""A line of this length is not worth remembering."""


class Told(NamedTuple):
    """What a line tells by its form alone; ``kind`` says what to do about it."""

    kind: str
    name: str = ""
    value: str = ""


_NOTHING = Told("nothing")


def known(raw: str) -> tuple[str, Told]:
    """Return a line with single spaces, and what it tells; most lines are the same in every file of an archive."""
    return _remembered(raw) if len(raw) < _LONG else _known(raw)


def fact(scan: Scan, number: int, line: str, told: Told) -> bool:
    """Take a fact of the test; the line after ``Commandline:`` holds the options."""
    if scan.is_command and line.startswith(("-", "\u2013")):
        scan.is_command = False
        return note(scan, number, "options", line)
    if told is _NOTHING:
        return False
    if told.kind == "spoilt":
        scan.report.refuse(number, f"{told.name}: {told.value[:80]!r} is cut or not ORION's", "R-ORION-3")
    elif told.name:
        if told.kind in _FORMS:
            scan.report.forms.append(told.kind)
        note(scan, number, told.name, told.value)
    elif told.kind == "command":
        scan.is_command = True
    return True


def _known(raw: str) -> tuple[str, Told]:
    line = " ".join(raw.split())
    return line, _told(line)


_remembered = lru_cache(1024)(_known)


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
    return _NOTHING


def _labelled(label: str, value: str) -> Told:
    if label in _SILENT:
        return Told("command" if label == "commandline" else "silent")
    name, form = _FACTS[label]
    found = form.fullmatch(value)
    if not found:
        return Told("spoilt", label, value)
    return Told("console" if label == "orion" else "fact", name, found[1])


def note(scan: Scan, number: int, name: str, value: str) -> bool:
    """Keep a fact; another value for the same name means that the file holds several runs."""
    known = scan.report.facts.setdefault(name, value)
    if known != value:
        what = f"the file holds several runs: {name} is {known[:80]!r} and {value[:80]!r}"
        scan.report.refuse(number, what, "R-ORION-6", "Submit each run by itself.")
    return True
