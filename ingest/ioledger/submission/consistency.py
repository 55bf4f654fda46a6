"""
Compare what a manifest states with its own files and with itself; and its days with those of its runs.

A file that does not state a field, and a value that is unknown, contradict nothing. What was read from a machine on one
day tells nothing of runs on another. A submission that is superseded or retracted is not compared: it is never edited,
and its successor is.

Source of what fio's options mean: its HOWTO, "Target file/device" and "I/O size".
"""

from __future__ import annotations

import json
import re
from calendar import monthrange
from collections import defaultdict
from datetime import UTC, date, datetime, timedelta
from functools import lru_cache
from typing import TYPE_CHECKING, Any, NamedTuple

from ioledger.model import Reading
from ioledger.readers import KIBI, option_seconds, option_size
from ioledger.submission import parse_value, stated_sections

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from ioledger.model import Result
    from ioledger.problems import Problem
    from ioledger.submission import Submission
    from ioledger.submission.files import FileRead

    Reported = tuple[str, str]
    """What a file states instead, and where."""
    Compare = Callable[[Any, Reading, list[Result]], Reported | None]

RULE = "R-MANIFEST-8"
REMEDY = "State the value of the file, give the file a configuration of its own, or write {unknown: why}."
WORD = re.compile(r"[a-z0-9]+")
NUMBERS = re.compile(r"\d+(?:\.\d+)*")
EARLY_SHARE, LATE_SHARE, DRAIN_SECONDS = 0.05, 0.05, 1.0
"""A run may end a little early, and late by what was still in flight: an overloaded disk takes a second to drain it."""
ROUNDING_SHARE = 0.01
"""Between two statements of the same time only rounding differs."""
PART_OPTIONS = frozenset({
    "filesize", "io_limit", "io_size", "nrfiles", "offset", "offset_increment", "zonemode", "zonerange", "zonesize",
})  # fmt: skip
"""Options of fio beside which ``size`` alone does not tell what a job addresses."""
SHARE = re.compile(r"(\d{1,2}|100)%")
PERCENT = 100


class Contradiction(NamedTuple):
    """A value of a configuration, and what a file states instead, and where."""

    section: str
    field: str
    stated: object
    path: str
    reported: str
    place: str


def options_of(result: Result) -> dict[str, str]:
    """Return the options of a result's job as text; of one that stands several times the last, as the tools do."""
    return _parse_options(result.job_options or "{}")


@lru_cache
def _parse_options(text: str) -> dict[str, str]:
    found = json.loads(text)
    if not isinstance(found, dict):
        return {}
    last = {name: value[-1] if isinstance(value, list) and value else value for name, value in found.items()}
    return {name: value for name, value in last.items() if isinstance(value, str)}


def addressed_bytes(options: dict[str, str], capacity_bytes: int | None = None) -> int | None:
    """Return the bytes that a job of fio addresses, or None; ``capacity_bytes`` is that of a target that is a disk."""
    size = options.get("size", "")
    share = SHARE.fullmatch(size.strip())
    if options.keys() & PART_OPTIONS:
        return None
    if share or not size:
        return None if capacity_bytes is None else capacity_bytes * int(share[1] if share else PERCENT) // PERCENT
    base = int(options["kb_base"]) if options.get("kb_base") in {"1000", "1024"} else KIBI
    found = option_size(size, base)
    return min(found, capacity_bytes) if found and capacity_bytes else found or capacity_bytes


def _compare_tool(stated: object, reading: Reading, _: list[Result]) -> Reported | None:
    """Compare the tool: its name must be among the stated words; a program that calls it may stand beside it."""
    return None if reading.tool in WORD.findall(str(stated).lower()) else (reading.tool, "")


