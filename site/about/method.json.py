# ruff: noqa: INP001  (the site's framework names loaders)
"""The dbt models as they describe themselves: description, what they read, and their unit tests. Their SQL is apart."""

import json
import re
import sys
from typing import Any

import yaml

from ioledger.tables.schema import ROOT

Loader = getattr(yaml, "CSafeLoader", yaml.SafeLoader)  # the quicker one, where PyYAML was built with libyaml
MODELS = ROOT / "models"
LAYERS = ("marts", "intermediate")
READ = re.compile(r"(?:ref|source)\('(\w+)'(?:, '(\w+)')?\)")


def described() -> tuple[dict[str, dict[str, Any]], dict[str, list[dict[str, Any]]]]:
    """Return the models' properties and the unit tests of each model, from every yml file."""
    properties: dict[str, dict[str, Any]] = {}
    tests: dict[str, list[dict[str, Any]]] = {}
    for path in sorted(MODELS.rglob("*.yml")):
        content = yaml.load(path.read_text(encoding="utf-8"), Loader) or {}  # noqa: S506  (a safe one)
        properties |= {model["name"]: model for model in content.get("models") or []}
        for test in content.get("unit_tests") or []:
            tests.setdefault(test["model"], []).append({"name": test["name"], "description": test.get("description")})
    return properties, tests


def models() -> list[dict[str, Any]]:
    """Return one entry per model: marts first, then what leads to them, then the raw tables, ``raw.<name>``."""
    properties, tests = described()
    (raw,) = yaml.load((MODELS / "sources.yml").read_text(encoding="utf-8"), Loader)["sources"]  # noqa: S506
    return [
        {
            "name": path.stem,
            "layer": layer,
            "description": properties.get(path.stem, {}).get("description"),
            "reads": sorted(
                {".".join(filter(None, names)) for names in READ.findall(path.read_text(encoding="utf-8"))}
            ),
            "tests": tests.get(path.stem, []),
        }
        for layer in LAYERS
        for path in sorted((MODELS / layer).glob("*.sql"))
    ] + [
        {"name": f"raw.{table['name']}", "layer": "raw", "description": table["description"], "reads": [], "tests": []}
        for table in raw["tables"]
    ]


json.dump(models(), sys.stdout)
