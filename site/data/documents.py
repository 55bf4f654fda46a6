"""What pages show that no query gives: rules, columns, checks, models, limits, saved queries, files of a build."""

from __future__ import annotations

import csv
import json
import re
from functools import partial
from typing import TYPE_CHECKING, Any

import msgspec
import yaml

from ioledger.tables.schema import ROOT, read_schema, rules

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence
    from pathlib import Path

    from ioledger.build.pages import Query

Document = list[dict[str, Any]]

EXACT = 2**53
"""Larger whole numbers are not all numbers of JavaScript."""
PLACES = {
    "merged": "In the database it is in schema raw, because other tables contain its rows.",
    "files": "It is not in the database, but in a Parquet file in the same folder.",
}
MODELS = ROOT / "models"
LAYERS = {"marts": "marts", "views": "marts", "intermediate": "intermediate"}
FENCE = re.compile(r"^```.*\n?", re.MULTILINE)
SPACELESS = re.compile(
    "(?<=[\u3000-\U0010ffff])\n\\s*(?=[\u3000-\U0010ffff])|(?<=[\u3002\u3001\uff1a\uff08])\n\\s*|\n\\s*(?=[\uff08\u300c])"
)
"""Ends of lines between two characters of Japanese, or beside a sign with room of its own."""
NOT_IN_ANCHOR = re.compile(r"[^a-z0-9]+")
READ = re.compile(r"(?:ref|source)\('(\w+)'(?:, '(\w+)')?\)")
Loader = getattr(yaml, "CSafeLoader", yaml.SafeLoader)  # the quicker one, where PyYAML was built with libyaml


def documents(build: Path, saved: Sequence[Query]) -> dict[str, Callable[[], Document]]:
    """Return by name what makes each document of a build whose site has these saved queries."""
    return {
        "checks": partial(checks, build),
        "columns": lambda: columns("marts") + columns("views"),
        "downloads": partial(downloads, build),
        "gate": partial(chapter, "gate"),
        "limits": limits,
        "method": models,
        "methodsql": statements,
        "queries": lambda: msgspec.to_builtins(saved),
        "rules": lambda: msgspec.to_builtins(rules()),
        "sources": partial(columns, "tables"),
        "statistics": partial(chapter, "statistics"),
    }


def chapter(name: str) -> Document:
    """Return the blocks of a document below ``docs/`` in each language, with the English anchors of its headings."""
    found: Document = []
    anchors: list[str] = []
    for language, folder in (("en", "docs"), ("ja", "docs/ja")):
        blocks = [*_blocks((ROOT / folder / f"{name}.md").read_text(encoding="utf-8"))]
        headings = [block for block in blocks if block["kind"] == "h2"]
        anchors = anchors or [NOT_IN_ANCHOR.sub("-", each["text"].lower()).strip("-") for each in headings]
        for heading, anchor in zip(headings, anchors, strict=True):
            heading["anchor"] = anchor
        found += [{"language": language, **block} for block in blocks]
    return found


def _blocks(text: str) -> Iterator[dict[str, Any]]:
    """Give the parts of a text in the Markdown of ``docs/``: headings, paragraphs, lists, tables and code."""
    for place, part in enumerate(FENCE.split(text)):
        if place % 2:
            yield {"kind": "pre", "text": part.rstrip("\n")}
            continue
        for piece in filter(None, (piece.strip("\n") for piece in re.split(r"\n{2,}", part))):
            lines = piece.split("\n")
            if heading := re.match(r"(#{1,2}) (.+)", piece):
                yield {"kind": f"h{len(heading[1])}", "text": heading[2]}
            elif piece.startswith("|"):
                cells = [[cell.strip() for cell in line.strip("|").split("|")] for line in lines]
                yield {"kind": "table", "rows": [cells[0], *cells[2:]]}
            elif item := re.match(r"(- |\d+\. )", piece):
                items = re.split(r"\n(?=- |\d+\. )", piece)
                yield {
                    "kind": "ul" if item[1] == "- " else "ol",
                    "rows": [re.sub(r"^(?:- |\d+\. )", "", _join_lines(each)) for each in items],
                }
            elif not piece.startswith("<!--"):
                yield {"kind": "p", "text": _join_lines(piece)}


def _join_lines(text: str) -> str:
    return re.sub(r"\n\s*", " ", SPACELESS.sub("", text))


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
    found: Document = []
    for path in sorted((ROOT / "schemas" / kind).glob("*.schema.json")):
        schema = read_schema(path)
        described = [
            [name, column["x-arrow"], column.get("x-unit") or 0, int("null" in column["type"]), column["description"]]
            + ([[value for value in column["enum"] if value is not None]] if "enum" in column else [])
            for name, column in schema["properties"].items()
        ]
        places = filter(None, (schema["description"], PLACES.get(schema.get("x-published", ""))))
        found.append(
            {"name": schema["title"], "kind": kind.removesuffix("s"), "description": " ".join(places)}
            | {"key": schema["x-primary-key"], "columns": described}
        )
    return found


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
    described: dict[str, str] = {}
    tests: dict[str, list[str]] = {}  # what the unit tests of each model show, in words
    for path in sorted(MODELS.rglob("*.yml")):
        content = _read(path)
        described |= {model["name"]: model["description"] for model in content.get("models") or []}
        for test in content.get("unit_tests") or []:
            tests.setdefault(test["model"], []).append(test.get("description") or test["name"].replace("_", " "))
    found: Document = []
    for layer, shown in LAYERS.items():
        for path in sorted((MODELS / layer).glob("*.sql")):
            reads = {".".join(filter(None, names)) for names in READ.findall(path.read_text(encoding="utf-8"))}
            entry = {"name": path.stem, "layer": shown, "description": described.get(path.stem)}
            found.append({**entry, "reads": sorted(reads), "tests": tests.get(path.stem, [])})
    (raw,) = _read(MODELS / "sources.yml")["sources"]
    for table in raw["tables"]:
        entry = {"name": f"raw.{table['name']}", "layer": "raw", "description": table["description"]}
        found.append({**entry, "reads": [], "tests": []})
    return found


def _read(path: Path) -> dict[str, Any]:
    content: dict[str, Any] = yaml.load(path.read_text(encoding="utf-8"), Loader) or {}  # noqa: S506  (a safe one)
    return content
