"""
fio: JSON and json+ reports, terse lines, and the text that people read.

Claims  a file that holds at least one of them, whatever else it holds and whatever it is called.
Emits   the results of the best format in the file: JSON, else terse, else normal; nothing twice.
Units   see the module of each format.
Source  fio 1.38 to 3.42, https://git.kernel.dk/cgit/fio
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from ingest.readers.fio import json_documents, json_report, normal, terse
from ingest.readers.fio.text import decoded
from ingest.record import Reading, Refusal

if TYPE_CHECKING:
    from ingest.record import Source

TOOL = "fio"
FORMATS = (
    "fio JSON and json+, 2.0.10 to 3.42, local and client mode",
    "fio terse versions 2 to 5, and the lines of 1.38 to 1.59",
    "fio normal output, 1.38 to 3.42",
)


def claims(head: bytes) -> bool:
    """Say whether the first bytes of a file hold a format of fio."""
    if b'"fio version"' in head:
        return True
    text = decoded(head)[0]
    return json_report.find(text) or terse.find(text) or normal.find(text)


def read(source: Source, *, with_bins: bool = True) -> Reading:
    """Read the best format that the file holds; ``with_bins=False`` leaves histograms out, which halves the work."""
    document = json_documents.regular(source.data)
    if document is not None:
        return json_report.read_document(document, source.data, with_bins=with_bins)
    text, encoding, findings = decoded(source.data)
    reading = _read_text(text, with_bins=with_bins)
    reading.encoding = encoding
    reading.warnings[:0] = findings
    return reading


def _read_text(text: str, *, with_bins: bool) -> Reading:
    reading = json_report.read(text, with_bins=with_bins) if json_report.find(text) else None
    if reading is not None and reading.document_count:
        return reading
    refusals = reading.refusals if reading else []
    for reader in (terse, normal):
        if reader.find(text):
            found: Reading = reader.read(text)
            found.refusals[:0] = refusals
            return found
    what = "no report of fio begins in this file"
    remedy = "Submit what fio wrote with --output-format=json."
    return Reading(tool=TOOL, refusals=refusals or [Refusal("", what, remedy, "R-FIO-FORMAT-1")])
