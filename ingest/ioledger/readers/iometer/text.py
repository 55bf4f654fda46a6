"""
Result files line by line: tests, access specifications, runs, and the rows of figures below their header.

Iometer appends: one file may hold many tests, a test many access specifications, a specification many runs. Each run is
closed by a time stamp. 1.1.0 ends a test with ``'End Test``; all versions write ``Aborted test`` after the results of
a run that was stopped.

There are four headers, and the version printed in the file does not tell them apart, so columns are found by name.
Places are counted from the end of a row: names in front may hold commas, which Iometer does not quote, and the figures
behind them keep their places.
Source: ``GalileoView.cpp``, ``StopTest()``; ``PageSetup.cpp`` and ``ManagerList.cpp``, ``SaveResults()``.
"""

from __future__ import annotations

import re
from functools import lru_cache
from typing import TYPE_CHECKING, NamedTuple

import msgspec

from ioledger.model import Finding, Refusal
from ioledger.readers.iometer.specs import DIGITS, Spec, parse_block, setting

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

FORMATS = {
    (56, False): "csv 56 columns",
    (59, False): "csv 59 columns",
    (80, False): "csv 80 columns",
    (81, True): "instantaneous csv 81 columns",
}
_PARTS = ("", "Read ", "Write ")
COUNTS = (*(f"{part}Errors" for part in _PARTS), "Bytes Read", "Bytes Written", "Read I/Os", "Write I/Os")
RATES = tuple(f"{part}{name}" for part in _PARTS for name in ("IOps", "Binary"))
TIMES = tuple(f"{kind} {part}Response Time" for kind in ("Average", "Maximum") for part in _PARTS)
CLOCK = ("Total Raw Run Time", "Processor Speed")
PROCESSOR = ("% CPU Utilization", "% User Time", "% Privileged Time")
LOAD = ("# Workers", "# Disks", "Queue Depth")
SETTINGS = (*LOAD, "Connections", "Starting Sector", "Maximum Size")
FIGURES = (*COUNTS, *RATES, *TIMES, *CLOCK, *PROCESSOR)
"""Columns of a header by content."""
BIN_COUNT, LONGEST = 21, 1 << 16
_BIN_LABEL = re.compile(r" ?(?:[\d.]+ to [\d.]+ [um]?s|>= 10 s)", re.IGNORECASE)
NUMBER = re.compile(r"\d{1,18}(?:\.\d{1,9})?(?:e[+-]0?\d\d)?", re.ASCII)
NOT_A_NUMBER = float("nan")
STAMP = re.compile(r"\d{4}-\d\d-\d\d \d\d:\d\d:\d\d:\d{1,3}", re.ASCII)
KINDS = (
    *("NORMAL", "CYCLE_TARGETS", "CYCLE_WORKERS", "INCREMENT_TARGETS_PARALLEL", "INCREMENT_TARGETS_SERIAL"),
    *("CYCLE_WORKERS_AND_TARGETS", "CYCLE_OUTSTANDING_IOS", "CYCLE_OUTSTANDING_IOS_AND_TARGETS"),
)
_TEST, _VERSION, _STAMP = "'Test Type", "'Version", "'Time Stamp"
_SPECS, _END_SPECS, _RESULTS = "'Access specifications", "'End access specifications", "'Results"
_HEADERS, _END_TEST = frozenset({"'Target Type", "TimeStamp"}), "'End Test"
MARKS = frozenset({_TEST, _VERSION, _STAMP, _SPECS, _END_SPECS, _RESULTS, _END_TEST}) | _HEADERS
"""What a line begins, by its text before the first comma."""
_WITH_VALUE = frozenset({_TEST, _VERSION, _STAMP})
_ROWS = frozenset({"ALL", "MANAGER", "WORKER"})
_OTHER_ROWS = frozenset({"PROCESSOR", "DISK", "NETWORK", "UNKNOWN"})


class Header(NamedTuple):
    """A header line: format, width, positions of columns and bins, and the printed unit of throughput."""

    source_format: str
    width: int
    is_instantaneous: bool
    places: Mapping[str, int]
    bins: tuple[int, ...]
    unit: str


class Row(NamedTuple):
    """A row of results: its line number, what it sums (``ALL``, ``MANAGER``, ``WORKER``), and its text."""

    line: int
    kind: str
    text: str

    def fields(self) -> list[str]:
        """Return the fields; they are not stored, because many updates would fill the memory."""
        return self.text.split(",")


class Test(msgspec.Struct):
    """A test as its head states it."""

    line: int
    kind: str | None = None
    description: str | None = None
    version: str | None = None


