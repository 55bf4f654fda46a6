"""
When a job of a JSON report was measured, in microseconds since 1970 UTC.

``timestamp`` is when the report was written: the end of the run in local mode, but its start in client mode. It says
nothing about jobs that a later group followed. ``job_start`` (3.36 and later) is the start in milliseconds.
Source: fio's ``stat.c``, ``__show_run_stats()``; ``client.c``, ``json_object_init()``.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from ioledger.readers.fio.json_shape import Document, Job

_MICRO, _MILLI = 1_000_000, 1000
_LATEST = 4_102_444_800
"""2100 in seconds since 1970: later times are not times."""


def started(document: Document, job: Job) -> int | None:
    """Return when a job started, where the report says so."""
    if job.job_start:
        return job_started(job.job_start)
    return written(document) if document.client_stats else None


def job_started(start: int | None) -> int | None:
    """Return when a job started by its own statement, milliseconds since 1970."""
    return start * _MILLI if start and start < _LATEST * _MILLI else None


def ended(document: Document, job: Job, last_group: int | None) -> int | None:
    """Return when a job ended, where the report says so; ``last_group`` is the highest group number in it."""
    return None if document.client_stats or job.groupid != last_group else written(document)


def last_group(document: Document) -> int | None:
    """Return the highest group number of a report."""
    return max((job.groupid for job in document.jobs if job.groupid is not None), default=None)


def written(document: Document) -> int | None:
    """Return when a report was written."""
    if document.timestamp_ms and document.timestamp_ms < _LATEST * _MILLI:
        return document.timestamp_ms * _MILLI
    if document.timestamp and document.timestamp < _LATEST:
        return document.timestamp * _MICRO
    return None
