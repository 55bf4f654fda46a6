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

from ingest.readers.fio import json_documents, json_options, json_result
from ingest.readers.fio.json_documents import START, Report
from ingest.readers.fio.json_options import ALL_CLIENTS
from ingest.readers.fio.json_shape import OPERATIONS
from ingest.record import Finding, Reading

if TYPE_CHECKING:
    from ingest.readers.fio.json_options import Load
    from ingest.readers.fio.json_shape import Document, Job
    from ingest.record import Result

_PERCENT = 100


def find(text: str) -> bool:
    """Say whether the text holds a report."""
    return START.search(text) is not None


def read_document(document: Document, data: bytes, *, with_bins: bool = True) -> Reading:
    """Read the report that a whole file is."""
    return _reading([Report(document, data, 0, len(data), [])], with_bins=with_bins)


def read(text: str, *, with_bins: bool = True) -> Reading:
    """Read every report of a text, whatever stands around them."""
    found = json_documents.split(text)
    reading = _reading(found.reports, with_bins=with_bins)
    reading.refusals = found.refusals
    return reading


def _reading(reports: list[Report], *, with_bins: bool) -> Reading:
    reading = Reading(tool="fio", source_format="json", document_count=len(reports), results=[], warnings=[])
    for index, report in enumerate(reports):
        reading.warnings += report.findings
        reading.tool_version = reading.tool_version or report.document.version
        _read_report(index, report, reading, with_bins=with_bins)
    return reading


def _read_report(index: int, report: Report, reading: Reading, *, with_bins: bool) -> None:
    document = report.document
    for list_name, jobs in (("jobs", document.jobs), ("client_stats", document.client_stats)):
        names = Counter((job.jobname, job.groupid, job.hostname, job.port) for job in jobs)
        for place, job in enumerate(jobs):
            twins = names[job.jobname, job.groupid, job.hostname, job.port]
            load = json_options.load(document, job, twins)
            point = f"{index}#/{list_name}/{place}"
            results = _results(document, job, load, point, with_bins=with_bins)
            reading.results += results
            if not results:
                failed = f" (error {job.error})" if job.error else ""
                message = f"the job {job.jobname!r} completed no I/O{failed}"
                reading.warnings.append(Finding("R-FIO-EMPTY-1", message, point))


def _results(document: Document, job: Job, load: Load, point: str, *, with_bins: bool) -> list[Result]:
    common: dict[str, Any] = {
        "point": point,
        "tool_version": document.version,
        "source_format": "json",
        "scope": _scope(document, job, load),
        "outcome": "error" if job.error else "ok",
        "test_name": job.jobname,
        "group_index": job.groupid,
        "error_code": job.error or None,
        "error_count": job.total_err,
        "cpu_user_ratio": None if job.usr_cpu is None else job.usr_cpu / _PERCENT,
        "cpu_system_ratio": None if job.sys_cpu is None else job.sys_cpu / _PERCENT,
    }
    results = []
    for operation in OPERATIONS:
        direction = getattr(job, operation)
        if direction is not None and not json_result.is_empty(direction):
            columns = common | json_options.workload_columns(document, job, load, operation)
            columns["pointer"] = f"{point}/{operation}"
            results.append(json_result.result(direction, operation, columns, with_bins=with_bins))
    is_sum = job.jobname == ALL_CLIENTS
    for result in results:
        result.is_aggregate = is_sum or (result.operation == "mixed" and len(results) > 1)
    return results


def _scope(document: Document, job: Job, load: Load) -> str:
    if document.client_stats:
        return "all" if job.jobname == ALL_CLIENTS else "client"
    return "group" if load.jobs is None or load.jobs > 1 else "job"
