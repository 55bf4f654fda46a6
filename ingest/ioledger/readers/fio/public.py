"""
Options as they may be published: names of files keep their last part, names of hosts and people are left out.

Source: fio's HOWTO; the options that name files, devices, hosts and keys.
"""

from __future__ import annotations

import json
import re
from functools import lru_cache
from types import MappingProxyType
from typing import TYPE_CHECKING

import msgspec

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

_PATHS = re.compile(r"file|dir|log|path|device|exec")
_SECRETS = re.compile(r"host|server|user|pass|key|uri|url")
_quickly = msgspec.json.Encoder(order="sorted").encode
_encoded = json.JSONEncoder(sort_keys=True, ensure_ascii=False, separators=(",", ":")).encode


def as_json(values: Mapping[str, str], repeated: Mapping[str, Sequence[str]] = MappingProxyType({})) -> str | None:
    """
    Return options as JSON text, sorted; an option that was stated with several values has a list of them.

    Names of files, folders and hosts are cut to their last part or left out.
    """
    kept: dict[str, str | list[str]] = {
        name: public(name, value) if "/" in value or "\\" in value else value
        for name, value in values.items()
        if not _is_secret(name)
    }
    kept |= {name: [public(name, each) for each in every] for name, every in repeated.items() if name in kept}
    try:
        return _quickly(kept).decode() if kept else None
    except UnicodeEncodeError:  # half a surrogate, which no encoding can hold and becomes an escape later
        return _encoded(kept)


def public(name: str, value: str) -> str:
    """Return a value without folders: those of options that name files, and those of an engine from outside fio."""
    if _is_path(name) or value.startswith(("/", "external:")):
        return re.split(r"[/\\]", value)[-1]
    return value


@lru_cache(1024)
def _is_secret(name: str) -> bool:
    return _SECRETS.search(name) is not None


@lru_cache(1024)
def _is_path(name: str) -> bool:
    return _PATHS.search(name) is not None
