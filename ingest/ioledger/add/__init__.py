"""
Files that are handed in become a submission: what each file is, its name there, and what it belongs to.

The content of the files says so, and the name of a log (:mod:`ioledger.loading.linking`). What the content does not say
is asked for; without a terminal it is a problem whose remedy is an option.
"""

from __future__ import annotations

import re
import unicodedata
from collections import defaultdict
from itertools import chain, count
from pathlib import PurePosixPath
from typing import TYPE_CHECKING, Any

import msgspec

from ioledger.loading.archives import every_source
from ioledger.loading.files import Read, file_of
from ioledger.loading.linking import JobFiles, LogFiles, LogOwner, ReportWithJob, repetitions, run_key
from ioledger.model import Source
from ioledger.problems import Problem
from ioledger.readers import detect
from ioledger.submission import NAME, consistency
from ioledger.submission.files import PART
from ioledger.tables.columns import end_of_runs

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterator
    from pathlib import Path

    from ioledger.model import Reading

    Ask = Callable[[str, list[str]], str | None]

JOB = re.compile(rb"(?s)\A(?:[;#][^\n]*\n|\s)*\[[A-Za-z_][^\]\n]*\]\s*\n.*=|.*'ACCESS SPECIFICATIONS")
KINDS = ("operations_per_second", "throughput_bytes_per_second", "latency_mean_seconds")
STRANGE = frozenset({"R-DETECT-1", "R-DETECT-2"})
"""A file of no tool, and an empty one."""
PREPARATIONS = frozenset({"preparation", "precondition", "preconditioning", "precond", "prefill", "layout"})
"""Names of tests that only prepare the target; the plans of this project use the first."""
MEASURED = frozenset({"result", "preparation"})
REFUSED = re.compile(r"[^A-Za-z0-9_+,.()-]+")
"""What becomes a hyphen in the name of a file."""
MOST_CHARACTERS = 100


class Item(msgspec.Struct):
    """One file to add: its path for people, its name in the submission, its bytes, reading, role, and links."""

    path: str
    name: str
    source: Source
    reading: Reading
    role: str
    configuration: str | None = None
    repetition: int | None = None
    links: dict[str, str] = {}
    """The job file of a result, or the run and point of a log, by the key of the manifest."""


class Options(msgspec.Struct, frozen=True, kw_only=True):
    """What the person stated: by name of the file configurations (null for the rest), repetitions, runs; and values."""

    configurations: dict[str | None, str] = {}
    repetitions: dict[str, int] = {}
    attachments: frozenset[str] = frozenset()
    subject: str | None = None
    runs: dict[str, str] = {}
    """``run.json`` or ``run.json,POINT`` by the name of the log."""
    states: dict[str, str] = {}
    """Values by the field of the manifest."""


def read_items(
    paths: tuple[Path, ...], attachments: Collection[str], tell: Callable[[str], object] = len
) -> tuple[list[Item], list[Problem]]:
    """
    Read files, also below folders and in archives, each once, and find what each is.

    What nobody named and no tool wrote, such as a note below a folder, is left out; ``tell`` is told so, and of every
    file that gets another name.
    """
    found, problems = list[Item](), list[Problem]()
    named, taken = set(map(str, paths)), {NAME}
    for source in every_source(paths):
        is_named = source.name in named if isinstance(source, Source) else False
        if isinstance(source, Problem):
            problems.append(source)
        elif file_of(source.name) != NAME:
            name = plain_name(source.name, taken)
            taken.add(name.casefold())
            read = _read_item(source, name, attachments, tell, is_named=is_named)
            found += [read] if isinstance(read, Item) else []
            problems += [read] if isinstance(read, Problem) else []
        elif is_named:
            what, remedy = "a manifest is not a result", "Name it with --manifest."
            problems.append(Problem(source.name, "", what, remedy, "R-ADD-1"))
    return found, problems


