"""
DiskSpd: the report written by ``diskspd -Rxml``, and the one for people (``-Rtext``, the default).

Claims  ``<Results>`` with a system, profile or time span; ``Results for timespan``; bare profiles too, to say why not.
Emits   one result per time span, target and operation that did any I/O; for several targets also their sum, marked
        as such, because percentiles are known for all targets together; the text has them of each target too.
Units   bytes, counts, seconds; latencies in milliseconds, shares in percent. The text's ``MiB/s``, in older versions
        ``MB/s``, are 2^20 bytes a second; rates are counts over time in both formats, so that both agree.
Source  DiskSpd's ``XmlResultParser.cpp``, ``ResultParser.cpp`` and ``Target::GetXml()``. ``-o`` counts per thread and
        target, with ``-O`` per thread. ``Random`` states the order of addresses; ``RandomAccess`` is only a hint to
        the cache. The text prints no version.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from ioledger.model import Checks, Reading, Refusal, Tolerances, narrow
from ioledger.readers.diskspd import text_report, xml_report

if TYPE_CHECKING:
    from ioledger.model import Source

TOOL = "diskspd"
FORMATS = ("XML report (-Rxml), 2.0.21 and later", "text report (-Rtext), 2.0.15 and later")
VERSIONS = {"xml": "0.1.0", "text": "0.1.0"}
"""What is read, by the first word of the format; see :class:`ioledger.readers.detect.Reader`."""
CHECKS = Checks(
    rules={
        "latency_within_run": "R-CHECK-1",
        "bytes_are_blocks": "R-DISKSPD-6",
        "mean_lies_between": "R-CHECK-2",
        "percentiles_rise": "R-CHECK-2",
        "percentiles_lie_between": "R-CHECK-2",
        "machine_is_idle": "R-CHECK-1",
        "not_more_outstanding": "R-CHECK-1",
        "not_fewer_outstanding": "R-CHECK-1",
        "mix_is_the_one_declared": "R-CHECK-1",
        "run_lasts_as_asked": "R-CHECK-1",
    },
    formats={"": Tolerances(is_load_shared=True, depth_low=0.9, least_operations=100, time_high=1.1)},
)
MAX_BYTES = 24 << 20
_TEXT = (b"Results for timespan", b"<TimeSpans>")
_PARTS = (b"<System>", b"<Profile>", b"<TimeSpan>")


def claims(head: bytes) -> bool:
    """Say whether these bytes are a DiskSpd report or profile (UTF-16 included, which PowerShell's ``>`` writes)."""
    if head.startswith(b"MZ"):  # the program itself has these words among its texts
        return False
    plain = narrow(head)
    is_report = b"<Results>" in plain and any(part in plain for part in _PARTS)
    return is_report or any(token in plain for token in _TEXT)


def read(source: Source) -> Reading:
    """Read every report in the file; a report with a fault gives no results."""
    reading = Reading(tool=TOOL)
    if len(source.data) > MAX_BYTES:
        what = f"the file has {len(source.data):,} bytes, more than the {MAX_BYTES:,} that are read"
        reading.refusals.append(Refusal("", what, "Leave out -D or shorten the run.", "R-DISKSPD-1"))
        return reading
    text, reading.encoding = source.decode()
    xml_report.read(text, reading)
    text_report.read(text, reading)
    formats = sorted({result.source_format for result in reading.results})
    reading.source_format = ", ".join(formats) or ("xml" if "<Results>" in text else "text")
    if not reading.document_count and not reading.refusals:
        what = "this is a profile of DiskSpd, which holds no results"
        reading.refusals.append(Refusal("", what, "Submit the report of a run, best with -Rxml.", "R-DISKSPD-1"))
    return reading
