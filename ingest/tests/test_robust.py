"""No bytes make a reader raise, hang or answer with nothing."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
from pathlib import Path
from typing import TYPE_CHECKING

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ioledger.model import Reading, Result, Source
from ioledger.readers import detect
from mutate import mutate

if TYPE_CHECKING:
    from collections.abc import Callable

FIXTURES = Path(__file__).parent / "fixtures"
FILES = sorted(path for path in FIXTURES.rglob("input.*") if path.stat().st_size)
JOBS = [path for path in FILES if path.parent.name in {"job-file", "configuration"}]
SIGNED = {"group_index", "error_code", "started_at", "ended_at"}
SECONDS = 5.0
PACE_SECONDS = 0.14
"""What a machine takes to make a million small objects that is as fast as those where the limit was set."""
MEMORY_KIBIBYTES = 512 << 10


def _answered(reading: Reading) -> bool:
    told = reading.results or reading.refusals or reading.rows or reading.tool != "unknown"
    return bool(told) and not any(refusal.rule == "R-READ-1" for refusal in reading.refusals)


@settings(max_examples=5 * settings().max_examples)
@given(index=st.integers(0, len(FILES) - 1), seed=st.integers(0, 2**32))
def test_a_spoilt_file_gives_results_or_a_refusal(index: int, seed: int) -> None:
    """Always an answer, and soon: results in places of their own whose numbers fit their columns, or a refusal."""
    data = mutate(seed, FILES[index].read_bytes())
    started = time.process_time()
    reading = detect.read(Source(FILES[index].name, data))
    assert _answered(reading), f"{FILES[index]}: {reading.refusals}"
    assert time.process_time() - started < SECONDS
    assert len({result.pointer for result in reading.results}) == len(reading.results)
    for result in reading.results:
        for name, value in msgspec.structs.asdict(result).items():
            if isinstance(value, int | float) and name not in SIGNED:
                assert 0 <= value < 2**63, f"{name} is {value}"
        for bins in result.bins.values():
            assert bins.lows == sorted(set(bins.lows))


@given(index=st.integers(0, len(FILES) - 1), seed=st.integers(0, 2**32))
def test_a_spoilt_job_file_beside_a_file_changes_no_number(index: int, seed: int) -> None:
    """Options may come from it, never a figure; a block size makes cut IOPS finer, within what is printed."""
    data, job = FILES[index].read_bytes(), mutate(seed, JOBS[seed % len(JOBS)].read_bytes())
    plain = detect.read(Source(FILES[index].name, data))
    reading = detect.read(Source(FILES[index].name, data, job=job, tool_version="fio-3.33"))
    assert _answered(reading)
    assert [_figures(result) for result in reading.results] == [_figures(result) for result in plain.results]
    assert all(_is_finer(result, before) for result, before in zip(reading.results, plain.results, strict=True))


def _figures(result: Result) -> tuple[object, ...]:
    return result.pointer, result.latency_mean_seconds, result.transferred_bytes


def _is_finer(result: Result, before: Result) -> bool:
    rate, printed, step = result.operations_per_second, before.operations_per_second, 0.0
    if result.operations_basis == "bytes" != before.operations_basis:
        step = before.operations_resolution_per_second or 0.0
    return rate == printed or (rate is not None and printed is not None and abs(rate - printed) <= step)


@given(st.binary(max_size=4096))
def test_noise_gives_a_refusal(data: bytes) -> None:
    """Bytes that no tool wrote are refused."""
    assert detect.read(Source("noise", data)).refusals


HEAD = b'{"fio version": "fio-3.33", "jobs": ['


def _percentiles(count: int) -> bytes:
    """Return a job with this many percentiles, and the end of its report."""
    return b'{"read": {"clat_ns": {"percentile": {' + b",".join(map(b'"%016d": 1'.__mod__, range(count))) + b"}}}}]}"


HOSTILE: dict[str, tuple[Callable[[], bytes], str | None]] = {
    "a line of 200 MB": (lambda: b"x" * 200_000_000, "R-DETECT-1"),
    "two million percentiles": (lambda: HEAD + _percentiles(2_000_000), "R-FIO-LIMIT-1"),
    "a name of 31 MiB": (lambda: HEAD + b'{"jobname": "' + b"x" * (31 << 20) + b'"}]}', None),
    "ten million jobs": (lambda: HEAD + b"{}," * 10_000_000 + b"{}]}", "R-FIO-LIMIT-1"),
    "six million texts without an end": (lambda: HEAD + b'"ab",' * 6_000_000, "R-FIO-CUT-1"),
    "ten thousand reports and one": (lambda: HEAD + b"]}" + (b"\n" + HEAD + b"]}") * 10_000, "R-FIO-LIMIT-1"),
    "a log of 200 MB": (lambda: b"1, 2, 0, 0\n" * 18_000_000, "R-DETECT-4"),
    "brackets 300 000 deep": (lambda: HEAD + b"[" * 299_990, "R-FIO-JSON-1"),
    "UTF-16": (lambda: (HEAD + b"]}").decode().encode("utf-16"), None),
    "a number of 400 digits": (lambda: HEAD + b'{"read": {"io_bytes": 1' + b"0" * 400 + b"}}]}", None),
    "two million openings": (lambda: b"{ " * 1_000_000 + b'"fio version"', "R-DETECT-1"),
    "objects in options, 10 000 deep": (
        lambda: b'{"fio version" : "x", "global options" : ' + b'{"a" : ' * 10_000,
        "R-FIO-JSON-1",
    ),
    "half a surrogate": (
        lambda: HEAD + b'{"jobname": "\\ud800", "job options": 7, "read": {"io_bytes": 9}}]}',
        None,
    ),
    "jobs that are none": (lambda: HEAD + b'1, null, "a", [], {"read": []}], "client_stats": {}}', "R-FIO-JSON-1"),
    "NULs only": (lambda: b"\0" * 1_000_000, "R-DETECT-2"),
}
MEASURE = """
import gc, json, os, resource, sys, time
sys.path.insert(0, sys.argv[1])
from test_robust import HOSTILE, PACE_SECONDS, SECONDS
from ioledger.readers import detect
from ioledger.model import Source

