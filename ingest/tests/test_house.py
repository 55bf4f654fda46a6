"""How the package is built: no import goes in a circle, rooms import downwards, and no file grows out of sight."""

from __future__ import annotations

import ast
from functools import cache
from graphlib import TopologicalSorter
from pathlib import Path

import pytest

import ioledger

PACKAGE = Path(ioledger.__file__).parent
MOST_LINES = 450
LAYERS = (
    {"model", "problems", "system", "text_table", "workspace"},
    {"checks", "tables"},
    {"readers"},
    {"claims", "comparison", "loading"},
    {"submission"},
    {"build", "collect", "gating", "imports", "plan", "releases", "report"},
    {"add", "pulls", "spark"},
    {"cli"},
)
"""Rooms and modules beside them; each imports from its own layer and from those above it in this list."""
IN_NO_LAYER = {"__init__", "__main__"}
"""The door and the public names, which may import everything."""


@cache
def _modules() -> dict[str, Path]:
    """Return the files of the package by the name of their module."""
    found = {}
    for path in sorted(PACKAGE.rglob("*.py")):
        parts = path.relative_to(PACKAGE.parent).with_suffix("").parts
        found[".".join(parts[:-1] if parts[-1] == "__init__" else parts)] = path
    return found


@cache
def _imports() -> dict[str, set[str]]:
    """Return which modules of the package each one imports, wherever in the file and for whatever purpose."""
    graph: dict[str, set[str]] = {}
    for name, path in _modules().items():
        named: set[str] = set()
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Import):
                named |= {alias.name for alias in node.names}
            elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
                inside = {f"{node.module}.{alias.name}" for alias in node.names}
                named |= {each if each in _modules() else node.module for each in inside}
        graph[name] = {each for each in named if each in _modules()} - {name}
    return graph


def test_no_import_goes_in_a_circle() -> None:
    """Neither when a module loads, nor in a function, nor for a type; the error names the modules of a circle."""
    TopologicalSorter(_imports()).prepare()


def _room(module: str) -> str:
    return [*module.split("."), "__init__"][1]


def test_rooms_import_downwards() -> None:
    """What measures knows nothing of submissions, submissions nothing of the build, and nothing knows the commands."""
    layer = {room: number for number, rooms in enumerate(LAYERS) for room in rooms}
    assert {_room(name) for name in _modules()} - IN_NO_LAYER == set(layer)
    upwards = [
        f"{name} imports {other}"
        for name, others in _imports().items()
        for other in sorted(others)
        if not {_room(name), _room(other)} & IN_NO_LAYER and layer[_room(other)] > layer[_room(name)]
    ]
    assert upwards == []


@pytest.mark.parametrize("name", sorted(_modules()))
def test_a_file_is_short_enough_to_find_ones_way_in(name: str) -> None:
    """A module is about one thing."""
    assert len(_modules()[name].read_text(encoding="utf-8").splitlines()) <= MOST_LINES
