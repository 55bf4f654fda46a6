"""No bytes make a reader raise, hang or answer with nothing."""

from __future__ import annotations

import time
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from mutate import mutate

from ingest import detect
from ingest.record import Reading, Source

FIXTURES = Path(__file__).parent / "fixtures"
FILES = sorted(path for path in FIXTURES.rglob("input.*") if path.stat().st_size)
SECONDS = 5.0


def _answered(reading: Reading) -> bool:
    told = reading.results or reading.refusals or reading.rows or reading.tool != "unknown"
    return bool(told) and not any(refusal.rule == "R-READ-1" for refusal in reading.refusals)


@settings(max_examples=400, deadline=None, derandomize=True)
@given(index=st.integers(0, len(FILES) - 1), seed=st.integers(0, 2**32))
def test_a_spoilt_file_gives_results_or_a_refusal(index: int, seed: int) -> None:
    """Cut, spliced, flipped, re-encoded, deeply nested, with impossible numbers: always an answer, and soon."""
    data = mutate(seed, FILES[index].read_bytes())
    started = time.process_time()
    reading = detect.read(Source(FILES[index].name, data))
    assert _answered(reading), f"{FILES[index]}: {reading.refusals}"
    assert time.process_time() - started < SECONDS


@settings(max_examples=200, deadline=None, derandomize=True)
@given(st.binary(max_size=4096))
def test_noise_gives_a_refusal(data: bytes) -> None:
    """Bytes that no tool wrote are refused."""
    assert detect.read(Source("noise", data)).refusals


HOSTILE = {
    "a line of 200 MB": b"x" * 200_000_000,
    "a JSON line of 200 MB": b'{"fio version": "fio-3.33", "jobs": [' + b" " * 200_000_000 + b"]}",
    "brackets 10 000 deep": b'{"fio version": "fio-3.33", "jobs": ' + b"[" * 10_000,
    "UTF-16": '{"fio version": "fio-3.33", "jobs": []}'.encode("utf-16"),
    "a number of 400 digits": b'{"fio version": "fio-3.33", "jobs": [{"read": {"io_bytes": 1' + b"0" * 400 + b"}}]}",
    "NULs only": b"\0" * 1_000_000,
}


@pytest.mark.parametrize("case", HOSTILE)
def test_a_hostile_file_is_answered_within_five_seconds(case: str) -> None:
    """Nothing is read twice over, and nothing recurses."""
    started = time.process_time()
    reading = detect.read(Source("hostile", HOSTILE[case]))
    assert _answered(reading)
    assert time.process_time() - started < SECONDS
