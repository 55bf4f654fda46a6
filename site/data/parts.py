# ruff: noqa: INP001  (a script of the site, not a module)
"""
Rows in files of their own, of which a page loads one at a time: of a group of loads, or of a submission.

A group is a set of load profiles that its source presents together, or one load that no set has. A page says in its
front matter which way it is shown in parts.
"""

from __future__ import annotations

import csv
from collections import Counter
from operator import itemgetter
from typing import TYPE_CHECKING, Any

from rows import Found, gathered, packed, stated, weight, write

from ioledger.tables.schema import ROOT

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence
    from pathlib import Path

    import duckdb
    from names import Names

    from ioledger.build.pages import Page

Part = dict[str, Any]
EVERY, TOGETHER_BYTES = "all", 16_000
ALL = {EVERY: "all submissions"}
"""The one part of a page that is not split, and what it may weigh, compressed."""
PART_BYTES = 6_000
"""What a group of loads of one device or submission may weigh, compressed, before it is split."""
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


def write_parts(found: Mapping[str, object], directory: Path) -> dict[str, int]:
    """Write ``<part>.json`` for each part; return what each weighs."""
    return {part: write(directory / f"{part}.json", content) for part, content in found.items()}


def by_group(found: Mapping[str, Found], groups: Groups) -> dict[str, dict[str, Any]]:
    """Return the packed rows of queries by group of loads."""
    return _divided(found, ("workload_id",), lambda workload: groups.of[workload])


def swept(found: Found, groups: Groups, key: str, split: Sequence[str], directory: Path) -> dict[str, list[Part]]:
    """
    Write the load steps of every value of a column by group of loads; return the groups of each.

    A group is the file ``<value>/<group>.json``. One that weighs too much for a page is split by the columns ``split``:
    ``of`` lists its parts, ``<value>/<group>/<part>.json``. A load of a set that stands alone goes by its own words.
    """
    names, rows = found
    listed: dict[str, list[Part]] = {}
    place, load, profile = map(names.index, (key, "workload_id", "load_profile"))
    places = [names.index(column) for column in split]
    for value, its in sorted(gathered((row for row in rows if row[place] is not None), itemgetter(place)).items()):
        weights = write_parts(by_group({"sweeps": (names, its)}, groups), directory / value)
        listed[value] = groups.listed(weights)
        for part in listed[value]:
            own = [row for row in its if groups.of[row[load]] == part["part"]]
            texts = {row[profile] for row in own} - {None}
            if len(texts) == 1 and part["part"] != REST:
                part["label"] = texts.pop()
                part["is_one"] = True
            if weights[str(part["part"])] > PART_BYTES:
                pieces = gathered(own, lambda row: "/".join(str(row[each]) for each in places))
                part["of"] = sorted(pieces)
                found_pieces = {piece: {"sweeps": packed((names, pieces[piece]))} for piece in part["of"]}
                write_parts(found_pieces, directory / value / str(part["part"]))
                (directory / value / f"{part['part']}.json").unlink()
    return listed


def by_load(found: Found, name: str, key: str, directory: Path) -> dict[str, list[Part]]:
    """Write ``<value>/<workload>.json`` with the rows of every value of a column; return its loads, most rows first."""
    names, rows = found
    listed: dict[str, list[Part]] = {}
    value_of, load_of, label = map(names.index, (key, "workload_id", "load_profile"))
    for value, its in sorted(gathered(rows, itemgetter(value_of)).items()):
        loads = sorted(gathered(its, itemgetter(load_of)).items(), key=lambda each: (-len(each[1]), each[0]))
        written = write_parts({part: {name: packed((names, of))} for part, of in loads}, directory / value)
        listed[value] = [{"part": part, "label": of[0][label], "bytes": written[part]} for part, of in loads]
    return listed


def pages(
    connection: duckdb.DuckDBPyConnection, shown: Iterable[Page], groups: Groups, named: Names, directory: Path
) -> None:
    """Write ``<page>/<part>.json`` for every page that is shown in parts, and ``<page>.json``, the list of them."""
    titles = ALL | dict(connection.execute("select submission_id, title from submissions").fetchall())
    for page in shown:
        name = page.path.strip("/")
        found = {query: named.row_by_row(stated(connection, query)) for query in page.parted}
        if page.front.parts == "loads":
            listed = groups.listed(write_parts(by_group(found, groups), directory / name))
        else:
            weights = write_parts(by_submission(found), directory / name)
            listed = [
                {"part": part, "label": titles.get(part, part), "bytes": bytes_} for part, bytes_ in weights.items()
            ]
        write(directory / f"{name}.json", listed)


def by_submission(found: Mapping[str, Found]) -> dict[str, dict[str, Any]]:
    """Return the packed rows of queries together, or by submission where they weigh too much: of a pair that of A."""
    whole = {query: packed(its) for query, its in found.items()}
    if not any(rows for _, rows in found.values()):
        return {}
    if weight(whole) <= TOGETHER_BYTES:
        return {EVERY: whole}
    return _divided(found, ("submission_id", "a_submission_id"), str)


def _divided(
    found: Mapping[str, Found], columns: Sequence[str], part_of: Callable[[Any], str]
) -> dict[str, dict[str, Any]]:
    """
    Return the packed rows of queries by what the first of ``columns`` that a query has says of its part.

    A part that has rows of one query has all, if only empty ones.
    """
    parts: dict[str, dict[str, Any]] = {}
    for query, (names, rows) in found.items():
        place = next(names.index(column) for column in columns if column in names)
        for part, its in gathered(rows, lambda row: part_of(row[place])).items():  # noqa: B023  (called at once)
            parts.setdefault(part, {})[query] = packed((names, its))
    nothing = packed(([], []))
    return {part: {query: parts[part].get(query, nothing) for query in found} for part in sorted(parts)}
