"""
What stands in a manifest, before anything is made of it: its shape, its texts, and what is still to be stated.

The shape is ``schemas/manifest.schema.json``; a schema's own messages name validators, and a contributor needs the
line, what is there, and what to write instead.

Text of strangers holds no control characters, nothing that cannot be seen or changes direction, no lone surrogates and
no spreadsheet formulas, and it is not endless: these cannot be escaped everywhere. Everything else is accepted, and
every output escapes it for its own form. Source: Unicode's general categories C and Zl, Zp, its property
Default_Ignorable_Code_Point (UAX 44) and bidirectional formatting characters (UAX 9), and OWASP's CSV injection.

A placeholder is no value and no reason: one of three that ``ioledger collect`` writes, or a word such as ``todo``.
"""

from __future__ import annotations

import difflib
import json
import re
from contextlib import suppress
from datetime import UTC, datetime
from functools import cache, partial
from typing import TYPE_CHECKING, Any, cast

import msgspec

from ioledger.problems import Problem
from ioledger.tables.schema import SCHEMAS, tables

if TYPE_CHECKING:
    from collections.abc import Iterator

    from jsonschema.exceptions import ValidationError
    from jsonschema.protocols import Validator

    from ioledger.model import Reading
    from ioledger.submission.safe_yaml import Lines, Path

SECTIONS = ("storage", "software", "method")
"""Parts of a configuration that state values."""
SHOWN_CHARACTERS, SHOWN_KEYS = 80, 12
HIDDEN = re.compile(
    "[\x00-\x08\x0b-\x1f\x7f-\x9f\xad\u034f\u0600-\u0605\u061c\u06dd\u070f\u0890\u0891\u08e2\u115f\u1160\u17b4\u17b5"
    "\u180b-\u180f\u200b-\u200f\u2028-\u202e\u2060-\u206f\u2800\u3164\ud800-\uf8ff\ufdd0-\ufdef\ufe00-\ufe0f\ufeff\uffa0"
    "\ufff0-\ufffb\ufffe\uffff\U000110bd\U000110cd\U00013430-\U00013440\U0001bca0-\U0001bca3\U0001d159\U0001d173-\U0001d17a"
    "\U000e0000-\U0010ffff]"
)
"""Control, format, surrogate, private and separating characters, and those that are shown as nothing."""
LONGEST = 2_000
"""Characters of a text, as many as a summary may have; the longest name in 450 real files has 127."""
FORMULA = re.compile(r"^\s*(?:[=@]|[+-][^|(!]*[|(!])")
RESULT_TEXTS = ("test_name", "tool_version", "engine", "qualifier", "printed_text", "configuration", "load_profile")
FROM_YOU = "only you know: please state it"
FROM_RESULTS = "read from the results by ioledger add"
FROM_EITHER = "ioledger add reads it from the results; state it where they do not"
PLACEHOLDER = re.compile(
    r"(?:to[ -]?do|tb[acd]|fix[ -]?me|change[ -]?me|to come|x{3,})(?:\s*[:,(-].*)?"
    r"|<[\w ,.'-]+>|\[[\w ,.'-]+\]|[^\w\s][\W_]*"
)
"""A whole text that says only that something is to come: a word, a field of a form, signs without a word."""
NO_REASON = re.compile(r"|unknown|why|(?:the )?reason|later|n/?a")
"""What gives no cause."""
NONE_WHY = "why there is none"
FIRST_YEAR, LAST_YEAR = 1980, 2099
"""Nothing that is read here was written before, and a later year is a slip of the pen."""
DAY, INSTANT = "%Y-%m-%d", "%Y-%m-%dT%H:%M:%SZ"
TIMES = {"date": (DAY,), "partial-date": (DAY, "%Y-%m", "%Y"), "instant": (INSTANT,)}
"""The forms of a text that the schema calls by this word, as ``strptime`` has them."""
FORMATS = {
    "date": "Write a day that there was, as yyyy-mm-dd, such as 2026-11-21",
    "partial-date": "Write a day, month or year that there was, such as 2026-11-21, 2026-11 or 2026, or unknown",
    "instant": "Write a second that there was, in UTC, such as 2026-11-21T09:30:00Z",
    "spdx": "Write a licence as SPDX writes it, such as CC-BY-4.0 or MIT OR Apache-2.0, or unknown",
}
REMEDIES = {
    "enum": "Write one of {}",
    "type": "Write {}",
    "pattern": "Write it in the form {}",
    "maxLength": "Use at most {} characters",
    "minLength": "Write {} or more characters",
    "minItems": "List at least {} of them",
    "minimum": "Write at least {}",
    "uniqueItems": "State each of them once",
}
"""What to do about a value that a keyword of JSON Schema refuses."""
KINDS = {"string": "text", "integer": "a whole number", "number": "a number", "boolean": "true or false"}
QUOTES = 'YAML takes it for a number or a date, which may lose digits: put the text into quotes, as in "1.10".'
COMMA = "In braces a comma ends a text: put the text into quotes."
REMEDY = "State it, or write why it is unknown: {unknown: why}."


