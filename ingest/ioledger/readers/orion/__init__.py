"""
ORION, Oracle's I/O calibration tool: its summary, its three matrices and its console output.

Claims  a version banner, a matrix that starts with ``Large/Small``, a headline such as ``Maximum Small IOPS=``, or the
        prose at the top of its files.
Emits   one result per filled cell (blank is untested, so no row) and per headline. Small and large I/Os of one point
        are two results with one ``point``. The three headlines are three points and are never put together. Where the
        file does not say whether large I/Os are random, their load is unknown: for sequential ones the axis counts
        streams.
        Beside a matrix the summary of its run tells version, sizes, kinds and share of I/Os, and how long points last.
Units   IOPS; MBPS of an unproven base, so throughput is null and the printed number is kept; latency in microseconds
        where the file says so, else milliseconds as before 11.2; sizes in KB of 1024 bytes.
Source  ORION's ``-help``, the Performance Tuning Guide of 12c, and outputs of 10.2 to 19.3.
"""

from __future__ import annotations

import re
from operator import add, le, lt
from typing import TYPE_CHECKING, NamedTuple

import msgspec
from msgspec.structs import replace

from ioledger.model import UNKNOWN, Bins, Checks, Premises, Reading, Result, Tolerances, narrow
from ioledger.readers.orion.matrices import matrices, writes_microseconds
from ioledger.readers.orion.text import Point, report_of
from ioledger.readers.units import KIBI, MICROSECOND, MILLISECOND, printed_seconds, resolution

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from ioledger.model import Source
    from ioledger.readers.orion.matrices import Matrix
    from ioledger.readers.orion.text import Headline, Latency, Report

OPEN_EDGE = 1 << 28
"""The printed end of the last bin in microseconds, which is no measured edge: the bin is open."""
_PERCENT, _STREAM_DEPTH = 100, 4
_OPTION = re.compile(r"-(\w{1,40}) +([^- ]\S{0,200})")
_QUANTITY = {"Large MBPS": "mbps", "Small IOPS": "iops", "Small Latency": "latency"}
_COLUMN = {"mbps": "printed_value", "iops": "operations_per_second", "latency": "latency_mean_seconds"}
Cells = dict[str, dict[str, Result]]
"""Results of matrices by kind of I/O (``small``, ``large``) and by point."""


class Setup(NamedTuple):
    """What all points of a run share: a result of each kind of I/O (``small``, ``large``), streams, options by name."""

    results: dict[str, Result]
    stream_depth: int | None
    """Outstanding I/Os per stream, null if not stated; 0 when no options are known at all."""
    options: dict[str, str]


def results(report: Report, matrices: Mapping[str, Matrix]) -> list[Result]:
    """Return the results of the headlines, then those of the cells, which may repeat the headlines."""
    setup = _setup(report.facts)
    cells: Cells = {}
    for matrix in matrices.values():
        io = "large" if matrix.quantity == "mbps" else "small"
        _fill(cells.setdefault(io, {}), matrix, io, setup)
    found = list(_of_headlines(report, setup, cells))
    for by_point in cells.values():
        found += by_point.values()
    return found


def _setup(facts: Mapping[str, str]) -> Setup:
    """Return the setup from the facts of a file, which may have none (a matrix alone)."""
    line = facts.get("options", "").replace("\u2013", "-").replace("\u2212", "-")
    options = {name: re.split(r"[/\\]", value)[-1] for name, value in _OPTION.findall(line)}
    writes = _whole(facts.get("write"))
    found = {}
    for io in ("small", "large"):
        kilobytes = _whole(facts.get(f"{io}_size"))
        size = kilobytes * KIBI if kilobytes else None
        pattern = re.search(rf"{io} (random|sequential)", facts.get("types", "").lower())
        found[io] = Result(
            pointer="",
            repetition="",
            source_format="matrix",
            scope="point",
            tool_version=facts.get("version"),
            test_name=facts.get("test", facts.get("name")),
            operation="mixed" if writes is None else {0: "read", _PERCENT: "write"}.get(writes, "mixed"),
            read_ratio=None if writes is None else (_PERCENT - writes) / _PERCENT,
            duration_seconds=float(facts["duration"]) if _whole(facts.get("duration")) else None,
            target_count=_whole(facts.get("targets")) or None,
            block_size_bytes=size,
            block_size_min_bytes=size,
            block_size_max_bytes=size,
            access_pattern=pattern[1] if pattern else None,
            random_ratio=float(pattern[1] == "random") if pattern else None,
            printed_unit="MBPS" if io == "large" else None,
            unit_basis="unknown" if io == "large" else "exact",
        )
    return Setup(found, _whole(options.get("num_streamIO")) or None if options else 0, options)


