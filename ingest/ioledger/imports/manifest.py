"""
The manifest of an excerpt, made from what is stated about its import: every value with where it is known from.

A cell of the mapping fills the field of its name; a few have names of their own. A value is ``declared`` when a file, a
folder, a README or a paper tells it, else ``inferred``. What nothing states is unknown, with that as the reason.
"""

from __future__ import annotations

from contextlib import suppress
from hashlib import sha256
from typing import TYPE_CHECKING, Any

from ioledger.imports.mapping import MAPPING, OPTIONAL, ORIGIN, REQUIRED, RESERVATIONS, RULE, Claim, Row, Stated
from ioledger.problems import Problem
from ioledger.submission.manifest import NAME, known, with_defaults
from ioledger.submission.origins import LICENCE, LICENCE_RULE, how_known, not_allowed
from ioledger.submission.safe_yaml import dump_folded, load_yaml
from ioledger.submission.shape import SECTIONS, editions, schema_of, shape_problems

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from ioledger.submission.safe_yaml import Path

ALIASES = {
    "system": "system_model", "cpu": "cpu_model", "controller": "controller_model", "interface": "interface_protocol",
    "rotation_rpm": "rotation_hertz", "filesystem_or_target": "measurement_area", "device_state": "preconditioning",
}  # fmt: skip
"""Fields that the mapping calls by another name."""
ORIGIN_KEYS = (
    "measured_by", "repository", "commit", "path", "licence", "licence_evidence", "copyright", "retrieved_on",
    "statement", "excluded", "citation",
)  # fmt: skip
TOP = ("title", "summary", "submitted_by", "submitted_on", "tested_on", "licence")
KNOWN_FROM = "_known_from"
"""What the column is called that says where the cells of another are known from."""
UNKNOWN, NO_SUCH, OTHER = "unknown", "not applicable", "other"
_MINUTE = 60
SETTINGS = "settings"
"""Of the configuration, and written in a way of their own."""


def _fields(section: str) -> dict[str, Any]:
    fields: dict[str, Any] = schema_of(section)["properties"]
    return fields


def _required(section: str) -> list[str]:
    fields: list[str] = schema_of(section)["required"]
    return fields


def make_manifest(
    stated: Stated, paths: Mapping[str, Sequence[str]], files: Mapping[str, bytes]
) -> tuple[str, list[Problem]]:
    """
    Return the text of the manifest, what of the reservations fits no configuration, and what a manifest may not say.

    ``paths`` holds the originals of each configuration, ``files`` the other files of the folder by name.
    """
    origin, problems = stated.origin, [*_check_columns(stated)]
    unstated = {"unknown": origin["unstated"]}
    configurations = {claim.configuration: _make_configuration(claim, origin, unstated) for claim in stated.claims}
    for number, row in enumerate(stated.reservations, 2):
        problems += _add_reservation(stated, number, row, paths, configurations)
    devices = _merge_rows(stated, "device_id", "devices", problems)
    systems = _merge_rows(stated, "bench", "systems", problems)
    common = _extract_defaults(configurations)
    manifest = {
        "edition": max(editions()),
        **{name: origin[name] for name in TOP},
        "source_type": "excerpt",
        "affiliation": origin["affiliation"],
        "origin": {name: origin[name] for name in ORIGIN_KEYS if name in origin},
        "systems": _describe_parts("systems", systems, origin, unstated),
        "devices": _describe_parts("devices", devices, origin, unstated),
        **({"defaults": common} if common else {}),
        "configurations": configurations,
        "files": [_make_entry(name, data) for name, data in files.items()],
    }
    text = dump_folded(manifest)
    written, lines = load_yaml(text.encode())
    paths_by_number = list(lines)
    numbers = {path: number for number, path in enumerate(paths_by_number, 1)}
    for found in shape_problems(with_defaults(written), NAME, numbers):
        file, place = _locate_statement(stated, paths_by_number[int(found.place) - 1])
        problems.append(Problem(file, place, found.what, found.remedy, found.rule))
    return text, sorted(set(problems))


