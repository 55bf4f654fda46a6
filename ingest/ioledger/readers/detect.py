"""
Choose the reader of a file: exactly one, or a refusal.

Readers are the modules and packages of :mod:`ioledger.readers`; nothing lists them. A reader looks at the content only,
because names lie: fio's JSON is found in ``.txt``, ``.log`` and files without a suffix.

Values that no table can store are removed, once for every reader. Whole numbers have 64 bits, other numbers are finite,
times lie in the years 1 to 9999, and text is Unicode without lone surrogates, which no encoding can write. A number
that does not fit is taken as not measured, with a finding; a lone surrogate becomes its escape. So one impossible value
costs neither its file nor the files beside it.
"""

from __future__ import annotations

import importlib
import math
import pkgutil
import re
from functools import cache
from operator import attrgetter
from typing import TYPE_CHECKING, Any, Protocol, cast

import msgspec

from ioledger import checks
from ioledger import readers as package
from ioledger.model import Bins, Checks, Finding, Reading, Refusal, Result, narrow
from ioledger.problems import plain
from ioledger.readers import concurrent, fio
from ioledger.tables.schema import tables

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from ioledger.model import Source

_HEAD = 1 << 16
_UNPACK = "Unpack it, or pack it as zip or tar.xz."
_UNSUPPORTED = (
    (rb"\A7z\xbc\xaf\x27\x1c", "this is a 7-Zip archive, which is not opened", _UNPACK),
    (rb"\ARar!\x1a\x07", "this is a RAR archive, which is not opened", _UNPACK),
    (rb"\A\x28\xb5\x2f\xfd", "this is a zstd archive, which is not opened", _UNPACK),
    (
        rb"CrystalDiskMark \d.{0,80}\(C\)[ \d-]{1,20}hiyohiyo",
        "this is output of CrystalDiskMark, which is not read yet",
        "Run DiskSpd itself, which CrystalDiskMark starts, with -Rxml.",
    ),
    (
        (
            rb"Vdbench [\w ]{0,40}report, created |Vdbench distribution: |'flatfile\.html' contains Vdbench"
            rb"|: Vdbench version identifier|\bStarting RD=[^;\n]{1,200};"
        ),
        "this is output of Vdbench, which is not read yet",
        "Remove it, or submit it as an attachment; `ioledger tools` lists the formats that are read.",
    ),
)


def refuse_unsupported(data: bytes) -> Refusal | None:
    """Return that these bytes are of a tool or an archive that is not read yet, and what to do; null for any other."""
    head = narrow(data[:_HEAD])
    found = ((what, remedy) for shape, what, remedy in _UNSUPPORTED if re.search(shape, head))
    return next((Refusal("", what, remedy, "R-DETECT-5") for what, remedy in found), None)


HEAD_BYTES = 1 << 20
"""Where a format shows itself, unless something else wrote before it."""
MAX_FILE_BYTES = 512 << 20
MAX_TEXT_BYTES, MAX_LINES = 64 << 20, 1_000_000
"""Of a file that is more than one JSON report of fio: reading a text takes many times its size."""
NOTHING = Checks({}, {})
"""A reader without ``CHECKS`` has no checks, such as that of publications."""


class Reader(Protocol):
    """
    What a module in :mod:`ioledger.readers` offers; ``CHECKS`` too, where figures of the tool can be asked.

    ``VERSIONS`` says which version reads a format, by the first word of that. It is raised whenever the same bytes give
    other rows; a number that moved is then known to have moved because of it.
    """

    TOOL: str
    FORMATS: tuple[str, ...]
    VERSIONS: Mapping[str, str]

    def claims(self, head: bytes) -> bool:
        """Say whether these first bytes (1 MiB at most) are this tool's output."""

    def read(self, source: Source) -> Reading:
        """Turn a whole file into the normal form; bad bytes give refusals, never exceptions."""


@cache
def readers() -> tuple[Reader, ...]:
    """Return every reader, sorted by name: the modules of this package that have ``claims``."""
    names = sorted(module.name for module in pkgutil.iter_modules(package.__path__))
    modules = (importlib.import_module(f"{package.__name__}.{name}") for name in names)
    return tuple(cast("Reader", module) for module in modules if hasattr(module, "claims"))


