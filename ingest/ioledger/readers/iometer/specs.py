"""
Access specifications: the workload of a run.

A specification has one or more lines; each I/O takes one of them with the chance "% of size". Sizes are bytes, delays
milliseconds, an alignment of 0 means sectors. A reply is a second transfer in the other direction.
Source: ``AccessSpecList.cpp``, ``SaveResults()``; the Iometer user's guide, "Access Specifications".
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

import msgspec

from ioledger.readers.base import Finding
from ioledger.readers.iometer.header import setting

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

NAMES = ("size", "% of size", "% reads", "% random", "delay", "burst", "align", "reply")
PERCENT = 100


class Line(NamedTuple):
    """One line of an access specification, in the units of the file."""

    size: int
    share: int
    reads: int
    random: int
    delay: int
    burst: int
    align: int
    reply: int


class Spec(NamedTuple):
    """An access specification: its name and its lines."""

    name: str
    lines: list[Line]

    @property
    def is_paced(self) -> bool:
        """Say whether delays keep the queue from being full."""
        return any(line.delay for line in self.lines)


def parse_line(text: str) -> Line | None:
    """Return a line of an access specification, null when it is none; 1.1.0 puts a comma at the end."""
    numbers = [setting(field.strip()) for field in text.removesuffix(",").split(",")]
    known = [value for value in numbers if value is not None]
    if len(known) != len(NAMES) or len(numbers) != len(NAMES):
        return None
    line = Line(*known)
    return line if (line.size or not line.share) and max(line.share, line.reads, line.random) <= PERCENT else None


def parse_block(block: Sequence[tuple[int, str]]) -> tuple[dict[str, Spec], list[Finding]]:
    """
    Return the specifications of a block by name, and what is wrong with them.

    A block is numbered lines: ``'Access specification name``, the name, ``'size``, lines of figures, and so on.
    """
    specs: dict[str, Spec] = {}
    findings, spec, awaited = [], None, ""
    for number, text in block:
        if text.startswith(("'Access specification name", "'size,")):
            awaited = "name" if text.startswith("'A") else "lines"
        elif awaited == "name":
            spec = Spec(parse_name(text), [])
            specs[spec.name], awaited = spec, ""
        elif awaited == "lines" and spec and (line := parse_line(text.strip())):
            spec.lines.append(line)
        elif text.strip():
            specs.pop(spec.name if spec else "", None)
            message = f"line {number} is no line of an access specification; its runs have no workload"
            findings.append(Finding("R-IOMETER-SPEC-1", message, f"line {number}"))
    for spec in specs.values():
        if (total := sum(line.share for line in spec.lines)) != PERCENT:
            message = f"the lines of the access specification {spec.name!r} make up {total} % of its I/Os"
            findings.append(Finding("R-IOMETER-SPEC-3", message, f"line {block[0][0]}"))
    return {name: spec for name, spec in specs.items() if spec.lines}, findings


def parse_name(text: str) -> str:
    """Return the name from ``name,default assignment``; the name may hold commas."""
    return text.rpartition(",")[0] if "," in text else text


def workload(spec: Spec | None, operation: str) -> dict[str, Any]:
    """Return the workload columns of an operation; what differs between the lines of a mixture is null."""
    if spec is None:
        return {}
    lines = [line for line in spec.lines if line.share and _has(line, operation)]
    sizes = {size for line in lines for size in _sizes(line, operation)}
    random = {line.random for line in lines}
    return {
        "access_pattern": _pattern(random),
        "random_ratio": _only(random),
        "read_ratio": _only({line.reads for line in spec.lines if line.share}),
        "block_size_bytes": min(sizes) if len(sizes) == 1 else None,
        "block_size_min_bytes": min(sizes, default=None),
        "block_size_max_bytes": max(sizes, default=None),
    }


def as_json(spec: Spec | None, settings: dict[str, Any]) -> str | None:
    """Return the specification and other settings of a run as JSON text, in the words of the file."""
    stated = {name: value for name, value in settings.items() if value is not None}
    if spec is not None:
        stated["access specification"] = [dict(zip(NAMES, line, strict=True)) for line in spec.lines]
    return msgspec.json.encode(stated, order="sorted").decode() if stated else None


def _has(line: Line, operation: str) -> bool:
    """Say whether a line makes such I/Os; a reply goes the other way."""
    return bool(line.reply) or {"read": line.reads > 0, "write": line.reads < PERCENT}.get(operation, True)


def _sizes(line: Line, operation: str) -> Iterator[int]:
    if not line.reply or operation == "mixed" or 0 < line.reads < PERCENT:
        yield line.size
        if line.reply:
            yield line.reply
    else:
        yield line.size if (operation == "read") == (line.reads == PERCENT) else line.reply


def _only(percents: set[int]) -> float | None:
    return min(percents) / PERCENT if len(percents) == 1 else None


def _pattern(random: set[int]) -> str | None:
    if not random:
        return None
    return {frozenset({0}): "sequential", frozenset({PERCENT}): "random"}.get(frozenset(random), "mixed")
