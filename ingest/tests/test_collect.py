"""``ioledger collect``: what a machine shows becomes a manifest, and what identifies it does not."""

from __future__ import annotations

import json
import os
import re
import shutil
from datetime import date
from typing import TYPE_CHECKING, Any

import pytest
from click.testing import CliRunner

from conftest import FIXTURES
from ioledger import __version__
from ioledger.cli.collect import collect
from ioledger.collect import THIS_MACHINE, Machine, Silence, draft, run_text
from ioledger.submission import safe_yaml, shape
from ioledger.submission.consistency import is_collected, machine_values
from ioledger.tables.schema import SCHEMAS
from test_collect_drives import made_machine

if TYPE_CHECKING:
    from pathlib import Path

    from conftest import Run

SERIAL = "S6B0NL0T512345"
FILES = {
    "sys/class/dmi/id/sys_vendor": "ACME",
    "sys/class/dmi/id/product_name": "Rocket 9 of bluebox",
    "sys/class/dmi/id/bios_version": "1.2.3",
    "proc/meminfo": "MemTotal:       65536 kB\nMemFree: 1 kB",
    "proc/stat": "cpu  1 2 3\nintr 4\nbtime 1795253400\nprocesses 5",
    "proc/cpuinfo": "processor\t: 0\nmicrocode\t: 0xa1\ncpu MHz\t\t: 2000.5",
    "sys/devices/system/cpu/cpu0/cpufreq/scaling_governor": "performance",
    "sys/devices/system/cpu/intel_pstate/no_turbo": "1",
    "sys/devices/system/cpu/smt/active": "0",
    "etc/os-release": 'NAME="X"\nPRETTY_NAME="Example Linux 9"',
    "sys/block/nvme0n1/device/device/current_link_speed": "8.0 GT/s PCIe",
    "sys/block/nvme0n1/device/device/current_link_width": "4",
    "sys/block/nvme0n1/queue/write_cache": "write back",
    "sys/block/nvme0n1/queue/scheduler": "[none] mq-deadline",
    "sys/module/nvme/version": "1.0",
    "sys/block/nvme0n1/queue/nr_requests": "1023",
    "proc/sys/vm/dirty_ratio": "20",
    "sys/module/pcie_aspm/parameters/policy": "default [performance] powersave",
    "sys/devices/system/cpu/vulnerabilities/meltdown": "Mitigation: PTI",
    "sys/devices/system/cpu/vulnerabilities/mds": "Vulnerable: no microcode",
    "sys/devices/system/cpu/vulnerabilities/l1tf": "Not affected",
}
NODE = {
    "name": "nvme0n1", "type": "disk", "model": "Samsung SSD 980 PRO 1TB", "vendor": None, "rev": None,
    "serial": SERIAL, "tran": "nvme", "rota": False, "log-sec": 512, "phy-sec": 512, "size": 1000204886016,
}  # fmt: skip
ANSWERS: dict[tuple[str, ...], Any] = {
    ("lscpu", "-J"): {"lscpu": [
        {"field": "CPU(s):", "data": "16"}, {"field": "Core(s) per socket:", "data": "4"},
        {"field": "Socket(s):", "data": "2"}, {"field": "Model name:", "data": "Xeon @ 3.50GHz"},
    ]},
    ("findmnt",): {"filesystems": [{"source": "/dev/mapper/vg-x[/sub]", "fstype": "xfs", "options": "rw,noatime"}]},
    ("lsblk",): {"blockdevices": [{"name": "vg-x", "type": "lvm", "children": [NODE]}]},
    ("nvme", "id-ctrl"): {
        "mn": "Samsung SSD 980 PRO 1TB   ", "fr": "5B2QGXA7", "sn": SERIAL, "tnvmcap": 1000204886016, "wctemp": 355,
    },
    ("uname", "-r"): "6.1.0-bluebox+aa:bb:cc:dd:ee:ff",
    ("uname", "-n"): "bluebox.example.org",
    ("stat",): "4096",
    ("systemd-detect-virt", "--vm"): "none",
}  # fmt: skip


@pytest.fixture
def machine(tmp_path: Path) -> Machine:
    """Return a machine with an NVMe drive below a logical volume, an identifying host name, and no smartctl."""
    return made_machine(tmp_path, FILES, ANSWERS)


