"""
The entries of a configuration: a key, which begins with an apostrophe, and the lines below it; and what they set.

Names of managers and targets and network addresses name hosts and devices, so they are counted and not returned.
Source: ``PageSetup.cpp``, ``Manager.cpp``, ``SaveConfig()``; ``ICF_ifstream.cpp``.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any, NamedTuple

from ioledger.readers.iometer.header import setting

if TYPE_CHECKING:
    from collections.abc import Iterator

VERSION = re.compile(r"Version (\S{1,40})\s*")
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
_RUN_TIME = (3600, 60, 1)


class Entry(NamedTuple):
    """A key with its line number, in lower case, and the lines below it."""

    line: int
    key: str
    values: list[str]


def entries(text: str) -> Iterator[Entry]:
    """Give every key with its values; headings of columns, section marks and the version are no keys."""
    entry: Entry | None = None
    for number, line in enumerate(text.split("\n"), 1):
        if line.startswith("'") and line[1:2] not in {"\t", " "}:
            if entry:
                yield entry
            entry = Entry(number, line[1:].strip().lower(), [])
        elif entry and line.strip() and line[:1] != "'" and not VERSION.fullmatch(line):
            entry.values.append(line.strip())
    if entry:
        yield entry


def first(entry: Entry) -> str | None:
    """Return the first value of an entry, null when it has none."""
    return entry.values[0] if entry.values else None


def take_setup(found: dict[str, Any], entry: Entry) -> bool:
    """Take an entry of the test setup; say whether it was understood, or is of no interest."""
    key, value = entry.key, first(entry)
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


def take_worker(worker: dict[str, Any], entry: Entry) -> bool:
    """Take an entry of a worker; say whether it was one."""
    key, value = entry.key, first(entry)
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
