"""
What a manifest says, value by value: how each is known, and the row of the provenance table it becomes.

Every value of a manifest may be plain, ``unknown``, ``{unknown: reason}`` or ``{value: …, how_known: …, note: …}``.
"""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING, Any, NamedTuple

from ioledger.submission.shape import line_of
from ioledger.tables.schema import tables

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ioledger.submission.manifest import Submission

Row = dict[str, Any]
SECTIONS = ("system", "storage", "software", "method")


class Known(NamedTuple):
    """A manifest value taken apart: the value or None, how it is known, and a note or the reason for not knowing."""

    value: Any
    how: str
    note: str | None


def known(stated: object, how: str) -> Known:
    """Take a manifest value apart; ``how`` is how a plain value is known in this submission."""
    if stated == "unknown":
        return Known(None, "unknown", None)
    if isinstance(stated, dict) and "unknown" in stated:
        return Known(None, "unknown", stated["unknown"])
    if isinstance(stated, dict) and "value" in stated:
        return Known(stated["value"], stated.get("how_known", how), stated.get("note"))
    return Known(stated, how, None)


class _Place(NamedTuple):
    """Where a fact belongs: configuration (or None), subject, component, and its path in the manifest."""

    configuration: str | None
    subject: str
    component: str
    path: tuple[str, ...]


def of_configurations(submission: Submission, how: str) -> Iterator[Row]:
    """Give a provenance row for every value of every configuration and of the system it runs on."""
    manifest = submission.manifest
    for name, configuration in manifest["configurations"].items():
        system = configuration["system"]
        for section in SECTIONS:
            of_system = section == "system"
            fields = manifest["systems"][system] if of_system else configuration[section]
            subject, path = (system, ("systems", system)) if of_system else (name, ("configurations", name, section))
            for field, stated in fields.items():
                if field not in {"drives", "settings"}:
                    place = _Place(name, subject, section, (*path, field))
                    yield _fact(submission, f"{name}/{section}/{field}", place, known(stated, how))


def of_devices(submission: Submission, how: str) -> Iterator[Row]:
    """Give a provenance row for every value of every device."""
    for device, fields in submission.manifest["devices"].items():
        for field, stated in fields.items():
            place = _Place(None, device, "device", ("devices", device, field))
            yield _fact(submission, f"{device}/{field}", place, known(stated, how))


@cache
def _units() -> dict[str, str | None]:
    return {column.name: column.unit for table in ("configurations", "drives") for column in tables()[table].columns}


def _fact(submission: Submission, identity: str, place: _Place, value: Known) -> Row:
    field = place.path[-1]
    return {
        "submission_id": submission.id,
        "provenance_id": f"manifest/{identity}",
        "configuration_id": place.configuration,
        "subject": place.subject,
        "component": place.component,
        "field": field,
        "value": None if value.value is None else text(value.value),
        "unit": _units()[field] if value.value is not None else None,
        "how_known": value.how,
        "locator": f"manifest.yaml, line {line_of(place.path, submission.lines)}",
        "note": value.note,
    }


def text(value: object) -> str:
    """Return a value as a manifest's reader would write it (``true``; whole numbers without a decimal point)."""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, float) and value.is_integer():
        return str(int(value))
    return str(value)
