"""
The part of a manifest's method that the results themselves tell; a value that a person stated is never replaced.

Every such value is collected: a program read it from what the tool wrote, and the note says from where, if it had to be
counted or put together. Nobody concluded it, so it decides in comparisons. What only a person can say is asked in one
word of a few.
"""

from __future__ import annotations

import re
from datetime import date
from statistics import median
from typing import TYPE_CHECKING, Any

from ioledger.add import area
from ioledger.collect.machine import Stated, chosen, stated
from ioledger.collect.results import one_of
from ioledger.submission import consistency, dates
from ioledger.submission.consistency import options_of
from ioledger.submission.manifest import known
from ioledger.submission.rows import closed_words
from ioledger.submission.shape import FROM_EITHER, FROM_RESULTS, FROM_YOU

if TYPE_CHECKING:
    from collections.abc import Callable

    from ioledger.add.linking import Ask, Item
    from ioledger.model import Reading, Result

SHOWN = 5
PERCENT = 100
FLAGS_SHOWN = (3, 39)
"""The version of fio from which on its reports show flags without a value."""
NUMBERS = re.compile(r"(\d+)\.(\d+)")
REPORTED, IN_OPTIONS = "from the reports", "from the options of every job"
NOTHING_WRITTEN = "neither the runs nor a preparation among the files wrote anything"
UNSURE = frozenset({
    "dedupe_percentage", "verify", "verify_pattern", "experimental_verify", "read_iolog", "buffer_compress_chunk",
})  # fmt: skip
"""Options with which fio writes something else, or only some of the blocks alike."""
OPEN = frozenset({FROM_RESULTS, FROM_YOU, FROM_EITHER})
"""What a draft says of a value that is still to come."""
CLASSES = {
    "preconditioning_class": (
        "preconditioning",
        "State of {} before measuring (none; erased; filled: written once; aged: written at random until steady; pts)?",
        {
            "none": "none",
            "erased": "erased, and not written since",
            "filled": "every block was written at least once",
            "aged": "written at random until the rate settled",
            "pts": "as the SNIA performance test specification asks",
        },
    ),
    "steady_state_class": (
        "steady_state",
        "How was steady state of {} established (none; stated: by a rule of your own; fio; pts)?",
        {
            "none": "none",
            "stated": "by a rule of the submitter's own",
            "fio": "by fio's criterion",
            "pts": "by the rule of the SNIA performance test specification",
        },
    ),
}
"""What only a person can say in one word: the field of prose beside it, the question, and each word in prose."""
WRITTEN = {
    **dict.fromkeys(("filled", "aged", "pts"), "yes"),
    "erased": "no",
}
"""What a preparation amounts to for the blocks that are read."""


def fill(manifest: dict[str, Any], found: list[Item], ask: Ask) -> None:
    """
    Put what the results tell into every configuration of the manifest, and the day of the test; ask for the rest.

    What the machine told is left out again unless the runs ended within a day of when it was read. Without an answer
    of a person, what only a person knows stays open, and is no manifest to hand in.
    """
    measured = [item for item in found if item.role == "result"]
    for name, configuration in manifest["configurations"].items():
        mine = [item for item in found if item.configuration == name]
        runs = [item for item in mine if item.role == "result"]
        results = [result for item in runs for result in item.reading.results if not result.premises.concurrent]
        if results:
            method, files = configuration["method"], [(item.name, item.reading) for item in runs]
            tool = {
                "tool": one_of("tools", [reading.tool for _, reading in files]),
                "tool_version": one_of("versions", [reading.tool_version for _, reading in files]),
            }
            _correct_tool(configuration, files, tool)
            values = {
                **_of_results(results),
                "repetition_count": stated(max(item.repetition or 1 for item in mine), "", "counted from the files"),
                "reported_run": stated("all", "", "every added file is stored"),
                **_find_steady_state(results),
                "data_pattern": _find_data_pattern(mine),
                "address_seed": _find_address_seed(mine),
                **_find_area(mine, method, area.device_capacity(manifest, configuration)),
            }
            filled = _complete(method, values) | _complete(configuration["software"], tool)
            _ask_states(name, method, ask)
            _leave_unknown(configuration, files, filled)
    days = [day for item in measured for day in dates.run_days(item.reading)]
    if manifest["tested_on"] == "unknown" and days:
        manifest["tested_on"] = min(days).isoformat()
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


def _correct_tool(configuration: Stated, files: list[tuple[str, Reading]], tool: dict[str, Stated | None]) -> None:
    """Let the files' word stand in the place of a tool and version that were read from the machine."""
    for each in consistency.contradictions(configuration, files):
        value = configuration[each.section][each.field]
        if each.section == "software" and dates.is_collected(value) and (own := tool[each.field]) is not None:
            note = f"stated by the files; {each.stated} is what the machine had"
            configuration[each.section][each.field] = {**own, "note": note}


