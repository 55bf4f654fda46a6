"""The command ``ioledger plan``."""

from __future__ import annotations

import re
import secrets
from pathlib import Path

import click
import msgspec

from ioledger.cli import Command, end_with, refuse, refuse_call, say, share
from ioledger.plan import PROFILES, Plan, depths_of
from ioledger.problems import Problem

MIB = 1 << 20
USUAL_LOSS = 0.1
USUAL = {"run": 60, "ramp": 10, "times": 5}
QUICK = {"run": 2, "ramp": 0, "times": 1}
"""Seconds of a point and before it, and runs of everything."""


def parse_depths(value: str) -> tuple[int, ...]:
    """Return queue depths that are written as ``1-512`` or ``1,2,8``, or end with a usage error."""
    try:
        return depths_of(value)
    except ValueError as error:
        refuse_call(f"{value}: {error}; write 1-512 or 1,2,8")


def parse_size(value: str) -> int:
    """Return bytes that are written as ``64m``, in whole MiB, which the preparation of fio writes."""
    from ioledger.readers import KIBI, power_of  # noqa: PLC0415

    found = re.fullmatch(r"([1-9]\d{0,12})([kmgt])", value.lower())
    if found is None:
        refuse_call(f"{value}: write a size such as 64m or 32g")
    size: int = int(found[1]) * KIBI ** power_of(found[2])
    if size % MIB:
        refuse_call(f"{value}: the preparation writes blocks of 1 MiB; write whole ones, such as 64m")
    return size


@click.command(cls=Command)
@click.argument("profiles", nargs=-1, required=True, type=click.Choice(sorted(PROFILES)), metavar="PROFILE...")
@click.option("--tool", required=True, type=click.Choice(["fio", "iometer", "orion"]), help="Tool that will measure.")
@click.option("--target", "targets", required=True, multiple=True,
              help="File or device to measure; relative to the plan's folder. Several take turns.")  # fmt: skip
@click.option("--depths", type=parse_depths, metavar="DEPTHS",
              help="Queue depths, as 1-512 or 1,2,8 (default: those of the profile).")  # fmt: skip
@click.option("--repetitions", type=click.IntRange(1, 100), help=f"Runs of the sweep (default {USUAL['times']}).")
@click.option("--sessions", type=click.IntRange(2, 100),
              help="Repetitions 30 minutes apart, so that each is a session (fio only).")  # fmt: skip
@click.option("--seconds", type=click.IntRange(1, 86400), help="Duration of each point (default "
              f"{USUAL['run']}), after {USUAL['ramp']} s that do not count (--quick: none).")  # fmt: skip
@click.option("--size", type=parse_size, metavar="SIZE",
              help="Area of each target, as 32g (default: 32g of a file, all of a device).")  # fmt: skip
@click.option("--engine", default="libaio", show_default=True, type=click.Choice(
    ["libaio", "io_uring", "windowsaio", "posixaio", "psync", "sync"]), help="fio's I/O engine.")  # fmt: skip
@click.option("--processes", default=1, show_default=True, type=click.IntRange(1, 64),
              help="Processes that share the queue depth, if one cannot saturate the drive (fio only).")  # fmt: skip
@click.option("--manager", help="Name of the manager in Iometer; without it you choose the target in its window.")
@click.option("--gate", is_flag=True, help="Plan a gate: pairs of runs before and after a change (fio, one target).")
@click.option("--before", help="With --gate: command that sets the state before the change.")
@click.option("--after", help="With --gate: command that sets the state after the change.")
@click.option("--show", "loss", type=share, metavar="SHARE",
              help="With --gate: the loss to find; it sets the number of pairs (default: 10%).")  # fmt: skip
@click.option("--power", type=share, metavar="SHARE", default="80%", show_default=True,
              help="With --gate: probability of finding it.")  # fmt: skip
@click.option("--spread-from", type=click.Path(exists=True, path_type=Path),
              help="With --gate: earlier runs, whose variation sets the number of pairs (default: 10 %).")  # fmt: skip
@click.option("--seed", type=click.IntRange(0), help="With --gate: seed of the random order.")
@click.option("--quick", is_flag=True, help="Two seconds per point, one run, 64 MiB: a trial, not for publication. "
              "With --gate as many pairs as without it.")  # fmt: skip
@click.option("--i-know-this-erases", is_flag=True, help="Plan even if the target contains data.")
@click.option("-o", "--output", default="plan", show_default=True, type=click.Path(file_okay=False, path_type=Path),
              help="Folder for the files.")  # fmt: skip
