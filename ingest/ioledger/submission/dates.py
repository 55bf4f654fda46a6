"""
Days of a manifest beside those of its runs: of the test, of the submission, and on which the machine was read.

What was read from a machine on one day tells nothing of runs on another. A submission that is superseded or retracted
is not compared: it is never edited, and its successor is.
"""

from __future__ import annotations

from calendar import monthrange
from datetime import UTC, date, datetime, timedelta
from typing import TYPE_CHECKING, Any

from ioledger.submission.manifest import stated_sections

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from ioledger.model import Reading
    from ioledger.problems import Problem
    from ioledger.submission.files import FileRead
    from ioledger.submission.manifest import Submission

RULE = "R-MANIFEST-8"
DAY = timedelta(days=1)
"""Between a day in a manifest and an instant in a file: the manifest's day is local, the instant is in UTC."""
MONTH = len("yyyy-mm")
RAW = "raw_tool_output"
CLOCK_SET = date(2000, 1, 1)
"""A time before the tools were written comes from a clock that was never set, and tells nothing."""
FROM_NAMES = "from the transport"
"""How the notes of ``ioledger collect`` begin on what it infers from what it read."""


def run_days(reading: Reading) -> list[date]:
    """
    Return the days (UTC) on which the runs of a file ended, or began where their end is not told; sorted.

    A file that prints no zone gives the days as its clock showed them, which differ from those by one at most.
    """
    times = [result.ended_at or result.started_at for result in reading.results if not result.is_partial]
    days = {datetime.fromtimestamp(time / 1e6, tz=UTC).date() for time in times if time} or reading.local_days
    return sorted(day for day in days if day >= CLOCK_SET)


def find_unseen_run(files: Iterable[tuple[str, Reading]], day: date) -> str | None:
    """
    Return why a machine that was read on a day does not tell how it was when these files were measured, by name.

    None when the runs of every file ended within a day of it.
    """
    for path, reading in files:
        days = run_days(reading)
        if not days:
            return f"nothing in {path} states when it ran, and the machine was read on {day}"
        far = next((each for each in days if abs(each - day) > DAY), None)
        if far is not None:
            return f"{path} ran on {far}, and the machine was read on {day}"
    return None


def day_problems(submission: Submission, reads: list[FileRead]) -> Iterator[Problem]:
    """
    Report days in a manifest that the runs contradict, and facts of a machine that was read on another day.

    A folder has the month of its test or its submission. A publication's is the month in which it came out, as far as
    that is known, and an excerpt may be named so too; both are no later than their submission.
    """
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
