"""
Decoding fio's JSON reports: their types, and the reports in a file.

Keys that are not listed are skipped without being decoded. Every key is optional, because versions differ; numbers are
bounded so that they fit the 64-bit columns. Latency keys with ``_ns`` are nanoseconds (2.99 and later), the bare ones
microseconds. Source: fio's ``stat.c``, ``show_thread_status_json()`` and ``add_ddir_status_json()``.

A report begins with ``{"fio version"``. fio writes notes before, between and after its reports, wrappers add theirs,
and status intervals append report after report. A regular file is one report and is decoded by type at once; everything
else is cut into reports, and each is decoded by type, else by the tolerant decoder (``json_repair``).
"""

from __future__ import annotations

import re
from itertools import pairwise
from typing import Annotated, NamedTuple

import msgspec

from ioledger.model import Finding, Refusal
from ioledger.readers.fio import json_repair
from ioledger.readers.fio.json_repair import Broken

START = re.compile(r'\{\s*"fio version"')
DOCUMENT_LIMIT = 10_000
MAX_OBJECTS, SMALL_BYTES = 300_000, 512 << 10
"""A report of a thousand jobs has some 60 000 objects; a small file cannot have many."""
LONGEST_OPTIONS = 1 << 20
"""All options that fio knows, several times over; the text of more is not taken from a regular file."""
_END = "\n}"
_NOTE = re.compile(r"^fio: .{0,200}", re.MULTILINE)

Count = Annotated[int, msgspec.Meta(ge=0, le=2**63 - 1)]
Whole = Annotated[int, msgspec.Meta(ge=-(2**63), le=2**63 - 1)]
Number = Annotated[float, msgspec.Meta(ge=0, le=2**63)]
Text = Annotated[str, msgspec.Meta(max_length=4096)]
"""A name; fio's own are much shorter."""
Percentiles = Annotated[dict[str, Number], msgspec.Meta(max_length=100)]
"""``percentile_list`` holds at most twenty."""
ABSENT = msgspec.Raw()
"""What a key that is not there decodes to; compare by identity."""


class Latency(msgspec.Struct, gc=False):
    """Latency statistics of one kind; ``bins`` stay undecoded until they are wanted."""

    min: Number | None = None
    max: Number | None = None
    mean: Number | None = None
    stddev: Number | None = None
    count: Count | None = msgspec.field(default=None, name="N")
    percentile: Percentiles | None = None
    bins: msgspec.Raw = ABSENT


class Direction(msgspec.Struct, gc=False):
    """What one operation did: ``read``, ``write``, ``trim``, ``sync`` or ``mixed``."""

    io_bytes: Count | None = None
    io_kbytes: Count | None = None
    bw_bytes: Count | None = None
    bw: Number | None = None
    iops: Number | None = None
    runtime: Count | None = None
    total_ios: Count | None = None
    slat_ns: Latency | None = None
    clat_ns: Latency | None = None
    lat_ns: Latency | None = None
    slat: Latency | None = None
    clat: Latency | None = None
    lat: Latency | None = None
    bw_min: Number | None = None
    bw_max: Number | None = None
    bw_mean: Number | None = None
    bw_dev: Number | None = None
    bw_samples: Count | None = None
    iops_min: Number | None = None
    iops_max: Number | None = None
    iops_mean: Number | None = None
    iops_stddev: Number | None = None
    iops_samples: Count | None = None


class SteadyState(msgspec.Struct, gc=False):
    """The steady-state criterion and whether it was met."""

    ss: Text | None = None
    attained: Count | None = None


class Job(msgspec.Struct, gc=False):
    """One object of ``jobs`` or ``client_stats``: a job, a group of jobs, or all clients."""

    jobname: Text | None = None
    groupid: Whole | None = None
    job_start: Count | None = None
    error: Whole | None = None
    total_err: Count | None = None
    options: msgspec.Raw = msgspec.field(default=ABSENT, name="job options")
    read: Direction | None = None
    write: Direction | None = None
    trim: Direction | None = None
    sync: Direction | None = None
    mixed: Direction | None = None
    job_runtime: Count | None = None
    usr_cpu: Number | None = None
    sys_cpu: Number | None = None
    latency_depth: Count | None = None
    latency_target: Count | None = None
    steadystate: SteadyState | None = None
    hostname: Text | None = None
    port: Whole | None = None