def measure(case):
    source = Source("hostile", HOSTILE[case][0]())
    before, started = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss, time.process_time()
    reading = detect.read(source)
    taken, after = time.process_time() - started, resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    told = ",".join(refusal.rule for refusal in reading.refusals)
    gc.disable()
    is_quick = taken < SECONDS
    if not is_quick:
        started = time.process_time()
        churned = [[number, {}] for number in range(1_000_000)]
        is_quick = taken < SECONDS * (time.process_time() - started) / PACE_SECONDS
    print(json.dumps([case, is_quick, after - before, told or reading.tool]), flush=True)
    os._exit(not is_quick)

for case in HOSTILE:
    for _ in range(3):
        if not (pid := os.fork()):
            measure(case)
        if os.waitpid(pid, 0)[1] == 0:
            break
"""
"""
Reads every hostile file in a fork of its own.

Processor time is longer where others use the same caches: of three runs the quickest counts; and where a million small
objects take longer too, it is the machine.
"""


@pytest.fixture(scope="module")
def measured() -> dict[str, tuple[bool, int, str]]:
    """Return by case whether it was quick enough, the KiB that it took, and the answer."""
    command = [sys.executable, "-c", MEASURE, str(Path(__file__).parent)]
    done = subprocess.run(command, capture_output=True, text=True, check=True)  # noqa: S603
    return {case: tuple(found) for case, *found in map(json.loads, done.stdout.splitlines())}


@pytest.mark.skipif(not hasattr(os, "fork"), reason="each file is read in a fork")
@pytest.mark.parametrize("case", HOSTILE)
def test_a_hostile_file_is_answered_within_five_seconds_and_512_mb(
    case: str, measured: dict[str, tuple[bool, int, str]]
) -> None:
    """Nothing is read twice over, nothing recurses, and nothing grows to many times its size."""
    is_quick, kibibytes, told = measured[case]
    assert is_quick
    assert kibibytes < MEMORY_KIBIBYTES
    assert told == (HOSTILE[case][1] or "fio")
