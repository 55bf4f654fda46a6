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
    "Thai, which has no spaces": "\u0e14\u0e34\u0e2a\u0e01\u0e4cSSD\u0e43\u0e2b\u0e21\u0e48",
    "numbers in circles and Roman ones behind a type": "SSD\u2460, RAID\u2161, 1\u212a, \u2113",
    "letters with loose marks": "Mu\u0308nchen",
    "one letter of a formula": "\U0001d465 of \u211d",
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
    "a maker in Cyrillic": "\u041a\u0406\u041e\u0425\u0406\u0410",
    "another maker in Cyrillic": "\u0422\u041e\u0405\u041d\u0406\u0412\u0410",
    "a maker in small Cyrillic letters": "\u0441\u0456\u0455\u0441\u043e",
    "a rare letter of Cyrillic": "\u04bb\u0440",
    "two scripts without Latin": "\u0405\u043e\u0578\u0443",
    "the sign of the kelvin": "\u212aioxia",
    "a whole word of mathematics": "\U0001d5e6\U0001d5ee\U0001d5fa",
    "small capitals": "\u1d0d\u026a\u1d04\u0280\u1d0f\u0274",
    "a Roman numeral in front": "\u216ficron",
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
