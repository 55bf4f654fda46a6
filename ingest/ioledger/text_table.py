"""Tables as plain text for people, by rich: what commands print and what ``str()`` of a verdict returns."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Literal

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

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


def are_numbers(values: Iterable[object]) -> bool:
    """Say whether all values are numbers, or null."""
    return all(isinstance(value, int | float | None) for value in values)


def table_text(  # noqa: PLR0913  (one for each way to print)
    names: Sequence[str],
    rows: Sequence[Sequence[object]],
    *,
    is_first_whole: bool = False,
    width: int = FILE_WIDTH,
    is_terminal: bool = False,
    text: Callable[[Any], str] = as_text,
) -> str:
    """
    Return rows as lines of a table, numbers to the right, no wider than so many characters.

    Where the first column is a name that should stay whole, the others are wrapped for it, unless it is long. On a
    terminal the columns are closer together.
    """
    from rich.box import SIMPLE_HEAD  # noqa: PLC0415  (only for people)
    from rich.console import Console  # noqa: PLC0415
    from rich.table import Table  # noqa: PLC0415
    from rich.text import Text  # noqa: PLC0415

    table = Table(box=SIMPLE_HEAD, header_style="bold", show_edge=False, pad_edge=False, collapse_padding=is_terminal)
    for index, name in enumerate(names):
        is_number = are_numbers(row[index] for row in rows)
        is_whole = is_first_whole and index == 0 and all(len(text(row[0])) <= _WHOLE_WIDTH for row in rows)
        justify: Literal["right", "left"] = "right" if is_number else "left"
        table.add_column(Text(name), justify=justify, overflow="fold", no_wrap=is_whole or is_number)
    for row in rows:
        table.add_row(*(Text(text(value)) for value in row))
    console = Console(width=width, force_terminal=None if is_terminal else False)
    with console.capture() as captured:  # rich would end the command with 1 where its reader went away
        console.print(table)
    return "\n".join(line.rstrip() for line in captured.get().split("\n"))
