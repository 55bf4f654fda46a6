"""What ORION says about the run itself: version, test, sizes, kinds of I/O, options."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

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


def fact(scan: Scan, number: int, line: str) -> bool:
    """Take a fact of the test; the line after ``Commandline:`` holds the options."""
    label, colon, value = line.partition(":")
    if colon:
        label = label.lower()
        if label in _FACTS:
            return _labelled(scan, number, label, value.strip())
        if label in _SILENT:
            scan.is_command = scan.is_command or label == "commandline"
            return True
    if scan.is_command and line.startswith(("-", "\u2013")):
        scan.is_command = False
        return note(scan, number, "options", line)
    if line.startswith("ORION VERSION "):
        scan.report.forms.append("summary")
        return note(scan, number, "version", line.rpartition(" ")[2])
    for name, form in () if colon else _LINES:
        if found := form.fullmatch(line):
            return note(scan, number, name, found[1])
    return False


def note(scan: Scan, number: int, name: str, value: str) -> bool:
    """Keep a fact; another value for the same name means that the file holds several runs."""
    known = scan.report.facts.setdefault(name, value)
    if known != value:
        what = f"the file holds several runs: {name} is {known[:80]!r} and {value[:80]!r}"
        scan.report.refuse(number, what, "R-ORION-6", "Submit each run by itself.")
    return True


def _labelled(scan: Scan, number: int, label: str, value: str) -> bool:
    name, form = _FACTS[label]
    found = form.fullmatch(value)
    if not found:
        scan.report.refuse(number, f"{label}: {value[:80]!r} is cut or not ORION's", "R-ORION-3")
        return True
    if label == "orion":
        scan.report.forms.append("console")
    return note(scan, number, name, found[1])
