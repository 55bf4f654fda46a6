"""
The drives below a target: which they are, how they are combined, and what each says of itself.

Source: ``lsblk -J -b -s`` (a device and what it stands on), ``/sys/block`` of the kernel, ``nvme id-ctrl -o json``
(``mn``, ``fr``, ``tnvmcap``, ``vwc``, whose bit 0 tells whether there is a volatile write cache, and ``wctemp`` in
kelvin), ``nvme get-feature -f 6`` (whether it is on), ``nvme id-ns -o json`` (``flbas``: the format in use; ``lbafs``:
all of them, ``ms`` their bytes of metadata), ``smartctl -j -i -g wcache`` (``model_name``, ``firmware_version``,
``rotation_rate`` per minute, ``form_factor``, ``interface_speed``, ``write_cache.enabled``).
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

from ioledger.collect import Stated, no_such, read_line, run_json, run_text, state_value, state_word
from ioledger.submission.rows import closed_words
from ioledger.submission.shape import FROM_YOU

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ioledger.collect import Machine

NO_LSBLK = "lsblk shows none"
COLUMNS = "NAME,TYPE,MODEL,VENDOR,REV,SERIAL,TRAN,ROTA,LOG-SEC,PHY-SEC,SIZE"
VIRTUAL = re.compile(r"qemu|vmware|virtual|msft", re.IGNORECASE)
MADE = re.compile(r"xvd[a-z]|(?:loop|zram|nbd|ram)\d")
"""How names begin that the kernel gives to disks which no drive is: of a hypervisor, a file, memory, the network."""
SECTOR_BYTES = 512
"""The unit of the kernel's ``size``, whatever the device's own sectors are."""
OPTANE = re.compile(r"optane|SSDPE[DL]1[KDM]|P4800X|P5800X|900P|905P", re.IGNORECASE)
PROTOCOLS = {"nvme": "NVMe", "sata": "SATA", "sas": "SAS", "usb": "USB", "virtio": "virtio"}
CACHED = {"write back": "enabled", "write through": "none"}
"""What the kernel reports of the cache of a drive that has a switch for it, or has none."""
Drive = dict[str, Any]


def find_disks(machine: Machine, device: str) -> tuple[list[Drive], str | None, str]:
    """
    Return the disks a device stands on as lsblk describes them, and the array level between, if one is named.

    Where lsblk names no disk, what stands on nothing else is one, such as a loop device; where it is silent the device
    itself is, if the kernel shows it. The last value says why there are none.
    """
    found, why = run_json(machine, "lsblk", "-J", "-b", "-s", "-o", COLUMNS, device)
    nodes = list(_nodes(found.get("blockdevices", [])))
    disks = {node["name"]: node for node in nodes if node["type"] == "disk"}
    disks = disks or {node["name"]: node for node in nodes if not node.get("children")}
    kernel_name = (machine.root / device.lstrip("/")).resolve().name  # a device may be named by a link
    if not disks and (machine.root / "sys" / "block" / kernel_name).is_dir():
        disks = {kernel_name: {"name": kernel_name}}
    levels = [node["type"] for node in nodes if str(node["type"]).startswith("raid")]
    return [disks[name] for name in sorted(disks)], levels[0] if levels else None, why


def _nodes(found: list[Drive]) -> Iterator[Drive]:
    for node in found:
        yield node
        yield from _nodes(node.get("children", []))


def describe(machine: Machine, disk: Drive) -> tuple[dict[str, Any], str | None]:
    """Return the fields of a device as a manifest states them, and the drive's serial number."""
    name = disk["name"]
    transport = disk.get("tran") or ("virtio" if name.startswith("vd") else "nvme" if name.startswith("nvme") else None)
    cache = () if transport == "nvme" else ("-g", "wcache")
    smart, no_smart = run_json(machine, "smartctl", "-j", "-i", *cache, f"/dev/{name}")
    control, no_control = _nvme(machine, name, "id-ctrl")
    no_name = f"the kernel does not show it; {no_control}; {no_smart}"
    own, revision = (read_line(machine, f"sys/block/{name}/device/{file}") for file in ("model", "firmware_rev"))
    model = _first(control.get("mn"), smart.get("model_name"), disk.get("model"), own)
    firmware = _first(control.get("fr"), smart.get("firmware_version"), disk.get("rev"), revision)
    vendor = _first(disk.get("vendor") if transport in {"sas", "usb"} else None)
    media, rate = _media(disk, transport, model or ""), smart.get("rotation_rate")
    rotates = rate or (disk.get("rota") and disk.get("tran") in {"sata", "sas"})
    sectors = int(read_line(machine, f"sys/block/{name}/size") or 0)
    capacity = control.get("tnvmcap") or disk.get("size") or sectors * SECTOR_BYTES or None
    fields = {
        "vendor": state_value(vendor or _maker(model), "the drive reports no vendor"),
        "model": state_value(model, no_name),
        "firmware": state_value(firmware, no_name),
        "media_class": media,
        "rotation_hertz": state_value(rate / 60 if rate else None, no_smart) if rotates else None,
        "capacity_bytes": state_value(capacity, f"{NO_LSBLK}; {no_control}"),
        "interface_protocol": state_value(PROTOCOLS.get(str(transport), transport), "lsblk reports no transport"),
        "link_negotiated": state_value(_link(machine, name, smart), f"the kernel shows no link; {no_smart}"),
        "form_factor": state_value(smart.get("form_factor", {}).get("name"), no_smart),
        "lba_format": state_word(_sectors(machine, disk), closed_words("devices", "lba_format"), NO_LSBLK),
        "write_cache": _write_cache(machine, name, transport, control, smart),
        "power_loss_protection": state_value(None, "not read: Linux has no interface for it"),
        "overprovisioning": spare(media),
        "throttle_temperature_kelvin": state_value(control.get("wctemp") or None, no_control),
    }
    if media.get("value") == "virtual":
        none = no_such("a virtual disk has none of its own")
        fields |= {key: none for key in OF_HARDWARE if "unknown" in (fields[key] or {})}
    return {key: value for key, value in fields.items() if value}, _first(control.get("sn"), disk.get("serial"))


