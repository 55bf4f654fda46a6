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

from typing import TYPE_CHECKING

from ioledger.readers.base import Finding
from ioledger.readers.fio.disks import SECTOR_BYTES

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from ioledger.readers.base import Result
    from ioledger.readers.fio.disks import Disk
    from ioledger.readers.fio.json_decode import Document

ENOUGH, LEAST = 0.9, 100
MISSED_SECONDS = 0.5
"""Twice fio's ``DISK_UTIL_MSEC``."""
RULE = "R-FIO-DISK-1"


def findings(document: Document, found: Iterable[Disk], results: Sequence[Result], place: str) -> Iterable[Finding]:
    """Tell where the disks of a report moved clearly less than fio counted as direct I/O."""
    disks = [disk for disk in found if disk.read_ios or disk.write_ios]
    if not disks or not results or document.client_stats or not all(result.is_direct for result in results):
        return
    lasted = min((result.duration_seconds or 0 for result in results), default=0)
    share = ENOUGH - MISSED_SECONDS / lasted if lasted else 0
    for operation in ("read", "write"):
        mine = [getattr(job, operation) for job in document.jobs if getattr(job, operation) is not None]
        count = sum(part.total_ios or 0 for part in mine)
        if count < LEAST:
            continue
        moved = sum(part.io_bytes or 0 for part in mine)
        seen = sum((getattr(disk, f"{operation}_{each}") or 0) for disk in disks for each in ("ios", "merges"))
        sectors = [getattr(disk, f"{operation}_sectors") for disk in disks]
        if None not in sectors:
            held, counted, unit = sum(sectors) * SECTOR_BYTES, moved, "bytes"
        else:
            held, counted, unit = seen, count, "operations"
        if held < share * counted:
            text = f"the kernel counted {held:,} {unit} of {operation}s on the disks, fio {counted:,} of direct I/O"
            text += ": something between them answered"
            yield Finding(RULE, text, place, {f"kernel_{unit}": float(held), f"fio_{unit}": float(counted)})
