"""
In which form the values of a column are compared: ``compared_as`` of its role.

A form makes a comparable text of a stated one (``EXT4`` is ``ext4``, ``write back`` is ``enabled``, ``6.1.0-18-amd64``
is ``6.1``), and leaves one that is comparable already as it is. It says whether two such texts are equal, differ, or
differ so little that only a reservation is left, and which flags the pair of values itself raises.
"""

from __future__ import annotations

import math
import re
from typing import TYPE_CHECKING, Literal, NamedTuple

from ioledger.judgement import drive_forms, families
from ioledger.judgement.sayings import ABSENT, INAPPLICABLE, NOT_APPLICABLE, OFF, ON, folded, is_unknown
from ioledger.readers.fio.options import SYNCHRONOUS
from ioledger.readers.load_options import SHARE_DIGITS, effective_load_options

if TYPE_CHECKING:
    from collections.abc import Callable

_HAVE_NONE = frozenset({"filesystem", "mount_options", "part", "policy", "raid", "virtualisation", "write_cache"})
"""Forms with a word of their own for what does not exist: a bare machine, a drive without a cache, a raw device."""
Verdict = Literal["equal", "differs", "reservation"]
_NUMBER = re.compile(r"\d+(?:\.\d+)?")
_VERSION = re.compile(r"(\d+)(?:\.(\d+))?")
_MARKS = re.compile(r"\((?:r|tm|c)\)|[®™©]|\bcpus?\b|\bprocessors?\b|@.*$")
_HALF_GIGAHERTZ = 5e8
_ALIGNMENTS = (4096, 512)
_WHOLE = 0.95
_AREA = re.compile(r"(?:whole|([\d.e-]+) % of the drive)(?:, ([\d.e+]+) bytes)?")
_SHARE_RATIO = 3
_SHARE_STEPS = (1, 10)
"""Shares of a drive, in percent, are one class between two steps, and across a step within the factor."""
_AREA_RATIO = 2
_CONSTANT = frozenset({"zero", "constant"})
_ESTABLISHED = frozenset({"fio", "pts"})
RAW_SOURCES = frozenset({"raw_tool_output", "excerpt"})


class Form(NamedTuple):
    """How the values of a column are made comparable, compared, and what the pair of them raises."""

    canonical: Callable[[str], str | None]
    compare: Callable[[str, str], Verdict]
    raised: Callable[[str | None, str | None], frozenset[str]] = lambda _a, _b: frozenset()


def _same(a: str, b: str) -> Verdict:
    return "equal" if a == b else "differs"


def _number_of(text: str) -> float | None:
    try:
        value = float(text)
    except ValueError:
        return None
    return value if math.isfinite(value) else None


def _number(text: str) -> str:
    value = _number_of(text)
    return folded(text) if value is None else f"{value:.15g}"


def _share(text: str) -> str:
    value = _number_of(text)
    return folded(text) if value is None else f"{round(value, SHARE_DIGITS):g}"


def _within(most: float) -> Callable[[str, str], Verdict]:
    """Return a comparison of two quantities that lets a ratio up to ``most`` pass."""

    def compare(a: str, b: str) -> Verdict:
        low, high = sorted((_number_of(a) or 0, _number_of(b) or 0))
        return _same(a, b) if low <= 0 else "equal" if high <= most * low else "differs"

    return compare


def _half_gigahertz(text: str) -> str:
    """Return a clock in hertz to the nearest half gigahertz, halves upwards."""
    value = _number_of(text)
    return folded(text) if value is None else f"{math.floor(value / _HALF_GIGAHERTZ + 0.5) / 2:g} ghz"


def _spaceless(text: str) -> str:
    return folded(text).replace(" ", "")


def _processor(text: str) -> str:
    """Return a processor's name without trade marks and without the clock behind it."""
    return folded(_MARKS.sub(" ", folded(text))) or folded(text)


def _switch(text: str) -> str:
    """Return ``on`` or ``off`` for the usual synonyms, else the text."""
    word = folded(text)
    return "on" if word in ON else "off" if word in OFF else word


def _name_values(text: str) -> str:
    """Return a list of settings in order, each with ``on`` or ``off`` for the synonyms: ``SMT off, turbo on``."""
    parts = []
    for part in re.split(r"[,;]", text):
        words = folded(re.sub(r"[=:]", " ", part)).split(" ")
        parts.append(" ".join([*words[:-1], _switch(words[-1])]))
    return ", ".join(sorted({part for part in parts if part}))


def _part(text: str) -> str:
    """Return the name of a part of the machine; that there is none is ``none``, however it is said."""
    return "none" if folded(text) in ABSENT else folded(text)


def _policy(text: str) -> str:
    """Return the policies of a cache in order: ``adaptive read ahead, write back``."""
    parts = (folded(part.replace("-", " ").replace("_", " ")) for part in re.split(r"[,;+]", text))
    kept = {part.replace("writeback", "write back") for part in parts if part not in ABSENT | {""}}
    return ", ".join(sorted(kept)) or "none"


