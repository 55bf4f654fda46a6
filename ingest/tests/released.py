"""A small checkout to release: the tests' own submissions, a few rows of each table, and a site of three files."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
from typing import TYPE_CHECKING

import pyarrow.parquet as pq

from ioledger.build import publish
from ioledger.tables.schema import ROOT, marts, tables
from ioledger.workspace import Workspace

if TYPE_CHECKING:
    from pathlib import Path

WHOLE = ("files", "submissions")
"""Tables that are kept whole: they say which raw files there are."""
FEW = 12
FROM_ROOT = (
    "LICENSE", "LICENSE-DATA", "CITATION.cff", "package.json", "dbt_project.yml", ".gitignore",
)  # fmt: skip


def checkout(sample: Path, folder: Path) -> Workspace:
    """Write a checkout with one commit into a folder, with a build and a site of it; return it."""
    shutil.copytree(sample / "data", folder / "data")
    shutil.copytree(ROOT / "schemas" / "tables", folder / "schemas" / "tables")
    for name in FROM_ROOT:
        shutil.copyfile(ROOT / name, folder / name)
    place = Workspace(folder)
    build(sample, place.build)
    (place.dist / "download").mkdir(parents=True)
    shutil.copyfile(place.build / "manifest.json", place.dist / "download" / "manifest.json")
    (place.dist / "index.html").write_text("<!doctype html><title>ioledger</title>", encoding="utf-8")
    (place.dist / "data").mkdir()
    (place.dist / "data" / "home.json").write_text(json.dumps({"results": 518}), encoding="utf-8")
    commit(folder)
    return place


def build(sample: Path, made: Path) -> Path:
    """Write a build with a few rows of each table of the sample; return its folder."""
    made.mkdir()
    rows = {
        kind: {name: pq.read_table(sample / "build" / place / f"{name}.parquet") for name in defined}
        for kind, place, defined in (("raw", "raw", tables()), ("derived", "marts", marts()))
    }
    few = {
        kind: {name: table if name in WHOLE else table.slice(0, FEW) for name, table in held.items()}
        for kind, held in rows.items()
    }
    publish.write(made, few["raw"], few["derived"])
    return made


def commit(folder: Path) -> None:
    """Commit everything that git does not ignore, as nobody in particular and on a day of its own."""
    identity = ("-c", "user.name=Ann", "-c", "user.email=ann@example.org", "-c", "commit.gpgsign=false")
    for arguments in (("init", "-q"), ("add", "."), (*identity, "commit", "-q", "-m", "Everything")):
        git(folder, *arguments)


def git(folder: Path, *arguments: str) -> None:
    """Run git in a folder, on a day that is another one in UTC."""
    day = {"GIT_COMMITTER_DATE": "2026-11-22T23:30:00-05:00", "GIT_AUTHOR_DATE": "2026-11-22T23:30:00-05:00"}
    subprocess.run(["git", *arguments], cwd=folder, check=True, capture_output=True, env={**os.environ, **day})  # noqa: S603, S607
