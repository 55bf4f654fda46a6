"""
A release: everything of a commit that is handed out, in one folder, the same bytes wherever it is made.

``download/``  every table as Parquet, Arrow and, if it is not too long, CSV, the database, and their manifest
``datapackage.json``, ``croissant.json``  descriptions of the tables for programs
``release.json``  what it is: release id, version, commit and its day
``site.sha256``  the hash of every file of the site that was built with it
``LICENSE``, ``LICENSE-DATA``, ``licences/``  terms, those of other people's results included
``CITATION.cff``, ``README.md``  how to cite it, and how to check it
``CHANGES.md``  rows that differ from an earlier release, where one is named
``SHA256SUMS``  the hash of every other file

Tables and descriptions are those that the site offers, made by the same code.
"""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING, Any, NamedTuple

import duckdb
import msgspec
import pyarrow as pa
import pyarrow.parquet as pq
import yaml

from ioledger.problems import Problem
from ioledger.releases import commits, descriptions, diff, digest, forms, hashes
from ioledger.releases.commits import RULE
from ioledger.system import scratch

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from ioledger.workspace import Workspace

SUMS, STATED, SITE = "SHA256SUMS", "release.json", "site.sha256"
CITATION, CHANGES = "CITATION.cff", "CHANGES.md"
LICENCES = ("LICENSE", "LICENSE-DATA")
TAG = re.compile(r"v(\d+(?:\.\d+)*)")
ORIGIN = (
    "submission_id", "licence", "origin_measured_by", "origin_repository", "origin_commit", "origin_licence",
    "origin_licence_evidence", "origin_copyright", "origin_citation",
)  # fmt: skip
"""Columns that say under which terms a submission stands, and whose results it holds."""
README = """# ioledger {version}

Storage benchmark results you can trace to the file they came from. Release `{release_id}`, made from commit
`{commit}` of {committed_on}.

`download/ioledger.duckdb` holds every table; each lies beside it as Parquet, Arrow and, if it is not too long, CSV.
`datapackage.json` and `croissant.json` describe them for programs. Units are SI, and what nobody measured is null.

Check it, without a network: `sha256sum --check SHA256SUMS` for the bytes, `ioledger verify .` for the tables too, and
`ioledger verify . --checkout CLONE` for the raw files, with a clone of the project at that commit.

Cite it as `CITATION.cff` says, with the release id; a single result also with its submission. Data stand under
CC-BY-4.0 (`LICENSE-DATA`), results of other people under the licence of their source (`licences/`).
"""


class Stated(msgspec.Struct, frozen=True):
    """What a release says of itself in ``release.json``."""

    release_id: str
    database_sha256: str
    version: str
    tag: str | None
    commit: str
    committed_on: str
    data_day: str
    address: str | None


class Asked(NamedTuple):
    """What a release is made of: a checkout with its build, its tag if it has one, and an earlier release or build."""

    place: Workspace
    tag: str | None
    since: Path | None = None


def write(asked: Asked, out: Path, say: Callable[[str], None]) -> list[Problem]:
    """Write a release aside and put it at ``out``; return why it cannot be made, and nothing is replaced then."""
    made = commits.head_of(asked.place.folder)
    if isinstance(made, Problem):
        return [made]
    if problems := [*_in_the_way(out), *commits.changes(asked.place.folder), *_of_tag(asked, made)]:
        return problems
    with scratch.folder(out.parent) as aside:
        new = aside / out.name
        new.mkdir()
        try:
            problems = _fill(new, asked, made, say)
        except digest.UnreadableError as error:
            return [Problem(str(error.path), "", error.what, "Build it anew: npm run build.", "R-RELEASE-1")]
        if not problems:
            if out.exists():
                out.rename(aside / "replaced")
            new.rename(out)
    return problems


def _in_the_way(out: Path) -> list[Problem]:
    """Return a problem where ``out`` is no release: it would be lost."""
    is_empty = out.is_dir() and not any(out.iterdir())
    if not out.exists() or is_empty or ((out / SUMS).is_file() and (out / STATED).is_file()):
        return []
    return [Problem(str(out), "", "it exists, and is no release", "Name a new folder, or an earlier release.", RULE)]


def _of_tag(asked: Asked, made: commits.Commit) -> list[Problem]:
    if asked.tag is None:
        return []
    if not TAG.fullmatch(asked.tag):
        return [Problem(asked.tag, "", "it is no tag of a release", "Tags are v1, v1.2 and so on.", RULE)]
    named = commits.find(asked.place.folder, f"refs/tags/{asked.tag}")
    if named in {None, made.sha}:
        return []
    what = f"it names commit {named}, and the checkout is at {made.sha}"
    return [Problem(asked.tag, "", what, f"Check the tag out: git checkout {asked.tag}.", RULE)]