def detect(source: Source) -> Reader | Refusal:
    """Return the reader that recognises the file, or a refusal."""
    if not source.data.strip(b"\0 \t\r\n"):
        return Refusal("", "the file is empty", "Submit the file as the tool wrote it.", "R-DETECT-2")
    claimants = [reader for reader in readers() if reader.claims(source.data[:HEAD_BYTES])]
    if len(claimants) == 1:
        lines = source.data.count(b"\n") + source.data.count(b"\r")
        if len(source.data) <= MAX_TEXT_BYTES and lines <= MAX_LINES:
            return claimants[0]
        what = f"the text has {len(source.data):,} bytes and {lines:,} lines, more than the {MAX_TEXT_BYTES:,} or"
        what += f" {MAX_LINES:,} that are read"
        return Refusal("", what, "Split the file, or submit fio's JSON report.", "R-DETECT-4")
    if claimants:
        names = " and ".join(reader.TOOL for reader in claimants)
        return Refusal("", f"{names} both recognise this file", "Submit one tool's output per file.", "R-DETECT-3")
    return refuse_unsupported(source.data) or Refusal(
        "",
        "no reader recognises this file",
        "Submit the tool's own output, unedited; `ioledger tools` lists the formats that are read.",
        "R-DETECT-1",
    )


def read(source: Source) -> Reading:
    """Read a file with the reader that claims it; what cannot be read has refusals, and a fault of a reader is one."""
    tool, checks_of, versions = fio.TOOL, fio.CHECKS, fio.VERSIONS
    try:
        reading = fio.read_whole(source)  # one report of fio, as most files are, can hold nothing else
        if reading is None:
            reader = detect(source)
            if isinstance(reader, Refusal):
                return Reading(tool="unknown", refusals=[reader])
            tool, checks_of, versions = reader.TOOL, getattr(reader, "CHECKS", NOTHING), dict(reader.VERSIONS)
            reading = fio.read_parts(source) if tool == fio.TOOL else reader.read(source)
        reading.versions = versions
        fit(reading)
        if any(result.origin for result in reading.results[:1]):
            _check_excerpt(reading)
        else:
            checks.check(reading, checks_of)
            concurrent.add(reading, without=source.without)  # of figures that nothing refutes
    except Exception as error:  # noqa: BLE001  (the last line of defence for files of strangers)
        what = f"the {tool} reader failed ({type(error).__name__})"
        remedy = "This is a fault of ioledger: please report it with the file."
        return Reading(tool=tool, refusals=[Refusal("", what, remedy, "R-READ-1")])
    return reading


def _check_excerpt(reading: Reading) -> None:
    """Check excerpted results as those of their tools' files; add only findings that the excerpt does not state yet."""
    checks_of = {reader.TOOL: getattr(reader, "CHECKS", NOTHING) for reader in readers()}
    repetitions = {result.pointer: result.repetition for result in reading.results}
    known = {(finding.rule, repetitions.get(finding.pointer)) for finding in reading.warnings}
    by_tool: dict[str, list[Result]] = {}
    for result in reading.results:
        by_tool.setdefault(result.origin.tool if result.origin else "", []).append(result)
    for tool, results in by_tool.items():
        asked = Reading(tool=tool, results=results)
        checks.check(asked, checks_of.get(tool, NOTHING))
        reading.warnings += [
            finding
            for finding in asked.warnings
            if (finding.rule, repetitions.get(finding.pointer, finding.pointer)) not in known
        ]


def too_large(size: int) -> Refusal | None:
    """Say when this many bytes are more than what is read into memory (512 MiB)."""
    if size <= MAX_FILE_BYTES:
        return None
    what = f"the file has {size:,} bytes, more than the {MAX_FILE_BYTES:,} that are read"
    return Refusal("", what, "Split the run into several files.", "R-DETECT-4")


BOUND = 2**63
_EXACT = 2**53
"""Up to here a whole number is one of 64 bits and a float alike; Arrow takes no larger one for a float."""
FIRST, LAST = -62_135_596_800_000_000, 253_402_300_799_999_999
"""Microseconds from 1970 to the begin of the year 1 and the end of the year 9999, which is what a date can be."""
_KINDS = {column.name: column.arrow for column in tables()["results"].columns}
_OWN = [("pointer", "string"), ("repetition", "string")]
_OWN += [(name, _KINDS[name]) for name in Result.__struct_fields__ if name in _KINDS]
_NUMBERS = frozenset({"int64", "float64", "timestamp[us]"})
_NUMERIC = (int, float)
_numbers_of = attrgetter(*(name for name, kind in _OWN if kind in _NUMBERS))
_texts_of = attrgetter(*(name for name, kind in _OWN if kind == "string"))


