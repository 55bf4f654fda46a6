"""
The drives below a target: which they are, how they are combined, and what each says of itself.

Source: ``lsblk -J -b -s`` (a device and what it stands on), ``/sys/block`` and ``/sys/class/nvme`` of the kernel,
``nvme id-ctrl -o json`` (``mn``, ``fr``, ``tnvmcap``, and ``wctemp`` in kelvin), ``nvme smart-log -o json``
(``temperature`` in kelvin), ``smartctl -j -i -A`` (``model_name``, ``firmware_version``, ``rotation_rate`` per minute,
``form_factor``, ``interface_speed``, ``temperature.current`` in degrees Celsius).
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

from ioledger.collect.machine import Stated, answer, line, stated

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ioledger.collect.machine import Machine

NO_LSBLK = "lsblk was asked and shows none"
COLUMNS = "NAME,TYPE,MODEL,VENDOR,REV,SERIAL,TRAN,ROTA,LOG-SEC,PHY-SEC,SIZE"
VIRTUAL = re.compile(r"qemu|vmware|virtual|msft", re.IGNORECASE)
OPTANE = re.compile(r"optane|SSDPE[DL]1[KDM]|P4800X|P5800X|900P|905P", re.IGNORECASE)
PROTOCOLS = {"nvme": "NVMe", "sata": "SATA", "sas": "SAS", "usb": "USB", "virtio": "virtio"}
Drive = dict[str, Any]


def below(machine: Machine, device: str) -> tuple[list[Drive], str | None, str]:
    """
    Return the disks a device stands on as lsblk describes them, and the array level between, if one is named.

    The last value says why there are none.
    """
    found, why = answer(machine, "lsblk", "-J", "-b", "-s", "-o", COLUMNS, device)
    nodes = list(_nodes(found.get("blockdevices", [])))
    disks = {node["name"]: node for node in nodes if node["type"] == "disk"}
    levels = [node["type"] for node in nodes if str(node["type"]).startswith("raid")]
    return [disks[name] for name in sorted(disks)], levels[0] if levels else None, why


def _nodes(found: list[Drive]) -> Iterator[Drive]:
    for node in found:
        yield node
        yield from _nodes(node.get("children", []))


def described(machine: Machine, disk: Drive) -> tuple[dict[str, Any], str | None]:
    """Return the fields of a device as a manifest states them, and the drive's serial number."""
    name = disk["name"]
    smart, no_smart = _smart(machine, name)
    (control, no_control), (log, no_log) = (
        answer(machine, "nvme", command, "-o", "json", f"/dev/{name}")
        if name.startswith("nvme")
        else ({}, "nvme was not asked: this is no NVMe drive")
        for command in ("id-ctrl", "smart-log")
    )
    neither = f"{no_control}; {no_smart}"
    transport = disk.get("tran") or ("virtio" if name.startswith("vd") else "nvme" if name.startswith("nvme") else None)
    pci = f"sys/block/{name}/device/device"
    model = _first(
        control.get("mn"), smart.get("model_name"), disk.get("model"), line(machine, f"sys/block/{name}/device/model")
    )
    vendor = _first(disk.get("vendor") if transport in {"sas", "usb"} else None)
    firmware = _first(
        control.get("fr"), smart.get("firmware_version"), disk.get("rev"),
        line(machine, f"sys/block/{name}/device/firmware_rev"),
    )  # fmt: skip
    fields = {
        "vendor": stated(vendor or _maker(model), "the drive names no maker of its own"),
        "model": stated(model, f"the kernel does not show it; {neither}"),
        "firmware": stated(firmware, f"the kernel does not show it; {neither}"),
        "media_class": _media(disk, transport, model or ""),
        "rotation_hertz": _rotation(disk, smart, no_smart),
        "capacity_bytes": stated(control.get("tnvmcap") or disk.get("size"), f"{NO_LSBLK}; {no_control}"),
        "interface_protocol": stated(PROTOCOLS.get(str(transport), transport), "lsblk names no transport"),
        "interface_generation": stated(line(machine, f"{pci}/max_link_speed"), "the kernel shows no link")
        if transport == "nvme"
        else stated(None, "the transport has no PCI link of its own"),
        "link_negotiated": stated(_link(machine, pci, smart), f"the kernel shows no link; {no_smart}"),
        "form_factor": stated(smart.get("form_factor", {}).get("name"), no_smart),
        "lba_format": stated(_sectors(disk), NO_LSBLK),
        "write_cache": stated(line(machine, f"sys/block/{name}/queue/write_cache"), "the kernel does not show it"),
        "power_loss_protection": stated(None, "not asked: Linux has no interface for it"),
        "throttle_temperature_kelvin": stated(control.get("wctemp") or None, no_control),
        "highest_temperature_kelvin": _temperature(log, smart, f"{no_log}; {no_smart}"),
    }
    return {field: value for field, value in fields.items() if value}, _first(control.get("sn"), disk.get("serial"))


