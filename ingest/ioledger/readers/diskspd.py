"""
DiskSpd: the report written by ``diskspd -Rxml``.

Claims  ``<Results>`` with a system, profile or time span; the text report and bare profiles too, to say why not.
Emits   one result per time span, target and operation that did any I/O; for several targets also their sum, marked
        as such, because percentiles are known for all targets together only.
Units   bytes, counts, seconds; latencies in milliseconds, shares in percent.
Source  DiskSpd's ``XmlResultParser.cpp`` and ``Target::GetXml()``. ``-o`` counts per thread and target, with ``-O``
        per thread. ``Random`` states the order of addresses; ``RandomAccess`` is only a hint to the cache.
"""

from __future__ import annotations

import json
import re
from collections import defaultdict
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any, NamedTuple, cast

from ioledger.readers.base import Believed, Finding, Premises, Reading, Refusal, Result, Tolerances, narrow
from ioledger.readers.units import MILLI

if TYPE_CHECKING:
    from collections.abc import Iterator
    from xml.etree.ElementTree import Element

    from ioledger.readers.base import Source

TOOL = "diskspd"
FORMATS = ("XML report (-Rxml), 2.0.21 and later",)
BELIEVED = Believed(
    rules={
        "latency_within_run": "R-DISKSPD-8",
        "bytes_are_blocks": "R-DISKSPD-6",
        "mean_lies_between": "R-DISKSPD-10",
        "percentiles_rise": "R-DISKSPD-11",
        "percentiles_lie_between": "R-DISKSPD-11",
        "machine_is_idle": "R-DISKSPD-9",
        "not_more_outstanding": "R-DISKSPD-12",
        "not_fewer_outstanding": "R-DISKSPD-12",
        "mix_is_the_one_declared": "R-DISKSPD-13",
        "run_lasts_as_asked": "R-DISKSPD-14",
    },
    formats={"": Tolerances(is_load_shared=True, depth_low=0.9, least_operations=100, time_high=1.1)},
)
MAX_BYTES, MAX_ELEMENTS, MAX_DEPTH = 24 << 20, 1_000_000, 32
_CHUNK = 1 << 16
_TEXT = (b"Results for timespan", b"<TimeSpans>")
_PARTS = (b"<System>", b"<Profile>", b"<TimeSpan>")
_WHOLE, _NUMBER = re.compile(r"\d{1,18}"), re.compile(r"\d{1,15}(?:\.\d{1,9})?")
_BARE_AND = re.compile(r"&(?!(?:amp|lt|gt|quot|apos|#\d{1,7});)")
_COUNTS = ("ReadCount", "ReadBytes", "WriteCount", "WriteBytes")
_UNSAFE = re.compile(r"<!DOCTYPE|<!ENTITY")
_CUT = "the report ends before </Results>"
_UNEDITED = "Submit the report as DiskSpd wrote it"


class _Part(NamedTuple):
    """What a pair of results (reads and writes) covers: place, pairs of thread and target, columns."""

    place: str
    pairs: list[Element]
    columns: dict[str, Any]


def claims(head: bytes) -> bool:
    """Say whether these bytes are a DiskSpd report or profile (UTF-16 included, which PowerShell's ``>`` writes)."""
    plain = narrow(head)
    is_report = b"<Results>" in plain and any(part in plain for part in _PARTS)
    return is_report or any(token in plain for token in _TEXT)


def read(source: Source) -> Reading:
    """Read every report in the file; a report with a fault gives no results."""
    reading = Reading(tool=TOOL, source_format="xml")
    if len(source.data) > MAX_BYTES:
        what = f"the file has {len(source.data):,} bytes, more than the {MAX_BYTES:,} that are read"
        reading.refusals.append(Refusal("", what, "Leave out -D or shorten the run.", "R-DISKSPD-1"))
        return reading
    text, reading.encoding = source.decode()
    if unsafe := _UNSAFE.search(text):
        what = f"{unsafe[0]} declares what DiskSpd never writes"
        place = f"line {text.count(chr(10), 0, unsafe.start()) + 1}"
        reading.refusals.append(Refusal(place, what, f"{_UNEDITED}.", "R-DISKSPD-2"))
        return reading
    for index, (line, document) in enumerate(_documents(text)):
        reading.document_count += 1
        root = _tree(document)
        if isinstance(root, str):
            reading.refusals.append(Refusal(f"line {line}", root, f"{_UNEDITED}.", "R-DISKSPD-2"))
        else:
            _read_document(root, index, reading)
    if not reading.document_count:
        what = "this is not DiskSpd's XML report: the text report rounds its figures, and a profile holds none"
        reading.refusals.append(Refusal("", what, "Run diskspd with -Rxml.", "R-DISKSPD-3"))
    return reading


