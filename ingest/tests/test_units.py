"""Units: exact, rounded once, and refused when they are not known."""

from __future__ import annotations

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ioledger.readers import units

NUMBERS = st.integers(0, 10**12)
DIGITS = st.integers(0, 10**9 - 1)


@given(NUMBERS, st.sampled_from(sorted(units.SECONDS)))
def test_a_time_survives_the_way_to_seconds_and_back(number: int, unit: str) -> None:
    """Twelve digits come back from a float after the inverse factor."""
    stored = units.seconds(Fraction(number), unit)
    assert round(Fraction(stored) / Fraction(*units.SECONDS[unit])) == number


@given(NUMBERS, st.sampled_from(sorted(units.THROUGHPUTS)), st.sampled_from(["base2", "base10"]))
def test_a_throughput_survives_the_way_to_bytes_and_back(number: int, unit: str, base: str) -> None:
    """Twelve digits come back from a float after the inverse factor."""
    stored = units.bytes_per_second(Fraction(number), unit, base)
    factor = {"base2": 1024, "base10": 1000}[base] ** " KMGT".index(unit[0].upper())
    assert stored is not None
    assert round(Fraction(stored) / factor) == number


@given(NUMBERS, st.sampled_from(sorted(units.OPERATIONS)))
def test_a_rate_is_kept_as_it_is(number: int, unit: str) -> None:
    """IO/s and IOPS are the same unit and need no factor."""
    assert units.operations_per_second(Fraction(number), unit) == number


@given(DIGITS, DIGITS)
def test_a_decimal_number_is_read_exactly(whole: int, part: int) -> None:
    """No digit is lost between the text and the fraction."""
    assert units.exact(f"{whole}.{part:09}") == Fraction(whole * 10**9 + part, 10**9)


@given(st.integers(1, 10**6))
def test_a_number_of_microseconds_is_the_nearest_float(number: int) -> None:
    """The float is the one that Python itself gives for the quotient."""
    assert units.seconds(Fraction(number), "us") == number / 10**6


def test_the_printed_examples_come_out_exactly() -> None:
    """41 µs, 0.041 ms, 2395 MB/s of base 2 and 50 MB/s of base 10."""
    assert units.seconds(Fraction(41), "µs") == 41 / 1e6
    assert units.seconds(units.exact("0.041"), "ms") == 0.041 / 1000
    assert units.bytes_per_second(Fraction(2395), "MB/s", "base2") == 2511339520
    assert units.bytes_per_second(Fraction(50), "MB/s", "base10") == 50_000_000
    assert units.bytes_per_second(Fraction(7), "B/s", "exact") == 7


def test_both_micro_signs_are_read() -> None:
    """The micro sign and the Greek letter look alike and mean the same."""
    assert units.seconds(Fraction(80), "\N{MICRO SIGN}s") == units.seconds(Fraction(80), "\N{GREEK SMALL LETTER MU}s")


def test_an_unknown_base_gives_no_bytes() -> None:
    """Nothing is guessed."""
    assert units.bytes_per_second(Fraction(12, 10), "GB/s", "unknown") is None


@given(NUMBERS, st.sampled_from(sorted(units.SECONDS)))
def test_a_time_is_the_same_in_a_figure_and_in_a_claim(number: int, unit: str) -> None:
    """Both read one table."""
    stated = units.literal(f"{number} {unit}")
    assert stated is not None
    value, digits, found = stated
    assert (digits, found.dimension) == (str(number), "time")
    assert float(value * found.factor(1000)) == units.seconds(Fraction(number), unit)


@given(st.integers(0, 10**9), st.sampled_from(sorted(units.THROUGHPUTS)), st.sampled_from(["base2", "base10"]))
def test_a_throughput_is_the_same_in_a_figure_in_a_claim_and_in_output(number: int, unit: str, base: str) -> None:
    """What fio prints with bare prefixes is of base 2 up to 2.16, and of base 10 since."""
    figure = units.bytes_per_second(Fraction(number), unit, base)
    assert float(number * units.unit_of(unit, base).factor(1)) == figure
    printed = units.printed_size(f"{number}{unit}", is_binary=base == "base2")
    assert printed is not None
    assert printed.value == figure


def test_a_printed_time_is_as_exact_as_its_digits() -> None:
    """No product of floats: 0.55 ms is the float next to 0.00055; the last digit tells how fine it is."""
    assert units.printed_seconds("0.55", units.MILLISECOND) == 0.00055
    assert units.printed_seconds("123.4", units.MICROSECOND) == 0.0001234
    assert units.resolution(units.MILLISECOND, 2) == 1e-5


@pytest.mark.parametrize("text", ["", "1e3", "1,000", "nan", "inf", "1_000", " 1", "1.", ".5", "+1", "٣", "9" * 19])
def test_what_is_no_plain_decimal_number_is_refused(text: str) -> None:
    """Exponents, separators, words and digits of other scripts."""
    with pytest.raises(ValueError, match="not a plain decimal number"):
        units.exact(text)


def test_units_that_do_not_fit_are_refused_with_those_that_do() -> None:
    """The message names the known units or bases."""
    with pytest.raises(units.UnitError, match=r"minutes is not converted here \(known: ms, ns"):
        units.seconds(Fraction(1), "minutes")
    with pytest.raises(units.UnitError, match=r"MB/s is not converted here \(known: IO/s, IOPS\)"):
        units.operations_per_second(Fraction(1), "MB/s")
    with pytest.raises(units.UnitError, match="IOPS is not converted here"):
        units.bytes_per_second(Fraction(1), "IOPS", "exact")
    with pytest.raises(units.UnitError, match="the base exact does not fit MB/s"):
        units.bytes_per_second(Fraction(1), "MB/s", "exact")
