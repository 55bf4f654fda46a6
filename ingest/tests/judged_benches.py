"""Whole submissions made up for tests of what is judged, of which it is known what is true: rates from a seed."""

from __future__ import annotations

import copy
import hashlib
import math
import random
from typing import TYPE_CHECKING, Any, NamedTuple

import orjson

import made_reports as generate
from ioledger.submission import safe_yaml

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

    Stated = dict[str, Any]

HERE, THERE = "2026-09-ann-differing", "2026-09-bob-differing"
UNTOUCHED = tuple(f"2026-09-ann-untouched-{number}" for number in (1, 2))
UNTOUCHED_DAYS = tuple(f"2026-09-ann-untouched-days-{number}" for number in (1, 2))
TWO_DRIVES = "2026-09-ann-two-drives"
ARRAY = "2026-09-ann-array"
BOUND = "2026-09-ann-bound"
RESERVED = "2026-09-ann-reserved"
APART = "2026-09-ann-apart"

START = 1_788_256_800
"""2026-09-01, 10:00 UTC, in seconds since 1970."""
DAY_SECONDS, STEP_SECONDS, PAUSE_SECONDS = 86_400, 70, 10
AREA_BYTES = 64 << 30
VERSION = "fio-3.36"
FREE, BUSY = (10.0, 25.0), (35.0, 60.0)
"""Percent of a processor in user and system mode: the generator waits for the drive, or the drive for it."""
RATIO, SPREAD, REPETITIONS = 1.2, 0.02, 5
"""Of the two drives on one bench: true ratio, coefficient of variation, repetitions of each."""


class Load(NamedTuple):
    """A load: share of reads in percent, block size in bytes, queue depth."""

    percent: int
    block: int
    depth: int


class Side(NamedTuple):
    """One configuration of a bench; ``shifts`` are what an occasion adds to the logarithm of a rate."""

    name: str
    rates: dict[Load, float]
    starts: tuple[int, ...]
    shifts: tuple[float, ...] = ()
    spread: float = SPREAD
    processor: tuple[float, float] = FREE
    engine: str = "libaio"
    device_id: str = "acme-fast"
    device_count: int = 1
    device: Stated = {}  # noqa: RUF012  (read only)
    storage: Stated = {}  # noqa: RUF012  (read only)
    software: Stated = {}  # noqa: RUF012  (read only)
    reservations: tuple[Stated, ...] = ()
    processes: int = 1
    """How many share the load, each with its part of the depth; reported apart, or together as a group."""
    is_grouped: bool = False


SYSTEM: Stated = {
    "system_vendor": "Acme", "system_model": "Bench 1", "cpu_model": "Acme 64", "cpu_socket_count": 1,
    "cpu_core_count": 16, "cpu_thread_count": 32, "cpu_nominal_hertz": 3_000_000_000,
    "cpu_power_state": "idle driver none, SMT on", "cpu_microcode": "0x1", "memory_bytes": 128 << 30,
    "bios_version": "1.0", "virtualisation": "none",
}  # fmt: skip
DEVICE: Stated = {
    "vendor": "Acme", "model": "Fast", "firmware": "1.0", "media_class": "ssd_nvme", "nand_type": "TLC",
    "capacity_bytes": 1_000_000_000_000, "interface_protocol": "NVMe", "interface_generation": "PCIe 4.0",
    "link_negotiated": "PCIe 4.0 x4", "form_factor": "U.2", "lba_format": "512/4096",
    "write_cache": "enabled", "power_loss_protection": "yes",
}  # fmt: skip
STORAGE: Stated = {
    "storage_topology": "single", "filesystem": "ext4", "allocation_unit_bytes": 4096, "mount_options": "none",
}  # fmt: skip
SOFTWARE: Stated = {
    "operating_system": "debian 12", "kernel": "6.1.0", "driver_name": "nvme",
    "driver_version": {"none": "it is part of the kernel"}, "io_scheduler": "none",
    "power_plan": "governor performance", "tool": "fio", "tool_version": VERSION,
}  # fmt: skip
METHOD: Stated = {
    "preconditioning": "the file was written once, sequentially, with random data", "preconditioning_class": "filled",
    "steady_state": "none", "steady_state_class": "none", "measurement_area": "a file of 64 GiB",
    "measurement_area_bytes": AREA_BYTES, "file_written": "yes",
    "data_pattern": "incompressible", "cache_bypass": "direct",
    "run_time_seconds": 60, "ramp_seconds": 10, "alignment_bytes": 4096, "process_count": 1, "reported_run": "all",
    "latency_kind": "total", "unit_base": "exact",
}  # fmt: skip


