"""
The rows that a manifest gives: submissions, configurations, drives, settings and provenance.

An unknown value is null in these tables; the provenance table keeps the reason and how each value is known.
"""

from __future__ import annotations

from datetime import date
from functools import cache
from typing import TYPE_CHECKING

import msgspec

from ioledger.submission import facts
from ioledger.submission.facts import SECTIONS, Row, known
from ioledger.tables.schema import SCHEMAS, tables

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ioledger.submission.manifest import Submission


@cache
def required() -> dict[str, tuple[str, ...]]:
    """Return the fields that a manifest must state, by section (``device`` for drives)."""
    properties = msgspec.json.decode((SCHEMAS / "manifest.schema.json").read_bytes())["properties"]
    configuration = properties["configurations"]["additionalProperties"]["properties"]
    sections = {name: tuple(configuration[name]["required"]) for name in ("storage", "software", "method")}
    systems, devices = properties["systems"], properties["devices"]
    return {
        **sections,
        "system": tuple(systems["additionalProperties"]["required"]),
        "device": tuple(devices["additionalProperties"]["required"]),
    }


def of(submission: Submission) -> dict[str, list[Row]]:
    """Return the rows of a submission's manifest by table name."""
    manifest = submission.manifest
    how = "declared" if manifest["source_type"] == "raw_tool_output" else "stated"
    rows: dict[str, list[Row]] = {
        name: [] for name in ("submissions", "configurations", "drives", "settings", "provenance")
    }
    rows["submissions"].append(_submission_row(submission))
    for name, configuration in manifest["configurations"].items():
        whole = {**configuration, "system": manifest["systems"][configuration["system"]]}
        rows["configurations"].append(_configuration_row(submission, name, whole, how))
        rows["drives"] += _drive_rows(submission, name, configuration, how)
        rows["settings"] += _setting_rows(submission, name, whole, how)
    rows["provenance"] = [*facts.of_configurations(submission, how), *facts.of_devices(submission, how)]
    return rows


def _submission_row(submission: Submission) -> Row:
    manifest = submission.manifest
    status, citation = manifest.get("status", {}), manifest.get("citation", {})
    same = ("title", "submitted_by", "licence", "source_type", "interest")
    changed = status.get("changed_on")
    return {
        "submission_id": submission.id,
        **{name: manifest[name] for name in same},
        "summary": manifest.get("summary"),
        "submitted_on": date.fromisoformat(manifest["submitted_on"]),
        "tested_on": None if manifest["tested_on"] == "unknown" else manifest["tested_on"],
        "status": status.get("state", "active"),
        "status_reason": status.get("reason"),
        "status_changed_on": date.fromisoformat(changed) if changed else None,
        "superseded_by": status.get("superseded_by"),
        **{
            f"citation_{part}": citation.get(part)
            for part in ("title", "publisher", "version", "date", "url", "language", "note")
        },
    }


def _configuration_row(submission: Submission, name: str, whole: Row, how: str) -> Row:
    row: Row = dict.fromkeys(tables()["configurations"].column_names)
    for section in SECTIONS:
        values = {field: known(stated, how).value for field, stated in whole[section].items()}
        row.update({field: value for field, value in values.items() if field in row})
    setting_set = known(whole.get("setting_set", "unknown"), how)
    fields = [(section, field) for section in SECTIONS for field in required()[section]]
    devices = [submission.manifest["devices"][drive["device"]] for drive in whole["storage"].get("drives", ())]
    device_fields = required()["device"]
    known_count = sum(row[field] is not None for _, field in fields) + sum(
        all(known(device[field], how).value is not None for device in devices) and bool(devices)
        for field in device_fields
    )
    required_count = len(fields) + len(device_fields)
    data = [drive["count"] for drive in whole["storage"].get("drives", ()) if drive.get("role", "data") == "data"]
    row.update(
        submission_id=submission.id,
        configuration_id=name,
        title=whole["title"],
        conditions=whole.get("conditions"),
        setting_set=setting_set.value,
        setting_set_origin=setting_set.how if setting_set.value is not None else None,
        drive_count=sum(data) if data else None,
        known_field_count=known_count,
        required_field_count=required_count,
        completeness_ratio=known_count / required_count,
    )
    return row


def _drive_rows(submission: Submission, name: str, configuration: Row, how: str) -> Iterator[Row]:
    columns = tables()["drives"].column_names
    for position, drive in enumerate(configuration["storage"].get("drives", ()), 1):
        device = submission.manifest["devices"][drive["device"]]
        values = {field: known(device.get(field, "unknown"), how).value for field in columns}
        yield {
            **values,
            "submission_id": submission.id,
            "configuration_id": name,
            "position_index": position,
            "device_id": drive["device"],
            "role": drive.get("role", "data"),
            "drive_count": drive["count"],
        }


def _setting_rows(submission: Submission, name: str, whole: Row, how: str) -> Iterator[Row]:
    """Give the configuration's own settings and those of its system; the configuration's own win."""
    scopes: dict[str, Row] = {}
    for settings in (whole["system"].get("settings", {}), whole.get("settings", {})):
        for scope, named in settings.items():
            scopes.setdefault(scope, {}).update(named)
    for scope, named in scopes.items():
        for setting, stated in named.items():
            value, how_known, _ = known(stated, how)
            fact = {"scope": scope, "name": setting, "value": facts.text(value), "how_known": how_known}
            yield {"submission_id": submission.id, "configuration_id": name, **fact}
