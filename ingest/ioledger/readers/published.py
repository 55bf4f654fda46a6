"""
published: figures, provenance, contradictions and claims transcribed from a publication, and replies, as CSV.

Claims  a CSV file whose header holds the identifier and at least half of the columns of one of the five tables.
Emits   one result per measured rate, throughput or latency that has a configuration; and the rows of the table.
Units   as printed: IO/s and IOPS; KB/s, MB/s and GB/s with their base; s, ms, µs and ns. Ranges keep a null measure.
Source  ``schemas/tables/figures.schema.json`` and its neighbours, which define every column.

A printed number always stays as printed. It becomes a result when it is a measured rate, throughput or latency of a
known configuration; a bound or an approximate number is stored as the measure too, and ``value_kind`` says so.
"""

from __future__ import annotations

import re
from contextlib import suppress
from datetime import date, datetime
from fractions import Fraction
from functools import cache
from typing import TYPE_CHECKING, Any

from msgspec.structs import replace

from ioledger.model import Origin, Reading, Refusal, Result
from ioledger.readers import UnitError, cells, in_base_unit
from ioledger.tables.schema import tables

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from ioledger.model import Source
    from ioledger.readers.cells import Row
    from ioledger.tables.schema import Column

TOOL = "published"
FORMATS = (
    "figures.csv: one line per printed number",
    "provenance.csv: one line per fact about what was tested",
    "contradictions.csv: one line per conflict inside or between publications",
    "claims.csv: one line per claim and its operands",
    "replies.csv: one line per reply to a claim, of this or another submission",
)
VERSIONS = {"figures": "0.2.0", "provenance": "0.1.0", "contradictions": "0.1.0", "claims": "0.2.0", "replies": "0.1.0"}
"""What is read, by the first word of the format; see :class:`ioledger.readers.detect.Reader`."""
IDENTIFIERS = {
    "figures": "figure_id",
    "provenance": "provenance_id",
    "contradictions": "contradiction_id",
    "claims": "claim_id",
    "replies": "reply_id",
}
CLOSED = {
    "formula": ("ratio", "difference", "percent_change", "bound", "count", "geomean", "qualitative", "series", "none"),
    "quantifier": ("all", "almost_all"),
}
"""Words of the closed columns of claims.csv."""


def claims(head: bytes) -> bool:
    """Say whether the first line is the header of one of the five tables."""
    return _table(head) is not None


def read(source: Source) -> Reading:
    """Return the rows of the table, the results among its figures, and a refusal for every bad cell."""
    table = _table(source.data) or "figures"
    identifier = IDENTIFIERS[table]
    columns = _columns(table)
    optional = OPTIONAL if table == "figures" else ()
    form = cells.Form(
        {column.name: _cell_of(column) for column in columns},
        [column.name for column in columns if column.name not in optional],
        "R-CELL-1",
        "R-CELL-2",
        "Remove the column, and use an existing column for its content.",
    )
    rows, refusals = cells.read_rows(source.data, form)
    for row, line in cells.find_repeated(rows, (identifier,)):
        what = f"{row.values[identifier]} is already in line {line}"
        refusals.append(row.refuse(identifier, what, "Give each line a name of its own.", "R-FIGURE-1"))
    reading = Reading(tool=TOOL, source_format=table, document_count=1, refusals=refusals, rows={table: []})
    has_place = "source_pointer" in tables()[table].column_names
    for row in (row for row in rows if row.is_sound):
        if table != "figures":
            place = {"source_pointer": f"line {row.line}"} if has_place else {}
            reading.rows[table].append({name: _number(value) for name, value in row.values.items()} | place)
        elif wrong := list(_find_problems(row)):
            reading.refusals += wrong
        else:
            result = _make_result(row) if _is_result(row) else None
            reading.rows[table].append(_make_row(row, result))
            reading.results += [] if result is None else [result]
    return reading