def differing(data: Path) -> tuple[Path, ...]:
    """Two strangers, each with a drive of its own, whose benches differ in five ways that each is stated."""
    loads = {Load(100, 4096, 4): 40_000.0, Load(0, 4096, 4): 60_000.0}
    here = Side("fast-ext4", loads, _sweeps(len(loads)))
    there = Side(
        "other-xfs",
        {load: rate * RATIO for load, rate in loads.items()},
        _sweeps(len(loads), START + DAY_SECONDS),
        engine="io_uring",
        device_id="bolt-other",
        device={"vendor": "Bolt", "model": "Other", "write_cache": "disabled", "lba_format": "4096/4096"},
        storage={"filesystem": "xfs"},
        software={"io_scheduler": "mq-deadline"},
    )  # fmt: skip
    return _submission(data, HERE, [here]), _submission(data, THERE, [there], system={"system_model": "Bench 9"})


def untouched(data: Path) -> tuple[Path, ...]:
    """One drive that nobody touched, on two days 4 % apart whose runs differ by 1 %: one occasion each."""
    load = {Load(100, 4096, 4): 40_000.0}
    sides = [
        Side("disk", load, _sweeps(1, START + day * DAY_SECONDS), shifts=(shift,) * REPETITIONS, spread=0.01)
        for day, shift in enumerate((-0.02, 0.02))
    ]
    return tuple(_submission(data, name, [side]) for name, side in zip(UNTOUCHED, sides, strict=True))


def untouched_on_days(data: Path) -> tuple[Path, ...]:
    """One drive that nobody touched, measured on three days for each side: what the day adds is in the spread."""
    load = {Load(100, 4096, 4): 40_000.0}
    days = ((-0.02, 0.0, 0.025), (0.015, -0.03, 0.02))
    sides = [
        Side(
            "disk",
            load,
            tuple(
                START + (10 + 2 * day + side) * DAY_SECONDS + run * STEP_SECONDS for day in range(3) for run in (0, 1)
            ),
            shifts=tuple(shift for shift in shifts for _ in range(2)),
            spread=0.01,
        )
        for side, shifts in enumerate(days)
    ]
    return tuple(_submission(data, name, [side]) for name, side in zip(UNTOUCHED_DAYS, sides, strict=True))


def two_drives(data: Path) -> tuple[Path, ...]:
    """Two drives on one bench that took turns, five times each: the second is 1.2 times as fast."""
    rates = {Load(100, 4096, depth): rate for depth, rate in zip((1, 4, 16), (11e3, 40e3, 110e3), strict=True)}
    first, second = _turns(len(rates))
    faster = {load: rate * RATIO for load, rate in rates.items()}
    other = {"vendor": "Bolt", "model": "Other"}
    sides = [Side("fast", rates, first), Side("other", faster, second, device_id="bolt-other", device=other)]
    return (_submission(data, TWO_DRIVES, sides),)


def array(data: Path) -> tuple[Path, ...]:
    """RAID 0 of four at depths of 1 and 64, and one drive at 1, 16 and 64: as fast at 1, nearly four times at 64."""
    single = dict(zip((Load(100, 4096, depth) for depth in (1, 16, 64)), (12e3, 150e3, 400e3), strict=True))
    four = {Load(100, 4096, 1): 11.9e3, Load(100, 4096, 64): 580e3}
    first, second = _turns(len(single))
    storage = {"storage_topology": "raid0", "raid_implementation": "operating_system", "raid_stripe_bytes": 512 << 10}
    sides = [Side("one", single, first), Side("raid0-of-4", four, second, device_count=4, storage=storage)]
    return (_submission(data, ARRAY, sides),)


def bound(data: Path) -> tuple[Path, ...]:
    """Drives of which all but the first kept fio's process busy, so that their rate is a lower bound; one ran once."""
    load = Load(100, 4096, 16)
    first, second = _turns(1)
    other, once = ({"vendor": "Bolt", "model": model} for model in ("Other", "Once"))
    sides = [
        Side("free", {load: 100e3}, first),
        Side("busy", {load: 130e3}, second, device_id="bolt-other", device=other, processor=BUSY),
        Side("once", {load: 120e3}, second[:1], device_id="bolt-once", device=once, processor=BUSY),
    ]
    return (_submission(data, BOUND, sides),)


