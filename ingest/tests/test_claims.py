"""The claims ledger: the expected verdict on every claim, twice derived, in fair words."""

from __future__ import annotations

import csv
import hashlib
import math
import re
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from claims_again import audit
from dataset import PAPERS
from derivations_again import table
from invented import LATER, REPLY
from ioledger.tables.schema import ROOT

if TYPE_CHECKING:
    from claims_numbers import Cells

FIXTURES = Path(__file__).parent / "fixtures"
ENGINE = sorted((ROOT / "ingest" / "ioledger" / "claims").glob("*.py"))
Ledger = dict[tuple[str, str], dict[str, Any]]


def _rows(path: Path) -> list[Cells]:
    with path.open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


EXPECTED = {row["claim_id"]: row for row in _rows(FIXTURES / "claims_expected.csv")}
EXPECTED_LATER = {row["claim_id"]: row for row in _rows(FIXTURES / "claims" / "expected.csv")}


@pytest.fixture(scope="module")
def folders(sample: Path) -> list[Path]:
    """Return the publications of the dataset and one that came later."""
    return [sample / "data" / name for name in (*PAPERS, LATER)]


@pytest.fixture(scope="module")
def ledger(sample: Path) -> Ledger:
    """Return the mart as dbt makes it from these publications and a reply, by submission and claim."""
    return {(row["submission_id"], row["claim_id"]): row for row in table(sample / "build", "claims")}


@pytest.fixture(scope="module")
def papers(ledger: Ledger) -> dict[str, dict[str, Any]]:
    """Return the claims of the dataset by identifier."""
    return {claim: row for (submission, claim), row in ledger.items() if submission != LATER}


def test_every_claim_of_the_dataset_has_the_expected_verdict(papers: dict[str, dict[str, Any]]) -> None:
    """113 claims; where a reading by hand came to another verdict, the table says why."""
    assert {claim: row["verdict"] for claim, row in papers.items()} == {
        claim: row["verdict"] for claim, row in EXPECTED.items()
    }
    assert len(papers) == 113


def test_a_second_implementation_comes_to_the_same_results(folders: list[Path], ledger: Ledger) -> None:
    """Other code, from the CSV files alone, gives the same verdicts, values, intervals and assumptions."""
    seen = 0
    for folder in folders:
        figures = {row["figure_id"]: row for row in _rows(folder / "figures.csv")}
        for claim in _rows(folder / "claims.csv"):
            row, again = ledger[folder.name, claim["claim_id"]], audit(claim, figures)
            assert row["verdict"] == again.verdict, claim["claim_id"]
            assert (row["assumption"] or "") == "; or ".join(again.assumptions), claim["claim_id"]
            if again.span is not None:
                expected = [again.value, *again.span]
                found = [row["recomputed_value"], row["recomputed_low"], row["recomputed_high"]]
                assert [each is None for each in found] == [each is None for each in expected]
                pairs = [(one, float(two)) for one, two in zip(found, expected, strict=True) if two is not None]
                assert all(math.isclose(one, two, rel_tol=1e-12) for one, two in pairs), claim["claim_id"]
            seen += 1
    assert seen == len(ledger)


def test_a_later_publication_is_audited_by_the_same_engine(ledger: Ledger) -> None:
    """Every formula, every verdict and every assumption occurs in a folder that the engine does not know."""
    rows = {claim: row for (submission, claim), row in ledger.items() if submission == LATER}
    assert {claim: row["verdict"] for claim, row in rows.items()} == {
        claim: row["verdict"] for claim, row in EXPECTED_LATER.items()
    }
    for claim, row in EXPECTED_LATER.items():
        assert row["assumption"] in (rows[claim]["assumption"] or ""), claim
    assert {row["formula"] for row in rows.values()} == {
        *("ratio", "difference", "percent_change", "bound", "count", "geomean", "qualitative", "none")
    }
    verdicts = {row["verdict"] for row in ledger.values()}
    assert verdicts == {
        *("follows", "follows_if", "close", "does_not_follow", "circular", "not_derivable", "qualitative")
    }


