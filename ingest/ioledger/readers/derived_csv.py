"""
excerpt: results that a reader took from raw files published elsewhere, as CSV.

Claims  a CSV file whose header holds ``origin_sha256`` and at least half of the leading columns.
Emits   one result per line, with the ids that it has in the raw file, and the findings that were told of it there.
Units   SI and bytes, as the columns of ``schemas/tables/results.schema.json`` say; percentiles as ratios and seconds.
Source  ``schemas/tables/results.schema.json``; RFC 4180 (quoting); UTF-8.
"""

from __future__ import annotations

import json
import math
import re
from datetime import UTC, datetime
from functools import cache
from typing import TYPE_CHECKING, Any

import msgspec

from ioledger.model import Finding, Origin, Premises, Reading, Refusal, Result
from ioledger.readers import cells, concurrent
from ioledger.readers.cells import Cell
from ioledger.tables.schema import IDENTIFIER, SCHEMAS, tables

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence

    from ioledger.model import Source
    from ioledger.readers.cells import Row
    from ioledger.tables.schema import Column

_BETWEEN = "expect_column_values_to_be_between"


@cache
def _ranges() -> dict[str, dict[str, Any]]:
    """Return the ranges that the expectations of results state, by column."""
    stated = msgspec.json.decode((SCHEMAS / "expectations" / "results.json").read_bytes())
    return {each["kwargs"]["column"]: each["kwargs"] for each in stated["expectations"] if each["type"] == _BETWEEN}


TOOL = "excerpt"
FORMATS = ("excerpt.csv: one line per result of raw files published elsewhere, each with its place there",)
VERSIONS = {"excerpt": "0.1.0"}
"""What is read, by the first word of the format; see :class:`ioledger.readers.detect.Reader`."""
HEAD = (
    *("configuration_id", "origin_path", "origin_sha256", "origin_pointer", "origin_repetition"),
    *("reader_version", "tool", "tool_version"),
)
"""The leading columns, which every excerpt has: the place of each result in its raw file, what measured, what read."""
LINES = ("operations_line", "throughput_line", "latency_line", "percentiles_line")
"""The line of each figure in the raw file, counted from 1; empty where the file does not hold it."""
PERCENTILES, FINDINGS = "latency_percentiles", "findings"
REPEATED = ("workload_origins", "job_options", FINDINGS)
"""Columns with repeated long texts: a cell may be :data:`SAME` for the value of the row above."""
_NOT_OWN = frozenset({"pointer", "repetition", "tool_version", "origin", "premises", "percentiles", "bins"})
OWN = tuple(
    name for name in Result.__struct_fields__ if name in tables()["results"].column_names and name not in _NOT_OWN
)
"""Columns that a reader fills; an excerpt has those that any of its results fills."""
COLUMNS = (*HEAD, *OWN, PERCENTILES, *LINES, FINDINGS)
"""Every column that an excerpt may have, in the order in which it has them."""
NEEDED = frozenset({*HEAD, "source_format", "operation", PERCENTILES, *LINES, FINDINGS})
KINDS = ("completion", "submission", "total")
UNTOLD = Premises(is_verifying=None, is_verifying_earlier=True, is_polling=True)
"""What an excerpt does not tell of a run, so that nothing is held against a result which the raw file may explain."""
_OTHERS = frozenset({"figure_id", "result_id"})
"""Columns that the figures of a publication have, and the rows that ``parse`` writes; no excerpt does."""
_SHA256 = re.compile(r"[0-9a-f]{64}")
_WHOLE = re.compile(r"-?[0-9]{1,18}")
_NUMBER = re.compile(r"-?[0-9]+(?:\.[0-9]+)?(?:e[+-]?[0-9]{1,3})?")
_TIME = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}(?:\.[0-9]{1,6})?Z")
_SIGNED = frozenset({"error_code"})
"""Columns whose numbers may be below zero."""
_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_MICROSECOND = 1_000_000


def claims(head: bytes) -> bool:
    """Say whether the first line is that of an excerpt; figures, and rows that this program wrote, have ids."""
    header = cells.read_header(head)
    return not header & _OTHERS and "origin_sha256" in header and 2 * len(header & set(HEAD)) >= len(HEAD)


