"""
What a job of a JSON report was asked to do: its options, and how many processes its numbers cover.

A reported group carries the name of its first member and the options of its last, so options of its own are dropped
when the group is seen to merge different jobs. Reports before 2.3 state no options, and later ones not all of them: a
job file fills the gaps. Source: fio's ``stat.c``, ``__show_run_stats()``.
"""

from __future__ import annotations

from copy import copy
from types import MappingProxyType
from typing import TYPE_CHECKING, NamedTuple

from ioledger.readers.fio.jobfile import beneath, is_whole
from ioledger.readers.fio.json_options import (
    ALL_CLIENTS,
    global_options,
    is_more,
    is_name,
    remembered,
    stated,
    unmeasured,
)
from ioledger.readers.fio.json_shape import ABSENT
from ioledger.readers.fio.options import WORKLOAD, Options
from ioledger.readers.fio.point_checks import verifies
from ioledger.readers.units import whole

if TYPE_CHECKING:
    from collections.abc import Mapping

    from ioledger.readers.base import Result
    from ioledger.readers.fio.json_options import Stated
    from ioledger.readers.fio.json_shape import Document, Job

    Sections = Mapping[str, Mapping[str, str]]

_LONG, _ONE = 100, 1.01
"""Milliseconds that run times can be compared from, and the share by which one process may exceed its longest one."""
NO_SECTIONS: Sections = MappingProxyType({})


class Load(NamedTuple):
    """What a job was asked to do: its options, how many processes its numbers cover, and what to say about it."""

    options: Options
    jobs: int | None
    is_merged: bool = False
    is_count_stated: bool = True
    key: tuple[bytes, bytes] | None = None
    """The texts of the options when nothing of them was left out or added, to remember what they mean."""
    is_alone: bool = False
    """Whether the numbers are proven to be those of one process."""


def load(document: Document, job: Job, twins: int, sections: Sections = NO_SECTIONS) -> Load:
    """
    Return what a job was asked to do.

    ``twins`` counts the objects of its name and group in the document, ``sections`` are those of its job file.
    """
    filed = sections.get(job.jobname or "", {}) if job.jobname != ALL_CLIENTS else {}
    if document.options is ABSENT and job.options is ABSENT:
        return _filed_load(document, job, twins, sections, filed)
    key = global_options(document, job), bytes(job.options)
    said = stated(*key)
    if job.jobname == ALL_CLIENTS:
        return Load(said.options._replace(is_complete=False), None)
    is_other = not is_name(said.name, job.jobname)
    is_filed = bool(filed) and not is_other
    said = _completed(said, filed) if is_filed else said
    seen = _threads(job, is_verified=said.is_verified)
    is_merged = twins == 1 and is_more(said.numjobs, seen)
    is_stated = said.numjobs is not None or seen is not None or twins > 1
    jobs = 1 if twins > 1 else seen if is_merged or is_other else said.numjobs or seen or 1
    if not is_other:
        return Load(said.options, jobs, is_merged, is_stated, None if is_filed else key)
    values, origins = said.options.values, said.options.origins
    own = {name for name in WORKLOAD if origins.get(name) == "job"}
    kept = {name: value for name, value in values.items() if name not in own | {"name"}}
    options = said.options._replace(values=kept, is_complete=not own)
    return Load(options, jobs, is_merged=True)


def _completed(said: Stated, filed: Mapping[str, str]) -> Stated:
    """Return what a report says with what its job file says beneath it."""
    options = beneath(said.options, filed)
    count = whole(options.values.get("numjobs", ""))
    return said._replace(options=options, numjobs=count, is_verified=verifies(options.values))


def _filed_load(document: Document, job: Job, twins: int, sections: Sections, filed: Mapping[str, str]) -> Load:
    """
    Return what the job file alone tells of a job.

    A group that a report shows as one object may merge several sections; then only what all of them say is known.
    """
    options = beneath(Options({}, {}), filed)
    options = options._replace(is_complete=is_whole(filed))
    jobs = 1 if twins > 1 else _threads(job, is_verified=verifies(options.values))
    if filed.get("group_reporting", "0") != "0" and len(sections) > len(document.jobs):
        values = {
            name: text for name, text in options.values.items() if all(s.get(name) == text for s in sections.values())
        }
        return Load(options._replace(values=values, is_complete=False), jobs)
    if jobs is None:
        jobs = whole(options.values.get("numjobs", "")) or (1 if options.is_complete else None)
    return Load(options, jobs)


def _threads(job: Job, *, is_verified: bool) -> int | None:
    """
    Return how many processes share an object, from ``job_runtime`` (3.8 and later), which adds their run times.

    Reads and writes run at the same time, but a job that verifies reads after it has written.
    """
    if not job.job_runtime:
        return None
    times = _times(job)
    longest = sum(times) if is_verified else max(times, default=0)
    return max(1, round(job.job_runtime / longest)) if longest else None


def is_alone(members: int, job: Job, load: Load) -> bool:
    """
    Say whether a report proves that an object covers one process: another object of its group, or the run times.

    ``members`` counts the objects of the job's group in its report.

    A group that is reported as one has no other object. The option that asks for it is a flag, which reports before
    3.39 leave out, and run times of a few milliseconds tell nothing.
    """
    if load.is_merged or load.jobs != 1:
        return False
    if members > 1:
        return True
    longest = max(_times(job), default=0)
    return longest >= _LONG and 0 < (job.job_runtime or 0) <= longest * _ONE


def _times(job: Job) -> list[int]:
    return [part.runtime or 0 for part in (job.read, job.write, job.trim, job.mixed) if part]


def blank(load: Load, operation: str) -> Result:
    """Return a result of its own that states the load and nothing else."""
    if load.key is None:
        return unmeasured(load.options, operation, load.jobs)
    return copy(remembered(load.key, operation, load.jobs))
