"""
What was set up, from the facts of a summary: workload and load of a point.

``-type seq`` makes the large axis count streams, each with ``-num_streamIO`` I/Os outstanding (4 unless stated).
Source: ORION's ``-help`` and the Performance Tuning Guide.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any, NamedTuple

import msgspec

if TYPE_CHECKING:
    from collections.abc import Mapping

    from ingest.readers.orion.report import Point

_OPTION = re.compile(r"-(\w{1,40}) +([^- ]\S{0,200})")
_PERCENT, _KB, _STREAM_DEPTH = 100, 1024, 4


class Setup(NamedTuple):
    """What all points of a run share; null is not stated."""

    columns: dict[str, Any]
    options: dict[str, str]
    size: dict[str, int | None]
    pattern: dict[str, str | None]


def setup_of(facts: Mapping[str, str]) -> Setup:
    """Return the setup from the facts of a file, which may have none (a matrix alone)."""
    line = facts.get("options", "").replace("\u2013", "-").replace("\u2212", "-")
    options = {name: re.split(r"[/\\]", value)[-1] for name, value in _OPTION.findall(line)}
    writes = _whole(facts.get("write"))
    operation = "mixed" if writes is None else {0: "read", _PERCENT: "write"}.get(writes, "mixed")
    types = facts.get("types", "").lower()
    sizes = {io: _whole(facts.get(f"{io}_size")) for io in ("small", "large")}
    columns = {
        "tool_version": facts.get("version"),
        "test_name": facts.get("test", facts.get("name")),
        "operation": operation,
        "read_ratio": None if writes is None else (_PERCENT - writes) / _PERCENT,
        "duration_seconds": float(facts["duration"]) if _whole(facts.get("duration")) else None,
        "target_count": _whole(facts.get("targets")) or None,
        "scope": "point",
    }
    return Setup(
        columns,
        options,
        {io: size * _KB if size else None for io, size in sizes.items()},
        {io: _pattern(types, io) for io in sizes},
    )


def columns(setup: Setup, point: Point, io: str) -> dict[str, Any]:
    """Return the columns of a result of the small or large I/Os at a point."""
    large, origin = _large_outstanding(setup, point)
    depth = None if large is None else point.small + large
    pattern = setup.pattern[io]
    is_streams = io == "large" and pattern == "sequential"
    options = setup.options | {"num_small": str(point.small), "num_large": str(point.large)}
    return {
        **setup.columns,
        "point": str(point),
        "block_size_bytes": setup.size[io],
        "block_size_min_bytes": setup.size[io],
        "block_size_max_bytes": setup.size[io],
        "access_pattern": pattern,
        "random_ratio": None if pattern is None else float(pattern == "random"),
        "queue_depth": depth or None,
        "queue_depth_origin": origin if depth else None,
        "load_basis": None if not depth else "streams" if is_streams else "outstanding",
        "qualifier": _beside(setup, point, io) if point.small and point.large else None,
        "job_options": msgspec.json.encode(options, order="sorted").decode(),
    }


def _beside(setup: Setup, point: Point, io: str) -> str:
    """Return what ran at the same time, in words."""
    count, what = (point.small, "small I/O") if io == "large" else (point.large, "large I/O")
    if io == "small" and setup.pattern["large"] == "sequential":
        what = "large stream"
    return f"beside {count} {what}{'s' if count > 1 else ''}"


def _large_outstanding(setup: Setup, point: Point) -> tuple[int | None, str]:
    """Return the large I/Os outstanding at a point, null when the file does not say how they are issued."""
    pattern = setup.pattern["large"]
    if not point.large or pattern == "random":
        return point.large, "file"
    if pattern is None or not setup.options:
        return None, "file"
    stated = _whole(setup.options.get("num_streamIO"))
    return point.large * (stated or _STREAM_DEPTH), "file" if stated else "default"


def _pattern(types: str, io: str) -> str | None:
    found = re.search(rf"{io} (random|sequential)", types)
    return found[1] if found else None


def _whole(text: str | None) -> int | None:
    return int(text) if text is not None and re.fullmatch(r"\d{1,9}", text, re.ASCII) else None
