"""
What a manifest states beside what its own files tell: one rule, asked in one place.

Each field that a file can tell has a comparison, of the stated value with one result after the other, or with all of a
file that count (canonical, not partial). It returns what the file tells instead, with its place, or None when the file
agrees or does not tell. A file that does not tell, and a value that is unknown, contradict nothing; a time may differ
by what it takes to start and to drain; text agrees when it names what the file names. A submission that does not stand
any more is not asked: it is never edited, and its successor is.

Source of what fio's options mean: its HOWTO, "Target file/device" and "I/O size".
"""

from __future__ import annotations

import re
from collections import defaultdict
from typing import TYPE_CHECKING, Any, NamedTuple

from ioledger.model import Reading
from ioledger.readers.units import option_seconds
from ioledger.submission.areas import ELSEWHERE, area_of, options_of
from ioledger.submission.manifest import known
from ioledger.submission.refuted import Evidence, refuted
from ioledger.submission.target import data_drives

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping

    from ioledger.model import Result
    from ioledger.problems import Problem
    from ioledger.submission.files import FileRead
    from ioledger.submission.manifest import Submission

    Compare = Callable[[Any, Reading, list[Result]], "Told | None"]

RULE = "R-MANIFEST-8"
REMEDY = "State the value of the file, give the file a configuration of its own, or write {unknown: why}."
WORD = re.compile(r"[a-z0-9]+")
NUMBERS = re.compile(r"\d+(?:\.\d+)*")
EARLY_SHARE, LATE_SHARE, DRAIN_SECONDS = 0.05, 0.05, 1.0
"""A run may end a little early, and late by what was still in flight: an overloaded disk takes a second to drain it."""
STATED_SHARE = 0.01
"""Between two statements of the same time only rounding differs."""
OUTSTANDING = re.compile(r"(?:outstanding|i/os|ios\b|queue[ -]?depths?|iodepth|\bqd)(?:\s*:)?")
PROCESSES = re.compile(r"(?:threads?|process(?:es)?|workers?|numjobs|\bjobs\b)(?:\s*:)?")
_TO = r"[\s,]*(?:up to|to|through|->|→|-|–|\.\.+|…)[\s,]*"  # noqa: RUF001  (a dash people write)
UP_TO = re.compile(rf"(?:(\d+))?{_TO}(\d+)")
_BETWEEN = rf"(?:{_TO}|\s*,\s*(?:and\s+)?|\s*[;/&]\s*|\s+and\s+|\s+)"
STEPS = re.compile(
    rf"[\s,]*(?:up to )?\d+(?:{_BETWEEN}\d+)*[\s,]*(?:(?:by|in) (?:powers of (?:two|2)|doubling))?[\s.]*"
)
"""A text that holds numbers and ranges, and nothing else."""
LATENCY = re.compile(
    r"(total|completion|submission|application|minimum|clat|slat)(?:\s+latenc(?:y|ies))?\s*(?:$|[,;:.(]|as\b)"
)
LATENCIES = {"clat": "completion", "slat": "submission"}
"""What fio calls them."""
NEGATED = re.compile(r"\b(?:not|no|non|without|never|neither|nor|instead of|rather than)\b[^,;.:()]*[,;.:]?\s*")
ZERO = re.compile(r"(?:all |only )?(?:zero|0x0|null|constant|empty)")
RANDOM = re.compile(r"(?:pseudo-?)?random|incompressible|refilled|unique")
SAME_SHOWN = 20
WHOLE = 100
MEASURED = frozenset({"result", "preparation"})


class Told(NamedTuple):
    """What a file tells, in words, and where."""

    text: str
    place: str


def tool(stated: object, reading: Reading, _: list[Result]) -> Told | None:
    """Compare the tool: its name must be among the stated words; a program that calls it may stand beside it."""
    return None if reading.tool in WORD.findall(_affirmed(stated)) else Told(reading.tool, "")


def _affirmed(stated: object) -> str:
    """Return a statement in lower case without what it denies, as far as the next comma or stop."""
    return NEGATED.sub("", str(stated).lower()).strip()