def _smart(machine: Machine, name: str) -> tuple[dict[str, Any], str]:
    """Return what smartctl says of a drive, and why a value that is not in it is not known: its own error first."""
    found, why = answer(machine, "smartctl", "-j", "-i", "-A", f"/dev/{name}")
    told = found.get("smartctl", {}).get("messages", [])
    errors = [str(each.get("string")) for each in told if each.get("severity") == "error"]
    return found, f"smartctl was asked and failed: {errors[0]}" if errors else why


def _rotation(disk: Drive, smart: dict[str, Any], why: str) -> Stated | None:
    """Return rotations per second of a rotating disk, None for what does not rotate."""
    rate = smart.get("rotation_rate")
    rotates = rate or (disk.get("rota") and disk.get("tran") in {"sata", "sas"})
    return stated(rate / 60 if rate else None, why) if rotates else None


def _temperature(log: dict[str, Any], smart: dict[str, Any], why: str) -> Stated:
    """Return the temperature now, which is that after the measurement, as nvme or smartctl shows it."""
    celsius = smart.get("temperature", {}).get("current")
    kelvin = log.get("temperature") or (celsius + 273.15 if celsius else None)
    return stated(kelvin, why, "when this was collected")


def _first(*values: object) -> str | None:
    texts = (str(value).strip() for value in values if value is not None)
    return next((text for text in texts if text), None)


def _maker(model: str | None) -> str | None:
    """Take the maker from the model's first word where the drive puts it there."""
    makers = ("Samsung", "INTEL", "KIOXIA", "TOSHIBA", "WDC", "Micron", "SEAGATE", "HGST", "SK hynix", "Solidigm")
    return next((maker for maker in makers if (model or "").lower().startswith(maker.lower())), None)


def _media(disk: Drive, transport: str | None, model: str) -> Stated:
    if transport == "virtio" or disk["name"].startswith("xvd") or VIRTUAL.search(model):
        return {"value": "virtual", "how_known": "inferred", "note": "from the transport or the model's name"}
    if transport == "nvme":
        kind = "ssd_optane" if OPTANE.search(model) else "ssd_nvme"
        return {"value": kind, "how_known": "inferred", "note": "from the transport and the model's name"}
    if disk.get("rota"):
        return stated("hdd", "")
    kinds = {"sata": "ssd_sata", "sas": "ssd_sas"}
    return stated(kinds.get(str(transport)), "the transport does not tell the class")


def _sectors(disk: Drive) -> str | None:
    logical, physical = disk.get("log-sec"), disk.get("phy-sec")
    return f"{logical} bytes logical and {physical} bytes physical" if logical and physical else None


def _link(machine: Machine, pci: str, smart: dict[str, Any]) -> str | None:
    speed, width = (line(machine, f"{pci}/current_link_{part}") for part in ("speed", "width"))
    if speed and width:
        return f"{speed}, {width} lanes"
    return smart.get("interface_speed", {}).get("current", {}).get("string")  # type: ignore[no-any-return]
