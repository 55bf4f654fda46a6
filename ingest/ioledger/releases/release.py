"""
Write a release: a folder with the tables of a commit and their descriptions, the same bytes wherever it is made.

``download/``  every table as Parquet, Arrow and, if it is not too long, CSV, the database, and their manifest
``datapackage.json``, ``croissant.json``  descriptions of the tables for programs
``release.json``  release id, version, commit and its day
``site.sha256``  the hash of every file of the site that was built with it
``LICENSE``, ``LICENSE-DATA``, ``licences/``  terms, those of other people's results included
``CITATION.cff``, ``README.md``  how to cite it, and how to check it
``CHANGES.md``  rows that differ from an earlier release, where one is named
``SHA256SUMS``  the hash of every other file

Tables and descriptions are those of the site, written by the same code.

``verify`` checks each file against ``SHA256SUMS``, and the release id and the hash of the database against the tables;
against a checkout of the commit also raw files, licences and citation, and the tables and pages that were built there.
"""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING, Any, NamedTuple

import duckdb
import msgspec
import pyarrow as pa
import yaml

from ioledger import releases
from ioledger.problems import Problem
from ioledger.releases import commits, descriptions, diff
from ioledger.releases.commits import RULE
from ioledger.system import scratch_folder
from ioledger.tables.store import read_parquet

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

    from ioledger.workspace import Workspace

SUMS, FACTS, SITE = "SHA256SUMS", "release.json", "site.sha256"
CITATION, CHANGES = "CITATION.cff", "CHANGES.md"
LICENCES = ("LICENSE", "LICENSE-DATA")
REMEDY = "Download the release again."
TAG = re.compile(r"v(\d+(?:\.\d+)*)")
ORIGIN = (
    "submission_id", "licence", "origin_measured_by", "origin_repository", "origin_commit", "origin_licence",
    "origin_licence_evidence", "origin_copyright", "origin_citation",
)  # fmt: skip
"""Columns with the terms of a submission, and with the source of its results."""
README = """# ioledger {version}

Storage benchmark results you can trace to the file they came from. Release `{release_id}`, made from commit
`{commit}` of {committed_on}.

`download/ioledger.duckdb` contains every table; the same folder has each as Parquet, as Arrow and, up to 100,000 rows,
as CSV. `datapackage.json` and `croissant.json` describe them for programs. Units are SI; null means not measured.

These checks need no network: `sha256sum --check SHA256SUMS` for the bytes, `ioledger verify .` for the release id too,
and `ioledger verify . --checkout CLONE` for the raw files, with a clone of the project at that commit.

Cite the release as in `CITATION.cff`, with the release id; cite a single result with its submission too. The data have
the licence CC-BY-4.0 (`LICENSE-DATA`), results of other people the licence of their source (`licences/`).
"""


class Facts(msgspec.Struct, frozen=True):
    """The contents of ``release.json``."""

    release_id: str
    database_sha256: str
    version: str
    tag: str | None
    commit: str
    committed_on: str
    data_day: str
    address: str | None


def write_release(
    place: Workspace, out: Path, say: Callable[[str], None], *, tag: str | None = None, since: Path | None = None
) -> list[Problem]:
    """Write the build of a checkout as a release to ``out``; return why it cannot be made, and leave ``out`` then."""
    head = commits.read_head(place.folder)
    if isinstance(head, Problem):
        return [head]
    if problems := list(_list_obstacles(place, out, tag, head)):
        return problems
    with scratch_folder(out.parent) as aside:
        new = aside / out.name
        new.mkdir()
        try:
            problems = _fill(new, place, (tag, since), head, say)
        except releases.UnreadableError as error:
            return [Problem(str(error.path), "", error.what, "Build it again: npm run build.", "R-RELEASE-1")]
        if not problems:
            if out.exists():
                out.rename(aside / "replaced")
            new.rename(out)
    return problems


def _list_obstacles(place: Workspace, out: Path, tag: str | None, head: commits.Commit) -> Iterator[Problem]:
    """Give why a commit cannot be released to ``out``: what is no release there would be lost."""
    is_release = (out / SUMS).is_file() and (out / FACTS).is_file()
    if out.exists() and not is_release and not (out.is_dir() and not any(out.iterdir())):
        remedy = "Name a new folder, or an earlier release."
        yield Problem(str(out), "", "it exists and is not a release", remedy, RULE)
    yield from commits.list_changes(place.folder)
    if tag is not None and not TAG.fullmatch(tag):
        yield Problem(tag, "", "this is not a release tag", "Tags are v1, v1.2 and so on.", RULE)
    elif tag and (named := commits.find_commit(place.folder, f"refs/tags/{tag}")) not in {None, head.sha}:
        what = f"it names commit {named}, and the checkout is at {head.sha}"
        yield Problem(tag, "", what, f"Check the tag out: git checkout {tag}.", RULE)


