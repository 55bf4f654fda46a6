"""``ioledger plan``: job files that run as they are, and targets that hold something are left alone."""

from __future__ import annotations

import configparser
import shutil
import subprocess
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from ioledger.plan import making, profiles
from ioledger.plan.making import Machine, dangers_of_block
from ioledger.plan.profiles import Plan
from ioledger.readers import detect
from ioledger.readers.base import Source

if TYPE_CHECKING:
    from collections.abc import Callable
    from subprocess import CompletedProcess

    Run = Callable[..., CompletedProcess[str]]


def _plan(*names: str, **changes: object) -> Plan:
    usual = {
        "tool": "fio", "target": "test.dat", "is_device": False, "size_bytes": 1 << 26, "run_seconds": 60,
        "ramp_seconds": 10, "repetitions": 3,
    }  # fmt: skip
    return Plan(profiles=making.chosen(names), **{**usual, **changes})  # type: ignore[arg-type]


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


@pytest.mark.parametrize(
    ("name", "kind"), [("streaming", "read"), ("restore", "write"), ("random-read-4k", "randread")]
)
def test_a_profile_of_one_operation_states_no_mix(name: str, kind: str) -> None:
    """Pure reads and writes have kinds of their own."""
    text = making.files(_plan(name))[f"{name}.fio"]
    assert f"\nrw={kind}\n" in text
    assert "rwmixread" not in text


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
    text = making.files(_plan("database", "restore", tool="iometer", target="D:", manager="PC"))["iometer.icf"]
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


def test_orion_gets_one_lun_file_per_test_and_the_studys_options() -> None:
    """Small I/Os of 1 to 16 KiB, 20 % write, two disks, 120 seconds."""
    made = making.files(_plan(profiles.MATRIX, tool="orion"))
    assert sorted(name for name in made if name.endswith(".lun")) == sorted(
        f"orion-matrix-{size}k.lun" for size in (1, 2, 4, 8, 16)
    )
    assert "-write 20 -num_disks 2 -duration 120 -size_small 4)" in made["run.sh"]
    points = making.files(_plan("streaming", tool="orion", wanted_depths=(8,)))["run.sh"]
    assert "-type seq -size_large 64 -num_large 1 -num_streamIO 8 -num_small 0" in points


def test_the_duration_counts_points_ramps_and_repetitions() -> None:
    """Ten points of 60 and 10 seconds, three times, are 35 minutes."""
    assert making.seconds(_plan("database")) == 10 * 70 * 3
    assert making.duration(_plan("database")).startswith("Measuring takes 0 h 35 min 00 s. Before it 0.0625 GiB")


@pytest.mark.parametrize(
    ("text", "depths"), [("1-8", (1, 2, 4, 8)), ("3-9", (3, 4, 8, 9)), ("8,1,8", (1, 8)), ("5", (5,))]
)
def test_depths_are_a_range_by_powers_of_two_or_a_list(text: str, depths: tuple[int, ...]) -> None:
    """Both ends of a range are measured."""
    assert profiles.depths_of(text) == depths


@pytest.mark.parametrize("text", ["", "8-1", "0", "0-4", "1-70000", "a", "1;2"])
def test_depths_that_make_no_sense_are_refused(text: str) -> None:
    """A depth lies between 1 and 65536."""
    with pytest.raises(ValueError, match=r"."):
        profiles.depths_of(text)


def test_what_a_tool_cannot_run_is_refused(tmp_path: Path) -> None:
    """Each refusal has its rule."""
    assert _rules(_plan(profiles.MATRIX), tmp_path) == ["R-PLAN-3"]
    assert _rules(_plan(profiles.SATURATION, tool="orion"), tmp_path) == ["R-PLAN-3"]
    assert _rules(_plan("database", tool="iometer", wanted_depths=(1, 3)), tmp_path) == ["R-PLAN-4"]
    assert _rules(_plan("database", "optane-sweep", tool="iometer"), tmp_path) == ["R-PLAN-4"]
    assert _rules(_plan("database", engine="psync"), tmp_path) == ["R-PLAN-5"]
    assert _rules(_plan("database", target="a\nexec_prerun=x"), tmp_path) == ["R-PLAN-1"]
    assert _rules(_plan("database", tool="iometer", manager="a\n'Worker"), tmp_path) == ["R-PLAN-1"]
    assert _rules(_plan("database"), tmp_path) == []


def test_a_target_that_holds_something_needs_a_word_from_its_owner(tmp_path: Path) -> None:
    """A folder and an existing file are refused; the word lifts the refusal."""
    (tmp_path / "test.dat").write_bytes(b"mine")
    assert _rules(_plan("database"), tmp_path) == ["R-PLAN-2"]
    assert _rules(_plan("database", target="."), tmp_path) == ["R-PLAN-2"]
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
    assert [Path(line).name for line in first.stdout.splitlines()] == ["database.fio", "preparation.fio", "run.sh"]
    assert ioledger(*common).returncode == 0
    other = ioledger(*common, "--depths", "1-4")
    assert other.returncode == 1
    assert "[R-PLAN-6]" in other.stderr


def test_a_wrong_option_ends_with_2(ioledger: Run) -> None:
    """A profile, a depth or a size that does not exist is a wrong call."""
    assert ioledger("plan", "no-such-profile", "--tool", "fio", "--target", "x").returncode == 2
    assert ioledger("plan", "database", "--tool", "fio", "--target", "x", "--depths", "8-1").returncode == 2
    assert ioledger("plan", "database", "--tool", "fio", "--target", "x", "--size", "32").returncode == 2


@pytest.mark.parametrize("name", [name for name in profiles.PROFILES if name != profiles.MATRIX])
def test_fio_accepts_the_job_files(name: str, tmp_path: Path) -> None:
    """Fio parses them where it is installed; elsewhere the words are compared with those of the measured submission."""
    made = making.files(_plan(name, target="odd: name.dat"))
    for file, text in made.items():
        (tmp_path / file).write_text(text, encoding="utf-8")
    fio = shutil.which("fio")
    if fio is None:
        assert "filename=odd\\: name.dat\n" in made[f"{name}.fio"]
        return
    command = [fio, "--parse-only", f"{name}.fio", "preparation.fio"]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False)  # noqa: S603
    assert (done.returncode, done.stderr) == (0, "")
