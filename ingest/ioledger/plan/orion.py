"""
ORION command lines and ``.lun`` files.

Source: ORION's own ``-help`` (10.2 and 11.1) and the commands that a study of the S3700 printed. ORION reads
``<testname>.lun``, one target per line. ``-matrix point`` measures one load; ``-cache_size 0`` leaves out the warm-up.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from ioledger.plan.profiles import MATRIX, MATRIX_SIZES

if TYPE_CHECKING:
    from ioledger.plan.making import Plan
    from ioledger.plan.profiles import Profile

MATRIX_SECONDS = 120
MATRIX_DISKS = 2


def files(plan: Plan) -> dict[str, str]:
    """Return the script with every command, and one ``.lun`` file per test name."""
    tests = [test for profile in plan.profiles for test in _tests(profile, plan)]
    lines = [
        "#!/bin/sh",
        "# Runs every test; each repetition keeps its files in a folder of its own.",
        "set -eu",
        'cd "$(dirname "$0")"',
        f"for repetition in {' '.join(str(number + 1) for number in range(plan.repetitions))}; do",
        '  mkdir -p "$repetition"',
        '  cp ./*.lun "$repetition"',
        *(f'  (cd "$repetition" && orion {arguments})' for _, arguments in tests),
        "done",
    ]
    return {"run.sh": "\n".join(lines) + "\n", **{f"{name}.lun": plan.target + "\n" for name, _ in tests}}


def _tests(profile: Profile, plan: Plan) -> list[tuple[str, str]]:
    """Return test name and arguments of every run that a profile needs."""
    write = 100 - profile.read_percent
    if profile.name == MATRIX:
        seconds = plan.run_seconds if plan.is_quick else MATRIX_SECONDS
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
