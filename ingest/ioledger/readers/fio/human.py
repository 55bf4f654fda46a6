"""
fio: the human output (``--output-format=normal``, the default).

Claims  lines ``name: (groupid=…, jobs=…): err=…``.
Emits   one result per block and operation; "Run status group" lines repeat sums of the blocks and give none.
Units   as each line states them; bytes and throughput have three or four digits, counts and run times are whole.
Source  fio's ``stat.c``, ``show_thread_status_normal()`` and ``show_ddir_status()``; ``lib/num2str.c``; options come
        from the banner (``init.c``, ``add_job()``).

Every line states its own unit, and the unit changes from line to line: ``clat (nsec)`` above ``lat (usec)``. Until
2.16 a direction is ``read : io=…, bw=…, iops=…, runt=…`` with binary prefixes; from 2.17 on it is
``read: IOPS=…, BW=…MiB/s (…MB/s)(…/…msec)``.

Throughput stands there up to three times: in both bases, and as bytes over run time. Each has its own rounding; the
one with the smallest is taken. Until 3.25 a rounded figure may have lost a carry: 11.98 is printed as 11.0, never
higher, so where the figures disagree by that the largest is right (fixed by c736b361 in 3.26). Operations per second
are the issued operations over the run time, both of which are whole numbers.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any, NamedTuple

import msgspec

from ioledger.model import Finding, Premises, Reading, Refusal, Result
from ioledger.readers import KIBI, LARGEST, MILLI, TICKS, Printed, number, parse_scaled, printed_size, ratio
from ioledger.readers.fio import disk_util, runs
from ioledger.readers.fio.decoding import holding, number_lines, printed_time, version_of
from ioledger.readers.fio.json_decode import Latency
from ioledger.readers.fio.json_result import KINDS, put_latencies, put_samples, take_rate
from ioledger.readers.fio.options import parse_job, state_premises, workload
from ioledger.readers.fio.runs import ALL_CLIENTS, Run, TextReport

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ioledger.readers.fio.options import Options, Sections

_ENDS = ("Run status group", disk_util.HEADING)
_OPERATIONS = ("read", "write", "trim", "sync")
_MENDED = (3, 26)
_MOST_LOST = 0.1
"""Largest share that a lost carry takes from a figure (19.96 printed as 19.0 loses 5 %)."""
_HEADER = re.compile(r": \(groupid=(\d{1,9}), jobs=(\d{1,9})\): err=\s*(\d{1,9})")
_TORN = re.compile(r".{0,255}: \(groupid=(?:\d{1,9}(?:, ?[jobs]{0,4}(?:=\d{0,9}\)?:? ?(?:e|er|err|err=)?)?)?)?\s*")
_TIME = re.compile(r"pid=\d{1,12}: ([A-Z][a-z]{2} [A-Z][a-z]{2} +\d{1,2} \d\d:\d\d:\d\d \d{4})")
_PID = re.compile(r"pid=(\d{1,12})")
_OLD = re.compile(
    r"\s*(read|write|trim|mixed)\s*: io=\s*([^,]{1,30}), bw=\s*([^,]{1,30}),"
    r" iops=\s*([\d.]{1,20}[KMG]?)\s*, runt=\s*(\d{1,15})msec"
)
_NEW = re.compile(
    r"\s*(read|write|trim|mixed)\s*: IOPS=([^,]{1,20}), BW=([^(]{1,30}) \(([^)]{1,30})\)\(([^/]{1,30})/(\d{1,15})msec\)"
)
_NUMBER = r"=\s*([\d.]{1,24}[kKMG]?)\s*"
_STATS = re.compile(
    rf"\s*(slat|clat|lat|sync)\s*\(([num]?sec)\)\s*: min{_NUMBER}, max{_NUMBER}, avg{_NUMBER}, stdev{_NUMBER}"
)
_PERCENTILES = re.compile(r"\s*(slat|clat|lat|sync) percentiles \(([num]?sec)\)")
_PERCENTILE = re.compile(r"(\d{1,3}(?:\.\d{1,20})?)th=\[\s*(\d{1,18})\]")
_SAMPLES = re.compile(
    rf"\s*(bw|iops)\s*(?:\(\s*([A-Za-z /]{{1,12}})\)\s*)?: min{_NUMBER}, max{_NUMBER},(?: per=[^,]{{1,12}},)?"
    rf" avg{_NUMBER}, stdev{_NUMBER}(?:, samples=\s*(\d{{1,15}}))?"
)
_CPU = re.compile(r"\s*cpu\s*: usr=([\d.]{1,12})%, sys=([\d.]{1,12})%")
_SOUGHT = re.compile(r"\s*latency\s*: target=(\d{1,18}), .{1,99}, depth=(\d{1,9})")
_ISSUED = re.compile(r"\s*issued[^:]{0,12}: total=(.{1,120}?),? +short=")
_SHOWN = re.compile(r"\s*(\d{1,18}(?:\.\d{1,9})?)\s*(\D{0,20})")
_CARRY = 0.01
"""A value this much below another of its kind has lost a carry and is excluded."""
_SLACK = 5e-4
"""Relative; 2.x prints the decimals of a scaled figure from its binary remainder (3999.2K for 4000.0K)."""


class Figures(NamedTuple):
    """A direction's first line as printed: IOPS, throughput (twice from 2.17 on), bytes, milliseconds."""

    iops: str
    rates: tuple[str, ...]
    moved: str
    runtime: int
    is_binary: bool

    def size(self, text: str) -> Printed | None:
        """Return the bytes of one of its sizes."""
        return printed_size(text, is_binary=self.is_binary)