def _fill(new: Path, asked: Asked, made: commits.Commit, say: Callable[[str], None]) -> list[Problem]:
    """Fill the folder of a release; return why it cannot be made. Raises UnreadableError."""
    place = asked.place
    stated, found = digest.manifest_of(place.build), digest.of_place(place.build)
    problems = digest.disagreement(place.build, stated, found) or hashes.check_raw_files(place.data, place.build)[1]
    if problems := problems or _check_site(place, found.release_id):
        return problems
    say(f"release {found.release_id}")
    address = descriptions.address_of(place.folder)
    told = descriptions.of_build(place.build, address and f"{address}/")
    forms.copy(place.build, new)
    published = forms.write(place.build, new)
    descriptions.put(new / "croissant.json", descriptions.croissant(published, told))
    descriptions.put(new / "datapackage.json", descriptions.datapackage(published, told))
    facts = Stated(
        release_id=found.release_id, database_sha256=stated.database_sha256, tag=asked.tag,
        version=asked.tag.removeprefix("v") if asked.tag else told.version, commit=made.sha, committed_on=made.day,
        data_day=told.day, address=address,
    )  # fmt: skip
    for name, content in from_commit(place.folder, new / digest.DOWNLOADS, facts).items():
        path = new / name
        path.parent.mkdir(exist_ok=True)
        path.write_bytes(content)
    if place.dist.is_dir():
        (new / SITE).write_bytes(hashes.listing(pages(place.dist)))
    if asked.since is not None:
        try:
            (new / CHANGES).write_text(diff.markdown(diff.compare(asked.since, new)), encoding="utf-8")
        except (digest.UnreadableError, duckdb.Error, pa.ArrowException, LookupError) as error:
            what = f"it cannot be compared: {error}"
            return [Problem(str(asked.since), "", what, "Name an earlier release or build.", RULE)]
    (new / SUMS).write_bytes(hashes.listing(hashes.below(new)))
    return []


def from_commit(checkout: Path, tables: Path, stated: Stated) -> dict[str, bytes]:
    """Return the files of a release that follow from a checkout and what the release says of itself, by their paths."""
    citation: dict[str, Any] = yaml.safe_load((checkout / CITATION).read_bytes())
    citation |= {"version": stated.version, "date-released": stated.committed_on, "commit": stated.commit}
    told = "Release id: SHA-256 over names, schemas, row counts and content hashes of all tables"
    citation["identifiers"] = [{"type": "other", "value": stated.release_id, "description": told}]
    cited = yaml.safe_dump(citation, sort_keys=False, allow_unicode=True, width=120)
    return {
        STATED: msgspec.json.format(msgspec.json.encode(stated), indent=1) + b"\n",
        CITATION: cited.encode(),
        "README.md": README.format(**msgspec.to_builtins(stated)).encode(),
        **{name: (checkout / name).read_bytes() for name in LICENCES},
        **_licences(checkout, tables),
    }


def _licences(checkout: Path, tables: Path) -> dict[str, bytes]:
    """Return the terms of every submission: a list, and the text of each licence that is not the project's own."""
    rows = pq.read_table(tables / "raw" / "submissions.parquet", columns=list(ORIGIN)).to_pylist()
    found, listed = {}, []
    for row in rows:
        text = checkout / "data" / row["submission_id"] / "LICENCE"
        name = f"licences/{row['submission_id']}.txt" if text.is_file() else None
        if name:
            found[name] = text.read_bytes()
        listed.append({**row, "text": name})
    return {"licences/index.json": f"{json.dumps(listed, ensure_ascii=False, indent=1)}\n".encode(), **found}


def _check_site(place: Workspace, release_id: str) -> list[Problem]:
    """Return a problem where there is a site, and it shows another build. Raises UnreadableError."""
    shown = digest.manifest_of(place.dist).release_id if place.dist.is_dir() else release_id
    if shown == release_id:
        return []
    what = f"it shows release {shown}, and build/ holds {release_id}"
    return [Problem(str(place.dist), "", what, "Build both anew: npm run build.", RULE)]


def pages(site: Path) -> dict[str, Path]:
    """Return every file of a site but the database, whose bytes differ in every build; its tables identify it."""
    return {name: path for name, path in hashes.below(site).items() if path.name != digest.DATABASE}
