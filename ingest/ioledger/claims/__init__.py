"""
The claims ledger: every statement of a publication that names a number, recomputed from the operands it rests on.

SQL joins the rows and shows them. Whoever enters a claim types what its words cover (``claimed_low``,
``claimed_high``), what must be assumed, and of how many loads it speaks (``quantifier``). Each claim gets exactly one
verdict, the first that holds:

``circular``          it is compared with itself
``not_testable``      its operands are not disclosed, it names no limit, or it has no derivation from printed numbers
``follows``           the printed operands give it
``follows_in_part``   they give one end of a claimed range, and leave the other open
``consistent``        it lies inside what the printed operands allow, without being what they give
``follows_if``        they give it under one named assumption
``conflicts``         another printing of the same quantity, or a result outside a stated series, contradicts it
``close``             they miss it by at most 5 %
``does_not_follow``   they give another value

What is observed (an elapsed time, a maximum, a size) is not derived from operands: other printings are compared with
it, and a planned measuring time is a lower bound of the elapsed one.
"""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import TYPE_CHECKING

from ioledger.claims.printed import (
    Claimed,
    find_figures,
    find_line,
    find_printings,
    fraction,
    read_operand,
    recompute,
)
from ioledger.readers import KIBI, KILO, unit_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from ioledger.claims.printed import Printed, Recomputed, Row

LOAD = ("operation", "block_size_bytes", "load_basis", "queue_depth_origin", "outstanding_per_target_count")
"""What the result that a figure became knows of its load; a figure that is no result leaves all of it open."""
_EXCEPTIONS = 5
""""Almost all" leaves room for one load in so many."""
_CLOSE = Fraction(1, 20)
_STEP = Fraction(KIBI, KILO)
_OF_ONE = frozenset({"bound", "count"})
"""Formulas that compare a claim with another printing of what it states."""
_MINUS = "\N{MINUS SIGN}"
_NOT_TESTABLE = "Not testable with the disclosed data: "
_SENTENCES = {
    "circular": "The claim is compared with itself: no other printed number is named",
    "follows": "Agrees with the claim: ",
    "follows_in_part": "Follows at one end; nothing printed bounds the other: ",
    "consistent": "Consistent with what is printed, though not derived from it: ",
    "conflicts": "Conflicts with what else is printed: ",
    "close": "Within 5 %, but not what is claimed: ",
    "does_not_follow": "Does not follow from the printed operands: ",
    "not_testable": _NOT_TESTABLE,
}


@dataclass(frozen=True)
class Audit:
    """A verdict with everything it rests on; ``stated_count`` counts the operands named, read or not."""

    verdict: str
    covered: Claimed
    above: tuple[Printed, ...] = ()
    below: tuple[Printed, ...] = ()
    stated_count: int = 0
    recomputed: Recomputed | None = None
    assumptions: tuple[str, ...] = ()
    difference: Fraction | None = None
    remark: str | None = None


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
        audits = _settle_quantifiers(ledger, [_audit(claim, by_submission[submission]) for claim in ledger])
        rows += [_make_row(claim, found) for claim, found in zip(ledger, audits, strict=True)]
    return rows


def _make_row(claim: Row, found: Audit) -> Row:
    recomputed = found.recomputed
    low, high = (recomputed.allowed if recomputed is not None else None) or (None, None)
    return {
        "submission_id": claim["submission_id"],
        "claim_id": claim["claim_id"],
        "operands": _format_operands(claim, found),
        "recomputed_value": _float(recomputed.value if recomputed is not None else None),
        "recomputed_low": _float(low),
        "recomputed_high": _float(high),
        "difference_ratio": _float(found.difference),
        "verdict": found.verdict,
        "assumption": "; or ".join(found.assumptions) or None,
        "verdict_reason": _explain(claim, found),
    }


def _float(value: Fraction | None) -> float | None:
    return None if value is None else float(value)


