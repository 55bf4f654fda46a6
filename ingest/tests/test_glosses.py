"""Sentences of this project in Japanese: every one of a template or a schema is known, and nothing else is touched."""

from __future__ import annotations

import ast
import json
import re
import runpy
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
import yaml

from ioledger.tables.schema import ROOT, read_schema

if TYPE_CHECKING:
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


def _expected() -> set[str]:
    found = set()
    for path in sorted((ROOT / "schemas" / "expectations").glob("*.json")):
        suite = json.loads(path.read_text(encoding="utf-8"))
        found |= {suite["meta"]["description"], *(each["meta"]["reason"] for each in suite["expectations"])}
    return found


def test_every_check_says_in_japanese_why_it_is_made(glosses: Any) -> None:  # noqa: ANN401
    """The page of checks and the findings show these sentences."""
    assert sorted(each for each in _expected() if glosses.said(each) is None) == []


def _schemas() -> list[dict[str, Any]]:
    folders = [ROOT / "schemas" / kind for kind in ("marts", "tables", "views")]
    paths = [path for folder in folders for path in sorted(folder.glob("*.schema.json"))]
    return [read_schema(path) for path in paths]


def _tables() -> set[str]:
    return {schema[name] for schema in _schemas() for name in ("description", "x-question") if schema.get(name)}


def _columns() -> set[str]:
    return {column["description"] for schema in _schemas() for column in schema["properties"].values()}


def _holds(file: str, sentences: set[str], glosses: Any) -> None:  # noqa: ANN401
    """Name every sentence without Japanese, and every one of the file that nothing says any more."""
    known = set(json.loads((GLOSSES / file).read_text(encoding="utf-8")))
    lacking = [f"site/glosses/{file} lacks: {each}" for each in sorted(sentences - glosses.whole.keys())]
    left = [f"site/glosses/{file} has, and nothing says: {each}" for each in sorted(known - sentences)]
    assert not lacking + left, "\n" + "\n".join(lacking + left)


def test_every_column_says_in_japanese_what_it_holds(glosses: Any) -> None:  # noqa: ANN401
    """The page of columns shows them."""
    _holds("columns.json", _columns(), glosses)
    _agree(_columns(), glosses)


def _models() -> set[str]:
    paths = [
        path for layer in ("marts", "views", "intermediate") for path in sorted((ROOT / "models" / layer).glob("*.yml"))
    ]
    read = [yaml.safe_load(path.read_text(encoding="utf-8")) for path in paths]
    return {model["description"] for each in read for model in each.get("models") or []}


def test_every_model_says_in_japanese_what_it_does(glosses: Any) -> None:  # noqa: ANN401
    """The page of the method shows them."""
    _holds("models.json", _models() - _tables(), glosses)
    _agree(_models(), glosses)


def _agree(sentences: set[str], glosses: Any) -> None:  # noqa: ANN401
    """Find codes and numbers of a sentence in its Japanese, which is Japanese."""
    code = re.compile(r"\b[a-z]+_[a-z_]+\b|\d+(?:\.\d+)?")
    pairs = [(each, glosses.whole[each]) for each in sorted(sentences)]
    assert [en for en, ja in pairs if not set(code.findall(en)) <= set(code.findall(ja))] == []
    assert [ja for _, ja in pairs if not re.search("[\u3040-\u30ff\u4e00-\u9fff]", ja)] == []


def test_every_table_says_in_japanese_what_it_holds(glosses: Any) -> None:  # noqa: ANN401
    """The pages of columns and of SQL list them; what a table in another place adds has words, too."""
    assert sorted(each for each in _tables() if each not in glosses.whole) == []
    known = json.loads((GLOSSES / "tables.json").read_text(encoding="utf-8"))
    assert sorted(each for each in set(known) - _tables() if "{" not in each) == []


def _rules() -> set[str]:
    paths = sorted((ROOT / "schemas" / "rules").glob("*.json"))
    return {rule["text"] for path in paths for rule in json.loads(path.read_text(encoding="utf-8")).values()}


def test_every_rule_stands_in_japanese_too(glosses: Any) -> None:  # noqa: ANN401
    """So does the page of rules, and nothing is left there of one that is gone."""
    assert sorted(each for each in _rules() if each not in glosses.whole) == []
    assert sorted(set(json.loads((GLOSSES / "rules.json").read_text(encoding="utf-8"))) - _rules()) == []


def test_no_gloss_of_a_check_is_left_of_an_earlier_sentence() -> None:
    """A sentence that changes takes its gloss along."""
    known = json.loads((GLOSSES / "checks.json").read_text(encoding="utf-8"))
    assert sorted(set(known) - _expected()) == []


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


@pytest.mark.parametrize("source", ["ioledger.claims"])
def test_every_reason_of_a_verdict_is_known_in_japanese(glosses: Any, source: str) -> None:  # noqa: ANN401
    """Each sentence that can stand in one has a gloss, or is part of one that has."""
    sentences = _sentences(import_module(source))
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
    said = glosses.said(reason)
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
