"""
The role of every column in a comparison, as ``schemas/`` states it.

A column is named with its table: ``configurations.filesystem``.
"""

from __future__ import annotations

from functools import cache, lru_cache
from typing import NamedTuple

from ioledger.tables.schema import Role, tables

COMPARED_TABLES = ("submissions", "configurations", "drives", "settings", "files", "results", "reservations")


class Condition(NamedTuple):
    """One alternative of a condition: flags that must be there, and flags that must not."""

    present: frozenset[str]
    absent: frozenset[str]


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
def _condition(text: str) -> tuple[Condition, ...]:
    """Return the alternatives of a condition such as ``writes and not cleared or array``."""
    alternatives = [alternative.split(" and ") for alternative in text.split(" or ")]
    return tuple(
        Condition(
            frozenset(word for word in words if not word.startswith("not ")),
            frozenset(word.removeprefix("not ") for word in words if word.startswith("not ")),
        )
        for words in alternatives
    )


def holds(text: str | None, flags: frozenset[str]) -> bool:
    """Say whether a condition holds under these flags; no condition never does, and ``all`` always."""
    if text is None or text == "all":
        return text is not None
    return any(each.present <= flags and not each.absent & flags for each in _condition(text))


def words_of(role: Role) -> frozenset[str]:
    """Return the flags that the conditions of a role ask for."""
    texts = [role.applies_to, role.special.when if role.special else None, role.subject_when, role.key_when]
    stated = [text for text in texts if text and text != "all"]
    return frozenset(word for text in stated for each in _condition(text) for word in each.present | each.absent)
