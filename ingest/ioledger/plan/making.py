"""
A plan made: what was asked for, checked, and put into files.

What a test would destroy is looked at first: mounted file systems, partitions, arrays and files on the target. Source:
the kernel's ``sysfs`` (``/sys/class/block/<name>/<partition>/partition``, ``holders``), ``/proc/self/mounts`` and
``/proc/swaps``. Nothing is opened or written for that.
"""

from __future__ import annotations

import re
import stat
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from ioledger.plan import writers
from ioledger.plan.profiles import MATRIX, PROFILES, SATURATION, Plan, Profile, Target, powers
from ioledger.problems import Problem
from ioledger.system import scratch

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

WRITERS: dict[str, Callable[[Plan], dict[str, str]]] = {
    "fio": writers.fio,
    "iometer": writers.iometer,
    "orion": writers.orion,
}
SECTOR_BYTES = 512
"""The unit of ``/sys/class/block/<name>/size``, whatever the device's own sectors are."""
FILE_BYTES, QUICK_FILE_BYTES = 32 << 30, 64 << 20

CUT_BY_FIO = frozenset(";#$")
"""Characters at which fio ends the name of a file in a job file, or puts a variable in: it would write another one."""


def targets(
    names: tuple[str, ...], folder: Path, machine: Machine, *, size_bytes: int | None = None, is_quick: bool = False
) -> tuple[Target, ...]:
    """
    Return what the names mean, with the area stated in bytes: the one given, the device's capacity, or that of a file.

    Several targets get a folder each, by number and the last part of the name.
    """
    found = []
    for number, name in enumerate(names, 1):
        whole = is_device(folder / name)
        usual = QUICK_FILE_BYTES if is_quick else FILE_BYTES
        area = size_bytes or (capacity_bytes((folder / name).resolve().name, machine) if whole else usual)
        short = re.sub(r"[^A-Za-z0-9]+", "-", Path(name).stem).strip("-").lower()
        found.append(Target(name, area, whole, f"{number}-{short}".rstrip("-") if len(names) > 1 else ""))
    return tuple(found)


def capacity_bytes(name: str, machine: Machine) -> int:
    """Return the capacity of the block device with this kernel name, or 0 where the kernel does not show it."""
    (text, *_) = [*_read_lines(machine.block / name / "size"), "0"]
    return int(text) * SECTOR_BYTES


def problems(plan: Plan, folder: Path, machine: Machine, *, knows_it_erases: bool) -> Iterator[Problem]:
    """Give the reasons for which a plan is not written; ``folder`` is where a relative target lies."""
    names = [target.name for target in plan.targets]
    is_cut = plan.tool == "fio" and any(CUT_BY_FIO & set(name) for name in names)
    is_odd = any(not text.isprintable() or text != text.strip() for text in (*names, plan.manager or ""))
    if not all(names):
        yield Problem("--target", "", "the name is empty", "Name a file or a device.", "R-PLAN-1")
        return
    if is_odd or is_cut:
        yield Problem("--target", "", "the name has characters that job files cannot contain", "Rename it.", "R-PLAN-1")
        return
    remedy = "Use another target, or add --i-know-this-erases."
    if not knows_it_erases:
        found = (danger for name in names for danger in dangers(folder / name, machine))
        yield from (Problem("--target", "", danger, remedy, "R-PLAN-2") for danger in found)
    yield from _check_turns(plan, [(folder / name).resolve() for name in names])
    for profile in plan.profiles:
        is_of_fio = profile.name == SATURATION or profile.is_synchronous
        if (profile.name == MATRIX and plan.tool != "orion") or (is_of_fio and plan.tool != "fio"):
            other = "orion" if profile.name == MATRIX else "fio"
            what = f"{plan.tool} cannot run {profile.name}"
            yield Problem("PROFILE", "", what, f"Plan it with --tool {other}.", "R-PLAN-3")
    if plan.tool == "iometer":
        yield from _check_iometer(plan)
    if (
        plan.tool == "fio"
        and plan.engine in writers.NO_DEPTH_ENGINES
        and any(max(plan.depths(p)) > 1 for p in plan.profiles if not p.is_synchronous)
    ):
        what = f"the engine {plan.engine} has one I/O outstanding at every queue depth"
        yield Problem("--engine", "", what, "Use an asynchronous engine, or --depths 1.", "R-PLAN-3")
    if plan.process_count > 1:
        yield from _check_processes(plan)


def _check_turns(plan: Plan, places: list[Path]) -> Iterator[Problem]:
    """Only fio is run by a script that changes the order; a file or device is one target, however it is named."""
    if len(places) > 1 and plan.tool != "fio":
        remedy = "Plan each in a folder of its own with -o, and start them in turn."
        yield Problem("--target", "", f"several targets take turns with fio only, not {plan.tool}", remedy, "R-PLAN-3")
    elif len(set(places)) < len(places):
        yield Problem("--target", "", "a target is named twice", "Name each once.", "R-PLAN-3")


