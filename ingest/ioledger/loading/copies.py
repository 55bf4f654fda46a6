"""
What counts once: of files with the same bytes the first, and of sums and their parts those that cover a whole workload.

Chunks are read by themselves, in whatever process, so what one repeats of an earlier one is taken out when they come
together again, in order. Whatever the number of processes, the rows are the same. The models exclude the same sums and
parts (``models/intermediate/int_results_loaded.sql``).
"""

from __future__ import annotations

from collections import defaultdict
from typing import TYPE_CHECKING, Any

import msgspec

from ioledger.loading.archives import display_name
from ioledger.problems import Problem, plain
from ioledger.tables.columns import file_id
from ioledger.tables.schema import tables as raw_tables

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Iterator, Sequence

Row = dict[str, Any]


class File(msgspec.Struct):
    """Outcome of one file, or of one member of an archive: its rows and its problems."""

    source_path: str
    """Path of the file, or of the archive that contains it."""
    source_sha256: str | None = None
    result_count: int = 0
    finding_count: int = 0
    problems: list[Problem] = []
    member_path: str | None = None
    """Path inside the archive; null for a file in a folder."""
    status: str = "read"
    """``read``, ``refused`` or ``ignored``."""
    rule: str | None = None
    reason: str | None = None
    duplicate_of: str | None = None
    """Name of the first file with the same bytes."""
    is_setup: bool = False
    """Whether it configures a measurement, as a job file does, and therefore has no results."""
    repetition_id: str | None = None
    """Of a log the repetition that it belongs to: two logs with the same bytes may be those of two threads."""
    linked: str | None = None
    """Name of the file that it belongs to: of a report its job file, of a log its report."""
    point: str | None = None
    """Of a log the name that the reading of its report has for the repetition."""
    container: str | None = None
    """Of a container its form, as ``tar.xz``, whose members have records of their own; null for every other file."""
    passed_over: dict[str, int] = {}
    """Of a container how many members are not looked at, by what they are."""

    @property
    def name(self) -> str:
        """What messages call it: ``archive.tar.xz!dir/run.json`` for a member."""
        return display_name(self.source_path, self.member_path)


class Chunk(msgspec.Struct):
    """What some files gave: a record of each, results as JSON lines, and tables by name as Arrow IPC streams."""

    files: list[File] = []
    lines: bytes = b""
    findings: list[Problem] = []
    """Contradictions in these files, which have no remedy."""
    tables: dict[str, bytes] = {}
    rows: list[list[Row]] = []
    """Of each file its row of the table of files, and those of its documents, where that table is wanted."""

    @property
    def problems(self) -> list[Problem]:
        """What is wrong with these files, in their order."""
        return [problem for file in self.files for problem in file.problems]


REASON = "the same bytes as another file"
RESULTS, FILES = "results", "files"


def drop_copies(chunks: Iterable[Chunk], tables: Sequence[str]) -> Iterator[Chunk]:
    """Give the chunks with these tables, each without the rows of files that an earlier one has."""
    firsts: dict[tuple[str | None, ...], str] = {}
    for chunk in chunks:
        # one that repeats a file of its own chunk has no rows there
        unwritten = {file.name for file in chunk.files if file.duplicate_of is not None}
        again = {plain(file.name) for file in chunk.files if is_copy(file, firsts) and file.name not in unwritten}
        if again:
            chunk.findings = [each for each in chunk.findings if each.file not in again]
            _drop_rows(chunk, set(map(file_id, again)))
        if FILES in tables:
            from ioledger.tables import arrow  # noqa: PLC0415  (pyarrow loads only when Arrow is written)

            chunk.tables |= arrow.streams((), (FILES,), list(_list_outcomes(chunk)))
        chunk.tables = {name: chunk.tables[name] for name in tables}
        yield chunk


def is_copy(file: File, firsts: dict[tuple[str | None, ...], str]) -> bool:
    """Note the first file with the same bytes; say whether the rows of this one repeat its rows."""
    if file.source_sha256 is None:
        return False
    kind = None
    if ".log" in file.name:
        from ioledger.readers.fio import logs  # noqa: PLC0415  (a report by itself is read without it)

        kind = logs.kind(file.name)
    first = firsts.setdefault((file.source_sha256, kind, file.repetition_id), file.name)
    file.duplicate_of = first if first != file.name else None
    if file.duplicate_of is None or file.container is not None or file.is_setup:
        return False
    if file.status != "ignored":
        file.status, file.rule, file.reason = "ignored", None, REASON
        file.result_count = file.finding_count = 0
        file.problems = []
    return True


