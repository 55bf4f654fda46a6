"""
Excerpts: results whose raw files lie elsewhere, under a licence that allows passing them on.

An excerpt states its origin: who measured, the repository and its commit, the licence, whose text lies beside it, and
what was left out. Every value that the raw files do not tell says what told it, because nobody who measured has seen
the manifest. Which licences allow it stands in ``schemas/licences.json``, by the identifiers of SPDX.
"""

from __future__ import annotations

import re
from functools import cache
from typing import TYPE_CHECKING, Any

import msgspec

from ioledger.readers import derived_csv
from ioledger.submission import stated_sections
from ioledger.submission.shape import line_of
from ioledger.tables.schema import SCHEMAS

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ioledger.problems import Problem
    from ioledger.submission import Submission
    from ioledger.submission.files import FileRead
    from ioledger.submission.safe_yaml import Path

LICENCE, LICENCE_RULE = "LICENCE", "R-ORIGIN-2"
"""The file that holds the text of the licence."""
MOST_BYTES = 5_000_000
"""Of one file of an excerpt, so that a person can review it."""
NAMED = re.compile(r"\b(?:files?|folders?|readme|papers?|pages?)\b", re.IGNORECASE)
"""What tells a value by itself; anything else only lets it be inferred."""
STATES = ("preconditioning", "preconditioning_class", "steady_state", "steady_state_class")
"""What the method says of the state of the drive, which no raw file tells."""


class _Licence(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    name: str
    may_be_passed_on: bool
    why: str | None = None


@cache
def licences() -> dict[str, _Licence]:
    """Return the licences that are known, by SPDX identifier."""
    return msgspec.json.decode((SCHEMAS / "licences.json").read_bytes(), type=dict[str, _Licence])


def how_known(known_from: str) -> str:
    """Say how a value is known: ``declared`` where a file, folder, README, paper or page tells it, or ``inferred``."""
    is_inferred = known_from.casefold().startswith("inferred") or not NAMED.search(known_from)
    return "inferred" if is_inferred else "declared"


def check_licence(stated: str) -> tuple[str, str] | None:
    """Return why results under a licence may not stand here, and the remedy; null where they may."""
    known = licences().get(stated)
    if known is None:
        remedy = "Write its SPDX identifier; one that allows passing on may be added to schemas/licences.json."
        return f"the licence {stated} is not known here", remedy
    if known.may_be_passed_on:
        return None
    what = f"under {stated} the results may not be passed on here: {known.why}"
    return what, "Ask the author for another licence."


def origin_problems(submission: Submission, reads: list[FileRead]) -> Iterator[Problem]:
    """Report what an excerpt lacks, and what only an excerpt has; nothing of a submission that does not stand."""
    if not submission.stands:
        return
    yield from _kinds(submission, reads)
    has_origin = "origin" in submission.manifest
    if submission.is_excerpt and has_origin:
        yield from _licence(submission)
        yield from _sources(submission)
    elif submission.is_excerpt:
        remedy = "State the place of the raw files: origin:"
        yield submission.problem(("source_type",), "an excerpt states its origin", remedy, "R-ORIGIN-1")
    elif has_origin:
        yield submission.problem(
            ("origin",), "only an excerpt has an origin", "Remove it, or state excerpt.", "R-ORIGIN-1"
        )


def _kinds(submission: Submission, reads: list[FileRead]) -> Iterator[Problem]:
    """Report raw files in an excerpt, one without rows, excerpts elsewhere, and those too large to be reviewed."""
    readings = [read.reading for read in reads if read.reading is not None]
    if submission.is_excerpt and not any(each.results or each.refusals for each in readings):
        what = "the source type is excerpt, and no file has its rows"
        yield submission.problem(("source_type",), what, "List excerpt.csv with the role result.", "R-ORIGIN-4")
    for read in reads:
        place = ("files", read.index, "path")
        is_excerpt = read.reading is not None and read.reading.tool == derived_csv.TOOL
        if is_excerpt and read.size > MOST_BYTES:
            what = f"{read.path} has {read.size:,} bytes, more than the {MOST_BYTES:,} that can be reviewed"
            yield submission.problem(place, what, "Split it: excerpt-1.csv, excerpt-2.csv.", "R-ORIGIN-5")
        if is_excerpt and not submission.is_excerpt:
            what = f"{read.path} is an excerpt, and the source type is {submission.manifest['source_type']}"
            yield submission.problem(place, what, "State source_type: excerpt, and the origin.", "R-ORIGIN-4")
        elif submission.is_excerpt and not is_excerpt and read.role in {"result", "preparation", "log"}:
            what = f"{read.path} is a raw file, and the source type is excerpt"
            yield submission.problem(place, what, "Hand it in as a submission of its own.", "R-ORIGIN-4")


def _licence(submission: Submission) -> Iterator[Problem]:
    manifest, place = submission.manifest, ("origin", "licence")
    stated: str = manifest["origin"]["licence"]
    if (found := check_licence(stated)) is not None:
        yield submission.problem(place, *found, LICENCE_RULE)
    if manifest["licence"] != stated:
        what = f"the licence is {manifest['licence']}, that of the raw files {stated}"
        yield submission.problem(("licence",), what, "State the licence of the raw files.", LICENCE_RULE)
    entries = {entry["path"]: entry.get("role", "result") for entry in manifest["files"]}
    if entries.get(LICENCE) != "attachment" or not submission.file_bytes[LICENCE].strip():
        what = f"the folder of the excerpt lacks the text of the licence as {LICENCE}"
        yield submission.problem(place, what, "Add it, and list it with the role attachment.", "R-ORIGIN-3")


def _sources(submission: Submission) -> Iterator[Problem]:
    """Report each value that does not name its source, or says it otherwise than how it is known, once."""
    seen = set[tuple[int, Any]]()
    for path, stated in _values(submission.manifest):
        here, name = (line_of(path, submission.lines), path[-1]), ".".join(map(str, path))
        is_unknown = stated == "unknown" or (isinstance(stated, dict) and "value" not in stated)
        if here in seen or is_unknown:  # several configurations may have it from the defaults
            continue
        seen.add(here)
        if not isinstance(stated, dict) or "known_from" not in stated:
            remedy = "Write {value: …, how_known: …, known_from: …}, with the file, folder, page or paper."
            yield submission.problem(path, f"{name} does not name its source", remedy, "R-ORIGIN-6")
        elif stated.get("how_known") != (how := how_known(stated["known_from"])):
            what = f"{name} is {stated.get('how_known', 'plainly stated')}, and known from {stated['known_from']}"
            yield submission.problem(path, what, f"State how_known: {how}, or another source.", "R-ORIGIN-6")


def _values(manifest: dict[str, Any]) -> Iterator[tuple[Path, Any]]:
    """Give every value that must say what told it: of devices, systems, storage, software, and the drive's state."""
    for path, fields in stated_sections(manifest):
        wanted = STATES if path[2:] == ("method",) else fields.keys() - {"drives", "settings"}
        if path[2:3] != ("settings",):
            yield from (((*path, field), stated) for field, stated in fields.items() if field in wanted)