def _table(head: bytes) -> str | None:
    """Return the table whose header the first line is, even if a column is missing or added."""
    header = cells.read_header(head)
    for table, identifier in IDENTIFIERS.items():
        if identifier in header:
            names = {column.name for column in _columns(table)}
            if 2 * len(names & header) >= len(names):
                return table
    return None


@cache
def _columns(table: str) -> tuple[Column, ...]:
    """Return the columns of a table's file: those of the table without what the manifest supplies."""
    if table == "figures":
        return tuple(_columns_of_figures())
    supplied = {"submission_id", "source_sha256", "file_id", "source_pointer", "known_from"}
    columns = (column for column in tables()[table].columns if column.name not in supplied)
    return tuple(replace(each, words=CLOSED[each.name]) if each.name in CLOSED else each for each in columns)


COLUMNS = (
    *("figure_id", "is_canonical", "quantity", "statistic", "record_kind", "value_kind", "configuration_id", "device"),
    *("load_profile", "operation", "access_pattern", "read_ratio", "block_size_bytes"),
    *("queue_depth", "queue_depth_low", "queue_depth_high", "queue_depth_origin"),
    *("outstanding_per_target_count", "target_count", "process_count", "load_basis"),
    *("printed_value", "printed_low", "printed_high", "printed_unit", "unit_base", "printed_text"),
    *("qualifier", "section", "line", "other_locator", "wording_note", "note"),
)
PLACE = ("origin_path", "origin_sha256", "origin_pointer")
"""Place of a figure in a file published elsewhere: all three, or none."""
OPTIONAL = ("started_at", "sync_after", *PLACE)
"""Columns that a file may leave out, beyond those that each has."""
RENAMED = {"unit_base": "unit_basis"}
BASES = {"operations_per_second": "operations_basis", "throughput_bytes_per_second": "throughput_basis"}
_MEASURES = {
    "operations_per_second": ("operations_per_second", "operations"),
    "throughput": ("throughput_bytes_per_second", "throughput"),
    "latency": ("latency_mean_seconds", "time"),
}
"""Quantities that are results: their column, and what their units are of."""
_ENDS = {"minimum": "min", "maximum": "max"}
SYNC_OPTIONS = {
    "fsync": '{"fsync":"1"}',
    "fdatasync": '{"fdatasync":"1"}',
    "o_sync": '{"sync":"sync"}',
    "o_dsync": '{"sync":"dsync"}',
}
"""The option of fio that does what ``sync_after`` says, so that the load is the same as one that fio reports."""
SHA256 = re.compile(r"[0-9a-f]{64}")
_WHOLE, _DECIMAL = re.compile(r"[0-9]{1,18}"), re.compile(r"-?[0-9]{1,18}(\.[0-9]{1,18})?")
SLUG = re.compile(r"[a-z][a-z0-9_]*")
SAME = (
    *("operation", "access_pattern", "block_size_bytes", "load_profile", "queue_depth", "queue_depth_low"),
    *("queue_depth_high", "queue_depth_origin", "outstanding_per_target_count", "target_count", "process_count"),
    *("load_basis", "value_kind", "statistic", "qualifier", "is_canonical", "printed_unit", "printed_text"),
)


def _columns_of_figures() -> Iterator[Column]:
    """Give the columns of figures.csv: those of the figures table, and of the results table for the load."""
    figure, result = ({column.name: column for column in tables()[name].columns} for name in ("figures", "results"))
    for name in (*COLUMNS, *OPTIONAL):
        column = RENAMED.get(name, name)
        own, shared = figure.get(column), result.get(column)
        if own:
            yield replace(own, name=name, words=own.words or (shared.words if shared else ()))
        elif shared:
            yield replace(shared, name=name, nullable=True)