def _fill(
    new: Path, place: Workspace, asked: tuple[str | None, Path | None], head: commits.Commit, say: Callable[[str], None]
) -> list[Problem]:
    """Fill the folder of a release; return why it cannot be made. Raises UnreadableError."""
    tag, since = asked
    stated, found = releases.read_manifest(place.build), releases.digest_folder(place.build)
    problems = releases.check_ids(place.build, stated, found) or releases.check_raw_files(place.data, place.build)[1]
    if place.dist.is_dir() and (shown := releases.read_manifest(place.dist).release_id) != found.release_id:
        what = f"it shows release {shown}, but build/ contains {found.release_id}"
        problems += [Problem(str(place.dist), "", what, "Build both again: npm run build.", RULE)]
    if problems:
        return problems
    say(f"release {found.release_id}")
    address = descriptions.read_address(place.folder)
    dataset = descriptions.describe_build(place.build, address and f"{address}/")
    descriptions.copy_files(place.build, new)
    published = descriptions.write_formats(place.build, new)
    descriptions.write_json(new / "croissant.json", descriptions.describe_croissant(published, dataset))
    descriptions.write_json(new / "datapackage.json", descriptions.describe_package(published, dataset))
    facts = Facts(
        release_id=found.release_id, database_sha256=stated.database_sha256, tag=tag,
        version=tag.removeprefix("v") if tag else dataset.version, commit=head.sha, committed_on=head.day,
        data_day=dataset.day, address=address,
    )  # fmt: skip
    for name, content in make_commit_files(place.folder, new / releases.DOWNLOADS, facts).items():
        path = new / name
        path.parent.mkdir(exist_ok=True)
        path.write_bytes(content)
    if place.dist.is_dir():
        (new / SITE).write_bytes(releases.format_list(list_pages(place.dist)))
    if since is not None:
        try:
            (new / CHANGES).write_text(diff.format_markdown(diff.compare(since, new)), encoding="utf-8")
        except (releases.UnreadableError, duckdb.Error, LookupError) as error:
            what = f"it cannot be compared: {error}"
            return [Problem(str(since), "", what, "Name an earlier release or build.", RULE)]
    (new / SUMS).write_bytes(releases.format_list(releases.list_files(new)))
    return []


def make_commit_files(checkout: Path, tables: Path, facts: Facts) -> dict[str, bytes]:
    """Return the files of a release that follow from a checkout and what the release says of itself, by their paths."""
    citation: dict[str, Any] = yaml.safe_load((checkout / CITATION).read_bytes())
    citation |= {"version": facts.version, "date-released": facts.committed_on, "commit": facts.commit}
    meaning = "Release id: SHA-256 over names, schemas, row counts and content hashes of all tables"
    citation["identifiers"] = [{"type": "other", "value": facts.release_id, "description": meaning}]
    cited = yaml.safe_dump(citation, sort_keys=False, allow_unicode=True, width=120)
    return {
        FACTS: msgspec.json.format(msgspec.json.encode(facts), indent=1) + b"\n",
        CITATION: cited.encode(),
        "README.md": README.format(**msgspec.to_builtins(facts)).encode(),
        **{name: (checkout / name).read_bytes() for name in LICENCES},
        **_list_licences(checkout, tables),
    }


def _list_licences(checkout: Path, tables: Path) -> dict[str, bytes]:
    """Return the terms of every submission: a list, and the text of each licence that is not the project's own."""
    rows = read_parquet(tables / "raw" / "submissions.parquet", list(ORIGIN)).to_pylist()
    found, listed = {}, []
    for row in rows:
        text = checkout / "data" / row["submission_id"] / "LICENCE"
        name = f"licences/{row['submission_id']}.txt" if text.is_file() else None
        if name:
            found[name] = text.read_bytes()
        listed.append({**row, "text": name})
    return {"licences/index.json": f"{json.dumps(listed, ensure_ascii=False, indent=1)}\n".encode(), **found}


