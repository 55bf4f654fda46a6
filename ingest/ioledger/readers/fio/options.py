"""
fio's options as the workload columns of a result.

An option is a text with an origin: ``job``, ``global``, ``job_file``, ``banner`` or ``default``. A default is only
assumed when every stated option is known (``is_complete``): a banner shows four options and says nothing of the rest.
Options are published without names of folders, hosts and people.
Source: fio's HOWTO; synchronous engines are those that set ``FIO_SYNCIO`` in fio's ``engines/``.
"""

from __future__ import annotations

import json
import re
from functools import lru_cache
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, NamedTuple

import msgspec
from msgspec.structs import replace

from ioledger.model import UNKNOWN
from ioledger.readers.units import KIBI, KILO, LARGEST, PERCENT, banner_size, option_seconds, option_size, whole

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from ioledger.model import Premises, Result

SYNCHRONOUS = frozenset(
    {"sync", "psync", "vsync", "pvsync", "pvsync2", "mmap", "splice", "libpmem", "dev-dax", "ftruncate", "falloc"}
)
CANONICAL = {"readwrite": "rw", "blocksize": "bs", "blocksize_range": "bsrange", "timeout": "runtime"}
"""The names that fio's own reports use for options."""
_DIRECTIONS = ("read", "write", "trim")
WORKLOAD = ("bs", "bsrange", "bssplit", "direct", "iodepth", "ioengine", "numjobs", "ramp_time", "rw", "rwmixread")
"""Sorted, as the column of their origins lists them."""
_TOKENS = re.compile(r"([,:/-])")
_find_path = lru_cache(1024)(re.compile(r"file|dir|log|path|device|exec").search)
_find_secret = lru_cache(1024)(re.compile(r"host|server|user|pass|key|uri|url").search)
"""Of the name of an option; the names are few, and the options of reports many."""
OFF = frozenset({"0", "false"})
UNVERIFIED = frozenset({"0", "none", "null"})
"""Values of ``verify`` that add no reads."""
_POLLS = ("hipri", "sqthread_poll", "thinktime_spin")
_UNBATCHED = ("iodepth_batch_complete", "iodepth_batch_complete_min")
_BUSY_BY_DESIGN = ("spdk", "libpmem", "dev-dax", "mmap", "cpuio")
"""
What keeps a processor busy by design, so that a busy one proves nothing: polling for completions (SPDK, a smallest
batch of none), spinning between operations, or moving the data by the processor itself (memory).
"""
_UNSTARTED = ("disable_lat", "disable_slat")
_TELLING = frozenset({*_POLLS, *_UNBATCHED, *_UNSTARTED})
"""Hardly a job states one of these."""
_quickly = msgspec.json.Encoder(order="sorted").encode
_encoded = json.JSONEncoder(sort_keys=True, ensure_ascii=False, separators=(",", ":")).encode


class Options(NamedTuple):
    """Options by canonical name, the origin of each, and whether an absent one is known to be at its default."""

    values: Mapping[str, str]
    origins: Mapping[str, str]
    is_complete: bool = False
    disputed: tuple[str, ...] = ()
    """Options that the job file states otherwise than the report does."""
    repeated: Mapping[str, tuple[str, ...]] = MappingProxyType({})
    """Every value of the options that one place states more than once with different values; the last holds."""
    decimal: frozenset[str] = frozenset()
    """Options that were stated under ``kb_base=1000``, where ``4k`` is 4000 and ``4KiB`` is 4096."""


class Section(dict[str, str]):
    """The options of one job of a job file by name, and which of them were stated under ``kb_base=1000``."""

    decimal: frozenset[str] = frozenset()


def decimal(said: Iterable[tuple[str, str]]) -> frozenset[str]:
    """
    Return the names of the options that were stated under ``kb_base=1000``.

    ``said`` are names and values in the order in which fio takes them in: what stood before ``kb_base`` keeps its size.
    """
    found: set[str] = set()
    base = str(KIBI)
    for name, value in said:
        base = value if name == "kb_base" else base
        (found.discard if base == str(KIBI) else found.add)(name)
    return frozenset(found)