def _compare_version(stated: object, reading: Reading, results: list[Result]) -> Reported | None:
    """Compare versions by their numbers; a shorter statement (``fio 3``) agrees with a longer one (``fio-3.33``)."""
    parts = [number.split(".") for number in NUMBERS.findall(str(stated))]
    versions = [*((result.tool_version, result.pointer) for result in results), (reading.tool_version, "")]
    for version, pointer in versions if parts else ():
        if version and (found := NUMBERS.search(version)):
            own = found[0].split(".")
            if not any(all(a == b for a, b in zip(own, each, strict=False)) for each in parts):
                return version, pointer
    return None


def _compare_processes(stated: object, _: Reading, results: list[Result]) -> Reported | None:
    """Compare the number of processes with that of each result, of a sum of all, or of those measured together."""
    whole = [result for result in results if result.scope == "all" and result.process_count is not None]
    counted = [result for result in whole or results if result.process_count is not None]
    groups: dict[object, dict[str, int]] = defaultdict(dict)
    for result in counted:
        groups[group_of(result)][result.repetition] = result.process_count or 0
    for result in counted:
        in_group = None if result.group_index is None else sum(groups[group_of(result)].values())
        if stated not in {result.process_count, in_group}:
            return str(result.process_count), result.pointer
    return None


def group_of(result: Result) -> tuple[str, int | None]:
    """Return the report of a result in its file, and its group there: these jobs ran together."""
    document = result.pointer.partition("#")[0] if "#" in result.pointer else ""
    return document, result.group_index


def _compare_area(stated: float, reading: Reading, results: list[Result]) -> Reported | None:
    """Compare the area with the size that fio's jobs were given: from that of the smallest up to all of them."""
    sizes, largest = [], 0
    for result in {each.repetition: each for each in results}.values() if reading.tool == "fio" else ():
        options = options_of(result)
        size, count = addressed_bytes(options), 1 if "filename" in options else result.process_count
        if not size or not count:
            return None
        sizes.append((size, result.pointer))
        largest += size * count
    if not sizes or min(sizes)[0] <= stated <= largest:
        return None
    size, place = min(sizes) if stated < min(sizes)[0] else max(sizes)
    return str(size), place


def _compare_time(stated: float, reading: Reading, results: list[Result]) -> Reported | None:
    """Compare the planned time with the one in each job's options, else with the measured one."""
    for result in results:
        planned = option_seconds(options_of(result).get("runtime", "")) if reading.tool == "fio" else None
        if planned and abs(planned - stated) <= ROUNDING_SHARE * stated:  # 0 is no limit
            continue
        measured, latest = result.duration_seconds or planned, stated + max(LATE_SHARE * stated, DRAIN_SECONDS)
        if measured and (result.duration_seconds is None or not (1 - EARLY_SHARE) * stated <= measured <= latest):
            return f"{measured:g}", result.pointer
    return None


def _compare_bypass(stated: object, _: Reading, results: list[Result]) -> Reported | None:
    words = {True: "direct", False: "buffered"}
    differing = (each for each in results if each.is_direct is not None and words[each.is_direct] != stated)
    return next(((words[bool(each.is_direct)], each.pointer) for each in differing), None)


def _compare_latency(stated: object, _: Reading, results: list[Result]) -> Reported | None:
    """Compare the kinds of latency that the tools report; another one is the source's own."""
    kinds = ((each.latency_kind, each.pointer) for each in results if each.latency_kind is not None)
    is_kind = stated in {"total", "completion", "submission", "minimum"}
    return next(((kind, place) for kind, place in kinds if is_kind and kind != stated), None)


FIELDS: dict[tuple[str, str], Compare] = {
    ("software", "tool"): _compare_tool,
    ("software", "tool_version"): _compare_version,
    ("method", "cache_bypass"): _compare_bypass,
    ("method", "process_count"): _compare_processes,
    ("method", "run_time_seconds"): _compare_time,
    ("method", "measurement_area_bytes"): _compare_area,
    ("method", "latency_kind"): _compare_latency,
}
"""What is compared, by section and field: each returns what the file states when it contradicts the value."""