def spare(media: Stated) -> Stated:
    """Return what is known of a drive's spare area: some have none, of others nobody but their owner knows it."""
    kind = media.get("value")
    if kind == "virtual":
        return no_such("a virtual disk has no spare area of its own")
    return no_such("a rotating disk has none") if kind == "hdd" else state_value(None, FROM_YOU)


OF_HARDWARE = ("firmware", "link_negotiated", "form_factor", "throttle_temperature_kelvin")
"""What a virtual disk does not have when it does not name it; what is behind it, its guest does not see."""


def _nvme(machine: Machine, name: str, command: str) -> tuple[dict[str, Any], str]:
    """Return what a drive answers to a command of NVMe, and why a value that is not in it is not known."""
    if not name.startswith("nvme"):
        return {}, "nvme was not run: this is not an NVMe drive"
    return run_json(machine, "nvme", command, "-o", "json", f"/dev/{name}")


def _write_cache(
    machine: Machine, name: str, transport: str | None, control: dict[str, Any], smart: dict[str, Any]
) -> Stated:
    """
    Return whether the drive's volatile write cache is on; the drive's own word goes first.

    The kernel says ``write through`` of a drive without a cache and of one, mostly SATA or SAS, whose cache is off.
    """
    if isinstance(present := control.get("vwc"), int):
        if not present & 1:
            return state_value("none", "", "the drive has no volatile write cache (vwc)")
        feature, _ = run_text(machine, "nvme", "get-feature", "-f", "6", f"/dev/{name}")
        value = re.search(r"value:\s*(?:0x)?([0-9a-f]+)\s*$", feature, re.IGNORECASE | re.MULTILINE)
        if value:
            return state_value("enabled" if int(value[1], 16) & 1 else "disabled", "", "the drive's feature 6")
    if isinstance(enabled := smart.get("write_cache", {}).get("enabled"), bool):
        return state_value("enabled" if enabled else "disabled", "", "as smartctl shows it")
    kernel = read_line(machine, f"sys/block/{name}/queue/write_cache")
    words = "disabled" if kernel == "write through" and transport in {"sata", "sas"} else CACHED.get(kernel or "")
    return state_value(words, "the kernel does not show it", f"the kernel reports {kernel}")


def _first(*values: object) -> str | None:
    texts = (str(value).strip() for value in values if value is not None)
    return next((text for text in texts if text), None)


def _maker(model: str | None) -> str | None:
    """Take the maker from the model's first word where the drive puts it there."""
    makers = ("Samsung", "INTEL", "KIOXIA", "TOSHIBA", "WDC", "Micron", "SEAGATE", "HGST", "SK hynix", "Solidigm")
    return next((maker for maker in makers if (model or "").lower().startswith(maker.lower())), None)


def _media(disk: Drive, transport: str | None, model: str) -> Stated:
    if transport == "virtio" or MADE.match(disk["name"]) or VIRTUAL.search(model):
        note = "from the transport, or the name of the model or device"
        return {"value": "virtual", "how_known": "inferred", "note": note}
    if transport == "nvme":
        kind = "ssd_optane" if OPTANE.search(model) else "ssd_nvme"
        return {"value": kind, "how_known": "inferred", "note": "from the transport and the model's name"}
    if disk.get("rota"):
        return state_value("hdd", "")
    kinds = {"sata": "ssd_sata", "sas": "ssd_sas"}
    return state_value(kinds.get(str(transport)), "the transport does not determine the class")


def _sectors(machine: Machine, disk: Drive) -> str | None:
    """Return the bytes of a block, logical and physical, and those of its metadata where the drive tells them."""
    queue = f"sys/block/{disk['name']}/queue"
    logical = disk.get("log-sec") or read_line(machine, f"{queue}/logical_block_size")
    physical = disk.get("phy-sec") or read_line(machine, f"{queue}/physical_block_size")
    if not logical or not physical:
        return None
    namespace, _ = _nvme(machine, disk["name"], "id-ns")
    formats, used = namespace.get("lbafs", []), namespace.get("flbas", 0)
    number = used & 0x0F | (used & 0x60) >> 1  # four bits, and two more since NVMe 2.0
    metadata = formats[number].get("ms") if number < len(formats) else None
    return f"{logical}/{physical}+{metadata}" if metadata else f"{logical}/{physical}"


def _link(machine: Machine, name: str, smart: dict[str, Any]) -> str | None:
    pci = f"sys/block/{name}/device/device"
    speed, width = (read_line(machine, f"{pci}/current_link_{part}") for part in ("speed", "width"))
    found: str | None = smart.get("interface_speed", {}).get("current", {}).get("string")
    return f"{speed}, {width} lanes" if speed and width else found