@pytest.fixture
def drafted(machine: Machine) -> dict[str, Any]:
    """Return the draft for a file on that machine."""
    return draft.draft(machine, "/data/test.dat", None, "Ann", date(2026, 11, 21))


def test_what_the_machine_shows_is_collected(drafted: dict[str, Any]) -> None:
    """Every value is in SI units and says how it is known; the text reads back, and lacks nothing but its files."""
    read, lines = safe_yaml.load_yaml(safe_yaml.dump_yaml(drafted).encode())
    assert read == drafted
    assert [each.what for each in shape.shape_problems(read, "manifest.yaml", lines)] == ["the manifest lacks files"]
    host = drafted["systems"]["host"]
    device = drafted["devices"]["samsung-ssd-980-pro-1tb-1000gb"]
    (configuration,) = drafted["configurations"].values()
    assert host["cpu_core_count"] == {"value": 8, "how_known": "collected"}
    assert host["cpu_nominal_hertz"]["value"] == 3_500_000_000
    assert host["memory_bytes"]["value"] == 65536 * 1024
    assert host["booted_at"] == {"value": "2026-11-21T09:30:00Z", "how_known": "collected"}
    assert host["cpu_power_state"]["value"] == "governor performance, turbo off, SMT off"
    assert device["firmware"]["value"] == "5B2QGXA7"
    assert device["throttle_temperature_kelvin"] == {"value": 355, "how_known": "collected"}
    assert device["link_negotiated"]["value"] == "8.0 GT/s PCIe, 4 lanes"
    assert device["media_class"] == {
        "value": "ssd_nvme", "how_known": "inferred", "note": "from the transport and the model's name",
    }  # fmt: skip
    assert configuration["storage"]["storage_topology"]["value"] == "single"
    assert configuration["storage"]["filesystem"]["value"] == "xfs"
    assert configuration["software"]["io_scheduler"]["value"] == "none"
    assert {name: each["value"] for name, each in host["settings"]["os"].items()} == {
        "vm.dirty_ratio": "20", "pcie_aspm policy": "performance", "mitigations": "mitigated: meltdown; open: mds",
    }  # fmt: skip
    assert configuration["settings"] == {"driver": {"nr_requests": {"value": "1023", "how_known": "collected"}}}


def test_what_identifies_the_machine_stays_there(drafted: dict[str, Any]) -> None:
    """No serial number, host name or hardware address is in the text; the serial's hash is."""
    text = safe_yaml.dump_yaml(drafted)
    assert SERIAL not in text
    assert "bluebox" not in text
    assert "aa:bb:cc" not in text
    assert drafted["configurations"]["samsung-ssd-980-pro-1tb-1000gb"]["software"]["kernel"]["value"] == (
        "6.1.0-(removed)+(removed)"
    )
    (digest,) = drafted["systems"]["host"]["settings"]["drive"].values()
    assert re.fullmatch(r"[0-9a-f]{32}", digest["value"])
    assert digest["value"] == draft.hash_serial(SERIAL, "Samsung SSD 980 PRO 1TB")
    assert digest["value"] != draft.hash_serial(SERIAL, "another model")


def test_a_machine_that_shows_nothing_gives_reasons(tmp_path: Path) -> None:
    """Without any program and any file every required value is unknown, each with its reason, and the rest is sound."""
    made = draft.draft(made_machine(tmp_path, {}), "/x", None, "Ann", date(2026, 11, 21))
    known, total, reasons = draft.completeness(made)
    assert (known, total) == (0, 42)
    silent = {field.rpartition(".")[2]: why for field, why in reasons.items() if why.startswith("not run: ")}
    assert (silent["cpu_model"], len(silent)) == ("not run: lscpu is missing", 17)
    problems = shape.shape_problems(made, "manifest.yaml", {})
    assert [problem.what for problem in problems] == ["the manifest lacks files"]


