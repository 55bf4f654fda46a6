"""
What the options of a tool say of a load and of a job.

A workload is a tuple of what was requested, never a name: ``models/intermediate/int_results_loaded.sql`` makes it. A
rate limit or a think time is one of its options, so that a throttled load is never compared with an unlimited one.

Source  fio's HOWTO (options and defaults); Iometer's user guide, 2003 (delay, burst); DiskSpd's documentation.
"""

from __future__ import annotations

import hashlib
import re
from functools import lru_cache
from typing import Any

import msgspec

from ioledger.readers import KIBI, KILO, option_seconds, option_size

SHARE_DIGITS = 4
_MICROSECONDS = 1e6
_NO = frozenset({"", "0", "none", "false"})
_THETAS = {"zipf": 1.1, "pareto": 0.2}
_SYNC = {"1": "sync", "true": "sync", "dsync": "dsync", "sync": "sync"}
_AS_WRITTEN = ("BurstSize", "Throughput", "ThroughputBytesPerMillisecond", "ThinkTime", "burst", "delay")
"""Options of DiskSpd and Iometer that pace the load; only fio has several ways to write one."""
_encode = msgspec.json.Encoder(order="sorted").encode
_PAIR = re.compile(r"([^/]+)/?(.*)")
_ONE_SIZE = re.compile(r"\d+/100")
_NO_PART_OF_JOB = re.compile(
    r"name|filename|filename_format|file_service_type|directory|opendir|description|output|output-format|title"
    r"|(?:write|read)_(?:\w+_)?(?:log|iolog)|(?:write_)?(?:bw|lat|iops|hist)_log|log_\w+|per_job_logs|unlink\w*"
    r"|status-interval|eta\w*|bandwidth-log|replay_redirect|merge_blktrace_file"
)
"""Options that say where something lies, what it is called, and what is written beside the result."""
_ZONES = re.compile(r"0*[1-9][0-9]*[zZ]")


@lru_cache(1 << 14)
def effective_load_options(job_options: str | None) -> str:
    """Return the options that change the load as sorted JSON in normal form, without defaults; of no JSON none."""
    try:
        stated = msgspec.json.decode(job_options or "{}")
    except msgspec.DecodeError:
        return "{}"
    if not isinstance(stated, dict):
        return "{}"
    lines = stated.get("access specification")
    if isinstance(lines, list):
        found = _of_specification(lines)
    else:
        texts = {name: _last(value).strip() for name, value in stated.items()}
        found = _of_fio(texts) | {name: texts[name] for name in _AS_WRITTEN if texts.get(name, "") not in _NO}
    return _encode(found).decode()


def _last(value: object) -> str:
    """Return the value that holds, as fio would read it."""
    if isinstance(value, list):
        value = value[-1] if value else ""
    return str(int(value)) if isinstance(value, bool) else "" if value is None else str(value)


def _of_specification(lines: list[Any]) -> dict[str, Any]:
    """Return what Iometer's access specification adds to the columns: its lines, or the delay of the only one."""
    used = [line for line in lines if isinstance(line, dict) and line.get("% of size")]
    if len(used) > 1:
        return {"access specification": sorted(used, key=_encode)}
    return {
        name: str(line[name]) for line in used if line.get("delay") for name in ("delay", "burst") if line.get(name)
    }


def _of_fio(stated: dict[str, str]) -> dict[str, Any]:
    base = KILO if stated.get("kb_base") == str(KILO) else KIBI
    found: dict[str, Any] = {
        "bssplit": _split(stated.get("bssplit", ""), base),
        "percentage_random": _per_direction(stated.get("percentage_random", ""), base, "100"),
        "random_distribution": _distribution(stated.get("random_distribution", "")),
        "rate": _per_direction(stated.get("rate", ""), base, "0"),
        "rate_iops": _per_direction(stated.get("rate_iops", ""), base, "0"),
        "sync": _SYNC.get(stated.get("sync", "").lower()),
        # of reads it is a caveat: addresses may repeat
        "norandommap": "norandommap" in stated
        and stated["norandommap"] not in {"0", "false"}
        and not _reads_only(stated),
        "zonemode": None if stated.get("zonemode", "").lower() in _NO else stated["zonemode"].lower(),
        # fio counts writes for them, so that a load of reads never waits
        **{name: option_size(stated.get(name, "")) for name in ("fsync", "fdatasync") if not _reads_only(stated)},
        "offset_increment": _size(stated.get("offset_increment", ""), base),
        "max_open_zones": _open_zones(stated),
        **_thinking(stated),
    }
    if (found["rate"] or found["rate_iops"]) and stated.get("rate_process") == "poisson":
        found["rate_process"] = "poisson"
    return {name: value for name, value in found.items() if value}


