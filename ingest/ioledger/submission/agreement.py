"""
What a manifest states beside what its own files tell: one rule, asked in one place.

Each field that a file can tell has a comparison. A file that does not tell, and a value that is unknown, contradict
nothing; a time may differ by what it takes to start and to drain; text agrees when it names what the file names. A
submission that does not stand any more is not asked: it is never edited, and its successor is.
"""

from __future__ import annotations

from datetime import UTC, date, datetime, timedelta
from typing import TYPE_CHECKING, Any, NamedTuple

from ioledger.problems import Problem
from ioledger.submission import telling
from ioledger.submission.facts import known
from ioledger.submission.shape import line_of
from ioledger.submission.states import stands

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from ioledger.readers.base import Reading, Result
    from ioledger.submission.gather import FileRead
    from ioledger.submission.manifest import Submission

RULE = "R-MANIFEST-8"
DAY = timedelta(days=1)
"""Between a day in a manifest and an instant in a file: the manifest's day is local, the instant is in UTC."""
CLOCK_SET = date(2000, 1, 1)
"""A time before the tools were written comes from a clock that was never set, and tells nothing."""
FROM_NAMES = frozenset({"from the transport or the model's name", "from the transport and the model's name"})
"""Notes of ``ioledger collect`` on what it infers from what it read."""
REMEDY = "State what the file tells, give the file a configuration of its own, or write {unknown: why}."
FIELDS: dict[tuple[str, str], Callable[[Any, Reading, list[Result]], telling.Told | None]] = {
    ("software", "tool"): telling.tool,
    ("software", "tool_version"): telling.tool_version,
    ("method", "cache_bypass"): telling.cache_bypass,
    ("method", "process_count"): telling.process_count,
    ("method", "run_time_seconds"): telling.run_time,
    ("method", "ramp_seconds"): telling.ramp,
    ("method", "measurement_area_bytes"): telling.area_bytes,
    ("method", "unit_base"): telling.unit_base,
    ("method", "latency_kind"): telling.latency_kind,
    ("method", "load_axis"): telling.load_axis,
    ("method", "data_pattern"): telling.data_pattern,
}
"""What is compared, by section and field: each returns what the file tells when it contradicts the value, else None."""


class Contradiction(NamedTuple):
    """A value of a configuration and what a file tells instead, with the place in the file."""

    section: str
    field: str
    stated: object
    path: str
    told: telling.Told


def contradictions(configuration: dict[str, Any], files: Iterable[tuple[str, Reading]]) -> list[Contradiction]:
    """Return what the readings of these files, by name, contradict in a configuration; each field and file once."""
    found = []
    for path, reading in files:
        results = [result for result in reading.results if result.is_canonical and not result.is_partial]
        for (section, field), contradicted in FIELDS.items() if results else ():
            stated = known(configuration.get(section, {}).get(field, "unknown"), "").value
            if stated is None or stated == "unknown":
                continue
            told = contradicted(stated, reading, results)
            if told is not None:
                found.append(Contradiction(section, field, stated, path, told))
    return found


def problems(submission: Submission, reads: list[FileRead], shown: str) -> Iterator[Problem]:
    """Report every value of a manifest that a file of the submission contradicts, once, at the first such file."""
    if not stands(submission.manifest):
        return
    measured = [read for read in reads if _is_measured(read)]
    where = f"{shown}/manifest.yaml"
    for name, configuration in submission.manifest["configurations"].items():
        mine = [read for read in measured if read.entry.get("configuration") == name]
        files = [(read.entry["path"], read.reading) for read in mine if read.reading is not None]
        by_field: dict[tuple[str, str], list[Contradiction]] = {}
        for each in contradictions(configuration, files):
            by_field.setdefault((each.section, each.field), []).append(each)
        for (section, field), found in by_field.items():
            path = ("configurations", name, section, field)
            place = str(line_of(path, submission.lines))
            yield Problem(where, place, _told(".".join(path), found), REMEDY, RULE)
        yield from _repetitions(submission, name, mine, where)
    yield from _days(submission, measured, where)


def _is_measured(read: FileRead) -> bool:
    """Say whether a file is the output of a tool that measured: publications state what a paper says of many runs."""
    return read.entry.get("role", "result") == "result" and read.reading is not None and bool(read.reading.results)


def _told(place: str, found: list[Contradiction]) -> str:
    first = found[0]
    more = f", and {len(found) - 1} more files differ" if len(found) > 1 else ""
    at = f" ({first.told.place})" if first.told.place else ""
    return f"{place} is {first.stated}, but {first.path}{at} tells {first.told.text}{more}"


def _repetitions(submission: Submission, name: str, mine: list[FileRead], where: str) -> Iterator[Problem]:
    """Report a file whose repetition is above the stated number of repetitions."""
    path = ("configurations", name, "method", "repetition_count")
    stated = known(submission.manifest["configurations"][name]["method"]["repetition_count"], "").value
    highest = max(mine, key=lambda read: read.entry.get("repetition", 0), default=None)
    if stated is not None and highest is not None and highest.entry.get("repetition", 0) > stated:
        what = f"{'.'.join(path)} is {stated}, but {highest.entry['path']} is repetition {highest.entry['repetition']}"
        yield Problem(where, str(line_of(path, submission.lines)), what, REMEDY, RULE)


