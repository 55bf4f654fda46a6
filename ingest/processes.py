"""Several processes that share the work of reading; see ``ingest/parse.py``."""

from __future__ import annotations

import gc
import itertools
from concurrent.futures import ProcessPoolExecutor
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence

    from ingest.parse import Chunk

    Work = Callable[[Sequence[str]], Chunk]


def shared(work: Work, groups: Iterable[Sequence[str]], count: int) -> Iterator[Chunk]:
    """
    Give the chunks of groups of files in order, read by this many processes.

    Tables come back as files: a pipe takes them in pieces, and the process that wrote would wait for each.
    """
    with TemporaryDirectory(prefix="ioledger-") as scratch:
        places = (Path(scratch, str(index)) for index in itertools.count())
        # Frozen: no process looks for garbage in what it shares with the others.
        with ProcessPoolExecutor(count, initializer=gc.freeze) as pool:
            for chunk, place in pool.map(partial(_laid_down, work), groups, places):
                for name in chunk.tables:
                    laid_down = place.with_suffix(f".{name}")
                    chunk.tables[name] = laid_down.read_bytes()
                    laid_down.unlink()
                yield chunk


def _laid_down(work: Work, paths: Sequence[str], place: Path) -> tuple[Chunk, Path]:
    """Do the work and write each table to a file at this place; the chunk keeps their names."""
    chunk = work(paths)
    for name, table in chunk.tables.items():
        place.with_suffix(f".{name}").write_bytes(table)
        chunk.tables[name] = b""
    return chunk, place
