"""
Where a figure stands: the line of a JSON value in the text that holds it.

The text is walked once, by its brackets, strings and separators; numbers and words are stepped over. It is walked as
far as it is well formed, so that the places before a fault are still told. Source: RFC 8259, and RFC 6901 for pointers.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import msgspec

if TYPE_CHECKING:
    from collections.abc import Container, Iterator

_PART = re.compile(r'"(?:[^"\\]|\\.)*"|[{}\[\],]', re.DOTALL)
_CLOSED_BY = {"{": "}", "[": "]"}


def lines(text: str, pointers: Container[str], start: int = 0) -> dict[str, int]:
    """
    Return the line (from 1) on which each of these JSON pointers stands, which is that of its key.

    The document begins at the first bracket at or after ``start``; lines are counted from the beginning of the text. A
    pointer that leads nowhere is left out. Of two values under one key the last counts, as decoders have it.
    """
    found: dict[str, int] = {}
    line, counted = 1, 0
    for pointer, place in places(text, start):
        if pointer in pointers:
            line, counted = line + text.count("\n", counted, place), place
            found[pointer] = line
    return found


def places(text: str, start: int = 0) -> Iterator[tuple[str, int]]:
    """
    Give the pointer and the place of the key of every member of every object, in order.

    Items of lists have no key; what is in them is reached through their number.
    """
    brackets: list[str] = []
    pointers: list[str] = []
    items: list[int] = []
    key: str | None = None
    for match in _PART.finditer(text, start):
        part = match[0]
        if part in _CLOSED_BY:
            below = str(items[-1]) if brackets and brackets[-1] == "[" else key
            pointers.append(f"{pointers[-1]}/{below}" if brackets else "")
            brackets.append(part)
            items.append(0)
            key = None
        elif not brackets:
            continue
        elif part == ",":
            items[-1] += 1
            key = None
        elif part[0] == '"':
            if brackets[-1] == "{" and key is None:
                key = _escaped(part)
                yield f"{pointers[-1]}/{key}", match.start()
        else:
            key = None
            pointers.pop()
            items.pop()
            if _CLOSED_BY[brackets.pop()] != part or not brackets:
                return


def _escaped(key: str) -> str:
    """Return a key as a part of a pointer; one that is no JSON text stands as it is."""
    plain = key[1:-1]
    if "\\" in plain:
        try:
            plain = msgspec.json.decode(key.encode("utf-8", "surrogatepass"), type=str)
        except msgspec.DecodeError:
            return plain
    return plain.replace("~", "~0").replace("/", "~1") if "~" in plain or "/" in plain else plain
