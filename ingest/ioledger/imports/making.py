"""
An import: originals to the files of a folder, with an account of what was read beside what was expected.

Nothing is left out in silence: an original that is a result belongs to exactly one row of the mapping, a row has files,
and counts are those that the mapping expects or the difference is explained. What is no result (pictures, scripts,
logs, readmes) is counted. Originals are read from a checkout or an archive without unpacking anything to disk; hidden
files, links and devices are none.

A cell of the mapping fills the field of its name in the manifest; a few have names of their own. A value is
``declared`` when a file, a folder, a README or a paper tells it, else ``inferred``. What nothing states is unknown.
"""

from __future__ import annotations

from collections import Counter
from contextlib import suppress
from hashlib import sha256
from pathlib import Path
from typing import TYPE_CHECKING, Any

import msgspec

from ioledger.imports import (
    MAPPING,
    OPTIONAL,
    ORIGIN,
    REQUIRED,
    RESERVATIONS,
    RULE,
    Claim,
    Row,
    Stated,
    excerpt,
    read_mapping,
)
from ioledger.loading import archives
from ioledger.loading.files import list_files, load
from ioledger.model import BINS, Source
from ioledger.problems import Problem, plain
from ioledger.readers import detect
from ioledger.submission import NAME, parse_value, with_defaults
from ioledger.submission.origins import LICENCE, LICENCE_RULE, check_licence, how_known
from ioledger.submission.safe_yaml import Mistake, dump_folded, load_yaml
from ioledger.submission.shape import SECTIONS, editions, schema_of, shape_problems
from ioledger.system import name_place, replace_file

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

    from ioledger.model import Result
    from ioledger.submission.safe_yaml import Path as Place

    _Found = Source | Problem

NO_RESULT = frozenset({"R-DETECT-1", "R-DETECT-2"})
"""Rules of what no reader takes for its own: a file that the repository keeps beside its results."""
RESULTS, FAILED = "results", "of a run that failed"
_NOT_MATCHED = "R-IMPORT-2"


class Import(msgspec.Struct):
    """What was read: rows of the excerpt, originals by configuration, counts, and what is wrong."""

    stated: Stated | None = None
    rows: list[excerpt.Cells] = []
    paths: dict[str, list[str]] = {}
    counts: dict[str, Counter[str]] = {}
    """Results by configuration; by reason what is in the excerpt beside: failed runs, operations that move no data."""
    left_out: int = 0
    licence: bytes | None = None
    problems: list[Problem] = []


def read(mapping: Path, place: Path, watched: Callable[[Iterator[_Found], int], Iterable[_Found]]) -> Import:
    """Read every original that the mapping claims; ``watched`` shows how many of those expected were read."""
    found = Import()
    found.stated, found.problems = read_mapping(mapping)
    if found.stated is None:
        return found
    for claim in found.stated.claims:
        found.paths[claim.configuration], found.counts[claim.configuration] = [], Counter()
    packed = str(found.stated.origin["repository"]).rpartition("/")[2] + "-"
    expected = sum(claim.expected_counts[0] for claim in found.stated.claims)
    for original in watched(list_originals(place, packed), expected):
        if isinstance(original, Problem):
            found.problems.append(original)
        elif original.name == found.stated.origin["licence_file"]:
            found.licence = original.data
        else:
            found.problems += _read_original(original, f"{place}!{original.name}", found.stated.claims, found)
    if found.licence is None:
        what = f"the licence {found.stated.origin['licence_file']} is not there"
        found.problems.append(Problem(str(place), "", what, "Correct licence_file in origin.yaml.", _NOT_MATCHED))
    found.problems += _check_counts(found.stated, found)
    return found


def _read_original(original: Source, shown: str, claims: list[Claim], found: Import) -> Iterator[Problem]:
    """Read an original that is a result, and put its rows where they belong; count it when it is none."""
    claims = [claim for claim in claims if claim.holds(original.name)]
    reading = detect.read(original)
    if len(claims) > 1:
        what = f"the rows {', '.join(claim.configuration for claim in claims)} all match this file"
        yield Problem(shown, "", what, "Narrow path_prefix or path_regex.", _NOT_MATCHED)
    elif reading.results and not claims:
        what, remedy = "no row of the mapping matches this result", "Add a row, or exclude it in path_regex."
        yield Problem(shown, "", what, remedy, _NOT_MATCHED)
    elif reading.results:
        try:
            rows = [*excerpt.rows(claims[0], original, reading)]
        except ValueError as error:
            remedy = "Match every file name of the row, with the group left empty for a run that is no round."
            yield Problem(shown, "", str(error), remedy, "R-IMPORT-9")
        else:
            found.rows += rows
            found.paths[claims[0].configuration].append(original.name)
            found.counts[claims[0].configuration].update(map(_kind_of, reading.results))
    else:
        found.left_out += 1
    for each in reading.refusals if len(claims) == 1 else ():
        if each.rule not in NO_RESULT:
            yield Problem(shown, each.place, each.what, each.remedy, each.rule)


