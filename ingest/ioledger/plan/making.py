"""A plan made: what was asked for, checked, put into files, and how long the measurement will take."""

from __future__ import annotations

from typing import TYPE_CHECKING

import msgspec

from ioledger.plan import fio, iometer, orion, target
from ioledger.plan.profiles import MATRIX, MATRIX_SIZES, PROFILES, SATURATION, Profile, powers
from ioledger.problems import Problem
from ioledger.system import scratch

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

WRITERS: dict[str, Callable[[Plan], dict[str, str]]] = {
    "fio": fio.files,
    "iometer": iometer.files,
    "orion": orion.files,
}
SATURATION_SECONDS = 6 * 3600
QUICK_SATURATION_SECONDS = 60
ASSUMED_BYTES_PER_SECOND = 500e6
MATRIX_POINTS = 16
"""Points of one ORION run with two disks: small 1 to 10, large 1 to 4 and idle; the study measured 32 minutes."""


class Plan(msgspec.Struct, frozen=True, kw_only=True):
    """
    What is to be measured, with which tool, where, and for how long.

    ``size_bytes`` is the area of a file target; ``wanted_depths`` takes the place of a profile's own queue depths.
    """

    tool: str
    profiles: tuple[Profile, ...]
    target: str
    is_device: bool
    size_bytes: int
    run_seconds: int
    ramp_seconds: int
    repetitions: int
    is_quick: bool = False
    wanted_depths: tuple[int, ...] | None = None
    engine: str = "libaio"
    manager: str | None = None

    def depths(self, profile: Profile) -> tuple[int, ...]:
        """Return the queue depths at which a profile is measured."""
        if profile.name == SATURATION:
            return profile.depths
        return self.wanted_depths or profile.depths

    def seconds(self, profile: Profile) -> int:
        """Return how long one point of a profile is measured."""
        if profile.name == SATURATION:
            return QUICK_SATURATION_SECONDS if self.is_quick else SATURATION_SECONDS
        return self.run_seconds


def problems(plan: Plan, folder: Path, machine: target.Machine, *, knows_it_erases: bool) -> Iterator[Problem]:
    """Give the reasons for which a plan is not written; ``folder`` is where a relative target lies."""
    if any(not text.isprintable() or text != text.strip() for text in (plan.target, plan.manager or "")):
        yield Problem("--target", "", "the name has characters that no job file can hold", "Rename it.", "R-PLAN-1")
        return
    remedy = "Use another target, or add --i-know-this-erases."
    if not knows_it_erases:
        dangers = target.dangers(folder / plan.target, machine)
        yield from (Problem("--target", "", danger, remedy, "R-PLAN-2") for danger in dangers)
    for profile in plan.profiles:
        if (profile.name == MATRIX and plan.tool != "orion") or (profile.name == SATURATION and plan.tool != "fio"):
            other = "orion" if profile.name == MATRIX else "fio"
            what = f"{plan.tool} cannot run {profile.name}"
            yield Problem("PROFILE", "", what, f"Plan it with --tool {other}.", "R-PLAN-3")
    if plan.tool == "iometer":
        yield from _not_for_iometer(plan)
    if (
        plan.tool == "fio"
        and plan.engine in fio.NO_DEPTH_ENGINES
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
            total += len(MATRIX_SIZES) * MATRIX_POINTS * (plan.run_seconds if plan.is_quick else orion.MATRIX_SECONDS)
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
