"""
What to do with the files of a plan, in which order, how long it takes, and what it will be able to show.

What makes a result weaker is said too, by the limits of the validity checks: a short run, a small area, a try-out.

A plan for a gate has the same workloads before and after a change, in pairs, as many as the wanted loss needs. Each two
runs in a row are a pair of both sides, and the side that begins is drawn at random for each pair, so that neither a
drift nor a periodic disturbance follows the order. The change is a command for each side; the side before is set again
at the end, whatever happened.
"""

from __future__ import annotations

import csv
import math
import random
import re
import shlex
from functools import cache
from pathlib import Path
from statistics import NormalDist
from typing import TYPE_CHECKING, NamedTuple

from ioledger import gating
from ioledger.comparison import limit, statistics
from ioledger.gating import MIN_PAIRS, is_fixed
from ioledger.plan import MATRIX, MATRIX_SIZES

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from ioledger.plan import Plan, Target

ASSUMED_BYTES_PER_SECOND = 500e6
MATRIX_SECONDS = 120
MATRIX_POINTS = 16
"""Points of one ORION run with two disks: small 1 to 10, large 1 to 4 and idle; the study measured 32 minutes."""
SECTOR_BYTES = 512
"""The unit of ``/sys/class/block/<name>/size`` and of Iometer, whatever the device's own sectors are."""
MIB = 1 << 20


def seconds(plan: Plan) -> int:
    """Return how long the measurement takes with its pauses, without the writing that prepares the targets."""
    total = 0
    for profile in plan.profiles:
        if profile.name == MATRIX:
            total += len(MATRIX_SIZES) * MATRIX_POINTS * (plan.run_seconds if plan.is_quick else MATRIX_SECONDS)
        else:
            total += len(plan.depths(profile)) * (plan.seconds(profile) + plan.ramp_seconds)
    measuring = total * plan.repetitions * len(plan.targets) * (1 if plan.sides is None else len(plan.sides))
    return measuring + plan.pause_seconds * (plan.repetitions - 1)


def duration(plan: Plan) -> str:
    """Say in a few sentences how long measuring takes, what is written before it, and how long that is together."""
    measuring = f"Measuring takes {_format_clock(seconds(plan))}."
    if plan.tool != "fio":
        return measuring
    times = plan.repetitions if plan.sides is None else 1
    if any(not target.size_bytes for target in plan.targets):
        return f"{measuring} Before it the whole device is written {_format_times(times)}."
    area = sum(target.size_bytes for target in plan.targets) * (2 if plan.writes_twice else 1)
    preparing = round(area * times / ASSUMED_BYTES_PER_SECOND)
    return (
        f"{measuring} Before it {area / (1 << 30):.3g} GiB is written {_format_times(times)}, "
        f"about {preparing} s at 500 MB/s. Together about {_format_clock(seconds(plan) + preparing)}."
    )


def _format_clock(total: int) -> str:
    minutes, rest = divmod(total, 60)
    return f"{minutes // 60} h {minutes % 60:02d} min {rest:02d} s"


def _format_times(count: int) -> str:
    return "once" if count == 1 else f"{count} times"


def outlook(plan: Plan) -> list[str]:
    """Return line by line what the plan can show, and what will weaken its results."""
    turns = len(plan.targets) > 1 or plan.sides is not None
    apart = bool(plan.pause_seconds)
    return [*resolution_lines(plan.repetitions, taking_turns=turns, are_sessions=apart), *_list_weaknesses(plan)]


def _list_weaknesses(plan: Plan) -> Iterator[str]:
    writes = any(profile.read_percent < 100 for profile in plan.profiles)  # noqa: PLR2004  (percent)
    least, tried = limit("short_writing_run" if writes else "short_run"), limit("try_out_run")
    shortest = min((plan.seconds(profile) for profile in plan.profiles if profile.name != MATRIX), default=math.inf)
    smallest = min((target.size_bytes for target in plan.targets if target.size_bytes), default=math.inf)
    if shortest < least:
        yield f"Runs{' with writes' * writes} below {least:.0f} s are marked short, with a caveat in every comparison."
    if shortest < tried:
        yield f"Runs below {tried:.0f} s are trials: marked, with a caveat in every comparison."
    if smallest <= limit("small_area"):
        yield "An area of 1 GiB or less is marked small, with a caveat in every comparison."
    if smallest < limit("try_out_area"):
        area = limit("try_out_area") / MIB
        yield f"An area below {area:.0f} MiB is a trial: marked, with a caveat in every comparison."


