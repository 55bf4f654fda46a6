"""
The tolerant decoder: reports that are not quite JSON, or whose values do not have fio's types.

Raw control characters in names, numbers that no 64-bit column can hold and values of the wrong type each become a
finding; the rest of the report is read. The result has the same types as a regular report.
"""

from __future__ import annotations

import json
import math
import re
from typing import Any, NamedTuple

import msgspec

from ioledger.readers.base import Finding
from ioledger.readers.fio.json_pairs import paired, repeated, with_raw_options
from ioledger.readers.fio.json_shape import DOCUMENT, Document

_LONGEST_NUMBER = 400
_BOUND = 2**63
_MISFIT_LIMIT = 100
_STEP = re.compile(r"\.([^.\[\]]+)|\[(\d+|\.\.\.)\]")
_DEEP = "is nested deeper than any report of fio"


class Broken(Exception):  # noqa: N818  (a place in a text, always caught; no error of the program)
    """The text is no report: where, why, and whether it simply ends too early."""

    def __init__(self, position: int, what: str, *, is_cut: bool = False) -> None:
        """Take the place in the text, a clause for the message, and whether the text ends there."""
        super().__init__(what)
        self.position = position
        self.what = what
        self.is_cut = is_cut


class Decoded(NamedTuple):
    """A report, where its text ends, and what was seen."""

    document: Document
    end: int
    findings: list[Finding]


def decode(text: str) -> Decoded:
    """Decode the report at the start of a text; raise :class:`Broken` when there is none."""
    findings: list[Finding] = []
    value, end = _json(text, findings)
    try:
        findings += repeated(value)
        return Decoded(_typed(with_raw_options(value), findings), end, findings)
    except RecursionError:
        raise Broken(0, _DEEP) from None


def _json(text: str, findings: list[Finding]) -> tuple[dict[str, Any], int]:
    """Return the object at the start of a text and where it ends."""
    odd: list[str] = []

    def whole(digits: str) -> int | None:
        value = int(digits) if len(digits) < _LONGEST_NUMBER else _BOUND
        if -_BOUND <= value < _BOUND:
            return value
        odd.append(digits)
        return None

    def number(digits: str) -> float | None:
        value = float(digits)
        if math.isfinite(value):
            return value
        odd.append(digits)
        return None

    for strict in (True, False):
        hooks = {"parse_int": whole, "parse_float": number, "parse_constant": odd.append}
        decoder = json.JSONDecoder(strict=strict, object_pairs_hook=paired, **hooks)  # type: ignore[arg-type]
        odd.clear()
        try:
            value, end = decoder.raw_decode(text)
        except json.JSONDecodeError as error:
            if strict and error.msg.startswith("Invalid control character"):
                findings.append(Finding("R-FIO-CONTROL-1", "a text holds raw control characters, which JSON forbids"))
                continue
            raise _broken(text, error) from None
        except RecursionError:
            raise Broken(0, _DEEP) from None
        break
    if odd:
        message = f"{len(odd)} numbers fit no column ({odd[0][:20]} …) and are taken as not measured"
        findings.append(Finding("R-FIO-NUMBER-1", message))
    return value, end


def _broken(text: str, error: json.JSONDecodeError) -> Broken:
    """Say why a text is no JSON; a text that ends inside the report is cut off."""
    length = len(text.rstrip())
    if error.pos >= length or error.msg.startswith("Unterminated string"):
        return Broken(length, "is cut off here", is_cut=True)
    return Broken(error.pos, f"is not JSON here: {error.msg}")


def _typed(value: dict[str, Any], findings: list[Finding]) -> Document:
    """Return a report as its types; each value that does not fit is left out with a finding."""
    for _ in range(_MISFIT_LIMIT):
        try:
            return DOCUMENT.decode(msgspec.json.encode(value))
        except msgspec.ValidationError as error:
            message, _, path = str(error).rpartition(" - at `")
            steps = [name or int(index) for name, index in _STEP.findall(path.rstrip("`")) if index != "..."]
            if not steps or not _left_out(value, steps):
                break
            pointer = "/" + "/".join(map(str, steps))
            findings.append(Finding("R-FIO-TYPE-1", f"{pointer} is not what fio writes ({message}) and is left out"))
    raise Broken(0, "has values that are not those of a report")


def _left_out(value: Any, steps: list[str | int]) -> bool:  # noqa: ANN401  (any JSON value passes through)
    """Remove what stands at a path; say whether something did."""
    for step in steps[:-1]:
        value = value[step]
    return value.pop(steps[-1], value) is not value if isinstance(value, dict) else bool(value.pop(steps[-1]))
