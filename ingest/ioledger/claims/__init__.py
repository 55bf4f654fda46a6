"""
The claims ledger: every statement of a publication that names a number, recomputed from the operands it rests on.

One implementation, exact by fractions; SQL joins its rows and shows them. Whoever enters a claim types what its words
cover (``claimed_low``, ``claimed_high``), what must be assumed, and of how many loads it speaks (``quantifier``).
"""

from __future__ import annotations

from collections import defaultdict
from dataclasses import replace
from typing import TYPE_CHECKING

from ioledger.claims.audit import Audit, audit, explain, find_load, format_operands, list_load_bases

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from ioledger.claims.printed import Row, Span

LOAD = ("operation", "block_size_bytes", "load_basis", "queue_depth_origin", "outstanding_per_target_count")
"""What the result that a figure became knows of its load; a figure that is no result leaves all of it open."""
_OPEN: Span = (None, None)
_EXCEPTIONS = 5
""""Almost all" leaves room for one load in so many."""


def judge_claims(claims: Iterable[Row], figures: Iterable[Row], results: Iterable[Row] = ()) -> list[Row]:
    """Return the verdict on each claim as a row of the table ``claim_verdicts``."""
    became = {result["result_id"]: {name: result[name] for name in LOAD} for result in results}
    unknown: Row = dict.fromkeys(LOAD)
    by_submission: dict[str, dict[str, Row]] = defaultdict(dict)
    for figure in figures:
        own = by_submission[figure["submission_id"]]
        own[figure["figure_id"]] = {**figure, **became.get(figure["result_id"], unknown)}
    ledgers: dict[str, list[Row]] = defaultdict(list)
    for claim in claims:
        ledgers[claim["submission_id"]].append(claim)
    rows = []
    for submission, ledger in ledgers.items():
        audits = _settle_quantifiers(ledger, [audit(claim, by_submission[submission]) for claim in ledger])
        rows += [_make_row(claim, found) for claim, found in zip(ledger, audits, strict=True)]
    return rows


def _make_row(claim: Row, found: Audit) -> Row:
    recomputed = found.recomputed
    low, high = (recomputed.allowed if recomputed is not None else None) or _OPEN
    return {
        "submission_id": claim["submission_id"],
        "claim_id": claim["claim_id"],
        "operands": format_operands(claim, found),
        "recomputed_value": _float(recomputed.value if recomputed is not None else None),
        "recomputed_low": _float(low),
        "recomputed_high": _float(high),
        "difference_ratio": _float(found.difference),
        "verdict": found.verdict,
        "assumption": "; or ".join(found.assumptions) or None,
        "verdict_reason": explain(claim, found),
    }


def _float(value: object) -> float | None:
    return None if value is None else float(value)  # type: ignore[arg-type]


def _settle_quantifiers(claims: Sequence[Row], audits: Sequence[Audit]) -> list[Audit]:
    """
    Return the audits of one publication's claims, those of many loads settled by their quantifier.

    A sentence about many loads is entered as one row per printed load; its rows have one locator and one quantifier.
    "Almost all" is refuted when more than one fifth of the loads that the publication states contradict it.
    """
    stated = [
        (list_load_bases(claim), len(found.above))
        for claim, found in zip(claims, audits, strict=True)
        if claim["formula"] == "series"
    ]
    rows: dict[tuple[str, str], list[int]] = defaultdict(list)
    for index, (claim, found) in enumerate(zip(claims, audits, strict=True)):
        if claim["quantifier"] and found.verdict in {"consistent", "does_not_follow"}:
            rows[claim["locator"], claim["quantifier"]].append(index)
    settled = list(audits)
    for (_, quantifier), indices in rows.items():
        refuted = [index for index in indices if audits[index].verdict == "does_not_follow"]
        for index in indices:
            found, is_refuted = audits[index], index in refuted
            if quantifier == "all":
                remark = "one load that contradicts is enough against \u201call\u201d"
                settled[index] = replace(found, remark=remark) if is_refuted else found
                continue
            loads = {_identify_load(claims[other], audits[other]) for other in (refuted if is_refuted else indices)}
            settled[index] = _settle_almost_all(found, len(loads), stated, is_refuted=is_refuted)
    return settled


def _identify_load(claim: Row, found: Audit) -> object:
    """Return the load of a row, as far as its first operand states it; else the row stands for itself."""
    figure = found.above[0].figure if found.above else None
    load = find_load(figure) if figure is not None else None
    return claim["claim_id"] if figure is None or load is None else (figure["load_basis"], load)


def _settle_almost_all(
    found: Audit, counted: int, stated: Iterable[tuple[frozenset[str], int]], *, is_refuted: bool
) -> Audit:
    """Return the audit of a row whose printed operands contradict "almost all" at this many loads."""
    figure = found.above[0].figure if found.above else None
    basis = figure["load_basis"] if figure is not None else None
    count = next((count for bases, count in stated if basis in bases), None)
    room = "\u201calmost all\u201d leaves room for one load in five"
    if count is None:
        remark = f"{room}, and how many were measured is not stated"
        return replace(found, verdict="not_testable", remark=remark) if is_refuted else found
    verb = "contradicts" if counted == 1 else "contradict"
    remark = f"as printed, {counted} of the {count} stated loads {verb}, and {room}"
    if counted * _EXCEPTIONS > count:
        return replace(found, remark=remark) if is_refuted else found
    return replace(found, verdict="consistent", remark=remark)
