"""
Result files to rows, without a manifest: what ``ioledger parse`` does.

Rows go to standard output as JSON lines, or to files by extension. A file is written under a temporary name and renamed
when it is whole, and files are read one after another, so memory does not grow with their number.
"""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Protocol

import msgspec

from ingest import detect
from ingest.columns import OWN, Part
from ingest.problems import Problem
from ingest.record import Reading, Source

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from pathlib import Path
    from types import TracebackType
    from typing import BinaryIO, Self

COLUMNS = ("source_path", "source_sha256", "tool", "source_pointer", *OWN)
EXTENSIONS = (".jsonl", ".csv", ".arrow", ".parquet")


class Parsed(msgspec.Struct, frozen=True):
    """One file: its reading with path and hash, and its problems."""

    part: Part
    problems: list[Problem]


def files(paths: Iterable[Path]) -> Iterator[Path]:
    """Give files as named, and the files below folders, sorted, without hidden ones and links."""
    for path in paths:
        if not path.is_dir():
            yield path
            continue
        for below in sorted(path.rglob("*")):
            hidden = any(part.startswith(".") for part in below.relative_to(path).parts)
            if below.is_file() and not below.is_symlink() and not hidden:
                yield below


def parse(path: Path) -> Parsed:
    """Read one file; whatever is wrong with it becomes a problem, never an exception."""
    try:
        refusal = detect.oversize(path)
        data = b"" if refusal else path.read_bytes()
    except OSError as error:
        problem = Problem(str(path), "", f"cannot be read: {error.strerror}", "Check the path.", "R-FILE-8")
        return Parsed(Part(Reading(tool="unknown"), "", str(path)), [problem])
    source = Source(path.name, data)
    reading = Reading(tool="unknown", refusals=[refusal]) if refusal else detect.read(source)
    problems = [Problem(str(path), r.place, r.what, r.remedy, r.rule) for r in reading.refusals]
    if not problems and not reading.results and not any(reading.rows.values()):
        what = f"{reading.tool} {reading.source_format or ''}".strip() + " without any result"
        problems.append(Problem(str(path), "", what, "Nothing to do if this is not a result file.", "R-READ-2"))
    return Parsed(Part(reading, source.sha256, str(path)), problems)


class Writer(Protocol):
    """Something that takes the rows of one file after another."""

    def write(self, part: Part) -> None:
        """Write the rows of one file."""

    def close(self) -> None:
        """Write what is left."""


class JsonLines:
    """Rows as JSON lines."""

    def __init__(self, stream: BinaryIO) -> None:
        """Take an open binary stream."""
        self.stream = stream

    def write(self, part: Part) -> None:
        """Write one line per result, with the columns that the file alone can tell."""
        head = {"source_path": part.source_path, "source_sha256": part.source_sha256, "tool": part.reading.tool}
        for result in part.reading.results:
            row = {**head, "source_pointer": result.pointer, **{name: getattr(result, name) for name in OWN}}
            self.stream.write(msgspec.json.encode(row) + b"\n")

    def close(self) -> None:
        """Flush; the stream belongs to the caller."""
        self.stream.flush()


class Output:
    """A file to write rows to, by extension: ``.jsonl``, ``.csv``, ``.arrow`` (IPC file) or ``.parquet``."""

    def __init__(self, path: Path) -> None:
        """Open a temporary file beside the one that is wanted."""
        self.path = path
        self.temporary = path.with_name(f".{path.name}.{os.getpid()}.part")
        self.stream = self.temporary.open("wb")
        self.writer: Writer = JsonLines(self.stream) if path.suffix == ".jsonl" else _arrow_writer(path, self.stream)

    def __enter__(self) -> Self:
        """Return the output itself."""
        return self

    def write(self, part: Part) -> None:
        """Write the rows of one file."""
        self.writer.write(part)

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Give the file its name when everything went well, else remove it."""
        try:
            self.writer.close()
        finally:
            self.stream.close()
            if kind is None:
                self.temporary.replace(self.path)
            else:
                self.temporary.unlink(missing_ok=True)


def _arrow_writer(path: Path, stream: BinaryIO) -> Writer:
    from ingest.arrow_out import ArrowRows  # noqa: PLC0415  (pyarrow loads only when Arrow is written)

    return ArrowRows(path.suffix, stream)
