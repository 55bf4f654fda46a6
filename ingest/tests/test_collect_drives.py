"""What ``ioledger collect`` tells of a bench and a drive: what it has, what it does not have, what was not seen."""

from __future__ import annotations

import json
from datetime import date
from typing import TYPE_CHECKING, Any

import pytest

from ioledger.collect import KEY_BYTES, Machine, Silence, bench_key, draft, drives, hash_id, system
from ioledger.submission import rows, safe_yaml
from ioledger.submission.consistency import is_collected
from ioledger.submission.shape import FROM_YOU

if TYPE_CHECKING:
    from pathlib import Path

INSTALLATION = "salted hash of the id of the operating system's installation"
UUID = "4c4c4544-0035-5910-8052-b4c04f4b3832"
NVME = {"name": "nvme0n1", "type": "disk", "tran": "nvme", "log-sec": 512, "phy-sec": 4096, "size": 10**12}
SATA = {"name": "sda", "type": "disk", "tran": "sata", "log-sec": 512, "phy-sec": 4096, "size": 10**12}
VIRTIO = {"name": "vda", "type": "disk", "tran": None, "log-sec": 512, "phy-sec": 512, "size": 10**12}


def made_machine(root: Path, files: dict[str, str], answers: dict[tuple[str, ...], Any] | None = None) -> Machine:
    """Return a machine with these files, whose programs answer so; every other program is missing."""
    for name, text in files.items():
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        (root / name).write_text(text + "\n", encoding="utf-8")

    def run(command: tuple[str, ...]) -> str | Silence:
        for known, answer in (answers or {}).items():
            if command[: len(known)] == known:
                return answer if isinstance(answer, str) else json.dumps(answer)
        return Silence(f"not run: {command[0]} is missing")

    return Machine(root, run)


def test_a_bench_has_a_key_and_its_id_stays_there(tmp_path: Path) -> None:
    """The same id gives the same key in any spelling; the id is in no text of the draft."""
    machine = made_machine(tmp_path, {"sys/class/dmi/id/product_uuid": UUID.upper(), "etc/machine-id": "a1" * 16})
    made = draft.draft(machine, "/x", None, "Ann", date(2026, 11, 21))
    key = made["systems"]["host"]["bench_key"]
    assert key == {"value": hash_id(UUID), "how_known": "collected", "note": "salted hash of the firmware's UUID"}
    assert len(key["value"]) == 2 * KEY_BYTES
    text = safe_yaml.dump_yaml(made)
    assert UUID not in text.lower()
    assert "a1a1" not in text


@pytest.mark.parametrize(
    ("files", "note"),
    [
        ({"sys/class/dmi/id/board_serial": "/7X3K1S2/CN747"}, "salted hash of the board's serial number"),
        ({"sys/class/dmi/id/board_serial": "Default string"}, INSTALLATION),
        ({"sys/class/dmi/id/product_uuid": "FFFFFFFF-FFFF-FFFF-FFFF-FFFFFFFFFFFF"}, INSTALLATION),
        ({"sys/class/dmi/id/product_uuid": "03000200-0400-0500-0006-000700080009"}, INSTALLATION),
        ({"etc/machine-id": ""}, None),
    ],
    ids=["a board", "a board without one", "no UUID", "the UUID of many boards", "no id at all"],
)  # fmt: skip
def test_what_many_machines_share_is_no_id(files: dict[str, str], note: str | None, tmp_path: Path) -> None:
    """Makers leave words and one UUID in the place of an id; two such machines are not one bench."""
    found = bench_key(made_machine(tmp_path, {"etc/machine-id": "0f" * 16} | files))
    assert found.get("note") == note
    assert note or found == {"unknown": "the machine shows no id of its own to this user"}


@pytest.mark.parametrize(
    ("disk", "kernel", "answers", "expected"),
    [
        (NVME, "write back", {("nvme", "id-ctrl"): {"vwc": 6}}, "none"),
        (NVME, "write back", {("nvme", "id-ctrl"): {"vwc": 7}}, "enabled"),
        (NVME, "write back", {("nvme", "id-ctrl"): {"vwc": 7}, ("nvme", "get-feature"):
            "get-feature:0x06 (Volatile Write Cache), Current value:00000000"}, "disabled"),
        (NVME, "write back", {("nvme", "id-ctrl"): {"vwc": 1}, ("nvme", "get-feature"):
            "get-feature:0x6 (Volatile Write Cache), Current value:0x000001 "}, "enabled"),
        (NVME, "write through", {}, "none"),
        (SATA, "write back", {("smartctl",): {"write_cache": {"enabled": False}}}, "disabled"),
        (SATA, "write through", {("smartctl",): {"write_cache": {"enabled": True}}}, "enabled"),
        (SATA, "write through", {}, "disabled"),
        (SATA, "write back", {}, "enabled"),
        (VIRTIO, "write through", {}, "none"),
        (VIRTIO, "write back", {}, "enabled"),
        (SATA, "", {}, None),
    ],
)  # fmt: skip
def test_a_write_cache_is_none_enabled_or_disabled(
    disk: dict[str, Any], kernel: str, answers: dict[tuple[str, ...], Any], expected: str | None, tmp_path: Path
) -> None:
    """The drive's own word goes before the kernel's, which calls no cache and one that is off the same."""
    machine = made_machine(tmp_path, {f"sys/block/{disk['name']}/queue/write_cache": kernel}, answers)
    fields, _ = drives.describe(machine, disk)
    found = fields["write_cache"]
    assert (found.get("value"), bool(found.get("note"))) == (expected, expected is not None)


