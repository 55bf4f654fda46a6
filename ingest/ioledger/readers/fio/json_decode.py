"""
Decoding fio's JSON reports: their types, and the reports in a file.

Keys that are not listed are skipped without being decoded. Every key is optional, because versions differ; numbers are
bounded so that they fit the 64-bit columns. Latency keys with ``_ns`` are nanoseconds (2.99 and later), the bare ones
microseconds. Source: fio's ``stat.c``, ``show_thread_status_json()`` and ``add_ddir_status_json()``.

A report begins with ``{"fio version"``. fio writes notes before, between and after its reports, wrappers add theirs,
and status intervals append report after report. A regular file is one report and is decoded by type at once; everything
else is cut into reports, and each is decoded by type, else by the tolerant decoder.
"""

from __future__ import annotations

import json
import math
import re
from functools import partial
from itertools import pairwise
from operator import attrgetter
from typing import TYPE_CHECKING, Annotated, Any, NamedTuple

import msgspec

from ioledger.model import Finding, Refusal

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

_LONGEST_NUMBER = 400
_BOUND = 2**63
_MISFITS = (" of length <= ", ">= 0")
"""Words of msgspec about a value that is more than of another type."""
_MISFIT_LIMIT = 100
_STEP = re.compile(r"\.([^.\[\]]+)|\[(\d+|\.\.\.)\]")
_CUT = "is cut off here"
_DEEP = "is nested deeper than any report of fio"
_SHOWN, _LONGEST = 5, 60
_OPTIONS = {"global options", "job options"}


def _whole(digits: str) -> int | None:
    value = int(digits) if len(digits) < _LONGEST_NUMBER else _BOUND
    return value if -_BOUND <= value < _BOUND else None


NUMBERS: dict[str, Any] = {
    "parse_int": _whole,
    "parse_float": lambda digits: value if math.isfinite(value := float(digits)) else None,
    "parse_constant": lambda _: None,
}  # fmt: skip
"""How the standard library is to read numbers: null for those that no column can hold."""


class Broken(Exception):  # noqa: N818  (a place in a text, always caught; no error of the program)
    """The text is no report: its arguments are where and why."""


def decode(text: str) -> tuple[Document, int, list[Finding]]:
    """Return the report at the start of a text, where it ends, and findings; raise :class:`Broken` without one."""
    findings: list[Finding] = []
    value, end = _json(text, findings)
    try:
        if names := sorted(set(_twice(value))):
            shown = ", ".join(ascii(name[:_LONGEST]) for name in names[:_SHOWN]) + (" …" if len(names) > _SHOWN else "")
            text = f"keys appear twice in one object with different values; the last value is used: {shown}"
            findings.append(Finding("R-FIO-LINE-2", text))
        return _convert_report(_with_raw_options(value), findings), end, findings
    except RecursionError:
        raise Broken(0, _DEEP) from None


def _json(text: str, findings: list[Finding]) -> tuple[dict[str, Any], int]:
    """Return the object at the start of a text and where it ends."""
    odd: list[str] = []

    def note_odd(parse: Callable[[str], float | None], digits: str) -> float | None:
        if (value := parse(digits)) is None:
            odd.append(digits)
        return value

    for strict in (True, False):
        hooks = {name: partial(note_odd, parse) for name, parse in NUMBERS.items()}
        decoder = json.JSONDecoder(strict=strict, object_pairs_hook=_object_of_pairs, **hooks)
        odd.clear()
        try:
            value, end = decoder.raw_decode(text)
        except json.JSONDecodeError as error:
            if strict and error.msg.startswith("Invalid control character"):
                findings.append(Finding("R-FIO-LINE-2", "a text has raw control characters, which JSON forbids"))
                continue
            length = len(text.rstrip())
            if error.pos >= length or error.msg.startswith("Unterminated string"):
                raise Broken(length, _CUT) from None
            raise Broken(error.pos, f"is not JSON here: {error.msg}") from None
        except RecursionError:
            raise Broken(0, _DEEP) from None
        break
    if odd:
        message = f"{len(odd)} numbers fit no column ({odd[0][:20]} …) and count as not measured"
        findings.append(Finding("R-FIO-LINE-2", message))
    return value, end


def _convert_report(value: dict[str, Any], findings: list[Finding]) -> Document:
    """Return a report as its types; each value that does not fit is left out with a finding."""
    for _ in range(_MISFIT_LIMIT):
        try:
            return DOCUMENT.decode(msgspec.json.encode(value))
        except msgspec.ValidationError as error:
            message, _, path = str(error).rpartition(" - at `")
            steps = [name or int(index) for name, index in _STEP.findall(path.rstrip("`")) if index != "..."]
            if not steps or not _left_out(value, steps):
                break
            pointer = "/" + "/".join(map(str, steps))
            rule = "R-FIO-LINE-1" if any(words in message for words in _MISFITS) else "R-FIO-LINE-2"
            findings.append(Finding(rule, f"{pointer} is not what fio writes ({message}) and is excluded"))
    raise Broken(0, "has values that are not those of a report")


def _left_out(value: Any, steps: list[str | int]) -> bool:  # noqa: ANN401  (any JSON value passes through)
    """Remove what stands at a path; say whether something did."""
    for step in steps[:-1]:
        value = value[step]
    return value.pop(steps[-1], value) is not value if isinstance(value, dict) else bool(value.pop(steps[-1]))


