"""
The computer and the software on it: maker, processor, memory, BIOS; operating system, driver, scheduler, file system.

Which tool measured, the results tell: the one that happens to be installed need not be it.
Source: ``lscpu -J``, ``/sys/class/dmi/id``, ``/proc/meminfo`` (KiB), ``/proc/cpuinfo``, ``btime`` of ``/proc/stat``
(seconds since 1970 UTC), the cpufreq and cpuidle interfaces of ``/sys/devices/system/cpu`` (kHz),
``systemd-detect-virt``, ``/etc/os-release``, ``uname -r``, ``/sys/block/<name>`` and ``/sys/module``,
``tuned-adm active``, ``findmnt -J -T <target>``, ``stat -f``; of a disk's queue the kernel's ``block/queue-sysfs.rst``.
"""

from __future__ import annotations

import re
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any

from ioledger.collect import Stated, bench_key, no_such, read_line, run_json, run_text, state_value, state_word
from ioledger.readers import KIBI
from ioledger.submission.rows import closed_words
from ioledger.submission.shape import FIRST_YEAR, LAST_YEAR

if TYPE_CHECKING:
    from ioledger.collect import Machine

CPU = "sys/devices/system/cpu"
DMI = {"system_vendor": "sys_vendor", "system_model": "product_name", "bios_version": "bios_version"}


def computer(machine: Machine) -> dict[str, Stated]:
    """Return every field of a system as a manifest states it."""
    found, no_lscpu = run_json(machine, "lscpu", "-J")
    cpu = {entry["field"].rstrip(":"): entry["data"] for entry in found.get("lscpu", ())}
    counts = (cpu.get(name, "") for name in ("Socket(s)", "Core(s) per socket", "CPU(s)"))
    sockets, cores, threads = (int(count) if count.isdigit() else None for count in counts)
    memory = re.search(r"^MemTotal:\s*(\d+) kB$", read_line(machine, "proc/meminfo") or "", re.MULTILINE)
    virtual, no_virtual = run_text(machine, "systemd-detect-virt", "--vm")
    virtual = virtual or cpu.get("Hypervisor vendor", "").lower()
    return {
        **{field: state_value(*_dmi(machine, file)) for field, file in DMI.items()},
        "cpu_model": state_value(cpu.get("Model name"), no_lscpu),
        "cpu_socket_count": state_value(sockets, no_lscpu),
        "cpu_core_count": state_value(sockets * cores if sockets and cores else None, no_lscpu),
        "cpu_thread_count": state_value(threads, no_lscpu),
        "cpu_nominal_hertz": _nominal(machine, cpu.get("Model name", "")),
        "cpu_power_state": state_value(power_state(machine), "the kernel shows no cpufreq or cpuidle interface"),
        "cpu_microcode": state_value(_cpuinfo(machine, "microcode"), "/proc/cpuinfo does not show it"),
        "memory_bytes": state_value(int(memory[1]) * KIBI if memory else None, "/proc/meminfo does not show it"),
        "virtualisation": state_word(virtual, closed_words("systems", "virtualisation"), no_virtual),
        "bench_key": bench_key(machine),
        "booted_at": state_value(_boot_time(machine), "/proc/stat does not show it"),
    }


def _dmi(machine: Machine, file: str) -> tuple[str | None, str]:
    """Return a text that the maker put into the firmware's tables, and why there is none."""
    found = read_line(machine, f"sys/class/dmi/id/{file}")
    if found is None:
        return None, "/sys/class/dmi does not show it"
    return None if found.lower().startswith("to be filled") else found, "the vendor left it empty"


def _cpuinfo(machine: Machine, name: str) -> str | None:
    found = re.search(rf"^{name}\s*:\s*(.+)$", read_line(machine, "proc/cpuinfo") or "", re.MULTILINE)
    return found[1].strip() if found else None


def _nominal(machine: Machine, model: str) -> Stated:
    """Return the nominal frequency: the kernel's, that in the model's name, or the clock now."""
    base = read_line(machine, f"{CPU}/cpu0/cpufreq/base_frequency")
    if base and base.isdigit():
        return state_value(int(base) * 1000, "")
    named = re.search(r"@ ([\d.]+)GHz", model)
    if named:
        return state_value(round(float(named[1]) * 1e9), "", "from the name of the processor")
    clock = _cpuinfo(machine, "cpu MHz")
    return state_value(
        round(float(clock) * 1e6) if clock else None, "the kernel does not state it", "clock rate in /proc/cpuinfo"
    )


