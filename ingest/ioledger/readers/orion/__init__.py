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

Columns of a matrix count outstanding small I/Os, rows outstanding large I/Os (or streams of them). A blank cell was not
tested. ``_mbps`` starts at column 0 and holds large I/Os only; ``_iops`` and ``_lat`` start at column 1 and hold small
I/Os only. From 11.2 on prose above the matrix names quantity and unit. Before that IOPS are whole numbers and latencies
have two decimals.

The unit of latencies is stated above the matrix, or settled by Little's law, or that of the version, or milliseconds.
IOPS times mean latency is the number of small I/Os. Where both matrices are in one file, that settles an unstated
unit and checks a stated one. ORION 11.1 and older write milliseconds, 11.2 and later microseconds; a file without a
unit whose version is told neither by itself nor by the manifest is read as one of 11.1.
"""

from __future__ import annotations

import re
from operator import add, le, lt
from statistics import median
from typing import TYPE_CHECKING, NamedTuple

import msgspec
from msgspec.structs import replace

from ioledger.model import UNKNOWN, Bins, Checks, Premises, Reading, Result, Tolerances, narrow
from ioledger.readers import KIBI, MICROSECOND, MILLISECOND, printed_seconds, resolution
from ioledger.readers.orion.text import Point, report_of

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from ioledger.model import Source
    from ioledger.readers.orion.text import Headline, Latency, Report, Table

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
        by_point = cells.setdefault(io, {})
        every = ((row, *cell) for row in matrix.rows for cell in zip(matrix.smalls, row.texts, strict=False))
        for row, small, text in every:
            if text and not _is_zero(text):  # else of a point that did nothing
                result = _result_at_point(setup, io, Point(small, row.large), f"line {row.line}, small {small}")
                _put(by_point.setdefault(result.repetition, result), matrix.quantity, text, matrix.unit or MILLISECOND)
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


def _is_zero(text: str) -> bool:
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
        latencies = list(headline.latencies.values())
        if len(latencies) == 1 and (result.read_ratio is None or result.operation == latencies[0].operation):
            _complete(result, latencies.pop())
        result.bins = _bins(headline, result.operation, report) if not latencies else {}
        cell = cells.get(io, {}).get(result.repetition)
        result.is_canonical = cell is None or getattr(cell, _COLUMN[quantity]) is None
        yield result
        for latency in latencies:
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
            report.refuse(headline.line, "the unit of the latency (usecs) is missing", "R-READ-8")
    forms = report.forms or (["summary"] if report.headlines else [])
    reading.source_format = " ".join(dict.fromkeys([*forms, *found])) or None
    reading.refusals = sorted(report.refusals, key=lambda refusal: int(refusal.place.removeprefix("line ")))
    if not reading.refusals:
        reading.results = results(report, found)
        reading.warnings = report.warnings
    return reading


MOST_CELLS, DECIMALS = 100_000, 2
BEYOND = 1000.0  # as milliseconds this is a second per small I/O: more likely microseconds without their prose
ASSUMED = ("no unit stated: read as milliseconds, which 11.1 and older write", "R-ORION-7")
_FIRST_WITH_MICRO = (11, 2)
_REMEDY = "Submit the file with its first lines, or with the _iops matrix of the same run below it."
_HEAD = re.compile(r"[^,]*+(?:, ?\d{1,9} ?)++", re.ASCII)
_CELL = re.compile(r"\d{1,12}(?:\.\d{1,6})?", re.ASCII)
_CELLS = re.compile(rf" *+(?:{_CELL.pattern} *+)?+(?:, *+(?:{_CELL.pattern} *+)?+)*+", re.ASCII)
_PROSE = re.compile(
    r"rates? sustained by small i/os in (?P<iops>iops)"
    r"|rates? sustained by large i/os in (?P<mbps>mbps)"
    r"|latency sustained by small i/os in (?P<latency>microseconds|milliseconds)"
)


class Row(NamedTuple):
    """A row: its line, its large I/Os, and a text per column, empty where nothing was tested; the last may lack."""

    line: int
    large: int
    texts: list[str]


class Matrix(NamedTuple):
    """A matrix of one quantity (``iops``, ``mbps``, ``latency``) and, for latencies, the unit in seconds if stated."""

    line: int
    quantity: str
    unit: float | None
    smalls: list[int]
    rows: list[Row]


def matrices(report: Report, version: str | None) -> dict[str, Matrix]:
    """Return the matrices of a file by quantity; ``version`` is what is known of the version of ORION."""
    found: dict[str, Matrix] = {}
    count = 0
    for table in report.tables:
        smalls, rows = _grid(table, report)
        count += sum(len(row.texts) - row.texts.count("") for row in rows)
        quantity, unit = _quantity(table, rows)
        if count > MOST_CELLS:
            report.refuse(table.line, f"more than {MOST_CELLS:,} cells", "R-READ-8", "Submit each matrix by itself.")
            break
        if not rows:
            report.refuse(table.line, "the matrix has no filled cell", "R-ORION-2")
        elif not quantity:
            what = "the content of the matrix is unknown: it has no description and no known shape"
            report.refuse(table.line, what, "R-READ-8", _REMEDY)
        elif quantity in found:
            what = f"a second {quantity} matrix: the file contains several runs"
            report.refuse(table.line, what, "R-READ-8", "Submit each run by itself.")
        else:
            found[quantity] = Matrix(table.line, quantity, unit, smalls, rows)
    if "latency" in found:
        latency = found["latency"]
        products = list(_outstanding(found["iops"], latency)) if "iops" in found else []
        found["latency"] = latency._replace(unit=latency.unit or _unit(latency, products, version, report))
    return found


def _grid(table: Table, report: Report) -> tuple[list[int], list[Row]]:
    """Return the small I/Os of the columns, and the rows that have a filled cell."""
    smalls = [int(label) for label in table.header.split(",")[1:]] if _HEAD.fullmatch(table.header) else []
    if not smalls or len(set(smalls)) < len(smalls):
        report.refuse(table.line, f"{table.header[:80]!r} is no head of a matrix", "R-READ-8")
        return [], []
    rows: list[Row] = []
    larges = set[int]()
    for line, text in table.rows:
        label, comma, cells = text.partition(",")
        large = int(label.strip())
        if large in larges or cells.count(",") >= len(smalls):
            report.refuse(line, f"the row of {large} appears twice or is too long", "R-READ-8")
            continue
        larges.add(large)
        if comma:
            is_regular = _CELLS.fullmatch(cells)
            texts = cells.replace(" ", "").split(",") if is_regular else _check_cells(line, cells, smalls, report)
            if any(texts):
                rows.append(Row(line, large, texts))
    return smalls, rows


def _check_cells(line: int, cells: str, smalls: list[int], report: Report) -> list[str]:
    """Return the cells of a row that is not quite ORION's; one that is no number is told of and left out."""
    texts = [" ".join(text.split()) for text in cells.split(",")]
    for small, text in zip(smalls, texts, strict=False):
        if text and not _CELL.fullmatch(text):
            report.refuse(line, f"{text[:40]!r} at small {small} is no number", "R-READ-8")
    return [text if _CELL.fullmatch(text) else "" for text in texts]