class Run(msgspec.Struct):
    """One run: where it starts, its test, specifications by name, rows, and the time stamps before and after it."""

    line: int
    test: Test
    specs: dict[str, Spec]
    started: str | None
    ended: str | None = None
    header: Header | None = None
    rows: list[Row] = []
    is_closed: bool = False
    is_sound: bool = True
    is_aborted: bool = False


class Scan(msgspec.Struct):
    """
    What stands in a file, in order, and what is wrong with it; and, from ``test`` on, what the next line may belong to.

    ``strange`` holds the numbers of lines that are no part of a result file. ``run`` is the run that is open, ``last``
    the one just closed; ``block`` holds the lines of open access specifications; ``awaited`` is the mark above a value.
    """

    runs: list[Run] = []
    refusals: list[Refusal] = []
    findings: list[Finding] = []
    strange: list[int] = []
    test_count: int = 0
    test: Test | None = None
    first: int = 0
    run: Run | None = None
    last: Run | None = None
    block: list[tuple[int, str]] | None = None
    specs: dict[str, Spec] = {}
    stamp: str | None = None
    awaited: str = ""

    def refuse(self, line: int, what: str, rule: str = "R-READ-8") -> None:
        """Note what makes a part of the file unreadable, and its line."""
        self.refusals.append(Refusal(f"line {line}", what, "Submit the whole file as Iometer wrote it.", rule))

    def warn(self, line: int, message: str, rule: str = "R-IOMETER-LINE-2") -> None:
        """Record an excluded or unknown line."""
        self.findings.append(Finding(rule, message, f"line {line}"))


@lru_cache(maxsize=64)
def header_of(line: str) -> Header | str:
    """Return the header that a line is, or why it is none that can be read."""
    names = line.split(",")
    is_instantaneous = names[0] == "TimeStamp"
    source_format = FORMATS.get((len(names), is_instantaneous))
    if source_format is None:
        return f"the header has {len(names)} columns; headers with 56, 59, 80 and 81 columns are read"
    places = {_plain(name): index - len(names) for index, name in enumerate(names)}
    bins = tuple(index - len(names) for index, name in enumerate(names) if _BIN_LABEL.fullmatch(name))
    missing = [name for name in (*FIGURES, *SETTINGS) if name not in places]
    if missing or len(places) < len(names) or len(bins) not in {0, BIN_COUNT}:
        lacks = f"lacks {', '.join(missing)}" if missing else "names a column twice or lacks latency bins"
        return f"the header {lacks}"
    unit = next(name for name in names if _plain(name) == "Binary")
    return Header(source_format, len(names), is_instantaneous, places, bins, unit)


def _plain(name: str) -> str:
    """Return a column's name with the words for the base of throughput that all versions share."""
    if name.endswith("MBps (Decimal)"):
        return name.replace("MBps (Decimal)", "Decimal")
    return re.sub(r"Mi?Bps(?: \(Binary\))?$", "Binary", name)


def figures_of(fields: Sequence[str], header: Header, names: Sequence[str]) -> dict[str, float]:
    """Return the numbers of a row by column name, without blank ones."""
    stated = ((name, fields[header.places[name]]) for name in names if name in header.places)
    return {name: _number(text) for name, text in stated if text}


def _number(text: str) -> float:
    """Return a number that is not negative, and not-a-number for anything else."""
    if text.isdecimal() and len(text) <= DIGITS:
        return int(text)
    return float(text) if NUMBER.fullmatch(text) else NOT_A_NUMBER


def scan(text: str) -> Scan:
    """Read every line of a text; lines that are longer than any row count as strange ones."""
    found = Scan()
    for number, whole in enumerate(text.split("\n"), 1):
        line = whole if len(whole) <= LONGEST else "?"
        name = line.partition(",")[0] if line[:1] in {"'", "T"} else ""
        if name in MARKS:
            found.awaited = name if name in _WITH_VALUE else ""
            _take_mark(found, name, number, line)
        elif found.run and found.run.header and not found.awaited:
            _take_row(found, found.run, found.run.header, number, line)
        else:
            _take_other(found, number, line)
    if found.run or found.awaited or found.block is not None:
        first = found.run.line if found.run else found.test.line if found.test else 1
        what = f"the file ends inside the {'run' if found.run else 'test'} that starts here"
        found.refuse(first, what, "R-IOMETER-CUT-1")
    else:
        _leave_test(found)
    if found.strange:
        first = found.strange[0]
        found.warn(first, f"{len(found.strange)} lines are no part of a result file; the first is line {first}")
    return found