QUIET = "Stop all other use of the machine and the target, and change nothing until the last run ends."
STATE = """State in each manifest.yaml what only you know: the steady state, your affiliation, the title. Do not
   edit area, data pattern, written file and preparation: `add` reads them from the results, and reports where it
   cannot."""
AGAIN = "Repeat the whole test each time, not one workload several times in a row."


def fio(plan: Plan) -> str:
    """Return the steps with fio's files: measure, look at the processor, collect, complete, add."""
    bound = f"Together {limit('generator_bound'):.0%} or more: fio was the limit, not the drive"
    turns = (
        "" if len(plan.targets) == 1 else "\n   The targets take turns, in reverse order in every second repetition."
    )
    steps = [
        QUIET,
        f"sh run.sh\n   {duration(plan)}{turns}",
        f"Look at usr_cpu and sys_cpu of a result. {bound}.\n   Plan again with --processes 2 or more.",
        *map(_format_collect, plan.targets),
        STATE,
        *map(_format_add, plan.targets),
    ]
    return _number_steps(steps, ["", *outlook(plan)])


def gate(plan: Plan) -> str:
    """Return the steps of a gate: measure both sides in pairs, and compare."""
    turns = "The runs are in pairs, one before and one after; the first side of each pair is random."
    again = "Another time: sh run.sh FOLDER, because run.sh does not add to earlier runs."
    steps = [
        QUIET,
        f"sh run.sh\n   {duration(plan)}\n   {turns}\n   {again}",
        "ioledger gate before after\n   It ends with 0 for equal or better, 1 for worse, 3 where more runs are needed.",
    ]
    return _number_steps(steps, ["", *_list_weaknesses(plan)])


def _name_target(target: Target) -> str:
    return f"{'--device' if target.is_device else '--target'} {shlex.quote(target.name)}"


def _format_collect(target: Target) -> str:
    command = "sudo ioledger collect" if target.is_device else "ioledger collect"
    return f"{command} {target.file('*.json')} {_name_target(target)} -o {target.file('manifest.yaml')}"


def _format_add(target: Target) -> str:
    subject = f" --subject {target.folder}" if target.folder else ""
    files = f"{target.file('*.json')} {target.file('*.fio')}"
    return f"ioledger add {files} --manifest {target.file('manifest.yaml')}{subject}"


def iometer(plan: Plan) -> str:
    """Return the steps in Iometer's window."""
    (target,) = plan.targets
    pick = [
        f"Set Maximum Disk Size to {target.size_bytes // SECTOR_BYTES} sectors and the write pattern to full random.",
        f"Pick {target.name} as the only target of the only worker.",
    ]
    return _number_steps([
        "Open iometer.icf in Iometer 1.1.0.",
        *([] if plan.manager else pick),
        f"Start the test and save its results; {_format_times(plan.repetitions)}, each under its own name. {AGAIN}",
        "Submit every results.csv together with iometer.icf.",
    ])  # fmt: skip


def orion(plan: Plan) -> str:
    """Return the steps with ORION's commands: measure, collect, complete, add."""
    (target,) = plan.targets
    return _number_steps([
        QUIET,
        f"sh run.sh\n   {duration(plan)}\n   The program orion must be on the PATH.",
        f"ioledger collect */*_summary.txt {_name_target(target)} -o manifest.yaml",
        f"{STATE}\n   ORION reports nothing about the drive and the host, so ioledger add asks for most values.",
        f"ioledger add {' '.join(f'{number + 1}/' for number in range(plan.repetitions))} --manifest manifest.yaml",
    ], outlook(plan))  # fmt: skip


def _number_steps(steps: list[str], notes: Iterable[str] = ()) -> str:
    numbered = "".join(f"{number}. {step}\n" for number, step in enumerate(steps, 1))
    return numbered + "".join(f"{line}\n" for line in notes)


