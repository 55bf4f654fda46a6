"""How a claim is read, recomputed and held against the numbers: one case per rule, without a dataset."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import pytest

from ioledger.claims import LOAD, judge_claims
from ioledger.claims.audit import Claimed, audit
from ioledger.claims.printed import Printed, fraction, half_unit, read_operand, recompute
from ioledger.readers.units import Unit

Row = dict[str, Any]


def _claim(**cells: object) -> Row:
    """Return a claim with these cells; the others are empty."""
    names = ("claimed_value", "claimed_low", "claimed_high", "claimed_text", "claimed_unit", "qualifier", "note")
    typed = ("is_end_excluded", "quantifier", "assumption", "numerator", "denominator")
    stated = {"submission_id": "s", "claim_id": "c", "statement": "x", "locator": "Results", "formula": "ratio"}
    return {**dict.fromkeys((*names, *typed)), **stated, **cells}


def _figure(name: str, value: float | None = None, unit: str = "IO/s", **cells: object) -> Row:
    """Return a figure with this value; its text is the value with its unit."""
    names = ("printed_low", "printed_high", "configuration_id", "statistic", "load_profile", "queue_depth", "line")
    stated = {"submission_id": "s", "figure_id": name, "printed_value": value, "printed_text": f"{value} {unit}"}
    rest = {"printed_unit": unit, "unit_basis": "unknown", "value_kind": "measured", "quantity": "rate", "device": None}
    kind = {"record_kind": "measured", "is_canonical": True, "section": "Results", "result_id": None}
    return {**dict.fromkeys((*names, *LOAD)), **stated, **rest, **kind, **cells}


def _operand(text: str) -> Printed:
    found = read_operand(text, {})
    assert found is not None
    return found


@pytest.mark.parametrize(
    ("value", "text", "half"),
    [
        (4.0, "4.0", "0.05"),
        (12000, "12K", "500"),
        (0.2, "20", "0.01"),
        (-55, "55%", "0.5"),
        (240000, "240,000", "5000"),
        (30000, None, "1500"),
        (0, "0", "0.5"),
    ],
)
def test_the_last_printed_digit_decides(value: float, text: str | None, half: str) -> None:
    """Decimals, whole numbers, zeros at the end, thousands separators, multiples and percentages."""
    assert half_unit(fraction(value), text) == Fraction(half)


def test_figures_and_printed_values_are_read() -> None:
    """A figure brings value, unit, base and digits; so does a stated number, and bytes are counted; words are none."""
    figures = {
        "a": _figure("a", 4300, "MB/s", unit_basis="base2", printed_text="4300 MB/s"),
        "r": _figure("r", None, "MB/s", printed_low=1400, printed_high=1550, printed_text="1400 and 1550"),
    }
    a, r = read_operand("figure:a", figures), read_operand("figure: r", figures)
    assert a is not None
    assert r is not None
    assert [a.low, a.high, a.half, a.unit] == [4300, 4300, 50, Unit("throughput", (1, 1), 2, 1024)]
    assert [r.low, r.high, r.half, r.unit.base] == [1400, 1550, 0, None]
    micro, gib = _operand("1,000,000 μs"), _operand("1.5 GiB")
    assert [micro.low, micro.half, micro.unit] == [10**6, 50000, Unit("time", (1, 10**6))]
    assert [_operand("16384 B").half, _operand("16 KiB").half] == [0, Fraction(1, 2)]
    assert [gib.low, gib.half, gib.unit] == [Fraction("1.5"), Fraction("0.05"), Unit("bytes", (1, 1), 3, 1024)]
    assert [read_operand(text, figures) for text in ("figure:none", "8e-05 s", "a few", "1,00")] == [None] * 4


@pytest.mark.parametrize(
    ("formula", "claimed_unit", "sides", "printed", "allowed"),
    [
        ("ratio", None, (["44600.0"], ["11000"]), (4.054545454545455, 4.054545454545455), (3.87825652, 4.24762381)),
        ("percent_change", None, (["150.0"], ["100.0"]), (50, 50), (49.875062, 50.125063)),
        ("difference", None, (["5"], ["3"]), (2, 2), (1, 3)),
        ("bound", "IO/s", (["7"], []), (7, 7), (6.5, 7.5)),
        ("count", "disks", (["7 disks"], []), (7, 7), (7, 7)),
        ("geomean", None, (["1.0", "16.0"], ["1.0", "1.0"]), (4, 4), (3.7072583, 4.3212417)),
        ("ratio", None, (["2 GiB/s"], ["512 MB/s"]), (4, 4), None),
        ("difference", "GB/s", (["3 GB/s"], ["500 MB/s"]), (2.5, 2.5), None),
    ],
)
def test_every_formula_gives_value_and_interval(
    *,
    formula: str,
    claimed_unit: str | None,
    sides: tuple[list[str], list[str]],
    printed: tuple[float, float],
    allowed: tuple[float, float] | None,
) -> None:
    """Units of one dimension are brought to one; what is counted is not rounded."""
    found = recompute(formula, claimed_unit, *([_operand(text) for text in side] for side in sides))
    assert found is not None
    assert tuple(map(float, found.printed)) == pytest.approx(printed)
    if allowed is not None:
        assert found.allowed is not None
        assert [end is not None and float(end) for end in found.allowed] == pytest.approx(list(allowed), rel=1e-5)


@pytest.mark.parametrize(
    ("formula", "claimed_unit", "above", "below"),
    [
        ("ratio", None, ["2"], ["0"]),
        ("ratio", None, ["2"], []),
        ("geomean", None, ["2", "3"], ["1"]),
        ("none", None, ["2"], ["1"]),
        ("ratio", "ratio", ["3 MB/s"], ["500 IO/s"]),
        ("difference", "MB/s", ["3 MB/s"], ["500 IO/s"]),
        ("bound", "MB/s", ["500 IO/s"], []),
        ("geomean", None, ["0", "3"], ["1", "1"]),
    ],
)
def test_operands_that_do_not_fit_give_nothing(
    formula: str, claimed_unit: str | None, above: list[str], below: list[str]
) -> None:
    """A divisor of zero, a missing member, units of two kinds."""
    operands = [_operand(text) for text in above], [_operand(text) for text in below]
    assert recompute(formula, claimed_unit, *operands) is None


@pytest.mark.parametrize(
    ("cells", "low", "high"),
    [
        ({"claimed_value": 4.0, "claimed_text": "4.0"}, "79/20", "81/20"),
        ({"claimed_value": -55, "claimed_text": "55%", "formula": "percent_change"}, "-111/2", "-109/2"),
        ({"claimed_value": 4.0, "claimed_text": "4.0", "claimed_low": 3.8, "claimed_high": 4.2}, "19/5", "21/5"),
        ({"claimed_value": 220, "claimed_low": 220}, "220", None),
        ({"claimed_low": 4, "claimed_high": 5, "claimed_text": "4 ~ 5"}, "4", "5"),
        ({"formula": "qualitative", "claimed_text": "good"}, None, None),
    ],
)
def test_a_claim_covers_its_typed_ends_or_what_rounds_to_its_digits(
    cells: dict[str, object], low: str | None, high: str | None
) -> None:
    """A number, a reduction, "about 4.0", "more than 220", a range, and words alone."""
    found = Claimed.of(_claim(**cells))
    assert [found.low, found.high] == [None if end is None else Fraction(end) for end in (low, high)]


@pytest.mark.parametrize(("is_excluded", "verdict"), [(True, "does_not_follow"), (None, "follows")])
def test_more_than_excludes_its_end_and_at_least_does_not(is_excluded: bool | None, verdict: str) -> None:  # noqa: FBT001
    """Two equal counts are not "more than one to one"."""
    claim = {"formula": "qualitative", "claimed_low": 1, "is_end_excluded": is_excluded, "claimed_unit": "ratio"}
    assert audit(_claim(**claim, numerator="16 B", denominator="16 bytes"), {}).verdict == verdict


def test_a_figure_in_the_line_of_the_claim_is_the_claim_itself() -> None:
    """Repeating a number is no derivation of it."""
    figures = {"a": _figure("a", 5, line="7"), "b": _figure("b", 5, line="8")}
    stated = {"formula": "bound", "claimed_value": 5, "claimed_text": "5", "locator": "Results, line 7"}
    assert audit(_claim(**stated, numerator="figure:a"), figures).verdict == "circular"
    assert audit(_claim(**stated, numerator="figure:b"), figures).verdict == "follows"


def test_a_typed_assumption_makes_what_follows_conditional() -> None:
    """It changes no other verdict."""
    stated = {"claimed_value": 5, "claimed_text": "5", "assumption": "the cache is off"}
    found = audit(_claim(**stated, numerator="5.0", denominator="1.0"), {})
    assert (found.verdict, found.assumptions) == ("follows_if", ("the cache is off",))
    assert audit(_claim(**stated, numerator="9.0", denominator="1.0"), {}).verdict == "does_not_follow"


def test_a_second_figure_of_one_measurement_gives_a_second_value() -> None:
    """222 ms and 227 ms of one configuration give two changes; the figure in the claim's own line does not count."""
    latency = {"quantity": "latency", "unit": "ms"}
    figures = [
        _figure("n", 108, configuration_id="a", line="1", **latency),
        _figure("d", 222, configuration_id="b", line="2", **latency),
        _figure("d2", 227, configuration_id="b", line="5", **latency),
        _figure("d3", 240, configuration_id="b", line="9", **latency),
        _figure("d4", 250, configuration_id="b", line="3", queue_depth=4, **latency),
        _figure("other", 230, configuration_id="b", line="6", submission_id="t", **latency),
    ]
    claim = _claim(
        formula="percent_change",
        claimed_value=-55,
        claimed_text="55%",
        claimed_unit="%",
        numerator="figure:n",
        denominator="figure:d",
        locator="Results, line 9; other edition, line 5",
    )
    (row,) = judge_claims([claim], figures)
    assert row["verdict_reason"] == (
        "Does not follow from the printed operands: 108 ms / 222 ms \N{MINUS SIGN} 1 = -51.3514 % (-52.7473 to "
        "-51.0158 within the rounding of what is printed; 222 ms is also printed as 227 ms); the claimed number is "
        "7.1 % larger"
    )
