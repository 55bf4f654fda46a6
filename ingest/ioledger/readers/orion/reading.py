"""A whole file of ORION's: from bytes to results, or every fault with its line."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ioledger.plausibility import impossible
from ioledger.readers.base import Reading, Refusal
from ioledger.readers.orion import TOOL, cells, headlines, scan, units
from ioledger.readers.orion.matrices import matrices
from ioledger.readers.orion.setup import setup_of

if TYPE_CHECKING:
    from ioledger.readers.base import Source

MAX_BYTES, MAX_LINES = 4 << 20, 200_000


def read_file(source: Source) -> Reading:
    """Read a file; one with any fault gives no results."""
    reading = Reading(tool=TOOL, document_count=1)
    size, lines = len(source.data), source.data.count(b"\n") + source.data.count(b"\r")
    if size > MAX_BYTES or lines > MAX_LINES:
        what = f"the file has {size:,} bytes and {lines:,} lines, more than ORION writes for one run"
        reading.refusals = [Refusal("", what, "Submit the files of one run, each by itself.", "R-ORION-1")]
        return reading
    text, reading.encoding = _decode(source.data)
    report = scan.report(text)
    found = matrices(report)
    units.settle(found, report, report.facts.get("version") or source.tool_version)
    headlines.refuse_unknown_units(report)
    reading.tool_version = report.facts.get("version")
    forms = report.forms or (["summary"] if report.headlines else [])
    reading.source_format = " ".join(dict.fromkeys([*forms, *found])) or None
    reading.refusals = sorted(report.refusals, key=lambda refusal: int(refusal.place.removeprefix("line ")))
    if not reading.refusals:
        setup = setup_of(report.facts)
        measured = cells.results(found.values(), setup, report)
        reading.results = list(headlines.results(report, setup, measured))
        for by_point in measured.values():
            reading.results += by_point.values()
        headlines.contradictions(report, found)
        reading.warnings = [*report.warnings, *impossible.findings(reading.results, "R-ORION-15")]
    return reading


def _decode(data: bytes) -> tuple[str, str]:
    if data[:2] in {b"\xff\xfe", b"\xfe\xff"}:
        return data.decode("utf-16", errors="replace"), "utf-16"
    try:
        return data.decode("utf-8-sig"), "utf-8"
    except UnicodeDecodeError:
        return data.decode("latin-1"), "latin-1"