def read(source: Source) -> Reading:
    """Return the results of an excerpt and their findings, with a refusal for every invalid cell."""
    reading = Reading(tool=TOOL, source_format="excerpt", document_count=1)
    rows, reading.refusals = cells.read_rows(source.data, _form())
    for row, line in cells.find_repeated(rows, ("origin_sha256", "origin_pointer")):
        what = f"{row.values['origin_pointer']} of this raw file is already in line {line}"
        reading.refusals.append(row.refuse("origin_pointer", what, "Keep one of the two lines.", "R-EXCERPT-8"))
    reading.refusals += _otherwise(rows)
    if reading.refusals:
        return reading
    lines: dict[tuple[str, str], list[int]] = {}
    for row in rows:
        lines.setdefault((row.values["origin_sha256"], row.values["origin_repetition"]), []).append(row.line)
    repetitions = {key: f"lines {', '.join(map(str, numbers))}" for key, numbers in lines.items()}
    for row in rows:
        reading.results.append(_result(row, repetitions))
        pairs = row.values[FINDINGS] or ()
        reading.warnings += [Finding(rule, message, f"line {row.line}") for rule, message in pairs]
    reading.warnings += _report_one_sided(rows)
    concurrent.recognise(reading.results)
    return reading


@cache
def _form() -> cells.Form:
    columns = {column.name: column for column in tables()["results"].columns}
    place = "Write the place as the reader of the raw file names it."
    own = {
        "configuration_id": Cell(cells.plain_text, "Name one of the manifest."),
        "origin_path": Cell(_path, "Write its path in the repository, with /."),
        "origin_sha256": Cell(
            lambda text: text if _SHA256.fullmatch(text) else None, "Write 64 hexadecimal digits in lower case."
        ),
        "origin_pointer": Cell(cells.plain_text, place),
        "origin_repetition": Cell(cells.plain_text, place),
        "reader_version": Cell(cells.plain_text, "Write the version of ioledger."),
        "tool": Cell(cells.plain_text, "Write the tool that measured."),
        "tool_version": Cell(cells.plain_text, cells.TEXT_REMEDY, is_nullable=True),
        PERCENTILES: Cell(percentiles_of, _PERCENTILES_REMEDY, is_nullable=True),
        FINDINGS: Cell(_findings, "Write a list of pairs as JSON, each of a rule and its message.", is_nullable=True),
    }
    own |= dict.fromkeys(
        LINES,
        Cell(
            lambda text: max(_whole(text) or 0, 0) or None,
            "Write the number of a line, counted from 1, or nothing.",
            is_nullable=True,
        ),
    )
    return cells.Form(
        {name: _own(columns[name]) for name in OWN} | own,
        [name for name in COLUMNS if name in NEEDED],
        "R-EXCERPT-1",
        "R-EXCERPT-5",
        "Remove it: an excerpt has the columns of results, and those of their origin.",
        REPEATED,
    )


_PERCENTILES_REMEDY = "Write completion:0.5=0.000012,0.95=0.00003;total:0.5=0.000014, kinds and ratios in order."


def _own(column: Column) -> Cell:
    if column.words:
        words = {word: word for word in column.words}
        return Cell(words.get, f"Use one of: {', '.join(column.words)}.", column.nullable)
    read, remedy = _KINDS[column.arrow]
    if column.arrow not in {"int64", "float64"} or column.name in _SIGNED:
        return Cell(read, remedy, column.nullable)
    ends = _ranges().get(column.name, {})
    low, high, is_strict = ends.get("min_value", 0.0), ends.get("max_value", math.inf), ends.get("strict_min", False)

    def within(text: str) -> Any:  # noqa: ANN401  (a whole number or not)
        """Return the number of a cell, null where it is none or out of range."""
        value = read(text)
        is_inside = value is not None and low <= value <= high and not (is_strict and value == low)
        return value if is_inside else None

    span = f"above {low:,g}" if is_strict else f"{low:,g} or more"
    span += "" if math.isinf(high) else f", and at most {high:,g}"
    return Cell(within, f"{remedy} It is {span}.", column.nullable)


def _path(text: str) -> str | None:
    """Return a path inside a repository; one that leaves it, or holds what no path of a repository does, is none."""
    is_inside = not {"", ".", ".."} & set(text.split("/"))
    return text if text.isprintable() and "\\" not in text and is_inside else None


def _whole(text: str) -> int | None:
    return int(text) if _WHOLE.fullmatch(text) else None


def _number(text: str) -> float | None:
    value = float(text) if _NUMBER.fullmatch(text) else math.inf
    return value if math.isfinite(value) else None


def _time(text: str) -> int | None:
    if not _TIME.fullmatch(text):
        return None
    try:
        since = datetime.fromisoformat(text) - _EPOCH
    except ValueError:
        return None
    return (since.days * 86_400 + since.seconds) * _MICROSECOND + since.microseconds