class Direction(msgspec.Struct):
    """Values of one operation in a block; sync operations have no figures."""

    place: str
    operation: str
    figures: Figures | None
    stats: dict[str, Latency] = {}
    units: dict[str, float] = {}
    percentiles: dict[str, dict[float, float]] = {}
    samples: dict[str, tuple[list[float | None], int | None]] = {}
    """Smallest, largest, mean and standard deviation of the interval samples, and how many."""


class Block:
    """One job or group: its header, its directions, and the lines below."""

    def __init__(self, place: str, text: str, found: re.Match[str]) -> None:
        """Take the header apart."""
        self.place = place
        self.name = text[: found.start()].strip()
        self.group, self.jobs, self.error = int(found[1]), int(found[2]), int(found[3])
        pid = _PID.search(text, found.end())
        self.pid = int(pid[1]) if pid else 0
        time = _TIME.search(text, found.end())
        self.ended = printed_time(time[1]) if time else None
        """When the run was over as the clock there showed it; no zone is printed."""
        self.directions: list[Direction] = []
        self.cpu: tuple[float | None, float | None] = (None, None)
        self.issued: tuple[int, ...] = ()
        self.latency_target: int | None = None
        """Microseconds; 0 where no depth was sought."""
        self.latency_depth: int | None = None
        self._listing: tuple[str, float] | None = None

    @property
    def is_whole(self) -> bool:
        """Say whether the lines are there that end every block."""
        return bool(self.issued) or self.cpu != (None, None)

    @property
    def counters(self) -> list[tuple[float, ...]]:
        """Return the numbers that only grow while a job runs, the run time first."""
        runtimes = tuple(float(one.figures.runtime) for one in self.directions if one.figures)
        return [runtimes, tuple(float(count) for count in self.issued)] if runtimes else []

    def count(self, operation: str) -> int | None:
        """Return the completed operations; ``mixed`` beside other directions (``both``) has no count of its own."""
        if operation == "mixed":
            return (sum(self.issued[:3]) or None) if len(self.directions) == 1 else None
        index = _OPERATIONS.index(operation)
        return (self.issued[index] or None) if index < len(self.issued) else None

    def take(self, place: str, text: str) -> None:
        """Parse one line; unknown lines have no effect."""
        if "th=[" in text:
            self._take_percentiles(text)
        elif "percentiles (" in text:
            found = _PERCENTILES.match(text)
            self._listing = (found[1], TICKS[found[2]]) if found else None
        elif found := _OLD.match(text):
            figures = Figures(found[4], (found[3],), found[2], int(found[5]), is_binary=True)
            self.directions.append(Direction(place, found[1], figures))
        elif found := _NEW.match(text):
            figures = Figures(found[2], (found[3], found[4]), found[5], int(found[6]), is_binary=False)
            self.directions.append(Direction(place, found[1], figures))
        elif found := _STATS.match(text):
            self._take_stats(place, found)
        elif found := _SAMPLES.match(text):
            self._take_samples(found)
        elif found := _CPU.match(text):
            self.cpu = (number(found[1]), number(found[2]))
        elif found := _SOUGHT.match(text):
            self.latency_target, self.latency_depth = int(found[1]), int(found[2])
        elif found := _ISSUED.match(text):
            self.issued = tuple(int(count) for count in re.findall(r"\d{1,18}", found[1]))

    def _take_stats(self, place: str, found: re.Match[str]) -> None:
        """Learn a latency line; ``sync`` stands below the directions and is an operation of its own."""
        name, unit = found[1], TICKS[found[2]]
        if name == "sync":
            self.directions.append(Direction(place, "sync", None))
        if self.directions:
            kind = KINDS.get(name, "total")
            printed = (parse_scaled(text) for text in found.groups()[2:])
            low, high, mean, deviation = (None if value is None else value / unit for value in printed)
            self.directions[-1].stats[kind] = Latency(low, high, mean, deviation)
            self.directions[-1].units[kind] = 1 / unit

    def _take_percentiles(self, text: str) -> None:
        """Learn a row of percentiles; labels that repeat are rounded beyond use and are dropped (``100th``)."""
        if not self._listing or not self.directions:
            return
        name, unit = self._listing
        known = self.directions[-1].percentiles.setdefault(KINDS.get(name, "total"), {})
        for label, value in _PERCENTILE.findall(text):
            share = ratio(label)
            if share in known or (share >= 1 and "." not in label):
                known.pop(share, None)
            elif 0 < share <= 1:
                known[share] = int(value) / unit

    def _take_samples(self, found: re.Match[str]) -> None:
        if self.directions:
            last = self.directions[-1]
            factor = _sample_unit(found[2] or "", last.figures) if found[1] == "bw" else 1.0
            numbers = (parse_scaled(text) for text in found.groups()[2:6])
            values = [None if value is None else value * factor for value in numbers]
            last.samples[found[1]] = values, int(found[7]) if found[7] else None


