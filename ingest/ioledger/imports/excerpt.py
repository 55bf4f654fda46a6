"""
The rows of an excerpt: every cell as text, so that two of them are equal exactly when their figures are.

Floats are written so that they read back to the same bits (``repr``), times as ISO 8601 in UTC, what is not measured as
an empty cell. Each figure has the line on which it stands in the original. The files are cut at a size that a person
can still review. A folder is held against its originals, read again: every cell that differs is named.
"""

from __future__ import annotations

import csv
import io
import re
from datetime import UTC, datetime, timedelta
from itertools import groupby, zip_longest
from operator import itemgetter
from typing import TYPE_CHECKING, Any, NamedTuple

import msgspec

from ioledger.model import Source
from ioledger.problems import Problem
from ioledger.readers import derived_csv
from ioledger.readers.cells import SAME
from ioledger.readers.derived_csv import (
    FINDINGS,
    HEAD,
    LINES,
    OWN,
    PERCENTILES,
    REPEATED,
    percentiles_text,
)
from ioledger.readers.fio.json_decode import START
from ioledger.submission.origins import MOST_BYTES

if TYPE_CHECKING:
    from collections.abc import Container, Iterator, Mapping, Sequence
    from pathlib import Path

    from ioledger.imports import Claim
    from ioledger.model import Finding, Reading, Result

Cells = dict[str, str]
VERSION = "reader_version"
TAIL = (PERCENTILES, *LINES, FINDINGS)
_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_PART = re.compile(r"excerpt(?:-[0-9]+)?\.csv")
_NUMBERED = re.compile(r"(\d+)#(/.*)")
_KINDS = {"total": "lat", "completion": "clat", "submission": "slat"}
"""Kinds of latency as fio's reports call them."""


def rows(claim: Claim, original: Source, reading: Reading) -> Iterator[Cells]:
    """Give a row for every result of an original; raise ``ValueError`` for a file name that does not tell its round."""
    round_index = claim.round_of(original.name)
    places = _find_figure_lines(original, reading)
    findings = _list_findings(reading)
    for result in reading.results:
        result.scope = claim.cells["scope"] or result.scope
        result.round_index = round_index
        measured = {name: getattr(result, name) for name in OWN}
        yield {
            "configuration_id": claim.configuration,
            "origin_path": original.name,
            "origin_sha256": original.sha256,
            "origin_pointer": result.pointer,
            "origin_repetition": result.repetition,
            VERSION: reading.version_of(result.source_format) or "",
            "tool": reading.tool,
            "tool_version": result.tool_version or reading.tool_version or "",
            **{name: _format_cell(name, value) for name, value in measured.items()},
            PERCENTILES: percentiles_text({kind: dict(found) for kind, found in result.percentiles.items()}),
            **places[result.pointer],
            FINDINGS: findings.get(result.pointer, ""),
        }


def _format_cell(name: str, value: Any) -> str:  # noqa: ANN401  (any measured value)
    """Return a cell: nothing for null, numbers that read back to the same bits, times as ISO 8601."""
    if value is None:
        return ""
    if name in {"started_at", "ended_at"}:
        return (_EPOCH + timedelta(microseconds=value)).isoformat().replace("+00:00", "Z")
    return str(value).lower() if isinstance(value, bool) else repr(value) if isinstance(value, float) else str(value)


def _list_findings(reading: Reading) -> dict[str, str]:
    """Return the findings of each result; one about more than a result stands with the first that it is about."""
    by_result: dict[str, list[Finding]] = {}
    pointers = [result.pointer for result in reading.results]
    for finding in reading.warnings:
        about = [each for each in pointers if each == finding.pointer]
        about = about or [each for each in pointers if each.startswith(finding.pointer)] or pointers
        for pointer in about[:1]:
            by_result.setdefault(pointer, []).append(finding)
    return {
        pointer: msgspec.json.encode([[each.rule, each.message] for each in found]).decode()
        for pointer, found in by_result.items()
    }


def _find_figure_lines(source: Source, reading: Reading) -> dict[str, Cells]:
    """Return the lines on which the figures of each result stand in the original; empty where it does not hold them."""
    found = {result.pointer: dict.fromkeys(LINES, "") for result in reading.results}
    places: dict[int, dict[str, dict[str, Sequence[str]]]] = {}
    for result in reading.results:
        if reading.tool == "fio" and (place := _NUMBERED.fullmatch(result.pointer)):
            places.setdefault(int(place[1]), {})[result.pointer] = _list_pointers(result, place[2])
    if not places:
        return found
    text = source.decode()[0]
    for number, start in enumerate(START.finditer(text)):
        wanted = places.get(number, {})
        every = {name for figures in wanted.values() for names in figures.values() for name in names}
        known = find_lines(text, every, start.start()) if wanted else {}
        for pointer, figures in wanted.items():
            for figure, names in figures.items():
                found[pointer][figure] = next((str(known[name]) for name in names if name in known), "")
    return found


