"""Text of fio, spoilt: terse lines, human output and job files answer, in time, whatever the bytes are."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

import pytest

from conftest import FIXTURES
from ioledger.model import Source
from ioledger.readers import fio
from ioledger.readers.fio import human, terse
from ioledger.readers.fio.decoding import MOST, is_too_long
from ioledger.readers.fio.options import MOST_SECTIONS, parse_job

if TYPE_CHECKING:
    from types import ModuleType

LONG = 4_000_000
SECONDS = 5.0
CASES = [
    (reader, path)
    for reader, prefix in ((terse, "terse"), (human, "normal"))
    for path in sorted((FIXTURES / "fio").glob(f"{prefix}-*/input.txt"))
]
UNITS = (";1.1%", "%;", ";", "3;fio-3.1;", "%=1;", ": (groupid=0, jobs=1): err=", "x: (g=0): rw=read, bs=", "[eta ",
         "th=[1],", "\r", "[x]\n", "[a]", "[global]\n", "rw=read\n", "rw=read;", "1, 2, 0, 0", "\x78\x9c")  # fmt: skip


@pytest.mark.parametrize("before", ["", *(path.read_text(encoding="utf-8") for _, path in CASES[::12])])
@pytest.mark.parametrize("unit", UNITS)
def test_a_long_text_takes_linear_time(before: str, unit: str) -> None:
    """Four megabytes of one thing, in one line or in many, alone or after a report: passed over or refused."""
    started = time.process_time()
    reading = fio.read(Source("long", (before + unit * (LONG // len(unit))).encode()))
    assert reading.results or reading.refusals
    assert time.process_time() - started < SECONDS


@pytest.mark.parametrize(("reader", "unit"), [(terse, "x\n"), (human, "[x]\n"), (human, "rw=read\n")])
def test_as_many_lines_as_are_read_take_their_time(reader: ModuleType, unit: str) -> None:
    """A text at the limit is read within five seconds."""
    before = CASES[0 if reader is terse else -1][1].read_text(encoding="utf-8")
    text = before + unit * (MOST - before.count("\n"))
    assert not is_too_long(text)
    started = time.process_time()
    assert reader.read(text).results
    assert time.process_time() - started < SECONDS


def test_a_text_with_too_many_lines_is_refused_with_the_limit() -> None:
    """The remedy is the report that a program reads."""
    before = CASES[0][1].read_text(encoding="utf-8")
    (refusal,) = fio.read(Source("long", (before + "x\n" * MOST).encode())).refusals
    assert refusal.rule == "R-FIO-LIMIT-1"
    assert f"{MOST:,}" in refusal.what


def test_a_job_file_with_too_many_sections_or_options_tells_nothing_and_stays_small() -> None:
    """Every section would hold what stands in the global ones before it: the square of the file's length."""
    sections = "".join(f"[global]\no{number}=1\n[j{number}]\nrw=read\n" for number in range(MOST_SECTIONS))
    options = "[global]\n" + "".join(f"o{number}=1\n" for number in range(MOST_SECTIONS)) + "[j]\nrw=read\n"
    assert parse_job(sections) == parse_job(options) == {}
    (refusal,) = fio.read(Source("long.fio", sections.encode())).refusals
    assert refusal.rule == "R-FIO-LIMIT-1"
