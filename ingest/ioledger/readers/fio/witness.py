"""
The kernel's word on what fio counted: ``disk_util``, the counters of the disks before and after the run.

Direct I/O reaches the disk, so that the kernel moves at least the bytes that fio counts: it splits what is large and
merges what is near, and counts the ramp and the layout of files too, which fio does not. Where it moved clearly less,
something between the two answered: a cache below the file system, a file with holes, a device that is none. Only that
is told; equal counts prove nothing about the disk's own cache. Sectors of 512 bytes are in reports since fio 3.36;
before, I/Os and merged I/Os are what can be compared, and fewer of them are no fault where a block is large.

fio looks at the counters every 250 ms and not at the end, so that the first and the last look may miss half a second of
the run. A disk whose counters stand still, as where ``queue/iostats`` is off, is no witness.

Source: fio's ``diskutil.c`` (the counters of ``/sys/block/<name>/stat``) and the kernel's
``Documentation/block/stat.rst``.
"""

from __future__ import annotations

from operator import attrgetter
from typing import TYPE_CHECKING

from ioledger.model import Finding
from ioledger.readers.fio.disks import SECTOR_BYTES

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from ioledger.model import Result
    from ioledger.readers.fio.disks import Disk
    from ioledger.readers.fio.json_decode import Document

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
            held, counted, unit = sum(sectors) * SECTOR_BYTES, sum([part.io_bytes or 0 for part in mine]), "bytes"
        else:
            held = sum([(getattr(disk, ios) or 0) + (getattr(disk, merges) or 0) for disk in disks])
            counted, unit = count, "operations"
        if held < share * counted:
            text = f"the kernel counted {held:,} {unit} of {operation}s on the disks, fio {counted:,} of direct I/O"
            text += ": something between them answered"
            yield Finding(RULE, text, place, {f"kernel_{unit}": float(held), f"fio_{unit}": float(counted)})
