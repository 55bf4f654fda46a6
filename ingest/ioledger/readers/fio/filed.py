"""
A job file that the manifest names, as the source of options that a report lacks.

What a report states itself holds. Where a section says something else, it is not the one the report was made with:
nothing is taken from it, and a finding says so. A text with a variable (``$``) is not known.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from ioledger.readers.base import Finding
from ioledger.readers.fio.options import WORKLOAD, Options, decimal_of, in_bytes
from ioledger.readers.units import option_seconds, whole

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from ioledger.readers.base import Result

_SAME = {"": "1", "true": "1", "false": "0", "readwrite": "rw", "randreadwrite": "randrw"}
_ASSUMED = (*WORKLOAD, "rwmixwrite", "percentage_random", "group_reporting")
"""Options that are taken to be at their default when a section does not name them."""


def sections(job: bytes | None) -> Mapping[str, Mapping[str, str]]:
    """Return the options of every job of a job file by its section; none when there is no file."""
    if not job:
        return {}
    from ioledger.readers.fio.jobfile import parse_job  # noqa: PLC0415  (most files are read without a job file)
    from ioledger.readers.fio.text import decoded  # noqa: PLC0415

    return parse_job(decoded(job)[0])


def is_whole(filed: Mapping[str, str]) -> bool:
    """Say whether a section tells everything that its results take from it, so that what it leaves out is a default."""
    return bool(filed) and "include" not in filed and not any("$" in filed.get(name, "") for name in _ASSUMED)


def processes(sections: Mapping[str, Mapping[str, str]], name: str, reports: Mapping[str, int]) -> int | None:
    """
    Return how many processes each report of a job covers, null when its section does not prove it.

    ``reports`` counts those of each name. fio writes one per process, or with ``group_reporting`` one per group; a
    group may hold several sections, unless each of them has a report of its own.
    """
    own = sections.get(name, {})
    count = whole(own.get("numjobs", "1")) if is_whole(own) else None
    if own.get("group_reporting", "0") == "0":
        return 1 if reports[name] == count else None
    return count if reports[name] == 1 and sections.keys() <= reports.keys() else None


def beneath(options: Options, filed: Mapping[str, str]) -> Options:
    """Return options with those of a job's section beneath them, unless the section states some of them otherwise."""
    known = {name: text for name, text in filed.items() if "$" not in text}
    stated = Options(known, {}, decimal=decimal_of(filed))
    if wrong := disputed(options, stated, WORKLOAD):
        return options._replace(disputed=wrong)
    added = {name: text for name, text in known.items() if name not in options.values}
    return options._replace(
        values={**options.values, **added},
        origins={**options.origins, **dict.fromkeys(added, "job_file")},
        decimal=options.decimal | stated.decimal & added.keys(),
    )


def disputed(options: Options, filed: Options, names: Iterable[str]) -> tuple[str, ...]:
    """Return the options of these names that a section states otherwise than a report does."""
    both = (name for name in sorted(names) if name in options.values and name in filed.values)
    return tuple(name for name in both if _meaning(options, name) != _meaning(filed, name))


def _meaning(options: Options, name: str) -> str | float:
    """Return what an option says, the same for all ways to say it."""
    text = options.values[name].strip()
    if name.endswith("time") and (seconds := option_seconds(text)) is not None:
        return seconds
    return _SAME.get(text, in_bytes(text, is_decimal=name in options.decimal))


def findings(options: Options, place: str) -> Iterator[Finding]:
    """Yield a finding when the job file states options otherwise than the report."""
    if options.disputed:
        names = ", ".join(options.disputed)
        yield Finding(
            "R-FIO-JOB-1", f"the job file states otherwise than the report, so nothing is taken from it: {names}", place
        )


def strangers(found: Mapping[str, Mapping[str, str]], results: Iterable[Result]) -> Iterator[Finding]:
    """Yield a finding when the job file describes none of the jobs that were read."""
    names = {result.test_name for result in results}
    if names and not names & found.keys():
        yield Finding("R-FIO-JOB-2", "the job file that the manifest names has no section for any job of this file")
