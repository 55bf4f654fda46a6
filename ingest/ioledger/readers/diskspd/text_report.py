"""
The report that ``diskspd -Rtext`` prints, as the tree of its XML: the same names, so that both become results alike.

What was set up stands in the block "Input parameters" and, from 2.0.20 on, in the command line before it; a text that
was cut down to the command line is read with DiskSpd's defaults. Figures are told once per thread and target, for all
operations, reads and writes; latencies at percentiles once per target, where there are several, and for all together.
Source: DiskSpd's ``ResultParser.cpp``, from 2.0.15 to 2.2.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

from ioledger.model import Refusal
from ioledger.readers.diskspd.results import UNEDITED, report

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable
    from xml.etree.ElementTree import Element

    from ioledger.model import Reading

_POWERS = {"": 0, "B": 0, "K": 10, "M": 20, "G": 30, "T": 40}
_COMMAND_SIZE = re.compile(r"(\d{1,15})(?:([KMGT])(?:i?B)?|B)?", re.ASCII)
_WORDS = re.compile(r'"([^"]*)"|(\S+)')
_BLOCK = "65536"
_COMMAND_SPAN = {"Duration": "10", "Warmup": "5"}
_TARGET = {"BlockSize": _BLOCK, "WriteRatio": "0", "RequestCount": "2", "ThreadsPerFile": "1"}
_NUMBERS = {"t": "ThreadsPerFile", "o": "RequestCount", "w": "WriteRatio"}
_SPANS = {"d": "Duration", "W": "Warmup", "C": "Cooldown", "O": "RequestCount", "F": "ThreadCount"}


def size_digits(text: str) -> str:
    """Return a size in bytes as digits: ``4K``, ``4KiB`` and ``4096`` are the same; another text stays as it is."""
    found = _COMMAND_SIZE.fullmatch(text.strip())
    return str(int(found[1]) << _POWERS[found[2] or ""]) if found else text


def set_up(command: str, spans: Element) -> None:
    """Add the time span that a command line describes; none where it takes a profile (``-X``)."""
    words = [quoted or bare for quoted, bare in _WORDS.findall(command)][1:]
    options = [word[1:] for word in words if word[:1] in {"-", "/"}]
    paths = [word for word in words if word[:1] not in {"-", "/"}]
    if any(option.startswith("X") for option in options) or not paths:
        return
    of_span, of_target = (
        _COMMAND_SPAN | _numeric_options(options, _SPANS),
        _TARGET | _numeric_options(options, _NUMBERS),
    )
    if "ThreadCount" in of_span:
        del of_target["ThreadsPerFile"]
    else:
        of_span.pop("RequestCount", None)  # -O counts with -F only
    of_target |= _command_order(options, of_target["BlockSize"])
    of_target |= _caches(options)
    span = _add_element(spans, "TimeSpan", of_span)
    targets = _add_element(span, "Targets", {})
    for path in paths:
        _add_element(targets, "Target", {"Path": path, **of_target})


def _numeric_options(options: Iterable[str], names: dict[str, str]) -> dict[str, str]:
    """Return the options that are a letter and a whole number, by the names of the XML."""
    found = ((names[option[:1]], option[1:]) for option in options if option[:1] in names)
    return {name: value for name, value in found if value.isdecimal()}


def _command_order(options: Iterable[str], block: str) -> dict[str, str]:
    """Return block size and order of addresses: sequential, unless ``-r`` (random) or ``-rs`` (a share of it)."""
    told = {"BlockSize": block}
    for option in options:
        kind, value = option[:1], option[1:]
        if kind == "b":
            told["BlockSize"] = size_digits(value)
        elif option.startswith("rs") and value[1:].isdecimal():
            told |= {"Random": told.get("Random", ""), "RandomRatio": value[1:]}
        elif kind == "r":
            told["Random"] = size_digits(value)
        elif kind == "s":
            told["StrideSize"] = size_digits(value.lstrip("ib"))
            told |= {"InterlockedSequential": "true"} if value.startswith("i") else {}
    return told


def _caches(options: Iterable[str]) -> dict[str, str]:
    """Return which caches are bypassed: ``-Su`` that of the system, ``-Sw`` that of writes, ``-Sh`` and ``-h`` both."""
    flags = "".join("h" if option == "h" else option[1:] for option in options if option == "h" or option[:1] == "S")
    is_direct = bool({"h", "u"} & set(flags)) or "S" in options
    return {
        "DisableOSCache": "true" if is_direct else "false",
        "WriteThrough": "true" if {"h", "w"} & set(flags) else "false",
    }


def _add_element(parent: Element, name: str, told: dict[str, str]) -> Element:
    element = parent.makeelement(name, {})
    parent.append(element)
    for key, value in told.items():
        child = element.makeelement(key, {})
        child.text = value
        element.append(child)
    return element


MAX_LINES = 500_000
_SPAN = re.compile(r"Results for timespan (\d{1,6}):\s*")
_SECTIONS = {"Total IO": "", "Read IO": "Read", "Write IO": "Write"}
_COLUMNS = {"bytes": "Bytes", "I/Os": "Count", "AvgLat": "Mean", "IopsStdDev": "RateSpread", "LatStdDev": "Spread"}
_ROW = re.compile(r"\s*(?:\d{1,6} \||total:)")
_SIZE = re.compile(r" \(\d+ ?[KMGT]?i?B\)$")
_RANK = re.compile(r"\s*(min|max|\d{1,2}(?:\.\d{1,9})?th|[3-9]-nines) *\|")
_RANKED = ("Read", "Write", "Total")
_INTERRUPTED = "The test was interrupted"
_OF_SPAN = (
    (re.compile(r"actual test time:\s*(\d+\.\d+)s"), "TestTimeSeconds"),
    (re.compile(r"\s*avg\.\|\s*(\d+\.\d+)%"), "CpuUtilization/Average/UsagePercent"),
)
_OF_SETUP = (
    (re.compile(r"duration: (\d+)s"), "Duration"),
    (re.compile(r"warm up time: (\d+)s"), "Warmup"),
    (re.compile(r"cool down time: (\d+)s"), "Cooldown"),
)
_MIX = re.compile(r"performing (?:(read|write) test|mix test \(read/write ratio: \d{1,3}/(\d{1,3})\))")
_ORDER = re.compile(
    r"using (random|sequential|interlocked sequential|mixed random/sequential) I/O "
    r"(?:\((\d{1,3})% random\) ?)?\((?:alignment|stride)[^:]{0,20}: (\w+)\)"
)
_OUTSTANDING = re.compile(r"number of outstanding I/O operations(?: per thread)?: (\d+)")
_CACHES = {
    "using software cache": {"DisableOSCache": "false"},
    "software cache disabled": {"DisableOSCache": "true"},
    "local software cache disabled, remote cache enabled": {"DisableLocalCache": "true"},
    "hardware write cache disabled, writethrough on": {"WriteThrough": "true"},
    "hardware and software write caches disabled, writethrough on": {"WriteThrough": "true"},
    "using hardware write cache, writethrough off": {"WriteThrough": "false"},
}
_WORD = re.compile(r"[A-Za-z0-9]+")


def read(text: str, reading: Reading) -> None:
    """Add every report in the text to a reading; one with a fault gives no results."""
    if "Results for timespan" not in text:
        return
    lines = text.splitlines()
    if len(lines) > MAX_LINES:
        what = f"the report has {len(lines):,} lines, more than the {MAX_LINES:,} that are read"
        reading.refusals.append(Refusal("", what, f"{UNEDITED}, without -v.", "R-DISKSPD-1"))
        return
    scan = _Scan()
    for number, line in enumerate(lines, 1):
        scan.take(number, line)
    for document in scan.documents:
        if document.places:
            _report(document, reading)


def _report(document: _Document, reading: Reading) -> None:
    index = reading.document_count
    reading.document_count += 1
    document.complete()
    places = [f"{index}#{place}" for place in document.places]
    if document.faults:
        faults = (Refusal(f"{index}#{place}", what, f"{UNEDITED}.", "R-DISKSPD-1") for place, what in document.faults)
        reading.refusals += faults
        return
    report(document.root, f"{index}#", places, "text", reading)


class _Document:
    """One report: its tree, the command it was called with, and the places of its time spans."""

    def __init__(self) -> None:
        """Begin without anything."""
        from xml.etree.ElementTree import Element  # noqa: PLC0415  (files of other tools are read without XML)

        self.root: Element = Element("Results")
        self.command: str | None = None
        self.places: list[str] = []
        self.faults: list[tuple[str, str]] = []
        self.request_counts: dict[int, str] = {}

    def put(self, where: str, text: str | None = None, under: Element | None = None) -> Element:
        """Return an element at a path of names, made where it is missing."""
        element = self.root if under is None else under
        for name in where.split("/"):
            found = element.find(name)
            if found is None:
                found = element.makeelement(name, {})
                element.append(found)
            element = found
        if text is not None:
            element.text = text
        return element

    def add(self, where: str, name: str) -> Element:
        """Return a new element below a path of names."""
        parent = self.put(where) if where else self.root
        element = parent.makeelement(name, {})
        parent.append(element)
        return element

    def complete(self) -> None:
        """Add values that only the command line states, and mark truncated time spans."""
        spans = self.root.findall("TimeSpan")
        if self.command is not None and self.root.find("Profile/TimeSpans/TimeSpan") is None:
            set_up(self.command, self.put("Profile/TimeSpans"))
        for number, setup in enumerate(self.root.iterfind("Profile/TimeSpans/TimeSpan")):
            if number in self.request_counts:
                self.put("RequestCount", self.request_counts[number], setup)
            for target in setup.iterfind("Targets/Target") if self.command is not None else ():
                self.put("CommandLine", self.command, target)
        for place, span in zip(self.places, spans, strict=True):
            if span.find("Error") is None:
                self.faults += ((place, what) for what in _cut(span))


def _cut(span: Element) -> list[str]:
    """Return which tables of a time span do not reach their end."""
    missing = [name for name in _SECTIONS if span.find(f"Closed/{name.replace(' ', '')}") is None]
    if missing:
        return [f"the report ends before its tables do: the totals of {', '.join(missing)} are missing"]
    has_latency = any(span.find(f"Latency/Average{name}Milliseconds") is not None for name in ("Read", "Write"))
    ranks = {bucket.findtext("Percentile") for bucket in span.iterfind("Latency/Bucket")}
    return ["the report ends before its table of latencies does"] if has_latency and "100" not in ranks else []


class _Scan:
    """Parser of the reports of a text, line by line; headings determine the meaning of lines."""

    def __init__(self) -> None:
        """Begin before the first line."""
        self.documents: list[_Document] = []
        self.place, self.before = "", ""
        self.take_line: Callable[[str], None] = self._ignore
        self.setup: Element | None = None
        self.target: Element | None = None
        self.span: Element | None = None
        self.threads: dict[str, Element] = {}
        self.section, self.columns = "", list[str]()
        self.chart: Element | None = None

    @property
    def document(self) -> _Document:
        """The report under way."""
        if not self.documents:
            self._begin()
        return self.documents[-1]

    def _begin(self) -> None:
        self.documents.append(_Document())
        self.setup = self.target = self.span = self.chart = None

    def take(self, number: int, line: str) -> None:
        """Take a line, whose number gives the place of what begins there."""
        self.place = f"line {number}"
        plain = line.strip()
        if plain.startswith("Command Line: "):
            self._begin()
            self.document.command = plain.removeprefix("Command Line: ")
            self.take_line = self._ignore
        elif plain == "Input parameters:":
            if self.document.places or self.setup is not None:
                self._begin()
            self.take_line = self._take_setup
        elif plain == "System information:":
            self.take_line = self._take_system
        elif span := _SPAN.fullmatch(plain):
            self._begin_span(int(span[1]))
        elif plain == "Totals:":
            self.take_line = self._ignore
        elif plain:
            self.take_line(plain)
        if plain:
            self.before = plain

    def _ignore(self, line: str) -> None:
        """Pass over what is no part of a report."""

    def _take_system(self, line: str) -> None:
        if found := re.fullmatch(r"start time: (\d{4}/\d\d/\d\d \d\d:\d\d:\d\d UTC)", line):
            self.document.put("System/RunTime", found[1])

    def _begin_span(self, number: int) -> None:
        if number <= len(self.document.places):
            self._begin()
        document = self.document
        document.places.append(self.place)
        self.span, self.threads, self.section, self.chart = document.add("", "TimeSpan"), {}, "", None
        self.take_line = self._take_result

    def _take_setup(self, line: str) -> None:
        """Take a line of "Input parameters"; what has no name of its own in the XML is kept under one made of it."""
        document = self.document
        if re.fullmatch(r"timespan: +\d+", line):
            self.setup, self.target = document.add("Profile/TimeSpans", "TimeSpan"), None
        elif self.setup is None:
            return
        elif found := re.fullmatch(r"path: '(.*)'", line):
            targets = document.put("Targets", under=self.setup)
            self.target = targets.makeelement("Target", {})
            targets.append(self.target)
            document.put("Path", found[1], self.target)
        elif self.target is not None:
            for name, value in _told_of_target(line).items():
                document.put(name, value, self.target)
        else:
            for shape, name in _OF_SETUP:
                if found := shape.fullmatch(line):
                    document.put(name, found[1], self.setup)

    def _take_result(self, line: str) -> None:
        document, span = self.document, self.span
        assert span is not None  # noqa: S101  (this takes lines below its heading only)
        if line.startswith(_INTERRUPTED):
            document.put("Error", line, span)
        elif line in _SECTIONS:
            self.section, self.columns, self.chart = line, [], None
        elif line.startswith("thread |"):
            self.columns = [name.strip() for name in line.split("|")]
        elif line.startswith("%-ile |"):
            self._begin_chart(span, [name.split()[0] for name in line.split("|")[1:] if name.strip()])
        elif self.chart is not None and (found := _RANK.match(line)):
            self._take_rank(self.chart, found[1], line)
        elif self.section and self.columns and _ROW.match(line):
            self._take_row(span, line)
        elif found := re.fullmatch(r"request count:\s*(\d+)", line):
            document.request_counts[len(document.places) - 1] = found[1]
        else:
            for shape, where in _OF_SPAN:
                if found := shape.match(line):
                    document.put(where, found[1], span)

    def _take_row(self, span: Element, line: str) -> None:
        """Take the figures of a thread and target, or of all."""
        document, kind = self.document, _SECTIONS[self.section]
        is_total = line.startswith("total:")
        cells = line.removeprefix("total:").split("|", len(self.columns) - 1 - is_total)
        names = self.columns[1:]
        if not is_total:
            thread, *cells = cells
        told = {_COLUMNS[name]: cell.strip() for name, cell in zip(names, cells, strict=False) if name in _COLUMNS}
        if is_total:
            document.put(f"Closed/{self.section.replace(' ', '')}", under=span)
            _put_totals(document, span, kind, told)
        elif kind and names and len(cells) == len(names):
            path = _SIZE.sub("", cells[-1].strip())
            pair = self._pair(span, thread.strip(), path)
            document.put(f"{kind}Bytes", told.get("Bytes"), pair)
            document.put(f"{kind}Count", told.get("Count"), pair)
            document.put(f"Average{kind}LatencyMilliseconds", told.get("Mean"), pair)

    def _pair(self, span: Element, thread: str, path: str) -> Element:
        """Return the element of a thread and its target."""
        document = self.document
        if thread not in self.threads:
            self.threads[thread] = span.makeelement("Thread", {})
            span.append(self.threads[thread])
        for target in self.threads[thread]:
            if target.findtext("Path") == path:
                return target
        target = span.makeelement("Target", {})
        self.threads[thread].append(target)
        document.put("Path", path, target)
        return target

    def _begin_chart(self, span: Element, columns: list[str]) -> None:
        """Begin a table of latencies: of the target whose path is above, else of all."""
        path = self.before.removesuffix(":").removesuffix(" latency distribution")
        known = {target.findtext("Path") for target in span.iterfind("Thread/Target")}
        self.columns = columns
        if path in known and len(known) > 1:
            holder = span.makeelement("TargetLatency", {})
            span.append(holder)
            self.document.put("Path", path, holder)
        else:
            holder = span
        self.chart = self.document.put("Latency", under=holder)

    def _take_rank(self, chart: Element, rank: str, line: str) -> None:
        bucket = chart.makeelement("Bucket", {})
        chart.append(bucket)
        self.document.put("Percentile", _percent(rank), bucket)
        for name, cell in zip(self.columns, line.split("|")[1:], strict=False):
            if name in _RANKED:
                self.document.put(f"{name}Milliseconds", cell.strip(), bucket)


def _percent(rank: str) -> str:
    """Return a percentile as the XML has it: ``3-nines`` is ``99.9``."""
    if rank in {"min", "max"}:
        return "0" if rank == "min" else "100"
    if rank.endswith("th"):
        return rank.removesuffix("th")
    return f"99.{'9' * (int(rank[0]) - 2)}"


def _put_totals(document: _Document, span: Element, kind: str, told: dict[str, str]) -> None:
    """Store the totals of a table from its last row."""
    if not kind:
        return
    document.put(f"Total/{kind}Bytes", told.get("Bytes"), span)
    document.put(f"Total/{kind}Count", told.get("Count"), span)
    for name, where in (
        ("Mean", f"Latency/Average{kind}Milliseconds"),
        ("Spread", f"Latency/{kind}LatencyStdev"),
        ("RateSpread", f"Iops/{kind}IopsStdDev"),
    ):
        if name in told:
            document.put(where, told[name], span)


def _told_of_target(line: str) -> dict[str, str]:
    """Return the values of a line for a target, by the names of the XML."""
    if line in _CACHES:
        return _CACHES[line]
    if found := _MIX.fullmatch(line):
        return {"WriteRatio": found[2] or {"read": "0", "write": "100"}[found[1]]}
    if found := _OUTSTANDING.fullmatch(line):
        return {"RequestCount": found[1]}
    if found := _ORDER.fullmatch(line):
        return _order(found[1], found[2], size_digits(found[3]))
    name, colon, value = line.partition(": ")
    made = "".join(word[:1].upper() + word[1:] for word in _WORD.findall(name))
    if made == "BlockSize":
        return {"BlockSize": size_digits(value)}
    return {made: value if colon else "true"} if made and not made[0].isdigit() else {}


def _order(kind: str, share: str | None, step: str) -> dict[str, str]:
    """Return the order of addresses by the names of the XML, in which ``RandomRatio`` is 100 where it is missing."""
    if kind == "random":
        return {"Random": step}
    if share is not None:
        return {"Random": step, "RandomRatio": share}
    sequential: dict[str, Any] = {"StrideSize": step}
    return sequential | ({"InterlockedSequential": "true"} if kind.startswith("interlocked") else {})
