"""
Outputs that are none of the inputs: what a command reads is never written over.

Every command that writes a file beside what it reads asks here before it reads.
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

import click

from ioledger.loading.files import find_same_file, list_files, load
from ioledger.problems import Problem, plain
from ioledger.tables.own_outputs import is_written_here

if TYPE_CHECKING:
    from collections.abc import Container, Iterable, Sequence


class Target(NamedTuple):
    """A file to write, and the option that named it."""

    option: str
    path: Path


def inputs_left(targets: Iterable[Target], found: Sequence[str], named: Container[str]) -> list[str]:
    """
    Return the files to read without those that are written; an earlier output below a folder is written anew.

    Raise a usage error for an output that is one of the files to read, by whatever name or link, or for two outputs in
    one file. ``named`` are the files that somebody named, which are never written.
    """
    left = list(found)
    taken: set[Path] = set()
    for option, path in targets:
        read = find_same_file(path, left)
        message = ""
        if path.resolve() in taken:
            message = f"{plain(str(path))}: several outputs would write this file; name one file for each"
        elif read is not None and (read in named or not _is_earlier_output(read)):
            message = f"{plain(str(path))}: this file is read ({plain(read)}) and would be lost; name another"
        if message:
            raise click.BadParameter(message, param_hint=option)
        taken.add(path.resolve())
        if read is not None:
            left.remove(read)
    return left


def keep_inputs(targets: Sequence[Target], inputs: Sequence[str | Path]) -> None:
    """Raise a usage error for an output that is one of the inputs, or one below them not written by ioledger."""
    if targets:
        inputs_left(targets, [*list_files(map(Path, inputs))], frozenset(map(str, inputs)))


def _is_earlier_output(path: str) -> bool:
    source = load(path)
    # a table without rows is an empty file in some formats, of which nothing is lost
    return not isinstance(source, Problem) and (not source.data or is_written_here(source.data))
