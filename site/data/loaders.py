# ruff: noqa: INP001  (a script of the site, not a module)
"""
Every data and page loader in Python, run in this one process.

The site's framework would start a process for each file that a page loads, and most of its time is imports. It takes a
file from its cache when that is newer than the loader, so the cache is filled first. A loader stays a script that also
runs by itself: it writes to standard output, and its parameter stands in ``sys.argv``.
"""

from __future__ import annotations

import io
import re
import runpy
import sys
from contextlib import redirect_stdout
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

SITE = Path(__file__).parent.parent
LOADER = re.compile(r"(?P<before>[^\[\]]*)(?:\[(?P<parameter>\w+)\](?P<after>[^\[\]]*))?\.py")


def fill(cache: Path, parameters: Mapping[str, Sequence[str]]) -> None:
    """
    Write the output of every loader below ``site`` to its place in ``cache``.

    ``parameters`` has the values of each parameter, which a loader names in brackets; the framework runs a loader whose
    parameter is not among them.
    """
    for loader in sorted(SITE.rglob("*.*.py")):
        for target, argument in _targets(loader, parameters):
            path = cache / target
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(_output(loader, argument))


def _targets(loader: Path, parameters: Mapping[str, Sequence[str]]) -> Iterator[tuple[str, list[str]]]:
    """Give each file that a loader makes, and the argument with which it makes it."""
    found = LOADER.fullmatch(loader.relative_to(SITE).as_posix())
    if not found:
        return
    name = found["parameter"]
    if not name:
        yield found["before"], []
    for value in parameters.get(name or "", ()):
        yield f"{found['before']}{value}{found['after']}", [f"--{name}={value}"]


def _output(loader: Path, argument: list[str]) -> bytes:
    written, arguments = io.BytesIO(), sys.argv
    sys.argv = [str(loader), *argument]
    try:
        with io.TextIOWrapper(written, encoding="utf-8", newline="\n") as text, redirect_stdout(text):
            runpy.run_path(str(loader), run_name="__main__")
            text.flush()
            return written.getvalue()
    finally:
        sys.argv = arguments
