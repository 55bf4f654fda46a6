"""
Files to measure with: fio reports made from a seed.

They have the layout of ``--output-format=json`` and ``json+`` of fio 3.33 (``stat.c``). Their values are drawn at
random but hold together as real ones do: Little's law, bytes = operations times block size, rates = counters over run
time, the declared share of reads, percentiles that rise between minimum and maximum, and bins that add up to the
operations.

``fio_files`` makes reports of fio 3.33 of all sizes, many with histograms: two thirds hold one or two jobs and none (6
to 14 KB), the largest have 2 MB. ``real_files`` makes the mix of real archives: single jobs of 6 to 30 KB of many
versions, each with a test file of its own, and few with several jobs, clients or histograms.
"""

from __future__ import annotations

import random
import re
from bisect import bisect
from typing import TYPE_CHECKING, Any

import orjson

if TYPE_CHECKING:
    from pathlib import Path

PERCENTILES = (1, 5, 10, 20, 30, 40, 50, 60, 70, 80, 90, 95, 99, 99.5, 99.9, 99.95, 99.99)
MIXED_SHARE, READ_SHARE = 0.4, 70
RUNTIME_MS = 60_000
VERSION = "fio-3.33"
BLOCKS = (4096, 8192, 65536)
SHAPES = (  # jobs, histogram bins per direction, weight
    (1, 0, 50),
    (2, 0, 18),
    (10, 0, 10),
    (1, 300, 10),
    (10, 250, 8),
    (48, 300, 2),
    (64, 600, 1),
)
REAL_SHAPES = ((1, 0, 84), (2, 0, 4), (4, 0, 5), (10, 0, 4), (24, 0, 1), (1, 200, 2))
"""The same of 116 reports of many projects and four archives of 9,366 reports, which are single jobs."""
OLD_SHARE, CLIENT_SHARE = 0.19, 0.02
"""Of 162 reports of many projects 31 are of fio 2.x."""
OLD_VERSIONS, VERSIONS = ("fio-2.2.10", "fio-2.15", "fio-2.18"), (
    "fio-3.1", "fio-3.12", "fio-3.16", "fio-3.19", "fio-3.28", "fio-3.33", "fio-3.36",
)  # fmt: skip
MIDDLES = list(range(128)) + [
    ((64 + index) << power) + (1 << power - 1) for power in range(1, 28) for index in range(64)
]
"""Middles of fio's histogram bins in ns (64 to a power of two, ``stat.h``)."""
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


