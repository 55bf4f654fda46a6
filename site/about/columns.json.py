# ruff: noqa: INP001  (the site's framework names loaders)
"""Every column of every table and mart, as the schemas define them; a list each, because they are many."""

import json
import sys
from pathlib import Path
from typing import Any

PLACES = {
    "merged": "In the database it lies in schema raw: other tables have taken it in.",
    "files": "It is not in the database, but a Parquet file beside it.",
}


def table(path: Path) -> dict[str, Any]:
    """Return what a page says about one table."""
    schema = json.loads(path.read_text(encoding="utf-8"))
    columns = [
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
    kind = path.parent.name.removesuffix("s")
    return {
        "name": schema["title"],
        "kind": kind,
        "description": " ".join(filter(None, (schema["description"], PLACES.get(schema.get("x-published"))))),
        "key": schema["x-primary-key"],
        "columns": columns,
    }


found = [table(path) for kind in ("marts", "tables") for path in sorted(Path("schemas", kind).glob("*.schema.json"))]
json.dump(found, sys.stdout, ensure_ascii=False, separators=(",", ":"))
