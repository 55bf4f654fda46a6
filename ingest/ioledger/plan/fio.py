"""
fio job files, one per load profile, with a job for each queue depth.

Source: fio's HOWTO. ``filename`` separates several files by a colon, so a colon is escaped; ``ramp_time`` does not
count. fio fills each buffer with random bytes when a job starts. ``refill_buffers`` would do so before every write and
cost more processor time than the I/O itself; ``scramble_buffers`` changes a few bytes of each 512 before a write, so
that a drive that looks for equal blocks finds none. Both are stated with a value, because fio before 3.39 leaves bare
flags out of its report.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from ioledger.plan.profiles import SATURATION

if TYPE_CHECKING:
    from ioledger.plan.making import Plan
    from ioledger.plan.profiles import Profile

NO_DEPTH_ENGINES = ("sync", "psync", "vsync", "pvsync", "pvsync2")
WRITTEN = ("refill_buffers=0", "scramble_buffers=1")
"""Random bytes, filled in once and changed a little before every write."""
ROUND_MILLISECONDS = 60_000
"""Length of a round of the SNIA test specification."""


def files(plan: Plan) -> dict[str, str]:
    """Return every file of the plan by name: one job file per profile, the preparation, and the script."""
    made = {"preparation.fio": _preparation(plan)}
    made |= {f"{profile.name}.fio": _job(profile, plan) for profile in plan.profiles}
    return {**made, "run.sh": _script(plan)}


def _global(plan: Plan) -> list[str]:
    size = [] if plan.is_device else [f"size={plan.size_bytes}"]
    return ["filename=" + plan.target.replace("\\", "\\\\").replace(":", "\\:"), *size, f"ioengine={plan.engine}"]


def _preparation(plan: Plan) -> str:
    """Write everything once; twice with 128 KiB before a write saturation, as the SNIA specification asks."""
    twice = any(profile.name == SATURATION for profile in plan.profiles)
    lines = [
        "; Writes every block before any measurement" + (", twice" if twice else "") + ".",
        "[preparation]",
        *_global(plan),
        "rw=write",
        "bs=128k" if twice else "bs=1m",
        *(["loops=2"] if twice else []),
        "iodepth=16",
        "direct=1",
        *WRITTEN,
        "end_fsync=1",
    ]
    return "\n".join(lines) + "\n"


def _job(profile: Profile, plan: Plan) -> str:
    kinds = {0: "write", 100: "read"}
    kind = ("rand" if profile.is_random else "") + kinds.get(profile.read_percent, "rw")
    mix = [f"rwmixread={profile.read_percent}"] if kind.endswith("rw") else []
    lines = [
        f"; {profile.title}.",
        "[global]",
        *_global(plan),
        "direct=1",
        f"rw={kind}",
        *mix,
        f"bs={profile.block_size_bytes}",
        "numjobs=1",
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
        lines += ["", f"[qd{depth:03d}]", f"iodepth={depth}"]
    return "\n".join(lines) + "\n"


def _script(plan: Plan) -> str:
    commands = []
    for name in ("preparation", *(profile.name for profile in plan.profiles)):
        commands.append(f'  fio --output-format=json+ --output="{name}.$repetition.json" {name}.fio')
        if name == SATURATION:  # fio writes the log of every run under the same name
            commands.append(f'  mv {name}_iops.1.log "{name}.${{repetition}}_iops.1.log"')
    lines = [
        "#!/bin/sh",
        "# Runs every job file; each repetition writes the target anew first.",
        "set -eu",
        'cd "$(dirname "$0")"',
        "repetition=1",
        f'while [ "$repetition" -le {plan.repetitions} ]; do',
        *commands,
        "  repetition=$((repetition + 1))",
        "done",
    ]
    return "\n".join(lines) + "\n"
