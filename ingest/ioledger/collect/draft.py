"""
A draft of a manifest: what the machine and the results tell, and ``unknown`` with a reason for what a person knows.

The draft lacks ``files``; ``ioledger add`` supplies them, and reads part of the method from the results. Which tool
measured, in which version and when, only the results tell.

A serial number becomes a hash that only tells whether two results come from the same drive: scrypt, salted with the
model, so that trying all serial numbers of a model is slow. Host names, the serial itself and MAC addresses are taken
out of every value. The machine's own id becomes the key of the bench in the same way (:mod:`ioledger.collect`).
"""

from __future__ import annotations

import hashlib
import os
import re
from collections import Counter
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

import msgspec

from ioledger import __version__
from ioledger.collect import Machine, Silence, device_mark, drives, read_line, run_text, state_value, system
from ioledger.loading.archives import every_source
from ioledger.loading.files import file_of
from ioledger.model import Reading, Source
from ioledger.problems import Problem, plain
from ioledger.readers import detect
from ioledger.submission import parse_value, rows
from ioledger.submission.consistency import find_unseen_run, machine_values, run_days
from ioledger.submission.shape import FROM_EITHER, FROM_RESULTS, FROM_YOU, SECTIONS, editions, schema_of
from ioledger.tables.schema import SCHEMAS

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence
    from datetime import date

HOST = re.compile(rb'"hostname"\s*:\s*"([\w.:-]{1,255})"', re.ASCII)
DEVICE = re.compile(rb'"filename"\s*:\s*"(\\?/dev\\?/\w{1,32})"', re.ASCII)
LOCAL = re.compile(r"localhost|127(?:\.\d{1,3}){3}|::1", re.IGNORECASE)
MAX_BYTES, MAX_FILES = 64 << 20, 1000
"""How much of a folder is looked through for results; larger ones are named on the command line."""
_DECIMAL = re.compile(r"[0-9]{1,9}\.[0-9]{1,9}")
NOT_HERE, UNNAMED = "the results do not state it", "unnamed"
OFFERED = "read here, within a day of the runs"
GIGABYTE = 10**9
LEVELS = frozenset({"raid0", "raid1", "raid5", "raid6", "raid10"})
METHOD = dict.fromkeys(schema_of("method")["required"], FROM_RESULTS) | {
    "preconditioning_class": FROM_EITHER,
    "steady_state_class": FROM_YOU,
    "measurement_area_bytes": FROM_EITHER,
    "file_written": FROM_EITHER,
    "data_pattern": FROM_EITHER,
}
"""Fields of a method, and what a draft says of each."""


def slug(text: str) -> str:
    """Return text as a key of a manifest: lower-case letters, digits and hyphens."""
    return re.sub(r"[^a-z0-9]+", "-", text.lower()).strip("-")[:70] or UNNAMED


def schema_hint(manifest: Path | None = None) -> str:
    """
    Return the line by which an editor finds the schema: at the site's own address, and without one in the checkout.

    By default from a folder below data/, as it is merged; from a manifest that lies elsewhere, where it lies.
    """
    place, schema = "../../schemas/manifest.schema.json", (SCHEMAS / "manifest.schema.json").resolve()
    if site := os.environ.get("IOLEDGER_SITE_URL"):
        place = f"{site.rstrip('/')}/schemas/manifest.schema.json"
    elif manifest is not None:
        try:
            place = Path(os.path.relpath(schema, manifest.resolve().parent)).as_posix()
        except ValueError:  # on another drive of Windows
            place = schema.as_uri()
    return f"# yaml-language-server: $schema={place}"


class Runs(msgspec.Struct):
    """Result files by name, as they were read; and the hosts and devices that reports of fio name."""

    files: list[tuple[str, Reading]] = []
    targets: set[tuple[str, str]] = set()
    """``hostname`` or ``device``, and the name."""

    def add(self, source: Source) -> None:
        """Read a file, and keep what a tool that measures wrote into it."""
        reading = detect.read(source)
        if not any(result.is_canonical for result in reading.results) or reading.tool == "published":
            return
        self.files.append((plain(file_of(source.name)), reading))
        if reading.tool == "fio":
            self.targets |= {("hostname", name.decode()) for name in HOST.findall(source.data)}
            devices = DEVICE.findall(source.data)  # links of devices may hold serial numbers
            self.targets |= {("device", name.replace(b"\\/", b"/").decode()) for name in devices}

    def find_other_machine(self, here: frozenset[str], root: Path) -> str | None:
        """Return why the runs were on another machine than this, which has these names and these files; or None."""
        for kind, name in sorted(self.targets):
            if kind == "hostname" and name.casefold() not in here and not LOCAL.fullmatch(name):
                return "the results name another host than this machine"
            if kind == "device" and not (root / name.lstrip("/")).exists():
                return f"the results name {name}, which this machine does not have"
        return None

    def are_of(self, here: frozenset[str]) -> bool:
        """Say whether a report names a machine, and this one, which has these names."""
        hosts = [name.casefold() for kind, name in self.targets if kind == "hostname" and not LOCAL.fullmatch(name)]
        return bool(hosts) and here.issuperset(hosts)


