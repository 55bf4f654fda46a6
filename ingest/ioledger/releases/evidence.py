"""
What a build was made by: hashes of everything in the code that decides about a number, for whoever compares two builds.

They stand in ``manifest.json`` beside the release id and not in it: the same tables have the same id, whatever made
them. Hashes are of lines that are no comment and not empty, so that a comment moves nothing.
"""

from __future__ import annotations

import ast
import hashlib
import re
from typing import TYPE_CHECKING

import msgspec

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from pathlib import Path

READING = ("readers", "checks", "loading", "tables", "submission")
"""Rooms of the package that turn files and manifests into rows."""
SEEDS = "known_"
_REFERENCE = re.compile(r"ref\(\s*'(\w+)'\s*\)")
_SOURCE = re.compile(r"source\(\s*'raw'\s*,\s*'(\w+)'\s*\)")
_FUNCTION = re.compile(r"Function\(\"(\w+)\"")
_COMMENTS = {".py": "#", ".sql": "--"}


class Model(msgspec.Struct, frozen=True):
    """A model: the hash of its SQL, the models, seeds and raw tables it reads, and whether it calls judgement."""

    sha256: str
    reads: tuple[str, ...]
    is_judging: bool = False


class Reader(msgspec.Struct, frozen=True):
    """A reader: its version by the first word of a format, and the hash of its code."""

    versions: dict[str, str]
    sha256: str


class Evidence(msgspec.Struct, frozen=True):
    """The code that made a build: everything by name, each with a hash."""

    readers: dict[str, Reader]
    reading: dict[str, str]
    """Code that all readers share, and what reads manifests, by room of the package."""
    models: dict[str, Model]
    """By the name of the table; raw tables are ``raw.<name>``, seeds have names of their own."""
    seeds: dict[str, str]
    """Tables of roles, limits, profiles and objectives that judgement goes by."""
    judgement: dict[str, str]
    """Modules that make verdicts, intervals and words, by file."""
    claims: dict[str, str]
    """Modules that recompute statements of publications, by file."""
    expectations: dict[str, str]


def evidence(root: Path, package: Path) -> Evidence:
    """Return what the code in a checkout, or an installed package, is: ``root`` holds ``models/`` and ``schemas/``."""
    functions = _functions(package / "judgement" / "functions.py")
    calls = re.compile(rf"\b(?:{'|'.join(functions) or '(?!)'})\(")
    models = {path.stem: _model(path, calls) for path in sorted((root / "models").rglob("*.sql"))}
    readers = package / "readers"
    return Evidence(
        readers={name: Reader(_versions(files), _digest(files)) for name, files in _readers(readers)},
        reading={room: _digest(_shared(package / room)) for room in READING},
        models=models,
        seeds=_each((root / "models" / "seeds").glob("*.csv"), is_whole=True),
        judgement=_each((package / "judgement").rglob("*.py")),
        claims=_each((package / "claims").rglob("*.py")),
        expectations=_each((root / "schemas" / "expectations").glob("*.json"), is_whole=True),
    )


def _model(path: Path, calls: re.Pattern[str]) -> Model:
    text = path.read_text(encoding="utf-8")
    reads = [*_REFERENCE.findall(text), *(f"raw.{name}" for name in _SOURCE.findall(text))]
    return Model(_digest([path]), tuple(sorted(set(reads))), bool(calls.search(text)))


def _functions(path: Path) -> list[str]:
    """Return the names under which SQL calls judgement; none of a time before it was called from SQL."""
    return sorted(_FUNCTION.findall(path.read_text(encoding="utf-8"))) if path.is_file() else []


def _readers(folder: Path) -> Iterator[tuple[str, list[Path]]]:
    """Give each reader with its files: a package, or a module that names its tool."""
    for path in sorted(folder.iterdir()):
        if path.is_dir() and (path / "__init__.py").is_file():
            yield path.name, sorted(path.rglob("*.py"))
        elif path.suffix == ".py" and "TOOL" in _constants(path):
            yield path.stem, [path]


def _shared(room: Path) -> list[Path]:
    """Return the files of a room; of the readers' what is no reader."""
    if room.name != "readers":
        return sorted(room.rglob("*.py"))
    own = {path for _, files in _readers(room) for path in files}
    return sorted(path for path in room.glob("*.py") if path not in own)


def _versions(files: list[Path]) -> dict[str, str]:
    """Return what a reader states as ``VERSIONS``, without running its code; nothing of a time before they were."""
    node = _constants(files[0]).get("VERSIONS")
    return {} if node is None else dict(ast.literal_eval(node))


def _constants(path: Path) -> dict[str, ast.expr]:
    """Return the values that a module gives to names at its top."""
    tree = ast.parse(path.read_text(encoding="utf-8"))
    return {
        target.id: node.value
        for node in tree.body
        if isinstance(node, ast.Assign)
        for target in node.targets
        if isinstance(target, ast.Name)
    }


def _each(paths: Iterable[Path], *, is_whole: bool = False) -> dict[str, str]:
    return {path.stem: _digest([path], is_whole=is_whole) for path in sorted(paths)}


def _digest(paths: Iterable[Path], *, is_whole: bool = False) -> str:
    """Return the hash of files with their names; of code without lines that are empty or comment."""
    digest = hashlib.sha256()
    for path in paths:
        text = path.read_text(encoding="utf-8")
        comment = _COMMENTS.get(path.suffix)
        lines = (line.strip() if path.suffix == ".sql" else line.rstrip() for line in text.splitlines())
        if not is_whole and comment:
            lines = (line for line in lines if line.strip() and not line.lstrip().startswith(comment))
        digest.update(f"{path.name}\n".encode() + "\n".join(lines).encode() + b"\0")
    return digest.hexdigest()
