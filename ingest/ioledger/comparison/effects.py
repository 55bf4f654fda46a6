"""
What the difference of one column means to one comparison.

The effect of a column is X (nothing may be compared), C (only if the unknown are equal), B (a reservation), or none.
It follows from the role of the column, its two values, and the context: a comma-separated list of the flags that hold
for the pair (``FLAGS``).

An absent flag is false, and false is the careful side of every one of them. ``question=...`` names what is compared:
one of ``QUESTIONS`` (device when absent), or a column.

Most values are texts, and equal but for capitals and spaces. A few forms (``compared_as`` of a role) take numbers for
equal that differ by little (``6.1.0-18-amd64`` is ``6.1``), or find that only a reservation is left.
"""

from __future__ import annotations

import math
import re
from functools import cache, lru_cache
from typing import TYPE_CHECKING, Literal, NamedTuple

from ioledger.readers.fio.options import SYNCHRONOUS
from ioledger.readers.load_options import SHARE_DIGITS, effective_load_options
from ioledger.tables.schema import Role, tables

if TYPE_CHECKING:
    from collections.abc import Callable

    Raised = Callable[[str | None, str | None], frozenset[str]]

COMPARED_TABLES = ("submissions", "configurations", "drives", "settings", "files", "results", "reservations")
FLAGS = frozenset({
    "above_stripe", "array", "below_sector", "below_unit", "big_block", "both_raw", "buffered", "cleared",
    "compressing", "controller_cache", "copying", "deep", "latency", "misaligned", "mixed_pattern", "peak",
    "printed_throughput", "raw_device", "reads", "rotating", "same_bench", "same_device", "same_section", "samples",
    "saturated", "sequential", "single", "small_fast", "small_memory", "synchronous", "without_linux", "writes",
})  # fmt: skip
"""What may hold for a pair; ``models/intermediate/int_pairs_in_context.sql`` says when each does."""
QUESTIONS = (
    *("device", "array", "firmware", "specimen", "setting", "area", "write_share", "block_size", "engine"),
    "replication",
)
_CACHED = 1 << 17


@cache
def roles() -> dict[str, Role]:
    """Return the roles by ``table.column``, in the order of tables and columns."""
    return {
        f"{table}.{column.name}": column.role
        for table in COMPARED_TABLES
        for column in tables()[table].columns
        if column.role is not None
    }


def role_of(column: str) -> Role:
    """Return the role of a column, of which only the first word counts; raises ``ValueError`` where it has none."""
    try:
        return roles()[column.partition(" ")[0]]
    except KeyError:
        what = f"{column!r} has no role in a comparison; name a column as table.column"
        raise ValueError(what) from None


@lru_cache(None)
def _condition(text: str) -> tuple[tuple[frozenset[str], frozenset[str]], ...]:
    """Return the alternatives of ``writes and not cleared or array``: flags that are there, and flags that are not."""
    alternatives = [alternative.split(" and ") for alternative in text.split(" or ")]
    return tuple(
        (
            frozenset(word for word in words if not word.startswith("not ")),
            frozenset(word.removeprefix("not ") for word in words if word.startswith("not ")),
        )
        for words in alternatives
    )


def holds(text: str | None, flags: frozenset[str]) -> bool:
    """Say whether a condition holds under these flags; no condition never does, and ``all`` always."""
    if text is None or text == "all":
        return text is not None
    return any(present <= flags and not absent & flags for present, absent in _condition(text))


def words_of(role: Role) -> frozenset[str]:
    """Return the flags that the conditions of a role ask for."""
    texts = [role.applies_to, role.special.when if role.special else None, role.subject_when, role.key_when]
    stated = [text for text in texts if text and text != "all"]
    return frozenset(word for text in stated for present, absent in _condition(text) for word in present | absent)


@lru_cache(_CACHED)
def canonical(column: str, value: str | None) -> str | None:
    """Return the comparable form of a stated value, null where it is unknown; what it returned stays as it is."""
    return comparable(role_of(column).compared_as, value)


@lru_cache(_CACHED)
def flags(context: str | None) -> frozenset[str]:
    """Return the flags of a context; raises ``ValueError`` for a word that is none."""
    found = {word.strip().replace(" ", "_") for word in (context or "").split(",")} - {""}
    questions = {f"question={name}" for name in (*QUESTIONS, *roles())}
    strange = sorted(found - FLAGS - questions)
    if strange or len(found & questions) > 1:
        what = f"no flag of a comparison: {', '.join(strange)}" if strange else "a comparison has one question"
        raise ValueError(what)
    return frozenset(found if found & questions else found | {"question=device"})


