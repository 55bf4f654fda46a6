"""
Link files of one run by what the tools wrote in them.

Reports come first, then the job files they were made with, then logs and the other files of a run, which take from
their report the version of the tool. No link rests on a measured value being near another. Where two files could be
meant there is no link, and a finding says so. What one file of a run repeats of another is written once.

ORION names all files of a run alike: ``<test>_<date>_<time>_summary.txt``, ``_iops.csv``, ``_mbps.csv``, ``_lat.csv``,
``_hist``, ``_trace``; before 11.1 without date and time. The console prints that name. Matrices take version and setup
from the summary, or from the console where there is none; headlines that are cells of the matrices are not results
again. Source: ORION's ``-help``; listings of 11.1.

Iometer's instantaneous file ends in the rows of the whole run, which the result file of the same test has too, word for
word. Its updates are samples of that result. Source: Iometer's ``GalileoView.cpp``, ``PrepareInstantaneousFile()``.
"""

from __future__ import annotations

import re
from operator import attrgetter
from typing import TYPE_CHECKING, Any, NamedTuple

import msgspec

from ioledger.loading.files import FolderIndex, Read, file_of, folder_of
from ioledger.model import Finding
from ioledger.readers import detect, fio
from ioledger.tables.columns import Run, identity, repetition_identity

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Sequence

    from ioledger.model import Reading, Result, Source
    from ioledger.readers.fio.log_names import Claim, LogName

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
            f"the log contains {total:,} operations, its run completed {count:,}",
            result.pointer,
            {"log_operation_count": total, "run_operation_count": count},
        )
        for result in reading.results
        if (total := result.latency_sample_count or 0) > EXCESS * (count := run.counts.get(result.operation, total))
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
        self._stated: dict[str, Any] = {}
        """What job files state, by their names."""

    def of(self, source: Source, reading: Reading, *, is_one: bool = False) -> ReportWithJob | Finding | None:
        """Return the reading with the only job file that fits, a finding why none is used, or null for none."""
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

            if job.name not in self._stated:
                self._stated[job.name] = log_names.read_sections(options.load_sections(job.data))
            return log_names.variables(self._stated[job.name], finished) is not None
        from ioledger.readers.iometer import specs  # noqa: PLC0415

        if job.name not in self._stated:
            self._stated[job.name] = specs.settings_of(job.data)["access_specifications"]
        return specs.fits(self._stated[job.name], finished)


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
        for asked in (name, name._replace(number=log_names.ANY)) if name.number is not None else (name,):
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
    matrices = {at for at, source in enumerate(sources) if is_matrix(source.name)}
    found = {
        at: LinkedReading(detect.read(source))
        for at, source in enumerate(sources)
        if at not in logs and at not in matrices
    }
    _with_job_files(sources, found)
    _runs_of_orion(sources, found, sorted(matrices))
    _link_updates(sources, found)
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
    heads = _find_heads(Read(sources[at], joined.reading) for at, joined in sorted(found.items()))
    places = {source.name: at for at, source in enumerate(sources)}
    of_runs: dict[int, list[int]] = {}
    for at, source in enumerate(sources):
        key = run_key(source)
        head = heads.get(key) if key else None
        if at in matrices:
            changes = {"tool_version": head.reading.tool_version, "job": head.source.data} if head is not None else {}
            found[at] = LinkedReading(detect.read(msgspec.structs.replace(source, **changes)))
        if head is not None and places[head.source.name] != at:
            of_runs.setdefault(places[head.source.name], []).append(at)
            found[at] = found[at]._replace(linked=head.source.name, link_origin="run name")
    for head_at, parts in of_runs.items():
        said = [at for at in parts if found[at].reading.results]
        names = " and ".join(sources[at].name for at in said)
        count = remove_repeated(found[head_at].reading, [found[at].reading for at in said], names)
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


ORION = "orion"
_PART = re.compile(r"(.{1,255})_(summary|iops|mbps|lat|hist|trace|tradeoff)\.(?:txt|csv)")
_MATRICES = frozenset({"iops", "mbps", "lat"})
_NAMED = re.compile(rb"^([\w.][\w.-]{0,199}_\d{8}_\d{4})[ \t\r]*$", re.MULTILINE)
_HEAD_BYTES = 1 << 16
_FIGURES = (
    "operations_per_second", "throughput_bytes_per_second", "latency_mean_seconds", "latency_min_seconds",
    "latency_max_seconds", "latency_stddev_seconds",
)  # fmt: skip
_of_a_run = attrgetter(
    "operation", "test_name", "scope", "queue_depth", "process_count", "operation_count", "transferred_bytes",
    "duration_seconds", "error_count", *_FIGURES,
)  # fmt: skip


