"""
The part of a manifest's method that the results themselves tell; a value that a person stated is never replaced.

Such a value is collected: a program read it from what the tool wrote. What only a person can say is asked in one word
of a few. Of fio's jobs only those are understood that address their target from its start; reports name files without
their folders, so one name is taken for one file.
"""

from __future__ import annotations

import re
from collections import Counter
from datetime import date
from statistics import median
from typing import TYPE_CHECKING, Any

from ioledger.collect import Stated, state_value
from ioledger.collect.draft import one_of
from ioledger.submission import consistency, parse_value
from ioledger.submission.consistency import addressed_bytes, group_of, options_of
from ioledger.submission.shape import FROM_EITHER, FROM_RESULTS, FROM_YOU, schema_of
from ioledger.tables.columns import end_of_runs

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ioledger.add import Ask, Item
    from ioledger.model import Result

SHOWN = 5
IN_OPTIONS = "from the options of every job"
NOTHING_WRITTEN = "neither the runs nor a preparation among the files wrote anything"
PATTERNS = frozenset({
    "buffer_compress_chunk", "buffer_compress_percentage", "buffer_pattern", "dedupe_percentage", "experimental_verify",
    "read_iolog", "verify", "verify_pattern", "zero_buffers",
})  # fmt: skip
"""Options with which fio writes something else than random data, or only some of the blocks alike."""
HOLES = frozenset({"percentage_random", "norandommap", "unlink", "unlink_each_loop"})
"""Options of fio with which a sequential run leaves blocks out, or the file is gone when it ends."""
WHOLE_DEVICE = re.compile(r"[shv]d[a-z]+|xvd[a-z]+|nvme\d+n\d+|pmem\d+|mmcblk\d+|PhysicalDrive\d+")
"""Names of drives; of a partition or an array the capacity of the drive tells nothing."""
OPEN = frozenset({FROM_RESULTS, FROM_YOU, FROM_EITHER})
"""What a draft says of a value that is still to come."""
CLASSES = {
    "preconditioning_class": (
        "preconditioning",
        "State of {} before measuring (none; erased; filled: written once; aged: written at random until steady; pts)?",
    ),
    "steady_state_class": (
        "steady_state",
        "How was steady state of {} established (none; stated: by a rule of your own; fio; pts)?",
    ),
}
"""What only a person can say in one word: the field of prose beside it, and the question."""
WRITTEN = {"filled": "yes", "aged": "yes", "pts": "yes", "erased": "no"}
"""What a preparation amounts to for the blocks that are read."""


def fill(manifest: dict[str, Any], found: list[Item], ask: Ask) -> None:
    """
    Put what the results tell into every configuration of the manifest, and the day of the test; ask for the rest.

    What the machine told is left out again unless the runs ended within a day of when it was read.
    """
    measured = [item for item in found if item.role == "result"]
    for name, configuration in manifest["configurations"].items():
        mine = [item for item in found if item.configuration == name]
        runs = [item for item in mine if item.role == "result"]
        results = [result for item in runs for result in item.reading.results if not result.premises.concurrent]
        if results:
            method, software = configuration["method"], configuration["software"]
            of_tool = {
                "tool": one_of("tools", [item.reading.tool for item in runs]),
                "tool_version": one_of("versions", [item.reading.tool_version for item in runs]),
            }
            of_method = {
                **_find_common(results),
                "repetition_count": state_value(max(run.repetition or 1 for run in mine), "", "counted from the files"),
                "reported_run": state_value("all", "", "every added file is stored"),
                "data_pattern": _find_data_pattern(mine),
                "address_seed": _find_address_seed(runs),
                **_find_area(mine, method, device_capacity(manifest, configuration["storage"])),
            }
            filled = _complete(method, of_method) | _complete(software, of_tool)
            _ask_states(name, method, ask)
            for each in consistency.contradictions(configuration, [(item.name, item.reading) for item in runs]):
                if each.field in filled:
                    why = f"it differs between the results; {each.path} states {each.reported}"
                    configuration[each.section][each.field] = {"unknown": why}
            for section in (software, method):
                for field, value in section.items():
                    if isinstance(value, dict) and value.get("unknown") == FROM_RESULTS:
                        section[field] = {"unknown": "the results do not state it"}
    days = [day for item in measured for day in consistency.run_days(item.reading)]
    if manifest["tested_on"] == "unknown" and days:
        manifest["tested_on"] = min(days).isoformat()
    if "collected_on" in manifest:
        _forget_machine(manifest, measured)


def _complete(section: Stated, values: dict[str, Stated | None]) -> set[str]:
    """Fill in values that are known and left open; return the fields that were filled in."""
    filled = {field: value for field, value in values.items() if value is not None and not _is_stated(section, field)}
    section.update(filled)
    return set(filled)


