"""
The part of a manifest's method that the results themselves tell; a value that a person stated is never replaced.

Each value says how it is known: collected where the tool states it, inferred where it follows from that. Readers
publish names without folders, so what is a device, and which file is the same, is read from the files' text.
"""

from __future__ import annotations

import re
from datetime import date
from statistics import median
from typing import TYPE_CHECKING, Any, NamedTuple

from ioledger.collect.results import one_of
from ioledger.submission import agreement, facts
from ioledger.submission.shape import FROM_RESULTS, FROM_YOU

if TYPE_CHECKING:
    from collections.abc import Callable

    from ioledger.add.linking import Item
    from ioledger.readers.base import Result
    from ioledger.submission.agreement import Area

Stated = dict[str, Any]
SHOWN = 5
_PATTERN = {"refill_buffers", "scramble_buffers"}
_OTHER_PATTERNS = {
    "zero_buffers", "buffer_pattern", "buffer_compress_percentage", "buffer_compress_chunk", "dedupe_percentage",
    "verify", "verify_pattern",
}  # fmt: skip
_WORDS: dict[tuple[Any, ...], str] = {
    ("0", "1"): "random, filled in once and scrambled before every write",
    ("0", "0"): "random, filled in once",
    ("1", "0"): "random, refilled for every write",
    ("1", "1"): "random, refilled for every write",
}
"""By ``refill_buffers`` and ``scramble_buffers``. Source: fio's HOWTO, "Buffers and memory"."""


def fill(manifest: dict[str, Any], found: list[Item]) -> None:
    """
    Put what the results tell into every configuration of the manifest, and the day of the test.

    What the machine told is left out again unless the runs ended within a day of when it was read.
    """
    for name, configuration in manifest["configurations"].items():
        mine = [item for item in found if item.configuration == name]
        results = [result for item in mine if item.role == "result" for result in item.reading.results]
        if results:
            method, software = configuration["method"], configuration["software"]
            _correct(configuration, mine)
            told = {**_of_results(results), **_of_files(mine), **_preparation(mine, method)}
            filled = _complete(method, told | {"data_pattern": _pattern(results)})
            filled |= _complete(software, _tool(mine))
            _open_again(configuration, filled, mine)
    measured = [item for item in found if item.role == "result"]
    days = [day for item in measured for day in facts.run_days(item.reading)]
    if manifest["tested_on"] == "unknown" and days:
        manifest["tested_on"] = min(days).isoformat()
    _forget(manifest, measured)


def _complete(section: Stated, told: dict[str, Stated | None]) -> set[str]:
    """Fill in what is told and left open; return the fields that were filled in."""
    filled = {field: value for field, value in told.items() if value is not None and not _is_stated(section, field)}
    section.update(filled)
    return set(filled)


def _is_stated(section: Stated, field: str) -> bool:
    """Say whether a person stated a field, be it with a reason why it is not known."""
    value = section.get(field, "unknown")
    return value != "unknown" and not (isinstance(value, dict) and value.get("unknown") in {FROM_RESULTS, FROM_YOU})


def _correct(configuration: Stated, mine: list[Item]) -> None:
    """Let the files' word stand in the place of a tool and version that were read from the machine."""
    files = [(item.name, item.reading) for item in mine if item.role == "result"]
    told = _tool(mine)
    for each in agreement.contradictions(configuration, files):
        value = configuration[each.section][each.field]
        if each.section == "software" and facts.is_collected(value) and told[each.field] is not None:
            note = f"stated by the files; {each.stated} is what the machine had"
            configuration[each.section][each.field] = {**told[each.field], "note": note}  # type: ignore[dict-item]


