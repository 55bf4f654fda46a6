"""What a correction changes: it may carry what was right, and pages show it in the place of what it corrects."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import pytest

import hostile
from conftest import FIXTURES, spoil
from ioledger.submission import gather
from ioledger.submission.rows import raw_tables
from ioledger.tables.schema import ROOT

if TYPE_CHECKING:
    from pathlib import Path

CLAIMS = (FIXTURES / "claims" / "claims.csv").read_bytes()
RAW = re.compile(r"\b(?:from|join) (figures|raw\.\w+)\b")
STANDING = "status in ('active', 'disputed')"


@pytest.fixture
def pair(tmp_path: Path) -> tuple[Path, Path]:
    """Return two submissions that hold the same claims; the runs of the second are its own."""
    folders = tmp_path / "2026-11-mallory-disk", tmp_path / "2026-11-mallory-disk-mended"
    for index, folder in enumerate(folders):
        hostile.sound(folder)
        report = (folder / hostile.REPORT).read_bytes().replace(b'"mean": 160000.0', f'"mean": 16000{index}.0'.encode())
        report = report.replace(b'"stddev": 20100.0', f'"stddev": 2010{index}.0'.encode())
        hostile.replace(folder, report, hostile.REPORT)
        hostile.add_file(folder, "claims.csv", CLAIMS, "publication")
    return folders


def _supersede(pair: tuple[Path, Path]) -> None:
    first, second = pair
    state = f"{{state: superseded, superseded_by: {second.name}, reason: a wrong title, changed_on: 2026-11-22}}"
    spoil(first, "affiliation: independent", f"affiliation: independent\nstatus: {state}")


def _rules(*folders: Path) -> set[str]:
    return {problem.rule for problem in gather.gather(folders).problems}


def test_a_correction_may_carry_the_claims_that_were_right(pair: tuple[Path, Path]) -> None:
    """The same bytes in the submission that is superseded and in its successor; two that stand cannot have them."""
    assert _rules(*pair) == {"R-FILE-7"}
    _supersede(pair)
    gathered = gather.gather(pair)
    assert gathered.problems == []
    built, problems = raw_tables(gathered)
    assert problems == []
    assert built["files"].num_rows == 4


def test_a_third_submission_may_not_carry_them(pair: tuple[Path, Path], tmp_path: Path) -> None:
    """It takes nobody's place."""
    _supersede(pair)
    third = hostile.sound(tmp_path / "2026-11-eve-disk")
    report = (third / hostile.REPORT).read_bytes().replace(b'"mean": 160000.0', b'"mean": 160002.0')
    report = report.replace(b'"stddev": 20100.0', b'"stddev": 20102.0')
    hostile.replace(third, report, hostile.REPORT)
    hostile.add_file(third, "claims.csv", CLAIMS, "publication")
    assert _rules(*pair, third) == {"R-FILE-7"}


def test_a_run_counts_once_also_for_a_successor(pair: tuple[Path, Path]) -> None:
    """A result in two submissions would have one id for two rows."""
    first, second = pair
    hostile.add_file(second, "again.json", (first / hostile.REPORT).read_bytes())
    _supersede(pair)
    assert _rules(*pair) == {"R-FILE-7"}


@pytest.mark.parametrize("path", sorted((ROOT / "site").glob("*/*.sql")), ids=lambda path: path.name)
def test_a_page_that_reads_raw_rows_leaves_out_what_does_not_stand(path: Path) -> None:
    """The marts leave it out; the raw tables list every submission, whatever its state."""
    text = path.read_text(encoding="utf-8")
    own = RAW.findall(text)
    joined = (
        "using (submission_id, figure_id)", ".figure_id = figures.figure_id", ".section = figures.section",
        "using (submission_id, configuration_id", "from quotients",
    )  # fmt: skip
    through_marts = any(words in text for words in joined)
    assert not own or through_marts or STANDING in text or "price_figure_id" in text