def _quantity(table: Table, rows: list[Row]) -> tuple[str | None, float | None]:
    """Return the content of a matrix, by its description or (before 11.2) its shape; and the unit of latencies."""
    prose = table.prose.lower()
    if stated := list(_PROSE.finditer(prose)):
        quantity = stated[-1].lastgroup
        return quantity, {"microseconds": MICROSECOND, "milliseconds": MILLISECOND}.get(stated[-1][quantity or 0])
    is_large_first = table.header.partition(",")[2].partition(",")[0].strip() == "0"
    is_idle_tested = any(row.large == 0 for row in rows)
    if is_large_first and not is_idle_tested:
        return "mbps", None
    if is_large_first or not is_idle_tested:
        return None, None
    decimals = {len(text.partition(".")[2]) for row in rows for text in row.texts if text}
    quantity = "iops" if decimals == {0} else "latency" if decimals == {DECIMALS} else None
    return quantity, MICROSECOND if "microsecond" in prose else None


def writes_microseconds(version: str | None) -> bool | None:
    """Say whether a version of ORION writes latencies in microseconds; null when the version is not known."""
    found = re.search(r"(\d{1,4})\.(\d{1,4})", version or "")
    return (int(found[1]), int(found[2])) >= _FIRST_WITH_MICRO if found else None


def _unit(matrix: Matrix, products: list[float], version: str | None, report: Report) -> float:
    """Return the unit of latencies that state none; one that is in doubt is refused or told."""
    if products:
        middle = median(products)
        units = [unit for unit in (MILLISECOND, MICROSECOND) if 1 / 2 < middle * unit < 2]  # noqa: PLR2004  (far from 1000)
        if not units:
            what = "IOPS times latency is the number of small I/Os in neither milliseconds nor microseconds"
            report.refuse(matrix.line, what, "R-READ-8", _REMEDY)
        return units[0] if units else MILLISECOND
    is_micro = writes_microseconds(version)
    if is_micro:
        return MICROSECOND
    if any(float(text) > BEYOND for row in matrix.rows for text in row.texts if text):
        report.refuse(matrix.line, "no unit stated, and too long for milliseconds", "R-READ-8", _REMEDY)
    if is_micro is None:
        report.warn(matrix.line, *ASSUMED)
    return MILLISECOND


def _outstanding(iops: Matrix, latency: Matrix) -> Iterator[float]:
    """Give IOPS times latency over small I/Os of each common point (Little's law)."""
    rates = {row.large: dict(zip(iops.smalls, row.texts, strict=False)) for row in iops.rows}
    for row in latency.rows:
        rate_of = rates.get(row.large, {})
        for small, text in zip(latency.smalls, row.texts, strict=False):
            rate, mean = rate_of.get(small), float(text or 0)
            if small and rate and mean:
                yield float(rate) * mean / small