@pytest.mark.parametrize(
    ("namespace", "expected"),
    [
        ({"flbas": 0x11, "lbafs": [{"ms": 0, "ds": 9}, {"ms": 8, "ds": 12}]}, "+8"),
        ({"flbas": 0x21, "lbafs": [{"ms": 0}] * 17 + [{"ms": 64}]}, "+64"),
        ({"flbas": 9, "lbafs": [{"ms": 0, "ds": 9}]}, ""),
        ({}, ""),
    ],
    ids=["another format", "the eighteenth", "a format that is not listed", "no answer"],
)
def test_a_block_format_has_its_metadata_where_the_drive_tells_it(
    namespace: dict[str, Any], expected: str, tmp_path: Path
) -> None:
    """The low bits of ``flbas`` are the number of the format in use; bit 4 says where metadata goes."""
    fields, _ = drives.describe(made_machine(tmp_path, {}, {("nvme", "id-ns"): namespace}), NVME)
    stated = fields["lba_format"]
    assert stated.get("value", stated.get("other")) == f"512/4096{expected}"


def test_a_virtual_disk_has_no_link_and_no_firmware_and_what_is_behind_it_is_unknown(tmp_path: Path) -> None:
    """What does not exist is told from what nobody sees, and is as far away in time as what was read."""
    fields, _ = drives.describe(made_machine(tmp_path, {}), VIRTIO)
    for field in ("firmware", "link_negotiated", "form_factor"):
        assert "none" in fields[field], field
        assert is_collected(fields[field])
    assert "unknown" in fields["power_loss_protection"]
    assert "unknown" in fields["model"]


def test_a_raw_device_has_no_allocation_unit_and_no_mount_options(tmp_path: Path) -> None:
    """A file system's fields are not applicable to it, and count as known."""
    machine = made_machine(tmp_path, {}, {("lsblk",): {"blockdevices": [NVME]}})
    made = draft.draft(machine, "/dev/nvme0n1", "/dev/nvme0n1", "Ann", date(2026, 11, 21))
    (configuration,) = made["configurations"].values()
    storage = configuration["storage"]
    assert storage["filesystem"]["value"] == "raw"
    assert "none" in storage["allocation_unit_bytes"]
    assert "none" in storage["mount_options"]
    assert "none" in storage["controller_model"]
    _, total, reasons = draft.completeness(made)
    assert total == sum(map(len, rows.list_required().values()))
    assert not any("allocation_unit_bytes" in field or "controller_model" in field for field in reasons)


@pytest.mark.parametrize(
    ("files", "expected"),
    [
        ({"sys/devices/system/cpu/cpu0/topology/core_id": "0"}, "none"),
        ({"sys/devices/system/cpu/cpu0/cpufreq/scaling_governor": "powersave"}, "value"),
        ({}, "unknown"),
    ],
    ids=["no cpufreq", "a governor", "no processor shown"],
)
def test_a_power_plan_is_none_where_the_kernel_has_no_governor(
    files: dict[str, str], expected: str, tmp_path: Path
) -> None:
    """A machine whose processor is not shown may have one."""
    assert expected in system.software(made_machine(tmp_path, files), None)["power_plan"]


def test_a_hypervisor_is_told_by_lscpu_where_nothing_else_tells_it(tmp_path: Path) -> None:
    """In lower case, as systemd-detect-virt writes it."""
    cpu = {"lscpu": [{"field": "Hypervisor vendor:", "data": "KVM"}]}
    assert system.computer(made_machine(tmp_path, {}, {("lscpu",): cpu}))["virtualisation"]["value"] == "kvm"


LOOP = {"name": "loop7", "type": "loop", "tran": None, "rota": True, "log-sec": 512, "phy-sec": 512, "size": 64 << 20}
LOOP_FILES = {
    "sys/block/loop7/size": "131072",
    "sys/block/loop7/queue/scheduler": "[none] mq-deadline",
    "sys/block/loop7/queue/write_cache": "write back",
    "sys/block/loop7/queue/logical_block_size": "512",
    "sys/block/loop7/queue/physical_block_size": "4096",
}


