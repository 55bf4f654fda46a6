"""
A submission's manifest: read, its defaults merged, its references followed, its state and every value taken apart.

What it may look like says :mod:`ioledger.submission.shape`; here is what a schema cannot say. A submission's state is
active, disputed, superseded or retracted. Every state other than active has a reason and a date, and a superseded
submission names another that takes its place, which is there, has not the same fate in a circle, and is not retracted.
"""

from __future__ import annotations

import hashlib
import re
from typing import TYPE_CHECKING, Any, NamedTuple

import msgspec

from ioledger.problems import Problem
from ioledger.submission import safe_yaml
from ioledger.submission.shape import SECTIONS, line_of, placeholder_problems, shape_problems, text_problems

if TYPE_CHECKING:
    from collections.abc import Container, Iterator, Mapping
    from pathlib import Path

    from ioledger.submission.safe_yaml import Lines
    from ioledger.submission.safe_yaml import Path as Place

NAME = "manifest.yaml"
FOLDER = re.compile(r"(?:19[89]|20\d)\d-(?:0[1-9]|1[0-2])-[a-z0-9]+(?:-[a-z0-9]+)+", re.ASCII)
ACTIVE = {"state": "active"}
NOT_APPLICABLE = "not_applicable"
"""How a value is known that does not exist on this hardware."""
STATEMENT = frozenset({"unknown", "none", "value", "other"})
"""Keys of which one makes a map the statement of one value."""


class Submission(msgspec.Struct, kw_only=True):
    """One folder under ``data/``: its manifest with defaults merged in, and where each value stands as written."""

    id: str
    folder: Path
    shown: str
    """The folder's name in messages."""
    manifest: dict[str, Any]
    lines: Lines
    sha256: str
    """Of the manifest as written."""
    file_bytes: Mapping[str, bytes] = {}
    """The verified files by path."""

    def problem(self, path: Place, what: str, remedy: str, rule: str) -> Problem:
        """Return a problem at the line of a value in the manifest."""
        return Problem(f"{self.shown}/{NAME}", str(line_of(path, self.lines)), what, remedy, rule)

    @property
    def status(self) -> dict[str, str]:
        """The state with its reason, its date and its successor, as far as they are stated."""
        status: dict[str, str] = self.manifest.get("status", ACTIVE)
        return status

    @property
    def is_excerpt(self) -> bool:
        """Whether its results come from raw files that lie elsewhere; each of its rows names its configuration."""
        return bool(self.manifest["source_type"] == "excerpt")

    @property
    def stands(self) -> bool:
        """Whether it counts: one that is superseded or retracted is listed, kept as it was, and not used."""
        return _stands(self.manifest)


class Known(NamedTuple):
    """A manifest value taken apart: the value or None, how it is known, and a note or the reason for not knowing."""

    value: Any
    how: str
    note: str | None
    source: str | None = None
    """What tells it: a file, folder, page or paper, where that is stated."""

    @property
    def is_known(self) -> bool:
        """Whether it is known; that there is no such thing is known too."""
        return self.how != "unknown"


def parse_value(stated: object, how: str = "") -> Known:
    """Take a manifest value of any form apart; ``how`` is how a plain value is known in this submission."""
    if stated == "unknown":
        return Known(None, "unknown", None)
    if not isinstance(stated, dict) or not stated.keys() & STATEMENT:
        return Known(stated, how, None)
    if "unknown" in stated:
        return Known(None, "unknown", stated["unknown"])
    if "none" in stated:
        return Known(None, NOT_APPLICABLE, stated["none"], stated.get("known_from"))
    value = stated.get("value", stated.get("other"))
    return Known(value, stated.get("how_known", how), stated.get("note"), stated.get("known_from"))


def load_manifest(folder: Path, shown: str, checked: Container[str] = ()) -> tuple[Submission | None, list[Problem]]:
    """
    Read the manifest of a folder; return it, its files not read yet, or None with everything that is wrong.

    A manifest whose SHA-256 is among ``checked`` has the right shape: a build has published it.
    """
    where = f"{shown}/{NAME}"
    problems, path = list[Problem](), folder / NAME
    if not FOLDER.fullmatch(folder.name):
        remedy = "Name the folder yyyy-mm-submitter-subject, in lower-case letters, digits and hyphens."
        problems.append(Problem(shown, "", "the folder's name has the wrong form", remedy, "R-FOLDER-1"))
    if folder.is_symlink():
        remedy = "Put the folder itself under data/."
        return None, [*problems, Problem(shown, "", "the folder is a symbolic link", remedy, "R-FILE-5")]
    if path.is_symlink() or not path.is_file():
        remedy = "Add one; ioledger collect writes it from result files."
        return None, [*problems, Problem(shown, "", f"there is no {NAME}", remedy, "R-MANIFEST-1")]
    try:
        written = path.read_bytes()
        document, lines = safe_yaml.load_yaml(written)
    except safe_yaml.Mistake as mistake:
        return None, [*problems, mistake.problem(where)]
    manifest = with_defaults(document) if isinstance(document, dict) else document
    sha256 = hashlib.sha256(written).hexdigest()
    if sha256 not in checked:
        problems += shape_problems(manifest, where, lines)
        problems += text_problems(document, where, lines)
        if not isinstance(document, dict) or _stands(document):
            problems += placeholder_problems(document, where, lines)
    if problems:
        return None, sorted(problems)
    return Submission(id=folder.name, folder=folder, shown=shown, manifest=manifest, lines=lines, sha256=sha256), []