def _is_stated(section: Stated, field: str) -> bool:
    """Say whether a person stated a field, be it with a reason why it is not known."""
    value = section.get(field, "unknown")
    return value != "unknown" and not (isinstance(value, dict) and value.get("unknown") in OPEN)


def _forget_machine(manifest: Stated, measured: list[Item]) -> None:
    """Make unknown what was read from the machine too long before or after the runs to say how it was then."""
    files = [(item.name, item.reading) for item in measured]
    reason = consistency.find_unseen_run(files, date.fromisoformat(manifest["collected_on"]))
    for path, fields, key in list(consistency.machine_values(manifest)):
        if reason is not None and consistency.is_collected(fields[key]):
            if path[2] == "settings":
                del fields[key]
            else:
                fields[key] = {"unknown": reason}


def _find_common(results: list[Result]) -> dict[str, Stated | None]:
    """Return what all results state alike; unknown with the values where they differ."""

    def values(name: str, among: list[Result] = results) -> list[Any]:
        """Return the different values of a column."""
        return sorted({value for result in among if (value := getattr(result, name)) is not None})

    def one(found: list[Any]) -> Stated | None:
        """Return the only value as a stated one; unknown where there are several, null where there is none."""
        if len(found) > 1:
            return {"unknown": f"it differs: {', '.join(map(str, found[:SHOWN]))}{' …' * (len(found) > SHOWN)}"}
        return state_value(found[0], "") if found else None

    durations = [result.duration_seconds for result in results if result.duration_seconds is not None]
    whole = [result for result in results if result.scope == "all" and result.process_count is not None]
    time, depths = round(median(durations), 1) if durations else None, values("queue_depth")
    return {
        "cache_bypass": one(["direct" if is_direct else "buffered" for is_direct in values("is_direct")]),
        "run_time_seconds": state_value(time, "", "median of the measured times") if time else None,
        "ramp_seconds": one(values("ramp_seconds")),
        "process_count": one(values("process_count", whole or results)),
        "latency_kind": one(values("latency_kind")),
        "unit_base": state_value("exact", "") if values("unit_basis") == ["exact"] else None,
        "load_axis": state_value(f"outstanding I/Os {', '.join(map(str, depths))}", "") if depths else None,
    }


def _find_address_seed(runs: list[Item]) -> Stated | None:
    """
    Return from fio's options whether the runs of a random load draw the same addresses; nothing where they differ.

    fio repeats them unless ``randrepeat`` is 0, and then still with ``allrandrepeat`` or one ``randseed``: its HOWTO.
    """
    found = set()
    for item in runs:
        for result in item.reading.results if item.reading.tool == "fio" else ():
            if result.job_options is not None and result.access_pattern != "sequential":
                options = options_of(result)
                is_drawn_again = options.get("randrepeat") == "0" and options.get("allrandrepeat", "0") == "0"
                found.add("new" if is_drawn_again and "randseed" not in options else "same")
    return state_value(found.pop(), "", IN_OPTIONS) if len(found) == 1 else None


def _find_data_pattern(mine: list[Item]) -> Stated | None:
    """Return that fio's options, or those of a preparation, say that random data were written; else nothing."""
    for role, source in (("result", "every job"), ("preparation", "the preparation")):
        found = set()
        for item in mine:
            for result in item.reading.results if item.role == role and item.reading.tool == "fio" else ():
                if result.is_canonical and result.operation in {"write", "mixed"}:
                    is_whole = bool(result.job_options) and "job" in item.links
                    found.add(is_random(options_of(result), is_whole=is_whole))
        if found:
            return state_value("incompressible", "", f"from the options of {source}") if found == {True} else None
    is_fio = {item.reading.tool for item in mine if item.role == "result"} == {"fio"}
    return {"none": NOTHING_WRITTEN} if is_fio else None


def is_random(options: dict[str, str], *, is_whole: bool) -> bool:
    """Say whether a job of fio writes random data, which it does by default; ``is_whole``: these are all options."""
    is_stated = options.get("refill_buffers", "0") != "0" or {"refill_buffers", "scramble_buffers"} <= options.keys()
    return not options.keys() & PATTERNS and (is_whole or is_stated)


def _find_area(mine: list[Item], method: Stated, capacity_bytes: int | None) -> dict[str, Stated | None]:
    """Return from the jobs what was addressed, and from a preparing run that all of it was written before."""
    area = measured_area(mine, capacity_bytes)
    if area is None:
        return {}
    _, size = area
    words = "the whole device" if size == capacity_bytes else f"{size} bytes"
    found: dict[str, Stated | None] = {"measurement_area": state_value(words, "", IN_OPTIONS)}
    found["measurement_area_bytes"] = state_value(size, "", IN_OPTIONS)
    if (name := find_filling(area, mine, capacity_bytes)) is not None:
        found["preconditioning"] = state_value("the area was written once, sequentially", "", f"from {name}")
        found["file_written"] = state_value("yes", "", f"from {name}")
        if not _is_stated(method, "preconditioning"):
            found["preconditioning_class"] = state_value("filled", "", f"from {name}")
    return found


