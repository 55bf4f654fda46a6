"""``ioledger plan``: job files that run as they are, and targets that hold something are left alone."""

from __future__ import annotations

import configparser
import importlib
import math
import os
import shutil
import subprocess
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest

from ioledger import plan as profiles
from ioledger.model import Source
from ioledger.plan import Plan, Target, making, steps
from ioledger.plan.making import Machine, dangers_of_block
from ioledger.readers import detect

if TYPE_CHECKING:
    from conftest import Run

special: Any = importlib.import_module("scipy.special")
FILE = (Target("test.dat", 1 << 26),)
TWO = (Target("a.dat", 1 << 30, folder="1-a"), Target("b.dat", 1 << 30, folder="2-b"))
TURN = ("1-a", "2-b-c")


def _plan(*names: str, **changes: object) -> Plan:
    usual = {"tool": "fio", "targets": FILE, "run_seconds": 60, "ramp_seconds": 10, "repetitions": 3}
    return Plan(profiles=tuple(profiles.PROFILES[name] for name in names), **{**usual, **changes})  # type: ignore[arg-type]


def _rules(plan: Plan, folder: Path, *, knows: bool = False) -> list[str]:
    return [problem.rule for problem in making.problems(plan, folder, Machine(), knows_it_erases=knows)]


def test_a_fio_job_states_the_load_profile_and_one_job_per_queue_depth() -> None:
    """The database profile is random, 67 % read, 8 KiB, 1 to 512."""
    job = configparser.ConfigParser(allow_no_value=True, comment_prefixes=(";",))
    job.read_string(making.files(_plan("database"))["database.fio"])
    common = dict(job["global"])
    assert (common["rw"], common["rwmixread"], common["bs"]) == ("randrw", "67", "8192")
    assert (common["ramp_time"], common["runtime"], common["size"]) == ("10", "60", "67108864")
    assert [int(job[name]["iodepth"]) for name in job.sections()[1:]] == [1, 2, 4, 8, 16, 32, 64, 128, 256, 512]
    for name, kind in ("streaming", "read"), ("restore", "write"), ("random-read-4k", "randread"):
        text = making.files(_plan(name))[f"{name}.fio"]
        assert (f"\nrw={kind}\n" in text, "rwmixread" in text) == (True, False)


def test_a_write_saturation_is_preconditioned_twice_and_logged() -> None:
    """As the SNIA specification asks: 128 KiB over everything, twice, then rounds of a minute."""
    made = making.files(_plan(profiles.SATURATION))
    assert "loops=2\n" in made["preparation.fio"]
    assert "bs=128k\n" in made["preparation.fio"]
    assert "runtime=21600\n" in made["write-saturation.fio"]
    assert "log_avg_msec=60000\n" in made["write-saturation.fio"]
    assert 'mv write-saturation_iops.1.log "write-saturation.${repetition}_iops.1.log"\n' in made["run.sh"]


def test_an_iometer_file_has_its_sections_in_order_and_every_profile() -> None:
    """Sections open and close; each profile is a specification; depth doubles from 1 to 512."""
    text = making.files(_plan("database", "restore", tool="iometer", targets=(Target("D:", 0),), manager="PC"))[
        "iometer.icf"
    ]
    lines = text.splitlines()
    assert lines[0] == lines[-1] == "Version 1.1.0 "
    opened = [line.split(" =")[0].strip("'").lower() for line in lines if line.endswith("==")]
    assert opened == [line[5:].lower() for line in lines if line.startswith("'END ")]
    assert "\t8192,100,67,100,0,1,4096,0" in lines
    assert "\t65536,100,0,0,0,1,4096,0" in lines
    assert "\t1          512        2          EXPONENTIAL" in lines
    assert all(line.startswith(("'", "\t", "Version")) for line in lines)
    reading = detect.read(Source("iometer.icf", text.encode()))
    assert (reading.tool, reading.refusals, reading.warnings) == ("iometer", [], [])


