"""
What the difference of one column means to one comparison.

The effect of a column is X (nothing may be compared), C (only if the unknown are equal), B (a reservation), or none.
It follows from the role of the column, its two values, and the context: a comma-separated list of the flags that hold
for the pair (``FLAGS``).

An absent flag is false, and false is the careful side of every one of them. ``question=...`` names what is compared:
one of ``QUESTIONS`` (device when absent), or a column. It is then the subject, and the device and its firmware are held
fast.
"""

from __future__ import annotations

from functools import cache, lru_cache
from typing import TYPE_CHECKING, NamedTuple

from ioledger.comparison.forms import FORMS, comparable, relation
from ioledger.comparison.roles import holds, label, role_of, roles, words_of

if TYPE_CHECKING:
    from ioledger.tables.schema import Role

FLAGS = {
    "writes": "the workload has writes, as a mix has",
    "reads": "the workload has reads, as a mix has",
    "latency": "the metric is a latency",
    "sequential": "the access pattern is sequential",
    "synchronous": "a side's engine is synchronous",
    "deep": "a side has more than one outstanding I/O per process",
    "buffered": "a side goes through the host's cache",
    "small_memory": "buffered, and the area is below twice the memory",
    "small_fast": "up to 8 KiB and above 120,000 operations per second on a side",
    "cleared": "the generator of the load had time left on both sides",
    "big_block": "blocks from 64 KiB",
    "below_sector": "blocks below the physical sector of a side",
    "misaligned": "accesses not aligned to the physical sector on a side",
    "below_unit": "blocks below the allocation unit of a side",
    "above_stripe": "blocks above the stripe of a side",
    "raw_device": "no file system on both sides",
    "without_linux": "both operating systems are known, and neither is Linux",
    "array": "a side is an array",
    "single": "a side is no array",
    "rotating": "a side has a rotating disk",
    "controller_cache": "a side is behind a controller with a cache",
    "compressing": "a drive or file system of a side compresses",
    "copying": "a file system of a side copies on write or compresses",
    "peak": "the values are peaks",
    "saturated": "both peaks lie inside the depths that were searched",
    "printed_throughput": "the metric is a throughput that was printed",
    "samples": "the metric is a statistic of samples",
    "mixed_pattern": "the access pattern is mixed",
    "same_bench": "one test bench",
    "same_device": "one device",
    "same_section": "one figure or section of one publication",
    "both_raw": "the files of both sides are here",
}
"""By flag of a context: what holds for the pair."""
QUESTIONS = (
    *("device", "array", "firmware", "specimen", "setting", "area", "write_share", "block_size", "engine"),
    "replication",
)
_CACHED = 1 << 17
_LONGEST = 60
_CLASSES = frozenset({"alignment", "area", "engine", "half_gigahertz", "load_options", "major_minor", "reported_run"})
_NO_PAIR = {"no pair": "X"}


class Compared(NamedTuple):
    """Two values of a column in comparable form, how they relate, and what that means."""

    a: str | None
    b: str | None
    relation: str
    """``equal``, ``differs``, ``reservation``, ``unknown``, or ``subject`` where nothing was compared."""
    effect: str | None
    is_shared: bool = False


@lru_cache(_CACHED)
def canonical(column: str, value: str | None) -> str | None:
    """
    Return the comparable form of a stated value, null where it is unknown.

    ``column`` is ``table.column``, of a setting ``settings.value`` with scope and name behind it. An area is stated as
    ``bytes/capacity``. What this function returned stays as it is.
    Raises ``ValueError`` for a column without a role.
    """
    return comparable(role_of(column).compared_as, value)


@lru_cache(_CACHED)
def flags(context: str | None) -> frozenset[str]:
    """Return the flags of a context; raises ``ValueError`` for a word that is none."""
    found = {word.strip().replace(" ", "_") for word in (context or "").split(",")} - {""}
    questions = [word for word in found if word.startswith("question=")]
    asked = [word.removeprefix("question=") for word in questions]
    strange = sorted(found - FLAGS.keys() - set(questions)) + [
        word for word in asked if word not in QUESTIONS and word not in roles()
    ]
    if strange or len(asked) > 1:
        what = f"no flag of a comparison: {', '.join(strange)}" if strange else "a comparison has one question"
        raise ValueError(what)
    return frozenset(found if asked else found | {"question=device"})


