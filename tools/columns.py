"""
Write the columns of every mart into its dbt description, from ``schemas``: names, types, keys, accepted values.

Each column is defined once, in ``schemas/marts/<mart>.schema.json``. dbt wants name and
type in ``models/marts/<mart>.yml`` to enforce its contract; this tool writes them there, from ``data_tests:`` down to
the unit tests. Where a column points at another table (``x-references``), dbt gets a test that the row is there; for
raw tables it stands in ``sources.yml``.
The roles of columns in a comparison (``x-role``) become the seed ``known_roles``. ``docs/manifest.md`` lists the
words that the closed fields of a manifest take, from ``schemas/manifest.schema.json``.

``python tools/columns.py`` rewrites the files; with ``--check`` it changes nothing and fails when a file differs.
"""

from __future__ import annotations

import csv
import io
import json
import re
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Iterator

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT / "ingest"))

from ioledger.comparison.effects import roles  # noqa: E402  (the project lies above this script)
from ioledger.tables.schema import read_schema  # noqa: E402

SQL_TYPES = {
    "string": "varchar",
    "float64": "double",
    "int64": "bigint",
    "bool": "boolean",
    "date32": "date",
    "timestamp[us]": "timestamp",
    "list<string>": '"varchar[]"',
    "list<int64>": '"bigint[]"',
}
GENERATED = re.compile(r"^    data_tests:\n.*?(?=^\S|\Z)", re.MULTILINE | re.DOTALL)
SOURCES = ROOT / "models" / "sources.yml"
ROLES = ROOT / "models" / "seeds" / "known_roles.csv"
MANIFEST = ROOT / "docs" / "manifest.md"
MANIFEST_HEAD = """# Fields of a manifest that take one of a few words

Generated from `schemas/manifest.schema.json` by `python tools/columns.py`; do not edit. A field with `unknown`
among its words also takes `{unknown: why}` and `{value: word, how_known: declared, note: text}`; one with
`{other: text}` takes that where no word fits. Conditions are compared word by word. All other fields are text, numbers
or dates. `ioledger check` names line, field and words when a word does not fit.

| field | words | meaning |
|---|---|---|
"""
RAW = re.compile(r"^    tables:\n.*", re.MULTILINE | re.DOTALL)


def own_values(name: str, definition: dict[str, Any]) -> list[str]:
    """Return the accepted values of a column that only marts have; raw tables are checked before dbt runs."""
    for path in (ROOT / "schemas" / "tables").glob("*.schema.json"):
        if json.loads(path.read_text(encoding="utf-8"))["properties"].get(name, {}).get("enum"):
            return []
    return [value for value in definition.get("enum", []) if value is not None]


def column(name: str, definition: dict[str, Any], *, is_constrained: bool) -> str:
    """Return what dbt enforces of one column; a view has no constraints."""
    constraints = [] if "null" in definition["type"] else ["{type: not_null}"]
    if values := own_values(name, definition):
        accepted = ", ".join("'" + value.replace("'", "''") + "'" for value in values)
        constraints.append(f"{{type: check, expression: {json.dumps(f'{name} in ({accepted})', ensure_ascii=False)}}}")
    if longest := definition.get("maxLength"):
        constraints.append(f"{{type: check, expression: length({name}) <= {longest}}}")
    stated = [f"name: {name}", f"data_type: {SQL_TYPES[definition['x-arrow']]}"]
    if constraints and is_constrained:
        stated.append(f"constraints: [{', '.join(constraints)}]")
    return f"      - {{{', '.join(stated)}}}"


def name_place(path: Path) -> str:
    """Return the name of the table that a schema file defines."""
    return path.name.removesuffix(".schema.json")


def reference(column_names: str, table: str, where: str) -> list[str]:
    """Return dbt's test that what one or two columns name is a row of another table; null names nothing."""
    names = column_names.split(",")
    # In every table the referring columns end with the name of the column they refer to.
    targets = [
        re.sub(r"^.*?((submission|configuration|workload|figure|number|file)_id)$", r"\1", each) for each in names
    ]
    own, other = (" || '/' || ".join(each) for each in (names, targets))
    name = f"{table}_{names[-1]}_is_known"
    return [
        "      - relationships:",
        f"          name: {name}",
        f'          arguments: {{column_name: "{own}", to: "{where}", field: "{other}"}}',
    ]


def of_mart(table: str) -> str:
    """Return how dbt names the table that a mart points at: the mart of that name, a seed, or the raw table."""
    is_raw = not (ROOT / "schemas" / "marts" / f"{table}.schema.json").exists()
    return f"source('raw', '{table}')" if is_raw and not table.startswith("known_") else f"ref('{table}')"


def raw() -> str:
    """Return the raw tables as dbt's sources, each with its description and what it points at."""
    lines = ["    tables:"]
    for path in sorted((ROOT / "schemas" / "tables").glob("*.schema.json")):
        schema = json.loads(path.read_text(encoding="utf-8"))
        lines.append(f"      - name: {name_place(path)}")
        lines.append(f"        description: {json.dumps(schema['description'], ensure_ascii=False)}")
        references = schema.get("x-references", {}).items()
        tests = [reference(names, f"raw_{name_place(path)}", f"source('raw', '{to}')") for names, to in references]
        lines += ["        data_tests:"] if tests else []
        lines += [f"    {line}" for test in tests for line in test]
    return "\n".join(lines) + "\n"


