"""
The names of a device: a long one, and one of at most 32 characters where there is little room.

A name depends on its own device only, so that another submission never changes it.
"""

from __future__ import annotations

import hashlib
import re
from itertools import chain
from typing import NamedTuple

MAX_CHARACTERS, USUAL_CHARACTERS = 32, 26
"""The length that the pages of the site have room for, and the one that a name has where it can."""

_MAKERS = {"Western Digital": "WD"}
"""Makers by the name that they use themselves where there is little room."""

_PART_NUMBERS = {"CT": "Crucial", "HFS": "SK hynix", "MTFD": "Micron", "MZ": "Samsung", "SHGP": "SK hynix"}
"""Makers by the beginning of their part numbers, for sources that state a part number alone."""
_PART_NUMBER = re.compile(rf"({'|'.join(_PART_NUMBERS)})[A-Z0-9]*\d[A-Z0-9-]*$")

_NOTE = re.compile(r"\s*\([^)]*\)")
_UNSTATED = re.compile(r"not stated|unknown", re.IGNORECASE)
# What a name can do without: an order code behind the model's own word, then words that hold for every such drive.
_CODE = re.compile(r"(?<=.) (?=\S*\d)(?=\S*[A-Z])[A-Z0-9-]{8,}\b| namespace\b")
_GENERAL = re.compile(r"\b(?:SSD|NVMe|PCIe|DC)\b ?")
_GIGABYTE, _TERABYTE = 1e9, 1e12
_WHOLE_GIGABYTES = 1e11


class Described(NamedTuple):
    """What is known of a device: ``medium`` stands for an unknown model, ``firmware`` where it has only one."""

    words: str
    medium: str | None
    vendor: str | None
    model: str | None
    capacity_bytes: int | None
    firmware: str | None
    submission_id: str | None
    device_id: str


def short_name(device: Described) -> str:
    """Return a name of at most 32 characters; order code, capacity and words of the model give way before the maker."""
    capacity, medium = _capacity(device.capacity_bytes), device.medium or "drive"
    model = _model(device, capacity) or medium
    maker = _MAKERS.get(_maker(device) or "", _maker(device)) or ""
    short = _CODE.sub("", model)
    lengths = (model, short, _GENERAL.sub("", short).replace(" ,", ",").strip(" ,") or short)
    own = _own(device) or (device.firmware if _CODE.search(model) else None)
    first, last = re.split("[ -]", model, maxsplit=1)[0], lengths[2].rsplit(" ", 1)[-1]
    ends = (last, first) if device.model else (first,)
    whole, *shorter = (
        [", ".join(filter(None, (" ".join(filter(None, (word, name, size))), own))) for name in names]
        for word in ("" if model.startswith(maker) else maker, "")
        for names, size in ((lengths, capacity), (lengths, None), (ends, None))
    )
    usual = [name for name in whole if len(name) <= USUAL_CHARACTERS]
    others = [device.device_id, f"drive {hashlib.sha256(device.device_id.encode()).hexdigest()[:16]}"]
    return next(name for name in (*usual, *whole, *chain(*shorter), *others) if len(name) <= MAX_CHARACTERS)


def long_name(device: Described) -> str:
    """Return the name where there is room: the words of the device, and what its own id has beside the model."""
    own = _own(device)
    firmware = "firmware " if own and own == device.firmware else ""
    words = device.words if device.vendor else " ".join(filter(None, (_maker(device), device.words)))
    return f"{words}, {firmware}{own}" if own else words


def _maker(device: Described) -> str | None:
    """Return the maker that the source states, or else the one whose part number the model is."""
    found = _PART_NUMBER.match(device.model or "")
    return device.vendor or (_PART_NUMBERS[found[1]] if found else None)


def _own(device: Described) -> str | None:
    """Return what the id of a device has beside its model: a firmware at its end, or the pseudonym of a source."""
    if device.firmware and device.device_id.endswith(f"-{device.firmware.lower()}"):
        return device.firmware
    pseudonym = _pseudonym(device)
    is_unknown = device.model is None or _UNSTATED.search(device.model) or "virtual" in (device.medium or "")
    squeezed = device.words.lower().replace(" ", "")
    says_more = not all(part in squeezed for part in pseudonym.split("-"))
    return pseudonym if says_more and (is_unknown or pseudonym != device.device_id) else None


def _model(device: Described, capacity: str | None) -> str | None:
    """Return the model without notes in brackets, its maker and its capacity, which have their own places."""
    if device.model is None:
        return None
    plain = _NOTE.sub("", device.model).removeprefix(f"{device.vendor} ")
    squeezed = (capacity or "").replace(" ", "")
    return " ".join(word for word in plain.split() if word != squeezed) or None


def _capacity(capacity_bytes: int | None) -> str | None:
    """Return a capacity of base 10, in whole gigabytes from 100 on: ``512 GB`` of a drive that has 512.1."""
    if capacity_bytes is None or capacity_bytes < _GIGABYTE:
        return None
    unit, size = ("TB", _TERABYTE) if capacity_bytes >= _TERABYTE else ("GB", _GIGABYTE)
    digits = 0 if _WHOLE_GIGABYTES <= capacity_bytes < _TERABYTE else 1
    return f"{capacity_bytes / size:.{digits}f}".removesuffix(".0") + f" {unit}"


def _pseudonym(device: Described) -> str:
    """Return the id of a device without the name of the source, which pseudonyms begin with."""
    parts = device.device_id.split("-")
    squeezed = (device.submission_id or "").replace("-", "")
    for count in range(len(parts) - 1, 0, -1):
        if squeezed.endswith("".join(parts[:count])):
            return "-".join(parts[count:])
    return device.device_id
