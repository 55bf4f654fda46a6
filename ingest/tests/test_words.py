"""Texts for users have the terms of the field: phrases that readers did not understand are in none of them."""

from __future__ import annotations

import ast
import json
import re
from typing import TYPE_CHECKING, Any

from ioledger.tables.schema import ROOT

if TYPE_CHECKING:
    from collections.abc import Iterator

PHRASES = (
    "not divided", "divided by", "0 % read", "host full", "full first", "slow tail", "one changed thing", "take back",
    "taken back", "letter by letter", "what rests on", "where it stands", "was asked of", "of the bench", "are sure",
    "is it sure", "held back", "if runs spread by", "is told", "are told", "stands beside",
)  # fmt: skip
FOUND = re.compile(rf"(?<![\w.,])(?:{'|'.join(map(re.escape, PHRASES))})(?!\w)", re.IGNORECASE)
SCHEMA_TEXTS = frozenset({"description", "x-question", "text", "reason", "meaning"})
DOCUMENTS = ("README.md", "CONTRIBUTING.md", ".github/pull_request_template.md")


def _texts() -> Iterator[tuple[str, str]]:
    """Give every text that users read, with its place: messages, glosses, schemas, what commands print, documents."""
    for key, text in json.loads((ROOT / "site" / "messages" / "en.json").read_text(encoding="utf-8")).items():
        yield f"site/messages/en.json {key}", text
    for path in sorted((ROOT / "site" / "glosses").glob("*.json")):
        for text in json.loads(path.read_text(encoding="utf-8")):
            yield path.name, text
    for path in sorted((ROOT / "schemas").rglob("*.json")):
        for text in _of_schema(json.loads(path.read_text(encoding="utf-8"))):
            yield str(path.relative_to(ROOT)), text
    for path in sorted((ROOT / "ingest" / "ioledger").rglob("*.py")):
        for line, text in _of_code(ast.parse(path.read_text(encoding="utf-8"))):
            yield f"{path.relative_to(ROOT)}:{line}", text
    for path in (*(ROOT / name for name in DOCUMENTS), *sorted((ROOT / "docs").glob("*.md"))):
        yield path.name, " ".join(path.read_text(encoding="utf-8").split())


def _of_schema(node: Any) -> Iterator[str]:  # noqa: ANN401  (any JSON)
    if isinstance(node, dict):
        yield from (text for name, text in node.items() if name in SCHEMA_TEXTS and isinstance(text, str))
    for inner in node.values() if isinstance(node, dict) else node if isinstance(node, list) else ():
        yield from _of_schema(inner)


def _of_code(tree: ast.Module) -> Iterator[tuple[int, str]]:
    """Give the strings of a module; of docstrings only those of commands, which are their help."""
    helped = {
        statement.value
        for node in ast.walk(tree)
        if isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef)
        and not any("command" in ast.unparse(each) for each in getattr(node, "decorator_list", ()))
        for statement in node.body
        if isinstance(statement, ast.Expr) and isinstance(statement.value, ast.Constant)
    }
    for node in ast.walk(tree):
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and node not in helped:
            yield node.lineno, node.value


def test_phrases_that_readers_did_not_understand_are_in_no_text() -> None:
    """Each found one is named with its place; `docs/statistics.md` and the table of terms have better words."""
    found = [f"{place}: {match[0]}" for place, text in _texts() for match in FOUND.finditer(text)]
    assert found == []
