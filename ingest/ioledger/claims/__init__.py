"""
The claims ledger: every statement of a publication that names a number, recomputed from the operands it rests on.

One implementation, exact by fractions; SQL joins its rows and shows them. The engine knows no publication, so it treats
all alike.
"""

from __future__ import annotations

from collections import defaultdict
from typing import TYPE_CHECKING

from ioledger.claims import beside, words
from ioledger.claims.audit import audit

if TYPE_CHECKING:
    from collections.abc import Iterable

    from ioledger.claims.printed import Row


def verdicts(
    claims: Iterable[Row], figures: Iterable[Row], drives: Iterable[Row], configurations: Iterable[Row]
) -> list[Row]:
    """
    Return the verdict on each claim as a row of the table ``claim_verdicts``.

    The arguments are rows of the tables of their names, of all submissions; a claim sees those of its own only.
    """
    by_submission: dict[str, list[Row]] = defaultdict(list)
    for figure in figures:
        by_submission[figure["submission_id"]].append(figure)
    devices: dict[str, dict[str, str]] = defaultdict(dict)
    for drive in drives:
        if drive["role"] == "data":
            named, key = " ".join(filter(None, (drive["vendor"], drive["model"]))), drive["configuration_id"]
            mine = devices[drive["submission_id"]]
            mine[key] = f"{mine[key]} + {named}" if key in mine else named
    counts: dict[str, dict[str, int]] = defaultdict(dict)
    for row in configurations:
        counts[row["submission_id"]][row["configuration_id"]] = row["drive_count"] or 1
    return [_row(claim, by_submission, devices, counts) for claim in claims]


def _row(
    claim: Row,
    figures: dict[str, list[Row]],
    devices: dict[str, dict[str, str]],
    counts: dict[str, dict[str, int]],
) -> Row:
    submission = claim["submission_id"]
    mine = figures[submission]
    found = audit(claim, {figure["figure_id"]: figure for figure in mine})
    others = beside.other_values(claim, found, mine)
    recomputed = found.recomputed
    rounded = recomputed.rounded if recomputed is not None else None
    return {
        "submission_id": submission,
        "claim_id": claim["claim_id"],
        "operands": words.operands(claim, found),
        "recomputed_value": _float(recomputed.value if recomputed is not None else None),
        "recomputed_low": _float(rounded[0] if rounded else None),
        "recomputed_high": _float(rounded[1] if rounded else None),
        "recomputed_others": others,
        "difference_ratio": _float(found.difference),
        "verdict": found.verdict,
        "assumption": "; or ".join(found.assumptions) or None,
        "verdict_reason": words.reason(claim, found, others),
        "limit_reason": beside.limit_reason(claim, found, mine, devices[submission], counts[submission]),
    }


def _float(value: object) -> float | None:
    return None if value is None else float(value)  # type: ignore[arg-type]