def _kind_of(result: Result) -> str:
    """Say as what a result is counted."""
    if result.outcome != "ok":
        return FAILED
    return RESULTS if result.transferred_bytes else f"of {result.operation}, which moves no data"


def _check_counts(stated: Stated, found: Import) -> Iterator[Problem]:
    """Give every row of the mapping without files, and every count that is not the one expected."""
    for claim in stated.claims:
        name, (expected_files, expected) = claim.configuration, claim.expected_counts
        files, results, failed = len(found.paths[name]), found.counts[name][RESULTS], found.counts[name][FAILED]
        if not files:
            what = f"{name} has no files"
            remedy = f"Correct path_prefix or path_regex: {claim.cells['path_prefix']}."
            yield Problem(stated.shown, str(claim.line), what, remedy, _NOT_MATCHED)
        elif files != expected_files or expected not in {results, results + failed}:
            counts = f"{files} files and {results} results"
            what = f"{name} gave {counts}, where {expected_files} and {expected} are expected"
            remedy = "Use a complete copy at the commit in origin.yaml, or correct the counts."
            yield Problem(stated.shown, str(claim.line), what, remedy, "R-IMPORT-5")


def list_counts(found: Import) -> list[tuple[str | int, ...]]:
    """Return what each row of the mapping gave beside what was expected, and in words what makes a difference."""
    rows: list[tuple[str | int, ...]] = []
    for claim in found.stated.claims if found.stated is not None else ():
        count, (files, results) = found.counts[claim.configuration], claim.expected_counts
        beside = ", ".join(f"{number} {what}" for what, number in sorted(count.items()) if what != RESULTS)
        own = len(found.paths[claim.configuration])
        rows.append((claim.configuration, own, files, count[RESULTS], results, beside))
    return rows


def files(mapping: Path, found: Import) -> dict[str, bytes]:
    """Return the files of the folder by name, the manifest last; problems of reservations are added to the import."""
    if found.stated is None or found.licence is None:
        return {}
    made = excerpt.tables(found.rows) | {MAPPING: mapping.read_bytes()}
    for name in (RESERVATIONS, ORIGIN):
        if (path := mapping.parent / name).is_file():
            made[name] = path.read_bytes()
    made[LICENCE] = found.licence
    text, problems = make_manifest(found.stated, found.paths, made)
    found.problems += problems
    return {**made, NAME: text.encode()}


def holds_other_files(folder: Path, repository: str) -> bool:
    """Say whether a folder holds files, and not those of an import of this repository: they would be lost."""
    if not folder.is_dir() or not any(folder.iterdir()):
        return False
    try:
        document, _ = load_yaml((folder / ORIGIN).read_bytes())
    except (FileNotFoundError, Mistake):
        return True
    return not isinstance(document, dict) or document.get("repository") != repository


def write(folder: Path, made: Mapping[str, bytes]) -> Sequence[str]:
    """Write the files of a folder, each whole, and remove parts of an older excerpt; return the names of changed."""
    with name_place(folder):
        folder.mkdir(exist_ok=True)
    changed = [
        name for name, data in made.items() if not (path := folder / name).is_file() or path.read_bytes() != data
    ]
    for name in changed:
        with replace_file(folder / name) as file, name_place(folder / name):
            file.write(made[name])
    for path in excerpt.list_parts(folder):
        if path.name not in made:
            with name_place(path):
                path.unlink()
    return changed


