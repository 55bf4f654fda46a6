"""
Files to measure with: fio reports, Iometer results and ORION matrices, made from a seed.

The fio reports have the layout of ``--output-format=json`` and ``json+`` of fio 3.33 (``stat.c``). Their values are
drawn at random but hold together as real ones do: bytes = operations times block size, ordered percentiles, and bins
that add up to the operations. Sizes follow the mix of a benchmark archive: half of the files hold one or two jobs and
no histogram (6 to 8 KB), a tenth holds more than 140 KB, the largest 2 MB.
"""

from __future__ import annotations

import random
from typing import TYPE_CHECKING, Any

import orjson

if TYPE_CHECKING:
    from pathlib import Path

PERCENTILES = (1, 5, 10, 20, 30, 40, 50, 60, 70, 80, 90, 95, 99, 99.5, 99.9, 99.95, 99.99)
MIXED_SHARE = 0.4
BLOCKS = {4096: "randrw", 8192: "randrw", 65536: "randread"}
SHAPES = (  # jobs, histogram bins per direction, weight
    (1, 0, 50),
    (2, 0, 18),
    (10, 0, 10),
    (1, 300, 10),
    (10, 250, 8),
    (48, 300, 2),
    (64, 600, 1),
)


def _bin_values(count: int) -> list[int]:
    """Return the mid-points of the first bins of fio's histogram (64 to a power of two, ``stat.h``), in ns."""
    values = list(range(128))
    for power in range(1, 40):
        step = 1 << power
        values += [(64 + index) * step + step // 2 for index in range(64)]
    return values[700 : 700 + count]


def _latency(rng: random.Random, mean: float, count: int, bins: int, *, percentiles: bool) -> dict[str, Any]:
    low, high = int(mean * 0.3), int(mean * 40)
    found: dict[str, Any] = {
        "min": low,
        "max": high,
        "mean": round(mean, 6),
        "stddev": round(mean * 0.7, 6),
        "N": count,
    }
    if percentiles:
        steps = sorted(rng.uniform(0.4, 30) for _ in PERCENTILES)
        found["percentile"] = {f"{p:.6f}": int(mean * step) for p, step in zip(PERCENTILES, steps, strict=True)}
    if bins:
        share, counts = max(count // bins, 1), {}
        for value in _bin_values(bins):
            counts[str(value)] = share
        found["bins"] = counts
    return found


def _direction(rng: random.Random, block: int, bins: int, *, active: bool) -> dict[str, Any]:
    operations = rng.randrange(10_000, 3_000_000) if active else 0
    runtime = rng.randrange(10_000, 60_000) if active else 0
    mean = rng.uniform(20_000, 4_000_000) if active else 0.0
    volume = operations * block
    rate = volume * 1000 // runtime if active else 0
    quiet = {"min": 0, "max": 0, "mean": 0.0, "stddev": 0.0, "N": 0}
    return {
        "io_bytes": volume, "io_kbytes": volume // 1024, "bw_bytes": rate, "bw": rate // 1024,
        "iops": round(operations * 1000 / runtime, 6) if active else 0.0, "runtime": runtime,
        "total_ios": operations, "short_ios": 0, "drop_ios": 0,
        "slat_ns": _latency(rng, mean * 0.05, operations, 0, percentiles=False) if active else quiet,
        "clat_ns": _latency(rng, mean * 0.95, operations, bins, percentiles=True) if active else quiet,
        "lat_ns": _latency(rng, mean, operations, 0, percentiles=False) if active else quiet,
        "bw_min": rate // 2048, "bw_max": rate // 900, "bw_agg": 100.0 if active else 0.0, "bw_mean": rate / 1024,
        "bw_dev": rate / 20000, "bw_samples": runtime // 500, "iops_min": 0, "iops_max": 0, "iops_mean": 0.0,
        "iops_stddev": 0.0, "iops_samples": runtime // 500,
    }  # fmt: skip


def fio_report(rng: random.Random, jobs: int, bins: int) -> bytes:
    """Return one report with this many jobs; ``bins`` is the number of histogram bins per direction, 0 for none."""
    block = rng.choice(tuple(BLOCKS))
    made = []
    for index in range(jobs):
        mixed = rng.random() < MIXED_SHARE
        depth = 1 << rng.randrange(9)
        made.append(
            {
                "jobname": f"point{index}", "groupid": index, "error": 0, "eta": 0, "elapsed": 62,
                "job options": {"name": f"point{index}", "iodepth": str(depth)},
                "read": _direction(rng, block, bins, active=True),
                "write": _direction(rng, block, bins, active=mixed),
                "trim": _direction(rng, block, 0, active=False),
                "sync": {"total_ios": 0, "lat_ns": {"min": 0, "max": 0, "mean": 0.0, "stddev": 0.0, "N": 0}},
                "job_runtime": 60_000, "usr_cpu": rng.uniform(0, 30), "sys_cpu": rng.uniform(0, 60),
                "ctx": rng.randrange(10**6), "majf": 0, "minf": rng.randrange(1000),
                "iodepth_level": {"1": 0.1, "2": 0.1, "4": 0.1, "8": 0.1, "16": 99.6, "32": 0.0, ">=64": 0.0},
                "iodepth_submit": {"0": 0.0, "4": 100.0, "8": 0.0, "16": 0.0, "32": 0.0, "64": 0.0, ">=64": 0.0},
                "iodepth_complete": {"0": 0.0, "4": 100.0, "8": 0.0, "16": 0.0, "32": 0.0, "64": 0.0, ">=64": 0.0},
                "latency_ns": {"2": 0.0, "4": 0.0, "10": 0.0, "20": 0.0, "50": 0.0, "100": 0.0, "250": 0.0},
                "latency_us": {"2": 0.0, "4": 0.0, "10": 0.0, "20": 3.5, "50": 61.0, "100": 30.1, "250": 5.4},
                "latency_ms": {"2": 0.0, "4": 0.0, "10": 0.0, "20": 0.0, "50": 0.0, "100": 0.0, "250": 0.0},
                "latency_depth": depth, "latency_target": 0, "latency_percentile": 100.0, "latency_window": 0,
            }
        )  # fmt: skip
    options = {
        "ioengine": "libaio",
        "direct": "1",
        "rw": BLOCKS[block],
        "bs": str(block),
        "runtime": "60",
        "size": "64g",
    }
    report = {
        "fio version": "fio-3.33", "timestamp": 1_700_000_000, "timestamp_ms": 1_700_000_000_000,
        "time": "Tue Nov 14 22:13:20 2023", "global options": options, "jobs": made, "disk_util": [],
    }  # fmt: skip
    return orjson.dumps(report, option=orjson.OPT_INDENT_2) + b"\n"


def fio_files(folder: Path, count: int, seed: int, *, small: bool = False) -> list[Path]:
    """Write ``count`` reports into a folder and return their paths; ``small`` makes only files of about 7 KB."""
    folder.mkdir(parents=True, exist_ok=True)
    rng = random.Random(seed)  # noqa: S311  (reproducible data, not secrets)
    shapes = SHAPES[:1] if small else SHAPES
    weights = [weight for _, _, weight in shapes]
    paths = []
    for index in range(count):
        jobs, bins, _ = rng.choices(shapes, weights)[0]
        path = folder / f"{index:06d}.json"
        path.write_bytes(fio_report(rng, jobs, bins))
        paths.append(path)
    return paths
