# ruff: noqa: INP001  (a script of the site, not a module)
"""
Rows in files of their own, of which a page loads one at a time: of a group of loads, a submission, or a pair.

A group is a set of load profiles that its source presents together, or one load that no set has. The rows of a query
stand by column, and a text that repeats stands once: a file of thousands of rows stays as small as what it says. A page
says in its front matter which way it is shown in parts.
"""

from __future__ import annotations

import csv
import json
import math
import zlib
from collections import Counter
from itertools import groupby, repeat
from pathlib import Path
from typing import TYPE_CHECKING, Any

from page import named

from ioledger.tables.schema import ROOT

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    import duckdb

    from ioledger.build.pages import Page

    Row = tuple[Any, ...]
    Part = dict[str, str | int]

HERE = Path(__file__).parent
EVERY, TOGETHER_BYTES = "all", 16_000
ALL = {EVERY: "all submissions"}
"""The one part of a page that is not split, and what it may weigh, compressed."""
SETS = ROOT / "models" / "seeds" / "known_profile_sets.csv"
REST = "rest"
LOADS = """
    select workload_id, any_value(workloads.load_profile), count(points.workload_id) as point_count
    from workloads
    left join points using (workload_id)
    group by workload_id
    order by workload_id
"""


class Groups:
    """The groups of loads: which each load belongs to, what each is called, and their order on a page."""

    def __init__(self, connection: duckdb.DuckDBPyConnection) -> None:
        """Read the groups; sets come first, then those with the most points."""
        with SETS.open(encoding="utf-8", newline="") as file:
            sets = {row["load_profile"]: (row["profile_set_id"], row["profile_set"]) for row in csv.DictReader(file)}
        self.of: dict[str | None, str] = {None: REST}
        self.labels = {REST: "Loads that are not stated in full"}
        counts: Counter[str] = Counter()
        for workload, profile, count in connection.execute(LOADS).fetchall():
            part, label = sets.get(profile, (workload, profile))
            self.of[workload], self.labels[part] = part, label
            counts[part] += count
        known = {part for part, _ in sets.values()}
        order = sorted(counts, key=lambda part: (part not in known, -counts[part], self.labels[part], part))
        self.order = [*order, REST]

    def listed(self, weights: Mapping[str, int]) -> list[Part]:
        """Return these groups in their order with what each weighs, for a choice on a page."""
        return [
            {"part": part, "label": self.labels[part], "bytes": weights[part]} for part in self.order if part in weights
        ]


def packed(names: Sequence[str], rows: Sequence[Row]) -> dict[str, Any]:
    """Return rows by column: ``values`` as they are, or ``texts``, each once, and which of them is ``at`` each row."""
    columns: dict[str, Any] = {}
    for name, values in zip(names, zip(*rows, strict=True) if rows else repeat(()), strict=False):
        if any(isinstance(value, str) for value in values):
            texts = sorted({value for value in values if value is not None})
            places = {text: place for place, text in enumerate(texts)}
            columns[name] = {"texts": texts, "at": [places.get(value) for value in values]}
        elif any(value is not None for value in values):
            columns[name] = {"values": list(values)}
    return {"count": len(rows), "columns": columns}


def finite(content: object) -> object:
    """Return content with null for what JSON cannot say: a number without bound, as the half of an interval may be."""
    if isinstance(content, float):
        return content if math.isfinite(content) else None
    if isinstance(content, dict):
        return {key: finite(value) for key, value in content.items()}
    return [finite(value) for value in content] if isinstance(content, list | tuple) else content


def write(path: Path, content: object) -> int:
    """Write a page's content, the same bytes for the same content; return what it weighs, compressed."""
    text = json.dumps(finite(content), default=str, ensure_ascii=True, allow_nan=False, separators=(",", ":")).encode()
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(text)
    return len(zlib.compress(text))


def write_parts(found: Mapping[str, object], directory: Path) -> dict[str, int]:
    """Write ``<part>.json`` for each part; return what each weighs."""
    return {part: write(directory / f"{part}.json", content) for part, content in found.items()}


Found = tuple[list[str], list["Row"]]
"""The names of a query's columns, and its rows."""


def asked(connection: duckdb.DuckDBPyConnection, text: str) -> Found:
    """Return what a query finds."""
    cursor = connection.execute(text)
    return [column[0] for column in cursor.description or ()], cursor.fetchall()