@cache
def _relevant_flags(column: str) -> frozenset[str]:
    """Return the flags of a context that a column asks for; contexts that differ in others are one to it."""
    return words_of(role_of(column)) | {"same_bench", "both_raw", f"question={column}"}


def role_effect(column: str, a: str | None, b: str | None, context: str | None = "") -> str | None:
    """Return X, C, B or null: what two values of a column mean to the comparison that the context describes."""
    column = column.partition(" ")[0]
    return _effect_under(column, a, b, flags(context) & _relevant_flags(column))


@lru_cache(_CACHED)
def _effect_under(column: str, a: str | None, b: str | None, flags_set: frozenset[str]) -> str | None:
    role, own, other = role_of(column), canonical(column, a), canonical(column, b)
    flags_set |= FORMS[role.compared_as].raised(own, other)
    if own is None and other is None:
        flags_set |= {"both_unknown"}
    differs, unknown = _effects(role, column, flags_set)
    if own is None or other is None:
        is_shared = role.shared_unknown_allowed and {"both_unknown", "same_bench", "both_raw"} <= flags_set
        return unknown if not is_shared else "B" if unknown and role.role == "key" else None
    found = relation(role.compared_as, own, other)
    return None if found == "equal" or not differs else differs if found == "differs" else "B"


def _effects(role: Role, column: str, flags_set: frozenset[str]) -> tuple[str | None, str | None]:
    """Return what a difference and what an unknown value means under these flags; of what is compared, nothing."""
    if f"question={column}" in flags_set or holds(role.subject_when, flags_set):
        return None, None
    if holds(role.key_when, flags_set):
        return "X", "C"
    special = role.special if role.special and holds(role.special.when, flags_set) else None
    if special is None and not holds(role.applies_to, flags_set):
        return None, None
    differs, unknown = (special or role).if_differs, (special or role).if_unknown
    return "X" if differs == "no pair" else differs, "X" if unknown == "no pair" else unknown


@lru_cache(_CACHED)
def applicable_columns(context: str | None) -> str:
    """Return the columns that have an effect in a context, separated by commas, without the settings of systems."""
    flags_set = flags(context)
    return ",".join(
        column
        for column, role in roles().items()
        if column != "settings.value" and _effects(role, column, flags_set & _relevant_flags(column)) != (None, None)
    )


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


def fold(text: str) -> str:
    """Return a text in small letters with single spaces."""
    return " ".join(text.split()).casefold()


def _same(a: str, b: str) -> Verdict:
    return "equal" if a == b else "differs"


class Form(NamedTuple):
    """How the values of a column are made comparable, compared, and which flags the pair of them raises."""

    canonical: Callable[[str], str | None]
    compare: Callable[[str, str], Verdict] = _same
    raised: Raised = lambda _a, _b: frozenset()


def _number_of(text: str) -> float | None:
    try:
        value = float(text)
    except ValueError:
        return None
    return value if math.isfinite(value) else None


def _as_number(write: Callable[[float], str]) -> Callable[[str], str]:
    """Return what writes the number that a text is, and folds any other text."""

    def canonical(text: str) -> str:
        value = _number_of(text)
        return fold(text) if value is None else write(value)

    return canonical


def _within(most: float) -> Callable[[str, str], Verdict]:
    """Return a comparison of two quantities that lets a ratio up to ``most`` pass."""

    def compare(a: str, b: str) -> Verdict:
        low, high = sorted((_number_of(a) or 0, _number_of(b) or 0))
        return _same(a, b) if low <= 0 else "equal" if high <= most * low else "differs"

    return compare


def _major_minor(text: str) -> str:
    """Return the first two numbers of a version: ``fio-3.33`` is 3.33, ``6.1.0-18-amd64`` is 6.1."""
    found = _VERSION.search(text)
    return f"{int(found[1])}.{int(found[2] or 0)}" if found else fold(text)


def _alignment(value: float) -> str:
    fits = next((size for size in _ALIGNMENTS if value % size == 0), None)
    return f"multiple of {fits} bytes" if value and fits else "no multiple of a sector"


def _engine(text: str) -> str:
    """Return the class and the name of an engine; Iometer, ORION and DiskSpd always submit asynchronously."""
    name = fold(text).removeprefix("asynchronous ").removeprefix("synchronous ")
    return f"synchronous {name}" if name.partition(":")[0] in SYNCHRONOUS else f"asynchronous {name}"


def _area(text: str) -> str | None:
    """Return the share of the capacity that an area has, or that it is the whole, and its bytes if they are known."""
    # The text is ``bytes/capacity``, or a share up to 1. Bytes alone say nothing of the seeks and of the spare area.
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


