"""
One job of a JSON report as results: what its operations share, the results, and what is odd about them.

Source: fio's ``stat.c``, ``show_thread_status_json()``.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from ioledger.readers.base import Finding
from ioledger.readers.fio import (
    counted,
    jobfile,
    json_bins,
    json_checks,
    json_latency,
    json_load,
    json_result,
    json_times,
    latency,
    point_checks,
)
from ioledger.readers.fio.json_options import ALL_CLIENTS
from ioledger.readers.fio.json_shape import OPERATIONS

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from ioledger.readers.base import Reading, Result
    from ioledger.readers.fio.json_load import Load, Sections
    from ioledger.readers.fio.json_shape import Direction, Document, Job

_PERCENT, _MILLI = 100, 1000
_SEVERAL = 1.5


class Context(NamedTuple):
    """The report a job stands in: what its jobs share, and whether histograms are wanted."""

    document: Document
    last_group: int | None
    members: Mapping[int | None, int]
    """How many objects stand for each group."""
    outcome: str
    is_partial: bool
    with_bins: bool
    sections: Sections
    """Those of the job file that the manifest names."""


def read(context: Context, job: Job, point: str, twins: int, reading: Reading) -> None:
    """
    Add the results of one job, and what is odd about it, to a reading.

    ``point`` is the job's place in the file, ``twins`` counts the objects of the job's name in its report.
    """
    load = json_load.load(context.document, job, twins, context.sections)
    load = load._replace(is_alone=json_load.is_alone(context.members.get(job.groupid, 0), job, load))
    results = []
    run_seconds = max((part.runtime or 0 for part in _parts(job)), default=0) / _MILLI
    for operation in OPERATIONS:
        direction = getattr(job, operation)
        if direction is not None and not json_result.is_empty(direction):
            result = json_load.blank(load, operation)
            result.pointer, result.repetition = f"{point}/{operation}", point
            _describe(result, context, job, load)
            reading.warnings += _measure(result, context, direction, load, run_seconds)
            results.append(result)
    if job.mixed is not None and len(results) > 1:
        for result in results:
            result.is_aggregate = result.is_aggregate or result.operation == "mixed"
    reading.results += results
    sought = point_checks.sought(job.latency_target, job.latency_depth, load.options.values)
    point_checks.seek(results, sought)
    if not context.is_partial:
        said = [*_said(job, load, results), *_lost_numjobs(results, load)]
        reading.warnings += [Finding(rule, text, point) for rule, text in said]
        reading.warnings += jobfile.findings(load.options, point)
        reading.warnings += point_checks.of_point(results, load.options.values, sought)


def _measure(result: Result, context: Context, direction: Direction, load: Load, run_seconds: float) -> list[Finding]:
    """Set what a direction measured, and return what is odd about it; ``run_seconds`` is how long its job ran."""
    is_total_kept = load.options.values.get("lat_percentiles") == "1"
    is_moved = json_latency.relabelled(direction, is_total_kept=is_total_kept)
    json_result.measure(result, direction, with_bins=context.with_bins)
    lost = json_bins.lost(json_latency.parts(direction), result.bins) if context.with_bins else []
    is_ramp_known = load.options.is_complete and not load.is_merged
    warnings = latency.withheld(result, run_seconds, load.options.values, is_ramp_known=is_ramp_known)
    if not context.is_partial:
        warnings += json_checks.of_result(result, direction)
        is_alone = load.is_alone and not result.is_aggregate
        counted.settle(result, json_result.resolution(direction), warnings, is_alone=is_alone)
    warnings += [Finding("R-READ-6", text, result.pointer) for text in json_result.beyond(direction)]
    for kind in lost if result.source_format == "json+" else ():
        text = f"the histogram of {kind} latency has bins or counts that fio does not write, and is left out"
        warnings.append(Finding("R-FIO-BINS-2", text, result.pointer))
    if is_moved:
        text = "the percentiles under clat_ns are those of the total latency, and are kept as such"
        warnings.append(Finding("R-FIO-PERCENTILE-2", text, result.pointer))
    return warnings


def _parts(job: Job) -> list[Direction]:
    return [part for operation in OPERATIONS if (part := getattr(job, operation)) is not None]


def _describe(result: Result, context: Context, job: Job, load: Load) -> None:
    """Set the columns that a result shares with the others of its job."""
    document, steady = context.document, job.steadystate
    result.tool_version = document.version
    result.scope = _scope(document, job, load)
    result.is_aggregate = job.jobname == ALL_CLIENTS
    result.is_partial = context.is_partial
    result.outcome = "error" if job.error else context.outcome
    result.test_name = job.jobname
    result.group_index = job.groupid
    result.started_at = json_times.started(document, job)
    result.ended_at = json_times.ended(document, job, context.last_group)
    result.error_code = job.error or None
    result.error_count = job.total_err
    if job.usr_cpu is not None:
        result.cpu_user_ratio = job.usr_cpu / _PERCENT
    if job.sys_cpu is not None:
        result.cpu_system_ratio = job.sys_cpu / _PERCENT
    if steady is not None:
        result.steady_state_criterion = steady.ss
        result.is_steady_state_attained = None if steady.attained is None else bool(steady.attained)


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
    if load.options.repeated:
        names = ", ".join(sorted(load.options.repeated))
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
