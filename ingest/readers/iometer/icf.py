"""
Configurations (``.icf``): the settings of a test, which the result file does not repeat.

Only here stand run time, ramp-up, cycling steps, size of the test file, data pattern and which worker does what. A key
is a line that begins with an apostrophe, its values are the lines below. Every section may be missing. Names of
managers and targets and network addresses name hosts and devices, so they are counted and not returned.
Source: ``PageSetup.cpp``, ``Manager.cpp`` and ``AccessSpecList.cpp``, ``SaveConfig()``; ``ICF_ifstream.cpp``.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any, NamedTuple

from ingest.readers.iometer.header import setting
from ingest.readers.iometer.specs import NAMES, parse_block
from ingest.record import Finding, Refusal

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ingest.record import Reading

_SECTION = re.compile(r"^'(?:TEST SETUP|RESULTS DISPLAY|ACCESS SPECIFICATIONS|MANAGER LIST) ={8}", re.MULTILINE)
_VERSION = re.compile(r"Version (\S{1,40})\s*")
_PATTERNS = ("repeating bytes", "pseudo random", "full random")
_SETTING_KEYS = {
    "test description": "test_description",
    "record results": "record_results",
    "test type": "test_type",
}
_COUNT_KEYS = {
    "ramp up time (s)": "ramp_seconds",
    "default disk workers to spawn": "disk_worker_count",
    "default workers to spawn": "disk_worker_count",
    "default network workers to spawn": "network_worker_count",
}
_CYCLES = {
    "worker cycling": ("worker_cycling", ("start", "step", "step_type")),
    "disk cycling": ("target_cycling", ("start", "step", "step_type")),
    "queue depth cycling": ("queue_depth_cycling", ("start", "end", "step", "step_type")),
}
HEAD, MAX_CHARACTERS = 1 << 16, 1 << 20
_RUN_TIME = (3600, 60, 1)


class Entry(NamedTuple):
    """A key with its line number, in lower case, and the lines below it."""

    line: int
    key: str
    values: list[str]


def find(text: str) -> bool:
    """Say whether a text is a configuration."""
    return not text.startswith("'Test Type,") and _SECTION.search(text, 0, HEAD) is not None


def read(text: str, reading: Reading) -> None:
    """Say what a configuration holds; it gives no results, but a cut or a template is refused."""
    reading.source_format, reading.document_count, reading.is_setup = "icf", 1, True
    if len(text) > MAX_CHARACTERS:
        what = f"the configuration has more than the {MAX_CHARACTERS:,} characters that are read"
        reading.refusals.append(Refusal("", what, "Submit the file as Iometer saved it.", "R-IOMETER-ICF-3"))
        return
    settings = parse_icf(text)
    reading.tool_version = settings.get("tool_version")
    lines = text.rstrip().split("\n")
    if len(lines) < 2 or not _VERSION.fullmatch(lines[-1]) or not _VERSION.fullmatch(lines[0]):  # noqa: PLR2004
        what = "the configuration does not begin and end with the version, so it is cut"
        reading.refusals.append(
            Refusal(f"line {len(lines)}", what, "Submit the file as Iometer saved it.", "R-IOMETER-ICF-1")
        )
    for line in settings["unread_lines"]:
        reading.warnings.append(Finding("R-IOMETER-ICF-2", f"line {line} was not understood", f"line {line}"))


def parse_icf(text: str) -> dict[str, Any]:
    """
    Return the settings of a configuration; what the file does not state is absent.

    Keys: ``tool_version``, ``test_description``, ``run_seconds`` (0 runs until stopped), ``ramp_seconds``,
    ``record_results``, ``test_type``, ``disk_worker_count``, ``network_worker_count``, ``worker_cycling``,
    ``target_cycling``, ``queue_depth_cycling``, ``access_specifications`` (lines by name, in bytes, percent and
    milliseconds), ``workers`` (each with its manager's number, load, test-file size in sectors, specifications and
    number of targets), and ``unread_lines`` with the numbers of lines that make no sense.
    """
    found: dict[str, Any] = {"workers": [], "unread_lines": []}
    version = _VERSION.match(text)
    if version:
        found["tool_version"] = version[1]
    block: list[tuple[int, str]] = []
    manager = 0
    for entry in _entries(text):
        key = entry.key
        if key.startswith(("access specification name", "size,")):
            mark = "'Access specification name" if key[0] == "a" else "'size,"
            block += [(entry.line, mark), *((entry.line + 1 + step, value) for step, value in enumerate(entry.values))]
        elif key.startswith("manager id"):
            manager += 1
        elif key == "worker":
            found["workers"].append({"manager": manager, "name": _first(entry), "target_count": 0})
        elif found["workers"] and _worker(found["workers"][-1], entry):
            continue
        elif not _setup(found, entry):
            found["unread_lines"].append(entry.line)
    specs, findings = parse_block(block)
    found["access_specifications"] = {
        name: [dict(zip(NAMES, line, strict=True)) for line in spec.lines] for name, spec in specs.items()
    }
    found["unread_lines"] += [int(finding.pointer.removeprefix("line ")) for finding in findings]
    found["unread_lines"].sort()
    return found


def _entries(text: str) -> Iterator[Entry]:
    """Give every key with its values; headings of columns, section marks and the version are no keys."""
    entry: Entry | None = None
    for number, line in enumerate(text.split("\n"), 1):
        if line.startswith("'") and line[1:2] not in {"\t", " "}:
            if entry:
                yield entry
            entry = Entry(number, line[1:].strip().lower(), [])
        elif entry and line.strip() and line[:1] != "'" and not _VERSION.fullmatch(line):
            entry.values.append(line.strip())
    if entry:
        yield entry


def _first(entry: Entry) -> str | None:
    return entry.values[0] if entry.values else None


def _setup(found: dict[str, Any], entry: Entry) -> bool:
    """Take an entry of the test setup; say whether it was understood, or is of no interest."""
    key, value = entry.key, _first(entry)
    if key in _SETTING_KEYS:
        if value:
            found[_SETTING_KEYS[key]] = value
    elif key in _COUNT_KEYS:
        count = setting(value or "")
        if count is not None:
            found[_COUNT_KEYS[key]] = count
        return count is not None or value == "NUMBER_OF_CPUS"
    elif key == "run time":
        parts = [setting(part) for part in (value or "").split()]
        known = [part for part in parts if part is not None]
        if len(known) != len(_RUN_TIME) or len(parts) != len(_RUN_TIME):
            return False
        found["run_seconds"] = sum(part * unit for part, unit in zip(known, _RUN_TIME, strict=True))
    elif key in _CYCLES:
        name, columns = _CYCLES[key]
        words = (value or "").split()
        if len(words) != len(columns):
            return False
        found[name] = {column: _word(word) for column, word in zip(columns, words, strict=True)}
    else:
        return _is_known(key)
    return True


def _word(text: str) -> int | str:
    count = setting(text)
    return text if count is None else count


def _is_known(key: str) -> bool:
    """Say whether a key carries nothing that describes a run: sections, ends, screens, addresses."""
    plain = ("end ", "results display", "test setup", "access specifications", "manager ", "record last", "bar chart")
    return key.startswith(plain) or key in {"default target settings for worker", "target assignments"}


def _worker(worker: dict[str, Any], entry: Entry) -> bool:
    """Take an entry of a worker; say whether it was one."""
    key, value = entry.key, _first(entry)
    if key == "worker type":
        worker["kind"] = value
    elif key == "assigned access specs":
        worker["access_specifications"] = entry.values
    elif key == "target":
        worker["target_count"] += 1
    elif key.startswith("number of outstanding ios"):
        worker["outstanding_per_target_count"] = setting((value or "").partition(",")[0])
    elif key.startswith("disk maximum size"):
        sizes = [setting(part) for part in (value or "").split(",")]
        worker["maximum_size_sectors"], worker["starting_sector"] = (*sizes, None, None)[:2]
        if len(sizes) > 2 and sizes[2] is not None and sizes[2] < len(_PATTERNS):  # noqa: PLR2004  (the third field)
            worker["data_pattern"] = _PATTERNS[sizes[2]]
    else:
        return key.startswith(("target type", "target manager"))
    return True
