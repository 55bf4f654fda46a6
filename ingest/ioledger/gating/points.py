"""
One side of a gate: the runs of each point that its files hold, or that are published of a configuration.

A point is a load as it was asked for: operation, pattern, mix, block, depth, processes, direct, engine, and whether a
device or a file was measured. A run is one result that covers the whole load; sums beside their parts, and parts beside
their sum, are left out as the models leave them out (``models/intermediate/int_results_loaded.sql``).
"""

from __future__ import annotations

import os
import re
from collections import defaultdict
from datetime import timedelta
from pathlib import PurePosixPath
from typing import TYPE_CHECKING, Any, NamedTuple

import msgspec
import pyarrow as pa

from ioledger import loading
from ioledger.gating import Span
from ioledger.loading.copies import file_of, select_whole_loads
from ioledger.loading.files import EMPTY
from ioledger.loading.parse import RESULTS
from ioledger.problems import Problem, fitting
from ioledger.readers.load_options import effective_load_options
from ioledger.tables.openmetrics import TAIL, tails
from ioledger.workspace import UnusableError, open_database

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable
    from pathlib import Path

    from ioledger.loading.copies import Chunk, File

    Row = dict[str, Any]

P99 = "latency_p99_seconds"
METRICS = {
    "iops": "operations_per_second",
    "throughput": "throughput_bytes_per_second",
    "latency": "latency_mean_seconds",
    "p99": P99,
}
"""What can be gated, by its word on the command line: the column that holds it."""
PERCENTILES = "latency_percentiles"
_DEVICE = re.compile(
    r"(?:[shv]d[a-z]+|xvd[a-z]+|nvme\d+n\d+|mmcblk\d+|pmem\d+|md\d+|dm-\d+|ram\d+)(?:p?\d+)?|PhysicalDrive\d+",
    re.IGNORECASE,
)
"""Names that Linux and Windows give to drives and their partitions; of a path the results keep the last part."""
_EMPTY = frozenset({"R-FIO-EMPTY-1", "R-IOMETER-EMPTY-1"})
"""Rules of runs, or parts of them, that moved nothing: they have no row of their own."""
_UNKNOWN_FILE = "R-DETECT-1"
"""The rule of a file that no reader knows: below a folder it need not be a result."""
_SHARES = 4

PUBLISHED = "published:"
_REMEDY = "Build with ioledger build --base RELEASE, or name the release's ioledger.duckdb with --database."
_NAMES = "select distinct submission_id, configuration_id from results where is_comparable order by all"
_ROWS = f"""
select results.*, tail.latency_seconds as "{P99}"
from results
left join (
  select result_id, arg_min(latency_seconds, latency_kind <> 'total') as latency_seconds
  from latency_percentiles where percentile_ratio = 0.99 and latency_kind in ('total', 'completion') group by result_id
) as tail on tail.result_id = results.result_id
where submission_id = $1 and configuration_id = $2
order by results.source_path, results.source_pointer, results.result_id
"""  # noqa: S608  (a constant)


class Point(NamedTuple):
    """A load as it was asked for; null is not stated, and equal to itself. Blocks are bytes."""

    operation: str
    access_pattern: str | None
    random_ratio: float | None
    read_ratio: float | None
    block_size_min_bytes: int | None
    block_size_max_bytes: int | None
    queue_depth: int | None
    process_count: int | None
    is_direct: bool | None
    engine: str | None
    target_kind: str | None


class Run(NamedTuple):
    """One run of a point; ``problem`` says why its values are none, because a run that failed is not slow."""

    values: dict[str, float | None]
    latency_kind: str | None
    operation_count: int | None
    span: Span | None
    result_id: str
    place: str
    options: str
    problem: str | None = None


class Side(NamedTuple):
    """The runs of each point of a side, in time; how it was named; and what kept files from being read."""

    name: str
    points: dict[Point, list[Run]]
    problems: list[Problem]
    empty: tuple[str, ...] = ()
    """Where a run moved nothing at all: it failed, and is of no point."""
    copies: tuple[str, ...] = ()
    """Files with the bytes of another one of this side, whose runs count once."""
    unknown: tuple[str, ...] = ()
    """Files that no reader knows and whose name is not that of a result: they are left out, and told."""
    read_count: int = 0
    """Files that were read, results or not: a log of single operations has no figures of a whole run."""


def read(path: str | os.PathLike[str], *, wants_p99: bool = False) -> Side:
    """Read a file, a folder with all below it, or an archive; raises FileNotFoundError when it is not there."""
    wanted = (RESULTS, "findings", *([PERCENTILES] if wants_p99 else []))
    return collect_side(os.fspath(path), loading.read_chunks(path, wanted))


def read_published(name: str, database: Path) -> Side:
    """Read the runs of a published configuration; what cannot be read is a problem of the side, without points."""
    asked = name.removeprefix(PUBLISHED)
    try:
        with open_database(database, _REMEDY) as connection:
            found = fitting(asked, connection.execute(_NAMES).fetchall())
            if len(found) != 1:
                what = f"{len(found)} published configurations are called {asked}"
                choices = ", ".join("/".join(pair) for pair in found) or "ioledger sql 'from configurations' lists them"
                return Side(name, {}, [Problem(name, "", what, f"Use one of: {choices}.", "R-COMPARE-1")])
            rows = connection.sql(_ROWS, params=found[0]).to_arrow_table().to_pylist()
    except UnusableError as error:
        return Side(name, {}, [error.problem])
    return Side(name, group_runs(select_whole_loads(rows)), [])