@cache
def _asked(column: str) -> frozenset[str]:
    """Return the flags of a context that a column asks for; contexts that differ in others are one to it."""
    return words_of(role_of(column)) | {"same_bench", "both_raw", f"question={column}"}


def _compare(column: str, a: str | None, b: str | None, context: str | None) -> Compared:
    return _compare_under(column, a, b, flags(context) & _asked(column.partition(" ")[0]))


@lru_cache(_CACHED)
def _compare_under(column: str, a: str | None, b: str | None, held: frozenset[str]) -> Compared:
    role, own, other = role_of(column), canonical(column, a), canonical(column, b)
    held |= FORMS[role.compared_as].raised(own, other)
    if own is None and other is None:
        held |= {"both_unknown"}
    if f"question={column.partition(' ')[0]}" in held or holds(role.subject_when, held):
        return Compared(own, other, "subject", None)
    differs, unknown = _effects(role, held)
    if own is None or other is None:
        is_shared = role.shared_unknown_allowed and {"both_unknown", "same_bench", "both_raw"} <= held
        effect = ("B" if unknown and role.role == "key" else None) if is_shared else unknown
        return Compared(own, other, "unknown", effect, is_shared)
    found = relation(role.compared_as, own, other)
    effect = {"equal": None, "differs": differs, "reservation": "B" if differs else None}[found]
    return Compared(own, other, found, effect)


def _effects(role: Role, held: frozenset[str]) -> tuple[str | None, str | None]:
    """Return what a difference and what an unknown value means under these flags."""
    if holds(role.key_when, held):
        return "X", "C"
    if role.special and holds(role.special.when, held):
        found = role.special.if_differs, role.special.if_unknown
    elif holds(role.applies_to, held):
        found = role.if_differs, role.if_unknown
    else:
        return None, None
    return tuple(_NO_PAIR.get(effect or "", effect) for effect in found)  # type: ignore[return-value]


def applicable_columns(context: str | None) -> str:
    """
    Return the columns, separated by commas, of which a difference or an unknown value has an effect in a context.

    The settings of systems are left out: each counts where a side states it.
    """
    held = flags(context)
    return ",".join(
        column for column in roles() if column != "settings.value" and _applies(column, held & _asked(column))
    )


@lru_cache(_CACHED)
def _applies(column: str, held: frozenset[str]) -> bool:
    role = role_of(column)
    is_subject = f"question={column}" in held or holds(role.subject_when, held)
    return not is_subject and _effects(role, held) != (None, None)


def role_effect(column: str, a: str | None, b: str | None, context: str | None = "") -> str | None:
    """
    Return X, C, B or null: what two values of a column mean to the comparison that the context describes.

    Raises ``ValueError`` for a column without a role and for a flag that does not exist.
    """
    return _compare(column, a, b, context).effect


@lru_cache(_CACHED)
def role_reason(column: str, a: str | None, b: str | None, context: str | None = "") -> str | None:
    """Return the effect in words, ``write cache differs: enabled against disabled``; null where there is none."""
    found, name = _compare(column, a, b, context), label(column)
    if found.effect is None:
        return None
    if found.relation == "unknown":
        return f"{name} unknown, but shared" if found.is_shared else f"{name} unknown"
    if found.a == found.b:
        return _REASONS.get(column, f"{name} says little on both sides")
    shown = (found.a, found.b) if _is_class(role_of(column)) else (a, b)
    return f"{name} differs: {_short(shown[0])} against {_short(shown[1])}"


_REASONS = {
    "configurations.steady_state_class": "no steady state established on either side",
    "results.queue_depth_origin": "queue depth inferred on both sides",
    "submissions.source_type": "printed figures on both sides",
}
"""Words where equal values leave a reservation."""


def _is_class(role: Role) -> bool:
    """Say whether the comparable form tells more than the stated text: the class that a number was put into."""
    return role.compared_as in _CLASSES


def _short(value: str | None) -> str:
    text = " ".join((value or "").split())
    return text if len(text) <= _LONGEST else text[: _LONGEST - 1].rstrip() + "…"
