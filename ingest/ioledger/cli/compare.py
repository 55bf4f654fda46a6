"""
The command ``ioledger compare``: quotients of two configurations with their grades, and the provenance that differs.

Everything is read from the built database; nothing is computed here. Names are bound as parameters, never put into SQL.
"""

from __future__ import annotations

import itertools
import sys
from typing import TYPE_CHECKING, Any

import click
import duckdb
import msgspec

from ioledger.cli import (
    FOUND_PROBLEMS,
    UNBUILT,
    in_workspace,
    names,
    print_indented,
    print_rows,
    report,
    say_json,
    with_database,
)
from ioledger.judgement import verdicts
from ioledger.problems import Problem
from ioledger.tables.schema import tables

if TYPE_CHECKING:
    from pathlib import Path

    from ioledger.tables.named import Pair
    from ioledger.workspace import Workspace

NOT_PROVENANCE = frozenset(
    {"submission_id", "configuration_id", "title", "setting_set_origin", "known_field_count", "required_field_count",
     "completeness_ratio", "position_index"}
)  # fmt: skip
QUOTIENTS = """
select load_profile, metric, basis, a_section, b_section, a_value, b_value, quotient_ratio, low_ratio, high_ratio,
  uncertainty_kind, verdict, verdict_basis, verdict_reason, margin_ratio, verdict_sentence, comparability_grade,
  comparability_reasons, grade_columns, evidence
from quotients
where a_submission_id = $a_submission and a_configuration_id = $a_configuration
  and b_submission_id = $b_submission and b_configuration_id = $b_configuration
order by load_profile, metric, split_part(basis, '=', 1), try_cast(split_part(basis, '=', 2) as bigint), basis,
  a_section, b_section
"""
"""The number of a basis orders it, so that queue depth 2 comes before 16."""
EXCLUDED = """
select workload_id, load_profile, metric, bases, reason, reason_columns, reason_words, used_instead, pair_count,
  a_section, b_section, (a_submission_id, a_configuration_id) <> ($a_submission, $a_configuration) as is_turned
from excluded_pairs
where (a_submission_id, a_configuration_id, b_submission_id, b_configuration_id)
  in (($a_submission, $a_configuration, $b_submission, $b_configuration),
      ($b_submission, $b_configuration, $a_submission, $a_configuration))
order by load_profile, metric, reason
"""
VALUES = """
with listed as (
  select submission_id, configuration_id, section, workload_id, basis,
    unnest(['operations_per_second', 'throughput_bytes_per_second', 'latency_mean_seconds']) as metric,
    unnest([operations_per_second, throughput_bytes_per_second, latency_mean_seconds]) as measured
  from points
  union all
  select submission_id, configuration_id, section, workload_id, 'peak', metric, peak_value from peaks
)
select submission_id, configuration_id, section, workload_id, basis, metric, cast(measured as double) as measured
from listed
where measured is not null
  and (submission_id, configuration_id) in (($a_submission, $a_configuration), ($b_submission, $b_configuration))
"""
WITHOUT_QUOTIENT = {"key_differs", "invalid"}
"""Reasons of grade X: both sides have a value, and the values stand beside one another without being divided."""
GRADES = (
    "Grades: A same conditions; B reservations, each named; C if what is unknown is equal; X a condition that decides "
    "differs, or a check forbids it: no quotient."
)
EFFECTS = """
select
  case table_name
    when 'drives' then 'drive: ' when 'settings' then 'setting: ' when 'results' then 'result: ' else ''
  end || column_name as field,
  a_value, b_value, state, effect
from configuration_differences
where a_submission_id = $a_submission and a_configuration_id = $a_configuration
  and b_submission_id = $b_submission and b_configuration_id = $b_configuration
order by field
"""


