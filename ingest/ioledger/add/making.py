"""The folder of a submission: made aside, checked, and put in its place only when nothing is wrong with it."""

from __future__ import annotations

import copy
from typing import TYPE_CHECKING, Any

import msgspec

from ioledger.add import (
    apply_options,
    link_configurations,
    link_jobs,
    link_runs,
    method,
    number_repetitions,
    read_items,
)
from ioledger.build.checking import check
from ioledger.collect.draft import schema_hint, slug, state
from ioledger.loading.files import load
from ioledger.problems import Problem
from ioledger.submission import FOLDER, NAME, load_manifest, safe_yaml, with_defaults
from ioledger.submission.shape import line_of, placeholder_problems, shape_problems, text_problems
from ioledger.system import name_place, read_git, replace_folders, scratch_folder

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from ioledger.add import Ask, Item, Options
    from ioledger.submission.safe_yaml import Lines

SUBJECT_CHARACTERS = 40
MONTH = len("yyyy-mm")
UNMEASURED = frozenset({"job", "attachment"})
"""What is not enough for a submission."""
BRANCHES = ("upstream/HEAD", "upstream/main", "origin/HEAD", "origin/main", "main")
"""Where merged folders lie, as far as this clone knows; a fork's own main may be behind."""


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
    document, lines, problems = _load_draft(manifest, options.states)
    found, more = read_items(paths, options.attachments, tell)
    if not more and all(item.role in UNMEASURED for item in found):
        what, remedy = "no file contains a result", "Name files that fio, DiskSpd, Iometer or ORION wrote."
        return None, [Problem(", ".join(map(str, paths)), "", what, remedy, "R-ADD-8")]
    problems = problems + more or [*apply_options(found, options, document["configurations"])]
    if not problems:
        link_jobs(found)
        problems = link_configurations(found, document, options.configurations.get(None), ask)
    if problems := problems or number_repetitions(found, ask) or link_runs(found, ask):
        return None, problems
    method.fill(document, found, ask)
    if problems := [*placeholder_problems(document, str(manifest), lines)]:
        return None, problems
    document["files"] = [_list_file(item) for item in found]
    day, what = document["tested_on"], options.subject or next(iter(document["devices"]))
    month = (day if day != "unknown" and len(day) >= MONTH else document["submitted_on"])[:MONTH]
    subject = slug(what)[:SUBJECT_CHARACTERS].strip("-")
    folder = data / f"{month}-{slug(document['submitted_by'])}-{subject}"
    if (problem := _check_place(folder, document)) is not None:
        return None, [problem]
    problems = _write_folder(found, document, folder, (str(manifest), lines))
    return (None if problems else folder), problems


def _load_draft(manifest: Path, states: dict[str, str]) -> tuple[dict[str, Any], Lines, list[Problem]]:
    """Read the manifest and put values into it; everything but its files must have the right shape already."""
    loaded, shown = load(str(manifest)), str(manifest)
    if isinstance(loaded, Problem):
        return {}, {}, [loaded]
    try:
        document, lines = safe_yaml.load_yaml(loaded.data)
    except safe_yaml.Mistake as mistake:
        return {}, {}, [mistake.problem(shown)]
    if not isinstance(document, dict):
        return {}, {}, shape_problems(document, shown, lines)
    # what is filled in must not reach what was read
    whole = copy.deepcopy(with_defaults({**document, "files": [{"path": "x", "sha256": "0" * 64}]}))
    remedy = "Name a field of the manifest; docs/manifest.md and the schema list them."
    problems = shape_problems(whole, shown, lines) or [
        Problem(shown, "", f"no part of a manifest has the field {field}", remedy, "R-ADD-7")
        for field, value in states.items()
        if not state(whole, field, value)
    ]
    problems = problems or shape_problems(whole, shown, lines)
    problems += text_problems(document, shown, lines)
    return {key: value for key, value in whole.items() if key != "defaults"}, lines, problems


def _list_file(item: Item) -> dict[str, Any]:
    """Return what the manifest says of a file."""
    entry: dict[str, Any] = {"path": item.name, "sha256": item.source.sha256}
    entry |= {"role": item.role} if item.role != "result" else {}
    own = {"configuration": item.configuration, "repetition": item.repetition} | item.links
    return entry | {key: value for key, value in own.items() if value is not None}


def _check_place(folder: Path, document: dict[str, Any]) -> Problem | None:
    """Say why a folder cannot have its place; one that its own submitter made and nobody has merged gives way."""
    name, remedy = folder.name, "Give another --subject."
    what = None
    if not FOLDER.fullmatch(name):
        what = f"the folder {name} has the wrong form"
    elif folder.exists():
        merged = (read_git(folder.parent, "rev-parse", "--verify", "-q", f"{each}:./{name}") for each in BRANCHES)
        before, _ = load_manifest(folder, name)
        if any(merged):
            what, remedy = f"the folder {name} exists and is merged", f"{remedy} A merged folder is never edited."
        elif before is None or before.manifest["submitted_by"] != document["submitted_by"]:
            what = f"the folder {name} exists and is not of {document['submitted_by']}"
    return None if what is None else Problem(str(folder), "", what, remedy, "R-ADD-5")


def _write_folder(
    found: list[Item], document: dict[str, Any], folder: Path, handed_in: tuple[str, Lines]
) -> list[Problem]:
    """Write the folder beside its place, check it with the other submissions, and let it take its place."""
    folder.parent.mkdir(parents=True, exist_ok=True)
    with scratch_folder(folder.parent) as aside:
        staged = aside / "ready" / folder.name
        staged.mkdir(parents=True)
        text = f"{schema_hint()}\n{safe_yaml.dump_yaml(document)}".encode()
        for name, data in {NAME: text, **{item.name: item.source.data for item in found}}.items():
            with name_place(staged / name):
                (staged / name).write_bytes(data)
        problems = check((staged,), folder.parent, replaced=folder.name).problems
        if problems:
            return _rename_places(problems, folder.name, safe_yaml.load_yaml(text)[1], found, handed_in)
        replace_folders(staged.parent, folder.parent)
    return []


def _rename_places(
    problems: list[Problem], name: str, written: Lines, found: list[Item], handed_in: tuple[str, Lines]
) -> list[Problem]:
    """Return problems of a folder that is gone at the places of what was handed in: the manifest at hand, the files."""
    at = {str(line): path for path, line in reversed(written.items())}
    files = {f"{name}/{item.name}": item.path for item in found}
    renamed = []
    for problem in problems:
        file, place, path = files.get(problem.file, problem.file), problem.place, at.get(problem.place, ())
        if problem.file == f"{name}/{NAME}":
            file, place = handed_in[0], str(line_of(path, handed_in[1])) if path else ""
            if path[:1] == ("files",) and len(path) > 1:
                file, place = found[int(path[1])].path, ""
        renamed.append(msgspec.structs.replace(problem, file=file, place=place))
    return renamed
