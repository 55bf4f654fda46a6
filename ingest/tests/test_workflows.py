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
import msgspec
import pyarrow as pa
import pytest
import yaml

import hostile
import pulled
from ioledger.problems import Problem
from ioledger.pulls import sized
from ioledger.releases import forms
from ioledger.tables.schema import ROOT
from ioledger.tables.store import write_parquet

if TYPE_CHECKING:
    from pathlib import Path

sys.path.insert(0, str(ROOT / "tools"))
judging: Any = importlib.import_module("verdict")
expressions: Any = importlib.import_module("expressions")
pages: Any = importlib.import_module("pages")
release: Any = importlib.import_module("release")
report: Any = importlib.import_module("report")
verify: Any = importlib.import_module("verify")

WORKFLOWS = sorted((ROOT / ".github" / "workflows").glob("*.yml"))
FORMS = sorted(path for path in (ROOT / ".github" / "ISSUE_TEMPLATE").glob("*.yml") if path.stem != "config")
SCRIPT = re.compile(r"(?:node tools/run\.mjs )?python3? (tools/\w+\.py)\b.*")
COMMAND = re.compile(
    r"npm (?:run )?(\w+)|node tools/run\.mjs ioledger "
    r"(?:check --beliefs --github|build --no-site --workspace .*|(?:release|verify) .*)"
)
OWN, OTHER = "2026-11-mallory-disk", "2026-11-alice-disk"
USED = re.compile(r"uses: ([\w./-]+)@([0-9a-f]{40}) # v(\d+)\.\d+\.\d+")
FIRST_ON_NODE_24 = {
    "actions/checkout": 5,
    "actions/setup-node": 5,
    "actions/setup-python": 6,
    "actions/upload-artifact": 6,
    "actions/download-artifact": 7,
    "actions/deploy-pages": 5,
    "actions/attest-build-provenance": 4,  # a list of steps, each of them pinned by its hash
}
"""The first major version of each action that runs on Node 24; those before run on versions past their end."""


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
        "verdict.pending": {"statuses"},
        "verdict.verdict": set(),
        "verdict.status": {"statuses"},
        "verdict.comment": {"pull-requests"},
    }


def test_every_action_is_pinned_and_runs_on_a_node_that_is_maintained() -> None:
    """Those of the composite action too; its steps would run in other people's repositories."""
    actions = sorted((ROOT / ".github" / "actions").glob("*/action.yml"))
    assert actions
    pinned: dict[str, set[str]] = {}
    for path in (*WORKFLOWS, *actions):
        text = path.read_text(encoding="utf-8")
        used = USED.findall(text)
        assert len(used) == len(re.findall(r"\buses:", text)), path
        for action, commit, major in used:
            assert int(major) >= FIRST_ON_NODE_24[action], f"{path}: {action} v{major}"
            pinned.setdefault(action, set()).add(commit)
    assert {action for action, commits in pinned.items() if len(commits) > 1} == set()


def test_newer_actions_come_once_a_week_in_one_pull_request() -> None:
    """Dependabot looks at the workflows and at every composite action, and moves hash and version together."""
    [update] = yaml.safe_load((ROOT / ".github" / "dependabot.yml").read_text(encoding="utf-8"))["updates"]
    assert (update["package-ecosystem"], update["schedule"]) == ("github-actions", {"interval": "weekly"})
    assert update["directories"] == ["/", "/.github/actions/*"]
    assert [group["patterns"] for group in update["groups"].values()] == [["*"]]


def test_a_merge_queue_runs_what_a_pull_request_runs() -> None:
    """The tests, the verdict and Spark; each tag is published in a group of its own."""
    triggers = {path.stem: yaml.safe_load(path.read_text(encoding="utf-8"))[True] for path in WORKFLOWS}
    asked = {name for name, on in triggers.items() if {"pull_request", "pull_request_target"} & on.keys()}
    assert asked == {"check", "spark", "verdict"}
    assert all("merge_group" in triggers[name] for name in asked)
    verdict = yaml.safe_load((ROOT / ".github" / "workflows" / "verdict.yml").read_text(encoding="utf-8"))
    ends = verdict["concurrency"]["cancel-in-progress"][3:-2]
    outcome = {action: expressions.evaluate(ends, {"github": {"event": {"action": action}}})
               for action in ("synchronize", "reopened", "labeled", "unlabeled")}  # fmt: skip
    assert outcome == {"synchronize": True, "reopened": True, "labeled": False, "unlabeled": False}
    publish = yaml.safe_load((ROOT / ".github" / "workflows" / "publish.yml").read_text(encoding="utf-8"))
    assert publish["concurrency"] == {"group": "publish-${{ github.ref }}", "cancel-in-progress": False}