def _whole(text: str | None) -> int | None:
    return int(text) if text is not None and re.fullmatch(r"\d{1,9}", text, re.ASCII) else None


def _result_at_point(setup: Setup, io: str, point: Point, pointer: str) -> Result:
    """Return a result of a kind of I/O at a point, without its figures."""
    is_large, is_stream = io == "large", setup.results["large"].access_pattern == "sequential"
    pattern, origin = setup.results["large"].access_pattern, "file"
    outstanding: int | None = point.large
    if point.large and (pattern is None or (is_stream and setup.stream_depth == 0)):
        outstanding = None
    elif point.large and is_stream:
        outstanding = point.large * (setup.stream_depth or _STREAM_DEPTH)
        origin = "file" if setup.stream_depth else "default"
    depth = None if outstanding is None else point.small + outstanding or None
    beside = None
    if point.small and point.large:
        count, other = (point.small, "small I/O") if is_large else (point.large, "large I/O")
        other = "large stream" if is_stream and not is_large else other
        beside = f"beside {count} {other}{'s' if count > 1 else ''}"
    options = setup.options | {"num_large": str(point.large), "num_small": str(point.small)}
    return replace(
        setup.results[io],
        pointer=pointer,
        repetition=str(point),
        queue_depth=depth,
        queue_depth_origin=origin if depth else None,
        load_basis=("streams" if is_large and is_stream else "outstanding") if depth else None,
        qualifier=beside,
        premises=UNKNOWN if is_large else Premises(outstanding_count=point.small or None),
        job_options=msgspec.json.encode(options, order="sorted").decode(),
    )


def _fill(found: dict[str, Result], matrix: Matrix, io: str, setup: Setup) -> None:
    """Add the results of a matrix, or its figures to the results that another matrix gave."""
    for line, large, texts in matrix.rows:
        for small, text in zip(matrix.smalls, texts, strict=False):
            if text and not _is_zero(text):  # else of a point that did nothing
                result = _result_at_point(setup, io, Point(small, large), f"line {line}, small {small}")
                _put(found.setdefault(result.repetition, result), matrix.quantity, text, matrix.unit or MILLISECOND)


def _is_zero(text: str) -> bool:
    """Say whether a printed number is nothing but zeros."""
    return not text.strip("0.")


def _put(result: Result, quantity: str, text: str, unit: float) -> None:
    """Put a figure as it is printed into a result; ``unit`` is that of a latency, in seconds."""
    decimals = len(text.partition(".")[2])
    if quantity == "iops":  # ORION counts no operations, so the printed number is all there is
        result.operations_per_second, result.operations_basis = float(text), "printed"
        result.operations_resolution_per_second = resolution(1, decimals)
    elif quantity == "mbps":  # of an unproven base, so they give no throughput
        result.printed_value, result.printed_text = float(text), text
    else:
        result.latency_kind, result.latency_mean_seconds = "total", printed_seconds(text, unit)
        result.latency_resolution_seconds = resolution(unit, decimals)


def _of_headlines(report: Report, setup: Setup, cells: Cells) -> Iterator[Result]:
    """Yield the results of the headlines; a value that a matrix of the file has too is not canonical."""
    split = set[tuple[str, str]]()
    source_format = "console" if "console" in report.forms else "summary"
    for headline in report.headlines:
        quantity = _QUANTITY[headline.quantity]
        io = "large" if quantity == "mbps" else "small"
        if _is_zero(headline.text):
            continue
        result = _result_at_point(setup, io, headline.point, f"line {headline.line}")
        result.source_format = source_format
        result.statistic = "minimum" if quantity == "latency" else "peak"
        result.printed_value, result.printed_text = float(headline.text), headline.text
        result.printed_unit = {"iops": "IOPS", "mbps": "MBPS"}.get(quantity, headline.unit)
        _put(result, quantity, headline.text, MICROSECOND if headline.unit else MILLISECOND)
        told = list(headline.latencies.values())
        if len(told) == 1 and (result.read_ratio is None or result.operation == told[0].operation):
            _complete(result, told.pop())
        result.bins = _bins(headline, result.operation, report) if not told else {}
        cell = cells.get(io, {}).get(result.repetition)
        result.is_canonical = cell is None or getattr(cell, _COLUMN[quantity]) is None
        yield result
        for latency in told:
            if (result.repetition, latency.operation) not in split:
                split.add((result.repetition, latency.operation))
                alone = _result_at_point(setup, io, headline.point, f"line {latency.line}")
                alone.source_format = source_format
                alone.bins = _bins(headline, latency.operation, report)
                _complete(alone, latency)
                yield alone


