"""DiskSpd: what its XML report becomes, and what is refused."""

from __future__ import annotations

import re

import pytest

from conftest import FIXTURES
from ioledger.loading.files import ignored_kind
from ioledger.model import Reading, Source
from ioledger.readers import detect, diskspd

REPORT = (FIXTURES / "diskspd" / "two-targets" / "input.xml").read_text(encoding="utf-8")


def _read(text: str) -> Reading:
    assert diskspd.claims(text.encode())
    return detect.read(Source("report.xml", text.encode()))


@pytest.mark.parametrize(("shared", "expected"), [(0, [16, 4, 20]), (5, [None, None, 15])])
def test_outstanding_i_os_count_per_thread_and_target(shared: int, expected: list[int | None]) -> None:
    """8 for each of 2 threads on one file and 4 on the other are 20; with -O each of 3 threads has 5 over both."""
    text = REPORT.replace("<RequestCount>0<", f"<RequestCount>{shared}<", 1)
    depths = {result.repetition: result.queue_depth for result in _read(text).results}
    places = ["0#/TimeSpan/0/Target/0", "0#/TimeSpan/0/Target/1", "0#/TimeSpan/0"]
    assert depths == dict(zip(places, expected, strict=True))


@pytest.mark.parametrize(
    ("old", "new", "expected"),
    [
        ("<Random>4096</Random>", "<Random>4096</Random><RandomRatio>40</RandomRatio>", ("mixed", 0.4)),
        ("<Random>4096</Random>", "<StrideSize>4096</StrideSize>", ("sequential", 0.0)),
        ("<BlockSize>4096</BlockSize>", "", ("random", 1.0)),
    ],
)
def test_the_order_of_addresses_is_what_random_says(old: str, new: str, expected: tuple[str, float]) -> None:
    """``RandomAccess`` is a hint to the cache and is false in random runs too."""
    read = _read(REPORT.replace(old, new)).results[0]
    assert (read.access_pattern, read.random_ratio) == expected


@pytest.mark.parametrize(
    ("old", "new", "rule"),
    [
        ("<BlockSize>4096<", "<BlockSize>8192<", "R-DISKSPD-6"),
        ("<ThreadsPerFile>2<", "<ThreadsPerFile>3<", "R-DISKSPD-6"),
        ("<RequestCount>8<", "<RequestCount>16<", "R-CHECK-1"),
        ("<RequestCount>8<", "<RequestCount>4<", "R-CHECK-1"),
        ("<WriteRatio>30<", "<WriteRatio>70<", "R-CHECK-1"),
        ("<WriteRatio>30<", "<WriteRatio>130<", "R-CHECK-1"),
        ("<Duration>10<", "<Duration>60<", "R-CHECK-1"),
    ],
)
def test_a_contradiction_is_kept_and_flagged(old: str, new: str, rule: str) -> None:
    """Nothing is mended: the counts stay, and a warning names the place."""
    reading = _read(REPORT.replace(old, new))
    assert reading.results
    assert {finding.rule for finding in reading.warnings} == {rule}


def test_a_latency_in_another_unit_is_told_by_littles_law() -> None:
    """Microseconds under the name of milliseconds: sixteen thousand outstanding of sixteen."""
    wrong = re.sub(r"(?<=Milliseconds>)[\d.]+", lambda figure: str(float(figure[0]) * 1000), REPORT)
    found = {finding.rule: finding.values for finding in _read(wrong).warnings}
    assert found["R-CHECK-1"] == {"outstanding_count": pytest.approx(4000), "queue_depth": 4}


def test_reports_one_after_another_are_all_read() -> None:
    """A loop that appends to one file writes several documents; each result says which one it is from."""
    for encoding in ("utf-8", "utf-16", "latin-1"):
        data = f"{REPORT}\r\n{REPORT}".replace(r"E:\b.dat", "E:\\\u00e9.dat").encode(encoding)
        assert diskspd.claims(data)
        reading = diskspd.read(Source("report.xml", data))
        assert (reading.document_count, reading.encoding) == (2, encoding)
        assert len({result.pointer for result in reading.results}) == len(reading.results) == 10


@pytest.mark.parametrize(
    "inside",
    ["<a>" * 10_000, "<a/>" * 1001, "&" * 100_000, "<a>1</b>", "", "<TimeSpan/>"],
    ids=["deep", "many", "ampersands", "mismatched", "empty", "hollow"],
)
def test_a_hostile_report_is_refused(inside: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Depth and number of elements have a cap, here of 1,000; nothing else is expanded."""
    monkeypatch.setattr(diskspd, "MAX_ELEMENTS", 1000)
    reading = _read(f"<Results><System></System>{inside}</Results>")
    assert reading.refusals
    assert not reading.results


def test_the_program_itself_is_no_report() -> None:
    """Its .exe holds the texts that it prints, which were taken for broken XML."""
    program = b"MZ\x90\0" + bytes(100) + b"<Results>\0  <System>\0<TimeSpan>\0Results for timespan\0"
    assert not diskspd.claims(program)
    assert [each.rule for each in detect.read(Source("diskspd.exe", program)).refusals] == ["R-DETECT-1"]
    assert ignored_kind("diskspd.exe", program) == "a program"
