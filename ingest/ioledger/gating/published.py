"""
A side of a gate that is published: the runs of one configuration in a built or released database.

It is opened read-only. A build with a release laid under holds the rows of both; a released ``ioledger.duckdb`` can be
asked as it is.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import duckdb

from ioledger.gating.points import KEPT, P99, Side, gathered
from ioledger.loading.coverage import select_whole_loads
from ioledger.problems import Problem, fitting

if TYPE_CHECKING:
    from pathlib import Path

    from ioledger.problems import Pair

PREFIX = "published:"
_REMEDY = "Lay a release under with ioledger build --base, or name its ioledger.duckdb with --database."
_NAMES = "select distinct submission_id, configuration_id from results where is_comparable order by all"
_ROWS = f"""
select {", ".join(f'results."{name}"' for name in KEPT)}, tail.latency_seconds as "{P99}"
from results
left join (
  select result_id, arg_min(latency_seconds, latency_kind <> 'total') as latency_seconds
  from latency_percentiles where percentile_ratio = 0.99 and latency_kind in ('total', 'completion') group by result_id
) as tail on tail.result_id = results.result_id
where submission_id = $submission and configuration_id = $configuration
order by results.source_path, results.source_pointer, results.result_id
"""  # noqa: S608  (names of columns)


def read(name: str, database: Path) -> Side:
    """
    Read the runs of a configuration, named by itself where that is enough, or as submission/configuration.

    What cannot be read is a problem of the side, which then has no points.
    """
    asked = name.removeprefix(PREFIX)
    if not database.is_file():
        return _none(name, Problem(str(database), "", "there is no database", _REMEDY, "R-SQL-1"))
    try:
        with duckdb.connect(database, read_only=True, config={"enable_external_access": "false"}) as connection:
            known: list[Pair] = connection.execute(_NAMES).fetchall()
            found = fitting(asked, known)
            if len(found) != 1:
                what = f"{len(found)} published configurations are called {asked}"
                choices = ", ".join("/".join(pair) for pair in found) or "ioledger sql 'from configurations' lists them"
                return _none(name, Problem(name, "", what, f"Use one of: {choices}.", "R-COMPARE-1"))
            values = dict(zip(("submission", "configuration"), found[0], strict=True))
            cursor = connection.execute(_ROWS, values)
            names = [column[0] for column in cursor.description or ()]
            rows = [dict(zip(names, row, strict=True)) for row in cursor.fetchall()]
    except duckdb.Error as error:
        what = f"this is no database that a build made: {' '.join(str(error).split())}"
        return _none(name, Problem(str(database), "", what, _REMEDY, "R-SQL-1"))
    return Side(name, gathered(select_whole_loads(rows)), [])


def _none(name: str, problem: Problem) -> Side:
    return Side(name, {}, [problem])
