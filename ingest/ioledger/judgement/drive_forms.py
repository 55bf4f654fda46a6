"""What drives say of themselves in comparable form: block format, write cache, spare area, link, and who does what."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from ioledger.judgement.sayings import ABSENT, INAPPLICABLE, NOT_APPLICABLE, OFF, ON, folded, is_unknown

if TYPE_CHECKING:
    from collections.abc import Callable

_SMALLEST = 512
"""Bytes of the smallest block that drives are formatted with; smaller numbers count metadata."""
_CACHE_OFF = re.compile(r"switched off|turned off|disabled|not enabled|\boff\b")
_CACHE_ON = re.compile(r"enabled|write ?back|\bon\b")
_GENERATION = re.compile(r"(?:pcie?|gen)\s*(?:express)?\s*(?:gen(?:eration)?)?\s*(\d)(?:\.\d)?\b")
_SPEED = re.compile(r"(\d+(?:\.\d+)?)\s*g(?:t/s|b/s|bit/s|bps)?\b")
_LANES = (r"\bx\s*(\d{1,2})\b", r"\b(\d{1,2})\s*(?:x\b|lanes?)")
_PER_GENERATION = {"1": "2.5", "2": "5", "3": "8", "4": "16", "5": "32", "6": "64"}


def each(canonical: Callable[[str], str | None]) -> Callable[[str], str | None]:
    """Return a form for the values of several drives, joined by semicolons: in order, each once; one unknown is all."""

    def several(text: str) -> str | None:
        stated = [part for part in text.split(";") if part.strip()]
        values = {None if is_unknown(part) else canonical(part) for part in stated}
        named = {NOT_APPLICABLE if value in INAPPLICABLE else value for value in values}
        return None if None in named else "; ".join(sorted(filter(None, named)))

    return several


def sectors(text: str) -> str | None:
    """Return logical and physical bytes of a sector, and metadata if there are any: ``512/4096``."""
    word = folded(text.replace(",", " "))
    named = {"512e": "512/4096", "512n": "512/512", "4kn": "4096/4096", "4k native": "4096/4096"}
    if word in named:
        return named[word]
    numbers = [int(number) for number in re.findall(r"\d+", re.sub(r"\b4 ?k(ib)?\b", "4096", word))]
    sizes = [number for number in numbers if number >= _SMALLEST]
    if not sizes:
        return word
    beside = [number for number in numbers if 0 < number < _SMALLEST and re.search(rf"\+ ?{number}\b|meta", word)]
    both = f"{sizes[0]}/{sizes[1] if len(sizes) > 1 else '?'}"
    return both + (f"+{beside[-1]}" if beside else "")


def write_cache(text: str) -> str:
    """Return ``none``, ``enabled`` or ``disabled``; write through is none unless it was switched off."""
    word = folded(text.replace("-", " ").replace("_", " "))
    if word in ABSENT - {"no"} or word.startswith(("no ", "without")):
        return "none"
    if word in OFF or _CACHE_OFF.search(word):
        return "disabled"
    if word in ON or _CACHE_ON.search(word):
        return "enabled"
    return "none" if re.match(r"write ?through", word) else word


def raised_by_write_cache(a: str | None, b: str | None) -> frozenset[str]:
    """Tell whether a cache that is on stands against one that was switched off."""
    values = {each for text in (a, b) if text for each in text.split("; ")}
    return frozenset({"on_against_off"} if {"enabled", "disabled"} <= values else ())


def spare(text: str) -> str:
    """Return ``factory``, or the share left free."""
    word = folded(text)
    share = re.search(r"\b(\d{1,3}(?:\.\d{1,3})?)\s*%", word)
    if share and float(share[1]) > 0:
        return f"{float(share[1]):g} % left free"
    return "factory" if share or word == "none" or "factory" in word else word


def link(text: str) -> str:
    """Return speed times width: PCIe by generation or transfers per second, others by their bits per second."""
    word = folded(text)
    lanes = next((int(found[1]) for found in map(re.search, _LANES, (word, word)) if found), 1)
    generation, speed = _GENERATION.search(word), _SPEED.search(word)
    per_lane = speed[1] if speed else _PER_GENERATION.get(generation[1]) if generation else None
    return f"{float(per_lane):g} x {lanes}" if per_lane else word


def raised_by_medium(a: str | None, b: str | None) -> frozenset[str]:
    """Tell whether one side alone has a virtual disk."""
    if a is None or b is None:
        return frozenset()
    return frozenset({"virtual_against_real"} if ("virtual" in a.split("; ")) != ("virtual" in b.split("; ")) else ())


def drive_roles(text: str) -> str:
    """Return how many drives have which role, boot drives left out: ``1 cache, 4 data``."""
    word = folded(text)
    counts: dict[str, int] = {}
    for part in re.split(r"[,;+]", word):
        role = re.search(r"data|log|cache|boot", part)
        count = re.search(r"\d+", part)
        if role and role[0] != "boot":
            counts[role[0]] = counts.get(role[0], 0) + (int(count[0]) if count else 1)
    return ", ".join(f"{counts[role]} {role}" for role in sorted(counts)) or word


def raised_by_roles(a: str | None, b: str | None) -> frozenset[str]:
    """Tell whether the drives that hold no data of the load differ: logs and caches."""
    others = [[part for part in (each or "").split(", ") if not part.endswith(" data")] for each in (a, b)]
    return frozenset({"other_drives"} if others[0] != others[1] else ())