def _settle_quantifiers(claims: Sequence[Row], audits: Sequence[Audit]) -> list[Audit]:
    """Return the audits of a publication, claims about many loads (a row per load) settled by their quantifier."""
    stated = [
        (_list_load_bases(claim), len(found.above))
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
    figure = found.above[0].figure if found.above else None
    load = _find_load(figure) if figure is not None else None
    return claim["claim_id"] if figure is None or load is None else (figure["load_basis"], load)


def _settle_almost_all(
    found: Audit, counted: int, stated: Iterable[tuple[frozenset[str], int]], *, is_refuted: bool
) -> Audit:
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


def _audit(claim: Row, figures: Mapping[str, Row]) -> Audit:
    texts = [(claim[side] or "").split(";") if claim[side] else [] for side in ("numerator", "denominator")]
    sides = [[read_operand(claim, text.strip(), figures) for text in side] for side in texts]
    above, below = (tuple(one for one in side if one is not None) for side in sides)
    stated = sum(map(len, sides))
    is_read = len(above) + len(below) == stated
    found = recompute(claim["formula"], claim["claimed_unit"], above, below) if is_read else None
    whole = Audit("not_testable", Claimed.of(claim), above, below, stated, found)
    if _is_circular(claim, (*above, *below)):
        return replace(whole, verdict="circular")
    if claim["formula"] == "series":
        return _judge_series(claim, whole, figures)
    if found is None or whole.covered.low is whole.covered.high is None:
        return whole
    return _judge(claim, whole, found, figures)


def _is_circular(claim: Row, operands: tuple[Printed, ...]) -> bool:
    """Say whether one operand is both sides, or all there is repeats the claim: as its own line, or its number."""
    if claim["numerator"] is not None and claim["numerator"] == claim["denominator"]:
        return True
    if claim["formula"] not in _OF_ONE or claim["claimed_value"] is None:
        return False
    value, unit, line = fraction(claim["claimed_value"]), unit_of(claim["claimed_unit"]), find_line(claim)
    equal = [one for one in operands if one.low == one.high == value]
    return any(one.unit == unit if one.figure is None else one.figure["line"] == line is not None for one in equal)


def _judge_series(claim: Row, whole: Audit, figures: Mapping[str, Row]) -> Audit:
    """Return the verdict on a claim that lists loads: results outside the list contradict it."""
    stated = {int(one.low) for one in whole.above}
    loads = {
        _find_load(figure)
        for figure in figures.values()
        if figure["record_kind"] == "measured"
        and figure["queue_depth_origin"] == "stated"
        and figure["load_basis"] in _list_load_bases(claim)
    }
    beyond = sorted(load for load in loads - stated if load is not None)
    if not beyond:
        return whole
    shown = " and ".join(filter(None, (", ".join(map(str, beyond[:-1])), str(beyond[-1]))))
    remark = f"results are printed at {shown}, which the stated series ({claim['claimed_text']}) leaves out"
    return replace(whole, verdict="conflicts", remark=remark)


def _list_load_bases(claim: Row) -> frozenset[str]:
    """Return what the axis counts whose loads a claim lists: its unit, or outstanding I/Os of a target or a drive."""
    unit = claim["claimed_unit"]
    return frozenset({"outstanding", "outstanding_per_drive"} if unit == "outstanding I/Os" else {unit})


def _find_load(figure: Row) -> int | None:
    """Return the load of a figure on the axis of its publication; null where it is a peak over several."""
    is_per_drive = figure["load_basis"] == "outstanding_per_drive"
    load = figure["outstanding_per_target_count" if is_per_drive else "queue_depth"]
    return None if load is None else int(load)


def _judge(claim: Row, whole: Audit, found: Recomputed, figures: Mapping[str, Row]) -> Audit:
    covered, printed = whole.covered, found.printed
    is_high_farther = covered.size is not None and abs(printed[1] - covered.size) > abs(printed[0] - covered.size)
    nearest, far = covered.nearest(printed), printed[is_high_farther]
    distance = nearest / far - 1 if nearest is not None and far else None
    whole = replace(whole, difference=distance if covered.size is not None else None)
    direct = _judge_directly(covered, found)
    if direct == "follows" and claim["assumption"]:
        return replace(whole, verdict="follows_if", assumptions=(claim["assumption"],))
    if direct is not None:
        return replace(whole, verdict=direct)
    if covered.size is not None and not covered.is_one_sided:
        assumptions = (*_assume_other_number(claim, covered, found), *_assume_other_unit(claim, covered, found))
        if assumptions:
            return replace(whole, verdict="follows_if", assumptions=assumptions)
    observed = _judge_observed(claim, whole, figures)
    if observed is not None:
        return observed
    is_close = claim["formula"] != "qualitative" and distance is not None and abs(distance) <= _CLOSE
    return replace(whole, verdict="close" if is_close else "does_not_follow")


def _judge_directly(covered: Claimed, found: Recomputed) -> str | None:
    """Return the verdict that needs no more than the operands: follows, follows_in_part, consistent; or null."""
    allowed, is_reached = found.allowed, not found.is_bounded
    is_part = allowed is not None and None in allowed and covered.size is None and not covered.is_one_sided
    if covered.is_one_sided or is_part:
        is_within = allowed is not None and covered.contains(allowed, is_reached=is_reached)
    else:
        is_within = covered.contains(found.printed)
    if is_within:
        return "follows"
    if allowed is None or not covered.touches(allowed):
        return None
    is_within = any(end is not None and covered.covers(end, is_reached=is_reached) for end in allowed)
    return "follows_in_part" if is_part and is_within else "consistent"


def _judge_observed(claim: Row, whole: Audit, figures: Mapping[str, Row]) -> Audit | None:
    """Return the verdict on what is observed, not derived: by its other printings, or by the time that was planned."""
    allowed = whole.recomputed.allowed if whole.recomputed is not None else None
    if allowed is None:
        return None
    own = list(find_figures(claim, figures.values()))
    if claim["formula"] in _OF_ONE:
        others = tuple(other for figure in own for other in find_printings(claim, figure, figures.values()))
        spans = [allowed, *(other.allowed for other in others)]
        lows, highs = [low for low, _ in spans if low is not None], [high for _, high in spans if high is not None]
        hull = min(lows) if len(lows) == len(spans) else None, max(highs) if len(highs) == len(spans) else None
        if whole.covered.touches(hull):
            return replace(whole, verdict="consistent")
        texts = ", ".join(sorted({other.text for other in others}))
        return replace(whole, verdict="conflicts", remark=f"elsewhere it is printed as {texts}" if texts else None)
    is_planned = all(one.figure is None for one in (*whole.above, *whole.below))
    if not is_planned or not any(figure["quantity"] == "duration" for figure in own):
        return None
    if whole.covered.touches((allowed[0], None)):
        remark = "the time is observed, and the measuring time that was planned is a lower bound of it"
        return replace(whole, verdict="consistent", remark=remark)
    return replace(whole, verdict="conflicts", remark="the observed time is shorter than the measuring time planned")


def _assume_other_number(claim: Row, covered: Claimed, found: Recomputed) -> Iterator[str]:
    """Yield the readings of the digits, or of a percentage, under which a claim follows."""
    if covered.rounding is not None and covered.size is not None and covered.size * found.printed[0] >= 0:
        low, high = sorted(map(abs, found.printed))
        if abs(covered.size) <= low and high < abs(covered.size) + 2 * covered.rounding:
            yield "the number is cut off, not rounded"
    if claim["formula"] == "percent_change":
        over, under = found.above[0].low * found.scales[0], found.below[0].low * found.scales[1]
        if over and covered.contains((100 * (over - under) / over,) * 2):
            yield "the percentage refers to the new value, not to the old one"


def _assume_other_unit(claim: Row, covered: Claimed, found: Recomputed) -> Iterator[str]:
    """Yield the reading of a unit of bytes under which a claim follows: whole readings before mixed ones."""
    unit = unit_of(claim["claimed_unit"])
    if unit.dimension not in {"bytes", "throughput"} or unit.base is not None:
        return
    own = [one.unit for one in found.above]
    base, power = max((one.base or 0 for one in own), default=0), max(one.power for one in own)
    for size in range(unit.power, 0, -1):
        for step in (-size, size):
            is_open = (power > 0 and base in {0, KIBI}) if step > 0 else base != KIBI
            if is_open and covered.contains((found.printed[0] * _STEP**step, found.printed[1] * _STEP**step)):
                if size < unit.power:
                    yield "the unit of the claim mixes powers of 1000 and of 1024"
                elif step < 0:
                    yield "the unit of the claim counts in powers of 1024"
                else:
                    yield "the unit of the claim counts in powers of 1000, that of the operands in powers of 1024"
                return


def _format_operands(claim: Row, found: Audit) -> str | None:
    sides = [", ".join(one.text for one in side) for side in (found.above, found.below)]
    return (f" {_MINUS} " if claim["formula"] == "difference" else " / ").join(filter(None, sides)) or None


def _explain(claim: Row, found: Audit) -> str:
    """Return why a claim has its verdict: the computation, what the printed text allows, how far the claim is."""
    if found.verdict == "circular":
        return _SENTENCES["circular"]
    if found.verdict == "not_testable" and found.remark is None:
        return _NOT_TESTABLE + _explain_missing(claim, found)
    opening = _SENTENCES.get(found.verdict, f"Follows if {'; or '.join(found.assumptions)}: ")
    covered = found.covered
    if found.verdict == "follows" and covered.low is not None and covered.high is not None:
        opening = f"Agrees with the claim, which covers {float(covered.low):.6g} to {float(covered.high):.6g}: "
    parts = filter(None, (_describe_computation(claim, found), _describe_distance(found), found.remark))
    return opening + "; ".join(parts)


def _explain_missing(claim: Row, found: Audit) -> str:
    if claim["formula"] in {"none", "series"}:
        return "the claim has no derivation from printed numbers"
    if not found.stated_count:
        return "the operands are not disclosed"
    if len(found.above) + len(found.below) < found.stated_count:
        return "an operand is not a figure of the submission or a number"
    if found.recomputed is None:
        return "the operands do not fit the formula"
    return f"the claim names no limit to hold a number against; {_describe_computation(claim, found)}"


def _describe_computation(claim: Row, found: Audit) -> str | None:
    recomputed, formula, text = found.recomputed, claim["formula"], _format_operands(claim, found)
    if recomputed is None:
        return None
    if formula in _OF_ONE:
        shown = f"the printed value is {text}"
    else:
        low, high = (f"{float(end):.6g}" for end in recomputed.printed)
        mean, change = "the geometric mean of " * (formula == "geomean"), f" {_MINUS} 1" * (formula == "percent_change")
        value = low if recomputed.value is not None else f"between {low} and {high}"
        shown = f"{mean}{text}{change} = {value}{' %' if change else ''}"
    bounded = "; an operand is printed as a bound" if recomputed.is_bounded else ""
    return f"{shown}{_describe_interval(recomputed)}{bounded}"


def _describe_interval(found: Recomputed) -> str:
    if found.allowed is None:
        return ""
    low, high = (None if end is None else f"{float(end):.6g}" for end in found.allowed)
    if low is None or high is None:
        return " (open to both sides)" if low == high else f" ({'above' if high is None else 'below'} {low or high})"
    others = ""
    for one in (*found.above, *found.below):
        texts = sorted({other.text for other in one.others if (other.low, other.high) != (one.low, one.high)})
        others += f"; {one.text} is also printed as {', '.join(texts)}" if texts else ""
    if low == high or (found.value is None and not others):
        return ""
    return f" ({low} to {high} within the rounding of what is printed{others})"


def _describe_distance(found: Audit) -> str | None:
    if found.verdict not in {"close", "does_not_follow", "conflicts"} or found.difference is None:
        return None
    side = "larger" if found.difference > 0 else "smaller"
    return f"the claimed number is {abs(float(100 * found.difference)):.1f} % {side}"
