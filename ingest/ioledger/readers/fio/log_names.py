"""
fio: which logs a run writes, by what its report or its job file states.

The name of a log is the value of ``write_bw_log``, ``write_iops_log``, ``write_lat_log`` or ``write_hist_log``, or the
name of the job where the option has no value; then the kind, the number of the thread, and ``.log``. The number counts
threads over the whole run, so after a job with ``numjobs=2`` the next one writes ``.3``. A job file may have variables
in these values (:func:`variables`), a report has what became of them. With ``per_job_logs=0`` there
is no number, and every thread appends to one file. An option without a value is absent from reports before 3.39.
Source: fio's ``init.c``, ``gen_log_name()``, ``make_log_name()`` and ``add_job()``; 3.33 was asked.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping
from functools import lru_cache
from types import MappingProxyType
from typing import TYPE_CHECKING, NamedTuple

import msgspec

from ioledger.readers import whole
from ioledger.readers.fio import json_decode, json_report
from ioledger.readers.fio.decoding import decode_text, version_of
from ioledger.readers.fio.options import Options, in_bytes, in_order, load_sections, meaning, parse_job, public

if TYPE_CHECKING:
    from collections.abc import Container, Iterable, Iterator

    from ioledger.model import Reading, Result, Source
    from ioledger.readers.fio.json_decode import Document
    from ioledger.readers.fio.options import Sections

OPTIONS = {
    "bw": "write_bw_log",
    "iops": "write_iops_log",
    "lat": "write_lat_log",
    "clat": "write_lat_log",
    "slat": "write_lat_log",
    "clat_hist": "write_hist_log",
}
"""The option that asks for each kind of log."""
MOST_THREADS = 10_000
"""More threads than any run has; the numbers of those after them are not told."""
ANY = 0
"""In a name: any number, because not all threads before are counted. fio's numbers begin with 1."""
_NAME = re.compile(r"(.{1,255})_(bw|iops|lat|clat|slat|clat_hist)(?:\.(\d{1,9}))?\.log(?:\.fz)?")
_PARTS = re.compile(r"[/\\]")
_FIRST_WITH_FLAGS = (3, 39)


class LogName(NamedTuple):
    """What the name of a log says: how the run named it, what it records, and the number of its thread."""

    prefix: str
    kind: str
    number: int | None


class Writer(NamedTuple):
    """A job of a run, in the order in which fio started them."""

    name: str
    options: Mapping[str, str]
    threads: int | None
    """How many it has; null where only one of them is certain."""
    repetition: str | None
    """The name in the reading of what it measured; null where the report does not show it by itself."""
    has_flags: bool = False
    """Whether an option without a value would stand in ``options``."""
    variables: Mapping[str, str] | None = None
    """What ``${…}`` in the options of a job file stands for, as far as the report tells; null for a report's own."""


class Claim(NamedTuple):
    """What a run says of a log: whose it is, null where several threads wrote it, and whether an option states it."""

    repetition: str | None
    is_stated: bool
    is_filed: bool = False
    """Whether a job file says so, and not the report."""
    variables: Mapping[str, str] = MappingProxyType({})
    """What ``${…}`` in a name of a job file stands for."""

    def is_pattern(self, name: LogName) -> bool:
        """Say whether this name has variables in it: what a job file states may, the name of a job is what it is."""
        return self.is_filed and is_pattern(name.prefix)

    def is_of(self, prefix: str, name: LogName) -> bool:
        """Say whether a log is meant by a name that may have variables in it; one that is not known fits nothing."""
        found = values(prefix, name.prefix)
        return found is not None and found.items() <= self.variables.items()


def parse_name(name: str) -> LogName | None:
    """Return what the name of a file says, if it is one that fio gives a log; folders before it do not count."""
    found = _NAME.fullmatch(_PARTS.split(name)[-1])
    return LogName(found[1], found[2], int(found[3]) if found[3] else None) if found else None


def list_logs(writers: Iterable[Writer], prefixes: Container[str] | None = None) -> dict[LogName, Claim]:
    """Return the logs that the jobs of one run may have written; the number is ``ANY`` where no thread is counted."""
    found: dict[LogName, Claim] = {}
    number: int | None = 0
    for writer in writers:
        first = None if number is None or number >= MOST_THREADS else number + 1
        for log in _names(writer, first, prefixes):
            is_stated = bool(writer.options.get(OPTIONS[log.kind]))
            is_filed = is_stated and writer.variables is not None
            claim = Claim(
                None if log.number is None else writer.repetition, is_stated, is_filed, writer.variables or {}
            )
            earlier = found.setdefault(log, claim)
            if earlier.repetition != claim.repetition:
                found[log] = earlier._replace(repetition=None)
        number = None if first is None or writer.threads is None else first - 1 + writer.threads
    return found


