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
from typing import TYPE_CHECKING

from ioledger.comparison.forms import FORMS, comparable, relation
from ioledger.comparison.roles import holds, role_of, roles, words_of

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
_NO_PAIR = {"no pair": "X"}


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


def role_effect(column: str, a: str | None, b: str | None, context: str | None = "") -> str | None:
    """
    Return X, C, B or null: what two values of a column mean to the comparison that the context describes.

    Raises ``ValueError`` for a column without a role and for a flag that does not exist.
    """
    column = column.partition(" ")[0]
    return _effect_under(column, a, b, flags(context) & _asked(column))


@lru_cache(_CACHED)
def _effect_under(column: str, a: str | None, b: str | None, held: frozenset[str]) -> str | None:
    role, own, other = role_of(column), canonical(column, a), canonical(column, b)
    held |= FORMS[role.compared_as].raised(own, other)
    if own is None and other is None:
        held |= {"both_unknown"}
    if _is_subject(role, column, held):
        return None
    differs, unknown = _effects(role, held)
    if own is None or other is None:
        is_shared = role.shared_unknown_allowed and {"both_unknown", "same_bench", "both_raw"} <= held
        return unknown if not is_shared else "B" if unknown and role.role == "key" else None
    return {"equal": None, "differs": differs, "reservation": "B" if differs else None}[
        relation(role.compared_as, own, other)
    ]


def _is_subject(role: Role, column: str, held: frozenset[str]) -> bool:
    return f"question={column}" in held or holds(role.subject_when, held)


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


@lru_cache(_CACHED)
def applicable_columns(context: str | None) -> str:
    """
    Return the columns, separated by commas, of which a difference or an unknown value has an effect in a context.

    The settings of systems are left out: each counts where a side states it.
    """
    held = flags(context)
    return ",".join(
        column
        for column, role in roles().items()
        if column != "settings.value"
        and not _is_subject(role, column, held & _asked(column))
        and _effects(role, held & _asked(column)) != (None, None)
    )