def _documents(text: str) -> Iterator[tuple[int, str]]:
    """Give each report with the line it starts on; a report without an end reaches to the end of the text."""
    line, counted, start = 1, 0, text.find("<Results>")
    while start >= 0:
        end = text.find("</Results>", start)
        end = len(text) if end < 0 else end + len("</Results>")
        line, counted = line + text.count("\n", counted, start), start
        yield line, text[start:end]
        start = text.find("<Results>", end)


def _tree(text: str) -> Element | str:
    """Return a report as a tree, or say why it is none."""
    from xml.etree.ElementTree import ParseError  # noqa: PLC0415  (files of other tools are read without XML)

    if not text.endswith("</Results>"):
        return _CUT
    try:
        return _grown(_BARE_AND.sub("&amp;", text))  # DiskSpd writes paths without escaping them
    except ParseError as error:
        return f"the XML is broken ({error}, counted from here)"


def _grown(text: str) -> Element | str:
    """Return the root element, without the interval samples; raise ParseError for broken XML."""
    from xml.etree.ElementTree import XMLPullParser  # noqa: PLC0415

    parser: XMLPullParser[Any] = XMLPullParser(("start", "end"))
    depth = count = 0
    root: Element | None = None
    for begin in range(0, len(text), _CHUNK):
        parser.feed(text[begin : begin + _CHUNK])
        for event, element in cast("Iterator[tuple[str, Element]]", parser.read_events()):
            root = element if root is None else root
            depth, count = (depth + 1, count + 1) if event == "start" else (depth - 1, count)
            if depth > MAX_DEPTH or count > MAX_ELEMENTS:
                return f"the report nests deeper than {MAX_DEPTH} or has more than {MAX_ELEMENTS:,} elements"
            if event == "end" and element.tag == "Bucket" and element.attrib:
                element.clear()
    parser.close()
    return _CUT if root is None else root


def _read_document(root: Element, index: int, reading: Reading) -> None:
    """Add the results of one report, or every reason why it gives none."""
    spans, setups = root.findall("TimeSpan"), root.findall("Profile/TimeSpans/TimeSpan")
    unknown = root.makeelement("TimeSpan", {})
    faults = [fault for number, span in enumerate(spans) for fault in _faults(span, f"{index}#/TimeSpan/{number}")]
    if not spans:
        faults.append(Refusal(f"{index}#", "the report has no time span", "Submit a finished run.", "R-DISKSPD-4"))
    reading.refusals += faults
    if faults:
        return
    version = root.findtext("System/Tool/Version")
    reading.tool_version = reading.tool_version or version
    started = _started_at(root.findtext("System/RunTime") or "") if len(spans) == 1 else None
    for number, span in enumerate(spans):
        setup = setups[number] if len(setups) == len(spans) else unknown
        shared = {"tool_version": version, "started_at": started, "group_index": number} | _timing(span, setup)
        parts = _parts(span, setup, f"{index}#/TimeSpan/{number}")
        for part in parts:
            columns = shared | part.columns
            is_whole = part.columns["is_aggregate"] or len(parts) == 1
            columns["premises"] = Premises(
                wanted_seconds=_number(setup, "Duration"), is_ramp_known=columns["ramp_seconds"] is not None
            )
            reading.results += _results(part._replace(columns=columns), span if is_whole else None)
            reading.warnings += _findings(part)


def _faults(span: Element, place: str) -> Iterator[Refusal]:
    """Give what is missing or no number in a time span."""
    if error := span.findtext("Error"):
        yield Refusal(place, f"the run failed: {error.strip(' .')}", "Run it again.", "R-DISKSPD-5")
        return
    if not _number(span, "TestTimeSeconds"):
        yield Refusal(place, "TestTimeSeconds is no time", f"{_UNEDITED}.", "R-DISKSPD-4")
    for number, pair in enumerate(span.iterfind("Thread/Target")):
        for name in _COUNTS:
            if _whole(pair, name) is None:
                what = f"{name} of target {number} in the list of threads is no count"
                yield Refusal(place, what, f"{_UNEDITED}.", "R-DISKSPD-4")


