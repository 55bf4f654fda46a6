"""
Reports that are not quite JSON, or whose values do not have fio's types: the tolerant decoder.

Raw control characters in names, numbers that no 64-bit column can hold and values of the wrong type each become a
finding; the rest of the report is read. The result has the same types as a regular report.

An object may give a name twice, and a dictionary would silently keep the last value only. fio repeats ``"0.00"`` among
the percentiles up to 3.1, always with zero, and options that were given twice. Options keep every pair, so that the
caller can tell; of any other key the last value holds, as in a regular report, and a finding names the key when the
values differ.
"""

from __future__ import annotations

import json
import math
import re
from functools import partial
from typing import TYPE_CHECKING, Any, TypeVar

import msgspec

from ioledger.model import Finding

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

Document = TypeVar("Document")
"""The types that a report is decoded into (``json_decode``)."""
_LONGEST_NUMBER = 400
_BOUND = 2**63
_MISFITS = ((" of length <= ", "R-FIO-LINE-1"), (">= 0", "R-FIO-LINE-1"))
"""Words of msgspec about a value that is more than of another type, and the rule of each."""
"""In what msgspec says of a text or list that is longer than its type allows."""
_MISFIT_LIMIT = 100
_STEP = re.compile(r"\.([^.\[\]]+)|\[(\d+|\.\.\.)\]")
_DEEP = "is nested deeper than any report of fio"
_SHOWN, _LONGEST = 5, 60
_OPTIONS = {"global options", "job options"}


def _whole(digits: str) -> int | None:
    value = int(digits) if len(digits) < _LONGEST_NUMBER else _BOUND
    return value if -_BOUND <= value < _BOUND else None


def _finite(digits: str) -> float | None:
    return value if math.isfinite(value := float(digits)) else None


NUMBERS: dict[str, Any] = {
    "parse_int": _whole, "parse_float": _finite, "parse_constant": lambda _: None,
}  # fmt: skip
"""How the standard library is to read numbers: null for those that no column can hold."""


class Broken(Exception):  # noqa: N818  (a place in a text, always caught; no error of the program)
    """The text is no report: where, why, and whether it simply ends too early."""

    def __init__(self, position: int, what: str, *, is_cut: bool = False) -> None:
        """Take the place in the text, a clause for the message, and whether the text ends there."""
        super().__init__(what)
        self.position = position
        self.what = what
        self.is_cut = is_cut


def decode(text: str, decoder: msgspec.json.Decoder[Document]) -> tuple[Document, int, list[Finding]]:
    """Return the report at the start of a text, where it ends, and findings; raise :class:`Broken` without one."""
    findings: list[Finding] = []
    value, end = _json(text, findings)
    try:
        findings += _repeated(value)
        return _typed(_with_raw_options(value), decoder, findings), end, findings
    except RecursionError:
        raise Broken(0, _DEEP) from None


def _json(text: str, findings: list[Finding]) -> tuple[dict[str, Any], int]:
    """Return the object at the start of a text and where it ends."""
    odd: list[str] = []

    def noted(parse: Callable[[str], float | None], digits: str) -> float | None:
        if (value := parse(digits)) is None:
            odd.append(digits)
        return value

    for strict in (True, False):
        hooks = {name: partial(noted, parse) for name, parse in NUMBERS.items()}
        decoder = json.JSONDecoder(strict=strict, object_pairs_hook=_paired, **hooks)
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
        findings.append(Finding("R-FIO-LINE-2", message))
    return value, end


def _broken(text: str, error: json.JSONDecodeError) -> Broken:
    """Say why a text is no JSON; a text that ends inside the report is cut off."""
    length = len(text.rstrip())
    if error.pos >= length or error.msg.startswith("Unterminated string"):
        return Broken(length, "is cut off here", is_cut=True)
    return Broken(error.pos, f"is not JSON here: {error.msg}")


