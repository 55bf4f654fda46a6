"""
What each file is, and what it belongs to: read from its content, and of logs from the name that their run gave them.

A result or log belongs to a configuration, and where several files measured the same it is one of its repetitions. A
job file belongs to a result when it describes jobs of the same names and contradicts none of their options
(:mod:`ioledger.loading.linking`). A log names nothing; it is tied to the only repetition there is, to the one
whose report says that it wrote a log of this name (:mod:`ioledger.loading.linking`), or to the one that a person
names. What the content does not tell is asked for; without a terminal it is a problem whose remedy is an option.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any, NamedTuple

import msgspec

from ioledger.add import inputs
from ioledger.loading import tool_file_sets
from ioledger.loading.folder_index import Read, file_of
from ioledger.loading.linking import JobFiles, LogFiles, LogOwner, ReportWithJob
from ioledger.loading.linking import repetitions as repetitions_of
from ioledger.problems import Problem
from ioledger.readers import detect
from ioledger.submission import consistency
from ioledger.submission.manifest import NAME
from ioledger.tables.files import ended

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator
    from pathlib import Path

    from ioledger.model import Finding, Reading, Source

    Ask = Callable[[str, list[str]], str | None]

JOB = re.compile(rb"(?s)\A(?:[;#][^\n]*\n|\s)*\[[A-Za-z_][^\]\n]*\]\s*\n.*=|.*'ACCESS SPECIFICATIONS")
KINDS = ("operations_per_second", "throughput_bytes_per_second", "latency_mean_seconds")
MINUTE = re.compile(r"_(\d{8})_(\d{4})\Z", re.ASCII)
STRANGE = frozenset({"R-DETECT-1", "R-DETECT-2"})
"""A file of no tool, and an empty one; what a tool wrote and cannot be read is a problem wherever it lies."""
PREPARATIONS = frozenset({"preparation", "precondition", "preconditioning", "precond", "prefill", "layout"})
"""Names of tests that only prepare the target; the plans of this project use the first."""


class Item(msgspec.Struct):
    """One file to add: its path, bytes' hash, reading, role, and what it is linked to."""

    path: str
    """Where it lies, for people."""
    name: str
    """The name it gets in the submission."""
    source: Source
    reading: Reading
    role: str
    configuration: str | None = None
    repetition: int | None = None
    ties: dict[str, str] = {}
    """The job file of a result, or the run and point of a log, by the key of the manifest."""


class Given(NamedTuple):
    """What the person stated: configurations for all files or one; by name repetitions, attachments, runs; values."""

    configuration: str | None = None
    repetitions: dict[str, int] = {}  # noqa: RUF012  (read only)
    attachments: frozenset[str] = frozenset()
    subject: str | None = None
    runs: dict[str, str] = {}  # noqa: RUF012  (read only)
    """``run.json`` or ``run.json,POINT`` by the name of the log."""
    configurations: dict[str, str] = {}  # noqa: RUF012  (read only)
    """Configurations by the name of the file; they go before the one of all."""
    states: dict[str, str] = {}  # noqa: RUF012  (read only)
    """Values by the field of the manifest."""


def items(
    paths: tuple[Path, ...], given: Given, tell: Callable[[str], object] = len
) -> tuple[list[Item], list[Problem]]:
    """
    Read the files and find what each is: result, preparation, log, job or attachment.

    What nobody named and no tool wrote, such as a note below a folder, is left out; ``tell`` is told so, and of every
    file that gets another name.
    """
    found: list[Item] = []
    problems: list[Problem] = []
    for each in inputs.inputs(paths):
        if isinstance(each, Problem):
            problems.append(each)
            continue
        called = {each.name, file_of(each.source.name)}
        if each.is_named and NAME in called:
            remedy = "Name it with --manifest."
            problems.append(Problem(each.shown, "", "a manifest is not a result", remedy, "R-ADD-1"))
            continue
        reading = detect.read(each.source)
        role = "attachment" if called & given.attachments else _role(each.source, reading)
        if role is None and not each.is_named and _is_beside(each.source, reading):
            tell(f"{each.shown}: added without reading, with the results of its run")
            role = "attachment"
        if role is None and not each.is_named and reading.refusals[0].rule in STRANGE:
            tell(f"{each.shown}: left out, of no supported tool; to add it without reading: --attachment {each.name}")
            continue
        if role is None:
            refusal = reading.refusals[0]
            remedy = f"{refusal.remedy} To add it without reading: --attachment {each.name}."
            problems.append(Problem(each.shown, refusal.place, refusal.what, remedy, "R-ADD-2"))
            continue
        if each.name != file_of(each.source.name):
            tell(f"{each.shown}: called {each.name} in the submission")
        found.append(Item(each.shown, each.name, each.source, reading, role))
    return found, problems


def _is_beside(source: Source, reading: Reading) -> bool:
    """Say whether ORION wrote a file for a run that holds no result: a console, a histogram, a trace."""
    return reading.refusals[0].rule == "R-ORION-5" or tool_file_sets.run_key(source) is not None


