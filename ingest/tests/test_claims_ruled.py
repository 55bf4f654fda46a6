"""The rules of the claims ledger on an invented publication: one claim or more per rule."""

from __future__ import annotations

import csv
import io
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from ioledger.claims import LOAD, judge_claims
from ioledger.model import Source
from ioledger.readers import published
from test_claims import assert_recomputed

if TYPE_CHECKING:
    Cells = dict[str, str]

FOLDER = Path(__file__).parent / "fixtures" / "claims_ruled"


def _rows(name: str) -> list[Cells]:
    with (FOLDER / name).open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


EXPECTED = {row["claim_id"]: row for row in _rows("expected.csv")}


@pytest.fixture(scope="module")
def ledger() -> dict[str, dict[str, Any]]:
    """Return the verdicts on the claims of the invented publication, by claim."""
    return _judged((FOLDER / "claims.csv").read_bytes())


def _judged(ledger: bytes) -> dict[str, dict[str, Any]]:
    """Return the verdicts on claims about the figures of the invented publication, by claim."""
    files = {"figures.csv": (FOLDER / "figures.csv").read_bytes(), "claims.csv": ledger}
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


@pytest.mark.parametrize("claim", EXPECTED)
def test_a_rule_gives_its_verdict_and_says_why(claim: str, ledger: dict[str, dict[str, Any]]) -> None:
    """The verdict, what it assumes, and the words that decide stand in the table of what is expected."""
    row, expected = ledger[claim], EXPECTED[claim]
    assert row["verdict"] == expected["verdict"]
    assert (row["assumption"] or "") == expected["assumption"]
    assert expected["words"] in row["verdict_reason"]


def test_the_invented_publication_has_the_values_of_another_implementation(ledger: dict[str, dict[str, Any]]) -> None:
    """Other code came to the same verdicts, values, intervals and assumptions."""
    for expected in _rows("recomputed.csv"):
        assert_recomputed(ledger[expected["claim_id"]], expected)


def test_claims_of_mixed_cells_have_the_verdicts_of_another_implementation() -> None:
    """Cells of other claims at random: most do not belong together, and none fails."""
    claims = _rows("random.csv")
    expected = {row["claim_id"]: (row.pop("verdict"), row.pop("expected_assumption")) for row in claims}
    text = io.StringIO()
    writer = csv.DictWriter(text, list(claims[0]), lineterminator="\n")
    writer.writeheader()
    writer.writerows(claims)
    found = _judged(text.getvalue().encode())
    assert {claim: (row["verdict"], row["assumption"] or "") for claim, row in found.items()} == expected
