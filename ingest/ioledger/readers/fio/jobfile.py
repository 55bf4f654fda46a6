"""
fio: the job file, the source of options that a report lacks.

Claims  a section ``[name]`` and a line that states ``rw``, ``ioengine``, ``iodepth`` or ``numjobs``.
Emits   no results; :func:`parse_job` gives the options of every job.
Units   options stay as text (``4k``, ``60s``).
Source  fio's ``init.c``, ``__parse_jobs_ini()``: ``;`` and ``#`` start a comment anywhere, ``[global]`` holds for the
sections after it, an option without a value is a flag.
"""

from __future__ import annotations

import re

from ioledger.readers.base import Reading, Refusal
from ioledger.readers.fio.lines import is_too_long, numbered
from ioledger.readers.fio.options import Section, canonical, decimal

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
        "time_based", "unlink", "verify_only", "wait_for_previous", "zero_buffers",
    }
)  # fmt: skip


def find(text: str) -> bool:
    """Say whether the text holds the sections of a job file."""
    return _TELLING.search(text) is not None and _HEADING.search(text) is not None


def read(text: str) -> Reading:
    """Return a reading without results that names the format; the options are :func:`parse_job`'s."""
    reading = Reading(tool="fio", source_format="job file", is_setup=True, refusals=[])
    reading.document_count = 1 if parse_job(text) else 0
    if len(_sections(text)) > MOST_SECTIONS:
        what, remedy = f"the job file has more than {MOST_SECTIONS:,} sections", "Split the job file."
        reading.refusals.append(Refusal("", what, remedy, "R-FIO-LIMIT-3"))
    return reading


def parse_job(text: str) -> dict[str, Section]:
    """
    Return the options of every job by section: its own over those of the ``[global]`` sections before it.

    Works on a job file and on a text that contains one; a line that cannot stand in a job file ends the section. Names
    are those of fio's reports (``readwrite`` is ``rw``). A job name that stands twice with different options is left
    out, because a report could not tell which is meant. A text with more sections or options than any job file tells
    nothing.
    """
    shared = Section()
    jobs: dict[str, Section] = {}
    torn: set[str] = set()
    sections = [] if is_too_long(text) else _sections(text)
    if len(sections) > MOST_SECTIONS or len({name for _, own in sections for name in own}) > _MOST_OPTIONS:
        return {}
    for name, own in sections:
        merged = _merged(shared, own)
        if name == "global":
            shared = merged
        elif jobs.setdefault(name, merged) != merged:
            torn.add(name)
    return {name: options for name, options in jobs.items() if name not in torn}


def _merged(shared: Section, own: dict[str, str]) -> Section:
    """Return options over those that hold for the sections below; ``kb_base`` holds for all of the section it is in."""
    merged = Section(shared | own)
    base = [("kb_base", merged["kb_base"])] if "kb_base" in merged else []
    merged.decimal = shared.decimal - own.keys() | decimal([*base, *own.items()])
    return merged


def _sections(text: str) -> list[tuple[str, dict[str, str]]]:
    """Return the sections in order, until there are too many, each with its own options; the last of one wins."""
    found: list[tuple[str, dict[str, str]]] = []
    is_inside = False
    for _, line in numbered(text) if _ENDING.search(text) else ():
        bare = re.split(r"[;#]", line, maxsplit=1)[0].strip()
        if len(found) > MOST_SECTIONS:
            break
        if heading := _SECTION.fullmatch(bare):
            found.append((heading[1].strip(), {}))
            is_inside = True
        elif bare and is_inside:
            option = _OPTION.fullmatch(bare)
            if option:
                found[-1][1][canonical(option[1])] = option[2]
            elif bare in _FLAGS:
                found[-1][1][bare] = ""
            elif _INCLUDE.fullmatch(bare):
                found[-1][1]["include"] = bare.split()[1]
            else:
                is_inside = False
    return found