def decimal_of(filed: Mapping[str, str]) -> frozenset[str]:
    """Return the options of a section that were stated under ``kb_base=1000``."""
    return filed.decimal if isinstance(filed, Section) else frozenset()


def in_bytes(text: str, *, is_decimal: bool) -> str:
    """Return a size, or a list or range of sizes, with every size in plain bytes."""
    base = KILO if is_decimal else KIBI
    sizes = ((token, option_size(token, base)) for token in _TOKENS.split(text))
    return "".join(token if size is None else str(size) for token, size in sizes)


def workload(options: Options, operation: str, jobs: int | None) -> dict[str, Any]:
    """
    Return the columns of a result that describe its workload and load.

    ``jobs`` is how many processes or threads the result covers, null when unknown. A ``sync`` has no blocks, and those
    of ``mixed`` span the blocks of all operations.
    """
    values, is_complete = options.values, options.is_complete
    depth, origin = _depth(options)
    mode = values.get("rw", "read" if is_complete else "").partition(":")[0]
    share = whole(values.get("percentage_random", "").partition(",")[0])
    random = (1.0 if share is None else share / PERCENT) if mode.startswith("rand") else 0.0 if mode else None
    direct = values.get("direct", "0" if is_complete else None)
    low, high = (None, None) if operation == "sync" else _block_sizes(options, operation) or (None, None)
    return {
        "block_size_bytes": low if low == high else None,
        "block_size_min_bytes": low,
        "block_size_max_bytes": high,
        "access_pattern": None if random is None else {0.0: "sequential", 1.0: "random"}.get(random, "mixed"),
        "random_ratio": random,
        "read_ratio": _read_ratio(options, mode.removeprefix("rand")),
        "queue_depth": depth * jobs if depth is not None and jobs is not None and depth * jobs <= LARGEST else None,
        "queue_depth_origin": origin if jobs is not None else None,
        "outstanding_per_target_count": depth,
        "process_count": jobs,
        "engine": public("ioengine", values["ioengine"]) if "ioengine" in values else None,
        "is_direct": None if direct is None else direct.strip() not in OFF,
        "ramp_seconds": option_seconds(values["ramp_time"]) if "ramp_time" in values else None,
        "workload_origins": " ".join(f"{n}={options.origins[n]}" for n in WORKLOAD if n in values) or None,
        "job_options": as_json(values, options.repeated),
    }


def _block_sizes(options: Options, operation: str) -> tuple[int, int] | None:
    """Return the smallest and largest block of an operation."""
    name = next((name for name in ("bssplit", "bsrange", "bs") if options.values.get(name)), "")
    if options.is_complete and not options.values.keys() & {"bs", "bsrange", "bssplit"}:
        return 4096, 4096
    base = 0 if options.origins.get(name) == "banner" else KILO if name in options.decimal else KIBI
    return _sizes(options.values.get(name, ""), operation, base, is_split=name == "bssplit")


@lru_cache(1024)
def _sizes(text: str, operation: str, kb_base: int, *, is_split: bool) -> tuple[int, int] | None:
    """Return the smallest and largest size of ``4k``, ``4k-64k``, a split, or as a banner prints it (``kb_base`` 0)."""
    parts = text.split(",") if is_split else re.split(r",|/(?=[^/]*-)", re.sub(r"\([RWT]\) *", "", text))
    parts = parts[: len(_DIRECTIONS)]
    if operation in _DIRECTIONS:
        parts = [parts[min(_DIRECTIONS.index(operation), len(parts) - 1)]]
    edges: list[int] = []
    for part in parts:
        ends = [end for size in part.split(":") for end in size.partition("/")[0].split("-") if end.strip()]
        sizes = [option_size(end, kb_base) if kb_base else banner_size(end.strip()) for end in ends]
        known = [size for size in sizes if size is not None]
        edges += known if len(known) == len(sizes) else []
    return (min(edges), max(edges)) if edges else None


