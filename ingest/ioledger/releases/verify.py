"""
Whether a release is what it says, without a network.

By itself: each file against ``SHA256SUMS``, and the release id and the hash of the database against the tables. Against
a checkout of its commit: raw files, licences and citation, and the tables and pages that were built there.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import msgspec
import pyarrow as pa
import yaml

from ioledger.problems import Problem
from ioledger.releases import commits, digest, release

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from ioledger.releases.digest import Digest
    from ioledger.releases.release import Facts

REMEDY = "Download the release again."


class Verified(NamedTuple):
    """The release id that the tables give, the number of checked files and tables, and every problem."""

    release_id: str | None
    looked_at: dict[str, int]
    problems: list[Problem]


def verify(folder: Path, checkout: Path | None) -> Verified:
    """Return what is wrong with a release, by itself and against a checkout where one is named."""
    present = {name: path for name, path in digest.list_files(folder).items() if name != release.SUMS}
    looked_at = {"files": len(present)}
    problems = list(digest.check_list(folder / release.SUMS, present, folder, ("the release", REMEDY, "R-RELEASE-1")))
    try:
        facts = _read_facts(folder / release.FACTS)
        stated, found = digest.read_manifest(folder), digest.digest_folder(folder)
        looked_at["tables"] = len(found.tables)
        problems += digest.check_ids(folder, stated, found)
        if (facts.release_id, facts.database_sha256) != (found.release_id, found.database_sha256):
            what = f"the tables give {found.release_id}, and their database {found.database_sha256}"
            problems.append(Problem(str(folder / release.FACTS), "release_id", what, REMEDY, "R-RELEASE-2"))
        if checkout is not None:
            problems += _check_commit(checkout, folder, facts, looked_at)
            problems += _check_build(checkout, folder, facts, found, looked_at)
    except digest.UnreadableError as error:
        return Verified(None, looked_at, [*problems, Problem(str(error.path), "", error.what, REMEDY, "R-RELEASE-1")])
    return Verified(found.release_id, looked_at, problems)


def _read_facts(path: Path) -> Facts:
    try:
        return msgspec.json.decode(path.read_bytes(), type=release.Facts)
    except (OSError, msgspec.MsgspecError) as error:
        raise digest.UnreadableError(path, error) from error


def _check_commit(checkout: Path, folder: Path, facts: Facts, looked_at: dict[str, int]) -> Iterator[Problem]:
    """Compare a release with its commit: whoever changes a file and its hash cannot change the commit."""
    head = commits.read_head(checkout)
    if isinstance(head, Problem):
        yield head
    elif head.sha != facts.commit:
        what = f"it is at {head.sha}, and the release was made from {facts.commit}"
        yield Problem(str(checkout), "", what, f"git checkout {facts.commit}", digest.RAW_RULE)
    tables = digest.find_tables(folder)
    try:
        looked_at["raw files"], problems = digest.check_raw_files(checkout / "data", tables)
        wanted = release.make_commit_files(checkout, tables, facts)
    except (OSError, pa.ArrowException, yaml.YAMLError) as error:
        raise digest.UnreadableError(checkout, error) from error
    yield from problems
    for name, content in wanted.items():
        path = folder / name
        if not path.is_file() or path.read_bytes() != content:
            yield Problem(str(path), "", "it differs from what the commit gives", REMEDY, "R-RELEASE-5")


def _check_build(
    checkout: Path, folder: Path, facts: Facts, found: Digest, looked_at: dict[str, int]
) -> Iterator[Problem]:
    """Compare a release with the tables and pages in a checkout, where they were built."""
    named = f"IOLEDGER_SITE_URL={facts.address} " if facts.address else ""
    remedy = f"Build that commit again: {named}npm run build."
    build, dist = checkout / "build", checkout / "dist"
    if (build / digest.MANIFEST).is_file():
        built = digest.digest_folder(build)
        if (built.release_id, built.database_sha256) != (found.release_id, found.database_sha256):
            what = f"its tables give release {built.release_id}, those of the release {found.release_id}"
            rows = f"ioledger diff {folder} {build} lists the rows. {remedy}"
            yield Problem(str(build), "", what, rows, "R-RELEASE-2")
    if dist.is_dir() and (folder / release.SITE).is_file():
        pages = release.list_pages(dist)
        looked_at["pages"] = len(pages)
        yield from digest.check_list(folder / release.SITE, pages, dist, ("the released site", remedy, "R-RELEASE-5"))
