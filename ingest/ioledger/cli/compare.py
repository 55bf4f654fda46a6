"""
The command ``ioledger compare``: two configurations at each load, their conditions, and what differs.

Everything is read from the built database; nothing is computed here. Names are bound as parameters, never put into SQL.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from ioledger.cli import (
    Command,
    end_with,
    in_workspace,
    open_database,
    print_indented,
    print_table,
    say_json,
    with_database,
)
from ioledger.comparison import METRIC_WORDS, conditions_sentence, format_value, ratio_sentence
from ioledger.problems import MOST_CHOICES, Problem, fitting, nearest
from ioledger.tables.schema import tables

if TYPE_CHECKING:
    from pathlib import Path

    from duckdb import DuckDBPyConnection

    from ioledger.problems import Pair
    from ioledger.workspace import Workspace

NOT_PROVENANCE = frozenset(
    {"submission_id", "configuration_id", "title", "setting_set_origin", "known_field_count", "required_field_count",
     "completeness_ratio", "position_index"}
)  # fmt: skip
COMPARISONS = """
select * from quotients
where (a_submission_id, a_configuration_id) = ($a_submission, $a_configuration)
  and (b_submission_id, b_configuration_id) = ($b_submission, $b_configuration)
order by load_profile, workload_id, metric, queue_depth nulls last
"""
OF_PAIR = """
where (a_submission_id, a_configuration_id, b_submission_id, b_configuration_id)
  in (($a_submission, $a_configuration, $b_submission, $b_configuration),
      ($b_submission, $b_configuration, $a_submission, $a_configuration))
