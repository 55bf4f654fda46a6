"""The workflows: every step runs a script that also runs here, and here it does."""

from __future__ import annotations

import importlib
import json
import os
import re
import shutil
import subprocess
import sys
import tarfile
from typing import TYPE_CHECKING, Any

import duckdb
import pyarrow as pa
import pytest
import yaml

import hostile
from ioledger.releases import forms
from ioledger.tables.schema import ROOT
from ioledger.tables.store import write_parquet

if TYPE_CHECKING:
    from pathlib import Path

sys.path.insert(0, str(ROOT / "tools"))
release: Any = importlib.import_module("release")
verify: Any = importlib.import_module("verify")

WORKFLOWS = sorted((ROOT / ".github" / "workflows").glob("*.yml"))
FORMS = sorted(path for path in (ROOT / ".github" / "ISSUE_TEMPLATE").glob("*.yml") if path.stem != "config")
SCRIPT = re.compile(r"(?:node tools/run\.mjs )?python3? (tools/\w+\.py)\b.*")
COMMAND = re.compile(
    r"npm (?:run )?(\w+)|node tools/run\.mjs ioledger (?:check --beliefs --github|(?:release|verify) .*)"
)
OWN, OTHER = "2026-11-mallory-disk", "2026-11-alice-disk"


def _steps() -> list[dict[str, Any]]:
    jobs = [job for path in WORKFLOWS for job in yaml.safe_load(path.read_text(encoding="utf-8"))["jobs"].values()]
    return [step for job in jobs for step in job["steps"]]


def test_every_step_runs_an_action_or_one_script_that_a_test_runs() -> None:
    """No step holds shell of its own; each script is named in a test, each npm script stands in package.json."""
    tests = "".join(path.read_text(encoding="utf-8") for path in (ROOT / "ingest" / "tests").glob("test_*.py"))
    scripts = json.loads((ROOT / "package.json").read_text(encoding="utf-8"))["scripts"]
    runs = [step["run"] for step in _steps() if "uses" not in step]
    assert len(runs) > 8
    for run in runs:
        script, command = SCRIPT.fullmatch(run), COMMAND.fullmatch(run)
        assert script or command, run
        if script:
            assert (ROOT / script[1]).is_file(), run
            assert re.search(rf'import_module\("{script[1][6:-3]}"\)|"{script[1]}"', tests), f"no test runs {script[1]}"
        elif command and command[1]:
            assert command[1] in scripts, run


def test_only_the_run_on_main_may_write_and_only_where_it_says() -> None:
    """A pull request's run reads; the comment may write comments; publishing may write pages and releases."""
    granted = {}
    for path in WORKFLOWS:
        workflow = yaml.safe_load(path.read_text(encoding="utf-8"))
        assert workflow["permissions"] == {}
        for name, job in workflow["jobs"].items():
            granted[f"{path.stem}.{name}"] = {right for right, level in job["permissions"].items() if level == "write"}
    assert granted == {
        "check.check": set(),
        "check.crowd": set(),
        "comment.comment": {"pull-requests"},
        "publish.build": set(),
        "publish.rebuild": set(),
        "publish.attest": {"attestations", "id-token"},
        "publish.release": {"contents"},
        "publish.deploy": {"pages", "id-token"},
        "spark.spark": set(),
    }


def test_the_forms_ask_for_what_each_case_needs() -> None:
    """A dispute, a correction, a vendor's reply and a new tool; every form has the parts that GitHub shows."""
    forms = {path.stem: yaml.safe_load(path.read_text(encoding="utf-8")) for path in FORMS}
    assert forms.keys() == {"correction", "dispute", "new-tool", "vendor-reply"}
    for name, form in forms.items():
        assert all(isinstance(form[key], str) and form[key] for key in ("name", "description", "title")), name
        assert {item["type"] for item in form["body"]} <= {"input", "textarea", "dropdown", "checkboxes"}, name
        identities = [item["id"] for item in form["body"]]
        assert len(set(identities)) == len(identities), name
        assert any(item.get("validations", {}).get("required") for item in form["body"]), name
    template = (ROOT / ".github" / "pull_request_template.md").read_text(encoding="utf-8")
    assert template.count("- [ ] ") >= 4


@pytest.fixture
def project(tmp_path: Path) -> Path:
    """Return a repository with the project's code and one merged submission."""
    for name in ("ingest", "schemas", "tools"):
        ignored = shutil.ignore_patterns("__pycache__", "tests")
        shutil.copytree(ROOT / name, tmp_path / name, ignore=ignored)
    hostile.sound(tmp_path / "data" / OTHER)
    identity = ("-c", "user.name=Ann", "-c", "user.email=ann@example.org", "-c", "commit.gpgsign=false")
    for arguments in (("init", "-q"), ("add", "."), (*identity, "commit", "-q", "-m", "Merged")):
        _git(tmp_path, *arguments)
    return tmp_path


def _git(project: Path, *arguments: str) -> None:
    subprocess.run(["git", *arguments], cwd=project, check=True, capture_output=True)  # noqa: S603, S607


