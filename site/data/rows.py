"""Rows of queries, what loads are called in them, the JSON that pages load, and the files that were handed in."""

from __future__ import annotations

import gzip
import json
import math
import re
import shutil
import sys
import zlib
from datetime import date, datetime, time
from decimal import Decimal
from functools import cache
from operator import itemgetter
from pathlib import Path
from typing import TYPE_CHECKING, Any

import duckdb

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

HERE = Path(__file__).parent
Row = tuple[Any, ...]
Found = tuple[list[str], list[Row]]
"""The names of a query's columns, and its rows."""
NUMBERED = re.compile(r"(^|_)(result|point|peak|scaling)_id$")
"""Columns with the identifier of a number, which pages show as its address."""
ADDRESSES = """
    select
        number_id,
        concat(
            left(md5(concat_ws('/', submission_id, configuration_id, coalesce(workload_id, ''))), 8),
            '#', kind, '-', number_id
        )
    from (
        select 'r' as kind, result_id as number_id, submission_id, configuration_id, workload_id from results
        union all
        select 'p', point_id, submission_id, configuration_id, workload_id from points
        union all
        select 'k', peak_id, submission_id, configuration_id, workload_id from peaks
        union all
        select 's', scaling_id, submission_id, array_configuration_id, workload_id from scaling
    ) as numbers
"""
SHOWN_AS_TEXT = {".json", ".csv", ".txt", ".log", ".fio", ".yaml", ".yml", ".icf"}
PACKED_FROM = 100_000
"""Bytes from which a text lies packed: a page of the site shows its lines, and a fifth of it is left."""
PACKED = ".gz"
LEVEL = 9
"""Of gzip: 5 % less than at level 6; the 16 MB of large excerpts take a second."""
OWNERS = {"submission_id", "a_submission_id", "b_submission_id"}
NAMED = """
    select load_profile, definition, naming_submissions
    from workloads
    where is_listed and is_complete and definition <> load_profile
"""


@cache
def addresses(connection: duckdb.DuckDBPyConnection) -> dict[str, str]:
    """Return where each number is, by its identifier: the sweep of its setup and workload, and the anchor there."""
    return dict(connection.execute(ADDRESSES).fetchall())


def fetch(connection: duckdb.DuckDBPyConnection, text: str) -> Found:
    """Return what a query finds; numbers have their address in place of their identifier."""
    cursor = connection.execute(text)
    names = [column[0] for column in cursor.description or ()]
    rows = [tuple(map(plain, row)) for row in cursor.fetchall()]
    if not (numbered := {at for at, name in enumerate(names) if NUMBERED.search(name)}):
        return names, rows
    known = addresses(connection)
    return names, [
        tuple(known.get(str(value), value) if at in numbered else value for at, value in enumerate(row)) for row in rows
    ]


def run_query(connection: duckdb.DuckDBPyConnection, name: str) -> Found:
    """Return what ``site/data/<name>.sql`` finds; where it fails, the process ends and one line names the file."""
    try:
        return fetch(connection, (HERE / f"{name}.sql").read_text(encoding="utf-8"))
    except duckdb.Error as error:
        sys.exit(f"site/data/{name}.sql: {' '.join(str(error).split())}")


def records(connection: duckdb.DuckDBPyConnection, text: str) -> list[dict[str, Any]]:
    """Return the rows of a query as dictionaries, without the nulls."""
    names, rows = fetch(connection, text)
    return [{name: value for name, value in zip(names, row, strict=True) if value is not None} for row in rows]


def plain(value: object) -> object:
    """Return a value as JSON has it; null for a number without bound, and for an empty list."""
    if isinstance(value, float):
        return value if math.isfinite(value) else None
    if isinstance(value, Decimal):
        return float(value)
    if isinstance(value, datetime | date | time):
        return str(value)
    if isinstance(value, dict):
        return {key: plain(each) for key, each in value.items()}
    return ([plain(each) for each in value] or None) if isinstance(value, list | tuple) else value