def list_originals(place: Path, packed: str) -> Iterator[_Found]:
    """Give files of a checkout or archive without a first folder ``packed…``; what cannot be read is a problem."""
    without = frozenset({BINS})
    is_folder = place.is_dir()
    in_folder = (load(path, without=without) for path in (list_files([place]) if is_folder else ()))
    for source in in_folder if is_folder else archives.sources(str(place), without=without):
        if isinstance(source, Problem):
            yield source
        elif isinstance(source, archives.Entry):
            yield from [source.problem] if source.problem is not None else []
        elif source.member_path is None and not is_folder:
            remedy = "Name a checkout of the repository, or an archive of it (tar or zip, packed or not)."
            yield Problem(plain(str(place)), "", "it is neither a folder nor an archive", remedy, "R-IMPORT-6")
        else:
            path = source.member_path or Path(source.name).relative_to(place).as_posix()
            path = plain(path.removeprefix("./"))
            first, _, rest = path.partition("/")
            if not any(part.startswith(".") for part in path.split("/")):
                path = rest if rest and first.startswith(packed) else path
                yield msgspec.structs.replace(source, name=path, member_path=None)


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
KEYS = {"devices": "device_id", "systems": "bench", "configurations": "configuration_id"}
"""The column of the mapping with the key of a part of the manifest."""
UNKNOWN, NO_SUCH, OTHER = "unknown", "not applicable", "other"
ROLES = {LICENCE: "attachment", "mapping": "mapping", "reservations": "mapping", "origin": "mapping"}
"""Of the files of an import without their suffix; the others are the excerpt."""
SETTINGS = "settings"
"""Of the configuration, and written in a way of their own."""


def _field(column: str, section: str) -> str | None:
    """Return the field of a section that a column of the mapping fills, null for another column."""
    name = ALIASES.get(column, column)
    return name if name in schema_of(section)["properties"] and name != SETTINGS else None


def make_manifest(
    stated: Stated, paths: Mapping[str, Sequence[str]], files: Mapping[str, bytes]
) -> tuple[str, list[Problem]]:
    """Return the text of the manifest, what of the reservations fits no configuration, and what it may not say."""
    origin, problems = stated.origin, [*_check_columns(stated)]
    configurations = {claim.configuration: _make_configuration(claim, origin) for claim in stated.claims}
    for number, row in enumerate(stated.reservations, 2):
        problems += _add_reservation(stated, number, row, paths, configurations)
    devices = _describe_parts("devices", stated, problems)
    systems = _describe_parts("systems", stated, problems)
    for fields in devices.values():
        if parse_value(fields["media_class"]).value == "hdd":
            fields.setdefault("rotation_hertz", {"unknown": origin["unstated"]})
    common = _extract_defaults(configurations)
    manifest = {
        "edition": max(editions()),
        **{name: origin[name] for name in TOP},
        "source_type": "excerpt",
        "affiliation": origin["affiliation"],
        "origin": {name: origin[name] for name in ORIGIN_KEYS if name in origin},
        "systems": systems,
        "devices": devices,
        **({"defaults": common} if common else {}),
        "configurations": configurations,
        "files": [
            {"path": name, "sha256": sha256(data).hexdigest(), "role": ROLES.get(name.partition(".")[0], "result")}
            for name, data in files.items()
        ],
    }
    text = dump_folded(manifest)
    written, lines = load_yaml(text.encode())
    places = list(lines)
    for found in shape_problems(with_defaults(written), NAME, {path: at for at, path in enumerate(places, 1)}):
        file, place = _locate_statement(stated, places[int(found.place) - 1])
        problems.append(Problem(file, place, found.what, found.remedy, found.rule))
    return text, sorted(set(problems))


def _locate_statement(stated: Stated, path: Place) -> tuple[str, str]:
    """Return the file and the place in it where a part of the manifest is stated, which itself is not written yet."""
    section, name, *fields = (*map(str, path), "", "")
    if section == "configurations" and "reservations" in fields:
        return stated.shown.replace(MAPPING, RESERVATIONS), ""
    for claim in stated.claims if section in {*KEYS, "defaults"} else ():
        for column, cell in claim.cells.items():
            is_own = section == "defaults" or claim.cells[KEYS[section]] == name
            if cell and is_own and ALIASES.get(column, column) in fields:
                return stated.shown, f"{claim.line}, column {column}"
    return stated.shown.replace(MAPPING, ORIGIN), ".".join(map(str, path))


def _check_columns(stated: Stated) -> Iterator[Problem]:
    """Give the columns of the mapping that say nothing, and a licence under which nothing may be passed on."""
    names = [name for claim in stated.claims[:1] for name in claim.cells]
    for name in names:
        about = name.removesuffix(KNOWN_FROM)
        is_source = about != name and about in names
        is_field = name == SETTINGS or any(_field(name, section) for section in ("systems", "devices", *SECTIONS))
        if not (is_field or is_source or name in {*REQUIRED, *OPTIONAL}):
            remedy = "Name a field of the manifest, or remove the column."
            yield Problem(stated.shown, "1", f"the column {name} is not a field of the manifest", remedy, RULE)
    if (found := check_licence(str(stated.origin["licence"]))) is not None:
        yield Problem(stated.shown.replace(MAPPING, ORIGIN), "licence", *found, LICENCE_RULE)