def _leave_unknown(configuration: Stated, files: list[tuple[str, Reading]], filled: set[str]) -> None:
    """Leave unknown what differs between the results, and what none of them tells."""
    differing: dict[tuple[str, str], list[str]] = {}
    for each in consistency.contradictions(configuration, files):
        if each.field in filled:
            differing.setdefault((each.section, each.field), []).append(each.reported)
    for (section, field), values in differing.items():
        some = ", ".join(list(dict.fromkeys(values))[:SHOWN])
        configuration[section][field] = {"unknown": f"it differs between the results; some state {some}"}
    for section in ("software", "method"):
        for field, value in configuration[section].items():
            if isinstance(value, dict) and value.get("unknown") == FROM_RESULTS:
                configuration[section][field] = {"unknown": "the results do not state it"}


def _forget_machine(manifest: Stated, measured: list[Item]) -> None:
    """Make unknown what was read from the machine too long before or after the runs to say how it was then."""
    if "collected_on" not in manifest:
        return
    files = [(item.name, item.reading) for item in measured]
    reason = dates.find_unseen_run(files, date.fromisoformat(manifest["collected_on"]))
    for path, fields, key in list(dates.machine_values(manifest)):
        if reason is not None and dates.is_collected(fields[key]):
            if path[2] == "settings":
                del fields[key]
            else:
                fields[key] = {"unknown": reason}


def _of_all(results: list[Result], name: str) -> list[Any]:
    """Return the values that results state, sorted, each once; what does not state it counts for none."""
    return sorted({value for result in results if (value := getattr(result, name)) is not None})


def _one(values: list[Any], words: Callable[[Any], object] = lambda value: value) -> Stated | None:
    """Return the value that all results share, in ``words``; unknown with all of them where they differ."""
    if len(values) > 1:
        more = " …" if len(values) > SHOWN else ""
        return {"unknown": f"it differs: {', '.join(str(words(value)) for value in values[:SHOWN])}{more}"}
    return stated(words(values[0]), "") if values else None


def _of_results(results: list[Result]) -> dict[str, Stated | None]:
    durations = [result.duration_seconds for result in results if result.duration_seconds is not None]
    depths, bases = _of_all(results, "queue_depth"), _of_all(results, "unit_basis")
    whole = [result for result in results if result.scope == "all" and result.process_count is not None]
    time = round(median(durations), 1) if durations else None
    return {
        "cache_bypass": _one(_of_all(results, "is_direct"), lambda is_direct: "direct" if is_direct else "buffered"),
        "run_time_seconds": stated(time, "", "median of the measured times") if time else None,
        "ramp_seconds": _one(_of_all(results, "ramp_seconds")),
        "process_count": _one(_of_all(whole or results, "process_count")),
        "latency_kind": _one(_of_all(results, "latency_kind")),
        "unit_base": stated("exact", "") if bases == ["exact"] else None,
        "load_axis": stated(f"outstanding I/Os {', '.join(map(str, depths))}", "") if depths else None,
    }


def _find_steady_state(results: list[Result]) -> dict[str, Stated | None]:
    """
    Return from fio's own criterion whether the runs were steady; those that write count, where there are any.

    Nothing follows where no run had a criterion: a person may have had a rule of their own.
    """
    writing = [result for result in results if result.operation in {"write", "mixed"}] or results
    attained = [result.is_steady_state_attained for result in writing]
    if not any(each is not None for each in attained):
        return {}
    reached = attained.count(True)
    criteria = ", ".join(_of_all(writing, "steady_state_criterion"))
    words = f"fio's criterion {criteria} was reached in {reached} of {len(attained)} results"
    kind = stated("fio" if reached else "none", "", REPORTED) if reached in {0, len(attained)} else {"unknown": words}
    return {"steady_state": stated(words, "", REPORTED), "steady_state_class": kind}


def _find_address_seed(mine: list[Item]) -> Stated | None:
    """
    Return from fio's options whether the runs of a random load draw the same addresses; nothing where they differ.

    fio repeats them unless ``randrepeat`` is 0, and then still with ``allrandrepeat`` or one ``randseed``: its HOWTO.
    """
    found = set()
    for item in mine:
        for result in item.reading.results if item.role == "result" and item.reading.tool == "fio" else ():
            if result.job_options is not None and result.access_pattern != "sequential":
                options = options_of(result)
                is_drawn_again = options.get("randrepeat") == "0" and options.get("allrandrepeat", "0") == "0"
                found.add("new" if is_drawn_again and "randseed" not in options else "same")
    return stated(found.pop(), "", IN_OPTIONS) if len(found) == 1 else None


