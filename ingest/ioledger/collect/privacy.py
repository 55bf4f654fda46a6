"""
What must not leave the machine: serial numbers, host names, hardware addresses.

A serial number becomes a hash that only tells whether two results come from the same drive: scrypt, salted with the
model, so that trying all serial numbers of a model is slow. Host names, the serial itself and MAC addresses are taken
out of every value.
"""

from __future__ import annotations

import hashlib
import re
from typing import Any

MAC = re.compile(r"\b[0-9A-Fa-f]{2}(?:[:-][0-9A-Fa-f]{2}){5}\b")
REMOVED = "(removed)"
SHORTEST = 3
"""A host name or serial of fewer characters is not searched for: it would match inside ordinary words."""


def hashed(serial: str, model: str) -> str:
    """Return 32 hexadecimal digits that stand for a drive's serial number."""
    salt = f"ioledger drive {model}".encode()
    return hashlib.scrypt(serial.encode(), salt=salt, n=1 << 14, r=8, p=1, dklen=16).hex()


def scrubbed(value: Any, secrets: tuple[str, ...]) -> Any:  # noqa: ANN401  (any value of a manifest)
    """Return a manifest value with secrets and hardware addresses replaced, at any depth; keys stay as they are."""
    if isinstance(value, dict):
        return {key: scrubbed(inner, secrets) for key, inner in value.items()}
    if isinstance(value, list):
        return [scrubbed(inner, secrets) for inner in value]
    if not isinstance(value, str):
        return value
    for secret in secrets:
        if len(secret) >= SHORTEST:
            value = re.sub(rf"(?<![\w]){re.escape(secret)}(?![\w])", REMOVED, value)
    return MAC.sub(REMOVED, value)
