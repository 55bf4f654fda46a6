"""A word that passes for another is refused; units, Japanese and whole words of other languages are not."""

from __future__ import annotations

import pytest

from ioledger.submission import look_alikes

HONEST = {
    "microseconds with the micro sign": "5 \u00b5s",
    "microseconds with the Greek letter": "5 \u03bcs",
    "kilohms": "10 k\u03a9 and 10 k\u2126",
    "a difference": "\u0394t of \u03c3x",
    "Japanese beside Latin": "SSD\u306e\u6e2c\u5b9aPM9A3\u30d7\u30ed",
    "Japanese in full width": "\uff33\uff33\uff24\u3092\u6e2c\u5b9a",
    "Korean beside Latin": "SSD\uc758 \uc131\ub2a5",
    "letters with marks": "Universit\u00e4t Z\u00fcrich, \u0141\u00f3d\u017a",
    "a word of Russian": "\u043d\u0430\u043a\u043e\u043f\u0438\u0442\u0435\u043b\u044c SSD-\u0434\u0438\u0441\u043a",
    "a word of Greek": "\u03b4\u03af\u03c3\u03ba\u03bf\u03c2",
    "a square and an ordinal": "m\u00b2, 1\u00aa, x\u207f",
}
FALSE = {
    "Cyrillic Dze": "\u0405amsung",
    "Cyrillic a": "S\u0430msung",
    "Greek capital omicron": "\u039fCZ",
    "Greek small omicron": "Sams\u03bfng",
    "Armenian": "m\u0578del",
    "Cherokee": "\u13daell",
    "mathematical": "\U0001d5e6amsung",
    "a whole word of Cyrillic": "\u041d\u0420",
    "a whole word of Greek": "\u0399\u0392\u039c",
    "in the middle of Japanese": "\u6e2c\u5b9aIn\u0442el",
}


@pytest.mark.parametrize("case", HONEST)
def test_what_people_write_is_left_alone(case: str) -> None:
    """Letters of one script, those that go with Latin, and signs of units."""
    assert look_alikes.found(HONEST[case]) is None


@pytest.mark.parametrize("case", FALSE)
def test_a_word_that_passes_for_another_is_named(case: str) -> None:
    """In the midst of a text too."""
    word = FALSE[case]
    assert look_alikes.found(f"a drive of {word}, 1 TB") == word
