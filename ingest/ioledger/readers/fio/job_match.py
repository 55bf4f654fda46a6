"""
fio: whether a report was made with a job file, by what both state: names of jobs, and options.

``${RW}`` in a job file stands for a variable of the run's environment, so it is a pattern, and has one value wherever
it stands: with ``rw=${RW}`` and ``write_bw_log=${RW}-${BS}``, a report of ``rw=randread`` has logs ``randread-…``.
Sizes are compared in bytes: ``4K``, ``4k`` and ``4096B`` are the same. Names of sections are no patterns, as fio leaves
them as they are. A value with ``$ncpus`` or another word of fio's own is computed by it, and fits anything.
Source: fio's HOWTO, "Environment variables" and "Reserved keywords"; ``options.c``, ``dup_and_sub_options()``.
"""

from __future__ import annotations

import re
from functools import lru_cache
from typing import TYPE_CHECKING, NamedTuple

import msgspec

from ioledger.readers.fio.jobfile import meaning
from ioledger.readers.fio.options import Options, decimal_of, in_bytes, public

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from ioledger.model import Result
    from ioledger.readers.fio.jobfile import Sections

_VARIABLE = re.compile(r"\$\{(\w{1,60})\}")
_MOST_VARIABLES, _LONGEST = 3, 255
"""A value with more of them, or a longer one, fits anything."""
_DECIMAL_BASE = "1000"
_OWN_NAME = "name"
_FEW, _AS_STATED = 4096, -1
Meaning = str | float


class Filed(NamedTuple):
    """What a section of a job file says: what its options mean, and the texts of those with variables in them."""

    meanings: Mapping[str, Meaning]
    patterns: Mapping[str, str]


class Told(NamedTuple):
    """What a report says of a job: what its options mean, and their texts."""

    meanings: Mapping[str, Meaning]
    texts: Mapping[str, str]


def filed(sections: Sections) -> dict[str, Filed]:
    """Return what the sections of a job file say, to be held against many reports."""
    found = {}
    for name, section in sections.items():
        texts = {option: public(option, text) for option, text in section.items() if option != _OWN_NAME}
        options = Options({option: text for option, text in texts.items() if "$" not in text}, {})
        options = options._replace(decimal=decimal_of(section))
        meanings = {option: meaning(options, option) for option in options.values}
        found[name] = Filed(meanings, {option: text for option, text in texts.items() if "$" in text})
    return found


def variables(sections: Mapping[str, Filed], results: Iterable[Result]) -> dict[str, str] | None:
    """
    Return the variables of the environment that a report tells a job file was run with, sizes in bytes.

    Null when the report was made with another job file: each of its jobs is a section, and says nothing otherwise.
    """
    bound: dict[str, str] = {}
    is_any = False
    for result in results:
        section = sections.get(result.test_name or "")
        if section is None or not _agrees(section, _told_by(result), bound):
            return None
        is_any = True
    return bound if is_any else None


def _told_by(result: Result) -> Told:
    """
    Return what a report says of the job of a result.

    Sizes that human output prints are those that it means, in bytes.
    """
    is_printed = "bs=banner" in (result.workload_origins or "").split()
    return _told(result.job_options or "{}", result.block_size_bytes if is_printed else _AS_STATED)


@lru_cache(_FEW)  # reads and writes of a job share its options
def _told(job_options: str, block_size: int | None) -> Told:
    """Return what options say, of those stated more than once the last value; a block size stands for ``bs``."""
    every: dict[str, str | list[str]] = msgspec.json.decode(job_options)
    texts = {name: value[-1] if isinstance(value, list) else value for name, value in every.items()}
    if block_size != _AS_STATED:
        del texts["bs"]
        texts |= {} if block_size is None else {"bs": str(block_size)}
    is_decimal = texts.get("kb_base") == _DECIMAL_BASE
    options = Options(texts, {}, decimal=frozenset(texts) if is_decimal else frozenset())
    return Told({name: meaning(options, name) for name in texts}, texts)


def is_pattern(text: str) -> bool:
    """Say whether an option of a job file holds a variable of the environment."""
    return _VARIABLE.search(text) is not None


def values(pattern: str, text: str) -> dict[str, str] | None:
    """Return what the variables in a text of a job file stand for if this is what became of it, sizes in bytes."""
    names = _VARIABLE.findall(pattern)
    if len(names) > _MOST_VARIABLES or len(text) > _LONGEST:
        return None
    found = re.fullmatch("(.*?)".join(map(re.escape, _VARIABLE.split(pattern)[::2])), text, re.DOTALL)
    told: dict[str, str] = {}
    for name, value in zip(names, found.groups() if found else (), strict=bool(found)):
        size = in_bytes(value, is_decimal=False)
        if told.setdefault(name, size) != size:
            return None
    return told if found else None


def _agrees(section: Filed, report: Told, bound: dict[str, str]) -> bool:
    """Say whether a section and a report agree in all that both state; ``bound`` are the variables known so far."""
    if any(report.meanings.get(name, value) != value for name, value in section.meanings.items()):
        return False
    both = sorted(section.patterns.keys() & report.texts.keys())
    return all(_became(section.patterns[name], report.texts[name], bound) for name in both)


def _became(pattern: str, text: str, bound: dict[str, str]) -> bool:
    """Say whether a text with variables may have become another; variables that it tells are added to those known."""
    is_computed = "$" in _VARIABLE.sub("", pattern)
    if pattern == text or is_computed or len(_VARIABLE.findall(pattern)) > _MOST_VARIABLES or len(text) > _LONGEST:
        return True
    told = values(pattern, text)
    return told is not None and all(bound.setdefault(name, value) == value for name, value in told.items())