def _sample_unit(text: str, figures: Figures | None) -> float:
    """Return the bytes per second of one in a line of throughput samples."""
    # fio keeps samples in KiB/s and divides large ones by ``kb_base``; since 2.17 it labels them kB/s or MiB/s with a
    # ``kb_base`` of 1000 too, which prints the bytes moved in kB or MB. Source: ``stat.c``, ``show_ddir_status()``.
    if figures and not figures.is_binary and "i" not in figures.moved:
        return float(KIBI * MILLI if text.strip().startswith("M") else KIBI)
    unit = printed_size(f"1{text}", is_binary=bool(figures and figures.is_binary))
    return unit.value if unit else 1.0


def find(text: str) -> bool:
    """Say whether the text contains a block of fio's human output."""
    return any(_HEADER.search(line) for line in holding(text, ": (groupid="))


def has_torn(text: str) -> bool:
    """Say whether the text contains the header of a block that ends before the error field."""
    return any(_TORN.fullmatch(line) for line in holding(text, ": (groupid="))


def read(text: str, sections: Sections | None = None) -> Reading:
    """Read every block of a text; options come from banners and job sections."""
    reading = Reading(tool="fio", source_format="normal", results=[], warnings=[], refusals=[])
    found = list(_blocks(text))
    sections = {**parse_job(text), **(sections or {})}
    reading.document_count = len(found)
    reading.tool_version = next((run.version for run, _ in found if run.version), None)
    partial = runs.find_superseded(
        (((run.index, block.name, block.group, block.pid), block.place, block.counters) for run, block in found),
        is_process_known=True,
    )
    last_groups = dict(sorted((run.index, block.group) for run, block in found))
    reports = []
    for run, block in found:
        filed = {} if block.name == ALL_CLIENTS else sections
        options = runs.options_of(block.name, block.group, block.jobs, run.banners, filed)
        results = list(_results(block, run, options, reading))
        is_mended, is_known = (version_of(run.version) or (0, 0)) >= _MENDED, options.is_complete
        known = Premises(is_ramp_known=is_known, lost_ratio=0.0 if is_mended else _MOST_LOST)
        state_premises(results, options, (block.latency_target, block.latency_depth), known, is_report=is_known)
        if block.ended is not None and block.group == last_groups[run.index]:
            for result in results:
                result.ended_at_local = block.ended.isoformat()
        reading.results += results
        reports.append(TextReport(run, block, options, results))
        if block.place not in partial:
            reading.warnings += runs.findings(block, results, options, is_idle=block.is_whole)
            if results and not block.issued:
                text_cut = "the block has no line of issued I/Os: it is cut off or edited"
                reading.warnings.append(Finding("R-FIO-CUT-1", text_cut, block.place))
    if disk_util.HEADING in text and (rows := list(disk_util.of_text(text, reports, partial))):
        reading.rows[disk_util.TABLE] = rows
    what = "this block is cut off before its first figures end"
    reading.refusals += [_cut(block.place, what) for _, block in found if not block.directions and not block.is_whole]
    reading.local_days = sorted({block.ended.date() for _, block in found if block.ended is not None})
    runs.finish(reading, reports, partial)
    if has_torn(text):
        what = "the header of this block is cut off"
        reading.refusals += [_cut(place, what) for place, line in number_lines(text) if _TORN.fullmatch(line)]
    return reading


