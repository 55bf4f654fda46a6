"""
In which form the values of a column are compared: ``compared_as`` of its role.

Most values are words of a closed list, names or texts, and equal where they are the same but for capitals and spaces.
A few forms take numbers for equal that differ by little (``6.1.0-18-amd64`` is ``6.1``), or find that two words differ
so little that only a reservation is left.
"""

from __future__ import annotations

import math
import re
from typing import TYPE_CHECKING, Literal, NamedTuple

from ioledger.readers.fio.options import SYNCHRONOUS
from ioledger.readers.load_options import SHARE_DIGITS, effective_load_options

if TYPE_CHECKING:
    from collections.abc import Callable

Verdict = Literal["equal", "differs", "reservation"]
NOT_APPLICABLE = "not applicable"
"""What does not exist on this hardware; it equals itself and differs from any other value."""
COPYING = frozenset({"zfs", "btrfs", "bcachefs", "refs"})
"""File systems that copy on write or compress, so that the load at the drive is another one."""
RAW_SOURCES = frozenset({"raw_tool_output", "excerpt"})
_UNKNOWN = frozenset({"", "unknown"})
_WEIGHTY = frozenset({"sync", "dirsync", "data", "barrier", "nobarrier", "discard"})
"""Mount options that change every write."""
_VERSION = re.compile(r"(\d+)(?:\.(\d+))?")
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


class Form(NamedTuple):
    """How the values of a column are made comparable, compared, and what the pair of them raises."""

    canonical: Callable[[str], str | None]
    compare: Callable[[str, str], Verdict]
    raised: Callable[[str | None, str | None], frozenset[str]] = lambda _a, _b: frozenset()


def folded(text: str) -> str:
    """Return a text in small letters with single spaces."""
    return " ".join(text.split()).casefold()


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


def _major_minor(text: str) -> str:
    """Return the first two numbers of a version: ``fio-3.33`` is 3.33, ``6.1.0-18-amd64`` is 6.1."""
    found = _VERSION.search(text)
    return f"{int(found[1])}.{int(found[2] or 0)}" if found else folded(text)


def _alignment(text: str) -> str:
    value = _number_of(text)
    if not value:
        return folded(text)
    fits = next((size for size in _ALIGNMENTS if value % size == 0), None)
    return f"multiple of {fits} bytes" if fits else "no multiple of a sector"


def _reported_run(text: str) -> str:
    """Return ``best``, or ``usual`` for all others: only the best of several is biased upwards."""
    return "best" if folded(text) == "best" else "usual"


def _engine(text: str) -> str:
    """Return the class and the name of an engine; Iometer, ORION and DiskSpd always submit asynchronously."""
    name = folded(text).removeprefix("asynchronous ").removeprefix("synchronous ")
    return f"synchronous {name}" if name.partition(":")[0] in SYNCHRONOUS else f"asynchronous {name}"


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


def _compare_hypervisors(a: str, b: str) -> Verdict:
    """Return that a guest is no bare machine, and that two hypervisors are both between guest and drive."""
    return "equal" if a == b else "differs" if "none" in {a, b} else "reservation"


def _compare_preparations(a: str, b: str) -> Verdict:
    return "equal" if a == b else "reservation" if {a, b} == {"aged", "pts"} else "differs"


def _compare_steadiness(a: str, b: str) -> Verdict:
    """Return equal where one rule established it on both sides; not established on both sides says little."""
    if a == b and a in _ESTABLISHED:
        return "equal"
    return "reservation" if (a in _ESTABLISHED) == (b in _ESTABLISHED) else "differs"


def _compare_sources(a: str, b: str) -> Verdict:
    """Take what was read from raw files for equal, wherever they lie: excerpts count as raw."""
    return "equal" if {a, b} <= RAW_SOURCES else "reservation"


def _compare_origins(a: str, b: str) -> Verdict:
    """Where a depth is known from matters only when it was inferred, be it on both sides."""
    return "reservation" if "inferred" in {a, b} else "equal"


def _each(a: str | None, b: str | None) -> list[set[str]]:
    """Return the values of the several drives of each side."""
    return [set((text or "").split("; ")) for text in (a, b)]


