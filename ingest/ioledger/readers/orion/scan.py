"""
ORION's text, line by line: facts, headlines with the latency lines and histograms below them, and matrices.

Nothing is interpreted here beyond its form. A line that begins like one of ORION's and does not end like one is a
fault: files get cut and pasted.
"""

from __future__ import annotations

import re

from ioledger.readers.orion.facts import KNOWN, NOTHING, Told, fact, options, several
from ioledger.readers.orion.latencies import take_bin, take_histogram, take_latency, take_spoilt_bin
from ioledger.readers.orion.report import AT, VALUE, Headline, Point, Report, Scan, Table

LONGEST, PROSE_LINES = 1 << 16, 20
RESULT_FILES = "Submit the _summary.txt and the _iops, _mbps and _lat .csv files as ORION wrote them."
_HEADLINE = re.compile(rf"M(?:ax|in)imum (Large MBPS|Small IOPS|Small Latency){VALUE} ?(usecs)?{AT}", re.ASCII)
_FAILED = re.compile(r"ERROR: ?\S|Failed to |Failure in |ORA-\d{5}")
_ROW, _LIKE_ROW = re.compile(r"\s*+\d{1,9}\s*+(?:,.*)?"), re.compile(r".*, *[-+\w.]+,?")
_HEADLINES = ("Maximum Large", "Maximum Small", "Minimum Small")


def report(text: str) -> Report:
    """Return what a file holds, with every line that is spoilt."""
    scan = Scan(Report())
    number = 0
    for number, raw in enumerate(text.replace("\r\n", "\n").replace("\r", "\n").split("\n"), 1):
        if len(raw) > LONGEST:
            scan.report.refuse(number, f"a line of {len(raw):,} characters is none of ORION's", "R-ORION-1")
            continue
        if scan.table is not None and _ROW.fullmatch(raw):
            scan.table.rows.append((number, raw))
            continue
        if scan.bins is not None and scan.table is None and take_bin(scan, number, raw):
            continue
        line, told = KNOWN[raw]
        if not line:
            scan.table = None
        elif told is not NOTHING and scan.table is None and scan.bins is None:
            fact(scan, number, told)
        elif not _taken(scan, number, line, told):
            scan.prose.append(line)
            del scan.prose[:-PROSE_LINES]
    _whole(scan.report, number)
    return scan.report


def _taken(scan: Scan, number: int, line: str, told: Told) -> bool:
    """Take a line that is one of ORION's, and is no row of a matrix."""
    if scan.table is not None and _end_table(scan, number, line):
        return True
    if scan.bins is not None and (take_bin(scan, number, line) or take_spoilt_bin(scan, number, line)):
        return True
    if line.startswith(_HEADLINES):
        return _headline(scan, number, line)
    if options(scan, number, line) or fact(scan, number, told):
        return True
    if line.startswith("Large/Small"):
        return _table(scan, number, line)
    is_latency = "Latency" in line and (take_latency(scan, number, line) or take_histogram(scan, number, line))
    return is_latency or _failure(scan, number, line)


def _end_table(scan: Scan, number: int, line: str) -> bool:
    """Leave the matrix above at a line that is no row; a line like a row is spoilt and belongs to it."""
    if _LIKE_ROW.fullmatch(line) and not line.startswith("Large/Small"):
        scan.report.refuse(number, f"{line[:80]!r} is no row of a matrix", "R-ORION-3")
        return True
    scan.table = None
    return False


def _table(scan: Scan, number: int, line: str) -> bool:
    scan.table = Table(number, line, " ".join(scan.prose))
    scan.report.tables.append(scan.table)
    scan.prose = []
    return True


def _headline(scan: Scan, number: int, line: str) -> bool:
    found = _HEADLINE.fullmatch(line)
    if not found:
        scan.report.refuse(number, f"{line[:80]!r} is cut or no headline", "R-ORION-3")
        return True
    quantity, text, unit, small, large = found.groups()
    headline = Headline(number, quantity, text, unit, Point(int(small), int(large)))
    for first in scan.report.headlines:
        if first.quantity == quantity:
            break
    else:
        first = headline
        scan.report.headlines.append(headline)
    scan.bins, scan.above = None, first
    if (first.text, first.point) != (text, headline.point):
        several(scan, number, quantity, f"{first.text} @ {first.point}", f"{text} @ {headline.point}")
    return True


def _failure(scan: Scan, number: int, line: str) -> bool:
    if not _FAILED.match(line):
        return False
    what = f"the run failed: {line[:200]}"
    scan.report.refuse(number, what, "R-ORION-4", "Mend the cause and run ORION again.")
    return True


def _whole(report: Report, last: int) -> None:
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
        what = "a trace, a histogram file or a description: no real sample proves its layout"
        report.refuse(last, what, "R-ORION-5", f"{RESULT_FILES} This one may lie beside them with the role attachment.")
