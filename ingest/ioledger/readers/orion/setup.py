"""
What was set up, from the facts of a summary: workload and load of a point.

``-type seq`` makes the large axis count streams, each with ``-num_streamIO`` I/Os outstanding (4 unless stated).
Source: ORION's ``-help`` and the Performance Tuning Guide.
"""

from __future__ import annotations

import re
from functools import lru_cache
from typing import TYPE_CHECKING, Any, NamedTuple

import msgspec
from msgspec.structs import replace

from ioledger.readers.base import Result

if TYPE_CHECKING:
    from collections.abc import Mapping

_OPTION = re.compile(r"-(\w{1,40}) +([^- ]\S{0,200})")
_PERCENT, _KB, _STREAM_DEPTH = 100, 1024, 4


class Setup(msgspec.Struct, frozen=True, eq=False):
    """What all points of a run share, by kind of I/O (``small``, ``large``); null is not stated. Itself a key."""

    results: dict[str, Result]
    stream_depth: int | None
    """Outstanding I/Os per stream if stated; 0 when no options are known at all."""
    options: tuple[str, str, str]
    """The options as JSON text, around the numbers of large and of small I/Os."""


class Load(NamedTuple):
    """
    What the points with one number of large I/Os (or streams) share, for one kind of I/O.

    ``result`` is a result without place, depth and figures; ``point`` and ``options`` are texts around the number of
    small I/Os; ``outstanding`` counts large I/Os and is null when the file does not say how they are issued.
    """

    result: Result
    is_large: bool
    large: int
    outstanding: int | None
    point: tuple[str, str]
    options: tuple[str, str]


def setup_of(facts: Mapping[str, str]) -> Setup:
    """Return the setup from the facts of a file, which may have none (a matrix alone)."""
    return _setup(tuple(facts.items()))


@lru_cache(maxsize=64)  # matrices without a summary are all alike, and so are the summaries of one sweep
def _setup(stated: tuple[tuple[str, str], ...]) -> Setup:
    facts = dict(stated)
    line = facts.get("options", "").replace("\u2013", "-").replace("\u2212", "-")
    options = {name: re.split(r"[/\\]", value)[-1] for name, value in _OPTION.findall(line)}
    writes = _whole(facts.get("write"))
    columns = {
        "tool_version": facts.get("version"),
        "test_name": facts.get("test", facts.get("name")),
        "operation": "mixed" if writes is None else {0: "read", _PERCENT: "write"}.get(writes, "mixed"),
        "read_ratio": None if writes is None else (_PERCENT - writes) / _PERCENT,
        "duration_seconds": float(facts["duration"]) if _whole(facts.get("duration")) else None,
        "target_count": _whole(facts.get("targets")) or None,
    }
    named = options | {"num_large": "", "num_small": ""}
    before, large, rest = msgspec.json.encode(named, order="sorted").decode().partition('"num_large":"')
    between, small, after = rest.partition('"num_small":"')
    return Setup(
        {io: _result(facts, columns, io) for io in ("small", "large")},
        _whole(options.get("num_streamIO")) or None if options else 0,
        (before + large, between + small, after),
    )


def _result(facts: Mapping[str, str], columns: dict[str, Any], io: str) -> Result:
    """Return a result without place, load and figures: the form of all results of a kind of I/O."""
    kilobytes = _whole(facts.get(f"{io}_size"))
    size = kilobytes * _KB if kilobytes else None
    pattern = re.search(rf"{io} (random|sequential)", facts.get("types", "").lower())
    return Result(
        pointer="",
        repetition="",
        source_format="matrix",
        scope="point",
        block_size_bytes=size,
        block_size_min_bytes=size,
        block_size_max_bytes=size,
        access_pattern=pattern[1] if pattern else None,
        random_ratio=float(pattern[1] == "random") if pattern else None,
        printed_unit="MBPS" if io == "large" else None,
        unit_basis="unknown" if io == "large" else "exact",
        **columns,
    )


@lru_cache(maxsize=1024)  # the files of a sweep share their setup and their few loads
def load_of(setup: Setup, large: int, io: str) -> Load:
    """Return what the points with this many large I/Os share; ``io`` is the kind whose results are wanted."""
    is_large, is_stream = io == "large", setup.results["large"].access_pattern == "sequential"
    outstanding, origin = _large_outstanding(setup, large)
    beside = None
    if large and not is_large:
        beside = f"beside {large} large {'stream' if is_stream else 'I/O'}{'s' if large > 1 else ''}"
    result = replace(
        setup.results[io],
        queue_depth_origin=None if outstanding is None else origin,
        load_basis=None if outstanding is None else "streams" if is_large and is_stream else "outstanding",
        qualifier=beside,
    )
    before, between, after = setup.options
    return Load(
        result, is_large, large, outstanding, ("small ", f", large {large}"), (f"{before}{large}{between}", after)
    )


def placed(load: Load, small: int, pointer: str) -> Result:
    """Return a result at a point, without its figures."""
    number, outstanding = str(small), load.outstanding
    result = replace(
        load.result,
        pointer=pointer,
        repetition=number.join(load.point),
        queue_depth=None if outstanding is None else small + outstanding or None,
        job_options=number.join(load.options),
    )
    if not small:
        result.qualifier = None
        if not result.queue_depth:
            result.queue_depth_origin = result.load_basis = None
    elif load.is_large and load.large:
        result.qualifier = _beside_small(small)
    return result


@lru_cache(maxsize=1024)
def _beside_small(small: int) -> str:
    return f"beside {small} small I/O{'s' if small > 1 else ''}"


def _large_outstanding(setup: Setup, large: int) -> tuple[int | None, str]:
    """Return the large I/Os outstanding at a point and how that is known."""
    pattern = setup.results["large"].access_pattern
    if not large or pattern == "random":
        return large, "file"
    if pattern is None or setup.stream_depth == 0:
        return None, "file"
    return large * (setup.stream_depth or _STREAM_DEPTH), "file" if setup.stream_depth else "default"


def _whole(text: str | None) -> int | None:
    return int(text) if text is not None and re.fullmatch(r"\d{1,9}", text, re.ASCII) else None
