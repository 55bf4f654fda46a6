"""
A plan made: what was asked for, checked, and put into fio job files, an Iometer configuration or ORION command lines.

What a test would destroy is looked at first: mounted file systems, partitions, arrays and files on the target. Source:
the kernel's ``sysfs`` (``/sys/class/block/<name>/<partition>/partition``, ``holders``), ``/proc/self/mounts`` and
``/proc/swaps``. Nothing is opened or written for that.

fio: one job file per load profile and target, with a job for each queue depth. Source: fio's HOWTO. ``filename``
separates several files by a colon, so a colon is escaped; ``ramp_time`` does not count. ``size`` states the area in
bytes, of a device too: whoever compares writes must know it. ``refill_buffers`` would cost more processor time than the
I/O itself: with it 38 of 150 runs of a virtual disk measured fio. ``scramble_buffers`` changes a few bytes of each 512
before a write, so that a drive that looks for equal blocks finds none. Both are stated with a value, because fio before
3.39 leaves bare flags out of its report.

The order of runs: each repetition is a sweep over all profiles, because runs that follow each other share what changes
slowly. Two targets take turns, and each second repetition begins with the last: a drift favours neither.

Iometer 1.1.0: an ``.icf`` whose keys start with an apostrophe and whose values follow on lines that start with a tab.
One access specification per profile, assigned to every worker; the queue depth is cycled by powers of two. Source:
files written by Iometer, its ``AccessSpecList.cpp``, ``PageSetup.cpp``, ``ManagerList.cpp``.

ORION: ``<testname>.lun``, one target per line. ``-matrix point`` measures one load; ``-cache_size 0`` leaves out the
warm-up. Source: ORION's own ``-help`` (10.2 and 11.1) and the commands that a study of the S3700 printed.
"""

from __future__ import annotations

import re
import stat
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from ioledger.plan import MATRIX, MATRIX_SIZES, SATURATION, Plan, Target, powers, steps
from ioledger.problems import Problem
from ioledger.system import write_text

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ioledger.plan import Profile

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
    return int(text) * steps.SECTOR_BYTES


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
    if plan.tool == "fio" and plan.engine in NO_DEPTH_ENGINES and any(max(depths) > 1 for depths in lists):
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
    return {"fio": fio, "iometer": iometer, "orion": orion}[plan.tool](plan)


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


NO_DEPTH_ENGINES = ("sync", "psync", "vsync", "pvsync", "pvsync2")
WRITTEN = ("refill_buffers=0", "scramble_buffers=1")
"""Random bytes, filled in once and changed a little before every write."""
ROUND_MILLISECONDS = 60_000
"""Length of a round of the SNIA test specification."""


def fio(plan: Plan) -> dict[str, str]:
    """Return every file of the plan by name: for each target the preparation and a job file per profile; the script."""
    made = {}
    for target in plan.targets:
        made[target.file("preparation.fio")] = _write_preparation(plan, target)
        made |= {target.file(f"{profile.name}.fio"): _write_job(profile, plan, target) for profile in plan.profiles}
    if plan.sides is not None:
        return {**made, "run.sh": steps.script(plan), "steps.txt": steps.gate(plan)}
    return {**made, "run.sh": _write_script(plan), "steps.txt": steps.fio(plan)}


def _list_global_options(engine: str, target: Target) -> list[str]:
    size = [f"size={target.size_bytes}"] if target.size_bytes else []
    return ["filename=" + target.name.replace("\\", "\\\\").replace(":", "\\:"), *size, f"ioengine={engine}"]


def _write_preparation(plan: Plan, target: Target) -> str:
    """Write everything once; twice with 128 KiB before a write saturation, as the SNIA specification asks."""
    twice = plan.writes_twice
    lines = [
        "; Writes every block before any measurement" + (", twice" if twice else "") + ".",
        "[preparation]",
        *_list_global_options(plan.engine, target),
        "rw=write",
        "bs=128k" if twice else "bs=1m",
        *(["loops=2"] if twice else []),
        "iodepth=16",
        "direct=1",
        *WRITTEN,
        "end_fsync=1",
    ]
    return "\n".join(lines) + "\n"


def _write_job(profile: Profile, plan: Plan, target: Target) -> str:
    kinds = {0: "write", 100: "read"}
    kind = "rand" * profile.is_random + kinds.get(profile.read_percent, "rw")
    engine = "psync" if profile.is_synchronous else plan.engine
    lines = [
        f"; {profile.title}.",
        "[global]",
        *_list_global_options(engine, target),
        "direct=1",
        *(["fdatasync=1"] if profile.is_synchronous else []),
        f"rw={kind}",
        *([f"rwmixread={profile.read_percent}"] if profile.is_mixed else []),
        f"bs={profile.block_size_bytes}",
        *(["numjobs=1"] if plan.process_count == 1 and not profile.is_synchronous else ["group_reporting=1"]),
        *WRITTEN,
        "randrepeat=1",
        f"ramp_time={plan.ramp_seconds}",
        f"runtime={plan.seconds(profile)}",
        "time_based",
        "stonewall",
    ]
    if profile.name == SATURATION:
        lines += [f"write_iops_log={profile.name}", f"log_avg_msec={1000 if plan.is_quick else ROUND_MILLISECONDS}"]
    for depth in plan.depths(profile):
        processes = depth if profile.is_synchronous else min(plan.process_count, depth)
        shared = [f"numjobs={processes}"] if plan.process_count > 1 or profile.is_synchronous else []
        lines += ["", f"[qd{depth:03d}]", *shared, f"iodepth={depth // processes}"]
    return "\n".join(lines) + "\n"


