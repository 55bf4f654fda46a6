"""The folder of a submission: made aside, checked, and put in its place only when nothing is wrong with it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ioledger.add import linking, method
from ioledger.build.checking import check
from ioledger.collect.draft import slug
from ioledger.measurement.files import load
from ioledger.problems import Problem
from ioledger.submission import safe_yaml
from ioledger.submission.manifest import FOLDER, NAME, with_defaults
from ioledger.submission.shape import placeholder_problems, shape_problems, text_problems
from ioledger.system import scratch
from ioledger.system.ending import named

if TYPE_CHECKING:
    from pathlib import Path

    from ioledger.add.linking import Ask, Given, Item
    from ioledger.submission.safe_yaml import Lines

SUBJECT_CHARACTERS = 40
MONTH = len("yyyy-mm")


def add(
    paths: tuple[Path, ...], manifest: Path, data: Path, given: Given, ask: Ask
) -> tuple[Path | None, list[Problem]]:
    """
    Make a submission of these files below ``data``; return its folder, or None with everything that is wrong.

    ``ask`` is given a question and its possible answers, and returns one of them or None.
    """
    document, lines, problems = _draft(manifest)
    found, more = linking.items(paths, given)
    if document is None or problems or more:
        return None, problems + more
    linking.to_jobs(found)
    problems = linking.configurations(found, document, given, ask) or linking.repetitions(found, given, ask)
    problems = problems or linking.to_runs(found, given, ask)
    if problems:
        return None, problems
    method.fill(document, found, ask)
    problems = list(placeholder_problems(document, str(manifest), lines))
    if problems:
        return None, problems
    document["files"] = [_entry(item) for item in found]
    name = _folder(document, given.subject)
    if not FOLDER.fullmatch(name) or (data / name).exists():
        what = f"the folder {name} {'exists' if (data / name).exists() else 'has the wrong form'}"
        return None, [Problem(str(data / name), "", what, "Give another --subject.", "R-ADD-5")]
    return _placed(found, document, data / name)


def _draft(manifest: Path) -> tuple[dict[str, Any] | None, Lines, list[Problem]]:
    """Read the manifest and its lines; everything but its files must have the right shape already."""
    loaded = load(str(manifest))
    if isinstance(loaded, Problem):
        return None, {}, [loaded]
    try:
        document, lines = safe_yaml.load_yaml(loaded.data)
    except safe_yaml.Mistake as mistake:
        return None, {}, [mistake.problem(str(manifest))]
    if not isinstance(document, dict):
        return None, lines, shape_problems(document, str(manifest), lines)
    stand_in = [{"path": "x", "sha256": "0" * 64}]
    merged = with_defaults({**document, "files": stand_in})
    problems = shape_problems(merged, str(manifest), lines)
    problems += text_problems(document, str(manifest), lines)
    return {key: value for key, value in merged.items() if key not in {"files", "defaults"}}, lines, problems


def _entry(item: Item) -> dict[str, Any]:
    entry: dict[str, Any] = {"path": item.name, "sha256": item.source.sha256}
    if item.role != "result":
        entry["role"] = item.role
    if item.configuration is not None:
        entry["configuration"] = item.configuration
    if item.repetition is not None:
        entry["repetition"] = item.repetition
    return entry | item.ties


def _folder(document: dict[str, Any], subject: str | None) -> str:
    tested = document["tested_on"]
    month = (tested if tested != "unknown" and len(tested) >= MONTH else document["submitted_on"])[:MONTH]
    what = subject or next(iter(document["devices"]))
    return f"{month}-{slug(document['submitted_by'])}-{slug(what)[:SUBJECT_CHARACTERS].strip('-')}"


def _placed(found: list[Item], document: dict[str, Any], folder: Path) -> tuple[Path | None, list[Problem]]:
    """Write the folder beside its place, check it with the other submissions, and rename it."""
    folder.parent.mkdir(parents=True, exist_ok=True)
    with scratch.folder(folder.parent) as aside:
        staged = aside / folder.name
        staged.mkdir()
        for item in found:
            with named(staged / item.name):
                (staged / item.name).write_bytes(item.source.data)
        with named(staged / NAME):
            (staged / NAME).write_text(safe_yaml.dump_yaml(document), encoding="utf-8", newline="\n")
        problems = check((staged,), folder.parent).problems
        if problems:
            shown = [(problem, problem.file.replace(str(staged), folder.name)) for problem in problems]
            return None, [Problem(file, p.place, p.what, p.remedy, p.rule) for p, file in shown]
        staged.rename(folder)
    return folder, []
