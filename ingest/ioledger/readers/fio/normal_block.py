"""
One job's block of fio's human output, taken apart: ``name: (groupid=0, jobs=1): err= 0: pid=…`` and what follows.

Every line states its own unit, and the unit changes from line to line: ``clat (nsec)`` above ``lat (usec)``. Until
2.16 a direction is ``read : io=…, bw=…, iops=…, runt=…`` with binary prefixes; from 2.17 on it is
``read: IOPS=…, BW=…MiB/s (…MB/s)(…/…msec)``. Source: fio's ``stat.c``, ``show_ddir_status()``.
"""

from __future__ import annotations

import re
from datetime import date
from typing import NamedTuple

from ioledger.readers.fio.latency import KINDS, Stats
from ioledger.readers.fio.printed import sample_unit
from ioledger.readers.units import number, scaled

HEADER = re.compile(r": \(groupid=(\d{1,9}), jobs=(\d{1,9})\): err=\s*(\d{1,9})")
_TORN = re.compile(r".{0,255}: \(groupid=(?:\d{1,9}(?:, ?[jobs]{0,4}(?:=\d{0,9}\)?:? ?(?:e|er|err|err=)?)?)?)?\s*")
_DAY = re.compile(r"pid=\d{1,12}: [A-Z][a-z]{2} ([A-Z][a-z]{2}) +(\d{1,2}) \d\d:\d\d:\d\d (\d{4})")
_MONTHS, _LETTERS = "JanFebMarAprMayJunJulAugSepOctNovDec", 3
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
_UNITS = {"nsec": 1e9, "usec": 1e6, "msec": 1e3, "sec": 1.0}
OPERATIONS = ("read", "write", "trim", "sync")


def is_torn(text: str) -> bool:
    """Say whether a line is the header of a block, but ends before it says whether there was an error."""
    return _TORN.fullmatch(text) is not None


def _day(text: str, start: int) -> date | None:
    """Return the day of a header; null where there is none, as before 2.0, or no such day."""
    found = _DAY.search(text, start)
    if found is None:
        return None
    try:
        return date(int(found[3]), _MONTHS.index(found[1]) // _LETTERS + 1, int(found[2]))
    except ValueError:
        return None


class Figures(NamedTuple):
    """A direction's first line as printed: IOPS, throughput (twice from 2.17 on), bytes, milliseconds."""

    iops: str
    rates: tuple[str, ...]
    moved: str
    runtime: int
    is_binary: bool


class Samples(NamedTuple):
    """Interval samples: smallest, largest, mean, standard deviation, and how many."""

    values: tuple[float | None, ...]
    sample_count: int | None


class Direction:
    """What a block says of one operation."""

    def __init__(self, place: str, operation: str, figures: Figures | None) -> None:
        """Start with the first line; sync operations have no figures."""
        self.place = place
        self.operation = operation
        self.figures = figures
        self.stats: dict[str, Stats] = {}
        self.units: dict[str, float] = {}
        self.percentiles: dict[str, dict[float, float]] = {}
        self.samples: dict[str, Samples] = {}


class Block:
    """One job or group: its header, its directions, and what stands below them."""

    def __init__(self, place: str, text: str, found: re.Match[str]) -> None:
        """Take the header apart."""
        self.place = place
        self.name = text[: found.start()].strip()
        self.group, self.jobs, self.error = int(found[1]), int(found[2]), int(found[3])
        pid = _PID.search(text, found.end())
        self.pid = int(pid[1]) if pid else 0
        self.day = _day(text, found.end())
        """On which it ended as the clock there showed it; no zone is printed."""
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

    def take(self, place: str, text: str) -> None:
        """Learn what one line says; lines of no interest change nothing."""
        if "th=[" in text:
            self._take_percentiles(text)
        elif "percentiles (" in text:
            found = _PERCENTILES.match(text)
            self._listing = (found[1], _UNITS[found[2]]) if found else None
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
        name, unit = found[1], _UNITS[found[2]]
        if name == "sync":
            self.directions.append(Direction(place, "sync", None))
            name = "lat"
        if self.directions:
            low, high, mean, deviation = (_over(text, unit) for text in found.groups()[2:])
            self.directions[-1].stats[name] = Stats(low, high, mean, deviation)
            self.directions[-1].units[name] = 1 / unit

    def _take_percentiles(self, text: str) -> None:
        """Learn a row of percentiles; labels that repeat are rounded beyond use and are dropped (``100th``)."""
        if not self._listing or not self.directions:
            return
        name, unit = self._listing
        known = self.directions[-1].percentiles.setdefault(KINDS.get(name, "total"), {})
        for label, value in _PERCENTILE.findall(text):
            ratio = round(float(label) / 100, 12)
            if ratio in known or (ratio >= 1 and "." not in label):
                known.pop(ratio, None)
            elif 0 < ratio <= 1:
                known[ratio] = int(value) / unit

    def _take_samples(self, found: re.Match[str]) -> None:
        """Learn interval samples of throughput (bytes per second) or IOPS."""
        if not self.directions:
            return
        numbers = tuple(scaled(text) for text in found.groups()[2:6])
        factor = sample_unit(found[2] or "", self.directions[-1].figures) if found[1] == "bw" else 1.0
        values = tuple(None if value is None else value * factor for value in numbers)
        self.directions[-1].samples[found[1]] = Samples(values, int(found[7]) if found[7] else None)


def _over(text: str, unit: float) -> float | None:
    value = scaled(text)
    return None if value is None else value / unit
