"""The claims ledger: the expected verdict on every claim, in fair words."""

from __future__ import annotations

import csv
import hashlib
import io
import json
import re
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from dataset import PAPERS, table
from invented import LATER, REPLY
from ioledger.claims import LOAD, judge_claims
from ioledger.model import Source
from ioledger.readers import published
from ioledger.tables.schema import ROOT

if TYPE_CHECKING:
    Cells = dict[str, str]

FIXTURES = Path(__file__).parent / "fixtures"
INVENTED = FIXTURES / "claims_ruled"
"""A publication with a claim or more for each rule."""
Ledger = dict[tuple[str, str], dict[str, Any]]


def _rows(path: Path) -> list[Cells]:
    with path.open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


EXPECTED = {row["claim_id"]: row for row in _rows(FIXTURES / "claims_expected.csv")}
EXPECTED_LATER = {row["claim_id"]: row for row in _rows(FIXTURES / "claims" / "expected.csv")}


def assert_recomputed(row: dict[str, Any], expected: Cells) -> None:
    """Compare a verdict with what another implementation came to; a claim without an interval has none to compare."""
    assert (row["verdict"], row["assumption"] or "") == (expected["verdict"], expected["assumption"]), row["claim_id"]
    if expected["low"] or expected["high"]:
        for name in ("value", "low", "high"):
            end = pytest.approx(float(expected[name]), rel=1e-12) if expected[name] else None
            assert row[f"recomputed_{name}"] == end, (row["claim_id"], name)


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


def test_every_claim_has_the_values_of_another_implementation(ledger: Ledger) -> None:
    """Verdicts, values, intervals and assumptions as other code recomputed them from the CSV files alone."""
    expected = {(row["submission_id"], row["claim_id"]): row for row in _rows(FIXTURES / "claims_recomputed.csv")}
    assert expected.keys() == ledger.keys()
    for key, row in ledger.items():
        assert_recomputed(row, expected[key])


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
        *("follows", "consistent", "follows_if", "follows_in_part", "close", "conflicts", "does_not_follow"),
        *("not_testable", "circular"),
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


@pytest.mark.parametrize(
    ("statement", "verdict", "words"),
    [
        ("a quarter of the latency of four SAS SSDs", "does_not_follow", "26ms / 52ms = 0.5 "),
        ("a tenth of the latency", "does_not_follow", "= 0.114537 "),
        ("CacheCade lowers the latency by 55 %", "does_not_follow", "= -51.3514 % "),
        ("CacheCade lowers the latency by 55 %", "does_not_follow", "222ms is also printed as 227ms"),
        ("Express Flash reaches 10.5 times the IOPS", "close", "= 10.1595 "),
        ("scaling factor 3.99", "close", "= 4.08333 "),
        ("scaling factor 3.90", "consistent", "3.53333 to 4.19101 "),
        ("scaling factor 3.90", "consistent", "450 MB/s is also printed as 500 MB/s"),
        ("up to 2490 MB/s", "conflicts", "the printed value is 2395 MB/s"),
        ("up to 2490 MB/s", "conflicts", "elsewhere it is printed as 2400 MB/s"),
        ("The database has 100 GB", "conflicts", "126 GB"),
        ("powers of two up to 512", "conflicts", "printed at 2 and 4"),
        ("File copy, lowest load: RAID 1", "consistent", "1 of the 9 stated loads contradicts"),
        ("A run takes about 32 minutes", "consistent", "a lower bound"),
        ("Express Flash reaches 10.5 times the IOPS", "close", "the claimed number is 3.4 % larger"),
        ("Optane SSD reaches 4 to 5 times", "follows_in_part", "(above 4)"),
        ("Optane SSD exceeds 1.2 GB/s", "follows_if", "the writes take less than 22.2 µs on average"),
        ("NAND SSD stays below 0.3 GB/s", "follows", "= 0.16384 "),
        ("take eight of the drives", "circular", "compared with itself"),
        ("One I/O in 80 μs is 12K IOPS", "consistent", "= 12500 "),
        ("16 files of 10 GB are 160 GB", "follows_if", "the unit of the claim counts in powers of 1024"),
        ("almost 4.4 times", "consistent", "4.39452 to 4.40741 within"),
    ],
)
def test_a_known_claim_is_told_with_its_numbers(
    statement: str, verdict: str, words: str, papers: dict[str, dict[str, Any]]
) -> None:
    """The reason shows the arithmetic that decides."""
    (row,) = [row for row in papers.values() if statement in row["statement"]]
    assert row["verdict"] == verdict
    assert words in row["verdict_reason"]