def one_of(what: str, stated: Sequence[str | None]) -> dict[str, Any] | None:
    """Return the one value that files state, null for none; unknown with all of them where they differ."""
    values = sorted({value for value in stated if value is not None})
    silent = stated.count(None)
    if len(values) > 1:
        return {"unknown": f"the files state {len(values)} {what}: {', '.join(values)}"}
    note = {"note": f"{silent} of {len(stated)} files do not state it"} if silent else {}
    return {"value": values[0], "how_known": "collected", **note} if values else None


def read(paths: Iterable[Path]) -> tuple[Runs, list[Path], list[Problem]]:
    """Return the results in files, below folders and in archives, the paths without any, and what cannot be read."""
    runs, without, problems = Runs(), list[Path](), list[Problem]()
    for path in paths:
        before = len(runs.files)
        for each in every_source([path]):
            if isinstance(each, Source):
                runs.add(each)
            else:
                problems.append(each)
        without += [path] if len(runs.files) == before else []
    return runs, without, problems


def read_beside(target: Path) -> Runs:
    """Return the results in the folder of a target, or in the target itself where that is a folder."""
    plain_files = (
        path for path in (target if target.is_dir() else target.parent).iterdir()
        if path.is_file() and not (path.is_symlink() or path.name.startswith("."))
    )  # fmt: skip
    return read(sorted(path for path in plain_files if path.stat().st_size <= MAX_BYTES)[:MAX_FILES])[0]


def draft(  # noqa: PLR0913  (what is measured, by whom, when, the runs, and what is declared)
    machine: Machine, target: str, device: str | None, submitter: str, today: date, *, runs: Runs | None = None,
    unchanged: bool = False, is_elsewhere: bool = False, statements: Mapping[str, str] | None = None,
) -> dict[str, Any]:  # fmt: skip
    """
    Return a manifest without files for what is below ``target``, or of the block device ``device``.

    Without ``runs`` the machine is read, and ``ioledger add`` compares its day with theirs. ``unchanged`` says that the
    submitter declares the machine to be as it was when they ended; ``is_elsewhere`` that they are of another machine
    unless they name this one. ``statements`` are values that the submitter declares, by field; raises LookupError for a
    field that is none.
    """
    host, _ = run_text(machine, "uname", "-n")
    here = frozenset({host.casefold(), host.casefold().split(".")[0]})
    runs, reason = runs or Runs(), None
    if runs.files:
        reason = runs.find_other_machine(here, machine.root) or find_unseen_run(runs.files, today)
    if is_elsewhere and not runs.are_of(here):
        reason = NOT_HERE
    if reason is not None and not unchanged:
        machine = Machine(Path(os.devnull), lambda _: Silence(reason))
    made, places = _draft(machine, target, device, submitter, today)
    readings = [reading for _, reading in runs.files]
    days, silent = [day for reading in readings for day in run_days(reading)], NOT_HERE if readings else FROM_RESULTS
    made["tested_on"] = min(days).isoformat() if days else "unknown"
    (configuration,) = made["configurations"].values()
    for field, values in (("tool", [r.tool for r in readings]), ("tool_version", [r.tool_version for r in readings])):
        configuration["software"][field] = one_of(field.replace("tool_", "") + "s", values) or {"unknown": silent}
    if is_elsewhere:  # what the results do not tell will be unknown
        configuration["method"] = {field: {"unknown": FROM_RESULTS} for field in METHOD}
    if runs.files:
        _qualify(made, reason, today, unchanged=unchanged)
    for field, value in (statements or {}).items():
        if not state(made, field, value):
            raise LookupError(field)
    _name_devices(made, machine, places)
    return made


