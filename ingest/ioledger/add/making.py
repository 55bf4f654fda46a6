"""The folder of a submission: made aside, checked, and put in its place only when nothing is wrong with it."""

from __future__ import annotations

import copy
import os
from collections import Counter
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import msgspec

from ioledger.add import area, linking, manifest_text, method
from ioledger.build.checking import check
from ioledger.collect.draft import slug, state
from ioledger.loading.files import load
from ioledger.problems import Problem
from ioledger.submission import safe_yaml
from ioledger.submission.manifest import DEFAULTED, FOLDER, NAME, load_manifest, with_defaults
from ioledger.submission.shape import line_of, placeholder_problems, shape_problems, text_problems
from ioledger.system import git, scratch
from ioledger.system.ending import name_place
from ioledger.tables.schema import SCHEMAS

if TYPE_CHECKING:
    from collections.abc import Callable

    from ioledger.add.linking import Ask, Item, Options
    from ioledger.submission.safe_yaml import Lines

SUBJECT_CHARACTERS = 40
MONTH = len("yyyy-mm")
UNMEASURED = frozenset({"job", "attachment"})
"""What is not enough for a submission."""
ANOTHER = "Give another --subject."
BRANCHES = ("upstream/HEAD", "upstream/main", "origin/HEAD", "origin/main", "main")
"""Where merged folders lie, as far as this clone knows; a fork's own main may be behind."""
SCHEMA = "../../schemas/manifest.schema.json"
"""Where an editor finds the schema from a folder below data/, as long as the site's address is not stated."""


class Draft(NamedTuple):
    """A manifest without files as it was handed in: its name, its text, what it says with its defaults, its lines."""

    shown: str
    text: str
    document: dict[str, Any]
    lines: Lines


def schema(manifest: Path | None = None) -> str:
    """
    Return where an editor finds the schema: at the site's own address, and without one in the checkout.

    By default from a folder below data/, as it is merged; from a manifest that lies elsewhere, where it lies.
    """
    if stated := os.environ.get("IOLEDGER_SITE_URL"):
        return f"{stated.rstrip('/')}/schemas/manifest.schema.json"
    if manifest is None:
        return SCHEMA
    place = SCHEMAS / "manifest.schema.json"
    try:
        return Path(os.path.relpath(place.resolve(), manifest.resolve().parent)).as_posix()
    except ValueError:  # on another drive of Windows
        return place.resolve().as_uri()


def add(  # noqa: PLR0913, PLR0917  (what is added, where, and whom to ask and to tell)
    paths: tuple[Path, ...], manifest: Path, data: Path, options: Options, ask: Ask,
    tell: Callable[[str], object] = len,
) -> tuple[Path | None, list[Problem]]:  # fmt: skip
    """
    Make a submission of these files below ``data``; return its folder, or None with everything that is wrong.

    Folders and archives stand for the files in them. ``ask`` is given a question and its possible answers, and returns
    one of them or None; ``tell`` is given what a person should know. A folder of the same name that the same person
    has made and that is not merged yet is replaced.
    """
    draft, problems = _load_draft(manifest, options.states)
    found, more = linking.read_items(paths, options, tell)
    if not more and all(item.role in UNMEASURED for item in found):
        what, remedy = "no file contains a result", "Name files that fio, DiskSpd, Iometer or ORION wrote."
        return None, [Problem(", ".join(map(str, paths)), "", what, remedy, "R-ADD-8")]
    if draft is None or problems or more:
        return None, problems + more
    document, options = draft.document, linking.rename_options(options, found)
    if problems := [*linking.option_problems(options, found, document)]:
        return None, problems
    linking.link_jobs(found)
    problems = linking.link_configurations(found, document, options, ask)
    problems = problems or linking.number_repetitions(found, options, ask) or linking.link_runs(found, options, ask)
    if problems:
        return None, problems
    for name in document["configurations"]:
        if late := area.list_late_preparations([item for item in found if item.configuration == name]):
            tell(f"{name}: {area.explain_order(late)}, so it did not prepare the target")
    for item in found:
        if item.role == "result" and area.is_like_preparation(item):
            tell(f"{item.path}: counts as a result; if it only prepared the target, call its jobs preparation")
    method.fill(document, found, ask)
    if problems := [*placeholder_problems(document, str(manifest), draft.lines)]:
        return None, problems
    document |= _list_files(found)
    folder = data / _name_folder(document, options.subject)
    problem = _check_place(folder, document)
    return (None, [problem]) if problem is not None else _write_folder(found, draft, folder)


def _check_place(folder: Path, document: dict[str, Any]) -> Problem | None:
    """Say why a folder cannot have its place; one that its own submitter made and nobody has merged gives way."""
    if not FOLDER.fullmatch(folder.name):
        return Problem(str(folder), "", f"the folder {folder.name} has the wrong form", ANOTHER, "R-ADD-5")
    if not folder.exists():
        return None
    before, _ = load_manifest(folder, folder.name)
    places = [f"{branch}:./{folder.name}" for branch in BRANCHES]
    if any(git.read_output(folder.parent, "rev-parse", "--verify", "--quiet", place) for place in places):
        what = f"the folder {folder.name} exists and is merged"
        return Problem(str(folder), "", what, "Give another --subject; a merged folder is never edited.", "R-ADD-5")
    if before is None or before.manifest["submitted_by"] != document["submitted_by"]:
        what = f"the folder {folder.name} exists and is not of {document['submitted_by']}"
        return Problem(str(folder), "", what, ANOTHER, "R-ADD-5")
    return None


