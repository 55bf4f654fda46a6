"""
Access specifications, the workload of a run; and configurations (``.icf``), which hold them and all other settings.

A specification has one or more lines; each I/O takes one of them with the chance "% of size". Sizes are bytes, delays
milliseconds, an alignment of 0 means sectors. A reply is a second transfer in the other direction.

Only in a configuration stand run time, ramp-up, cycling steps, size of the test file, data pattern and which worker
does what. A key is a line that begins with an apostrophe, its values are the lines below. Every section may be missing.
Names of managers and targets and network addresses name hosts and devices, so they are counted and not returned. The
configuration of a result file is the one that the manifest names; when it has none of the access specifications that
were run, or another run time than was measured, it is another test's, and a finding says so.
Source: ``AccessSpecList.cpp``, ``SaveResults()``; ``PageSetup.cpp``, ``Manager.cpp`` and ``AccessSpecList.cpp``,
``SaveConfig()``; ``ICF_ifstream.cpp``; the Iometer user's guide, "Access Specifications".
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any, NamedTuple

import msgspec

from ioledger.model import Finding, Refusal

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from ioledger.model import Reading, Result

NAMES = ("size", "% of size", "% reads", "% random", "delay", "burst", "align", "reply")
PERCENT = 100
DIGITS = 18  # what a 64-bit integer holds in any case
HEAD, MAX_CHARACTERS = 1 << 16, 1 << 20
_SECTION = re.compile(r"^'(?:TEST SETUP|RESULTS DISPLAY|ACCESS SPECIFICATIONS|MANAGER LIST) ={8}", re.MULTILINE)
_VERSION = re.compile(r"Version (\S{1,40})\s*")
_PATTERNS = ("repeating bytes", "pseudo random", "full random")
_RUN, _RAMP, _RUN_TIME = "run time (s)", "ramp up time (s)", (3600, 60, 1)
_COUNTS = (_RAMP, *(f"default {kind}workers to spawn" for kind in ("", "disk ", "network ")))
_CYCLES = {
    "worker cycling": ("start", "step", "step_type"),
    "disk cycling": ("start", "step", "step_type"),
    "queue depth cycling": ("start", "end", "step", "step_type"),
}
_OF_DISKS = ("maximum size", "starting sector", "data pattern")
_OF_WORKER = (
    *("worker type", "assigned access specs", "number of outstanding ios", "disk maximum size"),
    *("target type", "target manager"),
)
_OTHERS = frozenset({"test description", "record results", "test type"})
_SILENT = (
    *("end ", "results display", "test setup", "access specifications", "manager ", "record last", "bar chart"),
    *("default target settings for worker", "target assignments"),
)
"""Headings of the file itself, by what is below them; the last two tell nothing that a result file lacks."""


class Line(NamedTuple):
    """One line of an access specification, in the units of the file."""

    size: int
    share: int
    reads: int
    random: int
    delay: int
    burst: int
    align: int
    reply: int


class Spec(NamedTuple):
    """An access specification: its name and its lines."""

    name: str
    lines: list[Line]


def setting(text: str) -> int | None:
    """Return a whole number; null for -1, also printed as 18446744073709551615: "differs" or "does not apply"."""
    return int(text) if text.isdecimal() and len(text) <= DIGITS else None


def _settings(texts: Sequence[str], count: int) -> list[int] | None:
    """Return so many whole numbers, null when there are more or fewer or one is none."""
    known = [value for value in map(setting, texts) if value is not None]
    return known if len(known) == len(texts) == count else None


def parse_block(block: Sequence[tuple[int, str]]) -> tuple[dict[str, Spec], list[Finding]]:
    """Return the specifications of a block of numbered lines by name, and what is wrong with them."""
    specs: dict[str, Spec] = {}
    findings, spec, awaited = [], None, ""
    for number, text in block:
        if text.startswith(("'Access specification name", "'size,")):
            awaited = "name" if text.startswith("'A") else "lines"
        elif awaited == "name":
            spec = Spec(text.rpartition(",")[0] if "," in text else text, [])
            specs[spec.name], awaited = spec, ""
        elif awaited == "lines" and spec and (line := _parse_line(text.strip())):
            spec.lines.append(line)
        elif text.strip():
            specs.pop(spec.name if spec else "", None)
            message = f"line {number} is no line of an access specification; its runs have no workload"
            findings.append(Finding("R-IOMETER-LINE-2", message, f"line {number}"))
    for spec in specs.values():
        if (total := sum(line.share for line in spec.lines)) != PERCENT:
            message = f"the lines of the access specification {spec.name!r} make up {total} % of its I/Os"
            findings.append(Finding("R-IOMETER-LINE-2", message, f"line {block[0][0]}"))
    return {name: spec for name, spec in specs.items() if spec.lines}, findings


def _parse_line(text: str) -> Line | None:
    """Return a line of an access specification, null when it is none; 1.1.0 puts a comma at the end."""
    numbers = _settings([field.strip() for field in text.removesuffix(",").split(",")], len(NAMES))
    line = Line(*numbers) if numbers else None
    is_plausible = line and (line.size or not line.share) and max(line.share, line.reads, line.random) <= PERCENT
    return line if is_plausible else None


def workload(spec: Spec | None, operation: str) -> dict[str, Any]:
    """Return the workload columns of an operation; what differs between the lines of a mixture is null."""
    if spec is None:
        return {}
    # a reply goes the other way
    has = {"read": lambda line: line.reads > 0, "write": lambda line: line.reads < PERCENT}.get(operation)
    lines = [line for line in spec.lines if line.share and (line.reply or has is None or has(line))]
    sizes = {size for line in lines for size in _sizes(line, operation)}
    random = {line.random for line in lines}
    pattern = {frozenset({0}): "sequential", frozenset({PERCENT}): "random"}.get(frozenset(random), "mixed")
    return {
        "access_pattern": pattern if random else None,
        "random_ratio": _only(random),
        "read_ratio": _only({line.reads for line in spec.lines if line.share}),
        "block_size_bytes": min(sizes) if len(sizes) == 1 else None,
        "block_size_min_bytes": min(sizes, default=None),
        "block_size_max_bytes": max(sizes, default=None),
    }


def _sizes(line: Line, operation: str) -> Iterator[int]:
    if not line.reply or operation == "mixed" or 0 < line.reads < PERCENT:
        yield line.size
        if line.reply:
            yield line.reply
    else:
        yield line.size if (operation == "read") == (line.reads == PERCENT) else line.reply


def _only(percents: set[int]) -> float | None:
    return min(percents) / PERCENT if len(percents) == 1 else None


def as_json(spec: Spec | None, settings: dict[str, Any]) -> str | None:
    """Return the specification and other settings of a run as JSON text, in the words of the file."""
    stated = {name: value for name, value in settings.items() if value is not None}
    if spec is not None:
        stated["access specification"] = _lines(spec)
    return msgspec.json.encode(stated, order="sorted").decode() if stated else None


def _lines(spec: Spec) -> list[dict[str, int]]:
    return [dict(zip(NAMES, line, strict=True)) for line in spec.lines]


def is_configuration(text: str) -> bool:
    """Say whether a text is a configuration."""
    return not text.startswith("'Test Type,") and _SECTION.search(text, 0, HEAD) is not None


def read_configuration(text: str, reading: Reading) -> None:
    """Check a configuration: it has no results, but a truncated one is refused."""
    reading.source_format, reading.document_count, reading.is_setup = "icf", 1, True
    remedy = "Submit the file as Iometer saved it."
    if len(text) > MAX_CHARACTERS:
        what = f"the configuration has more than the {MAX_CHARACTERS:,} characters that are read"
        reading.refusals.append(Refusal("", what, remedy, "R-READ-8"))
        return
    settings = parse_icf(text)
    reading.tool_version = settings.get("tool_version")
    lines = text.rstrip().split("\n")
    if len(lines) < 2 or not _VERSION.fullmatch(lines[-1]) or not _VERSION.fullmatch(lines[0]):  # noqa: PLR2004
        what = "the configuration does not begin and end with the version, so it is cut"
        reading.refusals.append(Refusal(f"line {len(lines)}", what, remedy, "R-READ-8"))
    for line in settings["unread_lines"]:
        reading.warnings.append(Finding("R-IOMETER-LINE-2", f"line {line} was not understood", f"line {line}"))


def parse_icf(text: str) -> dict[str, Any]:
    """
    Return the settings of a configuration that a result file lacks; what the configuration does not state is absent.

    Keys: ``tool_version``; headings of the test setup in lower case, such as ``run time (s)`` (0 runs until stopped),
    ``ramp up time (s)`` and ``queue depth cycling``; ``access_specifications`` (lines by name, in bytes, percent and
    milliseconds); ``workers`` (each with its kind and, by heading, the size of its test file in sectors and its data);
    and ``unread_lines`` with the numbers of lines that make no sense.
    """
    found: dict[str, Any] = {"workers": [], "unread_lines": []}
    if version := _VERSION.match(text):
        found["tool_version"] = version[1]
    block: list[tuple[int, str]] = []
    for line, key, values in _entries(text):
        value = values[0] if values else ""
        if key.startswith(("access specification name", "size,")):
            mark = "'Access specification name" if key[0] == "a" else "'size,"
            block += enumerate([mark, *values], line)
        elif key == "worker":
            found["workers"].append({})
        elif found["workers"] and (key == "target" or key.startswith(_OF_WORKER)):
            _take_worker(found["workers"][-1], key, value)
        elif not _take_setup(found, key, value):
            found["unread_lines"].append(line)
    specs, findings = parse_block(block)
    found["access_specifications"] = {name: _lines(spec) for name, spec in specs.items()}
    found["unread_lines"] += [int(finding.pointer.removeprefix("line ")) for finding in findings]
    found["unread_lines"].sort()
    return found


def _entries(text: str) -> Iterator[tuple[int, str, list[str]]]:
    """Give every key with its line number and its values; headings of columns and section marks are none."""
    key, values, start = "", list[str](), 0
    for number, line in enumerate([*text.split("\n"), "'"], 1):
        if line.startswith("'") and line[1:2] not in {"\t", " "}:
            if start:
                yield start, key, values
            key, values, start = line[1:].strip().lower(), [], number
        elif start and line.strip() and line[:1] != "'" and not _VERSION.fullmatch(line):
            values.append(line.strip())


def _take_setup(found: dict[str, Any], key: str, value: str) -> bool:
    """Take a setting of the whole test; say whether it is known and makes sense."""
    if key in _COUNTS:
        count = setting(value)
        if count is not None:
            found[key] = count
        return count is not None or value == "NUMBER_OF_CPUS"
    if key == "run time":
        if parts := _settings(value.split(), len(_RUN_TIME)):
            found[_RUN] = sum(part * unit for part, unit in zip(parts, _RUN_TIME, strict=True))
        return parts is not None
    if key in _CYCLES:
        words = value.split()
        if is_whole := len(words) == len(_CYCLES[key]):
            values = (word if (number := setting(word)) is None else number for word in words)
            found[key] = dict(zip(_CYCLES[key], values, strict=True))
        return is_whole
    return key in _OTHERS or key.startswith(_SILENT)


def _take_worker(worker: dict[str, Any], key: str, value: str) -> None:
    """Take a setting of a worker."""
    if key == "worker type":
        worker["kind"] = value
    elif key.startswith("disk maximum size"):
        sizes = [setting(part) for part in value.split(",")]
        worker["maximum size"], worker["starting sector"], pattern = (*sizes, None, None)[:3]
        if pattern is not None and pattern < len(_PATTERNS):
            worker["data pattern"] = _PATTERNS[pattern]


def settings_of(job: bytes) -> dict[str, Any]:
    """Return the settings of a configuration; see :func:`parse_icf`."""
    text = job[:MAX_CHARACTERS].decode("utf-8-sig", "replace").replace("\r\n", "\n").replace("\r", "\n")
    return parse_icf(text)


def fits(specifications: dict[str, list[dict[str, int]]], results: Iterable[Result]) -> bool:
    """Say whether a configuration with these access specifications has that of every result, line for line."""
    share = NAMES[1]
    for result in results:
        stated = msgspec.json.decode(result.job_options or "{}").get("access specification", [])
        filed = specifications.get(result.test_name or "", [])
        if not filed or [line for line in stated if line[share]] != [line for line in filed if line[share]]:
            return False
    return True


def complete(reading: Reading, job: bytes) -> None:
    """Add the options of a configuration to every result; a size of 0 in a result states no limit, or nothing."""
    settings = settings_of(job)
    names = {result.test_name for result in reading.results}
    if names and not names & settings["access_specifications"].keys():
        message = "the configuration that the manifest names has none of the access specifications of this file"
        reading.warnings.append(Finding("R-IOMETER-JOB-1", message))
        return
    setup = {heading: settings[heading] for heading in (_RUN, _RAMP, *_CYCLES) if heading in settings}
    for heading in _OF_DISKS:
        values = {worker.get(heading) for worker in settings["workers"] if worker.get("kind") == "DISK"}
        if len(values) == 1 and None not in values:
            setup[heading] = values.pop()
    for result in reading.results:
        stated = msgspec.json.decode(result.job_options or "{}")
        added = {name: value for name, value in setup.items() if not stated.get(name)}
        result.job_options = msgspec.json.encode({**stated, **added}, order="sorted").decode()
        result.workload_origins = "; ".join(f"{name}=job_file" for name in sorted(added)) or None
        if result.ramp_seconds is None and _RAMP in setup:
            result.ramp_seconds = float(setup[_RAMP])
        if setup.get(_RUN):  # 0 runs until it is stopped
            result.premises = msgspec.structs.replace(result.premises, wanted_seconds=float(setup[_RUN]))
