"""
DiskSpd: the report written by ``diskspd -Rxml``, and the one for people (``-Rtext``, the default).

Claims  ``<Results>`` with a system, profile or time span; ``Results for timespan``; bare profiles too, to say why not.
Emits   one result per time span, target and operation that did any I/O; for several targets also their sum, marked
        as such, because percentiles are known for all targets together; the text has them of each target too.
Units   bytes, counts, seconds; latencies in milliseconds, shares in percent. The text's ``MiB/s``, in older versions
        ``MB/s``, are 2^20 bytes a second; rates are counts over time in both formats, so that both agree.
Source  DiskSpd's ``XmlResultParser.cpp``, ``ResultParser.cpp`` and ``Target::GetXml()``. ``-o`` counts per thread and
        target, with ``-O`` per thread. ``Random`` states the order of addresses; ``RandomAccess`` is only a hint to
        the cache. The text prints no version.

The text report becomes the tree of the XML first, so that both agree wherever they state the same.
"""

from __future__ import annotations

import json
import re
from collections import defaultdict
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any, NamedTuple, cast

from ioledger.model import Checks, Finding, Premises, Reading, Refusal, Result, Tolerances, narrow
from ioledger.readers import MILLI

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from xml.etree.ElementTree import Element

    from ioledger.model import Source

MAX_ELEMENTS, MAX_DEPTH = 1_000_000, 32
_CHUNK = 1 << 16
_BARE_AND = re.compile(r"&(?!(?:amp|lt|gt|quot|apos|#\d{1,7});)")
_UNSAFE = re.compile(r"<!DOCTYPE|<!ENTITY")
_CUT = "the report ends before </Results>"


TOOL = "diskspd"
FORMATS = ("XML report (-Rxml), 2.0.21 and later", "text report (-Rtext), 2.0.15 and later")
VERSIONS = {"xml": "0.1.0", "text": "0.1.0"}
"""What is read, by the first word of the format; see :class:`ioledger.readers.detect.Reader`."""
CHECKS = Checks(
    rules={
        "latency_within_run": "R-CHECK-1",
        "bytes_are_blocks": "R-DISKSPD-6",
        "mean_lies_between": "R-CHECK-2",
        "percentiles_rise": "R-CHECK-2",
        "percentiles_lie_between": "R-CHECK-2",
        "machine_is_idle": "R-CHECK-1",
        "not_more_outstanding": "R-CHECK-1",
        "not_fewer_outstanding": "R-CHECK-1",
        "mix_is_the_one_declared": "R-CHECK-1",
        "run_lasts_as_asked": "R-CHECK-1",
    },
    formats={"": Tolerances(is_load_shared=True, depth_low=0.9, least_operations=100, time_high=1.1)},
)
_TEXT = (b"Results for timespan", b"<TimeSpans>")
_PARTS = (b"<System>", b"<Profile>", b"<TimeSpan>")


def claims(head: bytes) -> bool:
    """Say whether these bytes are a DiskSpd report or profile (UTF-16 included, which PowerShell's ``>`` writes)."""
    if head.startswith(b"MZ"):  # the program itself has these words among its texts
        return False
    plain = narrow(head)
    is_report = b"<Results>" in plain and any(part in plain for part in _PARTS)
    return is_report or any(token in plain for token in _TEXT)


def read(source: Source) -> Reading:
    """Read every report in the file; a report with a fault gives no results."""
    reading = Reading(tool=TOOL)
    text, reading.encoding = source.decode()
    _read_xml(text, reading)
    if "Results for timespan" in text:
        from ioledger.readers.diskspd.text_report import parse_reports  # noqa: PLC0415

        for document in parse_reports(text):
            index = reading.document_count
            reading.document_count += 1
            cut = [(f"{index}#{place}", what) for place, what in document.complete()]
            reading.refusals += [Refusal(place, what, f"{UNEDITED}.", "R-READ-8") for place, what in cut]
            if not cut:
                places = [f"{index}#{place}" for place in document.places]
                _add_results(document.root, f"{index}#", places, "text", reading)
    formats = sorted({result.source_format for result in reading.results})
    reading.source_format = ", ".join(formats) or ("xml" if "<Results>" in text else "text")
    if not reading.document_count and not reading.refusals:
        what = "this is a DiskSpd profile, which contains no results"
        reading.refusals.append(Refusal("", what, "Submit the report of a run, best with -Rxml.", "R-READ-8"))
    return reading