_KINDS: dict[str, tuple[Callable[[str], Any], str]] = {
    "bool": (cells.truth, "Write true or false."),
    "int64": (_whole, "Write a whole number without separators."),
    "float64": (_number, "Write a decimal number such as 0.041 or 4.1e-05."),
    "timestamp[us]": (_time, "Write a time such as 2026-11-22T10:00:00Z."),
    "string": (str, cells.TEXT_REMEDY),
}


def percentiles_of(text: str) -> dict[str, dict[float, float]] | None:
    """Return percentiles by kind of latency, ``{ratio: seconds}``; None where kinds or ratios do not rise in order."""
    found: dict[str, dict[float, float]] = {}
    for part in text.split(";"):
        kind, _, listed = part.partition(":")
        pairs = [
            (_number(ratio), _number(seconds))
            for ratio, _, seconds in (pair.partition("=") for pair in listed.split(","))
        ]
        if kind not in KINDS or kind <= max(found, default="") or any(None in pair for pair in pairs):
            return None
        found[kind] = {ratio: seconds for ratio, seconds in pairs if ratio is not None and seconds is not None}
        ratios = list(found[kind])
        are_sound = all(0 <= ratio <= 1 for ratio in ratios) and min(found[kind].values()) >= 0
        if len(ratios) < len(pairs) or ratios != sorted(ratios) or not are_sound:
            return None
    return found


def percentiles_text(percentiles: Mapping[str, Mapping[float, float]]) -> str:
    """Return percentiles as an excerpt writes them: kinds and ratios in order, numbers as Python's ``repr``."""
    return ";".join(
        f"{kind}:" + ",".join(f"{ratio!r}={float(seconds)!r}" for ratio, seconds in sorted(reported.items()))
        for kind, reported in sorted(percentiles.items())
        if reported
    )


def _findings(text: str) -> list[tuple[str, str]] | None:
    """Return the findings of a result: rules and messages; None for anything else."""
    try:
        listed = json.loads(text)
    except ValueError:
        return None
    if not isinstance(listed, list):
        return None
    pairs = [tuple(each) for each in listed if isinstance(each, list) and list(map(type, each)) == [str, str]]
    is_sound = len(pairs) == len(listed) and all(IDENTIFIER.fullmatch(rule) and message for rule, message in pairs)
    return pairs if is_sound else None


def _report_one_sided(rows: Sequence[Row]) -> Iterator[Finding]:
    """Report every run of reads and writes that has a row for one of them only: its sum is lost."""
    directions: dict[tuple[str, str], set[str]] = {}
    for row in rows:
        key = row.values["origin_sha256"], row.values["origin_repetition"]
        directions.setdefault(key, set()).add(row.values["operation"])
    for row in rows:
        operation, share = row.values["operation"], row.values.get("read_ratio")
        found = directions[row.values["origin_sha256"], row.values["origin_repetition"]]
        if operation in {"read", "write"} and share is not None and 0 < share < 1 and len(found) == 1:
            other = "write" if operation == "read" else "read"
            message = f"the run reads and writes, and there is no row for its {other}s"
            yield Finding("R-EXCERPT-10", message, f"line {row.line}")


def _otherwise(rows: Sequence[Row]) -> Iterator[Refusal]:
    """Report every line that states another hash of a raw file than its first line does."""
    first: dict[str | None, Row] = {}
    for row in rows:
        path, stated = row.values.get("origin_path"), row.values.get("origin_sha256")
        begun = first.setdefault(path, row)
        if None not in {path, stated, known := begun.values.get("origin_sha256")} and stated != known:
            what = f"{path} has another hash in line {begun.line}"
            yield row.refuse("origin_sha256", what, "State the hash of the file that was read.", "R-EXCERPT-8")


def _result(row: Row, repetitions: dict[tuple[str, str], str]) -> Result:
    values = row.values
    origin = Origin(
        path=values["origin_path"],
        sha256=values["origin_sha256"],
        pointer=values["origin_pointer"],
        repetition=values["origin_repetition"],
        line=values["operations_line"] or values["throughput_line"],
        reader_version=values["reader_version"],
        tool=values["tool"],
    )
    own = {name: values[name] for name in OWN if name in values}
    return Result(
        pointer=f"line {row.line}",
        repetition=repetitions[origin.sha256, origin.repetition],
        tool_version=values["tool_version"],
        configuration=values["configuration_id"],
        origin=origin,
        premises=UNTOLD,
        percentiles=values[PERCENTILES] or {},
        **own,
    )
