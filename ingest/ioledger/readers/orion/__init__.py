"""
ORION, Oracle's I/O calibration tool: its summary, its three matrices and its console output.

Claims  a version banner, a matrix that starts with ``Large/Small``, a headline such as ``Maximum Small IOPS=``, or the
        prose at the top of its files.
Emits   one result per filled cell (blank is untested, so no row) and per headline. Small and large I/Os of one point
        are two results with one ``point``. The three headlines are three points and are never put together. Where the
        file does not say whether large I/Os are random, their load is unknown: for sequential ones the axis counts
        streams.
Units   IOPS; MBPS of an unproven base, so throughput is null and the printed number is kept; latency in microseconds
        where the file says so, else milliseconds as before 11.2; sizes in KB of 1024 bytes.
Source  ORION's ``-help``, the Performance Tuning Guide of 12c, and outputs of 10.2 to 19.3.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from ioledger.readers.base import Reading, Source

TOOL = "orion"
FORMATS = (
    "summary of 10.2 to 12c",
    "console output of 12.2 to 19c, with latency lines and histogram",
    "matrices _iops, _mbps and _lat: bare as in 11.1, and with the prose of 11.2 to 19c above",
)
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
    plain = head.replace(b"\0", b"") if head[:2] in {b"\xff\xfe", b"\xfe\xff"} else head
    return any(token in plain for token in _TOKENS)


def read(source: Source) -> Reading:
    """Read a file; one with any fault gives no results, and every fault is named with its line."""
    from ioledger.readers.orion.reading import read_file  # noqa: PLC0415  (files of other tools are read without this)

    return read_file(source)