"""
CONDITIONS = f"select * from pairs {OF_PAIR} order by operation"  # noqa: S608  (a constant)
EXCLUDED = f"""
select reason, reason_columns, workload_count, load_count, load_profile, example_queue_depth
from excluded_loads left join workloads on workload_id = example_workload_id
where pair_id in (select pair_id from pairs {OF_PAIR})
order by reason, reason_columns
"""  # noqa: S608  (a constant)

CONFIGURATIONS = "select submission_id, configuration_id, device_id, device from configurations order by all"
LIST = 'List them with `ioledger sql "select submission_id, configuration_id, device from configurations"`.'


@click.command(cls=Command)
@click.argument("a")
@click.argument("b")
@click.option("--conditions", "has_conditions", is_flag=True, help="List all unknown conditions by name.")
@click.option("--json", "as_json", is_flag=True, help="Print a JSON object.")
@in_workspace
@with_database
def compare(  # noqa: PLR0913  (one parameter per option)
    a: str, b: str, workspace: Workspace, database: Path | None, *, has_conditions: bool, as_json: bool
) -> None:
    """
    Compare two configurations, workload by workload.

    The output has ratio, interval and verdict for each workload. Name a configuration as configuration, if that is
    unique, or as submission/configuration. A verdict needs three runs on each side; for fewer runs the output says how
    much runs may vary for the difference to hold. Then it lists the conditions that are equal, different and unknown,
    and the workloads that cannot be compared.

    \b
    Examples:
      ioledger compare cmp-p3700 cmp-hdd
        Database, IOPS, highest point
          A 223 times B: single runs, no verdict; holds even if runs vary by 50 %
      ioledger compare 2016-03-fujitsu-p3700/p3700-1x 2026-11-ioledger-virtual-disk-scrambled/ext4-file --json
        {"a": ["2016-03-fujitsu-p3700", "p3700-1x"], …}
    """  # noqa: D301
    found = compare_configurations(database or workspace.database, a, b)
    if isinstance(found, list):
        end_with(found)
    elif as_json:
        say_json(found)
    else:
        _print(found, has_conditions=has_conditions)


def _print(found: dict[str, Any], *, has_conditions: bool) -> None:
    click.echo(f"A  {'/'.join(found['a'])}\nB  {'/'.join(found['b'])}\n")
    for row in found["comparisons"]:
        depth = "highest point" if row["queue_depth"] is None else f"queue depth {row['queue_depth']}"
        click.echo(f"{row['load_profile'] or row['workload_id']}, {METRIC_WORDS[row['metric']]}, {depth}")
        values = ", ".join(f"{side} {format_value(row[f'{side.lower()}_value'], row['metric'])}" for side in "AB")
        print_indented(f"{ratio_sentence(row)}. {values}.")
    if not found["comparisons"]:
        click.echo("These two cannot be compared." if found["excluded"] else "These two have no common workload.")
    if tested := sum(row["p_value"] is not None for row in found["comparisons"]):
        click.echo("")
        print_indented(f"At most 5 % of equal pairs are reported as different. Pairs tested here: {tested}.", depth=0)
    for row in found["conditions"]:
        click.echo("")
        print_indented(f"Conditions of {row['operation']}s: {conditions_sentence(row, found['unknown'])}.", depth=0)
    unknown = {"one side": found["unknown"], "both sides": found["unstated"]} if has_conditions else {}
    for side, listed in unknown.items():
        click.echo("")
        print_indented(f"Unknown on {side}: {', '.join(listed).replace('_', ' ') or 'nothing'}.", depth=0)
    if not has_conditions and any(row["unknown_count"] for row in found["conditions"]):
        click.echo("--conditions lists the unknown ones.")
    if found["excluded"]:
        click.echo("\nCannot be compared:")
    for row in found["excluded"]:
        columns = f" ({', '.join(row['reason_columns']).replace('_', ' ')})" if row["reason_columns"] else ""
        depth = f" at queue depth {row['example_queue_depth']}" if row["example_queue_depth"] else ""
        loads = f"{row['load_count']} loads" if row["load_count"] > 1 else "1 load"
        print_indented(f"{loads}, such as {row['load_profile']}{depth}: {row['reason'].replace('_', ' ')}{columns}")
    if found["differences"]:
        click.echo("")
        rows = [(each["field"], each["a"], each["b"]) for each in found["differences"]]
        print_table(("what differs", "A", "B"), rows, is_first_whole=True)
    click.echo(f"{found['same_count']} stated fields are the same.")


def compare_configurations(database: Path, a: str, b: str) -> dict[str, Any] | list[Problem]:
    """
    Compare two configurations of the built database; return problems where the names do not stand for two.

    Comparisons have a ratio above 1 where A is faster. ``differences`` are the fields that both state, with both
    values; ``unknown`` names those that one side states, ``unstated`` those that neither states.
    """
    with open_database(database) as connection:
        first, second = (_resolve(connection, name) for name in (a, b))
        if isinstance(first, Problem) or isinstance(second, Problem):
            return list(dict.fromkeys(each for each in (first, second) if isinstance(each, Problem)))
        if first == second:
            what = f"both names are one configuration, {'/'.join(first)}"
            return [_make_problem(what, "Name another one instead of one of them.")]
        sides = {"a_submission": first[0], "a_configuration": first[1]}
        sides |= {"b_submission": second[0], "b_configuration": second[1]}
        found = {
            name: _read_rows(connection, query, sides)
            for name, query in (("comparisons", COMPARISONS), ("conditions", CONDITIONS), ("excluded", EXCLUDED))
        }
        left, right = _read_facts(connection, first), _read_facts(connection, second)
    facts = [(field, left.get(field), right.get(field)) for field in sorted(left.keys() | right.keys())]
    both = [{"field": field, "a": x, "b": y} for field, x, y in facts if x and y]
    differences = [each for each in both if each["a"] != each["b"]]
    return {
        "a": first,
        "b": second,
        **found,
        "differences": differences,
        "unknown": [field for field, x, y in facts if bool(x) != bool(y)],
        "unstated": [field for field, x, y in facts if not (x or y)],
        "same_count": len(both) - len(differences),
    }


def _read_rows(connection: DuckDBPyConnection, query: str, values: dict[str, str]) -> list[dict[str, Any]]:
    cursor = connection.execute(query, values)
    columns = [column[0] for column in cursor.description or ()]
    return [dict(zip(columns, row, strict=True)) for row in cursor.fetchall()]


def _read_facts(connection: DuckDBPyConnection, name: Pair) -> dict[str, str | None]:
    """Return what is stated about a configuration and its drives, by field; null where it is unknown."""
    values = {"submission": name[0], "configuration": name[1]}
    where = "where submission_id = $submission and configuration_id = $configuration order by all"
    facts: dict[str, list[str]] = {}
    for table, prefix in (("configurations", ""), ("drives", "drive: ")):
        columns = [column for column in tables()[table].column_names if column not in NOT_PROVENANCE]
        facts |= {f"{prefix}{column}": [] for column in columns}
        listed = ", ".join(f'"{column}"' for column in columns)
        for row in _read_rows(connection, f"select {listed} from {table} {where}", values):  # noqa: S608  (names come from schemas/)
            for field, value in row.items():
                facts[f"{prefix}{field}"] += [] if value is None else [str(value)]
    for row in _read_rows(connection, f"select scope, name, value from raw.settings {where}", values):  # noqa: S608  (a constant)
        facts.setdefault(f"setting: {row['scope']} {row['name']}".lower(), []).append(str(row["value"]))
    return {field: "; ".join(found) if found else None for field, found in facts.items()}


def _resolve(connection: DuckDBPyConnection, name: str) -> Pair | Problem:
    """Return the one configuration of this name, or what the name stands for instead and which ones may be meant."""
    rows = connection.execute(CONFIGURATIONS).fetchall()
    pairs: list[Pair] = [(submission, configuration) for submission, configuration, *_ in rows]
    found = fitting(name, pairs)
    if len(found) == 1:
        return found[0]
    if found:
        return _make_problem(f"{len(found)} configurations are called {name}", f"Use one of: {_list_names(found)}.")
    parent, _, own = name.rpartition("/")
    if submitted := [pair for pair in pairs if pair[0] == name]:
        remedy = f"Use one of its own: {_list_names(submitted)}."
        return _make_problem(f"{name} is a submission, not a configuration", remedy)
    if having := [pair for pair, (_, _, *devices) in zip(pairs, rows, strict=True) if name in devices]:
        remedy = f"Use one that has it: {_list_names(having)}."
        return _make_problem(f"{name} is a device, not a configuration", remedy)
    siblings = [pair for pair in pairs if pair[0] == parent]
    called = nearest(own, {pair[1] for pair in siblings or pairs})
    like = [pair for each in called for pair in siblings or pairs if pair[1] == each] or siblings
    return _make_problem(f"no configuration is called {name}", f"Did you mean {_list_names(like)}?" if like else LIST)


def _list_names(pairs: list[Pair]) -> str:
    more = len(pairs) - MOST_CHOICES
    return ", ".join(map("/".join, pairs[:MOST_CHOICES])) + (f" and {more} more" if more > 0 else "")


def _make_problem(what: str, remedy: str) -> Problem:
    return Problem("compare", "", what, remedy, "R-COMPARE-1")
