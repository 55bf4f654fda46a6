"""
Files that belong together, read as what they are: joined by what the tools wrote, and by nothing else.

Reports come first, then the job files they were made with, then logs and the other files of a run, which take from
their report the version of the tool. No link rests on a measured value being near another. Where two files could be
meant there is no link, and a finding says so. What one file of a run repeats of another is written once.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import msgspec

from ioledger.loading import companions
from ioledger.loading.job_files import JobFiles
from ioledger.loading.log_files import LogFiles, is_log
from ioledger.loading.logs import excess, run_of
from ioledger.loading.places import Read
from ioledger.model import Finding
from ioledger.readers import detect

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ioledger.model import Reading, Source
    from ioledger.tables.columns import Run

LOGS = frozenset({"log", "histogram log"})


class Joined(NamedTuple):
    """What a file says, with the name of the file that it belongs to and what tells so."""

    reading: Reading
    linked: str | None = None
    link_origin: str | None = None
    run: Run | None = None
    """The repetition of the linked file that all of this one is about."""
    repeated_count: int = 0
    """Results that the linked file says too, which are not among those of the reading."""


def read_together(sources: Sequence[Source]) -> list[Joined]:
    """
    Read files that lie in one place, each with what it belongs to; in the order given.

    What is wrong with a file is in its reading, as :func:`ioledger.readers.detect.read` has it.
    """
    logs = {at for at, source in enumerate(sources) if is_log(source.name)}
    matrices = {at for at, source in enumerate(sources) if companions.is_matrix(source.name)}
    found = {
        at: Joined(detect.read(source)) for at, source in enumerate(sources) if at not in logs and at not in matrices
    }
    _with_job_files(sources, found)
    _runs_of_orion(sources, found, sorted(matrices))
    _updates_of_iometer(sources, found)
    if logs:
        reports = LogFiles(
            (Read(sources[at], joined.reading) for at, joined in sorted(found.items())), [sources[at] for at in logs]
        )
        found |= {at: _log(sources[at], reports) for at in sorted(logs)}
    return [found[at] for at in range(len(sources))]


def _with_job_files(sources: Sequence[Source], found: dict[int, Joined]) -> None:
    """Read every report again that was made with a job file beside or above it."""
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
            found[at] = Joined(filed.reading, filed.job.name, "job file")


def _runs_of_orion(sources: Sequence[Source], found: dict[int, Joined], matrices: Sequence[int]) -> None:
    """Read the matrices, and link what one run of ORION wrote to its summary, or to what the console printed."""
    is_any = matrices or any(joined.reading.tool == companions.ORION for joined in found.values())
    if not is_any:
        return
    heads = companions.heads(Read(sources[at], joined.reading) for at, joined in sorted(found.items()))
    places = {source.name: at for at, source in enumerate(sources)}
    of_runs: dict[int, list[int]] = {}
    for at, source in enumerate(sources):
        key = companions.run_key(source)
        head = heads.of(key) if key else None
        if at in matrices:
            found[at] = Joined(detect.read(source if head is None else _beside(source, head)))
        if head is not None and head.source is not source:
            of_runs.setdefault(places[head.source.name], []).append(at)
            found[at] = found[at]._replace(linked=head.source.name, link_origin=companions.RUN_NAME)
    for head_at, parts in of_runs.items():
        said = [at for at in parts if found[at].reading.results]
        names = " and ".join(sources[at].name for at in said)
        count = companions.without_repeated(found[head_at].reading, [found[at].reading for at in said], names)
        found[head_at] = found[head_at]._replace(repeated_count=count)


def _beside(source: Source, head: Read) -> Source:
    """Return a matrix with the summary of its run beside it."""
    return msgspec.structs.replace(source, tool_version=head.reading.tool_version, job=head.source.data)


def _updates_of_iometer(sources: Sequence[Source], found: dict[int, Joined]) -> None:
    """Link the instantaneous files of Iometer to the result files of the same tests."""
    order = sorted(found)
    counts = [len(found[at].reading.results) for at in order]
    for place, (whole, _) in companions.instantaneous([Read(sources[at], found[at].reading) for at in order]):
        origin, at = companions.SAME_FIGURES, order[place]
        found[at] = found[at]._replace(linked=whole.name, link_origin=origin, repeated_count=counts[place])


def _log(source: Source, reports: LogFiles) -> Joined:
    """Read a log as one of the run that wrote it, of which it takes the version of fio."""
    written = reports.of(source)
    if isinstance(written, Finding):
        reading = detect.read(source)
        if reading.source_format in LOGS:
            reading.warnings.append(written)
        return Joined(reading)
    reading = detect.read(msgspec.structs.replace(source, tool_version=written.reading.tool_version))
    if reading.source_format not in LOGS:
        return Joined(reading)
    run = None
    if written.repetition is not None:
        run = run_of(written.reading, written.source.sha256, written.repetition, is_published=True)
        reading.warnings += excess(reading, run)
    return Joined(reading, written.source.name, "log name", run)
