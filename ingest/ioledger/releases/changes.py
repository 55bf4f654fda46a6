"""What differs between two builds, as an object: what ``ioledger diff --json`` prints."""

from __future__ import annotations

from typing import Any

import msgspec

from ioledger.releases.code import Told  # noqa: TC001  (msgspec reads the annotations)


class Move(msgspec.Struct, frozen=True):
    """A cell that moved; ``ratio`` is new over old, of numbers that have one."""

    column: str
    old: Any
    new: Any
    ratio: float | None = None


class Row(msgspec.Struct, frozen=True):
    """A row that differs: its key, what it is about, what became of it, and why."""

    key: str
    about: str
    change: str
    cause: str
    reason: str
    moves: list[Move]


class Group(msgspec.Struct, frozen=True):
    """Rows of a table that were added, were removed or moved for one reason; ``key`` is that of the first."""

    change: str
    cause: str
    reason: str
    rows: int
    key: str


class Table(msgspec.Struct, frozen=True):
    """
    What differs in a table: ``columns`` counts moved cells, ``causes`` rows.

    ``groups`` and ``rows`` are as many as are shown; ``group_count`` says how many groups there are.
    """

    name: str
    before: int
    after: int
    added: int
    removed: int
    moved: int
    numbers_moved: int
    words_moved: int
    columns: dict[str, int]
    columns_added: list[str]
    columns_removed: list[str]
    causes: dict[str, int]
    group_count: int
    groups: list[Group]
    rows: list[Row]
    note: str

    @property
    def is_same(self) -> bool:
        """Whether nothing in it differs, its columns included."""
        return not (self.added or self.removed or self.moved or self.columns_added or self.columns_removed)


class Stale(msgspec.Struct, frozen=True):
    """
    Results of an excerpt that another version read than reads its tool's files now.

    They are as they were: an excerpt is never rewritten. ``ioledger import --verify`` compares them with the originals.
    """

    submission: str
    reader: str
    then: str
    now: str
    results: int


class Named(msgspec.Struct, frozen=True):
    """One of the two sides: how it was called, its commit where that is known, and its release id."""

    name: str
    release_id: str
    commit: str | None = None


class Difference(msgspec.Struct, frozen=True):
    """Everything that differs between two builds; ``causes`` counts rows, ``tables`` has only those that differ."""

    before: Named
    after: Named
    is_same: bool
    causes: dict[str, int]
    code: Told
    stale: list[Stale]
    tables: list[Table]