class Document(msgspec.Struct, gc=False):
    """One report."""

    version: Text | None = msgspec.field(default=None, name="fio version")
    timestamp: Count | None = None
    timestamp_ms: Count | None = None
    time: Text | None = None
    options: msgspec.Raw = msgspec.field(default=ABSENT, name="global options")
    jobs: list[Job] = []
    client_stats: list[Job] = []
    disk_util: msgspec.Raw = ABSENT


OPERATIONS = ("read", "write", "trim", "sync", "mixed")
DOCUMENT = msgspec.json.Decoder(Document)
BINS = msgspec.json.Decoder(dict[int, Count])
NAMED_BINS = msgspec.json.Decoder(dict[str, Count])


class Report(NamedTuple):
    """One report: its content, its text, where it stands, and what was seen while decoding it."""

    document: Document
    text: bytes
    start: int
    end: int
    findings: list[Finding]
    notes: tuple[str, ...] = ()
    """What fio itself wrote before the report: lines that begin with ``fio:``."""


class Reports(NamedTuple):
    """All reports of a file, and those that could not be read."""

    reports: list[Report]
    refusals: list[Refusal]


def is_too_full(data: bytes) -> bool:
    """Say whether a file opens more objects and lists than are read."""
    return len(data) > SMALL_BYTES and data.count(b"{") + data.count(b"[") > MAX_OBJECTS


def regular(data: bytes) -> Document | None:
    """
    Return the report that the whole file is, or null when the file is anything more or less, or may hide something.

    The decoder does not look at text that it leaves out, and of two values under one name it keeps the last. So the
    text must be UTF-8, and no job or direction may stand twice: every job has one ``jobname`` and every direction one
    ``io_bytes``. The tolerant decoder tells what stands twice.
    """
    if is_too_full(data):
        return None
    try:
        document = DOCUMENT.decode(data)
        is_text = data.isascii() or bool(data.decode())
    except (msgspec.MsgspecError, RecursionError, UnicodeDecodeError):
        return None
    names = sizes = 0
    longest = len(document.options)
    for job in document.jobs + document.client_stats:
        names += job.jobname is not None
        longest = max(longest, len(job.options))
        for direction in (job.read, job.write, job.trim, job.sync, job.mixed):
            sizes += direction is not None and direction.io_bytes is not None
    is_regular = (
        is_text
        and document.version is not None
        and longest <= LONGEST_OPTIONS
        and data.count(b'"jobname"') == names
        and data.count(b'"io_bytes"') == sizes
    )
    return document if is_regular else None


def split(text: str) -> Reports:
    """Return every report of a text; a report ends where the next begins, so each character is decoded once."""
    starts = [found.start() for found in START.finditer(text)]
    refusals: list[Refusal] = []
    if len(starts) > DOCUMENT_LIMIT:
        what = f"the file holds {len(starts):,} reports, more than the {DOCUMENT_LIMIT:,} that are read"
        refusals.append(Refusal("", what, "Split the file.", "R-FIO-LIMIT-1"))
        starts = []
    reports: list[Report] = []
    for start, limit in pairwise([*starts, len(text)]):
        try:
            report = _report(text[start:limit], start)
        except Broken as broken:
            refusals.append(_refusal(text, start, broken))
            continue
        before = text[reports[-1].end if reports else 0 : start]
        reports.append(report._replace(notes=tuple(_NOTE.findall(before))))
    return Reports(reports, refusals)


def _report(text: str, start: int) -> Report:
    closing = text.find(_END) + len(_END)
    data = text[:closing].encode("utf-8", "surrogatepass") if closing >= len(_END) else b""
    document = regular(data)
    if document is not None:
        return Report(document, data, start, start + closing, [])
    repaired, end, findings = json_repair.decode(text, DOCUMENT)
    return Report(repaired, text[:end].encode("utf-8", "surrogatepass"), start, start + end, findings)


def _refusal(text: str, start: int, broken: Broken) -> Refusal:
    place = start + broken.position
    line = text.count("\n", 0, place) + 1
    offset = len(text[:place].encode("utf-8", "surrogatepass"))
    first = text.count("\n", 0, start) + 1
    rule = "R-FIO-CUT-1" if broken.is_cut else "R-FIO-JSON-1"
    return Refusal(
        f"line {line}, byte {offset}",
        f"the report that begins on line {first} {broken.what}",
        "Submit the report whole and as fio wrote it.",
        rule,
    )