def run_days(reading: Reading) -> list[date]:
    """
    Return the days (UTC) on which the runs of a file ended, or began where their end is not told; sorted.

    A file that prints no zone gives the days as its clock showed them, which differ from those by one at most.
    """
    times = [result.ended_at or result.started_at for result in reading.results if not result.is_partial]
    days = {datetime.fromtimestamp(time / 1e6, tz=UTC).date() for time in times if time} or reading.local_days
    return sorted(day for day in days if day >= CLOCK_SET)


def unseen(files: Iterable[tuple[str, Reading]], day: date) -> str | None:
    """
    Return why a machine that was read on a day does not tell how it was when these files were measured, by name.

    None when the runs of every file ended within a day of it.
    """
    for path, reading in files:
        days = run_days(reading)
        if not days:
            return f"nothing in {path} tells when it ran, and the machine was read on {day}"
        far = next((each for each in days if abs(each - day) > DAY), None)
        if far is not None:
            return f"{path} ran on {far}, and the machine was read on {day}"
    return None


def _days(submission: Submission, measured: list[FileRead], where: str) -> Iterator[Problem]:
    manifest = submission.manifest
    days = [(read.entry["path"], day) for read in measured if read.reading for day in run_days(read.reading)]
    yield from _tested(manifest, days, where, str(line_of(("tested_on",), submission.lines)))
    # Before collected_on there was, manifests were handed in on the day of the runs.
    seen = date.fromisoformat(manifest.get("collected_on", manifest["submitted_on"]))
    yield from _order(submission, days, where)
    reason = unseen(((read.entry["path"], read.reading) for read in measured if read.reading), seen)
    if reason is not None and (path := _collected_fact(manifest)) is not None:
        remedy = "Declare what was so when it ran (how_known: declared), or write {unknown: why}."
        place = line_of(("collected_on",) if "collected_on" in manifest else path, submission.lines)
        yield Problem(where, str(place), f"{'.'.join(path)} is collected, but {reason}", remedy, RULE)


def _order(submission: Submission, days: list[tuple[str, date]], where: str) -> Iterator[Problem]:
    """Report a run, and a reading of the machine, on a later day than the submission."""
    manifest = submission.manifest
    stated = [("collected_on", date.fromisoformat(manifest["collected_on"]))] if "collected_on" in manifest else []
    latest = max(days, key=lambda each: each[1], default=None)
    later = [*stated, *([latest] if latest is not None else [])]
    submitted = date.fromisoformat(manifest["submitted_on"])
    for name, day in later:
        if day > submitted + DAY:
            what = f"submitted_on is {submitted}, but {name} tells {day}"
            place = str(line_of(("submitted_on",), submission.lines))
            yield Problem(where, place, what, "State the day on which you submit it.", RULE)


def _tested(manifest: dict[str, Any], days: list[tuple[str, date]], where: str, place: str) -> Iterator[Problem]:
    """Report a day of the test after the submission, or on which and beside which no file was measured."""
    if manifest["tested_on"] == "unknown":
        return
    first, last = span(manifest["tested_on"])
    submitted = date.fromisoformat(manifest["submitted_on"])
    if first > submitted + DAY:
        what = f"tested_on is {manifest['tested_on']}, but submitted_on is {submitted}"
        yield Problem(where, place, what, "State the day of the test, or unknown.", RULE)
    elif days and not any(first - DAY <= day <= last + DAY for _, day in days):
        path, day = min(days, key=lambda each: abs(each[1] - first))
        what = f"tested_on is {manifest['tested_on']}, but {path} tells {day}"
        yield Problem(
            where, place, what, "State the day that the file tells, or unknown when its clock was wrong.", RULE
        )


def span(text: str) -> tuple[date, date]:
    """Return the first and the last day of a date that is written with or without month and day."""
    year, month, day = (int(part) for part in (*text.split("-"), "0", "0")[:3])
    if day:
        return date(year, month, day), date(year, month, day)
    if month:
        following = date(year + month // 12, month % 12 + 1, 1)
        return date(year, month, 1), following - timedelta(days=1)
    return date(year, 1, 1), date(year, 12, 31)


def machine_values(manifest: dict[str, Any]) -> Iterator[tuple[tuple[str, ...], dict[str, Any], str]]:
    """Give every value that describes the machine: its path, the map that holds it, and its key there."""
    for kind in ("systems", "devices"):
        for name, fields in manifest[kind].items():
            yield from (((kind, name, field), fields, field) for field in fields if field != "settings")
            for scope, named in fields.get("settings", {}).items():
                yield from (((kind, name, "settings", scope, field), named, field) for field in named)
    for name, configuration in manifest["configurations"].items():
        for section in ("storage", "software"):
            fields = configuration.get(section, {})
            told_by_files = {"drives", "tool", "tool_version"}
            place = ("configurations", name, section)
            yield from (((*place, field), fields, field) for field in fields if field not in told_by_files)


def _collected_fact(manifest: dict[str, Any]) -> tuple[str, ...] | None:
    """Return the place of the first value that is tagged as read from the machine."""
    return next((path for path, fields, key in machine_values(manifest) if is_collected(fields[key])), None)


def is_collected(stated: object) -> bool:
    """Say whether a value is tagged as read from the machine, or as inferred from what was read there."""
    if not isinstance(stated, dict) or "value" not in stated:
        return False
    known_from_names = str(stated.get("note")).partition(";")[0] in FROM_NAMES
    return stated.get("how_known") == "collected" or (stated.get("how_known") == "inferred" and known_from_names)
