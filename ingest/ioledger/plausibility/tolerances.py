"""
How exact the figures of each tool and format are, and the rule that a broken belief is told under: data, no checks.

A tool that prints its figures twice, rounds, cuts, or counts while operations are under way is believed within that,
and no further.
"""

from __future__ import annotations

from functools import cache
from types import MappingProxyType
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Mapping

RULES: Mapping[str, Mapping[str, str]] = {
    "latency_within_run": {
        "fio": "R-FIO-LATENCY-4", "iometer": "R-IOMETER-LATENCY-1", "diskspd": "R-DISKSPD-8", "orion": "R-ORION-15",
    },
    "latency_part_within_total": {"fio": "R-FIO-LATENCY-5"},
    "latency_has_start": {"fio": "R-FIO-LATENCY-5"},
    "throughput_is_bytes_over_time": {"fio": "R-FIO-RATE-1", "iometer": "R-IOMETER-RATE-1"},
    "rate_is_operations_over_time": {"iometer": "R-IOMETER-RATE-2"},
    "bytes_are_blocks": {"fio": "R-FIO-BLOCK-1", "iometer": "R-IOMETER-BLOCK-1", "diskspd": "R-DISKSPD-6"},
    "mean_lies_between": {
        "fio": "R-FIO-LATENCY-1", "iometer": "R-IOMETER-MAX-1", "diskspd": "R-DISKSPD-10", "orion": "R-ORION-16",
    },
    "latency_is_not_zero": {"fio": "R-FIO-LATENCY-2"},
    "latency_parts_add_up": {"fio": "R-FIO-LATENCY-3"},
    "percentiles_rise": {"fio": "R-FIO-PERCENTILE-1", "diskspd": "R-DISKSPD-11"},
    "percentiles_lie_between": {"fio": "R-FIO-PERCENTILE-3", "diskspd": "R-DISKSPD-11"},
    "bins_add_up": {"fio": "R-FIO-BINS-1", "iometer": "R-IOMETER-BINS-1"},
    "latency_is_of_every_operation": {"fio": "R-FIO-COUNT-1"},
    "machine_is_idle": {"iometer": "R-IOMETER-CPU-2", "diskspd": "R-DISKSPD-9"},
    "processes_are_counted": {"fio": "R-FIO-NUMJOBS-1"},
    "depth_is_the_one_configured": {"fio": "R-FIO-DEPTH-3"},
    "not_more_outstanding": {
        "fio": "R-FIO-DEPTH-2", "iometer": "R-IOMETER-LITTLE-1", "diskspd": "R-DISKSPD-12", "orion": "R-ORION-10",
    },
    "not_fewer_outstanding": {
        "fio": "R-FIO-DEPTH-1", "iometer": "R-IOMETER-LITTLE-1", "diskspd": "R-DISKSPD-12", "orion": "R-ORION-10",
    },
    "depth_is_known": {"fio": "R-FIO-DEPTH-4"},
    "mix_is_the_one_declared": {"fio": "R-FIO-MIX-1", "diskspd": "R-DISKSPD-13"},
    "reads_are_a_load": {"fio": "R-FIO-MIX-2"},
    "run_lasts_as_asked": {"fio": "R-FIO-TIME-1", "iometer": "R-IOMETER-JOB-2", "diskspd": "R-DISKSPD-14"},
    "process_waits": {"fio": "R-FIO-CPU-1"},
}  # fmt: skip
"""The rule of each belief by tool; where a tool has none, the belief is not asked of it."""

KIB, _MEBI = 1024, 1 << 20


class Tolerances(NamedTuple):
    """How far a format's figures may be from what they should be."""

    mean_ticks: float = 0.0
    """Steps of its resolution that a mean latency may be rounded by."""
    printed_steps: Mapping[str, float] = MappingProxyType({})
    """Bytes per second of a printed throughput's unit."""
    rate_share: float = 0.01
    """Of a printed rate that counts over time may differ by."""
    is_cut: bool = False
    """Whether a printed throughput is cut to its unit, and bytes are cut to KiB."""
    is_rounded: bool = False
    """Whether figures are printed with few digits, so that rates made of them are more exact than they are."""
    block_share: float = 0.0
    bins_share: float = 0.0
    """Of operations that bins may hold more or less, where not all are counted that latency was taken of."""
    is_block_settled: bool = False
    """Whether a block size that bytes and operations refute is withdrawn."""
    are_blocks_in_flight: bool = False
    """Whether operations are under way when bytes and operations are counted."""
    is_load_shared: bool = False
    """Whether the results of a repetition share queue depth, run time and processor, so that these are asked once."""
    depth_low: float = 0.95
    depth_high: float = 1.05
    """Shares of the queue depth that IOPS times mean latency lies between."""
    least_operations: int = 0
    """Fewer than these prove nothing about a repetition."""
    time_low: float = 0.9
    time_high: float = float("inf")
    """Shares of the run time asked for that the measured one lies between."""


_FIO = Tolerances(
    rate_share=1e-3,
    printed_steps={"B/s": 1, "KiB/s": KIB, "kB/s": 1000},
    is_cut=True,
    block_share=0.01,
    bins_share=0.01,
    is_block_settled=True,
    are_blocks_in_flight=True,
    is_load_shared=True,
    depth_low=0.9,
    least_operations=100,
)
_TEXT = _FIO._replace(rate_share=0.02, is_rounded=True, block_share=1e-3)
_FORMATS = {
    ("fio", "json"): _FIO,
    ("fio", "json+"): _FIO,
    ("fio", "normal"): _TEXT,
    ("fio", "terse"): _TEXT,
    ("iometer", ""): Tolerances(
        printed_steps=dict.fromkeys(("MBps", "MiBps", "MBps (Binary)", "MiBps (Binary)"), _MEBI),
        depth_high=1 / 0.95,
        time_high=1.1,
    ),
    ("orion", ""): Tolerances(mean_ticks=0.5),
    ("diskspd", ""): Tolerances(is_load_shared=True, depth_low=0.9, least_operations=100, time_high=1.1),
}


@cache
def tolerances_of(tool: str, source_format: str) -> Tolerances | None:
    """Return how exact the figures of a format are, null where nothing is asked, as of logs and printed figures."""
    return _FORMATS.get((tool, source_format.partition(" ")[0])) or _FORMATS.get((tool, ""))
