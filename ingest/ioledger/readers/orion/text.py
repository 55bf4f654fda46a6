"""
ORION's text, line by line: facts, headlines with the latency lines and histograms below them, and matrices.

Nothing is interpreted here beyond its form. A line that begins like one of ORION's and does not end like one is a
fault: files get cut and pasted. Latency lines and histograms, which 12c and later print, name their point, and belong
to the headline of that point above them.
"""

from __future__ import annotations

import re
from typing import NamedTuple

import msgspec

from ioledger.model import Finding, Refusal

MOST, LONGEST, PROSE_LINES = 100, 1 << 16, 20
UNEDITED = "Submit the file as ORION wrote it."
RESULT_FILES = "Submit the _summary.txt and the _iops, _mbps and _lat .csv files as ORION wrote them."
_AT = r" *@ Small *= *(\d{1,9}) and Large *= *(\d{1,9})"
_VALUE = r" *= *(\d{1,12}(?:\.\d{1,6})?)"
"""Patterns: the point that a line is of, and a number after a name."""
_HEADLINES = ("Maximum Large", "Maximum Small", "Minimum Small")
_HEADLINE = re.compile(rf"M(?:ax|in)imum (Large MBPS|Small IOPS|Small Latency){_VALUE} ?(usecs)?{_AT}", re.ASCII)
_LATENCY = re.compile(
    rf"Small (Read|Write) Latency: avg{_VALUE} us, min{_VALUE} us, max{_VALUE} us, std dev{_VALUE} us{_AT}", re.ASCII
)
_HISTOGRAM = re.compile(rf"Small Read / Write Latency Histogram{_AT}", re.ASCII)
_SHARE = r"\( *+\d{1,3}\.\d\d%\)"
_BIN = re.compile(
    rf" *+(\d{{1,12}}) +- +(\d{{1,12}}) +us: +(\d{{1,15}}) +{_SHARE} +(\d{{1,15}}) +{_SHARE} *+", re.ASCII
)
_LIKE_BIN = re.compile(r"\d+ +- +\d+")
_FAILED = re.compile(r"ERROR: ?\S|Failed to |Failure in |ORA-\d{5}")
_ROW, _LIKE_ROW = re.compile(r"\s*+\d{1,9}\s*+(?:,.*)?"), re.compile(r".*, *[-+\w.]+,?")
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
_LINES = (
    ("targets", re.compile(r"(\d{1,9}) FILEs found\.")),
    ("name", re.compile(r"([\w.][\w.-]{0,199})_\d{8}_\d{4}")),
)


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


Bin = tuple[int, int, int, int, int]
"""A row of a histogram: its line, both edges in microseconds, reads and writes."""


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
    """Everything found in a file; ``forms`` are the ORION outputs that it resembles."""

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

    def refuse_several(self, line: int, name: str, first: str, other: str) -> None:
        """Refuse a file with two runs."""
        what = f"the file contains several runs: {name} is {first[:80]!r} and {other[:80]!r}"
        self.refuse(line, what, "R-READ-8", "Submit each run by itself.")

    def warn(self, line: int, what: str, rule: str) -> None:
        """Record an excluded or contradictory line."""
        if len(self.warnings) < MOST:
            self.warnings.append(Finding(rule, what, f"line {line}"))


class _Scan(msgspec.Struct):
    """State of the scan: the report so far, and the context of the next line."""

    report: Report
    table: Table | None = None
    bins: list[Bin] | None = None
    above: Headline | None = None
    prose: list[str] = []
    is_command: bool = False


def report_of(text: str) -> Report:
    """Return the content of a file, with every invalid line."""
    scan = _Scan(Report())
    number = 0
    for number, raw in enumerate(text.replace("\r\n", "\n").replace("\r", "\n").split("\n"), 1):
        if len(raw) > LONGEST:
            scan.report.refuse(number, f"a line of {len(raw):,} characters is none of ORION's", "R-READ-8")
        elif scan.table is not None and _ROW.fullmatch(raw):
            scan.table.rows.append((number, raw))
        elif not (line := " ".join(raw.split())):
            scan.table = None
        elif not _take_line(scan, number, line):
            scan.prose.append(line)
            del scan.prose[:-PROSE_LINES]
    _refuse_unfinished(scan.report, number)
    return scan.report


def _take_line(scan: _Scan, number: int, line: str) -> bool:
    """Take a line that is one of ORION's, and is no row of a matrix."""
    report = scan.report
    if scan.table is not None and _LIKE_ROW.fullmatch(line) and not line.startswith("Large/Small"):
        report.refuse(number, f"{line[:80]!r} is no row of a matrix", "R-READ-8")
        return True
    scan.table = None
    if (scan.bins is not None and _take_bin(scan, scan.bins, number, line)) or _take_fact(scan, number, line):
        return True
    if line.startswith(_HEADLINES):
        _take_headline(scan, number, line)
    elif scan.is_command and line.startswith(("-", "\u2013")):
        scan.is_command = False
        _note(scan, number, "options", line)
    elif line.startswith("Large/Small"):
        scan.table, scan.prose = Table(number, line, " ".join(scan.prose)), []
        report.tables.append(scan.table)
    elif " Latency: avg" in line:
        _take_latency(scan, number, line)
    elif "Latency Histogram" in line:
        _begin_histogram(scan, number, line)
    elif _FAILED.match(line):
        report.refuse(number, f"the run failed: {line[:200]}", "R-ORION-4", "Fix the cause and run ORION again.")
    else:
        return False
    return True


