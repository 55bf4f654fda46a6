"""
Which report was made with which job file or configuration, by what both state.

The nearest folder upwards with a job file that fits decides; of files that were named as those of one measurement, then
all folders together. Two that fit there give no link, unless their bytes are the same, which say the same.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import msgspec

from ioledger.loading.places import Places, Read
from ioledger.model import Finding
from ioledger.readers import detect, fio

if TYPE_CHECKING:
    from collections.abc import Iterable

    from ioledger.model import Reading, Source
    from ioledger.readers.fio import job_match

_SHOWN = 3


class Filed(NamedTuple):
    """A report with the job file that it was made with, and what it says with that beside it."""

    reading: Reading
    job: Source


class JobFiles:
    """The job files and configurations among some files, by the folders they lie in."""

    def __init__(self, jobs: Iterable[Read]) -> None:
        """Take those that say how to measure; the first of those with the same bytes in a folder stands for all."""
        self._places = Places(jobs)
        self._sections: dict[str, dict[str, job_match.Filed]] = {}
        self._specifications: dict[str, dict[str, list[dict[str, int]]]] = {}

    def of(self, source: Source, reading: Reading, *, is_one: bool = False) -> Filed | Finding | None:
        """
        Return what a report says with the only job file that fits it, why none is taken, or null for none.

        ``is_one`` says that somebody named all files as those of one measurement: then job files in other folders are
        asked too, where none fits on the way upwards. Without it, such a file may be of another machine's runs.
        """
        if not reading.results:
            return None
        ways = [jobs for _, jobs in self._places.upwards(source)]
        for jobs in [*ways, self._places.all()] if is_one else ways:
            fitting = [filed for job, its in jobs if (filed := self._with(source, reading, job, its)) is not None]
            if len(fitting) > 1:
                names = " and ".join(filed.job.name for filed in fitting[:_SHOWN])
                return Finding("R-JOIN-1", f"{len(fitting)} job files fit this report, so none is taken: {names}")
            if fitting:
                return fitting[0]
        return None

    def _with(self, source: Source, reading: Reading, job: Source, its: Reading) -> Filed | None:
        """Return a report with a job file beside it; null when it was made with another one."""
        if its.tool != reading.tool or not self._fits(job, reading):
            return None
        filed = with_job(source, job)
        return None if filed is None else Filed(filed, job)

    def _fits(self, job: Source, reading: Reading) -> bool:
        """Say whether a job file describes every job that was read, before it is read with it."""
        finished = (each for each in reading.results if not each.is_partial)
        if reading.tool == fio.TOOL:
            from ioledger.readers.fio import job_match, jobfile  # noqa: PLC0415  (most folders hold no job file)

            if job.name not in self._sections:
                self._sections[job.name] = job_match.filed(jobfile.load_sections(job.data))
            return job_match.variables(self._sections[job.name], finished) is not None
        from ioledger.readers.iometer import specs  # noqa: PLC0415

        if job.name not in self._specifications:
            self._specifications[job.name] = specs.settings_of(job.data)["access_specifications"]
        return specs.fits(self._specifications[job.name], finished)


def with_job(source: Source, job: Source) -> Reading | None:
    """Return what a report says with a job file beside it; null when its reader finds that it is another one's."""
    reading = detect.read(msgspec.structs.replace(source, job=job.data))
    return None if any("-JOB-" in finding.rule for finding in reading.warnings) else reading