def by_group(found: Mapping[str, Found], groups: Groups) -> dict[str, dict[str, Any]]:
    """Return the packed rows of queries by group of loads."""
    return _divided(found, lambda names: names.index("workload_id"), lambda workload: groups.of[workload])


def swept(found: Found, groups: Groups, key: str, directory: Path) -> dict[str, list[Part]]:
    """Write ``<value>/<group>.json`` with the load steps of every value of a column; return the groups of each."""
    names, rows = found
    place = names.index(key)
    of: dict[str, list[Row]] = {}
    for row in rows:
        if row[place] is not None:
            of.setdefault(row[place], []).append(row)
    listed: dict[str, list[Part]] = {}
    for value, its in sorted(of.items()):
        listed[value] = groups.listed(write_parts(by_group({"sweeps": (names, its)}, groups), directory / value))
    return listed


def stated(connection: duckdb.DuckDBPyConnection, queries: Sequence[str]) -> dict[str, Found]:
    """Return what queries find that stand in files of their own."""
    found: dict[str, Found] = {}
    for query in queries:
        with named(HERE / f"{query}.sql") as text:
            found[query] = asked(connection, text)
    return found


def pages(connection: duckdb.DuckDBPyConnection, shown: Sequence[Page], groups: Groups, directory: Path) -> None:
    """Write ``<page>/<part>.json`` for every page that is shown in parts, and ``<page>.json``, the list of them."""
    for page in shown:
        name, found = page.path.strip("/"), stated(connection, page.parted)
        if page.front.parts == "loads":
            listed = groups.listed(write_parts(by_group(found, groups), directory / name))
        else:
            weights = write_parts(by_submission(found), directory / name)
            listed = [{"part": part, "label": ALL.get(part, part), "bytes": weight} for part, weight in weights.items()]
        write(directory / f"{name}.json", listed)


def by_submission(found: Mapping[str, Found]) -> dict[str, dict[str, Any]]:
    """Return the packed rows of queries together, or by submission where they weigh too much: of a pair that of A."""
    whole = {query: packed(*its) for query, its in found.items()}
    if not any(rows for _, rows in found.values()):
        return {}
    if len(zlib.compress(json.dumps(whole, default=str).encode())) <= TOGETHER_BYTES:
        return {EVERY: whole}
    return _divided(
        found, lambda names: names.index("submission_id" if "submission_id" in names else "a_submission_id"), str
    )


def _divided(
    found: Mapping[str, Found], place_in: Callable[[list[str]], int], part_of: Callable[[Any], str]
) -> dict[str, dict[str, Any]]:
    """Return the packed rows of queries by part; a part that has rows of one query has all, if only empty ones."""
    parts: dict[str, dict[str, Any]] = {}
    for query, (names, rows) in found.items():
        place = place_in(names)
        of: dict[str, list[Row]] = {}
        for row in rows:
            of.setdefault(part_of(row[place]), []).append(row)
        for part, its in of.items():
            parts.setdefault(part, {})[query] = packed(names, its)
    nothing = packed((), ())
    return {part: {query: parts[part].get(query, nothing) for query in found} for part in sorted(parts)}


def pairs(
    connection: duckdb.DuckDBPyConnection, query: str, shortened: Callable[[str], str], directory: Path
) -> dict[Row, list[str]]:
    """
    Write ``<submission>/<configuration>/<submission>/<configuration>.json`` for every pair, the lesser name first.

    Each holds the quotients of both directions, and the comparisons that were considered and have none. Returns the
    partners of each configuration.
    """
    names, found = asked(connection, query)
    keys = [names.index(f"{side}_{kind}_id") for side in "ab" for kind in ("submission", "configuration")]
    sentence = names.index("verdict_sentence")

    def pair(row: Row) -> tuple[Row, Row]:
        a, b = (row[keys[0]], row[keys[1]]), (row[keys[2]], row[keys[3]])
        return (a, b) if a <= b else (b, a)

    partners: dict[Row, list[str]] = {}
    rows = sorted(found, key=pair)  # stable: the query's own order stays
    for (one, other), its in groupby(rows, pair):
        for side, partner in {one: other, other: one}.items():
            partners.setdefault(side, []).append("/".join(partner))
        shown = [
            row if row[sentence] is None else (*row[:sentence], shortened(row[sentence]), *row[sentence + 1 :])
            for row in its
        ]  # the page lists beside it what is unknown
        write(directory.joinpath(*one, other[0], f"{other[1]}.json"), packed(names, shown))
    return partners
