"""
ORION files to measure with, made from a seed: matrices and summaries of 11.1 and 12c, console output of 19c.

Their figures hold together as real ones do, because a contradiction costs a warning.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import random
    from collections.abc import Callable

PROSE = "Contains the {} in {}.  Each value corresponds to a data point test\nthat used a fixed number of I/Os.\n\n"
CONTENTS = {
    "iops": ("rates sustained by small I/Os", "IOPS"),
    "mbps": ("rates sustained by large I/Os", "MBPS"),
    "latency": ("average latency sustained by small I/Os", "microseconds"),
}


def matrix(quantity: str, disks: int, rate: int = 20_000, *, is_whole: bool, is_recent: bool) -> bytes:
    """
    Return a matrix of a run over this many disks: five small and two large I/Os outstanding on each at most.

    Every point is tested, or one row (``mbps``: one column) as ``-run simple`` does. Since 11.2 prose stands above;
    ``rate`` is what IOPS come close to.
    """
    first = int(quantity == "mbps")
    smalls = range(1 - first, 5 * disks + 1)
    lines = ["Large/Small" + "".join(f",{small:7}" for small in smalls)]
    for large in range(first, 2 * disks + 1):
        filled = smalls if is_whole or large == 0 else smalls[:first]
        lines.append(f"{large:11}" + "".join(f",{CELLS[quantity](small, large, rate):>7}" for small in filled))
    prose = PROSE.format(*CONTENTS[quantity]) if is_recent else ""
    return f"{prose}{chr(10).join(lines)}\n".encode()


def _iops(small: int, large: int, rate: int) -> int:
    return small * rate // (small + large + 9)


CELLS: dict[str, Callable[[int, int, int], object]] = {
    "iops": _iops,
    "latency": lambda small, large, rate: f"{small / _iops(small, large, rate) * 1000:.2f}",
    "mbps": lambda small, large, rate: f"{large * rate / 20 / (small + large + 9):.2f}",
}
"""By quantity: what stands at a number of small and of large I/Os."""


def rate(rng: random.Random) -> int:
    """Return what the IOPS of a run come close to."""
    return rng.randrange(10_000, 30_000)


def run(rng: random.Random, disks: int, *, is_whole: bool, is_recent: bool) -> list[bytes]:
    """Return the files of a run: summary, three matrices and, since 12.2, console output."""
    of_run = rate(rng)
    matrices = [matrix(quantity, disks, of_run, is_whole=is_whole, is_recent=is_recent) for quantity in CELLS]
    return [summary(rng, disks, is_recent=is_recent), *matrices, *([console(rng)] if is_recent else [])]


def summary(rng: random.Random, disks: int, *, is_recent: bool) -> bytes:
    """Return a summary of 11.1, or of 12c, for a run over this many disks."""
    smalls, rate = 5 * disks, rng.randrange(100, 400) * disks
    latency = f"{900_000 * smalls / rate:.2f} usecs" if is_recent else f"{900 * smalls / rate:.2f}"
    larges = "".join(f",{large:7}" for large in range(2 * disks + 1))
    names = "".join(f"Name: /dev/mapper/lun{disk:03}  Size: 500107862016\n" for disk in range(disks))
    return f"""ORION VERSION {"12.1.0.2.0" if is_recent else "11.1.0.7.0"}

Commandline:
-run simple -testname bench -num_disks {disks}

This maps to this test:
Test: bench
Small IO size: 8 KB
Large IO size: 1024 KB
IO Types: Small Random IOs, Large Random IOs
Simulated Array Type: CONCAT
Write: 0%
Cache Size: Not Entered
Duration for each Data Point: 60 seconds
Small Columns:,      0
Large Columns:{larges}
Total Data Points: {7 * disks + 1}

{names}{disks} FILEs found.

Maximum Large MBPS={0.3 * rate:.2f} @ Small=0 and Large={2 * disks}
Maximum Small IOPS={rate} @ Small={smalls} and Large=0
Minimum Small Latency={latency} @ Small=1 and Large=0
""".encode()


def console(rng: random.Random) -> bytes:
    """Return console output of 19c, with latency lines and a histogram of 29 bins."""
    counts = [rng.randrange(1, 1000) for _ in range(29)]
    bins, low, running = "", 0, 0
    for power, count in enumerate(counts):
        running += count
        bins += (
            f"{low:9} - {1 << power:<9} us:{count:16} ({100 * running / sum(counts):6.2f}%)               0 (  0.00%)\n"
        )
        low = 1 << power
    return f"""ORION: ORacle IO Numbers -- Version RDBMS_19.8.0.0.0DBRU_LINUX.X64_200702
bench_20240311_0915
Calibration will take approximately 9 minutes.
Using a large value for -cache_size may take longer.

Setting ftype=0
Maximum Large MBPS=1204.77 @ Small=0 and Large=2

Maximum Small IOPS=24510 @ Small=5 and Large=0
Small Read Latency: avg=203.871 us, min=121.304 us, max=4310.662 us, std dev=31.208 us @ Small=5 and Large=0

Minimum Small Latency=152.440 usecs @ Small=1 and Large=0
Small Read Latency: avg=152.440 us, min=98.117 us, max=2207.935 us, std dev=22.871 us @ Small=1 and Large=0
Small Read / Write Latency Histogram @ Small=1 and Large=0
        Latency:                         # of IOs (read)          # of IOs (write)
{bins}""".encode()
