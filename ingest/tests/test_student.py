"""Student's t of the core beside scipy, which only a build has."""

from __future__ import annotations

import math
import random
from typing import TYPE_CHECKING

import numpy as np
import pytest
from scipy import special

from ioledger.judgement import student, uncertainty

if TYPE_CHECKING:
    from collections.abc import Callable

CHANCE = random.Random(20261122)  # noqa: S311  (numbers to try, no secret)
DEGREES = [math.exp(CHANCE.uniform(0, 12)) for _ in range(300)]


def test_the_tail_is_that_of_the_build() -> None:
    """For any degrees and any t, on both sides of zero, as the quotients of a build are judged."""
    for degrees in DEGREES:
        t = math.exp(CHANCE.uniform(-8, 5))
        built = float(uncertainty.student_tail(np.array([t]), np.array([degrees]))[0])
        if built > 1e-250:
            assert math.isclose(student.both_tails(t, degrees), built, rel_tol=1e-10)
        assert math.isclose(student.upper_tail(-t, degrees), 1 - built / 2, rel_tol=1e-10)


def test_the_quantile_is_that_of_the_build() -> None:
    """From the middle to the ends, and the normal distribution where the degrees are infinite."""
    for degrees in (*DEGREES, math.inf):
        for probability in (0.001, 0.3, 0.8, 0.975, 0.99999):
            built = float(uncertainty.student_quantile(probability, np.array([degrees]))[0])
            assert math.isclose(student.quantile(probability, degrees), built, rel_tol=1e-9)


def test_the_middle_and_the_ends_of_the_tail() -> None:
    """A half at zero, one and none at infinity."""
    assert student.upper_tail(0.0, 5.0) == 0.5
    assert [student.upper_tail(t, 5.0) for t in (-math.inf, math.inf)] == [1.0, 0.0]
    assert math.isclose(student.upper_tail(1.96, math.inf), 0.0249978951, rel_tol=1e-8)


@pytest.mark.parametrize(
    ("own", "of_scipy"),
    [(student.digamma, special.digamma), (student.trigamma, lambda x: special.polygamma(1, x))],
)
def test_digamma_and_trigamma_are_those_of_scipy(
    own: Callable[[float], float], of_scipy: Callable[[float], float]
) -> None:
    """Below and above the number from which the series is used."""
    for x in (math.exp(CHANCE.uniform(-5, 9)) for _ in range(500)):
        assert math.isclose(own(x), float(of_scipy(x)), rel_tol=1e-11, abs_tol=1e-13)


def test_the_inverse_of_trigamma_gives_the_number_back() -> None:
    """As Smyth's estimate asks for it."""
    for x in (math.exp(CHANCE.uniform(-5, 9)) for _ in range(500)):
        assert math.isclose(student.trigamma_inverse(student.trigamma(x)), x, rel_tol=1e-12)
