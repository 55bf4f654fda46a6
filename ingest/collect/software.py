"""
Operating system, driver, scheduler, power plan, tool; and the file system that holds a target.

Source: ``/etc/os-release``, ``uname -r``, ``/sys/block/<name>`` and ``/sys/module``, ``tuned-adm active``,
``fio --version``, ``findmnt -J -T <target>`` and ``stat -f``.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

from ingest.collect.machine import Stated, answer, line, stated

if TYPE_CHECKING:
    from ingest.collect.machine import Machine


def of(machine: Machine, disk: str | None) -> dict[str, Stated]:
    """Return every field of a configuration's software; ``disk`` is the kernel's name of the first drive."""
    name = re.search(r'^PRETTY_NAME="?([^"\n]+)', line(machine, "etc/os-release") or "", re.MULTILINE)
    driver = _driver(machine, disk) if disk else None
    scheduler = re.search(r"\[([\w-]+)\]", line(machine, f"sys/block/{disk}/queue/scheduler") or "")
    tool = (machine.run(("fio", "--version")) or "").strip()
    no_version = "the driver is part of the kernel and states no version of its own"
    return {
        "operating_system": stated(name and name[1].strip(), "/etc/os-release does not show it"),
        "kernel": stated((machine.run(("uname", "-r")) or "").strip(), "uname does not show it"),
        "driver_name": stated(driver, "the kernel names no driver for the drive"),
        "driver_version": stated(line(machine, f"sys/module/{driver}/version"), no_version),
        "io_scheduler": stated(scheduler and scheduler[1], "the kernel shows no scheduler"),
        "power_plan": stated(_plan(machine), "neither tuned nor a cpufreq governor is active"),
        "tool": stated("fio" if tool else None, "state the tool that measured"),
        "tool_version": stated(tool, "state the version of the tool that measured"),
    }


def _driver(machine: Machine, disk: str) -> str | None:
    if disk.startswith("nvme"):
        return "nvme"
    link = machine.root / "sys" / "block" / disk / "device" / "driver"
    return link.resolve().name if link.exists() else None


def _plan(machine: Machine) -> str | None:
    tuned = re.search(r"profile: (\S+)", machine.run(("tuned-adm", "active")) or "")
    governor = line(machine, "sys/devices/system/cpu/cpu0/cpufreq/scaling_governor")
    return f"tuned: {tuned[1]}" if tuned else governor and f"governor: {governor}"


def filesystem(machine: Machine, target: str) -> tuple[dict[str, Stated], str | None]:
    """Return file system, allocation unit and mount options below a target, and the device that holds it."""
    found: list[dict[str, Any]] = answer(machine, "findmnt", "-J", "-T", target).get("filesystems", [])
    if not found:
        return {"filesystem": stated(None, "findmnt does not show it")}, None
    place = found[0]
    block = (machine.run(("stat", "-f", "-c", "%S", target)) or "").strip()
    fields = {
        "filesystem": stated(place.get("fstype"), "findmnt does not show it"),
        "allocation_unit_bytes": stated(int(block) if block.isdigit() else None, "stat does not show it"),
        "mount_options": stated(place.get("options"), "findmnt does not show it"),
    }
    return fields, re.sub(r"\[.*\]$", "", str(place.get("source", ""))) or None