@cache
def _schema() -> dict[str, Any]:
    schema: dict[str, Any] = msgspec.json.decode((SCHEMAS / "manifest.schema.json").read_bytes())
    return schema


@cache
def schema_of(part: str) -> dict[str, Any]:
    """Return the schema of an item of ``systems``, ``devices``, ``configurations``, or of a configuration's section."""
    properties = _schema()["properties"]
    if part in SECTIONS:
        properties = properties["configurations"]["additionalProperties"]["properties"]
    schema: dict[str, Any] = properties[part]
    return schema if part in SECTIONS else schema["additionalProperties"]


@cache
def _validator() -> Validator:
    from jsonschema import Draft202012Validator, FormatChecker  # noqa: PLC0415  (not needed to parse a file)

    checker = FormatChecker(formats=())
    for name, forms in TIMES.items():
        checker.checks(name)(partial(_is_time, forms=forms))
    checker.checks("spdx")(_is_licence)
    return Draft202012Validator(_schema(), format_checker=checker)


def _is_time(text: object, forms: tuple[str, ...]) -> bool:
    """Say whether a text is a time in one of these forms, that was or will soon be; or ``unknown``, or no text."""
    if not isinstance(text, str) or (text == "unknown" and len(forms) > 1):
        return True
    for form in forms:
        with suppress(ValueError):
            found = datetime.strptime(text, form).replace(tzinfo=UTC)
            if found.strftime(form) == text and FIRST_YEAR <= found.year <= LAST_YEAR:
                return True
    return False


def _is_licence(text: object) -> bool:
    """Say whether a text is an expression of SPDX without names of its own (``LicenseRef-…``), or ``unknown``."""
    from packaging import licenses  # noqa: PLC0415

    if not isinstance(text, str) or text == "unknown":
        return True
    try:
        return "ref-" not in text.casefold() and licenses.canonicalize_license_expression(text) == text
    except licenses.InvalidLicenseExpression:
        return False


def shape_problems(manifest: object, where: str, lines: Lines) -> list[Problem]:
    """Return everything that has the wrong shape in the manifest called ``where``; ``lines`` are those of its paths."""
    edition, known = (manifest if isinstance(manifest, dict) else {}).get("edition"), editions()
    if isinstance(manifest, dict) and (type(edition) is not int or edition not in known):
        what = f"the manifest is of edition {_show(edition)}" if edition is not None else "the manifest lacks edition"
        remedy = f"Known here: {', '.join(map(str, known))}. Write one of these, or take a newer ioledger."
        return [Problem(where, str(line_of(("edition",), lines)), what, remedy, "R-MANIFEST-10")]
    return sorted({_as_problem(error, where, lines) for error in _validator().iter_errors(cast("Any", manifest))})


def editions() -> tuple[int, ...]:
    """Return the editions of the manifest's schema that are known here."""
    return tuple(_schema()["properties"]["edition"]["enum"])