def _describe_parts(section: str, stated: Stated, problems: list[Problem]) -> dict[str, Any]:
    """Return the systems or devices that the rows name; where two rows say different things that is a problem."""
    merged: dict[str, Row] = {}
    for claim in stated.claims:
        cells, key = claim.cells, claim.cells[KEYS[section]]
        whole = merged.setdefault(key, {})
        for name in cells:
            for column in (name, name + KNOWN_FROM) if _field(name, section) else ():
                if (cell := cells.get(column)) and whole.setdefault(column, cell) != cell:
                    what = f"{column} of {key} is {cell!r} here, and {whole[column]!r} in a row before"
                    remedy = f"Use the same value in all its rows, or give it a {KEYS[section]} of its own."
                    problems.append(Problem(stated.shown, str(claim.line), what, remedy, RULE))
    of_origin = stated.origin.get(section, {})
    return {key: _describe(merged[key], section, stated.origin, {}) | of_origin.get(key, {}) for key in sorted(merged)}


def _describe(cells: Row, section: str, origin: dict[str, Any], common: dict[str, Any]) -> dict[str, Any]:
    """Return a section with what the cells of a row say: values with where they are known from, or why unknown."""
    found = {field: {"unknown": origin["unstated"]} for field in schema_of(section)["required"]} | common
    for name, cell in cells.items():
        field, known_from = _field(name, section), cells.get(name + KNOWN_FROM, "")
        if field is None or not cell:
            continue
        word, _, text = cell.partition(":")
        if cell == UNKNOWN or cell.startswith((f"{UNKNOWN}:", f"{UNKNOWN};")):
            found[field] = {"unknown": cell[len(UNKNOWN) + 1 :].strip() or known_from}
            continue
        key = {NO_SUCH: "none", OTHER: "other"}.get(word, "value") if ":" in cell else "value"
        value = _convert_cell(cell, name, schema_of(section)["properties"][field]) if key == "value" else text.strip()
        found[field] = {key: value, "how_known": how_known(known_from), "known_from": known_from}
    return found


def _make_configuration(claim: Claim, origin: dict[str, Any]) -> dict[str, Any]:
    cells = claim.cells
    made: dict[str, Any] = {"title": cells["title"], "conditions": cells["conditions"], "system": cells["bench"]}
    for section in SECTIONS:
        made[section] = _describe(cells, section, origin, origin.get("defaults", {}).get(section, {}))
    drive = {"device": cells["device_id"], "count": int(cells["drive_count"])}
    made["storage"]["drives"] = [drive | ({"specimen": cells["specimen"]} if cells.get("specimen") else {})]
    settings: dict[str, dict[str, str]] = {}
    for each in filter(None, map(str.strip, cells.get(SETTINGS, "").split(";"))):  # scope.name=value; …
        place, _, value = each.partition("=")
        scope, _, name = place.partition(".")
        settings.setdefault(scope, {})[name] = value
    return made | ({SETTINGS: settings} if settings else {})


def _convert_cell(cell: str, name: str, schema: dict[str, Any]) -> str | int | float:
    """Return a cell as the schema has it, numbers as such (rotations are a second's); else as it is, to be told."""
    kind = schema.get("$ref", "")
    with suppress(ValueError):
        if name == "rotation_rpm":
            return float(cell) / 60
        if kind.endswith(("integer", "number")):
            return int(cell) if kind.endswith("integer") else float(cell)
    return cell


def _add_reservation(
    stated: Stated, line: int, row: Row, paths: Mapping[str, Sequence[str]], configurations: dict[str, Any]
) -> Iterator[Problem]:
    """Add a reservation to every configuration all of whose originals it is about; tell where it fits none."""
    counts = {name: sum(path.startswith(row["path_prefix"]) for path in found) for name, found in paths.items()}
    about = [name for name, count in counts.items() if count and count == len(paths[name])]
    partly = sorted(name for name, count in counts.items() if count and name not in about)
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
    """Take out of several configurations what all of them say alike, and return it as what is beneath them."""
    every, common = list(configurations.values()), dict[str, Any]()
    for section in SECTIONS if len(every) > 1 else ():
        common[section] = {
            name: value for name, value in every[0][section].items()
            if all(each[section].get(name) == value for each in every)
        }  # fmt: skip
        for each in every:
            each[section] = {name: value for name, value in each[section].items() if name not in common[section]}
    return common