def measured_area(mine: Sequence[Item], capacity_bytes: int | None) -> tuple[str | None, int] | None:
    """Return the file, by published name, and the bytes that every run of fio addressed, one job at a time, or None."""
    areas, together = set(), Counter[object]()
    for item in mine:
        results = item.reading.results if item.role == "result" else []
        measured = [each for each in results if each.is_canonical and not each.is_partial and not each.is_aggregate]
        for result in {each.repetition: each for each in measured}.values():
            options = options_of(result)
            name = options.get("filename")
            size = addressed_bytes(options, capacity_bytes if WHOLE_DEVICE.fullmatch(name or "") else None)
            count = result.process_count if name is None else 1
            if item.reading.tool != "fio" or result.scope == "all" or not size or not count:
                return None
            areas.add((name, size * count))
            alone = result.repetition if result.group_index is None else None
            together[item.name, *group_of(result), alone] += 1
    return areas.pop() if len(areas) == 1 and max(together.values()) == 1 else None


def find_filling(area: tuple[str | None, int], mine: Sequence[Item], capacity_bytes: int | None) -> str | None:
    """
    Return the file of a preparation, one job of which wrote every byte of what was measured, or None.

    It had ended when the first measurement began, as far as times tell it. A report says when it was written, and since
    fio 3.36 when each job began; one of a run that measured lies as long behind its beginning as its last job took.
    """
    starts = [_find_start(result) for item in mine if item.role == "result" for result in item.reading.results]
    before = [item for item in mine if item.role == "preparation"]
    if area[0] is None or None in starts or any(r.operation == "trim" for item in before for r in item.reading.results):
        return None
    first = min(start for start in starts if start is not None) + 1e6  # times in reports may be cut off to seconds
    for item in before:
        end = end_of_runs(item.reading.results)
        for result in item.reading.results if end is not None and end <= first else ():
            options = options_of(result)
            is_sequential = result.operation == "write" and result.access_pattern == "sequential"
            is_holed = ":" in options.get("rw", options.get("readwrite", "")) or bool(options.keys() & HOLES)
            is_whole = is_sequential and not is_holed and result.process_count == 1 and not result.premises.is_summed
            is_of_all = min(addressed_bytes(options, capacity_bytes) or 0, result.transferred_bytes or 0) >= area[1]
            is_sound = not result.error_code and not result.error_count
            if is_whole and is_of_all and is_sound and options.get("filename") == area[0]:
                return item.name
    return None


def _find_start(result: Result) -> float | None:
    """Return when a run began at the latest, in microseconds since 1970 UTC."""
    if result.started_at is not None or result.ended_at is None:
        return result.started_at
    return result.ended_at - 1e6 * (result.duration_seconds or 0.0)


def device_capacity(manifest: dict[str, Any], storage: dict[str, Any]) -> int | None:
    """Return the capacity of the device that is measured: of the only data drive, without a file system."""
    drives = [drive for drive in storage.get("drives", ()) if drive.get("role", "data") == "data"]
    if parse_value(storage.get("filesystem", "unknown")).value != "raw" or [drive["count"] for drive in drives] != [1]:
        return None
    device = manifest["devices"].get(drives[0]["device"], {})
    capacity: int | None = parse_value(device.get("capacity_bytes", "unknown")).value
    return capacity


def _ask_states(name: str, method: Stated, ask: Ask) -> None:
    """
    Ask for what a person says in one word, and put into prose what it says where that was left open.

    A person who wrote prose and no word is asked for the word; one who said why it is not known is not.
    """
    for field, (prose, question) in CLASSES.items():
        if field in method and not _is_stated(method, field):
            words = schema_of("method")["properties"][field]["anyOf"][0]["enum"]
            answer = ask(question.format(name), [word for word in words if word != "unknown"])
            if answer is not None:
                method[field] = {"value": answer, "how_known": "declared"}
        if _is_stated(method, field):
            state = parse_value(method[field])
            why = {"unknown": state.note or "it is not known"}
            _complete(method, {prose: _as_said(state.value, field) if state.is_known else why})
    word = parse_value(method.get("preconditioning_class", "unknown")).value
    size = parse_value(method.get("measurement_area_bytes", "unknown")).value
    _complete(method, {
        "file_written": _as_said(WRITTEN.get(word), "preconditioning_class"),
        "measurement_area": _as_said(f"{size} bytes" if size else None, "measurement_area_bytes"),
    })  # fmt: skip


def _as_said(words: str | None, field: str) -> Stated | None:
    return {"value": words, "how_known": "declared", "note": f"as {field} says"} if words else None
