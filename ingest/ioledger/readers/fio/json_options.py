"""
The options of a job in a JSON report: its own before the global ones, each with its origin.

fio states only what was set, as texts, since 2.3. Bare flags are missing before 3.39, and ``numjobs`` of a job file's
global section before 3.4. Source: fio's ``options.c``, ``fio_dump_options_to_opt_list()``.
"""

from __future__ import annotations

import json
from functools import lru_cache
from typing import TYPE_CHECKING, Any, NamedTuple

import msgspec

from ioledger.readers.base import Result
from ioledger.readers.fio.options import Options, blocks, canonical, decimal, shared
from ioledger.readers.fio.point_checks import verifies
from ioledger.readers.units import whole

if TYPE_CHECKING:
    from ioledger.readers.fio.json_shape import Document, Job

ALL_CLIENTS = "All clients"
_ADDRESS = ("hostname", "port")
_FEW = 4096
_LONGEST_NAME = 127
_SEVERAL = 1.5
_AS_MAPPING = msgspec.json.Decoder(dict[str, Any])
_AS_LIST = msgspec.json.Decoder(list[msgspec.Raw])


class Stated(NamedTuple):
    """What two options objects say: all of it with origins, ``name``, ``numjobs`` and whether the job verifies."""

    options: Options
    name: str | None
    numjobs: int | None
    is_verified: bool

    @property
    def repeated(self) -> tuple[str, ...]:
        """Return the names of options that are stated more than once with different values."""
        return tuple(self.options.repeated)


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


def read(global_raw: bytes, job_raw: bytes) -> Stated:
    """Return what the texts of the global options and of a job's own say, the latter first."""
    (common, common_repeated), (own, own_repeated) = _said(global_raw), _said(job_raw)
    values = common | own
    origins = dict.fromkeys(common, "global") | dict.fromkeys(own, "job")
    repeated = {name: every for name, every in common_repeated.items() if name not in own} | own_repeated
    options = Options(values, origins, is_complete=True, repeated=repeated, decimal=_decimal(global_raw, job_raw))
    return Stated(options, values.get("name"), whole(values.get("numjobs", "")), verifies(values))


def _decimal(global_raw: bytes, job_raw: bytes) -> frozenset[str]:
    """Return the options that were stated under ``kb_base=1000``; a report has them in the order fio took them in."""
    if b"kb_base" not in global_raw and b"kb_base" not in job_raw:
        return frozenset()
    return decimal((canonical(name), value) for raw in (global_raw, job_raw) for name, value in pairs(raw))


@lru_cache(256)  # the jobs of a report share its global options
def _said(raw: bytes) -> tuple[dict[str, str], dict[str, tuple[str, ...]]]:
    """Return the last value of each option of an options object by fio's own name, and all where they differ."""
    said = [(canonical(written), value) for written, value in pairs(raw)]
    last = {name: value for name, value in said if name not in _ADDRESS}
    if len(last) == len(said):
        return last, {}
    every: dict[str, list[str]] = {name: [] for name in last}
    for name, value in said:
        if name in every:
            every[name].append(value)
    return last, {name: tuple(values) for name, values in every.items() if len(set(values)) > 1}


stated = lru_cache(_FEW)(read)
"""The same, remembered by the texts."""


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


@lru_cache(_FEW)
def remembered(key: tuple[bytes, bytes], operation: str, jobs: int | None) -> Result:
    """Return the result that states a load and nothing else, the same object every time: to be copied, not changed."""
    return unmeasured(stated(*key).options, operation, jobs)


def unmeasured(options: Options, operation: str, jobs: int | None) -> Result:
    """Return a result that states what options ask for and nothing else."""
    return _unmeasured(operation, shared(options, jobs), options)


def both(options: Options, jobs: int) -> tuple[Result, Result]:
    """Return the same for a read and a write."""
    columns = shared(options, jobs)
    return _unmeasured("read", columns, options), _unmeasured("write", columns, options)


def _unmeasured(operation: str, columns: dict[str, Any], options: Options) -> Result:
    own = columns | blocks(options, operation)
    return Result(pointer="", repetition="", source_format="", operation=operation, **own)