def test_orion_gets_one_lun_file_per_test_the_studys_options_and_what_to_do_next() -> None:
    """Small I/Os of 1 to 16 KiB, 20 % write, two disks, 120 seconds; measure, collect, state, add."""
    made = making.files(_plan(profiles.MATRIX, tool="orion"))
    assert sorted(name for name in made if name.endswith(".lun")) == sorted(
        f"orion-matrix-{size}k.lun" for size in (1, 2, 4, 8, 16)
    )
    assert "-write 20 -num_disks 2 -duration 120 -size_small 4)" in made["run.sh"]
    made = making.files(_plan("streaming", tool="orion", wanted_depths=(8,), repetitions=2))
    assert "-type seq -size_large 64 -num_large 1 -num_streamIO 8 -num_small 0" in made["run.sh"]
    assert "ioledger collect */*_summary.txt --target test.dat -o manifest.yaml" in made["steps.txt"]
    assert "ioledger add 1/ 2/ --manifest manifest.yaml" in made["steps.txt"]


def test_the_duration_is_that_of_all_targets_with_what_is_written_before() -> None:
    """Ten points of 60 and 10 seconds, three times, are 35 minutes; two targets of 1 GiB three times 13 s."""
    assert steps.duration(_plan("database")).startswith("Measuring takes 0 h 35 min 00 s. Before it 0.0625 GiB")
    said = steps.duration(_plan("database", targets=TWO))
    assert said.startswith(
        "Measuring takes 1 h 10 min 00 s. Before it 2 GiB is written 3 times, about 13 s at 500 MB/s."
    )
    assert said.endswith("Together about 1 h 10 min 13 s.")
    twice = steps.duration(_plan(profiles.SATURATION, targets=TWO))
    assert "Before it 4 GiB is written 3 times" in twice


@pytest.mark.parametrize(
    ("text", "depths"), [("1-8", (1, 2, 4, 8)), ("3-9", (3, 4, 8, 9)), ("8,1,8", (1, 8)), ("5", (5,))]
)
def test_depths_are_a_range_by_powers_of_two_or_a_list(text: str, depths: tuple[int, ...]) -> None:
    """Both ends of a range are measured."""
    assert profiles.depths_of(text) == depths
    for wrong in ("", "8-1", "0", "0-4", "1-70000", "a", "1;2"):
        with pytest.raises(ValueError, match=r"."):
            profiles.depths_of(wrong)


def test_what_a_tool_cannot_run_is_refused(tmp_path: Path) -> None:
    """Each refusal has its rule."""
    assert _rules(_plan(profiles.MATRIX), tmp_path) == ["R-PLAN-3"]
    assert _rules(_plan(profiles.SATURATION, tool="orion"), tmp_path) == ["R-PLAN-3"]
    assert _rules(_plan("database", tool="iometer", wanted_depths=(1, 3)), tmp_path) == ["R-PLAN-3"]
    assert _rules(_plan("database", "optane-sweep", tool="iometer"), tmp_path) == ["R-PLAN-3"]
    assert _rules(_plan("database", engine="psync"), tmp_path) == ["R-PLAN-3"]
    assert _rules(_plan("database", targets=TWO), tmp_path) == []
    assert _rules(_plan("database", targets=TWO, tool="orion"), tmp_path) == ["R-PLAN-3"]
    assert _rules(_plan("database", targets=(Target("a\nexec_prerun=x", 1),)), tmp_path) == ["R-PLAN-1"]
    for name in ("disk.img;v2", "x#y", "x${HOME}", ""):  # fio would write to another file than the one that was checked
        assert _rules(_plan("database", targets=(Target(name, 1),)), tmp_path) == ["R-PLAN-1"]
    assert _rules(_plan("database", tool="iometer", manager="a\n'Worker"), tmp_path) == ["R-PLAN-1"]
    assert _rules(_plan("database"), tmp_path) == []