def _raised_by_filesystem(a: str | None, b: str | None) -> frozenset[str]:
    return frozenset({"copying"} if {a, b} & COPYING else ())


def _raised_by_mount_options(a: str | None, b: str | None) -> frozenset[str]:
    """Tell whether an option that changes every write stands on one side only."""
    names = {option.partition("=")[0] for option in set((a or "").split(",")) ^ set((b or "").split(","))}
    is_weighty = names & _WEIGHTY or any(name.startswith("compress") for name in names)
    return frozenset({"weighty_option"} if is_weighty else ())


def _raised_by_pattern(a: str | None, b: str | None) -> frozenset[str]:
    return frozenset({"constant_side"} if {a, b} & _CONSTANT else ())


def _raised_by_write_cache(a: str | None, b: str | None) -> frozenset[str]:
    """Tell whether a cache that is on stands against one that was switched off."""
    return frozenset({"on_against_off"} if {"enabled", "disabled"} <= set.union(*_each(a, b)) else ())


def _raised_by_medium(a: str | None, b: str | None) -> frozenset[str]:
    """Tell whether one side alone has a virtual disk."""
    sides = ["virtual" in side for side in _each(a, b)]
    return frozenset({"virtual_against_real"} if a and b and sides[0] != sides[1] else ())


def _raised_by_roles(a: str | None, b: str | None) -> frozenset[str]:
    """Tell whether the drives that hold no data of the load differ: logs and caches."""
    others = [{part for part in (side or "").split(", ") if not part.endswith(" data")} for side in (a, b)]
    return frozenset({"other_drives"} if others[0] != others[1] else ())


def _raised_by_engine(a: str | None, b: str | None) -> frozenset[str]:
    """Tell synchronous from asynchronous; an unknown engine beside a synchronous one may be the other."""
    kinds = [(each or "unknown").startswith("synchronous") for each in (a, b)]
    return frozenset({"sync_against_async"} if kinds[0] != kinds[1] else ())


def _raised_by_origins(a: str | None, b: str | None) -> frozenset[str]:
    return frozenset({"inferred_side"} if "inferred" in {a, b} else ())


FORMS: dict[str, Form] = {
    "text": Form(folded, _same),
    "number": Form(_number, _same),
    "share": Form(_share, _same),
    "ratio 1.1": Form(_number, _within(1.1)),
    "ratio 4": Form(_number, _within(4)),
    "half_gigahertz": Form(_half_gigahertz, _same),
    "major_minor": Form(_major_minor, _same),
    "alignment": Form(_alignment, _same),
    "area": Form(_area, _compare_areas),
    "reported_run": Form(_reported_run, _same),
    "engine": Form(_engine, _same, _raised_by_engine),
    "load_options": Form(effective_load_options, _same),
    "virtualisation": Form(folded, _compare_hypervisors),
    "preparation": Form(folded, _compare_preparations),
    "steadiness": Form(folded, _compare_steadiness),
    "source": Form(folded, _compare_sources),
    "origin": Form(folded, _compare_origins, _raised_by_origins),
    "filesystem": Form(folded, _same, _raised_by_filesystem),
    "mount_options": Form(folded, _same, _raised_by_mount_options),
    "pattern": Form(folded, _same, _raised_by_pattern),
    "write_cache": Form(folded, _same, _raised_by_write_cache),
    "medium": Form(folded, _same, _raised_by_medium),
    "drive_roles": Form(folded, _same, _raised_by_roles),
}
"""By the name that ``compared_as`` has in ``schemas/tables``."""


def comparable(compared_as: str, text: str | None) -> str | None:
    """Return the comparable form of a stated value; null where it is not known."""
    if text is None or folded(text) in _UNKNOWN:
        return None
    return NOT_APPLICABLE if folded(text) == NOT_APPLICABLE else FORMS[compared_as].canonical(text)


def relation(compared_as: str, a: str, b: str) -> Verdict:
    """Return how two comparable values relate; what does not apply equals itself alone."""
    return _same(a, b) if NOT_APPLICABLE in {a, b} else FORMS[compared_as].compare(a, b)