def tool_version(stated: object, reading: Reading, results: list[Result]) -> Told | None:
    """Compare versions by their numbers; a shorter statement (``fio 3``) agrees with a longer one (``fio-3.33``)."""
    versions = [(result.tool_version, result.pointer) for result in results]
    parts = [number.split(".") for number in NUMBERS.findall(str(stated))]
    for version, pointer in (*versions, (reading.tool_version, "")):
        found = NUMBERS.search(version or "")
        if version and found and parts and not any(_agree(found[0].split("."), each) for each in parts):
            return Told(version, pointer)
    return None


def _agree(one: list[str], other: list[str]) -> bool:
    """Say whether two versions agree as far as both are stated."""
    return all(mine == yours for mine, yours in zip(one, other, strict=False))


def process_count(stated: object, _: Reading, results: list[Result]) -> Told | None:
    """
    Compare the number of processes with that of each result, or with the sum over those measured together.

    Where a file sums all of its parts, the sum alone counts.
    """
    whole = [result for result in results if result.scope == "all" and result.process_count is not None]
    together: dict[object, dict[str, int]] = defaultdict(dict)
    counted = [result for result in whole or results if result.process_count is not None]
    for result in counted:
        together[_document(result), result.group_index][result.repetition] = result.process_count or 0
    for result in counted:
        counts = together[_document(result), result.group_index]
        in_group = None if result.group_index is None else sum(counts.values())
        if stated not in {result.process_count, in_group}:
            return Told(str(result.process_count), result.pointer)
    return None


def _document(result: Result) -> str:
    return result.pointer.partition("#")[0] if "#" in result.pointer else ""


def area_bytes(stated: float, reading: Reading, results: list[Result]) -> Told | None:
    """
    Compare the measured area with the size that fio's jobs were given.

    It may be that of the smallest job, and up to all the files together: those of the jobs that ran at the same time,
    of which the folders are not known, and one for each process of a job that names none.
    """
    if reading.tool != "fio":
        return None
    together: dict[object, dict[object, int]] = defaultdict(lambda: defaultdict(int))
    sizes = []
    for result in {each.repetition: each for each in results}.values():
        options = options_of(result)
        area = None if options.keys() & ELSEWHERE else area_of(options)
        if area is None or not (area.filename or result.process_count):
            return None
        count = 1 if area.filename else result.process_count or 1
        together[area.filename][_document(result), result.group_index] += area.size_bytes * count
        sizes.append((area.size_bytes, result.pointer))
    if not sizes:
        return None
    largest = sum(max(groups.values()) for groups in together.values())
    low, high = min(sizes), max(sizes)
    if stated < low[0]:
        return Told(str(low[0]), low[1])
    return Told(str(high[0]), high[1]) if stated > largest else None


def cache_bypass(stated: object, result: Result, _: str) -> str | None:
    """Compare direct and buffered."""
    told = None if result.is_direct is None else "direct" if result.is_direct else "buffered"
    return told if told != stated else None


def run_time(stated: float, result: Result, tool: str) -> str | None:
    """Compare the planned time with the one in the job's options, else with the measured one."""
    planned = option_seconds(options_of(result).get("runtime", "")) if tool == "fio" else None
    if planned and abs(planned - stated) <= STATED_SHARE * stated:  # 0 is no limit
        return None
    measured, latest = result.duration_seconds, stated + max(LATE_SHARE * stated, DRAIN_SECONDS)
    if measured is None:
        return f"{planned:g}" if planned else None
    return None if (1 - EARLY_SHARE) * stated <= measured <= latest else f"{measured:g}"


def ramp(stated: float, result: Result, _: str) -> str | None:
    """Compare the time before the measurement; both are statements."""
    told = result.ramp_seconds
    return f"{told:g}" if told is not None and abs(told - stated) > STATED_SHARE * stated else None


def unit_base(stated: object, result: Result, _: str) -> str | None:
    """Compare base 2 with base 10; a tool that counts bytes contradicts neither."""
    return result.unit_basis if {stated, result.unit_basis} == {"base2", "base10"} else None


