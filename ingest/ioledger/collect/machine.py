"""
How the machine is asked: its files and its programs, so that a test can put a machine of its own in their place.

No program is run through a shell, none waits longer than ten seconds, and a missing one is no error. A program that
gave nothing says why: it is missing and was not asked, this user may not ask it, it failed, or it answered none.
"""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Callable, Collection

PROGRAMS = {
    "lscpu": "processor model, sockets, cores and threads",
    "lsblk": "the drives below the target, their model, size and sector sizes",
    "findmnt": "file system and mount options",
    "dmidecode": "vendor, model and BIOS if the kernel does not show them (needs root)",
    "nvme": "firmware, capacity, LBA format and write cache of NVMe drives (needs root)",
    "smartctl": "firmware, rotation, form factor, link and write cache of SATA and SAS drives (needs root)",
    "ipmitool": "firmware of the management controller (needs root)",
    "systemd-detect-virt": "whether this is a virtual machine",
}
"""Every program that is asked, each optional, and what it adds."""

WAIT_SECONDS = 10
SHOWN_CHARACTERS = 120
FORBIDDEN = re.compile(
    r"permission denied|operation not permitted|access denied|(?:must|need to) be root|(?:requires?|needs?) root"
    r"|root privileges|are you root|superuser",
    re.IGNORECASE,
)
Stated = dict[str, Any]


class Silence(NamedTuple):
    """Why a program told nothing, in words for the manifest; and whether it is missing."""

    why: str
    is_missing: bool = False


class Machine(NamedTuple):
    """A machine: the root of its files, and what runs a program and gives its output or why there is none."""

    root: Path
    run: Callable[[tuple[str, ...]], str | Silence]


def this_machine() -> Machine:
    """Return the machine this runs on."""
    return Machine(Path("/"), _run)


def absent(program: str) -> Silence:
    """Return what a program tells that is not there."""
    return Silence(f"not run: {program} is missing", is_missing=True)


def _run(command: tuple[str, ...]) -> str | Silence:
    program = command[0]
    if shutil.which(program, os.F_OK) is None:  # a folder of PATH that may not be searched would look like a refusal
        return absent(program)
    try:
        done = subprocess.run(  # noqa: S603  (fixed programs; arguments are names of this machine's own devices)
            command, capture_output=True, text=True, check=False, timeout=WAIT_SECONDS, stdin=subprocess.DEVNULL
        )
    except FileNotFoundError:
        return absent(program)
    except PermissionError:
        return Silence(f"not run: this user may not run {program}")
    except subprocess.TimeoutExpired:
        return Silence(f"{program} did not finish in {WAIT_SECONDS} seconds")
    except (OSError, UnicodeDecodeError):
        return Silence(f"{program} failed")
    return answered(program, done)


def answered(program: str, done: subprocess.CompletedProcess[str]) -> str | Silence:
    """Return what a program printed; when it was not permitted, failed or printed nothing, that."""
    if done.returncode and FORBIDDEN.search(done.stdout + done.stderr):
        return Silence(f"not permitted: {program} needs root")
    if done.stdout.strip():
        return done.stdout
    said = " ".join(done.stderr.split())[:SHOWN_CHARACTERS]
    if done.returncode:
        return Silence(f"{program} failed" + (f": {said}" if said else ""))
    return Silence(f"{program} printed nothing")


def line(machine: Machine, path: str) -> str | None:
    """Return the text of a small file below the root without surrounding space, or None."""
    try:
        return (machine.root / path).read_text(encoding="utf-8", errors="replace").strip() or None
    except OSError:
        return None


def heard(machine: Machine, *command: str) -> tuple[str, str]:
    """Return what a program prints without surrounding space, and why a value that is not in it is not known."""
    found = machine.run(command)
    return ("", found.why) if isinstance(found, Silence) else (found.strip(), _none(command[0]))


def answer(machine: Machine, *command: str) -> tuple[dict[str, Any], str]:
    """
    Return the JSON object that a program prints, and why a value that is not in it is not known.

    The object is empty when the program is silent or prints something else.
    """
    text, why = heard(machine, *command)
    try:
        found = json.loads(text or "{}")
    except ValueError:
        return {}, f"{command[0]} did not print JSON"
    return (found, why) if isinstance(found, dict) else ({}, why)


def _none(program: str) -> str:
    return f"{program} shows none"


def stated(value: object, reason: str, note: str | None = None) -> Stated:
    """Return a manifest value: collected with its note, or unknown with the reason."""
    if value is None or value == "":
        return {"unknown": reason}
    return {"value": value, "how_known": "collected", **({"note": note} if note else {})}


def chosen(value: str | None, words: Collection[str], reason: str, note: str | None = None) -> Stated:
    """Return a manifest value of a field with a closed list: what none of its words says in words of its own."""
    found = stated(value, reason, note)
    return found if value in words or "value" not in found else {"other": found.pop("value"), **found}


def no_such(reason: str) -> Stated:
    """Return a manifest value of what this machine does not have, as it was seen here."""
    return {"none": reason, "how_known": "collected"}


def missing(machine: Machine) -> dict[str, str]:
    """Return the programs that this machine lacks, with what each would add."""
    probes = {"lscpu": ("-V",), "lsblk": ("-V",), "findmnt": ("-V",), "nvme": ("version",), "systemd-detect-virt": ()}
    found = {name: machine.run((name, *probes.get(name, ("--version",)))) for name in PROGRAMS}
    return {name: PROGRAMS[name] for name, told in found.items() if isinstance(told, Silence) and told.is_missing}
