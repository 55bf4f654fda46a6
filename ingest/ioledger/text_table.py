"""Tables as plain text for people, by rich: what commands print and what ``str()`` of a verdict returns."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

FILE_WIDTH = 10_000
"""Characters per line of what goes to a file or a program: nothing is cut or wrapped there."""
_WHOLE_WIDTH = 32
"""Characters of a name that a table does not wrap."""


def as_text(value: object) -> str:
    """Return a value as people read it in a table: floats with ten digits, lists with semicolons, null as nothing."""
    if isinstance(value, float):
        return f"{value:.10g}"
    if isinstance(value, list):
        return "; ".join(map(as_text, value))
    return "" if value is None else str(value)


def table_text(
    names: Sequence[str],
    rows: Sequence[Sequence[object]],
    *,
    is_first_whole: bool = False,
    width: int = FILE_WIDTH,
    has_edges: bool = False,
) -> str:
    """
    Return rows as lines of a table, numbers to the right, no wider than so many characters.

    Where the first column is a name that should stay whole, the others are wrapped for it, unless it is long. Edges are
    room around the table, for a terminal.
    """
    from rich.box import SIMPLE_HEAD  # noqa: PLC0415  (only for people)
    from rich.console import Console  # noqa: PLC0415
    from rich.table import Table  # noqa: PLC0415
    from rich.text import Text  # noqa: PLC0415

    table = Table(box=SIMPLE_HEAD, header_style="bold", show_edge=has_edges, pad_edge=has_edges)
    for index, name in enumerate(names):
        is_number = all(isinstance(row[index], int | float | None) for row in rows)
        is_whole = is_first_whole and index == 0 and all(len(as_text(row[0])) <= _WHOLE_WIDTH for row in rows)
        table.add_column(Text(name), justify="right" if is_number else "left", overflow="fold", no_wrap=is_whole)
    for row in rows:
        table.add_row(*(Text(as_text(value)) for value in row))
    console = Console(width=width, force_terminal=None if has_edges else False)
    with console.capture() as captured:  # rich would end the command with 1 where its reader went away
        console.print(table)
    lines = captured.get().split("\n")
    return "\n".join(lines if has_edges else map(str.rstrip, lines))
