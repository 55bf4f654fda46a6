"""
The counters of block devices that fio prints below the jobs of a run: ``disk_util``, ``Disk stats``, terse fields.

Claims  ``disk_util`` of a JSON report, the lines below ``Disk stats (read/write):``, nine fields a device behind the
        histogram of a terse line.
Emits   a row of the table ``disk_counters`` per device, and one more for the devices that it is made of, of which fio
        prints the mean, and the busy share of the busiest.
Units   sectors of 512 bytes, milliseconds, percent.
Source  fio's ``diskutil.c``, and ``stat.c``, ``print_disk_util()`` and ``show_agg_stats()``; the kernel's
        ``Documentation/block/stat.rst``.

The counters are of a whole run. They are those of a job only where the run had no other: then its repetition is named.
"""

from __future__ import annotations

import re
from contextlib import suppress
from operator import attrgetter
from typing import TYPE_CHECKING, Annotated, Any

import msgspec

from ioledger.model import Finding
from ioledger.readers import MILLI, PERCENT, number, whole
from ioledger.readers.fio.decoding import number_lines
from ioledger.readers.fio.json_decode import Count  # noqa: TC001  (msgspec reads the annotations)
from ioledger.readers.fio.runs import ALL_CLIENTS

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Iterator, Sequence

    from ioledger.model import Reading, Result
    from ioledger.readers.fio.json_decode import Document
    from ioledger.readers.fio.runs import TextReport

    Counters = Sequence[Any]

TABLE = "disk_counters"
SECTOR_BYTES = 512
FIELDS = 9
"""Fields of a device in a terse line."""
_DEVICE, _MEMBERS, _SLAVES = "device", "members", "slaves"
_MOST = (1 << 63) - 1
_TICKS = 1 << 32
HEADING = "Disk stats"
"""Stands above the devices in human output."""
_SHARE = re.compile(r"(?:\d{1,2}\.\d{1,9}|100\.0{1,9})%")
_PAIR = r"(\d{{1,18}})/(\d{{1,18}})"


_COUNTED = (
    rf"{{0}}ios={_PAIR}, (?:{{1}}sectors={_PAIR}, )?{{0}}merge={_PAIR}, {{0}}ticks={_PAIR},"
    r" {0}in_queue=(\d{{1,18}}), {0}util=(\d{{1,12}}\.\d{{1,9}})%"
)
"""The counters of a device in human output, or the mean of those that it is made of."""
_LINE = re.compile(rf"\s*([^\s:]{{1,64}}): {_COUNTED.format('', '')}(?:, {_COUNTED.format('aggr', 'aggr?')})?\s*")
_BEYOND = re.compile(rb":\s*-?(?:\d{20,}(?:\.\d*)?|\d[\d.]*[eE]\+?\d{2,})(?=[\s,}])")
SAME = (
    "disk_name", "disk_scope", "read_operation_count", "write_operation_count", "read_merge_count",
    "write_merge_count", "read_seconds", "write_seconds",
)  # fmt: skip
"""What every format prints to the last digit."""

LONGEST_NAME = 64
"""Characters of a block device's name; the kernel's are shorter than 32."""
Name = Annotated[str, msgspec.Meta(max_length=LONGEST_NAME)]
Share = Annotated[float, msgspec.Meta(ge=0, le=PERCENT)]
"""fio cuts what is above a hundred percent."""
Row = dict[str, Any]


class Disk(msgspec.Struct, gc=False):
    """Counters of a device over a run, and the mean of those that it is made of; sectors since fio 3.36."""

    name: Name | None = None
    read_ios: Count | None = None
    write_ios: Count | None = None
    read_merges: Count | None = None
    write_merges: Count | None = None
    read_sectors: Count | None = None
    write_sectors: Count | None = None
    read_ticks: int | None = None
    write_ticks: int | None = None
    in_queue: int | None = None
    util: Share | None = None
    aggr_read_ios: Count | None = None
    aggr_write_ios: Count | None = None
    aggr_read_merges: Count | None = None
    aggr_write_merge: Count | None = None
    aggr_read_sectors: Count | None = None
    aggr_write_sectors: Count | None = None
    aggr_read_ticks: int | None = None
    aggr_write_ticks: int | None = None
    aggr_in_queue: int | None = None
    aggr_util: Share | None = None