def _blocks(text: str) -> Iterator[tuple[Run, Block]]:
    run, block = Run(), None
    for place, line in number_lines(text):
        header = _HEADER.search(line) if "(groupid=" in line else None
        if header:
            if block:
                yield run, block
            block = Block(place, line, header)
            run.is_closed = True
        elif block and (line.startswith(_ENDS) or _TORN.fullmatch(line)):
            yield run, block
            block = None
        elif block and line[:1] in {" ", "\t"} and "(g=" not in line:
            block.take(place, line)
        elif line:
            following = run.after(line)
            if block and following is not run:
                yield run, block
                block = None
            run = following
    if block:
        yield run, block


def _cut(place: str, what: str) -> Refusal:
    return Refusal(place, what, "Submit the block whole and as fio wrote it, or without it.", "R-FIO-CUT-1")


def _results(block: Block, run: Run, options: Options, reading: Reading) -> Iterator[Result]:
    common = run.columns(block, block.jobs, "normal", run.version)
    for direction in block.directions:
        count = block.count(direction.operation)
        main = next((kind for kind in ("total", "completion") if kind in direction.units), None)
        figures, disagreement = rates(direction.figures, count) if direction.figures else ({}, "")
        if disagreement:
            reading.warnings.append(Finding("R-FIO-PRINT-1", disagreement, direction.place))
        ranked = sorted(direction.percentiles.items())
        result = Result(
            pointer=direction.place,
            operation=direction.operation,
            is_aggregate=block.name == ALL_CLIENTS or (direction.operation == "mixed" and len(block.directions) > 1),
            operation_count=count,
            latency_resolution_seconds=direction.units[main] if main else None,
            percentiles={kind: values for kind, values in ranked if any(values.values())},
            **common | workload(options, direction.operation, block.jobs) | figures,
        )
        put_latencies(result, direction.stats)
        for name, (values, sample_count) in direction.samples.items():
            if values[1]:
                put_samples(result, name, values)
                result.sample_count = sample_count
        if direction.figures and result.transferred_bytes:
            _take_rates(result, direction.figures)
        yield result