def test_an_array_and_two_models_are_told_apart(machine: Machine) -> None:
    """A RAID 1 of two models has two devices; a disk rotates and says so in hertz."""
    disk = {**NODE, "name": "sda", "model": "ST4000", "tran": "sata", "rota": True, "serial": "Z1234567"}
    other = {**disk, "name": "sdb", "model": "ST4001"}
    smart = {"rotation_rate": 7200, "interface_speed": {"current": {"string": "6.0 Gb/s"}}}

    def run(command: tuple[str, ...]) -> str | Silence:
        if command[0] == "lsblk":
            return json.dumps({"blockdevices": [{"name": "md0", "type": "raid1", "children": [disk, other]}]})
        return json.dumps(smart) if command[0] == "smartctl" else machine.run(command)

    made = draft.draft(Machine(machine.root, run), "/dev/md0", "/dev/md0", "Ann", date(2026, 11, 21))
    (configuration,) = made["configurations"].values()
    assert configuration["storage"]["storage_topology"]["value"] == "raid1"
    assert configuration["storage"]["filesystem"]["value"] == "raw"
    assert configuration["storage"]["raid_implementation"]["value"] == "operating_system"
    assert "unknown" in configuration["storage"]["raid_stripe_bytes"]
    assert len(configuration["storage"]["drives"]) == len(made["devices"]) == 2
    device = made["devices"]["st4000-1000gb"]
    assert device["rotation_hertz"]["value"] == 120
    assert (device["media_class"]["value"], device["link_negotiated"]["value"]) == ("hdd", "6.0 Gb/s")


def test_the_command_writes_a_draft_on_this_machine_and_says_what_is_left_to_state(
    ioledger: Run, tmp_path: Path
) -> None:
    """Without root, whatever is missing here, with the score; each placeholder has its place in the file."""
    path = tmp_path / "manifest.yaml"
    done = ioledger("collect", "--target", tmp_path, "--submitted-by", "Ann", "-o", path)
    assert done.returncode == 0, done.stderr
    text = path.read_text(encoding="utf-8")
    assert safe_yaml.load_yaml(text.encode())[0]["submitted_by"] == "Ann"
    assert re.search(r"^\d+ of 42 required values are known$", done.stderr, re.MULTILINE)
    host, _ = run_text(THIS_MACHINE, "uname", "-n")
    assert len(host) < draft.SHORTEST or not re.search(rf"\b{re.escape(host)}\b", text)
    told = re.findall(rf"^{re.escape(str(path))}:(\d+): (\S+) is still to be stated", done.stderr, re.MULTILINE)
    assert {name.rpartition(".")[2] for _, name in told} >= {"steady_state_class"}
    for field in ("cache_bypass", "data_pattern", "file_written", "measurement_area_bytes"):
        assert field not in done.stderr  # ioledger add reads it from the results, and says where it cannot
    for number, name in told:
        assert text.splitlines()[int(number) - 1].strip().startswith(f"{name.rpartition('.')[2]}:")


DAY = 1_763_726_400
"""Noon of 2025-11-21 UTC, in seconds since 1970."""


def _runs(tmp_path: Path, **ended: int) -> draft.Runs:
    """Return reports of fio, by name, that end at these seconds since 1970; each is of another version."""
    for name, seconds in ended.items():
        report = json.loads((FIXTURES / "submission" / "report.json").read_text(encoding="utf-8"))
        report |= {"timestamp": seconds, "timestamp_ms": seconds * 1000, "fio version": f"fio-3.{len(name)}"}
        del report["jobs"][0]["job_start"]
        (tmp_path / f"{name}.json").write_text(json.dumps(report), encoding="utf-8")
    found, without, problems = draft.read(tmp_path / f"{name}.json" for name in ended)
    assert (without, problems) == ([], [])
    return found


def _draft(machine: Machine, runs: draft.Runs, today: date, *, unchanged: bool = False) -> dict[str, Any]:
    return draft.draft(machine, "/data/test.dat", None, "Ann", today, runs=runs, unchanged=unchanged)


def _collected(made: dict[str, Any]) -> set[str]:
    """Return the fields that are tagged as read from the machine."""
    return {path[-1] for path, fields, key in machine_values(made) if is_collected(fields[key])}


