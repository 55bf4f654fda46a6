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
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any, NamedTuple, Protocol

from msgspec.structs import replace

from ioledger.model import Finding
from ioledger.readers.fio import derived_rates, jobfile
from ioledger.readers.fio.jobfile import is_whole, list_disputed_options
from ioledger.readers.fio.options import Options, decimal_of, premises, seek
from ioledger.readers.units import PERCENT

if TYPE_CHECKING:
    from collections.abc import Collection, Hashable, Iterable, Iterator, Mapping, Sequence

    from ioledger.model import Reading, Result
    from ioledger.readers.fio.jobfile import Sections

_STATISTICS = ("min", "max", "mean", "stddev")
KINDS = {"lat": "total", "clat": "completion", "slat": "submission"}


class Stats(NamedTuple):
    """Smallest, largest and mean latency and its standard deviation, in seconds."""

    low: float | None
    high: float | None
    mean: float | None
    deviation: float | None

    @property
    def is_measured(self) -> bool:
        """Say whether the numbers are more than fio's zeros for "not measured"."""
        return bool(self.mean or self.high)


def columns(stats: Mapping[str, Stats]) -> dict[str, Any]:
    """Return the latency columns from statistics by fio's name; the main ones are total, else completion latency."""
    measured = {KINDS[name]: value for name, value in stats.items() if value.is_measured and name in KINDS}
    kind = next((kind for kind in ("total", "completion") if kind in measured), None)
    rows = {f"{part}_": measured[part] for part in ("completion", "submission") if part in measured}
    if kind:
        rows[""] = measured[kind]
    return {"latency_kind": kind} | {
        f"{prefix}latency_{name}_seconds": value
        for prefix, row in rows.items()
        for name, value in zip(_STATISTICS, row, strict=True)
    }


_SAMPLED = {"bw": "throughput_sample_{}_bytes_per_second", "iops": "operations_sample_{}_per_second"}


def sample_columns(name: str, values: Iterable[float | None]) -> dict[str, float | None]:
    """Return the columns of interval samples by fio's name: smallest, largest, mean and standard deviation."""
    return {_SAMPLED[name].format(each): value for each, value in zip(_STATISTICS, values, strict=True)}


ALL_CLIENTS = "All clients"
"""The name of a report that sums those of all clients."""
Counters = list[tuple[float, ...]]
PARTIAL = "{} reports of unfinished runs are marked as partial: later reports continue their counters"
_LONGEST_CHAIN = 10_000
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


class Run:
    """What is known of one run while its lines go by: version, banners, processes, and whether a signal ended it."""

    def __init__(self, index: int = 0, version: str | None = None) -> None:
        """Start with only the version of the run before."""
        self.index = index
        self.version = version
        self.banners: list[Banner] = []
        self.process_count = 0
        self.merged: dict[tuple[str, int], set[int]] = {}
        """How many processes a report covers, by name and group, as human output beside it says."""
        self.is_closed = False
        self.is_client = False
        self.outcome = "ok"

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
        """
        Return how many processes a job's report covers, when human output or the banners and "Starting" lines prove it.

        A group has either one report per process, or one report in all (``group_reporting``). ``names`` are those of
        all reports of the run: fio prints no banner for some jobs of a command line, and then nothing is proven.
        """
        told = self.merged.get((name, -1 if group is None else group), set())
        if len(told) == 1:
            return min(told)
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
    yield from jobfile.findings(options, report.place)


def _banner(line: str) -> Banner | None:
    """Return the banner on a line, or null."""
    start = line.find(": (g=")
    found = _BANNER.match(line, start + 2) if start >= 0 else None
    if not found:
        return None
    values = dict(zip(("rw", "bs", "ioengine", "iodepth"), found.groups()[1:], strict=True))
    return Banner(line[:start].strip(), int(found[1]), values)


def options_of(
    name: str, group: int | None, jobs: int | None, banners: Iterable[Banner], sections: Sections
) -> Options:
    """
    Return what is known of a job's options from its banners and from a job file.

    Reported groups merge jobs: their options are known only when all banners of the group say the same.
    """
    mine = [banner for banner in banners if group in {None, banner.group}]
    named = mine if jobs is not None and jobs > 1 else [banner for banner in mine if banner.name == name]
    said = {tuple(banner.values.items()) for banner in named}
    if len(said) > 1 or (said and name not in {banner.name for banner in named}):
        return Options({}, {})
    values = dict(said.pop()) if said else {}
    stated = Options(values, dict.fromkeys(values, "banner"))
    section = sections.get(name, {})
    filed = {option: text for option, text in section.items() if "$" not in text}
    if wrong := list_disputed_options(stated, Options(filed, {}), ("rw", "ioengine", "iodepth")):
        return stated._replace(disputed=wrong)
    origins = {**stated.origins, **dict.fromkeys(filed, "job_file")}
    return Options({**values, **filed}, origins, is_whole(section), decimal=decimal_of(section) & filed.keys())


def find_superseded(reports: Iterable[tuple[Hashable, str, Counters]], *, is_process_known: bool) -> set[str]:
    """
    Return the points of reports that later ones continue; a report is its job's key, its point, its counters.

    Where a key does not name one process (``is_process_known``), reports with equal counters are those of several.
    """
    chains: dict[Hashable, list[tuple[str, Counters]]] = {}
    for key, point, counters in reports:
        chains.setdefault(key, []).append((point, counters))
    return {point for chain in chains.values() for point in _find_superseded_in(chain, is_process_known)}


def state(
    results: Sequence[Result], options: Options, sought: tuple[int | None, int | None], lost_ratio: float = 0.0
) -> None:
    """
    Set what the figures of a job must show of its load, of which not all options may be known.

    ``sought`` is what the report says of a depth that was sought, its target and where it ended; ``lost_ratio`` is the
    largest share that the format takes from a figure.
    """
    target, depth = sought
    seek(results, target, depth, options.values)
    is_known = options.is_complete
    for result in results:
        told = premises(options.values, result.engine, depth, is_ramp_known=is_known, is_complete=is_known)
        result.premises = replace(told, lost_ratio=lost_ratio)


def mark(reading: Reading, partial: set[str]) -> None:
    """Mark the results of superseded points, with a finding that counts them, and say what all samples describe."""
    for result in reading.results:
        result.is_partial = result.repetition in partial
        result.sampling_semantics = derived_rates.sampling(result)
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