def test_a_target_that_holds_something_needs_a_word_from_its_owner(tmp_path: Path) -> None:
    """A folder and an existing file are refused; the word lifts the refusal."""
    (tmp_path / "test.dat").write_bytes(b"mine")
    assert _rules(_plan("database"), tmp_path) == ["R-PLAN-2"]
    assert _rules(_plan("database", targets=(Target(".", 1),)), tmp_path) == ["R-PLAN-2"]
    assert _rules(_plan("database", targets=(*TWO, FILE[0])), tmp_path) == ["R-PLAN-2"]
    assert _rules(_plan("database"), tmp_path, knows=True) == []


def test_partitions_mounts_arrays_and_swap_are_seen(tmp_path: Path) -> None:
    """A disk with a mounted partition, a swap partition and an array on it says all of it."""
    for part in ("sdz1", "sdz2"):
        (tmp_path / "block" / "sdz" / part).mkdir(parents=True)
        (tmp_path / "block" / "sdz" / part / "partition").write_text("1\n")
    (tmp_path / "block" / "sdz" / "holders" / "md0").mkdir(parents=True)
    (tmp_path / "mounts").write_text("/dev/sdz1 /mnt/my\\040data ext4 rw 0 0\nproc /proc proc rw 0 0\n")
    (tmp_path / "swaps").write_text("Filename Type Size Used Priority\n/dev/sdz2 partition 1 0 -2\n")
    machine = Machine(tmp_path / "block", tmp_path / "mounts", tmp_path / "swaps")
    assert list(dangers_of_block("sdz", machine)) == [
        "sdz has the partitions sdz1, sdz2",
        "sdz is part of md0",
        "sdz1 is mounted at /mnt/my data",
        "sdz2 is used as swap",
    ]
    assert list(dangers_of_block("sdy", machine)) == []


def test_a_plan_is_written_again_but_never_over_another(ioledger: Run, tmp_path: Path) -> None:
    """Results stay beside the job files that gave them."""
    common = ("plan", "database", "--tool", "fio", "--target", "test.dat", "--quick", "-o", tmp_path / "plan")
    first = ioledger(*common)
    assert first.returncode == 0, first.stderr
    assert [Path(line).name for line in first.stdout.splitlines()] == [
        "database.fio", "preparation.fio", "run.sh", "steps.txt",
    ]  # fmt: skip
    assert ioledger(*common).returncode == 0
    other = ioledger(*common, "--depths", "1-4")
    assert other.returncode == 1
    assert "[R-PLAN-6]" in other.stderr


@pytest.mark.parametrize("name", [name for name in profiles.PROFILES if name != profiles.MATRIX])
def test_fio_accepts_the_job_files(name: str, tmp_path: Path) -> None:
    """Fio parses them where it is installed; elsewhere the words are compared with those of the measured submission."""
    made = making.files(_plan(name, targets=(Target("odd: name.dat", 1 << 26),)))
    for file, text in made.items():
        (tmp_path / file).write_text(text, encoding="utf-8")
    fio = shutil.which("fio")
    if fio is None:
        assert "filename=odd\\: name.dat\n" in made[f"{name}.fio"]
        return
    command = [fio, "--parse-only", f"{name}.fio", "preparation.fio"]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False)  # noqa: S603
    assert (done.returncode, done.stderr) == (0, "")


def test_a_synchronous_write_is_one_job_per_outstanding_write(tmp_path: Path) -> None:
    """4 KiB in sequence, fdatasync after each, by 1 to 16 jobs of depth 1; only fio can."""
    job = configparser.ConfigParser(allow_no_value=True, comment_prefixes=(";",))
    job.read_string(making.files(_plan("sync-write-4k"))["sync-write-4k.fio"])
    common = job["global"]
    assert [common[name] for name in ("rw", "bs", "fdatasync", "ioengine")] == ["write", "4096", "1", "psync"]
    loads = [(job[name]["numjobs"], job[name]["iodepth"]) for name in job.sections()[1:]]
    assert loads == [(count, "1") for count in ("1", "2", "4", "8", "16")]
    assert _rules(_plan("sync-write-4k"), tmp_path) == []
    assert _rules(_plan("sync-write-4k", tool="iometer"), tmp_path) == ["R-PLAN-3"]


