"""
Reads and verifies one submission: its manifest, its references and its files.

The shape is in ``schemas/manifest.schema.json``; this module adds what a schema cannot say: defaults, references
between parts, and that every file in the folder is named, unchanged, inside the folder and no link.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

import msgspec

from ioledger.problems import Problem
from ioledger.submission import files, placeholders, shape, states, texts, yamlsafe
from ioledger.submission.shape import Lines, line_of

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

NAME = "manifest.yaml"
FOLDER = re.compile(r"^\d{4}-(0[1-9]|1[0-2])-[a-z0-9]+(-[a-z0-9]+)+$")


class Submission(msgspec.Struct, kw_only=True):
    """
    One folder under ``data/``: its manifest with defaults merged in, and where each value stands.

    ``lines`` maps a path in the manifest as written to its line; ``file_bytes`` holds the verified files by path.
    """

    id: str
    folder: Path
    manifest: dict[str, Any]
    lines: Lines
    file_bytes: dict[str, bytes]


def load(folder: Path, shown: str | None = None) -> tuple[Submission | None, list[Problem]]:
    """
    Read a submission folder; return it, or None with everything that is wrong.

    ``shown`` is the name of the folder in messages (default: its path as given). All problems come at once.
    """
    shown = shown or str(folder)
    where = f"{shown}/{NAME}"
    problems = [] if FOLDER.match(folder.name) else [_bad_folder_name(shown)]
    path = folder / NAME
    if folder.is_symlink():
        remedy = "Put the folder itself under data/."
        return None, [*problems, Problem(shown, "", "the folder is a symbolic link", remedy, "R-FOLDER-2")]
    if path.is_symlink() or not path.is_file():
        remedy = "Add one; CONTRIBUTING shows an example."
        return None, [*problems, Problem(shown, "", f"there is no {NAME}", remedy, "R-MANIFEST-1")]
    try:
        document, lines = yamlsafe.load(path.read_bytes())
    except yamlsafe.Mistake as mistake:
        return None, [*problems, Problem(where, str(mistake.line), mistake.what, mistake.remedy, mistake.rule)]
    manifest = with_defaults(document) if isinstance(document, dict) else document
    problems += shape.problems(manifest, where, lines)
    problems += texts.of_manifest(document, where, lines)
    if not isinstance(document, dict) or states.stands(document):
        problems += placeholders.problems(document, where, lines)
    if problems:
        return None, sorted(problems)
    problems += _references(manifest, where, lines)
    file_bytes, wrong = files.verified(folder, manifest, shown, lines)
    if problems or wrong:
        return None, sorted([*problems, *wrong])
    return Submission(id=folder.name, folder=folder, manifest=manifest, lines=lines, file_bytes=file_bytes), []


def with_defaults(document: dict[str, Any]) -> dict[str, Any]:
    """Return the manifest with ``defaults`` merged beneath every configuration; a configuration's own values win."""
    defaults, configurations = document.get("defaults"), document.get("configurations")
    if not isinstance(defaults, dict) or not isinstance(configurations, dict):
        return document
    merged = {name: _merge(defaults, own) for name, own in configurations.items()}
    return {**document, "configurations": merged}


def _merge(below: Any, above: Any) -> Any:  # noqa: ANN401  (any YAML value)
    """Merge two maps key by key; anything else, and a value that is stated as an object, is replaced whole."""
    stated = {"unknown", "value"}
    if not isinstance(below, dict) or not isinstance(above, dict) or stated & (below.keys() | above.keys()):
        return above
    return {**below, **{key: _merge(below[key], above[key]) if key in below else above[key] for key in above}}


def _bad_folder_name(shown: str) -> Problem:
    remedy = "Name the folder yyyy-mm-submitter-subject, in lower-case letters, digits and hyphens."
    return Problem(shown, "", "the folder's name has the wrong form", remedy, "R-FOLDER-1")


def _references(manifest: dict[str, Any], where: str, lines: Lines) -> Iterator[Problem]:
    def missing(path: tuple[str | int, ...], kind: str, name: str) -> Problem:
        known = ", ".join(sorted(manifest[kind])) or "none"
        place, what = str(line_of(path, lines)), f"{name} is not among the {kind}"
        return Problem(where, place, what, f"Use one of: {known}.", "R-MANIFEST-5")

    for name, configuration in manifest["configurations"].items():
        path: tuple[str | int, ...] = ("configurations", name)
        if configuration["system"] not in manifest["systems"]:
            yield missing((*path, "system"), "systems", configuration["system"])
        for index, drive in enumerate(configuration["storage"].get("drives", ())):
            if drive["device"] not in manifest["devices"]:
                yield missing((*path, "storage", "drives", index, "device"), "devices", drive["device"])
    for index, entry in enumerate(manifest["files"]):
        if "configuration" in entry and entry["configuration"] not in manifest["configurations"]:
            yield missing(("files", index, "configuration"), "configurations", entry["configuration"])
        elif "configuration" not in entry and entry.get("role", "result") == "result":
            place, what = str(line_of(("files", index), lines)), f"{entry['path']} names no configuration"
            yield Problem(where, place, what, "Add configuration: and one of the keys above.", "R-MANIFEST-6")
    yield from _ties(manifest["files"], where, lines)


def _ties(entries: list[dict[str, Any]], where: str, lines: Lines) -> Iterator[Problem]:
    """Report every job file and every run that an entry names and that is no such file of the manifest."""
    roles = {entry["path"]: entry.get("role", "result") for entry in entries}
    for index, entry in enumerate(entries):
        for key, wanted in (("job", {"job"}), ("run", {"result", "preparation"})):
            if key in entry and roles.get(entry[key]) not in wanted:
                place = str(line_of(("files", index, key), lines))
                what = f"{key}: {entry[key]} is no listed file with the role {' or '.join(sorted(wanted))}"
                remedy = "List it with that role, or name another file."
                yield Problem(where, place, what, remedy, "R-MANIFEST-7")
        if "run" in entry and roles[entry["path"]] != "log":
            place, what = str(line_of(("files", index, "run"), lines)), f"{entry['path']} names a run, but is no log"
            yield Problem(where, place, what, "Add role: log, or remove run:.", "R-MANIFEST-7")
        if "point" in entry and "run" not in entry:
            place, what = str(line_of(("files", index, "point"), lines)), f"{entry['path']} names a point of no run"
            yield Problem(where, place, what, "Add run: and the result file.", "R-MANIFEST-7")
