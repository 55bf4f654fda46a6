"""Builds of few rows as ``ioledger build`` leaves them, and a small checkout to release: its build and its site."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
from typing import TYPE_CHECKING, Any

import msgspec
import pyarrow as pa
import pyarrow.parquet as pq

from ioledger import releases
from ioledger.build import publish
from ioledger.tables import store
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
    raw, derived = (
        {
            name: pq.read_table(sample / "build" / place / f"{name}.parquet").slice(0, None if name in WHOLE else FEW)
            for name in defined
        }
        for place, defined in (("raw", tables()), ("marts", marts()))
    )
    publish.write(made, raw, derived)
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


Rows = dict[str, list[dict[str, Any]]]


def write(folder: Path, rows: Rows) -> Path:
    """Write tables (marts as ``marts/<name>``) as Parquet files with their manifest; return the folder."""
    for each in releases.FOLDERS:
        (folder / each).mkdir(parents=True)
    for name, found in rows.items():
        described = (marts() if name.startswith("marts/") else tables())[name.removeprefix("marts/")]
        built = store.in_order(described, store.from_rows(described, found))
        path = folder / f"{name if name.startswith('marts/') else f'raw/{name}'}.parquet"
        gaps = pa.schema([field.with_nullable(nullable=True) for field in built.schema])  # a test states few
        pq.write_table(built.cast(gaps), path)
    return listed(folder)


def listed(folder: Path) -> Path:
    """Write the manifest of the tables in a folder; return the folder."""
    entries = {}
    for name, path in releases.list_parquet_files(folder):
        known = releases.digest_table(pq.read_table(path))
        facts = (known.rows, known.schema, known.content_sha256)
        entries[name] = releases.Entry(*facts, order=[], sha256=releases.sha256(path))
    release_id = releases.release_id(entries)
    files = {f"{name}{releases.ENDING}": entry for name, entry in entries.items()}
    (folder / releases.MANIFEST).write_bytes(msgspec.json.encode(releases.Manifest(release_id, "", files, {})))
    return folder


def submission(name: str, **other: Any) -> dict[str, Any]:  # noqa: ANN401  (values of columns)
    """Return a row of submissions."""
    return {"submission_id": name, "status": "active", "edition": 1, "manifest_sha256": f"manifest of {name}"} | other


def file(name: str, **other: Any) -> dict[str, Any]:  # noqa: ANN401
    """Return a row of files: the only file of a submission."""
    told = {"path": "run.json", "source_sha256": f"bytes of {name}", "tool": "fio", "format": "json", "status": "read"}
    return {"file_id": f"file of {name}", "submission_id": name, **told} | other


def result(name: str, iops: float, **other: Any) -> dict[str, Any]:  # noqa: ANN401
    """Return a row of results, that of a submission's only file."""
    own = {"result_id": f"result of {name}", "submission_id": name, "configuration_id": "disk", "operation": "read"}
    read = {
        "file_id": f"file of {name}",
        "reader_version": "0.1.0",
        "operations_per_second": iops,
        "tool": "fio",
        "source_format": "json",
    }
    return own | read | {"workload_id": "w", "queue_depth": 4, "repetition_id": "one"} | other


def pair(a: str, b: str, count: float, **other: Any) -> dict[str, Any]:  # noqa: ANN401
    """Return a row of pairs: of the only configuration of one submission and that of another."""
    sides = {"a_submission_id": a, "b_submission_id": b, "a_configuration_id": "disk", "b_configuration_id": "disk"}
    return sides | {"pair_id": f"{a} {b}", "operation": "read", "equal_count": int(count), "question": "device"} | other


def rows(**iops: float) -> Rows:
    """Return the tables of submissions with one result each, and all pairs in their order."""
    names = list(iops)
    pairs = [(a, b) for index, a in enumerate(names) for b in names[index + 1 :]]
    results = [result(name, value) for name, value in iops.items()]
    return {
        "submissions": [submission(name) for name in names],
        "files": [file(name) for name in names],
        "results": results,
        "marts/results": results,
        "marts/pairs": [pair(a, b, 100 * iops[a] / iops[b]) for a, b in pairs],
    }