def test_the_site_has_a_word_for_every_verdict_and_no_other() -> None:
    """One file of the site names the verdicts, both languages have words for them; the schema says which there are."""
    said = (ROOT / "site" / "components" / "claims.js").read_text(encoding="utf-8")
    schema = json.loads((ROOT / "schemas" / "marts" / "claims.schema.json").read_text(encoding="utf-8"))
    verdicts = schema["properties"]["verdict"]["enum"]
    assert sorted(re.findall(r'\{id: "(\w+)", color', said)) == sorted(verdicts)
    for language in ("en", "ja"):
        words = json.loads((ROOT / "site" / "messages" / f"{language}.json").read_text(encoding="utf-8"))
        assert all(words[f"claim.{verdict}"] for verdict in verdicts)


def test_the_words_are_fair(ledger: Ledger) -> None:
    """No claim is called false; what cannot be recomputed is not testable with the disclosed data."""
    for row in ledger.values():
        assert not re.search(r"\b(false|wrong|untrue|mislead\w*|cheat\w*)\b", row["verdict_reason"].lower())
        if row["verdict"] == "not_testable":
            assert row["verdict_reason"].startswith("Not testable with the disclosed data: ")
        assert (row["assumption"] is None) == (row["verdict"] != "follows_if")


RULED = {row["claim_id"]: row for row in _rows(INVENTED / "expected.csv")}


@pytest.fixture(scope="module")
def ruled() -> dict[str, dict[str, Any]]:
    """Return the verdicts on the claims of the invented publication, by claim."""
    return _judged((INVENTED / "claims.csv").read_bytes())


def _judged(text: bytes) -> dict[str, dict[str, Any]]:
    """Return the verdicts on claims about the figures of the invented publication, by claim."""
    files = {"figures.csv": (INVENTED / "figures.csv").read_bytes(), "claims.csv": text}
    read = {name: published.read(Source(name, data)) for name, data in files.items()}
    assert [reading.refusals for reading in read.values()] == [[], []]
    own = {"submission_id": "invented"}
    figures = [row | own | {"result_id": row["pointer"]} for row in read["figures.csv"].rows["figures"]]
    claims = [row | own for row in read["claims.csv"].rows["claims"]]
    results = [
        {"result_id": result.pointer} | {name: getattr(result, name) for name in LOAD}
        for result in read["figures.csv"].results
    ]
    return {row["claim_id"]: row for row in judge_claims(claims, figures, results)}


@pytest.mark.parametrize("claim", RULED)
def test_a_rule_gives_its_verdict_and_says_why(claim: str, ruled: dict[str, dict[str, Any]]) -> None:
    """The verdict, what it assumes, and the words that decide stand in the table of what is expected."""
    row, expected = ruled[claim], RULED[claim]
    assert row["verdict"] == expected["verdict"]
    assert (row["assumption"] or "") == expected["assumption"]
    assert expected["words"] in row["verdict_reason"]


def test_the_invented_publication_has_the_values_of_another_implementation(ruled: dict[str, dict[str, Any]]) -> None:
    """Other code came to the same verdicts, values, intervals and assumptions."""
    for expected in _rows(INVENTED / "recomputed.csv"):
        assert_recomputed(ruled[expected["claim_id"]], expected)


def test_claims_of_mixed_cells_have_the_verdicts_of_another_implementation() -> None:
    """Cells of other claims at random: most do not belong together, and none fails."""
    claims = _rows(INVENTED / "random.csv")
    expected = {row["claim_id"]: (row.pop("verdict"), row.pop("expected_assumption")) for row in claims}
    text = io.StringIO()
    writer = csv.DictWriter(text, list(claims[0]), lineterminator="\n")
    writer.writeheader()
    writer.writerows(claims)
    found = _judged(text.getvalue().encode())
    assert {claim: (row["verdict"], row["assumption"] or "") for claim, row in found.items()} == expected
