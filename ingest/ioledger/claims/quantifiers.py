"""
How many of the loads a claim speaks of: "almost all" has exceptions, "all" has none.

A sentence about all loads is entered as one row per printed load; its rows have one locator and one qualifier. "Almost
all" is refuted when more than one fifth of the loads that the publication states contradict it, not of those that it
happens to print.
"""

from __future__ import annotations

from collections import defaultdict
from dataclasses import replace
from fractions import Fraction
from typing import TYPE_CHECKING

from ioledger.claims import loads
from ioledger.claims.wording import quantifier

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from ioledger.claims.audit import Audit
    from ioledger.claims.printed import Row

_EXCEPTIONS = Fraction(1, 5)


def settled(claims: Sequence[Row], audits: Sequence[Audit]) -> list[Audit]:
    """Return the audits of the claims of one publication, those that a load contradicts settled by their quantifier."""
    stated = [one for one in map(loads.series, claims) if one is not None]
    contradicted: dict[tuple[str, str], list[int]] = defaultdict(list)
    for index, (claim, found) in enumerate(zip(claims, audits, strict=True)):
        if quantifier(claim) and found.verdict in {"consistent", "does_not_follow"}:
            contradicted[claim["locator"], claim["qualifier"]].append(index)
    settled = list(audits)
    for indices in contradicted.values():
        refuted = [index for index in indices if audits[index].verdict == "does_not_follow"]
        for index in indices:
            among = refuted if index in refuted else indices
            counted = len({_load(claims[other], audits[other]) for other in among})
            settled[index] = _settle(claims[index], audits[index], counted, stated)
    return settled


def _load(claim: Row, found: Audit) -> object:
    """Return the load of a row, as far as its first operand tells it; else the row stands for itself."""
    figure = found.above[0].figure if found.above else None
    load = loads.load_of(figure) if figure is not None else None
    return claim["claim_id"] if figure is None or load is None else (figure["load_basis"], load)


def _settle(claim: Row, found: Audit, counted: int, stated: Iterable[loads.Series]) -> Audit:
    """Return the audit of a row whose printed operands contradict it at one load."""
    is_refuted = found.verdict == "does_not_follow"
    if quantifier(claim) == "all":
        remark = "one load that contradicts is enough against \u201call\u201d"
        return replace(found, remark=remark) if is_refuted else found
    figure = found.above[0].figure if found.above else None
    count = loads.stated_count(stated, figure["load_basis"] if figure is not None else None)
    said = "\u201calmost all\u201d leaves room for one load in five"
    if count is None:
        remark = f"{said}, and how many were measured is not stated"
        return replace(found, verdict="not_testable", remark=remark) if is_refuted else found
    verb = "contradicts" if counted == 1 else "contradict"
    remark = f"as printed, {counted} of the {count} stated loads {verb}, and {said}"
    if Fraction(counted, count) > _EXCEPTIONS:
        return replace(found, remark=remark) if is_refuted else found
    return replace(found, verdict="consistent", remark=remark)