def with_defaults(document: dict[str, Any]) -> dict[str, Any]:
    """Return the manifest with ``defaults`` merged into every configuration, whose own values win."""
    defaults, configurations = document.get("defaults"), document.get("configurations")
    if isinstance(defaults, dict) and isinstance(configurations, dict):
        merged = {name: _merge(defaults, own) for name, own in configurations.items()}
        document = {**document, "configurations": merged}
    return document


def _merge(below: Any, above: Any) -> Any:  # noqa: ANN401  (any YAML value)
    """Merge two maps key by key; anything else, and a value that is stated as an object, is replaced whole."""
    if not isinstance(below, dict) or not isinstance(above, dict) or STATEMENT & (below.keys() | above.keys()):
        return above
    return {**below, **{key: _merge(below[key], above[key]) if key in below else above[key] for key in above}}


def reference_problems(submission: Submission) -> Iterator[Problem]:
    """Report every system, device, configuration, job file and run that is named and not there."""
    manifest = submission.manifest

    def missing(path: Place, kind: str, name: str) -> Problem:
        remedy = f"Use one of: {', '.join(sorted(manifest[kind])) or 'none'}."
        return submission.problem(path, f"{name} is not among the {kind}", remedy, "R-MANIFEST-5")

    for name, configuration in manifest["configurations"].items():
        path: Place = ("configurations", name)
        if configuration["system"] not in manifest["systems"]:
            yield missing((*path, "system"), "systems", configuration["system"])
        for index, drive in enumerate(configuration["storage"].get("drives", ())):
            if drive["device"] not in manifest["devices"]:
                yield missing((*path, "storage", "drives", index, "device"), "devices", drive["device"])
    for index, entry in enumerate(manifest["files"]):
        if "configuration" in entry and entry["configuration"] not in manifest["configurations"]:
            yield missing(("files", index, "configuration"), "configurations", entry["configuration"])
        elif "configuration" not in entry and entry.get("role", "result") == "result" and not submission.is_excerpt:
            what, remedy = f"{entry['path']} names no configuration", "Add configuration: and one of the keys above."
            yield submission.problem(("files", index), what, remedy, "R-MANIFEST-6")
    yield from _link_problems(submission)


def _link_problems(submission: Submission) -> Iterator[Problem]:
    """Report every job file and every run that an entry names and that is no such file of the manifest."""

    def wrong(index: int, key: str, what: str, remedy: str) -> Problem:
        return submission.problem(("files", index, key), what, remedy, "R-MANIFEST-5")

    entries = submission.manifest["files"]
    roles = {entry["path"]: entry.get("role", "result") for entry in entries}
    for index, entry in enumerate(entries):
        for key, wanted in (("job", {"job"}), ("run", {"result", "preparation"})):
            if key in entry and roles.get(entry[key]) not in wanted:
                what = f"{key}: {entry[key]} is no listed file with the role {' or '.join(sorted(wanted))}"
                yield wrong(index, key, what, "List it with that role, or name another file.")
        if "run" in entry and roles[entry["path"]] != "log":
            yield wrong(index, "run", f"{entry['path']} names a run, but is no log", "Add role: log, or remove run:.")
        if "point" in entry and "run" not in entry:
            yield wrong(index, "point", f"{entry['path']} names a point of no run", "Add run: and the result file.")


def _stands(manifest: dict[str, Any]) -> bool:
    status = manifest.get("status")
    return not isinstance(status, dict) or status.get("state") not in {"superseded", "retracted"}


def state_problems(submissions: list[Submission], others: Mapping[str, dict[str, str]]) -> Iterator[Problem]:
    """Report every state that lacks something or leads nowhere; ``others`` are those of submissions not checked."""
    states = {**others, **{submission.id: submission.status for submission in submissions}}
    for submission in submissions:
        status = submission.status
        missing = [field for field in ("reason", "changed_on") if field not in status]
        if status["state"] != "active" and missing:
            what = f"the state {status['state']} has no {' and no '.join(missing)}"
            yield submission.problem(("status",), what, "Say why and since when (yyyy-mm-dd).", "R-STATE-1")
        successor = status.get("superseded_by")
        if (status["state"] == "superseded") != (successor is not None):
            what = "superseded_by belongs to the state superseded, and to no other"
            yield submission.problem(("status",), what, "Name the folder that takes its place.", "R-STATE-2")
        elif successor is not None and not _leads_somewhere(submission.id, states):
            what = f"superseded_by {successor} does not lead to an active submission"
            remedy = "Name a folder under data/ that is not retracted."
            yield submission.problem(("status",), what, remedy, "R-STATE-2")


def successors(identity: str, states: Mapping[str, Mapping[str, str]]) -> list[str]:
    """Return what takes the place of a submission by way of ``superseded_by``, each once, the nearest first."""
    seen = [identity]
    while (following := states.get(seen[-1], {}).get("superseded_by")) is not None and following not in seen:
        seen.append(following)
    return seen[1:]


def _leads_somewhere(identity: str, states: Mapping[str, Mapping[str, str]]) -> bool:
    """Say whether superseded_by leads to a submission that stands; a circle and a gap lead nowhere."""
    last = states.get([identity, *successors(identity, states)][-1], {"state": "retracted"})
    return last["state"] not in {"superseded", "retracted"}


def stated_sections(manifest: dict[str, Any]) -> Iterator[tuple[tuple[str, ...], dict[str, Any]]]:
    """Give every map of a manifest that states values, with its path; settings by their scope."""
    for kind in ("systems", "devices", "configurations"):
        for name, owner in manifest[kind].items():
            if kind == "configurations":
                yield from (((kind, name, section), owner.get(section, {})) for section in SECTIONS)
            else:
                yield (kind, name), owner
            yield from (((kind, name, "settings", scope), each) for scope, each in owner.get("settings", {}).items())