def _size(text: str, base: int) -> int | str:
    """Return a size in bytes, or the text where it is a share or counts zones: ``3z`` is not 3 bytes."""
    size = option_size(text, base)
    return text.lower() if size is None or _ZONES.fullmatch(text) else size


def _pattern(stated: dict[str, str]) -> str:
    return stated.get("rw", stated.get("readwrite", "")).lower()


def _reads_only(stated: dict[str, str]) -> bool:
    return _pattern(stated).partition(":")[0] in {"read", "randread"}


def _open_zones(stated: dict[str, str]) -> int | None:
    """Return over how many zones a random load is spread; no other load depends on it."""
    pattern = _pattern(stated)
    is_spread = pattern.startswith("rand") and stated.get("zonemode", "").lower() == "zbd"
    # what this function's caller returned has the count without the pattern
    return option_size(stated.get("max_open_zones", "")) if is_spread or not pattern else None


def _per_direction(text: str, base: int, default: str) -> str:
    """Return the values for reads, writes and trims; one stands for all, and nothing is said where all are default."""
    parts = [str(_size(part.strip(), base)) if part.strip() else default for part in text.split(",")]
    return "" if set(parts) <= {default} else ",".join(parts[:1] if len(set(parts)) == 1 else parts)


def _split(text: str, base: int) -> str:
    """Return the sizes of each direction with their shares; what has no share takes an equal part of the rest."""
    # One size that has all is the block size, and no split.
    directions = [sizes for part in text.split(",") if (sizes := _sizes(part, base))]
    found = ",".join(directions[:1] if len(set(directions)) == 1 else directions)
    return "" if _ONE_SIZE.fullmatch(found) else found


def _sizes(text: str, base: int) -> str:
    pairs = [_PAIR.fullmatch(part.strip()) for part in text.split(":") if part.strip()]
    sizes = [(_size(pair[1], base), pair[2]) for pair in pairs if pair]
    stated = sum(float(share) for _, share in sizes if share.replace(".", "", 1).isdigit())
    open_count = sum(not share for _, share in sizes)
    rest = (100 - stated) / open_count if open_count else 0
    shares = sorted(
        (str(size), f"{float(share):g}" if share.isdigit() else share or f"{rest:g}") for size, share in sizes
    )
    return ":".join("/".join(each) for each in shares)


def _distribution(text: str) -> str:
    """Return an address distribution with plain numbers: ``zipf:1.20`` is ``zipf:1.2``; ``random`` is the default."""
    name, *numbers = text.lower().split(":")
    if name in {"", "random"}:
        return ""
    if name in _THETAS and not numbers:
        numbers = [str(_THETAS[name])]
    return ":".join([name, *(_plain(number) for number in numbers)])


def _plain(number: str) -> str:
    try:
        return f"{float(number):g}"
    except ValueError:
        return number.strip()


def _thinking(stated: dict[str, str]) -> dict[str, Any]:
    """Return the pauses between I/Os in microseconds, fio's unit of them; without a pause nothing else counts."""
    pause = _microseconds(stated.get("thinktime", ""))
    if not pause:
        return {}
    blocks = stated.get("thinktime_blocks", "1")
    return {
        "thinktime": pause,
        "thinktime_blocks": "" if blocks == "1" else blocks,
        "thinktime_blocks_type": "issue" if stated.get("thinktime_blocks_type") == "issue" else "",
        **{name: _microseconds(stated.get(name, "")) for name in ("thinktime_spin", "thinktime_iotime")},
    }


def _microseconds(text: str) -> int:
    """Return a time of which a bare number counts microseconds."""
    if text.isdigit():
        return int(text)
    found = option_seconds(text)
    return round(found * _MICROSECONDS) if found else 0


@lru_cache(1 << 14)
def job_key(job_options: str | None) -> str | None:
    """Return the hash of what a job does: its options without paths, names and logs; null without any option."""
    if not job_options:
        return None
    try:
        stated = msgspec.json.decode(job_options)
    except msgspec.DecodeError:
        stated = " ".join(job_options.split())
    if not isinstance(stated, dict):
        stated = {"": stated}
    options = {name: value for name, value in stated.items() if not _NO_PART_OF_JOB.fullmatch(name.lower())}
    if not options:
        return None
    return hashlib.sha256(_encode(options)).hexdigest()[:16]