def latency_kind(stated: object, result: Result, _: str) -> str | None:
    """Compare the kind of latency that the statement begins with; what it tells in prose is not compared."""
    found = LATENCY.match(_affirmed(stated))
    return result.latency_kind if found and result.latency_kind != LATENCIES.get(found[1], found[1]) else None


def load_axis(stated: object, result: Result, _: str) -> str | None:
    """Compare a list or range of depths or processes with what was measured; other words decide nothing."""
    text = str(stated).lower()
    of_depth, of_processes = bool(OUTSTANDING.search(text)), bool(PROCESSES.search(text))
    text = PROCESSES.sub(" ", OUTSTANDING.sub(" ", text))
    names = ("queue_depth", "outstanding_per_target_count") if of_depth else ("process_count",)
    counts = [count for name in names if (count := getattr(result, name)) is not None]
    if of_depth == of_processes or not counts or not STEPS.fullmatch(text):
        return None
    spans = [(int(number), int(number)) for number in NUMBERS.findall(text) if number.isdigit()]
    spans += [(int(low or 1), int(high)) for low, high in UP_TO.findall(text)]
    return None if any(low <= count <= high for count in counts for low, high in spans) else str(counts[0])


def data_pattern(stated: object, result: Result, tool: str) -> str | None:
    """Compare with what fio's options say of the data written; an option that is not in a report may still be set."""
    if tool != "fio" or result.operation not in {"write", "mixed"}:
        return None
    text, options = _affirmed(stated), options_of(result)
    share, pattern = options.get("buffer_compress_percentage", "0").rstrip("%"), options.get("buffer_pattern")
    if _is_set(options, "zero_buffers"):
        return "zeros (zero_buffers)" if RANDOM.match(text) else None
    if pattern is not None:
        return f"a pattern (buffer_pattern={pattern[:SAME_SHOWN]})" if RANDOM.match(text) else None
    if share.isdigit() and int(share) and "incompressible" in WORD.findall(text):
        return f"data that compress by {share} %"
    is_zero = share.isdigit() and int(share) == WHOLE  # a share of zeros goes before random data
    if _is_set(options, "refill_buffers") and ZERO.match(text) and not is_zero:
        return "random data, refilled for every write (refill_buffers)"
    return None


def _is_set(options: dict[str, str], name: str) -> bool:
    """Say whether a flag of fio is set: it stands there without a value, or with one that is not 0."""
    return name in options and options[name] != "0"


def _each(compare: Callable[[Any, Result, str], str | None]) -> Compare:
    """Return the comparison of a file for one of its results, given with its tool: the first that differs tells."""

    def of_file(stated: object, reading: Reading, results: list[Result]) -> Told | None:
        told = ((compare(stated, result, reading.tool), result.pointer) for result in results)
        return next((Told(text, pointer) for text, pointer in told if text is not None), None)

    return of_file


FIELDS: dict[tuple[str, str], Compare] = {
    ("software", "tool"): tool,
    ("software", "tool_version"): tool_version,
    ("method", "cache_bypass"): _each(cache_bypass),
    ("method", "process_count"): process_count,
    ("method", "run_time_seconds"): _each(run_time),
    ("method", "ramp_seconds"): _each(ramp),
    ("method", "measurement_area_bytes"): area_bytes,
    ("method", "unit_base"): _each(unit_base),
    ("method", "latency_kind"): _each(latency_kind),
    ("method", "load_axis"): _each(load_axis),
    ("method", "data_pattern"): _each(data_pattern),
}
"""What is compared, by section and field: each returns what the file tells when it contradicts the value, else None."""


class Contradiction(NamedTuple):
    """A value of a configuration and what a file tells instead, with the place in the file."""

    section: str
    field: str
    stated: object
    path: str
    told: Told


def contradictions(configuration: dict[str, Any], files: Iterable[tuple[str, Reading]]) -> list[Contradiction]:
    """Return what the readings of these files, by name, contradict in a configuration; each field and file once."""
    found = []
    for path, reading in files:
        results = [result for result in reading.results if result.is_canonical and not result.is_partial]
        jobs = [result for result in results if not result.premises.is_summed]
        loads = [result for result in results if not result.premises.concurrent]
        for (section, field), contradicted in FIELDS.items() if results else ():
            stated = known(configuration.get(section, {}).get(field, "unknown")).value
            if stated is None or stated == "unknown":
                continue
            told = contradicted(stated, reading, loads if field == "load_axis" else jobs)
            if told is not None:
                found.append(Contradiction(section, field, stated, path, told))
    return found