def _read_xml(text: str, reading: Reading) -> None:
    """Add every report in the text to a reading; one with a fault gives no results, and one that is unsafe ends it."""
    if unsafe := _UNSAFE.search(text):
        what = f"{unsafe[0]} declares what DiskSpd never writes"
        place = f"line {text.count(chr(10), 0, unsafe.start()) + 1}"
        reading.refusals.append(Refusal(place, what, f"{UNEDITED}.", "R-READ-8"))
        return
    for line, document in _documents(text):
        index = reading.document_count
        reading.document_count += 1
        root = _tree(document)
        if isinstance(root, str):
            reading.refusals.append(Refusal(f"line {line}", root, f"{UNEDITED}.", "R-READ-8"))
        else:
            places = [f"{index}#/TimeSpan/{number}" for number in range(len(root.findall("TimeSpan")))]
            _add_results(root, f"{index}#", places, "xml", reading)


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
    """Return a report as a tree without the interval samples, or the reason why it is not one."""
    from xml.etree.ElementTree import ParseError, XMLPullParser  # noqa: PLC0415  (other tools' files need no XML)

    if not text.endswith("</Results>"):
        return _CUT
    text = _BARE_AND.sub("&amp;", text)  # DiskSpd writes paths without escaping them
    parser: XMLPullParser[Any] = XMLPullParser(("start", "end"))
    depth = count = 0
    root: Element | None = None
    try:
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
    except ParseError as error:
        return f"the XML is broken ({error}, counted from here)"
    return _CUT if root is None else root


UNEDITED = "Submit the report as DiskSpd wrote it"
_WHOLE, _NUMBER = re.compile(r"\d{1,18}"), re.compile(r"\d{1,15}(?:\.\d{1,9})?")
_COUNTS = ("ReadCount", "ReadBytes", "WriteCount", "WriteBytes")


class _Part(NamedTuple):
    """What a pair of results (reads and writes) covers: place, pairs of thread and target, columns."""

    place: str
    pairs: list[Element]
    columns: dict[str, Any]
    latency: Element | None = None
    """Where the percentiles are this part's own; null where there are none of it alone."""


def _add_results(root: Element, place: str, places: Sequence[str], source_format: str, reading: Reading) -> None:
    """Add the results of a report at ``place``, with time spans at ``places``, or every reason why it gives none."""
    spans, setups = root.findall("TimeSpan"), root.findall("Profile/TimeSpans/TimeSpan")
    unknown = root.makeelement("TimeSpan", {})
    faults = [fault for there, span in zip(places, spans, strict=True) for fault in _faults(span, there)]
    if not spans:
        faults.append(Refusal(place, "the report has no time span", "Submit a finished run.", "R-READ-8"))
    reading.refusals += faults
    if faults:
        return
    version = root.findtext("System/Tool/Version")
    reading.tool_version = reading.tool_version or version
    started = _started_at(root.findtext("System/RunTime") or "") if len(spans) == 1 else None
    for number, span in enumerate(spans):
        setup = setups[number] if len(setups) == len(spans) else unknown
        busy = _number(span, "CpuUtilization/Average/UsagePercent")  # of all processors of the machine
        shared = {
            "tool_version": version,
            "started_at": started,
            "group_index": number,
            "source_format": source_format,
            "duration_seconds": _number(span, "TestTimeSeconds"),
            "ramp_seconds": _number(setup, "Warmup"),
            "cpu_busy_ratio": None if busy is None else round(busy / 100, 6),
        }
        parts = _parts(span, setup, places[number])
        for part in parts:
            columns = shared | part.columns
            columns["premises"] = Premises(
                wanted_seconds=_number(setup, "Duration"), is_ramp_known=columns["ramp_seconds"] is not None
            )
            reading.results += _results(part._replace(columns=columns), span)
            reading.warnings += _findings(part)
        reading.warnings += _sums(span, places[number])


def _faults(span: Element, place: str) -> Iterator[Refusal]:
    """Give what is missing or no number in a time span."""
    if error := span.findtext("Error"):
        yield Refusal(place, f"the run failed: {error.strip(' .')}", "Run it again.", "R-READ-8")
        return
    if not _number(span, "TestTimeSeconds"):
        yield Refusal(place, "TestTimeSeconds is no time", f"{UNEDITED}.", "R-READ-8")
    for number, pair in enumerate(span.iterfind("Thread/Target")):
        for name in _COUNTS:
            if _whole(pair, name) is None:
                what = f"{name} of target {number} in the list of threads is no count"
                yield Refusal(place, what, f"{UNEDITED}.", "R-READ-8")


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
        columns = _workload(stated) | {
            "outstanding_per_target_count": each,
            "queue_depth": None if each is None else each * len(own),
            "queue_depth_origin": None if each is None else "file",
            "process_count": len(own),
            "scope": "target",
            "target_count": len(own),
        }
        chart = next((each for each in span.iterfind("TargetLatency") if each.findtext("Path") == path), None)
        parts.append(_Part(f"{place}/Target/{number}", own, columns | {"is_aggregate": False}, chart))
    depths = [part.columns["queue_depth"] for part in parts]
    total = per_thread * threads if per_thread else None if None in depths else sum(depths)
    load = {"queue_depth": total, "queue_depth_origin": None if total is None else "file", "process_count": threads}
    if len(parts) == 1:
        parts[0].columns.update(load)
        parts[0] = parts[0]._replace(latency=span)
    elif parts:
        every = [pair for part in parts for pair in part.pairs]
        columns = _common(parts) | load | {"scope": "all", "target_count": len(every), "is_aggregate": True}
        parts.append(_Part(place, every, columns, span))
    return parts