_NAMES = (
    *("read_ios", "write_ios", "read_sectors", "write_sectors", "read_merges", "write_merges"),
    *("read_ticks", "write_ticks", "in_queue", "util"),
)
"""The counters of a row in their order, which is that of human output."""
_own_of = attrgetter(*_NAMES)
_members_of = attrgetter(*(f"aggr_{name}".replace("write_merges", "write_merge") for name in _NAMES))


_DISKS = msgspec.json.Decoder(list[Disk])


def read(document: Document, place: str, reading: Reading, start: int, *, is_left_out: bool) -> None:
    """Add what the kernel counted on the disks, and where fio counted more; the report's results begin at ``start``."""
    results, raw = reading.results[start:], bytes(document.disk_util)
    found: list[Disk] | None = None
    with suppress(msgspec.DecodeError, RecursionError):
        found = _DISKS.decode(raw)
    if found is None:  # a number that no column can store is null
        with suppress(msgspec.DecodeError, RecursionError):
            found = msgspec.convert(msgspec.json.decode(_BEYOND.sub(b": null", raw)), list[Disk])
    if found is None:
        text = "the disk counters do not have the form that fio writes, and are excluded"
        reading.warnings.append(Finding(RULE, text, place))
        return
    reading.warnings += findings(document, found, results, place)
    if results and not is_left_out:
        jobs = [job for job in document.jobs + document.client_stats if job.jobname != ALL_CLIENTS]
        span, rows = span_of(results, len(jobs)), reading.rows.setdefault(TABLE, [])
        for index, disk in enumerate(found):
            if disk.name is not None:
                rows.append(_row(f"{place}/{index}", disk.name, _DEVICE, span, _own_of(disk)))
                if disk.aggr_read_ios is not None or disk.aggr_write_ios is not None:
                    rows.append(_row(f"{place}/{index}/aggr", disk.name, _MEMBERS, span, _members_of(disk)))


def span_of(results: Iterable[Result], job_count: int) -> Row:
    """Return the columns of what the counters of a run of so many jobs span, and of what fio counted of it."""
    points, places, counts = set[str](), set[str](), dict[str, int | None]()
    for result in results:
        if not result.is_aggregate:
            points.add(result.repetition)
            places.add(result.premises.concurrent or result.repetition)
            before, more = counts.get(result.operation, 0), result.operation_count
            counts[result.operation] = None if before is None or more is None else before + more
    only = places.pop() if len(points) == job_count and len(places) == 1 else None
    is_apart = "mixed" not in counts
    return {
        "repetition": only,
        "job_count": job_count,
        "tool_read_operation_count": counts.get("read", 0) if is_apart else None,
        "tool_write_operation_count": counts.get("write", 0) if is_apart else None,
    }