def _cell_of(column: Column) -> cells.Cell:
    """Return what a column of a publication's table may hold; numbers become exact fractions."""
    if column.is_date:
        return cells.Cell(_day, "Write a day such as 2026-11-27.", column.nullable)
    if column.words:
        words = {word: word for word in column.words}
        return cells.Cell(words.get, f"Use one of: {', '.join(column.words)}.", column.nullable)
    return cells.Cell(*_KINDS[column.arrow], column.nullable)


def _day(text: str) -> str | None:
    """Return a day of the calendar as ISO 8601 writes it; None for any other text."""
    with suppress(ValueError):
        return text if date.fromisoformat(text).isoformat() == text else None
    return None


def _microseconds(text: str) -> int | None:
    """Return a time in UTC (``2024-11-29T15:29:51Z``) in microseconds since 1970-01-01; None for any other text."""
    with suppress(ValueError):
        moment = datetime.strptime(text, "%Y-%m-%dT%H:%M:%S%z")
        return int(moment.timestamp()) * 1_000_000 if text.endswith("Z") else None
    return None


_KINDS: dict[str, tuple[Callable[[str], Any], str]] = {
    "bool": (cells.truth, "Write true or false."),
    "int64": (lambda text: int(text) if _WHOLE.fullmatch(text) else None, "Write a whole number without separators."),
    "float64": (
        lambda text: Fraction(text) if _DECIMAL.fullmatch(text) else None,
        "Write a plain decimal number such as 0.041.",
    ),
    "timestamp[us]": (_microseconds, "Write a time in UTC such as 2024-11-29T15:29:51Z."),
    "string": (cells.plain_text, cells.TEXT_REMEDY),
}


def _is_result(row: Row) -> bool:
    """Say whether a figure is a measurement of storage that the results table can hold."""
    # A median latency is not: it is no mean, and as a percentile it would need to say of what.
    is_measured = row.values["record_kind"] == "measured" and row.values["configuration_id"] is not None
    is_median_latency = (row.values["quantity"], row.values["statistic"]) == ("latency", "median")
    return is_measured and row.values["quantity"] in _MEASURES and not is_median_latency


def _find_problems(row: Row) -> Iterator[Refusal]:
    values = row.values
    if not SLUG.fullmatch(values["quantity"]):
        remedy = "Write one word in lower-case letters, such as throughput or price."
        yield row.refuse("quantity", f"{values['quantity']!r} is not a quantity", remedy, "R-FIGURE-1")
    yield from _range(row)
    yield from _place(row)
    if values["read_ratio"] is not None and not 0 <= values["read_ratio"] <= 1:
        what = "the share of reads is not between 0 and 1"
        yield row.refuse("read_ratio", what, "Write 67 % as 0.67.", "R-FIGURE-1")
    parts = values["outstanding_per_target_count"], values["target_count"], values["queue_depth"]
    if None not in parts and parts[0] * parts[1] != parts[2]:
        what = f"{parts[0]} per target on {parts[1]} targets is not {parts[2]}"
        yield row.refuse("queue_depth", what, "Write the total over all targets.", "R-FIGURE-1")
    if _is_result(row):
        yield from _measurement(row)


def _measurement(row: Row) -> Iterator[Refusal]:
    for column in ("statistic", "operation"):
        if row.values[column] is None:
            what = "the cell is empty, and a measurement needs it"
            yield row.refuse(column, what, "Fill it, or give the line another record_kind.", "R-FIGURE-1")
    try:
        _measures(row)
    except UnitError as error:
        remedy = "Write the unit as printed, with its base in unit_base."
        yield row.refuse("printed_unit", str(error), remedy, "R-FIGURE-1")


def _range(row: Row) -> Iterator[Refusal]:
    """Give what is wrong with the number: a range has two ends in order, anything else has a single value."""
    value, low, high = (row.values[f"printed_{name}"] for name in ("value", "low", "high"))
    if row.values["value_kind"] == "range":
        if value is not None or low is None or high is None or low > high:
            what = "a range needs printed_low and printed_high, in order, and no printed_value"
            remedy = "Fill the two ends and leave printed_value empty."
            yield row.refuse("printed_value", what, remedy, "R-FIGURE-1")
    elif value is None or low is not None or high is not None:
        what = "a single number needs printed_value, and no printed_low or printed_high"
        remedy = "Fill printed_value, or make value_kind a range."
        yield row.refuse("printed_value", what, remedy, "R-FIGURE-1")


