"""
The raw tables of submissions: the rows that their manifests give, and those of the files they list.

An unknown value is null in the tables of manifests; the provenance table keeps the reason and how each value is known.
What does not exist on this hardware is ``not applicable`` in columns of text, and null in columns of numbers: how it is
known tells it from what is unknown.
"""

from __future__ import annotations

from datetime import date, datetime
from fractions import Fraction
from functools import cache
from typing import TYPE_CHECKING, Any

import pyarrow as pa
import pyarrow.compute as pc

from ioledger import claims
from ioledger.claims.printed import fraction, half_unit
from ioledger.comparison import limit
from ioledger.readers import derived_csv
from ioledger.submission import NOT_APPLICABLE, parse_value, shape
from ioledger.submission.shape import line_of, schema_of
from ioledger.tables import arrow, columns
from ioledger.tables.arrow import histogram_rows
from ioledger.tables.columns import (
    DISKS,
    Part,
    file_id,
    file_status,
    finding_rows,
    identity,
    mark_duplicates,
    reader_columns,
    with_documents,
)
from ioledger.tables.schema import Column, Table, arrow_schema, tables
from ioledger.tables.store import faults, from_rows, in_order

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from ioledger.problems import Problem
    from ioledger.submission import Known, Submission
    from ioledger.submission.files import FileRead, Gathered

Row = dict[str, Any]
SECTIONS = ("system", *shape.SECTIONS)
NO_SUCH = "not applicable"
_BOUNDS = {"lower_bound": "value_low", "upper_bound": "value_high"}
"""By kind of value, the end that a bound states; the other one is open."""


def raw_tables(gathered: Gathered) -> tuple[dict[str, pa.Table], list[Problem]]:
    """Return every raw table by name, sorted, and its faults (a key that stands twice, a missing value)."""
    return together([rows_of(gathered)])


def rows_of(gathered: Gathered) -> dict[str, pa.Table]:
    """Return the rows of submissions by table, in no order; none depends on a submission beside them."""
    lists: dict[str, list[Row]] = {name: [] for name in tables()}
    for submission in gathered.submissions:
        for name, found in manifest_rows(submission).items():
            lists[name] += found
    parts: list[Part] = []
    replaced = {each.id for each in gathered.submissions if each.is_excerpt and each.status["state"] == "superseded"}
    for read in gathered.files:
        row = _file_row(read)
        if read.submission_id in replaced and read.reading is not None and read.reading.tool == derived_csv.TOOL:
            # the ids of its rows are those of the raw files, and stand in what takes its place
            lists["files"].append(row | {"result_count": 0, "finding_count": 0})
            continue
        lists["files"] += with_documents(row, read.reading)
        if read.reading is None or read.role == "preparation":
            continue
        configuration, repetition = read.entry.get("configuration"), read.entry.get("repetition")
        part = Part(read.reading, read.sha256, read.path, read.submission_id, configuration, repetition, read.run)
        if read.role != "log":  # a log repeats in time what the result file sums up: samples only
            parts.append(part)
        lists["findings"] += finding_rows(part, is_tied=read.role != "log" or read.run is not None)
        for name, found in read.reading.rows.items():
            lists[name] += (_with_source(row, read, tables()[name]) for row in found)
    lists["files"].sort(key=lambda row: (row["submission_id"], row["path"]))
    mark_duplicates(lists["files"], {})
    made = {name: from_rows(tables()[name], found) for name, found in lists.items()}
    tied = [(read.run, read.reading) for read in gathered.files if read.run is not None and read.reading is not None]
    ids = columns.result_ids(parts)
    for name, make in arrow.MADE.items():
        arrays, schema = make(parts, ids), arrow_schema(tables()[name])
        made[name] = pa.Table.from_arrays([arrays[column] for column in schema.names], schema=schema)
    bins = made["latency_bins"]
    added = histogram_rows(bins["result_id"].to_pylist(), bins["latency_kind"].to_pylist(), tied)
    return made | {"latency_bins": pa.concat_tables([bins, from_rows(tables()["latency_bins"], added)])}


