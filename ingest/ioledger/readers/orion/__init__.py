"""
ORION, Oracle's I/O calibration tool: its summary, its three matrices and its console output.

Claims  a version banner, a matrix that starts with ``Large/Small``, a headline such as ``Maximum Small IOPS=``, or the
        prose at the top of its files.
Emits   one result per filled cell (blank is untested, so no row) and per headline. Small and large I/Os of one point
        are two results with one ``point``. The three headlines are three points and are never put together. Where the
        file does not say whether large I/Os are random, their load is unknown: for sequential ones the axis counts
        streams.
        Beside a matrix the summary of its run tells version, sizes, kinds and share of I/Os, and how long points last.
Units   IOPS; MBPS of an unproven base, so throughput is null and the printed number is kept; latency in microseconds
        where the file says so, else milliseconds as before 11.2; sizes in KB of 1024 bytes.
Source  ORION's ``-help``, the Performance Tuning Guide of 12c, and outputs of 10.2 to 19.3.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import msgspec

from ioledger.model import Checks, Reading, Refusal, Tolerances, narrow

if TYPE_CHECKING:
    from ioledger.model import Source

TOOL = "orion"
FORMATS = (
    "summary of 10.2 to 12c",
    "console output of 12.2 to 19c, with latency lines and histogram",
    "matrices _iops, _mbps and _lat: bare as in 11.1, and with the prose of 11.2 to 19c above",
)
VERSIONS = {"summary": "0.1.0", "console": "0.1.0", "matrix": "0.1.0"}
"""What is read, by the first word of the format; see :class:`ioledger.readers.detect.Reader`."""
CHECKS = Checks(
    rules={
        "latency_within_run": "R-CHECK-1",
        "mean_lies_between": "R-CHECK-2",
        "not_more_outstanding": "R-CHECK-1",
        "not_fewer_outstanding": "R-CHECK-1",
    },
    formats={"": Tolerances(mean_ticks=0.5)},
)
MAX_BYTES, MAX_LINES = 4 << 20, 200_000
_TOKENS = (
    b"ORION VERSION ",
    b"ORION: ORacle IO Numbers",
    b"Large/Small",
    b"Maximum Large MBPS",
    b"Maximum Small IOPS",
    b"Minimum Small Latency",
    b"sustained by small I/Os",
    b"histograms of the latencies observed",
)


def claims(head: bytes) -> bool:
    """Say whether these bytes are ORION's (UTF-16 included, which PowerShell's ``>`` writes)."""
    plain = narrow(head)
    return any(token in plain for token in _TOKENS)


def read(source: Source) -> Reading:
    """Read a file; one with any fault gives no results, and every fault is named with its line."""
    from ioledger.readers.orion.matrices import matrices  # noqa: PLC0415  (files of other tools are read without these)
    from ioledger.readers.orion.results import refuse_unknown_units, results  # noqa: PLC0415
    from ioledger.readers.orion.text import report_of  # noqa: PLC0415

    reading = Reading(tool=TOOL, document_count=1)
    size, lines = len(source.data), source.data.count(b"\n") + source.data.count(b"\r")
    if size > MAX_BYTES or lines > MAX_LINES:
        what = f"the file has {size:,} bytes and {lines:,} lines, more than ORION writes for one run"
        reading.refusals = [Refusal("", what, "Submit the files of one run, each by itself.", "R-ORION-3")]
        return reading
    text, reading.encoding = source.decode()
    report = report_of(text)
    if source.job is not None:  # the summary of the run that a matrix is of: a matrix alone says next to nothing
        report.facts = report_of(msgspec.structs.replace(source, data=source.job).decode()[0]).facts | report.facts
    reading.tool_version = report.facts.get("version")
    found = matrices(report, reading.tool_version or source.tool_version)
    refuse_unknown_units(report)
    forms = report.forms or (["summary"] if report.headlines else [])
    reading.source_format = " ".join(dict.fromkeys([*forms, *found])) or None
    reading.refusals = sorted(report.refusals, key=lambda refusal: int(refusal.place.removeprefix("line ")))
    if not reading.refusals:
        reading.results = results(report, found)
        reading.warnings = report.warnings
    return reading
