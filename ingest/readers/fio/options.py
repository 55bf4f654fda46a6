"""
fio's options as the workload columns of a result.

An option is a text with an origin: ``job``, ``global``, ``job_file``, ``banner`` or ``default``. A default is only
assumed when every stated option is known (``is_complete``): a banner shows four options and says nothing of the rest.
Source: fio's HOWTO; synchronous engines are those that set ``FIO_SYNCIO`` in fio's ``engines/``.
"""

from __future__ import annotations

import re
from functools import lru_cache
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, NamedTuple

from ingest.readers.fio.public import as_json, public
from ingest.readers.fio.sizes import LARGEST, option_seconds, option_size, printed_size, whole

if TYPE_CHECKING:
    from collections.abc import Mapping

SYNCHRONOUS = frozenset(
    {"sync", "psync", "vsync", "pvsync", "pvsync2", "mmap", "splice", "libpmem", "dev-dax", "ftruncate", "falloc"}
)
CANONICAL = {"readwrite": "rw", "blocksize": "bs", "blocksize_range": "bsrange", "timeout": "runtime"}
_DIRECTIONS = ("read", "write", "trim")
WORKLOAD = ("rw", "bs", "bsrange", "bssplit", "iodepth", "numjobs", "ioengine", "direct", "rwmixread", "ramp_time")
_PERCENT = 100


class Options(NamedTuple):
    """Options by canonical name, the origin of each, and whether an absent one is known to be at its default."""

    values: Mapping[str, str]
    origins: Mapping[str, str]
    is_complete: bool = False
    disputed: tuple[str, ...] = ()
    """Options that the job file states otherwise than the report does."""
    repeated: Mapping[str, tuple[str, ...]] = MappingProxyType({})
    """Every value of the options that one place states more than once with different values; the last holds."""


def canonical(name: str) -> str:
    """Return the name that fio's own reports use for an option (``readwrite`` is ``rw``)."""
    return CANONICAL.get(name, name)


def workload(options: Options, operation: str, jobs: int | None) -> dict[str, Any]:
    """
    Return the columns of a result that describe its workload and load.

    ``jobs`` is how many processes or threads the result covers, null when unknown.
    """
    return shared(options, jobs) | blocks(options, operation)


def blocks(options: Options, operation: str) -> dict[str, int | None]:
    """Return the columns that differ between the operations of a job: the sizes of its blocks; a ``sync`` has none."""
    sizes = (None, None) if operation == "sync" else _block_sizes(options.values, operation)
    low, high = sizes or _default_block_sizes(options)
    return {
        "block_size_bytes": low if low == high and "bssplit" not in options.values else None,
        "block_size_min_bytes": low,
        "block_size_max_bytes": high,
    }


def shared(options: Options, jobs: int | None) -> dict[str, Any]:
    """Return the columns of a workload that all operations of a job share."""
    values = options.values
    depth, origin = _depth(options)
    return {
        **_pattern(options),
        "queue_depth": depth * jobs if depth is not None and jobs is not None and depth * jobs <= LARGEST else None,
        "queue_depth_origin": origin if jobs is not None else None,
        "outstanding_per_target_count": depth,
        "process_count": jobs,
        "engine": public("ioengine", values["ioengine"]) if "ioengine" in values else None,
        "is_direct": _flag(values.get("direct"), is_complete=options.is_complete),
        "ramp_seconds": option_seconds(values["ramp_time"]) if "ramp_time" in values else None,
        "workload_origins": " ".join(f"{n}={options.origins[n]}" for n in sorted(WORKLOAD) if n in values) or None,
        "job_options": as_json(values, options.repeated),
    }


def _pattern(options: Options) -> dict[str, Any]:
    """Return order of addresses and read share from ``rw``, ``percentage_random`` and ``rwmixread``."""
    values = options.values
    mode = values.get("rw", "read" if options.is_complete else "").partition(":")[0]
    if not mode:
        return {"access_pattern": None, "random_ratio": None, "read_ratio": None}
    share = whole(values.get("percentage_random", "").partition(",")[0])
    random = (1.0 if share is None else share / _PERCENT) if mode.startswith("rand") else 0.0
    pattern = {0.0: "sequential", 1.0: "random"}.get(random, "mixed")
    return {"access_pattern": pattern, "random_ratio": random, "read_ratio": _read_ratio(options, mode)}


def _read_ratio(options: Options, mode: str) -> float | None:
    kind = mode.removeprefix("rand")
    if kind not in {"rw", "readwrite"}:
        return {"read": 1.0, "write": 0.0, "trim": 0.0, "trimwrite": 0.0}.get(kind)
    read, write = (whole(options.values.get(f"rwmix{name}", "")) for name in ("read", "write"))
    if read is None and write is not None:
        read = _PERCENT - write
    if read is None:
        return 0.5 if options.is_complete else None
    return read / _PERCENT if read <= _PERCENT else None


def _default_block_sizes(options: Options) -> tuple[int | None, int | None]:
    stated = options.values.keys() & {"bs", "bsrange", "bssplit"}
    return (4096, 4096) if options.is_complete and not stated else (None, None)


def _block_sizes(values: Mapping[str, str], operation: str) -> tuple[int, int] | None:
    """Return the smallest and largest block of an operation; ``mixed`` spans all of them."""
    text = values.get("bssplit") or values.get("bsrange") or values.get("bs") or ""
    return _sizes(text, operation, is_split="bssplit" in values)


@lru_cache(1024)
def _sizes(text: str, operation: str, *, is_split: bool) -> tuple[int, int] | None:
    parts = text.split(",") if is_split else re.split(r",|/(?=[^/]*-)", re.sub(r"\([RWT]\) *", "", text))
    ranges = [_range(part) for part in parts[: len(_DIRECTIONS)]]
    if operation in _DIRECTIONS:
        ranges = [ranges[min(_DIRECTIONS.index(operation), len(ranges) - 1)]]
    edges = [edge for both in ranges if both for edge in both]
    return (min(edges), max(edges)) if edges else None


def _range(text: str) -> tuple[int, int] | None:
    """Return the ends of ``4k``, ``4k-64k``, ``64.0KiB-64.0KiB`` or of the sizes of a split, ``4k/60:64k/40``."""
    ends = [end for part in text.split(":") for end in part.partition("/")[0].split("-")]
    sizes = [_size(end.strip()) for end in ends if end.strip()]
    known = [size for size in sizes if size is not None]
    return (min(known), max(known)) if known and len(known) == len(sizes) else None


def _size(text: str) -> int | None:
    """Return a size as an option states it, or as a banner prints it (``KiB`` is 1024 there)."""
    if re.fullmatch(r"[\d.]+[KMGTPE]iB", text):
        printed = printed_size(text, is_binary=True)
        return round(printed.value) if printed and printed.value <= LARGEST else None
    return option_size(text)


def _depth(options: Options) -> tuple[int | None, str | None]:
    """Return the outstanding I/Os per job: one for synchronous engines, whatever ``iodepth`` says."""
    engine = options.values.get("ioengine", "psync" if options.is_complete else "")
    if engine.partition(":")[0] in SYNCHRONOUS:
        return 1, options.origins.get("ioengine", "default")
    if "iodepth" in options.values:
        return whole(options.values["iodepth"]), options.origins["iodepth"]
    return (1, "default") if options.is_complete else (None, None)


def _flag(text: str | None, *, is_complete: bool) -> bool | None:
    if text is None:
        return False if is_complete else None
    return text.strip() not in {"0", "false"}
