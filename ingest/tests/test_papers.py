"""The four publications of the dataset: complete, consistent, and equal to what they print."""

from __future__ import annotations

from decimal import ROUND_HALF_UP, Decimal
from functools import cache
from typing import TYPE_CHECKING, Any

import pytest

from ioledger.model import Source
from ioledger.readers import published
from ioledger.submission import files
from ioledger.tables.schema import ROOT

if TYPE_CHECKING:
    from ioledger.submission import Submission

FUJITSU = "2016-03-fujitsu-p3700"
DELL = "2012-03-dell-r720"
BLOG = "2013-10-blog-s3700-corrected"
INTEL = "2019-12-intel-optane-queue-depth"
COUNTS = {
    FUJITSU: {"figures": 102, "provenance": 85, "contradictions": 37, "claims": 72, "results": 95},
    DELL: {"figures": 16, "provenance": 67, "contradictions": 16, "claims": 20, "results": 12},
    BLOG: {"figures": 24, "provenance": 33, "contradictions": 8, "claims": 10, "results": 0},
    INTEL: {"figures": 22, "provenance": 50, "contradictions": 8, "claims": 11, "results": 4},
}
PROFILES = {
    "File copy": ("random", 0.5, 65536),
    "File server": ("random", 0.67, 65536),
    "Database": ("random", 0.67, 8192),
    "Streaming": ("sequential", 1, 65536),
    "Restore": ("sequential", 0, 65536),
}
QUOTIENTS = {
    "database": ("223.2", "3.0", "3.9"),
    "fileserver": ("38.6", "3.3", "1.6"),
    "filecopy": ("36.8", "3.6", "1.6"),
    "streaming": ("10.1", "3.0", "1.7"),
    "restore": ("7.8", "4.4", "1.8"),
}
OTHERS = ("hdd", "sas-ssd", "iodrive2")


@cache
def _paper(name: str) -> tuple[Submission, dict[str, list[Any]]]:
    """Return a submission and the rows of its files by table, with its results beside them."""
    submission, problems = files.load_submission(ROOT / "data" / name)
    assert submission is not None, problems
    rows: dict[str, list[Any]] = {}
    for path, data in submission.file_bytes.items():
        reading = published.read(Source(path, data))
        assert not reading.refusals
        rows |= reading.rows
        rows.setdefault("results", []).extend(reading.results)
    return submission, rows


@pytest.mark.parametrize("name", COUNTS)
def test_nothing_is_missing(name: str) -> None:
    """Each publication has all of its figures, facts, contradictions and claims."""
    rows = _paper(name)[1]
    assert {table: len(found) for table, found in rows.items()} == COUNTS[name]


@pytest.mark.parametrize("name", COUNTS)
def test_every_printed_text_holds_the_printed_numbers(name: str) -> None:
    """The literal token and the number taken from it agree, but for separators."""
    for row in _paper(name)[1]["figures"]:
        text = row["printed_text"].replace(",", "")
        for value in (row["printed_value"], row["printed_low"], row["printed_high"]):
            assert value is None or f"{Decimal(str(value)).normalize():f}" in text


@pytest.mark.parametrize("profile", QUOTIENTS)
def test_the_quotients_of_the_comparison_table_are_claims_that_follow_from_the_peaks(profile: str) -> None:
    """All fifteen, rounded half up to one decimal."""
    rows = _paper(FUJITSU)[1]
    peaks = {f"figure:{row['figure_id']}": row["printed_value"] for row in rows["figures"]}
    claims = {(row["numerator"], row["denominator"]): row["claimed_text"] for row in rows["claims"][:15]}
    for other, told in zip(OTHERS, QUOTIENTS[profile], strict=True):
        sides = f"figure:cmp.{profile}.p3700", f"figure:cmp.{profile}.{other}"
        quotient = Decimal(str(peaks[sides[0]])) / Decimal(str(peaks[sides[1]]))
        assert (str(quotient.quantize(Decimal("0.1"), ROUND_HALF_UP)), claims[sides]) == (told, told)


def test_a_load_profile_means_the_same_in_every_figure() -> None:
    """Access, share of reads and block size are those of the paper's table."""
    for result in _paper(FUJITSU)[1]["results"]:
        if result.load_profile is not None:
            workload = (result.access_pattern, result.read_ratio, result.block_size_bytes)
            assert workload == PROFILES[result.load_profile]


def test_a_peak_names_no_depth_and_a_point_names_one() -> None:
    """A peak was searched over depths, so only their range is known."""
    for result in _paper(FUJITSU)[1]["results"]:
        has_depth = result.queue_depth is not None
        has_range = result.queue_depth_low is not None and result.queue_depth_high == 512
        assert (has_depth, has_range) == {
            "point": (True, False),
            "plateau": (True, False),
            "peak": (False, True),
            "minimum": (False, False),
        }[result.statistic]


def test_users_are_no_queue_depth() -> None:
    """The Dell load is 200 users, and their outstanding I/Os are unknown."""
    for result in _paper(DELL)[1]["results"]:
        assert (result.load_basis, result.process_count, result.queue_depth) == ("users", 200, None)


@pytest.mark.parametrize(
    ("name", "kept", "replaced"),
    [
        (FUJITSU, "cmp.streaming.p3700", "concl.streaming"),
        (DELL, "latency.hdd", "latency.hdd.summary"),
    ],
)
def test_a_contradicted_figure_is_kept_but_is_not_canonical(name: str, kept: str, replaced: str) -> None:
    """Both numbers stand, and the note says why one of them counts."""
    figures = {row["figure_id"]: row for row in _paper(name)[1]["figures"]}
    assert figures[kept]["is_canonical"]
    assert not figures[replaced]["is_canonical"]
    assert "not canonical" in figures[replaced]["note"]
