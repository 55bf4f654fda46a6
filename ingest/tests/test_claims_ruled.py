"""The rules of the claims ledger on an invented publication: one claim or more per rule, judged twice."""

from __future__ import annotations

import csv
import io
import math
import random
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from claims_again import audit
from claims_beside import settled
from ioledger.claims import LOAD, verdicts
from ioledger.model import Source
from ioledger.readers import published

if TYPE_CHECKING:
    from claims_numbers import Cells

FOLDER = Path(__file__).parent / "fixtures" / "claims_ruled"


def _rows(name: str) -> list[Cells]:
    with (FOLDER / name).open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


EXPECTED = {row["claim_id"]: row for row in _rows("expected.csv")}
_CLAIMS = _rows("claims.csv")


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
    return {row["claim_id"]: row for row in verdicts(claims, figures, [], [], results)}


@pytest.mark.parametrize("claim", EXPECTED)
def test_a_rule_gives_its_verdict_and_says_why(claim: str, ledger: dict[str, dict[str, Any]]) -> None:
    """The verdict, what it assumes, and the words that decide stand in the table of what is expected."""
    row, expected = ledger[claim], EXPECTED[claim]
    assert row["verdict"] == expected["verdict"]
    assert (row["assumption"] or "") == expected["assumption"]
    assert expected["words"] in row["verdict_reason"]


def test_a_second_implementation_judges_the_invented_publication_alike(ledger: dict[str, dict[str, Any]]) -> None:
    """Other code comes to the same verdicts, values, intervals and assumptions."""
    figures, claims = {row["figure_id"]: row for row in _rows("figures.csv")}, _rows("claims.csv")
    again = {claim["claim_id"]: audit(claim, figures) for claim in claims}
    judged = settled(claims, {claim: found.verdict for claim, found in again.items()}, figures)
    assert judged == {claim: row["verdict"] for claim, row in ledger.items()}
    for claim, found in again.items():
        row = ledger[claim]
        assert "; or ".join(found.assumptions) == (row["assumption"] or ""), claim
        for name, end in zip(("value", "low", "high"), (found.value, *(found.span or (None, None))), strict=True):
            if found.verdict != "circular":
                is_open = end is None or not math.isfinite(end)
                assert row[f"recomputed_{name}"] == (
                    None if is_open or end is None else pytest.approx(float(end), 1e-12)
                )


def _random_claim(chance: random.Random, index: int, operands: list[str]) -> Cells:
    """Return a claim made of cells of the invented publication, most of which do not belong together."""
    drawn: Cells = {name: chance.choice(_CLAIMS)[name] for name in _CLAIMS[0]}
    below = chance.choice(operands) if drawn["formula"] in {"ratio", "difference", "percent_change"} else ""
    ends = sorted(filter(None, (drawn["claimed_low"], drawn["claimed_high"])), key=float)
    ends = ends if len(ends) > 1 else [drawn["claimed_low"], drawn["claimed_high"]]
    return drawn | {
        "claim_id": f"random {index}",
        "formula": chance.choice(["ratio", "difference", "percent_change", "bound", "count", drawn["formula"]]),
        "claimed_low": ends[0],
        "claimed_high": ends[1],
        "numerator": chance.choice(operands),
        "denominator": below,
    }


def test_random_claims_are_judged_alike_by_both() -> None:
    """2,000 claims drawn from the cells of the others: no failure, and the same verdicts and assumptions."""
    figures = {row["figure_id"]: row for row in _rows("figures.csv")}
    chance = random.Random(14)  # noqa: S311  (claims, not secrets)
    operands = sorted({row[side] for row in _CLAIMS for side in ("numerator", "denominator")} - {""})
    claims = [
        _random_claim(chance, index, [*operands, *(f"figure:{name}" for name in figures)]) for index in range(2000)
    ]
    header = ",".join(claims[0])
    text = io.StringIO()
    writer = csv.DictWriter(text, header.split(","), lineterminator="\n")
    writer.writeheader()
    writer.writerows(claims)
    found = _judged(text.getvalue().encode())
    again = {claim["claim_id"]: audit(claim, figures) for claim in claims}
    judged = settled(claims, {claim: each.verdict for claim, each in again.items()}, figures)
    assert judged == {claim: row["verdict"] for claim, row in found.items()}
    assert {claim: "; or ".join(each.assumptions) for claim, each in again.items()} == {
        claim: row["assumption"] or "" for claim, row in found.items()
    }


def test_every_verdict_occurs(ledger: dict[str, dict[str, Any]]) -> None:
    """So that each of their sentences is seen."""
    assert {row["verdict"] for row in ledger.values()} == {
        *("follows", "consistent", "follows_if", "follows_in_part", "close", "conflicts", "does_not_follow"),
        *("not_testable", "circular"),
    }
