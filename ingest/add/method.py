"""
The part of a manifest's method that the results themselves tell; a value that a person stated is never replaced.

Each value says how it is known: collected where the tool states it, inferred where it follows from that.
"""

from __future__ import annotations

import json
from datetime import UTC, datetime
from statistics import median
from typing import TYPE_CHECKING, Any

from ingest.facts import known

if TYPE_CHECKING:
    from ingest.add.linking import Item
    from ingest.record import Result

Stated = dict[str, Any]
_PATTERN = {"refill_buffers", "scramble_buffers"}
_OTHER_PATTERNS = {
    "zero_buffers", "buffer_pattern", "buffer_compress_percentage", "buffer_compress_chunk", "dedupe_percentage",
    "verify", "verify_pattern",
}  # fmt: skip
_WORDS: dict[tuple[Any, ...], str] = {
    ("0", "1"): "random, filled in once and scrambled before every write",
    ("0", "0"): "random, filled in once",
    ("1", "0"): "random, refilled for every write",
    ("1", "1"): "random, refilled for every write",
}
"""By ``refill_buffers`` and ``scramble_buffers``. Source: fio's HOWTO, "Buffers and memory"."""


def fill(manifest: dict[str, Any], found: list[Item]) -> None:
    """Put what the results tell into every configuration of the manifest, and the date of the test."""
    for name, configuration in manifest["configurations"].items():
        mine = [item for item in found if item.configuration == name]
        results = [result for item in mine if item.role == "result" for result in item.reading.results]
        if results:
            method = configuration["method"]
            told = {**_of_results(results), **_of_files(mine), **_preparation(mine, method)}
            _complete(method, told | {"data_pattern": _pattern(results)})
            _complete(configuration["software"], _tool(mine))
    ended = [r.ended_at for item in found for r in item.reading.results if r.ended_at is not None]
    if manifest["tested_on"] == "unknown" and ended:
        manifest["tested_on"] = datetime.fromtimestamp(min(ended) / 1e6, tz=UTC).date().isoformat()


def _complete(section: Stated, told: dict[str, Stated | None]) -> None:
    for field, value in told.items():
        if value is not None and known(section.get(field, "unknown"), "").value is None:
            section[field] = value


def _collected(value: object) -> Stated | None:
    return None if value is None else {"value": value, "how_known": "collected"}


def _inferred(value: object, note: str) -> Stated:
    return {"value": value, "how_known": "inferred", "note": note}


def _only(results: list[Result], name: str) -> Any:  # noqa: ANN401  (any column)
    """Return the value that every result has, or None where they differ or state none."""
    values = {getattr(result, name) for result in results}
    return values.pop() if len(values) == 1 else None


def _of_results(results: list[Result]) -> dict[str, Stated | None]:
    durations = [result.duration_seconds for result in results if result.duration_seconds is not None]
    depths = sorted({result.queue_depth for result in results if result.queue_depth is not None})
    time = round(median(durations), 1) if durations else None
    kind = _only(results, "latency_kind")
    return {
        "cache_bypass": _collected({True: "direct", False: "buffered"}.get(_only(results, "is_direct"))),
        "run_time_seconds": _inferred(time, "median of the measured times") if time else None,
        "ramp_seconds": _collected(_only(results, "ramp_seconds")),
        "process_count": _collected(_only(results, "process_count")),
        "latency_kind": _collected(f"{kind}, as the tool reports it" if kind else None),
        "unit_base": _collected("exact" if _only(results, "unit_basis") == "exact" else None),
        "load_axis": _collected(f"outstanding I/Os {', '.join(map(str, depths))}" if depths else None),
    }


def _of_files(mine: list[Item]) -> dict[str, Stated | None]:
    count = max(item.repetition or 1 for item in mine)
    return {
        "repetition_count": _inferred(count, "counted from the files"),
        "kept_run": _inferred("all", "every file that was handed in is kept"),
    }


def _preparation(mine: list[Item], method: Stated) -> dict[str, Stated | None]:
    """Tell from a preparing run what was written before, and from the jobs where; ``method`` is what is stated."""
    jobs = [options for item in mine for result in item.reading.results if (options := _options(result))]
    sizes = {size if isinstance(size := options.get("size"), str) else None for options in jobs}
    written = [
        (item, result) for item in mine if item.role == "preparation" for result in item.reading.results
        if result.operation == "write" and result.access_pattern == "sequential"
    ]  # fmt: skip
    told: dict[str, Stated | None] = {}
    if len(sizes) == 1 and None not in sizes:
        told |= _area(str(sizes.pop()))
    if written:
        bytes_ = max(result.transferred_bytes or 0 for _, result in written)
        note = f"from {', '.join(sorted(item.name for item, _ in written))}"
        told["preconditioning"] = _inferred(f"{bytes_} bytes were written sequentially before measuring", note)
        if known(method.get("preconditioning", "unknown"), "").value is None:
            told["preconditioning_class"] = _inferred("filled", note)
        told["file_written"] = _inferred("every block was written before the measurement", note)
    return told


def _pattern(results: list[Result]) -> Stated | None:
    """
    Tell what fio wrote from options that every job states alike: random bytes, unless an option says otherwise.

    ``scramble_buffers`` is read only where it is stated, because old reports leave bare flags out.
    """
    jobs = [_options(result) for result in results]
    if any(options.keys() & _OTHER_PATTERNS or not options.keys() >= _PATTERN for options in jobs):
        return None
    found = {tuple(options[name] for name in sorted(_PATTERN)) for options in jobs}
    words = _WORDS.get(found.pop()) if len(found) == 1 else None
    return _inferred(words, "from refill_buffers and scramble_buffers of every job") if words else None


def _area(size: str) -> dict[str, Stated | None]:
    note = "fio's size option, the same in every job"
    if not size.isdigit():
        return {"measurement_area": _inferred(f"a file of {size}", note)}
    return {
        "measurement_area": _inferred(f"a file of {size} bytes", note),
        "measurement_area_bytes": _inferred(int(size), note),
    }


def _options(result: Result) -> dict[str, str | list[str]]:
    return json.loads(result.job_options) if result.job_options else {}


def _tool(mine: list[Item]) -> dict[str, Stated | None]:
    readings = [item.reading for item in mine if item.role == "result"]
    tools, versions = {reading.tool for reading in readings}, {reading.tool_version for reading in readings}
    return {
        "tool": _collected(tools.pop() if len(tools) == 1 else None),
        "tool_version": _collected(versions.pop() if len(versions) == 1 else None),
    }
