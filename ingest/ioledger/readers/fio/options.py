"""
fio's options: of a report or a banner, and of the job file, as the workload columns of a result.

An option is a text with an origin: ``job``, ``global``, ``job_file``, ``banner`` or ``default``. A default is only
assumed when every stated option is known (``is_complete``): a banner shows four options and says nothing of the rest.
Options are published without names of folders, hosts and people.

A job file has a section ``[name]`` and a line that states ``rw``, ``ioengine``, ``iodepth`` or ``numjobs``. ``;`` and
``#`` start a comment anywhere, ``[global]`` holds for the sections after it, an option without a value is a flag. What
a report states itself holds; where a section says something else, it is not the one the report was made with: nothing
is taken from it, and a finding says so. A text with a variable (``$``) is not known.
Source: fio's HOWTO; ``init.c``, ``__parse_jobs_ini()``; synchronous engines are those that set ``FIO_SYNCIO``.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from functools import lru_cache
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, NamedTuple

import msgspec
from msgspec.structs import replace

from ioledger.model import UNKNOWN, Finding, Reading, Refusal
from ioledger.readers import KIBI, KILO, LARGEST, PERCENT, banner_size, option_seconds, option_size, whole
from ioledger.readers.fio.decoding import decode_text, is_too_long, number_lines

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from ioledger.model import Premises, Result

SYNCHRONOUS = frozenset(
    {"sync", "psync", "vsync", "pvsync", "pvsync2", "mmap", "splice", "libpmem", "dev-dax", "ftruncate", "falloc"}
)
CANONICAL = {"readwrite": "rw", "blocksize": "bs", "blocksize_range": "bsrange", "timeout": "runtime"}
"""The names that fio's own reports use for options."""
_DIRECTIONS = ("read", "write", "trim")
_SIZES = ("bssplit", "bsrange", "bs")
"""The option that holds first."""
WORKLOAD = ("bs", "bsrange", "bssplit", "direct", "iodepth", "ioengine", "numjobs", "ramp_time", "rw", "rwmixread")
"""Sorted, as the column of their origins lists them."""
_TOKENS = re.compile(r"([,:/-])")
_find_path = lru_cache(1024)(re.compile(r"file|dir|log|path|device|exec").search)
_find_secret = lru_cache(1024)(re.compile(r"host|server|user|pass|key|uri|url").search)
"""Of the name of an option; the names are few, and the options of reports many."""
OFF = frozenset({"0", "false"})
UNVERIFIED = frozenset({"0", "none", "null"})
"""Values of ``verify`` that add no reads."""
_POLLS = ("hipri", "sqthread_poll", "thinktime_spin")
_UNBATCHED = ("iodepth_batch_complete", "iodepth_batch_complete_min")
_BUSY_BY_DESIGN = ("spdk", "libpmem", "dev-dax", "mmap", "cpuio")
"""
What keeps a processor busy by design, so that a busy one proves nothing: polling for completions (SPDK, a smallest
batch of none), spinning between operations, or moving the data by the processor itself (memory).
"""
_UNSTARTED = ("disable_lat", "disable_slat")
_TELLING = frozenset({*_POLLS, *_UNBATCHED, *_UNSTARTED})
"""Hardly a job states one of these."""
_quickly = msgspec.json.Encoder(order="sorted").encode
_encoded = json.JSONEncoder(sort_keys=True, ensure_ascii=False, separators=(",", ":")).encode


class Options(NamedTuple):
    """Options by canonical name, the origin of each, and whether an absent one is known to be at its default."""

    values: Mapping[str, str]
    origins: Mapping[str, str]
    is_complete: bool = False
    disputed: tuple[str, ...] = ()
    """Options that the job file states otherwise than the report does."""
    repeated: Mapping[str, tuple[str, ...]] = MappingProxyType({})
    """Every value of the options that one place states more than once with different values; the last holds."""
    decimal: frozenset[str] = frozenset()
    """Options that were stated under ``kb_base=1000``, where ``4k`` is 4000 and ``4KiB`` is 4096."""


class Section(dict[str, str]):
    """The options of one job of a job file by name, and which of them were stated under ``kb_base=1000``."""

    decimal: frozenset[str] = frozenset()


def decimal(said: Iterable[tuple[str, str]]) -> frozenset[str]:
    """Return the names stated under ``kb_base=1000``; what stands before it in ``said`` keeps its size."""
    found: set[str] = set()
    base = str(KIBI)
    for name, value in said:
        base = value if name == "kb_base" else base
        (found.discard if base == str(KIBI) else found.add)(name)
    return frozenset(found)


