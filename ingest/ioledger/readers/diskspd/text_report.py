"""
The report that ``diskspd -Rtext`` prints, as the tree of its XML: the same names, so that both become results alike.

What was set up stands in the block "Input parameters" and, from 2.0.20 on, in the command line before it; a text that
was cut down to the command line is read with DiskSpd's defaults. Figures are told once per thread and target, for all
operations, reads and writes; latencies at percentiles once per target, where there are several, and for all together.
Source: DiskSpd's ``ResultParser.cpp``, from 2.0.15 to 2.2.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING
from xml.etree.ElementTree import Element, SubElement

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

_POWERS = {"": 0, "B": 0, "K": 10, "M": 20, "G": 30, "T": 40}
_COMMAND_SIZE = re.compile(r"(\d{1,15})(?:([KMGT])(?:i?B)?|B)?", re.ASCII)
_WORDS = re.compile(r'"([^"]*)"|(\S+)')
_BLOCK = "65536"
_COMMAND_SPAN = {"Duration": "10", "Warmup": "5"}
_TARGET = {"BlockSize": _BLOCK, "WriteRatio": "0", "RequestCount": "2", "ThreadsPerFile": "1"}
_NUMBERS = {"t": "ThreadsPerFile", "o": "RequestCount", "w": "WriteRatio"}
_SPANS = {"d": "Duration", "W": "Warmup", "C": "Cooldown", "O": "RequestCount", "F": "ThreadCount"}


def put(parent: Element, where: str, text: str | None = None) -> Element:
    """Return the element at a path of names, made where it is missing."""
    for name in where.split("/"):
        found = parent.find(name)
        parent = SubElement(parent, name) if found is None else found
    if text is not None:
        parent.text = text
    return parent


def add(parent: Element, name: str, texts: dict[str, str]) -> Element:
    """Return a new element below another, with these texts by name."""
    element = SubElement(parent, name)
    for key, value in texts.items():
        SubElement(element, key).text = value
    return element


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
    of_span = _COMMAND_SPAN | _numeric_options(options, _SPANS)
    of_target = _TARGET | _numeric_options(options, _NUMBERS)
    if "ThreadCount" in of_span:
        del of_target["ThreadsPerFile"]
    else:
        of_span.pop("RequestCount", None)  # -O counts with -F only
    # -Su bypasses the cache of the system, -Sw that of writes, -Sh and -h both
    flags = "".join("h" if option == "h" else option[1:] for option in options if option == "h" or option[:1] == "S")
    is_direct, is_through = bool({"h", "u"} & set(flags)) or "S" in options, bool({"h", "w"} & set(flags))
    of_target |= _command_order(options)
    of_target |= {"DisableOSCache": str(is_direct).lower(), "WriteThrough": str(is_through).lower()}
    targets = SubElement(add(spans, "TimeSpan", of_span), "Targets")
    for path in paths:
        add(targets, "Target", {"Path": path, **of_target})


def _numeric_options(options: Iterable[str], names: dict[str, str]) -> dict[str, str]:
    """Return the options that are a letter and a whole number, by the names of the XML."""
    found = ((names[option[:1]], option[1:]) for option in options if option[:1] in names)
    return {name: value for name, value in found if value.isdecimal()}


def _command_order(options: Iterable[str]) -> dict[str, str]:
    """Return block size and order of addresses: sequential, unless ``-r`` (random) or ``-rs`` (a share of it)."""
    settings: dict[str, str] = {}
    for option in options:
        kind, value = option[:1], option[1:]
        if kind == "b":
            settings["BlockSize"] = size_digits(value)
        elif option.startswith("rs") and value[1:].isdecimal():
            settings |= {"Random": settings.get("Random", ""), "RandomRatio": value[1:]}
        elif kind == "r":
            settings["Random"] = size_digits(value)
        elif kind == "s":
            settings["StrideSize"] = size_digits(value.lstrip("ib"))
            settings |= {"InterlockedSequential": "true"} if value.startswith("i") else {}
    return settings


_SPAN = re.compile(r"Results for timespan (\d{1,6}):\s*")
_STARTED = re.compile(r"start time: (\d{4}/\d\d/\d\d \d\d:\d\d:\d\d UTC)")
_SECTIONS = {"Total IO": "", "Read IO": "Read", "Write IO": "Write"}
_OF_PAIR = {"bytes": "{}Bytes", "I/Os": "{}Count", "AvgLat": "Average{}LatencyMilliseconds"}
_OF_TOTAL = {
    "bytes": "Total/{}Bytes",
    "I/Os": "Total/{}Count",
    "AvgLat": "Latency/Average{}Milliseconds",
    "IopsStdDev": "Iops/{}IopsStdDev",
    "LatStdDev": "Latency/{}LatencyStdev",
}
"""Columns of a table by where the tree of a pair of thread and target, or of a time span, has them."""
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


def parse_reports(text: str) -> list[Document]:
    """Return every report in a text that has a time span."""
    scan = _Scan()
    for number, line in enumerate(text.splitlines(), 1):
        scan.take(number, line)
    return [document for document in scan.documents if document.places]


class Document:
    """One report: its tree, the command it was called with, and the places of its time spans."""

    def __init__(self) -> None:
        """Begin without anything."""
        self.root = Element("Results")
        self.command: str | None = None
        self.places: list[str] = []
        self.request_counts: dict[int, str] = {}

    def complete(self) -> list[tuple[str, str]]:
        """Add values that only the command line states, and return the places of truncated time spans, with why."""
        if self.command is not None and self.root.find("Profile/TimeSpans/TimeSpan") is None:
            set_up(self.command, put(self.root, "Profile/TimeSpans"))
        for number, setup in enumerate(self.root.iterfind("Profile/TimeSpans/TimeSpan")):
            if number in self.request_counts:
                put(setup, "RequestCount", self.request_counts[number])
            for target in setup.iterfind("Targets/Target") if self.command is not None else ():
                put(target, "CommandLine", self.command)
        spans = zip(self.places, self.root.findall("TimeSpan"), strict=True)
        return [(place, what) for place, span in spans if span.find("Error") is None for what in _find_cut(span)]


def _find_cut(span: Element) -> list[str]:
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
        self.documents: list[Document] = []
        self.place, self.before = "", ""
        self.take_line: Callable[[str], None] = self._ignore
        self.setup: Element | None = None
        self.target: Element | None = None
        self.span = Element("TimeSpan")
        self.threads: dict[str, Element] = {}
        self.section, self.columns = "", list[str]()
        self.chart: Element | None = None

    @property
    def document(self) -> Document:
        """The report under way."""
        if not self.documents:
            self._begin()
        return self.documents[-1]

    def _begin(self) -> None:
        self.documents.append(Document())
        self.setup = self.target = self.chart = None

    def take(self, number: int, line: str) -> None:
        """Take a line, whose number gives the place of what begins there."""
        self.place = f"line {number}"
        plain = line.strip()
        if not plain:
            return
        if plain.startswith("Command Line: "):
            self._begin()
            self.document.command = plain.removeprefix("Command Line: ")
            self.take_line = self._ignore
        elif plain == "Input parameters:":
            if self.document.places or self.setup is not None:
                self._begin()
            self.take_line = self._take_setup
        elif started := _STARTED.fullmatch(plain):
            put(self.document.root, "System/RunTime", started[1])
        elif span := _SPAN.fullmatch(plain):
            if int(span[1]) <= len(self.document.places):
                self._begin()
            self.document.places.append(self.place)
            self.span = SubElement(self.document.root, "TimeSpan")
            self.threads, self.section, self.chart = {}, "", None
            self.take_line = self._take_result
        elif plain in {"System information:", "Totals:"}:
            self.take_line = self._ignore
        else:
            self.take_line(plain)
        self.before = plain

    def _ignore(self, line: str) -> None:
        """Pass over what is no part of a report."""

    def _take_setup(self, line: str) -> None:
        """Take a line of "Input parameters"; what has no name of its own in the XML is kept under one made of it."""
        if re.fullmatch(r"timespan: +\d+", line):
            self.setup, self.target = SubElement(put(self.document.root, "Profile/TimeSpans"), "TimeSpan"), None
        elif self.setup is None:
            return
        elif found := re.fullmatch(r"path: '(.*)'", line):
            self.target = add(put(self.setup, "Targets"), "Target", {"Path": found[1]})
        elif self.target is not None:
            for name, value in _read_target(line).items():
                put(self.target, name, value)
        else:
            for shape, name in _OF_SETUP:
                if found := shape.fullmatch(line):
                    put(self.setup, name, found[1])

    def _take_result(self, line: str) -> None:
        document, span = self.document, self.span
        if line.startswith(_INTERRUPTED):
            put(span, "Error", line)
        elif line in _SECTIONS:
            self.section, self.columns, self.chart = line, [], None
        elif line.startswith("thread |"):
            self.columns = [name.strip() for name in line.split("|")]
        elif line.startswith("%-ile |"):
            self._begin_chart([name.split()[0] for name in line.split("|")[1:] if name.strip()])
        elif self.chart is not None and (found := _RANK.match(line)):
            cells = zip(self.columns, line.split("|")[1:], strict=False)
            latencies = {f"{name}Milliseconds": cell.strip() for name, cell in cells if name in _RANKED}
            add(self.chart, "Bucket", {"Percentile": _percent(found[1]), **latencies})
        elif self.section and self.columns and _ROW.match(line):
            self._take_row(line)
        elif found := re.fullmatch(r"request count:\s*(\d+)", line):
            document.request_counts[len(document.places) - 1] = found[1]
        else:
            for shape, where in _OF_SPAN:
                if found := shape.match(line):
                    put(span, where, found[1])

    def _take_row(self, line: str) -> None:
        """Take the figures of a thread and target, or of all, which end a table."""
        kind, names = _SECTIONS[self.section], self.columns[1:]
        is_total = line.startswith("total:")
        cells = line.removeprefix("total:").split("|", len(self.columns) - 1 - is_total)
        if is_total:
            put(self.span, f"Closed/{self.section.replace(' ', '')}")
            element, places = self.span, _OF_TOTAL
        else:
            thread, *cells = cells
            if not kind or not names or len(cells) != len(names):
                return
            element, places = self._pair(thread.strip(), _SIZE.sub("", cells[-1].strip())), _OF_PAIR
        for name, cell in zip(names, cells, strict=False) if kind else ():
            if name in places:
                put(element, places[name].format(kind), cell.strip())

    def _pair(self, thread: str, path: str) -> Element:
        if thread not in self.threads:
            self.threads[thread] = SubElement(self.span, "Thread")
        known = (target for target in self.threads[thread] if target.findtext("Path") == path)
        found = next(known, None)
        return add(self.threads[thread], "Target", {"Path": path}) if found is None else found

    def _begin_chart(self, columns: list[str]) -> None:
        """Begin a table of latencies: of the target whose path is above, else of all."""
        path = self.before.removesuffix(":").removesuffix(" latency distribution")
        known = {target.findtext("Path") for target in self.span.iterfind("Thread/Target")}
        is_own = path in known and len(known) > 1
        self.columns = columns
        self.chart = put(add(self.span, "TargetLatency", {"Path": path}) if is_own else self.span, "Latency")


def _percent(rank: str) -> str:
    """Return a percentile as the XML has it: ``3-nines`` is ``99.9``."""
    if rank in {"min", "max"}:
        return "0" if rank == "min" else "100"
    if rank.endswith("th"):
        return rank.removesuffix("th")
    return f"99.{'9' * (int(rank[0]) - 2)}"


def _read_target(line: str) -> dict[str, str]:
    """Return the values of a line for a target, by the names of the XML."""
    if line in _CACHES:
        return _CACHES[line]
    if found := _MIX.fullmatch(line):
        return {"WriteRatio": found[2] or {"read": "0", "write": "100"}[found[1]]}
    if found := _OUTSTANDING.fullmatch(line):
        return {"RequestCount": found[1]}
    if found := _ORDER.fullmatch(line):
        kind, share, step = found[1], found[2], size_digits(found[3])
        if kind == "random" or share is not None:  # of which all is random where no share is stated
            return {"Random": step} | ({} if share is None or kind == "random" else {"RandomRatio": share})
        return {"StrideSize": step} | ({"InterlockedSequential": "true"} if kind.startswith("interlocked") else {})
    name, colon, value = line.partition(": ")
    made = "".join(word[:1].upper() + word[1:] for word in _WORD.findall(name))
    value = size_digits(value) if made == "BlockSize" else value if colon else "true"
    return {made: value} if made and not made[0].isdigit() else {}