class Comparison(msgspec.Struct):
    """
    Two configurations side by side: quotients (above 1: A is faster), what has none and why, and fields that differ.

    A field that differs has both values and what that means: X no quotient, C only if it is equal, B a reservation.
    """

    a: Pair
    b: Pair
    quotients: list[dict[str, Any]]
    excluded: list[dict[str, Any]]
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
    Put two configurations side by side: which is faster by how much under each load, how sure, and what differs.

    A configuration is named by itself where the name stands once, or as submission/configuration. Each quotient gives
    the faster side, a factor of 1 or more with its interval, the verdict, the grade (A same conditions, B reservations,
    C if what is unknown is equal) and how direct the comparison is. What was considered and has no quotient stands
    below it, with the reason; at grade X with what each side measured, which are not to be divided.

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
    """Print both names, a block for each quotient, what has none and why, and a table of what differs."""
    click.echo(f"A  {'/'.join(found.a)}\nB  {'/'.join(found.b)}\n")
    if found.quotients:
        _print_quotients(found.quotients)
    else:
        click.echo("No quotient." if found.excluded else "No quotient: the two have no load profile in common.")
    if found.excluded:
        _print_excluded(found.excluded)
    if found.quotients or found.excluded:
        click.echo("")
        print_indented(GRADES, depth=0)
    if found.differences:
        rows = [
            (each["field"], each["a"], each["b"], "" if each["effect"] == "none" else each["effect"])
            for each in found.differences
        ]
        click.echo("")
        print_rows(("what differs", "A", "B", "effect"), rows, is_first_whole=True)
    click.echo(f"{found.same_count} fields are the same.")


def _print_quotients(rows: list[dict[str, Any]]) -> None:
    """Print a block for each quotient; a reason that all of them share is said once, below them."""
    reasons = [(row["comparability_reasons"] or "").split("; ") for row in rows]
    shared = [each for each in reasons[0] if all(each in listed for listed in reasons)] if len(rows) > 1 else []
    named = [_load(row, row["basis"]) for row in rows]
    for name, row, listed in zip(named, rows, reasons, strict=True):
        parts = f" (A: {row['a_section']}; B: {row['b_section']})" if named.count(name) > 1 else ""
        click.echo(f"{name}{parts}")
        print_indented(verdicts.shortened(row["verdict_sentence"]))
        if further := "; ".join(each for each in listed if each and each not in shared):
            print_indented(f"unknown or different: {further}")
    if any(shared):
        click.echo(f"\nIn each of these {len(rows)}, unknown or different:")
        print_indented("; ".join(shared))


def _print_excluded(rows: list[dict[str, Any]]) -> None:
    """Print what was considered and has no quotient, by the reason."""
    click.echo("\nConsidered, without a quotient:")
    by_reason: dict[str, list[str]] = {}
    values: dict[str, list[dict[str, Any]]] = {}
    for row in rows:
        grade = "grade X, " if row["reason"] in WITHOUT_QUOTIENT else ""
        said = by_reason.setdefault(f"{grade}{row['reason'].replace('_', ' ')}{_why(row)}", [])
        said.append(_load(row, row["bases"]))
        values.setdefault(said[-1], []).extend(row["values"])
    for reason, loads in by_reason.items():
        named = list(dict.fromkeys(loads))
        if listed := "; ".join(load for load in named if not values[load]):
            print_indented(listed)
        for load in filter(values.__getitem__, named):
            print_indented(load)
            for each in values[load]:
                print_indented(_absolute(each), depth=2)
        print_indented(reason, depth=2)


def _absolute(each: dict[str, Any]) -> str:
    """Return what both sides measured, in words."""
    measured = ", ".join(f"{side.upper()} {verdicts.measured(each[side], each['metric'])}" for side in "ab")
    return f"{_basis(each['basis'])}: {measured}"


def _basis(basis: str | None) -> str:
    return (basis or "").replace("queue_depth=", "queue depth ").replace("_", " ")


def _load(row: dict[str, Any], basis: str | None) -> str:
    """Return load profile, metric and basis in words."""
    return ", ".join(
        filter(None, (row["load_profile"], verdicts.METRIC_WORDS.get(row["metric"], row["metric"]), _basis(basis)))
    )


def _why(row: dict[str, Any]) -> str:
    """Return what stands behind a reason: what differs, or the number that is compared instead."""
    if row["reason_words"]:
        return f": {row['reason_words']}"
    return f"; compared instead: {row['used_instead']}" if row["used_instead"] else ""


