# ruff: noqa: INP001  (a script of the site, not a module)
"""What pages show that no query gives: rules, columns, checks, models, limits, saved queries, files of a build."""

from __future__ import annotations

import csv
import json
import re
from typing import TYPE_CHECKING, Any

import msgspec
import yaml

from ioledger.rules import rules
from ioledger.tables.schema import ROOT

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from pathlib import Path

    from ioledger.build.pages import Query

Document = list[dict[str, Any]]

EXACT = 2**53
"""Larger whole numbers are not all numbers of JavaScript."""
PLACES = {
    "merged": "In the database it lies in schema raw: other tables have taken it in.",
    "files": "It is not in the database, but a Parquet file beside it.",
}
MODELS = ROOT / "models"
LAYERS = {"marts": "marts", "views": "marts", "intermediate": "intermediate"}
READ = re.compile(r"(?:ref|source)\('(\w+)'(?:, '(\w+)')?\)")
Loader = getattr(yaml, "CSafeLoader", yaml.SafeLoader)  # the quicker one, where PyYAML was built with libyaml


def documents(build: Path, saved: Sequence[Query]) -> dict[str, Callable[[], Document]]:
    """Return by name what makes each document of a build whose site has these saved queries."""
    return {
        "checks": lambda: checks(build),
        "columns": lambda: columns("marts") + columns("views"),
        "downloads": lambda: downloads(build),
        "limits": limits,
        "method": models,
        "methodsql": statements,
        "queries": lambda: msgspec.to_builtins(saved),
        "rules": lambda: msgspec.to_builtins(rules()),
        "sources": lambda: columns("tables"),
    }


def checks(build: Path) -> Document:
    """Return the outcome of every expectation; whole numbers that a browser would round are written as text."""
    found: Document = json.loads((build / "checks.json").read_text(encoding="utf-8"))
    for check in found:
        for name, value in check.get("kwargs", {}).items():
            if isinstance(value, int | float) and abs(value) > EXACT:
                check["kwargs"][name] = f"{int(value):,}"
    return found


def columns(kind: str) -> Document:
    """Return every column of all marts, or of all raw tables, as schemas define them; a list each: they are many."""
    return [_table(path) for path in sorted((ROOT / "schemas" / kind).glob("*.schema.json"))]


def _table(path: Path) -> dict[str, Any]:
    schema = json.loads(path.read_text(encoding="utf-8"))
    found = [
        [
            name,
            column["x-arrow"],
            column.get("x-unit") or 0,
            int("null" in column["type"]),
            column["description"],
            *([[value for value in column["enum"] if value is not None]] if "enum" in column else ()),
        ]
        for name, column in schema["properties"].items()
    ]
    return {
        "name": schema["title"],
        "kind": path.parent.name.removesuffix("s"),
        "description": " ".join(filter(None, (schema["description"], PLACES.get(schema.get("x-published"))))),
        "key": schema["x-primary-key"],
        "columns": found,
    }


def downloads(build: Path) -> Document:
    """Return the files of a build with their rows, size and hashes, the database first; its hash is not its own."""
    files = json.loads((build / "manifest.json").read_text(encoding="utf-8"))["files"]
    present = [(path, facts) for path, facts in sorted(files.items()) if (build / path).exists()]
    return [
        {"path": path, "size_bytes": (build / path).stat().st_size, **facts}
        for path, facts in [("ioledger.duckdb", {}), *present]
    ]


def limits() -> Document:
    """Return the limits that judgements rest on, as the seed has them: value, unit, where it comes from, and why."""
    with (MODELS / "seeds" / "known_limits.csv").open(encoding="utf-8", newline="") as seed:
        return list(csv.DictReader(seed))


def statements() -> Document:
    """Return the SQL of every model by name; the method page loads it when a reader opens the first one."""
    found = sorted(MODELS.glob("*/*.sql"))
    return [{"name": path.stem, "sql": path.read_text(encoding="utf-8").strip()} for path in found]


def models() -> Document:
    """Return one entry per model: marts first, then what leads to them, then the raw tables, ``raw.<name>``."""
    properties, tests = _described()
    (raw,) = _read(MODELS / "sources.yml")["sources"]
    return [
        {
            "name": path.stem,
            "layer": shown,
            "description": properties.get(path.stem, {}).get("description"),
            "reads": sorted(
                {".".join(filter(None, names)) for names in READ.findall(path.read_text(encoding="utf-8"))}
            ),
            "tests": tests.get(path.stem, []),
        }
        for layer, shown in LAYERS.items()
        for path in sorted((MODELS / layer).glob("*.sql"))
    ] + [
        {"name": f"raw.{table['name']}", "layer": "raw", "description": table["description"], "reads": [], "tests": []}
        for table in raw["tables"]
    ]


def _described() -> tuple[dict[str, dict[str, Any]], dict[str, list[str]]]:
    """Return the models' properties and what the unit tests of each model show, in words, from every yml file."""
    properties: dict[str, dict[str, Any]] = {}
    tests: dict[str, list[str]] = {}
    for path in sorted(MODELS.rglob("*.yml")):
        content = _read(path)
        properties |= {model["name"]: model for model in content.get("models") or []}
        for test in content.get("unit_tests") or []:
            said = test.get("description") or test["name"].replace("_", " ")
            tests.setdefault(test["model"], []).append(said)
    return properties, tests


def _read(path: Path) -> dict[str, Any]:
    content: dict[str, Any] = yaml.load(path.read_text(encoding="utf-8"), Loader) or {}  # noqa: S506  (a safe one)
    return content