def needed_tables(tables: Sequence[str]) -> Sequence[str]:
    """Return the tables that chunks need to remove duplicate rows."""
    needs_results = any(_column_of(name) == "result_id" for name in tables)
    return [*tables, RESULTS] if RESULTS not in tables and needs_results else tables


def _column_of(table: str) -> str:
    """Return the column by which rows of a table belong to a file: its id, else that of a result."""
    return "file_id" if "file_id" in raw_tables()[table].column_names else "result_id"


def _drop_rows(chunk: Chunk, again: set[str]) -> None:
    """Take the rows of files with these ids out of a chunk."""
    lines = chunk.lines.splitlines(keepends=True)
    chunk.lines = b"".join(line for line in lines if msgspec.json.decode(line)["file_id"] not in again)
    if not chunk.tables:
        return
    import pyarrow as pa  # noqa: PLC0415  (pyarrow loads only when Arrow is written)

    from ioledger.tables import arrow  # noqa: PLC0415

    read = {name: pa.ipc.open_stream(ipc).read_all() for name, ipc in chunk.tables.items()}
    results = read[RESULTS].select(["result_id", "file_id"]).to_pylist() if RESULTS in read else []
    gone = {"file_id": again, "result_id": {row["result_id"] for row in results if row["file_id"] in again}}
    for name, table in read.items():
        column = _column_of(name)
        keep = [value not in gone[column] for value in table.column(column).to_pylist()]
        chunk.tables[name] = arrow.write_stream(table.filter(arrow.array(keep, pa.bool_())))


def _list_outcomes(chunk: Chunk) -> Iterator[Row]:
    """Give the rows of the table of files as the records are now; a repeated file has no documents."""
    for file, (row, *documents) in zip(chunk.files, chunk.rows, strict=True):
        outcome = state(file)
        yield row | outcome
        if file.reason != REASON:
            yield from (each | {"duplicate_of": outcome["duplicate_of"]} for each in documents)


def state(file: File) -> Row:
    """Return the outcome columns of the table ``files``."""
    return {
        "result_count": file.result_count,
        "finding_count": file.finding_count,
        "status": file.status,
        "rule_id": file.rule,
        "reason": file.reason and plain(file.reason),
        "duplicate_of": file.duplicate_of and plain(file.duplicate_of),
    }


_DIRECTIONS = frozenset({"read", "write", "trim"})


def select_whole_loads(rows: Collection[Row]) -> list[Row]:
    """Return the rows that cover their whole load, each once: of a run, not of a part of it."""
    whole = [row for row in rows if not row["is_partial"]]
    totals, jobs, parts, directions = set(), defaultdict(set), set(), set()
    for row in whole:
        document, repetition = _document_of(row), (file_of(row), row["repetition_id"])
        if row["is_aggregate"] and row["scope"] == "all":
            totals.add(document)
        if not row["is_aggregate"]:
            parts.add(repetition)
            jobs[*document, row["group_index"]].add(row["repetition_id"])
        if row["operation"] in _DIRECTIONS:
            directions.add(repetition)

    def is_whole(row: Row) -> bool:
        document, repetition = _document_of(row), (file_of(row), row["repetition_id"])
        if row["scope"] == "process":
            return False
        if row["is_aggregate"] and row["scope"] == "group":
            is_sum_of_operations = row["operation"] == "mixed" and repetition in directions
            return repetition not in parts and document not in totals and not is_sum_of_operations
        if row["is_aggregate"]:
            return bool(row["scope"] == "all")
        return document not in totals and (row["group_index"] is None or len(jobs[*document, row["group_index"]]) == 1)

    return [row for row in whole if is_whole(row) and row["is_canonical"]]


def file_of(row: Row) -> str:
    """Return the hash of the file that was measured, which an excerpt names."""
    return str(row["origin_sha256"] or row["source_sha256"])


def _document_of(row: Row) -> tuple[str, str]:
    """Return the document of a row: its file and the part of the pointer before the place."""
    document, found, _ = str(row["origin_pointer"] or row["source_pointer"]).partition("#")
    return file_of(row), document if found else ""