def _take_mark(scan: Scan, mark: str, number: int, line: str) -> None:
    """Take a line that begins or ends something."""
    is_run = mark == _RESULTS or (mark in _HEADERS and (scan.run is None or scan.run.header is not None))
    if scan.run and (is_run or mark in {_TEST, _SPECS, _END_TEST}):  # before its closing time stamp
        scan.warn(scan.run.line, f"the run on line {scan.run.line} was not finished and is excluded")
        scan.run = None
    if mark == _TEST:
        _leave_test(scan)
        scan.test, scan.test_count, scan.first = Test(number), scan.test_count + 1, len(scan.runs)
        scan.block, scan.specs, scan.stamp, scan.last = None, {}, None, None
    elif mark in {_VERSION, _SPECS, _END_TEST}:
        _current_test(scan, number)
    if mark == _STAMP and scan.run:
        if scan.run.header is None and scan.run.is_sound:
            scan.refuse(scan.run.line, "the results that start here have no header line that names their columns")
        scan.run.is_closed, scan.last, scan.run = True, scan.run, None
    if (is_run or mark == _END_SPECS) and scan.block is not None:
        scan.specs, findings = parse_block(scan.block)
        scan.findings, scan.block = scan.findings + findings, None
    if is_run or mark == _SPECS:
        scan.last, scan.block = None, None if is_run else []
    if is_run:
        scan.run = Run(number, _current_test(scan, number), scan.specs, scan.stamp)
        scan.runs.append(scan.run)
    if mark in _HEADERS and scan.run:
        _take_header(scan, scan.run, number, line)


def _take_header(scan: Scan, run: Run, number: int, line: str) -> None:
    header = header_of(line)
    run.header, run.is_sound = (header, True) if isinstance(header, Header) else (None, False)
    if isinstance(header, str):
        scan.refuse(number, header)


def _take_other(scan: Scan, number: int, line: str) -> None:
    """Take a line that is neither a mark nor a row: a value, or one that is no part of a result file."""
    if scan.block is not None:
        scan.block.append((number, line))
    elif scan.awaited:
        _take_value(scan, number, line)
    elif scan.run and not scan.run.is_sound and scan.run.header is None:
        return
    elif line == "Aborted test" and scan.test:
        if scan.last:  # null after a new specification, when no run was under way
            scan.last.is_aborted = True
    elif line:
        scan.strange.append(number)


def _take_value(scan: Scan, number: int, line: str) -> None:
    """Take a time stamp, a version, or the type of a test, a number (``PageSetup.h``), and its description."""
    mark, scan.awaited = scan.awaited, ""
    if mark == _STAMP:
        scan.stamp = line if STAMP.fullmatch(line) else None
        if scan.last is not None and scan.last.ended is None:
            scan.last.ended = scan.stamp
        if scan.stamp is None:
            scan.strange.append(number)
    elif mark == _VERSION:
        _current_test(scan, number).version = line.strip() or None
    else:
        kind, _, description = line.partition(",")
        test = _current_test(scan, number)
        is_kind = kind.isdecimal() and len(kind) == 1 and int(kind) < len(KINDS)
        test.kind, test.description = KINDS[int(kind)] if is_kind else None, description.strip() or None


def _take_row(scan: Scan, run: Run, header: Header, number: int, line: str) -> None:
    first, comma, rest = line.partition(",")
    kind = rest.partition(",")[0] if header.is_instantaneous and comma else first
    if kind not in _ROWS:
        if line and kind not in _OTHER_ROWS:
            scan.strange.append(number)
    elif (width := line.count(",") + 1) < header.width:
        run.is_sound = False
        scan.refuse(number, f"the {kind} row has {width} of {header.width} fields")
    else:
        run.rows.append(Row(number, kind, line))


def _current_test(scan: Scan, number: int) -> Test:
    """Return the current test; when the file begins without one, say so once and make one."""
    if scan.test is None:
        what = "the head of the test is missing, and with it the version and the kind of test"
        scan.refuse(number, what)
        scan.test, scan.test_count = Test(number), scan.test_count + 1
    return scan.test


def _leave_test(scan: Scan) -> None:
    """Note a test without results."""
    if scan.test is not None and len(scan.runs) == scan.first:
        line = scan.test.line
        scan.warn(line, f"the test on line {line} has no results", "R-IOMETER-EMPTY-1")


_MOST_OUTSTANDING = 1_000_000
_REMEDY = "Submit the file as Iometer wrote it."


