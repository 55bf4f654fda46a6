"""Units: exact, rounded once, and refused when they are not known."""

from __future__ import annotations

import csv
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from conftest import FIXTURES
from ioledger import readers as units
from ioledger.readers import KIBI, option_size

NUMBERS = st.integers(0, 10**12)
SIZES = list(csv.DictReader((FIXTURES / "fio_sizes.csv").read_text(encoding="utf-8").splitlines()))
"""Sizes in options, as fio 3.33 takes them."""


@pytest.mark.parametrize(
    ("number", "unit", "dimension", "basis", "expected"),
    [
        ("41", "µs", "time", None, 41 / 1e6),
        ("80", "\N{GREEK SMALL LETTER MU}s", "time", None, 80 / 1e6),
        ("0.041", "ms", "time", None, 0.041 / 1000),
        ("2395", "MB/s", "throughput", "base2", 2511339520),
        ("3380", "MB/s", "throughput", "base2", 3544186880),
        ("50", "MB/s", "throughput", "base10", 50_000_000),
        ("7", "B/s", "throughput", "exact", 7),
        ("1.2", "GB/s", "throughput", "unknown", None),
        ("192881", "IO/s", "operations", "exact", 192881),
    ],
)
def test_a_printed_number_is_rounded_once(
    number: str, unit: str, dimension: str, basis: str | None, expected: float | None
) -> None:
    """The float is the one next to the exact quotient or product; of an unknown base there are no bytes."""
    assert units.in_base_unit(Fraction(number), unit, dimension, basis) == expected


@given(NUMBERS, st.sampled_from(units.CONVERTED["throughput"][1:]), st.sampled_from(["base2", "base10"]))
def test_a_throughput_survives_the_way_to_bytes_and_back(number: int, unit: str, base: str) -> None:
    """Twelve digits come back after the inverse factor; what fio prints is of base 2 up to 2.16, of base 10 since."""
    stored = units.in_base_unit(Fraction(number), unit, "throughput", base)
    factor = {"base2": 1024, "base10": 1000}[base] ** " KMGT".index(unit[0].upper())
    assert stored is not None
    assert round(Fraction(stored) / factor) == number
    printed = units.printed_size(f"{number}{unit}", is_binary=base == "base2")
    assert printed is not None
    assert printed.value == stored


def test_a_printed_time_is_as_exact_as_its_digits() -> None:
    """No product of floats: 0.55 ms is the float next to 0.00055; the last digit tells how fine it is."""
    assert units.printed_seconds("0.55", units.MILLISECOND) == 0.00055
    assert units.printed_seconds("123.4", units.MICROSECOND) == 0.0001234
    assert units.resolution(units.MILLISECOND, 2) == 1e-5


@pytest.mark.parametrize(
    ("unit", "dimension", "basis", "message"),
    [
        ("minutes", "time", None, r"minutes is not converted here \(known: ms, ns"),
        ("MB/s", "operations", None, r"MB/s is not converted here \(known: IO/s, IOPS\)"),
        ("IOPS", "throughput", "exact", "IOPS is not converted here"),
        ("MB/s", "throughput", "exact", "the base exact does not fit MB/s"),
        ("B/s", "throughput", "base2", r"the base base2 does not fit B/s \(known: exact\)"),
    ],
)
def test_units_that_do_not_fit_are_refused_with_those_that_do(
    unit: str, dimension: str, basis: str | None, message: str
) -> None:
    """The message names the known units or bases."""
    with pytest.raises(units.UnitError, match=message):
        units.in_base_unit(Fraction(1), unit, dimension, basis)


@pytest.mark.parametrize("base", ["", "1024", "1000"])
def test_every_form_of_a_size_is_what_fio_takes_it_for(base: str) -> None:
    """With the default base, and with each that can be stated; null means that fio refuses the text."""
    rows = {row["stated"]: row["size_bytes"] for row in SIZES if row["kb_base"] == base}
    expected = {stated: None if size == "null" else int(size) for stated, size in rows.items()}
    expected["0"] = 0  # a size, which fio refuses as that of a block only
    assert len(expected) > 90
    assert {stated: option_size(stated, int(base or KIBI)) for stated in expected} == expected


@pytest.mark.parametrize("text", ["4k,8k", "4k-8k", "4k/60:8k/40", "50%", "-1", "", "ib", "9" * 30, "0x" + "f" * 16])
def test_what_is_no_single_size_is_none(text: str) -> None:
    """Lists and ranges are taken apart before, and no file is larger than an exbibyte."""
    assert option_size(text) is None
