"""
A draft of a manifest: what the machine tells, and ``unknown`` with a reason for what only the person knows.

The draft lacks ``files``; ``ioledger add`` supplies them, and reads part of the method from the results.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

from ingest import rows
from ingest.collect import drives, privacy, software, system
from ingest.collect.machine import line, stated
from ingest.facts import known

if TYPE_CHECKING:
    from datetime import date

    from ingest.collect.machine import Machine

FROM_RESULTS = "read from the results by ioledger add"
FROM_YOU = "only you know: please state it"
LEVELS = {"raid0": "raid0", "raid1": "raid1", "raid5": "raid5", "raid6": "raid6", "raid10": "raid10"}
METHOD = {
    "preconditioning": FROM_YOU,
    "preconditioning_class": FROM_YOU,
    "steady_state": FROM_YOU,
    "steady_state_class": FROM_YOU,
    "measurement_area": FROM_YOU,
    "file_written": FROM_YOU,
    "data_pattern": FROM_YOU,
    "cache_bypass": FROM_RESULTS,
    "run_time_seconds": FROM_RESULTS,
    "process_count": FROM_RESULTS,
    "repetition_count": FROM_RESULTS,
    "kept_run": FROM_RESULTS,
    "latency_kind": FROM_RESULTS,
    "unit_base": FROM_RESULTS,
    "load_axis": FROM_RESULTS,
}


def slug(text: str) -> str:
    """Return text as a key of a manifest: lower-case letters, digits and hyphens."""
    return re.sub(r"[^a-z0-9]+", "-", text.lower()).strip("-")[:70] or "unnamed"


def draft(machine: Machine, target: str, device: str | None, submitter: str, today: date) -> dict[str, Any]:
    """
    Return a manifest without files for what is below ``target``.

    ``device`` names a block device measured without a file system; otherwise the one that holds ``target`` is taken.
    """
    storage, holder = (
        software.filesystem(machine, target) if device is None else ({"filesystem": stated("raw", "")}, device)
    )
    disks, level = drives.below(machine, holder) if holder and holder.startswith("/dev/") else ([], None)
    found = [drives.described(machine, disk) for disk in disks] or [(_no_drive(), None)]
    models = {_key(fields): fields for fields, _ in found}
    counts = {key: sum(_key(fields) == key for fields, _ in found) for key in models}
    first = next(iter(models))
    made = {
        "title": f"{known(next(iter(models.values()))['model'], '').value or first}, measured on {today.isoformat()}",
        "submitted_by": submitter,
        "submitted_on": today.isoformat(),
        "tested_on": today.isoformat(),
        "licence": "CC-BY-4.0",
        "source_type": "raw_tool_output",
        "interest": "unknown",
        "systems": {"host": {**system.of(machine), **_settings(found)}},
        "devices": models,
        "configurations": {
            first: {
                "title": first,
                "system": "host",
                "storage": {
                    "storage_topology": _topology(len(disks), level),
                    **_array(machine, holder, level),
                    "drives": [{"device": key, "count": count} for key, count in counts.items()],
                    **storage,
                },
                "software": software.of(machine, disks[0]["name"] if disks else None),
                "method": {field: {"unknown": reason} for field, reason in METHOD.items()},
            }
        },
    }
    host = (machine.run(("uname", "-n")) or "").strip()
    secrets = [host, host.split(".")[0], *(serial for _, serial in found if serial)]
    return privacy.scrubbed(made, tuple(secrets))  # type: ignore[no-any-return]


def _no_drive() -> dict[str, Any]:
    reason = "no block device was found below the target"
    return {field: {"unknown": reason} for field in rows.required()["device"]}


def _key(fields: dict[str, Any]) -> str:
    """Name a device by maker, model and capacity, so that the same model has the same key in every submission."""
    model, protocol, size = (
        known(fields[name], "").value for name in ("model", "interface_protocol", "capacity_bytes")
    )
    gigabytes = f"{size / 1e9:.0f}gb" if size else ""
    name = model or f"{protocol or 'unnamed'} disk"
    return slug(f"{name} {gigabytes}")


def _topology(count: int, level: str | None) -> dict[str, Any]:
    if level is not None:
        return stated(LEVELS.get(level), f"the array level {level} has no name here")
    return stated("single" if count == 1 else None, "several drives without a software array; state how they are used")


def _array(machine: Machine, holder: str | None, level: str | None) -> dict[str, Any]:
    """Give what makes the array and its stripe, for an array of the kernel; nothing without an array."""
    if level is None:
        return {}
    chunk = line(machine, f"sys/block/{(holder or '').rpartition('/')[2]}/md/chunk_size")
    size = int(chunk) if chunk and chunk.isdigit() and int(chunk) else None
    return {
        "raid_implementation": stated("operating system", ""),
        "raid_stripe_bytes": stated(size, "the array has no stripes, or the kernel does not show them"),
    }


def _settings(found: list[tuple[dict[str, Any], str | None]]) -> dict[str, Any]:
    """Give the hash of each serial number: it tells whether two results come from the same drive."""
    hashes = {
        f"serial hash {index}": stated(privacy.hashed(serial, str(known(fields["model"], "").value)), "")
        for index, (fields, serial) in enumerate(found, 1)
        if serial
    }
    return {"settings": {"drive": hashes}} if hashes else {}


def completeness(manifest: dict[str, Any]) -> tuple[int, int, dict[str, str]]:
    """Return how many required values are known, how many there are, and the reasons of the unknown ones by field."""
    reasons: dict[str, str] = {}
    total = 0
    for name, configuration in manifest["configurations"].items():
        parts = {**configuration, "system": manifest["systems"][configuration["system"]]}
        devices = [manifest["devices"][drive["device"]] for drive in configuration["storage"].get("drives", ())]
        for section, fields in rows.required().items():
            for field in fields:
                total += 1
                places = devices if section == "device" else [parts[section]]
                unknown = [known(place[field], "") for place in places if known(place[field], "").value is None]
                if unknown or not places:
                    reasons[f"{name}.{section}.{field}"] = (unknown[0].note if unknown else None) or "not stated"
    return total - len(reasons), total, reasons
