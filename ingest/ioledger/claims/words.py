"""The reason of a verdict, in words and numbers: what was computed from what, and how far it lies from the claim."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from fractions import Fraction

    from ioledger.claims.audit import Audit
    from ioledger.claims.printed import Row

_MINUS = "\N{MINUS SIGN}"
_BOUNDS = frozenset({"lower_bound", "upper_bound"})
_NOT_DERIVABLE = "Not derivable from the disclosed data: "


def operands(claim: Row, audit: Audit) -> str | None:
    """Return the operands as printed, in the order of the formula; null when none is stated or readable."""
    sides = [", ".join(one.text for one in side) for side in (audit.above, audit.below)]
    joint = f" {_MINUS} " if claim["formula"] == "difference" else " / "
    return joint.join(side for side in sides if side) or None


def reason(claim: Row, audit: Audit, others: str | None) -> str:
    """Return why a claim has its verdict; ``others`` are the values that other printed figures give."""
    if audit.verdict == "circular":
        return "The claim is compared with itself"
    if audit.verdict == "not_derivable":
        return _NOT_DERIVABLE + _missing(claim, audit)
    is_number, arithmetic, distance = (
        audit.coverage.kind == "number",
        _arithmetic(claim, audit),
        _distance(audit, others),
    )
    sentences = {
        "qualitative": f"No number is claimed; {arithmetic}",
        "follows": f"{'Rounds to the claim as printed' if is_number else 'Agrees with the claim'}: {arithmetic}",
        "follows_if": f"Follows if {'; or '.join(audit.assumptions)}: {arithmetic}",
        "close": f"Within 5 %, but not at the printed precision: {arithmetic}{distance}",
        "does_not_follow": f"Does not follow from the printed operands: {arithmetic}{distance}",
    }
    return sentences[audit.verdict]


def _missing(claim: Row, audit: Audit) -> str:
    if claim["formula"] == "none":
        return "the claim has no derivation from printed numbers"
    if not audit.stated_count:
        return "the operands are not disclosed"
    if len(audit.above) + len(audit.below) < audit.stated_count:
        return "an operand is not a figure of the submission or a number"
    return "the operands do not fit the formula"


def _shown(value: Fraction) -> str:
    return f"{float(value):.6g}"


def _arithmetic(claim: Row, audit: Audit) -> str:
    """Return the computation with its operands, its value and the interval of their rounding."""
    found, formula, text = audit.recomputed, claim["formula"], operands(claim, audit)
    if found is None:
        return ""
    if formula in {"bound", "count"}:
        said = f"the printed value is {text}"
    else:
        head = f"the geometric mean of {text}" if formula == "geomean" else text
        said = f"{head}{f' {_MINUS} 1' if formula == 'percent_change' else ''} = {_value(audit)}"
        said += " %" if formula == "percent_change" else ""
    if (claim["claimed_text"] or "").startswith("1/") and found.value is not None and found.value > 0:
        said += f", one part in {float(1 / found.value):.3g}"
    said += _rounding(audit)
    if audit.coverage.is_just_below and audit.difference is not None and audit.difference < 0:
        said += "; the recomputed value is not below the claim"
    if any(one.figure is not None and one.figure["value_kind"] in _BOUNDS for one in (*audit.above, *audit.below)):
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
    low, high = found.rounded or found.printed
    return f"between {_shown(low)} and {_shown(high)}"


def _rounding(audit: Audit) -> str:
    found = audit.recomputed
    if found is None or found.value is None or found.rounded is None:
        return ""
    low, high = map(_shown, found.rounded)
    return f" ({low} to {high} within the rounding of what is printed)" if low != high else ""


def _distance(audit: Audit, others: str | None) -> str:
    said = ""
    if audit.difference is not None:
        side = "larger" if audit.difference > 0 else "smaller"
        said = f"; the claimed number is {abs(float(100 * audit.difference)):.1f} % {side}"
    return said + (f"; other figures printed for the same measurements give {others}" if others is not None else "")
