"""
What fio's runs of a configuration addressed, and whether a preparing run had written all of it before.

Only jobs that address their target from its start are understood; of others nothing is stated. Reports name files
without their folders, so one name is taken for one file.
"""

from __future__ import annotations

import re
from collections import defaultdict
from typing import TYPE_CHECKING, Any, NamedTuple

from ioledger.submission.consistency import addressed_bytes, group_of, options_of
from ioledger.submission.manifest import known
from ioledger.tables.files import ended

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from ioledger.add.linking import Item
    from ioledger.model import Result

WHOLE_DEVICE = re.compile(r"[shv]d[a-z]+|xvd[a-z]+|nvme\d+n\d+|pmem\d+|mmcblk\d+|PhysicalDrive\d+")
"""Names of drives; of a partition or an array the capacity of the drive tells nothing."""
MICROSECONDS_OF_SECOND = 1_000_000
HOLES = frozenset({"percentage_random", "norandommap", "unlink", "unlink_each_loop"})
"""Options of fio with which a sequential run leaves blocks out, or the file is gone when it ends."""


class Area(NamedTuple):
    """The files that runs address, by published name, and the bytes of each group of jobs that ran together."""

    names: frozenset[str | None]
    sizes: frozenset[int]
    capacity_bytes: int | None

    def words(self) -> str:
        """Return the area in words for a manifest."""
        size = max(self.sizes)
        return "the whole device" if size == self.capacity_bytes else f"{size} bytes"


def measured_area(mine: Sequence[Item], capacity_bytes: int | None) -> Area | None:
    """Return what fio's runs addressed, or None where a run does not tell it or several hosts ran."""
    items = [item for item in mine if item.role == "result"]
    runs = [(item, result) for item in items for result in item.reading.results if result.job_options]
    if {item.reading.tool for item in items} != {"fio"} or any(result.scope == "all" for _, result in runs):
        return None
    groups: dict[object, dict[str | None, int]] = defaultdict(lambda: defaultdict(int))
    counted = set()
    for item, result in runs:
        job = item.name, result.repetition
        if job in counted or not result.is_canonical or result.is_partial or result.is_aggregate:
            continue
        counted.add(job)
        options = options_of(result)
        name = options.get("filename")
        size = addressed_bytes(options, capacity_bytes if WHOLE_DEVICE.fullmatch(name or "") else None)
        if not size or (name is None and not result.process_count):
            return None
        alone = result.repetition if result.group_index is None else None
        sizes = groups[item.name, *group_of(result), alone]
        sizes[name] = sizes[name] + size * (result.process_count or 1) if name is None else max(sizes[name], size)
    if not groups:
        return None
    names = frozenset(name for sizes in groups.values() for name in sizes)
    return Area(names, frozenset(sum(sizes.values()) for sizes in groups.values()), capacity_bytes)


def is_filled(area: Area, mine: Sequence[Item]) -> bool:
    """Say whether one job of a preparing run before wrote every byte of the only file that was measured."""
    early = list_preparations(mine)
    results = [result for item in early for result in item.reading.results]
    if len(area.names) != 1 or None in area.names or any(result.operation == "trim" for result in results):
        return False
    size = max(area.sizes)
    return any(
        is_fill(result)
        and result.process_count == 1
        and options_of(result).get("filename") in area.names
        and (addressed_bytes(options_of(result), area.capacity_bytes) or 0) >= size
        and (result.transferred_bytes or 0) >= size
        for result in results
    )


def is_fill(result: Result) -> bool:
    """Say whether a run writes from the start of its area on, and leaves nothing out."""
    options = options_of(result)
    is_holed = ":" in options.get("rw", options.get("readwrite", "")) or bool(options.keys() & HOLES)
    is_sequential = result.operation == "write" and result.access_pattern == "sequential"
    is_sound = not result.error_code and not result.error_count and not result.premises.is_summed
    return is_sequential and bool(result.transferred_bytes) and not is_holed and is_sound


def is_like_preparation(item: Item) -> bool:
    """Say whether a file that is taken as a result did nothing but write each of its areas once, in sequence."""
    jobs = [result for result in item.reading.results if result.is_canonical]
    return bool(jobs) and all(
        is_fill(result) and (size := addressed_bytes(options_of(result))) and (result.transferred_bytes or 0) >= size
        and options_of(result).get("time_based", "0") == "0" and "runtime" not in options_of(result)
        for result in jobs
    )  # fmt: skip


def list_preparations(mine: Sequence[Item], *, the_last: bool = False) -> list[Item]:
    """
    Return the preparing files that had ended when the first measurement began, or the last, as far as times tell it.

    A report says when it was written, and since fio 3.36 when each job began; one of a run that measured lies as long
    behind its beginning as its last job took.
    """
    begins = [min(_starts(item), default=None) for item in mine if item.role == "result"]
    known_begins = [begun for begun in begins if begun is not None]
    if not known_begins or len(known_begins) < len(begins):
        return []
    limit = max(known_begins) if the_last else min(known_begins)
    limit += MICROSECONDS_OF_SECOND  # times in reports may be cut off
    preparations = ((item, ended(item.reading.results)) for item in mine if item.role == "preparation")
    return [item for item, end in preparations if end is not None and end <= limit]


def _starts(item: Item) -> Iterator[float]:
    """Give when the runs of a file began at the latest, in microseconds since 1970 UTC, as far as they tell it."""
    for result in item.reading.results:
        if result.started_at is not None:
            yield result.started_at
        elif result.ended_at is not None:
            yield result.ended_at - 1e6 * (result.duration_seconds or 0.0)


def list_late_preparations(mine: list[Item]) -> list[Item]:
    """
    Return the preparing files of a configuration that do not count, because nothing tells that they came first.

    Where one did, those between the runs prepared later ones, as a plan for fio has it, and need no word.
    """
    filling = [item for item in mine if item.role == "preparation" and sequential_bytes(item)]
    early = list_preparations(mine)
    late = [item for item in filling if item not in early]
    repeated = list_preparations(mine, the_last=True) if len(late) < len(filling) else []
    return [item for item in late if item not in repeated]


def sequential_bytes(item: Item) -> int:
    """Return the most bytes that a run of a preparing file wrote in sequence."""
    return max((
        result.transferred_bytes or 0 for result in item.reading.results
        if result.operation == "write" and result.access_pattern == "sequential"
    ), default=0)  # fmt: skip


def explain_order(late: list[Item]) -> str:
    """Say why files that prepared a target are not taken for what was before the measurement."""
    names = ", ".join(sorted(item.name for item in late))
    if any(ended(item.reading.results) is None for item in late):
        return f"it is not stated whether {names} ran before the measurement"
    return f"{names} had not ended when the measurement began"


def device_capacity(manifest: dict[str, Any], configuration: dict[str, Any]) -> int | None:
    """Return the capacity of the device that is measured: of the only data drive, without a file system."""
    storage = configuration["storage"]
    drives = [drive for drive in storage.get("drives", ()) if drive.get("role", "data") == "data"]
    if known(storage.get("filesystem", "unknown")).value != "raw" or [drive["count"] for drive in drives] != [1]:
        return None
    capacity: int | None = known(
        manifest["devices"].get(drives[0]["device"], {}).get("capacity_bytes", "unknown")
    ).value
    return capacity