def agreement_problems(submission: Submission, reads: list[FileRead]) -> Iterator[Problem]:
    """Report every value of a manifest that a file of the submission contradicts, once, at the first such file."""
    if not submission.stands:
        return
    for name, configuration in submission.manifest["configurations"].items():
        mine = [read for read in reads if read.is_measured and read.entry.get("configuration") == name]
        files = [(read.path, read.reading) for read in mine if read.reading is not None]
        files += _excerpted(reads, name)
        by_field: dict[tuple[str, str], list[Contradiction]] = defaultdict(list)
        for each in contradictions(configuration, files):
            by_field[each.section, each.field].append(each)
        for (section, field), found in by_field.items():
            path = ("configurations", name, section, field)
            yield submission.problem(path, _in_words(".".join(path), found), REMEDY, RULE)
        drives = data_drives(submission.manifest, configuration)
        for field, stated, told in refuted(configuration["method"], _evidence(submission, reads, name), drives):
            if ("method", field) not in by_field:
                path = ("configurations", name, "method", field)
                yield submission.problem(path, f"{'.'.join(path)} is {stated}, but {told}", REMEDY, RULE)
        # A file's repetition is at most the stated number of repetitions.
        path = ("configurations", name, "method", "repetition_count")
        stated = known(configuration["method"]["repetition_count"]).value
        highest = max(mine, key=lambda read: read.entry.get("repetition", 0), default=None)
        if stated is not None and highest is not None and highest.entry.get("repetition", 0) > stated:
            what = f"{'.'.join(path)} is {stated}, but {highest.path} is repetition {highest.entry['repetition']}"
            yield submission.problem(path, what, REMEDY, RULE)


def _evidence(submission: Submission, reads: list[FileRead], configuration: str) -> list[Evidence]:
    """Return what was measured and prepared in a configuration, and the job files of the submission."""
    return [
        Evidence(
            name=read.path,
            role=read.role,
            reading=read.reading or Reading(tool=""),
            ties={"job": read.entry["job"]} if "job" in read.entry else {},
            source=_Held(submission.file_bytes, read.path),
            repetition=read.entry.get("repetition", 1),
        )
        for read in reads
        if read.role == "job"
        or (read.role in MEASURED and read.reading is not None and read.entry.get("configuration") == configuration)
    ]


class _Held(NamedTuple):
    """A file of a submission whose bytes are asked for when they are needed."""

    files: Mapping[str, bytes]
    path: str

    @property
    def data(self) -> bytes:
        """The bytes."""
        return self.files[self.path]


def _excerpted(reads: list[FileRead], configuration: str) -> Iterator[tuple[str, Reading]]:
    """
    Give what the excerpts hold of a configuration, as readings of what measured; figures are of no tool.

    Where runs are rounds of a series, one that is no round prepared the drive, and tells nothing of the method.
    """
    found = [
        (read, [result for result in read.reading.results if result.origin and result.configuration == configuration])
        for read in reads
        if read.reading and read.role == "result"
    ]
    has_rounds = any(result.round_index is not None for _, results in found for result in results)
    for read, results in found:
        by_tool: dict[str, list[Result]] = defaultdict(list)
        for result in results:
            if result.origin is not None and (result.round_index is not None or not has_rounds):
                by_tool[result.origin.tool].append(result)
        yield from ((read.path, Reading(tool=tool, results=results)) for tool, results in by_tool.items())


def _in_words(place: str, found: list[Contradiction]) -> str:
    first = found[0]
    more = f", and {len(found) - 1} more files differ" if len(found) > 1 else ""
    at = f" ({first.told.place})" if first.told.place else ""
    return f"{place} is {first.stated}, but {first.path}{at} tells {first.told.text}{more}"