def _locate_statement(stated: Stated, path: Path) -> tuple[str, str]:
    """Return the file and the place in it where a part of the manifest is stated, which itself is not written yet."""
    section, name, *rest = (*map(str, path), "", "")
    keys = {"devices": "device_id", "systems": "bench", "configurations": "configuration_id"}
    key = keys.get(section)
    claims = [claim for claim in stated.claims if key is None or claim.cells[key] == name]
    fields = set(rest) if key or section == "defaults" else set()
    if section == "configurations" and "reservations" in fields:
        return stated.shown.replace(MAPPING, RESERVATIONS), ""
    for claim in claims:
        for column, cell in claim.cells.items():
            if cell and ALIASES.get(column, column) in fields - {""}:
                return stated.shown, f"{claim.line}, column {column}"
    return stated.shown.replace(MAPPING, ORIGIN), ".".join(map(str, path))


def _check_columns(stated: Stated) -> Iterator[Problem]:
    """Return the columns of the mapping that say nothing, and a licence under which nothing may be passed on."""
    names = [name for claim in stated.claims[:1] for name in claim.cells]
    fields = {field for section in ("systems", "devices", *SECTIONS) for field in _fields(section)}
    for name in names:
        about = name.removesuffix(KNOWN_FROM)
        if name in (*REQUIRED, *OPTIONAL) or ALIASES.get(name, name) in fields or (about != name and about in names):
            continue
        remedy = "Name a field of the manifest, or remove the column."
        yield Problem(stated.shown, "1", f"the column {name} is not a field of the manifest", remedy, RULE)
    if (found := not_allowed(str(stated.origin["licence"]))) is not None:
        yield Problem(stated.shown.replace(MAPPING, ORIGIN), "licence", *found, LICENCE_RULE)


def _merge_rows(stated: Stated, key: str, section: str, problems: list[Problem]) -> dict[str, Row]:
    """Return what all rows say of each system or device; where two of them say different things that is a problem."""
    found: dict[str, Row] = {}
    for claim in stated.claims:
        merged, cells = found.setdefault(claim.cells[key], {}), claim.cells
        fields = [name for name in cells if ALIASES.get(name, name) in _fields(section) and name != SETTINGS]
        for name in fields:
            for column in (name, name + KNOWN_FROM):
                if (cell := cells.get(column)) and merged.setdefault(column, cell) != cell:
                    what = f"{column} of {cells[key]} is {cell!r} here, and {merged[column]!r} in a row before"
                    remedy = f"Use the same value in all its rows, or give it a {key} of its own."
                    problems.append(Problem(stated.shown, str(claim.line), what, remedy, RULE))
    return found


def _describe_parts(section: str, parts: Mapping[str, Row], origin: dict[str, Any], unstated: Row) -> dict[str, Any]:
    """Return the systems or devices that the mapping names, by their keys, in order."""
    found = {}
    for key in sorted(parts):
        more = origin.get(section, {}).get(key, {})
        found[key] = {
            **dict.fromkeys(_required(section), unstated),
            **_parse_cells(parts[key], section),
            **more,
        }
        if section == "devices" and known(found[key]["media_class"]).value == "hdd":
            found[key].setdefault("rotation_hertz", unstated)
    return found


def _make_configuration(claim: Claim, origin: dict[str, Any], unstated: Row) -> dict[str, Any]:
    cells = claim.cells
    made: dict[str, Any] = {"title": cells["title"], "conditions": cells["conditions"], "system": cells["bench"]}
    for section in SECTIONS:
        common = origin.get("defaults", {}).get(section, {})
        made[section] = {
            **dict.fromkeys(_required(section), unstated),
            **common,
            **_parse_cells(cells, section),
        }
    drive = {"device": cells["device_id"], "count": int(cells["drive_count"])}
    made["storage"]["drives"] = [drive | ({"specimen": cells["specimen"]} if cells.get("specimen") else {})]
    if settings := _parse_settings(cells.get(SETTINGS, "")):
        made[SETTINGS] = settings
    return made


