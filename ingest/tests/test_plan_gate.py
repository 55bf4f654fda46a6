"""A plan for a gate: both sides in turns, as often as what is asked for needs."""

from __future__ import annotations

import contextlib
import json
import math
import os
import re
import subprocess
from typing import TYPE_CHECKING

import pytest
from click.testing import CliRunner

import gated
import ioledger
from conftest import COMMAND
from ioledger.cli import main
from ioledger.gating import Layout
from ioledger.plan import steps
from ioledger.tables.schema import ROOT

if TYPE_CHECKING:
    from pathlib import Path

    from click.testing import Result

LOADS = ("random-read-4k", "--tool", "fio", "--target", "test.dat", "--depths", "1,4", "--quick", "--gate")
SIDES = ("--before", "echo slow > setting", "--after", "echo fast > setting")
FIO = """#!/bin/sh
for each; do case $each in --output=*) output=${each#--output=};; esac; done
set -- */*.json
[ -e "$1" ] || shift
side=fast
if [ "$(cat setting 2>/dev/null)" = slow ]; then side=slow; fi
exec cp "$(dirname "$0")/$side.$#.json" "$output"
"""
"""Puts a report that was made before in the place of its output: a process of Python for each run costs more."""
MOST_RUNS = 40


def _with_fio(folder: Path) -> dict[str, str]:
    """Return an environment in which fio is the program above, and sudo runs what it is given."""
    programs = folder / "programs"
    programs.mkdir()
    for turn in range(MOST_RUNS):
        [noise] = gated.rates(1, 0.005, turn, depths=(1, 4))
        for side, factor in (("slow", 1.0), ("fast", 1.2)):
            report = gated.report({depth: rate * factor for depth, rate in noise.items()}, gated.BEGIN + turn)
            (programs / f"{side}.{turn}.json").write_text(json.dumps(report), encoding="utf-8")
    for name, text in (("fio", FIO), ("sudo", '#!/bin/sh\nexec "$@"\n')):
        (programs / name).write_text(text, encoding="utf-8")
        (programs / name).chmod(0o755)
    return {**os.environ, "PATH": os.pathsep.join(map(str, (programs, COMMAND.parent, os.environ["PATH"])))}


def _plan(folder: Path, *arguments: str) -> Result:
    """Call the command in this process and in a folder: a process of its own costs more than a plan."""
    with contextlib.chdir(folder):
        return CliRunner().invoke(main, ["plan", *LOADS, *arguments])


def test_the_script_sets_each_side_in_turns_and_the_gate_sees_it(tmp_path: Path) -> None:
    """Drawn pairs, with a program in the place of fio that is faster after the change; the side before is set again."""
    planned = _plan(tmp_path, *SIDES, "--seed", "1")
    assert planned.exit_code == 0, planned.stderr
    assert (
        f"random order of seed 1: {steps.runs_in_order(steps.draw_order(5, 1))} (--seed repeats it)" in planned.stderr
    )
    environment = _with_fio(tmp_path)

    def run(*folder: str) -> subprocess.CompletedProcess[str]:
        command = ["sh", "plan/run.sh", *folder]
        return subprocess.run(command, cwd=tmp_path, env=environment, capture_output=True, text=True, check=False)  # noqa: S603

    first = run()
    assert first.returncode == 0, first.stderr
    made = tmp_path / "plan"
    assert (made / "setting").read_text(encoding="utf-8") == "slow\n"
    verdict = ioledger.gate(made / "before", made / "after")
    assert verdict.layout is Layout.PAIRED
    assert verdict.change == "better"
    assert {row.before_count for row in verdict.points} == {5}
    again = run()
    assert (again.returncode, "contains earlier runs. Move it away, or name a folder" in again.stderr) == (
        1,
        True,
    )
    assert run("next week").returncode == 0
    assert len([*(made / "next week" / "after").iterdir()]) == len([*(made / "after").iterdir()]) == 5


def test_the_document_leads_from_nothing_to_a_verdict(tmp_path: Path) -> None:
    """Its commands as they stand, but for the setting of the kernel: nothing changed is equal, the change is better."""
    text = (ROOT / "docs" / "gate.md").read_text(encoding="utf-8")
    commands = re.findall(r"^\$ (.+)$", text, re.MULTILINE)
    assert len(commands) == 7
    environment = _with_fio(tmp_path)
    for command in commands:
        own = command.replace("/sys/block/vda/queue/scheduler", "setting").replace("echo none", "echo slow")
        shell = ["sh", "-c", own]
        done = subprocess.run(shell, cwd=tmp_path, env=environment, capture_output=True, text=True, check=False)  # noqa: S603
        assert done.returncode == 0, (own, done.stdout, done.stderr)
        if own == "ioledger gate nothing/before nothing/after":
            assert done.stdout.splitlines()[0] == "Equal within 5 %"
    assert ioledger.gate(tmp_path / "plan" / "before", tmp_path / "plan" / "after").change == "better"
    assert (tmp_path / "change.html").stat().st_size > 10_000
    assert '"$(date +%F)"' in text


def test_the_number_of_runs_is_the_one_that_finds_what_is_asked_for(tmp_path: Path) -> None:
    """At the spread of earlier runs; a smaller loss needs more of them, and so do more points."""
    earlier = gated.side(tmp_path / "earlier", enumerate(gated.rates(8, 0.05, 1)))
    counts = []
    for number, loss in enumerate(("20%", "10%", "5%")):
        done = _plan(tmp_path, *SIDES, "--spread-from", "earlier", "--show", loss, "-o", f"p{number}")
        (often,) = re.findall(rf"a loss of {loss[:-1]} % at one point is found in (\d+) of 100 cases", done.stderr)
        assert int(often) >= 80
        assert "if runs vary as in earlier, by " in done.stderr
        counts.append(int(done.stderr.split(" pairs of runs")[0].splitlines()[-1]))
    assert counts == sorted(set(counts))
    spread = steps.measured_spread(earlier)
    assert spread is not None
    assert spread.deviation == pytest.approx(0.05, rel=0.3)
    assert (spread.point_count, spread.widest > spread.deviation) == (4, True)


def test_without_earlier_runs_a_spread_is_assumed_and_said(tmp_path: Path) -> None:
    """A tenth, and that it is assumed."""
    done = _plan(tmp_path, *SIDES)
    assert "if runs vary by 10 % (assumed)." in done.stderr
    assert math.isclose(steps.assumed_spread().deviation, 0.1)


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        ((), "a gate needs --before and --after"),
        (("--before", "true", "--after", "a\nb"), "a gate needs --before and --after"),
        ((*SIDES, "--target", "other.dat"), "one target"),
        ((*SIDES, "--tool", "iometer"), "planned with fio"),
        ((*SIDES, "--show", "0.1%"), "needs more than 1000 runs per side"),
    ],
)
def test_a_gate_that_cannot_be_planned_is_refused(tmp_path: Path, arguments: tuple[str, ...], said: str) -> None:
    """With what it needs, and nothing is written."""
    done = _plan(tmp_path, *arguments)
    assert (done.exit_code, said in done.stderr, (tmp_path / "plan").exists()) == (2, True, False)


def test_runs_that_were_not_repeated_tell_of_no_spread(tmp_path: Path) -> None:
    """One run of each point."""
    gated.side(tmp_path / "once", enumerate(gated.rates(1, 0.05, 1)))
    done = _plan(tmp_path, *SIDES, "--spread-from", "once")
    assert (done.exit_code, "no point ran twice" in done.stderr) == (1, True)
    assert "[R-PLAN-9]" in done.stderr
