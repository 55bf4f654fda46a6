"""
Decide whether the jobs of one reporting group ran at the same time, so that their values can be summed.

Jobs of one group start together, and ``stonewall`` begins another group. ``startdelay`` and ``wait_for`` let a job
start later, ``new_group`` begins a group beside one that still runs, and a job with another run time, or with less to
do, leaves the others to themselves. ``job_start`` (3.36 and later) tells when each began.
Source: fio's HOWTO; ``init.c``, ``add_job()``; ``backend.c``, ``run_threads()``.
"""

from __future__ import annotations

from types import MappingProxyType
from typing import TYPE_CHECKING, NamedTuple

from msgspec.structs import replace

from ioledger.model import Finding
from ioledger.readers.units import option_seconds

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Mapping, Sequence

    from ioledger.model import Reading, Result
    from ioledger.readers.fio.options import Options
    from ioledger.readers.fio.runs import JobReport, Run

_APART = 0.1
"""Share of the longest run time by which starts or ends of jobs may differ."""
_NO = frozenset({"0", "false"})
_NONE: Mapping[str, str] = MappingProxyType({})
_MILLI, _SEVERAL = 1000, 2
_UNKNOWN = "neither their options nor a common banner show that they started together"


class Member(NamedTuple):
    """A job of a group: its options, when it started (milliseconds since 1970), and how long it ran (milliseconds)."""

    place: str
    options: Mapping[str, str]
    started: int | None
    lasted: int


def join(reading: Reading, place: str, members: Sequence[Member], reason: str | None) -> None:
    """
    Mark the results of a reading whose jobs ran together as parts of one load, or say why they are not added up.

    ``place`` becomes the place of their sum, ``reason`` is what ``apart`` says of them.
    """
    if reason is not None:
        text = f"{len(members)} jobs of one group are reported separately and are not summed: {reason}"
        reading.warnings.append(Finding("R-FIO-GROUP-2", text, members[0].place))
        return
    places = {member.place for member in members}
    for result in reading.results:
        if result.repetition in places:
            result.premises = replace(result.premises, concurrent=place)


class TextReport(NamedTuple):
    """A report of a text: its run, its job, the options that are known of it, and its results."""

    run: Run
    job: JobReport
    options: Options
    results: Sequence[Result]

    def member(self) -> Member:
        """Return the values that show whether the job ran with others; a text has no start times."""
        lasted = max((result.duration_seconds or 0 for result in self.results), default=0)
        return Member(self.job.place, self.options.values, None, round(_MILLI * lasted))


def join_text(reading: Reading, reports: Iterable[TextReport], partial: Collection[str]) -> None:
    """
    Mark what ran together in a text, whose banners tell four options.

    The processes of one job share all options, whatever these are: one banner, and a report for each process started.
    Of different jobs only a job file tells that none of them waits. A report that may cover several processes may also
    be one of several runs, so that nothing is said of it.
    """
    groups: dict[tuple[int, int], list[TextReport]] = {}
    for each in reports:
        if each.job.place not in partial and each.results and each.results[0].scope == "job":
            groups.setdefault((each.run.index, each.job.group), []).append(each)
    for (index, group), every in groups.items():
        if len(every) < _SEVERAL or any(each.results[0].process_count is None for each in every):
            continue
        members, run = [each.member() for each in every], every[0].run
        if len(run.banners) == 1 and run.process_count == len(every):
            reason = apart([member._replace(options=_NONE) for member in members], [])
        elif all(each.options.is_complete for each in every):
            reason = apart(members, [each.member() for each in groups.get((index, group + 1), [])])
        else:
            reason = _UNKNOWN
        join(reading, f"{members[0].place} group {group}", members, reason)


def apart(members: Sequence[Member], next_members: Sequence[Member]) -> str | None:
    """Return in words why these jobs did not run together or not alone, null when they did; the next group follows."""
    every = [member.options for member in members]
    for name in ("startdelay", "wait_for"):
        if any(options.get(name, "0") not in _NO and option_seconds(options[name]) != 0 for options in every):
            return f"{name} lets them start one after the other"
    if any(options.get("new_group", "0") not in _NO for options in (*every, *(one.options for one in next_members))):
        return "new_group lets another group run at the same time"
    if len({options.get("runtime") for options in every}) > 1:
        return "they were to run for different times"
    longest, shortest = max(one.lasted for one in members), min(one.lasted for one in members)
    starts = [one.started for one in members if one.started]
    if starts and max(starts) - min(starts) > _APART * longest:
        return f"they started {(max(starts) - min(starts)) / _MILLI:g} s apart"
    if shortest < (1 - _APART) * longest:
        return f"they ran for {shortest / _MILLI:g} to {longest / _MILLI:g} s"
    return None