class Unit(NamedTuple):
    """
    A row that gives results: its place, scope, workload, figures, settings, bins and time.

    ``queue_depth`` is the sum over all pairs of worker and target; ``duration`` is in seconds, ``ticks`` per second.
    """

    line: int
    scope: str
    name: str | None
    spec: Spec | None
    figures: dict[str, float]
    settings: Mapping[str, int | None]
    queue_depth: int | None
    bins: Sequence[int]
    duration: float | None
    ticks: float | None


def units(run: Run, header: Header, *, is_mirrored: bool) -> tuple[list[Unit], list[Refusal]]:
    """Return what a sound run gives results for, or why for nothing; of a network test ALL counts both ends."""
    chosen = [row for row in run.rows if row.kind == "ALL"]
    if len(chosen) != 1:
        what = f"the run has {len(chosen)} rows that sum all managers, not one"
        return [], [Refusal(f"line {run.line}", what, _REMEDY, "R-READ-8")]
    if is_mirrored:
        at = name_at(run)
        chosen = [row for row in run.rows if row.kind == "WORKER" and not row.fields()[at].startswith("[")]
    found = [_unit(run, header, row) for row in chosen]
    faults = [each for each in found if isinstance(each, Refusal)]
    return [each for each in found if isinstance(each, Unit) and not faults], faults


def name_at(run: Run) -> int:
    """Return the place of a target's name in a row."""
    return 2 if run.header and run.header.is_instantaneous else 1


def _unit(run: Run, header: Header, row: Row) -> Unit | Refusal:
    fields, at, is_worker = row.fields(), name_at(run), row.kind == "WORKER"
    figures = figures_of(fields, header, FIGURES)
    bins = [setting(fields[place]) for place in header.bins]
    settings = {name: setting(fields[header.places[name]]) for name in SETTINGS}
    wrong = [name for name in COUNTS if not isinstance(figures.get(name), int)]
    wrong += [name for name in (*RATES, *TIMES) if not figures.get(name, -1) >= 0]
    wrong += [name for name in LOAD if (settings[name] or 0) > _MOST_OUTSTANDING]
    if wrong or None in bins:
        what = f"these columns contain no plausible number: {', '.join(wrong) or 'latency bins'}"
        return Refusal(f"line {row.line}", what, _REMEDY, "R-READ-8")
    duration, ticks = _duration(run, header, row)
    if not duration and figures["IOps"]:  # where no row states the run time
        duration = (figures["Read I/Os"] + figures["Write I/Os"]) / figures["IOps"] or None
    name = ",".join(fields[at + 1 : len(fields) - header.width + at + 2]) or None
    return Unit(
        line=row.line,
        scope="worker" if is_worker else "all",
        name=name,
        spec=run.specs.get(name or ""),
        figures=figures,
        settings=settings,
        queue_depth=_queue_depth(run, header, settings, row),
        bins=[count or 0 for count in bins],
        duration=duration,
        ticks=ticks,
    )


def _duration(run: Run, header: Header, row: Row) -> tuple[float | None, float | None]:
    """Return the longest run time of a worker, of the managers or else the workers in seconds, and the tick rate."""
    rows = run.rows[:1] if header.is_instantaneous else run.rows
    every = [[each for each in rows if each.kind == kind] for kind in ("MANAGER", "WORKER")]
    parts = [row] if row.kind == "WORKER" else every[0] or every[1]
    clocks = [figures_of(each.fields(), header, CLOCK) for each in parts]
    time, rate = CLOCK
    known = [(clock.get(time, 0), clock[rate]) for clock in clocks if clock.get(rate, 0) > 0]
    longest = max((time / ticks for time, ticks in known if time > 0), default=None)
    return longest, max((ticks for _, ticks in known), default=None)


def _queue_depth(run: Run, header: Header, settings: Mapping[str, int | None], row: Row) -> int | None:
    """Return outstanding I/Os in total: pairs times depth; where depths differ, the sum over the workers."""
    pairs, depth = settings["# Disks"], settings["Queue Depth"]
    if pairs and depth:
        return pairs * depth
    if row.kind == "WORKER" or header.is_instantaneous:
        return None
    loads = [
        [setting(fields[header.places[name]]) for name in ("# Disks", "Queue Depth")]
        for fields in (row.fields() for row in run.rows if row.kind == "WORKER")
    ]
    active = [load for load in loads if load[0] != 0]
    return sum((a or 0) * (b or 0) for a, b in active) if active and all(a and b for a, b in active) else None