def line_of(path: Path, lines: Lines) -> int:
    """Return the line of a path in the merged manifest: its own, that of the default it came from, or its parent's."""
    inside = 2  # configurations, <name>: what follows may come from the defaults
    for end in range(len(path), -1, -1):
        here = path[:end]
        if here in lines:
            return lines[here]
        if here[:1] == ("configurations",) and end > inside and ("defaults", *here[inside:]) in lines:
            return lines["defaults", *here[inside:]]
    return 1


def _as_problem(error: ValidationError, where: str, lines: Lines) -> Problem:
    path = tuple(error.absolute_path)
    name = _name(path)
    schema = cast("dict[str, Any]", error.schema)
    place = str(line_of(path, lines))
    instance: Any = error.instance
    if error.validator == "required":
        missing = ", ".join(key for key in schema["required"] if key not in instance)
        remedy = "State it; where the source is silent write unknown, or {unknown: why}."
        return Problem(where, place, f"{name} lacks {missing}", remedy, "R-MANIFEST-2")
    if error.validator == "additionalProperties":
        known = list(schema.get("properties", ()))
        unknown = sorted(key for key in instance if key not in known)
        place = str(line_of((*path, unknown[0]), lines))
        close = difflib.get_close_matches(unknown[0], known, n=1)
        remedy = f"Did you mean {close[0]}?" if close else f"Known keys: {', '.join(known)}."
        more = f" and {len(unknown) - SHOWN_KEYS:,} more" if len(unknown) > SHOWN_KEYS else ""
        what = f"{name} has the unknown key {', '.join(unknown[:SHOWN_KEYS])}{more}"
        return Problem(where, place, what, remedy, "R-MANIFEST-3")
    is_cut = isinstance(instance, dict) and len(instance) > 1 and None in instance.values()
    is_none = isinstance(instance, dict) and "none" in instance and error.validator == "anyOf"
    if is_none and {"$ref": "#/$defs/none"} not in cast("list[Any]", error.validator_value):
        what = f"{name} cannot be none: it always exists"
        return Problem(where, place, what, f"{_describe_expected(error, schema)}.", "R-MANIFEST-4")
    expected = COMMA if is_cut else QUOTES if _is_unquoted(error) else f"{_describe_expected(error, schema)}."
    return Problem(where, place, f"{name} is {_show(instance)}", expected, "R-MANIFEST-4")


def _is_unquoted(error: ValidationError) -> bool:
    """Say whether a number, a day or a truth value stands where a text is wanted."""
    wanted: Any = error.validator_value
    instance: Any = error.instance
    value = instance.get("value") if isinstance(instance, dict) else instance
    texts = wanted[:1] if error.validator == "anyOf" else [{"type": wanted}] if error.validator == "type" else []
    is_text = bool(texts) and texts[0].get("type") == "string" and "enum" not in texts[0]
    return is_text and value is not None and not isinstance(value, str | dict | list)


def _name(path: Path) -> str:
    return ".".join(map(str, path)) or "the manifest"


def _show(value: object) -> str:
    text = json.dumps(value, ensure_ascii=False, separators=(",", ":"), default=str)
    return text if len(text) <= SHOWN_CHARACTERS else text[:SHOWN_CHARACTERS] + "…"


def _describe_expected(error: ValidationError, schema: dict[str, Any]) -> str:
    """Say in words what the schema wants at this place."""
    wanted: Any = error.validator_value
    if error.validator == "format":
        return FORMATS[str(wanted)]
    if error.validator != "anyOf":
        remedy = REMEDIES.get(str(error.validator), f"See {schema.get('title', 'schemas/manifest.schema.json')}")
        return remedy.format(", ".join(map(str, wanted)) if isinstance(wanted, list) else wanted)
    plain: dict[str, Any] = wanted[0]
    if "format" in plain:
        return f"{FORMATS[plain['format']]}, or unknown, or {{unknown: why}}"
    words = [word for word in plain.get("enum", ()) if word != "unknown"]
    kind = f"one of {', '.join(words)}" if words else KINDS.get(str(plain.get("type")), "a value")
    kind += f" of the form {plain['pattern']}" if "pattern" in plain else ""
    kind += ", or unknown, or {unknown: why}"
    kind += f", or {{none: {NONE_WHY}}}" if {"$ref": "#/$defs/none"} in wanted else ""
    kind += ", or {other: text}" if {"$ref": "#/$defs/other"} in wanted else ""
    bound = next((each for each in error.context or () if each.validator in {"minLength", "maxLength"}), None)
    return f"Write {kind}" + (f"; {_describe_expected(bound, {}).lower()}" if bound else "")


