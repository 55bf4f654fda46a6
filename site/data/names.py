# ruff: noqa: INP001  (a script of the site, not a module)
"""
What loads are called on pages.

A profile has a name because one publication gave it one. Where another source measures the same load and never calls
it so, the load goes by its definition: "64 KiB sequential write", not "Restore".
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

    import duckdb
    from rows import Found, Row

SUBMISSIONS = {"submission_id", "a_submission_id", "b_submission_id"}
NAMED = """
    select load_profile, definition, naming_submissions
    from workloads
    where is_listed and is_complete and definition <> load_profile
"""


class Names:
    """The named loads: the definition of each, and the submissions that call it by its name."""

    def __init__(self, connection: duckdb.DuckDBPyConnection) -> None:
        """Read them."""
        self.known = {name: (definition, set(by)) for name, definition, by in connection.execute(NAMED).fetchall()}

    def row_by_row(self, found: Found) -> Found:
        """Return rows in which a load has its name where the submissions of its row call it so."""
        names, rows = found
        loads, owners = _places(names)
        if not loads or not owners:
            return found
        return names, [self._said(row, loads, self._unnamed([row], loads, owners)) for row in rows]

    def together(self, found: Found) -> Found:
        """Return rows in which a load has one name throughout: that of its profile where every row's source has it."""
        names, rows = found
        loads, owners = _places(names)
        unnamed = self._unnamed(rows, loads, owners)
        return (names, [self._said(row, loads, unnamed) for row in rows]) if unnamed else found

    def _unnamed(self, rows: Sequence[Row], loads: list[int], owners: list[int]) -> set[str]:
        return {
            row[load]
            for row in rows
            for load in loads
            if row[load] in self.known
            and any(row[owner] is not None and row[owner] not in self.known[row[load]][1] for owner in owners)
        }

    def _said(self, row: Row, loads: list[int], unnamed: set[str]) -> Row:
        if not any(row[place] in unnamed for place in loads):
            return row
        return tuple(
            self.known[value][0] if place in loads and value in unnamed else value for place, value in enumerate(row)
        )


def _places(names: Sequence[str]) -> tuple[list[int], list[int]]:
    loads = [place for place, name in enumerate(names) if name.endswith("load_profile") and name[:7] != "stated_"]
    return loads, [place for place, name in enumerate(names) if name in SUBMISSIONS]