def _write_script(plan: Plan) -> str:
    folders = [target.folder for target in plan.targets]
    is_alone = len(folders) == 1
    commands = []
    for name in ("preparation", *(profile.name for profile in plan.profiles)):
        path = name if is_alone else f"$target/{name}"
        job = f"{path}.fio" if is_alone else f'"{path}.fio"'
        commands.append(f'fio --output-format=json+ --output="{path}.$repetition.json" {job}')
        if name == SATURATION:  # fio writes the log of every run under the same name
            commands.append(f'mv {name}_iops.1.log "{path}.${{repetition}}_iops.1.log"')
    if not is_alone:
        commands = [
            f'order="{" ".join(folders)}"',
            f'if [ $((repetition % 2)) -eq 0 ]; then order="{" ".join(reversed(folders))}"; fi',
            "for target in $order; do",
            *("  " + command for command in commands),
            "done",
        ]
    return steps.fill(
        "run.sh",
        EACH="the target" if is_alone else "each target",
        TURNS="" if is_alone else " The targets take turns, in reverse order every second time.",
        EARLIER=" ".join(target.file("preparation.*.json") for target in plan.targets),
        REPETITIONS=str(plan.repetitions),
        PAUSE=f'  if [ "$repetition" -gt 1 ]; then sleep {plan.pause_seconds}; fi\n' if plan.pause_seconds else "",
        COMMANDS="\n".join(f"  {command}" for command in commands),
    )


TEMPLATES = Path(__file__).parent
SPECIFICATION = """'Access specification name,default assignment
\t{name},ALL
'size,% of size,% reads,% random,delay,burst,align,reply
\t{block},100,{reads},{random},0,1,{align},0"""


def iometer(plan: Plan) -> dict[str, str]:
    """Return the configuration, and what to do with it; without a manager the target is picked in Iometer's window."""
    depths, names = plan.depths(plan.profiles[0]), [profile.name for profile in plan.profiles]
    hours, rest = divmod(plan.run_seconds, 3600)
    specifications = [
        SPECIFICATION.format(
            name=profile.name, block=profile.block_size_bytes, reads=profile.read_percent,
            random=100 * profile.is_random, align=min(profile.block_size_bytes, 4096),
        )
        for profile in plan.profiles
    ]  # fmt: skip
    managers, target = "", plan.targets[0]
    if plan.manager is not None:
        managers = "\n" + (TEMPLATES / "iometer_manager.icf").read_text(encoding="utf-8").rstrip("\n").format(
            manager=plan.manager, low=depths[0], sectors=target.size_bytes // steps.SECTOR_BYTES,
            names="\n".join(f"\t{name}" for name in names), target=target.name,
        )  # fmt: skip
    text = (TEMPLATES / "iometer.icf").read_text(encoding="utf-8").format(
        names=" ".join(names), hours=hours, minutes=rest // 60, seconds=rest % 60, ramp=plan.ramp_seconds,
        low=depths[0], high=depths[-1], specifications="\n".join(specifications), managers=managers,
    )  # fmt: skip
    return {"iometer.icf": text, "steps.txt": steps.iometer(plan)}


MATRIX_DISKS = 2


def orion(plan: Plan) -> dict[str, str]:
    """Return the script with every command, one ``.lun`` file per test name, and what to do with them."""
    tests = [test for profile in plan.profiles for test in _list_tests(profile, plan)]
    lines = [
        "#!/bin/sh",
        "# Runs every test; each repetition writes into a folder of its own.",
        "set -eu",
        'cd "$(dirname "$0")"',
        f"for repetition in {' '.join(str(number + 1) for number in range(plan.repetitions))}; do",
        '  mkdir -p "$repetition"',
        '  cp ./*.lun "$repetition"',
        *(f'  (cd "$repetition" && orion {arguments})' for _, arguments in tests),
        "done",
    ]
    targets = {f"{name}.lun": plan.targets[0].name + "\n" for name, _ in tests}
    return {"run.sh": "\n".join(lines) + "\n", **targets, "steps.txt": steps.orion(plan)}


def _list_tests(profile: Profile, plan: Plan) -> list[tuple[str, str]]:
    write = 100 - profile.read_percent
    if profile.name == MATRIX:
        seconds = plan.run_seconds if plan.is_quick else steps.MATRIX_SECONDS
        common = f"-write {write} -num_disks {MATRIX_DISKS} -duration {seconds}"
        return [
            (f"{MATRIX}-{size}k", f"-run advanced -testname {MATRIX}-{size}k {common} -size_small {size}")
            for size in MATRIX_SIZES
        ]
    block = profile.block_size_bytes // 1024
    made = []
    for depth in plan.depths(profile):
        name = f"{profile.name}-d{depth:03d}"
        load = (
            f"-type rand -size_small {block} -num_small {depth} -num_large 0"
            if profile.is_random
            else f"-type seq -size_large {block} -num_large 1 -num_streamIO {depth} -num_small 0"
        )
        common = f"-num_disks 1 -write {write} -duration {plan.run_seconds} -cache_size 0 -matrix point"
        made.append((name, f"-run advanced -testname {name} {common} {load}"))
    return made
