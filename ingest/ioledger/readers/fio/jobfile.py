"""
fio: the job file, the source of options that a report lacks.

Claims  a section ``[name]`` and a line that states ``rw``, ``ioengine``, ``iodepth`` or ``numjobs``.
Emits   no results; :func:`parse_job` gives the options of every job, :func:`beneath` puts them below a report's own.
Units   options stay as text (``4k``, ``60s``).
Source  fio's ``init.c``, ``__parse_jobs_ini()``: ``;`` and ``#`` start a comment anywhere, ``[global]`` holds for the
        sections after it, an option without a value is a flag.

Beside a report a job file is the one that the manifest names. What the report states itself holds. Where a section says
something else, it is not the one the report was made with: nothing is taken from it, and a finding says so. A text with
a variable (``$``) is not known.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import lru_cache
from typing import TYPE_CHECKING

import msgspec

from ioledger.model import Finding, Reading, Refusal
from ioledger.readers.fio.decoding import decode_text, is_too_long, number_lines
from ioledger.readers.fio.options import CANONICAL, WORKLOAD, Options, Section, decimal, decimal_of, in_bytes, public
from ioledger.readers.units import option_seconds, whole

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from ioledger.model import Result

Sections = Mapping[str, Mapping[str, str]]
"""The options of every job of a job file by its section."""

_SECTION = re.compile(r"\s*\[([^\]\r\n]{1,255})\]\s*")
_OPTION = re.compile(r"\s*([a-z][a-z0-9_]{1,60})\s*=\s*(.{0,4096}?)\s*")
_TELLING = re.compile(r"^[ \t]{0,8}(?:rw|readwrite|ioengine|iodepth|numjobs)[ \t]{0,8}=[^=]", re.MULTILINE)
_HEADING = re.compile(r"^[ \t]{0,8}\[[^\]\r\n]{1,255}\][ \t\r]{0,8}$", re.MULTILINE)
_ENDING = re.compile(r"[^\]\s]\][ \t\r]{0,8}$", re.MULTILINE)
_INCLUDE = re.compile(r"include\s+\S+")
MOST_SECTIONS = 1000
_MOST_OPTIONS = 500
"""All options of fio and its engines are fewer."""
_FLAGS = frozenset(
    {
        "allrandrepeat", "bitwise", "buffered", "clat_percentiles", "create_on_open", "create_only", "create_serialize",
        "direct", "disable_clat", "disable_lat", "disable_slat", "do_verify", "end_fsync", "exitall", "fixedbufs",
        "fsync_on_close", "group_reporting", "gtod_reduce", "hipri", "invalidate", "lat_percentiles", "log_offset",
        "new_group", "nonvectored", "norandommap", "overwrite", "randrepeat", "refill_buffers", "registerfiles",
        "scramble_buffers", "slat_percentiles", "softrandommap", "sqthread_poll", "stonewall", "sync", "thread",
        "time_based", "unlink", "verify_only", "wait_for_previous", "write_bw_log", "write_hist_log",
        "write_iops_log", "write_lat_log", "zero_buffers",
    }
)  # fmt: skip
_SAME = {"": "1", "true": "1", "false": "0", "readwrite": "rw", "randreadwrite": "randrw"}
_ASSUMED = (*WORKLOAD, "rwmixwrite", "percentage_random", "group_reporting")
"""Options that have their default if a section does not name them."""


def find(text: str) -> bool:
    """Say whether the text contains the sections of a job file."""
    return _TELLING.search(text) is not None and _HEADING.search(text) is not None


def read(text: str) -> Reading:
    """Return a reading without results that names the format; the options are :func:`parse_job`'s."""
    reading = Reading(tool="fio", source_format="job file", is_setup=True, refusals=[])
    reading.document_count = 1 if parse_job(text) else 0
    if len(_sections(text)) > MOST_SECTIONS:
        what, remedy = f"the job file has more than {MOST_SECTIONS:,} sections", "Split the job file."
        reading.refusals.append(Refusal("", what, remedy, "R-FIO-LIMIT-1"))
    return reading


def parse_job(text: str) -> dict[str, Section]:
    """
    Return the options of every job by section: its own over those of the ``[global]`` sections before it.

    Works on a job file and on a text that contains one; a line that cannot stand in a job file ends the section. Names
    are those of fio's reports (``readwrite`` is ``rw``). A job name that stands twice with different options is left
    out, because a report could not tell which is meant. A text with more sections or options than any job file tells
    nothing.
    """
    jobs: dict[str, Section] = {}
    torn: set[str] = set()
    for name, section in in_order(text):
        if jobs.setdefault(name, section) != section:
            torn.add(name)
    return {name: options for name, options in jobs.items() if name not in torn}


