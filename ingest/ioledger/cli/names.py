"""The two names that ``ioledger compare`` is given: which configurations they are, or what they are instead."""

from __future__ import annotations

from typing import TYPE_CHECKING

import msgspec

from ioledger.problems import MOST_CHOICES, Problem, fitting, nearest

if TYPE_CHECKING:
    from collections.abc import Iterable

    from duckdb import DuckDBPyConnection

    from ioledger.problems import Pair

CONFIGURATIONS = "select submission_id, configuration_id, device_id, device from configurations order by all"
SET_ASIDE = """
select submission_id, status, superseded_by, list(distinct configuration_id) filter (configuration_id is not null)
from submissions left join drives using (submission_id)
where status in ('superseded', 'retracted') group by all order by all
"""
"""Submissions that count no more have no configurations, and of those that they had only the drives are kept."""
LIST = 'List them with `ioledger sql "select submission_id, configuration_id, device from configurations"`.'


class SetAside(msgspec.Struct, frozen=True):
    """A submission that counts no more, and why."""

    submission: str
    status: str
    successor: str | None
    configurations: list[str] | None

    def is_meant(self, name: str) -> bool:
        """Return whether a name is that of the submission or of a configuration of it."""
        own = [(self.submission, configuration) for configuration in self.configurations or ()]
        return self.submission in {name, name.rpartition("/")[0]} or bool(fitting(name, own))


class Known(msgspec.Struct, frozen=True):
    """What a name may stand for in a database."""

    configurations: list[Pair]
    devices: dict[str, list[Pair]]
    set_aside: list[SetAside]

    def of(self, submission: str | None) -> list[Pair]:
        """Return the configurations of a submission."""
        return [pair for pair in self.configurations if pair[0] == submission]


def both(connection: DuckDBPyConnection, a: str, b: str) -> tuple[Pair, Pair] | list[Problem]:
    """Return the two different configurations that two names stand for, or what is wrong with the names."""
    known = _known(connection)
    found = [_one(name, known) for name in dict.fromkeys((a, b))]
    problems = [each for each in found if isinstance(each, Problem)]
    first, second = found[0], found[-1]
    if isinstance(first, Problem) or isinstance(second, Problem):
        return problems
    if first == second:
        what = f"both names are one configuration, {'/'.join(first)}"
        return [_problem(what, "Name another one instead of one of them.", "R-COMPARE-2")]
    return first, second


def _known(connection: DuckDBPyConnection) -> Known:
    configurations, devices = [], dict[str, list[tuple[str, str]]]()
    for submission, configuration, *names in connection.execute(CONFIGURATIONS).fetchall():
        configurations.append((submission, configuration))
        for name in names:
            if name is not None:
                devices.setdefault(name, []).append((submission, configuration))
    return Known(configurations, devices, [SetAside(*row) for row in connection.execute(SET_ASIDE).fetchall()])


def _one(name: str, known: Known) -> Pair | Problem:
    found = fitting(name, known.configurations)
    if len(found) == 1:
        return found[0]
    if found:
        return _problem(f"{len(found)} configurations are called {name}", f"Use one of: {_listed(found)}.")
    if aside := next((each for each in known.set_aside if each.is_meant(name)), None):
        return _aside(name, aside, known)
    if submitted := known.of(name):
        return _problem(f"{name} is a submission, not a configuration", f"Use one of its own: {_listed(submitted)}.")
    if measured := known.devices.get(name):
        return _problem(f"{name} is a device, not a configuration", f"Use one that has it: {_listed(measured)}.")
    like = _like(name, known)
    return _problem(f"no configuration is called {name}", f"Did you mean {_listed(like)}?" if like else LIST)


def _aside(name: str, aside: SetAside, known: Known) -> Problem:
    """Return what to give in the place of a submission that counts no more: the same name of its successor, if any."""
    successors = known.of(aside.successor)
    same = [pair for pair in successors if pair[1] == name.rpartition("/")[2]] or successors
    remedy = f"Use one of {aside.successor}: {_listed(same)}." if same else LIST
    is_whole = name == aside.submission
    what = f"a {aside.status} submission" if is_whole else f"of the {aside.status} submission {aside.submission}"
    return _problem(f"{name} is {what}", remedy)


def _like(name: str, known: Known) -> list[Pair]:
    """Return configurations that may be meant: of the submission that is named, and what is called so elsewhere."""
    submission, _, configuration = name.rpartition("/")
    own = {pair[1]: pair for pair in known.of(submission)}
    near = [own[each] for each in nearest(configuration, own)]
    same = [pair for pair in known.configurations if pair[1] == configuration]
    if own:
        found = near + same + ([] if near else list(own.values()))
    else:
        wholes = {"/".join(pair): pair for pair in known.configurations}
        called = nearest(configuration, {pair[1] for pair in known.configurations})
        found = same + [wholes[each] for each in nearest(name, wholes)]
        found += [pair for each in called for pair in known.configurations if pair[1] == each]
    return list(dict.fromkeys(found))[:MOST_CHOICES]


def _listed(pairs: Iterable[Pair]) -> str:
    """Return whole names of configurations; of many only the first."""
    names = ["/".join(pair) for pair in pairs]
    more = len(names) - MOST_CHOICES
    return ", ".join(names[:MOST_CHOICES]) + (f" and {more} more" if more > 0 else "")


def _problem(what: str, remedy: str, rule: str = "R-COMPARE-1") -> Problem:
    return Problem("compare", "", what, remedy, rule)
