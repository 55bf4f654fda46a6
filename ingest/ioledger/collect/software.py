"""
Operating system, driver, scheduler, power plan; and the file system that holds a target.

Which tool measured, the results tell: the one that happens to be installed need not be it.
Source: ``/etc/os-release``, ``uname -r``, ``/sys/block/<name>`` and ``/sys/module``, ``tuned-adm active``,
``findmnt -J -T <target>`` and ``stat -f``.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

from ioledger.collect.machine import Stated, answer, heard, line, stated

if TYPE_CHECKING:
    from ioledger.collect.machine import Machine


NO_DRIVE = "not asked: no drive was found below the target"


def of(machine: Machine, disk: str | None) -> dict[str, Stated]:
    """Return every field of a software section but the tool; ``disk`` is the kernel's name of the first drive."""
    name = re.search(r'^PRETTY_NAME="?([^"\n]+)', line(machine, "etc/os-release") or "", re.MULTILINE)
    driver = _driver(machine, disk) if disk else None
    scheduler = re.search(r"\[([\w-]+)\]", line(machine, f"sys/block/{disk}/queue/scheduler") or "")
    kernel, no_kernel = heard(machine, "uname", "-r")
    plan, no_plan = _plan(machine)
    no_version = "the driver is part of the kernel and states no version of its own"
    return {
        "operating_system": stated(name and name[1].strip(), "/etc/os-release does not show it"),
        "kernel": stated(kernel, no_kernel),
        "driver_name": stated(driver, "the kernel names no driver for the drive" if disk else NO_DRIVE),
        "driver_version": stated(line(machine, f"sys/module/{driver}/version"), no_version if driver else NO_DRIVE),
        "io_scheduler": stated(scheduler and scheduler[1], "the kernel shows no scheduler" if disk else NO_DRIVE),
        "power_plan": stated(plan, no_plan),
    }


def _driver(machine: Machine, disk: str) -> str | None:
    if disk.startswith("nvme"):
        return "nvme"
    link = machine.root / "sys" / "block" / disk / "device" / "driver"
    return link.resolve().name if link.exists() else None


def _plan(machine: Machine) -> tuple[str | None, str]:
    """Return the profile of tuned, else the governor; and why there is neither."""
    text, why = heard(machine, "tuned-adm", "active")
    tuned = re.search(r"profile: (\S+)", text)
    governor = line(machine, "sys/devices/system/cpu/cpu0/cpufreq/scaling_governor")
    plan = f"tuned: {tuned[1]}" if tuned else governor and f"governor: {governor}"
    return plan, f"the kernel shows no cpufreq governor; {why}"


def filesystem(machine: Machine, target: str) -> tuple[dict[str, Stated], str | None]:
    """Return file system, allocation unit and mount options below a target, and the device that holds it."""
    answered, why = answer(machine, "findmnt", "-J", "-T", target)
    found: list[dict[str, Any]] = answered.get("filesystems", [])
    if not found:
        return {"filesystem": stated(None, why)}, None
    place = found[0]
    block, no_block = heard(machine, "stat", "-f", "-c", "%S", target)
    fields = {
        "filesystem": stated(place.get("fstype"), why),
        "allocation_unit_bytes": stated(int(block) if block.isdigit() else None, no_block),
        "mount_options": stated(place.get("options"), why),
    }
    return fields, re.sub(r"\[.*\]$", "", str(place.get("source", ""))) or None