def stated(given: Given, found: list[Item]) -> Given:
    """Return what was stated with the names that files get, for the names by which they were handed in."""
    names: dict[str, str] = {}
    for item in reversed(found):
        names |= {file_of(item.source.name): item.name, item.source.name: item.name}
    names |= {item.name: item.name for item in found}
    runs = {}
    for log, run in given.runs.items():
        file, comma, point = run.partition(",")
        runs[names.get(log, log)] = f"{names.get(file, file)}{comma}{point}"
    repetitions = {names.get(name, name): number for name, number in given.repetitions.items()}
    own = {names.get(name, name): value for name, value in given.configurations.items()}
    return given._replace(runs=runs, repetitions=repetitions, configurations=own)


def misnamed(given: Given, found: list[Item], manifest: dict[str, Any]) -> Iterator[Problem]:
    """Give what is stated of files that are not added, and of configurations that the manifest has not."""
    by_option = {
        "--repetition": given.repetitions.keys(),
        "--configuration": given.configurations.keys(),
        "--attachment": given.attachments,
    }
    names = {name for item in found for name in (item.name, file_of(item.source.name))}
    for option, stated_of in by_option.items():
        for name in sorted(stated_of - names):
            yield Problem(option, "", f"no file {name} is added", "Use the name of an added file.", "R-ADD-7")
    own = sorted(manifest["configurations"])
    for name in sorted({*given.configurations.values(), *filter(None, [given.configuration])} - set(own)):
        remedy = f"Name one of {', '.join(own)}." if own else "Describe it in the manifest, or omit the option."
        yield Problem("--configuration", "", f"the manifest has no configuration {name}", remedy, "R-ADD-7")


def _role(source: Source, reading: Reading) -> str | None:
    if not reading.results and JOB.match(source.data[: detect.HEAD_BYTES]):
        return "job"
    if reading.refusals:
        return None
    if any(table in reading.rows for table in ("figures", "claims", "provenance", "contradictions")):
        return "publication"
    if not any(result.is_canonical for result in reading.results):
        return "log"
    names = {str(result.test_name) for result in reading.results}
    return "preparation" if names <= PREPARATIONS else "result"


def configurations(found: list[Item], manifest: dict[str, Any], given: Given, ask: Ask) -> list[Problem]:
    """
    Link every file to a configuration: the only one, the only one that fits the results, or the one stated.

    Whether the only one fits, the check says, value by value.
    """
    names = sorted(manifest["configurations"])
    problems: list[Problem] = []
    if not names and any(item.role == "result" for item in found):
        what, remedy = "the manifest has no configuration, but results need one", "Make it with ioledger collect."
        return [Problem(NAME, "", what, remedy, "R-ADD-3")]
    for item in found:
        if item.role == "publication":
            continue
        against = {name: _contradicted(manifest["configurations"][name], item) for name in names}
        fitting = names if len(names) == 1 else [name for name in names if not against[name]]
        only = fitting[0] if len(fitting) == 1 else None
        chosen = given.configurations.get(item.name) or given.configuration or only
        item.configuration = chosen or ask(f"Which configuration does {item.name} belong to?", fitting or names)
        if item.configuration not in names:
            remedy = f"State it: --configuration {item.name}=NAME with one of {', '.join(names)}."
            differ = ", ".join(sorted({field for fields in against.values() for field in fields}))
            what = f"the content fits {', '.join(fitting)}" if fitting else f"it fits no configuration; {differ} differ"
            problems.append(Problem(item.path, "", what, remedy, "R-ADD-3"))
    return problems


def _contradicted(configuration: dict[str, Any], item: Item) -> list[str]:
    """Return the fields of the configuration that a file contradicts; a file that prepares may load otherwise."""
    found = consistency.contradictions(configuration, [(item.name, item.reading)])
    return [each.field for each in found if item.role == "result" or each.section == "software"]


def repetitions(found: list[Item], given: Given, ask: Ask) -> list[Problem]:
    """Give a number to the files that measured the same points by the time in them; a file alone is repetition 1."""
    groups: dict[object, list[Item]] = {}
    for item in found:
        if item.role == "result":
            groups.setdefault((item.configuration, _points(item.reading)), []).append(item)
    problems = []
    for group in (apart for together in groups.values() for apart in _repeating(together)):
        times = [ended(item.reading.results) or _named_time(item) for item in group]
        told = len(group) == 1 or (None not in times and len(set(times)) == len(times))
        ordered = [item for _, item in sorted(zip(times, group, strict=True), key=lambda pair: pair[0] or 0)]
        for index, item in enumerate(ordered, 1):
            count = [str(number) for number in range(1, len(group) + 1)]
            answer = None if told or item.name in given.repetitions else ask(f"Which repetition is {item.name}?", count)
            number = index if told else int(answer) if answer else None
            item.repetition = given.repetitions.get(item.name, number)
            if item.repetition is None:
                problems.append(_unordered(item, group))
    return problems


