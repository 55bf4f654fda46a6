"""
Words that stand for a statement still to be made: no value and no reason, so a submission with one is not complete.

``ioledger collect`` writes two of them, here and in its script for Windows. People write others, such as ``todo``.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

from ioledger.problems import Problem
from ioledger.submission.shape import line_of

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ioledger.submission.shape import Lines

RULE = "R-MANIFEST-9"
FROM_YOU = "only you know: please state it"
FROM_RESULTS = "read from the results by ioledger add"
WORDS = re.compile(
    r"(to[ -]?do|tbd|tba|tbc|to come|(?:insert|enter|put) .{1,80} here|fix[ -]?me|change[ -]?me"
    r"|fill[ -]?me(?:[ -]in)?|placeholder|x{3,}|not (?:yet|filled in yet)"
    r"|(?:still )?to be (?:done|stated|measured|confirmed|filled in|determined|added|announced|completed)"
    r"|(?:todo|tbd|fixme)\s*[:,(-].*)"
)
"""A whole text that says only that something is to come."""
FORM = re.compile(r"<[\w ,.'-]+>|\[[\w ,.'-]+\]|[^\w\s][\W_]*")
"""A field of a form that was not filled in, and signs without a word."""
BEGUN = re.compile(
    r"(?:todo|tbd|fixme)\b|(?:fill in|add|enter|specify) (?:it|this|the|how|what|which)\b"
    r"|state (?:it|this|the|how|what|which)\b(?!.*\b(?:is|are|was|were|not)\b)"
)
ASKED = re.compile(
    r"\bonly you know\b|\bplease (?:state|fill|add|enter|specify|complete)\b|\bread from the results by\b"
)
"""What a reason does not say: it asks for the statement instead of giving a cause."""
EMPTY = re.compile(r"\W*|unknown\W*|why|(?:the )?reason|later|n/?a")
REMEDY = "State it, or say why nobody can know it: {unknown: why}."


def is_placeholder(text: str, *, is_reason: bool) -> bool:
    """Say whether a text of a manifest is a placeholder; ``is_reason`` says that it stands after ``unknown:``."""
    plain = " ".join(text.casefold().replace(".", "").split()).strip(" .:!?<>[]()*-_")
    asks = text in {FROM_YOU, FROM_RESULTS} or any((FORM.fullmatch(text.strip()), WORDS.fullmatch(plain)))
    if not is_reason:
        return asks
    return asks or any((EMPTY.fullmatch(plain), BEGUN.match(plain), ASKED.search(plain)))


def found(value: Any, path: tuple[str | int, ...] = ()) -> Iterator[tuple[tuple[str | int, ...], str]]:  # noqa: ANN401
    """Give the path and the text of every placeholder in a manifest, in its order; ``value`` is any part of one."""
    if isinstance(value, dict):
        for key, inner in value.items():
            if key == "unknown" and isinstance(inner, str):
                if is_placeholder(inner, is_reason=True):
                    yield path, inner
            else:
                yield from found(inner, (*path, str(key)))
    elif isinstance(value, list):
        for index, inner in enumerate(value):
            yield from found(inner, (*path, index))
    elif isinstance(value, str) and is_placeholder(value, is_reason=False):
        yield path, value


def problems(document: dict[str, Any], where: str, lines: Lines) -> Iterator[Problem]:
    """Report every placeholder, one line each, with its place in the file that ``where`` names."""
    for path, text in found(document):
        what = f"{'.'.join(map(str, path))} is still to be stated ({text})"
        yield Problem(where, str(line_of(path, lines)), what, REMEDY, RULE)