def _row(at: str, name: str, scope: str, span: Row, counters: Counters) -> Row:
    reads, writes, *sectors, read_merges, write_merges, read_ticks, write_ticks, queue_ticks, busy = counters
    moved = [None if count is None or count > _MOST // SECTOR_BYTES else count * SECTOR_BYTES for count in sectors]
    # the kernel counts milliseconds in 32 bits: where it began anew, a difference is negative by just that range
    spans = [
        ticks + _TICKS if ticks is not None and -_TICKS < ticks < 0 else ticks
        for ticks in (read_ticks, write_ticks, queue_ticks)
    ]
    seconds = [None if ticks is None or not 0 <= ticks <= _MOST else ticks / MILLI for ticks in spans]
    return {
        **span,
        "source_pointer": at,
        "disk_name": name,
        "disk_scope": scope,
        "read_operation_count": reads,
        "write_operation_count": writes,
        "read_merge_count": read_merges,
        "write_merge_count": write_merges,
        "read_bytes": moved[0],
        "write_bytes": moved[1],
        "read_seconds": seconds[0],
        "write_seconds": seconds[1],
        "queue_seconds": seconds[2],
        "busy_ratio": None if busy is None else round(busy / PERCENT, 12),
    }


def of_text(text: str, reports: Iterable[TextReport], partial: Collection[str]) -> Iterator[Row]:
    """Yield the rows of human output; the headings follow their jobs."""
    by_place = {each.job.place: each for each in reports}
    above: list[TextReport] = []
    span = None
    for place, line in number_lines(text):
        if place in by_place:
            above.append(by_place[place])
        elif line.lstrip().startswith(HEADING):
            jobs = [each for each in above if each.job.place not in partial and each.job.name != ALL_CLIENTS]
            results = [result for each in jobs for result in each.results]
            above, span = [], span_of(results, len(jobs)) if results else None
        elif span is not None and (found := _LINE.fullmatch(line)) is not None:
            own, others = found.groups()[1:11], found.groups()[11:]
            yield _row(place, found[1], _DEVICE, span, _parse_counters(own))
            if others[0] is not None:
                yield _row(f"{place}, members", found[1], _MEMBERS, span, _parse_counters(others))
        else:
            span = None


def _parse_counters(texts: Sequence[str | None]) -> Counters:
    """Return counters as human output prints them; sectors may be missing."""
    return [None if text is None else float(text) if "." in text else int(text) for text in texts]


def field_count(fields: Sequence[str]) -> int:
    """Return how many of the fields behind the histogram of a terse line are those of devices."""
    at = 0
    while len(fields) >= at + FIELDS and _SHARE.fullmatch(fields[at + FIELDS - 1]):
        at += FIELDS
    return at


def of_fields(place: str, fields: Sequence[str], span: Row) -> Iterator[Row]:
    """Yield the rows of the fields behind the histogram of a terse line; ``slaves`` follow what they make up."""
    name = None
    for index, at in enumerate(range(0, field_count(fields), FIELDS), 1):
        counts = [whole(field) for field in fields[at + 1 : at + FIELDS - 1]]
        is_members = fields[at] == _SLAVES and name is not None
        name = name if is_members else fields[at]
        if name is None or None in counts or len(name) > LONGEST_NAME:
            continue
        busy = number(fields[at + FIELDS - 1].rstrip("%"))
        counters = [*counts[:2], None, None, *counts[2:], busy]
        scope = _MEMBERS if is_members else _DEVICE
        yield _row(f"{place}, disk {index}", name, scope, span, counters)


ENOUGH, LEAST = 0.9, 100
MISSED_SECONDS = 0.5
"""Twice fio's ``DISK_UTIL_MSEC``."""
RULE = "R-FIO-DISK-1"
_COUNTERS = tuple((name, f"{name}_ios", f"{name}_merges", f"{name}_sectors") for name in ("read", "write"))


def findings(document: Document, found: Iterable[Disk], results: Sequence[Result], place: str) -> Iterable[Finding]:
    """Tell where the disks of a report moved clearly less than fio counted as direct I/O."""
    disks = [disk for disk in found if disk.read_ios or disk.write_ios]
    if not disks or not results or document.client_stats or not all(result.is_direct for result in results):
        return
    lasted = min([result.duration_seconds or 0 for result in results])
    share = ENOUGH - MISSED_SECONDS / lasted if lasted else 0
    for operation, ios, merges, of_sectors in _COUNTERS:
        mine = [part for part in map(attrgetter(operation), document.jobs) if part is not None]
        count = sum([part.total_ios or 0 for part in mine])
        if count < LEAST:
            continue
        sectors = [getattr(disk, of_sectors) for disk in disks]
        if None not in sectors:
            kernel, counted, unit = sum(sectors) * SECTOR_BYTES, sum([part.io_bytes or 0 for part in mine]), "bytes"
        else:
            kernel = sum([(getattr(disk, ios) or 0) + (getattr(disk, merges) or 0) for disk in disks])
            counted, unit = count, "operations"
        if kernel < share * counted:
            text = f"the kernel counted {kernel:,} {unit} of {operation}s on the disks, fio {counted:,} of direct I/O"
            text += ": something between them answered"
            yield Finding(RULE, text, place, {f"kernel_{unit}": float(kernel), f"fio_{unit}": float(counted)})