def _place(row: Row) -> Iterator[Refusal]:
    """Yield the faults in the place of a figure in a file published elsewhere."""
    said = {name: row.values.get(name) for name in PLACE}
    if any(said.values()):
        for name in (name for name, value in said.items() if value is None):
            what = "the cell is empty, and the figure names a file of another place"
            yield row.refuse(name, what, f"Fill all of {', '.join(PLACE)}, or none.", "R-FIGURE-1")
        if said["origin_sha256"] is not None and not SHA256.fullmatch(said["origin_sha256"]):
            what = f"{said['origin_sha256']!r} is no SHA-256"
            yield row.refuse("origin_sha256", what, "Write 64 hexadecimal digits in lower case.", "R-FIGURE-1")


def _measures(row: Row) -> dict[str, float | None]:
    """Return the measure of a result in SI units by column; None for a range and for a throughput of unknown base."""
    # Raises :class:`UnitError` when the unit does not fit the quantity.
    values = row.values
    # A range is converted too, at its lower end, so that its unit is checked.
    value = values["printed_low"] if values["printed_value"] is None else values["printed_value"]
    value = Fraction(0) if value is None else value
    column, dimension = _MEASURES[values["quantity"]]
    if dimension == "time":
        column = f"latency_{_ENDS.get(values['statistic'], 'mean')}_seconds"
    measure = in_base_unit(value, values["printed_unit"], dimension, values["unit_base"])
    return {column: None if values["printed_value"] is None else measure}


def _make_result(row: Row) -> Result:
    """Return the result that a sound figure is; its pointer is its line."""
    values, pointer = row.values, f"line {row.line}"
    is_minimum = values["quantity"] == "latency" and values["statistic"] == "minimum"
    printed = {name: _number(values[name]) for name in ("printed_value", "printed_low", "printed_high")}
    measured = _measures(row)
    bases = {basis: "printed" for column, basis in BASES.items() if measured.get(column) is not None}
    fields: dict[str, Any] = {name: values[name] for name in SAME} | measured | bases | printed
    origin = None  # of a figure in a file published elsewhere, which no reader of this project read
    if values.get("origin_path") is not None:
        path, sha256, place = (values[name] for name in PLACE)
        origin = Origin(path=path, sha256=sha256, pointer=place, repetition=place, reader_version=None, tool=TOOL)
    return Result(
        pointer=pointer,
        repetition=pointer,
        source_format="figures",
        scope="publication",
        configuration=values["configuration_id"],
        read_ratio=_number(values["read_ratio"]),
        unit_basis=values["unit_base"],
        latency_kind="minimum" if is_minimum else None,
        started_at=values.get("started_at"),
        job_options=SYNC_OPTIONS.get(values.get("sync_after") or ""),
        origin=origin,
        **fields,
    )


def _make_row(row: Row, became: Result | None) -> dict[str, Any]:
    """Return a figure's row for the figures table; ``pointer`` and ``origin`` are those of the result it became."""
    names = {column: name for name, column in RENAMED.items()}
    own = (*COLUMNS, "sync_after")
    columns = [column for column in tables()["figures"].column_names if names.get(column, column) in own]
    values = {column: _number(row.values.get(names.get(column, column))) for column in columns}
    elsewhere = {"origin": became.origin} if became and became.origin else {}
    return {**values, **elsewhere, "source_pointer": f"line {row.line}", "pointer": became.pointer if became else None}


def _number(value: Any) -> Any:  # noqa: ANN401  (any value of a cell)
    return float(value) if isinstance(value, Fraction) else value
