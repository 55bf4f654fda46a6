"""Names that belong together: file systems, their mount options, and operating systems with their major version."""

from __future__ import annotations

import re

COPYING = frozenset({"zfs", "btrfs", "bcachefs", "refs"})
"""File systems that copy on write or compress, so that the load at the drive is another one."""
RAW = "raw"
_RAW = re.compile(r"raw\b|none\b|no file ?system|not applicable|n/a|block device|bare device|/dev/")
_DEFAULTS = frozenset(
    {
        *("acl", "async", "attr2", "auto", "barrier", "barrier=1", "block_validity", "casesensitive"),
        *("compress=no", "compress=none", "compression=off", "data=ordered", "defaults", "delalloc", "dev"),
        *("errors=continue", "errors=remount-ro", "exec", "inode64", "logbsize=32k", "logbufs=8", "nodiscard"),
        *("noquota", "nouser", "posixacl", "relatime", "rw", "seclabel", "space_cache=v2", "ssd", "suid"),
        *("user_xattr", "xattr"),
    }
)
_WEIGHTY = frozenset({"sync", "dirsync", "data", "barrier", "nobarrier", "discard"})
_VERSION = re.compile(r"\d+(?:\.\d+)?")
_DROPPED = re.compile(
    r"\([^)]*\)|\b(?:microsoft|gnu/linux|gnu|linux|release|version|server(?= \d+(?:\.\d+)? (?:lts)?$)|lts|os)\b|[,;].*$"
)
_ALIASES = (
    (re.compile(r"^(?:red hat enterprise|rhel)\b(?: server| workstation)?"), "rhel"),
    (re.compile(r"^(?:suse enterprise server|suse enterprise|sles)\b"), "sles"),
    (re.compile(r"^opensuse leap\b|^opensuse\b(?! tumble)"), "opensuse leap"),
    (re.compile(r"^oracle(?: server)?\b|^ol\b"), "oracle linux"),
    (re.compile(r"^(?:vmware )?esxi?\b"), "esxi"),
    (re.compile(r"^mac x?\b|^macos\b"), "macos"),
)


def filesystem(text: str) -> str:
    """Return the family of a file system, ``raw`` for a bare device: ``NTFS 3.1`` is ``ntfs``."""
    word = " ".join(text.casefold().split())
    if _RAW.match(word):
        return RAW
    found = re.search(r"[a-z][a-z0-9]*", word.replace("_member", ""))
    name = found[0] if found else word
    if _RAW.match(name):
        return RAW
    return next((family for family in sorted(COPYING) if family in name), name)


def mount_options(text: str) -> str:
    """Return the options that are no defaults, in order, joined by commas; all defaults are the empty set, ``none``."""
    options = {option.strip() for option in text.casefold().split(",")}
    kept = sorted(option for option in options - _DEFAULTS if option not in {"", "none", "not applicable"})
    return ",".join(kept) or "none"


def weighty(a: str, b: str) -> bool:
    """Say whether an option that changes every write stands on one side only."""
    names = {option.partition("=")[0] for option in set(a.split(",")) ^ set(b.split(","))}
    return bool(names & _WEIGHTY) or any(name.startswith("compress") for name in names)


def operating_system(text: str) -> str:
    """
    Return family and major version: ``Debian GNU/Linux 12 (bookworm)`` is ``debian 12``.

    The second releases of Windows Server are versions of their own; of Ubuntu the month belongs to the version.
    """
    word = " ".join(text.casefold().replace("®", "").split())
    if "windows" in word:
        return _windows(word)
    bare = " ".join(_DROPPED.sub(" ", word).split())
    bare = bare if re.search("[a-z]", bare) else word
    for pattern, name in _ALIASES:
        bare = pattern.sub(name, bare)
    found = _VERSION.search(bare)
    family = " ".join((bare[: found.start()] if found else bare).strip(" -").split())
    if not found:
        return family
    version = found[0] if family == "ubuntu" else found[0].partition(".")[0]
    return f"{family} {version}".strip()


def _windows(word: str) -> str:
    server = "server " if "server" in word else ""
    found = re.search(r"windows(?: server)?\D{0,12}?(\d+(?:\.\d+)?|xp|vista|nt \d)", word)
    second = " r2" if server and re.search(r"\br2\b", word) else ""
    return f"windows {server}{found[1]}{second}" if found else word
