"""
The files that are handed in: what each is, its name in the submission, and what it belongs to.

This is read from the content of files, and of logs from the name that their run gave them. Names never matter to what
is read, so that any will do. A submission's own are plain, because every system has to store them.

A result or log belongs to a configuration, and where several files measured the same it is one of its repetitions. A
job file belongs to a result when it describes jobs of the same names and contradicts none of their options
(:mod:`ioledger.loading.linking`). A log names nothing; it is tied to the only repetition there is, to the one
whose report says that it wrote a log of this name (:mod:`ioledger.loading.linking`), or to the one that a person
names. What the content does not tell is asked for; without a terminal it is a problem whose remedy is an option.
"""

from __future__ import annotations

import re
import unicodedata
from pathlib import Path, PurePosixPath
from typing import TYPE_CHECKING, Any

import msgspec

from ioledger.loading import archives, files, tool_file_sets
from ioledger.loading.archives import Entry
from ioledger.loading.files import Read, file_of, folder_of
from ioledger.loading.linking import JobFiles, LogFiles, LogOwner, ReportWithJob
from ioledger.loading.linking import repetitions as repetitions_of
from ioledger.model import Reading, Source
from ioledger.problems import Problem
from ioledger.readers import detect
from ioledger.submission import consistency
from ioledger.submission.files import PART
from ioledger.submission.manifest import NAME
from ioledger.tables.files import ended

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    Ask = Callable[[str, list[str]], str | None]

JOB = re.compile(rb"(?s)\A(?:[;#][^\n]*\n|\s)*\[[A-Za-z_][^\]\n]*\]\s*\n.*=|.*'ACCESS SPECIFICATIONS")
KINDS = ("operations_per_second", "throughput_bytes_per_second", "latency_mean_seconds")
MINUTE = re.compile(r"_(\d{8})_(\d{4})\Z", re.ASCII)
STRANGE = frozenset({"R-DETECT-1", "R-DETECT-2"})
"""A file of no tool, and an empty one; what a tool wrote and cannot be read is a problem wherever it lies."""
PREPARATIONS = frozenset({"preparation", "precondition", "preconditioning", "precond", "prefill", "layout"})
"""Names of tests that only prepare the target; the plans of this project use the first."""
REFUSED = re.compile(r"[^A-Za-z0-9_+,.()-]+")
"""What becomes a hyphen in the name of a file."""
MOST_CHARACTERS = 100
NAMELESS = "file"


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
    links: dict[str, str] = {}
    """The job file of a result, or the run and point of a log, by the key of the manifest."""


class Options(msgspec.Struct, frozen=True, kw_only=True):
    """What the person stated: configurations for all files or one; by name repetitions, attachments, runs; values."""

    configuration: str | None = None
    repetitions: dict[str, int] = {}
    attachments: frozenset[str] = frozenset()
    subject: str | None = None
    runs: dict[str, str] = {}
    """``run.json`` or ``run.json,POINT`` by the name of the log."""
    configurations: dict[str, str] = {}
    """Configurations by the name of the file; they go before the one of all."""
    states: dict[str, str] = {}
    """Values by the field of the manifest."""


def read_items(
    paths: tuple[Path, ...], options: Options, tell: Callable[[str], object] = len
) -> tuple[list[Item], list[Problem]]:
    """
    Read the files and find what each is: result, preparation, log, job or attachment.

    What nobody named and no tool wrote, such as a note below a folder, is left out; ``tell`` is told so, and of every
    file that gets another name.
    """
    found: list[Item] = []
    problems: list[Problem] = []
    taken = {NAME}
    for source, shown, is_named in _list_sources(paths, problems):
        name = plain_name(source.name, taken)
        taken.add(name.casefold())
        names = {name, file_of(source.name)}
        if is_named and NAME in names:
            problems.append(Problem(shown, "", "a manifest is not a result", "Name it with --manifest.", "R-ADD-1"))
            continue
        reading = detect.read(source)
        role = "attachment" if names & options.attachments else _role(source, reading)
        # ORION writes files for a run that hold no result: a console, a histogram, a trace
        is_of_orion = any(each.rule == "R-ORION-5" for each in reading.refusals[:1]) or tool_file_sets.run_key(source)
        if role is None and not is_named and is_of_orion:
            tell(f"{shown}: added without reading, with the results of its run")
            role = "attachment"
        if role is None and not is_named and reading.refusals[0].rule in STRANGE:
            tell(f"{shown}: left out, of no supported tool; to add it without reading: --attachment {name}")
        elif role is None:
            refusal = reading.refusals[0]
            remedy = f"{refusal.remedy} To add it without reading: --attachment {name}."
            problems.append(Problem(shown, refusal.place, refusal.what, remedy, "R-ADD-2"))
        else:
            if name != file_of(source.name):
                tell(f"{shown}: called {name} in the submission")
            found.append(Item(shown, name, source, reading, role))
    return found, problems


