"""Reports of fio 3.33 made from a seed, whose values hold together as real ones do (Little's law, counters, shares)."""

from __future__ import annotations

import random
from typing import Any

import orjson

PERCENTILES = (1, 5, 10, 20, 30, 40, 50, 60, 70, 80, 90, 95, 99, 99.5, 99.9, 99.95, 99.99)
RUNTIME_MS = 60_000
VERSION = "fio-3.33"
QUIET = {"min": 0, "max": 0, "mean": 0.0, "stddev": 0.0, "N": 0}
DISK = {
    "name": "vda", "read_ios": 1, "write_ios": 1, "read_sectors": 8, "write_sectors": 8, "read_merges": 0,
    "write_merges": 0, "read_ticks": 1, "write_ticks": 1, "in_queue": 2, "util": 99.9,
}  # fmt: skip
SPREAD = {
    "iodepth_level": ("1", "2", "4", "8", "16", "32", ">=64"),
    "iodepth_submit": ("0", "4", "8", "16", "32", "64", ">=64"),
    "iodepth_complete": ("0", "4", "8", "16", "32", "64", ">=64"),
    "latency_ns": ("2", "4", "10", "20", "50", "100", "250", "500", "750", "1000"),
    "latency_us": ("2", "4", "10", "20", "50", "100", "250", "500", "750", "1000"),
    "latency_ms": ("2", "4", "10", "20", "50", "100", "250", "500", "750", "1000", "2000", ">=2000"),
}


def _statistics(mean: float, count: int) -> dict[str, Any]:
    """Return statistics of latency; how far they spread around the mean is another in each run, as in real ones."""
    chance = random.Random(f"{mean:.6f} {count}")  # noqa: S311  (reproducible data, not secrets)
    most, spread = chance.uniform(32, 48), chance.uniform(0.6, 0.8)
    return {
        "min": max(int(mean * 0.3), 1), "max": int(mean * most) + 1, "mean": mean, "stddev": mean * spread, "N": count,
    }  # fmt: skip


def _completion(rng: random.Random, mean: float, count: int) -> dict[str, Any]:
    """Return completion latency with percentiles."""
    steps = sorted(rng.uniform(0.4, 30) for _ in PERCENTILES)
    told = {f"{p:.6f}": int(mean * step) for p, step in zip(PERCENTILES, steps, strict=True)}
    return _statistics(mean, count) | {"percentile": told}


def _direction(rng: random.Random, block: int, operations: int, mean: float) -> dict[str, Any]:
    """Return what one direction did; ``mean`` is its total latency in ns."""
    is_active = operations > 0
    volume, runtime = operations * block, RUNTIME_MS if is_active else 0
    rate, iops = volume * 1000 / RUNTIME_MS, operations * 1000 / RUNTIME_MS
    samples = runtime // 500
    total, part = QUIET, QUIET
    if is_active:
        total, part = _statistics(round(mean, 6), operations), _completion(rng, round(mean * 0.95, 6), operations)
        total["max"] = max(total["max"], part["max"])
    return {
        "io_bytes": volume, "io_kbytes": volume // 1024, "bw_bytes": int(rate), "bw": int(rate) // 1024,
        "iops": round(iops, 6), "runtime": runtime, "total_ios": operations, "short_ios": 0, "drop_ios": 0,
        "slat_ns": _statistics(round(mean * 0.04, 6), operations) if is_active else QUIET,
        "clat_ns": part, "lat_ns": total,
        "bw_min": int(rate) // 2048, "bw_max": int(rate) // 900, "bw_agg": 100.0 if is_active else 0.0,
        "bw_mean": round(rate / 1024, 6), "bw_dev": round(rate / 20000, 6), "bw_samples": samples,
        "iops_min": int(iops * 0.8), "iops_max": int(iops * 1.2), "iops_mean": round(iops, 6),
        "iops_stddev": round(iops / 20, 6), "iops_samples": samples,
    }  # fmt: skip


def fio_job(rng: random.Random, index: int, load: tuple[int, int, int], latency: tuple[float, float]) -> dict[str, Any]:
    """Return one job; ``load`` is depth, block and percent of reads, ``latency`` that of reads and of writes in ns."""
    (depth, block, percent), (reading, writing) = load, latency
    share = percent / 100
    operations = depth * RUNTIME_MS * 1_000_000 / (share * reading + (1 - share) * writing)
    options = {"name": f"point{index}", "iodepth": str(depth), "numjobs": "1"}
    options |= {"rw": "randrw", "rwmixread": str(percent)} if percent < 100 else {"rw": "randread"}
    return {
        "jobname": f"point{index}", "groupid": index, "error": 0, "eta": 0, "elapsed": 62, "job options": options,
        "read": _direction(rng, block, round(operations * share), reading),
        "write": _direction(rng, block, round(operations * (1 - share)), writing),
        "trim": _direction(rng, block, 0, 0.0),
        "sync": {"total_ios": 0, "lat_ns": QUIET},
        "job_runtime": RUNTIME_MS, "usr_cpu": round(rng.uniform(0, 30), 6), "sys_cpu": round(rng.uniform(0, 60), 6),
        "ctx": rng.randrange(10**6), "majf": 0, "minf": rng.randrange(1000),
        **{name: {key: round(rng.uniform(0, 10), 6) for key in keys} for name, keys in SPREAD.items()},
        "latency_depth": depth, "latency_target": 0, "latency_percentile": 100.0, "latency_window": 0,
    }  # fmt: skip


def fio_bytes(jobs: list[dict[str, Any]], block: int) -> bytes:
    """Return jobs of one block size as the report that fio would write of them."""
    options = {"ioengine": "libaio", "direct": "1", "bs": str(block), "runtime": "60", "size": "64g"}
    report = {
        "fio version": VERSION, "timestamp": 1_700_000_000, "timestamp_ms": 1_700_000_000_000,
        "time": "Tue Nov 14 22:13:20 2023", "global options": options,
        "jobs": jobs, "disk_util": [DISK],
    }  # fmt: skip
    return orjson.dumps(report, option=orjson.OPT_INDENT_2).replace(b'": ', b'" : ') + b"\n"