def together(several: Sequence[Mapping[str, pa.Table]]) -> tuple[dict[str, pa.Table], list[Problem]]:
    """Return every raw table of what :func:`rows_of` gave, sorted, with the verdicts on all claims, and its faults."""
    made = {name: pa.concat_tables([each[name] for each in several]) for name in tables()}
    loads = made["results"].select(["result_id", *claims.LOAD])
    loads = loads.filter(pc.is_in(loads["result_id"], made["figures"]["result_id"].combine_chunks()))
    ledger = [made["claims"], made["figures"], loads]
    judged = claims.judge_claims(*(table.to_pylist() for table in ledger))
    made["claim_verdicts"] = from_rows(tables()["claim_verdicts"], judged)
    built = {name: in_order(tables()[name], table) for name, table in made.items()}
    return built, [problem for name, table in built.items() for problem in faults(tables()[name], table)]


def _context(read: FileRead) -> Row:
    """Return what only the manifest and the bytes tell of a file."""
    return {
        "file_id": read.file_id,
        "submission_id": read.submission_id,
        "configuration_id": read.entry.get("configuration"),
        "source_sha256": read.sha256,
        "source_path": read.path,
        "repetition_index": read.entry.get("repetition"),
    }


def _with_source(row: Row, read: FileRead, table: Table) -> Row:
    """Complete a row that a reader made for another table with what the reader cannot tell."""
    whole = {name: value for name, value in _context(read).items() if name in table.column_names} | row
    pointer, origin = whole.pop("pointer", None), whole.pop("origin", None)
    if table.name == DISKS:
        return columns.with_repetition(whole, read.sha256)
    if table.name == "samples":
        untied = {"result_id": None} if read.role == "log" else {}  # the results of a log are not published
        return whole | (read.run.ids(row["operation"]) if read.run else untied)
    if table.name == "figures":
        whole |= rounding_interval(whole)
    if "result_id" in table.column_names:
        place = (origin.sha256, origin.pointer) if origin else (read.sha256, pointer)
        whole["result_id"] = identity(*place) if pointer is not None else None
    return whole


def _file_row(read: FileRead) -> Row:
    """Return what was handed in and what became of it; a job file or an attachment is kept, and not read by itself."""
    linked = read.entry.get("run") or read.entry.get("job")
    row = {
        **_context(read),
        "path": read.path,
        "size_bytes": read.size,
        "role": read.role,
        **reader_columns(read.reading),
        "linked_file_id": file_id(linked, read.submission_id) if linked else None,
        "link_origin": "manifest" if linked else None,
    }
    if read.reading is None:
        return row | {"status": "ignored", "reason": f"a file with the role {read.role} is stored, not read on its own"}
    if read.role in {"preparation", "log"}:
        row["result_count"] = 0
    if read.role == "preparation":
        row["finding_count"] = 0
    return row | file_status(read.reading.refusals)


def rounding_interval(figure: Mapping[str, Any]) -> dict[str, float | str | None]:
    """Return low, high and kind of uncertainty of a printed figure, in its unit; a null end is open or not known."""
    value, kind = figure["printed_value"], figure["value_kind"]
    ends: dict[str, float | str | None] = {"value_low": None, "value_high": None, "uncertainty_kind": "none"}
    if value is None:
        if figure["printed_low"] is None and figure["printed_high"] is None:
            return ends
        low, high = figure["printed_low"], figure["printed_high"]
        return {"value_low": low, "value_high": high, "uncertainty_kind": "bound"}
    if kind in _BOUNDS:
        return ends | {_BOUNDS[kind]: value, "uncertainty_kind": "bound"}
    exact = fraction(value)
    half = half_unit(exact, figure["printed_text"])
    if kind == "approximate":
        half = max(half, abs(exact) * Fraction(repr(limit("approximate_share"))))
    return {"value_low": float(exact - half), "value_high": float(exact + half), "uncertainty_kind": "rounding"}


@cache
def list_required() -> dict[str, tuple[str, ...]]:
    """Return the fields that a manifest must state, by section (``device`` for drives)."""
    parts = {**{name: name for name in shape.SECTIONS}, "system": "systems", "device": "devices"}
    return {name: tuple(schema_of(part)["required"]) for name, part in parts.items()}


@cache
def closed_words(section: str, field: str) -> frozenset[str]:
    """Return the words of a closed list of ``systems``, ``devices`` or a section of a configuration."""
    return frozenset(schema_of(section)["properties"][field]["anyOf"][0]["enum"]) - {"unknown"}


