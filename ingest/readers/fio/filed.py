"""
A job file that the manifest names, as the source of options that a report lacks.

What a report states itself holds. Where a section says something else, it is not the one the report was made with:
nothing is taken from it, and a finding says so. A text with a variable (``$``) is not known.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from ingest.readers.fio.options import WORKLOAD, Options
from ingest.readers.fio.sizes import option_seconds, option_size
from ingest.record import Finding

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from ingest.record import Result

_SAME = {"": "1", "true": "1", "false": "0", "readwrite": "rw", "randreadwrite": "randrw"}


def sections(job: bytes | None) -> dict[str, dict[str, str]]:
    """Return the options of every job of a job file by its section; none when there is no file."""
    if not job:
        return {}
    from ingest.readers.fio.jobfile import parse_job  # noqa: PLC0415  (most files are read without a job file)
    from ingest.readers.fio.text import decoded  # noqa: PLC0415

    return parse_job(decoded(job)[0])


def beneath(options: Options, filed: Mapping[str, str]) -> Options:
    """Return options with those of a job's section beneath them, unless the section states some of them otherwise."""
    known = {name: text for name, text in filed.items() if "$" not in text}
    if wrong := disputed(options.values, known, WORKLOAD):
        return options._replace(disputed=wrong)
    added = {name: text for name, text in known.items() if name not in options.values}
    return options._replace(
        values={**options.values, **added}, origins={**options.origins, **dict.fromkeys(added, "job_file")}
    )


def disputed(values: Mapping[str, str], filed: Mapping[str, str], names: Iterable[str]) -> tuple[str, ...]:
    """Return the options of these names that a section states otherwise than a report does."""
    both = (name for name in sorted(names) if name in values and name in filed)
    return tuple(name for name in both if not _is_same(values[name], filed[name]))


def _is_same(one: str, other: str) -> bool:
    one, other = (_SAME.get(text.strip(), text.strip()) for text in (one, other))
    sizes, times = (option_size(one), option_size(other)), (option_seconds(one), option_seconds(other))
    return one == other or any(pair[0] is not None and pair[0] == pair[1] for pair in (sizes, times))


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