def contradictions(configuration: dict[str, Any], files: Iterable[tuple[str, Reading]]) -> list[Contradiction]:
    """Return what the readings of these files, by name, contradict in a configuration; each field and file once."""
    found = []
    for path, reading in files:
        results = [
            result for result in reading.results
            if result.is_canonical and not result.is_partial and not result.premises.is_summed
        ]  # fmt: skip
        for (section, field), compare in FIELDS.items() if results else ():
            stated = parse_value(configuration.get(section, {}).get(field, "unknown")).value
            reported = None if stated in {None, "unknown"} else compare(stated, reading, results)
            if reported is not None:
                found.append(Contradiction(section, field, stated, path, *reported))
    return found


def consistency_problems(submission: Submission, reads: list[FileRead]) -> Iterator[Problem]:
    """Report every value of a manifest that a file of the submission contradicts, once, at the first such file."""
    excerpts = _read_excerpts(reads)
    for name, configuration in submission.manifest["configurations"].items() if submission.stands else ():
        mine = [read for read in reads if read.is_measured and read.entry.get("configuration") == name]
        files = [(read.path, read.reading) for read in mine if read.reading is not None]
        by_field: dict[tuple[str, ...], list[Contradiction]] = defaultdict(list)
        for each in contradictions(configuration, [*files, *excerpts.get(name, ())]):
            by_field["configurations", name, each.section, each.field].append(each)
        for path, (first, *others) in by_field.items():
            at, more = first.place and f" ({first.place})", f", and {len(others)} more files differ" if others else ""
            what = f"{'.'.join(path)} is {first.stated}, but {first.path}{at} states {first.reported}{more}"
            yield submission.problem(path, what, REMEDY, RULE)
        path = ("configurations", name, "method", "repetition_count")
        stated = parse_value(configuration["method"]["repetition_count"]).value
        highest, file = max(((read.entry.get("repetition", 0), read.path) for read in mine), default=(0, ""))
        if stated is not None and highest > stated:
            what = f"{'.'.join(path)} is {stated}, but {file} is repetition {highest}"
            yield submission.problem(path, what, REMEDY, RULE)


def _read_excerpts(reads: list[FileRead]) -> dict[str, list[tuple[str, Reading]]]:
    """Return what the excerpts hold of each configuration, by tool; beside rounds another run prepared the drive."""
    grouped: dict[str, dict[tuple[str, str], list[Result]]] = defaultdict(lambda: defaultdict(list))
    for read in reads:
        for result in read.results if read.role == "result" else ():
            if result.origin and result.configuration:
                grouped[result.configuration][read.path, result.origin.tool].append(result)
    found: dict[str, list[tuple[str, Reading]]] = defaultdict(list)
    for configuration, by_tool in grouped.items():
        has_rounds = any(result.round_index is not None for results in by_tool.values() for result in results)
        for (path, tool), results in by_tool.items():
            rounds = [result for result in results if result.round_index is not None or not has_rounds]
            found[configuration].append((path, Reading(tool=tool, results=rounds)))
    return found


DAY = timedelta(days=1)
"""Between a day in a manifest and an instant in a file: the manifest's day is local, the instant is in UTC."""
MONTH = len("yyyy-mm")
RAW = "raw_tool_output"
CLOCK_SET = date(2000, 1, 1)
"""A time before the tools were written comes from a clock that was never set, and tells nothing."""
FROM_NAMES = "from the transport"
"""How the notes of ``ioledger collect`` begin on what it infers from what it read."""


def run_days(reading: Reading) -> list[date]:
    """Return the days (UTC, or those of a clock without a zone) on which the runs of a file ended, or else began."""
    times = [result.ended_at or result.started_at for result in reading.results if not result.is_partial]
    days = {datetime.fromtimestamp(time / 1e6, tz=UTC).date() for time in times if time} or reading.local_days
    return sorted(day for day in days if day >= CLOCK_SET)


def find_unseen_run(files: Iterable[tuple[str, Reading]], day: date) -> str | None:
    """Return why a machine that was read on a day does not tell how it was when these files were measured, or None."""
    for path, reading in files:
        days = run_days(reading)
        if not days:
            return f"nothing in {path} states when it ran, and the machine was read on {day}"
        far = next((each for each in days if abs(each - day) > DAY), None)
        if far is not None:
            return f"{path} ran on {far}, and the machine was read on {day}"
    return None


