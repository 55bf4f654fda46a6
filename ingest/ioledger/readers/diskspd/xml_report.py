"""
The report that ``diskspd -Rxml`` writes, as a tree: one ``<Results>`` per run.

Source: DiskSpd's ``XmlResultParser.cpp`` and ``Target::GetXml()``.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any, cast

from ioledger.model import Refusal
from ioledger.readers.diskspd.results import UNEDITED, report

if TYPE_CHECKING:
    from collections.abc import Iterator
    from xml.etree.ElementTree import Element

    from ioledger.model import Reading

MAX_ELEMENTS, MAX_DEPTH = 1_000_000, 32
_CHUNK = 1 << 16
_BARE_AND = re.compile(r"&(?!(?:amp|lt|gt|quot|apos|#\d{1,7});)")
_UNSAFE = re.compile(r"<!DOCTYPE|<!ENTITY")
_CUT = "the report ends before </Results>"


def read(text: str, reading: Reading) -> None:
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
    """Return a report as a tree, or say why it is none."""
    from xml.etree.ElementTree import ParseError  # noqa: PLC0415  (files of other tools are read without XML)

    if not text.endswith("</Results>"):
        return _CUT
    try:
        return _grown(_BARE_AND.sub("&amp;", text))  # DiskSpd writes paths without escaping them
    except ParseError as error:
        return f"the XML is broken ({error}, counted from here)"


def _grown(text: str) -> Element | str:
    """Return the root element, without the interval samples; raise ParseError for broken XML."""
    from xml.etree.ElementTree import XMLPullParser  # noqa: PLC0415

    parser: XMLPullParser[Any] = XMLPullParser(("start", "end"))
    depth = count = 0
    root: Element | None = None
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
    return _CUT if root is None else root
