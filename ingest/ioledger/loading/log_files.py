"""
Which run wrote a log: the one whose report, or whose job file, says that a log of this name is its own.

The nearest folder upwards with such a report decides. A report that states the name goes before one whose job only has
that name, because an option without a value is not in most reports. Two runs that could have written it give no link.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from ioledger.loading.places import Places, Read, file_of
from ioledger.model import Finding
from ioledger.readers import fio

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from ioledger.model import Reading, Source
    from ioledger.readers.fio.log_names import Claim, LogName

_SHOWN = 3
_UNKNOWN = "the name of this log is none that a report in its folder, or above it, says it wrote: it stands by itself"


class Written(NamedTuple):
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


class Named:
    """The logs that the reports in a folder tell of, by their names."""

    def __init__(self) -> None:
        """Start with none."""
        self._plain: dict[LogName, list[Written]] = {}
        self._patterns: dict[tuple[str, int | None], dict[str, list[Written]]] = {}

    def add(self, name: LogName, written: Written) -> None:
        """Add a log that a run wrote; its name may have variables of a job file in it."""
        if written.claim.is_pattern(name):
            of_kind = self._patterns.setdefault((name.kind, name.number), {})
            of_kind.setdefault(name.prefix, []).append(written)
        else:
            self._plain.setdefault(name, []).append(written)

    def of(self, name: LogName) -> list[Written]:
        """Return what every run says that it wrote a log of this name: one answer of each, the most exact."""
        from ioledger.readers.fio.log_names import of_any_thread  # noqa: PLC0415

        found: dict[int, Written] = {}
        for asked in (name, of_any_thread(name)) if name.number is not None else (name,):
            for written in self._of(asked):
                found.setdefault(written.run_index, written)
        return list(found.values())

    def _of(self, name: LogName) -> Iterator[Written]:
        yield from self._plain.get(name, ())
        for prefix, several in self._patterns.get((name.kind, name.number), {}).items():
            yield from (each for each in several if each.claim.is_of(prefix, name))


def is_log(name: str) -> bool:
    """Say whether a file has a name that fio gives to logs; what is in it may still be something else."""
    if ".log" not in name:  # before a module loads that most folders need not
        return False
    from ioledger.readers.fio import log_names  # noqa: PLC0415

    return log_names.parsed(file_of(name)) is not None


class LogFiles:
    """What the reports among some files say of the logs of their runs."""

    def __init__(self, reports: Iterable[Read], logs: Iterable[Source]) -> None:
        """Take the reports of fio, of those with the same bytes in a folder the first, and the logs to be asked for."""
        from ioledger.readers.fio import log_names  # noqa: PLC0415

        names = (log_names.parsed(file_of(log.name)) for log in logs)
        self._prefixes = {name.prefix for name in names if name is not None}
        of_fio = [each for each in reports if each.reading.tool == fio.TOOL and each.reading.results]
        self._places = Places(of_fio)
        self._named: dict[str, Named] = {}

    def of(self, log: Source) -> Written | Finding:
        """Return the run that wrote a log, or why none is taken."""
        from ioledger.readers.fio import log_names  # noqa: PLC0415

        name = log_names.parsed(file_of(log.name))
        if name is None:
            return Finding("R-JOIN-2", _UNKNOWN)
        for folder, reports in self._places.upwards(log):
            every = self._written(folder, reports).of(name)
            able = [each for each in every if each.claim.is_stated] or every
            if len(able) > 1:
                names = " and ".join(dict.fromkeys(each.source.name for each in able[:_SHOWN]))
                return Finding("R-JOIN-2", f"{len(able)} runs say that they wrote this log, so none is taken: {names}")
            if able:
                return able[0]
        return Finding("R-JOIN-2", _UNKNOWN)

    def _written(self, folder: str, reports: Iterable[Read]) -> Named:
        """Return the logs of all runs that the reports in a folder tell of; worked out once."""
        from ioledger.readers.fio import log_names  # noqa: PLC0415

        if folder not in self._named:
            found = self._named.setdefault(folder, Named())
            runs = ((each, run) for each in reports for run in log_names.runs(each.source, each.reading))
            for index, (each, run) in enumerate(runs):
                for name, claim in log_names.written(run, self._prefixes).items():
                    found.add(name, Written(each.source, each.reading, claim, index))
        return self._named[folder]
