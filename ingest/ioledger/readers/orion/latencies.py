"""
What 12c and later print about latencies below a headline: lines for one direction each, and a histogram.

Both name their point, and belong to the headline of that point above them.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from ioledger.readers.orion.report import AT, VALUE, Latency

if TYPE_CHECKING:
    from ioledger.readers.orion.report import Scan

_LATENCY = re.compile(
    rf"Small (Read|Write) Latency: avg{VALUE} us, min{VALUE} us, max{VALUE} us, std dev{VALUE} us{AT}", re.ASCII
)
_HISTOGRAM = re.compile(rf"Small Read / Write Latency Histogram{AT}", re.ASCII)
_SHARE = r"\d{1,3}\.\d\d"
_BIN = re.compile(
    r" *+(\d{1,12}) +- +(\d{1,12}) +us: +(\d{1,15}) +"
    rf"\( *+({_SHARE})%\) +(\d{{1,15}}) +\( *+({_SHARE})%\) *+",
    re.ASCII,
)
_LIKE_BIN = re.compile(r"\d+ +- +\d+")


def take_bin(scan: Scan, number: int, line: str) -> bool:
    """Take a row of the histogram above, as it stands in the file or without spare blanks."""
    found = _BIN.fullmatch(line)
    if scan.bins is None or found is None:
        return False
    low, high, reads, read_percent, writes, write_percent = found.groups()
    scan.bins.append((number, low, high, reads, read_percent, writes, write_percent))
    return True


def take_spoilt_bin(scan: Scan, number: int, line: str) -> bool:
    """Refuse a line that begins as a row of the histogram above does, and is none."""
    if not _LIKE_BIN.match(line):
        return False
    scan.report.refuse(number, f"{line[:80]!r} is no row of a histogram", "R-ORION-3")
    return True


def take_latency(scan: Scan, number: int, line: str) -> bool:
    """Take a latency line, which belongs to the headline above it."""
    if " Latency: avg" not in line:
        return False
    found = _LATENCY.fullmatch(line)
    if not found and line.startswith("Small"):
        scan.report.refuse(number, f"{line[:80]!r} is cut or no latency line", "R-ORION-3")
        return True
    if not found:
        scan.report.warn(number, "latency line left out: no real sample proves its layout", "R-ORION-7")
    elif scan.above is None or scan.above.point != (int(found[6]), int(found[7])):
        scan.report.warn(number, "latency line left out: the headline above it is of another point", "R-ORION-7")
    else:
        latency = Latency(number, found[1].lower(), found[2], found[3], found[4], found[5])
        scan.above.latencies.setdefault(latency.operation, latency)
    return True


def take_histogram(scan: Scan, number: int, line: str) -> bool:
    """Take the head of a histogram, which belongs to the last headline of its point."""
    if "Latency Histogram" not in line:
        return False
    scan.bins = []
    found = _HISTOGRAM.fullmatch(line)
    point = (int(found[1]), int(found[2])) if found else None
    owner = next((headline for headline in reversed(scan.report.headlines) if headline.point == point), None)
    if owner is None or owner.bins:
        scan.report.warn(number, "histogram left out: the file has no headline of its point", "R-ORION-7")
    else:
        owner.bins = scan.bins
    return True
