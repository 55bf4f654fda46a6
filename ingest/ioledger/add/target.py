"""
What fio's runs of a configuration addressed, and whether a run before them had written all of it.

Readers publish names without folders, so what is a device, and which file is the same, is read from the files' text.
"""

from __future__ import annotations

import re
from collections import defaultdict
from typing import TYPE_CHECKING, Any, NamedTuple

from ioledger.readers.fio.options import public
from ioledger.submission.areas import Area, area_of, options_of
from ioledger.submission.manifest import known

if TYPE_CHECKING:
    from collections.abc import Iterable

    from ioledger.add.linking import Item
    from ioledger.readers.base import Result

IN_REPORT = re.compile(rb'"filename"\s*:\s*"((?:[^"\\]|\\.)*)"')
IN_JOB = re.compile(rb"^[ \t]*filename[ \t]*=[ \t]*([^\r\n]*[^\s])", re.MULTILINE)
DEVICES, MEMORY = ("/dev/", "\\\\.\\"), "/dev/shm/"  # noqa: S108  (a name in a report; nothing is written there)
"""Where drives have their names, and below them where Linux keeps files in memory."""
WHOLE_DEVICE = re.compile(
    r"/dev/(?:[shv]d[a-z]+|xvd[a-z]+|nvme\d+n\d+|pmem\d+|mmcblk\d+|disk/by-(?:id|path)/(?!.*-part\d+$).+)"
    r"|\\\\\.\\PhysicalDrive\d+"
)
COLON = re.compile(r"(?<!\\):")
Names = dict[str, str]
"""Files as they are named in full, by their published names."""


class Part(NamedTuple):
    """What the processes of one job address."""

    area: Area
    process_count: int

    @property
    def low(self) -> int:
        """First byte in the files that it names."""
        return self.area.start_bytes

    @property
    def high(self) -> int:
        """End in the files that it names."""
        last = self.area.start_bytes + self.area.step_bytes * (self.process_count - 1)
        return last + self.area.size_bytes


class Target(NamedTuple):
    """What was addressed: the jobs' parts, each once, and the bytes of each group of jobs that ran together."""

    parts: frozenset[Part]
    sizes: frozenset[int]
    names: Names
    capacity_bytes: int | None

    def words(self) -> str:
        """Return the area in words for a manifest; the name itself may tell of a person, and is left out."""
        files = [name for full in self.names.values() for name in COLON.split(full)]
        areas = {part.area._replace(filename=None) for part in self.parts}
        area = areas.pop()
        size = f"{area.text} bytes" if area.text.isdigit() else area.text
        if not self.names:
            return f"{size} for each process, in a file of its own"
        devices = [name.startswith(DEVICES) and not name.startswith(MEMORY) for name in files]
        noun = "devices" if all(devices) else "files and devices" if any(devices) else "files"
        if areas or len(self.names) > 1:
            return f"{max(self.sizes)} bytes of {len(files)} {noun}" if len(files) > 1 else f"{max(self.sizes)} bytes"
        if len(files) > 1:
            return f"{size} over {len(files)} {noun}"
        if self.capacity_bytes == area.size_bytes:
            return "the whole device"
        if area.start_bytes:
            return f"{size} of a {'device' if devices[0] else 'file'}, from byte {area.start_bytes} on"
        return f"the first {size} of a device" if devices[0] else f"a file of {size}"


def target_of(mine: list[Item], drives: list[dict[str, Any]]) -> Target | None:
    """
    Return what fio's runs of a configuration addressed, or None where one does not tell it, or several hosts ran.

    ``drives`` are the devices that carry its data; the capacity of the only one is that of a device that is named.
    """
    items = [item for item in mine if item.role == "result"]
    names = names_of(items, mine)
    results = [(item, result) for item in items for result in item.reading.results if result.job_options]
    is_of_hosts = any(result.scope == "all" for _, result in results)  # each with files of its own, by the same names
    is_of_fio = {item.reading.tool for item in items} == {"fio"}
    if names is None or not results or is_of_hosts or not is_of_fio:
        return None
    capacity = capacity_of(names, drives)
    parts, sizes = set[Part](), set[int]()
    for group in _together(results):
        found = [_part(result, names, capacity) for result in group]
        if None in found:
            return None
        group_parts = [part for part in found if part is not None]
        parts.update(group_parts)
        sizes.add(_bytes(group_parts))
    return Target(frozenset(parts), frozenset(sizes), names, capacity) if parts else None


