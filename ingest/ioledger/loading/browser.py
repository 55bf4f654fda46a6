"""Result files read in a web page, by CPython for WebAssembly, which has neither Arrow nor a database."""

from __future__ import annotations

import io
import zipfile
from collections import defaultdict
from pathlib import Path
from typing import TYPE_CHECKING, Any

import msgspec

from ioledger.loading.archives import Entry, sources
from ioledger.loading.copies import select_whole_loads
from ioledger.loading.files import list_files
from ioledger.loading.parse import chunks
from ioledger.problems import plain
from ioledger.readers.load_options import SHARE_DIGITS, effective_load_options

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from ioledger.loading.copies import File
    from ioledger.problems import Problem

    Row = dict[str, Any]

_COPIED = ("status", "result_count", "finding_count", "is_setup", "point", "container")
_OUTSTANDING = frozenset({None, "outstanding", "outstanding_per_drive"})


def read(names: Sequence[str]) -> tuple[bytes, bytes]:
    """Return rows as JSON lines; and as JSON what became of each file, findings, and workloads by ``result_id``."""
    found = list(dict.fromkeys(list_files(map(Path, names))))
    read_chunks = list(chunks(found, lines=True, findings=True, processes=1, named=frozenset(names)))
    lines = b"".join(chunk.lines for chunk in read_chunks)
    about = {
        "files": [_describe_file(file) for chunk in read_chunks for file in chunk.files],
        "findings": [_describe_problem(finding) for chunk in read_chunks for finding in chunk.findings],
        "workloads": workloads([msgspec.json.decode(line) for line in lines.splitlines()]),
    }
    return lines, msgspec.json.encode(about)


def pack(folder: str, manifest: str, files: Mapping[str, str]) -> bytes:
    """Return a zip of one folder: ``manifest.yaml`` and files that were read, or members of archives."""
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr(f"{folder}/manifest.yaml", manifest)
        for path in dict.fromkeys(name.partition("!")[0] for name in files):
            for source in sources(path):
                if not isinstance(source, Entry) and source.name in files:
                    archive.writestr(f"{folder}/{files[source.name]}", source.data)
    return packed.getvalue()


def _describe_file(file: File) -> Row:
    """Return what became of a file, with its problems in the words of the command."""
    return {
        "name": plain(file.name),
        "sha256": file.source_sha256,
        "reason": file.reason and plain(file.reason),
        "linked": file.linked and plain(file.linked),
        "problems": [_describe_problem(problem) for problem in file.problems],
        **{name: getattr(file, name) for name in _COPIED},
    }


def _describe_problem(problem: Problem) -> Row:
    return {"file": problem.file, "place": problem.place, "rule": problem.rule, "text": problem.sentence}


def workloads(rows: Sequence[Row]) -> dict[str, list[object]]:
    """Return the members of the workload of each whole load, as in ``int_results_loaded.sql``, by ``result_id``."""
    figures = [row for row in select_whole_loads(rows) if row["outcome"] == "ok"]
    together: dict[str, list[Row]] = defaultdict(list)
    for row in figures:
        if row["operation"] in {"read", "write"} and row["block_size_bytes"] is not None:
            together[row["repetition_id"]].append(row)
    return {
        row["result_id"]: members
        for row in figures
        if (members := _members(row, together.get(row["repetition_id"], []))) is not None
    }


def _members(row: Row, together: Sequence[Row]) -> list[object] | None:
    """Return the members of a row's workload, given the reads and writes that ran together; null if one is unknown."""
    pattern, reads, blocks = row["access_pattern"], row["read_ratio"], _blocks(row)
    directions = None
    if len({each["block_size_bytes"] for each in together}) > 1:
        ends = [_blocks(each) for each in together]
        blocks = min(low for low, _ in ends), max(high for _, high in ends)
        directions = ", ".join(sorted({f"{each['operation']} {each['block_size_bytes']}" for each in together}))
    if row["operation"] not in {"read", "write", "mixed"} or None in {pattern, reads, *blocks}:
        return None
    processes, options = row["process_count"] or 1, effective_load_options(row["job_options"])
    has_streams = pattern == "sequential" and processes > 1 and row["load_basis"] in _OUTSTANDING
    return [
        pattern,
        None if pattern != "mixed" or row["random_ratio"] is None else round(row["random_ratio"], SHARE_DIGITS),
        round(reads, SHARE_DIGITS),
        *blocks,
        directions,
        None if options == "{}" else options,
        processes if has_streams else None,
    ]


def _blocks(row: Row) -> tuple[Any, Any]:
    """Return the smallest and the largest block of a row, in bytes."""
    size = row["block_size_bytes"]
    low, high = row["block_size_min_bytes"], row["block_size_max_bytes"]
    return size if low is None else low, size if high is None else high