def _find_data_pattern(mine: list[Item]) -> Stated | None:
    """
    Return from fio's options what the runs wrote, else the preparation before them; nothing where they leave it open.

    Without an option fio writes random data. A share of zeros goes before a pattern, and a pattern before zeros: its
    ``fill_io_buffer()``. Reports before fio 3.39 leave flags without a value out.
    """
    for role, source in (("result", "every job"), ("preparation", "the preparation")):
        jobs = [
            (item, result) for item in mine for result in item.reading.results
            if item.role == role and item.reading.tool == "fio" and result.is_canonical
            and result.operation in {"write", "mixed"}
        ]  # fmt: skip
        if jobs:
            words = {data_word(options_of(result), is_whole=_is_whole(item, result)) for item, result in jobs}
            word = words.pop() if len(words) == 1 else None
            patterns = closed_words("method", "data_pattern")
            return chosen(word, patterns, "", f"from the options of {source}") if word else None
    is_fio = {item.reading.tool for item in mine if item.role == "result"} == {"fio"}
    return {"none": NOTHING_WRITTEN} if is_fio else None


def _is_whole(item: Item, result: Result) -> bool:
    """Say whether an option that neither the report nor its job file has is fio's default."""
    version = NUMBERS.search(result.tool_version or "")
    are_flags_shown = version is not None and (int(version[1]), int(version[2])) >= FLAGS_SHOWN
    return bool(result.job_options) and (are_flags_shown or "job" in item.links)


def data_word(options: dict[str, str], *, is_whole: bool) -> str | None:
    """Return the word of the manifest for what a job of fio writes, None where its options leave it open."""
    share = options.get("buffer_compress_percentage", "0").rstrip("%")
    if options.keys() & UNSURE or not share.isdigit():
        return None
    if int(share):
        return f"compressible {share} %" if int(share) < PERCENT else "zero"
    if "buffer_pattern" in options:
        return "constant"
    if options.get("zero_buffers", "0") != "0":
        return "zero"
    is_stated = options.get("refill_buffers", "0") != "0" or {"refill_buffers", "scramble_buffers"} <= options.keys()
    return "incompressible" if is_whole or is_stated else None


def _find_area(mine: list[Item], method: Stated, capacity_bytes: int | None) -> dict[str, Stated | None]:
    """
    Return from the jobs what was addressed, and from a preparing run what was written before; ``method`` is stated.

    That all of it was written follows only for runs that had ended before, and wrote as many bytes as were measured, to
    the same file.
    """
    measured = area.measured_area(mine, capacity_bytes)
    found: dict[str, Stated | None] = {}
    if measured is not None and len(measured.sizes) > 1:
        some = ", ".join(map(str, sorted(measured.sizes)[:SHOWN]))
        differs = {"unknown": f"it differs between the results: {some} bytes"}
        found = {"measurement_area": differs, "measurement_area_bytes": differs}
    elif measured is not None:
        size = stated(max(measured.sizes), "", IN_OPTIONS)
        found = {"measurement_area": stated(measured.words(), "", IN_OPTIONS), "measurement_area_bytes": size}
    early, late = area.list_preparations(mine), area.list_late_preparations(mine)
    written = {item.name: bytes_ for item in early if (bytes_ := area.sequential_bytes(item))}
    if written:
        note = f"from {', '.join(sorted(written))}"
        words = f"{max(written.values())} bytes were written sequentially before measuring"
        found["preconditioning"] = stated(words, "", note)
        if measured is not None and area.is_filled(measured, mine):
            if not _is_stated(method, "preconditioning"):
                found["preconditioning_class"] = stated("filled", "", note)
            found["file_written"] = stated("yes", "", note)
    elif late:
        found["preconditioning"] = {"unknown": area.explain_order(late)}
    return found


def _ask_states(name: str, method: Stated, ask: Ask) -> None:
    """
    Ask for what a person says in one word, and put into prose what it says where that was left open.

    A person who wrote prose and no word is asked for the word; one who said why it is not known is not.
    """
    for field, (prose, question, words) in CLASSES.items():
        if field in method and not _is_stated(method, field):
            answer = ask(question.format(name), list(words))
            if answer is not None:
                method[field] = {"value": answer, "how_known": "declared"}
        if not _is_stated(method, field):
            continue
        state = known(method[field])
        if not state.is_known and not _is_stated(method, prose):
            method[prose] = {"unknown": state.note or "it is not known"}
        _complete(method, {prose: _as_said(words.get(state.value), field)})
    word = known(method.get("preconditioning_class", "unknown")).value
    size = known(method.get("measurement_area_bytes", "unknown")).value
    _complete(method, {"file_written": _as_said(WRITTEN.get(word), "preconditioning_class")})
    _complete(method, {"measurement_area": _as_said(size and f"{size} bytes", "measurement_area_bytes")})


def _as_said(words: str | None, field: str) -> Stated | None:
    return {"value": words, "how_known": "declared", "note": f"as {field} says"} if words else None