def power_state(machine: Machine) -> str | None:
    """Return governor, turbo, idle driver and SMT in words, as far as the kernel shows them."""
    turbo = {"0": "on", "1": "off"}.get(read_line(machine, f"{CPU}/intel_pstate/no_turbo") or "")
    turbo = turbo or {"1": "on", "0": "off"}.get(read_line(machine, f"{CPU}/cpufreq/boost") or "")
    idle = read_line(machine, f"{CPU}/cpuidle/current_driver")
    facts = {
        "governor": read_line(machine, f"{CPU}/cpu0/cpufreq/scaling_governor"),
        "turbo": turbo,
        "idle driver": None if idle == "none" else idle,
        "SMT": {"1": "on", "0": "off"}.get(read_line(machine, f"{CPU}/smt/active") or ""),
    }
    return ", ".join(f"{name} {value}" for name, value in facts.items() if value) or None


def _boot_time(machine: Machine) -> str | None:
    """Return when the kernel was started, to the second; None by a clock that was not set, or set wrong by decades."""
    found = re.search(r"^btime (\d{1,10})$", read_line(machine, "proc/stat") or "", re.MULTILINE)
    booted = datetime.fromtimestamp(int(found[1]), tz=UTC) if found else None
    return f"{booted:%Y-%m-%dT%H:%M:%SZ}" if booted and FIRST_YEAR < booted.year <= LAST_YEAR else None


NO_DRIVE = "not read: no drive was found below the target"


def software(machine: Machine, disk: str | None) -> dict[str, Stated]:
    """Return every field of a software section but the tool; ``disk`` is the kernel's name of the first drive."""
    release = dict(re.findall(r'^(\w+)="?([^"\n]*)', read_line(machine, "etc/os-release") or "", re.MULTILINE))
    name, number = release.get("ID", ""), release.get("VERSION_ID", "")
    number = number if name == "ubuntu" else number.partition(".")[0]  # of Ubuntu the month belongs to the version
    system, driver = f"{name} {number}".strip(), _driver(machine, disk) if disk else None
    scheduler = re.search(r"\[([\w-]+)\]", read_line(machine, f"sys/block/{disk}/queue/scheduler") or "")
    schedulers = closed_words("software", "io_scheduler")
    version = read_line(machine, f"sys/module/{driver}/version")
    part = no_such("the driver is part of the kernel and has no version of its own")
    return {
        "operating_system": state_value(system, "/etc/os-release does not show it", release.get("PRETTY_NAME")),
        "kernel": state_value(*run_text(machine, "uname", "-r")),
        "driver_name": state_value(driver, "the kernel names no driver for the drive" if disk else NO_DRIVE),
        "driver_version": part if driver and version is None else state_value(version, NO_DRIVE),
        "io_scheduler": state_word(
            scheduler and scheduler[1], schedulers, "the kernel shows no scheduler" if disk else NO_DRIVE
        ),
        "power_plan": _plan(machine),
    }


OWN_DRIVERS = re.compile(r"(nvme|loop|zram|nbd)\d")
"""How the names of disks begin whose driver has that name, and is shown nowhere else."""


def _driver(machine: Machine, disk: str) -> str | None:
    if own := OWN_DRIVERS.match(disk):
        return own[1]
    link = machine.root / "sys" / "block" / disk / "device" / "driver"
    return link.resolve().name if link.exists() else None


def _plan(machine: Machine) -> Stated:
    """Return the profile of tuned, else the governor; none where the kernel has no governor and nothing sets one."""
    text, why = run_text(machine, "tuned-adm", "active")
    tuned = re.search(r"profile: (\S+)", text)
    governor = read_line(machine, f"{CPU}/cpu0/cpufreq/scaling_governor")
    plan = f"tuned: {tuned[1]}" if tuned else governor and f"governor: {governor}"
    if plan is None and (machine.root / CPU / "cpu0").is_dir() and not (machine.root / CPU / "cpu0/cpufreq").exists():
        return no_such(f"the kernel has no cpufreq governor to choose; {why}")
    return state_value(plan, f"the kernel shows no cpufreq governor; {why}")


NO_FILES = "the device was measured without a file system"
RAW = {
    "filesystem": state_value("raw", ""),
    "allocation_unit_bytes": no_such(NO_FILES),
    "mount_options": no_such(NO_FILES),
}
"""What is stated of a device that was measured without a file system."""


