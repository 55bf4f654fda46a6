"""
One terse line of fio, taken apart: which field is what.

A job name may hold semicolons, so fields are counted from the runs of 20 percentile fields, not from the left. Lines
older than percentiles (up to 1.59) are counted from the histogram at the right, which every version prints.
Source: fio's ``stat.c``, ``show_thread_status_terse_all()`` and ``show_ddir_status_terse()``.
"""

from __future__ import annotations

import re
from itertools import pairwise
from typing import TYPE_CHECKING, NamedTuple

from ioledger.readers.units import whole

if TYPE_CHECKING:
    from collections.abc import Sequence

TAIL = re.compile(r";\d{1,12}\.\d{1,9}%(?:;\d{1,12}\.\d{1,9}%){28}")
_PERCENTILE = re.compile(r"(\d{1,3}(?:\.\d{1,20})?)%=(\d{1,18})")
_RATIO = re.compile(r"\d{1,12}\.\d{1,9}%")
_BEGUN = re.compile(r"[345];(?:fio-\d|\d\.\d{1,2}(?:\.\d{1,2})?;(?:[^;]*;){3})")
_MEAN = re.compile(r";\d{1,15}\.\d{6}(?=;)")
"""Mean and deviation of a latency, which no other field looks like."""
_TOOL_VERSION = re.compile(r"(?:fio-)?\d+\.[\w.-]{1,60}")
SLOTS, CPU, HISTOGRAM, _DISK = 20, 5, 29, 9
_BEFORE_PERCENTILES = 12
_OLD_HEAD, _HEAD = 3, 4
_FEWEST_FIELDS = 2


class Shape(NamedTuple):
    """Where a direction's fields stand: its width, and the offset of each group of fields (null when absent)."""

    width: int
    iops: int | None
    runtime: int
    slat: int
    percentiles: int | None
    lat: int | None
    samples: int


OLDEST, OLD = Shape(16, None, 2, 3, None, None, 11), Shape(20, None, 2, 3, None, 11, 15)
COMMON, LATEST = Shape(41, 2, 3, 4, 12, 32, 36), Shape(47, 2, 3, 4, 12, 32, 36)


class Line(NamedTuple):
    """One terse line, taken apart."""

    place: str
    version: str
    tool_version: str | None
    name: str
    group: int
    error: int
    shape: Shape
    directions: dict[str, list[str]]
    tail: list[str]


class _Head(NamedTuple):
    """How a line begins: both versions, where its name and its first direction start, shape, how many directions."""

    version: str
    tool_version: str | None
    name: int
    start: int
    shape: Shape
    width: int


def is_torn(text: str) -> bool:
    """Say whether a line begins as one of fio's, or has latencies as one has, but ends before its histogram does."""
    if text.count(";") < _FEWEST_FIELDS or TAIL.search(text):
        return False
    return _BEGUN.match(text) is not None or len(_MEAN.findall(text)) >= len(("mean", "deviation"))


def parse(place: str, text: str) -> Line | None:
    """Take one line apart, or return null when its fields do not stand where any version puts them."""
    fields = text.strip().split(";")
    anchors = _anchors(fields)
    head = _head_of(fields, anchors) if anchors else _old_head_of(fields)
    if head is None:
        return None
    group, error = whole(fields[head.start - 2]), whole(fields[head.start - 1])
    tail = head.start + head.shape.width * head.width
    histogram = fields[tail + CPU : tail + CPU + HISTOGRAM]
    names = _names(head.version, head.width)
    if group is None or error is None or names is None or not _is_histogram(histogram):
        return None
    width = head.shape.width
    directions = {name: fields[at : at + width] for name, at in zip(names, range(head.start, tail, width), strict=True)}
    name = ";".join(fields[head.name : head.start - 2])
    return Line(place, head.version, head.tool_version, name, group, error, head.shape, directions, fields[tail:])


def _anchors(fields: Sequence[str]) -> list[int]:
    """Return where each run of 20 percentile fields begins."""
    starts, length = [], 0
    for index, field in enumerate(fields):
        length = length + 1 if "%=" in field and _PERCENTILE.fullmatch(field) else 0
        if length == SLOTS:
            starts.append(index - SLOTS + 1)
            length = 0
    return starts


def _head_of(fields: Sequence[str], anchors: list[int]) -> _Head | None:
    """Count a line out from its percentile fields (1.99 and later)."""
    steps = {later - earlier for earlier, later in pairwise(anchors)}
    version = fields[0][-1:]
    shape = LATEST if version == "5" else COMMON
    start = anchors[0] - _BEFORE_PERCENTILES
    has_tool = version in {"3", "4", "5"} and _TOOL_VERSION.fullmatch(fields[1]) is not None
    if steps - {shape.width} or not (has_tool or version == "2") or start < _HEAD + has_tool:
        return None
    tool = f"fio-{fields[1].removeprefix('fio-')}" if has_tool else None
    return _Head(version, tool, 1 + has_tool, start, shape, len(anchors))


def _old_head_of(fields: Sequence[str]) -> _Head | None:
    """Count a line without percentiles out from its histogram (1.38 to 1.59)."""
    end = next((i for i in range(len(fields)) if _is_histogram(fields[i : i + HISTOGRAM])), 0) - CPU
    for shape in (OLD, OLDEST):
        start = end - 2 * shape.width
        shares = [fields[at + shape.samples + 2] for at in (start, start + shape.width)] if start >= _OLD_HEAD else []
        if shares and all(_RATIO.fullmatch(share) for share in shares):
            is_second = fields[0] == "2" and start > _OLD_HEAD
            return _Head("2" if is_second else "", None, int(is_second), start, shape, 2)
    return None


def _is_histogram(fields: Sequence[str]) -> bool:
    return len(fields) == HISTOGRAM and all(_RATIO.fullmatch(field) for field in fields)


def _names(version: str, count: int) -> tuple[str, ...] | None:
    """
    Return the operations of a line by their order.

    One direction is ``mixed``. Version 3 has no trim, so its third is ``mixed`` beside the others
    (``unified_rw_reporting=both``); the others have trim, and ``mixed`` as the fourth.
    """
    if count == 1:
        return ("mixed",)
    every = ("read", "write", "mixed") if version == "3" else ("read", "write", "trim", "mixed")
    return every[:count] if count <= len(every) else None


def error_count(line: Line) -> int | None:
    """Return the count of ``continue_on_error``, which stands after the disks (nine fields each)."""
    rest, at = line.tail[CPU + HISTOGRAM :], 0
    while len(rest) >= at + _DISK and _RATIO.fullmatch(rest[at + _DISK - 1]):
        at += _DISK
    counts = [whole(field) for field in rest[at : at + 2]]
    return counts[0] if len(counts) == len(("errors", "first error")) and None not in counts else None
