"""
fio: the report written by ``--output-format=json`` or ``json+``.

Claims  any text with an object that begins with ``"fio version"``.
Emits   one result per job (or group, or client) and operation that completed any I/O.
Units   ``io_bytes`` bytes (KiB up to 2.20), ``bw`` KiB/s, ``bw_bytes`` bytes per second, ``*_ns`` nanoseconds, other
        latencies microseconds, ``runtime`` milliseconds.
Source  fio's ``stat.c``, ``show_thread_status_json()``, and ``client.c`` for ``client_stats``.
"""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

import msgspec

from ioledger.readers.base import Finding, Reading
from ioledger.readers.fio import json_documents, json_point, json_status, json_times
from ioledger.readers.fio.json_documents import Report
from ioledger.readers.fio.json_load import NO_SECTIONS
from ioledger.readers.fio.json_point import Context
from ioledger.readers.fio.runs import PARTIAL
from ioledger.readers.fio.text import is_too_long, numbered

if TYPE_CHECKING:
    from ioledger.readers.fio.json_documents import Reports
    from ioledger.readers.fio.json_load import Sections
    from ioledger.readers.fio.json_shape import Document

_SIGNAL = "fio: terminating on signal"


def read_document(
    document: Document, data: bytes, *, with_bins: bool = True, sections: Sections = NO_SECTIONS
) -> Reading:
    """Read the report that a whole file is; ``sections`` are those of its job file."""
    return _reading([Report(document, data, 0, len(data), [])], sections, with_bins=with_bins)


def find(text: str) -> tuple[Reports, list[tuple[int, int]]]:
    """
    Return every report of a text, whatever stands around them or before each of their lines, and where each stands.

    The places are none when the text has something before each line: then no character of it is one of a report alone.
    """
    found = json_documents.split(text)
    if not found.reports and not is_too_long(text):
        unwrapped = json_documents.split("\n".join(line for _, line in numbered(text)))
        if unwrapped.reports:
            return unwrapped, []
    return found, [(report.start, report.end) for report in found.reports]


def read(found: Reports, *, with_bins: bool = True, sections: Sections = NO_SECTIONS) -> Reading:
    """Read the reports that were found."""
    reading = _reading(found.reports, sections, with_bins=with_bins)
    reading.refusals = found.refusals
    return reading


def _reading(reports: list[Report], sections: Sections, *, with_bins: bool) -> Reading:
    reading = Reading(tool="fio", source_format="json", document_count=len(reports), results=[], warnings=[])
    twice = json_status.repeated(reports) if len(reports) > 1 else set()
    partial = json_status.partial(reports, twice) if len(reports) > 1 else set()
    for index, report in enumerate(reports):
        if index not in twice:
            reading.warnings += [msgspec.structs.replace(found, pointer=f"{index}#") for found in report.findings]
            reading.warnings += _notes(report, f"{index}#")
            reading.tool_version = reading.tool_version or report.document.version
            context = _context(report, sections, is_partial=index in partial, with_bins=with_bins)
            _read_report(index, context, reading)
    if any(result.source_format == "json+" for result in reading.results):
        reading.source_format = "json+"
    if twice:
        message = f"{len(twice)} reports stand in the file more than once, letter by letter; each is read once"
        reading.warnings.append(Finding("R-FIO-DUPLICATE-1", message))
    if partial:
        reading.warnings.append(Finding("R-FIO-PARTIAL-1", PARTIAL.format(len(partial))))
    return reading


def _notes(report: Report, place: str) -> list[Finding]:
    """Return a finding when fio wrote of trouble before a report; the notes name files, so they are only counted."""
    trouble = sum(not note.startswith(_SIGNAL) for note in report.notes)
    message = f"fio noted trouble {trouble} times before this report (lines that begin with fio:)"
    return [Finding("R-FIO-NOTE-1", message, place)] if trouble else []


def _context(report: Report, sections: Sections, *, is_partial: bool, with_bins: bool) -> Context:
    outcome = "interrupted" if any(note.startswith(_SIGNAL) for note in report.notes) else "ok"
    document = report.document
    members = Counter(job.groupid for job in document.jobs)
    return Context(document, json_times.last_group(document), members, outcome, is_partial, with_bins, sections)


def _read_report(index: int, context: Context, reading: Reading) -> None:
    document = context.document
    for list_name, jobs in (("jobs", document.jobs), ("client_stats", document.client_stats)):
        keys = [(job.jobname, job.groupid, job.hostname, job.port) for job in jobs]
        twins = Counter(keys) if len(jobs) > 1 else {}
        for place, (job, key) in enumerate(zip(jobs, keys, strict=True)):
            json_point.read(context, job, f"{index}#/{list_name}/{place}", twins.get(key, 1), reading)
