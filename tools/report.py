"""
Writes what a pull request adds, for the comment on it: ``python tools/report.py BASE report.json [FOLDER]``.

BASE is a commit. The problems come from ``ioledger check --beliefs``, then from ``tools/own_rows.py``; the counts,
warnings and quotients of the submissions that differ from BASE come from the built database, when the build succeeded.
What differs between BASE, which is built aside, and the build is what ``ioledger diff`` says, with few rows of each
table. With FOLDER, which ``tools/verdict.py`` wrote and which is built, it tells of the new submissions there instead.

The report is cut to size, whatever strangers' files hold.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

import duckdb
import msgspec

ROOT = Path(__file__).resolve().parent.parent
sys.path[:0] = [str(ROOT / "ingest"), str(ROOT / "tools")]

import own_rows  # noqa: E402  (it lies beside this script)

from ioledger import workspace  # noqa: E402  (the project lies above this script)
from ioledger.build.checking import check  # noqa: E402
from ioledger.build.expect import FINDINGS  # noqa: E402
from ioledger.problems import Problem  # noqa: E402
from ioledger.pulls import sized  # noqa: E402
from ioledger.releases import difference, rebuilt, shown, sides  # noqa: E402
from ioledger.submission.ownership import touched  # noqa: E402

if TYPE_CHECKING:
    from ioledger.releases.changes import Difference

SHOWN_WARNINGS, SHOWN_QUOTIENTS, SHOWN_ROWS = 50, 10, 2
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


def since(base: str, build: Path, made_of: str | None) -> dict[str, Any]:
    """
    Return what differs between a commit, which is built aside, and a build; why not, where that cannot be told.

    ``made_of`` is the commit that the build is made of, where there is one.
    """
    commit = rebuilt.commit_of(ROOT, base)
    if commit is None:
        return {"headline": f"{base} is no commit"}
    before, after = rebuilt.of_commit(ROOT, commit, base, _say), sides.of_folder(build, "this pull request")
    if isinstance(before, Problem):
        return {"headline": str(before)}
    if isinstance(after, Problem):
        return {"headline": str(after)}
    after = msgspec.structs.replace(after, commit=made_of)
    between = rebuilt.between(ROOT, before, after, _say)
    return differing(difference.compare(before, after, SHOWN_ROWS, between))


def _say(line: str) -> None:
    print(line, file=sys.stderr)  # noqa: T201


def found_in(database: Path, own: list[str]) -> list[dict[str, Any]]:
    """Return what each of these submissions adds to a database."""
    with duckdb.connect(database, read_only=True, config={"enable_external_access": "false"}) as connection:
        return [submission(connection, identity) for identity in own]


def of_checkout(base: str) -> dict[str, Any]:
    """Return the report on the checkout at hand: what is wrong, and, once it is built, what it adds."""
    own = sorted(touched(base))
    checked, problems, _ = check((), ROOT / "data", beliefs=True)
    problems = problems or own_rows.problems(base)
    report: dict[str, Any] = {
        "checked": checked,
        "problem_count": len(problems),
        "problems": problems,
        "submissions": [{"id": identity} for identity in own],
    }
    built = workspace.Workspace(ROOT)
    if built.database.is_file() and not problems:
        here = rebuilt.commit_of(ROOT, "HEAD")
        report |= {"difference": since(base, built.build, here), "submissions": found_in(built.database, own)}
    return report


def of_verdict(base: str, folder: Path) -> dict[str, Any]:
    """Return what the new submissions of a pull request add, by a folder that holds its verdict and the build."""
    own = [each["name"] for each in json.loads((folder / "verdict.json").read_bytes())["folders"]]
    built = workspace.Workspace(folder)
    return {"difference": since(base, built.build, None), "submissions": found_in(built.database, own)}


def main() -> int:
    """Write the report; return 0 whatever it says, because the check itself fails the run."""
    base, output, *of = sys.argv[1:4]
    report = of_verdict(base, Path(of[0])) if of else of_checkout(base)
    Path(output).write_bytes(sized.written(report))
    return 0


if __name__ == "__main__":
    sys.exit(main())
