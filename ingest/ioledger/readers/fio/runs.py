"""
Runs of a text: banners before the jobs, and reports that later ones continue.

A banner, ``name: (g=0): rw=randread, bs=…, ioengine=libaio, iodepth=16``, holds four options, defaults included, and is
the only place of them in a file without JSON. A version line ends the banners of a local run; banners after it belong
to the next run in the same file. Source: fio's ``init.c``, ``add_job()``.

With ``--status-interval`` all reports of a run but the last are partial. Text formats carry no time stamp. Reports of
one job are cumulative, so every counter of a later one is at least that of an earlier one, and its run time is longer.
Reports that repeat a name without that are different jobs, and so are as many of them as there were processes: each of
these ends with a report of its own.
Source: fio's HOWTO, ``--status-interval``; ``stat.c``, ``__show_running_run_stats()``.

Jobs of one group start together, and ``stonewall`` begins another group. ``startdelay`` and ``wait_for`` let a job
start later, ``new_group`` begins a group beside one that still runs, and a job with another run time, or with less to
do, leaves the others to themselves. ``job_start`` (3.36 and later) tells when each began.
Source: fio's HOWTO; ``init.c``, ``add_job()``; ``backend.c``, ``run_threads()``.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any, NamedTuple, Protocol

import msgspec

from ioledger.model import Finding
from ioledger.readers import MILLI, PERCENT, option_seconds
from ioledger.readers.fio import options as fio_options
from ioledger.readers.fio.json_result import sampling
from ioledger.readers.fio.options import NO_SECTION, OFF, Options, is_whole, list_disputed_options

if TYPE_CHECKING:
    from collections.abc import Collection, Hashable, Iterable, Iterator, Mapping, Sequence

    from ioledger.model import Reading, Result
    from ioledger.readers.fio.options import Sections


ALL_CLIENTS = "All clients"
"""The name of a report that sums those of all clients."""
Counters = list[tuple[float, ...]]
PARTIAL = "{} reports of unfinished runs are marked as partial: later reports continue their counters"
_LONGEST_CHAIN = 10_000
_APART = 0.1
"""Share of the longest run time by which starts or ends of jobs may differ."""
_BANNER = re.compile(
    r"\(g=(\d{1,9})\): rw=([^,]{1,99}), bs=(.{1,200}?), ioengine=([^,]{1,99}), iodepth=(\d{1,9})(?!.*\(g=)"
)
_VERSION = re.compile(r"\s*(fio[- ]\d+\.[\w.-]{1,60})\s*")
_STARTING = re.compile(r"\s*Starting (\d{1,6}) (?:thread|process)(?:e?s)?(?: and (\d{1,6}) process)?")
_REPORT = re.compile(r"(.{0,255}): \(groupid=(\d{1,9}), jobs=(\d{1,9})\): err=")
_CLIENT = re.compile(r"hostname=.*, fio=(fio[- ]\d+\.[\w.-]{1,60})")


class Banner(NamedTuple):
    """One job as announced: its name, its group, its options."""

    name: str
    group: int
    values: Mapping[str, str]


class JobReport(Protocol):
    """What every report of a job states, whatever its format: its place, name, group, error and processor time (%)."""

    place: str
    name: str
    group: int
    error: int
    cpu: tuple[float | None, float | None]


class Run(msgspec.Struct):
    """What is known of one run while its lines go by: version, banners, processes, and whether a signal ended it."""

    index: int = 0
    version: str | None = None
    banners: list[Banner] = []
    process_count: int = 0
    merged: dict[tuple[str, int], set[int]] = {}
    """How many processes a report covers, by name and group, as human output beside it says."""
    is_closed: bool = False
    is_client: bool = False
    outcome: str = "ok"

    def after(self, line: str) -> Run:
        """Parse a line and return the run that it belongs to."""
        banner, version = _banner(line), _VERSION.fullmatch(line)
        run = Run(self.index + 1, self.version) if self.is_closed and (banner or version) else self
        if banner:
            run.banners.append(banner)
        elif version:
            run.version, run.is_closed = version[1], True
        elif found := _STARTING.match(line):
            run.process_count += int(found[1]) + int(found[2] or 0)
        elif found := _CLIENT.match(line):
            run.version, run.is_client = found[1], True
        elif line.startswith("fio: terminating on signal"):
            run.outcome = "interrupted"
        elif "(groupid=" in line and (found := _REPORT.match(line)):
            run.merged.setdefault((found[1], int(found[2])), set()).add(int(found[3]))
        return run

    def jobs_of(self, name: str, group: int | None, report_count: int, names: Collection[str]) -> int | None:
        """Return how many processes a job's report covers, when human output or "Starting" lines prove it."""
        counts = self.merged.get((name, -1 if group is None else group), set())
        if len(counts) == 1:
            return min(counts)
        if not {banner.name for banner in self.banners}.issuperset(names):
            return None
        mine = sum(banner.group == group for banner in self.banners)
        processes = mine if self.process_count == len(self.banners) else self.process_count * (len(self.banners) == 1)
        return {processes: 1, 1: processes}.get(report_count) if processes else None

    def columns(self, report: JobReport, jobs: int | None, source_format: str, version: str | None) -> dict[str, Any]:
        """Return the columns that the results of a report share; it covers ``jobs`` processes, null when unknown."""
        scope = "client" if self.is_client else ("group" if jobs is not None and jobs > 1 else "job")
        user, system = report.cpu
        return {
            "repetition": report.place,
            "tool_version": version,
            "source_format": source_format,
            "scope": "all" if report.name == ALL_CLIENTS else scope,
            "outcome": "error" if report.error else self.outcome,
            "test_name": report.name,
            "group_index": report.group,
            "error_code": report.error or None,
            "cpu_user_ratio": None if user is None else user / PERCENT,
            "cpu_system_ratio": None if system is None else system / PERCENT,
        }


