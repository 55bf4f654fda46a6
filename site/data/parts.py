# ruff: noqa: INP001  (a script of the site, not a module)
"""
Rows in files of their own, of which a page loads one at a time: of a group of loads, or of a submission.

A group is a set of load profiles that its source presents together, or one load that no set has. A page says in its
front matter which way it is shown in parts.
"""

from __future__ import annotations

import csv
from collections import Counter
from typing import TYPE_CHECKING, Any

from rows import Found, Row, packed, stated, weight, write

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
    return _divided(found, lambda names: names.index("workload_id"), lambda workload: groups.of[workload])


def swept(found: Found, groups: Groups, key: str, split: Sequence[str], directory: Path) -> dict[str, list[Part]]:
    """
    Write the load steps of every value of a column by group of loads; return the groups of each.

    A group is the file ``<value>/<group>.json``. One that weighs too much for a page is split by the columns ``split``:
    ``of`` lists its parts, ``<value>/<group>/<part>.json``. A load of a set that stands alone goes by its own words.
    """
    names, rows = found
    listed: dict[str, list[Part]] = {}
    for value, its in sorted(_valued(rows, names.index(key)).items()):
        divided = by_group({"sweeps": (names, its)}, groups)
        weights = write_parts(divided, directory / value)
        listed[value] = groups.listed(weights)
        for part in listed[value]:
            own = [row for row in its if groups.of[row[names.index("workload_id")]] == part["part"]]
            texts = {row[names.index("load_profile")] for row in own} - {None}
            if len(texts) == 1 and part["part"] != REST:
                part["label"] = texts.pop()
                part["is_one"] = True
            if weights[str(part["part"])] > PART_BYTES:
                pieces = _pieces(names, own, split)
                write_parts(
                    {piece: {"sweeps": packed(names, of)} for piece, of in pieces.items()},
                    directory / value / str(part["part"]),
                )
                (directory / value / f"{part['part']}.json").unlink()
                part["of"] = list(pieces)
    return listed


def by_load(found: Found, name: str, key: str, directory: Path) -> dict[str, list[Part]]:
    """Write ``<value>/<workload>.json`` with the rows of every value of a column; return its loads, most rows first."""
    names, rows = found
    listed: dict[str, list[Part]] = {}
    for value, its in sorted(_valued(rows, names.index(key)).items()):
        loads = sorted(_valued(its, names.index("workload_id")).items(), key=lambda each: (-len(each[1]), each[0]))
        written = write_parts({part: {name: packed(names, of)} for part, of in loads}, directory / value)
        label = names.index("load_profile")
        listed[value] = [{"part": part, "label": of[0][label], "bytes": written[part]} for part, of in loads]
    return listed


def _valued(rows: Iterable[Row], place: int) -> dict[str, list[Row]]:
    of: dict[str, list[Row]] = {}
    for row in rows:
        if row[place] is not None:
            of.setdefault(row[place], []).append(row)
    return of


def _pieces(names: list[str], rows: Iterable[Row], split: Sequence[str]) -> dict[str, list[Row]]:
    places = [names.index(column) for column in split]
    of: dict[str, list[Row]] = {}
    for row in rows:
        of.setdefault("/".join(str(row[place]) for place in places), []).append(row)
    return dict(sorted(of.items()))


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
    whole = {query: packed(*its) for query, its in found.items()}
    if not any(rows for _, rows in found.values()):
        return {}
    if weight(whole) <= TOGETHER_BYTES:
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