def in_order(text: str) -> list[tuple[str, Section]]:
    """Return every job section, duplicates included, with its options as :func:`parse_job` does."""
    shared = Section()
    found: list[tuple[str, Section]] = []
    sections = [] if is_too_long(text) else _sections(text)
    if len(sections) > MOST_SECTIONS or len({name for _, own in sections for name in own}) > _MOST_OPTIONS:
        return []
    for name, own in sections:
        merged = _merge_options(shared, own)
        if name == "global":
            shared = merged
        else:
            found.append((name, merged))
    return found


def _merge_options(shared: Section, own: dict[str, str]) -> Section:
    """Return options merged over the global ones; ``kb_base`` applies to its whole section."""
    merged = Section(shared | own)
    base = [("kb_base", merged["kb_base"])] if "kb_base" in merged else []
    merged.decimal = shared.decimal - own.keys() | decimal([*base, *own.items()])
    return merged


def _sections(text: str) -> list[tuple[str, dict[str, str]]]:
    """Return the sections in order, until there are too many, each with its own options; the last of one wins."""
    found: list[tuple[str, dict[str, str]]] = []
    is_inside = False
    for _, line in number_lines(text) if _ENDING.search(text) else ():
        bare = re.split(r"[;#]", line, maxsplit=1)[0].strip()
        if len(found) > MOST_SECTIONS:
            break
        if heading := _SECTION.fullmatch(bare):
            found.append((heading[1].strip(), {}))
            is_inside = True
        elif bare and is_inside:
            option = _OPTION.fullmatch(bare)
            if option:
                found[-1][1][CANONICAL.get(option[1], option[1])] = option[2]
            elif bare in _FLAGS:
                found[-1][1][bare] = ""
            elif _INCLUDE.fullmatch(bare):
                found[-1][1]["include"] = bare.split()[1]
            else:
                is_inside = False
    return found


def load_sections(job: bytes | None) -> Sections:
    """Return the options of every job of a job file; none when there is no file."""
    return parse_job(decode_text(job)[0]) if job else {}


def is_whole(filed: Mapping[str, str]) -> bool:
    """Say whether a section is complete, so that omitted options are at their defaults."""
    return bool(filed) and "include" not in filed and not any("$" in filed.get(name, "") for name in _ASSUMED)


def processes(sections: Sections, name: str, reports: Mapping[str, int]) -> int | None:
    """
    Return how many processes each report of a job covers, null when its section does not prove it.

    ``reports`` counts those of each name. fio writes one per process, or with ``group_reporting`` one per group; a
    group may hold several sections, unless each of them has a report of its own.
    """
    own = sections.get(name, {})
    count = whole(own.get("numjobs", "1")) if is_whole(own) else None
    if own.get("group_reporting", "0") == "0":
        return 1 if reports[name] == count else None
    return count if reports[name] == 1 and sections.keys() <= reports.keys() else None


def beneath(options: Options, filed: Mapping[str, str]) -> Options:
    """Return options with those of a job's section beneath them, unless the section states some of them otherwise."""
    known = {name: text for name, text in filed.items() if "$" not in text}
    stated = Options(known, {}, decimal=decimal_of(filed))
    if wrong := list_disputed_options(options, stated, WORKLOAD):
        return options._replace(disputed=wrong)
    added = {name: text for name, text in known.items() if name not in options.values}
    return options._replace(
        values={**options.values, **added},
        origins={**options.origins, **dict.fromkeys(added, "job_file")},
        decimal=options.decimal | stated.decimal & added.keys(),
    )


def list_disputed_options(options: Options, filed: Options, names: Iterable[str]) -> tuple[str, ...]:
    """Return the options of these names that a section states otherwise than a report does."""
    both = sorted(name for name in names if name in options.values and name in filed.values)
    return tuple(name for name in both if meaning(options, name) != meaning(filed, name))


def meaning(options: Options, name: str) -> str | float:
    """Return the normal form of an option value."""
    text = options.values[name].strip()
    if name.endswith("time") and (seconds := option_seconds(text)) is not None:
        return seconds
    return _SAME.get(text, in_bytes(text, is_decimal=name in options.decimal))


def findings(options: Options, place: str) -> Iterator[Finding]:
    """Yield that a report states options several times, and that the job file states some otherwise than the report."""
    if options.repeated:
        names = ", ".join(sorted(options.repeated))
        text = f"stated more than once with different values (the last is used): {names}"
        yield Finding("R-FIO-PRINT-1", text, place)
    if options.disputed:
        names = ", ".join(options.disputed)
        yield Finding("R-FIO-JOB-1", f"the job file contradicts the report, so it is not used: {names}", place)