def _completion(rng: random.Random, mean: float, count: int, bins: int) -> dict[str, Any]:
    """Return completion latency with percentiles, and with this many bins around the mean if any."""
    found = _statistics(mean, count)
    first = max(bisect(MIDDLES, mean) - bins // 2, 0)
    middles = MIDDLES[first : first + bins]
    if not bins:
        steps = sorted(rng.uniform(0.4, 30) for _ in PERCENTILES)
        values = [int(mean * step) for step in steps]
    else:
        found |= {"min": min(found["min"], middles[0]), "max": max(found["max"], middles[-1] * 2)}
        values = [middles[min(int(bins * p / 100), bins - 1)] for p in PERCENTILES]
    found["percentile"] = {f"{p:.6f}": value for p, value in zip(PERCENTILES, values, strict=True)}
    if bins:
        counts = [1 + rng.randrange(2 * max(count // bins - 1, 1)) // 2 for _ in middles]
        counts[bins // 2] += count - sum(counts)
        found["bins"] = {str(middle): each for middle, each in zip(middles, counts, strict=True)}
    return found


def _direction(rng: random.Random, block: int, bins: int, operations: int, mean: float) -> dict[str, Any]:
    """Return what one direction did; ``mean`` is its total latency in ns."""
    is_active = operations > 0
    volume, runtime = operations * block, RUNTIME_MS if is_active else 0
    rate, iops = volume * 1000 / RUNTIME_MS, operations * 1000 / RUNTIME_MS
    samples = runtime // 500
    total, part = QUIET, QUIET
    if is_active:
        total, part = _statistics(round(mean, 6), operations), _completion(rng, round(mean * 0.95, 6), operations, bins)
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


def _job(rng: random.Random, index: int, block: int, bins: int, mixed_share: float) -> dict[str, Any]:
    """Return one job of a load drawn at random."""
    is_mixed, depth = rng.random() < mixed_share, 1 << rng.randrange(9)
    reading, writing = (rng.uniform(20_000, 400_000) * (1 + depth / 8) for _ in range(2))
    return fio_job(rng, index, (depth, block, READ_SHARE if is_mixed else 100), (reading, writing), bins)


def fio_job(
    rng: random.Random, index: int, load: tuple[int, int, int], latency: tuple[float, float], bins: int
) -> dict[str, Any]:
    """
    Return one job; operations follow from depth and latency by Little's law.

    ``load`` is queue depth, block size in bytes and the share of reads in percent; ``latency`` is the mean of a read
    and that of a write in ns.
    """
    (depth, block, percent), (reading, writing) = load, latency
    share = percent / 100
    operations = depth * RUNTIME_MS * 1_000_000 / (share * reading + (1 - share) * writing)
    options = {"name": f"point{index}", "iodepth": str(depth), "numjobs": "1"}
    options |= {"rw": "randrw", "rwmixread": str(percent)} if percent < 100 else {"rw": "randread"}
    return {
        "jobname": f"point{index}", "groupid": index, "error": 0, "eta": 0, "elapsed": 62, "job options": options,
        "read": _direction(rng, block, bins, round(operations * share), reading),
        "write": _direction(rng, block, bins, round(operations * (1 - share)), writing),
        "trim": _direction(rng, block, 0, 0, 0.0),
        "sync": {"total_ios": 0, "lat_ns": QUIET},
        "job_runtime": RUNTIME_MS, "usr_cpu": round(rng.uniform(0, 30), 6), "sys_cpu": round(rng.uniform(0, 60), 6),
        "ctx": rng.randrange(10**6), "majf": 0, "minf": rng.randrange(1000),
        **{name: {key: round(rng.uniform(0, 10), 6) for key in keys} for name, keys in SPREAD.items()},
        "latency_depth": depth, "latency_target": 0, "latency_percentile": 100.0, "latency_window": 0,
    }  # fmt: skip


def fio_report(rng: random.Random, jobs: int, bins: int, mixed_share: float = MIXED_SHARE) -> bytes:
    """
    Return one report with this many jobs; ``bins`` is the number of histogram bins per direction, 0 for none.

    ``mixed_share`` is the share of jobs that read and write; the others only read.
    """
    block = rng.choice(BLOCKS)
    return fio_bytes([_job(rng, index, block, bins, mixed_share) for index in range(jobs)], block)


def fio_bytes(jobs: list[dict[str, Any]], block: int) -> bytes:
    """Return jobs of one block size as the report that fio would write of them."""
    options = {"ioengine": "libaio", "direct": "1", "bs": str(block), "runtime": "60", "size": "64g"}
    report = {
        "fio version": VERSION, "timestamp": 1_700_000_000, "timestamp_ms": 1_700_000_000_000,
        "time": "Tue Nov 14 22:13:20 2023", "global options": options,
        "jobs": jobs, "disk_util": [DISK],
    }  # fmt: skip
    return orjson.dumps(report, option=orjson.OPT_INDENT_2).replace(b'": ', b'" : ') + b"\n"


def fio_files(
    folder: Path, count: int, seed: int, *, small: bool = False, mixed_share: float = MIXED_SHARE
) -> list[Path]:
    """Write ``count`` reports into a folder and return their paths; ``small`` makes only files of about 7 KB."""
    folder.mkdir(parents=True, exist_ok=True)
    rng = random.Random(seed)  # noqa: S311  (reproducible data, not secrets)
    shapes = SHAPES[:1] if small else SHAPES
    weights = [weight for _, _, weight in shapes]
    paths = []
    for index in range(count):
        jobs, bins, _ = rng.choices(shapes, weights)[0]
        path = folder / f"{index:06d}.json"
        path.write_bytes(fio_report(rng, jobs, bins, mixed_share))
        paths.append(path)
    return paths


def real_files(folder: Path, count: int, seed: int) -> list[Path]:
    """Write reports into a folder that are mixed as in real archives, and return their paths."""
    folder.mkdir(parents=True, exist_ok=True)
    rng = random.Random(seed)  # noqa: S311  (reproducible data, not secrets)
    weights = [weight for *_, weight in REAL_SHAPES]
    paths = []
    for index in range(count):
        jobs, bins, _ = rng.choices(REAL_SHAPES, weights)[0]
        report = orjson.loads(fio_report(rng, jobs, bins, 0.2))
        paths.append(folder / f"{index:06d}.json")
        paths[-1].write_bytes(_as_printed(_as_of_a_version(rng, report, index)))
    return paths


def _as_of_a_version(rng: random.Random, report: dict[str, Any], index: int) -> dict[str, Any]:
    """Return a report with a test file, jobs and times of its own, as an older fio or a client would write it."""
    is_old = rng.random() < OLD_SHARE
    report["fio version"] = rng.choice(OLD_VERSIONS if is_old else VERSIONS)
    report["timestamp_ms"] += 61_000 * index
    report["timestamp"] = report["timestamp_ms"] // 1000
    for job in report["jobs"]:
        job["job options"] |= {"filename": f"/mnt/bench/{index}/data.{rng.randrange(100)}", "size": "64g"}
        if is_old:
            job["job options"] |= report["global options"]
            del job["job_runtime"], job["sync"]
            for name in ("read", "write", "trim"):
                _in_microseconds(job[name])
    if is_old:
        del report["global options"]
    elif rng.random() < CLIENT_SHARE:
        report["client_stats"] = [{**job, "hostname": "192.0.2.7", "port": 8765} for job in report.pop("jobs")]
    return report


def _in_microseconds(direction: dict[str, Any]) -> None:
    """Make of a direction what fio 2.x writes: KiB, microseconds, and three unused percentiles."""
    direction["io_bytes"] //= 1024
    for name in [name for name in direction if name in {"io_kbytes", "bw_bytes", "bw_samples"} or name[:4] == "iops_"]:
        del direction[name]
    for name in ("slat", "clat", "lat"):
        latency = direction.pop(f"{name}_ns")
        whole = {key: int(latency[key]) // 1000 for key in ("min", "max")}
        direction[name] = {**whole, "mean": latency["mean"] / 1000, "stddev": latency["stddev"] / 1000}
        if "percentile" in latency:
            direction[name]["percentile"] = {key: value // 1000 for key, value in latency["percentile"].items()}


def _as_printed(report: dict[str, Any]) -> bytes:
    """Return a report as fio prints it: six decimals, spaces before colons, and in 2.x slots that nobody uses."""
    text = orjson.dumps(report, option=orjson.OPT_INDENT_2).replace(b'": ', b'" : ') + b"\n"
    text = re.sub(rb" : (\d+\.\d+(?:e-?\d+)?)", lambda found: b" : %.6f" % float(found[1]), text)
    if report["fio version"] in OLD_VERSIONS:
        text = re.sub(rb'("99\.990000" : \d+)', rb"\1," + b",".join([b'\n            "0.00" : 0'] * 3), text)
    return text