def test_tool_version_and_day_are_those_of_the_results(machine: Machine, tmp_path: Path) -> None:
    """The fio that is installed and today's date are nowhere; the machine was read on the day after the run."""
    made = _draft(machine, _runs(tmp_path, run=DAY), date(2025, 11, 22))
    (configuration,) = made["configurations"].values()
    assert configuration["software"]["tool"] == {"value": "fio", "how_known": "collected"}
    assert configuration["software"]["tool_version"] == {"value": "fio-3.3", "how_known": "collected"}
    assert (made["tested_on"], made["collected_on"]) == ("2025-11-21", "2025-11-22")
    assert made["collector_version"] == __version__
    assert made["title"] == "Samsung SSD 980 PRO 1TB, measured on 2025-11-21"
    assert {"cpu_model", "firmware", "kernel", "filesystem"} <= _collected(made)
    host = made["systems"]["host"]
    assert host["cpu_model"]["note"] == draft.OFFERED
    assert host["cpu_nominal_hertz"]["note"] == f"from the name of the processor; {draft.OFFERED}"


@pytest.mark.parametrize("days", [-4000, -2, 2, 400], ids=["years ago", "two days ago", "in two days", "next year"])
def test_a_machine_that_nobody_saw_at_the_run_is_unknown(machine: Machine, tmp_path: Path, days: int) -> None:
    """Every value says which run was when, and when the machine was read; the shape is sound all the same."""
    made = _draft(machine, _runs(tmp_path, run=DAY + days * 86_400), date(2025, 11, 21))
    values = [(path, fields[key]) for path, fields, key in machine_values(made)]
    assert _collected(made) == set()
    for path, value in values:
        assert "run.json ran on" in value["unknown"], path
        assert "the machine was read on 2025-11-21" in value["unknown"]
    assert [re.fullmatch(r"unnamed-disk-[0-9a-f]{8}", key) is not None for key in made["devices"]] == [True]
    assert [problem.what for problem in shape.shape_problems(made, "manifest.yaml", {})] == ["the manifest lacks files"]


def test_one_old_run_among_new_ones_is_enough(machine: Machine, tmp_path: Path) -> None:
    """Of two files with two versions neither is chosen, and both are named."""
    made = _draft(machine, _runs(tmp_path, new=DAY, older=DAY - 20 * 86_400), date(2025, 11, 21))
    (configuration,) = made["configurations"].values()
    assert configuration["software"]["tool_version"] == {"unknown": "the files state 2 versions: fio-3.3, fio-3.5"}
    assert made["tested_on"] == "2025-11-01"
    assert _collected(made) == set()


def test_a_result_without_a_date_does_not_tell_that_it_is_new(machine: Machine) -> None:
    """Terse output has none; its version is taken, the machine is not."""
    found, *_ = draft.read((FIXTURES / "fio" / "terse-v4").glob("input.*"))
    made = _draft(machine, found, date(2025, 11, 21))
    (configuration,) = made["configurations"].values()
    assert configuration["software"]["tool"]["value"] == "fio"
    assert configuration["software"]["kernel"]["unknown"].startswith("nothing in input.txt states when it ran")
    assert made["tested_on"] == "unknown"


def test_a_person_may_declare_that_the_machine_is_as_it_was(machine: Machine, tmp_path: Path) -> None:
    """Then the person answers for it, and the manifest says so."""
    made = _draft(machine, _runs(tmp_path, run=DAY - 400 * 86_400), date(2025, 11, 21), unchanged=True)
    host = made["systems"]["host"]
    note = "read on 2025-11-21, declared to be unchanged since the runs"
    assert host["cpu_model"] == {"value": "Xeon @ 3.50GHz", "how_known": "declared", "note": note}
    assert host["cpu_nominal_hertz"]["note"] == f"from the name of the processor; {note}"
    assert host["booted_at"]["unknown"].endswith("and the machine was read on 2025-11-21")
    assert _collected(made) == set()


@pytest.mark.parametrize("stat", ["cpu 1 2 3", "btime 31", "btime 9999999999"])
def test_a_clock_that_was_not_set_tells_no_start_of_the_machine(stat: str, machine: Machine) -> None:
    """Nor does a kernel that does not show it."""
    (machine.root / "proc/stat").write_text(stat + "\n", encoding="utf-8")
    made = draft.draft(machine, "/data/test.dat", None, "Ann", date(2026, 11, 21))
    assert made["systems"]["host"]["booted_at"] == {"unknown": "/proc/stat does not show it"}


