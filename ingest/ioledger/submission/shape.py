"""
The shape of a manifest: ``schemas/manifest.schema.json`` applied, and its findings put into words.

A schema's own messages name validators; a contributor needs the line, what is there, and what to write instead.
"""

from __future__ import annotations

import difflib
import json
from functools import cache
from typing import TYPE_CHECKING, Any, cast

import msgspec

from ioledger.problems import Problem
from ioledger.tables.schema import SCHEMAS

if TYPE_CHECKING:
    from jsonschema import Draft202012Validator
    from jsonschema.exceptions import ValidationError

Lines = dict[tuple[str | int, ...], int]
SHOWN_CHARACTERS = 80


@cache
def _validator() -> Draft202012Validator:
    from jsonschema import Draft202012Validator, FormatChecker  # noqa: PLC0415  (not needed to parse a file)

    schema = msgspec.json.decode((SCHEMAS / "manifest.schema.json").read_bytes())
    return Draft202012Validator(schema, format_checker=FormatChecker())


def problems(manifest: object, where: str, lines: Lines) -> list[Problem]:
    """Return everything in the manifest that has the wrong shape; ``where`` names the file, ``lines`` its paths."""
    return sorted({_as_problem(error, where, lines) for error in _validator().iter_errors(manifest)})


def line_of(path: tuple[str | int, ...], lines: Lines) -> int:
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
    name = ".".join(map(str, path)) or "the manifest"
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
        return Problem(where, place, f"{name} has the unknown key {', '.join(unknown)}", remedy, "R-MANIFEST-3")
    return Problem(where, place, f"{name} is {_shown(instance)}", f"{_expected(error, schema)}.", "R-MANIFEST-4")


def _shown(value: object) -> str:
    text = json.dumps(value, ensure_ascii=False, separators=(",", ":"), default=str)
    return text if len(text) <= SHOWN_CHARACTERS else text[:SHOWN_CHARACTERS] + "…"


def _expected(error: ValidationError, schema: dict[str, Any]) -> str:
    """Say in words what the schema wants at this place."""
    wanted: Any = error.validator_value
    if error.validator == "anyOf":
        plain: dict[str, Any] = wanted[0]
        kinds = {"string": "text", "integer": "a whole number", "number": "a number", "boolean": "true or false"}
        words = [word for word in plain.get("enum", ()) if word != "unknown"]
        kind = f"one of {', '.join(words)}" if words else kinds.get(plain.get("type", ""), "a value")
        return f"Write {kind}, or unknown, or {{unknown: why}}"
    remedies = {
        "enum": lambda: f"Write one of {', '.join(map(str, wanted))}",
        "type": lambda: f"Write {wanted}",
        "pattern": lambda: f"Write it in the form {wanted}",
        "format": lambda: f"Write a {wanted}, such as 2026-11-21",
        "maxLength": lambda: f"Use at most {wanted} characters",
        "minItems": lambda: f"List at least {wanted}",
        "minimum": lambda: f"Write at least {wanted}",
    }
    return remedies.get(str(error.validator), lambda: f"See {schema.get('title', 'schemas/manifest.schema.json')}")()
