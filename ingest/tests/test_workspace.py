"""One's own work in a folder of one's own: which folder that is, what a build leaves alone, and a release under it."""

from __future__ import annotations

import hashlib
import json
import shutil
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Literal

import duckdb
import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq
import pytest

import hostile
from conftest import remember, spoil
from dataset import DISK
from ioledger import workspace
from ioledger.build import base, checking, pipeline
from ioledger.problems import Problem
from ioledger.submission.gather import combine, gather, gather_one
from ioledger.submission.rows import raw_tables
from ioledger.tables.schema import ROOT, tables

if TYPE_CHECKING:
    from conftest import Run

MINE = "2026-11-ann-disk"
FALLEN = {"superseded", "retracted"}


def test_a_workspace_is_stated_or_around_here_or_among_the_users_data(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The option comes before the variable, that before the checkout, and that before the user's data."""
    for mark in ("schemas/tables", "data", "site/below"):
        (tmp_path / "checkout" / mark).mkdir(parents=True)
    monkeypatch.delenv(workspace.VARIABLE, raising=False)
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "share"))
    monkeypatch.chdir(tmp_path / "checkout" / "site" / "below")
    if sys.platform != "win32":
        assert workspace.find().folder == tmp_path / "share" / "ioledger", "a folder without a project is no checkout"
        monkeypatch.setenv("XDG_DATA_HOME", "not/absolute")
        monkeypatch.setenv("HOME", str(tmp_path))
        assert workspace.find().folder == tmp_path / ".local" / "share" / "ioledger"
    (tmp_path / "checkout" / "dbt_project.yml").touch()
    assert workspace.find().folder == tmp_path / "checkout"
    monkeypatch.setenv(workspace.VARIABLE, str(tmp_path / "of-variable"))
    assert workspace.find().folder == tmp_path / "of-variable"
    assert workspace.find(Path("stated")).data == Path.cwd() / "stated" / "data"


def test_submissions_that_are_not_the_workspaces_own_are_refused(tmp_path: Path, ioledger: Run) -> None:
    """Outside of it, in a folder that a build replaces, or none: it is said what to do, and nothing is made."""
    (tmp_path / "mine").mkdir()
    for data, rule, told in (
        ("elsewhere/data", "R-WORKSPACE-1", f"--workspace {tmp_path / 'elsewhere'}"),
        ("mine/build/data", "R-WORKSPACE-1", "which a build replaces"),
        ("mine/data", "R-WORKSPACE-2", "there is no submission"),
    ):
        report = hostile.sound(tmp_path / data / MINE) / hostile.REPORT if rule == "R-WORKSPACE-1" else None
        done = ioledger("build", "--workspace", tmp_path / "mine", "--data", tmp_path / data)
        assert (done.returncode, f"[{rule}]" in done.stderr, told in done.stderr) == (1, True, True)
        assert report is None or report.is_file()
        shutil.rmtree(tmp_path / data, ignore_errors=True)
    done = ioledger("build", "--base-sha256", "0" * 64)
    assert (done.returncode, "--base-sha256" in done.stderr) == (2, True), "a hash without a release guards nothing"


@pytest.mark.parametrize("kept", ["build", "build/thesis.txt", "dist/thesis.txt"])
def test_a_build_replaces_nothing_that_none_has_made(kept: str, tmp_path: Path, ioledger: Run) -> None:
    """Another program's build/ or dist/ is named and stays; an empty one is no loss."""
    hostile.sound(tmp_path / "data" / MINE)
    for made in ("build", "dist"):
        if made != kept:
            (tmp_path / made).mkdir()
    (tmp_path / kept).write_text("years of work", encoding="utf-8")
    done = ioledger("build", "--workspace", tmp_path)
    assert done.returncode == 1
    assert done.stderr.count("[R-WORKSPACE-3]") == 1
    assert str(tmp_path / kept.partition("/")[0]) in done.stderr
    assert (tmp_path / kept).read_text(encoding="utf-8") == "years of work"