def _together(results: Iterable[tuple[Item, Result]]) -> Iterable[list[Result]]:
    """Return the jobs that ran at the same time, each once: reads and writes of a job have the same options."""
    groups: dict[object, dict[str, Result]] = defaultdict(dict)
    for item, result in results:
        if result.is_canonical and not result.is_partial and not result.is_aggregate:
            document = result.pointer.partition("#")[0] if "#" in result.pointer else ""
            alone = result.repetition if result.group_index is None else None
            groups[item.name, document, result.group_index, alone][result.repetition] = result
    return [list(group.values()) for group in groups.values()]


def _part(result: Result, names: Names, capacity: int | None) -> Part | None:
    """Return what a job addresses; one that names no file has files of its own for each process."""
    options = options_of(result)
    name = options.get("filename")
    count = len(COLON.split(names[name])) if name in names else 1
    area = area_of(options, count, capacity)
    if area is None or (name is not None and name not in names):
        return None
    needs_count = area.filename is None or area.step_bytes
    return None if needs_count and not result.process_count else Part(area, result.process_count or 1)


def _bytes(parts: list[Part]) -> int:
    """Return the bytes that jobs address together: in files that they share each byte once."""
    total = sum(part.area.size_bytes * part.process_count for part in parts if part.area.filename is None)
    by_name: dict[str, list[Part]] = defaultdict(list)
    for part in parts:
        if part.area.filename is not None:
            by_name[part.area.filename].append(part)
    for shared in by_name.values():
        end = 0
        for part in sorted(shared, key=lambda each: (each.low, each.high)):
            extent = part.area.extent(part.process_count)
            total += min(extent, max(0, part.high - max(end, part.low)))
            end = max(end, part.high)
    return total


def is_covered(target: Target, mine: list[Item]) -> bool:
    """
    Say whether preparing runs wrote every byte of a target before: sequentially, to the same files.

    A run covers as much of its area as it wrote, each of its processes its share; one with an error covers nothing.
    """
    preparations = [item for item in mine if item.role == "preparation"]
    measured = {part.area.filename for part in target.parts}
    names = names_of([item for item in mine if item.role in {"result", "preparation"}], mine)
    if names is None or None in measured:
        return False
    starts = [
        result.started_at for item in mine if item.role == "result" for result in item.reading.results
        if result.started_at is not None
    ]  # fmt: skip
    written = [
        part for item in preparations for result in item.reading.results
        if not (starts and result.started_at is not None and result.started_at > min(starts))
        and not result.premises.is_summed
        and (part := _written(result, names, target.capacity_bytes)) is not None
    ]  # fmt: skip
    return all(any(_holds(one, part) for one in written) for part in target.parts)


def _holds(written: Part, part: Part) -> bool:
    """Say whether a part of a file lies inside another part of the same file."""
    return written.area.filename == part.area.filename and written.low <= part.low and part.high <= written.high


NOT_A_FILL = {"percentage_random", "norandommap", "unlink", "unlink_each_loop"}
"""Options of fio with which a sequential run leaves blocks out, or the file is gone when it ends."""


def _written(result: Result, names: Names, capacity: int | None) -> Part | None:
    """Return the part that a sequential run wrote whole, from its start on."""
    is_fill = result.operation == "write" and result.access_pattern == "sequential" and result.transferred_bytes
    options = options_of(result)
    is_holed = ":" in options.get("rw", options.get("readwrite", "")) or bool(options.keys() & NOT_A_FILL)
    if not is_fill or is_holed or result.error_code or result.error_count:
        return None
    part = _part(result, names, capacity)
    if part is None or part.area.step_bytes:
        return None
    done = (result.transferred_bytes or 0) // part.process_count
    return Part(part.area._replace(size_bytes=min(part.area.size_bytes, done)), 1)


def names_of(items: list[Item], mine: list[Item]) -> Names | None:
    """Return the files that items name, by published name; None where one such name stands for two files."""
    named = set[str]().union(*(_named(item, mine) for item in items))
    names = {public("filename", name): name for name in named}
    return names if len(names) == len(named) else None


def _named(item: Item, mine: list[Item]) -> set[str]:
    """Return every value of ``filename`` in a report, or where it has none in the job file beside it."""
    found = IN_REPORT.findall(item.source.data)
    jobs = [] if found else [job for job in mine if job.name == item.ties.get("job")]
    found += [name for job in jobs for name in IN_JOB.findall(job.source.data)]
    return {name.replace(b"\\/", b"/").decode("utf-8", "replace") for name in found}


def capacity_of(names: Names, drives: list[dict[str, Any]]) -> int | None:
    """Return the capacity of each file that is named, where all are whole devices and of one known model."""
    files = [name for full in names.values() for name in COLON.split(full)]
    stated = [known(drive.get("capacity_bytes", "unknown")).value for drive in drives]
    is_whole = bool(files) and all(WHOLE_DEVICE.fullmatch(name) for name in files)
    return stated[0] if is_whole and len(stated) == 1 else None