def _unordered(item: Item, group: list[Item]) -> Problem:
    """Say why a file of a group has no number: it is the same file as another, or no time orders the group."""
    copies = [each.path for each in group if each is not item and each.source.sha256 == item.source.sha256]
    if copies:
        what = f"it is a copy of {', '.join(copies)}, so it is not a repetition"
        return Problem(item.path, "", what, "Add only one of them.", "R-ADD-3")
    what = f"{len(group)} files measured the same points, and have no time stamps that give their order"
    return Problem(item.path, "", what, f"State it: --repetition {item.name}=NUMBER.", "R-ADD-3")


def _repeating(group: list[Item]) -> list[list[Item]]:
    """
    Return the files of a group that repeat each other.

    Where all that state one kind of figure state no other that the rest do, as the files that ORION writes for rates,
    throughputs and latencies of one run, each kind is a group of its own.
    """
    kinds: dict[frozenset[str], list[Item]] = {}
    for item in group:
        stated = (name for name in KINDS for result in item.reading.results if getattr(result, name) is not None)
        kinds.setdefault(frozenset(stated), []).append(item)
    if all(_named_time(item) is not None for item in group):
        return list(kinds.values())  # ORION names all files of a run alike, and each run by its minute
    count = sum(map(len, kinds))
    return list(kinds.values()) if all(kinds) and count == len(frozenset().union(*kinds)) else [group]


def _named_time(item: Item) -> int | None:
    """Return the minute in the name that ORION gives to the files of a run, as a number that grows with time."""
    key = tool_file_sets.run_key(item.source) if item.reading.tool == tool_file_sets.ORION else None
    minute = MINUTE.search(key[1]) if key is not None else None
    return int(minute[1] + minute[2]) if minute else None


def _points(reading: Reading) -> frozenset[object]:
    return frozenset(
        (r.operation, r.access_pattern, r.read_ratio, r.block_size_bytes, r.queue_depth, r.process_count, r.test_name)
        for r in reading.results
    )


MEASURED = frozenset({"result", "preparation"})


def to_jobs(found: list[Item]) -> None:
    """
    Tie every result to the job file that fits it, where exactly one does, and read it again with that file.

    Job files with the same bytes say the same; the first of them stands for all. One of another folder counts too:
    what is added is one submission.
    """
    files = JobFiles(Read(item.source, item.reading) for item in found if item.role == "job" and item.reading.is_setup)
    names = {id(item.source): item.name for item in found}
    for item in found:
        filed = files.of(item.source, item.reading, is_one=True) if item.role in MEASURED else None
        if isinstance(filed, ReportWithJob):
            item.ties["job"], item.reading, item.source.job = names[id(filed.job)], filed.reading, filed.job.data


def to_runs(found: list[Item], given: Given, ask: Ask) -> list[Problem]:
    """
    Tie every log to its run.

    That is the one stated, the only point measured in its configuration, the one whose report names the log, or the
    answer.
    """
    handed = {item.name: item for item in found if item.role == "log"}
    measured = LogFiles(
        (Read(item.source, item.reading) for item in found if item.role in MEASURED),
        [item.source for item in handed.values()],
    )
    unknown = sorted(given.runs.keys() - handed.keys())
    problems = [_problem(name, "no log of this name is added", handed) for name in unknown]
    for name, log in handed.items():
        places = _places(found, log)
        stated = given.runs.get(name)
        fitting = [place for place, tie in places.items() if stated in {None, place, tie["run"]}]
        if stated is not None and len(fitting) != 1:
            what = f"{stated} is {'several points' if fitting else 'no point'} of what was measured"
            problems.append(_problem(name, what, fitting or places))
            continue
        only = fitting[0] if len(fitting) == 1 else _named(measured.of(log.source), found)
        answer = only if only in places else (ask(f"Which run is {name} a log of?", list(places)) if places else None)
        log.ties |= places.get(answer or "", {})
    return problems


def _named(written: LogOwner | Finding, found: list[Item]) -> str | None:
    """Return the point whose log this is by its name, as ``_places`` calls it."""
    if not isinstance(written, LogOwner):
        return None
    return next((f"{item.name},{written.repetition}" for item in found if item.source is written.source), None)


def _problem(log: str, what: str, choice: Iterable[str]) -> Problem:
    remedy = f"Write --run LOG=POINT with one of: {'; '.join(choice) or 'nothing that is added'}."
    return Problem(log, "", what, remedy, "R-ADD-3")


def _places(found: list[Item], log: Item) -> dict[str, dict[str, str]]:
    """Return run and point of everything that was measured in the configuration of a log, by a name for people."""
    return {
        f"{item.name},{point}": {"run": item.name, "point": point}
        for item in found
        if item.role in MEASURED and item.configuration == log.configuration
        for point in repetitions_of(item.reading)
    }
