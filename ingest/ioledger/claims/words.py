"""The reason of a verdict, in words and numbers: what was computed from what, what it allows, how far the claim is."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from fractions import Fraction

    from ioledger.claims.audit import Audit
    from ioledger.claims.printed import Printed, Row

_MINUS = "\N{MINUS SIGN}"
_NOT_TESTABLE = "Not testable with the disclosed data: "


def operands(claim: Row, audit: Audit) -> str | None:
    """Return the operands as printed, in the order of the formula; null when none is stated or readable."""
    sides = [", ".join(one.text for one in side) for side in (audit.above, audit.below)]
    joint = f" {_MINUS} " if claim["formula"] == "difference" else " / "
    return joint.join(side for side in sides if side) or None


def reason(claim: Row, audit: Audit) -> str:
    """Return why a claim has its verdict."""
    if audit.verdict == "circular":
        return "The claim is compared with itself: no other printed number is named"
    if audit.verdict == "not_testable" and audit.remark is None:
        return _NOT_TESTABLE + _missing(claim, audit)
    said = "; ".join(filter(None, (_arithmetic(claim, audit), _distance(claim, audit), audit.remark)))
    is_number = audit.coverage.kind == "number"
    sentences = {
        "follows": _agreement(audit),
        "follows_in_part": "Follows at one end; nothing printed bounds the other",
        "consistent": "Consistent with what is printed, though not derived from it",
        "follows_if": f"Follows if {'; or '.join(audit.assumptions)}",
        "conflicts": "Conflicts with what else is printed",
        "close": f"Within 5 %{', but not at the printed precision' if is_number else ''}",
        "does_not_follow": "Does not follow from the printed operands",
        "not_testable": _NOT_TESTABLE.removesuffix(": "),
    }
    return f"{sentences[audit.verdict]}: {said}"


def _agreement(audit: Audit) -> str:
    covered = audit.coverage
    if covered.is_just_below and covered.size is not None:
        return "Agrees with the claim, which covers what lies below it by at most 5 %"
    if covered.tolerance is not None and not covered.is_one_sided:
        return f"Agrees with the claim, whose words cover {float(100 * covered.tolerance):g} % to both sides"
    return "Rounds to the claim as printed" if covered.kind == "number" else "Agrees with the claim"


def _missing(claim: Row, audit: Audit) -> str:
    if claim["formula"] == "none":
        return "the claim has no derivation from printed numbers"
    if not audit.stated_count:
        return "the operands are not disclosed"
    if len(audit.above) + len(audit.below) < audit.stated_count:
        return "an operand is not a figure of the submission or a number"
    if audit.recomputed is None:
        return "the operands do not fit the formula"
    return f"the claim names no limit to hold a number against; {_arithmetic(claim, audit)}"


def _shown(value: Fraction) -> str:
    return f"{float(value):.6g}"


def _arithmetic(claim: Row, audit: Audit) -> str | None:
    """Return the computation with its operands, its value and the interval that the printed text allows."""
    found, formula, text = audit.recomputed, claim["formula"], operands(claim, audit)
    if found is None:
        return None
    if formula in {"bound", "count"}:
        said = f"the printed value is {text}"
    else:
        head = f"the geometric mean of {text}" if formula == "geomean" else text
        said = f"{head}{f' {_MINUS} 1' if formula == 'percent_change' else ''} = {_value(audit)}"
        said += " %" if formula == "percent_change" else ""
    if (claim["claimed_text"] or "").startswith("1/") and found.value is not None and found.value > 0:
        said += f", one part in {float(1 / found.value):.3g}"
    said += _allowed(audit)
    if found.is_bounded:
        said += "; an operand is printed as a bound"
    if formula == "geomean":
        low, high = min(low for low, _ in found.members), max(high for _, high in found.members)
        said += f"; the members lie between {_shown(low)} and {_shown(high)}" if low < high else ""
    return said


def _value(audit: Audit) -> str:
    found = audit.recomputed
    if found is None:
        return ""
    if found.value is not None:
        return _shown(found.value)
    return "between {} and {}".format(*map(_shown, found.printed))


def _allowed(audit: Audit) -> str:
    """Return the interval that the printed text allows, with the printings that widen it."""
    found = audit.recomputed
    if found is None or found.allowed is None:
        return ""
    low, high = (None if end is None else _shown(end) for end in found.allowed)
    if low is None or high is None:
        return " (open to both sides)" if low == high else f" ({'above' if high is None else 'below'} {low or high})"
    others = _others(found.operands)
    if low == high or (found.value is None and not others):
        return ""
    return f" ({low} to {high} within the rounding of what is printed{others})"


def _others(operands: tuple[Printed, ...]) -> str:
    """Return which operands are printed with other values, and where that widens the interval."""
    said = []
    for one in operands:
        texts = sorted({other.text for other in one.others if (other.low, other.high) != (one.low, one.high)})
        if texts:
            said.append(f"; {one.text} is also printed as {', '.join(texts)}")
    return "".join(said)


def _distance(claim: Row, audit: Audit) -> str | None:
    if audit.verdict == "consistent" and audit.coverage.size is not None and audit.remark is None:
        text = claim["claimed_text"] or f"{claim['claimed_value']:g}"
        return f"the claimed {' '.join(filter(None, (claim['qualifier'], text)))} lies within"
    if audit.verdict not in {"close", "does_not_follow", "conflicts"}:
        return None
    said = []
    if audit.difference is not None:
        side = "larger" if audit.difference > 0 else "smaller"
        said.append(f"the claimed number is {abs(float(100 * audit.difference)):.1f} % {side}")
    if audit.printings:
        said.append(f"elsewhere it is printed as {', '.join(sorted({one.text for one in audit.printings}))}")
    return "; ".join(said) or None