SESSIONS = 3
"""From so many sessions a side on their means are compared, without a term for what a session may add."""
PAUSE_SECONDS = 1800
"""What a run is later than the end of all before it to begin a session."""
TABLE = Path(__file__).with_name("least_repetitions.csv")
"""
By spread between runs (CV), the least repetitions per side that reach a verdict in 80 of 100 cases.

The verdict is "faster" for a true difference in percent, and "equal within 1.05" where nothing differs (difference 0);
both sides in the same hours, so that no session term is added. A test computes it again.
"""


@cache
def least() -> dict[int, dict[int, int]]:
    """Return the least number of repetitions by spread and by difference, both in percent; 0 stands for "equal"."""
    with TABLE.open(encoding="utf-8", newline="") as file:
        rows = [{name: int(count) for name, count in row.items()} for row in csv.DictReader(file)]
    return {
        int(name.removeprefix("cv_")): {row["difference_percent"]: row[name] for row in rows}
        for name in rows[0]
        if name.startswith("cv_")
    }


def list_resolutions(repetitions: int) -> list[tuple[int, int | None, bool]]:
    """Return for each spread the difference that so many repetitions per side show, and whether equality; percent."""
    shown = {
        spread: [difference for difference, count in needed.items() if difference and count <= repetitions]
        for spread, needed in least().items()
    }
    return [(spread, min(each, default=None), least()[spread][0] <= repetitions) for spread, each in shown.items()]


def resolution_lines(repetitions: int, *, taking_turns: bool, are_sessions: bool) -> Iterator[str]:
    """Give in words, line by line, what this number of repetitions per side can show."""
    if repetitions < (least_count := int(limit("least_repetitions"))):
        yield f"With fewer than {least_count} repetitions the variation is unknown, and there is no verdict."
        return
    yield f"What {repetitions} repetitions per side find in 80 of 100 cases, by the variation of runs (CV):"
    yield f'  CV     smallest difference   "equal within {100 * limit("margin") - 100:g} %"'
    for spread, difference, is_equal in list_resolutions(repetitions):
        smallest = "none below 50 %" if difference is None else f"{difference} %"
        yield f"  {f'{spread} %':<7}{smallest:<22}{'yes' if is_equal else 'no'}"
    if taking_turns:
        yield "The targets take turns in the same hours, so changes from day to day cancel."
        return
    if are_sessions:
        yield "The repetitions are 30 minutes apart, so each is a session, and the variation is that between sessions."
        return
    spread, difference, _ = list_resolutions(SESSIONS)[0]
    z = NormalDist().inv_cdf(1 - limit("significance") / 2)
    floor = math.exp(z * math.sqrt(2) * limit("session_spread"))
    yield (
        f"One session per side shows nothing below {100 * floor - 100:.1f} %, whatever the repetitions. "
        f"Three sessions, 30 minutes apart, show {difference} % if sessions vary by "
        f"{spread} %: add --sessions {SESSIONS}. Or plan both targets together (--target twice)."
    )


MAX_PAIRS = 1000
"""Pairs that nobody waits for; longer runs spread less."""
PAIRS, PAIRS_OF_ONE_POINT = 5, 6
"""How many pairs a plan has by default; a sweep of one point needs one more for the same power."""
SIDES = ("before", "after")


class Spread(NamedTuple):
    """How far single runs spread, on the logarithm; ``degrees`` are those that other points add to that of one."""

    deviation: float
    widest: float
    degrees: float
    point_count: int
    source: str

    @property
    def runs(self) -> gating.Runs:
        """Runs that spread so far and take turns, so that a gate compares them as pairs."""
        return gating.Runs(self.deviation, is_paired=True, known=self.degrees)

    @property
    def words(self) -> str:
        """The spread in words."""
        own = f"by {100 * self.deviation:.2g} %"
        if not self.point_count:
            return f"if runs vary {own} (assumed)"
        widest = f", the widest by {100 * self.widest:.2g} %" if self.point_count > 1 else ""
        return f"if runs vary as in {self.source}, {own}{widest}"


def assumed_spread() -> Spread:
    """Return the spread that is assumed where no runs tell of it."""
    return Spread(limit("assumed_spread"), limit("assumed_spread"), 0.0, 0, "")