def _virtualisation(text: str) -> str:
    word = folded(text)
    return "none" if word in ABSENT or word in {"bare metal", "physical"} else word


def _compare_hypervisors(a: str, b: str) -> Verdict:
    """Return that a guest is no bare machine, and that two hypervisors are both between guest and drive."""
    return "equal" if a == b else "differs" if "none" in {a, b} else "reservation"


def _raid(text: str) -> str:
    word = folded(text)
    if word in ABSENT:
        return NOT_APPLICABLE
    known = {
        "operating system": r"operating system|software|mdadm|\bmd\b|\blvm\b|zfs|btrfs|storage spaces|dynamic disk",
        "firmware": r"firmware|\bvroc\b|\brst\b|intel matrix|fake",
        "controller": r"controller|hardware|\bhba\b|\bperc\b|megaraid|smart array",
    }
    return next((name for name, words in known.items() if re.search(words, word)), word)


def _raised_by_filesystem(a: str | None, b: str | None) -> frozenset[str]:
    return frozenset({"copying"} if {a, b} & families.COPYING else ())


def _raised_by_mount_options(a: str | None, b: str | None) -> frozenset[str]:
    return frozenset({"weighty_option"} if families.weighty(a or "", b or "") else ())


def _major_minor(text: str) -> str:
    """Return the first two numbers of a version: ``fio-3.33`` is 3.33, ``6.1.0-18-amd64`` is 6.1."""
    found = _VERSION.search(text)
    return f"{int(found[1])}.{int(found[2] or 0)}" if found else folded(text)


def _scheduler(text: str) -> str:
    """Return the scheduler in use; the kernel's own list has it in brackets."""
    chosen = re.search(r"\[([^\]]+)\]", text)
    return folded(chosen[1] if chosen else text)


def _compare_preparations(a: str, b: str) -> Verdict:
    return "equal" if a == b else "reservation" if {a, b} == {"aged", "pts"} else "differs"


def _compare_steadiness(a: str, b: str) -> Verdict:
    """Return equal where one rule established it on both sides; not established on both sides says little."""
    if a == b and a in _ESTABLISHED:
        return "equal"
    return "reservation" if (a in _ESTABLISHED) == (b in _ESTABLISHED) else "differs"


def _area(text: str) -> str | None:
    """
    Return the share of the capacity that an area has, or that it is the whole, and its bytes if they are known.

    The text is ``bytes/capacity``, or a share up to 1. Bytes alone say nothing of the seeks and of the spare area.
    """
    if _AREA.fullmatch(text):
        return text
    area, _, capacity = text.partition("/")
    size, whole = _number_of(area), _number_of(capacity or "1")
    if size is None or not whole or size < 0 or (not capacity and size > 1):
        return None
    share = size / whole
    name = "whole" if share >= _WHOLE else f"{100 * share:.6g} % of the drive"
    return f"{name}, {size:.15g} bytes" if capacity else name


def _compare_areas(a: str, b: str) -> Verdict:
    """Return equal for shares of one class; a whole drive is a class of its own."""
    (a_share, a_bytes), (b_share, b_bytes) = (_AREA.fullmatch(text).groups() for text in (a, b))  # type: ignore[union-attr]
    shares, sizes = ([float(each) for each in pair if each] for pair in ((a_share, b_share), (a_bytes, b_bytes)))
    if len(shares) == 1:
        return "differs"
    steps = {sum(share > step for step in _SHARE_STEPS) for share in shares}
    if len(steps) > 1 and max(shares) > _SHARE_RATIO * min(shares):
        return "differs"
    return "reservation" if len(sizes) > 1 and max(sizes) > _AREA_RATIO * min(sizes) else "equal"


def _written(text: str) -> str | None:
    """Return whether every block was written before it was read: yes, no, or in part."""
    word = folded(text)
    if re.match(r"(no|none|nothing|never|false|0)\b|(not|un)[ -]?written|n't", word):
        return "no"
    if re.match(r"not (stated|known|said)", word):
        return None
    return "in part" if re.search(r"\b(part|partly|partially|half|some)\b", word) else "yes"


def _pattern(text: str) -> str:
    """Return what the written data look like: incompressible, compressible with the share, constant, or zero."""
    word = folded(text.replace("_", " "))
    share = re.search(r"\b(\d{1,3}(?:\.\d{1,3})?)\s*%|percentage (\d{1,3})\b", word)
    if re.search(r"(?<!in)(?<!un)(?<!not )compress", word) and "incompress" not in word:
        part = float(share[1] or share[2]) if share else None
        return "compressible" if part is None else f"compressible {part:g} %" if part else "incompressible"
    if re.search(r"incompress|uncompress|not compress|random|refill|scrambl", word):
        return "incompressible"
    if re.search(r"\bzero(e?s|ed)?\b|0x0+\b", word) and "non-zero" not in word:
        return "zero"
    return "constant" if re.search(r"constant|repeat|fixed|same|0x|identical|pattern|ones\b", word) else word


def _raised_by_pattern(a: str | None, b: str | None) -> frozenset[str]:
    return frozenset({"constant_side"} if {a, b} & _CONSTANT else ())


