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

import re
from typing import TYPE_CHECKING, Any, cast

from ioledger.model import Checks, Reading, Refusal, Tolerances, narrow
from ioledger.readers.diskspd.results import UNEDITED, report

if TYPE_CHECKING:
    from collections.abc import Iterator
    from xml.etree.ElementTree import Element

    from ioledger.model import Source

MAX_ELEMENTS, MAX_DEPTH = 1_000_000, 32
_CHUNK = 1 << 16
_BARE_AND = re.compile(r"&(?!(?:amp|lt|gt|quot|apos|#\d{1,7});)")
_UNSAFE = re.compile(r"<!DOCTYPE|<!ENTITY")
_CUT = "the report ends before </Results>"


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
    text, reading.encoding = source.decode()
    _read_xml(text, reading)
    if "Results for timespan" in text:
        from ioledger.readers.diskspd import text_report  # noqa: PLC0415

        text_report.read(text, reading)
    formats = sorted({result.source_format for result in reading.results})
    reading.source_format = ", ".join(formats) or ("xml" if "<Results>" in text else "text")
    if not reading.document_count and not reading.refusals:
        what = "this is a DiskSpd profile, which contains no results"
        reading.refusals.append(Refusal("", what, "Submit the report of a run, best with -Rxml.", "R-DISKSPD-1"))
    return reading


def _read_xml(text: str, reading: Reading) -> None:
    """Add every report in the text to a reading; one with a fault gives no results, and one that is unsafe ends it."""
    if unsafe := _UNSAFE.search(text):
        what = f"{unsafe[0]} declares what DiskSpd never writes"
        place = f"line {text.count(chr(10), 0, unsafe.start()) + 1}"
        reading.refusals.append(Refusal(place, what, f"{UNEDITED}.", "R-DISKSPD-1"))
        return
    for line, document in _documents(text):
        index = reading.document_count
        reading.document_count += 1
        root = _tree(document)
        if isinstance(root, str):
            reading.refusals.append(Refusal(f"line {line}", root, f"{UNEDITED}.", "R-DISKSPD-1"))
        else:
            places = [f"{index}#/TimeSpan/{number}" for number in range(len(root.findall("TimeSpan")))]
            report(root, f"{index}#", places, "xml", reading)


def _documents(text: str) -> Iterator[tuple[int, str]]:
    """Give each report with the line it starts on; a report without an end reaches to the end of the text."""
    line, counted, start = 1, 0, text.find("<Results>")
    while start >= 0:
        end = text.find("</Results>", start)
        end = len(text) if end < 0 else end + len("</Results>")
        line, counted = line + text.count("\n", counted, start), start
        yield line, text[start:end]
        start = text.find("<Results>", end)


def _tree(text: str) -> Element | str:
    """Return a report as a tree without the interval samples, or the reason why it is not one."""
    from xml.etree.ElementTree import ParseError, XMLPullParser  # noqa: PLC0415  (other tools' files need no XML)

    if not text.endswith("</Results>"):
        return _CUT
    text = _BARE_AND.sub("&amp;", text)  # DiskSpd writes paths without escaping them
    parser: XMLPullParser[Any] = XMLPullParser(("start", "end"))
    depth = count = 0
    root: Element | None = None
    try:
        for begin in range(0, len(text), _CHUNK):
            parser.feed(text[begin : begin + _CHUNK])
            for event, element in cast("Iterator[tuple[str, Element]]", parser.read_events()):
                root = element if root is None else root
                depth, count = (depth + 1, count + 1) if event == "start" else (depth - 1, count)
                if depth > MAX_DEPTH or count > MAX_ELEMENTS:
                    return f"the report nests deeper than {MAX_DEPTH} or has more than {MAX_ELEMENTS:,} elements"
                if event == "end" and element.tag == "Bucket" and element.attrib:
                    element.clear()
        parser.close()
    except ParseError as error:
        return f"the XML is broken ({error}, counted from here)"
    return _CUT if root is None else root