def _qualify(made: dict[str, Any], reason: str | None, today: date, *, unchanged: bool) -> None:
    """Say of what was read from the machine why it is offered for the runs, who answers for it, or why it is not."""
    for _, fields, key in machine_values(made):
        if reason is not None and (not unchanged or key == "booted_at"):  # a later start than that before the runs
            fields[key] = {"unknown": reason}
        elif "unknown" not in fields[key]:
            note = f"read on {today}, declared to be unchanged since the runs" if reason else OFFERED
            note = "; ".join(filter(None, (fields[key].get("note"), note)))
            fields[key] |= {} if "none" in fields[key] else {"note": note}
            fields[key] |= {"how_known": "declared"} if reason else {}


def state(made: dict[str, Any], field: str, value: str) -> bool:
    """
    Put what a person declares into every part of a manifest that has a field of this name; say whether any has.

    Without one it may be a field that a draft leaves out. A whole number is a number, and ``unknown: why``, ``none:
    why`` and ``other: text`` are what they are in a manifest.
    """
    kind, colon, why = value.partition(": ")
    stated: int | float | str = int(value) if value.isascii() and value.isdigit() else value
    if field.endswith(("_watts", "_seconds")) and _DECIMAL.fullmatch(value):
        stated = float(value)
    is_reason = bool(colon) and kind in {"unknown", "none", "other"}
    whole = {kind: why} if is_reason else {"value": stated, "how_known": "declared"}
    sections = {section: [each[section] for each in made["configurations"].values()] for section in SECTIONS}
    parts = {"devices": [*made["devices"].values()], "systems": [*made["systems"].values()], **sections}
    having = [part for each in parts.values() for part in each if field in part]
    if not having and field not in made:
        having = [part for name, each in parts.items() if field in schema_of(name)["properties"] for part in each]
    for part in having:
        part[field] = dict(whole)
    if field in made:
        made[field] = value
    return bool(having) or field in made


def _name_devices(made: dict[str, Any], machine: Machine, places: list[str]) -> None:
    """
    Call devices by model and capacity, so that the same model has the same key in every submission.

    One without a model, and a virtual disk, whose model only says who made the hypervisor, has a mark of its own too:
    two of them are not the same. Of a disk the rotation is asked, and what has no spare area by its medium has none.
    """
    keys, devices = [], list(made["devices"].values())
    for fields, place in zip(devices, places, strict=True):
        model, media, protocol, size = (
            parse_value(fields[name]).value for name in ("model", "media_class", "interface_protocol", "capacity_bytes")
        )
        none = drives.spare(fields["media_class"]).get("none")
        if none is not None and not parse_value(fields.get("overprovisioning", "unknown")).is_known:
            fields["overprovisioning"] = {"none": none}
        if media == "hdd":
            fields.setdefault("rotation_hertz", {"unknown": NOT_HERE})
        gigabytes = f" {size / GIGABYTE:.0f}gb" if isinstance(size, int | float) and size >= GIGABYTE else ""
        mark = "" if model and media != "virtual" else f" {device_mark(machine, place)}"
        keys.append(slug(f"{model or f'{protocol or UNNAMED} disk'}{gigabytes}{mark}"))
    first = keys[0]
    if made["title"] == UNNAMED:
        measured = f", measured on {made['tested_on']}" if made["tested_on"] != "unknown" else ""
        made["title"] = f"{parse_value(devices[0]['model']).value or first}{measured}"
    made["devices"] = dict(zip(keys, devices, strict=True))
    (configuration,) = made["configurations"].values()
    configuration["title"] = first
    configuration["storage"]["drives"] = [{"device": key, "count": count} for key, count in Counter(keys).items()]
    made["configurations"] = {first: configuration}