class Names:
    """What loads are called: a source that does not say "Restore" itself measured a "64 KiB sequential write"."""

    def __init__(self, connection: duckdb.DuckDBPyConnection) -> None:
        """Read the definition of each named load, and the submissions that call it by its name."""
        self.known = {name: (definition, set(by)) for name, definition, by in connection.execute(NAMED).fetchall()}

    def say(self, found: Found, *, together: bool = False) -> Found:
        """Name loads as the submissions of each row do; ``together``, as those of all rows do."""
        names, rows = found
        loads = {at for at, name in enumerate(names) if name.endswith("load_profile") and name[:7] != "stated_"}
        owners = [at for at, name in enumerate(names) if name in OWNERS]

        def find_unnamed(row: Row) -> set[str]:
            here = {row[owner] for owner in owners} - {None}
            return {row[at] for at in loads if row[at] in self.known and not here <= self.known[row[at]][1]}

        def call(row: Row, unnamed: set[str]) -> Row:
            if not unnamed:
                return row
            return tuple(self.known[one][0] if at in loads and one in unnamed else one for at, one in enumerate(row))

        everywhere = {name for row in rows for name in find_unnamed(row)} if together else set()
        return names, [call(row, everywhere or find_unnamed(row)) for row in rows]


def pack_rows(found: Found) -> dict[str, Any]:
    """Return rows by column: ``values``, or ``texts`` (or lists of them) each once, and which is ``at`` each row."""
    names, rows = found
    columns: dict[str, Any] = {}
    for name, values in zip(names, zip(*rows, strict=True), strict=False):
        if any(isinstance(value[0] if isinstance(value, list) else value, str) for value in values):
            keys = [tuple(value) if isinstance(value, list) else value for value in values]
            texts = sorted({key for key in keys if key is not None})
            places = {text: place for place, text in enumerate(texts)}
            columns[name] = {"texts": texts, "at": [places.get(key) for key in keys]}
        elif any(value is not None for value in values):
            columns[name] = {"values": list(values)}
    return {"count": len(rows), "columns": columns}


def group_rows(rows: Iterable[Any], key: Callable[[Any], Any]) -> dict[Any, list[Any]]:
    """Return rows by what a function gives of each, in their order."""
    groups: dict[Any, list[Any]] = {}
    for row in rows:
        groups.setdefault(key(row), []).append(row)
    return groups


def split_rows(found: Found, key: str) -> dict[Any, Found]:
    """Return rows by the value of one column, in their order, without that column."""
    names, rows = found
    place = names.index(key)
    others = [*names[:place], *names[place + 1 :]]
    return {
        value: (others, [(*row[:place], *row[place + 1 :]) for row in its])
        for value, its in group_rows(rows, itemgetter(place)).items()
    }


def encode_json(content: object) -> bytes:
    """Return content as JSON, the same bytes for the same content."""
    return json.dumps(content, ensure_ascii=False, allow_nan=False, separators=(",", ":")).encode()


def weight(content: object) -> int:
    """Return how many bytes content weighs as JSON, compressed."""
    return len(zlib.compress(encode_json(content)))


def write(path: Path, content: object) -> int:
    """Write a page's content; return what it weighs, compressed."""
    text = encode_json(content)
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(text)
    return len(zlib.compress(text))


def locate_file(submission: str, path: str, size: int | None) -> str:
    """Return where the site serves a file: ``.txt`` where a browser might run it, ``.gz`` where it is large."""
    is_text = Path(path).suffix.lower() in SHOWN_AS_TEXT
    is_packed = is_text and size is not None and size >= PACKED_FROM
    return f"raw/{submission}/{path}{'' if is_text else '.txt'}{PACKED if is_packed else ''}"


def put(source: Path, public: Path, submission: str, path: str) -> None:
    """Write a file that was handed in to where it is served: byte for byte, or packed, the same bytes every time."""
    place = public / locate_file(submission, path, source.stat().st_size)
    place.parent.mkdir(parents=True, exist_ok=True)
    if place.name == f"{Path(path).name}{PACKED}":
        place.write_bytes(gzip.compress(source.read_bytes(), LEVEL, mtime=0))
    else:
        shutil.copyfile(source, place)