def _take_fact(scan: _Scan, number: int, line: str) -> bool:
    """Parse a line about the run: version, test, sizes, kinds of I/O."""
    label, colon, value = line.partition(":")
    label, value = label.lower(), value.strip()
    if colon and label in _SILENT:
        scan.is_command = scan.is_command or label == "commandline"
        return True
    if colon and label in _FACTS:
        name, form = _FACTS[label]
        found = form.fullmatch(value)
        if not found:
            scan.report.refuse(number, f"{label}: {value[:80]!r} is cut or not ORION's", "R-READ-8")
            return True
        if label == "orion":
            scan.report.forms.append("console")
        return _note(scan, number, name, found[1])
    if line.startswith("ORION VERSION "):
        scan.report.forms.append("summary")
        return _note(scan, number, "version", line.rpartition(" ")[2])
    for name, form in () if colon else _LINES:
        if found := form.fullmatch(line):
            return _note(scan, number, name, found[1])
    return False


def _note(scan: _Scan, number: int, name: str, value: str) -> bool:
    """Store a fact; a second value for a name means that the file contains several runs."""
    known = scan.report.facts.setdefault(name, value)
    if known != value:
        scan.report.refuse_several(number, name, known, value)
    return True


def _take_headline(scan: _Scan, number: int, line: str) -> None:
    found = _HEADLINE.fullmatch(line)
    if not found:
        scan.report.refuse(number, f"{line[:80]!r} is cut or no headline", "R-READ-8")
        return
    quantity, text, unit, small, large = found.groups()
    headline = Headline(number, quantity, text, unit, Point(int(small), int(large)))
    first = next((each for each in scan.report.headlines if each.quantity == quantity), headline)
    if first is headline:
        scan.report.headlines.append(headline)
    scan.bins, scan.above = None, first
    if (first.text, first.point) != (text, headline.point):
        points = f"{first.text} @ {first.point}", f"{text} @ {headline.point}"
        scan.report.refuse_several(number, quantity, *points)


def _take_latency(scan: _Scan, number: int, line: str) -> None:
    """Take a latency line, which belongs to the headline above it."""
    found = _LATENCY.fullmatch(line)
    if not found and line.startswith("Small"):
        scan.report.refuse(number, f"{line[:80]!r} is cut or no latency line", "R-READ-8")
    elif not found:
        scan.report.warn(number, "latency line excluded: no real sample confirms its layout", "R-ORION-7")
    elif scan.above is None or scan.above.point != (int(found[6]), int(found[7])):
        scan.report.warn(number, "latency line excluded: the headline above it is of another point", "R-ORION-7")
    else:
        latency = Latency(number, found[1].lower(), found[2], found[3], found[4], found[5])
        scan.above.latencies.setdefault(latency.operation, latency)


def _begin_histogram(scan: _Scan, number: int, line: str) -> None:
    """Take the head of a histogram, which belongs to the last headline of its point."""
    scan.bins = []
    found = _HISTOGRAM.fullmatch(line)
    point = (int(found[1]), int(found[2])) if found else None
    owner = next((headline for headline in reversed(scan.report.headlines) if headline.point == point), None)
    if owner is None or owner.bins:
        scan.report.warn(number, "histogram excluded: the file has no headline of its point", "R-ORION-7")
    else:
        owner.bins = scan.bins


def _take_bin(scan: _Scan, bins: list[Bin], number: int, line: str) -> bool:
    """Take a row of the histogram above; one that only begins as such rows do is spoilt."""
    if found := _BIN.fullmatch(line):
        bins.append((number, int(found[1]), int(found[2]), int(found[3]), int(found[4])))
        return True
    if _LIKE_BIN.match(line):
        scan.report.refuse(number, f"{line[:80]!r} is no row of a histogram", "R-READ-8")
        return True
    return False


def _refuse_unfinished(report: Report, last: int) -> None:
    """Refuse a file that ends before its results, or that has none."""
    quantities = {headline.quantity for headline in report.headlines}
    if len(quantities & {"Small IOPS", "Small Latency"}) == 1:
        report.refuse(last, "the summary ends before its last headline", "R-ORION-2")
    if report.headlines or report.tables or report.refusals:
        return
    if "summary" in report.forms or report.facts.keys() & {"test", "small_size"}:
        report.refuse(last, "the summary ends before its results", "R-ORION-2", RESULT_FILES)
    elif "console" in report.forms:
        what = "this is console output or a listing without results"
        report.refuse(last, what, "R-ORION-5", RESULT_FILES)
    else:
        what = "a trace, a histogram file or a description: no real sample confirms its layout"
        report.refuse(last, what, "R-ORION-5", f"{RESULT_FILES} You can add this file with the role attachment.")
