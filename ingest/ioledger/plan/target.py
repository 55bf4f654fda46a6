"""
What a test would destroy: mounted file systems, partitions, arrays and files on the target.

Source: the kernel's ``sysfs`` (``/sys/class/block/<name>/<partition>/partition``, ``holders``), ``/proc/self/mounts``
and ``/proc/swaps``. Everything is looked at, nothing is opened or written.
"""

from __future__ import annotations

import stat
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterator


class Machine(NamedTuple):
    """Where this machine says what it has; tests give folders of their own."""

    block: Path = Path("/sys/class/block")
    mounts: Path = Path("/proc/self/mounts")
    swaps: Path = Path("/proc/swaps")


def is_device(target: Path) -> bool:
    """Say whether the target is a block device."""
    return target.exists() and stat.S_ISBLK(target.stat().st_mode)


def dangers(target: Path, machine: Machine) -> Iterator[str]:
    """Give, one sentence each, what writing to the target would destroy; nothing for a new file."""
    if target.is_dir():
        yield f"{target} is a folder of a mounted file system; name a file in it"
    elif is_device(target):
        yield from dangers_of_block(target.resolve().name, machine)
    elif target.exists():
        yield f"the file {target} exists and would be overwritten"


def dangers_of_block(name: str, machine: Machine) -> Iterator[str]:
    """Give what stands on the block device with this kernel name: partitions, users, mounted file systems, swap."""
    folder = machine.block / name
    parts = sorted(path.parent.name for path in folder.glob("*/partition"))
    if parts:
        yield f"{name} has the partitions {', '.join(parts)}"
    holders = sorted(path.name for path in (folder / "holders").glob("*"))
    if holders:
        yield f"{name} is part of {', '.join(holders)}"
    for part in (name, *parts):
        yield from (f"{part} is mounted at {place}" for place in _mounted(part, machine.mounts))
        if any(line.split()[0] == f"/dev/{part}" for line in _lines(machine.swaps)):
            yield f"{part} is used as swap"


def _mounted(name: str, mounts: Path) -> Iterator[str]:
    for line in _lines(mounts):
        source, place = line.split()[:2]
        if source.startswith("/dev/") and Path(source).resolve().name == name:
            yield place.replace("\\040", " ")


def _lines(path: Path) -> list[str]:
    return [line for line in path.read_text(encoding="utf-8").splitlines() if line.strip()] if path.exists() else []