def manifest_rows(submission: Submission) -> dict[str, list[Row]]:
    """Return the rows of a submission's manifest by table name."""
    manifest = submission.manifest
    is_measured = submission.is_excerpt or manifest["source_type"] == "raw_tool_output"
    how = "declared" if is_measured else "stated"
    rows: dict[str, list[Row]] = {
        name: [] for name in ("submissions", "configurations", "drives", "settings", "provenance", "reservations")
    }
    rows["submissions"].append(_submission_row(submission))
    for name, configuration in manifest["configurations"].items():
        system = dict(manifest["systems"][configuration["system"]])
        if is_measured and parse_value(system.get("bench_key", "unknown")).value is None:
            # what one submission ran on one machine, it ran on one bench; a transcriber's entry shows nothing
            system["bench_key"] = f"{submission.id}/{configuration['system']}"
        whole = {**configuration, "system": system}
        rows["configurations"].append(_configuration_row(submission, name, whole, how))
        rows["drives"] += _drive_rows(submission, name, configuration)
        rows["settings"] += _setting_rows(submission, name, whole, how)
        rows["reservations"] += [
            {"operation": None} | stated | {
                "submission_id": submission.id, "configuration_id": name, "reservation_index": index,
            }
            for index, stated in enumerate(configuration.get("reservations", ()), 1)
        ]  # fmt: skip
    rows["provenance"] += _provenance(submission, how)
    return rows


def _submission_row(submission: Submission) -> Row:
    manifest = submission.manifest
    status, citation, origin = (manifest.get(name, {}) for name in ("status", "citation", "origin"))
    statement, retrieved = parse_value(origin.get("statement")), origin.get("retrieved_on")
    changed, tested = status.get("changed_on"), manifest["tested_on"]
    return {
        **{name: value for name, value in manifest.items() if not isinstance(value, dict | list)},
        "submission_id": submission.id,
        "manifest_sha256": submission.sha256,
        "submitted_on": date.fromisoformat(manifest["submitted_on"]),
        "tested_on": None if tested == "unknown" else tested,
        "status": status.get("state", "active"),
        "status_reason": status.get("reason"),
        "status_changed_on": date.fromisoformat(changed) if changed else None,
        "superseded_by": status.get("superseded_by"),
        **{f"citation_{part}": value for part, value in citation.items()},
        **{f"origin_{part}": value for part, value in origin.items()},
        "origin_retrieved_on": date.fromisoformat(retrieved) if retrieved else None,
        "origin_statement": statement.value,
        "origin_statement_note": statement.note,
    }


def _configuration_row(submission: Submission, name: str, whole: Row, how: str) -> Row:
    row: Row = dict.fromkeys(tables()["configurations"].column_names)
    for section in SECTIONS:
        row.update({field: _cell(field, stated) for field, stated in whole[section].items() if field in row})
    setting_set = parse_value(whole.get("setting_set", "unknown"), how)
    required_count = sum(map(len, list_required().values()))
    known_count = required_count - len(find_unknown(submission.manifest, name))
    data = [drive["count"] for drive in whole["storage"].get("drives", ()) if drive.get("role", "data") == "data"]
    row.update(
        submission_id=submission.id,
        configuration_id=name,
        title=whole["title"],
        conditions=whole.get("conditions"),
        setting_set=_cell("setting_set", whole.get("setting_set", "unknown")),
        setting_set_origin=setting_set.how if setting_set.value is not None else None,
        drive_count=sum(data) if data else None,
        known_field_count=known_count,
        required_field_count=required_count,
        completeness_ratio=known_count / required_count,
    )
    return row


def find_unknown(manifest: dict[str, Any], name: str) -> dict[str, str]:
    """Return the reasons of a configuration's required values that are unknown, by section and field."""
    configuration = manifest["configurations"][name]
    drives = configuration["storage"].get("drives", ())
    parts = {section: [configuration[section]] for section in shape.SECTIONS}
    parts["system"] = [manifest["systems"][configuration["system"]]]
    parts["device"] = [manifest["devices"][drive["device"]] for drive in drives]
    reasons = {}
    for section, fields in list_required().items():
        for field in fields:
            unknown = [value for part in parts[section] if not (value := parse_value(part[field])).is_known]
            if unknown or not parts[section]:
                reasons[f"{section}.{field}"] = (unknown[0].note if unknown else None) or "not stated"
    return reasons