def controller(disk: str) -> dict[str, Stated]:
    """Return the fields of a storage controller for a drive that has none between it and the bus; else nothing."""
    if not disk.startswith("nvme"):
        return {}
    none = no_such("the drive is attached by NVMe, to the bus itself, without a storage controller between")
    return {field: dict(none) for field in ("controller_model", "controller_firmware", "controller_cache_policy")}


def filesystem(machine: Machine, target: str) -> tuple[dict[str, Stated], str | None]:
    """Return file system, allocation unit and mount options below a target, and the device that holds it."""
    mounts, why = run_json(machine, "findmnt", "-J", "-T", target)
    found: list[dict[str, Any]] = mounts.get("filesystems", [])
    if not found:
        return {"filesystem": state_value(None, why)}, None
    place = found[0]
    options = set(filter(None, str(place.get("options") or "").casefold().split(",")))
    block, no_block = run_text(machine, "stat", "-f", "-c", "%S", target)
    fields = {
        "filesystem": state_word(place.get("fstype"), closed_words("storage", "filesystem"), why),
        "allocation_unit_bytes": state_value(int(block) if block.isdigit() else None, no_block),
        "mount_options": state_value((",".join(sorted(options - DEFAULT_OPTIONS)) or "none") if options else None, why),
    }
    return fields, re.sub(r"\[.*\]$", "", str(place.get("source", ""))) or None


DEFAULT_OPTIONS = frozenset(
    {
        *("acl", "async", "attr2", "auto", "barrier", "barrier=1", "block_validity", "casesensitive"),
        *("compress=no", "compress=none", "compression=off", "data=ordered", "defaults", "delalloc", "dev"),
        *("errors=continue", "errors=remount-ro", "exec", "inode64", "logbsize=32k", "logbufs=8", "nodiscard"),
        *("noquota", "nouser", "posixacl", "relatime", "rw", "seclabel", "space_cache=v2", "ssd", "suid"),
        *("user_xattr", "xattr"),
    }
)


QUEUE = ("nr_requests", "read_ahead_kb", "max_sectors_kb", "nomerges", "rq_affinity", "wbt_lat_usec", "io_poll")
DIRTY = ("background_bytes", "background_ratio", "bytes", "expire_centisecs", "ratio", "writeback_centisecs")
KERNEL = {
    **{f"vm.dirty_{name}": f"proc/sys/vm/dirty_{name}" for name in DIRTY},
    "kernel.numa_balancing": "proc/sys/kernel/numa_balancing",
    "NUMA nodes": "sys/devices/system/node/online",
    "pcie_aspm policy": "sys/module/pcie_aspm/parameters/policy",
    "cpuidle governor": f"{CPU}/cpuidle/current_governor",
    "nvme_core.default_ps_max_latency_us": "sys/module/nvme_core/parameters/default_ps_max_latency_us",
}
STATES = {"mitigated": "Mitigation", "open": "Vulnerable"}
CHOSEN = re.compile(r"\[([\w-]+)\]")


def queue_settings(machine: Machine, disk: str) -> dict[str, Stated]:
    """Return the settings of a disk's queue that the kernel shows."""
    return _read_settings(machine, {name: f"sys/block/{disk}/queue/{name}" for name in QUEUE})


def kernel_settings(machine: Machine) -> dict[str, Stated]:
    """Return the kernel's settings that change I/O, and which weaknesses of the processor it works around."""
    place = machine.root / CPU / "vulnerabilities"
    words = {path.name: read_line(machine, f"{CPU}/vulnerabilities/{path.name}") or "" for path in place.glob("*")}
    names = {state: [name for name in sorted(words) if words[name].startswith(STATES[state])] for state in STATES}
    text = "; ".join(f"{state}: {', '.join(found)}" for state, found in names.items() if found)
    return _read_settings(machine, KERNEL) | ({"mitigations": state_value(text, "")} if text else {})


def _read_settings(machine: Machine, paths: dict[str, str]) -> dict[str, Stated]:
    found = {name: read_line(machine, path) for name, path in sorted(paths.items())}
    of_all = {name: CHOSEN.search(text or "") for name, text in found.items()}  # "[performance] powersave"
    return {name: state_value(word[1] if (word := of_all[name]) else text, "") for name, text in found.items() if text}
