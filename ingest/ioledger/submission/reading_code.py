"""
What makes rows of a raw file: the source of its reader, and of every module of this package that has a part in it.

A change of one reader changes what is made of its own files; a change of what all of them share changes all. Whether
another reader would claim a file by now is not asked again: two that claim one are refused, and a check in full asks.
"""

from __future__ import annotations

import hashlib
import platform
import re
from functools import cache
from importlib.metadata import version
from pathlib import Path
from typing import TYPE_CHECKING

from ioledger.readers import detect
from ioledger.tables.schema import SCHEMAS

if TYPE_CHECKING:
    from collections.abc import Container, Iterable, Mapping

PACKAGE = Path(__file__).parents[1]
READERS = f"{PACKAGE.name}.readers"
BEGIN = ("ioledger.submission.gather", "ioledger.submission.rows", "ioledger.submission.kept")
"""The modules that make rows of a submission; all others are imported by them."""
LIBRARIES = ("msgspec", "numpy", "pyarrow", "pyyaml", "jsonschema")
_IMPORT = re.compile(
    r"^[ \t]*(?:from[ \t]+([\w.]+)[ \t]+import[ \t]+(\([^)]*\)|[^#\n]+)|import[ \t]+([\w.]+))", re.MULTILINE
)
_NAME = re.compile(r"(\w+)(?:[ \t]+as[ \t]+\w+)?")


def shared(package: Path = PACKAGE, begin: tuple[str, ...] = BEGIN) -> str:
    """
    Return the hash of what all readers share: code, schemas, rules, and the versions of libraries.

    Of code that of the modules ``begin`` and of all that they import.
    """
    digest = hashlib.sha256(f"{platform.python_version()} {[version(name) for name in LIBRARIES]}".encode())
    for path in sorted(SCHEMAS.rglob("*.json")):
        if path.parent.name != "marts":
            digest.update(path.relative_to(SCHEMAS).as_posix().encode() + b"\0" + path.read_bytes() + b"\0")
    _add(digest, _shared(package, begin))
    return digest.hexdigest()


def of_readers(tools: Iterable[str], package: Path = PACKAGE, begin: tuple[str, ...] = BEGIN) -> dict[str, str]:
    """
    Return the hash of the source of each reader that reads files of these tools, by its module's name.

    An excerpt is checked by the rules of the tools that wrote its raw files, so all readers have a part in it.
    """
    names = {reader.TOOL: vars(reader)["__name__"].rpartition(".")[2] for reader in detect.readers()}
    wanted = set(tools)
    chosen = names.values() if wanted & {"excerpt"} or not wanted <= names.keys() else [names[tool] for tool in wanted]
    return {name: of_reader(name, package, begin) for name in sorted(set(chosen))}


def of_reader(name: str, package: Path = PACKAGE, begin: tuple[str, ...] = BEGIN) -> str:
    """
    Return the hash of the source of a reader, a module or package of ``readers``, and of what it alone imports.

    That is without what all readers share, as :func:`shared` has it.
    """
    sources, own = _sources(package), f"{READERS}.{name}"
    digest = hashlib.sha256()
    _add(digest, _needed(sources, [each for each in sources if _is_in(each, own)], set(_shared(package, begin))))
    return digest.hexdigest()


@cache
def _shared(package: Path, begin: tuple[str, ...]) -> dict[str, bytes]:
    """Return the modules that have a part in the rows of every tool."""
    sources = _sources(package)
    return _needed(sources, begin, {name for name in sources if _is_of_a_tool(name)})


def _is_in(module: str, package: str) -> bool:
    return module == package or module.startswith(f"{package}.")


def _is_of_a_tool(module: str) -> bool:
    return _is_in(module, READERS) and module != READERS and module.split(".")[2] not in detect.AIDS


def _add(digest: hashlib._Hash, sources: Mapping[str, bytes]) -> None:
    for name, source in sorted(sources.items()):
        digest.update(name.encode() + b"\0" + source + b"\0")


@cache
def _sources(package: Path) -> dict[str, bytes]:
    """Return the source of every module of the package by its name."""
    found = {}
    for path in package.rglob("*.py"):
        parts = path.relative_to(package).with_suffix("").parts
        found[".".join((PACKAGE.name, *(parts[:-1] if parts[-1] == "__init__" else parts)))] = path.read_bytes()
    return found


def _needed(sources: Mapping[str, bytes], begin: Iterable[str], without: Container[str]) -> dict[str, bytes]:
    """Return these modules with all that they import, of this package, leaving some out."""
    waiting, found = list(begin), dict[str, bytes]()
    while waiting:
        name = waiting.pop()
        if name in sources and name not in found and name not in without:
            found[name] = sources[name]
            waiting += [*imported(sources[name].decode()), name.rpartition(".")[0]]
    return found


def imported(source: str) -> set[str]:
    """Return what a module may import of this package, modules and names in them, wherever it says so."""
    names = set()
    for module, listed, plain in _IMPORT.findall(source):
        names |= {plain, module} | {f"{module}.{name}" for name in _NAME.findall(listed)}
    return {name for name in names if _is_in(name, PACKAGE.name)}
