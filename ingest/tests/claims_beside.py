"""
What the other figures of a publication say about a claim, a second time: from the CSV files alone.

Shares no code with ``ioledger.claims``: it is there to be compared with it.
"""

from __future__ import annotations

import math
import re
from fractions import Fraction
from typing import TYPE_CHECKING

from claims_numbers import Cells, Number, factors, read, unit

if TYPE_CHECKING:
    from collections.abc import Iterator

Ends = tuple[Fraction | float, Fraction | float]
ALIKE = (
    *("configuration_id", "quantity", "statistic", "load_profile", "operation", "block_size_bytes", "queue_depth"),
    *("printed_unit", "unit_base"),
)
AXES = {"outstanding": "outstanding", "queue depth": "outstanding", "qd": "outstanding"}
AXES |= {axis: axis for axis in ("threads", "users", "streams")}


def _line(claim: Cells) -> str | None:
    found = re.search(r"line (\d+)", claim["locator"])
    return found[1] if found else None


def _siblings(claim: Cells, figure: Cells, figures: dict[str, Cells]) -> Iterator[Ends]:
    """Yield the intervals of other single values that are printed for what a figure measures."""
    for name, row in figures.items():
        is_single = row["printed_value"] and not row["value_kind"].endswith("_bound")
        is_place = row["line"] and row["line"] != _line(claim)
        is_alike = figure["configuration_id"] and all(row[column] == figure[column] for column in ALIKE)
        if name != figure["figure_id"] and is_single and is_place and is_alike:
            number = read(f"figure:{name}", figures)
            if number is not None:
                yield number.low - number.half, number.high + number.half


def printings(claim: Cells, text: str, figures: dict[str, Cells]) -> Ends:
    """Return the interval that the printed text allows for an operand that can be read."""
    number, row = read(text, figures), figures.get(text.removeprefix("figure:").strip())
    if number is None:
        raise ValueError(text)
    if row is not None and row["value_kind"] == "lower_bound":
        return number.low, math.inf
    if row is not None and row["value_kind"] == "upper_bound":
        return -math.inf, number.high
    spans: list[Ends] = [(number.low - number.half, number.high + number.half)]
    if row is not None and row["printed_value"]:
        spans += _siblings(claim, row, figures)
    return min(low for low, _ in spans), max(high for _, high in spans)


def _own(claim: Cells, figures: dict[str, Cells]) -> list[Cells]:
    """Return the measured figures that print what a claim states, in its line or section."""
    found = []
    for row in figures.values():
        is_same = row["printed_value"] and claim["claimed_value"] and row["record_kind"] == "measured"
        is_same = is_same and Fraction(row["printed_value"]) == Fraction(claim["claimed_value"])
        is_near = (row["line"] and row["line"] == _line(claim)) or (
            row["section"] and row["section"] in claim["locator"]
        )
        if is_same and is_near and row["printed_unit"] == claim["claimed_unit"]:
            found.append(row)
    return found


def observed(claim: Cells, figures: dict[str, Cells], allowed: Ends | None) -> Ends | None:
    """Return in what the other printings, or the plan, keep something that is observed; nothing for what is derived."""
    if allowed is None:
        return None
    own = _own(claim, figures)
    if claim["formula"] in {"bound", "count"}:
        spans = [allowed, *(span for row in own for span in _siblings(claim, row, figures))]
        return min(low for low, _ in spans), max(high for _, high in spans)
    is_time = any(row["quantity"] == "duration" for row in own)
    return (allowed[0], math.inf) if is_time and "figure:" not in claim["numerator"] + claim["denominator"] else None


def mix(
    claim: Cells, figures: dict[str, Cells], claimed: tuple[Fraction | None, Fraction | None]
) -> tuple[Fraction, str] | None:
    """Return the highest rate that a latency of reads alone, or of writes alone, allows, and what a claim assumes."""
    over, under = read(claim["numerator"], figures), read(claim["denominator"], figures)
    asked = unit(Number(Fraction(0), Fraction(0), Fraction(0), claim["claimed_unit"], None)).dimension
    if claim["formula"] != "ratio" or over is None or under is None or unit(under).dimension != "time":
        return None
    if (asked, unit(over).dimension) not in {("throughput", "bytes"), ("operations", "")}:
        return None
    row = figures.get(claim["denominator"].removeprefix("figure:")) or _latency(claim, under, figures)
    share = Fraction(row["read_ratio"] or 0) if row else Fraction(0)
    if row is None or row["operation"] not in {"read", "write"} or not 0 < share < 1:
        return None
    share, other = (share, "writes") if row["operation"] == "read" else (1 - share, "reads")
    low, _ = printings(claim, claim["denominator"], figures)
    fastest, second = Fraction(low), unit(under).scale
    said = []
    for word, rate in (("more than", claimed[1]), ("less than", claimed[0])):
        if rate:
            times = [(over.low / rate - share * latency) / (1 - share) for latency in (under.low, fastest)]
            time = next((each for each in times if each > 0), None)
            said += [f"{word} {_shown(float(time * second))}"] if time is not None else []
    return over.low / (share * fastest), f"the {other} take {' and '.join(said)} on average"