def _timing(span: Element, setup: Element) -> dict[str, Any]:
    """Return duration, warm-up, and the busy share of all processors of the machine."""
    percent = _number(span, "CpuUtilization/Average/UsagePercent")
    return {
        "duration_seconds": _number(span, "TestTimeSeconds"),
        "ramp_seconds": _number(setup, "Warmup"),
        "cpu_busy_ratio": None if percent is None else round(percent / 100, 6),
    }


def _parts(span: Element, setup: Element, place: str) -> list[_Part]:
    """Return each target of a time span and, when there are several, all of them together."""
    pairs = _by_path(span, "Thread/Target")
    configured = _by_path(setup, "Targets/Target")
    per_thread = _whole(setup, "RequestCount") or None
    threads = len(span.findall("Thread"))
    parts = []
    for number, (path, own) in enumerate(pairs.items()):
        stated = configured[path][0] if len(configured[path]) == 1 else setup.makeelement("Target", {})
        each = None if per_thread else _whole(stated, "RequestCount")
        columns = _workload(stated) | _load(each, len(own)) | {"scope": "target", "target_count": len(own)}
        parts.append(_Part(f"{place}/Target/{number}", own, columns | {"is_aggregate": False}))
    depths = [part.columns["queue_depth"] for part in parts]
    total = per_thread * threads if per_thread else None if None in depths else sum(depths)
    load = {"queue_depth": total, "queue_depth_origin": None if total is None else "file", "process_count": threads}
    if len(parts) == 1:
        parts[0].columns.update(load)
    elif parts:
        every = [pair for part in parts for pair in part.pairs]
        columns = _common(parts) | load | {"scope": "all", "target_count": len(every), "is_aggregate": True}
        parts.append(_Part(place, every, columns))
    return parts


def _by_path(element: Element, where: str) -> defaultdict[str, list[Element]]:
    found: defaultdict[str, list[Element]] = defaultdict(list)
    for target in element.iterfind(where):
        found[target.findtext("Path") or ""].append(target)
    return found


def _load(each: int | None, pairs: int) -> dict[str, Any]:
    """Return the load of one target: ``each`` I/Os are outstanding for each pair of thread and target."""
    depth = None if each is None else each * pairs
    origin = None if depth is None else "file"
    outstanding = {"outstanding_per_target_count": each, "queue_depth": depth, "queue_depth_origin": origin}
    return outstanding | {"process_count": pairs}


def _workload(stated: Element) -> dict[str, Any]:
    """Return the workload of a configured target; an empty element gives nulls."""
    block, writes = _whole(stated, "BlockSize"), _number(stated, "WriteRatio")
    random = _number(stated, "RandomRatio") if stated.find("RandomRatio") is not None else 100.0
    if stated.find("Random") is None:
        random = 0.0 if block is not None else None
    pattern = None if random is None else {0.0: "sequential", 100.0: "random"}.get(random, "mixed")
    caches = [stated.findtext(name) == "true" for name in ("DisableOSCache", "DisableAllCache")]
    options = {child.tag: (child.text or "").strip() for child in stated if child.tag != "Path" and not len(child)}
    return {
        "block_size_bytes": block,
        "block_size_min_bytes": block,
        "block_size_max_bytes": block,
        "access_pattern": pattern,
        "random_ratio": None if random is None else random / 100,
        "read_ratio": None if writes is None else round(1 - writes / 100, 6),
        "is_direct": None if block is None else any(caches),
        "job_options": json.dumps(options, sort_keys=True, separators=(",", ":")) if options else None,
    }


def _common(parts: list[_Part]) -> dict[str, Any]:
    """Return the columns that all targets agree on, and the smallest and largest block when every one is known."""
    first = parts[0].columns
    same = {name: value for name, value in first.items() if all(p.columns[name] == value for p in parts)}
    blocks = [part.columns["block_size_bytes"] for part in parts]
    if None in blocks:
        return same
    return same | {"block_size_min_bytes": min(blocks), "block_size_max_bytes": max(blocks)}


