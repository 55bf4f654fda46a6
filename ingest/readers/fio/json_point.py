"""
One job of a JSON report as results: what its operations share, the results, and what is odd about them.

Source: fio's ``stat.c``, ``show_thread_status_json()``.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

from ingest.readers.fio import json_checks, json_latency, json_options, json_result, json_times, point_checks
from ingest.readers.fio.json_options import ALL_CLIENTS
from ingest.readers.fio.json_shape import OPERATIONS
from ingest.record import Finding

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ingest.readers.fio.json_options import Load
    from ingest.readers.fio.json_shape import Document, Job
    from ingest.record import Reading, Result

_PERCENT = 100
_SEVERAL = 1.5
_NO_BLOCKS = dict.fromkeys(("block_size_bytes", "block_size_min_bytes", "block_size_max_bytes"))
"""A synchronisation moves no blocks of its own."""


class Context(NamedTuple):
    """The report a job stands in, the columns that it shares with others, and whether histograms are wanted."""

    document: Document
    common: dict[str, Any]
    with_bins: bool


def read(context: Context, job: Job, twins: int, reading: Reading) -> None:
    """
    Add the results of one job, and what is odd about it, to a reading.

    The context's columns hold the job's point; ``twins`` counts the objects of the job's name in its report.
    """
    load = json_options.load(context.document, job, twins)
    results = _results(context, job, load, reading.warnings)
    reading.results += results
    if not context.common["is_partial"]:
        said = [*_said(job, load, results), *_lost_numjobs(results, load)]
        reading.warnings += [Finding(rule, text, context.common["point"]) for rule, text in said]
        reading.warnings += point_checks.of_point(results, load.options.values, job.latency_depth)


def _results(context: Context, job: Job, load: Load, warnings: list[Finding]) -> list[Result]:
    document = context.document
    common = context.common | _job_columns(document, job, load, context.common["outcome"])
    results = []
    is_total_kept = load.options.values.get("lat_percentiles") == "1"
    for operation in OPERATIONS:
        direction = getattr(job, operation)
        if direction is None or json_result.is_empty(direction):
            continue
        is_moved = json_latency.relabelled(direction, is_total_kept=is_total_kept)
        columns = common | json_options.workload_columns(document, job, load, operation)
        columns["pointer"] = f"{common['point']}/{operation}"
        if operation == "sync":
            columns |= _NO_BLOCKS
        result = json_result.result(direction, operation, columns, with_bins=context.with_bins)
        results.append(result)
        if not common["is_partial"]:
            warnings += json_checks.of_result(result, direction)
        if is_moved:
            text = "the percentiles under clat_ns are those of the total latency, and are kept as such"
            warnings.append(Finding("R-FIO-PERCENTILE-2", text, result.pointer))
    is_sum = job.jobname == ALL_CLIENTS
    for result in results:
        result.is_aggregate = is_sum or (result.operation == "mixed" and len(results) > 1)
    return results


def _job_columns(document: Document, job: Job, load: Load, outcome: str) -> dict[str, Any]:
    steady = job.steadystate
    return {
        "scope": _scope(document, job, load),
        "outcome": "error" if job.error else outcome,
        "test_name": job.jobname,
        "group_index": job.groupid,
        "started_at": json_times.started(document, job),
        "ended_at": json_times.ended(document, job, json_times.last_group(document)),
        "error_code": job.error or None,
        "error_count": job.total_err,
        "cpu_user_ratio": None if job.usr_cpu is None else job.usr_cpu / _PERCENT,
        "cpu_system_ratio": None if job.sys_cpu is None else job.sys_cpu / _PERCENT,
        "steady_state_criterion": steady.ss if steady else None,
        "is_steady_state_attained": bool(steady.attained) if steady and steady.attained is not None else None,
    }


def _scope(document: Document, job: Job, load: Load) -> str:
    if document.client_stats:
        return "all" if job.jobname == ALL_CLIENTS else "client"
    return "group" if load.is_merged or (load.jobs or 1) > 1 else "job"


def _said(job: Job, load: Load, results: list[Result]) -> list[tuple[str, str]]:
    """Return what is odd about a job as a whole, as rule and sentence."""
    said = []
    if not results:
        failed = f" (error {job.error})" if job.error else ""
        said.append(("R-FIO-EMPTY-1", f"the job {job.jobname!r} completed no I/O{failed}"))
    elif job.error:
        said.append(("R-FIO-ERROR-1", f"the job {job.jobname!r} ended with error {job.error}"))
    if load.is_merged:
        text = f"the report merges jobs under the name {job.jobname!r}, but states the options of the last one only"
        said.append(("R-FIO-GROUP-1", text))
    if load.repeated:
        names = ", ".join(sorted(load.repeated))
        said.append(("R-FIO-DUPLICATE-3", f"stated more than once with different values: {names}; the last holds"))
    return said


def _lost_numjobs(results: list[Result], load: Load) -> Iterator[tuple[str, str]]:
    """
    Take the queue depth as unknown where ``numjobs`` is not stated and more I/Os were outstanding than one job has.

    fio left ``numjobs`` out of the global options from 2.3 to 3.3 (commits 876e1001, 0cf542af).
    """
    if load.is_count_stated or not results or not results[0].queue_depth:
        return
    achieved = point_checks.outstanding([result for result in results if not result.is_aggregate])
    if achieved is not None and achieved > _SEVERAL * results[0].queue_depth:
        for result in results:
            result.queue_depth = result.queue_depth_origin = result.process_count = None
            result.scope = "group"
        yield "R-FIO-NUMJOBS-1", "numjobs is not stated, but more I/Os were outstanding than one job could have"