def in_bytes(text: str, *, is_decimal: bool) -> str:
    """Return a size, or a list or range of sizes, with every size in plain bytes."""
    base = KILO if is_decimal else KIBI
    sizes = ((token, option_size(token, base)) for token in _TOKENS.split(text))
    return "".join(token if size is None else str(size) for token, size in sizes)


def workload(options: Options, operation: str, jobs: int | None) -> dict[str, Any]:
    """Return the columns of a result that describe its load; ``jobs`` processes are covered, null when unknown."""
    values, is_complete = options.values, options.is_complete
    depth, origin = (1, "default") if is_complete else (None, None)
    if values.get("ioengine", "psync" if is_complete else "").partition(":")[0] in SYNCHRONOUS:
        depth, origin = 1, options.origins.get("ioengine", "default")  # whatever ``iodepth`` says
    elif "iodepth" in values:
        depth, origin = whole(values["iodepth"]), options.origins["iodepth"]
    mode = values.get("rw", "read" if is_complete else "").partition(":")[0]
    share = whole(values.get("percentage_random", "").partition(",")[0])
    random = (1.0 if share is None else share / PERCENT) if mode.startswith("rand") else 0.0 if mode else None
    direct = values.get("direct", "0" if is_complete else None)
    ratio = {"read": 1.0, "write": 0.0, "trim": 0.0, "trimwrite": 0.0}.get(mode.removeprefix("rand"))
    if mode.endswith(("rw", "readwrite")):
        read, write = (whole(values.get(f"rwmix{name}", "")) for name in ("read", "write"))
        percent = PERCENT - write if read is None and write is not None else read
        if percent is None or percent <= PERCENT:
            ratio = (0.5 if is_complete else None) if percent is None else percent / PERCENT
    low = high = None
    if operation != "sync":
        size = next((name for name in _SIZES if values.get(name)), "")
        base = 0 if options.origins.get(size) == "banner" else KILO if size in options.decimal else KIBI
        text = "4096" if is_complete and values.keys().isdisjoint(_SIZES) else values.get(size, "")
        low, high = _sizes(text, operation, base, is_split=size == "bssplit") or (None, None)
    return {
        "block_size_bytes": low if low == high else None,
        "block_size_min_bytes": low,
        "block_size_max_bytes": high,
        "access_pattern": None if random is None else {0.0: "sequential", 1.0: "random"}.get(random, "mixed"),
        "random_ratio": random,
        "read_ratio": ratio,
        "queue_depth": depth * jobs if depth is not None and jobs is not None and depth * jobs <= LARGEST else None,
        "queue_depth_origin": origin if jobs is not None else None,
        "outstanding_per_target_count": depth,
        "process_count": jobs,
        "engine": public("ioengine", values["ioengine"]) if "ioengine" in values else None,
        "is_direct": None if direct is None else direct.strip() not in OFF,
        "ramp_seconds": option_seconds(values["ramp_time"]) if "ramp_time" in values else None,
        "workload_origins": " ".join(f"{n}={options.origins[n]}" for n in WORKLOAD if n in values) or None,
        "job_options": _as_json(values, options.repeated),
    }


@lru_cache(1024)
def _sizes(text: str, operation: str, kb_base: int, *, is_split: bool) -> tuple[int, int] | None:
    """Return the smallest and largest size of ``4k``, ``4k-64k``, a split, or as a banner prints it (``kb_base`` 0)."""
    parts = text.split(",") if is_split else re.split(r",|/(?=[^/]*-)", re.sub(r"\([RWT]\) *", "", text))
    parts = parts[: len(_DIRECTIONS)]
    if operation in _DIRECTIONS:
        parts = [parts[min(_DIRECTIONS.index(operation), len(parts) - 1)]]
    edges: list[int] = []
    for part in parts:
        ends = [end for size in part.split(":") for end in size.partition("/")[0].split("-") if end.strip()]
        sizes = [option_size(end, kb_base) if kb_base else banner_size(end.strip()) for end in ends]
        known = [size for size in sizes if size is not None]
        edges += known if len(known) == len(sizes) else []
    return (min(edges), max(edges)) if edges else None


def _as_json(values: Mapping[str, str], repeated: Mapping[str, Sequence[str]]) -> str | None:
    """Return options as sorted JSON text, with all values of those stated twice, without folders, hosts and users."""
    texts: dict[str, str | list[str]] = {
        name: public(name, value) if "/" in value or "\\" in value else value
        for name, value in values.items()
        if not _find_secret(name)
    }
    texts |= {name: [public(name, each) for each in every] for name, every in repeated.items() if name in texts}
    try:
        return _quickly(texts).decode() if texts else None
    except UnicodeEncodeError:  # half a surrogate, which no encoding can hold and becomes an escape later
        return _encoded(texts)


