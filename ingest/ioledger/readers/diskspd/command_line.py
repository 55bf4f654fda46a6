"""
What a command line of DiskSpd sets up, as the tree of a profile: for reports without the block "Input parameters".

Source: DiskSpd's ``CmdLineParser.cpp`` and its command line reference; what is not given has the default stated there.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable
    from xml.etree.ElementTree import Element

_POWERS = {"": 0, "B": 0, "K": 10, "M": 20, "G": 30, "T": 40}
_SIZE = re.compile(r"(\d{1,15})(?:([KMGT])(?:i?B)?|B)?", re.ASCII)
_WORDS = re.compile(r'"([^"]*)"|(\S+)')
_BLOCK = "65536"
_SPAN = {"Duration": "10", "Warmup": "5"}
_TARGET = {"BlockSize": _BLOCK, "WriteRatio": "0", "RequestCount": "2", "ThreadsPerFile": "1"}
_NUMBERS = {"t": "ThreadsPerFile", "o": "RequestCount", "w": "WriteRatio"}
_SPANS = {"d": "Duration", "W": "Warmup", "C": "Cooldown", "O": "RequestCount", "F": "ThreadCount"}


def sized(text: str) -> str:
    """Return a size in bytes as digits: ``4K``, ``4KiB`` and ``4096`` are the same; another text stays as it is."""
    found = _SIZE.fullmatch(text.strip())
    return str(int(found[1]) << _POWERS[found[2] or ""]) if found else text


def set_up(command: str, spans: Element) -> None:
    """Add the time span that a command line describes; none where it takes a profile (``-X``)."""
    words = [quoted or bare for quoted, bare in _WORDS.findall(command)][1:]
    options = [word[1:] for word in words if word[:1] in {"-", "/"}]
    paths = [word for word in words if word[:1] not in {"-", "/"}]
    if any(option.startswith("X") for option in options) or not paths:
        return
    of_span, of_target = _SPAN | _given(options, _SPANS), _TARGET | _given(options, _NUMBERS)
    if "ThreadCount" in of_span:
        del of_target["ThreadsPerFile"]
    else:
        of_span.pop("RequestCount", None)  # -O counts with -F only
    of_target |= _order(options, of_target["BlockSize"])
    of_target |= _caches(options)
    span = _added(spans, "TimeSpan", of_span)
    targets = _added(span, "Targets", {})
    for path in paths:
        _added(targets, "Target", {"Path": path, **of_target})


def _given(options: Iterable[str], names: dict[str, str]) -> dict[str, str]:
    """Return the options that are a letter and a whole number, by the names of the XML."""
    found = ((names[option[:1]], option[1:]) for option in options if option[:1] in names)
    return {name: value for name, value in found if value.isdecimal()}


def _order(options: Iterable[str], block: str) -> dict[str, str]:
    """Return block size and order of addresses: sequential, unless ``-r`` (random) or ``-rs`` (a share of it)."""
    told = {"BlockSize": block}
    for option in options:
        kind, value = option[:1], option[1:]
        if kind == "b":
            told["BlockSize"] = sized(value)
        elif option.startswith("rs") and value[1:].isdecimal():
            told |= {"Random": told.get("Random", ""), "RandomRatio": value[1:]}
        elif kind == "r":
            told["Random"] = sized(value)
        elif kind == "s":
            told["StrideSize"] = sized(value.lstrip("ib"))
            told |= {"InterlockedSequential": "true"} if value.startswith("i") else {}
    return told


def _caches(options: Iterable[str]) -> dict[str, str]:
    """Return which caches are bypassed: ``-Su`` that of the system, ``-Sw`` that of writes, ``-Sh`` and ``-h`` both."""
    flags = "".join("h" if option == "h" else option[1:] for option in options if option == "h" or option[:1] == "S")
    is_direct = bool({"h", "u"} & set(flags)) or "S" in options
    return {
        "DisableOSCache": "true" if is_direct else "false",
        "WriteThrough": "true" if {"h", "w"} & set(flags) else "false",
    }


def _added(parent: Element, name: str, told: dict[str, str]) -> Element:
    element = parent.makeelement(name, {})
    parent.append(element)
    for key, value in told.items():
        child = element.makeelement(key, {})
        child.text = value
        element.append(child)
    return element
