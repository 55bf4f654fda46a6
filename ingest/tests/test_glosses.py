"""Sentences of this project in Japanese: every one of a template or a schema is known, and nothing else is touched."""

from __future__ import annotations

import ast
import json
import re
import runpy
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from conftest import description
from ioledger import claims
from ioledger.tables.schema import ROOT, read_schema, rules

if TYPE_CHECKING:
    from collections.abc import Callable
    from types import ModuleType

GLOSSES = ROOT / "site" / "glosses"
SENTENCE = re.compile(r"[a-z]{2,} [a-z]{2,} [a-z]+")


@pytest.fixture(scope="module")
def module() -> dict[str, Any]:
    """Return the module of the site that says things in Japanese."""
    return runpy.run_path(str(ROOT / "site" / "data" / "glosses.py"))


@pytest.fixture(scope="module")
def glosses(module: dict[str, Any]) -> Any:  # noqa: ANN401  (a class of a script)
    """Return the sentences that are known."""
    return module["Glosses"]()


def _checks() -> set[str]:
    suites = [json.loads(path.read_text("utf-8")) for path in (ROOT / "schemas" / "expectations").glob("*.json")]
    return {suite["meta"]["description"] for suite in suites} | {
        each["meta"]["reason"] for suite in suites for each in suite["expectations"]
    }


def _schemas() -> list[dict[str, Any]]:
    folders = [ROOT / "schemas" / kind for kind in ("marts", "tables", "views")]
    return [read_schema(path) for folder in folders for path in sorted(folder.glob("*.schema.json"))]


def _models() -> set[str]:
    paths = [path for layer in ("marts", "views", "intermediate") for path in (ROOT / "models" / layer).glob("*.yml")]
    return {model["description"] for each in map(description, paths) for model in each.get("models") or []}


SHOWN: dict[str, Callable[[], set[str]]] = {
    "checks": _checks,
    "columns": lambda: {each["description"] for schema in _schemas() for each in schema["properties"].values()},
    "models": _models,
    "tables": lambda: {
        schema[name] for schema in _schemas() for name in ("description", "x-question") if schema.get(name)
    },
    "rules": lambda: {rule.text for rule in rules()},
}
"""What pages show of the project's own words, by the file of their Japanese."""


@pytest.mark.parametrize("file", SHOWN)
def test_every_sentence_that_a_page_shows_has_its_japanese_and_nothing_else_has(file: str, glosses: Any) -> None:  # noqa: ANN401
    """Its codes and numbers stand in it; a sentence that changes takes its gloss along."""
    sentences = SHOWN[file]()
    known = set(json.loads((GLOSSES / f"{file}.json").read_text(encoding="utf-8")))
    lacking = [each for each in sorted(sentences - glosses.whole.keys()) if file != "checks" or not glosses.gloss(each)]
    assert [f"site/glosses/{file}.json lacks: {each}" for each in lacking] == []
    left = {each for each in known - sentences if "{" not in each}  # a pattern: what a table in another place adds
    assert [f"site/glosses/{file}.json has, and nothing says: {each}" for each in sorted(left)] == []
    code = re.compile(r"\b[a-z]+_[a-z_]+\b|\d+(?:\.\d+)?")
    pairs = [(each, glosses.whole[each]) for each in sorted(sentences & glosses.whole.keys())]
    assert [en for en, ja in pairs if not set(code.findall(en)) <= set(code.findall(ja))] == []
    assert [ja for _, ja in pairs if not re.search("[\u3040-\u30ff\u4e00-\u9fff]", ja)] == []


def _sentences(module: ModuleType) -> list[str]:
    """Return the sentences that a module writes, with a 1 where a value stands."""
    tree = ast.parse(Path(str(module.__file__)).read_text(encoding="utf-8"))
    left = {id(each.value) for each in ast.walk(tree) if isinstance(each, ast.Expr)}
    left |= {id(each) for one in ast.walk(tree) if isinstance(one, ast.Compare | ast.Raise) for each in ast.walk(one)}
    joined = [each for each in ast.walk(tree) if isinstance(each, ast.JoinedStr)]
    parts = {id(part) for each in joined for part in ast.walk(each)}
    found = [
        "".join(str(one.value) if isinstance(one, ast.Constant) else "1" for one in each.values) for each in joined
    ]
    found += [
        each.value
        for each in ast.walk(tree)
        if isinstance(each, ast.Constant) and isinstance(each.value, str) and id(each) not in left | parts
    ]
    clauses = [clause.strip("; :()") for one in found for clause in one.split("; ")]
    return [one for one in clauses if SENTENCE.search(one)]


def test_every_reason_of_a_verdict_is_known_in_japanese(glosses: Any) -> None:  # noqa: ANN401
    """Each sentence that can stand in one has a gloss, or is part of one that has."""
    sentences = _sentences(claims)
    assert sentences
    known = [*glosses.whole, *(re.sub(r"\(\?P<\w+>\.\+\?\)", "1", shape.pattern) for shape, _ in glosses.shapes)]
    plain = [each.replace("\\", "") for each in known if len(each) > 5]
    shapes = {one: re.compile(re.escape(one).replace("1", ".+")) for one in sentences}
    unknown = [one for one, shape in shapes.items() if not any(shape.search(each) or each in one for each in plain)]
    assert unknown == []


def test_a_reason_is_said_clause_by_clause(glosses: Any) -> None:  # noqa: ANN401
    """Computations stay as they are; what is said about them is translated, in brackets too."""
    reason = (
        "Does not follow from the printed operands: 26ms / 222ms = 0.117 (0.112 to 0.119 within the rounding of what is"
        " printed; 222ms is also printed as 227ms); the claimed number is 12.7 % smaller"
    )
    said = glosses.gloss(reason)
    assert "26ms / 222ms = 0.117" in said
    assert "222ms は 227ms とも印刷されている" in said
    assert not re.search(r"[a-z]{3,} [a-z]{2,}", said)


def test_what_an_author_wrote_stays_as_it_is(glosses: Any) -> None:  # noqa: ANN401
    """Only whole sentences of the project are looked up, and keys are none."""
    content = {
        "A figure has its printed form.": "A figure has its printed form. And more.",
        "n": 1,
        "list": ["follows"],
    }
    assert glosses.of(content) == content
    assert glosses.of(["A figure has its printed form."]) != ["A figure has its printed form."]


def test_pages_ask_for_japanese_files_where_they_are_written(module: dict[str, Any]) -> None:
    """The two lists of such files are one."""
    (stated,) = re.findall(r"const GLOSSED = /\^\((.*)\)\(", (ROOT / "site/components/mount.js").read_text("utf-8"))
    paths = ["data/claims", "data/checks", "data/media-ladder", "content/submissions/s", "content/devices/d", "parts/x"]
    pattern = re.compile(rf"({stated})(/.*)?")
    assert [bool(pattern.fullmatch(each)) for each in paths] == [module["is_written"](each) for each in paths]
    assert all(pattern.fullmatch(each) for each in module["WRITTEN"])
