"""
Excerpts: the figures that the readers derive from results of other people, whose files stay where they were published.

Here is what a person states about an import. ``mapping.csv`` has a row for every configuration: which files are its own
(``path_prefix``, and ``path_regex`` for what follows it; ``round_regex``, with one group, where a file name tells the
round of a series that was repeated until steady), how many files and results are expected, and what is known of its
drives, its bench and its method, each with where that is known from. ``reservations.csv`` says what speaks against
configurations, by the beginning of the paths of their files. ``origin.yaml`` says where the originals come from and
under which terms.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any, NamedTuple

from ioledger.problems import Problem
from ioledger.readers import cells
from ioledger.submission import safe_yaml

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

MAPPING, RESERVATIONS, ORIGIN = "mapping.csv", "reservations.csv", "origin.yaml"
FILLED = ("path_prefix", "configuration_id", "device_id", "title", "conditions", "bench")
REQUIRED = (*FILLED, "path_regex", "files", "points", "scope", "drive_count")
OPTIONAL = ("round_regex", "specimen")
"""Columns that a mapping may leave out: the round of a file, and which piece of the device model was measured."""
RESERVED = ("path_prefix", "operation", "kind", "effect", "reason", "known_from")
ORIGIN_FIELDS = (
    "measured_by", "repository", "commit", "licence", "licence_file", "licence_evidence", "copyright", "retrieved_on",
    "statement", "excluded", "citation", "title", "summary", "submitted_by", "submitted_on", "tested_on", "affiliation",
    "unstated",
)  # fmt: skip
ORIGIN_MAPS = ("defaults", "devices", "systems")
"""Parts of a manifest that an origin may state, beneath or beside what the mapping says."""
SCOPES = ("", "process")
NO_ROUND = "round_regex does not match the file name"
RULE = "R-IMPORT-1"
Row = dict[str, str]


class Claim(NamedTuple):
    """A row of the mapping: its line, its cells, and which files of its folder are its own and of which round."""

    line: int
    cells: Row
    pattern: re.Pattern[str]
    round_pattern: re.Pattern[str] | None

    @property
    def configuration(self) -> str:
        """The configuration that the files are of."""
        return self.cells["configuration_id"]

    @property
    def expected_counts(self) -> tuple[int, int]:
        """How many files and how many results are expected."""
        return int(self.cells["files"]), int(self.cells["points"])

    def round_of(self, path: str) -> int | None:
        """Return the round that the name of a file tells, null without one; raises ``ValueError`` for another name."""
        if self.round_pattern is None:
            return None
        if (found := self.round_pattern.search(path.rpartition("/")[2])) is None:
            raise ValueError(NO_ROUND)
        return int(found[1]) if found[1] is not None else None

    def holds(self, path: str) -> bool:
        """Say whether a file is one of this row: below its folder, or the file itself, and as the pattern asks."""
        prefix = self.cells["path_prefix"]
        is_below = path == prefix or path.startswith(prefix.rstrip("/") + "/")
        return is_below and self.pattern.search(path[len(prefix) :].lstrip("/")) is not None


class Stated(NamedTuple):
    """The three files: rows of the mapping, reservations, and the origin with all it says."""

    shown: str
    claims: list[Claim]
    reservations: list[Row]
    origin: dict[str, Any]


def read_mapping(mapping: Path) -> tuple[Stated | None, list[Problem]]:
    """Read a mapping and what lies beside it; return it, or null with everything that is wrong."""
    problems, claims, reservations = list[Problem](), dict[str, Claim](), mapping.parent / RESERVATIONS
    for line, row in _read_rows(mapping, REQUIRED, problems):
        found = _find_fault(row)
        if found is None and row["configuration_id"] in claims:
            found = f"{row['configuration_id']} names more than one row", "Give each configuration one row."
        if found is None:
            rounds = re.compile(row["round_regex"]) if row.get("round_regex") else None
            claims[row["configuration_id"]] = Claim(line, row, re.compile(row["path_regex"]), rounds)
        else:
            problems.append(Problem(str(mapping), str(line), *found, RULE))
    reserved = _read_rows(reservations, RESERVED, problems) if reservations.is_file() else []
    origin = _read_origin(mapping.parent / ORIGIN, problems)
    stated = Stated(str(mapping), [*claims.values()], [row for _, row in reserved], origin)
    return (None if problems else stated), problems


def _read_rows(path: Path, required: Sequence[str], problems: list[Problem]) -> list[tuple[int, Row]]:
    """Return the rows of a table with the line of each; add what is wrong with it to the problems."""
    data = path.read_bytes()
    columns = dict.fromkeys(cells.read_header(data), cells.Cell(str, "", is_nullable=True))
    rows, refusals = cells.read_rows(data, cells.Form(columns, required, RULE, RULE, ""))
    problems += [Problem(str(path), each.place, each.what, each.remedy, each.rule) for each in refusals]
    return [(row.line, {name: value or "" for name, value in row.values.items()}) for row in rows if not refusals]


def _find_fault(row: Row) -> tuple[str, str] | None:
    """Return what is wrong with the cells of a row that every import needs, and the remedy."""
    if empty := [name for name in FILLED if not row[name]]:
        return f"{', '.join(empty)} is empty", "Fill it."
    if not all(row[name].isascii() and row[name].isdecimal() for name in ("files", "points", "drive_count")):
        return "files, points and drive_count are not whole numbers", "Write the number of each for this row."
    if row["scope"] not in SCOPES:
        return f"the scope is {row['scope']!r}", "Leave it empty, or write process."
    for name in ("path_regex", "round_regex"):
        try:
            groups = re.compile(row.get(name) or "()").groups
        except re.error as error:
            return f"{name} is no regular expression: {error}", "Mend it."
        if name == "round_regex" and groups != 1:
            return f"{name} does not have exactly one group", "Put the number of the round in a group: _round([0-9]+)."
    return None


def _read_origin(path: Path, problems: list[Problem]) -> dict[str, Any]:
    try:
        document, _ = safe_yaml.load_yaml(path.read_bytes())
    except safe_yaml.Mistake as mistake:
        problems.append(mistake.problem(str(path)))
        return {}
    except FileNotFoundError:
        problems.append(Problem(str(path), "", "the file does not exist", "Put it into its folder.", RULE))
        return {}
    document = document if isinstance(document, dict) else {}
    faults = [(f"the field {name} is missing", "State it.") for name in ORIGIN_FIELDS if name not in document]
    for name in ORIGIN_MAPS:
        found = document.get(name, {})
        if not isinstance(found, dict) or not all(isinstance(inner, dict) for inner in found.values()):
            faults.append((f"{name} is no map of maps", "Write it as in a manifest."))
    problems += [Problem(str(path), "", *fault, RULE) for fault in faults]
    return document