def _results(part: _Part, span: Element | None) -> Iterator[Result]:
    """Give the reads and the writes of a part; ``span`` holds the percentiles when they are this part's own."""
    for name, total in (("Read", "read"), ("Write", "write")):
        count, size = (sum(_whole(pair, f"{name}{what}") or 0 for pair in part.pairs) for what in ("Count", "Bytes"))
        if not count:
            continue
        seconds = part.columns["duration_seconds"]
        latency = _pair_latency(part.pairs, name) if span is None else _span_latency(span, name)
        yield Result(
            pointer=f"{part.place}/{total}",
            repetition=part.place,
            source_format="xml",
            operation=total,
            operation_count=count,
            transferred_bytes=size,
            operations_per_second=count / seconds,
            throughput_bytes_per_second=size / seconds,
            **part.columns,
            **latency,
        )


def _span_latency(span: Element, name: str) -> dict[str, Any]:
    """Return latency and its percentiles, and how IOPS varied, over all targets of a time span."""
    deviation = _number(span, f"Iops/{name}IopsStdDev")
    columns: dict[str, Any] = {}
    if deviation is not None:
        columns = {"operations_sample_stddev_per_second": deviation, "sampling_semantics": "sum"}
    table = {
        _number(row, "Percentile"): _seconds(row, f"{name}Milliseconds") for row in span.iterfind("Latency/Bucket")
    }
    known = {rank: value for rank, value in table.items() if rank is not None and value is not None}
    mean = _seconds(span, f"Latency/Average{name}Milliseconds")
    if mean is None:
        return columns
    return columns | {
        "latency_kind": "total",
        "latency_mean_seconds": mean,
        "latency_min_seconds": known.get(0.0),
        "latency_max_seconds": known.get(100.0),
        "latency_stddev_seconds": _seconds(span, f"Latency/{name}LatencyStdev"),
        "latency_resolution_seconds": 1e-6,
        "percentiles": {"total": {round(rank / 100, 12): known[rank] for rank in sorted(known.keys() - {0.0, 100.0})}},
    }


def _pair_latency(pairs: list[Element], name: str) -> dict[str, Any]:
    """Return the mean latency of one target of several: the pairs' means, weighted by their operations."""
    means = [(_whole(pair, f"{name}Count") or 0, _seconds(pair, f"Average{name}LatencyMilliseconds")) for pair in pairs]
    busy = [(count, mean) for count, mean in means if count]
    if any(mean is None for _, mean in busy):
        return {}
    mean = sum(count * (mean or 0) for count, mean in busy) / sum(count for count, _ in busy)
    return {"latency_kind": "total", "latency_mean_seconds": round(mean, 12), "latency_resolution_seconds": 1e-6}


def _findings(part: _Part) -> Iterator[Finding]:
    """Give what the report says twice and differently: bytes of no operation give no result, and threads differ."""
    for name in ("Read", "Write"):
        count, size = (sum(_whole(pair, f"{name}{what}") or 0 for pair in part.pairs) for what in ("Count", "Bytes"))
        if size and not count:
            message = f"{size:,} bytes were moved by no operation"
            yield Finding("R-DISKSPD-6", message, f"{part.place}/{name.lower()}")
    stated = json.loads(part.columns.get("job_options") or "{}").get("ThreadsPerFile", "")
    threads = part.columns["process_count"]
    if stated.isdecimal() and not part.columns["is_aggregate"] and int(stated) != threads:
        yield Finding("R-DISKSPD-7", f"{threads} threads used a target set up for {stated}", part.place)


def _started_at(text: str) -> int | None:
    """Return ``2018/10/18 21:39:04 UTC`` as microseconds since 1970, or null."""
    try:
        moment = datetime.strptime(text, "%Y/%m/%d %H:%M:%S UTC").replace(tzinfo=UTC)
    except ValueError:
        return None
    return int(moment.timestamp()) * 1_000_000


def _whole(element: Element, where: str) -> int | None:
    text = (element.findtext(where) or "").strip()
    return int(text) if _WHOLE.fullmatch(text) else None


def _number(element: Element, where: str) -> float | None:
    text = (element.findtext(where) or "").strip()
    return float(text) if _NUMBER.fullmatch(text) else None


def _seconds(element: Element, where: str) -> float | None:
    """Return printed milliseconds in seconds; 0.000 is below the resolution and counts as not measured."""
    value = _number(element, where)
    return round(value / MILLI, 9) if value else None