@cache
def _columns() -> dict[str, Column]:
    return {column.name: column for name in ("configurations", "drives") for column in tables()[name].columns}


def _cell(field: str, stated: object) -> Any:  # noqa: ANN401  (any value of a manifest)
    """Return what a column of configurations or drives holds of a stated value."""
    value, column = parse_value(stated), _columns().get(field)
    if value.how == NOT_APPLICABLE and column is not None and column.arrow == "string" and not column.words:
        return NO_SUCH
    is_time = value.value is not None and column is not None and column.arrow == "timestamp[us]"
    return datetime.fromisoformat(str(value.value)) if is_time else value.value


def _drive_rows(submission: Submission, name: str, configuration: Row) -> Iterator[Row]:
    columns = tables()["drives"].column_names
    for position, drive in enumerate(configuration["storage"].get("drives", ()), 1):
        device = submission.manifest["devices"][drive["device"]]
        values = {field: _cell(field, device.get(field, "unknown")) for field in columns}
        yield {
            **values,
            "submission_id": submission.id,
            "configuration_id": name,
            "position_index": position,
            "device_id": drive["device"],
            "role": drive.get("role", "data"),
            "drive_count": drive["count"],
            "specimen": drive.get("specimen"),
            "write_cache": drive.get("write_cache", values["write_cache"]),
        }


def _setting_rows(submission: Submission, name: str, whole: Row, how: str) -> Iterator[Row]:
    """Give the configuration's own settings and those of its system; the configuration's own win."""
    owners = (
        (("systems", submission.manifest["configurations"][name]["system"]), whole["system"]),
        (("configurations", name), whole),
    )
    stated: dict[tuple[str, str], tuple[tuple[str, ...], Any]] = {}
    for owner, fields in owners:
        for scope, named in fields.get("settings", {}).items():
            stated |= {(scope, setting): ((*owner, "settings", scope, setting), named[setting]) for setting in named}
    for (scope, setting), (path, value) in stated.items():
        fact = parse_value(value, how)
        row = {"configuration_id": name, "scope": scope, "name": setting, "value": _text(fact.value)}
        yield row | _source(submission, path, fact)


def _provenance(submission: Submission, how: str) -> Iterator[Row]:
    """Give a row for every value of every configuration and of the system it runs on, and of every device."""
    manifest = submission.manifest
    for name, configuration in manifest["configurations"].items():
        for section in SECTIONS:
            is_system = section == "system"
            subject = configuration["system"] if is_system else name
            path = ("systems", subject) if is_system else ("configurations", name, section)
            fields = manifest["systems"][subject] if is_system else configuration[section]
            for row in _facts(submission, path, fields, how):
                identity = f"manifest/{name}/{section}/{row['field']}"
                yield row | {
                    "provenance_id": identity, "configuration_id": name, "subject": subject, "component": section,
                }  # fmt: skip
    for device, fields in manifest["devices"].items():
        for row in _facts(submission, ("devices", device), fields, how):
            yield row | {"provenance_id": f"manifest/{device}/{row['field']}", "subject": device, "component": "device"}


def _facts(submission: Submission, path: tuple[str, ...], fields: Row, how: str) -> Iterator[Row]:
    """Give what the rows of the values at a place in the manifest have in common."""
    for field, stated in fields.items():
        if field not in {"drives", "settings"}:
            fact = parse_value(stated, how)
            text = NO_SUCH if fact.how == NOT_APPLICABLE else None
            value = text if fact.value is None else _text(fact.value)
            unit = _columns()[field].unit if fact.value is not None else None
            yield {"field": field, "value": value, "unit": unit} | _source(submission, (*path, field), fact)


def _source(submission: Submission, path: tuple[str, ...], fact: Known) -> Row:
    """Return how a value of a manifest is known, and where it stands."""
    return {
        "submission_id": submission.id,
        "how_known": fact.how,
        "known_from": fact.source,
        "locator": f"manifest.yaml, line {line_of(path, submission.lines)}",
        "note": fact.note,
    }


def _text(value: object) -> str:
    """Return a value as a manifest's reader would write it (``true``; whole numbers without a decimal point)."""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, float) and value.is_integer():
        return str(int(value))
    return str(value)
