"""
What a submitter should look at before a submission is published for ever; nothing of it is refused.

What is doubtful in the files: one line a rule, with how often it is so and where. What a submission tells of people and
machines: in the bytes of every listed file, the manifest's texts, and the paths. What stands for everybody, such as
``/home/user`` and ``127.0.0.1``, is left alone.
"""

from __future__ import annotations

import re
from collections import defaultdict
from typing import TYPE_CHECKING, Any

from ioledger.problems import Problem
from ioledger.submission import NAME
from ioledger.submission.files import load_submission
from ioledger.tables.schema import refusing

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping
    from pathlib import Path

    from ioledger.submission import Submission
    from ioledger.submission.files import FileRead

PRIVATE = "R-PRIVATE-1"
_PRIVATE_REMEDY = "Take the folder back if it must not be public; to be published again, run with neutral names."
NEUTRAL = frozenset(
    {"user", "username", "users", "you", "me", "test", "tester", "root", "runner", "ubuntu", "debian", "ec2-user"}
    | {"fio", "public", "shared", "localhost", "host", "hostname", "none", "null", "unknown", "n/a", "na", "example"}
    | {"127.0.0.1", "0.0.0.0"}  # noqa: S104  (nothing is opened)
)
"""Names that tell nobody."""
TRACES = {
    "a home folder": re.compile(
        rb"(?:/home/|/Users/|[A-Za-z]\\{0,2}:(?:\\{1,4}|/)Users(?:\\{1,4}|/))(?P<name>[\w.@-]{1,64})"
    ),
    "the serial number of a drive": re.compile(
        rb"/dev/disk/by-(?:id|diskseq)/(?P<name>[\w.+-]{8,120})"
        rb"|(?i:\bserial(?:[ _-]?(?:number|no))?[\"']?[ \t]*[:=][ \t]*[\"']?)(?P<named>[A-Za-z0-9][\w-]{5,40})"
        rb"|\b(?i:serial(?:[ _-](?:number|no\.?))?) (?P<prose>(?=[A-Z]*\d)(?=\d*[A-Z])[A-Z0-9]{8,20})\b"
        rb"|\b(?P<wwn>(?:eui|naa|wwn)[.-](?:0x)?[0-9a-fA-F]{16,32})\b"
    ),
    "a hardware address": re.compile(rb"(?<![\w:.-])(?P<name>(?:[0-9A-Fa-f]{2}:){5}[0-9A-Fa-f]{2})(?![\w:])"),
    "a network address": re.compile(
        rb"(?<![\w.])(?P<name>(?:10\.\d{1,3}|192\.168|172\.(?:1[6-9]|2\d|3[01]))(?:\.\d{1,3}){2})(?![\w.])"
        rb"|(?i:\b(?:host|hostname|ip|addr|address|server)[\"']?[ \t]*[:=][ \t]*[\"']?)"
        rb"(?P<named>\d{1,3}(?:\.\d{1,3}){3})(?![\w.])"
        rb"|(?<![\w:])(?P<local>fe80::[0-9A-Fa-f:]{4,40})"
        rb"|(?<![\w:])(?P<whole>(?:[0-9A-Fa-f]{1,4}:){7}[0-9A-Fa-f]{1,4})(?![\w:])"
        rb"|(?<![\w:])(?P<cut>(?:2[0-9a-fA-F]{3}|[fF][cdCD][0-9a-fA-F]{2})(?::[0-9A-Fa-f]{1,4}){0,5}::"
        rb"[0-9A-Fa-f:]{1,24})"
    ),
    "the name of a host": re.compile(
        rb"(?i:[\"']?\bhost[_ ]?name[\"']?[ \t]*[:=][ \t]*[\"']?)(?P<name>[A-Za-z][\w.-]{1,80})"
        rb"|(?<![\w.@/-])(?P<named>[A-Za-z][\w-]{0,62}(?:\.[\w-]{1,63}){0,5}\.(?:local|lan|internal|intranet|corp|home\.arpa))(?![\w-])"
    ),
    "an address of e-mail": re.compile(rb"(?<![\w.+-])(?P<name>[\w.+-]{1,64}@[\w-]{1,63}(?:\.[\w-]{2,63})+)"),
}
"""Kinds of traces, and patterns whose group that matched holds the name."""
CLUES = {
    "a home folder": re.compile(rb"/home/|Users"),
    "the serial number of a drive": re.compile(rb"[sS][eE][rR][iI][aA][lL]|/dev/disk/by-|eui|naa|wwn"),
    "a hardware address": re.compile(rb":[0-9A-Fa-f]{2}:[0-9A-Fa-f]{2}:"),
    "a network address": re.compile(rb"\.\d{1,3}\.\d{1,3}\.|(?<=[0-9A-Fa-f])::[0-9A-Fa-f:]|:(?:[0-9A-Fa-f]{1,4}:){3}"),
    "the name of a host": re.compile(rb"[hH][oO][sS][tT][_ ]?[nN]|\.(?:local|lan|in|corp|home)"),
    "an address of e-mail": re.compile(rb"@"),
}
"""What a line with such a trace holds in any case, which is found in a tenth of the time."""