def test_sessions_are_half_an_hour_apart(ioledger: Run, tmp_path: Path) -> None:
    """The script rests before each repetition but the first, which the duration counts; two wishes are one too many."""
    command = ("plan", "sync-write-4k", "--tool", "fio", "--target", "x", "-o", tmp_path, "--sessions", "3")
    done = ioledger(*command)
    assert done.returncode == 0, done.stderr
    assert '  if [ "$repetition" -gt 1 ]; then sleep 1800; fi\n' in (tmp_path / "run.sh").read_text(encoding="utf-8")
    assert "Measuring takes 1 h 17 min 30 s." in done.stderr
    assert "so each is a session" in done.stderr
    assert ioledger(*command, "--repetitions", "2").returncode == 2


def test_everything_is_repeated_five_times_unless_told(ioledger: Run, tmp_path: Path) -> None:
    """Five sweeps, each over every profile; no load is measured several times in a row."""
    done = ioledger("plan", "database", "restore", "--tool", "fio", "--target", "x", "-o", tmp_path)
    assert done.returncode == 0, done.stderr
    assert _order(tmp_path) == [
        f"{name}.{repetition}" for repetition in range(1, 6) for name in ("preparation", "database", "restore")
    ]
    for option in ("--repetitions", "2"), ("--quick",):
        other = tmp_path / option[0]
        ioledger("plan", "database", "--tool", "fio", "--target", "x", "-o", other, *option)
        assert len(_order(other)) == (2 if option == ("--quick",) else 4)


def test_two_targets_take_turns_and_each_starts_before_the_others_last_start(ioledger: Run, tmp_path: Path) -> None:
    """A B, then B A, and so on: a drift favours neither, and both are measured in the same hours."""
    told = ("--target", "a.dat", "--target", "b c.dat", "--size", "2g")
    done = ioledger("plan", "database", "--tool", "fio", *told, "-o", tmp_path)
    assert done.returncode == 0, done.stderr
    order = [run for run in _order(tmp_path) if "database" in run]
    turns = enumerate((TURN, TURN[::-1], TURN, TURN[::-1], TURN), 1)
    assert order == [f"{target}/database.{repetition}" for repetition, turn in turns for target in turn]
    for mine, other in (TURN, TURN[::-1]):
        first = next(place for place, run in enumerate(order) if run.startswith(mine))
        assert first < max(place for place, run in enumerate(order) if run.startswith(other))
    assert "filename=b c.dat\nsize=2147483648\n" in (tmp_path / "2-b-c" / "database.fio").read_text()
    said = (tmp_path / "steps.txt").read_text(encoding="utf-8")
    assert "collect 2-b-c/*.json --target 'b c.dat' -o 2-b-c/manifest.yaml" in said
    assert "add 1-a/*.json 1-a/*.fio --manifest 1-a/manifest.yaml" in said
    assert said.endswith("\n".join(done.stderr.splitlines()[1:]) + "\n")


def _order(folder: Path) -> list[str]:
    """Return target and repetition of every run of a plan's script, in order: a fio of our own writes them down."""
    program = folder / "bin" / "fio"
    program.parent.mkdir()
    program.write_text('#!/bin/sh\nfor word; do case $word in --output=*) echo "${word#--output=}";; esac; done\n')
    program.chmod(0o755)
    path = {**os.environ, "PATH": f"{program.parent}:{os.environ['PATH']}"}
    command = ["/bin/sh", str(folder / "run.sh")]
    done = subprocess.run(command, capture_output=True, text=True, check=True, env=path)  # noqa: S603
    return [line.removesuffix(".json") for line in done.stdout.splitlines()]


