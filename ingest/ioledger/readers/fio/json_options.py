"""
What a job of a JSON report was asked to do: its options, and how many processes its numbers cover.

fio states only what was set, as texts, since 2.3: the job's own options before the global ones. Bare flags are missing
before 3.39, and ``numjobs`` of a job file's global section before 3.4; a job file fills the gaps. A reported group
carries the name of its first member and the options of its last, so options of its own are dropped when the group is
seen to merge different jobs.
Source: fio's ``options.c``, ``fio_dump_options_to_opt_list()``; ``stat.c``, ``__show_run_stats()``.
"""

from __future__ import annotations

import json
from functools import lru_cache
from types import MappingProxyType
from typing import TYPE_CHECKING, NamedTuple

import msgspec

from ioledger.readers.fio.jobfile import beneath, is_whole
from ioledger.readers.fio.json_decode import ABSENT, NUMBERS
from ioledger.readers.fio.options import CANONICAL, UNVERIFIED, WORKLOAD, Options, decimal
from ioledger.readers.fio.runs import ALL_CLIENTS
from ioledger.readers.units import whole

if TYPE_CHECKING:
    from collections.abc import Mapping

    from ioledger.readers.fio.json_decode import Document, Job

    Sections = Mapping[str, Mapping[str, str]]

NO_SECTIONS: Sections = MappingProxyType({})
_ADDRESS = ("hostname", "port")
_FEW = 4096
_LONGEST_NAME = 127
"""Bytes of a name that fio prints."""
_SEVERAL = 1.5
_AS_TEXTS = msgspec.json.Decoder(dict[str, str])
_AS_LIST = msgspec.json.Decoder(list[msgspec.Raw])


class Load(NamedTuple):
    """What a job was asked to do: its options, how many processes its numbers cover, and what to say about it."""

    options: Options
    jobs: int | None
    is_merged: bool = False
    is_count_stated: bool = True


def load(document: Document, job: Job, twins: int, sections: Sections = NO_SECTIONS) -> Load:
    """Return what a job was asked to do; ``twins`` counts the objects of its name and group in the document."""
    name, is_sum = job.jobname or "", job.jobname == ALL_CLIENTS
    filed = {} if is_sum else sections.get(name, {})
    if document.options is ABSENT and job.options is ABSENT:
        return _filed_load(document, job, twins, sections, filed)
    common = bytes(document.options)
    options = _parse_options(_client_options(common, job) if common[:1] == b"[" else common, bytes(job.options))
    if is_sum:
        return Load(options._replace(is_complete=False), None)
    own_name = name if job.jobname is None else options.values.get("name", name)
    is_other = own_name != name and not (len(name.encode()) >= _LONGEST_NAME and own_name.startswith(name))
    options = beneath(options, filed) if filed and not is_other else options
    numjobs, seen = whole(options.values.get("numjobs", "")), threads(job, options)
    is_merged = twins == 1 and seen is not None and seen > _SEVERAL * (numjobs or 1)
    is_stated = numjobs is not None or seen is not None or twins > 1
    jobs = 1 if twins > 1 else seen if is_merged or is_other else numjobs or seen or 1
    if not is_other:
        return Load(options, jobs, is_merged, is_stated)
    own = {name for name in WORKLOAD if options.origins.get(name) == "job"}
    kept = {name: value for name, value in options.values.items() if name not in own | {"name"}}
    return Load(options._replace(values=kept, is_complete=not own), jobs, is_merged=True)


def _filed_load(document: Document, job: Job, twins: int, sections: Sections, filed: Mapping[str, str]) -> Load:
    """Return what the job file alone tells; of a group shown as one object only what all of its sections say."""
    options = beneath(Options({}, {}, is_complete=is_whole(filed)), filed)
    jobs = 1 if twins > 1 else threads(job, options)
    if filed.get("group_reporting", "0") != "0" and len(sections) > len(document.jobs):
        values = {
            name: text for name, text in options.values.items() if all(s.get(name) == text for s in sections.values())
        }
        return Load(options._replace(values=values, is_complete=False), jobs)
    if jobs is None:
        jobs = whole(options.values.get("numjobs", "")) or (1 if options.is_complete else None)
    return Load(options, jobs)


def threads(job: Job, options: Options) -> int | None:
    """Return how many processes share an object, from ``job_runtime`` (3.8 and later), which adds their run times."""
    if not job.job_runtime:
        return None
    # reads and writes run at the same time, but a job that verifies reads after it has written
    is_verifying = options.values.get("verify", "0") not in UNVERIFIED
    longest = sum(run_times(job)) if is_verifying else max(run_times(job), default=0)
    return max(1, round(job.job_runtime / longest)) if longest else None


def run_times(job: Job) -> list[int]:
    """Return the run times of the operations of a job, in milliseconds."""
    return [part.runtime or 0 for part in (job.read, job.write, job.trim, job.mixed) if part is not None]


def _client_options(raw: bytes, job: Job) -> bytes:
    """Return the global options of the job's client, of which there is a list since 3.39."""
    try:
        every = [bytes(part) for part in _AS_LIST.decode(raw)]
    except msgspec.MsgspecError:
        return b""
    for part in every:
        own = dict(_pairs(part))
        if own.get("hostname") == job.hostname and own.get("port") == str(job.port):
            return part
    return every[0] if len(every) == 1 else b""


@lru_cache(_FEW)
def _parse_options(global_raw: bytes, job_raw: bytes) -> Options:
    """Return what the texts of the global options and of a job's own say, the latter first, each with its origin."""
    (common, common_repeated), (own, own_repeated) = _last(global_raw), _last(job_raw)
    origins = dict.fromkeys(common, "global") | dict.fromkeys(own, "job")
    repeated = {name: every for name, every in common_repeated.items() if name not in own} | own_repeated
    base = frozenset[str]()
    if b"kb_base" in global_raw or b"kb_base" in job_raw:  # a report has options in the order fio took them in
        base = decimal(
            (CANONICAL.get(name, name), value) for raw in (global_raw, job_raw) for name, value in _pairs(raw)
        )
    return Options(common | own, origins, is_complete=True, repeated=repeated, decimal=base)


def _last(raw: bytes) -> tuple[dict[str, str], dict[str, tuple[str, ...]]]:
    """Return the last value of each option of an options object by fio's own name, and all where they differ."""
    pairs = [(CANONICAL.get(name, name), value) for name, value in _pairs(raw) if name not in _ADDRESS]
    last = dict(pairs)
    if len(last) == len(pairs):
        return last, {}
    every = {name: tuple(value for each, value in pairs if each == name) for name in last}
    return last, {name: values for name, values in every.items() if len(set(values)) > 1}


def _pairs(raw: bytes) -> list[tuple[str, str]]:
    """Return an options object as names and texts in order, those stated twice included."""
    if not raw:
        return []
    try:
        mapping = _AS_TEXTS.decode(raw)
        if raw.count(b'"') == 4 * len(mapping):  # names and texts without an escaped quote, and none twice
            return list(mapping.items())
    except (msgspec.MsgspecError, UnicodeDecodeError):
        pass
    try:
        found = json.loads(raw.decode("utf-8", "replace"), object_pairs_hook=tuple, strict=False, **NUMBERS)
    except (ValueError, RecursionError):
        return []
    pairs = found if isinstance(found, tuple) else ()
    return [(name, value if isinstance(value, str) else json.dumps(value, default=str)) for name, value in pairs]
