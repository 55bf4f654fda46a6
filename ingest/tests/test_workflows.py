"""The workflows: every step runs a script that also runs here, and here it does."""

from __future__ import annotations

import importlib
import json
import re
import sys
import tarfile
from typing import TYPE_CHECKING, Any

import duckdb
import pyarrow as pa
import pytest
import yaml

import hostile
from ioledger.releases import descriptions
from ioledger.tables.schema import ROOT
from ioledger.tables.store import write_parquet

if TYPE_CHECKING:
    from pathlib import Path

sys.path.insert(0, str(ROOT / "tools"))
own_rows: Any = importlib.import_module("own_rows")
release: Any = importlib.import_module("release")
verify: Any = importlib.import_module("verify")

WORKFLOWS = sorted((ROOT / ".github" / "workflows").glob("*.yml"))
FORMS = sorted(path for path in (ROOT / ".github" / "ISSUE_TEMPLATE").glob("*.yml") if path.stem != "config")
SCRIPT = re.compile(r"(?:node tools/run\.mjs )?python3? (tools/\w+\.py)\b.*")
COMMAND = re.compile(
    r"npm (?:run )?(\w+)|node tools/run\.mjs ioledger "
    r"(?:check --plausibility --github|build --no-site --workspace .*|(?:release|verify) .*)"
)
USED = re.compile(r"uses: ([\w./-]+)@([0-9a-f]{40}) # v(\d+)\.\d+\.\d+")
FIRST_ON_NODE_24 = {
    "actions/checkout": 5,
    "actions/setup-node": 5,
    "actions/setup-python": 6,
    "actions/upload-artifact": 6,
    "actions/download-artifact": 7,
    "actions/deploy-pages": 5,
    "actions/upload-pages-artifact": 4,  # a list of steps, each of them pinned by its hash
    "actions/attest-build-provenance": 4,  # a list of steps, each of them pinned by its hash
}
"""The first major version of each action that runs on Node 24; those before run on versions past their end."""


def _steps() -> list[dict[str, Any]]:
    jobs = [job for path in WORKFLOWS for job in yaml.safe_load(path.read_text(encoding="utf-8"))["jobs"].values()]
    return [step for job in jobs for step in job["steps"]]


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
        "check.lowest": set(),
        "publish.build": set(),
        "publish.rebuild": set(),
        "publish.attest": {"attestations", "id-token"},
        "publish.release": {"contents"},
        "publish.deploy": {"pages", "id-token"},
        "spark.spark": set(),
        "verdict.pending": {"statuses"},
        "verdict.judge": set(),
        "verdict.say": {"statuses", "pull-requests"},
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


def test_a_job_that_may_write_checks_nothing_out_and_nothing_of_a_pull_request_is_checked_out() -> None:
    """The judging job reads the base branch; the other two have no files but what they download."""
    jobs = yaml.safe_load((ROOT / ".github" / "workflows" / "verdict.yml").read_text(encoding="utf-8"))["jobs"]
    checkouts = {
        name: [step["with"]["ref"] for step in job["steps"] if step.get("uses", "").startswith("actions/checkout@")]
        for name, job in jobs.items()
    }
    assert checkouts == {"pending": [], "judge": ["${{ github.event.repository.default_branch }}"], "say": []}