def test_a_reply_stands_beside_its_claim_word_for_word(ledger: Ledger) -> None:
    """It comes as a folder of its own, without touching the publication that was merged before."""
    reads, mean = ledger[LATER, "reads"], ledger[LATER, "mean"]
    assert reads["reply"] == "The old disk was measured with its cache off, as its data sheet asks."
    assert (reads["replied_by"], reads["replied_on"]) == ("Maker of the new disk", "2026-12-01")
    assert (reads["reply_submission_id"], reads["reply_count"]) == (REPLY, 1)
    assert (mean["reply"], mean["reply_count"]) == (None, 0)


def test_a_claim_leads_to_its_line_in_the_file(folders: list[Path], ledger: Ledger) -> None:
    """The line that a row names holds its claim, and the hash is that of the file."""
    for folder in folders:
        data = (folder / "claims.csv").read_bytes()
        lines = data.decode("utf-8").splitlines()
        mine = [row for (submission, _), row in ledger.items() if submission == folder.name]
        assert len(mine) == len(lines) - 1
        for row in mine:
            assert row["source_sha256"] == hashlib.sha256(data).hexdigest()
            number = int(row["source_pointer"].removeprefix("line "))
            assert lines[number - 1].startswith(f"{row['claim_id']},")


def test_the_fifteen_quotients_of_the_fujitsu_table_follow(papers: dict[str, dict[str, Any]]) -> None:
    """Five load profiles against three other media, as printed with one decimal."""
    quotients = [row for row in papers.values() if row["statement"].startswith("Quotient P3700 / ")]
    assert [row["verdict"] for row in quotients] == ["follows"] * 15


@pytest.mark.parametrize(
    ("statement", "verdict", "words"),
    [
        ("a quarter of the latency of four SAS SSDs", "does_not_follow", "26ms / 52ms = 0.5, one part in 2 "),
        ("a tenth of the latency", "does_not_follow", "one part in 8.73 "),
        ("CacheCade lowers the latency by 55 %", "does_not_follow", "= -51.3514 % "),
        ("CacheCade lowers the latency by 55 %", "does_not_follow", "for the same measurements give -52.4229"),
        ("Express Flash reaches 10.5 times the IOPS", "does_not_follow", "= 10.1595 "),
        ("scaling factor 3.99", "close", "= 4.08333 "),
        ("scaling factor 3.90", "does_not_follow", "same measurements give 3.72"),
        ("up to 2490 MB/s", "does_not_follow", "2395 MB/s"),
        ("One I/O in 80 μs is 12K IOPS", "follows_if", "the number is cut off"),
        ("16 files of 10 GB are 160 GB", "follows_if", "the unit of the claim counts in powers of 1024"),
        ("almost 4.4 times", "follows", "the recomputed value is not below the claim"),
    ],
)
def test_a_known_claim_is_told_with_its_numbers(
    statement: str, verdict: str, words: str, papers: dict[str, dict[str, Any]]
) -> None:
    """The reason shows the arithmetic that decides."""
    (row,) = [row for row in papers.values() if statement in row["statement"]]
    assert row["verdict"] == verdict
    assert words in row["verdict_reason"]


def test_475000_operations_per_second_cannot_be_blocks_of_8_kib(papers: dict[str, dict[str, Any]]) -> None:
    """They would be 3711 MB/s of base 2, more than the 3380 MB/s the bus carries."""
    (row,) = [row for row in papers.values() if row["claimed_value"] == 475000]
    assert row["limit_reason"].startswith("The stated limit of 3380 MB/s allows blocks of at most 7461 bytes")
    assert row["limit_reason"].endswith("blocks of 8 KiB would need 3711 MB/s")


def test_the_words_are_fair(ledger: Ledger) -> None:
    """No claim is called false; what cannot be recomputed is not derivable from the disclosed data."""
    for row in ledger.values():
        assert not re.search(r"\b(false|wrong|untrue|mislead\w*|cheat\w*)\b", row["verdict_reason"].lower())
        if row["verdict"] == "not_derivable":
            assert row["verdict_reason"].startswith("Not derivable from the disclosed data: ")
        assert (row["assumption"] is None) == (row["verdict"] != "follows_if")


def test_no_module_names_a_claim_or_a_publication() -> None:
    """The engine knows no publication, so it treats all alike."""
    names = [*EXPECTED, *PAPERS, "fujitsu", "dell", "intel", "s3700"]
    assert ENGINE
    for path in ENGINE:
        text = path.read_text(encoding="utf-8").lower()
        assert [name for name in names if re.search(rf"\b{name.lower()}\b", text)] == []
