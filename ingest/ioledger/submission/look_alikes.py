"""
Words that pass for others: letters of several scripts in one word, and whole words that look like a maker's name.

A word is a run of letters, with the marks upon them. Latin goes with the scripts of Japanese, Chinese and Korean, as in
the level "highly restrictive" of Unicode Technical Standard 39, and with Thai, which has no spaces and no look-alikes;
of other scripts no letter stands beside a Latin one, nor beside one of another script, but for Greek ones that look
like no Latin letter: they are units and symbols, as those of microseconds and kilohms. A whole word of Cyrillic or
Greek is a word of its language, unless its letters all look like Latin ones that spell a maker of drives or computers.
Forms of Latin letters that Unicode has for formulas and phonetics, and the sign of the kelvin, spell no word at all.

Source  Unicode Technical Standard 39, sections 4 and 5.1; the look-alikes are those of its confusables.txt
"""

from __future__ import annotations

import re
import unicodedata

WORD = re.compile(r"[^\W\d_]+")
_MARKS = re.compile(r"[\u0300-\u036f]+")
"""Accents and strokes that stand on the letter before them, so that a word goes on behind them."""
BESIDE_LATIN = frozenset(
    {"HIRAGANA", "KATAKANA", "KATAKANA-HIRAGANA", "CJK", "HANGUL", "BOPOMOFO", "IDEOGRAPHIC", "THAI"}
)
OF_NO_SCRIPT = frozenset(
    {"MICRO", "OHM", "KELVIN", "ANGSTROM", "FEMININE", "MASCULINE", "SUPERSCRIPT", "SUBSCRIPT", "MODIFIER", "CIRCLED",
     "PARENTHESIZED", "VULGAR"}
)  # fmt: skip
"""First words of the names of letters and numbers that stand in any script."""
FORMS = ("LATIN LETTER SMALL CAPITAL", "MATHEMATICAL", "DOUBLE-STRUCK", "SCRIPT", "BLACK-LETTER", "KELVIN", "ANGSTROM")
"""How the names of letters begin that are Latin ones in another form; one of them alone is a symbol or a unit."""
_NUMERALS = re.compile(r"[\u2160-\u217f]+$")
"""Roman numerals in one sign each, with which names of types end in Japan."""
LOOK_ALIKES = str.maketrans(
    "\u0391\u0392\u0395\u0396\u0397\u0399\u039a\u039c\u039d\u039f\u03a1\u03a4\u03a5\u03a7\u03b1\u03b9\u03bd\u03bf\u03c1\u03c5\u03f2\u03f3"
    "\u0410\u0412\u0415\u041a\u041c\u041d\u041e\u0420\u0421\u0422\u0425\u0405\u0406\u0408\u0430\u0435\u043e\u0440\u0441\u0443\u0445\u0455\u0456\u0458"
    "\u04ab\u04af\u04bb\u04c0\u04cf\u0501\u051b\u051d",
    "ABEZHIKMNOPTYXaivopucjABEKMHOPCTXSIJaeopcyxsijcyhIldqw",
)
"""Greek and Cyrillic letters, each with the Latin one that it looks like."""
MAKERS = frozenset(
    {"acer", "ami", "asus", "atto", "cisco", "dell", "emc", "hitachi", "hp", "hpe", "ibm", "kioxia", "ocz",
     "pny", "sk", "ssstc", "teac", "toshiba", "wd"}
)  # fmt: skip
"""Makers whose names can be spelt in letters of another script alone."""


def found(text: str) -> str | None:
    """Return the first word of a text that passes for another; null where there is none."""
    if text.isascii():
        return None
    words = WORD.findall(_MARKS.sub("", text))
    return next((word for word in words if not word.isascii() and _is_other(word)), None)


def _is_other(word: str) -> bool:
    if len(word) > 1 and any(unicodedata.name(letter, "").startswith(FORMS) for letter in word):
        return True
    scripts = {_script(letter) for letter in _NUMERALS.sub("", word)} - BESIDE_LATIN - {""}
    plain = word.translate(LOOK_ALIKES)
    return len(scripts) > 1 or (plain.isascii() and plain.casefold() in MAKERS)


def _script(letter: str) -> str:
    """Return the script of a letter by its name; empty where it has none, or is a symbol beside others."""
    name = unicodedata.name(letter, "").removeprefix("FULLWIDTH ").removeprefix("HALFWIDTH ")
    first = name.partition(" ")[0]
    is_symbol = first == "GREEK" and letter.translate(LOOK_ALIKES) == letter
    return "" if is_symbol or first in OF_NO_SCRIPT else first