def _read_item(
    source: Source, name: str, attachments: Collection[str], tell: Callable[[str], object], *, is_named: bool
) -> Item | Problem | None:
    """Read a file; return why it is none to add, or null where it is left out. Named files lie in one folder."""
    shown, own_name = source.name, file_of(source.name)
    source = msgspec.structs.replace(source, name=own_name) if is_named else source
    reading = detect.read(source)
    role = "attachment" if {name, own_name} & set(attachments) else _find_role(source, reading)
    if role is None:
        refusal = reading.refusals[0]
        # ORION writes files for a run that hold no result: a console, a histogram, a trace
        if not is_named and (refusal.rule == "R-ORION-5" or run_key(source)):
            tell(f"{shown}: added without reading, with the results of its run")
            role = "attachment"
        elif not is_named and refusal.rule in STRANGE:
            tell(f"{shown}: left out, of no supported tool; to add it without reading: --attachment {name}")
            return None
        else:
            remedy = f"{refusal.remedy} To add it without reading: --attachment {name}."
            return Problem(shown, refusal.place, refusal.what, remedy, "R-ADD-2")
    if name != own_name:
        tell(f"{shown}: called {name} in the submission")
    return Item(shown, name, source, reading, role)


def plain_name(path: str, taken: Collection[str]) -> str:
    """
    Return a plain name for a file, ``taken`` by none in small letters; one that is plain already stays as it is.

    The end of a name stays, which says what a log holds; of two that are one on some system the later gets a number.
    """
    name = file_of(path)
    stem, suffix = PurePosixPath(name).stem, PurePosixPath(name).suffix
    if " " in name or len(name) > MOST_CHARACTERS or not PART.fullmatch(name):
        stem = unicodedata.normalize("NFKD", stem).encode("ascii", "ignore").decode()
        stem = REFUSED.sub("-", stem)[-MOST_CHARACTERS:].strip("-+,.()")
        suffix = REFUSED.sub("-", suffix).rstrip(".")
        stem = stem if PART.fullmatch(stem + suffix) and not stem.startswith("_") else f"file{stem}"
    choices = chain([stem + suffix], (f"{stem}-{number}{suffix}" for number in count(2)))
    return next(choice for choice in choices if choice.casefold() not in taken)


def apply_options(found: list[Item], options: Options, configurations: Collection[str]) -> Iterator[Problem]:
    """Put what a person stated into the items; give what names no file or no configuration."""
    runs = {log: run.partition(",")[::2] for log, run in options.runs.items()}
    names = {
        "--repetition": {*options.repetitions},
        "--configuration": {name for name in options.configurations if name is not None},
        "--attachment": {*options.attachments},
        "--run": {*runs, *(run for run, _ in runs.values())},
    }
    items = {name: _find_item(found, name) for each in names.values() for name in each}
    for option, each in names.items():
        for name in sorted(name for name in each if items[name] is None):
            yield Problem(option, "", f"no file {name} is added", "Use the name of an added file.", "R-ADD-7")
    for name in sorted({*options.configurations.values()} - {*configurations}):
        own = ", ".join(sorted(configurations))
        remedy = f"Name one of {own}." if own else "Describe it in the manifest, or omit the option."
        yield Problem("--configuration", "", f"the manifest has no configuration {name}", remedy, "R-ADD-7")
    for name, item in items.items():
        if item is not None:
            item.repetition = options.repetitions.get(name, item.repetition)
            item.configuration = options.configurations.get(name, item.configuration)
            run, point = runs.get(name, ("", ""))
            if (owner := items.get(run)) is not None:
                item.links = {"run": owner.name} | ({"point": point} if point else {})


def _find_item(found: list[Item], name: str) -> Item | None:
    """Return the file that has a name in the submission, or had it when it was handed in."""
    return next((item for item in found if name in {item.name, file_of(item.source.name), item.path}), None)


def _find_role(source: Source, reading: Reading) -> str | None:
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


def link_configurations(found: list[Item], manifest: dict[str, Any], default: str | None, ask: Ask) -> list[Problem]:
    """Link every file to a configuration: the one stated, the only one, or the only one that fits the results."""
    names, problems = sorted(manifest["configurations"]), list[Problem]()
    if not names and any(item.role == "result" for item in found):
        what, remedy = "the manifest has no configuration, but results need one", "Make it with ioledger collect."
        return [Problem(NAME, "", what, remedy, "R-ADD-3")]
    for item in found:
        if item.role == "publication" or item.configuration is not None:
            continue
        against = {  # a file that prepares may load otherwise
            name: [each.field for each in consistency.contradictions(described, [(item.name, item.reading)])
                   if item.role == "result" or each.section == "software"]
            for name, described in sorted(manifest["configurations"].items())
        }  # fmt: skip
        fitting = names if len(names) == 1 else [name for name in names if not against[name]]
        only = fitting[0] if len(fitting) == 1 else None
        question = f"Which configuration does {item.name} belong to?"
        item.configuration = default or only or ask(question, fitting or names)
        if item.configuration is None:
            remedy = f"State it: --configuration {item.name}=NAME with one of {', '.join(names)}."
            differ = ", ".join(sorted({field for fields in against.values() for field in fields}))
            what = f"the content fits {', '.join(fitting)}" if fitting else f"it fits no configuration; {differ} differ"
            problems.append(Problem(item.path, "", what, remedy, "R-ADD-3"))
    return problems