def test_results_that_exist_are_collected_for_and_this_machine_is_not_read(ioledger: Run, tmp_path: Path) -> None:
    """Folders and archives, what a person declares, and nothing of the machine at hand but what the files tell."""
    pile = tmp_path / "古い 結果"
    pile.mkdir()
    (pile / "run 1.json").write_bytes((FIXTURES / "submission" / "report.json").read_bytes())
    output = tmp_path / "manifest.yaml"
    values = ("model=HGST 1TB", "media_class=hdd", "firmware=unknown: the label is gone")
    states = [part for value in values for part in ("--state", value)]
    common = ("collect", "--submitted-by", "ann", "-o", output, "--for", pile)
    done = ioledger(*common, *states)
    assert done.returncode == 0, done.stderr
    document, _ = safe_yaml.load_yaml(output.read_bytes())
    assert set(document["systems"]["host"]["cpu_model"]) == {"unknown"}
    (device,) = document["devices"].values()
    assert device["model"] == {"value": "HGST 1TB", "how_known": "declared"}
    assert (device["firmware"], set(device["rotation_hertz"])) == ({"unknown": "the label is gone"}, {"unknown"})
    assert device["overprovisioning"] == {"none": "a rotating disk has none"}
    assert list(document["devices"]) == list(document["configurations"]) == ["hgst-1tb"]
    added = ioledger("add", pile, "--manifest", output, "--data", tmp_path / "data")
    assert added.returncode == 0, added.stderr
    (kept,) = (tmp_path / "data").glob("*/manifest.yaml")
    assert kept.read_text(encoding="utf-8").startswith(
        "# yaml-language-server: $schema=../../schemas/manifest.schema.json\n"
    )
    assert ioledger("check", "--data", tmp_path / "data").returncode == 0
    assert ioledger(*common, "--state", "colour=red").returncode == 2
    hint = output.read_text(encoding="utf-8").partition("\n")[0].partition("$schema=")[2]
    assert (output.parent / hint).resolve() == SCHEMAS.resolve() / "manifest.schema.json"
    before = output.read_bytes()
    refused = ioledger(*common, "--state", "media_class=ssd")
    assert (refused.returncode, output.read_bytes()) == (1, before)
    assert "media_class is" in refused.stderr
    assert "ssd_nvme" in refused.stderr
    assert ioledger(*common, "--replace", *states).returncode == 0
    wrong = ioledger(*common, "--replace", "--state", "capacity_bytes=abc")
    assert (wrong.returncode, "capacity_bytes is" in wrong.stderr) == (1, True)
    without = ioledger("collect", "--for", output)
    assert (without.returncode, "[R-COLLECT-2]" in without.stderr) == (1, True)


@pytest.mark.parametrize("name", ["streaming.json", "test.dat", "notes.txt"])
def test_a_file_beside_the_target_is_not_overwritten(name: str, ioledger: Run, tmp_path: Path) -> None:
    """The result that was just read, the file that was measured, and anything else."""
    shutil.copy(FIXTURES / "submission" / "report.json", tmp_path / "streaming.json")
    (tmp_path / "test.dat").write_bytes(b"measured")
    (tmp_path / "notes.txt").write_text("of the day", encoding="utf-8")
    before = (tmp_path / name).read_bytes()
    done = ioledger("collect", "--target", tmp_path / "test.dat", "--submitted-by", "Ann", "-o", tmp_path / name)
    assert done.returncode == (2 if name == "test.dat" else 1)
    assert ("would be lost" if name == "test.dat" else "[R-COLLECT-1]") in done.stderr
    assert (tmp_path / name).read_bytes() == before


@pytest.mark.parametrize(("device", "why"), [("/dev/nvme9n99", "there is none"), ("/dev/null", "no block device")])
def test_a_device_is_a_block_device_that_is_there(device: str, why: str, ioledger: Run) -> None:
    """A typing error must not become a target without a file system."""
    done = ioledger("collect", "--device", device)
    assert (done.returncode, why in done.stderr) == (2, True)