def test_the_site_is_packed_as_pages_takes_it(tmp_path: Path) -> None:
    """One archive of plain files below one folder, the same bytes each time; no site is no archive."""
    site = tmp_path / "dist"
    (site / "r").mkdir(parents=True)
    (site / "index.html").write_bytes(b"<p>")
    (site / "r" / "x.html").write_bytes(b"<b>")
    assert pages.pack(site, tmp_path / "artifact.tar") == 2
    with tarfile.open(tmp_path / "artifact.tar") as packed:
        assert packed.getnames() == ["./index.html", "./r/x.html"]
        assert {(entry.mtime, entry.uid, entry.isreg()) for entry in packed.getmembers()} == {(0, 0, True)}
    first = (tmp_path / "artifact.tar").read_bytes()
    pages.pack(site, tmp_path / "artifact.tar")
    assert (tmp_path / "artifact.tar").read_bytes() == first
    with pytest.raises(ValueError, match="no site"):
        pages.pack(tmp_path / "nothing", tmp_path / "artifact.tar")


PULL: dict[str, Any] = {
    "number": 7, "user": {"login": "mallory"}, "labels": [{"name": "confirmed-state"}], "head": {"sha": "a" * 40},
}  # fmt: skip


def _origin(folder: Path) -> tuple[Path, str, str]:
    """Make a repository with a pull request, and a checkout of its main branch without it."""
    origin, checkout = folder / "origin", folder / "checkout"
    base = pulled.repository(origin, {f"data/{OTHER}/manifest.yaml": b"title: x\n"})
    head = pulled.commit(origin, "pull", {"README.md": b"x"}, parent=base)
    _git(origin, "update-ref", "refs/pull/7/head", head)
    _git(origin, "update-ref", f"refs/heads/gh-readonly-queue/main/pr-7-{base}", head)
    _git(origin, "update-ref", "-d", "refs/heads/pull")
    subprocess.run(["git", "clone", "-q", str(origin), str(checkout)], check=True, capture_output=True)  # noqa: S603, S607
    return checkout, base, head


def test_a_pull_request_is_fetched_as_objects_and_its_labels_count_until_it_is_pushed_to(tmp_path: Path) -> None:
    """Nothing of it lies in the checkout; a label that was given before a push counts for nothing."""
    checkout, base, head = _origin(tmp_path)
    pull = {**PULL, "head": {"sha": head}}
    event = {"action": "labeled", "repository": {"full_name": "o/r"}, "pull_request": pull}
    merged = [{"merged_at": "2026-11-01", "user": {"login": "alice"}}, {"merged_at": None, "user": {"login": "eve"}}]

    def ask(_method: str, path: str, _content: object) -> Any:  # noqa: ANN401  (JSON)
        return pull if path.endswith("/pulls/7") else merged

    asked = judging.asked(event, ask, checkout)
    assert (asked.base, asked.head, asked.author, asked.labels) == (base, head, "mallory", {"confirmed-state"})
    assert (asked.owner(OTHER), asked.owner("2026-11-nobody-disk")) == ("alice", None)
    assert not (checkout / "README.md").exists()
    for renewed in ("synchronize", "opened", "reopened"):
        assert judging.asked({**event, "action": renewed}, ask, checkout).labels == frozenset()
    assert judging.asked(event, lambda *_: {**pull, "labels": []}, checkout).labels == frozenset()
    with pytest.raises(LookupError, match="a later push"):
        judging.asked(event, lambda *_: PULL, checkout)
    with pytest.raises(LookupError, match="a later push"):
        judging.asked({**event, "action": "opened", "pull_request": PULL}, ask, checkout)
    with pytest.raises(LookupError, match="names no commit"):
        judging.asked(
            {**event, "action": "opened", "pull_request": {**PULL, "head": {"sha": "--upload-pack=x"}}}, ask, checkout
        )
    with pytest.raises(LookupError, match="no pull request"):
        judging.asked({"repository": {"full_name": "o/r"}}, lambda *_: [], checkout)


