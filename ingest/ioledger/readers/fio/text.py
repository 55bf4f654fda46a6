"""
The bytes of a file as text: the encoding is taken from the bytes, and anything but UTF-8 is a finding.

Windows shells write UTF-16 when output is redirected. Bytes that are no text at all are replaced, never refused: the
reports in the file may be whole.
"""

from __future__ import annotations

import codecs

from ioledger.readers.base import Finding

_MARKS = (
    (codecs.BOM_UTF8, "utf-8-sig"),
    (codecs.BOM_UTF32_LE, "utf-32"),
    (codecs.BOM_UTF16_LE, "utf-16"),
    (codecs.BOM_UTF16_BE, "utf-16"),
)
_SAMPLE = 4096


def encoding_of(data: bytes) -> str:
    """Return the encoding of a file: from its byte order mark, from the zeros of UTF-16, or UTF-8."""
    for mark, name in _MARKS:
        if data.startswith(mark):
            return name
    head = data[:_SAMPLE]
    half = len(head) // 2
    if half and head[1::2].count(0) > 0.9 * half and not head[::2].count(0):
        return "utf-16-le"
    if half and head[::2].count(0) > 0.9 * half and not head[1::2].count(0):
        return "utf-16-be"
    return "utf-8"


def decoded(data: bytes) -> tuple[str, str, list[Finding]]:
    """Return the text, its encoding, and a finding when it is not plain UTF-8."""
    encoding = encoding_of(data)
    text = data.decode(encoding, "replace")
    broken = text.count("\ufffd")
    if encoding != "utf-8":
        message = f"the file is encoded as {encoding}, fio writes plain UTF-8"
        return text, encoding, [Finding("R-FIO-ENCODING-1", message)]
    if broken:
        message = f"{broken} characters are not UTF-8 and were replaced"
        return text, encoding, [Finding("R-FIO-ENCODING-2", message)]
    return text, encoding, []
