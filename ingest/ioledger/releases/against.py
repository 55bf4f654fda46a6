"""
A release against a checkout of its commit: raw files, what follows from the commit, and what was built there.

The checkout vouches for what no list in the release can: whoever changes a file and its hash cannot change the commit.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

import msgspec
import pyarrow as pa
import yaml

from ioledger.problems import Problem
from ioledger.releases import digest, folder, hashes, raw, sameness
from ioledger.releases.commit import Commit, of_checkout

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

    from ioledger.releases.folder import Stated

TABLES, PAGES, DERIVED = "R-RELEASE-4", "R-RELEASE-6", "R-RELEASE-7"
ANEW = "Take the release anew from where it was published."
UNREADABLE = (
    *(OSError, ValueError, LookupError, TypeError, AttributeError, RecursionError),
    *(pa.ArrowException, msgspec.MsgspecError, yaml.YAMLError),
)


class Held(NamedTuple):
    """The tables of a release: what the manifest says of them, and those that are as it says, as Parquet has them."""

    folder: Path
    stated: digest.Manifest
    found: dict[str, digest.TableDigest]
    schemas: dict[str, pa.Schema]


def read(path: Path, reader: Callable[[Path], Any]) -> Any:  # noqa: ANN401  (what the reader gives)
    """Return what a reader makes of a file; raises UnreadableError where it cannot, or where values do not fit."""
    try:
        return reader(path)
    except UNREADABLE as error:
        raise digest.UnreadableError(path, error) from error


def checkout(place: Path, release: Path, held: Held, facts: Stated, looked_at: dict[str, int]) -> Iterator[Problem]:
    """Hold a release against a checkout of its commit."""
    at = of_checkout(place)
    if isinstance(at, Commit) and at.sha != facts.commit:
        what = f"it stands at {at.sha}, and the release was made from {facts.commit}"
        yield Problem(str(place), "", what, f"git checkout {facts.commit}", raw.RULE)
    looked_at["raw files"], problems = raw.files(place / "data", held.folder)
    yield from problems
    yield from _derived(place, release, held, facts)
    yield from _built(place, release, held, facts, looked_at)


def _derived(checkout: Path, release: Path, held: Held, facts: Stated) -> Iterator[Problem]:
    """Hold what follows from the commit against what the checkout gives."""
    try:
        wanted = read(checkout, lambda path: folder.from_commit(path, held.folder, facts))
    except digest.UnreadableError as error:
        yield Problem(str(error.path), "", error.what, raw.REMEDY, DERIVED)
        return
    for name, content in wanted.items():
        path = release / name
        if not path.is_file():
            yield Problem(str(path), "", "it is missing", ANEW, DERIVED)
        elif differing := sameness.of_contents(path.read_bytes(), content):
            what = f"it has {differing.first}, and the commit gives {differing.second}"
            yield Problem(str(path), differing.place, what, ANEW, DERIVED)


def _built(checkout: Path, release: Path, held: Held, facts: Stated, looked_at: dict[str, int]) -> Iterator[Problem]:
    """Hold a build and a site in the checkout, if there are some, against the release."""
    named = f"IOLEDGER_SITE_URL={facts.address} " if facts.address else ""
    remedy = f"Build that commit anew: {named}npm run build."
    build, dist = checkout / "build", checkout / "dist"
    if (build / digest.MANIFEST).is_file():
        yield from _rebuilt(build, held, remedy)
    sums = release / folder.SITE
    if dist.is_dir() and sums.is_file():
        listed = hashes.read(sums.read_bytes())
        for line in listed.strange:
            yield Problem(str(sums), f"line {line}", "it names no file with its SHA-256", ANEW, hashes.RULE)
        present = dict(folder.pages(dist))
        looked_at["pages"] = len(present)
        yield from hashes.problems(listed.files, present, dist, ("the site that was released", remedy, PAGES))


def _rebuilt(build: Path, held: Held, remedy: str) -> Iterator[Problem]:
    """Hold the tables of a build against those of the release, and the database by its tables."""
    try:
        found = digest.of_place(build)
    except digest.UnreadableError as error:
        yield Problem(str(error.path), "", error.what, remedy, "R-RELEASE-1")
        return
    for name in sorted(found.tables.keys() | held.found.keys()):
        path = build / f"{name}{digest.ENDING}"
        if name not in found.tables or name not in held.found:
            what = "the release has no such table" if name in found.tables else "it is missing"
            yield Problem(str(path), "", what, remedy, TABLES)
        elif found.tables[name] != held.found[name]:
            differing = sameness.of_tables(digest.read(path), digest.read(held.folder / f"{name}{digest.ENDING}"))
            what = f"it has {differing.first}, the release {differing.second}" if differing else "its content differs"
            yield Problem(str(path), differing.place if differing else "", what, remedy, TABLES)
    if found.database_sha256 != held.stated.database_sha256:
        what = f"its tables give {found.database_sha256}, those of the release {held.stated.database_sha256}"
        yield Problem(str(build / digest.DATABASE), "", what, remedy, "R-RELEASE-2")