def plan(  # noqa: PLR0913  (one parameter per option)
    profiles: tuple[str, ...], *, tool: str, targets: tuple[str, ...], depths: tuple[int, ...] | None,
    repetitions: int | None, sessions: int | None, seconds: int | None, size: int | None, engine: str,
    processes: int, manager: str | None,
    gate: bool, before: str | None, after: str | None, loss: float | None, power: float, spread_from: Path | None,
    seed: int | None, quick: bool, i_know_this_erases: bool, output: Path,
) -> None:  # fmt: skip
    """
    Write job files for named load profiles; nothing is run.

    The command estimates how long the runs take. Every repetition runs the whole sweep; several targets take turns. The
    last lines, and steps.txt, state the smallest difference that this number of repetitions can show.

    With --gate the workloads run before and after a change, in pairs with a random first side: 5 pairs (6 for one
    point), or as many as --show and --spread-from need. Then ioledger gate compares both sides.

    \b
    Profiles:
      file-copy file-server database streaming restore    the five of the Fujitsu reports
      random-read-4k random-write-4k                       as drive makers quote
      sync-write-4k                                        4 KiB writes, fdatasync after each, 1 to 16 jobs (fio only)
      optane-sweep                                         4 KiB, 70 % read, queue depth 1 to 256
      orion-matrix                                         small and large I/O together (ORION only)
      write-saturation                                     precondition, then write for six hours (fio only)

    \b
    Examples:
      ioledger plan database --tool fio --target test.dat
        Measuring takes 0 h 58 min 20 s. Before it 32 GiB is written 5 times, about 344 s at 500 MB/s. …
      ioledger plan sync-write-4k --tool fio --target /dev/nvme1n1 --sessions 3 --i-know-this-erases
        Measuring takes 1 h 17 min 30 s. Before it the whole device is written 3 times.
      ioledger plan random-read-4k --tool fio --target /dev/nvme1n1 --target /dev/nvme2n1 --i-know-this-erases
      ioledger plan random-read-4k --tool fio --target test.dat --depths 1,8,32 --gate --spread-from last-runs
             --before "echo none >/sys/block/vda/queue/scheduler" --after "echo bfq >/sys/block/vda/queue/scheduler"
      ioledger plan database --tool iometer --target "D:" --manager MYPC --depths 1-64
    """  # noqa: D301
    from ioledger.plan import making, steps  # noqa: PLC0415
    from ioledger.plan.making import Machine  # noqa: PLC0415
    from ioledger.plan.steps import PAUSE_SECONDS  # noqa: PLC0415

    of_gate = {"--before": before, "--after": after, "--spread-from": spread_from, "--seed": seed}
    if not gate and (stated := [name for name, value in of_gate.items() if value is not None]):
        refuse_call(f"{' and '.join(stated)} need{'s' * (len(stated) == 1)} --gate")
    if gate and (tool != "fio" or len(targets) > 1):
        refuse_call("a gate is planned with fio and one target, because a script changes sides", "--gate")
    sides = (before or "", after or "") if gate else None
    if sides and not all(each.strip() and each.isprintable() for each in sides):
        what = "each a command on one line that sets its side (true sets nothing)"
        refuse_call(f"a gate needs --before and --after, {what}", "--gate")
    if sessions and (repetitions or gate or tool != "fio"):
        refuse_call("it needs fio and replaces --repetitions and --gate; omit these", "--sessions")
    if (file := next((each for each in (output, *output.parents) if each.is_file()), None)) is not None:
        refuse_call(f"{file} is a file, so {output} cannot be a folder", "-o")
    usual = QUICK if quick else USUAL
    wanted = Plan(
        tool=tool,
        profiles=tuple(PROFILES[name] for name in profiles),
        targets=making.targets(targets, output, Machine(), size_bytes=size, is_quick=quick),
        run_seconds=seconds or usual["run"],
        ramp_seconds=usual["ramp"],
        repetitions=sessions or repetitions or usual["times"],
        pause_seconds=PAUSE_SECONDS if sessions else 0,
        is_quick=quick,
        wanted_depths=depths,
        engine=engine,
        process_count=processes,
        manager=manager,
        sides=sides,
    )
    if gate:
        wanted, outlook = _plan_gate(wanted, repetitions, loss, power, spread_from, seed)
    else:
        outlook = [*steps.outlook(wanted)]
    end_with(
        list(making.problems(wanted, output, Machine(), knows_it_erases=i_know_this_erases))
        or making.write(wanted, output)
    )
    for name in sorted(making.files(wanted)):
        click.echo(str(output / name))
    for line in (steps.duration(wanted), *outlook):
        say(line)


def _plan_gate(  # noqa: PLR0913, PLR0917  (one for each option)
    plan: Plan, repetitions: int | None, loss: float | None, power: float, spread_from: Path | None, seed: int | None
) -> tuple[Plan, list[str]]:
    """Return a plan with as many pairs of runs as are needed, in a random order, and what they find, in words."""
    from ioledger.plan import steps  # noqa: PLC0415

    spread = steps.measured_spread(spread_from) if spread_from else steps.assumed_spread()
    if spread is None:
        what, remedy = "no point ran twice, so the variation is unknown", "Name a folder of runs that were repeated."
        refuse(Problem(str(spread_from), "", what, remedy, "R-PLAN-9"))
    wanted_loss = loss or USUAL_LOSS
    if repetitions is None and spread_from is None and loss is None:
        repetitions = steps.default_pairs(plan)
    elif repetitions is None:
        repetitions = steps.repetitions(plan, spread, loss=wanted_loss, chance=power)
    if repetitions is None:
        what = f"a loss of {100 * wanted_loss:g} % needs more than {steps.MAX_PAIRS} runs per side {spread.words}"
        refuse_call(f"{what}; use longer runs (--seconds), which vary less, or a larger --show", "--show")
    seed = secrets.randbelow(10_000) if seed is None else seed
    first_sides = steps.draw_order(repetitions, seed)
    plan = msgspec.structs.replace(plan, repetitions=repetitions, first_sides=first_sides)
    order = f"random order of seed {seed}: {steps.runs_in_order(first_sides)} (--seed repeats it)"
    return plan, [order, *steps.gate_outlook(plan, spread, loss=wanted_loss, chance=power)]
