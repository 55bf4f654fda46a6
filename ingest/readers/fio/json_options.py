"""
The options of a job in a JSON report: its own before the global ones, each with its origin.

fio states only what was set, as texts, since 2.3. Bare flags are missing before 3.39, and ``numjobs`` of a job file's
global section before 3.4. A reported group carries the name of its first member and the options of its last, so options
of its own are dropped when the group is seen to merge different jobs. Source: fio's ``options.c``,
``fio_dump_options_to_opt_list()``, and ``stat.c``, ``__show_run_stats()``.
"""

from __future__ import annotations

import json
from copy import copy
from functools import lru_cache
from typing import TYPE_CHECKING, Any, NamedTuple

import msgspec

from ingest.readers.fio.json_shape import ABSENT
from ingest.readers.fio.options import WORKLOAD, Options, canonical, workload
from ingest.readers.fio.point_checks import verifies
from ingest.readers.fio.sizes import whole
from ingest.record import Result

if TYPE_CHECKING:
    from ingest.readers.fio.json_shape import Document, Job

ALL_CLIENTS = "All clients"
_NO_BLOCKS = dict.fromkeys(("block_size_bytes", "block_size_min_bytes", "block_size_max_bytes"))
"""A synchronisation moves no blocks of its own."""
_ADDRESS = ("hostname", "port")
_FEW = 4096
_LONGEST_NAME = 127
_SEVERAL = 1.5
_AS_MAPPING = msgspec.json.Decoder(dict[str, Any])
_AS_LIST = msgspec.json.Decoder(list[msgspec.Raw])


class Stated(NamedTuple):
    """What two options objects say: all of it with origins, what was stated twice, ``name`` and ``numjobs``."""

    options: Options
    repeated: tuple[str, ...]
    name: str | None
    numjobs: int | None
    is_verified: bool


class Load(NamedTuple):
    """What a job was asked to do: its options, how many processes its numbers cover, and what to say about it."""

    options: Options
    jobs: int | None
    repeated: tuple[str, ...] = ()
    is_merged: bool = False
    is_count_stated: bool = True
    key: tuple[bytes, bytes] | None = None
    """The texts of the options when nothing of them was left out, to remember what they mean."""


def pairs(raw: bytes) -> list[tuple[str, str]]:
    """Return an options object as names and texts in order, those stated twice included."""
    if not raw:
        return []
    try:
        mapping = _AS_MAPPING.decode(raw)
        if raw.count(b'" : "') == len(mapping):
            return [(name, _text(value)) for name, value in mapping.items()]
    except (msgspec.MsgspecError, UnicodeDecodeError):
        pass
    try:
        found = json.loads(raw.decode("utf-8", "replace"), object_pairs_hook=tuple, strict=False)
    except (ValueError, RecursionError):
        return []
    return [(name, _text(value)) for name, value in found] if isinstance(found, tuple) else []


def _text(value: object) -> str:
    return value if isinstance(value, str) else json.dumps(value, default=str)


def global_options(document: Document, job: Job) -> bytes:
    """Return the global options that hold for a job: one object, or since 3.39 the one of the job's client."""
    raw = bytes(document.options)
    if not raw.startswith(b"["):
        return raw
    try:
        every = [bytes(part) for part in _AS_LIST.decode(raw)]
    except msgspec.MsgspecError:
        return b""
    for part in every:
        own = dict(pairs(part))
        if own.get("hostname") == job.hostname and own.get("port") == str(job.port):
            return part
    return every[0] if len(every) == 1 else b""


@lru_cache(_FEW)
def stated(global_raw: bytes, job_raw: bytes) -> Stated:
    """Return what the texts of the global options and of a job's own say, the latter first."""
    values: dict[str, str] = {}
    origins: dict[str, str] = {}
    repeated: list[str] = []
    for origin, raw in (("global", global_raw), ("job", job_raw)):
        seen: dict[str, str] = {}
        for written, value in pairs(raw):
            name = canonical(written)
            if name in _ADDRESS:
                continue
            if seen.get(name, value) != value and name not in repeated:
                repeated.append(name)
            seen[name] = value
        values |= seen
        origins |= dict.fromkeys(seen, origin)
    options = Options(values, origins, is_complete=True)
    count = whole(values.get("numjobs", ""))
    return Stated(options, tuple(repeated), values.get("name"), count, verifies(values))


def load(document: Document, job: Job, twins: int) -> Load:
    """Return what a job was asked to do; ``twins`` counts the objects of its name and group in the document."""
    if document.options is ABSENT and job.options is ABSENT:
        return Load(Options({}, {}), 1 if twins > 1 else _threads(job, is_verified=False))
    key = global_options(document, job), bytes(job.options)
    said = stated(*key)
    if job.jobname == ALL_CLIENTS:
        return Load(said.options._replace(is_complete=False), None, said.repeated)
    seen = _threads(job, is_verified=said.is_verified)
    is_other = not is_name(said.name, job.jobname)
    is_merged = twins == 1 and is_more(said.numjobs, seen)
    is_stated = said.numjobs is not None or seen is not None or twins > 1
    jobs = 1 if twins > 1 else seen if is_merged or is_other else said.numjobs or seen or 1
    if not is_other:
        return Load(said.options, jobs, said.repeated, is_merged, is_stated, key)
    values, origins = said.options.values, said.options.origins
    own = {name for name in WORKLOAD if origins.get(name) == "job"}
    kept = {name: value for name, value in values.items() if name not in own | {"name"}}
    return Load(Options(kept, origins, is_complete=not own), jobs, said.repeated, is_merged=True)


def is_more(numjobs: int | None, seen: int | None) -> bool:
    """Say whether the run times show many more processes than are stated: the object merges different jobs."""
    return seen is not None and seen > _SEVERAL * (numjobs or 1)


def is_name(option: str | None, jobname: str | None) -> bool:
    """Say whether the option ``name`` may be the job's own; fio cuts the printed name to 127 bytes."""
    return (
        option is None
        or jobname is None
        or option == jobname
        or (len(jobname.encode()) >= _LONGEST_NAME and option.startswith(jobname))
    )


def _threads(job: Job, *, is_verified: bool) -> int | None:
    """
    Return how many processes share an object, from ``job_runtime`` (3.8 and later), which adds their run times.

    Reads and writes run at the same time, but a job that verifies reads after it has written.
    """
    if not job.job_runtime:
        return None
    times = [part.runtime or 0 for part in (job.read, job.write, job.trim, job.mixed) if part]
    longest = sum(times) if is_verified else max(times, default=0)
    return max(1, round(job.job_runtime / longest)) if longest else None


@lru_cache(_FEW)
def remembered(key: tuple[bytes, bytes], operation: str, jobs: int | None) -> Result:
    """Return the result that states a load and nothing else, the same object every time: to be copied, not changed."""
    return _blank(stated(*key).options, operation, jobs)


def _blank(options: Options, operation: str, jobs: int | None) -> Result:
    columns = workload(options, operation, jobs)
    if operation == "sync":
        columns |= _NO_BLOCKS
    return Result(pointer="", point="", source_format="", operation=operation, **columns)


def blank(load: Load, operation: str) -> Result:
    """Return a result of its own that states the load and nothing else."""
    if load.key is None:
        return _blank(load.options, operation, load.jobs)
    return copy(remembered(load.key, operation, load.jobs))
