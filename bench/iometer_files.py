"""
Iometer files to measure with, made from a seed: the layout of 1.1.0.

Their figures hold together as real ones do (Little's law, bytes = I/Os times block size, bins that add up), because a
contradiction costs a warning.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import random
    from collections.abc import Iterator

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


def results(rng: random.Random, runs: int) -> bytes:
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


def updates(rng: random.Random, count: int) -> bytes:
    """Return an instantaneous file: in every second a row for each worker, at last one for all."""
    rows, total = [], 0
    for second in range(count):
        time = f"2019-09-07 {17 + second // 3600}:{second // 60 % 60:02}:{second % 60:02}"
        for worker in range(1, WORKERS + 1):
            rate = rng.randrange(1000, 90_000, 10)
            total += rate
            rows.append(f"{time}:80{worker},{_row('WORKER', f'Worker {worker}', rate, 1, 0)}")
    rows.append(f"{time}:852,{_row('ALL', 'All', total // count, count, 0)}")
    return _test(iter([rows]), ["TimeStamp", *COLUMNS])
