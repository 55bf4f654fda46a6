"""
The command ``ioledger compare``: quotients of two configurations with their grades, and the provenance that differs.

Everything is read from the built database; nothing is computed here. Names are bound as parameters, never put into SQL.
"""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Any

import click
import duckdb
import msgspec

from ioledger.cli import FOUND_PROBLEMS, UNBUILT, in_workspace, print_rows, report, say_json, with_database
from ioledger.problems import Problem
from ioledger.tables.schema import tables

if TYPE_CHECKING:
    from pathlib import Path

    from ioledger.workspace import Workspace

Names = tuple[str, str]
NOT_PROVENANCE = frozenset(
    {"submission_id", "configuration_id", "title", "setting_set_origin", "known_field_count", "required_field_count",
     "completeness_ratio", "position_index"}
)  # fmt: skip
QUOTIENTS = """
select load_profile, metric, basis, a_section, b_section, a_value, b_value, quotient_ratio, quotient_display_text,
  comparability_grade, comparability_reasons
from quotients
where a_submission_id = $a_submission and a_configuration_id = $a_configuration
  and b_submission_id = $b_submission and b_configuration_id = $b_configuration
order by load_profile, metric, basis, a_section, b_section
"""


class Comparison(msgspec.Struct):
    """Both names, the quotients from A to B (above 1: A is better), and the fields that differ with both values."""

    a: Names
    b: Names
    quotients: list[dict[str, Any]]
    differences: list[dict[str, str]]
    same_count: int


@click.command()
@click.argument("a")
@click.argument("b")
@click.option("--json", "as_json", is_flag=True, help="Print a JSON object.")
@in_workspace
@with_database
def compare(a: str, b: str, workspace: Workspace, database: Path | None, *, as_json: bool) -> None:
    """
    Put two configurations side by side: how many times better A is, by load profile, and what differs between them.

    A configuration is named by itself where the name stands once, or as submission/configuration. Each quotient carries
    its grade and the reasons for it; grade X gives no quotient.

    \b
    Examples:
      ioledger compare cmp-p3700 cmp-hdd
      ioledger compare 2016-03-fujitsu-p3700/p3700-1x 2026-11-ioledger-virtual-disk-scrambled/ext4-file --json
    """  # noqa: D301
    found, problems = compared(database or workspace.database, a, b)
    report(problems)
    if found is None:
        sys.exit(FOUND_PROBLEMS)
    if as_json:
        say_json(found)
    else:
        _print(found)


def _print(found: Comparison) -> None:
    """Print both names, a table of quotients, the reasons for their grades below it, and a table of what differs."""
    click.echo(f"A  {'/'.join(found.a)}\nB  {'/'.join(found.b)}\n")
    if not found.quotients:
        click.echo("No quotient: a condition that decides differs, or the two have no load profile in common.\n")
    notes = sorted({str(row["comparability_reasons"] or "") for row in found.quotients} - {""})
    texts = ("load_profile", "metric", "basis", "quotient_display_text", "comparability_grade")
    quotients = []
    for row in found.quotients:
        note = str(notes.index(row["comparability_reasons"]) + 1) if row["comparability_reasons"] else ""
        quotients.append((*(str(row[name]) for name in texts), note))
    if quotients:
        print_rows(("load profile", "metric", "basis", "A is better by", "grade", "note"), quotients)
    if found.differences:
        print_rows(("what differs", "A", "B"), [tuple(row.values()) for row in found.differences])
    for number, note in enumerate(notes, 1):
        click.echo(f"note {number}: {note}")
    click.echo(f"{found.same_count} fields are the same.")


def compared(database: Path, a: str, b: str) -> tuple[Comparison | None, list[Problem]]:
    """
    Compare two configurations of the built database, each named ``submission/configuration`` or ``configuration``.

    Returns None with the problems when the database or a name is not there, or a name stands for several.
    """
    if not database.is_file():
        return None, [Problem(str(database), "", "there is no database", UNBUILT, "R-SQL-1")]
    try:
        return _side_by_side(database, a, b)
    except duckdb.Error as error:
        what = f"this is no database that a build made: {' '.join(str(error).split())}"
        return None, [Problem(str(database), "", what, UNBUILT, "R-SQL-1")]


def _side_by_side(database: Path, a: str, b: str) -> tuple[Comparison | None, list[Problem]]:
    with duckdb.connect(database, read_only=True, config={"enable_external_access": "false"}) as connection:
        known: list[Names] = connection.execute(
            "select submission_id, configuration_id from configurations order by all"
        ).fetchall()
        first, second = _named(a, known), _named(b, known)
        if isinstance(first, Problem) or isinstance(second, Problem):
            return None, [found for found in (first, second) if isinstance(found, Problem)]
        sides = {"a_submission": first[0], "a_configuration": first[1]}
        sides |= {"b_submission": second[0], "b_configuration": second[1]}
        quotients = _rows(connection, QUOTIENTS, sides)
        left, right = _facts(connection, first), _facts(connection, second)
    fields = sorted(left.keys() | right.keys())
    shown = {field: (left.get(field, "unknown"), right.get(field, "unknown")) for field in fields}
    different = [{"field": field, "a": x, "b": y} for field, (x, y) in shown.items() if x != y]
    return Comparison(first, second, quotients, different, len(fields) - len(different)), []


def _named(name: str, known: list[Names]) -> Names | Problem:
    submission, _, configuration = name.rpartition("/")
    fitting = [pair for pair in known if pair[1] == configuration and submission in {"", pair[0]}]
    if len(fitting) == 1:
        return fitting[0]
    what = f"{len(fitting)} configurations are called {name}"
    choices = ", ".join("/".join(pair) for pair in fitting or known)
    return Problem("compare", "", what, f"Use one of: {choices}.", "R-COMPARE-1")


def _rows(connection: duckdb.DuckDBPyConnection, query: str, values: dict[str, str]) -> list[dict[str, Any]]:
    cursor = connection.execute(query, values)
    names = [column[0] for column in cursor.description or ()]
    return [dict(zip(names, row, strict=True)) for row in cursor.fetchall()]


def _facts(connection: duckdb.DuckDBPyConnection, name: Names) -> dict[str, str]:
    """Return what is stated about a configuration and its drives, by field; what is unknown is left out."""
    values = {"submission": name[0], "configuration": name[1]}
    where = "where submission_id = $submission and configuration_id = $configuration"
    facts: dict[str, list[str]] = {}
    for table, prefix in (("configurations", ""), ("drives", "drive: ")):
        columns = [column for column in tables()[table].column_names if column not in NOT_PROVENANCE]
        listed = ", ".join(f'"{column}"' for column in columns)
        for row in _rows(connection, f"select {listed} from {table} {where} order by all", values):  # noqa: S608  (names come from schemas/)
            for field, value in row.items():
                if value is not None:
                    facts.setdefault(prefix + field, []).append(str(value))
    settings = _rows(connection, f"select scope, name, value from settings {where} order by all", values)  # noqa: S608  (a constant)
    for row in settings:
        facts.setdefault(f"setting: {row['scope']}: {row['name']}", []).append(str(row["value"]))
    return {field: "; ".join(found) for field, found in facts.items()}
