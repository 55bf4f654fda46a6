"""
Writes what a pull request adds, for the comment on it: ``python tools/report.py BASE report.json``.

BASE is a commit. The problems come from ``ioledger check --beliefs``; the counts, warnings and quotients of the
submissions that differ from BASE come from the built database, when the build succeeded. What differs between BASE,
which is built aside, and the build is what ``ioledger diff`` says, with few rows of each table.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

import duckdb
import msgspec

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT / "ingest"))

from ioledger.build.checking import check  # noqa: E402  (the project lies above this script)
from ioledger.build.expect import FINDINGS  # noqa: E402
from ioledger.problems import Problem  # noqa: E402
from ioledger.releases import difference, rebuilt, shown, sides  # noqa: E402
from ioledger.submission.ownership import touched  # noqa: E402

if TYPE_CHECKING:
    from ioledger.releases.changes import Difference

DATABASE = ROOT / "build" / "ioledger.duckdb"
SHOWN_PROBLEMS, SHOWN_WARNINGS, SHOWN_QUOTIENTS, SHOWN_ROWS = 50, 50, 10, 2
MOST_LINES, LONGEST = 50, 300
"""Of what differs: lines of each part, and characters of a text; the comment shows no more."""
COUNTS = """
select title, status, source_count, result_count, warning_count, completeness_ratio from submissions
where submission_id = $id
"""
WARNINGS = f"""
select rule_id, load_profile, result_count as count, message as worst from ({FINDINGS})
where submission_id = $id order by all limit $limit
"""  # noqa: S608  (a constant)
CHECKS = """
select verdict, effect, load_profile, count(*) as count, quantity_name as quantity,
  if(max(quantity_value) >= max(limit_value), max(quantity_value), min(quantity_value)) as worst,
  max(limit_value) as "limit"
from validity_checks left join workloads using (workload_id)
where submission_id = $id and effect is not null
group by all order by effect desc, verdict, load_profile, quantity limit $limit
"""
GRADES = """
select comparability_grade as grade, count(*) as count from quotients
where a_submission_id = $id group by all order by all
"""
NEAREST = """
select a_configuration_id as a, b_submission_id || '/' || b_configuration_id as b, load_profile, metric,
  verdict_sentence as verdict, comparability_grade as grade, grade_columns, evidence
from quotients where a_submission_id = $id and b_submission_id <> $id
order by comparability_grade, abs(ln(quotient_ratio)) nulls last, b, load_profile, metric, basis, a_section, b_section
limit $limit
"""
NOT_COMPARABLE = """
select if(a_submission_id = $id, b_submission_id, a_submission_id) as other, reason as why, reason_columns as columns,
  cast(sum(pair_count) as bigint) as count
from excluded_pairs
where b_submission_id is not null and $id in (a_submission_id, b_submission_id) and a_submission_id <> b_submission_id
group by all order by count desc, other, why limit $limit
"""


def rows(connection: duckdb.DuckDBPyConnection, query: str, **values: object) -> list[dict[str, Any]]:
    """Return the rows of a query as objects."""
    cursor = connection.execute(query, values)
    names = [column[0] for column in cursor.description or ()]
    return [dict(zip(names, row, strict=True)) for row in cursor.fetchall()]


def submission(connection: duckdb.DuckDBPyConnection, identity: str) -> dict[str, Any]:
    """Return what one submission adds to the database."""
    counts = rows(connection, COUNTS, id=identity)
    return {
        "id": identity,
        **(counts[0] if counts else {}),
        "warnings": rows(connection, WARNINGS, id=identity, limit=SHOWN_WARNINGS),
        "checks": rows(connection, CHECKS, id=identity, limit=SHOWN_WARNINGS),
        "grades": rows(connection, GRADES, id=identity),
        "nearest": rows(connection, NEAREST, id=identity, limit=SHOWN_QUOTIENTS),
        "not_comparable": rows(connection, NOT_COMPARABLE, id=identity, limit=SHOWN_QUOTIENTS),
    }


def differing(found: Difference) -> dict[str, Any]:
    """Return what differs as the comment shows it: how much and why, table by table, then the first rows of each."""
    tables = found.tables
    parts = {
        "code": [{"what": line[:LONGEST]} for line in shown.code(found)],
        "tables": [_named(shown.SUMMARY, shown.summary(each)) for each in tables],
        "rows": [{"table": each.name} | _named(shown.WHOLE, line) for each in tables for line in shown.whole(each)],
        "cells": [
            {"table": each.name} | _named(shown.CHANGES, line) for each in tables for line in shown.changes(each)
        ],
    }
    return {"headline": shown.headline(found), **{name: lines[:MOST_LINES] for name, lines in parts.items()}}


def _named(names: tuple[str, ...], line: list[str]) -> dict[str, str]:
    return {name: cell[:LONGEST] for name, cell in zip(names, line, strict=True) if cell}


def since(base: str) -> dict[str, Any]:
    """Return what differs between a commit, which is built aside, and the build; why not, where that cannot be told."""
    commit = rebuilt.commit_of(ROOT, base)
    if commit is None:
        return {"headline": f"{base} is no commit"}
    before, after = rebuilt.of_commit(ROOT, commit, base, _say), sides.of_folder(ROOT / "build", "this pull request")
    if isinstance(before, Problem):
        return {"headline": str(before)}
    if isinstance(after, Problem):
        return {"headline": str(after)}
    after = msgspec.structs.replace(after, commit=rebuilt.commit_of(ROOT, "HEAD"))
    between = rebuilt.between(ROOT, before, after, _say)
    return differing(difference.compare(before, after, SHOWN_ROWS, between))


def _say(line: str) -> None:
    print(line, file=sys.stderr)  # noqa: T201


def main() -> int:
    """Write the report; return 0 whatever it says, because the check itself fails the run."""
    base, output = sys.argv[1:3]
    own = sorted(touched(base))
    checked, problems, _ = check((), ROOT / "data", beliefs=True)
    found: list[dict[str, Any]] = [{"id": identity} for identity in own]
    differs = None
    if DATABASE.is_file() and not problems:
        differs = since(base)
        with duckdb.connect(DATABASE, read_only=True, config={"enable_external_access": "false"}) as connection:
            found = [submission(connection, identity) for identity in own]
    listed = msgspec.to_builtins(problems[:SHOWN_PROBLEMS])
    report = {"checked": checked, "problem_count": len(problems), "problems": listed, "submissions": found}
    report |= {"difference": differs} if differs else {}
    Path(output).write_text(json.dumps(report, default=str) + "\n", encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
