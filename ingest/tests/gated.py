"""Reports of fio made for gates: sides with the rates and times that a test needs."""

from __future__ import annotations

import json
import math
import random
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from pathlib import Path

BEGIN = 1_795_000_000
"""The second at which the first run ends."""
STEP = 60
RUN_MILLISECONDS = 10_000
DEPTHS = (1, 2, 4, 8)


def report(rates: dict[int, float], at: int, options: dict[str, str] | None = None) -> dict[str, Any]:
    """Return a report of 4 KiB random reads that ended at a second, with the operations per second of each depth."""
    jobs = [_job(depth, rate, options or {}) for depth, rate in rates.items()]
    head = {"fio version": "fio-3.36", "timestamp": at, "timestamp_ms": 1000 * at, "time": "Sun Nov 22 10:00:00 2026"}
    return {**head, "jobs": [{**job, "groupid": group} for group, job in enumerate(jobs)]}


def _job(depth: int, rate: float, options: dict[str, str]) -> dict[str, Any]:
    count = round(rate * RUN_MILLISECONDS / 1000)
    mean = depth / rate * 1e9
    latency = {"min": 1000, "max": int(100 * mean), "mean": mean, "stddev": mean / 10, "N": count}
    tail = {"percentile": {"50.000000": int(mean), "99.000000": int(3 * mean)}}
    asked = {"name": "read", "rw": "randread", "bs": "4k", "iodepth": str(depth), "ioengine": "libaio", "direct": "1"}
    read = {
        "io_bytes": 4096 * count, "io_kbytes": 4 * count, "bw_bytes": round(4096 * rate), "bw": round(4 * rate),
        "iops": rate, "runtime": RUN_MILLISECONDS, "total_ios": count, "short_ios": 0, "drop_ios": 0,
        "slat_ns": {"min": 0, "max": 0, "mean": 0.0, "stddev": 0.0, "N": 0}, "clat_ns": {**latency, **tail},
        "lat_ns": latency,
    }  # fmt: skip
    asked |= {"filename": "test.dat", "size": "1g", **options}
    return {
        "jobname": "read",
        "error": 0,
        "elapsed": 10,
        "job options": asked,
        "read": read,
        "usr_cpu": 1,
        "sys_cpu": 2,
    }


def side(folder: Path, runs: Iterable[tuple[int, dict[int, float]]], **options: str) -> Path:
    """Write a report for each run, given as its number in time and its rates by depth; return the folder."""
    folder.mkdir(parents=True, exist_ok=True)
    for turn, rates in runs:
        text = json.dumps(report(rates, BEGIN + turn * STEP, options))
        (folder / f"{turn:03}.json").write_text(text, encoding="utf-8")
    return folder


def rates(
    count: int, spread: float, seed: int, *, depths: Sequence[int] = DEPTHS, factor: float = 1.0
) -> list[dict[int, float]]:
    """Return the rates of so many repetitions at depths, that spread by so much on the logarithm."""
    noise = random.Random(seed)  # noqa: S311  (noise, no secret)
    return [
        {depth: 10_000 * depth * factor * math.exp(noise.gauss(0, spread)) for depth in depths} for _ in range(count)
    ]


FIRST_SIDES = "ABBAB"
"""The side that begins each pair, drawn once; later pairs repeat it."""


def paired(folder: Path, before: Sequence[dict[int, float]], after: Sequence[dict[int, float]]) -> tuple[Path, Path]:
    """Write two sides in pairs whose first side was drawn; return their folders."""
    begins_after = [FIRST_SIDES[place % len(FIRST_SIDES)] == "B" for place in range(len(before))]
    first = side(folder / "before", ((2 * place + begins_after[place], each) for place, each in enumerate(before)))
    second = side(folder / "after", ((2 * place + 1 - begins_after[place], each) for place, each in enumerate(after)))
    return first, second


def blocks(folder: Path, before: Sequence[dict[int, float]], after: Sequence[dict[int, float]]) -> tuple[Path, Path]:
    """Write two sides of which one ran after the other; return their folders."""
    first = side(folder / "before", enumerate(before))
    return first, side(folder / "after", enumerate(after, len(before)))