def _list_sources(paths: Iterable[Path], problems: list[Problem]) -> Iterator[tuple[Source, str, bool]]:
    """
    Give every file that is named, lies below a named folder or in an archive, each once, with its path for people.

    The last value says whether somebody named it. Archives are gone through and not handed in. A manifest below a
    folder is passed over. What cannot be read is added to the problems.
    """
    seen = set[str]()
    for path in paths:
        for place in files.list_files((path,)):
            real = str(Path(place).resolve())
            if real in seen:
                continue
            seen.add(real)
            if not Path(place).is_file():
                problems.append(files.not_a_file(place))
                continue
            for found in archives.sources(place):
                if isinstance(found, Entry):
                    problems += [found.problem] if found.problem is not None else []
                    continue
                is_named = place == str(path) and found.member_path is None
                if is_named or file_of(found.name) != NAME:
                    inside = found.name.removeprefix(str(path)).lstrip("/\\!") or path.name
                    yield Source(Path(place).name if is_named else inside, found.data), found.name, is_named


def plain_name(path: str, taken: set[str]) -> str:
    """
    Return a plain name for a file, ``taken`` by none in small letters; one that is plain already stays as it is.

    What a name has besides letters, digits and ``_ + , . ( ) -`` becomes a hyphen, its end stays (the end of a log's
    name says what it logs), and of two that are one on some system the later gets the name of its folder or a number.
    """
    name, folder = _plain(file_of(path)), _plain(file_of(folder_of(path)))
    stem, suffix = PurePosixPath(name).stem, PurePosixPath(name).suffix
    choices = [name, *([f"{folder}-{name}"] if folder != NAMELESS else [])]
    number = 2
    while (chosen := choices.pop(0)).casefold() in taken:
        choices.append(f"{stem}-{number}{suffix}")
        number += 1
    return chosen


def _plain(name: str) -> str:
    if PART.fullmatch(name) and len(name) <= MOST_CHARACTERS and " " not in name:
        return name
    # Latin letters may lose their marks
    is_latin = all(not letter.isalpha() or unicodedata.name(letter, "").startswith("LATIN") for letter in name)
    letters = unicodedata.normalize("NFKD", name).encode("ascii", "ignore" if is_latin else "replace").decode()
    plain = REFUSED.sub("-", letters)[-MOST_CHARACTERS:].lstrip("-+,.()").rstrip(". ")
    plain = f"{NAMELESS}{plain}" if plain.startswith("_") else plain
    if not PurePosixPath(plain).stem.strip("-_") or plain == PurePosixPath(name).suffix.lstrip("."):
        plain = NAMELESS + PurePosixPath(REFUSED.sub("-", name)).suffix
    return plain if PART.fullmatch(plain) else f"{NAMELESS}-{plain}"


def rename_options(options: Options, found: list[Item]) -> Options:
    """Return what was stated with the names that files get, for the names by which they were handed in."""
    names: dict[str, str] = {}
    for item in reversed(found):
        names |= {file_of(item.source.name): item.name, item.source.name: item.name}
    names |= {item.name: item.name for item in found}
    runs = {}
    for log, run in options.runs.items():
        file, comma, point = run.partition(",")
        runs[names.get(log, log)] = f"{names.get(file, file)}{comma}{point}"
    repetitions = {names.get(name, name): number for name, number in options.repetitions.items()}
    own = {names.get(name, name): value for name, value in options.configurations.items()}
    return msgspec.structs.replace(options, runs=runs, repetitions=repetitions, configurations=own)


def option_problems(options: Options, found: list[Item], manifest: dict[str, Any]) -> Iterator[Problem]:
    """Give what is stated of files that are not added, and of configurations that the manifest has not."""
    by_option = {
        "--repetition": options.repetitions.keys(),
        "--configuration": options.configurations.keys(),
        "--attachment": options.attachments,
    }
    names = {name for item in found for name in (item.name, file_of(item.source.name))}
    for option, stated_of in by_option.items():
        for name in sorted(stated_of - names):
            yield Problem(option, "", f"no file {name} is added", "Use the name of an added file.", "R-ADD-7")
    own = sorted(manifest["configurations"])
    for name in sorted({*options.configurations.values(), *filter(None, [options.configuration])} - set(own)):
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


def link_configurations(found: list[Item], manifest: dict[str, Any], options: Options, ask: Ask) -> list[Problem]:
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
        against = {name: _list_contradictions(manifest["configurations"][name], item) for name in names}
        fitting = names if len(names) == 1 else [name for name in names if not against[name]]
        only = fitting[0] if len(fitting) == 1 else None
        chosen = options.configurations.get(item.name) or options.configuration or only
        item.configuration = chosen or ask(f"Which configuration does {item.name} belong to?", fitting or names)
        if item.configuration not in names:
            remedy = f"State it: --configuration {item.name}=NAME with one of {', '.join(names)}."
            differ = ", ".join(sorted({field for fields in against.values() for field in fields}))
            what = f"the content fits {', '.join(fitting)}" if fitting else f"it fits no configuration; {differ} differ"
            problems.append(Problem(item.path, "", what, remedy, "R-ADD-3"))
    return problems


