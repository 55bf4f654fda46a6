"""What differs between two builds, as Markdown: the report of a release or a pull request."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ioledger.releases.matched import MOVED

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from ioledger.releases.changes import Difference, Move, Row, Table

DIGITS = 6
LONGEST_CELL = 200
SUMMARY = ("table", "rows before", "after", "added", "removed", "moved", "numbers", "words", "causes")
WHOLE = ("rows", "were", "first", "cause")
CHANGES = ("row", "moved", "before", "after", "ratio", "cause")
SAME = "Nothing differs: every table has the same rows."


def named(found: Difference) -> tuple[str, str]:
    """Return both sides as they are called, with their release ids."""
    first, second = (
        f"{side.name}, commit {side.commit[:12]}" if side.commit and side.commit[:7] not in side.name else side.name
        for side in (found.before, found.after)
    )
    return f"{first} ({found.before.release_id[:12]})", f"{second} ({found.after.release_id[:12]})"


def headline(found: Difference) -> str:
    """Return in a sentence how much differs and why."""
    if found.is_same:
        return SAME
    rows = sum(table.added + table.removed + table.moved for table in found.tables)
    numbers = sum(table.numbers_moved for table in found.tables)
    words = sum(table.words_moved for table in found.tables)
    causes = ", ".join(f"{cause} {count:,}" for cause, count in found.causes.items())
    what = f"{rows:,} rows differ in {len(found.tables)} tables; {numbers:,} numbers and {words:,} words moved."
    return f"{what} Rows by cause: {causes}." if causes else f"{what} Only columns differ."


def code(found: Difference) -> Iterator[str]:
    """Give what differs in the code, a line for each cause."""
    told = found.code
    if told.untold:
        yield f"Unknown: {told.untold} does not say what code made it."
    if told.readers or told.reading:
        shared = [f"shared by all readers: {', '.join(told.reading)}"] if told.reading else []
        yield f"Readers: {'; '.join([*told.readers, *shared])}."
    if told.models:
        yield f"Models: {', '.join(told.models)}."
    if told.judgement:
        yield f"Judgement: {', '.join(told.judgement)}."
    if told.engines:
        yield f"Computed with other versions: {told.engines}."
    for each in found.stale:
        what = f"{each.results:,} results of {each.submission} were read by {each.reader} {each.then}"
        remedy = "ioledger import --verify says what it reads otherwise, and nothing is rewritten"
        yield f"Excerpts: {what}, and it is {each.now} now; {remedy}."


def summary(table: Table) -> list[str]:
    """Return the cells of a table's line among all tables."""
    counts = (
        table.before,
        table.after,
        table.added,
        table.removed,
        table.moved,
        table.numbers_moved,
        table.words_moved,
    )
    causes = ", ".join(f"{cause} {count:,}" for cause, count in table.causes.items())
    return [table.name, *(f"{count:,}" if count else "" for count in counts), causes]


def whole(table: Table) -> Iterator[list[str]]:
    """Give the cells of every line about rows that one side has alone: one for each reason."""
    for group in table.groups:
        if group.change != MOVED:
            first = group.key if group.rows == 1 else f"{group.key} …"
            yield [f"{group.rows:,}", group.change, first, f"{group.cause}: {group.reason}"]


def changes(table: Table) -> Iterator[list[str]]:
    """Give the cells of every line about rows that moved: one for each cell."""
    for row in table.rows:
        name = f"{row.key} ({row.about})" if row.about else row.key
        for index, move in enumerate(row.moves):
            yield [name if not index else "", *cells(move), why(row) if not index else ""]


def why(row: Row) -> str:
    """Return the cause of a row with what shows it."""
    return f"{row.cause}: {row.reason}"


def cells(move: Move) -> list[str]:
    """Return column, old, new and ratio of a cell that moved."""
    ratio = "" if move.ratio is None else f"{move.ratio:.{DIGITS}g}"
    if ratio == "1" and move.ratio != 1:
        ratio = f"1 {'+' if (move.ratio or 1) > 1 else '-'} {abs((move.ratio or 1) - 1):.1e}"
    return [move.column, value(move.old), value(move.new), ratio]


def value(cell: object) -> str:
    """Return a cell as text: null by its name, numbers with all their digits."""
    if cell is None:
        return "null"
    return repr(cell) if isinstance(cell, float) else str(cell)


def left(table: Table) -> str:
    """Say how much is not shown, and which columns moved how often."""
    moved, groups = sum(row.change == MOVED for row in table.rows), len(table.groups)
    parts = [f"{table.moved - moved:,} more rows moved" if table.moved > moved else ""]
    parts.append(f"{table.group_count - groups:,} more reasons" if table.group_count > groups else "")
    if table.columns:
        most = sorted(table.columns.items(), key=lambda pair: (-pair[1], pair[0]))
        parts.append("moved cells: " + ", ".join(f"{column} {count:,}" for column, count in most))
    if table.columns_added:
        parts.append(f"new columns: {', '.join(table.columns_added)}")
    if table.columns_removed:
        parts.append(f"columns that are gone: {', '.join(table.columns_removed)}")
    parts.append(f"rows are compared whole: {table.note}" if table.note else "")
    text = "; ".join(filter(None, parts))
    return f"{text[:1].upper()}{text[1:]}." if text else ""


def markdown(found: Difference, most: int | None = None) -> str:
    """Return all of it as Markdown, of at most ``most`` characters: what is cut off at the end is said to be."""
    before, after = named(found)
    lines = [f"# What differs from {_plain(before)} to {_plain(after)}", "", headline(found), ""]
    lines += [f"- {_plain(line)}" for line in code(found)]
    if found.tables:
        lines += ["", *_listed(SUMMARY, map(summary, found.tables))]
    for table in found.tables:
        lines += ["", f"## {_plain(table.name)}", "", _plain(left(table)), ""]
        for head, rows in ((WHOLE, whole(table)), (CHANGES, changes(table))):
            if listed := list(rows):
                lines += [*_listed(head, listed), ""]
    return _cut(lines, most)


def _cut(lines: list[str], most: int | None) -> str:
    said = "… the rest is left out here; `ioledger diff` shows it."
    size = 0
    for number, line in enumerate(lines):
        size += len(line) + 1
        if most is not None and size > most - len(said):
            return "\n".join([*lines[:number], "", said]) + "\n"
    return "\n".join(lines) + "\n"


def _listed(head: Sequence[str], rows: Iterable[Sequence[str]]) -> Iterator[str]:
    yield f"| {' | '.join(head)} |"
    yield f"|{'---|' * len(head)}"
    for row in rows:
        yield f"| {' | '.join(map(_cell, row))} |"


def _plain(text: str) -> str:
    """Return text that Markdown shows as it is: what strangers wrote makes no link, mention, table or markup."""
    return "".join(_sign(sign) for sign in text)


def _cell(text: str) -> str:
    return _plain(text if len(text) <= LONGEST_CELL else f"{text[: LONGEST_CELL - 1]}…")


def _sign(sign: str) -> str:
    if not sign.isprintable():
        return "\N{REPLACEMENT CHARACTER}"
    return f"&#{ord(sign)};" if sign in "|<>&`*_[]@#~\\" else sign