def rates(figures: Figures, count: int | None) -> tuple[dict[str, Any], str]:
    """Return the rate, byte and time columns, and in words what disagrees (empty when nothing does)."""
    seconds = figures.runtime / MILLI
    printed = [figures.size(text) for text in figures.rates]
    moved = figures.size(figures.moved)
    known = [rate for rate in printed if rate]
    if moved and seconds:
        known.append(Printed(moved.value / seconds, moved.half / seconds))
    best, disagreement = _best(known)
    throughput = best.value if best else None
    iops = printed_size(figures.iops, is_binary=False)
    exact = count / seconds if count and seconds else None
    if iops and exact and not _agree(iops, Printed(exact, 0.5)):
        disagreement = f"IOPS={figures.iops} is not {count} operations in {seconds} s ({exact:.1f})"
    is_moved_low = bool(moved and seconds and throughput and moved.value / seconds < throughput * (1 - _CARRY))
    shown = _SHOWN.fullmatch(figures.rates[0])
    unit = shown[2].strip() if shown else ""
    return {
        "duration_seconds": seconds or None,
        "transferred_bytes": round(moved.value) if moved and 0 < moved.value <= LARGEST and not is_moved_low else None,
        "throughput_bytes_per_second": throughput,
        "throughput_basis": "printed" if best in printed else None,
        "throughput_resolution_bytes_per_second": 2 * best.half if best else None,
        "operations_per_second": exact or (iops.value if iops and iops.value else None),
        "operations_basis": "printed" if iops and iops.value and not exact else None,
        "operations_resolution_per_second": 2 * iops.half if iops and iops.value and not exact else None,
        "printed_value": float(shown[1]) if shown and unit else None,
        "printed_unit": unit or None,
        "printed_text": f"BW={' '.join(text.strip() for text in figures.rates)}" if throughput else None,
        "unit_basis": "exact"
        if unit.startswith("B")
        else "base2"
        if figures.is_binary or "i" in unit[:2]
        else "base10",
    }, disagreement


def _take_rates(result: Result, figures: Figures) -> None:
    """Take throughput from operations, or IOPS from bytes, where these are finer than what is printed and agree."""
    size, count, lasted = result.block_size_bytes, result.operation_count, result.duration_seconds
    step, printed = result.throughput_resolution_bytes_per_second, result.throughput_bytes_per_second
    if size and count and lasted and step and printed is not None and abs(size * count / lasted - printed) <= step:
        result.throughput_bytes_per_second, result.throughput_basis = size * count / lasted, "operations"
        result.throughput_resolution_bytes_per_second = None
    moved = figures.size(figures.moved) or Printed(0.0, 0.0)
    iops = printed_size(figures.iops, is_binary=False)
    ends = (iops.value - 2 * iops.half, iops.value + 2 * iops.half) if iops and iops.value else None
    take_rate(result, (moved.value - moved.half, moved.value + moved.half), ends)


def _best(known: list[Printed]) -> tuple[Printed | None, str]:
    """Return the figure with the smallest rounding, of those that agree with the largest when not all agree."""
    useful = [one for one in known if one.value > 0]
    if not useful:
        return None, ""
    best = min(useful, key=lambda one: one.half / one.value)
    if all(_agree(one, best) for one in useful):
        return best, ""
    largest = max(useful, key=lambda one: one.value)
    right = min((one for one in useful if _agree(one, largest)), key=lambda one: one.half / one.value)
    values = ", ".join(f"{one.value:.0f}" for one in useful)
    return right, f"the printed throughputs disagree: {values} bytes per second"


def _agree(one: Printed, other: Printed) -> bool:
    """Say whether two figures may be roundings of one number (fio cuts some and rounds others)."""
    return abs(one.value - other.value) <= 2 * (one.half + other.half) + _SLACK * other.value
