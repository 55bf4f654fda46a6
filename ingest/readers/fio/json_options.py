"""
The options of a job in a JSON report: its own before the global ones, each with its origin.

fio states only what was set, as texts, since 2.3. Bare flags are missing before 3.39, and ``numjobs`` of a job file's
global section before 3.4. A reported group carries the name of its first member and the options of its last, so options
of its own are dropped when the group is seen to merge different jobs. Source: fio's ``options.c``,
``fio_dump_options_to_opt_list()``, and ``stat.c``, ``__show_run_stats()``.
"""

from __future__ import annotations

import json
from functools import lru_cache
from typing import TYPE_CHECKING, Any, NamedTuple

import msgspec

from ingest.readers.fio.options import WORKLOAD, Options, canonical, workload
from ingest.readers.fio.sizes import whole

if TYPE_CHECKING:
    from ingest.readers.fio.json_shape import Document, Job

ALL_CLIENTS = "All clients"
_ADDRESS = ("hostname", "port")
_FEW = 4096
_SEVERAL = 1.5
_AS_MAPPING = msgspec.json.Decoder(dict[str, Any])
_AS_LIST = msgspec.json.Decoder(list[msgspec.Raw])


class Stated(NamedTuple):
    """Options with origins, and the names of those that were stated twice with different values."""

    options: Options
    repeated: tuple[str, ...]


class Load(NamedTuple):
    """What a job was asked to do: its options, how many processes its numbers cover, and what to say about it."""

    options: Options
    jobs: int | None
    repeated: tuple[str, ...]
    is_merged: bool


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
        stated = dict(pairs(part))
        if stated.get("hostname") == job.hostname and stated.get("port") == str(job.port):
            return part
    return every[0] if len(every) == 1 else b""


@lru_cache(_FEW)
def _stated(global_raw: bytes, job_raw: bytes) -> Stated:
    values: dict[str, str] = {}
    origins: dict[str, str] = {}
    repeated: list[str] = []
    for origin, raw in (("global", global_raw), ("job", job_raw)):
        seen: dict[str, str] = {}
        for stated, value in pairs(raw):
            name = canonical(stated)
            if name in _ADDRESS:
                continue
            if seen.get(name, value) != value and name not in repeated:
                repeated.append(name)
            seen[name] = value
        values |= seen
        origins |= dict.fromkeys(seen, origin)
    return Stated(Options(values, origins, is_complete=True), tuple(repeated))


def load(document: Document, job: Job, twins: int) -> Load:
    """Return what a job was asked to do; ``twins`` counts the objects of its name and group in the document."""
    if not (bytes(document.options) or bytes(job.options)):
        return Load(Options({}, {}), _processes(job, None, twins), (), is_merged=False)
    stated, repeated = _stated(global_options(document, job), bytes(job.options))
    if job.jobname == ALL_CLIENTS:
        return Load(stated._replace(is_complete=False), None, repeated, is_merged=False)
    count = whole(stated.values.get("numjobs", ""))
    jobs = _processes(job, count, twins)
    is_other = stated.values.get("name", job.jobname) != job.jobname
    is_merged = is_other or (twins == 1 and jobs is not None and jobs > (count or 1))
    if not is_other:
        return Load(stated, jobs, repeated, is_merged)
    own = {name for name in WORKLOAD if stated.origins.get(name) == "job"}
    kept = {name: value for name, value in stated.values.items() if name not in own | {"name"}}
    jobs = _threads(job)
    return Load(Options(kept, stated.origins, is_complete=not own), jobs, repeated, is_merged)


def _processes(job: Job, count: int | None, twins: int) -> int | None:
    """Return how many processes an object covers: all of ``numjobs``, or one when each has its own object."""
    if twins > 1:
        return 1
    seen = _threads(job)
    if count is None:
        return seen or 1
    return seen if seen is not None and seen > _SEVERAL * count else count


def _threads(job: Job) -> int | None:
    """Return how many processes share an object, from ``job_runtime`` (3.8 and later), which adds their run times."""
    longest = max((part.runtime or 0 for part in (job.read, job.write, job.trim, job.mixed) if part), default=0)
    if not job.job_runtime or not longest:
        return None
    return max(1, round(job.job_runtime / longest))


@lru_cache(_FEW)
def _columns(global_raw: bytes, job_raw: bytes, operation: str, jobs: int | None) -> dict[str, Any]:
    return workload(_stated(global_raw, job_raw).options, operation, jobs)


def workload_columns(document: Document, job: Job, load: Load, operation: str) -> dict[str, Any]:
    """Return the columns of a result that the options decide."""
    if load.options is not _stated(global_options(document, job), bytes(job.options)).options:
        return workload(load.options, operation, load.jobs)
    return _columns(global_options(document, job), bytes(job.options), operation, load.jobs)