def ending(name: str | None, error: int | None, place: str, *, is_idle: bool) -> Iterator[Finding]:
    """Yield that a job did no I/O (``is_idle``), or that it failed after some."""
    if is_idle:
        failed = f" (error {error})" if error else ""
        yield Finding("R-FIO-EMPTY-1", f"the job {name!r} completed no I/O{failed}", place)
    elif error:
        yield Finding("R-FIO-ERROR-1", f"the job {name!r} ended with error {error}", place)


def findings(report: JobReport, results: Sequence[Result], options: Options, *, is_idle: bool) -> Iterator[Finding]:
    """Yield what is odd about a job as a whole; ``is_idle`` says that without results it did nothing."""
    if results and not options.values and report.name != ALL_CLIENTS:
        message = f"neither a banner nor a job file states the options of {report.name!r}"
        yield Finding("R-FIO-BANNER-1", message, report.place)
    if results or is_idle:
        yield from ending(report.name, report.error, report.place, is_idle=not results)
    yield from fio_options.findings(options, report.place)


def _banner(line: str) -> Banner | None:
    start = line.find(": (g=")
    found = _BANNER.match(line, start + 2) if start >= 0 else None
    if not found:
        return None
    values = dict(zip(("rw", "bs", "ioengine", "iodepth"), found.groups()[1:], strict=True))
    return Banner(line[:start].strip(), int(found[1]), values)


def options_of(
    name: str, group: int | None, jobs: int | None, banners: Iterable[Banner], sections: Sections
) -> Options:
    """Return what banners and a job file tell of a job's options; of a merged group only what all banners say."""
    mine = [banner for banner in banners if group in {None, banner.group}]
    named = mine if jobs is not None and jobs > 1 else [banner for banner in mine if banner.name == name]
    said = {tuple(banner.values.items()) for banner in named}
    if len(said) > 1 or (said and name not in {banner.name for banner in named}):
        return Options({}, {})
    values = dict(said.pop()) if said else {}
    stated = Options(values, dict.fromkeys(values, "banner"))
    section = sections.get(name, NO_SECTION)
    filed = {option: text for option, text in section.items() if "$" not in text}
    if wrong := list_disputed_options(stated, Options(filed, {}), ("rw", "ioengine", "iodepth")):
        return stated._replace(disputed=wrong)
    origins = {**stated.origins, **dict.fromkeys(filed, "job_file")}
    return Options({**values, **filed}, origins, is_whole(section), decimal=section.decimal & filed.keys())


def find_superseded(reports: Iterable[tuple[Hashable, str, Counters]], *, is_process_known: bool) -> set[str]:
    """Return the points of reports that later ones continue; a report is its job's key, its point, its counters."""
    chains: dict[Hashable, list[tuple[str, Counters]]] = {}
    for key, point, counters in reports:
        chains.setdefault(key, []).append((point, counters))
    return {point for chain in chains.values() for point in _find_superseded_in(chain, is_process_known)}


def finish(reading: Reading, reports: Sequence[TextReport], partial: set[str]) -> None:
    """Mark in the reading of a text what ran together and what is superseded, and say what samples describe."""
    join_text(reading, reports, partial)
    for result in reading.results:
        result.is_partial = result.repetition in partial
        result.sampling_semantics = sampling(result)
    if marked := {result.repetition for result in reading.results if result.is_partial}:
        reading.warnings.append(Finding("R-FIO-PARTIAL-1", PARTIAL.format(len(marked))))