def fit(reading: Reading) -> None:
    """Remove values that no table can store, with a finding for each number."""
    found: list[Finding] = []
    for result in reading.results:
        # nor is a time then beyond its years
        if not _are_small(_numbers_of(result)) or not _are_plain(_texts_of(result)):
            found += _of_result(result)
        if not all(_are_finite(each) and _are_finite(each.values()) for each in result.percentiles.values()):
            found += _of_percentiles(result)
        if result.bins:
            found += _of_bins(result)
    for table, rows in reading.rows.items():
        values = [value for row in rows for value in row.values() if value is not None]
        texts = [value for value in values if isinstance(value, str)]
        if not _are_small([value for value in values if isinstance(value, _NUMERIC)]) or not _are_plain(texts):
            found += _of_rows(table, rows)
    if found:
        reading.warnings = reading.warnings + found
    if reading.warnings and not _are_plain(finding.message + finding.pointer for finding in reading.warnings):
        replace = msgspec.structs.replace
        reading.warnings = [
            replace(each, message=plain(each.message), pointer=plain(each.pointer)) for each in reading.warnings
        ]


def _are_small(values: Iterable[float | None]) -> bool:
    """Say whether all values certainly fit; the sum of a value that is not a number is none either."""
    return sum(map(abs, filter(None, values))) < _EXACT


def _are_finite(values: Iterable[float]) -> bool:
    """Say whether all values are finite; an overflowing sum of finite numbers counts as not finite."""
    try:
        return math.isfinite(sum(values))
    except OverflowError:
        return False


def _are_plain(texts: Iterable[str | None]) -> bool:
    joined = "".join(filter(None, texts))
    return joined.isascii() or plain(joined) == joined


def _coerce_value(kind: str, value: Any) -> tuple[Any, str | None]:  # noqa: ANN401  (a value of any column)
    """Return a value as a column of this kind stores it, or None with the reason."""
    if kind == "string" and value is not None:
        return plain(value), None
    if value is None or kind not in _NUMBERS:
        return value, None
    if kind == "timestamp[us]":
        return (value, None) if FIRST <= value <= LAST else (None, "is outside the years 1 to 9999")
    if kind == "int64":
        return (value, None) if -BOUND <= value < BOUND else (None, "is a number of more than 64 bits")
    try:
        value = float(value)
    except OverflowError:
        value = math.inf
    return (value, None) if math.isfinite(value) else (None, "is not a finite number")


def _finding(name: str, why: str, pointer: str) -> Finding:
    return Finding("R-READ-6", f"{name} {why} and counts as not measured", plain(pointer))


def _of_result(result: Result) -> Iterator[Finding]:
    for name, kind in _OWN:
        value, why = _coerce_value(kind, getattr(result, name))
        setattr(result, name, value)
        if why is not None:
            yield _finding(name, why, result.pointer)


def _of_percentiles(result: Result) -> Iterator[Finding]:
    for kind, reported in result.percentiles.items():
        percentiles = {ratio: seconds for ratio, seconds in reported.items() if _are_finite((ratio, seconds))}
        result.percentiles = {**result.percentiles, kind: percentiles}
        if len(percentiles) < len(reported):
            yield _finding(f"a percentile of the {kind} latency", "is not a finite number", result.pointer)


def _of_bins(result: Result) -> Iterator[Finding]:
    for kind, filled in result.bins.items():
        are_edges = _are_finite(filled.lows) and _are_finite(filter(None, filled.highs))
        if are_edges and max(filled.counts, default=0) < BOUND:
            continue
        bins = [
            (low, high, count)
            for low, high, count in filled.rows()
            if math.isfinite(low) and (high is None or math.isfinite(high)) and count < BOUND
        ]
        if len(bins) < len(filled.lows):
            result.bins = {**result.bins, kind: Bins.of(bins)}
            yield _finding(f"a bin of the {kind} latency", "is not a number that a column can store", result.pointer)


def _of_rows(table: str, rows: list[dict[str, Any]]) -> Iterator[Finding]:
    """Mend the rows that a reader made for another table, with one finding for each column."""
    for column in tables()[table].columns:
        first: Finding | None = None
        for row in rows:
            row[column.name], why = _coerce_value(column.arrow, row.get(column.name))
            if why is not None and first is None:
                first = _finding(column.name, why, str(row.get("pointer") or ""))
        if first is not None:
            yield first