def test_a_folder_is_checked_where_there_is_no_data(
    submission: Path, ioledger: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """One folder needs no others beside it; without one there is nothing to check."""
    monkeypatch.setenv(workspace.VARIABLE, str(tmp_path / "nowhere"))
    assert ioledger("check", submission).returncode == 0
    nothing = ioledger("check")
    assert (nothing.returncode, "name a submission, --data or --workspace" in nothing.stderr) == (2, True)


def _hashes(folder: Path) -> dict[str, str]:
    files = (path for path in folder.rglob("*") if path.is_file())
    return {str(path): hashlib.sha256(path.read_bytes()).hexdigest() for path in files}


def _checkout() -> dict[str, str]:
    """Return the hash of every file of the checkout that a build reads or makes, the site apart."""
    found = (_hashes(ROOT / name) for name in ("build", "data", "models", "schemas", "site", "ingest/ioledger"))
    return {path: sha256 for each in found for path, sha256 in each.items() if "__pycache__" not in path}


def _own(folder: Path) -> Path:
    """Make a workspace with one submission that is like no published one; return it."""
    mine = hostile.sound(folder / "data" / MINE)
    report = (mine / hostile.REPORT).read_bytes()
    hostile.replace(mine, report.replace(b"67000", b"66999").replace(b"160000", b"160001"))
    return folder


def test_ones_own_build_with_a_release_under_it_compares_both_and_touches_neither(
    sample: Path, tmp_path: Path, ioledger: Run
) -> None:
    """The released rows stay as they are, one's own stand beside them, and the checkout's build is not touched."""
    released = sample / "build" / "ioledger.duckdb"
    before = _checkout() | _hashes(sample / "build")
    mine = _own(tmp_path / "mine")
    sha256 = hashlib.sha256(released.read_bytes()).hexdigest()
    remember(sample, mine / "build")
    built = ioledger("build", "--workspace", mine, "--base", released, "--base-sha256", sha256)
    assert built.returncode == 0, built.stderr
    assert built.stderr.startswith(f"workspace {mine}\n")
    assert "dist/ is as it was" in built.stderr
    assert built.stderr.endswith(f' limit 5" --workspace {mine}\n'), "the advice is one that finds this database"
    assert _checkout() | _hashes(sample / "build") == before
    assert not (mine / "dist").exists()
    assert json.loads((mine / "build" / "base.json").read_text(encoding="utf-8")) == {"sha256": sha256}
    asked = f"select count(*) from results where submission_id = '{MINE}'"  # noqa: S608  (the test's own names)
    assert int(ioledger("sql", asked, "--workspace", mine, "--csv").stdout.split()[1]) == 2
    with duckdb.connect(released, read_only=True) as published:
        count = "select count(*) from quotients"
        (wanted,) = published.execute(count).fetchone() or (0,)
    of_others = f"{count} where '{MINE}' not in (a_submission_id, b_submission_id)"
    assert int(ioledger("sql", of_others, "--workspace", mine, "--csv").stdout.split()[1]) == wanted > 0
    other = f"select configuration_id from configurations where submission_id = '{DISK}' limit 1"  # noqa: S608
    theirs = ioledger("sql", other, "--workspace", mine, "--csv").stdout.split()[1]
    own = ioledger("sql", other.replace(DISK, MINE), "--workspace", mine, "--csv").stdout.split()[1]
    names = (f"{MINE}/{own}", f"{DISK}/{theirs}")
    gated = ioledger("gate", f"published:{names[0]}", mine / "data" / MINE, "--workspace", mine)
    assert gated.returncode == 4, "the same runs: read from the database and from the file"
    assert "both sides have the same runs, by the hashes of their files" in gated.stdout
    found = json.loads(ioledger("compare", *names, "--workspace", mine, "--json").stdout)
    assert [*found["comparisons"], *found["excluded"]], "own against published"
    assert all(row["reason"] for row in found["excluded"])
    assert found["conditions"]
    assert all(row["equal_count"] <= row["condition_count"] for row in found["conditions"])


@pytest.fixture
def released(sample: Path) -> base.Base:
    """Return the tests' own dataset as a release."""
    found = base.load(sample / "build" / "ioledger.duckdb", None)
    assert isinstance(found, base.Base)
    return found


def test_a_release_gives_back_the_raw_rows_it_was_made_of(sample: Path, released: base.Base) -> None:
    """Of every submission that stands; a column that a mart works out is taken as it was stated."""
    submissions = released.tables["submissions"]
    fallen = submissions.filter(pc.is_in(submissions["status"], pa.array(sorted(FALLEN))))["submission_id"]
    for name, table in tables().items():
        raw = pq.read_table(sample / "build" / "raw" / f"{name}.parquet")
        if "submission_id" in raw.column_names and name != "submissions":
            raw = raw.filter(pc.invert(pc.is_in(raw["submission_id"], fallen)))
        key: list[tuple[str, Literal["ascending", "descending"]]]
        key = [(column, "ascending") for column in table.primary_key]
        assert released.tables[name].sort_by(key).equals(raw.sort_by(key)), name


def _tables(folder: Path) -> dict[str, pa.Table]:
    built, problems = raw_tables(gather([folder]))
    assert problems == []
    return built


def test_a_file_that_another_published_submission_holds_is_named(
    sample: Path, released: base.Base, tmp_path: Path
) -> None:
    """Under another name its results would count twice; under its own it takes the published one's place."""
    copy = shutil.copytree(sample / "data" / DISK, tmp_path / MINE)
    _, problems, replaced = base.lay_under(_tables(copy), released)
    assert {problem.rule for problem in problems} == {"R-BASE-2"}
    assert problems[0].what.startswith(f"already published in {DISK}/")
    assert replaced == []
    both, problems, replaced = base.lay_under(_tables(sample / "data" / DISK), released)
    assert (problems, replaced) == ([], [DISK])
    rows = {name: table.num_rows for name, table in both.items() if name != "findings"}  # expectations find more
    assert rows == {name: released.tables[name].num_rows for name in rows}


@pytest.mark.parametrize("case", ["another hash", "no database", "a database of another kind", "SQLite", "a null"])
def test_what_is_no_release_is_not_laid_under(case: str, sample: Path, tmp_path: Path) -> None:
    """One line each, before anything is read."""
    path = tmp_path / "some.duckdb"
    if case == "no database":
        path.write_bytes(b"no database at all")
    elif case == "SQLite":
        path.write_bytes(b"SQLite format 3\0" + bytes(84))
    elif case == "a null":
        shutil.copy(sample / "build" / "ioledger.duckdb", path)
        duckdb.connect(path).execute("update files set path = null").close()
    else:
        duckdb.connect(path).close()
    problem = base.load(path, "0" * 64 if case == "another hash" else None)
    assert isinstance(problem, Problem)
    assert problem.rule == "R-BASE-1"
    assert ("SHA-256" in problem.what) == (case == "another hash")
    assert ("'path'" in problem.what) == (case == "a null"), "it is said in which column"
    assert "extension" not in problem.what, "no program is fetched that could read it"


@pytest.mark.parametrize("case", ["missing", "of another release", "no Parquet"])
def test_a_release_without_its_bulk_tables_is_not_laid_under(case: str, sample: Path, tmp_path: Path) -> None:
    """One line names the file; a table without rows needs none."""
    path = tmp_path / "ioledger.duckdb"
    shutil.copy(sample / "build" / path.name, path)
    bins = tmp_path / "latency_bins.parquet"
    if case == "of another release":
        pq.write_table(pq.read_table(sample / "build" / "raw" / bins.name).slice(1), bins)
    elif case == "no Parquet":
        bins.write_bytes(b"no Parquet at all")
    problem = base.load(path, None)
    assert isinstance(problem, Problem)
    assert (problem.rule, problem.file) == ("R-BASE-1", str(bins))
    shutil.copy(sample / "build" / "raw" / bins.name, bins)
    found = base.load(path, None)
    assert isinstance(found, base.Base)
    assert (found.tables["samples"].num_rows, (tmp_path / "samples.parquet").exists()) == (0, False)


def test_what_marts_have_taken_in_lies_out_of_sight_in_the_database(sample: Path) -> None:
    """An analyst sees each fact once; a release keeps what a build is made of, and bulk tables beside it."""
    with duckdb.connect(sample / "build" / "ioledger.duckdb", read_only=True) as database:
        listed = database.execute("select schema_name, table_name from duckdb_tables()").fetchall()
    merged = {name for name, table in tables().items() if table.published == "merged"}
    assert {name for schema, name in listed if schema == "raw"} == merged | {"beside"}
    bulk = {name for name, table in tables().items() if table.published == "files"}
    assert bulk == {"latency_bins", "samples"}
    assert {name for schema, name in listed if schema == "main"} & (merged | bulk) == set()


def test_a_manifest_may_speak_of_a_published_submission(released: base.Base, tmp_path: Path) -> None:
    """It is superseded by one that stands in the release, and not by one that does not."""
    mine = _own(tmp_path) / "data" / MINE
    spoil(mine, "affiliation: independent", "affiliation: independent\nstatus: {state: superseded, reason: older, "
          f"changed_on: 2026-11-21, superseded_by: {DISK}}}")  # fmt: skip
    assert "R-STATE-2" in {problem.rule for problem in gather([mine]).problems}
    assert combine([gather_one(mine, mine.name)], released.states()).problems == []


def test_pages_are_built_only_where_their_code_is(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The installed package has none; the database is made all the same."""
    monkeypatch.setattr(pipeline, "SITE_CODE", tmp_path / "none")
    asked: list[bool] = []

    def published(*_: object, documents: bool) -> list[Problem]:
        asked.append(documents)
        return [Problem("x", "", "stop", "here", "R-MODEL-1")]

    monkeypatch.setattr(pipeline, "_model_and_publish", published)
    monkeypatch.setattr(checking, "run_suites", lambda _: checking.Verdict([], [], []))
    place = workspace.Workspace(_own(tmp_path / "mine"))
    assert [problem.what for problem in pipeline.build(place, lambda _: None)] == ["stop"]
    assert asked == [False]