def _by_path(element: Element, where: str) -> defaultdict[str, list[Element]]:
    found: defaultdict[str, list[Element]] = defaultdict(list)
    for target in element.iterfind(where):
        found[target.findtext("Path") or ""].append(target)
    return found


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


def _results(part: _Part, span: Element) -> Iterator[Result]:
    for name in ("Read", "Write"):
        count, size = _sum_moved(part, name)
        if not count:
            continue
        seconds = part.columns["duration_seconds"]
        if part.latency is span:
            latency = _span_latency(span, name)
        else:
            latency = _pair_latency(part.pairs, name)
            latency |= _percentiles(part.latency, name) if latency and part.latency is not None else {}
        yield Result(
            pointer=f"{part.place}/{name.lower()}",
            repetition=part.place,
            operation=name.lower(),
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
    mean = _seconds(span, f"Latency/Average{name}Milliseconds")
    if mean is None:
        return columns
    return columns | {
        "latency_kind": "total",
        "latency_mean_seconds": mean,
        "latency_stddev_seconds": _seconds(span, f"Latency/{name}LatencyStdev"),
        "latency_resolution_seconds": 1e-6,
        **_percentiles(span, name),
    }


def _percentiles(holder: Element, name: str) -> dict[str, Any]:
    """Return the smallest and largest latency and the percentiles between, from the buckets of an element."""
    table = {
        _number(row, "Percentile"): _seconds(row, f"{name}Milliseconds") for row in holder.iterfind("Latency/Bucket")
    }
    known = {rank: value for rank, value in table.items() if rank is not None and value is not None}
    ranks = sorted(known.keys() - {0.0, 100.0})
    return {
        "latency_min_seconds": known.get(0.0),
        "latency_max_seconds": known.get(100.0),
        "percentiles": {"total": {round(rank / 100, 12): known[rank] for rank in ranks}},
    }


def _pair_latency(pairs: list[Element], name: str) -> dict[str, Any]:
    """Return the mean latency of one target of several: the pairs' means, weighted by their operations."""
    means = [(_whole(pair, f"{name}Count") or 0, _seconds(pair, f"Average{name}LatencyMilliseconds")) for pair in pairs]
    busy = [(count, mean) for count, mean in means if count]
    if any(mean is None for _, mean in busy):
        return {}
    mean = sum(count * (mean or 0) for count, mean in busy) / sum(count for count, _ in busy)
    return {"latency_kind": "total", "latency_mean_seconds": round(mean, 12), "latency_resolution_seconds": 1e-6}


def _sum_moved(part: _Part, name: str) -> tuple[int, int]:
    count, size = (sum(_whole(pair, f"{name}{what}") or 0 for pair in part.pairs) for what in ("Count", "Bytes"))
    return count, size


def _findings(part: _Part) -> Iterator[Finding]:
    """Yield contradictions of the report: bytes without operations, and differing thread counts."""
    for name in ("Read", "Write"):
        count, size = _sum_moved(part, name)
        if size and not count:
            message = f"{size:,} bytes were moved by no operation"
            yield Finding("R-DISKSPD-6", message, f"{part.place}/{name.lower()}")
    stated = json.loads(part.columns.get("job_options") or "{}").get("ThreadsPerFile", "")
    threads = part.columns["process_count"]
    if stated.isdecimal() and not part.columns["is_aggregate"] and int(stated) != threads:
        yield Finding("R-DISKSPD-6", f"{threads} threads used a target set up for {stated}", part.place)


def _sums(span: Element, place: str) -> Iterator[Finding]:
    """Give where the totals that a text report prints are not the sums of its threads."""
    for name in _COUNTS:
        stated = _whole(span, f"Total/{name}")
        added = sum(_whole(pair, name) or 0 for pair in span.iterfind("Thread/Target"))
        if stated is not None and stated != added:
            yield Finding("R-DISKSPD-6", f"{name}: the threads add up to {added:,}, not to {stated:,}", place)


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
