"""
Whether a release is what it says: its bytes, its tables in every form, and what the commit it names gives.

Nothing is fetched. A release alone is held against its own lists: each file against ``SHA256SUMS``, each table, in
each form, against the manifest, and all of them against the release id. A checkout of its commit
(:mod:`ioledger.releases.against`) adds what no list in the release can vouch for.
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, NamedTuple

import duckdb
import msgspec

from ioledger.problems import Problem
from ioledger.releases import against, digest, folder, forms, hashes, sameness
from ioledger.releases.against import ANEW, TABLES, Held, read

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    import pyarrow as pa

    from ioledger.releases.folder import Stated


class Verified(NamedTuple):
    """What was found: the release id that the tables give, how much was looked at, and every problem."""

    release_id: str | None
    looked_at: dict[str, int]
    problems: list[Problem]


def verify(release: Path, checkout: Path | None) -> Verified:
    """Return what is wrong with a release, by itself and against a checkout where one is named."""
    looked_at: dict[str, int] = {}
    problems = list(_bytes(release, looked_at))
    try:
        stated = digest.manifest_of(release)
        facts = read(release / folder.STATED, lambda path: msgspec.json.decode(path.read_bytes(), type=folder.Stated))
    except digest.UnreadableError as error:
        unreadable = Problem(str(error.path), "", error.what, ANEW, "R-RELEASE-1")
        return Verified(None, looked_at, [*problems, unreadable])
    held = Held(digest.tables_in(release), stated, {}, {})
    problems += _tables(held, looked_at)
    problems += _identity(release, held, facts)
    problems += _descriptions(release, facts)
    if checkout is not None:
        problems += against.checkout(checkout, release, held, facts, looked_at)
    return Verified(digest.release_id(held.found), looked_at, problems)


def _bytes(release: Path, looked_at: dict[str, int]) -> Iterator[Problem]:
    """Hold every file against ``SHA256SUMS``."""
    sums = release / folder.SUMS
    if not sums.is_file():
        yield Problem(str(sums), "", "it is missing", ANEW, hashes.RULE)
        return
    listed = hashes.read(sums.read_bytes())
    for line in listed.strange:
        yield Problem(str(sums), f"line {line}", "it names no file with its SHA-256", ANEW, hashes.RULE)
    present = {name: path for name, path in hashes.below(release) if name != folder.SUMS}
    looked_at["files"] = len(present)
    yield from hashes.problems(listed.files, present, release, ("the release", ANEW, hashes.RULE))


def _tables(held: Held, looked_at: dict[str, int]) -> Iterator[Problem]:
    """Hold every table, in every form, against the manifest; keep what the Parquet files are known by."""
    paths = dict(digest.parquet_files(held.folder))
    stated = {name.removesuffix(digest.ENDING): entry for name, entry in held.stated.files.items()}
    for name in sorted(stated.keys() | paths.keys()):
        path = held.folder / f"{name}{digest.ENDING}"
        if name not in stated or name not in paths:
            what = "its manifest does not name it" if name in paths else "it is missing"
            yield Problem(str(path), "", what, ANEW, TABLES)
            continue
        yield from _forms(held, name, stated[name])
    looked_at["tables"] = len(held.found)
    yield from _database(held, stated)


def _forms(held: Held, name: str, entry: digest.Entry) -> Iterator[Problem]:
    """Hold the files of one table against the manifest; say where one that differs departs from one that does not."""
    path = held.folder / f"{name}{digest.ENDING}"
    sound: pa.Table | None = None
    strange: list[tuple[Path, pa.Table]] = []
    schema = None
    for ending, reader in {digest.ENDING: lambda path, _: digest.read(path), **forms.READERS}.items():
        path = held.folder / f"{name}{ending}"
        if not path.is_file() or (schema is None and ending != digest.ENDING):
            continue
        try:
            table = read(path, lambda path, reader=reader, schema=schema: reader(path, schema))  # type: ignore[misc]
            known = read(path, lambda _, table=table: digest.of_table(table))  # type: ignore[misc]
        except digest.UnreadableError as error:
            yield Problem(str(error.path), "", error.what, ANEW, "R-RELEASE-1")
            continue
        if ending == digest.ENDING:
            schema = held.schemas[name] = table.schema
            held.found[name] = known
        if known.line(name) == entry.line(name):
            sound = table
        else:
            strange.append((path, table))
    for path, table in strange:
        differing = sameness.of_tables(table, sound) if sound is not None else None
        yield Problem(str(path), differing.place if differing else "", _departure(differing), ANEW, TABLES)


def _database(held: Held, stated: dict[str, digest.Entry]) -> Iterator[Problem]:
    """Hold every table of the database against the manifest, and all of them against its hash."""
    path = held.folder / digest.DATABASE
    if not path.is_file():
        yield Problem(str(path), "", "it is missing", ANEW, TABLES)
        return
    orders = digest.orders_of(held.stated)
    found: dict[str, digest.TableDigest] = {}
    try:
        with digest.opened(path) as connection:
            for name in digest.tables_of(connection):
                rows = digest.rows_of(connection, name, held.schemas, orders)
                found[name] = digest.of_table(rows)
                source = digest.source_of(name, stated)
                if source in stated and found[name].line(source) != stated[source].line(source):
                    yield _moved(held, path, name, source, rows)
                elif source not in stated and name != digest.BESIDE:
                    yield Problem(str(path), f"table {name}", "the manifest does not name it", ANEW, TABLES)
    except (*against.UNREADABLE, duckdb.Error) as error:
        what = " ".join(str(error).split())
        yield Problem(str(path), "", what, ANEW, "R-RELEASE-1")
        return
    if digest.release_id(found) != held.stated.database_sha256:
        what = f"its tables give {digest.release_id(found)}, the manifest says {held.stated.database_sha256}"
        yield Problem(str(path), "database_sha256", what, ANEW, "R-RELEASE-2")


def _moved(held: Held, path: Path, name: str, source: str, rows: pa.Table) -> Problem:
    """Say where a table of the database departs from its Parquet file, if that is as it should be."""
    differing = None
    if source in held.schemas:
        differing = sameness.of_tables(rows, digest.read(held.folder / f"{source}{digest.ENDING}"))
    place = f"table {name}" + (f", {differing.place}" if differing else "")
    return Problem(str(path), place, _departure(differing), ANEW, TABLES)


def _departure(found: sameness.Difference | None) -> str:
    if found is None:
        return "its rows are not those that the manifest states"
    return f"it has {found.first}, and another form of the release {found.second}"


def _identity(release: Path, held: Held, facts: Stated) -> Iterator[Problem]:
    """Hold the ids that are written down against what the tables give."""
    real = digest.release_id(held.found)
    manifest = held.folder / digest.MANIFEST
    written = {
        (manifest, "release_id"): held.stated.release_id,
        (release / folder.STATED, "release_id"): facts.release_id,
    }
    for (path, key), told in written.items():
        if told != real:
            yield Problem(str(path), key, f"it is {told}, the tables give {real}", ANEW, "R-RELEASE-2")
    if facts.database_sha256 != held.stated.database_sha256:
        what = f"it is {facts.database_sha256}, the manifest says {held.stated.database_sha256}"
        yield Problem(str(release / folder.STATED), "database_sha256", what, ANEW, "R-RELEASE-2")


def _descriptions(release: Path, facts: Stated) -> Iterator[Problem]:
    """Hold the descriptions for programs against the files that they name."""
    sources = {
        "datapackage.json": lambda found: (found["id"], [(each["path"], each["hash"]) for each in found["resources"]]),
        "croissant.json": lambda found: (
            found["citeAs"].rpartition(" ")[2].rstrip("."),
            [(f"{digest.DOWNLOADS}/{each['@id']}", f"sha256:{each['sha256']}") for each in found["distribution"]],
        ),
    }
    for name, told in sources.items():
        path = release / name
        try:
            identity, files = read(path, lambda path, told=told: told(json.loads(path.read_bytes())))  # type: ignore[misc]
        except digest.UnreadableError as error:
            yield Problem(str(path), "", error.what, ANEW, "R-RELEASE-1")
            continue
        if identity != facts.release_id:
            yield Problem(str(path), "release id", f"it is {identity}, not {facts.release_id}", ANEW, "R-RELEASE-2")
        for named, stated in files:
            file = release / str(named)
            is_inside = file.resolve().is_relative_to(release.resolve())
            if not is_inside or not file.is_file() or f"sha256:{hashes.sha256(file)}" != stated:
                yield Problem(str(path), named, "the file is not the one described", ANEW, hashes.RULE)