def known_roles() -> str:
    """Return the role of every column that a comparison reads, as the seed that models join."""
    text = io.StringIO()
    rows: csv.DictWriter[str] | None = None
    for name, role in roles().items():
        table, _, column = name.partition(".")
        named = {"table_name": table, "column_name": column, "label": role.label or column.replace("_", " ")}
        effects = {each: getattr(role, each) for each in ("role", "applies_to", "if_differs", "if_unknown")}
        effects["is_shared_unknown_allowed"] = str(role.shared_unknown_allowed).lower()
        special = {
            f"special_{each}": getattr(role.special, each, None) for each in ("when", "if_differs", "if_unknown")
        }
        last = {each: getattr(role, each) for each in ("subject_when", "key_when", "compared_as", "reason")}
        row = named | effects | special | last
        if rows is None:
            rows = csv.DictWriter(text, list(row), lineterminator="\n")
            rows.writeheader()
        rows.writerow(row)
    return text.getvalue()


def closed_fields(node: dict[str, Any], path: str = "") -> Iterator[tuple[str, list[str], str]]:
    """Give the path, the words and the description of every field of a schema that takes one of a few words."""
    for name, field in node.get("properties", {}).items():
        here = f"{path}{name}"
        words: list[str] = next((each["enum"] for each in (field, *field.get("anyOf", ())) if "enum" in each), [])
        if words and all(isinstance(word, str) for word in words):
            is_open = {"$ref": "#/$defs/other"} in field.get("anyOf", ())
            yield here, [*words, "{other: text}"] if is_open else words, field.get("description", "")
        items = field.get("items", field.get("additionalProperties"))
        inner = items if isinstance(items, dict) else field
        if "anyOf" not in field:
            yield from closed_fields(inner, f"{here}[]." if "items" in field else f"{here}.*." if items else f"{here}.")


def manifest_words() -> str:
    """Return the page on the closed fields of a manifest; the meaning is the schema's own, else that of the column."""
    columns: dict[str, str] = {}
    for path in sorted((ROOT / "schemas" / "tables").glob("*.schema.json")):
        for name, definition in json.loads(path.read_text(encoding="utf-8"))["properties"].items():
            columns.setdefault(name, definition["description"])
    schema = json.loads((ROOT / "schemas" / "manifest.schema.json").read_text(encoding="utf-8"))
    rows = [
        f"| `{path}` | {', '.join(f'`{word}`' for word in words)} | {said or columns[path.rpartition('.')[2]]} |"
        for path, words, said in closed_fields(schema)
    ]
    return MANIFEST_HEAD + "\n".join(rows) + "\n"


def make_yaml(schema: dict[str, Any]) -> str:
    """Return the key, references and columns of a mart as dbt's YAML."""
    # A test of the key costs a fraction of the index that a primary key would be enforced with.
    key = ", ".join(schema["x-primary-key"])
    lines = ["    data_tests:", "      - unique:", f"          name: {schema['title']}_key_is_unique"]
    lines.append(f'          arguments: {{column_name: "row({key})"}}')
    for name in schema.get("x-unique", ()):
        lines += ["      - unique:", f"          name: {schema['title']}_{name}_is_unique"]
        lines.append(f"          arguments: {{column_name: {name}}}")
    for names, table in schema.get("x-references", {}).items():
        lines += reference(names, schema["title"], of_mart(table))
    lines.append("    columns:")
    for name, definition in schema["properties"].items():
        lines.append(column(name, definition, is_constrained=schema["$id"].startswith("marts/")))
    return "\n".join(lines) + "\n"


def make_text(path: Path) -> str:
    """Return the text that a generated file should have: of a mart, the sources, the roles or the manifest's words."""
    if path == ROLES:
        return known_roles()
    if path == MANIFEST:
        return manifest_words()
    if path == SOURCES:
        return RAW.sub(lambda _: raw(), path.read_text(encoding="utf-8"))
    schema_path = ROOT / "schemas" / path.parent.name / f"{path.stem}.schema.json"
    block = make_yaml(read_schema(schema_path))
    found, count = GENERATED.subn(lambda old: block + "\n" * old[0].endswith("\n\n"), path.read_text(encoding="utf-8"))
    if count != 1:
        what, remedy = "no line '    data_tests:' to write the columns at", "add it below the description"
        message = f"{path.relative_to(ROOT)}: {what}; {remedy}  [R-MODEL-2]"
        raise SystemExit(message)
    return found


def main() -> int:
    """Rewrite or check every mart's and view's YAML file, the sources and the seed of roles; return the exit code."""
    check = sys.argv[1:] == ["--check"]
    stale = []
    described = [path for layer in ("marts", "views") for path in sorted((ROOT / "models" / layer).glob("*.yml"))]
    for path in [*described, SOURCES, ROLES, MANIFEST]:
        text = make_text(path)
        if not path.exists() or text != path.read_text(encoding="utf-8"):
            stale.append(path.relative_to(ROOT))
            if not check:
                path.write_text(text, encoding="utf-8")
    for path in stale:
        done = "differs from schemas; run `python tools/columns.py`  [R-MODEL-3]" if check else "rewritten"
        print(f"{path}: {done}")  # noqa: T201
    return 1 if check and stale else 0


if __name__ == "__main__":
    sys.exit(main())