def _draft(
    machine: Machine, target: str, device: str | None, submitter: str, today: date
) -> tuple[dict[str, Any], list[str]]:
    """Return the part that the machine tells, devices by number, and the place of each in the machine."""
    storage, holder = system.filesystem(machine, target) if device is None else (dict(system.RAW), device)
    where = f"the target is on {holder}, which is not a block device"
    disks, level, why = list[drives.Drive](), None, where if holder else storage["filesystem"].get("unknown", where)
    block = holder if holder is not None and holder.startswith("/dev/") else None
    if block is not None:
        disks, level, why = drives.find_disks(machine, block)
    # without a drive its spare area is named too, which decides how writes compare
    no_drive = {field: {"unknown": why} for field in (*rows.list_required()["device"], "overprovisioning")}
    found = [drives.describe(machine, disk) for disk in disks] or [(no_drive, None)]
    disk = disks[0]["name"] if disks else None
    topology = "single" if len(disks) == 1 else None
    chunk = int(read_line(machine, f"sys/block/{(holder or '').rpartition('/')[2]}/md/chunk_size") or 0) or None
    array = {
        "raid_implementation": state_value("operating_system", ""),
        "raid_stripe_bytes": state_value(chunk, "the array has no stripes, or the kernel does not show them"),
    }
    if level is not None:
        topology, why = level if level in LEVELS else None, f"the array level {level} has no name here"
    queue = system.queue_settings(machine, disk) if disk else {}
    made = {
        "edition": max(editions()),
        "title": UNNAMED,
        "submitted_by": submitter,
        "submitted_on": today.isoformat(),
        "collected_on": today.isoformat(),
        "collector_version": __version__,
        "tested_on": "unknown",
        "licence": "CC-BY-4.0",
        "source_type": "raw_tool_output",
        "affiliation": "unknown",
        "systems": {"host": {**system.computer(machine), **_settings(machine, found)}},
        "devices": {str(number): fields for number, (fields, _) in enumerate(found)},
        "configurations": {
            UNNAMED: {
                "title": UNNAMED,
                "system": "host",
                "storage": {
                    "storage_topology": state_value(topology, why if level or not disks else FROM_YOU),
                    **(array if level is not None else {}),
                    **(system.controller(disks[0]["name"]) if len(disks) == 1 else {}),
                    "drives": [],
                    **storage,
                },
                "software": system.software(machine, disk),
                "method": {field: {"unknown": reason} for field, reason in METHOD.items()},
                **({"settings": {"driver": queue}} if queue else {}),
            }
        },
    }
    host, _ = run_text(machine, "uname", "-n")
    secrets = (host, host.split(".")[0], *(serial for _, serial in found if serial))
    places = [each["name"] for each in disks] or [
        block or run_text(machine, "stat", "-c", "%m", target)[0] or str(Path(target).resolve())
    ]
    return scrub(made, secrets), places


def _settings(machine: Machine, found: list[tuple[dict[str, Any], str | None]]) -> dict[str, Any]:
    """Return the kernel's settings, and the hash of each serial: it tells whether results come from the same drive."""
    hashes = {
        f"serial hash {index}": state_value(hash_serial(serial, str(parse_value(fields["model"], "").value)), "")
        for index, (fields, serial) in enumerate(found, 1)
        if serial
    }
    scopes = {"drive": hashes, "os": system.kernel_settings(machine)}
    return {"settings": {scope: named for scope, named in scopes.items() if named}} if any(scopes.values()) else {}


def completeness(manifest: dict[str, Any]) -> tuple[int, int, dict[str, str]]:
    """Return how many required values are known, how many there are, and the reasons of the unknown ones by field."""
    names = manifest["configurations"]
    reasons = {f"{name}.{field}": why for name in names for field, why in rows.find_unknown(manifest, name).items()}
    total = len(names) * sum(map(len, rows.list_required().values()))
    return total - len(reasons), total, reasons


MAC = re.compile(r"\b[0-9A-Fa-f]{2}(?:[:-][0-9A-Fa-f]{2}){5}\b")
REMOVED = "(removed)"
SHORTEST = 3
"""A host name or serial of fewer characters is not searched for: it would match inside ordinary words."""


@cache  # slow, so that nobody tries all serials
def hash_serial(serial: str, model: str) -> str:
    """Return 32 hexadecimal digits that stand for a drive's serial number."""
    salt = f"ioledger drive {model}".encode()
    return hashlib.scrypt(serial.encode(), salt=salt, n=1 << 14, r=8, p=1, dklen=16).hex()


def scrub(value: Any, secrets: tuple[str, ...]) -> Any:  # noqa: ANN401  (any value of a manifest)
    """Return a manifest value with secrets and hardware addresses replaced, at any depth; keys stay as they are."""
    if isinstance(value, dict):
        return {key: scrub(inner, secrets) for key, inner in value.items()}
    if isinstance(value, list):
        return [scrub(inner, secrets) for inner in value]
    if not isinstance(value, str):
        return value
    for secret in secrets:
        if len(secret) >= SHORTEST:
            value = re.sub(rf"(?<![\w]){re.escape(secret)}(?![\w])", REMOVED, value)
    return MAC.sub(REMOVED, value)