def strangers(found: Sections, results: Iterable[Result]) -> Iterator[Finding]:
    """Yield a finding when the job file describes none of the jobs that were read."""
    names = {result.test_name for result in results}
    if names and not names & found.keys():
        yield Finding("R-FIO-JOB-1", "the job file that the manifest names has no section for any job of this file")


_VARIABLE = re.compile(r"\$\{(\w{1,60})\}")
_MOST_VARIABLES, _LONGEST = 3, 255
"""A value with more of them, or a longer one, fits anything."""
_DECIMAL_BASE = "1000"
_OWN_NAME = "name"
_FEW, _AS_STATED = 4096, -1
StatedOptions = tuple[Mapping[str, str | float], Mapping[str, str]]
"""What options mean, and texts: of a report all, of a section of a job file those with variables in them."""


def read_sections(sections: Sections) -> dict[str, StatedOptions]:
    """Return what the sections of a job file say, to be held against many reports."""
    found: dict[str, StatedOptions] = {}
    for name, section in sections.items():
        texts = {option: public(option, text) for option, text in section.items() if option != _OWN_NAME}
        options = Options({option: text for option, text in texts.items() if "$" not in text}, {})
        options = options._replace(decimal=decimal_of(section))
        meanings = {option: meaning(options, option) for option in options.values}
        found[name] = meanings, {option: text for option, text in texts.items() if "$" in text}
    return found


def variables(sections: Mapping[str, StatedOptions], results: Iterable[Result]) -> dict[str, str] | None:
    """
    Return the variables of the environment that a report tells a job file was run with, sizes in bytes.

    Null when the report was made with another job file: each of its jobs is a section, and says nothing otherwise.
    """
    bound: dict[str, str] = {}
    is_any = False
    for result in results:
        section = sections.get(result.test_name or "")
        # sizes that human output prints are those that it means, in bytes
        is_printed = "bs=banner" in (result.workload_origins or "").split()
        told = _report_options(result.job_options or "{}", result.block_size_bytes if is_printed else _AS_STATED)
        if section is None or not _agrees(section, told, bound):
            return None
        is_any = True
    return bound if is_any else None


@lru_cache(_FEW)  # reads and writes of a job share its options
def _report_options(job_options: str, block_size: int | None) -> StatedOptions:
    """Return what options say, of those stated more than once the last value; a block size stands for ``bs``."""
    every: dict[str, str | list[str]] = msgspec.json.decode(job_options)
    texts = {name: value[-1] if isinstance(value, list) else value for name, value in every.items()}
    if block_size != _AS_STATED:
        del texts["bs"]
        texts |= {} if block_size is None else {"bs": str(block_size)}
    is_decimal = texts.get("kb_base") == _DECIMAL_BASE
    options = Options(texts, {}, decimal=frozenset(texts) if is_decimal else frozenset())
    return {name: meaning(options, name) for name in texts}, texts


def is_pattern(text: str) -> bool:
    """Say whether an option of a job file holds a variable of the environment."""
    return _VARIABLE.search(text) is not None


def values(pattern: str, text: str) -> dict[str, str] | None:
    """Return what the variables in a text of a job file stand for if this is what became of it, sizes in bytes."""
    names = _VARIABLE.findall(pattern)
    if len(names) > _MOST_VARIABLES or len(text) > _LONGEST:
        return None
    found = re.fullmatch("(.*?)".join(map(re.escape, _VARIABLE.split(pattern)[::2])), text, re.DOTALL)
    told: dict[str, str] = {}
    for name, value in zip(names, found.groups() if found else (), strict=bool(found)):
        size = in_bytes(value, is_decimal=False)
        if told.setdefault(name, size) != size:
            return None
    return told if found else None


def _agrees(section: StatedOptions, report: StatedOptions, bound: dict[str, str]) -> bool:
    """Say whether a section and a report agree in all that both state; ``bound`` are the variables known so far."""
    (meanings, patterns), (told, texts) = section, report
    if any(told.get(name, value) != value for name, value in meanings.items()):
        return False
    return all(_became(patterns[name], texts[name], bound) for name in sorted(patterns.keys() & texts.keys()))


def _became(pattern: str, text: str, bound: dict[str, str]) -> bool:
    """Say whether a text with variables may have become another; variables that it tells are added to those known."""
    is_computed = "$" in _VARIABLE.sub("", pattern)
    if pattern == text or is_computed or len(_VARIABLE.findall(pattern)) > _MOST_VARIABLES or len(text) > _LONGEST:
        return True
    told = values(pattern, text)
    return told is not None and all(bound.setdefault(name, value) == value for name, value in told.items())