def test_a_second_run_replaces_no_results(tmp_path: Path) -> None:
    """It names the first of them and ends; once they are moved away it measures again."""
    target = making.targets(("test.dat",), tmp_path, Machine(), is_quick=True)
    making.write(_plan("streaming", targets=target, is_quick=True, repetitions=2), tmp_path)
    ran = _order(tmp_path)
    assert ran == ["preparation.1", "streaming.1", "preparation.2", "streaming.2"]
    (tmp_path / "preparation.1.json").write_text("{}")
    command = ["/bin/sh", str(tmp_path / "run.sh")]
    again = subprocess.run(command, capture_output=True, text=True, check=False)  # noqa: S603
    assert (again.returncode, again.stdout) == (1, "")
    assert f"{tmp_path}/preparation.1.json is from an earlier time. Move it away" in again.stderr


def test_a_device_has_its_capacity_as_area_unless_another_is_given(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The kernel counts in units of 512 bytes; what it does not show is left to fio."""
    monkeypatch.setattr(making, "is_device", lambda _: True)
    (tmp_path / "sdz").mkdir()
    (tmp_path / "sdz" / "size").write_text("1000\n")
    machine = Machine(tmp_path, tmp_path / "mounts", tmp_path / "swaps")
    areas = [making.targets((name,), Path("/dev"), machine)[0].size_bytes for name in ("sdz", "sdy")]
    assert areas == [512_000, 0]
    (given,) = making.targets(("sdz",), Path("/dev"), machine, size_bytes=4096)
    assert (given.size_bytes, given.is_device, given.folder) == (4096, True, "")
    files = making.files(_plan("database", targets=(given,)))
    assert all("\nsize=4096\n" in files[name] for name in ("preparation.fio", "database.fio"))
    assert "--device sdz" in files["steps.txt"]


def test_processes_share_each_queue_depth(tmp_path: Path) -> None:
    """The total stays what the name of the job says; a single outstanding I/O needs one process."""
    job = configparser.ConfigParser(allow_no_value=True, comment_prefixes=(";",))
    job.read_string(making.files(_plan("database", process_count=4))["database.fio"])
    assert job["global"]["group_reporting"] == "1"
    shares = [(int(job[name]["numjobs"]), int(job[name]["iodepth"])) for name in job.sections()[1:]]
    assert shares[:4] == [(1, 1), (2, 1), (4, 1), (4, 2)]
    assert [count * depth for count, depth in shares] == [1 << exponent for exponent in range(10)]
    assert _rules(_plan("database", process_count=4), tmp_path) == []
    assert _rules(_plan("database", process_count=3), tmp_path) == ["R-PLAN-3"]
    assert _rules(_plan("streaming", process_count=2), tmp_path) == ["R-PLAN-3"]
    assert _rules(_plan(profiles.SATURATION, process_count=2), tmp_path) == ["R-PLAN-3"]
    assert _rules(_plan("database", tool="orion", process_count=2), tmp_path) == ["R-PLAN-3"]


def test_what_repetitions_show_is_said_by_the_spread_between_runs() -> None:
    """Five show 7 % at a spread of 3 %, and that nothing differs at a spread of 2 %; one side alone has a floor."""
    assert steps.list_resolutions(5) == [
        (1, 5, True),
        (2, 5, True),
        (3, 7, False),
        (5, 12, False),
        (10, 25, False),
    ]
    assert steps.list_resolutions(3)[-1] == (10, 50, False)
    alone, together = (steps.outlook(_plan("database", targets=targets, repetitions=5)) for targets in (FILE, TWO))
    assert alone[:7] == together[:7]
    assert alone[4].split() == ["3", "%", "7", "%", "no"]
    apart = steps.outlook(_plan("database", repetitions=3, pause_seconds=1800))
    assert alone[7].startswith("One session per side shows nothing below 8.7 %, whatever the repetitions.")
    assert "Three sessions, 30 minutes apart, show 5 % if sessions vary by 1 %: add --sessions 3." in alone[7]
    assert apart[7].startswith("The repetitions are 30 minutes apart, so each is a session")
    assert together[7].startswith("The targets take turns")
    assert steps.outlook(_plan("database", repetitions=2))[0].startswith("With fewer than 3 repetitions")


def test_what_weakens_a_result_is_said_before_it_is_measured() -> None:
    """Short runs, the shorter the less they may be where nothing is written, and a small area."""
    large = (Target("x", 32 << 30),)
    assert steps.outlook(_plan("database", targets=large))[8:] == []
    assert steps.outlook(_plan("streaming", targets=large, run_seconds=10))[8:] == []
    short = steps.outlook(_plan("database", "streaming", run_seconds=10))[8:]
    assert [line.partition(" is ")[0].partition(" are marked")[0] for line in short] == [
        "Runs with writes below 60 s", "An area of 1 GiB or less", "An area below 256 MiB",
    ]  # fmt: skip
    tried = steps.outlook(_plan("database", targets=(Target("x", 64 << 20),), run_seconds=2))[8:]
    assert [line for line in tried if "trial" in line] == [
        "Runs below 5 s are trials: marked, with a caveat in every comparison.",
        "An area below 256 MiB is a trial: marked, with a caveat in every comparison.",
    ]


TRIALS = 40_000
CLOSE = 0.012
"""Four standard errors of a share of 80 % in this many trials, and a little."""


def _shares(repetitions: int, spread: float, difference: float) -> tuple[float, float]:
    """Return how often runs of this spread (CV) are found equal within 1.05, and A faster, at a true difference."""
    draw = np.random.default_rng(repetitions)
    sigma = math.sqrt(math.log1p(spread * spread))
    a, b = (sigma**2 * draw.chisquare(repetitions - 1, TRIALS) / (repetitions - 1) / repetitions for _ in "ab")
    found = draw.normal(math.log1p(difference), sigma * math.sqrt(2 / repetitions), TRIALS)
    degrees = (a + b) ** 2 * (repetitions - 1) / (a * a + b * b)
    error = np.sqrt(a + b)
    equal = np.abs(found) + special.stdtrit(degrees, 0.95) * error < math.log(1.05)
    faster = (found > special.stdtrit(degrees, 0.975) * error) & ~equal
    return float(equal.mean()), float(faster.mean())


@pytest.mark.parametrize("spread", [1, 2, 3, 5, 10])
def test_the_table_of_least_repetitions_is_what_a_simulation_gives(spread: int) -> None:
    """With the number in the table the verdict is reached in 80 of 100 cases, with one fewer it is not."""
    for difference, count in steps.least()[spread].items():
        which = 1 if difference else 0
        assert _shares(count, spread / 100, difference / 100)[which] > 0.8 - CLOSE
        if count > 3:
            assert _shares(count - 1, spread / 100, difference / 100)[which] < 0.8 + CLOSE


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("orion-matrix", "--tool", "fio", "--target", "x"), "fio cannot run orion-matrix"),
        (("database", "--tool", "fio", "--target", "x", "--target", "x"), "a target is named twice"),
        (("database", "--tool", "fio", "--target", "x", "--target", "./x"), "a target is named twice"),
        (("database", "--tool", "fio", "--target", ""), "the name is empty"),
        (("database", "--tool", "fio", "--target", "x", "--size", "1k"), "write whole ones, such as 64m"),
        (("database", "--tool", "fio", "--target", "x", "--size", "1500k"), "write whole ones, such as 64m"),
        (("database", "--tool", "fio", "--target", "x", "--before", "true"), "needs --gate"),
        (("database", "--tool", "fio", "--target", "x", "-o", "file/plan"), "file is a file"),
    ],
)
def test_a_plan_that_is_asked_for_wrongly_is_a_wrong_call(
    arguments: tuple[str, ...], said: str, ioledger: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It ends with 2, says what is wrong, and writes nothing."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "file").touch()
    done = ioledger("plan", *arguments)
    assert (done.returncode, said in done.stderr) == (2, True), done.stderr
    assert [path.name for path in tmp_path.iterdir()] == ["file"]
