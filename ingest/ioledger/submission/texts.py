"""
Text of strangers, before it is stored: no control characters, no text that changes direction, no spreadsheet formulas.

No lone surrogates either, which no encoding can write.

Everything else is accepted as it is, HTML, Markdown, SQL and shell included: it is text, is stored as text, and every
output escapes it for its own form. What is refused here cannot be escaped everywhere: a terminal obeys control
characters, a reader of a diff cannot see a change of direction, and a spreadsheet runs a CSV cell that is a formula.

Source: Unicode's bidirectional formatting characters (UAX 9), ISO 6429 control sequences, and OWASP's CSV injection.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

from ioledger.problems import Problem
from ioledger.submission.shape import line_of

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ioledger.readers.base import Reading
    from ioledger.submission.shape import Lines

HIDDEN = re.compile(
    "[\x00-\x08\x0b-\x1f\x7f-\x9f\u200b\u200e\u200f\u202a-\u202e\u2060-\u2069\ud800-\udfff\ufeff\ufff9-\ufffb]"
)
FORMULA = re.compile(r"^\s*(?:[=@]|[+-][^|(!]*[|(!])")
RESULT_TEXTS = ("test_name", "tool_version", "engine", "qualifier", "printed_text", "configuration", "load_profile")


def fault(text: str) -> tuple[str, str, str] | None:
    """Return what, remedy and rule for text that is refused, or None."""
    found = HIDDEN.search(text)
    if found:
        what = f"a text holds the hidden character U+{ord(found[0]):04X}"
        return what, "Remove it; line breaks and tabs may stay.", "R-TEXT-1"
    if FORMULA.match(text):
        return "a text begins like a formula of a spreadsheet", "Begin it with a letter or a digit.", "R-TEXT-2"
    return None


def of_manifest(manifest: Any, where: str, lines: Lines) -> Iterator[Problem]:  # noqa: ANN401  (any YAML document)
    """Give a problem for every key and value of a manifest that holds refused text."""
    for path, text in _texts(manifest, ()):
        if (found := fault(text)) is not None:
            what, remedy, rule = found
            place = ".".join(map(str, path)) or "the manifest"
            yield Problem(where, str(line_of(path, lines)), f"{what}, at {place}", remedy, rule)


def _texts(value: Any, path: tuple[str | int, ...]) -> Iterator[tuple[tuple[str | int, ...], str]]:  # noqa: ANN401
    if isinstance(value, str):
        yield path, value
    elif isinstance(value, dict):
        for key, inner in value.items():
            yield path, str(key)
            yield from _texts(inner, (*path, str(key)))
    elif isinstance(value, list):
        for index, inner in enumerate(value):
            yield from _texts(inner, (*path, index))


def of_reading(reading: Reading, file: str) -> Iterator[Problem]:
    """Give a problem for every text of a reading that is refused: names in tools' output, cells of publications."""
    seen: set[str] = set()
    for result in reading.results:
        for name in RESULT_TEXTS:
            text = getattr(result, name)
            if text is not None and text not in seen:
                seen.add(text)
                yield from _problem(text, file, result.pointer, name)
    for table, rows in reading.rows.items():
        for row in rows if table != "samples" else ():
            for name, value in row.items():
                if isinstance(value, str):
                    yield from _problem(value, file, str(row.get("pointer") or table), name)


def _problem(text: str, file: str, place: str, name: str) -> Iterator[Problem]:
    if (found := fault(text)) is not None:
        what, remedy, rule = found
        yield Problem(file, place, f"{what}, in {name}", remedy, rule)