def _check_processes(plan: Plan) -> Iterator[Problem]:
    """Give what processes cannot share: a sequential load, a log, a queue depth that is no multiple."""
    if plan.tool != "fio":
        yield Problem("--processes", "", f"{plan.tool} runs one process", "Plan it with --tool fio.", "R-PLAN-3")
    for profile in plan.profiles:
        odd = [depth for depth in plan.depths(profile) if depth % min(depth, plan.process_count)]
        remedy = "Plan it with one process."
        if not profile.is_random:
            what = f"{profile.name} would be {plan.process_count} streams, which is another workload"
            yield Problem("--processes", "", what, remedy, "R-PLAN-3")
        elif profile.name == SATURATION:
            yield Problem("--processes", "", f"{profile.name} logs one process", remedy, "R-PLAN-3")
        elif odd:
            what = f"{plan.process_count} processes cannot share the queue depth {odd[0]} evenly"
            yield Problem("--processes", "", what, "Use powers of two for both.", "R-PLAN-3")


def _check_iometer(plan: Plan) -> Iterator[Problem]:
    """Iometer cycles one list of queue depths for all profiles, by powers of two."""
    lists = {plan.depths(profile) for profile in plan.profiles if profile.depths}
    remedy = "Plan profiles of one list together, and give depths as a range such as 1-512."
    if len(lists) > 1:
        yield Problem("PROFILE", "", "the profiles have different queue depths", remedy, "R-PLAN-3")
    for depths in sorted(lists):
        if depths != powers(depths[0], depths[-1]) or any(depth & (depth - 1) for depth in depths):
            yield Problem("--depths", "", "Iometer steps by powers of two only", remedy, "R-PLAN-3")


def files(plan: Plan) -> dict[str, str]:
    """Return the content of every file of the plan by name."""
    return WRITERS[plan.tool](plan)


def write(plan: Plan, folder: Path) -> list[Problem]:
    """Write the plan's files; files of another plan are never overwritten, the same plan may be written again."""
    made = files(plan)
    for target in plan.targets:
        if any((folder / target.name).resolve() == (folder / name).resolve() for name in made):
            what = f"measuring would overwrite {target.name}, which is a file of the plan"
            return [Problem("--target", "", what, "Name another file.", "R-PLAN-2")]
    taken = [name for name, text in made.items() if not _is_free(folder / name, text)]
    if taken:
        remedy = "Choose another folder with -o; results must stay in the folder of their job files."
        return [Problem(str(folder / name), "", "another plan wrote this file", remedy, "R-PLAN-6") for name in taken]
    folder.mkdir(parents=True, exist_ok=True)
    for name, text in made.items():
        (folder / name).parent.mkdir(exist_ok=True)
        scratch.text(folder / name, text)
        if name == "run.sh":
            (folder / name).chmod(0o755)
    return []


def _is_free(path: Path, text: str) -> bool:
    """Say whether nothing stands at a path, or a file with this text."""
    return path.read_bytes() == text.encode() if path.is_file() else not path.exists()


def choose_profiles(names: tuple[str, ...]) -> tuple[Profile, ...]:
    """Return the profiles of these names, in the order given; raises KeyError for a name that is not planned."""
    return tuple(PROFILES[name] for name in names)


class Machine(NamedTuple):
    """Where this machine says what it has; tests give folders of their own."""

    block: Path = Path("/sys/class/block")
    mounts: Path = Path("/proc/self/mounts")
    swaps: Path = Path("/proc/swaps")


def is_device(target: Path) -> bool:
    """Say whether the target is a block device."""
    return target.exists() and stat.S_ISBLK(target.stat().st_mode)


def dangers(target: Path, machine: Machine) -> Iterator[str]:
    """Give, one sentence each, what writing to the target would destroy; nothing for a new file."""
    if target.is_dir():
        yield f"{target} is a folder of a mounted file system; name a file in it"
    elif is_device(target):
        yield from dangers_of_block(target.resolve().name, machine)
    elif target.exists():
        yield f"the file {target} exists and would be overwritten"


def dangers_of_block(name: str, machine: Machine) -> Iterator[str]:
    """Give what stands on the block device with this kernel name: partitions, users, mounted file systems, swap."""
    folder = machine.block / name
    parts = sorted(path.parent.name for path in folder.glob("*/partition"))
    if parts:
        yield f"{name} has the partitions {', '.join(parts)}"
    holders = sorted(path.name for path in (folder / "holders").glob("*"))
    if holders:
        yield f"{name} is part of {', '.join(holders)}"
    for part in (name, *parts):
        yield from (f"{part} is mounted at {place}" for place in _mount_points(part, machine.mounts))
        if any(line.split()[0] == f"/dev/{part}" for line in _read_lines(machine.swaps)):
            yield f"{part} is used as swap"


def _mount_points(name: str, mounts: Path) -> Iterator[str]:
    for line in _read_lines(mounts):
        source, place = line.split()[:2]
        if source.startswith("/dev/") and Path(source).resolve().name == name:
            yield place.replace("\\040", " ")


def _read_lines(path: Path) -> list[str]:
    return [line for line in path.read_text(encoding="utf-8").splitlines() if line.strip()] if path.exists() else []
