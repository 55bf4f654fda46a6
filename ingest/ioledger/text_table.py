"""Tables as plain text for people, by rich: what commands print and what ``str()`` of a verdict returns."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Literal
from unicodedata import east_asian_width

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
    texts = [[text(value) for value in row] for row in rows]
    are_right = [are_numbers(row[index] for row in rows) for index in range(len(names))]
    sizes = [max(map(len, column)) for column in zip(names, *texts, strict=True)]
    gap = 2 if is_terminal else 3
    whole = sum(sizes) + gap * (len(sizes) - 1)
    signs = set[str]().union(*(sign for row in texts for sign in row))
    if whole <= width and all(sign.isprintable() and east_asian_width(sign) not in "FW" for sign in signs):
        lines = [
            (" " * gap)
            .join(
                cell.rjust(size) if is_right else cell.ljust(size)
                for cell, size, is_right in zip(row, sizes, are_right, strict=True)
            )
            .rstrip()
            for row in (names, *texts)
        ]
        head = f"\x1b[1m{lines[0]}\x1b[0m" if is_terminal else lines[0]
        return "\n".join([head, "─" * whole, *lines[1:], ""])
    # what has to be wrapped takes rich a millisecond per row
    from rich.box import SIMPLE_HEAD  # noqa: PLC0415  (only for people)
    from rich.console import Console  # noqa: PLC0415
    from rich.table import Table  # noqa: PLC0415
    from rich.text import Text  # noqa: PLC0415

    table = Table(box=SIMPLE_HEAD, header_style="bold", show_edge=False, pad_edge=False, collapse_padding=is_terminal)
    for index, (name, is_right) in enumerate(zip(names, are_right, strict=True)):
        is_whole = is_first_whole and index == 0 and all(len(row[0]) <= _WHOLE_WIDTH for row in texts)
        justify: Literal["right", "left"] = "right" if is_right else "left"
        table.add_column(Text(name), justify=justify, overflow="fold", no_wrap=is_whole or is_right)
    for row in texts:
        table.add_row(*map(Text, row))
    console = Console(width=width, force_terminal=None if is_terminal else False)
    with console.capture() as captured:  # rich would end the command with 1 where its reader went away
        console.print(table)
    return "\n".join(line.rstrip() for line in captured.get().split("\n"))
