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
from typing import TYPE_CHECKING, Any

import msgspec

from ingest.readers.fio import json_documents, json_point, json_status
from ingest.readers.fio.json_documents import Report
from ingest.readers.fio.json_point import Context
from ingest.readers.fio.lines import numbered
from ingest.readers.fio.status import PARTIAL
from ingest.record import Finding, Reading

if TYPE_CHECKING:
    from ingest.readers.fio.json_shape import Document

_SIGNAL = "fio: terminating on signal"


def read_document(document: Document, data: bytes, *, with_bins: bool = True) -> Reading:
    """Read the report that a whole file is."""
    return _reading([Report(document, data, 0, len(data), [])], with_bins=with_bins)


def read(text: str, *, with_bins: bool = True) -> Reading:
    """Read every report of a text, whatever stands around them or before each of their lines."""
    found = json_documents.split(text)
    if not found.reports:
        unwrapped = json_documents.split("\n".join(line for _, line in numbered(text)))
        found = unwrapped if unwrapped.reports else found
    reading = _reading(found.reports, with_bins=with_bins)
    reading.refusals = found.refusals
    return reading


def _reading(reports: list[Report], *, with_bins: bool) -> Reading:
    reading = Reading(tool="fio", document_count=len(reports), results=[], warnings=[])
    twice = json_status.repeated(reports)
    partial = json_status.partial(reports, twice)
    for index, report in enumerate(reports):
        if index in twice:
            continue
        reading.warnings += [msgspec.structs.replace(f, pointer=f"{index}#") for f in report.findings]
        reading.tool_version = reading.tool_version or report.document.version
        _read_report(index, report, reading, is_partial=index in partial, with_bins=with_bins)
    if twice:
        message = f"{len(twice)} reports stand in the file more than once, letter by letter; each is read once"
        reading.warnings.append(Finding("R-FIO-DUPLICATE-1", message))
    if partial:
        reading.warnings.append(Finding("R-FIO-PARTIAL-1", PARTIAL.format(len(partial))))
    return reading


def _read_report(index: int, report: Report, reading: Reading, *, is_partial: bool, with_bins: bool) -> None:
    document, has_bins = report.document, b'"bins"' in report.text
    is_interrupted = any(note.startswith(_SIGNAL) for note in report.notes)
    common: dict[str, Any] = {
        "tool_version": document.version,
        "source_format": "json+" if has_bins else "json",
        "outcome": "interrupted" if is_interrupted else "ok",
        "is_partial": is_partial,
    }
    reading.source_format = common["source_format"]
    trouble = sum(not note.startswith(_SIGNAL) for note in report.notes)
    if trouble:
        message = f"fio noted trouble {trouble} times before this report (lines that begin with fio:)"
        reading.warnings.append(Finding("R-FIO-NOTE-1", message, f"{index}#"))
    context = Context(document, common, with_bins)
    for list_name, jobs in (("jobs", document.jobs), ("client_stats", document.client_stats)):
        names = Counter((job.jobname, job.groupid, job.hostname, job.port) for job in jobs)
        for place, job in enumerate(jobs):
            twins = names[job.jobname, job.groupid, job.hostname, job.port]
            common["point"] = f"{index}#/{list_name}/{place}"
            json_point.read(context, job, twins, reading)
