# ruff: noqa: INP001  (a script of the site, not a module)
"""Where the site serves the files that were handed in, and how: as they are, or packed by gzip where they are large."""

from __future__ import annotations

import gzip
import shutil
from pathlib import Path

SHOWN_AS_TEXT = {".json", ".csv", ".txt", ".log", ".fio", ".yaml", ".yml", ".icf"}
PACKED_FROM = 100_000
"""Bytes from which a text lies packed: a page of the site shows its lines, and a fifth of it is left."""
PACKED = ".gz"
LEVEL = 9
"""Of gzip: 5 % less than at level 6; the 16 MB of large excerpts take a second."""


def served_as(submission: str, path: str, size: int | None) -> str:
    """
    Return where the site serves a file of ``size`` bytes.

    What a browser might run as a page gets ``.txt`` behind its name, and what lies packed ``.gz``.
    """
    is_text = Path(path).suffix.lower() in SHOWN_AS_TEXT
    is_packed = is_text and size is not None and size >= PACKED_FROM
    return f"raw/{submission}/{path}{'' if is_text else '.txt'}{PACKED if is_packed else ''}"


def put(source: Path, public: Path, submission: str, path: str) -> None:
    """Write a file that was handed in to where it is served: byte for byte, or packed, the same bytes every time."""
    place = public / served_as(submission, path, source.stat().st_size)
    place.parent.mkdir(parents=True, exist_ok=True)
    if place.name == f"{Path(path).name}{PACKED}":
        place.write_bytes(gzip.compress(source.read_bytes(), LEVEL, mtime=0))
    else:
        shutil.copyfile(source, place)
