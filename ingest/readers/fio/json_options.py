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
from ingest.readers.fio.point_checks import verifies
from ingest.readers.fio.sizes import whole

if TYPE_CHECKING:
    from collections.abc import Mapping

    from ingest.readers.fio.json_shape import Document, Job

ALL_CLIENTS = "All clients"
_ADDRESS = ("hostname", "port")
_FEW = 4096
_LONGEST_NAME = 127
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
    repeated: tuple[str, ...] = ()
    is_merged: bool = False
    is_count_stated: bool = True


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
        return Load(Options({}, {}), _threads(job, {}) if twins == 1 else 1)
    stated, repeated = _stated(global_options(document, job), bytes(job.options))
    if job.jobname == ALL_CLIENTS:
        return Load(stated._replace(is_complete=False), None, repeated)
    count, seen = whole(stated.values.get("numjobs", "")), _threads(job, stated.values)
    is_other = not _is_name(stated.values.get("name"), job.jobname)
    is_more = twins == 1 and seen is not None and seen > _SEVERAL * (count or 1)
    is_stated = count is not None or seen is not None or twins > 1
    jobs = 1 if twins > 1 else seen if is_more or is_other else count or seen or 1
    if not is_other:
        return Load(stated, jobs, repeated, is_more, is_stated)
    own = {name for name in WORKLOAD if stated.origins.get(name) == "job"}
    kept = {name: value for name, value in stated.values.items() if name not in own | {"name"}}
    return Load(Options(kept, stated.origins, is_complete=not own), jobs, repeated, is_merged=True)


def _is_name(option: str | None, jobname: str | None) -> bool:
    """Say whether the option ``name`` may be the job's own; fio cuts the printed name to 127 bytes."""
    return (
        option is None
        or jobname is None
        or option == jobname
        or (len(jobname.encode()) >= _LONGEST_NAME and option.startswith(jobname))
    )


def _threads(job: Job, options: Mapping[str, str]) -> int | None:
    """
    Return how many processes share an object, from ``job_runtime`` (3.8 and later), which adds their run times.

    Reads and writes run at the same time, but a job that verifies reads after it has written.
    """
    times = [part.runtime or 0 for part in (job.read, job.write, job.trim, job.mixed) if part]
    longest = sum(times) if verifies(options) else max(times, default=0)
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