class _DuplicateKeys(dict[str, Any]):
    """An object that gives a name twice: a dictionary in which the last wins, and all pairs."""

    pairs: list[tuple[str, Any]]


def _object_of_pairs(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """Return an object from its pairs, as a :class:`_DuplicateKeys` when a name stands in it twice."""
    found = {_sound(name): _sound(value) for name, value in pairs}
    if len(found) == len(pairs):
        return found
    every = _DuplicateKeys(found)
    every.pairs = [(_sound(name), _sound(value)) for name, value in pairs]
    return every


def _sound(value: Any) -> Any:  # noqa: ANN401  (any JSON value passes through)
    """Return text without lone surrogates, which no encoding can hold; anything else as it is."""
    if isinstance(value, str) and not value.isascii():
        return value.encode("utf-8", "replace").decode()
    return [_sound(part) for part in value] if isinstance(value, list) else value


def _with_raw_options(value: dict[str, Any]) -> dict[str, Any]:
    """Return a report whose options are raw JSON again, every pair of a repeated name included."""
    found = {name: _raw(each) if name in _OPTIONS else each for name, each in value.items()}
    for name in ("jobs", "client_stats"):
        if isinstance(found.get(name), list):
            found[name] = [_with_raw_options(job) if isinstance(job, dict) else job for job in found[name]]
    return found


def _raw(options: object) -> msgspec.Raw:
    if isinstance(options, list):
        return msgspec.Raw(b"[" + b",".join(bytes(_raw(part)) for part in options) + b"]")
    pairs = options.pairs if isinstance(options, _DuplicateKeys) else options
    if not isinstance(pairs, list):
        return msgspec.Raw(msgspec.json.encode(pairs))
    each = [msgspec.json.encode(name) + b":" + msgspec.json.encode(value) for name, value in pairs]
    return msgspec.Raw(b"{" + b",".join(each) + b"}")


def _twice(report: dict[str, Any]) -> Iterator[str]:
    """Give the keys of a report, options left out, that stand twice in an object and differ."""
    waiting: list[Any] = [report]
    while waiting:
        value = waiting.pop()
        if isinstance(value, _DuplicateKeys):
            first: dict[str, Any] = {}
            for name, each in value.pairs:
                if name in first and (isinstance(each, dict | list) or first[name] != each):
                    yield name
                first[name] = each
        if isinstance(value, dict):
            waiting += [each for name, each in value.items() if name not in _OPTIONS]
        elif isinstance(value, list):
            waiting += value


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
directions_of = attrgetter(*OPERATIONS)
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


def is_too_full(data: bytes) -> bool:
    """Say whether a file opens more objects and lists than are read."""
    return data.count(b"{") + data.count(b"[") > MAX_OBJECTS


def regular(data: bytes) -> Document | None:
    """
    Return the report that the whole file is, or null when the file is anything more or less, or may hide something.

    The decoder does not look at text that it leaves out, and of two values under one name it keeps the last. So the
    text must be UTF-8, and no job or direction may stand twice: every job has one ``jobname`` and every direction one
    ``io_bytes``. The tolerant decoder tells what stands twice.
    """
    if len(data) > SMALL_BYTES and is_too_full(data):
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
        for direction in directions_of(job):
            sizes += direction is not None and direction.io_bytes is not None
    is_regular = (
        is_text
        and document.version is not None
        and longest <= LONGEST_OPTIONS
        and data.count(b'"jobname"') == names
        and data.count(b'"io_bytes"') == sizes
    )
    return document if is_regular else None


def split(text: str) -> tuple[list[Report], list[Refusal]]:
    """Return every report of a text, and what cannot be read; a report ends where the next begins."""
    starts = [found.start() for found in START.finditer(text)]
    if len(starts) > DOCUMENT_LIMIT:
        what = f"the file holds {len(starts):,} reports, more than the {DOCUMENT_LIMIT:,} that are read"
        return [], [Refusal("", what, "Split the file.", "R-FIO-LIMIT-1")]
    reports: list[Report] = []
    refusals: list[Refusal] = []
    for start, limit in pairwise([*starts, len(text)]):
        try:
            report = _report(text[start:limit], start)
        except Broken as broken:
            place, why = start + broken.args[0], broken.args[1]
            offset = len(text[:place].encode("utf-8", "surrogatepass"))
            line, first = (text.count("\n", 0, at) + 1 for at in (place, start))
            what = f"the report that begins on line {first} {why}"
            rule = "R-FIO-CUT-1" if why == _CUT else "R-FIO-JSON-1"
            remedy = "Submit the report whole and as fio wrote it."
            refusals.append(Refusal(f"line {line}, byte {offset}", what, remedy, rule))
            continue
        before = text[reports[-1].end if reports else 0 : start]
        reports.append(report._replace(notes=tuple(_NOTE.findall(before))))
    return reports, refusals


def _report(text: str, start: int) -> Report:
    closing = text.find(_END) + len(_END)
    data = text[:closing].encode("utf-8", "surrogatepass") if closing >= len(_END) else b""
    document = regular(data)
    if document is not None:
        return Report(document, data, start, start + closing, [])
    repaired, end, findings = decode(text)
    return Report(repaired, text[:end].encode("utf-8", "surrogatepass"), start, start + end, findings)
