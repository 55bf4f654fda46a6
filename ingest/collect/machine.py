"""
How the machine is asked: its files and its programs, so that a test can put a machine of its own in their place.

No program is run through a shell, none waits longer than ten seconds, and a missing one is no error.
"""

from __future__ import annotations

import json
import subprocess
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Callable

PROGRAMS = {
    "lscpu": "processor model, sockets, cores and threads",
    "lsblk": "the drives below the target, their model, size and sector sizes",
    "findmnt": "file system and mount options",
    "dmidecode": "maker, model and BIOS where the kernel does not show them (needs root)",
    "nvme": "firmware, capacity and LBA format of NVMe drives (needs root)",
    "smartctl": "firmware, rotation, form factor and link of SATA and SAS drives (needs root)",
    "ipmitool": "firmware of the management controller (needs root)",
    "systemd-detect-virt": "whether this is a virtual machine",
    "fio": "version of the measuring tool",
}
"""Every program that is asked, each optional, and what it adds."""

WAIT_SECONDS = 10
Stated = dict[str, Any]


class Machine(NamedTuple):
    """A machine: the root of its files, and a function that runs a program and gives its output or None."""

    root: Path
    run: Callable[[tuple[str, ...]], str | None]


def this_machine() -> Machine:
    """Return the machine this runs on."""
    return Machine(Path("/"), _run)


def _run(command: tuple[str, ...]) -> str | None:
    try:
        done = subprocess.run(  # noqa: S603  (fixed programs; arguments are names of this machine's own devices)
            command, capture_output=True, text=True, check=False, timeout=WAIT_SECONDS, stdin=subprocess.DEVNULL
        )
    except (OSError, subprocess.TimeoutExpired, UnicodeDecodeError):
        return None
    return done.stdout if done.stdout.strip() else None


def line(machine: Machine, path: str) -> str | None:
    """Return the text of a small file below the root without surrounding space, or None."""
    try:
        return (machine.root / path).read_text(encoding="utf-8", errors="replace").strip() or None
    except OSError:
        return None


def answer(machine: Machine, *command: str) -> dict[str, Any]:
    """Return the JSON object that a program prints; an empty one when it is missing, fails or prints something else."""
    try:
        found = json.loads(machine.run(command) or "{}")
    except ValueError:
        return {}
    return found if isinstance(found, dict) else {}


def stated(value: object, reason: str, note: str | None = None) -> Stated:
    """Return a manifest value: collected with its note, or unknown with the reason."""
    if value is None or value == "":
        return {"unknown": reason}
    return {"value": value, "how_known": "collected", **({"note": note} if note else {})}


def missing(machine: Machine) -> dict[str, str]:
    """Return the programs that this machine lacks or that gave nothing, with what each would add."""
    probes = {"lscpu": ("-V",), "lsblk": ("-V",), "findmnt": ("-V",), "nvme": ("version",), "systemd-detect-virt": ()}
    return {
        name: adds for name, adds in PROGRAMS.items() if machine.run((name, *probes.get(name, ("--version",)))) is None
    }
