"""Rows in files of their own, of which a page loads one at a time: of a group of loads, or of a submission."""

from __future__ import annotations

import csv
from collections import Counter
from operator import itemgetter
from typing import TYPE_CHECKING, Any

from rows import Found, group_rows, pack_rows, run_query, weight, write

from ioledger.tables.schema import ROOT

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence
    from pathlib import Path

    import duckdb
    from rows import Names

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
    """Loads that their source presents together, or one alone: which each load is in, their labels and order."""

    def __init__(self, connection: duckdb.DuckDBPyConnection) -> None:
        """Read them; sets come first, then those with the most points."""
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


def swept(found: Found, groups: Groups, key: str, split: Sequence[str], directory: Path) -> dict[str, list[Part]]:
    """Write ``<value>/<group>.json``, or what is too heavy by ``split`` below it; return the groups of each value."""
    names, rows = found
    place, load, profile = map(names.index, (key, "workload_id", "load_profile"))
    places = [names.index(column) for column in split]
    listed: dict[str, list[Part]] = {}
    for value, its in sorted(group_rows((row for row in rows if row[place] is not None), itemgetter(place)).items()):
        by_group = group_rows(its, lambda row: groups.of[row[load]])
        listed[value] = []
        for part in (part for part in groups.order if part in by_group):
            own, path = by_group[part], directory / value / f"{part}.json"
            size = write(path, {"sweeps": pack_rows((names, own))})
            entry: Part = {"part": part, "label": groups.labels[part], "bytes": size}
            texts = {row[profile] for row in own} - {None}
            if len(texts) == 1 and part != REST:
                entry |= {"label": texts.pop(), "is_one": True}
            if size > PART_BYTES:
                path.unlink()
                pieces = group_rows(own, lambda row: "/".join(str(row[each]) for each in places))
                entry["of"] = sorted(pieces)
                for piece, of in pieces.items():
                    write(path.with_suffix("") / f"{piece}.json", {"sweeps": pack_rows((names, of))})
            listed[value].append(entry)
    return listed


def by_load(found: Found, name: str, key: str, directory: Path) -> dict[str, list[Part]]:
    """Write ``<value>/<workload>.json`` with the rows of every value of a column; return its loads, most rows first."""
    names, rows = found
    listed: dict[str, list[Part]] = {}
    value_of, load_of, label = map(names.index, (key, "workload_id", "load_profile"))
    for value, its in sorted(group_rows(rows, itemgetter(value_of)).items()):
        loads = sorted(group_rows(its, itemgetter(load_of)).items(), key=lambda each: (-len(each[1]), each[0]))
        listed[value] = [
            {"part": part, "label": of[0][label]}
            | {"bytes": write(directory / value / f"{part}.json", {name: pack_rows((names, of))})}
            for part, of in loads
        ]
    return listed


def pages(
    connection: duckdb.DuckDBPyConnection, shown: Iterable[Page], groups: Groups, named: Names, directory: Path
) -> None:
    """Write ``<page>/<part>.json``, by load or submission (of A), and ``<page>.json``; what is light is one part."""
    titles = dict(connection.execute("select submission_id, title from submissions").fetchall())
    for page in shown:
        name = page.path.strip("/")
        found = {query: named.say(run_query(connection, query)) for query in page.parted}
        order, labels = groups.order, groups.labels
        if page.front.parts == "loads":
            parts = _divide_rows(found, ("workload_id",), groups.of.__getitem__)
        else:
            parts, order, labels = {EVERY: {query: pack_rows(its) for query, its in found.items()}}, [EVERY], ALL
            if weight(parts[EVERY]) > TOGETHER_BYTES or not any(rows for _, rows in found.values()):
                parts = _divide_rows(found, ("submission_id", "a_submission_id"), str)
                order, labels = sorted(parts), titles
        sizes = {part: write(directory / name / f"{part}.json", content) for part, content in parts.items()}
        listed = [
            {"part": part, "label": labels.get(part, part), "bytes": sizes[part]} for part in order if part in sizes
        ]
        write(directory / f"{name}.json", listed)


def _divide_rows(
    found: Mapping[str, Found], columns: Sequence[str], part_of: Callable[[Any], str]
) -> dict[str, dict[str, Any]]:
    """Return the packed rows by what the first known of ``columns`` says of their part, each with every query."""
    parts: dict[str, dict[str, Any]] = {}
    for query, (names, rows) in found.items():
        place = next(names.index(column) for column in columns if column in names)
        for part, its in group_rows(rows, lambda row: part_of(row[place])).items():  # noqa: B023  (called at once)
            parts.setdefault(part, {query: pack_rows(([], [])) for query in found})[query] = pack_rows((names, its))
    return parts
