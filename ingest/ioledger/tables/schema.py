"""
The tables as ``schemas/tables/*.schema.json`` define them, and the rules of ``schemas/rules/<area>.json``.

Each column is defined once, there: name, type, unit, key and order. This module turns the definitions into Arrow
schemas; unit and description travel in the metadata of each field. Each rule, too, stands there once: its id, when it
is asked, how severe it is, and its text. A reader's rules are in the file that has its name.
"""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

import msgspec

if TYPE_CHECKING:
    import pyarrow as pa

PACKAGE = Path(__file__).resolve().parents[1]
"""The folder of the package ``ioledger``."""
_CHECKOUT = PACKAGE.parents[1]
ROOT = _CHECKOUT if (_CHECKOUT / "schemas" / "tables").is_dir() else PACKAGE
"""Where ``schemas/``, ``models/`` and dbt's project lie: the checkout, or the package itself where it is installed."""
SCHEMAS = ROOT / "schemas"


class Special(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Effects of a column that replace the usual ones where ``when`` holds, whatever it otherwise applies to."""

    when: str
    if_differs: str | None = None
    if_unknown: str | None = None


class Role(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What a column means to a comparison (``x-role``); ``comparison.effects`` lists the words of conditions."""

    role: Literal["workload", "key", "reservation", "subject", "validity", "measure", "context"]
    reason: str
    label: str | None = None
    applies_to: str = "all"
    if_differs: Literal["X", "C", "B", "no pair"] | None = None
    if_unknown: Literal["X", "C", "B", "no pair"] | None = None
    shared_unknown_allowed: bool = False
    special: Special | None = None
    subject_when: str | None = None
    key_when: str | None = None
    compared_as: str = "text"


class Column(msgspec.Struct, frozen=True):
    """One column: name, Arrow type as text, unit (or None), description, whether it may be null, words (none: any)."""

    name: str
    arrow: str
    unit: str | None
    description: str
    nullable: bool
    words: tuple[str, ...] = ()
    role: Role | None = None
    """What the column means to a comparison; None where no comparison reads its table."""
    is_date: bool = False
    """Whether a text is a day, yyyy-mm-dd."""

    @property
    def ucum(self) -> str | None:
        """Code of the unit in the Unified Code for Units of Measure, or None where the column has no unit."""
        return units()[self.unit] if self.unit else None


class Table(msgspec.Struct, frozen=True):
    """
    One table: columns in order, primary key, and the columns that put its rows into a total order.

    ``question`` is what an analyst asks it. ``published`` says where the rows are found beside a Parquet file: in the
    database (``""``); in schema ``raw`` of it, because a mart has taken their content in (``"merged"``); nowhere else
    (``"files"``).
    """

    name: str
    description: str
    columns: tuple[Column, ...]
    primary_key: tuple[str, ...]
    order: tuple[str, ...]
    question: str = ""
    published: str = ""

    @property
    def column_names(self) -> tuple[str, ...]:
        """Names of the columns, in order."""
        return tuple(column.name for column in self.columns)


def _column(name: str, definition: dict[str, Any]) -> Column:
    types = definition["type"] if isinstance(definition["type"], list) else [definition["type"]]
    words = tuple(word for word in definition.get("enum", ()) if word is not None)
    unit, description = definition.get("x-unit"), definition["description"]
    role = msgspec.convert(definition["x-role"], Role) if "x-role" in definition else None
    is_date = definition.get("format") == "date"
    return Column(name, definition["x-arrow"], unit, description, "null" in types, words, role, is_date)


def read_schema(path: Path) -> dict[str, Any]:
    """Return a ``*.schema.json`` file, each column with what it takes from another table."""
    schema: dict[str, Any] = msgspec.json.decode(path.read_bytes())
    for name, definition in schema.get("properties", {}).items():
        if "$ref" in definition:
            file, _, place = definition["$ref"].partition("#/properties/")
            taken = _definitions((path.parent / file).resolve())[place]
            own = {key: value for key, value in definition.items() if key != "$ref"}
            schema["properties"][name] = {**{key: each for key, each in taken.items() if key != "x-role"}, **own}
    return schema


@cache
def _definitions(path: Path) -> dict[str, Any]:
    found: dict[str, Any] = msgspec.json.decode(path.read_bytes())["properties"]
    return found


def load(path: Path) -> Table:
    """Return the table that a ``*.schema.json`` file defines."""
    schema = read_schema(path)
    columns = tuple(_column(name, definition) for name, definition in schema["properties"].items())
    key, order = tuple(schema["x-primary-key"]), tuple(schema["x-order"])
    about = schema["description"], columns, key, order, schema.get("x-question", ""), schema.get("x-published", "")
    return Table(path.name.removesuffix(".schema.json"), *about)


@cache
def units() -> dict[str, str]:
    """Return the UCUM code of every unit that a column may have, by the words of ``x-unit``."""
    stated = msgspec.json.decode((SCHEMAS / "units.json").read_bytes(), type=dict[str, dict[str, str]])
    return {words: unit["ucum"] for words, unit in stated.items()}


@cache
def tables() -> dict[str, Table]:
    """Return the raw tables by name, sorted by name."""
    return {table.name: table for table in map(load, sorted((SCHEMAS / "tables").glob("*.schema.json")))}


@cache
def marts() -> dict[str, Table]:
    """Return the tables that dbt derives, by name, sorted by name."""
    return {table.name: table for table in map(load, sorted((SCHEMAS / "marts").glob("*.schema.json")))}


@cache
def views() -> dict[str, Table]:
    """Return the views of the database, which have no file, by name."""
    return {table.name: table for table in map(load, sorted((SCHEMAS / "views").glob("*.schema.json")))}


def arrow_schema(table: Table) -> pa.Schema:
    """Return the Arrow schema of a table; each field carries its unit and description as metadata."""
    import pyarrow as pa  # noqa: PLC0415  (kept out of commands that do not write Arrow)

    # the name that Parquet gives the elements, so that a table read from there has the same type
    lists = [pa.list_(pa.field("element", kind)) for kind in (pa.string(), pa.int64())]
    types = {
        "string": pa.string(),
        "float64": pa.float64(),
        "int64": pa.int64(),
        "bool": pa.bool_(),
        "date32": pa.date32(),
        "timestamp[us]": pa.timestamp("us"),
        **{f"list<{kind.value_type}>": kind for kind in lists},
    }
    return pa.schema(
        [
            pa.field(
                column.name,
                types[column.arrow],
                nullable=column.nullable,
                metadata={"description": column.description, **({"unit": column.unit} if column.unit else {})},
            )
            for column in table.columns
        ],
    )


IDENTIFIER = re.compile(r"R-[A-Z]+(?:-[A-Z]+)*-\d+")


class Rule(msgspec.Struct, frozen=True, order=True):
    """One rule: the stage that asks it, whether it refuses or warns, and its text."""

    area: str
    rule: str
    stage: str
    severity: str
    text: str


@cache
def rules() -> tuple[Rule, ...]:
    """Return every rule, by area and number."""
    found = (
        Rule(path.stem, name, **stated)
        for path in (SCHEMAS / "rules").glob("*.json")
        for name, stated in msgspec.json.decode(path.read_bytes()).items()
    )
    return tuple(sorted(found, key=lambda each: (each.area, each.rule.rstrip("0123456789"), len(each.rule), each.rule)))


@cache
def refusing() -> frozenset[str]:
    """Return the ids of the rules that refuse; a reader may go on after one, a submission does not."""
    return frozenset(rule.rule for rule in rules() if rule.severity == "refuse")
