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
from ioledger.plan.profiles import MATRIX, SATURATION, Plan, Target, powers
from ioledger.problems import Problem
from ioledger.system import write_text

if TYPE_CHECKING:
    from collections.abc import Iterator

SECTOR_BYTES = 512
"""The unit of ``/sys/class/block/<name>/size``, whatever the device's own sectors are."""
FILE_BYTES, QUICK_FILE_BYTES = 32 << 30, 64 << 20

CUT_BY_FIO = frozenset(";#$")
"""Characters at which fio ends the name of a file in a job file, or puts a variable in: it would write another one."""


def targets(
    names: tuple[str, ...], folder: Path, machine: Machine, *, size_bytes: int | None = None, is_quick: bool = False
) -> tuple[Target, ...]:
    """Return what the names mean, with the area in bytes; of several targets each gets a folder, by number and name."""
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
    places = [(folder / name).resolve() for name in names]
    for option, what, remedy in (*_check_tool(plan, places), *_check_depths(plan), *_check_processes(plan)):
        yield Problem(option, "", what, remedy, "R-PLAN-3")


def _check_tool(plan: Plan, places: list[Path]) -> Iterator[tuple[str, str, str]]:
    """Give what a tool cannot run: the option, what is wrong, and the remedy."""
    is_fio = plan.tool == "fio"
    if len(places) > 1 and not is_fio:  # only fio is run by a script that changes the order
        remedy = "Plan each in a folder of its own with -o, and start them in turn."
        yield "--target", f"several targets take turns with fio only, not {plan.tool}", remedy
    elif len(set(places)) < len(places):
        yield "--target", "a target is named twice", "Name each once."
    for profile in plan.profiles:
        is_of_fio = profile.name == SATURATION or profile.is_synchronous
        if (profile.name == MATRIX and plan.tool != "orion") or (is_of_fio and not is_fio):
            other = "orion" if profile.name == MATRIX else "fio"
            yield "PROFILE", f"{plan.tool} cannot run {profile.name}", f"Plan it with --tool {other}."


def _check_depths(plan: Plan) -> Iterator[tuple[str, str, str]]:
    """Iometer cycles one list of queue depths for all profiles, by powers of two; some engines of fio have no depth."""
    lists = {plan.depths(profile) for profile in plan.profiles if profile.depths and not profile.is_synchronous}
    if plan.tool == "fio" and plan.engine in writers.NO_DEPTH_ENGINES and any(max(depths) > 1 for depths in lists):
        what = f"the engine {plan.engine} has one I/O outstanding at every queue depth"
        yield "--engine", what, "Use an asynchronous engine, or --depths 1."
    if plan.tool != "iometer":
        return
    lists = {plan.depths(profile) for profile in plan.profiles if profile.depths}
    remedy = "Plan profiles of one list together, and give depths as a range such as 1-512."
    if len(lists) > 1:
        yield "PROFILE", "the profiles have different queue depths", remedy
    for depths in sorted(lists):
        if depths != powers(depths[0], depths[-1]) or any(depth & (depth - 1) for depth in depths):
            yield "--depths", "Iometer steps by powers of two only", remedy


def _check_processes(plan: Plan) -> Iterator[tuple[str, str, str]]:
    """Give what processes cannot share: a sequential load, a log, a queue depth that is no multiple."""
    if plan.process_count > 1 and plan.tool != "fio":
        yield "--processes", f"{plan.tool} runs one process", "Plan it with --tool fio."
    for profile in plan.profiles if plan.process_count > 1 else ():
        odd = [depth for depth in plan.depths(profile) if depth % min(depth, plan.process_count)]
        if not profile.is_random:
            what = f"{profile.name} would be {plan.process_count} streams, which is another workload"
            yield "--processes", what, "Plan it with one process."
        elif profile.name == SATURATION:
            yield "--processes", f"{profile.name} logs one process", "Plan it with one process."
        elif odd:
            what = f"{plan.process_count} processes cannot share the queue depth {odd[0]} evenly"
            yield "--processes", what, "Use powers of two for both."


def files(plan: Plan) -> dict[str, str]:
    """Return the content of every file of the plan by name."""
    return {"fio": writers.fio, "iometer": writers.iometer, "orion": writers.orion}[plan.tool](plan)


def write(plan: Plan, folder: Path) -> list[Problem]:
    """Write the plan's files; files of another plan are never overwritten, the same plan may be written again."""
    made = files(plan)
    for target in plan.targets:
        if any((folder / target.name).resolve() == (folder / name).resolve() for name in made):
            what = f"measuring would overwrite {target.name}, which is a file of the plan"
            return [Problem("--target", "", what, "Name another file.", "R-PLAN-2")]
    written = {name: (folder / name).read_bytes() for name in made if (folder / name).is_file()}
    taken = [name for name, text in made.items() if written.get(name, text.encode()) != text.encode()]
    taken += [name for name in made if name not in written and (folder / name).exists()]
    if taken:
        remedy = "Choose another folder with -o; results must stay in the folder of their job files."
        return [Problem(str(folder / name), "", "another plan wrote this file", remedy, "R-PLAN-6") for name in taken]
    folder.mkdir(parents=True, exist_ok=True)
    for name, text in made.items():
        (folder / name).parent.mkdir(exist_ok=True)
        write_text(folder / name, text)
        if name == "run.sh":
            (folder / name).chmod(0o755)
    return []


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
    if parts := sorted(path.parent.name for path in folder.glob("*/partition")):
        yield f"{name} has the partitions {', '.join(parts)}"
    if holders := sorted(path.name for path in (folder / "holders").glob("*")):
        yield f"{name} is part of {', '.join(holders)}"
    mounts = [line.split()[:2] for line in _read_lines(machine.mounts) if line.startswith("/dev/")]
    for part in (name, *parts):
        places = (place.replace("\\040", " ") for source, place in mounts if Path(source).resolve().name == part)
        yield from (f"{part} is mounted at {place}" for place in places)
        if any(line.split()[0] == f"/dev/{part}" for line in _read_lines(machine.swaps)):
            yield f"{part} is used as swap"


def _read_lines(path: Path) -> list[str]:
    return [line for line in path.read_text(encoding="utf-8").splitlines() if line.strip()] if path.exists() else []