def list_pages(site: Path) -> dict[str, Path]:
    """Return every file of a site but the database, whose bytes differ in every build; its tables identify it."""
    return {name: path for name, path in releases.list_files(site).items() if path.name != releases.DATABASE}


class Verified(NamedTuple):
    """The release id that the tables give, the number of checked files and tables, and every problem."""

    release_id: str | None
    looked_at: dict[str, int]
    problems: list[Problem]


def verify(folder: Path, checkout: Path | None) -> Verified:
    """Return what is wrong with a release, by itself and against a checkout where one is named."""
    present = {name: path for name, path in releases.list_files(folder).items() if name != SUMS}
    looked_at = {"files": len(present)}
    problems = list(releases.check_list(folder / SUMS, present, folder, ("the release", REMEDY, "R-RELEASE-1")))
    try:
        with releases.reading(folder / FACTS):
            facts = msgspec.json.decode((folder / FACTS).read_bytes(), type=Facts)
        stated, found = releases.read_manifest(folder), releases.digest_folder(folder)
        looked_at["tables"] = len(found.tables)
        problems += releases.check_ids(folder, stated, found)
        if (facts.release_id, facts.database_sha256) != (found.release_id, found.database_sha256):
            what = f"the tables give {found.release_id}, and their database {found.database_sha256}"
            problems.append(Problem(str(folder / FACTS), "release_id", what, REMEDY, "R-RELEASE-2"))
        if checkout is not None:
            problems += _check_commit(checkout, folder, facts, looked_at)
            problems += _check_build(checkout, folder, facts, found, looked_at)
    except releases.UnreadableError as error:
        return Verified(None, looked_at, [*problems, Problem(str(error.path), "", error.what, REMEDY, "R-RELEASE-1")])
    return Verified(found.release_id, looked_at, problems)


def _check_commit(checkout: Path, folder: Path, facts: Facts, looked_at: dict[str, int]) -> Iterator[Problem]:
    """Compare a release with its commit: whoever changes a file and its hash cannot change the commit."""
    head = commits.read_head(checkout)
    if isinstance(head, Problem):
        yield head
    elif head.sha != facts.commit:
        what = f"it is at {head.sha}, and the release was made from {facts.commit}"
        yield Problem(str(checkout), "", what, f"git checkout {facts.commit}", releases.RAW_RULE)
    tables = releases.find_tables(folder)
    try:
        looked_at["raw files"], problems = releases.check_raw_files(checkout / "data", tables)
        wanted = make_commit_files(checkout, tables, facts)
    except (OSError, pa.ArrowException, yaml.YAMLError) as error:
        raise releases.UnreadableError(checkout, error) from error
    yield from problems
    for name, content in wanted.items():
        path = folder / name
        if not path.is_file() or path.read_bytes() != content:
            yield Problem(str(path), "", "it differs from what the commit gives", REMEDY, "R-RELEASE-5")


def _hash_tables(folder: Path) -> dict[Path, str]:
    """Return the SHA-256 of each file with tables; the same files give the same ids."""
    paths = [*(path for _, path in releases.list_parquet_files(folder)), folder / releases.DATABASE]
    return {path.relative_to(folder): releases.sha256(path) for path in paths if path.is_file()}


def _check_build(
    checkout: Path, folder: Path, facts: Facts, found: releases.Digest, looked_at: dict[str, int]
) -> Iterator[Problem]:
    """Compare a release with the tables and pages in a checkout, where they were built."""
    named = f"IOLEDGER_SITE_URL={facts.address} " if facts.address else ""
    remedy = f"Build that commit again: {named}npm run build."
    build, dist = checkout / "build", checkout / "dist"
    is_built = (build / releases.MANIFEST).is_file()
    if is_built and _hash_tables(build) != _hash_tables(releases.find_tables(folder)):
        built = releases.digest_folder(build)
        if (built.release_id, built.database_sha256) != (found.release_id, found.database_sha256):
            what = f"its tables give release {built.release_id}, those of the release {found.release_id}"
            rows = f"ioledger diff {folder} {build} lists the rows. {remedy}"
            yield Problem(str(build), "", what, rows, "R-RELEASE-2")
    if dist.is_dir() and (folder / SITE).is_file():
        pages = list_pages(dist)
        looked_at["pages"] = len(pages)
        yield from releases.check_list(folder / SITE, pages, dist, ("the released site", remedy, "R-RELEASE-5"))
