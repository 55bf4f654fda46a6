"""
The files of a plan: fio job files, an Iometer configuration, ORION command lines.

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

from pathlib import Path
from typing import TYPE_CHECKING

from ioledger.plan import gate_plan, steps
from ioledger.plan.profiles import MATRIX, MATRIX_SIZES, SATURATION

if TYPE_CHECKING:
    from ioledger.plan.profiles import Plan, Profile, Target

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
        return {**made, "run.sh": gate_plan.script(plan), "steps.txt": steps.gate(plan)}
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
    return gate_plan.fill(
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
    """Return test name and arguments of every run that a profile needs."""
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
