"""
A plan made: what was asked for, checked, put into files, and how long the measurement will take.

What a test would destroy is looked at first: mounted file systems, partitions, arrays and files on the target. Source:
the kernel's ``sysfs`` (``/sys/class/block/<name>/<partition>/partition``, ``holders``), ``/proc/self/mounts`` and
``/proc/swaps``. Nothing is opened or written for that.
"""

from __future__ import annotations

import stat
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from ioledger.plan import writers
from ioledger.plan.profiles import MATRIX, MATRIX_SIZES, PROFILES, SATURATION, Plan, Profile, powers
from ioledger.problems import Problem
from ioledger.system import scratch

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

WRITERS: dict[str, Callable[[Plan], dict[str, str]]] = {
    "fio": writers.fio,
    "iometer": writers.iometer,
    "orion": writers.orion,
}
ASSUMED_BYTES_PER_SECOND = 500e6
MATRIX_POINTS = 16
"""Points of one ORION run with two disks: small 1 to 10, large 1 to 4 and idle; the study measured 32 minutes."""


def problems(plan: Plan, folder: Path, machine: Machine, *, knows_it_erases: bool) -> Iterator[Problem]:
    """Give the reasons for which a plan is not written; ``folder`` is where a relative target lies."""
    if any(not text.isprintable() or text != text.strip() for text in (plan.target, plan.manager or "")):
        yield Problem("--target", "", "the name has characters that no job file can hold", "Rename it.", "R-PLAN-1")
        return
    remedy = "Use another target, or add --i-know-this-erases."
    if not knows_it_erases:
        found = dangers(folder / plan.target, machine)
        yield from (Problem("--target", "", danger, remedy, "R-PLAN-2") for danger in found)
    for profile in plan.profiles:
        if (profile.name == MATRIX and plan.tool != "orion") or (profile.name == SATURATION and plan.tool != "fio"):
            other = "orion" if profile.name == MATRIX else "fio"
            what = f"{plan.tool} cannot run {profile.name}"
            yield Problem("PROFILE", "", what, f"Plan it with --tool {other}.", "R-PLAN-3")
    if plan.tool == "iometer":
        yield from _not_for_iometer(plan)
    if (
        plan.tool == "fio"
        and plan.engine in writers.NO_DEPTH_ENGINES
        and any(max(plan.depths(p)) > 1 for p in plan.profiles)
    ):
        what = f"the engine {plan.engine} has one I/O outstanding, whatever the queue depth says"
        yield Problem("--engine", "", what, "Use an asynchronous engine, or --depths 1.", "R-PLAN-5")


def _not_for_iometer(plan: Plan) -> Iterator[Problem]:
    """Iometer cycles one list of queue depths for all profiles, by powers of two."""
    lists = {plan.depths(profile) for profile in plan.profiles if profile.depths}
    remedy = "Plan profiles of one list together, and give depths as a range such as 1-512."
    if len(lists) > 1:
        yield Problem("PROFILE", "", "the profiles have different queue depths", remedy, "R-PLAN-4")
    for depths in sorted(lists):
        if depths != powers(depths[0], depths[-1]) or any(depth & (depth - 1) for depth in depths):
            yield Problem("--depths", "", "Iometer steps by powers of two only", remedy, "R-PLAN-4")


def files(plan: Plan) -> dict[str, str]:
    """Return the content of every file of the plan by name."""
    return WRITERS[plan.tool](plan)


def write(plan: Plan, folder: Path) -> list[Problem]:
    """Write the plan's files; files of another plan are never overwritten, the same plan may be written again."""
    made = files(plan)
    if any((folder / plan.target).resolve() == (folder / name).resolve() for name in made):
        what = f"measuring would overwrite {plan.target}, which is a file of the plan"
        return [Problem("--target", "", what, "Name another file.", "R-PLAN-2")]
    taken = [name for name, text in made.items() if not _is_free(folder / name, text)]
    if taken:
        remedy = "Choose another folder with -o; results must stay beside the job files that gave them."
        return [Problem(str(folder / name), "", "another plan wrote this file", remedy, "R-PLAN-6") for name in taken]
    folder.mkdir(parents=True, exist_ok=True)
    for name, text in made.items():
        scratch.text(folder / name, text)
        if name == "run.sh":
            (folder / name).chmod(0o755)
    return []


def _is_free(path: Path, text: str) -> bool:
    """Say whether nothing stands at a path, or a file with this text."""
    return path.read_bytes() == text.encode() if path.is_file() else not path.exists()


def seconds(plan: Plan) -> int:
    """Return how long the measurement takes, without the writing that prepares the target."""
    total = 0
    for profile in plan.profiles:
        if profile.name == MATRIX:
            total += len(MATRIX_SIZES) * MATRIX_POINTS * (plan.run_seconds if plan.is_quick else writers.MATRIX_SECONDS)
        else:
            total += len(plan.depths(profile)) * (plan.seconds(profile) + plan.ramp_seconds)
    return total * plan.repetitions


def duration(plan: Plan) -> str:
    """Say in one sentence or two how long measuring takes, and what is written before it."""
    minutes, rest = divmod(seconds(plan), 60)
    measuring = f"Measuring takes {minutes // 60} h {minutes % 60:02d} min {rest:02d} s."
    if plan.tool != "fio":
        return measuring
    if plan.is_device:
        return f"{measuring} Before it the whole device is written {plan.repetitions} times."
    written = plan.size_bytes * plan.repetitions / ASSUMED_BYTES_PER_SECOND
    area = f"{plan.size_bytes / (1 << 30):.3g} GiB"
    return f"{measuring} Before it {area} is written {plan.repetitions} times, about {written:.0f} s at 500 MB/s."


def chosen(names: tuple[str, ...]) -> tuple[Profile, ...]:
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
        yield from (f"{part} is mounted at {place}" for place in _mounted(part, machine.mounts))
        if any(line.split()[0] == f"/dev/{part}" for line in _lines(machine.swaps)):
            yield f"{part} is used as swap"


def _mounted(name: str, mounts: Path) -> Iterator[str]:
    for line in _lines(mounts):
        source, place = line.split()[:2]
        if source.startswith("/dev/") and Path(source).resolve().name == name:
            yield place.replace("\\040", " ")


def _lines(path: Path) -> list[str]:
    return [line for line in path.read_text(encoding="utf-8").splitlines() if line.strip()] if path.exists() else []