def text_problems(manifest: object, where: str, lines: Lines) -> Iterator[Problem]:
    """Give a problem for every key and value of a manifest that holds refused text."""
    for path, text in _texts(manifest, ()):
        yield from _check_text(text, where, str(line_of(path, lines)), f"at {_name(path)}")


def text_problems_of_reading(reading: Reading, file: str) -> Iterator[Problem]:
    """Give a problem for every text of a reading that is refused: names in tools' output, cells of publications."""
    seen: set[str] = set()
    for result in reading.results:
        for name in RESULT_TEXTS:
            text = getattr(result, name)
            if text is not None and text not in seen:
                seen.add(text)
                yield from _check_text(text, file, result.pointer, f"in {name}")
    for table, rows in reading.rows.items():
        for row in rows if table != "samples" else ():
            for name, value in row.items():
                if isinstance(value, str):
                    yield from _check_text(value, file, str(row.get("pointer") or table), f"in {name}")


def _check_text(text: str, file: str, place: str, named: str) -> Iterator[Problem]:
    if found := HIDDEN.search(text):
        what = f"a text contains the hidden character U+{ord(found[0]):04X}, {named}"
        yield Problem(file, place, what, "Remove it; line breaks and tabs may stay.", "R-TEXT-1")
    elif len(text) > LONGEST:
        what = f"a text has {len(text):,} characters, {named}"
        yield Problem(file, place, what, f"Use at most {LONGEST:,}.", "R-TEXT-3")
    elif FORMULA.match(text):
        what = f"a text begins like a formula of a spreadsheet, {named}"
        yield Problem(file, place, what, "Begin it with a letter or a digit.", "R-TEXT-2")


def _texts(value: object, path: Path) -> Iterator[tuple[Path, str]]:
    """Give every text of a document with its path, in order; a key stands at the path of its map."""
    if isinstance(value, str):
        yield path, value
    elif isinstance(value, dict):
        for key, inner in value.items():
            yield path, str(key)
            yield from _texts(inner, (*path, str(key)))
    elif isinstance(value, list):
        for index, inner in enumerate(value):
            yield from _texts(inner, (*path, index))


def is_placeholder(text: str, *, is_reason: bool) -> bool:
    """Say whether a text of a manifest is a placeholder; ``is_reason``: it stands after ``unknown:`` or ``none:``."""
    plain = " ".join(text.casefold().replace(".", "").split())
    asks = text in {FROM_YOU, FROM_RESULTS, FROM_EITHER} or any(PLACEHOLDER.fullmatch(each) for each in (plain, text))
    return asks or (is_reason and NO_REASON.fullmatch(plain) is not None)


def placeholder_problems(document: dict[str, Any], where: str, lines: Lines) -> Iterator[Problem]:
    """Report every placeholder, one line each, with its place in the file that ``where`` names."""
    closed = {column.name: column.words for name in ("configurations", "drives") for column in tables()[name].columns}
    for place, text in _texts(document, ()):
        is_reason = place[-1:] in {("unknown",), ("none",)}
        if not is_placeholder(text, is_reason=is_reason):
            continue
        path = place[:-1] if is_reason else place
        what, words = f"{_name(path)} is still to be stated ({text})", closed.get(str(path[-1]) if path else "")
        remedy = (
            f"Write one of {', '.join(words)}; or state why it is not known: {{unknown: why}}." if words else REMEDY
        )
        yield Problem(where, str(line_of(path, lines)), what, remedy, "R-MANIFEST-9")