@pytest.mark.parametrize(
    ("options", "reason"),
    [({"hostname": "other.example"}, "another host"), ({"filename": "/dev/nvme7n1"}, "/dev/nvme7n1, which"),
     ({"hostname": "bluebox"}, None), ({"hostname": "127.0.0.1"}, None), ({"filename": "/dev/nvme0n1"}, None)],
)  # fmt: skip
def test_runs_on_another_machine_tell_nothing_of_this_one(
    options: dict[str, str], reason: str | None, machine: Machine, tmp_path: Path
) -> None:
    """A host or a device that this machine is not, or does not have."""
    (machine.root / "dev").mkdir()
    (machine.root / "dev" / "nvme0n1").touch()
    _runs(tmp_path, run=DAY)
    report = json.loads((tmp_path / "run.json").read_text(encoding="utf-8"))
    report["global options"] |= options
    (tmp_path / "run.json").write_text(json.dumps(report), encoding="utf-8")
    found, *_ = draft.read([tmp_path / "run.json"])
    made = _draft(machine, found, date(2025, 11, 21))
    assert bool(_collected(made)) == (reason is None)
    assert reason is None or reason in made["systems"]["host"]["cpu_model"]["unknown"]


def test_a_manifest_that_says_something_else_is_replaced_only_on_request(ioledger: Run, tmp_path: Path) -> None:
    """What a person has written into it would be lost."""
    path = tmp_path / "m.yaml"
    command = ("collect", "--target", tmp_path, "--submitted-by", "Ann", "-o", path)
    assert ioledger(*command).returncode == 0
    edited = path.read_text(encoding="utf-8").replace("affiliation: unknown", "affiliation: independent")
    path.write_text(edited, encoding="utf-8")
    done = ioledger(*command)
    assert (done.returncode, "[R-COLLECT-1]" in done.stderr) == (1, True)
    assert path.read_text(encoding="utf-8") == edited
    assert ioledger(*command, "--replace").returncode == 0
    assert "affiliation: unknown" in path.read_text(encoding="utf-8")


@pytest.mark.parametrize("name", ["empty.json", "noise.json", "pipe"])
def test_a_file_without_results_is_collected_for_by_nobody(name: str, ioledger: Run, tmp_path: Path) -> None:
    """An empty file, one of no tool, and a pipe, which might have no end."""
    (tmp_path / "empty.json").touch()
    (tmp_path / "noise.json").write_text("{]", encoding="utf-8")
    os.mkfifo(tmp_path / "pipe")
    output = tmp_path / "m.yaml"
    for arguments in ([tmp_path / name], ["--for", tmp_path / name]):
        done = ioledger("collect", *arguments, "--submitted-by", "Ann", "-o", output)
        assert (done.returncode, output.exists()) == (1, False), done.stderr


def test_a_name_that_is_not_utf_8_leaves_a_manifest_that_is(machine: Machine, tmp_path: Path) -> None:
    """The name stands in the reasons of what nobody saw."""
    path = tmp_path / os.fsdecode(b"old\xff.json")
    shutil.copy(FIXTURES / "submission" / "report.json", path)
    found, *_ = draft.read([path])
    text = safe_yaml.dump_yaml(_draft(machine, found, date(2026, 11, 21)))
    assert "ran on 2025-11-21" in text.encode("utf-8").decode("utf-8")


def test_another_system_than_linux_says_what_to_fill_in(monkeypatch: pytest.MonkeyPatch) -> None:
    """And how the results are named."""
    monkeypatch.setattr("sys.platform", "win32")
    done = CliRunner().invoke(collect, [])
    assert done.exit_code == 2
    assert "Name the results with --for, and fill in by hand: model, firmware, media_class" in done.output


def test_power_is_a_fact_that_a_person_may_state_and_no_draft_asks_for() -> None:
    """What a maker states of a drive goes to the drive, what was measured to the method."""
    configuration: dict[str, Any] = {"storage": {}, "software": {}, "method": {}}
    made: dict[str, Any] = {"devices": {"d": {}}, "systems": {"s": {}}, "configurations": {"c": configuration}}
    stated = {"stated_power_watts": "8.5", "power_supply_watts": "unknown: no plate", "power_mean_watts": "41"}
    assert all(draft.state(made, field, value) for field, value in stated.items())
    assert made["devices"]["d"] == {"stated_power_watts": {"value": 8.5, "how_known": "declared"}}
    assert made["systems"]["s"] == {"power_supply_watts": {"unknown": "no plate"}}
    assert configuration["method"] == {"power_mean_watts": {"value": 41, "how_known": "declared"}}
    assert not draft.state(made, "power_of_love", "1")
