"""
How a machine is asked: its files and its programs, so that a test can put a machine of its own in their place.

No program is run through a shell, none waits longer than ten seconds, and a missing one is no error: a program that
gave nothing says why. The key of a bench tells that two results come from the same computer, and not from which: the id
of the board or machine goes through PBKDF2 (HMAC-SHA-256) with a salt of the project, and only the hash leaves the
machine. Whoever holds an id can find out whether its machine is here; nobody gets from the key to the id.

Source: ``/sys/class/dmi/id`` (the first three ids need root), ``/etc/machine-id`` (machine-id(5): to be hashed before
it is shown; an installation that was copied with its id has the key of the other).
"""

from __future__ import annotations

import hashlib
import json
import re
import secrets
import shutil
import subprocess
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Callable, Collection

PROGRAMS = {
    "lscpu": "processor model, sockets, cores and threads",
    "lsblk": "the drives below the target, their model, size and sector sizes",
    "findmnt": "file system and mount options",
    "nvme": "firmware, capacity, LBA format and write cache of NVMe drives (needs root)",
    "smartctl": "firmware, rotation, form factor, link and write cache of SATA and SAS drives (needs root)",
    "systemd-detect-virt": "whether this is a virtual machine",
}
"""Every program that is asked, each optional, and what it adds."""

WAIT_SECONDS = 10
SHOWN_CHARACTERS = 120
Stated = dict[str, Any]


class Silence(NamedTuple):
    """Why a program told nothing, in words for the manifest."""

    why: str


class Machine(NamedTuple):
    """A machine: the root of its files, and what runs a program and gives its output or why there is none."""

    root: Path
    run: Callable[[tuple[str, ...]], str | Silence]


def _run(command: tuple[str, ...]) -> str | Silence:
    try:
        done = subprocess.run(  # noqa: S603  (fixed programs; arguments are names of this machine's own devices)
            command, capture_output=True, text=True, check=False, timeout=WAIT_SECONDS, stdin=subprocess.DEVNULL
        )
    except FileNotFoundError:
        return Silence(f"not run: {command[0]} is missing")
    except (OSError, UnicodeDecodeError, subprocess.TimeoutExpired) as error:
        return Silence(f"{command[0]} failed: {error}")
    why = " ".join(done.stderr.split())[:SHOWN_CHARACTERS] or "it printed nothing"
    return done.stdout if done.stdout.strip() else Silence(f"{command[0]} failed: {why}")


THIS_MACHINE = Machine(Path("/"), _run)


def read_line(machine: Machine, path: str) -> str | None:
    """Return the text of a small file below the root without surrounding space, or None."""
    try:
        return (machine.root / path).read_text(encoding="utf-8", errors="replace").strip() or None
    except OSError:
        return None


def run_text(machine: Machine, *command: str) -> tuple[str, str]:
    """Return what a program prints without surrounding space, and why a value that is not in it is not known."""
    found = machine.run(command)
    return ("", found.why) if isinstance(found, Silence) else (found.strip(), f"{command[0]} shows none")


def run_json(machine: Machine, *command: str) -> tuple[dict[str, Any], str]:
    """Return the JSON object that a program prints, else an empty one, and why a value that is not in it is unknown."""
    text, why = run_text(machine, *command)
    try:
        found = json.loads(text or "{}")
    except ValueError:
        return {}, f"{command[0]} did not print JSON"
    return (found, why) if isinstance(found, dict) else ({}, why)


def state_value(value: object, reason: str, note: str | None = None) -> Stated:
    """Return a manifest value: collected with its note, or unknown with the reason."""
    if value is None or value == "":
        return {"unknown": reason}
    return {"value": value, "how_known": "collected", **({"note": note} if note else {})}


def state_word(value: str | None, words: Collection[str], reason: str, note: str | None = None) -> Stated:
    """Return a manifest value of a field with a closed list: what none of its words says in words of its own."""
    found = state_value(value, reason, note)
    return found if value in words or "value" not in found else {"other": found.pop("value"), **found}


def no_such(reason: str) -> Stated:
    """Return a manifest value of what this machine does not have, as it was seen here."""
    return {"none": reason, "how_known": "collected"}


def missing() -> dict[str, str]:
    """Return the programs that are missing here, with what each would add."""
    return {name: adds for name, adds in PROGRAMS.items() if shutil.which(name) is None}


BENCH_SALT = "ioledger bench"
"""The project's own, and the same for everybody: two submissions could not be told to share a bench otherwise."""
DEVICE_SALT = "ioledger device"
ROUNDS = 600_000
"""Of PBKDF2 with SHA-256, as OWASP's Password Storage Cheat Sheet advises."""
KEY_BYTES, MARK_BYTES = 16, 4
IDS = {
    "sys/class/dmi/id/product_uuid": "the firmware's UUID",
    "sys/class/dmi/id/board_serial": "the board's serial number",
    "sys/class/dmi/id/product_serial": "the computer's serial number",
    "etc/machine-id": "the id of the operating system's installation",
}
"""Where an id stands, and what it is, from what changes least to what changes most."""
SHORTEST = 6
SHARED = re.compile(
    r"(.)\1*|03000200-0400-0500-0006-000700080009|12345678-1234-5678-90ab-cddeefaabbcc|0?123456789(?:0|abcdef)?"
    r"|to be filled.*|default.*|none|not .*|n/?a|system.*|base ?board.*|chassis.*|unknown|invalid|empty|uninitialized",
)
"""What makers leave in the place of an id, in lower case; also one sign again and again, dashes left out."""


def bench_key(machine: Machine) -> Stated:
    """Return the key of this bench as a manifest states it; unknown where no id of its own can be read."""
    found, what = _find_id(machine)
    if found is None:
        return state_value(None, "the machine shows no id of its own to this user")
    return state_value(hash_id(found), "", f"salted hash of {what}")


def device_mark(machine: Machine, place: str) -> str:
    """Return eight hexadecimal digits for a device that only its bench and its place tell from others; else random."""
    found, _ = _find_id(machine)
    return hash_id(f"{found} {place}", DEVICE_SALT, MARK_BYTES) if found else secrets.token_hex(MARK_BYTES)


def _find_id(machine: Machine) -> tuple[str | None, str]:
    """Return the id of a machine that changes least, and what it is; None where none that only it has can be read."""
    for path, what in IDS.items():
        found = (read_line(machine, path) or "").lower()
        bare = found.replace("-", "")
        if len(bare) >= SHORTEST and not SHARED.fullmatch(found) and not SHARED.fullmatch(bare):
            return found, what
    return None, ""


@cache  # slow, so that nobody tries all ids
def hash_id(identity: str, salt: str = BENCH_SALT, length: int = KEY_BYTES) -> str:
    """Return hexadecimal digits that stand for a machine's id, 32 of them by default."""
    data = identity.lower().encode("utf-8", "replace")
    return hashlib.pbkdf2_hmac("sha256", data, salt.encode(), ROUNDS, length).hex()