def number_repetitions(found: list[Item], ask: Ask) -> list[Problem]:
    """Give files that measured the same points a number by the time in them; a file alone is repetition 1."""
    groups, problems = defaultdict[object, list[Item]](list), list[Problem]()
    for item in found:
        if item.role == "result":
            groups[item.configuration, *_measured_points(item.reading)].append(item)
    for group in groups.values():
        times = [end_of_runs(item.reading.results) for item in group]
        is_ordered = len(group) == 1 or (None not in times and len(set(times)) == len(times))
        numbers = [str(number) for number in range(1, len(group) + 1)]
        in_order = sorted(zip(times, group, strict=True), key=lambda pair: pair[0] or 0)
        for number, (_, item) in zip(numbers, in_order, strict=True):
            if item.repetition is None:
                answer = number if is_ordered else ask(f"Which repetition is {item.name}?", numbers)
                item.repetition = int(answer) if answer else None
            if item.repetition is None:
                copies = [each.path for each in group if each is not item and each.source.sha256 == item.source.sha256]
                what = f"{len(group)} files measured the same points, and have no time stamps that give their order"
                remedy = f"State it: --repetition {item.name}=NUMBER."
                if copies:
                    what, remedy = f"it is a copy of {', '.join(copies)}, so it is not a repetition", "Add only one."
                problems.append(Problem(item.path, "", what, remedy, "R-ADD-3"))
    return problems


def _measured_points(reading: Reading) -> tuple[object, object]:
    """Return what a file measured; ORION writes rates, throughputs and latencies of a run to files of their own."""
    return frozenset(kind for kind in KINDS for r in reading.results if getattr(r, kind) is not None), frozenset(
        (r.operation, r.access_pattern, r.read_ratio, r.block_size_bytes, r.queue_depth, r.process_count, r.test_name)
        for r in reading.results
    )


def link_jobs(found: list[Item]) -> None:
    """Tie every result to the job file that fits it, where exactly one does, and read it again with that file."""
    jobs = JobFiles(Read(item.source, item.reading) for item in found if item.role == "job" and item.reading.is_setup)
    names = {id(item.source): item.name for item in found}
    for item in found:
        report = jobs.of(item.source, item.reading, is_one=True) if item.role in MEASURED else None
        if isinstance(report, ReportWithJob):
            item.links["job"], item.reading, item.source.job = names[id(report.job)], report.reading, report.job.data


def link_runs(found: list[Item], ask: Ask) -> list[Problem]:
    """Tie every log to its run: the one stated, the only one of its configuration, one that names it, or as asked."""
    logs, problems = [item for item in found if item.role == "log"], list[Problem]()
    measured = [item for item in found if item.role in MEASURED]
    owners = LogFiles((Read(item.source, item.reading) for item in measured), [log.source for log in logs])
    for log in logs:
        of_configuration = [item for item in measured if item.configuration == log.configuration]
        places = {
            f"{item.name},{point}": {"run": item.name, "point": point}
            for item in of_configuration for point in repetitions(item.reading)
        }  # fmt: skip
        fitting = [place for place, link in places.items() if link | log.links == link]
        owner, place = owners.of(log.source), fitting[0] if len(fitting) == 1 else None
        if log.links and place is None:
            stated = ",".join(log.links.values())
            what = f"{stated} is {'several points' if fitting else 'no point'} of what was measured"
            remedy = f"Write --run LOG=POINT with one of: {'; '.join(fitting or places) or 'nothing that is added'}."
            problems.append(Problem(log.name, "", what, remedy, "R-ADD-3"))
        elif place is None and isinstance(owner, LogOwner):
            own = (f"{item.name},{owner.repetition}" for item in of_configuration if item.source is owner.source)
            place = next(own, None)
        if places and place not in places and not log.links:
            place = ask(f"Which run is {log.name} a log of?", list(places))
        log.links |= places.get(place or "", {})
    return problems