def _script(project: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    environment = {**os.environ, "PYTHONPATH": str(project / "ingest")}
    command = [sys.executable, *arguments]
    return subprocess.run(command, cwd=project, capture_output=True, text=True, check=False, env=environment)  # noqa: S603


def _submit(project: Path) -> Path:
    """Add a submission with numbers of its own."""
    folder = hostile.sound(project / "data" / OWN)
    report = json.loads((folder / hostile.REPORT).read_bytes())
    for operation in ("read", "write"):
        report["jobs"][0][operation]["lat_ns"]["mean"] += 1
        report["jobs"][0][operation]["lat_ns"]["stddev"] += 1
    hostile.replace(folder, json.dumps(report).encode())
    return folder


def test_own_rows_lets_a_new_submission_pass_and_a_changed_one_fail(project: Path) -> None:
    """The commit before is compared with the files at hand."""
    _submit(project)
    passed = _script(project, "tools/own_rows.py", "HEAD")
    assert (passed.returncode, passed.stderr) == (0, "")
    assert passed.stdout == "1 submissions touched, 0 tables hold changes that may not be\n"
    manifest = project / "data" / OTHER / "manifest.yaml"
    manifest.write_text(manifest.read_text(encoding="utf-8").replace("count: 1}", "count: 2}"), encoding="utf-8")
    failed = _script(project, "tools/own_rows.py", "HEAD")
    assert (failed.returncode, failed.stdout.count("[R-OWN-2]")) == (1, 2)


def test_own_rows_takes_no_option_for_a_commit(project: Path) -> None:
    """What looks like an option of git is none."""
    failed = _script(project, "tools/own_rows.py", "--output=hacked")
    assert failed.returncode == 1
    assert not (project / "hacked").exists()


def test_the_report_of_a_refused_submission_names_its_problems(project: Path) -> None:
    """Without a build there are problems and names, and the comment says them."""
    folder = _submit(project)
    (folder / "run.sh").write_text("rm -rf /", encoding="utf-8")
    done = _script(project, "tools/report.py", "HEAD", "report.json")
    assert (done.returncode, done.stderr) == (0, "")
    report = json.loads((project / "report.json").read_bytes())
    assert (report["checked"], report["problem_count"]) == (2, 1)
    assert report["problems"][0]["rule"] == "R-FILE-3"
    assert report["submissions"] == [{"id": OWN}]
    comment: Any = importlib.import_module("comment")
    assert comment.code("R-FILE-3") in comment.body(comment.read(project / "report.json"))


@pytest.fixture
def twice(tmp_path: Path) -> tuple[Path, Path]:
    """Return two checkouts that have built the same: a file of each kind."""
    rows = pa.table({"a": [1, 2, 3], "b": ["x", None, "z"]})
    for name in ("first", "second"):
        built = tmp_path / name / "build"
        (built / "dbt").mkdir(parents=True)
        page = tmp_path / name / "dist"
        page.mkdir()
        write_parquet(rows, built / "x.parquet")
        forms.write_arrow(rows, page / "x.arrow")
        forms.write_csv(rows, page / "x.csv.gz")
        with duckdb.connect(built / "ioledger.duckdb") as connection:
            connection.execute("create table x as select unnest([1, 2, 3]) as a")
        (page / "index.html").write_text("<p>two</p>", encoding="utf-8")
        (page / "x.json").write_text('{"a": 1}', encoding="utf-8")
        (built / "site.log").write_text(f"made in {built}", encoding="utf-8")
        (built / "dbt" / "run.json").write_text(str(built), encoding="utf-8")
        stated = {"release_id": "0" * 64, "database_sha256": "0" * 64, "files": {}, "written_with": {}}
        (built / "manifest.json").write_text(json.dumps(stated), encoding="utf-8")
    return tmp_path / "first", tmp_path / "second"


def test_two_builds_that_are_the_same_pass(twice: tuple[Path, Path], capsys: pytest.CaptureFixture[str]) -> None:
    """What tells of a run is not compared."""
    assert verify.compare(*twice) == 0
    assert capsys.readouterr().out.endswith(", 0 differ\n")


def test_the_first_difference_of_each_kind_of_file_is_told(
    twice: tuple[Path, Path], capsys: pytest.CaptureFixture[str]
) -> None:
    """Row and column of a table, line of a CSV, and the byte of every other file; more of a kind are counted only."""
    other = twice[1]
    rows = pa.table({"a": [1, 2, 4], "b": ["x", None, "z"]})
    write_parquet(rows, other / "build" / "x.parquet")
    write_parquet(rows, other / "build" / "y.parquet")
    forms.write_arrow(rows, other / "dist" / "x.arrow")
    forms.write_csv(rows, other / "dist" / "x.csv.gz")
    with duckdb.connect(other / "build" / "ioledger.duckdb") as connection:
        connection.execute("update x set a = 5 where a = 3")
    (other / "dist" / "index.html").write_text("<p>too</p>", encoding="utf-8")
    (other / "dist" / "x.json").write_text('{"a": 10}', encoding="utf-8")
    assert verify.compare(*twice) == 1
    told = capsys.readouterr().out
    for line in (
        "build/x.parquet: row 3, column a: the first build has 3, the second 4\n",
        "build/ioledger.duckdb: table main.x, row 3, column a: the first build has 3, the second 5\n",
        "dist/x.arrow: row 3, column a: ", "dist/x.csv.gz: line 4: ", "dist/index.html: byte 4: ",
        "dist/x.json: byte 7: ", ", 7 differ\n",
    ):  # fmt: skip
        assert line in told
    assert "y.parquet" not in told


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux says on which processors a program runs")
def test_the_second_build_has_other_conditions(tmp_path: Path) -> None:
    """Another locale, time zone, hash seed, umask and number of processors reach the build."""
    shown = "print(os.umask(0), len(os.sched_getaffinity(0)), os.environ['TZ'], *sys.argv[1:], file=told)"
    (tmp_path / "ingest" / "ioledger").mkdir(parents=True)
    (tmp_path / "ingest" / "ioledger" / "__init__.py").write_text("", encoding="utf-8")
    written = f"import os, sys\nwith open({str(tmp_path / 'told')!r}, 'w') as told:\n    {shown}"
    (tmp_path / "ingest" / "ioledger" / "__main__.py").write_text(written, encoding="utf-8")
    assert verify.build(tmp_path, verify.second(), 0o077, 1) == 0
    told = (tmp_path / "told").read_text(encoding="utf-8").split()
    assert told == [str(0o077), "1", "Pacific/Chatham", "build", "--workspace", str(tmp_path)]
    assert verify.second().keys() == verify.FIRST.keys() | {"IOLEDGER_DBT_THREADS"}
    assert all(verify.second()[name] != value for name, value in verify.FIRST.items())


def test_a_release_is_one_archive_and_what_is_asked_for_alone(tmp_path: Path) -> None:
    """The command of GitHub gets the tag and every asset; it is run without a shell. The archive holds no time."""
    tables = tmp_path / "release"
    for name in release.ALONE:
        (tables / name).parent.mkdir(parents=True, exist_ok=True)
        (tables / name).write_bytes(b"x")
    gh = tmp_path / "bin" / "gh"
    gh.parent.mkdir()
    gh.write_text('#!/bin/sh\nprintf "%s\\n" "$@"\n', encoding="utf-8")
    gh.chmod(0o755)
    environment = {**os.environ, "PATH": f"{gh.parent}:{os.environ['PATH']}"}
    command = [sys.executable, str(ROOT / "tools" / "release.py"), "release"]
    done = subprocess.run(  # noqa: S603
        [*command, "v1.2"], cwd=tmp_path, capture_output=True, text=True, check=False, env=environment
    )
    assert done.returncode == 0, done.stderr
    told = done.stdout.splitlines()
    assert told[:3] == ["release", "create", "v1.2"]
    archive = tmp_path / "ioledger-v1.2.tar.gz"
    assert told[told.index("--") + 1 :] == [archive.name, *(f"release/{name}" for name in release.ALONE)]
    with tarfile.open(archive) as packed:
        assert packed.getnames() == sorted(f"ioledger-v1.2/{name}" for name in release.ALONE)
        assert {(entry.mtime, entry.uid, entry.uname) for entry in packed.getmembers()} == {(0, 0, "")}
    first = archive.read_bytes()
    assert release.assets(tables, "v1.2")[0].read_bytes() == first
    refused = subprocess.run([*command, "--draft"], cwd=tmp_path, capture_output=True, check=False, env=environment)  # noqa: S603
    assert refused.returncode == 1
    with pytest.raises(FileNotFoundError, match="no whole release"):
        release.assets(tmp_path, "v1.2")


@pytest.mark.parametrize("published", [["v1.3", "v1.2", "v1.1"], ["nightly"]])
def test_a_release_is_compared_with_the_one_before_it(published: list[str], tmp_path: Path) -> None:
    """The newest of another tag is fetched and unpacked; of a first release nothing is asked."""
    for name in release.ALONE:
        (tmp_path / "old" / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / "old" / name).write_bytes(name.encode())
    release.assets(tmp_path / "old", "v1.2")
    gh = tmp_path / "bin" / "gh"
    gh.parent.mkdir()
    listed = json.dumps([{"tagName": tag} for tag in published])
    gh.write_text(f"#!/bin/sh\n[ $2 = list ] && echo '{listed}' && exit\ncp {tmp_path}/$5 $7\n", encoding="utf-8")
    gh.chmod(0o755)
    folder, output = tmp_path / "runner" / "before", tmp_path / "output"
    folder.parent.mkdir()
    changed = {"PATH": f"{gh.parent}:{os.environ['PATH']}", "GITHUB_OUTPUT": str(output)}
    command = [sys.executable, str(ROOT / "tools" / "release.py"), "--before", str(folder), "v1.3"]
    subprocess.run(command, check=True, capture_output=True, env=os.environ | changed)  # noqa: S603
    is_first = published == ["nightly"]
    assert output.read_text(encoding="utf-8") == ("tag=\n" if is_first else "tag=v1.2\n")
    kept = {path.relative_to(folder).as_posix() for path in folder.rglob("*") if path.is_file()}
    assert kept == (set() if is_first else set(release.ALONE))