def test_a_tree_that_names_a_file_twice_is_not_fetched(tmp_path: Path) -> None:
    """What it would leave in a checkout is not what its list says: git refuses it by its own check of objects."""
    checkout, base, head = _origin(tmp_path)
    origin = tmp_path / "origin"
    blob = subprocess.run(["git", "rev-parse", f"{head}:README.md"], cwd=origin, check=True, capture_output=True)  # noqa: S603, S607
    entry = b"100644 README.md\0" + bytes.fromhex(blob.stdout.decode().strip())
    make = ["git", "hash-object", "-t", "tree", "--literally", "-w", "--stdin"]
    tree = subprocess.run(make, cwd=origin, input=entry * 2, check=True, capture_output=True).stdout.decode().strip()  # noqa: S603
    named = ("-c", f"user.name={pulled.MALLORY}", "-c", "user.email=m@example.org")
    make = ["git", *named, "commit-tree", tree, "-p", base, "-m", "m"]
    twice = subprocess.run(make, cwd=origin, check=True, capture_output=True).stdout.decode().strip()  # noqa: S603
    _git(origin, "update-ref", "refs/pull/7/head", twice)
    event = {"action": "opened", "repository": {"full_name": "o/r"}, "pull_request": {**PULL, "head": {"sha": twice}}}
    with pytest.raises(subprocess.CalledProcessError) as refused:
        judging.asked(event, lambda *_: [], checkout)
    assert b"duplicateEntries" in refused.value.stderr


def test_why_there_is_no_verdict_is_kept_for_the_comment(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """A commit that is gone, or what git says; no name of a stranger's file is a command of the runner."""
    found: list[Exception] = [
        LookupError("##[add-mask]x is no longer there"),
        subprocess.CalledProcessError(128, ["git", "fetch"], stderr=b"fatal: bad tree\n"),
    ]

    def asked(*_: object) -> None:
        raise found.pop(0)

    monkeypatch.setattr(judging, "asked", asked)
    monkeypatch.setattr(judging.github, "event", dict)
    monkeypatch.setattr(sys, "argv", ["verdict", str(tmp_path)])
    reasons = []
    while found:
        assert judging.main() == 1
        reasons.append(json.loads((tmp_path / "verdict.json").read_bytes())["unjudged"])
    assert reasons == ["##[add-mask]x is no longer there", "git fetch: fatal: bad tree"]
    said = capsys.readouterr().out.splitlines()
    assert all(line.startswith("| ") and "##[" not in line for line in said)


def test_a_merge_queue_is_judged_against_what_is_before_it(tmp_path: Path) -> None:
    """The pull request is told by the branch that GitHub made; its labels are asked for."""
    checkout, base, head = _origin(tmp_path)
    group = {"head_sha": head, "base_sha": base, "head_ref": f"refs/heads/gh-readonly-queue/main/pr-7-{base}"}
    calls: list[str] = []

    def ask(_method: str, path: str, _content: object) -> Any:  # noqa: ANN401  (JSON)
        calls.append(path)
        return PULL

    asked = judging.asked({"repository": {"full_name": "o/r"}, "merge_group": group}, ask, checkout)
    assert (asked.base, asked.head, asked.author, asked.labels) == (base, head, "mallory", {"confirmed-state"})
    assert calls == ["/repos/o/r/pulls/7"]


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


def test_the_report_holds_what_is_changed_of_others(monkeypatch: pytest.MonkeyPatch) -> None:
    """What tools/own_rows.py finds stands among its problems, where the comment shows them."""
    found = Problem("the table results", OTHER, "2 rows are gone", "Leave them.", "R-OWN-2")
    monkeypatch.setattr(report, "check", lambda *_, **__: (2, [], []))
    monkeypatch.setattr(report.own_rows, "problems", lambda base: [found] if base == "HEAD" else [])
    written = json.loads(sized.written(report.of_checkout("HEAD")))
    assert (written["checked"], written["problem_count"]) == (2, 1)
    assert written["problems"] == [msgspec.to_builtins(found)]


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