def _complete(result: Result, latency: Latency) -> None:
    """Add a latency line, which is in microseconds, to the result it tells of; a mean that is known stays."""
    low, high, deviation = (
        printed_seconds(text, MICROSECOND) or None for text in (latency.low, latency.high, latency.deviation)
    )
    result.latency_min_seconds, result.latency_max_seconds, result.latency_stddev_seconds = low, high, deviation
    if result.latency_mean_seconds is None:
        _put(result, "latency", latency.mean, MICROSECOND)
        result.latency_mean_seconds = result.latency_mean_seconds or None
    result.operation = latency.operation


def _bins(headline: Headline, operation: str, report: Report) -> dict[str, Bins]:
    """Return the filled bins of an operation (reads and writes together for ``mixed``), by latency kind."""
    if not headline.bins:
        return {}
    _, low, high, reads, writes = (list(column) for column in zip(*headline.bins, strict=True))
    if not (all(map(lt, low, high)) and all(map(le, high, low[1:]))):
        report.warn(headline.bins[0][0], "histogram excluded: its bins overlap", "R-ORION-7")
        return {}
    counts = {"read": reads, "write": writes}.get(operation) or list(map(add, reads, writes))
    filled = [
        (start * MICROSECOND, None if end >= OPEN_EDGE else end * MICROSECOND, count)
        for start, end, count in zip(low, high, counts, strict=True)
        if count
    ]
    return {"total": Bins.of(filled)} if filled else {}


TOOL = "orion"
FORMATS = (
    "summary of 10.2 to 12c",
    "console output of 12.2 to 19c, with latency lines and histogram",
    "matrices _iops, _mbps and _lat: bare as in 11.1, and with the prose of 11.2 to 19c above",
)
VERSIONS = {"summary": "0.1.0", "console": "0.1.0", "matrix": "0.1.0"}
"""What is read, by the first word of the format; see :class:`ioledger.readers.detect.Reader`."""
CHECKS = Checks(
    rules={
        "latency_within_run": "R-CHECK-1",
        "mean_lies_between": "R-CHECK-2",
        "not_more_outstanding": "R-CHECK-1",
        "not_fewer_outstanding": "R-CHECK-1",
    },
    formats={"": Tolerances(mean_ticks=0.5)},
)
_TOKENS = (
    b"ORION VERSION ",
    b"ORION: ORacle IO Numbers",
    b"Large/Small",
    b"Maximum Large MBPS",
    b"Maximum Small IOPS",
    b"Minimum Small Latency",
    b"sustained by small I/Os",
    b"histograms of the latencies observed",
)


def claims(head: bytes) -> bool:
    """Say whether these bytes are ORION's (UTF-16 included, which PowerShell's ``>`` writes)."""
    plain = narrow(head)
    return any(token in plain for token in _TOKENS)


def read(source: Source) -> Reading:
    """Read a file; one with any fault gives no results, and every fault is named with its line."""
    reading = Reading(tool=TOOL, document_count=1)
    text, reading.encoding = source.decode()
    report = report_of(text)
    if source.job is not None:  # the summary of the run that a matrix is of: a matrix alone says next to nothing
        report.facts = report_of(msgspec.structs.replace(source, data=source.job).decode()[0]).facts | report.facts
    reading.tool_version = report.facts.get("version")
    found = matrices(report, reading.tool_version or source.tool_version)
    for headline in report.headlines if writes_microseconds(report.facts.get("version")) else ():
        if not headline.unit and headline.quantity == "Small Latency":
            report.refuse(headline.line, "the unit of the latency (usecs) is missing", "R-ORION-3")
    forms = report.forms or (["summary"] if report.headlines else [])
    reading.source_format = " ".join(dict.fromkeys([*forms, *found])) or None
    reading.refusals = sorted(report.refusals, key=lambda refusal: int(refusal.place.removeprefix("line ")))
    if not reading.refusals:
        reading.results = results(report, found)
        reading.warnings = report.warnings
    return reading