def is_matrix(name: str) -> bool:
    """Say whether a file has a name that ORION gives to matrices; what is in it may still be something else."""
    return name.endswith(".csv") and (found := _PART.fullmatch(file_of(name))) is not None and found[2] in _MATRICES


def run_key(source: Source) -> tuple[str, str] | None:
    """Return folder and run name if the name of a file is one that ORION gives."""
    found = _PART.fullmatch(file_of(source.name)) if source.name.endswith((".csv", ".txt")) else None
    return (folder_of(source.name), found[1]) if found else None


def _find_heads(read: Iterable[Read]) -> dict[tuple[str, str], Read]:
    """Return by folder and run name the summary, or else what the console printed, of each run that has only one."""
    summaries: dict[tuple[str, str], list[Read]] = {}
    consoles: dict[tuple[str, str], list[Read]] = {}
    for each in read:
        name, folder = _PART.fullmatch(file_of(each.source.name)), folder_of(each.source.name)
        if each.reading.tool != ORION:
            continue
        if name and name[2] == "summary":
            summaries.setdefault((folder, name[1]), []).append(each)
        elif printed := _NAMED.search(each.source.data[:_HEAD_BYTES]):
            consoles.setdefault((folder, printed[1].decode()), []).append(each)
    return {key: reports[0] for key, reports in (consoles | summaries).items() if len(reports) == 1}


def remove_repeated(reading: Reading, others: Sequence[Reading], names: str) -> int:
    """Remove results that other files of the run contain too, with a finding; return their number."""
    said: dict[str, list[Result]] = {}
    for other in others:
        for result in other.results:
            said.setdefault(result.repetition, []).append(result)
    unique = [result for result in reading.results if not _is_said(result, said.get(result.repetition, ()))]
    count = len(reading.results) - len(unique)
    if count:
        reading.results = unique
        reading.warnings.append(_report_repeated(count, names))
    return count


def _report_repeated(count: int, names: str) -> Finding:
    what = f"{count} results of this file are in {names} too; they are written once, as results of that file"
    return Finding("R-JOIN-3", what, values={"repeated_count": count})


def _is_said(result: Result, others: Collection[Result]) -> bool:
    names = [name for name in _FIGURES if getattr(result, name) is not None]
    if result.printed_unit == "MBPS":
        names.append("printed_value")
    return (
        bool(names)
        and all(any(getattr(other, name) == getattr(result, name) for other in others) for name in names)
        and (not result.bins or result.bins in [other.bins for other in others])
        and not result.percentiles
    )


def _link_updates(sources: Sequence[Source], found: dict[int, LinkedReading]) -> None:
    """Tie the instantaneous files of Iometer to the result files of the same tests: their updates are its samples."""
    of_iometer = {at: Read(sources[at], joined.reading) for at, joined in sorted(found.items())
                  if joined.reading.tool == "iometer" and joined.reading.results}  # fmt: skip
    updates = [at for at, each in of_iometer.items() if "instantaneous" in (each.reading.source_format or "")]
    places = FolderIndex(each for at, each in of_iometer.items() if at not in updates)
    for at in updates:
        source, reading = of_iometer[at]
        for _, candidates in places.upwards(source):
            fitting = [(each, twins) for each in candidates if (twins := _find_twins(reading, each.reading))]
            if len(fitting) == 1:
                whole, twins = fitting[0][0].source, fitting[0][1]
                _tie(source, reading, whole, twins)
                found[at] = LinkedReading(reading, whole.name, "same figures", repeated_count=len(twins))
            if fitting:
                break


def _find_twins(reading: Reading, whole: Reading) -> list[Result] | None:
    """Return the results of a whole file that a reading repeats, in its order; null unless it repeats one with each."""
    known: dict[tuple[object, ...], list[Result]] = {}
    for result in whole.results:
        known.setdefault(_of_a_run(result), []).append(result)
    found = [known.get(_of_a_run(result), []) for result in reading.results]
    return [twins[0] for twins in found] if all(len(twins) == 1 for twins in found) else None


def _tie(source: Source, reading: Reading, whole: Source, twins: Sequence[Result]) -> None:
    """Give the samples of an instantaneous file the ids of the results that its own repeat, and take these out."""
    ids = {
        (repetition_identity(source.sha256, own.repetition), own.operation): {
            "repetition_id": repetition_identity(whole.sha256, twin.repetition),
            "result_id": identity(whole.sha256, twin.pointer),
        }
        for own, twin in zip(reading.results, twins, strict=True)
    }
    for row in reading.rows.get("samples", ()):
        row.update(ids.get((row["repetition_id"], row["operation"]), {}))
    reading.warnings.append(_report_repeated(len(reading.results), whole.name))
    reading.results = []