def _list_contradictions(configuration: dict[str, Any], item: Item) -> list[str]:
    """Return the fields of the configuration that a file contradicts; a file that prepares may load otherwise."""
    found = consistency.contradictions(configuration, [(item.name, item.reading)])
    return [each.field for each in found if item.role == "result" or each.section == "software"]


def number_repetitions(found: list[Item], options: Options, ask: Ask) -> list[Problem]:
    """Give a number to the files that measured the same points by the time in them; a file alone is repetition 1."""
    groups: dict[object, list[Item]] = {}
    for item in found:
        if item.role == "result":
            groups.setdefault((item.configuration, _points(item.reading)), []).append(item)
    problems = []
    for group in (apart for together in groups.values() for apart in _split_by_kind(together)):
        times = [ended(item.reading.results) or _named_time(item) for item in group]
        is_ordered = len(group) == 1 or (None not in times and len(set(times)) == len(times))
        in_order = [item for _, item in sorted(zip(times, group, strict=True), key=lambda pair: pair[0] or 0)]
        numbers = [str(number) for number in range(1, len(group) + 1)]
        for number, item in zip(numbers, in_order, strict=True):
            is_stated = item.name in options.repetitions
            answer = number if is_ordered or is_stated else ask(f"Which repetition is {item.name}?", numbers)
            item.repetition = options.repetitions.get(item.name, int(answer) if answer else None)
            if item.repetition is None:
                problems.append(_no_order(item, group))
    return problems


def _no_order(item: Item, group: list[Item]) -> Problem:
    """Say why a file of a group has no number: it is the same file as another, or no time orders the group."""
    copies = [each.path for each in group if each is not item and each.source.sha256 == item.source.sha256]
    if copies:
        what = f"it is a copy of {', '.join(copies)}, so it is not a repetition"
        return Problem(item.path, "", what, "Add only one of them.", "R-ADD-3")
    what = f"{len(group)} files measured the same points, and have no time stamps that give their order"
    return Problem(item.path, "", what, f"State it: --repetition {item.name}=NUMBER.", "R-ADD-3")


def _split_by_kind(group: list[Item]) -> list[list[Item]]:
    """
    Return the files of a group that repeat each other.

    Where all that state one kind of figure state no other that the rest do, as the files that ORION writes for rates,
    throughputs and latencies of one run, each kind is a group of its own.
    """
    kinds: dict[frozenset[str], list[Item]] = {}
    for item in group:
        filled = (name for name in KINDS for result in item.reading.results if getattr(result, name) is not None)
        kinds.setdefault(frozenset(filled), []).append(item)
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


def link_jobs(found: list[Item]) -> None:
    """
    Tie every result to the job file that fits it, where exactly one does, and read it again with that file.

    Job files with the same bytes say the same; the first of them stands for all. One of another folder counts too:
    what is added is one submission.
    """
    jobs = JobFiles(Read(item.source, item.reading) for item in found if item.role == "job" and item.reading.is_setup)
    names = {id(item.source): item.name for item in found}
    for item in found:
        report = jobs.of(item.source, item.reading, is_one=True) if item.role in MEASURED else None
        if isinstance(report, ReportWithJob):
            item.links["job"], item.reading, item.source.job = names[id(report.job)], report.reading, report.job.data


def link_runs(found: list[Item], options: Options, ask: Ask) -> list[Problem]:
    """
    Tie every log to its run.

    That is the one stated, the only point measured in its configuration, the one whose report names the log, or the
    answer.
    """
    logs = {item.name: item for item in found if item.role == "log"}
    by_name = LogFiles(
        (Read(item.source, item.reading) for item in found if item.role in MEASURED),
        [item.source for item in logs.values()],
    )
    unknown = sorted(options.runs.keys() - logs.keys())
    problems = [_wrong_run(name, "no log of this name is added", logs) for name in unknown]
    for name, log in logs.items():
        places, stated = _places(found, log), options.runs.get(name)
        fitting = [place for place, link in places.items() if stated in {None, place, link["run"]}]
        if stated is not None and len(fitting) != 1:
            what = f"{stated} is {'several points' if fitting else 'no point'} of what was measured"
            problems.append(_wrong_run(name, what, fitting or places))
            continue
        owner, only = by_name.of(log.source), fitting[0] if len(fitting) == 1 else None
        if only is None and isinstance(owner, LogOwner):
            own = (f"{item.name},{owner.repetition}" for item in found if item.source is owner.source)
            only = next(own, None)
        answer = only if only in places else (ask(f"Which run is {name} a log of?", list(places)) if places else None)
        log.links |= places.get(answer or "", {})
    return problems


def _wrong_run(log: str, what: str, choice: Iterable[str]) -> Problem:
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