def reserved(data: Path) -> tuple[Path, ...]:
    """Four drives: one in doubt, one whose reads are excluded, one whose reads are under a reservation."""
    loads = {Load(100, 4096, 4): 40e3, Load(0, 4096, 4): 60e3}
    starts = [START + number * (len(loads) * STEP_SECONDS + PAUSE_SECONDS) for number in range(4 * REPETITIONS)]
    told: dict[str, tuple[Stated, ...]] = {
        "clean": (),
        "doubted": ({"kind": "zoned_emulation", "effect": "flagged", "reason": "a layer emulates the zones"},),
        "unwritten": ({
            "kind": "unwritten_area", "operation": "read", "effect": "excluded", "reason": "the area was never written",
        },),
        "small": ({"kind": "small_area", "operation": "read", "effect": "flagged", "reason": "4 GiB were read"},),
    }  # fmt: skip
    sides = [
        Side(
            name, loads, tuple(starts[number::4]), device_id=name, device={"vendor": "Bolt", "model": name},
            reservations=tuple(each | {"known_from": "README.md"} for each in reservations),
        )
        for number, (name, reservations) in enumerate(told.items())
    ]  # fmt: skip
    return (_submission(data, RESERVED, sides),)


def apart(data: Path) -> tuple[Path, ...]:
    """Two drives under two processes each: one report sums them, the other has an object for each."""
    load = {Load(100, 4096, 8): 80e3}
    first, second = _turns(1)
    other = {"vendor": "Bolt", "model": "Other"}
    sides = [
        Side("grouped", load, first, processes=2, is_grouped=True),
        Side("apart", load, second, device_id="bolt-other", device=other, processes=2),
    ]
    return (_submission(data, APART, sides),)


CASES: tuple[Callable[[Path], tuple[Path, ...]], ...] = (
    differing, untouched, untouched_on_days, two_drives, array, bound, reserved, apart,
)  # fmt: skip


def write(data: Path) -> list[Path]:
    """Write every case; return the folders of all submissions."""
    return [folder for make in CASES for folder in make(data)]


def _sweeps(loads: int, start: int = START) -> tuple[int, ...]:
    """Return when each of five repetitions of one drive begins, one right after the other."""
    return tuple(start + number * (loads * STEP_SECONDS + PAUSE_SECONDS) for number in range(REPETITIONS))


def _turns(loads: int) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """Return when the repetitions of two drives begin that take turns: A B, B A, and so on."""
    all_starts = [START + number * (loads * STEP_SECONDS + PAUSE_SECONDS) for number in range(2 * REPETITIONS)]
    first = tuple(all_starts[2 * number + number % 2] for number in range(REPETITIONS))
    return first, tuple(start for start in all_starts if start not in first)


def _submission(data: Path, name: str, sides: list[Side], system: Stated | None = None) -> Path:
    """Write the reports of every side and the manifest; return the folder."""
    folder = data / name
    folder.mkdir(parents=True)
    document = _manifest(name, sides)
    document["systems"]["bench"] |= system or {}
    document["files"] = [entry for side in sides for entry in _reports(folder, name, side)]
    return _finish(folder, document)


def _reports(folder: Path, name: str, side: Side) -> Iterator[Stated]:
    """Write one report per repetition, with a job for each load; give their entries in the manifest."""
    draw = random.Random(f"{name}/{side.name}")  # noqa: S311  (reproducible data, not secrets)
    shifts = side.shifts or (0.0,) * len(side.starts)
    for repetition, (start, shift) in enumerate(zip(side.starts, shifts, strict=True), 1):
        jobs = []
        for index, (load, rate) in enumerate(side.rates.items()):
            drawn = rate * math.exp(shift + draw.gauss(0, side.spread))
            began = {"job_start": (start + index * STEP_SECONDS) * 1000, "elapsed": (index + 1) * STEP_SECONDS}
            jobs += [job | began for job in _jobs(draw, index, load, drawn, side)]
        ended = start + len(side.rates) * STEP_SECONDS
        content = _report(jobs, ended, side.engine)
        entry = _put(folder, f"{side.name}.{repetition}.json", content)
        yield {**entry, "configuration": side.name, "repetition": repetition}


