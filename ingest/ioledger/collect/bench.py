"""
The key of a bench: what tells that two results come from the same computer, and not from which.

The board's or machine's own id goes through PBKDF2 (HMAC-SHA-256), and only the hash leaves the machine. The salt is
fixed for the project, because a key that is equal nowhere tells nothing. Whoever holds an id can find out whether its
machine is here; nobody gets from the key to the id: a UUID has too many values to try, and serial numbers, which have
few, cost a tenth of a second each. hw-probe publishes salted hashes of serial numbers for the same reason.

The order is that of how little an id changes: the firmware's UUID, the board's serial number, the system's, and what
the operating system drew at its installation. The first three need root. What many makers leave in the place of an id
is none. An installation that was copied with its id, as an image of a virtual machine may be, has the key of the other.

Source: ``/sys/class/dmi/id``, ``/etc/machine-id`` (machine-id(5): to be hashed before it is shown).
"""

from __future__ import annotations

import hashlib
import re
import secrets
from typing import TYPE_CHECKING

from ioledger.collect.machine import Stated, line, stated

if TYPE_CHECKING:
    from ioledger.collect.machine import Machine

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


def key(machine: Machine) -> Stated:
    """Return the key of this bench as a manifest states it; unknown where no id of its own can be read."""
    found, what = _id(machine)
    if found is None:
        return stated(None, "the machine shows no id of its own to this user")
    return stated(hashed(found), "", f"salted hash of {what}")


def mark(machine: Machine, place: str) -> str:
    """
    Return eight hexadecimal digits for a device that only its bench and its place in it tell from others.

    They are made of the machine's id, which nobody is told, so that nobody can try places. Without an id they are
    drawn: nobody can say then that the device was seen before.
    """
    found, _ = _id(machine)
    return drawn() if found is None else hashed(f"{found} {place}", DEVICE_SALT, MARK_BYTES)


def drawn() -> str:
    """Return eight hexadecimal digits that stand for a device of which nothing is known."""
    return secrets.token_hex(MARK_BYTES)


def _id(machine: Machine) -> tuple[str | None, str]:
    """Return the id of a machine that changes least, and what it is; None where no id of its own can be read."""
    for path, what in IDS.items():
        found = (line(machine, path) or "").lower()
        if is_own(found):
            return found, what
    return None, ""


def is_own(identity: str) -> bool:
    """Say whether an id, in lower case, is one that no other machine has."""
    bare = identity.replace("-", "")
    return len(bare) >= SHORTEST and not SHARED.fullmatch(identity) and not SHARED.fullmatch(bare)


def hashed(identity: str, salt: str = BENCH_SALT, length: int = KEY_BYTES) -> str:
    """Return hexadecimal digits that stand for a machine's id, 32 of them by default."""
    return hashlib.pbkdf2_hmac(
        "sha256", identity.lower().encode("utf-8", "replace"), salt.encode(), ROUNDS, length
    ).hex()
