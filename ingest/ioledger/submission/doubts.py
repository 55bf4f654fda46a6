"""
What is doubtful in the files of a submission and refuses nothing: one line a rule, with how often it is so and where.

Readers tell it of results, expectations of loads; both are published as warnings beside the numbers, and their
submitter should have seen them before.
"""

from __future__ import annotations

from collections import defaultdict
from typing import TYPE_CHECKING, Any

from ioledger.problems import Problem
from ioledger.rules import refusing

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from ioledger.submission.files import FileRead
    from ioledger.submission.manifest import Submission

REMEDY = "It is published with this warning; check that it was measured like this."


def of_files(submission: Submission, reads: Iterable[FileRead]) -> Iterator[Problem]:
    """Give the warnings of what readers found in the results of a submission."""
    found: dict[str, list[tuple[str, str, str]]] = defaultdict(list)
    for read in reads:
        for finding in read.reading.warnings if read.reading is not None and read.role == "result" else ():
            if finding.rule not in refusing():
                found[finding.rule].append((f"{submission.shown}/{read.path}", finding.pointer, finding.message))
    yield from _grouped(found)


def of_tables(findings: Iterable[Mapping[str, Any]], shown: Mapping[str, str]) -> Iterator[Problem]:
    """Give the warnings of expectations; ``shown`` is the name of each submission that is asked about, by its id."""
    found: dict[tuple[str, str], list[tuple[str, str, str]]] = defaultdict(list)
    for row in findings:
        if (name := shown.get(row["submission_id"])) is not None:
            place = (f"{name}/{row['source_path']}", row["source_pointer"], row["message"].rstrip("."))
            found[name, row["rule_id"]].append(place)
    for (_, rule), places in sorted(found.items()):
        yield from _grouped({rule: places})


def _grouped(found: Mapping[str, list[tuple[str, str, str]]]) -> Iterator[Problem]:
    """Give a warning a rule: its first place and sentence, and how many more there are in how many files."""
    for rule, places in sorted(found.items()):
        file, place, what = places[0]
        files = len({each[0] for each in places})
        more = f" (and {len(places) - 1:,} more, in {files:,} file{'s' * (files > 1)})" if len(places) > 1 else ""
        yield Problem(file, place, f"{what}{more}", REMEDY, rule)