def _read_ratio(options: Options, kind: str) -> float | None:
    if kind not in {"rw", "readwrite"}:
        return {"read": 1.0, "write": 0.0, "trim": 0.0, "trimwrite": 0.0}.get(kind)
    read, write = (whole(options.values.get(f"rwmix{name}", "")) for name in ("read", "write"))
    if read is None and write is not None:
        read = PERCENT - write
    if read is None:
        return 0.5 if options.is_complete else None
    return read / PERCENT if read <= PERCENT else None


def _depth(options: Options) -> tuple[int | None, str | None]:
    """Return the outstanding I/Os per job: one for synchronous engines, whatever ``iodepth`` says."""
    engine = options.values.get("ioengine", "psync" if options.is_complete else "")
    if engine.partition(":")[0] in SYNCHRONOUS:
        return 1, options.origins.get("ioengine", "default")
    if "iodepth" in options.values:
        return whole(options.values["iodepth"]), options.origins["iodepth"]
    return (1, "default") if options.is_complete else (None, None)


def as_json(values: Mapping[str, str], repeated: Mapping[str, Sequence[str]] = MappingProxyType({})) -> str | None:
    """Return options as sorted JSON text, with all values of those stated twice, without folders, hosts and users."""
    kept: dict[str, str | list[str]] = {
        name: public(name, value) if "/" in value or "\\" in value else value
        for name, value in values.items()
        if not _find_secret(name)
    }
    kept |= {name: [public(name, each) for each in every] for name, every in repeated.items() if name in kept}
    try:
        return _quickly(kept).decode() if kept else None
    except UnicodeEncodeError:  # half a surrogate, which no encoding can hold and becomes an escape later
        return _encoded(kept)


def public(name: str, value: str) -> str:
    """Return a value without folders: those of options that name files, and those of an engine from outside fio."""
    if _find_path(name) or value.startswith(("/", "external:")):
        return value[max(value.rfind("/"), value.rfind("\\")) + 1 :]
    return value


def state_premises(
    results: Sequence[Result],
    options: Options,
    sought: tuple[int | None, int | None],
    known: Premises = UNKNOWN,
    *,
    is_report: bool = True,
) -> None:
    """
    Set what the figures of a job must show of its load, beside what is ``known`` of it already.

    ``sought`` is what a report says of a depth that was sought to hold ``latency_target``: the target (zero is none,
    null leaves it to the option), and the depth at which the process ended that was added last. Where a single process
    ended is where its load did. ``is_report`` says that a report states all options.
    """
    values, (target, depth) = options.values, sought
    stated = values.get("latency_target") if target is None else None
    is_sought = target > 0 if target is not None else stated is not None and option_seconds(stated) != 0
    is_telling = not _TELLING.isdisjoint(values)
    is_polling = is_telling and any(values.get(name, "0") not in OFF for name in _POLLS)
    is_polling |= is_telling and any(values.get(name) == "0" for name in _UNBATCHED)
    for result in results:
        result.is_queue_depth_sought = is_sought
        if is_sought and result.process_count == 1:
            result.queue_depth_reached = depth or None
        result.premises = replace(
            known,
            wanted_seconds=option_seconds(values.get("runtime", "")) if values.get("time_based", "0") != "0" else None,
            is_verifying=values.get("verify", "0") not in UNVERIFIED if is_report or "verify" in values else None,
            is_verifying_earlier=values.get("verify_only", "0") not in OFF,
            is_polling=is_polling or any(name in (result.engine or "") for name in _BUSY_BY_DESIGN),
            is_unstarted=is_telling and any(values.get(name, "0") not in OFF for name in _UNSTARTED),
            settled_depth=depth or None,
        )
