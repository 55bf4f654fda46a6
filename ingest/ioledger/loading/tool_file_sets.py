"""
The files that ORION writes for one run, and the two that Iometer writes: what one repeats of another is written once.

ORION names all files of a run alike: ``<test>_<date>_<time>_summary.txt``, ``_iops.csv``, ``_mbps.csv``, ``_lat.csv``,
``_hist``, ``_trace``; before 11.1 without date and time. The console prints that name. Matrices take version and setup
from the summary, or from the console where there is none; headlines that are cells of the matrices are not results
again. Source: ORION's ``-help``; listings of 11.1.

Iometer's instantaneous file ends in the rows of the whole run, which the result file of the same test has too, word for
word: the counts, bytes, times and rates of one test, none of which two tests share. Its updates are samples of that
result. Source: Iometer's ``GalileoView.cpp``, ``PrepareInstantaneousFile()``.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from ioledger.loading.files import FolderIndex, Read, file_of, folder_of
from ioledger.model import Finding
from ioledger.tables.columns import identity, repetition_identity

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence

    from ioledger.model import Reading, Result, Source

ORION, IOMETER = "orion", "iometer"
RUN_NAME, SAME_FIGURES = "run name", "same figures"
_PART = re.compile(r"(.{1,255})_(summary|iops|mbps|lat|hist|trace|tradeoff)\.(?:txt|csv)")
_MATRICES = frozenset({"iops", "mbps", "lat"})
_NAMED = re.compile(rb"^([\w.][\w.-]{0,199}_\d{8}_\d{4})[ \t\r]*$", re.MULTILINE)
_HEAD_BYTES = 1 << 16
_FIGURES = (
    "operations_per_second", "throughput_bytes_per_second", "latency_mean_seconds", "latency_min_seconds",
    "latency_max_seconds", "latency_stddev_seconds",
)  # fmt: skip
_OF_A_RUN = (
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


def heads(read: Iterable[Read]) -> dict[tuple[str, str], Read]:
    """Return by folder and run name the summary, or else what the console printed, of each run that has only one."""
    summaries: dict[tuple[str, str], list[Read]] = {}
    consoles: dict[tuple[str, str], list[Read]] = {}
    for source, reading in read:
        if reading.tool != ORION:
            continue
        name = _PART.fullmatch(file_of(source.name))
        if name and name[2] == "summary":
            summaries.setdefault((folder_of(source.name), name[1]), []).append(Read(source, reading))
        elif printed := _NAMED.search(source.data[:_HEAD_BYTES]):
            key = folder_of(source.name), printed[1].decode()
            consoles.setdefault(key, []).append(Read(source, reading))
    return {key: told[0] for key, told in (consoles | summaries).items() if len(told) == 1}


def without_repeated(reading: Reading, others: Sequence[Reading], names: str) -> int:
    """Remove results that other files of the run contain too, with a finding; return their number."""
    said: dict[str, list[Result]] = {}
    for other in others:
        for result in other.results:
            said.setdefault(result.repetition, []).append(result)
    kept = [result for result in reading.results if not _is_said(result, said.get(result.repetition, ()))]
    count = len(reading.results) - len(kept)
    if count:
        reading.results = kept
        reading.warnings.append(repeated_finding(count, names))
    return count


def repeated_finding(count: int, names: str) -> Finding:
    """Return a finding: results are in another file of the same run too."""
    what = f"{count} results of this file are in {names} too; they are written once, as results of that file"
    return Finding("R-JOIN-3", what, values={"repeated_count": count})


def _is_said(result: Result, others: Collection[Result]) -> bool:
    """Say whether every value of a result is in other results of its point."""
    names = [name for name in _FIGURES if getattr(result, name) is not None]
    if result.printed_unit == "MBPS":
        names.append("printed_value")
    bins = [other.bins for other in others]
    return (
        bool(names)
        and all(any(getattr(other, name) == getattr(result, name) for other in others) for name in names)
        and (not result.bins or result.bins in bins)
        and not result.percentiles
    )


def instantaneous(read: Mapping[int, Read]) -> Iterator[tuple[int, str, int]]:
    """
    Tie the instantaneous files of Iometer among some files to the result files of the same tests.

    Gives the key of each that was tied, the name of its result file, and how many results that repeats. Its reading
    then has no results of its own, and its samples carry the ids of the results in that file.
    """
    of_iometer = {at: each for at, each in read.items() if each.reading.tool == IOMETER and each.reading.results}
    updates = {at for at, each in of_iometer.items() if "instantaneous" in (each.reading.source_format or "")}
    places = FolderIndex(each for at, each in of_iometer.items() if at not in updates) if updates else None
    for at in sorted(updates):
        source, reading = of_iometer[at]
        for _, candidates in places.upwards(source) if places else ():
            fitting = [(each, twins) for each in candidates if (twins := _twins(reading, each.reading)) is not None]
            if len(fitting) == 1:
                ((whole, twins),) = fitting
                _tie(source, reading, whole.source, twins)
                yield at, whole.source.name, len(twins)
            if fitting:
                break


def _twins(reading: Reading, whole: Reading) -> list[Result] | None:
    """Return the results of a whole file that a reading repeats, in its order; null unless it repeats one with each."""
    known: dict[tuple[object, ...], list[Result]] = {}
    for result in whole.results:
        known.setdefault(_of_a_run(result), []).append(result)
    found = [known.get(_of_a_run(result), []) for result in reading.results]
    return [twins[0] for twins in found] if all(len(twins) == 1 for twins in found) else None


def _of_a_run(result: Result) -> tuple[object, ...]:
    return tuple(getattr(result, name) for name in _OF_A_RUN)


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
    reading.warnings.append(repeated_finding(len(reading.results), whole.name))
    reading.results = []