def _list_pointers(result: Result, place: str) -> dict[str, Sequence[str]]:
    """Return where each figure of a result may stand, best first; nowhere when the result has no such figure."""
    figures: dict[str, Sequence[str]] = {}
    if result.operations_per_second is not None:
        figures["operations_line"] = [f"{place}/iops"]
    if result.throughput_bytes_per_second is not None:
        figures["throughput_line"] = [f"{place}/bw_bytes", f"{place}/bw"]
    if result.latency_mean_seconds is not None and result.latency_kind in _KINDS:
        name = _KINDS[result.latency_kind]
        figures["latency_line"] = [f"{place}/{name}_ns/mean", f"{place}/{name}/mean"]
    kinds = [_KINDS[kind] for kind in sorted(result.percentiles) if kind in _KINDS]
    figures["percentiles_line"] = [f"{place}/{name}{unit}/percentile" for name in kinds for unit in ("_ns", "")]
    return figures


def tables(found: Sequence[Cells], most_bytes: int = MOST_BYTES) -> dict[str, bytes]:
    """Return the files of an excerpt by name, each at most so large; the rows of one original stay together."""
    filled = {name for cells in found for name, value in cells.items() if value}
    names = [*HEAD, *(name for name in OWN if name in filled), *TAIL]  # of those that measure, what any row fills
    head, size = _format_line(names), 0
    parts: list[list[bytes]] = []
    above: Cells = {}
    in_order = sorted(found, key=lambda cells: (cells["origin_path"], cells["origin_pointer"]))
    for _, group in groupby(in_order, key=itemgetter("origin_path")):
        several = list(group)
        lines = _format_group(several, names, above)
        if not parts or (size + len(lines) > most_bytes and len(parts[-1]) > 1):
            parts.append([head])
            size = len(head)
            lines = _format_group(several, names, {})
        parts[-1].append(lines)
        size += len(lines)
        above = several[-1]
    if len(parts) == 1:
        return {"excerpt.csv": b"".join(parts[0])}
    return {f"excerpt-{number}.csv": b"".join(part) for number, part in enumerate(parts, 1)}


def list_parts(folder: Path) -> list[Path]:
    """Return the files of a folder that have a name which an import gives to an excerpt, sorted."""
    return sorted(path for path in folder.glob("excerpt*.csv") if _PART.fullmatch(path.name))


def _format_group(group: Sequence[Cells], names: Sequence[str], above: Cells) -> bytes:
    """Return rows as lines, with a mark in place of a long text that the row above has too."""
    found = []
    for cells in group:
        repeated = {name: SAME for name in REPEATED if cells[name] and cells[name] == above.get(name)}
        found.append(_format_line([repeated.get(name, cells[name]) for name in names]))
        above = cells
    return b"".join(found)


def _format_line(values: Sequence[str]) -> bytes:
    stream = io.StringIO()
    csv.writer(stream, lineterminator="\n").writerow(values)
    return stream.getvalue().encode()


_JSON_TOKEN = re.compile(r'\{(?:\s*+"[^"\\]*+"\s*+:\s*+[-+.\w]++\s*+,?)*+\s*+\}|"(?:[^"\\]|\\.)*"|[{}\[\],]', re.DOTALL)
"""An object of nothing but numbers and words whole, such as a list of percentiles; a string; or a sign."""
_KEY = re.compile(r'"([^"\\]*)"\s*:')
_CLOSED_BY = {"{": "}", "[": "]"}


def find_lines(text: str, pointers: set[str], start: int = 0) -> dict[str, int]:
    """Return the line of the key of each of these JSON pointers; of two values under one key the last counts."""
    found: dict[str, int] = {}
    line, counted = 1, 0
    parents = {pointer.rpartition("/")[0] for pointer in pointers}
    for pointer, place in find_keys(text, start, parents):
        if pointer in pointers:
            line, counted = line + text.count("\n", counted, place), place
            found[pointer] = line
    return found