def _typed(value: dict[str, Any], decoder: msgspec.json.Decoder[Document], findings: list[Finding]) -> Document:
    """Return a report as its types; each value that does not fit is left out with a finding."""
    for _ in range(_MISFIT_LIMIT):
        try:
            return decoder.decode(msgspec.json.encode(value))
        except msgspec.ValidationError as error:
            message, _, path = str(error).rpartition(" - at `")
            steps = [name or int(index) for name, index in _STEP.findall(path.rstrip("`")) if index != "..."]
            if not steps or not _left_out(value, steps):
                break
            pointer = "/" + "/".join(map(str, steps))
            rule = next((rule for words, rule in _MISFITS if words in message), "R-FIO-LINE-2")
            findings.append(Finding(rule, f"{pointer} is not what fio writes ({message}) and is left out"))
    raise Broken(0, "has values that are not those of a report")


def _left_out(value: Any, steps: list[str | int]) -> bool:  # noqa: ANN401  (any JSON value passes through)
    """Remove what stands at a path; say whether something did."""
    for step in steps[:-1]:
        value = value[step]
    return value.pop(steps[-1], value) is not value if isinstance(value, dict) else bool(value.pop(steps[-1]))


class _Repeated(dict[str, Any]):
    """An object that gives a name twice: a dictionary in which the last wins, and all pairs."""

    pairs: list[tuple[str, Any]]


def _paired(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """Return an object from its pairs, as a :class:`_Repeated` when a name stands in it twice."""
    found = {_sound(name): _sound(value) for name, value in pairs}
    if len(found) == len(pairs):
        return found
    every = _Repeated(found)
    every.pairs = [(_sound(name), _sound(value)) for name, value in pairs]
    return every


def _sound(value: Any) -> Any:  # noqa: ANN401  (any JSON value passes through)
    """Return text without lone surrogates, which no encoding can hold; anything else as it is."""
    if isinstance(value, str) and not value.isascii():
        return value.encode("utf-8", "replace").decode()
    return [_sound(part) for part in value] if isinstance(value, list) else value


def _with_raw_options(value: dict[str, Any]) -> dict[str, Any]:
    """Return a report whose options are raw JSON again, every pair of a repeated name included."""
    found = {name: _raw(each) if name in _OPTIONS else each for name, each in value.items()}
    for name in ("jobs", "client_stats"):
        if isinstance(found.get(name), list):
            found[name] = [_with_raw_options(job) if isinstance(job, dict) else job for job in found[name]]
    return found


def _raw(options: object) -> msgspec.Raw:
    if isinstance(options, list):
        return msgspec.Raw(b"[" + b",".join(bytes(_raw(part)) for part in options) + b"]")
    pairs = options.pairs if isinstance(options, _Repeated) else options
    if not isinstance(pairs, list):
        return msgspec.Raw(msgspec.json.encode(pairs))
    each = [msgspec.json.encode(name) + b":" + msgspec.json.encode(value) for name, value in pairs]
    return msgspec.Raw(b"{" + b",".join(each) + b"}")


def _repeated(report: dict[str, Any]) -> list[Finding]:
    """Return a finding that names the keys of a report, options left out, that stand twice and differ."""
    names = sorted(set(_twice(report)))
    if not names:
        return []
    shown = ", ".join(ascii(name[:_LONGEST]) for name in names[:_SHOWN]) + (" …" if len(names) > _SHOWN else "")
    text = f"keys stand twice in one object with different values, and the last holds: {shown}"
    return [Finding("R-FIO-LINE-2", text)]


def _twice(report: dict[str, Any]) -> Iterator[str]:
    waiting: list[Any] = [report]
    while waiting:
        value = waiting.pop()
        if isinstance(value, _Repeated):
            first: dict[str, Any] = {}
            for name, each in value.pairs:
                if name in first and (isinstance(each, dict | list) or first[name] != each):
                    yield name
                first[name] = each
        if isinstance(value, dict):
            waiting += [each for name, each in value.items() if name not in _OPTIONS]
        elif isinstance(value, list):
            waiting += value