def compared(database: Path, a: str, b: str) -> tuple[Comparison | None, list[Problem]]:
    """
    Compare two configurations of the built database, each named ``submission/configuration`` or ``configuration``.

    Returns None with the problems when the database or a name is not there, a name stands for several, or both for one.
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
        named = names.both(connection, a, b)
        if isinstance(named, list):
            return None, named
        first, second = named
        sides = {"a_submission": first[0], "a_configuration": first[1]}
        sides |= {"b_submission": second[0], "b_configuration": second[1]}
        quotients, excluded = (_rows(connection, query, sides) for query in (QUOTIENTS, EXCLUDED))
        excluded = _ordered(excluded)
        _add_values(excluded, _rows(connection, VALUES, sides) if excluded else [], (first, second))
        effects = {row["field"]: row for row in _rows(connection, EFFECTS, sides)}
        left, right = _facts(connection, first), _facts(connection, second)
    fields = sorted(left.keys() | right.keys())
    shown = {field: (left.get(field, "unknown"), right.get(field, "unknown")) for field in fields}
    different = [
        {"field": field, "a": x, "b": y, "effect": _effect(effects, field)} for field, (x, y) in shown.items() if x != y
    ]
    same_count = len(fields) - len(different)
    # what only the result files tell, such as the engine
    different += [
        {"field": field, "a": row["a_value"], "b": row["b_value"], "effect": row["effect"]}
        for field, row in effects.items()
        if field.startswith("result: ") and row["state"] == "differs"
    ]
    return Comparison(first, second, quotients, excluded, different, same_count), []


def _ordered(excluded: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Return the rows of each reason by their bases, and the bases of each, in the order of their numbers."""
    for row in excluded:
        row["bases"] = row["bases"] and ", ".join(sorted(row["bases"].split(", "), key=_place))
    groups = itertools.groupby(excluded, lambda row: (row["load_profile"], row["metric"], row["reason"]))
    return [row for _, rows in groups for row in sorted(rows, key=lambda row: _places(row["bases"]))]


def _places(bases: str | None) -> list[tuple[str, int]]:
    return [_place(basis) for basis in (bases or "").split(", ")]


def _place(basis: str) -> tuple[str, int]:
    """Return where a basis stands among others: queue depth 2 comes before 16."""
    name, _, number = basis.partition("=")
    return name, int(number) if number.isdecimal() else 0


def _add_values(excluded: list[dict[str, Any]], values: list[dict[str, Any]], sides: tuple[Pair, Pair]) -> None:
    """Add to each excluded row what both sides measured at each of its loads, where only the quotient is missing."""
    keys = ("submission_id", "configuration_id", "section", "workload_id", "metric", "basis")
    known = {tuple(row[key] for key in keys): row["measured"] for row in values}
    for row in excluded:
        sections = (row.pop("a_section"), row.pop("b_section"))
        sections = sections[::-1] if row.pop("is_turned") else sections
        load = (row.pop("workload_id"), row["metric"])
        bases = (row["bases"] or "").split(", ") if row["reason"] in WITHOUT_QUOTIENT else ()
        found = [
            {"metric": row["metric"], "basis": basis}
            | {
                side: known.get((*name, section, *load, basis))
                for side, name, section in zip("ab", sides, sections, strict=True)
            }
            for basis in bases
        ]
        row["values"] = [each for each in found if None not in {each["a"], each["b"]}]


def _effect(effects: dict[str, dict[str, Any]], field: str) -> str:
    """Return the effect of a field; that of the runs where a result states it too, as with the processes."""
    found = effects.get(field) or effects.get(f"result: {field}") or {}
    return str(found.get("effect", ""))


def _rows(connection: duckdb.DuckDBPyConnection, query: str, values: dict[str, str]) -> list[dict[str, Any]]:
    cursor = connection.execute(query, values)
    columns = [column[0] for column in cursor.description or ()]
    return [dict(zip(columns, row, strict=True)) for row in cursor.fetchall()]


def _facts(connection: duckdb.DuckDBPyConnection, name: Pair) -> dict[str, str]:
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
    settings = _rows(connection, f"select scope, name, value from raw.settings {where} order by all", values)  # noqa: S608  (a constant)
    for row in settings:
        facts.setdefault(f"setting: {row['scope']} {row['name']}".lower(), []).append(str(row["value"]))
    return {field: "; ".join(found) for field, found in facts.items()}