def find_keys(text: str, start: int = 0, parents: Container[str] | None = None) -> Iterator[tuple[str, int]]:
    """
    Give the pointer and the place of the key of every member of every object, in order; keys as they are written.

    Of an object of nothing but numbers and words they are given only if its own pointer is among ``parents``.
    """
    open_: list[tuple[str, str]] = []  # brackets, each with the pointer to what it encloses
    items = [0]
    key: str | None = None
    for match in _JSON_TOKEN.finditer(text, start):
        part = match[0]
        if part[0] in _CLOSED_BY:
            below = f"{open_[-1][1]}/{items[-1] if key is None else key}" if open_ else ""
            open_.append((part[0], below))
            items.append(0)
            key = None
            if len(part) > 1 and (parents is None or below in parents):
                found = ((_escape(each[1]), match.start() + each.start()) for each in _KEY.finditer(part))
                yield from ((f"{below}/{name}", place) for name, place in found)
            part = part[-1]
        if part in _CLOSED_BY or not open_:
            continue
        if part[0] != '"':
            key = None
            items[-1] += 1
            if part != ",":
                items.pop()
                if _CLOSED_BY[open_.pop()[0]] != part or not open_:
                    return
        elif open_[-1][0] == "{" and key is None:
            key = _escape(part[1:-1])
            yield f"{open_[-1][1]}/{key}", match.start()


def _escape(key: str) -> str:
    return key.replace("~", "~0").replace("/", "~1")


RULE = "R-IMPORT-7"
REMEDY = "If the reader is right, run ioledger import again; otherwise the folder was edited."


class Row(NamedTuple):
    """A row of an excerpt: its file, its number from 2 (the header is 1), and its cells."""

    file: Path
    number: int
    cells: Cells

    def problem(self, what: str, column: str = "") -> Problem:
        """Return what is wrong with the row, or with its cell in a column."""
        return Problem(str(self.file), f"row {self.number}{column}", what, REMEDY, RULE)


class Verdict(NamedTuple):
    """What differs or is no excerpt, how many results there are, and the reader's version where it has moved."""

    problems: list[Problem]
    result_count: int
    moved_version: str | None


def verify(folder: Path, made: Mapping[str, bytes]) -> Verdict:
    """Compare the files of a folder with those that the originals give now; a version that moved is said once."""
    problems = list[Problem]()
    stored: dict[tuple[str, str], Row] = {}
    for path in list_parts(folder):
        refusals = derived_csv.read(Source(str(path), path.read_bytes())).refusals
        problems += [Problem(str(path), each.place, each.what, each.remedy, each.rule) for each in refusals]
        stored |= {} if refusals else dict(_read_rows(path, path.read_bytes()))
    if problems:
        return Verdict(problems, 0, None)
    parts = {name: data for name, data in made.items() if name.startswith("excerpt")}
    fresh = {key: row for name, data in parts.items() for key, row in _read_rows(folder / name, data)}
    for key, row in stored.items():
        if key not in fresh:
            problems.append(row.problem(f"{' '.join(key)} is only in the excerpt"))
            continue
        now = fresh[key].cells
        for column in dict.fromkeys((*row.cells, *now)):
            before, after = row.cells.get(column) or "", now.get(column) or ""
            if before != after and column != VERSION:
                problems.append(row.problem(f"was {_quote(before)}, is {_quote(after)}", f", column {column}"))
    missing = sorted(fresh.keys() - stored.keys())
    problems += [Problem(str(folder), "", f"{' '.join(key)} is only in the originals", REMEDY, RULE) for key in missing]
    versions, now_versions = ({row.cells.get(VERSION, "") for row in rows.values()} - {""} for rows in (stored, fresh))
    is_moved = bool(versions - now_versions)
    moved = f"{', '.join(sorted(versions))} then, {', '.join(sorted(now_versions))} now" if is_moved else None
    if not problems and not is_moved:
        problems += _compare_files(folder, made)
    return Verdict(problems, len(stored), moved)


def _read_rows(file: Path, data: bytes) -> Iterator[tuple[tuple[str, str], Row]]:
    """Give every row of an excerpt with its place in the originals, repeated texts written out."""
    above: Cells = {}
    for number, cells in enumerate(csv.DictReader(io.StringIO(data.decode(), newline="")), 2):
        cells |= {column: above[column] for column in REPEATED if cells.get(column) == SAME}
        above = cells
        yield (cells["origin_path"], cells["origin_pointer"]), Row(file, number, cells)


def _quote(text: str) -> str:
    return repr(text) if text else "empty"


def _compare_files(folder: Path, made: Mapping[str, bytes]) -> Iterator[Problem]:
    """Tell the first line of each file that is not what it would be made of now; cells are all the same here."""
    for name, data in made.items():
        stored = path.read_bytes() if (path := folder / name).is_file() else b""
        lines = enumerate(zip_longest(stored.split(b"\n"), data.split(b"\n")), 1)
        if (line := next((number for number, (before, now) in lines if before != now), None)) is not None:
            remedy = f"Run ioledger import again; {name} is generated; do not edit it."
            yield Problem(str(path), str(line), "it is not what the originals give now", remedy, RULE)
