"""
Which job file a result was made with, and which run a log belongs to, as far as their content tells.

A job file belongs to a result when it describes jobs of the same names and contradicts none of their options: the
reader of the tool says so, in findings whose rule has ``-JOB-`` in it. A log names nothing; it is tied to the only
point there is, or to the one that a person names.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from ioledger.problems import Problem
from ioledger.readers import detect
from ioledger.readers.base import Source
from ioledger.submission.logs import repetitions

if TYPE_CHECKING:
    from collections.abc import Iterable

    from ioledger.add.linking import Ask, Given, Item
    from ioledger.readers.base import Reading

MEASURED = frozenset({"result", "preparation"})


def to_jobs(found: list[Item]) -> None:
    """
    Tie every result to the job file that fits it, where exactly one does, and read it again with that file.

    Job files with the same bytes say the same; the first of them stands for all.
    """
    files = {item.source.sha256: item for item in reversed(found) if item.role == "job" and item.reading.is_setup}
    for item in found:
        if item.role in MEASURED:
            fitting = [(job, reading) for job in files.values() if (reading := _with_job(item, job))]
            if len(fitting) == 1:
                item.ties["job"], item.reading = fitting[0][0].name, fitting[0][1]


def _with_job(item: Item, job: Item) -> Reading | None:
    """Return what a result says with a job file beside it; None when the job file is another one's."""
    if job.reading.tool != item.reading.tool:
        return None
    reading = detect.read(Source(item.name, item.source.data, job=job.source.data))
    return None if any("-JOB-" in finding.rule for finding in reading.warnings) else reading


def to_runs(found: list[Item], given: Given, ask: Ask) -> list[Problem]:
    """Tie every log to its run: the only point measured in its configuration, the one stated, or the answer."""
    logs = {item.name: item for item in found if item.role == "log"}
    unknown = sorted(given.runs.keys() - logs.keys())
    problems = [_problem(name, "no log of this name is added", logs) for name in unknown]
    for name, log in logs.items():
        places = _places(found, log)
        stated = given.runs.get(name)
        fitting = [place for place, tie in places.items() if stated in {None, place, tie["run"]}]
        if stated is not None and len(fitting) != 1:
            what = f"{stated} is {'several points' if fitting else 'no point'} of what was measured"
            problems.append(_problem(name, what, fitting or places))
            continue
        only = fitting[0] if len(fitting) == 1 else None
        answer = only or (ask(f"Which run is {name} a log of?", list(places)) if places else None)
        log.ties |= places.get(answer or "", {})
    return problems


def _problem(log: str, what: str, choice: Iterable[str]) -> Problem:
    remedy = f"Write --run LOG=POINT with one of: {'; '.join(choice) or 'nothing that is added'}."
    return Problem(log, "", what, remedy, "R-ADD-6")


def _places(found: list[Item], log: Item) -> dict[str, dict[str, str]]:
    """Return run and point of everything that was measured in the configuration of a log, by a name for people."""
    return {
        f"{item.name},{point}": {"run": item.name, "point": point}
        for item in found
        if item.role in MEASURED and item.configuration == log.configuration
        for point in repetitions(item.reading)
    }
