"""
What of a host bears on its storage and has no column of its own: settings of the kernel, of the queue, of power.

They go into a manifest's ``settings``, one name a value as the kernel calls it, and become rows of the table of that
name. Only what the kernel shows is stated: of a setting that is not there nothing is said.

Source: the kernel's ``Documentation/admin-guide/sysctl/vm.rst`` (when dirty pages are written),
``block/queue-sysfs.rst`` (the queue of a disk),
``admin-guide/hw-vuln`` (mitigations), ``admin-guide/mm/numaperf.rst``, ``power/pci.rst``;
``nvme get-feature`` 2 (power state; NVMe base specification 2.0, 5.27.1.2). MLPerf Storage asks for the same kinds.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from ioledger.collect.machine import Stated, heard, line, stated

if TYPE_CHECKING:
    from ioledger.collect.machine import Machine

Settings = dict[str, dict[str, Stated]]
DIRTY = (
    "dirty_background_bytes", "dirty_background_ratio", "dirty_bytes", "dirty_expire_centisecs", "dirty_ratio",
    "dirty_writeback_centisecs",
)  # fmt: skip
KERNEL = {
    **{f"vm.{name}": f"proc/sys/vm/{name}" for name in DIRTY},
    "kernel.numa_balancing": "proc/sys/kernel/numa_balancing",
    "NUMA nodes": "sys/devices/system/node/online",
    "pcie_aspm policy": "sys/module/pcie_aspm/parameters/policy",
    "cpuidle governor": "sys/devices/system/cpu/cpuidle/current_governor",
    "nvme_core.default_ps_max_latency_us": "sys/module/nvme_core/parameters/default_ps_max_latency_us",
}
QUEUE = ("nr_requests", "read_ahead_kb", "max_sectors_kb", "nomerges", "rq_affinity", "wbt_lat_usec", "io_poll")
VULNERABILITIES = "sys/devices/system/cpu/vulnerabilities"
CHOSEN = re.compile(r"\[([\w-]+)\]")
SHA256 = re.compile(r"[0-9a-f]{64}")
STATE = re.compile(r"Current value\s*:\s*(?:0x)?0*([0-9a-fA-F]+)")


def of_host(machine: Machine) -> Settings:
    """Return the settings of the kernel that a manifest states of a computer."""
    found = {name: _chosen(line(machine, path)) for name, path in KERNEL.items()}
    found["mitigations"] = mitigations(machine)
    return _known({"os": found})


def of_disk(machine: Machine, disk: str) -> Settings:
    """Return the settings of a disk's queue and of its power that a manifest states of a configuration."""
    queue = {name: line(machine, f"sys/block/{disk}/queue/{name}") for name in QUEUE}
    told, _ = heard(machine, "nvme", "get-feature", "-f", "2", f"/dev/{disk}") if disk.startswith("nvme") else ("", "")
    state = STATE.search(told)
    power = {
        "power state": f"PS{int(state[1], 16) & 0x1F}" if state else None,
        "runtime power management": line(machine, f"sys/block/{disk}/device/power/control"),
    }
    return _known({"driver": queue, "drive": power})


def of_tool(machine: Machine, version: object) -> Stated | None:
    """Return the SHA-256 of the fio that is installed, where it is of the version that measured; else nothing."""
    told, _ = heard(machine, "fio", "--version")
    if not told or told != version:
        return None
    path, _ = heard(machine, "which", "fio")
    found = SHA256.match(heard(machine, "sha256sum", path)[0]) if path else None
    return stated(found[0], "", f"of {version} as it is installed") if found else None


def mitigations(machine: Machine) -> str | None:
    """Return which weaknesses of the processor the kernel works around, and to which it is open, in one line."""
    folder = machine.root / VULNERABILITIES
    states: dict[str, list[str]] = {}
    for path in sorted(folder.iterdir()) if folder.is_dir() else ():
        word = (line(machine, f"{VULNERABILITIES}/{path.name}") or "").partition(":")[0].partition(";")[0].casefold()
        if word in {"mitigation", "vulnerable"}:
            states.setdefault({"mitigation": "mitigated", "vulnerable": "open"}[word], []).append(path.name)
    return "; ".join(f"{state}: {', '.join(names)}" for state, names in sorted(states.items())) or None


def _chosen(text: str | None) -> str | None:
    """Return the word in brackets where a file lists all that could be chosen."""
    found = CHOSEN.search(text or "")
    return found[1] if found else text


def _known(scopes: dict[str, dict[str, str | None]]) -> Settings:
    stating = {
        scope: {name: stated(value, "") for name, value in sorted(named.items()) if value}
        for scope, named in scopes.items()
    }
    return {scope: named for scope, named in stating.items() if named}
