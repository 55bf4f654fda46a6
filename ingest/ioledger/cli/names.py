"""The two names that ``ioledger compare`` is given: which configurations they are, or what they are instead."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ioledger.problems import MOST_CHOICES, Problem, fitting, nearest

if TYPE_CHECKING:
    from collections.abc import Iterable

    from duckdb import DuckDBPyConnection

    from ioledger.problems import Pair

CONFIGURATIONS = "select submission_id, configuration_id, device_id, device from configurations order by all"
SET_ASIDE = """
select distinct submission_id, configuration_id, status, superseded_by
from submissions left join drives using (submission_id)
where status in ('superseded', 'retracted') order by all
"""
"""Superseded and retracted submissions have no configurations, and of those that they had only the drives remain."""
LIST = 'List them with `ioledger sql "select submission_id, configuration_id, device from configurations"`.'


def both(connection: DuckDBPyConnection, a: str, b: str) -> tuple[Pair, Pair] | list[Problem]:
    """Return the two different configurations that two names stand for, or what is wrong with the names."""
    found = [_resolve(connection, name) for name in dict.fromkeys((a, b))]
    first, second = found[0], found[-1]
    if isinstance(first, Problem) or isinstance(second, Problem):
        return [each for each in found if isinstance(each, Problem)]
    if first == second:
        what = f"both names are one configuration, {'/'.join(first)}"
        return [_make_problem(what, "Name another one instead of one of them.", "R-COMPARE-1")]
    return first, second


def _resolve(connection: DuckDBPyConnection, name: str) -> Pair | Problem:
    rows = connection.execute(CONFIGURATIONS).fetchall()
    pairs: list[Pair] = [(submission, configuration) for submission, configuration, *_ in rows]
    found = fitting(name, pairs)
    if len(found) == 1:
        return found[0]
    if found:
        return _make_problem(f"{len(found)} configurations are called {name}", f"Use one of: {_list_names(found)}.")
    parent, _, own = name.rpartition("/")
    for submission, configuration, status, successor in connection.execute(SET_ASIDE).fetchall():
        if submission in {name, parent} or fitting(name, [(submission, configuration)]):
            successors = [pair for pair in pairs if pair[0] == successor]
            same = [pair for pair in successors if pair[1] == own] or successors
            what = f"a {status} submission" if submission == name else f"of the {status} submission {submission}"
            return _make_problem(f"{name} is {what}", f"Use one of {successor}: {_list_names(same)}." if same else LIST)
    if submitted := [pair for pair in pairs if pair[0] == name]:
        return _make_problem(
            f"{name} is a submission, not a configuration", f"Use one of its own: {_list_names(submitted)}."
        )
    if measured := [(submission, configuration) for submission, configuration, *devices in rows if name in devices]:
        return _make_problem(
            f"{name} is a device, not a configuration", f"Use one that has it: {_list_names(measured)}."
        )
    like = _suggest(name, pairs)
    return _make_problem(f"no configuration is called {name}", f"Did you mean {_list_names(like)}?" if like else LIST)


def _suggest(name: str, pairs: list[Pair]) -> list[Pair]:
    """Return configurations that may be meant: of the submission that is named, and what is called so elsewhere."""
    submission, _, configuration = name.rpartition("/")
    own = [pair for pair in pairs if pair[0] == submission]
    same = [pair for pair in pairs if pair[1] == configuration]
    called = nearest(configuration, {pair[1] for pair in own or pairs})
    near = [pair for each in called for pair in own or pairs if pair[1] == each]
    if own:
        found = near + same + ([] if near else own)
    else:
        wholes = {"/".join(pair): pair for pair in pairs}
        found = same + [wholes[each] for each in nearest(name, wholes)] + near
    return list(dict.fromkeys(found))[:MOST_CHOICES]


def _list_names(pairs: Iterable[Pair]) -> str:
    """Return whole names of configurations; of many only the first."""
    names = ["/".join(pair) for pair in pairs]
    more = len(names) - MOST_CHOICES
    return ", ".join(names[:MOST_CHOICES]) + (f" and {more} more" if more > 0 else "")


def _make_problem(what: str, remedy: str, rule: str = "R-COMPARE-1") -> Problem:
    return Problem("compare", "", what, remedy, rule)
