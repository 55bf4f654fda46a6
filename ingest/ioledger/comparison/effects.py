"""
What the difference of one column means to one comparison.

The effect of a column is X (nothing may be compared), C (only if the unknown are equal), B (a reservation), or none.
It follows from the role of the column, its two values, and the context: a comma-separated list of the flags that hold
for the pair (``FLAGS``).

An absent flag is false, and false is the careful side of every one of them. ``question=...`` names what is compared:
one of ``QUESTIONS`` (device when absent), or a column.
"""

from __future__ import annotations

from functools import cache, lru_cache

from ioledger.comparison.forms import FORMS, comparable, relation
from ioledger.tables.schema import Role, tables

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