def _parse_settings(text: str) -> dict[str, dict[str, str]]:
    """Return settings written as ``scope.name=value; …``, by scope and name."""
    found: dict[str, dict[str, str]] = {}
    for each in filter(None, map(str.strip, text.split(";"))):
        place, _, value = each.partition("=")
        scope, _, name = place.partition(".")
        found.setdefault(scope, {})[name] = value
    return found


def _parse_cells(cells: Row, section: str) -> dict[str, Any]:
    """Return what the cells of a row say about a section: a value with where it is known from, or why it is unknown."""
    found: dict[str, Any] = {}
    for name, cell in cells.items():
        field, known_from = ALIASES.get(name, name), cells.get(name + KNOWN_FROM, "")
        if field not in _fields(section) or field == SETTINGS or not cell:
            continue
        if cell == UNKNOWN or cell.startswith((f"{UNKNOWN}:", f"{UNKNOWN};")):
            reason = cell[len(UNKNOWN) + 1 :].strip() or known_from
            found[field] = {"unknown": reason}
            continue
        key = "none" if cell.startswith(f"{NO_SUCH}:") else "other" if cell.startswith(f"{OTHER}:") else "value"
        value = _convert_cell(cell, name, _fields(section)[field]) if key == "value" else cell.partition(":")[2].strip()
        found[field] = {key: value, "how_known": how_known(known_from), "known_from": known_from}
    return found


def _convert_cell(cell: str, name: str, schema: dict[str, Any]) -> str | int | float:
    """Return a cell as the schema has it, numbers as such (rotations are a second's); else as it is, to be told."""
    reference = schema.get("$ref", "")
    with suppress(ValueError):
        if name == "rotation_rpm":
            return float(cell) / _MINUTE
        if reference.endswith("integer"):
            return int(cell)
        if reference.endswith("number"):
            return float(cell)
    return cell


def _add_reservation(
    stated: Stated, line: int, row: Row, paths: Mapping[str, Sequence[str]], configurations: dict[str, Any]
) -> Iterable[Problem]:
    """Add a reservation to every configuration all of whose originals it is about; tell where it fits none."""
    about = [
        name for name, found in paths.items() if found and all(path.startswith(row["path_prefix"]) for path in found)
    ]
    partly = sorted(
        name for name, found in paths.items()
        if name not in about and any(path.startswith(row["path_prefix"]) for path in found)
    )  # fmt: skip
    for name in about:
        reservation = {key: row[key] for key in ("kind", "operation", "effect", "reason", "known_from") if row[key]}
        reservations = configurations[name].setdefault("reservations", [])
        if reservation not in reservations:  # a folder and one inside it may have the same
            reservations.append(reservation)
    where = stated.shown.replace(MAPPING, RESERVATIONS)
    if partly:
        what = f"{row['path_prefix']} is only a part of {', '.join(partly)}"
        yield Problem(where, str(line), what, "Give these files a row of the mapping of their own.", RULE)
    elif not about:
        what = f"no configuration has files that begin with {row['path_prefix']}"
        yield Problem(where, str(line), what, "Correct or remove the row.", RULE)


def _extract_defaults(configurations: dict[str, Any]) -> dict[str, Any]:
    """Take out of configurations what all of them say alike, and return it as what is beneath them."""
    common: dict[str, Any] = {}
    every = list(configurations.values())
    if len(every) < 2:  # noqa: PLR2004  (one has nothing in common)
        return common
    for section in SECTIONS:
        first = every[0][section]
        alike = {
            name: value for name, value in first.items() if all(each[section].get(name) == value for each in every)
        }
        for each in every:
            each[section] = {name: value for name, value in each[section].items() if name not in alike}
        common[section] = alike
    return common


def _make_entry(name: str, data: bytes) -> dict[str, str]:
    role = "result" if name.startswith("excerpt") else "attachment" if name == LICENCE else "mapping"
    return {"path": name, "sha256": sha256(data).hexdigest(), "role": role}