def day_problems(submission: Submission, reads: list[FileRead]) -> Iterator[Problem]:
    """Report days in a manifest that the runs contradict, and facts of a machine that was read on another day."""
    if not submission.stands:
        return
    manifest, submitted_on = submission.manifest, submission.manifest["submitted_on"]
    tested_on, submitted = manifest["tested_on"], date.fromisoformat(submitted_on)
    month, submitted_month, is_raw = submission.id[:MONTH], submitted_on[:MONTH], manifest["source_type"] == RAW
    if month > submitted_month or (is_raw and month != submitted_month and not month.startswith(tested_on[:MONTH])):
        what = f"the folder is of {month}, and was submitted on {submitted_on}"
        remedy = f"Name it {submitted_month}{submission.id[MONTH:]}, or state the day on which you submit it."
        yield submission.problem(("submitted_on",), what, remedy, "R-FOLDER-3")
    files = [(read.path, read.reading) for read in reads if read.is_measured and read.reading is not None]
    days = [(path, day) for path, reading in files for day in run_days(reading)]
    latest = [max(days, key=lambda each: each[1])] if days else []
    collected = [("collected_on", date.fromisoformat(manifest["collected_on"]))] if "collected_on" in manifest else []
    for name, day in (*collected, *latest):
        if day > submitted + DAY:
            what = f"submitted_on is {submitted}, but {name} states {day}"
            yield submission.problem(("submitted_on",), what, "State the day on which you submit it.", RULE)
    first, last = span(tested_on) if tested_on != "unknown" else (date.min + DAY, date.max - DAY)
    if first > submitted + DAY:
        what = f"tested_on is {tested_on}, but submitted_on is {submitted}"
        yield submission.problem(("tested_on",), what, "State the day of the test, or unknown.", RULE)
    elif days and not any(first - DAY <= day <= last + DAY for _, day in days):
        path, day = min(days, key=lambda each: abs(each[1] - first))
        what = f"tested_on is {tested_on}, but {path} states {day}"
        remedy = "State the day of the file, or unknown when its clock was wrong."
        yield submission.problem(("tested_on",), what, remedy, RULE)
    # Before collected_on there was, manifests were handed in on the day of the runs.
    reason = find_unseen_run(files, collected[0][1] if collected else submitted)
    fact = next((path for path, fields, key in machine_values(manifest) if is_collected(fields[key])), None)
    if reason is not None and fact is not None:
        remedy = "Declare what was so when it ran (how_known: declared), or write {unknown: why}."
        place = ("collected_on",) if collected else fact
        yield submission.problem(place, f"{'.'.join(fact)} is collected, but {reason}", remedy, RULE)


def span(text: str) -> tuple[date, date]:
    """Return the first and the last day of a date that is written with or without month and day."""
    year, month, day = (int(part) for part in (*text.split("-"), "0", "0")[:3])
    end = date(year, month or 12, day or monthrange(year, month or 12)[1])
    return date(year, month or 1, day or 1), end


def machine_values(manifest: dict[str, Any]) -> Iterator[tuple[tuple[str, ...], dict[str, Any], str]]:
    """Give every value that describes the machine: its path, the map that holds it, and its key there."""
    for place, fields in stated_sections(manifest):
        own = fields.keys() - {"settings", "drives", "tool", "tool_version"} if place[2:] != ("method",) else ()
        yield from (((*place, field), fields, field) for field in fields if field in own)


def is_collected(stated: object) -> bool:
    """Say whether a value is tagged as read from the machine, or as inferred from what was read there."""
    if not isinstance(stated, dict) or not stated.keys() & {"value", "other", "none"}:
        return False
    is_inferred = stated.get("how_known") == "inferred" and str(stated.get("note")).startswith(FROM_NAMES)
    return is_inferred or stated.get("how_known") == "collected"
