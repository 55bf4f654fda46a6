"""
Link files of one run by what the tools wrote in them.

Reports come first, then the job files they were made with, then logs and the other files of a run, which take from
their report the version of the tool. No link rests on a measured value being near another. Where two files could be
meant there is no link, and a finding says so. What one file of a run repeats of another is written once.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import msgspec

from ioledger.loading import tool_file_sets
from ioledger.loading.files import FolderIndex, Read, file_of
from ioledger.model import Finding
from ioledger.readers import detect, fio
from ioledger.tables.columns import Run

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from ioledger.model import Reading, Source
    from ioledger.readers.fio.log_names import Claim, LogName, StatedOptions

EXCESS = 1.05
"""A log may contain a few more operations than its run: those at the end of the ramp and in the last interval."""


def repetitions(reading: Reading) -> list[str]:
    """Return the repetitions of a file in order, without those that a later one continues."""
    return list(dict.fromkeys(result.repetition for result in reading.results if not result.is_partial))


def run_of(reading: Reading, sha256: str, repetition: str, *, is_published: bool) -> Run:
    """Return a repetition of a file; results of files that only prepare are not published and have no id."""
    found = [result for result in reading.results if result.repetition == repetition and not result.is_partial]
    return Run(
        sha256=sha256,
        repetition=repetition,
        pointers={result.operation: result.pointer for result in found} if is_published else {},
        counts={result.operation: result.operation_count for result in found if result.operation_count},
    )


def excess(reading: Reading, run: Run) -> list[Finding]:
    """Return a finding for each histogram of a log with more operations than its run completed."""
    return [
        Finding(
            "R-READ-5",
            f"the log contains {held:,} operations, its run completed {count:,}",
            result.pointer,
            {"log_operation_count": held, "run_operation_count": count},
        )
        for result in reading.results
        if (held := result.latency_sample_count or 0) > EXCESS * (count := run.counts.get(result.operation, held))
    ]


_SHOWN = 3


class ReportWithJob(NamedTuple):
    """A report, its job file, and the reading of both."""

    reading: Reading
    job: Source


class JobFiles:
    """Index of job files and configurations by folder."""

    def __init__(self, jobs: Iterable[Read]) -> None:
        """Index configuring files; of files with the same bytes in a folder, only the first."""
        self._places = FolderIndex(jobs)
        self._sections: dict[str, dict[str, StatedOptions]] = {}
        self._specifications: dict[str, dict[str, list[dict[str, int]]]] = {}

    def of(self, source: Source, reading: Reading, *, is_one: bool = False) -> ReportWithJob | Finding | None:
        """
        Return the reading with the only job file that fits, a finding why none is used, or null for none.

        ``is_one`` says that somebody named all files as those of one measurement: then job files in other folders are
        asked too, where none fits on the way upwards. Without it, such a file may be of another machine's runs.
        """
        if not reading.results:
            return None
        ways = [jobs for _, jobs in self._places.upwards(source)]
        for jobs in [*ways, self._places.all()] if is_one else ways:
            alike = [job for job, its in jobs if its.tool == reading.tool and self._fits(job, reading)]
            fitting = [ReportWithJob(filed, job) for job in alike if (filed := with_job(source, job)) is not None]
            if len(fitting) > 1:
                names = " and ".join(filed.job.name for filed in fitting[:_SHOWN])
                return Finding("R-JOIN-1", f"{len(fitting)} job files fit this report, so none is used: {names}")
            if fitting:
                return fitting[0]
        return None

    def _fits(self, job: Source, reading: Reading) -> bool:
        """Say whether a job file describes every job that was read, before it is read with it."""
        finished = (each for each in reading.results if not each.is_partial)
        if reading.tool == fio.TOOL:
            from ioledger.readers.fio import log_names, options  # noqa: PLC0415  (most folders hold no job file)

            if job.name not in self._sections:
                self._sections[job.name] = log_names.read_sections(options.load_sections(job.data))
            return log_names.variables(self._sections[job.name], finished) is not None
        from ioledger.readers.iometer import specs  # noqa: PLC0415

        if job.name not in self._specifications:
            self._specifications[job.name] = specs.settings_of(job.data)["access_specifications"]
        return specs.fits(self._specifications[job.name], finished)


def with_job(source: Source, job: Source) -> Reading | None:
    """Return the reading of a report with a job file; null when the reader finds that the file is of another run."""
    reading = detect.read(msgspec.structs.replace(source, job=job.data))
    return None if any("-JOB-" in finding.rule for finding in reading.warnings) else reading


_UNKNOWN = "no report in its folder, or above it, states that it wrote a log of this name: the log belongs to no run"


class LogOwner(NamedTuple):
    """The report of the run that wrote a log, and the repetition, null where several threads wrote it."""

    source: Source
    reading: Reading
    claim: Claim
    run_index: int
    """Which of the runs in the folder it is."""

    @property
    def repetition(self) -> str | None:
        """The name of the repetition in the reading, where it measured something."""
        named = self.claim.repetition
        return named if any(result.repetition == named for result in self.reading.results) else None


def is_log(name: str) -> bool:
    """Say whether a file has a name that fio gives to logs; what is in it may still be something else."""
    if ".log" not in name:  # before a module loads that most folders need not
        return False
    from ioledger.readers.fio import log_names  # noqa: PLC0415

    return log_names.parse_name(file_of(name)) is not None


class LogFiles:
    """Index of the logs that reports name."""

    def __init__(self, reports: Iterable[Read], logs: Iterable[Source]) -> None:
        """Index the reports of fio, without copies in a folder, and the logs to look up."""
        from ioledger.readers.fio import log_names  # noqa: PLC0415

        names = (log_names.parse_name(file_of(log.name)) for log in logs)
        self._prefixes = {name.prefix for name in names if name is not None}
        of_fio = [each for each in reports if each.reading.tool == fio.TOOL and each.reading.results]
        self._places = FolderIndex(of_fio)
        self._named: dict[str, tuple[dict[LogName, list[LogOwner]], list[tuple[LogName, LogOwner]]]] = {}
        """By folder the logs that its reports name, and the names with variables of a job file in them."""

    def of(self, log: Source) -> LogOwner | Finding:
        """Return the run that wrote a log, or a finding why none is used."""
        from ioledger.readers.fio import log_names  # noqa: PLC0415

        name = log_names.parse_name(file_of(log.name))
        if name is None:
            return Finding("R-JOIN-2", _UNKNOWN)
        for folder, reports in self._places.upwards(log):
            every = self._list_owners(folder, reports, name)
            able = [each for each in every if each.claim.is_stated] or every
            if len(able) > 1:
                names = " and ".join(dict.fromkeys(each.source.name for each in able[:_SHOWN]))
                return Finding("R-JOIN-2", f"{len(able)} runs state that they wrote this log, so none is used: {names}")
            if able:
                return able[0]
        return Finding("R-JOIN-2", _UNKNOWN)

    def _list_owners(self, folder: str, reports: Iterable[Read], name: LogName) -> list[LogOwner]:
        """Return the statement of every run of a folder that it wrote a log of this name: the most precise of each."""
        from ioledger.readers.fio import log_names  # noqa: PLC0415

        if folder not in self._named:
            plain, patterns = self._named.setdefault(folder, ({}, []))
            runs = ((each, run) for each in reports for run in log_names.runs(each.source, each.reading))
            for index, (each, run) in enumerate(runs):
                for stated, claim in log_names.list_logs(run, self._prefixes).items():
                    owner = LogOwner(each.source, each.reading, claim, index)
                    if claim.is_pattern(stated):
                        patterns.append((stated, owner))
                    else:
                        plain.setdefault(stated, []).append(owner)
        plain, patterns = self._named[folder]
        found: dict[int, LogOwner] = {}
        for asked in (name, log_names.of_any_thread(name)) if name.number is not None else (name,):
            alike = (each for each in patterns if (each[0].kind, each[0].number) == (asked.kind, asked.number))
            fitting = (owner for pattern, owner in alike if owner.claim.is_of(pattern.prefix, asked))
            for owner in (*plain.get(asked, ()), *fitting):
                found.setdefault(owner.run_index, owner)
        return list(found.values())


LOGS = frozenset({"log", "histogram log"})


class LinkedReading(NamedTuple):
    """A reading, with the name of the file that it belongs to and the evidence for it."""

    reading: Reading
    linked: str | None = None
    link_origin: str | None = None
    run: Run | None = None
    """The repetition of the linked file that all of this one is about."""
    repeated_count: int = 0
    """Number of results that the linked file has too, removed from the reading."""


def read_together(sources: Sequence[Source]) -> list[LinkedReading]:
    """Read files of one place and link them, in the given order."""
    logs = {at for at, source in enumerate(sources) if is_log(source.name)}
    matrices = {at for at, source in enumerate(sources) if tool_file_sets.is_matrix(source.name)}
    found = {
        at: LinkedReading(detect.read(source))
        for at, source in enumerate(sources)
        if at not in logs and at not in matrices
    }
    _with_job_files(sources, found)
    _runs_of_orion(sources, found, sorted(matrices))
    updates = tool_file_sets.instantaneous({at: Read(sources[at], found[at].reading) for at in sorted(found)})
    for at, name, count in updates:
        origin = tool_file_sets.SAME_FIGURES
        found[at] = found[at]._replace(linked=name, link_origin=origin, repeated_count=count)
    if logs:
        reports = LogFiles(
            (Read(sources[at], joined.reading) for at, joined in sorted(found.items())), [sources[at] for at in logs]
        )
        found |= {at: _log(sources[at], reports) for at in sorted(logs)}
    return [found[at] for at in range(len(sources))]


def _with_job_files(sources: Sequence[Source], found: dict[int, LinkedReading]) -> None:
    """Read every report again with its job file from the same folder or above."""
    jobs = [Read(sources[at], joined.reading) for at, joined in found.items() if joined.reading.is_setup]
    if not jobs:
        return
    files = JobFiles(jobs)
    for at, joined in found.items():
        filed = files.of(sources[at], joined.reading)
        if isinstance(filed, Finding):
            joined.reading.warnings.append(filed)
        elif filed is not None:
            sources[at].job = filed.job.data
            found[at] = LinkedReading(filed.reading, filed.job.name, "job file")


def _runs_of_orion(sources: Sequence[Source], found: dict[int, LinkedReading], matrices: Sequence[int]) -> None:
    """Read the matrices, and link what one run of ORION wrote to its summary, or to what the console printed."""
    is_any = matrices or any(joined.reading.tool == tool_file_sets.ORION for joined in found.values())
    if not is_any:
        return
    heads = tool_file_sets.heads(Read(sources[at], joined.reading) for at, joined in sorted(found.items()))
    places = {source.name: at for at, source in enumerate(sources)}
    of_runs: dict[int, list[int]] = {}
    for at, source in enumerate(sources):
        key = tool_file_sets.run_key(source)
        head = heads.get(key) if key else None
        if at in matrices:
            if head is not None:
                source = msgspec.structs.replace(  # noqa: PLW2901  (with the summary of its run)
                    source, tool_version=head.reading.tool_version, job=head.source.data
                )
            found[at] = LinkedReading(detect.read(source))
        if head is not None and places[head.source.name] != at:
            of_runs.setdefault(places[head.source.name], []).append(at)
            found[at] = found[at]._replace(linked=head.source.name, link_origin=tool_file_sets.RUN_NAME)
    for head_at, parts in of_runs.items():
        said = [at for at in parts if found[at].reading.results]
        names = " and ".join(sources[at].name for at in said)
        count = tool_file_sets.without_repeated(found[head_at].reading, [found[at].reading for at in said], names)
        found[head_at] = found[head_at]._replace(repeated_count=count)


def _log(source: Source, reports: LogFiles) -> LinkedReading:
    """Read a log as one of the run that wrote it, of which it takes the version of fio."""
    written = reports.of(source)
    if isinstance(written, Finding):
        reading = detect.read(source)
        if reading.source_format in LOGS:
            reading.warnings.append(written)
        return LinkedReading(reading)
    reading = detect.read(msgspec.structs.replace(source, tool_version=written.reading.tool_version))
    if reading.source_format not in LOGS:
        return LinkedReading(reading)
    run = None
    if written.repetition is not None:
        run = run_of(written.reading, written.source.sha256, written.repetition, is_published=True)
        reading.warnings += excess(reading, run)
    return LinkedReading(reading, written.source.name, "log name", run)
