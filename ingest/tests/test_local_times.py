"""Times without a zone are kept as the file prints them, and never become instants."""

from __future__ import annotations

import json

import pytest

from conftest import FIXTURES, input_of
from ioledger.model import Reading, Source
from ioledger.readers import detect
from ioledger.readers.fio.decoding import printed_time

REPORT = (FIXTURES / "submission" / "report.json").read_bytes()


def _read(data: bytes) -> Reading:
    return detect.read(Source("input", data))


def test_an_impossible_time_stamp_is_none() -> None:
    """There is no 31st of June; the figures stay."""
    results = _read(input_of("iometer/csv-56-depth-sweep").replace(b"2010-07-26", b"2010-06-31")).results
    assert results
    assert {(result.started_at_local, result.ended_at_local) for result in results} == {(None, None)}


@pytest.mark.parametrize(
    ("text", "time"),
    [
        ("Sun Nov 22 17:19:52 2026", "2026-11-22T17:19:52"),
        ("Mon Feb  9 02:06:02 2015", "2015-02-09T02:06:02"),
        ("Mon Feb 30 02:06:02 2015", None),
        ("lun Feb  9 02:06:02 2015", None),
        ("2015-02-09 02:06:02", None),
    ],
)
def test_a_printed_time_is_read_as_ctime_writes_it(text: str, time: str | None) -> None:
    """What ``ctime`` never writes is no time."""
    found = printed_time(text)
    assert (found.isoformat() if found else None) == time


def test_a_report_with_an_epoch_keeps_the_instant_and_one_without_what_its_clock_showed() -> None:
    """JSON of fio prints both; where only the text is left, it is no instant."""
    report = json.loads(REPORT)
    report["time"] = "Fri Nov 21 05:40:00 2025"
    with_epoch = _read(json.dumps(report).encode()).results
    for key in ("timestamp", "timestamp_ms"):
        report.pop(key, None)
    without = _read(json.dumps(report).encode()).results
    assert {result.ended_at_local for result in with_epoch} == {None}
    assert None not in {result.ended_at for result in with_epoch}
    assert {(result.ended_at, result.ended_at_local) for result in without} == {(None, "2025-11-21T05:40:00")}