def _bypass(text: str) -> str:
    word = _switch(text)
    return {"on": "direct", "off": "buffered"}.get(word, word)


def _alignment(text: str) -> str:
    value = _number_of(text)
    if not value:
        return folded(text)
    fits = next((size for size in _ALIGNMENTS if value % size == 0), None)
    return f"multiple of {fits} bytes" if fits else "no multiple of a sector"


def _kept_run(text: str) -> str:
    """Return ``best``, or ``usual`` for all others: only the best of several is biased upwards."""
    return "best" if re.search(r"\b(best|highest|fastest|maximum|peak)\b", folded(text)) else "usual"


def _latency_kind(text: str) -> str:
    word = folded(text)
    found = re.match(r"(total|completion|submission|application|minimum)\b", word)
    return found[1] if found else word


def _engine(text: str) -> str:
    """Return the class and the name of an engine; Iometer, ORION and DiskSpd always submit asynchronously."""
    name = folded(text).removeprefix("asynchronous ").removeprefix("synchronous ")
    return f"synchronous {name}" if name.partition(":")[0] in SYNCHRONOUS else f"asynchronous {name}"


def _raised_by_engine(a: str | None, b: str | None) -> frozenset[str]:
    """Tell synchronous from asynchronous; an unknown engine beside a synchronous one may be the other."""
    kinds = [(each or "unknown").startswith("synchronous") for each in (a, b)]
    return frozenset({"sync_against_async"} if kinds[0] != kinds[1] else ())


def _compare_sources(a: str, b: str) -> Verdict:
    """Take what was read from raw files for equal, wherever they lie (judgement: excerpts count as raw)."""
    return "equal" if {a, b} <= RAW_SOURCES else "reservation"


def _raised_by_origins(a: str | None, b: str | None) -> frozenset[str]:
    return frozenset({"inferred_side"} if "inferred" in {a, b} else ())


def _compare_origins(a: str, b: str) -> Verdict:
    """Where a depth is known from matters only when it was inferred, be it on both sides."""
    return "reservation" if "inferred" in {a, b} else "equal"


FORMS: dict[str, Form] = {
    "text": Form(folded, _same),
    "spaceless": Form(_spaceless, _same),
    "number": Form(_number, _same),
    "share": Form(_share, _same),
    "ratio 1.1": Form(_number, _within(1.1)),
    "ratio 4": Form(_number, _within(4)),
    "half_gigahertz": Form(_half_gigahertz, _same),
    "processor": Form(_processor, _same),
    "switch": Form(_switch, _same),
    "name_values": Form(_name_values, _same),
    "part": Form(_part, _same),
    "policy": Form(_policy, _same),
    "virtualisation": Form(_virtualisation, _compare_hypervisors),
    "raid": Form(_raid, _same),
    "filesystem": Form(families.filesystem, _same, _raised_by_filesystem),
    "mount_options": Form(families.mount_options, _same, _raised_by_mount_options),
    "system": Form(families.operating_system, _same),
    "major_minor": Form(_major_minor, _same),
    "scheduler": Form(_scheduler, _same),
    "preparation": Form(folded, _compare_preparations),
    "steadiness": Form(folded, _compare_steadiness),
    "area": Form(_area, _compare_areas),
    "written": Form(_written, _same),
    "pattern": Form(_pattern, _same, _raised_by_pattern),
    "bypass": Form(_bypass, _same),
    "alignment": Form(_alignment, _same),
    "kept_run": Form(_kept_run, _same),
    "latency_kind": Form(_latency_kind, _same),
    "sectors": Form(drive_forms.each(drive_forms.sectors), _same),
    "write_cache": Form(drive_forms.each(drive_forms.write_cache), _same, drive_forms.raised_by_write_cache),
    "spare": Form(drive_forms.each(drive_forms.spare), _same),
    "link": Form(drive_forms.each(drive_forms.link), _same),
    "medium": Form(drive_forms.each(folded), _same, drive_forms.raised_by_medium),
    "drive_roles": Form(drive_forms.drive_roles, _same, drive_forms.raised_by_roles),
    "engine": Form(_engine, _same, _raised_by_engine),
    "source": Form(folded, _compare_sources),
    "origin": Form(folded, _compare_origins, _raised_by_origins),
    "load_options": Form(effective_load_options, _same),
}
"""By the name that ``compared_as`` has in ``schemas/tables``."""


def comparable(compared_as: str, text: str | None) -> str | None:
    """Return the comparable form of a stated value; null where it is not known."""
    if text is None or is_unknown(text):
        return None
    inapplicable = frozenset() if compared_as in _HAVE_NONE else INAPPLICABLE
    found = NOT_APPLICABLE if folded(text) in inapplicable else FORMS[compared_as].canonical(text)
    return None if is_unknown(found) else NOT_APPLICABLE if found in inapplicable else found


def relation(compared_as: str, a: str, b: str) -> Verdict:
    """Return how two comparable values relate; what does not apply equals itself alone."""
    return _same(a, b) if NOT_APPLICABLE in {a, b} else FORMS[compared_as].compare(a, b)