def _latency(claim: Cells, stated: Number, figures: dict[str, Cells]) -> Cells | None:
    for name, row in figures.items():
        number = read(f"figure:{name}", figures) if row["quantity"] == "latency" and row["printed_value"] else None
        if (
            number
            and row["line"] == _line(claim)
            and number.low * factors(number)[0] == stated.low * factors(stated)[0]
        ):
            return row
    return None


def _shown(seconds: float) -> str:
    for scale, name in ((1.0, "s"), (1e3, "ms"), (1e6, "\N{MICRO SIGN}s")):
        if seconds * scale >= 1:
            return f"{seconds * scale:.3g} {name}"
    return f"{seconds * 1e9:.3g} ns"


def _axis(claim: Cells) -> str | None:
    words = claim["claimed_unit"].lower()
    return next((axis for word, axis in AXES.items() if word in words), None)


def _series(claim: Cells) -> tuple[set[int], range, bool] | None:
    """Return the listed loads, what may follow them, and whether they go on by doubling."""
    if claim["formula"] != "none" or any(claim[name] for name in ("claimed_value", "claimed_low", "claimed_high")):
        return None
    before, _, after = claim["claimed_text"].partition("up to")
    listed = [int(number) for number in re.findall(r"\d+", before)]
    if len(listed) < 3 or _axis(claim) is None:
        return None
    last = int(re.findall(r"\d+", after)[0]) if after else listed[-1]
    return set(listed), range(listed[-1], last + 1), "powers of two" in claim["statement"] + claim["claimed_text"]


def stated_loads(claim: Cells) -> tuple[str | None, set[int] | None]:
    """Return the axis of the loads that a claim lists, and these if they are all known."""
    series = _series(claim)
    if series is None:
        return None, None
    listed, rest, is_doubled = series
    if len(rest) > 1 and not is_doubled:
        return _axis(claim), None
    return _axis(claim), listed | {rest.start * 2**step for step in range(40) if rest.start * 2**step in rest}


def outside_series(claim: Cells, figures: dict[str, Cells]) -> bool:
    """Say whether a result is printed for a load that a claim's list of loads leaves out."""
    series = _series(claim)
    if series is None:
        return False
    listed, rest, _ = series
    possible = stated_loads(claim)[1] or listed | set(rest)
    for row in figures.values():
        is_stated = row["record_kind"] == "measured" and row["queue_depth_origin"] == "stated"
        load = row["outstanding_per_target_count" if row["load_basis"].endswith("_per_drive") else "queue_depth"]
        is_same = row["load_basis"].removesuffix("_per_drive") == _axis(claim)
        if is_stated and is_same and load and int(load) not in possible:
            return True
    return False


def settled(claims: list[Cells], found: dict[str, str], figures: dict[str, Cells]) -> dict[str, str]:
    """Return the verdicts on the claims of a publication after "almost all" has had its exceptions."""
    result = dict(found)
    for claim in claims:
        if found[claim["claim_id"]] != "does_not_follow" or not _is_almost_all(claim):
            continue
        same = [
            other
            for other in claims
            if (other["locator"], other["qualifier"]) == (claim["locator"], claim["qualifier"])
            and found[other["claim_id"]] == "does_not_follow"
        ]
        basis = _load(claim, figures)[0]
        known = [loads for axis, loads in map(stated_loads, claims) if axis == basis and axis is not None]
        if not known or None in known:
            result[claim["claim_id"]] = "not_testable"
            continue
        count = len(set().union(*(loads for loads in known if loads)))
        is_left = 5 * len({_load(other, figures) for other in same}) <= count
        result[claim["claim_id"]] = "consistent" if is_left else "does_not_follow"
    return result


def _is_almost_all(claim: Cells) -> bool:
    return re.search(r"\b(almost|nearly) (always|all|every)\b", claim["qualifier"].lower()) is not None


def _load(claim: Cells, figures: dict[str, Cells]) -> tuple[str | None, str]:
    row = figures.get(claim["numerator"].split(";")[0].strip().removeprefix("figure:"))
    if row is None:
        return None, claim["claim_id"]
    load = row["outstanding_per_target_count" if row["load_basis"].endswith("_per_drive") else "queue_depth"]
    return row["load_basis"], load or claim["claim_id"]