def _find_superseded_in(chain: list[tuple[str, Counters]], is_process_known: bool) -> list[str]:  # noqa: FBT001
    """Return the points that a later report continues; jobs of one name take turns, so the step may be above one."""
    count = len(chain)
    for step in range(1, count // 2 + 1 if count <= _LONGEST_CHAIN else 2):
        pairs = [(earlier, later) for (_, earlier), (_, later) in zip(chain, chain[step:], strict=False)]
        is_one_run = is_process_known or any(earlier != later for earlier, later in pairs)
        if count % step == 0 and is_one_run and all(_continues(*pair) for pair in pairs):
            return [point for point, _ in chain[: count - step]]
    return []


def _continues(earlier: Counters, later: Counters) -> bool:
    """Say whether every counter grew or stayed, and the first, the run time, grew unless all are equal."""
    if [len(row) for row in earlier] != [len(row) for row in later]:
        return False
    pairs = [pair for one, other in zip(earlier, later, strict=True) for pair in zip(one, other, strict=True)]
    return all(a <= b for a, b in pairs) and (earlier == later or earlier[0][0] < later[0][0])


class Member(NamedTuple):
    """A job of a group: its options, when it started (milliseconds since 1970), and how long it ran (milliseconds)."""

    place: str
    options: Mapping[str, str]
    started: int | None
    lasted: int


def join(
    reading: Reading, place: str, members: Sequence[Member], following: Sequence[Member], reason: str = ""
) -> None:
    """Mark results whose jobs ran together as parts of one load at ``place``, or say the ``reason`` against it."""
    every = [member.options for member in members]
    lasted, starts = [one.lasted for one in members], [one.started for one in members if one.started]
    for name in ("startdelay", "wait_for"):
        if any(options.get(name, "0") not in OFF and option_seconds(options[name]) != 0 for options in every):
            reason = reason or f"{name} lets them start one after the other"
    if any(options.get("new_group", "0") not in OFF for options in (*every, *(one.options for one in following))):
        reason = reason or "new_group lets another group run at the same time"
    if len({options.get("runtime") for options in every}) > 1:
        reason = reason or "they were to run for different times"
    if starts and max(starts) - min(starts) > _APART * max(lasted):
        reason = reason or f"they started {(max(starts) - min(starts)) / MILLI:g} s apart"
    if min(lasted) < (1 - _APART) * max(lasted):
        reason = reason or f"they ran for {min(lasted) / MILLI:g} to {max(lasted) / MILLI:g} s"
    if reason:
        text = f"{len(members)} jobs of one group are reported separately and are not summed: {reason}"
        reading.warnings.append(Finding("R-FIO-GROUP-2", text, members[0].place))
        return
    places = {member.place for member in members}
    found = [result for result in reading.results if result.repetition in places]
    if len({result.repetition for result in found}) > 1:  # else the others did nothing
        for result in found:
            result.premises = msgspec.structs.replace(result.premises, concurrent=place)


class TextReport(NamedTuple):
    """A report of a text: its run, its job, the options that are known of it, and its results."""

    run: Run
    job: JobReport
    options: Options
    results: Sequence[Result]

    def member(self) -> Member:
        """Return the values that show whether the job ran with others; a text has no start times."""
        lasted = max((result.duration_seconds or 0 for result in self.results), default=0)
        return Member(self.job.place, self.options.values, None, round(MILLI * lasted))


def join_text(reading: Reading, reports: Iterable[TextReport], partial: Collection[str]) -> None:
    """Mark what ran together in a text: processes of one banner, and jobs of which a job file tells that none waits."""
    groups: dict[tuple[int, int], list[TextReport]] = {}
    for each in reports:
        if each.job.place not in partial and each.results and each.results[0].scope == "job":
            groups.setdefault((each.run.index, each.job.group), []).append(each)
    for (index, group), every in groups.items():
        if len(every) == 1 or any(each.results[0].process_count is None for each in every):
            continue
        members, run = [each.member() for each in every], every[0].run
        following, reason = [each.member() for each in groups.get((index, group + 1), [])], ""
        if len(run.banners) == 1 and run.process_count == len(every):
            members, following = [member._replace(options={}) for member in members], []
        elif not all(each.options.is_complete for each in every):
            reason = "neither their options nor a common banner show that they started together"
        join(reading, f"{members[0].place} group {group}", members, following, reason)