def _jobs(draw: random.Random, index: int, load: Load, rate: float, side: Side) -> list[Stated]:
    """Return what fio reports of a load: one object, or one for each process that is reported apart."""
    if side.processes == 1:
        return [_job(draw, index, load, rate, side.processor)]
    own = {"numjobs": str(side.processes), "iodepth": str(load.depth // side.processes)}
    if side.is_grouped:
        job = _job(draw, index, load, rate, side.processor)
        own |= {"group_reporting": "1"}
        return [job | {"job options": job["job options"] | own, "job_runtime": side.processes * job["job_runtime"]}]
    part = load._replace(depth=load.depth // side.processes)
    lean = [0.002 * (number / (side.processes - 1) - 0.5) for number in range(side.processes)]  # no two are equal
    jobs = [_job(draw, index, part, rate / side.processes * (1 + each), side.processor) for each in lean]
    return [job | {"job options": job["job options"] | own} for job in jobs]


def _job(draw: random.Random, index: int, load: Load, rate: float, processor: tuple[float, float]) -> Stated:
    """Return one job of fio that did so many operations per second; latency follows by Little's law."""
    latency = load.depth * 1e9 / rate
    job = generate.fio_job(draw, index, (load.depth, load.block, load.percent), (latency, latency))
    kinds = {0: {"rw": "randwrite"}, 100: {"rw": "randread"}}
    mixed = {"rw": "randrw", "rwmixread": str(load.percent)}
    named = f"r{load.percent}qd{load.depth:03d}"
    options = {"name": named, "iodepth": str(load.depth), "bs": str(load.block), **kinds.get(load.percent, mixed)}
    user, system = processor
    return job | {"jobname": named, "job options": options, "usr_cpu": user, "sys_cpu": system}


def _report(jobs: list[Stated], ended: int, engine: str) -> bytes:
    """Return jobs as the report that fio would write of them."""
    options = {
        "ioengine": engine, "direct": "1", "size": str(AREA_BYTES), "numjobs": "1", "runtime": "60", "ramp_time": "10",
        "refill_buffers": "0", "scramble_buffers": "1", "filename": "bench.dat",
    }  # fmt: skip
    report = {
        "fio version": VERSION, "timestamp": ended, "timestamp_ms": ended * 1000, "time": "unknown",
        "global options": options, "jobs": jobs, "disk_util": [generate.DISK],
    }  # fmt: skip
    return orjson.dumps(report, option=orjson.OPT_INDENT_2) + b"\n"


def _manifest(name: str, sides: list[Side]) -> Stated:
    """Return a manifest without files in which everything is known; all sides stand on one bench."""
    _, _, rest = name.split("-", 2)
    submitter, _, what = rest.partition("-")
    key = hashlib.sha256(submitter.encode()).hexdigest()[:32]
    day = "2026-09-20"
    return copy.deepcopy({
        "edition": 2,
        "title": f"A bench for tests: {what}",
        "summary": "Made up: rates drawn around known ones.",
        "submitted_by": submitter, "submitted_on": day, "tested_on": "2026-09", "licence": "CC-BY-4.0",
        "source_type": "raw_tool_output", "affiliation": "independent",
        "systems": {"bench": {**SYSTEM, "bench_key": key}},
        "devices": {_device(side, what): DEVICE | side.device for side in sides},
        "configurations": {side.name: _configuration(side, what) for side in sides},
    })  # fmt: skip


def _device(side: Side, what: str) -> str:
    """Return the name of the drive: those of one case are of no other, because one of each stands for all others."""
    return f"{side.device_id}-{what.rstrip('-12')}"


def _configuration(side: Side, what: str) -> Stated:
    depths = sorted({load.depth for load in side.rates})
    axis = f"outstanding I/Os {', '.join(map(str, depths))}"
    drives = [{"device": _device(side, what), "count": side.device_count}]
    return {
        "title": f"The side {side.name}", "conditions": "made up", "system": "bench",
        "storage": {**STORAGE, "drives": drives, **side.storage},
        "software": SOFTWARE | side.software,
        "method": {
            **METHOD, "repetition_count": len(side.starts) or "unknown", "load_axis": axis,
            "process_count": side.processes,
        },
        **({"reservations": list(side.reservations)} if side.reservations else {}),
    }  # fmt: skip


def _put(folder: Path, name: str, content: bytes) -> Stated:
    """Write a file of a submission; return its entry in the manifest."""
    (folder / name).write_bytes(content)
    return {"path": name, "sha256": hashlib.sha256(content).hexdigest()}


def _finish(folder: Path, document: Stated) -> Path:
    (folder / "manifest.yaml").write_text(safe_yaml.dump_yaml(document), encoding="utf-8")
    return folder
