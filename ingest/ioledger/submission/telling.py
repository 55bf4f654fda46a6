"""
Field by field, whether a file contradicts what a manifest states: the value as stated against a reading's results.

Every function takes the stated value, the reading, and the results in it that count (canonical, not partial); it
returns what the file tells instead, with its place, or None when the file agrees or does not tell.
"""

from __future__ import annotations

import re
from collections import defaultdict
from typing import TYPE_CHECKING, NamedTuple

from ioledger.readers.units import option_seconds
from ioledger.submission import joboptions

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from ioledger.readers.base import Reading, Result

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
        if version and found and parts and not any(_begins(found[0].split("."), each) for each in parts):
            return Told(version, pointer)
    return None


def _begins(one: list[str], other: list[str]) -> bool:
    length = min(len(one), len(other))
    return one[:length] == other[:length]


def cache_bypass(stated: object, _: Reading, results: list[Result]) -> Told | None:
    """Compare direct and buffered with what each result tells."""
    told = ((result, {True: "direct", False: "buffered"}.get(result.is_direct)) for result in results)  # type: ignore[arg-type]
    return _first((text, result) for result, text in told if text not in {None, stated})


def process_count(stated: object, _: Reading, results: list[Result]) -> Told | None:
    """
    Compare the number of processes with that of each result, or with the sum over those measured together.

    Where a file sums all of its parts, the sum alone counts.
    """
    whole = [result for result in results if result.scope == "all" and result.process_count is not None]
    together: dict[object, dict[str, int]] = defaultdict(dict)
    for result in whole or results:
        if result.process_count is not None:
            group = (_document(result), result.group_index)
            together[group][result.repetition] = result.process_count
    for result in whole or results:
        counts = together.get((_document(result), result.group_index), {})
        agreeing = (
            {result.process_count} if result.group_index is None else {result.process_count, sum(counts.values())}
        )
        if result.process_count is not None and stated not in agreeing:
            return Told(str(result.process_count), result.pointer)
    return None


def _document(result: Result) -> str:
    return result.pointer.partition("#")[0] if "#" in result.pointer else ""


def run_time(stated: float, reading: Reading, results: list[Result]) -> Told | None:
    """Compare the planned time with the one in the job's options, else with the measured one."""
    for result in results:
        planned = _planned(reading, result)
        if planned is not None and abs(planned - stated) <= STATED_SHARE * stated:
            continue
        measured = result.duration_seconds
        if measured is None:
            if planned is not None:
                return Told(f"{planned:g}", result.pointer)
        elif not _runs(stated, measured):
            return Told(f"{measured:g}", result.pointer)
    return None


def _runs(stated: float, measured: float) -> bool:
    """Say whether a run planned for so long can have been measured for so long."""
    latest = stated + max(LATE_SHARE * stated, DRAIN_SECONDS)
    return (1 - EARLY_SHARE) * stated <= measured <= latest


def _planned(reading: Reading, result: Result) -> float | None:
    if reading.tool != "fio":
        return None
    return option_seconds(joboptions.of(result).get("runtime", "")) or None  # 0 is no limit


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
        area = joboptions.area(joboptions.of(result))
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


def ramp(stated: float, _: Reading, results: list[Result]) -> Told | None:
    """Compare the time before the measurement; both are statements."""
    differing = (
        r for r in results if r.ramp_seconds is not None and abs(r.ramp_seconds - stated) > STATED_SHARE * stated
    )
    return _first((f"{result.ramp_seconds:g}", result) for result in differing)


def unit_base(stated: object, _: Reading, results: list[Result]) -> Told | None:
    """Compare base 2 with base 10; a tool that counts bytes contradicts neither."""
    other = {"base2": "base10", "base10": "base2"}.get(str(stated))
    return _first((result.unit_basis, result) for result in results if result.unit_basis == other)


def latency_kind(stated: object, _: Reading, results: list[Result]) -> Told | None:
    """Compare the kind of latency that the statement begins with; what it tells in prose is not compared."""
    found = LATENCY.match(_affirmed(stated))
    named = LATENCIES.get(found[1], found[1]) if found else None
    kinds = ((result.latency_kind, result) for result in results if result.latency_kind is not None)
    return _first((kind, result) for kind, result in kinds if named and kind != named)


def load_axis(stated: object, _: Reading, results: list[Result]) -> Told | None:
    """Compare a list or range of depths or processes with what was measured; other words decide nothing."""
    text = str(stated).lower()
    of_depth, of_processes = bool(OUTSTANDING.search(text)), bool(PROCESSES.search(text))
    text = PROCESSES.sub(" ", OUTSTANDING.sub(" ", text))
    if of_depth == of_processes or not STEPS.fullmatch(text):
        return None
    steps = {int(number) for number in NUMBERS.findall(text) if number.isdigit()}
    spans = [(int(low or 1), int(high)) for low, high in UP_TO.findall(text)]
    for result in results:
        names = ("queue_depth", "outstanding_per_target_count") if of_depth else ("process_count",)
        counts = [count for name in names if (count := getattr(result, name)) is not None]
        if counts and not any(count in steps or any(a <= count <= b for a, b in spans) for count in counts):
            return Told(str(counts[0]), result.pointer)
    return None


def data_pattern(stated: object, reading: Reading, results: list[Result]) -> Told | None:
    """Compare with what fio's options say of the data written; an option that is not in a report may still be set."""
    if reading.tool != "fio":
        return None
    text = _affirmed(stated)
    writes = (result for result in results if result.operation in {"write", "mixed"})
    return _first((told, result) for result in writes if (told := _written(text, joboptions.of(result))) is not None)


def _written(text: str, options: dict[str, str]) -> str | None:
    """Return what the options say of the data when the text begins with the opposite."""
    share = options.get("buffer_compress_percentage", "0").rstrip("%")
    pattern = options.get("buffer_pattern")
    if _is_set(options, "zero_buffers"):
        return "zeros (zero_buffers)" if RANDOM.match(text) else None
    if pattern is not None:
        return f"a pattern (buffer_pattern={pattern[:SAME_SHOWN]})" if RANDOM.match(text) else None
    if share.isdigit() and int(share) and "incompressible" in WORD.findall(text):
        return f"data that compress by {share} %"
    if _is_set(options, "refill_buffers") and ZERO.match(text):
        return "random data, refilled for every write (refill_buffers)"
    return None


def _is_set(options: dict[str, str], name: str) -> bool:
    """Say whether a flag of fio is set: it stands there without a value, or with one that is not 0."""
    return name in options and options[name] != "0"


def _first(found: Iterable[tuple[str | None, Result]] | Iterator[tuple[str | None, Result]]) -> Told | None:
    return next((Told(str(text), result.pointer) for text, result in found), None)
