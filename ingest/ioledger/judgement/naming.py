"""
What a device is called where there is little room: texts to choose from, best first.

The model ``int_devices_named`` takes the first text of a device that no other device has as early in its own list. So
no two devices share a name, no word is cut, and the same device has the same name on every page of a build.
"""

from __future__ import annotations

import hashlib
import re
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

MOST_CHARACTERS = 26
"""The length that the pages of the site have room for."""

_MAKERS = {"Western Digital": "WD"}
"""Makers by the name that they use themselves where there is little room."""

_NOTE = re.compile(r"\s*\([^)]*\)")
_UNSTATED = re.compile(r"not stated|unknown", re.IGNORECASE)
_DECIMALS = re.compile(r"\.0 ")
# What a name can do without: an order code behind the model's own word, then words that hold for every such drive.
_CODE = re.compile(r"(?<=.) (?=\S*\d)(?=\S*[A-Z])[A-Z0-9-]{8,}\b| namespace\b")
_GENERAL = re.compile(r"\b(?:SSD|NVMe|PCIe|DC)\b ?")
_GIGABYTE, _TERABYTE = 1e9, 1e12
_WHOLE_GIGABYTES = 1e11


class Described(NamedTuple):
    """
    What is known of a device; the capacity in bytes.

    ``words`` name it where there is room, ``medium`` where its model is not known: ``SAS HDD``. ``firmware``,
    ``submission_id`` and ``repository`` (an address) are those of a device that has only one of them.
    """

    words: str
    medium: str | None
    vendor: str | None
    model: str | None
    capacity_bytes: int | None
    firmware: str | None
    submission_id: str | None
    repository: str | None
    device_id: str


def short_names(device: Described) -> list[str]:
    """
    Return the texts of at most 26 characters that may name a device, best first.

    Order code and maker give way before a word of the model does. Firmware, source and the device's own id tell apart
    devices of equal names.
    """
    capacity, medium = _capacity(device.capacity_bytes), device.medium or "drive"
    names = list(_bases(device.vendor, _model(device, capacity) or medium))
    with_capacity = [" ".join(filter(None, (name, capacity))) for name in names]
    source = _source(device)
    is_unstated = device.model is None or _UNSTATED.search(device.model) is not None
    found = [f"{name}, {source}" for name in with_capacity[:3] if is_unstated and source and "," not in name]
    found += with_capacity
    last = names[2].rsplit(" ", 1)[-1]
    for telling in (device.firmware, source, _pseudonym(device)):
        found += [f"{name}, {telling}" for name in (*with_capacity, *names, last) if telling]
    found += [device.device_id, f"drive {hashlib.sha256(device.device_id.encode()).hexdigest()[:16]}"]
    return list(dict.fromkeys(name for name in found if len(name) <= MOST_CHARACTERS))


def long_names(device: Described) -> list[str]:
    """Return the texts that may name a device where there is room: its words, and what tells it from others of them."""
    firmware = device.firmware and f"firmware {device.firmware}"
    told = (firmware, _source(device), _pseudonym(device), device.device_id)
    return [device.words, *(f"{device.words}, {each}" for each in told if each)]


def _bases(vendor: str | None, model: str) -> Iterator[str]:
    """Give the names without capacity: maker and model, in three lengths; the model alone; its beginning."""
    maker = _MAKERS.get(vendor or "", vendor)
    short = _CODE.sub("", model)
    lengths: Sequence[str] = (model, short, _GENERAL.sub("", short).replace(" ,", ",").strip(" ,") or short)
    for length in lengths:
        yield length if maker is None or length.startswith(maker) else f"{maker} {length}"
    yield from lengths
    yield re.split("[ -]", model, maxsplit=1)[0]


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
    if capacity_bytes >= _TERABYTE:
        return _DECIMALS.sub(" ", f"{capacity_bytes / _TERABYTE:.1f} TB")
    digits = 0 if capacity_bytes >= _WHOLE_GIGABYTES else 1
    return _DECIMALS.sub(" ", f"{capacity_bytes / _GIGABYTE:.{digits}f} GB")


def _source(device: Described) -> str | None:
    """Return the name of the repository that results were taken from, else the submission's, without its month."""
    if device.repository:
        return device.repository.rstrip("/").rsplit("/", 1)[-1]
    return re.sub(r"^\d{4}-\d{2}-", "", device.submission_id) if device.submission_id else None


def _pseudonym(device: Described) -> str:
    """Return the id of a device without the name of the source, which pseudonyms begin with."""
    parts = device.device_id.split("-")
    squeezed = (device.submission_id or "").replace("-", "")
    for count in range(len(parts) - 1, 0, -1):
        if squeezed.endswith("".join(parts[:count])):
            return "-".join(parts[count:])
    return device.device_id