def test_a_merge_queue_runs_what_a_pull_request_runs() -> None:
    """The tests, the verdict and Spark; each tag is published in a group of its own."""
    triggers = {path.stem: yaml.safe_load(path.read_text(encoding="utf-8"))[True] for path in WORKFLOWS}
    asked = {name for name, on in triggers.items() if {"pull_request", "pull_request_target"} & on.keys()}
    assert asked == {"check", "spark", "verdict"}
    assert all("merge_group" in triggers[name] for name in asked)
    publish = yaml.safe_load((ROOT / ".github" / "workflows" / "publish.yml").read_text(encoding="utf-8"))
    assert publish["concurrency"] == {"group": "publish-${{ github.ref }}", "cancel-in-progress": False}


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
def twice(tmp_path: Path) -> tuple[Path, Path]:
    """Return two checkouts that have built the same: a file of each kind."""
    rows = pa.table({"a": [1, 2, 3], "b": ["x", None, "z"]})
    for name in ("first", "second"):
        built = tmp_path / name / "build"
        (built / "dbt").mkdir(parents=True)
        page = tmp_path / name / "dist"
        page.mkdir()
        write_parquet(rows, built / "x.parquet")
        descriptions.write_arrow(rows, page / "x.arrow")
        descriptions.write_csv(rows, page / "x.csv.gz")
        with duckdb.connect(built / "ioledger.duckdb") as connection:
            connection.execute("create table x as select unnest([1, 2, 3]) as a")
        (page / "index.html").write_text("<p>two</p>", encoding="utf-8")
        (page / "x.json").write_text('{"a": 1}', encoding="utf-8")
        (built / "site.log").write_text(f"made in {built}", encoding="utf-8")
        (built / "dbt" / "run.json").write_text(str(built), encoding="utf-8")
        stated = {"release_id": "0" * 64, "database_sha256": "0" * 64, "files": {}, "written_with": {}}
        (built / "manifest.json").write_text(json.dumps(stated), encoding="utf-8")
    return tmp_path / "first", tmp_path / "second"


def test_the_first_differing_file_of_each_kind_is_named(
    twice: tuple[Path, Path], capsys: pytest.CaptureFixture[str]
) -> None:
    """Two that are the same pass, and what tells of a run is not compared; more of a kind are counted."""
    assert verify.compare(*twice) == 0
    assert capsys.readouterr().out.endswith(", 0 differ\n")
    other = twice[1]
    rows = pa.table({"a": [1, 2, 4], "b": ["x", None, "z"]})
    write_parquet(rows, other / "build" / "x.parquet")
    write_parquet(rows, other / "build" / "y.parquet")
    with duckdb.connect(other / "build" / "ioledger.duckdb") as connection:
        connection.execute("update x set a = 5 where a = 3")
    (other / "dist" / "index.html").write_text("<p>too</p>", encoding="utf-8")
    (other / "dist" / "x.json").write_text('{"a": 10}', encoding="utf-8")
    assert verify.compare(*twice) == 1
    told = capsys.readouterr().out
    for name in ("build/x.parquet", "build/ioledger.duckdb", "dist/index.html", "dist/x.json"):
        assert f"{name}: the two builds differ\n" in told
    assert "y.parquet" not in told
    assert told.endswith(", 5 differ\n")


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


def test_a_release_is_one_archive_without_times_and_owners(tmp_path: Path) -> None:
    """All files of its folder, the same bytes for the same files."""
    folder = tmp_path / "release"
    for name in release.ALONE:
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_bytes(name.encode())
    first = release.pack(folder, "v1").read_bytes()
    assert release.pack(folder, "v1").read_bytes() == first
    with tarfile.open(folder / "ioledger-v1.tar.gz") as archive:
        members = {member.name: (member.mtime, member.uname) for member in archive}
    assert members == {f"ioledger-v1/{name}": (0, "") for name in release.ALONE}


def test_a_new_submission_changes_no_row_of_another(tmp_path: Path) -> None:
    """Its rows are new; another submission whose rows change without a change of its files is named."""
    other, mine = "2026-11-alice-disk", "2026-11-mallory-disk"
    hostile.sound(tmp_path / other)
    before = own_rows.count_rows(tmp_path)
    report = json.loads((tmp_path / other / hostile.REPORT).read_bytes())
    (folder := hostile.sound(tmp_path / mine)).joinpath(hostile.REPORT).unlink()
    manifest = folder / "manifest.yaml"
    manifest.write_text(manifest.read_text(encoding="utf-8").split("\nfiles:")[0] + "\nfiles:\n", encoding="utf-8")
    hostile.add_file(folder, "mine.json", json.dumps(hostile.at_another_time(report)).encode())
    after = own_rows.count_rows(tmp_path)
    assert {name for name, owner in after.keys() - before.keys() if owner == mine} >= {
        "results",
        "submissions",
        "files",
    }
    assert [*own_rows.list_problems(before, after, {mine})] == []
    after["results", other].pop(min(after["results", other]))
    (problem,) = own_rows.list_problems(before, after, {mine})
    assert (problem.rule, problem.place) == ("R-OWN-1", other)