def private_warnings(submission: Submission) -> Iterator[Problem]:
    """Give one line for each kind of trace in each file of a submission: the first place, and how many there are."""
    if not submission.stands:
        return
    lines = (submission.folder / NAME).read_bytes().splitlines(keepends=True)
    public = (b"submitted_by:", b"licence:")  # meant to be told
    manifest = b"".join(b"\n" if line.startswith(public) else line for line in lines)
    texts = {NAME: manifest, **submission.file_bytes}
    for path, data in texts.items():
        yield from _in_file(f"{submission.shown}/{path}", data)
    paths = "\n".join(submission.file_bytes).encode()
    yield from _in_file(f"{submission.shown}/{NAME}", paths, "files")


def private_warnings_of(folder: Path) -> list[Problem]:
    """Return the same for a folder that is sound; nothing for one that is not."""
    submission, _ = load_submission(folder)
    return list(private_warnings(submission)) if submission is not None else []


def _in_file(file: str, data: bytes, place: str = "") -> Iterator[Problem]:
    for kind, pattern in TRACES.items():
        found: dict[str, int] = {}
        for match in _matches(pattern, CLUES[kind], data):
            name = next(value for value in match.groupdict().values() if value is not None).decode("ascii", "replace")
            if name.casefold().partition(".")[0] not in NEUTRAL and name.casefold() not in NEUTRAL:
                found.setdefault(name, data.count(b"\n", 0, match.start()) + 1)
        if found:
            first, more = next(iter(found)), f", and {len(found) - 1} more" * (len(found) > 1)
            what = f"the file contains {kind}: {first[:64]}{more}"
            yield Problem(file, place or str(found[first]), what, _PRIVATE_REMEDY, PRIVATE)


def _matches(pattern: re.Pattern[bytes], clue: re.Pattern[bytes], data: bytes) -> Iterator[re.Match[bytes]]:
    """Give what a pattern finds in the lines that have its clue; no trace is longer than a line."""
    end = 0
    while (hint := clue.search(data, end)) is not None:
        start, end = data.rfind(b"\n", 0, hint.start()) + 1, data.find(b"\n", hint.end())
        end = end if end >= 0 else len(data)
        yield from pattern.finditer(data, start, end)


_DOUBT_REMEDY = "It is published with this warning; check that it was measured like this."


def reading_warnings(submission: Submission, reads: Iterable[FileRead]) -> Iterator[Problem]:
    """Give the warnings of what readers found in the results of a submission."""
    found: dict[str, list[tuple[str, str, str]]] = defaultdict(list)
    for read in reads:
        for finding in read.reading.warnings if read.reading is not None and read.role == "result" else ():
            if finding.rule not in refusing():
                found[finding.rule].append((f"{submission.shown}/{read.path}", finding.pointer, finding.message))
    yield from _group_by_rule(found)


def table_warnings(findings: Iterable[Mapping[str, Any]], shown: Mapping[str, str]) -> Iterator[Problem]:
    """Give the warnings of expectations; ``shown`` is the name of each submission that is asked about, by its id."""
    found: dict[tuple[str, str], list[tuple[str, str, str]]] = defaultdict(list)
    for row in findings:
        if (name := shown.get(row["submission_id"])) is not None:
            place = (f"{name}/{row['source_path']}", row["source_pointer"], row["message"].rstrip("."))
            found[name, row["rule_id"]].append(place)
    for (_, rule), places in sorted(found.items()):
        yield from _group_by_rule({rule: places})


def _group_by_rule(found: Mapping[str, list[tuple[str, str, str]]]) -> Iterator[Problem]:
    """Give a warning a rule: its first place and sentence, and how many more there are in how many files."""
    for rule, places in sorted(found.items()):
        file, place, what = places[0]
        files = len({each[0] for each in places})
        more = f" (and {len(places) - 1:,} more, in {files:,} file{'s' * (files > 1)})" if len(places) > 1 else ""
        yield Problem(file, place, f"{what}{more}", _DOUBT_REMEDY, rule)
