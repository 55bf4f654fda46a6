"""
What fio's runs of a configuration addressed, and whether a run before them had written all of it.

Readers publish names without folders, so what is a device, and which file is the same, is read from the files' text.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from typing import TYPE_CHECKING, Any, NamedTuple, Protocol

from ioledger.readers.fio.options import public
from ioledger.submission.areas import Area, area_of, options_of
from ioledger.submission.manifest import known
from ioledger.tables.files import ended

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from ioledger.model import Reading, Result

IN_REPORT = re.compile(rb'"filename"\s*:\s*"((?:[^"\\]|\\.)*)"')
IN_JOB = re.compile(rb"^[ \t]*filename[ \t]*=[ \t]*([^\r\n]*[^\s])", re.MULTILINE)
DEVICES, MEMORY = ("/dev/", "\\\\.\\"), "/dev/shm/"  # noqa: S108  (a name in a report; nothing is written there)
"""Where drives have their names, and below them where Linux keeps files in memory."""
WHOLE_DEVICE = re.compile(
    r"/dev/(?:[shv]d[a-z]+|xvd[a-z]+|nvme\d+n\d+|pmem\d+|mmcblk\d+|(?:loop|zram|nbd)\d+"
    r"|disk/by-(?:id|path)/(?!.*-part\d+$).+)"
    r"|\\\\\.\\PhysicalDrive\d+"
)
"""What is a drive by itself; of a partition or an array the capacity of the drive tells nothing."""
COLON = re.compile(r"(?<!\\):")
Names = dict[str, str]
"""Files as they are named in full, by their published names."""
TICK = 1_000_000
"""Microseconds by which times in reports may be cut off."""


class Bytes(Protocol):
    """Where the bytes of a file are; they may be loaded only when they are asked for."""

    @property
    def data(self) -> bytes:
        """The bytes."""


class Handed(Protocol):
    """A file of a submission, before or after it is one: its name, what it is for, what it says, and its ties."""

    @property
    def name(self) -> str:
        """Its name in the submission."""

    @property
    def role(self) -> str:
        """What it is for."""

    @property
    def reading(self) -> Reading:
        """What a reader found in it."""

    @property
    def ties(self) -> dict[str, str]:
        """The job file of a result, by the key of the manifest."""

    @property
    def source(self) -> Bytes:
        """Its bytes."""


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
        if self.names and area.step_bytes:
            size = f"{max(self.sizes)} bytes"
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


def target_of(mine: Sequence[Handed], drives: list[dict[str, Any]]) -> Target | None:
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
        found = [_part(result, names, capacity, index) for result, index in _clones(group)]
        if None in found:
            return None
        group_parts = [part for part in found if part is not None]
        parts.update(group_parts)
        sizes.add(_bytes(group_parts))
    return Target(frozenset(parts), frozenset(sizes), names, capacity) if parts else None


def _together(results: Iterable[tuple[Handed, Result]]) -> Iterable[list[Result]]:
    """Return the jobs that ran at the same time, each once: reads and writes of a job have the same options."""
    groups: dict[object, dict[str, Result]] = defaultdict(dict)
    for item, result in results:
        if result.is_canonical and not result.is_partial and not result.is_aggregate:
            document = result.pointer.partition("#")[0] if "#" in result.pointer else ""
            alone = result.repetition if result.group_index is None else None
            groups[item.name, document, result.group_index, alone][result.repetition] = result
    return [list(group.values()) for group in groups.values()]


def _clones(group: list[Result]) -> Iterator[tuple[Result, int]]:
    """Give the jobs of a group, each with its number among the processes that ``numjobs`` made of one job."""
    counts: Counter[tuple[str | None, str | None]] = Counter()
    for result in group:
        job = result.test_name, result.job_options
        yield result, counts[job]
        counts[job] += 1


def _part(result: Result, names: Names, capacity: int | None, index: int) -> Part | None:
    """
    Return what a job addresses; one that names no file has files of its own for each process.

    ``index`` is its number among the processes of its job: ``offset_increment`` lets each begin further on.
    """
    options = options_of(result)
    name = options.get("filename")
    count = len(COLON.split(names[name])) if name in names else 1
    area = area_of(options, count, capacity)
    if area is None or (name is not None and name not in names):
        return None
    needs_count = area.filename is None or area.step_bytes
    if needs_count and not result.process_count:
        return None
    moved = area._replace(start_bytes=area.start_bytes + index * area.step_bytes)
    return Part(moved, result.process_count or 1)


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


def before(mine: Sequence[Handed], *, the_last: bool = False) -> list[Handed]:
    """
    Return the preparing files that had ended when the first measurement began, or the last, as far as times tell it.

    A report says when it was written, and since fio 3.36 when each job began; one of a run that measured lies as long
    behind its beginning as its last job took.
    """
    begins = [_began(item) for item in mine if item.role == "result"]
    known = [begun for begun in begins if begun is not None]
    if not known or len(known) < len(begins):
        return []
    limit = (max(known) if the_last else min(known)) + TICK
    preparations = ((item, ended(item.reading.results)) for item in mine if item.role == "preparation")
    return [item for item, end in preparations if end is not None and end <= limit]


def _began(item: Handed) -> float | None:
    """Return when the runs of a file began at the latest, in microseconds since 1970 UTC."""
    times = (_start(result) for result in item.reading.results)
    return min((time for time in times if time is not None), default=None)


def _start(result: Result) -> float | None:
    if result.started_at is not None or result.ended_at is None:
        return result.started_at
    return result.ended_at - 1e6 * (result.duration_seconds or 0.0)


def is_covered(target: Target, mine: Sequence[Handed]) -> bool:
    """
    Say whether preparing runs wrote every byte of a target before: sequentially, to the same files.

    A run covers as much of its area as it wrote, each of its processes its share; one with an error covers nothing.
    What several runs wrote counts together.
    """
    measured = {part.area.filename for part in target.parts}
    names = names_of([item for item in mine if item.role in {"result", "preparation"}], mine)
    if names is None or None in measured:
        return False
    early = before(mine)
    if any(result.operation == "trim" for item in early for result in item.reading.results):
        return False  # what was trimmed after it was written is erased again
    written: dict[str | None, list[tuple[int, int]]] = defaultdict(list)
    for item in early:
        filling = [(item, result) for result in item.reading.results if _is_fill(result)]
        for group in _together(filling):
            for result, index in _clones(group):
                part = _part(result, names, target.capacity_bytes, index)
                if part is not None:
                    written[part.area.filename] += _extents(part, result)
    joined = {name: _joined(extents) for name, extents in written.items()}
    return all(
        any(low <= part.low and part.high <= high for low, high in joined.get(part.area.filename, ()))
        for part in target.parts
    )


NOT_A_FILL = {"percentage_random", "norandommap", "unlink", "unlink_each_loop"}
"""Options of fio with which a sequential run leaves blocks out, or the file is gone when it ends."""


def _is_fill(result: Result) -> bool:
    """Say whether a run writes from the start of its area on, and leaves nothing out."""
    options = options_of(result)
    is_holed = ":" in options.get("rw", options.get("readwrite", "")) or bool(options.keys() & NOT_A_FILL)
    is_sequential = result.operation == "write" and result.access_pattern == "sequential"
    is_sound = not result.error_code and not result.error_count and not result.premises.is_summed
    return is_sequential and bool(result.transferred_bytes) and not is_holed and is_sound


def _extents(part: Part, result: Result) -> list[tuple[int, int]]:
    """Return what the processes of a run wrote whole, each from its start on."""
    done = min(part.area.size_bytes, (result.transferred_bytes or 0) // part.process_count)
    starts = [part.low + index * part.area.step_bytes for index in range(part.process_count)]
    return [(start, start + done) for start in starts]


def _joined(extents: list[tuple[int, int]]) -> list[tuple[int, int]]:
    """Return extents with those made one that overlap or touch."""
    found: list[tuple[int, int]] = []
    for low, high in sorted(extents):
        if found and low <= found[-1][1]:
            found[-1] = found[-1][0], max(found[-1][1], high)
        else:
            found.append((low, high))
    return found


def is_like_preparation(item: Handed) -> bool:
    """Say whether a file that is taken as a result did nothing but write each of its areas once, in sequence."""
    jobs = [result for result in item.reading.results if result.is_canonical]
    areas = [area_of(options_of(result)) for result in jobs]
    return bool(jobs) and all(
        _is_fill(result) and area is not None and (result.transferred_bytes or 0) >= area.size_bytes
        and options_of(result).get("time_based", "0") == "0" and "runtime" not in options_of(result)
        for result, area in zip(jobs, areas, strict=True)
    )  # fmt: skip


def names_of(items: Sequence[Handed], mine: Sequence[Handed]) -> Names | None:
    """Return the files that items name, by published name; None where one such name stands for two files."""
    named = set[str]().union(*(_named(item, mine) for item in items))
    names = {public("filename", name): name for name in named}
    return names if len(names) == len(named) else None


def _named(item: Handed, mine: Sequence[Handed]) -> set[str]:
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


def data_drives(manifest: dict[str, Any], configuration: dict[str, Any]) -> list[dict[str, Any]]:
    """Return the devices that carry the data of a configuration, none of which is part of an array."""
    if known(configuration["storage"].get("storage_topology", "unknown")).value not in {"single", "independent"}:
        return []
    drives = configuration["storage"].get("drives", ())
    names = [drive["device"] for drive in drives if drive.get("role", "data") == "data"]
    return [manifest["devices"][name] for name in names if name in manifest["devices"]]
