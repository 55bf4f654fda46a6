"""
An Iometer configuration (.icf) of version 1.1.0.

Source: files written by Iometer 1.1.0, and its ``AccessSpecList.cpp``, ``PageSetup.cpp`` and ``ManagerList.cpp``: keys
start with an apostrophe, values follow on lines that start with a tab, every section may be absent. One access
specification per profile, assigned to every worker; the queue depth is cycled by powers of two.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from ioledger.plan.making import Plan
    from ioledger.plan.profiles import Profile

SECTOR_BYTES = 512
FIRST = "Version 1.1.0 "
TITLE_WIDTH = 80


def files(plan: Plan) -> dict[str, str]:
    """Return the configuration, and what to do with it."""
    sections = [*_setup(plan), *_specifications(plan), *_managers(plan)]
    return {"iometer.icf": "\n".join([FIRST, *sections, FIRST]) + "\n", "steps.txt": _steps(plan)}


def _heading(name: str) -> str:
    return f"'{name} ".ljust(TITLE_WIDTH, "=")


def _setup(plan: Plan) -> list[str]:
    depths = plan.depths(plan.profiles[0])
    hours, rest = divmod(plan.run_seconds, 3600)
    return [
        _heading("TEST SETUP"),
        "'Test Description",
        "\t" + " ".join(profile.name for profile in plan.profiles),
        "'Run Time",
        "'\thours      minutes    seconds",
        f"\t{hours:<11}{rest // 60:<11}{rest % 60}",
        "'Ramp Up Time (s)",
        f"\t{plan.ramp_seconds}",
        "'Default Disk Workers to Spawn",
        "\t1",
        "'Default Network Workers to Spawn",
        "\t0",
        "'Record Results",
        "\tALL",
        "'Worker Cycling",
        "'\tstart      step       step type",
        "\t1          1          LINEAR",
        "'Disk Cycling",
        "'\tstart      step       step type",
        "\t1          1          LINEAR",
        "'Queue Depth Cycling",
        "'\tstart      end        step       step type",
        f"\t{depths[0]:<11}{depths[-1]:<11}2          EXPONENTIAL",
        "'Test Type",
        "\tCYCLE_OUTSTANDING_IOS",
        "'END test setup",
    ]


def _specification(profile: Profile) -> list[str]:
    block, random = profile.block_size_bytes, 100 if profile.is_random else 0
    return [
        "'Access specification name,default assignment",
        f"\t{profile.name},ALL",
        "'size,% of size,% reads,% random,delay,burst,align,reply",
        f"\t{block},100,{profile.read_percent},{random},0,1,{min(block, 4096)},0",
    ]


def _specifications(plan: Plan) -> list[str]:
    specifications = [line for profile in plan.profiles for line in _specification(profile)]
    return [_heading("ACCESS SPECIFICATIONS"), *specifications, "'END access specifications"]


def _managers(plan: Plan) -> list[str]:
    """One manager with one worker on the target; without its name the target is picked in Iometer's window."""
    if plan.manager is None:
        return []
    return [
        _heading("MANAGER LIST"),
        "'Manager ID, manager name",
        f"\t1,{plan.manager}",
        "'Manager network address",
        "\t",
        "'Worker",
        "\tWorker 1",
        "'Worker type",
        "\tDISK",
        "'Default target settings for worker",
        "'Number of outstanding IOs,test connection rate,transactions per connection,use fixed seed,fixed seed value",
        f"\t{plan.depths(plan.profiles[0])[0]},DISABLED,1,DISABLED,0",
        "'Disk maximum size,starting sector,Data pattern",
        f"\t{plan.size_bytes // SECTOR_BYTES},0,2",
        "'End default target settings for worker",
        "'Assigned access specs",
        *(f"\t{profile.name}" for profile in plan.profiles),
        "'End assigned access specs",
        "'Target assignments",
        "'Target",
        f"\t{plan.target}",
        "'Target type",
        "\tDISK",
        "'End target",
        "'End target assignments",
        "'End worker",
        "'End manager",
        "'END manager list",
    ]


def _steps(plan: Plan) -> str:
    pick = [
        f"Set Maximum Disk Size to {plan.size_bytes // SECTOR_BYTES} sectors and the write pattern to full random.",
        f"Pick {plan.target} as the only target of the only worker.",
    ]
    steps = [
        "Open iometer.icf in Iometer 1.1.0.",
        *([] if plan.manager else pick),
        f"Start the test and save its results; do so {plan.repetitions} times, each under a name of its own.",
        "Submit every results.csv together with iometer.icf.",
    ]
    return "".join(f"{number}. {step}\n" for number, step in enumerate(steps, 1))
