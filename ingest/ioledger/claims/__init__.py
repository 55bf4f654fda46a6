"""
The claims ledger: every statement of a publication that names a number, recomputed from the operands it rests on.

One implementation, exact by fractions; SQL joins its rows and shows them. The engine knows no publication, so it treats
all alike.
"""

from __future__ import annotations

from collections import defaultdict
from typing import TYPE_CHECKING

from ioledger.claims import beside, quantifiers, words
from ioledger.claims.audit import Audit, audit

if TYPE_CHECKING:
    from collections.abc import Iterable

    from ioledger.claims.printed import Row, Span

LOAD = (
    *("operation", "read_ratio", "block_size_bytes"),
    *("load_basis", "queue_depth_origin", "outstanding_per_target_count"),
)
"""What the result that a figure became knows of its load; a figure that is no result leaves all of it open."""
_OPEN: Span = (None, None)


def verdicts(
    claims: Iterable[Row],
    figures: Iterable[Row],
    drives: Iterable[Row],
    configurations: Iterable[Row],
    results: Iterable[Row] = (),
) -> list[Row]:
    """
    Return the verdict on each claim as a row of the table ``claim_verdicts``.

    The arguments are rows of the tables of their names, of all submissions; a claim sees those of its own only. Of
    ``results``, ``result_id`` and the columns of ``LOAD`` are read, of those that figures became.
    """
    became = {result["result_id"]: {name: result[name] for name in LOAD} for result in results}
    by_submission: dict[str, list[Row]] = defaultdict(list)
    for figure in figures:
        unknown: Row = dict.fromkeys(LOAD)
        by_submission[figure["submission_id"]].append({**figure, **became.get(figure["result_id"], unknown)})
    devices: dict[str, dict[str, str]] = defaultdict(dict)
    for drive in drives:
        if drive["role"] == "data":
            named, key = " ".join(filter(None, (drive["vendor"], drive["model"]))), drive["configuration_id"]
            mine = devices[drive["submission_id"]]
            mine[key] = f"{mine[key]} + {named}" if key in mine else named
    counts: dict[str, dict[str, int]] = defaultdict(dict)
    for row in configurations:
        counts[row["submission_id"]][row["configuration_id"]] = row["drive_count"] or 1
    ledgers: dict[str, list[Row]] = defaultdict(list)
    for claim in claims:
        ledgers[claim["submission_id"]].append(claim)
    return [
        _row(claim, found, by_submission[submission], devices[submission], counts[submission])
        for submission, ledger in ledgers.items()
        for claim, found in _audited(ledger, by_submission[submission])
    ]


def _audited(ledger: list[Row], figures: list[Row]) -> list[tuple[Row, Audit]]:
    """Return the claims of one publication with what its figures say about them."""
    named = {figure["figure_id"]: figure for figure in figures}
    found = quantifiers.settled(ledger, [audit(claim, named) for claim in ledger])
    return list(zip(ledger, found, strict=True))


def _row(claim: Row, found: Audit, figures: list[Row], devices: dict[str, str], counts: dict[str, int]) -> Row:
    recomputed = found.recomputed
    low, high = (recomputed.allowed if recomputed is not None else None) or _OPEN
    return {
        "submission_id": claim["submission_id"],
        "claim_id": claim["claim_id"],
        "operands": words.operands(claim, found),
        "recomputed_value": _float(recomputed.value if recomputed is not None else None),
        "recomputed_low": _float(low),
        "recomputed_high": _float(high),
        "recomputed_others": beside.other_values(claim, found),
        "difference_ratio": _float(found.difference),
        "verdict": found.verdict,
        "assumption": "; or ".join(found.assumptions) or None,
        "verdict_reason": words.reason(claim, found),
        "limit_reason": beside.limit_reason(claim, found, figures, devices, counts),
    }


def _float(value: object) -> float | None:
    return None if value is None else float(value)  # type: ignore[arg-type]