@pytest.mark.parametrize("answers", [{("lsblk",): {"blockdevices": [LOOP]}}, {}], ids=["lsblk", "the kernel alone"])
def test_a_loop_device_is_a_virtual_disk_of_which_the_kernel_tells(answers: dict[Any, Any], tmp_path: Path) -> None:
    """Size, scheduler, cache and blocks are shown, with lsblk or without; it rotates as little as any file."""
    machine = made_machine(tmp_path, LOOP_FILES, answers)
    made = draft.draft(machine, "/dev/loop7", "/dev/loop7", "Ann", date(2026, 11, 21))
    (device,), (configuration,) = made["devices"].values(), made["configurations"].values()
    assert device["media_class"]["value"] == "virtual"
    assert device["capacity_bytes"]["value"] == 64 << 20
    assert device["write_cache"]["value"] == "enabled"
    assert device["lba_format"]["value"].startswith("512/")
    assert configuration["software"]["io_scheduler"]["value"] == "none"
    assert configuration["software"]["driver_name"]["value"] == "loop"
    assert configuration["storage"]["storage_topology"]["value"] == "single"


def _device(root: Path, identity: str, disk: dict[str, Any]) -> str:
    """Return what a device is called that a machine with this id has."""
    files = {"etc/machine-id": identity} if identity else {}
    machine = made_machine(root, files, {("lsblk",): {"blockdevices": [disk]}})
    (key,) = draft.draft(machine, "/dev/x", "/dev/x", "Ann", date(2026, 11, 21))["devices"]
    return str(key)


def test_two_strangers_have_two_virtual_disks_and_one_bench_has_one(tmp_path: Path) -> None:
    """A model tells drives apart; without one, and behind a hypervisor, only bench and place do."""
    mine, yours = "0f" * 16, "1e" * 16
    first = _device(tmp_path / "a", mine, VIRTIO)
    assert first.startswith("virtio-disk-1000gb-")
    assert _device(tmp_path / "a", mine, VIRTIO) == first
    assert _device(tmp_path / "b", yours, VIRTIO) != first
    assert _device(tmp_path / "a", mine, VIRTIO | {"name": "vdb"}) != first
    emulated = VIRTIO | {"name": "sda", "model": "QEMU HARDDISK"}
    assert _device(tmp_path / "a", mine, emulated) != _device(tmp_path / "b", yours, emulated)
    drive = SATA | {"model": "ST1000"}
    assert _device(tmp_path / "a", mine, drive) == _device(tmp_path / "b", yours, drive) == "st1000-1000gb"


def test_a_machine_without_an_id_draws_the_mark_of_a_device(tmp_path: Path) -> None:
    """Nobody can say then that the device was seen before, and the path of a target stays where it is."""
    first, second = (_device(tmp_path / "a", "", VIRTIO) for _ in range(2))
    assert first != second
    machine = made_machine(tmp_path / "a", {"etc/machine-id": "0f" * 16})
    marks = {
        key
        for target in ("/home/ann/a", "/home/ann/b")
        for key in draft.draft(machine, target, None, "Ann", date(2026, 11, 21))["devices"]
    }
    assert len(marks) == 2
    assert not any("ann" in key for key in marks)


def test_a_device_keeps_its_mark_until_its_model_is_stated(tmp_path: Path) -> None:
    """A person who knows the drive names it."""
    machine = made_machine(tmp_path, {"etc/machine-id": "0f" * 16}, {("lsblk",): {"blockdevices": [SATA]}})
    common = machine, "/dev/sda", "/dev/sda", "Ann", date(2026, 11, 21)
    keys = [
        next(iter(draft.draft(*common, statements=stated)["devices"]))
        for stated in ({}, {"firmware": "1.0"}, {"model": "ST1000"})
    ]
    assert keys[0].startswith("sata-disk-1000gb-")
    assert keys[1:] == [keys[0], "st1000-1000gb"]


@pytest.mark.parametrize(
    ("disk", "expected"),
    [(VIRTIO, "none"), (SATA | {"rota": True}, "none"), (SATA, "unknown"), (NVME, "unknown")],
    ids=["a virtual disk", "a rotating disk", "an SSD", "an NVMe drive"],
)
def test_spare_area_is_asked_for_where_there_may_be_one(disk: dict[str, Any], expected: str, tmp_path: Path) -> None:
    """It decides what writes of one model compare with."""
    fields, _ = drives.describe(made_machine(tmp_path, {}), disk)
    assert expected in fields["overprovisioning"]
    assert expected == "none" or fields["overprovisioning"]["unknown"] == FROM_YOU