def _names(writer: Writer, first: int | None, prefixes: Container[str] | None) -> Iterator[LogName]:
    """Give the names of the logs of one job, whose first thread has this number."""
    is_shared = writer.options.get("per_job_logs", "1").strip() in {"0", "false"}
    count = min(writer.threads or 1, MOST_THREADS)
    for kind, option in OPTIONS.items():
        if writer.has_flags and option not in writer.options:
            continue
        # folders may be variables too, so that what a name has behind its last slash is the same before and after
        prefix = _PARTS.split(writer.options.get(option) or writer.name)[-1]
        if prefixes is not None and prefix not in prefixes and not is_pattern(prefix):
            continue
        if is_shared:
            yield LogName(prefix, kind, None)
            continue
        if first is not None:
            yield from (LogName(prefix, kind, index) for index in range(first, first + count))
        if first is None or writer.threads is None:
            yield LogName(prefix, kind, ANY)


def runs(source: Source, reading: Reading) -> list[list[Writer]]:
    """Return the jobs of each finished run: as JSON states them, else as the job file does for a report of one run."""
    filed = _jobs_of_job_file(source, reading)
    documents = _documents(source)
    repetitions = [result.repetition for result in reading.results if not result.is_partial]
    # the report of a file that each stands in; all of a text are one
    finished = {each.partition("#")[0] if "#" in each else "" for each in repetitions}
    its_runs = [_jobs_of_report(document, index, source) for index, document in documents if index in finished]
    is_known = bool(its_runs) and all(run and all(writer.threads is not None for writer in run) for run in its_runs)
    if filed and len(finished) == 1 and not is_known:
        return [filed]
    return [run for run in its_runs if run]


def _documents(source: Source) -> list[tuple[str, Document]]:
    """Return the JSON reports of a file, each with the name that pointers give it."""
    whole_file = json_decode.regular(source.data)
    if whole_file is not None:
        return [("0", whole_file)]
    if b'"fio version"' not in source.data or json_decode.is_too_full(source.data):
        return []
    reports = json_report.find(decode_text(source.data)[0])[0]
    return [(str(index), report.document) for index, report in enumerate(reports)]


def _jobs_of_report(document: Document, index: str, source: Source) -> list[Writer]:
    """Return the jobs as a report states them; none where it states no options, or servers ran them."""
    is_stated = document.options is not json_decode.ABSENT or any(
        job.options is not json_decode.ABSENT for job in document.jobs
    )
    if document.client_stats or not (is_stated or source.job):
        return []
    twins = Counter((job.jobname, job.groupid) for job in document.jobs)
    sections = load_sections(source.job)
    has_flags = (version_of(document.version) or (0, 0)) >= _FIRST_WITH_FLAGS
    has_all = bool(sections) and sections.keys() <= {job.jobname for job in document.jobs}
    found = []
    for place, job in enumerate(document.jobs):
        count = twins[job.jobname, job.groupid]
        load = json_report.read_load(document, job, count, sections)
        # an object may stand for several jobs of a group, with the options of one: then their number is not stated
        is_alone = has_all or count > 1 or json_report.threads(job, load.options) == load.jobs
        is_known = is_alone and load.is_count_stated and not load.is_merged
        has_job_flags = has_flags or job.jobname in sections
        repetition = f"{index}#/jobs/{place}"
        found.append(
            Writer(job.jobname or "", load.options.values, load.jobs if is_known else None, repetition, has_job_flags)
        )
    return found


def _jobs_of_job_file(source: Source, reading: Reading) -> list[Writer]:
    """Return the jobs of a job file with their places; one that is not shown ran only in a group reported as one."""
    shown: dict[str, list[str]] = {}
    text = decode_text(source.job)[0] if source.job else ""
    finished = [result for result in reading.results if not result.is_partial]
    bound = variables(read_sections(parse_job(text)), finished) or {}
    for result in finished:
        if result.test_name is not None and result.repetition not in (of := shown.setdefault(result.test_name, [])):
            of.append(result.repetition)
    found: list[Writer] = []
    for name, section in in_order(text):
        places = shown.get(name, [])
        if not places and section.get("group_reporting", "0") == "0":
            continue
        count, is_whole = whole(section.get("numjobs", "1")), "include" not in section
        if count is not None and 1 < len(places) == count:
            found += (Writer(name, section, 1, place, is_whole, bound) for place in places)
        else:
            place = places[0] if len(places) == 1 else None
            found.append(Writer(name, section, count, place, is_whole, bound))
    return found