def _load_draft(manifest: Path, states: dict[str, str]) -> tuple[Draft | None, list[Problem]]:
    """Read the manifest and put values into it; everything but its files must have the right shape already."""
    loaded = load(str(manifest))
    if isinstance(loaded, Problem):
        return None, [loaded]
    try:
        document, lines = safe_yaml.load_yaml(loaded.data)
    except safe_yaml.Mistake as mistake:
        return None, [mistake.problem(str(manifest))]
    if not isinstance(document, dict):
        return None, shape_problems(document, str(manifest), lines)
    stand_in = [{"path": "x", "sha256": "0" * 64}]
    # what is filled in must not reach what was read
    merged_in = copy.deepcopy(with_defaults({**document, "files": stand_in}))
    problems = shape_problems(merged_in, str(manifest), lines)
    if not problems and states:
        remedy = "Name a field of the manifest; docs/manifest.md and the schema list them."
        problems = [
            Problem(str(manifest), "", f"no part of a manifest has the field {field}", remedy, "R-ADD-7")
            for field, value in states.items()
            if not state(merged_in, field, value)
        ] or shape_problems(merged_in, str(manifest), lines)
    problems += text_problems(document, str(manifest), lines)
    own = {key: value for key, value in merged_in.items() if key not in {"files", "file_defaults", "defaults"}}
    return Draft(str(manifest), loaded.data.decode("utf-8-sig"), own, lines), problems


def _list_files(found: list[Item]) -> dict[str, Any]:
    """Return the list of files, and what most of them share above it."""
    results = [item for item in found if item.role == "result"]
    shared: dict[str, Any] = {}
    for key, values in (
        ("configuration", [item.configuration for item in results]),
        ("repetition", [item.repetition for item in results]),
    ):
        for value, count in Counter(value for value in values if value is not None).most_common(1):
            shared |= {key: value} if count > 1 else {}
    entries = [_make_entry(item, shared) for item in found]
    return {"file_defaults": shared, "files": entries} if shared else {"files": entries}


def _make_entry(item: Item, shared: dict[str, Any]) -> dict[str, Any]:
    entry: dict[str, Any] = {"path": item.name, "sha256": item.source.sha256}
    if item.role != "result":
        entry["role"] = item.role
    for key, value in (("configuration", item.configuration), ("repetition", item.repetition)):
        is_default = key in shared and item.role in DEFAULTED[key] and shared[key] == value
        if value is not None and not is_default:
            entry[key] = value
    return entry | item.links


def _name_folder(document: dict[str, Any], subject: str | None) -> str:
    tested = document["tested_on"]
    month = (tested if tested != "unknown" and len(tested) >= MONTH else document["submitted_on"])[:MONTH]
    what = subject or next(iter(document["devices"]))
    return f"{month}-{slug(document['submitted_by'])}-{slug(what)[:SUBJECT_CHARACTERS].strip('-')}"


def _write_folder(found: list[Item], draft: Draft, folder: Path) -> tuple[Path | None, list[Problem]]:
    """Write the folder beside its place, check it with the other submissions, and let it take its place."""
    folder.parent.mkdir(parents=True, exist_ok=True)
    with scratch.folder(folder.parent) as aside:
        ready = aside / "ready"
        staged = ready / folder.name
        staged.mkdir(parents=True)
        for item in found:
            with name_place(staged / item.name):
                (staged / item.name).write_bytes(item.source.data)
        text = manifest_text.edit_text(draft.text, draft.document, schema())
        with name_place(staged / NAME):
            (staged / NAME).write_text(text, encoding="utf-8", newline="\n")
        problems = check((staged,), folder.parent, replaced=folder.name).problems
        if problems:
            return None, _rename_places(problems, staged, text, draft, found)
        scratch.replace(ready, folder.parent)
    return folder, []


def _rename_places(problems: list[Problem], staged: Path, text: str, draft: Draft, found: list[Item]) -> list[Problem]:
    """Return problems of a folder that is gone at the places of what was handed in: the manifest at hand, the files."""
    at = {str(line): path for path, line in reversed(safe_yaml.load_yaml(text.encode())[1].items())}
    files = {str(staged / item.name): item.path for item in found}
    renamed = []
    for problem in problems:
        what = problem.what
        for inside in sorted(files, key=len, reverse=True):
            what = what.replace(inside, files[inside])
        what = what.replace(f"{staged}/", "").replace(str(staged), staged.name)
        file, place, path = problem.file, problem.place, at.get(problem.place, ())
        if file != str(staged / NAME):
            file = files.get(file, file.replace(str(staged), staged.name))
        elif path[:1] == ("files",) and len(path) > 1:
            file, place = found[int(path[1])].path, ""
        else:
            file, place = draft.shown, str(line_of(path, draft.lines)) if path else ""
        renamed.append(msgspec.structs.replace(problem, file=file, place=place, what=what))
    return renamed
