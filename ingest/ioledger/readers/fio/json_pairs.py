"""
Objects of a JSON report in which a name stands twice: a dictionary would silently keep the last value only.

fio repeats ``"0.00"`` among the percentiles up to 3.1, always with zero, and options that were given twice. Options
keep every pair, so that the caller can tell; of any other key the last value holds, as in a regular report, and a
finding names the key when the values differ.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import msgspec

from ioledger.readers.base import Finding

if TYPE_CHECKING:
    from collections.abc import Iterator

_SHOWN, _LONGEST = 5, 60
_OPTIONS = {"global options", "job options"}


class Repeated(dict[str, Any]):
    """An object that gives a name twice: a dictionary in which the last wins, and all pairs."""

    pairs: list[tuple[str, Any]]


def paired(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """Return an object from its pairs, as a :class:`Repeated` when a name stands in it twice."""
    found = {_sound(name): _sound(value) for name, value in pairs}
    if len(found) == len(pairs):
        return found
    every = Repeated(found)
    every.pairs = [(_sound(name), _sound(value)) for name, value in pairs]
    return every


def _sound(value: Any) -> Any:  # noqa: ANN401  (any JSON value passes through)
    """Return text without lone surrogates, which no encoding can hold; anything else as it is."""
    if isinstance(value, str) and not value.isascii():
        return value.encode("utf-8", "replace").decode()
    return [_sound(part) for part in value] if isinstance(value, list) else value


def with_raw_options(value: dict[str, Any]) -> dict[str, Any]:
    """Return a report whose options are raw JSON again, every pair of a repeated name included."""
    found = dict(value)
    if "global options" in found:
        found["global options"] = _raw(found["global options"])
    for name in ("jobs", "client_stats"):
        if isinstance(found.get(name), list):
            found[name] = [_with_raw_job_options(job) for job in found[name]]
    return found


def _with_raw_job_options(job: object) -> object:
    if isinstance(job, dict) and "job options" in job:
        return {**job, "job options": _raw(job["job options"])}
    return job


def _raw(options: object) -> msgspec.Raw:
    if isinstance(options, list):
        return msgspec.Raw(b"[" + b",".join(bytes(_raw(part)) for part in options) + b"]")
    pairs = options.pairs if isinstance(options, Repeated) else options
    if isinstance(pairs, list):
        each = [msgspec.json.encode(name) + b":" + msgspec.json.encode(value) for name, value in pairs]
        return msgspec.Raw(b"{" + b",".join(each) + b"}")
    return msgspec.Raw(msgspec.json.encode(pairs))


def repeated(report: dict[str, Any]) -> list[Finding]:
    """Return a finding that names the keys of a report, options left out, that stand twice and differ."""
    names = sorted(set(_repeated(report)))
    if not names:
        return []
    shown = ", ".join(ascii(name[:_LONGEST]) for name in names[:_SHOWN]) + (" …" if len(names) > _SHOWN else "")
    text = f"keys stand twice in one object with different values, and the last holds: {shown}"
    return [Finding("R-FIO-DUPLICATE-2", text)]


def _repeated(report: dict[str, Any]) -> Iterator[str]:
    waiting: list[Any] = [report]
    while waiting:
        value = waiting.pop()
        if isinstance(value, Repeated):
            first: dict[str, Any] = {}
            for name, each in value.pairs:
                if name in first and (isinstance(each, dict | list) or first[name] != each):
                    yield name
                first[name] = each
        if isinstance(value, dict):
            waiting += [each for name, each in value.items() if name not in _OPTIONS]
        elif isinstance(value, list):
            waiting += value