def _open_again(configuration: Stated, filled: set[str], mine: list[Item]) -> None:
    """Leave unknown what differs between the results, and what none of them tells."""
    files = [(item.name, item.reading) for item in mine if item.role == "result"]
    differing: dict[tuple[str, str], list[str]] = {}
    for each in agreement.contradictions(configuration, files):
        if each.field in filled:
            differing.setdefault((each.section, each.field), []).append(each.told.text)
    for (section, field), told in differing.items():
        some = ", ".join(list(dict.fromkeys(told))[:SHOWN])
        configuration[section][field] = {"unknown": f"it differs between the results; some tell {some}"}
    for section in ("software", "method"):
        for field, value in configuration[section].items():
            if isinstance(value, dict) and value.get("unknown") == FROM_RESULTS:
                configuration[section][field] = {"unknown": "the results do not tell it"}


def _forget(manifest: Stated, measured: list[Item]) -> None:
    """Make unknown what was read from the machine too long before or after the runs to say how it was then."""
    if "collected_on" not in manifest:
        return
    files = [(item.name, item.reading) for item in measured]
    reason = facts.unseen(files, date.fromisoformat(manifest["collected_on"]))
    for path, fields, key in list(facts.machine_values(manifest)):
        if reason is not None and facts.is_collected(fields[key]):
            if path[2] == "settings":
                del fields[key]
            else:
                fields[key] = {"unknown": reason}


def _collected(value: object) -> Stated | None:
    return None if value is None else {"value": value, "how_known": "collected"}


def _inferred(value: object, note: str) -> Stated:
    return {"value": value, "how_known": "inferred", "note": note}


def _of_all(results: list[Result], name: str) -> list[Any]:
    """Return the values that results state, sorted, each once; what does not state it counts for none."""
    return sorted({value for result in results if (value := getattr(result, name)) is not None})


def _one(values: list[Any], words: Callable[[Any], object] = lambda value: value) -> Stated | None:
    """Return the value that all results share, in ``words``; unknown with all of them where they differ."""
    if len(values) > 1:
        more = " …" if len(values) > SHOWN else ""
        return {"unknown": f"it differs: {', '.join(str(words(value)) for value in values[:SHOWN])}{more}"}
    return _collected(words(values[0])) if values else None


def _of_results(results: list[Result]) -> dict[str, Stated | None]:
    durations = [result.duration_seconds for result in results if result.duration_seconds is not None]
    depths = _of_all(results, "queue_depth")
    whole = [result for result in results if result.scope == "all" and result.process_count is not None]
    time = round(median(durations), 1) if durations else None
    return {
        "cache_bypass": _one(_of_all(results, "is_direct"), lambda is_direct: "direct" if is_direct else "buffered"),
        "run_time_seconds": _inferred(time, "median of the measured times") if time else None,
        "ramp_seconds": _one(_of_all(results, "ramp_seconds")),
        "process_count": _one(_of_all(whole or results, "process_count")),
        "latency_kind": _one(_of_all(results, "latency_kind"), lambda kind: f"{kind}, as the tool reports it"),
        "unit_base": _collected("exact" if _of_all(results, "unit_basis") == ["exact"] else None),
        "load_axis": _collected(f"outstanding I/Os {', '.join(map(str, depths))}" if depths else None),
    }


def _of_files(mine: list[Item]) -> dict[str, Stated | None]:
    count = max(item.repetition or 1 for item in mine)
    return {
        "repetition_count": _inferred(count, "counted from the files"),
        "kept_run": _inferred("all", "every file that was handed in is kept"),
    }


def _preparation(mine: list[Item], method: Stated) -> dict[str, Stated | None]:
    """
    Tell from a preparing run what was written before, and from the jobs where; ``method`` is what is stated.

    That all of it was written is told only of a run that wrote as many bytes as were measured, to the same file.
    """
    measured = target_of(mine)
    written = [
        (item, result) for item in mine if item.role == "preparation" for result in item.reading.results
        if result.operation == "write" and result.access_pattern == "sequential" and result.transferred_bytes
    ]  # fmt: skip
    told = _area(measured) if measured is not None else {}
    if written:
        bytes_ = max(result.transferred_bytes or 0 for _, result in written)
        note = f"from {', '.join(sorted(item.name for item, _ in written))}"
        told["preconditioning"] = _inferred(f"{bytes_} bytes were written sequentially before measuring", note)
        if measured is not None and any(covers(item, result, measured, mine) for item, result in written):
            if not _is_stated(method, "preconditioning"):
                told["preconditioning_class"] = _inferred("filled", note)
            told["file_written"] = _inferred("every block was written before the measurement", note)
    return told