def _compare_steadiness(a: str, b: str) -> Verdict:
    """Return equal where one rule established it on both sides; not established on both sides says little."""
    if a == b and a in _ESTABLISHED:
        return "equal"
    return "reservation" if (a in _ESTABLISHED) == (b in _ESTABLISHED) else "differs"


def _each(text: str | None) -> set[str]:
    return set((text or "").split("; "))


def _find_weighty(text: str | None) -> set[str]:
    options = {option: option.partition("=")[0] for option in (text or "").split(",")}
    return {option for option, name in options.items() if name in _WEIGHTY or name.startswith("compress")}


def _find_others(text: str | None) -> set[str]:
    """Return the drives that hold no data of the load: logs and caches."""
    return {part for part in (text or "").split(", ") if not part.endswith(" data")}


def _raises(flag: str, is_raised: Callable[[str | None, str | None], object]) -> Raised:
    """Return what raises a flag where a condition holds for both values."""
    return lambda a, b: frozenset({flag} if is_raised(a, b) else ())


_NUMBER = _as_number(lambda value: f"{value:.15g}")
FORMS: dict[str, Form] = {
    "text": Form(fold),
    "number": Form(_NUMBER),
    "share": Form(_as_number(lambda value: f"{round(value, SHARE_DIGITS):g}")),
    "ratio 1.1": Form(_NUMBER, _within(1.1)),
    "ratio 4": Form(_NUMBER, _within(4)),
    # the nearest half gigahertz, halves upwards
    "half_gigahertz": Form(_as_number(lambda value: f"{math.floor(value / _HALF_GIGAHERTZ + 0.5) / 2:g} ghz")),
    "major_minor": Form(_major_minor),
    "alignment": Form(_as_number(_alignment)),
    "area": Form(_area, _compare_areas),
    # only the best of several is biased upwards
    "reported_run": Form(lambda text: "best" if fold(text) == "best" else "usual"),
    # an unknown engine beside a synchronous one may be the other
    "engine": Form(
        _engine,
        _same,
        _raises(
            "sync_against_async", lambda a, b: len({(each or "").startswith("synchronous") for each in (a, b)}) > 1
        ),
    ),
    "load_options": Form(effective_load_options),
    # a guest is no bare machine, and two hypervisors are both between guest and drive
    "virtualisation": Form(fold, lambda a, b: "equal" if a == b else "differs" if "none" in {a, b} else "reservation"),
    "preparation": Form(
        fold, lambda a, b: "equal" if a == b else "reservation" if {a, b} == {"aged", "pts"} else "differs"
    ),
    "steadiness": Form(fold, _compare_steadiness),
    # what was read from raw files is equal, wherever they lie: excerpts count as raw
    "source": Form(fold, lambda a, b: "equal" if {a, b} <= RAW_SOURCES else "reservation"),
    # where a depth is known from matters only when it was inferred, be it on both sides
    "origin": Form(
        fold,
        lambda a, b: "reservation" if "inferred" in {a, b} else "equal",
        _raises("inferred_side", lambda a, b: "inferred" in {a, b}),
    ),
    "filesystem": Form(fold, _same, _raises("copying", lambda a, b: {a, b} & COPYING)),
    "mount_options": Form(fold, _same, _raises("weighty_option", lambda a, b: _find_weighty(a) ^ _find_weighty(b))),
    "pattern": Form(fold, _same, _raises("constant_side", lambda a, b: {a, b} & _CONSTANT)),
    "write_cache": Form(
        fold, _same, _raises("on_against_off", lambda a, b: {"enabled", "disabled"} <= _each(a) | _each(b))
    ),
    "medium": Form(
        fold,
        _same,
        _raises("virtual_against_real", lambda a, b: a and b and ("virtual" in _each(a)) != ("virtual" in _each(b))),
    ),
    "drive_roles": Form(fold, _same, _raises("other_drives", lambda a, b: _find_others(a) != _find_others(b))),
}
"""By the name that ``compared_as`` has in ``schemas/tables``."""


def comparable(compared_as: str, text: str | None) -> str | None:
    """Return the comparable form of a stated value; null where it is not known."""
    if text is None or fold(text) in _UNKNOWN:
        return None
    return NOT_APPLICABLE if fold(text) == NOT_APPLICABLE else FORMS[compared_as].canonical(text)


def relation(compared_as: str, a: str, b: str) -> Verdict:
    """Return how two comparable values relate; what does not apply equals itself alone."""
    return _same(a, b) if NOT_APPLICABLE in {a, b} else FORMS[compared_as].compare(a, b)