def collect_side(name: str, chunks: Iterable[Chunk]) -> Side:
    """Return a side of what was read; an unknown file is a problem where it is named as the results beside it are."""
    rows: list[Row] = []
    files: list[File] = []
    empty: list[str] = []
    for chunk in chunks:
        p99 = tails(chunk.tables[PERCENTILES], TAIL) if PERCENTILES in chunk.tables else {}
        results, findings = (pa.ipc.open_stream(chunk.tables[each]).read_all() for each in (RESULTS, "findings"))
        rows += ({**row, P99: p99.get(row["result_id"])} for row in results.to_pylist())
        moved_nothing = (each for each in findings.to_pylist() if each["rule_id"] in _EMPTY)
        empty += (f"{each['source_path']}#{each['source_pointer']}" for each in moved_nothing)
        files += chunk.files
    suffix_of = {file.name: PurePosixPath(file.name).suffix.lower() for file in files}
    with_results = {file.name for file in files if file.result_count}
    suffixes = {suffix_of[file] for file in with_results}
    problems: list[Problem] = []
    unknown = []
    for file in files:
        is_alike = suffix_of[file.name] in suffixes
        if file.rule != _UNKNOWN_FILE or file.source_path == name or is_alike:
            problems += file.problems
        elif file.problems:
            unknown.append(file.name)
        if file.reason == EMPTY and not file.problems and is_alike:
            what = "it is empty, although files with such names contain results here"
            problems.append(Problem(file.name, "", what, "Measure it again, or remove it.", str(file.rule)))
    copies = tuple(file.name for file in files if file.duplicate_of in with_results)
    read_count = sum(file.status == "read" for file in files)
    points = group_runs(select_whole_loads(rows))
    return Side(name, points, problems, tuple(empty), copies, tuple(unknown), read_count)


def group_runs(rows: Collection[Row]) -> dict[Point, list[Run]]:
    """Return the runs of each point, in time as far as it is known; points in an order that people expect."""
    spans = _date_runs(rows)
    found: dict[Point, list[Run]] = defaultdict(list)
    for row in rows:
        found[make_point(row)].append(_make_run(row, spans[file_of(row), row["repetition_id"]]))
    for runs in found.values():
        if all(run.span for run in runs):
            runs.sort(key=lambda run: (run.span.end, run.span.start) if run.span else ())
    return dict(sorted(found.items(), key=lambda item: [(each is None, each) for each in item[0]]))


def _make_run(row: Row, span: Span | None) -> Run:
    problem = None
    if row["outcome"] != "ok":
        problem = f"a run ended as {row['outcome']}"
    elif row["is_queue_depth_sought"]:
        problem = "fio searched for the queue depth (latency_target)"
    return Run(
        values={metric: None if problem else row[metric] for metric in METRICS.values()},
        latency_kind=row["latency_kind"],
        operation_count=row["operation_count"],
        span=span,
        result_id=row["result_id"],
        place=f"{row['source_path']}#{row['source_pointer']}",
        options=effective_load_options(row["job_options"]),
        problem=problem,
    )


def make_point(row: Row) -> Point:
    """Return the point of a result."""
    stated = {name: row[name] for name in Point._fields[:-1]}
    shares = {name: round(row[name], _SHARES) for name in ("random_ratio", "read_ratio") if row[name] is not None}
    return Point(**{**stated, **shares}, target_kind=_find_target_kind(row["job_options"]))


def _find_target_kind(job_options: str | None) -> str | None:
    """Return whether a device or a file was measured; null where the options of the tool do not say."""
    try:
        stated = msgspec.json.decode(job_options or "{}", type=dict[str, Any])
    except msgspec.DecodeError:
        return None
    name = stated.get("filename")
    name = name[-1] if isinstance(name, list) and name else name
    if isinstance(name, str) and name:
        return "device" if _DEVICE.fullmatch(name.split(":")[0]) else "file"
    return "file" if stated.get("directory") else None


def _date_runs(rows: Iterable[Row]) -> dict[tuple[str, str], Span | None]:
    """Return when each repetition ran, by file and repetition."""
    # A file that dates few of its runs, as fio's reports date the last only, dates the others by its own span: they lie
    # between its end and as much before it as all of them took.
    by_file: dict[str, dict[str, tuple[timedelta, Span | None]]] = defaultdict(dict)
    for row in rows:
        took = timedelta(seconds=sum(row[name] or 0 for name in ("duration_seconds", "ramp_seconds")))
        start, end = row["started_at"], row["ended_at"]
        span = None if start is None and end is None else Span(start or end - took, end or start + took)
        repetitions = by_file[file_of(row)]
        _, before = repetitions.get(row["repetition_id"], (took, None))
        repetitions[row["repetition_id"]] = (took, span or before)
    found: dict[tuple[str, str], Span | None] = {}
    for file, repetitions in by_file.items():
        known = [span for _, span in repetitions.values() if span is not None]
        own = None
        if known:
            last = max(span.end for span in known)
            total = sum((took for took, _ in repetitions.values()), timedelta())
            own = Span(min([last - total, *(span.start for span in known)]), last)
        found |= {(file, name): span or own for name, (_, span) in repetitions.items()}
    return found