def _pattern(results: list[Result]) -> Stated | None:
    """
    Tell what fio wrote from options that every job states alike: random bytes, unless an option says otherwise.

    ``scramble_buffers`` is read only where it is stated, because old reports leave bare flags out.
    """
    jobs = [agreement.options_of(result) for result in results]
    if any(options.keys() & _OTHER_PATTERNS or not options.keys() >= _PATTERN for options in jobs):
        return None
    found = {tuple(options[name] for name in sorted(_PATTERN)) for options in jobs}
    words = _WORDS.get(found.pop()) if len(found) == 1 else None
    return _inferred(words, "from refill_buffers and scramble_buffers of every job") if words else None


def _area(measured: Target) -> dict[str, Stated | None]:
    note = "fio's size option, the same in every job"
    told: dict[str, Stated | None] = {"measurement_area": _inferred(measured.words(), note)}
    if measured.names:
        told["measurement_area_bytes"] = _inferred(measured.area.size_bytes, note)
    return told


def _tool(mine: list[Item]) -> dict[str, Stated | None]:
    """Return tool and version that the result files state, unknown where they state several."""
    readings = [item.reading for item in mine if item.role == "result"]
    return {
        "tool": one_of("tools", [reading.tool for reading in readings]),
        "tool_version": one_of("versions", [reading.tool_version for reading in readings]),
    }


IN_REPORT = re.compile(rb'"filename"\s*:\s*"((?:[^"\\]|\\.)*)"')
IN_JOB = re.compile(rb"^[ \t]*filename[ \t]*=[ \t]*([^\r\n]*[^\s])", re.MULTILINE)
DEVICES = "/dev/"


class Target(NamedTuple):
    """The one area that every job was given, and the names of its files, none when each process makes its own."""

    area: Area
    names: tuple[str, ...]

    def words(self) -> str:
        """Return the area in words for a manifest; the name itself may tell of a person, and is left out."""
        size = f"{self.area.text} bytes" if self.area.text.isdigit() else self.area.text
        if not self.names:
            return f"{size} for each process, in a file of its own"
        devices = [name.startswith(DEVICES) for name in self.names]
        if len(self.names) == 1:
            return f"the first {size} of a device" if devices[0] else f"a file of {size}"
        noun = "devices" if all(devices) else "files and devices" if any(devices) else "files"
        return f"{size} over {len(self.names)} {noun}"


def target_of(mine: list[Item]) -> Target | None:
    """Return the target that every job of the results was given, or None where they differ or one does not name it."""
    items = [item for item in mine if item.role == "result"]
    results = [result for item in items for result in item.reading.results if result.job_options]
    areas = {agreement.area_of(agreement.options_of(result)) for result in results}
    named = set().union(*(_named(item, mine) for item in items))
    if len(areas) != 1 or (area := areas.pop()) is None or len(named) != bool(area.filename):
        return None
    return Target(area, tuple(named.pop().split(":")) if named else ())


def covers(item: Item, written: Result, target: Target, mine: list[Item]) -> bool:
    """Say whether a sequential run of a file wrote every byte of a target: to the same file, once or more."""
    own = agreement.area_of(agreement.options_of(written))
    if own is None or len(target.names) != 1 or _named(item, mine) != set(target.names):
        return False
    is_whole = min(own.size_bytes, written.transferred_bytes or 0) >= target.area.size_bytes
    return is_whole and not written.error_code and not written.error_count


def _named(item: Item, mine: list[Item]) -> set[str]:
    """Return every value of ``filename`` in a report, or where it has none in the job file beside it."""
    found = IN_REPORT.findall(item.source.data)
    jobs = [] if found else [job for job in mine if job.name == item.ties.get("job")]
    found += [name for job in jobs for name in IN_JOB.findall(job.source.data)]
    return {name.replace(b"\\/", b"/").decode("utf-8", "replace") for name in found}