_VARIABLE = re.compile(r"\$\{(\w{1,60})\}")
_MOST_VARIABLES, _LONGEST = 3, 255
"""A value with more of them, or a longer one, fits anything."""
_DECIMAL_BASE = "1000"
_OWN_NAME = "name"
_FEW, _AS_STATED = 4096, -1
StatedOptions = tuple[Mapping[str, str | float], Mapping[str, str]]
"""What options mean, and texts: of a report all, of a section of a job file those with variables in them."""


def read_sections(sections: Sections) -> dict[str, StatedOptions]:
    """Return what the sections of a job file say, to be held against many reports."""
    found: dict[str, StatedOptions] = {}
    for name, section in sections.items():
        texts = {option: public(option, text) for option, text in section.items() if option != _OWN_NAME}
        options = Options({option: text for option, text in texts.items() if "$" not in text}, {})
        options = options._replace(decimal=section.decimal)
        meanings = {option: meaning(options, option) for option in options.values}
        found[name] = meanings, {option: text for option, text in texts.items() if "$" in text}
    return found


def variables(sections: Mapping[str, StatedOptions], results: Iterable[Result]) -> dict[str, str] | None:
    """Return the variables that a job file was run with; null when the report was made with another job file."""
    bound: dict[str, str] = {}
    is_any = False
    for result in results:
        section = sections.get(result.test_name or "")
        # sizes that human output prints are those that it means, in bytes
        is_printed = "bs=banner" in (result.workload_origins or "").split()
        options = _report_options(result.job_options or "{}", result.block_size_bytes if is_printed else _AS_STATED)
        if section is None or not _agrees(section, options, bound):
            return None
        is_any = True
    return bound if is_any else None


@lru_cache(_FEW)  # reads and writes of a job share its options
def _report_options(job_options: str, block_size: int | None) -> StatedOptions:
    """Return what options say, of those stated more than once the last value; a block size stands for ``bs``."""
    every: dict[str, str | list[str]] = msgspec.json.decode(job_options)
    texts = {name: value[-1] if isinstance(value, list) else value for name, value in every.items()}
    if block_size != _AS_STATED:
        del texts["bs"]
        texts |= {} if block_size is None else {"bs": str(block_size)}
    is_decimal = texts.get("kb_base") == _DECIMAL_BASE
    options = Options(texts, {}, decimal=frozenset(texts) if is_decimal else frozenset())
    return {name: meaning(options, name) for name in texts}, texts


def is_pattern(text: str) -> bool:
    """Say whether an option of a job file holds a variable of the environment."""
    return _VARIABLE.search(text) is not None


def values(pattern: str, text: str) -> dict[str, str] | None:
    """Return what the variables in a text of a job file stand for if this is what became of it, sizes in bytes."""
    names = _VARIABLE.findall(pattern)
    if len(names) > _MOST_VARIABLES or len(text) > _LONGEST:
        return None
    found = re.fullmatch("(.*?)".join(map(re.escape, _VARIABLE.split(pattern)[::2])), text, re.DOTALL)
    sizes: dict[str, str] = {}
    for name, value in zip(names, found.groups() if found else (), strict=bool(found)):
        size = in_bytes(value, is_decimal=False)
        if sizes.setdefault(name, size) != size:
            return None
    return sizes if found else None


def _agrees(section: StatedOptions, report: StatedOptions, bound: dict[str, str]) -> bool:
    """Say whether a section and a report agree in all that both state; ``bound`` are the variables known so far."""
    (meanings, patterns), (options, texts) = section, report
    if any(options.get(name, value) != value for name, value in meanings.items()):
        return False
    return all(_became(patterns[name], texts[name], bound) for name in sorted(patterns.keys() & texts.keys()))


def _became(pattern: str, text: str, bound: dict[str, str]) -> bool:
    """Say whether a text with variables may have become another; variables that it tells are added to those known."""
    is_computed = "$" in _VARIABLE.sub("", pattern)
    if pattern == text or is_computed or len(_VARIABLE.findall(pattern)) > _MOST_VARIABLES or len(text) > _LONGEST:
        return True
    found = values(pattern, text)
    return found is not None and all(bound.setdefault(name, value) == value for name, value in found.items())
