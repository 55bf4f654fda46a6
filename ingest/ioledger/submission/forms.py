"""
What a JSON Schema says of texts, taken at its word: patterns match whole texts, days and licences exist.

To Python the end of a text is also the place before its last line break, and a digit is one of any script; 2026-13-45
has the form of a day, and what looks like an identifier of SPDX need not be one.
"""

from __future__ import annotations

import re
from datetime import UTC, date, datetime
from typing import TYPE_CHECKING, Any

from jsonschema import Draft202012Validator, FormatChecker, ValidationError, validators
from packaging.licenses import InvalidLicenseExpression, canonicalize_license_expression

if TYPE_CHECKING:
    from collections.abc import Iterator

    from jsonschema.protocols import Validator

FIRST_YEAR, LAST_YEAR = 1980, 2099
"""Nothing that is read here was written before, and a later year is a slip of the pen."""
UNKNOWN = "unknown"
_OWN_NAME = re.compile(r"(?i)(?:license|document)ref-")
_INSTANT = re.compile(r"\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}Z", re.ASCII)
_DAY = re.compile(r"(\d{4})(?:-(\d{2})(?:-(\d{2}))?)?", re.ASCII)


def validator(schema: dict[str, Any]) -> Validator:
    """Return a validator of a schema of draft 2020-12 that reads patterns and formats as this module does."""
    extended: Any = validators.extend(Draft202012Validator, {"pattern": _pattern})  # type: ignore[no-untyped-call]
    checked = FormatChecker(formats=())
    for name, check in CHECKS.items():
        checked.checks(name)(check)
    made: Validator = extended(schema, format_checker=checked)
    return made


def _pattern(checker: Any, pattern: str, instance: object, _: object) -> Iterator[ValidationError]:  # noqa: ANN401
    """Search a pattern whose ``$`` is the end of the text, and whose classes are those of ASCII."""
    whole = pattern[:-1] + r"\Z" if pattern.endswith("$") else pattern
    if checker.is_type(instance, "string") and not re.search(whole, str(instance), re.ASCII):
        yield ValidationError(f"{instance!r} does not match {pattern!r}")


def is_day(text: object) -> bool:
    """Say whether a text is ``yyyy-mm-dd`` and such a day was or will soon be; what is no text is somebody else's."""
    found = _DAY.fullmatch(text) if isinstance(text, str) else None
    return not isinstance(text, str) or bool(found and found[3] and _was(found))


def is_partial_day(text: object) -> bool:
    """Say whether a text is a day, a month or a year, or ``unknown``."""
    found = _DAY.fullmatch(text) if isinstance(text, str) else None
    return not isinstance(text, str) or text == UNKNOWN or bool(found and _was(found))


def is_instant(text: object) -> bool:
    """Say whether a text is a second in UTC, ``yyyy-mm-ddThh:mm:ssZ``, of a day that was or will soon be."""
    if not isinstance(text, str):
        return True
    try:
        return bool(_INSTANT.fullmatch(text)) and FIRST_YEAR <= instant(text).year <= LAST_YEAR
    except ValueError:
        return False


def instant(text: str) -> datetime:
    """Return the second that a text states. Raises ValueError for one that is no instant."""
    return datetime.strptime(text, "%Y-%m-%dT%H:%M:%SZ").replace(tzinfo=UTC)


def _was(found: re.Match[str]) -> bool:
    year, month, day = (int(part or 1) for part in found.groups())
    try:
        date(year, month, day)
    except ValueError:
        return False
    return FIRST_YEAR <= year <= LAST_YEAR


def is_licence(text: object) -> bool:
    """
    Say whether a text is an expression of SPDX, written as SPDX writes it, or ``unknown``.

    ``LicenseRef-…`` and ``DocumentRef-…`` are names that SPDX leaves to everybody: nobody can look up what they allow.
    """
    if not isinstance(text, str) or text == UNKNOWN:
        return True
    if _OWN_NAME.search(text):
        return False
    try:
        return str(canonicalize_license_expression(text)) == text
    except InvalidLicenseExpression:
        return False


CHECKS = {"date": is_day, "partial-date": is_partial_day, "instant": is_instant, "spdx": is_licence}
"""What is asked of a text by the word that a schema has for its form."""
