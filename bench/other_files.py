"""
Iometer and ORION files to measure with, made from a seed.

They have the layout of Iometer 1.1.0 and ORION 11.1 to 19c. Their figures hold together as real ones do (Little's law,
bytes = I/Os times block size, bins that add up), because a contradiction costs a warning.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import random
    from collections.abc import Callable, Iterator

SPEC = "8 KiB; 70% Read; 100% Random"
BLOCK, WORKERS, DEPTH, TICKS = 8192, 8, 4, 10_000_000
PARTS = ("", "Read ", "Write ")
COLUMNS = [
    "'Target Type", "Target Name", "Access Specification Name", "# Managers", "# Workers", "# Disks",
    *(f"{part}IOps" for part in PARTS), *(f"{part}MiBps (Binary)" for part in PARTS),
    *(f"{part}MBps (Decimal)" for part in PARTS), "Transactions per Second", "Connections per Second",
    *(f"{kind} {part} Time" for kind in ("Average", "Maximum")
      for part in ("Response", "Read Response", "Write Response", "Transaction", "Connection")),
    *(f"{part}Errors" for part in PARTS), "Bytes Read", "Bytes Written", "Read I/Os", "Write I/Os", "Connections",
    "Transactions per Connection",
    *(f"{kind} Raw {part}" for kind in ("Total", "Maximum")
      for part in ("Read Response Time", "Write Response Time", "Transaction Time", "Connection Time")),
    "Total Raw Run Time", "Starting Sector", "Maximum Size", "Queue Depth", "% CPU Utilization", "% User Time",
    "% Privileged Time", "% DPC Time", "% Interrupt Time", "Processor Speed", "Interrupts per Second",
    "CPU Effectiveness", "Packets/Second", "Packet Errors", "Segments Retransmitted/Second",
    "0 to 50 uS", "50 to 100 uS", "100 to 200 uS", "200 to 500 uS", "0.5 to 1 mS", "1 to 2 mS", "2 to 5 mS",
    "5 to 10 mS", "10 to 15 mS", "15 to 20 mS", "20 to 30 mS", "30 to 50 mS", "50 to 100 mS", "100 to 200 mS",
    "200 to 500 mS", "0.5 to 1 S", "1 to 2 s", "2 to 4.7 s", "4.7 to 5 s", "5 to 10 s", " >= 10 s",
]  # fmt: skip
PROSE = "Contains the {} in {}.  Each value corresponds to a data point test\nthat used a fixed number of I/Os.\n\n"
CONTENTS = {
    "iops": ("rates sustained by small I/Os", "IOPS"),
    "mbps": ("rates sustained by large I/Os", "MBPS"),
    "latency": ("average latency sustained by small I/Os", "microseconds"),
}


def _row(kind: str, name: str, rate: int, seconds: int, ticks: int) -> str:
    """Return a row of results: this many I/Os per second, seven of ten reads, and the raw run time, 0 in updates."""
    pairs = 1 if kind == "WORKER" else WORKERS
    reads, writes = rate * 7 // 10, rate - rate * 7 // 10
    mean, total, is_all = f"{1000 * pairs * DEPTH / rate:.6f}", rate * seconds, kind == "ALL"
    rates = [rate, reads, writes]
    mebi, mega = ([each * BLOCK / base for each in rates] for base in (1 << 20, 10**6))
    figures = [f"{each:.6f}" for each in (*rates, *mebi, *mega, rate, 0)]
    times = [mean, mean, mean, mean, "0.000000", *["16.000000"] * 4, "0.000000"]
    counts = [0, 0, 0, reads * seconds * BLOCK, writes * seconds * BLOCK, reads * seconds, writes * seconds, 0, -1]
    raw = [""] * 9 if is_all else [*[123456789] * 8, ticks]
    cpu = [""] * 5 if kind == "WORKER" else ["1.250000", "0.250000", "1.000000", "0.100000", "0.050000"]
    rest = ["" if is_all else f"{TICKS}.000000", *[""] * 5, 0, 0, 0, 0, 0, 0, total, *[0] * 14]
    head = [kind, name, SPEC, 1 if is_all else "", WORKERS if is_all else "", pairs]
    return ",".join(map(str, [*head, *figures, *times, *counts, *raw, 0, 0, DEPTH, *cpu, *rest]))


def _test(runs: Iterator[list[str]], columns: list[str]) -> bytes:
    """Return a test with these runs, each a list of rows."""
    stamp = ["'Time Stamp", "2019-09-07 16:40:53:778"]
    lines = ["'Test Type,Test Description", "0,bench", "'Version", "1.1.0", *stamp, "'Access specifications"]
    lines += ["'Access specification name,default assignment", f"{SPEC},0"]
    lines += ["'size,% of size,% reads,% random,delay,burst,align,reply", f"{BLOCK},100,70,100,0,1,0,0,"]
    lines.append("'End access specifications")
    for rows in runs:
        lines += ["'Results", ",".join(columns), *rows, *stamp]
    return "\r\n".join([*lines, "'End Test", ""]).encode()


def iometer_results(rng: random.Random, runs: int) -> bytes:
    """Return a result file: in every run a row for all, for the manager, and for each processor, worker and disk."""

    def rows() -> list[str]:
        rate = rng.randrange(1000, 90_000, 10)
        sums = rate * WORKERS, 60, 60 * TICKS
        row = [_row("ALL", "All", *sums), _row("MANAGER", "BENCH", *sums)]
        row += [f"PROCESSOR,CPU {n}{',' * 47}5.500000,1.500000,4.000000,0.1,0.2,{TICKS}.0,1.0,,,," for n in range(4)]
        for worker in range(1, WORKERS + 1):
            own = _row("WORKER", f"Worker {worker}", rate, 60, 60 * TICKS)
            row += [own, own.replace(f"WORKER,Worker {worker},{SPEC}", "DISK,PHYSICALDRIVE:1,")]
        return row

    return _test((rows() for _ in range(runs)), COLUMNS)


def iometer_updates(rng: random.Random, updates: int) -> bytes:
    """Return an instantaneous file: in every second a row for each worker, at last one for all."""
    rows, total = [], 0
    for second in range(updates):
        time = f"2019-09-07 {17 + second // 3600}:{second // 60 % 60:02}:{second % 60:02}"
        for worker in range(1, WORKERS + 1):
            rate = rng.randrange(1000, 90_000, 10)
            total += rate
            rows.append(f"{time}:80{worker},{_row('WORKER', f'Worker {worker}', rate, 1, 0)}")
    rows.append(f"{time}:852,{_row('ALL', 'All', total // updates, updates, 0)}")
    return _test(iter([rows]), ["TimeStamp", *COLUMNS])


def orion_matrix(quantity: str, rows: int, columns: int, *, is_whole: bool) -> bytes:
    """Return a matrix as 12c writes it, every point tested, or as 11.1 does: one row (``mbps``: one column) filled."""
    first = int(quantity == "mbps")
    smalls = range(1 - first, 1 - first + columns)
    lines = ["Large/Small" + "".join(f",{small:7}" for small in smalls)]
    for large in range(first, first + rows):
        filled = smalls if is_whole or large == 0 else smalls[:first]
        lines.append(f"{large:11}" + "".join(f",{CELLS[quantity](small, large):>7}" for small in filled))
    prose = PROSE.format(*CONTENTS[quantity]) if is_whole else ""
    return f"{prose}{chr(10).join(lines)}\n".encode()


def _iops(small: int, large: int) -> int:
    return small * 20_000 // (small + large + 9)


CELLS: dict[str, Callable[[int, int], object]] = {
    "iops": _iops,
    "latency": lambda small, large: f"{small / _iops(small, large) * 1000:.2f}",
    "mbps": lambda small, large: f"{large * 900 / (small + large + 9):.2f}",
}
"""By quantity: what stands at a number of small and of large I/Os."""


def orion_summary(rng: random.Random, disks: int) -> bytes:
    """Return a summary of 11.1 for a run over this many disks."""
    smalls, rate = 5 * disks, rng.randrange(100, 400) * disks
    larges = "".join(f",{large:7}" for large in range(2 * disks + 1))
    names = "".join(f"Name: /dev/mapper/lun{disk:03}  Size: 500107862016\n" for disk in range(disks))
    return f"""ORION VERSION 11.1.0.7.0

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
Minimum Small Latency={900 * smalls / rate:.2f} @ Small=1 and Large=0
""".encode()


def orion_console(rng: random.Random) -> bytes:
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