def measured_spread(folder: Path) -> Spread | None:
    """Return the spread of IOPS of the runs in a folder, by their mean variance; null where no point was repeated."""
    from ioledger.gating import points  # noqa: PLC0415  (it loads what reads files)
    from ioledger.gating.run import take_logarithms  # noqa: PLC0415

    found = []
    for runs in points.read(folder).points.values():
        values = take_logarithms([run.values[points.METRICS["iops"]] for run in runs])
        if values is not None and len(values) > 1:
            found.append((statistics.variance_of(values, statistics.LEAST_VARIANCE), len(values) - 1))
    if not found:
        return None
    degrees = sum(each for _, each in found)
    deviation = math.sqrt(math.fsum(variance * own for variance, own in found) / degrees)
    widest = math.sqrt(max(variance for variance, _ in found))
    shared = statistics.prior_of(found)
    known = 0.0 if shared is None else min(shared.degrees, shared.max_degrees)
    return Spread(deviation, widest, known, len(found), str(folder))


def default_pairs(plan: Plan) -> int:
    """Return how many pairs a plan has where nothing else is asked for."""
    return PAIRS_OF_ONE_POINT if _count_points(plan) == 1 else PAIRS


def draw_order(pairs: int, seed: int) -> str:
    """Return the side that begins each pair, A (before) or B (after), drawn at random until it is no fixed order."""
    generator = random.Random(seed)  # noqa: S311  (no secret)
    while True:
        sides = [generator.randrange(2) for _ in range(pairs)]
        if pairs < MIN_PAIRS or not is_fixed(sides):
            return "".join("AB"[side] for side in sides)


def runs_in_order(first_sides: str) -> str:
    """Return the order of all runs: ``ABB`` becomes ``ABBABA``."""
    return "".join("AB" if side == "A" else "BA" for side in first_sides)


def repetitions(plan: Plan, spread: Spread, *, loss: float, chance: float) -> int | None:
    """Return how many runs a side find a loss of one point in so many cases; null where too many would be needed."""
    found = gating.runs_to_show(math.log1p(-loss), spread.runs, alpha=_find_alpha(plan), power=chance)
    return found if found is not None and found <= MAX_PAIRS else None


def _find_alpha(plan: Plan) -> float:
    """Return the level of the test of one point: half of it is for the sweep, where there is more than one point."""
    count = _count_points(plan)
    return limit("significance") / (count if count == 1 else 2 * count)


def _count_points(plan: Plan) -> int:
    return sum(len(plan.depths(profile)) * (1 + profile.is_mixed) for profile in plan.profiles)


def gate_outlook(plan: Plan, spread: Spread, *, loss: float, chance: float) -> Iterator[str]:
    """Give in words what the plan finds, and what it would take to show that nothing differs."""
    count = plan.repetitions
    often = gating.chance_to_find(math.log1p(-loss), spread.runs, count, alpha=_find_alpha(plan))
    found = f"a loss of {100 * loss:g} % at one point is found in {100 * often:.0f} of 100 cases"
    yield f"{count} pairs of runs: {found}, {spread.words}."
    margin, alpha = limit("margin"), limit("significance")
    equal = gating.runs_to_show_equal(margin - 1, spread.runs, alpha=alpha, power=chance)
    if equal is not None:
        yield f"Equal within {100 * (margin - 1):g} %: {equal} runs per side find it in {100 * chance:g} of 100 cases."


def script(plan: Plan) -> str:
    """Return the script that runs every job file on both sides."""
    assert plan.sides is not None  # noqa: S101  (the plan of a gate has both)
    runs = (
        f'    fio --output-format=json+ --output="$runs/$side/{profile.name}.$repetition.json" {profile.name}.fio'
        for profile in plan.profiles
    )
    firsts = " ".join(SIDES["AB".index(side)] for side in plan.first_sides)
    return fill("gate.sh", BEFORE=plan.sides[0], AFTER=plan.sides[1], FIRSTS=firsts, COMMANDS="\n".join(runs))


def fill(name: str, **values: str) -> str:
    """Return a template beside this module with a value in the place of each ``@NAME@``."""
    text = Path(__file__).with_name(name).read_text(encoding="utf-8")
    return re.sub("@([A-Z]+)@", lambda found: values[found[1]], text)