def public(name: str, value: str) -> str:
    """Return a value without folders: those of options that name files, and those of an engine from outside fio."""
    if _find_path(name) or value.startswith(("/", "external:")):
        return value[max(value.rfind("/"), value.rfind("\\")) + 1 :]
    return value


def state_premises(
    results: Sequence[Result],
    options: Options,
    sought: tuple[int | None, int | None],
    known: Premises = UNKNOWN,
    *,
    is_report: bool = True,
) -> None:
    """
    Set what the figures of a job must show of its load, beside what is ``known`` of it already.

    ``sought`` is what a report says of a depth that was sought to hold ``latency_target``: the target (zero is none,
    null leaves it to the option), and the depth at which the process ended that was added last. Where a single process
    ended is where its load did. ``is_report`` says that a report states all options.
    """
    values, (target, depth) = options.values, sought
    stated = values.get("latency_target") if target is None else None
    is_sought = target > 0 if target is not None else stated is not None and option_seconds(stated) != 0
    is_telling = not _TELLING.isdisjoint(values)
    is_polling = is_telling and any(values.get(name, "0") not in OFF for name in _POLLS)
    is_polling |= is_telling and any(values.get(name) == "0" for name in _UNBATCHED)
    for result in results:
        result.is_queue_depth_sought = is_sought
        if is_sought and result.process_count == 1:
            result.queue_depth_reached = depth or None
        result.premises = replace(
            known,
            wanted_seconds=option_seconds(values.get("runtime", "")) if values.get("time_based", "0") != "0" else None,
            is_verifying=values.get("verify", "0") not in UNVERIFIED if is_report or "verify" in values else None,
            is_verifying_earlier=values.get("verify_only", "0") not in OFF,
            is_polling=is_polling or any(name in (result.engine or "") for name in _BUSY_BY_DESIGN),
            is_unstarted=is_telling and any(values.get(name, "0") not in OFF for name in _UNSTARTED),
            settled_depth=depth or None,
        )


Sections = Mapping[str, Section]
"""The options of every job of a job file by its section."""
NO_SECTION = Section()
_SECTION = re.compile(r"\s*\[([^\]\r\n]{1,255})\]\s*")
_OPTION = re.compile(r"\s*([a-z][a-z0-9_]{1,60})\s*=\s*(.{0,4096}?)\s*")
_STATES_LOAD = re.compile(r"^[ \t]{0,8}(?:rw|readwrite|ioengine|iodepth|numjobs)[ \t]{0,8}=[^=]", re.MULTILINE)
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
    return _STATES_LOAD.search(text) is not None and _HEADING.search(text) is not None


def read(text: str) -> Reading:
    """Return the reading of a job file, which has no results; the options are :func:`parse_job`'s."""
    reading = Reading(tool="fio", source_format="job file", is_setup=True, refusals=[])
    reading.document_count = 1 if parse_job(text) else 0
    if len(_sections(text)) > MOST_SECTIONS:
        what, remedy = f"the job file has more than {MOST_SECTIONS:,} sections", "Split the job file."
        reading.refusals.append(Refusal("", what, remedy, "R-FIO-LIMIT-1"))
    return reading


def parse_job(text: str) -> dict[str, Section]:
    """Return the options of every job over ``[global]`` ones before; an ambiguous name or a huge text tells nothing."""
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
        merged = Section(shared | own)
        base = [("kb_base", merged["kb_base"])] if "kb_base" in merged else []  # which applies to its whole section
        merged.decimal = shared.decimal - own.keys() | decimal([*base, *own.items()])
        if name == "global":
            shared = merged
        else:
            found.append((name, merged))
    return found


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
    """Return how many processes each report of a job covers, null when its section does not prove it."""
    own = sections.get(name, NO_SECTION)
    count = whole(own.get("numjobs", "1")) if is_whole(own) else None
    if own.get("group_reporting", "0") == "0":
        return 1 if reports[name] == count else None
    return count if reports[name] == 1 and sections.keys() <= reports.keys() else None


def beneath(options: Options, filed: Section) -> Options:
    """Return options with those of a job's section beneath them, unless the section states some of them otherwise."""
    known = {name: text for name, text in filed.items() if "$" not in text}
    if wrong := list_disputed_options(options, Options(known, {}, decimal=filed.decimal), WORKLOAD):
        return options._replace(disputed=wrong)
    added = {name: text for name, text in known.items() if name not in options.values}
    return options._replace(
        values={**options.values, **added},
        origins={**options.origins, **dict.fromkeys(added, "job_file")},
        decimal=options.decimal | filed.decimal & added.keys(),
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
