"""
The bill of materials of a commit: every package that its two locks name, as CycloneDX 1.6 in JSON.

It follows from ``requirements.lock`` and ``package-lock.json`` alone: no time stands in it, and its serial number is
made of their bytes. A Python package has several files, one per platform, so its hashes stand with its place of
distribution; a package of npm is one file, whose hash is the package's own.

Source: the OWASP standard CycloneDX 1.6 (ECMA-424), and the package-url specification for ``pkg:pypi`` and ``pkg:npm``.
"""

from __future__ import annotations

import base64
import hashlib
import re
import uuid
from typing import TYPE_CHECKING, Any
from urllib.parse import quote

import msgspec

from ioledger import __version__

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

LOCKS = ("requirements.lock", "package-lock.json")
"""The files, in the root of a checkout, that the bill is made of."""
_PINNED = re.compile(r"^([A-Za-z0-9._-]+)==([^\s;\\]+)(?: ; ([^\\\n]+?))? \\$")
_HASH = re.compile(r"^\s+--hash=sha256:([0-9a-f]{64})")
_NAMESPACE = uuid.UUID("6ba7b811-9dad-11d1-80b4-00c04fd430c8")
"""The name space of addresses, of RFC 9562."""
Component = dict[str, Any]


def bill(checkout: Path) -> bytes:
    """Return the bill of a checkout; raises OSError without a lock and ValueError where one cannot be read."""
    python, npm = ((checkout / name).read_bytes() for name in LOCKS)
    components = sorted([*_of_python(python.decode()), *_of_npm(npm)], key=lambda each: str(each["bom-ref"]))
    locks = hashlib.sha256(python + npm).hexdigest()
    root = {"type": "application", "bom-ref": "ioledger", "name": "ioledger", "version": __version__}
    found = {
        "$schema": "http://cyclonedx.org/schema/bom-1.6.schema.json",
        "bomFormat": "CycloneDX",
        "specVersion": "1.6",
        "serialNumber": f"urn:uuid:{uuid.uuid5(_NAMESPACE, f'ioledger/{locks}')}",
        "version": 1,
        "metadata": {"component": root | {"licenses": [{"license": {"id": "Apache-2.0"}}]}},
        "components": components,
    }
    return msgspec.json.format(msgspec.json.encode(found), indent=1) + b"\n"


def _of_python(lock: str) -> Iterator[Component]:
    """Give the packages of a lock in the form that pip and uv write; a package has the hashes of the lines below it."""
    found: Component | None = None
    for line in lock.splitlines():
        if pinned := _PINNED.match(line):
            name, version, marker = pinned.groups()
            found = _python(name, version, marker)
            yield found
        elif stated := _HASH.match(line):
            if found is None:
                message = f"{LOCKS[0]}: a hash stands before the first package"
                raise ValueError(message)
            found["externalReferences"][0]["hashes"].append({"alg": "SHA-256", "content": stated[1]})
        elif line.strip() and not line.lstrip().startswith("#"):
            message = f"{LOCKS[0]}: {line.strip()!r} is neither a package with its version nor a hash"
            raise ValueError(message)


def _python(name: str, version: str, marker: str | None) -> Component:
    purl = f"pkg:pypi/{re.sub(r'[-_.]+', '-', name).lower()}@{quote(version)}"
    place = {"type": "distribution", "url": f"https://pypi.org/project/{name}/{version}/#files", "hashes": []}
    told = {"properties": [{"name": "ioledger:marker", "value": marker}]} if marker else {}
    named = {"type": "library", "bom-ref": purl, "name": name, "version": version, "purl": purl}
    return {**named, "externalReferences": [place], **told}


def _of_npm(lock: bytes) -> Iterator[Component]:
    """Give the packages of a lock of npm, each version once; what another brings within itself has no hash."""
    packages = msgspec.json.decode(lock, type=dict[str, Any])["packages"]
    found: dict[str, Component] = {}
    for path, stated in packages.items():
        if path:
            name = stated.get("name") or path.rpartition("node_modules/")[2]
            each = _npm(name, stated)
            known = found.setdefault(each["bom-ref"], each)
            if each.get("scope") != "excluded":
                known.pop("scope", None)
    yield from found.values()


def _npm(name: str, stated: dict[str, Any]) -> Component:
    group, _, plain = name.rpartition("/")
    place = f"{quote(group, safe='')}/{plain}" if group else plain
    purl = f"pkg:npm/{place}@{quote(stated['version'])}"
    found: Component = {"type": "library", "bom-ref": purl}
    if group:
        found["group"] = group
    found |= {"name": plain, "version": stated["version"]}
    if stated.get("dev"):
        found["scope"] = "excluded"
    if integrity := stated.get("integrity"):
        algorithm, _, value = integrity.partition("-")
        content = base64.b64decode(value, validate=True).hex()
        found["hashes"] = [{"alg": f"SHA-{algorithm.removeprefix('sha')}", "content": content}]
    if licence := stated.get("license"):
        found["licenses"] = [{"expression": licence}]
    return found | {"purl": purl}
